//! Bodies that attract each other, by leapfrog: the kinetic energy at the end.

use cotangent::{Differentiable, differentiate};
use cotangent_examples::inputs::sequence;

use crate::style::{Algorithm, Size};

/// Added to squares of distances.
const SOFTENING: f64 = 0.05;

/// Returns the algorithm for bodies and steps of `size`. Its parameters are masses, places and velocities.
pub(crate) fn algorithm(size: Size) -> Algorithm {
    let (n, steps) = (size.pick(3, 8), size.pick(3, 40));
    let mut parameters = sequence(n, 0.2..0.6);
    parameters.extend(sequence(3 * n, -1.0..1.0));
    parameters.extend(sequence(3 * n, -0.3..0.5));
    let mut all = Algorithm::new("n-body", parameters, move |p, p_bar| by_hand(p, p_bar, n, steps));
    let flat = || (vec![0.0; n], vec![0.0; 3 * n], vec![0.0; 3 * n]);
    let arrays = || (vec![0.0; n], vec![[0.0; 3]; n], vec![[0.0; 3]; n]);
    style!(all, "index loops", index::energy, flat(), [0 1 2], [], [steps]);
    style!(all, "[f64; 3], &mut output", arrays::energy, arrays(), [0 1 2], [], [steps]);
    style!(all, "returned Vec of [f64; 3]", vectors::energy, arrays(), [0 1 2], [], [steps]);
    let zero = operators::Vec3 { x: 0.0, y: 0.0, z: 0.0 };
    let places = (vec![0.0; n], vec![zero; n], vec![zero; n]);
    style!(all, "Vec3 with operators", operators::energy, places, [0 1 2], [], [steps]);
    style!(all, "chains", chains::energy, arrays(), [0 1 2], [], [steps]);
    let system = structs::System {
        masses: vec![0.0; n],
        places: vec![[0.0; 3]; n],
        velocities: vec![[0.0; 3]; n],
    };
    style!(all, "struct with &mut self", structs::energy, (system,), [0], [], [steps]);
    style!(all, "force as a small function", forces::energy, arrays(), [0 1 2], [], [steps]);
    all
}

/// Length of a step.
const DT: f64 = 0.01;

mod index {
    use super::*;

    #[differentiate]
    pub(super) fn energy(m: &[f64], x0: &[f64], v0: &[f64], steps: usize) -> f64 {
        let n = m.len();
        let mut x = x0.to_vec();
        let mut v = v0.to_vec();
        for _ in 0..steps {
            for i in 0..3 * n {
                x[i] += 0.5 * DT * v[i];
            }
            for i in 0..n {
                for j in 0..n {
                    if i != j {
                        let dx = x[3 * j] - x[3 * i];
                        let dy = x[3 * j + 1] - x[3 * i + 1];
                        let dz = x[3 * j + 2] - x[3 * i + 2];
                        let d2 = dx * dx + dy * dy + dz * dz + SOFTENING;
                        let f = m[j] / (d2 * d2.sqrt());
                        v[3 * i] += DT * f * dx;
                        v[3 * i + 1] += DT * f * dy;
                        v[3 * i + 2] += DT * f * dz;
                    }
                }
            }
            for i in 0..3 * n {
                x[i] += 0.5 * DT * v[i];
            }
        }
        let mut energy = 0.0;
        for i in 0..n {
            for k in 0..3 {
                energy += 0.5 * m[i] * v[3 * i + k] * v[3 * i + k];
            }
        }
        energy
    }
}

mod arrays {
    use super::*;

    #[differentiate]
    pub(super) fn energy(m: &[f64], x0: &[[f64; 3]], v0: &[[f64; 3]], steps: usize) -> f64 {
        let n = m.len();
        let mut x = x0.to_vec();
        let mut v = v0.to_vec();
        let mut a = vec![[0.0; 3]; n];
        for _ in 0..steps {
            drift(&mut x, &v, 0.5 * DT);
            accelerations(m, &x, &mut a);
            drift(&mut v, &a, DT);
            drift(&mut x, &v, 0.5 * DT);
        }
        let mut energy = 0.0;
        for i in 0..n {
            energy += 0.5 * m[i] * (v[i][0] * v[i][0] + v[i][1] * v[i][1] + v[i][2] * v[i][2]);
        }
        energy
    }

    #[differentiate(constant(dt))]
    fn drift(x: &mut [[f64; 3]], v: &[[f64; 3]], dt: f64) {
        for i in 0..x.len() {
            for k in 0..3 {
                x[i][k] += dt * v[i][k];
            }
        }
    }

    #[differentiate]
    fn accelerations(m: &[f64], x: &[[f64; 3]], a: &mut [[f64; 3]]) {
        for i in 0..x.len() {
            a[i] = [0.0; 3];
        }
        for i in 0..x.len() {
            for j in 0..i {
                let d = [x[j][0] - x[i][0], x[j][1] - x[i][1], x[j][2] - x[i][2]];
                let d2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + SOFTENING;
                let f = 1.0 / (d2 * d2.sqrt());
                for k in 0..3 {
                    a[i][k] += m[j] * f * d[k];
                    a[j][k] -= m[i] * f * d[k];
                }
            }
        }
    }
}

mod vectors {
    use super::*;

    #[differentiate]
    pub(super) fn energy(m: &[f64], x0: &[[f64; 3]], v0: &[[f64; 3]], steps: usize) -> f64 {
        let mut x = x0.to_vec();
        let mut v = v0.to_vec();
        for _ in 0..steps {
            x = moved(&x, &v, 0.5 * DT);
            let a = accelerations(m, &x);
            v = moved(&v, &a, DT);
            x = moved(&x, &v, 0.5 * DT);
        }
        let mut energy = 0.0;
        for (m, v) in m.iter().zip(&v) {
            energy += 0.5 * m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        }
        energy
    }

    #[differentiate(constant(dt))]
    fn moved(x: &[[f64; 3]], v: &[[f64; 3]], dt: f64) -> Vec<[f64; 3]> {
        x.iter()
            .zip(v)
            .map(|(x, v)| [x[0] + dt * v[0], x[1] + dt * v[1], x[2] + dt * v[2]])
            .collect()
    }

    #[differentiate]
    fn accelerations(m: &[f64], x: &[[f64; 3]]) -> Vec<[f64; 3]> {
        let mut all = Vec::with_capacity(x.len());
        for i in 0..x.len() {
            let mut a = [0.0; 3];
            for j in 0..x.len() {
                if j == i {
                    continue;
                }
                let d = [x[j][0] - x[i][0], x[j][1] - x[i][1], x[j][2] - x[i][2]];
                let d2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + SOFTENING;
                let f = m[j] / d2.powf(1.5);
                a[0] += f * d[0];
                a[1] += f * d[1];
                a[2] += f * d[2];
            }
            all.push(a);
        }
        all
    }
}

mod operators {
    use super::*;
    use std::ops::{Add, Mul, Sub};

    #[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
    pub(super) struct Vec3 {
        pub(super) x: f64,
        pub(super) y: f64,
        pub(super) z: f64,
    }

    #[differentiate]
    impl Add for Vec3 {
        type Output = Vec3;

        fn add(self, other: Vec3) -> Vec3 {
            Vec3 { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
        }
    }

    #[differentiate]
    impl Sub for Vec3 {
        type Output = Vec3;

        fn sub(self, other: Vec3) -> Vec3 {
            Vec3 { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
        }
    }

    #[differentiate]
    impl Mul<f64> for Vec3 {
        type Output = Vec3;

        fn mul(self, factor: f64) -> Vec3 {
            Vec3 { x: self.x * factor, y: self.y * factor, z: self.z * factor }
        }
    }

    #[differentiate]
    impl Vec3 {
        fn dot(self, other: Vec3) -> f64 {
            self.x * other.x + self.y * other.y + self.z * other.z
        }
    }

    #[differentiate]
    pub(super) fn energy(m: &[f64], x0: &[Vec3], v0: &[Vec3], steps: usize) -> f64 {
        let n = m.len();
        let mut x = x0.to_vec();
        let mut v = v0.to_vec();
        for _ in 0..steps {
            for i in 0..n {
                x[i] = x[i] + v[i] * (0.5 * DT);
            }
            for i in 0..n {
                let mut a = Vec3 { x: 0.0, y: 0.0, z: 0.0 };
                for j in 0..n {
                    if i != j {
                        let d = x[j] - x[i];
                        let d2 = d.dot(d) + SOFTENING;
                        a = a + d * (m[j] / (d2 * d2.sqrt()));
                    }
                }
                v[i] = v[i] + a * DT;
            }
            for i in 0..n {
                x[i] = x[i] + v[i] * (0.5 * DT);
            }
        }
        let mut energy = 0.0;
        for i in 0..n {
            energy += 0.5 * m[i] * v[i].dot(v[i]);
        }
        energy
    }
}

mod chains {
    use super::*;

    #[differentiate]
    pub(super) fn energy(m: &[f64], x0: &[[f64; 3]], v0: &[[f64; 3]], steps: usize) -> f64 {
        let mut x = x0.to_vec();
        let mut v = v0.to_vec();
        for _ in 0..steps {
            for (x, v) in x.iter_mut().zip(&v) {
                for (x, v) in x.iter_mut().zip(v) {
                    *x += 0.5 * DT * v;
                }
            }
            for (i, v) in v.iter_mut().enumerate() {
                let here = x[i];
                for (m, there) in m.iter().zip(&x) {
                    let d: [f64; 3] = std::array::from_fn(|k| there[k] - here[k]);
                    let d2 = d.iter().map(|d| d * d).sum::<f64>() + SOFTENING;
                    let f = m / (d2 * d2.sqrt());
                    for (v, d) in v.iter_mut().zip(&d) {
                        *v += DT * f * d;
                    }
                }
            }
            for (x, v) in x.iter_mut().zip(&v) {
                for (x, v) in x.iter_mut().zip(v) {
                    *x += 0.5 * DT * v;
                }
            }
        }
        m.iter().zip(&v).map(|(m, v)| 0.5 * m * v.iter().map(|v| v * v).sum::<f64>()).sum()
    }
}

mod structs {
    use super::*;

    #[derive(Clone, Debug, Differentiable)]
    pub(super) struct System {
        pub(super) masses: Vec<f64>,
        pub(super) places: Vec<[f64; 3]>,
        pub(super) velocities: Vec<[f64; 3]>,
    }

    #[differentiate]
    impl System {
        fn acceleration(&self, i: usize) -> [f64; 3] {
            let mut a = [0.0; 3];
            for j in 0..self.masses.len() {
                if j != i {
                    let mut d = [0.0; 3];
                    let mut d2 = SOFTENING;
                    for k in 0..3 {
                        d[k] = self.places[j][k] - self.places[i][k];
                        d2 += d[k] * d[k];
                    }
                    let f = self.masses[j] / (d2 * d2.sqrt());
                    for k in 0..3 {
                        a[k] += f * d[k];
                    }
                }
            }
            a
        }

        fn drift(&mut self, dt: f64) {
            for (x, v) in self.places.iter_mut().zip(&self.velocities) {
                x[0] += dt * v[0];
                x[1] += dt * v[1];
                x[2] += dt * v[2];
            }
        }

        fn step(&mut self) {
            self.drift(0.5 * DT);
            for i in 0..self.masses.len() {
                let a = self.acceleration(i);
                for k in 0..3 {
                    self.velocities[i][k] += DT * a[k];
                }
            }
            self.drift(0.5 * DT);
        }

        fn kinetic(&self) -> f64 {
            let mut energy = 0.0;
            for (m, v) in self.masses.iter().zip(&self.velocities) {
                energy += 0.5 * m * (v[0].powi(2) + v[1].powi(2) + v[2].powi(2));
            }
            energy
        }
    }

    #[differentiate]
    pub(super) fn energy(system: &System, steps: usize) -> f64 {
        let mut system = system.clone();
        for _ in 0..steps {
            system.step();
        }
        system.kinetic()
    }
}

mod forces {
    use super::*;

    #[differentiate]
    pub(super) fn energy(m: &[f64], x0: &[[f64; 3]], v0: &[[f64; 3]], steps: usize) -> f64 {
        let mut x = x0.to_vec();
        let mut v = v0.to_vec();
        for _ in 0..steps {
            for i in 0..m.len() {
                x[i] = add_scaled(x[i], 0.5 * DT, v[i]);
            }
            for i in 0..m.len() {
                for j in 0..m.len() {
                    if i != j {
                        v[i] = add_scaled(v[i], DT, attraction(m[j], x[i], x[j]));
                    }
                }
            }
            for i in 0..m.len() {
                x[i] = add_scaled(x[i], 0.5 * DT, v[i]);
            }
        }
        let mut energy = 0.0;
        for i in 0..m.len() {
            energy += 0.5 * m[i] * norm_squared(v[i]);
        }
        energy
    }

    #[differentiate]
    fn attraction(mass: f64, here: [f64; 3], there: [f64; 3]) -> [f64; 3] {
        let d = [there[0] - here[0], there[1] - here[1], there[2] - here[2]];
        let d2 = norm_squared(d) + SOFTENING;
        let f = mass / (d2 * d2.sqrt());
        [f * d[0], f * d[1], f * d[2]]
    }

    #[differentiate]
    fn norm_squared(d: [f64; 3]) -> f64 {
        d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
    }

    #[differentiate]
    fn add_scaled(a: [f64; 3], factor: f64, b: [f64; 3]) -> [f64; 3] {
        [a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]]
    }
}

/// Keeps the places at which forces were taken; takes each pair once.
fn by_hand(p: &[f64], p_bar: &mut [f64], n: usize, steps: usize) -> f64 {
    let m = &p[..n];
    let mut x = p[n..4 * n].to_vec();
    let mut v = p[4 * n..].to_vec();
    let mut places = Vec::with_capacity(steps * 3 * n);
    for _ in 0..steps {
        for (x, v) in x.iter_mut().zip(&v) {
            *x += 0.5 * DT * v;
        }
        places.extend_from_slice(&x);
        for i in 0..n {
            for j in 0..i {
                let (d, inverse) = between(&x, i, j);
                for k in 0..3 {
                    v[3 * i + k] += DT * m[j] * inverse * d[k];
                    v[3 * j + k] -= DT * m[i] * inverse * d[k];
                }
            }
        }
        for (x, v) in x.iter_mut().zip(&v) {
            *x += 0.5 * DT * v;
        }
    }
    let (m_bar, rest) = p_bar.split_at_mut(n);
    let mut energy = 0.0;
    let mut v_bar = vec![0.0; 3 * n];
    for i in 0..n {
        let v = &v[3 * i..3 * i + 3];
        let squares = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        energy += 0.5 * m[i] * squares;
        m_bar[i] += 0.5 * squares;
        for k in 0..3 {
            v_bar[3 * i + k] = m[i] * v[k];
        }
    }
    let mut x_bar = vec![0.0; 3 * n];
    for x in places.chunks_exact(3 * n).rev() {
        for (x_bar, v_bar) in x_bar.iter().zip(&mut v_bar) {
            *v_bar += 0.5 * DT * x_bar;
        }
        for i in 0..n {
            for j in 0..i {
                let (d, inverse) = between(x, i, j);
                // Of v_i += DT m_j d / r³ and v_j −= DT m_i d / r³.
                let (mut by_i, mut by_j) = (0.0, 0.0);
                for k in 0..3 {
                    by_i += v_bar[3 * i + k] * d[k];
                    by_j += v_bar[3 * j + k] * d[k];
                }
                m_bar[j] += DT * inverse * by_i;
                m_bar[i] -= DT * inverse * by_j;
                let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + SOFTENING;
                let along = -3.0 * DT * inverse / square * (m[j] * by_i - m[i] * by_j);
                for k in 0..3 {
                    let direct = m[j] * v_bar[3 * i + k] - m[i] * v_bar[3 * j + k];
                    let d_bar = DT * inverse * direct + along * d[k];
                    x_bar[3 * j + k] += d_bar;
                    x_bar[3 * i + k] -= d_bar;
                }
            }
        }
        for (x_bar, v_bar) in x_bar.iter().zip(&mut v_bar) {
            *v_bar += 0.5 * DT * x_bar;
        }
    }
    for (bar, ours) in rest.iter_mut().zip(x_bar.iter().chain(&v_bar)) {
        *bar += ours;
    }
    energy
}

/// From body i to body j, and the inverse of the cube of the softened distance.
fn between(x: &[f64], i: usize, j: usize) -> ([f64; 3], f64) {
    let d: [f64; 3] = std::array::from_fn(|k| x[3 * j + k] - x[3 * i + k]);
    let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + SOFTENING;
    (d, 1.0 / (square * square.sqrt()))
}
