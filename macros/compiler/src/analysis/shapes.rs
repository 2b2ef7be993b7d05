//! How far a function that calls itself looks into values of several shapes.
//!
//! In: a primal. Out: for a parameter behind `&`, in how many layers its tangent or shadow must have the value's shape
//! for what the function itself does: an option, an enum or a collection in another is one layer. What lies deeper is
//! passed on, and whoever takes it sees to its shape.

use super::activity::chosen;
use crate::ir::{Access, Function, Inst, Op, Path, Projection, Slot, Type};

/// The layers of a parameter, where it is certain that the shape of no deeper one matters: nothing is moved out of
/// layers and looked into elsewhere, and no part leaves the function.
pub fn layers(function: &Function, param: Slot) -> Option<usize> {
    let calls_itself = function.is_recursive || function.may_call_itself;
    let is_slice = matches!(function.slot(param).ty, Type::Slice(_));
    if is_slice || !function.is_primal() || !calls_itself || !keeps_shapes(function) {
        return None;
    }
    let mut layers = 1;
    function.body.walk(&mut |inst, _| {
        let is_used = inst.args.iter().any(|arg| function.slot_of(*arg) == Some(param));
        let deepest = inst.op.paths().into_iter().map(depth).max();
        layers = layers.max(deepest.filter(|_| is_used).unwrap_or(0));
    });
    Some(layers)
}

/// How many layers a path goes through.
fn depth(path: &Path) -> usize {
    let is_layer = |step: &&Projection| {
        !matches!(step, Projection::Field(_) | Projection::Deref | Projection::Borrowed)
    };
    path.iter().filter(is_layer).count()
}

/// Whether all that the function looks into is behind `&`, and all that it gives away are floats.
fn keeps_shapes(function: &Function) -> bool {
    let body = &function.body;
    let access = |slot: Slot| function.slot(slot).access;
    let gives_floats = body.results[..function.outputs].iter().all(|value| {
        let ty = function.ty(*value);
        ty.is_float() || ty.is_constant()
    });
    let is_written = body.results.len() > function.outputs
        || function.slots.iter().any(|slot| slot.access == Access::Unique);
    let mut unwraps = false;
    body.walk(&mut |inst, _| unwraps |= opens(inst));
    let is_shared = |slot: &Slot| access(*slot) == Access::Shared;
    gives_floats && !is_written && !unwraps && chosen(function).iter().all(is_shared)
}

/// Whether an instruction looks into a value that is in no place.
fn opens(inst: &Inst) -> bool {
    matches!(inst.op, Op::Unwrap | Op::UnwrapOr)
}
