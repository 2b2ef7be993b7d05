//! Type parameters that stand for floats, and such that do not; `impl Trait`; generic types.
#![deny(warnings, unused, missing_docs, missing_debug_implementations)]

use cotangent::{Differentiable, Float, differentiate};
use std::fmt::Debug;
use std::ops::{Add, Mul};

/// Generic over which float.
#[differentiate]
pub fn weighted<T: Float>(x: &[T], w: T) -> T {
    let mut sum = T::zero();
    for x in x {
        sum += *x * w.exp();
    }
    sum / T::from(2).unwrap()
}

/// With a bound on an operator, and one in a clause.
#[differentiate]
pub fn ring<T>(x: T, y: T) -> (T, [T; 2])
where
    T: num_traits::Num + Copy,
{
    (x * y + T::one(), [x, y])
}

/// Operators only.
#[differentiate]
pub fn product<'a, T: Add<Output = T> + Mul<Output = T> + Copy, const N: usize>(x: &'a [T; N]) -> T {
    x[0] * x[N - 1] + x[0]
}

/// Parameters that are no floats.
#[differentiate]
pub fn tagged<P: Clone, K: Debug>(point: &P, tag: &K, label: impl Debug, x: f64) -> (P, f64) {
    println!("{tag:?} {label:?}");
    (point.clone(), x * x)
}

/// A constant parameter of a type without tangent.
#[differentiate(constant(tag))]
pub fn constant<K: Debug + Copy>(tag: K, x: f64) -> f64 {
    println!("{tag:?}");
    x * x
}

/// A generic type.
#[derive(Clone, Debug, Differentiable)]
pub struct Spring<T> {
    /// Its stiffness.
    pub stiffness: T,
}

#[differentiate]
impl<T: Float> Spring<T> {
    /// The energy at `x`.
    pub fn energy(&self, x: T) -> T {
        self.stiffness * x * x
    }

    fn soften(&mut self, by: T) {
        self.stiffness = self.stiffness * by;
    }
}

/// Calls, with and without a turbofish.
#[differentiate]
pub fn calls<T: Float>(spring: &mut Spring<T>, x: &[T]) -> T {
    spring.soften(x[0]);
    spring.energy(weighted::<T>(x, x[0])) + weighted(x, x[1])
}

/// For any float.
pub fn slope<T: Float>(x: &[T]) -> Vec<T> {
    weighted::gradient(x, T::one()).0
}

fn main() {
    #[derive(Debug, Clone, Copy)]
    struct Untouched;

    assert_eq!(slope(&[1.0_f32]), [1.0_f32.exp() / 2.0]);
    assert_eq!(slope(&[1.0]), [1.0_f64.exp() / 2.0]);
    assert_eq!(ring(2.0, 3.0).1, [2.0, 3.0]);
    assert_eq!(product::gradient(&[2.0, 3.0]), [4.0, 2.0]);
    assert_eq!(tagged(&1, &2, 'a', 3.0).1, 9.0);
    assert_eq!(constant::gradient(Untouched, 3.0), 6.0);
    assert_eq!(Spring { stiffness: 2.0 }.energy_gradient(3.0).1, 12.0);
    let _ = calls::gradient(&mut Spring { stiffness: 2.0 }, &[1.0, 2.0]);
}
