//! Places: variables and parts of them, to read, write and borrow.

use super::pattern::By;
use super::range::Bounds;
use super::stream::Item;
use super::{Lower, Place, Storage, Var};
use crate::diag;
use crate::hir::{ExprId, ExprKind, Local};
use crate::ir::{Access, Ends, Op, Passing, Projection, Type, Value};
use crate::lower::operator;
use proc_macro2::Span;
use quote::ToTokens;
use syn::spanned::Spanned;

impl<'a> Lower<'a> {
    /// The place that an expression names; `None` for expressions that make a new value.
    pub(super) fn place(&mut self, expr: ExprId) -> Option<Place> {
        match self.body.expr(expr).kind.clone() {
            ExprKind::Local(local) => self.local_place(local),
            ExprKind::Deref(inner) => self.referent(expr, inner),
            ExprKind::Index(base, index) => self.indexed(base, index),
            ExprKind::Field(base, member) => match self.part_item(expr) {
                Some(item) => Some(self.item_place_of(&item)),
                None => {
                    let place = self.field(base, &member)?;
                    Some(self.shown_place(expr, place))
                }
            },
            _ => self.reference(expr).map(|(place, _)| place),
        }
    }

    /// A place with the type that a module shows of it.
    fn shown_place(&self, expr: ExprId, place: Place) -> Place {
        match &self.body.expr(expr).ty {
            Some(ty) if place.ty == Type::Unknown => {
                Place { ty: self.signature.floats.read(ty), ..place }
            }
            _ => place,
        }
    }

    /// The place of a local's contents, or of what it refers to.
    pub(super) fn local_place(&mut self, local: Local) -> Option<Place> {
        match self.storage.get(&local)?.clone() {
            Storage::Alias(place) | Storage::Part(place) => Some(place),
            Storage::Variable(var) => Some(self.variable_place(var)),
            Storage::Parts(items) => {
                let span = self.body.local(local).name.span();
                let whole = stream_value(self, &items, span);
                Some(self.held(whole, "tuple", span))
            }
            Storage::Closure(_)
            | Storage::Function(_)
            | Storage::Stream(_)
            | Storage::Range(_)
            | Storage::Pullback(_) => None,
        }
    }

    pub(super) fn variable_place(&self, var: Var) -> Place {
        let slot = self.slot_at(var).expect("a variable of the source has a slot");
        let data = self.builder.function.slot(slot);
        let mutable = data.access != Access::Shared && !self.fixed.contains(&var);
        let ty = data.ty.clone();
        self.whole(var, ty, mutable)
    }

    /// What an expression leads to whose value is a reference, and whether that is `&mut`.
    pub(super) fn reference(&mut self, expr: ExprId) -> Option<(Place, bool)> {
        match self.body.expr(expr).kind.clone() {
            ExprKind::Local(local) => match self.storage.get(&local)? {
                Storage::Alias(place) => Some((place.clone(), place.mutable)),
                _ => None,
            },
            ExprKind::Borrow { is_mutable, place } => {
                let place = match self.place(place) {
                    Some(place) => place,
                    None => match self.item_place(place) {
                        Some(place) => place,
                        None => self.temporary(place),
                    },
                };
                let place = Place { mutable: is_mutable, ..place };
                Some((place, is_mutable))
            }
            ExprKind::Deref(inner) if self.is_deep(inner) => {
                let (place, mutable) = self.reference(inner)?;
                let depth = place.depth - 1;
                Some((Place { depth, ..place }, mutable))
            }
            ExprKind::Field(..) => match self.part_item(expr)? {
                Item::Place(place, By::Shared) => Some((place, false)),
                Item::Place(place, By::Unique) => Some((place, true)),
                _ => None,
            },
            ExprKind::Method { receiver, name, arguments, .. } => {
                self.method_reference(expr, receiver, &name, &arguments)
            }
            ExprKind::Call(callee, _) => self.returned_reference(expr, callee),
            _ => None,
        }
    }

    /// Whether an expression is a reference to a reference.
    fn is_deep(&self, expr: ExprId) -> bool {
        match &self.body.expr(expr).kind {
            ExprKind::Local(local) => {
                matches!(self.storage.get(local), Some(Storage::Alias(place)) if place.depth > 0)
            }
            ExprKind::Field(..) => {
                matches!(self.part_item(expr), Some(Item::Place(place, _)) if place.depth > 0)
            }
            ExprKind::Deref(inner) => self.depth_of(*inner) > 1,
            _ => false,
        }
    }

    fn depth_of(&self, expr: ExprId) -> u32 {
        match &self.body.expr(expr).kind {
            ExprKind::Local(local) => match self.storage.get(local) {
                Some(Storage::Alias(place)) => place.depth,
                _ => 0,
            },
            ExprKind::Deref(inner) => self.depth_of(*inner).saturating_sub(1),
            _ => 0,
        }
    }

    /// The part of a tuple that is not made.
    fn part_item(&self, expr: ExprId) -> Option<Item> {
        let ExprKind::Field(base, syn::Member::Unnamed(index)) = &self.body.expr(expr).kind else {
            return None;
        };
        let items = match &self.body.expr(*base).kind {
            ExprKind::Local(local) => match self.storage.get(local)? {
                Storage::Parts(items) => items.clone(),
                _ => return None,
            },
            ExprKind::Deref(inner) => match &self.body.expr(*inner).kind {
                ExprKind::Local(local) => match self.storage.get(local)? {
                    Storage::Parts(items) => items.clone(),
                    _ => return None,
                },
                _ => return None,
            },
            ExprKind::Field(..) => match self.part_item(*base)? {
                Item::Tuple(items) => items,
                Item::Place(..) | Item::Value(_) => return None,
            },
            _ => return None,
        };
        items.get(index.index as usize).cloned()
    }

    /// The place of a part; one that is made gets one.
    fn item_place_of(&mut self, item: &Item) -> Place {
        match item {
            Item::Place(place, _) => place.clone(),
            Item::Value(value) => self.held(*value, "part", Span::call_site()),
            Item::Tuple(items) => {
                let value = stream_value(self, items, Span::call_site());
                self.held(value, "tuple", Span::call_site())
            }
        }
    }

    /// `*e`: what a reference leads to, or what a box holds.
    fn referent(&mut self, expr: ExprId, inner: ExprId) -> Option<Place> {
        if let Some((place, _)) = self.reference(inner) {
            return Some(place);
        }
        if let ExprKind::Item(_) = self.body.expr(inner).kind {
            return self.item_place(inner);
        }
        let place = self.place(inner)?;
        if self.is_of_item(&place) {
            return Some(place);
        }
        if matches!(place.ty, Type::Float(_) | Type::Int | Type::Bool) {
            // Of a number only a reference has a referent, for which the number stands.
            return Some(place);
        }
        if place.ty.is_aggregate() {
            // The slice of a vector, of which the vector is the place.
            return Some(place);
        }
        if place.ty != Type::Unknown {
            let what = "a dereference of a value that is not a parameter or a borrowed place";
            self.refuse_form(expr, what);
            return None;
        }
        Some(self.referred(place))
    }

    /// Returns the place behind a reference that another place may hold as a value: only rustc knows whether it does.
    pub(super) fn referred(&self, mut place: Place) -> Place {
        if place.ty == Type::Unknown && !self.is_of_item(&place) {
            place.path.push(Projection::Deref);
        }
        place
    }

    /// The place that an expression names where a part of it is meant: a reference leads to its referent, a constant
    /// item is a place, and any other value gets one.
    pub(super) fn base(&mut self, expr: ExprId) -> Place {
        if let Some(place) = self.place_or_item(expr) {
            return place;
        }
        self.temporary(expr)
    }

    fn indexed(&mut self, base: ExprId, index: ExprId) -> Option<Place> {
        let mut place = self.base(base);
        if self.is_range(index) {
            let Bounds { start, end, is_inclusive } = self.bounds(index)?;
            let ends = Ends { start: start.is_some(), end: end.is_some(), inclusive: is_inclusive };
            place.path.push(Projection::Range(ends));
            place.indices.extend(start.into_iter().chain(end));
            place.ty = Type::Slice(Box::new(place.ty.element()));
            return Some(place);
        }
        if self.is_key(index) || self.is_map(base) {
            let key = self.key(index);
            return (!self.diverged).then(|| self.entry_at(&place, key));
        }
        let at = self.expr(index);
        Some(self.element(&place, at))
    }

    /// The element of a place at an index.
    pub(super) fn element(&mut self, base: &Place, index: Value) -> Place {
        let span = self.builder.function.value(index).span;
        let index = self.operand_value(index, span);
        if let Some(element) = self.in_window(base, index, span) {
            return element;
        }
        let mut place = base.clone();
        place.depth = 0;
        place.path.push(Projection::Index);
        place.indices.push(index);
        place.ty = place.ty.element();
        place
    }

    /// A field: of a tuple, or of a type that the macro does not see.
    fn field(&mut self, base: ExprId, member: &syn::Member) -> Option<Place> {
        let mut place = self.base(base);
        // A field of a reference is one of what it leads to.
        while let Type::Reference(inner, _) = place.ty {
            place.ty = *inner;
        }
        let name = member.to_token_stream().to_string();
        self.refuse_field(member.span().into(), &place.ty);
        Some(self.part(&place, Projection::Field(name)))
    }

    /// A part of a place.
    pub(super) fn part(&self, place: &Place, step: Projection) -> Place {
        let mut part = place.clone();
        part.depth = 0;
        part.ty = part.ty.part(std::slice::from_ref(&step));
        part.path.push(step);
        part
    }

    /// A new variable for an expression that makes a value.
    pub(super) fn temporary(&mut self, expr: ExprId) -> Place {
        let value = self.expr(expr);
        if self.diverged {
            let unit = self.unit();
            return self.held(unit, "place", self.span(expr));
        }
        self.held(value, "place", self.span(expr))
    }

    /// A value in a variable of the compiler's own.
    pub(super) fn held(&mut self, value: Value, name: &str, span: Span) -> Place {
        let value = self.kept(value, span);
        let version = self.in_slot(value, name, span);
        let slot = self.builder.function.slot_of(version).expect("a place");
        let var = self.flag(Some(version));
        self.slots[var.0] = Some(slot);
        let ty = self.builder.function.slot(slot).ty.clone();
        self.whole(var, ty, true)
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
        let version = match self.state[place.var.0] {
            Some(version) => version,
            None => {
                // rustc has its own error for what is read before it is set.
                self.reports.give_up();
                self.undefined_place(&place.ty.clone())
            }
        };
        std::iter::once(version).chain(place.indices.iter().copied()).collect()
    }

    fn undefined_place(&mut self, ty: &Type) -> Value {
        let value = self.undefined(ty.clone());
        self.in_slot(value, "undefined", Span::call_site())
    }

    /// Whether a place is the function's own, behind no reference that it was given.
    pub(super) fn is_owned(&self, place: &Place) -> bool {
        let slot = self.slot_at(place.var).expect("a place has a slot");
        self.builder.function.slot(slot).access == Access::Owned
    }

    /// Reads a place. An owned aggregate as a whole is its current version.
    pub(super) fn read(&mut self, place: &Place, span: Span) -> Value {
        let Some(value) = self.state[place.var.0] else {
            self.reports.give_up();
            return self.undefined(place.ty.clone());
        };
        if place.path.is_empty()
            && self.is_owned(place)
            && !matches!(place.ty, Type::Float(_) | Type::Int | Type::Bool)
        {
            return value;
        }
        if matches!(place.path.last(), Some(Projection::Range(_))) {
            let what = "a part of a slice as a value";
            return self.report(span, &diag::UNSUPPORTED_EXPRESSION, what);
        }
        let name = match place.path.last() {
            Some(Projection::Field(name)) if name.parse::<usize>().is_err() => name.clone(),
            _ => self.builder.function.value(value).name.clone(),
        };
        let operands = self.operands(place);
        self.inst(Op::Load(place.path.clone()), operands, place.ty.clone(), &name, span)
    }

    /// Writes a place.
    pub(super) fn write(&mut self, place: &Place, value: Value, span: Span) {
        let slot = self.slot_at(place.var).expect("a place has a slot");
        if self.state[place.var.0].is_none() {
            if !place.path.is_empty() {
                // A part of what has no value yet is not written, which rustc says.
                return self.reports.give_up();
            }
            return self.initialise(place.var, value, span);
        }
        if place.path.is_empty() && self.is_copy_of(value, place.var) {
            return;
        }
        self.refine_float(value, &place.ty);
        if place.path.is_empty() {
            self.refine_slot(slot, value);
        }
        self.writing(&[place], span, |lower| {
            let mut args = lower.operands(place);
            args.push(value);
            let op = Op::Store(place.path.clone());
            let version = lower.builder.update(op, args, slot, span);
            lower.state[place.var.0] = Some(version);
        });
    }

    /// Whether a value is a copy of what a variable's place holds now.
    fn is_copy_of(&mut self, value: Value, var: Var) -> bool {
        let current = self.state[var.0];
        let insts = &self.builder.block().insts;
        insts.iter().rev().find(|inst| inst.results.contains(&value)).is_some_and(|inst| {
            matches!(inst.op, Op::Duplicate) && inst.args.first().copied() == current
        })
    }

    /// The first value of a variable that was declared without one.
    fn initialise(&mut self, var: Var, value: Value, span: Span) {
        let slot = self.slot_at(var).expect("a declared variable");
        let data = self.builder.function.slot(slot).clone();
        let ty = if data.ty == Type::Unknown { self.ty(value) } else { data.ty };
        // Each way to the first value has a place of its own; where ways meet, these become one.
        let version = match self.builder.function.slot_of(value) {
            Some(_) => value,
            None => {
                let slot = self.slot(&data.name, ty, Access::Owned, span);
                self.builder.update(Op::Duplicate, vec![value], slot, span)
            }
        };
        self.name_after(version, var);
        self.state[var.0] = Some(version);
    }

    /// An expression's value to be bound to a name: what a variable's place holds is duplicated.
    pub(super) fn owned(&mut self, expr: ExprId) -> Value {
        let value = self.expr(expr);
        match self.diverged {
            true => value,
            false => self.kept(value, self.span(expr)),
        }
    }

    /// What a variable's place holds now, whatever becomes of the place.
    pub(super) fn kept(&mut self, value: Value, span: Span) -> Value {
        if !self.state.contains(&Some(value)) || self.builder.function.slot_of(value).is_none() {
            return value;
        }
        let data = self.builder.function.value(value).clone();
        let copy = self.builder.place(data.ty, &data.name, span, false);
        self.builder.push(Op::Duplicate, vec![value], vec![copy], span);
        copy
    }

    /// How an expression is passed to a call.
    pub(super) fn operand(&mut self, expr: ExprId) -> Operand {
        if let ExprKind::Literal(syn::Lit::Str(_)) = self.body.expr(expr).kind {
            let place = self.temporary(expr);
            return self.passed(&place, false);
        }
        if let Some(broken) = self.kept_handle(expr) {
            return Operand::value(broken);
        }
        match self.reference(expr) {
            Some((place, mutable)) => self.passed(&place, mutable),
            None => Operand::value(self.owned_operand(expr)),
        }
    }

    fn owned_operand(&mut self, expr: ExprId) -> Value {
        // A range is a value, though it can be gone through.
        match self.is_stream(expr) && !self.is_range(expr) {
            true => self.iterator_operand(expr),
            false => self.expr(expr),
        }
    }

    /// A place by reference.
    pub(super) fn passed(&mut self, place: &Place, mutable: bool) -> Operand {
        let passing = match mutable {
            true => Passing::Unique(place.path.clone()),
            false => self.lent(place),
        };
        let (args, var) = (self.operands(place), Some(place.var));
        Operand { passing, args, var, function: None }
    }

    // --- names and types of values

    /// Names a value after the variable that it is the next value of.
    pub(super) fn name_after(&mut self, value: Value, var: Var) {
        let Some(slot) = self.slot_at(var) else { return };
        let function = &mut self.builder.function;
        let name = function.slot(slot).name.clone();
        function.values[value.0 as usize].name.clone_from(&name);
        if let Some(slot) = function.slot_of(value) {
            function.slots[slot.0 as usize].name = name;
        }
    }

    /// Gives a literal or a value of unknown type the type of another float.
    pub(super) fn infer_float(&mut self, value: Value, model: Value) {
        let ty = self.ty(model);
        self.refine_float(value, &ty);
    }

    /// Gives a literal or a value of unknown type a float type.
    pub(super) fn refine_float(&mut self, value: Value, ty: &Type) {
        operator::refine_float(&mut self.builder.function, value, ty);
    }

    /// Gives a place that was declared with a literal the float type of what is written to it.
    fn refine_slot(&mut self, slot: crate::ir::Slot, value: Value) {
        let ty = self.ty(value);
        let function = &mut self.builder.function;
        let declared = &mut function.slots[slot.0 as usize].ty;
        if *declared != Type::Float(crate::ir::FloatKind::Literal) || !ty.is_float() {
            return;
        }
        *declared = ty.clone();
        function
            .values
            .iter_mut()
            .filter(|data| data.slot == Some(slot))
            .for_each(|data| data.ty = ty.clone());
    }
}

/// A tuple of parts, made.
fn stream_value(lower: &mut Lower, items: &[Item], span: Span) -> Value {
    let whole = Item::Tuple(items.to_vec());
    match whole.is_value() {
        true => lower.item_value(&whole, span),
        false => lower.report(span, &diag::REFERENCE_VALUE, ""),
    }
}

/// An argument of a call.
#[derive(Clone)]
pub(super) struct Operand {
    pub passing: Passing,
    /// The value; or the version of a place, and the indices of a path in it.
    pub args: Vec<Value>,
    /// The variable that is borrowed.
    pub var: Option<Var>,
    /// What it does, for a function: the value is what that captures.
    pub function: Option<std::rc::Rc<crate::ir::Given>>,
}

impl Operand {
    pub fn value(value: Value) -> Self {
        Operand { passing: Passing::Value, args: vec![value], var: None, function: None }
    }
}
