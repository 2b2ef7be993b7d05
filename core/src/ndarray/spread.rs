//! Rules of variances and standard deviations, with `f` degrees of freedom less than entries.

use ndarray_0_17::{Array, Dimension};
use num_traits::FromPrimitive;

use super::operators::inner;
use crate::norm::by_norm;
use crate::{Float, differentiate, primitive, zero_adjoint};

/// How far entries are from their mean `m`.
#[doc(hidden)]
#[differentiate]
#[differentiate]
pub trait Spread<F: Float> {
    /// `var`, `v = Σ (x[i] - m)² / (n - f)`: `x̄[i] += 2 v̄ (x[i] - m) / (n - f)`, `f̄ = v̄ v / (n - f)`.
    #[differentiate(companion = var)]
    fn __var(&self, ddof: F) -> F;

    /// `std`, `s = √v`, with `v̄ = s̄ / 2 s`, and zero where `s` is, where it has a corner.
    #[differentiate(companion = std)]
    fn __std(&self, ddof: F) -> F;
}

#[differentiate]
#[differentiate]
impl<F: Float + FromPrimitive, D: Dimension> Spread<F> for Array<F, D> {
    #[primitive(vjp = var_vjp, jvp = var_jvp, companion = var)]
    fn __var(&self, ddof: F) -> F {
        self.var(ddof)
    }

    #[primitive(vjp = std_vjp, jvp = std_jvp, companion = std)]
    fn __std(&self, ddof: F) -> F {
        self.std(ddof)
    }
}

/// The number of entries.
#[zero_adjoint]
fn count<F: Float + FromPrimitive, D: Dimension>(x: &Array<F, D>) -> F {
    F::from_usize(x.len()).expect("the primal has converted this number")
}

/// The differences of entries and their mean. The transpose of the function is the function itself.
#[primitive(vjp = centred_vjp, jvp = centred_jvp)]
fn centred<F: Float + FromPrimitive, D: Dimension>(x: &Array<F, D>) -> Array<F, D> {
    match x.mean() {
        Some(mean) => x.mapv(|entry| entry - mean),
        None => x.clone(),
    }
}

fn centred_vjp<F: Float + FromPrimitive, D: Dimension>(
    x: &Array<F, D>,
) -> (Array<F, D>, impl FnOnce(&Array<F, D>, &mut Array<F, D>, Array<F, D>) + use<F, D>) {
    let back = |_: &Array<F, D>, x_bar: &mut Array<F, D>, bar: Array<F, D>| {
        x_bar.zip_mut_with(&centred(&bar), |entry, bar| *entry += *bar);
    };
    (centred(x), back)
}

fn centred_jvp<F: Float + FromPrimitive, D: Dimension>(
    x: &Array<F, D>,
    x_dot: &Array<F, D>,
) -> (Array<F, D>, Array<F, D>) {
    (centred(x), centred(x_dot))
}

/// The sum of products of entries.
#[primitive(vjp = product_vjp, jvp = product_jvp)]
fn product<F: Float, D: Dimension>(x: &Array<F, D>, y: &Array<F, D>) -> F {
    inner(x, y)
}

fn product_vjp<F: Float, D: Dimension>(
    x: &Array<F, D>,
    y: &Array<F, D>,
) -> (F, impl FnOnce(&Array<F, D>, &mut Array<F, D>, &Array<F, D>, &mut Array<F, D>, F) + use<F, D>)
{
    let back = |x: &Array<F, D>,
                x_bar: &mut Array<F, D>,
                y: &Array<F, D>,
                y_bar: &mut Array<F, D>,
                bar: F| {
        x_bar.zip_mut_with(y, |entry, y| *entry += bar * *y);
        y_bar.zip_mut_with(x, |entry, x| *entry += bar * *x);
    };
    (inner(x, y), back)
}

fn product_jvp<F: Float, D: Dimension>(
    x: &Array<F, D>,
    x_dot: &Array<F, D>,
    y: &Array<F, D>,
    y_dot: &Array<F, D>,
) -> (F, F) {
    (inner(x, y), inner(x_dot, y) + inner(x, y_dot))
}

/// Adds what goes back from a variance, and has what goes back to the degrees of freedom.
fn add_back<F: Float + FromPrimitive, D: Dimension>(
    x: &Array<F, D>,
    x_bar: &mut Array<F, D>,
    (ddof, variance, bar): (F, F, F),
) -> F {
    let share = bar / (count(x) - ddof);
    x_bar.zip_mut_with(&centred(x), |entry, centred| *entry += (share + share) * *centred);
    share * variance
}

fn var_vjp<F: Float + FromPrimitive, D: Dimension>(
    x: &Array<F, D>,
    ddof: F,
) -> (F, impl FnOnce(&Array<F, D>, &mut Array<F, D>, F) -> F + use<F, D>) {
    let variance = x.var(ddof);
    let back = move |x: &Array<F, D>, x_bar: &mut Array<F, D>, bar: F| {
        add_back(x, x_bar, (ddof, variance, bar))
    };
    (variance, back)
}

fn std_vjp<F: Float + FromPrimitive, D: Dimension>(
    x: &Array<F, D>,
    ddof: F,
) -> (F, impl FnOnce(&Array<F, D>, &mut Array<F, D>, F) -> F + use<F, D>) {
    let deviation = x.std(ddof);
    let back = move |x: &Array<F, D>, x_bar: &mut Array<F, D>, bar: F| {
        let bar = by_norm(bar * F::literal(0.5), deviation);
        add_back(x, x_bar, (ddof, deviation * deviation, bar))
    };
    (deviation, back)
}

#[differentiate]
fn var_jvp<F: Float + FromPrimitive, D: Dimension>(
    x: &Array<F, D>,
    x_dot: &Array<F, D>,
    ddof: F,
    ddof_dot: F,
) -> (F, F) {
    let variance = x.var(ddof);
    let along = product(&centred(x), x_dot);
    (variance, (along + along + variance * ddof_dot) / (count(x) - ddof))
}

#[differentiate]
fn std_jvp<F: Float + FromPrimitive, D: Dimension>(
    x: &Array<F, D>,
    x_dot: &Array<F, D>,
    ddof: F,
    ddof_dot: F,
) -> (F, F) {
    let deviation = x.std(ddof);
    let along = product(&centred(x), x_dot);
    let half = (along + deviation * deviation * ddof_dot * F::literal(0.5)) / (count(x) - ddof);
    (deviation, by_norm(half, deviation))
}
