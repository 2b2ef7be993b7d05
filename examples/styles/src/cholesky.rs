//! A Gaussian process with a squared-exponential kernel: the negative logarithm of its likelihood by Cholesky's factor.

use cotangent::{Differentiable, differentiate};
use cotangent_examples::inputs::sequence;

use crate::style::{Algorithm, Size, data};

/// Returns the algorithm for observations of `size`. Its parameters are logarithms of amplitude, inverse length and noise,
/// and the observations.
pub(crate) fn algorithm(size: Size) -> Algorithm {
    let n = size.pick(5, 32);
    let x = data(sequence(n, -2.0..2.0));
    let mut parameters = vec![0.3, 0.4, -0.5];
    parameters.extend(sequence(n, -1.0..1.0));
    let mut all =
        Algorithm::new("Cholesky likelihood", parameters, move |p, p_bar| by_hand(p, p_bar, x));
    let flat = || (vec![0.0; 3], vec![0.0; n]);
    style!(all, "index loops", index::likelihood, flat(), [0 1], [x], []);
    style!(all, "&mut helpers in place", in_place::likelihood, flat(), [0 1], [x], []);
    style!(all, "returned Vec", vectors::likelihood, flat(), [0 1], [x], []);
    style!(all, "rows of Vec", rows::likelihood, flat(), [0 1], [x], []);
    style!(all, "matrix struct with accessors", structs::likelihood, flat(), [0 1], [x], []);
    style!(all, "chains over rows", chains::likelihood, flat(), [0 1], [x], []);
    all
}

mod index {
    use super::*;

    #[differentiate(constant(x))]
    pub(super) fn likelihood(kernel: &[f64], y: &[f64], x: &[f64]) -> f64 {
        let n = y.len();
        let (amplitude, inverse) = (kernel[0].exp(), kernel[1].exp());
        let noise = kernel[2].exp();
        let mut l = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..=i {
                let d = (x[i] - x[j]) * inverse;
                let mut sum = amplitude * (-0.5 * d * d).exp();
                if i == j {
                    sum += noise;
                }
                for k in 0..j {
                    sum -= l[i * n + k] * l[j * n + k];
                }
                if i == j {
                    l[i * n + i] = sum.sqrt();
                } else {
                    l[i * n + j] = sum / l[j * n + j];
                }
            }
        }
        let mut z = vec![0.0; n];
        let mut total = 0.0;
        for i in 0..n {
            let mut sum = y[i];
            for k in 0..i {
                sum -= l[i * n + k] * z[k];
            }
            z[i] = sum / l[i * n + i];
            total += 0.5 * z[i] * z[i] + l[i * n + i].ln();
        }
        total
    }
}

mod in_place {
    use super::*;

    #[differentiate(constant(x))]
    pub(super) fn likelihood(kernel: &[f64], y: &[f64], x: &[f64]) -> f64 {
        let n = y.len();
        let mut a = vec![0.0; n * n];
        let mut z = y.to_vec();
        covariance(kernel, x, &mut a);
        factor(&mut a, n);
        solve_lower(&a, &mut z);
        let mut total = 0.0;
        for i in 0..n {
            total += 0.5 * z[i] * z[i] + a[i * n + i].ln();
        }
        total
    }

    #[differentiate]
    fn covariance(kernel: &[f64], x: &[f64], a: &mut [f64]) {
        let n = x.len();
        for i in 0..n {
            for j in 0..n {
                let d = (x[i] - x[j]) * kernel[1].exp();
                a[i * n + j] = kernel[0].exp() * (-0.5 * d * d).exp();
            }
            a[i * n + i] += kernel[2].exp();
        }
    }

    #[differentiate]
    fn factor(a: &mut [f64], n: usize) {
        for j in 0..n {
            for k in 0..j {
                a[j * n + j] -= a[j * n + k] * a[j * n + k];
            }
            a[j * n + j] = a[j * n + j].sqrt();
            for i in j + 1..n {
                for k in 0..j {
                    a[i * n + j] -= a[i * n + k] * a[j * n + k];
                }
                a[i * n + j] /= a[j * n + j];
            }
        }
    }

    #[differentiate]
    fn solve_lower(l: &[f64], z: &mut [f64]) {
        let n = z.len();
        for i in 0..n {
            for k in 0..i {
                z[i] -= l[i * n + k] * z[k];
            }
            z[i] /= l[i * n + i];
        }
    }
}

mod vectors {
    use super::*;

    #[differentiate(constant(x))]
    pub(super) fn likelihood(kernel: &[f64], y: &[f64], x: &[f64]) -> f64 {
        let n = y.len();
        let a = covariance(kernel, x);
        let l = factor(&a, n);
        let z = solve_lower(&l, y);
        0.5 * z.iter().map(|z| z * z).sum::<f64>() + half_log_determinant(&l, n)
    }

    #[differentiate]
    fn covariance(kernel: &[f64], x: &[f64]) -> Vec<f64> {
        let (amplitude, inverse) = (kernel[0].exp(), kernel[1].exp());
        let mut a = Vec::with_capacity(x.len() * x.len());
        for i in 0..x.len() {
            for j in 0..x.len() {
                let d = (x[i] - x[j]) * inverse;
                let noise = if i == j { kernel[2].exp() } else { 0.0 };
                a.push(amplitude * (-0.5 * d * d).exp() + noise);
            }
        }
        a
    }

    #[differentiate]
    fn factor(a: &[f64], n: usize) -> Vec<f64> {
        let mut l = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..=i {
                let mut sum = a[i * n + j];
                for k in 0..j {
                    sum -= l[i * n + k] * l[j * n + k];
                }
                l[i * n + j] = if i == j { sum.sqrt() } else { sum / l[j * n + j] };
            }
        }
        l
    }

    #[differentiate]
    fn solve_lower(l: &[f64], y: &[f64]) -> Vec<f64> {
        let n = y.len();
        let mut z = vec![0.0; n];
        for i in 0..n {
            let mut sum = y[i];
            for k in 0..i {
                sum -= l[i * n + k] * z[k];
            }
            z[i] = sum / l[i * n + i];
        }
        z
    }

    #[differentiate]
    fn half_log_determinant(l: &[f64], n: usize) -> f64 {
        (0..n).map(|i| l[i * n + i].ln()).sum()
    }
}

mod rows {
    use super::*;

    #[differentiate(constant(x))]
    pub(super) fn likelihood(kernel: &[f64], y: &[f64], x: &[f64]) -> f64 {
        let n = y.len();
        let (amplitude, inverse) = (kernel[0].exp(), kernel[1].exp());
        let mut a = vec![vec![0.0; n]; n];
        for i in 0..n {
            for j in 0..n {
                let d = (x[i] - x[j]) * inverse;
                a[i][j] = amplitude * (-0.5 * d * d).exp();
            }
            a[i][i] += kernel[2].exp();
        }
        let l = factor(&a);
        let mut z = y.to_vec();
        let mut total = 0.0;
        for i in 0..n {
            for k in 0..i {
                z[i] -= l[i][k] * z[k];
            }
            z[i] /= l[i][i];
            total += 0.5 * z[i].powi(2) + l[i][i].ln();
        }
        total
    }

    #[differentiate]
    fn factor(a: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let n = a.len();
        let mut l = vec![vec![0.0; n]; n];
        for i in 0..n {
            for j in 0..=i {
                let mut sum = a[i][j];
                for k in 0..j {
                    sum -= l[i][k] * l[j][k];
                }
                if i == j {
                    l[i][i] = sum.sqrt();
                } else {
                    l[i][j] = sum / l[j][j];
                }
            }
        }
        l
    }
}

mod structs {
    use super::*;

    #[derive(Clone, Debug, Differentiable)]
    pub(super) struct Matrix {
        entries: Vec<f64>,
        n: usize,
    }

    #[differentiate]
    impl Matrix {
        fn zeros(n: usize) -> Matrix {
            Matrix { entries: vec![0.0; n * n], n }
        }

        fn at(&self, i: usize, j: usize) -> f64 {
            self.entries[i * self.n + j]
        }

        fn set(&mut self, i: usize, j: usize, entry: f64) {
            self.entries[i * self.n + j] = entry;
        }

        fn cholesky(&self) -> Matrix {
            let mut l = Matrix::zeros(self.n);
            for i in 0..self.n {
                for j in 0..=i {
                    let mut sum = self.at(i, j);
                    for k in 0..j {
                        sum -= l.at(i, k) * l.at(j, k);
                    }
                    if i == j {
                        l.set(i, i, sum.sqrt());
                    } else {
                        let entry = sum / l.at(j, j);
                        l.set(i, j, entry);
                    }
                }
            }
            l
        }

        fn solve_lower(&self, y: &[f64]) -> Vec<f64> {
            let mut z = y.to_vec();
            for i in 0..self.n {
                for k in 0..i {
                    z[i] -= self.at(i, k) * z[k];
                }
                z[i] /= self.at(i, i);
            }
            z
        }
    }

    #[differentiate(constant(x))]
    pub(super) fn likelihood(kernel: &[f64], y: &[f64], x: &[f64]) -> f64 {
        let n = y.len();
        let mut a = Matrix::zeros(n);
        for i in 0..n {
            for j in 0..n {
                let d = (x[i] - x[j]) * kernel[1].exp();
                let mut entry = kernel[0].exp() * (-0.5 * d * d).exp();
                if i == j {
                    entry += kernel[2].exp();
                }
                a.set(i, j, entry);
            }
        }
        let l = a.cholesky();
        let z = l.solve_lower(y);
        let mut total = 0.0;
        for i in 0..n {
            total += 0.5 * z[i] * z[i] + l.at(i, i).ln();
        }
        total
    }
}

mod chains {
    use super::*;

    #[differentiate(constant(x))]
    pub(super) fn likelihood(kernel: &[f64], y: &[f64], x: &[f64]) -> f64 {
        let (amplitude, inverse, noise) = (kernel[0].exp(), kernel[1].exp(), kernel[2].exp());
        let mut rows: Vec<Vec<f64>> = Vec::new();
        for (i, a) in x.iter().enumerate() {
            let mut row: Vec<f64> = x[..=i]
                .iter()
                .map(|b| amplitude * (-0.5 * ((a - b) * inverse).powi(2)).exp())
                .collect();
            row[i] += noise;
            for j in 0..i {
                let above = &rows[j];
                let sum: f64 = row[..j].iter().zip(above).map(|(a, b)| a * b).sum();
                row[j] = (row[j] - sum) / above[j];
            }
            let sum: f64 = row[..i].iter().map(|a| a * a).sum();
            row[i] = (row[i] - sum).sqrt();
            rows.push(row);
        }
        let mut z: Vec<f64> = Vec::new();
        for (i, (row, y)) in rows.iter().zip(y).enumerate() {
            let sum: f64 = row.iter().zip(&z).map(|(l, z)| l * z).sum();
            z.push((y - sum) / row[i]);
        }
        let logs: f64 = rows.iter().enumerate().map(|(i, row)| row[i].ln()).sum();
        0.5 * z.iter().map(|z| z * z).sum::<f64>() + logs
    }
}

/// By the closed form: with α = K⁻¹ y, the adjoint of K is (K⁻¹ − α αᵀ) / 2 and that of y is α.
fn by_hand(p: &[f64], p_bar: &mut [f64], x: &[f64]) -> f64 {
    let n = x.len();
    let (amplitude, inverse, noise) = (p[0].exp(), p[1].exp(), p[2].exp());
    let y = &p[3..];
    let mut kernel = vec![0.0; n * n];
    let mut l = vec![0.0; n * n];
    for i in 0..n {
        let (above, row) = l.split_at_mut(i * n);
        for j in 0..=i {
            let d = (x[i] - x[j]) * inverse;
            kernel[i * n + j] = amplitude * (-0.5 * d * d).exp();
            let mut sum = kernel[i * n + j];
            if i == j {
                sum += noise - row[..i].iter().map(|a| a * a).sum::<f64>();
                row[i] = sum.sqrt();
            } else {
                let other = &above[j * n..j * n + j + 1];
                sum -= row[..j].iter().zip(other).map(|(a, b)| a * b).sum::<f64>();
                row[j] = sum / other[j];
            }
        }
    }
    let mut alpha = y.to_vec();
    let mut value = 0.0;
    for i in 0..n {
        let row = &l[i * n..i * n + i + 1];
        let sum: f64 = row.iter().zip(&alpha[..i]).map(|(l, z)| l * z).sum();
        alpha[i] = (alpha[i] - sum) / row[i];
        value += 0.5 * alpha[i] * alpha[i] + row[i].ln();
    }
    for i in (0..n).rev() {
        alpha[i] /= l[i * n + i];
        let scaled = alpha[i];
        for (alpha, l) in alpha[..i].iter_mut().zip(&l[i * n..]) {
            *alpha -= scaled * l;
        }
    }
    let inverse_of_l = inverse_of_lower(&l, n);
    let mut by_noise = 0.0;
    let (mut by_amplitude, mut by_inverse) = (0.0, 0.0);
    let mut row = vec![0.0; n];
    for i in 0..n {
        // Row i of the lower half of K⁻¹ = L⁻ᵀ L⁻¹.
        row[..=i].fill(0.0);
        for k in i..n {
            let factor = inverse_of_l[k * n + i];
            for (entry, l) in row[..=i].iter_mut().zip(&inverse_of_l[k * n..]) {
                *entry += factor * l;
            }
        }
        for j in 0..i {
            let entry_bar = (row[j] - alpha[i] * alpha[j]) * kernel[i * n + j];
            let d = (x[i] - x[j]) * inverse;
            by_amplitude += entry_bar;
            by_inverse -= entry_bar * d * d;
        }
        let entry_bar = 0.5 * (row[i] - alpha[i] * alpha[i]);
        by_amplitude += entry_bar * amplitude;
        by_noise += entry_bar * noise;
        p_bar[3 + i] += alpha[i];
    }
    p_bar[0] += by_amplitude;
    p_bar[1] += by_inverse;
    p_bar[2] += by_noise;
    value
}

/// The inverse of a lower triangle, row by row.
fn inverse_of_lower(l: &[f64], n: usize) -> Vec<f64> {
    let mut inverse = vec![0.0; n * n];
    for i in 0..n {
        let (above, row) = inverse.split_at_mut(i * n);
        let diagonal = 1.0 / l[i * n + i];
        for k in 0..i {
            let factor = l[i * n + k];
            for (entry, above) in row[..=k].iter_mut().zip(&above[k * n..]) {
                *entry -= factor * above;
            }
        }
        for entry in &mut row[..i] {
            *entry *= diagonal;
        }
        row[i] = diagonal;
    }
    inverse
}
