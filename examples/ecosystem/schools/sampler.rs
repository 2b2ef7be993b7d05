//! The sampler of nuts-rs.
//!
//! In: a density with its gradient. Out: draws of a few chains, and how many of them diverged.

use std::collections::HashMap;
use std::fmt;

use nuts_rs::rand::rngs::ChaCha8Rng;
use nuts_rs::rand::{Rng, RngExt, SeedableRng};
use nuts_rs::{
    Chain, CpuLogpFunc, CpuMath, CpuMathError, DiagNutsSettings, HasDims, LogpError, Settings,
};

use super::model::DIMENSION;

/// How many chains are run.
pub const CHAINS: u64 = 4;
/// Draws of each chain that are kept.
pub const DRAWS: u64 = 5000;
/// Draws before, by which the sampler finds its step and its scales.
const TUNING: u64 = 1000;

/// The part of steps that is to be accepted: the larger, the smaller are the steps.
const ACCEPTANCE: f64 = 0.95;

/// A density, which adds its gradient to what is passed and returns its logarithm.
pub type Density = fn(&[f64], &mut [f64]) -> f64;

/// What is drawn from.
struct Posterior(Density);

impl CpuLogpFunc for Posterior {
    type LogpError = NotFinite;
    type FlowParameters = ();
    type ExpandedVector = Vec<f64>;

    fn dim(&self) -> usize {
        DIMENSION
    }

    fn logp(&mut self, x: &[f64], x_bar: &mut [f64]) -> Result<f64, NotFinite> {
        x_bar.fill(0.0);
        Some((self.0)(x, x_bar)).filter(|value| value.is_finite()).ok_or(NotFinite)
    }

    fn expand_vector<R: Rng + ?Sized>(
        &mut self,
        _: &mut R,
        x: &[f64],
    ) -> Result<Vec<f64>, CpuMathError> {
        Ok(x.to_vec())
    }
}

impl HasDims for Posterior {
    fn dim_sizes(&self) -> HashMap<String, u64> {
        ["unconstrained_parameter", "dim"].map(|name| (name.to_string(), DIMENSION as u64)).into()
    }
}

/// A density that is not finite, which counts as a divergence.
#[derive(Debug)]
struct NotFinite;

impl fmt::Display for NotFinite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the density is not finite")
    }
}

impl std::error::Error for NotFinite {}

impl LogpError for NotFinite {
    fn is_recoverable(&self) -> bool {
        true
    }
}

/// What was drawn.
pub struct Sample {
    /// The draws of each chain.
    pub chains: Vec<Vec<Box<[f64]>>>,
    /// How many of them diverged.
    pub divergences: usize,
    /// How many gradients all took, those of tuning included.
    pub gradients: u64,
}

/// Draws from a density.
pub fn draw(density: Density) -> Result<Sample, Box<dyn std::error::Error>> {
    let mut settings =
        DiagNutsSettings { num_tune: TUNING, num_draws: DRAWS, ..Default::default() };
    settings.adapt_options.step_size_settings.target_accept = ACCEPTANCE;
    let mut sample = Sample { chains: vec![], divergences: 0, gradients: 0 };
    for chain in 0..CHAINS {
        let mut random = ChaCha8Rng::seed_from_u64(chain);
        let start: Vec<f64> = (0..DIMENSION).map(|_| random.random_range(-2.0..2.0)).collect();
        let math = CpuMath::new(Posterior(density));
        let mut sampler = settings.new_chain(chain, math, &mut random)?;
        sampler.set_position(&start)?;
        let mut draws = vec![];
        for _ in 0..TUNING + DRAWS {
            let (x, progress) = sampler.draw()?;
            sample.gradients += progress.num_gradients;
            if !progress.tuning {
                sample.divergences += usize::from(progress.diverging);
                draws.push(x);
            }
        }
        sample.chains.push(draws);
    }
    Ok(sample)
}
