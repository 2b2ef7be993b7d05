//! The thirteen kernels by which Mooncake.jl compares frameworks (`bench/run_benchmarks.jl` there), of the same sizes.

use super::{Case, over_slice};
use crate::inputs::sequence;
use crate::kernels::chains::{sines_chain, sum_chain};
use crate::kernels::gaussian_process::{gaussian_process, gaussian_process_by_hand};
use crate::kernels::kron::{kron_sum, kron_sum_by_hand, kron_view_sum, kron_view_sum_by_hand};
use crate::kernels::maps::{map_by_hand, map_by_loop, map_collected, map_fused};
use crate::kernels::mlp::{Sizes, mlp, mlp_by_hand};
use crate::kernels::multiplications::{multiplications, multiplications_by_hand};
use crate::kernels::posterior::{posterior, posterior_by_hand};
use crate::kernels::sum::{sum, sum_by_hand};
use crate::kernels::sum_of_sines::{sum_of_sines, sum_of_sines_by_hand};

/// The thirteen kernels.
pub fn mooncake() -> Vec<Case> {
    let mut cases = sums();
    cases.extend(kronecker());
    cases.extend(maps());
    cases.extend([perceptron(), process(), density(), block()]);
    cases
}

fn sums() -> Vec<Case> {
    let input = || (1000, -3.0..3.0);
    vec![
        over_slice(
            "sum 1000",
            input(),
            |[x]| sum_chain(x),
            |[x], [x_bar]| sum_chain::accumulate_gradient(x, x_bar).0,
            |[x], [x_dot]| sum_chain::jvp(x, x_dot),
            |[x], [x_bar]| sum_by_hand(x, x_bar),
        ),
        over_slice(
            "sum 1000, loop",
            input(),
            |[x]| sum(x),
            |[x], [x_bar]| sum::accumulate_gradient(x, x_bar).0,
            |[x], [x_dot]| sum::jvp(x, x_dot),
            |[x], [x_bar]| sum_by_hand(x, x_bar),
        ),
        over_slice(
            "sum of sines 1000",
            input(),
            |[x]| sines_chain(x),
            |[x], [x_bar]| sines_chain::accumulate_gradient(x, x_bar).0,
            |[x], [x_dot]| sines_chain::jvp(x, x_dot),
            |[x], [x_bar]| sum_of_sines_by_hand(x, x_bar),
        ),
        over_slice(
            "sum of sines 1000, loop",
            input(),
            |[x]| sum_of_sines(x),
            |[x], [x_bar]| sum_of_sines::accumulate_gradient(x, x_bar).0,
            |[x], [x_dot]| sum_of_sines::jvp(x, x_dot),
            |[x], [x_bar]| sum_of_sines_by_hand(x, x_bar),
        ),
    ]
}

fn kronecker() -> [Case; 2] {
    let whole = Case::new(
        "Kronecker sum 20², 40²",
        [sequence(400, -1.0..2.0), sequence(1600, -2.0..1.0)],
        |[x, y]| kron_sum(x, y, 20, 40),
        |[x, y], [x_bar, y_bar]| kron_sum::accumulate_gradient(x, x_bar, y, y_bar, 20, 40).0,
        |[x, y], [x_dot, y_dot]| kron_sum::jvp(x, x_dot, y, y_dot, 20, 40),
    )
    .by_hand(|[x, y], [x_bar, y_bar]| kron_sum_by_hand((x, x_bar), (y, y_bar), 20, 40));
    let view = Case::new(
        "Kronecker sum of views",
        [sequence(1200, -1.0..2.0), sequence(1600, -2.0..1.0)],
        |[x, y]| kron_view_sum(x, y, 20, 30, 40),
        |[x, y], [x_bar, y_bar]| {
            kron_view_sum::accumulate_gradient(x, x_bar, y, y_bar, 20, 30, 40).0
        },
        |[x, y], [x_dot, y_dot]| kron_view_sum::jvp(x, x_dot, y, y_dot, 20, 30, 40),
    )
    .by_hand(|[x, y], [x_bar, y_bar]| kron_view_sum_by_hand((x, x_bar), (y, y_bar), 20, 30, 40));
    [whole, view]
}

fn maps() -> [Case; 3] {
    let input = || (100, -2.0..2.0);
    [
        over_slice(
            "map 100, buffer",
            input(),
            |[x]| map_by_loop(x),
            |[x], [x_bar]| map_by_loop::accumulate_gradient(x, x_bar).0,
            |[x], [x_dot]| map_by_loop::jvp(x, x_dot),
            |[x], [x_bar]| map_by_hand(x, x_bar),
        ),
        over_slice(
            "map 100, collected",
            input(),
            |[x]| map_collected(x),
            |[x], [x_bar]| map_collected::accumulate_gradient(x, x_bar).0,
            |[x], [x_dot]| map_collected::jvp(x, x_dot),
            |[x], [x_bar]| map_by_hand(x, x_bar),
        ),
        over_slice(
            "map 100, fused",
            input(),
            |[x]| map_fused(x),
            |[x], [x_bar]| map_fused::accumulate_gradient(x, x_bar).0,
            |[x], [x_dot]| map_fused::jvp(x, x_dot),
            |[x], [x_bar]| map_by_hand(x, x_bar),
        ),
    ]
}

/// 128 inputs and outputs, 256 hidden units, 70 samples.
pub(super) const SIZES: Sizes = Sizes { hidden: 256, samples: 70 };

/// The matrices of both layers, what is expected, and what goes in.
pub(super) fn perceptron_inputs() -> [Vec<f64>; 4] {
    [32_768, 32_768, 8960, 8960].map(|len| sequence(len, -1.0..1.0))
}

fn perceptron() -> Case {
    Case::new(
        "perceptron 128-256-128, 70",
        perceptron_inputs(),
        |[w2, w1, y, x]| mlp(w2, w1, y, x, 256, 70),
        |[w2, w1, y, x], [w2_bar, w1_bar, y_bar, x_bar]| {
            mlp::accumulate_gradient(w2, w2_bar, w1, w1_bar, y, y_bar, x, x_bar, 256, 70).0
        },
        |[w2, w1, y, x], [w2_dot, w1_dot, y_dot, x_dot]| {
            mlp::jvp(w2, w2_dot, w1, w1_dot, y, y_dot, x, x_dot, 256, 70)
        },
    )
    .by_hand(|inputs: [_; 4], shadows: [_; 4]| mlp_by_hand(inputs, shadows, SIZES))
}

/// 128 places, observations, and the variance of their noise.
pub(super) fn process_inputs() -> [Vec<f64>; 3] {
    let places = (0..128).map(|i| 0.2 * f64::from(i)).collect();
    [places, sequence(128, -2.0..2.0), vec![1.0]]
}

fn process() -> Case {
    Case::new(
        "Gaussian process 128",
        process_inputs(),
        |[x, y, noise]| gaussian_process(x, y, noise[0]),
        |[x, y, noise], [x_bar, y_bar, noise_bar]| {
            let (value, returned) =
                gaussian_process::accumulate_gradient(x, x_bar, y, y_bar, noise[0]);
            noise_bar[0] += returned;
            value
        },
        |[x, y, noise], [x_dot, y_dot, noise_dot]| {
            gaussian_process::jvp(x, x_dot, y, y_dot, noise[0], noise_dot[0])
        },
    )
    .by_hand(|[x, y, noise], [x_bar, y_bar, noise_bar]| {
        let (value, returned) = gaussian_process_by_hand((x, x_bar), (y, y_bar), noise[0]);
        noise_bar[0] += returned;
        value
    })
}

fn density() -> Case {
    Case::new(
        "posterior, 100000 data",
        [vec![-1.7, -2.9], sequence(100_000, 2.0..9.0)],
        |[u, data]| posterior(u, data),
        |[u, data], [u_bar]| posterior::accumulate_gradient(u, u_bar, data).0,
        |[u, data], [u_dot]| posterior::jvp(u, u_dot, data),
    )
    .by_hand(|[u, data], [u_bar]| posterior_by_hand(u, u_bar, data))
}

fn block() -> Case {
    Case::new(
        "400 multiplications",
        [vec![0.9, 0.99]],
        |[x]| multiplications(x),
        |[x], [x_bar]| multiplications::accumulate_gradient(x, x_bar).0,
        |[x], [x_dot]| multiplications::jvp(x, x_dot),
    )
    .by_hand(|[x], [x_bar]| multiplications_by_hand(x, x_bar))
}
