//! Rules of methods that call a function for each entry, and of what writes all entries.

use alloc::vec::Vec;

use ndarray_0_17::{Array, Dimension};

use super::entries::fitted;
use crate::each;
use crate::rules::TangentOf;
use crate::{Differentiable, Float, Tangent};

/// Functions of each entry, with what they capture.
#[doc(hidden)]
pub trait Functions<F: Float>: Sized {
    /// `mapv`, `y[i] = f(x[i])`: `x̄[i] += f'(x[i]) ȳ[i]`.
    fn __mapv_vjp_needs_differentiate_or_primitive_or_zero_adjoint<S, P, V, B, J>(
        &self,
        state: S,
        _: P,
        vjp: V,
        _: J,
    ) -> (Self, impl FnOnce(&Self, &mut Self, Self) -> (TangentOf<S>,) + use<Self, F, S, P, V, B, J>)
    where
        S: Differentiable,
        P: Fn(&S, F) -> F,
        V: Fn(&S, F) -> (F, B),
        B: FnOnce(&S, &mut TangentOf<S>, F) -> (F,),
        J: Fn(&S, &TangentOf<S>, F, F) -> (F, F);

    fn __mapv_jvp_needs_differentiate_or_primitive_or_zero_adjoint<S, P, V, B, J>(
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
        P: Fn(&S, F) -> F,
        V: Fn(&S, F) -> (F, B),
        B: FnOnce(&S, &mut TangentOf<S>, F) -> (F,),
        J: Fn(&S, &TangentOf<S>, F, F) -> (F, F);
}

impl<F: Float, D: Dimension> Functions<F> for Array<F, D> {
    fn __mapv_vjp_needs_differentiate_or_primitive_or_zero_adjoint<S, P, V, B, J>(
        &self,
        state: S,
        _: P,
        vjp: V,
        _: J,
    ) -> (Self, impl FnOnce(&Self, &mut Self, Self) -> (TangentOf<S>,) + use<F, D, S, P, V, B, J>)
    where
        S: Differentiable,
        P: Fn(&S, F) -> F,
        V: Fn(&S, F) -> (F, B),
        B: FnOnce(&S, &mut TangentOf<S>, F) -> (F,),
        J: Fn(&S, &TangentOf<S>, F, F) -> (F, F),
    {
        let mut y = self.clone();
        let pullbacks = each::vjp(&state, &vjp, y.iter_mut());
        let back = move |_: &Self, x_bar: &mut Self, bar: Self| {
            let shadows: Vec<(&mut F, F)> = x_bar.iter_mut().zip(bar.iter().copied()).collect();
            (each::pull(&state, pullbacks, shadows.into_iter()),)
        };
        (y, back)
    }

    fn __mapv_jvp_needs_differentiate_or_primitive_or_zero_adjoint<S, P, V, B, J>(
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
        P: Fn(&S, F) -> F,
        V: Fn(&S, F) -> (F, B),
        B: FnOnce(&S, &mut TangentOf<S>, F) -> (F,),
        J: Fn(&S, &TangentOf<S>, F, F) -> (F, F),
    {
        let (mut y, mut y_dot) = (self.clone(), dot.clone());
        each::jvp((&state, &state_dot), &jvp, y.iter_mut().zip(y_dot.iter_mut()));
        (y, y_dot)
    }
}

/// Arrays that take the entries of another.
#[doc(hidden)]
pub trait Assigned: Sized {
    /// `assign`, `x = b`, with axes of one entry repeated: `b̄ += x̄`, and of what was there before nothing is left.
    fn __assign_vjp_needs_differentiate_or_primitive_or_zero_adjoint(
        &mut self,
        b: &Self,
    ) -> ((), impl FnOnce(&mut Self, &mut Self, &Self, &mut Self, ()) + use<Self>);

    fn __assign_jvp_needs_differentiate_or_primitive_or_zero_adjoint(
        &mut self,
        dot: &mut Self,
        b: &Self,
        b_dot: &Self,
    ) -> ((), ());
}

impl<F: Float, D: Dimension> Assigned for Array<F, D> {
    fn __assign_vjp_needs_differentiate_or_primitive_or_zero_adjoint(
        &mut self,
        b: &Self,
    ) -> ((), impl FnOnce(&mut Self, &mut Self, &Self, &mut Self, ()) + use<F, D>) {
        let before = self.clone();
        self.assign(b);
        let back = move |x: &mut Self, x_bar: &mut Self, b: &Self, b_bar: &mut Self, (): ()| {
            x.assign(&before);
            let bar = x_bar.clone();
            x_bar.fill(F::zero());
            b_bar.accumulate(fitted(bar, b));
        };
        ((), back)
    }

    fn __assign_jvp_needs_differentiate_or_primitive_or_zero_adjoint(
        &mut self,
        dot: &mut Self,
        b: &Self,
        b_dot: &Self,
    ) -> ((), ()) {
        self.assign(b);
        dot.assign(b_dot);
        ((), ())
    }
}
