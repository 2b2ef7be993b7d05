//! Rules of constructors, and of sizes.
//!
//! A shape is a number, or an array or a tuple of numbers.

use alloc::vec::Vec;

use ndarray_0_17::{Array, Array1, Array2, Axis, Dimension, ShapeBuilder, ShapeError};

use crate::differentiable::without_tangent;
use crate::{Differentiable, Float, differentiate, primitive, zero_adjoint};

without_tangent!([] ShapeError);

/// Arrays of one float, and of constants.
#[doc(hidden)]
#[differentiate]
#[differentiate]
pub trait Even<F: Float, S> {
    /// Of zeros, without a derivative.
    #[differentiate(constant(shape))]
    fn zeros(shape: S) -> Self;

    /// Of ones, likewise.
    #[differentiate(constant(shape))]
    fn ones(shape: S) -> Self;

    /// Of one float, `x[i] = s`: `s̄ = Σ x̄[i]`.
    #[differentiate(constant(shape))]
    fn from_elem(shape: S, elem: F) -> Self;
}

#[differentiate]
#[differentiate]
impl<F, D, S> Even<F, S> for Array<F, D>
where
    F: Float,
    D: Dimension,
    S: ShapeBuilder<Dim = D> + Clone + Differentiable,
{
    #[zero_adjoint(constant(shape))]
    fn zeros(shape: S) -> Self {
        Self::zeros(shape)
    }

    #[zero_adjoint(constant(shape))]
    fn ones(shape: S) -> Self {
        Self::ones(shape)
    }

    #[primitive(vjp = from_elem_vjp, jvp = from_elem_jvp, constant(shape))]
    fn from_elem(shape: S, elem: F) -> Self {
        Self::from_elem(shape, elem)
    }
}

fn from_elem_vjp<F: Float, D: Dimension, S: ShapeBuilder<Dim = D>>(
    shape: S,
    elem: F,
) -> (Array<F, D>, impl FnOnce(Array<F, D>) -> F + use<F, D, S>) {
    (Array::from_elem(shape, elem), |bar: Array<F, D>| bar.sum())
}

#[differentiate(constant(shape))]
fn from_elem_jvp<F, D, S>(shape: S, elem: F, elem_dot: F) -> (Array<F, D>, Array<F, D>)
where
    F: Float,
    D: Dimension,
    S: ShapeBuilder<Dim = D> + Clone + Differentiable,
{
    let made = Array::<F, D>::from_elem(shape.clone(), elem);
    (made, Array::<F, D>::from_elem(shape, elem_dot))
}

/// Square matrices of constants.
#[doc(hidden)]
#[differentiate]
#[differentiate]
pub trait EvenSquare {
    /// Of ones on the diagonal and zeros, without a derivative.
    fn eye(n: usize) -> Self;
}

#[differentiate]
#[differentiate]
impl<F: Float> EvenSquare for Array2<F> {
    #[zero_adjoint]
    fn eye(n: usize) -> Self {
        Self::eye(n)
    }
}

/// Arrays of the entries of a vector.
#[doc(hidden)]
#[differentiate]
#[differentiate]
pub trait MadeFrom<F: Float> {
    /// `from`: `v̄ = x̄`.
    #[differentiate(companion = from)]
    fn __from(v: Vec<F>) -> Self;

    /// `from_vec`, likewise.
    #[differentiate(companion = from_vec)]
    fn __from_vec(v: Vec<F>) -> Self;
}

#[differentiate]
#[differentiate]
impl<F: Float> MadeFrom<F> for Array1<F> {
    #[primitive(vjp = from_vec_vjp, jvp = from_vec_jvp, companion = from)]
    fn __from(v: Vec<F>) -> Self {
        Self::from_vec(v)
    }

    #[primitive(vjp = from_vec_vjp, jvp = from_vec_jvp, companion = from_vec)]
    fn __from_vec(v: Vec<F>) -> Self {
        Self::from_vec(v)
    }
}

fn from_vec_vjp<F: Float>(v: Vec<F>) -> (Array1<F>, impl FnOnce(Array1<F>) -> Vec<F> + use<F>) {
    (Array1::from_vec(v), |bar: Array1<F>| bar.to_vec())
}

#[differentiate]
fn from_vec_jvp<F: Float>(v: Vec<F>, v_dot: Vec<F>) -> (Array1<F>, Array1<F>) {
    (Array1::<F>::from_vec(v), Array1::<F>::from_vec(v_dot))
}

/// Matrices of the rows in a vector.
#[doc(hidden)]
#[differentiate]
#[differentiate]
pub trait MadeFromRows<F: Float, const N: usize> {
    /// `from`: `v̄ = x̄`.
    #[differentiate(companion = from)]
    fn __from_rows(v: Vec<[F; N]>) -> Self;
}

#[differentiate]
#[differentiate]
impl<F: Float, const N: usize> MadeFromRows<F, N> for Array2<F> {
    #[primitive(vjp = from_rows_vjp, jvp = from_rows_jvp, companion = from)]
    fn __from_rows(v: Vec<[F; N]>) -> Self {
        Self::from(v)
    }
}

fn from_rows_vjp<F: Float, const N: usize>(
    v: Vec<[F; N]>,
) -> (Array2<F>, impl FnOnce(Array2<F>) -> Vec<[F; N]> + use<F, N>) {
    let back = |bar: Array2<F>| {
        let row = |at| core::array::from_fn(|column| bar[[at, column]]);
        (0..bar.nrows()).map(row).collect()
    };
    (Array2::from(v), back)
}

#[differentiate]
fn from_rows_jvp<F: Float, const N: usize>(
    v: Vec<[F; N]>,
    v_dot: Vec<[F; N]>,
) -> (Array2<F>, Array2<F>) {
    (Array2::<F>::from(v), Array2::<F>::from(v_dot))
}

/// Arrays of the entries of a vector, in a shape.
#[doc(hidden)]
#[differentiate]
#[differentiate]
pub trait MadeOf<F: Float, S>: Sized {
    /// The array with these entries, the last index first, where there are as many: `v̄ = x̄`.
    #[differentiate(constant(shape))]
    fn from_shape_vec(shape: S, v: Vec<F>) -> Result<Self, ShapeError>;
}

#[differentiate]
#[differentiate]
impl<F, D, S> MadeOf<F, S> for Array<F, D>
where
    F: Float,
    D: Dimension,
    S: ShapeBuilder<Dim = D> + Clone + Differentiable,
{
    #[primitive(vjp = from_shape_vec_vjp, jvp = from_shape_vec_jvp, constant(shape))]
    fn from_shape_vec(shape: S, v: Vec<F>) -> Result<Self, ShapeError> {
        Self::from_shape_vec(shape.into_shape_with_order(), v)
    }
}

fn from_shape_vec_vjp<F: Float, D: Dimension, S: ShapeBuilder<Dim = D>>(
    shape: S,
    v: Vec<F>,
) -> (Result<Array<F, D>, ShapeError>, impl FnOnce(Option<Array<F, D>>) -> Vec<F> + use<F, D, S>) {
    let count = v.len();
    let back = move |bar: Option<Array<F, D>>| match bar {
        Some(bar) => bar.iter().copied().collect(),
        None => alloc::vec![F::zero(); count],
    };
    (Array::from_shape_vec(shape.into_shape_with_order(), v), back)
}

#[differentiate(constant(shape))]
fn from_shape_vec_jvp<F, D, S>(
    shape: S,
    v: Vec<F>,
    v_dot: Vec<F>,
) -> (Result<Array<F, D>, ShapeError>, Option<Array<F, D>>)
where
    F: Float,
    D: Dimension,
    S: ShapeBuilder<Dim = D> + Clone + Differentiable,
{
    let made = made_of(shape.clone(), v);
    match made_of(shape, v_dot) {
        Ok(dot) => (made, Some(dot)),
        Err(_) => (made, None),
    }
}

/// `from_shape_vec`, of any shape.
#[primitive(vjp = from_shape_vec_vjp, jvp = made_of_jvp, constant(shape))]
fn made_of<F, D, S>(shape: S, v: Vec<F>) -> Result<Array<F, D>, ShapeError>
where
    F: Float,
    D: Dimension,
    S: ShapeBuilder<Dim = D> + Clone + Differentiable,
{
    Array::from_shape_vec(shape.into_shape_with_order(), v)
}

fn made_of_jvp<F, D, S>(
    shape: S,
    v: Vec<F>,
    v_dot: Vec<F>,
) -> (Result<Array<F, D>, ShapeError>, Option<Array<F, D>>)
where
    F: Float,
    D: Dimension,
    S: ShapeBuilder<Dim = D> + Clone + Differentiable,
{
    let dot = Array::from_shape_vec(shape.clone().into_shape_with_order(), v_dot);
    let made = Array::from_shape_vec(shape.into_shape_with_order(), v);
    (made, dot.ok())
}

/// Sizes, which have no derivatives.
#[doc(hidden)]
#[differentiate]
#[differentiate]
pub trait Shaped {
    type Dim: Differentiable;

    /// `dim`.
    #[differentiate(companion = dim)]
    fn __dim(&self) -> Self::Dim;

    /// `len_of`.
    #[differentiate(companion = len_of, constant(axis))]
    fn __len_of(&self, axis: Axis) -> usize;

    /// `shape`, which in derivative code owns the numbers.
    #[differentiate(companion = shape)]
    fn __shape(&self) -> Vec<usize>;

    /// `ndim`.
    #[differentiate(companion = ndim)]
    fn __ndim(&self) -> usize;
}

#[differentiate]
#[differentiate]
impl<F: Float, D: Dimension> Shaped for Array<F, D>
where
    D::Pattern: Differentiable,
{
    type Dim = D::Pattern;

    #[zero_adjoint(companion = dim)]
    fn __dim(&self) -> Self::Dim {
        self.dim()
    }

    #[zero_adjoint(companion = len_of, constant(axis))]
    fn __len_of(&self, axis: Axis) -> usize {
        self.len_of(axis)
    }

    #[zero_adjoint(companion = shape)]
    fn __shape(&self) -> Vec<usize> {
        self.shape().to_vec()
    }

    #[zero_adjoint(companion = ndim)]
    fn __ndim(&self) -> usize {
        self.ndim()
    }
}

/// Likewise, of matrices.
#[doc(hidden)]
#[differentiate]
#[differentiate]
pub trait ShapedMatrix {
    /// `nrows`.
    #[differentiate(companion = nrows)]
    fn __nrows(&self) -> usize;

    /// `ncols`.
    #[differentiate(companion = ncols)]
    fn __ncols(&self) -> usize;

    /// `is_square`.
    #[differentiate(companion = is_square)]
    fn __is_square(&self) -> bool;
}

#[differentiate]
#[differentiate]
impl<F: Float> ShapedMatrix for Array2<F> {
    #[zero_adjoint(companion = nrows)]
    fn __nrows(&self) -> usize {
        self.nrows()
    }

    #[zero_adjoint(companion = ncols)]
    fn __ncols(&self) -> usize {
        self.ncols()
    }

    #[zero_adjoint(companion = is_square)]
    fn __is_square(&self) -> bool {
        self.is_square()
    }
}

/// Vectors of what a function has at each index.
#[doc(hidden)]
#[differentiate]
pub trait FilledVector<F: Float> {
    /// Derivatives call it in the order of the indices.
    fn from_shape_fn(shape: usize, f: impl Fn(usize) -> F) -> Self;
}

#[differentiate]
impl<F: Float> FilledVector<F> for Array1<F> {
    fn from_shape_fn(shape: usize, f: impl Fn(usize) -> F) -> Self {
        let mut made = Self::zeros(shape);
        for i in 0..shape {
            made[i] = f(i);
        }
        made
    }
}

/// Matrices likewise.
#[doc(hidden)]
#[differentiate]
pub trait FilledMatrix<F: Float> {
    /// Derivatives call it row by row.
    fn from_shape_fn(shape: (usize, usize), f: impl Fn((usize, usize)) -> F) -> Self;
}

#[differentiate]
impl<F: Float> FilledMatrix<F> for Array2<F> {
    fn from_shape_fn(shape: (usize, usize), f: impl Fn((usize, usize)) -> F) -> Self {
        let mut made = Self::zeros(shape);
        for i in 0..shape.0 {
            for j in 0..shape.1 {
                made[[i, j]] = f((i, j));
            }
        }
        made
    }
}
