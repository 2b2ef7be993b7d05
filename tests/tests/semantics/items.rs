//! Names: items are constants, locals hide functions, and shadowed names are what they were.

use cotangent::differentiate;
use std::f64::consts;

const SCALE: f64 = 3.0;
static TABLE: [f64; 3] = [2.0, 5.0, 7.0];
static OFFSET: f64 = 11.0;

mod settings {
    pub(super) const STEP: f64 = 0.5;
    pub(super) static ROUNDS: usize = 4;
}

#[differentiate]
fn with_items(x: f64) -> f64 {
    let mut y = SCALE * x + OFFSET;
    for i in 0..TABLE.len() {
        y += TABLE[i] * x;
    }
    for _ in 0..settings::ROUNDS {
        y += settings::STEP * x;
    }
    y * (consts::PI / std::f64::consts::PI)
}

#[test]
fn items_are_constants() {
    assert_eq!(with_items(1.0), 30.0);
    assert_eq!(with_items::gradient(1.0), 19.0);
    assert_eq!(with_items::vjp(1.0).1(1.0), 19.0);
    assert_eq!(with_items::jvp(1.0, 1.0), (30.0, 19.0));
}

#[differentiate]
fn with_items_inside(x: f64) -> f64 {
    const FACTOR: f64 = 3.0;
    static TERMS: [f64; 2] = [2.0, 5.0];
    #[differentiate]
    fn inner(x: f64) -> f64 {
        FACTOR * x * x
    }
    inner(x) * FACTOR + TERMS[1] * x
}

#[test]
fn items_inside_a_body() {
    assert_eq!(with_items_inside(2.0), 46.0);
    assert_eq!(with_items_inside::gradient(2.0), 41.0);
    assert_eq!(with_items_inside::jvp(2.0, 1.0), (46.0, 41.0));
}

#[differentiate]
fn square(x: f64) -> f64 {
    x * x
}

/// A local of a function's name hides the function, but not its companion.
#[differentiate]
fn hides_a_function(x: f64) -> f64 {
    let called = square(x);
    let square = 5.0 * x;
    called + square * 2.0
}

/// A parameter of the function's own name.
#[differentiate]
fn hides_itself(hides_itself: f64) -> f64 {
    hides_itself * hides_itself
}

#[test]
fn locals_hide_functions() {
    assert_eq!(hides_a_function::gradient(3.0), 16.0);
    assert_eq!(hides_a_function::jvp(3.0, 1.0), (39.0, 16.0));
    assert_eq!(hides_itself::gradient(3.0), 6.0);
}

/// The function inside hides the one outside, and so does its companion.
#[differentiate]
fn inner_function_wins(x: f64) -> f64 {
    #[differentiate]
    fn square(x: f64) -> f64 {
        7.0 * x
    }
    square(x)
}

#[test]
fn functions_hide_functions() {
    assert_eq!(inner_function_wins(3.0), 21.0);
    assert_eq!(inner_function_wins::gradient(3.0), 7.0);
    assert_eq!(inner_function_wins::jvp(3.0, 1.0), (21.0, 7.0));
}

#[differentiate]
fn shadowed(x: f64, n: usize) -> f64 {
    let y = x * x;
    let x = 3.0;
    let mut y = y * x;
    {
        let y = 100.0;
        let _ = y;
    }
    for y_factor in 0..n {
        let x = y_factor as f64 + 1.0;
        y *= x;
    }
    let y = if n > 2 {
        let y = y + x;
        y
    } else {
        y
    };
    y
}

#[test]
fn shadowed_names() {
    assert_eq!(shadowed(2.0, 3), 12.0 * 6.0 + 3.0);
    assert_eq!(shadowed::gradient(2.0, 3), 12.0 * 6.0);
    assert_eq!(shadowed::gradient(2.0, 2), 12.0 * 2.0);
    assert_eq!(shadowed::jvp(2.0, 1.0, 3), (75.0, 72.0));
}

/// A loop's variable, assigned to, and a parameter that is reused.
#[differentiate]
fn reassigned(mut x: f64, mut n: usize) -> f64 {
    n += 1;
    for mut i in 0..n {
        i *= 2;
        x += i as f64 * x;
    }
    x
}

#[test]
fn parameters_and_loop_variables_may_change() {
    assert_eq!(reassigned(2.0, 2), 2.0 * 1.0 * 3.0 * 5.0);
    assert_eq!(reassigned::gradient(2.0, 2), 15.0);
    assert_eq!(reassigned::jvp(2.0, 1.0, 2), (30.0, 15.0));
}

/// Methods of the standard library under the names of the user's own functions.
#[differentiate]
fn max(x: f64, y: f64) -> f64 {
    10.0 * x + y
}

#[differentiate]
fn method_and_function(x: f64, y: f64) -> f64 {
    max(x, y) + x.max(y)
}

#[test]
fn methods_are_not_functions() {
    assert_eq!(method_and_function(2.0, 3.0), 26.0);
    assert_eq!(method_and_function::gradient(2.0, 3.0), (10.0, 2.0));
}
