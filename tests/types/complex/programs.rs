//! Programs: transforms, transfer functions, iterations, polynomials, quantum states.

use cotangent::num_complex::*;
use num_complex::{Complex, Complex64};

use crate::{U, V, W, Z};

corpus! {
    fn fourier(xs: &[Complex<f64>]) -> Vec<Complex<f64>> {
        let n = xs.len();
        let mut transform = vec![Complex::new(0.0, 0.0); n];
        for k in 0..n {
            for j in 0..n {
                let angle = -2.0 * std::f64::consts::PI * (k * j) as f64 / n as f64;
                transform[k] += xs[j] * Complex::from_polar(1.0, angle);
            }
        }
        transform
    }
    at (&[Z, W, V, U, Z * V]);

    fn spectrum(xs: &[f64]) -> f64 {
        let n = xs.len();
        let mut power = 0.0;
        for k in 0..n {
            let mut sum = Complex::new(0.0, 0.0);
            for j in 0..n {
                sum += xs[j] * Complex::cis(-2.0 * std::f64::consts::PI * (k * j) as f64 / n as f64);
            }
            power += sum.norm_sqr() * (k + 1) as f64;
        }
        power
    }
    at (&[0.3, -0.2, 0.7, 0.4]);

    fn fast_fourier(xs: &[Complex<f64>]) -> Vec<Complex<f64>> { let mut ys = xs.to_vec(); super::butterflies(&mut ys); ys }
    at (&[Z, W, V, U, Z * V, W * U, V * V, Z * Z]);

    fn mandelbrot(c: Complex<f64>, n: usize) -> f64 {
        let mut z = Complex::new(0.0, 0.0);
        for _ in 0..n {
            z = z * z + c;
            if z.norm_sqr() > 4.0 {
                break;
            }
        }
        z.norm()
    }
    at ((Complex::new(0.3, 0.4)), 12), ((Complex::new(0.9, 0.7)), 12);

    fn julia_until_it_leaves(z: Complex<f64>, c: Complex<f64>) -> Complex<f64> {
        let mut w = z;
        while w.norm_sqr() < 4.0 {
            w = w * w + c;
        }
        w
    }
    at (U, W);

    fn transfer(coefficients: &[f64], poles: &[Complex<f64>], omega: f64) -> f64 {
        let s = Complex::new(0.0, omega);
        let mut gain = Complex::new(0.0, 0.0);
        for k in (0..coefficients.len()).rev() {
            gain = gain * s + coefficients[k];
        }
        for pole in poles {
            gain /= s - pole;
        }
        20.0 * gain.norm().log10()
    }
    at (&[0.3, 1.2, -0.4], &[V, W], 0.9);

    fn low_pass(r: f64, c: f64, omega: f64) -> (f64, f64) {
        let response = 1.0 / (1.0 + Complex64::i() * (omega * r * c));
        response.to_polar()
    }
    at (1.3, 0.4, 2.1);

    fn series_and_parallel(r: f64, l: f64, c: f64, omega: f64) -> Complex<f64> {
        let inductor = Complex::new(0.0, omega * l);
        let capacitor = Complex::new(0.0, omega * c).inv();
        r + (inductor * capacitor) / (inductor + capacitor)
    }
    at (1.3, 0.4, 0.2, 2.1);

    fn newton(z: Complex<f64>, a: Complex<f64>) -> Complex<f64> {
        let mut x = z;
        for _ in 0..5 {
            x -= (x.powi(3) - a) / (3.0 * x.powi(2));
        }
        x
    }
    at (Z, W);

    fn roots_of_a_quadratic(a: f64, b: f64, c: f64) -> (Complex<f64>, Complex<f64>) {
        let root = Complex::new(b * b - 4.0 * a * c, 0.1).sqrt();
        ((root - b) / (2.0 * a), (-root - b) / (2.0 * a))
    }
    at (0.7, 0.4, 1.1);

    fn phase_rotation(state: &mut [Complex<f64>], theta: f64) -> f64 {
        let (cos, sin) = ((theta / 2.0).cos(), (theta / 2.0).sin());
        let (a, b) = (state[0], state[1]);
        state[0] = a * cos - Complex64::i() * b * sin;
        state[1] = b * cos - Complex64::i() * a * sin;
        state[0].norm_sqr() - state[1].norm_sqr()
    }
    at (&mut [Z, W], 0.7);

    fn refraction(n: Complex<f64>, thickness: f64, k: f64) -> f64 {
        let r = (1.0 - n) / (1.0 + n);
        let phase = (Complex64::i() * n * (2.0 * k * thickness)).exp();
        ((r - r * phase) / (1.0 - r * r * phase)).norm_sqr()
    }
    at ((Complex::new(1.5, 0.1)), 0.3, 2.0);
}

/// In place, for a power of two.
#[cotangent::differentiate]
#[cotangent::differentiate]
fn butterflies(xs: &mut [Complex<f64>]) {
    let n = xs.len();
    let mut j = 0;
    for i in 1..n {
        let mut bit = n / 2;
        while j & bit != 0 {
            j ^= bit;
            bit /= 2;
        }
        j |= bit;
        if i < j {
            xs.swap(i, j);
        }
    }
    let mut width = 2;
    while width <= n {
        let step = Complex::cis(-2.0 * std::f64::consts::PI / width as f64);
        for start in (0..n).step_by(width) {
            let mut twiddle = Complex::new(1.0, 0.0);
            for k in start..start + width / 2 {
                let (even, odd) = (xs[k], xs[k + width / 2] * twiddle);
                xs[k] = even + odd;
                xs[k + width / 2] = even - odd;
                twiddle *= step;
            }
        }
        width *= 2;
    }
}
