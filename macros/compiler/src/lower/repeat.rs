//! Loops: they carry what their bodies may assign.
//!
//! A variable assigned in the body is a parameter of the body's block, and a result of the loop. Exits
//! clear the loop's `again` flag, which the body then yields first.

use super::desugar::elements;
use super::stmt::Tail;
use super::{Binding, Frame, Lower, Var, scan, sharing};
use crate::diag;
use crate::ir::{Access, Adaptor, Loop, LoopKind, Op, Schedule, Type, Value};
use proc_macro2::Span;
use syn::parse_quote;

/// A loop under construction.
struct Open<'s> {
    kind: LoopKind,
    /// With the place of its attribute.
    schedule: Option<(Schedule, Span)>,
    /// Bounds, what the schedule is given, then the initial values of carried variables.
    args: Vec<Value>,
    carried: Vec<Var>,
    /// Values before the loop; a variable without one yet is left to the body.
    inits: Vec<Option<Value>>,
    label: Option<&'s syn::Label>,
    body: &'s syn::Block,
    results: Vec<Value>,
}

/// A variable's name, and whether what is meant is behind it: `*a`.
fn name_of(expr: &syn::Expr) -> Option<(&syn::ExprPath, bool)> {
    match expr {
        syn::Expr::Path(path) => Some((path, false)),
        syn::Expr::Paren(paren) => name_of(&paren.expr),
        syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr, .. }) => {
            name_of(expr).map(|(path, _)| (path, true))
        }
        _ => None,
    }
}

impl Lower<'_> {
    pub(super) fn for_loop(&mut self, repeat: &syn::ExprForLoop) -> Value {
        if let Some(indexed) = self.over_place(repeat) {
            return self.expr(&indexed);
        }
        let Some((bounds, inclusive, adaptors)) = self.range(&repeat.expr) else {
            return self.unit();
        };
        let kind = LoopKind::Range { inclusive, adaptors };
        let mut open = self.open_loop(&repeat.body, repeat.label.as_ref());
        open.kind = kind;
        open.args.splice(..0, bounds);
        self.builder.open();
        let span = self.span(&*repeat.pat);
        let index = self.builder.value(Type::Int, "i", span);
        self.builder.param(index);
        self.finish_loop(open, Some((index, &repeat.pat)))
    }

    /// `for v in a`, where `a` is a reference, an array, an array behind a reference, or of a constant item.
    fn over_place(&mut self, repeat: &syn::ExprForLoop) -> Option<syn::Expr> {
        if let Some(indexed) = self.over_item(repeat) {
            return Some(indexed);
        }
        let (path, is_behind) = name_of(&repeat.expr)?;
        let place = self.place(&repeat.expr).filter(|place| place.ty.is_aggregate())?;
        let over = if is_behind { parse_quote!((*#path)) } else { parse_quote!(#path) };
        let repeat = &syn::ExprForLoop { expr: Box::new(over), ..repeat.clone() };
        match self.names_reference(path) && !is_behind {
            true => elements::over_place(repeat, place.mutable, &mut self.made_names),
            false => Some(elements::over_values(repeat, &mut self.made_names)),
        }
    }

    /// `for v in TABLE[i]`.
    fn over_item(&mut self, repeat: &syn::ExprForLoop) -> Option<syn::Expr> {
        let is_reference = match &*repeat.expr {
            syn::Expr::Path(path) => self.names_reference(path),
            _ => false,
        };
        let place = self.part_of_item(&repeat.expr)?;
        let repeat = &syn::ExprForLoop { expr: Box::new(self.name_of(place)), ..repeat.clone() };
        match is_reference {
            true => elements::over_place(repeat, false, &mut self.made_names),
            false => Some(elements::over_values(repeat, &mut self.made_names)),
        }
    }

    pub(super) fn while_loop(&mut self, repeat: &syn::ExprWhile) -> Value {
        if self.may_write_by_methods(&repeat.cond) {
            return self.endless_loop(&as_endless(repeat));
        }
        let mut open = self.open_loop(&repeat.body, repeat.label.as_ref());
        let before = self.state.clone();
        self.builder.open();
        self.enter(&open.carried);
        let entered = self.state.clone();
        let condition = self.expr(&repeat.cond);
        let is_changed = entered.iter().zip(&self.state).any(|(a, b)| a != b);
        if is_changed || scan::exits(&repeat.cond).any {
            let what = "a condition of `while` that assigns";
            self.report(diag::Extent::of(&*repeat.cond), &diag::UNSUPPORTED_EXPRESSION, what);
        }
        open.kind = LoopKind::While { condition: self.builder.close(vec![condition]) };
        self.state = before;
        self.builder.open();
        self.finish_loop(open, None)
    }

    /// Whether a condition calls a method that only a type knows on a place that it might change.
    fn may_write_by_methods(&self, condition: &syn::Expr) -> bool {
        let calls = scan::methods(condition);
        calls.into_iter().filter(|call| super::builtin::is_unknown(call)).any(|call| {
            let root = scan::root(&call.receiver);
            let place = root.and_then(|root| self.place_of(&root));
            place.is_some_and(|place| {
                let is_open = place.ty == Type::Unknown || place.ty.is_aggregate();
                is_open && place.mutable && !self.fixed.contains(&place.var)
            })
        })
    }

    pub(super) fn endless_loop(&mut self, repeat: &syn::ExprLoop) -> Value {
        let mut open = self.open_loop(&repeat.body, repeat.label.as_ref());
        let before = self.state.clone();
        self.builder.open();
        self.enter(&open.carried);
        let condition = self.truth();
        open.kind = LoopKind::While { condition: self.builder.close(vec![condition]) };
        self.state = before;
        self.builder.open();
        let value = self.finish_loop(open, None);
        // Without a `break` control can only have left the function, or an outer loop.
        (self.diverged, self.panicked) = (!scan::breaks(repeat), false);
        let goes_on = !scan::exits_further(&repeat.body, repeat.label.as_ref()).any;
        let span = self.span(&repeat.loop_token);
        if goes_on && !self.diverged { self.unwrapped(value, span) } else { value }
    }

    fn open_loop<'s>(&mut self, body: &'s syn::Block, label: Option<&'s syn::Label>) -> Open<'s> {
        let carried = self.carried(body, label);
        let inits = carried.iter().map(|var| self.state[var.0]).collect();
        let (schedule, args) = self.schedule(body);
        let (kind, results) = (LoopKind::Repeat, Vec::new());
        Open { kind, schedule, args, carried, inits, label, body, results }
    }

    /// The variables that a loop may assign, flags of outer frames included if its exits reach them.
    fn carried(&mut self, body: &syn::Block, label: Option<&syn::Label>) -> Vec<Var> {
        let mut found: Vec<Var> = Vec::new();
        for name in scan::assigned(body) {
            match self.lookup(&name) {
                Some(Binding::Variable(var)) => found.push(*var),
                Some(Binding::View(place)) if self.may_be_written(place) => found.push(place.var),
                _ => {}
            }
        }
        for name in scan::lent(body) {
            match self.lookup(&name) {
                Some(Binding::Variable(var)) if self.is_lent_uniquely(*var) => found.push(*var),
                Some(Binding::View(place)) if self.may_be_written(place) => found.push(place.var),
                _ => {}
            }
        }
        if sharing::may_write(body) {
            found.extend(&self.sharing);
        }
        let exits = scan::exits_further(body, label);
        for frame in &self.frames[self.outermost_target(&exits)..] {
            found.push(frame.live);
            found.extend(frame.again);
            found.extend(frame.outcome);
        }
        if exits.returns {
            found.push(self.result);
        }
        found.sort_by_key(|var| var.0);
        found.dedup();
        found.retain(|var| !self.is_shared(*var) || self.sharing.contains(var));
        found
    }

    /// Through `&` only what a cell holds can be changed.
    fn may_be_written(&self, view: &super::Place) -> bool {
        view.mutable || self.cells.contains(&view.var) || self.sharing.contains(&view.var)
    }

    /// The outermost frame that exits lead to.
    fn outermost_target(&self, exits: &scan::Exits) -> usize {
        if exits.returns {
            return 0;
        }
        let is_target =
            |frame: &Frame| frame.label.as_ref().is_some_and(|label| exits.labels.contains(label));
        self.frames.iter().position(is_target).unwrap_or(self.frames.len())
    }

    /// What is behind `&` cannot be assigned.
    fn is_shared(&self, var: Var) -> bool {
        let slot = self.slot_of(var);
        slot.is_some_and(|slot| self.builder.function.slot(slot).access == Access::Shared)
    }

    /// Whether a variable is a `&mut`.
    fn is_lent_uniquely(&self, var: Var) -> bool {
        let slot = self.slot_of(var);
        slot.is_some_and(|slot| self.builder.function.slot(slot).access == Access::Unique)
    }

    /// Parameters of the open block for the carried variables.
    fn enter(&mut self, carried: &[Var]) {
        for var in carried {
            if let Some(init) = self.state[var.0] {
                let ty = self.ty(init);
                let param = self.successor(init, ty);
                self.name_after(param, *var);
                self.builder.param(param);
                self.state[var.0] = Some(param);
            }
        }
    }

    /// Lowers the body into the open block, and closes the loop.
    fn finish_loop(&mut self, mut open: Open, index: Option<(Value, &syn::Pat)>) -> Value {
        self.enter(&open.carried);
        let visible = self.state.len();
        let (again, outcome) = self.push_frame(open.label);
        self.scopes.push(Default::default());
        if let Some((value, pattern)) = index {
            self.bind_pattern(pattern, value, false);
        }
        self.statements(&open.body.stmts, Tail::Nested);
        self.scopes.pop();
        self.frames.pop();
        self.diverged = false;
        let flag = self.state[again.0].expect("set at the start of the body");
        let again = (!self.is_true(flag)).then_some(flag);
        let late = self.late(&open, self.state[outcome.0]);
        let mut next: Vec<Value> = again.into_iter().collect();
        self.close_carried(&mut open, &mut next);
        let (outcome, starts) = self.close_late(&mut open, late, &mut next);
        let body = self.builder.close(next);
        let span = self.span(&open.body.brace_token.span.open());
        self.start_late(&mut open, starts, span);
        self.state[visible..].fill(None);
        let schedule = self.checked_schedule(&open);
        let kind = open.kind;
        let repeat = Loop { kind, schedule, breaks: again.is_some(), body };
        self.builder.push(Op::Loop(Box::new(repeat)), open.args, open.results, span);
        outcome.unwrap_or_else(|| self.unit())
    }

    /// How many states are kept of so many iterations is known before a loop that is counted.
    fn checked_schedule(&mut self, open: &Open) -> Option<Schedule> {
        let (schedule, span) = open.schedule?;
        if schedule == Schedule::Snapshots && !matches!(open.kind, LoopKind::Range { .. }) {
            self.report(span, &diag::UNCOUNTED_SNAPSHOTS, "");
        }
        Some(schedule)
    }

    fn push_frame(&mut self, label: Option<&syn::Label>) -> (Var, Var) {
        let flag = self.truth();
        let (again, live) = (self.hidden(Some(flag)), self.hidden(Some(flag)));
        let outcome = self.hidden(None);
        let label = label.map(|label| label.name.ident.to_string());
        self.frames.push(Frame { label, live, again: Some(again), outcome: Some(outcome) });
        (again, outcome)
    }

    fn is_true(&mut self, value: Value) -> bool {
        let defined = self.builder.block().insts.iter().find(|inst| inst.results.contains(&value));
        let op = defined.map(|inst| &inst.op);
        matches!(op, Some(Op::Literal(syn::Lit::Bool(literal))) if literal.value)
    }

    /// Variables without initial value that the body sets, and the value of `break value`: they are
    /// carried from an undefined start.
    fn late(&self, open: &Open, outcome: Option<Value>) -> Vec<(Option<Var>, Value)> {
        let mut late = Vec::new();
        for (var, init) in open.carried.iter().zip(&open.inits) {
            if let (None, Some(value)) = (init, self.state[var.0]) {
                late.push((Some(*var), value));
            }
        }
        late.extend(outcome.map(|value| (None, value)));
        late
    }

    /// Carried variables take the loop's results.
    fn close_carried(&mut self, open: &mut Open, next: &mut Vec<Value>) {
        for (var, init) in open.carried.iter().zip(&open.inits) {
            let (Some(init), Some(value)) = (init, self.state[var.0]) else { continue };
            let value = self.in_place_of(*init, value);
            open.args.push(*init);
            next.push(value);
            let ty = self.ty(*init).join(&self.ty(value));
            let result = self.successor(*init, ty);
            self.name_after(result, *var);
            open.results.push(result);
            self.state[var.0] = Some(result);
        }
    }

    /// What a carried variable takes on, in the place that it had before the loop, if it had one.
    fn in_place_of(&mut self, init: Value, value: Value) -> Value {
        let function = &self.builder.function;
        let (from, to) = (function.slot_of(value), function.slot_of(init));
        let span = function.value(value).span;
        match to {
            Some(_) if from == to => value,
            None if from.is_none() => value,
            Some(slot) => {
                let param = self.builder.parameter_of(slot).expect("a carried place");
                self.builder.update(Op::Store(Vec::new()), vec![param, value], slot, span)
            }
            None => {
                let data = self.builder.function.value(value).clone();
                self.builder.inst(Op::Load(Vec::new()), vec![value], data.ty, &data.name, span)
            }
        }
    }

    /// Likewise for those that have no value before the loop. Returns the loop's own value, and what
    /// needs an undefined start.
    fn close_late(
        &mut self,
        open: &mut Open,
        late: Vec<(Option<Var>, Value)>,
        next: &mut Vec<Value>,
    ) -> (Option<Value>, Vec<Value>) {
        let (mut outcome, mut starts) = (None, Vec::new());
        for (var, value) in late {
            let ty = self.ty(value);
            if var == Some(self.result) && !ty.has_stand_in() {
                self.wraps_result = true;
            }
            let name = self.builder.function.value(value).name.clone();
            let span = self.builder.function.value(value).span;
            let param = self.fresh_like([value], ty.clone(), &name, span);
            self.builder.param(param);
            if let LoopKind::While { condition } = &mut open.kind {
                condition.params.push(self.successor(param, ty.clone()));
            }
            // An aggregate is moved into the loop's own place.
            next.push(match self.builder.function.slot_of(param) {
                Some(slot) => {
                    self.builder.update(Op::Store(Vec::new()), vec![param, value], slot, span)
                }
                None => value,
            });
            let result = self.successor(param, ty);
            open.results.push(result);
            starts.push(param);
            match var {
                Some(var) => self.state[var.0] = Some(result),
                None => outcome = Some(result),
            }
        }
        (outcome, starts)
    }

    fn start_late(&mut self, open: &mut Open, starts: Vec<Value>, span: Span) {
        for value in starts {
            let ty = self.ty(value);
            let start = self.successor(value, ty);
            self.builder.push(Op::Undefined, Vec::new(), vec![start], span);
            open.args.push(start);
        }
    }

    /// The bounds of a range expression, whether it includes its end, and what stands behind it.
    fn range(&mut self, expr: &syn::Expr) -> Option<(Vec<Value>, bool, Vec<Adaptor>)> {
        match expr {
            syn::Expr::Paren(paren) => self.range(&paren.expr),
            syn::Expr::Group(group) => self.range(&group.expr),
            syn::Expr::Range(syn::ExprRange {
                start: Some(start), limits, end: Some(end), ..
            }) => {
                let bounds = vec![self.expr(start), self.expr(end)];
                Some((bounds, matches!(limits, syn::RangeLimits::Closed(_)), Vec::new()))
            }
            syn::Expr::MethodCall(call) if call.method == "rev" && call.args.is_empty() => {
                let (bounds, inclusive, mut adaptors) = self.range(&call.receiver)?;
                adaptors.push(Adaptor::Rev);
                Some((bounds, inclusive, adaptors))
            }
            syn::Expr::MethodCall(call) if call.method == "step_by" && call.args.len() == 1 => {
                let (mut bounds, inclusive, mut adaptors) = self.range(&call.receiver)?;
                if adaptors.contains(&Adaptor::StepBy) {
                    return self.no_range(expr);
                }
                bounds.push(self.expr(&call.args[0]));
                adaptors.push(Adaptor::StepBy);
                Some((bounds, inclusive, adaptors))
            }
            _ => self.no_range(expr),
        }
    }

    fn no_range(&mut self, expr: &syn::Expr) -> Option<(Vec<Value>, bool, Vec<Adaptor>)> {
        self.report(diag::Extent::of(expr), &diag::UNSUPPORTED_ITERATOR, "");
        None
    }
}

/// `while c { .. }` as `loop { if c {} else { break; } .. }`.
fn as_endless(repeat: &syn::ExprWhile) -> syn::ExprLoop {
    let (condition, mut body) = (&repeat.cond, repeat.body.clone());
    body.stmts.insert(0, syn::parse_quote!(if #condition {} else { break; }));
    syn::ExprLoop {
        attrs: repeat.attrs.clone(),
        label: repeat.label.clone(),
        loop_token: syn::Token![loop](repeat.while_token.span),
        body,
    }
}
