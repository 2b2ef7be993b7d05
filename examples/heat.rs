//! Inverse problems of the heat equation, solved by gradient descent through a simulation.
//!
//! ```text
//! cargo run --release --example heat
//! ```
//!
//! A rod is simulated by explicit finite differences with two buffers that are exchanged after each step,
//! in ordinary code under `#[differentiate]` ([`heat::rod`]). First its derivatives are held against closed
//! forms ([`heat::laws`]). Then reverse mode gives the gradients by which three unknowns are recovered from
//! thermometers ([`heat::recovery`]): one diffusivity, the diffusivity along a rod of three metals, and the
//! temperatures of some time ago. Progress is printed; readings, truth and what was found are drawn to
//! `target/heat.svg`.
//!
//! The exit status is failure unless all laws hold and every descent ends where it should.

mod heat {
    pub mod descent;
    pub mod laws;
    pub mod modes;
    pub mod plot;
    pub mod recovery;
    pub mod report;
    pub mod rod;
    pub mod series;
}

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use heat::recovery::{self, Recovery};
use heat::{laws, plot, report};

/// What was recovered from thermometers.
struct Recovered {
    number: Recovery,
    diffusivities: Recovery,
    temperatures: Recovery,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let laws = laws::laws();
    report::print_laws(&laws);

    let recovered = Recovered {
        number: recovery::number(),
        diffusivities: recovery::diffusivities(),
        temperatures: recovery::temperatures(),
    };
    report::print_recoveries(&recovered);

    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target");
    fs::create_dir_all(&target)?;
    let picture = target.canonicalize()?.join("heat.svg");
    plot::draw(&recovered, &picture)?;
    println!("\nPicture: {}", picture.display());

    let failures = report::failures(&laws, &recovered);
    for failure in &failures {
        eprintln!("{failure}");
    }
    Ok(if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
