//! `return` in the middle of expressions: it leaves from every place.
#![deny(warnings, unused, missing_docs)]

use cotangent::differentiate;

// All modes against the primal's value and a gradient that is known.
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
fn product(x: f64, y: f64) -> f64 {
    x * y
}

#[differentiate]
fn returns_everywhere(x: f64, n: usize) -> f64 {
    let mut a = [x, if n == 1 { return x } else { 1.0 }];
    a[if n == 2 { return 2.0 * x } else { 0 }] += if n == 3 { return 3.0 * x } else { 1.0 };
    a[1] = if n == 4 { return 4.0 * a[0] } else { a[0] };
    let p = (x * if n == 5 { return 5.0 * x } else { x }, 1.0);
    if (if n == 6 { return 6.0 * x } else { n }) == 7 {
        return 7.0 * x;
    }
    -{ if n == 8 { return 8.0 * x } else { a[1] } } + p.0
}

#[differentiate]
fn returns_between_calls(x: f64, n: usize) -> f64 {
    let y = if n == 1 { return x } else { 2.0 * x };
    let p = product(x, if n == 2 { return 2.0 * x } else { y });
    let z = if n == 3 { return 3.0 * x } else { product(p, x) };
    product(z, if n == 4 { return 4.0 * x } else { 1.0 })
}

fn main() {
    for n in 1..9 {
        let factor = n as f64;
        let start = if n == 4 { 4.0 } else { 0.0 };
        assert_run!(returns_everywhere(2.0, n), factor * 2.0 + start, factor);
    }
    assert_run!(returns_everywhere(2.0, 0), 1.0, 3.0);
    for n in 1..5 {
        let factor = n as f64;
        assert_run!(returns_between_calls(2.0, n), factor * 2.0, factor);
    }
    assert_run!(returns_between_calls(2.0, 0), 16.0, 24.0);
}
