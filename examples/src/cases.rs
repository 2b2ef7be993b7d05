//! Each kernel with its input, ready to be called again and again.
//!
//! A [`Case`] is made of inputs, which are slices, and of functions of these that call the kernel, its derivatives and
//! those by hand. A run passes the inputs through `black_box`, zeroes the shadows, and returns the value; what it
//! wrote to the shadows counts as used. Gradients of all kinds so do the same work: clear, compute, keep.

use std::hint::black_box;
use std::ops::Range;
use std::rc::Rc;

use crate::inputs::sequence;

mod adbench;
mod lengths;
mod mooncake;
mod rules;
mod state;

pub use adbench::adbench;
pub use lengths::of_length;
pub use mooncake::mooncake;
pub use rules::rules;
pub use state::state;

/// The value of a kernel of `N` inputs.
pub type Primal<const N: usize> = fn([&[f64]; N]) -> f64;
/// Value and gradient: adds to the shadows of the first `A` inputs, which are active.
pub type Reverse<const N: usize, const A: usize> = fn([&[f64]; N], [&mut [f64]; A]) -> f64;
/// Value and tangent along a direction of the first `A` inputs.
pub type Forward<const N: usize, const A: usize> = fn([&[f64]; N], [&[f64]; A]) -> (f64, f64);

/// A [`Primal`] of any number of inputs.
type At = dyn Fn(&[Vec<f64>]) -> f64;
/// A [`Forward`] of any number of inputs.
type Along = dyn Fn(&[Vec<f64>], &[Vec<f64>]) -> (f64, f64);
/// A [`Reverse`] of inputs that it holds, onto any number of shadows.
type Onto = dyn Fn(&mut [Vec<f64>]) -> f64;

/// A kernel on a fixed input.
pub struct Case {
    /// The kernel and its size.
    pub name: &'static str,
    /// The value alone, and the value with a tangent.
    pub function: Function,
    /// Value and gradient by `accumulate_gradient`.
    pub ours: Gradient,
    /// Value and gradient written by hand, where somebody did.
    pub by_hand: Option<Gradient>,
    /// Value and gradient by other crates, under their names.
    pub peers: Vec<(&'static str, Gradient)>,
}

/// A kernel with its input, and a direction of that.
pub struct Function {
    inputs: Rc<[Vec<f64>]>,
    direction: Vec<Vec<f64>>,
    primal: Box<At>,
    jvp: Box<Along>,
}

impl Case {
    /// A kernel of which the first `A` inputs are active, with its derivatives in both modes.
    ///
    /// # Panics
    ///
    /// If there are fewer inputs.
    pub fn new<const N: usize, const A: usize>(
        name: &'static str,
        inputs: [Vec<f64>; N],
        primal: Primal<N>,
        ours: Reverse<N, A>,
        jvp: Forward<N, A>,
    ) -> Self {
        let direction = inputs[..A].iter().map(|input| sequence(input.len(), -1.0..2.0)).collect();
        let inputs: Rc<[Vec<f64>]> = inputs.into();
        let ours = Gradient::new(&inputs, ours);
        let function = Function {
            inputs,
            direction,
            primal: Box::new(move |x| primal(black_box(views(x)))),
            jvp: Box::new(move |x, x_dot| jvp(black_box(views(x)), black_box(views(x_dot)))),
        };
        Self { name, function, ours, by_hand: None, peers: Vec::new() }
    }

    /// The case with a gradient by hand, by the same inputs.
    ///
    /// # Panics
    ///
    /// If there are fewer inputs.
    #[must_use]
    pub fn by_hand<const N: usize, const A: usize>(mut self, by_hand: Reverse<N, A>) -> Self {
        self.by_hand = Some(Gradient::new(&self.function.inputs, by_hand));
        self
    }

    /// The case with a gradient by another crate, by the same inputs.
    ///
    /// # Panics
    ///
    /// If there are fewer inputs.
    #[must_use]
    pub fn peer<const N: usize, const A: usize>(
        mut self,
        name: &'static str,
        gradient: Reverse<N, A>,
    ) -> Self {
        self.peers.push((name, Gradient::new(&self.function.inputs, gradient)));
        self
    }
}

impl Function {
    /// Runs the primal.
    pub fn value(&self) -> f64 {
        (self.primal)(&self.inputs)
    }

    /// Runs `jvp` along a direction: value and tangent.
    pub fn jvp(&self) -> (f64, f64) {
        (self.jvp)(&self.inputs, &self.direction)
    }
}

/// A gradient of a kernel, with the shadows that it writes to.
pub struct Gradient {
    shadows: Vec<Vec<f64>>,
    run: Box<Onto>,
}

impl Gradient {
    fn new<const N: usize, const A: usize>(inputs: &Rc<[Vec<f64>]>, kernel: Reverse<N, A>) -> Self {
        let shadows = inputs[..A].iter().map(|input| vec![0.0; input.len()]).collect();
        let inputs = Rc::clone(inputs);
        let run = move |shadows: &mut [Vec<f64>]| {
            let mut shadows = shadows.iter_mut();
            let shadows =
                std::array::from_fn(|_| shadows.next().map(Vec::as_mut_slice).unwrap_or_default());
            kernel(black_box(views(&inputs)), shadows)
        };
        Self { shadows, run: Box::new(run) }
    }

    /// What the last run wrote, for each active input.
    pub fn shadows(&self) -> &[Vec<f64>] {
        &self.shadows
    }

    /// Zeroes the shadows and runs; returns the value.
    pub fn run(&mut self) -> f64 {
        for shadow in &mut self.shadows {
            shadow.fill(0.0);
        }
        let value = (self.run)(&mut self.shadows);
        black_box(&self.shadows);
        value
    }
}

/// The first inputs as slices.
fn views<const N: usize>(inputs: &[Vec<f64>]) -> [&[f64]; N] {
    std::array::from_fn(|index| inputs[index].as_slice())
}

/// A kernel of one slice of `len` elements within `range`.
fn over_slice(
    name: &'static str,
    (len, range): (usize, Range<f64>),
    primal: Primal<1>,
    ours: Reverse<1, 1>,
    jvp: Forward<1, 1>,
    by_hand: Reverse<1, 1>,
) -> Case {
    Case::new(name, [sequence(len, range)], primal, ours, jvp).by_hand(by_hand)
}

/// Adds to a shadow what a derivative returns.
pub fn add(shadow: &mut [f64], returned: &[f64]) {
    for (shadow, returned) in shadow.iter_mut().zip(returned) {
        *shadow += returned;
    }
}

/// The kernels of the first benchmark.
pub fn first() -> Vec<Case> {
    let names = [
        "sum 1000, loop",
        "sum of sines 1000, loop",
        "Rosenbrock 1000",
        "logistic regression 1000 × 50",
        "Lotka-Volterra 10000 steps",
    ];
    let mut all = mooncake();
    all.extend(state());
    all.retain(|case| names.contains(&case.name));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::agreement::assert_agreement;

    fn all() -> Vec<Case> {
        let mut all = mooncake();
        all.extend(state());
        all.extend(adbench());
        all.extend(rules());
        all
    }

    fn dot(a: &[Vec<f64>], b: &[Vec<f64>]) -> f64 {
        a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| a * b).sum()
    }

    /// The primal further along the direction.
    fn moved(case: &Case, by: f64) -> f64 {
        let mut inputs = case.function.inputs.to_vec();
        for (input, direction) in inputs.iter_mut().zip(&case.function.direction) {
            for (number, along) in input.iter_mut().zip(direction) {
                *number += by * along;
            }
        }
        (case.function.primal)(&inputs)
    }

    #[test]
    fn all_runs_of_a_case_give_the_same_value() {
        for mut case in all() {
            let value = case.function.value();
            assert!(value.is_finite());
            for _ in 0..2 {
                assert_eq!(case.ours.run(), value, "{}", case.name);
                if let Some(by_hand) = &mut case.by_hand {
                    let error = (by_hand.run() - value).abs();
                    assert!(error <= 1e-12 * value.abs(), "{}", case.name);
                }
            }
            assert_eq!(case.function.jvp().0, value, "{}", case.name);
        }
    }

    #[test]
    fn gradients_and_tangents_of_a_case_agree() {
        for mut case in all() {
            let (_, tangent) = case.function.jvp();
            case.ours.run();
            let along = dot(&case.ours.shadows, &case.function.direction);
            let scale = dot(&case.ours.shadows, &case.ours.shadows).sqrt()
                * dot(&case.function.direction, &case.function.direction).sqrt();
            assert!((along - tangent).abs() <= 1e-12 * scale, "{}: {along}, {tangent}", case.name);
            let step = 1e-6;
            let difference = (moved(&case, step) - moved(&case, -step)) / (2.0 * step);
            let error = (along - difference).abs();
            assert!(error <= 1e-6 * scale, "{}: {along}, {difference}", case.name);
            let Some(by_hand) = &mut case.by_hand else { continue };
            by_hand.run();
            assert_eq!(case.ours.shadows.len(), by_hand.shadows.len(), "{}", case.name);
            for (ours, by_hand) in case.ours.shadows.iter().zip(&by_hand.shadows) {
                assert_agreement(ours, by_hand);
            }
        }
    }
}
