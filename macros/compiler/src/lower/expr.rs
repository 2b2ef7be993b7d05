//! Expressions.

use super::{Lower, Place, Storage};
use crate::diag;
use crate::hir::{ExprId, ExprKind, Local, Operator};
use crate::ir::{Form, Op, Projection, Type, Value};
use crate::lower::operator;
use crate::syntax::operator::{arithmetic, is_comparison};
use proc_macro2::Span;
use quote::ToTokens;

/// The value of an assignment.
enum Made {
    Whole(Value),
    /// A tuple or an array that is not made.
    Parts(Vec<Made>),
}

impl<'a> Lower<'a> {
    /// The value of an expression. After an exit it stands for nothing.
    pub(super) fn expr(&mut self, expr: ExprId) -> Value {
        let span = self.span(expr);
        match &self.body.expr(expr).kind {
            ExprKind::Literal(literal) => self.literal(literal),
            ExprKind::Local(local) => self.local_value(expr, *local),
            ExprKind::Item(path) => self.item(path, span),
            ExprKind::Negate(operand) => self.negated(*operand, span),
            ExprKind::Not(operand) => self.inverted(*operand, span),
            ExprKind::Binary(operator, left, right) => self.binary(operator, *left, *right, span),
            ExprKind::Lazy { is_and, left, right } => self.lazy(*is_and, *left, *right, span),
            ExprKind::Assign { target, value } => self.assign(*target, *value),
            ExprKind::Compound { operator, target, value } => {
                self.compound(operator, *target, *value, span)
            }
            ExprKind::Deref(_) | ExprKind::Field(..) | ExprKind::Index(..) => self.read_expr(expr),
            ExprKind::Borrow { .. } => self.refuse_reference(expr),
            ExprKind::Tuple(items) => {
                let items = items.iter().map(|item| self.owned(*item)).collect();
                self.tuple(items, span)
            }
            ExprKind::Array(items) => self.array(items, span),
            ExprKind::Repeat(item, len) => self.array_of_copies(*item, len, span),
            ExprKind::Struct { path, fields, rest } => self.structure(path, fields, *rest, span),
            ExprKind::Cast(operand, ty) => self.cast(*operand, ty, span),
            ExprKind::Call(callee, arguments) => self.call(expr, *callee, arguments),
            ExprKind::Method { receiver, name, turbofish, arguments } => {
                self.method(expr, *receiver, name, turbofish.as_ref(), arguments)
            }
            ExprKind::Macro(call) => self.macro_call(call, span),
            ExprKind::Block { label: None, block } => {
                let value = self.block(block);
                self.value_or_never(value)
            }
            ExprKind::Block { label: Some(target), block } => {
                self.labelled(*target, &|lower| lower.block(block))
            }
            ExprKind::If { condition, then, other } => self.branch(*condition, *then, *other),
            ExprKind::Match(value, arms) => self.matched(*value, arms),
            ExprKind::Loop(repeat) => self.repeat(repeat),
            ExprKind::Break(target, value) => self.break_to(*target, *value),
            ExprKind::Continue(target) => {
                let target = self.continues.get(target).copied().unwrap_or(*target);
                self.leave(target, false);
                Value(0)
            }
            ExprKind::Let(pattern, value) => {
                let subject = self.subject(*value, &[*pattern]);
                let test = self.test(*pattern, &subject);
                test.unwrap_or_else(|| self.boolean(true))
            }
            ExprKind::Range { .. } => {
                let bounds = self.bounds(expr).expect("a range has bounds");
                self.range_value(expr, bounds)
            }
            ExprKind::Closure(_) => self.refuse_form(expr, "a closure"),
            ExprKind::Ignored => self.give_up(),
            ExprKind::Unsupported => self.reported("what is not read"),
        }
    }

    fn inverted(&mut self, operand: ExprId, span: Span) -> Value {
        let value = self.expr(operand);
        let ty = self.ty(value);
        self.inst(Op::Not, vec![value], ty, "not", span)
    }

    /// `[item; len]`.
    fn array_of_copies(&mut self, item: ExprId, len: &syn::Expr, span: Span) -> Value {
        let item = self.owned(item);
        let ty = Type::Array(Box::new(self.ty(item)), len.to_token_stream().to_string());
        self.inst(Op::ArrayRepeat(Box::new(len.clone())), vec![item], ty, "array", span)
    }

    fn cast(&mut self, operand: ExprId, ty: &syn::Type, span: Span) -> Value {
        let value = self.expr(operand);
        let read = self.signature.floats.read(ty);
        self.inst(Op::Cast(Box::new(ty.clone())), vec![value], read, "cast", span)
    }

    fn local_value(&mut self, expr: ExprId, local: Local) -> Value {
        match self.storage.get(&local) {
            Some(Storage::Alias(place)) if self.is_cell(place) => {
                let at = self.body.expr(expr).extent;
                self.report_handle(at)
            }
            Some(Storage::Alias(place)) if place.ty.is_aggregate() => self.refuse_reference(expr),
            Some(
                Storage::Variable(_) | Storage::Alias(_) | Storage::Part(_) | Storage::Parts(_),
            ) => self.read_expr(expr),
            Some(_) | None => self.known_as_value(expr, local),
        }
    }

    /// A tuple of values.
    pub(super) fn tuple(&mut self, items: Vec<Value>, span: Span) -> Value {
        let ty = Type::Tuple(items.iter().map(|item| self.ty(*item)).collect());
        self.inst(Op::Tuple, items, ty, "tuple", span)
    }

    fn negated(&mut self, operand: ExprId, span: Span) -> Value {
        let value = self.operand_of(operand);
        let ty = self.ty(value);
        let negated = self.apply("neg", vec![value], ty, span);
        self.lend(negated, 0, operand);
        negated
    }

    /// A struct's literal, with the struct whose other fields it has.
    fn structure(
        &mut self,
        path: &syn::Path,
        fields: &[(syn::Member, ExprId)],
        rest: Option<ExprId>,
        span: Span,
    ) -> Value {
        let names = fields.iter().map(|(member, _)| member.to_token_stream().to_string()).collect();
        let mut args: Vec<Value> = fields.iter().map(|(_, value)| self.owned(*value)).collect();
        args.extend(rest.map(|rest| self.owned(rest)));
        let form = if rest.is_some() { Form::Update } else { Form::Fields };
        self.construct(path, names, args, form, span)
    }

    fn read_expr(&mut self, expr: ExprId) -> Value {
        let span = self.span(expr);
        if let Some(end) = self.end_of_range(expr) {
            return end;
        }
        match (self.place(expr), &self.body.expr(expr).kind) {
            (Some(place), _) if matches!(place.path.last(), Some(Projection::Range(_))) => {
                let what = "a part of a slice as a value";
                self.refuse_form(expr, what)
            }
            (Some(place), _) => self.read(&place, span),
            // A reference to an element that was chosen is that element here.
            (None, ExprKind::Deref(inner)) if self.is_expected_choice(*inner) => self.expr(*inner),
            (None, _) => {
                let what = "a dereference of a value that is not a parameter or a borrowed place";
                self.refuse_form(expr, what)
            }
        }
    }

    /// Whether an expression is an element that a chain chooses, which must be there.
    fn is_expected_choice(&self, expr: ExprId) -> bool {
        match &self.body.expr(expr).kind {
            ExprKind::Method { receiver, name, .. } => {
                (name == "unwrap" || name == "expect") && self.is_choice(*receiver)
            }
            _ => false,
        }
    }

    /// A struct, or a variant of an enum, in a place of its own.
    pub(super) fn construct(
        &mut self,
        path: &syn::Path,
        fields: Vec<String>,
        args: Vec<Value>,
        form: Form,
        span: Span,
    ) -> Value {
        let name = path.segments.last().map_or_else(String::new, |last| last.ident.to_string());
        let made = self.builder.place(Type::Unknown, &name.to_lowercase(), span, false);
        let op = Op::Struct { path: Box::new(path.clone()), fields, form };
        self.builder.push(op, args, vec![made], span);
        made
    }

    fn literal(&mut self, literal: &syn::Lit) -> Value {
        let ty = crate::syntax::types::of_literal(literal);
        self.inst(Op::Literal(literal.clone()), Vec::new(), ty, "literal", literal.span())
    }

    pub(super) fn item(&mut self, path: &syn::ExprPath, span: Span) -> Value {
        if crate::syntax::is_option(&path.path) {
            return self.construct(&path.path, Vec::new(), Vec::new(), Form::Fields, span);
        }
        let ty = crate::syntax::types::item_type(path);
        self.inst(Op::Item(path.clone()), Vec::new(), ty, "item", span)
    }

    fn array(&mut self, items: &[ExprId], span: Span) -> Value {
        let items: Vec<Value> = items.iter().map(|item| self.owned(*item)).collect();
        let item = self.item_type(&items);
        let ty = Type::Array(Box::new(item), items.len().to_string());
        self.inst(Op::Array, items, ty, "array", span)
    }

    pub(super) fn item_type(&self, items: &[Value]) -> Type {
        items.iter().map(|item| self.ty(*item)).reduce(|a, b| a.join(&b)).unwrap_or(Type::Unknown)
    }

    // --- operators

    /// An operand of an operator: one that is a reference counts as what it leads to.
    pub(super) fn operand_of(&mut self, operand: ExprId) -> Value {
        match self.body.expr(operand).kind {
            ExprKind::Borrow { is_mutable: false, place } => self.operand_of(place),
            ExprKind::Index(_, index) if self.is_range(index) => match self.place(operand) {
                Some(place) => self.operand_at(&place, self.span(operand)),
                None => self.expr(operand),
            },
            _ => match self.reference(operand) {
                Some((place, _)) => self.operand_at(&place, self.span(operand)),
                None => self.expr(operand),
            },
        }
    }

    /// Reads a place for an operator. Slices, which are compared, have no size: vectors of their elements stand for them.
    fn operand_at(&mut self, place: &Place, span: Span) -> Value {
        match place.ty {
            Type::Slice(_) => {
                let elements = Type::Vec(Box::new(place.ty.element()));
                let operands = self.operands(place);
                self.inst(Op::Load(place.path.clone()), operands, elements, "elements", span)
            }
            _ => self.read(place, span),
        }
    }

    fn binary(&mut self, operator: &Operator, left: ExprId, right: ExprId, span: Span) -> Value {
        let first = self.operand_of(left);
        // Read now: the other operand may change the place.
        let first = self.contents(first, span);
        let second = self.operand_of(right);
        if self.diverged {
            return Value(0);
        }
        let value = self.operator(operator, first, second, span);
        self.lend(value, 0, left);
        self.lend(value, 1, right);
        value
    }

    /// Notes an operand that the user passes as a reference.
    pub(super) fn lend(&mut self, result: Value, position: usize, operand: ExprId) {
        let is_lent = match &self.body.expr(operand).kind {
            ExprKind::Borrow { is_mutable, .. } => !is_mutable,
            ExprKind::Local(local) => {
                let is_alias = matches!(self.storage.get(local), Some(Storage::Alias(_)));
                is_alias || self.is_reference_parameter(*local)
            }
            _ => false,
        };
        if is_lent {
            self.builder.function.lent.insert((result, position));
        }
    }

    /// Whether a name is that of a parameter which is a reference.
    fn is_reference_parameter(&self, local: crate::hir::Local) -> bool {
        let mut params = self.signature.params.iter().zip(&self.unit.roles);
        params.any(|(param, role)| {
            let is_named = matches!(role, super::Role::Named(named) if *named == local);
            is_named && matches!(param.kind, Type::Reference(..))
        })
    }

    /// An operator on values.
    pub(super) fn operator(
        &mut self,
        by: &Operator,
        left: Value,
        right: Value,
        span: Span,
    ) -> Value {
        operator::infer_operands(&mut self.builder.function, by, left, right);
        let (a, b) = (self.ty(left), self.ty(right));
        if let Some(rule) = arithmetic(by) {
            let ty = operator::combined(&a, &b);
            return self.apply(rule, vec![left, right], ty, span);
        }
        let ty = if is_comparison(by) { Type::Bool } else { a };
        self.inst(Op::Binary(*by), vec![left, right], ty, "condition", span)
    }

    /// A row of the rule table.
    pub(super) fn apply(&mut self, name: &str, args: Vec<Value>, ty: Type, span: Span) -> Value {
        let rule = cotangent_rules::find(name).unwrap_or_else(|| panic!("no rule `{name}`"));
        self.inst(Op::Apply(rule), args, ty, name, span)
    }

    /// `a && b`: the second is evaluated only if the first asks for it.
    fn lazy(&mut self, is_and: bool, left: ExprId, right: ExprId, span: Span) -> Value {
        let left = self.expr(left);
        if self.diverged {
            return Value(0);
        }
        let asked = |lower: &mut Self| Some(lower.expr(right));
        let known = |lower: &mut Self| Some(lower.boolean(!is_and));
        let value = match is_and {
            true => self.if_else(left, &asked, &known, span),
            false => self.if_else(left, &known, &asked, span),
        };
        self.value_or_never(value)
    }

    // --- assignments

    fn compound(
        &mut self,
        operator: &Operator,
        target: ExprId,
        value: ExprId,
        span: Span,
    ) -> Value {
        let right = self.operand_of(value);
        let right = self.contents(right, span);
        if self.diverged {
            return Value(0);
        }
        let Some(place) = self.target(target) else { return self.unit() };
        let made = self.accumulate(operator, &place, right, span);
        self.lend(made, 1, value);
        self.unit()
    }

    /// Adds to a place, or combines it with a value in another way.
    pub(super) fn accumulate(
        &mut self,
        operator: &Operator,
        place: &super::Place,
        right: Value,
        span: Span,
    ) -> Value {
        let left = self.read(place, span);
        self.infer_float(right, left);
        let made = self.operator(operator, left, right, span);
        let ty = self.ty(left);
        if ty != Type::Unknown {
            let joined = ty.join(&self.ty(made));
            self.builder.function.values[made.0 as usize].ty = joined;
        }
        if place.path.is_empty() {
            self.name_after(made, place.var);
        }
        self.write(place, made, span);
        made
    }

    fn assign(&mut self, target: ExprId, value: ExprId) -> Value {
        let made = self.made_for(target, value);
        if !self.diverged {
            self.give(target, made, self.span(value));
        }
        if self.diverged { Value(0) } else { self.unit() }
    }

    /// Evaluates what is assigned: part by part, where both sides are written so.
    fn made_for(&mut self, target: ExprId, value: ExprId) -> Made {
        match self.written_parts(target, value) {
            Some((targets, values)) => {
                let parts = targets.iter().zip(values);
                Made::Parts(parts.map(|(target, value)| self.made_for(*target, *value)).collect())
            }
            None => Made::Whole(match self.rebound(target) {
                Some(name) => self.refuse(target, &diag::REBOUND_REFERENCE, &name),
                None => self.owned(value),
            }),
        }
    }

    /// The parts of both sides of `(a, b) = (b, a)` and `[a, b] = [b, a]`.
    fn written_parts(&self, target: ExprId, value: ExprId) -> Option<(&'a [ExprId], &'a [ExprId])> {
        let body = self.body;
        match (&body.expr(target).kind, &body.expr(value).kind) {
            (ExprKind::Tuple(targets), ExprKind::Tuple(values))
            | (ExprKind::Array(targets), ExprKind::Array(values)) => {
                (targets.len() == values.len()).then_some((targets, values))
            }
            _ => None,
        }
    }

    fn give(&mut self, target: ExprId, made: Made, span: Span) {
        let body = self.body;
        match (&body.expr(target).kind, made) {
            (ExprKind::Ignored, _) => {}
            (ExprKind::Tuple(targets) | ExprKind::Array(targets), Made::Parts(parts)) => {
                for (target, part) in targets.iter().zip(parts) {
                    self.give(*target, part, span);
                }
            }
            (ExprKind::Tuple(targets), Made::Whole(value)) => {
                let types = match self.ty(value) {
                    Type::Tuple(items) if items.len() == targets.len() => items,
                    _ => vec![Type::Unknown; targets.len()],
                };
                let parts = self.destructure(value, types, span);
                for (target, part) in targets.iter().zip(parts) {
                    self.give(*target, Made::Whole(part), span);
                }
            }
            (_, Made::Whole(value)) => self.give_value(target, value),
            (_, Made::Parts(_)) => unreachable!("parts are made for parts"),
        }
    }

    fn give_value(&mut self, target: ExprId, value: Value) {
        if self.rebound(target).is_none()
            && let Some(place) = self.target(target)
        {
            self.assign_value(&place, value, self.span(target));
        }
    }

    /// The name of a reference to which an assignment gives another place.
    fn rebound(&self, target: ExprId) -> Option<String> {
        let ExprKind::Local(local) = &self.body.expr(target).kind else { return None };
        matches!(self.storage.get(local), Some(Storage::Alias(_)))
            .then(|| self.body.local(*local).name.to_string())
    }

    fn assign_value(&mut self, place: &super::Place, value: Value, span: Span) {
        if place.path.is_empty() && self.is_latest(value) {
            self.name_after(value, place.var);
        }
        let known = self.state[place.var.0].filter(|_| place.path.is_empty());
        if let Some(known) = known.map(|known| self.ty(known)) {
            self.annotate_items(value, &known);
        }
        self.write(place, value, span);
    }

    /// Whether a value is the latest instruction's: then no variable of the user's holds it yet.
    pub(super) fn is_latest(&mut self, value: Value) -> bool {
        let is_value = self.builder.function.slot_of(value).is_none();
        is_value && self.builder.block().insts.last().is_some_and(|inst| inst.results == [value])
    }

    fn target(&mut self, target: ExprId) -> Option<super::Place> {
        let item = self.body.item_at_root(target).and_then(|path| path.path.segments.last());
        if let Some(item) = item {
            self.report(item.ident.span(), &diag::STATIC_WRITE, &item.ident.to_string());
            return None;
        }
        let place = self.place(target);
        if place.is_none() {
            self.refuse(target, &diag::ASSIGNMENT_TARGET, "");
        }
        place
    }

    /// The type of a result that the function returns to itself, where it is one of scalars.
    pub(super) fn scalar_output(&self) -> Type {
        let output = &self.signature.output_kind;
        match output.has_stand_in() && !output.is_aggregate() {
            true => output.clone(),
            false => Type::Unknown,
        }
    }
}
