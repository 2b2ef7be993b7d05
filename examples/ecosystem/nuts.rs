//! A posterior drawn by the No-U-Turn sampler of nuts-rs: the eight schools.
//!
//! ```text
//! cargo run --release --example nuts
//! ```
//!
//! The density is written twice ([`schools::model`]), centred and non-centred. The sampler is given each value with
//! its gradient by one call of `accumulate_gradient`, which adds into the sampler's own memory, as a
//! `cotangent::nuts_rs::Density`. Printed are means with their Monte Carlo errors, deviations, effective sample sizes and
//! R-hat, beside the exact means and deviations, by an integral over one variable ([`schools::exact`]), and beside
//! the means of the reference posterior in posteriordb. The centred form shows what divergences look like: the
//! sampler reports them, and its chains miss the neck of the funnel.
//!
//! The exit status is failure unless, in the non-centred form, means and mean squares are within five of their Monte
//! Carlo errors of the exact ones, R-hat is at most 1.01, and no more than one draw in 500 diverged; or if a mean of
//! posteriordb is more than five of its errors from the exact one.

mod schools {
    pub mod exact;
    pub mod model;
    pub mod report;
    pub mod sampler;
    pub mod summary;
}

use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

use cotangent::nuts_rs::Density;
use schools::model::{DIMENSION, SCHOOLS, centred, non_centred};
use schools::summary::Summary;
use schools::{exact, report, sampler};

/// What was found with one form of the density.
struct Posterior {
    name: &'static str,
    divergences: usize,
    gradients: u64,
    seconds: f64,
    /// Of the effects, `mu` and `tau`: the quantity, and the square of its distance from the exact mean.
    quantities: Vec<(Summary, Summary)>,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let posterior = by_non_centred()?;
    report::print(&posterior);
    report::print(&by_centred()?);
    let failures = report::failures(&posterior);
    for failure in &failures {
        eprintln!("{failure}");
    }
    Ok(if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn by_non_centred() -> Result<Posterior, Box<dyn Error>> {
    let density = Density::new(DIMENSION, |x, x_bar| non_centred::accumulate_gradient(x, x_bar).0);
    sample("non-centred", density, |x, i| {
        let (mu, tau) = (x[SCHOOLS], x[SCHOOLS + 1].exp());
        [mu + tau * x[i.min(SCHOOLS)], mu, tau][i.saturating_sub(SCHOOLS - 1).min(2)]
    })
}

fn by_centred() -> Result<Posterior, Box<dyn Error>> {
    let density = Density::new(DIMENSION, |x, x_bar| centred::accumulate_gradient(x, x_bar).0);
    sample("centred", density, |x, i| if i > SCHOOLS { x[i].exp() } else { x[i] })
}

/// Draws from a density. `quantity` finds the effects, `mu` and `tau` in a draw.
fn sample<F>(
    name: &'static str,
    density: Density<F>,
    quantity: fn(&[f64], usize) -> f64,
) -> Result<Posterior, Box<dyn Error>>
where
    F: FnMut(&[f64], &mut [f64]) -> f64 + Copy,
{
    let start = Instant::now();
    let sample = sampler::draw(density)?;
    let seconds = start.elapsed().as_secs_f64();
    let exact = exact::moments();
    let summary_of = |value: &dyn Fn(&[f64]) -> f64| {
        let chain = |draws: &Vec<Box<[f64]>>| draws.iter().map(|x| value(x)).collect();
        Summary::of(&sample.chains.iter().map(chain).collect::<Vec<Vec<f64>>>())
    };
    let quantities = (0..DIMENSION)
        .map(|i| {
            let square = |x: &[f64]| (quantity(x, i) - exact[i].0).powi(2);
            (summary_of(&|x| quantity(x, i)), summary_of(&square))
        })
        .collect();
    let (divergences, gradients) = (sample.divergences, sample.gradients);
    Ok(Posterior { name, divergences, gradients, seconds, quantities })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_posterior_is_the_exact_one() {
        assert_eq!(report::failures(&by_non_centred().unwrap()), Vec::<String>::new());
    }

    #[test]
    fn densities_pass_the_tester() {
        let x = [0.3_f64, -0.4, 1.1, 0.2, -0.7, 0.9, 1.4, 0.5, 4.2, 1.3];
        cotangent::check!(non_centred(&x)).unwrap();
        cotangent::check!(centred(&x)).unwrap();
    }

    #[test]
    fn both_forms_have_the_same_posterior() {
        let x = [0.3_f64, -0.4, 1.1, 0.2, -0.7, 0.9, 1.4, 0.5, 4.2, 1.3];
        let (mu, log_tau) = (x[SCHOOLS], x[SCHOOLS + 1]);
        let mut y = x;
        y[..SCHOOLS].iter_mut().for_each(|x| *x = mu + log_tau.exp() * *x);
        let difference = non_centred(&x) - centred(&y);
        assert!((difference - SCHOOLS as f64 * log_tau).abs() < 1e-12);
    }
}
