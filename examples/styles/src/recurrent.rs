//! A recurrent cell, hₜ = tanh(W xₜ + U hₜ₋₁ + b): the mean square of the errors of a linear read-out.

use cotangent::{Differentiable, differentiate};
use cotangent_examples::inputs::sequence;

use crate::style::{Algorithm, Size, data};

/// Returns the algorithm for a state, inputs and steps of `size`.
pub(crate) fn algorithm(size: Size) -> Algorithm {
    let (n, m, steps) = (size.pick(3, 16), size.pick(2, 4), size.pick(4, 40));
    let x = data(sequence(steps * m, -1.0..1.0));
    let y = data(sequence(steps, -1.0..1.0));
    let parameters = sequence(n * m + n * n + n + n, -0.4..0.4);
    let mut all =
        Algorithm::new("recurrent cell", parameters, move |p, p_bar| by_hand(p, p_bar, x, y, n, m));
    let flat = || (vec![0.0; n * m], vec![0.0; n * n], vec![0.0; n], vec![0.0; n]);
    style!(all, "index loops, copy back", index::loss, flat(), [0 1 2 3], [x, y], []);
    style!(all, "&mut outputs, swap", swap::loss, flat(), [0 1 2 3], [x, y], []);
    style!(all, "returned Vec", vectors::loss, flat(), [0 1 2 3], [x, y], []);
    style!(all, "chains, fold", chains::loss, flat(), [0 1 2 3], [x, y], []);
    let cell = structs::Cell {
        input: vec![vec![0.0; m]; n],
        state: vec![vec![0.0; n]; n],
        bias: vec![0.0; n],
        read_out: vec![0.0; n],
    };
    style!(all, "structs and rows", structs::loss, (cell,), [0], [x, y], []);
    style!(all, "all states in one slice", states::loss, flat(), [0 1 2 3], [x, y], []);
    all
}

mod index {
    use super::*;

    #[differentiate(constant(x, y))]
    pub(super) fn loss(w: &[f64], u: &[f64], b: &[f64], v: &[f64], x: &[f64], y: &[f64]) -> f64 {
        let n = b.len();
        let m = w.len() / n;
        let mut h = vec![0.0; n];
        let mut next = vec![0.0; n];
        let mut loss = 0.0;
        for t in 0..y.len() {
            for i in 0..n {
                let mut sum = b[i];
                for j in 0..m {
                    sum += w[i * m + j] * x[t * m + j];
                }
                for j in 0..n {
                    sum += u[i * n + j] * h[j];
                }
                next[i] = sum.tanh();
            }
            for i in 0..n {
                h[i] = next[i];
            }
            let mut out = 0.0;
            for i in 0..n {
                out += v[i] * h[i];
            }
            loss += (out - y[t]) * (out - y[t]);
        }
        loss / y.len() as f64
    }
}

mod swap {
    use super::*;

    #[differentiate(constant(x, y))]
    pub(super) fn loss(w: &[f64], u: &[f64], b: &[f64], v: &[f64], x: &[f64], y: &[f64]) -> f64 {
        let m = w.len() / b.len();
        let mut h = vec![0.0; b.len()];
        let mut next = vec![0.0; b.len()];
        let mut loss = 0.0;
        for t in 0..y.len() {
            step(w, u, b, &x[t * m..(t + 1) * m], &h, &mut next);
            std::mem::swap(&mut h, &mut next);
            let error = dot(v, &h) - y[t];
            loss += error * error;
        }
        loss / y.len() as f64
    }

    #[differentiate]
    fn step(w: &[f64], u: &[f64], b: &[f64], x: &[f64], h: &[f64], next: &mut [f64]) {
        let (n, m) = (h.len(), x.len());
        for i in 0..n {
            let sum = b[i] + dot(&w[i * m..(i + 1) * m], x) + dot(&u[i * n..(i + 1) * n], h);
            next[i] = sum.tanh();
        }
    }

    #[differentiate]
    fn dot(a: &[f64], b: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..a.len() {
            sum += a[i] * b[i];
        }
        sum
    }
}

mod vectors {
    use super::*;

    #[differentiate(constant(x, y))]
    pub(super) fn loss(w: &[f64], u: &[f64], b: &[f64], v: &[f64], x: &[f64], y: &[f64]) -> f64 {
        let m = w.len() / b.len();
        let mut h = vec![0.0; b.len()];
        let mut loss = 0.0;
        for t in 0..y.len() {
            let input = product(w, &x[t * m..(t + 1) * m]);
            let state = product(u, &h);
            h = activated(&input, &state, b);
            let out: f64 = v.iter().zip(&h).map(|(v, h)| v * h).sum();
            loss += (out - y[t]).powi(2);
        }
        loss / y.len() as f64
    }

    #[differentiate]
    fn product(a: &[f64], x: &[f64]) -> Vec<f64> {
        let mut y = Vec::new();
        for row in a.chunks_exact(x.len()) {
            let mut sum = 0.0;
            for j in 0..x.len() {
                sum += row[j] * x[j];
            }
            y.push(sum);
        }
        y
    }

    #[differentiate]
    fn activated(a: &[f64], b: &[f64], c: &[f64]) -> Vec<f64> {
        a.iter().zip(b).zip(c).map(|((a, b), c)| (a + b + c).tanh()).collect()
    }
}

mod chains {
    use super::*;

    #[differentiate(constant(x, y))]
    pub(super) fn loss(w: &[f64], u: &[f64], b: &[f64], v: &[f64], x: &[f64], y: &[f64]) -> f64 {
        let (n, m) = (b.len(), w.len() / b.len());
        let mut h = vec![0.0; n];
        let mut loss = 0.0;
        for (x, y) in x.chunks_exact(m).zip(y) {
            h = w
                .chunks_exact(m)
                .zip(u.chunks_exact(n))
                .zip(b)
                .map(|((w, u), b)| {
                    let input: f64 = w.iter().zip(x).map(|(w, x)| w * x).sum();
                    let state: f64 = u.iter().zip(&h).map(|(u, h)| u * h).sum();
                    (input + state + b).tanh()
                })
                .collect();
            let out = v.iter().zip(&h).fold(0.0, |sum, (v, h)| sum + v * h);
            loss += (out - y) * (out - y);
        }
        loss / y.len() as f64
    }
}

mod structs {
    use super::*;

    #[derive(Clone, Debug, Differentiable)]
    pub(super) struct Cell {
        pub(super) input: Vec<Vec<f64>>,
        pub(super) state: Vec<Vec<f64>>,
        pub(super) bias: Vec<f64>,
        pub(super) read_out: Vec<f64>,
    }

    #[differentiate]
    impl Cell {
        fn step(&self, x: &[f64], h: &[f64]) -> Vec<f64> {
            let mut next = self.bias.clone();
            for i in 0..next.len() {
                for j in 0..x.len() {
                    next[i] += self.input[i][j] * x[j];
                }
                for j in 0..h.len() {
                    next[i] += self.state[i][j] * h[j];
                }
                next[i] = next[i].tanh();
            }
            next
        }

        fn read(&self, h: &[f64]) -> f64 {
            let mut out = 0.0;
            for i in 0..h.len() {
                out += self.read_out[i] * h[i];
            }
            out
        }
    }

    #[differentiate(constant(x, y))]
    pub(super) fn loss(cell: &Cell, x: &[f64], y: &[f64]) -> f64 {
        let m = x.len() / y.len();
        let mut h = vec![0.0; cell.bias.len()];
        let mut loss = 0.0;
        for (x, y) in x.chunks(m).zip(y) {
            h = cell.step(x, &h);
            let error = cell.read(&h) - y;
            loss += error * error;
        }
        loss / y.len() as f64
    }
}

mod states {
    use super::*;

    #[differentiate(constant(x, y))]
    pub(super) fn loss(w: &[f64], u: &[f64], b: &[f64], v: &[f64], x: &[f64], y: &[f64]) -> f64 {
        let (steps, n) = (y.len(), b.len());
        let m = w.len() / n;
        let mut h = vec![0.0; (steps + 1) * n];
        for t in 0..steps {
            for i in 0..n {
                let mut sum = b[i];
                for j in 0..m {
                    sum += w[i * m + j] * x[t * m + j];
                }
                for j in 0..n {
                    sum += u[i * n + j] * h[t * n + j];
                }
                h[(t + 1) * n + i] = sum.tanh();
            }
        }
        let mut loss = 0.0;
        for t in 0..steps {
            let mut out = 0.0;
            for i in 0..n {
                out += v[i] * h[(t + 1) * n + i];
            }
            loss += (out - y[t]).powi(2);
        }
        loss / steps as f64
    }
}

/// Keeps all states and goes back through them.
fn by_hand(p: &[f64], p_bar: &mut [f64], x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
    let (w, rest) = p.split_at(n * m);
    let (u, rest) = rest.split_at(n * n);
    let (b, v) = rest.split_at(n);
    let (w_bar, rest) = p_bar.split_at_mut(n * m);
    let (u_bar, rest) = rest.split_at_mut(n * n);
    let (b_bar, v_bar) = rest.split_at_mut(n);
    let steps = y.len();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut states = vec![0.0; (steps + 1) * n];
    let mut errors = vec![0.0; steps];
    let mut loss = 0.0;
    for t in 0..steps {
        let (before, after) = states.split_at_mut((t + 1) * n);
        let (h, next) = (&before[t * n..], &mut after[..n]);
        for i in 0..n {
            let input = dot(&w[i * m..(i + 1) * m], &x[t * m..(t + 1) * m]);
            next[i] = (b[i] + input + dot(&u[i * n..(i + 1) * n], h)).tanh();
        }
        errors[t] = dot(v, next) - y[t];
        loss += errors[t] * errors[t];
    }
    let (mut h_bar, mut before_bar) = (vec![0.0; n], vec![0.0; n]);
    for t in (0..steps).rev() {
        let (h, next) = states[t * n..(t + 2) * n].split_at(n);
        let out_bar = 2.0 * errors[t] / steps as f64;
        before_bar.fill(0.0);
        for i in 0..n {
            v_bar[i] += out_bar * next[i];
            let sum_bar = (h_bar[i] + out_bar * v[i]) * (1.0 - next[i] * next[i]);
            b_bar[i] += sum_bar;
            for (w_bar, x) in w_bar[i * m..(i + 1) * m].iter_mut().zip(&x[t * m..(t + 1) * m]) {
                *w_bar += sum_bar * x;
            }
            let rows = u_bar[i * n..(i + 1) * n].iter_mut().zip(&u[i * n..(i + 1) * n]);
            for (((u_bar, u), h), before_bar) in rows.zip(h).zip(&mut before_bar) {
                *u_bar += sum_bar * h;
                *before_bar += sum_bar * u;
            }
        }
        std::mem::swap(&mut h_bar, &mut before_bar);
    }
    loss / steps as f64
}
