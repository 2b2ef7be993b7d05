//! Rules of methods that put what a function has of each entry in its place.

use alloc::vec::Vec;

use ndarray_0_17::{Array, Dimension};

use crate::rules::TangentOf;
use crate::{Differentiable, Float, each};

/// Functions of each entry, with what they capture, whose values take the place of the entries.
#[doc(hidden)]
pub trait InPlace<F: Float>: Sized {
    /// `mapv_inplace`, `x[i] = f(x[i])`: `x̄[i] = f'(x[i]) x̄[i]`.
    fn __mapv_inplace_vjp_needs_differentiate_or_primitive_or_zero_adjoint<S, P, V, B, J>(
        &mut self,
        state: S,
        _: P,
        vjp: V,
        _: J,
    ) -> ((), impl FnOnce(&mut Self, &mut Self, ()) -> (TangentOf<S>,) + use<Self, F, S, P, V, B, J>)
    where
        S: Differentiable,
        P: Fn(&S, F) -> F,
        V: Fn(&S, F) -> (F, B),
        B: FnOnce(&S, &mut TangentOf<S>, F) -> (F,),
        J: Fn(&S, &TangentOf<S>, F, F) -> (F, F);

    fn __mapv_inplace_jvp_needs_differentiate_or_primitive_or_zero_adjoint<S, P, V, B, J>(
        &mut self,
        dot: &mut Self,
        state: S,
        _: P,
        _: V,
        jvp: J,
        state_dot: TangentOf<S>,
    ) -> ((), ())
    where
        S: Differentiable,
        P: Fn(&S, F) -> F,
        V: Fn(&S, F) -> (F, B),
        B: FnOnce(&S, &mut TangentOf<S>, F) -> (F,),
        J: Fn(&S, &TangentOf<S>, F, F) -> (F, F);
}

impl<F: Float, D: Dimension> InPlace<F> for Array<F, D> {
    fn __mapv_inplace_vjp_needs_differentiate_or_primitive_or_zero_adjoint<S, P, V, B, J>(
        &mut self,
        state: S,
        _: P,
        vjp: V,
        _: J,
    ) -> ((), impl FnOnce(&mut Self, &mut Self, ()) -> (TangentOf<S>,) + use<F, D, S, P, V, B, J>)
    where
        S: Differentiable,
        P: Fn(&S, F) -> F,
        V: Fn(&S, F) -> (F, B),
        B: FnOnce(&S, &mut TangentOf<S>, F) -> (F,),
        J: Fn(&S, &TangentOf<S>, F, F) -> (F, F),
    {
        let before = self.clone();
        let pullbacks = each::vjp(&state, &vjp, self.iter_mut());
        let back = move |x: &mut Self, x_bar: &mut Self, (): ()| {
            x.assign(&before);
            let bar = x_bar.clone();
            x_bar.fill(F::zero());
            let shadows: Vec<(&mut F, F)> = x_bar.iter_mut().zip(bar.iter().copied()).collect();
            (each::pull(&state, pullbacks, shadows.into_iter()),)
        };
        ((), back)
    }

    fn __mapv_inplace_jvp_needs_differentiate_or_primitive_or_zero_adjoint<S, P, V, B, J>(
        &mut self,
        dot: &mut Self,
        state: S,
        _: P,
        _: V,
        jvp: J,
        state_dot: TangentOf<S>,
    ) -> ((), ())
    where
        S: Differentiable,
        P: Fn(&S, F) -> F,
        V: Fn(&S, F) -> (F, B),
        B: FnOnce(&S, &mut TangentOf<S>, F) -> (F,),
        J: Fn(&S, &TangentOf<S>, F, F) -> (F, F),
    {
        each::jvp((&state, &state_dot), &jvp, self.iter_mut().zip(dot.iter_mut()));
        ((), ())
    }
}
