//! A shadow that is the same everywhere is not filled and read: each read gives that value.
//!
//! In: `for i in 0..y.len() { y_bar[i] += c; }` behind `y_bar = zero_tangent(&y)`, as the adjoint of a sum over a
//! buffer, and loops that take each element once: `let v = y_bar[j]; y_bar[j] = 0.0;`, or `y_bar.pop()`. Out: `c` for
//! each `v`. Nothing reads the shadow any more, so it goes, and the loop that made the buffer may be
//! [fused](super::fuse) with its adjoint.
//!
//! **Invariant:** an element that has been taken is zero and must not be taken again. So the indices that are taken
//! must differ from one iteration to another, which is looked at here: they are digits of one number, such as
//! `(i * m + j) * n + k` with `j < m` and `k < n`.

use super::prune::substitute;
use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{Block, End, Function, Inst, Loop, LoopKind, Op, Projection, Value};
use std::collections::BTreeMap;

/// Runs the pass.
pub fn uniform(mut function: Function) -> Function {
    let mut pass =
        Uniform { function: &function, defs: EntityMap::default(), renamed: EntityMap::default() };
    function.body.walk(&mut |inst, _| {
        pass.defs.extend(inst.results.iter().map(|result| (*result, inst)));
    });
    pass.block(&function.body);
    let renamed = pass.renamed;
    substitute(&mut function.body, &renamed);
    function
}

/// Numbers are looked into so far.
const MOST: usize = 100;

struct Uniform<'f> {
    function: &'f Function,
    defs: EntityMap<Value, &'f Inst>,
    /// What was read, and what each element was.
    renamed: EntityMap<Value, Value>,
}

/// A loop around the instruction at hand: its index, and the number that it stays below.
struct Around {
    index: Value,
    end: Option<Value>,
}

/// How elements leave the shadow.
#[derive(Default)]
struct Taken {
    values: Vec<Value>,
    /// The index at which elements were read and cleared.
    spot: Option<Value>,
    has_popped: bool,
}

/// The loops around an instruction, outermost first.
#[derive(Default)]
struct Nest {
    loops: Vec<Around>,
    /// What is made inside of the outermost.
    inside: EntitySet<Value>,
}

impl<'f> Uniform<'f> {
    fn block(&mut self, block: &'f Block) {
        for (position, inst) in block.insts.iter().enumerate() {
            for (version, value) in self.filled(inst) {
                let mut taken = Taken::default();
                let rest = &block.insts[position + 1..];
                let last = self.follow(rest, version, &mut Nest::default(), &mut taken);
                if last.is_some() {
                    self.renamed.extend(taken.values.into_iter().map(|taken| (taken, value)));
                }
            }
            inst.op.blocks().for_each(|inner| self.block(inner));
        }
    }

    /// Shadows that a loop adds the same number to at all of their elements, and the number.
    fn filled(&self, inst: &Inst) -> Vec<(Value, Value)> {
        let Op::Loop(repeat) = &inst.op else { return Vec::new() };
        if !repeat.is_plain() || !self.is_none(inst.args[0]) {
            return Vec::new();
        }
        let starts = inst.args[2..].iter().zip(repeat.carried()).zip(repeat.next());
        let each = starts.zip(&inst.results);
        let fill = |(((start, param), next), result): (((&Value, &Value), &Value), &Value)| {
            let value = self.added(repeat, *param, *next)?;
            self.is_zero_of_length(*start, inst.args[1]).then_some((*result, value))
        };
        each.filter_map(fill).collect()
    }

    /// What a loop's body adds to the element of its index of a place, and nothing else to the place.
    fn added(&self, repeat: &Loop, param: Value, next: Value) -> Option<Value> {
        let inst = self.defs.get(&next)?;
        let is_here = repeat.body.insts.iter().any(|other| other.results == [next]);
        let [place, index, value] = inst.args[..] else { return None };
        let is_element =
            matches!(&inst.op, Op::Accumulate(path) if path[..] == [Projection::Index]);
        let mut uses = 0;
        repeat.body.each_use(&mut |value| uses += usize::from(value == param));
        let is_outside = !repeat.body.made().contains(&value);
        (is_element
            && is_here
            && uses == 1
            && is_outside
            && place == param
            && index == repeat.body.params[0]
            && self.function.ty(value).is_float())
        .then_some(value)
    }

    /// Whether a version is a zero with as many elements as a number says.
    fn is_zero_of_length(&self, version: Value, len: Value) -> bool {
        let Some(zero) = self.defs.get(&version) else { return false };
        match &zero.op {
            Op::Zero(path) if path.is_empty() => {
                self.measured(len).is_some_and(|place| zero.args == [place])
            }
            Op::VecRepeat => {
                let [item, count] = zero.args[..] else { return false };
                let is_same = count == len || self.measured(len) == self.measured(count);
                let is_zero =
                    self.defs.get(&item).is_some_and(|item| matches!(item.op, Op::Zero(_)));
                is_zero && is_same && self.measured(count).is_some()
            }
            _ => false,
        }
    }

    /// Returns the version of a place whose length a number is.
    fn measured(&self, len: Value) -> Option<Value> {
        let inst = self.defs.get(&len)?;
        let is_len =
            matches!(&inst.op, Op::Measure(name, path) if name == "len" && path.is_empty());
        is_len.then(|| inst.args[0])
    }

    fn is_none(&self, value: Value) -> bool {
        let literal = self.defs.get(&value).map(|inst| &inst.op);
        matches!(literal, Some(Op::Literal(syn::Lit::Int(literal))) if literal.base10_digits() == "0")
    }

    /// Goes through all that uses a version, and gives the last one; nothing where an element may be read otherwise.
    fn follow(
        &self,
        insts: &'f [Inst],
        mut version: Value,
        nest: &mut Nest,
        taken: &mut Taken,
    ) -> Option<Value> {
        for inst in insts {
            if !inst.uses().contains(&version) {
                continue;
            }
            version = match &inst.op {
                Op::Duplicate => inst.results[0],
                Op::Load(path) if path[..] == [Projection::Index] => {
                    self.take(inst, nest, taken)?;
                    version
                }
                Op::Store(path) if path[..] == [Projection::Index] => {
                    self.clears(inst, taken)?;
                    inst.results[0]
                }
                Op::Remove(End::Last, path)
                    if path.is_empty()
                        && taken.spot.is_none()
                        && self.function.ty(inst.results[1]).is_float() =>
                {
                    taken.has_popped = true;
                    taken.values.push(inst.results[1]);
                    inst.results[0]
                }
                Op::Loop(repeat) => self.follow_loop(inst, repeat, version, nest, taken)?,
                _ => return None,
            };
        }
        Some(version)
    }

    fn follow_loop(
        &self,
        inst: &'f Inst,
        repeat: &'f Loop,
        version: Value,
        nest: &mut Nest,
        taken: &mut Taken,
    ) -> Option<Value> {
        let starts = &inst.args[repeat.bounds()..];
        let position = starts.iter().position(|start| *start == version)?;
        let LoopKind::Range { inclusive, .. } = repeat.kind else { return None };
        let from_none = !inclusive && repeat.bounds() == 2 && self.is_none(inst.args[0]);
        let end = from_none.then(|| inst.args[1]);
        if nest.loops.is_empty() {
            nest.inside = repeat.body.made();
        }
        nest.loops.push(Around { index: repeat.body.params[0], end });
        let last = self.follow(&repeat.body.insts, repeat.carried()[position], nest, taken)?;
        nest.loops.pop();
        (last == repeat.next()[position]).then(|| inst.results[position])
    }

    /// An element is read, at an index that is another one in each iteration.
    fn take(&self, inst: &Inst, nest: &Nest, taken: &mut Taken) -> Option<()> {
        let is_first = taken.spot.is_none() && !taken.has_popped;
        let is_float = self.function.ty(inst.results[0]).is_float();
        (is_first && is_float && self.differs(inst.args[1], nest)).then(|| {
            taken.spot = Some(inst.args[1]);
            taken.values.push(inst.results[0]);
        })
    }

    /// The element that was read is set to zero.
    fn clears(&self, inst: &Inst, taken: &Taken) -> Option<()> {
        let is_zero =
            self.defs.get(&inst.args[2]).is_some_and(|inst| matches!(inst.op, Op::Zero(_)));
        (is_zero && taken.spot == Some(inst.args[1])).then_some(())
    }

    /// Whether an index has different values in all iterations of the loops around it: whether these are digits of it.
    fn differs(&self, index: Value, nest: &Nest) -> bool {
        let Some(mut weights) = self.weights(index, nest) else { return false };
        let mut weight = Vec::new();
        while !weights.is_empty() {
            let digit = weights.iter().find(|(_, other)| **other == weight);
            let Some(digit) = digit.map(|(index, _)| *index) else { return false };
            weights.remove(&digit);
            let around = nest.loops.iter().find(|around| around.index == digit);
            match around.and_then(|around| around.end) {
                Some(end) => weight.push(end),
                None => return weights.is_empty(),
            }
            weight.sort();
        }
        true
    }

    /// What each loop's index is multiplied by in a number: a product of values from outside.
    fn weights(&self, number: Value, nest: &Nest) -> Option<BTreeMap<Value, Vec<Value>>> {
        let mut steps = MOST;
        let is_index = |value: &Value| nest.loops.iter().any(|around| around.index == *value);
        let mut weights = BTreeMap::new();
        for (product, times) in self.polynomial(number, nest, &mut steps)? {
            let (indices, others): (Vec<Value>, Vec<Value>) =
                product.into_iter().partition(is_index);
            let is_new = match indices[..] {
                [] => true,
                [index] if times == 1 => weights.insert(index, others).is_none(),
                _ => false,
            };
            if !is_new {
                return None;
            }
        }
        (weights.len() == nest.loops.len()).then_some(weights)
    }

    /// A number as a sum of products of the loops' indices and of values from outside.
    fn polynomial(&self, number: Value, nest: &Nest, steps: &mut usize) -> Option<Polynomial> {
        *steps = steps.checked_sub(1)?;
        let is_index = nest.loops.iter().any(|around| around.index == number);
        let itself = || Polynomial::from([(vec![number], 1)]);
        let is_inside = nest.inside.contains(&number);
        let Some(inst) = self.defs.get(&number).filter(|_| !is_index) else {
            return (is_index || !is_inside).then(itself);
        };
        let mut operand = |position: usize| self.polynomial(inst.args[position], nest, steps);
        match &inst.op {
            Op::Literal(syn::Lit::Int(literal)) => {
                Some(Polynomial::from([(Vec::new(), literal.base10_parse().ok()?)]))
            }
            Op::Apply(rule) if rule.name == "add" => Some(sum(operand(0)?, operand(1)?)),
            Op::Apply(rule) if rule.name == "mul" => Some(product(&operand(0)?, &operand(1)?)),
            _ => (!is_inside).then(itself),
        }
    }
}

/// A sum of products of values, each with how often it is there.
type Polynomial = BTreeMap<Vec<Value>, u64>;

fn sum(mut a: Polynomial, b: Polynomial) -> Polynomial {
    for (product, times) in b {
        let all: &mut u64 = a.entry(product).or_default();
        *all = all.saturating_add(times);
    }
    a
}

fn product(a: &Polynomial, b: &Polynomial) -> Polynomial {
    let mut all = Polynomial::new();
    for (left, times) in a {
        for (right, also) in b {
            let mut both = [&left[..], &right[..]].concat();
            both.sort();
            let number: &mut u64 = all.entry(both).or_default();
            *number = number.saturating_add(times.saturating_mul(*also));
        }
    }
    all
}
