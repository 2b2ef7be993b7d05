//! What a loop adds to one spot of a place is summed up by itself, and added when the loop has ended.
//!
//! In: `for j in .. { x_bar[i] += v; }`, where `i` does not change. Out: a sum in a register, and behind the loop
//! `x_bar[i] += sum`, where there was an iteration: otherwise `i` may lie outside of the place. In memory each
//! iteration would wait for what the one before it has stored, and since the index might be out of bounds, rustc
//! could neither keep it in a register nor compute iterations side by side. Additions to a shadow commute.

use super::prune::substitute;
use super::ranges::{Literals, Range};
use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{Block, Function, Inst, Loop, LoopKind, Op, Projection, Slot, Value, ValueData};
use std::collections::BTreeSet;

/// Runs the pass.
pub fn hold(mut function: Function) -> Function {
    let literals = Literals::of(&function);
    let mut body = function.take_body();
    let mut pass = Hold { function: &mut function, literals: &literals };
    pass.block(&mut body);
    function.body = body;
    function
}

struct Hold<'f> {
    function: &'f mut Function,
    literals: &'f Literals,
}

/// An accumulation that is taken out of a loop.
struct Spot {
    /// Its position in the loop's body, and that of the place among what the loop carries.
    position: usize,
    carried: usize,
    /// The positions of the instructions that make its indices.
    indices: Vec<usize>,
}

impl Hold<'_> {
    fn block(&mut self, block: &mut Block) {
        for mut inst in std::mem::take(&mut block.insts) {
            inst.op.blocks_mut().for_each(|inner| self.block(inner));
            let (mut behind, mut renamed) = (Vec::new(), EntityMap::default());
            for spot in self.spots(&inst) {
                let zero = self.hold(&mut inst, &spot, &mut behind, &mut renamed);
                block.insts.push(zero);
            }
            inst.op.blocks_mut().for_each(|inner| substitute(inner, &renamed));
            block.insts.push(inst);
            block.insts.extend(behind);
        }
    }

    fn spots(&self, inst: &Inst) -> Vec<Spot> {
        let Op::Loop(repeat) = &inst.op else { return Vec::new() };
        let is_added = |inst: &Inst| matches!(inst.op, Op::Accumulate(_));
        let is_counted = !repeat.breaks && !matches!(repeat.kind, LoopKind::While { .. });
        if !is_counted || !repeat.body.insts.iter().any(is_added) {
            return Vec::new();
        }
        let (others, made) = (self.others(repeat), super::made(&repeat.body.insts));
        let positions = 0..repeat.body.insts.len();
        positions.filter_map(|position| self.spot(repeat, position, &others, &made)).collect()
    }

    fn spot(
        &self,
        repeat: &Loop,
        position: usize,
        others: &EntitySet<Slot>,
        made: &EntityMap<Value, usize>,
    ) -> Option<Spot> {
        let inst = &repeat.body.insts[position];
        let Op::Accumulate(path) = &inst.op else { return None };
        let (value, operands) = inst.args.split_last()?;
        let slot = self.function.slot_of(operands[0])?;
        let is_place = |param: &Value| self.function.slot_of(*param) == Some(slot);
        let carried = repeat.carried().iter().position(is_place)?;
        let is_held = self.function.ty(*value).is_float()
            && path.iter().all(Projection::is_plain)
            && !others.contains(&slot);
        let indices = is_held.then(|| made_outside(&repeat.body, made, &operands[1..]));
        Some(Spot { position, carried, indices: indices.flatten()? })
    }

    /// The places with which a loop does something else than to add to them.
    fn others(&self, repeat: &Loop) -> EntitySet<Slot> {
        let mut others = EntitySet::default();
        repeat.body.walk(&mut |inst, _| {
            if !matches!(inst.op, Op::Accumulate(_)) && !inst.op.has_blocks() {
                others.extend(inst.args.iter().filter_map(|arg| self.function.slot_of(*arg)));
            }
        });
        others
    }

    /// Takes an accumulation out of a loop, and puts what comes behind the loop in its stead. The zero goes before.
    fn hold(
        &mut self,
        inst: &mut Inst,
        spot: &Spot,
        behind: &mut Vec<Inst>,
        renamed: &mut EntityMap<Value, Value>,
    ) -> Inst {
        let args = &mut inst.args;
        let Op::Loop(repeat) = &mut inst.op else { unreachable!("a spot is in a loop") };
        let removed = repeat.body.insts[spot.position].clone();
        let value = removed.args[removed.args.len() - 1];
        let data = ValueData { slot: None, annotation: None, ..self.function.value(value).clone() };
        let [zero, param, next, sum] =
            std::array::from_fn(|_| self.function.new_value(data.clone()));
        let span = removed.span;
        repeat.body.insts[spot.position] =
            Inst { op: Op::Sum, args: vec![param, value], results: vec![next], span };
        renamed.insert(removed.results[0], removed.args[0]);
        repeat.body.params.push(param);
        repeat.body.results.push(next);
        args.push(zero);
        inst.results.push(sum);
        let indices = spot.indices.iter().map(|index| repeat.body.insts[*index].clone()).collect();
        let range = Range::of(repeat, args);
        // An earlier one of the same place comes before: its result is the loop's own.
        let result = inst.results[spot.carried];
        let version = self.function.renewed(result);
        inst.results[spot.carried] = version;
        let added = self.added(removed, indices, (version, sum));
        let added = range.where_any(self.function, self.literals, added, (version, result));
        behind.splice(0..0, added);
        Inst { op: Op::Zero(Vec::new()), args: Vec::new(), results: vec![zero], span }
    }

    /// The accumulation of the sum, with its indices made anew.
    fn added(
        &mut self,
        mut accumulation: Inst,
        indices: Vec<Inst>,
        (version, sum): (Value, Value),
    ) -> Vec<Inst> {
        let mut renamed = EntityMap::default();
        let mut insts = Vec::new();
        for mut inst in indices.into_iter() {
            for result in &mut inst.results {
                let fresh = self.function.renewed(*result);
                renamed.insert(std::mem::replace(result, fresh), fresh);
            }
            insts.push(inst);
        }
        let last = accumulation.args.len() - 1;
        accumulation.args[0] = version;
        accumulation.args[last] = sum;
        accumulation.results = vec![self.function.renewed(version)];
        insts.push(accumulation);
        for inst in &mut insts {
            inst.args.iter_mut().for_each(|arg| *arg = *renamed.get(arg).unwrap_or(arg));
        }
        insts
    }
}

/// The instructions in a loop's body that make values, where these do not depend on the iteration; else nothing.
fn made_outside(
    body: &Block,
    made: &EntityMap<Value, usize>,
    values: &[Value],
) -> Option<Vec<usize>> {
    let (mut needed, mut positions) = (values.to_vec(), BTreeSet::new());
    while let Some(value) = needed.pop() {
        if body.params.contains(&value) {
            return None;
        }
        let Some(position) = made.get(&value) else { continue };
        let inst = &body.insts[*position];
        if !crate::analysis::residuals::is_pure(&inst.op) {
            return None;
        }
        needed.extend(&inst.args);
        positions.insert(*position);
    }
    Some(positions.into_iter().collect())
}
