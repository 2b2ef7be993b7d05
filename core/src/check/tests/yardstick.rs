//! Central differences in difficult places: they must accept what is right and refuse what is wrong.

use crate::check::{Case, Kind, Mismatch, Report, shared, value};

/// Tests a derivative of a function of one float.
fn verify(x: f64, f: fn(f64) -> f64, derivative: fn(f64) -> f64) -> Result<Report, Mismatch> {
    Case::new("f", &["x"], (value(x),), move |p| f(p.0.get()))
        .jvp(move |p, d| (f(p.0.get()), derivative(p.0.get()) * d.0.get()))
        .verify()
}

#[track_caller]
fn distinguishes(x: f64, f: fn(f64) -> f64, right: fn(f64) -> f64, wrong: fn(f64) -> f64) {
    verify(x, f, right).unwrap();
    let mismatch = verify(x, f, wrong).unwrap_err();
    assert_eq!(mismatch.kind(), Kind::Tangent, "{mismatch}");
}

#[test]
fn far_from_one() {
    distinguishes(1e9, |x| x * x, |x| 2.0 * x, |x| 2.00001 * x);
    distinguishes(1e-9, |x| x * x, |x| 2.0 * x, |x| 2.00001 * x + 1e-3);
    distinguishes(1e3, |x| 1.0 / x, |x| -1.0 / (x * x), |x| -1.00001 / (x * x));
}

#[test]
fn small_results() {
    distinguishes(1.5, |x| 1e-12 * x * x * x, |x| 3e-12 * x * x, |x| 3.00001e-12 * x * x);
}

#[test]
fn a_small_variation_of_a_large_result() {
    distinguishes(1.5, |x| 1e6 + 1e-3 * x * x, |x| 2e-3 * x, |x| 2.01e-3 * x);
}

#[test]
fn a_derivative_of_zero() {
    distinguishes(1.5, |x| (x + 1e3) - x - 1e3, |_| 0.0, |_| 1e-6);
    distinguishes(0.0, |x| x * x, |x| 2.0 * x, |_| 1e-6);
    distinguishes(1.0, |x| x * (2.0 - x), |x| 2.0 - 2.0 * x, |_| 1e-6);
}

#[test]
fn near_the_end_of_a_domain() {
    let root = |x: f64| {
        if x < 0.0 { f64::NAN } else { x * x * x / (x * x) }
    };
    distinguishes(1e-4, root, |_| 1.0, |_| 1.0001);
}

#[test]
fn a_high_power() {
    let power = |x: f64| (0..60).fold(1.0, |y, _| y * x);
    distinguishes(
        1.01,
        power,
        |x| (0..59).fold(60.0, |y, _| y * x),
        |x| (0..60).fold(60.0, |y, _| y * x),
    );
}

#[test]
fn a_function_that_is_nowhere_finite() {
    let mismatch = verify(1.0, |_| f64::NAN, |_| f64::NAN).unwrap_err();
    assert!(mismatch.message().contains("differences are not finite"), "{mismatch}");
}

#[test]
fn single_precision() {
    fn verify(error: f32) -> Result<Report, Mismatch> {
        let f = |x: f32, w: &[f32]| x * x / (w[0] + w[1] * x);
        Case::new("f", &["x", "w"], (value(1.7_f32), shared(&[0.3_f32, 2.0][..])), move |p| {
            f(p.0.get(), p.1.get())
        })
        .jvp(move |p, d| {
            let (x, x_dot, w, w_dot) = (p.0.get(), d.0.get(), p.1.get(), d.1.get());
            let y = f(x, w);
            let below_dot = w_dot[0] + w_dot[1] * x + w[1] * x_dot;
            (y, (2.0 * x * x_dot - y * below_dot) / (w[0] + w[1] * x) * (1.0 + error))
        })
        .vjp(move |p, d, seed| {
            let (x, y) = (p.0.get(), f(p.0.get(), p.1.get()));
            let y_bar: f32 = seed(&y, p, d);
            let w = p.1.get();
            let below = w[0] + w[1] * x;
            let w_bar = d.1.get();
            w_bar[0] -= y * y_bar / below;
            w_bar[1] -= y * x * y_bar / below;
            d.0.put((2.0 * x - y * w[1]) * y_bar / below);
        })
        .verify()
    }
    let report = verify(0.0).unwrap();
    assert!(report.largest_disagreement() < 1e-6, "{report}");
    assert_eq!(verify(0.02).unwrap_err().kind(), Kind::Tangent);
    assert_eq!(verify(2e-3).unwrap_err().kind(), Kind::Tangent);
    assert_eq!(verify(5e-4).unwrap_err().kind(), Kind::Cotangent);
}
