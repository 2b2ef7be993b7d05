//! Operations that move whole elements: exchanges, replacements, insertions and removals.

use super::{Lower, Place};
use crate::hir::{ExprId, ExprKind};
use crate::ir::{End, Op, Projection, Slot, Type, Value};
use proc_macro2::Span;

impl<'a> Lower<'a> {
    /// `mem::swap` and `a.swap(i, j)`.
    pub(super) fn exchange(&mut self, first: &Place, second: &Place, span: Span) -> Value {
        let slot = |place: &Place| self.slot_at(place.var).expect("a place has a slot");
        let [a, b] = [first, second].map(slot);
        if a == b && !are_apart(first, second) {
            let (left, right) = (self.copied(first, span), self.copied(second, span));
            self.write(first, right, span);
            self.write(second, left, span);
            return self.unit();
        }
        self.writing(&[first, second], span, |lower| {
            let mut args = lower.operands(first);
            args.extend(lower.operands(second));
            let op = Op::Exchange(first.path.clone(), second.path.clone());
            let next = lower.builder.version(a);
            let mut results = vec![next];
            lower.state[first.var.0] = Some(next);
            if a != b {
                let next = lower.builder.version(b);
                results.push(next);
                lower.state[second.var.0] = Some(next);
            }
            lower.builder.push(op, args, results, span);
        });
        self.unit()
    }

    /// A copy of what a place holds.
    pub(super) fn copied(&mut self, place: &Place, span: Span) -> Value {
        let operands = self.operands(place);
        let op = match place.ty {
            Type::Unknown => Op::Clone(place.path.clone()),
            _ => Op::Load(place.path.clone()),
        };
        self.inst(op, operands, place.ty.clone().owned(), "held", span)
    }

    /// Puts a value into a place; the value is what was there.
    pub(super) fn replace(&mut self, place: &Place, value: Value, span: Span) -> Value {
        let slot = self.slot_at(place.var).expect("a place has a slot");
        self.refine_float(value, &place.ty);
        self.writing(&[place], span, |lower| {
            let mut args = lower.operands(place);
            args.push(value);
            let name = lower.builder.function.slot(slot).name.clone();
            let old = lower.builder.fresh(place.ty.clone().owned(), &name, span, false);
            let next = lower.builder.version(slot);
            lower.builder.push(Op::Replace(place.path.clone()), args, vec![next, old], span);
            lower.state[place.var.0] = Some(next);
            old
        })
    }

    /// The default of a type, as far as it is known.
    pub(super) fn default_of(&mut self, ty: &Type, span: Span) -> Value {
        let literal = match ty {
            Type::Float(_) => syn::Lit::Float(syn::LitFloat::new("0.0", span)),
            Type::Int => syn::Lit::Int(syn::LitInt::new("0", span)),
            Type::Bool => syn::Lit::Bool(syn::LitBool::new(false, span)),
            Type::Vec(_) => {
                let path = syn::parse_quote_spanned!(span=> ::cotangent::__private::Vec::new);
                let ty = Type::Vec(Box::new(Type::Unknown));
                return self.inst(Op::VecNew(path), Vec::new(), ty, "vector", span);
            }
            _ => return self.made_default(span),
        };
        self.inst(Op::Literal(literal), Vec::new(), ty.clone(), "literal", span)
    }

    /// Methods of collections that move elements.
    pub(super) fn moving_method(
        &mut self,
        place: &Place,
        name: &str,
        arguments: &[ExprId],
        span: Span,
    ) -> Option<Value> {
        let is_sequence = place.ty.is_aggregate();
        match (name, arguments) {
            ("push", [value]) => Some(self.pushed(place, End::Last, *value, span)),
            ("push_back", [value]) => Some(self.pushed(place, End::Back, *value, span)),
            ("push_front", [value]) => Some(self.pushed(place, End::Front, *value, span)),
            ("insert", [at, value]) if matches!(place.ty, Type::Vec(_)) => {
                let at = self.expr(*at);
                let at = self.operand_value(at, span);
                let value = self.owned(*value);
                self.insert(place, End::At, Some(at), value, span);
                Some(self.unit())
            }
            ("remove", [at]) if matches!(place.ty, Type::Vec(_) | Type::Unknown) => {
                let at = self.expr(*at);
                let at = self.operand_value(at, span);
                Some(self.removed(place, End::At, Some(at), span))
            }
            ("swap", [first, second]) if is_sequence => {
                let first = self.expr(*first);
                let first = self.element(place, first);
                let second = self.expr(*second);
                let second = self.element(place, second);
                Some(self.exchange(&first, &second, span))
            }
            ("fill", [value]) if is_sequence => Some(self.filled(place, *value, span)),
            ("reverse", []) if is_sequence => Some(self.mirrored(place, span)),
            ("extend", [chain]) if self.may_extend(place, *chain) => {
                self.extended(place, *chain, span)
            }
            _ => self.rearranging_method(place, name, arguments, span),
        }
    }

    /// Whether `extend` is a vector's: what takes an iterator by value is taken for one, as with `push`.
    fn may_extend(&self, place: &Place, chain: ExprId) -> bool {
        let is_borrowed = matches!(self.body.expr(chain).kind, ExprKind::Borrow { .. });
        matches!(place.ty, Type::Vec(_)) || place.ty == Type::Unknown && !is_borrowed
    }

    /// `v.fill(x)`.
    fn filled(&mut self, place: &Place, value: ExprId, span: Span) -> Value {
        let value = self.expr(value);
        let value = self.contents(value, span);
        let (start, len) = (self.number(0, span), self.measured("len", place, span));
        self.over_indices(start, len, span, &|lower, index| {
            let element = lower.element(place, index);
            lower.write(&element, value, span);
        });
        self.unit()
    }

    /// `v.reverse()`.
    fn mirrored(&mut self, place: &Place, span: Span) -> Value {
        let len = self.measured("len", place, span);
        self.mirror_between(place, None, len, span);
        self.unit()
    }

    /// The first half of a part exchanged with the second; a part without a start begins where the place does.
    pub(super) fn mirror_between(
        &mut self,
        place: &Place,
        start: Option<Value>,
        end: Value,
        span: Span,
    ) {
        let both = match start {
            Some(start) => self.apply("add", vec![start, end], Type::Int, span),
            None => end,
        };
        let two = self.number(2, span);
        let middle = self.apply("div", vec![both, two], Type::Int, span);
        let start = start.unwrap_or_else(|| self.number(0, span));
        self.over_indices(start, middle, span, &|lower, index| {
            let one = lower.number(1, span);
            let last = lower.apply("sub", vec![both, one], Type::Int, span);
            let opposite = lower.apply("sub", vec![last, index], Type::Int, span);
            let first = lower.element(place, index);
            let second = lower.element(place, opposite);
            lower.exchange(&first, &second, span);
        });
    }

    fn pushed(&mut self, place: &Place, end: End, value: ExprId, span: Span) -> Value {
        let value = self.owned(value);
        if self.diverged {
            return Value(0);
        }
        let value = self.contents(value, span);
        self.insert(place, end, None, value, span);
        self.unit()
    }

    pub(super) fn insert(
        &mut self,
        place: &Place,
        end: End,
        at: Option<Value>,
        value: Value,
        span: Span,
    ) {
        let slot = self.slot_at(place.var).expect("a place has a slot");
        if place.path.is_empty() {
            self.refine_element(slot, value);
        }
        self.writing(&[place], span, |lower| {
            let mut args = lower.operands(place);
            args.extend(at);
            args.push(value);
            let next = lower.builder.update(Op::Insert(end, place.path.clone()), args, slot, span);
            lower.state[place.var.0] = Some(next);
        });
    }

    /// The first element says what a vector made by `Vec::new` holds.
    fn refine_element(&mut self, slot: Slot, value: Value) {
        let item = self.ty(value);
        let ty = &mut self.builder.function.slots[slot.0 as usize].ty;
        if *ty == Type::Vec(Box::new(Type::Unknown)) {
            *ty = Type::Vec(Box::new(item));
        }
    }
}

/// Whether two parts of one place can be borrowed at once: fields of different names, or elements that the slice
/// itself exchanges.
fn are_apart(first: &Place, second: &Place) -> bool {
    let is_field = |step: &Projection| matches!(step, Projection::Field(_));
    let are_fields = first.path.iter().chain(&second.path).all(is_field);
    let (i, j) = (first.indices.len(), second.indices.len());
    let is_element = first.path == second.path
        && first.path.last() == Some(&Projection::Index)
        && i == j
        && first.indices[..i - 1] == second.indices[..j - 1];
    (are_fields && first.path != second.path) || is_element
}
