//! How far rounding reaches: stochastic arithmetic.
//!
//! Terms that cancel leave their roundings, which may be larger than the sum itself, and no tester sees the terms. So
//! derivatives are evaluated at neighbours of the point as well, which are a few roundings
//! away from it, as are their directions and seeds: what differs there is what rounding makes of these terms.
//!
//! In: a direction or a seed. Out: errors of tangents and cotangents, and whether a difference is systematic.
//! Invariants: the point itself is not among its neighbours, so that a mistake at this point alone (`x == 1.0`) is not
//! taken for rounding; a mistake that is the same at all neighbours adds nothing to the errors.
//!
//! J. Vignes, "A stochastic arithmetic for reliable scientific computation", Mathematics and Computers in Simulation 35
//! (1993).

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::difference::Estimate;
use super::leaves::{Floats, floats};
use super::random::Random;
use super::reverse::largest;
use super::subject::{Subject, Tangents};
use super::tester::Tester;

/// How many neighbours the errors of tangents and cotangents are sampled at.
const SAMPLES: u64 = 3;

/// How many neighbours decide whether a difference is systematic.
const JURY: u64 = 8;

/// How many of them, the point among them, have to see the same. Differences are now and then far off at one.
const QUORUM: usize = 7;

/// By how many roundings a neighbour is away at most.
const REACH: f64 = 2.0;

/// By what part directions and seeds are lengthened at most. It changes all roundings; a derivative that is not linear,
/// such as a pullback that does not read its seed, it changes by a small part of the mistake.
const STRETCH: f64 = 1.0 / 4096.0;

/// How much larger than its samples differ a rounding error may be.
pub(super) const MARGIN: f64 = 64.0;

/// The cotangents of all parameters.
pub(super) struct Cotangents {
    pub values: Floats,
    /// For each parameter, the largest rounding error of its cotangents.
    pub errors: Vec<f64>,
}

impl Cotangents {
    /// For each parameter, the size of its cotangents, or of the terms that cancel in them.
    pub(super) fn sizes(&self) -> Vec<f64> {
        let size = |(floats, error): (&Vec<f64>, &f64)| largest(floats).max(1e3 * error);
        self.values.iter().zip(&self.errors).map(size).collect()
    }
}

impl Tester<'_> {
    /// Tangents that `jvp` has computed, with their rounding errors.
    pub(super) fn with_errors(&self, tangents: Vec<f64>, direction: &Floats) -> Vec<Estimate> {
        let sampled = self.sampled(|near, random| {
            let stretch = stretch(random);
            let run = near.jvp(&self.jittered(direction, random, stretch))?;
            Some(shortened(self.flat(&run.tangents), stretch))
        });
        let scale = largest(&tangents).max(scale_of(direction));
        let errors = self.errors(&sampled, &tangents, scale);
        let pairs = tangents.into_iter().zip(errors);
        pairs.map(|(value, error)| Estimate { value, error }).collect()
    }

    /// The rounding error of each parameter's cotangents with a seed.
    pub(super) fn errors_of_cotangents(&self, seed: &Tangents, cotangents: &Floats) -> Vec<f64> {
        let sampled = self.sampled(|near, random| {
            let stretch = stretch(random);
            let output = self.jittered(&[seed.output.clone()].into(), random, stretch).remove(0);
            let parameters = self.jittered(&seed.parameters, random, stretch);
            let cotangents = near.vjp(&Tangents { output, parameters })?.cotangents;
            Some(
                cotangents.into_iter().map(|floats| shortened(floats, stretch)).collect::<Floats>(),
            )
        });
        let of_one = |(index, floats): (usize, &Vec<f64>)| {
            let sampled: Vec<Vec<f64>> = sampled.iter().map(|all| all[index].clone()).collect();
            let scale = largest(&seed.output).max(scale_of(&seed.parameters)).max(largest(floats));
            largest(&self.errors(&sampled, floats, scale))
        };
        cotangents.iter().enumerate().map(of_one).collect()
    }

    fn sampled<T>(&self, run: impl Fn(&dyn Subject, &mut Random) -> Option<T>) -> Vec<T> {
        let sample = |number| run(&*self.neighbour(number), &mut Random::new(number));
        (0..SAMPLES).filter_map(sample).collect()
    }

    /// Whether a difference is there at the neighbours as well. A mistake is; rounding is of either sign there, or as
    /// large as it scatters.
    pub(super) fn is_systematic(
        &self,
        here: f64,
        direction: &Floats,
        difference: impl Fn(&Tester<'_>, &Floats) -> Option<f64>,
    ) -> bool {
        let judge = |number| {
            let near = self.neighbour(number);
            let direction = self.jittered(direction, &mut Random::new(number), 1.0);
            difference(&Tester::new(&*near), &direction)
        };
        let mut all: Vec<f64> = (0..JURY).filter_map(judge).collect();
        if all.len() < QUORUM || !here.is_finite() || here.abs() > MARGIN * largest(&all) {
            return true;
        }
        all.push(here);
        all.sort_unstable_by(f64::total_cmp);
        all.windows(QUORUM).any(|some| {
            let (first, last) = (some[0], some[QUORUM - 1]);
            let has_one_sign = first > 0.0 || last < 0.0;
            has_one_sign && last - first < first.abs().min(last.abs())
        })
    }

    /// By how much samples of each float differ, with a margin. What is as small as a rounding of `scale` may be zero in
    /// all of them, so there the float itself counts, too.
    fn errors(&self, sampled: &[Vec<f64>], here: &[f64], scale: f64) -> Vec<f64> {
        let rounding = MARGIN * self.precision.epsilon * scale;
        let of_one = |(index, here): (usize, &f64)| {
            let own = (here.abs() <= rounding).then_some(*here);
            let samples =
                || sampled.iter().filter_map(|floats| floats.get(index).copied()).chain(own);
            let spread = samples().fold(f64::MIN, f64::max) - samples().fold(f64::MAX, f64::min);
            // There is none without samples, or where they are infinite.
            if spread > 0.0 && spread.is_finite() { MARGIN * spread } else { 0.0 }
        };
        here.iter().enumerate().map(of_one).collect()
    }

    /// The function at a point that is a few roundings away.
    fn neighbour(&self, number: u64) -> Box<dyn Subject + '_> {
        let mut random = Random::new(!number);
        let offset = |(index, size): (usize, &usize)| {
            let at = floats(&self.start[index]);
            let is_moved = self.is_active(index) && at.len() == *size;
            let reach = if is_moved { REACH * self.precision.epsilon } else { 0.0 };
            at.iter().map(|at| at * reach * random.weight()).collect()
        };
        let offset: Floats = self.sizes.iter().enumerate().map(offset).collect();
        self.subject.near(&offset)
    }

    /// A direction or a seed that is a few roundings away, and longer.
    fn jittered(&self, floats: &Floats, random: &mut Random, stretch: f64) -> Floats {
        let reach = REACH * self.precision.epsilon;
        let mut jittered = |float: &f64| float * stretch * (1.0 + reach * random.weight());
        floats.iter().map(|floats| floats.iter().map(&mut jittered).collect()).collect()
    }
}

fn stretch(random: &mut Random) -> f64 {
    1.0 + STRETCH * random.weight().abs()
}

fn shortened(floats: Vec<f64>, stretch: f64) -> Vec<f64> {
    floats.into_iter().map(|float| float / stretch).collect()
}

/// The largest float of a direction.
fn scale_of(direction: &Floats) -> f64 {
    direction.iter().map(|floats| largest(floats)).fold(0.0, f64::max)
}
