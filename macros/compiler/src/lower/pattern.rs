//! Patterns: what they ask of a place, and what they name in it.
//!
//! A pattern is tested as it stands, with its names left out where they are bindings for certain. Each name is then
//! bound to its part of the place: by value, or as another name of the part where what is matched on is a reference.

use super::element::{Element, Lookup};
use super::stream::Item;
use super::{Lower, Place, Storage};
use crate::analysis::activity::is_error;
use crate::hir::{Binding, Constructor, ExprId, ExprKind, Mode, PatId, PatKind, Variant};
use crate::ir::{Access, Block, Ends, Op, Projection, Type, Value};
use proc_macro2::Span;
use std::cell::RefCell;
use std::rc::Rc;

/// What patterns are matched with.
#[derive(Clone)]
pub(super) enum Subject {
    /// A place; names are references to its parts where it is behind a reference.
    Place(Place, By),
    /// A tuple of expressions, of which none is made.
    Parts(Vec<Subject>),
    /// An element that may not be there, which no `Option` is made of.
    Lookup(Rc<RefCell<Lookup>>),
}

/// How names are bound where the pattern does not say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum By {
    Value,
    Shared,
    Unique,
}

impl Subject {
    /// The subject as a value that is not made yet, unless it may not be there.
    fn as_item(&self) -> Option<Item> {
        match self {
            Subject::Place(place, by) => Some(Item::Place(place.clone(), *by)),
            Subject::Parts(parts) => {
                let items: Option<Vec<Item>> = parts.iter().map(Subject::as_item).collect();
                Some(Item::Tuple(items?))
            }
            Subject::Lookup(_) => None,
        }
    }
}

impl By {
    pub fn reference(mutable: bool) -> Self {
        if mutable { By::Unique } else { By::Shared }
    }
}

impl<'a> Lower<'a> {
    // --- binding values

    /// `let pattern = init;`.
    pub(super) fn bind(&mut self, pattern: PatId, init: ExprId) {
        if let PatKind::Typed(_, ty) = &self.body.pat(pattern).kind {
            self.expect(init, ty);
        }
        if self.bind_named(pattern, init)
            || self.bind_pullback(pattern, init)
            || self.bind_cell(pattern, init)
            || self.bind_halves(pattern, init)
        {
            return;
        }
        if let Some(part) = self.part_for(pattern, init) {
            return self.bind_moved(pattern, &part);
        }
        if let ExprKind::Tuple(items) = &self.body.expr(init).kind
            && let Some(patterns) = self.parts_for(pattern, items)
        {
            return self.bind_parts(&patterns, items);
        }
        if let Some((place, mutable)) = self.reference(init) {
            return self.bind_borrowed(pattern, &place, mutable);
        }
        if self.takes_apart(pattern)
            && let Some(place) = self.place(init)
        {
            return self.bind_moved(pattern, &place);
        }
        let value = self.owned(init);
        if !self.diverged {
            if matches!(self.body.pat(pattern).kind, PatKind::Bind(_)) {
                self.hold_result(value);
            }
            self.bind_value(pattern, value);
        }
    }

    /// Notes that what a call returned, of a type that may end something when it is dropped, has a name.
    fn hold_result(&mut self, value: Value) {
        if self.ty(value) == Type::Unknown && is_returned(self.builder.block(), value) {
            self.builder.function.held.insert(value);
        }
    }

    /// A closure or a function under a name.
    fn bind_named(&mut self, pattern: PatId, init: ExprId) -> bool {
        // What a type is written for is a value of that type, such as a function pointer.
        if !matches!(self.body.pat(pattern).kind, PatKind::Bind(_)) {
            return false;
        }
        let Some(binding) = self.plain_binding(pattern) else { return false };
        if self.bind_range(binding.local, init) {
            return true;
        }
        let is_mutable = self.body.local(binding.local).is_mutable;
        let is_opaque = is_mutable && self.is_opaque_chain(init);
        if !is_opaque && self.is_stream(init) && !self.is_open_part(init) && !self.is_range(init) {
            if is_mutable {
                if !self.bind_cursor(binding.local, init) {
                    self.refuse_chain(init);
                }
                return true;
            }
            match self.read_stream(init) {
                Some(mut stream) => {
                    self.apart_from(&mut stream, &|_, _| true);
                    let stream = Storage::Stream(Rc::new(stream));
                    self.storage.insert(binding.local, stream);
                }
                None => {
                    self.refuse_chain(init);
                }
            }
            return true;
        }
        self.note_index(binding.local, init);
        let Some(storage) = self.named_callable(init, Some(binding.local)) else { return false };
        self.storage.insert(binding.local, storage);
        true
    }

    pub(super) fn plain_binding(&self, pattern: PatId) -> Option<&'a Binding> {
        match &self.body.pat(pattern).kind {
            PatKind::Typed(inner, _) => self.plain_binding(*inner),
            PatKind::Bind(binding) if binding.mode == Mode::Default && binding.inner.is_none() => {
                Some(binding)
            }
            _ => None,
        }
    }

    /// The patterns of the items of a tuple that is written. One with a type stands for the whole, unless an item is a
    /// reference, which is no value here.
    fn parts_for(&self, pattern: PatId, items: &[ExprId]) -> Option<Vec<PatId>> {
        match &self.body.pat(pattern).kind {
            PatKind::Typed(inner, _) if items.iter().any(|item| self.names_view(*item)) => {
                self.parts_of(*inner, items.len())
            }
            _ => self.parts_of(pattern, items.len()),
        }
    }

    /// Whether an expression is a reference to what is no number.
    fn names_view(&self, expr: ExprId) -> bool {
        match &self.body.expr(expr).kind {
            ExprKind::Borrow { .. } => true,
            ExprKind::Local(local) => {
                matches!(self.storage.get(local), Some(Storage::Alias(place)) if place.ty.is_aggregate())
            }
            _ => false,
        }
    }

    fn parts_of(&self, pattern: PatId, count: usize) -> Option<Vec<PatId>> {
        match &self.body.pat(pattern).kind {
            PatKind::Tuple(items) if items.len() == count && !self.has_rest(items) => {
                Some(items.clone())
            }
            _ => None,
        }
    }

    fn has_rest(&self, items: &[PatId]) -> bool {
        items.iter().any(|item| matches!(self.body.pat(*item).kind, PatKind::Rest))
    }

    /// `let (a, b) = (x, &y);`: each is bound as if it stood alone, after all are evaluated.
    fn bind_parts(&mut self, patterns: &[PatId], items: &[ExprId]) {
        let parts = self.tuple_parts(patterns, items);
        if self.diverged {
            return;
        }
        for (pattern, part) in patterns.iter().zip(parts) {
            let is_bound = self.plain_binding(*pattern).is_some_and(|binding| {
                matches!(self.storage.get(&binding.local), Some(Storage::Range(_)))
            });
            if !is_bound {
                self.bind_item(*pattern, &part);
            }
        }
    }

    /// The items of a tuple, of which the patterns name parts. Control may not come back from one.
    fn tuple_parts(&mut self, patterns: &[PatId], items: &[ExprId]) -> Vec<Item> {
        let mut parts = Vec::new();
        for (pattern, item) in patterns.iter().zip(items) {
            if self.diverged {
                break;
            }
            if let Some(part) = self.part_for(*pattern, *item) {
                parts.push(Item::Place(part, By::Value));
                continue;
            }
            if let Some(binding) = self.plain_binding(*pattern)
                && self.bind_range(binding.local, *item)
            {
                parts.push(Item::Tuple(Vec::new()));
                continue;
            }
            parts.push(match (&self.body.expr(*item).kind, self.reference(*item)) {
                (_, Some((place, mutable))) => Item::Place(place, By::reference(mutable)),
                (ExprKind::Tuple(inner), None) => match self.parts_of(*pattern, inner.len()) {
                    Some(patterns) => Item::Tuple(self.tuple_parts(&patterns, inner)),
                    None => Item::Value(self.part_value(*pattern, *item)),
                },
                _ => Item::Value(self.part_value(*pattern, *item)),
            });
        }
        parts
    }

    /// The value of an item, of the type that is written for its name.
    fn part_value(&mut self, pattern: PatId, item: ExprId) -> Value {
        let value = self.owned(item);
        let binding = self.plain_binding(pattern);
        let ty = binding.and_then(|binding| self.body.local(binding.local).ty.as_ref());
        if let Some(ty) = ty.filter(|_| !self.diverged) {
            self.annotate(value, ty);
        }
        value
    }

    /// Whether a pattern names parts of what it fits.
    pub(super) fn takes_apart(&self, pattern: PatId) -> bool {
        match &self.body.pat(pattern).kind {
            PatKind::Typed(inner, _) => self.takes_apart(*inner),
            PatKind::Wild | PatKind::Rest | PatKind::Test(_) => false,
            PatKind::Bind(binding) => binding.mode != Mode::Default || binding.inner.is_some(),
            PatKind::Tuple(_)
            | PatKind::Reference(_)
            | PatKind::TupleStruct(..)
            | PatKind::Struct { .. }
            | PatKind::Slice(_)
            | PatKind::Or(_) => true,
        }
    }

    /// Binds the names of a pattern to a value, and to its parts.
    pub(super) fn bind_value(&mut self, pattern: PatId, value: Value) {
        match &self.body.pat(pattern).kind {
            PatKind::Wild => {}
            PatKind::Typed(inner, ty) => {
                self.annotate(value, ty);
                self.bind_value(*inner, value);
            }
            PatKind::Bind(binding) if binding.mode == Mode::Default && binding.inner.is_none() => {
                self.bind_name(binding, value);
            }
            PatKind::Tuple(items) if !self.has_rest(items) && self.are_moved(items) => {
                let span = self.body.pat(pattern).span;
                let types = match self.ty(value) {
                    Type::Tuple(types) if types.len() == items.len() => types,
                    _ => vec![Type::Unknown; items.len()],
                };
                let fields = self.destructure(value, types, span);
                for (item, field) in items.iter().zip(fields) {
                    self.bind_value(*item, field);
                }
            }
            _ => {
                let place = self.held(value, "place", self.body.pat(pattern).span);
                self.bind_moved(pattern, &place);
            }
        }
    }

    /// Whether no name in some patterns is a reference to a part.
    fn are_moved(&self, items: &[PatId]) -> bool {
        items.iter().all(|item| match &self.body.pat(*item).kind {
            PatKind::Bind(binding) => binding.mode == Mode::Default,
            PatKind::Typed(inner, _) => self.are_moved(&[*inner]),
            PatKind::Tuple(items) => self.are_moved(items),
            PatKind::Wild => true,
            _ => false,
        })
    }

    /// A variable with a value.
    pub(super) fn bind_name(&mut self, binding: &Binding, value: Value) {
        let data = self.body.local(binding.local).clone();
        let span = data.name.span();
        // A name that may be a constant's cannot be a variable's in emitted code.
        let name = if binding.may_be_item { "value".into() } else { data.name.to_string() };
        let value = self.kept(value, span);
        let (ty, is_place) = (self.ty(value), self.builder.function.slot_of(value).is_some());
        let version = match is_place {
            true => value,
            false => {
                let slot = self.slot(&name, ty, Access::Owned, span);
                let version = self.builder.update(Op::Duplicate, vec![value], slot, span);
                let annotation = self.builder.function.value(value).annotation.clone();
                self.builder.function.values[version.0 as usize].annotation = annotation;
                version
            }
        };
        self.rename(version, &name);
        let slot = self.builder.function.slot_of(version).expect("a place");
        let var = self.variable(binding.local, slot, Some(version));
        if !data.is_mutable {
            self.fixed.insert(var);
        } else {
            self.fixed.remove(&var);
        }
        self.storage.insert(binding.local, Storage::Variable(var));
    }

    /// A value that has no name of the user's yet takes the variable's.
    fn rename(&mut self, value: Value, name: &str) {
        if self.builder.is_function_param(value) {
            return;
        }
        let function = &mut self.builder.function;
        let slot = function.slot_of(value);
        function.values[value.0 as usize].name = name.to_owned();
        if let Some(slot) = slot {
            function.slots[slot.0 as usize].name = name.to_owned();
        }
    }

    /// Takes in a type that the user wrote.
    pub(super) fn annotate(&mut self, value: Value, ty: &syn::Type) {
        let read = self.signature.floats.read(ty);
        self.annotate_items(value, &read);
        let data = &mut self.builder.function.values[value.0 as usize];
        if is_open(&data.ty) {
            data.ty = read.clone();
        }
        if let (Type::Vec(item), Type::Vec(_)) = (&data.ty, &read)
            && **item == Type::Unknown
        {
            data.ty = read;
        }
        data.annotation = Some(Box::new(ty.clone()));
        if let (Some(slot), ty) = (data.slot, data.ty.clone()) {
            self.builder.function.slots[slot.0 as usize].ty = ty;
        }
    }

    /// The items of a tuple that was just made have the types that are written for them.
    pub(super) fn annotate_items(&mut self, value: Value, ty: &Type) {
        let made = self.builder.block().insts.iter().rev().find(|inst| inst.results == [value]);
        let (Type::Tuple(types), Some(inst)) = (ty, made) else { return };
        if !matches!(inst.op, Op::Tuple) || inst.args.len() != types.len() {
            return;
        }
        for (item, ty) in inst.args.clone().into_iter().zip(types) {
            let is_literal = self.ty(item) == Type::Float(crate::ir::FloatKind::Literal);
            self.refine_float(item, ty);
            if let Some(float) = crate::syntax::types::float_syntax(ty).filter(|_| is_literal) {
                let data = &mut self.builder.function.values[item.0 as usize];
                data.annotation = Some(Box::new(float));
            }
            self.annotate_items(item, ty);
        }
    }

    /// The fields of a tuple.
    pub(super) fn destructure(&mut self, value: Value, items: Vec<Type>, span: Span) -> Vec<Value> {
        let value = self.contents(value, span);
        let name = self.builder.function.value(value).name.clone();
        let mut fields = Vec::new();
        for (index, ty) in items.into_iter().enumerate() {
            let name = format!("{name}_{index}");
            fields.push(self.builder.fresh(ty, &name, span, false));
        }
        self.builder.push(Op::Destructure, vec![value], fields.clone(), span);
        fields
    }

    /// `let x;` and `let x: T;`.
    pub(super) fn declare(&mut self, pattern: PatId) {
        match &self.body.pat(pattern).kind {
            PatKind::Typed(inner, _) => self.declare(*inner),
            PatKind::Tuple(items) => items.iter().for_each(|item| self.declare(*item)),
            PatKind::Bind(binding) => {
                let data = self.body.local(binding.local).clone();
                let ty =
                    data.ty.as_ref().map_or(Type::Unknown, |ty| self.signature.floats.read(ty));
                let span = data.name.span();
                let slot = self.slot(&data.name.to_string(), ty, Access::Owned, span);
                let var = self.variable(binding.local, slot, None);
                self.storage.insert(binding.local, Storage::Variable(var));
            }
            PatKind::Wild => {}
            _ => self.refuse_pattern(pattern),
        }
    }

    // --- binding parts of places

    /// Binds names to parts of a place: those of a reference refer to them.
    pub(super) fn bind_place(&mut self, pattern: PatId, place: &Place) {
        let slot = self.slot_at(place.var).expect("a place has a slot");
        match self.builder.function.slot(slot).access {
            Access::Owned => self.bind_moved(pattern, place),
            Access::Shared => self.bind_borrowed(pattern, place, false),
            Access::Unique => self.bind_borrowed(pattern, place, true),
        }
    }

    /// Binds names to parts of a place by value.
    pub(super) fn bind_moved(&mut self, pattern: PatId, place: &Place) {
        self.bind_parts_of(pattern, place, By::Value);
    }

    /// Binds names to references to parts of a place.
    pub(super) fn bind_borrowed(&mut self, pattern: PatId, place: &Place, mutable: bool) {
        self.bind_parts_of(pattern, place, By::reference(mutable));
    }

    pub(super) fn bind_parts_of(&mut self, pattern: PatId, place: &Place, by: By) {
        match &self.body.pat(pattern).kind {
            PatKind::Wild | PatKind::Rest | PatKind::Test(_) => {}
            PatKind::Typed(inner, ty) => {
                let mut place = place.clone();
                let read = self.signature.floats.read(ty);
                let known = match (by, read) {
                    (By::Value, read) => read,
                    (_, Type::Reference(inner, _)) => *inner,
                    (_, read) => read,
                };
                if place.ty == Type::Unknown {
                    place.ty = known;
                }
                self.bind_parts_of(*inner, &place, by);
            }
            PatKind::Bind(binding) => self.bind_part(binding, place, by),
            PatKind::Reference(inner) if place.depth > 0 => {
                let place = Place { depth: place.depth - 1, ..place.clone() };
                self.bind_parts_of(*inner, &place, by);
            }
            PatKind::Reference(inner) if by == By::Value => {
                let place = self.referred(place.clone());
                self.bind_parts_of(*inner, &place, By::Value);
            }
            PatKind::Reference(inner) => self.bind_parts_of(*inner, place, By::Value),
            PatKind::Tuple(items) => {
                self.refuse_field(self.body.pat(pattern).extent, &place.ty);
                for (number, item) in self.numbered(pattern, items, place) {
                    let part = self.part(place, Projection::Field(number.to_string()));
                    self.bind_parts_of(item, &part, by);
                }
            }
            PatKind::TupleStruct(constructor, items) => {
                let path = constructor.path();
                for (number, item) in self.numbered(pattern, items, place) {
                    let part = self.variant(place, &path, number.to_string());
                    self.bind_parts_of(item, &part, by);
                }
            }
            PatKind::Struct { path, fields, is_variant } => {
                for (member, item) in fields {
                    let name = quote::quote!(#member).to_string();
                    let step = match is_variant {
                        true => Projection::Variant(Box::new(path.clone()), name),
                        false => super::field_step(path, &name),
                    };
                    let part = self.part(place, step);
                    self.bind_parts_of(*item, &part, by);
                }
            }
            PatKind::Slice(items) => self.bind_slice(items, place, by),
            PatKind::Or(cases) => {
                if cases.iter().any(|case| self.binds(*case)) {
                    self.refuse_pattern(pattern);
                }
            }
        }
    }

    /// Items up to a `..`, with their numbers; behind one, these count from the end.
    fn numbered(&mut self, whole: PatId, items: &[PatId], place: &Place) -> Vec<(usize, PatId)> {
        let rest = items.iter().position(|item| matches!(self.body.pat(*item).kind, PatKind::Rest));
        let Some(rest) = rest else {
            return items.iter().copied().enumerate().collect();
        };
        let mut numbered: Vec<_> = items[..rest].iter().copied().enumerate().collect();
        let behind = &items[rest + 1..];
        match &place.ty {
            Type::Tuple(types) if types.len() >= items.len() - 1 => {
                let first = types.len() - behind.len();
                numbered.extend(behind.iter().enumerate().map(|(at, item)| (first + at, *item)));
            }
            _ if behind.iter().any(|item| self.binds(*item)) => self.refuse_pattern(whole),
            _ => {}
        }
        numbered
    }

    fn bind_part(&mut self, binding: &'a Binding, place: &Place, by: By) {
        let is_used_as_place = self.body.is_used_as_place(binding.local);
        match (binding.mode, by) {
            (Mode::Default, By::Value) if is_used_as_place && self.is_of_item(place) => {
                self.storage.insert(binding.local, Storage::Part(place.clone()));
            }
            (Mode::Default, By::Value) => {
                let span = self.body.local(binding.local).name.span();
                let value = match self.is_moved_element(place) {
                    true => self.copied(place, span),
                    false => self.read(place, span),
                };
                self.bind_name(binding, value);
            }
            (Mode::Default, by) => self.alias(binding, place, by == By::Unique),
            (Mode::Shared, _) => self.alias(binding, place, false),
            (Mode::Unique, _) => self.alias(binding, place, true),
        }
        if let Some(inner) = binding.inner {
            self.bind_parts_of(inner, place, by);
        }
    }

    /// Whether a place is an element that an iterator by value moves out of a collection of the function's own.
    fn is_moved_element(&self, place: &Place) -> bool {
        let is_element = place.ty == Type::Unknown && place.path.last() == Some(&Projection::Index);
        let slot = self.slot_at(place.var).map(|slot| self.builder.function.slot(slot));
        is_element && slot.is_some_and(|slot| slot.access == Access::Owned)
    }

    fn alias(&mut self, binding: &Binding, place: &Place, mutable: bool) {
        let place = Place { mutable, ..place.clone() };
        self.storage.insert(binding.local, Storage::Alias(place));
    }

    /// `[first, .., last]`, `[a, rest @ ..]`.
    fn bind_slice(&mut self, items: &'a [PatId], place: &Place, by: By) {
        let count = items.len();
        let rest = items.iter().position(|item| self.is_rest(*item));
        for (index, item) in items.iter().enumerate() {
            let span = self.body.pat(*item).span;
            if rest == Some(index) {
                if let PatKind::Bind(binding) = &self.body.pat(*item).kind {
                    let part = self.middle(place, index, count - index - 1, span);
                    self.alias(binding, &part, by == By::Unique);
                }
                continue;
            }
            let at = match rest {
                Some(rest) if index > rest => self.index_from_end(place, count - index, span),
                _ => self.number(index, span),
            };
            let element = self.element(place, at);
            self.bind_parts_of(*item, &element, by);
        }
    }

    /// Whether a pattern stands for any number of elements: `..` or `rest @ ..`.
    fn is_rest(&self, pattern: PatId) -> bool {
        match &self.body.pat(pattern).kind {
            PatKind::Rest => true,
            PatKind::Bind(binding) => binding.inner.is_some_and(|inner| self.is_rest(inner)),
            _ => false,
        }
    }

    fn index_from_end(&mut self, place: &Place, behind: usize, span: Span) -> Value {
        let len = self.measured("len", place, span);
        let behind = self.number(behind, span);
        self.apply("sub", vec![len, behind], Type::Int, span)
    }

    fn middle(&mut self, place: &Place, before: usize, behind: usize, span: Span) -> Place {
        let start = self.number(before, span);
        let end = self.index_from_end(place, behind, span);
        let mut part = place.clone();
        part.path.push(Projection::Range(Ends { start: true, end: true, inclusive: false }));
        part.indices.extend([start, end]);
        part.ty = Type::Slice(Box::new(place.ty.element()));
        part
    }

    pub(super) fn binds(&self, pattern: PatId) -> bool {
        match &self.body.pat(pattern).kind {
            PatKind::Bind(_) => true,
            PatKind::Wild | PatKind::Rest | PatKind::Test(_) => false,
            PatKind::Typed(inner, _) | PatKind::Reference(inner) => self.binds(*inner),
            PatKind::Tuple(items)
            | PatKind::TupleStruct(_, items)
            | PatKind::Slice(items)
            | PatKind::Or(items) => items.iter().any(|item| self.binds(*item)),
            PatKind::Struct { fields, .. } => fields.iter().any(|(_, item)| self.binds(*item)),
        }
    }

    // --- subjects and tests

    /// What is matched on: evaluated once, and not moved.
    pub(super) fn subject(&mut self, expr: ExprId, patterns: &[PatId]) -> Subject {
        let asks_presence = patterns.iter().all(|pattern| self.asks_presence(*pattern));
        if asks_presence && let Some(lookup) = self.lookup(expr) {
            return Subject::Lookup(Rc::new(RefCell::new(lookup)));
        }
        if let ExprKind::Tuple(items) = &self.body.expr(expr).kind
            && items.len() > 1
            && patterns.iter().all(|pattern| self.fits_parts(*pattern, items.len()))
        {
            return Subject::Parts(items.iter().map(|item| self.subject(*item, &[])).collect());
        }
        if let Some((place, mutable)) = self.reference(expr).or_else(|| self.inside(expr)) {
            return Subject::Place(place, By::reference(mutable));
        }
        let place = match self.place(expr).or_else(|| self.item_place(expr)) {
            // A pattern that takes the error out moves the result.
            Some(place)
                if place.path.is_empty()
                    && self.is_owned(&place)
                    && self.takes_errors(patterns) =>
            {
                let value = self.owned(expr);
                self.scrutinee(value, patterns, self.span(expr))
            }
            Some(place) => place,
            None => {
                let value = self.owned(expr);
                if self.diverged {
                    let unit = self.unit();
                    return Subject::Place(
                        self.held(unit, "scrutinee", self.span(expr)),
                        By::Value,
                    );
                }
                self.scrutinee(value, patterns, self.span(expr))
            }
        };
        Subject::Place(place, By::Value)
    }

    /// A value that patterns look into. A pullback may keep it, but not the error in it, which need not be `Clone`.
    fn scrutinee(&mut self, value: Value, patterns: &[PatId], span: Span) -> Place {
        if !self.takes_errors(patterns) {
            return self.held(value, "scrutinee", span);
        }
        let rest = self.builder.fresh(Type::Unknown, "scrutinee", span, false);
        let error = self.builder.fresh(Type::Constant, "error", span, false);
        self.builder.push(Op::SplitError, vec![value], vec![rest, error], span);
        let (held, error) = (self.held(rest, "scrutinee", span), self.held(error, "error", span));
        self.errors.insert(held.var, error);
        held
    }

    /// Whether errors are bound as a whole by some of these patterns, and looked into by none.
    fn takes_errors(&self, patterns: &[PatId]) -> bool {
        let mut is_taken = false;
        for pattern in patterns {
            let PatKind::TupleStruct(constructor, items) = &self.body.pat(*pattern).kind else {
                continue;
            };
            if !is_error(&constructor.path()) {
                continue;
            }
            if !items.iter().all(|item| self.fits_all(*item)) {
                return false;
            }
            is_taken |= items.iter().any(|item| self.binds(*item));
        }
        is_taken
    }

    /// The part of a place that a variant holds.
    fn variant(&self, place: &Place, path: &syn::Path, field: String) -> Place {
        let some = |error: &Place| {
            let some = crate::hir::Variant::Some.path(Span::call_site());
            self.part(error, Projection::Variant(Box::new(some), field.clone()))
        };
        let error = self.errors.get(&place.var).filter(|_| place.path.is_empty() && is_error(path));
        error.map_or_else(
            || self.part(place, Projection::Variant(Box::new(path.clone()), field.clone())),
            some,
        )
    }

    /// `o.as_ref()` and `o.as_mut()`: the place of an option, whose contents are borrowed.
    fn inside(&mut self, expr: ExprId) -> Option<(Place, bool)> {
        let ExprKind::Method { receiver, name, arguments, .. } = &self.body.expr(expr).kind else {
            return None;
        };
        let is_mutable = name == "as_mut";
        if !arguments.is_empty() || !is_mutable && name != "as_ref" {
            return None;
        }
        let place = self.place(*receiver)?;
        (place.ty == Type::Unknown).then_some((place, is_mutable))
    }

    fn fits_parts(&self, pattern: PatId, count: usize) -> bool {
        match &self.body.pat(pattern).kind {
            PatKind::Wild => true,
            PatKind::Tuple(items) => items.len() == count && !self.has_rest(items),
            PatKind::Or(cases) => {
                cases.iter().all(|case| self.fits_parts(*case, count) && !self.binds(*case))
            }
            _ => false,
        }
    }

    /// Whether a pattern asks for an element to be there, and for nothing else of the `Option`.
    fn asks_presence(&self, pattern: PatId) -> bool {
        match &self.body.pat(pattern).kind {
            PatKind::Wild => true,
            PatKind::TupleStruct(constructor, items) => {
                self.is_variant(constructor, Variant::Some) && items.len() == 1
                    || self.is_variant(constructor, Variant::None)
            }
            PatKind::Bind(binding) => binding.may_be_item && self.names_none(binding),
            PatKind::Test(syn::Pat::Path(path)) => is_named(&path.path, "None"),
            _ => false,
        }
    }

    /// Whether a name is the variant of the prelude.
    fn names_none(&self, binding: &Binding) -> bool {
        self.body.local(binding.local).name == "None"
    }

    fn is_variant(&self, constructor: &Constructor, variant: Variant) -> bool {
        match constructor {
            Constructor::Standard(own, _) => *own == variant,
            Constructor::Path(path) => is_named(path, variant.name()),
        }
    }

    /// The condition for a pattern to fit; `None` if it fits any value.
    pub(super) fn test(&mut self, pattern: PatId, subject: &Subject) -> Option<Value> {
        match subject {
            Subject::Place(place, _) => self.test_place(pattern, place),
            Subject::Parts(parts) => self.test_parts(pattern, parts),
            Subject::Lookup(lookup) => self.test_lookup(pattern, lookup),
        }
    }

    fn test_parts(&mut self, pattern: PatId, parts: &[Subject]) -> Option<Value> {
        match &self.body.pat(pattern).kind {
            PatKind::Tuple(items) => {
                let tests = items.iter().zip(parts);
                self.all(&tests.map(|(item, part)| (*item, part.clone())).collect::<Vec<_>>())
            }
            PatKind::Or(cases) => {
                let span = self.body.pat(pattern).span;
                let mut found: Option<Value> = None;
                for case in cases {
                    let test = self.test_parts(*case, parts)?;
                    found = Some(match found {
                        None => test,
                        Some(before) => {
                            let or = syn::BinOp::BitOr(syn::Token![|](span));
                            self.inst(Op::Binary(or), vec![before, test], Type::Bool, "fits", span)
                        }
                    });
                }
                found
            }
            _ => None,
        }
    }

    /// Whether all patterns fit, asked from first to last.
    fn all(&mut self, tests: &[(PatId, Subject)]) -> Option<Value> {
        let (first, rest) = tests.split_first()?;
        let Some(test) = self.test(first.0, &first.1) else { return self.all(rest) };
        if rest.iter().all(|(pattern, _)| self.fits_all(*pattern)) {
            return Some(test);
        }
        let span = self.body.pat(first.0).span;
        let value = self.if_else(
            test,
            &|lower| {
                let all = lower.all(rest);
                Some(all.unwrap_or_else(|| lower.boolean(true)))
            },
            &|lower| Some(lower.boolean(false)),
            span,
        );
        Some(self.value_or_never(value))
    }

    /// Whether a pattern fits any value, as far as its form shows.
    fn fits_all(&self, pattern: PatId) -> bool {
        match &self.body.pat(pattern).kind {
            PatKind::Wild | PatKind::Rest => true,
            PatKind::Bind(binding) => {
                !binding.may_be_item && binding.inner.is_none_or(|inner| self.fits_all(inner))
            }
            PatKind::Typed(inner, _) | PatKind::Reference(inner) => self.fits_all(*inner),
            PatKind::Tuple(items) => items.iter().all(|item| self.fits_all(*item)),
            PatKind::Slice(items) => matches!(items[..], [item] if self.is_rest(item)),
            PatKind::TupleStruct(..)
            | PatKind::Struct { .. }
            | PatKind::Or(_)
            | PatKind::Test(_) => false,
        }
    }

    fn test_place(&mut self, pattern: PatId, place: &Place) -> Option<Value> {
        if self.fits_all(pattern) {
            return None;
        }
        match &self.body.pat(pattern).kind {
            PatKind::Reference(inner) | PatKind::Typed(inner, _) => self.test_place(*inner, place),
            PatKind::Bind(Binding { inner: Some(inner), .. }) => self.test_place(*inner, place),
            PatKind::Tuple(items) if !self.has_rest(items) => {
                let mut tests = Vec::new();
                for (number, item) in items.iter().enumerate() {
                    let part = self.part(place, Projection::Field(number.to_string()));
                    tests.push((*item, Subject::Place(part, By::Value)));
                }
                self.all(&tests)
            }
            _ => {
                let span = self.body.pat(pattern).span;
                let written = self.written(pattern);
                let place = &viewed(&written, place);
                let args = self.operands(place);
                let op = Op::Matches(Box::new(written), place.path.clone());
                Some(self.inst(op, args, Type::Bool, "fits", span))
            }
        }
    }

    /// A pattern as tokens, with `_` for names that are bindings for certain.
    fn written(&self, pattern: PatId) -> syn::Pat {
        let data = self.body.pat(pattern);
        match &data.kind {
            PatKind::Wild => syn::parse_quote!(_),
            PatKind::Rest => syn::parse_quote!(..),
            PatKind::Test(pattern) => pattern.clone(),
            PatKind::Typed(inner, _) | PatKind::Reference(inner) => self.written(*inner),
            PatKind::Bind(binding) => match binding.inner {
                Some(inner) => self.written(inner),
                None if binding.may_be_item => {
                    let name = &self.body.local(binding.local).name;
                    syn::parse_quote!(#name)
                }
                None => syn::parse_quote!(_),
            },
            PatKind::Tuple(items) => {
                let items = items.iter().map(|item| self.written(*item));
                syn::parse_quote!((#(#items,)*))
            }
            PatKind::TupleStruct(Constructor::Standard(Variant::None, span), _) => {
                let path = Variant::None.path(*span);
                syn::parse_quote!(#path)
            }
            PatKind::TupleStruct(constructor, items) => {
                let (path, items) =
                    (constructor.path(), items.iter().map(|item| self.written(*item)));
                syn::parse_quote!(#path(#(#items),*))
            }
            PatKind::Struct { path, fields, .. } => {
                let fields = fields.iter().map(|(member, item)| {
                    let item = self.written(*item);
                    quote::quote!(#member: #item)
                });
                syn::parse_quote!(#path { #(#fields,)* .. })
            }
            PatKind::Slice(items) => {
                let items = items.iter().map(|item| self.written(*item));
                syn::parse_quote!([#(#items),*])
            }
            PatKind::Or(cases) => {
                let cases: Vec<syn::Pat> = cases.iter().map(|case| self.written(*case)).collect();
                let parser = syn::Pat::parse_multi_with_leading_vert;
                let tokens = quote::quote!(#(#cases)|*);
                syn::parse::Parser::parse2(parser, tokens).expect("alternatives")
            }
        }
    }

    fn test_lookup(&mut self, pattern: PatId, lookup: &Rc<RefCell<Lookup>>) -> Option<Value> {
        let present = lookup.borrow().present;
        match &self.body.pat(pattern).kind {
            PatKind::Wild => None,
            PatKind::TupleStruct(constructor, items)
                if self.is_variant(constructor, Variant::Some) =>
            {
                let inner = items[0];
                let is_removed = matches!(lookup.borrow().element, Element::Removed { .. });
                if self.fits_all(inner) || is_removed && self.plain_binding(inner).is_some() {
                    return Some(present);
                }
                let span = self.body.pat(pattern).span;
                let lookup = lookup.clone();
                let value = self.if_else(
                    present,
                    &|lower| {
                        let subject = lower.element_subject(&lookup);
                        let fits = lower.test(inner, &subject);
                        Some(fits.unwrap_or_else(|| lower.boolean(true)))
                    },
                    &|lower| Some(lower.boolean(false)),
                    span,
                );
                Some(self.value_or_never(value))
            }
            _ => {
                let span = self.body.pat(pattern).span;
                Some(self.inst(Op::Not, vec![present], Type::Bool, "absent", span))
            }
        }
    }

    /// The element of a lookup, once it is known to be there.
    pub(super) fn element_subject(&mut self, lookup: &Rc<RefCell<Lookup>>) -> Subject {
        let element = lookup.borrow().element.clone();
        match self.settled(element) {
            Element::Place(place, by) => Subject::Place(place, by),
            Element::Parts(parts) => Subject::Parts(
                parts.into_iter().map(|(place, by)| Subject::Place(place, by)).collect(),
            ),
            Element::Removed { .. } | Element::End { .. } => {
                let value = self.element_value(lookup);
                let span = self.builder.function.value(value).span;
                Subject::Place(self.held(value, "element", span), By::Value)
            }
            Element::Deferred { make, .. } => {
                let item = make(self);
                self.item_subject(item)
            }
        }
    }

    fn item_subject(&mut self, item: Item) -> Subject {
        match item {
            Item::Place(place, by) => Subject::Place(place, by),
            Item::Value(value) => {
                let span = self.builder.function.value(value).span;
                Subject::Place(self.held(value, "element", span), By::Value)
            }
            Item::Tuple(items) => {
                Subject::Parts(items.into_iter().map(|item| self.item_subject(item)).collect())
            }
        }
    }

    /// Binds the names of a pattern that fits.
    pub(super) fn bind_subject(&mut self, pattern: PatId, subject: &Subject) {
        match subject {
            Subject::Place(place, by) => self.bind_parts_of(pattern, place, *by),
            Subject::Parts(parts) => match &self.body.pat(pattern).kind {
                PatKind::Tuple(items) => {
                    for (item, part) in items.iter().zip(parts) {
                        self.bind_subject(*item, part);
                    }
                }
                PatKind::Wild | PatKind::Or(_) => {}
                _ => match subject.as_item() {
                    Some(item) => self.bind_item(pattern, &item),
                    None => self.refuse_pattern(pattern),
                },
            },
            Subject::Lookup(lookup) => {
                if let PatKind::TupleStruct(_, items) = &self.body.pat(pattern).kind
                    && let [inner] = items[..]
                {
                    let subject = self.element_subject(lookup);
                    self.bind_subject(inner, &subject);
                }
            }
        }
    }
}

/// Whether a path names a variant of the prelude: alone, or behind its enum.
fn is_named(path: &syn::Path, name: &str) -> bool {
    crate::syntax::is_variant_of_std(path, &[name])
}

impl Variant {
    /// The name in the prelude.
    fn name(self) -> &'static str {
        match self {
            Variant::Some => "Some",
            Variant::None => "None",
            Variant::Ok => "Ok",
            Variant::Err => "Err",
        }
    }
}

/// Whether a written type says more than what is known.
fn is_open(ty: &Type) -> bool {
    match ty {
        Type::Unknown | Type::Float(crate::ir::FloatKind::Literal) => true,
        Type::Tuple(items) => items.iter().any(is_open),
        _ => false,
    }
}

/// Whether a value is the result of a call, or is unwrapped from one.
fn is_returned(block: &Block, value: Value) -> bool {
    let mut insts = block.insts.iter().rev();
    let Some(made) = insts.find(|inst| inst.results.first() == Some(&value)) else { return false };
    match &made.op {
        Op::Call(_) => true,
        Op::Duplicate => is_returned(block, made.args[0]),
        Op::Load(path) if path.iter().all(|step| matches!(step, Projection::Unwrap(..))) => {
            is_returned(block, made.args[0])
        }
        _ => false,
    }
}

/// Returns the place that a pattern is compared with. A pattern of elements is compared with the slice of a vector, which
/// `as_slice` shows.
fn viewed(pattern: &syn::Pat, place: &Place) -> Place {
    let mut viewed = place.clone();
    if matches!(pattern, syn::Pat::Slice(_)) && matches!(place.ty, Type::Vec(_)) {
        viewed.path.push(Projection::Range(Ends { start: false, end: false, inclusive: false }));
        viewed.ty = Type::Slice(Box::new(place.ty.element()));
    }
    viewed
}
