//! The normal distribution.
//!
//! Out: its density, and its integral by the series of G. Marsaglia, "Evaluating the normal distribution",
//! Journal of Statistical Software 11 (2004), with an absolute error of at most [`ERROR`]. The number of
//! terms depends on the argument: it is the derivative of the loop that gives the density back.

use std::f64::consts::TAU;

use cotangent::differentiate;

/// What rounding and the rest of the series may do to [`cumulative()`] and, times ten, to its derivative.
pub const ERROR: f64 = 1e-15;

/// Beyond so many standard deviations there is less than [`ERROR`].
const LAST: f64 = 8.0;

/// The probability of numbers below `x`.
#[differentiate]
pub fn cumulative(x: f64) -> f64 {
    if x.abs() > LAST {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    let (mut sum, mut before) = (x, 0.0);
    let (mut term, mut divisor) = (x, 1.0);
    while sum != before {
        before = sum;
        divisor += 2.0;
        term *= x * x / divisor;
        sum += term;
    }
    0.5 + sum * density(x)
}

/// The derivative of [`cumulative()`].
#[differentiate]
pub fn density(x: f64) -> f64 {
    (-0.5 * x * x).exp() / TAU.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of Abramowitz and Stegun, Handbook of Mathematical Functions (1964), table 26.1, to 15
    /// places.
    #[test]
    fn values_are_those_of_the_handbook() {
        let table = [
            (0.0, 0.500_000_000_000_000),
            (0.5, 0.691_462_461_274_013),
            (1.0, 0.841_344_746_068_543),
            (2.0, 0.977_249_868_051_821),
            (3.0, 0.998_650_101_968_370),
        ];
        for (x, expected) in table {
            assert!((cumulative(x) - expected).abs() <= ERROR, "{x}");
            assert!((cumulative(-x) - (1.0 - expected)).abs() <= ERROR, "{x}");
        }
    }

    /// Not far out: there the derivative is as exact as the value, but small, and the rule tester asks for
    /// digits of its own.
    #[test]
    fn the_rule_tester_agrees() {
        for x in [-2.2, -0.4, 0.0, 0.7, 3.1, 9.0] {
            cotangent::check!(cumulative(x)).unwrap();
            cotangent::check!(density(x)).unwrap();
        }
    }

    #[test]
    fn tails_are_probabilities() {
        for x in [8.0, 8.1, 40.0, f64::INFINITY] {
            assert!((cumulative(x) - 1.0).abs() <= ERROR && cumulative(-x).abs() <= ERROR, "{x}");
        }
    }
}
