//! Calls of names like a type's that are given nothing active.
//!
//! In: a primal function in which `Point(2, 3)` makes a struct, as its name suggests. Out: the same, in which it is a call
//! where no argument is varied. A call is right for a function as well, so nothing hangs on the name. What is made of
//! active values stays a struct, with a tangent made of theirs: there rustc refuses a function.

use crate::analysis::activity::Activity;
use crate::ir::{Block, Call, Callee, Form, Function, Inst, Op, Passing, Type, ValueData};
use syn::ExprPath;

/// Runs the pass.
pub fn constructor(mut function: Function, activity: &Activity) -> Function {
    let mut body = function.take_body();
    block(&mut function, activity, &mut body);
    function.body = body;
    function
}

fn block(function: &mut Function, activity: &Activity, block: &mut Block) {
    for mut inst in std::mem::take(&mut block.insts) {
        inst.op.blocks_mut().for_each(|inner| self::block(function, activity, inner));
        let is_varied = inst.args.iter().any(|arg| activity.is_varied(*arg));
        match call(function.is_watched, &inst).filter(|_| !is_varied) {
            Some(call) => block.insts.extend(called(function, inst, call)),
            None => block.insts.push(inst),
        }
    }
}

/// Returns the call that a struct's construction may be.
fn call(is_watched: bool, inst: &Inst) -> Option<Call> {
    let Op::Struct { path, form: Form::Call, .. } = &inst.op else { return None };
    let callee = ExprPath { attrs: Vec::new(), qself: None, path: (**path).clone() };
    (!crate::syntax::is_prelude_variant(path)).then(|| Call {
        callee: Callee::Path(callee),
        passing: vec![Passing::Value; inst.args.len()],
        functions: vec![None; inst.args.len()],
        is_own: false,
        may_be_own: false,
        is_watched,
        runs_again: false,
        order: 0,
    })
}

/// The call, and its result as the contents of the place.
fn called(function: &mut Function, inst: Inst, call: Call) -> [Inst; 2] {
    let name = format!("{}_value", call.callee.name());
    let value = function.new_value(ValueData::named(Type::Unknown, &name, inst.span));
    let op = Op::Call(Box::new(call));
    let place = Inst { op: Op::Duplicate, args: vec![value], ..inst.clone() };
    [Inst { op, results: vec![value], ..inst }, place]
}
