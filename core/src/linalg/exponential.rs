//! Sums of exponentials: `logsumexp` and `softmax`.

use super::shape::{check_beside, check_fit};
use super::vector::dot;
use super::{Float, kernel};
use crate::{differentiate, primitive};
use alloc::vec::Vec;

/// `ln Σ exp(x[i])`, which does not overflow before the result does; of no entries it is minus infinity.
///
/// Derivative: `x̄[i] += ȳ softmax(x)[i]`, and zero where all entries are minus infinity.
///
/// ```
/// use cotangent::linalg::logsumexp;
///
/// let (value, gradient) = logsumexp::value_and_gradient(&[1000.0, 1000.0]);
/// assert_eq!((value, gradient), (1000.0 + 2.0_f64.ln(), vec![0.5, 0.5]));
/// ```
#[primitive(vjp = logsumexp_vjp, jvp = logsumexp_jvp)]
#[differentiate]
#[differentiate]
pub fn logsumexp<T: Float>(x: &[T]) -> T {
    Sum::of(x).logarithm()
}

/// `exp(largest) * scaled`.
#[derive(Clone, Copy)]
struct Sum<T> {
    largest: T,
    scaled: T,
}

impl<T: Float> Sum<T> {
    fn of(x: &[T]) -> Self {
        let largest = largest(x);
        let scaled = x.iter().fold(T::zero(), |sum, &x| sum + term(x, largest));
        Sum { largest, scaled }
    }

    fn logarithm(self) -> T {
        self.largest + self.scaled.ln()
    }

    /// The derivative of the logarithm by one entry: its share in the sum.
    fn share(self, x: T) -> T {
        if self.largest == T::neg_infinity() {
            return T::zero();
        }
        term(x, self.largest) / self.scaled
    }
}

/// `exp(x - largest)`, where infinities are equal to themselves.
fn term<T: Float>(x: T, largest: T) -> T {
    if x == largest { T::one() } else { (x - largest).exp() }
}

fn largest<T: Float>(x: &[T]) -> T {
    x.iter().fold(T::neg_infinity(), |largest, &x| largest.max(x))
}

fn logsumexp_vjp<T: Float>(x: &[T]) -> (T, impl FnOnce(&[T], &mut [T], T) + use<T>) {
    let sum = Sum::of(x);
    (sum.logarithm(), move |x: &[T], x_bar: &mut [T], value_bar: T| {
        check_beside(x, x_bar);
        x.iter().zip(x_bar).for_each(|(&x, x_bar)| *x_bar += value_bar * sum.share(x));
    })
}

fn logsumexp_jvp<T: Float>(x: &[T], x_dot: &[T]) -> (T, T) {
    check_beside(x, x_dot);
    let sum = Sum::of(x);
    let tangents = x.iter().zip(x_dot).map(|(&x, &x_dot)| sum.share(x) * x_dot);
    (sum.logarithm(), tangents.fold(T::zero(), |sum, tangent| sum + tangent))
}

/// The same by functions that have rules: what is differentiated in the place of `logsumexp_jvp`.
#[differentiate(companion = logsumexp_jvp)]
fn logsumexp_by_softmax<T: Float>(x: &[T], x_dot: &[T]) -> (T, T) {
    let logarithm = logsumexp(x);
    if logarithm == T::neg_infinity() {
        return (logarithm, T::zero());
    }
    (logarithm, dot(&softmax(x), x_dot))
}

/// `exp(x[i]) / Σ exp(x[j])`, which does not overflow. Infinities are equal to themselves.
///
/// Derivative: `x̄[i] += y[i] (ȳ[i] - Σ y[j] ȳ[j])`.
///
/// ```
/// use cotangent::{differentiate, linalg};
///
/// #[differentiate]
/// fn first(x: &[f64]) -> f64 {
///     linalg::softmax(x)[0]
/// }
///
/// assert_eq!(first::value_and_gradient(&[1000.0, 1000.0]), (0.5, vec![0.25, -0.25]));
/// ```
#[primitive(vjp = softmax_vjp, jvp = softmax_jvp)]
#[differentiate]
#[differentiate]
pub fn softmax<T: Float>(x: &[T]) -> Vec<T> {
    let largest = largest(x);
    let mut y: Vec<T> = x.iter().map(|&x| term(x, largest)).collect();
    let sum = y.iter().fold(T::zero(), |sum, &y| sum + y);
    y.iter_mut().for_each(|y| *y /= sum);
    y
}

fn softmax_vjp<T: Float>(x: &[T]) -> (Vec<T>, impl FnOnce(&[T], &mut [T], Vec<T>) + use<T>) {
    let y = softmax(x);
    let residual = y.clone();
    (y, move |x: &[T], x_bar: &mut [T], y_bar: Vec<T>| {
        check_beside(x, x_bar);
        let mean = kernel::dot(&residual, &y_bar);
        for ((&y, &y_bar), x_bar) in residual.iter().zip(&y_bar).zip(x_bar) {
            *x_bar += y * (y_bar - mean);
        }
    })
}

#[differentiate]
fn softmax_jvp<T: Float>(x: &[T], x_dot: &[T]) -> (Vec<T>, Vec<T>) {
    check_fit(x_dot.len(), x.len());
    let y = softmax(x);
    let mean = dot(&y, x_dot);
    let y_dot = y.iter().zip(x_dot).map(|(&y, &x_dot)| y * (x_dot - mean)).collect();
    (y, y_dot)
}
