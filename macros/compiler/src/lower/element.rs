//! Elements: what a loop goes through, and elements that may not be there.
//!
//! `a.get(i)`, `a.first()`, `v.pop()` and kin are lookups: what follows asks whether there is an element and takes it
//! where it is. An `Option` is made only where one is asked for.

use super::pattern::By;
use super::stream::Item;
use super::{Lower, Place};
use crate::diag;
use crate::hir::{ExprId, ExprKind, Macro, Variant};
use crate::ir::{Adaptor, End, Ends, Form, LoopKind, Op, Projection, Type, Value};
use proc_macro2::{Ident, Span};
use std::cell::RefCell;
use std::rc::Rc;

/// An element that may not be there.
#[derive(Clone)]
pub(super) struct Lookup {
    /// Whether it is there.
    pub present: Value,
    pub element: Element,
}

/// What an element is, once it is there.
#[derive(Clone)]
pub(super) enum Element {
    Place(Place, By),
    /// A pair of places.
    Parts(Vec<(Place, By)>),
    /// An element at an end of a collection, whose index is computed once it is known that there is one.
    End {
        base: Place,
        by: By,
        is_first: bool,
        is_split: bool,
        span: Span,
    },
    /// It is taken out of a collection.
    Removed {
        place: Place,
        end: End,
        at: Option<Value>,
        span: Span,
    },
    /// Code makes it, once it is known to be there.
    Deferred {
        is_reference: bool,
        make: Rc<dyn for<'b> Fn(&mut Lower<'b>) -> Item>,
    },
}

impl<'a> Lower<'a> {
    /// The bounds of a range, and what stands behind it.
    pub(super) fn range(&mut self, expr: ExprId) -> Option<(Vec<Value>, LoopKind)> {
        let (bounds, inclusive, adaptors) = self.range_parts(expr)?;
        Some((bounds, LoopKind::Range { inclusive, adaptors }))
    }

    fn range_parts(&mut self, expr: ExprId) -> Option<(Vec<Value>, bool, Vec<Adaptor>)> {
        match self.body.expr(expr).kind.clone() {
            ExprKind::Range { start: Some(start), end: Some(end), is_inclusive } => {
                let bounds = vec![self.expr(start), self.expr(end)];
                Some((bounds, is_inclusive, Vec::new()))
            }
            ExprKind::Method { receiver, name, arguments, .. } => {
                let is_rev = name == "rev" && arguments.is_empty();
                let is_step = name == "step_by" && arguments.len() == 1;
                if !is_rev && !is_step {
                    return None;
                }
                let (mut bounds, inclusive, mut adaptors) = self.range_parts(receiver)?;
                if is_rev {
                    adaptors.push(Adaptor::Rev);
                } else if adaptors.contains(&Adaptor::StepBy) {
                    return None;
                } else {
                    bounds.push(self.expr(arguments[0]));
                    adaptors.push(Adaptor::StepBy);
                }
                Some((bounds, inclusive, adaptors))
            }
            _ => None,
        }
    }

    /// What a loop goes through that is not a chain: the elements of a place.
    pub(super) fn elements(&mut self, expr: ExprId) -> Option<(Place, By)> {
        if self.is_set(expr) {
            return None;
        }
        // A reference that is written, or a name for one. What a method returns may be no reference to a collection.
        let shows_reference = matches!(
            self.body.expr(expr).kind,
            ExprKind::Borrow { .. } | ExprKind::Local(_) | ExprKind::Field(..)
        );
        if let Some((place, mutable)) = self.reference(expr) {
            let has_elements = place.ty.is_aggregate()
                || self.is_of_item(&place)
                || shows_reference && place.ty == Type::Unknown && place.depth == 0;
            return has_elements.then_some((place, By::reference(mutable)));
        }
        let place = match self.place_or_item(expr) {
            Some(place) if place.ty.is_aggregate() || self.is_of_item(&place) => place,
            Some(_) => return None,
            None => {
                if !matches!(
                    self.body.expr(expr).kind,
                    ExprKind::Array(_) | ExprKind::Repeat(..) | ExprKind::Macro(_)
                ) {
                    return None;
                }
                self.temporary(expr)
            }
        };
        Some((place, By::Value))
    }

    /// What a place says of itself, without derivative.
    pub(super) fn measured(&mut self, method: &str, place: &Place, span: Span) -> Value {
        let args = self.operands(place);
        let ty = super::builtin::result_of(method, &place.ty);
        let op = Op::Measure(Ident::new(method, span), place.path.clone());
        self.inst(op, args, ty, method, span)
    }

    /// An element that may not be there, where an expression looks for one.
    pub(super) fn lookup(&mut self, expr: ExprId) -> Option<Lookup> {
        if self.stashed.as_ref().is_some_and(|(of, _)| *of == expr) {
            return self.stashed.take().map(|(_, lookup)| lookup);
        }
        let ExprKind::Method { receiver, name, arguments, .. } = self.body.expr(expr).kind.clone()
        else {
            return None;
        };
        if self.is_choice(expr) {
            let lookup = self.choice(expr);
            if lookup.is_none() && !self.borrows_cursor(receiver, &name.to_string()) {
                self.refuse_chain(expr);
            }
            return lookup;
        }
        let (name, span) = (name.to_string(), self.span(expr));
        if matches!(name.as_str(), "copied" | "cloned") && arguments.is_empty() {
            let lookup = self.lookup(receiver)?;
            return Some(Lookup { element: lookup.element.copied()?, ..lookup });
        }
        let mutable = name.ends_with("_mut");
        let base_name = name.strip_suffix("_mut").unwrap_or(&name);
        match (base_name, &arguments[..]) {
            ("get", [index]) if !matches!(self.body.expr(*index).kind, ExprKind::Range { .. }) => {
                self.lookup_at(receiver, *index, By::reference(mutable), span)
            }
            ("remove", [key]) if self.is_key(*key) || self.is_map(receiver) => {
                let place = self.sequence(receiver).filter(|place| place.ty == Type::Unknown)?;
                self.entry_removal(place, *key, span)
            }
            ("first" | "last" | "split_first" | "split_last", []) => {
                let base = self.sequence(receiver)?;
                let present = self.is_filled(&base, span);
                let element = Element::End {
                    base,
                    by: By::reference(mutable),
                    is_first: matches!(base_name, "first" | "split_first"),
                    is_split: matches!(base_name, "split_first" | "split_last"),
                    span,
                };
                Some(Lookup { present, element })
            }
            ("pop" | "pop_back" | "pop_front", []) => {
                let place = self.sequence(receiver)?;
                let end = match base_name {
                    "pop" => End::Last,
                    "pop_back" => End::Back,
                    _ => End::Front,
                };
                let present = self.is_filled(&place, span);
                Some(Lookup { present, element: Element::Removed { place, end, at: None, span } })
            }
            _ => None,
        }
    }

    /// `a.get(i)` and `a.get_mut(i)`; of a map, the index is a key.
    fn lookup_at(&mut self, receiver: ExprId, index: ExprId, by: By, span: Span) -> Option<Lookup> {
        let base = self.sequence(receiver)?;
        if self.is_key(index) || self.is_map(receiver) {
            return self.entry_lookup(&base, index, by, span);
        }
        let at = self.expr(index);
        let len = self.measured("len", &base, span);
        let present = self.compared(at, len, span);
        let element = self.element(&base, at);
        Some(Lookup { present, element: Element::Place(element, by) })
    }

    /// The place of a receiver that holds elements in a row.
    fn sequence(&mut self, receiver: ExprId) -> Option<Place> {
        match &self.body.expr(receiver).kind {
            _ if self.makes_sequence(receiver) => {
                let place = self.temporary(receiver);
                (!self.diverged).then_some(place)
            }
            ExprKind::Method { name, arguments, .. }
                if !super::cell::is_borrow(&name.to_string(), arguments) =>
            {
                None
            }
            ExprKind::Call(..) => {
                let ty = self.signature.floats.read(self.body.expr(receiver).ty.as_ref()?);
                let value = self.expr(receiver);
                if self.diverged {
                    return None;
                }
                self.builder.function.values[value.0 as usize].ty = ty;
                Some(self.held(value, "sequence", self.span(receiver)))
            }
            _ => {
                let place = self.place_or_item(receiver)?;
                (place.ty.is_aggregate() || place.ty == Type::Unknown).then_some(place)
            }
        }
    }

    /// Whether an expression makes an array or a vector, as its form shows.
    pub(super) fn makes_sequence(&self, expr: ExprId) -> bool {
        match &self.body.expr(expr).kind {
            ExprKind::Array(_) | ExprKind::Repeat(..) => true,
            ExprKind::Method { receiver, name, arguments, .. } => {
                matches!(name.to_string().as_str(), "clone" | "to_vec" | "to_owned")
                    && arguments.is_empty()
                    && self.shown_type(*receiver).is_some_and(|ty| ty.is_aggregate())
            }
            ExprKind::Macro(made) => matches!(**made, Macro::Vector(_) | Macro::Filled(..)),
            _ => false,
        }
    }

    fn compared(&mut self, left: Value, right: Value, span: Span) -> Value {
        let less = syn::BinOp::Lt(syn::Token![<](span));
        self.inst(Op::Binary(less), vec![left, right], Type::Bool, "condition", span)
    }

    fn is_filled(&mut self, place: &Place, span: Span) -> Value {
        let is_empty = self.measured("is_empty", place, span);
        self.inst(Op::Not, vec![is_empty], Type::Bool, "not", span)
    }

    fn end_index(&mut self, place: &Place, is_first: bool, span: Span) -> Value {
        if is_first {
            return self.number(0, span);
        }
        let len = self.measured("len", place, span);
        let one = self.number(1, span);
        self.apply("sub", vec![len, one], Type::Int, span)
    }

    fn all_but_one(&mut self, place: &Place, is_first: bool, span: Span) -> Place {
        let bound = match is_first {
            true => self.number(1, span),
            false => self.end_index(place, false, span),
        };
        let mut rest = place.clone();
        rest.path.push(Projection::Range(Ends {
            start: is_first,
            end: !is_first,
            inclusive: false,
        }));
        rest.indices.push(bound);
        rest.ty = Type::Slice(Box::new(place.ty.element()));
        rest
    }

    /// The element, once it is known to be there: its index is computed here.
    pub(super) fn settled(&mut self, element: Element) -> Element {
        let Element::End { base, by, is_first, is_split, span } = element else { return element };
        let at = self.end_index(&base, is_first, span);
        let element = self.element(&base, at);
        match is_split {
            false => Element::Place(element, by),
            true => {
                let rest = self.all_but_one(&base, is_first, span);
                Element::Parts(vec![(element, by), (rest, by)])
            }
        }
    }

    /// The element as a value.
    pub(super) fn element_value(&mut self, lookup: &Rc<RefCell<Lookup>>) -> Value {
        let element = lookup.borrow().element.clone();
        match self.settled(element) {
            Element::Place(place, _) => self.read(&place, Span::call_site()),
            Element::Parts(parts) => {
                let span = self
                    .builder
                    .function
                    .slot(self.slots[parts[0].0.var.0].expect("a place has a slot"))
                    .span;
                self.report(span, &diag::REFERENCE_VALUE, "")
            }
            Element::End { .. } => unreachable!("it is settled"),
            Element::Removed { place, end, at, span } => self.removed(&place, end, at, span),
            Element::Deferred { make, .. } => {
                let item = make(self);
                self.item_value(&item, Span::call_site())
            }
        }
    }

    /// The element as one of a chain, once it is known to be there.
    pub(super) fn element_item(&mut self, lookup: &Rc<RefCell<Lookup>>) -> Item {
        let element = lookup.borrow().element.clone();
        match self.settled(element) {
            Element::Place(place, by) => Item::Place(place, by),
            Element::Parts(parts) => {
                Item::Tuple(parts.into_iter().map(|(place, by)| Item::Place(place, by)).collect())
            }
            Element::Removed { place, end, at, span } => {
                Item::Value(self.removed(&place, end, at, span))
            }
            Element::Deferred { make, .. } => make(self),
            Element::End { .. } => unreachable!("it is settled"),
        }
    }

    /// Takes an element out of a collection.
    pub(super) fn removed(
        &mut self,
        place: &Place,
        end: End,
        at: Option<Value>,
        span: Span,
    ) -> Value {
        let slot = self.slot_at(place.var).expect("a place has a slot");
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

    /// A lookup as an `Option`.
    pub(super) fn lookup_option(&mut self, lookup: Lookup, span: Span) -> Value {
        let is_reference = match &lookup.element {
            Element::Place(_, by) | Element::End { by, is_split: false, .. } => *by != By::Value,
            Element::Parts(_) | Element::End { .. } => true,
            Element::Removed { .. } => false,
            Element::Deferred { is_reference, .. } => *is_reference,
        };
        if is_reference {
            return self.report(span, &diag::REFERENCE_VALUE, "");
        }
        let present = lookup.present;
        let lookup = Rc::new(RefCell::new(lookup));
        let value = self.if_else(
            present,
            &|lower| {
                let value = lower.element_value(&lookup);
                let value = lower.kept(value, span);
                Some(lower.standard(Variant::Some, Some(value), span))
            },
            &|lower| Some(lower.standard(Variant::None, None, span)),
            span,
        );
        self.value_or_never(value)
    }

    /// `Some(value)` and kin.
    pub(super) fn standard(&mut self, variant: Variant, value: Option<Value>, span: Span) -> Value {
        let path = variant.path(span);
        let fields = value.iter().map(|_| "0".to_owned()).collect();
        self.construct(&path, fields, value.into_iter().collect(), Form::Fields, span)
    }

    /// The element of a lookup that must be there, as a place or a value.
    pub(super) fn expected(&mut self, lookup: &Lookup, message: Message, span: Span) {
        self.if_else(
            lookup.present,
            &|lower| Some(lower.unit()),
            &|lower| {
                lower.panic(&message, span);
                None
            },
            span,
        );
    }
}

/// What `unwrap` and `expect` say where there is nothing.
#[derive(Clone)]
pub(super) enum Message {
    Text(&'static str),
    Given(Value),
    /// A text with places for two numbers.
    Numbers(&'static str, [Value; 2]),
}

impl Element {
    /// Whether it is a reference to a place.
    pub fn is_reference(&self) -> bool {
        match self {
            Element::Place(_, by) | Element::End { by, .. } => *by != By::Value,
            Element::Parts(_) | Element::Removed { .. } => false,
            Element::Deferred { is_reference, .. } => *is_reference,
        }
    }

    /// What `copied` makes of it.
    pub(super) fn copied(self) -> Option<Element> {
        match self {
            Element::Place(place, _) => Some(Element::Place(place, By::Value)),
            Element::End { base, is_first, is_split: false, span, .. } => {
                Some(Element::End { base, by: By::Value, is_first, is_split: false, span })
            }
            Element::Parts(_) | Element::End { .. } => None,
            removed @ Element::Removed { .. } => Some(removed),
            Element::Deferred { make, .. } => Some(Element::Deferred {
                is_reference: false,
                make: Rc::new(move |lower| make(lower).copied()),
            }),
        }
    }
}
