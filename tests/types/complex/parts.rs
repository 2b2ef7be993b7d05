//! The real and the imaginary part: read, written, put together, and in polar form.

use cotangent::num_complex::*;
use num_complex::Complex;

use crate::{U, V, W, Z};

corpus! {
    fn read(z: Complex<f64>) -> f64 { z.re * z.re * z.im }
    at (Z) => Complex::new(2.0 * z.re * z.im, z.re * z.re);

    fn read_behind_a_reference(z: &Complex<f64>, s: f64) -> f64 { z.re.sin() * s + z.im }
    at (&Z, 0.4);

    fn written(z: Complex<f64>, s: f64) -> Complex<f64> {
        let mut w = z;
        w.re = s * w.im;
        w.im += w.re * s;
        w * z
    }
    at (Z, 0.4);

    fn written_behind_a_reference(z: &mut Complex<f64>, s: f64) { z.re *= s; z.im = z.re * z.im; }
    at (&mut Z.clone(), 0.4);

    fn made(x: f64, y: f64) -> Complex<f64> { Complex::new(x * y, x - y) * Complex::new(y, x) }
    at (0.3, 0.4);

    fn made_as_a_struct(x: f64, y: f64) -> Complex<f64> { let z = Complex { re: x * y, im: x }; z * z }
    at (0.3, 0.4);

    fn made_of_one_part(x: f64) -> f64 { let z = Complex::new(x, 0.0) * Complex::new(0.0, x); z.im }
    at (0.3) => 2.0 * x;

    fn taken_apart(z: Complex<f64>) -> f64 { let Complex { re, im } = z; re * im }
    at (Z) => Complex::new(z.im, z.re);

    fn conjugate(z: Complex<f64>) -> Complex<f64> { z.conj() * z.conj() * z }
    at (Z);

    fn norm(z: Complex<f64>) -> f64 { z.norm() }
    at (Z), (V) => z / z.norm();

    fn norm_of_zero(z: Complex<f64>, w: Complex<f64>) -> f64 { (z * w).norm_sqr() + z.re }
    at ((Complex::new(0.0, 0.0)), W);

    fn norm_sqr(z: Complex<f64>) -> f64 { z.norm_sqr() }
    at (Z) => z * 2.0;

    fn norm_by_reference(z: &Complex<f64>) -> f64 { z.norm() + z.norm_sqr() + z.l1_norm() }
    at (&Z), (&V);

    fn argument(z: Complex<f64>) -> f64 { z.arg() }
    at (Z), (V), (U) => Complex::new(-z.im, z.re) / z.norm_sqr();

    fn polar(z: Complex<f64>) -> f64 { let (r, theta) = z.to_polar(); r * theta.sin() }
    at (Z), (V) => Complex::new(0.0, 1.0);

    fn from_polar(r: f64, theta: f64) -> Complex<f64> { Complex::from_polar(r, theta) }
    at (1.3, 0.4), (0.3, 3.0);

    fn there_and_back(z: Complex<f64>) -> Complex<f64> { let (r, theta) = z.to_polar(); Complex::from_polar(r, 2.0 * theta) }
    at (Z), (V);

    fn on_the_circle(phase: f64) -> Complex<f64> { Complex::cis(phase) * Complex::cis(phase) }
    at (0.4), (-2.0);

    fn scaled(z: Complex<f64>, s: f64) -> Complex<f64> { z.scale(s) * z.unscale(s + 2.0) }
    at (Z, 0.4);

    fn inverse(z: Complex<f64>) -> Complex<f64> { z.inv() + z.finv() * z }
    at (Z), (V);

    fn quotient_by_norm(z: Complex<f64>, w: Complex<f64>) -> Complex<f64> { z.fdiv(w) }
    at (Z, W);

    fn method_on_a_product(z: Complex<f64>, w: Complex<f64>) -> f64 { (z * w + 1.0).norm() * (z - w).norm_sqr() }
    at (Z, W);

    fn single_precision(x: f32, y: f32) -> f32 { Complex::new(x, y).norm() * Complex::new(y, x).arg() }
    at (0.3, 0.4);

    fn generic_float(z: Complex<f64>) -> f64 { super::length(z) }
    at (Z) => z / z.norm();
}

#[cotangent::differentiate]
#[cotangent::differentiate]
fn length<T: cotangent::Float>(z: Complex<T>) -> T {
    (z * z.conj()).re.sqrt()
}
