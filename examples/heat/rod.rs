//! The heat equation on a rod whose ends are kept at their temperature, by explicit finite differences.
//!
//! In: temperatures at the nodes, and for each interval between two of them the Fourier number
//! `diffusivity * step / spacing²`, which must stay below one half. Out: temperatures later. Each step
//! reads one buffer and writes the other, and the two are exchanged. Both inputs are active.

use cotangent::{Differentiable, differentiate};

/// The temperatures after some steps.
#[differentiate]
pub fn conduct(initial: &[f64], fourier: &[f64], steps: usize) -> Vec<f64> {
    let mut now = initial.to_vec();
    let mut next = initial.to_vec();
    for _ in 0..steps {
        advance(&now, &mut next, fourier);
        std::mem::swap(&mut now, &mut next);
    }
    now
}

/// What flows through an interval leaves one node and reaches the other.
#[differentiate]
fn advance(now: &[f64], next: &mut [f64], fourier: &[f64]) {
    for i in 1..now.len() - 1 {
        let from_left = fourier[i - 1] * (now[i - 1] - now[i]);
        let from_right = fourier[i] * (now[i + 1] - now[i]);
        next[i] = now[i] + (from_left + from_right);
    }
}

/// What thermometers on a rod have shown. It is a constant everywhere; a function with derivatives hands
/// only what is `Differentiable` to another.
#[derive(Clone, Debug, Differentiable)]
pub struct Record {
    /// Nodes with a thermometer.
    pub nodes: Vec<usize>,
    /// One row for each time: the temperatures at the nodes.
    pub readings: Vec<Vec<f64>>,
    /// Steps of the simulation from one row to the next, and from the start to the first.
    pub interval: usize,
    /// Length of a step over the square of the spacing.
    pub scale: f64,
}

impl Record {
    /// How many temperatures there are.
    pub fn count(&self) -> usize {
        self.nodes.len() * self.readings.len()
    }
}

/// Half the sum of the squared differences between simulation and record. The diffusivities are given by
/// their logarithms, so that they are positive.
#[differentiate(constant(record))]
pub fn misfit(initial: &[f64], log_diffusivity: &[f64], record: &Record) -> f64 {
    let mut fourier = Vec::with_capacity(log_diffusivity.len());
    for log in log_diffusivity {
        fourier.push(record.scale * log.exp());
    }
    let mut now = initial.to_vec();
    let mut sum = 0.0;
    for row in &record.readings {
        now = conduct(&now, &fourier, record.interval);
        for (k, reading) in row.iter().enumerate() {
            let difference = now[record.nodes[k]] - reading;
            sum += 0.5 * difference * difference;
        }
    }
    sum
}

/// The same for a rod of one diffusivity.
#[differentiate(wrt(log_diffusivity))]
pub fn uniform_misfit(initial: &[f64], log_diffusivity: f64, record: &Record) -> f64 {
    let everywhere = vec![log_diffusivity; initial.len() - 1];
    misfit(initial, &everywhere, record)
}

/// Half the sum of the squared differences between neighbours.
#[differentiate]
pub fn roughness(values: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..values.len() {
        let jump = values[i] - values[i - 1];
        sum += 0.5 * jump * jump;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rod() -> (Vec<f64>, Vec<f64>, Record) {
        let initial = (0..9).map(|i| f64::from(i).sin()).collect();
        let log_diffusivity = (0..8).map(|i| 0.1 * f64::from(i)).collect();
        let readings = vec![vec![1.0, 2.0], vec![0.3, 0.4]];
        (initial, log_diffusivity, Record { nodes: vec![2, 5], readings, interval: 3, scale: 0.1 })
    }

    #[test]
    fn the_rule_tester_agrees() {
        let (initial, log_diffusivity, record) = rod();
        cotangent::check!(conduct(&initial, &log_diffusivity, 5)).unwrap();
        cotangent::check!(misfit(&initial, &log_diffusivity, &record)).unwrap();
        cotangent::check!(uniform_misfit(&initial, 0.4, &record)).unwrap();
        cotangent::check!(roughness(&initial)).unwrap();
    }

    #[test]
    fn a_straight_profile_does_not_change() {
        let straight = [0.0, 0.25, 0.5, 0.75, 1.0];
        assert_eq!(conduct(&straight, &[0.25; 4], 7), straight);
    }

    #[test]
    fn ends_keep_their_temperature() {
        let later = conduct(&[3.0, 0.0, 0.0, -2.0], &[0.3; 3], 1000);
        for (found, expected) in later.iter().zip([3.0, 4.0 / 3.0, -1.0 / 3.0, -2.0]) {
            assert!((found - expected).abs() < 1e-14);
        }
    }

    #[test]
    fn a_record_of_the_same_rod_fits() {
        let (initial, log_diffusivity, record) = rod();
        let fourier: Vec<f64> = log_diffusivity.iter().map(|log| 0.1 * log.exp()).collect();
        let row = |time: usize| {
            let now = conduct(&initial, &fourier, 3 * time);
            record.nodes.iter().map(|&node| now[node]).collect()
        };
        let same = Record { readings: vec![row(1), row(2)], ..record };
        assert_eq!(misfit(&initial, &log_diffusivity, &same), 0.0);
    }
}
