//! The rule table for operands whose type the macro cannot see: one trait for each row.
//!
//! A type alias or a field of a struct is an unknown type to the macro, so derivative code for it cannot
//! contain the row's expression: it might be an integer. Such code calls the trait that is named as the
//! row, and rustc finds the type. In come references to the operands in order, to the primal result and
//! to one (co)tangent; out goes that (co)tangent multiplied by one partial derivative:
//!
//! ```text
//! mul::vjp_1(&a, &b, &c, &c_bar)    contribution of the result's cotangent to that of operand 1
//! mul::jvp_1(&a, &b, &c, &b_dot)    contribution of operand 1's tangent to that of the result
//! ```
//!
//! The index counts the operands without those that are integers in the row, as the exponent of `powi`.
//!
//! Invariants: for floats the functions give, bit for bit, what the row's expression gives inline; for
//! integers, whose tangent is [`NoTangent`], they do nothing. Next to an operand of known type exactly
//! one impl fits an unsuffixed literal, so that rustc infers the literal's type from that operand.

#![allow(clippy::neg_multiply, reason = "partial derivatives of rows may be constants")]
#![allow(non_camel_case_types, reason = "a row's trait bears the row's name")]
#![allow(unused_variables, reason = "a partial reads only some of the row's operands")]
#![allow(
    clippy::approx_constant,
    clippy::excessive_precision,
    reason = "one literal serves both floats"
)]

use crate::nested_dual::Nested;
use crate::{Differentiable, NoTangent, Tangent as _};

/// Brings a row of any arity into one form: operands after the receiver with their types, where `B` and
/// `C` are any type; then for each partial the names of its functions and its operand's type.
macro_rules! row {
    ($name:ident ($x:ident)) => {
        rule! { $name<> ($x) (vjp_0 add_vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 product_0 nested_0 Self) }
    };
    ($name:ident ($x:ident, $n:ident: $integer:ident)) => {
        rule! { $name<> ($x, $n: $integer) (vjp_0 add_vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 product_0 nested_0 Self) }
    };
    ($name:ident ($a:ident, $b:ident)) => {
        rule! {
            $name<B> ($a, $b: B)
            (vjp_0 add_vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 product_0 nested_0 Self)
            (vjp_1 add_vjp_1 jvp_1 dot_vjp_1 dot_jvp_1 product_1 nested_1 B)
        }
    };
    ($name:ident ($a:ident, $b:ident, $c:ident)) => {
        rule! {
            $name<B, C> ($a, $b: B, $c: C)
            (vjp_0 add_vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 product_0 nested_0 Self)
            (vjp_1 add_vjp_1 jvp_1 dot_vjp_1 dot_jvp_1 product_1 nested_1 B)
            (vjp_2 add_vjp_2 jvp_2 dot_vjp_2 dot_jvp_2 product_2 nested_2 C)
        }
    };
}

/// The trait of a row, with its impls for floats and for references as receivers.
macro_rules! rule {
    (
        $name:ident<$($generic:ident),*> $operands:tt
        $((
            $vjp:ident $add_vjp:ident $jvp:ident $dot_vjp:ident $dot_jvp:ident $product:ident $nested:ident $of:ident
        ))+
    ) => {
        #[doc = concat!("The rule `", stringify!($name), "`.")]
        #[diagnostic::on_unimplemented(
            message = "there is no derivative rule for this operation on `{Self}`",
            note = "an operator of a type of your own has derivatives by `#[differentiate]` on its `impl`; else put the \
                    operation into a function of its own",
            note = "a type parameter stands for a float if one of its bounds is `Float`",
            note = "a method of a type of your own that is named like one of a float's has derivatives by `#[differentiate]` \
                    on its `impl`; that of a trait, and one by `&mut self`, is called by path: `Type::name(&value)`"
        )]
        pub trait $name<$($generic: Differentiable),*>: Differentiable {
            /// The type of the result.
            type Output: Differentiable;

            $(declare! { $vjp $add_vjp $jvp $dot_vjp $dot_jvp $of $operands })+
        }

        impl<Receiver: $name<$($generic),*>, $($generic: Differentiable),*> $name<$($generic),*> for &Receiver {
            type Output = Receiver::Output;

            $(dereference! { $name $vjp $add_vjp $jvp $dot_vjp $dot_jvp $of $operands })+
        }

        impl $name<$(float!($generic f32)),*> for f32 {
            type Output = f32;

            $(evaluate! { f32 $name $vjp $jvp $dot_vjp $dot_jvp $product $nested $operands })+
        }

        impl $name<$(float!($generic f64)),*> for f64 {
            type Output = f64;

            $(evaluate! { f64 $name $vjp $jvp $dot_vjp $dot_jvp $product $nested $operands })+
        }
    };
}

/// The type of an operand in the impls for floats: integers stay, the rest becomes the float.
macro_rules! float {
    (i32 $float:ident) => {
        i32
    };
    ($generic:ident $float:ident) => {
        $float
    };
}

/// The zero of a tangent type without data, that of integers: what a row does for types that state nothing else.
/// For other tangents it is an error when it is built, as for operators of the user's, which have no derivatives of a
/// higher order.
#[inline(always)]
fn without_data<T: Differentiable + ?Sized>(value: &T) -> T::Tangent {
    const {
        assert!(size_of::<T::Tangent>() == 0, "an operator of this type has first derivatives only")
    };
    value.zero_tangent()
}

/// The operand that a partial belongs to.
macro_rules! operand_of {
    (Self $receiver:ident $($rest:ident)*) => {
        $receiver
    };
    (B $receiver:ident $b:ident $($rest:ident)*) => {
        $b
    };
    (C $receiver:ident $b:ident $c:ident) => {
        $c
    };
}

/// The same among operands that come with their tangents, but for the receiver.
macro_rules! value_of {
    (Self $receiver:ident $($rest:ident)*) => {
        $receiver
    };
    ($of:ident $receiver:ident $($rest:ident)*) => {
        operand_of!($of $receiver $($rest)*).0
    };
}

/// The functions of a partial, declared.
macro_rules! declare {
    (
        $vjp:ident $add_vjp:ident $jvp:ident $dot_vjp:ident $dot_jvp:ident $of:ident
        ($receiver:ident $(, $operand:ident: $ty:ident)*)
    ) => {
        /// The partial derivative times the cotangent of the result.
        #[inline(always)]
        fn $vjp(&self, $($operand: &$ty,)* output: &Self::Output, bar: &TangentOf<Self::Output>) -> TangentOf<$of> {
            without_data(operand_of!($of self $($operand)*))
        }

        /// Adds that to a shadow of the operand.
        #[inline(always)]
        fn $add_vjp(
            &self,
            $($operand: &$ty,)*
            output: &Self::Output,
            bar: &TangentOf<Self::Output>,
            to: &mut TangentOf<$of>,
        ) {
            to.accumulate(self.$vjp($($operand,)* output, bar));
        }

        /// The partial derivative times the tangent of the operand.
        #[inline(always)]
        fn $jvp(&self, $($operand: &$ty,)* output: &Self::Output, dot: &TangentOf<$of>) -> TangentOf<Self::Output> {
            without_data(output)
        }

        /// The last tangent of the partial derivative times the cotangent of the result: behind each operand come
        /// its tangents.
        #[inline(always)]
        fn $dot_vjp<const N: usize>(
            &self,
            dots: [&TangentOf<Self>; N],
            $($operand: (&$ty, [&TangentOf<$ty>; N]),)*
            output: (&Self::Output, [&TangentOf<Self::Output>; N]),
            bar: (&TangentOf<Self::Output>, [&TangentOf<Self::Output>; N]),
        ) -> TangentOf<$of> {
            without_data(value_of!($of self $($operand)*))
        }

        /// The last tangent of the partial derivative times the tangent of the operand, likewise.
        #[inline(always)]
        fn $dot_jvp<const N: usize>(
            &self,
            dots: [&TangentOf<Self>; N],
            $($operand: (&$ty, [&TangentOf<$ty>; N]),)*
            output: (&Self::Output, [&TangentOf<Self::Output>; N]),
            dot: (&TangentOf<$of>, [&TangentOf<$of>; N]),
        ) -> TangentOf<Self::Output> {
            without_data(output.0)
        }
    };
}

/// The functions of a partial, for a reference to the receiver.
macro_rules! dereference {
    (
        $name:ident $vjp:ident $add_vjp:ident $jvp:ident $dot_vjp:ident $dot_jvp:ident $of:ident
        ($receiver:ident $(, $operand:ident: $ty:ident)*)
    ) => {
        #[inline(always)]
        fn $vjp(&self, $($operand: &$ty,)* output: &Self::Output, bar: &TangentOf<Self::Output>) -> TangentOf<$of> {
            $name::$vjp(*self, $($operand,)* output, bar)
        }

        #[inline(always)]
        fn $add_vjp(
            &self,
            $($operand: &$ty,)*
            output: &Self::Output,
            bar: &TangentOf<Self::Output>,
            to: &mut TangentOf<$of>,
        ) {
            $name::$add_vjp(*self, $($operand,)* output, bar, to);
        }

        #[inline(always)]
        fn $jvp(&self, $($operand: &$ty,)* output: &Self::Output, dot: &TangentOf<$of>) -> TangentOf<Self::Output> {
            $name::$jvp(*self, $($operand,)* output, dot)
        }

        #[inline(always)]
        fn $dot_vjp<const N: usize>(
            &self,
            dots: [&TangentOf<Self>; N],
            $($operand: (&$ty, [&TangentOf<$ty>; N]),)*
            output: (&Self::Output, [&TangentOf<Self::Output>; N]),
            bar: (&TangentOf<Self::Output>, [&TangentOf<Self::Output>; N]),
        ) -> TangentOf<$of> {
            $name::$dot_vjp(*self, dots, $($operand,)* output, bar)
        }

        #[inline(always)]
        fn $dot_jvp<const N: usize>(
            &self,
            dots: [&TangentOf<Self>; N],
            $($operand: (&$ty, [&TangentOf<$ty>; N]),)*
            output: (&Self::Output, [&TangentOf<Self::Output>; N]),
            dot: (&TangentOf<$of>, [&TangentOf<$of>; N]),
        ) -> TangentOf<Self::Output> {
            $name::$dot_jvp(*self, dots, $($operand,)* output, dot)
        }
    };
}

/// The functions of a partial, for a float: both ways are one product, and so are their tangents.
macro_rules! evaluate {
    (
        $float:ident $name:ident $vjp:ident $jvp:ident $dot_vjp:ident $dot_jvp:ident $product:ident $nested:ident
        ($receiver:ident $(, $operand:ident: $ty:ident)*)
    ) => {
        #[inline(always)]
        fn $vjp(&self, $($operand: &float!($ty $float),)* output: &$float, bar: &$float) -> $float {
            partials::$name::$product(*self, $(*$operand,)* *output, *bar)
        }

        #[inline(always)]
        fn $jvp(&self, $($operand: &float!($ty $float),)* output: &$float, dot: &$float) -> $float {
            partials::$name::$product(*self, $(*$operand,)* *output, *dot)
        }

        #[inline(always)]
        fn $dot_vjp<const N: usize>(
            &self,
            dots: [&$float; N],
            $($operand: (&float!($ty $float), [&TangentOf<float!($ty $float)>; N]),)*
            output: (&$float, [&$float; N]),
            bar: (&$float, [&$float; N]),
        ) -> $float {
            partials::$name::$nested((self, dots), $($operand,)* output, bar)
        }

        #[inline(always)]
        fn $dot_jvp<const N: usize>(
            &self,
            dots: [&$float; N],
            $($operand: (&float!($ty $float), [&TangentOf<float!($ty $float)>; N]),)*
            output: (&$float, [&$float; N]),
            dot: (&$float, [&$float; N]),
        ) -> $float {
            partials::$name::$nested((self, dots), $($operand,)* output, dot)
        }
    };
}

/// The product of a direction with a partial derivative, by the row's column.
macro_rules! product {
    (constant $direction:expr, $partial:expr) => {
        $direction * $partial
    };
    (finite $direction:expr, $partial:expr) => {
        $direction * $partial
    };
    (choice $direction:expr, $partial:expr) => {
        $crate::nested_dual::Number::strong($partial, $direction)
    };
    ($slopes:ident $direction:expr, $partial:expr) => {
        $crate::nested_dual::Number::strong($direction, $partial)
    };
}

/// Whether a row's column says that its result is one of the operands, or zero.
#[cfg(any(feature = "std", feature = "libm"))]
macro_rules! is_choice {
    (choice) => {
        true
    };
    ($slopes:ident) => {
        false
    };
}

/// The strong product of derivative code: zero where the direction is zero, even if the factor is infinite or NaN.
#[inline(always)]
pub fn strong<F>(direction: F, factor: F) -> F
where
    F: Copy + Default + PartialEq + core::ops::Mul<Output = F>,
{
    if direction == F::default() { F::default() } else { direction * factor }
}

/// A float with its tangents as one number.
#[inline(always)]
fn gathered_float<F: Copy, D: Nested<F>, const N: usize>((value, dots): (&F, [&F; N])) -> D {
    D::gather(&|index| if index == 0 { *value } else { *dots[index - 1] }, 0)
}

/// A partial as an expression in which every float is a `D`: literals are lifted, and an integer as a float, too.
macro_rules! lifted {
    ([$($out:tt)*]) => { $($out)* };
    ([$($out:tt)*] $n:ident as Float $($rest:tt)*) => {
        lifted! { [$($out)* <D as $crate::nested_dual::Number>::constant(f64::from($n))] $($rest)* }
    };
    ([$($out:tt)*] - $($rest:tt)*) => { lifted! { [$($out)* -] $($rest)* } };
    ([$($out:tt)*] $literal:literal $($rest:tt)*) => {
        lifted! { [$($out)* $crate::nested_dual::Lift::<D>::lift($literal)] $($rest)* }
    };
    ([$($out:tt)*] () $($rest:tt)*) => { lifted! { [$($out)* ()] $($rest)* } };
    ([$($out:tt)*] ($($inner:tt)*) $($rest:tt)*) => {
        lifted! { [$($out)* (lifted! { [] $($inner)* })] $($rest)* }
    };
    ([$($out:tt)*] { $($inner:tt)* } $($rest:tt)*) => {
        lifted! { [$($out)* { lifted! { [] $($inner)* } }] $($rest)* }
    };
    ([$($out:tt)*] $token:tt $($rest:tt)*) => { lifted! { [$($out)* $token] $($rest)* } };
}

/// The partials of a row as functions of any number, one after the other: what stands before the next comma is one.
/// Each has its product with a direction, and the last tangent of that, whose operands come with their tangents.
macro_rules! partials_of {
    ($slopes:ident $operands:tt [$names:tt $($more:tt)*] [$($partial:tt)*] , $($rest:tt)*) => {
        partial_of! { $slopes $operands $names $($partial)* }
        partials_of! { $slopes $operands [$($more)*] [] $($rest)* }
    };
    ($slopes:ident $operands:tt [$names:tt $($more:tt)*] [$($partial:tt)*]) => {
        partial_of! { $slopes $operands $names $($partial)* }
    };
    ($slopes:ident $operands:tt $names:tt [$($partial:tt)*] $token:tt $($rest:tt)*) => {
        partials_of! { $slopes $operands $names [$($partial)* $token] $($rest)* }
    };
}

macro_rules! partial_of {
    ($slopes:ident ($($operand:ident: $ty:ident),*) ($by:ident $product:ident $nested:ident) $($partial:tt)*) => {
        #[inline(always)]
        pub fn $by<D: $crate::nested_dual::Number>($($operand: $ty),*) -> D {
            #[allow(unused_imports)]
            use $crate::nested_dual::Number as _;
            lifted! { [] $($partial)* }
        }

        #[inline(always)]
        pub fn $product<D: $crate::nested_dual::Number>($($operand: $ty,)* direction: D) -> D {
            product_of! { $slopes direction ($($operand: $ty),*) $($partial)* }
        }

        #[inline(always)]
        pub fn $nested<F: Copy + $crate::nested_dual::Nested<F>, const N: usize>(
            $($operand: with_tangents!($ty),)*
            direction: (&F, [&F; N]),
        ) -> F {
            #[inline(always)]
            fn at<F: Copy, D: $crate::nested_dual::Nested<F>, const N: usize>(
                $($operand: with_tangents!($ty),)*
                direction: (&F, [&F; N]),
            ) -> F {
                let partial: D = $by($(gathered_operand!($ty $operand)),*);
                product!($slopes $crate::rules::gathered_float::<F, D, N>(direction), partial).last()
            }
            const { assert!(N < 16, "derivatives of an order above five, of operands whose type is not known") }
            match N {
                1 => at::<F, NestedDual<F>, N>($($operand,)* direction),
                3 => at::<F, NestedDual<NestedDual<F>>, N>($($operand,)* direction),
                7 => at::<F, NestedDual<NestedDual<NestedDual<F>>>, N>($($operand,)* direction),
                _ => at::<F, NestedDual<NestedDual<NestedDual<NestedDual<F>>>>, N>($($operand,)* direction),
            }
        }
    };
}

/// The product of a direction with a partial: with the factors of a product one after the other.
macro_rules! product_of {
    ($slopes:ident $direction:ident $operands:tt -$p:ident * ($($q:tt)+)) => {{
        let direction = product!($slopes $direction, lifted! { [] $($q)+ });
        product!($slopes direction, -$p)
    }};
    ($slopes:ident $direction:ident ($($operand:ident: $ty:ident),*) $($partial:tt)*) => {{
        #[allow(unused_imports)]
        use $crate::nested_dual::Number as _;
        product!($slopes $direction, lifted! { [] $($partial)* })
    }};
}

/// The type of an operand with its tangents: a float, or an integer, which has none.
macro_rules! with_tangents {
    (D) => {
        (&F, [&F; N])
    };
    ($integer:ident) => {
        (&$integer, [&$crate::NoTangent; N])
    };
}

/// Such an operand as a number.
macro_rules! gathered_operand {
    (D $operand:ident) => {
        $crate::rules::gathered_float::<F, D, N>($operand)
    };
    ($integer:ident $operand:ident) => {
        *$operand.0
    };
}

/// All rows; the test points are not needed here.
macro_rules! rows {
    ($(
        $name:ident ( $($param:ident $(: $integer:ident)? in $interval:expr),+ ) -> $result:ident: $cost:ident, $slopes:ident
            => $partials:tt $(at $points:tt)? ;
    )*) => {
        $(row! { $name ($($param $(: $integer)?),+) })*

        /// The partial derivatives of each row as functions of any number.
        pub(crate) mod partials {
            $(
                pub mod $name {
                    use $crate::nested_dual::NestedDual;

                    /// Whether a product with a partial is a choice.
                    #[cfg(any(feature = "std", feature = "libm"))]
                    #[allow(dead_code, reason = "`num_traits` has not all of the functions")]
                    pub const IS_CHOICE: bool = is_choice!($slopes);

                    row_partials! { $slopes ($($param $(: $integer)?),+) -> $result => $partials }
                }
            )*
        }
    };
}

/// Types of the operands of a row's partials: floats are any number `D`.
macro_rules! row_partials {
    ($slopes:ident ($x:ident) -> $y:ident => [$($partials:tt)*]) => {
        partials_of! { $slopes ($x: D, $y: D) [(by_0 product_0 nested_0)] [] $($partials)* }
    };
    ($slopes:ident ($x:ident, $n:ident: $integer:ident) -> $y:ident => [$($partials:tt)*]) => {
        partials_of! { $slopes ($x: D, $n: $integer, $y: D) [(by_0 product_0 nested_0)] [] $($partials)* }
    };
    ($slopes:ident ($a:ident, $b:ident) -> $c:ident => [$($partials:tt)*]) => {
        partials_of! {
            $slopes ($a: D, $b: D, $c: D) [(by_0 product_0 nested_0) (by_1 product_1 nested_1)] [] $($partials)*
        }
    };
    ($slopes:ident ($a:ident, $b:ident, $c:ident) -> $d:ident => [$($partials:tt)*]) => {
        partials_of! {
            $slopes ($a: D, $b: D, $c: D, $d: D)
            [(by_0 product_0 nested_0) (by_1 product_1 nested_1) (by_2 product_2 nested_2)] [] $($partials)*
        }
    };
}

/// The tangent type of an operand or result.
pub(crate) type TangentOf<T> = <T as Differentiable>::Tangent;

cotangent_rules::for_each_scalar_rule!(rows);

/// The operators take a reference on the right as well; methods do not. Those of integers take one to their own type.
macro_rules! references_on_the_right {
    ($($name:ident),* for $types:tt) => { $(references_on_the_right! { @ $name $types })* };
    (@ $name:ident ($($scalar:ty)*)) => {$(
        impl<B: $crate::Differentiable> $name<&B> for $scalar
        where
            $scalar: $name<B>,
        {
            type Output = <$scalar as $name<B>>::Output;

            $crate::rules::dereference_right! { $name vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 Self }
            $crate::rules::dereference_right! { $name vjp_1 jvp_1 dot_vjp_1 dot_jvp_1 B }
        }
    )*};
}

macro_rules! dereference_right {
    ($name:ident $vjp:ident $jvp:ident $dot_vjp:ident $dot_jvp:ident $of:ident) => {
        #[inline(always)]
        fn $vjp(
            &self,
            b: &&B,
            output: &Self::Output,
            bar: &$crate::rules::TangentOf<Self::Output>,
        ) -> $crate::rules::TangentOf<$of> {
            $name::<B>::$vjp(self, *b, output, bar)
        }

        #[inline(always)]
        fn $jvp(
            &self,
            b: &&B,
            output: &Self::Output,
            dot: &$crate::rules::TangentOf<$of>,
        ) -> $crate::rules::TangentOf<Self::Output> {
            $name::<B>::$jvp(self, *b, output, dot)
        }

        #[inline(always)]
        fn $dot_vjp<const N: usize>(
            &self,
            dots: [&$crate::rules::TangentOf<Self>; N],
            b: (&&B, [&$crate::rules::TangentOf<B>; N]),
            output: (&Self::Output, [&$crate::rules::TangentOf<Self::Output>; N]),
            bar: (
                &$crate::rules::TangentOf<Self::Output>,
                [&$crate::rules::TangentOf<Self::Output>; N],
            ),
        ) -> $crate::rules::TangentOf<$of> {
            $name::<B>::$dot_vjp(self, dots, (*b.0, b.1), output, bar)
        }

        #[inline(always)]
        fn $dot_jvp<const N: usize>(
            &self,
            dots: [&$crate::rules::TangentOf<Self>; N],
            b: (&&B, [&$crate::rules::TangentOf<B>; N]),
            output: (&Self::Output, [&$crate::rules::TangentOf<Self::Output>; N]),
            dot: (&$crate::rules::TangentOf<$of>, [&$crate::rules::TangentOf<$of>; N]),
        ) -> $crate::rules::TangentOf<Self::Output> {
            $name::<B>::$dot_jvp(self, dots, (*b.0, b.1), output, dot)
        }
    };
}

pub(crate) use dereference_right;
#[cfg(feature = "num-complex-0_4")]
pub(crate) use references_on_the_right;

references_on_the_right!(add, sub, mul, div, rem for (f32 f64));

/// The rows that integers share with floats: index arithmetic may look like arithmetic on floats. Their functions are
/// those that the traits provide.
macro_rules! integers {
    ($($integer:ident)*) => {$(
        integer! { $integer neg() abs() }
        integer! { $integer add(b) sub(b) mul(b) div(b) rem(b) max(b) min(b) midpoint(b) rem_euclid(b) }
        integer! { $integer clamp(low, high) }
        integer! { $integer add(&b) sub(&b) mul(&b) div(&b) rem(&b) }
    )*};
}

macro_rules! integer {
    ($integer:ident $($name:ident $operands:tt)*) => { $(integer! { @ $integer $name $operands })* };
    (@ $integer:ident $name:ident ($($operand:ident),*)) => {
        impl $name<$(integer! { # $operand $integer }),*> for $integer {
            type Output = $integer;
        }
    };
    (@ $integer:ident $name:ident (&$operand:ident)) => {
        impl $name<&$integer> for $integer {
            type Output = $integer;
        }
    };
    (# $operand:ident $integer:ident) => { $integer };
}

integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

/// The rule of `x as T` between scalars.
pub trait cast<To: Differentiable>: Differentiable {
    /// The contribution of the result's cotangent to that of the operand.
    fn vjp_0(&self, output: &To, bar: &To::Tangent) -> Self::Tangent;

    /// The contribution of the operand's tangent to that of the result.
    fn jvp_0(&self, output: &To, dot: &Self::Tangent) -> To::Tangent;
}

impl<Operand: Differentiable, To: Differentiable> cast<To> for Operand
where
    Operand::Tangent: CastTangent<To::Tangent>,
    To::Tangent: CastTangent<Operand::Tangent>,
{
    #[inline(always)]
    fn vjp_0(&self, output: &To, bar: &To::Tangent) -> Operand::Tangent {
        bar.cast_tangent()
    }

    #[inline(always)]
    fn jvp_0(&self, output: &To, dot: &Operand::Tangent) -> To::Tangent {
        dot.cast_tangent()
    }
}

/// The derivative of a cast, and its transpose: between floats a cast of the tangent, and zero where
/// either side is an integer.
pub trait CastTangent<To> {
    /// The tangent on the other side of the cast.
    fn cast_tangent(&self) -> To;
}

macro_rules! cast_tangents {
    ($($from:ty => $to:ty: |$value:ident| $result:expr;)*) => {$(
        impl CastTangent<$to> for $from {
            #[inline(always)]
            fn cast_tangent(&self) -> $to {
                let $value = *self;
                $result
            }
        }
    )*};
}

cast_tangents! {
    f32 => f32: |x| x;
    f64 => f64: |x| x;
    f32 => f64: |x| f64::from(x);
    f64 => f32: |x| x as f32;
    f32 => NoTangent: |x| NoTangent;
    f64 => NoTangent: |x| NoTangent;
    NoTangent => f32: |x| 0.0;
    NoTangent => f64: |x| 0.0;
    NoTangent => NoTangent: |x| x;
}

#[cfg(test)]
mod tests {
    //! The values of the rules are tested row by row in the crate `cotangent-tests`.

    use super::*;

    type Real = f32;
    type Count = usize;

    /// That `value` is of the type `T`: the assertion is the call's compiling.
    fn is<T: PartialEq + core::fmt::Debug>(value: T, expected: T) {
        assert_eq!(value, expected);
    }

    #[test]
    fn a_literal_takes_the_type_of_the_other_operand() {
        let x: Real = 1.5;
        let y = 2.0 * x;
        is::<f32>(mul::vjp_1(&2.0, &x, &y, &1.0), 2.0);
        is::<f32>(mul::jvp_0(&x, &2.0, &y, &1.0), 2.0);
        is::<f32>(div::vjp_1(&3.0, &x, &2.0, &1.0), -2.0 / 1.5);
        is::<f32>(clamp::vjp_2(&x, &-1.0, &1.0, &1.0, &1.0), 1.0);
        is::<f32>(powi::jvp_0(&x, &2, &(x * x), &1.0), 3.0);
        is::<f64>(max::jvp_1(&1.0, &2.0, &2.0, &3.0), 3.0);
    }

    #[test]
    fn integers_have_no_tangent() {
        let n: Count = 3;
        is(mul::vjp_1(&2, &n, &6, &NoTangent), NoTangent);
        is(add::jvp_0(&n, &1, &4, &NoTangent), NoTangent);
        is(clamp::vjp_0(&n, &1, &2, &2, &NoTangent), NoTangent);
        is(neg::vjp_0(&3_i8, &-3, &NoTangent), NoTangent);
    }

    #[test]
    fn operands_may_be_references() {
        let (a, b) = (&2.0, &3.0);
        is::<f64>(mul::vjp_0(&a, &b, &6.0, &1.0), 3.0);
        is::<f64>(mul::jvp_1(&a, &3.0, &6.0, &1.0), 2.0);
        is::<f32>(mul::vjp_0(&2.0, &&3.0_f32, &6.0, &1.0), 3.0);
        is::<f64>(sqrt::vjp_0(&&a, &2.0, &1.0), 0.25);
    }

    #[test]
    fn casts_between_floats_are_linear_and_others_are_zero() {
        is::<f32>(cast::vjp_0(&1.5_f32, &1.5_f64, &2.0), 2.0);
        is::<f64>(cast::jvp_0(&1.5_f32, &1.5_f64, &2.0), 2.0);
        is::<f64>(cast::vjp_0(&1.5_f64, &1_usize, &NoTangent), 0.0);
        is(cast::jvp_0(&1.5_f64, &1_usize, &2.0), NoTangent);
        is(cast::vjp_0(&1_u8, &1.0_f32, &2.0), NoTangent);
        is::<f32>(cast::jvp_0(&true, &1.0_f32, &NoTangent), 0.0);
    }
}
