//! The scalar derivative rules: one table, one row a rule, for both modes and for the tests.
//!
//! What comes in: nothing; the table is data. What goes out: the rows themselves, through
//! [`for_each_scalar_rule!`], and the same rows as text, in [`RULES`]; the names whose result carries no
//! derivative, in [`ZERO`].
//!
//! A row states a function, an interval of test points for each parameter, the name of the result, what
//! the function costs, where its partial derivatives are finite, and these, one for each parameter that is
//! not an integer:
//!
//! ```text
//! div(a in -2.0..2.0, b in 0.5..2.0) -> c: division, pole => [1.0 / b, -c * (1.0 / b)];
//! ```
//!
//! Forward mode multiplies the partials with the tangents of the operands and adds up; reverse mode
//! multiplies them with the cotangent of the result, which gives a contribution to the cotangent of each
//! operand. The rows are `add`, `sub`, `mul`, `div`, `rem`, `neg` (the operators) and the differentiable
//! methods of `f32`, `f64` and `num_traits::Float` under their own names, receiver first. There is no row
//! for `sin_cos`, whose result is a pair: the compiler makes it from `sin` and `cos`.
//!
//! # Columns
//!
//! | cost | the function is |
//! |---|---|
//! | `sum` | a sum, a product or a change of sign |
//! | `cheap` | a few instructions without division |
//! | `division` | a division, a root or a rounding: costly, but an instruction that can be vectorised |
//! | `call` | a call of the mathematical library |
//!
//! | slopes | the partial derivatives are | product with a (co)tangent |
//! |---|---|---|
//! | `constant` | the same numbers everywhere | plain |
//! | `finite` | finite where the operands are | strong for cotangents that come out of a merge with zero |
//! | `pole` | infinite or NaN at some finite operands, where the value is as well | strong for cotangents that may be zero |
//! | `singular` | infinite or NaN at some finite operands, where the value is finite | strong, and for tangents too |
//! | `choice` | `if .. { 0.0 } else { 1.0 }` or the like: the result is one of the operands, or zero | a choice: no product |
//!
//! A strong product keeps a derivative that is infinite out of what does not depend on it: a direction of zero times
//! infinity is zero in it. Derivatives of a strong product are strong products. A cotangent that reaches a row from the
//! result by products alone is zero but by chance, and its products are plain. Forward mode meets a pole only on the
//! way that is taken, whose value the pole spoils anyway. Slopes that overflow beside a pole count as infinite there.
//!
//! A partial of the form `-p * (q)` is applied from the right: the direction is multiplied by `q` first, then by `-p`.
//! So the product is finite where `-p * q` alone would overflow.
//!
//! # Invariants
//!
//! - A name stands in the table or in [`ZERO`], never in both, and only once.
//! - A partial is an expression over the row's parameters and result. It contains only `+ - * /`,
//!   comparisons, `& | !` (`&&` and `||` would be jumps in a loop), `if` with `else`, methods that are themselves
//!   in the table or in [`ZERO`], unsuffixed literals, and `n as Float` for an integer parameter `n`, where
//!   `Float` is the type of the other operands. So a partial can be lowered, simplified and differentiated again
//!   like any code.
//! - A partial never panics where the function does not. Integer arithmetic in it cannot overflow.
//! - A partial is as accurate as the function's value: no step of it overflows or underflows where the partial itself
//!   does not, in either float type. A divisor, a base of a power and a base of a logarithm that are subnormal are
//!   excepted, whose reciprocals overflow, and so is `tanh` near ±1: the digits that it loses there are beyond those
//!   of any sum with another slope of size one, and would cost a call.
//! - Second derivatives are symmetric, at corners too.
//! - Each arm of the `if` of a `choice` is a literal.
//!
//! # Corners
//!
//! Where a function has no derivative, or a formula for it fails, the rows agree on the following. The
//! default is the derivative of the branch that the function takes.
//!
//! | function | where | derivative |
//! |---|---|---|
//! | `abs` | 0 | 0 |
//! | `copysign` | receiver 0 | 0, as for `abs`; the partial of the sign is 0 everywhere |
//! | `max`, `min` | tie | 1 for the receiver, 0 for the argument |
//! | | one operand NaN | 1 for the other operand, which is the result |
//! | `clamp` | on a bound | 1 for the receiver, 0 for the bound |
//! | | outside | 0 for the receiver, 1 for the bound that is the result |
//! | `abs_sub` | tie | 0 for both: the result is the constant zero |
//! | `rem`, `rem_euclid` | a multiple of the divisor | 1, and minus the quotient, which is a whole number |
//! | `fract` | a whole number | 1 |
//! | `powi` | exponent 0 | 0, also for the base 0 |
//! | `powf` | exponent 0 | 0 for the base, also for the base 0 |
//! | | base 0, exponent at least 0 | 0 for the exponent |
//! | | base 0, exponent 0 or 1 | second derivatives with the exponent are 0 |
//! | | base below 0 | NaN for the exponent: the powers between whole exponents are not real |
//! | `hypot`, `atan2` | origin | 0 for both |
//! | `sqrt`, `cbrt`, `ln`, `log2`, `log10`, `recip` | 0 | infinite |
//! | `asin`, `acos`, `atanh` | ±1 | infinite |
//! | `acosh` | 1 | infinite |
//! | `ln_1p` | −1 | infinite |
//! | names in [`ZERO`] | a jump | 0 |
//!
//! # Example
//!
//! ```
//! let rule = cotangent_rules::find("div").unwrap();
//! assert_eq!(rule.params[1].name, "b");
//! assert_eq!(rule.partials[0], "1.0 / b");
//! assert!(cotangent_rules::is_zero("floor"));
//! ```

#![no_std]

/// Hands the rows of the table to a macro: `for_each_scalar_rule!(callback)` expands to
/// `callback! { rows }`.
///
/// A row is matched by
///
/// ```text
/// $name:ident ( $($param:ident $(: $integer:ident)? in $interval:expr),+ )
///     -> $result:ident : $cost:ident, $slopes:ident
///     => [ $($partial:expr),+ ] $(at [ $($point:tt),+ ])? ;
/// ```
///
/// `$interval` is a range from which test points are drawn, `$point` a parenthesised point that is tested
/// besides, with one value for each parameter. To use a `$partial` as code, bind `$param` and `$result`
/// as the parameters of a function, with a type named `Float` in scope.
///
/// ```
/// macro_rules! count {
///     ($(
///         $name:ident ($($param:tt)+) -> $result:ident: $cost:ident, $slopes:ident
///             => $partials:tt $(at $points:tt)?;
///     )*) => {
///         [$(stringify!($name)),*].len()
///     };
/// }
/// assert_eq!(cotangent_rules::for_each_scalar_rule!(count), cotangent_rules::RULES.len());
/// ```
#[macro_export]
macro_rules! for_each_scalar_rule {
    ($($callback:tt)+) => {
        $($callback)+! {
            // Operators. The whole quotient of a remainder is read off the result: `a / b` may round up
            // to the next whole number where the remainder is just below `b`.
            add(a in -2.0..2.0, b in -2.0..2.0) -> c: sum, constant => [1.0, 1.0];
            sub(a in -2.0..2.0, b in -2.0..2.0) -> c: sum, constant => [1.0, -1.0];
            mul(a in -2.0..2.0, b in -2.0..2.0) -> c: sum, finite => [b, a] at [(0.0, 1.5), (1.5, 0.0), (0.0, 0.0)];
            div(a in -2.0..2.0, b in 0.5..2.0) -> c: division, pole => [1.0 / b, -c * (1.0 / b)] at [(1.5, -0.7), (-1.5, -0.7), (0.0, 2.0)];
            rem(a in -5.0..5.0, b in 0.7..2.0) -> c: division, pole => [1.0, -((a - c) / b).round()]
                at [(5.3, -2.0), (-5.3, -2.0), (-5.3, 2.0), (0.4, 2.0), (0.0, 2.0)];
            neg(a in -2.0..2.0) -> b: sum, constant => [-1.0] at [(0.0)];

            // Powers and roots. A negative exponent of `powi` is not lowered by one: it could overflow.
            recip(x in 0.3..3.0) -> y: division, pole => [-y * y] at [(-1.5), (-0.4)];
            sqrt(x in 0.1..4.0) -> y: division, singular => [0.5 / y];
            cbrt(x in 0.1..4.0) -> y: call, singular => [1.0 / (3.0 * y * y)] at [(-1.5), (-0.4)];
            hypot(x in -2.0..2.0, y in -2.0..2.0) -> h: call, finite
                => [if h == 0.0 { 0.0 } else { x / h }, if h == 0.0 { 0.0 } else { y / h }]
                at [(0.0, 0.0), (1.5, 0.0), (-1.5, 0.0), (0.0, -1.5)];
            powi(x in 0.3..2.0, n: i32 in -3..5) -> y: call, pole
                => [if n > 0 { n as Float * x.powi(n - 1) } else if n < 0 { n as Float * x.powi(n) / x } else { 0.0 }]
                at [(-1.5, 3), (-1.5, 2), (-1.5, -2), (-1.5, -3), (0.0, 0), (0.0, 1), (0.0, 2), (0.0, 3), (-1.5, 0)];
            powf(x in 0.2..3.0, p in -2.0..3.0) -> y: call, singular
                => [
                    if (x == 0.0) & ((p == 0.0) | (p == 1.0)) { p.round() } else { p * x.powf(p - 1.0) },
                    if (x == 0.0) & (p >= 0.0) { 0.0 } else { y * x.ln() }
                ]
                at [(0.0, 1.0), (0.0, 2.0), (0.0, 3.0), (-1.5, 2.0), (-1.5, 3.0), (-1.5, -1.0), (1.5, 0.0), (1.5, 1.0)];

            // Exponentials and logarithms.
            exp(x in -2.0..2.0) -> y: call, pole => [y];
            exp2(x in -2.0..2.0) -> y: call, pole => [y * 0.693147180559945309417232121458];
            exp_m1(x in -2.0..2.0) -> y: call, pole => [if y < -0.99 { x.exp() } else { y + 1.0 }] at [(0.0)];
            ln(x in 0.2..4.0) -> y: call, pole => [1.0 / x];
            ln_1p(x in -0.8..3.0) -> y: call, pole => [1.0 / (1.0 + x)] at [(0.0)];
            log(x in 0.2..4.0, base in 1.5..4.0) -> y: call, singular => [1.0 / (x * base.ln()), -y / (base * base.ln())]
                at [(2.0, 0.5), (0.4, 0.5)];
            log2(x in 0.2..4.0) -> y: call, pole => [1.44269504088896340735992468100 / x];
            log10(x in 0.2..4.0) -> y: call, pole => [0.434294481903251827651128918917 / x];

            // Trigonometric functions and their inverses. `(1 - x)(1 + x)` keeps the digits of `1 - x²` near ±1.
            sin(x in -3.0..3.0) -> y: call, finite => [x.cos()];
            cos(x in -3.0..3.0) -> y: call, finite => [-x.sin()];
            tan(x in -1.3..1.3) -> y: call, finite => [1.0 + y * y];
            asin(x in -0.9..0.9) -> y: call, singular => [1.0 / ((1.0 - x) * (1.0 + x)).sqrt()];
            acos(x in -0.9..0.9) -> y: call, singular => [-1.0 / ((1.0 - x) * (1.0 + x)).sqrt()];
            atan(x in -3.0..3.0) -> y: call, finite => [if x * x > 1e16 { 1.0 / x / x } else { 1.0 / (1.0 + x * x) }];
            atan2(y in -2.0..2.0, x in -2.0..2.0) -> angle: call, singular
                => [
                    if (x == 0.0) & (y == 0.0) { 0.0 } else { x / x.hypot(y) / x.hypot(y) },
                    if (x == 0.0) & (y == 0.0) { 0.0 } else { -y / x.hypot(y) / x.hypot(y) }
                ]
                at [(0.0, 1.5), (1.5, 0.0), (-1.5, 0.0), (1.5, -1.5), (-1.5, -1.5)];
            to_degrees(x in -180.0..180.0) -> y: cheap, constant => [57.2957795130823208767981548141];
            to_radians(x in -180.0..180.0) -> y: cheap, constant => [0.0174532925199432957692369076849];

            // Hyperbolic functions and their inverses.
            sinh(x in -3.0..3.0) -> y: call, pole => [x.cosh()];
            cosh(x in -3.0..3.0) -> y: call, pole => [x.sinh()];
            tanh(x in -3.0..3.0) -> y: call, finite => [1.0 - y * y];
            asinh(x in -3.0..3.0) -> y: call, finite => [1.0 / x.hypot(1.0)] at [(0.0)];
            acosh(x in 1.2..4.0) -> y: call, singular => [1.0 / ((x - 1.0).sqrt() * (x + 1.0).sqrt())];
            atanh(x in -0.9..0.9) -> y: call, pole => [1.0 / ((1.0 - x) * (1.0 + x))];

            // Piecewise linear functions: see the table of corners.
            abs(x in -2.0..2.0) -> y: cheap, finite => [if x == 0.0 { 0.0 } else { x.signum() }] at [(0.0), (-0.0)];
            abs_sub(a in -2.0..2.0, b in -2.0..2.0) -> c: call, choice
                => [if a <= b { 0.0 } else { 1.0 }, if a <= b { 0.0 } else { -1.0 }]
                at [(1.5, 1.5), (-1.5, -1.5), (0.0, 0.0)];
            copysign(x in -2.0..2.0, sign in -2.0..2.0) -> y: cheap, finite
                => [if x == 0.0 { 0.0 } else { x.signum() * y.signum() }, 0.0]
                at [
                    (1.5, 1.0), (-1.5, 1.0), (1.5, -1.0), (-1.5, -1.0),
                    (0.0, 1.0), (-0.0, 1.0), (0.0, -1.0), (-0.0, -1.0)
                ];
            max(a in -2.0..2.0, b in -2.0..2.0) -> c: cheap, choice
                => [if (a < b) | a.is_nan() { 0.0 } else { 1.0 }, if (a < b) | a.is_nan() { 1.0 } else { 0.0 }]
                at [(1.5, 1.5), (-1.5, -1.5), (0.0, 0.0)];
            min(a in -2.0..2.0, b in -2.0..2.0) -> c: cheap, choice
                => [if (a > b) | a.is_nan() { 0.0 } else { 1.0 }, if (a > b) | a.is_nan() { 1.0 } else { 0.0 }]
                at [(1.5, 1.5), (-1.5, -1.5), (0.0, 0.0)];
            clamp(x in -3.0..3.0, low in -2.0..-0.5, high in 0.5..2.0) -> y: cheap, choice
                => [
                    if (x < low) | (x > high) { 0.0 } else { 1.0 },
                    if x < low { 1.0 } else { 0.0 },
                    if x > high { 1.0 } else { 0.0 }
                ]
                at [(-1.0, -1.0, 1.0), (1.0, -1.0, 1.0), (0.0, -1.0, 1.0), (-2.5, -1.0, 1.0), (2.5, -1.0, 1.0)];
            midpoint(a in -2.0..2.0, b in -2.0..2.0) -> c: call, constant => [0.5, 0.5];
            mul_add(a in -2.0..2.0, b in -2.0..2.0, c in -2.0..2.0) -> d: cheap, finite => [b, a, 1.0] at [(0.0, 0.0, 1.5)];
            fract(x in -3.0..3.0) -> y: division, constant => [1.0] at [(0.0), (1.3), (-1.3)];
            rem_euclid(a in -5.0..5.0, b in 0.7..2.0) -> c: call, pole => [1.0, -((a - c) / b).round()]
                at [(5.3, -2.0), (-5.3, -2.0), (-5.3, 2.0), (0.4, 2.0)];
            next_up(x in -2.0..2.0) -> y: call, constant => [1.0] at [(0.0)];
            next_down(x in -2.0..2.0) -> y: call, constant => [1.0] at [(0.0)];
        }
    };
}

/// A row of the table as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The method's name, or the operator's in `core::ops`.
    pub name: &'static str,
    /// The operands, receiver first.
    pub params: &'static [Param],
    /// The name under which the partials refer to the result.
    pub result: &'static str,
    /// What the function costs.
    pub cost: Cost,
    /// Where the partials are finite.
    pub slopes: Slopes,
    /// Rust expressions: one for each parameter that is not an integer, in order.
    pub partials: &'static [&'static str],
}

/// The classes of what functions cost, cheapest first: see [Columns](crate#columns).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cost {
    /// A sum, a product or a change of sign.
    Sum,
    /// A few instructions without division.
    Cheap,
    /// A division, a root or a rounding.
    Division,
    /// A call of the mathematical library.
    Call,
}

/// The classes of partial derivatives by where they are finite, tamest first: see [Columns](crate#columns).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slopes {
    /// Literals, between which a condition chooses.
    Choice,
    /// The same numbers everywhere.
    Constant,
    /// Finite where the operands are.
    Finite,
    /// Infinite or NaN at some finite operands, where the value is infinite or NaN as well.
    Pole,
    /// Infinite or NaN at some finite operands where the value is finite.
    Singular,
}

/// An operand of a [`Rule`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// The name under which the partials refer to the operand.
    pub name: &'static str,
    /// Whether the operand is an integer, which has no partial.
    pub integer: bool,
}

macro_rules! column {
    (sum) => {
        Cost::Sum
    };
    (cheap) => {
        Cost::Cheap
    };
    (division) => {
        Cost::Division
    };
    (call) => {
        Cost::Call
    };
    (constant) => {
        Slopes::Constant
    };
    (finite) => {
        Slopes::Finite
    };
    (pole) => {
        Slopes::Pole
    };
    (singular) => {
        Slopes::Singular
    };
    (choice) => {
        Slopes::Choice
    };
}

macro_rules! rows_as_text {
    ($(
        $name:ident ( $($param:ident $(: $integer:ident)? in $interval:expr),+ )
            -> $result:ident: $cost:ident, $slopes:ident => [ $($partial:expr),+ ] $(at [ $($point:tt),+ ])? ;
    )*) => {
        /// The rows of the table, as text, in the table's order.
        pub static RULES: &[Rule] = &[$(
            Rule {
                name: stringify!($name),
                params: &[$(Param {
                    name: stringify!($param),
                    integer: !stringify!($($integer)?).is_empty(),
                }),+],
                result: stringify!($result),
                cost: column!($cost),
                slopes: column!($slopes),
                partials: &[$(stringify!($partial)),+],
            }
        ),*];
    };
}

for_each_scalar_rule!(rows_as_text);

/// The row of this name.
///
/// ```
/// assert_eq!(cotangent_rules::find("exp").unwrap().partials, ["y"]);
/// assert!(cotangent_rules::find("floor").is_none());
/// ```
pub fn find(name: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.name == name)
}

/// Methods through which an active value becomes inactive: their result is piecewise constant, or says nothing of the
/// number but its kind and its order. Bits and bytes of a number are not among them: the number can be made of them again.
pub static ZERO: &[&str] = &[
    // Piecewise constant.
    "floor",
    "ceil",
    "round",
    "round_ties_even",
    "trunc",
    "signum",
    "div_euclid",
    // Questions about a number.
    "is_nan",
    "is_infinite",
    "is_finite",
    "is_normal",
    "is_subnormal",
    "is_sign_positive",
    "is_sign_negative",
    "classify",
    // Its integer part as an integer.
    "to_int_unchecked",
    // Comparisons.
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "cmp",
    "partial_cmp",
    "total_cmp",
    // The shape of a collection, and the variant of an `Option` or `Result`.
    "len",
    "is_empty",
    "capacity",
    "is_some",
    "is_none",
    "is_ok",
    "is_err",
];

/// Methods that the standard library gives to integers alone.
pub static INTEGER: &[&str] = &[
    "abs_diff",
    "checked_add",
    "checked_div",
    "checked_mul",
    "checked_pow",
    "checked_rem",
    "checked_sub",
    "count_ones",
    "count_zeros",
    "div_ceil",
    "ilog",
    "ilog10",
    "ilog2",
    "is_multiple_of",
    "is_negative",
    "is_positive",
    "is_power_of_two",
    "isqrt",
    "leading_zeros",
    "next_multiple_of",
    "next_power_of_two",
    "overflowing_add",
    "overflowing_mul",
    "overflowing_sub",
    "saturating_add",
    "saturating_mul",
    "saturating_pow",
    "saturating_sub",
    "trailing_zeros",
    "unsigned_abs",
    "wrapping_add",
    "wrapping_mul",
    "wrapping_neg",
    "wrapping_pow",
    "wrapping_shl",
    "wrapping_shr",
    "wrapping_sub",
];

/// Whether a method is one of integers alone: see [`INTEGER`].
///
/// ```
/// assert!(cotangent_rules::is_of_integers("saturating_sub"));
/// assert!(!cotangent_rules::is_of_integers("powi"));
/// ```
pub fn is_of_integers(name: &str) -> bool {
    INTEGER.contains(&name)
}

/// Whether the method's result carries no derivative: see [`ZERO`] and [`INTEGER`].
///
/// ```
/// assert!(cotangent_rules::is_zero("div_euclid"));
/// assert!(cotangent_rules::is_zero("saturating_sub"));
/// assert!(!cotangent_rules::is_zero("rem_euclid"));
/// ```
pub fn is_zero(name: &str) -> bool {
    ZERO.contains(&name) || is_of_integers(name)
}
