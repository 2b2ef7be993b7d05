//! Options on means, by simulation.
//!
//! In: a number of paths. Out: for value and Greeks of both options, estimates with standard errors, as they
//! were after some of the paths and after all. Each path gives one value and one gradient of each option:
//! the gradient of a mean is the mean of the gradients.

use super::asian::{arithmetic, geometric, geometric_value};
use super::black_scholes::{Market, Terms, greeks};
use super::random::Normals;

/// The market of the simulated options.
pub const MARKET: Market = Market { spot: 100.0, rate: 0.05, volatility: 0.3 };
/// Their terms.
pub const TERMS: Terms = Terms { strike: 100.0, years: 1.0 };
/// The mean is that of the ends of so many months.
pub const DATES: usize = 12;
/// Paths that the example follows.
pub const PATHS: usize = 1 << 18;

const SEED: u64 = 2026;
/// Paths after which the first estimate is kept.
const FIRST: usize = 64;

/// What is known of an expectation.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// The standard error of the mean.
    pub error: f64,
}

impl Estimate {
    /// How many standard errors it is from a value.
    pub fn distance(&self, value: f64) -> f64 {
        (self.mean - value).abs() / self.error
    }
}

/// Value and Greeks of both options after some paths.
pub struct Stage {
    /// How many paths.
    pub paths: usize,
    /// Of the option on the geometric mean.
    pub geometric: [Estimate; 5],
    /// Of the option on the arithmetic mean.
    pub arithmetic: [Estimate; 5],
    /// Of the same, with the other as control variate.
    pub controlled: [Estimate; 5],
}

/// All that was kept of a simulation.
pub struct Simulation {
    /// After each doubling of the paths. The last is that after all.
    pub stages: Vec<Stage>,
    /// Value and Greeks of the option on the geometric mean in closed form.
    pub closed: [f64; 5],
}

impl Simulation {
    /// The estimates from all paths.
    pub fn last(&self) -> &Stage {
        &self.stages[self.stages.len() - 1]
    }
}

/// Follows `paths` paths.
pub fn simulate(paths: usize) -> Simulation {
    let closed = greeks(geometric_value::value_and_gradient(&MARKET, &TERMS, DATES));
    let mut normals = Normals::new(SEED);
    let mut sums = [[Moments::default(); 3]; 5];
    let mut stages = vec![];
    for count in 1..=paths {
        let path: [f64; DATES] = std::array::from_fn(|_| normals.draw());
        let geometric = greeks(geometric::value_and_gradient(&MARKET, &TERMS, &path));
        let arithmetic = greeks(arithmetic::value_and_gradient(&MARKET, &TERMS, &path));
        for (greek, sums) in sums.iter_mut().enumerate() {
            let (control, plain) = (geometric[greek], arithmetic[greek]);
            sums[0].add(control);
            sums[1].add(plain);
            // What the mean of the control is off is known, and taken off.
            sums[2].add(plain - (control - closed[greek]));
        }
        if count >= FIRST && (count.is_power_of_two() || count == paths) {
            let [geometric, arithmetic, controlled] =
                [0, 1, 2].map(|column| sums.map(|sums| sums[column].estimate()));
            stages.push(Stage { paths: count, geometric, arithmetic, controlled });
        }
    }
    Simulation { stages, closed }
}

/// Mean and squared deviations of samples that come one by one (Welford 1962).
#[derive(Clone, Copy, Default)]
struct Moments {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    fn add(&mut self, sample: f64) {
        let before = sample - self.mean;
        self.count += 1.0;
        self.mean += before / self.count;
        self.squares += before * (sample - self.mean);
    }

    fn estimate(&self) -> Estimate {
        let variance = self.squares / (self.count - 1.0);
        Estimate { mean: self.mean, error: (variance / self.count).sqrt() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::black_scholes::NAMES;

    #[test]
    fn geometric_greeks_are_those_of_the_closed_form() {
        let simulation = simulate(16_384);
        let estimates = simulation.last().geometric.iter().zip(simulation.closed).zip(NAMES);
        for ((estimate, closed), name) in estimates {
            assert!(estimate.distance(closed) < 3.0, "{name}: {estimate:?} or {closed}");
            assert!(estimate.error < 0.02 * closed.abs(), "{name}: {estimate:?}");
        }
    }

    /// The two estimates are of the same paths, so their difference is the control's.
    #[test]
    fn the_control_makes_errors_small() {
        let simulation = simulate(16_384);
        let Stage { geometric, arithmetic, controlled, .. } = simulation.last();
        for greek in 0..NAMES.len() {
            let off = geometric[greek].mean - simulation.closed[greek];
            let difference = arithmetic[greek].mean - controlled[greek].mean;
            assert!((difference - off).abs() < 1e-10, "{}", NAMES[greek]);
            assert!(controlled[greek].error < 0.3 * arithmetic[greek].error, "{}", NAMES[greek]);
        }
        assert!(controlled[0].mean > simulation.closed[0], "arithmetic means are larger");
    }

    #[test]
    fn moments_are_those_of_the_samples() {
        let mut moments = Moments::default();
        [1.0, 2.0, 6.0].into_iter().for_each(|sample| moments.add(sample));
        let Estimate { mean, error } = moments.estimate();
        assert!((mean - 3.0).abs() < 1e-15 && (error - (7.0_f64 / 3.0).sqrt()).abs() < 1e-15);
    }
}
