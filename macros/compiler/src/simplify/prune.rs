//! Removes loop-carried values that the body passes on unchanged, and results of `if` on which both
//! arms agree.

use crate::ir::entity::EntityMap;
use crate::ir::{Block, Function, Inst, LoopKind, Op, Value};

/// Runs the pass.
pub fn prune(mut function: Function) -> Function {
    let mut renamed = EntityMap::default();
    let mut body = std::mem::replace(
        &mut function.body,
        Block {
            id: crate::ir::BlockId(0),
            params: Vec::new(),
            insts: Vec::new(),
            results: Vec::new(),
        },
    );
    block(&mut body, &mut renamed);
    substitute(&mut body, &renamed);
    function.body = body;
    function
}

/// Replaces values by others, following chains.
pub fn substitute(body: &mut Block, renamed: &EntityMap<Value, Value>) {
    if renamed.is_empty() {
        return;
    }
    body.map_uses(&mut |value| *value = resolve(*value, renamed));
}

/// The value at the end of a chain of replacements.
pub fn resolve(mut value: Value, renamed: &EntityMap<Value, Value>) -> Value {
    while let Some(next) = renamed.get(&value) {
        value = *next;
    }
    value
}

fn block(body: &mut Block, renamed: &mut EntityMap<Value, Value>) {
    for inst in &mut body.insts {
        for inner in inst.op.blocks_mut() {
            block(inner, renamed);
        }
        match inst.op {
            Op::Loop(_) => invariant(inst, renamed),
            Op::If(..) => agreed(inst, renamed),
            _ => {}
        }
    }
}

/// A carried value that comes back as it went in is its initial value everywhere.
fn invariant(inst: &mut Inst, renamed: &mut EntityMap<Value, Value>) {
    let Op::Loop(repeat) = &mut inst.op else {
        return;
    };
    let (bounds, index, flag) =
        (repeat.bounds(), repeat.index_params(), usize::from(repeat.breaks));
    for position in (0..inst.results.len()).rev() {
        let param = repeat.body.params[index + position];
        let next = resolve(repeat.body.results[flag + position], renamed);
        let init = resolve(inst.args[bounds + position], renamed);
        if next != param && next != init {
            continue;
        }
        renamed.insert(param, init);
        renamed.insert(inst.results.remove(position), init);
        inst.args.remove(bounds + position);
        repeat.body.params.remove(index + position);
        repeat.body.results.remove(flag + position);
        if let LoopKind::While { condition } = &mut repeat.kind {
            renamed.insert(condition.params.remove(position), init);
        }
    }
}

fn agreed(inst: &mut Inst, renamed: &mut EntityMap<Value, Value>) {
    let Op::If(then, other) = &mut inst.op else {
        return;
    };
    for position in (0..inst.results.len()).rev() {
        let value = resolve(then.results[position], renamed);
        if value == resolve(other.results[position], renamed) {
            renamed.insert(inst.results.remove(position), value);
            then.results.remove(position);
            other.results.remove(position);
        }
    }
}
