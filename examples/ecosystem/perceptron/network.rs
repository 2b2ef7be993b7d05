//! A multilayer perceptron and what it loses.
//!
//! In: the parameters, structs of structs, and images. Out: scores, one for each class, and the loss. The gradient of the
//! loss by the network is a `NetworkTangent`, of the network's own shape.

use cotangent::{Differentiable, differentiate};

use super::images::{CLASSES, Image, PIXELS};

/// Neurons between pixels and scores.
const HIDDEN: usize = 32;

/// Neurons that see the same inputs.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Layer {
    /// What each neuron makes of each input: a row for each neuron.
    pub weights: Vec<f64>,
    /// What each neuron adds.
    pub biases: Vec<f64>,
}

/// Two layers, between which values are squeezed by the hyperbolic tangent.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Network {
    /// From the pixels.
    pub hidden: Layer,
    /// To the scores.
    pub output: Layer,
}

#[differentiate]
impl Layer {
    /// The weighted sum of the inputs, for each neuron.
    pub fn sums(&self, inputs: &[f64]) -> Vec<f64> {
        let rows = self.weights.chunks_exact(inputs.len());
        rows.zip(&self.biases).map(|(row, bias)| dot(row, inputs) + bias).collect()
    }

    /// The squares of all weights.
    pub fn square(&self) -> f64 {
        dot(&self.weights, &self.weights)
    }
}

#[differentiate]
impl Network {
    /// One number for each class. The largest is that of the class that the network sees.
    pub fn scores(&self, pixels: &[f64]) -> Vec<f64> {
        let seen: Vec<f64> = self.hidden.sums(pixels).iter().map(|sum| sum.tanh()).collect();
        self.output.sums(&seen)
    }

    /// The mean cross-entropy over the images, and a penalty on large weights.
    #[differentiate(wrt(self))]
    pub fn loss(&self, images: &[Image], decay: f64) -> f64 {
        let entropies =
            images.iter().map(|image| cross_entropy(&self.scores(&image.pixels), image.digit));
        let penalty = self.hidden.square() + self.output.square();
        entropies.sum::<f64>() / images.len() as f64 + 0.5 * decay * penalty
    }
}

/// The logarithm of how unlikely a digit is, where the exponentials of the scores are the odds. The largest score is taken
/// out of the sum, so that no exponential overflows.
#[differentiate]
fn cross_entropy(scores: &[f64], digit: usize) -> f64 {
    let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let odds: f64 = scores.iter().map(|score| (score - largest).exp()).sum();
    largest - scores[digit] + odds.ln()
}

#[differentiate]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Layer {
    /// Weights are spread evenly within `±sqrt(6 / (inputs + outputs))` (Glorot and Bengio 2010), and biases are zero.
    fn new(inputs: usize, outputs: usize) -> Self {
        let bound = (6.0 / (inputs + outputs) as f64).sqrt();
        // A Weyl sequence: multiples of the golden section, without their whole parts.
        let spread = |index: usize| 2.0 * (index as f64 * 0.618_033_988_749_895).fract() - 1.0;
        let weights = (1..=inputs * outputs).map(|index| bound * spread(index)).collect();
        Layer { weights, biases: vec![0.0; outputs] }
    }
}

impl Network {
    /// A network that has learned nothing.
    pub fn new() -> Self {
        Network { hidden: Layer::new(PIXELS, HIDDEN), output: Layer::new(HIDDEN, CLASSES) }
    }

    /// The part of some images that is read as what it is.
    pub fn accuracy(&self, images: &[Image]) -> f64 {
        let is_read = |image: &&Image| {
            let scores = self.scores(&image.pixels);
            scores.iter().all(|score| *score <= scores[image.digit])
        };
        images.iter().filter(is_read).count() as f64 / images.len() as f64
    }
}
