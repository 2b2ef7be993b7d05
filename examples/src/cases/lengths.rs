//! Kernels at any length, to see whether derivatives cost as much for each element, or step, of a long input as of a
//! short one.

use super::{Case, Forward, Primal, Reverse, add};
use crate::inputs::sequence;
use crate::kernels::branches::branches;
use crate::kernels::kepler::kepler;
use crate::kernels::lotka_volterra::lotka_volterra;
use crate::kernels::maps::map_fused;
use crate::kernels::roots::roots;
use crate::kernels::rosenbrock::rosenbrock;
use crate::kernels::stencils::{burgers, heat};
use crate::kernels::sum_of_sines::sum_of_sines;

/// The kernels at a length: that of a slice, or a number of steps. The stencils go 10 steps.
pub fn of_length(n: usize) -> Vec<Case> {
    let mut cases = slices(n);
    cases.extend(steps(n));
    cases
}

fn slices(n: usize) -> Vec<Case> {
    let over = |name, range, primal: Primal<1>, ours: Reverse<1, 1>, jvp: Forward<1, 1>| {
        Case::new(name, [sequence(n, range)], primal, ours, jvp)
    };
    vec![
        over(
            "sum of sines",
            -3.0..3.0,
            |[x]| sum_of_sines(x),
            |[x], [x_bar]| sum_of_sines::accumulate_gradient(x, x_bar).0,
            |[x], [x_dot]| sum_of_sines::jvp(x, x_dot),
        ),
        over(
            "map and sum",
            -2.0..1.0,
            |[x]| map_fused(x),
            |[x], [x_bar]| map_fused::accumulate_gradient(x, x_bar).0,
            |[x], [x_dot]| map_fused::jvp(x, x_dot),
        ),
        over(
            "Newton square roots",
            0.1..100.0,
            |[x]| roots(x),
            |[x], [x_bar]| roots::accumulate_gradient(x, x_bar).0,
            |[x], [x_dot]| roots::jvp(x, x_dot),
        ),
        over(
            "branches",
            -1.0..2.0,
            |[x]| branches(x),
            |[x], [x_bar]| branches::accumulate_gradient(x, x_bar).0,
            |[x], [x_dot]| branches::jvp(x, x_dot),
        ),
        over(
            "Rosenbrock",
            -1.5..1.5,
            |[x]| rosenbrock(x),
            |[x], [x_bar]| rosenbrock::accumulate_gradient(x, x_bar).0,
            |[x], [x_dot]| rosenbrock::jvp(x, x_dot),
        ),
        over(
            "heat",
            -1.0..1.0,
            |[x]| heat(x, 10),
            |[x], [x_bar]| heat::accumulate_gradient(x, x_bar, 10).0,
            |[x], [x_dot]| heat::jvp(x, x_dot, 10),
        ),
        over(
            "Burgers",
            -1.0..1.0,
            |[x]| burgers(x, 10),
            |[x], [x_bar]| burgers::accumulate_gradient(x, x_bar, 10).0,
            |[x], [x_dot]| burgers::jvp(x, x_dot, 10),
        ),
    ]
}

/// A step is so short that all of them together stay within one unit of time.
fn steps(n: usize) -> [Case; 2] {
    let steps = vec![n as f64];
    [
        Case::new(
            "Lotka-Volterra",
            [vec![1.1, 0.4, 0.1, 0.4], vec![10.0, 5.0], steps.clone()],
            |[rates, start, steps]| {
                lotka_volterra(rates, [start[0], start[1]], 1.0 / steps[0], steps[0] as usize)
            },
            |[rates, start, steps], [rates_bar, start_bar]| {
                let (start, h, steps) = ([start[0], start[1]], 1.0 / steps[0], steps[0] as usize);
                let (value, returned) =
                    lotka_volterra::accumulate_gradient(rates, rates_bar, start, h, steps);
                add(start_bar, &returned);
                value
            },
            |[rates, start, steps], [rates_dot, start_dot]| {
                let (start, h, steps) = ([start[0], start[1]], 1.0 / steps[0], steps[0] as usize);
                let start_dot = [start_dot[0], start_dot[1]];
                lotka_volterra::jvp(rates, rates_dot, start, start_dot, h, steps)
            },
        ),
        Case::new(
            "Kepler",
            [vec![1.0, 0.0, 0.0, 1.1], steps],
            |[start, steps]| kepler(orbit(start), 1.0 / steps[0], steps[0] as usize),
            |[start, steps], [start_bar]| {
                let (h, steps) = (1.0 / steps[0], steps[0] as usize);
                let (value, returned) = kepler::accumulate_gradient(orbit(start), h, steps);
                add(start_bar, &returned);
                value
            },
            |[start, steps], [start_dot]| {
                kepler::jvp(orbit(start), orbit(start_dot), 1.0 / steps[0], steps[0] as usize)
            },
        ),
    ]
}

fn orbit(start: &[f64]) -> [f64; 4] {
    [start[0], start[1], start[2], start[3]]
}
