//! Each kernel with its input, ready to be called again and again.
//!
//! A run passes its inputs through `black_box`, zeroes its shadow, and returns the value; what it wrote
//! to the shadow counts as used. Gradients of both kinds so do the same work: clear, compute, keep.

use std::hint::black_box;
use std::ops::Range;

use crate::inputs::{labels, sequence};
use crate::kernels::logistic::{logistic, logistic_by_hand};
use crate::kernels::lotka_volterra::{lotka_volterra, lotka_volterra_by_hand};
use crate::kernels::rosenbrock::{rosenbrock, rosenbrock_by_hand};
use crate::kernels::sum::{sum, sum_by_hand};
use crate::kernels::sum_of_sines::{sum_of_sines, sum_of_sines_by_hand};

/// One evaluation; returns the value of the primal.
pub type Run = Box<dyn FnMut() -> f64>;

/// A kernel on a fixed input.
pub struct Case {
    /// The kernel and its size.
    pub name: &'static str,
    /// The value alone.
    pub primal: Run,
    /// Value and gradient by `accumulate_gradient`.
    pub ours: Run,
    /// Value and gradient written by hand.
    pub by_hand: Run,
}

/// The kernels of the first benchmark.
pub fn first() -> Vec<Case> {
    vec![
        over_slice(
            "sum 1000",
            -1.0..1.0,
            sum,
            |x, x_bar| sum::accumulate_gradient(x, x_bar).0,
            sum_by_hand,
        ),
        over_slice(
            "sum of sines 1000",
            -3.0..3.0,
            sum_of_sines,
            |x, x_bar| sum_of_sines::accumulate_gradient(x, x_bar).0,
            sum_of_sines_by_hand,
        ),
        over_slice(
            "Rosenbrock 1000",
            -1.5..1.5,
            rosenbrock,
            |x, x_bar| rosenbrock::accumulate_gradient(x, x_bar).0,
            rosenbrock_by_hand,
        ),
        logistic_regression(),
        predator_and_prey(),
    ]
}

/// A kernel of one slice of 1000 elements within `range`.
fn over_slice(
    name: &'static str,
    range: Range<f64>,
    primal: fn(&[f64]) -> f64,
    ours: fn(&[f64], &mut [f64]) -> f64,
    by_hand: fn(&[f64], &mut [f64]) -> f64,
) -> Case {
    let x = sequence(1000, range);
    let gradient = |kernel: fn(&[f64], &mut [f64]) -> f64| {
        let x = x.clone();
        with_shadow(x.len(), move |x_bar| kernel(black_box(&x), x_bar))
    };
    let (ours, by_hand) = (gradient(ours), gradient(by_hand));
    Case { name, primal: Box::new(move || primal(black_box(&x))), ours, by_hand }
}

/// A run with a shadow of `len` elements, zeroed before each call.
pub(crate) fn with_shadow(len: usize, mut kernel: impl FnMut(&mut [f64]) -> f64 + 'static) -> Run {
    let mut shadow = vec![0.0; len];
    Box::new(move || {
        shadow.fill(0.0);
        let value = kernel(&mut shadow);
        black_box(&shadow);
        value
    })
}

/// 1000 rows of 50 features.
fn logistic_regression() -> Case {
    let data = || (sequence(50, -1.0..1.0), sequence(50_000, -1.0..1.0), labels(1000));
    let (w, features, y) = data();
    let primal = move || logistic(black_box(&w), black_box(&features), black_box(&y));
    type Gradient = fn(&[f64], &mut [f64], &[f64], &[f64]) -> f64;
    let gradient = |kernel: Gradient| {
        let (w, features, y) = data();
        let run = move |w_bar: &mut [f64]| {
            kernel(black_box(&w), w_bar, black_box(&features), black_box(&y))
        };
        with_shadow(50, run)
    };
    Case {
        name: "logistic regression 1000 × 50",
        primal: Box::new(primal),
        ours: gradient(|w, w_bar, features, y| {
            logistic::accumulate_gradient(w, w_bar, features, y).0
        }),
        by_hand: gradient(logistic_by_hand),
    }
}

/// 10,000 steps over ten units of time.
fn predator_and_prey() -> Case {
    const RATES: [f64; 4] = [1.1, 0.4, 0.1, 0.4];
    const START: [f64; 2] = [10.0, 5.0];
    let primal =
        || lotka_volterra(black_box(&RATES), black_box(START), black_box(1e-3), black_box(10_000));
    type Gradient = fn(&[f64], &mut [f64], [f64; 2], f64, usize) -> (f64, [f64; 2]);
    let gradient = |kernel: Gradient| {
        let run = move |rates_bar: &mut [f64]| {
            let (rates, start) = (black_box(&RATES), black_box(START));
            let (value, start_bar) =
                kernel(rates, rates_bar, start, black_box(1e-3), black_box(10_000));
            black_box(start_bar);
            value
        };
        with_shadow(4, run)
    };
    Case {
        name: "Lotka-Volterra 10000 steps",
        primal: Box::new(primal),
        ours: gradient(|rates, rates_bar, start, h, steps| {
            lotka_volterra::accumulate_gradient(rates, rates_bar, start, h, steps)
        }),
        by_hand: gradient(lotka_volterra_by_hand),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_runs_of_a_case_give_the_same_value() {
        for mut case in first() {
            let value = (case.primal)();
            assert!(value.is_finite());
            for _ in 0..2 {
                assert_eq!((case.ours)(), value, "{}", case.name);
                assert_eq!((case.by_hand)(), value, "{}", case.name);
            }
        }
    }
}
