//! The way from a network of chance to one that reads.
//!
//! In: images to learn from, and images for the judgement, which no gradient sees. Out: the network, and
//! how good it was after each time through the images.

use super::adam::Adam;
use super::data::{CLASSES, Image, SIDE};
use super::network::Network;

/// Neurons between pixels and scores.
pub const HIDDEN: usize = 32;
/// How often the images are gone through.
pub const EPOCHS: usize = 40;
/// Images whose mean gradient makes a step.
pub const BATCH: usize = 32;
/// Length of a step.
const RATE: f64 = 0.003;
/// The penalty on large weights.
const DECAY: f64 = 1e-3;

/// How good a network is on some images.
#[derive(Clone, Copy, Debug)]
pub struct Score {
    /// The mean cross-entropy.
    pub loss: f64,
    /// The part that is read as what it is.
    pub accuracy: f64,
}

/// How good the network is at one time.
pub struct Epoch {
    /// On the images that it learns from.
    pub known: Score,
    /// On the others.
    pub unseen: Score,
}

/// A network and the way there.
pub struct Training {
    /// As it was at the end.
    pub network: Network,
    /// Before the first step, and after each time through the images.
    pub epochs: Vec<Epoch>,
}

impl Training {
    /// The part of the unseen images that the network reads as what they are.
    pub fn accuracy(&self) -> f64 {
        self.epochs[self.epochs.len() - 1].unseen.accuracy
    }
}

/// Goes through the images `epochs` times, in batches.
pub fn train(known: &[Image], unseen: &[Image], epochs: usize) -> Training {
    let mut network = Network::new(&[SIDE * SIDE, HIDDEN, CLASSES]);
    let mut adam = Adam::new(RATE);
    let judge =
        |network: &Network| Epoch { known: score(network, known), unseen: score(network, unseen) };
    let mut judgements = vec![judge(&network)];
    for _ in 0..epochs {
        for batch in known.chunks(BATCH) {
            let gradient = network.loss_gradient(batch, DECAY);
            adam.step(&mut network, &gradient);
        }
        judgements.push(judge(&network));
    }
    Training { network, epochs: judgements }
}

fn score(network: &Network, images: &[Image]) -> Score {
    let right = images.iter().filter(|image| network.read(&image.pixels) == image.digit).count();
    Score { loss: network.loss(images, 0.0), accuracy: right as f64 / images.len() as f64 }
}

/// How many images of each digit (the rows) were taken for each (the columns).
pub fn confusions(network: &Network, images: &[Image]) -> [[usize; CLASSES]; CLASSES] {
    let mut counts = [[0; CLASSES]; CLASSES];
    for image in images {
        counts[image.digit][network.read(&image.pixels)] += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digits::data;

    /// A part of the way, since tests are compiled without optimisation.
    #[test]
    fn unseen_digits_are_read() {
        let images = data::read("digits.csv", data::DIGITS).unwrap();
        let (known, unseen) = data::split(&images);
        let training = train(known, unseen, 10);
        let [first, .., last] = &training.epochs[..] else { panic!("epochs are told") };
        assert!(first.unseen.accuracy < 0.2, "{first:?}", first = first.unseen);
        assert!(last.unseen.accuracy > 0.9, "{last:?}", last = last.unseen);
        assert!(last.known.loss < 0.1 * first.known.loss);
        let right: usize = (0..CLASSES).map(|k| confusions(&training.network, unseen)[k][k]).sum();
        assert_eq!(right as f64 / 510.0, training.accuracy());
    }
}
