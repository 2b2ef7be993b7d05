//! Bessel functions of the first kind.

use super::widened;
use crate::{Float, differentiate, primitive};

/// The Bessel function `J₀(x)` (DLMF 10.2.2).
///
/// ```
/// use cotangent::special::{bessel_j0, bessel_j1};
///
/// assert_eq!(bessel_j0::value_and_gradient(0.0), (1.0, 0.0));
/// assert_eq!(bessel_j0::gradient(2.0), -bessel_j1(2.0));
/// ```
#[primitive(partials(-bessel_j1(x)))]
#[differentiate]
#[differentiate]
#[differentiate]
pub fn bessel_j0<T: Float>(x: T) -> T {
    widened(libm::j0, x)
}

/// The Bessel function `J₁(x)` (DLMF 10.2.2).
///
/// ```
/// use cotangent::special::bessel_j1;
///
/// assert_eq!(bessel_j1::value_and_gradient(0.0), (0.0, 0.5));
/// ```
#[primitive(partials(slope(x)))]
#[differentiate]
#[differentiate]
#[differentiate]
pub fn bessel_j1<T: Float>(x: T) -> T {
    widened(libm::j1, x)
}

/// The Bessel function `Jₙ(x)` of an integer order (DLMF 10.2.2).
///
/// ```
/// use cotangent::special::{bessel_j0, bessel_j1, bessel_jn};
///
/// assert_eq!(bessel_jn(-1, 2.0), -bessel_j1(2.0));
/// assert_eq!(bessel_jn::gradient(0, 2.0), bessel_j0::gradient(2.0));
/// ```
#[primitive(partials((bessel_jn(n - 1, x) - bessel_jn(n + 1, x)) / T::literal(2.0)))]
#[differentiate]
#[differentiate]
#[differentiate]
pub fn bessel_jn<T: Float>(n: i32, x: T) -> T {
    widened(|x| libm::jn(n, x), x)
}

/// The derivative of `J₁` (DLMF 10.6.2), which is one half around zero: the next term is `-3/16 x²`. Its own derivative
/// is by DLMF 10.6.7.
#[primitive(partials((bessel_jn(3, x) - T::literal(3.0) * bessel_j1(x)) / T::literal(4.0)))]
#[differentiate]
#[differentiate]
#[differentiate]
fn slope<T: Float>(x: T) -> T {
    let of = |x: f64| if x.abs() < 1e-9 { 0.5 } else { libm::j0(x) - libm::j1(x) / x };
    widened(of, x)
}
