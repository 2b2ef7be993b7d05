//! What a loop adds to one spot of a place is summed up by itself, and added when the loop has ended.
//!
//! In: `for j in .. { x_bar[i] += v; }`, where `i` does not change. Out: a sum in a register, and behind the loop
//! `x_bar[i] += sum`, where there was an iteration: otherwise `i` may lie outside of the place. In memory each
//! iteration would wait for what the one before it has stored, and since the index might be out of bounds, rustc
//! could neither keep it in a register nor compute iterations side by side. Additions to a shadow commute.

use super::prune::substitute;
use crate::ir::{Block, Function, Inst, Loop, LoopKind, Op, Projection, Type, Value, ValueData};
use proc_macro2::Span;
use std::collections::{HashMap, HashSet};

/// Runs the pass.
pub fn hold(mut function: Function) -> Function {
    let mut body = function.body.clone();
    let mut literals = HashMap::new();
    body.walk(&mut |inst, _| {
        if let Op::Literal(syn::Lit::Int(literal)) = &inst.op {
            literals.extend(inst.results.first().copied().zip(literal.base10_parse().ok()));
        }
    });
    let mut pass = Hold { function: &mut function, literals };
    pass.block(&mut body);
    function.body = body;
    function
}

struct Hold<'f> {
    function: &'f mut Function,
    literals: HashMap<Value, u128>,
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
            inst.op.blocks_mut().into_iter().for_each(|inner| self.block(inner));
            let mut behind = Vec::new();
            while let Some(spot) = self.spot(&inst) {
                let zero = self.hold(&mut inst, &spot, &mut behind);
                block.insts.push(zero);
            }
            block.insts.push(inst);
            block.insts.extend(behind);
        }
    }

    fn spot(&self, inst: &Inst) -> Option<Spot> {
        let Op::Loop(repeat) = &inst.op else { return None };
        if repeat.breaks || matches!(repeat.kind, LoopKind::While { .. }) {
            return None;
        }
        let mut positions = 0..repeat.body.insts.len();
        positions.find_map(|position| self.spot_at(repeat, position))
    }

    fn spot_at(&self, repeat: &Loop, position: usize) -> Option<Spot> {
        let inst = &repeat.body.insts[position];
        let Op::Accumulate(path) = &inst.op else { return None };
        let is_plain = |step: &Projection| matches!(step, Projection::Index | Projection::Field(_));
        let (value, operands) = inst.args.split_last()?;
        let slot = self.function.slot_of(operands[0])?;
        let is_place = |param: &Value| self.function.slot_of(*param) == Some(slot);
        let carried = repeat.carried().iter().position(is_place)?;
        let is_float = self.function.ty(*value).is_float();
        let is_only_added =
            is_float && path.iter().all(is_plain) && self.is_only_added(repeat, slot);
        let indices =
            is_only_added.then(|| made_outside(&repeat.body, &operands[1..])).flatten()?;
        Some(Spot { position, carried, indices })
    }

    /// Whether a loop does nothing else with a place.
    fn is_only_added(&self, repeat: &Loop, slot: crate::ir::Slot) -> bool {
        let mut is_only_added = true;
        repeat.body.walk(&mut |inst, _| {
            let touches = inst.args.iter().any(|arg| self.function.slot_of(*arg) == Some(slot));
            let is_sum = matches!(inst.op, Op::Accumulate(_)) || !inst.op.blocks().is_empty();
            is_only_added &= !touches || is_sum;
        });
        is_only_added
    }

    /// Takes an accumulation out of a loop, and puts what comes behind the loop in its stead. The zero goes before.
    fn hold(&mut self, inst: &mut Inst, spot: &Spot, behind: &mut Vec<Inst>) -> Inst {
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
        let before = HashMap::from([(removed.results[0], removed.args[0])]);
        substitute(&mut repeat.body, &before);
        repeat.body.params.push(param);
        repeat.body.results.push(next);
        args.push(zero);
        inst.results.push(sum);
        let indices = spot.indices.iter().map(|index| repeat.body.insts[*index].clone()).collect();
        let range = Range {
            start: matches!(repeat.kind, LoopKind::Range { .. }).then_some(args[0]),
            end: args[repeat.bounds().min(2) - 1],
            inclusive: matches!(repeat.kind, LoopKind::Range { inclusive: true, .. }),
        };
        // An earlier one of the same place comes before: its result is the loop's own.
        let result = inst.results[spot.carried];
        let version = self.renewed(result);
        inst.results[spot.carried] = version;
        let added = self.added(removed, indices, (version, sum));
        behind.splice(0..0, self.where_any(added, range, (version, result)));
        Inst { op: Op::Zero(Vec::new()), args: Vec::new(), results: vec![zero], span }
    }

    /// The accumulation of the sum, with its indices made anew.
    fn added(
        &mut self,
        mut accumulation: Inst,
        indices: Vec<Inst>,
        (version, sum): (Value, Value),
    ) -> Vec<Inst> {
        let mut renamed = HashMap::new();
        let mut insts = Vec::new();
        for mut inst in indices.into_iter() {
            for result in &mut inst.results {
                let fresh = self.renewed(*result);
                renamed.insert(std::mem::replace(result, fresh), fresh);
            }
            insts.push(inst);
        }
        let last = accumulation.args.len() - 1;
        accumulation.args[0] = version;
        accumulation.args[last] = sum;
        accumulation.results = vec![self.renewed(version)];
        insts.push(accumulation);
        for inst in &mut insts {
            inst.args.iter_mut().for_each(|arg| *arg = *renamed.get(arg).unwrap_or(arg));
        }
        insts
    }

    /// Instructions that run if the loop had an iteration, and lead from one version to another.
    fn where_any(
        &mut self,
        mut insts: Vec<Inst>,
        range: Range,
        (version, result): (Value, Value),
    ) -> Vec<Inst> {
        let (last, span) = (insts.len() - 1, insts[insts.len() - 1].span);
        if self.has_any(range) {
            insts[last].results = vec![result];
            return insts;
        }
        let (mut then, mut other) = (self.function.new_block(), self.function.new_block());
        then.results = insts[last].results.clone();
        then.insts = insts;
        other.results = vec![version];
        let mut tested = Vec::new();
        let start = range.start.unwrap_or_else(|| {
            let zero = self.function.new_value(named(Type::Int, "none", span));
            let literal = Op::Literal(syn::Lit::Int(syn::LitInt::new("0", span)));
            tested.push(Inst { op: literal, args: Vec::new(), results: vec![zero], span });
            zero
        });
        let condition = self.function.new_value(named(Type::Bool, "any", span));
        let test = Op::Binary(match range.inclusive {
            false => syn::BinOp::Lt(syn::token::Lt { spans: [span] }),
            true => syn::BinOp::Le(syn::token::Le { spans: [span; 2] }),
        });
        let branch = Op::If(Box::new(then), Box::new(other));
        tested.extend([
            Inst { op: test, args: vec![start, range.end], results: vec![condition], span },
            Inst { op: branch, args: vec![condition], results: vec![result], span },
        ]);
        tested
    }

    /// Whether it shows that there is an iteration.
    fn has_any(&self, range: Range) -> bool {
        let start = range.start.and_then(|start| self.literals.get(&start));
        let end = self.literals.get(&range.end);
        start.zip(end).is_some_and(|(start, end)| start < end || range.inclusive && start == end)
    }

    /// Another version of a place, or another value like it.
    fn renewed(&mut self, value: Value) -> Value {
        let data = self.function.value(value).clone();
        self.function.new_value(data)
    }
}

/// What a loop goes over: from zero on, where it has no numbers.
#[derive(Clone, Copy)]
struct Range {
    start: Option<Value>,
    end: Value,
    inclusive: bool,
}

fn named(ty: Type, name: &str, span: Span) -> ValueData {
    ValueData { ty, name: name.to_owned(), span, slot: None, annotation: None }
}

/// The instructions in a loop's body that make values, where these do not depend on the iteration; else nothing.
fn made_outside(body: &Block, values: &[Value]) -> Option<Vec<usize>> {
    let (mut needed, mut made): (Vec<Value>, HashSet<usize>) = (values.to_vec(), HashSet::new());
    while let Some(value) = needed.pop() {
        if body.params.contains(&value) {
            return None;
        }
        let position = body.insts.iter().position(|inst| inst.results.contains(&value));
        let Some(position) = position else { continue };
        let inst = &body.insts[position];
        if !crate::analysis::residuals::is_pure(&inst.op) {
            return None;
        }
        needed.extend(&inst.args);
        made.insert(position);
    }
    let mut made: Vec<usize> = made.into_iter().collect();
    made.sort_unstable();
    Some(made)
}
