//! Matrices as values and as tangents. Entries are visited column by column, as they lie in memory.

use nalgebra_0_35::allocator::Allocator;
use nalgebra_0_35::{DefaultAllocator, Dim, OMatrix, Scalar};

use crate::differentiable::perturb_entries;
use crate::floats::{FloatVisitor, FloatVisitorMut, InnerProduct, PairVisitor, assert_sizes};
use crate::guard::{Comparable, comparable};
use crate::hessian::HessianBy;
use crate::output::FloatOutput;
use crate::tangent::accumulate_entries;
use crate::visit::{Leaf, Visitor, visit_entries};
use crate::{Differentiable, Matrix, Tangent};

comparable! {
    [T: Comparable, R, C, S] nalgebra_0_35::Matrix<T, R, C, S> => T::Owner;
}

/// Shows a size that the type does not say.
fn visit_shape<R: Dim, C: Dim>((rows, columns): (usize, usize), visitor: &mut dyn Visitor) {
    let dynamic = [(R::try_to_usize(), rows), (C::try_to_usize(), columns)];
    dynamic
        .into_iter()
        .filter(|(known, _)| known.is_none())
        .for_each(|(_, size)| visitor.leaf(Leaf::Shape(size)));
}

fn check_shape(place: (usize, usize), value: (usize, usize)) {
    assert!(place == value, "a tangent of sizes {value:?} was added to one of sizes {place:?}");
}

impl<T, R, C> Tangent for OMatrix<T, R, C>
where
    T: Tangent + Scalar,
    R: Dim,
    C: Dim,
    DefaultAllocator: Allocator<R, C>,
{
    #[inline]
    fn accumulate(&mut self, other: Self) {
        check_shape(self.shape(), other.shape());
        let values = other.as_slice().iter().cloned();
        accumulate_entries(self.as_mut_slice().iter_mut(), values);
    }

    #[inline]
    fn visit_pairs(&mut self, other: &Self, visitor: &mut (impl PairVisitor + ?Sized)) {
        assert_sizes(self.shape(), other.shape());
        T::visit_pairs_in(self.as_mut_slice(), other.as_slice(), visitor);
    }

    #[inline]
    fn add_products(&self, other: &Self, sum: &mut InnerProduct) {
        assert_sizes(self.shape(), other.shape());
        T::add_products_in(self.as_slice(), other.as_slice(), sum);
    }
}

impl<T, R, C> Differentiable for OMatrix<T, R, C>
where
    T: Differentiable + Scalar,
    T::Tangent: Scalar,
    R: Dim,
    C: Dim,
    DefaultAllocator: Allocator<R, C>,
{
    type Tangent = OMatrix<T::Tangent, R, C>;

    #[inline]
    fn zero_tangent(&self) -> Self::Tangent {
        self.map(|entry| entry.zero_tangent())
    }

    fn perturb(&mut self, direction: &Self::Tangent, step: f64) {
        perturb_entries(self.as_mut_slice().iter_mut(), direction.as_slice().iter(), step);
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        visit_shape::<R, C>(self.shape(), visitor);
        visit_entries(self.as_slice(), visitor, T::visit);
    }

    #[inline]
    fn visit_floats(&self, visitor: &mut (impl FloatVisitor + ?Sized)) {
        T::visit_floats_in(self.as_slice(), visitor);
    }

    #[inline]
    fn visit_floats_mut(&mut self, visitor: &mut (impl FloatVisitorMut + ?Sized)) {
        T::visit_floats_mut_in(self.as_mut_slice(), visitor);
    }

    /// Of the sizes that the type says; where it says none, without entries.
    fn stand_in() -> Self {
        let rows = R::from_usize(R::try_to_usize().unwrap_or(0));
        let columns = C::from_usize(C::try_to_usize().unwrap_or(0));
        Self::from_fn_generic(rows, columns, |_, _| T::stand_in())
    }
}

/// As many rows and columns of a Hessian as there are entries.
impl<T, R, C> HessianBy<'_> for OMatrix<T, R, C>
where
    T: Scalar,
    R: Dim,
    C: Dim,
    DefaultAllocator: Allocator<R, C>,
{
    type Hessian<Y> = Matrix<Y>;

    #[inline]
    fn hessian<Y: FloatOutput<'static>>(matrix: Matrix<Y>) -> Matrix<Y> {
        matrix
    }
}
