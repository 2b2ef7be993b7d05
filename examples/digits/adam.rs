//! Steps against a gradient, as long in each direction as the gradient is steady there.
//!
//! In: a network and the gradient of a batch. Out: the network, one step on. The method is Adam (Kingma and
//! Ba 2015), with its authors' constants.

use super::network::{Network, NetworkTangent};

/// How much of the past the mean of the gradients keeps.
const KEPT: f64 = 0.9;
/// How much of the past the mean of their squares keeps.
const KEPT_SQUARES: f64 = 0.999;
/// Against division by zero.
const SMALL: f64 = 1e-8;

/// What is remembered from step to step.
pub struct Adam {
    rate: f64,
    steps: i32,
    /// For each number of the network: the means of its gradients and of their squares.
    means: Vec<(f64, f64)>,
}

impl Adam {
    /// Steps of at most about this length in each number.
    pub fn new(rate: f64) -> Self {
        Self { rate, steps: 0, means: vec![] }
    }

    /// One step.
    pub fn step(&mut self, network: &mut Network, gradient: &NetworkTangent) {
        self.steps += 1;
        let whole = 1.0 - KEPT.powi(self.steps);
        let whole_squares = 1.0 - KEPT_SQUARES.powi(self.steps);
        self.means.resize(gradient.numbers().count(), (0.0, 0.0));
        let numbers = network.numbers_mut().zip(gradient.numbers()).zip(&mut self.means);
        for ((number, slope), (mean, square)) in numbers {
            *mean = KEPT * *mean + (1.0 - KEPT) * slope;
            *square = KEPT_SQUARES * *square + (1.0 - KEPT_SQUARES) * slope * slope;
            *number -= self.rate * (*mean / whole) / ((*square / whole_squares).sqrt() + SMALL);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digits::network::{Layer, LayerTangent};

    fn step(adam: &mut Adam, network: &mut Network, slopes: [f64; 2]) -> [f64; 2] {
        let layer = LayerTangent { weights: vec![slopes[0]], biases: vec![slopes[1]] };
        adam.step(network, &NetworkTangent { layers: vec![layer] });
        [network.layers[0].weights[0], network.layers[0].biases[0]]
    }

    /// The first step is as long as the rate whatever the gradient, and against it.
    #[test]
    fn steps_are_those_of_the_paper() {
        let mut network = Network { layers: vec![Layer { weights: vec![1.0], biases: vec![2.0] }] };
        let mut adam = Adam::new(0.1);
        let [weight, bias] = step(&mut adam, &mut network, [1e-3, -50.0]);
        assert!((weight - 0.9).abs() < 1e-5 && (bias - 2.1).abs() < 1e-9);
        let [_, bias] = step(&mut adam, &mut network, [1e-3, 50.0]);
        let mean = (0.9 * -5.0 + 5.0) / 0.19;
        assert!((bias - (2.1 - 0.1 * mean / 50.0)).abs() < 1e-9, "{bias}");
    }
}
