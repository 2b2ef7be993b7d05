//! The fingerprint of a function: a number by which a changed function is told from the one before.
//!
//! In: a function. Out: a hash of all that its text says, without writing it. Spans and names are left out. What has no
//! cheaper hash is hashed by its text.

use super::{Block, Function, Inst, Loop, Op, Value, print};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Returns the number that functions of the same text have.
pub fn fingerprint(function: &Function) -> u64 {
    let mut print = Fingerprint { function, hasher: FxHasher::default() };
    function.outputs.hash(&mut print.hasher);
    function.tapes.hash(&mut print.hasher);
    function.active.hash(&mut print.hasher);
    function.lent.hash(&mut print.hasher);
    function.held.hash(&mut print.hasher);
    function.backwards.hash(&mut print.hasher);
    print.block(&function.body);
    print.hasher.finish()
}

struct Fingerprint<'f> {
    function: &'f Function,
    hasher: FxHasher,
}

impl Fingerprint<'_> {
    fn block(&mut self, block: &Block) {
        self.definitions(&block.params);
        block.insts.len().hash(&mut self.hasher);
        block.insts.iter().for_each(|inst| self.inst(inst));
        block.results.hash(&mut self.hasher);
    }

    fn inst(&mut self, inst: &Inst) {
        inst.args.hash(&mut self.hasher);
        self.definitions(&inst.results);
        self.operation(&inst.op);
        inst.op.blocks().for_each(|block| self.block(block));
    }

    fn definitions(&mut self, values: &[Value]) {
        values.len().hash(&mut self.hasher);
        for value in values {
            let data = self.function.value(*value);
            (value, data.slot, &data.ty).hash(&mut self.hasher);
        }
    }

    /// An operation without its blocks.
    fn operation(&mut self, op: &Op) {
        let hasher = &mut self.hasher;
        std::mem::discriminant(op).hash(hasher);
        match op {
            Op::Literal(literal) => of_literal(literal, hasher),
            Op::Apply(rule) => std::ptr::hash(*rule, hasher),
            Op::Binary(op) => std::mem::discriminant(op).hash(hasher),
            Op::Load(path)
            | Op::Store(path)
            | Op::Accumulate(path)
            | Op::Replace(path)
            | Op::Clone(path)
            | Op::Zero(path)
            | Op::Cleared(path)
            | Op::Rejoin(path) => path.hash(hasher),
            Op::Insert(end, path) | Op::Remove(end, path) => (end, path).hash(hasher),
            Op::Exchange(a, b) => (a, b).hash(hasher),
            Op::Measure(name, path) => (name, path).hash(hasher),
            Op::Method(name) => name.hash(hasher),
            Op::TapePush(tape) | Op::TapePop(tape) => tape.hash(hasher),
            Op::Loop(repeat) => of_loop(repeat, hasher),
            Op::If(..)
            | Op::Closure(_)
            | Op::Sum
            | Op::Total
            | Op::One
            | Op::Undefined
            | Op::Tuple
            | Op::Array
            | Op::VecRepeat
            | Op::Duplicate
            | Op::Destructure => {}
            other => print::operation(other).hash(hasher),
        }
    }
}

fn of_literal(literal: &syn::Lit, hasher: &mut FxHasher) {
    match literal {
        syn::Lit::Int(number) => (number.base10_digits(), number.suffix()).hash(hasher),
        syn::Lit::Float(number) => (number.base10_digits(), number.suffix()).hash(hasher),
        other => other.hash(hasher),
    }
}

fn of_loop(repeat: &Loop, hasher: &mut FxHasher) {
    std::mem::discriminant(&repeat.kind).hash(hasher);
    if let super::LoopKind::Range { inclusive, adaptors } = &repeat.kind {
        (inclusive, adaptors).hash(hasher);
    }
    (repeat.schedule, repeat.breaks).hash(hasher);
}
