//! Operations that move whole elements: exchanges, replacements, insertions and removals.

use super::reserved::Method;
use super::{Lower, Place};
use crate::diag;
use crate::ir::{End, Op, Slot, Type, Value};
use proc_macro2::Span;

impl Lower<'_> {
    /// A method of the compiler's own.
    pub(super) fn reserved_method(&mut self, call: &syn::ExprMethodCall, method: Method) -> Value {
        let span = self.at.unwrap_or_else(|| call.method.span());
        if method == Method::Holds {
            let place = self.held_place(&call.receiver);
            return self.measure(&place, call.method.clone(), span);
        }
        let Some(place) = self.place(&call.receiver).filter(|place| self.is_movable(place)) else {
            return self.report(diag::Extent::of(&*call.receiver), &diag::REFERENCE_VALUE, "");
        };
        match method {
            Method::Swap => self.exchange(&place, &call.args[0], span),
            Method::Replace => {
                let value = self.owned(&call.args[0]);
                self.replace(&place, value, span)
            }
            Method::Take => {
                let value = self.default_of(&place.ty.clone(), span);
                self.replace(&place, value, span)
            }
            Method::Pop => self.remove(&place, End::Last, None, span),
            Method::PopBack => self.remove(&place, End::Back, None, span),
            Method::PopFront => self.remove(&place, End::Front, None, span),
            Method::Holds => unreachable!("handled above"),
        }
    }

    /// A name bound to a reference stands for the reference, which is not moved here.
    fn is_movable(&self, place: &Place) -> bool {
        self.state[place.var.0].is_some()
    }

    fn held_place(&mut self, expr: &syn::Expr) -> Place {
        match self.place(expr).filter(|place| self.slots[place.var.0].is_some()) {
            Some(place) => place,
            None => self.temporary(expr),
        }
    }

    /// `mem::swap` and `a.swap(i, j)`. Variables without a place exchange their values.
    fn exchange(&mut self, first: &Place, second: &syn::Expr, span: Span) -> Value {
        let Some(second) = self.place(second) else { return self.unit() };
        let slots = [first, &second].map(|place| self.slots[place.var.0]);
        let [Some(a), Some(b)] = slots else {
            let (left, right) = (self.read(first, span), self.read(&second, span));
            self.write(first, right, span);
            self.write(&second, left, span);
            return self.unit();
        };
        let mut args = self.operands(first);
        args.extend(self.operands(&second));
        let op = Op::Exchange(first.path.clone(), second.path.clone());
        let next = self.builder.version(a);
        let mut results = vec![next];
        self.state[first.var.0] = Some(next);
        if a != b {
            let next = self.builder.version(b);
            results.push(next);
            self.state[second.var.0] = Some(next);
        }
        self.builder.push(op, args, results, span);
        self.unit()
    }

    /// Puts a value into a place; the value is what was there.
    fn replace(&mut self, place: &Place, value: Value, span: Span) -> Value {
        let Some(slot) = self.slots[place.var.0] else {
            let old = self.read(place, span);
            self.write(place, value, span);
            return old;
        };
        let mut args = self.operands(place);
        args.push(value);
        self.infer_float(value, args[0]);
        let name = self.builder.function.slot(slot).name.clone();
        let ty = if place.ty.is_aggregate() { owned(&place.ty) } else { place.ty.clone() };
        let old = self.builder.fresh(ty, &name, span, false);
        let next = self.builder.version(slot);
        self.builder.push(Op::Replace(place.path.clone()), args, vec![next, old], span);
        self.state[place.var.0] = Some(next);
        old
    }

    /// The default of a type, as far as it is known.
    fn default_of(&mut self, ty: &Type, span: Span) -> Value {
        let expr: syn::Expr = match ty {
            Type::Float(_) => syn::parse_quote!(0.0),
            Type::Int => syn::parse_quote!(0),
            Type::Bool => syn::parse_quote!(false),
            Type::Vec(_) => syn::parse_quote!(Vec::new()),
            _ => syn::parse_quote!(::core::default::Default::default()),
        };
        let at = self.at.replace(span);
        let value = self.expr(&expr);
        self.at = at;
        value
    }

    /// `push`, `push_back`, `push_front`, `insert`; and `remove`.
    pub(super) fn insertion(&mut self, call: &syn::ExprMethodCall, name: &str) -> Option<Value> {
        let (end, arity) = match name {
            "push" => (End::Last, 1),
            "push_back" => (End::Back, 1),
            "push_front" => (End::Front, 1),
            "insert" => (End::At, 2),
            "remove" if !matches!(call.args.first(), Some(syn::Expr::Reference(_))) => (End::At, 1),
            _ => return None,
        };
        if call.args.len() != arity {
            return None;
        }
        let place = self.place(&call.receiver).filter(|place| self.slots[place.var.0].is_some())?;
        let span = self.at.unwrap_or_else(|| call.method.span());
        if name == "remove" {
            let at = self.expr(&call.args[0]);
            return Some(self.remove(&place, end, Some(at), span));
        }
        let at = (arity == 2).then(|| self.expr(&call.args[0]));
        let value = self.owned(&call.args[arity - 1]);
        self.insert(&place, end, at, value, span);
        Some(self.unit())
    }

    fn insert(&mut self, place: &Place, end: End, at: Option<Value>, value: Value, span: Span) {
        let slot = self.slots[place.var.0].expect("a collection has a slot");
        if place.path.is_empty() {
            self.refine_element(slot, value);
        }
        let mut args = self.operands(place);
        args.extend(at);
        args.push(value);
        let next = self.builder.update(Op::Insert(end, place.path.clone()), args, slot, span);
        self.state[place.var.0] = Some(next);
    }

    fn remove(&mut self, place: &Place, end: End, at: Option<Value>, span: Span) -> Value {
        let Some(slot) = self.slots[place.var.0] else { return self.broken() };
        let mut args = self.operands(place);
        args.extend(at);
        let name = format!("{}_element", self.builder.function.slot(slot).name);
        let element = self.builder.fresh(place.ty.element(), &name, span, false);
        let next = self.builder.version(slot);
        let op = Op::Remove(end, place.path.clone());
        self.builder.push(op, args, vec![next, element], span);
        self.state[place.var.0] = Some(next);
        element
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

/// What is taken out of a place owns its contents.
fn owned(ty: &Type) -> Type {
    match ty {
        Type::Slice(item) => Type::Vec(item.clone()),
        ty => ty.clone(),
    }
}
