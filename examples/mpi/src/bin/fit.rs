//! Softmax regression on handwritten digits, where each process has a part of the images.
//!
//! ```text
//! examples/mpi/run
//! ```
//!
//! The loss is the mean over all images, so that its gradient is a sum over processes. It is written as one function that
//! all call: the first process sends the weights to the others, each adds up its own images, and the sums
//! are added up. The derivative sends what it must in the opposite direction, and the first process ends up with the
//! gradient, by which it descends. What is printed does not depend on the number of processes, but for the first line.
//!
//! The images are those of the example `digits`; the last 510 are not learned from.

use std::process::ExitCode;
use std::time::Instant;

use cotangent::mpi::{broadcast, sum};
use cotangent::{differentiate, linalg};
use mpi::topology::SimpleCommunicator;
use mpi::traits::*;

const DIGITS: &str = include_str!("../../../data/digits.csv");
const PIXELS: usize = 64;
const CLASSES: usize = 10;
const UNSEEN: usize = 510;
const STEPS: usize = 300;
/// Of the images of which a fit like this reads nine in ten that it has not seen.
const ACCURACY: f64 = 0.9;

/// Images, row by row, with a one behind each for the bias, and what they show.
#[derive(Default)]
struct Images {
    pixels: Vec<f64>,
    labels: Vec<usize>,
}

impl Images {
    fn push(&mut self, row: &[f64], label: usize) {
        self.pixels.extend_from_slice(row);
        self.labels.push(label);
    }
}

/// The mean over the images of all processes of minus the log-probability of what they show. `weights` are those of the first process.
#[differentiate(constant(world, pixels, labels))]
fn loss(
    world: &SimpleCommunicator,
    weights: &[f64],
    pixels: &[f64],
    labels: &[usize],
    count: usize,
) -> f64 {
    let weights = broadcast(world, 0, weights);
    let mut own = 0.0;
    for i in 0..labels.len() {
        let row = &pixels[i * (PIXELS + 1)..(i + 1) * (PIXELS + 1)];
        let scores = linalg::matvec(&weights, row, CLASSES, PIXELS + 1);
        own += linalg::logsumexp(&scores) - scores[labels[i]];
    }
    sum(world, own) / count as f64
}

/// The images as the file has them: all that are learned from, of which this process has every so many-th, and the unseen.
fn read(world: &SimpleCommunicator) -> (usize, Images, Images) {
    let (rank, size) = (world.rank() as usize, world.size() as usize);
    let lines: Vec<&str> = DIGITS.lines().filter(|line| !line.starts_with('#')).collect();
    let count = lines.len() - UNSEEN;
    let (mut own, mut unseen) = (Images::default(), Images::default());
    for (index, line) in lines.iter().enumerate() {
        let mut row: Vec<f64> =
            line.split(',').map(|n| n.trim().parse().expect("a number")).collect();
        let label = row.pop().expect("a label") as usize;
        row.iter_mut().for_each(|pixel| *pixel /= 16.0);
        row.push(1.0);
        assert_eq!(row.len(), PIXELS + 1, "pixels of line {index}");
        if index >= count {
            unseen.push(&row, label);
        } else if index % size == rank {
            own.push(&row, label);
        }
    }
    (count, own, unseen)
}

/// The share of images that are read as what they show.
fn accuracy(weights: &[f64], images: &Images) -> f64 {
    let rows = images.pixels.chunks_exact(PIXELS + 1).zip(&images.labels);
    let read = rows.filter(|(row, label)| {
        let scores = linalg::matvec(weights, row, CLASSES, PIXELS + 1);
        let best = (0..CLASSES).max_by(|a, b| scores[*a].total_cmp(&scores[*b]));
        best == Some(**label)
    });
    read.count() as f64 / images.labels.len() as f64
}

fn main() -> ExitCode {
    let universe = mpi::initialize().expect("MPI");
    let world = universe.world();
    let is_first = world.rank() == 0;
    let (count, own, unseen) = read(&world);
    let start = Instant::now();

    let mut weights = vec![0.0; CLASSES * (PIXELS + 1)];
    let mut momentum = vec![0.0; weights.len()];
    let mut history = Vec::new();
    for step in 0..=STEPS {
        let (value, pullback) = loss::vjp(&world, &weights, &own.pixels, &own.labels, count);
        let mut weights_bar = vec![0.0; weights.len()];
        // All processes return the loss, and it counts once.
        let seed = if is_first { 1.0 } else { 0.0 };
        pullback(&world, &weights, &mut weights_bar, &own.pixels, &own.labels, seed);
        if step % 50 == 0 {
            history.push((step, value, linalg::norm2(&weights_bar)));
        }
        for i in 0..weights.len() {
            momentum[i] = 0.9 * momentum[i] - 0.5 * weights_bar[i];
            weights[i] += momentum[i];
        }
    }
    if !is_first {
        return ExitCode::SUCCESS;
    }
    println!("{} processes, {:.1} s", world.size(), start.elapsed().as_secs_f64());
    println!("step  loss          length of the gradient");
    for (step, value, length) in history {
        println!("{step:4}  {value:.9}  {length:.9}");
    }
    let accuracy = accuracy(&weights, &unseen);
    println!("{:.1} % of {UNSEEN} unseen digits are read", 100.0 * accuracy);
    if accuracy < ACCURACY { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
