//! A truss of elastic bars between nodes, by lists of indices: the square of the forces at nodes that may move.

use cotangent::{Differentiable, differentiate};
use cotangent_examples::inputs::sequence;

use crate::style::{Algorithm, Size, data};

/// Returns the algorithm for a band of nodes of `size`, each with bars to the next three. Its parameters are stiffnesses and
/// places.
pub(crate) fn algorithm(size: Size) -> Algorithm {
    let n = size.pick(5, 100);
    let ends: Vec<(usize, usize)> =
        (0..n).flat_map(|i| (i + 1..=i + 3).map(move |j| (i, j))).filter(|&(_, j)| j < n).collect();
    let bars = ends.len();
    let ends = data(ends);
    let rest = data(sequence(bars, 0.8..2.0));
    let mut parameters = sequence(bars, 0.5..2.0);
    let places = sequence(3 * n, -0.3..0.3);
    parameters.extend(places.iter().enumerate().map(|(i, x)| x + (i / 3) as f64 * 0.7));
    let mut all =
        Algorithm::new("truss", parameters, move |p, p_bar| by_hand(p, p_bar, ends, rest));
    let flat = || (vec![0.0; bars], vec![0.0; 3 * n]);
    let arrays = || (vec![0.0; bars], vec![[0.0; 3]; n]);
    style!(all, "index loops", index::imbalance, flat(), [0 1], [ends, rest], []);
    style!(all, "[f64; 3], &mut forces", arrays::imbalance, arrays(), [0 1], [ends, rest], []);
    style!(all, "force from a function", forces::imbalance, arrays(), [0 1], [ends, rest], []);
    style!(all, "returned Vec, chains", chains::imbalance, arrays(), [0 1], [ends, rest], []);
    let zero = operators::Vec3 { x: 0.0, y: 0.0, z: 0.0 };
    let own = (vec![0.0; bars], vec![zero; n]);
    style!(all, "Vec3 with operators", operators::imbalance, own, [0 1], [ends, rest], []);
    let bar = |&(i, j): &(usize, usize)| structs::Bar { i, j, stiffness: 0.0 };
    let truss = structs::Truss { bars: ends.iter().map(bar).collect(), nodes: vec![[0.0; 3]; n] };
    style!(all, "structs with methods", structs::imbalance, (truss,), [0], [rest], []);
    all
}

mod index {
    use super::*;

    #[differentiate(constant(ends, rest))]
    pub(super) fn imbalance(k: &[f64], x: &[f64], ends: &[(usize, usize)], rest: &[f64]) -> f64 {
        let mut force = vec![0.0; x.len()];
        for b in 0..k.len() {
            let (i, j) = ends[b];
            let dx = x[3 * j] - x[3 * i];
            let dy = x[3 * j + 1] - x[3 * i + 1];
            let dz = x[3 * j + 2] - x[3 * i + 2];
            let length = (dx * dx + dy * dy + dz * dz).sqrt();
            let f = k[b] * (length - rest[b]) / length;
            force[3 * i] += f * dx;
            force[3 * i + 1] += f * dy;
            force[3 * i + 2] += f * dz;
            force[3 * j] -= f * dx;
            force[3 * j + 1] -= f * dy;
            force[3 * j + 2] -= f * dz;
        }
        let mut sum = 0.0;
        for i in 0..force.len() {
            sum += force[i] * force[i];
        }
        sum
    }
}

mod arrays {
    use super::*;

    #[differentiate(constant(ends, rest))]
    pub(super) fn imbalance(
        k: &[f64],
        x: &[[f64; 3]],
        ends: &[(usize, usize)],
        rest: &[f64],
    ) -> f64 {
        let mut force = vec![[0.0; 3]; x.len()];
        for b in 0..k.len() {
            add_bar(k[b], rest[b], ends[b].0, ends[b].1, x, &mut force);
        }
        let mut sum = 0.0;
        for f in &force {
            sum += f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
        }
        sum
    }

    #[differentiate(constant(rest))]
    fn add_bar(k: f64, rest: f64, i: usize, j: usize, x: &[[f64; 3]], force: &mut [[f64; 3]]) {
        let mut d = [0.0; 3];
        let mut square = 0.0;
        for c in 0..3 {
            d[c] = x[j][c] - x[i][c];
            square += d[c] * d[c];
        }
        let length = square.sqrt();
        for c in 0..3 {
            let f = k * (length - rest) / length * d[c];
            force[i][c] += f;
            force[j][c] -= f;
        }
    }
}

mod forces {
    use super::*;

    #[differentiate(constant(ends, rest))]
    pub(super) fn imbalance(
        k: &[f64],
        x: &[[f64; 3]],
        ends: &[(usize, usize)],
        rest: &[f64],
    ) -> f64 {
        let mut force = vec![[0.0; 3]; x.len()];
        for (b, &(i, j)) in ends.iter().enumerate() {
            let f = pull(k[b], rest[b], x[i], x[j]);
            for c in 0..3 {
                force[i][c] += f[c];
                force[j][c] -= f[c];
            }
        }
        force.iter().map(|f| square(*f)).sum()
    }

    #[differentiate(constant(rest))]
    fn pull(k: f64, rest: f64, a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
        let d = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
        let length = square(d).sqrt();
        d.map(|d| k * (length - rest) * d / length)
    }

    #[differentiate]
    fn square(v: [f64; 3]) -> f64 {
        v.iter().map(|v| v * v).sum()
    }
}

mod chains {
    use super::*;

    #[differentiate(constant(ends, rest))]
    pub(super) fn imbalance(
        k: &[f64],
        x: &[[f64; 3]],
        ends: &[(usize, usize)],
        rest: &[f64],
    ) -> f64 {
        let pulls = pulls(k, x, ends, rest);
        let mut force = vec![[0.0; 3]; x.len()];
        for (&(i, j), pull) in ends.iter().zip(&pulls) {
            for c in 0..3 {
                force[i][c] += pull[c];
                force[j][c] -= pull[c];
            }
        }
        force.iter().flatten().map(|f| f * f).sum()
    }

    #[differentiate(constant(ends, rest))]
    fn pulls(k: &[f64], x: &[[f64; 3]], ends: &[(usize, usize)], rest: &[f64]) -> Vec<[f64; 3]> {
        k.iter()
            .zip(ends)
            .zip(rest)
            .map(|((k, &(i, j)), rest)| {
                let d = [x[j][0] - x[i][0], x[j][1] - x[i][1], x[j][2] - x[i][2]];
                let length = d.iter().map(|d| d * d).sum::<f64>().sqrt();
                let f = k * (1.0 - rest / length);
                [f * d[0], f * d[1], f * d[2]]
            })
            .collect()
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
    impl Mul<Vec3> for f64 {
        type Output = Vec3;

        fn mul(self, v: Vec3) -> Vec3 {
            Vec3 { x: self * v.x, y: self * v.y, z: self * v.z }
        }
    }

    #[differentiate]
    impl Vec3 {
        fn norm_squared(&self) -> f64 {
            self.x * self.x + self.y * self.y + self.z * self.z
        }
    }

    #[differentiate(constant(ends, rest))]
    pub(super) fn imbalance(k: &[f64], x: &[Vec3], ends: &[(usize, usize)], rest: &[f64]) -> f64 {
        let mut force = vec![Vec3 { x: 0.0, y: 0.0, z: 0.0 }; x.len()];
        for ((&k, &(i, j)), &rest) in k.iter().zip(ends).zip(rest) {
            let d = x[j] - x[i];
            let length = d.norm_squared().sqrt();
            let pull = (k * (length - rest) / length) * d;
            force[i] = force[i] + pull;
            force[j] = force[j] - pull;
        }
        let mut sum = 0.0;
        for f in &force {
            sum += f.norm_squared();
        }
        sum
    }
}

mod structs {
    use super::*;

    #[derive(Clone, Debug, Differentiable)]
    pub(super) struct Bar {
        pub(super) i: usize,
        pub(super) j: usize,
        pub(super) stiffness: f64,
    }

    #[derive(Clone, Debug, Differentiable)]
    pub(super) struct Truss {
        pub(super) bars: Vec<Bar>,
        pub(super) nodes: Vec<[f64; 3]>,
    }

    #[differentiate]
    impl Bar {
        fn direction(&self, nodes: &[[f64; 3]]) -> [f64; 3] {
            let (a, b) = (nodes[self.i], nodes[self.j]);
            [b[0] - a[0], b[1] - a[1], b[2] - a[2]]
        }

        #[differentiate(constant(rest))]
        fn pull(&self, nodes: &[[f64; 3]], rest: f64) -> [f64; 3] {
            let d = self.direction(nodes);
            let length = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
            let f = self.stiffness * (length - rest) / length;
            [f * d[0], f * d[1], f * d[2]]
        }
    }

    #[differentiate]
    impl Truss {
        #[differentiate(constant(rest))]
        fn forces(&self, rest: &[f64]) -> Vec<[f64; 3]> {
            let mut force = vec![[0.0; 3]; self.nodes.len()];
            for b in 0..self.bars.len() {
                let pull = self.bars[b].pull(&self.nodes, rest[b]);
                for c in 0..3 {
                    force[self.bars[b].i][c] += pull[c];
                    force[self.bars[b].j][c] -= pull[c];
                }
            }
            force
        }
    }

    #[differentiate(constant(rest))]
    pub(super) fn imbalance(truss: &Truss, rest: &[f64]) -> f64 {
        let forces = truss.forces(rest);
        let mut sum = 0.0;
        for f in &forces {
            sum += f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
        }
        sum
    }
}

/// Goes over the bars twice, forwards for forces and again for adjoints; keeps forces alone.
fn by_hand(p: &[f64], p_bar: &mut [f64], ends: &[(usize, usize)], rest: &[f64]) -> f64 {
    let bars = ends.len();
    let (k, x) = p.split_at(bars);
    let (k_bar, x_bar) = p_bar.split_at_mut(bars);
    let mut force = vec![0.0; x.len()];
    let between = |i: usize, j: usize| -> ([f64; 3], f64) {
        let d: [f64; 3] = std::array::from_fn(|c| x[3 * j + c] - x[3 * i + c]);
        (d, (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt())
    };
    for ((&(i, j), k), rest) in ends.iter().zip(k).zip(rest) {
        let (d, length) = between(i, j);
        let f = k * (length - rest) / length;
        for c in 0..3 {
            force[3 * i + c] += f * d[c];
            force[3 * j + c] -= f * d[c];
        }
    }
    for (b, (&(i, j), rest)) in ends.iter().zip(rest).enumerate() {
        let (d, length) = between(i, j);
        let inverse = 1.0 / length;
        // Of the force f d, with f = k (1 − rest / length).
        let pull_bar: [f64; 3] =
            std::array::from_fn(|c| 2.0 * (force[3 * i + c] - force[3 * j + c]));
        let f_bar = pull_bar[0] * d[0] + pull_bar[1] * d[1] + pull_bar[2] * d[2];
        let stretch = 1.0 - rest * inverse;
        k_bar[b] += f_bar * stretch;
        let along = f_bar * k[b] * rest * inverse * inverse * inverse;
        for c in 0..3 {
            let d_bar = k[b] * stretch * pull_bar[c] + along * d[c];
            x_bar[3 * j + c] += d_bar;
            x_bar[3 * i + c] -= d_bar;
        }
    }
    force.iter().map(|f| f * f).sum()
}
