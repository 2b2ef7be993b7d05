//! Rules of the operators that are linear in complex numbers `a` and `b` and floats `s`: `-a`, `a + b`, `a + s`, `s + a`,
//! likewise `-`, `a * b`, `a * s`, `s * a` and `a / s`.

use num_complex_0_4::Complex;

use crate::Float;
use crate::bilinear::{linear, product, quotient};
use crate::rules::{add, div, mul, neg, references_on_the_right, sub};

/// The inner product of the plane, the real part of `conj(a) b`.
#[inline]
fn inner<F: Float>(a: &Complex<F>, b: &Complex<F>) -> F {
    a.re * b.re + a.im * b.im
}

impl<F: Float> neg for Complex<F> {
    type Output = Self;

    linear! { vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 () Self, |bar| -*bar, |dot| -*dot }
}

impl<F: Float> add<Complex<F>> for Complex<F> {
    type Output = Self;

    linear! { vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 (Self) Self, |bar| *bar, |dot| *dot }
    linear! { vjp_1 jvp_1 dot_vjp_1 dot_jvp_1 (Self) Self, |bar| *bar, |dot| *dot }
}

impl<F: Float> sub<Complex<F>> for Complex<F> {
    type Output = Self;

    linear! { vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 (Self) Self, |bar| *bar, |dot| *dot }
    linear! { vjp_1 jvp_1 dot_vjp_1 dot_jvp_1 (Self) Self, |bar| -*bar, |dot| -*dot }
}

impl<F: Float> mul<Complex<F>> for Complex<F> {
    type Output = Self;

    product! { Complex<F>, |a, b| a * b, |bar, b| bar * b.conj(), |a, bar| a.conj() * bar }
}

macro_rules! with_floats {
    ($($float:ident)*) => {$(
        impl add<$float> for Complex<$float> {
            type Output = Self;

            linear! { vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 ($float) Self, |bar| *bar, |dot| *dot }
            linear! { vjp_1 jvp_1 dot_vjp_1 dot_jvp_1 ($float) $float, |bar| bar.re, |dot| Complex::from(*dot) }
        }

        impl add<Complex<$float>> for $float {
            type Output = Complex<$float>;

            linear! { vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 (Complex<$float>) $float, |bar| bar.re, |dot| Complex::from(*dot) }
            linear! { vjp_1 jvp_1 dot_vjp_1 dot_jvp_1 (Complex<$float>) Complex<$float>, |bar| *bar, |dot| *dot }
        }

        impl sub<$float> for Complex<$float> {
            type Output = Self;

            linear! { vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 ($float) Self, |bar| *bar, |dot| *dot }
            linear! { vjp_1 jvp_1 dot_vjp_1 dot_jvp_1 ($float) $float, |bar| -bar.re, |dot| Complex::from(-*dot) }
        }

        impl sub<Complex<$float>> for $float {
            type Output = Complex<$float>;

            linear! { vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 (Complex<$float>) $float, |bar| bar.re, |dot| Complex::from(*dot) }
            linear! { vjp_1 jvp_1 dot_vjp_1 dot_jvp_1 (Complex<$float>) Complex<$float>, |bar| -*bar, |dot| -*dot }
        }

        impl mul<$float> for Complex<$float> {
            type Output = Self;

            product! { $float, |a, s| a.scale(*s), |bar, s| bar.scale(*s), |a, bar| inner(a, bar) }
        }

        impl mul<Complex<$float>> for $float {
            type Output = Complex<$float>;

            product! {
                Complex<$float>, |s, a| a.scale(*s), |bar, a| inner(bar, a), |s, bar| bar.scale(*s)
            }
        }

        impl div<$float> for Complex<$float> {
            type Output = Self;

            quotient! { $float, |x, s| x.scale(*s), |bar, output| inner(bar, output) }
        }
    )*};
}

with_floats!(f32 f64);

references_on_the_right!(add, sub, mul, div for (Complex<f32> Complex<f64>));
