//! The functions of the rule table, for dual numbers.
//!
//! **In:** dual numbers. **Out:** the function's value, as `f64` has it, and tangents by the row's partial derivatives.
//! **Invariant:** a zero tangent contributes zero, and so does an operand that a row does not choose.

use super::Dual;
use crate::nested_dual::Number;
use crate::rules::partials;
use num_traits::{Euclid, Float};

/// The product of tangents with a partial derivative.
#[inline(always)]
fn along<const N: usize>(tangents: [f64; N], partial: f64, is_choice: bool) -> [f64; N] {
    tangents.map(|tangent| match is_choice {
        true => Number::strong(partial, tangent),
        false => Number::strong(tangent, partial),
    })
}

/// The sum of such products, one for each operand.
#[inline(always)]
fn sum<const N: usize, const OPERANDS: usize>(products: [[f64; N]; OPERANDS]) -> [f64; N] {
    core::array::from_fn(|lane| {
        let each = products.iter().map(|product| product[lane]);
        each.reduce(|sum, product| sum + product).unwrap_or(0.0)
    })
}

/// Functions of one number.
macro_rules! unary {
    ($($name:ident)*) => {$(
        #[inline]
        pub(super) fn $name<const N: usize>(x: Dual<N>) -> Dual<N> {
            let value = Float::$name(x.value);
            let partial = partials::$name::by_0::<f64>(x.value, value);
            Dual { value, tangents: along(x.tangents, partial, partials::$name::IS_CHOICE) }
        }
    )*};
}

/// Functions of two numbers, each by the function of `f64`.
macro_rules! binary {
    ($($name:ident: $value:expr;)*) => {$(
        #[inline]
        pub(super) fn $name<const N: usize>(a: Dual<N>, b: Dual<N>) -> Dual<N> {
            let value = $value(a.value, b.value);
            let by_a = partials::$name::by_0::<f64>(a.value, b.value, value);
            let by_b = partials::$name::by_1::<f64>(a.value, b.value, value);
            let is_choice = partials::$name::IS_CHOICE;
            let tangents = sum([along(a.tangents, by_a, is_choice), along(b.tangents, by_b, is_choice)]);
            Dual { value, tangents }
        }
    )*};
}

/// Functions of three numbers.
macro_rules! ternary {
    ($($name:ident)*) => {$(
        #[inline]
        pub(super) fn $name<const N: usize>(a: Dual<N>, b: Dual<N>, c: Dual<N>) -> Dual<N> {
            let value = Float::$name(a.value, b.value, c.value);
            let by_a = partials::$name::by_0::<f64>(a.value, b.value, c.value, value);
            let by_b = partials::$name::by_1::<f64>(a.value, b.value, c.value, value);
            let by_c = partials::$name::by_2::<f64>(a.value, b.value, c.value, value);
            let is_choice = partials::$name::IS_CHOICE;
            let tangents = sum([
                along(a.tangents, by_a, is_choice),
                along(b.tangents, by_b, is_choice),
                along(c.tangents, by_c, is_choice),
            ]);
            Dual { value, tangents }
        }
    )*};
}

unary! {
    recip sqrt cbrt exp exp2 exp_m1 ln ln_1p log2 log10 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh
    to_degrees to_radians abs fract
}

binary! {
    add: core::ops::Add::add;
    sub: core::ops::Sub::sub;
    mul: core::ops::Mul::mul;
    div: core::ops::Div::div;
    rem: core::ops::Rem::rem;
    hypot: Float::hypot;
    powf: Float::powf;
    log: Float::log;
    atan2: Float::atan2;
    abs_sub: Float::abs_sub;
    copysign: Float::copysign;
    max: Float::max;
    min: Float::min;
    rem_euclid: |a: f64, b: f64| Euclid::rem_euclid(&a, &b);
}

ternary! { clamp mul_add }

#[inline]
pub(super) fn neg<const N: usize>(x: Dual<N>) -> Dual<N> {
    Dual { value: -x.value, tangents: x.tangents.map(core::ops::Neg::neg) }
}

#[inline]
pub(super) fn powi<const N: usize>(x: Dual<N>, exponent: i32) -> Dual<N> {
    let value = Float::powi(x.value, exponent);
    let partial = partials::powi::by_0::<f64>(x.value, exponent, value);
    Dual { value, tangents: along(x.tangents, partial, partials::powi::IS_CHOICE) }
}
