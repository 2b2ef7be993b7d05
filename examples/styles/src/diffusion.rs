//! Diffusion on a square with a conductivity for each cell: the squared difference to a goal at the end.

use cotangent::{Differentiable, differentiate};
use cotangent_examples::inputs::sequence;

use crate::style::{Algorithm, Size, data};

/// Δt / Δx².
const RATE: f64 = 0.2;

/// Returns the algorithm for a square and steps of `size`. Its parameters are conductivities and temperatures.
pub(crate) fn algorithm(size: Size) -> Algorithm {
    let (n, steps) = (size.pick(5, 24), size.pick(4, 20));
    let goal = data(sequence(n * n, -1.0..1.0));
    let mut parameters = sequence(n * n, 0.3..1.0);
    parameters.extend(sequence(n * n, -1.0..1.0));
    let mut all = Algorithm::new("diffusion, 2-D", parameters, move |p, p_bar| {
        by_hand(p, p_bar, goal, n, steps)
    });
    let flat = || (vec![0.0; n * n], vec![0.0; n * n]);
    let rows = || (vec![vec![0.0; n]; n], vec![vec![0.0; n]; n]);
    style!(all, "index loops, swap", swap::error, flat(), [0 1], [goal], [n, steps]);
    style!(all, "index loops, copy back", copy::error, flat(), [0 1], [goal], [n, steps]);
    style!(all, "&mut helper, there and back", back::error, flat(), [0 1], [goal], [n, steps / 2]);
    style!(all, "returned Vec", vectors::error, flat(), [0 1], [goal], [n, steps]);
    style!(all, "rows of Vec", nested::error, rows(), [0 1], [goal], [steps]);
    let grid = || structs::Grid { cells: vec![0.0; n * n], n };
    style!(all, "grid with accessor", structs::error, (grid(), grid()), [0 1], [goal], [steps]);
    style!(all, "chains over rows", chains::error, flat(), [0 1], [goal], [n, steps]);
    all
}

mod swap {
    use super::*;

    #[differentiate(constant(goal))]
    pub(super) fn error(k: &[f64], start: &[f64], goal: &[f64], n: usize, steps: usize) -> f64 {
        let mut u = start.to_vec();
        let mut next = start.to_vec();
        for _ in 0..steps {
            for i in 1..n - 1 {
                for j in 1..n - 1 {
                    let c = i * n + j;
                    let sum = u[c - n] + u[c + n] + u[c - 1] + u[c + 1] - 4.0 * u[c];
                    next[c] = u[c] + RATE * k[c] * sum;
                }
            }
            std::mem::swap(&mut u, &mut next);
        }
        let mut error = 0.0;
        for c in 0..n * n {
            error += (u[c] - goal[c]) * (u[c] - goal[c]);
        }
        error
    }
}

mod copy {
    use super::*;

    #[differentiate(constant(goal))]
    pub(super) fn error(k: &[f64], start: &[f64], goal: &[f64], n: usize, steps: usize) -> f64 {
        let mut u = start.to_vec();
        let mut next = vec![0.0; n * n];
        for _ in 0..steps {
            for i in 1..n - 1 {
                for j in 1..n - 1 {
                    let up = u[(i - 1) * n + j];
                    let down = u[(i + 1) * n + j];
                    let (left, right) = (u[i * n + j - 1], u[i * n + j + 1]);
                    let here = u[i * n + j];
                    next[i * n + j] =
                        here + RATE * k[i * n + j] * (up + down + left + right - 4.0 * here);
                }
            }
            for i in 1..n - 1 {
                for j in 1..n - 1 {
                    u[i * n + j] = next[i * n + j];
                }
            }
        }
        let mut error = 0.0;
        for i in 0..u.len() {
            error += (u[i] - goal[i]).powi(2);
        }
        error
    }
}

mod back {
    use super::*;

    #[differentiate(constant(goal))]
    pub(super) fn error(k: &[f64], start: &[f64], goal: &[f64], n: usize, pairs: usize) -> f64 {
        let mut a = start.to_vec();
        let mut b = start.to_vec();
        for _ in 0..pairs {
            step(k, &a, &mut b, n);
            step(k, &b, &mut a, n);
        }
        squared_distance(&a, goal)
    }

    #[differentiate]
    fn step(k: &[f64], u: &[f64], next: &mut [f64], n: usize) {
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                let c = i * n + j;
                let flow = u[c - n] + u[c + n] + u[c - 1] + u[c + 1] - 4.0 * u[c];
                next[c] = u[c] + RATE * k[c] * flow;
            }
        }
    }

    #[differentiate(constant(b))]
    fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
    }
}

mod vectors {
    use super::*;

    #[differentiate(constant(goal))]
    pub(super) fn error(k: &[f64], start: &[f64], goal: &[f64], n: usize, steps: usize) -> f64 {
        let mut u = start.to_vec();
        for _ in 0..steps {
            let change = laplacian(&u, n);
            u = add_product(&u, k, &change);
        }
        let mut error = 0.0;
        for (u, goal) in u.iter().zip(goal) {
            error += (u - goal) * (u - goal);
        }
        error
    }

    #[differentiate]
    fn laplacian(u: &[f64], n: usize) -> Vec<f64> {
        let mut all = vec![0.0; n * n];
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                let c = i * n + j;
                all[c] = u[c - n] + u[c + n] + u[c - 1] + u[c + 1] - 4.0 * u[c];
            }
        }
        all
    }

    #[differentiate]
    fn add_product(u: &[f64], k: &[f64], change: &[f64]) -> Vec<f64> {
        (0..u.len()).map(|c| u[c] + RATE * k[c] * change[c]).collect()
    }
}

mod nested {
    use super::*;

    #[differentiate(constant(goal))]
    pub(super) fn error(k: &[Vec<f64>], start: &[Vec<f64>], goal: &[f64], steps: usize) -> f64 {
        let n = start.len();
        let mut u = start.to_vec();
        let mut next = start.to_vec();
        for _ in 0..steps {
            for i in 1..n - 1 {
                for j in 1..n - 1 {
                    let flow =
                        u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4.0 * u[i][j];
                    next[i][j] = u[i][j] + RATE * k[i][j] * flow;
                }
            }
            std::mem::swap(&mut u, &mut next);
        }
        let mut error = 0.0;
        for i in 0..n {
            for j in 0..n {
                let difference = u[i][j] - goal[i * n + j];
                error += difference * difference;
            }
        }
        error
    }
}

mod structs {
    use super::*;

    #[derive(Clone, Debug, Differentiable)]
    pub(super) struct Grid {
        pub(super) cells: Vec<f64>,
        pub(super) n: usize,
    }

    #[differentiate]
    impl Grid {
        fn at(&self, i: usize, j: usize) -> f64 {
            self.cells[i * self.n + j]
        }

        fn flow(&self, i: usize, j: usize) -> f64 {
            self.at(i - 1, j) + self.at(i + 1, j) + self.at(i, j - 1) + self.at(i, j + 1)
                - 4.0 * self.at(i, j)
        }

        fn step(&self, conductivity: &Grid) -> Grid {
            let mut next = self.clone();
            for i in 1..self.n - 1 {
                for j in 1..self.n - 1 {
                    next.cells[i * self.n + j] += RATE * conductivity.at(i, j) * self.flow(i, j);
                }
            }
            next
        }
    }

    #[differentiate(constant(goal))]
    pub(super) fn error(conductivity: &Grid, start: &Grid, goal: &[f64], steps: usize) -> f64 {
        let mut grid = start.clone();
        for _ in 0..steps {
            grid = grid.step(conductivity);
        }
        let mut error = 0.0;
        for i in 0..grid.n {
            for j in 0..grid.n {
                error += (grid.at(i, j) - goal[i * grid.n + j]).powi(2);
            }
        }
        error
    }
}

mod chains {
    use super::*;

    #[differentiate(constant(goal))]
    pub(super) fn error(k: &[f64], start: &[f64], goal: &[f64], n: usize, steps: usize) -> f64 {
        let mut u = start.to_vec();
        for _ in 0..steps {
            let mut next = u.clone();
            for i in 1..n - 1 {
                let above = &u[(i - 1) * n..i * n];
                let row = &u[i * n..(i + 1) * n];
                let below = &u[(i + 1) * n..(i + 2) * n];
                let inner = next[i * n..(i + 1) * n].iter_mut().skip(1);
                let middle = row.windows(3).zip(&k[i * n + 1..]);
                for ((next, (w, k)), (up, down)) in
                    inner.zip(middle).zip(above.iter().skip(1).zip(below.iter().skip(1)))
                {
                    *next += RATE * k * (up + down + w[0] + w[2] - 4.0 * w[1]);
                }
            }
            u = next;
        }
        u.iter().zip(goal).map(|(u, goal)| (u - goal).powi(2)).sum()
    }
}

/// Keeps all states; gathers adjoints, scaled by their conductivities, from neighbours.
fn by_hand(p: &[f64], p_bar: &mut [f64], goal: &[f64], n: usize, steps: usize) -> f64 {
    let len = n * n;
    let (k, start) = p.split_at(len);
    let (k_bar, start_bar) = p_bar.split_at_mut(len);
    let mut states = vec![0.0; (steps + 1) * len];
    states[..len].copy_from_slice(start);
    for t in 0..steps {
        let (u, next) = states[t * len..(t + 2) * len].split_at_mut(len);
        next.copy_from_slice(u);
        for i in 1..n - 1 {
            let (above, below) = (&u[(i - 1) * n..i * n], &u[(i + 1) * n..(i + 2) * n]);
            let (row, k) = (&u[i * n..(i + 1) * n], &k[i * n..(i + 1) * n]);
            let next = &mut next[i * n..(i + 1) * n];
            for j in 1..n - 1 {
                let flow = above[j] + below[j] + row[j - 1] + row[j + 1] - 4.0 * row[j];
                next[j] = row[j] + RATE * k[j] * flow;
            }
        }
    }
    let last = &states[steps * len..];
    let mut u_bar: Vec<f64> = last.iter().zip(goal).map(|(u, goal)| u - goal).collect();
    let value = u_bar.iter().map(|error| error * error).sum();
    for u_bar in &mut u_bar {
        *u_bar *= 2.0;
    }
    // With a border of its own, so that all gather alike; zero there and where cells do not change.
    let wide = n + 2;
    let mut flow_bar = vec![0.0; wide * wide];
    for t in (0..steps).rev() {
        let u = &states[t * len..(t + 1) * len];
        for i in 1..n - 1 {
            let (above, below) = (&u[(i - 1) * n..i * n], &u[(i + 1) * n..(i + 2) * n]);
            let (row, range) = (&u[i * n..(i + 1) * n], i * n..(i + 1) * n);
            let (k, k_bar) = (&k[range.clone()], &mut k_bar[range.clone()]);
            let u_bar = &u_bar[range];
            let flow_bar = &mut flow_bar[(i + 1) * wide + 1..][..n];
            for j in 1..n - 1 {
                let flow = above[j] + below[j] + row[j - 1] + row[j + 1] - 4.0 * row[j];
                k_bar[j] += RATE * u_bar[j] * flow;
                flow_bar[j] = RATE * k[j] * u_bar[j];
            }
        }
        for (i, u_bar) in u_bar.chunks_exact_mut(n).enumerate() {
            let row = |i: usize| &flow_bar[i * wide..(i + 1) * wide];
            let (above, middle, below) = (row(i), row(i + 1), row(i + 2));
            for j in 0..n {
                let across = above[j + 1] + below[j + 1];
                u_bar[j] += across + middle[j] + middle[j + 2] - 4.0 * middle[j + 1];
            }
        }
    }
    for (start_bar, u_bar) in start_bar.iter_mut().zip(&u_bar) {
        *start_bar += u_bar;
    }
    value
}
