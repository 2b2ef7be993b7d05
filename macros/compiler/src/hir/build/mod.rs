//! Reads a body's syntax into the HIR, with name resolution.
//!
//! In: `syn`. Out: a [`Body`]. Everything that syntax alone decides is decided here, once: what a name means, what
//! `?`, `while let` and compound assignments stand for, where exits lead. What is not supported is reported on its
//! token and stands as [`ExprKind::Unsupported`].

mod arrays;
mod control;
mod expr;
mod fence;
mod hoist;
mod index;
mod inline;
mod macros;
mod pattern;
mod receiver;
mod scope;

use super::{
    Block, Body, Expr, ExprId, ExprKind, Local, LocalData, PatKind, Stmt, Target, Variant,
};
use crate::diag::{self, Diagnostic, Extent, Reports};
use crate::syntax::items::Seen;
use crate::syntax::sequence::Sequence;
use crate::syntax::signature::{Parameter, Signature};
use crate::syntax::walk::{Node, Tree};
use crate::syntax::{hygiene, is_variant_of_std};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use rustc_hash::FxHashMap as HashMap;
use scope::Scopes;
use std::rc::Rc;
use syn::spanned::Spanned;

/// Reads the body of a function.
pub fn build(signature: &Signature, block: &syn::Block, reports: &mut Reports) -> Body {
    let mut build = Build::new(signature.output.as_ref(), reports);
    let hides = |param: &syn::GenericParam| !matches!(param, syn::GenericParam::Lifetime(_));
    let owner = signature.owner.as_ref().filter(|_| !signature.generics.params.iter().any(hides));
    build.short = owner.map(|owner| owner.short.clone()).unwrap_or_default();
    let generics = signature.all_generics();
    let is_plain = !generics.iter().any(|generics| generics.params.iter().any(hides));
    build.seen = signature.seen.clone().filter(|_| is_plain);
    build.own = signature.owner.as_ref().and_then(|owner| owner.ty.clone());
    build.inlining.push(signature.name.to_string());
    for param in &signature.params {
        let data = LocalData {
            name: param.name.clone(),
            is_mutable: param.is_mut,
            ty: Some(param.ty.clone()),
            init: None,
        };
        let local = build.body.add_local(data);
        build.scopes.bind(&param.name, local);
        build.body.params.push(local);
    }
    build.has_items = has_items(block);
    if build.has_items {
        build.names = occurrences(block);
    }
    build.scopes.open();
    for (index, param) in signature.params.iter().enumerate() {
        if let Some(pattern) = &param.pattern {
            let pattern = build.irrefutable(pattern);
            build.body.param_patterns.push((index, pattern));
        }
    }
    let mut elements = Block::default();
    for param in &signature.params {
        build.elements_of(param, &mut elements);
    }
    let mut block = build.block(block);
    block.stmts.splice(..0, elements.stmts);
    let kind = ExprKind::Block { label: None, block };
    let root = build.add(kind, Extent::from(signature.name.span()), signature.name.span());
    build.body.root = Some(root);
    build.assume_bindings(root);
    build.body
}

/// Returns how often each identifier stands in code.
fn occurrences(code: impl ToTokens) -> HashMap<String, usize> {
    fn count(tokens: TokenStream, counts: &mut HashMap<String, usize>) {
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => *counts.entry(ident.to_string()).or_default() += 1,
                TokenTree::Group(group) => count(group.stream(), counts),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
    let mut counts = HashMap::default();
    count(code.into_token_stream(), &mut counts);
    counts
}

/// Whether a block has items, at whatever depth.
fn has_items(block: &syn::Block) -> bool {
    block.has(&|node| matches!(node, Node::Item))
}

/// What is under way.
struct Build<'r> {
    body: Body,
    scopes: Scopes,
    /// Labels in scope, and what they name.
    labels: Vec<(Option<String>, Target, Jumps)>,
    /// What `return` leaves, and what `?` returns there.
    functions: Vec<(Target, Failure)>,
    /// The targets that some `break` leaves.
    left: Vec<Target>,
    targets: u32,
    /// How many blocks are around.
    depth: usize,
    /// How often each identifier stands in the body, if there are items in it.
    names: HashMap<String, usize>,
    /// Whether there are items in the body.
    has_items: bool,
    /// Functions of the same `impl` that can stand in the place of their calls.
    short: Rc<[syn::ImplItemFn]>,
    /// Where the function stands, in a module whose items are seen; what `Self` is.
    seen: Option<Seen>,
    own: Option<syn::Type>,
    /// The functions whose bodies are under way.
    inlining: Vec<String>,
    /// How many bodies stand in the place of calls.
    copies: usize,
    reports: &'r mut Reports,
}

/// Whether `break` and `continue` without a label mean a target.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Jumps {
    Loop,
    Block,
    /// A closure's body ends the search.
    Function,
}

/// What `?` returns early.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Failure {
    Option,
    /// What a result of unknown type is taken for: if it is none, the emitted patterns do not fit it.
    Result,
}

impl Failure {
    fn of(output: Option<&syn::Type>) -> Self {
        let is_option = |path: &syn::TypePath| {
            path.path.segments.last().is_some_and(|last| last.ident == "Option")
        };
        match output.map(crate::syntax::signature::plain) {
            Some(syn::Type::Path(path)) if is_option(path) => Failure::Option,
            _ => Failure::Result,
        }
    }

    /// The same for a closure, whose body shows it where no type is written.
    fn of_closure(closure: &syn::ExprClosure) -> Self {
        match &closure.output {
            syn::ReturnType::Type(_, ty) => Failure::of(Some(ty)),
            syn::ReturnType::Default => Failure::at_end(&closure.body).unwrap_or(Failure::Result),
        }
    }

    /// Returns the type of the variant at the end of a body.
    fn at_end(body: &syn::Expr) -> Option<Self> {
        let of_block = |block: &syn::Block| match block.stmts.last() {
            Some(syn::Stmt::Expr(last, None)) => Failure::at_end(last),
            _ => None,
        };
        match body {
            syn::Expr::Paren(inner) => Failure::at_end(&inner.expr),
            syn::Expr::Group(inner) => Failure::at_end(&inner.expr),
            syn::Expr::Block(inner) => of_block(&inner.block),
            syn::Expr::If(branch) => of_block(&branch.then_branch)
                .or_else(|| Failure::at_end(&branch.else_branch.as_ref()?.1)),
            syn::Expr::Match(scrutiny) => {
                scrutiny.arms.iter().find_map(|arm| Failure::at_end(&arm.body))
            }
            syn::Expr::Return(exit) => Failure::at_end(exit.expr.as_ref()?),
            syn::Expr::Call(call) => Failure::at_end(&call.func),
            syn::Expr::Path(path) if is_variant_of_std(&path.path, &["Some", "None"]) => {
                Some(Failure::Option)
            }
            syn::Expr::Path(path) if is_variant_of_std(&path.path, &["Ok", "Err"]) => {
                Some(Failure::Result)
            }
            _ => None,
        }
    }

    fn success(self) -> Variant {
        match self {
            Failure::Option => Variant::Some,
            Failure::Result => Variant::Ok,
        }
    }
}

impl<'r> Build<'r> {
    fn new(output: Option<&syn::Type>, reports: &'r mut Reports) -> Self {
        Build {
            body: Body::default(),
            scopes: Scopes::default(),
            labels: Vec::new(),
            functions: vec![(Target::FUNCTION, Failure::of(output))],
            left: Vec::new(),
            targets: 1,
            depth: 0,
            names: HashMap::default(),
            has_items: false,
            short: Rc::default(),
            seen: None,
            own: None,
            inlining: Vec::new(),
            copies: 0,
            reports,
        }
    }

    /// Puts the elements of a parameter under its name, where its type is only known to have elements.
    fn elements_of(&mut self, param: &Parameter, before: &mut Block) {
        let Some(Sequence { item, is_iterator }) = param.sequence.as_ref() else { return };
        if !param.active {
            return;
        }
        let (name, span) = (&param.name, param.name.span());
        let mutability = param.is_mut.then(|| syn::Token![mut](span));
        let elements = quote_spanned!(span=> ::cotangent::__private::elements::<_>(#name));
        let named: syn::Stmt = syn::parse_quote_spanned! {span=>
            let #mutability #name: ::cotangent::__private::Vec<#item> = #elements;
        };
        self.stmt(&named, false, before);
        if *is_iterator {
            let iterator =
                syn::parse_quote_spanned!(span=> let #mutability #name = #name.into_iter(););
            self.stmt(&iterator, false, before);
        }
    }

    /// Takes names of patterns for bindings where code uses them: if one is a constant, its proof does not compile.
    fn assume_bindings(&mut self, root: ExprId) {
        let mut used = Vec::new();
        self.body.occurrences(root, &mut used);
        let Body { pats, locals, assumed, .. } = &mut self.body;
        for pat in pats {
            let PatKind::Bind(binding) = &mut pat.kind else { continue };
            let name = &locals[binding.local.0 as usize].name;
            if binding.may_be_item && used.contains(&binding.local) {
                binding.may_be_item = false;
                if !assumed.contains(name) {
                    assumed.push(name.clone());
                }
            }
        }
    }

    /// Adds an expression; its exits are those of its parts.
    fn add(&mut self, kind: ExprKind, extent: Extent, span: Span) -> ExprId {
        let exits = self.exits(&kind);
        let is_typed = matches!(kind, ExprKind::Field(..) | ExprKind::Call(..));
        let expr = self.body.add_expr(Expr { kind, extent, span, exits, ty: None });
        if is_typed {
            self.body.exprs[expr.0 as usize].ty = self.sequence_type(expr).map(Box::new);
        }
        expr
    }

    /// Adds an expression of the compiler's.
    fn made(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.add(kind, span.into(), span)
    }

    fn made_local(&mut self, name: &str, span: Span) -> Local {
        let name = Ident::new(name, span);
        self.body.add_local(LocalData { name, is_mutable: false, ty: None, init: None })
    }

    fn exits(&self, kind: &ExprKind) -> Vec<Target> {
        if let ExprKind::Closure(_) = kind {
            return Vec::new();
        }
        let children = kind.children();
        let inside = children.iter().flat_map(|child| &self.body.expr(*child).exits);
        let mut exits: Vec<Target> = inside.copied().collect();
        match kind {
            ExprKind::Break(target, _) | ExprKind::Continue(target) => exits.push(*target),
            ExprKind::Loop(repeat) => exits.retain(|target| *target != repeat.target),
            ExprKind::Block { label: Some(label), .. } => exits.retain(|target| target != label),
            _ => {}
        }
        exits.sort();
        exits.dedup();
        exits
    }

    fn new_target(&mut self) -> Target {
        self.targets += 1;
        Target(self.targets - 1)
    }

    /// Reads a block in a rib of its own.
    fn block(&mut self, block: &syn::Block) -> Block {
        self.scopes.open();
        self.depth += 1;
        let block = self.stmts(&block.stmts);
        self.depth -= 1;
        self.scopes.close();
        block
    }

    fn stmts(&mut self, stmts: &[syn::Stmt]) -> Block {
        for stmt in stmts {
            if let syn::Stmt::Item(item) = stmt {
                self.item(item, stmts);
            }
        }
        let mut block = Block::default();
        for (index, stmt) in stmts.iter().enumerate() {
            self.stmt(stmt, index + 1 == stmts.len(), &mut block);
        }
        block
    }

    fn stmt(&mut self, stmt: &syn::Stmt, is_last: bool, block: &mut Block) {
        match stmt {
            syn::Stmt::Local(local) => {
                let stmt = self.local(local);
                self.hoisted(stmt, &mut block.stmts);
            }
            syn::Stmt::Item(_) => {}
            syn::Stmt::Expr(syn::Expr::Verbatim(tokens), _) if tokens.is_empty() => {}
            syn::Stmt::Expr(expr, semicolon) => {
                let expr = self.expr(expr);
                self.statement(expr, is_last && semicolon.is_none(), block);
            }
            syn::Stmt::Macro(call) => {
                let kind = self.macro_call(&call.mac);
                let expr = self.add(kind, Extent::of(&call.mac), call.mac.path.span());
                self.statement(expr, is_last && call.semi_token.is_none(), block);
            }
        }
    }

    fn statement(&mut self, expr: ExprId, is_value: bool, block: &mut Block) {
        self.hoist_whole(expr, &mut block.stmts);
        match is_value {
            true => block.value = Some(expr),
            false => block.stmts.push(Stmt::Expr(expr)),
        }
    }

    fn local(&mut self, local: &syn::Local) -> Stmt {
        let init = local.init.as_ref();
        if !init.is_some_and(|init| control::is_loop(&init.expr)) {
            self.check_attributes(&local.attrs);
        }
        if let Some(init) = init
            && let Some(stmt) = self.taken_apart_option(local, init)
        {
            return stmt;
        }
        let value = init.map(|init| self.scheduled(&init.expr, &local.attrs));
        let otherwise = init.and_then(|init| init.diverge.as_ref());
        let otherwise = otherwise.map(|(_, otherwise)| self.expr(otherwise));
        let pattern = match otherwise {
            Some(_) => self.refutable(&local.pat),
            None => self.irrefutable(&local.pat),
        };
        if let (PatKind::Bind(binding), Some(_)) = (&self.body.pat(pattern).kind, value) {
            let local = binding.local;
            self.body.locals[local.0 as usize].init = value;
        }
        Stmt::Let { pattern, value, otherwise }
    }

    fn item(&mut self, item: &syn::Item, around: &[syn::Stmt]) {
        if self.body.items.contains(item) {
            return;
        }
        self.check_item(item, around);
        match item {
            syn::Item::Fn(item) => self.scopes.declare_item(&item.sig.ident),
            syn::Item::Const(item) => self.scopes.declare_item(&item.ident),
            syn::Item::Struct(item) => self.scopes.declare_item(&item.ident),
            syn::Item::Static(item) => self.scopes.declare_item(&item.ident),
            _ => {}
        }
        self.body.items.push(item.clone());
    }

    fn report(&mut self, at: &impl ToTokens, row: &Diagnostic, particular: &str) {
        self.reports.report(Extent::of(at), row, particular);
    }

    fn syntax_error(&mut self, error: &syn::Error) -> ExprKind {
        self.reports.push(error.span(), error.to_string());
        ExprKind::Unsupported
    }

    /// What rustc has its own error for.
    fn give_up(&mut self) -> ExprKind {
        self.reports.give_up();
        ExprKind::Unsupported
    }

    fn resolve(&self, path: &syn::ExprPath) -> Option<Local> {
        let ident = path.path.get_ident().filter(|_| path.qself.is_none())?;
        self.scopes.resolve(ident)
    }

    /// Whether a path that names no local is spelled like one of another macro context, which emitted code would take
    /// it for.
    fn check_namesakes(&mut self, path: &syn::ExprPath) {
        let Some(ident) = path.path.get_ident() else { return };
        if self.scopes.has_namesake(ident) {
            self.report(ident, &diag::NAMESAKE, hygiene::name(&ident.to_string()));
        }
    }
}
