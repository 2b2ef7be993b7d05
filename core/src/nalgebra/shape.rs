//! Rules of sizes, and of methods that only move entries: transposes, columns and rows, coordinates of vectors.
//!
//! They are linear, and so each tangent is what the method makes of the operand's. A column or a row is a view in the
//! function itself and owns its entries in derivative code, so that what follows must have a rule for the owned matrix:
//! `into_owned` and all that it has.

use nalgebra_0_35::allocator::Allocator;
use nalgebra_0_35::{
    DefaultAllocator, Dim, OMatrix, OVector, RealField, RowOVector, U1, Vector2, Vector3, Vector4,
};

use crate::{Differentiable, Float, differentiate, primitive, zero_adjoint};

/// The numbers of rows and columns, which have no derivatives. They may be asked in functions with second ones.
#[differentiate]
#[differentiate]
pub trait Shaped {
    /// The number of rows.
    fn nrows(&self) -> usize;

    /// The number of columns.
    fn ncols(&self) -> usize;

    /// Both numbers.
    fn shape(&self) -> (usize, usize);

    /// Whether both numbers are the same.
    fn is_square(&self) -> bool;

    /// Whether there are no entries.
    fn is_empty(&self) -> bool;
}

macro_rules! shaped {
    ($($method:ident $result:ty),*) => {
        #[differentiate]
        #[differentiate]
        impl<T, R, C> Shaped for OMatrix<T, R, C>
        where
            T: Float + RealField,
            R: Dim,
            C: Dim,
            DefaultAllocator: Allocator<R, C>,
        {$(
            #[zero_adjoint]
            fn $method(&self) -> $result {
                self.$method()
            }
        )*}
    };
}

shaped!(nrows usize, ncols usize, shape (usize, usize), is_square bool, is_empty bool);

/// The transpose.
#[differentiate]
#[differentiate]
pub trait Transposed {
    /// Its type.
    type Transpose: Differentiable;

    /// Rows for columns, `y = xᵀ`: `x̄ += ȳᵀ`.
    fn transpose(&self) -> Self::Transpose;
}

#[differentiate]
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

#[differentiate]
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
    ($method:ident $method_mut:ident $vjp:ident $jvp:ident $line:ty) => {
        fn $vjp<T, R, C>(
            x: &OMatrix<T, R, C>,
            at: usize,
        ) -> ($line, impl FnOnce(&OMatrix<T, R, C>, &mut OMatrix<T, R, C>, $line) + use<T, R, C>)
        where
            T: Float + RealField,
            R: Dim,
            C: Dim,
            DefaultAllocator: Allocator<R, C> + Allocator<R> + Allocator<U1, C>,
        {
            let back = move |_: &OMatrix<T, R, C>, x_bar: &mut OMatrix<T, R, C>, bar: $line| {
                let mut line = x_bar.$method_mut(at);
                line += bar;
            };
            (x.$method(at).into_owned(), back)
        }

        #[differentiate]
        fn $jvp<T, R, C>(
            x: &OMatrix<T, R, C>,
            x_dot: &OMatrix<T, R, C>,
            at: usize,
        ) -> ($line, $line)
        where
            T: Float + RealField,
            R: Dim,
            C: Dim,
            DefaultAllocator: Allocator<R, C> + Allocator<R> + Allocator<U1, C>,
        {
            (x.$method(at).into_owned(), x_dot.$method(at).into_owned())
        }
    };
}

line!(column column_mut column_vjp column_jvp OVector<T, R>);
line!(row row_mut row_vjp row_jvp RowOVector<T, C>);

/// Columns and rows that are put into a matrix.
#[differentiate]
#[differentiate]
pub trait SetLines: Lines {
    /// Writes a column, `x[.., at] = y`: `ȳ += x̄[.., at]`, and of what was there before nothing is left.
    fn set_column(&mut self, at: usize, column: &Self::Column);

    /// Writes a row, likewise.
    fn set_row(&mut self, at: usize, row: &Self::Row);
}

#[differentiate]
#[differentiate]
impl<T, R, C> SetLines for OMatrix<T, R, C>
where
    T: Float + RealField,
    R: Dim,
    C: Dim,
    DefaultAllocator: Allocator<R, C> + Allocator<R> + Allocator<U1, C>,
{
    #[primitive(vjp = set_column_vjp, jvp = set_column_jvp)]
    fn set_column(&mut self, at: usize, column: &Self::Column) {
        self.set_column(at, column);
    }

    #[primitive(vjp = set_row_vjp, jvp = set_row_jvp)]
    fn set_row(&mut self, at: usize, row: &Self::Row) {
        self.set_row(at, row);
    }
}

macro_rules! set_line {
    ($method:ident $line_mut:ident $vjp:ident $jvp:ident $of:ident $line:ty) => {
        fn $vjp<T, R, C>(
            x: &mut OMatrix<T, R, C>,
            at: usize,
            line: &$line,
        ) -> (
            (),
            impl FnOnce(&mut OMatrix<T, R, C>, &mut OMatrix<T, R, C>, &$line, &mut $line, ())
            + use<T, R, C>,
        )
        where
            T: Float + RealField,
            R: Dim,
            C: Dim,
            DefaultAllocator: Allocator<R, C> + Allocator<R> + Allocator<U1, C>,
        {
            let before = x.$of(at).into_owned();
            x.$method(at, line);
            let back = move |x: &mut OMatrix<T, R, C>,
                             x_bar: &mut OMatrix<T, R, C>,
                             _: &$line,
                             line_bar: &mut $line,
                             (): ()| {
                x.$method(at, &before);
                *line_bar += x_bar.$of(at);
                x_bar.$line_mut(at).fill(T::from_subset(&0.0));
            };
            ((), back)
        }

        #[differentiate]
        fn $jvp<T, R, C>(
            x: &mut OMatrix<T, R, C>,
            x_dot: &mut OMatrix<T, R, C>,
            at: usize,
            line: &$line,
            line_dot: &$line,
        ) -> ((), ())
        where
            T: Float + RealField,
            R: Dim,
            C: Dim,
            DefaultAllocator: Allocator<R, C> + Allocator<R> + Allocator<U1, C>,
        {
            x.$method(at, line);
            x_dot.$method(at, line_dot);
            ((), ())
        }
    };
}

set_line!(set_column column_mut set_column_vjp set_column_jvp column OVector<T, R>);
set_line!(set_row row_mut set_row_vjp set_row_jvp row RowOVector<T, C>);

/// Matrices of columns or of rows.
#[differentiate]
#[differentiate]
pub trait FromLines: Lines + Sized {
    /// With these columns, `x[.., i] = y[i]`: `ȳ[i] += x̄[.., i]`.
    fn from_columns(columns: &[Self::Column]) -> Self;

    /// With these rows, likewise.
    fn from_rows(rows: &[Self::Row]) -> Self;
}

#[differentiate]
#[differentiate]
impl<T, R, C> FromLines for OMatrix<T, R, C>
where
    T: Float + RealField,
    R: Dim,
    C: Dim,
    DefaultAllocator: Allocator<R, C> + Allocator<R> + Allocator<U1, C>,
{
    #[primitive(vjp = from_columns_vjp, jvp = from_columns_jvp)]
    fn from_columns(columns: &[Self::Column]) -> Self {
        Self::from_columns(columns)
    }

    #[primitive(vjp = from_rows_vjp, jvp = from_rows_jvp)]
    fn from_rows(rows: &[Self::Row]) -> Self {
        Self::from_rows(rows)
    }
}

macro_rules! from_lines {
    ($method:ident $of:ident $vjp:ident $jvp:ident $line:ty) => {
        fn $vjp<T, R, C>(
            lines: &[$line],
        ) -> (OMatrix<T, R, C>, impl FnOnce(&[$line], &mut [$line], OMatrix<T, R, C>) + use<T, R, C>)
        where
            T: Float + RealField,
            R: Dim,
            C: Dim,
            DefaultAllocator: Allocator<R, C> + Allocator<R> + Allocator<U1, C>,
        {
            let back = |_: &[$line], bars: &mut [$line], bar: OMatrix<T, R, C>| {
                bars.iter_mut().enumerate().for_each(|(at, line)| *line += bar.$of(at));
            };
            (OMatrix::$method(lines), back)
        }

        #[differentiate]
        fn $jvp<T, R, C>(lines: &[$line], dots: &[$line]) -> (OMatrix<T, R, C>, OMatrix<T, R, C>)
        where
            T: Float + RealField,
            R: Dim,
            C: Dim,
            DefaultAllocator: Allocator<R, C> + Allocator<R> + Allocator<U1, C>,
        {
            (OMatrix::<T, R, C>::$method(lines), OMatrix::<T, R, C>::$method(dots))
        }
    };
}

from_lines!(from_columns column from_columns_vjp from_columns_jvp OVector<T, R>);
from_lines!(from_rows row from_rows_vjp from_rows_jvp RowOVector<T, C>);

/// A matrix that owns its entries as it is.
#[differentiate]
#[differentiate]
pub trait Owning: Clone + Differentiable {
    /// The matrix itself, where in the function itself it may be a view: `x̄ += ȳ`.
    fn into_owned(self) -> Self;

    /// A copy: `x̄ += ȳ`.
    fn clone_owned(&self) -> Self;
}

#[differentiate]
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
#[differentiate]
pub trait Plane<T: Float + RealField> {
    /// The coordinates `x` and `y`.
    fn xy(&self) -> Vector2<T>;
}

/// Vectors of three coordinates of a vector.
#[differentiate]
#[differentiate]
pub trait Space<T: Float + RealField> {
    /// The coordinates `x`, `y` and `z`.
    fn xyz(&self) -> Vector3<T>;
}

macro_rules! coordinates {
    ($trait:ident $method:ident $result:ident ($($entry:ident)*): $vector:ident) => {
        #[differentiate]
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
