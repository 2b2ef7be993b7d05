//! Places: variables and parts of them, to read, write and borrow.

use super::{Binding, Lower, Place, desugar, hoist, reserved};
use crate::diag;
use crate::ir::{Access, Code, Ends, Given, Op, Passing, Projection, Type, Value};
use proc_macro2::Span;
use std::rc::Rc;

impl Lower<'_> {
    /// The place that an expression names; `None` for expressions that make a new value.
    pub(super) fn place(&mut self, expr: &syn::Expr) -> Option<Place> {
        match expr {
            syn::Expr::Path(path) => {
                self.named(path.path.get_ident().filter(|_| path.qself.is_none())?)
            }
            syn::Expr::Paren(paren) => self.place(&paren.expr),
            syn::Expr::Group(group) => self.place(&group.expr),
            syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr, .. }) => {
                let place = self.base(expr)?;
                let is_referent = self.is_reference(expr, &place) || self.names_part(expr);
                if is_referent { Some(place) } else { self.unboxed(place) }
            }
            syn::Expr::Index(index) => match reserved::as_variant_field(&index.index) {
                Some((path, field)) => self.variant_field(&index.expr, path, field),
                None => self.element(index),
            },
            syn::Expr::Field(field) => self.field(field),
            syn::Expr::MethodCall(call) => self.method_place(call),
            _ => None,
        }
    }

    /// The place that an expression names where a part of it is meant, or a reference to it: there a constant item
    /// is one as well.
    pub(super) fn base(&mut self, expr: &syn::Expr) -> Option<Place> {
        self.place(expr).or_else(|| self.item_place(expr))
    }

    /// What a box holds. Only a place of unknown type can be one.
    fn unboxed(&mut self, mut place: Place) -> Option<Place> {
        let is_box = place.ty == Type::Unknown && self.slot_of(place.var).is_some();
        place.path.push(Projection::Deref);
        is_box.then_some(place)
    }

    /// A field of a variant, which the place is known to be of.
    fn variant_field(&mut self, base: &syn::Expr, path: syn::Path, field: String) -> Option<Place> {
        let mut place = self.settled(base);
        place.path.push(Projection::Variant(Box::new(path), field));
        place.ty = Type::Unknown;
        Some(place)
    }

    /// `o.unwrap()`, `o.as_mut().unwrap()`, `a.last().unwrap()`: the place of what is there.
    pub(super) fn method_place(&mut self, call: &syn::ExprMethodCall) -> Option<Place> {
        if let Some(entry) = entry_of(call) {
            return self.entry(entry, call.args.first());
        }
        if let Some(contents) = self.borrowed_cell(call) {
            return Some(contents);
        }
        if self.cell(&call.receiver).is_none()
            && let Some(content) = self.borrowed_content(call)
        {
            return Some(content);
        }
        let is_unwrapped = matches!(call.method.to_string().as_str(), "unwrap" | "expect");
        if !is_unwrapped || self.is_converted(call) {
            return None;
        }
        let message = call.args.first();
        if let syn::Expr::MethodCall(inner) = &*call.receiver {
            if let Some(place) = self.element_place(inner, message) {
                return Some(place);
            }
            if matches!(inner.method.to_string().as_str(), "as_ref" | "as_mut") {
                return self.unwrapped_place(&inner.receiver, call);
            }
        }
        self.unwrapped_place(&call.receiver, call)
    }

    fn unwrapped_place(&mut self, base: &syn::Expr, call: &syn::ExprMethodCall) -> Option<Place> {
        let mut place = self.settled(base);
        let message = call.args.first().map(|message| Box::new(message.clone()));
        place.path.push(Projection::Unwrap(Box::new(call.method.clone()), message));
        place.ty = Type::Unknown;
        Some(place)
    }

    /// An element that must be there.
    fn element_place(
        &mut self,
        call: &syn::ExprMethodCall,
        message: Option<&syn::Expr>,
    ) -> Option<Place> {
        if !hoist::is_place(&call.receiver) || !looks_up(call) {
            return None;
        }
        let mut call = call.clone();
        let receiver = self.settled(&call.receiver);
        let mutable = receiver.mutable;
        *call.receiver = self.name_of(receiver);
        let first = call.args.first();
        let is_key = first.is_some_and(|key| self.is_key(key));
        let (key, index) = if is_key { (first, None) } else { (None, first) };
        let at = desugar::name("index", &mut self.made_names);
        let at: syn::Expr = syn::parse_quote!(#at);
        let (present, element) = desugar::element_of(&call, key.or(index.map(|_| &at)), is_key)?;
        if let Some(index) = index {
            self.local_name(&at, index);
        }
        let message = match message {
            Some(message) => message.clone(),
            None => syn::parse_quote!("called `Option::unwrap()` on a `None` value"),
        };
        self.expr(&syn::parse_quote!(if !(#present) { ::core::panic!("{}", #message); }));
        let mut place = self.place(&element)?;
        place.mutable = mutable;
        Some(place)
    }

    /// A name of lowering's own for a value.
    fn local_name(&mut self, name: &syn::Expr, value: &syn::Expr) {
        let value = self.owned(value);
        if let Some(key) = super::scan::root(name) {
            self.bind_value(&key, value);
        }
    }

    /// A name of lowering's own for a place, whose indices are evaluated by now.
    pub(super) fn name_of(&mut self, place: Place) -> syn::Expr {
        let name = desugar::name("place", &mut self.made_names);
        let key = self.key(&name);
        self.declare(&key, Binding::View(place));
        syn::parse_quote!(#name)
    }

    fn named(&self, ident: &syn::Ident) -> Option<Place> {
        self.place_of(&self.key(ident))
    }

    /// The place of a name.
    pub(super) fn place_of(&self, key: &str) -> Option<Place> {
        match self.lookup(key)?.clone() {
            Binding::View(place) | Binding::Part(place) => Some(place),
            Binding::Variable(var) => {
                let (ty, mutable) = match (self.slot_of(var), self.state[var.0]) {
                    (Some(slot), _) => {
                        let data = self.builder.function.slot(slot);
                        (data.ty.clone(), data.access != Access::Shared)
                    }
                    (None, Some(value)) => (self.ty(value), true),
                    (None, None) => (Type::Unknown, true),
                };
                Some(Place { var, path: Vec::new(), indices: Vec::new(), ty, mutable })
            }
        }
    }

    /// Whether an expression is a reference whose referent the place already denotes.
    fn is_reference(&self, expr: &syn::Expr, place: &Place) -> bool {
        if let syn::Expr::MethodCall(call) = expr {
            return gives_reference(&call.receiver)
                || entry_of(call).is_some()
                || self.cells.contains(&place.var)
                || place.path.last() == Some(&Projection::Borrowed);
        }
        let view = match expr {
            syn::Expr::Path(path) => {
                path.path.get_ident().and_then(|ident| self.lookup(&self.key(ident)))
            }
            _ => None,
        };
        matches!(view, Some(Binding::View(_)))
            || (place.path.is_empty()
                && !is_dereferenced(expr)
                && self.is_behind_reference(place.var))
    }

    pub(super) fn is_behind_reference(&self, var: super::Var) -> bool {
        self.slot_of(var)
            .is_some_and(|slot| self.builder.function.slot(slot).access != Access::Owned)
    }

    fn element(&mut self, index: &syn::ExprIndex) -> Option<Place> {
        let mut place = self.base(&index.expr).unwrap_or_else(|| self.temporary(&index.expr));
        if let syn::Expr::Range(range) = &*index.index {
            return Some(self.part(place, range));
        }
        if self.is_key(&index.index) {
            let key = self.map_key(&index.index);
            place.path.push(Projection::Key);
            place.indices.push(key);
            place.ty = Type::Unknown;
            return Some(place);
        }
        let at = self.expr(&index.index);
        let at = self.operand_value(at, self.span(&index.index));
        place.path.push(Projection::Index);
        place.indices.push(at);
        place.ty = place.ty.element();
        Some(place)
    }

    /// Whether an index is a key of a map: a reference, or a string.
    fn is_key(&self, index: &syn::Expr) -> bool {
        match index {
            syn::Expr::Reference(_) => true,
            syn::Expr::Lit(literal) => matches!(literal.lit, syn::Lit::Str(_)),
            syn::Expr::Path(path) => self.names_reference(path),
            _ => false,
        }
    }

    /// `a[i..j]`.
    fn part(&mut self, mut place: Place, range: &syn::ExprRange) -> Place {
        let ends = [&range.start, &range.end].map(|end| end.as_ref().map(|end| self.expr(end)));
        let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));
        let [start, end] = ends.map(|end| end.is_some());
        place.path.push(Projection::Range(Ends { start, end, inclusive }));
        place.indices.extend(ends.into_iter().flatten());
        place.ty = Type::Slice(Box::new(place.ty.element()));
        place
    }

    /// A field: of a tuple whose fields are known, or of a type that the macro does not see.
    fn field(&mut self, field: &syn::ExprField) -> Option<Place> {
        let mut place = self.base(&field.base).unwrap_or_else(|| self.temporary(&field.base));
        let (name, index) = match &field.member {
            syn::Member::Unnamed(index) => (index.index.to_string(), index.index as usize),
            syn::Member::Named(name) => (name.to_string(), usize::MAX),
        };
        let ty = match &place.ty {
            Type::Tuple(items) => items.get(index).cloned(),
            Type::Unknown => Some(Type::Unknown),
            _ => None,
        };
        let Some(ty) = ty else {
            let span = self.span(&field.member);
            let broken = match &place.ty {
                // What an operator makes of a number and of what is not seen here is taken for a number.
                ty if ty.is_float() => {
                    self.report(span, &diag::UNSUPPORTED_EXPRESSION, "a field of a number")
                }
                // What gives nothing back from a vector may be a method of another type, too: `push`.
                ty if *ty == Type::UNIT => {
                    self.report(span, &diag::UNSUPPORTED_EXPRESSION, "a field of `()`")
                }
                // rustc has its own error: no valid program comes here.
                _ => {
                    self.reports.give_up();
                    self.broken()
                }
            };
            return Some(self.temporary_value(broken, span));
        };
        place.path.push(Projection::Field(name));
        place.ty = ty;
        Some(place)
    }

    /// The place of an expression. What has none in memory, a value or a part of a tuple, gets one.
    pub(super) fn settled(&mut self, expr: &syn::Expr) -> Place {
        match self.base(expr) {
            Some(place) => {
                let span = self.span(expr);
                self.settle(place, span)
            }
            None => self.temporary(expr),
        }
    }

    fn settle(&mut self, place: Place, span: Span) -> Place {
        if self.slot_of(place.var).is_some() {
            return place;
        }
        let value = self.read(&place, span);
        self.temporary_value(value, span)
    }

    /// A new variable for an expression that makes a value.
    pub(super) fn temporary(&mut self, expr: &syn::Expr) -> Place {
        let value = self.expr(expr);
        let span = self.span(expr);
        self.temporary_value(value, span)
    }

    pub(super) fn temporary_value(&mut self, value: Value, span: Span) -> Place {
        let ty = self.ty(value);
        let value =
            if matches!(ty, Type::Tuple(_)) { value } else { self.in_slot(value, "place", span) };
        let var = self.variable(Some(value));
        Place { var, path: Vec::new(), indices: Vec::new(), ty, mutable: true }
    }

    /// A value as the contents of a place of its own.
    pub(super) fn in_slot(&mut self, value: Value, name: &str, span: Span) -> Value {
        if self.builder.function.slot_of(value).is_some() {
            return value;
        }
        let ty = self.ty(value);
        let slot = self.slot(name, ty, Access::Owned, span);
        self.builder.update(Op::Duplicate, vec![value], slot, span)
    }

    /// Version and indices, the first arguments of every instruction on a place.
    pub(super) fn operands(&mut self, place: &Place) -> Vec<Value> {
        let version = self.state[place.var.0].unwrap_or_else(|| self.unset(place));
        std::iter::once(version).chain(place.indices.iter().copied()).collect()
    }

    /// What stands for a place that has no contents yet: rustc has its own error.
    fn unset(&mut self, place: &Place) -> Value {
        self.reports.give_up();
        let value = self.undefined(place.ty.clone());
        self.in_slot(value, "undefined", Span::call_site())
    }

    /// Reads a place. An owned aggregate as a whole is its current version.
    pub(super) fn read(&mut self, place: &Place, span: Span) -> Value {
        let Some(value) = self.state[place.var.0] else {
            return self.undefined(place.ty.clone());
        };
        if self.slot_of(place.var).is_none() {
            return self.read_fields(value, place, span);
        }
        let whole = place.path.is_empty() && !self.is_behind_reference(place.var);
        if whole && !matches!(place.ty, Type::Float(_) | Type::Int | Type::Bool) {
            return value;
        }
        if matches!(place.path.last(), Some(Projection::Range(_))) {
            return self.report(
                span,
                &diag::UNSUPPORTED_EXPRESSION,
                "a part of a slice as a value",
            );
        }
        let name = match place.path.last() {
            Some(Projection::Field(name)) if name.parse::<usize>().is_err() => name.clone(),
            _ => self.builder.function.value(value).name.clone(),
        };
        let operands = self.operands(place);
        self.inst(Op::Load(place.path.clone()), operands, place.ty.clone(), &name, span)
    }

    /// Reads a part of a tuple: a field, or an element of a field that is an array.
    fn read_fields(&mut self, mut value: Value, place: &Place, span: Span) -> Value {
        for (depth, step) in place.path.iter().enumerate() {
            match step {
                Projection::Field(name) if matches!(self.ty(value), Type::Tuple(_)) => {
                    value = self.tuple_field(value, name.parse().unwrap_or(0), span);
                }
                _ => {
                    let name = self.builder.function.value(value).name.clone();
                    value = self.in_slot(value, &name, span);
                    return self.read_part(value, place, depth, span);
                }
            }
        }
        value
    }

    /// The rest of a path, from a field that is a place of its own.
    fn read_part(&mut self, value: Value, place: &Place, depth: usize, span: Span) -> Value {
        let name = self.builder.function.value(value).name.clone();
        let args = std::iter::once(value).chain(place.indices.iter().copied()).collect();
        let op = Op::Load(place.path[depth..].to_vec());
        self.inst(op, args, place.ty.clone(), &name, span)
    }

    fn tuple_field(&mut self, value: Value, index: usize, span: Span) -> Value {
        let Type::Tuple(items) = self.ty(value) else {
            return value;
        };
        self.destructure(value, items, span)[index]
    }

    /// The fields of a tuple.
    pub(super) fn destructure(&mut self, value: Value, items: Vec<Type>, span: Span) -> Vec<Value> {
        let name = self.builder.function.value(value).name.clone();
        let mut fields = Vec::new();
        for (index, ty) in items.into_iter().enumerate() {
            let name = format!("{name}_{index}");
            fields.push(self.builder.fresh(ty, &name, span, false));
        }
        self.builder.push(Op::Destructure, vec![value], fields.clone(), span);
        fields
    }

    /// Writes a place.
    pub(super) fn write(&mut self, place: &Place, value: Value, span: Span) {
        let var = place.var.0;
        match self.slot_of(place.var) {
            Some(slot) => {
                self.refine_float(value, &place.ty);
                self.writing(&[place], span, |lower| {
                    let mut args = lower.operands(place);
                    args.push(value);
                    let op = Op::Store(place.path.clone());
                    lower.state[var] = Some(lower.builder.update(op, args, slot, span));
                });
            }
            None if place.path.is_empty() => {
                self.refine_to(value, self.state[var]);
                self.state[var] = Some(value);
            }
            None => {
                let Some(whole) = self.state[var] else {
                    // A part of what has no value yet is not written, which rustc says.
                    return self.reports.give_up();
                };
                if !matches!(self.ty(whole), Type::Tuple(_)) {
                    return self.write_settled(place, whole, value, span);
                }
                let rebuilt = self.with_field(whole, &place.path, &place.indices, value, span);
                self.state[var] = Some(rebuilt);
            }
        }
    }

    /// A value of unknown type that takes the place of one of known type is of that type.
    fn refine_to(&mut self, value: Value, before: Option<Value>) {
        let Some(known) = before.map(|before| self.ty(before)) else { return };
        self.refine_float(value, &known);
        self.annotate_items(value, &known);
        if let (Type::Unknown | Type::Tuple(_), Type::Tuple(_)) = (self.ty(value), &known) {
            self.builder.function.values[value.0 as usize].ty = known;
        }
    }

    /// Writes a part of a value of unknown type, which gets a place for that.
    fn write_settled(&mut self, place: &Place, whole: Value, value: Value, span: Span) {
        let name = self.builder.function.value(whole).name.clone();
        let version = self.in_slot(whole, &name, span);
        self.state[place.var.0] = Some(version);
        self.write(place, value, span);
    }

    /// A tuple with one field replaced.
    fn with_field(
        &mut self,
        whole: Value,
        path: &[Projection],
        indices: &[Value],
        value: Value,
        span: Span,
    ) -> Value {
        if let (Some(Projection::Index), Some(slot)) =
            (path.first(), self.builder.function.slot_of(whole))
        {
            let mut args = vec![whole];
            args.extend(indices);
            args.push(value);
            return self.builder.update(Op::Store(path.to_vec()), args, slot, span);
        }
        let (Some(Projection::Field(name)), Type::Tuple(items)) = (path.first(), self.ty(whole))
        else {
            self.infer_float(value, whole);
            return value;
        };
        let index: usize = name.parse().unwrap_or(0);
        let mut fields = self.destructure(whole, items.clone(), span);
        fields[index] = self.with_field(fields[index], &path[1..], indices, value, span);
        let name = self.builder.function.value(whole).name.clone();
        self.inst(Op::Tuple, fields, Type::Tuple(items), &name, span)
    }

    /// How an argument is passed to a function: a text is a reference, too.
    pub(super) fn argument(&mut self, expr: &syn::Expr) -> Operand {
        match expr {
            syn::Expr::Lit(literal) if matches!(literal.lit, syn::Lit::Str(_)) => {
                self.borrowed(expr, false)
            }
            expr => self.operand(expr),
        }
    }

    /// How an expression is passed to a call.
    pub(super) fn operand(&mut self, expr: &syn::Expr) -> Operand {
        match expr {
            syn::Expr::Paren(paren) => self.operand(&paren.expr),
            syn::Expr::Group(group) => self.operand(&group.expr),
            syn::Expr::Reference(reference) => match self.kept_handle(expr) {
                Some(broken) => Operand::value(broken),
                None => self.borrowed(&reference.expr, reference.mutability.is_some()),
            },
            syn::Expr::Path(_) => {
                if let Some(broken) = self.kept_handle(expr) {
                    return Operand::value(broken);
                }
                match self.place(expr).filter(|place| self.is_reference(expr, place)) {
                    Some(place) => self.passed(&place, place.mutable),
                    None => Operand::value(self.expr(expr)),
                }
            }
            _ => Operand::value(self.expr(expr)),
        }
    }

    /// Whether a variable is a reference.
    pub(super) fn is_named_reference(&mut self, name: &syn::Ident) -> bool {
        let name: syn::Expr = syn::parse_quote!(#name);
        self.place(&name).is_some_and(|place| self.is_reference(&name, &place))
    }

    /// Whether an expression is a `&mut`.
    pub(super) fn is_passed_uniquely(&mut self, expr: &syn::Expr) -> bool {
        self.place(expr).is_some_and(|place| place.mutable && self.is_reference(expr, &place))
    }

    fn borrowed(&mut self, expr: &syn::Expr, mutable: bool) -> Operand {
        let place = match self.place(expr) {
            Some(place) => {
                let span = self.span(expr);
                self.settle(place, span)
            }
            None => match self.item_place(expr).filter(|_| !mutable) {
                Some(place) => place,
                None => self.lent_value(expr),
            },
        };
        self.passed(&place, mutable)
    }

    /// A place for a value of which a reference is taken.
    fn lent_value(&mut self, expr: &syn::Expr) -> Place {
        let place = self.temporary(expr);
        if self.slot_of(place.var).is_none() {
            // A tuple that is written nowhere else.
            let value = self.state[place.var.0];
            self.state[place.var.0] =
                value.map(|value| self.in_slot(value, "place", self.span(expr)));
        }
        place
    }

    pub(super) fn passed(&mut self, place: &Place, mutable: bool) -> Operand {
        let passing = match mutable {
            true => Passing::Unique(place.path.clone()),
            false => self.lent(place),
        };
        let (args, var) = (self.operands(place), Some(place.var));
        Operand { passing, args, var, function: None }
    }

    /// `let (a, b) = x.split_at_mut(k)`: two parts of one slice.
    fn split_views(&mut self, pattern: &syn::Pat, expr: &syn::Expr) -> bool {
        let (syn::Pat::Tuple(tuple), syn::Expr::MethodCall(call)) = (pattern, expr) else {
            return false;
        };
        let mutable = call.method == "split_at_mut";
        let is_split = (mutable || call.method == "split_at") && call.args.len() == 1;
        let names: Vec<Option<String>> = tuple
            .elems
            .iter()
            .filter_map(|item| match item {
                syn::Pat::Ident(ident) if ident.by_ref.is_none() => {
                    Some(Some(self.key(&ident.ident)))
                }
                syn::Pat::Wild(_) => Some(None),
                _ => None,
            })
            .collect();
        let place = if is_split { self.place(&call.receiver) } else { None };
        let Some(place) =
            place.filter(|place| self.slot_of(place.var).is_some() && names.len() == 2)
        else {
            return false;
        };
        let at = self.expr(&call.args[0]);
        for (name, start) in names.iter().zip([false, true]) {
            let mut part = place.clone();
            part.path.push(Projection::Range(Ends { start, end: !start, inclusive: false }));
            part.indices.push(at);
            part.ty = Type::Slice(Box::new(place.ty.element()));
            part.mutable = mutable;
            if let Some(name) = name {
                self.declare(name, Binding::View(part));
            }
        }
        true
    }

    /// `let r = &a[i]` and `let v = w` with a reference `w`: a name for a part of a place.
    pub(super) fn view_binding(&mut self, pattern: &syn::Pat, expr: &syn::Expr) -> bool {
        if self.split_views(pattern, expr) {
            return true;
        }
        if let Some(part) = self.part_for(pattern, expr) {
            self.bind_part(pattern, part);
            return true;
        }
        let Some((key, place)) = self.view(pattern, expr) else { return false };
        self.declare(&key, Binding::View(place));
        true
    }

    /// The name in a pattern, and the place that it is to be a name for.
    fn view(&mut self, pattern: &syn::Pat, expr: &syn::Expr) -> Option<(String, Place)> {
        let key = match pattern {
            syn::Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => {
                self.key(&ident.ident)
            }
            syn::Pat::Paren(paren) => return self.view(&paren.pat, expr),
            syn::Pat::Type(typed) => {
                let (key, mut place) = self.view(&typed.pat, expr)?;
                if let (Type::Unknown, Type::Reference(ty, _)) =
                    (&place.ty, self.floats.read(&typed.ty))
                {
                    place.ty = *ty;
                }
                return Some((key, place));
            }
            _ => return None,
        };
        let (mut place, mutable) = self.borrowed_place(expr)?;
        if !mutable {
            let span = self.span(expr);
            place = self.settle(place, span);
        }
        place.mutable = mutable;
        self.slot_of(place.var).is_some().then_some((key, place))
    }

    /// `let (d, s) = (x[0], &x[1..]);`: each name is bound as if it stood alone, after all are evaluated.
    pub(super) fn parts_binding(&mut self, pattern: &syn::Pat, expr: &syn::Expr) -> bool {
        let syn::Expr::Tuple(_) = expr else { return false };
        let mut pairs = Vec::new();
        pair(pattern, expr, &mut pairs);
        if pairs.len() < 2 {
            return false;
        }
        let mut bound = Vec::new();
        for (pattern, expr) in &pairs {
            bound.push(match self.view(pattern, expr) {
                Some((key, place)) => Bound::View(key, place),
                None => match self.part_for(pattern, expr) {
                    Some(place) => Bound::Part(pattern, place),
                    None => Bound::Value(pattern, self.owned(expr)),
                },
            });
        }
        for item in bound {
            match item {
                Bound::View(key, place) => self.declare(&key, Binding::View(place)),
                Bound::Part(pattern, place) => self.bind_part(pattern, place),
                Bound::Value(pattern, value) => self.bind_pattern(pattern, value, false),
            }
        }
        true
    }

    /// The place behind an expression whose value is a reference, and whether that is `&mut`.
    fn borrowed_place(&mut self, expr: &syn::Expr) -> Option<(Place, bool)> {
        match expr {
            syn::Expr::Reference(reference) => {
                let place = match self.base(&reference.expr) {
                    None if makes_value(&reference.expr) => self.lent_value(&reference.expr),
                    place => place?,
                };
                Some((place, reference.mutability.is_some()))
            }
            syn::Expr::Path(_) => {
                let place = self.place(expr).filter(|place| self.is_reference(expr, place))?;
                Some((place.clone(), place.mutable))
            }
            syn::Expr::MethodCall(call) => {
                let is_borrow = matches!(call.method.to_string().as_str(), "borrow" | "borrow_mut");
                let is_known = gives_reference(&call.receiver) || entry_of(call).is_some();
                if !is_known && !is_borrow {
                    return None;
                }
                let place = self.place(expr)?;
                Some((place.clone(), place.mutable))
            }
            syn::Expr::Macro(_) => {
                let (scrutinee, part) = reserved::as_binding(expr)?;
                let whole = self.place(&scrutinee)?;
                let is_reference = self.is_reference(&scrutinee, &whole);
                let place = is_reference.then(|| self.place(&part)).flatten()?;
                Some((place, whole.mutable))
            }
            _ => None,
        }
    }
}

/// What a pattern in a tuple of patterns is bound to.
enum Bound<'p> {
    View(String, Place),
    Part(&'p syn::Pat, Place),
    Value(&'p syn::Pat, Value),
}

/// The patterns in a tuple of patterns, with the expressions of a tuple of expressions that they stand for.
fn pair(pattern: &syn::Pat, expr: &syn::Expr, pairs: &mut Vec<(syn::Pat, syn::Expr)>) {
    match (pattern, expr) {
        (syn::Pat::Paren(paren), expr) => pair(&paren.pat, expr, pairs),
        (pattern, syn::Expr::Paren(paren)) => pair(pattern, &paren.expr, pairs),
        (pattern, syn::Expr::Group(group)) => pair(pattern, &group.expr, pairs),
        (syn::Pat::Tuple(patterns), syn::Expr::Tuple(items))
            if patterns.elems.len() == items.elems.len() =>
        {
            patterns.elems.iter().zip(&items.elems).for_each(|(a, b)| pair(a, b, pairs));
        }
        (syn::Pat::Type(typed), syn::Expr::Tuple(items)) => match (&*typed.pat, &*typed.ty) {
            (syn::Pat::Tuple(patterns), syn::Type::Tuple(types))
                if patterns.elems.len() == items.elems.len() =>
            {
                let parts = patterns.elems.iter().zip(&types.elems).zip(&items.elems);
                parts.for_each(|((a, ty), b)| pair(&with_type(a, ty), b, pairs));
            }
            _ => pairs.push((pattern.clone(), expr.clone())),
        },
        _ => pairs.push((pattern.clone(), expr.clone())),
    }
}

fn with_type(pattern: &syn::Pat, ty: &syn::Type) -> syn::Pat {
    syn::Pat::Type(syn::PatType {
        attrs: Vec::new(),
        pat: Box::new(pattern.clone()),
        colon_token: Default::default(),
        ty: Box::new(ty.clone()),
    })
}

/// An argument of a call.
#[derive(Clone)]
pub(super) struct Operand {
    pub passing: Passing,
    /// The value; or the version of a place, and the indices of a path in it.
    pub args: Vec<Value>,
    /// The variable that is borrowed.
    pub var: Option<super::Var>,
    /// What it does, for a function: the value is what that captures.
    pub function: Option<Rc<Given>>,
}

impl Operand {
    pub fn value(value: Value) -> Self {
        Operand { passing: Passing::Value, args: vec![value], var: None, function: None }
    }

    pub fn function(state: Value, code: Code) -> Self {
        let given = Given { code, is_reference: false };
        Operand { function: Some(Rc::new(given)), ..Operand::value(state) }
    }
}

/// `m.entry(k)` in front of `or_insert(v)` or `or_default()`.
fn entry_of(call: &syn::ExprMethodCall) -> Option<&syn::ExprMethodCall> {
    match &*call.receiver {
        syn::Expr::MethodCall(entry)
            if entry.method == "entry"
                && (call.method == "or_insert" || call.method == "or_default") =>
        {
            Some(entry)
        }
        _ => None,
    }
}

/// Whether an expression makes a value of its own, of which `&` makes a reference.
fn makes_value(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Paren(paren) => makes_value(&paren.expr),
        syn::Expr::Group(group) => makes_value(&group.expr),
        syn::Expr::Macro(made) => made.mac.path.is_ident("vec"),
        // Of which type a float is, the closure says that it is lent to.
        syn::Expr::Lit(literal) => !matches!(literal.lit, syn::Lit::Float(_)),
        syn::Expr::Array(_)
        | syn::Expr::Repeat(_)
        | syn::Expr::Tuple(_)
        | syn::Expr::Struct(_)
        | syn::Expr::Unary(_)
        | syn::Expr::Binary(_)
        | syn::Expr::MethodCall(_)
        | syn::Expr::Call(_) => true,
        _ => false,
    }
}

/// Whether unwrapping an expression gives a reference: `a.last()`, `o.as_ref()`.
fn gives_reference(expr: &syn::Expr) -> bool {
    let syn::Expr::MethodCall(call) = expr else { return false };
    let is_borrow = matches!(call.method.to_string().as_str(), "as_ref" | "as_mut");
    is_borrow && call.args.is_empty() || looks_up(call)
}

/// `a.get(i)`, `a.first()`, `a.last()` and their `_mut` forms.
fn looks_up(call: &syn::ExprMethodCall) -> bool {
    let name = call.method.to_string();
    match (name.trim_end_matches("_mut"), call.args.first()) {
        ("get", Some(index)) => !matches!(index, syn::Expr::Range(_)),
        (name, index) => matches!(name, "first" | "last") && index.is_none(),
    }
}

/// Whether an expression is the referent of a reference, and no reference any more.
fn is_dereferenced(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Paren(paren) => is_dereferenced(&paren.expr),
        syn::Expr::Group(group) => is_dereferenced(&group.expr),
        expr => matches!(expr, syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), .. })),
    }
}
