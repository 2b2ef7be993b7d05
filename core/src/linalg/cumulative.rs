//! Cumulative sums.

use super::Float;
use super::shape::check_beside;
use crate::{differentiate, primitive};
use alloc::vec::Vec;

/// The sums of the entries up to each, `y[i] = x[0] + … + x[i]`.
///
/// Derivative: the same from the other end, `x̄[i] += ȳ[i] + … + ȳ[n - 1]`.
///
/// ```
/// use cotangent::{differentiate, linalg};
///
/// #[differentiate]
/// fn area(x: &[f64]) -> f64 {
///     linalg::cumsum(x).iter().sum()
/// }
///
/// assert_eq!(linalg::cumsum(&[1.0, 2.0, 3.0]), [1.0, 3.0, 6.0]);
/// assert_eq!(area::gradient(&[1.0, 2.0, 3.0]), [3.0, 2.0, 1.0]);
/// ```
#[primitive(vjp = cumsum_vjp, jvp = cumsum_jvp)]
#[differentiate]
#[differentiate]
pub fn cumsum<T: Float>(x: &[T]) -> Vec<T> {
    let mut sum = T::zero();
    let sums = x.iter().map(|x| {
        sum += *x;
        sum
    });
    sums.collect()
}

fn cumsum_vjp<T: Float>(x: &[T]) -> (Vec<T>, impl FnOnce(&[T], &mut [T], Vec<T>) + use<T>) {
    (cumsum(x), |_: &[T], x_bar: &mut [T], y_bar: Vec<T>| {
        check_beside(&y_bar, x_bar);
        let mut sum = T::zero();
        for (x_bar, y_bar) in x_bar.iter_mut().zip(y_bar).rev() {
            sum += y_bar;
            *x_bar += sum;
        }
    })
}

#[differentiate]
fn cumsum_jvp<T: Float>(x: &[T], x_dot: &[T]) -> (Vec<T>, Vec<T>) {
    (cumsum(x), cumsum(x_dot))
}
