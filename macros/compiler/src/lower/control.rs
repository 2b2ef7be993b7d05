//! `if` and early exits: what the arms changed is merged, an exit sets flags.

use super::stmt::Tail;
use super::{Frame, Lower, Var};
use crate::ir::build::Builder;
use crate::ir::{Block, Inst, Op, Type, Value};
use proc_macro2::Span;

/// One lowered arm: its block, its value, and the variables at its end.
struct Arm {
    block: Block,
    value: Option<Value>,
    state: Vec<Option<Value>>,
    /// It ends in a panic.
    panics: bool,
}

type Body<'l, 'a> = &'l mut dyn FnMut(&mut Lower<'a>) -> Option<Value>;

impl<'a> Lower<'a> {
    /// An `if` with values. The result is `None` if neither arm ends normally.
    pub(super) fn if_else(
        &mut self,
        condition: Value,
        then: Body<'_, 'a>,
        other: Body<'_, 'a>,
        span: Span,
    ) -> Option<Value> {
        let condition = self.operand_value(condition, span);
        let before = self.state.clone();
        let mut then = self.arm(&before, then);
        let mut other = self.arm(&before, other);
        self.state = before;
        let value = self.merge_value(&mut then, &mut other, span);
        self.diverged = value.is_none();
        self.panicked = then.panics && other.panics;
        let mut results: Vec<Value> =
            value.into_iter().filter(|value| !self.ty(*value).is_unit()).collect();
        for index in 0..self.state.len() {
            results.extend(self.merge_variable(index, &mut then, &mut other));
        }
        let op = Op::If(Box::new(then.block), Box::new(other.block));
        self.builder.push(op, vec![condition], results, span);
        value.map(|value| if self.ty(value).is_unit() { self.unit() } else { value })
    }

    fn arm(&mut self, before: &[Option<Value>], body: Body<'_, 'a>) -> Arm {
        self.state = before.to_vec();
        (self.diverged, self.panicked) = (false, false);
        // What follows an `if` may be in one of its arms: names that it binds are not those of the other arm.
        let names = self.scopes.last().cloned();
        self.builder.open();
        let value = body(self);
        if let (Some(scope), Some(names)) = (self.scopes.last_mut(), names) {
            *scope = names;
        }
        let value = value.filter(|_| !self.diverged);
        let block = self.builder.close(Vec::new());
        let state = std::mem::take(&mut self.state);
        Arm { block, value, state, panics: self.diverged && self.panicked }
    }

    /// The value of the whole: a unit, a merge, or nothing when no arm ends normally.
    fn merge_value(&mut self, then: &mut Arm, other: &mut Arm, span: Span) -> Option<Value> {
        let ty = match (then.value, other.value) {
            (None, None) => return None,
            (Some(a), Some(b)) => self.ty(a).join(&self.ty(b)),
            (Some(a), None) | (None, Some(a)) => self.ty(a),
        };
        if ty.is_unit() {
            // The other may be of a type that is not known, such as that of a call.
            let mut values = [then.value, other.value].into_iter().flatten();
            return values.find(|value| self.ty(*value).is_unit());
        }
        let is_missing = |arm: &Arm| arm.value.is_none() && !arm.panics;
        let ty = match self.joined_wrapped(then.value, other.value) {
            Some(wrapped) => wrapped,
            None if !ty.has_stand_in() && (is_missing(then) || is_missing(other)) => {
                Type::Wrapped(Box::new(ty))
            }
            None => ty,
        };
        let forms = then.value.into_iter().chain(other.value);
        let result = match ty {
            Type::Float(_) | Type::Int | Type::Bool => {
                self.builder.value(ty.clone(), "value", span)
            }
            _ => self.fresh_like(forms, ty.clone(), "value", span),
        };
        for arm in [&mut *then, other] {
            if self.builder.function.slot_of(result).is_none() {
                arm.value = arm.value.map(|value| self.held_in(&mut arm.block, value, &ty));
            }
            self.yield_from(arm, arm.value, &ty);
        }
        Some(result)
    }

    /// What a block yields as a value, where it may be a place.
    fn held_in(&mut self, block: &mut Block, value: Value, ty: &Type) -> Value {
        let data = self.builder.function.value(value).clone();
        if data.slot.is_none() {
            return value;
        }
        let held = self.builder.value(ty.clone(), &data.name, data.span);
        let op = Op::Load(Vec::new());
        block.insts.push(Inst { op, args: vec![value], results: vec![held], span: data.span });
        held
    }

    /// A further result of an arm, of a type that the other arm's is of too.
    fn yield_from(&mut self, arm: &mut Arm, value: Option<Value>, ty: &Type) {
        let wraps = matches!(ty, Type::Wrapped(_));
        let value = match value {
            Some(value) if wraps && !matches!(self.ty(value), Type::Wrapped(_)) => {
                wrapped_in(&mut self.builder, &mut arm.block, value, ty)
            }
            Some(value) => value,
            None => self.undefined_in(arm, ty),
        };
        arm.block.results.push(value);
    }

    /// A result for a variable that the arms leave with different values.
    fn merge_variable(&mut self, index: usize, then: &mut Arm, other: &mut Arm) -> Option<Value> {
        let (a, b) = (then.state[index], other.state[index]);
        if a == b {
            self.state[index] = a;
            return None;
        }
        let known = a.or(b)?;
        let ty = match (a, b) {
            (Some(a), Some(b)) => self.ty(a).join(&self.ty(b)),
            _ => self.ty(known),
        };
        let is_absent = |arm: &Arm, value: Option<Value>| value.is_none() && !arm.panics;
        if index == self.result.0 && !ty.has_stand_in() {
            self.wraps_result |= is_absent(then, a) || is_absent(other, b);
        }
        let ty = self.joined_wrapped(a, b).unwrap_or(ty);
        for (arm, value) in [(then, a), (other, b)] {
            self.yield_from(arm, value, &ty);
        }
        let one_place = a.and_then(|a| self.builder.function.slot_of(a))
            == b.and_then(|b| self.builder.function.slot_of(b));
        let result = match one_place {
            true => self.successor(known, ty),
            false => self.fresh_like(a.into_iter().chain(b), ty, "value", Span::call_site()),
        };
        self.name_after(result, Var(index));
        self.state[index] = Some(result);
        Some(result)
    }

    /// The type of two values of which one is an `Option` around what the other is.
    fn joined_wrapped(&self, a: Option<Value>, b: Option<Value>) -> Option<Type> {
        let inner = |value: Value| match self.ty(value) {
            Type::Wrapped(inner) => *inner,
            ty => ty,
        };
        let values = [a, b].into_iter().flatten();
        let any = values.clone().any(|value| matches!(self.ty(value), Type::Wrapped(_)));
        let joined = values.map(inner).reduce(|a, b| a.join(&b)).filter(|_| any)?;
        Some(Type::Wrapped(Box::new(joined)))
    }

    /// A new value for the variable that `value` belongs to: a version of its slot, if it has one.
    pub(super) fn successor(&mut self, value: Value, ty: Type) -> Value {
        match self.builder.function.slot_of(value) {
            Some(slot) => self.builder.version(slot),
            None => {
                let data = self.builder.function.value(value).clone();
                self.builder.value(ty, &data.name, data.span)
            }
        }
    }

    /// Likewise; what is a place in one of several forms gets a place of its own.
    pub(super) fn fresh_like(
        &mut self,
        forms: impl IntoIterator<Item = Value>,
        ty: Type,
        name: &str,
        span: Span,
    ) -> Value {
        let mut slots = forms.into_iter().map(|value| self.builder.function.slot_of(value));
        if !slots.any(|slot| slot.is_some()) {
            return self.builder.fresh(ty, name, span, false);
        }
        self.builder.place(ty, name, span, false)
    }

    /// What an arm without a value yields. Behind a panic nothing of the type is needed.
    fn undefined_in(&mut self, arm: &mut Arm, ty: &Type) -> Value {
        let ty = if arm.panics && !ty.has_stand_in() { &Type::Never } else { ty };
        let result = self.builder.fresh(ty.clone(), "undefined", Span::call_site(), false);
        arm.block.insts.push(Inst {
            op: Op::Undefined,
            args: Vec::new(),
            results: vec![result],
            span: Span::call_site(),
        });
        result
    }

    pub(super) fn if_expr(&mut self, branch: &syn::ExprIf) -> Value {
        let condition = self.expr(&branch.cond);
        let value = self.if_else(
            condition,
            &mut |lower| lower.scoped(&branch.then_branch.stmts, Tail::Nested),
            &mut |lower| match &branch.else_branch {
                None => Some(lower.unit()),
                Some((_, other)) => Some(lower.owned(other)),
            },
            self.span(&branch.if_token),
        );
        self.value_or_never(value)
    }

    pub(super) fn value_or_never(&mut self, value: Option<Value>) -> Value {
        value.unwrap_or_else(|| {
            self.diverged = true;
            Value(0)
        })
    }

    pub(super) fn return_expr(&mut self, exit: &syn::ExprReturn) -> Value {
        let value = match &exit.expr {
            Some(expr) => self.owned(expr),
            None => self.unit(),
        };
        if !self.diverged {
            self.set_result(value);
            self.leave(0, true);
        }
        Value(0)
    }

    pub(super) fn break_expr(&mut self, exit: &syn::ExprBreak) -> Value {
        let outcome = exit.expr.as_ref().map(|expr| self.owned(expr));
        if let Some(target) = self.target(exit.label.as_ref()) {
            if let (Some(value), Some(var)) = (outcome, self.frames[target].outcome) {
                let is_open = !self.ty(value).has_stand_in();
                let span = self.span(&exit.break_token);
                let value = if is_open { self.wrapped(value, span) } else { value };
                self.state[var.0] = Some(value);
            }
            self.leave(target, true);
        }
        Value(0)
    }

    pub(super) fn continue_expr(&mut self, exit: &syn::ExprContinue) -> Value {
        if let Some(target) = self.target(exit.label.as_ref()) {
            self.leave(target, false);
        }
        Value(0)
    }

    /// The frame that a label names, or the innermost loop.
    fn target(&mut self, label: Option<&syn::Lifetime>) -> Option<usize> {
        let name = label.map(|label| label.ident.to_string());
        let fits = |frame: &Frame| frame.again.is_some() && (name.is_none() || frame.label == name);
        let found = self.frames.iter().rposition(fits);
        if found.is_none() {
            self.reports.give_up();
        }
        found
    }

    /// Leaves all frames from the innermost to `target`; loops on the way stop, the target's too if asked.
    fn leave(&mut self, target: usize, stop: bool) {
        let off = self.boolean(false);
        for index in target..self.frames.len() {
            let (live, again) = (self.frames[index].live, self.frames[index].again);
            self.state[live.0] = Some(off);
            if let Some(again) = again.filter(|_| index > target || stop) {
                self.state[again.0] = Some(off);
            }
        }
        (self.diverged, self.panicked) = (true, false);
    }
}

/// A value at the end of an arm, as an `Option`.
fn wrapped_in(builder: &mut Builder, block: &mut Block, value: Value, ty: &Type) -> Value {
    let data = builder.function.value(value).clone();
    let wrapped = builder.value(ty.clone(), &data.name, data.span);
    let op = Op::Wrap(true);
    block.insts.push(Inst { op, args: vec![value], results: vec![wrapped], span: data.span });
    wrapped
}
