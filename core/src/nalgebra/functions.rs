//! Rules of methods that call a function for each entry. Entries are taken column by column, as `nalgebra` does.
//!
//! The function is one of floats, and what it captures is differentiated by, too. In formulas `f'` is its derivative.

use alloc::vec::Vec;

use super::entries::Entries;
use crate::each;
use crate::rules::TangentOf;
use crate::{Differentiable, Float};

/// What `nalgebra` says of matrices of different sizes.
const MISMATCH: &str = "Matrix simultaneous traversal error: dimension mismatch.";

/// Methods of matrices that take functions.
///
/// | method | value | adjoint |
/// |---|---|---|
/// | `x.map(f)` | `y[i] = f(x[i])` | `x̄[i] += f'(x[i]) ȳ[i]` |
/// | `x.zip_map(&b, f)` | `y[i] = f(x[i], b[i])`, of matrices of the same sizes | `x̄[i]` and `b̄[i]` likewise |
/// | `x.fold(init, f)` | `a = f(.. f(f(init, x[0]), x[1]) ..)` | of the calls, the last one first |
///
/// Derivative code does not see types. `x.map(f)` is this one where what is written shows that `x` is a matrix: the type
/// of a parameter or of a `let`, a constructor, an operator, or a method of a matrix. Else it is taken for that of an
/// `Option`, which rustc says at its name; then a type helps, `let x: Vector3<f64> = ..;`, or the call by the type's name,
/// `Vector3::map(&x, f)`.
///
/// ```
/// # use nalgebra_0_35 as nalgebra;
/// use cotangent::differentiate;
/// use cotangent::nalgebra::*;
/// use nalgebra::Vector2;
///
/// #[differentiate]
/// fn misfit(x: &Vector2<f64>, y: &Vector2<f64>, rate: f64) -> f64 {
///     x.zip_map(y, |x, y| (y - rate * x).powi(2)).sum()
/// }
///
/// let (x, y) = (Vector2::new(1.0, 2.0), Vector2::new(3.0, 4.0));
/// assert_eq!(misfit::gradient(&x, &y, 1.0), (Vector2::new(-4.0, -4.0), Vector2::new(4.0, 4.0), -12.0));
/// ```
pub trait Functions<T: Float>: Entries<T> {
    #[doc(hidden)]
    fn __map_vjp_needs_differentiate_or_primitive_or_zero_adjoint<S, P, V, B, J>(
        &self,
        state: S,
        _: P,
        vjp: V,
        _: J,
    ) -> (Self, impl FnOnce(&Self, &mut Self, Self) -> (TangentOf<S>,) + use<Self, T, S, P, V, B, J>)
    where
        S: Differentiable,
        P: Fn(&S, T) -> T,
        V: Fn(&S, T) -> (T, B),
        B: FnOnce(&S, &mut TangentOf<S>, T) -> (T,),
        J: Fn(&S, &TangentOf<S>, T, T) -> (T, T),
    {
        let mut y = self.clone();
        let pullbacks = each::vjp(&state, &vjp, y.entries_mut().iter_mut());
        let back = move |_: &Self, x_bar: &mut Self, bar: Self| {
            let shadows = x_bar.entries_mut().iter_mut().zip(bar.entries().iter().copied());
            (each::pull(&state, pullbacks, shadows),)
        };
        (y, back)
    }

    #[doc(hidden)]
    fn __map_jvp_needs_differentiate_or_primitive_or_zero_adjoint<S, P, V, B, J>(
        &self,
        dot: &Self,
        state: S,
        _: P,
        _: V,
        jvp: J,
        state_dot: TangentOf<S>,
    ) -> (Self, Self)
    where
        S: Differentiable,
        P: Fn(&S, T) -> T,
        V: Fn(&S, T) -> (T, B),
        B: FnOnce(&S, &mut TangentOf<S>, T) -> (T,),
        J: Fn(&S, &TangentOf<S>, T, T) -> (T, T),
    {
        let (mut y, mut y_dot) = (self.clone(), dot.clone());
        let entries = y.entries_mut().iter_mut().zip(y_dot.entries_mut());
        each::jvp((&state, &state_dot), &jvp, entries);
        (y, y_dot)
    }

    #[doc(hidden)]
    fn __zip_map_vjp_needs_differentiate_or_primitive_or_zero_adjoint<S, P, V, B, J>(
        &self,
        b: &Self,
        state: S,
        _: P,
        vjp: V,
        _: J,
    ) -> (
        Self,
        impl FnOnce(&Self, &mut Self, &Self, &mut Self, Self) -> (TangentOf<S>,)
        + use<Self, T, S, P, V, B, J>,
    )
    where
        S: Differentiable,
        P: Fn(&S, T, T) -> T,
        V: Fn(&S, T, T) -> (T, B),
        B: FnOnce(&S, &mut TangentOf<S>, T) -> (T, T),
        J: Fn(&S, &TangentOf<S>, T, T, T, T) -> (T, T),
    {
        assert_eq!(self.sizes(), b.sizes(), "{MISMATCH}");
        let (mut y, mut pullbacks) = (self.clone(), Vec::with_capacity(self.entries().len()));
        for (entry, &b) in y.entries_mut().iter_mut().zip(b.entries()) {
            let (value, pullback) = vjp(&state, *entry, b);
            *entry = value;
            pullbacks.push(pullback);
        }
        let back = move |_: &Self, x_bar: &mut Self, _: &Self, b_bar: &mut Self, bar: Self| {
            let mut state_bar = state.zero_tangent();
            let shadows = x_bar.entries_mut().iter_mut().zip(b_bar.entries_mut());
            let calls = pullbacks.into_iter().zip(shadows.zip(bar.entries()));
            for (pullback, ((x_bar, b_bar), &bar)) in calls.rev() {
                let (by_x, by_b) = pullback(&state, &mut state_bar, bar);
                *x_bar += by_x;
                *b_bar += by_b;
            }
            (state_bar,)
        };
        (y, back)
    }

    #[doc(hidden)]
    #[allow(
        clippy::too_many_arguments,
        reason = "each of the three operands is followed by its tangent"
    )]
    fn __zip_map_jvp_needs_differentiate_or_primitive_or_zero_adjoint<S, P, V, B, J>(
        &self,
        dot: &Self,
        b: &Self,
        b_dot: &Self,
        state: S,
        _: P,
        _: V,
        jvp: J,
        state_dot: TangentOf<S>,
    ) -> (Self, Self)
    where
        S: Differentiable,
        P: Fn(&S, T, T) -> T,
        V: Fn(&S, T, T) -> (T, B),
        B: FnOnce(&S, &mut TangentOf<S>, T) -> (T, T),
        J: Fn(&S, &TangentOf<S>, T, T, T, T) -> (T, T),
    {
        assert_eq!(self.sizes(), b.sizes(), "{MISMATCH}");
        let (mut y, mut y_dot) = (self.clone(), dot.clone());
        let entries = y.entries_mut().iter_mut().zip(y_dot.entries_mut());
        let others = b.entries().iter().zip(b_dot.entries());
        for ((entry, dot), (&b, &b_dot)) in entries.zip(others) {
            (*entry, *dot) = jvp(&state, &state_dot, *entry, *dot, b, b_dot);
        }
        (y, y_dot)
    }

    #[doc(hidden)]
    fn __fold_vjp_needs_differentiate_or_primitive_or_zero_adjoint<A, S, P, V, B, J>(
        &self,
        init: A,
        state: S,
        _: P,
        vjp: V,
        _: J,
    ) -> (
        A,
        impl FnOnce(&Self, &mut Self, TangentOf<A>) -> (TangentOf<A>, TangentOf<S>)
        + use<Self, T, A, S, P, V, B, J>,
    )
    where
        A: Differentiable,
        S: Differentiable,
        P: Fn(&S, A, T) -> A,
        V: Fn(&S, A, T) -> (A, B),
        B: FnOnce(&S, &mut TangentOf<S>, TangentOf<A>) -> (TangentOf<A>, T),
        J: Fn(&S, &TangentOf<S>, A, TangentOf<A>, T, T) -> (A, TangentOf<A>),
    {
        let mut pullbacks = Vec::with_capacity(self.entries().len());
        let value = self.entries().iter().fold(init, |value, &entry| {
            let (value, pullback) = vjp(&state, value, entry);
            pullbacks.push(pullback);
            value
        });
        let back = move |_: &Self, x_bar: &mut Self, mut bar: TangentOf<A>| {
            let mut state_bar = state.zero_tangent();
            let calls = pullbacks.into_iter().zip(x_bar.entries_mut());
            for (pullback, x_bar) in calls.rev() {
                let (before, by_entry) = pullback(&state, &mut state_bar, bar);
                bar = before;
                *x_bar += by_entry;
            }
            (bar, state_bar)
        };
        (value, back)
    }

    #[doc(hidden)]
    #[allow(
        clippy::too_many_arguments,
        reason = "each of the three operands is followed by its tangent"
    )]
    fn __fold_jvp_needs_differentiate_or_primitive_or_zero_adjoint<A, S, P, V, B, J>(
        &self,
        dot: &Self,
        init: A,
        init_dot: TangentOf<A>,
        state: S,
        _: P,
        _: V,
        jvp: J,
        state_dot: TangentOf<S>,
    ) -> (A, TangentOf<A>)
    where
        A: Differentiable,
        S: Differentiable,
        P: Fn(&S, A, T) -> A,
        V: Fn(&S, A, T) -> (A, B),
        B: FnOnce(&S, &mut TangentOf<S>, TangentOf<A>) -> (TangentOf<A>, T),
        J: Fn(&S, &TangentOf<S>, A, TangentOf<A>, T, T) -> (A, TangentOf<A>),
    {
        let entries = self.entries().iter().zip(dot.entries());
        entries.fold((init, init_dot), |(value, value_dot), (&entry, &dot)| {
            jvp(&state, &state_dot, value, value_dot, entry, dot)
        })
    }
}

impl<T: Float, M: Entries<T>> Functions<T> for M {}
