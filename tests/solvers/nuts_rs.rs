//! Moments that are known of what is drawn with fixed seeds, and what the sampler is told.

use std::f64::consts::SQRT_2;
use std::sync::Arc;
use std::time::Duration;

use approx::assert_abs_diff_eq;
use cotangent::differentiate;
use cotangent::nuts_rs::{Density, NotFinite};
use nuts_rs::rand::SeedableRng;
use nuts_rs::rand::rngs::ChaCha8Rng;
use nuts_rs::{
    Chain, CpuLogpFunc, CpuMath, DiagNutsSettings, HasDims, HashMapConfig, HashMapValue, LogpError,
    Sampler, SamplerWaitResult, Settings,
};

const MEAN: [f64; 2] = [1.0, -2.0];
/// The inverse of the covariance.
const PRECISION: [[f64; 2]; 2] = [[2.0, -0.6], [-0.6, 0.5]];
/// Of a matrix of two rows.
const COVARIANCE: [[f64; 2]; 2] = [[0.5 / 0.64, 0.6 / 0.64], [0.6 / 0.64, 2.0 / 0.64]];

/// The logarithm of a normal density, up to a constant.
#[differentiate(constant(mean))]
fn normal(x: &[f64], mean: &[f64]) -> f64 {
    let (a, b) = (x[0] - mean[0], x[1] - mean[1]);
    -0.5 * (2.0 * a * a - 1.2 * a * b + 0.5 * b * b)
}

/// That of Gamma's density of the shape 3, which has none below zero.
#[differentiate]
fn gamma(x: &[f64]) -> f64 {
    2.0 * x[0].ln() - x[0]
}

/// Draws of a chain, and how many of them diverged.
fn drawn(
    density: impl FnMut(&[f64], &mut [f64]) -> f64,
    start: &[f64],
) -> (Vec<Box<[f64]>>, usize) {
    let settings = DiagNutsSettings { num_tune: 500, num_draws: 3000, ..Default::default() };
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let math = CpuMath::new(Density::new(start.len(), density));
    let mut chain = settings.new_chain(0, math, &mut random).expect("a chain");
    chain.set_position(start).expect("a start");
    let (mut draws, mut divergences) = (vec![], 0);
    for _ in 0..3500 {
        let (x, progress) = chain.draw().expect("a draw");
        if !progress.tuning {
            draws.push(x);
            divergences += usize::from(progress.diverging);
        }
    }
    (draws, divergences)
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let n = values.len() as f64;
    values.sum::<f64>() / n
}

/// Five standard errors of a mean of three thousand draws, of which a third count as independent, are 0.16 of a deviation.
/// That of the product of two normals is at most the product of theirs, times the root of two.
#[test]
fn moments_are_those_of_the_normal() {
    let (draws, divergences) =
        drawn(|x, x_bar| normal::accumulate_gradient(x, x_bar, &MEAN).0, &[0.0, 0.0]);
    assert_eq!((draws.len(), divergences), (3000, 0));
    for i in 0..2 {
        let deviation = COVARIANCE[i][i].sqrt();
        let found = mean(draws.iter().map(|x| x[i]));
        assert_abs_diff_eq!(found, MEAN[i], epsilon = 0.16 * deviation);
        for j in 0..2 {
            let product = |x: &[f64]| (x[i] - MEAN[i]) * (x[j] - MEAN[j]);
            let scale = deviation * COVARIANCE[j][j].sqrt();
            let found = mean(draws.iter().map(|x| product(x)));
            assert_abs_diff_eq!(found, COVARIANCE[i][j], epsilon = 0.16 * SQRT_2 * scale);
        }
    }
}

#[test]
fn the_covariance_is_the_inverse_of_the_precision() {
    for (i, row) in PRECISION.iter().enumerate() {
        for j in 0..2 {
            let entry: f64 = row.iter().zip(COVARIANCE).map(|(a, column)| a * column[j]).sum();
            assert_abs_diff_eq!(entry, f64::from(u8::from(i == j)), epsilon = 1e-15);
        }
    }
}

#[test]
fn a_gradient_takes_the_place_of_what_was_there() {
    let mut density = Density::new(2, |x, x_bar| normal::accumulate_gradient(x, x_bar, &MEAN).0);
    let (x, mut x_bar) = ([2.0, 0.0], [100.0, f64::NAN]);
    let away = [x[0] - MEAN[0], x[1] - MEAN[1]];
    let by_row = PRECISION.map(|row| row[0] * away[0] + row[1] * away[1]);
    let value = density.logp(&x, &mut x_bar).unwrap();
    assert_abs_diff_eq!(value, -0.5 * (by_row[0] * away[0] + by_row[1] * away[1]), epsilon = 1e-14);
    assert_abs_diff_eq!(x_bar[..], [-by_row[0], -by_row[1]][..], epsilon = 1e-14);
}

#[test]
fn what_is_not_finite_is_a_divergence() {
    let density = |x: &[f64], x_bar: &mut [f64]| gamma::accumulate_gradient(x, x_bar).0;
    let mut tried = Density::new(1, density);
    assert_eq!(tried.logp(&[1.0], &mut [0.0]), Ok(-1.0));
    let error = tried.logp(&[-1.0], &mut [0.0]).unwrap_err();
    assert!(error.value.is_nan() && error.is_recoverable());
    let error = tried.logp(&[0.0], &mut [0.0]).unwrap_err();
    assert_eq!(error, NotFinite { value: f64::NEG_INFINITY });
    assert_eq!(error.to_string(), "the logarithm of the density is -inf");

    let (draws, divergences) = drawn(density, &[3.0]);
    assert!((1..draws.len() / 2).contains(&divergences), "{divergences}");
    assert!(draws.iter().all(|x| x[0] > 0.0));
}

/// Runs chains by the sampler of the crate, which keeps draws under their names.
#[test]
fn a_density_is_a_model() {
    let mean_of = Arc::new(MEAN);
    let density = Density::new(2, move |x: &[f64], x_bar: &mut [f64]| {
        normal::accumulate_gradient(x, x_bar, &mean_of[..]).0
    });
    assert_eq!(density.dim_sizes()["dim"], 2);
    let settings = DiagNutsSettings {
        num_tune: 300,
        num_draws: 1000,
        num_chains: 2,
        seed: 3,
        ..Default::default()
    };
    let sampler = Sampler::new(Arc::new(density), settings, HashMapConfig::new(), 1, None);
    let wait = sampler.expect("a sampler").wait_timeout(Duration::from_secs(600));
    let SamplerWaitResult::Trace(chains) = wait else { panic!("no draws") };
    let draws = |chain: usize| match &chains[chain].draws["value"] {
        HashMapValue::F64(draws) => &draws[draws.len() - 2000..],
        other => panic!("{other:?}"),
    };
    assert_ne!(draws(0), draws(1));
    for chain in [draws(0), draws(1)] {
        for i in 0..2 {
            let found = mean(chain.chunks_exact(2).map(|x| x[i]));
            assert_abs_diff_eq!(found, MEAN[i], epsilon = 0.28 * COVARIANCE[i][i].sqrt());
        }
    }
}
