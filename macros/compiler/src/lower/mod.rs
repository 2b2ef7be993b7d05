//! Lowering: a function's syntax to HIR, and the HIR to IR.
//!
//! In: a function's syntax. Out: a [`Function`] whose body yields the result, then the final versions
//! of the `&mut` parameters, in order. What is not supported is reported on its token, and lowering goes on, so that all
//! errors come at once.

pub mod builtin;
mod cells;
mod closure;
mod constant;
mod fence;
mod from_hir;
pub mod hygiene;
mod operator;
mod overlay;
mod partial;
mod plain;
mod promote;
mod pulled;
mod reserved;
pub mod types;

pub use builtin::{ZERO_TANGENT, compares, is_step, is_variant_of_std};
pub use cells::uses_cells;
pub use closure::function;
pub use fence::{conditional, is_module, nonsense};
pub use partial::partial;
pub use plain::plain;

use crate::diag::{self, Reports};
use crate::ir::{Block, BlockId, Function, Projection};
use crate::signature::Signature;

/// Lowers a whole function.
pub fn lower(signature: &Signature, block: &syn::Block, reports: &mut Reports) -> Function {
    let body = crate::hir::build::build(signature, block, reports);
    from_hir::lower(signature, &body, reports).unwrap_or_else(|form| {
        if reports.is_empty() {
            reports.report(signature.name.span(), &diag::UNSUPPORTED_EXPRESSION, &form);
        }
        empty("")
    })
}

/// The step from a struct, or from an enum of a variant, to a field.
pub fn field_step(path: &syn::Path, field: &str) -> Projection {
    match builtin::is_variant(path) {
        true => Projection::Variant(Box::new(path.clone()), field.to_owned()),
        false => Projection::Field(field.to_owned()),
    }
}

/// The measure that a method of the compiler's own stands for, as a function.
pub fn measure_function(name: &syn::Ident) -> Option<&'static str> {
    match reserved::Method::named(&name.to_string())? {
        reserved::Method::Holds => Some("holds"),
        reserved::Method::Keys => Some("keys"),
        reserved::Method::Held => Some("held"),
    }
}

fn empty(name: &str) -> Function {
    let body = Block { id: BlockId(0), params: Vec::new(), insts: Vec::new(), results: Vec::new() };
    Function {
        name: name.to_owned(),
        body,
        outputs: 1,
        values: Vec::new(),
        slots: Vec::new(),
        tapes: 0,
        next_block: 1,
        primal_values: u32::MAX,
        items: Vec::new(),
        proofs: Vec::new(),
        is_recursive: false,
        may_call_itself: false,
        backwards: Default::default(),
        is_watched: false,
        is_sum: false,
        adds_to_floats: false,
        copies_operands: false,
        lent: Default::default(),
        active: Vec::new(),
    }
}
