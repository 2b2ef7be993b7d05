//! Opens loops that run once: what they do stands where they stood.
//!
//! In: what the reverse transform gives. Out: the same without `LoopKind::Once`, which no other pass knows.

use super::prune::substitute;
use crate::ir::entity::EntityMap;
use crate::ir::{Block, Function, Inst, Loop, LoopKind, Op, Value};

/// Runs the pass.
pub fn once(mut function: Function) -> Function {
    let mut renamed = EntityMap::default();
    block(&mut function.body, &mut renamed);
    substitute(&mut function.body, &renamed);
    function
}

fn block(body: &mut Block, renamed: &mut EntityMap<Value, Value>) {
    for mut inst in std::mem::take(&mut body.insts) {
        inst.op.blocks_mut().for_each(|inner| block(inner, renamed));
        match inst.op {
            Op::Loop(once) if matches!(once.kind, LoopKind::Once) => {
                body.insts.extend(opened(*once, &inst.args, &inst.results, renamed));
            }
            _ => body.insts.push(inst),
        }
    }
}

fn opened(
    once: Loop,
    args: &[Value],
    results: &[Value],
    renamed: &mut EntityMap<Value, Value>,
) -> Vec<Inst> {
    renamed.extend(once.body.params.iter().copied().zip(args.iter().copied()));
    renamed.extend(results.iter().copied().zip(once.body.results));
    once.body.insts
}
