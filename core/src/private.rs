//! What emitted code calls. Not public: names and signatures follow the macros of the same version.

pub use alloc::borrow::ToOwned;
pub use alloc::boxed::Box;
pub use alloc::vec;
pub use alloc::vec::Vec;

pub use crate::absent::{OneActive, SecondOrder};
pub use crate::accumulate::{
    Accumulates, Unread, Zero, accumulate, assign, cleared, copy, enclosed, rejoin, total,
    total_from,
};
pub use crate::apart::apart;
pub use crate::backwards::backwards;
pub use crate::check;
pub use crate::columns::{columns, pulled_columns};
pub use crate::constant::{held, lent};
pub use crate::constant_fields::{
    Part, Stand, StandByDefault, StandByNothing, StandByTangent, WithoutTangent, Writable, Zeros,
    component,
};
pub use crate::containers::keys;
pub use crate::conversions::{
    Conversion, ConversionOfReference, Converting, ConvertingPlace, IsFrom, IsInto,
    SecondConversion, SecondConversionOfReference, is_from, is_into, type_of,
};
pub use crate::differentiable::Differentiable;
pub use crate::differentiable::{clear_each, conform_each, conform_within, conformed};
#[cfg(any(feature = "std", feature = "libm"))]
pub use crate::dual::lift as dual;
pub use crate::elements::{Elements, elements, iterator};
pub use crate::floats::WithZeros;
pub use crate::guard::{
    Argument, Checked, Comparable, Inactive, Inert, Kept, Number, Taken, Tangible, array, combine,
    compare, has_tangent, has_tangent_type, holds, inactive, invert, is_comparable, is_text,
    less_or_equal, like, mismatch, never, of_number, separate, separate_type, taken_for, vector,
};
pub use crate::hessian::{
    HessianBy, hessian_columns, hessian_lanes, hessian_lanes_of_line, hessian_of_line,
};
pub use crate::jacobian::{
    Basis, Units, is_wide, jacobian_columns, jacobian_lanes, jacobian_rows, keep_line, put, sized,
    sized_mut, take_line,
};
pub use crate::lanes::{one_by_one, passed};
pub use crate::matrix::Matrix;
pub use crate::object::{
    DynTangent, HeldObject, Object, Shadow, TraitObject, change_floats, concrete, concrete_mut,
    shadow, show_floats, tangent,
};
pub use crate::operators::{CopiedOperand, without_operands};
pub use crate::output::{Entry, FloatOutput, FromInteger, VectorOutput, from_integer};
pub use crate::owner::{IsOther, IsSame, Owner, probe};
pub use crate::places::{DerefShadow, IndexShadow};
pub use crate::results::{CopyOfSuccess, CopyOfValue, split_error};
pub use crate::rules;
pub use crate::segments::{nth, root_stride, stride};
pub use crate::sharing::{CellDerivatives, Sharing, Transfer};
pub use crate::slice_methods::{FillEntries, ReverseEntries, RotateLeft, RotateRight, SwapEntries};
pub use crate::snapshots::Snapshots;
pub use crate::tangent::{NoTangent, Tangent};
pub use crate::tape::{KeptTape, Tape};
pub use crate::visit::{Leaf, Step, Visitor};
pub use crate::watch::{
    Differential, Primal, Watched, fits, fits_each, seed, watch, watch_call, watch_jvp,
};
pub use crate::witness::Witness;
pub use cotangent_macros::{
    needs_differentiate_on_the_impl_or_trait, needs_differentiate_or_primitive_or_zero_adjoint,
    stands_beside,
};
#[cfg(any(feature = "std", feature = "libm"))]
pub use num_traits::Float as Floating;
#[cfg(feature = "serde-1")]
pub use serde_1 as serde;

/// The macros of the standard library that bodies may call. Emitted code imports all of them where it proves that a name
/// is that of one: the name is ambiguous if the user has another macro of that name in scope.
pub mod macros {
    pub use alloc::{format, vec};
    pub use core::{
        assert, assert_eq, assert_ne, debug_assert, debug_assert_eq, debug_assert_ne, matches,
        todo, unimplemented, unreachable,
    };
    #[cfg(feature = "std")]
    extern crate std;
    #[cfg(feature = "std")]
    pub use std::{eprint, eprintln, panic, print, println};
}

/// Types of shared contents, as proofs name them.
pub mod shared {
    pub use alloc::rc::Rc;
    #[cfg(target_has_atomic = "ptr")]
    pub use alloc::sync::Arc;
    #[cfg(feature = "std")]
    extern crate std;
    #[cfg(feature = "std")]
    pub use std::sync::{Mutex, RwLock};
}

/// Derivatives of implicit functions.
#[cfg(any(feature = "std", feature = "libm"))]
pub mod implicit {
    pub use crate::implicit::{Implicit, Kind, Unknown, cotangents, first, shaped, tangents};
}

/// The items of a constant, for a loop over them. A pullback keeps them, and borrows nothing.
pub fn listed<I: IntoIterator<Item: 'static>>(items: I) -> Vec<I::Item> {
    items.into_iter().collect()
}

/// Returns an end of a range that is kept as a value, which must be an integer.
pub fn integer<I: Differentiable<Tangent = NoTangent>>(end: I) -> I {
    end
}

/// Arrays, whose length a type alias hides.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an array",
    note = "write the length: `std::array::from_fn::<_, 3, _>(..)`"
)]
pub trait HasLength {
    /// The number of elements.
    const LENGTH: usize;
}

impl<T, const N: usize> HasLength for [T; N] {
    const LENGTH: usize = N;
}

/// A function under whose name an import hides items of a user's from patterns of emitted code.
pub fn binding() {}
