//! Mutants of the compiler: what the tests notice of faults that are put into it.
//!
//! A mutant is one small change ([`site`]) of the compiler's sources or of the table of rules. All of them are written
//! into one copy of the workspace, each behind a switch ([`schemata`], [`table`], [`workspace`]), so that the compiler is
//! built once. [`suite`] takes the tests apart, [`compiler`] finds the inputs of which a mutant makes other code, [`trial`]
//! compiles and runs tests of these, and [`campaign`] goes on until one fails. [`known`] says why some live.
//!
//! `switch.rs` and `expand.rs` are no modules of this crate but the sources of two packages of the copy.

pub mod campaign;
pub mod compiler;
pub mod known;
mod pieces;
mod process;
pub mod schemata;
pub mod site;
pub mod suite;
pub mod table;
pub mod trial;
pub mod workspace;
