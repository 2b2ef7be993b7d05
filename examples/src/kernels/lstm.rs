//! A recurrent network with memory: the fourth of the objectives of ADBench. State that is changed in place, step by
//! step.
//!
//! The objective of the benchmark at <https://github.com/microsoft/ADBench>, whose gates have diagonal weights.

use cotangent::differentiate;

/// The mean negative log-likelihood of the next row of `sequence`, given the rows before.
///
/// Each layer has a row of 4 `width` weights and one of as many biases in `main`: of what is forgotten, of what is taken
/// in, of what is shown, and of the change. `extra` has the weights of the input, those of the output, and the biases
/// of the output. `start` has for each layer what it shows and what it remembers.
///
/// # Panics
///
/// If sizes do not fit.
#[differentiate(constant(start, sequence))]
pub fn lstm(main: &[f64], extra: &[f64], start: &[f64], sequence: &[f64], width: usize) -> f64 {
    let mut state = start.to_vec();
    let mut x = vec![0.0; width];
    let steps = sequence.len() / width - 1;
    let mut total = 0.0;
    for t in 0..steps {
        for i in 0..width {
            x[i] = sequence[t * width + i] * extra[i];
        }
        let layers = state.chunks_exact_mut(2 * width).zip(main.chunks_exact(8 * width));
        for (state, parameters) in layers {
            advance(parameters, state, &mut x);
        }
        let mut sum = 0.0;
        for i in 0..width {
            x[i] = x[i] * extra[width + i] + extra[2 * width + i];
            sum += x[i].exp();
        }
        // The constant is that of the benchmark.
        let log_sum = (sum + 2.0).ln();
        for i in 0..width {
            total += sequence[(t + 1) * width + i] * (x[i] - log_sum);
        }
    }
    -total / (steps * width) as f64
}

/// A step of one layer: `x` goes in, and is replaced by what comes out.
#[differentiate]
fn advance(parameters: &[f64], state: &mut [f64], x: &mut [f64]) {
    let n = x.len();
    let (weights, biases) = parameters.split_at(4 * n);
    let (hidden, cell) = state.split_at_mut(n);
    for i in 0..n {
        let forget = sigmoid(x[i] * weights[i] + biases[i]);
        let take = sigmoid(hidden[i] * weights[n + i] + biases[n + i]);
        let show = sigmoid(x[i] * weights[2 * n + i] + biases[2 * n + i]);
        let change = (hidden[i] * weights[3 * n + i] + biases[3 * n + i]).tanh();
        cell[i] = cell[i] * forget + take * change;
        hidden[i] = show * cell[i].tanh();
        x[i] = hidden[i];
    }
}

#[differentiate]
fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs;

    #[test]
    fn the_rule_tester_agrees() {
        let (layers, width) = (2, 3);
        let main = inputs::sequence(layers * 8 * width, -1.0..1.0);
        let extra = inputs::sequence(3 * width, -1.0..1.0);
        let start = inputs::sequence(layers * 2 * width, -1.0..1.0);
        let rows = inputs::sequence(6 * width, 0.0..1.0);
        cotangent::check!(lstm(&main, &extra, &start, &rows, width)).unwrap();
    }

    /// Without layers and with zero weights all outputs are the biases.
    #[test]
    fn without_weights_biases_are_left() {
        let extra = [0.0, 0.0, 0.0, 0.0, 0.5, -0.5];
        let value = lstm(&[], &extra, &[], &[0.0, 0.0, 1.0, 0.0], 2);
        let log_sum = (0.5_f64.exp() + (-0.5_f64).exp() + 2.0).ln();
        assert!((value + (0.5 - log_sum) / 2.0).abs() < 1e-15, "{value}");
    }
}
