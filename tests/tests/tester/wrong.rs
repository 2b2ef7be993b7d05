//! Rules with one mistake each. The message names the place, and the numbers there.

use super::counter::allocations;
use cotangent::Differentiable;
use cotangent::check::{self, Case, Domain, Kind, Mismatch, Mode, Report, Settings};
use expect_test::{Expect, expect};
use std::cell::Cell;

#[derive(Clone, Debug, Differentiable)]
struct State {
    level: f64,
    velocity: Vec<f64>,
}

/// `x |x| Σ velocity + s[1]`, after which `s[1]` is `x level`.
fn f(x: f64, state: &State, s: &mut Vec<f64>) -> f64 {
    let y = x * x.abs() * state.velocity.iter().sum::<f64>() + s[1];
    s[1] = x * state.level;
    y
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mistake {
    None,
    Sign,
    Factor,
    PositiveOnly,
    Overwrites,
    ForgetsToRestore,
    ForgetsToZero,
    Shape,
    Stale,
    JvpAlone,
    VjpAlone,
    Allocates,
    Moves,
}

use Mistake::*;

/// The derivative of `x |x|` as both modes have it.
fn slope(mistake: Mistake, x: f64) -> f64 {
    match mistake {
        Sign => -2.0 * x.abs(),
        Factor => 2.000_002 * x.abs(),
        PositiveOnly => 2.0 * x,
        _ => 2.0 * x.abs(),
    }
}

fn jvp(
    mistake: Mistake,
    (x, x_dot): (f64, f64),
    (state, state_dot): (&State, &StateTangent),
    (s, s_dot): (&mut Vec<f64>, &mut Vec<f64>),
) -> (f64, f64) {
    let sum: f64 = state.velocity.iter().sum();
    let sum_dot: f64 = match mistake {
        JvpAlone => state_dot.velocity.iter().skip(1).sum(),
        Allocates => state_dot.velocity.clone().iter().sum(),
        _ => state_dot.velocity.iter().sum(),
    };
    let y_dot = slope(mistake, x) * x_dot * sum + x * x.abs() * sum_dot + s_dot[1];
    s_dot[1] = x_dot * state.level + x * state_dot.level;
    if mistake == Shape {
        s_dot.push(0.0);
    }
    (f(x, state, s), y_dot)
}

fn pullback(
    mistake: Mistake,
    (x, s_1): (f64, f64),
    (state, state_bar): (&State, &mut StateTangent),
    (s, s_bar): (&mut Vec<f64>, &mut Vec<f64>),
    y_bar: f64,
) -> f64 {
    if mistake != ForgetsToRestore {
        s[1] = s_1;
    }
    let product_bar =
        if mistake == ForgetsToZero { s_bar[1] } else { std::mem::take(&mut s_bar[1]) };
    s_bar[1] += y_bar;
    state_bar.level += product_bar * x;
    for (i, bar) in state_bar.velocity.iter_mut().enumerate() {
        let term = x * x.abs() * y_bar;
        match mistake {
            Overwrites => *bar = term,
            VjpAlone if i == 2 => *bar -= term,
            _ => *bar += term,
        }
    }
    if mistake == Moves {
        state_bar.velocity = state_bar.velocity.clone();
    }
    slope(mistake, x) * state.velocity.iter().sum::<f64>() * y_bar + product_bar * state.level
}

fn verify(mistake: Mistake, x: f64, settings: Settings) -> Result<Report, Mismatch> {
    let state = State { level: 0.5, velocity: vec![0.25, 0.75, -0.5] };
    let point = (check::value(x), check::shared(&state), check::unique(&mut vec![3.0, 4.0]));
    let runs = Cell::new(0.0);
    let stale = || {
        runs.set(runs.get() + 1.0);
        if mistake == Stale { runs.get() } else { 0.0 }
    };
    Case::new("f", &["x", "state", "s"], point, |p| f(p.0.get(), p.1.get(), p.2.get()))
        .jvp(|p, d| {
            let (state, s) = ((p.1.get(), &*d.1.get()), (p.2.get(), d.2.get()));
            jvp(mistake, (p.0.get(), d.0.get()), state, s)
        })
        .vjp(|p, d, seed| {
            let (x, s_1) = (p.0.get(), p.2.get()[1]);
            let y = f(x, p.1.get(), p.2.get());
            let y_bar = seed(&y, p, d);
            let (state, s) = ((p.1.get(), d.1.get()), (p.2.get(), d.2.get()));
            let x_bar = pullback(mistake, (x, s_1), state, s, y_bar);
            // What is left of a run before would be wrong by a rounding only.
            d.0.put(x_bar * (1.0 + stale() * 1e-14));
        })
        .accumulate(|p, d| {
            let (x, s_1) = (p.0.get(), p.2.get()[1]);
            let y = f(x, p.1.get(), p.2.get());
            let (state, s) = ((p.1.get(), d.1.get()), (p.2.get(), d.2.get()));
            d.0.put(pullback(mistake, (x, s_1), state, s, 1.0));
            y
        })
        .with(&settings)
        .verify()
}

#[track_caller]
fn rejected(mistake: Mistake, kind: Kind, mode: Mode, place: &str, message: &Expect) {
    let settings = Settings::new().allocations(allocations);
    let mismatch = verify(mistake, 1.5, settings).unwrap_err();
    assert_eq!((mismatch.kind(), mismatch.mode()), (kind, mode), "{mismatch}");
    assert_eq!(mismatch.place(), place, "{mismatch}");
    let point = "x = 1.5, state.level = 0.5, state.velocity[0] = 0.25, state.velocity[1] = 0.75, \
                 state.velocity[2] = -0.5, s[0] = 3.0, s[1] = 4.0";
    assert_eq!(mismatch.point(), point);
    message.assert_eq(mismatch.message());
}

#[test]
fn the_rule_without_mistakes() {
    let report = verify(None, 1.5, Settings::new().allocations(allocations)).unwrap();
    assert!(report.forward() && report.reverse() && report.accumulate());
    verify(None, -1.5, Settings::new()).unwrap();
}

macro_rules! rejected {
    ($($name:ident: $mistake:ident => $kind:ident in $mode:ident at $place:literal, $message:expr;)*) => {$(
        #[test]
        fn $name() {
            rejected($mistake, Kind::$kind, Mode::$mode, $place, &$message);
        }
    )*};
}

rejected! {
    wrong_sign: Sign => Tangent in Jvp at "output", expect!["jvp's tangent of the output along `x` is -1.5, expected 1.5000000000000577 ± 9.0e-13 by differences; by vjp it is -1.5"];
    wrong_factor: Factor => Tangent in Jvp at "output", expect!["jvp's tangent of the output along `x` is 1.5000014999999998, expected 1.5000000000000577 ± 9.0e-13 by differences; by vjp it is 1.5000014999999998"];
    overwrites: Overwrites => Shadow in Vjp at "state.velocity[0]", expect!["with shadows that were not zero, vjp makes the cotangent of `state.velocity[0]` -0.23157207284315084, expected 0.5705601708817057"];
    forgets_to_restore: ForgetsToRestore => Restored in Vjp at "s[1]", expect!["vjp does not restore its arguments: it leaves `s[1]` 0.75, expected 4.0"];
    forgets_to_zero: ForgetsToZero => Cotangent in Vjp at "s[1]", expect!["vjp's cotangent of `s[1]` with a seed of 1 at `s[1]` is 1.0, expected 0.0 by jvp"];
    wrong_shape: Shape => Shape in Jvp at "s", expect!["jvp's tangent of `s` has 3 floats, but the value has 2"];
    stale_state: Stale => Repeat in Vjp at "x", expect!["vjp makes the cotangent of `x` 0.22538086943474034, and 0.2253808694347426 when it runs again"];
    wrong_in_forward_mode: JvpAlone => Tangent in Jvp at "output", expect!["jvp's tangent of the output along `state.velocity[0]` is 0.0, expected 2.24999999999792 ± 4.7e-12 by differences; by vjp it is 2.25"];
    wrong_in_reverse_mode: VjpAlone => Cotangent in Vjp at "state.velocity[2]", expect!["vjp's cotangent of `state.velocity[2]` with a seed of 1 at the output is -2.25, expected 2.25 by jvp"];
    allocates: Allocates => Allocation in Jvp at "", expect!["jvp allocates once, and the function does not"];
    moves_its_shadow: Moves => Moved in Vjp at "state", expect!["vjp moves the shadow of `state` to other memory, instead of changing it in place"];
}

#[test]
fn right_for_positive_inputs_alone() {
    verify(PositiveOnly, 1.5, Settings::new()).unwrap();
    let mismatch = check::at_points(&Settings::new(), &mut |random| {
        verify(PositiveOnly, (-2.0..2.0).draw(random), Settings::new())
    });
    let mismatch = mismatch.unwrap_err();
    assert_eq!(mismatch.kind(), Kind::Tangent, "{mismatch}");
    assert!(mismatch.point().starts_with("x = -"), "{mismatch}");
}
