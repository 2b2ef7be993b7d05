//! What is printed: the task, the progress, and what was taken for what.

use super::data::{CLASSES, Image, SIDE};
use super::network::Network;
use super::training::{BATCH, HIDDEN, Training, confusions};

/// What is asked of the network at the end.
pub const REQUIRED: f64 = 0.92;

/// Of the way, one line for so many epochs.
const STRIDE: usize = 10;

/// What is to be learned from what.
pub fn print_task(known: &[Image], unseen: &[Image]) {
    let numbers = (SIDE * SIDE + 1) * HIDDEN + (HIDDEN + 1) * CLASSES;
    println!("Handwritten digits: {} to learn from, {} unseen", known.len(), unseen.len());
    println!("{} pixels, {HIDDEN} neurons, {CLASSES} scores: {numbers} numbers", SIDE * SIDE);
    println!("a gradient by all of them for each {BATCH} images\n");
}

/// Loss and accuracy on the way.
pub fn print_progress(training: &Training) {
    println!("times through    learned from           unseen");
    println!("   the images     loss    right     loss    right");
    println!("-------------  -------  -------  -------  -------");
    for (index, epoch) in training.epochs.iter().enumerate().filter(|(i, _)| is_shown(*i)) {
        let columns = [epoch.known, epoch.unseen]
            .map(|score| format!("{:>7.4}  {:>5.1} %", score.loss, 100.0 * score.accuracy));
        println!("{index:>13}  {}", columns.join("  "));
    }
}

fn is_shown(epoch: usize) -> bool {
    [1, 2, 5].contains(&epoch) || epoch.is_multiple_of(STRIDE)
}

/// One row for each digit.
pub fn print_confusions(network: &Network, unseen: &[Image]) {
    println!("\nWhat the unseen digits (rows) are taken for (columns)");
    let heads: String = (0..CLASSES).map(|class| format!("{class:>4}")).collect();
    println!("     {heads}");
    for (digit, row) in confusions(network, unseen).iter().enumerate() {
        let cell = |&count: &usize| if count == 0 { "   .".into() } else { format!("{count:>4}") };
        println!("{digit:>4} {}", row.iter().map(cell).collect::<String>());
    }
}

/// A message if the network does not read well enough.
pub fn failure(training: &Training) -> Option<String> {
    let found = training.accuracy();
    (found < REQUIRED)
        .then(|| format!("{found} of the unseen digits are read, {REQUIRED} are required"))
}
