//! Closures, functions and iterators that are kept in a variable, where they are used.
//!
//! In: the statements of a block. Out: the same without `let f = |x| ..;`, `let f = wave;` and
//! `let it = a.iter();`, with the
//! closure's body where it is called, and with the closure or the iterator itself where it is handed on to a
//! chain. What it takes from outside means what it meant where it was defined: variables that would hide
//! that get other names, and a `move` closure has copies of what is assigned. Where the variable is used in
//! any other way, all stays as it is.

use super::iterator::{is_iterator, takes_closure};
use super::{Desugar, Known, ended, name};
use crate::lower::closure::spelled;
use crate::lower::{hygiene, macros, scan, scope};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprClosure, Pat, Stmt, parse_quote};

impl Desugar<'_> {
    /// A block, and all blocks in it, with each such variable in the place of its uses.
    pub(super) fn substitute_named(&mut self, block: &mut syn::Block) {
        struct Blocks<'b, 'm>(&'b mut Desugar<'m>);
        impl VisitMut for Blocks<'_, '_> {
            fn visit_block_mut(&mut self, block: &mut syn::Block) {
                let stmts = std::mem::take(&mut block.stmts);
                block.stmts = self.0.with_named(stmts);
                visit_mut::visit_block_mut(self, block);
            }

            fn visit_item_mut(&mut self, _: &mut syn::Item) {}
        }
        Blocks(self).visit_block_mut(block);
    }

    fn with_named(&mut self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        let (mut done, mut rest) = (Vec::new(), stmts);
        while !rest.is_empty() {
            let behind = rest.split_off(1);
            let first = rest.remove(0);
            rest = behind;
            match self.substituted(&first, &rest) {
                Some((copies, changed)) => {
                    done.extend(copies);
                    rest = changed;
                }
                None => done.push(first),
            }
        }
        done
    }

    /// Copies that a `let` makes, and the statements behind it without its name.
    fn substituted(&mut self, stmt: &Stmt, rest: &[Stmt]) -> Option<(Vec<Stmt>, Vec<Stmt>)> {
        let Stmt::Local(local) = stmt else { return None };
        let Pat::Ident(ident) = &local.pat else { return None };
        let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
        let is_plain = ident.by_ref.is_none() && ident.subpat.is_none();
        match &*init.expr {
            Expr::Closure(closure) if is_plain && stays_inside(closure) => {
                let behind = scan::assigned(&parse_quote!({ #(#rest)* }));
                let fresh = |original: &Ident| name(&original.to_string(), &mut self.count);
                let (copies, closure) = with_copies(closure, behind, self.known, fresh)?;
                let rest = self.replaced(&ident.ident, &Expr::Closure(closure), rest)?;
                Some((copies, rest))
            }
            init if is_plain
                && ident.mutability.is_none()
                && (may_wait(init, rest) || self.known.is_function(init)) =>
            {
                let rest = self.replaced(&ident.ident, init, rest)?;
                Some((Vec::new(), rest))
            }
            _ => None,
        }
    }

    /// Statements in which a value stands for its name.
    fn replaced(&mut self, name: &Ident, value: &Expr, rest: &[Stmt]) -> Option<Vec<Stmt>> {
        let mut rest = rest.to_vec();
        let mut hidden = scope::free_of(value);
        hidden.insert(hygiene::key(name));
        scope::renamed_in(&mut rest, &hidden, &mut self.count)?;
        let mut uses = Uses { name, value, count: &mut self.count, is_stuck: false };
        rest.iter_mut().for_each(|stmt| uses.visit_stmt_mut(stmt));
        let is_stuck = uses.is_stuck;
        let mut tokens = TokenStream::new();
        rest.iter().for_each(|stmt| stmt.to_tokens(&mut tokens));
        (!is_stuck && !mentions(tokens, name)).then_some(rest)
    }
}

/// A `move` closure with copies of what is assigned in it, or behind it. `fresh` makes names for them.
pub(in crate::lower) fn with_copies(
    closure: &ExprClosure,
    behind: HashSet<String>,
    known: &Known,
    mut fresh: impl FnMut(&Ident) -> Ident,
) -> Option<(Vec<Stmt>, ExprClosure)> {
    if closure.capture.is_none() {
        return Some((Vec::new(), closure.clone()));
    }
    let mut changed = scan::assigned_by(&closure.body);
    changed.extend(behind);
    let (mut copies, mut names) = (Vec::new(), HashMap::default());
    let mut captured: Vec<String> = scope::free(closure).intersection(&changed).cloned().collect();
    captured.retain(|key| !known.names_function(hygiene::name(key)));
    captured.sort();
    for key in captured {
        let original = spelled(closure, vec![key.clone()]).pop()?;
        let copy = fresh(&original);
        let copy = crate::lower::hygiene::identifier(&copy.to_string(), original.span());
        copies.push(parse_quote!(let mut #copy = #original;));
        names.insert(key, copy);
    }
    match scope::with_names(&Expr::Closure(closure.clone()), names)? {
        Expr::Closure(closure) => Some((copies, closure)),
        _ => None,
    }
}

fn stays_inside(closure: &ExprClosure) -> bool {
    closure.asyncness.is_none() && !scan::exits(&closure.body).any && !scan::attempts(&closure.body)
}

/// Whether an expression is an iterator that may as well be made later.
fn may_wait(init: &Expr, rest: &[Stmt]) -> bool {
    struct Calls(bool);
    impl<'ast> Visit<'ast> for Calls {
        fn visit_expr_call(&mut self, _: &'ast syn::ExprCall) {
            self.0 = true;
        }
        fn visit_expr_closure(&mut self, _: &'ast ExprClosure) {}
    }
    if matches!(init, Expr::Range(_)) || !is_iterator(init) {
        return false;
    }
    let mut calls = Calls(false);
    calls.visit_expr(init);
    let changed: HashSet<String> = scan::stored(&parse_quote!({ #(#rest)* }));
    !calls.0 && changed.is_disjoint(&scope::free_of(init))
}

/// Uses of a name.
struct Uses<'u> {
    name: &'u Ident,
    value: &'u Expr,
    count: &'u mut usize,
    is_stuck: bool,
}

impl Uses<'_> {
    fn is_callable(&self) -> bool {
        matches!(self.value, Expr::Closure(_) | Expr::Path(_))
    }

    fn is_name(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Path(path) => path
                .path
                .get_ident()
                .is_some_and(|ident| hygiene::key(ident) == hygiene::key(self.name)),
            Expr::Paren(paren) => self.is_name(&paren.expr),
            Expr::Reference(reference) if self.is_callable() => self.is_name(&reference.expr),
            Expr::MethodCall(call) if call.method == "clone" => self.is_name(&call.receiver),
            _ => false,
        }
    }

    fn replace(&self, expr: &mut Expr) {
        if self.is_name(expr) {
            *expr = self.value.clone();
        }
    }

    /// An argument that is the name, or a reference to it, which stays one.
    fn handed(&self, arg: &mut Expr) {
        match arg {
            Expr::Reference(reference) if self.is_name(&reference.expr) => {
                *reference.expr = self.value.clone();
            }
            arg => self.replace(arg),
        }
    }

    /// A call of a closure: its parameters bound to the arguments, and its body.
    fn called(&mut self, closure: &ExprClosure, args: &[Expr]) -> Option<Expr> {
        let mut whole = Expr::Closure(closure.clone());
        let taken: HashSet<String> = args.iter().flat_map(scope::free_of).collect();
        let clashes: HashSet<String> = scope::bound(&whole).intersection(&taken).cloned().collect();
        if !clashes.is_empty() {
            whole = scope::renamed(&whole, &clashes, self.count)?;
        }
        let Expr::Closure(closure) = whole else { return None };
        let (params, body) = (closure.inputs.iter().zip(args), &closure.body);
        (closure.inputs.len() == args.len()).then(|| {
            let bound = params.map(|(param, arg)| parse_quote!(let #param = #arg;)).collect();
            let value = Expr::Block(ended(bound, (**body).clone()));
            Expr::Paren(syn::ExprParen {
                attrs: Vec::new(),
                paren_token: Default::default(),
                expr: Box::new(value),
            })
        })
    }
}

impl VisitMut for Uses<'_> {
    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        if let Some(tokens) = macros::with_items(call, |item| self.visit_expr_mut(item)) {
            call.tokens = tokens;
        }
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        match expr {
            Expr::Call(call) if self.is_name(&call.func) => {
                let Expr::Closure(closure) = self.value else {
                    if self.is_callable() {
                        self.replace(&mut call.func);
                    }
                    return;
                };
                let args: Vec<Expr> = call.args.iter().cloned().collect();
                match self.called(closure, &args) {
                    Some(body) => *expr = body,
                    None => self.is_stuck = true,
                }
            }
            // A function that takes it is given the closure itself.
            Expr::Call(call) if self.is_callable() => {
                call.args.iter_mut().for_each(|arg| self.handed(arg));
            }
            Expr::MethodCall(call) if call.method != "clone" => {
                let is_callable = self.is_callable();
                if !is_callable {
                    self.replace(&mut call.receiver);
                }
                let hands_on =
                    matches!(call.method.to_string().as_str(), "zip" | "chain" | "extend");
                if is_callable && takes_closure(&call.method) || !is_callable && hands_on {
                    for arg in &mut call.args {
                        self.replace(arg);
                    }
                } else if is_callable {
                    call.args.iter_mut().for_each(|arg| self.handed(arg));
                }
            }
            Expr::ForLoop(repeat) if is_iterator(self.value) => self.replace(&mut repeat.expr),
            _ => {}
        }
    }
}

/// Whether a name still occurs.
fn mentions(tokens: TokenStream, name: &Ident) -> bool {
    let mut is_member = false;
    tokens.into_iter().any(|token| {
        let is_dot = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '.');
        let found = match token {
            TokenTree::Ident(ident) => !is_member && hygiene::key(&ident) == hygiene::key(name),
            TokenTree::Group(group) => mentions(group.stream(), name),
            TokenTree::Literal(literal) => literal.to_string().contains(&format!("{{{name}")),
            TokenTree::Punct(_) => false,
        };
        is_member = is_dot;
        found
    })
}
