//! Nonlinear regression with exact derivatives: the NIST reference problems.
//!
//! ```text
//! cargo run --release --example nist
//! ```
//!
//! Fifteen problems of the Statistical Reference Datasets (US National Institute of Standards and
//! Technology; `data/nist/*.dat`) are solved by Levenberg-Marquardt from both prescribed starting
//! points. Each model is an ordinary function under `#[differentiate]` ([`nist::models`]); the rows of
//! the Jacobian come from its `gradient` ([`nist::fit`]). Printed are the digits in which
//! the parameters agree with the certified ones; data and fitted curves are drawn to
//! `target/nist.svg`.
//!
//! The exit status is failure unless every problem reaches six digits from at least one start, and
//! every problem of lower difficulty from both.

mod nist {
    pub mod data;
    pub mod fit;
    pub mod lines;
    pub mod models;
    pub mod plot;
    pub mod report;
}

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use nist::data::Problem;
use nist::fit::{self, Outcome};
use nist::lines::ParseError;
use nist::models::{MODELS, Model};
use nist::{plot, report};

/// A problem with the fits from its two starting points.
struct Solved {
    problem: Problem,
    model: &'static Model,
    outcomes: [Outcome; 2],
}

impl Solved {
    /// The fit that agrees best with the certified values.
    fn best(&self) -> &Outcome {
        let [first, second] = &self.outcomes;
        if second.digits > first.digits { second } else { first }
    }
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let problems = read_problems(&package.join("data/nist"))?;
    let solved: Vec<Solved> = problems.into_iter().map(solve).collect();

    report::print_table(&solved);
    let target = package.join("../target");
    fs::create_dir_all(&target)?;
    let picture = target.canonicalize()?.join("nist.svg");
    plot::draw(&solved, &picture)?;
    println!("\nCurves: {}", picture.display());

    let failures = report::failures(&solved);
    for failure in &failures {
        eprintln!("{failure}");
    }
    Ok(if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The problems of [`MODELS`], in that order.
fn read_problems(folder: &Path) -> Result<Vec<(Problem, &'static Model)>, Box<dyn Error>> {
    MODELS.iter().map(|model| Ok((read_problem(folder, model)?, model))).collect()
}

fn read_problem(folder: &Path, model: &Model) -> Result<Problem, Box<dyn Error>> {
    let path = folder.join(format!("{}.dat", model.name));
    let file = path.display().to_string();
    let text = fs::read_to_string(&path).map_err(|error| format!("{file}: {error}"))?;
    let problem = Problem::parse(&file, &text)?;
    match model.check(&problem) {
        Ok(()) => Ok(problem),
        Err(message) => Err(ParseError::new(&file, problem.formula_line, message).into()),
    }
}

fn solve((problem, model): (Problem, &'static Model)) -> Solved {
    let outcomes = [0, 1].map(|start| fit::fit(&problem, model, start));
    for (start, outcome) in outcomes.iter().enumerate() {
        report::print_progress(&problem, start, outcome);
    }
    Solved { problem, model, outcomes }
}
