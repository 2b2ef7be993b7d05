//! Perturbations are not confused: a derivative inside of a derivative sees its own variable alone.
//!
//! The cases are those of Siskind and Pearlmutter, "Perturbation confusion and referential transparency" (2005),
//! and of Manzyuk and others, "Perturbation confusion in forward automatic differentiation of higher-order
//! functions" (2019).

use cotangent::differentiate;

#[differentiate]
#[differentiate]
#[differentiate]
fn sum(x: f64, y: f64) -> f64 {
    x + y
}

/// D(x -> x * D(y -> x + y, 1), 1) = 1.
#[differentiate]
fn inner_by_jvp(x: f64) -> f64 {
    let (_, by_y) = sum::jvp(x, 0.0, 1.0, 1.0);
    x * by_y
}

#[differentiate]
#[differentiate(constant(x))]
fn sum_by_second(x: f64, y: f64) -> f64 {
    x + y
}

/// What is constant inside varies outside, and has no derivative there: that is what `constant` says.
#[differentiate]
fn inner_by_gradient(x: f64) -> f64 {
    let (_, by_y) = sum::gradient(x, 1.0);
    x * by_y + sum_by_second::gradient(x, 1.0) * x
}

#[test]
fn the_inner_derivative_does_not_see_the_outer_variable() {
    assert_eq!(inner_by_jvp::gradient(1.0), 1.0);
    assert_eq!(inner_by_jvp::jvp(1.0, 1.0), (1.0, 1.0));
    assert_eq!(inner_by_gradient::gradient(1.0), 2.0);
}

#[differentiate]
#[differentiate]
fn product(x: f64, y: f64) -> f64 {
    x * y
}

/// D(x -> x * D(y -> x * y, 2), 3) = 6: both see x.
#[differentiate]
fn both_see(x: f64) -> f64 {
    let (_, by_y) = product::jvp(x, 0.0, 2.0, 1.0);
    x * by_y
}

#[test]
fn a_variable_that_both_see_counts_in_both() {
    assert_eq!(both_see::gradient(3.0), 6.0);
    assert_eq!(both_see::jvp(3.0, 1.0), (9.0, 6.0));
}

#[differentiate]
#[differentiate]
#[differentiate]
fn power(x: f64) -> f64 {
    x * x * x * x * x
}

#[differentiate]
#[differentiate]
fn first(x: f64) -> f64 {
    power::gradient(x)
}

#[differentiate]
fn second(x: f64) -> f64 {
    let (_, along) = first::jvp(x, 1.0);
    along
}

/// The derivative of the derivative of the derivative, in turns of mode.
#[test]
fn derivatives_nest() {
    assert_eq!(first(2.0), 80.0);
    assert_eq!(second(2.0), 160.0);
    assert_eq!(second::gradient(2.0), 240.0);
    assert_eq!(second::jvp(2.0, 1.0), (160.0, 240.0));
    assert_eq!(first::hessian(2.0), 240.0);
}

/// A derivative along the variable itself, twice: D(x -> D(y -> y * y * x, x), 3) = D(2 x², 3) = 12.
#[differentiate]
#[differentiate]
fn square_times(x: f64, y: f64) -> f64 {
    y * y * x
}

#[differentiate]
fn at_the_same_point(x: f64) -> f64 {
    let (_, by_y) = square_times::gradient(x, x);
    by_y
}

#[test]
fn the_same_number_is_two_variables() {
    assert_eq!(at_the_same_point::gradient(3.0), 12.0);
    assert_eq!(at_the_same_point::jvp(3.0, 1.0), (18.0, 12.0));
}

/// D(x -> x * (y ↦ x + y)'(1) by a pullback, 1) = 1.
#[differentiate]
fn inner_by_pullback(x: f64) -> f64 {
    let (_, pullback) = sum::vjp(x, 1.0);
    let (_, by_y) = pullback(1.0);
    x * by_y
}

/// The seed of the inner pullback varies outside: D(x -> x · x · 2 x, 3) = 6 x² = 54.
#[differentiate]
fn seed_varies(x: f64) -> f64 {
    let (_, pullback) = product::vjp(x, 2.0 * x);
    let (_, by_y) = pullback(2.0 * x);
    x * by_y
}

#[differentiate]
#[differentiate]
#[differentiate]
fn cubic_product(x: f64, y: f64) -> f64 {
    x * x * x * y
}

/// The direction of the inner second derivative is the outer variable: D(x -> 6 x y · x, x) = 12 x y.
#[differentiate]
fn direction_varies(x: f64) -> f64 {
    let (by_x, _) = cubic_product::hvp(x, x, 5.0, 0.0);
    by_x
}

#[test]
fn seeds_and_directions_vary_outside_only() {
    assert_eq!(inner_by_pullback::gradient(1.0), 1.0);
    assert_eq!(inner_by_pullback::jvp(1.0, 1.0), (1.0, 1.0));
    assert_eq!(seed_varies::gradient(3.0), 54.0);
    assert_eq!(seed_varies::jvp(3.0, 1.0), (54.0, 54.0));
    assert_eq!(direction_varies::gradient(2.0), 120.0);
    assert_eq!(direction_varies::jvp(2.0, 1.0), (120.0, 120.0));
}

#[differentiate]
#[differentiate]
#[differentiate]
fn twice<F: Fn(f64) -> f64>(f: F, x: f64) -> f64 {
    f(f(x))
}

/// `x ↦ k x` twice: `k² x`.
#[differentiate]
#[differentiate]
fn scaled_twice(k: f64, x: f64) -> f64 {
    twice(|t| t * k, x)
}

/// What a closure captures is the outer variable: D(k -> k · (k² x)' by x, k) = 3 k².
#[differentiate]
fn slope_of_a_closure(k: f64) -> f64 {
    let (_, by_x) = scaled_twice::gradient(k, 5.0);
    k * by_x
}

/// A closure that calls a derivative at the variable that it captures: `t ↦ x t` twice, at `x`.
#[differentiate]
#[differentiate]
fn closure_of_a_derivative(x: f64) -> f64 {
    twice(
        |t| {
            let (_, by_t) = sum::jvp(2.0 * x, 0.0, t, 1.0);
            t * by_t * x
        },
        x,
    )
}

#[test]
fn captures_are_variables_of_their_own() {
    assert_eq!(scaled_twice::hessian(3.0, 5.0).as_slice(), [10.0, 6.0, 6.0, 0.0]);
    assert_eq!(slope_of_a_closure::gradient(3.0), 27.0);
    assert_eq!(slope_of_a_closure::jvp(3.0, 1.0), (27.0, 27.0));
    // x² x
    assert_eq!(closure_of_a_derivative(2.0), 8.0);
    assert_eq!(closure_of_a_derivative::value_gradient_and_hessian(2.0), (8.0, 12.0, 12.0));
}
