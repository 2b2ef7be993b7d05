//! Rules of what is read from a rotation: its rotation vector and its angle.
//!
//! A quaternion with the real part `w` and the imaginary part `u` has the angle `2 atan2(|u|, |w|)` and the rotation
//! vector `g u`, where `g` is the angle over `|u|` with the sign of `w` (J. Solà, Quaternion kinematics for the
//! error-state Kalman filter, 2017, equation 105). Of `x = u·u`, `g` is smooth where there is no rotation. Where `w` is
//! zero, at half a turn, the vector jumps, and the derivative is that of the side of `w > 0`.

use nalgebra_0_35::{Quaternion, RealField, UnitComplex, UnitQuaternion, Vector3};

use crate::norm::by_norm;
use crate::{Float, differentiate, primitive};

/// The rotation vector and the angle of a rotation, of which there are first derivatives.
///
/// ```
/// # use nalgebra_0_35 as nalgebra;
/// use cotangent::differentiate;
/// use cotangent::nalgebra::*;
/// use nalgebra::{UnitQuaternion, Vector3};
///
/// #[differentiate]
/// fn there_and_back(v: Vector3<f64>) -> Vector3<f64> {
///     UnitQuaternion::from_scaled_axis(v).scaled_axis()
/// }
///
/// let (_, dot) = there_and_back::jvp(Vector3::zeros(), Vector3::x());
/// assert_eq!(dot, Vector3::x());
/// ```
#[differentiate]
pub trait Logarithm<T: Float + RealField> {
    /// The axis times the angle, `y = g u`: `ū += g ȳ + 2 (∂g/∂x) (u·ȳ) u`, `w̄ += (∂g/∂w) (u·ȳ)`.
    fn scaled_axis(&self) -> Vector3<T>;

    /// The angle, `a = 2 atan2(|u|, |w|)`: `ū += 2 |w| ā u / (|u| |q|²)`, and nothing where `u` is zero, where it has a
    /// corner; `w̄ -= 2 |u| ā / |q|²` with the sign of `w`.
    fn angle(&self) -> T;

    /// The angle of what turns this rotation into another.
    fn angle_to(&self, other: &Self) -> T;
}

#[differentiate]
impl<T: Float + RealField> Logarithm<T> for UnitQuaternion<T> {
    #[primitive(vjp = scaled_axis_vjp, jvp = scaled_axis_jvp)]
    fn scaled_axis(&self) -> Vector3<T> {
        self.scaled_axis()
    }

    #[primitive(vjp = angle_vjp, jvp = angle_jvp)]
    fn angle(&self) -> T {
        self.angle()
    }

    fn angle_to(&self, other: &Self) -> T {
        (other / self).angle()
    }
}

/// The angle of a rotation of the plane.
#[differentiate]
#[differentiate]
pub trait AngleInPlane<T: Float> {
    /// The angle, `a = atan2(z.im, z.re)`: `z̄.re -= z.im ā / |z|²`, `z̄.im += z.re ā / |z|²`.
    fn angle(&self) -> T;

    /// The angle of what turns this rotation into another.
    fn angle_to(&self, other: &Self) -> T;
}

#[differentiate]
#[differentiate]
fn angle_of<T: Float>(sin: T, cos: T) -> T {
    sin.atan2(cos)
}

#[differentiate]
#[differentiate]
impl<T: Float + RealField> AngleInPlane<T> for UnitComplex<T> {
    fn angle(&self) -> T {
        angle_of(self.im, self.re)
    }

    fn angle_to(&self, other: &Self) -> T {
        (other / self).angle()
    }
}

/// How many terms of a power series count, of arguments below a tenth.
const TERMS: usize = 16;

/// `g` and its partial derivatives by `x` and by `w`.
struct Gain<T> {
    value: T,
    by_x: T,
    by_w: T,
}

fn gain<T: Float + RealField>(q: &UnitQuaternion<T>) -> Gain<T> {
    let two = T::literal(2.0);
    let x = q.imag().norm_squared();
    let (sign, w) = if q.w >= T::literal(0.0) { (two, q.w) } else { (-two, -q.w) };
    let squared = x + w * w;
    let tau = x / (w * w);
    let (value, by_x) = if tau < T::literal(0.1) {
        (arctangents(tau, |_, odd| T::one() / odd) / w, slopes(tau) / (w * w * w))
    } else {
        let root = num_traits::Float::sqrt(x);
        let value = num_traits::Float::atan2(root, w) / root;
        (value, (w / squared - value) / (two * x))
    };
    // The sign of `w` comes in twice here: of what is odd in it, the derivative is even.
    Gain { value: value * sign, by_x: by_x * sign, by_w: -two / squared }
}

/// `Σ (-τ)ʲ c(2j, 2j + 1)`, from the last term on: with `c` one over the odd number, `atan(√τ) / √τ` (DLMF 4.24.3).
fn arctangents<T: Float>(tau: T, coefficient: impl Fn(T, T) -> T) -> T {
    (0..TERMS).rev().fold(T::literal(0.0), |sum, j| {
        let even = T::literal((2 * j) as f64);
        coefficient(even, even + T::one()) - sum * tau
    })
}

/// The derivative of that.
fn slopes<T: Float>(tau: T) -> T {
    arctangents(tau, |even, odd| {
        let (next, half) = (odd + T::literal(2.0), T::literal(0.5));
        -(even * half + T::one()) / next
    })
}

fn scaled_axis_vjp<T: Float + RealField>(
    q: &UnitQuaternion<T>,
) -> (Vector3<T>, impl FnOnce(&UnitQuaternion<T>, &mut Quaternion<T>, Vector3<T>) + use<T>) {
    let back = |q: &UnitQuaternion<T>, q_bar: &mut Quaternion<T>, bar: Vector3<T>| {
        let (u, gain) = (q.imag(), gain(q));
        let along = u.dot(&bar);
        let u_bar = bar * gain.value + u * (T::literal(2.0) * gain.by_x * along);
        *q_bar += Quaternion::from_parts(gain.by_w * along, u_bar);
    };
    (q.scaled_axis(), back)
}

fn scaled_axis_jvp<T: Float + RealField>(
    q: &UnitQuaternion<T>,
    dot: &Quaternion<T>,
) -> (Vector3<T>, Vector3<T>) {
    let (u, u_dot, gain) = (q.imag(), dot.imag(), gain(q));
    let gain_dot = T::literal(2.0) * gain.by_x * u.dot(&u_dot) + gain.by_w * dot.w;
    (q.scaled_axis(), u_dot * gain.value + u * gain_dot)
}

/// The derivative of the angle by the imaginary and the real part.
fn slope<T: Float + RealField>(q: &UnitQuaternion<T>) -> Quaternion<T> {
    let (u, norm) = (q.imag(), q.imag().norm());
    let twice = T::literal(2.0) / (norm * norm + q.w * q.w);
    let sign = if q.w >= T::literal(0.0) { T::one() } else { -T::one() };
    Quaternion::from_parts(-norm * twice * sign, u * by_norm(q.w * sign * twice, norm))
}

fn angle_vjp<T: Float + RealField>(
    q: &UnitQuaternion<T>,
) -> (T, impl FnOnce(&UnitQuaternion<T>, &mut Quaternion<T>, T) + use<T>) {
    (q.angle(), |q: &UnitQuaternion<T>, q_bar: &mut Quaternion<T>, bar: T| {
        *q_bar += slope(q) * bar;
    })
}

fn angle_jvp<T: Float + RealField>(q: &UnitQuaternion<T>, dot: &Quaternion<T>) -> (T, T) {
    (q.angle(), slope(q).dot(dot))
}
