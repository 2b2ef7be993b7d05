//! The loop of a chain, with the rest of the chain as its body.
//!
//! In: a chain, and a sink for its elements. Out: the loop. A stage that leaves elements out is an `if` around the body,
//! one that ends early leaves the loop.

use super::super::Lower;
use super::super::control::Head;
use super::super::pattern::By;
use super::position::Length;
use super::{Function, Item, Run, Sink, Source, Stage, Stream};
use crate::diag;
use crate::hir::{ExprId, ExprKind, Variant};
use crate::ir::{Adaptor, LoopKind, Op, Projection, Type, Value};
use crate::syntax::is_variant_of_std;
use proc_macro2::Span;

/// How many copies of one body are made: five chains in one another, and none in a sixth.
const MOST_COPIES: usize = 32;

/// Which indices a loop goes through, and in which order.
struct Indices {
    low: Option<Value>,
    high: Option<Value>,
    is_reversed: bool,
    step: Option<Value>,
}

impl<'a> Lower<'a> {
    /// The loop. Leaving its target leaves the chain.
    pub(super) fn drive(&mut self, stream: &Stream, run: Run, sink: Sink<'_, 'a>) {
        if let Some(head) = native_range(stream) {
            return self.over_head(head, run, &|lower, index| sink(lower, Item::Value(index)));
        }
        let Some((inner, last)) = stream.split_last() else {
            return self.over_source(stream, run, sink);
        };
        let span = stream.span;
        match last {
            Stage::Map(function) => self.drive(&inner, run, &|lower, item| {
                let item = lower.apply_to(function, &[item], span);
                if !lower.diverged {
                    sink(lower, item);
                }
            }),
            Stage::Copied => self.drive(&inner, run, &|lower, item| sink(lower, item.copied())),
            Stage::Inspect(function) => self.drive(&inner, run, &|lower, item| {
                lower.apply_to_references(function, std::slice::from_ref(&item), span);
                if !lower.diverged {
                    sink(lower, item);
                }
            }),
            Stage::Chain(second) => self.one_after_the_other(&inner, second, run, sink),
            Stage::FlatMap(function) => self.nested(&inner, Some(function), run, sink),
            Stage::Flatten => self.nested(&inner, None, run, sink),
            _ if self.is_indexed(stream) => self.over_positions(stream, run, sink),
            last => self.selected(&inner, last, run, sink),
        }
    }

    /// A loop with an index.
    fn over_head(&mut self, head: Head, run: Run, body: &dyn Fn(&mut Lower<'a>, Value)) {
        self.counted(run.target, run.schedule, head, run.span, &|lower, index| {
            body(lower, index.expect("a range has an index"));
        });
    }

    /// Stages that leave out some elements.
    fn selected(&mut self, inner: &Stream, last: &Stage, run: Run, sink: Sink<'_, 'a>) {
        let span = inner.span;
        match last {
            Stage::Filter(function) => self.drive(inner, run, &|lower, item| {
                if let Some(fits) = lower.tested(function, &item, span) {
                    lower.only_if(fits, &|lower| sink(lower, item.clone()), span);
                }
            }),
            Stage::TakeWhile(function) => self.drive(inner, run, &|lower, item| {
                if let Some(fits) = lower.tested(function, &item, span) {
                    lower.either(
                        fits,
                        &|lower| sink(lower, item.clone()),
                        &|lower| lower.leave(run.target, true),
                        span,
                    );
                }
            }),
            Stage::SkipWhile(function) => self.skip_while(inner, function, run, sink),
            Stage::FilterMap(function) => self.drive(inner, run, &|lower, item| {
                lower.optional(function, &[item], sink, &|_| {}, span);
            }),
            Stage::MapWhile(function) => self.drive(inner, run, &|lower, item| {
                lower.optional(
                    function,
                    &[item],
                    sink,
                    &|lower| lower.leave(run.target, true),
                    span,
                );
            }),
            Stage::Scan(state, function) => self.drive(inner, run, &|lower, item| {
                let args = [Item::Place(state.clone(), By::Unique), item];
                lower.optional(function, &args, sink, &|lower| lower.leave(run.target, true), span);
            }),
            Stage::Shunt(success, failure) => self.drive(inner, run, &|lower, item| {
                lower.shunted((*success, failure), &item, run, sink);
            }),
            last => self.counting(inner, last, run, sink),
        }
    }

    /// Stages that count, on elements that have no positions.
    fn counting(&mut self, inner: &Stream, last: &Stage, run: Run, sink: Sink<'_, 'a>) {
        let span = inner.span;
        match last {
            Stage::Enumerate => self.with_positions(inner, run, &|lower, position, item| {
                sink(lower, Item::Tuple(vec![Item::Value(position), item]));
            }),
            Stage::Skip(n) => self.with_positions(inner, run, &|lower, position, item| {
                let operator = syn::BinOp::Ge(syn::Token![>=](span));
                let fits = lower.comparison(operator, position, *n, span);
                lower.only_if(fits, &|lower| sink(lower, item.clone()), span);
            }),
            Stage::StepBy(n) => self.with_positions(inner, run, &|lower, position, item| {
                let rest = lower.apply("rem", vec![position, *n], Type::Int, span);
                let zero = lower.number(0, span);
                let operator = syn::BinOp::Eq(syn::Token![==](span));
                let fits = lower.comparison(operator, rest, zero, span);
                lower.only_if(fits, &|lower| sink(lower, item.clone()), span);
            }),
            Stage::Take(n) => {
                let n = *n;
                self.up_to(n, span, &|lower| {
                    lower.counted_until(inner, n, run, &|lower, _, item| sink(lower, item));
                });
            }
            Stage::Zip(other) if self.is_indexed(other) => {
                self.beside_positions(inner, other, run, sink);
            }
            Stage::Zip(other) if self.is_indexed(inner) => {
                let Some(Length::Known(len)) = self.length(inner) else {
                    return self.refuse_loop(span);
                };
                let Some(first) = self.prepared(inner) else {
                    return self.refuse_loop(span);
                };
                self.up_to(len, span, &|lower| {
                    lower.counted_until(other, len, run, &|lower, position, item| {
                        let first = lower.item_at(&first, position);
                        if !lower.diverged {
                            sink(lower, Item::Tuple(vec![first, item]));
                        }
                    });
                });
            }
            _ => self.refuse_loop(span),
        }
    }

    /// The loop, unless there are none to be taken.
    fn up_to(&mut self, n: Value, span: Span, code: &dyn Fn(&mut Lower<'a>)) {
        let zero = self.number(0, span);
        let operator = syn::BinOp::Gt(syn::Token![>](span));
        let fits = self.comparison(operator, n, zero, span);
        self.only_if(fits, code, span);
    }

    /// A loop that is left after so many elements: the next one is not even made.
    fn counted_until(
        &mut self,
        inner: &Stream,
        n: Value,
        run: Run,
        sink: &dyn Fn(&mut Lower<'a>, Value, Item),
    ) {
        let span = inner.span;
        let start = self.number(0, span);
        let seen = self.held(start, "seen", span);
        self.drive(inner, run, &|lower, item| {
            let position = lower.counted_up(&seen, span);
            sink(lower, position, item);
            lower.where_live(
                &|lower| {
                    let seen = lower.read(&seen, span);
                    let operator = syn::BinOp::Eq(syn::Token![==](span));
                    let is_last = lower.comparison(operator, seen, n, span);
                    lower.only_if(is_last, &|lower| lower.leave(run.target, true), span);
                },
                span,
            );
        });
    }

    fn with_positions(
        &mut self,
        inner: &Stream,
        run: Run,
        sink: &dyn Fn(&mut Lower<'a>, Value, Item),
    ) {
        let span = inner.span;
        let start = self.number(0, span);
        let seen = self.held(start, "seen", span);
        self.drive(inner, run, &|lower, item| {
            let position = lower.counted_up(&seen, span);
            sink(lower, position, item);
        });
    }

    /// Pairs whose second has positions.
    fn beside_positions(&mut self, inner: &Stream, other: &Stream, run: Run, sink: Sink<'_, 'a>) {
        let span = inner.span;
        let (len, other) = match (self.length(other), self.prepared(other)) {
            (Some(len), Some(other)) => (len, other),
            _ => return self.refuse_loop(span),
        };
        self.with_positions(inner, run, &|lower, position, item| {
            let pair = |lower: &mut Lower<'a>| {
                let other = lower.item_at(&other, position);
                if !lower.diverged {
                    sink(lower, Item::Tuple(vec![item.clone(), other]));
                }
            };
            match len {
                Length::Endless => pair(lower),
                Length::Known(len) => {
                    let operator = syn::BinOp::Ge(syn::Token![>=](span));
                    let is_behind = lower.comparison(operator, position, len, span);
                    lower.either(is_behind, &|lower| lower.leave(run.target, true), &pair, span);
                }
            }
        });
    }

    fn skip_while(&mut self, inner: &Stream, function: &Function, run: Run, sink: Sink<'_, 'a>) {
        let span = inner.span;
        let start = self.boolean(true);
        let skips = self.held(start, "skips", span);
        self.drive(inner, run, &|lower, item| {
            let before = lower.read(&skips, span);
            lower.only_if(
                before,
                &|lower| {
                    if let Some(fits) = lower.tested(function, &item, span) {
                        lower.write(&skips, fits, span);
                    }
                },
                span,
            );
            let after = lower.read(&skips, span);
            let after = lower.inst(Op::Not, vec![after], Type::Bool, "not", span);
            lower.only_if(after, &|lower| sink(lower, item.clone()), span);
        });
    }

    /// Whether a closure says yes to an element; `None` behind a panic.
    pub(super) fn tested(&mut self, function: &Function, item: &Item, span: Span) -> Option<Value> {
        let answer = self.apply_to_references(function, std::slice::from_ref(item), span);
        (!self.diverged).then(|| self.item_value(&answer, span))
    }

    /// A comparison of numbers.
    pub(super) fn comparison(
        &mut self,
        operator: syn::BinOp,
        left: Value,
        right: Value,
        span: Span,
    ) -> Value {
        self.inst(Op::Binary(operator), vec![left, right], Type::Bool, "condition", span)
    }

    /// Code under a condition.
    pub(super) fn only_if(&mut self, condition: Value, code: &dyn Fn(&mut Lower<'a>), span: Span) {
        self.either(condition, code, &|_| {}, span);
    }

    /// One of two pieces of code.
    pub(in crate::lower) fn either(
        &mut self,
        condition: Value,
        then: &dyn Fn(&mut Lower<'a>),
        other: &dyn Fn(&mut Lower<'a>),
        span: Span,
    ) {
        let arm = |lower: &mut Lower<'a>, code: &dyn Fn(&mut Lower<'a>)| {
            code(lower);
            (!lower.diverged).then(|| lower.unit())
        };
        self.if_else(condition, &|lower| arm(lower, then), &|lower| arm(lower, other), span);
    }

    /// Code that follows what control may have left.
    fn where_live(&mut self, code: &dyn Fn(&mut Lower<'a>), span: Span) {
        if self.diverged {
            return;
        }
        let frame = self.frames.last().expect("a frame").live;
        let live = self.state[frame.0].expect("the flag is always set");
        match self.literal_of(live) {
            Some(true) => code(self),
            _ => self.only_if(live, code, span),
        }
    }

    // --- closures that give options

    /// A closure whose value is an `Option`: what is done with what is inside, or else.
    fn optional(
        &mut self,
        function: &Function,
        items: &[Item],
        sink: Sink<'_, 'a>,
        otherwise: &dyn Fn(&mut Lower<'a>),
        span: Span,
    ) {
        match function {
            Function::Closure(value) if !self.returns(value.closure.body, &value.closure) => {
                let before = self.storage.clone();
                self.bind_items(value, items);
                self.optional_body(value.closure.body, sink, otherwise);
                self.storage = before;
            }
            function => {
                let item = self.apply_to(function, items, span);
                if !self.diverged {
                    let value = self.item_value(&item, span);
                    self.optional_value(value, sink, otherwise, span);
                }
            }
        }
    }

    fn optional_body(
        &mut self,
        body: ExprId,
        sink: Sink<'_, 'a>,
        otherwise: &dyn Fn(&mut Lower<'a>),
    ) {
        let span = self.span(body);
        match &self.body.expr(body).kind {
            ExprKind::Block { label: None, block } if let Some(value) = block.value => {
                self.statements(&block.stmts, None, &|lower, _| {
                    lower.optional_body(value, sink, otherwise);
                    (!lower.diverged).then(|| lower.unit())
                });
            }
            ExprKind::Call(callee, inside) if self.names_some(*callee) && inside.len() == 1 => {
                let item = self.body_item(inside[0]);
                if !self.diverged {
                    sink(self, item);
                }
            }
            ExprKind::Item(path) if is_variant_of_std(&path.path, &["None"]) => otherwise(self),
            ExprKind::If { .. } | ExprKind::Match(..) => {
                let found = self.choice_of(body, &|lower, arm| {
                    lower.optional_body(arm, sink, otherwise);
                    (!lower.diverged).then(|| lower.unit())
                });
                self.diverged = found.is_none();
            }
            _ => {
                if let Some(lookup) = self.lookup(body) {
                    return self.optional_lookup(lookup, sink, otherwise, span);
                }
                let value = self.owned(body);
                if !self.diverged {
                    self.optional_value(value, sink, otherwise, span);
                }
            }
        }
    }

    fn names_some(&self, callee: ExprId) -> bool {
        match &self.body.expr(callee).kind {
            ExprKind::Item(path) => is_variant_of_std(&path.path, &["Some"]),
            _ => false,
        }
    }

    fn optional_lookup(
        &mut self,
        lookup: super::super::element::Lookup,
        sink: Sink<'_, 'a>,
        otherwise: &dyn Fn(&mut Lower<'a>),
        span: Span,
    ) {
        let present = lookup.present;
        let lookup = std::rc::Rc::new(std::cell::RefCell::new(lookup));
        self.either(
            present,
            &|lower| {
                let item = lower.element_item(&lookup);
                sink(lower, item);
            },
            otherwise,
            span,
        );
    }

    fn optional_value(
        &mut self,
        value: Value,
        sink: Sink<'_, 'a>,
        otherwise: &dyn Fn(&mut Lower<'a>),
        span: Span,
    ) {
        let held = self.held(value, "scrutinee", span);
        let path = Variant::Some.path(span);
        let pattern = Box::new(syn::parse_quote_spanned!(span=> #path(_)));
        let args = self.operands(&held);
        let fits = self.inst(Op::Matches(pattern, Vec::new()), args, Type::Bool, "fits", span);
        self.either(
            fits,
            &|lower| {
                let step = Projection::Variant(Box::new(path.clone()), "0".to_owned());
                let inside = lower.part(&held, step);
                sink(lower, Item::Place(inside, By::Value));
            },
            otherwise,
            span,
        );
    }

    // --- several loops

    /// Counts that the code behind this is lowered twice, unless that makes too much code, which is to be reported.
    pub(in crate::lower) fn may_double(&mut self) -> bool {
        if 2 * self.copies > MOST_COPIES {
            return false;
        }
        self.copies *= 2;
        true
    }

    /// Two loops, unless they make too much code.
    fn one_after_the_other(
        &mut self,
        first: &Stream,
        second: &Stream,
        run: Run,
        sink: Sink<'_, 'a>,
    ) {
        if !self.may_double() {
            self.report_once(run.span, &diag::UNSUPPORTED_ITERATOR, "");
            return;
        }
        self.labelled(run.target, &|lower| {
            let own = Run { target: lower.own_target(), ..run };
            lower.drive(first, own, sink);
            lower.where_live(
                &|lower| {
                    let own = Run { target: lower.own_target(), ..run };
                    lower.drive(second, own, sink);
                },
                run.span,
            );
            (!lower.diverged).then(|| lower.unit())
        });
        self.copies /= 2;
    }

    /// A loop in a loop.
    fn nested(
        &mut self,
        outer: &Stream,
        function: Option<&Function>,
        run: Run,
        sink: Sink<'_, 'a>,
    ) {
        self.drive(outer, run, &|lower, item| {
            let before = lower.storage.clone();
            let inner = match function {
                Some(Function::Closure(value)) => {
                    lower.bind_items(value, &[item]);
                    lower.inner_stream(value.closure.body)
                }
                Some(Function::Path(_) | Function::Variable(_)) => None,
                None => match item {
                    Item::Place(base, by) => {
                        Some(Stream::of(Source::Elements { base, by }, run.span))
                    }
                    Item::Value(value) => {
                        let base = lower.held(value, "held", run.span);
                        Some(Stream::of(Source::Elements { base, by: By::Value }, run.span))
                    }
                    Item::Tuple(_) => None,
                },
            };
            match inner {
                Some(inner) => {
                    let own = Run { target: lower.own_target(), schedule: None, span: run.span };
                    lower.drive(&inner, own, sink);
                }
                None if lower.diverged => {}
                None => lower.refuse_loop(run.span),
            }
            lower.storage = before;
        });
    }

    /// The chain that a closure gives.
    fn inner_stream(&mut self, body: ExprId) -> Option<Stream> {
        match &self.body.expr(body).kind {
            ExprKind::Block { label: None, block } if let Some(value) = block.value => {
                self.statements(&block.stmts, None, &|_, unit| Some(unit));
                if self.diverged { None } else { self.inner_stream(value) }
            }
            _ => self.read_iterable(body),
        }
    }

    // --- sources

    /// The source alone.
    fn over_source(&mut self, stream: &Stream, run: Run, sink: Sink<'_, 'a>) {
        let Source::Successors { first, next } = &stream.source else {
            return self.over_positions(stream, run, sink);
        };
        let span = stream.span;
        let current = self.held(*first, "current", span);
        let start = self.boolean(true);
        let more = self.held(start, "more", span);
        self.counted(run.target, run.schedule, Head::Endless, run.span, &|lower, _| {
            let goes_on = lower.read(&more, span);
            lower.either(
                goes_on,
                &|lower| {
                    let item = lower.read(&current, span);
                    let item = lower.kept(item, span);
                    let item = lower.contents(item, span);
                    let argument = lower.referenced(&Item::Value(item), span);
                    lower.optional(
                        next,
                        &[argument],
                        &|lower, item| {
                            let value = lower.item_value(&item, span);
                            lower.write(&current, value, span);
                        },
                        &|lower| {
                            let off = lower.boolean(false);
                            lower.write(&more, off, span);
                        },
                        span,
                    );
                    if !lower.diverged {
                        sink(lower, Item::Value(item));
                    }
                },
                &|lower| lower.leave(run.target, true),
                span,
            );
        });
    }

    /// A loop over the positions of a chain.
    fn over_positions(&mut self, stream: &Stream, run: Run, sink: Sink<'_, 'a>) {
        let (core, rest) = without_ends(stream);
        let Some(core) = self.prepared(&core) else {
            return self.refuse_loop(stream.span);
        };
        let length = self.length(&core);
        let Some(indices) = length.and_then(|length| self.indices(length, rest, stream.span))
        else {
            return self.refuse_loop(stream.span);
        };
        let Some(high) = indices.high else { return self.endless_positions(stream, run, sink) };
        let low = indices.low.unwrap_or_else(|| self.number(0, stream.span));
        let (mut bounds, mut adaptors) = (vec![low, high], Vec::new());
        if indices.is_reversed {
            adaptors.push(Adaptor::Rev);
        }
        if let Some(step) = indices.step {
            bounds.push(step);
            adaptors.push(Adaptor::StepBy);
        }
        let head = Head::Range(bounds, LoopKind::Range { inclusive: false, adaptors });
        self.over_head(head, run, &|lower, index| {
            let item = lower.item_at(&core, index);
            if !lower.diverged {
                sink(lower, item);
            }
        });
    }

    fn endless_positions(&mut self, stream: &Stream, run: Run, sink: Sink<'_, 'a>) {
        let span = stream.span;
        let Some(stream) = self.prepared(stream) else {
            return self.refuse_loop(span);
        };
        let start = self.number(0, span);
        let next = self.held(start, "next", span);
        self.counted(run.target, run.schedule, Head::Endless, run.span, &|lower, _| {
            let index = lower.counted_up(&next, span);
            let item = lower.item_at(&stream, index);
            if !lower.diverged {
                sink(lower, item);
            }
        });
    }

    /// The indices that `skip`, `take`, `rev` and `step_by` leave.
    fn indices(&mut self, length: Length, stages: &[Stage], span: Span) -> Option<Indices> {
        let high = match length {
            Length::Known(len) => Some(len),
            Length::Endless => None,
        };
        let mut indices = Indices { low: None, high, is_reversed: false, step: None };
        for stage in stages {
            match (stage, indices.is_reversed) {
                (Stage::Rev(_), _) => {
                    indices.high?;
                    indices.is_reversed = !indices.is_reversed;
                }
                (Stage::StepBy(n), _) => indices.step = Some(*n),
                (Stage::Skip(n), false) => indices.low = Some(self.plus(indices.low, *n, span)),
                (Stage::Skip(n), true) => {
                    let high = indices.high?;
                    indices.high = Some(self.integer("saturating_sub", vec![high, *n], span));
                }
                (Stage::Take(n), false) => {
                    let end = self.plus(indices.low, *n, span);
                    indices.high = Some(match indices.high {
                        Some(high) => self.integer("min", vec![high, end], span),
                        None => end,
                    });
                }
                (Stage::Take(n), true) => {
                    let first = self.integer("saturating_sub", vec![indices.high?, *n], span);
                    let low = match indices.low {
                        Some(low) => low,
                        None => self.number(0, span),
                    };
                    indices.low = Some(self.integer("max", vec![low, first], span));
                }
                _ => return None,
            }
        }
        Some(indices)
    }

    /// A sum, where nothing is added to zero.
    fn plus(&mut self, low: Option<Value>, n: Value, span: Span) -> Value {
        match low {
            Some(low) => self.apply("add", vec![low, n], Type::Int, span),
            None => n,
        }
    }
}

/// The chain without the `skip`, `take`, `rev` and `step_by` at its end, and these. What stands behind a `step_by`
/// stays.
fn without_ends(stream: &Stream) -> (Stream, &[Stage]) {
    let is_end = |stage: &Stage| {
        matches!(stage, Stage::Skip(_) | Stage::Take(_) | Stage::Rev(_) | Stage::StepBy(_))
    };
    let stages = &stream.stages;
    let mut start = stages.len();
    let is_step = |stage: &Stage| matches!(stage, Stage::StepBy(_));
    while start > 0
        && is_end(&stages[start - 1])
        && (start == stages.len() || !is_step(&stages[start - 1]))
    {
        start -= 1;
    }
    let mut core = Stream::of(stream.source.clone(), stream.span);
    core.stages = stages[..start].to_vec();
    (core, &stages[start..])
}

/// A range with nothing but `rev` and one `step_by` behind it: it stays, since its type is not known.
pub(super) fn native_range(stream: &Stream) -> Option<Head> {
    let Source::Range(numbers) = &stream.source else { return None };
    let (mut bounds, mut adaptors) = (vec![numbers.start, numbers.end?], Vec::new());
    for stage in &stream.stages {
        match stage {
            Stage::Rev(_) => adaptors.push(Adaptor::Rev),
            Stage::StepBy(step) if !adaptors.contains(&Adaptor::StepBy) => {
                bounds.push(*step);
                adaptors.push(Adaptor::StepBy);
            }
            _ => return None,
        }
    }
    Some(Head::Range(bounds, LoopKind::Range { inclusive: numbers.inclusive, adaptors }))
}
