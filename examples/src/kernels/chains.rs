//! Kernels as chains of iterators, beside the same as loops over indices.
//!
//! Where a loop is a kernel of its own elsewhere, it is not repeated here: [`sum()`](super::sum::sum()),
//! [`sum_of_sines()`](super::sum_of_sines::sum_of_sines()), [`rosenbrock()`](super::rosenbrock::rosenbrock())
//! and [`logistic()`](super::logistic::logistic()) are the others of their pairs.

use cotangent::differentiate;

/// Σ xᵢ
#[differentiate]
pub fn sum_chain(x: &[f64]) -> f64 {
    x.iter().sum()
}

/// Σ sin xᵢ
#[differentiate]
pub fn sines_chain(x: &[f64]) -> f64 {
    x.iter().map(|x| x.sin()).sum()
}

/// Σ xᵢ yᵢ
#[differentiate]
pub fn product_chain(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// Σ xᵢ yᵢ
///
/// # Panics
///
/// If `y` is shorter than `x`.
#[differentiate]
pub fn product_loop(x: &[f64], y: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += x[i] * y[i];
    }
    s
}

/// The level of a signal's square, in which the past fades.
#[differentiate]
pub fn level_chain(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |level, x| 0.9 * level + 0.1 * x * x)
}

/// The level of a signal's square, in which the past fades.
#[differentiate]
pub fn level_loop(x: &[f64]) -> f64 {
    let mut level = 0.0;
    for i in 0..x.len() {
        level = 0.9 * level + 0.1 * x[i] * x[i];
    }
    level
}

/// The chained Rosenbrock function, by neighbours.
#[differentiate]
pub fn rosenbrock_chain(x: &[f64]) -> f64 {
    let terms = x.windows(2).map(|pair| {
        let valley = pair[1] - pair[0] * pair[0];
        let slope = 1.0 - pair[0];
        100.0 * valley * valley + slope * slope
    });
    terms.sum()
}

/// Σ xᵢ xᵢ₊₁
#[differentiate]
pub fn neighbours_chain(x: &[f64]) -> f64 {
    x.iter().zip(x.iter().skip(1)).map(|(x, next)| x * next).sum()
}

/// Σ xᵢ xᵢ₊₁
///
/// # Panics
///
/// If `x` is empty.
#[differentiate]
pub fn neighbours_loop(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() - 1 {
        s += x[i] * x[i + 1];
    }
    s
}

/// Σ yᵢ (xᵢ₊₁ − xᵢ)²
#[differentiate]
pub fn springs_chain(x: &[f64], y: &[f64]) -> f64 {
    x.windows(2).zip(y).map(|(pair, y)| y * (pair[1] - pair[0]).powi(2)).sum()
}

/// Σ yᵢ (xᵢ₊₁ − xᵢ)²
///
/// # Panics
///
/// If `x` is empty or `y` is shorter than the number of neighbours.
#[differentiate]
pub fn springs_loop(x: &[f64], y: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() - 1 {
        s += y[i] * (x[i + 1] - x[i]).powi(2);
    }
    s
}

/// Negative log-likelihood of labels −1 and 1, by rows of features.
#[differentiate(constant(features, labels))]
pub fn logistic_chain(w: &[f64], features: &[f64], labels: &[f64]) -> f64 {
    let rows = features.chunks_exact(w.len()).zip(labels);
    let losses = rows.map(|(row, label)| {
        let margin = label * row.iter().zip(w).map(|(feature, w)| feature * w).sum::<f64>();
        if margin > 0.0 { (-margin).exp().ln_1p() } else { margin.exp().ln_1p() - margin }
    });
    losses.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::{labels, sequence};
    use crate::kernels::agreement::{assert_agreement, assert_gradient};
    use crate::kernels::logistic::logistic;
    use crate::kernels::rosenbrock::rosenbrock;
    use crate::kernels::sum::sum;
    use crate::kernels::sum_of_sines::sum_of_sines;

    type Gradient = fn(&[f64], &mut [f64]) -> (f64, ());

    fn assert_same(f: fn(&[f64]) -> f64, chain: Gradient, by_index: Gradient) {
        for len in [1, 2, 3, 37] {
            let x = sequence(len, -1.5..1.5);
            let (mut ours, mut expected) = (vec![0.25; len], vec![0.25; len]);
            assert_eq!(chain(&x, &mut ours), by_index(&x, &mut expected));
            assert_agreement(&ours, &expected);
            assert_gradient(f, &x, &ours, 0.25);
        }
    }

    #[test]
    fn gradients_are_those_of_the_loops() {
        assert_same(sum_chain, sum_chain::accumulate_gradient, sum::accumulate_gradient);
        assert_same(
            sines_chain,
            sines_chain::accumulate_gradient,
            sum_of_sines::accumulate_gradient,
        );
        assert_same(level_chain, level_chain::accumulate_gradient, level_loop::accumulate_gradient);
        assert_same(
            rosenbrock_chain,
            rosenbrock_chain::accumulate_gradient,
            rosenbrock::accumulate_gradient,
        );
        assert_same(
            neighbours_chain,
            neighbours_chain::accumulate_gradient,
            neighbours_loop::accumulate_gradient,
        );
    }

    #[test]
    fn gradients_of_several_slices_are_those_of_the_loops() {
        let (x, y) = (sequence(37, -1.0..1.0), sequence(37, 0.5..2.0));
        let found = product_chain::value_and_gradient(&x, &y);
        assert_eq!(found, product_loop::value_and_gradient(&x, &y));
        assert_eq!(found.1, (y.clone(), x.clone()));
        let found = springs_chain::value_and_gradient(&x, &y);
        assert_eq!(found, springs_loop::value_and_gradient(&x, &y));

        let (w, rows, y) = (sequence(7, -1.0..1.0), sequence(23 * 7, -2.0..2.0), labels(23));
        let (value, w_bar) = logistic_chain::value_and_gradient(&w, &rows, &y);
        let (expected, expected_bar) = logistic::value_and_gradient(&w, &rows, &y);
        assert_eq!(value, expected);
        assert_agreement(&w_bar, &expected_bar);
    }
}
