//! Rules of the operators: `-a`, `a + b`, `a - b`, `a * b`, `a * s`, `s * a`, `a / s`, for matrices `a` and `b` and floats `s`.
//!
//! All but the division are linear in each operand, so that a partial derivative times a cotangent or a tangent is a
//! product again, and its own tangents are by the product rule, of any order.

use nalgebra_0_35::allocator::Allocator;
use nalgebra_0_35::{DefaultAllocator, Dim, OMatrix, RealField};

use crate::rules::{add, div, mul, neg, sub};
use crate::{Differentiable, Float, Tangent};

type TangentOf<T> = <T as Differentiable>::Tangent;

/// The last tangent of what is linear in both arguments: the sum, over all ways to share the directions out, of what
/// one argument gives along some and the other along the rest.
fn bilinear<A, B, T: Tangent, const N: usize>(
    (a, a_dots): (&A, [&A; N]),
    (b, b_dots): (&B, [&B; N]),
    product: impl Fn(&A, &B) -> T,
) -> T {
    let term = |share: usize| {
        let a = if share == 0 { a } else { a_dots[share - 1] };
        let b = if share == N { b } else { b_dots[N - share - 1] };
        product(a, b)
    };
    (1..=N).fold(term(0), |sum, share| sum.plus(term(share)))
}

/// A row with one operand whose derivative does not depend on it.
macro_rules! linear {
    ($vjp:ident $jvp:ident $dot_vjp:ident $dot_jvp:ident ($($ty:ty),*) $of:ty, |$bar:ident| $back:expr, |$dot:ident| $on:expr) => {
        #[inline]
        fn $vjp(&self, $(_: &$ty,)* _: &Self::Output, $bar: &TangentOf<Self::Output>) -> TangentOf<$of> {
            $back
        }

        #[inline]
        fn $jvp(&self, $(_: &$ty,)* _: &Self::Output, $dot: &TangentOf<$of>) -> TangentOf<Self::Output> {
            $on
        }

        #[inline]
        fn $dot_vjp<const N: usize>(
            &self,
            _: [&TangentOf<Self>; N],
            $(_: (&$ty, [&TangentOf<$ty>; N]),)*
            _: (&Self::Output, [&TangentOf<Self::Output>; N]),
            (_, bars): (&TangentOf<Self::Output>, [&TangentOf<Self::Output>; N]),
        ) -> TangentOf<$of> {
            let $bar = bars[N - 1];
            $back
        }

        #[inline]
        fn $dot_jvp<const N: usize>(
            &self,
            _: [&TangentOf<Self>; N],
            $(_: (&$ty, [&TangentOf<$ty>; N]),)*
            _: (&Self::Output, [&TangentOf<Self::Output>; N]),
            (_, dots): (&TangentOf<$of>, [&TangentOf<$of>; N]),
        ) -> TangentOf<Self::Output> {
            let $dot = dots[N - 1];
            $on
        }
    };
}

impl<T, R, C> neg for OMatrix<T, R, C>
where
    T: Float + RealField,
    R: Dim,
    C: Dim,
    DefaultAllocator: Allocator<R, C>,
{
    type Output = Self;

    linear! { vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 () Self, |bar| -bar, |dot| -dot }
}

impl<T, R, C> add<OMatrix<T, R, C>> for OMatrix<T, R, C>
where
    T: Float + RealField,
    R: Dim,
    C: Dim,
    DefaultAllocator: Allocator<R, C>,
{
    type Output = Self;

    linear! { vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 (Self) Self, |bar| bar.clone(), |dot| dot.clone() }
    linear! { vjp_1 jvp_1 dot_vjp_1 dot_jvp_1 (Self) Self, |bar| bar.clone(), |dot| dot.clone() }
}

impl<T, R, C> sub<OMatrix<T, R, C>> for OMatrix<T, R, C>
where
    T: Float + RealField,
    R: Dim,
    C: Dim,
    DefaultAllocator: Allocator<R, C>,
{
    type Output = Self;

    linear! { vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 (Self) Self, |bar| bar.clone(), |dot| dot.clone() }
    linear! { vjp_1 jvp_1 dot_vjp_1 dot_jvp_1 (Self) Self, |bar| -bar, |dot| -dot }
}

/// The functions of a product: how its cotangent goes back to each operand, and the product itself.
macro_rules! product {
    (
        $b:ty, |$one:ident, $other:ident| $product:expr,
        |$bar:ident, $right:ident| $left_back:expr, |$left:ident, $bar_too:ident| $right_back:expr
    ) => {
        #[inline]
        fn vjp_0(
            &self,
            $right: &$b,
            _: &Self::Output,
            $bar: &TangentOf<Self::Output>,
        ) -> TangentOf<Self> {
            $left_back
        }

        #[inline]
        fn jvp_0(
            &self,
            $other: &$b,
            _: &Self::Output,
            $one: &TangentOf<Self>,
        ) -> TangentOf<Self::Output> {
            $product
        }

        #[inline]
        fn dot_vjp_0<const N: usize>(
            &self,
            _: [&TangentOf<Self>; N],
            b: (&$b, [&TangentOf<$b>; N]),
            _: (&Self::Output, [&TangentOf<Self::Output>; N]),
            bar: (&TangentOf<Self::Output>, [&TangentOf<Self::Output>; N]),
        ) -> TangentOf<Self> {
            bilinear(bar, b, |$bar, $right| $left_back)
        }

        #[inline]
        fn dot_jvp_0<const N: usize>(
            &self,
            _: [&TangentOf<Self>; N],
            b: (&$b, [&TangentOf<$b>; N]),
            _: (&Self::Output, [&TangentOf<Self::Output>; N]),
            dot: (&TangentOf<Self>, [&TangentOf<Self>; N]),
        ) -> TangentOf<Self::Output> {
            bilinear(dot, b, |$one, $other| $product)
        }

        #[inline]
        fn vjp_1(
            &self,
            _: &$b,
            _: &Self::Output,
            $bar_too: &TangentOf<Self::Output>,
        ) -> TangentOf<$b> {
            let $left = self;
            $right_back
        }

        #[inline]
        fn jvp_1(
            &self,
            _: &$b,
            _: &Self::Output,
            $other: &TangentOf<$b>,
        ) -> TangentOf<Self::Output> {
            let $one = self;
            $product
        }

        #[inline]
        fn dot_vjp_1<const N: usize>(
            &self,
            dots: [&TangentOf<Self>; N],
            _: (&$b, [&TangentOf<$b>; N]),
            _: (&Self::Output, [&TangentOf<Self::Output>; N]),
            bar: (&TangentOf<Self::Output>, [&TangentOf<Self::Output>; N]),
        ) -> TangentOf<$b> {
            bilinear((self, dots), bar, |$left, $bar_too| $right_back)
        }

        #[inline]
        fn dot_jvp_1<const N: usize>(
            &self,
            dots: [&TangentOf<Self>; N],
            _: (&$b, [&TangentOf<$b>; N]),
            _: (&Self::Output, [&TangentOf<Self::Output>; N]),
            dot: (&TangentOf<$b>, [&TangentOf<$b>; N]),
        ) -> TangentOf<Self::Output> {
            bilinear((self, dots), dot, |$one, $other| $product)
        }
    };
}

impl<T, R, K, C> mul<OMatrix<T, K, C>> for OMatrix<T, R, K>
where
    T: Float + RealField,
    R: Dim,
    K: Dim,
    C: Dim,
    DefaultAllocator: Allocator<R, K> + Allocator<K, C> + Allocator<R, C> + Allocator<C, K>,
{
    type Output = OMatrix<T, R, C>;

    product! {
        OMatrix<T, K, C>,
        |a, b| a * b,
        |bar, b| bar * b.transpose(),
        |a, bar| a.tr_mul(bar)
    }
}

/// Products and quotients with a float, for each kind of float.
macro_rules! scaled {
    ($($float:ident)*) => {$(
        impl<R, C> mul<$float> for OMatrix<$float, R, C>
        where
            R: Dim,
            C: Dim,
            DefaultAllocator: Allocator<R, C>,
        {
            type Output = Self;

            product! { $float, |a, s| a * *s, |bar, s| bar * *s, |a, bar| a.dot(bar) }
        }

        impl<R, C> mul<OMatrix<$float, R, C>> for $float
        where
            R: Dim,
            C: Dim,
            DefaultAllocator: Allocator<R, C>,
        {
            type Output = OMatrix<$float, R, C>;

            product! { OMatrix<$float, R, C>, |s, a| a * *s, |bar, a| bar.dot(a), |s, bar| bar * *s }
        }
    )*};
}

scaled!(f32 f64);

/// One over a number and the tangents of that, in the order of the number's: `r s = 1` along all directions.
fn reciprocal<T: Float, const N: usize>(s: &T, dots: [&T; N]) -> (T, [T; N]) {
    let (first, mut rest) = (T::one() / *s, [T::zero(); N]);
    for share in 1..=N {
        let mut sum = first * *dots[share - 1];
        for part in (1..share).filter(|part| part & share == *part) {
            sum += rest[part - 1] * *dots[(share ^ part) - 1];
        }
        rest[share - 1] = -first * sum;
    }
    (first, rest)
}

/// All that two arguments give of what is linear in both: without directions, and along each set of them.
fn all<A, B, T: Tangent, const N: usize>(
    (a, a_dots): (&A, [&A; N]),
    (b, b_dots): (&B, [&B; N]),
    product: impl Fn(&A, &B) -> T,
) -> (T, [T; N]) {
    let of_a = |share: usize| if share == 0 { a } else { a_dots[share - 1] };
    let of_b = |share: usize| if share == 0 { b } else { b_dots[share - 1] };
    let along = |share: usize| {
        let parts = (1..=share).filter(|part| part & share == *part);
        parts.fold(product(a, of_b(share)), |sum, part| {
            sum.plus(product(of_a(part), of_b(share ^ part)))
        })
    };
    (along(0), core::array::from_fn(|at| along(at + 1)))
}

/// References to the parts of an array.
fn each<T, const N: usize>(array: &[T; N]) -> [&T; N] {
    array.each_ref()
}

macro_rules! divided {
    ($($float:ident)*) => {$(
        impl<R, C> div<$float> for OMatrix<$float, R, C>
        where
            R: Dim,
            C: Dim,
            DefaultAllocator: Allocator<R, C>,
        {
            type Output = Self;

            #[inline]
            fn vjp_0(&self, s: &$float, _: &Self, bar: &Self) -> Self {
                bar / *s
            }

            #[inline]
            fn jvp_0(&self, s: &$float, _: &Self, dot: &Self) -> Self {
                dot / *s
            }

            #[inline]
            fn dot_vjp_0<const N: usize>(
                &self,
                _: [&Self; N],
                (s, s_dots): (&$float, [&$float; N]),
                _: (&Self, [&Self; N]),
                bar: (&Self, [&Self; N]),
            ) -> Self {
                let (inverse, inverse_dots) = reciprocal(s, s_dots);
                bilinear(bar, (&inverse, each(&inverse_dots)), |bar, inverse| bar * *inverse)
            }

            #[inline]
            fn dot_jvp_0<const N: usize>(
                &self,
                dots: [&Self; N],
                s: (&$float, [&$float; N]),
                output: (&Self, [&Self; N]),
                dot: (&Self, [&Self; N]),
            ) -> Self {
                div::dot_vjp_0(self, dots, s, output, dot)
            }

            #[inline]
            fn vjp_1(&self, s: &$float, output: &Self, bar: &Self) -> $float {
                -bar.dot(output) / *s
            }

            #[inline]
            fn jvp_1(&self, s: &$float, output: &Self, dot: &$float) -> Self {
                output * (-*dot / *s)
            }

            #[inline]
            fn dot_vjp_1<const N: usize>(
                &self,
                _: [&Self; N],
                (s, s_dots): (&$float, [&$float; N]),
                output: (&Self, [&Self; N]),
                bar: (&Self, [&Self; N]),
            ) -> $float {
                let (inverse, inverse_dots) = reciprocal(s, s_dots);
                let (sum, sums) = all(bar, output, |bar, output| -bar.dot(output));
                let inverses = (&inverse, each(&inverse_dots));
                bilinear((&sum, each(&sums)), inverses, |sum, inverse| sum * inverse)
            }

            #[inline]
            fn dot_jvp_1<const N: usize>(
                &self,
                _: [&Self; N],
                (s, s_dots): (&$float, [&$float; N]),
                output: (&Self, [&Self; N]),
                dot: (&$float, [&$float; N]),
            ) -> Self {
                let (inverse, inverse_dots) = reciprocal(s, s_dots);
                let inverses = (&inverse, each(&inverse_dots));
                let (scale, scales) = all(dot, inverses, |dot, inverse| -dot * inverse);
                bilinear(output, (&scale, each(&scales)), |output, scale| output * *scale)
            }
        }
    )*};
}

divided!(f32 f64);
