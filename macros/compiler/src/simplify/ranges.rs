//! What loops go over, and instructions behind a loop that run only where it had an iteration.

use super::prune::substitute;
use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{FloatKind, Function, Inst, Loop, LoopKind, Op, Type, Value, ValueData};
use proc_macro2::Span;

/// What a loop goes over: from zero on, where it has no numbers.
#[derive(Clone, Copy)]
pub struct Range {
    start: Option<Value>,
    end: Value,
    inclusive: bool,
}

/// The numbers that are written in a function.
pub struct Literals {
    integers: EntityMap<Value, u128>,
    /// The integers whose type is written.
    typed: EntitySet<Value>,
    floats: EntityMap<Value, syn::LitFloat>,
}

impl Literals {
    pub fn of(function: &Function) -> Self {
        let (mut integers, mut floats) = (EntityMap::default(), EntityMap::default());
        let mut typed = EntitySet::default();
        function.body.walk(&mut |inst, _| {
            let result = inst.results.first().copied();
            match &inst.op {
                Op::Literal(syn::Lit::Int(literal)) => {
                    integers.extend(result.zip(literal.base10_parse().ok()));
                    typed.extend(result.filter(|_| !literal.suffix().is_empty()));
                }
                Op::Literal(syn::Lit::Float(literal)) => {
                    floats.extend(result.zip(Some(literal.clone())));
                }
                _ => {}
            }
        });
        Literals { integers, typed, floats }
    }

    /// Whether a value is an integer whose type is written: `10u32`.
    pub fn has_type(&self, value: Value) -> bool {
        self.typed.contains(&value)
    }

    pub fn get(&self, value: Value) -> Option<u128> {
        self.integers.get(&value).copied()
    }

    /// Returns the literal of a float, with the suffix of a type, where the value is a literal without.
    pub fn typed(&self, value: Value, ty: &Type) -> Option<syn::LitFloat> {
        let literal = self.floats.get(&value).filter(|literal| literal.suffix().is_empty())?;
        let suffix = match ty {
            Type::Float(FloatKind::F64) => "f64",
            Type::Float(FloatKind::F32) => "f32",
            _ => return None,
        };
        let text = format!("{}_{suffix}", literal.base10_digits());
        Some(syn::LitFloat::new(&text, literal.span()))
    }

    /// Whether they show that there is an iteration.
    pub fn has_any(&self, range: Range) -> bool {
        let start = range.start.and_then(|start| self.get(start));
        let end = self.get(range.end);
        start.zip(end).is_some_and(|(start, end)| start < end || range.inclusive && start == end)
    }
}

impl Range {
    /// What a counted loop with these arguments goes over.
    pub fn of(repeat: &Loop, args: &[Value]) -> Self {
        Range {
            start: matches!(repeat.kind, LoopKind::Range { .. }).then_some(args[0]),
            end: args[repeat.bounds().min(2) - 1],
            inclusive: matches!(repeat.kind, LoopKind::Range { inclusive: true, .. }),
        }
    }

    /// Instructions that run if the loop had an iteration, and lead from one version of a place to another.
    pub fn where_any(
        self,
        function: &mut Function,
        literals: &Literals,
        mut insts: Vec<Inst>,
        (version, result): (Value, Value),
    ) -> Vec<Inst> {
        let (last, span) = (insts.len() - 1, insts[insts.len() - 1].span);
        if literals.has_any(self) {
            insts[last].results = vec![result];
            return insts;
        }
        let (mut then, mut other) = (function.new_block(), function.new_block());
        then.results = insts[last].results.clone();
        then.insts = insts;
        other.results = vec![version];
        let (mut tested, condition) = self.any(function, span);
        let branch = Op::If(Box::new(then), Box::new(other));
        tested.push(Inst { op: branch, args: vec![condition], results: vec![result], span });
        tested
    }

    /// Instructions that run if the loop has an iteration, and make some results: `let (a, b) = if start < end { .. (a, b) }
    /// else { .. };`. Where there is none, nothing may read them.
    pub fn made_where_any(
        self,
        function: &mut Function,
        insts: Vec<Inst>,
        results: Vec<Value>,
        span: Span,
    ) -> Vec<Inst> {
        let [mut then, mut other] = [(); 2].map(|()| function.new_block());
        then.insts = insts;
        for result in &results {
            let [inner, none] = [(); 2].map(|()| function.renewed(*result));
            then.results.push(inner);
            other.results.push(none);
            let args = Vec::new();
            other.insts.push(Inst { op: Op::Undefined, args, results: vec![none], span });
        }
        let renamed: EntityMap<Value, Value> =
            results.iter().copied().zip(then.results.clone()).collect();
        substitute(&mut then, &renamed);
        for result in then.insts.iter_mut().flat_map(|inst| &mut inst.results) {
            *result = renamed.get(result).copied().unwrap_or(*result);
        }
        let (mut tested, any) = self.any(function, span);
        let op = Op::If(Box::new(then), Box::new(other));
        tested.push(Inst { op, args: vec![any], results, span });
        tested
    }

    /// Whether the loop has an iteration. Where both ends are in the range, its length says so: of unsigned numbers,
    /// rustc warns that `0 <= end` is always true.
    pub fn any(self, function: &mut Function, span: Span) -> (Vec<Inst>, Value) {
        let mut insts = Vec::new();
        let mut push = |op, args, ty, name| {
            let result = function.new_value(ValueData::named(ty, name, span));
            insts.push(Inst { op, args, results: vec![result], span });
            result
        };
        let zero = || Op::Literal(syn::Lit::Int(syn::LitInt::new("0", span)));
        let (start, end) = match (self.start, self.inclusive) {
            (Some(start), false) => (start, self.end),
            (None, _) => (push(zero(), Vec::new(), Type::Int, "none"), self.end),
            (Some(start), true) => {
                let kind = LoopKind::Range { inclusive: true, adaptors: Vec::new() };
                let (op, args) = (Op::Trips(Box::new(kind)), vec![start, self.end]);
                let trips = push(op, args, Type::Int, "trips");
                (push(zero(), Vec::new(), Type::Int, "none"), trips)
            }
        };
        let test = Op::Binary(syn::BinOp::Lt(syn::token::Lt { spans: [span] }));
        let condition = push(test, vec![start, end], Type::Bool, "any");
        (insts, condition)
    }
}
