//! Chains of iterators beside loops over indices, ready to be called again and again.
//!
//! A run zeroes its shadow, as in [`cases`](crate::cases), and returns the value. Both runs of a pair compute the same function and the same
//! gradient, and are timed against each other.

use std::hint::black_box;

use crate::inputs::{labels, sequence};
use crate::kernels::chains::{
    level_chain, level_loop, logistic_chain, neighbours_chain, neighbours_loop, product_chain,
    product_loop, rosenbrock_chain, sines_chain, springs_chain, springs_loop, sum_chain,
};
use crate::kernels::logistic::logistic;
use crate::kernels::rosenbrock::rosenbrock;
use crate::kernels::sum::sum;
use crate::kernels::sum_of_sines::sum_of_sines;

/// One evaluation; returns the value of the primal.
pub type Run = Box<dyn FnMut() -> f64>;

/// The same by a chain and by a loop.
pub struct Pair {
    /// What both compute.
    pub name: &'static str,
    /// By a chain of iterators.
    pub chain: Run,
    /// By a loop over indices.
    pub by_index: Run,
}

/// The gradients, by `accumulate_gradient`.
pub fn gradients() -> Vec<Pair> {
    vec![
        over_slice(
            "sum",
            |x, x_bar| sum_chain::accumulate_gradient(x, x_bar).0,
            |x, x_bar| sum::accumulate_gradient(x, x_bar).0,
        ),
        over_slice(
            "map, sum",
            |x, x_bar| sines_chain::accumulate_gradient(x, x_bar).0,
            |x, x_bar| sum_of_sines::accumulate_gradient(x, x_bar).0,
        ),
        over_halves(
            "zip, map, sum",
            |x, x_bar, y, y_bar| product_chain::accumulate_gradient(x, x_bar, y, y_bar).0,
            |x, x_bar, y, y_bar| product_loop::accumulate_gradient(x, x_bar, y, y_bar).0,
        ),
        over_slice(
            "fold",
            |x, x_bar| level_chain::accumulate_gradient(x, x_bar).0,
            |x, x_bar| level_loop::accumulate_gradient(x, x_bar).0,
        ),
        over_slice(
            "windows, map, sum",
            |x, x_bar| rosenbrock_chain::accumulate_gradient(x, x_bar).0,
            |x, x_bar| rosenbrock::accumulate_gradient(x, x_bar).0,
        ),
        over_slice(
            "skip, zip, map, sum",
            |x, x_bar| neighbours_chain::accumulate_gradient(x, x_bar).0,
            |x, x_bar| neighbours_loop::accumulate_gradient(x, x_bar).0,
        ),
        over_halves(
            "windows, zip, map, sum",
            |x, x_bar, y, y_bar| springs_chain::accumulate_gradient(x, x_bar, y, y_bar).0,
            |x, x_bar, y, y_bar| springs_loop::accumulate_gradient(x, x_bar, y, y_bar).0,
        ),
        over_rows(
            "chunks_exact, zip, map, sum",
            |w, w_bar, rows, y| logistic_chain::accumulate_gradient(w, w_bar, rows, y).0,
            |w, w_bar, rows, y| logistic::accumulate_gradient(w, w_bar, rows, y).0,
        ),
    ]
}

type OfSlice = fn(&[f64], &mut [f64]) -> f64;
type OfHalves = fn(&[f64], &mut [f64], &[f64], &mut [f64]) -> f64;
type OfRows = fn(&[f64], &mut [f64], &[f64], &[f64]) -> f64;

/// A function of 2000 numbers.
fn over_slice(name: &'static str, chain: OfSlice, by_index: OfSlice) -> Pair {
    let run = |gradient: OfSlice| {
        let x = sequence(2000, -1.5..1.5);
        with_shadow(x.len(), move |x_bar| gradient(black_box(&x), x_bar))
    };
    Pair { name, chain: run(chain), by_index: run(by_index) }
}

/// A function of two slices, which are the halves of 2000 numbers.
fn over_halves(name: &'static str, chain: OfHalves, by_index: OfHalves) -> Pair {
    let run = |gradient: OfHalves| {
        let x = sequence(2000, -1.5..1.5);
        with_shadow(x.len(), move |x_bar| {
            let (x, y) = black_box(&x[..]).split_at(x.len() / 2);
            let (x_bar, y_bar) = x_bar.split_at_mut(x.len());
            gradient(x, x_bar, y, y_bar)
        })
    };
    Pair { name, chain: run(chain), by_index: run(by_index) }
}

/// A function of 50 weights, with 200 rows of data.
fn over_rows(name: &'static str, chain: OfRows, by_index: OfRows) -> Pair {
    let run = |gradient: OfRows| {
        let (w, rows, y) = (sequence(50, -1.0..1.0), sequence(10_000, -1.0..1.0), labels(200));
        with_shadow(50, move |w_bar| {
            gradient(black_box(&w), w_bar, black_box(&rows), black_box(&y))
        })
    };
    Pair { name, chain: run(chain), by_index: run(by_index) }
}

/// A run with a shadow of `len` elements, zeroed before each call.
fn with_shadow(len: usize, mut kernel: impl FnMut(&mut [f64]) -> f64 + 'static) -> Run {
    let mut shadow = vec![0.0; len];
    Box::new(move || {
        shadow.fill(0.0);
        let value = kernel(&mut shadow);
        black_box(&shadow);
        value
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_runs_of_a_pair_give_the_same_value() {
        for mut pair in gradients() {
            let value = (pair.by_index)();
            assert!(value.is_finite());
            for _ in 0..2 {
                assert_eq!((pair.chain)(), value, "{}", pair.name);
            }
        }
    }
}
