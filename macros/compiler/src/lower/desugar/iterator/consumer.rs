//! What ends a chain: `for`, `sum`, `fold`, `for_each`, `count` and questions about all elements.
//!
//! In: an expression, or a `for` loop. Out: a block with the loop, whose value is the chain's.

use super::drive::native_range;
use super::item::Item;
use super::position::Length;
use super::{Adaptor, Chain, block};
use crate::ir::{FloatKind, Type};
use crate::lower::desugar::Desugar;
use crate::lower::types::Floats;
use crate::lower::{hygiene, scope};
use rustc_hash::FxHashSet as HashSet;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprClosure, Lifetime, Pat, Stmt, parse_quote};

impl<'m> Desugar<'m> {
    /// A chain with what ends it as a block. `expected` is the type of its value, where syntax shows it.
    pub(in crate::lower::desugar) fn consumed(
        &mut self,
        expr: &Expr,
        expected: Option<&syn::Type>,
    ) -> Option<Expr> {
        match expr {
            Expr::MethodCall(call) => {
                if let Some(value) = self.parallel(call, expected) {
                    return Some(value);
                }
                let call = self.apart(call)?;
                let ty = call.turbofish.as_ref().and_then(type_argument).or(expected.cloned());
                let consumed = self.consumed_by(&call, ty.as_ref());
                consumed.or_else(|| self.extended(&call)).or_else(|| self.in_order(&call))
            }
            Expr::Call(call) => self.array_from_function(call, expected),
            _ => None,
        }
    }

    fn consumed_by(&mut self, call: &syn::ExprMethodCall, ty: Option<&syn::Type>) -> Option<Expr> {
        let mut before = Vec::new();
        let args: Vec<&Expr> = call.args.iter().collect();
        let name = call.method.to_string();
        if !CONSUMERS.contains(&name.as_str()) {
            return None;
        }
        let chain = self.read_chain(&call.receiver, &mut before)?;
        let value = match (name.as_str(), &args[..]) {
            ("sum" | "product", []) => self.sum(&chain, name == "product", ty)?,
            ("fold", [init, step]) => {
                let step = self.function(step, 2)?;
                self.fold(&chain, init, &step)?
            }
            ("for_each", [each]) => {
                let each = self.function(each, 1)?;
                self.for_each(&chain, &each)?
            }
            ("count", []) => self.count(&chain)?,
            ("any" | "all", [test]) => {
                let test = self.function(test, 1)?;
                self.quantified(&chain, &test, name == "all")?
            }
            ("collect", []) => self.collect(chain, ty)?,
            ("unzip", []) => self.unzip(chain)?,
            _ => return None,
        };
        Some(block(before, &value))
    }

    /// A loop over a chain.
    pub(in crate::lower::desugar) fn for_chain(
        &mut self,
        repeat: &syn::ExprForLoop,
    ) -> Option<Expr> {
        let mut whole = repeat.clone();
        let mut spine = Spine::default();
        spine.collect(&mut whole.expr);
        let behind = scope::free_behind(&repeat.pat, &repeat.body);
        self.rename_pieces(spine, &behind)?;
        let mut before = Vec::new();
        let chain = match &*whole.expr {
            Expr::Path(_) => return None,
            expr => self.read_for(expr, &mut before)?,
        };
        if native_range(&chain).is_some() {
            return None;
        }
        let stmts = self.for_body(&chain, &whole)?;
        before.extend(stmts);
        if let [Stmt::Expr(looped, _)] = &before[..] {
            return Some(looped.clone());
        }
        Some(parse_quote!({ #(#before)* }))
    }

    /// What a loop goes through: a chain, or a place by reference.
    fn read_for(&mut self, expr: &Expr, before: &mut Vec<Stmt>) -> Option<Chain> {
        match expr {
            Expr::Paren(paren) => self.read_for(&paren.expr, before),
            Expr::Reference(place) if !self.is_map(&place.expr) => self.read_iterable(expr, before),
            Expr::Array(_) | Expr::Repeat(_) => self.read_iterable(expr, before),
            Expr::MethodCall(call) if self.lines(call).is_some() => {
                self.read_iterable(expr, before)
            }
            expr => self.read_chain(expr, before),
        }
    }

    fn for_body(&mut self, chain: &Chain, repeat: &syn::ExprForLoop) -> Option<Vec<Stmt>> {
        let own = repeat.label.as_ref().map(|label| label.name.clone());
        let mut body = repeat.body.clone();
        let mut exits = Exits { own: own.as_ref(), ..Exits::default() };
        exits.visit_block_mut(&mut body);
        let is_plain = chain.is_plain();
        let label = match is_plain {
            true => own.clone(),
            false => exits.leaves.then(|| self.label("chain")),
        };
        let wrapper = (!is_plain && exits.goes_on).then(|| self.label("element"));
        let targets = (label.clone().filter(|_| !is_plain), wrapper.clone());
        let mut exits = Exits { own: own.as_ref(), targets, ..Exits::default() };
        exits.visit_block_mut(&mut body);
        self.drive(chain, label.as_ref(), &mut |this, item| {
            let mut out = Vec::new();
            this.bind_item(&repeat.pat, &item, &mut out)?;
            match &wrapper {
                Some(label) => out.push(parse_quote!(#label: #body)),
                None => out.extend(body.stmts.iter().cloned().map(with_semicolon)),
            }
            Some(out)
        })
    }

    fn sum(&mut self, chain: &Chain, is_product: bool, ty: Option<&syn::Type>) -> Option<Expr> {
        let name = self.fresh(if is_product { "product" } else { "sum" });
        let start = neutral(ty, is_product, &self.known.floats);
        let looped = self.drive(chain, None, &mut |_, item| {
            let value = item.value();
            Some(vec![match is_product {
                true => parse_quote!(#name *= #value;),
                false => parse_quote!(#name += #value;),
            }])
        })?;
        let looped = started(parse_quote!(let mut #name = #start;), looped);
        Some(parse_quote!({ #(#looped)* #name }))
    }

    fn fold(&mut self, chain: &Chain, init: &Expr, step: &ExprClosure) -> Option<Expr> {
        let Some(states) = names(&step.inputs[0]) else {
            return self.general_fold(chain, init, step);
        };
        let state: Expr = match &states[..] {
            [one] if !is_tuple(&step.inputs[0]) => parse_quote!(#one),
            states => parse_quote!((#(#states),*)),
        };
        // What is written of the state's type is all that says which float a literal is.
        let ty = written_type(&step.inputs[0]).into_iter();
        let binding: Stmt = match &states[..] {
            [one] if !is_tuple(&step.inputs[0]) => {
                parse_quote!(let mut #one #(: #ty)* = #init;)
            }
            states => parse_quote!(let (#(mut #states),*) #(: #ty)* = #init;),
        };
        let mut rest = step.clone();
        rest.inputs = rest.inputs.into_iter().skip(1).collect();
        // Variables of the body must not hide the state, which is assigned behind them.
        let hidden = states.iter().map(hygiene::key).collect();
        let rest = self.renamed_closure(&Expr::Closure(rest), &hidden)?;
        let looped = self.drive(chain, None, &mut |this, item| {
            let mut out = Vec::new();
            let value = this.entered(&rest, &[item], &mut out)?;
            if value != state {
                out.push(parse_quote!(#state = #value;));
            }
            Some(out)
        })?;
        let looped = started(binding, looped);
        Some(parse_quote!({ #(#looped)* #state }))
    }

    /// With a state that a pattern takes apart in each step.
    fn general_fold(&mut self, chain: &Chain, init: &Expr, step: &ExprClosure) -> Option<Expr> {
        let state = self.fresh("state");
        let held = Item::Value(parse_quote!(#state));
        let looped = self.drive(chain, None, &mut |this, item| {
            let mut out = Vec::new();
            let value = this.entered(step, &[held.clone(), item], &mut out)?;
            out.push(parse_quote!(#state = #value;));
            Some(out)
        })?;
        let looped = started(parse_quote!(let mut #state = #init;), looped);
        Some(parse_quote!({ #(#looped)* #state }))
    }

    fn for_each(&mut self, chain: &Chain, each: &ExprClosure) -> Option<Expr> {
        let looped = self.drive(chain, None, &mut |this, item| {
            let mut out = Vec::new();
            let value = this.entered(each, &[item], &mut out)?;
            out.push(Stmt::Expr(value, Some(Default::default())));
            Some(out)
        })?;
        Some(parse_quote!({ #(#looped)* }))
    }

    fn count(&mut self, chain: &Chain) -> Option<Expr> {
        if chain.is_indexed()
            && chain.is_silent()
            && let Some(Length::Known(len)) = chain.length()
        {
            return Some(len);
        }
        let count = self.fresh("count");
        let looped = self.drive(chain, None, &mut |_, _| Some(vec![parse_quote!(#count += 1;)]))?;
        Some(parse_quote!({ let mut #count = 0usize; #(#looped)* #count }))
    }

    /// `any` and `all`: the loop ends once the answer is known.
    fn quantified(&mut self, chain: &Chain, test: &ExprClosure, all: bool) -> Option<Expr> {
        let (answer, label) = (self.fresh("answer"), self.label("chain"));
        let looped = self.drive(chain, Some(&label), &mut |this, item| {
            let mut out = Vec::new();
            let mut condition = this.apply(test, &[item], &mut out)?.value();
            if all {
                condition = parse_quote!(!#condition);
            }
            out.push(parse_quote!(if #condition { #answer = !#all; break #label; }));
            Some(out)
        })?;
        Some(parse_quote!({ let mut #answer = #all; #(#looped)* #answer }))
    }

    /// The call with other names for variables of closures that code behind them would take for its own.
    pub(super) fn apart(&mut self, call: &syn::ExprMethodCall) -> Option<syn::ExprMethodCall> {
        let mut call = call.clone();
        let mut spine = Spine::default();
        spine.arguments(&mut call);
        self.rename_pieces(spine, &HashSet::default())?;
        Some(call)
    }

    fn rename_pieces(&mut self, spine: Spine, behind: &HashSet<String>) -> Option<()> {
        let everywhere = spine.names();
        let Spine { mut closures, states } = spine;
        let free: Vec<HashSet<String>> =
            closures.iter().map(|closure| scope::free(closure)).collect();
        for (index, closure) in closures.iter_mut().enumerate() {
            let seen = if states.contains(&index) { &everywhere } else { &free };
            let others = seen.iter().enumerate().filter(|(other, _)| *other != index);
            let taken: HashSet<&String> =
                others.flat_map(|(_, names)| names).chain(behind.iter()).collect();
            let expr = Expr::Closure(closure.clone());
            let clashes: HashSet<String> =
                scope::bound(&expr).into_iter().filter(|name| taken.contains(name)).collect();
            if !clashes.is_empty() {
                **closure = self.renamed_closure(&expr, &clashes)?;
            }
        }
        Some(())
    }

    fn renamed_closure(&mut self, closure: &Expr, names: &HashSet<String>) -> Option<ExprClosure> {
        match scope::renamed(closure, names, &mut self.count)? {
            Expr::Closure(closure) => Some(closure),
            _ => None,
        }
    }
}

/// The closures of a chain, in order.
#[derive(Default)]
struct Spine<'e> {
    closures: Vec<&'e mut ExprClosure>,
    /// Which of them have a state that lives as long as the chain.
    states: Vec<usize>,
}

impl<'e> Spine<'e> {
    fn collect(&mut self, expr: &'e mut Expr) {
        match expr {
            Expr::Paren(paren) => self.collect(&mut paren.expr),
            Expr::MethodCall(call) => self.arguments(call),
            Expr::Call(call) => call.args.iter_mut().for_each(|arg| self.collect(arg)),
            Expr::Closure(closure) => self.closures.push(closure),
            _ => {}
        }
    }

    fn arguments(&mut self, call: &'e mut syn::ExprMethodCall) {
        let has_state = call.method == "fold" || call.method == "reduce";
        self.collect(&mut call.receiver);
        for arg in &mut call.args {
            if has_state && matches!(arg, Expr::Closure(_)) {
                self.states.push(self.closures.len());
            }
            self.collect(arg);
        }
    }

    /// All names in each closure.
    fn names(&self) -> Vec<HashSet<String>> {
        let names = |closure: &&mut ExprClosure| {
            let expr = Expr::Closure((**closure).clone());
            scope::bound(&expr).into_iter().chain(scope::free(closure)).collect()
        };
        self.closures.iter().map(names).collect()
    }
}

impl Chain {
    /// Whether a body behind it stands in one loop, and last there: exits mean that loop.
    fn is_plain(&self) -> bool {
        if self.is_indexed() {
            return true;
        }
        let Some((inner, last)) = self.split_last() else { return true };
        inner.is_plain()
            && !matches!(
                last,
                Adaptor::Chain(_)
                    | Adaptor::FlatMap(_)
                    | Adaptor::Flatten
                    | Adaptor::Take(_)
                    | Adaptor::Zip(_)
            )
    }
}

/// What a sum or a product starts with, which for floats is `-0.0` or `1.0`, and for a type of the user's what that makes
/// of nothing.
fn neutral(ty: Option<&syn::Type>, is_product: bool, floats: &Floats) -> Expr {
    if let Some(path) = ty.and_then(complex) {
        let re: Expr = if is_product { parse_quote!(1.0) } else { parse_quote!(0.0) };
        return parse_quote!(#path { re: #re, im: 0.0 });
    }
    let kind = ty.map(|ty| floats.read(ty));
    if let (Some(ty @ syn::Type::Path(_)), Some(Type::Unknown)) = (ty, &kind) {
        return match is_product {
            true => {
                parse_quote!(<#ty as ::core::iter::Product>::product(::core::iter::empty::<#ty>()))
            }
            false => parse_quote!(<#ty as ::core::iter::Sum>::sum(::core::iter::empty::<#ty>())),
        };
    }
    let text = match (&kind, is_product) {
        (Some(Type::Int), true) => "1",
        (Some(Type::Int), false) => "0",
        (_, true) => "1.0",
        (_, false) => "-0.0",
    };
    let suffix = match (kind, ty) {
        (Some(Type::Float(FloatKind::Parameter(_))), _) => String::new(),
        (Some(Type::Int | Type::Float(_)), Some(syn::Type::Path(path))) => {
            path.path.segments.last().map(|last| format!("_{}", last.ident)).unwrap_or_default()
        }
        _ => String::new(),
    };
    syn::parse_str(&format!("{text}{suffix}")).expect("a number")
}

/// A complex number of `f64` or `f32`, as the path of a struct literal.
fn complex(ty: &syn::Type) -> Option<syn::Path> {
    let syn::Type::Path(path) = crate::signature::plain(ty) else { return None };
    let mut path = path.path.clone();
    let last = path.segments.last_mut()?;
    let is_written = match (last.ident.to_string().as_str(), std::mem::take(&mut last.arguments)) {
        ("Complex64" | "Complex32", _) => true,
        ("Complex", syn::PathArguments::AngleBracketed(part)) => is_float(part.args.first()),
        _ => false,
    };
    is_written.then_some(path)
}

fn is_float(argument: Option<&syn::GenericArgument>) -> bool {
    let Some(syn::GenericArgument::Type(syn::Type::Path(part))) = argument else { return false };
    part.path.is_ident("f64") || part.path.is_ident("f32")
}

/// A loop with the statement that makes its state in front.
fn started(start: Stmt, mut looped: Vec<Stmt>) -> Vec<Stmt> {
    looped.insert(looped.len().saturating_sub(1), start);
    looped
}

/// The names that a pattern is: one, or a tuple of some.
fn names(pattern: &Pat) -> Option<Vec<syn::Ident>> {
    match pattern {
        Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => {
            Some(vec![ident.ident.clone()])
        }
        Pat::Type(typed) => match &*typed.pat {
            Pat::Ident(_) => names(&typed.pat),
            _ => None,
        },
        Pat::Tuple(tuple) => {
            let each = tuple.elems.iter().map(|item| match item {
                Pat::Ident(_) => names(item)?.pop(),
                _ => None,
            });
            each.collect()
        }
        _ => None,
    }
}

fn is_tuple(pattern: &Pat) -> bool {
    matches!(pattern, Pat::Tuple(_))
}

/// The type that stands behind a pattern.
fn written_type(pattern: &Pat) -> Option<&syn::Type> {
    match pattern {
        Pat::Type(typed) => Some(&*typed.ty).filter(|ty| !matches!(ty, syn::Type::Infer(_))),
        _ => None,
    }
}

fn with_semicolon(stmt: Stmt) -> Stmt {
    match stmt {
        Stmt::Expr(expr, None) => Stmt::Expr(expr, Some(Default::default())),
        stmt => stmt,
    }
}

pub(in crate::lower::desugar) fn type_argument(
    arguments: &syn::AngleBracketedGenericArguments,
) -> Option<syn::Type> {
    match arguments.args.first() {
        Some(syn::GenericArgument::Type(ty)) => Some(ty.clone()),
        _ => None,
    }
}

/// Exits of a loop's own: found, and given other targets.
#[derive(Default)]
struct Exits<'l> {
    own: Option<&'l Lifetime>,
    depth: usize,
    leaves: bool,
    goes_on: bool,
    targets: (Option<Lifetime>, Option<Lifetime>),
}

impl Exits<'_> {
    fn is_own(&self, label: Option<&Lifetime>) -> bool {
        match label {
            Some(label) => self.own.is_some_and(|own| own.ident == label.ident),
            None => self.depth == 0,
        }
    }
}

impl VisitMut for Exits<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Break(exit) if self.is_own(exit.label.as_ref()) => {
                self.leaves = true;
                if let Some(label) = &self.targets.0 {
                    exit.label = Some(label.clone());
                }
            }
            Expr::Continue(exit) if self.is_own(exit.label.as_ref()) => {
                self.goes_on = true;
                if let Some(label) = &self.targets.1 {
                    *expr = parse_quote!(break #label);
                }
            }
            Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) => {
                self.depth += 1;
                visit_mut::visit_expr_mut(self, expr);
                self.depth -= 1;
            }
            Expr::Closure(_) => {}
            expr => visit_mut::visit_expr_mut(self, expr),
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Methods that end a chain.
const CONSUMERS: [&str; 9] =
    ["sum", "product", "fold", "for_each", "count", "any", "all", "collect", "unzip"];
