//! Unknowns and residuals: floats that lie one after the other.

use alloc::vec::Vec;

use crate::float::Float;

/// An unknown of an equation: a float, or an array or a vector of floats. It is its own tangent.
#[diagnostic::on_unimplemented(
    message = "the solution of an equation is a float, an array `[f64; N]` or a `Vec<f64>`, and so is what is zero there",
    label = "this is `{Self}`"
)]
pub trait Unknown: Clone {
    /// `f64` or `f32`.
    type Float: Float;

    /// The floats.
    fn entries(&self) -> &[Self::Float];

    /// The floats, to be written.
    fn entries_mut(&mut self) -> &mut [Self::Float];

    /// A zero of the same shape.
    fn zero(&self) -> Self {
        let mut zero = self.clone();
        zero.entries_mut().fill(num_traits::Zero::zero());
        zero
    }
}

impl<T: Float> Unknown for T {
    type Float = T;

    fn entries(&self) -> &[T] {
        core::slice::from_ref(self)
    }

    fn entries_mut(&mut self) -> &mut [T] {
        core::slice::from_mut(self)
    }
}

impl<T: Float, const N: usize> Unknown for [T; N] {
    type Float = T;

    fn entries(&self) -> &[T] {
        self
    }

    fn entries_mut(&mut self) -> &mut [T] {
        self
    }
}

impl<T: Float> Unknown for Vec<T> {
    type Float = T;

    fn entries(&self) -> &[T] {
        self
    }

    fn entries_mut(&mut self) -> &mut [T] {
        self
    }
}

/// Returns the floats of one value in the shape of another.
///
/// # Panics
///
/// When one has more floats than the other.
#[track_caller]
pub fn shaped<Y: Unknown, R: Unknown<Float = Y::Float>>(like: &R, value: &Y) -> R {
    let mut shaped = like.clone();
    shaped.entries_mut().copy_from_slice(value.entries());
    shaped
}

/// Returns the seeds of a gradient with all of its tangents: one, and zeros.
pub fn first<T: Float, const TIMES: usize>(_: &T) -> [T; TIMES] {
    core::array::from_fn(|index| if index == 0 { T::one() } else { T::zero() })
}
