//! Arrays as values and as tangents. Entries are visited in logical order, the last index first, behind the sizes.

use ndarray_0_17::{Array, ArrayBase, Dimension, RawData, Zip};

use crate::differentiable::perturb_entries;
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

    fn visit(&self, visitor: &mut dyn Visitor) {
        visit_shape(self.shape(), visitor);
        visit_entries(self.iter(), visitor, T::visit);
    }

    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut f64)) {
        self.iter_mut().for_each(|entry| entry.visit_mut(visitor));
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

    /// Without entries, where there are sizes.
    fn stand_in() -> Self {
        Self::from_shape_fn(D::default(), |_| T::stand_in())
    }
}
