//! Two functions at once.

use super::{TangentOf, zeros};
use crate::differentiable::Differentiable;

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

    pub fn __jvp_over_vjp_needs_another_differentiate<S, P, V, B, J, A, SG, PG, VG, BG, JG, AG>(
        f_state: S,
        _: P,
        f_vjp: V,
        _: J,
        f_dot: TangentOf<S>,
        g_state: SG,
        _: PG,
        g_vjp: VG,
        _: JG,
        g_dot: TangentOf<SG>,
    ) -> (
        (A, AG),
        (TangentOf<A>, TangentOf<AG>),
        impl FnOnce(
            (TangentOf<A>, TangentOf<AG>),
            (TangentOf<A>, TangentOf<AG>),
        ) -> (TangentOf<S>, TangentOf<S>, TangentOf<SG>, TangentOf<SG>)
        + use<S, P, V, B, J, A, SG, PG, VG, BG, JG, AG>,
    )
    where
        S: Differentiable<Tangent: Send + Sync> + Sync + Send,
        A: Differentiable<Tangent: Send> + Send,
        P: Fn(&S) -> A,
        V: Fn(&S, &TangentOf<S>) -> (A, TangentOf<A>, B) + Sync,
        B: FnOnce(
                &S,
                &TangentOf<S>,
                &mut TangentOf<S>,
                &mut TangentOf<S>,
                TangentOf<A>,
                TangentOf<A>,
            ) + Send,
        J: Fn(
            &S,
            &TangentOf<S>,
            &TangentOf<S>,
            &TangentOf<S>,
        ) -> (A, TangentOf<A>, TangentOf<A>, TangentOf<A>),
        SG: Differentiable<Tangent: Send + Sync> + Sync + Send,
        AG: Differentiable<Tangent: Send> + Send,
        PG: Fn(&SG) -> AG,
        VG: Fn(&SG, &TangentOf<SG>) -> (AG, TangentOf<AG>, BG) + Sync,
        BG: FnOnce(
                &SG,
                &TangentOf<SG>,
                &mut TangentOf<SG>,
                &mut TangentOf<SG>,
                TangentOf<AG>,
                TangentOf<AG>,
            ) + Send,
        JG: Fn(
            &SG,
            &TangentOf<SG>,
            &TangentOf<SG>,
            &TangentOf<SG>,
        ) -> (AG, TangentOf<AG>, TangentOf<AG>, TangentOf<AG>),
    {
        let ((f, f_tangent, f_pullback), (g, g_tangent, g_pullback)) =
            rayon_1::join(|| f_vjp(&f_state, &f_dot), || g_vjp(&g_state, &g_dot));
        let pullback = move |bars: (TangentOf<A>, TangentOf<AG>),
                             dots: (TangentOf<A>, TangentOf<AG>)| {
            let pull_f = || {
                let (mut bar, mut bar_dot) = zeros(&f_state);
                f_pullback(&f_state, &f_dot, &mut bar, &mut bar_dot, bars.0, dots.0);
                (bar, bar_dot)
            };
            let pull_g = || {
                let (mut bar, mut bar_dot) = zeros(&g_state);
                g_pullback(&g_state, &g_dot, &mut bar, &mut bar_dot, bars.1, dots.1);
                (bar, bar_dot)
            };
            let ((f_bar, f_bar_dot), (g_bar, g_bar_dot)) = rayon_1::join(pull_f, pull_g);
            (f_bar, f_bar_dot, g_bar, g_bar_dot)
        };
        ((f, g), (f_tangent, g_tangent), pullback)
    }

    pub fn __jvp_over_jvp_needs_another_differentiate<S, P, V, B, J, A, SG, PG, VG, BG, JG, AG>(
        f_state: S,
        _: P,
        _: V,
        f_jvp: J,
        f_first: TangentOf<S>,
        f_second: TangentOf<S>,
        f_third: TangentOf<S>,
        g_state: SG,
        _: PG,
        _: VG,
        g_jvp: JG,
        g_first: TangentOf<SG>,
        g_second: TangentOf<SG>,
        g_third: TangentOf<SG>,
    ) -> (
        (A, AG),
        (TangentOf<A>, TangentOf<AG>),
        (TangentOf<A>, TangentOf<AG>),
        (TangentOf<A>, TangentOf<AG>),
    )
    where
        S: Differentiable<Tangent: Send> + Send,
        A: Differentiable<Tangent: Send> + Send,
        P: Fn(&S) -> A,
        V: Fn(&S, &TangentOf<S>) -> (A, TangentOf<A>, B),
        B: FnOnce(
            &S,
            &TangentOf<S>,
            &mut TangentOf<S>,
            &mut TangentOf<S>,
            TangentOf<A>,
            TangentOf<A>,
        ),
        J: Fn(
                &S,
                &TangentOf<S>,
                &TangentOf<S>,
                &TangentOf<S>,
            ) -> (A, TangentOf<A>, TangentOf<A>, TangentOf<A>)
            + Send,
        SG: Differentiable<Tangent: Send> + Send,
        AG: Differentiable<Tangent: Send> + Send,
        PG: Fn(&SG) -> AG,
        VG: Fn(&SG, &TangentOf<SG>) -> (AG, TangentOf<AG>, BG),
        BG: FnOnce(
            &SG,
            &TangentOf<SG>,
            &mut TangentOf<SG>,
            &mut TangentOf<SG>,
            TangentOf<AG>,
            TangentOf<AG>,
        ),
        JG: Fn(
                &SG,
                &TangentOf<SG>,
                &TangentOf<SG>,
                &TangentOf<SG>,
            ) -> (AG, TangentOf<AG>, TangentOf<AG>, TangentOf<AG>)
            + Send,
    {
        let ((f, fa, fb, fc), (g, ga, gb, gc)) = rayon_1::join(
            move || f_jvp(&f_state, &f_first, &f_second, &f_third),
            move || g_jvp(&g_state, &g_first, &g_second, &g_third),
        );
        ((f, g), (fa, ga), (fb, gb), (fc, gc))
    }
}

/// The shadow that a pullback adds to.
fn pulled<S: Differentiable>(state: &S, pullback: impl FnOnce(&S, &mut S::Tangent)) -> S::Tangent {
    let mut shadow = state.zero_tangent();
    pullback(state, &mut shadow);
    shadow
}
