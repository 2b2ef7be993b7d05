//! The logarithmic derivative of the gamma function, and its derivatives.
//!
//! From ten on, they are their asymptotic expansions (DLMF 5.11.2 and 5.15.8) with ten terms, whose error is then below a
//! rounding. Before that, the recurrence leads there (DLMF 5.5.2 and 5.15.5), and from negative numbers the reflection
//! (DLMF 5.5.4 and 5.15.6).

use super::widened;
use crate::{Float, differentiate, primitive};
use alloc::vec;
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
#[differentiate]
#[differentiate]
#[differentiate]
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
#[primitive(partials(polygamma(2, x)))]
#[differentiate]
#[differentiate]
#[differentiate]
pub fn trigamma<T: Float>(x: T) -> T {
    widened(trigamma_of, x)
}

/// The polygamma function `ψ⁽ⁿ⁾(x)`, the derivative of order `n` of [`digamma()`] (DLMF 5.15.1).
///
/// At zero and negative integers, where it has poles, it is infinite for odd `n`; for even `n` it is NaN at negative
/// integers. It takes a time linear in `n`, and quadratic for negative `x`.
///
/// ```
/// use cotangent::special::{polygamma, trigamma};
///
/// assert_eq!(polygamma(1, 2.5), trigamma(2.5));
/// assert_eq!(polygamma::gradient(1, 2.5), polygamma(2, 2.5));
/// ```
#[primitive(partials(polygamma(n + 1, x)))]
#[differentiate]
#[differentiate]
#[differentiate]
pub fn polygamma<T: Float>(n: u32, x: T) -> T {
    let of = match n {
        0 => digamma_of,
        1 => trigamma_of,
        2 => tetragamma_of,
        _ => return widened(|x| polygamma_of(n, x), x),
    };
    widened(of, x)
}

/// From where on the expansions are used; of the derivative of order `n`, from `n` further on.
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

/// The next number from `large` on, and the sum of a function over those on the way.
fn ascend(x: f64, large: f64, step: impl Fn(f64) -> f64) -> (f64, f64) {
    let (mut x, mut sum) = (x, 0.0);
    while x < large {
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
    let (x, sum) = ascend(x, LARGE, |x| 1.0 / x);
    libm::log(x) - 0.5 / x - expansion(x, |k| 1.0 / k) - sum
}

fn trigamma_of(x: f64) -> f64 {
    if x < 0.0 {
        let is_pole = x == libm::floor(x);
        let ratio = PI / turn(x).0;
        return if is_pole { f64::INFINITY } else { ratio * ratio - trigamma_of(1.0 - x) };
    }
    let (x, sum) = ascend(x, LARGE, |x| 1.0 / (x * x));
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
    let (x, sum) = ascend(x, LARGE, |x| 2.0 / (x * x * x));
    -(1.0 + 1.0 / x + expansion(x, |k| k + 1.0)) / (x * x) - sum
}

fn polygamma_of(n: u32, x: f64) -> f64 {
    let is_odd = n % 2 == 1;
    let signed = |y: f64| if is_odd { y } else { -y };
    if x < 0.0 {
        let is_pole = x == libm::floor(x);
        let pole = if is_odd { f64::INFINITY } else { f64::NAN };
        let reflected = || signed(cotangent_of(n, x)) - signed(polygamma_of(n, 1.0 - x));
        return if is_pole { pole } else { reflected() };
    }
    let order = f64::from(n);
    let (x, sum) = ascend(x, LARGE + order, |x| falling(n, x));
    signed(falling(n - 1, x) * (1.0 + 0.5 * order / x + further(order, x)) + sum)
}

/// `n! / x^(n + 1)`.
fn falling(n: u32, x: f64) -> f64 {
    let inverse = 1.0 / x;
    (1..=n).fold(inverse, |product, i| product * (f64::from(i) * inverse))
}

/// The terms of the expansion of the derivative of an order from the third on, by the first one.
fn further(order: f64, x: f64) -> f64 {
    let (mut factor, mut sum) = (1.0, 0.0);
    for (index, bernoulli) in BERNOULLI.iter().enumerate() {
        let k = 2.0 * index as f64;
        factor *= (order + k) / (x * (k + 1.0)) * ((order + k + 1.0) / (x * (k + 2.0)));
        sum += factor * bernoulli;
    }
    sum
}

/// `π` times the derivative of order `n` of the cotangent of `πx`, but for its sign: a polynomial in the cotangent,
/// whose own derivative is one and its square.
fn cotangent_of(n: u32, x: f64) -> f64 {
    let mut polynomial = vec![0.0, PI];
    for _ in 0..n {
        let at = |power: usize| power as f64 * polynomial.get(power).copied().unwrap_or(0.0);
        let next = 0..=polynomial.len();
        polynomial =
            next.map(|power| PI * (at(power + 1) + power.checked_sub(1).map_or(0.0, at))).collect();
    }
    let (sin, cos) = turn(x);
    polynomial.iter().rev().fold(0.0, |sum, coefficient| sum * (cos / sin) + coefficient)
}
