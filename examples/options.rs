//! The sensitivities of options, from formulas and from simulations.
//!
//! ```text
//! cargo run --release --example options
//! ```
//!
//! The formula of Black, Scholes and Merton is written as methods under `#[differentiate]`
//! ([`options::black_scholes`]), on a normal distribution that is summed up by a loop ([`options::normal`]).
//! Its gradient is held against the textbook's Greeks and against what must hold between them
//! ([`options::laws`]). Then options on the mean of a price are simulated ([`options::simulation`]): the
//! gradient of each path's payoff is a sample of all Greeks. For the geometric mean a closed form is known,
//! and so it is the test and the control variate of the arithmetic one, for which there is none
//! ([`options::asian`]). Greeks and errors are drawn to `target/options.svg`.
//!
//! The exit status is failure unless all laws hold and the simulated Greeks of the geometric mean are within
//! three standard errors of the closed form.

mod options {
    pub mod asian;
    pub mod black_scholes;
    pub mod closed;
    pub mod laws;
    pub mod normal;
    pub mod plot;
    pub mod random;
    pub mod report;
    pub mod simulation;
}

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use options::{laws, plot, report, simulation};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let laws = laws::laws();
    report::print_laws(&laws);
    report::print_european();

    let simulation = simulation::simulate(simulation::PATHS);
    report::print_geometric(&simulation);
    report::print_arithmetic(&simulation);

    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target");
    fs::create_dir_all(&target)?;
    let picture = target.canonicalize()?.join("options.svg");
    plot::draw(&simulation, &picture)?;
    println!("\nPicture: {}", picture.display());

    let failures = report::failures(&laws, &simulation);
    for failure in &failures {
        eprintln!("{failure}");
    }
    Ok(if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
