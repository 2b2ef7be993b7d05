//! Kernels at any length, to see whether derivatives cost as much for each element, or step, of a long input as of a
//! short one.

use super::{Case, add};
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

/// A case for each row: a name, the range of the elements, and the kernel with what it takes besides a slice.
macro_rules! over_slices {
    ($n:ident: $($name:literal, $range:expr, $kernel:ident($($argument:expr)?);)*) => {
        vec![$(Case::new(
            $name,
            [sequence($n, $range)],
            |[x]| $kernel(x $(, $argument)?),
            |[x], [x_bar]| $kernel::accumulate_gradient(x, x_bar $(, $argument)?).0,
            |[x], [x_dot]| $kernel::jvp(x, x_dot $(, $argument)?),
        )),*]
    };
}

fn slices(n: usize) -> Vec<Case> {
    over_slices! { n:
        "sum of sines", -3.0..3.0, sum_of_sines();
        "map and sum", -2.0..1.0, map_fused();
        "Newton square roots", 0.1..100.0, roots();
        "branches", -1.0..2.0, branches();
        "Rosenbrock", -1.5..1.5, rosenbrock();
        "heat", -1.0..1.0, heat(10);
        "Burgers", -1.0..1.0, burgers(10);
    }
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
