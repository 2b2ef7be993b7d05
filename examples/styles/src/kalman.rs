//! A Kalman filter of place and velocity: the negative logarithm of the likelihood of places that were seen.

use cotangent::{Differentiable, differentiate};
use cotangent_examples::inputs::sequence;

use crate::style::{Algorithm, Size, data};

/// Time between two observations.
const DT: f64 = 0.5;

/// Returns the algorithm for observations of `size`. Its parameters are four entries of the transition, the logarithms of
/// three variances (of both states and of what is seen), and the state at the start.
pub(crate) fn algorithm(size: Size) -> Algorithm {
    let time = size.pick(4, 100);
    let seen = data(sequence(time, -1.0..1.5));
    let parameters = vec![0.98, DT, -0.1, 0.93, -1.5, -1.0, -0.7, 0.2, -0.1];
    let mut all =
        Algorithm::new("Kalman filter", parameters, move |p, p_bar| by_hand(p, p_bar, seen));
    let flat = || (vec![0.0; 4], vec![0.0; 3], vec![0.0; 2]);
    style!(all, "scalars", scalars::likelihood, flat(), [0 1 2], [seen], []);
    let arrays = || ([[0.0; 2]; 2], vec![0.0; 3], vec![0.0; 2]);
    style!(all, "[[f64; 2]; 2] by functions", arrays::likelihood, arrays(), [0 1 2], [seen], []);
    style!(all, "&mut outputs", buffers::likelihood, flat(), [0 1 2], [seen], []);
    let rows = || (vec![vec![0.0; 2]; 2], vec![0.0; 3], vec![0.0; 2]);
    style!(all, "returned rows of Vec", vectors::likelihood, rows(), [0 1 2], [seen], []);
    let matrix = operators::Mat2 { a: 0.0, b: 0.0, c: 0.0, d: 0.0 };
    let own = (matrix, vec![0.0; 3], vec![0.0; 2]);
    style!(all, "Mat2 with operators", operators::likelihood, own, [0 1 2], [seen], []);
    style!(all, "struct with &mut self", structs::likelihood, flat(), [0 1 2], [seen], []);
    all
}

mod scalars {
    use super::*;

    #[differentiate(constant(seen))]
    pub(super) fn likelihood(f: &[f64], logs: &[f64], start: &[f64], seen: &[f64]) -> f64 {
        let (q0, q1, r) = (logs[0].exp(), logs[1].exp(), logs[2].exp());
        let (mut x, mut v) = (start[0], start[1]);
        let (mut p00, mut p01, mut p11) = (1.0, 0.0, 1.0);
        let mut total = 0.0;
        for z in seen {
            // Predict.
            let x_next = f[0] * x + f[1] * v;
            let v_next = f[2] * x + f[3] * v;
            let a00 = f[0] * p00 + f[1] * p01;
            let a01 = f[0] * p01 + f[1] * p11;
            let a10 = f[2] * p00 + f[3] * p01;
            let a11 = f[2] * p01 + f[3] * p11;
            let c00 = a00 * f[0] + a01 * f[1] + q0;
            let c01 = a00 * f[2] + a01 * f[3];
            let c11 = a10 * f[2] + a11 * f[3] + q1;
            // Update.
            let s = c00 + r;
            let e = z - x_next;
            let (g0, g1) = (c00 / s, c01 / s);
            x = x_next + g0 * e;
            v = v_next + g1 * e;
            p00 = (1.0 - g0) * c00;
            p01 = (1.0 - g0) * c01;
            p11 = c11 - g1 * c01;
            total += 0.5 * (s.ln() + e * e / s);
        }
        total
    }
}

mod arrays {
    use super::*;

    #[differentiate(constant(seen))]
    pub(super) fn likelihood(f: &[[f64; 2]; 2], logs: &[f64], start: &[f64], seen: &[f64]) -> f64 {
        let noise = [[logs[0].exp(), 0.0], [0.0, logs[1].exp()]];
        let mut x = [start[0], start[1]];
        let mut p = [[1.0, 0.0], [0.0, 1.0]];
        let mut total = 0.0;
        for z in seen {
            x = apply(f, x);
            p = sum(&product(&product(f, &p), &transpose(f)), &noise);
            let s = p[0][0] + logs[2].exp();
            let gain = [p[0][0] / s, p[1][0] / s];
            let e = z - x[0];
            x = [x[0] + gain[0] * e, x[1] + gain[1] * e];
            p = product(&[[1.0 - gain[0], 0.0], [-gain[1], 1.0]], &p);
            total += 0.5 * (s.ln() + e * e / s);
        }
        total
    }

    #[differentiate]
    fn apply(a: &[[f64; 2]; 2], x: [f64; 2]) -> [f64; 2] {
        [a[0][0] * x[0] + a[0][1] * x[1], a[1][0] * x[0] + a[1][1] * x[1]]
    }

    #[differentiate]
    fn product(a: &[[f64; 2]; 2], b: &[[f64; 2]; 2]) -> [[f64; 2]; 2] {
        let mut c = [[0.0; 2]; 2];
        for i in 0..2 {
            for j in 0..2 {
                for k in 0..2 {
                    c[i][j] += a[i][k] * b[k][j];
                }
            }
        }
        c
    }

    #[differentiate]
    fn sum(a: &[[f64; 2]; 2], b: &[[f64; 2]; 2]) -> [[f64; 2]; 2] {
        let mut c = *a;
        for i in 0..2 {
            for j in 0..2 {
                c[i][j] += b[i][j];
            }
        }
        c
    }

    #[differentiate]
    fn transpose(a: &[[f64; 2]; 2]) -> [[f64; 2]; 2] {
        [[a[0][0], a[1][0]], [a[0][1], a[1][1]]]
    }
}

mod buffers {
    use super::*;

    #[differentiate(constant(seen))]
    pub(super) fn likelihood(f: &[f64], logs: &[f64], start: &[f64], seen: &[f64]) -> f64 {
        let n = start.len();
        let mut x = start.to_vec();
        let mut x_next = vec![0.0; n];
        let mut p = vec![0.0; n * n];
        let mut fp = vec![0.0; n * n];
        let mut gain = vec![0.0; n];
        let mut row = vec![0.0; n];
        for i in 0..n {
            p[i * n + i] = 1.0;
        }
        let mut total = 0.0;
        for t in 0..seen.len() {
            multiply(f, &x, &mut x_next, n, n, 1);
            multiply(f, &p, &mut fp, n, n, n);
            multiply_transposed(&fp, f, &mut p, n);
            for i in 0..n {
                p[i * n + i] += logs[i].exp();
            }
            let s = p[0] + logs[n].exp();
            let e = seen[t] - x_next[0];
            for i in 0..n {
                gain[i] = p[i * n] / s;
                row[i] = p[i];
                x[i] = x_next[i] + gain[i] * e;
            }
            for i in 0..n {
                for j in 0..n {
                    p[i * n + j] -= gain[i] * row[j];
                }
            }
            total += 0.5 * (s.ln() + e * e / s);
        }
        total
    }

    #[differentiate]
    fn multiply(a: &[f64], b: &[f64], c: &mut [f64], n: usize, m: usize, k: usize) {
        for i in 0..n {
            for j in 0..k {
                c[i * k + j] = 0.0;
                for l in 0..m {
                    c[i * k + j] += a[i * m + l] * b[l * k + j];
                }
            }
        }
    }

    #[differentiate]
    fn multiply_transposed(a: &[f64], b: &[f64], c: &mut [f64], n: usize) {
        for i in 0..n {
            for j in 0..n {
                let mut sum = 0.0;
                for l in 0..n {
                    sum += a[i * n + l] * b[j * n + l];
                }
                c[i * n + j] = sum;
            }
        }
    }
}

mod vectors {
    use super::*;

    #[differentiate(constant(seen))]
    pub(super) fn likelihood(f: &[Vec<f64>], logs: &[f64], start: &[f64], seen: &[f64]) -> f64 {
        let mut x = start.to_vec();
        let mut p = vec![vec![1.0, 0.0], vec![0.0, 1.0]];
        let mut total = 0.0;
        for z in seen {
            x = apply(f, &x);
            p = product(&product(f, &p), &transpose(f));
            for i in 0..x.len() {
                p[i][i] += logs[i].exp();
            }
            let s = p[0][0] + logs[2].exp();
            let e = z - x[0];
            let gain: Vec<f64> = p.iter().map(|row| row[0] / s).collect();
            x = x.iter().zip(&gain).map(|(x, gain)| x + gain * e).collect();
            p = updated(&p, &gain);
            total += 0.5 * (s.ln() + e * e / s);
        }
        total
    }

    #[differentiate]
    fn apply(a: &[Vec<f64>], x: &[f64]) -> Vec<f64> {
        a.iter().map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum()).collect()
    }

    #[differentiate]
    fn product(a: &[Vec<f64>], b: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let mut c = vec![vec![0.0; b[0].len()]; a.len()];
        for i in 0..a.len() {
            for j in 0..b[0].len() {
                for k in 0..b.len() {
                    c[i][j] += a[i][k] * b[k][j];
                }
            }
        }
        c
    }

    #[differentiate]
    fn transpose(a: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let mut c = vec![vec![0.0; a.len()]; a[0].len()];
        for i in 0..a.len() {
            for j in 0..a[0].len() {
                c[j][i] = a[i][j];
            }
        }
        c
    }

    #[differentiate]
    fn updated(p: &[Vec<f64>], gain: &[f64]) -> Vec<Vec<f64>> {
        let mut next = Vec::new();
        for i in 0..p.len() {
            let mut row = Vec::new();
            for j in 0..p[i].len() {
                row.push(p[i][j] - gain[i] * p[0][j]);
            }
            next.push(row);
        }
        next
    }
}

mod operators {
    use super::*;
    use std::ops::{Add, Mul, Sub};

    #[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
    pub(super) struct Mat2 {
        pub(super) a: f64,
        pub(super) b: f64,
        pub(super) c: f64,
        pub(super) d: f64,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
    pub(super) struct Vec2 {
        x: f64,
        y: f64,
    }

    #[differentiate]
    impl Add for Mat2 {
        type Output = Mat2;

        fn add(self, other: Mat2) -> Mat2 {
            Mat2 {
                a: self.a + other.a,
                b: self.b + other.b,
                c: self.c + other.c,
                d: self.d + other.d,
            }
        }
    }

    #[differentiate]
    impl Sub for Mat2 {
        type Output = Mat2;

        fn sub(self, other: Mat2) -> Mat2 {
            Mat2 {
                a: self.a - other.a,
                b: self.b - other.b,
                c: self.c - other.c,
                d: self.d - other.d,
            }
        }
    }

    #[differentiate]
    impl Mul for Mat2 {
        type Output = Mat2;

        fn mul(self, other: Mat2) -> Mat2 {
            Mat2 {
                a: self.a * other.a + self.b * other.c,
                b: self.a * other.b + self.b * other.d,
                c: self.c * other.a + self.d * other.c,
                d: self.c * other.b + self.d * other.d,
            }
        }
    }

    #[differentiate]
    impl Mul<Vec2> for Mat2 {
        type Output = Vec2;

        fn mul(self, v: Vec2) -> Vec2 {
            Vec2 { x: self.a * v.x + self.b * v.y, y: self.c * v.x + self.d * v.y }
        }
    }

    #[differentiate]
    impl Add for Vec2 {
        type Output = Vec2;

        fn add(self, other: Vec2) -> Vec2 {
            Vec2 { x: self.x + other.x, y: self.y + other.y }
        }
    }

    #[differentiate]
    impl Mul<f64> for Vec2 {
        type Output = Vec2;

        fn mul(self, factor: f64) -> Vec2 {
            Vec2 { x: self.x * factor, y: self.y * factor }
        }
    }

    #[differentiate]
    impl Mat2 {
        fn transpose(self) -> Mat2 {
            Mat2 { a: self.a, b: self.c, c: self.b, d: self.d }
        }
    }

    #[differentiate]
    fn outer(u: Vec2, v: Vec2) -> Mat2 {
        Mat2 { a: u.x * v.x, b: u.x * v.y, c: u.y * v.x, d: u.y * v.y }
    }

    #[differentiate(constant(seen))]
    pub(super) fn likelihood(f: &Mat2, logs: &[f64], start: &[f64], seen: &[f64]) -> f64 {
        let f = *f;
        let noise = Mat2 { a: logs[0].exp(), b: 0.0, c: 0.0, d: logs[1].exp() };
        let r = logs[2].exp();
        let mut x = Vec2 { x: start[0], y: start[1] };
        let mut p = Mat2 { a: 1.0, b: 0.0, c: 0.0, d: 1.0 };
        let mut total = 0.0;
        for z in seen {
            x = f * x;
            p = f * p * f.transpose() + noise;
            let s = p.a + r;
            let e = z - x.x;
            let gain = Vec2 { x: p.a / s, y: p.c / s };
            x = x + gain * e;
            p = p - outer(gain, Vec2 { x: p.a, y: p.b });
            total += 0.5 * (s.ln() + e * e / s);
        }
        total
    }
}

mod structs {
    use super::*;

    #[derive(Clone, Debug, Differentiable)]
    pub(super) struct Filter {
        transition: Vec<f64>,
        noise: [f64; 2],
        seen_noise: f64,
        x: [f64; 2],
        p: [[f64; 2]; 2],
    }

    #[differentiate]
    impl Filter {
        fn predict(&mut self) {
            let f = [
                [self.transition[0], self.transition[1]],
                [self.transition[2], self.transition[3]],
            ];
            let (x, p) = (self.x, self.p);
            for i in 0..2 {
                self.x[i] = f[i][0] * x[0] + f[i][1] * x[1];
                for j in 0..2 {
                    let mut sum = 0.0;
                    for k in 0..2 {
                        for l in 0..2 {
                            sum += f[i][k] * p[k][l] * f[j][l];
                        }
                    }
                    self.p[i][j] = sum;
                }
                self.p[i][i] += self.noise[i];
            }
        }

        /// Returns what the observation adds.
        #[differentiate(constant(z))]
        fn update(&mut self, z: f64) -> f64 {
            let s = self.p[0][0] + self.seen_noise;
            let e = z - self.x[0];
            let p = self.p;
            for i in 0..2 {
                let gain = p[i][0] / s;
                self.x[i] += gain * e;
                for j in 0..2 {
                    self.p[i][j] -= gain * p[0][j];
                }
            }
            0.5 * (s.ln() + e * e / s)
        }
    }

    #[differentiate(constant(seen))]
    pub(super) fn likelihood(f: &[f64], logs: &[f64], start: &[f64], seen: &[f64]) -> f64 {
        let mut filter = Filter {
            transition: f.to_vec(),
            noise: [logs[0].exp(), logs[1].exp()],
            seen_noise: logs[2].exp(),
            x: [start[0], start[1]],
            p: [[1.0, 0.0], [0.0, 1.0]],
        };
        let mut total = 0.0;
        for &z in seen {
            filter.predict();
            total += filter.update(z);
        }
        total
    }
}

/// Keeps state and covariance before each observation, 40 bytes, and computes the rest again.
fn by_hand(p: &[f64], p_bar: &mut [f64], seen: &[f64]) -> f64 {
    let f = [p[0], p[1], p[2], p[3]];
    let [q0, q1, r] = [p[4].exp(), p[5].exp(), p[6].exp()];
    let mut state = [p[7], p[8], 1.0, 0.0, 1.0];
    let mut states = Vec::with_capacity(seen.len());
    let mut total = 0.0;
    let predict = |[x, v, p00, p01, p11]: [f64; 5]| {
        let (a00, a01) = (f[0] * p00 + f[1] * p01, f[0] * p01 + f[1] * p11);
        let (a10, a11) = (f[2] * p00 + f[3] * p01, f[2] * p01 + f[3] * p11);
        let next = [
            f[0] * x + f[1] * v,
            f[2] * x + f[3] * v,
            a00 * f[0] + a01 * f[1] + q0,
            a00 * f[2] + a01 * f[3],
            a10 * f[2] + a11 * f[3] + q1,
        ];
        (next, [a00, a01, a10, a11])
    };
    for z in seen {
        states.push(state);
        let ([x, v, c00, c01, c11], _) = predict(state);
        let inverse = 1.0 / (c00 + r);
        let e = z - x;
        let (g0, g1) = (c00 * inverse, c01 * inverse);
        state = [x + g0 * e, v + g1 * e, (1.0 - g0) * c00, (1.0 - g0) * c01, c11 - g1 * c01];
        total += 0.5 * ((c00 + r).ln() + e * e * inverse);
    }
    let mut f_bar = [0.0; 4];
    let [mut q0_bar, mut q1_bar, mut r_bar] = [0.0; 3];
    let mut bar = [0.0; 5];
    for (&before, z) in states.iter().zip(seen).rev() {
        let ([x, _, c00, c01, _], [a00, a01, a10, a11]) = predict(before);
        let [before_x, before_v, p00, p01, p11] = before;
        let inverse = 1.0 / (c00 + r);
        let e = z - x;
        let (g0, g1) = (c00 * inverse, c01 * inverse);
        let [x_bar, v_bar, p00_bar, p01_bar, p11_bar] = bar;
        let g0_bar = x_bar * e - p00_bar * c00 - p01_bar * c01;
        let g1_bar = v_bar * e - p11_bar * c01;
        let e_bar = x_bar * g0 + v_bar * g1 + e * inverse;
        let s_bar = 0.5 * inverse * (1.0 - e * e * inverse) - (g0_bar * g0 + g1_bar * g1) * inverse;
        let c00_bar = p00_bar * (1.0 - g0) + g0_bar * inverse + s_bar;
        let c01_bar = p01_bar * (1.0 - g0) - p11_bar * g1 + g1_bar * inverse;
        let c11_bar = p11_bar;
        r_bar += s_bar;
        q0_bar += c00_bar;
        q1_bar += c11_bar;
        let x_next_bar = x_bar - e_bar;
        let (a00_bar, a01_bar) = (c00_bar * f[0] + c01_bar * f[2], c00_bar * f[1] + c01_bar * f[3]);
        let (a10_bar, a11_bar) = (c11_bar * f[2], c11_bar * f[3]);
        f_bar[0] += x_next_bar * before_x + c00_bar * a00 + a00_bar * p00 + a01_bar * p01;
        f_bar[1] += x_next_bar * before_v + c00_bar * a01 + a00_bar * p01 + a01_bar * p11;
        f_bar[2] +=
            v_bar * before_x + c01_bar * a00 + c11_bar * a10 + a10_bar * p00 + a11_bar * p01;
        f_bar[3] +=
            v_bar * before_v + c01_bar * a01 + c11_bar * a11 + a10_bar * p01 + a11_bar * p11;
        bar = [
            f[0] * x_next_bar + f[2] * v_bar,
            f[1] * x_next_bar + f[3] * v_bar,
            a00_bar * f[0] + a10_bar * f[2],
            a00_bar * f[1] + a01_bar * f[0] + a10_bar * f[3] + a11_bar * f[2],
            a01_bar * f[1] + a11_bar * f[3],
        ];
    }
    let by = [
        f_bar[0],
        f_bar[1],
        f_bar[2],
        f_bar[3],
        q0_bar * q0,
        q1_bar * q1,
        r_bar * r,
        bar[0],
        bar[1],
    ];
    for (p_bar, by) in p_bar.iter_mut().zip(by) {
        *p_bar += by;
    }
    total
}
