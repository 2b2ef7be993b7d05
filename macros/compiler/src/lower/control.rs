//! `if`, `match`, loops and exits: what blocks changed is merged, an exit sets flags.

use super::element::Message;
use super::statement::Next;
use super::stream::Stream;
use super::{Frame, Lower, Var};
use crate::diag;
use crate::hir::{self, Arm as MatchArm, ExprId, ExprKind, Target};
use crate::ir::build::Builder;
use crate::ir::entity::EntityMap;
use crate::ir::{Access, Block, Inst, Loop, LoopKind, Op, Schedule, Type, Value};
use proc_macro2::Span;

/// One lowered arm: its block, its value, and the variables at its end.
struct Arm {
    block: Block,
    value: Option<Value>,
    state: Vec<Option<Value>>,
    /// It ends in a panic.
    panics: bool,
}

/// The code of an arm.
pub(super) type Code<'l, 'a> = &'l dyn Fn(&mut Lower<'a>) -> Option<Value>;

impl<'a> Lower<'a> {
    /// An `if` with values. The result is `None` if neither arm ends normally.
    pub(super) fn if_else(
        &mut self,
        condition: Value,
        then: Code<'_, 'a>,
        other: Code<'_, 'a>,
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

    fn arm(&mut self, before: &[Option<Value>], code: Code<'_, 'a>) -> Arm {
        self.state = before.to_vec();
        (self.diverged, self.panicked) = (false, false);
        let storage = self.storage.clone();
        self.builder.open();
        let value = code(self);
        self.storage = storage;
        let value = value.filter(|_| !self.diverged);
        let block = self.builder.close(Vec::new());
        let mut state = std::mem::take(&mut self.state);
        state.truncate(before.len());
        self.slots.truncate(before.len());
        self.locals.truncate(before.len());
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
        for arm in [then, other] {
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

    /// A value that may be absent on another way, as an `Option`.
    pub(super) fn wrapped(&mut self, value: Value, span: Span) -> Value {
        let ty = match self.ty(value) {
            Type::Wrapped(_) => return value,
            ty => Type::Wrapped(Box::new(ty)),
        };
        let name = self.builder.function.value(value).name.clone();
        self.builder.inst(Op::Wrap(true), vec![value], ty, &name, span)
    }

    /// The value again, where it must be there.
    pub(super) fn unwrapped(&mut self, value: Value, span: Span) -> Value {
        let Type::Wrapped(ty) = self.ty(value) else { return value };
        let name = self.builder.function.value(value).name.clone();
        self.inst(Op::Unwrap, vec![value], *ty, &name, span)
    }

    pub(super) fn value_or_never(&mut self, value: Option<Value>) -> Value {
        value.unwrap_or_else(|| {
            self.diverged = true;
            Value(0)
        })
    }

    // --- choices

    /// `if`, as a value.
    pub(super) fn branch(&mut self, condition: ExprId, then: ExprId, other: ExprId) -> Value {
        let value = self.branch_on(
            condition,
            &|lower| Some(lower.owned(then)),
            &|lower| Some(lower.owned(other)),
            self.span(condition),
        );
        self.value_or_never(value)
    }

    /// A branch on a condition that may bind names for its first arm.
    pub(super) fn branch_on(
        &mut self,
        condition: ExprId,
        then: Code<'_, 'a>,
        other: Code<'_, 'a>,
        span: Span,
    ) -> Option<Value> {
        match self.body.expr(condition).kind {
            ExprKind::Let(pattern, value) => {
                let subject = self.subject(value, &[pattern]);
                let Some(test) = self.test(pattern, &subject) else {
                    self.bind_subject(pattern, &subject);
                    return then(self);
                };
                self.if_else(
                    test,
                    &|lower| {
                        lower.bind_subject(pattern, &subject);
                        then(lower)
                    },
                    other,
                    span,
                )
            }
            ExprKind::Lazy { is_and: true, left, right } if self.has_pattern(condition) => self
                .branch_on(
                    left,
                    &|lower| lower.branch_on(right, then, other, span),
                    &|lower| other(lower),
                    span,
                ),
            _ => {
                let condition = self.expr(condition);
                if self.diverged {
                    return None;
                }
                self.if_else(condition, then, other, span)
            }
        }
    }

    fn has_pattern(&self, condition: ExprId) -> bool {
        match &self.body.expr(condition).kind {
            ExprKind::Let(..) => true,
            ExprKind::Lazy { left, right, .. } => {
                self.has_pattern(*left) || self.has_pattern(*right)
            }
            _ => false,
        }
    }

    /// `match`, as a value.
    pub(super) fn matched(&mut self, value: ExprId, arms: &'a [MatchArm]) -> Value {
        let arms = self.separate(arms);
        let patterns: Vec<hir::PatId> = arms.iter().map(|arm| arm.pattern).collect();
        let subject = self.subject(value, &patterns);
        if self.diverged {
            return Value(0);
        }
        let value = self.arms(&arms, &subject, &|lower, arm| Some(lower.owned(arm.body)));
        self.value_or_never(value)
    }

    /// The arms; where alternatives bind names, each is an arm of its own.
    fn separate(&self, arms: &[MatchArm]) -> Vec<MatchArm> {
        let cases = |arm: &MatchArm| match &self.body.pat(arm.pattern).kind {
            hir::PatKind::Or(cases) if self.binds(arm.pattern) => cases.clone(),
            _ => vec![arm.pattern],
        };
        let separated = arms.iter().flat_map(|arm| {
            cases(arm).into_iter().map(|pattern| MatchArm { pattern, ..arm.clone() })
        });
        separated.collect()
    }

    /// Tests arms one after the other.
    fn arms(
        &mut self,
        arms: &[MatchArm],
        subject: &super::pattern::Subject,
        body: &dyn Fn(&mut Lower<'a>, &MatchArm) -> Option<Value>,
    ) -> Option<Value> {
        let Some((arm, rest)) = arms.split_first() else {
            // The arms in front fit all values, which rustc has checked.
            let message = Message::Text("internal error: entered unreachable code");
            self.panic(&message, Span::call_site());
            return None;
        };
        let span = self.body.pat(arm.pattern).span;
        // The last arm fits what is left: rustc has checked it.
        let test = if rest.is_empty() && arm.guard.is_none() {
            None
        } else {
            self.test(arm.pattern, subject)
        };
        let test = match (test, arm.guard) {
            (test, Some(guard)) => Some(self.guard(arm.pattern, guard, test, subject)),
            (test, None) => test,
        };
        let Some(test) = test else {
            self.bind_subject(arm.pattern, subject);
            return body(self, arm);
        };
        self.if_else(
            test,
            &|lower| {
                lower.bind_subject(arm.pattern, subject);
                body(lower, arm)
            },
            &|lower| lower.arms(rest, subject, body),
            span,
        )
    }

    /// The guard of an arm whose pattern fits.
    fn guard(
        &mut self,
        pattern: hir::PatId,
        guard: ExprId,
        test: Option<Value>,
        subject: &super::pattern::Subject,
    ) -> Value {
        let asked = |lower: &mut Lower<'a>| {
            lower.bind_subject(pattern, subject);
            Some(lower.expr(guard))
        };
        let Some(test) = test else {
            let storage = self.storage.clone();
            let value = asked(self);
            self.storage = storage;
            return self.value_or_never(value);
        };
        let span = self.span(guard);
        let value = self.if_else(test, &asked, &|lower| Some(lower.boolean(false)), span);
        self.value_or_never(value)
    }

    /// A choice from which control may leave, and what follows it.
    pub(super) fn choice_followed(&mut self, expr: ExprId, next: Next<'_, 'a>) -> Option<Value> {
        let going_on = match &self.body.expr(expr).kind {
            ExprKind::If { then, other, .. } => {
                usize::from(!self.leaves(*then)) + usize::from(!self.leaves(*other))
            }
            ExprKind::Match(_, arms) => {
                self.separate(arms).iter().filter(|arm| !self.leaves(arm.body)).count()
            }
            _ => unreachable!("a choice"),
        };
        if going_on > 1 {
            let value =
                self.choice_of(expr, &|lower, arm| lower.followed(arm, &|_, value| Some(value)));
            return match value {
                Some(value) => self.guarded(value, expr, next),
                None => None,
            };
        }
        self.choice_of(expr, &|lower, arm| lower.followed(arm, next))
    }

    /// A choice whose arms are lowered by the caller; one that is missing is `()`.
    pub(super) fn choice_of(
        &mut self,
        expr: ExprId,
        arm: &dyn Fn(&mut Lower<'a>, ExprId) -> Option<Value>,
    ) -> Option<Value> {
        match &self.body.expr(expr).kind {
            ExprKind::If { condition, then, other } => self.branch_on(
                *condition,
                &|lower| arm(lower, *then),
                &|lower| arm(lower, *other),
                self.span(expr),
            ),
            ExprKind::Match(value, arms) => {
                let arms = self.separate(arms);
                let patterns: Vec<hir::PatId> = arms.iter().map(|arm| arm.pattern).collect();
                let subject = self.subject(*value, &patterns);
                if self.diverged {
                    return None;
                }
                self.arms(&arms, &subject, &|lower, found| arm(lower, found.body))
            }
            _ => unreachable!("a choice"),
        }
    }

    /// `let pattern = init else { otherwise };` and what follows it.
    pub(super) fn let_else(
        &mut self,
        (pattern, init, otherwise): (hir::PatId, ExprId, ExprId),
        next: Next<'_, 'a>,
    ) -> Option<Value> {
        let subject = self.subject(init, &[pattern]);
        let span = self.span(otherwise);
        let Some(test) = self.test(pattern, &subject) else {
            self.bind_subject(pattern, &subject);
            let unit = self.unit();
            return next(self, unit);
        };
        self.if_else(
            test,
            &|lower| {
                lower.bind_subject(pattern, &subject);
                let unit = lower.unit();
                next(lower, unit)
            },
            &|lower| {
                lower.expr(otherwise);
                None
            },
            span,
        )
    }

    // --- exits

    pub(super) fn open_frame(&mut self, target: Target, is_loop: bool) {
        let flag = self.boolean(true);
        let live = self.flag(Some(flag));
        let again = is_loop.then(|| self.flag(Some(flag)));
        let outcome = self.flag(None);
        self.frames.push(Frame { target, live, again, outcome });
    }

    /// A block with a label, or the body of a closure that is lowered in place: `break` gives its value.
    pub(super) fn labelled(&mut self, target: Target, code: Code<'_, 'a>) -> Value {
        let outside = self.outer_flag();
        self.open_frame(target, false);
        let value = code(self);
        let frame = self.frames.pop().expect("the frame");
        // Where control may have left more than the block, what follows unwraps the value.
        let leaves_more = self.outer_flag() != outside;
        let left = self.state[frame.outcome.0];
        let live = self.state[frame.live.0].expect("the flag is always set");
        let value = match (value.filter(|_| !self.diverged), left) {
            (Some(value), None) => value,
            (None, Some(left)) => left,
            (None, None) if self.is_false(live) => {
                self.diverged = false;
                return self.unit();
            }
            (None, None) => return Value(0),
            (Some(value), Some(left)) => self.joined_at_end(live, value, left, leaves_more),
        };
        self.diverged = false;
        if leaves_more { value } else { self.unwrapped(value, Span::call_site()) }
    }

    /// The flag that says whether control is still in the innermost frame.
    fn outer_flag(&self) -> Option<Value> {
        self.frames.last().and_then(|frame| self.state[frame.live.0])
    }

    /// The value at a block's end, or that of a `break`.
    fn joined_at_end(
        &mut self,
        live: Value,
        value: Value,
        left: Value,
        stays_wrapped: bool,
    ) -> Value {
        let span = Span::call_site();
        let stays_wrapped = stays_wrapped && matches!(self.ty(left), Type::Wrapped(_));
        let part = |lower: &mut Self, value| match stays_wrapped {
            true => lower.wrapped(value, span),
            false => lower.unwrapped(value, span),
        };
        let value = self.if_else(
            live,
            &|lower| Some(part(lower, value)),
            &|lower| Some(part(lower, left)),
            span,
        );
        self.value_or_never(value)
    }

    /// `break`, with a value or without, and `return`.
    pub(super) fn break_to(&mut self, target: Target, value: Option<ExprId>) -> Value {
        if let (Target::FUNCTION, Some(value), Some(output)) =
            (target, value, &self.signature.output)
        {
            self.expect(value, output);
        }
        let value = value.map(|value| self.owned(value));
        if self.diverged {
            return Value(0);
        }
        if target == self.unit.target {
            let value = value.unwrap_or_else(|| self.unit());
            self.set_result(value);
        } else if let Some(value) = value
            && let Some(frame) = self.frames.iter().rev().find(|frame| frame.target == target)
        {
            let outcome = frame.outcome;
            let is_open = !self.ty(value).has_stand_in();
            let span = self.builder.function.value(value).span;
            let value = if is_open { self.wrapped(value, span) } else { value };
            self.state[outcome.0] = Some(value);
        }
        self.leave(target, true);
        Value(0)
    }

    /// Leaves all frames from the innermost to that of the target; loops on the way stop, the target's too if asked.
    pub(super) fn leave(&mut self, target: Target, stop: bool) {
        let Some(at) = self.frames.iter().rposition(|frame| frame.target == target) else {
            return self.reports.give_up();
        };
        let off = self.boolean(false);
        for index in at..self.frames.len() {
            let (live, again) = (self.frames[index].live, self.frames[index].again);
            self.state[live.0] = Some(off);
            if let Some(again) = again.filter(|_| index > at || stop) {
                self.state[again.0] = Some(off);
            }
        }
        (self.diverged, self.panicked) = (true, false);
    }

    // --- loops

    /// A loop of the source.
    pub(super) fn repeat(&mut self, repeat: &'a hir::Loop) -> Value {
        let schedule = match &repeat.schedule {
            None => None,
            Some((schedule, given, span)) => {
                let given = given.map(|given| self.expr(given));
                Some((*schedule, given, *span))
            }
        };
        match repeat.kind {
            hir::LoopKind::Endless => {
                let value = self.looped(repeat, schedule, Head::Endless, None);
                if !repeat.is_left {
                    (self.diverged, self.panicked) = (true, false);
                }
                let exits = &self.body.expr(repeat.body).exits;
                // Where control may have left more than the loop, what follows unwraps the value.
                let goes_on = exits.iter().all(|target| *target == repeat.target);
                if goes_on && !self.diverged { self.unwrapped(value, repeat.span) } else { value }
            }
            hir::LoopKind::While(condition) => {
                self.looped(repeat, schedule, Head::While(condition), None)
            }
            hir::LoopKind::For(pattern, iterated) => {
                self.for_loop(repeat, schedule, pattern, iterated)
            }
        }
    }

    fn for_loop(
        &mut self,
        repeat: &'a hir::Loop,
        schedule: Option<Given>,
        pattern: hir::PatId,
        iterated: ExprId,
    ) -> Value {
        if let Some((bounds, kind)) = self.range(iterated) {
            return self.looped(repeat, schedule, Head::Range(bounds, kind), Some(pattern));
        }
        let Some(mut stream) = self.iterated(iterated) else {
            return self.no_loop(iterated);
        };
        let changed = self.changed_by(repeat.body);
        self.apart_from(&mut stream, &|_, local| changed.contains(&local));
        self.for_stream(repeat, schedule, pattern, &stream)
    }

    /// Reports a loop over what is none of these.
    fn no_loop(&mut self, iterated: ExprId) -> Value {
        match self.is_broken(iterated) {
            true => self.reported("a loop"),
            false => self.refuse(iterated, &diag::UNSUPPORTED_ITERATOR, ""),
        }
    }

    /// What a loop goes through: a chain, a map, or the elements of a place.
    fn iterated(&mut self, expr: ExprId) -> Option<Stream> {
        if self.is_stream(expr) || self.is_map(expr) || self.is_lines(expr) {
            return self.read_iterable(expr);
        }
        match self.elements(expr) {
            Some((base, by)) => Some(Stream::of_elements(base, by, self.span(expr))),
            None => self.listed(expr).or_else(|| self.made_elements(expr)),
        }
    }

    /// The elements of what a call returns, or of a place: of which collection, only rustc knows.
    fn made_elements(&mut self, expr: ExprId) -> Option<Stream> {
        let made = match &self.body.expr(expr).kind {
            ExprKind::Local(local) => self.initials.get(local).copied().unwrap_or(expr),
            _ => expr,
        };
        let is_made = match self.body.expr(made).kind {
            ExprKind::Call(..) => true,
            // Slices have methods that no loop is made of.
            ExprKind::Method { receiver, .. } => self.is_unseen(receiver),
            ExprKind::Local(_) | ExprKind::Field(..) => self.is_unseen(made),
            _ => false,
        };
        if !is_made || self.is_other_iterable(made) || self.is_broken(expr) {
            return None;
        }
        let span = self.span(expr);
        let function = syn::parse_quote_spanned!(span=> ::cotangent::__private::elements::<_>);
        Some(self.list(expr, function))
    }

    /// Whether a receiver is of a type that the macro does not see.
    fn is_unseen(&mut self, receiver: ExprId) -> bool {
        match &self.body.expr(receiver).kind {
            ExprKind::Call(..) => true,
            ExprKind::Method { receiver: inner, .. } => {
                !self.is_stream(receiver) && self.is_unseen(*inner)
            }
            _ => {
                self.is_plain(receiver)
                    && self.place(receiver).is_some_and(|place| place.ty == Type::Unknown)
            }
        }
    }

    pub(super) fn loop_body(&mut self, body: ExprId) {
        self.followed(body, &|_, value| Some(value));
    }

    fn looped(
        &mut self,
        repeat: &'a hir::Loop,
        schedule: Option<Given>,
        head: Head,
        pattern: Option<hir::PatId>,
    ) -> Value {
        self.counted(repeat.target, schedule, head, repeat.span, &|lower, index| {
            if let (Some(index), Some(pattern)) = (index, pattern) {
                lower.bind_value(pattern, index);
            }
            lower.loop_body(repeat.body);
        })
    }

    /// A loop over indices that the compiler makes.
    pub(super) fn over_indices(
        &mut self,
        start: Value,
        end: Value,
        span: Span,
        body: &dyn Fn(&mut Lower<'a>, Value),
    ) {
        let kind = LoopKind::Range { inclusive: false, adaptors: Vec::new() };
        let target = self.own_target();
        self.counted(target, None, Head::Range(vec![start, end], kind), span, &|lower, index| {
            body(lower, index.expect("a range has an index"));
        });
    }

    /// A target of the compiler's own.
    pub(super) fn own_target(&mut self) -> Target {
        self.targets += 1;
        Target(self.targets)
    }

    /// A loop: every variable that may change is a parameter of its body; those that do not are removed at the end.
    pub(super) fn counted(
        &mut self,
        target: Target,
        schedule: Option<Given>,
        head: Head,
        span: Span,
        body: &dyn Fn(&mut Lower<'a>, Option<Value>),
    ) -> Value {
        let carried = self.carried();
        let before = self.state.clone();
        let (mut args, mut kind, asked) = self.opened_head(head, &carried, &before, span);
        args.extend(schedule.and_then(|(_, given, _)| given));
        let bounds = args.len();
        self.state.clone_from(&before);
        self.builder.open();
        let index = matches!(kind, LoopKind::Range { .. }).then(|| {
            let index = self.builder.value(Type::Int, "i", span);
            self.builder.param(index)
        });
        self.enter(&carried);
        let entered = self.state.clone();
        let visible = self.state.len();
        self.open_frame(target, true);
        let storage = self.storage.clone();
        match asked {
            Some(condition) => self.asked_first(condition, target, &|lower| body(lower, index)),
            None => body(self, index),
        }
        self.storage = storage;
        let frame = self.frames.pop().expect("the loop's frame");
        self.diverged = false;
        let flag =
            self.state[frame.again.expect("a loop").0].expect("set at the start of the body");
        let again = (!self.is_true(flag)).then_some(flag);
        let outcome = self.state[frame.outcome.0];
        let late = self.late(&carried, &before, outcome);
        let mut next: Vec<Value> = again.into_iter().collect();
        let mut results = Vec::new();
        let closed = [&mut args, &mut next, &mut results];
        let kept = self.close_carried(&carried, &before, &entered, closed);
        let (value, starts) = self.close_late(late, &mut kind, &mut next, &mut results);
        let mut block = self.builder.close(next);
        self.state.truncate(visible);
        self.slots.truncate(visible);
        self.locals.truncate(visible);
        self.remove_constants(&mut block, &mut kind, &kept, &carried, &entered);
        for start in starts {
            let ty = self.ty(start);
            let version = self.successor(start, ty);
            self.builder.push(Op::Undefined, Vec::new(), vec![version], span);
            args.push(version);
        }
        let schedule = self.checked_schedule(schedule, &kind);
        let repeat = Loop { kind, schedule, breaks: again.is_some(), body: block };
        debug_assert!(args.len() >= bounds);
        self.builder.push(Op::Loop(Box::new(repeat)), args, results, span);
        value.unwrap_or_else(|| self.unit())
    }

    /// Adds the initial values, the next ones and the loop's results of the variables that the body changed. Returns the
    /// variables that did not change, with their parameters and values.
    fn close_carried(
        &mut self,
        carried: &[Var],
        before: &[Option<Value>],
        entered: &[Option<Value>],
        [args, next, results]: [&mut Vec<Value>; 3],
    ) -> Vec<(Var, Value, Value)> {
        let mut kept = Vec::new();
        for var in carried {
            let (Some(init), Some(value)) = (before[var.0], self.state[var.0]) else { continue };
            let param = entered[var.0].expect("entered");
            if value == param {
                kept.push((*var, param, init));
                self.state[var.0] = Some(init);
                continue;
            }
            let (value, result) = self.carried_on(*var, init, param, value);
            args.push(init);
            next.push(value);
            results.push(result);
        }
        kept
    }

    /// The bounds of a loop's head, its kind, and a condition that the body is to ask first.
    fn opened_head(
        &mut self,
        head: Head,
        carried: &[Var],
        before: &[Option<Value>],
        span: Span,
    ) -> (Vec<Value>, LoopKind, Option<ExprId>) {
        match head {
            Head::Endless => (Vec::new(), self.endless(carried, span), None),
            Head::While(condition) => match self.condition(carried, condition) {
                Some(kind) => (Vec::new(), kind, None),
                None => {
                    self.state = before.to_vec();
                    (Vec::new(), self.endless(carried, span), Some(condition))
                }
            },
            Head::Range(bounds, kind) => (bounds, kind, None),
        }
    }

    /// A variable that the body changes: its value for the next round, and the one behind the loop.
    fn carried_on(&mut self, var: Var, init: Value, param: Value, value: Value) -> (Value, Value) {
        let value = self.in_place_of(init, param, value);
        let ty = self.ty(init).join(&self.ty(value));
        let result = self.successor(init, ty);
        self.name_after(result, var);
        self.state[var.0] = Some(result);
        (value, result)
    }

    /// The value that a carried variable takes on, in the place that it had before the loop, if it had one.
    fn in_place_of(&mut self, init: Value, param: Value, value: Value) -> Value {
        let function = &self.builder.function;
        let (from, to) = (function.slot_of(value), function.slot_of(init));
        let data = function.value(value).clone();
        match to {
            _ if from == to => value,
            Some(slot) => {
                let args = vec![param, value];
                self.builder.update(Op::Store(Vec::new()), args, slot, data.span)
            }
            None => {
                self.builder.inst(Op::Load(Vec::new()), vec![value], data.ty, &data.name, data.span)
            }
        }
    }

    fn checked_schedule(&mut self, schedule: Option<Given>, kind: &LoopKind) -> Option<Schedule> {
        let (schedule, _, span) = schedule?;
        if schedule == Schedule::Snapshots && !matches!(kind, LoopKind::Range { .. }) {
            self.reports.report(span, &diag::UNCOUNTED_SNAPSHOTS, "");
        }
        Some(schedule)
    }

    /// The variables that a loop may change: all but those behind `&`, and those that are never assigned.
    fn carried(&self) -> Vec<Var> {
        let is_shared = |var: &Var| {
            let slot = self.slot_of(*var);
            slot.is_some_and(|slot| self.builder.function.slot(slot).access == Access::Shared)
        };
        let all = (0..self.state.len()).map(Var);
        let is_open = |var: &Var| !is_shared(var) || self.sharing.contains(var);
        all.filter(|var| is_open(var) && !self.fixed.contains(var)).collect()
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

    fn endless(&mut self, carried: &[Var], span: Span) -> LoopKind {
        self.builder.open();
        self.enter(carried);
        let condition = self.boolean(true);
        self.builder.function.values[condition.0 as usize].span = span;
        LoopKind::While { condition: self.builder.close(vec![condition]) }
    }

    /// The condition of a `while`, unless a call in it changes a variable.
    fn condition(&mut self, carried: &[Var], condition: ExprId) -> Option<LoopKind> {
        self.builder.open();
        self.enter(carried);
        let entered = self.state.clone();
        let value = self.expr(condition);
        let is_changed = entered.iter().zip(&self.state).any(|(a, b)| a != b);
        let condition = self.builder.close(vec![value]);
        (!is_changed).then_some(LoopKind::While { condition })
    }

    /// The body of an endless loop that is left where a condition does not hold.
    fn asked_first(&mut self, condition: ExprId, target: Target, body: &dyn Fn(&mut Lower<'a>)) {
        let span = self.span(condition);
        let holds = self.expr(condition);
        self.if_else(
            holds,
            &|lower| {
                body(lower);
                (!lower.diverged).then(|| lower.unit())
            },
            &|lower| {
                lower.leave(target, true);
                None
            },
            span,
        );
    }

    fn is_true(&mut self, value: Value) -> bool {
        self.literal_of(value) == Some(true)
    }

    fn is_false(&mut self, value: Value) -> bool {
        self.literal_of(value) == Some(false)
    }

    pub(super) fn literal_of(&mut self, value: Value) -> Option<bool> {
        let defined = self.builder.block().insts.iter().find(|inst| inst.results.contains(&value));
        match defined.map(|inst| &inst.op) {
            Some(Op::Literal(syn::Lit::Bool(literal))) => Some(literal.value),
            _ => None,
        }
    }

    /// Variables without initial value that the body sets, and the value of `break value`: they are carried from an
    /// undefined start.
    fn late(
        &self,
        carried: &[Var],
        before: &[Option<Value>],
        outcome: Option<Value>,
    ) -> Vec<(Option<Var>, Value)> {
        let unset = carried.iter().filter(|var| before[var.0].is_none());
        let set = unset.filter_map(|var| Some((Some(*var), self.state[var.0]?)));
        set.chain(outcome.map(|value| (None, value))).collect()
    }

    /// Returns the loop's own value, and what needs an undefined start.
    fn close_late(
        &mut self,
        late: Vec<(Option<Var>, Value)>,
        kind: &mut LoopKind,
        next: &mut Vec<Value>,
        results: &mut Vec<Value>,
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
            if let LoopKind::While { condition } = kind {
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
            results.push(result);
            starts.push(param);
            match var {
                Some(var) => self.state[var.0] = Some(result),
                None => outcome = Some(result),
            }
        }
        (outcome, starts)
    }

    /// Takes parameters out that the body hands on as they are.
    fn remove_constants(
        &self,
        body: &mut Block,
        kind: &mut LoopKind,
        kept: &[(Var, Value, Value)],
        carried: &[Var],
        entered: &[Option<Value>],
    ) {
        let replaced: EntityMap<Value, Value> =
            kept.iter().map(|(_, param, init)| (*param, *init)).collect();
        let substitute = |value: &mut Value| {
            if let Some(init) = replaced.get(value) {
                *value = *init;
            }
        };
        body.params.retain(|param| !replaced.contains_key(param));
        body.map_uses(&mut substitute.clone());
        if let LoopKind::While { condition } = kind {
            let live = carried.iter().filter(|var| entered[var.0].is_some());
            let params = condition.params.clone();
            let mut own = std::collections::HashMap::new();
            for (var, param) in live.zip(&params) {
                if let Some((_, _, init)) = kept.iter().find(|(kept, _, _)| kept == var) {
                    own.insert(*param, *init);
                }
            }
            condition.params.retain(|param| !own.contains_key(param));
            condition.map_uses(&mut |value| {
                if let Some(init) = own.get(value) {
                    *value = *init;
                }
            });
        }
    }
}

/// A loop's schedule, what it is given, and where it stands.
pub(super) type Given = (Schedule, Option<Value>, Span);

/// What says how often a loop runs.
pub(super) enum Head {
    Endless,
    While(ExprId),
    Range(Vec<Value>, LoopKind),
}

/// A value at the end of an arm, as an `Option`.
fn wrapped_in(builder: &mut Builder, block: &mut Block, value: Value, ty: &Type) -> Value {
    let data = builder.function.value(value).clone();
    let wrapped = builder.value(ty.clone(), &data.name, data.span);
    let op = Op::Wrap(true);
    block.insts.push(Inst { op, args: vec![value], results: vec![wrapped], span: data.span });
    wrapped
}
