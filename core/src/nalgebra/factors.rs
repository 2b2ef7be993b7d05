//! Rules of factorisations and of what is solved by them.
//!
//! In derivative code factors are of types of their own, whose tangent is that of the matrix, so that a factorisation
//! itself has nothing to do backwards: the adjoint of a solve is a solve with the same factors. A factorisation by
//! Cholesky reads the lower triangle, and so nothing goes back to what is above the diagonal. Invariant: tangents have
//! the sizes of the matrix.
//!
//! Formulas: M. B. Giles, Collected matrix derivative results for forward and reverse mode algorithmic differentiation,
//! 2008, sections 2.2.3 and 2.2.4; I. Murray, Differentiation of the Cholesky decomposition, 2016, section 3.1.

use nalgebra_0_35::allocator::Allocator;
use nalgebra_0_35::linalg::{Cholesky, LU};
use nalgebra_0_35::{DefaultAllocator, Dim, DimMin, OMatrix, RealField, Scalar};

use super::components::Components;
use super::direction::by_direction;
use super::shape::Transposed;
use super::square::{cofactors, cofactors_along};
use crate::floats::{FloatVisitor, FloatVisitorMut};
use crate::visit::Visitor;
use crate::{Differentiable, Float, differentiate, primitive};

/// The factors of a matrix with rows exchanged, as derivative code has them.
#[derive(Clone, Debug)]
pub struct LuFactors<T: RealField, D: DimMin<D, Output = D>>(LU<T, D, D>)
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>;

/// The factor of a symmetric matrix, as derivative code has it.
#[derive(Clone, Debug)]
pub struct CholeskyFactor<T: RealField, D: Dim>(Cholesky<T, D>)
where
    DefaultAllocator: Allocator<D, D>;

macro_rules! factors {
    ($name:ident $factors:ident ($($bound:tt)*) ($($allocator:tt)*)) => {
        impl<T: Float + RealField, D: $($bound)*> Differentiable for $name<T, D>
        where
            DefaultAllocator: $($allocator)*,
        {
            type Tangent = OMatrix<T, D, D>;

            fn zero_tangent(&self) -> Self::Tangent {
                let (rows, columns) = self.0.$factors().shape_generic();
                OMatrix::from_element_generic(rows, columns, T::from_subset(&0.0))
            }

            fn perturb(&mut self, _: &Self::Tangent, _: f64) {
                unreachable!("factors are no arguments of a function")
            }

            fn visit(&self, visitor: &mut dyn Visitor) {
                Differentiable::visit(self.0.$factors(), visitor);
            }

            fn visit_floats(&self, visitor: &mut (impl FloatVisitor + ?Sized)) {
                self.0.$factors().visit_floats(visitor);
            }

            fn visit_floats_mut(&mut self, _: &mut (impl FloatVisitorMut + ?Sized)) {
                unreachable!("factors are no arguments of a function")
            }
        }
    };
}

factors!(LuFactors lu_internal (DimMin<D, Output = D>) (Allocator<D, D> + Allocator<D>));
factors!(CholeskyFactor l_dirty (Dim) (Allocator<D, D>));

/// Square matrices that are factorised.
#[differentiate]
#[differentiate]
pub trait Factorised: Sized {
    /// The factors with rows exchanged.
    type Lu: Differentiable;

    /// The factors `P x = L U`. What is solved by them has a rule.
    fn lu(self) -> Self::Lu;
}

/// Symmetric matrices that are factorised.
#[differentiate]
#[differentiate]
pub trait FactorisedSymmetric: Sized {
    /// The factor.
    type Cholesky: Differentiable;

    /// The factor `x = L Lᵀ`, where the matrix is positive definite. Its methods have rules.
    fn cholesky(self) -> Option<Self::Cholesky>;
}

#[differentiate]
#[differentiate]
impl<T, D> Factorised for OMatrix<T, D, D>
where
    T: Float + RealField,
    D: DimMin<D, Output = D>,
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    type Lu = LuFactors<T, D>;

    #[primitive(vjp = lu_vjp, jvp = lu_jvp)]
    fn lu(self) -> Self::Lu {
        LuFactors(self.lu())
    }
}

#[differentiate]
#[differentiate]
impl<T, D> FactorisedSymmetric for OMatrix<T, D, D>
where
    T: Float + RealField,
    D: Dim,
    DefaultAllocator: Allocator<D, D>,
{
    type Cholesky = CholeskyFactor<T, D>;

    #[primitive(vjp = cholesky_vjp, jvp = cholesky_jvp)]
    fn cholesky(self) -> Option<Self::Cholesky> {
        self.cholesky().map(CholeskyFactor)
    }
}

fn lu_vjp<T, D>(
    x: OMatrix<T, D, D>,
) -> (LuFactors<T, D>, impl FnOnce(OMatrix<T, D, D>) -> OMatrix<T, D, D> + use<T, D>)
where
    T: Float + RealField,
    D: DimMin<D, Output = D>,
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    (LuFactors(x.lu()), |bar: OMatrix<T, D, D>| bar)
}

/// The factors, in the type that derivative code has.
#[primitive(vjp = lu_vjp, jvp = factorised_jvp)]
fn factorised<T, D>(x: OMatrix<T, D, D>) -> LuFactors<T, D>
where
    T: Float + RealField,
    D: DimMin<D, Output = D>,
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    LuFactors(x.lu())
}

fn factorised_jvp<T, D>(
    x: OMatrix<T, D, D>,
    x_dot: OMatrix<T, D, D>,
) -> (LuFactors<T, D>, OMatrix<T, D, D>)
where
    T: Float + RealField,
    D: DimMin<D, Output = D>,
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    (LuFactors(x.lu()), x_dot)
}

#[differentiate]
fn lu_jvp<T, D>(x: OMatrix<T, D, D>, x_dot: OMatrix<T, D, D>) -> (LuFactors<T, D>, OMatrix<T, D, D>)
where
    T: Float + RealField,
    D: DimMin<D, Output = D>,
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    (factorised(x), x_dot)
}

fn cholesky_vjp<T, D>(
    x: OMatrix<T, D, D>,
) -> (
    Option<CholeskyFactor<T, D>>,
    impl FnOnce(Option<OMatrix<T, D, D>>) -> OMatrix<T, D, D> + use<T, D>,
)
where
    T: Float + RealField,
    D: Dim,
    DefaultAllocator: Allocator<D, D>,
{
    let zero = x.map(|_| T::from_subset(&0.0));
    let back = move |bar: Option<OMatrix<T, D, D>>| bar.unwrap_or(zero);
    (x.cholesky().map(CholeskyFactor), back)
}

/// The factor, in the type that derivative code has.
#[primitive(vjp = cholesky_vjp, jvp = factor_jvp)]
fn factor<T, D>(x: OMatrix<T, D, D>) -> Option<CholeskyFactor<T, D>>
where
    T: Float + RealField,
    D: Dim,
    DefaultAllocator: Allocator<D, D>,
{
    x.cholesky().map(CholeskyFactor)
}

fn factor_jvp<T, D>(
    x: OMatrix<T, D, D>,
    x_dot: OMatrix<T, D, D>,
) -> (Option<CholeskyFactor<T, D>>, Option<OMatrix<T, D, D>>)
where
    T: Float + RealField,
    D: Dim,
    DefaultAllocator: Allocator<D, D>,
{
    let factor = x.cholesky().map(CholeskyFactor);
    let dot = factor.is_some().then_some(x_dot);
    (factor, dot)
}

#[differentiate]
fn cholesky_jvp<T, D>(
    x: OMatrix<T, D, D>,
    x_dot: OMatrix<T, D, D>,
) -> (Option<CholeskyFactor<T, D>>, Option<OMatrix<T, D, D>>)
where
    T: Float + RealField,
    D: Dim,
    DefaultAllocator: Allocator<D, D>,
{
    match factor(x) {
        Some(found) => (Some(found), Some(x_dot)),
        None => (None, None),
    }
}

/// Factors by which equations with `C` right-hand sides are solved.
#[differentiate]
#[differentiate]
pub trait Solving<C> {
    /// The right-hand sides.
    type Right: Differentiable;
    /// The solutions, or an `Option` of them.
    type Solution: Differentiable;

    /// The solution `y = x⁻¹ b`: `b̄ += x⁻ᵀ ȳ`, `x̄ -= (x⁻ᵀ ȳ) yᵀ`.
    fn solve(&self, b: &Self::Right) -> Self::Solution;
}

#[differentiate]
#[differentiate]
impl<T, D, C> Solving<C> for LuFactors<T, D>
where
    T: Float + RealField,
    D: DimMin<D, Output = D>,
    C: Dim,
    DefaultAllocator: Allocator<D, D> + Allocator<D> + Allocator<D, C> + Allocator<C, D>,
{
    type Right = OMatrix<T, D, C>;
    type Solution = Option<OMatrix<T, D, C>>;

    #[primitive(vjp = lu_solve_vjp, jvp = lu_solve_jvp)]
    fn solve(&self, b: &Self::Right) -> Self::Solution {
        self.0.solve(b)
    }
}

#[differentiate]
#[differentiate]
impl<T, D, C> Solving<C> for CholeskyFactor<T, D>
where
    T: Float + RealField,
    D: Dim,
    C: Dim,
    DefaultAllocator: Allocator<D, D> + Allocator<D, C> + Allocator<C, D>,
{
    type Right = OMatrix<T, D, C>;
    type Solution = OMatrix<T, D, C>;

    #[primitive(vjp = cholesky_solve_vjp, jvp = cholesky_solve_jvp)]
    fn solve(&self, b: &Self::Right) -> Self::Solution {
        self.0.solve(b)
    }
}

/// The solution of the equations with the transposed matrix: `xᵀ = Uᵀ Lᵀ P`.
fn solve_transposed<T, D, C>(lu: &LU<T, D, D>, mut b: OMatrix<T, D, C>) -> OMatrix<T, D, C>
where
    T: Float + RealField,
    D: DimMin<D, Output = D>,
    C: Dim,
    DefaultAllocator: Allocator<D, D> + Allocator<D> + Allocator<D, C>,
{
    lu.u().tr_solve_upper_triangular_mut(&mut b);
    lu.l().tr_solve_lower_triangular_mut(&mut b);
    lu.p().inv_permute_rows(&mut b);
    b
}

fn lu_solve_vjp<T, D, C>(
    x: &LuFactors<T, D>,
    b: &OMatrix<T, D, C>,
) -> (
    Option<OMatrix<T, D, C>>,
    impl FnOnce(
        &LuFactors<T, D>,
        &mut OMatrix<T, D, D>,
        &OMatrix<T, D, C>,
        &mut OMatrix<T, D, C>,
        Option<OMatrix<T, D, C>>,
    ) + use<T, D, C>,
)
where
    T: Float + RealField,
    D: DimMin<D, Output = D>,
    C: Dim,
    DefaultAllocator: Allocator<D, D> + Allocator<D> + Allocator<D, C> + Allocator<C, D>,
{
    let solution = x.0.solve(b);
    let back = {
        let solution = solution.clone();
        move |x: &LuFactors<T, D>,
              x_bar: &mut OMatrix<T, D, D>,
              _: &OMatrix<T, D, C>,
              b_bar: &mut OMatrix<T, D, C>,
              bar: Option<OMatrix<T, D, C>>| {
            let (Some(solution), Some(bar)) = (solution, bar) else { return };
            let bar = solve_transposed(&x.0, bar);
            *x_bar -= &bar * solution.transpose();
            *b_bar += bar;
        }
    };
    (solution, back)
}

#[differentiate]
fn lu_solve_jvp<T, D, C>(
    x: &LuFactors<T, D>,
    x_dot: &OMatrix<T, D, D>,
    b: &OMatrix<T, D, C>,
    b_dot: &OMatrix<T, D, C>,
) -> (Option<OMatrix<T, D, C>>, Option<OMatrix<T, D, C>>)
where
    T: Float + RealField,
    D: DimMin<D, Output = D>,
    C: Dim,
    DefaultAllocator: Allocator<D, D> + Allocator<D> + Allocator<D, C> + Allocator<C, D>,
{
    match x.solve(b) {
        Some(solution) => {
            let right = b_dot - x_dot * &solution;
            let dot = x.solve(&right);
            (Some(solution), dot)
        }
        None => (None, None),
    }
}

/// What the factors of a matrix with rows exchanged have besides.
#[differentiate]
#[differentiate]
pub trait OfLu<T: Float> {
    /// The determinant of the matrix, `d = |x|`: `x̄ += d̄ C`, where `C` are the cofactors, `d x⁻ᵀ` of a regular matrix.
    fn determinant(&self) -> T;
}

#[differentiate]
#[differentiate]
impl<T, D> OfLu<T> for LuFactors<T, D>
where
    T: Float + RealField,
    D: DimMin<D, Output = D>,
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    #[primitive(vjp = lu_determinant_vjp, jvp = lu_determinant_jvp)]
    fn determinant(&self) -> T {
        self.0.determinant()
    }
}

/// The derivative of the determinant: by the factors of a regular matrix, and of a singular one by its minors. Its own
/// derivative is symmetric.
#[primitive(vjp = lu_cofactors_vjp, jvp = lu_cofactors_jvp)]
fn lu_cofactors<T, D>(x: &LuFactors<T, D>) -> OMatrix<T, D, D>
where
    T: Float + RealField,
    D: DimMin<D, Output = D>,
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    let lu = &x.0;
    let (rows, columns) = lu.lu_internal().shape_generic();
    if lu.is_invertible() {
        let inverse = solve_transposed(lu, OMatrix::identity_generic(rows, columns));
        return inverse * lu.determinant();
    }
    cofactors(&multiplied(lu))
}

/// The matrix of these factors.
fn multiplied<T, D>(lu: &LU<T, D, D>) -> OMatrix<T, D, D>
where
    T: Float + RealField,
    D: DimMin<D, Output = D>,
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    let mut x = lu.l() * lu.u();
    lu.p().inv_permute_rows(&mut x);
    x
}

by_direction! {
    lu_cofactors lu_cofactors_vjp lu_cofactors_jvp LuFactors<T, D>:
    (DimMin<D, Output = D>) (Allocator<D, D> + Allocator<D>)
    |x, bar| cofactors_along(&multiplied(&x.0), bar), |x, dot| cofactors_along(&multiplied(&x.0), dot)
}

fn lu_determinant_vjp<T, D>(
    x: &LuFactors<T, D>,
) -> (T, impl FnOnce(&LuFactors<T, D>, &mut OMatrix<T, D, D>, T) + use<T, D>)
where
    T: Float + RealField,
    D: DimMin<D, Output = D>,
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    (x.0.determinant(), |x: &LuFactors<T, D>, x_bar: &mut OMatrix<T, D, D>, bar: T| {
        *x_bar += lu_cofactors(x) * bar;
    })
}

#[differentiate]
fn lu_determinant_jvp<T, D>(x: &LuFactors<T, D>, x_dot: &OMatrix<T, D, D>) -> (T, T)
where
    T: Float + RealField,
    D: DimMin<D, Output = D>,
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    (x.determinant(), lu_cofactors(x).dot(x_dot))
}

/// What a symmetric matrix's cotangent is for one of which the lower triangle is read.
pub(super) fn to_lower<T, D>(bar: &OMatrix<T, D, D>) -> OMatrix<T, D, D>
where
    T: Float + RealField,
    D: Dim,
    DefaultAllocator: Allocator<D, D>,
{
    let mut lower = bar + bar.transpose();
    lower.fill_upper_triangle(T::from_subset(&0.0), 1);
    lower.set_diagonal_of(bar);
    lower
}

/// The symmetric tangent of a matrix of which the lower triangle is read.
#[primitive(vjp = symmetric_vjp, jvp = symmetric_jvp)]
pub(super) fn symmetric<T, D>(dot: &OMatrix<T, D, D>) -> OMatrix<T, D, D>
where
    T: Float + RealField,
    D: Dim,
    DefaultAllocator: Allocator<D, D>,
{
    let mut symmetric = dot.clone();
    symmetric.fill_upper_triangle_with_lower_triangle();
    symmetric
}

by_direction! {
    symmetric symmetric_vjp symmetric_jvp OMatrix<T, D, D>: (Dim) (Allocator<D, D>)
    |_, bar| to_lower(bar), |_, dot| symmetric(dot)
}

/// Diagonals, of matrices of any square size.
trait OnDiagonal<T> {
    /// Takes that of another matrix.
    fn set_diagonal_of(&mut self, of: &Self);

    /// Leaves half of it.
    fn halve_diagonal(&mut self);
}

impl<T, D> OnDiagonal<T> for OMatrix<T, D, D>
where
    T: Float + RealField + Scalar,
    D: Dim,
    DefaultAllocator: Allocator<D, D>,
{
    fn set_diagonal_of(&mut self, of: &Self) {
        (0..self.nrows()).for_each(|at| self[(at, at)] = of[(at, at)]);
    }

    fn halve_diagonal(&mut self) {
        (0..self.nrows()).for_each(|at| self[(at, at)] *= T::from_subset(&0.5));
    }
}

fn cholesky_solve_vjp<T, D, C>(
    x: &CholeskyFactor<T, D>,
    b: &OMatrix<T, D, C>,
) -> (
    OMatrix<T, D, C>,
    impl FnOnce(
        &CholeskyFactor<T, D>,
        &mut OMatrix<T, D, D>,
        &OMatrix<T, D, C>,
        &mut OMatrix<T, D, C>,
        OMatrix<T, D, C>,
    ) + use<T, D, C>,
)
where
    T: Float + RealField,
    D: Dim,
    C: Dim,
    DefaultAllocator: Allocator<D, D> + Allocator<D, C> + Allocator<C, D>,
{
    let solution = x.0.solve(b);
    let back = {
        let solution = solution.clone();
        move |x: &CholeskyFactor<T, D>,
              x_bar: &mut OMatrix<T, D, D>,
              _: &OMatrix<T, D, C>,
              b_bar: &mut OMatrix<T, D, C>,
              bar: OMatrix<T, D, C>| {
            let bar = x.0.solve(&bar);
            *x_bar -= to_lower(&(&bar * solution.transpose()));
            *b_bar += bar;
        }
    };
    (solution, back)
}

#[differentiate]
fn cholesky_solve_jvp<T, D, C>(
    x: &CholeskyFactor<T, D>,
    x_dot: &OMatrix<T, D, D>,
    b: &OMatrix<T, D, C>,
    b_dot: &OMatrix<T, D, C>,
) -> (OMatrix<T, D, C>, OMatrix<T, D, C>)
where
    T: Float + RealField,
    D: Dim,
    C: Dim,
    DefaultAllocator: Allocator<D, D> + Allocator<D, C> + Allocator<C, D>,
{
    let solution = x.solve(b);
    let right = b_dot - symmetric(x_dot) * &solution;
    let dot = x.solve(&right);
    (solution, dot)
}

/// What the factor of a symmetric matrix has besides.
#[differentiate]
#[differentiate]
pub trait OfCholesky<T: Float> {
    /// The type of the matrix.
    type Matrix: Differentiable;

    /// The lower factor, `x = L Lᵀ`: `x̄ += L⁻ᵀ Φ(Lᵀ L̄) L⁻¹`, where `Φ` leaves the lower triangle and half of the diagonal.
    fn l(&self) -> Self::Matrix;

    /// The inverse of the matrix, `y = x⁻¹`: `x̄ -= y ȳ y`.
    fn inverse(&self) -> Self::Matrix;

    /// The determinant of the matrix, `d = |x|`: `x̄ += d̄ d x⁻¹`.
    fn determinant(&self) -> T;

    /// Its logarithm, `s = ln |x|`: `x̄ += s̄ x⁻¹`.
    fn ln_determinant(&self) -> T;
}

#[differentiate]
#[differentiate]
impl<T, D> OfCholesky<T> for CholeskyFactor<T, D>
where
    T: Float + RealField,
    D: Dim,
    DefaultAllocator: Allocator<D, D>,
{
    type Matrix = OMatrix<T, D, D>;

    #[primitive(vjp = l_vjp, jvp = l_jvp)]
    fn l(&self) -> Self::Matrix {
        self.0.l()
    }

    #[primitive(vjp = inverse_vjp, jvp = inverse_jvp)]
    fn inverse(&self) -> Self::Matrix {
        self.0.inverse()
    }

    #[primitive(vjp = cholesky_determinant_vjp, jvp = cholesky_determinant_jvp)]
    fn determinant(&self) -> T {
        squared_product(self)
    }

    #[primitive(vjp = ln_determinant_vjp, jvp = ln_determinant_jvp)]
    fn ln_determinant(&self) -> T {
        sum_of_logarithms(self)
    }
}

/// The determinant, in the order of operations of `nalgebra`.
fn squared_product<T, D>(x: &CholeskyFactor<T, D>) -> T
where
    T: Float + RealField,
    D: Dim,
    DefaultAllocator: Allocator<D, D>,
{
    let l = x.0.l_dirty();
    let product =
        (0..l.nrows()).fold(<T as num_traits::One>::one(), |product, at| product * l[(at, at)]);
    product * product
}

/// Likewise its logarithm.
fn sum_of_logarithms<T, D>(x: &CholeskyFactor<T, D>) -> T
where
    T: Float + RealField,
    D: Dim,
    DefaultAllocator: Allocator<D, D>,
{
    let l = x.0.l_dirty();
    let squares = (0..l.nrows()).map(|at| l[(at, at)] * l[(at, at)]);
    squares.fold(<T as num_traits::Zero>::zero(), |sum, square| sum + num_traits::Float::ln(square))
}

/// `Φ`: the lower triangle, with half of the diagonal.
#[primitive(vjp = lower_half_vjp, jvp = lower_half_jvp)]
fn lower_half<T, D>(x: &OMatrix<T, D, D>) -> OMatrix<T, D, D>
where
    T: Float + RealField,
    D: Dim,
    DefaultAllocator: Allocator<D, D>,
{
    let mut half = x.clone();
    half.fill_upper_triangle(T::from_subset(&0.0), 1);
    half.halve_diagonal();
    half
}

by_direction! {
    lower_half lower_half_vjp lower_half_jvp OMatrix<T, D, D>: (Dim) (Allocator<D, D>)
    |_, bar| lower_half(bar), |_, dot| lower_half(dot)
}

/// The solution `y = l⁻¹ b` of the equations of a lower triangle.
#[primitive(vjp = forth_vjp, jvp = forth_jvp)]
fn forth<T, D>(l: &OMatrix<T, D, D>, b: &OMatrix<T, D, D>) -> OMatrix<T, D, D>
where
    T: Float + RealField,
    D: Dim,
    DefaultAllocator: Allocator<D, D>,
{
    let mut solution = b.clone();
    l.solve_lower_triangular_mut(&mut solution);
    solution
}

fn forth_vjp<T, D>(
    l: &OMatrix<T, D, D>,
    b: &OMatrix<T, D, D>,
) -> (
    OMatrix<T, D, D>,
    impl FnOnce(
        &OMatrix<T, D, D>,
        &mut OMatrix<T, D, D>,
        &OMatrix<T, D, D>,
        &mut OMatrix<T, D, D>,
        OMatrix<T, D, D>,
    ) + use<T, D>,
)
where
    T: Float + RealField,
    D: Dim,
    DefaultAllocator: Allocator<D, D>,
{
    let y = forth(l, b);
    let value = y.clone();
    let back = move |l: &OMatrix<T, D, D>,
                     l_bar: &mut OMatrix<T, D, D>,
                     _: &OMatrix<T, D, D>,
                     b_bar: &mut OMatrix<T, D, D>,
                     mut bar: OMatrix<T, D, D>| {
        l.tr_solve_lower_triangular_mut(&mut bar);
        let mut by_l = &bar * y.transpose();
        by_l.fill_upper_triangle(T::from_subset(&0.0), 1);
        *l_bar -= by_l;
        *b_bar += bar;
    };
    (value, back)
}

fn forth_jvp<T, D>(
    l: &OMatrix<T, D, D>,
    l_dot: &OMatrix<T, D, D>,
    b: &OMatrix<T, D, D>,
    b_dot: &OMatrix<T, D, D>,
) -> (OMatrix<T, D, D>, OMatrix<T, D, D>)
where
    T: Float + RealField,
    D: Dim,
    DefaultAllocator: Allocator<D, D>,
{
    let (y, mut l_dot) = (forth(l, b), l_dot.clone());
    l_dot.fill_upper_triangle(T::from_subset(&0.0), 1);
    let dot = forth(l, &(b_dot - l_dot * &y));
    (y, dot)
}

fn l_vjp<T, D>(
    x: &CholeskyFactor<T, D>,
) -> (
    OMatrix<T, D, D>,
    impl FnOnce(&CholeskyFactor<T, D>, &mut OMatrix<T, D, D>, OMatrix<T, D, D>) + use<T, D>,
)
where
    T: Float + RealField,
    D: Dim,
    DefaultAllocator: Allocator<D, D>,
{
    let back =
        |x: &CholeskyFactor<T, D>, x_bar: &mut OMatrix<T, D, D>, mut bar: OMatrix<T, D, D>| {
            let l = x.0.l();
            bar.fill_upper_triangle(T::from_subset(&0.0), 1);
            let mut middle = lower_half(&(l.transpose() * bar));
            l.tr_solve_lower_triangular_mut(&mut middle);
            middle.transpose_mut();
            l.tr_solve_lower_triangular_mut(&mut middle);
            *x_bar += to_lower(&middle);
        };
    (x.0.l(), back)
}

#[differentiate]
fn l_jvp<T, D>(
    x: &CholeskyFactor<T, D>,
    x_dot: &OMatrix<T, D, D>,
) -> (OMatrix<T, D, D>, OMatrix<T, D, D>)
where
    T: Float + RealField,
    D: Dim,
    DefaultAllocator: Allocator<D, D>,
{
    let l = x.l();
    let half = forth(&l, &symmetric(x_dot)).transpose();
    let dot = &l * lower_half(&forth(&l, &half));
    (l, dot)
}

fn inverse_vjp<T, D>(
    x: &CholeskyFactor<T, D>,
) -> (
    OMatrix<T, D, D>,
    impl FnOnce(&CholeskyFactor<T, D>, &mut OMatrix<T, D, D>, OMatrix<T, D, D>) + use<T, D>,
)
where
    T: Float + RealField,
    D: Dim,
    DefaultAllocator: Allocator<D, D>,
{
    let inverse = x.0.inverse();
    let value = inverse.clone();
    let back =
        move |_: &CholeskyFactor<T, D>, x_bar: &mut OMatrix<T, D, D>, bar: OMatrix<T, D, D>| {
            *x_bar -= to_lower(&(&inverse * bar * &inverse));
        };
    (value, back)
}

#[differentiate]
fn inverse_jvp<T, D>(
    x: &CholeskyFactor<T, D>,
    x_dot: &OMatrix<T, D, D>,
) -> (OMatrix<T, D, D>, OMatrix<T, D, D>)
where
    T: Float + RealField,
    D: Dim,
    DefaultAllocator: Allocator<D, D>,
{
    let inverse = x.inverse();
    let dot = -(&inverse * symmetric(x_dot) * &inverse);
    (inverse, dot)
}

macro_rules! of_determinant {
    ($vjp:ident $jvp:ident $method:ident $value:ident |$bar:ident, $one:ident| $factor:expr) => {
        fn $vjp<T, D>(
            x: &CholeskyFactor<T, D>,
        ) -> (T, impl FnOnce(&CholeskyFactor<T, D>, &mut OMatrix<T, D, D>, T) + use<T, D>)
        where
            T: Float + RealField,
            D: Dim,
            DefaultAllocator: Allocator<D, D>,
        {
            let $one = $value(x);
            let back = move |x: &CholeskyFactor<T, D>, x_bar: &mut OMatrix<T, D, D>, $bar: T| {
                *x_bar += to_lower(&x.0.inverse()) * $factor;
            };
            ($one, back)
        }

        #[differentiate]
        fn $jvp<T, D>(x: &CholeskyFactor<T, D>, x_dot: &OMatrix<T, D, D>) -> (T, T)
        where
            T: Float + RealField,
            D: Dim,
            DefaultAllocator: Allocator<D, D>,
        {
            // The trace of a product of symmetric matrices.
            let ($one, $bar) = (x.$method(), x.inverse().dot(&symmetric(x_dot)));
            ($one, $factor)
        }
    };
}

of_determinant!(cholesky_determinant_vjp cholesky_determinant_jvp determinant squared_product |bar, value| bar * value);
of_determinant!(ln_determinant_vjp ln_determinant_jvp ln_determinant sum_of_logarithms |bar, value| bar);
