//! Rules of means and spreads, and of what is summed along an axis.

use ndarray_0_17::{Array, Axis, Dimension, RemoveAxis};
use num_traits::FromPrimitive;

use super::methods::Moves as _;
use crate::floats::floats_of_fields;
use crate::visit::Visitor;
use crate::{Differentiable, Float, NoTangent, differentiate, primitive};

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

    floats_of_fields!();
}

/// Means of all entries, and what is summed along an axis.
#[doc(hidden)]
#[differentiate]
#[differentiate]
pub trait Reductions<F: Float> {
    type Smaller: Differentiable;

    /// `mean`, `m = Σ x[i] / n`, where there are entries: `x̄[i] += m̄ / n`.
    #[differentiate(companion = mean)]
    fn __mean(&self) -> Option<F>;

    /// `sum_axis`, `y = Σ x[.., i, ..]`: `x̄[.., i, ..] += ȳ`.
    #[differentiate(companion = sum_axis, constant(axis))]
    fn __sum_axis(&self, axis: Axis) -> Self::Smaller;

    /// `mean_axis`, `y = Σ x[.., i, ..] / n`, where there are entries: `x̄[.., i, ..] += ȳ / n`.
    #[differentiate(companion = mean_axis, constant(axis))]
    fn __mean_axis(&self, axis: Axis) -> Option<Self::Smaller>;

    /// `index_axis`, `y = x[.., at, ..]`: `x̄[.., at, ..] += ȳ`.
    #[differentiate(companion = index_axis, constant(axis))]
    fn __index_axis(&self, axis: Axis, at: usize) -> Self::Smaller;
}

#[differentiate]
#[differentiate]
impl<F: Float + FromPrimitive, D: RemoveAxis> Reductions<F> for Array<F, D> {
    type Smaller = Array<F, D::Smaller>;

    #[primitive(vjp = mean_vjp, jvp = mean_jvp, companion = mean)]
    fn __mean(&self) -> Option<F> {
        self.mean()
    }

    #[primitive(vjp = sum_axis_vjp, jvp = sum_axis_jvp, companion = sum_axis, constant(axis))]
    fn __sum_axis(&self, axis: Axis) -> Self::Smaller {
        self.sum_axis(axis)
    }

    #[primitive(vjp = mean_axis_vjp, jvp = mean_axis_jvp, companion = mean_axis, constant(axis))]
    fn __mean_axis(&self, axis: Axis) -> Option<Self::Smaller> {
        self.mean_axis(axis)
    }

    #[primitive(vjp = index_axis_vjp, jvp = index_axis_jvp, companion = index_axis, constant(axis))]
    fn __index_axis(&self, axis: Axis, at: usize) -> Self::Smaller {
        self.index_axis(axis, at).to_owned()
    }
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

fn mean_vjp<F: Float + FromPrimitive, D: Dimension>(
    x: &Array<F, D>,
) -> (Option<F>, impl FnOnce(&Array<F, D>, &mut Array<F, D>, Option<F>) + use<F, D>) {
    let back = |_: &Array<F, D>, x_bar: &mut Array<F, D>, bar: Option<F>| {
        let Some(bar) = bar.filter(|_| !x_bar.is_empty()) else { return };
        let part = bar * share(x_bar.len());
        x_bar.mapv_inplace(|entry| entry + part);
    };
    (x.mean(), back)
}

#[differentiate]
fn mean_jvp<F: Float + FromPrimitive, D: RemoveAxis>(
    x: &Array<F, D>,
    x_dot: &Array<F, D>,
) -> (Option<F>, Option<F>) {
    (x.mean(), x_dot.mean())
}

fn sum_axis_vjp<F: Float, D: RemoveAxis>(
    x: &Array<F, D>,
    axis: Axis,
) -> (
    Array<F, D::Smaller>,
    impl FnOnce(&Array<F, D>, &mut Array<F, D>, Array<F, D::Smaller>) + use<F, D>,
) {
    let back = move |_: &Array<F, D>, x_bar: &mut Array<F, D>, bar: Array<F, D::Smaller>| {
        add_along(x_bar, axis, F::one(), &bar);
    };
    (x.sum_axis(axis), back)
}

#[differentiate(constant(axis))]
fn sum_axis_jvp<F: Float + FromPrimitive, D: RemoveAxis>(
    x: &Array<F, D>,
    x_dot: &Array<F, D>,
    axis: Axis,
) -> (Array<F, D::Smaller>, Array<F, D::Smaller>) {
    (x.sum_axis(axis), x_dot.sum_axis(axis))
}

fn mean_axis_vjp<F: Float + FromPrimitive, D: RemoveAxis>(
    x: &Array<F, D>,
    axis: Axis,
) -> (
    Option<Array<F, D::Smaller>>,
    impl FnOnce(&Array<F, D>, &mut Array<F, D>, Option<Array<F, D::Smaller>>) + use<F, D>,
) {
    let back =
        move |_: &Array<F, D>, x_bar: &mut Array<F, D>, bar: Option<Array<F, D::Smaller>>| {
            let entries = x_bar.len_of(axis);
            if let Some(bar) = bar.filter(|_| entries > 0) {
                add_along(x_bar, axis, share(entries), &bar);
            }
        };
    (x.mean_axis(axis), back)
}

#[differentiate(constant(axis))]
fn mean_axis_jvp<F: Float + FromPrimitive, D: RemoveAxis>(
    x: &Array<F, D>,
    x_dot: &Array<F, D>,
    axis: Axis,
) -> (Option<Array<F, D::Smaller>>, Option<Array<F, D::Smaller>>) {
    (x.mean_axis(axis), x_dot.mean_axis(axis))
}

fn index_axis_vjp<F: Float, D: RemoveAxis>(
    x: &Array<F, D>,
    axis: Axis,
    at: usize,
) -> (
    Array<F, D::Smaller>,
    impl FnOnce(&Array<F, D>, &mut Array<F, D>, Array<F, D::Smaller>) + use<F, D>,
) {
    let back = move |_: &Array<F, D>, x_bar: &mut Array<F, D>, bar: Array<F, D::Smaller>| {
        x_bar.index_axis_mut(axis, at).zip_mut_with(&bar, |entry, bar| *entry += *bar);
    };
    (x.index_axis(axis, at).to_owned(), back)
}

#[differentiate(constant(axis))]
fn index_axis_jvp<F: Float + FromPrimitive, D: RemoveAxis>(
    x: &Array<F, D>,
    x_dot: &Array<F, D>,
    axis: Axis,
    at: usize,
) -> (Array<F, D::Smaller>, Array<F, D::Smaller>) {
    (x.index_axis(axis, at).to_owned(), x_dot.index_axis(axis, at).to_owned())
}
