//! Vectors: `dot`, `axpy` and `norm2`.

use super::Float;
use super::{kernel, shape};
use crate::{differentiate, primitive};

/// The dot product of two vectors, `Σ x[i] y[i]`.
///
/// The sum runs in several lanes, and so differs from a plain loop's by rounding. Derivatives: `x̄ += ȳ y` and
/// `ȳ += ȳ x`, two loops without a sum.
///
/// ```
/// use cotangent::{differentiate, linalg};
///
/// #[differentiate]
/// fn power(force: &[f64], velocity: &[f64]) -> f64 {
///     linalg::dot(force, velocity)
/// }
///
/// let (force_bar, velocity_bar) = power::gradient(&[1.0, 2.0], &[3.0, 4.0]);
/// assert_eq!((force_bar, velocity_bar), (vec![3.0, 4.0], vec![1.0, 2.0]));
/// ```
///
/// # Panics
///
/// When the lengths differ.
#[track_caller]
#[primitive(vjp = dot_vjp, jvp = dot_jvp)]
#[differentiate]
#[differentiate]
pub fn dot<T: Float>(x: &[T], y: &[T]) -> T {
    shape::check_same("dot", ("x", x), ("y", y));
    kernel::dot(x, y)
}

fn dot_vjp<T: Float>(
    x: &[T],
    y: &[T],
) -> (T, impl FnOnce(&[T], &mut [T], &[T], &mut [T], T) + use<T>) {
    let value = dot(x, y);
    (value, |x: &[T], x_bar: &mut [T], y: &[T], y_bar: &mut [T], value_bar: T| {
        kernel::axpy(value_bar, y, x_bar);
        kernel::axpy(value_bar, x, y_bar);
    })
}

#[differentiate(overlay(kernel::dot = dot))]
fn dot_jvp<T: Float>(x: &[T], x_dot: &[T], y: &[T], y_dot: &[T]) -> (T, T) {
    (dot(x, y), kernel::dot(x_dot, y) + kernel::dot(x, y_dot))
}

/// Adds a multiple of a vector to another in place, `y += a x`.
///
/// Derivatives: `ā = Σ x[i] ȳ[i]` and `x̄ += a ȳ`; the cotangent of what was in `y` is that of what is there after.
///
/// ```
/// use cotangent::{differentiate, linalg};
///
/// #[differentiate]
/// fn energy(step: f64, direction: &[f64], x: &[f64]) -> f64 {
///     let mut moved = x.to_vec();
///     linalg::axpy(step, direction, &mut moved);
///     linalg::dot(&moved, &moved)
/// }
///
/// assert_eq!(energy::gradient(0.5, &[2.0, 0.0], &[1.0, 3.0]).0, 8.0);
/// ```
///
/// # Panics
///
/// When the lengths differ.
#[track_caller]
#[primitive(vjp = axpy_vjp, jvp = axpy_jvp)]
#[differentiate]
#[differentiate]
pub fn axpy<T: Float>(a: T, x: &[T], y: &mut [T]) {
    shape::check_same("axpy", ("x", x), ("y", y));
    kernel::axpy(a, x, y);
}

fn axpy_vjp<T: Float>(
    a: T,
    x: &[T],
    y: &mut [T],
) -> ((), impl FnOnce(&[T], &mut [T], &mut [T], &mut [T], ()) -> T + use<T>) {
    let before = y.to_vec();
    axpy(a, x, y);
    ((), move |x: &[T], x_bar: &mut [T], y: &mut [T], y_bar: &mut [T], (): ()| {
        y.copy_from_slice(&before);
        kernel::axpy(a, y_bar, x_bar);
        kernel::dot(x, y_bar)
    })
}

#[differentiate(overlay(kernel::axpy = axpy))]
fn axpy_jvp<T: Float>(
    a: T,
    a_dot: T,
    x: &[T],
    x_dot: &[T],
    y: &mut [T],
    y_dot: &mut [T],
) -> ((), ()) {
    axpy(a, x, y);
    kernel::axpy(a, x_dot, y_dot);
    kernel::axpy(a_dot, x, y_dot);
    ((), ())
}

/// The Euclidean norm of a vector, `√Σ x[i]²`, which neither overflows nor underflows before the result does.
///
/// Derivative: `x̄ += ȳ x / y`, and zero where the norm is zero, where it has a corner.
///
/// ```
/// use cotangent::linalg::norm2;
///
/// assert_eq!(norm2::value_and_gradient(&[3.0, 4.0]), (5.0, vec![0.6, 0.8]));
/// let large = f64::MAX / 8.0;
/// assert_eq!(norm2::gradient(&[3.0 * large, 4.0 * large]), [0.6, 0.8]);
/// assert_eq!(norm2::gradient(&[0.0, 0.0]), [0.0, 0.0]);
/// ```
#[primitive(vjp = norm_vjp, jvp = norm_jvp)]
#[differentiate]
#[differentiate]
pub fn norm2<T: Float>(x: &[T]) -> T {
    let squares = kernel::dot(x, x);
    let least = T::min_positive_value() / T::epsilon();
    if squares.is_nan() || (least..T::infinity()).contains(&squares) {
        return squares.sqrt();
    }
    let largest = x.iter().fold(T::zero(), |largest, x| largest.max(x.abs()));
    if largest == T::zero() || largest.is_infinite() {
        return largest;
    }
    let sum = x.iter().fold(T::zero(), |sum, &x| sum + (x / largest) * (x / largest));
    largest * sum.sqrt()
}

fn norm_vjp<T: Float>(x: &[T]) -> (T, impl FnOnce(&[T], &mut [T], T) + use<T>) {
    let norm = norm2(x);
    (norm, move |x: &[T], x_bar: &mut [T], norm_bar: T| {
        shape::check_beside(x, x_bar);
        if norm != T::zero() {
            x.iter().zip(x_bar).for_each(|(&x, x_bar)| *x_bar += norm_bar * (x / norm));
        }
    })
}

#[differentiate]
fn norm_jvp<T: Float>(x: &[T], x_dot: &[T]) -> (T, T) {
    shape::check_fit(x_dot.len(), x.len());
    let norm = norm2(x);
    if norm == T::zero() {
        return (norm, norm);
    }
    let tangent = x.iter().zip(x_dot).fold(T::zero(), |sum, (&x, &x_dot)| sum + x / norm * x_dot);
    (norm, tangent)
}
