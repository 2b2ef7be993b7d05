//! The error function and its complement.

use super::widened;
use crate::{Float, differentiate, primitive};

/// The error function, `2/√π ∫₀ˣ exp(-t²) dt` (DLMF 7.2.1).
///
/// ```
/// use cotangent::special::erf;
///
/// assert_eq!(erf::value_and_gradient(0.0), (0.0, std::f64::consts::FRAC_2_SQRT_PI));
/// ```
#[primitive(partials(bell(x)))]
#[differentiate]
#[differentiate]
#[differentiate]
pub fn erf<T: Float>(x: T) -> T {
    widened(libm::erf, x)
}

/// The complement of the error function, `1 - erf(x)` (DLMF 7.2.2), which stays accurate where that is near one.
///
/// ```
/// use cotangent::special::erfc;
///
/// assert_eq!(erfc::gradient(0.0), -std::f64::consts::FRAC_2_SQRT_PI);
/// assert!(erfc(20.0) > 0.0);
/// ```
#[primitive(partials(-bell(x)))]
#[differentiate]
#[differentiate]
#[differentiate]
pub fn erfc<T: Float>(x: T) -> T {
    widened(libm::erfc, x)
}

/// The derivative of the error function, `2/√π exp(-x²)`.
#[primitive(value = y, partials(-(x + x) * y))]
#[differentiate]
#[differentiate]
#[differentiate]
fn bell<T: Float>(x: T) -> T {
    widened(|x| core::f64::consts::FRAC_2_SQRT_PI * libm::exp(-x * x), x)
}
