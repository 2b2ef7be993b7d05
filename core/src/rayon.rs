//! Work that is shared by threads, with the feature `rayon-1`.
//!
//! In differentiated functions, chains of parallel iterators and `rayon::join` have derivatives that run in
//! parallel, too:
//!
//! ```
//! # use rayon_1 as rayon;
//! use cotangent::differentiate;
//! use rayon::prelude::*;
//!
//! #[differentiate]
//! fn misfit(x: &[f64], y: &[f64], rate: f64) -> f64 {
//!     x.par_iter().zip(y).map(|(x, y)| (y - (-rate * x).exp()).powi(2)).sum()
//! }
//!
//! let (x, y) = ([0.0, 1.0, 2.0], [1.0, 0.5, 0.25]);
//! let (x_bar, _, _) = misfit::gradient(&x, &y, 0.0);
//! assert_eq!(x_bar, [0.0, 0.0, 0.0]);
//! ```
//!
//! In derivatives a chain is one of the functions of this module: what is gone through is taken apart into pieces, a few
//! for each thread, and in each piece the chain is a loop like any other. **Invariant:** what a piece takes from outside it
//! only reads. Each piece has a shadow of its own for that, and these are added at the end, in an order that depends on
//! nothing but the number of pieces. So derivatives are the same in each run with as many threads, and
//! the same within rounding with any other number.
//!
//! What a piece takes from outside is copied once for each call, and has one shadow for each piece, four for each thread.
//! Work that is worth a thread is worth that: it is the cost of a few additions for each float.

use alloc::vec::Vec;
use rayon_1::prelude::*;

use crate::differentiable::Differentiable;
use crate::tangent::{NoTangent, Tangent};

type TangentOf<T> = <T as Differentiable>::Tangent;

/// How many pieces there are for each thread, so that a thread that is done takes over from one that is not.
const PIECES: usize = 4;

/// How long pieces are of what has so many elements, in multiples of `unit`.
fn room(len: usize, unit: usize) -> usize {
    let pieces = PIECES * rayon_1::current_num_threads();
    len.div_ceil(unit).div_ceil(pieces).max(1) * unit
}

/// The first index of each piece, and the one behind its last.
fn bounds(len: usize) -> impl IndexedParallelIterator<Item = (usize, usize)> {
    let room = room(len, 1);
    (0..len.div_ceil(room))
        .into_par_iter()
        .map(move |piece| (piece * room, len.min((piece + 1) * room)))
}

/// The sum of the pieces' shadows, always in the same order.
fn total<T: Tangent + Send>(mut shadows: Vec<T>) -> Option<T> {
    while shadows.len() > 1 {
        let rest = shadows.split_off(shadows.len().div_ceil(2));
        shadows.par_iter_mut().zip(rest).for_each(|(shadow, other)| shadow.accumulate(other));
    }
    shadows.pop()
}

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

/// Calls `f(start, end)` for pieces of `0..len`, and has the elements of all results in one vector.
///
/// Its derivatives are those of the calls, and run in parallel like them.
///
/// ```
/// let doubled = cotangent::rayon::collected(100, |start, end| (start..end).map(|i| 2 * i).collect());
/// assert_eq!((doubled.len(), doubled[99]), (100, 198));
/// ```
pub fn collected<T: Send>(len: usize, f: impl Fn(usize, usize) -> Vec<T> + Sync) -> Vec<T> {
    joined(pieces(len, f))
}

fn joined<T>(parts: Vec<Vec<T>>) -> Vec<T> {
    let mut all = Vec::with_capacity(parts.iter().map(Vec::len).sum());
    all.extend(parts.into_iter().flatten());
    all
}

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

/// Calls two functions in parallel, and returns what both return.
///
/// Its derivatives are those of the functions, and run in parallel like them.
///
/// ```
/// assert_eq!(cotangent::rayon::join(|| 1.0, || 2.0), (1.0, 2.0));
/// ```
pub fn join<A: Send, B: Send>(f: impl Fn() -> A + Send, g: impl Fn() -> B + Send) -> (A, B) {
    rayon_1::join(f, g)
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
}

/// Derivatives of [`collected`](fn@collected).
#[doc(hidden)]
#[allow(non_camel_case_types, missing_debug_implementations)]
pub enum collected {}

#[doc(hidden)]
#[allow(missing_docs, clippy::type_complexity, clippy::too_many_arguments)]
impl collected {
    pub const __IS_BATCHED: bool = false;

    pub fn __vjp<S, P, V, B, J, T>(
        len: usize,
        state: S,
        primal: P,
        vjp: V,
        jvp: J,
    ) -> (Vec<T>, impl FnOnce(Vec<TangentOf<T>>) -> (NoTangent, TangentOf<S>) + use<S, P, V, B, J, T>)
    where
        S: Differentiable<Tangent: Send> + Sync,
        T: Differentiable<Tangent: Send> + Send,
        P: Fn(&S, usize, usize) -> Vec<T>,
        V: Fn(&S, usize, usize) -> (Vec<T>, B) + Sync,
        B: FnOnce(&S, &mut TangentOf<S>, Vec<TangentOf<T>>) -> (NoTangent, NoTangent) + Send,
        J: Fn(&S, &TangentOf<S>, usize, NoTangent, usize, NoTangent) -> (Vec<T>, Vec<TangentOf<T>>),
    {
        let (parts, pullback) = pieces::__vjp(len, state, primal, vjp, jvp);
        let lens: Vec<usize> = parts.iter().map(Vec::len).collect();
        let pullback = move |seeds: Vec<TangentOf<T>>| {
            let mut seeds = seeds.into_iter();
            pullback(lens.into_iter().map(|len| seeds.by_ref().take(len).collect()).collect())
        };
        (joined(parts), pullback)
    }

    pub fn __jvp<S, P, V, B, J, T>(
        len: usize,
        len_dot: NoTangent,
        state: S,
        primal: P,
        vjp: V,
        jvp: J,
        state_dot: TangentOf<S>,
    ) -> (Vec<T>, Vec<TangentOf<T>>)
    where
        S: Differentiable<Tangent: Sync> + Sync,
        T: Differentiable<Tangent: Send> + Send,
        P: Fn(&S, usize, usize) -> Vec<T>,
        V: Fn(&S, usize, usize) -> (Vec<T>, B),
        B: FnOnce(&S, &mut TangentOf<S>, Vec<TangentOf<T>>) -> (NoTangent, NoTangent),
        J: Fn(&S, &TangentOf<S>, usize, NoTangent, usize, NoTangent) -> (Vec<T>, Vec<TangentOf<T>>)
            + Sync,
    {
        let (parts, dots) = pieces::__jvp(len, len_dot, state, primal, vjp, jvp, state_dot);
        (joined(parts), joined(dots))
    }
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
}

/// Derivatives of [`join`](fn@join).
#[doc(hidden)]
#[allow(non_camel_case_types, missing_debug_implementations)]
pub enum join {}

#[doc(hidden)]
#[allow(missing_docs, clippy::type_complexity, clippy::too_many_arguments)]
impl join {
    pub const __IS_BATCHED: bool = false;

    pub fn __vjp<S, P, V, B, J, A, SG, PG, VG, BG, JG, AG>(
        f_state: S,
        _: P,
        f_vjp: V,
        _: J,
        g_state: SG,
        _: PG,
        g_vjp: VG,
        _: JG,
    ) -> (
        (A, AG),
        impl FnOnce((TangentOf<A>, TangentOf<AG>)) -> (TangentOf<S>, TangentOf<SG>)
        + use<S, P, V, B, J, A, SG, PG, VG, BG, JG, AG>,
    )
    where
        S: Differentiable<Tangent: Send> + Sync + Send,
        A: Differentiable<Tangent: Send> + Send,
        P: Fn(&S) -> A,
        V: Fn(&S) -> (A, B) + Sync,
        B: FnOnce(&S, &mut TangentOf<S>, TangentOf<A>) + Send,
        J: Fn(&S, &TangentOf<S>) -> (A, TangentOf<A>),
        SG: Differentiable<Tangent: Send> + Sync + Send,
        AG: Differentiable<Tangent: Send> + Send,
        PG: Fn(&SG) -> AG,
        VG: Fn(&SG) -> (AG, BG) + Sync,
        BG: FnOnce(&SG, &mut TangentOf<SG>, TangentOf<AG>) + Send,
        JG: Fn(&SG, &TangentOf<SG>) -> (AG, TangentOf<AG>),
    {
        let ((f, f_pullback), (g, g_pullback)) =
            rayon_1::join(|| f_vjp(&f_state), || g_vjp(&g_state));
        let pullback = move |(f_bar, g_bar): (TangentOf<A>, TangentOf<AG>)| {
            let pull_f = || pulled(&f_state, |state, shadow| f_pullback(state, shadow, f_bar));
            let pull_g = || pulled(&g_state, |state, shadow| g_pullback(state, shadow, g_bar));
            rayon_1::join(pull_f, pull_g)
        };
        ((f, g), pullback)
    }

    pub fn __jvp<S, P, V, B, J, A, SG, PG, VG, BG, JG, AG>(
        f_state: S,
        _: P,
        _: V,
        f_jvp: J,
        f_dot: TangentOf<S>,
        g_state: SG,
        _: PG,
        _: VG,
        g_jvp: JG,
        g_dot: TangentOf<SG>,
    ) -> ((A, AG), (TangentOf<A>, TangentOf<AG>))
    where
        S: Differentiable<Tangent: Send> + Send,
        A: Differentiable<Tangent: Send> + Send,
        P: Fn(&S) -> A,
        V: Fn(&S) -> (A, B),
        B: FnOnce(&S, &mut TangentOf<S>, TangentOf<A>),
        J: Fn(&S, &TangentOf<S>) -> (A, TangentOf<A>) + Send,
        SG: Differentiable<Tangent: Send> + Send,
        AG: Differentiable<Tangent: Send> + Send,
        PG: Fn(&SG) -> AG,
        VG: Fn(&SG) -> (AG, BG),
        BG: FnOnce(&SG, &mut TangentOf<SG>, TangentOf<AG>),
        JG: Fn(&SG, &TangentOf<SG>) -> (AG, TangentOf<AG>) + Send,
    {
        let pushed =
            rayon_1::join(move || f_jvp(&f_state, &f_dot), move || g_jvp(&g_state, &g_dot));
        let ((f, f_dot), (g, g_dot)) = pushed;
        ((f, g), (f_dot, g_dot))
    }
}

/// The shadow that a pullback adds to.
fn pulled<S: Differentiable>(state: &S, pullback: impl FnOnce(&S, &mut S::Tangent)) -> S::Tangent {
    let mut shadow = state.zero_tangent();
    pullback(state, &mut shadow);
    shadow
}
