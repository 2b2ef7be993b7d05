//! Closures in the place of their calls.
//!
//! In: a closure and the elements that it is called with. Out: statements that bind its parameters and
//! those of its body, and what its value is as an element. Names of a closure that code behind it means
//! otherwise were renamed before, see `scope.rs`.

use super::item::{Item, Passing, Window, is_name};
use crate::lower::desugar::Desugar;
use crate::lower::hoist::is_place;
use crate::lower::{scan, scope};
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprClosure, Pat, Stmt, parse_quote};

impl Desugar<'_> {
    /// A closure, or a path to a function as one. Its body must stay inside.
    pub(super) fn function(&mut self, expr: &Expr, arity: usize) -> Option<ExprClosure> {
        let closure: ExprClosure = match expr {
            Expr::Paren(paren) => return self.function(&paren.expr, arity),
            Expr::Reference(reference) => return self.function(&reference.expr, arity),
            Expr::Closure(closure) => closure.clone(),
            Expr::Path(_) => {
                let names: Vec<Ident> = (0..arity).map(|_| self.fresh("item")).collect();
                parse_quote!(|#(#names),*| #expr(#(#names),*))
            }
            _ => return None,
        };
        let is_inside = !scan::exits(&closure.body).any && !scan::attempts(&closure.body);
        let is_plain = closure.asyncness.is_none() && closure.inputs.len() == arity;
        (is_inside && is_plain && keeps_its_copies(&closure)).then_some(closure)
    }

    /// Calls a closure: its value as an element.
    pub(super) fn apply(
        &mut self,
        closure: &ExprClosure,
        args: &[Item],
        out: &mut Vec<Stmt>,
    ) -> Option<Item> {
        let body = self.entered(closure, args, out)?;
        self.value_item(body, out)
    }

    /// Binds a closure's parameters; what remains is its body.
    pub(super) fn entered(
        &mut self,
        closure: &ExprClosure,
        args: &[Item],
        out: &mut Vec<Stmt>,
    ) -> Option<Expr> {
        let mut body = (*closure.body).clone();
        for (pattern, item) in closure.inputs.iter().zip(args) {
            match (plain(pattern), item) {
                (Pat::Ident(ident), Item::Tuple(items)) if is_bare(ident) => {
                    self.bind_parts(&ident.ident, items, &mut body, out)?;
                }
                (Pat::Ident(ident), Item::Window(window))
                    if is_bare(ident) && index_window(&ident.ident, window, &mut body) => {}
                (pattern, item) => self.bind_item(pattern, item, out)?,
            }
        }
        Some(without_block(body, out))
    }

    /// Likewise with a reference to the element: `filter` and kin.
    pub(super) fn apply_to_reference(
        &mut self,
        closure: &ExprClosure,
        item: &Item,
        out: &mut Vec<Stmt>,
    ) -> Option<Item> {
        self.apply_to_references(closure, std::slice::from_ref(item), out)
    }

    /// Likewise with several.
    pub(super) fn apply_to_references(
        &mut self,
        closure: &ExprClosure,
        items: &[Item],
        out: &mut Vec<Stmt>,
    ) -> Option<Item> {
        let (closure, args) = self.nearer(closure, items)?;
        self.apply(&closure, &args, out)
    }

    /// A closure that takes references to elements as one that takes the elements.
    pub(super) fn nearer(
        &mut self,
        closure: &ExprClosure,
        items: &[Item],
    ) -> Option<(ExprClosure, Vec<Item>)> {
        let mut closure = closure.clone();
        let mut args = Vec::new();
        for (index, item) in items.iter().enumerate() {
            args.push(match (&closure.inputs[index], item) {
                (Pat::Ident(ident), Item::Value(value))
                    if is_passed_on(&ident.ident, &closure.body) =>
                {
                    Item::Place(value.clone(), Passing::Shared)
                }
                _ => {
                    closure.inputs[index] = nearer(&closure.inputs[index], &mut closure.body)?;
                    item.clone()
                }
            });
        }
        Some((closure, args))
    }

    /// The value of a body, which is evaluated here.
    fn value_item(&mut self, body: Expr, out: &mut Vec<Stmt>) -> Option<Item> {
        Some(match body {
            Expr::Paren(paren) => self.value_item(*paren.expr, out)?,
            Expr::Tuple(tuple) if !tuple.elems.is_empty() => {
                let items = tuple.elems.into_iter().map(|part| self.value_item(part, out));
                Item::Tuple(items.collect::<Option<_>>()?)
            }
            Expr::Reference(reference) if is_place(&reference.expr) => {
                let name = self.fresh("item");
                let mutable = reference.mutability.is_some();
                out.push(parse_quote!(let #name = #reference;));
                let passing = if mutable { Passing::Unique } else { Passing::Shared };
                Item::Place(parse_quote!((*#name)), passing)
            }
            body if is_name(&body) => Item::Value(body),
            body => Item::Value(self.operand("item", &body, out)),
        })
    }

    /// A name for a tuple whose parts have names of their own: its fields are these.
    fn bind_parts(
        &mut self,
        name: &Ident,
        items: &[Item],
        body: &mut Expr,
        out: &mut Vec<Stmt>,
    ) -> Option<()> {
        let mut parts = Vec::new();
        for item in items {
            parts.push(match item {
                Item::Tuple(_) => item.value(),
                item => {
                    let (part, reference) = (self.fresh("part"), item.reference());
                    out.push(parse_quote!(let #part = #reference;));
                    parse_quote!(#part)
                }
            });
        }
        let mut fields = Fields { name, parts: &parts, is_whole: false };
        fields.visit_expr_mut(body);
        if fields.is_whole {
            let whole = Item::Tuple(items.to_vec());
            let value = whole.is_value().then(|| whole.value())?;
            out.push(parse_quote!(let #name = #value;));
        }
        Some(())
    }
}

/// A `move` closure changes copies of its own, which the names outside do not show.
fn keeps_its_copies(closure: &ExprClosure) -> bool {
    if closure.capture.is_none() {
        return true;
    }
    let changed = scan::assigned_by(&closure.body);
    changed.is_disjoint(&scope::free(closure))
}

/// Whether a closure changes nothing that is seen outside of it. Its parameters may be `&mut`.
pub fn is_quiet(closure: &ExprClosure, takes_unique: bool) -> bool {
    let changed = scan::assigned_by(&closure.body);
    let is_seen = match takes_unique {
        true => !changed.is_empty(),
        false => !changed.is_disjoint(&scope::free(closure)),
    };
    !is_seen && !scan::speaks(&closure.body)
}

/// The statements of a block go out; its value remains.
fn without_block(body: Expr, out: &mut Vec<Stmt>) -> Expr {
    match body {
        Expr::Paren(paren) => without_block(*paren.expr, out),
        Expr::Block(mut block) if block.label.is_none() => match block.block.stmts.pop() {
            Some(Stmt::Expr(value, None)) => {
                out.append(&mut block.block.stmts);
                without_block(value, out)
            }
            last => {
                out.append(&mut block.block.stmts);
                out.extend(last);
                parse_quote!(())
            }
        },
        body => body,
    }
}

fn plain(pattern: &Pat) -> &Pat {
    match pattern {
        Pat::Paren(paren) => plain(&paren.pat),
        Pat::Type(typed) => match plain(&typed.pat) {
            Pat::Ident(_) => pattern,
            inner => inner,
        },
        pattern => pattern,
    }
}

fn is_bare(ident: &syn::PatIdent) -> bool {
    ident.by_ref.is_none() && ident.subpat.is_none() && ident.mutability.is_none()
}

/// `p.0` as the part of its number.
struct Fields<'p> {
    name: &'p Ident,
    parts: &'p [Expr],
    /// The tuple is used as a whole too.
    is_whole: bool,
}

impl VisitMut for Fields<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Field(field) = expr
            && let syn::Member::Unnamed(index) = &field.member
            && is_named(&field.base, self.name)
            && let Some(part) = self.parts.get(index.index as usize)
        {
            *expr = part.clone();
            // A part that is a tuple itself is taken apart where it is used.
            if let Expr::Tuple(_) = expr {
                *expr = parse_quote!((#expr));
            }
            return;
        }
        self.is_whole |= is_named(expr, self.name);
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        self.is_whole |= call.tokens.to_string().contains(&self.name.to_string());
    }
}

fn is_named(expr: &Expr, name: &Ident) -> bool {
    matches!(expr, Expr::Path(path) if path.path.is_ident(name))
}

/// `w[1]` with a window of two as the element itself, where the window is used in no other way.
fn index_window(name: &Ident, window: &Window, body: &mut Expr) -> bool {
    let Some(len) = literal(&window.len) else { return false };
    let mut indices = Indices { name, window, len, is_other: false };
    let mut indexed = body.clone();
    indices.visit_expr_mut(&mut indexed);
    let is_other = indices.is_other;
    if !is_other {
        *body = indexed;
    }
    !is_other
}

struct Indices<'w> {
    name: &'w Ident,
    window: &'w Window,
    len: usize,
    is_other: bool,
}

impl VisitMut for Indices<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Index(index) = expr
            && is_named(&index.expr, self.name)
            && let Some(at) = literal(&index.index).filter(|at| *at < self.len)
        {
            let Window { base, start, .. } = self.window;
            let offset = proc_macro2::Literal::usize_unsuffixed(at);
            *expr = match at {
                0 => parse_quote!(#base[#start]),
                _ => parse_quote!(#base[#start + #offset]),
            };
            return;
        }
        self.is_other |= is_named(expr, self.name);
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        self.is_other |= call.tokens.to_string().contains(&self.name.to_string());
    }
}

fn literal(expr: &Expr) -> Option<usize> {
    match expr {
        Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(int), .. }) => int.base10_parse().ok(),
        _ => None,
    }
}

/// A parameter that is a reference to an element, as one that is the element: `&v` as `v`, and `*v` in
/// the body as `v`.
fn nearer(pattern: &Pat, body: &mut Expr) -> Option<Pat> {
    Some(match pattern {
        Pat::Wild(_) => pattern.clone(),
        Pat::Paren(paren) => nearer(&paren.pat, body)?,
        Pat::Reference(reference) => (*reference.pat).clone(),
        Pat::Ident(ident) if is_bare(ident) => {
            Dereferences(&ident.ident).visit_expr_mut(body);
            pattern.clone()
        }
        Pat::Tuple(tuple) => {
            let mut tuple = tuple.clone();
            for item in &mut tuple.elems {
                *item = nearer(item, body)?;
            }
            Pat::Tuple(tuple)
        }
        Pat::Type(typed) => nearer(&typed.pat, body)?,
        _ => return None,
    })
}

struct Dereferences<'n>(&'n Ident);

impl VisitMut for Dereferences<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        if let Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr: inner, .. }) = expr
            && is_named(inner, self.0)
        {
            *expr = (**inner).clone();
        }
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        call.tokens = self.without_star(std::mem::take(&mut call.tokens));
    }
}

impl Dereferences<'_> {
    /// Tokens in which `*v` is `v`, where that is no product.
    fn without_star(&self, tokens: TokenStream) -> TokenStream {
        let mut kept: Vec<TokenTree> = Vec::new();
        for token in tokens {
            match token {
                TokenTree::Group(group) => {
                    let mut inner =
                        Group::new(group.delimiter(), self.without_star(group.stream()));
                    inner.set_span(group.span());
                    kept.push(TokenTree::Group(inner));
                    continue;
                }
                TokenTree::Ident(name) if name == *self.0 && ends_in_dereference(&kept) => {
                    kept.pop();
                    kept.push(TokenTree::Ident(name));
                }
                token => kept.push(token),
            }
        }
        kept.into_iter().collect()
    }
}

fn ends_in_dereference(tokens: &[TokenTree]) -> bool {
    let is_star = |token: &TokenTree| matches!(token, TokenTree::Punct(p) if p.as_char() == '*');
    match tokens {
        [.., before, star] => is_star(star) && matches!(before, TokenTree::Punct(_)),
        [star] => is_star(star),
        [] => false,
    }
}

/// Whether a name is an argument as it stands.
fn is_passed_on(name: &Ident, body: &Expr) -> bool {
    struct Arguments<'n>(&'n Ident, bool);
    impl<'ast> syn::visit::Visit<'ast> for Arguments<'_> {
        fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
            self.1 |= call.args.iter().any(|arg| is_named(arg, self.0));
            syn::visit::visit_expr_call(self, call);
        }
    }
    let mut arguments = Arguments(name, false);
    syn::visit::Visit::visit_expr(&mut arguments, body);
    arguments.1
}
