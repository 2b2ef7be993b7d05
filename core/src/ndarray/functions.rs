//! Rules of methods that call a function for each entry, and of what writes all entries.

use alloc::vec::Vec;

use ndarray_0_17::{Array, Dimension};

use super::entries::fitted;
use super::operators::inner;
use crate::each;
use crate::rules::TangentOf;
use crate::{Differentiable, Float, Tangent as _, differentiate, primitive};

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
#[differentiate]
#[differentiate]
pub trait Assigned {
    /// `assign`, `x = b`, with axes of one entry repeated: `b̄ += x̄`, and of what was there before nothing is left.
    #[differentiate(companion = assign)]
    fn __assign(&mut self, b: &Self);
}

/// Arrays of which each entry takes one value.
#[doc(hidden)]
#[differentiate]
#[differentiate]
pub trait Flooded<F: Float> {
    /// `fill`, `x[i] = v`: `v̄ = Σ x̄[i]`, and of what was there before nothing is left.
    #[differentiate(companion = fill)]
    fn __fill(&mut self, value: F);
}

#[differentiate]
#[differentiate]
impl<F: Float, D: Dimension> Flooded<F> for Array<F, D> {
    #[primitive(vjp = fill_vjp, jvp = fill_jvp, companion = fill)]
    fn __fill(&mut self, value: F) {
        self.fill(value);
    }
}

fn fill_vjp<F: Float, D: Dimension>(
    x: &mut Array<F, D>,
    value: F,
) -> ((), impl FnOnce(&mut Array<F, D>, &mut Array<F, D>, ()) -> F + use<F, D>) {
    let before = x.clone();
    x.fill(value);
    let back = move |x: &mut Array<F, D>, x_bar: &mut Array<F, D>, (): ()| {
        x.assign(&before);
        let bar = x_bar.sum();
        x_bar.fill(F::zero());
        bar
    };
    ((), back)
}

#[differentiate]
fn fill_jvp<F: Float, D: Dimension>(
    x: &mut Array<F, D>,
    x_dot: &mut Array<F, D>,
    value: F,
    value_dot: F,
) -> ((), ()) {
    x.fill(value);
    x_dot.fill(value_dot);
    ((), ())
}

/// Arrays that are added to.
#[doc(hidden)]
#[differentiate]
#[differentiate]
pub trait Scaled<F: Float> {
    /// `scaled_add`, `x += s b`, with axes of one entry repeated: `b̄ += s x̄`, `s̄ = x̄·b`.
    #[differentiate(companion = scaled_add)]
    fn __scaled_add(&mut self, s: F, b: &Self);
}

#[differentiate]
#[differentiate]
impl<F: Float + 'static, D: Dimension> Scaled<F> for Array<F, D> {
    #[primitive(vjp = scaled_add_vjp, jvp = scaled_add_jvp, companion = scaled_add)]
    fn __scaled_add(&mut self, s: F, b: &Self) {
        self.scaled_add(s, b);
    }
}

fn scaled_add_vjp<F: Float + 'static, D: Dimension>(
    x: &mut Array<F, D>,
    s: F,
    b: &Array<F, D>,
) -> (
    (),
    impl FnOnce(&mut Array<F, D>, &mut Array<F, D>, &Array<F, D>, &mut Array<F, D>, ()) -> F + use<F, D>,
) {
    let before = x.clone();
    x.scaled_add(s, b);
    let back = move |x: &mut Array<F, D>,
                     x_bar: &mut Array<F, D>,
                     b: &Array<F, D>,
                     b_bar: &mut Array<F, D>,
                     (): ()| {
        x.assign(&before);
        let bar = fitted(x_bar.clone(), b);
        b_bar.zip_mut_with(&bar, |entry, bar| *entry += s * *bar);
        inner(&bar, b)
    };
    ((), back)
}

#[differentiate]
fn scaled_add_jvp<F: Float + 'static, D: Dimension>(
    x: &mut Array<F, D>,
    x_dot: &mut Array<F, D>,
    s: F,
    s_dot: F,
    b: &Array<F, D>,
    b_dot: &Array<F, D>,
) -> ((), ()) {
    x.scaled_add(s, b);
    x_dot.scaled_add(s, b_dot);
    x_dot.scaled_add(s_dot, b);
    ((), ())
}

#[differentiate]
#[differentiate]
impl<F: Float, D: Dimension> Assigned for Array<F, D> {
    #[primitive(vjp = assign_vjp, jvp = assign_jvp, companion = assign)]
    fn __assign(&mut self, b: &Self) {
        self.assign(b);
    }
}

fn assign_vjp<F: Float, D: Dimension>(
    x: &mut Array<F, D>,
    b: &Array<F, D>,
) -> (
    (),
    impl FnOnce(&mut Array<F, D>, &mut Array<F, D>, &Array<F, D>, &mut Array<F, D>, ()) + use<F, D>,
) {
    let before = x.clone();
    x.assign(b);
    let back = move |x: &mut Array<F, D>,
                     x_bar: &mut Array<F, D>,
                     b: &Array<F, D>,
                     b_bar: &mut Array<F, D>,
                     (): ()| {
        x.assign(&before);
        let bar = x_bar.clone();
        x_bar.fill(F::zero());
        b_bar.accumulate(fitted(bar, b));
    };
    ((), back)
}

#[differentiate]
fn assign_jvp<F: Float, D: Dimension>(
    x: &mut Array<F, D>,
    x_dot: &mut Array<F, D>,
    b: &Array<F, D>,
    b_dot: &Array<F, D>,
) -> ((), ()) {
    x.assign(b);
    x_dot.assign(b_dot);
    ((), ())
}
