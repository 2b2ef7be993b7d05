//! Rules of what only square matrices have, and of the cross product.
//!
//! Formulas of determinants and inverses: M. B. Giles, Collected matrix derivative results for forward and reverse mode
//! algorithmic differentiation, 2008, sections 2.2.3 and 2.2.4.

use nalgebra_0_35::allocator::Allocator;
use nalgebra_0_35::{
    DMatrix, DefaultAllocator, Dim, DimMin, Matrix3, OMatrix, OVector, RealField, RowVector3,
    Vector3,
};

use super::components::Components;
use super::direction::by_direction;
use super::entries::Entries;
use crate::{Differentiable, Float, differentiate, primitive};

/// What square matrices have.
#[differentiate]
#[differentiate]
pub trait Square<T: Float>: Entries<T> {
    /// The sum of the diagonal, `s = Σ x[i, i]`: `x̄[i, i] += s̄`.
    fn trace(&self) -> T;

    /// The determinant, `d = |x|`: `x̄ += d̄ C`, where `C` are the cofactors, `d x⁻ᵀ` of a regular matrix.
    fn determinant(&self) -> T;

    /// The type of a vector of as many entries as there are rows.
    type Diagonal: Differentiable;

    /// The diagonal, `y[i] = x[i, i]`: `x̄[i, i] += ȳ[i]`.
    fn diagonal(&self) -> Self::Diagonal;

    /// The matrix that has this diagonal and zeros, `x[i, i] = y[i]`: `ȳ[i] += x̄[i, i]`.
    fn from_diagonal(diagonal: &Self::Diagonal) -> Self;

    /// The inverse, where there is one, `y = x⁻¹`: `x̄ -= yᵀ ȳ yᵀ`.
    fn try_inverse(self) -> Option<Self>;
}

#[differentiate]
#[differentiate]
impl<T, D> Square<T> for OMatrix<T, D, D>
where
    T: Float + RealField,
    D: DimMin<D, Output = D>,
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    type Diagonal = OVector<T, D>;

    #[primitive(vjp = diagonal_vjp, jvp = diagonal_jvp)]
    fn diagonal(&self) -> Self::Diagonal {
        self.diagonal()
    }

    #[primitive(vjp = from_diagonal_vjp, jvp = from_diagonal_jvp)]
    fn from_diagonal(diagonal: &Self::Diagonal) -> Self {
        Self::from_diagonal(diagonal)
    }

    #[primitive(vjp = trace_vjp, jvp = trace_jvp)]
    fn trace(&self) -> T {
        self.trace()
    }

    #[primitive(vjp = determinant_vjp, jvp = determinant_jvp)]
    fn determinant(&self) -> T {
        self.determinant()
    }

    #[primitive(vjp = try_inverse_vjp, jvp = try_inverse_jvp)]
    fn try_inverse(self) -> Option<Self> {
        self.try_inverse()
    }
}

fn trace_vjp<T, D>(
    x: &OMatrix<T, D, D>,
) -> (T, impl FnOnce(&OMatrix<T, D, D>, &mut OMatrix<T, D, D>, T) + use<T, D>)
where
    T: Float + RealField,
    D: DimMin<D, Output = D>,
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    (x.trace(), |_: &OMatrix<T, D, D>, x_bar: &mut OMatrix<T, D, D>, bar: T| {
        (0..x_bar.nrows()).for_each(|at| x_bar[(at, at)] += bar);
    })
}

#[differentiate]
fn trace_jvp<T, D>(x: &OMatrix<T, D, D>, x_dot: &OMatrix<T, D, D>) -> (T, T)
where
    T: Float + RealField,
    D: DimMin<D, Output = D>,
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    (x.trace(), x_dot.trace())
}

fn diagonal_vjp<T, D>(
    x: &OMatrix<T, D, D>,
) -> (OVector<T, D>, impl FnOnce(&OMatrix<T, D, D>, &mut OMatrix<T, D, D>, OVector<T, D>) + use<T, D>)
where
    T: Float + RealField,
    D: DimMin<D, Output = D>,
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    (x.diagonal(), |_: &OMatrix<T, D, D>, x_bar: &mut OMatrix<T, D, D>, bar: OVector<T, D>| {
        (0..x_bar.nrows()).for_each(|at| x_bar[(at, at)] += bar[at]);
    })
}

#[differentiate]
fn diagonal_jvp<T, D>(
    x: &OMatrix<T, D, D>,
    x_dot: &OMatrix<T, D, D>,
) -> (OVector<T, D>, OVector<T, D>)
where
    T: Float + RealField,
    D: DimMin<D, Output = D>,
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    (x.diagonal(), x_dot.diagonal())
}

fn from_diagonal_vjp<T, D>(
    y: &OVector<T, D>,
) -> (OMatrix<T, D, D>, impl FnOnce(&OVector<T, D>, &mut OVector<T, D>, OMatrix<T, D, D>) + use<T, D>)
where
    T: Float + RealField,
    D: DimMin<D, Output = D>,
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    let back = |_: &OVector<T, D>, y_bar: &mut OVector<T, D>, bar: OMatrix<T, D, D>| {
        *y_bar += bar.diagonal();
    };
    (OMatrix::from_diagonal(y), back)
}

#[differentiate]
fn from_diagonal_jvp<T, D>(
    y: &OVector<T, D>,
    y_dot: &OVector<T, D>,
) -> (OMatrix<T, D, D>, OMatrix<T, D, D>)
where
    T: Float + RealField,
    D: DimMin<D, Output = D>,
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    (OMatrix::<T, D, D>::from_diagonal(y), OMatrix::<T, D, D>::from_diagonal(y_dot))
}

/// The derivative of the determinant: of up to three rows in closed form, and of more that of a regular matrix by its
/// inverse. A singular one has it, too: its minors are determinants. Its own derivative is symmetric, being the second one
/// of the determinant.
#[primitive(vjp = cofactors_vjp, jvp = cofactors_jvp)]
pub(super) fn cofactors<T, D>(x: &OMatrix<T, D, D>) -> OMatrix<T, D, D>
where
    T: Float + RealField,
    D: DimMin<D, Output = D>,
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    let (rows, columns) = x.shape_generic();
    let inverse = if x.nrows() > 3 { x.clone().try_inverse() } else { None };
    match inverse {
        Some(inverse) => inverse.transpose() * x.determinant(),
        None => OMatrix::from_fn_generic(rows, columns, |row, column| cofactor(x, row, column)),
    }
}

/// The determinant of what is left without this row and this column, with its sign.
fn cofactor<T, D>(x: &OMatrix<T, D, D>, row: usize, column: usize) -> T
where
    T: Float + RealField,
    D: DimMin<D, Output = D>,
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    let at = |i: usize, j: usize| x[(i + usize::from(i >= row), j + usize::from(j >= column))];
    let minor = match x.nrows() {
        1 => T::from_subset(&1.0),
        2 => at(0, 0),
        3 => at(0, 0) * at(1, 1) - at(0, 1) * at(1, 0),
        n => DMatrix::from_fn(n - 1, n - 1, at).determinant(),
    };
    if (row + column).is_multiple_of(2) { minor } else { -minor }
}

by_direction! {
    cofactors cofactors_vjp cofactors_jvp OMatrix<T, D, D>: (DimMin<D, Output = D>) (Allocator<D, D> + Allocator<D>)
    |x, bar| cofactors_along(x, bar), |x, dot| cofactors_along(x, dot)
}

/// The tangent of the cofactors along `v`: of up to three rows in closed form, and of more by singular values, since with an
/// inverse little would be left of the digits where the matrix is almost singular.
pub(super) fn cofactors_along<T, D>(x: &OMatrix<T, D, D>, v: &OMatrix<T, D, D>) -> OMatrix<T, D, D>
where
    T: Float + RealField,
    D: DimMin<D, Output = D>,
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    let (rows, columns) = x.shape_generic();
    if x.nrows() > 3 {
        let n = x.nrows();
        let [x, v] = [x, v].map(|of| DMatrix::from_fn(n, n, |i, j| of[(i, j)]));
        let along = along_by_singular_values(x, &v);
        return OMatrix::from_fn_generic(rows, columns, |i, j| along[(i, j)]);
    }
    OMatrix::from_fn_generic(rows, columns, |row, column| cofactor_along(x, v, row, column))
}

/// That of one of them, of up to three rows.
fn cofactor_along<T, D>(x: &OMatrix<T, D, D>, v: &OMatrix<T, D, D>, row: usize, column: usize) -> T
where
    T: Float + RealField,
    D: Dim,
    DefaultAllocator: Allocator<D, D>,
{
    let n = x.nrows();
    let behind = |i: usize, j: usize| (i + usize::from(i >= row), j + usize::from(j >= column));
    let (x, v) = (|i, j| x[behind(i, j)], |i, j| v[behind(i, j)]);
    let minor = match n {
        1 => T::from_subset(&0.0),
        2 => v(0, 0),
        _ => v(0, 0) * x(1, 1) + x(0, 0) * v(1, 1) - v(0, 1) * x(1, 0) - x(0, 1) * v(1, 0),
    };
    if (row + column).is_multiple_of(2) { minor } else { -minor }
}

/// That of all. With `x = U Σ Vᵀ` and `w = Uᵀ v V` it is `U h Vᵀ |U| |V|`, where `h[i, i] = Σ p[i, k] w[k, k]` over the other `k`
/// and `h[i, j] = -p[i, j] w[j, i]`, and `p[i, j]` is the product of all singular values but these two: the determinant is
/// linear in each entry, and so of a diagonal matrix this can be read off its minors of two rows.
fn along_by_singular_values<T: Float + RealField>(x: DMatrix<T>, v: &DMatrix<T>) -> DMatrix<T> {
    let (n, zero) = (x.nrows(), T::from_subset(&0.0));
    // Without this the search for singular values would not end.
    if !x.iter().all(|entry| num_traits::Float::is_finite(*entry)) {
        return DMatrix::from_element(n, n, <T as num_traits::Float>::nan());
    }
    let svd = x.svd(true, true);
    let (Some(u), Some(v_t), values) = (svd.u, svd.v_t, svd.singular_values) else {
        unreachable!("both were asked for")
    };
    let sign = num_traits::Float::signum(u.determinant() * v_t.determinant());
    let w = u.tr_mul(v) * v_t.transpose();
    let but = |i: usize, j: usize| {
        let others = (0..n).filter(|k| *k != i && *k != j);
        others.fold(sign, |product, k| product * values[k])
    };
    let h = DMatrix::from_fn(n, n, |i, j| match i == j {
        true => (0..n).filter(|k| *k != i).fold(zero, |sum, k| sum + but(i, k) * w[(k, k)]),
        false => -(but(i, j) * w[(j, i)]),
    });
    u * h * v_t
}

fn determinant_vjp<T, D>(
    x: &OMatrix<T, D, D>,
) -> (T, impl FnOnce(&OMatrix<T, D, D>, &mut OMatrix<T, D, D>, T) + use<T, D>)
where
    T: Float + RealField,
    D: DimMin<D, Output = D>,
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    (x.determinant(), |x: &OMatrix<T, D, D>, x_bar: &mut OMatrix<T, D, D>, bar: T| {
        x_bar.add_scaled(bar, &cofactors(x));
    })
}

#[differentiate]
fn determinant_jvp<T, D>(x: &OMatrix<T, D, D>, x_dot: &OMatrix<T, D, D>) -> (T, T)
where
    T: Float + RealField,
    D: DimMin<D, Output = D>,
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    (x.determinant(), cofactors(x).dot(x_dot))
}

fn try_inverse_vjp<T, D>(
    x: OMatrix<T, D, D>,
) -> (Option<OMatrix<T, D, D>>, impl FnOnce(Option<OMatrix<T, D, D>>) -> OMatrix<T, D, D> + use<T, D>)
where
    T: Float + RealField,
    D: DimMin<D, Output = D>,
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    let zero = x.map(|_| T::from_subset(&0.0));
    let inverse = x.try_inverse();
    (inverse.clone(), move |bar: Option<OMatrix<T, D, D>>| {
        let (Some(inverse), Some(bar)) = (inverse, bar) else { return zero };
        let transpose = inverse.transpose();
        -(&transpose * bar * &transpose)
    })
}

#[differentiate]
fn try_inverse_jvp<T, D>(
    x: OMatrix<T, D, D>,
    x_dot: OMatrix<T, D, D>,
) -> (Option<OMatrix<T, D, D>>, Option<OMatrix<T, D, D>>)
where
    T: Float + RealField,
    D: DimMin<D, Output = D>,
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    match x.try_inverse() {
        Some(inverse) => {
            let dot = -(&inverse * x_dot * &inverse);
            (Some(inverse), Some(dot))
        }
        None => (None, None),
    }
}

/// What vectors of three coordinates have.
#[differentiate]
#[differentiate]
pub trait Cross<T: Float>: Entries<T> {
    /// The cross product, `c = x × y`: `x̄ += y × c̄`, `ȳ += c̄ × x`.
    fn cross(&self, y: &Self) -> Self;
}

macro_rules! cross {
    ($($vector:ident)*) => {$(
        const _: () = {
            #[differentiate]
            #[differentiate]
            impl<T: Float + RealField> Cross<T> for $vector<T> {
                #[primitive(vjp = cross_vjp, jvp = cross_jvp)]
                fn cross(&self, y: &Self) -> Self {
                    self.cross(y)
                }
            }

            #[differentiate]
            fn cross_jvp<T: Float + RealField>(
                x: &$vector<T>,
                x_dot: &$vector<T>,
                y: &$vector<T>,
                y_dot: &$vector<T>,
            ) -> ($vector<T>, $vector<T>) {
                (x.cross(y), x_dot.cross(y) + x.cross(y_dot))
            }
        };
    )*};
}

cross!(Vector3 RowVector3);

fn cross_vjp<T: Float, V: Cross<T>>(
    x: &V,
    y: &V,
) -> (V, impl FnOnce(&V, &mut V, &V, &mut V, V) + use<T, V>) {
    (x.cross(y), |x: &V, x_bar: &mut V, y: &V, y_bar: &mut V, bar: V| {
        x_bar.add_scaled(T::one(), &y.cross(&bar));
        y_bar.add_scaled(T::one(), &bar.cross(x));
    })
}

/// The matrix of a cross product.
#[differentiate]
#[differentiate]
pub trait CrossMatrix<T: Float + RealField> {
    /// The matrix that takes `y` to `x × y`.
    fn cross_matrix(&self) -> Matrix3<T>;
}

#[differentiate]
#[differentiate]
impl<T: Float + RealField> CrossMatrix<T> for Vector3<T> {
    fn cross_matrix(&self) -> Matrix3<T> {
        let mut made = Matrix3::zeros();
        made.m12 = -self.z;
        made.m13 = self.y;
        made.m21 = self.z;
        made.m23 = -self.x;
        made.m31 = -self.y;
        made.m32 = self.x;
        made
    }
}
