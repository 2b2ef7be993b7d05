//! Rules of methods that only move entries: transposes, columns and rows, vectors with an entry more or fewer.
//!
//! They are linear, and so each tangent is what the method makes of the operand's. A column or a row is a view in the
//! function itself and owns its entries in derivative code, so that what follows must have a rule for the owned matrix:
//! `into_owned` and all that it has.

use nalgebra_0_35::allocator::Allocator;
use nalgebra_0_35::{
    DefaultAllocator, Dim, OMatrix, OVector, RealField, RowOVector, U1, Vector2, Vector3, Vector4,
};

use crate::{Differentiable, Float, differentiate, primitive};

/// The transpose.
#[differentiate]
pub trait Transposed {
    /// Its type.
    type Transpose: Differentiable;

    /// Rows for columns, `y = xᵀ`: `x̄ += ȳᵀ`.
    fn transpose(&self) -> Self::Transpose;
}

#[differentiate]
impl<T, R, C> Transposed for OMatrix<T, R, C>
where
    T: Float + RealField,
    R: Dim,
    C: Dim,
    DefaultAllocator: Allocator<R, C> + Allocator<C, R>,
{
    type Transpose = OMatrix<T, C, R>;

    #[primitive(vjp = transpose_vjp, jvp = transpose_jvp)]
    fn transpose(&self) -> Self::Transpose {
        self.transpose()
    }
}

fn transpose_vjp<T, R, C>(
    x: &OMatrix<T, R, C>,
) -> (
    OMatrix<T, C, R>,
    impl FnOnce(&OMatrix<T, R, C>, &mut OMatrix<T, R, C>, OMatrix<T, C, R>) + use<T, R, C>,
)
where
    T: Float + RealField,
    R: Dim,
    C: Dim,
    DefaultAllocator: Allocator<R, C> + Allocator<C, R>,
{
    let back = |_: &OMatrix<T, R, C>, x_bar: &mut OMatrix<T, R, C>, bar: OMatrix<T, C, R>| {
        *x_bar += bar.transpose();
    };
    (x.transpose(), back)
}

fn transpose_jvp<T, R, C>(
    x: &OMatrix<T, R, C>,
    x_dot: &OMatrix<T, R, C>,
) -> (OMatrix<T, C, R>, OMatrix<T, C, R>)
where
    T: Float + RealField,
    R: Dim,
    C: Dim,
    DefaultAllocator: Allocator<R, C> + Allocator<C, R>,
{
    (x.transpose(), x_dot.transpose())
}

/// Columns and rows.
#[differentiate]
pub trait Lines {
    /// The type of a column that owns its entries.
    type Column: Differentiable;
    /// Likewise of a row.
    type Row: Differentiable;

    /// The column of this index, `y = x[.., at]`: `x̄[.., at] += ȳ`. Panics when there is none.
    fn column(&self, at: usize) -> Self::Column;

    /// The row of this index, `y = x[at, ..]`: `x̄[at, ..] += ȳ`. Panics when there is none.
    fn row(&self, at: usize) -> Self::Row;
}

#[differentiate]
impl<T, R, C> Lines for OMatrix<T, R, C>
where
    T: Float + RealField,
    R: Dim,
    C: Dim,
    DefaultAllocator: Allocator<R, C> + Allocator<R> + Allocator<U1, C>,
{
    type Column = OVector<T, R>;
    type Row = RowOVector<T, C>;

    #[primitive(vjp = column_vjp, jvp = column_jvp)]
    fn column(&self, at: usize) -> Self::Column {
        self.column(at).into_owned()
    }

    #[primitive(vjp = row_vjp, jvp = row_jvp)]
    fn row(&self, at: usize) -> Self::Row {
        self.row(at).into_owned()
    }
}

macro_rules! line {
    ($method:ident $method_mut:ident $vjp:ident $jvp:ident $line:ty: $allocator:path) => {
        fn $vjp<T, R, C>(
            x: &OMatrix<T, R, C>,
            at: usize,
        ) -> ($line, impl FnOnce(&OMatrix<T, R, C>, &mut OMatrix<T, R, C>, $line) + use<T, R, C>)
        where
            T: Float + RealField,
            R: Dim,
            C: Dim,
            DefaultAllocator: Allocator<R, C> + $allocator,
        {
            let back = move |_: &OMatrix<T, R, C>, x_bar: &mut OMatrix<T, R, C>, bar: $line| {
                let mut line = x_bar.$method_mut(at);
                line += bar;
            };
            (x.$method(at).into_owned(), back)
        }

        fn $jvp<T, R, C>(
            x: &OMatrix<T, R, C>,
            x_dot: &OMatrix<T, R, C>,
            at: usize,
        ) -> ($line, $line)
        where
            T: Float + RealField,
            R: Dim,
            C: Dim,
            DefaultAllocator: Allocator<R, C> + $allocator,
        {
            (x.$method(at).into_owned(), x_dot.$method(at).into_owned())
        }
    };
}

line!(column column_mut column_vjp column_jvp OVector<T, R>: Allocator<R>);
line!(row row_mut row_vjp row_jvp RowOVector<T, C>: Allocator<U1, C>);

/// A matrix that owns its entries as it is.
#[differentiate]
pub trait Owning: Clone + Differentiable {
    /// The matrix itself, where in the function itself it may be a view: `x̄ += ȳ`.
    fn into_owned(self) -> Self;

    /// A copy: `x̄ += ȳ`.
    fn clone_owned(&self) -> Self;
}

#[differentiate]
impl<T, R, C> Owning for OMatrix<T, R, C>
where
    T: Float + RealField,
    R: Dim,
    C: Dim,
    DefaultAllocator: Allocator<R, C>,
{
    fn into_owned(self) -> Self {
        self
    }

    fn clone_owned(&self) -> Self {
        self.clone()
    }
}

/// Vectors of two coordinates of a vector.
#[differentiate]
pub trait Plane<T: Float + RealField> {
    /// The coordinates `x` and `y`.
    fn xy(&self) -> Vector2<T>;
}

/// Vectors of three coordinates of a vector.
#[differentiate]
pub trait Space<T: Float + RealField> {
    /// The coordinates `x`, `y` and `z`.
    fn xyz(&self) -> Vector3<T>;
}

macro_rules! coordinates {
    ($trait:ident $method:ident $result:ident ($($entry:ident)*): $vector:ident) => {
        #[differentiate]
        impl<T: Float + RealField> $trait<T> for $vector<T> {
            fn $method(&self) -> $result<T> {
                let mut made = $result::zeros();
                $( made.$entry = self.$entry; )*
                made
            }
        }
    };
}

coordinates!(Plane xy Vector2 (x y): Vector2);
coordinates!(Plane xy Vector2 (x y): Vector3);
coordinates!(Plane xy Vector2 (x y): Vector4);
coordinates!(Space xyz Vector3 (x y z): Vector3);
coordinates!(Space xyz Vector3 (x y z): Vector4);

/// A vector with one more coordinate.
#[differentiate]
pub trait Longer<T: Float + RealField> {
    /// The type of that vector.
    type Longer: Differentiable;

    /// With this coordinate at the end.
    fn push(&self, last: T) -> Self::Longer;
}

macro_rules! longer {
    ($vector:ident ($($entry:ident)*) -> $longer:ident $last:ident) => {
        #[differentiate]
        impl<T: Float + RealField> Longer<T> for $vector<T> {
            type Longer = $longer<T>;

            fn push(&self, last: T) -> Self::Longer {
                let mut made = $longer::zeros();
                $( made.$entry = self.$entry; )*
                made.$last = last;
                made
            }
        }
    };
}

longer!(Vector2 (x y) -> Vector3 z);
longer!(Vector3 (x y z) -> Vector4 w);
