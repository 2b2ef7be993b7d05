//! A network of nested structs that two methods teach to read digits: Adam's, written here, and L-BFGS of argmin.
//!
//! ```text
//! cargo run --release --example perceptron
//! ```
//!
//! The parameters are structs of structs ([`perceptron::network`]). The gradient has their shape, and both are vectors
//! where a method wants vectors: Adam's is fifteen lines over `zip_floats` and `perturb` ([`perceptron::adam`]), and
//! L-BFGS is given a slice by `Flat` ([`perceptron::training`]). The images are those of the UCI repository, of which
//! every fourth is held out ([`perceptron::images`]).
//!
//! Printed are the losses and what part of the held-out images is read as what it is. The exit status is failure unless
//! both methods reach 95 % there.

mod perceptron {
    pub mod adam;
    pub mod images;
    pub mod network;
    pub mod training;
}

use std::error::Error;
use std::process::ExitCode;

use cotangent::Differentiable;
use perceptron::images;
use perceptron::network::Network;
use perceptron::training::{self, Outcome};

/// The part of the held-out images that a network has to read.
const TO_BE_READ: f64 = 0.95;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let (known, held_out) = images::read();
    let start = Network::new();
    println!("{} images and {} held out, {} parameters", known.len(), held_out.len(), start.dim());
    println!("{:8}{:>12}{:>12}{:>12}{:>12}", "method", "gradients", "loss", "known", "held out");
    let outcomes = [
        training::by_adam(&start, &known, training::EPOCHS),
        training::by_lbfgs(&start, &known, training::ITERATIONS)?,
    ];
    for Outcome { method, gradients, network } in &outcomes {
        let loss = network.loss(&known, 0.0);
        let accuracies = [&known, &held_out].map(|images| 100.0 * network.accuracy(images));
        let [on_known, on_held_out] = accuracies;
        println!("{method:8}{gradients:12}{loss:12.4}{on_known:10.1} %{on_held_out:10.1} %");
    }
    let is_read = |outcome: &Outcome| outcome.network.accuracy(&held_out) >= TO_BE_READ;
    Ok(if outcomes.iter().all(is_read) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A part of the way, since tests are compiled without optimisation.
    #[test]
    fn held_out_digits_are_read() {
        let (known, held_out) = images::read();
        let start = Network::new();
        let adam = training::by_adam(&start, &known, 6);
        let lbfgs = training::by_lbfgs(&start, &known, 30).unwrap();
        for Outcome { method, network, .. } in [adam, lbfgs] {
            let (before, after) = (start.loss(&known, 0.0), network.loss(&known, 0.0));
            assert!(after < 0.2 * before, "{method}: {before} to {after}");
            assert!(network.accuracy(&held_out) > 0.9, "{method}");
        }
    }

    #[test]
    fn the_rule_tester_agrees() {
        let (known, _) = images::read();
        cotangent::check!(Network::loss(&Network::new(), &known[..3], 0.01)).unwrap();
    }
}
