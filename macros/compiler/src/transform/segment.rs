//! Loops of which only some states are kept.
//!
//! In: a primal. Out: one of the same meaning for the reverse transform, where each loop with a schedule is a
//! loop over segments: what an iteration of that does is a [`LoopKind::Once`], of which the forward sweep leaves
//! nothing but the state that it starts from. The reverse sweep runs it again, with a tape that is as long as one
//! segment.
//!
//! A loop that is counted has as many segments as it takes. Of a loop whose number of iterations nobody knows the
//! segments grow by one iteration each, so that there are as many of them as the longest has iterations. With
//! [`Schedule::Snapshots`] each iteration is a segment, and the loop over them keeps its schedule.

use crate::ir::build::Builder;
use crate::ir::copy::Copied;
use crate::ir::{Block, Function, Inst, Loop, LoopKind, Op, Schedule, Type, Value, row};
use proc_macro2::{Ident, Span};

/// Runs the pass. `None` where no loop has a schedule.
pub fn segment(function: &Function) -> Option<Function> {
    let mut any = false;
    function.body.walk(&mut |inst, _| any |= schedule_of(inst).is_some());
    any.then(|| {
        let body = function.body.clone();
        let mut start = function.clone();
        start.body.insts.clear();
        let mut pass = Segment { builder: Builder::new(start) };
        body.insts.iter().for_each(|inst| pass.inst(inst));
        pass.builder.finish()
    })
}

fn schedule_of(inst: &Inst) -> Option<(&Loop, Schedule)> {
    let Op::Loop(repeat) = &inst.op else { return None };
    repeat.schedule.map(|schedule| (&**repeat, schedule))
}

struct Segment {
    builder: Builder,
}

impl Segment {
    fn inst(&mut self, inst: &Inst) {
        let mut inst = inst.clone();
        for block in inst.op.blocks_mut() {
            *block = self.block(block);
        }
        match schedule_of(&inst) {
            None => self.builder.block().insts.push(inst),
            Some((repeat, Schedule::Snapshots)) => self.steps(&inst, repeat),
            Some((repeat, schedule)) => self.segments(&inst, repeat, schedule),
        }
    }

    fn block(&mut self, block: &Block) -> Block {
        self.builder.open();
        self.builder.block().params.clone_from(&block.params);
        block.insts.iter().for_each(|inst| self.inst(inst));
        let mut copy = self.builder.close(block.results.clone());
        copy.id = block.id;
        copy
    }

    /// Each iteration is a segment.
    fn steps(&mut self, inst: &Inst, repeat: &Loop) {
        self.builder.open();
        let outer = self.enter(&repeat.body.params[..repeat.index_params()], repeat.carried());
        let (goes, args) = self.going(repeat, &outer, inst.span);
        let mut inner = repeat.body.clone();
        inner.params = repeat.carried().iter().copied().chain(goes).collect();
        inner.results = repeat.next().to_vec();
        inner.results.extend(repeat.breaks.then(|| repeat.body.results[0]));
        let results = self.again(&inner.results);
        self.once(args, inner, &results, inst.span);
        let body = self.leave(repeat, &results);
        let op = Op::Loop(Box::new(Loop { body, ..repeat.clone() }));
        self.builder.push(op, inst.args.clone(), inst.results.clone(), inst.span);
    }

    fn segments(&mut self, inst: &Inst, repeat: &Loop, schedule: Schedule) {
        let (bounds, rest) = inst.args.split_at(repeat.kind.bounds());
        let (given, inits) = rest.split_at(usize::from(schedule.is_given()));
        match &repeat.kind {
            LoopKind::While { condition } => {
                self.uncounted(inst, repeat, condition, (schedule, given), inits);
            }
            _ => self.counted(inst, repeat, bounds, (schedule, given), inits),
        }
    }

    /// A loop over a range: over segments of its iterations, each over those of one.
    fn counted(
        &mut self,
        inst: &Inst,
        repeat: &Loop,
        bounds: &[Value],
        (schedule, given): (Schedule, &[Value]),
        inits: &[Value],
    ) {
        let (span, kind) = (inst.span, Box::new(repeat.kind.clone()));
        let steps = self.integer(Op::Trips(kind.clone()), bounds, "steps", span);
        let of = if schedule.is_given() { given } else { &[steps] };
        let stride = self.integer(Op::Stride(schedule), of, "stride", span);
        let segments = self.method("div_ceil", &[steps, stride], "segments", span);
        let zero = self.builder.count(0, span);
        self.builder.open();
        let segment = self.builder.value(Type::Int, "segment", span);
        let outer = self.enter(&[segment], repeat.carried());
        let start = self.integer(Op::Apply(row("mul")), &[segment, stride], "start", span);
        let end = self.integer(Op::Apply(row("add")), &[start, stride], "end", span);
        let end = self.integer(Op::Apply(row("min")), &[end, steps], "end", span);
        let (goes, args) = self.going(repeat, &outer, span);
        self.builder.open();
        let carried = self.enter(&[], repeat.carried());
        let goes = goes.map(|goes| self.builder.param(goes));
        let args_within = [&[start, end], &carried[..], goes.as_slice()].concat();
        let results = self.numbered(inst, repeat, bounds, kind, args_within);
        self.finish(inst, repeat, args, results, &[zero, segments], inits);
    }

    /// The iterations of one segment, by their numbers.
    fn numbered(
        &mut self,
        inst: &Inst,
        repeat: &Loop,
        bounds: &[Value],
        kind: Box<LoopKind>,
        args: Vec<Value>,
    ) -> Vec<Value> {
        let span = inst.span;
        self.builder.open();
        let number = self.builder.value(Type::Int, "step", span);
        self.builder.block().params = [&[number], repeat.carried()].concat();
        let index = repeat.body.params[0];
        let position = [bounds, &[number]].concat();
        self.builder.push(Op::Nth(kind), position, vec![index], self.span_of(index));
        let body = self.iteration(repeat, span);
        let results = self.again(&body.results[usize::from(repeat.breaks)..]);
        let kind = LoopKind::Range { inclusive: false, adaptors: Vec::new() };
        let inner = Loop { kind, schedule: None, breaks: repeat.breaks, body };
        self.builder.push(Op::Loop(Box::new(inner)), args, results.clone(), span);
        results
    }

    /// The rest of one iteration of the user's. It carries in addition whether to go on, where it may not.
    fn iteration(&mut self, repeat: &Loop, span: Span) -> Block {
        if repeat.breaks {
            let went = self.builder.value(Type::Bool, "goes_on", span);
            self.builder.param(went);
        }
        self.builder.block().insts.extend(repeat.body.insts.iter().cloned());
        let mut results = repeat.body.results.clone();
        results.extend(repeat.breaks.then(|| repeat.body.results[0]));
        self.builder.close(results)
    }

    /// A loop with a condition: as long as it holds, segments, each as long as it holds and not too long.
    fn uncounted(
        &mut self,
        inst: &Inst,
        repeat: &Loop,
        condition: &Block,
        (schedule, given): (Schedule, &[Value]),
        inits: &[Value],
    ) {
        let span = inst.span;
        let is_given = schedule.is_given();
        let stride = is_given.then(|| self.integer(Op::Stride(schedule), given, "stride", span));
        let first = (!is_given).then(|| self.builder.count(1, span));
        self.builder.open();
        let outer = self.enter(&[], repeat.carried());
        let length = first.map(|first| self.builder.function.renewed(first));
        let length = length.map(|length| self.builder.param(length));
        let limit = stride.or(length).expect("one of both");
        let (goes, args) = self.going(repeat, &outer, span);
        self.builder.open();
        let carried = self.enter(&[], repeat.carried());
        let goes = goes.map(|goes| self.builder.param(goes));
        let zero = self.builder.count(0, span);
        let args_within = [&carried[..], goes.as_slice(), &[zero]].concat();
        let results = self.limited(inst, repeat, condition, limit, args_within);
        let mut head = condition.clone();
        head.params.extend(length.map(|length| self.builder.function.renewed(length)));
        let repeat = Loop { kind: LoopKind::While { condition: head }, ..repeat.clone() };
        self.grow(inst, &repeat, args, results, length, &[inits, first.as_slice()].concat());
    }

    /// The iterations of one segment, until there are enough of them.
    fn limited(
        &mut self,
        inst: &Inst,
        repeat: &Loop,
        condition: &Block,
        limit: Value,
        args: Vec<Value>,
    ) -> Vec<Value> {
        let span = inst.span;
        let mut head = Copied::default().block(&mut self.builder.function, condition);
        if repeat.breaks {
            head.params.push(self.builder.value(Type::Bool, "goes_on", span));
        }
        let done = self.builder.value(Type::Int, "done", span);
        head.params.push(done);
        let holds = head.results[0];
        self.builder.open();
        self.builder.block().insts.append(&mut head.insts);
        let is_less = Op::Binary(syn::BinOp::Lt(Default::default()));
        let is_within = self.builder.inst(is_less, vec![done, limit], Type::Bool, "within", span);
        let both = Op::Binary(syn::BinOp::And(Default::default()));
        let both = self.builder.inst(both, vec![is_within, holds], Type::Bool, "goes_on", span);
        let mut condition = self.builder.close(vec![both]);
        condition.params = head.params;
        self.builder.open();
        self.builder.block().params = repeat.carried().to_vec();
        let mut body = self.iteration(repeat, span);
        self.count(&mut body, span);
        let results = self.again(&body.results[usize::from(repeat.breaks)..]);
        let kind = LoopKind::While { condition };
        let inner = Loop { kind, schedule: None, breaks: repeat.breaks, body };
        self.builder.push(Op::Loop(Box::new(inner)), args, results.clone(), span);
        results[..results.len() - 1].to_vec()
    }

    /// A body that also carries how often it ran.
    fn count(&mut self, body: &mut Block, span: Span) {
        let done = self.builder.value(Type::Int, "done", span);
        body.params.push(done);
        self.builder.open();
        let one = self.builder.count(1, span);
        let next = self.integer(Op::Apply(row("add")), &[done, one], "done", span);
        let made = self.builder.close(Vec::new());
        body.insts.extend(made.insts);
        body.results.push(next);
    }

    /// Closes a segment and the loop over segments, of which each is longer than the one before by one.
    fn grow(
        &mut self,
        inst: &Inst,
        repeat: &Loop,
        args: Vec<Value>,
        results: Vec<Value>,
        length: Option<Value>,
        inits: &[Value],
    ) {
        let results = self.close_once(args, results, inst.span);
        let longer = length.map(|length| {
            let one = self.builder.count(1, inst.span);
            self.integer(Op::Apply(row("add")), &[length, one], "length", inst.span)
        });
        let mut body = self.leave(repeat, &results);
        body.results.extend(longer);
        let mut results = inst.results.clone();
        results.extend(length.map(|length| self.builder.function.renewed(length)));
        let op = Op::Loop(Box::new(Loop { schedule: None, body, ..repeat.clone() }));
        self.builder.push(op, inits.to_vec(), results, inst.span);
    }

    /// Closes a segment and the loop over segments, of which the number is known.
    fn finish(
        &mut self,
        inst: &Inst,
        repeat: &Loop,
        args: Vec<Value>,
        results: Vec<Value>,
        bounds: &[Value],
        inits: &[Value],
    ) {
        let results = self.close_once(args, results, inst.span);
        let body = self.leave(repeat, &results);
        let kind = LoopKind::Range { inclusive: false, adaptors: Vec::new() };
        let outer = Loop { kind, schedule: None, breaks: repeat.breaks, body };
        let args = [bounds, inits].concat();
        self.builder.push(Op::Loop(Box::new(outer)), args, inst.results.clone(), inst.span);
    }

    /// Closes a segment, of which the block is open. Gives what it leaves.
    fn close_once(&mut self, args: Vec<Value>, results: Vec<Value>, span: Span) -> Vec<Value> {
        let segment = self.builder.close(results);
        let results = self.again(&segment.results);
        self.once(args, segment, &results, span);
        results
    }

    fn once(&mut self, args: Vec<Value>, body: Block, results: &[Value], span: Span) {
        let once = Loop { kind: LoopKind::Once, schedule: None, breaks: false, body };
        self.builder.push(Op::Loop(Box::new(once)), args, results.to_vec(), span);
    }

    /// Gives the open block its parameters: some as they are, and others like those that a loop carries.
    fn enter(&mut self, first: &[Value], carried: &[Value]) -> Vec<Value> {
        let carried = self.again(carried);
        self.builder.block().params = [first, &carried].concat();
        carried
    }

    /// What a segment is given. Where the loop may break, it also carries whether it did not: the parameter for
    /// that, and a start.
    fn going(
        &mut self,
        repeat: &Loop,
        carried: &[Value],
        span: Span,
    ) -> (Option<Value>, Vec<Value>) {
        let mut args = carried.to_vec();
        if !repeat.breaks {
            return (None, args);
        }
        args.push(self.builder.goes_on(span));
        (Some(self.builder.value(Type::Bool, "goes_on", span)), args)
    }

    /// Closes the loop over segments with what a segment leaves.
    fn leave(&mut self, repeat: &Loop, results: &[Value]) -> Block {
        let (carried, goes) = results.split_at(repeat.carried().len());
        self.builder.close([goes, carried].concat())
    }

    /// Values and versions like these, without definition yet.
    fn again(&mut self, values: &[Value]) -> Vec<Value> {
        values.iter().map(|value| self.builder.function.renewed(*value)).collect()
    }

    fn integer(&mut self, op: Op, args: &[Value], name: &str, span: Span) -> Value {
        self.builder.inst(op, args.to_vec(), Type::Int, name, span)
    }

    fn method(&mut self, method: &str, args: &[Value], name: &str, span: Span) -> Value {
        self.integer(Op::Method(Ident::new(method, span)), args, name, span)
    }

    fn span_of(&self, value: Value) -> Span {
        self.builder.function.value(value).span
    }
}
