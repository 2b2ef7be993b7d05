//! Evaluation order: operands from left to right, the right side of an assignment first, and exits in
//! the middle of an expression leave with what had been done so far.

use cotangent::differentiate;

/// All modes against the primal's value and a gradient that is known.
macro_rules! assert_run {
    ($name:ident($x:expr $(, $rest:expr)*), $value:expr, $gradient:expr) => {{
        let case = (stringify!($name), $x $(, $rest)*);
        let (value, gradient): (f64, f64) = ($value, $gradient);
        assert_eq!($name($x $(, $rest)*), value, "the function itself, {case:?}");
        assert_eq!($name::value_and_gradient($x $(, $rest)*), (value, gradient), "value_and_gradient of {case:?}");
        assert_eq!($name::jvp($x, 1.0 $(, $rest)*), (value, gradient), "jvp of {case:?}");
        let (seen, pullback) = $name::vjp($x $(, $rest)*);
        assert_eq!((seen, pullback(1.0)), (value, gradient), "vjp of {case:?}");
    }};
}

#[differentiate]
fn blocks(x: f64) -> f64 {
    let mut i = 0;
    let mut y = x;
    let sum = {
        i += 1;
        y *= i as f64 * {
            i += 2;
            i as f64
        };
        y
    } + {
        i *= 3;
        y * i as f64
    };
    let mut a = [0.0; 10];
    a[{
        i -= 2;
        i
    }] = sum * {
        i += 1;
        x
    };
    a[8] + a[7]
}

#[test]
fn blocks_as_operands() {
    assert_run!(blocks(2.0), 120.0, 120.0);
}

#[differentiate]
fn short_circuits(x: f64, n: usize) -> f64 {
    let mut hits = 1;
    let large = x > 1.0 || {
        hits += 1;
        n > 2
    };
    let both = large && {
        hits += 10;
        x < 5.0
    };
    if both { x * hits as f64 } else { x * x * hits as f64 }
}

#[test]
fn operands_that_are_skipped() {
    assert_run!(short_circuits(0.5, 0), 0.5, 2.0);
    assert_run!(short_circuits(0.5, 3), 6.0, 12.0);
    assert_run!(short_circuits(2.0, 0), 22.0, 11.0);
    assert_run!(short_circuits(8.0, 0), 704.0, 176.0);
}

#[differentiate]
fn returns_in_the_last_sum(x: f64, n: usize) -> f64 {
    x + {
        if n == 1 {
            return 3.0 * x;
        }
        1.0
    }
}

#[differentiate]
fn returns_in_the_last_product(x: f64, n: usize) -> f64 {
    x * if n == 1 { return 3.0 * x } else { 2.0 }
}

#[differentiate]
fn returns_before(x: f64, n: usize) -> f64 {
    let y = x * if n == 1 { return 3.0 * x } else { 2.0 };
    y + x
}

#[test]
fn returns_in_operands() {
    assert_run!(returns_in_the_last_sum(2.0, 0), 3.0, 1.0);
    assert_run!(returns_in_the_last_sum(2.0, 1), 6.0, 3.0);
    assert_run!(returns_in_the_last_product(2.0, 0), 4.0, 2.0);
    assert_run!(returns_in_the_last_product(2.0, 1), 6.0, 3.0);
    assert_run!(returns_before(2.0, 0), 6.0, 3.0);
    assert_run!(returns_before(2.0, 1), 6.0, 3.0);
}

#[differentiate]
fn product(x: f64, y: f64) -> f64 {
    x * y
}

#[differentiate]
fn stored_or_left(a: &mut [f64], n: usize) -> f64 {
    a[0] = if n == 1 { return 3.0 * a[0] } else { 2.0 * a[0] };
    a[1] *= if n == 2 { return 5.0 * a[0] } else { a[0] };
    a[1]
}

#[test]
fn what_was_left_is_not_stored() {
    for (n, value, after, gradient) in [
        (0, 14.0, [2.0, 14.0], [14.0, 2.0]),
        (1, 3.0, [1.0, 7.0], [3.0, 0.0]),
        (2, 10.0, [2.0, 7.0], [10.0, 0.0]),
    ] {
        let mut a = [1.0, 7.0];
        let (seen, pullback) = stored_or_left::vjp(&mut a, n);
        assert_eq!((seen, a), (value, after), "vjp, {n}");
        let mut a_bar = [0.0; 2];
        pullback(&mut a, &mut a_bar, 1.0);
        assert_eq!((a_bar, a), (gradient, [1.0, 7.0]), "pullback, {n}");
        assert_eq!(
            stored_or_left::jvp(&mut a, &mut [1.0, 0.0], n),
            (value, gradient[0]),
            "jvp, {n}"
        );
        assert_eq!(a, after, "jvp, {n}");
    }
}

#[differentiate]
fn would_panic(x: &[f64], n: usize) -> f64 {
    let holds = if n == 0 { return 1.0 } else { n < 9 };
    assert!(holds);
    let quotient = 10 / (if n == 1 { return 2.0 } else { n - 1 });
    let first = x[if x.is_empty() { return 3.0 } else { 0 }];
    first * quotient as f64
}

#[test]
fn what_was_left_does_not_panic() {
    for (x, n, value, gradient) in [
        (&[][..], 0, 1.0, vec![]),
        (&[], 1, 2.0, vec![]),
        (&[], 2, 3.0, vec![]),
        (&[7.0], 2, 70.0, vec![10.0]),
    ] {
        assert_eq!(would_panic(x, n), value);
        assert_eq!(would_panic::value_and_gradient(x, n), (value, gradient));
        assert_eq!(would_panic::jvp(x, x, n).0, value);
    }
}

#[differentiate]
fn pushed_or_left(x: f64, n: usize) -> f64 {
    let mut v = vec![x];
    for i in 0..n {
        v.push(if i == 2 { break } else { x });
    }
    v[0] * v.len() as f64
}

#[test]
fn what_was_left_is_not_pushed() {
    assert_run!(pushed_or_left(2.0, 1), 4.0, 2.0);
    assert_run!(pushed_or_left(2.0, 7), 6.0, 3.0);
}

#[differentiate]
fn continues_in_arguments(x: f64, n: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..n {
        sum += product(x, if i % 2 == 0 { continue } else { i as f64 });
        sum += if i == 5 { break } else { x };
    }
    sum
}

#[test]
fn jumps_in_operands() {
    assert_run!(continues_in_arguments(2.0, 4), 12.0, 6.0);
    assert_run!(continues_in_arguments(2.0, 9), 22.0, 11.0);
}

#[differentiate]
fn breaks_with_values(x: f64, n: usize) -> f64 {
    let mut steps = 0;
    let y = 1.0
        + loop {
            steps += 1;
            if steps > n {
                break x * steps as f64;
            }
            if steps > 3 {
                break if n == 9 { return x } else { x * x };
            }
        };
    y * steps as f64
}

#[test]
fn loops_as_operands() {
    assert_run!(breaks_with_values(2.0, 1), 10.0, 4.0);
    assert_run!(breaks_with_values(2.0, 5), 20.0, 16.0);
    assert_run!(breaks_with_values(2.0, 9), 2.0, 1.0);
}

#[differentiate]
fn own_value_on_the_right(x: f64) -> f64 {
    let mut y = x;
    y += {
        y *= 2.0;
        y
    };
    y = y * {
        y = 1.0;
        y + x
    };
    y
}

#[test]
fn the_right_side_comes_first() {
    assert_run!(own_value_on_the_right(3.0), 48.0, 28.0);
}
