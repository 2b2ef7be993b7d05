//! How rotations turn vectors and each other, in the coordinates of their tangents.
//!
//! In come jets of the operands and of a direction; out goes a partial derivative times it. The formulas are those that
//! `nalgebra` evaluates, also where a rotation is none: a matrix multiplies, and a quaternion with the real part `w`
//! and the imaginary part `u` gives
//!
//! ```text
//! y = v + w t + u × t,  t = 2 u × v
//! ```
//!
//! which is what `q v q*` is for `|q| = 1` (J. Solà, Quaternion kinematics for the error-state Kalman filter, 2017,
//! section 2.2). A complex number multiplies the vector as one, in the plane. Invariant: what goes back is the
//! transpose of what goes on.

use nalgebra_0_35::{
    AbstractRotation, Complex, Quaternion, RealField, Rotation, SMatrix, SVector, UnitComplex,
    UnitQuaternion, Vector2, Vector3,
};

use super::jets::Jet;
use super::types::Ambient;
use crate::Float;

/// A rotation, as the operators of poses take it.
pub trait Turning<T: Float + RealField, const D: usize>: AbstractRotation<T, D> + Ambient {
    /// Of the cotangent of a turned vector, to the rotation.
    fn to_rotation<const N: usize>(
        rotation: &Jet<Self::Tangent, N>,
        v: &Jet<SVector<T, D>, N>,
        bar: &Jet<SVector<T, D>, N>,
    ) -> Jet<Self::Tangent, N>;

    /// To the vector.
    fn to_vector<const N: usize>(
        rotation: &Jet<Self::Tangent, N>,
        bar: &Jet<SVector<T, D>, N>,
    ) -> Jet<SVector<T, D>, N>;

    /// Of the tangent of the rotation, to the turned vector.
    fn from_rotation<const N: usize>(
        rotation: &Jet<Self::Tangent, N>,
        v: &Jet<SVector<T, D>, N>,
        dot: &Jet<Self::Tangent, N>,
    ) -> Jet<SVector<T, D>, N>;

    /// Of the tangent of the vector.
    fn from_vector<const N: usize>(
        rotation: &Jet<Self::Tangent, N>,
        dot: &Jet<SVector<T, D>, N>,
    ) -> Jet<SVector<T, D>, N>;

    /// The product of two rotations.
    fn product(a: &Self::Tangent, b: &Self::Tangent) -> Self::Tangent;

    /// Of the product's cotangent, to the rotation on the left.
    fn to_left(bar: &Self::Tangent, b: &Self::Tangent) -> Self::Tangent;

    /// To that on the right.
    fn to_right(a: &Self::Tangent, bar: &Self::Tangent) -> Self::Tangent;

    /// The inverse of a rotation, which is its own transpose.
    fn inverted(rotation: &Self::Tangent) -> Self::Tangent;
}

impl<T: Float + RealField, const D: usize> Turning<T, D> for Rotation<T, D> {
    #[inline]
    fn to_rotation<const N: usize>(
        _: &Jet<SMatrix<T, D, D>, N>,
        v: &Jet<SVector<T, D>, N>,
        bar: &Jet<SVector<T, D>, N>,
    ) -> Jet<SMatrix<T, D, D>, N> {
        bar.with(v, |bar, v| bar * v.transpose())
    }

    #[inline]
    fn to_vector<const N: usize>(
        rotation: &Jet<SMatrix<T, D, D>, N>,
        bar: &Jet<SVector<T, D>, N>,
    ) -> Jet<SVector<T, D>, N> {
        rotation.with(bar, |rotation, bar| rotation.tr_mul(bar))
    }

    #[inline]
    fn from_rotation<const N: usize>(
        _: &Jet<SMatrix<T, D, D>, N>,
        v: &Jet<SVector<T, D>, N>,
        dot: &Jet<SMatrix<T, D, D>, N>,
    ) -> Jet<SVector<T, D>, N> {
        dot.with(v, |dot, v| dot * v)
    }

    #[inline]
    fn from_vector<const N: usize>(
        rotation: &Jet<SMatrix<T, D, D>, N>,
        dot: &Jet<SVector<T, D>, N>,
    ) -> Jet<SVector<T, D>, N> {
        rotation.with(dot, |rotation, dot| rotation * dot)
    }

    #[inline]
    fn product(a: &SMatrix<T, D, D>, b: &SMatrix<T, D, D>) -> SMatrix<T, D, D> {
        a * b
    }

    #[inline]
    fn to_left(bar: &SMatrix<T, D, D>, b: &SMatrix<T, D, D>) -> SMatrix<T, D, D> {
        bar * b.transpose()
    }

    #[inline]
    fn to_right(a: &SMatrix<T, D, D>, bar: &SMatrix<T, D, D>) -> SMatrix<T, D, D> {
        a.tr_mul(bar)
    }

    #[inline]
    fn inverted(rotation: &SMatrix<T, D, D>) -> SMatrix<T, D, D> {
        rotation.transpose()
    }
}

/// The imaginary part.
#[inline]
fn imaginary<T: Float + RealField, const N: usize>(
    q: &Jet<Quaternion<T>, N>,
) -> Jet<Vector3<T>, N> {
    q.map(|q| Vector3::new(q.i, q.j, q.k))
}

/// The real part.
#[inline]
fn real<T: Float + RealField, const N: usize>(q: &Jet<Quaternion<T>, N>) -> Jet<T, N> {
    q.map(|q| q.w)
}

#[inline]
fn cross<T: Float + RealField, const N: usize>(
    a: &Jet<Vector3<T>, N>,
    b: &Jet<Vector3<T>, N>,
) -> Jet<Vector3<T>, N> {
    a.with(b, |a, b| a.cross(b))
}

/// Twice that.
#[inline]
fn twice_cross<T: Float + RealField, const N: usize>(
    a: &Jet<Vector3<T>, N>,
    b: &Jet<Vector3<T>, N>,
) -> Jet<Vector3<T>, N> {
    a.with(b, |a, b| a.cross(b) * (T::one() + T::one()))
}

/// Of the formula's `t`: what goes on to the turned vector.
#[inline]
fn from_inner<T: Float + RealField, const N: usize>(
    q: &Jet<Quaternion<T>, N>,
    t: &Jet<Vector3<T>, N>,
) -> Jet<Vector3<T>, N> {
    real(q).with(t, |w, t| t * *w).plus(cross(&imaginary(q), t))
}

/// What goes back to it.
#[inline]
fn to_inner<T: Float + RealField, const N: usize>(
    q: &Jet<Quaternion<T>, N>,
    bar: &Jet<Vector3<T>, N>,
) -> Jet<Vector3<T>, N> {
    real(q).with(bar, |w, bar| bar * *w).plus(cross(bar, &imaginary(q)))
}

impl<T: Float + RealField> Turning<T, 3> for UnitQuaternion<T> {
    #[inline]
    fn to_rotation<const N: usize>(
        q: &Jet<Quaternion<T>, N>,
        v: &Jet<Vector3<T>, N>,
        bar: &Jet<Vector3<T>, N>,
    ) -> Jet<Quaternion<T>, N> {
        let t = twice_cross(&imaginary(q), v);
        let by_imaginary = cross(&t, bar).plus(twice_cross(v, &to_inner(q, bar)));
        let by_real = t.with(bar, |t, bar| t.dot(bar));
        by_imaginary.beside(&by_real, |u, w| Quaternion::new(*w, u.x, u.y, u.z))
    }

    #[inline]
    fn to_vector<const N: usize>(
        q: &Jet<Quaternion<T>, N>,
        bar: &Jet<Vector3<T>, N>,
    ) -> Jet<Vector3<T>, N> {
        let by_inner = twice_cross(&to_inner(q, bar), &imaginary(q));
        by_inner.beside(bar, |by_inner, bar| by_inner + bar)
    }

    #[inline]
    fn from_rotation<const N: usize>(
        q: &Jet<Quaternion<T>, N>,
        v: &Jet<Vector3<T>, N>,
        dot: &Jet<Quaternion<T>, N>,
    ) -> Jet<Vector3<T>, N> {
        let (t, t_dot) = (twice_cross(&imaginary(q), v), twice_cross(&imaginary(dot), v));
        from_inner(q, &t_dot).plus(from_inner(dot, &t))
    }

    #[inline]
    fn from_vector<const N: usize>(
        q: &Jet<Quaternion<T>, N>,
        dot: &Jet<Vector3<T>, N>,
    ) -> Jet<Vector3<T>, N> {
        let by_inner = from_inner(q, &twice_cross(&imaginary(q), dot));
        by_inner.beside(dot, |by_inner, dot| by_inner + dot)
    }

    #[inline]
    fn product(a: &Quaternion<T>, b: &Quaternion<T>) -> Quaternion<T> {
        a * b
    }

    #[inline]
    fn to_left(bar: &Quaternion<T>, b: &Quaternion<T>) -> Quaternion<T> {
        bar * b.conjugate()
    }

    #[inline]
    fn to_right(a: &Quaternion<T>, bar: &Quaternion<T>) -> Quaternion<T> {
        a.conjugate() * bar
    }

    #[inline]
    fn inverted(q: &Quaternion<T>) -> Quaternion<T> {
        q.conjugate()
    }
}

/// The complex number times the vector as one.
#[inline]
fn turn<T: Float + RealField>(z: &Complex<T>, v: &Vector2<T>) -> Vector2<T> {
    Vector2::new(z.re * v.x - z.im * v.y, z.im * v.x + z.re * v.y)
}

#[inline]
fn conjugate<T: Float + RealField>(z: &Complex<T>) -> Complex<T> {
    Complex { re: z.re, im: -z.im }
}

impl<T: Float + RealField> Turning<T, 2> for UnitComplex<T> {
    #[inline]
    fn to_rotation<const N: usize>(
        _: &Jet<Complex<T>, N>,
        v: &Jet<Vector2<T>, N>,
        bar: &Jet<Vector2<T>, N>,
    ) -> Jet<Complex<T>, N> {
        v.with(bar, |v, bar| Complex { re: v.dot(bar), im: v.perp(bar) })
    }

    #[inline]
    fn to_vector<const N: usize>(
        z: &Jet<Complex<T>, N>,
        bar: &Jet<Vector2<T>, N>,
    ) -> Jet<Vector2<T>, N> {
        z.with(bar, |z, bar| turn(&conjugate(z), bar))
    }

    #[inline]
    fn from_rotation<const N: usize>(
        _: &Jet<Complex<T>, N>,
        v: &Jet<Vector2<T>, N>,
        dot: &Jet<Complex<T>, N>,
    ) -> Jet<Vector2<T>, N> {
        dot.with(v, turn)
    }

    #[inline]
    fn from_vector<const N: usize>(
        z: &Jet<Complex<T>, N>,
        dot: &Jet<Vector2<T>, N>,
    ) -> Jet<Vector2<T>, N> {
        z.with(dot, turn)
    }

    #[inline]
    fn product(a: &Complex<T>, b: &Complex<T>) -> Complex<T> {
        a * b
    }

    #[inline]
    fn to_left(bar: &Complex<T>, b: &Complex<T>) -> Complex<T> {
        bar * conjugate(b)
    }

    #[inline]
    fn to_right(a: &Complex<T>, bar: &Complex<T>) -> Complex<T> {
        conjugate(a) * bar
    }

    #[inline]
    fn inverted(z: &Complex<T>) -> Complex<T> {
        conjugate(z)
    }
}
