//! Branches not taken do not exist: nothing of the other arm reaches the derivative.

use cotangent::differentiate;

/// The gradient in each mode.
macro_rules! assert_gradient {
    ($name:ident($x:expr $(, $rest:expr)*), $expected:expr) => {{
        let expected: f64 = $expected;
        assert_eq!($name::gradient($x $(, $rest)*), expected, "gradient");
        assert_eq!($name::vjp($x $(, $rest)*).1(1.0), expected, "vjp");
        assert_eq!($name::jvp($x, 1.0 $(, $rest)*).1, expected, "jvp");
    }};
}

#[differentiate]
fn root_or_zero(x: f64) -> f64 {
    if x > 0.0 { x.sqrt() } else { 0.0 }
}

#[differentiate]
fn root_or_line(x: f64) -> f64 {
    let mut y = 3.0 * x;
    if x > 0.0 {
        y = x.sqrt() + x.ln();
    }
    y * 2.0
}

#[test]
fn no_root_of_what_is_not_positive() {
    assert_gradient!(root_or_zero(0.0), 0.0);
    assert_gradient!(root_or_zero(-1.0), 0.0);
    assert_gradient!(root_or_zero(4.0), 0.25);
    assert_gradient!(root_or_line(0.0), 6.0);
    assert_gradient!(root_or_line(-1.0), 6.0);
}

#[differentiate]
fn sinc(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { x.sin() / x }
}

#[differentiate]
fn entropy(x: f64) -> f64 {
    if x == 0.0 {
        return 0.0;
    }
    -x * x.ln()
}

#[test]
fn removed_singularities() {
    assert_gradient!(sinc(0.0), 0.0);
    assert_gradient!(entropy(0.0), 0.0);
    assert_gradient!(entropy(1.0), -1.0);
}

#[differentiate]
fn guarded_index(x: f64, table: &[f64], i: usize) -> f64 {
    if i < table.len() && table[i] > 0.0 { x * table[i] } else { x }
}

#[test]
fn the_other_operand_of_a_short_circuit() {
    assert_eq!(guarded_index::gradient(2.0, &[3.0], 0), (3.0, vec![2.0]));
    assert_eq!(guarded_index::gradient(2.0, &[3.0], 5), (1.0, vec![0.0]));
    assert_eq!(guarded_index::jvp(2.0, 1.0, &[3.0], &[1.0], 5), (2.0, 1.0));
    let (_, pullback) = guarded_index::vjp(2.0, &[3.0], 5);
    let mut table_bar = [0.0];
    assert_eq!((pullback(&[3.0], &mut table_bar, 1.0), table_bar), (1.0, [0.0]));
}

#[differentiate]
fn repeated(x: f64, n: usize) -> f64 {
    let mut y = x;
    for i in 0..n {
        y = if i == 0 { x } else { y / (i - 1) as f64 };
    }
    y
}

#[test]
fn loops_that_do_not_run() {
    assert_gradient!(repeated(2.0, 0), 1.0);
    assert_gradient!(repeated(2.0, 1), 1.0);
    assert_gradient!(repeated(2.0, 2), f64::INFINITY);
}

#[differentiate]
fn some_infinite(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        if x[i] <= 0.0 {
            continue;
        }
        sum += x[i].sqrt() * 2.0;
    }
    sum
}

#[test]
fn skipped_iterations() {
    let x = [4.0, 0.0, 1.0, -1.0, f64::NAN];
    assert_eq!(some_infinite::gradient(&x[..4]), [0.5, 0.0, 1.0, 0.0]);
    let x_dot = [1.0; 5];
    assert_eq!(some_infinite::jvp(&x[..4], &x_dot[..4]).1, 1.5);
    let nan = some_infinite::gradient(&x);
    assert_eq!(nan[..4], [0.5, 0.0, 1.0, 0.0]);
    assert!(nan[4].is_nan());
}

#[differentiate]
fn panicking_arm(x: f64, n: usize) -> f64 {
    if n > 3 {
        let divisor = n - 4;
        assert!(divisor > 10, "too small");
        x / divisor as f64
    } else {
        x * x
    }
}

#[test]
fn arms_that_would_panic() {
    assert_gradient!(panicking_arm(3.0, 2), 6.0);
    assert_gradient!(panicking_arm(3.0, 20), 1.0 / 16.0);
}

#[differentiate]
fn arm_by_a_comparison(x: f64, y: f64) -> f64 {
    let larger = x > y;
    let chosen = if larger { x * x } else { y * 3.0 };
    if !larger { chosen * y } else { chosen }
}

#[test]
fn the_arm_that_the_primal_takes() {
    assert_eq!(arm_by_a_comparison::gradient(2.0, 1.0), (4.0, 0.0));
    assert_eq!(arm_by_a_comparison::gradient(1.0, 2.0), (0.0, 12.0));
    assert_eq!(arm_by_a_comparison::gradient(2.0, 2.0), (0.0, 12.0), "a tie takes the second arm");
}
