//! Rules of means, and of sums along an axis.

use ndarray_0_17::{Array, Axis, RemoveAxis};
use num_traits::FromPrimitive;

use crate::visit::Visitor;
use crate::{Differentiable, Float, NoTangent};

/// An axis is constant, as an index is.
impl Differentiable for Axis {
    type Tangent = NoTangent;

    fn zero_tangent(&self) -> NoTangent {
        NoTangent
    }

    fn perturb(&mut self, _: &NoTangent, _: f64) {}

    fn visit(&self, visitor: &mut dyn Visitor) {
        self.0.visit(visitor);
    }
}

/// Means of all entries, and what is summed along an axis.
#[doc(hidden)]
pub trait Reductions<F: Float>: Sized {
    type Smaller: Differentiable;

    /// `mean`, `m = Σ x[i] / n`, where there are entries: `x̄[i] += m̄ / n`.
    fn __mean_vjp_needs_differentiate_or_primitive_or_zero_adjoint(
        &self,
    ) -> (Option<F>, impl FnOnce(&Self, &mut Self, Option<F>) + use<Self, F>);

    fn __mean_jvp_needs_differentiate_or_primitive_or_zero_adjoint(
        &self,
        dot: &Self,
    ) -> (Option<F>, Option<F>);

    /// `sum_axis`, `y = Σ x[.., i, ..]`: `x̄[.., i, ..] += ȳ`.
    fn __sum_axis_vjp_needs_differentiate_or_primitive_or_zero_adjoint(
        &self,
        axis: Axis,
    ) -> (Self::Smaller, impl FnOnce(&Self, &mut Self, Self::Smaller) -> (NoTangent,) + use<Self, F>);

    fn __sum_axis_jvp_needs_differentiate_or_primitive_or_zero_adjoint(
        &self,
        dot: &Self,
        axis: Axis,
        _: NoTangent,
    ) -> (Self::Smaller, Self::Smaller);

    /// `mean_axis`, `y = Σ x[.., i, ..] / n`, where there are entries: `x̄[.., i, ..] += ȳ / n`.
    fn __mean_axis_vjp_needs_differentiate_or_primitive_or_zero_adjoint(
        &self,
        axis: Axis,
    ) -> (
        Option<Self::Smaller>,
        impl FnOnce(&Self, &mut Self, Option<Self::Smaller>) -> (NoTangent,) + use<Self, F>,
    );

    fn __mean_axis_jvp_needs_differentiate_or_primitive_or_zero_adjoint(
        &self,
        dot: &Self,
        axis: Axis,
        _: NoTangent,
    ) -> (Option<Self::Smaller>, Option<Self::Smaller>);
}

/// One over a number of entries.
fn share<F: FromPrimitive + Float>(entries: usize) -> F {
    F::from_usize(entries).expect("the primal has converted this number").recip()
}

/// Adds `s` times an array to each part along an axis.
fn add_along<F: Float, D: RemoveAxis>(
    x_bar: &mut Array<F, D>,
    axis: Axis,
    s: F,
    bar: &Array<F, D::Smaller>,
) {
    for mut part in x_bar.axis_iter_mut(axis) {
        part.zip_mut_with(bar, |entry, bar| *entry += s * *bar);
    }
}

impl<F: Float + FromPrimitive, D: RemoveAxis> Reductions<F> for Array<F, D> {
    type Smaller = Array<F, D::Smaller>;

    fn __mean_vjp_needs_differentiate_or_primitive_or_zero_adjoint(
        &self,
    ) -> (Option<F>, impl FnOnce(&Self, &mut Self, Option<F>) + use<F, D>) {
        let back = |_: &Self, x_bar: &mut Self, bar: Option<F>| {
            let Some(bar) = bar.filter(|_| !x_bar.is_empty()) else { return };
            let part = bar * share(x_bar.len());
            x_bar.mapv_inplace(|entry| entry + part);
        };
        (self.mean(), back)
    }

    fn __mean_jvp_needs_differentiate_or_primitive_or_zero_adjoint(
        &self,
        dot: &Self,
    ) -> (Option<F>, Option<F>) {
        (self.mean(), dot.mean())
    }

    fn __sum_axis_vjp_needs_differentiate_or_primitive_or_zero_adjoint(
        &self,
        axis: Axis,
    ) -> (Self::Smaller, impl FnOnce(&Self, &mut Self, Self::Smaller) -> (NoTangent,) + use<F, D>)
    {
        let back = move |_: &Self, x_bar: &mut Self, bar: Self::Smaller| {
            add_along(x_bar, axis, F::one(), &bar);
            (NoTangent,)
        };
        (self.sum_axis(axis), back)
    }

    fn __sum_axis_jvp_needs_differentiate_or_primitive_or_zero_adjoint(
        &self,
        dot: &Self,
        axis: Axis,
        _: NoTangent,
    ) -> (Self::Smaller, Self::Smaller) {
        (self.sum_axis(axis), dot.sum_axis(axis))
    }

    fn __mean_axis_vjp_needs_differentiate_or_primitive_or_zero_adjoint(
        &self,
        axis: Axis,
    ) -> (
        Option<Self::Smaller>,
        impl FnOnce(&Self, &mut Self, Option<Self::Smaller>) -> (NoTangent,) + use<F, D>,
    ) {
        let back = move |_: &Self, x_bar: &mut Self, bar: Option<Self::Smaller>| {
            let entries = x_bar.len_of(axis);
            if let Some(bar) = bar.filter(|_| entries > 0) {
                add_along(x_bar, axis, share(entries), &bar);
            }
            (NoTangent,)
        };
        (self.mean_axis(axis), back)
    }

    fn __mean_axis_jvp_needs_differentiate_or_primitive_or_zero_adjoint(
        &self,
        dot: &Self,
        axis: Axis,
        _: NoTangent,
    ) -> (Option<Self::Smaller>, Option<Self::Smaller>) {
        (self.mean_axis(axis), dot.mean_axis(axis))
    }
}
