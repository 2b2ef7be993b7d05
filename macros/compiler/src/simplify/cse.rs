//! Common subexpressions: a value that is already at hand is not computed again.
//!
//! Versions of places are values, so equal loads of equal versions are equal, with no question of order.

use super::prune::{resolve, substitute};
use crate::ir::{Block, Function, Inst, Op, Value};
use quote::ToTokens;
use std::collections::HashMap;

/// Runs the pass.
pub fn cse(mut function: Function) -> Function {
    let mut renamed = HashMap::new();
    let mut body = function.body.clone();
    block(&function, &mut body, &mut HashMap::new(), &mut renamed);
    substitute(&mut body, &renamed);
    function.body = body;
    function
}

type Known = HashMap<(String, Vec<Value>), Vec<Value>>;

fn block(
    function: &Function,
    body: &mut Block,
    known: &mut Known,
    renamed: &mut HashMap<Value, Value>,
) {
    let mut kept = Vec::with_capacity(body.insts.len());
    for mut inst in std::mem::take(&mut body.insts) {
        inst.args.iter_mut().for_each(|arg| *arg = resolve(*arg, renamed));
        if is_repeated(function, &inst, known, renamed) {
            continue;
        }
        for inner in inst.op.blocks_mut() {
            block(function, inner, &mut known.clone(), renamed);
        }
        kept.push(inst);
    }
    body.insts = kept;
}

fn is_repeated(
    function: &Function,
    inst: &Inst,
    known: &mut Known,
    renamed: &mut HashMap<Value, Value>,
) -> bool {
    let Some(key) = key(inst) else { return false };
    if inst.results.iter().any(|result| function.slot_of(*result).is_some()) {
        return false;
    }
    let key = (key, inst.args.clone());
    match known.get(&key) {
        Some(values) => {
            renamed.extend(inst.results.iter().copied().zip(values.iter().copied()));
            true
        }
        None => {
            known.insert(key, inst.results.clone());
            false
        }
    }
}

/// What an instruction computes, for those whose result depends on their arguments alone.
fn key(inst: &Inst) -> Option<String> {
    Some(match &inst.op {
        Op::Apply(rule) => format!("apply {}", rule.name),
        Op::Binary(op) => format!("binary {}", op.to_token_stream()),
        Op::Not => "not".to_owned(),
        Op::CastLike => "like".to_owned(),
        Op::Cast(ty) => format!("cast {}", ty.to_token_stream()),
        Op::Load(path) => format!("load {path:?}"),
        Op::Matches(pattern, path) => format!("matches {} {path:?}", pattern.to_token_stream()),
        // Each zero is a place to add to.
        Op::Measure(name, path) if name != crate::lower::ZERO_TANGENT => {
            format!("measure {name} {path:?}")
        }
        Op::Destructure => "destructure".to_owned(),
        Op::Sum => "sum".to_owned(),
        Op::Partial(rule, index, mode) => format!("partial {} {index} {mode:?}", rule.name),
        _ => return None,
    })
}
