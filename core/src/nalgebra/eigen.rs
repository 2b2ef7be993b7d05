//! Rules of eigenvalues and eigenvectors of symmetric matrices.
//!
//! Of a matrix `x = V Λ Vᵀ` the lower triangle is read, and so nothing goes back to what is above the diagonal. The
//! order of eigenvalues and the signs of eigenvectors are those that `nalgebra` gives, and are constant beside a
//! point.
//!
//! Formulas: M. B. Giles, Collected matrix derivative results for forward and reverse mode algorithmic differentiation,
//! 2008, section 3.1; S. F. Walter and L. Lehmann, Algorithmic differentiation of linear algebra functions with
//! application in optimum experimental design, 2010.

use nalgebra_0_35::allocator::Allocator;
use nalgebra_0_35::linalg::SymmetricEigen;
use nalgebra_0_35::{DefaultAllocator, Dim, DimDiff, DimSub, OMatrix, OVector, RealField, U1};

use super::factors::{symmetric, to_lower};
use crate::floats::{floats_of_fields, pairs_of_fields};
use crate::visit::{Step, Visitor, visit_part};
use crate::{Differentiable, Float, Tangent, differentiate, primitive};

impl<T, D> Tangent for SymmetricEigen<T, D>
where
    T: Float + RealField,
    D: Dim,
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    fn accumulate(&mut self, other: Self) {
        self.eigenvectors.accumulate(other.eigenvectors);
        self.eigenvalues.accumulate(other.eigenvalues);
    }

    pairs_of_fields!(eigenvectors, eigenvalues);
}

impl<T, D> Differentiable for SymmetricEigen<T, D>
where
    T: Float + RealField,
    D: Dim,
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    type Tangent = Self;

    fn zero_tangent(&self) -> Self {
        SymmetricEigen {
            eigenvectors: self.eigenvectors.zero_tangent(),
            eigenvalues: self.eigenvalues.zero_tangent(),
        }
    }

    fn perturb(&mut self, direction: &Self, step: f64) {
        self.eigenvectors.perturb(&direction.eigenvectors, step);
        self.eigenvalues.perturb(&direction.eigenvalues, step);
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        let (vectors, values) = (&self.eigenvectors, &self.eigenvalues);
        visit_part(Step::Field("eigenvectors"), visitor, |visitor| {
            Differentiable::visit(vectors, visitor)
        });
        visit_part(Step::Field("eigenvalues"), visitor, |visitor| {
            Differentiable::visit(values, visitor)
        });
    }

    floats_of_fields!(eigenvectors, eigenvalues);
}

/// Symmetric matrices whose eigenvalues are asked for. Of one the lower triangle is read.
///
/// Where eigenvalues are equal, their eigenvectors are any basis of a space, and have no derivative: what depends on
/// how they lie in it is no number, or as large as one over what rounding makes of the difference. Each of the
/// eigenvalues has a corner there, and the derivative of each is the one along the eigenvector that `nalgebra` gives;
/// so that of their sum, and of all functions in which they may be exchanged, is right.
///
/// Both methods panic where the matrix is not square.
#[differentiate]
pub trait Spectral: Sized {
    /// Eigenvalues and eigenvectors, in fields of these names.
    type Eigen: Differentiable;
    /// The type of a vector of as many entries as there are rows.
    type Eigenvalues: Differentiable;

    /// Eigenvalues `λ` and eigenvectors, the columns of `V`: `x̄ += V (diag(λ̄) + F) Vᵀ`, where
    /// `F[i, j] = (w[i, j] - w[j, i]) / 2 (λ[j] - λ[i])` with `w = Vᵀ V̄`, and zero where the numerator is.
    fn symmetric_eigen(self) -> Self::Eigen;

    /// The eigenvalues, `x̄ += V diag(λ̄) Vᵀ`.
    fn symmetric_eigenvalues(&self) -> Self::Eigenvalues;
}

#[differentiate]
impl<T, D> Spectral for OMatrix<T, D, D>
where
    T: Float + RealField,
    D: DimSub<U1>,
    DefaultAllocator: Allocator<D, D> + Allocator<D> + Allocator<DimDiff<D, U1>>,
{
    type Eigen = SymmetricEigen<T, D>;
    type Eigenvalues = OVector<T, D>;

    #[primitive(vjp = symmetric_eigen_vjp, jvp = symmetric_eigen_jvp)]
    fn symmetric_eigen(self) -> Self::Eigen {
        self.symmetric_eigen()
    }

    #[primitive(vjp = symmetric_eigenvalues_vjp, jvp = symmetric_eigenvalues_jvp)]
    fn symmetric_eigenvalues(&self) -> Self::Eigenvalues {
        self.symmetric_eigenvalues()
    }
}

/// A quotient that is zero where its numerator is: what does not turn eigenvectors within a space needs no difference
/// of eigenvalues.
fn by_difference<T: Float>(numerator: T, difference: T) -> T {
    if numerator == T::zero() { numerator } else { numerator / difference }
}

/// The symmetric `V s Vᵀ` as the cotangent of a matrix of which the lower triangle is read.
fn in_basis<T, D>(v: &OMatrix<T, D, D>, s: OMatrix<T, D, D>) -> OMatrix<T, D, D>
where
    T: Float + RealField,
    D: Dim,
    DefaultAllocator: Allocator<D, D>,
{
    to_lower(&(v * s * v.transpose()))
}

fn symmetric_eigen_vjp<T, D>(
    x: OMatrix<T, D, D>,
) -> (SymmetricEigen<T, D>, impl FnOnce(SymmetricEigen<T, D>) -> OMatrix<T, D, D> + use<T, D>)
where
    T: Float + RealField,
    D: DimSub<U1>,
    DefaultAllocator: Allocator<D, D> + Allocator<D> + Allocator<DimDiff<D, U1>>,
{
    let found = x.symmetric_eigen();
    let back = {
        let found = found.clone();
        move |bar: SymmetricEigen<T, D>| {
            let (v, values) = (&found.eigenvectors, &found.eigenvalues);
            let mut s = v.tr_mul(&bar.eigenvectors);
            for i in 0..values.len() {
                s[(i, i)] = bar.eigenvalues[i];
                for j in 0..i {
                    let half = (s[(i, j)] - s[(j, i)]) * T::from_subset(&0.5);
                    s[(i, j)] = by_difference(half, values[j] - values[i]);
                    s[(j, i)] = s[(i, j)];
                }
            }
            in_basis(v, s)
        }
    };
    (found, back)
}

fn symmetric_eigen_jvp<T, D>(
    x: OMatrix<T, D, D>,
    x_dot: OMatrix<T, D, D>,
) -> (SymmetricEigen<T, D>, SymmetricEigen<T, D>)
where
    T: Float + RealField,
    D: DimSub<U1>,
    DefaultAllocator: Allocator<D, D> + Allocator<D> + Allocator<DimDiff<D, U1>>,
{
    let found = x.symmetric_eigen();
    let (v, values) = (&found.eigenvectors, &found.eigenvalues);
    let mut turned = v.tr_mul(&(symmetric(&x_dot) * v));
    let mut dots = values.clone();
    for j in 0..values.len() {
        dots[j] = turned[(j, j)];
        turned[(j, j)] = T::from_subset(&0.0);
        for i in (0..values.len()).filter(|i| *i != j) {
            turned[(i, j)] = by_difference(turned[(i, j)], values[j] - values[i]);
        }
    }
    let dot = SymmetricEigen { eigenvectors: v * turned, eigenvalues: dots };
    (found, dot)
}

fn symmetric_eigenvalues_vjp<T, D>(
    x: &OMatrix<T, D, D>,
) -> (OVector<T, D>, impl FnOnce(&OMatrix<T, D, D>, &mut OMatrix<T, D, D>, OVector<T, D>) + use<T, D>)
where
    T: Float + RealField,
    D: DimSub<U1>,
    DefaultAllocator: Allocator<D, D> + Allocator<D> + Allocator<DimDiff<D, U1>>,
{
    // The eigenvalues are the same bit for bit: only the rotations of eigenvectors come in between.
    let found = x.clone().symmetric_eigen();
    let v = found.eigenvectors;
    let back = move |_: &OMatrix<T, D, D>, x_bar: &mut OMatrix<T, D, D>, bar: OVector<T, D>| {
        *x_bar += in_basis(&v, OMatrix::from_diagonal(&bar));
    };
    (found.eigenvalues, back)
}

fn symmetric_eigenvalues_jvp<T, D>(
    x: &OMatrix<T, D, D>,
    x_dot: &OMatrix<T, D, D>,
) -> (OVector<T, D>, OVector<T, D>)
where
    T: Float + RealField,
    D: DimSub<U1>,
    DefaultAllocator: Allocator<D, D> + Allocator<D> + Allocator<DimDiff<D, U1>>,
{
    let found = x.clone().symmetric_eigen();
    let v = found.eigenvectors;
    (found.eigenvalues, v.tr_mul(&(symmetric(x_dot) * &v)).diagonal())
}
