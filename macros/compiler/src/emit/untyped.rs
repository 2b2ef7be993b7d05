//! Floats whose type rustc cannot tell where they are made: literals, and what is computed from nothing else.
//!
//! In: a function. Out: its values that need their type said before a method is called on them. In the
//! user's code an annotation or an operand said it, which derivative code may have left behind.

use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{Block, Function, Inst, LoopKind, Op, Value};

/// All such values of a function.
pub fn untyped(function: &Function) -> EntitySet<Value> {
    let mut found =
        Untyped { function, values: EntitySet::default(), tuples: EntityMap::default() };
    found.block(&function.body);
    found.values
}

struct Untyped<'f> {
    function: &'f Function,
    values: EntitySet<Value>,
    /// What tuples were made of.
    tuples: EntityMap<Value, Vec<Value>>,
}

impl Untyped<'_> {
    fn block(&mut self, block: &Block) {
        for inst in &block.insts {
            if let Op::Loop(repeat) = &inst.op {
                let starts = &inst.args[repeat.bounds()..];
                self.pass_on(starts, repeat.carried());
                self.pass_on(starts, &inst.results);
                if let LoopKind::While { condition } = &repeat.kind {
                    self.pass_on(starts, &condition.params);
                }
            }
            inst.op.blocks().for_each(|block| self.block(block));
            self.inst(inst);
        }
    }

    fn inst(&mut self, inst: &Inst) {
        let is_bare = inst.args.iter().all(|arg| self.is_untyped(*arg));
        match &inst.op {
            Op::If(then, other) => {
                let arms = then.results.iter().zip(&other.results);
                for (result, (a, b)) in inst.results.iter().zip(arms) {
                    self.mark(*result, self.is_untyped(*a) && self.is_untyped(*b));
                }
            }
            Op::Literal(syn::Lit::Float(literal)) => {
                self.mark_written(inst.results[0], literal.suffix().is_empty());
            }
            Op::Zero(_) | Op::One | Op::Undefined => {
                self.mark(inst.results[0], inst.args.is_empty());
            }
            Op::Apply(_) | Op::Binary(_) | Op::Sum => {
                self.mark_written(inst.results[0], is_bare && is_operator(&inst.op));
            }
            Op::Tuple => {
                self.tuples.insert(inst.results[0], inst.args.clone());
            }
            Op::Destructure => self.fields(inst),
            _ => {}
        }
    }

    fn pass_on(&mut self, from: &[Value], to: &[Value]) {
        for (from, to) in from.iter().zip(to) {
            self.mark(*to, self.is_untyped(*from));
        }
    }

    /// What a tuple is taken apart into is what it was made of.
    fn fields(&mut self, inst: &Inst) {
        let Some(made) = self.tuples.get(&inst.args[0]).cloned() else { return };
        self.pass_on(&made, &inst.results);
        for (from, to) in made.iter().zip(&inst.results) {
            if let Some(inner) = self.tuples.get(from).cloned() {
                self.tuples.insert(*to, inner);
            }
        }
    }

    fn is_untyped(&self, value: Value) -> bool {
        self.values.contains(&value)
    }

    /// What is written with its type is known by it.
    fn mark_written(&mut self, value: Value, is_untyped: bool) {
        self.mark(value, is_untyped && self.function.annotation(value).is_none());
    }

    fn mark(&mut self, value: Value, is_untyped: bool) {
        if is_untyped && self.function.ty(value).is_float() {
            self.values.insert(value);
        }
    }
}

/// Whether an operation is written with an operator, which passes types on.
fn is_operator(op: &Op) -> bool {
    match op {
        Op::Apply(rule) => matches!(rule.name, "add" | "sub" | "mul" | "div" | "rem" | "neg"),
        _ => true,
    }
}
