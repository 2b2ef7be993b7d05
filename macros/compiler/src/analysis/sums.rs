//! What the way back through an operator keeps of its operands.
//!
//! In: value and pullback of `+` or `-` of a type of the user's. Out: where it keeps something of an operand. That of a sum
//! must not: derivative code that cannot see the operands' type keeps neither, since floats need none.

use crate::ir::entity::EntitySet;
use crate::ir::{Block, Function, Inst, Op, Type, Value};
use proc_macro2::Span;

/// The first value that depends on a parameter and is read on the way back. Of a pullback of a call its type tells what
/// it keeps, and a shape is that of every value of a type that is copied.
pub fn kept(function: &Function) -> Option<Span> {
    let closure = function.body.insts.iter().find_map(|inst| match &inst.op {
        Op::Closure(body) => Some(&**body),
        _ => None,
    })?;
    let outside = dependent(function, closure);
    let is_kept =
        |value: &Value| outside.contains(value) && !matches!(function.ty(*value), Type::Pullback);
    let mut found = closure.results.iter().copied().find(is_kept);
    closure.walk(&mut |inst, block| {
        let args = inst.args.iter().filter(|_| !matches!(inst.op, Op::Zero(_)));
        let results = block.results.iter();
        found = found.or_else(|| args.chain(results).copied().find(is_kept));
        let is_taped = matches!(inst.op, Op::TapePop(_));
        found = found.or(inst.results.first().copied().filter(|_| is_taped));
    });
    found.map(|value| function.value(value).span)
}

/// What depends on a parameter, outside of the pullback.
fn dependent(function: &Function, closure: &Block) -> EntitySet<Value> {
    let mut values: EntitySet<Value> = function.body.params.iter().copied().collect();
    for inst in &function.body.insts {
        let is_closure = matches!(&inst.op, Op::Closure(body) if body.id == closure.id);
        if !is_closure && reads(inst, &values) {
            values.extend(&inst.results);
        }
    }
    values
}

fn reads(inst: &Inst, values: &EntitySet<Value>) -> bool {
    let mut found = false;
    inst.each_use(&mut |value| found |= values.contains(&value));
    found
}
