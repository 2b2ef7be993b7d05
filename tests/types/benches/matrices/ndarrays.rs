//! With `ndarray`: the perceptron of two layers.

use cotangent::differentiate;
use cotangent::ndarray::*;
use ndarray::Array2;

use super::{Kernel, sequence};

#[differentiate(constant(inputs, targets))]
fn perceptron(
    first: &Array2<f64>,
    second: &Array2<f64>,
    inputs: &Array2<f64>,
    targets: &Array2<f64>,
) -> f64 {
    let hidden = first.dot(inputs).tanh();
    let residual = second.dot(&hidden) - targets;
    (&residual * &residual).sum()
}

fn perceptron_by_hand(
    first: &Array2<f64>,
    second: &Array2<f64>,
    inputs: &Array2<f64>,
    targets: &Array2<f64>,
) -> (f64, (Array2<f64>, Array2<f64>)) {
    let hidden = first.dot(inputs).tanh();
    let residual = second.dot(&hidden) - targets;
    let value = (&residual * &residual).sum();
    let bar = residual * 2.0;
    let by_second = bar.dot(&hidden.t());
    let mut hidden_bar = second.t().dot(&bar);
    hidden_bar.zip_mut_with(&hidden, |bar, y| *bar *= 1.0 - y * y);
    (value, (hidden_bar.dot(&inputs.t()), by_second))
}

fn perceptrons(n: usize) -> Kernel {
    let matrix = move |seed| {
        Array2::from_shape_fn((n, n), |(i, j)| sequence(seed, i, j) / (n as f64).sqrt())
    };
    let of = move || [1, 2, 3, 4].map(matrix);
    let ([a, b, c, d], [e, f, g, h], [i, j, k, l]) = (of(), of(), of());
    let ours = perceptron::value_and_gradient(&a, &b, &c, &d);
    let by_hand = perceptron_by_hand(&a, &b, &c, &d);
    let apart = [(ours.1.0 - by_hand.1.0), (ours.1.1 - by_hand.1.1)];
    assert!(apart.iter().flatten().all(|entry| entry.abs() < 1e-9 * ours.0));
    Kernel {
        name: "perceptron of ndarray, 512",
        runs: [
            Box::new(move || perceptron(&a, &b, &c, &d)),
            Box::new(move || perceptron::value_and_gradient(&e, &f, &g, &h).0),
            Box::new(move || perceptron_by_hand(&i, &j, &k, &l).0),
        ],
    }
}

pub fn kernels() -> Vec<Kernel> {
    vec![perceptrons(512)]
}
