//! Maximum likelihood with argmin: L-BFGS, and a trust region with exact Hessians.
//!
//! ```text
//! cargo run --release --example argmin
//! ```
//!
//! Generalised linear models of three sets of data ([`likelihood::data`]) are one function under two attributes
//! ([`likelihood::model`]). L-BFGS asks for values and gradients, which are made together, and once for each point
//! ([`likelihood::methods`]). The trust region asks for Hessians, too: in one run they are matrices, in another no
//! more than products with vectors. Printed are what each method asked for and took, and estimates with their
//! standard errors, which are from the Hessian at the end. They are held against those of R for two sets, and against
//! closed forms for the 33 coefficients of the third.
//!
//! The exit status is failure unless each method ends within the rounding of what R prints, or 1e-6 of the closed
//! forms, and so do the standard errors.

mod likelihood {
    pub mod data;
    pub mod methods;
    pub mod model;
    pub mod report;
}

use std::error::Error;
use std::process::ExitCode;

use likelihood::data::{Problem, problems};
use likelihood::methods::{self, Outcome};
use likelihood::report;

/// A set of data, where the methods ended, and the standard errors there.
struct Solved {
    problem: Problem,
    outcomes: [Outcome; 3],
    errors: Vec<f64>,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let solved = solve_all()?;
    report::print(&solved);
    let failures = report::failures(&solved);
    for failure in &failures {
        eprintln!("{failure}");
    }
    Ok(if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn solve_all() -> Result<Vec<Solved>, Box<dyn Error>> {
    problems().into_iter().map(solve).collect()
}

fn solve(problem: Problem) -> Result<Solved, Box<dyn Error>> {
    let outcomes = methods::run(&problem.regression)?;
    let errors = report::standard_errors(&outcomes[1].estimates, &problem.regression);
    Ok(Solved { problem, outcomes, errors })
}

#[cfg(test)]
mod tests {
    use super::likelihood::model::negative_log_likelihood;
    use super::*;

    #[test]
    fn estimates_and_errors_are_those_that_are_known() {
        assert_eq!(report::failures(&solve_all().unwrap()), Vec::<String>::new());
    }

    #[test]
    fn derivatives_pass_the_tester() {
        for Problem { name, regression, known, .. } in &problems() {
            let zero = vec![0.0; known.len()];
            let near: Vec<f64> =
                known.iter().map(|(estimate, error)| estimate + 0.1 * error).collect();
            for beta in [zero, near] {
                let found = cotangent::check!(negative_log_likelihood(&beta, regression));
                assert!(found.is_ok(), "{name}: {found:?}");
            }
        }
    }

    #[test]
    fn a_point_is_evaluated_once() {
        for Solved { outcomes, .. } in &solve_all().unwrap() {
            for Outcome { asked: [values, gradients, _], evaluations, .. } in outcomes {
                assert!(*evaluations as u64 <= *values.max(gradients) + 1);
            }
        }
    }
}
