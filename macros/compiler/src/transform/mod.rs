//! The transforms: primal to forward derivative, primal to reverse derivative.

pub mod forward;
pub mod levels;
pub mod preaccumulate;
pub mod reverse;
mod rule;
pub mod segment;
