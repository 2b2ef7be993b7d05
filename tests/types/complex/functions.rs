//! Functions that have a complex derivative, in all quadrants, against differences and in closed form.

use cotangent::num_complex::*;
use num_complex::Complex;

use crate::{U, V, W, Z};

corpus! {
    fn exponential(z: Complex<f64>) -> Complex<f64> { z.exp() }
    at (Z), (W), (V), (U);

    fn exponential_of_two(z: Complex<f64>) -> Complex<f64> { z.exp2() }
    at (Z), (V);

    fn logarithm(z: Complex<f64>) -> Complex<f64> { z.ln() }
    at (Z), (W), (V), (U);

    fn logarithms(z: Complex<f64>, s: f64) -> Complex<f64> { z.log2() + z.log10() * z.log(s) }
    at (Z, 2.5), (V, 0.4);

    fn root(z: Complex<f64>) -> Complex<f64> { z.sqrt() }
    at (Z), (W), (V), (U);

    fn cubic_root(z: Complex<f64>) -> Complex<f64> { z.cbrt() }
    at (Z), (W), (V), (U);

    fn whole_powers(z: Complex<f64>) -> Complex<f64> { z.powi(3) + z.powi(-2) + z.powi(1) * z.powi(0) }
    at (Z), (W), (V);

    fn counted_powers(z: Complex<f64>) -> Complex<f64> { z.powu(5) + z.powu(2) * z.powu(1) + z.powu(0) }
    at (Z), (W), (V), (Complex::new(0.0, 0.0));

    fn counted_power(z: &Complex<f64>, n: u32, w: Complex<f64>) -> f64 { (z.powu(n) * w + w.powu(n)).norm_sqr() }
    at (&Z, 3, W), (&Z, 1, V), (&W, 0, Z), (&V, 6, W);

    fn whole_power_of_zero(z: Complex<f64>) -> Complex<f64> { z.powi(3) + z.powi(1) }
    at ((Complex::new(0.0, 0.0)));

    fn float_power(z: Complex<f64>, p: f64) -> Complex<f64> { z.powf(p) }
    at (Z, 1.7), (W, -0.4), (V, 2.0), (U, 0.5);

    fn complex_power(z: Complex<f64>, w: Complex<f64>) -> Complex<f64> { z.powc(w) }
    at (Z, W), (W, U), (V, Z);

    fn power_of_a_float(z: Complex<f64>, base: f64) -> Complex<f64> { z.expf(base) }
    at (Z, 1.7), (V, 0.3);

    fn sine(z: Complex<f64>) -> Complex<f64> { z.sin() }
    at (Z), (W), (V), (U);

    fn cosine(z: Complex<f64>) -> Complex<f64> { z.cos() }
    at (Z), (W), (V), (U);

    fn tangent(z: Complex<f64>) -> Complex<f64> { z.tan() }
    at (Z), (W), (V), (U);

    fn arc_sine(z: Complex<f64>) -> Complex<f64> { z.asin() }
    at (Z), (W), (V), (U);

    fn arc_cosine(z: Complex<f64>) -> Complex<f64> { z.acos() }
    at (Z), (W), (V), (U);

    fn arc_tangent(z: Complex<f64>) -> Complex<f64> { z.atan() }
    at (Z), (W), (V), (U);

    fn hyperbolic_sine(z: Complex<f64>) -> Complex<f64> { z.sinh() }
    at (Z), (W), (V), (U);

    fn hyperbolic_cosine(z: Complex<f64>) -> Complex<f64> { z.cosh() }
    at (Z), (W), (V), (U);

    fn hyperbolic_tangent(z: Complex<f64>) -> Complex<f64> { z.tanh() }
    at (Z), (W), (V), (U);

    fn area_sine(z: Complex<f64>) -> Complex<f64> { z.asinh() }
    at (Z), (W), (V), (U);

    fn area_cosine(z: Complex<f64>) -> Complex<f64> { z.acosh() }
    at (Z), (W), (V), (U);

    fn area_tangent(z: Complex<f64>) -> Complex<f64> { z.atanh() }
    at (Z), (W), (V), (U);

    fn real_part_of_an_exponential(z: Complex<f64>) -> f64 { z.exp().re }
    at (Z), (V) => z.exp().conj();

    fn imaginary_part_of_a_root(z: Complex<f64>) -> f64 { z.sqrt().im }
    at (Z), (V) => (Complex::new(0.0, -0.5) / z.sqrt()).conj();

    fn composed(z: Complex<f64>, s: f64) -> f64 { ((z * s).exp() + z.sin() / (1.0 + z * z)).norm() }
    at (Z, 0.7), (V, -0.2);

    fn single_precision(z: Complex<f32>) -> Complex<f32> { z.exp() * z.sqrt() }
    at ((Complex::new(0.3, 0.5)));
}

/// A power whose exponent is zero: one, and the logarithm as its derivative.
#[test]
fn powers_with_the_exponent_zero() {
    let zero = Complex::new(0.0, 0.0);
    let (value, pullback) = complex_power::complex_power::vjp(Z, zero);
    let (z_bar, w_bar) = pullback(Complex::new(1.0, 0.0));
    assert_eq!((value, z_bar), (Complex::new(1.0, 0.0), zero));
    assert!((w_bar - Z.ln().conj()).norm() < 1e-15);
    cotangent::check!(super::functions::complex_power::complex_power(Z, zero)).unwrap();
    assert_eq!(complex_power::complex_power::jvp(zero, Z, zero, Z), (Complex::new(1.0, 0.0), zero));
}

#[cotangent::differentiate]
#[cotangent::differentiate]
#[cotangent::differentiate]
fn third(x: &[f64; 2]) -> f64 {
    let z = Complex { re: x[0], im: x[1] };
    (z.exp() / z + z.powi(3) * z).re
}

checks! {
    third at (&[0.3, 0.5]);
}
