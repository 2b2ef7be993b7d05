//! Regular sections: which part of a place a nest of loops writes (Havlak and Kennedy 1991).
//!
//! In: an index of a place, and the loops around it inside of a nest. Out: the first and the last value that the index can
//! have in the nest, as instructions that compute them in front of it; and whether a good part of what lies between is
//! written.
//!
//! Invariants: an index is a sum of products of the loops' indices and of integers from outside. None of them is negative,
//! so that it is least where all are least. Where a loop has no iteration the section may be too large, and lie outside of
//! the place.

use super::numbering::Numbering;
use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{Function, Inst, LoopKind, Op, Type, Value, ValueData, row};

/// The numbers that an index of a loop goes over.
#[derive(Clone, Copy)]
struct Bounds {
    start: Value,
    end: Value,
    inclusive: bool,
}

/// A nest of loops, seen from an access inside.
pub struct Nest<'f> {
    numbering: &'f Numbering,
    indices: EntityMap<Value, Bounds>,
    /// The values that the nest makes.
    inside: EntitySet<Value>,
}

/// A product of integers, by their numbers, and a literal.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Term {
    literal: u128,
    factors: Vec<Value>,
}

impl<'f> Nest<'f> {
    /// The nest of some loops, the outermost first.
    pub fn new(numbering: &'f Numbering, loops: &[&Inst]) -> Self {
        let (indices, inside) = Default::default();
        let mut nest = Nest { numbering, indices, inside };
        for inst in loops {
            let Op::Loop(repeat) = &inst.op else { continue };
            nest.inside.extend(repeat.body.made());
            if let LoopKind::Range { inclusive, .. } = repeat.kind
                && !repeat.breaks
                && repeat.bounds() == 2
            {
                let bounds = Bounds { start: inst.args[0], end: inst.args[1], inclusive };
                nest.indices.insert(repeat.body.params[0], bounds);
            }
        }
        nest
    }

    /// Whether the nest goes through a section of the values of an index, and leaves out no more than some of them.
    pub fn is_dense(&self, index: Value) -> bool {
        self.terms(index).and_then(|terms| self.extent(&terms)).is_some()
    }

    /// Whether the nest is one loop, each iteration of which has an index of its own.
    pub fn is_of_one_iteration(&self, index: Value) -> bool {
        let has_loop = |term: &Term| term.factors.iter().any(|at| self.indices.contains_key(at));
        let terms = self.terms(index).unwrap_or_default();
        let mut of_loop = terms.iter().filter(|term| has_loop(term));
        let is_step = |term: &Term| term.factors.len() == 1 && term.literal > 0;
        self.indices.len() == 1 && of_loop.next().is_some_and(is_step) && of_loop.next().is_none()
    }

    /// Whether an index here is computed as one of another nest there.
    pub fn is_alike(&self, index: Value, other: &Nest, index_there: Value) -> bool {
        let shape = |terms: Option<Vec<Term>>| {
            let shape = |term: Term| (term.literal, term.factors.len());
            terms.map(|terms| terms.into_iter().map(shape).collect::<Vec<_>>())
        };
        shape(self.terms(index)) == shape(other.terms(index_there))
    }

    fn terms(&self, value: Value) -> Option<Vec<Term>> {
        let leaf = Term { literal: 1, factors: vec![self.numbering.number(value)] };
        let Some(inst) = self.numbering.inst(value) else {
            let is_known = self.indices.contains_key(&value) || !self.inside.contains(&value);
            return is_known.then(|| vec![leaf]);
        };
        match &inst.op {
            Op::Literal(syn::Lit::Int(literal)) => {
                let literal = literal.base10_parse().ok()?;
                Some(vec![Term { literal, factors: Vec::new() }])
            }
            Op::Apply(rule) if rule.name == "add" => {
                Some([self.terms(inst.args[0])?, self.terms(inst.args[1])?].concat())
            }
            Op::Apply(rule) if rule.name == "mul" => {
                let [left, right] = [self.terms(inst.args[0])?, self.terms(inst.args[1])?];
                let products =
                    left.iter().flat_map(|one| right.iter().map(|two| product(one, two)));
                Some(products.collect())
            }
            _ => (!self.numbering.depends(value, &self.inside)).then(|| vec![leaf]),
        }
    }

    /// How many values an index with these terms goes over, if it takes most of those between the least and the largest:
    /// the first loop goes in small steps, and each other one in steps as long as those inside of it go.
    fn extent(&self, terms: &[Term]) -> Option<Term> {
        let mut strides = Vec::new();
        for term in terms {
            let mut loops = term.factors.iter().filter(|factor| self.indices.contains_key(factor));
            let Some(index) = loops.next() else { continue };
            let is_repeated = strides.iter().any(|(_, other)| other == index);
            if is_repeated || loops.next().is_some() {
                return None;
            }
            let factors = term.factors.iter().copied().filter(|factor| factor != index).collect();
            strides.push((Term { literal: term.literal, factors }, *index));
        }
        strides.sort_by_key(|(stride, _)| (stride.factors.len(), stride.literal));
        let (last, mut extent) = (strides.len(), Term { literal: 1, factors: Vec::new() });
        for (position, (stride, index)) in strides.iter().enumerate() {
            let is_small = position == 0 && stride.factors.is_empty() && stride.literal <= SMALL;
            let is_outermost = position + 1 == last;
            if !(is_small || *stride == extent) || !(is_outermost || self.starts_early(*index)) {
                return None;
            }
            extent = product(stride, &self.end(*index)?);
        }
        Some(extent)
    }

    /// Whether a loop begins at a small number that is written.
    fn starts_early(&self, index: Value) -> bool {
        let start = self.terms(self.indices[&index].start);
        start.is_some_and(|terms| {
            terms.iter().all(|term| term.factors.is_empty() && term.literal <= SMALL)
        })
    }

    /// The end of what an index goes over, but for a few: where it depends on other indices, as they end.
    fn end(&self, index: Value) -> Option<Term> {
        let mut end = self.indices.get(&index)?.end;
        while let Some(inst) = self.numbering.inst(end)
            && matches!(&inst.op, Op::Apply(rule) if rule.name == "sub")
            && self.numbering.inst(inst.args[1]).is_some_and(|inst| inst.args.is_empty())
        {
            end = inst.args[0];
        }
        let mut terms = self.terms(end)?;
        if terms.iter().any(|term| !term.factors.is_empty()) {
            terms.retain(|term| !term.factors.is_empty());
        }
        let [term] = &terms[..] else { return None };
        let mut whole = Term { literal: term.literal, factors: Vec::new() };
        for factor in &term.factors {
            let part = match self.indices.contains_key(factor) {
                true => self.end(*factor)?,
                false => Term { literal: 1, factors: vec![*factor] },
            };
            whole = product(&whole, &part);
        }
        Some(whole)
    }

    /// Whether the least and the largest value of an index can be computed in front of the nest.
    pub fn has_ends(&self, value: Value) -> bool {
        let Some(Bounds { start, end, .. }) = self.indices.get(&value) else {
            let is_sum = |inst: &&Inst| matches!(&inst.op, Op::Apply(rule) if matches!(rule.name, "add" | "mul"));
            let sum = self.numbering.inst(value).filter(is_sum);
            return !self.numbering.depends(value, &self.inside)
                || sum.is_some_and(|inst| inst.args.iter().all(|arg| self.has_ends(*arg)));
        };
        self.has_ends(*start) && self.has_ends(*end)
    }

    /// Computes the least value of an index and the one behind the largest, in front of the nest.
    pub fn ends(
        &self,
        function: &mut Function,
        index: Value,
        insts: &mut Vec<Inst>,
    ) -> Option<[Value; 2]> {
        let mut hull = Hull { nest: self, function, insts };
        let first = hull.bound(index, false)?;
        let behind = match self.indices.get(&index) {
            Some(bounds) if !bounds.inclusive => hull.bound(bounds.end, true)?,
            _ => {
                let last = hull.bound(index, true)?;
                let one = hull.literal(1, index);
                hull.apply("add", [last, one], index)
            }
        };
        Some([first, behind])
    }
}

/// Steps and starts up to this are small.
const SMALL: u128 = 4;

fn product(one: &Term, other: &Term) -> Term {
    let mut factors = [&one.factors[..], &other.factors[..]].concat();
    factors.sort();
    Term { literal: one.literal.saturating_mul(other.literal), factors }
}

/// The bounds of an index under construction.
struct Hull<'n, 'f> {
    nest: &'n Nest<'f>,
    function: &'n mut Function,
    insts: &'n mut Vec<Inst>,
}

impl Hull<'_, '_> {
    /// The largest value of an integer in the nest, or the least.
    fn bound(&mut self, value: Value, is_largest: bool) -> Option<Value> {
        let Nest { indices, numbering, inside, .. } = self.nest;
        if let Some(Bounds { start, end, inclusive }) = indices.get(&value).copied() {
            return match (is_largest, inclusive) {
                (false, _) => self.bound(start, false),
                (true, true) => self.bound(end, true),
                (true, false) => {
                    let end = self.bound(end, true)?;
                    Some(self.before(end))
                }
            };
        }
        if !numbering.depends(value, inside) {
            let (insts, values) = numbering.again(self.function, &[value], inside);
            self.insts.extend(insts);
            return Some(values[0]);
        }
        let inst = numbering.inst(value)?;
        let rule = match &inst.op {
            Op::Apply(rule) if matches!(rule.name, "add" | "mul") => rule.name,
            _ => return None,
        };
        let [left, right] = [inst.args[0], inst.args[1]].map(|arg| self.bound(arg, is_largest));
        Some(self.apply(rule, [left?, right?], value))
    }

    fn number(&self, value: Value) -> Option<u128> {
        let made = self.insts.iter().find(|inst| inst.results == [value]);
        match &made.or_else(|| self.nest.numbering.inst(value))?.op {
            Op::Literal(syn::Lit::Int(literal)) => literal.base10_parse().ok(),
            _ => None,
        }
    }

    /// A sum or a product; where the operands are written there is nothing to compute.
    fn apply(&mut self, rule: &'static str, args: [Value; 2], like: Value) -> Value {
        let neutral = u128::from(rule == "mul");
        match args.map(|arg| self.number(arg)) {
            [Some(one), Some(other)] if rule == "add" => return self.literal(one + other, like),
            [Some(one), Some(other)] => return self.literal(one * other, like),
            [Some(one), _] if one == neutral => return args[1],
            [_, Some(other)] if other == neutral => return args[0],
            [Some(0), _] | [_, Some(0)] if rule == "mul" => return self.literal(0, like),
            _ => {}
        }
        self.push(Op::Apply(row(rule)), args.to_vec(), like)
    }

    /// One less, or nothing of nothing.
    fn before(&mut self, value: Value) -> Value {
        if let Some(number) = self.number(value) {
            return self.literal(number.saturating_sub(1), value);
        }
        let one = self.literal(1, value);
        let method = proc_macro2::Ident::new("saturating_sub", self.function.value(value).span);
        self.push(Op::Method(method), vec![value, one], value)
    }

    fn literal(&mut self, number: u128, like: Value) -> Value {
        let span = self.function.value(like).span;
        let literal = syn::LitInt::new(&number.to_string(), span);
        self.push(Op::Literal(syn::Lit::Int(literal)), Vec::new(), like)
    }

    fn push(&mut self, op: Op, args: Vec<Value>, like: Value) -> Value {
        let span = self.function.value(like).span;
        let result = self.function.new_value(ValueData::named(Type::Int, "end", span));
        self.insts.push(Inst { op, args, results: vec![result], span });
        result
    }
}
