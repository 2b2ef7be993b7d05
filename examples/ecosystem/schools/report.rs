//! What is printed: posteriors beside what is known of them, and what does not agree.

use super::exact;
use super::model::{DIMENSION, SCHOOLS};
use super::sampler::{CHAINS, DRAWS};
use crate::Posterior;

/// Means and their Monte Carlo errors in posteriordb (M. Magnusson and others,
/// `eight_schools-eight_schools_noncentered`, reference posterior, summary statistic `mean_value`), to four places.
const PUBLISHED: [(f64, f64); DIMENSION] = [
    (6.1505, 0.0557),
    (4.9396, 0.0462),
    (3.9059, 0.0542),
    (4.7960, 0.0475),
    (3.6144, 0.0461),
    (4.0511, 0.0485),
    (6.3172, 0.0499),
    (4.8840, 0.0543),
    (4.4105, 0.0330),
    (3.6021, 0.0319),
];
/// How many of its standard errors a mean may be away.
const ERRORS: f64 = 5.0;
/// How far chains may be apart.
const R_HAT: f64 = 1.01;
/// The largest part of the draws that may diverge.
const DIVERGENCES: f64 = 0.002;

/// Prints a posterior beside the exact one and that of posteriordb.
pub fn print(posterior: &Posterior) {
    let Posterior { name, divergences, gradients, seconds, quantities, .. } = posterior;
    let draws = CHAINS * DRAWS;
    println!(
        "{name}: {draws} draws, {divergences} of them diverged, {gradients} gradients, {seconds:.2} s"
    );
    println!("{:27} drawn {:23} exact      posteriordb", "", "");
    println!(
        "{:10} {:>7} {:>6} {:>6} {:>6} {:>6} {:>9} {:>6} {:>9} {:>6}",
        "", "mean", "error", "sd", "n eff", "R-hat", "mean", "sd", "mean", "error"
    );
    let exact = exact::moments();
    for (i, (quantity, _)) in quantities.iter().enumerate() {
        let ((mean, deviation), (published, error)) = (exact[i], PUBLISHED[i]);
        println!(
            "{:10} {:>7.3} {:>6.3} {:>6.3} {:>6.0} {:>6.3} {mean:>9.3} {deviation:>6.3} {published:>9.3} {error:>6.3}",
            label(i),
            quantity.mean,
            quantity.error(),
            quantity.deviation,
            quantity.effective,
            quantity.r_hat,
        );
    }
    println!();
}

fn label(i: usize) -> String {
    match i {
        SCHOOLS => "mu".to_string(),
        i if i > SCHOOLS => "tau".to_string(),
        i => format!("school {}", i + 1),
    }
}

/// What does not agree: a posterior with the exact one, or the exact one with that of posteriordb.
pub fn failures(posterior: &Posterior) -> Vec<String> {
    let mut failures = vec![];
    let mut fail = |is_failure: bool, i: usize, what: &str| {
        if is_failure {
            failures.push(format!("{}, {}: {what}", posterior.name, label(i)));
        }
    };
    let exact = exact::moments();
    for (i, (quantity, square)) in posterior.quantities.iter().enumerate() {
        let ((mean, deviation), (published, error)) = (exact[i], PUBLISHED[i]);
        let is_near =
            |found: f64, expected: f64, error: f64| (found - expected).abs() <= ERRORS * error;
        fail(!is_near(quantity.mean, mean, quantity.error()), i, "the mean is not the exact one");
        fail(
            !is_near(square.mean, deviation * deviation, square.error()),
            i,
            "nor is the deviation",
        );
        fail(!is_near(published, mean, error), i, "the exact mean is not that of posteriordb");
        fail(quantity.r_hat.is_nan() || quantity.r_hat > R_HAT, i, "the chains are apart");
    }
    let draws = (CHAINS * DRAWS) as f64;
    fail(posterior.divergences as f64 > DIVERGENCES * draws, SCHOOLS + 1, "draws diverge");
    failures
}
