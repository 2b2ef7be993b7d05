//! The rule tester: whether derivatives are those of their function.
//!
//! In comes a [`Case`], a function at a point with its derivatives; out comes a [`Report`] or the
//! first [`Mismatch`]. The macro `check!` makes the case for a function under `#[differentiate]`;
//! derivatives written by hand are tested by making one.
//!
//! Along random directions, the same in every run, it tests that
//!
//! 1. every mode gives the function's value, bit for bit, and makes of `&mut` arguments what the
//!    function makes of them;
//! 2. the tangents of `jvp` are those of central differences, extrapolated over several steps;
//! 3. ⟨ȳ, J ẋ⟩ = ⟨Jᵀ ȳ, ẋ⟩ between `jvp` and `vjp` to rounding, where J is the derivative of
//!    the whole map: `&mut` arguments are among its inputs and its outputs. Without `jvp`, J ẋ
//!    comes from differences;
//! 4. shadows of `&` arguments that are not zero are added to;
//! 5. `&mut` arguments are restored by the pullback;
//! 6. a second run gives the same bits;
//! 7. tangents and cotangents have the shapes of their values;
//! 8. `accumulate_gradient` agrees with the pullback whose seed is one.
//!
//! The point must lie away from corners, further than a hundredth of each argument (a tenth with
//! `f32`), since differences look that far. How closely numbers are compared depends on the least
//! precise float among the arguments and the results.

mod case;
mod difference;
mod domain;
mod forward;
mod leaves;
mod memory;
mod mismatch;
mod opaque;
mod parameter;
mod place;
mod point;
mod precision;
mod random;
mod report;
mod reverse;
mod settings;
mod subject;
mod tester;
#[cfg(test)]
mod tests;
mod verify;

pub use case::{Case, Seed};
pub use domain::{Domain, Uniform, at_points};
pub use mismatch::{Kind, Mismatch, Mode};
pub use opaque::{Opaque, OpaqueShared, OpaqueUnique, opaque, opaque_shared, opaque_unique};
pub use parameter::{
    Bare, Copied, Held, Inspect, Parameter, Role, Shadow, Shared, Slot, Unique, Value, shared,
    unique, value,
};
pub use point::Point;
pub use random::Random;
pub use report::Report;
pub use settings::Settings;
