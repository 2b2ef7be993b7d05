//! The logarithmic derivative of the gamma function, and its derivatives.
//!
//! From ten on, they are their asymptotic expansions (DLMF 5.11.2 and 5.15.8) with ten terms, whose error is then below a
//! rounding. Before that, the recurrence leads there (DLMF 5.5.2 and 5.15.5), and from negative numbers the reflection
//! (DLMF 5.5.4 and 5.15.6).

use super::widened;
use crate::{Float, primitive};
use core::f64::consts::PI;

/// The digamma function `ψ(x)`, the derivative of `ln Γ(x)` (DLMF 5.2.2); NaN at negative integers, where it has
/// poles.
///
/// It is accurate to some units of the last place, and near its zero at 1.4616 to some `1e-16`.
///
/// ```
/// use cotangent::special::digamma;
///
/// let euler = 0.577_215_664_901_532_9;
/// assert!((digamma(1.0_f64) + euler).abs() < 1e-15);
/// ```
#[primitive(partials(trigamma(x)))]
pub fn digamma<T: Float>(x: T) -> T {
    widened(digamma_of, x)
}

/// The trigamma function `ψ'(x)`; infinite at zero and negative integers, where it has poles.
///
/// ```
/// use cotangent::special::trigamma;
///
/// let pi = std::f64::consts::PI;
/// assert!((trigamma(1.0) - pi * pi / 6.0).abs() < 1e-15);
/// ```
#[primitive(partials(tetragamma(x)))]
pub fn trigamma<T: Float>(x: T) -> T {
    widened(trigamma_of, x)
}

/// The second derivative of `ψ`.
fn tetragamma<T: Float>(x: T) -> T {
    widened(tetragamma_of, x)
}

/// From where on the expansions are used.
const LARGE: f64 = 10.0;

/// The Bernoulli numbers `B(2), B(4), …` (DLMF 24.2.1).
const BERNOULLI: [f64; 10] = [
    1.0 / 6.0,
    -1.0 / 30.0,
    1.0 / 42.0,
    -1.0 / 30.0,
    5.0 / 66.0,
    -691.0 / 2730.0,
    7.0 / 6.0,
    -3617.0 / 510.0,
    43867.0 / 798.0,
    -174611.0 / 330.0,
];

/// `Σ factor(2k) B(2k) / x^(2k)`, from the smallest term on.
fn expansion(x: f64, factor: impl Fn(f64) -> f64) -> f64 {
    let square = 1.0 / (x * x);
    let terms = BERNOULLI.iter().enumerate().rev();
    terms.fold(0.0, |sum, (index, bernoulli)| {
        square * (factor(2.0 * index as f64 + 2.0) * bernoulli + sum)
    })
}

/// The next number that is large, and the sum of a function over those on the way.
fn ascend(x: f64, step: impl Fn(f64) -> f64) -> (f64, f64) {
    let (mut x, mut sum) = (x, 0.0);
    while x < LARGE {
        sum += step(x);
        x += 1.0;
    }
    (x, sum)
}

/// The sine and the cosine of `πx`, whose period is taken off without rounding.
fn turn(x: f64) -> (f64, f64) {
    libm::sincos(PI * (x - 2.0 * libm::round(x / 2.0)))
}

fn digamma_of(x: f64) -> f64 {
    if x < 0.0 {
        let is_pole = x == libm::floor(x);
        let (sin, cos) = turn(x);
        return if is_pole { f64::NAN } else { digamma_of(1.0 - x) - PI * cos / sin };
    }
    let (x, sum) = ascend(x, |x| 1.0 / x);
    libm::log(x) - 0.5 / x - expansion(x, |k| 1.0 / k) - sum
}

fn trigamma_of(x: f64) -> f64 {
    if x < 0.0 {
        let is_pole = x == libm::floor(x);
        let ratio = PI / turn(x).0;
        return if is_pole { f64::INFINITY } else { ratio * ratio - trigamma_of(1.0 - x) };
    }
    let (x, sum) = ascend(x, |x| 1.0 / (x * x));
    (1.0 + 0.5 / x + expansion(x, |_| 1.0)) / x + sum
}

fn tetragamma_of(x: f64) -> f64 {
    if x < 0.0 {
        let is_pole = x == libm::floor(x);
        let (sin, cos) = turn(x);
        let ratio = PI / sin;
        let reflected = tetragamma_of(1.0 - x) - 2.0 * ratio * ratio * ratio * cos;
        return if is_pole { f64::NAN } else { reflected };
    }
    let (x, sum) = ascend(x, |x| 2.0 / (x * x * x));
    -(1.0 + 1.0 / x + expansion(x, |k| k + 1.0)) / (x * x) - sum
}
