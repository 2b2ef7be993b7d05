//! A hidden Markov model by the scaled forward algorithm: the logarithm of the likelihood of symbols.

use cotangent::{Differentiable, differentiate};
use cotangent_examples::inputs::sequence;

use crate::style::{Algorithm, Size, data};

/// Returns the algorithm for states, symbols and a time of `size`. Its parameters are chances, not normalised.
pub(crate) fn algorithm(size: Size) -> Algorithm {
    let (k, symbols, time) = (size.pick(3, 8), size.pick(2, 4), size.pick(5, 80));
    let seen: Vec<usize> =
        sequence(time, 0.0..symbols as f64).iter().map(|symbol| *symbol as usize).collect();
    let seen = data(seen);
    let parameters = sequence(k + k * k + k * symbols, 0.1..0.9);
    let mut all = Algorithm::new("hidden Markov model", parameters, move |p, p_bar| {
        by_hand(p, p_bar, seen, k, symbols)
    });
    let flat = || (vec![0.0; k], vec![0.0; k * k], vec![0.0; k * symbols]);
    let rows = || (vec![0.0; k], vec![vec![0.0; k]; k], vec![vec![0.0; symbols]; k]);
    style!(all, "index loops, copy back", index::likelihood, flat(), [0 1 2], [seen], []);
    style!(all, "&mut helpers, swap", swap::likelihood, flat(), [0 1 2], [seen], []);
    style!(all, "returned Vec", vectors::likelihood, flat(), [0 1 2], [seen], []);
    style!(all, "chains over rows", chains::likelihood, rows(), [0 1 2], [seen], []);
    let (start, transition, emission) = rows();
    let model = structs::Model { start, transition, emission };
    style!(all, "struct with methods", structs::likelihood, (model,), [0], [seen], []);
    style!(all, "table of all times", table::likelihood, flat(), [0 1 2], [seen], []);
    all
}

mod index {
    use super::*;

    #[differentiate]
    pub(super) fn likelihood(start: &[f64], a: &[f64], b: &[f64], seen: &[usize]) -> f64 {
        let k = start.len();
        let symbols = b.len() / k;
        let mut alpha = vec![0.0; k];
        let mut next = vec![0.0; k];
        let mut log = 0.0;
        for t in 0..seen.len() {
            let mut sum = 0.0;
            for j in 0..k {
                let mut chance = 0.0;
                if t == 0 {
                    chance = start[j];
                } else {
                    for i in 0..k {
                        chance += alpha[i] * a[i * k + j];
                    }
                }
                next[j] = chance * b[j * symbols + seen[t]];
                sum += next[j];
            }
            for j in 0..k {
                alpha[j] = next[j] / sum;
            }
            log += sum.ln();
        }
        log
    }
}

mod swap {
    use super::*;

    #[differentiate]
    pub(super) fn likelihood(start: &[f64], a: &[f64], b: &[f64], seen: &[usize]) -> f64 {
        let k = start.len();
        let mut alpha = start.to_vec();
        let mut next = vec![0.0; k];
        observe(b, seen[0], &mut alpha);
        let mut log = normalize(&mut alpha);
        for t in 1..seen.len() {
            transition(a, &alpha, &mut next);
            observe(b, seen[t], &mut next);
            log += normalize(&mut next);
            std::mem::swap(&mut alpha, &mut next);
        }
        log
    }

    #[differentiate]
    fn transition(a: &[f64], alpha: &[f64], next: &mut [f64]) {
        let k = alpha.len();
        next.fill(0.0);
        for i in 0..k {
            for j in 0..k {
                next[j] += alpha[i] * a[i * k + j];
            }
        }
    }

    #[differentiate]
    fn observe(b: &[f64], symbol: usize, alpha: &mut [f64]) {
        let symbols = b.len() / alpha.len();
        for j in 0..alpha.len() {
            alpha[j] *= b[j * symbols + symbol];
        }
    }

    /// Returns the logarithm of the sum.
    #[differentiate]
    fn normalize(alpha: &mut [f64]) -> f64 {
        let mut sum = 0.0;
        for alpha in alpha.iter() {
            sum += *alpha;
        }
        for alpha in alpha.iter_mut() {
            *alpha /= sum;
        }
        sum.ln()
    }
}

mod vectors {
    use super::*;

    #[differentiate]
    pub(super) fn likelihood(start: &[f64], a: &[f64], b: &[f64], seen: &[usize]) -> f64 {
        let mut alpha = observed(start, b, seen[0]);
        let mut log = 0.0;
        for &symbol in &seen[1..] {
            let sum: f64 = alpha.iter().sum();
            log += sum.ln();
            let scaled: Vec<f64> = alpha.iter().map(|alpha| alpha / sum).collect();
            alpha = observed(&moved(&scaled, a), b, symbol);
        }
        log + alpha.iter().sum::<f64>().ln()
    }

    #[differentiate]
    fn observed(alpha: &[f64], b: &[f64], symbol: usize) -> Vec<f64> {
        let symbols = b.len() / alpha.len();
        alpha.iter().enumerate().map(|(j, alpha)| alpha * b[j * symbols + symbol]).collect()
    }

    #[differentiate]
    fn moved(alpha: &[f64], a: &[f64]) -> Vec<f64> {
        let k = alpha.len();
        let mut next = vec![0.0; k];
        for j in 0..k {
            for i in 0..k {
                next[j] += alpha[i] * a[i * k + j];
            }
        }
        next
    }
}

mod chains {
    use super::*;

    #[differentiate]
    pub(super) fn likelihood(start: &[f64], a: &[Vec<f64>], b: &[Vec<f64>], seen: &[usize]) -> f64 {
        let mut alpha: Vec<f64> =
            start.iter().zip(b).map(|(start, b)| start * b[seen[0]]).collect();
        let mut log = 0.0;
        for symbol in seen.iter().skip(1) {
            let sum: f64 = alpha.iter().sum();
            log += sum.ln();
            alpha = b
                .iter()
                .enumerate()
                .map(|(j, b)| {
                    let chance: f64 = alpha.iter().zip(a).map(|(alpha, a)| alpha * a[j]).sum();
                    chance / sum * b[*symbol]
                })
                .collect();
        }
        log + alpha.iter().sum::<f64>().ln()
    }
}

mod structs {
    use super::*;

    #[derive(Clone, Debug, Differentiable)]
    pub(super) struct Model {
        pub(super) start: Vec<f64>,
        pub(super) transition: Vec<Vec<f64>>,
        pub(super) emission: Vec<Vec<f64>>,
    }

    #[differentiate]
    impl Model {
        fn first(&self, symbol: usize) -> Vec<f64> {
            let mut alpha = self.start.clone();
            for j in 0..alpha.len() {
                alpha[j] *= self.emission[j][symbol];
            }
            alpha
        }

        fn step(&self, alpha: &[f64], symbol: usize) -> Vec<f64> {
            let mut next = vec![0.0; alpha.len()];
            for i in 0..alpha.len() {
                for j in 0..alpha.len() {
                    next[j] += alpha[i] * self.transition[i][j];
                }
            }
            for j in 0..alpha.len() {
                next[j] *= self.emission[j][symbol];
            }
            next
        }
    }

    #[differentiate]
    pub(super) fn likelihood(model: &Model, seen: &[usize]) -> f64 {
        let mut log = 0.0;
        let mut alpha = model.first(seen[0]);
        for t in 1..seen.len() {
            let mut sum = 0.0;
            for x in &alpha {
                sum += x;
            }
            for x in alpha.iter_mut() {
                *x /= sum;
            }
            log += sum.ln();
            alpha = model.step(&alpha, seen[t]);
        }
        let mut sum = 0.0;
        for x in &alpha {
            sum += x;
        }
        log + sum.ln()
    }
}

mod table {
    use super::*;

    #[differentiate]
    pub(super) fn likelihood(start: &[f64], a: &[f64], b: &[f64], seen: &[usize]) -> f64 {
        let (k, time) = (start.len(), seen.len());
        let symbols = b.len() / k;
        let mut alpha = vec![0.0; time * k];
        let mut scale = vec![0.0; time];
        for t in 0..time {
            for j in 0..k {
                let mut chance = if t == 0 { start[j] } else { 0.0 };
                if t > 0 {
                    for i in 0..k {
                        chance += alpha[(t - 1) * k + i] * a[i * k + j];
                    }
                }
                alpha[t * k + j] = chance * b[j * symbols + seen[t]];
                scale[t] += alpha[t * k + j];
            }
            for j in 0..k {
                alpha[t * k + j] /= scale[t];
            }
        }
        let mut log = 0.0;
        for scale in &scale {
            log += scale.ln();
        }
        log
    }
}

/// The backward algorithm: keeps the forward variables, and gets all from their products with the backward ones.
fn by_hand(p: &[f64], p_bar: &mut [f64], seen: &[usize], k: usize, symbols: usize) -> f64 {
    let (start, rest) = p.split_at(k);
    let (a, b) = rest.split_at(k * k);
    let (start_bar, rest) = p_bar.split_at_mut(k);
    let (a_bar, b_bar) = rest.split_at_mut(k * k);
    let time = seen.len();
    // The chances of symbols, by symbol and state.
    let mut by_symbol = vec![0.0; symbols * k];
    for j in 0..k {
        for symbol in 0..symbols {
            by_symbol[symbol * k + j] = b[j * symbols + symbol];
        }
    }
    let of_symbol = |t: usize| &by_symbol[seen[t] * k..(seen[t] + 1) * k];
    // The probabilities before the symbol is seen, and the normalised forward variables.
    let (mut moved, mut alpha) = (vec![0.0; time * k], vec![0.0; time * k]);
    let mut scale = vec![0.0; time];
    let mut log = 0.0;
    for t in 0..time {
        let (before, now) = alpha.split_at_mut(t * k);
        let moved = &mut moved[t * k..(t + 1) * k];
        if t == 0 {
            moved.copy_from_slice(start);
        } else {
            for (alpha, row) in before[(t - 1) * k..].iter().zip(a.chunks_exact(k)) {
                for (moved, a) in moved.iter_mut().zip(row) {
                    *moved += alpha * a;
                }
            }
        }
        let mut sum = 0.0;
        for ((now, moved), b) in now.iter_mut().zip(moved.iter()).zip(of_symbol(t)) {
            *now = moved * b;
            sum += *now;
        }
        scale[t] = 1.0 / sum;
        for now in &mut now[..k] {
            *now *= scale[t];
        }
        log += sum.ln();
    }
    let mut by_symbol_bar = vec![0.0; symbols * k];
    // The adjoint of the forward variable before it is normalised is the backward variable, scaled.
    let (mut beta, mut moved_bar) = (vec![1.0; k], vec![0.0; k]);
    for t in (0..time).rev() {
        let moved = &moved[t * k..(t + 1) * k];
        let b_bar = &mut by_symbol_bar[seen[t] * k..(seen[t] + 1) * k];
        let b = of_symbol(t);
        for j in 0..k {
            let bar = beta[j] * scale[t];
            b_bar[j] += bar * moved[j];
            moved_bar[j] = bar * b[j];
        }
        if t == 0 {
            for (start_bar, moved_bar) in start_bar.iter_mut().zip(&moved_bar) {
                *start_bar += moved_bar;
            }
        } else {
            let alpha = &alpha[(t - 1) * k..t * k];
            for i in 0..k {
                let (row, row_bar) = (&a[i * k..(i + 1) * k], &mut a_bar[i * k..(i + 1) * k]);
                let mut sum = 0.0;
                for ((a_bar, a), moved_bar) in row_bar.iter_mut().zip(row).zip(&moved_bar) {
                    *a_bar += alpha[i] * moved_bar;
                    sum += a * moved_bar;
                }
                beta[i] = sum;
            }
        }
    }
    for j in 0..k {
        for symbol in 0..symbols {
            b_bar[j * symbols + symbol] += by_symbol_bar[symbol * k + j];
        }
    }
    log
}
