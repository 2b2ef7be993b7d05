//! How small an error is found: a millionth in `f64`, whatever the function, as long as it is smooth.

use cotangent::check::{Case, Kind, value};

/// Accepts the derivative of a function, and refuses it when it is off by this part.
#[track_caller]
fn tells_apart(part: f64, points: &[f64], f: fn(f64) -> f64, derivative: fn(f64) -> f64) {
    for x in points {
        let verify = |factor: f64| {
            Case::new("f", &["x"], (value(*x),), |p| f(p.0.get()))
                .jvp(|p, d| (f(p.0.get()), derivative(p.0.get()) * factor * d.0.get()))
                .verify()
        };
        verify(1.0).unwrap();
        for factor in [1.0 + part, 1.0 - part] {
            assert_eq!(verify(factor).unwrap_err().kind(), Kind::Tangent);
        }
    }
}

#[test]
fn elementary_functions() {
    const PART: f64 = 1e-8;
    tells_apart(PART, &[-1.0, 0.3, 2.0, 100.0], f64::sin, f64::cos);
    tells_apart(PART, &[-3.0, 0.1, 5.0], f64::exp, f64::exp);
    tells_apart(PART, &[1e-3, 0.7, 1e6], f64::ln, f64::recip);
    tells_apart(PART, &[1e-3, 0.7, 1e6], f64::sqrt, |x| 0.5 / x.sqrt());
    tells_apart(PART, &[-2.0, 0.01, 1e-5, 3e4], |x| 1.0 / x, |x| -1.0 / (x * x));
    tells_apart(PART, &[0.3, -0.9], f64::tanh, |x| 1.0 - x.tanh().powi(2));
    tells_apart(PART, &[0.4, -0.8], f64::asin, |x| 1.0 / (1.0 - x * x).sqrt());
    tells_apart(PART, &[1.1, -0.9], |x| x.powi(20), |x| 20.0 * x.powi(19));
}

#[test]
fn what_varies_quickly() {
    tells_apart(1e-6, &[0.3, 1.7], |x| (50.0 * x).sin(), |x| 50.0 * (50.0 * x).cos());
    tells_apart(
        1e-6,
        &[0.3, 1.7],
        |x| (-(x * 10.0).powi(2)).exp(),
        |x| -200.0 * x * (-(x * 10.0).powi(2)).exp(),
    );
}

#[test]
fn what_rounding_hides_in_part() {
    // A small variation of a large value: the noise is a part of what is looked for.
    tells_apart(1e-5, &[0.7, 1.3], |x| 1e6 + x * x, |x| 2.0 * x);
    tells_apart(1e-6, &[0.7], |x| (x + 1e4) - 1e4 + x.sin(), |x| 1.0 + x.cos());
}

#[test]
fn long_simulations() {
    fn run(x: f64) -> (f64, f64) {
        (0..10_000)
            .fold((x, 1.0), |(y, y_dot), _| (y + 1e-4 * y.sin(), y_dot * (1.0 + 1e-4 * y.cos())))
    }
    tells_apart(1e-6, &[0.4, 1.9], |x| run(x).0, |x| run(x).1);
}
