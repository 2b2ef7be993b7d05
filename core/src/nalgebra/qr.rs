//! Rules of the factors `x = Q R` of a matrix of `m` rows and `n` columns, where `Q` has `k = min(m, n)` columns.
//!
//! With `U` for the first `k` columns of `R`, `c = Qᵀ ẋ[.., ..k] U⁻¹` and its skew part `Ω`, which has the lower
//! triangle of `c`, the tangents are `Q̇ = ẋ[.., ..k] U⁻¹ - Q (c - Ω)` and `Ṙ = Qᵀ ẋ - Ω R`. Cotangents are their
//! transposes. Where the first `k` columns depend on each other, `U` is singular, the factors have no derivative, and
//! what comes out is no number.
//!
//! Invariant: the tangent of factors is that of the matrix, so that a factorisation has nothing to do backwards.
//!
//! Formulas: S. F. Walter and L. Lehmann, Algorithmic differentiation of linear algebra functions with application in
//! optimum experimental design, 2010.

use nalgebra_0_35::allocator::Allocator;
use nalgebra_0_35::linalg::QR;
use nalgebra_0_35::{DefaultAllocator, Dim, DimMin, DimMinimum, OMatrix, RealField};

use crate::floats::{FloatVisitor, FloatVisitorMut};
use crate::visit::Visitor;
use crate::{Differentiable, Float, differentiate, primitive};

/// Memory for all that the rules of these factors compute.
pub trait Factoring<R: DimMin<C>, C: Dim>:
    Allocator<R, C>
    + Allocator<R>
    + Allocator<DimMinimum<R, C>>
    + Allocator<R, DimMinimum<R, C>>
    + Allocator<DimMinimum<R, C>, R>
    + Allocator<DimMinimum<R, C>, C>
    + Allocator<C, DimMinimum<R, C>>
    + Allocator<DimMinimum<R, C>, DimMinimum<R, C>>
{
}

impl<R: DimMin<C>, C: Dim> Factoring<R, C> for DefaultAllocator where
    DefaultAllocator: Allocator<R, C>
        + Allocator<R>
        + Allocator<DimMinimum<R, C>>
        + Allocator<R, DimMinimum<R, C>>
        + Allocator<DimMinimum<R, C>, R>
        + Allocator<DimMinimum<R, C>, C>
        + Allocator<C, DimMinimum<R, C>>
        + Allocator<DimMinimum<R, C>, DimMinimum<R, C>>
{
}

/// The factors of a matrix, as derivative code has them.
#[derive(Clone, Debug)]
pub struct QrFactors<T: RealField, R: DimMin<C>, C: Dim>(QR<T, R, C>)
where
    DefaultAllocator: Allocator<R, C> + Allocator<DimMinimum<R, C>>;

impl<T, R, C> Differentiable for QrFactors<T, R, C>
where
    T: Float + RealField,
    R: DimMin<C>,
    C: Dim,
    DefaultAllocator: Allocator<R, C> + Allocator<R> + Allocator<DimMinimum<R, C>>,
{
    type Tangent = OMatrix<T, R, C>;

    fn zero_tangent(&self) -> Self::Tangent {
        self.0.qr_internal().zero_tangent()
    }

    fn perturb(&mut self, _: &Self::Tangent, _: f64) {
        unreachable!("factors are no arguments of a function")
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        Differentiable::visit(self.0.qr_internal(), visitor);
    }

    fn visit_floats(&self, visitor: &mut (impl FloatVisitor + ?Sized)) {
        self.0.qr_internal().visit_floats(visitor);
    }

    fn visit_floats_mut(&mut self, _: &mut (impl FloatVisitorMut + ?Sized)) {
        unreachable!("factors are no arguments of a function")
    }
}

/// Matrices that are factorised into orthogonal columns and a triangle.
#[differentiate]
pub trait FactorisedOrthogonal: Sized {
    /// The factors.
    type Qr: Differentiable;

    /// The factors `x = Q R`. `q`, `r` and `unpack` of them have rules.
    fn qr(self) -> Self::Qr;
}

#[differentiate]
impl<T, R, C> FactorisedOrthogonal for OMatrix<T, R, C>
where
    T: Float + RealField,
    R: DimMin<C>,
    C: Dim,
    DefaultAllocator: Allocator<R, C> + Allocator<R> + Allocator<DimMinimum<R, C>>,
{
    type Qr = QrFactors<T, R, C>;

    #[primitive(vjp = qr_vjp, jvp = qr_jvp)]
    fn qr(self) -> Self::Qr {
        QrFactors(self.qr())
    }
}

fn qr_vjp<T, R, C>(
    x: OMatrix<T, R, C>,
) -> (QrFactors<T, R, C>, impl FnOnce(OMatrix<T, R, C>) -> OMatrix<T, R, C> + use<T, R, C>)
where
    T: Float + RealField,
    R: DimMin<C>,
    C: Dim,
    DefaultAllocator: Allocator<R, C> + Allocator<R> + Allocator<DimMinimum<R, C>>,
{
    (QrFactors(x.qr()), |bar: OMatrix<T, R, C>| bar)
}

fn qr_jvp<T, R, C>(
    x: OMatrix<T, R, C>,
    x_dot: OMatrix<T, R, C>,
) -> (QrFactors<T, R, C>, OMatrix<T, R, C>)
where
    T: Float + RealField,
    R: DimMin<C>,
    C: Dim,
    DefaultAllocator: Allocator<R, C> + Allocator<R> + Allocator<DimMinimum<R, C>>,
{
    (QrFactors(x.qr()), x_dot)
}

/// The factors `Q` and `R` of a matrix of `m` rows and `n` columns, which have `k = min(m, n)` columns and rows.
///
/// In formulas `U` are the first `k` columns of `R`. Where the first `k` columns of the matrix depend on each other,
/// the factors have no derivative, and what comes out is no number.
#[differentiate]
pub trait OfQr: Sized {
    /// The type of the orthogonal columns.
    type Q: Differentiable;
    /// The type of the triangle.
    type R: Differentiable;

    /// The orthogonal columns. With `w = Qᵀ Q̄`: `x̄[.., ..k] += (Q̄ - Q (w - tril(w - wᵀ))) U⁻ᵀ`.
    fn q(&self) -> Self::Q;

    /// The triangle. With `v = R̄ Rᵀ`: `x̄ += Q R̄` and `x̄[.., ..k] -= Q tril(v - vᵀ) U⁻ᵀ`, where `tril` leaves what is
    /// below the diagonal.
    fn r(&self) -> Self::R;

    /// Both.
    fn unpack(self) -> (Self::Q, Self::R);
}

#[differentiate]
impl<T, R, C> OfQr for QrFactors<T, R, C>
where
    T: Float + RealField,
    R: DimMin<C>,
    C: Dim,
    DefaultAllocator: Factoring<R, C>,
{
    type Q = OMatrix<T, R, DimMinimum<R, C>>;
    type R = OMatrix<T, DimMinimum<R, C>, C>;

    #[primitive(vjp = q_vjp, jvp = q_jvp)]
    fn q(&self) -> Self::Q {
        self.0.q()
    }

    #[primitive(vjp = r_vjp, jvp = r_jvp)]
    fn r(&self) -> Self::R {
        self.0.r()
    }

    fn unpack(self) -> (Self::Q, Self::R) {
        (self.q(), self.r())
    }
}

/// The square left part `U` of the triangle.
fn left<T, K, C>(r: &OMatrix<T, K, C>) -> OMatrix<T, K, K>
where
    T: Float + RealField,
    K: Dim,
    C: Dim,
    DefaultAllocator: Allocator<K, C> + Allocator<K, K>,
{
    r.columns_generic(0, r.shape_generic().0).into_owned()
}

/// `x` is no number where a triangle by which it was to be divided is singular.
fn unless_singular<T, R, C>(is_regular: bool, x: &mut OMatrix<T, R, C>)
where
    T: Float + RealField,
    R: Dim,
    C: Dim,
    DefaultAllocator: Allocator<R, C>,
{
    if !is_regular {
        x.fill(T::nan());
    }
}

/// Adds `y U⁻ᵀ` to the first columns.
fn add_divided<T, R, C>(
    y: &OMatrix<T, R, DimMinimum<R, C>>,
    r: &OMatrix<T, DimMinimum<R, C>, C>,
    x_bar: &mut OMatrix<T, R, C>,
) where
    T: Float + RealField,
    R: DimMin<C>,
    C: Dim,
    DefaultAllocator: Factoring<R, C>,
{
    let mut transposed = y.transpose();
    let is_regular = left(r).solve_upper_triangular_mut(&mut transposed);
    unless_singular(is_regular, &mut transposed);
    let mut columns = x_bar.columns_generic_mut(0, y.shape_generic().1);
    columns += transposed.transpose();
}

/// `tril(x - xᵀ)`, the lower triangle without the diagonal.
fn skew_below<T, K>(x: &OMatrix<T, K, K>) -> OMatrix<T, K, K>
where
    T: Float + RealField,
    K: Dim,
    DefaultAllocator: Allocator<K, K>,
{
    let mut skew = x - x.transpose();
    skew.fill_upper_triangle(T::from_subset(&0.0), 0);
    skew
}

fn q_vjp<T, R, C>(
    x: &QrFactors<T, R, C>,
) -> (
    OMatrix<T, R, DimMinimum<R, C>>,
    impl FnOnce(&QrFactors<T, R, C>, &mut OMatrix<T, R, C>, OMatrix<T, R, DimMinimum<R, C>>)
    + use<T, R, C>,
)
where
    T: Float + RealField,
    R: DimMin<C>,
    C: Dim,
    DefaultAllocator: Factoring<R, C>,
{
    let back = |x: &QrFactors<T, R, C>,
                x_bar: &mut OMatrix<T, R, C>,
                bar: OMatrix<T, R, DimMinimum<R, C>>| {
        let q = x.0.q();
        let w = q.tr_mul(&bar);
        let turned = &q * (&w - skew_below(&w));
        add_divided::<T, R, C>(&(bar - turned), &x.0.r(), x_bar);
    };
    (x.0.q(), back)
}

fn r_vjp<T, R, C>(
    x: &QrFactors<T, R, C>,
) -> (
    OMatrix<T, DimMinimum<R, C>, C>,
    impl FnOnce(&QrFactors<T, R, C>, &mut OMatrix<T, R, C>, OMatrix<T, DimMinimum<R, C>, C>)
    + use<T, R, C>,
)
where
    T: Float + RealField,
    R: DimMin<C>,
    C: Dim,
    DefaultAllocator: Factoring<R, C>,
{
    let back = |x: &QrFactors<T, R, C>,
                x_bar: &mut OMatrix<T, R, C>,
                mut bar: OMatrix<T, DimMinimum<R, C>, C>| {
        let (q, r) = (x.0.q(), x.0.r());
        bar.fill_lower_triangle(T::from_subset(&0.0), 1);
        let turned = &q * skew_below(&(&bar * r.transpose()));
        add_divided::<T, R, C>(&-turned, &r, x_bar);
        *x_bar += q * bar;
    };
    (x.0.r(), back)
}

/// `ẋ[.., ..k] U⁻¹`, the product `c` of that with `Qᵀ`, and the skew part `Ω` of this.
type Turning<T, R, C> = (
    OMatrix<T, R, DimMinimum<R, C>>,
    OMatrix<T, DimMinimum<R, C>, DimMinimum<R, C>>,
    OMatrix<T, DimMinimum<R, C>, DimMinimum<R, C>>,
);

/// What tangents are made of.
fn turning<T, R, C>(
    q: &OMatrix<T, R, DimMinimum<R, C>>,
    r: &OMatrix<T, DimMinimum<R, C>, C>,
    x_dot: &OMatrix<T, R, C>,
) -> Turning<T, R, C>
where
    T: Float + RealField,
    R: DimMin<C>,
    C: Dim,
    DefaultAllocator: Factoring<R, C>,
{
    let mut transposed = x_dot.columns_generic(0, q.shape_generic().1).transpose();
    let is_regular = left(r).tr_solve_upper_triangular_mut(&mut transposed);
    unless_singular(is_regular, &mut transposed);
    let divided = transposed.transpose();
    let c = q.tr_mul(&divided);
    let mut lower = c.clone();
    lower.fill_upper_triangle(T::from_subset(&0.0), 0);
    let skew = &lower - lower.transpose();
    (divided, c, skew)
}

fn q_jvp<T, R, C>(
    x: &QrFactors<T, R, C>,
    x_dot: &OMatrix<T, R, C>,
) -> (OMatrix<T, R, DimMinimum<R, C>>, OMatrix<T, R, DimMinimum<R, C>>)
where
    T: Float + RealField,
    R: DimMin<C>,
    C: Dim,
    DefaultAllocator: Factoring<R, C>,
{
    let q = x.0.q();
    let (divided, c, skew) = turning::<T, R, C>(&q, &x.0.r(), x_dot);
    let dot = divided - &q * (c - skew);
    (q, dot)
}

fn r_jvp<T, R, C>(
    x: &QrFactors<T, R, C>,
    x_dot: &OMatrix<T, R, C>,
) -> (OMatrix<T, DimMinimum<R, C>, C>, OMatrix<T, DimMinimum<R, C>, C>)
where
    T: Float + RealField,
    R: DimMin<C>,
    C: Dim,
    DefaultAllocator: Factoring<R, C>,
{
    let (q, r) = (x.0.q(), x.0.r());
    let (_, _, skew) = turning::<T, R, C>(&q, &r, x_dot);
    let mut dot = q.tr_mul(x_dot) - skew * &r;
    dot.fill_lower_triangle(T::from_subset(&0.0), 1);
    (r, dot)
}
