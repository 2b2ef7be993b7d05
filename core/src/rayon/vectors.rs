//! Vectors of pieces of a range, joined.

use super::{NoTangent, TangentOf, pieces};
use crate::differentiable::Differentiable;
use alloc::vec::Vec;

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

/// What was joined of parts of these lengths.
fn apart<T>(whole: Vec<T>, lens: &[usize]) -> Vec<Vec<T>> {
    let mut rest = whole.into_iter();
    lens.iter().map(|len| rest.by_ref().take(*len).collect()).collect()
}

fn joined<T>(parts: Vec<Vec<T>>) -> Vec<T> {
    let mut all = Vec::with_capacity(parts.iter().map(Vec::len).sum());
    all.extend(parts.into_iter().flatten());
    all
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
        let pullback = move |seeds: Vec<TangentOf<T>>| pullback(apart(seeds, &lens));
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

    pub fn __jvp_over_vjp_needs_another_differentiate<S, P, V, B, J, T>(
        len: usize,
        len_dot: NoTangent,
        state: S,
        primal: P,
        vjp: V,
        jvp: J,
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
        P: Fn(&S, usize, usize) -> Vec<T>,
        V: Fn(
                &S,
                &TangentOf<S>,
                usize,
                NoTangent,
                usize,
                NoTangent,
            ) -> (Vec<T>, Vec<TangentOf<T>>, B)
            + Sync,
        B: FnOnce(
                &S,
                &TangentOf<S>,
                &mut TangentOf<S>,
                &mut TangentOf<S>,
                Vec<TangentOf<T>>,
                Vec<TangentOf<T>>,
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
        ) -> (Vec<T>, Vec<TangentOf<T>>, Vec<TangentOf<T>>, Vec<TangentOf<T>>),
    {
        let (parts, dots, pullback) = pieces::__jvp_over_vjp_needs_another_differentiate(
            len, len_dot, state, primal, vjp, jvp, state_dot,
        );
        let lens: Vec<usize> = parts.iter().map(Vec::len).collect();
        let pullback = move |seeds: Vec<TangentOf<T>>, seed_dots: Vec<TangentOf<T>>| {
            pullback(apart(seeds, &lens), apart(seed_dots, &lens))
        };
        (joined(parts), joined(dots), pullback)
    }

    pub fn __jvp_over_jvp_needs_another_differentiate<S, P, V, B, J, T>(
        len: usize,
        a: NoTangent,
        b: NoTangent,
        c: NoTangent,
        state: S,
        primal: P,
        vjp: V,
        jvp: J,
        first: TangentOf<S>,
        second: TangentOf<S>,
        third: TangentOf<S>,
    ) -> (Vec<T>, Vec<TangentOf<T>>, Vec<TangentOf<T>>, Vec<TangentOf<T>>)
    where
        S: Differentiable<Tangent: Sync> + Sync,
        T: Differentiable<Tangent: Send> + Send,
        P: Fn(&S, usize, usize) -> Vec<T>,
        V: Fn(
            &S,
            &TangentOf<S>,
            usize,
            NoTangent,
            usize,
            NoTangent,
        ) -> (Vec<T>, Vec<TangentOf<T>>, B),
        B: FnOnce(
            &S,
            &TangentOf<S>,
            &mut TangentOf<S>,
            &mut TangentOf<S>,
            Vec<TangentOf<T>>,
            Vec<TangentOf<T>>,
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
            ) -> (Vec<T>, Vec<TangentOf<T>>, Vec<TangentOf<T>>, Vec<TangentOf<T>>)
            + Sync,
    {
        let (parts, firsts, seconds, thirds) = pieces::__jvp_over_jvp_needs_another_differentiate(
            len, a, b, c, state, primal, vjp, jvp, first, second, third,
        );
        (joined(parts), joined(firsts), joined(seconds), joined(thirds))
    }
}
