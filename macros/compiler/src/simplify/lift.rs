//! Zeros of places that a loop does not change are made once, before it.
//!
//! In: `for i in .. { let s_dot = zero_tangent(s); f(&s.a[i], &s_dot.a[i]); }`, as the forward transform writes calls
//! with parts of a constant place. A zero of all of the place in each iteration would cost its size times their number.
//! Out: the zero before the loop, if it is only read.

use crate::ir::entity::EntityMap;
use crate::ir::{Block, Function, Inst, Op, Slot};

/// Runs the pass.
pub fn lift(mut function: Function) -> Function {
    let mut body = function.take_body();
    let mut versions = EntityMap::default();
    body.walk(&mut |inst, _| {
        let made = inst.results.iter().chain(inst.op.blocks().flat_map(|block| &block.params));
        made.filter_map(|value| function.slot_of(*value))
            .for_each(|slot| *versions.entry(slot).or_default() += 1);
    });
    block(&function, &mut body, &versions);
    function.body = body;
    function
}

/// How many versions there are of each place.
type Versions = EntityMap<Slot, usize>;

fn block(function: &Function, body: &mut Block, versions: &Versions) {
    for mut inst in std::mem::take(&mut body.insts) {
        inst.op.blocks_mut().for_each(|inner| block(function, inner, versions));
        if let Op::Loop(repeat) = &mut inst.op {
            let inside = repeat.body.made();
            let is_lifted = |inst: &Inst| {
                let slot = inst.results.first().and_then(|result| function.slot_of(*result));
                matches!(inst.op, Op::Zero(_))
                    && slot.is_some_and(|slot| versions.get(&slot) == Some(&1))
                    && !inst.args.is_empty()
                    && inst.args.iter().all(|arg| !inside.contains(arg))
            };
            body.insts.extend(repeat.body.insts.extract_if(.., |inst| is_lifted(inst)));
        }
        body.insts.push(inst);
    }
}
