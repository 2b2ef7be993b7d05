//! Problems of two to four variables.
//!
//! In: the variables. Out: the sum of the squares of a few residuals, most of which are polynomials. The number
//! before each is that of the paper. Where the paper has a factor like √10 on a residual, it is on the square here.

use cotangent::differentiate;

use super::residuals::{square, sum_of_squares};

/// 1, Rosenbrock.
#[differentiate]
#[differentiate]
pub fn rosenbrock(x: &[f64]) -> f64 {
    100.0 * (x[1] - x[0].powi(2)).powi(2) + (1.0 - x[0]).powi(2)
}

/// 2, Freudenstein and Roth.
#[differentiate]
#[differentiate]
pub fn freudenstein_roth(x: &[f64]) -> f64 {
    let (a, b) = (x[0], x[1]);
    let first = a - 13.0 + ((5.0 - b) * b - 2.0) * b;
    let second = a - 29.0 + ((b + 1.0) * b - 14.0) * b;
    first * first + second * second
}

/// 3, Powell's badly scaled one.
#[differentiate]
#[differentiate]
pub fn powell_badly_scaled(x: &[f64]) -> f64 {
    let exponentials: f64 = x.iter().map(|x| (-x).exp()).sum();
    square(1e4 * x[0] * x[1] - 1.0) + square(exponentials - 1.0001)
}

/// 4, Brown's badly scaled one.
#[differentiate]
#[differentiate]
pub fn brown_badly_scaled(x: &[f64]) -> f64 {
    let mut sum = square(x[0] * x[1] - 2.0);
    for (x, target) in x.iter().zip([1e6, 2e-6]) {
        sum += square(x - target);
    }
    sum
}

/// 5, Beale.
#[differentiate]
#[differentiate]
pub fn beale(x: &[f64]) -> f64 {
    let values = [1.5, 2.25, 2.625];
    let mut power = 1.0;
    let mut sum = 0.0;
    for value in values {
        power *= x[1];
        sum += square(value - x[0] * (1.0 - power));
    }
    sum
}

/// 7, the helical valley.
#[differentiate]
#[differentiate]
pub fn helical_valley(x: &[f64]) -> f64 {
    let radius = x[0].hypot(x[1]);
    let away = [10.0 * (x[2] - 10.0 * turns(x[0], x[1])), 10.0 * (radius - 1.0), x[2]];
    sum_of_squares(&away)
}

/// The angle of a point in turns, from -1/4 to 3/4. Its cut is at the lower half of the vertical axis.
#[differentiate]
#[differentiate]
fn turns(x: f64, y: f64) -> f64 {
    if x > 0.0 {
        (y / x).atan() / std::f64::consts::TAU
    } else if x < 0.0 {
        (y / x).atan() / std::f64::consts::TAU + 0.5
    } else {
        0.25_f64.copysign(y)
    }
}

/// 13, Powell's singular one; and 22, which is as many of these as there are groups of four variables.
#[differentiate]
#[differentiate]
pub fn powell_singular(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for x in x.chunks_exact(4) {
        sum += square(x[0] + 10.0 * x[1]) + 5.0 * square(x[2] - x[3]);
        sum += (x[1] - 2.0 * x[2]).powi(4) + 10.0 * (x[0] - x[3]).powi(4);
    }
    sum
}

/// 14, Wood.
#[differentiate]
#[differentiate]
pub fn wood(x: &[f64]) -> f64 {
    let &[a, b, c, d] = x else { panic!("four variables") };
    let valleys = 100.0 * square(b - a * a) + 90.0 * square(d - c * c);
    valleys + square(1.0 - a) + square(1.0 - c) + 10.0 * square(b + d - 2.0) + 0.1 * square(b - d)
}
