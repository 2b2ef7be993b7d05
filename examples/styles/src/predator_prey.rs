//! Predator and prey by the classical Runge-Kutta method: the squared distance of the last state from a goal.

use cotangent::{Differentiable, differentiate};

use crate::style::{Algorithm, Size};

/// Length of a step.
const H: f64 = 0.02;
const GOAL: [f64; 2] = [4.0, 2.0];

/// Returns the algorithm for steps of `size`. Its parameters are four rates and two populations.
pub(crate) fn algorithm(size: Size) -> Algorithm {
    let steps = size.pick(5, 300);
    let parameters = vec![1.1, 0.4, 0.1, 0.4, 10.0, 5.0];
    let mut all = Algorithm::new("predator and prey, RK4", parameters, move |p, p_bar| {
        by_hand(p, p_bar, steps)
    });
    let flat = || (vec![0.0; 4], vec![0.0; 2]);
    style!(all, "scalars", scalars::distance, flat(), [0 1], [], [steps]);
    style!(all, "[f64; 2] from a function", arrays::distance, flat(), [0 1], [], [steps]);
    style!(all, "&mut outputs", buffers::distance, flat(), [0 1], [], [steps]);
    style!(all, "returned Vec, chains", vectors::distance, flat(), [0 1], [], [steps]);
    style!(all, "generic integrator, closure", closure::distance, flat(), [0 1], [], [steps]);
    let rates = operators::Rates { birth: 0.0, eaten: 0.0, feeding: 0.0, death: 0.0 };
    let start = operators::State { prey: 0.0, predators: 0.0 };
    style!(all, "state with operators", operators::distance, (rates, start), [0 1], [], [steps]);
    style!(all, "while and tuples", whiles::distance, flat(), [0 1], [], [steps]);
    all
}

mod scalars {
    use super::*;

    #[differentiate]
    pub(super) fn distance(rates: &[f64], start: &[f64], steps: usize) -> f64 {
        let (a, b, c, d) = (rates[0], rates[1], rates[2], rates[3]);
        let (mut x, mut y) = (start[0], start[1]);
        for _ in 0..steps {
            let k1x = a * x - b * x * y;
            let k1y = c * x * y - d * y;
            let (x2, y2) = (x + 0.5 * H * k1x, y + 0.5 * H * k1y);
            let k2x = a * x2 - b * x2 * y2;
            let k2y = c * x2 * y2 - d * y2;
            let (x3, y3) = (x + 0.5 * H * k2x, y + 0.5 * H * k2y);
            let k3x = a * x3 - b * x3 * y3;
            let k3y = c * x3 * y3 - d * y3;
            let (x4, y4) = (x + H * k3x, y + H * k3y);
            let k4x = a * x4 - b * x4 * y4;
            let k4y = c * x4 * y4 - d * y4;
            x += H / 6.0 * (k1x + 2.0 * k2x + 2.0 * k3x + k4x);
            y += H / 6.0 * (k1y + 2.0 * k2y + 2.0 * k3y + k4y);
        }
        (x - GOAL[0]).powi(2) + (y - GOAL[1]).powi(2)
    }
}

mod arrays {
    use super::*;

    #[differentiate]
    pub(super) fn distance(rates: &[f64], start: &[f64], steps: usize) -> f64 {
        let mut u = [start[0], start[1]];
        for _ in 0..steps {
            u = step(rates, u);
        }
        let [dx, dy] = [u[0] - GOAL[0], u[1] - GOAL[1]];
        dx * dx + dy * dy
    }

    #[differentiate]
    fn step(rates: &[f64], u: [f64; 2]) -> [f64; 2] {
        let k1 = rhs(rates, u);
        let k2 = rhs(rates, add_scaled(u, 0.5 * H, k1));
        let k3 = rhs(rates, add_scaled(u, 0.5 * H, k2));
        let k4 = rhs(rates, add_scaled(u, H, k3));
        let mut next = u;
        for i in 0..2 {
            next[i] += H / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
        next
    }

    #[differentiate]
    fn rhs(rates: &[f64], u: [f64; 2]) -> [f64; 2] {
        [rates[0] * u[0] - rates[1] * u[0] * u[1], rates[2] * u[0] * u[1] - rates[3] * u[1]]
    }

    #[differentiate]
    fn add_scaled(u: [f64; 2], factor: f64, k: [f64; 2]) -> [f64; 2] {
        [u[0] + factor * k[0], u[1] + factor * k[1]]
    }
}

mod buffers {
    use super::*;

    #[differentiate]
    pub(super) fn distance(rates: &[f64], start: &[f64], steps: usize) -> f64 {
        let n = start.len();
        let mut u = start.to_vec();
        let mut stage = vec![0.0; n];
        let mut k1 = vec![0.0; n];
        let mut k2 = vec![0.0; n];
        let mut k3 = vec![0.0; n];
        let mut k4 = vec![0.0; n];
        for _ in 0..steps {
            rhs(rates, &u, &mut k1);
            add_scaled(&u, 0.5 * H, &k1, &mut stage);
            rhs(rates, &stage, &mut k2);
            add_scaled(&u, 0.5 * H, &k2, &mut stage);
            rhs(rates, &stage, &mut k3);
            add_scaled(&u, H, &k3, &mut stage);
            rhs(rates, &stage, &mut k4);
            for i in 0..n {
                u[i] += H / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
            }
        }
        (0..n).map(|i| (u[i] - GOAL[i]) * (u[i] - GOAL[i])).sum()
    }

    #[differentiate]
    fn rhs(rates: &[f64], u: &[f64], k: &mut [f64]) {
        let meetings = u[0] * u[1];
        k[0] = rates[0] * u[0] - rates[1] * meetings;
        k[1] = rates[2] * meetings - rates[3] * u[1];
    }

    #[differentiate(constant(factor))]
    fn add_scaled(u: &[f64], factor: f64, k: &[f64], out: &mut [f64]) {
        for i in 0..u.len() {
            out[i] = u[i] + factor * k[i];
        }
    }
}

mod vectors {
    use super::*;

    #[differentiate]
    pub(super) fn distance(rates: &[f64], start: &[f64], steps: usize) -> f64 {
        let mut u = start.to_vec();
        for _ in 0..steps {
            u = step(rates, &u);
        }
        u.iter().zip(&GOAL).map(|(u, goal)| (u - goal).powi(2)).sum()
    }

    #[differentiate]
    fn step(rates: &[f64], u: &[f64]) -> Vec<f64> {
        let k1 = rhs(rates, u);
        let k2 = rhs(rates, &add_scaled(u, 0.5 * H, &k1));
        let k3 = rhs(rates, &add_scaled(u, 0.5 * H, &k2));
        let k4 = rhs(rates, &add_scaled(u, H, &k3));
        u.iter()
            .zip(k1.iter().zip(&k2))
            .zip(k3.iter().zip(&k4))
            .map(|((u, (k1, k2)), (k3, k4))| u + H / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4))
            .collect()
    }

    #[differentiate]
    fn rhs(rates: &[f64], u: &[f64]) -> Vec<f64> {
        vec![rates[0] * u[0] - rates[1] * u[0] * u[1], rates[2] * u[0] * u[1] - rates[3] * u[1]]
    }

    #[differentiate]
    fn add_scaled(u: &[f64], factor: f64, k: &[f64]) -> Vec<f64> {
        u.iter().zip(k).map(|(u, k)| u + factor * k).collect()
    }
}

mod closure {
    use super::*;

    #[differentiate]
    pub(super) fn distance(rates: &[f64], start: &[f64], steps: usize) -> f64 {
        let (a, b, c, d) = (rates[0], rates[1], rates[2], rates[3]);
        let u = rk4(
            |u: [f64; 2]| [a * u[0] - b * u[0] * u[1], c * u[0] * u[1] - d * u[1]],
            [start[0], start[1]],
            H,
            steps,
        );
        (u[0] - GOAL[0]).powi(2) + (u[1] - GOAL[1]).powi(2)
    }

    #[differentiate(constant(h))]
    fn rk4<F: Fn([f64; 2]) -> [f64; 2]>(f: F, start: [f64; 2], h: f64, steps: usize) -> [f64; 2] {
        let mut u = start;
        for _ in 0..steps {
            let k1 = f(u);
            let k2 = f([u[0] + 0.5 * h * k1[0], u[1] + 0.5 * h * k1[1]]);
            let k3 = f([u[0] + 0.5 * h * k2[0], u[1] + 0.5 * h * k2[1]]);
            let k4 = f([u[0] + h * k3[0], u[1] + h * k3[1]]);
            for i in 0..2 {
                u[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
            }
        }
        u
    }
}

mod operators {
    use super::*;
    use std::ops::{Add, Mul};

    #[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
    pub(super) struct State {
        pub(super) prey: f64,
        pub(super) predators: f64,
    }

    #[derive(Clone, Copy, Debug, Differentiable)]
    pub(super) struct Rates {
        pub(super) birth: f64,
        pub(super) eaten: f64,
        pub(super) feeding: f64,
        pub(super) death: f64,
    }

    #[differentiate]
    impl Add for State {
        type Output = State;

        fn add(self, other: State) -> State {
            State { prey: self.prey + other.prey, predators: self.predators + other.predators }
        }
    }

    #[differentiate]
    impl Mul<State> for f64 {
        type Output = State;

        fn mul(self, state: State) -> State {
            State { prey: self * state.prey, predators: self * state.predators }
        }
    }

    #[differentiate]
    impl Rates {
        fn change(&self, state: State) -> State {
            let meetings = state.prey * state.predators;
            State {
                prey: self.birth * state.prey - self.eaten * meetings,
                predators: self.feeding * meetings - self.death * state.predators,
            }
        }
    }

    #[differentiate]
    pub(super) fn distance(rates: &Rates, start: &State, steps: usize) -> f64 {
        let mut state = *start;
        for _ in 0..steps {
            let k1 = rates.change(state);
            let k2 = rates.change(state + 0.5 * H * k1);
            let k3 = rates.change(state + 0.5 * H * k2);
            let k4 = rates.change(state + H * k3);
            state = state + H / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        }
        (state.prey - GOAL[0]).powi(2) + (state.predators - GOAL[1]).powi(2)
    }
}

mod whiles {
    use super::*;

    #[differentiate]
    pub(super) fn distance(rates: &[f64], start: &[f64], steps: usize) -> f64 {
        let mut u = (start[0], start[1]);
        let mut step = 0;
        while step < steps {
            let k1 = rhs(rates, u.0, u.1);
            let k2 = rhs(rates, u.0 + 0.5 * H * k1.0, u.1 + 0.5 * H * k1.1);
            let k3 = rhs(rates, u.0 + 0.5 * H * k2.0, u.1 + 0.5 * H * k2.1);
            let k4 = rhs(rates, u.0 + H * k3.0, u.1 + H * k3.1);
            u.0 += H / 6.0 * (k1.0 + 2.0 * (k2.0 + k3.0) + k4.0);
            u.1 += H / 6.0 * (k1.1 + 2.0 * (k2.1 + k3.1) + k4.1);
            step += 1;
        }
        (u.0 - GOAL[0]) * (u.0 - GOAL[0]) + (u.1 - GOAL[1]) * (u.1 - GOAL[1])
    }

    #[differentiate]
    fn rhs(rates: &[f64], x: f64, y: f64) -> (f64, f64) {
        (x * (rates[0] - rates[1] * y), y * (rates[2] * x - rates[3]))
    }
}

/// Keeps the states, 16 bytes a step, and computes each step's stages again.
fn by_hand(p: &[f64], p_bar: &mut [f64], steps: usize) -> f64 {
    let &[a, b, c, d, prey, predators] = p else { panic!("six parameters") };
    let change = |[x, y]: [f64; 2]| {
        let meetings = x * y;
        [a * x - b * meetings, c * meetings - d * y]
    };
    let moved = |u: [f64; 2], h: f64, k: [f64; 2]| [u[0] + h * k[0], u[1] + h * k[1]];
    let mut u = [prey, predators];
    let mut states = Vec::with_capacity(steps);
    for _ in 0..steps {
        states.push(u);
        let k1 = change(u);
        let k2 = change(moved(u, 0.5 * H, k1));
        let k3 = change(moved(u, 0.5 * H, k2));
        let k4 = change(moved(u, H, k3));
        for i in 0..2 {
            u[i] += H / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
    }
    let value = (u[0] - GOAL[0]).powi(2) + (u[1] - GOAL[1]).powi(2);
    let mut u_bar = [2.0 * (u[0] - GOAL[0]), 2.0 * (u[1] - GOAL[1])];
    let mut by_rates = [0.0; 4];
    let mut pull = |[x, y]: [f64; 2], [kx, ky]: [f64; 2]| {
        let meetings = x * y;
        by_rates[0] += kx * x;
        by_rates[1] -= kx * meetings;
        by_rates[2] += ky * meetings;
        by_rates[3] -= ky * y;
        let meetings_bar = c * ky - b * kx;
        [a * kx + y * meetings_bar, x * meetings_bar - d * ky]
    };
    for &u in states.iter().rev() {
        let k1 = change(u);
        let u2 = moved(u, 0.5 * H, k1);
        let u3 = moved(u, 0.5 * H, change(u2));
        let u4 = moved(u, H, change(u3));
        let sixth = [H / 6.0 * u_bar[0], H / 6.0 * u_bar[1]];
        let by_4 = pull(u4, sixth);
        let by_3 = pull(u3, moved([2.0 * sixth[0], 2.0 * sixth[1]], H, by_4));
        let by_2 = pull(u2, moved([2.0 * sixth[0], 2.0 * sixth[1]], 0.5 * H, by_3));
        let by_1 = pull(u, moved(sixth, 0.5 * H, by_2));
        for i in 0..2 {
            u_bar[i] += by_1[i] + by_2[i] + by_3[i] + by_4[i];
        }
    }
    for (p_bar, by) in p_bar.iter_mut().zip(by_rates.iter().chain(&u_bar)) {
        *p_bar += by;
    }
    value
}
