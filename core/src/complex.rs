//! Complex numbers as values and as tangents: the real part comes first.

// The same type by either way.
#[cfg(not(feature = "num-complex-0_4"))]
use nalgebra_0_35::Complex;
#[cfg(feature = "num-complex-0_4")]
use num_complex_0_4::Complex;

use crate::accumulate::Zero;
use crate::floats::{floats_of_fields, pairs_of_fields};
use crate::guard::{Comparable, comparable};
use crate::hessian::HessianBy;
use crate::output::{Entry, FloatOutput, VectorOutput};
use crate::sharing::Sharing;
use crate::visit::{Step, Visitor, visit_part};
use crate::{Differentiable, Matrix, Tangent};

comparable! {
    [T: Comparable] Complex<T> => T::Owner;
}

impl<T: Tangent> Tangent for Complex<T> {
    const SHARES: bool = T::SHARES;

    #[inline(always)]
    fn accumulate(&mut self, other: Self) {
        self.re.accumulate(other.re);
        self.im.accumulate(other.im);
    }

    pairs_of_fields!(re, im);
}

impl<T: Differentiable> Differentiable for Complex<T> {
    type Tangent = Complex<T::Tangent>;

    #[inline(always)]
    fn zero_tangent(&self) -> Self::Tangent {
        Complex { re: self.re.zero_tangent(), im: self.im.zero_tangent() }
    }

    #[inline]
    fn conform(&self, tangent: &mut Self::Tangent) {
        self.re.conform(&mut tangent.re);
        self.im.conform(&mut tangent.im);
    }

    #[inline]
    fn conforms(&self, tangent: &Self::Tangent, layers: usize) -> bool {
        self.re.conforms(&tangent.re, layers) && self.im.conforms(&tangent.im, layers)
    }

    #[inline]
    fn share(&self, tangent: &mut Self::Tangent, sharing: &mut Sharing) {
        self.re.share(&mut tangent.re, sharing);
        self.im.share(&mut tangent.im, sharing);
    }

    fn perturb(&mut self, direction: &Self::Tangent, step: f64) {
        self.re.perturb(&direction.re, step);
        self.im.perturb(&direction.im, step);
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        visit_part(Step::Field("re"), visitor, |visitor| self.re.visit(visitor));
        visit_part(Step::Field("im"), visitor, |visitor| self.im.visit(visitor));
    }

    floats_of_fields!(re, im);

    crate::__stand_ins!(Complex { re: T::stand_in(), im: T::stand_in() });
}

impl<T: Zero> Zero for Complex<T> {
    #[inline(always)]
    fn nothing() -> Self {
        Complex { re: T::nothing(), im: T::nothing() }
    }
}

/// Two rows of a Jacobian.
impl<F: Entry> VectorOutput<'_> for Complex<F> {
    type Float = F;
    const LENGTH: Option<usize> = Some(2);
}

/// Two rows and two columns of a Hessian.
impl<F> HessianBy<'_> for Complex<F> {
    type Hessian<Y> = Matrix<Y>;

    #[inline]
    fn hessian<Y: FloatOutput<'static>>(matrix: Matrix<Y>) -> Matrix<Y> {
        matrix
    }
}
