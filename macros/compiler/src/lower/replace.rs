//! Operations that move whole elements: exchanges, replacements, insertions and removals.

use super::reserved::Method;
use super::{Lower, Place};
use crate::diag;
use crate::ir::{End, Op, Projection, Slot, Type, Value};
use proc_macro2::Span;

impl Lower<'_> {
    /// A method of the compiler's own.
    pub(super) fn reserved_method(&mut self, call: &syn::ExprMethodCall, method: Method) -> Value {
        let span = self.span(&call.method);
        if matches!(method, Method::Holds | Method::Keys | Method::Held) {
            return self.reserved_measure(call, method, span);
        }
        let Some(place) = self.place(&call.receiver).filter(|place| self.is_movable(place)) else {
            return self.report(diag::Extent::of(&*call.receiver), &diag::REFERENCE_VALUE, "");
        };
        if let Some(path) = self.rebinds(call, method) {
            return self.rebound(&path);
        }
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
            Method::PopKey => {
                let key = self.map_key(&call.args[0]);
                self.remove(&place, End::Key, Some(key), span)
            }
            Method::Holds | Method::Keys | Method::Held => unreachable!("handled above"),
        }
    }

    /// `keys` of a map, and whether there is a value in an `Option` or a `Result`.
    fn reserved_measure(
        &mut self,
        call: &syn::ExprMethodCall,
        method: Method,
        span: Span,
    ) -> Value {
        let place = self.settled(&call.receiver);
        if method == Method::Holds {
            return self.measure(&place, call.method.clone(), None, span);
        }
        let args = self.operands(&place);
        let ty = Type::Vec(Box::new(Type::Constant));
        let op = Op::Measure(call.method.clone(), place.path);
        self.inst(op, args, ty, "keys", span)
    }

    /// A name of a reference that an exchange or a replacement would give another one.
    fn rebinds(&self, call: &syn::ExprMethodCall, method: Method) -> Option<syn::ExprPath> {
        let places = match method {
            Method::Swap => vec![&*call.receiver, &call.args[0]],
            Method::Replace => vec![&*call.receiver],
            _ => Vec::new(),
        };
        places.into_iter().find_map(|place| match place {
            syn::Expr::Path(path) if self.names_reference(path) => Some(path.clone()),
            _ => None,
        })
    }

    /// `o.take()`, `o.replace(x)`, `o.insert(x)` of an `Option` in a place.
    pub(super) fn option_method(
        &mut self,
        call: &syn::ExprMethodCall,
        place: &Place,
    ) -> Option<Value> {
        let span = self.span(&call.method);
        let value: syn::Expr = match (call.method.to_string().as_str(), call.args.len()) {
            ("take", 0) => syn::parse_quote!(None),
            ("replace" | "insert", 1) => {
                let value = &call.args[0];
                syn::parse_quote!(Some(#value))
            }
            _ => return None,
        };
        let value = self.owned(&value);
        let old = self.replace(place, value, span);
        Some(if call.method == "insert" { self.unit() } else { old })
    }

    /// Whether there is something in a place by now.
    fn is_movable(&self, place: &Place) -> bool {
        self.state[place.var.0].is_some()
    }

    /// `mem::swap` and `a.swap(i, j)`. Variables without a place exchange their values.
    pub(super) fn exchange(&mut self, first: &Place, second: &syn::Expr, span: Span) -> Value {
        let Some(second) = self.place(second) else {
            // A temporary takes what was there, and is dropped.
            let value = self.owned(super::cell::contents(second).unwrap_or(second));
            self.write(first, value, span);
            return self.unit();
        };
        let slots = [first, &second].map(|place| self.slot_of(place.var));
        let (a, b) = match slots {
            [Some(a), Some(b)] if a != b || are_apart(first, &second) => (a, b),
            _ => {
                let (left, right) = (self.taken(first, span), self.taken(&second, span));
                self.write(first, right, span);
                self.write(&second, left, span);
                return self.unit();
            }
        };
        self.writing(&[first, &second], span, |lower| {
            let mut args = lower.operands(first);
            args.extend(lower.operands(&second));
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

    /// What a variable holds, apart from its place.
    fn taken(&mut self, place: &Place, span: Span) -> Value {
        match self.slot_of(place.var) {
            Some(_) => self.copied(place, span),
            None => self.read(place, span),
        }
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
        let Some(slot) = self.slot_of(place.var) else {
            let old = self.read(place, span);
            self.write(place, value, span);
            return old;
        };
        self.writing(&[place], span, |lower| {
            let mut args = lower.operands(place);
            args.push(value);
            lower.infer_float(value, args[0]);
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
    pub(super) fn insertion(
        &mut self,
        call: &syn::ExprMethodCall,
        name: &str,
        place: &Place,
    ) -> Option<Value> {
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
        let span = self.span(&call.method);
        if name == "remove" {
            let at = self.expr(&call.args[0]);
            return Some(self.remove(place, end, Some(at), span));
        }
        let at = (arity == 2).then(|| self.owned(&call.args[0]));
        let value = self.owned(&call.args[arity - 1]);
        match at {
            Some(key) if self.is_map(place, key) => self.insert_entry(place, key, value, span),
            _ => self.insert(place, end, at, value, span),
        }
        Some(self.unit())
    }

    /// `insert` with a key that is no index, or on what is not a vector.
    fn is_map(&self, place: &Place, key: Value) -> bool {
        let name = self.names.get(&place.var).filter(|_| place.path.is_empty());
        let is_map = name.is_some_and(|name| self.known.maps.contains(name));
        let is_vector = matches!(place.ty, Type::Vec(_)) || self.ty(key) == Type::Int;
        is_map || !is_vector
    }

    /// `m.insert(k, v)`: the entry is overwritten, or is new.
    fn insert_entry(&mut self, place: &Place, key: Value, value: Value, span: Span) {
        let method = syn::Ident::new("contains_key", span);
        let is_there = self.measure(place, method, Some(key), span);
        let mut entry = place.clone();
        entry.path.push(Projection::Key);
        entry.indices.push(key);
        self.if_else(
            is_there,
            &mut |lower| {
                lower.write(&entry, value, span);
                Some(lower.unit())
            },
            &mut |lower| {
                lower.insert(place, End::Key, Some(key), value, span);
                Some(lower.unit())
            },
            span,
        );
    }

    /// `*m.entry(k).or_insert(v)`: the entry, which is made where there is none.
    pub(super) fn entry(
        &mut self,
        entry: &syn::ExprMethodCall,
        default: Option<&syn::Expr>,
    ) -> Option<Place> {
        let place =
            self.place(&entry.receiver).filter(|place| self.slot_of(place.var).is_some())?;
        let span = self.span(&entry.method);
        let key = self.owned(entry.args.first()?);
        let value = match default {
            Some(default) => self.owned(default),
            None => self.default_of(&Type::Unknown, span),
        };
        let is_there = self.measure(&place, syn::Ident::new("contains_key", span), Some(key), span);
        self.if_else(
            is_there,
            &mut |lower| Some(lower.unit()),
            &mut |lower| {
                lower.insert(&place, End::Key, Some(key), value, span);
                Some(lower.unit())
            },
            span,
        );
        let mut entry = place;
        entry.path.push(Projection::Key);
        entry.indices.push(key);
        entry.ty = Type::Unknown;
        entry.mutable = true;
        Some(entry)
    }

    /// A key that is kept in a place: the place itself, or a copy of a part of one.
    fn key_place(&mut self, place: &Place, expr: &syn::Expr) -> Value {
        let operands = self.operands(place);
        if place.path.is_empty() {
            return operands[0];
        }
        let (op, span) = (Op::Clone(place.path.clone()), self.span(expr));
        self.inst(op, operands, place.ty.clone(), "key", span)
    }

    /// A key that is passed by reference: `&k`, a string literal, a name bound to a reference.
    pub(super) fn map_key(&mut self, expr: &syn::Expr) -> Value {
        match expr {
            syn::Expr::Paren(paren) => self.map_key(&paren.expr),
            syn::Expr::Reference(reference) => self.map_key(&reference.expr),
            syn::Expr::Path(_) => match self.place(expr) {
                Some(place) if self.slot_of(place.var).is_some() => self.key_place(&place, expr),
                _ => self.expr(expr),
            },
            _ => self.expr(expr),
        }
    }

    fn insert(&mut self, place: &Place, end: End, at: Option<Value>, value: Value, span: Span) {
        let slot = self.slot_of(place.var).expect("a collection has a slot");
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

    fn remove(&mut self, place: &Place, end: End, at: Option<Value>, span: Span) -> Value {
        let Some(slot) = self.slot_of(place.var) else { return self.broken() };
        self.writing(&[place], span, |lower| {
            let mut args = lower.operands(place);
            args.extend(at);
            let name = format!("{}_element", lower.builder.function.slot(slot).name);
            let element = lower.builder.fresh(place.ty.element(), &name, span, false);
            let next = lower.builder.version(slot);
            let op = Op::Remove(end, place.path.clone());
            lower.builder.push(op, args, vec![next, element], span);
            lower.state[place.var.0] = Some(next);
            element
        })
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

/// Whether two parts of one place can be borrowed at once: fields of different names, or elements that the
/// slice itself exchanges.
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
