//! The functions of `cotangent::linalg`, each by itself, against its loop, and in compositions.

use cotangent::linalg::{
    argsort, axpy, cholesky, cumsum, dot, gather, interp, kron, logsumexp, lu_solve, matmul,
    matmul_nt, matmul_tn, matvec, matvec_t, norm2, select, softmax, solve_lower, solve_lower_t,
    solve_upper, solve_upper_t, sort,
};
use cotangent::{Differentiable, Float, differentiate, linalg};

/// Numbers between -1 and 1 without a pattern.
fn waves(length: usize, phase: f64) -> Vec<f64> {
    (0..length).map(|i| (1.7 * (i * i) as f64 + 0.9 * i as f64 + phase).sin()).collect()
}

fn narrow(wide: &[f64]) -> Vec<f32> {
    wide.iter().map(|x| *x as f32).collect()
}

/// A matrix whose diagonal dominates, so that it is far from singular.
fn dominant(n: usize, phase: f64) -> Vec<f64> {
    let mut a = waves(n * n, phase);
    (0..n).for_each(|i| a[i * n + i] += 0.7 * n as f64);
    a
}

/// A dominant matrix whose rows are in another order, so that pivots are elsewhere.
fn exchanged(n: usize, phase: f64) -> Vec<f64> {
    dominant(n, phase).chunks(n).rev().flatten().copied().collect()
}

/// A symmetric matrix that is positive definite.
fn positive(n: usize, phase: f64) -> Vec<f64> {
    let a = dominant(n, phase);
    let entry = |i: usize, j: usize| (a[i * n + j] + a[j * n + i]) / 2.0;
    (0..n * n).map(|index| entry(index / n, index % n)).collect()
}

checks! {
    dot at (&[0.7, 0.4], &[-0.2, 0.9]), (&waves(19, 0.3), &waves(19, 0.8)), (&[0.7_f32, 0.4], &[-0.2, 0.9]);
    axpy at (0.7, &[0.4, -0.3], &mut [0.2, 0.5]), (-0.7, &waves(9, 0.3), &mut waves(9, 0.8)),
        (0.7_f32, &[0.4, -0.3], &mut [0.2, 0.5]);
    norm2 at (&[0.7, 0.4, -0.3]), (&waves(19, 0.3)), (&[0.7_f32, 0.4, -0.3]);
    matvec at (&waves(6, 0.3), &waves(3, 0.1), 2, 3), (&waves(99, 0.1), &waves(11, 0.4), 9, 11),
        (&narrow(&waves(6, 0.3)), &narrow(&waves(2, 0.1)), 3, 2);
    matvec_t at (&waves(6, 0.3), &waves(2, 0.1), 2, 3), (&waves(99, 0.1), &waves(9, 0.4), 9, 11),
        (&narrow(&waves(6, 0.3)), &narrow(&waves(3, 0.1)), 3, 2);
    matmul at (&waves(6, 0.3), &waves(12, 0.1), 2, 3, 4), (&waves(35, 0.1), &waves(63, 0.4), 5, 7, 9),
        (&waves(274, 0.1), &waves(137, 0.4), 2, 137, 1), (&narrow(&waves(6, 0.3)), &narrow(&waves(12, 0.1)), 2, 3, 4);
    matmul_tn at (&waves(6, 0.3), &waves(12, 0.1), 2, 3, 4), (&waves(35, 0.1), &waves(63, 0.4), 5, 7, 9),
        (&narrow(&waves(6, 0.3)), &narrow(&waves(12, 0.1)), 2, 3, 4);
    matmul_nt at (&waves(6, 0.3), &waves(12, 0.1), 2, 3, 4), (&waves(35, 0.1), &waves(63, 0.4), 5, 7, 9),
        (&narrow(&waves(6, 0.3)), &narrow(&waves(12, 0.1)), 2, 3, 4);
    kron at (&waves(6, 0.3), &waves(8, 0.1), 2, 3, 4, 2), (&waves(4, 0.3), &waves(3, 0.1), 4, 1, 1, 3),
        (&narrow(&waves(6, 0.3)), &narrow(&waves(2, 0.1)), 3, 2, 1, 2);
    solve_lower at (&dominant(3, 0.3), &waves(3, 0.1), 3), (&dominant(11, 0.3), &waves(33, 0.1), 11),
        (&narrow(&dominant(3, 0.3)), &narrow(&waves(6, 0.1)), 3);
    solve_lower_t at (&dominant(3, 0.3), &waves(3, 0.1), 3), (&dominant(11, 0.3), &waves(33, 0.1), 11),
        (&narrow(&dominant(3, 0.3)), &narrow(&waves(6, 0.1)), 3);
    solve_upper at (&dominant(3, 0.3), &waves(3, 0.1), 3), (&dominant(11, 0.3), &waves(33, 0.1), 11),
        (&narrow(&dominant(3, 0.3)), &narrow(&waves(6, 0.1)), 3);
    solve_upper_t at (&dominant(3, 0.3), &waves(3, 0.1), 3), (&dominant(11, 0.3), &waves(33, 0.1), 11),
        (&narrow(&dominant(3, 0.3)), &narrow(&waves(6, 0.1)), 3);
    lu_solve at (&[0.1, 2.0, 1.5, 0.3], &[0.7, 0.4], 2), (&exchanged(37, 0.3), &waves(37, 0.1), 37),
        (&exchanged(5, 0.3), &waves(15, 0.1), 5), (&narrow(&exchanged(3, 0.3)), &narrow(&waves(3, 0.1)), 3);
    cholesky at (&[2.0, 0.3, 0.3, 1.5], 2), (&positive(5, 0.3), 5), (&positive(37, 0.1), 37),
        (&narrow(&positive(3, 0.3)), 3);
    logsumexp at (&[0.7, 0.4, -0.3]), (&[500.0, 500.4]), (&[0.7_f32, 0.4, -0.3]);
    softmax at (&[0.7, 0.4, -0.3]), (&[500.0, 500.4]), (&[0.7_f32, 0.4, -0.3]);
    cumsum at (&[0.7, 0.4, -0.3]), (&waves(9, 0.3)), (&[0.7_f32, 0.4, -0.3]);
    sort at (&[0.7, 0.4, -0.3]), (&waves(9, 0.3)), (&[0.7_f32, 0.4, -0.3]);
    argsort at (&[0.7, 0.4, -0.3]), (&[0.7_f32, 0.4, -0.3]);
    select at (&[0.7, 0.4, -0.3], 1), (&waves(9, 0.3), 8), (&[0.7_f32, 0.4, -0.3], 0);
    gather at (&[0.7, 0.4, -0.3], &[2, 0, 2]), (&[0.7, 0.4], &[]), (&[0.7_f32, 0.4], &[1, 1]);
    interp at (0.7, &[0.1, 0.9, 1.5], &[0.4, -0.3, 0.8]), (1.1, &[0.1, 0.9, 1.5], &[0.4, -0.3, 0.8]),
        (-0.4, &[0.1, 0.9, 1.5], &[0.4, -0.3, 0.8]), (1.9, &[0.1, 0.9, 1.5], &[0.4, -0.3, 0.8]),
        (1.9, &[0.4], &[0.8]), (0.7_f32, &[0.1, 0.9, 1.5], &[0.4, -0.3, 0.8]);
    of_any_float at (&waves(9, 0.3), &waves(3, 0.1), 3), (&narrow(&waves(9, 0.3)), &narrow(&waves(3, 0.1)), 3);
}

#[differentiate]
#[differentiate]
fn of_any_float<T: Float>(a: &[T], x: &[T], n: usize) -> T {
    let y = linalg::softmax(&linalg::matvec(a, x, x.len(), n));
    linalg::norm2(&y) + linalg::dot(&y, x)
}

/// A layer of a network.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Layer {
    pub w: Vec<f64>,
    pub b: Vec<f64>,
}
#[differentiate]
#[differentiate]
impl Layer {
    fn apply(&self, x: &[f64]) -> Vec<f64> {
        let mut y = linalg::matvec(&self.w, x, self.b.len(), x.len());
        linalg::axpy(1.0, &self.b, &mut y);
        y
    }
    fn descend(&mut self, rate: f64, g: &[f64]) {
        linalg::axpy(-rate, g, &mut self.b);
    }
}
fn layer() -> Layer {
    Layer { w: vec![0.3, -0.2, 0.5, 0.1, 0.8, -0.7], b: vec![0.2, 0.4] }
}

/// The same functions as loops, which are differentiated.
mod loops {
    use cotangent::differentiate;

    #[differentiate]
    #[differentiate]
    pub(super) fn dot(x: &[f64], y: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += x[i] * y[i];
        }
        sum
    }

    #[differentiate]
    #[differentiate]
    pub(super) fn moved_energy(a: f64, x: &[f64], y: &[f64]) -> f64 {
        let mut moved = y.to_vec();
        for i in 0..x.len() {
            moved[i] += a * x[i];
        }
        dot(&moved, &moved)
    }

    #[differentiate]
    #[differentiate]
    pub(super) fn norm(x: &[f64]) -> f64 {
        dot(x, x).sqrt()
    }

    #[differentiate]
    #[differentiate]
    pub(super) fn bilinear(a: &[f64], x: &[f64], y: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..y.len() {
            for j in 0..x.len() {
                sum += y[i] * a[i * x.len() + j] * x[j];
            }
        }
        sum
    }

    /// The sum of the squares of a product's entries; strides say which factor is transposed.
    #[differentiate]
    #[differentiate]
    pub(super) fn squares(a: &[f64], b: &[f64], sizes: [usize; 3], strides: [usize; 4]) -> f64 {
        let mut squares = 0.0;
        for i in 0..sizes[0] {
            for j in 0..sizes[2] {
                let mut entry = 0.0;
                for p in 0..sizes[1] {
                    entry +=
                        a[i * strides[0] + p * strides[1]] * b[p * strides[2] + j * strides[3]];
                }
                squares += entry * entry;
            }
        }
        squares
    }

    #[differentiate]
    #[differentiate]
    pub(super) fn kron_squares(a: &[f64], b: &[f64], w: &[f64], n: usize, q: usize) -> f64 {
        let (m, p) = (a.len() / n, b.len() / q);
        let mut sum = 0.0;
        for i in 0..m {
            for j in 0..n {
                for r in 0..p {
                    for s in 0..q {
                        sum += w[(i * p + r) * n * q + j * q + s] * a[i * n + j] * b[r * q + s];
                    }
                }
            }
        }
        sum
    }

    #[differentiate]
    #[differentiate]
    pub(super) fn forward_substitution(l: &[f64], b: &[f64], w: &[f64]) -> f64 {
        let n = b.len();
        let mut x = vec![0.0; n];
        for i in 0..n {
            let mut sum = b[i];
            for j in 0..i {
                sum -= l[i * n + j] * x[j];
            }
            x[i] = sum / l[i * n + i];
        }
        dot(&x, w)
    }

    #[differentiate]
    #[differentiate]
    pub(super) fn backward_substitution(u: &[f64], b: &[f64], w: &[f64]) -> f64 {
        let n = b.len();
        let mut x = vec![0.0; n];
        for i in (0..n).rev() {
            let mut sum = b[i];
            for j in i + 1..n {
                sum -= u[i * n + j] * x[j];
            }
            x[i] = sum / u[i * n + i];
        }
        dot(&x, w)
    }

    #[differentiate]
    #[differentiate]
    pub(super) fn elimination(a: &[f64], b: &[f64], w: &[f64]) -> f64 {
        let n = b.len();
        let mut a = a.to_vec();
        let mut x = b.to_vec();
        for k in 0..n {
            let mut pivot = k;
            for i in k + 1..n {
                if a[i * n + k].abs() > a[pivot * n + k].abs() {
                    pivot = i;
                }
            }
            if pivot != k {
                for j in 0..n {
                    a.swap(k * n + j, pivot * n + j);
                }
                x.swap(k, pivot);
            }
            for i in k + 1..n {
                let factor = a[i * n + k] / a[k * n + k];
                for j in k..n {
                    a[i * n + j] -= factor * a[k * n + j];
                }
                x[i] -= factor * x[k];
            }
        }
        backward_substitution(&a, &x, w)
    }

    #[differentiate]
    #[differentiate]
    pub(super) fn cholesky(a: &[f64], w: &[f64], n: usize) -> f64 {
        let mut l = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..=i {
                let mut sum = a[i * n + j];
                for p in 0..j {
                    sum -= l[i * n + p] * l[j * n + p];
                }
                if i == j {
                    l[i * n + i] = sum.sqrt();
                } else {
                    l[i * n + j] = sum / l[j * n + j];
                }
            }
        }
        dot(&l, w)
    }

    #[differentiate]
    #[differentiate]
    pub(super) fn logsumexp(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for x in x {
            sum += x.exp();
        }
        sum.ln()
    }

    #[differentiate]
    #[differentiate]
    pub(super) fn softmax(x: &[f64], w: &[f64]) -> f64 {
        let (mut sum, mut weighted) = (0.0, 0.0);
        for i in 0..x.len() {
            sum += x[i].exp();
            weighted += x[i].exp() * w[i];
        }
        weighted / sum
    }

    #[differentiate]
    #[differentiate]
    pub(super) fn cumsum(x: &[f64], w: &[f64]) -> f64 {
        let (mut sum, mut weighted) = (0.0, 0.0);
        for i in 0..x.len() {
            sum += x[i];
            weighted += sum * w[i];
        }
        weighted
    }

    #[differentiate]
    #[differentiate]
    pub(super) fn insertion_sort(x: &[f64], w: &[f64]) -> f64 {
        let mut sorted = x.to_vec();
        for i in 1..sorted.len() {
            let mut j = i;
            while j > 0 && sorted[j - 1] > sorted[j] {
                sorted.swap(j - 1, j);
                j -= 1;
            }
        }
        dot(&sorted, w)
    }

    #[differentiate]
    #[differentiate]
    pub(super) fn interp(x: f64, xs: &[f64], ys: &[f64]) -> f64 {
        let mut i = 0;
        while xs[i + 1] <= x {
            i += 1;
        }
        ys[i] + (x - xs[i]) * (ys[i + 1] - ys[i]) / (xs[i + 1] - xs[i])
    }
}

/// Gradients in closed form, and second derivatives.
mod closed {
    use cotangent::linalg;

    /// With `s` for the solution of `covariance s = x - mean`, by which the density falls.
    pub(super) fn gaussian_log_density(
        x: &[f64],
        mean: &[f64],
        covariance: &[f64],
    ) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let (n, mut u) = (x.len(), x.to_vec());
        linalg::axpy(-1.0, mean, &mut u);
        let s = linalg::lu_solve(covariance, &u, n).unwrap();
        let identity: Vec<f64> = (0..n * n).map(|i| f64::from(u8::from(i / n == i % n))).collect();
        let inverse = linalg::lu_solve(covariance, &identity, n).unwrap();
        // Of the lower triangle, whose entries beside the diagonal stand for two.
        let of_covariance = (0..n * n).map(|index| match (index / n, index % n) {
            (i, j) if i < j => 0.0,
            (i, j) if i == j => 0.5 * (s[i] * s[j] - inverse[index]),
            (i, j) => s[i] * s[j] - inverse[index],
        });
        (s.iter().map(|s| -s).collect(), s.clone(), of_covariance.collect())
    }

    pub(super) fn cross_entropy(logits: &[f64], label: usize) -> Vec<f64> {
        let mut gradient = linalg::softmax(logits);
        gradient[label] -= 1.0;
        gradient
    }

    /// At the minimum only the explicit dependence counts.
    pub(super) fn least_squares(a: &[f64], b: &[f64], n: usize) -> (Vec<f64>, Vec<f64>) {
        let m = b.len();
        let normal = linalg::matmul_tn(a, a, n, m, n);
        let x = linalg::lu_solve(&normal, &linalg::matvec_t(a, b, m, n), n).unwrap();
        let mut residual = linalg::matvec(a, &x, m, n);
        linalg::axpy(-1.0, b, &mut residual);
        let of_a = (0..m * n).map(|index| 2.0 * residual[index / n] * x[index % n]);
        (of_a.collect(), residual.iter().map(|r| -2.0 * r).collect())
    }

    pub(super) fn inverse(a: &[f64], n: usize) -> Vec<f64> {
        let identity: Vec<f64> = (0..n * n).map(|i| f64::from(u8::from(i / n == i % n))).collect();
        linalg::lu_solve(a, &identity, n).unwrap()
    }

    /// `diag(p) - p pᵀ`, where `p` are the shares.
    pub(super) fn logsumexp_hessian(x: &[f64]) -> Vec<f64> {
        let (n, p) = (x.len(), linalg::softmax(x));
        let entry = |i: usize, j: usize| if i == j { p[i] - p[i] * p[i] } else { -p[i] * p[j] };
        (0..n * n).map(|index| entry(index / n, index % n)).collect()
    }

    /// `(1 - x xᵀ / r²) / r`.
    pub(super) fn norm_hessian(x: &[f64]) -> Vec<f64> {
        let (n, r) = (x.len(), linalg::dot(x, x).sqrt());
        let entry = |i: usize, j: usize| (f64::from(u8::from(i == j)) - x[i] * x[j] / (r * r)) / r;
        (0..n * n).map(|index| entry(index / n, index % n)).collect()
    }

    /// The derivative of the inverse along a symmetric matrix, `-a⁻¹ e a⁻¹`, of whose lower triangle the entries beside
    /// the diagonal stand for two.
    pub(super) fn log_determinant_hvp(a: &[f64], e: &[f64], n: usize) -> Vec<f64> {
        let inverse = inverse(a, n);
        let product = linalg::matmul(&linalg::matmul(&inverse, e, n, n, n), &inverse, n, n, n);
        let entries = (0..n * n).map(|index| match (index / n, index % n) {
            (i, j) if i < j => 0.0,
            (i, j) if i == j => -product[index],
            _ => -2.0 * product[index],
        });
        entries.collect()
    }
}

/// Tests of Hessians by rules against those of loops.
macro_rules! hessians_against_loops {
    ($($row:ident $point:tt is $by_loop:ident $same:tt;)*) => {
        mod hessians {
            use super::*;

            $(
                #[test]
                fn $row() {
                    let found = super::$row::$row::hessian $point.into_vec();
                    let expected = loops::$by_loop::hessian $same.into_vec();
                    crate::rows::assert_close(stringify!($row), &found, &expected);
                }
            )*
        }
    };
}

hessians_against_loops! {
    dot_against_loop (&waves(9, 0.3), &waves(9, 0.8)) is dot (&waves(9, 0.3), &waves(9, 0.8));
    axpy_against_loop (0.7, &waves(5, 0.3), &waves(5, 0.8)) is moved_energy (0.7, &waves(5, 0.3), &waves(5, 0.8));
    norm_against_loop (&waves(9, 0.3)) is norm (&waves(9, 0.3));
    matvec_against_loop (&waves(35, 0.3), &waves(7, 0.8), &waves(5, 0.1))
        is bilinear (&waves(35, 0.3), &waves(7, 0.8), &waves(5, 0.1));
    transposed_matvec_against_loop (&waves(35, 0.3), &waves(7, 0.8), &waves(5, 0.1))
        is bilinear (&waves(35, 0.3), &waves(7, 0.8), &waves(5, 0.1));
    matmul_against_loop (&waves(6, 0.3), &waves(15, 0.1), 2, 3, 5)
        is squares (&waves(6, 0.3), &waves(15, 0.1), [2, 3, 5], [3, 1, 5, 1]);
    matmul_tn_against_loop (&waves(6, 0.3), &waves(15, 0.1), 2, 3, 5)
        is squares (&waves(6, 0.3), &waves(15, 0.1), [2, 3, 5], [1, 2, 5, 1]);
    matmul_nt_against_loop (&waves(6, 0.3), &waves(15, 0.1), 2, 3, 5)
        is squares (&waves(6, 0.3), &waves(15, 0.1), [2, 3, 5], [3, 1, 1, 3]);
    kron_against_loop (&waves(6, 0.3), &waves(8, 0.1), &waves(48, 0.5), 3, 2)
        is kron_squares (&waves(6, 0.3), &waves(8, 0.1), &waves(48, 0.5), 3, 2);
    solve_lower_against_loop (&dominant(5, 0.3), &waves(5, 0.1), &waves(5, 0.5))
        is forward_substitution (&dominant(5, 0.3), &waves(5, 0.1), &waves(5, 0.5));
    solve_upper_against_loop (&dominant(5, 0.3), &waves(5, 0.1), &waves(5, 0.5))
        is backward_substitution (&dominant(5, 0.3), &waves(5, 0.1), &waves(5, 0.5));
    lu_solve_against_loop (&exchanged(5, 0.3), &waves(5, 0.1), &waves(5, 0.5))
        is elimination (&exchanged(5, 0.3), &waves(5, 0.1), &waves(5, 0.5));
    cholesky_against_loop (&positive(5, 0.3), &waves(25, 0.1), 5)
        is cholesky (&positive(5, 0.3), &waves(25, 0.1), 5);
    logsumexp_against_loop (&waves(9, 0.3)) is logsumexp (&waves(9, 0.3));
    softmax_against_loop (&waves(9, 0.3), &waves(9, 0.1)) is softmax (&waves(9, 0.3), &waves(9, 0.1));
    cumsum_against_loop (&waves(9, 0.3), &waves(9, 0.1)) is cumsum (&waves(9, 0.3), &waves(9, 0.1));
    sort_against_loop (&waves(9, 0.3), &waves(9, 0.1)) is insertion_sort (&waves(9, 0.3), &waves(9, 0.1));
    interp_against_loop (0.7, &[0.1, 0.9, 1.5], &[0.4, -0.3, 0.8])
        is interp (0.7, &[0.1, 0.9, 1.5], &[0.4, -0.3, 0.8]);
}

#[differentiate(wrt(b))]
#[differentiate]
fn stored_energy(a: &[f64], b: &[f64]) -> f64 {
    0.5 * linalg::dot(b, &linalg::lu_solve(a, b, b.len()).unwrap())
}

#[differentiate]
#[differentiate]
fn log_determinant(a: &[f64], n: usize) -> f64 {
    let l = linalg::cholesky(a, n).unwrap();
    (0..n).map(|i| 2.0 * l[i * n + i].ln()).sum()
}

#[test]
fn hessians_are_those_of_closed_forms() {
    let close = crate::rows::assert_close::<Vec<f64>, Vec<f64>>;
    for n in [1, 2, 5, 19] {
        let (x, y) = (waves(n, 0.3), waves(n, 0.8));
        close("logsumexp", &logsumexp::hessian(&x).into_vec(), &closed::logsumexp_hessian(&x));
        close("norm2", &norm2::hessian(&x).into_vec(), &closed::norm_hessian(&x));
        let a = positive(n, 0.3);
        close("energy", &stored_energy::hessian(&a, &x).into_vec(), &closed::inverse(&a, n));
        assert_eq!(dot::hvp(&x, &y, &y, &x), (x.clone(), y.clone()));
    }
    for n in [2, 5, 37] {
        let (a, e) = (positive(n, 0.3), positive(n, 0.8));
        let found = log_determinant::hvp(&a, &e, n);
        close("log_determinant", &found, &closed::log_determinant_hvp(&a, &e, n));
    }
}

corpus! {
    fn dot_against_loop(x: &[f64], y: &[f64]) -> f64 {
        linalg::dot(x, y)
    }
    at (&waves(3, 0.3), &waves(3, 0.8)), (&waves(19, 0.3), &waves(19, 0.8)) => loops::dot::gradient(x, y);

    fn axpy_against_loop(a: f64, x: &[f64], y: &[f64]) -> f64 {
        let mut moved = y.to_vec();
        linalg::axpy(a, x, &mut moved);
        linalg::dot(&moved, &moved)
    }
    at (0.7, &waves(3, 0.3), &waves(3, 0.8)), (-0.4, &waves(19, 0.3), &waves(19, 0.8))
    => loops::moved_energy::gradient(a, x, y);

    fn norm_against_loop(x: &[f64]) -> f64 {
        linalg::norm2(x)
    }
    at (&waves(3, 0.3)), (&waves(19, 0.3)) => loops::norm::gradient(x);

    fn matvec_against_loop(a: &[f64], x: &[f64], y: &[f64]) -> f64 {
        linalg::dot(&linalg::matvec(a, x, y.len(), x.len()), y)
    }
    at (&waves(6, 0.3), &waves(3, 0.8), &waves(2, 0.1)), (&waves(99, 0.3), &waves(11, 0.8), &waves(9, 0.1))
    => loops::bilinear::gradient(a, x, y);

    fn transposed_matvec_against_loop(a: &[f64], x: &[f64], y: &[f64]) -> f64 {
        linalg::dot(&linalg::matvec_t(a, y, y.len(), x.len()), x)
    }
    at (&waves(6, 0.3), &waves(3, 0.8), &waves(2, 0.1)), (&waves(99, 0.3), &waves(11, 0.8), &waves(9, 0.1))
    => loops::bilinear::gradient(a, x, y);

    fn matmul_against_loop(a: &[f64], b: &[f64], m: usize, k: usize, n: usize) -> f64 {
        let c = linalg::matmul(a, b, m, k, n);
        linalg::dot(&c, &c)
    }
    at (&waves(6, 0.3), &waves(12, 0.1), 2, 3, 4), (&waves(35, 0.1), &waves(63, 0.4), 5, 7, 9)
    => loops::squares::gradient(a, b, [m, k, n], [k, 1, n, 1]);

    fn matmul_tn_against_loop(a: &[f64], b: &[f64], m: usize, k: usize, n: usize) -> f64 {
        let c = linalg::matmul_tn(a, b, m, k, n);
        linalg::dot(&c, &c)
    }
    at (&waves(6, 0.3), &waves(12, 0.1), 2, 3, 4), (&waves(35, 0.1), &waves(63, 0.4), 5, 7, 9)
    => loops::squares::gradient(a, b, [m, k, n], [1, m, n, 1]);

    fn matmul_nt_against_loop(a: &[f64], b: &[f64], m: usize, k: usize, n: usize) -> f64 {
        let c = linalg::matmul_nt(a, b, m, k, n);
        linalg::dot(&c, &c)
    }
    at (&waves(6, 0.3), &waves(12, 0.1), 2, 3, 4), (&waves(35, 0.1), &waves(63, 0.4), 5, 7, 9)
    => loops::squares::gradient(a, b, [m, k, n], [k, 1, 1, k]);

    fn kron_against_loop(a: &[f64], b: &[f64], w: &[f64], n: usize, q: usize) -> f64 {
        linalg::dot(&linalg::kron(a, b, a.len() / n, n, b.len() / q, q), w)
    }
    at (&waves(6, 0.3), &waves(8, 0.1), &waves(48, 0.5), 3, 2), (&waves(4, 0.3), &waves(3, 0.1), &waves(12, 0.5), 1, 3)
    => loops::kron_squares::gradient(a, b, w, n, q);

    fn solve_lower_against_loop(l: &[f64], b: &[f64], w: &[f64]) -> f64 {
        linalg::dot(&linalg::solve_lower(l, b, b.len()), w)
    }
    at (&dominant(3, 0.3), &waves(3, 0.1), &waves(3, 0.5)), (&dominant(9, 0.3), &waves(9, 0.1), &waves(9, 0.5))
    => loops::forward_substitution::gradient(l, b, w);

    fn solve_upper_against_loop(u: &[f64], b: &[f64], w: &[f64]) -> f64 {
        linalg::dot(&linalg::solve_upper(u, b, b.len()), w)
    }
    at (&dominant(3, 0.3), &waves(3, 0.1), &waves(3, 0.5)), (&dominant(9, 0.3), &waves(9, 0.1), &waves(9, 0.5))
    => loops::backward_substitution::gradient(u, b, w);

    fn lu_solve_against_loop(a: &[f64], b: &[f64], w: &[f64]) -> f64 {
        linalg::dot(&linalg::lu_solve(a, b, b.len()).unwrap(), w)
    }
    at (&[0.1, 2.0, 1.5, 0.3], &[0.7, 0.4], &[0.2, 0.9]), (&exchanged(9, 0.3), &waves(9, 0.1), &waves(9, 0.5)),
    (&exchanged(37, 0.3), &waves(37, 0.1), &waves(37, 0.5))
    => loops::elimination::gradient(a, b, w);

    fn cholesky_against_loop(a: &[f64], w: &[f64], n: usize) -> f64 {
        linalg::dot(&linalg::cholesky(a, n).expect("positive definite"), w)
    }
    at (&positive(3, 0.3), &waves(9, 0.1), 3), (&positive(37, 0.3), &waves(1369, 0.1), 37)
    => loops::cholesky::gradient(a, w, n);

    fn logsumexp_against_loop(x: &[f64]) -> f64 {
        linalg::logsumexp(x)
    }
    at (&waves(3, 0.3)), (&waves(9, 0.3)) => loops::logsumexp::gradient(x);

    fn softmax_against_loop(x: &[f64], w: &[f64]) -> f64 {
        linalg::dot(&linalg::softmax(x), w)
    }
    at (&waves(3, 0.3), &waves(3, 0.1)), (&waves(9, 0.3), &waves(9, 0.1)) => loops::softmax::gradient(x, w);

    fn cumsum_against_loop(x: &[f64], w: &[f64]) -> f64 {
        linalg::dot(&linalg::cumsum(x), w)
    }
    at (&waves(3, 0.3), &waves(3, 0.1)), (&waves(9, 0.3), &waves(9, 0.1)) => loops::cumsum::gradient(x, w);

    fn sort_against_loop(x: &[f64], w: &[f64]) -> f64 {
        linalg::dot(&linalg::sort(x), w)
    }
    at (&waves(3, 0.3), &waves(3, 0.1)), (&waves(9, 0.3), &waves(9, 0.1)) => loops::insertion_sort::gradient(x, w);

    fn median_by_its_index(x: &[f64]) -> f64 {
        let order = linalg::argsort(x);
        linalg::select(x, x.len() / 2) * x[order[x.len() / 2]] + linalg::gather(x, &order)[0]
    }
    at (&waves(3, 0.3)), (&waves(9, 0.3));

    fn interp_against_loop(x: f64, xs: &[f64], ys: &[f64]) -> f64 {
        linalg::interp(x, xs, ys)
    }
    at (0.7, &[0.1, 0.9, 1.5], &[0.4, -0.3, 0.8]), (1.1, &[0.1, 0.9, 1.5], &[0.4, -0.3, 0.8])
    => loops::interp::gradient(x, xs, ys);

    fn gaussian_log_density(x: &[f64], mean: &[f64], covariance: &[f64]) -> f64 {
        let n = x.len();
        let l = linalg::cholesky(covariance, n).unwrap();
        let mut u = x.to_vec();
        linalg::axpy(-1.0, mean, &mut u);
        let whitened = linalg::solve_lower(&l, &u, n);
        let mut log_density = -0.5 * linalg::dot(&whitened, &whitened);
        for i in 0..n {
            log_density -= l[i * n + i].ln() + 0.5 * std::f64::consts::TAU.ln();
        }
        log_density
    }
    at (&waves(2, 0.3), &waves(2, 0.1), &[2.0, 0.3, 0.3, 1.5]), (&waves(6, 0.3), &waves(6, 0.1), &positive(6, 0.2))
    => closed::gaussian_log_density(x, mean, covariance);

    fn cross_entropy(logits: &[f64], label: usize) -> f64 {
        -linalg::softmax(logits)[label].ln()
    }
    at (&waves(3, 0.3), 1), (&waves(9, 0.3), 4)
    => closed::cross_entropy(logits, label);

    fn stable_cross_entropy(logits: &[f64], label: usize) -> f64 {
        linalg::logsumexp(logits) - logits[label]
    }
    at (&[700.0, 710.0], 0), (&waves(9, 0.3), 4)
    => closed::cross_entropy(logits, label);

    fn least_squares(a: &[f64], b: &[f64], n: usize) -> f64 {
        let m = b.len();
        let normal = linalg::matmul_tn(a, a, n, m, n);
        let x = linalg::lu_solve(&normal, &linalg::matvec_t(a, b, m, n), n).unwrap();
        let mut residual = linalg::matvec(a, &x, m, n);
        linalg::axpy(-1.0, b, &mut residual);
        linalg::dot(&residual, &residual)
    }
    at (&waves(8, 0.3), &waves(4, 0.1), 2), (&waves(35, 0.3), &waves(7, 0.1), 5)
    => closed::least_squares(a, b, n);

    fn dot_with_itself(x: &[f64]) -> f64 {
        linalg::dot(x, x)
    }
    at (&[0.3, 0.5, 0.7]);

    fn overlapping_slices(x: &[f64]) -> f64 {
        linalg::dot(&x[1..], &x[..x.len() - 1])
    }
    at (&[0.3, 0.5, 0.7]);

    fn of_arrays(x: f64) -> f64 {
        let a = [x, x * x, 1.0];
        let b = [x.sin(), 2.0, x];
        linalg::dot(&a, &b) + linalg::norm2(&a[1..])
    }
    at (0.7);

    fn in_a_loop_over_rows(a: &[f64], x: &[f64]) -> f64 {
        let mut s = 0.0;
        for row in a.chunks(x.len()) {
            s += linalg::dot(row, x).sin();
        }
        s
    }
    at (&[0.3, 0.5, 0.7, 0.1], &[0.3, 0.5]);

    fn in_a_chain_over_rows(a: &[f64], x: &[f64]) -> f64 {
        a.chunks_exact(x.len()).map(|row| linalg::logsumexp(row) * linalg::dot(row, x)).sum()
    }
    at (&[0.3, 0.5, 0.7, 0.1], &[0.3, 0.5]);

    fn in_a_method(l: &Layer, x: &[f64]) -> f64 {
        let y = l.apply(x);
        linalg::norm2(&linalg::softmax(&y))
    }
    at (&layer(), &[0.3, 0.5, 0.7]);

    fn in_a_method_that_changes(l: &mut Layer, rate: f64, x: &[f64]) -> f64 {
        let y = l.apply(x);
        l.descend(rate, &y);
        linalg::dot(&l.b, &l.apply(x))
    }
    at (&mut layer(), 0.3, &[0.3, 0.5, 0.7]);

    fn asked_for_a_factor(a: &[f64], n: usize) -> Option<f64> {
        let l = linalg::cholesky(a, n)?;
        Some(l[0].ln() + l[n + 1])
    }
    at (&[2.0, 0.3, 0.3, 1.5], 2), (&[-2.0, 0.3, 0.3, 1.5], 2);

    fn matched_solution(a: &[f64], b: &[f64]) -> f64 {
        match linalg::lu_solve(a, b, b.len()) {
            Some(x) => linalg::norm2(&x),
            None => 0.0,
        }
    }
    at (&[2.0, 0.3, 0.3, 1.5], &[0.2, 0.5]);

    fn solution_if_there_is_one(a: &[f64], b: &[f64]) -> f64 {
        let mut s = b[0];
        if let Some(x) = linalg::lu_solve(a, b, b.len()) {
            s += linalg::dot(&x, b);
        }
        s
    }
    at (&[2.0, 0.3, 0.3, 1.5], &[0.2, 0.5]);

    fn axpy_between_halves(x: &mut [f64], a: f64) {
        let (l, r) = x.split_at_mut(2);
        linalg::axpy(a, l, r);
    }
    at (&mut [0.3, 0.5, 0.7, 0.1], 0.6);

    fn axpy_in_a_loop(x: &[f64], h: f64) -> f64 {
        let mut y = x.to_vec();
        for _ in 0..4 {
            let k = linalg::softmax(&y);
            linalg::axpy(h, &k, &mut y);
        }
        linalg::norm2(&y)
    }
    at (&[0.3, 0.5, 0.7], 0.1);

    fn powers_of_a_matrix(a: &[f64], n: usize) -> f64 {
        let mut p = a.to_vec();
        for _ in 0..3 {
            p = linalg::matmul(&p, a, n, n, n);
        }
        linalg::norm2(&p)
    }
    at (&[0.3, 0.5, 0.7, 0.1], 2);

    fn chain_over_a_result(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for (i, v) in linalg::sort(x).iter().enumerate() {
            s += v * (i as f64);
        }
        s + linalg::cumsum(x).iter().map(|x| x * x).sum::<f64>()
    }
    at (&[0.9, 0.5, 0.7]);

    fn interpolated_twice(x: f64, xs: &[f64], ys: &[f64]) -> f64 {
        linalg::interp(linalg::interp(x, xs, ys), xs, ys)
    }
    at (0.7, &[0.0, 1.0, 2.0], &[0.3, 0.5, 1.2]);

    fn in_a_closure(x: &[f64], a: f64) -> f64 {
        let f = |s: f64| s * linalg::dot(x, x);
        f(a) + f(2.0 * a)
    }
    at (&[0.3, 0.5], 0.7);
}

#[test]
fn corners_are_as_documented() {
    assert_eq!(norm2::value_and_gradient(&[0.0, 0.0]), (0.0, vec![0.0; 2]));
    assert_eq!(norm2::jvp(&[0.0, 0.0], &[1.0, 2.0]), (0.0, 0.0));
    for scale in [1e300, 2.0_f64.powi(600), 1e-300, 2.0_f64.powi(-600), 1e-310] {
        let (norm, gradient) = norm2::value_and_gradient(&[3.0 * scale, 4.0 * scale]);
        assert!((norm / scale - 5.0).abs() < 1e-12, "{scale:e}: {norm:e}");
        crate::rows::assert_close("norm2", &gradient, &vec![0.6, 0.8]);
    }
    assert_eq!(norm2(&[f64::NEG_INFINITY, 1.0]), f64::INFINITY);
    assert!(norm2(&[f64::NAN, f64::INFINITY]).is_nan());
    let nothing = [f64::NEG_INFINITY; 2];
    assert_eq!(logsumexp::value_and_gradient(&nothing), (f64::NEG_INFINITY, vec![0.0; 2]));
    assert_eq!(logsumexp(&[] as &[f64]), f64::NEG_INFINITY);
    assert!(logsumexp(&[f64::NAN, f64::INFINITY]).is_nan());
    let infinite = [f64::INFINITY, 1.0, f64::NEG_INFINITY];
    assert_eq!(logsumexp::value_and_gradient(&infinite), (f64::INFINITY, vec![1.0, 0.0, 0.0]));
    assert_eq!(softmax(&infinite), [1.0, 0.0, 0.0]);
    assert_eq!(softmax(&[] as &[f64]), []);
    let (xs, ys) = ([0.0, 1.0, 3.0], [0.0, 2.0, 4.0]);
    assert_eq!(interp::gradient(1.0, &xs, &ys).0, 1.0);
    assert_eq!(interp::gradient(3.0, &xs, &ys), (1.0, vec![0.0, 0.0, -1.0], vec![0.0, 0.0, 1.0]));
    assert!(interp(f64::NAN, &xs, &ys).is_nan());
}

#[test]
fn corners_are_as_documented_in_second_derivatives() {
    assert_eq!(norm2::hvp(&[0.0, 0.0], &[1.0, 2.0]), [0.0, 0.0]);
    for scale in [1e300, 2.0_f64.powi(600), 1e-140, 2.0_f64.powi(-400)] {
        let product = norm2::hvp(&[3.0 * scale, 4.0 * scale], &[scale, 0.0]);
        crate::rows::assert_close("norm2", &product, &vec![0.128, -0.096]);
    }
    let nothing = [f64::NEG_INFINITY; 2];
    assert_eq!(logsumexp::hvp(&nothing, &[1.0, 2.0]), [0.0, 0.0]);
    let infinite = [0.0, 0.0, f64::NEG_INFINITY];
    assert_eq!(logsumexp::hvp(&infinite, &[1.0, 0.0, 0.0]), [0.25, -0.25, 0.0]);
    let (xs, ys) = ([0.0, 1.0, 3.0], [0.0, 2.0, 4.0]);
    assert_eq!(interp::hessian(1.0, &xs, &ys).row(0), [0.0, 0.0, 0.5, -0.5, 0.0, -0.5, 0.5]);
    assert_eq!(interp::hvp(-1.0, 1.0, &xs, &[0.0; 3], &ys, &[1.0; 3]).0, 0.0);
}

#[test]
fn equals_stay_in_order() {
    assert_eq!(argsort(&[1.0, -0.0, 0.0, f64::NAN, -f64::NAN, 1.0]), [4, 1, 2, 0, 5, 3]);
    assert_eq!(argsort(&[1.0_f32, -0.0, 0.0, f32::NAN, -f32::NAN, 1.0]), [4, 1, 2, 0, 5, 3]);
    let (_, pullback) = sort::vjp(&[1.0, 0.0, 1.0]);
    let mut x_bar = [0.0; 3];
    pullback(&[1.0, 0.0, 1.0], &mut x_bar, vec![1.0, 2.0, 3.0]);
    assert_eq!(x_bar, [2.0, 1.0, 3.0]);
    assert_eq!(select::gradient(&[1.0, 0.0, 1.0], 1), [1.0, 0.0, 0.0]);
    assert_eq!(select::gradient(&[1.0, 0.0, 1.0], 2), [0.0, 0.0, 1.0]);
}

#[test]
fn what_has_no_solution_has_no_derivative() {
    let singular = [1.0, 2.0, 2.0, 4.0];
    let (x, pullback) = lu_solve::vjp(&singular, &[1.0, 1.0], 2);
    let (mut a_bar, mut b_bar) = ([1.0; 4], [1.0; 2]);
    pullback(&singular, &mut a_bar, &[1.0, 1.0], &mut b_bar, None);
    assert_eq!((x, a_bar, b_bar), (None, [1.0; 4], [1.0; 2]));
    assert_eq!(lu_solve::jvp(&singular, &[0.0; 4], &[1.0; 2], &[0.0; 2], 2), (None, None));
    let indefinite = [1.0, 0.0, 2.0, 1.0];
    let (l, pullback) = cholesky::vjp(&indefinite, 2);
    pullback(&indefinite, &mut a_bar, None);
    assert_eq!((l, a_bar), (None, [1.0; 4]));
    assert_eq!(cholesky::jvp(&indefinite, &[0.0; 4], 2), (None, None));
    assert_eq!(cholesky(&[f64::NAN], 1), None);
    assert_eq!(lu_solve(&[f64::NAN], &[1.0], 1), None);
}

#[test]
fn nothing_of_nothing_is_nothing() {
    assert_eq!(dot::value_and_gradient(&[] as &[f64], &[]), (0.0, (vec![], vec![])));
    assert_eq!(matmul(&[] as &[f64], &[], 2, 0, 2), [0.0; 4]);
    assert_eq!(matmul_tn(&[] as &[f64], &[], 0, 2, 0), []);
    assert_eq!(matmul_nt(&[1.0], &[], 1, 1, 0), []);
    assert_eq!(matvec(&[] as &[f64], &[], 2, 0), [0.0; 2]);
    assert_eq!(matvec_t(&[] as &[f64], &[], 0, 2), [0.0; 2]);
    assert_eq!(kron(&[] as &[f64], &[1.0], 0, 2, 1, 1), []);
    assert_eq!(kron(&[1.0], &[], 1, 1, 2, 0), []);
    assert_eq!(lu_solve(&[] as &[f64], &[], 0), Some(vec![]));
    assert_eq!(lu_solve(&[1.0], &[], 1), Some(vec![]));
    assert_eq!(cholesky(&[] as &[f64], 0), Some(vec![]));
    assert_eq!(solve_lower_t(&[] as &[f64], &[], 0), []);
    assert_eq!((cumsum(&[] as &[f64]), sort(&[] as &[f64])), (vec![], vec![]));
}

/// The words of a panic.
fn words<R>(call: impl FnOnce() -> R + std::panic::UnwindSafe) -> String {
    let payload = std::panic::catch_unwind(call).err().expect("it panics");
    payload.downcast_ref::<String>().cloned().unwrap_or_default()
}

#[test]
fn sizes_that_do_not_fit_panic_alike_in_derivatives() {
    let (x, y, a) = ([1.0, 2.0, 3.0], [1.0, 2.0], [1.0, 2.0, 3.0, 4.0]);
    let expected = "dot: `x` has 3 entries and `y` has 2";
    assert_eq!(words(|| dot(&x, &y)), expected);
    assert_eq!(words(|| dot::gradient(&x, &y)), expected);
    assert_eq!(words(|| dot::jvp(&x, &x, &y, &y)), expected);
    let expected = "matmul: `a` has 3 entries and should be a matrix of 2 by 2";
    assert_eq!(words(|| matmul(&x, &a, 2, 2, 2)), expected);
    assert_eq!(words(|| matmul::vjp(&x, &a, 2, 2, 2).0), expected);
    assert_eq!(words(|| matmul::jvp(&x, &x, &a, &a, 2, 2, 2)), expected);
    let expected = "lu_solve: `b` has 3 entries, which are not 2 rows of one length";
    assert_eq!(words(|| lu_solve(&a, &x, 2)), expected);
    assert_eq!(words(|| lu_solve::vjp(&a, &x, 2).0), expected);
    assert_eq!(words(|| lu_solve::jvp(&a, &a, &x, &x, 2)), expected);
    assert_eq!(words(|| select::gradient(&y, 2)), "select: place 2 of 2 entries");
    assert_eq!(words(|| interp(2.0, &[1.0, 2.0, 2.0], &x)), "interp: knots 1 and 2 do not ascend");
}

#[test]
fn shadows_that_do_not_fit_panic() {
    let (x, a) = ([1.0, 2.0], [1.0, 2.0, 3.0, 4.0]);
    let pulled = |x_bar: usize, y_bar: usize| {
        let (_, pullback) = matvec::vjp(&a, &x, 2, 2);
        pullback(&a, &mut [0.0; 4], &x, &mut vec![0.0; x_bar], vec![0.0; y_bar]);
    };
    assert_eq!(
        words(|| pulled(1, 2)),
        "a tangent or a cotangent does not fit its value: 4 entries beside 2"
    );
    let expected = "a tangent or a cotangent does not fit its value: 1 entries beside 2";
    assert_eq!(words(|| pulled(2, 1)), expected);
    assert_eq!(words(|| softmax::jvp(&x, &x[..1])), expected);
    let of_a_matrix = "a tangent or a cotangent does not fit its value: 2 entries beside 4";
    assert_eq!(words(|| lu_solve::jvp(&a, &x, &x, &x, 2)), of_a_matrix);
    assert_eq!(words(|| norm2::vjp(&x).1(&x, &mut [0.0], 1.0)), expected);
}
