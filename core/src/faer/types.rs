//! Matrices, vectors and scales as values and as tangents. Entries are visited column by column, behind the sizes.
//!
//! Of what a factorisation is told and may fail by, nothing is differentiated.

use faer_0_24::linalg::evd::EvdError;
use faer_0_24::linalg::solvers::LltError;
use faer_0_24::traits::RealField;
use faer_0_24::{Col, Mat, Row, Scale, Side};

use super::entries::Entries;
use crate::differentiable::without_tangent;
use crate::floats::{
    FloatVisitor, FloatVisitorMut, InnerProduct, PairVisitor, assert_sizes, floats_of_fields,
    pairs_of_fields,
};
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

            fn visit_pairs(&mut self, other: &Self, visitor: &mut (impl PairVisitor + ?Sized)) {
                assert_sizes(self.shape(), other.shape());
                let pieces = self.pieces_mut().zip(other.pieces());
                pieces.for_each(|(piece, other)| F::visit_pairs_in(piece, other, visitor));
            }

            fn add_products(&self, other: &Self, sum: &mut InnerProduct) {
                assert_sizes(self.shape(), other.shape());
                let pieces = self.pieces().zip(other.pieces());
                pieces.for_each(|(piece, other)| F::add_products_in(piece, other, sum));
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
                $(visitor.leaf(Leaf::Shape(self.$size()));)*
                visit_entries(self.pieces().flatten(), visitor, F::visit);
            }

            fn visit_floats(&self, visitor: &mut (impl FloatVisitor + ?Sized)) {
                self.pieces().for_each(|piece| F::visit_floats_in(piece, visitor));
            }

            fn visit_floats_mut(&mut self, visitor: &mut (impl FloatVisitorMut + ?Sized)) {
                self.pieces_mut().for_each(|piece| F::visit_floats_mut_in(piece, visitor));
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

    pairs_of_fields!(0);
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
        visit_part(Step::Field("0"), visitor, |visitor| self.0.visit(visitor));
    }

    floats_of_fields!(0);

    fn stand_in() -> Self {
        Scale(F::literal(0.0))
    }
}

without_tangent!([] Side, [] LltError, [] EvdError);
