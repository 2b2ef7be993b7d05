//! Values that own memory are where they were put.
//!
//! In: `let mut y = clone(a); .. f(&a)`, as the reverse transform writes what is used again. Out: `let mut y = a; .. f(&y)`,
//! where nothing writes `y`.

use super::count_uses;
use super::shadows::is_owned;
use crate::analysis::loans::Uses;
use crate::ir::{Block, Function, Inst, Op, Value};

/// Runs the pass.
pub fn reside(mut function: Function) -> Function {
    if !function.copies_operands || function.is_recursive {
        return function;
    }
    let places = places(&function);
    let mut body = function.take_body();
    read_again(&mut function, &mut body, &places);
    function.body = body;
    function
}

/// The places from which may be read what is put into them.
fn places(function: &Function) -> Vec<Value> {
    let uses = Uses::new(function, &function.body);
    let counts = count_uses(&function.body);
    let mut places = Vec::new();
    function.body.walk(&mut |inst, block| {
        if let (Op::Duplicate, [value], [place]) = (&inst.op, &inst.args[..], &inst.results[..])
            && is_owned(function, *place)
            && function.slot_of(*value).is_none()
            && uses.resides(inst, block, &counts)
        {
            places.push(*place);
        }
    });
    places
}

/// Lets what follows the instructions that make these places read them.
fn read_again(function: &mut Function, block: &mut Block, places: &[Value]) {
    let mut at = 0;
    while at < block.insts.len() {
        let inst = &mut block.insts[at];
        for inner in inst.op.blocks_mut() {
            read_again(function, inner, places);
        }
        at += 1;
        let inst = &block.insts[at - 1];
        if inst.results.first().is_some_and(|result| places.contains(result)) {
            let (value, place, span) = (inst.args[0], inst.results[0], inst.span);
            let read = function.renewed(value);
            let change = |used: &mut Value| *used = if *used == value { read } else { *used };
            block.insts[at..].iter_mut().for_each(|inst| map_uses(inst, &mut { change }));
            let load =
                Inst { op: Op::Load(Vec::new()), args: vec![place], results: vec![read], span };
            block.insts.insert(at, load);
            at += 1;
        }
    }
}

fn map_uses(inst: &mut Inst, change: &mut dyn FnMut(&mut Value)) {
    inst.args.iter_mut().for_each(&mut *change);
    inst.op.blocks_mut().for_each(|inner| inner.map_uses(change));
}
