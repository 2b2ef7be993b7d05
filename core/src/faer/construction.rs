//! Rules of constructors that take entries or a function of their places. Of `zeros`, `ones` and `identity` there is
//! nothing to differentiate.

use faer_0_24::traits::RealField;
use faer_0_24::{Col, Mat, Row};

use crate::{Float, differentiate};

/// Matrices that are filled.
#[differentiate]
pub trait FilledMat<F: Float> {
    /// With what a function has at each row and column. Derivatives call it column by column.
    fn from_fn(nrows: usize, ncols: usize, f: impl Fn(usize, usize) -> F) -> Self;

    /// With one float, `x[i, j] = s`: `s̄ = Σ x̄[i, j]`.
    fn full(nrows: usize, ncols: usize, value: F) -> Self;
}

#[differentiate]
impl<F: Float + RealField> FilledMat<F> for Mat<F> {
    fn from_fn(nrows: usize, ncols: usize, f: impl Fn(usize, usize) -> F) -> Self {
        let mut made = Self::zeros(nrows, ncols);
        for j in 0..ncols {
            for i in 0..nrows {
                made[(i, j)] = f(i, j);
            }
        }
        made
    }

    fn full(nrows: usize, ncols: usize, value: F) -> Self {
        let mut made = Self::zeros(nrows, ncols);
        for j in 0..ncols {
            for i in 0..nrows {
                made[(i, j)] = value;
            }
        }
        made
    }
}

/// Vectors that are filled.
#[differentiate]
pub trait FilledVector<F: Float> {
    /// With what a function has at each index.
    fn from_fn(count: usize, f: impl Fn(usize) -> F) -> Self;

    /// With one float, `x[i] = s`: `s̄ = Σ x̄[i]`.
    fn full(count: usize, value: F) -> Self;
}

macro_rules! filled_vector {
    ($($type:ident)*) => {$(
        #[differentiate]
        impl<F: Float + RealField> FilledVector<F> for $type<F> {
            fn from_fn(count: usize, f: impl Fn(usize) -> F) -> Self {
                let mut made = Self::zeros(count);
                for i in 0..count {
                    made[i] = f(i);
                }
                made
            }

            fn full(count: usize, value: F) -> Self {
                let mut made = Self::zeros(count);
                for i in 0..count {
                    made[i] = value;
                }
                made
            }
        }
    )*};
}

filled_vector!(Col Row);
