//! The same gradients by two other crates: `num-dual`, whose dual numbers go forward, and `reverse`, whose variables write a
//! tape.
//!
//! Both are used as their users would: the kernel is written once more over their type, statement by statement what the
//! kernel of the library does.

use cotangent_examples::cases::{Case, add};
use nalgebra::SVector;
use num_dual::{DualNum, DualSVec64};
use reverse::{Gradient, Tape, Var};

const DUAL: &str = "num-dual";
const TAPE: &str = "reverse";

/// The case with what peers can do of it: `num-dual` where there are few inputs, `reverse` where it has the functions.
pub fn join(case: Case) -> Case {
    match case.name {
        "sum 1000" | "sum 1000, loop" => case.peer(TAPE, taped_sum),
        "sum of sines 1000" | "sum of sines 1000, loop" => case.peer(TAPE, taped_sum_of_sines),
        "400 multiplications" => {
            case.peer(DUAL, dual_multiplications).peer(TAPE, taped_multiplications)
        }
        "Lotka-Volterra 10000 steps" => {
            case.peer(DUAL, dual_lotka_volterra).peer(TAPE, taped_lotka_volterra)
        }
        "Kepler, Runge-Kutta 1000 steps" => case.peer(DUAL, dual_kepler),
        "Rosenbrock 1000" => case.peer(TAPE, taped_rosenbrock),
        "posterior, 100000 data" => case.peer(DUAL, dual_posterior),
        _ => case,
    }
}

/// Value and gradient by a tape, added to the shadow.
fn taped(x: &[f64], x_bar: &mut [f64], f: impl for<'a> Fn(&[Var<'a>]) -> Var<'a>) -> f64 {
    let tape = Tape::new();
    let x = tape.add_vars(x);
    let value = f(&x);
    add(x_bar, &value.grad().wrt(&x[..]));
    value.val()
}

/// Value and gradient by dual numbers, added to the shadow.
fn dual<const N: usize>(
    x: &[f64],
    x_bar: &mut [f64],
    f: impl Fn(&[DualSVec64<N>]) -> DualSVec64<N>,
) -> f64 {
    let x = SVector::<f64, N>::from_column_slice(x);
    let f = |x: SVector<DualSVec64<N>, N>| f(x.as_slice());
    let (value, gradient) = num_dual::gradient(f, &x);
    add(x_bar, gradient.as_slice());
    value
}

fn taped_sum([x]: [&[f64]; 1], [x_bar]: [&mut [f64]; 1]) -> f64 {
    taped(x, x_bar, |x| x.iter().copied().sum())
}

fn taped_sum_of_sines([x]: [&[f64]; 1], [x_bar]: [&mut [f64]; 1]) -> f64 {
    taped(x, x_bar, |x| x.iter().map(|x| x.sin()).sum())
}

fn taped_rosenbrock([x]: [&[f64]; 1], [x_bar]: [&mut [f64]; 1]) -> f64 {
    taped(x, x_bar, |x| {
        let terms = x.windows(2).map(|pair| {
            let valley = pair[1] - pair[0] * pair[0];
            let slope = 1.0 - pair[0];
            100.0 * valley * valley + slope * slope
        });
        terms.sum()
    })
}

fn taped_multiplications([x]: [&[f64]; 1], [x_bar]: [&mut [f64]; 1]) -> f64 {
    taped(x, x_bar, |x| (0..400).fold(x[0], |y, _| y * x[1]))
}

fn dual_multiplications([x]: [&[f64]; 1], [x_bar]: [&mut [f64]; 1]) -> f64 {
    dual::<2>(x, x_bar, |x| (0..400).fold(x[0], |y, _| y * x[1]))
}

fn taped_lotka_volterra(
    [rates, start]: [&[f64]; 2],
    [rates_bar, start_bar]: [&mut [f64]; 2],
) -> f64 {
    let tape = Tape::new();
    let (r, start) = (tape.add_vars(rates), tape.add_vars(start));
    let (mut prey, mut predators) = (start[0], start[1]);
    let (h, steps) = std::hint::black_box((1e-3, 10_000));
    for _ in 0..steps {
        let meetings = prey * predators;
        let prey_growth = r[0] * prey - r[1] * meetings;
        let predator_growth = r[2] * meetings - r[3] * predators;
        prey = prey + h * prey_growth;
        predators = predators + h * predator_growth;
    }
    let gradient = prey.grad();
    add(rates_bar, &gradient.wrt(&r[..]));
    add(start_bar, &gradient.wrt(&start[..]));
    prey.val()
}

fn dual_lotka_volterra(
    [rates, start]: [&[f64]; 2],
    [rates_bar, start_bar]: [&mut [f64]; 2],
) -> f64 {
    let inputs = [rates[0], rates[1], rates[2], rates[3], start[0], start[1]];
    let mut inputs_bar = [0.0; 6];
    let value = dual::<6>(&inputs, &mut inputs_bar, |x| {
        let (mut prey, mut predators) = (x[4], x[5]);
        let (h, steps) = std::hint::black_box((1e-3, 10_000));
        for _ in 0..steps {
            let meetings = prey * predators;
            let prey_growth = x[0] * prey - x[1] * meetings;
            let predator_growth = x[2] * meetings - x[3] * predators;
            prey += prey_growth * h;
            predators += predator_growth * h;
        }
        prey
    });
    add(rates_bar, &inputs_bar[..4]);
    add(start_bar, &inputs_bar[4..]);
    value
}

fn dual_kepler([start]: [&[f64]; 1], [start_bar]: [&mut [f64]; 1]) -> f64 {
    dual::<4>(start, start_bar, |start| {
        let (h, steps) = std::hint::black_box((0.02, 1000));
        let mut state = [start[0], start[1], start[2], start[3]];
        for _ in 0..steps {
            let first = velocity(state);
            let second = velocity(along(state, first, 0.5 * h));
            let third = velocity(along(state, second, 0.5 * h));
            let fourth = velocity(along(state, third, h));
            for i in 0..4 {
                let sum = first[i] + second[i] * 2.0 + third[i] * 2.0 + fourth[i];
                state[i] += sum * (h / 6.0);
            }
        }
        state[0] + state[1]
    })
}

fn velocity<D: DualNum<f64> + Copy>([x, y, u, v]: [D; 4]) -> [D; 4] {
    let square = x * x + y * y;
    let cube = square * square.sqrt();
    [u, v, -x / cube, -y / cube]
}

fn along<D: DualNum<f64> + Copy>(state: [D; 4], direction: [D; 4], by: f64) -> [D; 4] {
    std::array::from_fn(|i| state[i] + direction[i] * by)
}

fn dual_posterior([u, data]: [&[f64]; 2], [u_bar]: [&mut [f64]; 1]) -> f64 {
    use cotangent_examples::kernels::posterior::{BOUNDS, LOG_MASS};
    use std::f64::consts::TAU;
    dual::<2>(u, u_bar, |u| {
        let [low, high] = BOUNDS;
        let mut log_density = u[0] * 0.0;
        let parameters = [u[0], u[1]].map(|u| {
            let unit = ((-u).exp() + 1.0).recip();
            let parameter = unit * (high - low) + low;
            let z = (parameter - 1.0) / 2.0;
            log_density -= z * z * 0.5 + (2.0_f64.ln() + 0.5 * TAU.ln() + LOG_MASS);
            log_density += (unit * (high - low) * (-unit + 1.0)).ln();
            parameter
        });
        let [mu, sigma] = parameters;
        for x in data {
            let log = x.ln();
            let z = (-mu + log) / sigma;
            log_density -= z * z * 0.5 + log + sigma.ln() + 0.5 * TAU.ln();
        }
        log_density
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use cotangent_examples::cases;

    #[test]
    fn peers_agree() {
        let mut compared = 0;
        for case in cases::mooncake().into_iter().chain(cases::state()) {
            let mut case = join(case);
            let value = case.ours.run();
            for (peer, gradient) in &mut case.peers {
                let error = (gradient.run() - value).abs();
                assert!(error <= 1e-11 * value.abs(), "{}, {peer}", case.name);
                for (ours, theirs) in case.ours.shadows().iter().zip(gradient.shadows()) {
                    let scale = ours.iter().fold(0.0, |scale: f64, ours| scale.max(ours.abs()));
                    for (ours, theirs) in ours.iter().zip(theirs) {
                        let error = (ours - theirs).abs();
                        assert!(error <= 1e-10 * scale, "{}, {peer}: {ours}, {theirs}", case.name);
                    }
                }
                compared += 1;
            }
        }
        assert_eq!(compared, 11);
    }
}
