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

// The functions of floats: inherent where `std` is linked, else those of `libm`.
#[cfg(any(feature = "std", not(feature = "libm")))]
extern crate std;
#[cfg(all(feature = "libm", not(feature = "std")))]
use num_traits::Float as _;

use crate::nested_dual::{Nested, NestedDual, Operand};
use crate::{Differentiable, NoTangent, Tangent as _};

/// Brings a row of any arity into one form: operands after the receiver with their types, where `B` and
/// `C` are any type; then for each partial the names of its functions, its operand's type and itself.
macro_rules! row {
    ($slopes:ident $name:ident ($x:ident) -> $y:ident => [$partial:expr]) => {
        rule! { $slopes $name<> ($x) -> $y; (vjp_0 add_vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 by_0 Self [$partial]) }
    };
    ($slopes:ident $name:ident ($x:ident, $n:ident: $integer:ident) -> $y:ident => [$partial:expr]) => {
        rule! { $slopes $name<> ($x, $n: $integer) -> $y; (vjp_0 add_vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 by_0 Self [$partial]) }
    };
    ($slopes:ident $name:ident ($a:ident, $b:ident) -> $c:ident => [$by_a:expr, -$p:ident * ($($q:tt)+)]) => {
        rule! {
            $slopes $name<B> ($a, $b: B) -> $c;
            (vjp_0 add_vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 by_0 Self [$by_a])
            (vjp_1 add_vjp_1 jvp_1 dot_vjp_1 dot_jvp_1 by_1 B [$($q)+, -$p])
        }
    };
    ($slopes:ident $name:ident ($a:ident, $b:ident) -> $c:ident => [$by_a:expr, $by_b:expr]) => {
        rule! {
            $slopes $name<B> ($a, $b: B) -> $c;
            (vjp_0 add_vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 by_0 Self [$by_a])
            (vjp_1 add_vjp_1 jvp_1 dot_vjp_1 dot_jvp_1 by_1 B [$by_b])
        }
    };
    ($slopes:ident $name:ident ($a:ident, $b:ident, $c:ident) -> $d:ident => [$by_a:expr, $by_b:expr, $by_c:expr]) => {
        rule! {
            $slopes $name<B, C> ($a, $b: B, $c: C) -> $d;
            (vjp_0 add_vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 by_0 Self [$by_a])
            (vjp_1 add_vjp_1 jvp_1 dot_vjp_1 dot_jvp_1 by_1 B [$by_b])
            (vjp_2 add_vjp_2 jvp_2 dot_vjp_2 dot_jvp_2 by_2 C [$by_c])
        }
    };
}

/// The trait of a row, with its impls for floats and for references as receivers.
macro_rules! rule {
    (
        $slopes:ident $name:ident<$($generic:ident),*> $operands:tt -> $output:ident;
        $(($vjp:ident $add_vjp:ident $jvp:ident $dot_vjp:ident $dot_jvp:ident $by:ident $of:ident $factors:tt))+
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

            $(evaluate! { f32 $slopes $vjp $jvp $factors $operands -> $output })+
            $(evaluate_dot! { f32 $slopes $name $dot_vjp $dot_jvp $by $operands })+
        }

        impl $name<$(float!($generic f64)),*> for f64 {
            type Output = f64;

            $(evaluate! { f64 $slopes $vjp $jvp $factors $operands -> $output })+
            $(evaluate_dot! { f64 $slopes $name $dot_vjp $dot_jvp $by $operands })+
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

/// What an operator of a type of the user's has in place of derivatives of a higher order: an error when it is built.
fn of_first_order<const N: usize>() -> ! {
    const { assert!(N == usize::MAX, "an operator of this type has first derivatives only") };
    unreachable!()
}

/// The functions of a partial, declared.
macro_rules! declare {
    (
        $vjp:ident $add_vjp:ident $jvp:ident $dot_vjp:ident $dot_jvp:ident $of:ident
        ($receiver:ident $(, $operand:ident: $ty:ident)*)
    ) => {
        /// The partial derivative times the cotangent of the result.
        fn $vjp(&self, $($operand: &$ty,)* output: &Self::Output, bar: &TangentOf<Self::Output>) -> TangentOf<$of>;

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
        fn $jvp(&self, $($operand: &$ty,)* output: &Self::Output, dot: &TangentOf<$of>) -> TangentOf<Self::Output>;

        /// The last tangent of the partial derivative times the cotangent of the result: behind each operand come
        /// its tangents.
        fn $dot_vjp<const N: usize>(
            &self,
            dots: [&TangentOf<Self>; N],
            $($operand: (&$ty, [&TangentOf<$ty>; N]),)*
            output: (&Self::Output, [&TangentOf<Self::Output>; N]),
            bar: (&TangentOf<Self::Output>, [&TangentOf<Self::Output>; N]),
        ) -> TangentOf<$of> {
            of_first_order::<N>()
        }

        /// The last tangent of the partial derivative times the tangent of the operand, likewise.
        fn $dot_jvp<const N: usize>(
            &self,
            dots: [&TangentOf<Self>; N],
            $($operand: (&$ty, [&TangentOf<$ty>; N]),)*
            output: (&Self::Output, [&TangentOf<Self::Output>; N]),
            dot: (&TangentOf<$of>, [&TangentOf<$of>; N]),
        ) -> TangentOf<Self::Output> {
            of_first_order::<N>()
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

/// The two functions of a partial, for a float: the row's expression with its names bound.
macro_rules! evaluate {
    (
        $float:ident $slopes:ident $vjp:ident $jvp:ident [$($factor:expr),+]
        ($receiver:ident $(, $operand:ident: $ty:ident)*) -> $output:ident
    ) => {
        #[inline(always)]
        fn $vjp(&self, $($operand: &float!($ty $float),)* $output: &$float, bar: &$float) -> $float {
            type Float = $float;
            let ($receiver, $($operand,)* $output) = (*self, $(*$operand,)* *$output);
            let direction: Float = *bar;
            $(let direction: Float = product!($slopes direction, $factor);)+
            direction
        }

        #[inline(always)]
        fn $jvp(&self, $($operand: &float!($ty $float),)* $output: &$float, dot: &$float) -> $float {
            type Float = $float;
            let ($receiver, $($operand,)* $output) = (*self, $(*$operand,)* *$output);
            let direction: Float = *dot;
            $(let direction: Float = product!($slopes direction, $factor);)+
            direction
        }
    };
}

/// The tangents of these two, for a float: the row's expression with dual numbers. Both are one product.
macro_rules! evaluate_dot {
    (
        $float:ident $slopes:ident $name:ident $dot_vjp:ident $dot_jvp:ident $by:ident
        ($receiver:ident $(, $operand:ident: $ty:ident)*)
    ) => {
        #[inline(always)]
        fn $dot_vjp<const N: usize>(
            &self,
            dots: [&$float; N],
            $($operand: (&float!($ty $float), [&TangentOf<float!($ty $float)>; N]),)*
            output: (&$float, [&$float; N]),
            bar: (&$float, [&$float; N]),
        ) -> $float {
            #[inline(always)]
            fn at<D: Nested<$float>, const N: usize>(
                $receiver: (&$float, [&$float; N]),
                $($operand: (&float!($ty $float), [&TangentOf<float!($ty $float)>; N]),)*
                output: (&$float, [&$float; N]),
                direction: (&$float, [&$float; N]),
            ) -> $float {
                let partial: D = partials::$name::$by(
                    gathered::<$float, D, _, N>($receiver),
                    $(gathered::<$float, D, _, N>($operand),)*
                    gathered::<$float, D, _, N>(output),
                );
                product!($slopes gathered::<$float, D, _, N>(direction), partial).last()
            }
            const { assert!(N < 16, "derivatives of an order above five, of operands whose type is not known") }
            let receiver = (self, dots);
            match N {
                1 => at::<NestedDual<$float>, N>(receiver, $($operand,)* output, bar),
                3 => at::<NestedDual<NestedDual<$float>>, N>(receiver, $($operand,)* output, bar),
                7 => at::<NestedDual<NestedDual<NestedDual<$float>>>, N>(receiver, $($operand,)* output, bar),
                _ => at::<NestedDual<NestedDual<NestedDual<NestedDual<$float>>>>, N>(receiver, $($operand,)* output, bar),
            }
        }

        #[inline(always)]
        fn $dot_jvp<const N: usize>(
            &self,
            dots: [&$float; N],
            $($operand: (&float!($ty $float), [&TangentOf<float!($ty $float)>; N]),)*
            output: (&$float, [&$float; N]),
            dot: (&$float, [&$float; N]),
        ) -> $float {
            $name::$dot_vjp(self, dots, $($operand,)* output, dot)
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

/// An operand with its tangents as one number.
#[inline(always)]
pub(crate) fn gathered<F, D, T: Operand<F, D> + Copy, const N: usize>(
    (value, dots): (&T, [&T::Tangent; N]),
) -> T::Lifted {
    value.gather(dots)
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
macro_rules! partials_of {
    ($operands:tt [$name:ident $($names:ident)*] [$($partial:tt)*] , $($rest:tt)*) => {
        partial_of! { $operands $name $($partial)* }
        partials_of! { $operands [$($names)*] [] $($rest)* }
    };
    ($operands:tt [$name:ident $($names:ident)*] [$($partial:tt)*]) => {
        partial_of! { $operands $name $($partial)* }
    };
    ($operands:tt $names:tt [$($partial:tt)*] $token:tt $($rest:tt)*) => {
        partials_of! { $operands $names [$($partial)* $token] $($rest)* }
    };
}

macro_rules! partial_of {
    (($($operand:ident: $ty:ident),*) $name:ident $($partial:tt)*) => {
        #[inline(always)]
        pub fn $name<D: $crate::nested_dual::Number>($($operand: $ty),*) -> D {
            #[allow(unused_imports)]
            use $crate::nested_dual::Number as _;
            lifted! { [] $($partial)* }
        }
    };
}

/// All rows; the test points are not needed here.
macro_rules! rows {
    ($(
        $name:ident ( $($param:ident $(: $integer:ident)? in $interval:expr),+ ) -> $result:ident: $cost:ident, $slopes:ident
            => $partials:tt $(at $points:tt)? ;
    )*) => {
        $(row! { $slopes $name ($($param $(: $integer)?),+) -> $result => $partials })*

        /// The partial derivatives of each row as functions of any number.
        pub(crate) mod partials {
            $(
                pub mod $name {
                    /// Whether a product with a partial is a choice.
                    #[cfg(any(feature = "std", feature = "libm"))]
                    #[allow(dead_code, reason = "`num_traits` has not all of the functions")]
                    pub const IS_CHOICE: bool = is_choice!($slopes);

                    row_partials! { ($($param $(: $integer)?),+) -> $result => $partials }
                }
            )*
        }
    };
}

/// Types of the operands of a row's partials: floats are any number `D`.
macro_rules! row_partials {
    (($x:ident) -> $y:ident => [$($partials:tt)*]) => {
        partials_of! { ($x: D, $y: D) [by_0] [] $($partials)* }
    };
    (($x:ident, $n:ident: $integer:ident) -> $y:ident => [$($partials:tt)*]) => {
        partials_of! { ($x: D, $n: $integer, $y: D) [by_0] [] $($partials)* }
    };
    (($a:ident, $b:ident) -> $c:ident => [$($partials:tt)*]) => {
        partials_of! { ($a: D, $b: D, $c: D) [by_0 by_1] [] $($partials)* }
    };
    (($a:ident, $b:ident, $c:ident) -> $d:ident => [$($partials:tt)*]) => {
        partials_of! { ($a: D, $b: D, $c: D, $d: D) [by_0 by_1 by_2] [] $($partials)* }
    };
}

/// The tangent type of an operand or result.
pub(crate) type TangentOf<T> = <T as Differentiable>::Tangent;

cotangent_rules::for_each_scalar_rule!(rows);

/// The operators take a reference on the right as well; methods do not.
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

references_on_the_right!(add, sub, mul, div, rem for (f32 f64 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize));

/// The rows that integers share with floats: index arithmetic may look like arithmetic on floats.
macro_rules! integers {
    ($($integer:ident)*) => {$(
        integer! { $integer neg () (vjp_0 jvp_0 dot_vjp_0 dot_jvp_0) }
        integer! { $integer abs () (vjp_0 jvp_0 dot_vjp_0 dot_jvp_0) }
        integer! { $integer add (b) (vjp_0 jvp_0 dot_vjp_0 dot_jvp_0) (vjp_1 jvp_1 dot_vjp_1 dot_jvp_1) }
        integer! { $integer sub (b) (vjp_0 jvp_0 dot_vjp_0 dot_jvp_0) (vjp_1 jvp_1 dot_vjp_1 dot_jvp_1) }
        integer! { $integer mul (b) (vjp_0 jvp_0 dot_vjp_0 dot_jvp_0) (vjp_1 jvp_1 dot_vjp_1 dot_jvp_1) }
        integer! { $integer div (b) (vjp_0 jvp_0 dot_vjp_0 dot_jvp_0) (vjp_1 jvp_1 dot_vjp_1 dot_jvp_1) }
        integer! { $integer rem (b) (vjp_0 jvp_0 dot_vjp_0 dot_jvp_0) (vjp_1 jvp_1 dot_vjp_1 dot_jvp_1) }
        integer! { $integer max (b) (vjp_0 jvp_0 dot_vjp_0 dot_jvp_0) (vjp_1 jvp_1 dot_vjp_1 dot_jvp_1) }
        integer! { $integer min (b) (vjp_0 jvp_0 dot_vjp_0 dot_jvp_0) (vjp_1 jvp_1 dot_vjp_1 dot_jvp_1) }
        integer! { $integer midpoint (b) (vjp_0 jvp_0 dot_vjp_0 dot_jvp_0) (vjp_1 jvp_1 dot_vjp_1 dot_jvp_1) }
        integer! { $integer rem_euclid (b) (vjp_0 jvp_0 dot_vjp_0 dot_jvp_0) (vjp_1 jvp_1 dot_vjp_1 dot_jvp_1) }
        integer! { $integer clamp (low, high) (vjp_0 jvp_0 dot_vjp_0 dot_jvp_0) (vjp_1 jvp_1 dot_vjp_1 dot_jvp_1) (vjp_2 jvp_2 dot_vjp_2 dot_jvp_2) }
    )*};
}

macro_rules! integer {
    (
        $integer:ident $name:ident $operands:tt
        $(($vjp:ident $jvp:ident $dot_vjp:ident $dot_jvp:ident))+
    ) => {
        integer! {
            @ $integer $name $operands
            { $(($vjp $operands) ($jvp $operands))+ } { $(($dot_vjp $operands) ($dot_jvp $operands))+ }
        }
    };
    (
        @ $integer:ident $name:ident ($($operand:ident),*)
        { $(($function:ident $operands:tt))+ } { $(($dot:ident $dot_operands:tt))+ }
    ) => {
        impl $name<$(operand_of!($operand $integer)),*> for $integer {
            type Output = $integer;

            $(nothing! { $integer $function $operands })+
            $(nothing_dot! { $integer $dot $dot_operands })+
        }
    };
}

macro_rules! operand_of {
    ($operand:ident $integer:ident) => {
        $integer
    };
}

macro_rules! nothing {
    ($integer:ident $function:ident ($($operand:ident),*)) => {
        #[inline(always)]
        fn $function(&self, $($operand: &$integer,)* output: &$integer, direction: &NoTangent) -> NoTangent {
            NoTangent
        }
    };
}

macro_rules! nothing_dot {
    ($integer:ident $function:ident ($($operand:ident),*)) => {
        #[inline(always)]
        fn $function<const N: usize>(
            &self,
            dots: [&NoTangent; N],
            $($operand: (&$integer, [&NoTangent; N]),)*
            output: (&$integer, [&NoTangent; N]),
            direction: (&NoTangent, [&NoTangent; N]),
        ) -> NoTangent {
            NoTangent
        }
    };
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
