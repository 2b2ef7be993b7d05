//! Rules of methods and constructors that are not in the table of floats, as the functions of the two parts that they are.
//!
//! The bodies do the operations of `num-complex` in the same order, so that derivative code has the same values bit for bit.

use num_complex_0_4::Complex;

use crate::{Float, differentiate};

/// Complex numbers of their parts.
#[differentiate]
#[differentiate]
pub trait Rectangular<T: Float>: Sized {
    /// The number of these parts: their cotangents are its cotangent's.
    fn new(re: T, im: T) -> Self;

    /// The complex conjugate, `y = conj(z)`: `z̄ += conj(ȳ)`.
    fn conj(&self) -> Self;

    /// The square of the absolute value, `s = |z|²`: `z̄ += 2 s̄ z`.
    fn norm_sqr(&self) -> T;

    /// The sum of the parts' absolute values, with the derivative zero by a part that is zero.
    fn l1_norm(&self) -> T;

    /// The product with a float, `y = s z`: `z̄ += s ȳ`, `s̄ = Re(conj(z) ȳ)`.
    fn scale(&self, s: T) -> Self;

    /// The quotient by a float, `y = z / s`: `z̄ += ȳ / s`, `s̄ = -Re(conj(y) ȳ) / s`.
    fn unscale(&self, s: T) -> Self;

    /// The inverse, `y = 1 / z`: `z̄ -= conj(y²) ȳ`.
    fn inv(&self) -> Self;

    /// Likewise, by way of the absolute value.
    fn finv(&self) -> Self;

    /// The quotient of two numbers, by way of the absolute value of the second.
    fn fdiv(&self, other: Self) -> Self;
}

#[differentiate]
#[differentiate]
impl<T: Float> Rectangular<T> for Complex<T> {
    fn new(re: T, im: T) -> Self {
        Complex { re, im }
    }

    fn conj(&self) -> Self {
        Complex { re: self.re, im: -self.im }
    }

    fn norm_sqr(&self) -> T {
        self.re * self.re + self.im * self.im
    }

    fn l1_norm(&self) -> T {
        self.re.abs() + self.im.abs()
    }

    fn scale(&self, s: T) -> Self {
        Complex { re: self.re * s, im: self.im * s }
    }

    fn unscale(&self, s: T) -> Self {
        Complex { re: self.re / s, im: self.im / s }
    }

    fn inv(&self) -> Self {
        let square = self.re * self.re + self.im * self.im;
        Complex { re: self.re / square, im: -self.im / square }
    }

    fn finv(&self) -> Self {
        let norm = self.re.hypot(self.im);
        Complex { re: self.re / norm / norm, im: -self.im / norm / norm }
    }

    fn fdiv(&self, other: Self) -> Self {
        let norm = other.re.hypot(other.im);
        let (re, im) = (other.re / norm / norm, -other.im / norm / norm);
        Complex { re: self.re * re - self.im * im, im: self.re * im + self.im * re }
    }
}

/// Complex numbers by absolute value and angle.
#[differentiate]
#[differentiate]
pub trait Polar<T: Float>: Sized {
    /// The absolute value, `r = |z|`: `z̄ += r̄ z / r`, and nothing at zero, where it has a corner.
    fn norm(&self) -> T;

    /// The angle, `t = arg(z)`: `z̄ += t̄ i z / |z|²`, and nothing at zero.
    fn arg(&self) -> T;

    /// Both.
    fn to_polar(&self) -> (T, T);

    /// The number of this absolute value and this angle.
    fn from_polar(r: T, theta: T) -> Self;

    /// That of the absolute value one.
    fn cis(phase: T) -> Self;
}

#[differentiate]
#[differentiate]
impl<T: Float> Polar<T> for Complex<T> {
    fn norm(&self) -> T {
        self.re.hypot(self.im)
    }

    fn arg(&self) -> T {
        self.im.atan2(self.re)
    }

    fn to_polar(&self) -> (T, T) {
        (self.re.hypot(self.im), self.im.atan2(self.re))
    }

    fn from_polar(r: T, theta: T) -> Self {
        Complex { re: r * theta.cos(), im: r * theta.sin() }
    }

    fn cis(phase: T) -> Self {
        Complex { re: phase.cos(), im: phase.sin() }
    }
}

/// Powers with exponents that are no floats.
#[differentiate]
#[differentiate]
pub trait Powers<T: Float>: Sized {
    /// The power `y = z^w`: `z̄ += conj(w y / z) ȳ`, `w̄ += conj(y ln z) ȳ`, and nothing where both are zero.
    fn powc(&self, exp: Self) -> Self;

    /// The power of a float, `y = b^z`: `z̄ += conj(y ln b) ȳ`, `b̄ = Re(conj(z y / b) ȳ)`.
    fn expf(&self, base: T) -> Self;

    /// The power `y = z^n`: `z̄ += conj(n z^(n-1)) ȳ`, and nothing where `n` is zero.
    fn powu(&self, exp: u32) -> Self;
}

#[differentiate]
#[differentiate]
impl<T: Float> Powers<T> for Complex<T> {
    fn powc(&self, exp: Self) -> Self {
        let zero = T::zero();
        if exp.re != zero || exp.im != zero {
            (exp * self.ln()).exp()
        } else if self.re == zero && self.im == zero {
            Complex { re: T::one(), im: zero }
        } else {
            // One, with the first and the second derivative of the power.
            let one = T::one();
            let u = exp * self.ln();
            let half = Complex { re: one / (one + one), im: zero };
            Complex { re: one, im: zero } + (u + u * u * half)
        }
    }

    fn expf(&self, base: T) -> Self {
        let (r, theta) = (base.powf(self.re), self.im * base.ln());
        Complex { re: r * theta.cos(), im: r * theta.sin() }
    }

    fn powu(&self, exp: u32) -> Self {
        if exp == 0 {
            return Complex { re: T::one(), im: T::zero() };
        }
        let (mut base, mut left) = (*self, exp);
        while left & 1 == 0 {
            base = base * base;
            left >>= 1;
        }
        let mut power = base;
        while left > 1 {
            left >>= 1;
            base = base * base;
            if left & 1 == 1 {
                power = base * power;
            }
        }
        power
    }
}
