//! The loop of a chain, with the rest of the chain as its body.
//!
//! In: a chain, and what is done with an element. Out: statements, of which the last is the loop. An adaptor
//! that leaves elements out is an `if` around the body, one that ends early leaves the loop.

use super::copies::{MOST, copies};
use super::item::Item;
use super::position::{Length, is_zero};
use super::source::{Source, chain};
use super::{Adaptor, Chain, Sink};
use crate::lower::builtin::is_variant_of_std;
use crate::lower::desugar::{Desugar, scrutinee};
use proc_macro2::Ident;
use syn::{Expr, ExprClosure, Lifetime, Stmt, parse_quote};

/// Which indices a loop goes through, and in which order.
struct Span {
    low: Expr,
    high: Expr,
    is_reversed: bool,
    /// What stands behind the range.
    step: Option<Expr>,
}

/// Two variables that count: how many elements there were, and the position of this one.
struct Counter {
    seen: Ident,
    position: Ident,
}

impl Counter {
    fn step(&self, body: Vec<Stmt>) -> Vec<Stmt> {
        let Counter { seen, position } = self;
        let count = [parse_quote!(let #position = #seen;), parse_quote!(#seen += 1;)];
        count.into_iter().chain(body).collect()
    }
}

impl<'m> Desugar<'m> {
    /// The loop. A label that is given names the loop: leaving it leaves the chain.
    pub(super) fn drive(
        &mut self,
        whole: &Chain,
        label: Option<&Lifetime>,
        sink: Sink<'_, 'm>,
    ) -> Option<Vec<Stmt>> {
        if let Some(range) = native_range(whole) {
            return self.over_range(&range, label, sink);
        }
        let Some((inner, last)) = whole.split_last() else {
            return self.over_source(whole, label, sink);
        };
        match last {
            Adaptor::Map(closure) => self.drive(&inner, label, &mut |this, item| {
                let mut out = Vec::new();
                let item = this.apply(closure, &[item], &mut out)?;
                out.extend(sink(this, item)?);
                Some(out)
            }),
            Adaptor::Copied => {
                self.drive(&inner, label, &mut |this, item| sink(this, item.copied()))
            }
            Adaptor::Inspect(closure) => self.drive(&inner, label, &mut |this, item| {
                let mut out = Vec::new();
                let item = this.inspected(closure, item, &mut out)?;
                out.extend(sink(this, item)?);
                Some(out)
            }),
            Adaptor::Chain(second) => self.one_after_the_other(&inner, second, label, sink),
            Adaptor::FlatMap(closure) => self.nested(&inner, Some(closure), label, sink),
            Adaptor::Flatten => self.nested(&inner, None, label, sink),
            _ if whole.is_indexed() => self.over_indices(whole, label, sink),
            last => self.selected(&inner, last, label, sink),
        }
    }

    /// Adaptors that leave out some elements.
    fn selected(
        &mut self,
        inner: &Chain,
        last: &Adaptor,
        label: Option<&Lifetime>,
        sink: Sink<'_, 'm>,
    ) -> Option<Vec<Stmt>> {
        match last {
            Adaptor::Filter(closure) => self.drive(inner, label, &mut |this, item| {
                let mut out = Vec::new();
                let (item, condition) = this.tested(closure, item, &mut out)?;
                let body = sink(this, item)?;
                out.push(parse_quote!(if #condition { #(#body)* }));
                Some(out)
            }),
            Adaptor::TakeWhile(closure) => {
                let label = &self.label_of(label);
                self.drive(inner, Some(label), &mut |this, item| {
                    let mut out = Vec::new();
                    let (item, condition) = this.tested(closure, item, &mut out)?;
                    let body = sink(this, item)?;
                    out.push(parse_quote!(if !(#condition) { break #label; }));
                    out.extend(body);
                    Some(out)
                })
            }
            Adaptor::SkipWhile(closure) => self.skip_while(inner, closure, label, sink),
            Adaptor::FilterMap(closure) => self
                .drive(inner, label, &mut |this, item| this.optional(closure, &[item], &[], sink)),
            Adaptor::MapWhile(closure) => {
                let label = &self.label_of(label);
                let stop: Stmt = parse_quote!(break #label;);
                self.drive(inner, Some(label), &mut |this, item| {
                    this.optional(closure, &[item], std::slice::from_ref(&stop), sink)
                })
            }
            Adaptor::Scan(state, closure) => {
                let label = &self.label_of(label);
                let stop: Stmt = parse_quote!(break #label;);
                let state = Item::Place(state.clone(), super::item::Passing::Unique);
                self.drive(inner, Some(label), &mut |this, item| {
                    let args = [state.clone(), item];
                    this.optional(closure, &args, std::slice::from_ref(&stop), sink)
                })
            }
            last => self.counted(inner, last, label, sink),
        }
    }

    /// Adaptors that count, on elements that have no positions.
    fn counted(
        &mut self,
        inner: &Chain,
        last: &Adaptor,
        label: Option<&Lifetime>,
        sink: Sink<'_, 'm>,
    ) -> Option<Vec<Stmt>> {
        let counter = Counter { seen: self.fresh("seen"), position: self.fresh("position") };
        let position = &counter.position;
        let looped = match last {
            Adaptor::Enumerate => self.drive(inner, label, &mut |this, item| {
                let number = Item::Value(parse_quote!(#position));
                Some(counter.step(sink(this, Item::Tuple(vec![number, item]))?))
            })?,
            Adaptor::Skip(n) => self.drive(inner, label, &mut |this, item| {
                let body = sink(this, item)?;
                Some(counter.step(vec![parse_quote!(if #position >= #n { #(#body)* })]))
            })?,
            Adaptor::StepBy(n) => self.drive(inner, label, &mut |this, item| {
                let body = sink(this, item)?;
                Some(counter.step(vec![parse_quote!(if #position % #n == 0 { #(#body)* })]))
            })?,
            Adaptor::Take(n) => self.taken(inner, n, &counter, label, sink)?,
            Adaptor::Zip(other) if other.is_indexed() => {
                self.beside_positions(inner, other, &counter, label, sink)?
            }
            Adaptor::Zip(other) if inner.is_indexed() => {
                self.positions_beside(inner, other, &counter, label, sink)?
            }
            _ => return None,
        };
        let seen = &counter.seen;
        let start = parse_quote!(let mut #seen = 0;);
        Some(std::iter::once(start).chain(looped).collect())
    }

    /// The first elements: the next one is not even made.
    fn taken(
        &mut self,
        inner: &Chain,
        n: &Expr,
        counter: &Counter,
        label: Option<&Lifetime>,
        sink: Sink<'_, 'm>,
    ) -> Option<Vec<Stmt>> {
        let (label, seen) = (&self.label_of(label), &counter.seen);
        let looped = self.drive(inner, Some(label), &mut |this, item| {
            let mut body = sink(this, item)?;
            body.push(parse_quote!(if #seen == #n { break #label; }));
            Some(counter.step(body))
        })?;
        Some(vec![parse_quote!(if #n > 0 { #(#looped)* })])
    }

    /// Pairs whose second has positions.
    fn beside_positions(
        &mut self,
        inner: &Chain,
        other: &Chain,
        counter: &Counter,
        label: Option<&Lifetime>,
        sink: Sink<'_, 'm>,
    ) -> Option<Vec<Stmt>> {
        let (label, position) = (&self.label_of(label), &counter.position);
        let (len, mut before) = (other.length()?, Vec::new());
        let looped = self.drive(inner, Some(label), &mut |this, item| {
            let mut body = Vec::new();
            if let Length::Known(len) = &len {
                body.push(parse_quote!(if #position >= #len { break #label; }));
            }
            let at = parse_quote!(#position);
            let other = this.item_at(other, &at, &mut before, &mut body)?;
            body.extend(sink(this, Item::Tuple(vec![item, other]))?);
            Some(counter.step(body))
        })?;
        before.extend(looped);
        Some(before)
    }

    /// Pairs whose first has positions.
    fn positions_beside(
        &mut self,
        inner: &Chain,
        other: &Chain,
        counter: &Counter,
        label: Option<&Lifetime>,
        sink: Sink<'_, 'm>,
    ) -> Option<Vec<Stmt>> {
        let Length::Known(len) = inner.length()? else { return None };
        let (label, seen, position) = (&self.label_of(label), &counter.seen, &counter.position);
        let mut before = Vec::new();
        let looped = self.drive(other, Some(label), &mut |this, item| {
            let (mut body, at) = (Vec::new(), parse_quote!(#position));
            let first = this.item_at(inner, &at, &mut before, &mut body)?;
            body.extend(sink(this, Item::Tuple(vec![first, item]))?);
            body.push(parse_quote!(if #seen >= #len { break #label; }));
            Some(counter.step(body))
        })?;
        before.push(parse_quote!(if #len > 0 { #(#looped)* }));
        Some(before)
    }

    fn skip_while(
        &mut self,
        inner: &Chain,
        closure: &ExprClosure,
        label: Option<&Lifetime>,
        sink: Sink<'_, 'm>,
    ) -> Option<Vec<Stmt>> {
        let skips = self.fresh("skips");
        let looped = self.drive(inner, label, &mut |this, item| {
            let (mut out, mut test) = (Vec::new(), Vec::new());
            let item = this.settled(item, &mut out);
            let (item, condition) = this.tested(closure, item, &mut test)?;
            let body = sink(this, item)?;
            out.push(parse_quote!(if #skips { #(#test)* #skips = #condition; }));
            out.push(parse_quote!(if !#skips { #(#body)* }));
            Some(out)
        })?;
        let mut stmts: Vec<Stmt> = vec![parse_quote!(let mut #skips = true;)];
        stmts.extend(looped);
        Some(stmts)
    }

    /// An element, and whether a closure says yes to it.
    fn tested(
        &mut self,
        closure: &ExprClosure,
        item: Item,
        out: &mut Vec<Stmt>,
    ) -> Option<(Item, Expr)> {
        let item = self.settled(item, out);
        let condition = self.apply_to_reference(closure, &item, out)?.value();
        Some((item, condition))
    }

    /// A closure whose value is an `Option`: what is done with what is inside, or else.
    fn optional(
        &mut self,
        closure: &ExprClosure,
        args: &[Item],
        otherwise: &[Stmt],
        sink: Sink<'_, 'm>,
    ) -> Option<Vec<Stmt>> {
        let mut out = Vec::new();
        let body = self.entered(closure, args, &mut out)?;
        out.extend(self.optional_body(&body, otherwise, sink)?);
        Some(out)
    }

    fn optional_body(
        &mut self,
        body: &Expr,
        otherwise: &[Stmt],
        sink: Sink<'_, 'm>,
    ) -> Option<Vec<Stmt>> {
        if let Some(value) = super::source::sole_argument(body, "Some") {
            let item = self.fresh("item");
            let mut out: Vec<Stmt> = vec![parse_quote!(let #item = #value;)];
            out.extend(sink(self, Item::Value(parse_quote!(#item)))?);
            return Some(out);
        }
        if matches!(body, Expr::Path(path) if is_variant_of_std(&path.path, &["None"])) {
            return Some(otherwise.to_vec());
        }
        if let Expr::If(branch) = body
            && !matches!(*branch.cond, Expr::Let(_))
            && let Some((_, other)) = &branch.else_branch
        {
            let condition = &branch.cond;
            let mut then = Vec::new();
            let value = tail(&branch.then_branch, &mut then)?;
            then.extend(self.optional_body(&value, otherwise, sink)?);
            let mut rest = Vec::new();
            let value = match &**other {
                Expr::Block(block) => tail(&block.block, &mut rest)?,
                other => other.clone(),
            };
            rest.extend(self.optional_body(&value, otherwise, sink)?);
            return Some(vec![parse_quote!(if #condition { #(#then)* } else { #(#rest)* })]);
        }
        let (item, body) = (self.fresh("item"), scrutinee(body));
        let then = sink(self, Item::Value(parse_quote!(#item)))?;
        Some(vec![parse_quote!(match #body {
            ::core::option::Option::Some(#item) => { #(#then)* }
            ::core::option::Option::None => { #(#otherwise)* }
        })])
    }

    /// Two loops, unless they make too much code. Where the whole may be left, they stand in a loop that runs once.
    fn one_after_the_other(
        &mut self,
        first: &Chain,
        second: &Chain,
        label: Option<&Lifetime>,
        sink: Sink<'_, 'm>,
    ) -> Option<Vec<Stmt>> {
        let mut stmts = self.drive(first, None, sink)?;
        stmts.extend(self.drive(second, None, sink)?);
        if 2 * copies(&stmts) > MOST {
            return None;
        }
        Some(match label {
            Some(label) => vec![parse_quote!(#label: loop { #(#stmts)* break; })],
            None => vec![parse_quote!({ #(#stmts)* })],
        })
    }

    /// A loop in a loop.
    fn nested(
        &mut self,
        outer: &Chain,
        closure: Option<&ExprClosure>,
        label: Option<&Lifetime>,
        sink: Sink<'_, 'm>,
    ) -> Option<Vec<Stmt>> {
        self.drive(outer, label, &mut |this, item| {
            let mut out = Vec::new();
            let inner = match closure {
                Some(closure) => this.entered(closure, &[item], &mut out)?,
                None => item.reference(),
            };
            let inner = this.read_iterable(&inner, &mut out)?;
            out.extend(this.drive(&inner, None, sink)?);
            Some(out)
        })
    }

    /// The source alone.
    fn over_source(
        &mut self,
        whole: &Chain,
        label: Option<&Lifetime>,
        sink: Sink<'_, 'm>,
    ) -> Option<Vec<Stmt>> {
        let Source::Successors { first, next } = &whole.source else {
            return self.over_indices(whole, label, sink);
        };
        let (item, current) = (self.fresh("item"), self.fresh("current"));
        let (more, label) = (self.fresh("more"), label.into_iter());
        let mut out: Vec<Stmt> = vec![parse_quote!(let #item = #current;)];
        let held = Item::Value(parse_quote!(#item));
        let stop: Stmt = parse_quote!(#more = false;);
        let (next, held) = self.nearer(next, &[held])?;
        out.extend(self.optional(&next, &held, &[stop], &mut |_, item| {
            let value = item.value();
            Some(vec![parse_quote!(#current = #value;)])
        })?);
        out.extend(sink(self, Item::Value(parse_quote!(#item)))?);
        Some(vec![
            parse_quote!(let mut #current = #first;),
            parse_quote!(let mut #more = true;),
            parse_quote!(#(#label:)* while #more { #(#out)* }),
        ])
    }

    /// A range as it stands, of whatever type.
    fn over_range(
        &mut self,
        range: &Expr,
        label: Option<&Lifetime>,
        sink: Sink<'_, 'm>,
    ) -> Option<Vec<Stmt>> {
        let (index, label) = (self.fresh("index"), label.into_iter());
        let body = sink(self, Item::Value(parse_quote!(#index)))?;
        Some(vec![parse_quote!(#(#label:)* for #index in #range { #(#body)* })])
    }

    /// A loop over the indices of a chain whose elements have positions.
    fn over_indices(
        &mut self,
        whole: &Chain,
        label: Option<&Lifetime>,
        sink: Sink<'_, 'm>,
    ) -> Option<Vec<Stmt>> {
        let (core, rest) = without_spans(whole);
        let mut before = Vec::new();
        let Some(span) = self.span(core.length()?, rest, &mut before)? else {
            return self.endless(whole, label, sink);
        };
        let index = self.fresh("index");
        let mut body = Vec::new();
        let item = self.item_at(&core, &parse_quote!(#index), &mut before, &mut body)?;
        body.extend(sink(self, item)?);
        let (label, range) = (label.into_iter(), span.range());
        before.push(parse_quote!(#(#label:)* for #index in #range { #(#body)* }));
        Some(before)
    }

    fn endless(
        &mut self,
        whole: &Chain,
        label: Option<&Lifetime>,
        sink: Sink<'_, 'm>,
    ) -> Option<Vec<Stmt>> {
        let (index, next) = (self.fresh("index"), self.fresh("next"));
        let mut before: Vec<Stmt> = vec![parse_quote!(let mut #next = 0;)];
        let mut body: Vec<Stmt> =
            vec![parse_quote!(let #index = #next;), parse_quote!(#next += 1;)];
        let item = self.item_at(whole, &parse_quote!(#index), &mut before, &mut body)?;
        body.extend(sink(self, item)?);
        let label = label.into_iter();
        before.push(parse_quote!(#(#label:)* loop { #(#body)* }));
        Some(before)
    }

    /// The indices that `skip`, `take`, `rev` and `step_by` leave. `None` inside where they have no end.
    fn span(
        &mut self,
        length: Length,
        adaptors: &[Adaptor],
        before: &mut Vec<Stmt>,
    ) -> Option<Option<Span>> {
        let mut low: Expr = parse_quote!(0);
        let mut high = match length {
            Length::Known(len) => Some(len),
            Length::Endless => None,
        };
        let (mut is_reversed, mut step) = (false, None);
        for adaptor in adaptors {
            match (adaptor, is_reversed) {
                (Adaptor::Rev, _) => {
                    high.as_ref()?;
                    is_reversed = !is_reversed;
                }
                (Adaptor::StepBy(n), _) => step = Some(n.clone()),
                (Adaptor::Skip(n), false) => low = sum(&low, n),
                (Adaptor::Skip(n), true) => {
                    high = high.map(|high| parse_quote!(#high.saturating_sub(#n)));
                }
                (Adaptor::Take(n), false) => {
                    let end = sum(&low, n);
                    high = Some(match high {
                        Some(high) => parse_quote!(#high.min(#end)),
                        None => end,
                    });
                }
                (Adaptor::Take(n), true) => {
                    let high = high.as_ref()?;
                    low = parse_quote!(#low.max(#high.saturating_sub(#n)));
                }
                _ => return None,
            }
            if let (Adaptor::Skip(_) | Adaptor::Take(_), Some(end)) = (adaptor, &mut high) {
                *end = self.operand("len", end, before);
                low = if is_zero(&low) { low } else { self.operand("first", &low, before) };
            }
        }
        Some(high.map(|high| Span { low, high, is_reversed, step }))
    }

    /// The label that is there, or a new one.
    fn label_of(&mut self, label: Option<&Lifetime>) -> Lifetime {
        label.cloned().unwrap_or_else(|| self.label("chain"))
    }
}

impl Span {
    fn range(&self) -> Expr {
        let Span { low, high, .. } = self;
        let mut range: Expr = parse_quote!(#low..#high);
        if self.is_reversed {
            range = parse_quote!((#range).rev());
        }
        if let Some(step) = &self.step {
            range = match self.is_reversed {
                true => parse_quote!(#range.step_by(#step)),
                false => parse_quote!((#range).step_by(#step)),
            };
        }
        range
    }
}

/// The chain without the `skip`, `take`, `rev` and `step_by` at its end, and these. What stands behind a
/// `step_by` stays.
fn without_spans(whole: &Chain) -> (Chain, &[Adaptor]) {
    let is_span = |adaptor: &Adaptor| {
        matches!(adaptor, Adaptor::Skip(_) | Adaptor::Take(_) | Adaptor::Rev | Adaptor::StepBy(_))
    };
    let adaptors = &whole.adaptors;
    let mut start = adaptors.len();
    let is_step = |adaptor: &Adaptor| matches!(adaptor, Adaptor::StepBy(_));
    while start > 0
        && is_span(&adaptors[start - 1])
        && (start == adaptors.len() || !is_step(&adaptors[start - 1]))
    {
        start -= 1;
    }
    let core = Chain { adaptors: adaptors[..start].to_vec(), ..chain(whole.source.clone()) };
    (core, &adaptors[start..])
}

/// A range with nothing but `rev` and one `step_by` behind it: it stays, since its type is not known.
pub(super) fn native_range(whole: &Chain) -> Option<Expr> {
    let Source::Range { start, end: Some(end), inclusive, .. } = &whole.source else { return None };
    let mut range: Expr = match inclusive {
        true => parse_quote!((#start..=#end)),
        false => parse_quote!((#start..#end)),
    };
    let mut steps = 0;
    for adaptor in &whole.adaptors {
        range = match adaptor {
            Adaptor::Rev => parse_quote!(#range.rev()),
            Adaptor::StepBy(n) => {
                steps += 1;
                parse_quote!(#range.step_by(#n))
            }
            _ => return None,
        };
    }
    (steps < 2).then_some(range)
}

/// The value of a block, whose statements go out.
fn tail(block: &syn::Block, out: &mut Vec<Stmt>) -> Option<Expr> {
    let (last, rest) = block.stmts.split_last()?;
    let Stmt::Expr(value, None) = last else { return None };
    out.extend_from_slice(rest);
    Some(value.clone())
}

/// A sum, where nothing is added to zero.
pub fn sum(start: &Expr, len: &Expr) -> Expr {
    if is_zero(start) { len.clone() } else { parse_quote!((#start + #len)) }
}
