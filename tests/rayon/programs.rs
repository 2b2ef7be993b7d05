//! What users write: particles, networks, stencils, divide and conquer.

use cotangent::{Differentiable, Float, differentiate};
use rayon::prelude::*;

#[differentiate]
#[differentiate]
fn first(xs: &[f64], k: f64) -> f64 {
    xs.par_iter().map(|x| (x * k).sin()).sum()
}

#[differentiate]
#[differentiate]
fn halves(xs: &[f64], k: f64) -> f64 {
    let (left, right) = xs.split_at(2);
    let (a, b) = rayon::join(|| first(left, k), || right[0] * k);
    a * b
}

#[derive(Clone, Debug, Differentiable)]
struct Particle {
    position: [f64; 2],
    velocity: [f64; 2],
    mass: f64,
}

#[differentiate]
#[differentiate]
impl Particle {
    fn energy(&self, stiffness: f64) -> f64 {
        let [x, y] = self.position;
        let [u, v] = self.velocity;
        0.5 * self.mass * (u * u + v * v) + 0.5 * stiffness * (x * x + y * y)
    }

    fn drift(&mut self, dt: f64) {
        for axis in 0..2 {
            self.position[axis] += dt * self.velocity[axis] / self.mass;
        }
    }
}

#[differentiate]
#[differentiate]
fn energies(particles: &[Particle], stiffness: f64) -> f64 {
    particles.par_iter().map(|particle| particle.energy(stiffness)).sum()
}

#[differentiate]
#[differentiate]
fn drifted(particles: &mut [Particle], dt: f64) -> f64 {
    particles.par_iter_mut().for_each(|particle| particle.drift(dt));
    particles.par_iter().map(|particle| particle.energy(dt)).sum::<f64>()
}

#[differentiate]
#[differentiate]
fn pushed(particles: &mut [Particle], forces: &[[f64; 2]], dt: f64) -> f64 {
    particles
        .par_iter_mut()
        .zip(forces)
        .map(|(particle, force)| {
            for axis in 0..2 {
                particle.velocity[axis] += dt * force[axis] / particle.mass;
            }
            particle.drift(dt);
            particle.velocity[0] * particle.position[1]
        })
        .sum::<f64>()
}

/// Each body feels all others.
#[differentiate]
#[differentiate]
fn accelerations(positions: &[[f64; 3]], masses: &[f64], softening: f64) -> Vec<[f64; 3]> {
    positions
        .par_iter()
        .enumerate()
        .map(|(i, p)| {
            let mut a = [0.0; 3];
            for (j, q) in positions.iter().enumerate() {
                if i == j {
                    continue;
                }
                let d = [q[0] - p[0], q[1] - p[1], q[2] - p[2]];
                let r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + softening * softening;
                let s = masses[j] / (r2 * r2.sqrt());
                for k in 0..3 {
                    a[k] += s * d[k];
                }
            }
            a
        })
        .collect()
}

#[derive(Clone, Debug, Differentiable)]
struct Layer {
    weights: Vec<f64>,
    bias: Vec<f64>,
}

#[differentiate]
#[differentiate]
impl Layer {
    fn apply(&self, x: &[f64]) -> Vec<f64> {
        let n = x.len();
        self.bias
            .par_iter()
            .enumerate()
            .map(|(i, b)| {
                let row = &self.weights[i * n..(i + 1) * n];
                (row.iter().zip(x).map(|(w, x)| w * x).sum::<f64>() + b).tanh()
            })
            .collect()
    }

    fn loss(&self, inputs: &[Vec<f64>], targets: &[f64]) -> f64 {
        let total: f64 = inputs
            .par_iter()
            .zip(targets.par_iter())
            .map(|(x, t)| {
                let y = self.apply(x);
                let s: f64 = y.iter().sum();
                (s - t) * (s - t)
            })
            .sum();
        total / inputs.len() as f64
    }
}

#[differentiate]
#[differentiate]
fn generic<T: Float + Send + Sync + std::iter::Sum>(xs: &[T], k: T) -> T {
    xs.par_iter().map(|x| (*x * k).tanh()).sum::<T>()
}

#[differentiate]
#[differentiate]
fn single(xs: &[f32], k: f32) -> f32 {
    let sum: f32 = xs.par_iter().map(|x| x * k).sum();
    sum * sum
}

#[differentiate]
#[differentiate]
fn stepped(u: &mut Vec<f64>, steps: usize, c: f64) {
    let n = u.len();
    let mut next = u.clone();
    for _ in 0..steps {
        next.par_iter_mut().enumerate().for_each(|(i, v)| {
            let left = if i > 0 { u[i - 1] } else { 0.0 };
            let right = if i + 1 < n { u[i + 1] } else { 0.0 };
            *v = u[i] + c * (left - 2.0 * u[i] + right) + 0.01 * u[i] * u[i];
        });
        std::mem::swap(u, &mut next);
    }
}

#[differentiate]
#[differentiate]
fn nested(a: &[Vec<f64>], k: f64) -> f64 {
    a.par_iter().map(|row| row.par_iter().map(|x| (x * k).exp()).sum::<f64>().ln()).sum::<f64>()
}

/// Threads in threads: rows of a matrix, by columns.
#[differentiate]
#[differentiate]
fn product(a: &[f64], b: &[f64], n: usize) -> Vec<f64> {
    let mut c = vec![0.0; n * n];
    c.par_chunks_mut(n).enumerate().for_each(|(i, row)| {
        for (j, entry) in row.iter_mut().enumerate() {
            *entry = (0..n).map(|k| a[i * n + k] * b[k * n + j]).sum::<f64>();
        }
    });
    c
}

#[derive(Clone, Debug, Differentiable)]
struct Grid {
    values: Vec<f64>,
    rate: f64,
}

#[differentiate]
#[differentiate]
impl Grid {
    fn step(&mut self, old: &[f64]) {
        let rate = self.rate;
        self.values.par_iter_mut().enumerate().for_each(|(i, value)| {
            let left = if i > 0 { old[i - 1] } else { 0.0 };
            *value = old[i] + rate * (left - old[i]);
        });
    }

    fn energy(&self) -> f64 {
        self.values.par_iter().map(|v| v * v * self.rate).sum()
    }
}

#[differentiate]
#[differentiate]
fn advanced(grid: &mut Grid, steps: usize) -> f64 {
    for _ in 0..steps {
        let old = grid.values.clone();
        grid.step(&old);
    }
    grid.energy()
}

fn particles() -> Vec<Particle> {
    vec![
        Particle { position: [0.1, 0.2], velocity: [1.0, -0.5], mass: 1.5 },
        Particle { position: [-0.7, 0.4], velocity: [0.3, 0.8], mass: 0.7 },
        Particle { position: [0.6, -0.9], velocity: [-0.2, 0.1], mass: 2.0 },
    ]
}

fn layer() -> Layer {
    Layer { weights: vec![0.1, -0.2, 0.3, 0.4, 0.5, -0.6], bias: vec![0.1, 0.2] }
}

const FORCES: [[f64; 2]; 3] = [[0.1, 0.2], [0.3, -0.4], [0.5, 0.6]];
const BODIES: [[f64; 3]; 3] = [[0.1, 0.2, 0.3], [1.0, -0.5, 0.2], [-0.4, 0.8, 0.9]];

checked! {
    joined: [halves(&[1.0, 2.0, 3.0, 0.5, 0.7], 0.5), rounded];
    structs: [energies(&particles(), 0.5), rounded];
    structs_that_methods_change: [drifted(&mut particles(), 0.5), rounded];
    sums_of_what_is_changed: [pushed(&mut particles(), &FORCES, 0.5), rounded];
    bodies: [accelerations(&BODIES, &[1.0, 2.0, 0.5], 0.1)];
    layers: [layer().apply(&[0.5, 0.6, 0.7])];
    losses: [layer().loss(&[vec![0.5, 0.6, 0.7], vec![-0.5, 0.1, 0.2]], &[0.3, 0.1]), rounded];
    any_float: [generic(&[0.5, 0.6, 0.7], 0.4), rounded];
    single_precision: [single(&[0.5, 0.6, 0.7], 0.4), rounded];
    buffers: [stepped(&mut vec![0.5, 0.6, 0.7, 0.1], 3, 0.1)];
    threads_in_threads: [nested(&[vec![0.5, 0.6], vec![0.7, 0.1, 0.9]], 0.4), rounded];
    matrices: [product(&[0.1, 0.2, 0.3, 0.4], &[1.0, 2.0, 3.0, 4.0], 2)];
    fields: [advanced(&mut Grid { values: vec![0.1, 0.9, 0.4], rate: 0.3 }, 3), rounded];
}
