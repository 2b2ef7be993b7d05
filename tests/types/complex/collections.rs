//! Complex numbers in slices, vectors, arrays, options and structs.

use cotangent::Differentiable;
use cotangent::num_complex::*;
use num_complex::{Complex, Complex64};

use crate::{U, V, W, Z};

corpus! {
    fn sum(zs: &[Complex<f64>]) -> Complex<f64> {
        let mut sum = Complex::new(0.0, 0.0);
        for z in zs {
            sum += z * z;
        }
        sum
    }
    at (&[Z, W, V]);

    fn sums(zs: &[Complex<f64>], w: Complex<f64>) -> Complex<f64> {
        let total: Complex<f64> = zs.iter().sum();
        let weighted = zs.iter().enumerate().map(|(i, z)| z * w * i as f64).sum::<Complex<f64>>();
        total * weighted
    }
    at (&[Z, W, V], U);

    fn sum_as_result(zs: &[Complex<f64>]) -> Complex<f64> { zs.iter().map(|z| z * z.exp()).sum() }
    at (&[Z, W, V]);

    fn products(zs: &[Complex<f64>], w: Complex<f64>) -> Complex<f64> {
        let total: Complex<f64> = zs.iter().product();
        total + zs.iter().map(|z| z + w).product::<Complex<f64>>()
    }
    at (&[Z, W, V], U);

    fn sum_of_single_precision(zs: &[Complex<f32>]) -> f32 { zs.iter().copied().sum::<Complex<f32>>().norm_sqr() }
    at (&[Complex::new(0.3, 0.2), Complex::new(-0.4, 0.7)]);

    fn sum_under_another_name(zs: &[Complex64]) -> Complex64 { zs.iter().map(|z| z * z).sum::<Complex64>() }
    at (&[Z, W, V]);

    fn energy(zs: &[Complex<f64>]) -> f64 { zs.iter().map(|z| z.norm_sqr()).sum::<f64>() }
    at (&[Z, W, V]) => zs.iter().map(|z| z * 2.0).collect::<Vec<_>>();

    fn inner(zs: &[Complex<f64>], ws: &[Complex<f64>]) -> Complex<f64> {
        let mut sum = Complex::new(0.0, 0.0);
        for i in 0..zs.len() {
            sum += zs[i].conj() * ws[i];
        }
        sum
    }
    at (&[Z, W, V], &[U, V, Z]);

    fn folded(zs: &[Complex<f64>]) -> Complex<f64> {
        zs.iter().fold(Complex::new(1.0, 0.0), |product, z| product * z + 1.0)
    }
    at (&[Z, W, V]);

    fn mapped(zs: &[Complex<f64>], w: Complex<f64>) -> Vec<Complex<f64>> { zs.iter().map(|z| z * w + z.exp()).collect() }
    at (&[Z, W, V], U);

    fn written(zs: &mut [Complex<f64>], w: Complex<f64>) {
        for i in 1..zs.len() {
            zs[i] = zs[i] * w + zs[i - 1];
            zs[i].re *= 2.0;
        }
    }
    at (&mut [Z, W, V], U);

    fn written_by_reference(zs: &mut [Complex<f64>], w: Complex<f64>) {
        for z in zs.iter_mut() {
            *z = *z * *z;
            *z *= w;
        }
    }
    at (&mut [Z, W, V], U);

    fn swapped(zs: &mut [Complex<f64>], w: Complex<f64>) {
        zs.swap(0, 2);
        zs[0] *= w;
        zs.reverse();
    }
    at (&mut [Z, W, V], U);

    fn filled(x: f64, n: usize) -> Vec<Complex<f64>> {
        let mut zs = vec![Complex::new(0.0, 0.0); n];
        for i in 0..n {
            zs[i] = Complex::from_polar(x, i as f64 * x);
        }
        zs
    }
    at (0.4, 3);

    fn repeated(z: Complex<f64>) -> Vec<Complex<f64>> {
        let mut zs = vec![z; 3];
        zs[1] *= z;
        zs
    }
    at (Z);

    fn pushed(z: Complex<f64>) -> Vec<Complex<f64>> {
        let mut zs = Vec::new();
        let mut power = Complex::new(1.0, 0.0);
        for _ in 0..3 {
            power *= z;
            zs.push(power);
        }
        zs
    }
    at (Z);

    fn arrays(z: Complex<f64>, w: Complex<f64>) -> [Complex<f64>; 2] { let pair = [z, w]; [pair[0] * pair[1], pair[0] - pair[1]] }
    at (Z, W);

    fn tuples(z: Complex<f64>, w: Complex<f64>) -> (Complex<f64>, f64) { let (a, b) = (z * w, z / w); (a + b, (a - b).re) }
    at (Z, W);

    fn options(z: Complex<f64>, s: f64) -> Complex<f64> {
        let root = if s > 0.0 { Some(z.sqrt()) } else { None };
        match root {
            Some(root) => root * s,
            None => z,
        }
    }
    at (Z, 0.4), (Z, -0.4);

    fn closures(z: Complex<f64>, w: Complex<f64>) -> Complex<f64> {
        let apply = |v: Complex<f64>| v * w + z;
        apply(apply(z))
    }
    at (Z, W);

    fn structs(wave: super::Wave, t: f64) -> Complex<f64> { wave.amplitude * Complex::cis(wave.frequency * t) }
    at ((super::Wave { amplitude: Z, frequency: 1.3 }), 0.4);
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct Wave {
    amplitude: Complex<f64>,
    frequency: f64,
}
