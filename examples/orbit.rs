//! A simulation that is differentiated as a whole: planning the flight of Voyager 2.
//!
//! ```text
//! cargo run --release --example orbit
//! ```
//!
//! Bodies under gravity are moved on in place by the leapfrog method, in ordinary code under
//! `#[differentiate]` ([`orbit::system`]). First the derivatives are held against what is known of them
//! ([`orbit::laws`]): the Jacobian is symplectic, momentum is kept, no unit is distinguished, Kepler's
//! ellipses are approached. Then they are put to use ([`orbit::voyage`]): Newton's method finds the
//! velocity with which a probe must leave Earth in August 1977 for Jupiter to throw it to Saturn, and
//! reverse mode tells what its arrival hangs on. Paths, speeds and misses are drawn to
//! `target/orbit.svg`.
//!
//! The exit status is failure unless all laws hold and both shots hit.

mod orbit {
    pub mod ellipse;
    pub mod kepler;
    pub mod laws;
    pub mod mission;
    pub mod motion;
    pub mod planets;
    pub mod plot;
    pub mod report;
    pub mod system;
    pub mod track;
    pub mod voyage;
}

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use orbit::{laws, plot, report, voyage};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let laws = laws::laws();
    report::print_laws(&laws);

    let voyage = voyage::plan();
    report::print_shots(&voyage);
    report::print_voyage(&voyage);
    report::print_sensitivities(&voyage);

    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target");
    fs::create_dir_all(&target)?;
    let picture = target.canonicalize()?.join("orbit.svg");
    plot::draw(&voyage, &picture)?;
    println!("\nPicture: {}", picture.display());

    let failures = report::failures(&laws, &voyage);
    for failure in &failures {
        eprintln!("{failure}");
    }
    Ok(if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
