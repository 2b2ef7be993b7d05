//! Burgers' equation on a line by central differences: half the squares of the velocities at the end.

use cotangent::{Differentiable, differentiate};
use cotangent_examples::inputs::sequence;

use crate::style::{Algorithm, Size};

/// Δt / 2Δx, and ν Δt / Δx².
const ADVECTION: f64 = 0.1;
const DIFFUSION: f64 = 0.2;

/// Returns the algorithm for points and steps of `size`.
pub(crate) fn algorithm(size: Size) -> Algorithm {
    let (n, steps) = (size.pick(7, 200), size.pick(4, 50));
    let parameters = sequence(n, -1.0..1.0);
    let mut all =
        Algorithm::new("Burgers, 1-D", parameters, move |p, p_bar| by_hand(p, p_bar, steps));
    let flat = || (vec![0.0; n],);
    style!(all, "index loops, swap", swap::energy, flat(), [0], [], [steps]);
    style!(all, "index loops, copy back", copy::energy, flat(), [0], [], [steps]);
    style!(all, "there and back", back::energy, flat(), [0], [], [steps / 2]);
    style!(all, "&mut helper, in-place update", buffers::energy, flat(), [0], [], [steps]);
    style!(all, "returned Vec", vectors::energy, flat(), [0], [], [steps]);
    style!(all, "windows, collect", chains::energy, flat(), [0], [], [steps]);
    style!(all, "struct with &mut self", structs::energy, flat(), [0], [], [steps]);
    style!(all, "generic Euler, closure", closure::energy, flat(), [0], [], [steps]);
    all
}

mod swap {
    use super::*;

    #[differentiate]
    pub(super) fn energy(start: &[f64], steps: usize) -> f64 {
        let n = start.len();
        let mut u = start.to_vec();
        let mut next = start.to_vec();
        for _ in 0..steps {
            for i in 1..n - 1 {
                next[i] = u[i] - ADVECTION * u[i] * (u[i + 1] - u[i - 1])
                    + DIFFUSION * (u[i + 1] - 2.0 * u[i] + u[i - 1]);
            }
            std::mem::swap(&mut u, &mut next);
        }
        let mut sum = 0.0;
        for i in 0..n {
            sum += 0.5 * u[i] * u[i];
        }
        sum
    }
}

mod copy {
    use super::*;

    #[differentiate]
    pub(super) fn energy(start: &[f64], steps: usize) -> f64 {
        let n = start.len();
        let mut u = start.to_vec();
        let mut next = vec![0.0; n];
        for _ in 0..steps {
            next[0] = u[0];
            next[n - 1] = u[n - 1];
            for i in 1..n - 1 {
                let slope = u[i + 1] - u[i - 1];
                let bend = u[i + 1] - 2.0 * u[i] + u[i - 1];
                next[i] = u[i] - ADVECTION * u[i] * slope + DIFFUSION * bend;
            }
            u.copy_from_slice(&next);
        }
        let mut sum = 0.0;
        for i in 0..n {
            sum += u[i] * u[i];
        }
        0.5 * sum
    }
}

mod back {
    use super::*;

    #[differentiate]
    pub(super) fn energy(start: &[f64], pairs: usize) -> f64 {
        let mut a = start.to_vec();
        let mut b = start.to_vec();
        for _ in 0..pairs {
            step(&a, &mut b);
            step(&b, &mut a);
        }
        a.iter().map(|a| 0.5 * a * a).sum()
    }

    #[differentiate]
    fn step(u: &[f64], next: &mut [f64]) {
        let n = u.len();
        for i in 1..n - 1 {
            next[i] = u[i] - ADVECTION * u[i] * (u[i + 1] - u[i - 1])
                + DIFFUSION * (u[i + 1] - 2.0 * u[i] + u[i - 1]);
        }
    }
}

mod buffers {
    use super::*;

    #[differentiate]
    pub(super) fn energy(start: &[f64], steps: usize) -> f64 {
        let mut u = start.to_vec();
        let mut du = vec![0.0; start.len()];
        for _ in 0..steps {
            rhs(&u, &mut du);
            for i in 0..u.len() {
                u[i] += du[i];
            }
        }
        half_square(&u)
    }

    #[differentiate]
    fn rhs(u: &[f64], du: &mut [f64]) {
        let n = u.len();
        for i in 1..n - 1 {
            du[i] = DIFFUSION * (u[i + 1] - 2.0 * u[i] + u[i - 1])
                - ADVECTION * u[i] * (u[i + 1] - u[i - 1]);
        }
    }

    #[differentiate]
    fn half_square(u: &[f64]) -> f64 {
        let mut sum = 0.0;
        for u in u {
            sum += 0.5 * u * u;
        }
        sum
    }
}

mod vectors {
    use super::*;

    #[differentiate]
    pub(super) fn energy(start: &[f64], steps: usize) -> f64 {
        let mut u = start.to_vec();
        for _ in 0..steps {
            u = step(&u);
        }
        let mut sum = 0.0;
        for i in 0..u.len() {
            sum += u[i].powi(2);
        }
        0.5 * sum
    }

    #[differentiate]
    fn step(u: &[f64]) -> Vec<f64> {
        let mut next = u.to_vec();
        for i in 1..u.len() - 1 {
            next[i] += DIFFUSION * (u[i + 1] - 2.0 * u[i] + u[i - 1]);
            next[i] -= ADVECTION * u[i] * (u[i + 1] - u[i - 1]);
        }
        next
    }
}

mod chains {
    use super::*;

    #[differentiate]
    pub(super) fn energy(start: &[f64], steps: usize) -> f64 {
        let mut u = start.to_vec();
        for _ in 0..steps {
            let inner: Vec<f64> = u
                .windows(3)
                .map(|w| {
                    w[1] - ADVECTION * w[1] * (w[2] - w[0]) + DIFFUSION * (w[2] - 2.0 * w[1] + w[0])
                })
                .collect();
            for (u, inner) in u.iter_mut().skip(1).zip(&inner) {
                *u = *inner;
            }
        }
        0.5 * u.iter().map(|u| u * u).sum::<f64>()
    }
}

mod structs {
    use super::*;

    #[derive(Clone, Debug, Differentiable)]
    pub(super) struct Fluid {
        velocity: Vec<f64>,
        next: Vec<f64>,
    }

    #[differentiate]
    impl Fluid {
        fn at(&self, i: usize) -> f64 {
            self.velocity[i]
        }

        fn step(&mut self) {
            for i in 1..self.velocity.len() - 1 {
                let slope = self.at(i + 1) - self.at(i - 1);
                let bend = self.at(i + 1) - 2.0 * self.at(i) + self.at(i - 1);
                self.next[i] = self.at(i) - ADVECTION * self.at(i) * slope + DIFFUSION * bend;
            }
            std::mem::swap(&mut self.velocity, &mut self.next);
        }

        fn energy(&self) -> f64 {
            let mut sum = 0.0;
            for i in 0..self.velocity.len() {
                sum += 0.5 * self.at(i) * self.at(i);
            }
            sum
        }
    }

    #[differentiate]
    pub(super) fn energy(start: &[f64], steps: usize) -> f64 {
        let mut fluid = Fluid { velocity: start.to_vec(), next: start.to_vec() };
        for _ in 0..steps {
            fluid.step();
        }
        fluid.energy()
    }
}

mod closure {
    use super::*;

    #[differentiate]
    pub(super) fn energy(start: &[f64], steps: usize) -> f64 {
        let u = euler(
            |u: &[f64]| {
                let mut du = vec![0.0; u.len()];
                for i in 1..u.len() - 1 {
                    du[i] = DIFFUSION * (u[i + 1] - 2.0 * u[i] + u[i - 1])
                        - ADVECTION * u[i] * (u[i + 1] - u[i - 1]);
                }
                du
            },
            start,
            steps,
        );
        u.iter().map(|u| 0.5 * u * u).sum()
    }

    #[differentiate]
    fn euler<F: Fn(&[f64]) -> Vec<f64>>(f: F, start: &[f64], steps: usize) -> Vec<f64> {
        let mut u = start.to_vec();
        for _ in 0..steps {
            let du = f(&u);
            for (u, du) in u.iter_mut().zip(&du) {
                *u += du;
            }
        }
        u
    }
}

/// Keeps all states; gathers each adjoint from its neighbours'.
fn by_hand(start: &[f64], start_bar: &mut [f64], steps: usize) -> f64 {
    let n = start.len();
    let mut states = vec![0.0; (steps + 1) * n];
    states[..n].copy_from_slice(start);
    for t in 0..steps {
        let (u, next) = states[t * n..(t + 2) * n].split_at_mut(n);
        next[0] = u[0];
        next[n - 1] = u[n - 1];
        for (next, w) in next[1..].iter_mut().zip(u.windows(3)) {
            *next =
                w[1] - ADVECTION * w[1] * (w[2] - w[0]) + DIFFUSION * (w[2] - 2.0 * w[1] + w[0]);
        }
    }
    let last = &states[steps * n..];
    let value = 0.5 * last.iter().map(|u| u * u).sum::<f64>();
    // One more at both ends, zero: what an end's equation, u' = u, adds to neighbours.
    let (mut bar, mut before) = (last.to_vec(), vec![0.0; n]);
    for t in (0..steps).rev() {
        let u = &states[t * n..(t + 1) * n];
        let (first, end) = (bar[0], bar[n - 1]);
        bar[0] = 0.0;
        bar[n - 1] = 0.0;
        for ((before, bar), w) in before[1..].iter_mut().zip(bar.windows(3)).zip(u.windows(3)) {
            let own = 1.0 - ADVECTION * (w[2] - w[0]) - 2.0 * DIFFUSION;
            let right = DIFFUSION + ADVECTION * w[2];
            let left = DIFFUSION - ADVECTION * w[0];
            *before = own * bar[1] + right * bar[2] + left * bar[0];
        }
        before[0] = first + (DIFFUSION + ADVECTION * u[1]) * bar[1];
        before[n - 1] = end + (DIFFUSION - ADVECTION * u[n - 2]) * bar[n - 2];
        std::mem::swap(&mut bar, &mut before);
    }
    for (start_bar, bar) in start_bar.iter_mut().zip(&bar) {
        *start_bar += bar;
    }
    value
}
