//! Functions of another crate that are generic over their floats, differentiated without a look at their bodies.
//!
//! ```text
//! cargo run --release --example foreign
//! ```
//!
//! The crate `argmin_testfunctions` has test functions of optimisation, such as
//! `fn rosenbrock<T: Float + FromPrimitive + Sum>(param: &[T]) -> T`. `#[primitive(of = rosenbrock, dual)]` runs it with
//! `cotangent::Dual`. Newton's method finds the minimum of Rosenbrock's valley: the gradient is that of the function, and
//! the Hessian is the Jacobian of the gradient that the crate's authors wrote by hand. The example prints the way, and how
//! far both derivatives are from those written by hand.
//!
//! The exit status is failure unless they agree to 1e-12 and the minimum is found.

use argmin_testfunctions as functions;
use cotangent::{linalg, primitive};
use std::process::ExitCode;

/// Rosenbrock's valley, whose minimum is where all entries are one.
#[primitive(of = functions::rosenbrock, dual)]
fn valley(x: &[f64]) -> f64;

/// Its gradient as its authors wrote it, which is differentiated once more.
#[primitive(of = functions::rosenbrock_derivative, dual)]
fn slope(x: &[f64]) -> Vec<f64>;

/// The largest difference of two lists of numbers, relative to the largest of them.
fn disagreement(found: &[f64], expected: &[f64]) -> f64 {
    let largest = expected.iter().fold(1.0_f64, |largest, entry| largest.max(entry.abs()));
    let differences = found.iter().zip(expected).map(|(found, expected)| (found - expected).abs());
    differences.fold(0.0_f64, f64::max) / largest
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|entry| entry * entry).sum::<f64>().sqrt()
}

fn main() -> ExitCode {
    let mut x = [1.2, 0.8, 1.4, 1.6, 1.1, 0.7];
    let mut worst = 0.0_f64;
    println!("step       value  gradient  from the crate's own gradient and Hessian");
    for step in 0..40 {
        let (value, gradient) = valley::value_and_gradient(&x);
        let hessian = slope::jacobian(&x).into_vec();
        let by_gradient = disagreement(&gradient, &functions::rosenbrock_derivative(&x));
        let by_hessian = disagreement(&hessian, &functions::rosenbrock_hessian(&x).concat());
        worst = worst.max(by_gradient).max(by_hessian);
        println!(
            "{step:>4} {value:>11.3e} {:>9.1e}  {by_gradient:.1e} {by_hessian:.1e}",
            norm(&gradient)
        );
        if norm(&gradient) < 1e-10 {
            break;
        }
        // Away from the minimum the Hessian need not be positive definite: then half of the step, and so on.
        let Some(newton) = linalg::lu_solve(&hessian, &gradient, x.len()) else { break };
        let along = |part: f64| -> Vec<f64> {
            x.iter().zip(&newton).map(|(x, newton)| x - part * newton).collect()
        };
        let parts = std::iter::successors(Some(1.0), |part| Some(part / 2.0)).take(30);
        let mut tried = parts.map(along);
        let next = tried.find(|next| valley(next) < value).unwrap_or_else(|| along(-1e-3));
        x.copy_from_slice(&next);
    }
    let is_found = x.iter().all(|entry| (entry - 1.0).abs() < 1e-9);
    println!("\nthe minimum is at {x:.9?}");
    if worst < 1e-12 && is_found { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cotangent::check;

    #[test]
    fn derivatives_are_those_of_differences_and_of_the_authors() {
        let exact = |x: &[f64]| functions::rosenbrock_derivative(x);
        check!(valley(&x), x in vec![-2.0..2.0; 11], against = exact).unwrap();
        check!(slope(&x), x in vec![-2.0..2.0; 3]).unwrap();
    }

    #[test]
    fn the_minimum_is_found() {
        assert_eq!(main(), ExitCode::SUCCESS);
    }
}
