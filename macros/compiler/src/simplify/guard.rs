//! Loops over what a length exceeds another number by, as `windows` and `skip` make them.
//!
//! In: `for i in 0..a.saturating_sub(b)`, where `a` is a length, or with another literal as its start. Out: the loop
//! over `0..a - b`, behind a test of `a > b`. In the body, rustc's optimiser then sees that `i + b < a`, and leaves
//! the checks of such indices out; of a saturating difference it knows too little. Likewise for `0..a - b` in derived
//! loops, where the primal's loop has shown that `a` is not less: in the primal itself that would be an overflow.
//! This is the last pass: the others know loops, not guarded ones.

use super::order::is_derived;
use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{Block, Function, Inst, Loop, LoopKind, Op, Type, Value, ValueData, row};
use proc_macro2::Span;

/// Runs the pass.
pub fn guard(mut function: Function) -> Function {
    let mut body = function.take_body();
    let mut pass = Guard {
        function: &mut function,
        ends: EntityMap::default(),
        replaced: EntitySet::default(),
    };
    pass.block(&mut body);
    let replaced = pass.replaced;
    remove_unused(&mut body, &replaced);
    function.body = body;
    function
}

/// A number that is a length, or what is left of one.
#[derive(Clone)]
enum End {
    Length,
    /// A number that is not negative.
    Literal,
    /// `a.saturating_sub(b)`.
    Difference(Value, Value),
    /// `a - b`, where `a` is a length. That a loop so far has run shows that it is not negative.
    Rest(Value, Value),
    /// `a.min(b)`.
    Least(Value, Value),
}

struct Guard<'f> {
    function: &'f mut Function,
    ends: EntityMap<Value, End>,
    /// Ends for which others stand now.
    replaced: EntitySet<Value>,
}

impl Guard<'_> {
    fn block(&mut self, block: &mut Block) {
        let insts = std::mem::take(&mut block.insts);
        for mut inst in insts {
            inst.op.blocks_mut().for_each(|inner| self.block(inner));
            self.record(&inst);
            let guarded = self.guarded(inst);
            block.insts.extend(guarded);
        }
    }

    fn record(&mut self, inst: &Inst) {
        let end = match (&inst.op, &inst.args[..]) {
            (Op::Measure(name, _), _) if name == "len" => End::Length,
            (Op::Literal(syn::Lit::Int(_)), _) => End::Literal,
            (Op::Method(name), [a, b]) if name == "saturating_sub" && self.is_end(*a) => {
                End::Difference(*a, *b)
            }
            (Op::Apply(rule), [a, b]) if rule.name == "sub" && self.is_length(*a) => {
                End::Rest(*a, *b)
            }
            (Op::Apply(rule), [a, b])
                if rule.name == "min" && (self.is_end(*a) || self.is_end(*b)) =>
            {
                End::Least(*a, *b)
            }
            _ => return,
        };
        self.ends.insert(inst.results[0], end);
    }

    fn is_length(&self, value: Value) -> bool {
        matches!(self.ends.get(&value), Some(End::Length))
    }

    fn is_end(&self, value: Value) -> bool {
        self.ends.get(&value).is_some_and(|end| !matches!(end, End::Literal))
    }

    /// A loop from a literal on: were its numbers negative, it would be empty all the same.
    fn is_forward(&self, repeat: &Loop, args: &[Value]) -> bool {
        matches!(repeat.kind, LoopKind::Range { inclusive: false, .. })
            && matches!(self.ends.get(&args[0]), Some(End::Literal))
    }

    /// A loop behind a test, as often as its end holds a difference.
    fn guarded(&mut self, inst: Inst) -> Vec<Inst> {
        let difference = match &inst.op {
            Op::Loop(repeat) if self.is_forward(repeat, &inst.args) => {
                self.difference(inst.args[1], is_derived(self.function, &inst))
            }
            _ => None,
        };
        match difference {
            Some((a, b)) => self.behind_test(inst, a, b),
            None => vec![inst],
        }
    }

    /// A difference that an end is, or that it is not more than. A derived loop goes over what the primal has gone over.
    fn difference(&self, end: Value, is_derived: bool) -> Option<(Value, Value)> {
        match self.ends.get(&end)? {
            End::Length | End::Literal => None,
            End::Difference(a, b) => Some((*a, *b)),
            End::Rest(a, b) => is_derived.then_some((*a, *b)),
            End::Least(a, b) => {
                self.difference(*a, is_derived).or_else(|| self.difference(*b, is_derived))
            }
        }
    }

    /// `if a > b { loop } else { initial values }`.
    fn behind_test(&mut self, mut inst: Inst, a: Value, b: Value) -> Vec<Inst> {
        let Op::Loop(repeat) = &inst.op else { return vec![inst] };
        let (span, bounds) = (inst.span, repeat.bounds());
        let (mut then, mut other) = (self.function.new_block(), self.function.new_block());
        other.results = inst.args[bounds..].to_vec();
        inst.args[1] = self.exact(inst.args[1], (a, b), &mut then, span);
        then.results = inst.results.iter().map(|result| self.function.renewed(*result)).collect();
        let results = std::mem::replace(&mut inst.results, then.results.clone());
        let inner = self.guarded(inst);
        then.insts.extend(inner);
        let condition = self.function.new_value(ValueData::named(Type::Bool, "exceeds", span));
        let test = Op::Binary(syn::BinOp::Gt(syn::token::Gt { spans: [span] }));
        let branch = Op::If(Box::new(then), Box::new(other));
        vec![
            Inst { op: test, args: vec![a, b], results: vec![condition], span },
            Inst { op: branch, args: vec![condition], results, span },
        ]
    }

    /// The end of the loop where the test holds.
    fn exact(
        &mut self,
        end: Value,
        difference: (Value, Value),
        block: &mut Block,
        span: Span,
    ) -> Value {
        let (op, args) = match self.ends.get(&end).cloned() {
            Some(End::Difference(a, b) | End::Rest(a, b)) if (a, b) == difference => {
                (Op::Apply(row("sub")), vec![a, b])
            }
            Some(End::Least(a, b)) => {
                let args = [a, b].map(|arg| self.exact(arg, difference, block, span));
                (Op::Apply(row("min")), args.to_vec())
            }
            _ => return end,
        };
        let data = self.function.value(end).clone();
        let result = self.function.new_value(data);
        let inst = Inst { op, args, results: vec![result], span };
        // A difference behind the test needs no other test.
        if let Op::Apply(rule) = &inst.op
            && rule.name == "min"
        {
            self.record(&inst);
        }
        block.insts.push(inst);
        if end.0 >= self.function.primal_values || !matches!(self.ends[&end], End::Rest(..)) {
            self.replaced.insert(end);
        }
        result
    }
}

/// Removes what made ends that nothing uses any more.
fn remove_unused(body: &mut Block, replaced: &EntitySet<Value>) {
    let uses = super::count_uses(body);
    let is_unused = |inst: &Inst| match &inst.results[..] {
        [result] => replaced.contains(result) && !uses.contains_key(result),
        _ => false,
    };
    if body.retain(&|inst| !is_unused(inst)) {
        remove_unused(body, replaced);
    }
}
