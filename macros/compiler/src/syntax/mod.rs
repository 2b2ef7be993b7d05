//! Syntax: what tokens show without a look at anything else.
//!
//! In: attributes, heads, bodies and types as `syn` reads them. Out: arguments, signatures, types as far as they are
//! spelled, and errors for syntax that no derivative has. Names are the same where rustc holds them for the same
//! (`hygiene`).

pub mod attr;
pub mod callable;
mod cells;
pub mod conditions;
mod constructors;
mod fence;
pub mod generics;
pub mod hygiene;
pub mod items;
pub mod operator;
mod paths;
mod plain;
pub mod sequence;
pub mod short;
pub mod signature;
pub mod standard;
pub mod types;
pub mod walk;

pub use cells::uses_cells;
pub use fence::{conditional, is_module, nonsense};
pub use paths::{is_option, is_prelude_variant, is_standard, is_variant_of_std};
pub use plain::plain;
