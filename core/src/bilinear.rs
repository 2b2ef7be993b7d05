//! Rows of operators between values that are linear in them, such as matrices and complex numbers of other crates.
//!
//! In: how the operands multiply. Out: the functions of a row in `rules.rs`, for tangents of any order. All operators but
//! the division are linear in each operand, so that a partial derivative times a cotangent or a tangent is a product again,
//! and its own tangents are by the product rule.

use crate::{Float, Tangent};

/// The last tangent of what is linear in both arguments: the sum, over all ways to share the directions out, of what
/// one argument gives along some and the other along the rest.
pub(crate) fn bilinear<A, B, T: Tangent, const N: usize>(
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

/// One over a number and the tangents of that, in the order of the number's: `r s = 1` along all directions.
pub(crate) fn reciprocal<T: Float, const N: usize>(s: &T, dots: [&T; N]) -> (T, [T; N]) {
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
pub(crate) fn all<A, B, T: Tangent, const N: usize>(
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

/// A row with one operand whose derivative does not depend on it.
macro_rules! linear {
    ($vjp:ident $jvp:ident $dot_vjp:ident $dot_jvp:ident ($($ty:ty),*) $of:ty, |$bar:ident| $back:expr, |$dot:ident| $on:expr) => {
        #[inline]
        fn $vjp(&self, $(_: &$ty,)* _: &Self::Output, $bar: &$crate::rules::TangentOf<Self::Output>) -> $crate::rules::TangentOf<$of> {
            $back
        }

        #[inline]
        fn $jvp(&self, $(_: &$ty,)* _: &Self::Output, $dot: &$crate::rules::TangentOf<$of>) -> $crate::rules::TangentOf<Self::Output> {
            $on
        }

        #[inline]
        fn $dot_vjp<const N: usize>(
            &self,
            _: [&$crate::rules::TangentOf<Self>; N],
            $(_: (&$ty, [&$crate::rules::TangentOf<$ty>; N]),)*
            _: (&Self::Output, [&$crate::rules::TangentOf<Self::Output>; N]),
            (_, bars): (&$crate::rules::TangentOf<Self::Output>, [&$crate::rules::TangentOf<Self::Output>; N]),
        ) -> $crate::rules::TangentOf<$of> {
            let $bar = bars[N - 1];
            $back
        }

        #[inline]
        fn $dot_jvp<const N: usize>(
            &self,
            _: [&$crate::rules::TangentOf<Self>; N],
            $(_: (&$ty, [&$crate::rules::TangentOf<$ty>; N]),)*
            _: (&Self::Output, [&$crate::rules::TangentOf<Self::Output>; N]),
            (_, dots): (&$crate::rules::TangentOf<$of>, [&$crate::rules::TangentOf<$of>; N]),
        ) -> $crate::rules::TangentOf<Self::Output> {
            let $dot = dots[N - 1];
            $on
        }
    };
}

/// The functions of a product: how its cotangent goes back to each operand, and the product itself. Behind them may stand
/// how what goes back is added to a shadow, where that takes no memory of its own.
macro_rules! product {
    (
        $b:ty, |$one:ident, $other:ident| $product:expr,
        |$bar:ident, $right:ident| $left_back:expr, |$left:ident, $bar_too:ident| $right_back:expr
        $(; |$left_bar:ident, $its_bar:ident, $its_right:ident| $left_add:expr,
        |$right_bar:ident, $its_left:ident, $its_bar_too:ident| $right_add:expr)?
    ) => {
        $(
            #[inline]
            fn add_vjp_0(
                &self,
                $its_right: &$b,
                _: &Self::Output,
                $its_bar: &$crate::rules::TangentOf<Self::Output>,
                $left_bar: &mut $crate::rules::TangentOf<Self>,
            ) {
                $left_add
            }

            #[inline]
            fn add_vjp_1(
                &self,
                _: &$b,
                _: &Self::Output,
                $its_bar_too: &$crate::rules::TangentOf<Self::Output>,
                $right_bar: &mut $crate::rules::TangentOf<$b>,
            ) {
                let $its_left = self;
                $right_add
            }
        )?


        #[inline]
        fn vjp_0(
            &self,
            $right: &$b,
            _: &Self::Output,
            $bar: &$crate::rules::TangentOf<Self::Output>,
        ) -> $crate::rules::TangentOf<Self> {
            $left_back
        }

        #[inline]
        fn jvp_0(
            &self,
            $other: &$b,
            _: &Self::Output,
            $one: &$crate::rules::TangentOf<Self>,
        ) -> $crate::rules::TangentOf<Self::Output> {
            $product
        }

        #[inline]
        fn dot_vjp_0<const N: usize>(
            &self,
            _: [&$crate::rules::TangentOf<Self>; N],
            b: (&$b, [&$crate::rules::TangentOf<$b>; N]),
            _: (&Self::Output, [&$crate::rules::TangentOf<Self::Output>; N]),
            bar: (
                &$crate::rules::TangentOf<Self::Output>,
                [&$crate::rules::TangentOf<Self::Output>; N],
            ),
        ) -> $crate::rules::TangentOf<Self> {
            $crate::bilinear::bilinear(bar, b, |$bar, $right| $left_back)
        }

        #[inline]
        fn dot_jvp_0<const N: usize>(
            &self,
            _: [&$crate::rules::TangentOf<Self>; N],
            b: (&$b, [&$crate::rules::TangentOf<$b>; N]),
            _: (&Self::Output, [&$crate::rules::TangentOf<Self::Output>; N]),
            dot: (&$crate::rules::TangentOf<Self>, [&$crate::rules::TangentOf<Self>; N]),
        ) -> $crate::rules::TangentOf<Self::Output> {
            $crate::bilinear::bilinear(dot, b, |$one, $other| $product)
        }

        #[inline]
        fn vjp_1(
            &self,
            _: &$b,
            _: &Self::Output,
            $bar_too: &$crate::rules::TangentOf<Self::Output>,
        ) -> $crate::rules::TangentOf<$b> {
            let $left = self;
            $right_back
        }

        #[inline]
        fn jvp_1(
            &self,
            _: &$b,
            _: &Self::Output,
            $other: &$crate::rules::TangentOf<$b>,
        ) -> $crate::rules::TangentOf<Self::Output> {
            let $one = self;
            $product
        }

        #[inline]
        fn dot_vjp_1<const N: usize>(
            &self,
            dots: [&$crate::rules::TangentOf<Self>; N],
            _: (&$b, [&$crate::rules::TangentOf<$b>; N]),
            _: (&Self::Output, [&$crate::rules::TangentOf<Self::Output>; N]),
            bar: (
                &$crate::rules::TangentOf<Self::Output>,
                [&$crate::rules::TangentOf<Self::Output>; N],
            ),
        ) -> $crate::rules::TangentOf<$b> {
            $crate::bilinear::bilinear((self, dots), bar, |$left, $bar_too| $right_back)
        }

        #[inline]
        fn dot_jvp_1<const N: usize>(
            &self,
            dots: [&$crate::rules::TangentOf<Self>; N],
            _: (&$b, [&$crate::rules::TangentOf<$b>; N]),
            _: (&Self::Output, [&$crate::rules::TangentOf<Self::Output>; N]),
            dot: (&$crate::rules::TangentOf<$b>, [&$crate::rules::TangentOf<$b>; N]),
        ) -> $crate::rules::TangentOf<Self::Output> {
            $crate::bilinear::bilinear((self, dots), dot, |$one, $other| $product)
        }
    };
}

/// The functions of a quotient by a float: what is divided times a float, and the inner product.
macro_rules! quotient {
    ($float:ty, |$x:ident, $s:ident| $product:expr, |$y:ident, $z:ident| $inner:expr) => {
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
            let (inverse, inverse_dots) = $crate::bilinear::reciprocal(s, s_dots);
            $crate::bilinear::bilinear(bar, (&inverse, inverse_dots.each_ref()), |$x, $s| $product)
        }

        #[inline]
        fn dot_jvp_0<const N: usize>(
            &self,
            dots: [&Self; N],
            s: (&$float, [&$float; N]),
            output: (&Self, [&Self; N]),
            dot: (&Self, [&Self; N]),
        ) -> Self {
            $crate::rules::div::dot_vjp_0(self, dots, s, output, dot)
        }

        #[inline]
        fn vjp_1(&self, s: &$float, output: &Self, bar: &Self) -> $float {
            let ($y, $z) = (bar, output);
            -($inner) / *s
        }

        #[inline]
        fn jvp_1(&self, s: &$float, output: &Self, dot: &$float) -> Self {
            let ($x, $s) = (output, &(-*dot / *s));
            $product
        }

        #[inline]
        fn dot_vjp_1<const N: usize>(
            &self,
            _: [&Self; N],
            (s, s_dots): (&$float, [&$float; N]),
            output: (&Self, [&Self; N]),
            bar: (&Self, [&Self; N]),
        ) -> $float {
            let (inverse, inverse_dots) = $crate::bilinear::reciprocal(s, s_dots);
            let (sum, sums) = $crate::bilinear::all(bar, output, |$y, $z| -($inner));
            let inverses = (&inverse, inverse_dots.each_ref());
            $crate::bilinear::bilinear((&sum, sums.each_ref()), inverses, |sum, inverse| {
                sum * inverse
            })
        }

        #[inline]
        fn dot_jvp_1<const N: usize>(
            &self,
            _: [&Self; N],
            (s, s_dots): (&$float, [&$float; N]),
            output: (&Self, [&Self; N]),
            dot: (&$float, [&$float; N]),
        ) -> Self {
            let (inverse, inverse_dots) = $crate::bilinear::reciprocal(s, s_dots);
            let inverses = (&inverse, inverse_dots.each_ref());
            let (scale, scales) =
                $crate::bilinear::all(dot, inverses, |dot, inverse| -dot * inverse);
            $crate::bilinear::bilinear(output, (&scale, scales.each_ref()), |$x, $s| $product)
        }
    };
}

pub(crate) use {linear, product, quotient};
