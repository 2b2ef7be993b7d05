//! Solutions that have no derivative: panics that name the function, the residual and the condition.

use cotangent::{differentiate, primitive};
use std::panic::catch_unwind;

/// What a panic says.
fn message<T>(run: impl FnOnce() -> T + std::panic::UnwindSafe) -> String {
    let panic = catch_unwind(run).err().expect("a panic");
    panic.downcast_ref::<String>().cloned().expect("a text")
}

#[differentiate]
fn excess(y: f64, p: f64) -> f64 {
    y * y - p
}

#[primitive(root = excess)]
fn square_root(p: f64) -> f64 {
    p.sqrt()
}

#[test]
fn a_double_root_has_no_derivative() {
    for text in [message(|| square_root::gradient(0.0)), message(|| square_root::jvp(0.0, 1.0))] {
        assert_eq!(
            text,
            "`square_root` has no derivative here: the derivative of `excess` by its first parameter is singular at \
             the solution (norm of the residual 0.0e0, condition inf)"
        );
    }
}

#[test]
fn what_is_not_asked_for_contributes_nothing() {
    assert_eq!(square_root::jvp(0.0, 0.0), (0.0, 0.0));
    let (_, pullback) = square_root::vjp(0.0);
    assert_eq!(pullback(0.0), 0.0);
}

#[test]
fn no_solution_has_no_number_as_its_derivative() {
    assert!(square_root::gradient(-1.0).is_nan());
}

#[differentiate]
fn rank_one(x: &[f64], p: f64) -> Vec<f64> {
    let sum = x[0] + 2.0 * x[1];
    vec![sum - p, 3.0 * sum - 3.0 * p]
}

#[primitive(root = rank_one)]
fn one_of_many(p: f64) -> Vec<f64> {
    vec![p, 0.0]
}

#[test]
fn one_of_many_solutions_has_no_derivative() {
    let text = message(|| one_of_many::jvp(1.0, 1.0));
    assert!(text.starts_with("`one_of_many` has no derivative here"), "{text}");
}

#[differentiate]
fn one_equation(x: &[f64], p: f64) -> Vec<f64> {
    vec![x[0] + x[1] - p]
}

#[primitive(root = one_equation)]
fn two_unknowns(p: f64) -> Vec<f64> {
    vec![p, 0.0]
}

#[test]
fn an_equation_for_each_unknown_is_needed() {
    let expected = "`two_unknowns`: `one_equation` has 1 floats for 2 unknowns, so that there is no one solution";
    assert_eq!(message(|| two_unknowns::jvp(1.0, 1.0)), expected);
    let pull = || two_unknowns::vjp(1.0).1(vec![1.0, 1.0]);
    assert_eq!(message(pull), expected);
}

#[primitive(root = excess, debug)]
fn rough_root(p: f64) -> f64 {
    let guess = 1.0 + 0.5 * (p - 1.0);
    0.5 * (guess + p / guess)
}

#[test]
fn debug_checks_that_a_solution_is_one() {
    assert!((rough_root::gradient(1.01) - 0.5 / 1.01_f64.sqrt()).abs() < 1e-4);
    let text = message(|| rough_root::gradient(2.0));
    assert!(text.contains("does not solve the equation of `excess`"), "{text}");
}

/// The Laplacian of a ring: singular, and too large for a factorisation.
#[differentiate]
fn ring(x: &[f64], p: f64) -> Vec<f64> {
    let n = x.len();
    let mut residual = vec![0.0; n];
    for i in 0..n {
        residual[i] = 2.0 * x[i] - x[(i + 1) % n] - x[(i + n - 1) % n];
    }
    residual[0] -= p;
    residual
}

#[primitive(root = ring)]
fn on_a_ring(p: f64) -> Vec<f64> {
    vec![p; 201]
}

#[test]
fn a_large_singular_system_is_refused() {
    let text = message(|| on_a_ring::jvp(1.0, 1.0));
    assert!(text.starts_with("`on_a_ring` has no derivative here"), "{text}");
}
