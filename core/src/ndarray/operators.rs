//! Rules of the operators, entry by entry, between arrays of as many axes and between arrays and floats.
//!
//! An axis of one entry is repeated where the other operand's is longer, so that what goes back to it is a sum.
//! Invariant: what goes back to an operand has its shape.

use ndarray_0_17::{Array, Dimension, IntoDimension, Zip};

use super::entries::fitted;
use crate::bilinear::{bilinear, linear, product, quotient};
use crate::rules::{add, div, mul, neg, sub};
use crate::{Float, Tangent as _};

/// The sum of products of entries.
pub(super) fn inner<F: Float, D: Dimension>(a: &Array<F, D>, b: &Array<F, D>) -> F {
    Zip::from(a).and(b).fold(F::zero(), |sum, a, b| sum + *a * *b)
}

/// A tangent in the shape of the result.
fn spread<F: Float, D: Dimension>(dot: &Array<F, D>, output: &Array<F, D>) -> Array<F, D> {
    dot.broadcast(output.raw_dim())
        .expect("an operand has the result's shape or is repeated")
        .to_owned()
}

impl<F: Float, D: Dimension> neg for Array<F, D> {
    type Output = Self;

    linear! { vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 () Self, |bar| bar.mapv(|x| -x), |dot| dot.mapv(|x| -x) }
}

/// The functions of an operand of a sum.
macro_rules! term {
    (
        $vjp:ident $jvp:ident $dot_vjp:ident $dot_jvp:ident ($self:ident, $b:ident) $operand:expr,
        |$x:ident| $signed:expr
    ) => {
        fn $vjp(&$self, $b: &Self, _: &Self, bar: &Self) -> Self {
            let $x = bar.clone();
            fitted($signed, $operand)
        }

        fn $jvp(&$self, _: &Self, output: &Self, dot: &Self) -> Self {
            let $x = spread(dot, output);
            $signed
        }

        fn $dot_vjp<const N: usize>(
            &$self,
            _: [&Self; N],
            ($b, _): (&Self, [&Self; N]),
            _: (&Self, [&Self; N]),
            (_, bars): (&Self, [&Self; N]),
        ) -> Self {
            let $x = bars[N - 1].clone();
            fitted($signed, $operand)
        }

        fn $dot_jvp<const N: usize>(
            &$self,
            _: [&Self; N],
            _: (&Self, [&Self; N]),
            (output, _): (&Self, [&Self; N]),
            (_, dots): (&Self, [&Self; N]),
        ) -> Self {
            let $x = spread(dots[N - 1], output);
            $signed
        }
    };
}

impl<F: Float, D: Dimension> add<Array<F, D>> for Array<F, D> {
    type Output = Self;

    term! { vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 (self, _b) self, |x| x }
    term! { vjp_1 jvp_1 dot_vjp_1 dot_jvp_1 (self, b) b, |x| x }
}

impl<F: Float, D: Dimension> sub<Array<F, D>> for Array<F, D> {
    type Output = Self;

    term! { vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 (self, _b) self, |x| x }
    term! { vjp_1 jvp_1 dot_vjp_1 dot_jvp_1 (self, b) b, |x| -x }
}

impl<F: Float, D: Dimension> mul<Array<F, D>> for Array<F, D> {
    type Output = Self;

    fn vjp_0(&self, b: &Self, _: &Self, bar: &Self) -> Self {
        fitted(entrywise(bar, b), self)
    }

    fn add_vjp_0(&self, b: &Self, _: &Self, bar: &Self, to: &mut Self) {
        add_entrywise(to, bar, b);
    }

    fn jvp_0(&self, b: &Self, output: &Self, dot: &Self) -> Self {
        spread(&entrywise(dot, b), output)
    }

    fn dot_vjp_0<const N: usize>(
        &self,
        _: [&Self; N],
        b: (&Self, [&Self; N]),
        _: (&Self, [&Self; N]),
        bar: (&Self, [&Self; N]),
    ) -> Self {
        fitted(bilinear(bar, b, entrywise), self)
    }

    fn dot_jvp_0<const N: usize>(
        &self,
        _: [&Self; N],
        b: (&Self, [&Self; N]),
        _: (&Self, [&Self; N]),
        dot: (&Self, [&Self; N]),
    ) -> Self {
        bilinear(dot, b, entrywise)
    }

    fn vjp_1(&self, b: &Self, _: &Self, bar: &Self) -> Self {
        fitted(entrywise(self, bar), b)
    }

    fn add_vjp_1(&self, _: &Self, _: &Self, bar: &Self, to: &mut Self) {
        add_entrywise(to, self, bar);
    }

    fn jvp_1(&self, _: &Self, output: &Self, dot: &Self) -> Self {
        spread(&entrywise(self, dot), output)
    }

    fn dot_vjp_1<const N: usize>(
        &self,
        dots: [&Self; N],
        (b, _): (&Self, [&Self; N]),
        _: (&Self, [&Self; N]),
        bar: (&Self, [&Self; N]),
    ) -> Self {
        fitted(bilinear((self, dots), bar, entrywise), b)
    }

    fn dot_jvp_1<const N: usize>(
        &self,
        dots: [&Self; N],
        _: (&Self, [&Self; N]),
        _: (&Self, [&Self; N]),
        dot: (&Self, [&Self; N]),
    ) -> Self {
        bilinear((self, dots), dot, entrywise)
    }
}

/// The product of entries, with axes of one entry repeated.
fn entrywise<F: Float, D: Dimension>(a: &Array<F, D>, b: &Array<F, D>) -> Array<F, D> {
    let sizes = a.shape().iter().zip(b.shape());
    let mut to = a.raw_dim();
    sizes.enumerate().for_each(|(axis, (a, b))| to[axis] = if *a == 1 { *b } else { *a });
    let to = to.into_dimension();
    if a.shape() == to.slice() && b.shape() == to.slice() {
        return Zip::from(a).and(b).map_collect(|a, b| *a * *b);
    }
    let mut product = spread_to(a, &to);
    product.zip_mut_with(&spread_to(b, &to), |a, b| *a *= *b);
    product
}

/// Adds the product of entries to a shadow of its shape, or of one that is repeated.
fn add_entrywise<F: Float, D: Dimension>(to: &mut Array<F, D>, a: &Array<F, D>, b: &Array<F, D>) {
    match a.shape() == to.shape() && b.shape() == to.shape() {
        true => Zip::from(to).and(a).and(b).for_each(|to, a, b| *to += *a * *b),
        false => {
            let product = fitted(entrywise(a, b), to);
            to.accumulate(product);
        }
    }
}

fn spread_to<F: Float, D: Dimension>(a: &Array<F, D>, to: &D) -> Array<F, D> {
    a.broadcast(to.clone()).expect("axes are of the same length, or one is repeated").to_owned()
}

macro_rules! with_floats {
    ($($float:ident)*) => {$(
        impl<D: Dimension> mul<$float> for Array<$float, D> {
            type Output = Self;

            product! { $float, |a, s| a * *s, |bar, s| bar * *s, |a, bar| inner(a, bar) }
        }

        impl<D: Dimension> mul<Array<$float, D>> for $float {
            type Output = Array<$float, D>;

            product! { Array<$float, D>, |s, a| a * *s, |bar, a| inner(bar, a), |s, bar| bar * *s }
        }

        impl<D: Dimension> div<$float> for Array<$float, D> {
            type Output = Self;

            quotient! { $float, |x, s| x * *s, |bar, output| inner(bar, output) }
        }
    )*};
}

with_floats!(f32 f64);

/// The operators of which the rows of floats are evaluated entry by entry.
macro_rules! entry_by_entry {
    ($($float:ident)*) => {$(
        super::entries::row! { [] $float add<$float> for Array<$float, D>: $float }
        super::entries::row! { [] $float add<Array<$float, D>> for $float: Array<$float, D> }
        super::entries::row! { [] $float sub<$float> for Array<$float, D>: $float }
        super::entries::row! { [] $float sub<Array<$float, D>> for $float: Array<$float, D> }
        super::entries::row! { [] $float div<Array<$float, D>> for $float: Array<$float, D> }
    )*};
}

entry_by_entry!(f32 f64);

super::entries::row! { [F] F div<Array<F, D>> for Array<F, D>: Array<F, D> }
