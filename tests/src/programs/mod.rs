//! Random programs against `#[differentiate]`.
//!
//! A seed determines one program ([`generate`]), a tree ([`syntax`]) that is printed as Rust ([`mod@print`]).
//! Many programs at a time are written into a package of their own, compiled and run ([`batch`]), where
//! each is tested by an oracle that knows nothing of how derivatives are made ([`oracle`]). What fails is
//! made smaller by [`shrink`].
//!
//! The package is compiled against this crate: [`prelude`] is what programs call, [`harness`] prints how a
//! program is shown to the oracle, [`flat`] is what that needs, and [`run`] is what its `main` calls.
//! [`names`] makes names collide, and sketches ([`generate`]) are blocks of text for what has no syntax in the tree.
//! [`construct`] says what is in a program, and [`order`] how many orders its functions have.

pub mod batch;
pub mod construct;
pub mod flat;
pub mod generate;
pub mod harness;
pub mod names;
pub mod oracle;
pub mod order;
pub mod prelude;
pub mod print;
pub mod random;
pub mod run;
pub mod shrink;
pub mod syntax;
pub mod walk;
