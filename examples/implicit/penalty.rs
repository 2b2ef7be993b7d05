//! A problem with two levels: the penalty at which a ridge regression predicts held-out data best.
//!
//! In: polynomial features of noisy samples of a sine. Out: the penalty, found by Newton's method on the gradient of the
//! validation error by the logarithm of the penalty, and how far the gradient is from its closed form.

use cotangent::{differentiate, linalg, primitive};

/// The number of features: powers of the coordinate.
const FEATURES: usize = 8;

/// Rows of features, and what was measured there.
struct Samples {
    features: Vec<f64>,
    measured: Vec<f64>,
}

/// Samples of a sine with noise that is none but looks like it.
fn samples(count: usize, shift: f64) -> Samples {
    let places = (0..count).map(|i| 2.0 * (i as f64 + shift) / count as f64 - 1.0);
    let features =
        places.clone().flat_map(|x| (0..FEATURES as i32).map(move |power| x.powi(power)));
    let noise = |x: f64| 0.3 * (x * 1234.5).sin();
    let measured = places.clone().map(|x| (3.0 * x).sin() + noise(x));
    Samples { features: features.collect(), measured: measured.collect() }
}

/// What the weights minimise.
#[differentiate]
#[differentiate]
fn loss(weights: &[f64], features: &[f64], measured: &[f64], penalty: f64) -> f64 {
    let mut sum = 0.5 * penalty * linalg::dot(weights, weights);
    for i in 0..measured.len() {
        let row = &features[i * FEATURES..][..FEATURES];
        let error = linalg::dot(row, weights) - measured[i];
        sum += 0.5 * error * error;
    }
    sum
}

/// The weights, by the normal equations.
#[primitive(argmin = loss, wrt(penalty))]
fn ridge(features: &[f64], measured: &[f64], penalty: f64) -> Vec<f64> {
    let side = linalg::matvec_t(features, measured, measured.len(), FEATURES);
    linalg::lu_solve(&normal(features, penalty), &side, FEATURES).expect("a positive penalty")
}

/// The matrix of the normal equations.
fn normal(features: &[f64], penalty: f64) -> Vec<f64> {
    let rows = features.len() / FEATURES;
    let mut matrix = linalg::matmul_tn(features, features, FEATURES, rows, FEATURES);
    (0..FEATURES).for_each(|i| matrix[i * FEATURES + i] += penalty);
    matrix
}

/// The error on held-out data of weights.
#[differentiate(wrt(weights))]
fn error(weights: &[f64], features: &[f64], measured: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..measured.len() {
        let row = &features[i * FEATURES..][..FEATURES];
        let error = linalg::dot(row, weights) - measured[i];
        sum += error * error;
    }
    sum / measured.len() as f64
}

/// Likewise, by the logarithm of the penalty that the weights are found with.
#[differentiate(wrt(logarithm))]
fn validation(
    logarithm: f64,
    features: &[f64],
    measured: &[f64],
    held_features: &[f64],
    held_measured: &[f64],
) -> f64 {
    let weights = ridge(features, measured, logarithm.exp());
    error(&weights, held_features, held_measured)
}

/// The closed form of its derivative: the weights change by `-(XᵀX + λ)⁻¹ w` with the penalty.
fn closed(logarithm: f64, training: &Samples, held_out: &Samples) -> f64 {
    let penalty = logarithm.exp();
    let weights = ridge(&training.features, &training.measured, penalty);
    let matrix = normal(&training.features, penalty);
    let change = linalg::lu_solve(&matrix, &weights, FEATURES).expect("a positive penalty");
    let slope = error::gradient(&weights, &held_out.features, &held_out.measured);
    -penalty * linalg::dot(&slope, &change)
}

/// Finds the penalty, and returns whether the gradient was right on the way.
pub fn report() -> bool {
    let (training, held_out) = (samples(24, 0.5), samples(40, 0.25));
    let value_and_slope = |logarithm: f64| {
        validation::value_and_gradient(
            logarithm,
            &training.features,
            &training.measured,
            &held_out.features,
            &held_out.measured,
        )
    };
    println!(
        "A ridge regression of {FEATURES} features\n\n  penalty      error     gradient   its error"
    );
    // The gradient changes its sign between these.
    let (mut low, mut high, mut worst) = (-12.0_f64, 4.0_f64, 0.0_f64);
    for step in 0..40 {
        let middle = 0.5 * (low + high);
        let (value, slope) = value_and_slope(middle);
        let difference = (slope - closed(middle, &training, &held_out)).abs();
        worst = worst.max(difference / value);
        if step % 5 == 0 {
            println!("{:9.6}  {value:9.6}   {slope:10.2e}   {difference:9.1e}", middle.exp());
        }
        if slope > 0.0 { high = middle } else { low = middle }
    }
    let (_, slope) = value_and_slope(0.5 * (low + high));
    println!("\nThe error is least at the penalty {:.6}.\n", (0.5 * (low + high)).exp());
    worst < 1e-9 && slope.abs() < 1e-9
}
