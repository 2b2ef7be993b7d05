//! The types of values as code spells them.
//!
//! In: a derivative, and the head of its function. Out: for each value the tokens of its type, where they follow from
//! the head, from annotations or from what the value has in common with others: both sides of a sum, an arm and what
//! it yields, an entry of a tape and what takes it. The IR itself says no more of an integer than that it is one.

use crate::ir::entity::EntityMap;
use crate::ir::{
    Block, FloatKind, Function, Half, Inst, Loop, LoopKind, Op, OwnCall, Passing, Path, Projection,
    Tape, Type, Value, index_count,
};
use crate::syntax::signature::Signature;
use crate::syntax::walk::{Node, Tree};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use rustc_hash::FxHashMap as HashMap;

/// What is known of the types of a function's values.
pub struct Spelled<'f> {
    function: &'f Function,
    /// For each value one of its type, or itself.
    same: Vec<usize>,
    /// What is spelled of the innermost type of a value, behind the options around it.
    known: HashMap<usize, TokenStream>,
    /// Types that the head spells.
    named: Vec<(Value, TokenStream)>,
    pushed: EntityMap<Tape, Vec<Value>>,
}

/// Looks at all of a function.
pub fn spelled<'f>(function: &'f Function, signature: &Signature) -> Spelled<'f> {
    let mut spelled = Spelled {
        function,
        same: (0..function.values.len()).collect(),
        known: HashMap::default(),
        named: Vec::new(),
        pushed: pushed(&function.body),
    };
    spelled.block(&function.body, signature);
    spelled.name_all(signature);
    spelled
}

/// What each tape's entries are made of.
fn pushed(body: &Block) -> EntityMap<Tape, Vec<Value>> {
    let mut pushed = EntityMap::default();
    body.walk(&mut |inst, _| {
        if let Op::TapePush(tape) = inst.op {
            pushed.insert(tape, inst.args.clone());
        }
    });
    pushed
}

impl Spelled<'_> {
    /// The type of a value.
    pub fn of(&self, value: Value) -> Option<TokenStream> {
        let (mut ty, mut options) = (self.function.ty(value), 0);
        while let Type::Wrapped(inner) = ty {
            (ty, options) = (inner, options + 1);
        }
        let known = self.known.get(&self.root(value)).cloned();
        let inner = known.or_else(|| of_type(ty))?;
        Some((0..options).fold(inner, |inner, _| quote!(::core::option::Option<#inner>)))
    }

    /// The type of a tape.
    pub fn of_tape(&self, tape: Tape) -> Option<TokenStream> {
        let parts: Option<Vec<TokenStream>> =
            self.pushed.get(&tape)?.iter().map(|value| self.of(*value)).collect();
        let entry = crate::emit::bare_or_tuple(&parts?);
        Some(quote!(::cotangent::__private::Tape<#entry>))
    }

    fn root(&self, value: Value) -> usize {
        let mut at = value.0 as usize;
        while self.same[at] != at {
            at = self.same[at];
        }
        at
    }

    fn unify(&mut self, a: Value, b: Value) {
        let (a, b) = (self.root(a), self.root(b));
        self.same[a.max(b)] = a.min(b);
    }

    fn unify_all(&mut self, values: &[Value]) {
        values.windows(2).for_each(|pair| self.unify(pair[0], pair[1]));
    }

    fn unify_pairs(&mut self, a: &[Value], b: &[Value]) {
        a.iter().zip(b).for_each(|(a, b)| self.unify(*a, *b));
    }

    fn is_integer(&self, value: Value) -> bool {
        *self.function.ty(value) == Type::Int
    }

    /// What is of one type, all over the function.
    fn block(&mut self, block: &Block, signature: &Signature) {
        for inst in &block.insts {
            self.inst(inst);
            if let Op::Own(call) = &inst.op
                && call.half == Half::Sweep
                && call.open.is_none()
            {
                self.own_call(call, inst, signature);
            }
            inst.op.blocks().for_each(|inner| self.block(inner, signature));
        }
    }

    fn inst(&mut self, inst: &Inst) {
        match &inst.op {
            Op::If(then, other) => {
                self.unify_pairs(&inst.results, &then.results);
                self.unify_pairs(&inst.results, &other.results);
            }
            Op::Loop(repeat) => self.repeat(inst, repeat),
            Op::TapePop(tape) => {
                let entry = self.pushed.get(tape).cloned().unwrap_or_default();
                self.unify_pairs(&inst.results, &entry);
            }
            Op::Wrap(true) | Op::Unwrap => self.unify(inst.results[0], inst.args[0]),
            Op::Apply(rule) if rule.params.iter().all(|param| !param.integer) => {
                self.arithmetic(inst);
            }
            Op::Binary(op) if !is_shift(op) => self.arithmetic(inst),
            _ => {}
        }
    }

    /// Integers of one operation are of one type.
    fn arithmetic(&mut self, inst: &Inst) {
        let all = inst.args.iter().chain(&inst.results).copied();
        let all: Vec<Value> = all.filter(|value| self.is_integer(*value)).collect();
        self.unify_all(&all);
    }

    fn repeat(&mut self, inst: &Inst, repeat: &Loop) {
        let bounds = repeat.bounds();
        if let LoopKind::Range { .. } = repeat.kind {
            self.unify(inst.args[0], inst.args[1]);
            self.unify(inst.args[0], repeat.body.params[0]);
        }
        if let LoopKind::While { condition } = &repeat.kind {
            self.unify_pairs(repeat.carried(), &condition.params);
        }
        self.unify_pairs(repeat.carried(), &inst.args[bounds..]);
        self.unify_pairs(repeat.carried(), repeat.next());
        self.unify_pairs(repeat.carried(), &inst.results);
    }

    /// What the function hands to itself is of its parameters' types, what it returns of that of its result.
    fn own_call(&mut self, call: &OwnCall, inst: &Inst, signature: &Signature) {
        let (times, params) = (call.returned, self.function.body.params.clone());
        let (mut passed, mut args, mut params) = (&call.passed[..], &inst.args[..], &params[..]);
        for param in &signature.params {
            let count = if param.active { times } else { 1 };
            if passed[0] == Passing::Value && self.is_integer(args[0]) {
                self.unify(args[0], params[0]);
            }
            args = &args[passed[0].width() * count..];
            (passed, params) = (&passed[count..], &params[count..]);
        }
        if let Some(ty) = signature.output.as_ref().filter(|ty| is_plain(ty)) {
            self.named.push((inst.results[0], ty.to_token_stream()));
        }
    }

    /// Spells what shows its type by itself.
    fn name_all(&mut self, signature: &Signature) {
        for (param, value) in signature.params.iter().zip(self.primal_params()) {
            if is_plain(&param.ty) {
                self.name(value, param.ty.to_token_stream());
            }
        }
        for (value, ty) in std::mem::take(&mut self.named) {
            self.name(value, ty);
        }
        for (index, data) in self.function.values.iter().enumerate() {
            if let Some(ty) = data.annotation.as_deref().filter(|ty| is_plain(ty)) {
                self.name(Value(index as u32), ty.to_token_stream());
            }
        }
        let function = self.function;
        function.body.walk(&mut |inst, _| self.name_results(inst));
    }

    /// The parameters that are not tangents: the primal's own.
    fn primal_params(&self) -> Vec<Value> {
        let params = self.function.body.params.iter().copied();
        params.filter(|value| value.0 < self.function.primal_values).collect()
    }

    fn name_results(&mut self, inst: &Inst) {
        match &inst.op {
            Op::Cast(ty) if self.is_integer(inst.results[0]) && is_plain(ty) => {
                self.name(inst.results[0], ty.to_token_stream());
            }
            Op::Literal(syn::Lit::Int(literal)) if !literal.suffix().is_empty() => {
                let suffix = syn::Ident::new(literal.suffix(), literal.span());
                self.name(inst.results[0], suffix.to_token_stream());
            }
            Op::Measure(method, _) if method == "len" => {
                self.name(inst.results[0], quote!(usize));
            }
            Op::Apply(rule) => {
                let exponents = inst.args.iter().zip(rule.params);
                let exponents = exponents.filter(|(_, param)| param.integer);
                exponents.for_each(|(value, _)| self.name(*value, quote!(i32)));
            }
            _ => {}
        }
        if let (Some(path), false) = (inst.op.paths().first(), matches!(inst.op, Op::Call(_))) {
            self.name_indices(path, inst);
        }
    }

    /// Indices into slices, of which an instruction's first path leads to a part.
    fn name_indices(&mut self, path: &Path, inst: &Inst) {
        let mut rest = inst.args.get(1..1 + index_count(path)).unwrap_or_default();
        for (at, step) in path.iter().enumerate() {
            let (indices, tail) = rest.split_at(step.indices().min(rest.len()));
            rest = tail;
            let is_slice = self.function.ty(inst.args[0]).part(&path[..at]).is_aggregate();
            if is_slice && *step != Projection::Key {
                indices.iter().for_each(|index| self.name(*index, quote!(usize)));
            }
        }
    }

    fn name(&mut self, value: Value, ty: TokenStream) {
        let root = self.root(value);
        self.known.entry(root).or_insert(ty);
    }
}

fn is_shift(op: &syn::BinOp) -> bool {
    matches!(op, syn::BinOp::Shl(_) | syn::BinOp::Shr(_))
}

/// Whether a type can stand anywhere: nothing in it is left out, and nothing in it is borrowed.
fn is_plain(ty: &syn::Type) -> bool {
    use syn::Type::{Array, Group, Paren, Path, Tuple};
    !ty.has(&|node| match node {
        Node::Lifetime(_) => true,
        Node::Type(ty) => !matches!(ty, Array(_) | Group(_) | Paren(_) | Path(_) | Tuple(_)),
        _ => false,
    })
}

/// A type that its parts spell.
fn of_type(ty: &Type) -> Option<TokenStream> {
    match ty {
        Type::Float(FloatKind::F32) => Some(quote!(f32)),
        Type::Float(FloatKind::F64) => Some(quote!(f64)),
        Type::Float(FloatKind::Parameter(name)) => name.parse().ok(),
        Type::Bool => Some(quote!(bool)),
        Type::Tuple(items) => {
            let items: Option<Vec<TokenStream>> = items.iter().map(of_type).collect();
            items.map(|items| quote!((#(#items,)*)))
        }
        Type::Array(item, len) => {
            let (item, len): (_, TokenStream) = (of_type(item)?, len.parse().ok()?);
            Some(quote!([#item; #len]))
        }
        Type::Vec(item) => {
            let item = of_type(item)?;
            Some(quote!(::cotangent::__private::Vec<#item>))
        }
        _ => None,
    }
}
