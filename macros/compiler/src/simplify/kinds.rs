//! Which floats values are that arithmetic joins with floats.
//!
//! In: a function, in which types are unknown of what is read from structs, and in which rules, seeds and loops made
//! literals of no type. Out: the same with a float type for each value of unknown type that arithmetic joins with a
//! float. Where a type parameter stands for a float, that is the type, and literals have it, too. Nothing else infers
//! them: rustc knows how to multiply `T` by `T` only.
//!
//! Invariant: a value that may be a vector of the user's gets no type. A sum is of its operands' type where no types are
//! named that are added to floats; a product is only told by its result.

use crate::ir::entity::EntitySet;
use crate::ir::{Block, FloatKind, Function, Inst, Op, Path, Type, Value, index_count};

/// Runs the pass.
pub fn kinds(mut function: Function) -> Function {
    let has_parameters = function.values.iter().any(|value| is_parameter(&value.ty));
    let is_told: fn(&Type) -> bool = if has_parameters { is_parameter } else { is_named };
    let seed = |ty: &Type| is_told(ty).then(|| ty.clone());
    let seeds: Vec<_> = function.values.iter().map(|value| seed(&value.ty)).collect();
    if seeds.iter().all(Option::is_none) || (function.adds_to_floats && !has_parameters) {
        return function;
    }
    let joined = (0..function.values.len()).collect();
    let literals = if has_parameters { EntitySet::default() } else { literals(&function) };
    let sizes = vec![1; function.values.len()];
    let mut classes = Classes {
        function: &function,
        joined,
        sizes,
        seeds,
        is_told,
        literals,
        has_parameters,
        changes: 1,
    };
    while std::mem::take(&mut classes.changes) > 0 {
        classes.block(&function.body);
    }
    classes.leave_numbers();
    let found: Vec<Option<Type>> =
        (0..function.values.len()).map(|value| classes.found(value)).collect();
    for (value, ty) in function.values.iter_mut().zip(found) {
        let is_open = match value.ty {
            Type::Float(FloatKind::Literal) => has_parameters,
            Type::Unknown => value.slot.is_none(),
            _ => false,
        };
        value.ty = ty.filter(|_| is_open).unwrap_or_else(|| value.ty.clone());
    }
    function
}

fn literals(function: &Function) -> EntitySet<Value> {
    let mut literals = EntitySet::default();
    function.body.walk(&mut |inst, _| {
        if let Op::Literal(_) = inst.op {
            literals.extend(&inst.results);
        }
    });
    literals
}

/// Whether it is a type parameter that stands for a float.
fn is_parameter(ty: &Type) -> bool {
    matches!(ty, Type::Float(FloatKind::Parameter(_)))
}

/// Whether it is that of a float, and not a literal's.
fn is_named(ty: &Type) -> bool {
    ty.is_float() && *ty != Type::Float(FloatKind::Literal)
}

/// Values of one type, as a forest; the type of a class stands at its root.
struct Classes<'f> {
    function: &'f Function,
    joined: Vec<usize>,
    /// How many values there are below each.
    sizes: Vec<u32>,
    seeds: Vec<Option<Type>>,
    /// Which types are looked for.
    is_told: fn(&Type) -> bool,
    /// Those that join nothing: a literal may stand for several floats, but where there is one type to be.
    literals: EntitySet<Value>,
    /// Whether it is type parameters that are looked for.
    has_parameters: bool,
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
        if self.literals.contains(&a) || self.literals.contains(&b) {
            return;
        }
        let (a, b) = (self.root(a.0 as usize), self.root(b.0 as usize));
        if a != b {
            self.changes += 1;
            let seed = self.seeds[b].take().or(self.seeds[a].take());
            // The smaller one goes below the other, so that the way to a root stays short.
            let (below, root) = if self.sizes[a] > self.sizes[b] { (b, a) } else { (a, b) };
            self.joined[below] = root;
            self.sizes[root] += self.sizes[below];
            self.seeds[root] = seed;
        }
    }

    fn join_each(&mut self, a: &[Value], b: &[Value]) {
        a.iter().zip(b).for_each(|(a, b)| self.join(*a, *b));
    }

    /// A value that is put where there is this type.
    fn is(&mut self, value: Value, ty: &Type) {
        if (self.is_told)(ty) {
            let root = self.root(value.0 as usize);
            self.seeds[root].get_or_insert(ty.clone());
        }
    }

    /// What counts is no float, whatever it is joined with: rustc says so.
    fn leave_numbers(&mut self) {
        let function = self.function;
        function.body.walk(&mut |inst, _| {
            for number in inst.numbers() {
                let root = self.root(number.0 as usize);
                self.seeds[root] = None;
            }
        });
    }

    fn block(&mut self, block: &Block) {
        for inst in &block.insts {
            inst.op.blocks().for_each(|block| self.block(block));
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
            // What the standard library compares with a float is one.
            Op::Binary(_) | Op::Proved(_) if inst.args.len() == 2 => {
                self.join(inst.args[0], inst.args[1]);
            }
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
        let is_float =
            |arg: &Value| self.function.ty(*arg).is_float() || self.found(arg.0 as usize).is_some();
        let is_told = self.found(inst.results[0].0 as usize).is_some();
        match (rule, self.has_parameters) {
            ("mul" | "div" | "rem", true) => is_told || self.function.ty(inst.args[0]).is_float(),
            (_, true) | ("add" | "sub" | "neg", false) => true,
            // A product of two vectors may be a float.
            ("mul" | "div" | "rem", false) => is_told && inst.args.iter().any(is_float),
            // So may be what a method of a vector's gives.
            (_, false) => false,
        }
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
