//! The rule tester on functions of derived types, with derivatives by hand.

use cotangent::Differentiable;
use cotangent::check::{Case, Kind, shared, unique, value};

#[derive(Clone, Debug, Differentiable)]
struct Pendulum {
    angle: f64,
    speed: f64,
    steps: usize,
    loads: Vec<f64>,
}

/// One explicit step; the value is the energy before it.
fn step(state: &mut Pendulum, h: f64) -> f64 {
    let energy = state.speed * state.speed / 2.0 - state.angle.cos() * state.loads[0];
    state.angle += h * state.speed;
    state.steps += 1;
    energy
}

fn pendulum() -> Pendulum {
    Pendulum { angle: 0.4, speed: 1.1, steps: 7, loads: vec![0.8, 2.0] }
}

fn check_step(mistake: f64) -> Result<cotangent::check::Report, cotangent::check::Mismatch> {
    Case::new("step", &["state", "h"], (unique(&mut pendulum()), value(0.3)), |p| {
        step(p.0.get(), p.1.get())
    })
    .jvp(move |p, d| {
        let (h, h_dot) = (p.1.get(), d.1.get());
        let (state, state_dot) = (p.0.get(), d.0.get());
        let energy_dot = state.speed * state_dot.speed
            + state.angle.sin() * state_dot.angle * state.loads[0]
            - state.angle.cos() * state_dot.loads[0];
        state_dot.angle += h_dot * state.speed + h * state_dot.speed;
        (step(state, h), energy_dot + mistake)
    })
    .vjp(|p, d, seed| {
        let h = p.1.get();
        let before = p.0.get().clone();
        let energy = step(p.0.get(), h);
        let energy_bar = seed(&energy, p, d);
        *p.0.get() = before;
        let (state, state_bar) = (p.0.get(), d.0.get());
        let h_bar = state_bar.angle * state.speed;
        state_bar.speed += h * state_bar.angle + energy_bar * state.speed;
        state_bar.angle += energy_bar * state.angle.sin() * state.loads[0];
        state_bar.loads[0] -= energy_bar * state.angle.cos();
        d.1.put(h_bar);
    })
    .verify()
}

#[test]
fn a_struct_behind_a_unique_reference() {
    let report = check_step(0.0).unwrap();
    assert!(report.forward() && report.reverse());
    assert_eq!(check_step(1e-3).unwrap_err().kind(), Kind::Tangent);
}

#[derive(Clone, Debug, Differentiable)]
enum Curve {
    Line { slope: f64, offset: f64 },
    Power(f64, i32),
}

fn at(curve: &Curve, x: f64) -> Curve {
    match curve {
        Curve::Line { slope, offset } => Curve::Power(slope * x + offset, 2),
        Curve::Power(factor, exponent) => {
            Curve::Line { slope: factor * x.powi(*exponent), offset: *factor }
        }
    }
}

fn at_dot(curve: &Curve, curve_dot: &CurveTangent, x: f64, x_dot: f64) -> CurveTangent {
    match (curve, curve_dot) {
        (Curve::Line { slope, .. }, CurveTangent::Line { slope: slope_dot, offset }) => {
            CurveTangent::Power(slope_dot * x + slope * x_dot + offset, cotangent::NoTangent)
        }
        (Curve::Power(factor, n), CurveTangent::Power(factor_dot, _)) => CurveTangent::Line {
            slope: factor_dot * x.powi(*n) + factor * f64::from(*n) * x.powi(n - 1) * x_dot,
            offset: *factor_dot,
        },
        _ => panic!("{curve_dot:?} is not a tangent of {curve:?}"),
    }
}

/// Adds to the shadow and returns the cotangent of `x`.
fn at_bar(curve: &Curve, curve_bar: &mut CurveTangent, x: f64, y_bar: &CurveTangent) -> f64 {
    match (curve, curve_bar, y_bar) {
        (
            Curve::Line { slope, .. },
            CurveTangent::Line { slope: slope_bar, offset },
            CurveTangent::Power(y_bar, _),
        ) => {
            *slope_bar += y_bar * x;
            *offset += y_bar;
            y_bar * slope
        }
        (
            Curve::Power(factor, n),
            CurveTangent::Power(factor_bar, _),
            CurveTangent::Line { slope, offset },
        ) => {
            *factor_bar += slope * x.powi(*n) + offset;
            slope * factor * f64::from(*n) * x.powi(n - 1)
        }
        _ => panic!("a tangent of another variant"),
    }
}

#[test]
fn an_enum_behind_a_reference_and_as_a_result() {
    for curve in [Curve::Line { slope: 2.0, offset: -0.5 }, Curve::Power(1.5, 3)] {
        let report = Case::new("at", &["curve", "x"], (shared(&curve), value(0.7)), |p| {
            at(p.0.get(), p.1.get())
        })
        .jvp(|p, d| {
            let (curve, x, x_dot) = (p.0.get(), p.1.get(), d.1.get());
            (at(curve, x), at_dot(curve, d.0.get(), x, x_dot))
        })
        .vjp(|p, d, seed| {
            let y = at(p.0.get(), p.1.get());
            let y_bar = seed(&y, p, d);
            let x_bar = at_bar(p.0.get(), d.0.get(), p.1.get(), &y_bar);
            d.1.put(x_bar);
        })
        .verify()
        .unwrap();
        assert!(report.forward() && report.reverse());
    }
}
