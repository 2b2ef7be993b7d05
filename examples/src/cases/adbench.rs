//! The four objectives of ADBench (<https://github.com/microsoft/ADBench>), on generated data.

use std::sync::LazyLock;

use super::Case;
use crate::inputs::sequence;
use crate::kernels::bundle::{CAMERA, bundle};
use crate::kernels::hand::{ANGLES, Hand, distance};
use crate::kernels::lstm::lstm;
use crate::kernels::mixture::mixture;

/// The four objectives. There are no gradients by hand.
pub fn adbench() -> [Case; 4] {
    [gaussian_mixture(), bundle_adjustment(), hand_tracking(), network()]
}

/// 25 components in 10 dimensions, 1000 data.
fn gaussian_mixture() -> Case {
    const D: usize = 10;
    let inputs = [(25, -1.0..1.0), (250, -1.0..1.0), (25 * 55, -0.5..0.5), (10_000, -2.0..2.0)];
    Case::new(
        "Gaussian mixture",
        inputs.map(|(len, range)| sequence(len, range)),
        |[alphas, means, factors, x]| mixture(alphas, means, factors, x, D),
        |[alphas, means, factors, x], [a, m, f]| {
            mixture::accumulate_gradient(alphas, a, means, m, factors, f, x, D).0
        },
        |[alphas, means, factors, x], [a, m, f]| {
            mixture::jvp(alphas, a, means, m, factors, f, x, D)
        },
    )
}

/// 49 cameras, 1000 points, 4000 observations of them.
static SEEN: LazyLock<Vec<[usize; 2]>> =
    LazyLock::new(|| (0..4000).map(|i| [i * 7 % 49, i * 13 % 1000]).collect());

fn bundle_adjustment() -> Case {
    let inputs = [(49 * CAMERA, 0.1..0.4), (3000, 1.0..3.0), (4000, 0.4..0.9), (8000, -1.0..1.0)];
    Case::new(
        "bundle adjustment",
        inputs.map(|(len, range)| sequence(len, range)),
        |[cameras, points, weights, features]| bundle(cameras, points, weights, features, &SEEN),
        |[cameras, points, weights, features], [c, p, w]| {
            bundle::accumulate_gradient(cameras, c, points, p, weights, w, features, &SEEN).0
        },
        |[cameras, points, weights, features], [c, p, w]| {
            bundle::jvp(cameras, c, points, p, weights, w, features, &SEEN)
        },
    )
}

/// 544 vertices, 100 points.
static HAND: LazyLock<Hand> = LazyLock::new(|| Hand::generated(544, 100));

fn hand_tracking() -> Case {
    Case::new(
        "hand tracking",
        [sequence(ANGLES, -0.6..0.6)],
        |[theta]| distance(theta, &HAND),
        |[theta], [theta_bar]| distance::accumulate_gradient(theta, theta_bar, &HAND).0,
        |[theta], [theta_dot]| distance::jvp(theta, theta_dot, &HAND),
    )
}

/// Two layers of width 14, 1024 rows.
fn network() -> Case {
    const WIDTH: usize = 14;
    let inputs = [(16 * WIDTH, -1.0..1.0), (3 * WIDTH, -1.0..1.0), (4 * WIDTH, -1.0..1.0)];
    let [main, extra, start] = inputs.map(|(len, range)| sequence(len, range));
    Case::new(
        "LSTM",
        [main, extra, start, sequence(1024 * WIDTH, 0.0..1.0)],
        |[main, extra, start, rows]| lstm(main, extra, start, rows, WIDTH),
        |[main, extra, start, rows], [main_bar, extra_bar]| {
            lstm::accumulate_gradient(main, main_bar, extra, extra_bar, start, rows, WIDTH).0
        },
        |[main, extra, start, rows], [main_dot, extra_dot]| {
            lstm::jvp(main, main_dot, extra, extra_dot, start, rows, WIDTH)
        },
    )
}
