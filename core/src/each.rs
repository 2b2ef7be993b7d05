//! Rules of methods of other crates' types that call a function for each entry.
//!
//! In: the parts of the function, as calls hand them over (`function.rs`), and entries in the order in which the method
//! takes them. Out: values in the place of the entries, and what the pullback needs. Invariant: the function is
//! called once for each entry, in that order, and its pullbacks in the opposite one.

use alloc::vec::Vec;

use crate::Differentiable;
use crate::rules::TangentOf;

/// Puts values in the place of entries, and has their pullbacks.
pub(crate) fn vjp<'e, S, F: Copy + 'e, V, B>(
    state: &S,
    vjp: &V,
    entries: impl Iterator<Item = &'e mut F>,
) -> Vec<B>
where
    V: Fn(&S, F) -> (F, B),
{
    let call = |entry: &mut F| {
        let (value, pullback) = vjp(state, *entry);
        *entry = value;
        pullback
    };
    entries.map(call).collect()
}

/// What goes back to what the function captures, given each pullback's shadow and cotangent.
pub(crate) fn pull<'e, S, F, B>(
    state: &S,
    pullbacks: Vec<B>,
    shadows: impl DoubleEndedIterator<Item = (&'e mut F, F)> + ExactSizeIterator,
) -> TangentOf<S>
where
    S: Differentiable,
    F: core::ops::AddAssign + 'e,
    B: FnOnce(&S, &mut TangentOf<S>, F) -> (F,),
{
    let mut state_bar = state.zero_tangent();
    for (pullback, (shadow, bar)) in pullbacks.into_iter().zip(shadows).rev() {
        let (by_entry,) = pullback(state, &mut state_bar, bar);
        *shadow += by_entry;
    }
    state_bar
}

/// Puts values and tangents in the place of entries and theirs.
pub(crate) fn jvp<'e, S, F: Copy + 'e, J>(
    (state, state_dot): (&S, &TangentOf<S>),
    jvp: &J,
    entries: impl Iterator<Item = (&'e mut F, &'e mut F)>,
) where
    S: Differentiable,
    J: Fn(&S, &TangentOf<S>, F, F) -> (F, F),
{
    entries.for_each(|(entry, dot)| (*entry, *dot) = jvp(state, state_dot, *entry, *dot));
}
