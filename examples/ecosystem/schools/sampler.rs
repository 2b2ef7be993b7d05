//! The sampler of nuts-rs.
//!
//! In: a density with its gradient. Out: draws of a few chains, and how many of them diverged.

use cotangent::nuts_rs::Density;
use nuts_rs::rand::rngs::ChaCha8Rng;
use nuts_rs::rand::{RngExt, SeedableRng};
use nuts_rs::{Chain, CpuMath, DiagNutsSettings, Settings};

use super::model::DIMENSION;

/// How many chains are run.
pub const CHAINS: u64 = 4;
/// Draws of each chain that are kept.
pub const DRAWS: u64 = 5000;
/// Draws before, by which the sampler finds its step and its scales.
const TUNING: u64 = 1000;

/// The part of steps that is to be accepted: the larger, the smaller are the steps.
const ACCEPTANCE: f64 = 0.95;

/// What was drawn.
pub struct Sample {
    /// The draws of each chain.
    pub chains: Vec<Vec<Box<[f64]>>>,
    /// How many of them diverged.
    pub divergences: usize,
    /// How many gradients all took, those of tuning included.
    pub gradients: u64,
}

/// Draws from a density, which adds its gradient to what is passed and returns its logarithm.
pub fn draw<F>(density: Density<F>) -> Result<Sample, Box<dyn std::error::Error>>
where
    F: FnMut(&[f64], &mut [f64]) -> f64 + Copy,
{
    let mut settings =
        DiagNutsSettings { num_tune: TUNING, num_draws: DRAWS, ..Default::default() };
    settings.adapt_options.step_size_settings.target_accept = ACCEPTANCE;
    let mut sample = Sample { chains: vec![], divergences: 0, gradients: 0 };
    for chain in 0..CHAINS {
        let mut random = ChaCha8Rng::seed_from_u64(chain);
        let start: Vec<f64> = (0..DIMENSION).map(|_| random.random_range(-2.0..2.0)).collect();
        let math = CpuMath::new(density);
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
