//! Matrices, vectors and scales as values and as tangents. Entries are visited column by column, behind the sizes.
//!
//! Of what a factorisation is told and may fail by, nothing is differentiated.

use faer_0_24::linalg::evd::EvdError;
use faer_0_24::linalg::solvers::LltError;
use faer_0_24::traits::RealField;
use faer_0_24::{Col, Mat, Row, Scale, Side};

use super::entries::Entries;
use crate::differentiable::without_tangent;
use crate::guard::{Comparable, comparable};
use crate::visit::{Leaf, Step, Visitor, visit_entries, visit_part};
use crate::{Differentiable, Float, Tangent};

comparable! {
    [T: Comparable] Mat<T> => T::Owner;
    [T: Comparable] Col<T> => T::Owner;
    [T: Comparable] Row<T> => T::Owner;
}

macro_rules! values {
    ($($type:ident ($($size:ident)*) $empty:expr;)*) => {$(
        impl<F: Float + RealField> Tangent for $type<F> {
            fn accumulate(&mut self, other: Self) {
                let (place, value) = (self.shape(), other.shape());
                assert!(place == value, "a tangent of sizes {value:?} was added to one of sizes {place:?}");
                self.update(&other, |place, value| *place += value);
            }

            fn visit(&self, visitor: &mut dyn Visitor) {
                $(visitor.leaf(Leaf::Shape(self.$size()));)*
                visit_entries(self.pieces().flatten(), visitor, <F as Tangent>::visit);
            }

            fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut f64)) {
                self.pieces_mut().flatten().for_each(|entry| entry.visit_mut(visitor));
            }
        }

        impl<F: Float + RealField> Differentiable for $type<F> {
            type Tangent = Self;

            fn zero_tangent(&self) -> Self {
                self.zeros_like()
            }

            fn perturb(&mut self, direction: &Self, step: f64) {
                let (value, direction_sizes) = (self.shape(), direction.shape());
                assert!(
                    value == direction_sizes,
                    "a direction of sizes {direction_sizes:?} was given for a value of sizes {value:?}"
                );
                self.update(direction, |entry, direction| entry.perturb(&direction, step));
            }

            fn visit(&self, visitor: &mut dyn Visitor) {
                Tangent::visit(self, visitor);
            }

            /// Without entries.
            fn stand_in() -> Self {
                $empty
            }
        }
    )*};
}

values! {
    Mat (nrows ncols) Mat::zeros(0, 0);
    Col (nrows) Col::zeros(0);
    Row (ncols) Row::zeros(0);
}

impl<F: Float + RealField> Tangent for Scale<F> {
    #[inline]
    fn accumulate(&mut self, other: Self) {
        self.0 += other.0;
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        visit_part(Step::Field("0"), visitor, |visitor| Tangent::visit(&self.0, visitor));
    }

    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut f64)) {
        self.0.visit_mut(visitor);
    }
}

impl<F: Float + RealField> Differentiable for Scale<F> {
    type Tangent = Self;

    #[inline]
    fn zero_tangent(&self) -> Self {
        Scale(F::literal(0.0))
    }

    fn perturb(&mut self, direction: &Self, step: f64) {
        self.0.perturb(&direction.0, step);
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        Tangent::visit(self, visitor);
    }

    fn stand_in() -> Self {
        Scale(F::literal(0.0))
    }
}

without_tangent!([] Side, [] LltError, [] EvdError);
