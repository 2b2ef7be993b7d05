//! Chains of which one element comes out: `max_by`, `last`, `find`, `position`, `reduce` and kin.
//!
//! In: a chain. Out: a [`Lookup`]: whether there is an element, and what makes it. An `Option` is made only where one is
//! asked for.

use super::super::Lower;
use super::super::control::Head;
use super::super::element::{Element, Lookup};
use super::super::pattern::By;
use super::position::Length;
use super::{Function, Item, Source, Stage, Stream};
use crate::hir::{ExprId, ExprKind};
use crate::ir::{End, LoopKind, Op, Type, Value};
use crate::syntax::standard;
use proc_macro2::Span;
use std::rc::Rc;

/// How two elements are compared.
pub(super) enum Order {
    Natural,
    By(Function),
    /// By what a function says of each.
    Key(Function),
}

impl<'a> Lower<'a> {
    /// Whether an expression is one element of a chain.
    pub(in crate::lower) fn is_choice(&self, expr: ExprId) -> bool {
        match &self.body.expr(expr).kind {
            ExprKind::Method { receiver, name, arguments, turbofish: None } => {
                let arity = arguments.len();
                let is_choice = match name.to_string().as_str() {
                    "last" | "next" | "min" | "max" => arity == 0,
                    "nth" | "min_by" | "max_by" | "min_by_key" | "max_by_key" | "reduce"
                    | "position" | "find" => arity == 1,
                    _ => false,
                };
                is_choice && self.is_stream(*receiver) || self.is_peek(expr)
            }
            _ => false,
        }
    }

    /// The element of a chain that an expression chooses.
    pub(in crate::lower) fn choice(&mut self, expr: ExprId) -> Option<Lookup> {
        let ExprKind::Method { receiver, name, arguments, .. } = self.body.expr(expr).kind.clone()
        else {
            return None;
        };
        let (name, span) = (name.to_string(), self.span(expr));
        if self.borrows_cursor(receiver, &name) {
            return None;
        }
        if matches!(name.as_str(), "next" | "nth" | "peek")
            && let Some(lookup) = self.advanced(receiver, &name, &arguments, span)
        {
            return Some(lookup);
        }
        let mut stream = self.read_stream(receiver)?;
        if name != "position" {
            let stops = matches!(name.as_str(), "find" | "nth" | "next");
            let may_run_on = self.is_random_access(&stream)
                || !stream.source.is_endless() && self.is_quiet_stream(&stream);
            if stops && !may_run_on {
                return None;
            }
            stream = self.kept_elements(stream, span);
        }
        match (name.as_str(), &arguments[..]) {
            ("last", []) => self.last_element(&stream, span),
            ("nth", [n]) => {
                let index = self.expr(*n);
                let index = self.contents(index, span);
                self.element_at(&stream, index, span)
            }
            ("next", []) => {
                let index = self.number(0, span);
                self.element_at(&stream, index, span)
            }
            ("min_by" | "max_by", [compare]) => {
                let compare = self.quiet_function(*compare, 2)?;
                self.extreme(&stream, &Order::By(compare), name == "max_by", span)
            }
            ("min_by_key" | "max_by_key", [key]) => {
                let key = self.quiet_function(*key, 1)?;
                self.extreme(&stream, &Order::Key(key), name == "max_by_key", span)
            }
            ("min" | "max", []) => self.extreme(&stream, &Order::Natural, name == "max", span),
            ("reduce", [step]) => {
                let step = self.quiet_function(*step, 2)?;
                self.reduced(&stream, step, span)
            }
            ("position", [test]) => {
                let test = self.function_of(*test, 1)?;
                Some(self.position(&stream, &test, span))
            }
            ("find", [test]) => {
                let test = self.quiet_function(*test, 1)?;
                self.found(&stream, &test, span)
            }
            _ => None,
        }
    }

    /// A function that changes nothing: it may be called for more elements, or in another order.
    pub(super) fn quiet_function(&mut self, expr: ExprId, arity: usize) -> Option<Function> {
        let function = self.function_of(expr, arity)?;
        self.is_quiet(&function, false).then_some(function)
    }

    /// A chain whose elements have no positions, as the vector of its elements.
    fn kept_elements(&mut self, stream: Stream, span: Span) -> Stream {
        if self.is_random_access(&stream) {
            return stream;
        }
        let path = syn::parse_quote!(::cotangent::__private::Vec::new);
        let ty = Type::Vec(Box::new(Type::Unknown));
        let value = self.inst(Op::VecNew(path), Vec::new(), ty, "kept", span);
        let kept = self.held(value, "kept", span);
        let run = self.run(span);
        self.drive(&stream, run, &|lower, item| {
            let value = lower.item_value(&item.copied(), span);
            let value = lower.contents(value, span);
            lower.insert(&kept, End::Last, None, value, span);
        });
        let base = self.variable_place(kept.var);
        Stream::of(Source::Elements { base, by: By::Value }, span)
    }

    /// The chain as it is gone through, and the number of its elements.
    fn counted_stream(&mut self, stream: &Stream) -> Option<(Rc<Stream>, Value)> {
        let stream = self.prepared(stream)?;
        match self.length(&stream)? {
            Length::Known(len) => Some((Rc::new(stream), len)),
            Length::Endless => None,
        }
    }

    /// The element at an index, once it is known to be there.
    pub(super) fn chosen_element(
        &mut self,
        present: Value,
        stream: &Rc<Stream>,
        index: Value,
    ) -> Lookup {
        if stream.stages.is_empty()
            && let Source::Elements { base, by } = &stream.source
        {
            let place = self.element(base, index);
            return Lookup { present, element: Element::Place(place, *by) };
        }
        let is_reference = stream.gives_references();
        let stream = stream.clone();
        let element = deferred(is_reference, move |lower| lower.item_at(&stream, index));
        Lookup { present, element }
    }

    fn element_at(&mut self, stream: &Stream, index: Value, span: Span) -> Option<Lookup> {
        let stream = Rc::new(self.prepared(stream)?);
        let length = self.length(&stream)?;
        let present = self.is_within(index, length, span);
        Some(self.chosen_element(present, &stream, index))
    }

    /// Whether there is an element at an index.
    pub(super) fn is_within(&mut self, index: Value, length: Length, span: Span) -> Value {
        match length {
            Length::Known(len) => {
                let less = syn::BinOp::Lt(syn::Token![<](span));
                self.comparison(less, index, len, span)
            }
            Length::Endless => self.boolean(true),
        }
    }

    fn last_element(&mut self, stream: &Stream, span: Span) -> Option<Lookup> {
        let (stream, count) = self.counted_stream(stream)?;
        let one = self.number(1, span);
        let index = self.integer("saturating_sub", vec![count, one], span);
        let present = self.is_some_count(count, span);
        Some(self.chosen_element(present, &stream, index))
    }

    fn is_some_count(&mut self, count: Value, span: Span) -> Value {
        let zero = self.number(0, span);
        let equal = syn::BinOp::Eq(syn::Token![==](span));
        let is_absent = self.comparison(equal, count, zero, span);
        self.inst(Op::Not, vec![is_absent], Type::Bool, "not", span)
    }

    /// An indexed chain from its second element on, with what is held so far; the first is held first.
    fn reduced(&mut self, stream: &Stream, step: Function, span: Span) -> Option<Lookup> {
        let (stream, count) = self.counted_stream(stream)?;
        let present = self.is_some_count(count, span);
        let element = deferred(false, move |lower| {
            let zero = lower.number(0, span);
            let first = lower.item_at(&stream, zero).copied();
            let first = lower.item_value(&first, span);
            let held = lower.held(first, "held", span);
            let one = lower.number(1, span);
            lower.over_indices(one, count, span, &|lower, index| {
                let item = lower.item_at(&stream, index);
                let state = Item::Place(held.clone(), By::Value);
                let value = lower.apply_to(&step, &[state, item], span);
                if !lower.diverged {
                    let value = lower.item_value(&value, span);
                    lower.write(&held, value, span);
                }
            });
            Item::Value(lower.read_state(&held, span))
        });
        Some(Lookup { present, element })
    }

    /// The greatest or the least: the index of the best is held.
    fn extreme(
        &mut self,
        stream: &Stream,
        order: &Order,
        greatest: bool,
        span: Span,
    ) -> Option<Lookup> {
        let (stream, count) = self.counted_stream(stream)?;
        let zero = self.number(0, span);
        let best = self.held(zero, "best", span);
        let one = self.number(1, span);
        self.over_indices(one, count, span, &|lower, index| {
            let at = lower.read_state(&best, span);
            let held = lower.item_at(&stream, at);
            let item = lower.item_at(&stream, index);
            let Some(better) = lower.is_better(order, (&held, &item), greatest, span) else {
                return lower.refuse_loop(span);
            };
            lower.only_if(better, &|lower| lower.write(&best, index, span), span);
        });
        let present = self.is_some_count(count, span);
        let index = self.read_state(&best, span);
        Some(self.chosen_element(present, &stream, index))
    }

    /// Whether an element takes the place of the one held: among equals the last is the greatest, and the first the
    /// least.
    fn is_better(
        &mut self,
        order: &Order,
        (held, item): (&Item, &Item),
        greatest: bool,
        span: Span,
    ) -> Option<Value> {
        let is_greater = self.compared_in(order, &[held.clone(), item.clone()], span)?;
        Some(match greatest {
            true => self.inst(Op::Not, vec![is_greater], Type::Bool, "not", span),
            false => is_greater,
        })
    }

    fn is_greater(&mut self, left: Value, right: Value, span: Span) -> Value {
        self.comparison(syn::BinOp::Gt(syn::Token![>](span)), left, right, span)
    }

    /// Whether the first of two elements is greater in an order.
    pub(super) fn compared_in(
        &mut self,
        order: &Order,
        items: &[Item; 2],
        span: Span,
    ) -> Option<Value> {
        let [left, right] = match order {
            Order::By(compare) => return self.compared_by(compare, items, span),
            Order::Natural => items.each_ref().map(|item| self.item_value(item, span)),
            Order::Key(key) => items.each_ref().map(|item| {
                let key = self.apply_to_references(key, std::slice::from_ref(item), span);
                if self.diverged { Value(0) } else { self.item_value(&key, span) }
            }),
        };
        (!self.diverged).then(|| self.is_greater(left, right, span))
    }

    /// Whether a comparison of references to two elements gives `Greater`.
    fn compared_by(&mut self, compare: &Function, items: &[Item], span: Span) -> Option<Value> {
        match compare {
            Function::Path(path) => {
                let name = standard::comparison(&path.path)?;
                let left = self.item_value(&items[0], span);
                let right = self.item_value(&items[1], span);
                self.ordering(name, left, right, span)
            }
            Function::Variable(_) => None,
            Function::Closure(value) => {
                let before = self.storage.clone();
                let items: Vec<Item> =
                    items.iter().map(|item| self.referenced(item, span)).collect();
                self.bind_items(value, &items);
                let greater = self.greater(value.closure.body);
                self.storage = before;
                greater
            }
        }
    }

    /// Whether a comparison's outcome is `Greater`, as a condition.
    fn greater(&mut self, comparison: ExprId) -> Option<Value> {
        let span = self.span(comparison);
        let body = self.body;
        match &body.expr(comparison).kind {
            ExprKind::Block { label: None, block } => {
                let value = block.value?;
                self.statements(&block.stmts, None, &|lower, _| lower.greater(value))
            }
            ExprKind::Method { receiver, name, arguments, .. }
                if matches!(name.to_string().as_str(), "unwrap" | "expect" | "unwrap_or") =>
            {
                let (left, right) = self.compared_operands(*receiver, "partial_cmp")?;
                match (name.to_string().as_str(), &arguments[..]) {
                    ("unwrap_or", [other]) => {
                        let is_constant = matches!(self.body.expr(*other).kind, ExprKind::Item(_));
                        is_constant.then(|| self.is_greater(left, right, span))
                    }
                    ("unwrap" | "expect", _) => {
                        let message = self.message(&name.to_string(), arguments)?;
                        Some(self.ordered(left, right, &message, span))
                    }
                    _ => None,
                }
            }
            ExprKind::Method { name, .. } => {
                let (left, right) = self.compared_operands(comparison, &name.to_string())?;
                self.ordering(&name.to_string(), left, right, span)
            }
            ExprKind::Call(callee, _) => {
                let ExprKind::Item(path) = &self.body.expr(*callee).kind else { return None };
                let name = standard::comparison(&path.path)?;
                let (left, right) = self.compared_operands(comparison, name)?;
                self.ordering(name, left, right, span)
            }
            _ => None,
        }
    }

    /// The operands of a call of this function, or of a method of this name.
    fn compared_operands(&mut self, call: ExprId, wanted: &str) -> Option<(Value, Value)> {
        if !matches!(wanted, "partial_cmp" | "total_cmp" | "cmp") {
            return None;
        }
        let (left, right) = match self.body.expr(call).kind.clone() {
            ExprKind::Method { receiver, name, arguments, .. } if name == wanted => {
                (receiver, *arguments.first()?)
            }
            ExprKind::Call(callee, arguments) => {
                let ExprKind::Item(path) = &self.body.expr(callee).kind else { return None };
                let is_wanted = standard::comparison(&path.path) == Some(wanted);
                let [left, right] = arguments[..] else { return None };
                is_wanted.then_some((left, right))?
            }
            _ => return None,
        };
        let span = self.span(call);
        let [left, right] = [left, right].map(|operand| {
            let value = self.operand_of(operand);
            self.contents(value, span)
        });
        Some((left, right))
    }

    fn ordering(&mut self, name: &str, left: Value, right: Value, span: Span) -> Option<Value> {
        match name {
            "cmp" => Some(self.is_greater(left, right, span)),
            "total_cmp" => {
                let method = Op::Method(proc_macro2::Ident::new(name, span));
                let order = self.inst(method, vec![left, right], Type::Unknown, name, span);
                let path = syn::parse_quote!(::core::cmp::Ordering::Greater);
                let greater = self.inst(Op::Item(path), Vec::new(), Type::Unknown, "item", span);
                let equal = syn::BinOp::Eq(syn::Token![==](span));
                Some(self.comparison(equal, order, greater, span))
            }
            _ => None,
        }
    }

    /// Whether the left is greater, where numbers that have no order panic.
    fn ordered(
        &mut self,
        left: Value,
        right: Value,
        message: &super::super::element::Message,
        span: Span,
    ) -> Value {
        let not_greater = syn::BinOp::Le(syn::Token![<=](span));
        let is_not_greater = self.comparison(not_greater, left, right, span);
        let is_open = self.inst(Op::Not, vec![is_not_greater], Type::Bool, "not", span);
        let has_no_order = self.if_else(
            is_open,
            &|lower| {
                let greater = lower.is_greater(left, right, span);
                Some(lower.inst(Op::Not, vec![greater], Type::Bool, "not", span))
            },
            &|lower| Some(lower.boolean(false)),
            span,
        );
        if let Some(has_no_order) = has_no_order {
            self.if_else(
                has_no_order,
                &|lower| {
                    lower.panic(message, span);
                    None
                },
                &|lower| Some(lower.unit()),
                span,
            );
        }
        self.is_greater(left, right, span)
    }

    fn position(&mut self, stream: &Stream, test: &Function, span: Span) -> Lookup {
        let seen = self.counter("seen", span);
        let no = self.boolean(false);
        let found = self.held(no, "found", span);
        let run = self.run(span);
        self.drive(stream, run, &|lower, item| {
            let fits = lower.apply_to(test, &[item], span);
            if lower.diverged {
                return;
            }
            let fits = lower.item_value(&fits, span);
            lower.either(
                fits,
                &|lower| {
                    let yes = lower.boolean(true);
                    lower.write(&found, yes, span);
                    lower.leave(run.target, true);
                },
                &|lower| _ = lower.counted_up(&seen, span),
                span,
            );
        });
        let present = self.read_state(&found, span);
        let index = self.read_state(&seen, span);
        Lookup { present, element: deferred(false, move |_| Item::Value(index)) }
    }

    /// The first element that a closure says yes to: its index is looked for.
    fn found(&mut self, stream: &Stream, test: &Function, span: Span) -> Option<Lookup> {
        let (stream, count) = self.counted_stream(stream)?;
        let at = self.held(count, "found", span);
        let (target, start) = (self.own_target(), self.number(0, span));
        let kind = LoopKind::Range { inclusive: false, adaptors: Vec::new() };
        let head = Head::Range(vec![start, count], kind);
        self.counted(target, None, head, span, &|lower, index| {
            let index = index.expect("a range has an index");
            let item = lower.item_at(&stream, index);
            let Some(fits) = lower.tested(test, &item, span) else { return };
            lower.only_if(
                fits,
                &|lower| {
                    lower.write(&at, index, span);
                    lower.leave(target, true);
                },
                span,
            );
        });
        let index = self.read_state(&at, span);
        let equal = syn::BinOp::Eq(syn::Token![==](span));
        let is_absent = self.comparison(equal, index, count, span);
        let present = self.inst(Op::Not, vec![is_absent], Type::Bool, "not", span);
        Some(self.chosen_element(present, &stream, index))
    }
}

impl Stream {
    /// Whether its elements are references to places, as its form shows.
    fn gives_references(&self) -> bool {
        let keeps = |stage: &Stage| {
            matches!(
                stage,
                Stage::Rev(_)
                    | Stage::Skip(_)
                    | Stage::Take(_)
                    | Stage::StepBy(_)
                    | Stage::Cycle(_)
                    | Stage::Inspect(_)
            )
        };
        let is_reference = match &self.source {
            Source::Elements { by, .. } => *by != By::Value,
            Source::Entries { part, by, .. } => {
                *by != By::Value && *part != super::super::map::Part::Entries
            }
            Source::Windows { .. } | Source::Chunks { .. } => true,
            Source::Along { .. }
            | Source::Range(_)
            | Source::Repeat(_)
            | Source::Successors { .. } => false,
        };
        is_reference && self.stages.iter().all(keeps)
    }
}

/// An element that code makes once it is known to be there.
fn deferred(
    is_reference: bool,
    make: impl for<'b> Fn(&mut Lower<'b>) -> Item + 'static,
) -> Element {
    Element::Deferred { is_reference, make: Rc::new(make) }
}
