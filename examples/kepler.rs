//! An equation that is solved by iteration, differentiated three times: through the iteration, by the equation, and by a
//! rule that is written by hand.
//!
//! ```text
//! cargo run --release --example kepler
//! ```
//!
//! Kepler's equation `E - e sin E = M` gives the eccentric anomaly `E` of a body on an ellipse of eccentricity `e`
//! at the mean anomaly `M`, which is a time. Newton's method solves it in a few steps. `#[differentiate]` goes
//! through these steps, tape and all. By the implicit function theorem the derivatives are
//! `dE/dM = 1 / (1 - e cos E)` and `dE/de = sin E / (1 - e cos E)`, whatever solved the equation. A `#[primitive]` of two
//! lines says so, and `#[primitive(root = equation)]` finds it in the equation. The example prints how closely all agree,
//! and what each costs beside the solution.
//!
//! The exit status is failure unless all agree to 1e-12.

use cotangent::{differentiate, primitive};
use std::f64::consts::TAU;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

/// The eccentric anomaly in radians, by Newton's method.
#[differentiate]
fn iterated(mean: f64, eccentricity: f64) -> f64 {
    let mut anomaly = mean + eccentricity * mean.sin();
    for _ in 0..50 {
        let slope = 1.0 - eccentricity * anomaly.cos();
        let step = (anomaly - eccentricity * anomaly.sin() - mean) / slope;
        anomaly -= step;
        if step.abs() < 1e-14 {
            break;
        }
    }
    anomaly
}

/// The same, with the derivatives of the equation's solution.
#[primitive(
    value = anomaly,
    partials(
        1.0 / (1.0 - eccentricity * anomaly.cos()),
        anomaly.sin() / (1.0 - eccentricity * anomaly.cos())
    )
)]
fn implicit(mean: f64, eccentricity: f64) -> f64 {
    iterated(mean, eccentricity)
}

/// What is zero at the eccentric anomaly.
#[differentiate]
fn equation(anomaly: f64, mean: f64, eccentricity: f64) -> f64 {
    anomaly - eccentricity * anomaly.sin() - mean
}

/// The same, with derivatives that are made of the equation's.
#[primitive(root = equation)]
fn solved(mean: f64, eccentricity: f64) -> f64 {
    iterated(mean, eccentricity)
}

/// The mean distance from the focus at some times, in semi-major axes.
#[differentiate]
fn distance_iterated(means: &[f64], eccentricity: f64) -> f64 {
    let total: f64 =
        means.iter().map(|mean| 1.0 - eccentricity * iterated(*mean, eccentricity).cos()).sum();
    total / means.len() as f64
}

/// Likewise.
#[differentiate]
fn distance_implicit(means: &[f64], eccentricity: f64) -> f64 {
    let total: f64 =
        means.iter().map(|mean| 1.0 - eccentricity * implicit(*mean, eccentricity).cos()).sum();
    total / means.len() as f64
}

/// Likewise.
#[differentiate]
fn distance_solved(means: &[f64], eccentricity: f64) -> f64 {
    let total: f64 =
        means.iter().map(|mean| 1.0 - eccentricity * solved(*mean, eccentricity).cos()).sum();
    total / means.len() as f64
}

/// The largest difference of the gradients of an ellipse's distance from that through the iteration, relative to the
/// largest entry.
fn disagreement(means: &[f64], eccentricity: f64) -> f64 {
    let entries = |(times, shape): (Vec<f64>, f64)| -> Vec<f64> { [times, vec![shape]].concat() };
    let iterated = entries(distance_iterated::gradient(means, eccentricity));
    let largest = iterated.iter().fold(1e-3_f64, |largest, entry| largest.max(entry.abs()));
    let others = [
        entries(distance_implicit::gradient(means, eccentricity)),
        entries(distance_solved::gradient(means, eccentricity)),
    ];
    let pairs = others.iter().flat_map(|other| iterated.iter().zip(other));
    pairs.fold(0.0_f64, |worst, (a, b)| worst.max((a - b).abs())) / largest
}

/// The times of a function and of its three gradients in seconds, medians of runs that take turns.
fn times(means: &[f64], eccentricity: f64) -> [f64; 4] {
    const RUNS: usize = 101;
    let mut seconds = [const { Vec::new() }; 4];
    for _ in 0..RUNS {
        seconds[0].push(timed(|| distance_iterated(black_box(means), eccentricity)));
        seconds[1].push(timed(|| distance_iterated::gradient(black_box(means), eccentricity)));
        seconds[2].push(timed(|| distance_solved::gradient(black_box(means), eccentricity)));
        seconds[3].push(timed(|| distance_implicit::gradient(black_box(means), eccentricity)));
    }
    seconds.map(|mut runs| {
        runs.sort_by(f64::total_cmp);
        runs[RUNS / 2]
    })
}

fn timed<T>(run: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    black_box(run());
    start.elapsed().as_secs_f64()
}

/// Mean anomalies around the orbit, off its ends.
fn orbit(count: usize) -> Vec<f64> {
    (0..count).map(|index| TAU * (index as f64 + 0.5) / count as f64).collect()
}

const ECCENTRICITIES: [f64; 6] = [0.0167, 0.0934, 0.2056, 0.5, 0.8, 0.967];

fn main() -> ExitCode {
    let means = orbit(1000);
    println!("Kepler's equation at {} times\n", means.len());
    println!("                              gradient / function");
    println!("eccentricity   disagreement   iterated   by equation   by hand");
    let mut worst = 0.0_f64;
    for eccentricity in ECCENTRICITIES {
        let difference = disagreement(&means, eccentricity);
        let [function, iterated, solved, implicit] = times(&means, eccentricity);
        println!(
            "{eccentricity:12.4}   {difference:12.1e}   {:8.2}   {:11.2}   {:7.2}",
            iterated / function,
            solved / function,
            implicit / function
        );
        worst = worst.max(difference);
    }
    println!("\nLargest disagreement: {worst:.1e}");
    if worst < 1e-12 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_derivatives_agree() {
        let means = orbit(200);
        for eccentricity in ECCENTRICITIES {
            assert!(disagreement(&means, eccentricity) < 1e-12, "{eccentricity}");
        }
    }

    #[test]
    fn all_are_those_of_the_solution() {
        for (mean, eccentricity) in [(0.7, 0.2056), (4.0, 0.5), (2.0, 0.8)] {
            cotangent::check!(iterated(mean, eccentricity)).unwrap();
            cotangent::check!(implicit(mean, eccentricity)).unwrap();
            cotangent::check!(solved(mean, eccentricity)).unwrap();
        }
    }

    #[test]
    fn the_mean_distance_is_known() {
        // The mean over time is 1 + e² / 2, and so its derivative is e. A sum over equal steps of a period finds it
        // to rounding.
        let eccentricity = 0.2056;
        let (value, (_, by_shape)) =
            distance_implicit::value_and_gradient(&orbit(200), eccentricity);
        assert!((value - (1.0 + 0.5 * eccentricity * eccentricity)).abs() < 1e-13);
        assert!((by_shape - eccentricity).abs() < 1e-12);
    }
}
