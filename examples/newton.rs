//! Newton's method with exact Hessians, on the standard problems of unconstrained optimisation.
//!
//! ```text
//! cargo run --release --example newton
//! ```
//!
//! The 35 problems of J. J. Moré, B. S. Garbow, K. E. Hillstrom, "Testing Unconstrained Optimization Software", ACM
//! Transactions on Mathematical Software 7, 1981, are written as ordinary functions of a slice ([`newton::few`],
//! [`newton::fits`], [`newton::many`]). Under two attributes, one on the other, each has its Hessian, and all are
//! minimised from the paper's starting points by Newton's method in a trust region ([`newton::method`]). Printed are
//! the steps, each of which takes one Hessian, and the minimum of the paper that was reached. The tests also hold
//! functions, gradients and Hessians at the starts against numbers that others have published ([`newton::published`]).
//!
//! The exit status is failure unless each value agrees with a minimum of the paper to 1e-5 of it (its digits), or
//! to 1e-20 where it is zero, and each gradient is shorter than 1e-8 of that at the start.

mod newton {
    pub mod few;
    pub mod fits;
    pub mod many;
    pub mod method;
    pub mod problem;
    #[cfg(test)]
    mod published;
    pub mod report;
    pub mod residuals;
}

use std::process::ExitCode;

use newton::method::{self, Outcome};
use newton::problem::{PROBLEMS, Problem};
use newton::report;

/// A problem for a number of variables, and where the method ended.
struct Solved {
    problem: &'static Problem,
    variables: usize,
    minima: &'static [f64],
    outcome: Outcome,
}

fn main() -> ExitCode {
    let solved = solve_all();
    report::print_table(&solved);
    let failures = report::failures(&solved);
    for failure in &failures {
        eprintln!("{failure}");
    }
    if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Solves all problems, for all their numbers of variables.
fn solve_all() -> Vec<Solved> {
    PROBLEMS
        .iter()
        .flat_map(|problem| problem.minima.iter().map(|case| solve(problem, case)))
        .collect()
}

fn solve(problem: &'static Problem, &(variables, minima): &(usize, &'static [f64])) -> Solved {
    let outcome = method::minimise(problem, &(problem.start)(variables));
    Solved { problem, variables, minima, outcome }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_problem_is_solved() {
        assert_eq!(report::failures(&solve_all()), Vec::<String>::new());
    }
}
