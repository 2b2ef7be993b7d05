//! Shadows that nobody reads are none.
//!
//! In: the pullback of a product with a zero as the shadow of an operand that is a constant. Out: the same with a shadow to
//! which products that know it add nothing, so that what goes back to the operand is not computed. Which do, types say.

use super::count_uses;
use super::shadows::fresh;
use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{Block, Call, Callee, Function, Inst, Op, Passing, Path, Value, index_count};
use std::ops::Range;

/// Runs the pass.
pub fn unread(mut function: Function) -> Function {
    if !function.copies_operands {
        return function;
    }
    let uses = count_uses(&function.body);
    let mut zeros = fresh(&function, &function.body, &uses);
    function.body.walk(&mut |inst, _| {
        let inner = inst.op.blocks();
        zeros.extend(inner.flat_map(|block| fresh(&function, block, &uses)));
    });
    let mut body = function.take_body();
    let mut pass = Unread { function: &mut function, uses, zeros, gone: EntitySet::default() };
    pass.block(&mut body);
    let gone = pass.gone;
    body.retain(&|inst| inst.results.first().is_none_or(|made| !gone.contains(made)));
    function.body = body;
    function
}

struct Unread<'f> {
    function: &'f mut Function,
    uses: EntityMap<Value, usize>,
    /// Zeros that one instruction uses.
    zeros: EntitySet<Value>,
    /// Those that are not needed any more.
    gone: EntitySet<Value>,
}

impl Unread<'_> {
    fn block(&mut self, block: &mut Block) {
        for mut inst in std::mem::take(&mut block.insts) {
            inst.op.blocks_mut().for_each(|inner| self.block(inner));
            if let Op::Pull(call, shadows) = &inst.op
                && let Some(operands) = product(call, shadows, &inst)
            {
                for position in 0..operands.len() {
                    block.insts.extend(self.unread(position, &operands, &mut inst));
                }
            }
            block.insts.push(inst);
        }
    }

    /// Gives the pullback another shadow of an operand, if nobody reads it; returns what makes that.
    fn unread(&mut self, position: usize, operands: &[Factor; 2], pull: &mut Inst) -> Option<Inst> {
        let operand = &operands[position];
        let shadow = pull.args[operand.shadow];
        if self.uses.contains_key(&operand.next) || !self.zeros.contains(&shadow) {
            return None;
        }
        let made = self.function.renewed(shadow);
        pull.args[operand.shadow] = made;
        self.gone.insert(shadow);
        let [first, second] = operands.each_ref().map(|operand| operand.path.clone());
        let places = operands.iter().flat_map(|operand| &pull.args[operand.place.clone()]);
        Some(Inst {
            op: Op::Unread(position, first, second),
            args: places.copied().collect(),
            results: vec![made],
            span: pull.span,
        })
    }
}

/// An operand of a product whose pullback is called.
struct Factor {
    path: Path,
    /// The arguments that say where it is.
    place: Range<usize>,
    /// The argument that is its shadow.
    shadow: usize,
    /// The version of the shadow that is left.
    next: Value,
}

/// Both operands of a method `dot`, of which each is passed by `&`, with a shadow of its own.
fn product(call: &Call, shadows: &[Path], inst: &Inst) -> Option<[Factor; 2]> {
    let is_product = matches!(&call.callee, Callee::Method(name) if name == "dot");
    let [Passing::Shared(first), Passing::Shared(second)] = &call.passing[..] else { return None };
    if !is_product || call.times() > 1 || shadows.len() < 2 {
        return None;
    }
    let middle = 1 + 1 + index_count(first) + 1 + index_count(&shadows[0]);
    let factor = |at: usize, path: &Path, next: usize| Factor {
        path: path.clone(),
        place: at..at + 1 + index_count(path),
        shadow: at + 1 + index_count(path),
        next: inst.results[next],
    };
    Some([factor(1, first, 0), factor(middle, second, 1)])
}
