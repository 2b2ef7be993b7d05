//! Chains of which one element comes out: `max_by`, `last`, `find`, `position`, `reduce` and kin.
//!
//! In: a chain, or what unwraps its value. Out: a [`Chosen`]: statements that look for the element, the
//! condition for there to be none, and the element. An `Option` is made only where one is asked for.

use super::Chain;
use super::closure::is_quiet;
use super::item::{Item, Passing};
use super::position::Length;
use super::source::{self, Source};
use crate::lower::desugar::Desugar;
use crate::lower::desugar::test::{Mode, Subject};
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprClosure, Stmt, parse_quote};

/// One element, if it is there.
struct Chosen {
    before: Vec<Stmt>,
    /// The condition for none to be there.
    is_absent: Expr,
    /// What makes the element, once it is known to be there.
    out: Vec<Stmt>,
    item: Item,
}

impl Chosen {
    fn option(self) -> Expr {
        let Chosen { before, is_absent, out, item } = self;
        let value = item.value();
        parse_quote!({
            #(#before)*
            if #is_absent {
                ::core::option::Option::None
            } else {
                #(#out)*
                ::core::option::Option::Some(#value)
            }
        })
    }

    /// The element, where it must be there: statements that make it.
    fn present(self, message: &Expr) -> (Vec<Stmt>, Item) {
        let Chosen { mut before, is_absent, out, item } = self;
        before.push(parse_quote!(if #is_absent { ::core::panic!("{}", #message); }));
        before.extend(out);
        (before, item)
    }
}

impl<'m> Desugar<'m> {
    /// `*x.iter().max_by(..).unwrap()` and the like; an element alone is an `Option`.
    pub(in crate::lower::desugar) fn chosen(&mut self, expr: &Expr) -> Option<Expr> {
        match expr {
            Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr, .. }) => {
                let Expr::MethodCall(call) = &**expr else { return None };
                self.unwrapped(call)
            }
            Expr::MethodCall(call) => match self.choice_of(expr) {
                Some(chosen) => Some(chosen.option()),
                None => self.unwrapped(call),
            },
            _ => None,
        }
    }

    /// `let v = x.iter().max_by(..).unwrap();` names the element where it is.
    pub(in crate::lower::desugar) fn chosen_names(
        &mut self,
        local: &syn::Local,
    ) -> Option<Vec<Stmt>> {
        let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
        let Expr::MethodCall(call) = &*init.expr else { return None };
        let message = message(call)?;
        let (mut stmts, item) = self.choice_of(&call.receiver)?.present(&message);
        self.bind_item(&local.pat, &item, &mut stmts)?;
        Some(stmts)
    }

    /// An element that is matched on, as a place.
    pub(in crate::lower::desugar) fn chosen_subject(
        &mut self,
        expr: &Expr,
        before: &mut Vec<Stmt>,
    ) -> Option<Subject> {
        let chosen = self.choice_of(expr).filter(|chosen| chosen.out.is_empty())?;
        let Item::Place(place, passing) = chosen.item else { return None };
        let stmts = chosen.before;
        let mut made: syn::Block = parse_quote!({ #(#stmts)* });
        self.visit_block_mut(&mut made);
        before.append(&mut made.stmts);
        let mode = match passing {
            Passing::Owned => Mode::Move,
            passing => Mode::Borrow(passing == Passing::Unique),
        };
        let is_absent = chosen.is_absent;
        let presence = Some(parse_quote!(!(#is_absent)));
        Some(Subject { mode, presence, ..Subject::value(place) })
    }

    /// Whether an expression may be one element of a chain: then it is left to what matches on it.
    pub(in crate::lower::desugar) fn is_choice(&mut self, expr: &Expr) -> bool {
        let count = self.count;
        let is_place = self
            .choice_of(expr)
            .is_some_and(|chosen| chosen.out.is_empty() && matches!(chosen.item, Item::Place(..)));
        self.count = count;
        is_place
    }

    fn unwrapped(&mut self, call: &syn::ExprMethodCall) -> Option<Expr> {
        if let Some(message) = message(call) {
            let (stmts, item) = self.choice_of(&call.receiver)?.present(&message);
            let value = item.value();
            return Some(parse_quote!({ #(#stmts)* #value }));
        }
        let default: Expr = match (call.method.to_string().as_str(), call.args.first()) {
            ("unwrap_or", Some(default)) => referent(default).clone(),
            ("unwrap_or_default", None) => parse_quote!(::core::default::Default::default()),
            _ => return None,
        };
        let Chosen { before, is_absent, out, item } = self.choice_of(&call.receiver)?;
        let (name, value) = (self.fresh("default"), item.value());
        Some(parse_quote!({
            #(#before)*
            let #name = #default;
            if #is_absent { #name } else { #(#out)* #value }
        }))
    }

    fn choice_of(&mut self, expr: &Expr) -> Option<Chosen> {
        let Expr::MethodCall(call) = expr else { return None };
        let name = call.method.to_string();
        if matches!(name.as_str(), "copied" | "cloned") && call.args.is_empty() {
            let chosen = self.choice_of(&call.receiver)?;
            return Some(Chosen { item: chosen.item.copied(), ..chosen });
        }
        if !CHOICES.contains(&name.as_str()) {
            return None;
        }
        let call = self.apart(call)?;
        let mut before = Vec::new();
        let mut chain = self.read_chain(&call.receiver, &mut before)?;
        let args: Vec<&Expr> = call.args.iter().collect();
        if name != "position" {
            let stops = matches!(name.as_str(), "find" | "nth" | "next");
            if stops && !chain.may_run_on() || !args.iter().all(|arg| is_quiet_operand(arg)) {
                return None;
            }
            chain = self.kept_elements(chain, &mut before)?;
        }
        let mut chosen = self.chosen_element(&chain, &name, &args)?;
        chosen.before.splice(..0, before);
        Some(chosen)
    }

    fn chosen_element(&mut self, chain: &Chain, name: &str, args: &[&Expr]) -> Option<Chosen> {
        match (name, args) {
            ("last", []) => self.last(chain),
            ("nth", [n]) => self.element_at(chain, n),
            ("next", []) => self.element_at(chain, &parse_quote!(0)),
            ("min_by" | "max_by", [compare]) => {
                let compare = self.function(compare, 2)?;
                self.extreme(chain, &Order::By(compare), name == "max_by")
            }
            ("min" | "max", []) => self.extreme(chain, &Order::Natural, name == "max"),
            ("reduce", [step]) => {
                let step = self.function(step, 2)?;
                self.reduce(chain, &step)
            }
            ("position", [test]) => {
                let test = self.function(test, 1)?;
                self.position(chain, &test)
            }
            ("find", [test]) => {
                let test = self.function(test, 1)?;
                self.find(chain, &test)
            }
            _ => None,
        }
    }
}

/// The methods of an iterator that are understood here.
const CHOICES: [&str; 10] =
    ["last", "nth", "next", "min_by", "max_by", "min", "max", "reduce", "position", "find"];

/// Whether an operand that is a closure changes nothing.
fn is_quiet_operand(operand: &Expr) -> bool {
    match operand {
        Expr::Closure(closure) => is_quiet(closure, false),
        _ => true,
    }
}

/// What `unwrap` and `expect` say where there is nothing.
fn message(call: &syn::ExprMethodCall) -> Option<Expr> {
    match (call.method.to_string().as_str(), call.args.first()) {
        ("unwrap", None) => Some(parse_quote!("called `Option::unwrap()` on a `None` value")),
        ("expect", Some(message)) => Some(message.clone()),
        _ => None,
    }
}

/// What becomes of the element held so far, given the next one.
type Step<'s, 'm> = &'s mut dyn FnMut(&mut Desugar<'m>, &Expr, Item) -> Option<Vec<Stmt>>;

/// How two elements are compared.
enum Order {
    Natural,
    By(ExprClosure),
}

impl<'m> Desugar<'m> {
    /// The element of an index that is not known to be there.
    fn element_at(&mut self, chain: &Chain, n: &Expr) -> Option<Chosen> {
        let (mut before, mut out) = (Vec::new(), Vec::new());
        let index = self.operand("index", n, &mut before);
        let item = self.item_at(chain, &index, &mut before, &mut out)?;
        let is_absent = match chain.length()? {
            Length::Known(len) => parse_quote!(#index >= #len),
            Length::Endless => parse_quote!(false),
        };
        Some(Chosen { before, is_absent, out, item })
    }

    fn last(&mut self, chain: &Chain) -> Option<Chosen> {
        let (mut before, mut out) = (Vec::new(), Vec::new());
        let count = self.count_of(chain, &mut before)?;
        let index = self.fresh("index");
        let item = self.item_at(chain, &parse_quote!(#index), &mut before, &mut out)?;
        before.push(parse_quote!(let #index = #count.saturating_sub(1);));
        Some(Chosen { before, is_absent: parse_quote!(#count == 0), out, item })
    }

    /// A chain whose elements have no positions, as the vector of its elements.
    fn kept_elements(&mut self, chain: Chain, before: &mut Vec<Stmt>) -> Option<Chain> {
        if chain.is_random_access() {
            return Some(chain);
        }
        let kept = self.fresh("kept");
        let looped = self.drive(&chain, None, &mut |_, item| {
            let value = item.copied().value();
            Some(vec![parse_quote!(#kept.push(#value);)])
        })?;
        before.push(parse_quote!(let mut #kept = ::cotangent::__private::Vec::new();));
        before.extend(looped);
        let base = parse_quote!(#kept);
        Some(source::chain(Source::Elements { base, passing: Passing::Owned }))
    }

    /// A name for the number of elements.
    fn count_of(&mut self, chain: &Chain, before: &mut Vec<Stmt>) -> Option<Expr> {
        let Length::Known(len) = chain.length()? else { return None };
        Some(self.operand("len", &len, before))
    }

    /// An indexed chain from its second element on, with what is held so far; the first is held first.
    fn with_first_held(&mut self, chain: &Chain, step: Step<'_, 'm>) -> Option<Chosen> {
        let (held, index) = (self.fresh("held"), self.fresh("index"));
        let place: Expr = parse_quote!(#held);
        let (mut before, mut out, mut body) = (Vec::new(), Vec::new(), Vec::new());
        let count = self.count_of(chain, &mut before)?;
        let item = self.item_at(chain, &parse_quote!(0), &mut before, &mut out)?;
        let initial = item.copied().value();
        let item = self.item_at(chain, &parse_quote!(#index), &mut before, &mut body)?;
        let item = self.settled(item, &mut body);
        body.extend(step(self, &place, item)?);
        out.push(parse_quote!(let mut #held = #initial;));
        out.push(parse_quote!(for #index in 1..#count { #(#body)* }));
        Some(Chosen { before, is_absent: parse_quote!(#count == 0), out, item: Item::Value(place) })
    }

    fn reduce(&mut self, chain: &Chain, step: &ExprClosure) -> Option<Chosen> {
        self.with_first_held(chain, &mut |this, held, item| {
            let mut out = Vec::new();
            let state = Item::Value(held.clone());
            let value = this.entered(step, &[state, item], &mut out)?;
            out.push(parse_quote!(#held = #value;));
            Some(out)
        })
    }

    /// The greatest or the least: the index of the best is held.
    fn extreme(&mut self, chain: &Chain, order: &Order, greatest: bool) -> Option<Chosen> {
        let (best, index) = (self.fresh("best"), self.fresh("index"));
        let (mut before, mut body, mut out) = (Vec::new(), Vec::new(), Vec::new());
        let count = self.count_of(chain, &mut before)?;
        let held = self.item_at(chain, &parse_quote!(#best), &mut before, &mut body)?;
        let item = self.item_at(chain, &parse_quote!(#index), &mut before, &mut body)?;
        let better = self.is_better(order, (&held, &item), greatest, &mut body)?;
        let item = self.item_at(chain, &parse_quote!(#best), &mut before, &mut out)?;
        before.push(parse_quote!(let mut #best = 0;));
        before.push(parse_quote!(for #index in 1..#count {
            #(#body)*
            if #better { #best = #index; }
        }));
        Some(Chosen { before, is_absent: parse_quote!(#count == 0), out, item })
    }

    /// Whether an element takes the place of the one held: among equals the last is the greatest, and the
    /// first the least.
    fn is_better(
        &mut self,
        order: &Order,
        (held, item): (&Item, &Item),
        greatest: bool,
        out: &mut Vec<Stmt>,
    ) -> Option<Expr> {
        let is_greater = match order {
            Order::Natural => {
                let (held, item) = (held.value(), item.value());
                parse_quote!((#held > #item))
            }
            Order::By(compare) => {
                let (compare, args) = self.nearer(compare, &[held.clone(), item.clone()])?;
                let body = self.entered(&compare, &args, out)?;
                greater(&body, out)?
            }
        };
        Some(if greatest { parse_quote!(!#is_greater) } else { is_greater })
    }

    fn position(&mut self, chain: &Chain, test: &ExprClosure) -> Option<Chosen> {
        let (seen, found) = (self.fresh("seen"), self.fresh("found"));
        let label = self.label("chain");
        let looped = self.drive(chain, Some(&label), &mut |this, item| {
            let mut out = Vec::new();
            let condition = this.apply(test, &[item], &mut out)?.value();
            out.push(parse_quote!(if #condition { #found = true; break #label; }));
            out.push(parse_quote!(#seen += 1;));
            Some(out)
        })?;
        let mut before: Vec<Stmt> =
            vec![parse_quote!(let mut #seen = 0usize;), parse_quote!(let mut #found = false;)];
        before.extend(looped);
        let item = Item::Value(parse_quote!(#seen));
        Some(Chosen { before, is_absent: parse_quote!(!#found), out: Vec::new(), item })
    }

    /// The first element that a closure says yes to: its index is looked for.
    fn find(&mut self, chain: &Chain, test: &ExprClosure) -> Option<Chosen> {
        let (index, at, label) = (self.fresh("index"), self.fresh("found"), self.label("chain"));
        let (mut before, mut body, mut out) = (Vec::new(), Vec::new(), Vec::new());
        let count = self.count_of(chain, &mut before)?;
        let item = self.item_at(chain, &parse_quote!(#index), &mut before, &mut body)?;
        let item = self.settled(item, &mut body);
        let condition = self.apply_to_reference(test, &item, &mut body)?.value();
        let item = self.item_at(chain, &parse_quote!(#at), &mut before, &mut out)?;
        before.push(parse_quote!(let mut #at = #count;));
        before.push(parse_quote!(#label: for #index in 0..#count {
            #(#body)*
            if #condition { #at = #index; break #label; }
        }));
        Some(Chosen { before, is_absent: parse_quote!(#at == #count), out, item })
    }
}

impl Chain {
    /// Whether it makes no difference if elements are made that nobody asks for.
    fn may_run_on(&self) -> bool {
        self.is_random_access() || !self.source.is_endless() && self.is_quiet()
    }
}

/// Whether a comparison's outcome is `Greater`, as a condition.
pub(super) fn greater(comparison: &Expr, out: &mut Vec<Stmt>) -> Option<Expr> {
    let call = match comparison {
        Expr::MethodCall(call) => call,
        Expr::Call(call) => &by_method(call)?,
        _ => return None,
    };
    let method = call.method.to_string();
    if let ("unwrap" | "expect" | "unwrap_or", Expr::MethodCall(inner)) =
        (method.as_str(), &*call.receiver)
        && inner.method == "partial_cmp"
    {
        let (left, right) = (&inner.receiver, referent(inner.args.first()?));
        let message: Expr = match (method.as_str(), call.args.first()) {
            ("unwrap_or", Some(other)) if ends_in(other, "Greater") => return None,
            ("unwrap_or", _) => return Some(parse_quote!(((#left) > (#right)))),
            (_, Some(message)) => message.clone(),
            _ => parse_quote!("called `Option::unwrap()` on a `None` value"),
        };
        out.push(parse_quote!(if !((#left) <= (#right)) && !((#left) > (#right)) {
            ::core::panic!("{}", #message);
        }));
        return Some(parse_quote!(((#left) > (#right))));
    }
    let (left, right) = (&call.receiver, referent(call.args.first()?));
    match method.as_str() {
        "total_cmp" => {
            Some(parse_quote!(((#left).total_cmp(&(#right)) == ::core::cmp::Ordering::Greater)))
        }
        "cmp" => Some(parse_quote!(((#left) > (#right)))),
        _ => None,
    }
}

/// `f64::total_cmp(a, b)` as `a.total_cmp(b)`.
fn by_method(call: &syn::ExprCall) -> Option<syn::ExprMethodCall> {
    let Expr::Path(path) = &*call.func else { return None };
    let method = &path.path.segments.last()?.ident;
    let (left, right) = (referent(call.args.first()?), call.args.get(1)?);
    let is_comparison = ["partial_cmp", "total_cmp", "cmp"].iter().any(|name| method == name);
    is_comparison.then(|| parse_quote!((#left).#method(#right)))
}

fn referent(expr: &Expr) -> &Expr {
    match expr {
        Expr::Reference(reference) => &reference.expr,
        expr => expr,
    }
}

fn ends_in(expr: &Expr, name: &str) -> bool {
    match expr {
        Expr::Path(path) => path.path.segments.last().is_some_and(|last| last.ident == name),
        _ => true,
    }
}
