//! Values of pieces of a range.

use super::{NoTangent, TangentOf, bounds, in_columns, total, zeros};
use crate::differentiable::Differentiable;
use alloc::vec::Vec;
use rayon_1::prelude::*;

/// Calls `f(start, end)` for pieces of `0..len`, and has the results in order.
///
/// Its derivatives are those of the calls, and run in parallel like them.
///
/// ```
/// let sums = cotangent::rayon::pieces(1000, |start, end| (start..end).sum::<usize>());
/// assert_eq!(sums.iter().sum::<usize>(), 499_500);
/// ```
pub fn pieces<T: Send>(len: usize, f: impl Fn(usize, usize) -> T + Sync) -> Vec<T> {
    bounds(len).map(|(start, end)| f(start, end)).collect()
}

/// Derivatives of [`pieces`](fn@pieces).
#[doc(hidden)]
#[allow(non_camel_case_types, missing_debug_implementations)]
pub enum pieces {}

#[doc(hidden)]
#[allow(missing_docs, clippy::type_complexity, clippy::too_many_arguments)]
impl pieces {
    pub const __IS_BATCHED: bool = false;

    pub fn __vjp<S, P, V, B, J, T>(
        len: usize,
        state: S,
        _: P,
        vjp: V,
        _: J,
    ) -> (Vec<T>, impl FnOnce(Vec<TangentOf<T>>) -> (NoTangent, TangentOf<S>) + use<S, P, V, B, J, T>)
    where
        S: Differentiable<Tangent: Send> + Sync,
        T: Differentiable<Tangent: Send> + Send,
        P: Fn(&S, usize, usize) -> T,
        V: Fn(&S, usize, usize) -> (T, B) + Sync,
        B: FnOnce(&S, &mut TangentOf<S>, TangentOf<T>) -> (NoTangent, NoTangent) + Send,
        J: Fn(&S, &TangentOf<S>, usize, NoTangent, usize, NoTangent) -> (T, TangentOf<T>),
    {
        let made = bounds(len).map(|(start, end)| vjp(&state, start, end));
        let (values, pullbacks): (Vec<T>, Vec<B>) = made.unzip();
        let pullback = move |seeds: Vec<TangentOf<T>>| {
            let pulled = pullbacks.into_par_iter().zip(seeds).map(|(pullback, seed)| {
                let mut shadow = state.zero_tangent();
                pullback(&state, &mut shadow, seed);
                shadow
            });
            (NoTangent, total(pulled.collect()).unwrap_or_else(|| state.zero_tangent()))
        };
        (values, pullback)
    }

    pub fn __jvp<S, P, V, B, J, T>(
        len: usize,
        _: NoTangent,
        state: S,
        _: P,
        _: V,
        jvp: J,
        state_dot: TangentOf<S>,
    ) -> (Vec<T>, Vec<TangentOf<T>>)
    where
        S: Differentiable<Tangent: Sync> + Sync,
        T: Differentiable<Tangent: Send> + Send,
        P: Fn(&S, usize, usize) -> T,
        V: Fn(&S, usize, usize) -> (T, B),
        B: FnOnce(&S, &mut TangentOf<S>, TangentOf<T>) -> (NoTangent, NoTangent),
        J: Fn(&S, &TangentOf<S>, usize, NoTangent, usize, NoTangent) -> (T, TangentOf<T>) + Sync,
    {
        let pushed = |(start, end)| jvp(&state, &state_dot, start, NoTangent, end, NoTangent);
        bounds(len).map(pushed).unzip()
    }

    pub fn __jvp_over_vjp_needs_another_differentiate<S, P, V, B, J, T>(
        len: usize,
        _: NoTangent,
        state: S,
        _: P,
        vjp: V,
        _: J,
        state_dot: TangentOf<S>,
    ) -> (
        Vec<T>,
        Vec<TangentOf<T>>,
        impl FnOnce(
            Vec<TangentOf<T>>,
            Vec<TangentOf<T>>,
        ) -> (NoTangent, NoTangent, TangentOf<S>, TangentOf<S>)
        + use<S, P, V, B, J, T>,
    )
    where
        S: Differentiable<Tangent: Send + Sync> + Sync,
        T: Differentiable<Tangent: Send> + Send,
        P: Fn(&S, usize, usize) -> T,
        V: Fn(&S, &TangentOf<S>, usize, NoTangent, usize, NoTangent) -> (T, TangentOf<T>, B) + Sync,
        B: FnOnce(
                &S,
                &TangentOf<S>,
                &mut TangentOf<S>,
                &mut TangentOf<S>,
                TangentOf<T>,
                TangentOf<T>,
            ) -> (NoTangent, NoTangent, NoTangent, NoTangent)
            + Send,
        J: Fn(
            &S,
            &TangentOf<S>,
            &TangentOf<S>,
            &TangentOf<S>,
            usize,
            NoTangent,
            NoTangent,
            NoTangent,
            usize,
            NoTangent,
            NoTangent,
            NoTangent,
        ) -> (T, TangentOf<T>, TangentOf<T>, TangentOf<T>),
    {
        let made = bounds(len)
            .map(|(start, end)| vjp(&state, &state_dot, start, NoTangent, end, NoTangent));
        let ((values, dots), pullbacks): ((Vec<T>, Vec<TangentOf<T>>), Vec<B>) =
            made.map(|(value, dot, pullback)| ((value, dot), pullback)).collect();
        let pullback = move |seeds: Vec<TangentOf<T>>, seed_dots: Vec<TangentOf<T>>| {
            let seeds = seeds.into_par_iter().zip(seed_dots);
            let pulled = pullbacks.into_par_iter().zip(seeds).map(|(pullback, (seed, dot))| {
                let mut shadows = zeros(&state);
                pullback(&state, &state_dot, &mut shadows.0, &mut shadows.1, seed, dot);
                shadows
            });
            let (bar, bar_dot) = total(pulled.collect()).unwrap_or_else(|| zeros(&state));
            (NoTangent, NoTangent, bar, bar_dot)
        };
        (values, dots, pullback)
    }

    pub fn __jvp_over_jvp_needs_another_differentiate<S, P, V, B, J, T>(
        len: usize,
        _: NoTangent,
        _: NoTangent,
        _: NoTangent,
        state: S,
        _: P,
        _: V,
        jvp: J,
        first: TangentOf<S>,
        second: TangentOf<S>,
        third: TangentOf<S>,
    ) -> (Vec<T>, Vec<TangentOf<T>>, Vec<TangentOf<T>>, Vec<TangentOf<T>>)
    where
        S: Differentiable<Tangent: Sync> + Sync,
        T: Differentiable<Tangent: Send> + Send,
        P: Fn(&S, usize, usize) -> T,
        V: Fn(&S, &TangentOf<S>, usize, NoTangent, usize, NoTangent) -> (T, TangentOf<T>, B),
        B: FnOnce(
            &S,
            &TangentOf<S>,
            &mut TangentOf<S>,
            &mut TangentOf<S>,
            TangentOf<T>,
            TangentOf<T>,
        ) -> (NoTangent, NoTangent, NoTangent, NoTangent),
        J: Fn(
                &S,
                &TangentOf<S>,
                &TangentOf<S>,
                &TangentOf<S>,
                usize,
                NoTangent,
                NoTangent,
                NoTangent,
                usize,
                NoTangent,
                NoTangent,
                NoTangent,
            ) -> (T, TangentOf<T>, TangentOf<T>, TangentOf<T>)
            + Sync,
    {
        let n = NoTangent;
        let pushed =
            |(start, end)| jvp(&state, &first, &second, &third, start, n, n, n, end, n, n, n);
        in_columns(bounds(len).map(pushed))
    }
}
