//! A perceptron of three layers and its loss, by loops over slices.

use cotangent::differentiate;

/// Numbers of a sample.
pub const INPUTS: usize = 32;
/// Neurons of the first layer, and of the second.
pub const HIDDEN: usize = 64;
/// Weights of all layers: a row for each neuron, of which the last element is its bias.
pub const WEIGHTS: usize = HIDDEN * (INPUTS + 1) + HIDDEN * (HIDDEN + 1) + HIDDEN + 1;

/// Half the mean of squared errors of the network's answers.
///
/// `weights` has [`WEIGHTS`] elements, and `samples` has [`INPUTS`] for each target.
#[differentiate(constant(samples, targets))]
#[differentiate]
pub fn perceptron(weights: &[f64], samples: &[f64], targets: &[f64]) -> f64 {
    let (first, rest) = weights.split_at(HIDDEN * (INPUTS + 1));
    let (second, third) = rest.split_at(HIDDEN * (HIDDEN + 1));
    let mut loss = 0.0;
    for i in 0..targets.len() {
        let sample = &samples[i * INPUTS..(i + 1) * INPUTS];
        let hidden = layer(second, &layer(first, sample));
        let error = affine(third, &hidden) - targets[i];
        loss += error * error;
    }
    0.5 * loss / targets.len() as f64
}

/// The hyperbolic tangents of what each neuron makes of `x`.
#[differentiate]
#[differentiate]
fn layer(weights: &[f64], x: &[f64]) -> Vec<f64> {
    let width = x.len() + 1;
    let mut y = vec![0.0; weights.len() / width];
    for k in 0..y.len() {
        y[k] = affine(&weights[k * width..(k + 1) * width], x).tanh();
    }
    y
}

/// The product of a neuron's weights and `x`, and its bias.
#[differentiate]
#[differentiate]
fn affine(row: &[f64], x: &[f64]) -> f64 {
    let mut sum = row[x.len()];
    for j in 0..x.len() {
        sum += row[j] * x[j];
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::sequence;
    use crate::kernels::agreement::assert_product;

    #[test]
    fn derivatives_are_those_of_differences() {
        let (weights, v) = (sequence(WEIGHTS, -0.3..0.3), sequence(WEIGHTS, -0.1..0.1));
        let (samples, targets) = (sequence(3 * INPUTS, -1.0..1.0), sequence(3, -1.0..1.0));
        cotangent::check!(perceptron(&weights, &samples, &targets)).unwrap();
        let product = perceptron::hvp(&weights, &v, &samples, &targets);
        let gradient = |weights: &[f64]| perceptron::gradient(weights, &samples, &targets);
        assert_product(gradient, &weights, &v, &product);
    }
}
