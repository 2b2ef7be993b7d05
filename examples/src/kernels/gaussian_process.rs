//! The marginal likelihood of a Gaussian process: a factorisation in the middle of everything.

use std::f64::consts::TAU;

use cotangent::{differentiate, linalg};

/// The logarithm of the density of `y` at the places `x`, with the kernel exp(−(xᵢ − xⱼ)² / 2) and noise of variance
/// `noise`: −(yᵀ K⁻¹ y + log det K + n log 2π) / 2.
///
/// # Panics
///
/// If `y` is shorter than `x`.
#[differentiate]
pub fn gaussian_process(x: &[f64], y: &[f64], noise: f64) -> f64 {
    let n = x.len();
    let mut l = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let d = x[i] - x[j];
            l[i * n + j] = (-0.5 * d * d).exp();
        }
        l[i * n + i] += noise;
    }
    // The Cholesky factor, in place, and L⁻¹ y.
    let mut z = y.to_vec();
    let mut log_density = -0.5 * n as f64 * TAU.ln();
    for i in 0..n {
        for j in 0..i {
            let mut s = l[i * n + j];
            for k in 0..j {
                s -= l[i * n + k] * l[j * n + k];
            }
            l[i * n + j] = s / l[j * n + j];
        }
        let mut s = l[i * n + i];
        for k in 0..i {
            s -= l[i * n + k] * l[i * n + k];
        }
        l[i * n + i] = s.sqrt();
        let mut t = z[i];
        for k in 0..i {
            t -= l[i * n + k] * z[k];
        }
        z[i] = t / l[i * n + i];
        log_density -= 0.5 * z[i] * z[i] + l[i * n + i].ln();
    }
    log_density
}

/// The same with the functions of [`linalg`], which have rules.
///
/// # Panics
///
/// If sizes do not fit or the matrix is not positive definite.
#[differentiate]
pub fn gaussian_process_by_rules(x: &[f64], y: &[f64], noise: f64) -> f64 {
    let n = x.len();
    let mut covariance = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            let d = x[i] - x[j];
            covariance[i * n + j] = (-0.5 * d * d).exp();
        }
        covariance[i * n + i] += noise;
    }
    let l = linalg::cholesky(&covariance, n).expect("a positive definite matrix");
    let z = linalg::solve_lower(&l, y, n);
    let mut log_density = -0.5 * n as f64 * TAU.ln();
    for i in 0..n {
        log_density -= 0.5 * z[i] * z[i] + l[i * n + i].ln();
    }
    log_density
}

/// [`gaussian_process()`] and its gradient: by `x` and `y` added to the shadows, by the noise returned.
///
/// With α = K⁻¹ y, the cotangent of K is (α αᵀ − K⁻¹) / 2 (C. E. Rasmussen, C. K. I. Williams, Gaussian Processes for
/// Machine Learning, 2006, equation 5.9), and that of y is −α. K⁻¹ comes from the inverse of the factor, whose rows are
/// combined row by row, so that the loops inside are over neighbours in memory. The kernel keeps its values.
///
/// # Panics
///
/// If sizes do not fit.
pub fn gaussian_process_by_hand(
    (x, x_bar): (&[f64], &mut [f64]),
    (y, y_bar): (&[f64], &mut [f64]),
    noise: f64,
) -> (f64, f64) {
    let n = x.len();
    let mut kernel = vec![0.0; n * n];
    let mut l = kernel_matrix(x, noise, &mut kernel);
    let mut z = y[..n].to_vec();
    let value = factorise(&mut l, &mut z);
    let inverse = inverse_of_factor(&l, n);
    // α = L⁻ᵀ z
    let mut alpha = vec![0.0; n];
    for (row, z) in inverse.chunks_exact(n).zip(&z) {
        for (alpha, entry) in alpha.iter_mut().zip(row) {
            *alpha += entry * z;
        }
    }
    // The lower half of K⁻¹ = L⁻ᵀ L⁻¹, with the factor's memory.
    l.fill(0.0);
    for (i, row) in inverse.chunks_exact(n).enumerate() {
        for j in 0..=i {
            add_scaled(&mut l[j * n..=j * n + j], row[j], &row[..=j]);
        }
    }
    let mut noise_bar = 0.0;
    for i in 0..n {
        let mut x_bar_i = 0.0;
        for j in 0..i {
            // Twice a half, for both halves.
            let entry_bar = (alpha[i] * alpha[j] - l[i * n + j]) * kernel[i * n + j];
            let d_bar = entry_bar * (x[j] - x[i]);
            x_bar_i += d_bar;
            x_bar[j] -= d_bar;
        }
        x_bar[i] += x_bar_i;
        noise_bar += 0.5 * (alpha[i] * alpha[i] - l[i * n + i]);
        y_bar[i] -= alpha[i];
    }
    (value, noise_bar)
}

/// The lower half of the covariance, and of the kernel alone.
fn kernel_matrix(x: &[f64], noise: f64, kernel: &mut [f64]) -> Vec<f64> {
    let n = x.len();
    for (i, row) in kernel.chunks_exact_mut(n).enumerate() {
        for (entry, other) in row[..=i].iter_mut().zip(x) {
            let d = x[i] - other;
            *entry = (-0.5 * d * d).exp();
        }
    }
    let mut covariance = kernel.to_vec();
    for i in 0..n {
        covariance[i * n + i] += noise;
    }
    covariance
}

/// Puts the factor in the place of the matrix and L⁻¹ y in that of y; returns the logarithm of the density.
fn factorise(l: &mut [f64], z: &mut [f64]) -> f64 {
    let n = z.len();
    let mut log_density = -0.5 * n as f64 * TAU.ln();
    for i in 0..n {
        let (above, row) = l.split_at_mut(i * n);
        let row = &mut row[..=i];
        for j in 0..i {
            let (before, rest) = row.split_at_mut(j);
            let other = &above[j * n..=j * n + j];
            rest[0] = reduced(rest[0], before, &other[..j]) / other[j];
        }
        let (before, rest) = row.split_at_mut(i);
        rest[0] = reduced(rest[0], before, before).sqrt();
        z[i] = reduced(z[i], before, &z[..i]) / rest[0];
        log_density -= 0.5 * z[i] * z[i] + rest[0].ln();
    }
    log_density
}

/// `s` without the products of `a` and `b`, one after the other as in the primal.
fn reduced(mut s: f64, a: &[f64], b: &[f64]) -> f64 {
    for (a, b) in a.iter().zip(b) {
        s -= a * b;
    }
    s
}

fn inverse_of_factor(l: &[f64], n: usize) -> Vec<f64> {
    let mut inverse = vec![0.0; n * n];
    for i in 0..n {
        let (above, row) = inverse.split_at_mut(i * n);
        let row = &mut row[..=i];
        let factor = &l[i * n..=i * n + i];
        for (k, above) in above.chunks_exact(n).enumerate() {
            add_scaled(&mut row[..=k], -factor[k], &above[..=k]);
        }
        let scale = 1.0 / factor[i];
        row[i] = 1.0;
        row.iter_mut().for_each(|entry| *entry *= scale);
    }
    inverse
}

fn add_scaled(sum: &mut [f64], factor: f64, row: &[f64]) {
    for (sum, entry) in sum.iter_mut().zip(row) {
        *sum += factor * entry;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::sequence;
    use crate::kernels::agreement::{assert_agreement, assert_gradient};

    #[test]
    fn gradients_agree() {
        let (x, y) = (sequence(9, 0.0..4.0), sequence(9, -1.0..1.0));
        let shadows = || (vec![0.25; 9], vec![0.25; 9]);
        let (mut ours, mut by_rules, mut by_hand) = (shadows(), shadows(), shadows());
        let primal = gaussian_process(&x, &y, 0.7);
        let (value, noise) =
            gaussian_process::accumulate_gradient(&x, &mut ours.0, &y, &mut ours.1, 0.7);
        assert_eq!(value, primal);
        let (value, noise_by_rules) = gaussian_process_by_rules::accumulate_gradient(
            &x,
            &mut by_rules.0,
            &y,
            &mut by_rules.1,
            0.7,
        );
        assert!((value - primal).abs() < 1e-12 * primal.abs());
        let (value, noise_by_hand) =
            gaussian_process_by_hand((&x, &mut by_hand.0), (&y, &mut by_hand.1), 0.7);
        assert_eq!(value, primal);
        for (x_bar, y_bar, noise) in
            [(&ours.0, &ours.1, noise), (&by_rules.0, &by_rules.1, noise_by_rules)]
        {
            assert_agreement(x_bar, &by_hand.0);
            assert_agreement(y_bar, &by_hand.1);
            assert_agreement(&[noise], &[noise_by_hand]);
        }
        assert_gradient(|x| gaussian_process(x, &y, 0.7), &x, &by_hand.0, 0.25);
        assert_gradient(|y| gaussian_process(&x, y, 0.7), &y, &by_hand.1, 0.25);
        assert_gradient(|n| gaussian_process(&x, &y, n[0]), &[0.7], &[noise_by_hand], 0.0);
    }

    /// Of one observation it is the density of the normal distribution.
    #[test]
    fn one_observation_is_normal() {
        let expected = -0.5 * (0.25 / 1.5 + 1.5_f64.ln() + TAU.ln());
        assert!((gaussian_process(&[0.3], &[0.5], 0.5) - expected).abs() < 1e-15);
    }
}
