//! Moves out of places in loops become copies.
//!
//! A place that is made before a loop, moved out of in it and written again is legal Rust where control flow
//! shows that it is written. Early exits are flags here, which rustc does not see through, so such a move is
//! made a copy, unless the place is written again in the same block.

use crate::analysis::refills::{Refills, refills};
use crate::analysis::residuals::{handed_on, may_move_out};
use crate::ir::entity::EntitySet;
use crate::ir::{Block, Function, Inst, Op, Slot, Value};

/// Runs the pass.
pub fn moves(mut function: Function) -> Function {
    let (handed_on, refills) = (handed_on(&function), refills(&function));
    let mut body = function.take_body();
    Moves { function: &function, handed_on, refills }.block(&mut body, None);
    function.body = body;
    function
}

struct Moves<'f> {
    function: &'f Function,
    handed_on: EntitySet<Value>,
    refills: Refills,
}

impl Moves<'_> {
    /// `made` holds the places made in the innermost loop; there is nothing to do outside of loops.
    fn block(&self, block: &mut Block, mut made: Option<EntitySet<Slot>>) {
        for inst in &mut block.insts {
            if made.as_ref().is_some_and(|made| self.moves_out(inst, made)) {
                match &inst.op {
                    Op::Load(path) => inst.op = Op::Clone(path.clone()),
                    _ => inst.op = Op::Clone(Vec::new()),
                }
            }
            let is_loop = matches!(inst.op, Op::Loop(_));
            for inner in inst.op.blocks_mut() {
                self.block(inner, if is_loop { Some(EntitySet::default()) } else { made.clone() });
            }
            if let Some(made) = &mut made {
                made.extend(inst.results.iter().filter_map(|result| self.root(inst, *result)));
            }
        }
    }

    /// Whether an instruction moves out of a place that is made outside.
    fn moves_out(&self, inst: &Inst, made: &EntitySet<Slot>) -> bool {
        let Some(slot) = inst.args.first().and_then(|place| self.function.slot_of(*place)) else {
            return false;
        };
        let moves = match &inst.op {
            Op::Duplicate => !self.function.slot(slot).ty.is_copy(),
            _ => may_move_out(self.function, inst) && self.handed_on.contains(&inst.results[0]),
        };
        moves && !made.contains(&slot) && !self.refills.may_move(inst.results[0])
    }

    /// The slot of a result that is the first version of a place.
    fn root(&self, inst: &Inst, result: Value) -> Option<Slot> {
        let slot = self.function.slot_of(result)?;
        let is_here = |value: &Value| self.function.slot_of(*value) == Some(slot);
        let blocks = inst.op.blocks();
        let yields = blocks.flat_map(|block| &block.results);
        (!inst.args.iter().chain(yields).any(is_here)).then_some(slot)
    }
}
