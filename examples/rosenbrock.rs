//! Newton's method in 100,000 dimensions: the Hessian is never there, only its products with vectors.
//!
//! ```text
//! cargo run --release --example rosenbrock
//! ```
//!
//! The extended Rosenbrock function (21 of J. J. Moré, B. S. Garbow, K. E. Hillstrom, "Testing Unconstrained
//! Optimization Software", ACM Transactions on Mathematical Software 7, 1981) is a valley for each pair of variables.
//! It is minimised from the standard start, (-1.2, 1) again and again, by a truncated Newton method: conjugate
//! gradients solve for the step as exactly as the gradient's length deserves, and stop at the edge of a trust region
//! or where the curvature is negative (T. Steihaug, SIAM Journal on Numerical Analysis 20, 1983). Each of their steps
//! takes one product `hvp` of the Hessian and a vector, at about the cost of two gradients.
//!
//! The pairs do not know of each other, so the Hessian has few different eigenvalues, and two products are enough for a
//! step. In the chained function each variable but the last one begins a valley to the next. There the way from the
//! same start leads around a bend for each variable, in about four steps, and a step takes more products; so it has
//! fewer variables here. Two minima of it are known, of which either is right: all variables are one, or the first is
//! near -1 (S. Kok, C. Sandrock, "Locating and Characterizing the Stationary Points of the Extended Rosenbrock
//! Function", Evolutionary Computation 17, 2009). Of many variables, its value at the second is 3.98662.
//!
//! The exit status is failure unless the gradients are at most 1e-8 long, and the values those of minima.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use cotangent::differentiate;
use cotangent::linalg::{axpy, dot, norm2};

/// One valley for each pair of variables.
#[differentiate]
#[differentiate]
fn extended(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for pair in x.chunks_exact(2) {
        sum += valley(pair[0], pair[1]);
    }
    sum
}

/// One valley for each two neighbours.
#[differentiate]
#[differentiate]
fn chained(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        sum += valley(x[i - 1], x[i]);
    }
    sum
}

/// Its floor is a parabola, and slopes gently to where both are one.
#[differentiate]
#[differentiate]
fn valley(x: f64, y: f64) -> f64 {
    100.0 * (y - x * x) * (y - x * x) + (1.0 - x) * (1.0 - x)
}

/// What the method asks of a function, and its minima.
#[derive(Clone, Copy)]
struct Objective {
    value_and_gradient: fn(&[f64]) -> (f64, Vec<f64>),
    /// The Hessian at the first, times the second.
    product: fn(&[f64], &[f64]) -> Vec<f64>,
    minima: &'static [f64],
}

const EXTENDED: Objective = Objective {
    value_and_gradient: |x| extended::value_and_gradient(x),
    product: |x, v| extended::hvp(x, v),
    minima: &[0.0],
};

const CHAINED: Objective = Objective {
    value_and_gradient: |x| chained::value_and_gradient(x),
    product: |x, v| chained::hvp(x, v),
    minima: &[0.0, 3.98662],
};

/// Where the method stops.
const GRADIENT: f64 = 1e-8;
/// Steps that are tried at most.
const MOST_STEPS: usize = 10_000;

/// Where it ended, and what it took.
#[derive(Clone, Copy, Debug)]
struct Outcome {
    value: f64,
    gradient: f64,
    steps: usize,
    products: usize,
    time: Duration,
}

impl Outcome {
    fn solved(&self, objective: Objective) -> bool {
        let near = |minimum: &f64| (self.value - minimum).abs() < 1e-5;
        self.gradient <= GRADIENT && objective.minima.iter().any(near)
    }
}

/// Minimises from a starting point.
fn minimise(objective: Objective, start: Vec<f64>) -> Outcome {
    let clock = Instant::now();
    let mut x = start;
    let (mut value, mut gradient) = (objective.value_and_gradient)(&x);
    let mut radius = norm2(&x);
    let (mut steps, mut products) = (0, 0);
    while norm2(&gradient) > GRADIENT && steps < MOST_STEPS {
        let product = |v: &[f64]| {
            products += 1;
            (objective.product)(&x, v)
        };
        let step = truncated(product, &gradient, radius);
        steps += 1;
        let mut there = x.clone();
        axpy(1.0, &step.p, &mut there);
        let (value_there, gradient_there) = (objective.value_and_gradient)(&there);
        let gain = (value - value_there) / step.promised(&gradient);
        if gain > 0.75 && step.at_edge {
            radius *= 2.0;
        } else if gain.is_nan() || gain < 0.25 {
            radius = 0.25 * norm2(&step.p);
        }
        if gain > 1e-4 {
            (x, value, gradient) = (there, value_there, gradient_there);
        }
    }
    let gradient = norm2(&gradient);
    Outcome { value, gradient, steps, products, time: clock.elapsed() }
}

/// A step, with its product by the Hessian.
struct Step {
    p: Vec<f64>,
    hessian_p: Vec<f64>,
    at_edge: bool,
}

impl Step {
    /// How much smaller the quadratic model is there.
    fn promised(&self, gradient: &[f64]) -> f64 {
        -dot(gradient, &self.p) - 0.5 * dot(&self.p, &self.hessian_p)
    }

    fn advance(&mut self, by: f64, direction: &[f64], hessian_direction: &[f64]) {
        axpy(by, direction, &mut self.p);
        axpy(by, hessian_direction, &mut self.hessian_p);
    }

    /// How far along a direction the edge of the region is.
    fn to_edge(&self, direction: &[f64], radius: f64) -> f64 {
        let (along, square) = (dot(&self.p, direction), dot(direction, direction));
        let inside = radius * radius - dot(&self.p, &self.p);
        ((along * along + square * inside).sqrt() - along) / square
    }
}

/// Conjugate gradients for `H p = -g`, until the residual is a small part of the gradient, or the edge is met.
fn truncated(mut product: impl FnMut(&[f64]) -> Vec<f64>, gradient: &[f64], radius: f64) -> Step {
    let zeros = vec![0.0; gradient.len()];
    let mut step = Step { p: zeros.clone(), hessian_p: zeros, at_edge: false };
    let mut residual: Vec<f64> = gradient.iter().map(|g| -g).collect();
    let mut direction = residual.clone();
    let mut square = dot(&residual, &residual);
    let enough = square.sqrt() * square.sqrt().sqrt().min(0.1);
    while square.sqrt() > enough {
        let hessian_direction = product(&direction);
        let curvature = dot(&direction, &hessian_direction);
        let to_edge = step.to_edge(&direction, radius);
        let by = square / curvature;
        step.at_edge = curvature <= 0.0 || by >= to_edge;
        if step.at_edge {
            step.advance(to_edge, &direction, &hessian_direction);
            break;
        }
        step.advance(by, &direction, &hessian_direction);
        axpy(-by, &hessian_direction, &mut residual);
        let before = std::mem::replace(&mut square, dot(&residual, &residual));
        for (direction, residual) in direction.iter_mut().zip(&residual) {
            *direction = residual + square / before * *direction;
        }
    }
    step
}

/// The standard start.
fn start(variables: usize) -> Vec<f64> {
    [-1.2, 1.0].repeat(variables / 2)
}

fn main() -> ExitCode {
    println!("Rosenbrock  variables  steps  products     value  gradient   seconds");
    println!("----------  ---------  -----  --------  --------  --------  --------");
    let runs = [("extended", EXTENDED, 100_000), ("chained", CHAINED, 1000)];
    let solved = runs.map(|(name, objective, variables)| {
        let outcome = minimise(objective, start(variables));
        let Outcome { value, gradient, steps, products, time } = outcome;
        println!(
            "{name:<10}  {variables:>9}  {steps:>5}  {products:>8}  {value:>8.2e}  {gradient:>8.1e}  {:>8.3}",
            time.as_secs_f64()
        );
        outcome.solved(objective)
    });
    if solved == [true; 2] { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extended_function_is_minimised() {
        for variables in [100, 100_000] {
            let outcome = minimise(EXTENDED, start(variables));
            assert!(outcome.solved(EXTENDED), "{variables}: {outcome:?}");
            assert!(outcome.products < 100, "{outcome:?}");
        }
    }

    #[test]
    fn the_chained_function_is_minimised() {
        let outcome = minimise(CHAINED, start(20));
        assert!(outcome.solved(CHAINED), "{outcome:?}");
    }

    #[test]
    fn the_start_has_the_published_value() {
        // 24.2 for each pair.
        let value = extended(&start(40));
        assert!((value - 484.0).abs() < 1e-10, "{value}");
    }

    #[test]
    fn products_are_those_of_the_hessian() {
        // Of one valley it is known: ((1200 x² - 400 y + 2, -400 x), (-400 x, 200)).
        let (x, y, v) = (-1.2, 1.0, [0.3, -0.7]);
        let expected = [
            (1200.0 * x * x - 400.0 * y + 2.0) * v[0] - 400.0 * x * v[1],
            -400.0 * x * v[0] + 200.0 * v[1],
        ];
        for objective in [EXTENDED, CHAINED] {
            let found = (objective.product)(&[x, y], &v);
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-12 * expected.abs(), "{found}, {expected}");
            }
        }
    }
}
