//! Functions as values: what stands for a parameter `f: impl Fn(f64) -> f64` in derivative code.
//!
//! In comes what a closure captures, and three functions of that and of the closure's arguments: itself, its
//! pullback and its tangent. Invariant: the functions capture nothing, so that all that can be differentiated
//! is in the state, and a value owns what it needs.

use core::ops::Deref;

use crate::differentiable::Differentiable;
use crate::floats::floats_of_fields;
use crate::visit::Visitor;

/// A function with its derivatives, to be handed to a differentiated function that takes one.
///
/// [`function!`](macro@crate::function) makes it from a function with `#[differentiate]` or from a closure. In a
/// differentiated body nobody needs it: there closures and functions are passed as always.
///
/// ```
/// use cotangent::{differentiate, function};
///
/// #[differentiate]
/// fn midpoint(f: impl Fn(f64) -> f64, a: f64, b: f64) -> f64 {
///     (b - a) * f(0.5 * (a + b))
/// }
///
/// let (a_bar, b_bar) = midpoint::gradient(function!(|x: f64| x * x), 0.0, 2.0);
/// assert_eq!((a_bar, b_bar), (1.0, 3.0));
/// ```
///
/// Second derivatives take it with its own of that order, `function!(f, order = 2)`.
#[derive(Clone, Copy, Debug)]
pub struct Function<S, P, V, J> {
    /// What is captured.
    #[doc(hidden)]
    pub state: S,
    /// The function, of the state and its arguments.
    #[doc(hidden)]
    pub primal: P,
    /// Likewise its value and pullback: of the first order, or of that in whose derivatives it stands.
    #[doc(hidden)]
    pub vjp: V,
    /// Likewise its value and tangent; the state and each argument are followed by their tangents.
    #[doc(hidden)]
    pub jvp: J,
}

/// The state, which derivative code passes to the three functions.
impl<S, P, V, J> Deref for Function<S, P, V, J> {
    type Target = S;

    #[inline(always)]
    fn deref(&self) -> &S {
        &self.state
    }
}

impl<S: Differentiable, P, V, J> Differentiable for Function<S, P, V, J> {
    type Tangent = S::Tangent;

    #[inline(always)]
    fn zero_tangent(&self) -> S::Tangent {
        self.state.zero_tangent()
    }

    #[inline(always)]
    fn conform(&self, tangent: &mut S::Tangent) {
        self.state.conform(tangent);
    }

    #[inline(always)]
    fn conforms(&self, tangent: &S::Tangent, layers: usize) -> bool {
        self.state.conforms(tangent, layers)
    }

    fn perturb(&mut self, direction: &S::Tangent, step: f64) {
        self.state.perturb(direction, step);
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        self.state.visit(visitor);
    }

    floats_of_fields!(state);
}
