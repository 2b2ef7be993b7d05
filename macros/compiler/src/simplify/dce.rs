//! Removes what nothing uses: instructions without effect, results of `if` and loops, carried values
//! that only feed themselves.
//!
//! What may panic in the user's code stays: indexing, integer arithmetic. Derived instructions repeat
//! what the primal has proved, and go.

use crate::ir::entity::EntitySet;
use crate::ir::{Block, End, Function, Inst, LoopKind, Op, Type, Value};
use rustc_hash::FxHashSet as HashSet;

/// Runs the pass.
pub fn dce(mut function: Function) -> Function {
    let mut body = function.take_body();
    drop_unasked(&mut body);
    let live = liveness(&function, &body);
    sweep(&function, &mut body, &live);
    function.body = body;
    function
}

/// Types that nobody asks for are not told.
fn drop_unasked(body: &mut Block) {
    let (mut asked, mut told) = (HashSet::default(), false);
    body.walk(&mut |inst, _| match inst.op {
        Op::StandIn(witness) => drop(asked.insert(witness)),
        Op::Attest(_) => told = true,
        _ => {}
    });
    if told {
        body.retain(&|inst| match inst.op {
            Op::Attest(witness) => asked.contains(&witness),
            _ => true,
        });
    }
}

/// All values that matter, by a fixed point over the loops.
fn liveness(function: &Function, body: &Block) -> EntitySet<Value> {
    let mut live: EntitySet<Value> = body.results.iter().copied().collect();
    if function.is_primal() {
        keep_places(function, body, &mut live);
    }
    loop {
        let before = live.len();
        mark(function, body, &mut live);
        if live.len() == before {
            return live;
        }
    }
}

/// In a primal function every region says which version of a place it leaves, even if nothing reads the
/// place any more: the reverse transform asks what the place holds.
fn keep_places(function: &Function, body: &Block, live: &mut EntitySet<Value>) {
    body.walk(&mut |inst, _| {
        if inst.op.has_blocks() {
            live.extend(inst.results.iter().filter(|result| function.slot_of(**result).is_some()));
        }
    });
}

fn mark(function: &Function, block: &Block, live: &mut EntitySet<Value>) {
    for inst in block.insts.iter().rev() {
        if !is_needed(function, inst, live) {
            continue;
        }
        match &inst.op {
            Op::If(then, other) => {
                live.insert(inst.args[0]);
                for (position, result) in inst.results.iter().enumerate() {
                    if live.contains(result) {
                        live.extend([then.results[position], other.results[position]]);
                    }
                }
            }
            Op::Loop(_) => mark_loop(inst, live),
            Op::Closure(body) => live.extend(&body.results),
            _ => live.extend(&inst.args),
        }
        for inner in inst.op.blocks() {
            mark(function, inner, live);
        }
    }
}

fn mark_loop(inst: &Inst, live: &mut EntitySet<Value>) {
    let Op::Loop(repeat) = &inst.op else { return };
    live.extend(&inst.args[..repeat.bounds()]);
    live.extend(repeat.breaks.then(|| repeat.body.results[0]));
    if let LoopKind::While { condition } = &repeat.kind {
        live.insert(condition.results[0]);
    }
    for (position, result) in inst.results.iter().enumerate() {
        let param = repeat.carried()[position];
        let condition = match &repeat.kind {
            LoopKind::While { condition } => Some(condition.params[position]),
            _ => None,
        };
        if live.contains(result)
            || live.contains(&param)
            || condition.is_some_and(|param| live.contains(&param))
        {
            live.extend([
                repeat.next()[position],
                inst.args[repeat.bounds() + position],
                param,
                *result,
            ]);
        }
    }
}

fn is_needed(function: &Function, inst: &Inst, live: &EntitySet<Value>) -> bool {
    must_run(function, inst) || inst.results.iter().any(|result| live.contains(result))
}

/// Whether an instruction does something else than make its results.
fn must_run(function: &Function, inst: &Inst) -> bool {
    let any_must_run = |block: &Block| block.insts.iter().any(|inst| must_run(function, inst));
    inst.op.has_effect()
        || may_panic(function, inst)
        || makes_struct(function, inst)
        || never_ends(inst)
        || inst.op.blocks().any(any_must_run)
}

/// `loop` without `break`: what stands behind it has no value.
fn never_ends(inst: &Inst) -> bool {
    let Op::Loop(repeat) = &inst.op else { return false };
    let LoopKind::While { condition } = &repeat.kind else { return false };
    let is_true = |inst: &Inst| match &inst.op {
        Op::Literal(syn::Lit::Bool(literal)) => literal.value,
        _ => false,
    };
    let holds =
        condition.insts.iter().any(|inst| inst.results == condition.results && is_true(inst));
    holds && !repeat.breaks
}

/// Whether an instruction is none of the user's own.
fn is_derived(function: &Function, inst: &Inst) -> bool {
    inst.results.first().is_none_or(|result| result.0 >= function.primal_values)
}

/// Whether an instruction makes a struct of the user's own. Its destructor may have an effect, and only where it is
/// emitted does rustc say whether its name is a struct's.
fn makes_struct(function: &Function, inst: &Inst) -> bool {
    let Op::Struct { path, .. } = &inst.op else { return false };
    !is_derived(function, inst) && !crate::syntax::is_prelude_variant(path)
}

/// Whether an instruction of the user's own may panic, so that it must run even if unused.
fn may_panic(function: &Function, inst: &Inst) -> bool {
    let derived = is_derived(function, inst);
    let integer = || {
        inst.results
            .iter()
            .any(|result| !function.ty(*result).is_float() && *function.ty(*result) != Type::Bool)
    };
    !derived
        && match &inst.op {
            Op::Load(path) => !path.is_empty(),
            Op::Store(_) | Op::Replace(_) | Op::Exchange(..) => true,
            Op::Insert(end, path) | Op::Remove(end, path) => !path.is_empty() || *end == End::At,
            Op::Apply(_) => integer(),
            Op::Method(_) => true,
            // An operator of the user's own may have an effect: rustc is asked whether it is one.
            Op::Proved(_) => true,
            _ => false,
        }
}

fn sweep(function: &Function, block: &mut Block, live: &EntitySet<Value>) {
    block.insts.retain(|inst| is_needed(function, inst, live));
    for inst in &mut block.insts {
        match inst.op {
            Op::If(..) => sweep_if(inst, live),
            Op::Loop(_) => sweep_loop(inst, live),
            _ => {}
        }
        for inner in inst.op.blocks_mut() {
            sweep(function, inner, live);
        }
    }
}

fn sweep_if(inst: &mut Inst, live: &EntitySet<Value>) {
    let Op::If(then, other) = &mut inst.op else {
        return;
    };
    for position in (0..inst.results.len()).rev() {
        if !live.contains(&inst.results[position]) {
            inst.results.remove(position);
            then.results.remove(position);
            other.results.remove(position);
        }
    }
}

fn sweep_loop(inst: &mut Inst, live: &EntitySet<Value>) {
    let Op::Loop(repeat) = &mut inst.op else {
        return;
    };
    let (bounds, index, flag) =
        (repeat.bounds(), repeat.index_params(), usize::from(repeat.breaks));
    for position in (0..inst.results.len()).rev() {
        if live.contains(&inst.results[position]) {
            continue;
        }
        inst.results.remove(position);
        inst.args.remove(bounds + position);
        repeat.body.params.remove(index + position);
        repeat.body.results.remove(flag + position);
        if let LoopKind::While { condition } = &mut repeat.kind {
            condition.params.remove(position);
        }
    }
}
