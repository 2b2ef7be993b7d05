//! Rules of constructors that take entries or columns. Of those without arguments there is nothing to differentiate.
//!
//! `new` takes as many arguments as there are entries, so there is a trait for each number of them.

use nalgebra_0_35::{
    Matrix2, Matrix2x3, Matrix2x4, Matrix3, Matrix3x2, Matrix3x4, Matrix4, Matrix4x2, Matrix4x3,
    RealField, RowVector2, RowVector3, RowVector4, SMatrix, Vector1, Vector2, Vector3, Vector4,
    Vector5, Vector6,
};

use crate::{Float, differentiate};

/// The attribute behind the first is a second one, or none of ours.
macro_rules! constructor {
    (#[$second:meta] $name:ident $words:literal ($($argument:ident)*) $($matrix:ident ($($entry:ident)*))*) => {
        #[doc = concat!("Matrices of ", $words, ".")]
        #[differentiate]
        #[$second]
        pub trait $name<T: Float> {
            /// The matrix of these entries, row by row: each entry's cotangent is that of its argument.
            #[allow(clippy::too_many_arguments, reason = "a matrix has so many entries")]
            fn new($($argument: T),*) -> Self;
        }

        $(
            #[differentiate]
            #[$second]
            impl<T: Float + RealField> $name<T> for $matrix<T> {
                fn new($($entry: T),*) -> Self {
                    let mut made = Self::zeros();
                    $( made.$entry = $entry; )*
                    made
                }
            }
        )*
    };
}

constructor!(#[differentiate] OfOne "one entry" (a) Vector1 (x));
constructor!(#[differentiate] OfTwo "two entries" (a b) Vector2 (x y) RowVector2 (x y));
constructor!(#[differentiate] OfThree "three entries" (a b c) Vector3 (x y z) RowVector3 (x y z));
constructor!(
    #[differentiate] OfFour "four entries" (a b c d)
    Vector4 (x y z w) RowVector4 (x y z w) Matrix2 (m11 m12 m21 m22)
);
constructor!(#[differentiate] OfFive "five entries" (a b c d e) Vector5 (x y z w a));
constructor!(
    #[differentiate] OfSix "six entries" (a b c d e f)
    Vector6 (x y z w a b) Matrix2x3 (m11 m12 m13 m21 m22 m23) Matrix3x2 (m11 m12 m21 m22 m31 m32)
);
constructor!(
    #[differentiate] OfEight "eight entries" (a b c d e f g h)
    Matrix2x4 (m11 m12 m13 m14 m21 m22 m23 m24) Matrix4x2 (m11 m12 m21 m22 m31 m32 m41 m42)
);
constructor!(
    #[differentiate] OfNine "nine entries" (a b c d e f g h i)
    Matrix3 (m11 m12 m13 m21 m22 m23 m31 m32 m33)
);
constructor!(
    #[differentiate] OfTwelve "twelve entries" (a b c d e f g h i j k l)
    Matrix3x4 (m11 m12 m13 m14 m21 m22 m23 m24 m31 m32 m33 m34)
    Matrix4x3 (m11 m12 m13 m21 m22 m23 m31 m32 m33 m41 m42 m43)
);
// The tuple of so many cotangents has no derivatives itself.
constructor!(
    #[allow(unused)] OfSixteen "sixteen entries" (a b c d e f g h i j k l m n o p)
    Matrix4 (m11 m12 m13 m14 m21 m22 m23 m24 m31 m32 m33 m34 m41 m42 m43 m44)
);

/// Matrices of one float.
#[differentiate]
#[differentiate]
pub trait Filled<T: Float> {
    /// With it as each entry: `s̄ = Σ x̄[i]`.
    fn from_element(s: T) -> Self;

    /// Likewise.
    fn repeat(s: T) -> Self;

    /// With it on the diagonal, and zeros: `s̄ = Σ x̄[i, i]`.
    fn from_diagonal_element(s: T) -> Self;
}

#[differentiate]
#[differentiate]
impl<T: Float + RealField, const R: usize, const C: usize> Filled<T> for SMatrix<T, R, C> {
    fn from_element(s: T) -> Self {
        let mut made = Self::zeros();
        for at in 0..R * C {
            made[at] = s;
        }
        made
    }

    fn repeat(s: T) -> Self {
        let mut made = Self::zeros();
        for at in 0..R * C {
            made[at] = s;
        }
        made
    }

    fn from_diagonal_element(s: T) -> Self {
        let mut made = Self::zeros();
        for at in 0..R.min(C) {
            made[(at, at)] = s;
        }
        made
    }
}
