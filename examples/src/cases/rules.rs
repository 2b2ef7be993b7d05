//! Kernels with the functions of `linalg`, whose derivatives are rules.

use super::Case;
use super::mooncake::{SIZES, perceptron_inputs, process_inputs};
use crate::kernels::gaussian_process::gaussian_process_by_rules;
use crate::kernels::mlp::{mlp_by_rules, mlp_of_products_by_hand};

/// The two of Mooncake's kernels that are made of products and factorisations.
pub fn rules() -> [Case; 2] {
    [perceptron(), process()]
}

fn perceptron() -> Case {
    Case::new(
        "perceptron, linalg",
        perceptron_inputs(),
        |[w2, w1, y, x]| mlp_by_rules(w2, w1, y, x, 256, 70),
        |[w2, w1, y, x], [w2_bar, w1_bar, y_bar, x_bar]| {
            mlp_by_rules::accumulate_gradient(w2, w2_bar, w1, w1_bar, y, y_bar, x, x_bar, 256, 70).0
        },
        |[w2, w1, y, x], [w2_dot, w1_dot, y_dot, x_dot]| {
            mlp_by_rules::jvp(w2, w2_dot, w1, w1_dot, y, y_dot, x, x_dot, 256, 70)
        },
    )
    .by_hand(|inputs: [_; 4], shadows: [_; 4]| mlp_of_products_by_hand(inputs, shadows, SIZES))
}

fn process() -> Case {
    Case::new(
        "Gaussian process, linalg",
        process_inputs(),
        |[x, y, noise]| gaussian_process_by_rules(x, y, noise[0]),
        |[x, y, noise], [x_bar, y_bar, noise_bar]| {
            let (value, returned) =
                gaussian_process_by_rules::accumulate_gradient(x, x_bar, y, y_bar, noise[0]);
            noise_bar[0] += returned;
            value
        },
        |[x, y, noise], [x_dot, y_dot, noise_dot]| {
            gaussian_process_by_rules::jvp(x, x_dot, y, y_dot, noise[0], noise_dot[0])
        },
    )
}
