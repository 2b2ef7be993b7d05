//! Problems that fit a model to data.
//!
//! In: the parameters of a model. Out: the sum of the squares of its differences to data, which are given or those
//! of known parameters. The number before each is that of the paper.

use cotangent::differentiate;

use super::residuals::{square, sum_of_squares};

/// 6, Jennrich and Sampson.
#[differentiate]
#[differentiate]
pub fn jennrich_sampson(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..=10 {
        let t = i as f64;
        sum += square(2.0 + 2.0 * t - (t * x[0]).exp() - (t * x[1]).exp());
    }
    sum
}

/// 8, Bard.
#[differentiate]
#[differentiate]
pub fn bard(x: &[f64]) -> f64 {
    let responses =
        [0.14, 0.18, 0.22, 0.25, 0.29, 0.32, 0.35, 0.39, 0.37, 0.58, 0.73, 0.96, 1.34, 2.10, 4.39];
    let mut sum = 0.0;
    for (i, y) in responses.iter().enumerate() {
        let u = (i + 1) as f64;
        let v = 16.0 - u;
        let w = u.min(v);
        sum += square(y - (x[0] + u / (v * x[1] + w * x[2])));
    }
    sum
}

/// 9, the Gaussian.
#[differentiate]
#[differentiate]
pub fn gaussian(x: &[f64]) -> f64 {
    // The first half of the data and their middle; the second half mirrors the first.
    let half = [0.0009, 0.0044, 0.0175, 0.0540, 0.1295, 0.2420, 0.3521, 0.3989];
    let mut sum = 0.0;
    for i in 0..15_usize {
        let t = 3.5 - 0.5 * i as f64;
        let y = half[i.min(14 - i)];
        sum += square(peak(x[0], 0.5 * x[1], x[2], t) - y);
    }
    sum
}

/// A peak that falls from its height to both sides of the centre.
#[differentiate]
#[differentiate]
fn peak(height: f64, steepness: f64, centre: f64, t: f64) -> f64 {
    height * (-steepness * (t - centre).powi(2)).exp()
}

/// 10, Meyer.
#[differentiate]
#[differentiate]
pub fn meyer(x: &[f64]) -> f64 {
    let responses = [
        34780.0, 28610.0, 23650.0, 19630.0, 16370.0, 13720.0, 11540.0, 9744.0, 8261.0, 7030.0,
        6005.0, 5147.0, 4427.0, 3820.0, 3307.0, 2872.0,
    ];
    let modelled = |t: f64| x[0] * (x[1] / (t + x[2])).exp();
    let mut sum = 0.0;
    for (i, y) in responses.iter().enumerate() {
        sum += square(modelled(50.0 + 5.0 * i as f64) - y);
    }
    sum
}

/// 11, Gulf research and development. The paper's formula of the residual is misprinted; this is the function that
/// has the minimum it states, and that is in Algorithm 566.
#[differentiate]
#[differentiate]
pub fn gulf(x: &[f64]) -> f64 {
    (1..100)
        .map(|i| {
            let t = f64::from(i) / 100.0;
            let y = 25.0 + (-50.0 * t.ln()).powf(2.0 / 3.0);
            square((-(y - x[1]).abs().powf(x[2]) / x[0]).exp() - t)
        })
        .sum()
}

/// 12, Box's one of three dimensions.
#[differentiate]
#[differentiate]
pub fn box_three_dimensional(x: &[f64]) -> f64 {
    let mut residuals = [0.0; 10];
    for (i, residual) in residuals.iter_mut().enumerate() {
        let t = 0.1 * (i + 1) as f64;
        let last = (-t).exp() - (-10.0 * t).exp();
        *residual = (-t * x[0]).exp() - (-t * x[1]).exp() - x[2] * last;
    }
    sum_of_squares(&residuals)
}

/// 15, Kowalik and Osborne.
#[differentiate]
#[differentiate]
pub fn kowalik_osborne(x: &[f64]) -> f64 {
    // Predictors and responses.
    let data = [
        (4.0, 0.1957),
        (2.0, 0.1947),
        (1.0, 0.1735),
        (0.5, 0.1600),
        (0.25, 0.0844),
        (0.167, 0.0627),
        (0.125, 0.0456),
        (0.1, 0.0342),
        (0.0833, 0.0323),
        (0.0714, 0.0235),
        (0.0625, 0.0246),
    ];
    let &[a, b, c, d] = x else { panic!("four variables") };
    let mut sum = 0.0;
    for (u, y) in data {
        sum += square(y - a * u * (u + b) / (u * (u + c) + d));
    }
    sum
}

/// 16, Brown and Dennis.
#[differentiate]
#[differentiate]
pub fn brown_dennis(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..=20 {
        let t = f64::from(i) / 5.0;
        let line = x[0] + t * x[1] - t.exp();
        let wave = x[2] + t.sin() * x[3] - t.cos();
        sum += square(line * line + wave * wave);
    }
    sum
}

/// 17, Osborne 1.
#[differentiate]
#[differentiate]
pub fn osborne_of_exponentials(x: &[f64]) -> f64 {
    let responses = [
        0.844, 0.908, 0.932, 0.936, 0.925, 0.908, 0.881, 0.850, 0.818, 0.784, 0.751, 0.718, 0.685,
        0.658, 0.628, 0.603, 0.580, 0.558, 0.538, 0.522, 0.506, 0.490, 0.478, 0.467, 0.457, 0.448,
        0.438, 0.431, 0.424, 0.420, 0.414, 0.411, 0.406,
    ];
    let mut sum = 0.0;
    for (i, y) in responses.iter().enumerate() {
        let t = 10.0 * i as f64;
        let modelled = x[0] + x[1] * (-t * x[3]).exp() + x[2] * (-t * x[4]).exp();
        sum += square(y - modelled);
    }
    sum
}

/// 18, Biggs' EXP6: the data are those of the parameters 1, 10, 1, 5, 4, 3.
#[differentiate]
#[differentiate]
pub fn biggs(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..=13 {
        let t = 0.1 * i as f64;
        let y = (-t).exp() - 5.0 * (-10.0 * t).exp() + 3.0 * (-4.0 * t).exp();
        let modelled =
            x[2] * (-t * x[0]).exp() - x[3] * (-t * x[1]).exp() + x[5] * (-t * x[4]).exp();
        sum += square(modelled - y);
    }
    sum
}

/// 19, Osborne 2.
#[differentiate]
#[differentiate]
pub fn osborne_of_peaks(x: &[f64]) -> f64 {
    let responses = [
        1.366, 1.191, 1.112, 1.013, 0.991, 0.885, 0.831, 0.847, 0.786, 0.725, 0.746, 0.679, 0.608,
        0.655, 0.616, 0.606, 0.602, 0.626, 0.651, 0.724, 0.649, 0.649, 0.694, 0.644, 0.624, 0.661,
        0.612, 0.558, 0.533, 0.495, 0.500, 0.423, 0.395, 0.375, 0.372, 0.391, 0.396, 0.405, 0.428,
        0.429, 0.523, 0.562, 0.607, 0.653, 0.672, 0.708, 0.633, 0.668, 0.645, 0.632, 0.591, 0.559,
        0.597, 0.625, 0.739, 0.710, 0.729, 0.720, 0.636, 0.581, 0.428, 0.292, 0.162, 0.098, 0.054,
    ];
    let (heights, rest) = x[1..].split_at(3);
    let (steepness, centres) = rest[1..].split_at(3);
    let mut sum = 0.0;
    for (i, y) in responses.iter().enumerate() {
        let t = i as f64 / 10.0;
        let mut modelled = x[0] * (-t * rest[0]).exp();
        for k in 0..3 {
            modelled += peak(heights[k], steepness[k], centres[k], t);
        }
        sum += square(y - modelled);
    }
    sum
}
