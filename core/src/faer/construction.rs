//! Rules of constructors that take entries or a function of their places, and of those whose sizes are asked of active
//! values: of `zeros`, `ones` and `identity` there is nothing to differentiate.

use faer_0_24::traits::RealField;
use faer_0_24::{Col, Mat, Row};

use crate::{Float, differentiate, zero_adjoint};

/// Matrices that are filled.
#[differentiate]
pub trait FilledMat<F: Float> {
    /// With what a function has at each row and column. Derivatives call it column by column.
    fn from_fn(nrows: usize, ncols: usize, f: impl Fn(usize, usize) -> F) -> Self;
}

/// Matrices of one float, and of constants.
#[differentiate]
#[differentiate]
pub trait EvenMat<F: Float> {
    /// Of zeros, without a derivative.
    fn zeros(nrows: usize, ncols: usize) -> Self;

    /// Of ones, likewise.
    fn ones(nrows: usize, ncols: usize) -> Self;

    /// Of ones on the diagonal and zeros, likewise.
    fn identity(nrows: usize, ncols: usize) -> Self;

    /// At each place, `x[i, j] = s`: `s̄ = Σ x̄[i, j]`.
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
}

#[differentiate]
#[differentiate]
impl<F: Float + RealField> EvenMat<F> for Mat<F> {
    #[zero_adjoint]
    fn zeros(nrows: usize, ncols: usize) -> Self {
        Self::zeros(nrows, ncols)
    }

    #[zero_adjoint]
    fn ones(nrows: usize, ncols: usize) -> Self {
        Self::ones(nrows, ncols)
    }

    #[zero_adjoint]
    fn identity(nrows: usize, ncols: usize) -> Self {
        Self::identity(nrows, ncols)
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
}

/// Vectors of one float, and of constants.
#[differentiate]
#[differentiate]
pub trait EvenVector<F: Float> {
    /// Of zeros, without a derivative.
    fn zeros(count: usize) -> Self;

    /// Of ones, likewise.
    fn ones(count: usize) -> Self;

    /// At each place, `x[i] = s`: `s̄ = Σ x̄[i]`.
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
        }

        #[differentiate]
        #[differentiate]
        impl<F: Float + RealField> EvenVector<F> for $type<F> {
            #[zero_adjoint]
            fn zeros(count: usize) -> Self {
                Self::zeros(count)
            }

            #[zero_adjoint]
            fn ones(count: usize) -> Self {
                Self::ones(count)
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
