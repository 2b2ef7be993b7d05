//! A multilayer perceptron and what it loses.
//!
//! In: the numbers of a [`Network`], all of them active, and images. Out: scores, one for each class, and
//! the loss. The gradient of the loss by the network is a `NetworkTangent`, of the network's own shape.

use cotangent::{Differentiable, differentiate};
use cotangent_examples::inputs::sequence;

use super::data::Image;

/// Neurons that see the same inputs.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Layer {
    /// What each neuron makes of each input: a row for each neuron.
    pub weights: Vec<f64>,
    /// What each neuron adds.
    pub biases: Vec<f64>,
}

/// Layers that see one another's outputs, squeezed by the hyperbolic tangent.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Network {
    /// From the pixels to the scores; at least one.
    pub layers: Vec<Layer>,
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
        let [hidden @ .., last] = &self.layers[..] else { panic!("a network has a layer") };
        let seen = hidden.iter().fold(pixels.to_vec(), |values, layer| {
            layer.sums(&values).iter().map(|sum| sum.tanh()).collect()
        });
        last.sums(&seen)
    }

    /// The mean cross-entropy over the images, and a penalty on large weights.
    #[differentiate(wrt(self))]
    pub fn loss(&self, images: &[Image], decay: f64) -> f64 {
        let entropies =
            images.iter().map(|image| cross_entropy(&self.scores(&image.pixels), image.digit));
        let penalty: f64 = self.layers.iter().map(|layer| layer.square()).sum();
        entropies.sum::<f64>() / images.len() as f64 + 0.5 * decay * penalty
    }
}

/// The logarithm of how unlikely a digit is, where the exponentials of the scores are the odds.
///
/// The largest score is taken out of the sum, so that no exponential overflows.
#[differentiate]
pub fn cross_entropy(scores: &[f64], digit: usize) -> f64 {
    let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let odds: f64 = scores.iter().map(|score| (score - largest).exp()).sum();
    largest - scores[digit] + odds.ln()
}

#[differentiate]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Network {
    /// A network with so many neurons in each layer, of which the first is the image. Weights are spread
    /// evenly within `±sqrt(6 / (inputs + outputs))` (Glorot and Bengio 2010), and biases are zero.
    pub fn new(sizes: &[usize]) -> Self {
        let weights = sizes.windows(2).map(|ends| ends[0] * ends[1]).sum();
        let mut numbers = sequence(weights, -1.0..1.0).into_iter();
        let mut layer = |ends: &[usize]| {
            let bound = (6.0 / (ends[0] + ends[1]) as f64).sqrt();
            let weights = numbers.by_ref().take(ends[0] * ends[1]);
            Layer { weights: weights.map(|w| bound * w).collect(), biases: vec![0.0; ends[1]] }
        };
        Self { layers: sizes.windows(2).map(&mut layer).collect() }
    }

    /// What an image is taken for.
    pub fn read(&self, pixels: &[f64]) -> usize {
        let scores = self.scores(pixels);
        let classes = 0..scores.len();
        classes.max_by(|&a, &b| scores[a].total_cmp(&scores[b])).expect("there are classes")
    }

    /// All weights and biases, layer by layer.
    pub fn numbers_mut(&mut self) -> impl Iterator<Item = &mut f64> {
        self.layers.iter_mut().flat_map(|layer| layer.weights.iter_mut().chain(&mut layer.biases))
    }
}

impl NetworkTangent {
    /// In the order of [`Network::numbers_mut`].
    pub fn numbers(&self) -> impl Iterator<Item = &f64> {
        self.layers.iter().flat_map(|layer| layer.weights.iter().chain(&layer.biases))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digits::data;

    /// The last layer sees a class for each digit.
    fn network() -> Network {
        Network::new(&[64, 7, 5, 10])
    }

    fn images() -> Vec<Image> {
        let mut images = data::read("digits.csv", data::DIGITS).unwrap();
        images.truncate(6);
        images
    }

    #[test]
    fn the_rule_tester_agrees() {
        let images = images();
        cotangent::check!(Network::loss(&network(), &images, 0.01)).unwrap();
        cotangent::check!(Network::scores(&network(), &images[3].pixels)).unwrap();
        cotangent::check!(cross_entropy(&[0.3, -0.2, 1.1], 1)).unwrap();
    }

    /// The gradient by every single number of the network, against a difference.
    #[test]
    fn every_entry_of_the_gradient_is_a_difference() {
        let (mut network, images, step) = (network(), images(), 1e-5);
        let gradient = network.loss_gradient(&images, 0.01);
        for (index, expected) in gradient.numbers().enumerate() {
            let mut moved = |by: f64| {
                *network.numbers_mut().nth(index).unwrap() += by;
                network.loss(&images, 0.01)
            };
            let difference = (moved(step) - moved(-2.0 * step)) / (2.0 * step);
            moved(step);
            assert!((difference - expected).abs() < 1e-9, "{index}: {expected} or {difference}");
        }
    }

    /// Without hidden layers, what a weight changes is its pixel times the error of its score.
    #[test]
    fn one_layer_has_a_gradient_in_closed_form() {
        let (network, images) = (Network::new(&[64, 10]), images());
        let image = &images[2];
        let gradient = network.loss_gradient(&images[2..3], 0.0);
        let scores = network.scores(&image.pixels);
        let odds: f64 = scores.iter().map(|score| score.exp()).sum();
        for (class, row) in gradient.layers[0].weights.chunks_exact(64).enumerate() {
            let error = scores[class].exp() / odds - f64::from(u8::from(class == image.digit));
            assert!((gradient.layers[0].biases[class] - error).abs() < 1e-15);
            for (entry, pixel) in row.iter().zip(&image.pixels) {
                assert!((entry - error * pixel).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn large_scores_do_not_overflow() {
        assert_eq!(cross_entropy(&[1000.0, 0.0], 1), 1000.0);
        assert_eq!(cross_entropy::gradient(&[1000.0, 0.0], 1), [1.0, -1.0]);
    }

    #[test]
    fn an_image_is_read_as_the_class_of_the_largest_score() {
        let layer = Layer { weights: vec![1.0, 0.0, 0.0, 1.0], biases: vec![0.0, 0.25] };
        let network = Network { layers: vec![layer] };
        assert_eq!((network.read(&[0.5, 0.0]), network.read(&[0.5, 0.5])), (0, 1));
    }
}
