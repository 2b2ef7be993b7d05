//! What is printed: a table for each set of data, and what does not agree with what is known.

use cotangent::linalg::{cholesky, norm2, solve_lower};

use super::data::Problem;
use super::methods::Outcome;
use super::model::{Family, Regression, negative_log_likelihood};
use crate::Solved;

/// Coefficients that are printed of each problem.
const PRINTED: usize = 6;
/// How short the gradient must be, as a part of that at the start.
const GRADIENT: f64 = 1e-6;

/// The inverse roots of a Hessian: the standard errors of estimates.
pub fn standard_errors(estimates: &[f64], regression: &Regression) -> Vec<f64> {
    let n = estimates.len();
    let hessian = negative_log_likelihood::hessian(estimates, regression);
    let factor = cholesky(hessian.as_slice(), n).expect("a positive definite Hessian");
    let column = |i: usize| (0..n).map(|j| if i == j { 1.0 } else { 0.0 }).collect::<Vec<f64>>();
    (0..n).map(|i| norm2(&solve_lower(&factor, &column(i), n))).collect()
}

/// Prints a table for each set of data.
pub fn print(solved: &[Solved]) {
    for Solved { problem, outcomes, errors } in solved {
        let regression = &problem.regression;
        println!("{}: {} rows", problem.name, regression.observations.len());
        println!(
            "{:24} {:>10} {:>7} {:>9} {:>8} {:>11} {:>9} {:>9}",
            "", "iterations", "values", "gradients", "Hessians", "evaluations", "gradient", "away"
        );
        for outcome in outcomes {
            let [values, gradients, hessians] = outcome.asked;
            println!(
                "{:24} {:>10} {values:>7} {gradients:>9} {hessians:>8} {:>11} {:>9.1e} {:>9.1e}",
                outcome.method,
                outcome.iterations,
                outcome.evaluations,
                outcome.gradient,
                distance(problem, &outcome.estimates)
            );
        }
        print_estimates(problem, &outcomes[1], errors);
    }
}

/// Prints estimates and their standard errors beside those that are known.
fn print_estimates(problem: &Problem, outcome: &Outcome, errors: &[f64]) {
    println!("{:24} {:>10} {:>10}    {}", "", "estimate", "error", problem.source);
    let found = outcome.estimates.iter().zip(errors);
    let rows = problem.coefficients.iter().zip(found).zip(&problem.known);
    for ((name, (estimate, error)), (known, known_error)) in rows.take(PRINTED) {
        println!("{name:24} {estimate:>10.4} {error:>10.4}    {known:>10.4} {known_error:>10.4}");
    }
    let further = problem.known.len().saturating_sub(PRINTED);
    if further > 0 {
        println!("and {further} more");
    }
    if problem.regression.family == Family::Binomial {
        let value = negative_log_likelihood(&outcome.estimates, &problem.regression);
        println!("deviance {:.3}", 2.0 * value);
    }
    println!();
}

/// The largest difference between estimates and those that are known.
fn distance(problem: &Problem, estimates: &[f64]) -> f64 {
    largest_difference(estimates, problem.known.iter().map(|(known, _)| *known))
}

fn largest_difference(found: &[f64], known: impl Iterator<Item = f64>) -> f64 {
    found.iter().zip(known).fold(0.0, |largest, (found, known)| largest.max((found - known).abs()))
}

/// What does not agree with what is known.
pub fn failures(solved: &[Solved]) -> Vec<String> {
    let mut failures = vec![];
    for Solved { problem, outcomes, errors } in solved {
        for outcome in outcomes {
            let away = distance(problem, &outcome.estimates);
            let is_short = outcome.gradient <= GRADIENT * outcome.gradient_at_start;
            if away.is_nan() || away > problem.precision || !is_short {
                failures.push(format!("{}, {}: {away:e} away", problem.name, outcome.method));
            }
        }
        let away = largest_difference(errors, problem.known.iter().map(|(_, error)| *error));
        if away.is_nan() || away > problem.precision {
            failures.push(format!("{}: standard errors {away:e} away", problem.name));
        }
    }
    failures
}
