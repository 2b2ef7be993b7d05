//! A network of neurons that learns to read digits.
//!
//! ```text
//! cargo run --release --example digits
//! ```
//!
//! A multilayer perceptron is written as structs with methods, in ordinary code under `#[differentiate]`
//! ([`digits::network`]). One call gives the loss of a batch and its gradient by the whole network, which
//! has the network's own shape; Adam's method goes down along it ([`digits::adam`]). The images are those of
//! the UCI repository ([`digits::data`]): the network learns on 1287 of them and is judged by the last 510,
//! which are by other hands ([`digits::training`]). Progress and confusions are printed, and drawn with the
//! images that were misread to `target/digits.svg`.
//!
//! The exit status is failure unless at least 92 % of the unseen digits are read as what they are.

mod digits {
    pub mod adam;
    pub mod data;
    pub mod network;
    pub mod plot;
    pub mod report;
    pub mod training;
}

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use digits::{data, plot, report, training};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let images = data::read("digits.csv", data::DIGITS)?;
    let (known, unseen) = data::split(&images);
    report::print_task(known, unseen);
    let training = training::train(known, unseen, training::EPOCHS);
    report::print_progress(&training);
    report::print_confusions(&training.network, unseen);

    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target");
    fs::create_dir_all(&target)?;
    let picture = target.canonicalize()?.join("digits.svg");
    plot::draw(&training, unseen, &picture)?;
    println!("\nPicture: {}", picture.display());

    let failure = report::failure(&training);
    if let Some(failure) = &failure {
        eprintln!("{failure}");
    }
    Ok(if failure.is_none() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
