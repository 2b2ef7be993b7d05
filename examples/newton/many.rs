//! Problems of any number of variables.
//!
//! In: the variables, and for some the number of residuals. Out: the sum of the squares of the residuals. The number
//! before each is that of the paper.

use cotangent::differentiate;

use super::residuals::{square, sum_of_squares};

/// 20, Watson: a polynomial that solves a differential equation at 29 points.
#[differentiate]
#[differentiate]
pub fn watson(x: &[f64]) -> f64 {
    let mut sum = square(x[0]) + square(x[1] - x[0] * x[0] - 1.0);
    for i in 1..=29 {
        let t = i as f64 / 29.0;
        let (mut value, mut slope) = (0.0, 0.0);
        for coefficient in x.iter().rev() {
            slope = slope * t + value;
            value = value * t + coefficient;
        }
        sum += square(slope - value * value - 1.0);
    }
    sum
}

/// 21, the extended Rosenbrock function: one for each pair of variables.
#[differentiate]
#[differentiate]
pub fn extended_rosenbrock(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for pair in x.chunks_exact(2) {
        sum += 100.0 * square(pair[1] - pair[0] * pair[0]) + square(1.0 - pair[0]);
    }
    sum
}

/// 23, penalty function I.
#[differentiate]
#[differentiate]
pub fn first_penalty(x: &[f64]) -> f64 {
    let distance: f64 = x.iter().map(|x| (x - 1.0) * (x - 1.0)).sum();
    1e-5 * distance + square(sum_of_squares(x) - 0.25)
}

/// 24, penalty function II.
#[differentiate]
#[differentiate]
pub fn second_penalty(x: &[f64]) -> f64 {
    let n = x.len();
    let mut small = 0.0;
    for i in 1..n {
        let y = (0.1 * (i + 1) as f64).exp() + (0.1 * i as f64).exp();
        let (this, before) = ((0.1 * x[i]).exp(), (0.1 * x[i - 1]).exp());
        small += square(this + before - y) + square(this - (-0.1_f64).exp());
    }
    let mut weighted = -1.0;
    for (i, x) in x.iter().enumerate() {
        weighted += (n - i) as f64 * x * x;
    }
    square(x[0] - 0.2) + 1e-5 * small + square(weighted)
}

/// 25, the variably dimensioned one.
#[differentiate]
#[differentiate]
pub fn variably_dimensioned(x: &[f64]) -> f64 {
    let (mut distance, mut weighted) = (0.0, 0.0);
    let mut weight = 1.0;
    for x in x {
        let away = x - 1.0;
        distance += away * away;
        weighted += weight * away;
        weight += 1.0;
    }
    distance + weighted.powi(2) + weighted.powi(4)
}

/// 26, the trigonometric one.
#[differentiate]
#[differentiate]
pub fn trigonometric(x: &[f64]) -> f64 {
    let n = x.len();
    let cosines: Vec<f64> = x.iter().map(|x| x.cos()).collect();
    let total: f64 = cosines.iter().sum();
    let mut sum = 0.0;
    for i in 0..n {
        let weight = (i + 1) as f64;
        sum += square(n as f64 - total + weight * (1.0 - cosines[i]) - x[i].sin());
    }
    sum
}

/// 27, Brown's almost linear one.
#[differentiate]
#[differentiate]
pub fn brown_almost_linear(x: &[f64]) -> f64 {
    let n = x.len();
    let total: f64 = x.iter().sum();
    let mut sum = square(x.iter().product::<f64>() - 1.0);
    for x in &x[..n - 1] {
        sum += square(x + total - (n + 1) as f64);
    }
    sum
}

/// 28, a discrete boundary value problem. It is zero at both ends.
#[differentiate]
#[differentiate]
pub fn boundary_value(x: &[f64]) -> f64 {
    let n = x.len();
    let step = 1.0 / (n + 1) as f64;
    let mut padded = vec![0.0; n + 2];
    padded[1..=n].copy_from_slice(x);
    let mut sum = 0.0;
    for (i, three) in padded.windows(3).enumerate() {
        let t = (i + 1) as f64 * step;
        let bent = 0.5 * step * step * (three[1] + t + 1.0).powi(3);
        sum += square(2.0 * three[1] - three[0] - three[2] + bent);
    }
    sum
}

/// 29, a discrete integral equation.
#[differentiate]
#[differentiate]
pub fn integral_equation(x: &[f64]) -> f64 {
    let n = x.len();
    let step = 1.0 / (n + 1) as f64;
    let cubes: Vec<f64> =
        x.iter().enumerate().map(|(i, x)| (x + (i + 1) as f64 * step + 1.0).powi(3)).collect();
    let mut sum = 0.0;
    for (i, x) in x.iter().enumerate() {
        let t = (i + 1) as f64 * step;
        let mut integral = 0.0;
        for (j, cube) in cubes.iter().enumerate() {
            let s = (j + 1) as f64 * step;
            integral += if j <= i { (1.0 - t) * s * cube } else { t * (1.0 - s) * cube };
        }
        sum += square(x + 0.5 * step * integral);
    }
    sum
}

/// 30, Broyden's tridiagonal one.
#[differentiate]
#[differentiate]
pub fn broyden_tridiagonal(x: &[f64]) -> f64 {
    let n = x.len();
    let mut residuals = vec![1.0; n];
    for i in 0..n {
        residuals[i] += (3.0 - 2.0 * x[i]) * x[i];
        if i > 0 {
            residuals[i] -= x[i - 1];
        }
        if i + 1 < n {
            residuals[i] -= 2.0 * x[i + 1];
        }
    }
    sum_of_squares(&residuals)
}

/// 31, Broyden's banded one.
#[differentiate]
#[differentiate]
pub fn broyden_banded(x: &[f64]) -> f64 {
    let n = x.len();
    let mut sum = 0.0;
    for i in 0..n {
        let mut residual = x[i] * (2.0 + 5.0 * x[i] * x[i]) + 1.0;
        for (j, x) in x.iter().enumerate() {
            if j == i || j + 5 < i || i + 1 < j {
                continue;
            }
            residual -= x * (1.0 + x);
        }
        sum += residual * residual;
    }
    sum
}

/// 32, a linear function of full rank.
#[differentiate]
#[differentiate]
pub fn linear_of_full_rank(x: &[f64], residuals: usize) -> f64 {
    let mean = x.iter().sum::<f64>() / residuals as f64;
    let mut sum = (residuals - x.len()) as f64 * square(2.0 * mean + 1.0);
    for x in x {
        sum += square(x - 2.0 * mean - 1.0);
    }
    sum
}

/// 33, a linear function of rank one; and 34, that with columns and rows of zeros: without the ends.
#[differentiate]
#[differentiate]
pub fn linear_of_rank_one(x: &[f64], residuals: usize, zeros: usize) -> f64 {
    let mut total = 0.0;
    for (i, x) in x[zeros..x.len() - zeros].iter().enumerate() {
        total += (i + 1 + zeros) as f64 * x;
    }
    let mut sum = 2.0 * zeros as f64;
    for i in 1..=residuals - 2 * zeros {
        sum += square(i as f64 * total - 1.0);
    }
    sum
}

/// 35, Chebyquad: the means of Chebyshev polynomials at the variables are to be their integrals.
#[differentiate]
#[differentiate]
pub fn chebyquad(x: &[f64]) -> f64 {
    let n = x.len();
    let mut means = vec![0.0; n];
    for x in x {
        let first = 2.0 * x - 1.0;
        let (mut before, mut polynomial) = (1.0, first);
        for mean in means.iter_mut() {
            *mean += polynomial / n as f64;
            let next = 2.0 * first * polynomial - before;
            before = polynomial;
            polynomial = next;
        }
    }
    let mut sum = 0.0;
    for (k, mean) in means.iter().enumerate() {
        let degree = (k + 1) as f64;
        let integral = if k % 2 == 0 { 0.0 } else { -1.0 / (degree * degree - 1.0) };
        sum += square(mean - integral);
    }
    sum
}
