//! The gamma function, its logarithm, and the beta function.

use super::{digamma, widened};
use crate::{Float, differentiate, primitive};

/// The gamma function `Γ(x)` (DLMF 5.2.1); NaN at negative integers, where it has poles.
///
/// ```
/// use cotangent::special::gamma;
///
/// assert_eq!(gamma(5.0), 24.0);
/// ```
#[primitive(value = y, partials(y * digamma(x)))]
#[differentiate]
#[differentiate]
#[differentiate]
pub fn gamma<T: Float>(x: T) -> T {
    widened(libm::tgamma, x)
}

/// The logarithm of the absolute value of the gamma function, `ln|Γ(x)|`.
///
/// ```
/// use cotangent::special::{digamma, lgamma};
///
/// assert_eq!(lgamma(2.0), 0.0);
/// assert_eq!(lgamma::gradient(-0.5), digamma(-0.5));
/// ```
#[primitive(partials(digamma(x)))]
#[differentiate]
#[differentiate]
#[differentiate]
pub fn lgamma<T: Float>(x: T) -> T {
    widened(libm::lgamma, x)
}

/// The beta function `B(a, b) = Γ(a) Γ(b) / Γ(a + b)` (DLMF 5.12.1).
///
/// Where one of the three overflows or vanishes, it is computed from their logarithms, whose size is then that of the
/// relative error in units of the last place.
///
/// ```
/// use cotangent::special::beta;
///
/// assert!((beta(2.0, 3.0) - 1.0_f64 / 12.0).abs() < 1e-15);
/// ```
#[primitive(
    value = y,
    partials(y * (digamma(a) - digamma(a + b)), y * (digamma(b) - digamma(a + b)))
)]
#[differentiate]
#[differentiate]
#[differentiate]
pub fn beta<T: Float>(a: T, b: T) -> T {
    let both = a.to_f64().zip(b.to_f64());
    both.map_or_else(T::nan, |(a, b)| T::literal(beta_of(a, b)))
}

fn beta_of(a: f64, b: f64) -> f64 {
    let [of_a, of_b, of_sum] = [a, b, a + b].map(libm::tgamma);
    let direct = of_a * of_b / of_sum;
    if direct.is_normal() && of_sum.is_normal() {
        return direct;
    }
    let [(of_a, a_sign), (of_b, b_sign), (of_sum, sum_sign)] = [a, b, a + b].map(libm::lgamma_r);
    f64::from(a_sign * b_sign * sum_sign) * libm::exp(of_a + of_b - of_sum)
}
