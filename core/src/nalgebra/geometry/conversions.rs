//! Rules of what only gives coordinates another type: `from`, `new_unchecked`, `from_matrix_unchecked`, `from_parts`,
//! `into_inner`, `matrix` and `quaternion`.
//!
//! They are linear, and so are tangents and cotangents given the other type. A reference to what is inside is one in
//! the function itself and owns its coordinates in derivative code.
//!
//! `from` makes points and translations of vectors, translations of points, all of these and vectors of arrays, and quaternions
//! of vectors.
//!
//! ```
//! # use nalgebra_0_35 as nalgebra;
//! use cotangent::differentiate;
//! use nalgebra::{Point3, Vector3};
//!
//! #[differentiate]
//! fn far(v: Vector3<f64>) -> f64 {
//!     let p = Point3::from(v * 2.0);
//!     p.x * p.z
//! }
//!
//! assert_eq!(far::gradient(Vector3::new(1.0, 2.0, 3.0)), Vector3::new(12.0, 0.0, 4.0));
//! ```

use nalgebra_0_35::{
    Const, Isometry, OPoint, Quaternion, RealField, Rotation, SMatrix, SVector, Translation, Unit,
    UnitQuaternion, Vector4,
};

use super::turning::Turning;
use super::types::IsometryTangent;
use crate::conversions::{Conversion, SecondConversion};
use crate::rules::TangentOf;
use crate::{Differentiable, Float, Tangent, differentiate, primitive};

/// A type that is given another type's coordinates by `from`, and its cotangents those of where they come from.
macro_rules! conversions {
    ($([$($params:tt)*] $from:ty => $to:ty: |$dot:ident| $forth:expr, |$bar:ident| $back:expr;)*) => {$(
        impl<$($params)*> Conversion<$from> for $to {
            #[inline]
            fn __from_vjp_needs_differentiate_or_primitive_or_zero_adjoint(
                value: $from,
            ) -> (Self, impl FnOnce($to) -> ($from,)) {
                (Self::from(value), |$bar: $to| ($back,))
            }

            #[inline]
            fn __from_jvp_needs_differentiate_or_primitive_or_zero_adjoint(
                value: $from,
                $dot: $from,
            ) -> (Self, $to) {
                (Self::from(value), $forth)
            }
        }

        impl<$($params)*> SecondConversion<$from> for $to {
            #[inline]
            fn __from_jvp_over_vjp_needs_another_differentiate(
                value: $from,
                $dot: $from,
            ) -> (Self, $to, impl FnOnce($to, $to) -> ($from, $from)) {
                let back = |$bar: $to| $back;
                (Self::from(value), $forth, move |bar, bar_dot| (back(bar), back(bar_dot)))
            }

            #[inline]
            fn __from_jvp_over_jvp_needs_another_differentiate(
                value: $from,
                first: $from,
                second: $from,
                both: $from,
            ) -> (Self, $to, $to, $to) {
                let forth = |$dot: $from| $forth;
                (Self::from(value), forth(first), forth(second), forth(both))
            }
        }
    )*};
}

conversions! {
    [T: Float + RealField, const D: usize] SVector<T, D> => OPoint<T, Const<D>>: |dot| OPoint::from(dot), |bar| bar.coords;
    [T: Float + RealField, const D: usize] SVector<T, D> => Translation<T, D>: |dot| Translation::from(dot), |bar| bar.vector;
    [T: Float + RealField, const D: usize] OPoint<T, Const<D>> => Translation<T, D>: |dot| Translation::from(dot), |bar| OPoint::from(bar.vector);
    [T: Float + RealField, const D: usize] [T; D] => SVector<T, D>: |dot| SVector::from(dot), |bar| bar.into();
    [T: Float + RealField, const D: usize] [T; D] => OPoint<T, Const<D>>: |dot| OPoint::from(dot), |bar| bar.into();
    [T: Float + RealField, const D: usize] [T; D] => Translation<T, D>: |dot| Translation::from(dot), |bar| bar.into();
    [T: Float + RealField] Vector4<T> => Quaternion<T>: |dot| Quaternion::from(dot), |bar| bar.coords;
}

/// What is taken for a vector of length one as it is, `u = v`: `v̄ = ū`.
#[differentiate]
#[differentiate]
pub trait Unchecked<V> {
    /// Of this vector or quaternion.
    fn new_unchecked(value: V) -> Self;
}

#[differentiate]
#[differentiate]
impl<V> Unchecked<V> for Unit<V>
where
    V: Tangent + Differentiable<Tangent = V>,
{
    #[primitive(vjp = new_unchecked_vjp, jvp = new_unchecked_jvp)]
    fn new_unchecked(value: V) -> Self {
        Unit::new_unchecked(value)
    }
}

fn new_unchecked_vjp<V>(value: V) -> (Unit<V>, impl FnOnce(V) -> V + use<V>)
where
    V: Tangent + Differentiable<Tangent = V>,
{
    (Unit::new_unchecked(value), |bar: V| bar)
}

#[differentiate]
fn new_unchecked_jvp<V>(value: V, dot: V) -> (Unit<V>, V)
where
    V: Tangent + Differentiable<Tangent = V>,
{
    (Unit::new_unchecked(value), dot)
}

/// What is inside of a vector of length one or of a rotation, `v = u`: `ū += v̄`.
#[differentiate]
#[differentiate]
pub trait Wrapping {
    /// Its type.
    type Inner: Differentiable;

    /// The vector, the quaternion or the matrix.
    fn into_inner(self) -> Self::Inner;
}

#[differentiate]
#[differentiate]
impl<V> Wrapping for Unit<V>
where
    V: Tangent + Differentiable<Tangent = V>,
{
    type Inner = V;

    #[primitive(vjp = into_vector_vjp, jvp = into_vector_jvp)]
    fn into_inner(self) -> Self::Inner {
        self.into_inner()
    }
}

fn into_vector_vjp<V>(unit: Unit<V>) -> (V, impl FnOnce(V) -> V + use<V>)
where
    V: Tangent + Differentiable<Tangent = V>,
{
    (unit.into_inner(), |bar: V| bar)
}

#[differentiate]
fn into_vector_jvp<V>(unit: Unit<V>, dot: V) -> (V, V)
where
    V: Tangent + Differentiable<Tangent = V>,
{
    (unit.into_inner(), dot)
}

#[differentiate]
#[differentiate]
impl<T: Float + RealField, const D: usize> Wrapping for Rotation<T, D> {
    type Inner = SMatrix<T, D, D>;

    #[primitive(vjp = into_matrix_vjp, jvp = into_matrix_jvp)]
    fn into_inner(self) -> Self::Inner {
        self.into_inner()
    }
}

fn into_matrix_vjp<T: Float + RealField, const D: usize>(
    rotation: Rotation<T, D>,
) -> (SMatrix<T, D, D>, impl FnOnce(SMatrix<T, D, D>) -> SMatrix<T, D, D> + use<T, D>) {
    (rotation.into_inner(), |bar: SMatrix<T, D, D>| bar)
}

#[differentiate]
fn into_matrix_jvp<T: Float + RealField, const D: usize>(
    rotation: Rotation<T, D>,
    dot: SMatrix<T, D, D>,
) -> (SMatrix<T, D, D>, SMatrix<T, D, D>) {
    (rotation.into_inner(), dot)
}

/// The quaternion of a rotation.
#[differentiate]
#[differentiate]
pub trait OfQuaternion<T: Float> {
    /// Its type.
    type Quaternion: Differentiable;

    /// The quaternion itself, `y = q`: `q̄ += ȳ`.
    fn quaternion(&self) -> Self::Quaternion;
}

#[differentiate]
#[differentiate]
impl<T: Float + RealField> OfQuaternion<T> for UnitQuaternion<T> {
    type Quaternion = Quaternion<T>;

    fn quaternion(&self) -> Self::Quaternion {
        self.into_inner()
    }
}

/// The matrix of a rotation.
#[differentiate]
#[differentiate]
pub trait OfMatrix {
    /// Its type.
    type Matrix: Differentiable;

    /// The matrix itself, `y = r`: `r̄ += ȳ`.
    fn matrix(&self) -> Self::Matrix;

    /// What is taken for a rotation as it is, `r = y`: `ȳ = r̄`.
    fn from_matrix_unchecked(matrix: Self::Matrix) -> Self;
}

#[differentiate]
#[differentiate]
impl<T: Float + RealField, const D: usize> OfMatrix for Rotation<T, D> {
    type Matrix = SMatrix<T, D, D>;

    fn matrix(&self) -> Self::Matrix {
        self.into_inner()
    }

    #[primitive(vjp = from_matrix_unchecked_vjp, jvp = from_matrix_unchecked_jvp)]
    fn from_matrix_unchecked(matrix: Self::Matrix) -> Self {
        Self::from_matrix_unchecked(matrix)
    }
}

fn from_matrix_unchecked_vjp<T: Float + RealField, const D: usize>(
    matrix: SMatrix<T, D, D>,
) -> (Rotation<T, D>, impl FnOnce(SMatrix<T, D, D>) -> SMatrix<T, D, D> + use<T, D>) {
    (Rotation::from_matrix_unchecked(matrix), |bar: SMatrix<T, D, D>| bar)
}

#[differentiate]
fn from_matrix_unchecked_jvp<T: Float + RealField, const D: usize>(
    matrix: SMatrix<T, D, D>,
    dot: SMatrix<T, D, D>,
) -> (Rotation<T, D>, SMatrix<T, D, D>) {
    (Rotation::<T, D>::from_matrix_unchecked(matrix), dot)
}

/// Poses of their parts.
#[differentiate]
#[differentiate]
pub trait OfParts {
    /// The type of the translation.
    type Translation: Differentiable;
    /// Of the rotation.
    type Rotation: Differentiable;

    /// The pose with this translation and this rotation: the cotangent of each is that part of the pose's.
    fn from_parts(translation: Self::Translation, rotation: Self::Rotation) -> Self;
}

#[differentiate]
#[differentiate]
impl<T, R, const D: usize> OfParts for Isometry<T, R, D>
where
    T: Float + RealField,
    R: Turning<T, D>,
{
    type Translation = Translation<T, D>;
    type Rotation = R;

    #[primitive(vjp = from_parts_vjp, jvp = from_parts_jvp)]
    fn from_parts(translation: Self::Translation, rotation: Self::Rotation) -> Self {
        Self::from_parts(translation, rotation)
    }
}

/// The tangent of a pose.
type PoseTangent<T, R, const D: usize> = IsometryTangent<TangentOf<R>, Translation<T, D>>;

fn from_parts_vjp<T, R, const D: usize>(
    translation: Translation<T, D>,
    rotation: R,
) -> (
    Isometry<T, R, D>,
    impl FnOnce(PoseTangent<T, R, D>) -> (Translation<T, D>, TangentOf<R>) + use<T, R, D>,
)
where
    T: Float + RealField,
    R: Turning<T, D>,
{
    let back = |bar: PoseTangent<T, R, D>| (bar.translation, bar.rotation);
    (Isometry::from_parts(translation, rotation), back)
}

#[differentiate]
fn from_parts_jvp<T, R, const D: usize>(
    translation: Translation<T, D>,
    translation_dot: Translation<T, D>,
    rotation: R,
    rotation_dot: TangentOf<R>,
) -> (Isometry<T, R, D>, PoseTangent<T, R, D>)
where
    T: Float + RealField,
    R: Turning<T, D>,
{
    let pose = Isometry::<T, R, D>::from_parts(translation, rotation);
    let dot = PoseTangent::<T, R, D>::from_parts(translation_dot, rotation_dot);
    (pose, dot)
}

#[differentiate]
#[differentiate]
impl<R, V> OfParts for IsometryTangent<R, V>
where
    R: Tangent + Differentiable<Tangent = R>,
    V: Tangent + Differentiable<Tangent = V>,
{
    type Translation = V;
    type Rotation = R;

    #[primitive(vjp = tangent_from_parts_vjp, jvp = tangent_from_parts_jvp)]
    fn from_parts(translation: Self::Translation, rotation: Self::Rotation) -> Self {
        Self { rotation, translation }
    }
}

fn tangent_from_parts_vjp<R, V>(
    translation: V,
    rotation: R,
) -> (IsometryTangent<R, V>, impl FnOnce(IsometryTangent<R, V>) -> (V, R) + use<R, V>)
where
    R: Tangent + Differentiable<Tangent = R>,
    V: Tangent + Differentiable<Tangent = V>,
{
    let back = |bar: IsometryTangent<R, V>| (bar.translation, bar.rotation);
    (IsometryTangent { rotation, translation }, back)
}

#[differentiate]
fn tangent_from_parts_jvp<R, V>(
    translation: V,
    translation_dot: V,
    rotation: R,
    rotation_dot: R,
) -> (IsometryTangent<R, V>, IsometryTangent<R, V>)
where
    R: Tangent + Differentiable<Tangent = R>,
    V: Tangent + Differentiable<Tangent = V>,
{
    let value = IsometryTangent::<R, V>::from_parts(translation, rotation);
    (value, IsometryTangent::<R, V>::from_parts(translation_dot, rotation_dot))
}
