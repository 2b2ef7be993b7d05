//! Literals beside a type parameter that stands for a float are of its type.
//!
//! In: a function, in which rules, seeds and loops made literals of no type. Out: the same with the
//! parameter as the type of each float that arithmetic joins with a value of it. Nothing else infers them:
//! rustc knows how to multiply `T` by `T` only.

use crate::ir::{Block, FloatKind, Function, Inst, Op, Path, Type, Value, index_count};

/// Runs the pass.
pub fn kinds(mut function: Function) -> Function {
    if !function.values.iter().any(|value| parameter(&value.ty).is_some()) {
        return function;
    }
    let joined = (0..function.values.len()).collect();
    let seeds = function.values.iter().map(|value| parameter(&value.ty).cloned()).collect();
    let mut classes = Classes { function: &function, joined, seeds, changes: 1 };
    while std::mem::take(&mut classes.changes) > 0 {
        classes.block(&function.body);
    }
    let found: Vec<Option<Type>> =
        (0..function.values.len()).map(|value| classes.found(value)).collect();
    for (value, ty) in function.values.iter_mut().zip(found) {
        let is_open = match value.ty {
            Type::Float(FloatKind::Literal) => true,
            Type::Unknown => value.slot.is_none(),
            _ => false,
        };
        value.ty = ty.filter(|_| is_open).unwrap_or_else(|| value.ty.clone());
    }
    function
}

/// The type, if it is a type parameter that stands for a float.
fn parameter(ty: &Type) -> Option<&Type> {
    matches!(ty, Type::Float(FloatKind::Parameter(_))).then_some(ty)
}

/// Values of one type, as a forest; the type of a class stands at its root.
struct Classes<'f> {
    function: &'f Function,
    joined: Vec<usize>,
    seeds: Vec<Option<Type>>,
    /// How many classes were joined since this was asked.
    changes: usize,
}

impl Classes<'_> {
    fn root(&self, mut value: usize) -> usize {
        while self.joined[value] != value {
            value = self.joined[value];
        }
        value
    }

    fn found(&self, value: usize) -> Option<Type> {
        self.seeds[self.root(value)].clone()
    }

    fn join(&mut self, a: Value, b: Value) {
        let (a, b) = (self.root(a.0 as usize), self.root(b.0 as usize));
        if a != b {
            self.changes += 1;
            self.joined[a] = b;
            self.seeds[b] = self.seeds[b].take().or(self.seeds[a].take());
        }
    }

    fn join_each(&mut self, a: &[Value], b: &[Value]) {
        a.iter().zip(b).for_each(|(a, b)| self.join(*a, *b));
    }

    /// A value that is put where there is this type.
    fn is(&mut self, value: Value, ty: &Type) {
        if let Some(ty) = parameter(ty) {
            let root = self.root(value.0 as usize);
            self.seeds[root].get_or_insert(ty.clone());
        }
    }

    fn block(&mut self, block: &Block) {
        for inst in &block.insts {
            inst.op.blocks().into_iter().for_each(|block| self.block(block));
            self.inst(inst);
        }
    }

    fn inst(&mut self, inst: &Inst) {
        let function = self.function;
        match &inst.op {
            Op::Apply(rule) if !self.is_homogeneous(rule.name, inst) => {}
            Op::Apply(rule) => {
                let floats = rule.params.iter().zip(&inst.args).filter(|(param, _)| !param.integer);
                floats.for_each(|(_, arg)| self.join(*arg, inst.results[0]));
            }
            Op::Sum => inst.args.iter().for_each(|arg| self.join(*arg, inst.results[0])),
            Op::Binary(_) if inst.args.len() == 2 => self.join(inst.args[0], inst.args[1]),
            Op::Duplicate | Op::UnwrapOr => {
                self.is(inst.args[inst.args.len() - 1], function.ty(inst.results[0]));
            }
            Op::If(then, other) => {
                self.join_each(&inst.results, &then.results);
                self.join_each(&inst.results, &other.results);
            }
            Op::Loop(repeat) => {
                let starts = &inst.args[repeat.bounds()..];
                self.join_each(starts, repeat.carried());
                self.join_each(repeat.next(), repeat.carried());
                self.join_each(&inst.results, repeat.carried());
            }
            Op::Store(path) | Op::Accumulate(path) | Op::Replace(path) | Op::Insert(_, path) => {
                self.put(inst, path);
            }
            Op::Array | Op::ArrayRepeat(_) | Op::VecList => {
                let item = function.ty(inst.results[0]).element();
                inst.args.iter().for_each(|arg| self.is(*arg, &item));
            }
            Op::VecRepeat => self.is(inst.args[0], &function.ty(inst.results[0]).element()),
            _ => {}
        }
    }

    /// Whether the operands have the type of the result. What is multiplied may be a vector of the user's.
    fn is_homogeneous(&self, rule: &str, inst: &Inst) -> bool {
        let is_product = matches!(rule, "mul" | "div" | "rem");
        let is_float = self.function.ty(inst.args[0]).is_float();
        !is_product || is_float || self.found(inst.results[0].0 as usize).is_some()
    }

    /// The value that a write puts into a part of a place.
    fn put(&mut self, inst: &Inst, path: &Path) {
        let part = self.function.ty(inst.args[0]).part(path);
        let part = if matches!(inst.op, Op::Insert(..)) { part.element() } else { part };
        if let Some(value) = inst.args[1 + index_count(path)..].last() {
            self.is(*value, &part);
        }
    }
}
