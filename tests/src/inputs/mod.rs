//! Random input for the macros: what the compiler does with code that nobody would write.
//!
//! A seed determines one [`case`](mod@case): an input of the corpus ([`collect`]) that is changed in a few steps, as tokens
//! ([`tree`], [`mutate`]) or as syntax ([`splice`]). [`judge`] runs the compiler on it: in a thread of its own, whose stack
//! is as large as rustc's, for a limited time. It must not panic, must end, what it emits must be Rust, and the user's
//! functions must be in that as they were. [`campaign`] tests many in processes of their own, since an overflow of the stack
//! ends a process, and compares times. What fails is made smaller by [`shrink`]. [`families`] grow one construct at a time,
//! where time and stack must not grow faster than they may; [`growth`] repeats the statements of the corpus.

pub mod campaign;
pub mod case;
pub mod collect;
pub mod families;
pub mod growth;
pub mod judge;
pub mod mutate;
pub mod shrink;
pub mod splice;
pub mod tree;
