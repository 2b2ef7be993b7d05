//! A derivative panics where its function does, with the same message.

use cotangent::differentiate;
use std::panic::{AssertUnwindSafe, catch_unwind};

#[differentiate]
fn element(x: &[f64], i: usize) -> f64 {
    x[i] * x[i]
}

#[differentiate]
fn linear_element(x: &[f64], i: usize) -> f64 {
    2.0 * x[i]
}

#[differentiate]
fn unused_element(x: &[f64], i: usize) -> f64 {
    let _unused = x[i];
    x[0] * x[0]
}

#[differentiate]
fn store(x: &mut [f64], i: usize) -> f64 {
    x[0] *= 2.0;
    x[i] = x[0] * 3.0;
    x[0]
}

#[differentiate]
fn asserted(x: f64, n: usize) -> f64 {
    assert!(n < 3, "n is {n}, x is {x}");
    x * x
}

#[differentiate]
fn bare_assertion(x: f64) -> f64 {
    assert!(x > 0.0);
    x * x
}

#[differentiate]
fn lengths(x: &[f64], y: &[f64]) -> f64 {
    assert_eq!(x.len(), y.len(), "lengths differ");
    x[0] * y[0]
}

#[differentiate]
fn panicking(x: f64, n: usize) -> f64 {
    let mut value = x;
    for i in 0..n {
        if i == 2 {
            panic!("step {i} of {}", n);
        }
        value *= x;
    }
    value
}

#[differentiate]
fn calls_panicking(x: f64, n: usize) -> f64 {
    panicking(x * 2.0, n)
}

#[differentiate]
fn divided(x: f64, n: usize) -> f64 {
    x * (10 / n) as f64
}

#[allow(clippy::unnecessary_min_or_max, reason = "the subtraction before it is what panics")]
#[differentiate]
fn subtracted(x: &[f64], n: usize) -> f64 {
    let last = x.len() - n;
    x[last.min(0)]
}

#[differentiate]
fn debug_asserted(x: f64) -> f64 {
    debug_assert!(x > 0.0, "not positive: {x}");
    x * x
}

#[differentiate]
fn badly_clamped(x: f64, low: f64) -> f64 {
    x.clamp(low, 1.0)
}

#[differentiate]
fn panics_before_the_index(x: &[f64], i: usize) -> f64 {
    assert!(i < 100, "first");
    let y = x[i];
    assert!(i < 50, "second");
    y
}

/// The message of a panic, or `None` if there was none.
#[differentiate]
#[allow(clippy::needless_range_loop, reason = "the index may be out of bounds")]
fn squares(x: &[f64], start: usize, end: usize) -> f64 {
    let mut sum = 0.0;
    for i in start..end {
        sum += x[i] * x[i];
    }
    sum
}

#[differentiate]
fn neighbours(x: &[f64], start: usize, end: usize) -> f64 {
    let mut sum = 0.0;
    for i in start..end {
        sum += x[i - 1] * x[i + 2];
    }
    sum
}

fn message<T>(run: impl FnOnce() -> T) -> Option<String> {
    let payload = catch_unwind(AssertUnwindSafe(run)).err()?;
    let text = payload.downcast_ref::<String>().cloned();
    text.or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_owned()))
}

/// All modes against the primal.
macro_rules! assert_same_panic {
    ($name:ident($($argument:expr),*), forward($($forward:expr),*), accumulate($($accumulate:expr),*)) => {{
        let expected = message(|| $name($($argument),*));
        assert!(expected.is_some(), "the primal does not panic");
        assert_eq!(message(|| $name::gradient($($argument),*)), expected, "gradient");
        assert_eq!(message(|| $name::value_and_gradient($($argument),*)), expected, "value_and_gradient");
        assert_eq!(message(|| $name::vjp($($argument),*).0), expected, "vjp");
        assert_eq!(message(|| $name::jvp($($forward),*)), expected, "jvp");
        assert_eq!(message(|| $name::accumulate_gradient($($accumulate),*)), expected, "accumulate_gradient");
    }};
}

#[test]
fn index_out_of_bounds() {
    let x = [1.0, 2.0];
    assert_same_panic!(element(&x, 2), forward(&x, &x, 2), accumulate(&x, &mut [0.0; 2], 2));
    assert_same_panic!(linear_element(&x, 2), forward(&x, &x, 2), accumulate(&x, &mut [0.0; 2], 2));
}

#[test]
fn index_out_of_bounds_without_influence() {
    let x = [1.0, 2.0];
    assert_same_panic!(unused_element(&x, 2), forward(&x, &x, 2), accumulate(&x, &mut [0.0; 2], 2));
}

#[test]
fn store_out_of_bounds() {
    assert_same_panic!(
        store(&mut [1.0, 2.0], 2),
        forward(&mut [1.0, 2.0], &mut [1.0, 2.0], 2),
        accumulate(&mut [1.0, 2.0], &mut [0.0; 2], 2)
    );
}

#[test]
fn assertion_messages() {
    assert_same_panic!(asserted(1.5, 4), forward(1.5, 1.0, 4), accumulate(1.5, 4));
    assert_same_panic!(bare_assertion(-1.5), forward(-1.5, 1.0), accumulate(-1.5));
    let (x, y) = ([1.0], [1.0, 2.0]);
    assert_same_panic!(
        lengths(&x, &y),
        forward(&x, &x, &y, &y),
        accumulate(&x, &mut [0.0], &y, &mut [0.0; 2])
    );
}

#[test]
fn panic_in_a_loop_and_through_a_call() {
    assert_same_panic!(panicking(1.5, 4), forward(1.5, 1.0, 4), accumulate(1.5, 4));
    assert_same_panic!(calls_panicking(1.5, 4), forward(1.5, 1.0, 4), accumulate(1.5, 4));
    assert_eq!(panicking::gradient(1.5, 2), 3.0 * 1.5 * 1.5);
}

#[test]
fn integer_division_by_zero() {
    assert_same_panic!(divided(1.5, 0), forward(1.5, 1.0, 0), accumulate(1.5, 0));
}

#[test]
#[cfg(debug_assertions)]
fn integer_overflow() {
    let x = [1.0, 2.0];
    assert_same_panic!(subtracted(&x, 3), forward(&x, &x, 3), accumulate(&x, &mut [0.0; 2], 3));
}

#[test]
fn debug_assertion_as_the_build_has_it() {
    if cfg!(debug_assertions) {
        assert_same_panic!(debug_asserted(-1.5), forward(-1.5, 1.0), accumulate(-1.5));
    } else {
        assert_eq!(debug_asserted::gradient(-1.5), -3.0);
    }
}

#[test]
fn panic_of_a_method() {
    assert_same_panic!(badly_clamped(1.5, 2.0), forward(1.5, 1.0, 2.0, 1.0), accumulate(1.5, 2.0));
}

#[test]
fn the_first_of_several_panics() {
    let x = [1.0, 2.0];
    let mut x_bar = [0.0; 2];
    assert_same_panic!(
        panics_before_the_index(&x, 200),
        forward(&x, &x, 200),
        accumulate(&x, &mut x_bar, 200)
    );
    assert_same_panic!(
        panics_before_the_index(&x, 70),
        forward(&x, &x, 70),
        accumulate(&x, &mut x_bar, 70)
    );
}

/// Where an index is missing at the end of many, or at the start.
#[test]
fn indices_out_of_bounds_in_long_loops() {
    let x = [0.5; 40];
    for (start, end) in [(0, 41), (3, 56), (50, 51), (39, 60)] {
        assert_same_panic!(
            squares(&x, start, end),
            forward(&x, &x, start, end),
            accumulate(&x, &mut [0.0; 40], start, end)
        );
    }
    for (start, end) in [(0, 30), (1, 39), (0, 1), (38, 70)] {
        assert_same_panic!(
            neighbours(&x, start, end),
            forward(&x, &x, start, end),
            accumulate(&x, &mut [0.0; 40], start, end)
        );
    }
    assert_eq!(squares::gradient(&x, 4, 39)[3..5], [0.0, 1.0]);
    assert_eq!(neighbours::gradient(&x, 1, 38)[..4], [0.5, 0.5, 0.5, 1.0]);
    assert_eq!(neighbours::gradient(&x, 30, 20), [0.0; 40]);
}
