//! Implicit steps of heat in a rod of varying conductivity, each a tridiagonal solve by Thomas's algorithm: the square of
//! the temperatures at the end.

use cotangent::{Differentiable, differentiate};
use cotangent_examples::inputs::sequence;

use crate::style::{Algorithm, Size};

/// Returns the algorithm for points and steps of `size`. Its parameters are conductivities between points and
/// temperatures.
pub(crate) fn algorithm(size: Size) -> Algorithm {
    let (n, steps) = (size.pick(5, 64), size.pick(3, 20));
    let mut parameters = sequence(n + 1, 0.3..1.5);
    parameters.extend(sequence(n, -1.0..1.0));
    let mut all = Algorithm::new("tridiagonal solve", parameters, move |p, p_bar| {
        by_hand(p, p_bar, n, steps)
    });
    let flat = || (vec![0.0; n + 1], vec![0.0; n]);
    style!(all, "index loops", index::heat, flat(), [0 1], [], [steps]);
    style!(all, "&mut helper, swap", swap::heat, flat(), [0 1], [], [steps]);
    style!(all, "&mut helper in place", in_place::heat, flat(), [0 1], [], [steps]);
    style!(all, "returned Vec", vectors::heat, flat(), [0 1], [], [steps]);
    style!(all, "struct with solve", structs::heat, flat(), [0 1], [], [steps]);
    style!(all, "chains and while", chains::heat, flat(), [0 1], [], [steps]);
    all
}

mod index {
    use super::*;

    #[differentiate]
    pub(super) fn heat(k: &[f64], start: &[f64], steps: usize) -> f64 {
        let n = start.len();
        let mut u = start.to_vec();
        let mut c = vec![0.0; n];
        let mut d = vec![0.0; n];
        for _ in 0..steps {
            for i in 0..n {
                let diagonal = 1.0 + k[i] + k[i + 1];
                if i == 0 {
                    c[i] = -k[i + 1] / diagonal;
                    d[i] = u[i] / diagonal;
                } else {
                    let pivot = diagonal + k[i] * c[i - 1];
                    c[i] = -k[i + 1] / pivot;
                    d[i] = (u[i] + k[i] * d[i - 1]) / pivot;
                }
            }
            u[n - 1] = d[n - 1];
            for i in (0..n - 1).rev() {
                u[i] = d[i] - c[i] * u[i + 1];
            }
        }
        let mut sum = 0.0;
        for i in 0..n {
            sum += u[i] * u[i];
        }
        sum
    }
}

mod swap {
    use super::*;

    #[differentiate]
    pub(super) fn heat(k: &[f64], start: &[f64], steps: usize) -> f64 {
        let n = start.len();
        let (lower, upper) = (&k[..n], &k[1..]);
        let mut diagonal = vec![0.0; n];
        for i in 0..n {
            diagonal[i] = 1.0 + k[i] + k[i + 1];
        }
        let mut u = start.to_vec();
        let mut next = vec![0.0; n];
        let mut scratch = vec![0.0; n];
        for _ in 0..steps {
            solve(lower, &diagonal, upper, &u, &mut scratch, &mut next);
            std::mem::swap(&mut u, &mut next);
        }
        u.iter().map(|u| u * u).sum()
    }

    /// Solves −a xᵢ₋₁ + b xᵢ − c xᵢ₊₁ = d.
    #[differentiate]
    fn solve(a: &[f64], b: &[f64], c: &[f64], d: &[f64], scratch: &mut [f64], x: &mut [f64]) {
        let n = d.len();
        let mut pivot = b[0];
        x[0] = d[0] / pivot;
        for i in 1..n {
            scratch[i] = c[i - 1] / pivot;
            pivot = b[i] - a[i] * scratch[i];
            x[i] = (d[i] + a[i] * x[i - 1]) / pivot;
        }
        for i in (0..n - 1).rev() {
            x[i] += scratch[i + 1] * x[i + 1];
        }
    }
}

mod in_place {
    use super::*;

    #[differentiate]
    pub(super) fn heat(k: &[f64], start: &[f64], steps: usize) -> f64 {
        let mut u = start.to_vec();
        let mut c = vec![0.0; start.len()];
        for _ in 0..steps {
            step(k, &mut c, &mut u);
        }
        norm_squared(&u)
    }

    #[differentiate]
    fn step(k: &[f64], c: &mut [f64], u: &mut [f64]) {
        let n = u.len();
        c[0] = k[1] / (1.0 + k[0] + k[1]);
        u[0] /= 1.0 + k[0] + k[1];
        for i in 1..n {
            let pivot = 1.0 + k[i] + k[i + 1] - k[i] * c[i - 1];
            c[i] = k[i + 1] / pivot;
            u[i] = (u[i] + k[i] * u[i - 1]) / pivot;
        }
        for i in (0..n - 1).rev() {
            u[i] += c[i] * u[i + 1];
        }
    }

    #[differentiate]
    fn norm_squared(u: &[f64]) -> f64 {
        let mut sum = 0.0;
        for u in u {
            sum += u * u;
        }
        sum
    }
}

mod vectors {
    use super::*;

    #[differentiate]
    pub(super) fn heat(k: &[f64], start: &[f64], steps: usize) -> f64 {
        let n = start.len();
        let diagonal: Vec<f64> = k.windows(2).map(|k| 1.0 + k[0] + k[1]).collect();
        let mut u = start.to_vec();
        for _ in 0..steps {
            u = solve(&k[..n], &diagonal, &k[1..], &u);
        }
        u.iter().map(|u| u.powi(2)).sum()
    }

    #[differentiate]
    fn solve(a: &[f64], b: &[f64], c: &[f64], d: &[f64]) -> Vec<f64> {
        let n = d.len();
        let mut c_new = vec![0.0; n];
        let mut d_new = vec![0.0; n];
        c_new[0] = c[0] / b[0];
        d_new[0] = d[0] / b[0];
        for i in 1..n {
            let factor = 1.0 / (b[i] - a[i] * c_new[i - 1]);
            c_new[i] = c[i] * factor;
            d_new[i] = (d[i] + a[i] * d_new[i - 1]) * factor;
        }
        let mut x = vec![0.0; n];
        x[n - 1] = d_new[n - 1];
        for i in (0..n - 1).rev() {
            x[i] = d_new[i] + c_new[i] * x[i + 1];
        }
        x
    }
}

mod structs {
    use super::*;

    #[derive(Clone, Debug, Differentiable)]
    pub(super) struct Tridiagonal {
        lower: Vec<f64>,
        diagonal: Vec<f64>,
        upper: Vec<f64>,
    }

    #[differentiate]
    impl Tridiagonal {
        fn implicit_step(k: &[f64]) -> Tridiagonal {
            let n = k.len() - 1;
            let mut lower = Vec::new();
            let mut diagonal = Vec::new();
            let mut upper = Vec::new();
            for i in 0..n {
                lower.push(-k[i]);
                diagonal.push(1.0 + k[i] + k[i + 1]);
                upper.push(-k[i + 1]);
            }
            Tridiagonal { lower, diagonal, upper }
        }

        fn solve(&self, d: &[f64]) -> Vec<f64> {
            let n = d.len();
            let mut pivots = self.diagonal.clone();
            let mut x = d.to_vec();
            for i in 1..n {
                let w = self.lower[i] / pivots[i - 1];
                pivots[i] -= w * self.upper[i - 1];
                x[i] -= w * x[i - 1];
            }
            x[n - 1] /= pivots[n - 1];
            for i in (0..n - 1).rev() {
                x[i] = (x[i] - self.upper[i] * x[i + 1]) / pivots[i];
            }
            x
        }
    }

    #[differentiate]
    pub(super) fn heat(k: &[f64], start: &[f64], steps: usize) -> f64 {
        let matrix = Tridiagonal::implicit_step(k);
        let mut u = start.to_vec();
        for _ in 0..steps {
            u = matrix.solve(&u);
        }
        let mut sum = 0.0;
        for u in &u {
            sum += u * u;
        }
        sum
    }
}

mod chains {
    use super::*;

    #[differentiate]
    pub(super) fn heat(k: &[f64], start: &[f64], steps: usize) -> f64 {
        let n = start.len();
        let mut u = start.to_vec();
        let mut step = 0;
        while step < steps {
            let mut rows: Vec<(f64, f64)> = Vec::with_capacity(n);
            let (mut c, mut d) = (0.0, 0.0);
            for (k, u) in k.windows(2).zip(&u) {
                let pivot = 1.0 + k[0] + k[1] - k[0] * c;
                d = (u + k[0] * d) / pivot;
                c = k[1] / pivot;
                rows.push((c, d));
            }
            let mut x = 0.0;
            for (u, (c, d)) in u.iter_mut().zip(&rows).rev() {
                x = d + c * x;
                *u = x;
            }
            step += 1;
        }
        u.iter().map(|u| u * u).sum()
    }
}

/// Factors once; each adjoint step is a solve with the same factors, since the matrix is symmetric.
fn by_hand(p: &[f64], p_bar: &mut [f64], n: usize, steps: usize) -> f64 {
    let (k, start) = p.split_at(n + 1);
    let (k_bar, start_bar) = p_bar.split_at_mut(n + 1);
    let (mut c, mut pivots) = (vec![0.0; n], vec![0.0; n]);
    let mut before = 0.0;
    for i in 0..n {
        pivots[i] = 1.0 / (1.0 + k[i] + k[i + 1] - k[i] * before);
        c[i] = k[i + 1] * pivots[i];
        before = c[i];
    }
    let solve = |d: &[f64], x: &mut [f64]| {
        let mut last = 0.0;
        for i in 0..n {
            last = (d[i] + k[i] * last) * pivots[i];
            x[i] = last;
        }
        for i in (0..n - 1).rev() {
            last = x[i] + c[i] * last;
            x[i] = last;
        }
    };
    let mut states = vec![0.0; (steps + 1) * n];
    states[..n].copy_from_slice(start);
    for step in 0..steps {
        let (before, after) = states.split_at_mut((step + 1) * n);
        solve(&before[step * n..], &mut after[..n]);
    }
    let last = &states[steps * n..];
    let value = last.iter().map(|u| u * u).sum();
    let mut u_bar: Vec<f64> = last.iter().map(|u| 2.0 * u).collect();
    let mut d_bar = vec![0.0; n];
    for step in (0..steps).rev() {
        let u = &states[(step + 1) * n..(step + 2) * n];
        solve(&u_bar, &mut d_bar);
        // Of the matrix, −λ uᵀ: k couples neighbours by their differences.
        k_bar[0] -= d_bar[0] * u[0];
        for i in 1..n {
            k_bar[i] -= (d_bar[i] - d_bar[i - 1]) * (u[i] - u[i - 1]);
        }
        k_bar[n] -= d_bar[n - 1] * u[n - 1];
        std::mem::swap(&mut u_bar, &mut d_bar);
    }
    for (start_bar, u_bar) in start_bar.iter_mut().zip(&u_bar) {
        *start_bar += u_bar;
    }
    value
}
