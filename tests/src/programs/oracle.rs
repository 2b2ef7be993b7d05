//! What a derivative must fulfil, tested without looking at how it was made.
//!
//! In comes a [`Subject`], a function with its derivatives over flat lists of floats, and a [`Point`];
//! out comes what does not hold. **Inputs** are the floats of all parameters in their order, **results**
//! those of the value and then of the `&mut` parameters as they are left.
//!
//! Differences are believed only where several step sizes, and both sides, agree with one another: next to
//! a corner or a jump they do not, and then that point counts as skipped. Nothing else is ever skipped.

use std::fmt;

use super::random::Random;
use super::syntax::Access;

/// A function with its derivatives.
pub trait Subject {
    /// How each input is passed.
    fn layout(&self) -> Vec<Access>;
    /// The results.
    fn primal(&self, at: &[f64], n: usize) -> Vec<f64>;
    /// The results and their tangents, by `jvp`.
    fn forward(&self, at: &[f64], direction: &[f64], n: usize) -> (Vec<f64>, Vec<f64>);
    /// What `vjp` and its pullback make, with the cotangents of the results, and what is in the shadows of
    /// the inputs behind `&` before.
    fn reverse(&self, at: &[f64], n: usize, shadows: &[f64], seeds: &[f64]) -> Reverse;
    /// What `value_and_gradient` makes, where it exists.
    fn gradient(&self, at: &[f64], n: usize) -> Option<Reverse>;
    /// What the library's own tester, `check!`, says.
    fn check(&self, at: &[f64], n: usize) -> Result<(), Complaint>;
}

/// A mismatch that `check!` reports.
#[derive(Clone, Debug)]
pub struct Complaint {
    /// Whether it is about a comparison with differences.
    pub about_differences: bool,
    /// Its sentence.
    pub message: String,
}

/// What reverse mode makes.
#[derive(Clone, Debug, Default)]
pub struct Reverse {
    /// The results after the forward pass; of `gradient`, the value alone.
    pub results: Vec<f64>,
    /// The inputs behind `&mut` after the pullback.
    pub restored: Vec<f64>,
    /// The cotangents of all inputs; of those behind `&`, what is in the shadow afterwards.
    pub cotangents: Vec<f64>,
}

/// Where a function is tested.
#[derive(Clone, Debug)]
pub struct Point {
    /// The inputs.
    pub at: Vec<f64>,
    /// The integer.
    pub n: usize,
    /// Where the directions come from.
    pub seed: u64,
}

/// What may not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Property {
    /// The values of all modes are those of the function, bit for bit.
    Value,
    /// `jvp` agrees with central differences.
    Difference,
    /// ⟨ȳ, J ẋ⟩ = ⟨Jᵀ ȳ, ẋ⟩.
    Transpose,
    /// `&mut` arguments are as before the call, bit for bit.
    Restored,
    /// Shadows are added to.
    Shadow,
    /// A second run gives the same bits.
    Repeat,
    /// `value_and_gradient` agrees with the pullback.
    Gradient,
    /// `check!` has nothing to say.
    Check,
    /// Nothing panics.
    Panic,
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// What does not hold at a point, and how.
pub type Failure = (Property, String);

/// What was found at one point.
#[derive(Clone, Debug, Default)]
pub struct Judgement {
    /// What does not hold.
    pub failures: Vec<Failure>,
    /// Whether some differences could not be believed.
    pub skipped: bool,
    /// Whether a result is not finite.
    pub infinite: bool,
}

/// How many directions are followed at a point.
const DIRECTIONS: usize = 3;
/// Relative error that rounding may make of a derivative.
const ROUNDING: f64 = 1e-9;
/// Relative error that is allowed between a tangent and differences.
const DIFFERENCE: f64 = 1e-5;
/// The steps of central differences.
const STEPS: [f64; 3] = [1e-4, 1e-5, 1e-6];

/// Tests all properties at a point.
#[must_use]
pub fn judge(subject: &dyn Subject, point: &Point) -> Judgement {
    let mut judge = Judge {
        subject,
        point,
        results: subject.primal(&point.at, point.n),
        random: Random::new(point.seed),
        found: Judgement::default(),
    };
    judge.found.infinite = !judge.results.iter().all(|result| result.is_finite());
    judge.repeat();
    for _ in 0..DIRECTIONS {
        judge.direction();
    }
    judge.gradient();
    judge.check();
    judge.found
}

struct Judge<'s> {
    subject: &'s dyn Subject,
    point: &'s Point,
    results: Vec<f64>,
    random: Random,
    found: Judgement,
}

impl Judge<'_> {
    fn fail(&mut self, property: Property, message: String) {
        self.found.failures.push((property, message));
    }

    fn same(&mut self, property: Property, what: &str, found: &[f64], expected: &[f64]) {
        if !same_bits(found, expected) {
            self.fail(property, format!("{what} {found:?}, expected {expected:?}"));
        }
    }

    fn draw(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|_| self.random.between(-1.0, 1.0)).collect()
    }

    fn repeat(&mut self) {
        let again = self.subject.primal(&self.point.at, self.point.n);
        let results = self.results.clone();
        self.same(Property::Repeat, "a second call makes", &again, &results);
    }

    fn direction(&mut self) {
        let direction = self.draw(self.point.at.len());
        let seeds = self.draw(self.results.len());
        let Some(tangents) = self.forward(&direction) else { return };
        self.reverse(&direction, &seeds, &tangents);
    }

    /// Tests `jvp` and returns its tangents.
    fn forward(&mut self, direction: &[f64]) -> Option<Vec<f64>> {
        let Point { at, n, .. } = self.point;
        let (results, tangents) = self.subject.forward(at, direction, *n);
        let (results_again, tangents_again) = self.subject.forward(at, direction, *n);
        let expected = self.results.clone();
        self.same(Property::Value, "jvp makes", &results, &expected);
        self.same(Property::Repeat, "a second jvp makes", &results_again, &results);
        self.same(Property::Repeat, "a second jvp has the tangents", &tangents_again, &tangents);
        if tangents.len() != expected.len() {
            let message = format!("{} tangents of {} results", tangents.len(), expected.len());
            self.fail(Property::Value, message);
            return None;
        }
        self.differences(direction, &tangents);
        Some(tangents)
    }

    fn differences(&mut self, direction: &[f64], tangents: &[f64]) {
        let Some(differences) = Differences::of(self.subject, self.point, &self.results, direction)
        else {
            self.found.skipped = true;
            return;
        };
        for (result, tangent) in tangents.iter().enumerate() {
            match differences.estimate(result) {
                None => self.found.skipped = true,
                Some((value, error)) => {
                    let allowed = DIFFERENCE * (1.0 + value.abs()) + error;
                    // A NaN is not close to anything.
                    let close = (value - tangent).abs() <= allowed;
                    if !close {
                        let message =
                            format!("result {result}: jvp {tangent}, differences {value}");
                        self.fail(Property::Difference, message);
                    }
                }
            }
        }
    }

    /// Tests `vjp` along a direction whose tangents are known.
    fn reverse(&mut self, direction: &[f64], seeds: &[f64], tangents: &[f64]) {
        let layout = self.subject.layout();
        let shared: Vec<bool> = layout.iter().map(|access| *access == Access::Shared).collect();
        let zeros = vec![0.0; shared.iter().filter(|shared| **shared).count()];
        let made = self.run_reverse(&zeros, seeds);
        let again = self.run_reverse(&zeros, seeds);
        self.same(Property::Repeat, "a second pullback has", &again.cotangents, &made.cotangents);
        if made.cotangents.len() != direction.len() {
            let message =
                format!("{} cotangents of {} inputs", made.cotangents.len(), direction.len());
            self.fail(Property::Transpose, message);
            return;
        }
        self.transpose(direction, seeds, tangents, &made.cotangents);
        let before = self.draw(zeros.len());
        let added = self.run_reverse(&before, seeds);
        self.shadows(&shared, &before, &made.cotangents, &added.cotangents);
    }

    fn run_reverse(&mut self, shadows: &[f64], seeds: &[f64]) -> Reverse {
        let Point { at, n, .. } = self.point;
        let made = self.subject.reverse(at, *n, shadows, seeds);
        let expected = self.results.clone();
        self.same(Property::Value, "vjp makes", &made.results, &expected);
        let unique = self.unique_inputs();
        self.same(Property::Restored, "the pullback leaves", &made.restored, &unique);
        made
    }

    fn unique_inputs(&self) -> Vec<f64> {
        let inputs = self.subject.layout().into_iter().zip(&self.point.at);
        inputs.filter(|(access, _)| *access == Access::Unique).map(|(_, input)| *input).collect()
    }

    fn transpose(
        &mut self,
        direction: &[f64],
        seeds: &[f64],
        tangents: &[f64],
        cotangents: &[f64],
    ) {
        let (forward, forward_size) = product(seeds, tangents);
        let (reverse, reverse_size) = product(cotangents, direction);
        let close = (forward - reverse).abs() <= ROUNDING * (1.0 + forward_size.max(reverse_size));
        let both_infinite = !forward.is_finite() && !reverse.is_finite();
        if !(close || self.found.infinite && both_infinite) {
            let message = format!("forward {forward}, reverse {reverse}");
            self.fail(Property::Transpose, message);
        }
    }

    fn shadows(&mut self, shared: &[bool], before: &[f64], zero: &[f64], added: &[f64]) {
        let mut before = before.iter();
        for (input, (zero, added)) in zero.iter().zip(added).enumerate() {
            let expected =
                zero + if shared[input] { *before.next().expect("one each") } else { 0.0 };
            let close = (added - expected).abs() <= ROUNDING * (1.0 + expected.abs());
            if !(close || self.found.infinite && !zero.is_finite()) {
                self.fail(Property::Shadow, format!("input {input}: {added}, expected {expected}"));
            }
        }
    }

    fn gradient(&mut self) {
        let Point { at, n, .. } = self.point;
        let Some(made) = self.subject.gradient(at, *n) else { return };
        let value = self.results[..1].to_vec();
        self.same(Property::Value, "value_and_gradient makes", &made.results, &value);
        let unique = self.unique_inputs();
        self.same(Property::Restored, "gradient leaves", &made.restored, &unique);
        let shared =
            self.subject.layout().iter().filter(|access| **access == Access::Shared).count();
        let mut seeds = vec![0.0; self.results.len()];
        seeds[0] = 1.0;
        let expected = self.run_reverse(&vec![0.0; shared], &seeds).cotangents;
        let close =
            |(a, b): (&f64, &f64)| (a - b).abs() <= ROUNDING * (1.0 + a.abs()) || a.is_nan();
        let sizes = made.cotangents.len() == expected.len();
        if !(sizes && expected.iter().zip(&made.cotangents).all(close)) {
            let message = format!("gradient {:?}, pullback {expected:?}", made.cotangents);
            self.fail(Property::Gradient, message);
        }
    }

    fn check(&mut self) {
        if let Err(complaint) = self.subject.check(&self.point.at, self.point.n) {
            let excused = self.found.skipped || self.found.infinite;
            if !(complaint.about_differences && excused) {
                self.fail(Property::Check, complaint.message);
            }
        }
    }
}

/// The results at a point and around it.
struct Differences {
    at: Vec<f64>,
    sides: Vec<Sides>,
}

impl Differences {
    fn of(
        subject: &dyn Subject,
        point: &Point,
        at: &[f64],
        direction: &[f64],
    ) -> Option<Differences> {
        let moved = |step: f64| {
            let inputs = point.at.iter().zip(direction);
            let inputs: Vec<f64> = inputs.map(|(input, along)| input + step * along).collect();
            Some(subject.primal(&inputs, point.n)).filter(|results| results.len() == at.len())
        };
        let sides = STEPS
            .iter()
            .map(|step| Some(Sides { step: *step, above: moved(*step)?, below: moved(-step)? }));
        Some(Differences { at: at.to_vec(), sides: sides.collect::<Option<_>>()? })
    }

    /// The derivative of a result and how far it may be off, unless the differences disagree.
    fn estimate(&self, result: usize) -> Option<(f64, f64)> {
        let sides = self.sides.iter().map(|side| side.quotients(self.at[result], result));
        let [coarse, middle, fine] = sides.collect::<Vec<_>>().try_into().ok()?;
        let size = 1.0 + middle.central.abs();
        // At a corner both sides differ by as much at any step, elsewhere in proportion to it.
        let shrinks = |from: &Quotients, to: &Quotients| to.bend <= 0.5 * from.bend + 1e-6 * size;
        let spread =
            (coarse.central - middle.central).abs().max((middle.central - fine.central).abs());
        let smooth = shrinks(&coarse, &middle) && shrinks(&middle, &fine);
        (smooth && spread <= 1e-4 * size).then_some((middle.central, 10.0 * spread))
    }
}

/// The results at one distance above and below a point.
struct Sides {
    step: f64,
    above: Vec<f64>,
    below: Vec<f64>,
}

/// The slope of one result, and how much it differs between the two sides.
struct Quotients {
    central: f64,
    bend: f64,
}

impl Sides {
    fn quotients(&self, middle: f64, result: usize) -> Quotients {
        let (above, below) = (self.above[result], self.below[result]);
        let bend = ((above - middle) - (middle - below)).abs() / self.step;
        Quotients { central: (above - below) / (2.0 * self.step), bend }
    }
}

fn product(left: &[f64], right: &[f64]) -> (f64, f64) {
    let terms = left.iter().zip(right).map(|(a, b)| a * b);
    terms.fold((0.0, 0.0), |(sum, size): (f64, f64), term| (sum + term, size + term.abs()))
}

fn same_bits(found: &[f64], expected: &[f64]) -> bool {
    let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
    found.len() == expected.len() && found.iter().zip(expected).all(same)
}
