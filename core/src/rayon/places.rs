//! Pieces of a place that is written to.

use super::{NoTangent, TangentOf, in_columns, room, total, zeros};
use crate::differentiable::Differentiable;
use alloc::vec::Vec;
use rayon_1::prelude::*;

/// Calls `f(start, piece)` for pieces of `place` in parallel, where each piece begins at a multiple of `unit`, and
/// `start` says at the how many-th. The results are in order.
///
/// Its derivatives are those of the calls, and run in parallel like them.
///
/// # Panics
///
/// When `unit` is zero.
///
/// ```
/// let mut place = vec![0.0; 100];
/// cotangent::rayon::pieces_mut(&mut place, 10, |start, piece| {
///     for (row, values) in piece.chunks_mut(10).enumerate() {
///         values.fill((start + row) as f64);
///     }
/// });
/// assert_eq!((place[9], place[10], place[99]), (0.0, 1.0, 9.0));
/// ```
pub fn pieces_mut<E: Send, T: Send>(
    place: &mut [E],
    unit: usize,
    f: impl Fn(usize, &mut [E]) -> T + Sync,
) -> Vec<T> {
    let room = room(place.len(), unit);
    let pieces = place.par_chunks_mut(room).enumerate();
    pieces.map(|(piece, values)| f(piece * (room / unit), values)).collect()
}

/// Derivatives of [`pieces_mut`](fn@pieces_mut).
#[doc(hidden)]
#[allow(non_camel_case_types, missing_debug_implementations)]
pub enum pieces_mut {}

#[doc(hidden)]
#[allow(missing_docs, clippy::type_complexity, clippy::too_many_arguments)]
impl pieces_mut {
    pub const __IS_BATCHED: bool = false;

    pub fn __vjp<E, S, P, V, B, J, T>(
        place: &mut [E],
        unit: usize,
        state: S,
        _: P,
        vjp: V,
        _: J,
    ) -> (
        Vec<T>,
        impl FnOnce(&mut [E], &mut [TangentOf<E>], Vec<TangentOf<T>>) -> (NoTangent, TangentOf<S>)
        + use<E, S, P, V, B, J, T>,
    )
    where
        E: Differentiable<Tangent: Send> + Send,
        S: Differentiable<Tangent: Send> + Sync,
        T: Differentiable<Tangent: Send> + Send,
        P: Fn(&S, usize, &mut [E]) -> T,
        V: Fn(&S, usize, &mut [E]) -> (T, B) + Sync,
        B: FnOnce(
                &S,
                &mut TangentOf<S>,
                &mut [E],
                &mut [TangentOf<E>],
                TangentOf<T>,
            ) -> (NoTangent,)
            + Send,
        J: Fn(
            &S,
            &TangentOf<S>,
            usize,
            NoTangent,
            &mut [E],
            &mut [TangentOf<E>],
        ) -> (T, TangentOf<T>),
    {
        let room = room(place.len(), unit);
        let pieces = place.par_chunks_mut(room).enumerate();
        let (values, pullbacks): (Vec<T>, Vec<B>) =
            pieces.map(|(piece, values)| vjp(&state, piece * (room / unit), values)).unzip();
        let pullback = move |place: &mut [E],
                             place_bar: &mut [TangentOf<E>],
                             seeds: Vec<TangentOf<T>>| {
            let pieces = place.par_chunks_mut(room).zip(place_bar.par_chunks_mut(room));
            let pullbacks = pullbacks.into_par_iter().zip(seeds);
            let pulled = pieces.zip(pullbacks).map(|((values, values_bar), (pullback, seed))| {
                let mut shadow = state.zero_tangent();
                pullback(&state, &mut shadow, values, values_bar, seed);
                shadow
            });
            (NoTangent, total(pulled.collect()).unwrap_or_else(|| state.zero_tangent()))
        };
        (values, pullback)
    }

    pub fn __jvp<E, S, P, V, B, J, T>(
        place: &mut [E],
        place_dot: &mut [TangentOf<E>],
        unit: usize,
        _: NoTangent,
        state: S,
        _: P,
        _: V,
        jvp: J,
        state_dot: TangentOf<S>,
    ) -> (Vec<T>, Vec<TangentOf<T>>)
    where
        E: Differentiable<Tangent: Send> + Send,
        S: Differentiable<Tangent: Sync> + Sync,
        T: Differentiable<Tangent: Send> + Send,
        P: Fn(&S, usize, &mut [E]) -> T,
        V: Fn(&S, usize, &mut [E]) -> (T, B),
        B: FnOnce(
            &S,
            &mut TangentOf<S>,
            &mut [E],
            &mut [TangentOf<E>],
            TangentOf<T>,
        ) -> (NoTangent,),
        J: Fn(
                &S,
                &TangentOf<S>,
                usize,
                NoTangent,
                &mut [E],
                &mut [TangentOf<E>],
            ) -> (T, TangentOf<T>)
            + Sync,
    {
        let room = room(place.len(), unit);
        let pieces = place.par_chunks_mut(room).zip(place_dot.par_chunks_mut(room)).enumerate();
        let pushed = |(piece, (values, dots))| {
            jvp(&state, &state_dot, piece * (room / unit), NoTangent, values, dots)
        };
        pieces.map(pushed).unzip()
    }

    pub fn __jvp_over_vjp_needs_another_differentiate<E, S, P, V, B, J, T>(
        place: &mut [E],
        place_dot: &mut [TangentOf<E>],
        unit: usize,
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
            &mut [E],
            &mut [TangentOf<E>],
            &mut [TangentOf<E>],
            &mut [TangentOf<E>],
            Vec<TangentOf<T>>,
            Vec<TangentOf<T>>,
        ) -> (NoTangent, NoTangent, TangentOf<S>, TangentOf<S>)
        + use<E, S, P, V, B, J, T>,
    )
    where
        E: Differentiable<Tangent: Send> + Send,
        S: Differentiable<Tangent: Send + Sync> + Sync,
        T: Differentiable<Tangent: Send> + Send,
        P: Fn(&S, usize, &mut [E]) -> T,
        V: Fn(
                &S,
                &TangentOf<S>,
                usize,
                NoTangent,
                &mut [E],
                &mut [TangentOf<E>],
            ) -> (T, TangentOf<T>, B)
            + Sync,
        B: FnOnce(
                &S,
                &TangentOf<S>,
                &mut TangentOf<S>,
                &mut TangentOf<S>,
                &mut [E],
                &mut [TangentOf<E>],
                &mut [TangentOf<E>],
                &mut [TangentOf<E>],
                TangentOf<T>,
                TangentOf<T>,
            ) -> (NoTangent, NoTangent)
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
            &mut [E],
            &mut [TangentOf<E>],
            &mut [TangentOf<E>],
            &mut [TangentOf<E>],
        ) -> (T, TangentOf<T>, TangentOf<T>, TangentOf<T>),
    {
        let room = room(place.len(), unit);
        let pieces = place.par_chunks_mut(room).zip(place_dot.par_chunks_mut(room)).enumerate();
        let made = pieces.map(|(piece, (values, dots))| {
            vjp(&state, &state_dot, piece * (room / unit), NoTangent, values, dots)
        });
        let ((values, dots), pullbacks): ((Vec<T>, Vec<TangentOf<T>>), Vec<B>) =
            made.map(|(value, dot, pullback)| ((value, dot), pullback)).collect();
        let pullback = move |place: &mut [E],
                             place_dot: &mut [TangentOf<E>],
                             bar: &mut [TangentOf<E>],
                             bar_dot: &mut [TangentOf<E>],
                             seeds: Vec<TangentOf<T>>,
                             seed_dots: Vec<TangentOf<T>>| {
            let pieces = place.par_chunks_mut(room).zip(place_dot.par_chunks_mut(room));
            let shadows = bar.par_chunks_mut(room).zip(bar_dot.par_chunks_mut(room));
            let seeds = seeds.into_par_iter().zip(seed_dots);
            let all = pieces.zip(shadows).zip(pullbacks.into_par_iter().zip(seeds));
            let pulled =
                all.map(|(((value, dot), (bar, bar_dot)), (pullback, (seed, seed_dot)))| {
                    let mut own = zeros(&state);
                    let (shadow, shadow_dot) = (&mut own.0, &mut own.1);
                    pullback(
                        &state, &state_dot, shadow, shadow_dot, value, dot, bar, bar_dot, seed,
                        seed_dot,
                    );
                    own
                });
            let (bar, bar_dot) = total(pulled.collect()).unwrap_or_else(|| zeros(&state));
            (NoTangent, NoTangent, bar, bar_dot)
        };
        (values, dots, pullback)
    }

    pub fn __jvp_over_jvp_needs_another_differentiate<E, S, P, V, B, J, T>(
        place: &mut [E],
        first_dot: &mut [TangentOf<E>],
        second_dot: &mut [TangentOf<E>],
        third_dot: &mut [TangentOf<E>],
        unit: usize,
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
        E: Differentiable<Tangent: Send> + Send,
        S: Differentiable<Tangent: Sync> + Sync,
        T: Differentiable<Tangent: Send> + Send,
        P: Fn(&S, usize, &mut [E]) -> T,
        V: Fn(
            &S,
            &TangentOf<S>,
            usize,
            NoTangent,
            &mut [E],
            &mut [TangentOf<E>],
        ) -> (T, TangentOf<T>, B),
        B: FnOnce(
            &S,
            &TangentOf<S>,
            &mut TangentOf<S>,
            &mut TangentOf<S>,
            &mut [E],
            &mut [TangentOf<E>],
            &mut [TangentOf<E>],
            &mut [TangentOf<E>],
            TangentOf<T>,
            TangentOf<T>,
        ) -> (NoTangent, NoTangent),
        J: Fn(
                &S,
                &TangentOf<S>,
                &TangentOf<S>,
                &TangentOf<S>,
                usize,
                NoTangent,
                NoTangent,
                NoTangent,
                &mut [E],
                &mut [TangentOf<E>],
                &mut [TangentOf<E>],
                &mut [TangentOf<E>],
            ) -> (T, TangentOf<T>, TangentOf<T>, TangentOf<T>)
            + Sync,
    {
        let (room, n) = (room(place.len(), unit), NoTangent);
        let pieces = place.par_chunks_mut(room).zip(first_dot.par_chunks_mut(room));
        let more = second_dot.par_chunks_mut(room).zip(third_dot.par_chunks_mut(room));
        let pushed = |(piece, ((values, a), (b, c)))| {
            let start = piece * (room / unit);
            jvp(&state, &first, &second, &third, start, n, n, n, values, a, b, c)
        };
        in_columns(pieces.zip(more).enumerate().map(pushed))
    }
}
