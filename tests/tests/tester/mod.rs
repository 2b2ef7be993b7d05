//! The rule tester as users meet it: wrong rules of every kind, points from domains, and counted allocations.

#![allow(clippy::needless_range_loop, clippy::ptr_arg, reason = "what users write")]

mod arguments;
mod campaign;
pub(crate) mod counter;
mod domains;
mod growth;
mod properties;
mod sharpness;
mod wrong;
