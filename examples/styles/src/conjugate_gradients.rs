//! Conjugate gradients for a network of resistors on a line with second neighbours: the work of the load.

use cotangent::{Differentiable, differentiate};
use cotangent_examples::inputs::sequence;

use crate::style::{Algorithm, Size};

/// Residuals are small enough from here on.
const TOLERANCE: f64 = 1e-20;

/// Returns the algorithm for nodes and steps of `size`. Its parameters are diagonals of the matrix, its bands, and loads.
pub(crate) fn algorithm(size: Size) -> Algorithm {
    let (n, steps) = (size.pick(6, 100), size.pick(4, 10));
    let mut parameters = sequence(n, 3.0..4.0);
    parameters.extend(sequence(2 * n, -0.7..0.0));
    parameters.extend(sequence(n, -1.0..1.0));
    let mut all = Algorithm::new("conjugate gradients", parameters, move |p, p_bar| {
        by_hand(p, p_bar, n, steps)
    });
    let flat = || (vec![0.0; n], vec![0.0; 2 * n], vec![0.0; n]);
    style!(all, "index loops", index::work, flat(), [0 1 2], [], [steps]);
    style!(all, "&mut outputs", buffers::work, flat(), [0 1 2], [], [steps]);
    style!(all, "returned Vec", vectors::work, flat(), [0 1 2], [], [steps]);
    style!(all, "chains, early break", chains::work, flat(), [0 1 2], [], [steps]);
    style!(all, "while and state struct", structs::work, flat(), [0 1 2], [], [steps]);
    style!(all, "generic, closure", closure::work, flat(), [0 1 2], [], [steps]);
    all
}

mod index {
    use super::*;

    #[differentiate]
    pub(super) fn work(diagonal: &[f64], bands: &[f64], b: &[f64], steps: usize) -> f64 {
        let n = b.len();
        let mut x = vec![0.0; n];
        let mut r = b.to_vec();
        let mut p = b.to_vec();
        let mut q = vec![0.0; n];
        let mut rr = 0.0;
        for i in 0..n {
            rr += r[i] * r[i];
        }
        for _ in 0..steps {
            for i in 0..n {
                let mut sum = diagonal[i] * p[i];
                if i >= 1 {
                    sum += bands[i - 1] * p[i - 1];
                }
                if i + 1 < n {
                    sum += bands[i] * p[i + 1];
                }
                if i >= 2 {
                    sum += bands[n + i - 2] * p[i - 2];
                }
                if i + 2 < n {
                    sum += bands[n + i] * p[i + 2];
                }
                q[i] = sum;
            }
            let mut pq = 0.0;
            for i in 0..n {
                pq += p[i] * q[i];
            }
            let alpha = rr / pq;
            let mut rr_next = 0.0;
            for i in 0..n {
                x[i] += alpha * p[i];
                r[i] -= alpha * q[i];
                rr_next += r[i] * r[i];
            }
            let beta = rr_next / rr;
            for i in 0..n {
                p[i] = r[i] + beta * p[i];
            }
            rr = rr_next;
        }
        let mut work = 0.0;
        for i in 0..n {
            work += b[i] * x[i];
        }
        work
    }
}

mod buffers {
    use super::*;

    #[differentiate]
    pub(super) fn work(diagonal: &[f64], bands: &[f64], b: &[f64], steps: usize) -> f64 {
        let mut x = vec![0.0; b.len()];
        let mut r = b.to_vec();
        let mut p = b.to_vec();
        let mut q = vec![0.0; b.len()];
        let mut rr = dot(&r, &r);
        for _ in 0..steps {
            multiply(diagonal, bands, &p, &mut q);
            let alpha = rr / dot(&p, &q);
            axpy(alpha, &p, &mut x);
            axpy(-alpha, &q, &mut r);
            let rr_next = dot(&r, &r);
            scale_and_add(rr_next / rr, &r, &mut p);
            rr = rr_next;
        }
        dot(b, &x)
    }

    #[differentiate]
    fn multiply(diagonal: &[f64], bands: &[f64], x: &[f64], y: &mut [f64]) {
        let n = x.len();
        for i in 0..n {
            y[i] = diagonal[i] * x[i];
        }
        for i in 0..n - 1 {
            y[i] += bands[i] * x[i + 1];
            y[i + 1] += bands[i] * x[i];
        }
        for i in 0..n - 2 {
            y[i] += bands[n + i] * x[i + 2];
            y[i + 2] += bands[n + i] * x[i];
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

    #[differentiate]
    fn axpy(alpha: f64, x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] += alpha * x[i];
        }
    }

    #[differentiate]
    fn scale_and_add(beta: f64, x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            y[i] = x[i] + beta * y[i];
        }
    }
}

mod vectors {
    use super::*;

    #[differentiate]
    pub(super) fn work(diagonal: &[f64], bands: &[f64], b: &[f64], steps: usize) -> f64 {
        let mut x = vec![0.0; b.len()];
        let mut r = b.to_vec();
        let mut p = r.clone();
        for _ in 0..steps {
            let q = multiply(diagonal, bands, &p);
            let rr = dot(&r, &r);
            let alpha = rr / dot(&p, &q);
            x = add_scaled(&x, alpha, &p);
            r = add_scaled(&r, -alpha, &q);
            p = add_scaled(&r, dot(&r, &r) / rr, &p);
        }
        dot(b, &x)
    }

    #[differentiate]
    fn multiply(diagonal: &[f64], bands: &[f64], x: &[f64]) -> Vec<f64> {
        let n = x.len();
        let (near, far) = bands.split_at(n);
        let mut y = vec![0.0; n];
        for i in 0..n {
            y[i] += diagonal[i] * x[i];
            if i + 1 < n {
                y[i] += near[i] * x[i + 1];
                y[i + 1] += near[i] * x[i];
            }
            if i + 2 < n {
                y[i] += far[i] * x[i + 2];
                y[i + 2] += far[i] * x[i];
            }
        }
        y
    }

    #[differentiate]
    fn dot(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    #[differentiate]
    fn add_scaled(a: &[f64], factor: f64, b: &[f64]) -> Vec<f64> {
        a.iter().zip(b).map(|(a, b)| a + factor * b).collect()
    }
}

mod chains {
    use super::*;

    #[differentiate]
    pub(super) fn work(diagonal: &[f64], bands: &[f64], b: &[f64], steps: usize) -> f64 {
        let n = b.len();
        let (near, far) = bands.split_at(n);
        let mut x = vec![0.0; n];
        let mut r = b.to_vec();
        let mut p = b.to_vec();
        let mut rr: f64 = r.iter().map(|r| r * r).sum();
        for _ in 0..steps {
            if rr < TOLERANCE {
                break;
            }
            let mut q: Vec<f64> = diagonal.iter().zip(&p).map(|(d, p)| d * p).collect();
            for ((q, p), band) in q.iter_mut().zip(p.iter().skip(1)).zip(near) {
                *q += band * p;
            }
            for ((q, p), band) in q.iter_mut().skip(1).zip(&p).zip(near) {
                *q += band * p;
            }
            for ((q, p), band) in q.iter_mut().zip(p.iter().skip(2)).zip(far) {
                *q += band * p;
            }
            for ((q, p), band) in q.iter_mut().skip(2).zip(&p).zip(far) {
                *q += band * p;
            }
            let alpha = rr / p.iter().zip(&q).map(|(p, q)| p * q).sum::<f64>();
            x.iter_mut().zip(&p).for_each(|(x, p)| *x += alpha * p);
            r.iter_mut().zip(&q).for_each(|(r, q)| *r -= alpha * q);
            let rr_next: f64 = r.iter().map(|r| r * r).sum();
            let beta = rr_next / rr;
            p.iter_mut().zip(&r).for_each(|(p, r)| *p = r + beta * *p);
            rr = rr_next;
        }
        b.iter().zip(&x).map(|(b, x)| b * x).sum()
    }
}

mod structs {
    use super::*;

    #[derive(Clone, Debug, Differentiable)]
    pub(super) struct Solver {
        x: Vec<f64>,
        r: Vec<f64>,
        p: Vec<f64>,
        rr: f64,
    }

    #[differentiate]
    impl Solver {
        fn start(b: &[f64]) -> Solver {
            let rr = b.iter().map(|b| b * b).sum();
            Solver { x: vec![0.0; b.len()], r: b.to_vec(), p: b.to_vec(), rr }
        }

        fn step(&mut self, diagonal: &[f64], bands: &[f64]) {
            let n = self.x.len();
            let mut q = vec![0.0; n];
            for i in 0..n {
                q[i] = diagonal[i] * self.p[i];
            }
            for i in 1..n {
                q[i] += bands[i - 1] * self.p[i - 1];
                q[i - 1] += bands[i - 1] * self.p[i];
            }
            for i in 2..n {
                q[i] += bands[n + i - 2] * self.p[i - 2];
                q[i - 2] += bands[n + i - 2] * self.p[i];
            }
            let mut pq = 0.0;
            for i in 0..n {
                pq += self.p[i] * q[i];
            }
            let alpha = self.rr / pq;
            let mut rr = 0.0;
            for i in 0..n {
                self.x[i] += alpha * self.p[i];
                self.r[i] -= alpha * q[i];
                rr += self.r[i] * self.r[i];
            }
            for i in 0..n {
                self.p[i] = self.r[i] + rr / self.rr * self.p[i];
            }
            self.rr = rr;
        }
    }

    #[differentiate]
    pub(super) fn work(diagonal: &[f64], bands: &[f64], b: &[f64], steps: usize) -> f64 {
        let mut solver = Solver::start(b);
        let mut step = 0;
        while step < steps && solver.rr > TOLERANCE {
            solver.step(diagonal, bands);
            step += 1;
        }
        let mut work = 0.0;
        for i in 0..b.len() {
            work += b[i] * solver.x[i];
        }
        work
    }
}

mod closure {
    use super::*;

    #[differentiate]
    pub(super) fn work(diagonal: &[f64], bands: &[f64], b: &[f64], steps: usize) -> f64 {
        let n = b.len();
        let x = solve(
            |x: &[f64]| {
                let mut y = vec![0.0; n];
                for i in 0..n {
                    y[i] += diagonal[i] * x[i];
                    if i > 0 {
                        y[i] += bands[i - 1] * x[i - 1];
                        y[i - 1] += bands[i - 1] * x[i];
                    }
                    if i > 1 {
                        y[i] += bands[n + i - 2] * x[i - 2];
                        y[i - 2] += bands[n + i - 2] * x[i];
                    }
                }
                y
            },
            b,
            steps,
        );
        dot(b, &x)
    }

    #[differentiate]
    fn solve<F: Fn(&[f64]) -> Vec<f64>>(multiply: F, b: &[f64], steps: usize) -> Vec<f64> {
        let mut x = vec![0.0; b.len()];
        let mut r = b.to_vec();
        let mut p = b.to_vec();
        let mut rr = dot(&r, &r);
        for _ in 0..steps {
            let q = multiply(&p);
            let alpha = rr / dot(&p, &q);
            for i in 0..x.len() {
                x[i] += alpha * p[i];
                r[i] -= alpha * q[i];
            }
            let rr_next = dot(&r, &r);
            let beta = rr_next / rr;
            for i in 0..p.len() {
                p[i] = r[i] + beta * p[i];
            }
            rr = rr_next;
        }
        x
    }

    #[differentiate]
    fn dot(a: &[f64], b: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (a, b) in a.iter().zip(b) {
            sum += a * b;
        }
        sum
    }
}

/// The product of the matrix and `x`.
fn multiply(diagonal: &[f64], bands: &[f64], x: &[f64], y: &mut [f64]) {
    let n = x.len();
    let (near, far) = bands.split_at(n);
    for i in 0..n {
        y[i] = diagonal[i] * x[i];
    }
    for i in 0..n - 1 {
        y[i] += near[i] * x[i + 1];
    }
    for i in 0..n - 1 {
        y[i + 1] += near[i] * x[i];
    }
    for i in 0..n - 2 {
        y[i] += far[i] * x[i + 2];
    }
    for i in 0..n - 2 {
        y[i + 2] += far[i] * x[i];
    }
}

/// Keeps directions, residuals and products of all steps, 3 n each, and goes back through the steps.
///
/// The adjoint of the iteration itself: before convergence that of the solution is another one.
fn by_hand(parameters: &[f64], bar: &mut [f64], n: usize, steps: usize) -> f64 {
    let (diagonal, rest) = parameters.split_at(n);
    let (bands, b) = rest.split_at(2 * n);
    let (diagonal_bar, rest) = bar.split_at_mut(n);
    let (bands_bar, b_bar) = rest.split_at_mut(2 * n);
    let (near_bar, far_bar) = bands_bar.split_at_mut(n);
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut x = vec![0.0; n];
    let mut ps = vec![0.0; (steps + 1) * n];
    let mut rs = vec![0.0; (steps + 1) * n];
    let mut qs = vec![0.0; steps * n];
    let mut rrs = vec![0.0; steps + 1];
    let mut pqs = vec![0.0; steps];
    ps[..n].copy_from_slice(b);
    rs[..n].copy_from_slice(b);
    rrs[0] = dot(b, b);
    for t in 0..steps {
        let (p, p_next) = ps[t * n..(t + 2) * n].split_at_mut(n);
        let (r, r_next) = rs[t * n..(t + 2) * n].split_at_mut(n);
        let q = &mut qs[t * n..(t + 1) * n];
        multiply(diagonal, bands, p, q);
        pqs[t] = dot(p, q);
        let alpha = rrs[t] / pqs[t];
        for i in 0..n {
            x[i] += alpha * p[i];
            r_next[i] = r[i] - alpha * q[i];
        }
        rrs[t + 1] = dot(r_next, r_next);
        let beta = rrs[t + 1] / rrs[t];
        for i in 0..n {
            p_next[i] = r_next[i] + beta * p[i];
        }
    }
    for i in 0..n {
        b_bar[i] += x[i];
    }
    // The adjoint of x is b in all steps.
    let (mut p_bar, mut r_bar) = (vec![0.0; n], vec![0.0; n]);
    let (mut q_bar, mut product) = (vec![0.0; n], vec![0.0; n]);
    let mut rr_bar = 0.0;
    for t in (0..steps).rev() {
        let (p, r_next) = (&ps[t * n..(t + 1) * n], &rs[(t + 1) * n..(t + 2) * n]);
        let q = &qs[t * n..(t + 1) * n];
        let (alpha, beta) = (rrs[t] / pqs[t], rrs[t + 1] / rrs[t]);
        let beta_bar = dot(&p_bar, p);
        rr_bar += beta_bar / rrs[t];
        let mut before_rr_bar = -beta_bar * beta / rrs[t];
        let mut alpha_bar = 0.0;
        for i in 0..n {
            r_bar[i] += p_bar[i] + 2.0 * rr_bar * r_next[i];
            alpha_bar += b[i] * p[i] - r_bar[i] * q[i];
        }
        before_rr_bar += alpha_bar / pqs[t];
        let pq_bar = -alpha_bar * alpha / pqs[t];
        for i in 0..n {
            q_bar[i] = pq_bar * p[i] - alpha * r_bar[i];
        }
        multiply(diagonal, bands, &q_bar, &mut product);
        for i in 0..n {
            p_bar[i] = beta * p_bar[i] + alpha * b[i] + pq_bar * q[i] + product[i];
            diagonal_bar[i] += q_bar[i] * p[i];
        }
        for i in 0..n - 1 {
            near_bar[i] += q_bar[i] * p[i + 1] + q_bar[i + 1] * p[i];
        }
        for i in 0..n - 2 {
            far_bar[i] += q_bar[i] * p[i + 2] + q_bar[i + 2] * p[i];
        }
        rr_bar = before_rr_bar;
    }
    for i in 0..n {
        b_bar[i] += p_bar[i] + r_bar[i] + 2.0 * rr_bar * b[i];
    }
    dot(b, &x)
}
