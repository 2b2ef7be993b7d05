//! Operators, by value and by reference, with complex numbers, floats and literals.

use cotangent::num_complex::*;
use num_complex::{Complex, Complex32, Complex64};

use crate::{U, V, W, Z};

corpus! {
    fn sums(z: Complex<f64>, w: Complex<f64>) -> Complex<f64> { z + w - z * 2.0 - (-w) }
    at (Z, W);

    fn product(z: Complex<f64>, w: Complex<f64>) -> Complex<f64> { z * w }
    at (Z, W), (Complex::new(0.0, 0.0), W);

    fn quotient(z: Complex<f64>, w: Complex<f64>) -> Complex<f64> { z / w }
    at (Z, W), (W, V), (Complex::new(0.0, 0.0), U);

    fn real_part_of_a_product(z: Complex<f64>, w: Complex<f64>) -> f64 { (z * w).re }
    at (Z, W) => (w.conj(), z.conj());

    fn references(z: &Complex<f64>, w: &Complex<f64>) -> Complex<f64> { z * w + z / w - w }
    at (&Z, &W);

    fn written_references(z: Complex<f64>, w: Complex<f64>) -> Complex<f64> { &z * &w + &z / w - z * &w }
    at (Z, W);

    fn alias(z: Complex64, w: Complex64) -> Complex64 { z * w * z }
    at (Z, W);

    fn with_floats(z: Complex<f64>, s: f64) -> Complex<f64> { z * s + s * z + z / s + (z + s) * (z - s) * (s - z) * (s + z) }
    at (Z, 0.7), (V, -1.3);

    fn float_over_complex(z: Complex<f64>, s: f64) -> Complex<f64> { s / z }
    at (Z, 0.7), (V, -1.3);

    fn literals(z: Complex<f64>) -> Complex<f64> { 2.0 * z * 0.5 + z / 3.0 - 1.0 + (0.5 - z) * (1.0 / z) + (2.0 + z) }
    at (Z), (U);

    fn negative(z: Complex<f64>) -> Complex<f64> { -z * -(z * z) }
    at (Z);

    fn assigning(z: Complex<f64>, w: Complex<f64>, s: f64) -> Complex<f64> {
        let mut v = z;
        v += w;
        v *= z;
        v -= w * v;
        v /= z;
        v *= s;
        v += s;
        v /= s;
        v -= 0.5;
        v
    }
    at (Z, W, 0.7);

    fn constants(z: Complex<f64>) -> Complex<f64> { (Complex64::i() * z + Complex64::ONE) / (Complex::new(1.0, 2.0) + z) }
    at (Z);

    fn branches(z: Complex<f64>, w: Complex<f64>) -> Complex<f64> { if z.re > 0.0 { z * w } else { z * z - w } }
    at (Z, W), (V, W);

    fn compared(z: Complex<f64>, w: Complex<f64>) -> Complex<f64> { if z == w { z } else { z * w } }
    at (Z, W);

    fn powers(z: Complex<f64>, w: Complex<f64>) -> Complex<f64> {
        let mut power = Complex::new(1.0, 0.0);
        for _ in 0..5 {
            power = power * z + w;
        }
        power
    }
    at (Z, W);

    fn single_precision(z: Complex32, w: Complex<f32>, s: f32) -> Complex32 { z * w * s - z / w }
    at ((Complex::new(0.3, 0.5)), (Complex::new(-0.8, 1.1)), 0.7);

    fn by_place(z: &mut Complex<f64>, w: Complex<f64>) { *z = *z * *z + w; *z *= w; }
    at (&mut Z.clone(), W);

    fn power_of_a_wave(z: Complex<f64>) -> f64 { (z * z.conj()).re }
    at (Z) => z * 2.0;
}
