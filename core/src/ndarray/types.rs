//! Arrays as values and as tangents. Entries are visited in logical order, the last index first, behind the sizes.

use ndarray_0_17::{Array, ArrayBase, Dimension, RawData, Zip};

use crate::differentiable::perturb_entries;
use crate::floats::{FloatVisitor, FloatVisitorMut, InnerProduct, PairVisitor, assert_sizes};
use crate::guard::{Comparable, comparable};
use crate::visit::{Leaf, Visitor, visit_entries};
use crate::{Differentiable, Tangent};

comparable! {
    [S: RawData<Elem: Comparable>, D] ArrayBase<S, D> => <S::Elem as Comparable>::Owner;
}

fn visit_shape(shape: &[usize], visitor: &mut dyn Visitor) {
    shape.iter().for_each(|size| visitor.leaf(Leaf::Shape(*size)));
}

impl<T: Tangent, D: Dimension> Tangent for Array<T, D> {
    fn accumulate(&mut self, other: Self) {
        let (place, value) = (self.shape(), other.shape());
        assert!(place == value, "a tangent of sizes {value:?} was added to one of sizes {place:?}");
        Zip::from(self).and(&other).for_each(|place, value| place.accumulate(value.clone()));
    }

    fn visit_pairs(&mut self, other: &Self, visitor: &mut (impl PairVisitor + ?Sized)) {
        assert_sizes(self.shape(), other.shape());
        match (self.as_slice_mut(), other.as_slice()) {
            (Some(entries), Some(others)) => T::visit_pairs_in(entries, others, visitor),
            _ => self.iter_mut().zip(other).for_each(|(a, b)| a.visit_pairs(b, visitor)),
        }
    }

    fn add_products(&self, other: &Self, sum: &mut InnerProduct) {
        assert_sizes(self.shape(), other.shape());
        match (self.as_slice(), other.as_slice()) {
            (Some(entries), Some(others)) => T::add_products_in(entries, others, sum),
            _ => self.iter().zip(other).for_each(|(a, b)| a.add_products(b, sum)),
        }
    }
}

impl<T: Differentiable, D: Dimension> Differentiable for Array<T, D> {
    type Tangent = Array<T::Tangent, D>;

    fn zero_tangent(&self) -> Self::Tangent {
        self.map(|entry| entry.zero_tangent())
    }

    fn perturb(&mut self, direction: &Self::Tangent, step: f64) {
        perturb_entries(self.iter_mut(), direction.iter(), step);
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        visit_shape(self.shape(), visitor);
        visit_entries(self.iter(), visitor, T::visit);
    }

    fn visit_floats(&self, visitor: &mut (impl FloatVisitor + ?Sized)) {
        match self.as_slice() {
            Some(entries) => T::visit_floats_in(entries, visitor),
            None => self.iter().for_each(|entry| entry.visit_floats(visitor)),
        }
    }

    fn visit_floats_mut(&mut self, visitor: &mut (impl FloatVisitorMut + ?Sized)) {
        match self.as_slice_mut() {
            Some(entries) => T::visit_floats_mut_in(entries, visitor),
            None => self.iter_mut().for_each(|entry| entry.visit_floats_mut(visitor)),
        }
    }

    /// Without entries, where there are sizes.
    fn stand_in() -> Self {
        Self::from_shape_fn(D::default(), |_| T::stand_in())
    }
}
