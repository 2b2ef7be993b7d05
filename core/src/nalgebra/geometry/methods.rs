//! Rules of the methods of points, rotations and poses. Their bodies are those of `nalgebra`, and so their derivatives
//! follow from the rules of the operators.

use nalgebra_0_35::{
    Complex, Const, Isometry, Matrix2, Matrix3, OPoint, Point2, Point3, Quaternion, RealField,
    Rotation, Rotation2, Rotation3, SVector, Translation, Unit, UnitComplex, UnitQuaternion,
    Vector2, Vector3,
};

use super::conversions::{OfMatrix as _, OfParts as _, Unchecked as _, Wrapping as _};
use crate::nalgebra::components::Components as _;
use crate::nalgebra::construction::{OfFour, OfOne, OfThree, OfTwo};
use crate::nalgebra::products::TransposedProduct as _;
use crate::nalgebra::shape::Transposed;
use crate::{Differentiable, Float, differentiate};

/// The constructors of what is made of coordinates: each coordinate's cotangent is that of its argument.
macro_rules! coordinates {
    ($($name:ident $of:ident $empty:ident ($($entry:ident)*);)*) => {$(
        #[differentiate]
        #[differentiate]
        impl<T: Float + RealField> $name<T> for nalgebra_0_35::$of<T> {
            fn new($($entry: T),*) -> Self {
                let mut made = Self::$empty();
                $( made.$entry = $entry; )*
                made
            }
        }
    )*};
}

coordinates! {
    OfOne Point1 origin (x);
    OfTwo Point2 origin (x y);
    OfThree Point3 origin (x y z);
    OfFour Point4 origin (x y z w);
    OfTwo Translation2 identity (x y);
    OfThree Translation3 identity (x y z);
    OfFour Quaternion identity (w i j k);
}

/// Rotations as matrices.
#[differentiate]
#[differentiate]
pub trait ToMatrix<T: Float + RealField> {
    /// Its type.
    type Matrix: Differentiable;

    /// The matrix of a quaternion `w + u`, `(w² - u·u) I + 2 u uᵀ + 2 w [u]×`, entry by entry as `nalgebra` evaluates
    /// it; of a complex number, its parts.
    fn to_rotation_matrix(self) -> Self::Matrix;
}

#[differentiate]
#[differentiate]
impl<T: Float + RealField> ToMatrix<T> for UnitQuaternion<T> {
    type Matrix = Rotation3<T>;

    fn to_rotation_matrix(self) -> Self::Matrix {
        let (i, j, k, w) = (self.i, self.j, self.k, self.w);
        let (ww, ii, jj, kk) = (w * w, i * i, j * j, k * k);
        let two = T::literal(2.0);
        let (ij, wk, wj) = (i * j * two, w * k * two, w * j * two);
        let (ik, jk, wi) = (i * k * two, j * k * two, w * i * two);
        let mut made = Matrix3::<T>::identity();
        made.m11 = ww + ii - jj - kk;
        made.m12 = ij - wk;
        made.m13 = wj + ik;
        made.m21 = wk + ij;
        made.m22 = ww - ii + jj - kk;
        made.m23 = jk - wi;
        made.m31 = ik - wj;
        made.m32 = wi + jk;
        made.m33 = ww - ii - jj + kk;
        Rotation3::<T>::from_matrix_unchecked(made)
    }
}

#[differentiate]
#[differentiate]
impl<T: Float + RealField> ToMatrix<T> for UnitComplex<T> {
    type Matrix = Rotation2<T>;

    fn to_rotation_matrix(self) -> Self::Matrix {
        let mut made = Matrix2::<T>::identity();
        made.m11 = self.re;
        made.m12 = -self.im;
        made.m21 = self.im;
        made.m22 = self.re;
        Rotation2::<T>::from_matrix_unchecked(made)
    }
}

/// The inverse.
#[differentiate]
#[differentiate]
pub trait Inverse {
    /// Of a rotation, the conjugate of the quaternion or the transpose of the matrix; of a translation, the negative
    /// one; of a pose, both, with the translation turned.
    fn inverse(&self) -> Self;
}

/// The conjugate.
#[differentiate]
#[differentiate]
pub trait Conjugate {
    /// With the negative imaginary part: `q̄ += ȳ*`.
    fn conjugate(&self) -> Self;
}

#[differentiate]
#[differentiate]
impl<T: Float + RealField> Conjugate for Quaternion<T> {
    fn conjugate(&self) -> Self {
        let mut made = Quaternion::<T>::identity();
        made.w = self.w;
        made.i = -self.i;
        made.j = -self.j;
        made.k = -self.k;
        made
    }
}

#[differentiate]
#[differentiate]
impl<T: Float + RealField> Conjugate for UnitQuaternion<T> {
    fn conjugate(&self) -> Self {
        Unit::new_unchecked(self.into_inner().conjugate())
    }
}

#[differentiate]
#[differentiate]
impl<T: Float + RealField> Inverse for UnitQuaternion<T> {
    fn inverse(&self) -> Self {
        Unit::new_unchecked(self.into_inner().conjugate())
    }
}

#[differentiate]
#[differentiate]
impl<T: Float + RealField> Conjugate for UnitComplex<T> {
    fn conjugate(&self) -> Self {
        Unit::new_unchecked(Complex { re: self.re, im: -self.im })
    }
}

#[differentiate]
#[differentiate]
impl<T: Float + RealField> Inverse for UnitComplex<T> {
    fn inverse(&self) -> Self {
        Unit::new_unchecked(Complex { re: self.re, im: -self.im })
    }
}

#[differentiate]
#[differentiate]
impl<T: Float + RealField, const D: usize> Inverse for Rotation<T, D> {
    fn inverse(&self) -> Self {
        Rotation::<T, D>::from_matrix_unchecked(self.into_inner().transpose())
    }
}

#[differentiate]
#[differentiate]
impl<T: Float + RealField, const D: usize> Transposed for Rotation<T, D> {
    type Transpose = Self;

    fn transpose(&self) -> Self::Transpose {
        Rotation::<T, D>::from_matrix_unchecked(self.into_inner().transpose())
    }
}

#[differentiate]
#[differentiate]
impl<T: Float + RealField, const D: usize> Inverse for Translation<T, D> {
    fn inverse(&self) -> Self {
        Translation::<T, D>::from(-self.vector)
    }
}

/// Points and vectors that are moved.
#[differentiate]
#[differentiate]
pub trait Moving {
    /// The type of points.
    type Point: Differentiable;
    /// The type of vectors.
    type Vector: Differentiable;

    /// The point moved, as by `*`.
    fn transform_point(&self, pt: &Self::Point) -> Self::Point;

    /// The vector turned, as by `*`.
    fn transform_vector(&self, v: &Self::Vector) -> Self::Vector;

    /// The point moved back.
    fn inverse_transform_point(&self, pt: &Self::Point) -> Self::Point;

    /// The vector turned back.
    fn inverse_transform_vector(&self, v: &Self::Vector) -> Self::Vector;
}

/// What rotations do that are no matrices.
macro_rules! turning {
    ($($rotation:ident $point:ident $vector:ident;)*) => {$(
        #[differentiate]
        #[differentiate]
        impl<T: Float + RealField> Moving for $rotation<T> {
            type Point = $point<T>;
            type Vector = $vector<T>;

            fn transform_point(&self, pt: &Self::Point) -> Self::Point {
                self * pt
            }

            fn transform_vector(&self, v: &Self::Vector) -> Self::Vector {
                self * v
            }

            fn inverse_transform_point(&self, pt: &Self::Point) -> Self::Point {
                self.inverse() * pt
            }

            fn inverse_transform_vector(&self, v: &Self::Vector) -> Self::Vector {
                self.inverse() * v
            }
        }
    )*};
}

turning! {
    UnitQuaternion Point3 Vector3;
    UnitComplex Point2 Vector2;
}

#[differentiate]
#[differentiate]
impl<T: Float + RealField, const D: usize> Moving for Rotation<T, D> {
    type Point = OPoint<T, Const<D>>;
    type Vector = SVector<T, D>;

    fn transform_point(&self, pt: &Self::Point) -> Self::Point {
        self * pt
    }

    fn transform_vector(&self, v: &Self::Vector) -> Self::Vector {
        self * v
    }

    fn inverse_transform_point(&self, pt: &Self::Point) -> Self::Point {
        OPoint::<T, Const<D>>::from(self.into_inner().tr_mul(&pt.coords))
    }

    fn inverse_transform_vector(&self, v: &Self::Vector) -> Self::Vector {
        self.into_inner().tr_mul(v)
    }
}

/// The methods of poses with rotations of one kind.
macro_rules! poses {
    ($([$($dim:tt)*] $rotation:ty, $d:tt;)*) => {$(
        #[differentiate]
        #[differentiate]
        impl<T: Float + RealField, $($dim)*> Moving for Isometry<T, $rotation, $d> {
            type Point = OPoint<T, Const<$d>>;
            type Vector = SVector<T, $d>;

            fn transform_point(&self, pt: &Self::Point) -> Self::Point {
                self * pt
            }

            fn transform_vector(&self, v: &Self::Vector) -> Self::Vector {
                self * v
            }

            fn inverse_transform_point(&self, pt: &Self::Point) -> Self::Point {
                let shifted = pt - self.translation.vector;
                self.rotation.inverse_transform_point(&shifted)
            }

            fn inverse_transform_vector(&self, v: &Self::Vector) -> Self::Vector {
                self.rotation.inverse_transform_vector(v)
            }
        }

        #[differentiate]
        #[differentiate]
        impl<T: Float + RealField, $($dim)*> Inverse for Isometry<T, $rotation, $d> {
            fn inverse(&self) -> Self {
                let rotation = self.rotation.inverse();
                let shift = rotation * -self.translation.vector;
                Isometry::<T, $rotation, $d>::from_parts(Translation::from(shift), rotation)
            }
        }

        #[differentiate]
        #[differentiate]
        impl<T: Float + RealField, $($dim)*> InverseProduct for Isometry<T, $rotation, $d> {
            fn inv_mul(&self, rhs: &Self) -> Self {
                let rotation = self.rotation.inverse();
                let shift = rhs.translation.vector - self.translation.vector;
                let translation = Translation::from(rotation * shift);
                Isometry::<T, $rotation, $d>::from_parts(translation, rotation * rhs.rotation)
            }
        }
    )*};
}

/// Products with an inverse.
#[differentiate]
#[differentiate]
pub trait InverseProduct {
    /// The inverse of a pose times another one.
    fn inv_mul(&self, rhs: &Self) -> Self;
}

poses! {
    [] UnitQuaternion<T>, 3;
    [] UnitComplex<T>, 2;
    [const D: usize] Rotation<T, D>, D;
}

/// Vectors and quaternions that are made of length one.
#[differentiate]
#[differentiate]
pub trait Normalized<V> {
    /// Divided by its norm.
    fn new_normalize(value: V) -> Self;
}

/// Rotations of quaternions of any length.
#[differentiate]
#[differentiate]
pub trait FromQuaternion<T: Float + RealField> {
    /// Divided by its norm.
    fn from_quaternion(q: Quaternion<T>) -> Self;
}

#[differentiate]
#[differentiate]
impl<T: Float + RealField, const D: usize> Normalized<SVector<T, D>> for Unit<SVector<T, D>> {
    fn new_normalize(value: SVector<T, D>) -> Self {
        Unit::new_unchecked(value.normalize())
    }
}

#[differentiate]
#[differentiate]
impl<T: Float + RealField> Normalized<Quaternion<T>> for UnitQuaternion<T> {
    fn new_normalize(value: Quaternion<T>) -> Self {
        Unit::new_unchecked(Quaternion::<T>::from(value.coords.normalize()))
    }
}

#[differentiate]
#[differentiate]
impl<T: Float + RealField> FromQuaternion<T> for UnitQuaternion<T> {
    fn from_quaternion(q: Quaternion<T>) -> Self {
        Unit::new_unchecked(Quaternion::<T>::from(q.coords.normalize()))
    }
}
