//! Three rods of which something is not known, and what gradient descent makes of their thermometers.
//!
//! Out: a [`Recovery`] for each. No record comes from the simulation that is fitted to it: two are sums of
//! sines, the other comes from a grid four times as fine. Two have noise, the same in every run. Lengths are
//! in millimetres, times in seconds, temperatures in degrees Celsius, diffusivities in mm²/s.

use super::descent::{Descent, Sample};
use super::modes::least_squares;
use super::rod::{Record, conduct, misfit, roughness, uniform_misfit};
use super::series::Polyline;

/// Length of the rods.
pub const LENGTH: f64 = 400.0;
/// Intervals between the nodes of a rod.
pub const INTERVALS: usize = 60;
/// Time of a step. With the spacing of the nodes it allows diffusivities up to 111.
pub const STEP: f64 = 0.2;
/// How long the rod of [`temperatures`] has cooled when it is looked at.
pub const SECONDS: f64 = 10.0;
/// Standard deviation of the noise of a thermometer.
pub const NOISE: f64 = 0.1;

/// Diffusivity of brass.
pub const BRASS: f64 = 34.0;
const ALUMINIUM: f64 = 97.0;
const STEEL: f64 = 12.0;
/// What the differences of the logarithms of neighbouring diffusivities weigh, against degrees.
const WEIGHT_OF_DIFFUSIVITY: f64 = 5.0;
/// What the differences of neighbouring temperatures weigh.
const WEIGHT_OF_PROFILE: f64 = 1e-3;

/// Something about a rod, recovered from a record.
pub struct Recovery {
    /// What the thermometers have shown.
    pub record: Record,
    /// What was to be found.
    pub truth: Vec<f64>,
    /// The estimates on the way, from the start to what was found.
    pub way: Vec<Estimate>,
}

/// What a point of the descent stands for.
pub struct Estimate {
    /// In the units of the truth.
    pub values: Vec<f64>,
    /// What descends.
    pub objective: f64,
}

impl Recovery {
    /// The last estimate.
    pub fn found(&self) -> &Estimate {
        &self.way[self.way.len() - 1]
    }

    /// Root of the mean square of the error of an estimate, as a part of that of the truth.
    pub fn error(&self, estimate: &Estimate) -> f64 {
        let differences = estimate.values.iter().zip(&self.truth).map(|(a, b)| a - b);
        root_mean_square(differences) / root_mean_square(self.truth.iter().copied())
    }
}

/// One number: the diffusivity of a rod of brass that was warm in two places.
pub fn number() -> Recovery {
    let nodes: Vec<usize> = (6..INTERVALS).step_by(6).collect();
    let warm = warm_zones();
    let row = |time: usize| {
        let seconds = 20.0 * time as f64;
        nodes.iter().map(|&node| warm.later(position(node), seconds, BRASS)).collect()
    };
    let record = record(nodes.clone(), (1..=15).map(row).collect(), 20.0);
    let initial = warm_profile();
    let descent = Descent { first: 0.1, tolerance: 1e-9, most: 50 };
    let way = descent.run(&[80.0_f64.ln()], |point| {
        let (value, slope) = uniform_misfit::value_and_gradient(&initial, point[0], &record);
        (value, vec![slope])
    });
    let estimates =
        way.iter().map(|at| Estimate { values: exponentials(&at.point), objective: at.value });
    Recovery { way: estimates.collect(), record, truth: vec![BRASS] }
}

/// A profile: the diffusivities along a rod of three metals with one end in boiling water, the other in
/// ice.
pub fn diffusivities() -> Recovery {
    let record = record_of_three_metals();
    let initial = boiling_and_freezing(INTERVALS);
    let descent = Descent { first: 0.1, tolerance: 1e-6, most: 1000 };
    let way = descent.run(&[40.0_f64.ln(); INTERVALS], |point| {
        let (value, (_, gradient)) = misfit::value_and_gradient(&initial, point, &record);
        let (rough, rough_gradient) = roughness::value_and_gradient(point);
        weighted((value, gradient), WEIGHT_OF_DIFFUSIVITY, (rough, rough_gradient))
    });
    let estimates =
        way.iter().map(|at| Estimate { values: exponentials(&at.point), objective: at.value });
    let truth = (0..INTERVALS).map(|interval| three_metals((interval as f64 + 0.5) * spacing()));
    Recovery { way: estimates.collect(), record, truth: truth.collect() }
}

/// Root of the mean square of what is left between the readings and a rod of these diffusivities.
pub fn residual(record: &Record, diffusivities: &[f64]) -> f64 {
    let logarithms: Vec<f64> = diffusivities.iter().map(|value| value.ln()).collect();
    let half_of_squares = misfit(&boiling_and_freezing(INTERVALS), &logarithms, record);
    (2.0 * half_of_squares / record.count() as f64).sqrt()
}

/// A profile: the temperatures with which a rod of brass began, from those after some seconds.
pub fn temperatures() -> Recovery {
    let warm = warm_zones();
    let nodes: Vec<usize> = (1..INTERVALS).collect();
    let row = nodes.iter().map(|&node| warm.later(position(node), SECONDS, BRASS) + noise(node));
    let record = record(nodes.clone(), vec![row.collect()], SECONDS);
    let log_diffusivity = [BRASS.ln(); INTERVALS];
    let descent = Descent { first: 10.0, tolerance: 1e-9, most: 2000 };
    let way = descent.run(&[0.0; INTERVALS + 1], |point| {
        let (value, (gradient, _)) = misfit::value_and_gradient(point, &log_diffusivity, &record);
        let (rough, rough_gradient) = roughness::value_and_gradient(point);
        let (value, mut gradient) =
            weighted((value, gradient), WEIGHT_OF_PROFILE, (rough, rough_gradient));
        // The ends are on ice.
        (gradient[0], gradient[INTERVALS]) = (0.0, 0.0);
        (value, gradient)
    });
    let estimates = way.iter().map(|at| Estimate { values: at.point.clone(), objective: at.value });
    Recovery { way: estimates.collect(), record, truth: warm_profile() }
}

/// Where the descent of [`temperatures`] must end, in closed form.
pub fn best_temperatures(record: &Record) -> Vec<f64> {
    let mut observed = vec![0.0];
    observed.extend(&record.readings[0]);
    observed.push(0.0);
    least_squares(&observed, record.scale * BRASS, record.interval, WEIGHT_OF_PROFILE)
}

/// Brass with a hot and a warm place between cold ones.
fn warm_zones() -> Polyline {
    let corners = [
        (0.0, 0.0),
        (60.0, 0.0),
        (80.0, 100.0),
        (160.0, 100.0),
        (180.0, 0.0),
        (220.0, 0.0),
        (280.0, 60.0),
        (340.0, 0.0),
        (400.0, 0.0),
    ];
    Polyline { corners: corners.to_vec() }
}

fn three_metals(x: f64) -> f64 {
    match x {
        ..130.0 => ALUMINIUM,
        ..270.0 => BRASS,
        _ => STEEL,
    }
}

/// Simulated on a finer grid: the steps are shorter by the square.
fn record_of_three_metals() -> Record {
    const FINER: usize = 4;
    let intervals = INTERVALS * FINER;
    let middle = |interval: usize| (interval as f64 + 0.5) * LENGTH / intervals as f64;
    let scale = STEP / spacing().powi(2);
    let fourier: Vec<f64> = (0..intervals).map(|i| scale * three_metals(middle(i))).collect();
    let nodes: Vec<usize> = (3..INTERVALS).step_by(3).collect();
    let mut now = boiling_and_freezing(intervals);
    let rows = (0..30).map(|time| {
        now = conduct(&now, &fourier, steps_in(20.0) * FINER * FINER);
        let reading = |(k, node): (usize, &usize)| now[node * FINER] + noise(1000 * time + k);
        nodes.iter().enumerate().map(reading).collect()
    });
    let rows = rows.collect();
    record(nodes, rows, 20.0)
}

/// A rod at 20 degrees, with its ends at 100 and at 0.
fn boiling_and_freezing(intervals: usize) -> Vec<f64> {
    let mut initial = vec![20.0; intervals + 1];
    (initial[0], initial[intervals]) = (100.0, 0.0);
    initial
}

fn record(nodes: Vec<usize>, readings: Vec<Vec<f64>>, seconds: f64) -> Record {
    Record { nodes, readings, interval: steps_in(seconds), scale: STEP / spacing().powi(2) }
}

fn steps_in(seconds: f64) -> usize {
    (seconds / STEP).round() as usize
}

fn spacing() -> f64 {
    LENGTH / INTERVALS as f64
}

/// Where a node is.
pub fn position(node: usize) -> f64 {
    node as f64 * spacing()
}

/// The temperatures at the nodes of a rod that is warm in two places.
pub fn warm_profile() -> Vec<f64> {
    let warm = warm_zones();
    (0..=INTERVALS).map(|node| warm.at(position(node))).collect()
}

/// The sum of a function and a multiple of another, with its gradient.
fn weighted((value, gradient): Sample, weight: f64, (other, slopes): Sample) -> Sample {
    let sum = gradient.iter().zip(&slopes).map(|(a, b)| a + weight * b);
    (value + weight * other, sum.collect())
}

fn exponentials(logarithms: &[f64]) -> Vec<f64> {
    logarithms.iter().map(|log| log.exp()).collect()
}

fn root_mean_square(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), v| (sum + v * v, count + 1.0));
    (sum / count).sqrt()
}

/// The error of the reading of the given number: twelve uniform numbers added up have almost the
/// distribution of Gauss, with a variance of one.
fn noise(reading: usize) -> f64 {
    let uniform = |k: u64| mixed(12 * reading as u64 + k) as f64 / u64::MAX as f64;
    NOISE * ((1..=12).map(uniform).sum::<f64>() - 6.0)
}

/// A permutation of the integers without visible order (the finaliser of SplitMix64).
fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_diffusivity_of_brass_is_found() {
        let recovery = number();
        assert!(recovery.error(recovery.found()) < 0.005);
    }

    /// The loss is as small as noise makes it, and the metals are told apart where no joint is near.
    #[test]
    fn three_metals_are_found() {
        let recovery = diffusivities();
        let found = &recovery.found().values;
        assert!(residual(&recovery.record, found) < 1.1 * NOISE);
        for (interval, metal) in [(3, ALUMINIUM), (12, ALUMINIUM), (30, BRASS), (50, STEEL)] {
            assert!(
                (found[interval] / metal - 1.0).abs() < 0.05,
                "{interval}: {}",
                found[interval]
            );
        }
    }

    #[test]
    fn temperatures_end_at_the_minimum_in_closed_form() {
        let recovery = temperatures();
        let best = best_temperatures(&recovery.record);
        for (found, best) in recovery.found().values.iter().zip(best) {
            assert!((found - best).abs() < 1e-3);
        }
    }

    #[test]
    fn noise_is_centred_and_as_large_as_promised() {
        let values = || (0..10_000).map(noise);
        assert!(values().sum::<f64>().abs() / 1e4 < 0.05 * NOISE);
        assert!((root_mean_square(values()) / NOISE - 1.0).abs() < 0.03);
    }

    #[test]
    fn the_error_is_relative() {
        let record = record(vec![], vec![], STEP);
        let recovery = Recovery { record, truth: vec![3.0, 4.0], way: vec![] };
        let estimate = Estimate { values: vec![3.3, 4.4], objective: 0.0 };
        assert!((recovery.error(&estimate) - 0.1).abs() < 1e-15);
    }
}
