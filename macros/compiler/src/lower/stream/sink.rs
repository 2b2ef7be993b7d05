//! What ends a chain: `for`, `sum`, `fold`, `for_each`, `count` and questions about all elements.
//!
//! In: a chain. Out: the loop, and the chain's value.

use super::super::control::Given;
use super::super::{Lower, Place, Storage};
use super::position::Length;
use super::tried::success;
use super::{Function, Item, Run, Stage, Stream};
use crate::diag;
use crate::hir::{self, ExprId, ExprKind, PatId, PatKind};
use crate::ir::{Op, Type, Value};
use proc_macro2::Span;

impl<'a> Lower<'a> {
    /// The value of a chain with what ends it; `None` where a method is none of a chain's.
    pub(in crate::lower) fn consumed(
        &mut self,
        expr: ExprId,
        receiver: ExprId,
        name: &str,
        turbofish: Option<&syn::AngleBracketedGenericArguments>,
        arguments: &[ExprId],
    ) -> Option<Value> {
        let ty = turbofish.and_then(type_argument).or_else(|| self.expected.get(&expr).cloned());
        if let Some(value) = self.parallel(expr, ty.clone()) {
            return Some(value);
        }
        if !is_sink(name, arguments.len()) {
            return None;
        }
        let is_whole = goes_to_the_end(name) && ty.as_ref().and_then(success).is_none();
        let lent = is_whole.then(|| self.lent_part(receiver)).flatten();
        let outer = std::mem::replace(&mut self.lent, lent);
        let value = self.consumed_stream(expr, receiver, name, (ty, arguments));
        self.lent = outer;
        value
    }

    fn consumed_stream(
        &mut self,
        expr: ExprId,
        receiver: ExprId,
        name: &str,
        (ty, arguments): (Option<syn::Type>, &[ExprId]),
    ) -> Option<Value> {
        if !self.is_stream(receiver) {
            return None;
        }
        let span = self.span(expr);
        if self.borrows_cursor(receiver, name) {
            return Some(self.refuse(receiver, &diag::KEPT_ITERATOR, ""));
        }
        let stream = match self.read_stream(receiver) {
            Some(stream) => stream,
            None if self.diverged => return Some(Value(0)),
            None => return Some(self.refuse_chain(receiver)),
        };
        if let Some(local) = self.lent.take() {
            self.step_over(local, &stream);
        }
        let value = match name {
            "try_fold" | "try_for_each" => self.tried(expr, &stream, arguments, span),
            "sum" | "product" | "collect" if let Some(success) = ty.as_ref().and_then(success) => {
                self.all_or_none(stream, name, (success, ty.as_ref().and_then(content)), span)
            }
            _ => self.ended_by(&stream, name, arguments, ty.as_ref(), span),
        };
        Some(value.unwrap_or_else(|| self.refuse_chain(receiver)))
    }

    pub(super) fn ended_by(
        &mut self,
        stream: &Stream,
        name: &str,
        arguments: &[ExprId],
        ty: Option<&syn::Type>,
        span: Span,
    ) -> Option<Value> {
        match (name, arguments) {
            ("sum" | "product", []) => self.sum(stream, name == "product", ty, span),
            ("fold", [init, step]) => {
                let init = self.owned(*init);
                let step = self.function_of(*step, 2)?;
                self.fold(stream, init, &step, span)
            }
            ("for_each", [each]) => {
                let each = self.function_of(*each, 1)?;
                let run = self.run(span);
                self.drive(stream, run, &|lower, item| {
                    lower.apply_to(&each, &[item], span);
                });
                Some(self.unit())
            }
            ("count", []) => self.count_elements(stream, span),
            ("any" | "all", [test]) => {
                let test = self.function_of(*test, 1)?;
                Some(self.quantified(stream, &test, name == "all", span))
            }
            ("find_map", [choose]) => {
                let choose = self.function_of(*choose, 1)?;
                Some(self.first_inside(stream, choose, span))
            }
            ("collect", []) => self.collect(stream, ty, span),
            ("unzip", []) => self.unzip(stream, span),
            ("partition", [test]) => {
                let test = self.function_of(*test, 1)?;
                self.partition(stream, &test, ty, span)
            }
            _ => None,
        }
    }

    // --- loops of the source

    /// A loop over a chain.
    pub(in crate::lower) fn for_stream(
        &mut self,
        repeat: &'a hir::Loop,
        schedule: Option<Given>,
        pattern: PatId,
        stream: &Stream,
    ) -> Value {
        let run = Run { target: repeat.target, schedule, span: repeat.span };
        if self.is_one_loop(stream) {
            self.drive(stream, run, &|lower, item| {
                lower.bind_item(pattern, &item);
                lower.loop_body(repeat.body);
            });
            return self.unit();
        }
        // What counts the elements stands behind the body, which `continue` leaves alone.
        self.drive(stream, run, &|lower, item| {
            let target = lower.own_target();
            let outer = lower.continues.insert(repeat.target, target);
            lower.labelled(target, &|lower| {
                lower.bind_item(pattern, &item);
                lower.followed(repeat.body, &|_, value| Some(value))
            });
            match outer {
                Some(outer) => lower.continues.insert(repeat.target, outer),
                None => lower.continues.remove(&repeat.target),
            };
        });
        self.unit()
    }

    /// Whether a body behind it stands in one loop, and last there: exits mean that loop.
    fn is_one_loop(&self, stream: &Stream) -> bool {
        if self.is_indexed(stream) {
            return true;
        }
        let Some((inner, last)) = stream.split_last() else { return true };
        self.is_one_loop(&inner)
            && !matches!(
                last,
                Stage::Chain(_)
                    | Stage::FlatMap(_)
                    | Stage::Flatten
                    | Stage::Take(_)
                    | Stage::Zip(_)
            )
    }

    // --- values

    pub(super) fn sum(
        &mut self,
        stream: &Stream,
        is_product: bool,
        ty: Option<&syn::Type>,
        span: Span,
    ) -> Option<Value> {
        let start = self.neutral(ty, is_product, span)?;
        let name = if is_product { "product" } else { "sum" };
        let state = self.held(start, name, span);
        let operator = match is_product {
            true => syn::BinOp::Mul(syn::Token![*](span)),
            false => syn::BinOp::Add(syn::Token![+](span)),
        };
        let run = self.run(span);
        self.drive(stream, run, &|lower, item| {
            let value = lower.item_value(&item, span);
            let value = lower.contents(value, span);
            lower.accumulate(&operator, &state, value, span);
        });
        Some(self.take_state(&state, span))
    }

    /// What is in a place of the compiler's own at the end.
    pub(super) fn read_state(&mut self, state: &Place, span: Span) -> Value {
        let value = self.read(state, span);
        match self.ty(value).is_aggregate() {
            true => value,
            false => self.contents(value, span),
        }
    }

    /// Likewise, where nothing asks for the place again: what is in it moves.
    pub(in crate::lower) fn take_state(&mut self, state: &Place, span: Span) -> Value {
        let value = self.read(state, span);
        self.state[state.var.0] = None;
        value
    }

    pub(super) fn fold(
        &mut self,
        stream: &Stream,
        init: Value,
        step: &Function,
        span: Span,
    ) -> Option<Value> {
        if self.diverged {
            return Some(Value(0));
        }
        let pattern = match step {
            Function::Closure(value) => Some(value.closure.params[0]),
            Function::Path(_) | Function::Variable(_) => None,
        };
        let state = self.state_of(pattern, init, span);
        let run = self.run(span);
        self.drive(stream, run, &|lower, item| {
            let before = lower.storage.clone();
            let value = match step {
                Function::Path(_) | Function::Variable(_) => {
                    let held = lower.state_item(&state);
                    lower.apply_to(step, &[held, item], span)
                }
                Function::Closure(value) => {
                    lower.storage.extend(value.captures.iter().cloned());
                    lower.bind_state(value.closure.params[0], &state);
                    lower.bind_item(value.closure.params[1], &item);
                    match lower.returns(value.closure.body, &value.closure) {
                        true => {
                            let what = "a closure of `fold` with `return` in it";
                            Item::Value(lower.refuse_form(value.closure.body, what))
                        }
                        false => lower.body_item(value.closure.body),
                    }
                }
            };
            if !lower.diverged {
                lower.write_state(&state, &value, span);
            }
            lower.storage = before;
        });
        Some(self.state_value(&state, span))
    }

    /// A place for each name of a state's pattern, with its first value.
    fn state_of(&mut self, pattern: Option<PatId>, init: Value, span: Span) -> State {
        if let Some(pattern) = pattern
            && let Some(parts) = self.names_of(pattern)
            && let Type::Tuple(types) = self.ty(init)
            && types.len() == parts.len()
        {
            let fields = self.destructure(init, types, span);
            let fields = fields.into_iter().zip(parts);
            return State::Parts(
                fields.map(|(field, part)| self.state_of(Some(part), field, span)).collect(),
            );
        }
        if let Some(ty) = pattern.and_then(|pattern| self.written_type(pattern)) {
            self.annotate(init, &ty);
        }
        let binding = pattern.and_then(|pattern| self.plain_binding(pattern));
        let name = binding.map_or_else(
            || "state".to_owned(),
            |binding| self.body.local(binding.local).name.to_string(),
        );
        State::Whole(self.held(init, &name, span))
    }

    /// The patterns of a tuple of names.
    fn names_of(&self, pattern: PatId) -> Option<Vec<PatId>> {
        match &self.body.pat(pattern).kind {
            PatKind::Tuple(items) => {
                let are_names = items.iter().all(|item| {
                    self.plain_binding(*item).is_some()
                        || matches!(self.body.pat(*item).kind, PatKind::Wild)
                        || self.names_of(*item).is_some()
                });
                are_names.then(|| items.clone())
            }
            PatKind::Typed(inner, _) => self.names_of(*inner),
            _ => None,
        }
    }

    pub(super) fn written_type(&self, pattern: PatId) -> Option<syn::Type> {
        match &self.body.pat(pattern).kind {
            PatKind::Typed(_, ty) if !matches!(ty, syn::Type::Infer(_)) => Some(ty.clone()),
            _ => None,
        }
    }

    fn bind_state(&mut self, pattern: PatId, state: &State) {
        match (&self.body.pat(pattern).kind, state) {
            (PatKind::Typed(inner, _), _) => self.bind_state(*inner, state),
            (PatKind::Tuple(patterns), State::Parts(parts)) => {
                for (pattern, part) in patterns.iter().zip(parts) {
                    self.bind_state(*pattern, part);
                }
            }
            (PatKind::Bind(binding), State::Whole(place))
                if self.plain_binding(pattern).is_some() =>
            {
                self.storage.insert(binding.local, Storage::Variable(place.var));
            }
            (_, State::Whole(place)) => self.bind_moved(pattern, place),
            (_, State::Parts(_)) => {}
        }
    }

    fn state_item(&mut self, state: &State) -> Item {
        match state {
            State::Whole(place) => Item::Place(place.clone(), super::super::pattern::By::Value),
            State::Parts(parts) => {
                Item::Tuple(parts.iter().map(|part| self.state_item(part)).collect())
            }
        }
    }

    fn state_value(&mut self, state: &State, span: Span) -> Value {
        match state {
            State::Whole(place) => self.take_state(place, span),
            State::Parts(parts) => {
                let items = parts.iter().map(|part| self.state_value(part, span)).collect();
                self.tuple(items, span)
            }
        }
    }

    /// All parts are made before the first is written.
    fn write_state(&mut self, state: &State, item: &Item, span: Span) {
        let mut written = Vec::new();
        self.pair_state(state, item, span, &mut written);
        for (place, value) in written {
            let old = self.state[place.var.0].map(|value| self.ty(value));
            if let Some(ty) = old {
                self.refine_float(value, &ty);
            }
            if self.is_latest(value) {
                self.name_after(value, place.var);
            }
            self.write(&place, value, span);
        }
    }

    fn pair_state(
        &mut self,
        state: &State,
        item: &Item,
        span: Span,
        written: &mut Vec<(Place, Value)>,
    ) {
        match (state, item) {
            (State::Whole(place), item) => {
                let value = self.item_value(item, span);
                // An aggregate that is the state itself stays where it is.
                if self.state[place.var.0] != Some(value) {
                    written.push((place.clone(), value));
                }
            }
            (State::Parts(parts), Item::Tuple(items)) if parts.len() == items.len() => {
                for (part, item) in parts.iter().zip(items) {
                    self.pair_state(part, item, span, written);
                }
            }
            (State::Parts(parts), item) => {
                let value = self.item_value(item, span);
                let types = match self.ty(value) {
                    Type::Tuple(types) if types.len() == parts.len() => types,
                    _ => vec![Type::Unknown; parts.len()],
                };
                let fields = self.destructure(value, types, span);
                for (part, field) in parts.iter().zip(fields) {
                    self.pair_state(part, &Item::Value(field), span, written);
                }
            }
        }
    }

    fn count_elements(&mut self, stream: &Stream, span: Span) -> Option<Value> {
        if self.is_indexed(stream) && self.is_silent(stream) {
            return match self.length(stream)? {
                Length::Known(len) => Some(len),
                Length::Endless => None,
            };
        }
        let count = self.counter("count", span);
        let run = self.run(span);
        self.drive(stream, run, &|lower, _| {
            lower.counted_up(&count, span);
        });
        Some(self.take_state(&count, span))
    }

    /// `any` and `all`: the loop ends once the answer is known.
    fn quantified(&mut self, stream: &Stream, test: &Function, all: bool, span: Span) -> Value {
        let start = self.boolean(all);
        let answer = self.held(start, "answer", span);
        let run = self.run(span);
        self.drive(stream, run, &|lower, item| {
            let found = lower.apply_to(test, &[item], span);
            if lower.diverged {
                return;
            }
            let mut found = lower.item_value(&found, span);
            if all {
                found = lower.inst(Op::Not, vec![found], Type::Bool, "not", span);
            }
            lower.only_if(
                found,
                &|lower| {
                    let known = lower.boolean(!all);
                    lower.write(&answer, known, span);
                    lower.leave(run.target, true);
                },
                span,
            );
        });
        self.read_state(&answer, span)
    }

    // --- types that are expected

    /// Notes the type that the values of chains in an expression are to have.
    pub(in crate::lower) fn expect(&mut self, expr: ExprId, ty: &syn::Type) {
        let seen = self.signature.seen.as_ref();
        let ty = seen.and_then(|seen| seen.items.aliased(seen.scope, ty)).unwrap_or(ty);
        match &self.body.expr(expr).kind {
            ExprKind::Block { block, .. } => {
                if let Some(value) = block.value {
                    self.expect(value, ty);
                }
            }
            ExprKind::If { then, other, .. } => {
                self.expect(*then, ty);
                self.expect(*other, ty);
            }
            ExprKind::Match(_, arms) => arms.iter().for_each(|arm| self.expect(arm.body, ty)),
            ExprKind::Tuple(items) => {
                let syn::Type::Tuple(types) = crate::syntax::signature::plain(ty) else { return };
                for (item, ty) in items.iter().zip(&types.elems) {
                    self.expect(*item, ty);
                }
            }
            ExprKind::Call(callee, arguments) => match &self.body.expr(*callee).kind {
                ExprKind::Item(path)
                    if crate::syntax::is_variant_of_std(&path.path, &["Some", "Ok"]) =>
                {
                    if let (Some(value), Some(ty)) = (arguments.first(), content(ty)) {
                        self.expect(*value, ty);
                    }
                }
                _ => _ = self.expected.insert(expr, ty.clone()),
            },
            ExprKind::Method { .. } => _ = self.expected.insert(expr, ty.clone()),
            _ => {}
        }
    }
}

/// What a fold keeps from element to element.
enum State {
    Whole(Place),
    /// A tuple in parts.
    Parts(Vec<State>),
}

/// Whether a method that ends a chain goes through all of it.
fn goes_to_the_end(name: &str) -> bool {
    matches!(
        name,
        "sum" | "product" | "count" | "collect" | "unzip" | "for_each" | "partition" | "fold"
    )
}

/// Whether a method ends a chain.
fn is_sink(name: &str, arguments: usize) -> bool {
    match name {
        "sum" | "product" | "count" | "collect" | "unzip" => arguments == 0,
        "for_each" | "any" | "all" | "find_map" | "partition" | "try_for_each" => arguments == 1,
        "fold" | "try_fold" => arguments == 2,
        _ => false,
    }
}

pub(super) fn type_argument(arguments: &syn::AngleBracketedGenericArguments) -> Option<syn::Type> {
    match arguments.args.first() {
        Some(syn::GenericArgument::Type(ty)) => Some(ty.clone()),
        _ => None,
    }
}

/// The first type argument of `Option<T>`, `Result<T, E>` or `Vec<T>`.
pub(super) fn content(ty: &syn::Type) -> Option<&syn::Type> {
    let syn::Type::Path(path) = crate::syntax::signature::plain(ty) else { return None };
    path.path.segments.last().and_then(crate::syntax::types::argument)
}
