//! Accumulations into the same element, one after the other, become one.
//!
//! `x_bar[i] += a; x_bar[j] += b; x_bar[i] += c;` is `x_bar[j] += b; x_bar[i] += a + c;`: additions to
//! a shadow commute, and each costs a load and a store.

use super::prune::resolve;
use crate::ir::entity::EntityMap;
use crate::ir::{Block, Function, Inst, Op, Path, Type, Value, ValueData};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// Runs the pass.
pub fn combine(mut function: Function) -> Function {
    let mut body = function.take_body();
    let uses = super::count_uses(&body);
    block(&mut function, &mut body, &uses);
    function.body = body;
    function
}

fn block(function: &mut Function, block: &mut Block, uses: &EntityMap<Value, usize>) {
    for inst in &mut block.insts {
        for inner in inst.op.blocks_mut() {
            self::block(function, inner, uses);
        }
    }
    let pairs = pairs(function, block, uses);
    if !pairs.is_empty() {
        merge(function, block, &pairs);
    }
}

/// A row of accumulations into one place, each the only use of the version before it: the last one into each element.
type Chain = Vec<usize>;

/// For each accumulation, by its position, the one before it into the same element, with only accumulations into the
/// same place between them.
fn pairs(
    function: &Function,
    block: &Block,
    uses: &EntityMap<Value, usize>,
) -> HashMap<usize, usize> {
    let mut chains: EntityMap<Value, Chain> = EntityMap::default();
    let mut pairs = HashMap::default();
    for (position, inst) in block.insts.iter().enumerate() {
        if !is_float_accumulation(function, inst) {
            continue;
        }
        let mut chain = chains.remove(&inst.args[0]).unwrap_or_default();
        let is_same = |last: &usize| target(&block.insts[*last]) == target(inst);
        match chain.iter_mut().find(|last| is_same(last)) {
            Some(last) => drop(pairs.insert(position, std::mem::replace(last, position))),
            None => chain.push(position),
        }
        if uses.get(&inst.results[0]) == Some(&1) {
            chains.insert(inst.results[0], chain);
        }
    }
    pairs
}

fn is_float_accumulation(function: &Function, inst: &Inst) -> bool {
    let value = inst.args.last().filter(|_| matches!(inst.op, Op::Accumulate(_)));
    value.is_some_and(|value| function.ty(*value).is_float())
}

/// What is added to: path and indices.
fn target(inst: &Inst) -> Option<(&Path, &[Value])> {
    let Op::Accumulate(path) = &inst.op else { return None };
    Some((path, &inst.args[1..inst.args.len() - 1]))
}

/// Adds the value of the first of each pair to the second accumulation, and removes the first.
fn merge(function: &mut Function, block: &mut Block, pairs: &HashMap<usize, usize>) {
    let firsts: HashSet<usize> = pairs.values().copied().collect();
    let (mut removed, mut versions) = (HashMap::default(), EntityMap::default());
    for (position, mut inst) in std::mem::take(&mut block.insts).into_iter().enumerate() {
        if let Some(version) = inst.args.first_mut() {
            *version = resolve(*version, &versions);
        }
        if let Some(first) = pairs.get(&position).and_then(|first| removed.remove(first)) {
            block.insts.push(sum(function, &first, &mut inst));
        }
        if firsts.contains(&position) {
            versions.insert(inst.results[0], inst.args[0]);
            removed.insert(position, inst);
        } else {
            block.insts.push(inst);
        }
    }
}

/// Adds what one accumulation adds to what another does: the instruction that makes the sum.
fn sum(function: &mut Function, first: &Inst, second: &mut Inst) -> Inst {
    let last = second.args.len() - 1;
    let (a, b) = (first.args[first.args.len() - 1], second.args[last]);
    let data = function.value(b).clone();
    let ty: Type = function.ty(a).join(&data.ty);
    let sum = function.new_value(ValueData { ty, slot: None, annotation: None, ..data });
    second.args[last] = sum;
    Inst { op: Op::Sum, args: vec![a, b], results: vec![sum], span: first.span }
}
