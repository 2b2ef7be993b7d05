//! A run of the simulation with both of its derivatives.
//!
//! In: the system before, and the schedule. Out: the system after, and the derivative of one by the other
//! and by the lengths of the steps: [`Motion::push`] takes a tangent along, [`Motion::pull`] takes a
//! cotangent back. [`numbers`] lists what a tangent holds, in the order of its fields.

use cotangent::{Differentiable, Tangent};

use super::system::{Leg, LegTangent, System, SystemTangent, simulate};

/// A simulated stretch of time.
pub struct Motion<'a> {
    /// Before.
    pub start: &'a System,
    /// After.
    pub end: System,
    /// The schedule.
    pub legs: &'a [Leg],
}

impl<'a> Motion<'a> {
    /// Runs the simulation.
    pub fn new(start: &'a System, legs: &'a [Leg]) -> Self {
        let mut end = start.clone();
        simulate(&mut end, legs);
        Self { start, end, legs }
    }

    /// How the end changes when the start changes by `start_dot`, and every step by `stretch` times its
    /// length.
    pub fn push(&self, mut start_dot: SystemTangent, stretch: f64) -> SystemTangent {
        let mut system = self.start.clone();
        let legs_dot: Vec<LegTangent> = self
            .legs
            .iter()
            .map(|leg| LegTangent { step: stretch * leg.step, ..leg.zero_tangent() })
            .collect();
        simulate::jvp(&mut system, &mut start_dot, self.legs, &legs_dot);
        start_dot
    }

    /// The gradient by the start, and by the length of the step of each leg, of what has the gradient
    /// `end_bar` by the end.
    pub fn pull(&self, mut end_bar: SystemTangent) -> (SystemTangent, Vec<LegTangent>) {
        let mut system = self.start.clone();
        let mut legs_bar: Vec<LegTangent> = self.legs.iter().map(Leg::zero_tangent).collect();
        let ((), pullback) = simulate::vjp(&mut system, self.legs);
        pullback(&mut system, &mut end_bar, self.legs, &mut legs_bar, ());
        (end_bar, legs_bar)
    }
}

/// All numbers of a tangent.
pub fn numbers(tangent: &impl Tangent) -> Vec<f64> {
    let mut numbers = vec![0.0; tangent.dim()];
    tangent.write_to(&mut numbers);
    numbers
}

/// The largest difference of two tangents, as a part of the largest number in the second.
pub fn deviation(found: &impl Tangent, expected: &impl Tangent) -> f64 {
    let (found, expected) = (numbers(found), numbers(expected));
    assert_eq!(found.len(), expected.len());
    let differences = found.iter().zip(&expected).map(|(a, b)| a - b);
    largest(differences) / largest(expected.iter().copied())
}

/// The largest absolute value; NaN when there is one.
pub fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values
        .into_iter()
        .map(f64::abs)
        .fold(0.0, |most, v| if v > most || v.is_nan() { v } else { most })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_is_a_nan_if_there_is_one() {
        assert_eq!(largest([1.0, -3.0, 2.0]), 3.0);
        assert!(largest([1.0, f64::NAN, 2.0]).is_nan());
    }

    #[test]
    fn a_deviation_is_relative_to_the_largest_number() {
        assert_eq!(deviation(&[10.0, 2.0], &[10.0, 1.0]), 0.1);
    }
}
