//! Constrained optimisation by optimization_engine: PANOC in an augmented Lagrangian method.
//!
//! ```text
//! cargo run --release --example panoc
//! ```
//!
//! Four problems of Hock and Schittkowski's collection, among them the 71st, are ordinary functions under
//! `#[differentiate]` ([`constrained::problems`]). The method is given gradients, by `accumulate_gradient`, and
//! products of vectors and the Jacobian of the constraints, which are pullbacks of `vjp`, in its own memory
//! ([`constrained::solver`]). Printed are the minima beside those of the collection, how far variables are from those
//! given there, how far constraints are violated, and the gradient of the Lagrangian, for which constraints are
//! differentiated once more by `jacobian`.
//!
//! The exit status is failure unless values agree to 1e-8 of each, variables to 1e-5, and violations and gradients of
//! the Lagrangian are at most 1e-5.

mod constrained {
    pub mod problems;
    pub mod report;
    pub mod solver;
}

use std::error::Error;
use std::process::ExitCode;

use constrained::problems::PROBLEMS;
use constrained::{report, solver};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let failures = solve_all()?;
    for failure in &failures {
        eprintln!("{failure}");
    }
    Ok(if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Solves and prints all problems, and returns what does not agree.
fn solve_all() -> Result<Vec<String>, Box<dyn Error>> {
    let mut failures = vec![];
    report::print_head();
    for problem in &PROBLEMS {
        let outcome = solver::solve(problem).map_err(|error| format!("{error:?}"))?;
        failures.extend(report::print(problem, &outcome));
    }
    Ok(failures)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minima_are_those_of_the_collection() {
        assert_eq!(solve_all().unwrap(), Vec::<String>::new());
    }

    #[test]
    fn products_are_those_of_the_jacobian() {
        for problem in &PROBLEMS {
            let jacobian = (problem.jacobian)(problem.start);
            for j in 0..problem.largest.len() {
                let mut seed = vec![0.0; problem.largest.len()];
                seed[j] = 1.0;
                let mut row = vec![0.0; problem.start.len()];
                (problem.product)(problem.start, &mut row, seed);
                assert_eq!(row, jacobian.row(j), "problem {}, constraint {j}", problem.number);
            }
        }
    }
}
