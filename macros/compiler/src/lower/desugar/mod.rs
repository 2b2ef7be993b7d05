//! Syntax made simpler, where that loses nothing: choices by pattern become `if`, loops over elements become
//! loops over indices, methods that move elements become exchanges, insertions and removals.
//!
//! In: a function's block. Out: the same without what is understood here; the rest stays, and is reported
//! where it is lowered. Every subexpression is still evaluated once and in order.

mod arrays;
mod choice;
pub(super) mod elements;
mod entries;
mod expected;
mod iterator;
mod known;
mod moved;
mod named;
mod parallel;
mod subject;
mod test;

pub use choice::parameter;
pub use iterator::{is_iterator, makes_iterator};
pub use known::Known;
pub(in crate::lower) use named::with_copies;
pub use parallel::is_source as is_parallel;
pub use subject::element_of;
pub use test::{binds, is_binding, is_variant};

use proc_macro2::{Ident, Span};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Pat, Stmt, parse_quote};

/// What `?` returns early.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// The function returns neither an `Option` nor a `Result`.
    None,
    Option,
    Result,
}

impl Failure {
    /// As a result type shows it, by its name.
    pub fn of(output: Option<&syn::Type>) -> Self {
        let Some(syn::Type::Path(path)) = output.map(crate::signature::plain) else {
            return Failure::None;
        };
        let last = path.path.segments.last().map(|segment| segment.ident.to_string());
        match last.as_deref() {
            Some("Option") => Failure::Option,
            Some(name) if name.ends_with("Result") => Failure::Result,
            _ => Failure::None,
        }
    }
}

/// Rewrites a block and everything inside. Also returns how many names were made.
pub fn desugar(
    block: &syn::Block,
    output: Option<&syn::Type>,
    known: &Known,
) -> (syn::Block, usize) {
    let failure = Failure::of(output);
    let (mut block, mut desugar) = (block.clone(), Desugar { count: 0, failure, output, known });
    arrays::proofs(&mut block);
    desugar.substitute_named(&mut block);
    if let Some(output) = output {
        desugar.expect_block(&mut block, output);
    }
    desugar.visit_block_mut(&mut block);
    (block, desugar.count)
}

/// Rewrites an expression and everything inside; `count` is that of names made so far.
pub fn desugar_expr(mut expr: Expr, known: &Known, count: &mut usize) -> Expr {
    let mut desugar = Desugar { count: *count, failure: Failure::None, output: None, known };
    desugar.visit_expr_mut(&mut expr);
    *count = desugar.count;
    expr
}

struct Desugar<'m> {
    count: usize,
    failure: Failure,
    /// The function's result.
    output: Option<&'m syn::Type>,
    known: &'m Known,
}

impl VisitMut for Desugar<'_> {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        block.stmts.iter_mut().for_each(arrays::without_macro);
        let stmts = std::mem::take(&mut block.stmts);
        block.stmts = stmts.into_iter().flat_map(|stmt| self.named_choice(stmt)).collect();
        visit_mut::visit_block_mut(self, block);
        let stmts = std::mem::take(&mut block.stmts);
        block.stmts = stmts.into_iter().flat_map(|stmt| self.stmt(stmt)).collect();
    }

    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        self.optional_element(local);
        if let (Pat::Type(typed), Some(init)) = (&local.pat, &mut local.init) {
            self.expect(&mut init.expr, &typed.ty);
        }
        visit_mut::visit_local_mut(self, local);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        arrays::without_macros(expr);
        self.chained(expr);
        moved::dereferenced(expr);
        self.dereferenced_attempt(expr);
        visit_mut::visit_expr_mut(self, expr);
        if let Some(moved) = moved::moved(expr, &mut self.count) {
            *expr = moved;
            return self.visit_expr_mut(expr);
        }
        match expr {
            Expr::Block(block) => {
                if let Some(once) = labelled_block(block) {
                    *expr = once;
                }
            }
            Expr::While(repeat) => {
                if let Some(endless) = self.while_let(repeat) {
                    *expr = endless;
                }
            }
            _ => {}
        }
        if let Some((before, value)) = self.choice(expr) {
            *expr = Expr::Block(ended(before, value));
        }
    }

    fn visit_expr_let_mut(&mut self, test: &mut syn::ExprLet) {
        if !self.is_choice(&test.expr) {
            visit_mut::visit_expr_let_mut(self, test);
        }
    }

    fn visit_expr_match_mut(&mut self, choice: &mut syn::ExprMatch) {
        let left = self.is_choice(&choice.expr).then(|| (*choice.expr).clone());
        visit_mut::visit_expr_match_mut(self, choice);
        if let Some(left) = left {
            *choice.expr = left;
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}

    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
}

impl Desugar<'_> {
    /// A block that a choice was turned into becomes statements of the block around it.
    fn stmt(&mut self, stmt: Stmt) -> Vec<Stmt> {
        match stmt {
            Stmt::Expr(Expr::Block(block), semi) if is_choice(&block) => {
                let mut stmts = block.block.stmts;
                if let (Some(Stmt::Expr(_, last)), Some(semi)) = (stmts.last_mut(), semi) {
                    *last = Some(semi);
                }
                stmts
            }
            Stmt::Local(mut local) => {
                if let Some(stmts) = self.bound_parts(&local) {
                    return stmts;
                }
                let Some(init) = &mut local.init else { return vec![Stmt::Local(local)] };
                let mut stmts = Vec::new();
                if let Expr::Block(block) = &mut *init.expr
                    && is_choice(block)
                    && let Some(Stmt::Expr(value, None)) = block.block.stmts.pop()
                {
                    stmts.append(&mut block.block.stmts);
                    *init.expr = value;
                }
                stmts.push(Stmt::Local(local));
                stmts
            }
            stmt => vec![stmt],
        }
    }

    /// A name for one element of a chain names it where it is.
    fn named_choice(&mut self, stmt: Stmt) -> Vec<Stmt> {
        match &stmt {
            Stmt::Local(local) => self.chosen_names(local).unwrap_or_else(|| vec![stmt]),
            _ => vec![stmt],
        }
    }

    /// A chain of iterators becomes a loop.
    fn chained(&mut self, expr: &mut Expr) {
        if let (Expr::Return(exit), Some(output)) = (&mut *expr, self.output)
            && let Some(value) = &mut exit.expr
        {
            self.expect(value, output);
        }
        if let Expr::ForLoop(repeat) = &*expr {
            let over_keys = entries::over_entries(repeat, &self.known.maps, &mut self.count);
            if let Some(looped) = over_keys.or_else(|| self.for_chain(repeat)) {
                *expr = looped;
            }
            return;
        }
        if let Some(value) = self.consumed(expr, None).or_else(|| self.chosen(expr)) {
            // What begins with a block would be a statement by itself.
            *expr = parse_quote!((#value));
        }
    }

    /// `let v = a.get(i)?;` binds an element where it is, as `let Some(v) = a.get(i) else` does.
    fn optional_element(&mut self, local: &mut syn::Local) {
        let Some(init) = &mut local.init else { return };
        let Expr::Try(attempt) = &*init.expr else { return };
        if self.failure == Failure::Option
            && let Expr::MethodCall(_) = &*attempt.expr
            && matches!(local.pat, Pat::Ident(_))
        {
            let (pattern, expr) = (&local.pat, (*attempt.expr).clone());
            local.pat = parse_quote!(::core::option::Option::Some(#pattern));
            *init.expr = expr;
            let otherwise: Expr = parse_quote!({
                return ::core::option::Option::None;
            });
            init.diverge = Some((Default::default(), Box::new(otherwise)));
        }
    }

    /// `*a.first()?` reads the element where it is.
    fn dereferenced_attempt(&mut self, expr: &mut Expr) {
        let Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr: inner, .. }) = expr else {
            return;
        };
        let Expr::Try(attempt) = &**inner else { return };
        if self.failure == Failure::Option && matches!(*attempt.expr, Expr::MethodCall(_)) {
            let (receiver, element) = (scrutinee(&attempt.expr), self.fresh("element"));
            *expr = parse_quote!(match #receiver {
                Some(#element) => *#element,
                None => return None,
            });
        }
    }

    /// A fresh name.
    fn fresh(&mut self, kind: &str) -> Ident {
        name(kind, &mut self.count)
    }

    fn scrutinee(&mut self) -> Ident {
        self.fresh("scrutinee")
    }
}

/// `'a: { .. break 'a x; .. }` as a loop that runs once, where no plain `break` or `continue` would then
/// mean that loop.
fn labelled_block(block: &syn::ExprBlock) -> Option<Expr> {
    let label = block.label.as_ref()?;
    let lifetime = &label.name;
    let inner = &block.block;
    (!crate::lower::scan::jumps(inner))
        .then(|| parse_quote!(#label loop { break #lifetime #inner; }))
}

/// A fresh name, which no name of the user's is likely to be.
pub fn name(kind: &str, count: &mut usize) -> Ident {
    *count += 1;
    crate::lower::hygiene::identifier(&format!("{kind}_{count}"), Span::call_site())
}

/// A block of statements that ends in a value. It is built and not parsed, since as tokens a value such as
/// `{ .. } = x` would be two statements.
pub fn ended(mut stmts: Vec<Stmt>, value: Expr) -> syn::ExprBlock {
    stmts.push(Stmt::Expr(value, None));
    plain_block(syn::Block { brace_token: Default::default(), stmts })
}

/// A block as an expression.
pub fn plain_block(block: syn::Block) -> syn::ExprBlock {
    syn::ExprBlock { attrs: Vec::new(), label: None, block }
}

/// A `match` with arms. It is built and not parsed, since as tokens a body such as `if c { x } else { y } * z` would end
/// its arm too early.
pub fn matched<const N: usize>(expr: Expr, arms: [(Pat, Expr); N]) -> Expr {
    let arm = |(pat, body)| syn::Arm {
        attrs: Vec::new(),
        pat,
        fat_arrow_token: Default::default(),
        body: Box::new(body),
        comma: Some(Default::default()),
    };
    Expr::Match(syn::ExprMatch {
        attrs: Vec::new(),
        match_token: Default::default(),
        expr: Box::new(expr),
        brace_token: Default::default(),
        arms: arms.map(arm).into(),
    })
}

/// An `if`. It is built and not parsed, as [`ended`] is.
pub fn branch(condition: Expr, then: syn::Block, other: Option<Expr>) -> Expr {
    let other = other.map(|other| match other {
        other @ (Expr::If(_) | Expr::Block(_)) => other,
        other => Expr::Block(ended(Vec::new(), other)),
    });
    Expr::If(syn::ExprIf {
        attrs: Vec::new(),
        if_token: Default::default(),
        cond: Box::new(condition),
        then_branch: then,
        else_branch: other.map(|other| (Default::default(), Box::new(other))),
    })
}

/// A length as the end of a range in front of a block.
pub fn end(len: &Expr) -> Expr {
    match len {
        Expr::Lit(_) | Expr::Path(_) => len.clone(),
        len => parse_quote!((#len)),
    }
}

/// An expression in front of a block, where a struct literal must have parentheses.
pub fn scrutinee(expr: &Expr) -> Expr {
    struct Literals(bool);
    impl syn::visit::Visit<'_> for Literals {
        fn visit_expr_struct(&mut self, _: &syn::ExprStruct) {
            self.0 = true;
        }
    }
    let mut literals = Literals(false);
    syn::visit::Visit::visit_expr(&mut literals, expr);
    if literals.0 { parse_quote!((#expr)) } else { expr.clone() }
}

/// Whether a block is one that a choice was turned into.
fn is_choice(block: &syn::ExprBlock) -> bool {
    let binds_scrutinee = |stmt: &Stmt| match stmt {
        Stmt::Local(local) => names_scrutinee(&local.pat),
        _ => false,
    };
    let stmts = &block.block.stmts;
    let choice = matches!(stmts.last(), Some(Stmt::Expr(Expr::If(_) | Expr::Block(_), None)));
    choice && block.label.is_none() && stmts[..stmts.len() - 1].iter().all(binds_scrutinee)
}

fn names_scrutinee(pattern: &Pat) -> bool {
    match pattern {
        Pat::Ident(ident) => {
            let name = ident.ident.to_string();
            name.starts_with("scrutinee_") || name.starts_with("index_")
        }
        Pat::Tuple(tuple) => tuple.elems.iter().all(names_scrutinee),
        _ => false,
    }
}
