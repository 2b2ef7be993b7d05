//! Accumulations into the same element, one after the other, become one.
//!
//! `x_bar[i] += a; x_bar[j] += b; x_bar[i] += c;` is `x_bar[j] += b; x_bar[i] += a + c;`: additions to
//! a shadow commute, and each costs a load and a store.

use crate::ir::{Block, Function, Inst, Op, Type, Value, ValueData};
use std::collections::HashMap;

/// Runs the pass.
pub fn combine(mut function: Function) -> Function {
    let mut body = function.body.clone();
    let uses = super::count_uses(&body);
    block(&mut function, &mut body, &uses);
    function.body = body;
    function
}

fn block(function: &mut Function, block: &mut Block, uses: &HashMap<Value, usize>) {
    for inst in &mut block.insts {
        for inner in inst.op.blocks_mut() {
            self::block(function, inner, uses);
        }
    }
    while let Some((first, second)) = pair(function, block, uses) {
        merge(function, block, first, second);
    }
}

/// Two accumulations into one element, with only accumulations of the same place between them.
fn pair(
    function: &Function,
    block: &Block,
    uses: &HashMap<Value, usize>,
) -> Option<(usize, usize)> {
    for (first, inst) in block.insts.iter().enumerate() {
        if !is_float_accumulation(function, inst) {
            continue;
        }
        let mut version = inst.results[0];
        while let Some(next) = successor(block, version, uses) {
            let other = &block.insts[next];
            if !is_float_accumulation(function, other) {
                break;
            }
            if target(inst) == target(other) {
                return Some((first, next));
            }
            version = other.results[0];
        }
    }
    None
}

/// The accumulation that is the only use of a version.
fn successor(block: &Block, version: Value, uses: &HashMap<Value, usize>) -> Option<usize> {
    let is_next =
        |inst: &Inst| matches!(inst.op, Op::Accumulate(_)) && inst.args.first() == Some(&version);
    block.insts.iter().position(is_next).filter(|_| uses.get(&version) == Some(&1))
}

fn is_float_accumulation(function: &Function, inst: &Inst) -> bool {
    let value = inst.args.last().filter(|_| matches!(inst.op, Op::Accumulate(_)));
    value.is_some_and(|value| function.ty(*value).is_float())
}

/// What is added to: path and indices.
fn target(inst: &Inst) -> Option<(&crate::ir::Path, &[Value])> {
    let Op::Accumulate(path) = &inst.op else { return None };
    Some((path, &inst.args[1..inst.args.len() - 1]))
}

/// Adds the first value to the second accumulation, and removes the first.
fn merge(function: &mut Function, block: &mut Block, first: usize, second: usize) {
    let removed = block.insts[first].clone();
    let last = block.insts[second].args.len() - 1;
    let (a, b) = (removed.args[removed.args.len() - 1], block.insts[second].args[last]);
    let data = function.value(b).clone();
    let ty: Type = function.ty(a).join(&data.ty);
    let sum = function.new_value(ValueData { ty, slot: None, annotation: None, ..data });
    let inst = Inst { op: Op::Sum, args: vec![a, b], results: vec![sum], span: removed.span };
    block.insts[second].args[last] = sum;
    block.insts.insert(second, inst);
    block.insts.remove(first);
    for inst in &mut block.insts {
        if inst.args.first() == Some(&removed.results[0]) {
            inst.args[0] = removed.args[0];
        }
    }
}
