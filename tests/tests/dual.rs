//! Dual numbers, and rules that run generic functions with them: beside closed forms, derivatives that were written by hand,
//! differences, and the crate `num-dual`.

use argmin_testfunctions as functions;
use cotangent::check::Kind;
use cotangent::num_traits::{Float, FromPrimitive};
use cotangent::{Dual, check, differentiate, primitive};
use num_dual::DualNum;

/// Functions of another crate.
mod foreign {
    use super::*;

    pub fn wave<T: Float>(x: T, t: T) -> T {
        (x * t).sin() * (-t).exp()
    }

    pub fn polynomial<T: Float>(coefficients: &[T], x: T) -> T {
        coefficients.iter().rev().fold(T::zero(), |sum, c| sum * x + *c)
    }

    pub fn rotated<T: Float>(v: [T; 2], angle: T) -> [T; 2] {
        let (sin, cos) = angle.sin_cos();
        [v[0] * cos - v[1] * sin, v[0] * sin + v[1] * cos]
    }

    pub fn powers<T: Float>(x: T, n: usize) -> Vec<T> {
        (0..n).map(|k| x.powi(k as i32)).collect()
    }

    pub fn polar<T: Float>(x: T, y: T) -> (T, T) {
        (x.hypot(y), y.atan2(x))
    }

    pub fn root<T: Float>(x: T) -> Option<T> {
        (x >= T::zero()).then(|| x.sqrt())
    }

    pub fn logarithm<T: Float>(x: T, name: String) -> Result<T, String> {
        if x > T::zero() { Ok(x.ln()) } else { Err(name) }
    }

    /// Newton's method, whose tolerance is a float of its own.
    pub fn square_root<T: Float + FromPrimitive>(x: T, tolerance: f64, start: T) -> T {
        let mut y = start;
        while (y * y - x).abs() > T::from_f64(tolerance).unwrap() {
            y = (y + x / y) / T::from_f64(2.0).unwrap();
        }
        y
    }

    pub fn total<T: Float, const N: usize>(weights: [T; N], rows: &[[T; N]], scale: &[T]) -> T {
        let rows = rows.iter().zip(scale).map(|(row, scale)| {
            let products = row.iter().zip(weights).map(|(entry, weight)| *entry * weight);
            products.fold(T::zero(), |sum, product| sum + product) * *scale
        });
        rows.fold(T::zero(), |sum, row| sum + row.tanh())
    }

    /// A constant of any type.
    pub fn applied<T: Float, F: Fn(usize) -> f64>(x: T, weight: F) -> T {
        x * T::from(weight(2)).unwrap()
    }

    pub fn bits<T: Float>(x: T) -> T {
        let (mantissa, exponent, sign) = x.integer_decode();
        T::from(f64::from(sign) * mantissa as f64 * f64::from(exponent).exp2()).unwrap()
    }

    pub struct Spring<T>(pub T);

    impl<T: Float> Spring<T> {
        pub fn energy(stiffness: T, length: T) -> T {
            stiffness * length * length
        }
    }
}

#[primitive(of = foreign::wave, dual)]
fn wave(x: f64, t: f64) -> f64;

#[primitive(of = foreign::polynomial, dual)]
fn polynomial(coefficients: &[f64], x: f64) -> f64;

#[primitive(of = foreign::rotated, dual)]
fn rotated(v: [f64; 2], angle: f64) -> [f64; 2];

#[primitive(of = foreign::powers, dual)]
fn powers(x: f64, n: usize) -> Vec<f64>;

#[primitive(of = foreign::polar, dual)]
fn polar(x: f64, y: f64) -> (f64, f64);

#[primitive(of = foreign::root, dual)]
fn root(x: f64) -> Option<f64>;

#[primitive(of = foreign::logarithm, dual, constant(name))]
fn logarithm(x: f64, name: String) -> Result<f64, String>;

#[primitive(of = foreign::square_root, dual, wrt(x))]
fn square_root(x: f64, tolerance: f64, start: f64) -> f64;

#[primitive(of = foreign::total::<_, 3>, dual, constant(scale))]
fn total(weights: [f64; 3], rows: &[[f64; 3]], scale: &[f64]) -> f64;

#[primitive(of = foreign::applied, dual, constant(weight))]
fn applied(x: f64, weight: impl Fn(usize) -> f64) -> f64;

#[primitive(of = foreign::bits, dual)]
fn bits(x: f64) -> f64;

#[primitive(of = foreign::Spring::energy, dual)]
fn energy(stiffness: f64, length: f64) -> f64;

#[test]
fn derivatives_are_those_of_closed_forms() {
    let (x, t) = (0.7_f64, 0.4_f64);
    let by_x = t * (x * t).cos() * (-t).exp();
    let by_t = (x * (x * t).cos() - (x * t).sin()) * (-t).exp();
    let (value, (found_x, found_t)) = wave::value_and_gradient(x, t);
    assert_eq!(value, foreign::wave(x, t));
    assert!((found_x - by_x).abs() < 1e-15 && (found_t - by_t).abs() < 1e-15);
    let (_, tangents) = wave::jvp_batch(x, [1.0, 0.0, 2.0], t, [0.0, 1.0, -1.0]);
    assert_eq!(tangents[..2], [found_x, found_t]);
    assert_eq!(tangents[2], wave::jvp(x, 2.0, t, -1.0).1);
    assert_eq!(energy::gradient(3.0, 2.0), (4.0, 12.0));
    let scale = String::from("4");
    let weight = |n: usize| n as f64 * scale.parse::<f64>().unwrap();
    assert_eq!(applied::gradient(3.0, weight), 8.0);
}

#[test]
fn all_modes_agree_with_differences() {
    check!(wave(x, t), x in -2.0..2.0, t in 0.0..2.0).unwrap();
    check!(polynomial(&c, x), n in 1..20, c in vec![-1.0..1.0; n], x in -1.5..1.5).unwrap();
    check!(rotated(v, angle), v in [-1.0..1.0; 2], angle in -3.0..3.0).unwrap();
    check!(powers(x, n), x in 0.5..1.5, n in 0..12).unwrap();
    check!(polar(x, y), x in 0.5..2.0, y in -2.0..2.0).unwrap();
    check!(root(x), x in 0.5..2.0).unwrap();
    check!(logarithm(x, "x".to_owned()), x in 0.5..2.0).unwrap();
    check!(logarithm(-1.0, "x".to_owned())).unwrap();
    check!(square_root(x, 1e-12, 1.0), x in 0.5..2.0).unwrap();
    check!(total(w, &r, &s), w in [-1.0..1.0; 3], r in vec![[-1.0..1.0, -1.0..1.0, -1.0..1.0]; 5], s in vec![0.5..1.0; 5]).unwrap();
}

#[test]
fn exact_gradients_are_those_of_the_crate() {
    #[primitive(of = functions::rosenbrock, dual)]
    fn rosenbrock(x: &[f64]) -> f64;
    #[primitive(of = functions::ackley, dual)]
    fn ackley(x: &[f64]) -> f64;
    #[primitive(of = functions::levy, dual)]
    fn levy(x: &[f64]) -> f64;
    #[primitive(of = functions::styblinski_tang, dual)]
    fn styblinski_tang(x: &[f64]) -> f64;
    #[primitive(of = functions::himmelblau, dual)]
    fn himmelblau(x: &[f64; 2]) -> f64;

    check!(rosenbrock(&x), x in vec![-2.0..2.0; 19], against = |x: &[f64]| functions::rosenbrock_derivative(x)).unwrap();
    check!(ackley(&x), x in vec![-2.0..2.0; 7], against = |x: &[f64]| functions::ackley_derivative(x)).unwrap();
    check!(levy(&x), x in vec![-2.0..2.0; 4], against = |x: &[f64]| functions::levy_derivative(x))
        .unwrap();
    check!(styblinski_tang(&x), x in vec![-2.0..2.0; 5], against = |x: &[f64]| functions::styblinski_tang_derivative(x)).unwrap();
    check!(himmelblau(&x), x in [-2.0..2.0; 2], against = functions::himmelblau_derivative)
        .unwrap();
}

#[test]
fn jacobians_of_written_gradients_are_hessians() {
    #[primitive(of = functions::rosenbrock_derivative, dual)]
    fn slope(x: &[f64]) -> Vec<f64>;

    let x = [0.3, -0.7, 1.2, 0.4, -0.1, 0.9, 1.1, -0.3, 0.2, 0.6];
    let (found, expected) = (slope::jacobian(&x), functions::rosenbrock_hessian(&x).concat());
    let near = |(found, expected): (&f64, &f64)| (found - expected).abs() <= 1e-12 * expected.abs();
    assert!(found.as_slice().iter().zip(&expected).all(near), "{found:?} {expected:?}");
}

#[differentiate]
fn caller(x: &[f64]) -> f64 {
    let turned = rotated([x[0], x[1]], x[2]);
    polynomial(x, turned[0]) + wave(turned[1], x[1])
}

#[test]
fn differentiated_functions_call_them() {
    check!(caller(&x), x in vec![-1.0..1.0; 4]).unwrap();
    let report = check!(caller(&[0.1, 0.2, 0.3])).unwrap();
    assert!(report.forward() && report.reverse());
}

#[test]
fn shadows_are_added_to() {
    let (coefficients, mut bar) = ([1.0, 2.0, 3.0], [10.0; 3]);
    let (value, x_bar) = polynomial::accumulate_gradient(&coefficients, &mut bar, 2.0);
    assert_eq!((value, x_bar, bar), (17.0, 14.0, [11.0, 12.0, 14.0]));
}

#[test]
fn what_did_not_happen_contributes_nothing() {
    // The partial derivative at zero is infinite.
    let (value, pullback) = root::vjp(0.0);
    assert_eq!((value, pullback(Some(0.0))), (Some(0.0), 0.0));
    assert_eq!(root::vjp(0.0).1(Some(2.0)), f64::INFINITY);
    assert_eq!(root::jvp(0.0, 0.0), (Some(0.0), Some(0.0)));
    let (value, pullback) = root::vjp(-1.0);
    assert_eq!((value, pullback(None)), (None, 0.0));
    assert_eq!(logarithm::jvp(-1.0, 1.0, "x".to_owned()), (Err("x".to_owned()), None));
}

#[test]
fn nothing_is_lost_without_a_panic() {
    assert_eq!(bits(1.5), 1.5);
    let mismatch = check!(bits(1.5)).unwrap_err();
    assert_eq!(mismatch.kind(), Kind::Panic);
    assert!(mismatch.message().contains("`integer_decode` of 1.5 + ["), "{mismatch}");
}

#[test]
fn no_floats_are_no_variables() {
    assert_eq!(polynomial::gradient(&[], 2.0), (vec![], 0.0));
}

/// Compares a function of dual numbers with that of `num-dual` at some points.
macro_rules! compare {
    ($($method:ident($($argument:expr),*) at $points:expr;)*) => {$(
        for point in $points {
            let found = Float::$method(Dual::variable(point, 0) $(, $argument.into())*);
            let expected = DualNum::$method(&num_dual::Dual64::from_re(point).derivative() $(, $argument.into())*);
            let value = Float::$method(point $(, $argument.into())*);
            assert_eq!(found.value.to_bits(), value.to_bits(), "{} at {point}", stringify!($method));
            let (found, expected): ([f64; 1], f64) = (found.tangents, expected.eps);
            assert!(
                (found[0] - expected).abs() <= 1e-13 * expected.abs().max(1e-3),
                "{} at {point}: {} and {expected}", stringify!($method), found[0]
            );
        }
    )*};
}

#[test]
fn functions_have_the_derivatives_of_another_crate() {
    let (all, positive) = ([-1.7, -0.4, 0.3, 0.9, 2.1], [0.2, 0.8, 1.3, 4.0]);
    let inner = [-0.9, -0.3, 0.2, 0.7];
    compare! {
        sin() at all; cos() at all; tan() at all; exp() at all; exp2() at all; exp_m1() at all; sinh() at all;
        cosh() at all; tanh() at all; asinh() at all; atan() at all; recip() at all;
        sqrt() at positive; cbrt() at positive; ln() at positive; log2() at positive; log10() at positive;
        ln_1p() at positive; asin() at inner; acos() at inner; atanh() at inner; acosh() at [1.2, 3.0];
        powi(3) at all; powi(-2) at all; powi(0) at all;
    }
}
