//! Dual numbers: a value with its tangents, with which code that is generic over `num_traits::Float` is run.
//!
//! **In:** values with their tangents, by one of the constructors. **Out:** what a function makes of them, which has
//! its value and its tangents side by side: vector forward mode by operator overloading.
//!
//! **Invariants:** values are what `f64` gives, bit for bit; partial derivatives are those of the rule table; a tangent
//! of zero stays zero, however infinite a partial derivative is; a derivative is never lost without a panic, but by what
//! the rule table says has none.
//!
//! **Source:** A. Griewank and A. Walther, "Evaluating Derivatives", 2nd edition, SIAM 2008, section 3.1.

mod conversions;
mod float;
mod functions;
pub mod lift;
mod operators;

use core::cmp::Ordering;
use core::fmt;

/// A number and `N` tangents, with the arithmetic and the functions of `f64`: `num_traits::Float` and the traits
/// beside it.
///
/// `#[primitive(of = path, dual)]` runs a generic function of another crate with it, and needs nothing of what follows:
/// see [`guide::rules`](crate::guide::rules). By hand, the tangents of the arguments are chosen, and those of the result
/// are read:
///
/// ```
/// use cotangent::Dual;
/// use cotangent::num_traits::Float;
///
/// /// A function of another crate.
/// fn energy<T: Float>(mass: T, speed: T) -> T {
///     mass * speed * speed / (T::one() + T::one())
/// }
///
/// let energy = energy(Dual::variable(2.0, 0), Dual::variable(3.0, 1));
/// assert_eq!((energy.value, energy.tangents), (9.0, [4.5, 6.0]));
/// ```
///
/// - Comparisons, `is_nan` and the like look at the value alone. Where values are equal, tangents may differ.
/// - `floor`, `ceil`, `round`, `trunc` and `signum` have derivatives of zero, and so have the integers of `to_i32` and the
///   like. Corners are those of the rule table, which is in the docs of `cotangent-rules`.
/// - A tangent of zero stays zero where a partial derivative is infinite: `Dual::constant(0.0).sqrt()` has none.
///
/// # Panics
///
/// `to_f64`, `to_f32` and `integer_decode` of a number with a tangent other than zero: the derivative would be lost. So does
/// `num_traits::cast` between types of floats.
///
/// ```should_panic
/// use cotangent::Dual;
/// use cotangent::num_traits::ToPrimitive;
///
/// let _ = Dual::<1>::variable(1.5, 0).to_f64();
/// ```
#[derive(Clone, Copy)]
pub struct Dual<const N: usize> {
    /// The number itself.
    pub value: f64,
    /// Its tangents: the derivative of the value along each of `N` directions.
    pub tangents: [f64; N],
}

impl<const N: usize> Dual<N> {
    /// A number with tangents.
    ///
    /// ```
    /// use cotangent::Dual;
    ///
    /// let area = Dual::new(2.0, [1.0, 0.0]) * Dual::new(3.0, [0.0, 1.0]);
    /// assert_eq!(area.tangents, [3.0, 2.0]);
    /// ```
    #[inline]
    #[must_use]
    pub const fn new(value: f64, tangents: [f64; N]) -> Self {
        Dual { value, tangents }
    }

    /// A number that does not vary: its tangents are zero.
    ///
    /// ```
    /// use cotangent::Dual;
    ///
    /// assert_eq!(Dual::<2>::constant(3.0).tangents, [0.0, 0.0]);
    /// ```
    #[inline]
    #[must_use]
    pub const fn constant(value: f64) -> Self {
        Dual { value, tangents: [0.0; N] }
    }

    /// The variable by which tangent number `index` is the derivative.
    ///
    /// # Panics
    ///
    /// When there are not more than `index` tangents.
    ///
    /// ```
    /// use cotangent::Dual;
    ///
    /// assert_eq!(Dual::variable(3.0, 1).tangents, [0.0, 1.0]);
    /// ```
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn variable(value: f64, index: usize) -> Self {
        let mut variable = Self::constant(value);
        variable.tangents[index] = 1.0;
        variable
    }

    /// Whether all tangents are zero.
    fn is_constant(&self) -> bool {
        self.tangents.iter().all(|tangent| *tangent == 0.0)
    }

    /// Returns the value, for a method that loses the derivative.
    ///
    /// # Panics
    ///
    /// When there is a derivative to lose.
    #[track_caller]
    fn value_alone(&self, method: &str) -> f64 {
        assert!(
            self.is_constant(),
            "`{method}` of {self} loses the derivative: compute with the number itself, or take its `value`"
        );
        self.value
    }
}

/// Zero.
impl<const N: usize> Default for Dual<N> {
    #[inline]
    fn default() -> Self {
        Self::constant(0.0)
    }
}

/// By value.
impl<const N: usize> PartialEq for Dual<N> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

/// By value.
impl<const N: usize> PartialEq<f64> for Dual<N> {
    #[inline]
    fn eq(&self, other: &f64) -> bool {
        self.value == *other
    }
}

/// By value.
impl<const N: usize> PartialOrd for Dual<N> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.value.partial_cmp(&other.value)
    }
}

/// By value.
impl<const N: usize> PartialOrd<f64> for Dual<N> {
    #[inline]
    fn partial_cmp(&self, other: &f64) -> Option<Ordering> {
        self.value.partial_cmp(other)
    }
}

/// Formats as a sum, `2.5 + [1, 0]ε`, with the same format for each number.
macro_rules! formats {
    ($($trait:ident)*) => {$(
        impl<const N: usize> fmt::$trait for Dual<N> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::$trait::fmt(&self.value, f)?;
                f.write_str(" + [")?;
                for (index, tangent) in self.tangents.iter().enumerate() {
                    f.write_str(if index == 0 { "" } else { ", " })?;
                    fmt::$trait::fmt(tangent, f)?;
                }
                f.write_str("]ε")
            }
        }
    )*};
}

formats!(Debug Display LowerExp UpperExp);

#[cfg(test)]
mod tests;
