//! Densities that the samplers of nuts-rs draw from, with the feature `nuts-rs-0_19`.
//!
//! In: how many parameters there are, and a closure that adds the gradient to what it is given and returns the logarithm
//! of the density, as `accumulate_gradient` does. Out: a [`Density`], which has nuts-rs's traits `CpuLogpFunc`, `HasDims`
//! and `Model`. Invariant: the closure adds to zeros, in the sampler's own memory, and value and gradient are one call.
//!
//! ```
//! # use nuts_rs_0_19 as nuts_rs;
//! use cotangent::differentiate;
//! use cotangent::nuts_rs::Density;
//! use nuts_rs::rand::{SeedableRng, rngs::ChaCha8Rng};
//! use nuts_rs::{Chain, CpuMath, DiagNutsSettings, Settings};
//!
//! /// How probable measurements are, with a mean and the logarithm of a deviation.
//! #[differentiate(constant(data))]
//! fn log_posterior(x: &[f64], data: &[f64]) -> f64 {
//!     let (mean, precision) = (x[0], (-2.0 * x[1]).exp());
//!     let squares: f64 = data.iter().map(|y| (y - mean) * (y - mean)).sum();
//!     -0.5 * precision * squares - data.len() as f64 * x[1]
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let data = [1.2, 0.7, 1.9, 1.1, 0.4, 1.6];
//! let density = Density::new(2, |x, x_bar| log_posterior::accumulate_gradient(x, x_bar, &data).0);
//!
//! let settings = DiagNutsSettings::default();
//! let mut random = ChaCha8Rng::seed_from_u64(1);
//! let mut chain = settings.new_chain(0, CpuMath::new(density), &mut random)?;
//! chain.set_position(&[0.0, 0.0])?;
//! let (mut sum, mut draws, mut divergences) = (0.0, 0, 0);
//! for _ in 0..settings.num_tune + 1000 {
//!     let (x, progress) = chain.draw()?;
//!     if !progress.tuning {
//!         (sum, draws) = (sum + x[0], draws + 1);
//!         divergences += usize::from(progress.diverging);
//!     }
//! }
//! assert!((sum / draws as f64 - 1.15).abs() < 0.1 && divergences < 10);
//! # Ok(())
//! # }
//! ```
//!
//! Where the density is not finite, the sampler is told so by a [`NotFinite`] and goes on: a step that ends there is a
//! divergence, which it counts and reports.
//!
//! As a `Model`, a density is given to `nuts_rs::Sampler`, which runs chains on several threads and keeps what they draw.
//! Its closure is then one that can be cloned and sent, and borrows nothing. Chains begin at random places between -2 and 2.
//!
//! ```
//! # use nuts_rs_0_19 as nuts_rs;
//! use cotangent::differentiate;
//! use cotangent::nuts_rs::Density;
//! use nuts_rs::{DiagNutsSettings, HashMapConfig, HashMapValue, Sampler, SamplerWaitResult};
//! use std::sync::Arc;
//! use std::time::Duration;
//!
//! #[differentiate]
//! fn normal(x: &[f64]) -> f64 {
//!     -0.5 * (x[0] * x[0] + x[1] * x[1])
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let density = Density::new(2, |x, x_bar| normal::accumulate_gradient(x, x_bar).0);
//! let settings = DiagNutsSettings { num_tune: 100, num_draws: 50, num_chains: 2, ..Default::default() };
//! let sampler = Sampler::new(Arc::new(density), settings, HashMapConfig::new(), 2, None)?;
//! let SamplerWaitResult::Trace(chains) = sampler.wait_timeout(Duration::from_secs(60)) else {
//!     panic!("no draws");
//! };
//! let HashMapValue::F64(draws) = &chains[1].draws["value"] else { panic!("draws are floats") };
//! assert_eq!(draws.len(), 2 * (100 + 50));
//! # Ok(())
//! # }
//! ```

extern crate std;

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use std::collections::HashMap;

use nuts_rs_0_19::rand::{Rng, RngExt};
use nuts_rs_0_19::{
    CpuLogpFunc, CpuMath, CpuMathError, HasDims, InitPositionError, LogpError, Model,
};

/// Chains begin at places less than this away from zero in each direction.
const REACH: f64 = 2.0;

/// A density, by a closure that adds its gradient to what it is given and returns its logarithm.
///
/// The logarithm may lack a constant. Draws are kept under the name `value`, with the dimension `dim`.
#[derive(Clone, Copy, Debug)]
pub struct Density<F> {
    dimension: usize,
    log_density: F,
}

/// A density is not finite at a point, which makes the sampler's step a divergence.
///
/// ```
/// # use nuts_rs_0_19 as nuts_rs;
/// use cotangent::nuts_rs::{Density, NotFinite};
/// use nuts_rs::CpuLogpFunc;
///
/// let mut nowhere = Density::new(1, |_, _| f64::NEG_INFINITY);
/// assert_eq!(nowhere.logp(&[0.0], &mut [0.0]), Err(NotFinite { value: f64::NEG_INFINITY }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NotFinite {
    /// What was found in the place of a finite logarithm.
    pub value: f64,
}

impl<F> Density<F>
where
    F: FnMut(&[f64], &mut [f64]) -> f64,
{
    /// A density of so many parameters, by a closure such as `|x, x_bar| f::accumulate_gradient(x, x_bar, data).0`.
    pub fn new(dimension: usize, log_density: F) -> Self {
        Density { dimension, log_density }
    }
}

impl<F> CpuLogpFunc for Density<F>
where
    F: FnMut(&[f64], &mut [f64]) -> f64,
{
    type LogpError = NotFinite;
    type FlowParameters = ();
    type ExpandedVector = Vec<f64>;

    fn dim(&self) -> usize {
        self.dimension
    }

    fn logp(&mut self, x: &[f64], x_bar: &mut [f64]) -> Result<f64, NotFinite> {
        x_bar.fill(0.0);
        let value = (self.log_density)(x, x_bar);
        if value.is_finite() { Ok(value) } else { Err(NotFinite { value }) }
    }

    fn expand_vector<R: Rng + ?Sized>(
        &mut self,
        _: &mut R,
        x: &[f64],
    ) -> Result<Vec<f64>, CpuMathError> {
        Ok(x.to_vec())
    }
}

/// The names are those under which the sampler keeps its statistics, and a draw its entries.
impl<F> HasDims for Density<F> {
    fn dim_sizes(&self) -> HashMap<String, u64> {
        ["unconstrained_parameter", "dim"]
            .map(|name| (name.to_string(), self.dimension as u64))
            .into()
    }
}

impl<F> Model for Density<F>
where
    F: FnMut(&[f64], &mut [f64]) -> f64 + Clone + Send + Sync + 'static,
{
    type Math = CpuMath<Self>;

    fn math<R: Rng + ?Sized>(self: Arc<Self>, _: &mut R) -> anyhow::Result<CpuMath<Self>> {
        Ok(CpuMath::new(Density::clone(&self)))
    }

    fn init_position<R: Rng + ?Sized>(
        &self,
        random: &mut R,
        _: u64,
        x: &mut [f64],
    ) -> Result<(), InitPositionError> {
        x.iter_mut().for_each(|x| *x = random.random_range(-REACH..REACH));
        Ok(())
    }
}

impl fmt::Display for NotFinite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the logarithm of the density is {}", self.value)
    }
}

impl core::error::Error for NotFinite {}

impl LogpError for NotFinite {
    fn is_recoverable(&self) -> bool {
        true
    }
}
