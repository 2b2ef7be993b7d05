//! Rules of functions that have a complex derivative, by the partial derivatives in the table of floats: `f'(z)` times a
//! tangent, and the conjugate of `f'(z)` times a cotangent.
//!
//! A float among the operands is a complex number without imaginary part, and of what goes back to it the real part is left.

use num_complex_0_4::Complex;

use crate::nested_dual::{Nested, NestedDual, Number};
use crate::rules::TangentOf;
use crate::rules::{
    acos, acosh, asin, asinh, atan, atanh, cbrt, cos, cosh, div, exp, exp2, ln, log, log2, log10,
    partials, powf, powi, recip, sin, sinh, sqrt, tan, tanh,
};
use crate::{Float, NoTangent};

/// A complex number as what partial derivatives are computed with. Of two that differ only real ones have an order.
#[derive(Clone, Copy, PartialEq)]
pub struct Plane<F>(Complex<F>);

impl<F: Float> PartialOrd for Plane<F> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        let is_real = self.0.im == F::zero() && other.0.im == F::zero();
        if is_real {
            self.0.re.partial_cmp(&other.0.re)
        } else {
            (self == other).then_some(core::cmp::Ordering::Equal)
        }
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $operator:tt)*) => {$(
        impl<F: Float> core::ops::$trait for Plane<F> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Plane(self.0 $operator other.0)
            }
        }
    )*};
}

operators!(Add add + Sub sub - Mul mul * Div div /);

impl<F: Float> core::ops::Neg for Plane<F> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Plane(-self.0)
    }
}

macro_rules! methods {
    ($($method:ident)*) => {$(
        #[inline(always)]
        fn $method(self) -> Self {
            Plane(self.0.$method())
        }
    )*};
}

impl<F: Float> Number for Plane<F> {
    methods! { exp sqrt ln sin cos sinh cosh }

    #[inline(always)]
    fn constant(value: f64) -> Self {
        Plane(Complex::new(F::literal(value), F::zero()))
    }

    #[inline(always)]
    fn powi(self, exponent: i32) -> Self {
        Plane(self.0.powi(exponent))
    }

    #[inline(always)]
    fn powf(self, exponent: Self) -> Self {
        let is_real = exponent.0.im == F::zero();
        Plane(if is_real { self.0.powf(exponent.0.re) } else { self.0.powc(exponent.0) })
    }

    fn strong(self, factor: Self) -> Self {
        let is_zero = self.0.re == F::zero() && self.0.im == F::zero();
        if is_zero { self } else { self * factor }
    }

    /// The holomorphic function that is a length on the real line.
    fn hypot(self, other: Self) -> Self {
        (self * self + other * other).sqrt()
    }

    fn signum(self) -> Self {
        unreachable!("no complex derivative has a sign in it")
    }

    fn round(self) -> Self {
        unreachable!("no complex derivative is rounded")
    }

    fn is_nan(self) -> bool {
        unreachable!("no complex derivative asks for it")
    }
}

impl<F: Float> Nested<Complex<F>> for Plane<F> {
    const SIZE: usize = 1;

    #[inline(always)]
    fn gather(number: &impl Fn(usize) -> Complex<F>, first: usize) -> Self {
        Plane(number(first))
    }

    #[inline(always)]
    fn last(self) -> Complex<F> {
        self.0
    }
}

/// The complex number that an operand or a direction is, and the operand's part of one.
trait Embedded<F>: Copy {
    fn embed(self) -> Complex<F>;

    fn project(number: Complex<F>) -> Self;
}

impl<F: Float> Embedded<F> for Complex<F> {
    #[inline(always)]
    fn embed(self) -> Complex<F> {
        self
    }

    #[inline(always)]
    fn project(number: Complex<F>) -> Self {
        number
    }
}

impl<F: Float> Embedded<F> for F {
    #[inline(always)]
    fn embed(self) -> Complex<F> {
        Complex::new(self, F::zero())
    }

    #[inline(always)]
    fn project(number: Complex<F>) -> Self {
        number.re
    }
}

/// The complex numbers of an operand: itself and its tangents, in the order of the forward transform. An integer stays.
trait Operand<F, D> {
    type Tangent;
    type Lifted;

    fn gather<const N: usize>(self, dots: [&Self::Tangent; N]) -> Self::Lifted;
}

/// An operand with its tangents as one number.
#[inline(always)]
fn gathered<F, D, T: Operand<F, D> + Copy, const N: usize>(
    (value, dots): (&T, [&T::Tangent; N]),
) -> T::Lifted {
    value.gather(dots)
}

impl<F: Float, D: Nested<Complex<F>>> Operand<Complex<F>, D> for Complex<F> {
    type Tangent = Complex<F>;
    type Lifted = D;

    #[inline(always)]
    fn gather<const N: usize>(self, dots: [&Complex<F>; N]) -> D {
        D::gather(&|index| if index == 0 { self } else { *dots[index - 1] }, 0)
    }
}

impl<F: Float, D: Nested<Complex<F>>> Operand<Complex<F>, D> for F {
    type Tangent = F;
    type Lifted = D;

    #[inline(always)]
    fn gather<const N: usize>(self, dots: [&F; N]) -> D {
        D::gather(&|index| if index == 0 { self } else { *dots[index - 1] }.embed(), 0)
    }
}

impl<F: Float, D: Nested<Complex<F>>> Operand<Complex<F>, D> for i32 {
    type Tangent = NoTangent;
    type Lifted = i32;

    #[inline(always)]
    fn gather<const N: usize>(self, _: [&NoTangent; N]) -> i32 {
        self
    }
}

/// A row: its operands, and for each that is no integer the names of its functions, its type and its partial derivative.
macro_rules! row {
    (
        [$($generic:ident)?] $float:ident $name:ident<$($argument:ty)?> for $receiver:ty: $operands:tt;
        $(($vjp:ident $jvp:ident $dot_vjp:ident $dot_jvp:ident $by:ident $of:ty: $($partial:tt)+))+
    ) => {
        const _: () = {
            along! { [$($generic)?] $float $operands $(($by $($partial)+))+ }

            impl<$($generic: Float)?> $name<$($argument)?> for $receiver {
                type Output = Complex<$float>;

                $(row! { @ $float $vjp $jvp $dot_vjp $dot_jvp $by $of, $operands })+
            }
        };
    };
    (
        @ $float:ident $vjp:ident $jvp:ident $dot_vjp:ident $dot_jvp:ident $by:ident $of:ty,
        ($receiver:ty $(, $operand:ident: $ty:ty)*)
    ) => {
        #[inline]
        fn $vjp(&self, $($operand: &$ty,)* output: &Complex<$float>, bar: &Complex<$float>) -> $of {
            // Conjugated around the product with the derivative, which is the product with its conjugate.
            let back = $by((self, []), $(($operand, []),)* (output, []), (bar.conj(), []));
            Embedded::project(back.conj())
        }

        #[inline]
        fn $jvp(&self, $($operand: &$ty,)* output: &Complex<$float>, dot: &$of) -> Complex<$float> {
            $by((self, []), $(($operand, []),)* (output, []), (dot.embed(), []))
        }

        #[inline]
        fn $dot_vjp<const N: usize>(
            &self,
            dots: [&$receiver; N],
            $($operand: (&$ty, [&TangentOf<$ty>; N]),)*
            output: (&Complex<$float>, [&Complex<$float>; N]),
            (bar, bars): (&Complex<$float>, [&Complex<$float>; N]),
        ) -> $of {
            let bar = (bar.conj(), bars.map(|bar| bar.conj()));
            Embedded::project($by((self, dots), $($operand,)* output, bar).conj())
        }

        #[inline]
        fn $dot_jvp<const N: usize>(
            &self,
            dots: [&$receiver; N],
            $($operand: (&$ty, [&TangentOf<$ty>; N]),)*
            output: (&Complex<$float>, [&Complex<$float>; N]),
            (dot, dots_of_dot): (&$of, [&$of; N]),
        ) -> Complex<$float> {
            let dot = (dot.embed(), dots_of_dot.map(|dot| dot.embed()));
            $by((self, dots), $($operand,)* output, dot)
        }
    };
}

/// For each partial derivative of a row a function: its last tangent times a direction, or without tangents the product.
macro_rules! along {
    ($generics:tt $float:ident $operands:tt $(($by:ident $($partial:tt)+))+) => {
        $(along! { @ $generics $float $operands $by ($($partial)+) })+
    };
    (
        @ [$($generic:ident)?] $float:ident ($receiver:ty $(, $operand:ident: $ty:ty)*) $by:ident ($($partial:tt)+)
    ) => {
        #[inline(always)]
        fn $by<$($generic: Float,)? const N: usize>(
            receiver: (&$receiver, [&$receiver; N]),
            $($operand: (&$ty, [&TangentOf<$ty>; N]),)*
            output: (&Complex<$float>, [&Complex<$float>; N]),
            direction: (Complex<$float>, [Complex<$float>; N]),
        ) -> Complex<$float> {
            #[inline(always)]
            fn at<$($generic: Float,)? D: Nested<Complex<$float>>, const N: usize>(
                receiver: (&$receiver, [&$receiver; N]),
                $($operand: (&$ty, [&TangentOf<$ty>; N]),)*
                output: (&Complex<$float>, [&Complex<$float>; N]),
                direction: (&Complex<$float>, [&Complex<$float>; N]),
            ) -> Complex<$float> {
                let partial: D = $($partial)+(
                    gathered::<Complex<$float>, D, _, N>(receiver),
                    $(gathered::<Complex<$float>, D, _, N>($operand),)*
                    gathered::<Complex<$float>, D, _, N>(output),
                );
                (partial * gathered::<Complex<$float>, D, _, N>(direction)).last()
            }
            const { assert!(N < 16, "derivatives of complex functions of an order above five") }
            let direction = (&direction.0, direction.1.each_ref());
            match N {
                0 => at::<$($generic,)? Plane<$float>, N>(receiver, $($operand,)* output, direction),
                1 => at::<$($generic,)? NestedDual<Plane<$float>>, N>(receiver, $($operand,)* output, direction),
                3 => at::<$($generic,)? NestedDual<NestedDual<Plane<$float>>>, N>(receiver, $($operand,)* output, direction),
                7 => at::<$($generic,)? NestedDual<NestedDual<NestedDual<Plane<$float>>>>, N>(receiver, $($operand,)* output, direction),
                _ => at::<$($generic,)? NestedDual<NestedDual<NestedDual<NestedDual<Plane<$float>>>>>, N>(receiver, $($operand,)* output, direction),
            }
        }
    };
}

/// Rows of one operand.
macro_rules! functions {
    ($($name:ident)*) => {$(
        row! {
            [F] F $name<> for Complex<F>: (Complex<F>);
            (vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 by_0 Complex<F>: partials::$name::by_0)
        }
    )*};
}

functions!(
    exp exp2 ln log2 log10 sqrt cbrt recip sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh
);

row! {
    [F] F powi<> for Complex<F>: (Complex<F>, n: i32);
    (vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 by_0 Complex<F>: partials::powi::by_0)
}

/// Rows of two operands, the second of which is a float.
macro_rules! functions_with_a_float {
    ($($name:ident)*) => {$(
        row! {
            [F] F $name<F> for Complex<F>: (Complex<F>, b: F);
            (vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 by_0 Complex<F>: partials::$name::by_0)
            (vjp_1 jvp_1 dot_vjp_1 dot_jvp_1 by_1 F: partials::$name::by_1)
        }
    )*};
}

functions_with_a_float!(powf log);

row! {
    [F] F div<Complex<F>> for Complex<F>: (Complex<F>, b: Complex<F>);
    (vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 by_0 Complex<F>: partials::div::by_0)
    (vjp_1 jvp_1 dot_vjp_1 dot_jvp_1 by_1 Complex<F>: partials::div::by_1)
}

/// Floats divided by complex numbers.
macro_rules! quotients {
    ($($float:ident)*) => {$(
        row! {
            [] $float div<Complex<$float>> for $float: ($float, b: Complex<$float>);
            (vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 by_0 $float: partials::div::by_0)
            (vjp_1 jvp_1 dot_vjp_1 dot_jvp_1 by_1 Complex<$float>: partials::div::by_1)
        }
    )*};
}

quotients!(f32 f64);
