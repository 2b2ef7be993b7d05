//! Bessel functions of the first kind.

use super::widened;
use crate::{Float, primitive};

/// The Bessel function `J₀(x)` (DLMF 10.2.2).
///
/// ```
/// use cotangent::special::{bessel_j0, bessel_j1};
///
/// assert_eq!(bessel_j0::value_and_gradient(0.0), (1.0, 0.0));
/// assert_eq!(bessel_j0::gradient(2.0), -bessel_j1(2.0));
/// ```
#[primitive(partials(-bessel_j1(x)))]
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
pub fn bessel_j1<T: Float>(x: T) -> T {
    widened(libm::j1, x)
}

/// The derivative of `J₁` (DLMF 10.6.2), which is one half around zero: the next term is `-3/16 x²`.
fn slope<T: Float>(x: T) -> T {
    let of = |x: f64| if x.abs() < 1e-9 { 0.5 } else { libm::j0(x) - libm::j1(x) / x };
    widened(of, x)
}
