//! Rows of the table of floats, evaluated entry by entry.

use alloc::vec;
use alloc::vec::Vec;

use ndarray_0_17::{Array, Dimension, IntoDimension, Zip};

use crate::rules::{
    abs, acos, acosh, asin, asinh, atan, atanh, cbrt, cos, cosh, exp, exp_m1, exp2, fract, ln,
    ln_1p, log, log2, log10, powf, powi, recip, sin, sinh, sqrt, tan, tanh, to_degrees, to_radians,
};
use crate::{Float, NoTangent};

/// What goes back to an operand that may have been repeated: the sum over what is repeated.
///
/// # Panics
///
/// When the numbers of axes differ.
pub fn fitted<F: Float, D: Dimension>(bar: Array<F, D>, like: &Array<F, D>) -> Array<F, D> {
    if bar.shape() == like.shape() {
        return bar;
    }
    assert!(
        bar.ndim() == like.ndim() && like.is_empty() == bar.is_empty(),
        "an array of sizes {:?} was taken for one of sizes {:?}",
        like.shape(),
        bar.shape()
    );
    let mut sum = Array::from_elem(like.raw_dim(), F::zero());
    for (index, value) in bar.indexed_iter() {
        let mut at: D = index.into_dimension();
        let repeated = (0..like.ndim()).filter(|axis| like.shape()[*axis] == 1);
        repeated.for_each(|axis| at[axis] = 0);
        sum[at] += *value;
    }
    sum
}

/// An operand of a row that is evaluated entry by entry.
pub trait Entrywise<F: Float, D: Dimension>: Sized {
    /// Its entries in the shape of the result.
    fn laid_out(&self, to: &D) -> Vec<F>;

    /// What goes back to it.
    fn fit(bar: Array<F, D>, like: &Self) -> Self;
}

impl<F: Float, D: Dimension> Entrywise<F, D> for Array<F, D> {
    fn laid_out(&self, to: &D) -> Vec<F> {
        let entries = self.broadcast(to.clone()).expect("the result's shape, or repeated");
        entries.iter().copied().collect()
    }

    fn fit(bar: Self, like: &Self) -> Self {
        fitted(bar, like)
    }
}

impl<F: Float, D: Dimension> Entrywise<F, D> for F {
    fn laid_out(&self, to: &D) -> Vec<F> {
        vec![*self; to.size()]
    }

    fn fit(bar: Array<F, D>, _: &Self) -> Self {
        bar.iter().fold(F::zero(), |sum, entry| sum + *entry)
    }
}

/// The entries of an operand and of its tangents.
pub struct Lines<F, const N: usize>(Vec<F>, [Vec<F>; N]);

impl<F: Float, const N: usize> Lines<F, N> {
    /// In the shape of the result.
    pub fn new<D: Dimension, A: Entrywise<F, D>>((value, dots): (&A, [&A; N]), to: &D) -> Self {
        Lines(value.laid_out(to), dots.map(|dot| dot.laid_out(to)))
    }

    /// The same of an operand or a result that may be a stand-in, since a row that does not read it is given one.
    pub fn read<D: Dimension>((value, dots): (&Array<F, D>, [&Array<F, D>; N]), to: &D) -> Self {
        Lines(read_entries(value, to), dots.map(|dot| read_entries(dot, to)))
    }

    /// Those of a position.
    pub fn at(&self, position: usize) -> (&F, [&F; N]) {
        (&self.0[position], self.1.each_ref().map(|line| &line[position]))
    }
}

/// The entries of an array of a shape, or as many zeros.
pub fn read_entries<F: Float, D: Dimension>(array: &Array<F, D>, to: &D) -> Vec<F> {
    match array.raw_dim() == *to {
        true => array.iter().copied().collect(),
        false => vec![F::zero(); to.size()],
    }
}

/// An array of what there is at each position.
pub fn made<F, D: Dimension>(shape: D, entry: impl FnMut(usize) -> F) -> Array<F, D> {
    let entries = (0..shape.size()).map(entry).collect();
    Array::from_shape_vec(shape, entries).expect("as many entries as the shape has")
}

/// A row of two operands, of which one or both are arrays.
macro_rules! row {
    ([$($generic:ident)?] $float:ident $name:ident<$b:ty> for $a:ty: $same:ty) => {
        impl<$($generic: Float,)? D: Dimension> $name<$b> for $a {
            type Output = Array<$float, D>;

            $crate::ndarray::entries::partial! { $float $name $a, $b => $a, operand_0: vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 }
            $crate::ndarray::entries::partial! { $float $name $a, $b => $b, operand_1: vjp_1 jvp_1 dot_vjp_1 dot_jvp_1 }
        }
    };
}

/// The functions of a partial derivative.
macro_rules! partial {
    (
        $float:ident $name:ident $a:ty, $b:ty => $of:ty, $which:ident:
        $vjp:ident $jvp:ident $dot_vjp:ident $dot_jvp:ident
    ) => {
        fn $vjp(&self, b: &$b, output: &Self::Output, bar: &Self::Output) -> $of {
            use $crate::ndarray::entries::{Entrywise, made, read_entries};
            let to = bar.raw_dim();
            let (x, y) = (Entrywise::laid_out(self, &to), b.laid_out(&to));
            let (z, bar) = (read_entries(output, &to), bar.laid_out(&to));
            let entry = |i: usize| <$float as $name<$float>>::$vjp(&x[i], &y[i], &z[i], &bar[i]);
            let of = $crate::ndarray::entries::$which(self, b);
            Entrywise::fit(made(to, entry), of)
        }

        fn $jvp(&self, b: &$b, output: &Self::Output, dot: &$of) -> Self::Output {
            use $crate::ndarray::entries::{Entrywise, made};
            let to = output.raw_dim();
            let (x, y) = (Entrywise::laid_out(self, &to), b.laid_out(&to));
            let (z, dot) = (output.laid_out(&to), dot.laid_out(&to));
            made(to, |i| <$float as $name<$float>>::$jvp(&x[i], &y[i], &z[i], &dot[i]))
        }

        fn $dot_vjp<const N: usize>(
            &self,
            dots: [&$a; N],
            b: (&$b, [&$b; N]),
            output: (&Self::Output, [&Self::Output; N]),
            bar: (&Self::Output, [&Self::Output; N]),
        ) -> $of {
            use $crate::ndarray::entries::{Entrywise, Lines, made};
            let (to, of) = (bar.0.raw_dim(), $crate::ndarray::entries::$which(self, b.0));
            let (x, y) = (Lines::new((self, dots), &to), Lines::new(b, &to));
            let (z, bar) = (Lines::read(output, &to), Lines::new(bar, &to));
            let entry = |i: usize| {
                let (x, dots) = x.at(i);
                <$float as $name<$float>>::$dot_vjp(x, dots, y.at(i), z.at(i), bar.at(i))
            };
            Entrywise::fit(made(to, entry), of)
        }

        fn $dot_jvp<const N: usize>(
            &self,
            dots: [&$a; N],
            b: (&$b, [&$b; N]),
            output: (&Self::Output, [&Self::Output; N]),
            dot: (&$of, [&$of; N]),
        ) -> Self::Output {
            use $crate::ndarray::entries::{Lines, made};
            let to = output.0.raw_dim();
            let (x, y) = (Lines::new((self, dots), &to), Lines::new(b, &to));
            let (z, dot) = (Lines::new(output, &to), Lines::new(dot, &to));
            made(to, |i| {
                let (x, dots) = x.at(i);
                <$float as $name<$float>>::$dot_jvp(x, dots, y.at(i), z.at(i), dot.at(i))
            })
        }
    };
}

pub(crate) use {partial, row};

/// The operand of this index.
pub fn operand_0<'o, A, B>(a: &'o A, _: &'o B) -> &'o A {
    a
}

/// Likewise.
pub fn operand_1<'o, A, B>(_: &'o A, b: &'o B) -> &'o B {
    b
}

row! { [F] F powf<F> for Array<F, D>: F }
row! { [F] F log<F> for Array<F, D>: F }

/// The operand or the result of a row, or the other where a stand-in is in its place, since none reads that.
fn read<'r, F, D: Dimension>(
    one: &'r Array<F, D>,
    other: &'r Array<F, D>,
    bar: &Array<F, D>,
) -> &'r Array<F, D> {
    if one.shape() == bar.shape() { one } else { other }
}

/// Rows of one array.
macro_rules! functions {
    ($($name:ident $(($n:ident: $integer:ty))?),*) => {$(
        impl<F: Float, D: Dimension> $name for Array<F, D> {
            type Output = Self;

            fn vjp_0(&self, $($n: &$integer,)? output: &Self, bar: &Self) -> Self {
                let (x, y) = (read(self, output, bar), read(output, self, bar));
                let entries = Zip::from(x).and(y).and(bar);
                entries.map_collect(|x, y, bar| $name::vjp_0(x, $($n,)? y, bar))
            }

            fn jvp_0(&self, $($n: &$integer,)? output: &Self, dot: &Self) -> Self {
                let entries = Zip::from(self).and(output).and(dot);
                entries.map_collect(|x, y, dot| $name::jvp_0(x, $($n,)? y, dot))
            }

            fn dot_vjp_0<const N: usize>(
                &self,
                dots: [&Self; N],
                $($n: (&$integer, [&NoTangent; N]),)?
                output: (&Self, [&Self; N]),
                bar: (&Self, [&Self; N]),
            ) -> Self {
                let to = bar.0.raw_dim();
                let (x, y) = (Lines::read((self, dots), &to), Lines::read(output, &to));
                let bar = Lines::new(bar, &to);
                made(to, |i| {
                    let (x, dots) = x.at(i);
                    $name::dot_vjp_0(x, dots, $($n,)? y.at(i), bar.at(i))
                })
            }

            fn dot_jvp_0<const N: usize>(
                &self,
                dots: [&Self; N],
                $($n: (&$integer, [&NoTangent; N]),)?
                output: (&Self, [&Self; N]),
                dot: (&Self, [&Self; N]),
            ) -> Self {
                $name::dot_vjp_0(self, dots, $($n,)? output, dot)
            }
        }
    )*};
}

functions!(
    abs, acos, acosh, asin, asinh, atan, atanh, cbrt, cos, cosh, exp, exp2, exp_m1, fract, ln, ln_1p,
    log10, log2, recip, sin, sinh, sqrt, tan, tanh, to_degrees, to_radians, powi (n: i32)
);
