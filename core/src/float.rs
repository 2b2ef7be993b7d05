//! The floats, as what a type parameter of a differentiated function stands for.
//!
//! In comes `f32` or `f64`; out goes one bound that says all that derivative code asks of a float: its
//! arithmetic, its methods, its tangent, and its rules. Invariant: a type with this trait is its own
//! tangent, and a name that code with `num_traits` writes (`T::zero()`, `x.sin()`) means the same with and
//! without the bound.

use crate::accumulate::Zero;
use crate::differentiable::Differentiable;
use crate::guard::{Comparable, Number, Std};
use crate::output::{Entry, FloatOutput, FromInteger};
use crate::rules;
use crate::tangent::Tangent;

/// `f32` or `f64`, for functions that are generic over which.
///
/// A type parameter of a differentiated function that is bounded by a trait of floats, such as
/// `num_traits::Float`, gets this bound in the companion. It implies `num_traits::Float`; so code that
/// calls derivatives for any float needs no other:
///
/// ```
/// use cotangent::{Float, differentiate};
///
/// #[differentiate]
/// fn cube<T: Float>(x: T) -> T {
///     x * x * x
/// }
///
/// fn slope<T: Float>(x: T) -> T {
///     cube::gradient(x)
/// }
///
/// assert_eq!((slope(2.0), slope(2.0_f32)), (12.0, 12.0));
/// ```
pub trait Float:
    'static
    + num_traits::Float
    + num_traits::NumAssign
    + Default
    + Differentiable<Tangent = Self>
    + Tangent
    + Zero
    + Entry
    + FromInteger
    + for<'a> FloatOutput<'a>
    + Ruled
    + Comparable<Owner = Std>
    + Number
{
    /// The float nearest to a number: a literal of derivative code.
    fn literal(value: f64) -> Self;
}

impl Float for f32 {
    #[inline(always)]
    fn literal(value: f64) -> Self {
        value as f32
    }
}

impl Float for f64 {
    #[inline(always)]
    fn literal(value: f64) -> Self {
        value
    }
}

/// The trait whose supertraits are the rows of the table, between floats of one type.
macro_rules! ruled {
    ({ $($bounds:tt)* }) => {
        /// All rows of the rule table, between floats of one type.
        pub trait Ruled: Sized $($bounds)* {}
    };
    ({ $($bounds:tt)* }
        $name:ident ($a:ident in $of_a:expr $(, $n:ident: i32 in $of_n:expr)?) -> $y:ident: $cost:ident, $slopes:ident
        => $partials:tt $(at $points:tt)?; $($rest:tt)*
    ) => {
        ruled! { { $($bounds)* + rules::$name<Output = Self> } $($rest)* }
    };
    ({ $($bounds:tt)* }
        $name:ident ($a:ident in $of_a:expr, $b:ident in $of_b:expr) -> $y:ident: $cost:ident, $slopes:ident
        => $partials:tt $(at $points:tt)?; $($rest:tt)*
    ) => {
        ruled! { { $($bounds)* + rules::$name<Self, Output = Self> } $($rest)* }
    };
    ({ $($bounds:tt)* }
        $name:ident ($a:ident in $of_a:expr, $b:ident in $of_b:expr, $c:ident in $of_c:expr) -> $y:ident: $cost:ident, $slopes:ident
        => $partials:tt $(at $points:tt)?; $($rest:tt)*
    ) => {
        ruled! { { $($bounds)* + rules::$name<Self, Self, Output = Self> } $($rest)* }
    };
}

macro_rules! ruled_by {
    ($($rows:tt)*) => {
        ruled! { {} $($rows)* }
    };
}

cotangent_rules::for_each_scalar_rule!(ruled_by);

impl Ruled for f32 {}

impl Ruled for f64 {}
