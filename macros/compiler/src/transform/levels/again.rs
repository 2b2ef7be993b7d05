//! What a level makes again instead of leaving it on the tape.
//!
//! In: a `vjp` whose levels share a tape. Out: the same, in which the pullback reads again what still stands behind a
//! `&`, and adds and multiplies again, where only what follows its last call of the level below needs that: an entry
//! stays in the frame of its level as long as the calls of those below take.

use crate::analysis::residuals::is_slight;
use crate::ir::entity::EntityMap;
use crate::ir::free::Free;
use crate::ir::{Access, Block, Function, Inst, Op, Path, Projection, Value};
use crate::simplify;

/// Moves such instructions into the closure that a `vjp` ends in.
pub fn made_again(mut function: Function) -> Function {
    let mut body = function.body.clone();
    let places = places(&function);
    let (last, before) = body.insts.split_last_mut().expect("a closure");
    let Op::Closure(inner) = &mut last.op else { unreachable!("a `vjp` ends in its closure") };
    for inst in before.iter().rev() {
        let Some(args) = arguments(&function, inst, inner, &places) else { continue };
        let [made] = inst.results[..] else { continue };
        let Some(at) = first_use(inner, made) else { continue };
        let copy = function.renewed(made);
        inner.map_uses(&mut |value| {
            if *value == made {
                *value = copy;
            }
        });
        inner.insts.insert(at, Inst { args, results: vec![copy], ..inst.clone() });
    }
    function.body = body;
    simplify::dce(function)
}

/// Places behind `&`, and under which value the pullback has them.
fn places(function: &Function) -> EntityMap<Value, Value> {
    let shared = |block: &Block| -> Vec<Value> {
        let is_shared = |value: &Value| {
            let slot = function.slot_of(*value).map(|slot| function.slot(slot));
            slot.is_some_and(|slot| slot.access == Access::Shared && !slot.is_tangent)
        };
        block.params.iter().copied().filter(is_shared).collect()
    };
    let (outer, inner) = (shared(&function.body), shared(super::closure(function)));
    match outer.len() == inner.len() {
        true => outer.into_iter().zip(inner).collect(),
        false => EntityMap::default(),
    }
}

/// The operands of an instruction in the pullback, if it may run there again and finds them all.
fn arguments(
    function: &Function,
    inst: &Inst,
    inner: &Block,
    places: &EntityMap<Value, Value>,
) -> Option<Vec<Value>> {
    if !inst.results.iter().all(|value| function.ty(*value).is_float()) {
        return None;
    }
    match &inst.op {
        Op::Load(path) if is_plain(path) => Some(vec![*places.get(&inst.args[0])?]),
        op if is_slight(op) => {
            let there = Free::in_block(inner).values;
            let is_there = |value: &Value| there.contains(value) && function.ty(*value).is_float();
            inst.args.iter().all(is_there).then(|| inst.args.clone())
        }
        _ => None,
    }
}

/// Whether a path is the same wherever it is taken.
fn is_plain(path: &Path) -> bool {
    path.iter().all(|step| matches!(step, Projection::Field(_) | Projection::Deref))
}

/// Where a value is used first, if that is behind all calls of the level below.
fn first_use(inner: &Block, value: Value) -> Option<usize> {
    let uses = |inst: &Inst| Free::of(std::slice::from_ref(inst), &[]).values.contains(&value);
    let first = inner.insts.iter().position(uses)?;
    (!inner.insts[first..].iter().any(runs_below)).then_some(first)
}

fn runs_below(inst: &Inst) -> bool {
    matches!(inst.op, Op::Own(_))
        || inst.op.blocks().any(|block| block.insts.iter().any(runs_below))
}
