//! Patterns that choose: `match`, `if let`, `let else` as `if` over tests, with bindings in the arms.
//!
//! In: a function's block. Out: the same without the patterns that are understood here; others stay,
//! and are reported where they are lowered. A pattern without bindings is tested as it stands, by
//! `matches!`; of patterns with bindings, names, `@` and tuples are taken apart.

use super::elements;
use proc_macro2::{Ident, Span};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Pat, Stmt, parse_quote};

/// Rewrites a block and everything inside. Also returns how many names were made.
pub fn desugar(block: &syn::Block) -> (syn::Block, usize) {
    let (mut block, mut desugar) = (block.clone(), Desugar { count: 0 });
    desugar.visit_block_mut(&mut block);
    (block, desugar.count)
}

struct Desugar {
    count: usize,
}

/// What a pattern asks of a value, and what it names.
#[derive(Default)]
struct Test {
    conditions: Vec<Expr>,
    bindings: Vec<Stmt>,
}

impl VisitMut for Desugar {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        visit_mut::visit_block_mut(self, block);
        let stmts = std::mem::take(&mut block.stmts);
        block.stmts = stmts.into_iter().flat_map(|stmt| self.stmt(stmt)).collect();
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        if let Some(moved) = elements::moved(expr, &mut self.count) {
            *expr = moved;
        }
        if let Expr::ForLoop(repeat) = expr
            && let Some(indexed) = elements::indexed(repeat, &mut self.count)
        {
            *repeat = indexed;
        }
        if let Some((mut before, value)) = self.choice(expr) {
            before.push(Stmt::Expr(value, None));
            *expr = parse_quote!({ #(#before)* });
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}

    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
}

impl Desugar {
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
                if let Some(stmts) = self.let_else(&local) {
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

    /// `match` and `if let`: what is bound before, and an `if`.
    fn choice(&mut self, expr: &Expr) -> Option<(Vec<Stmt>, Expr)> {
        match expr {
            Expr::Match(choice) => self.arms(choice),
            Expr::If(branch) => self.if_let(branch),
            _ => None,
        }
    }

    fn fresh(&mut self) -> Ident {
        self.count += 1;
        Ident::new(&format!("scrutinee_{}", self.count), Span::call_site())
    }

    /// Names for what is matched on. A tuple of expressions has one name for each, so that no tuple is
    /// made.
    fn scrutinee(&mut self, expr: &Expr, patterns: &[&Pat]) -> (Vec<Stmt>, Vec<Expr>) {
        let arity = patterns.iter().find_map(|pattern| match pattern {
            Pat::Tuple(tuple) => Some(tuple.elems.len()),
            _ => None,
        });
        if let (Expr::Path(_), None) = (expr, arity) {
            return (Vec::new(), vec![expr.clone()]);
        }
        let names: Vec<Ident> = (0..arity.unwrap_or(1)).map(|_| self.fresh()).collect();
        let stmts = match (expr, arity) {
            (Expr::Tuple(tuple), Some(arity)) if tuple.elems.len() == arity => {
                let pairs = names.iter().zip(&tuple.elems);
                pairs.map(|(name, item)| parse_quote!(let #name = #item;)).collect()
            }
            (_, Some(_)) => vec![parse_quote!(let (#(#names),*) = #expr;)],
            (_, None) => {
                let name = &names[0];
                vec![parse_quote!(let #name = #expr;)]
            }
        };
        (stmts, names.iter().map(|name| parse_quote!(#name)).collect())
    }

    fn arms(&mut self, choice: &syn::ExprMatch) -> Option<(Vec<Stmt>, Expr)> {
        let arms = separate(choice);
        let patterns: Vec<&Pat> = arms.iter().map(|arm| &arm.pattern).collect();
        let (before, parts) = self.scrutinee(&choice.expr, &patterns);
        let mut chain: Option<Expr> = None;
        for arm in arms.iter().rev() {
            let Test { mut conditions, bindings } = test_parts(&arm.pattern, &parts)?;
            let body = body(&bindings, arm.body);
            conditions.extend(arm.guard.map(|guard| guarded(&bindings, guard)));
            chain = Some(match (chain, all(&conditions)) {
                (None, _) if arm.guard.is_none() => parse_quote!(#body),
                (Some(other), Some(condition)) => with_else(&condition, &body, other),
                (Some(_), None) => parse_quote!(#body),
                (None, _) => return None,
            });
        }
        Some((before, chain?))
    }

    fn if_let(&mut self, branch: &syn::ExprIf) -> Option<(Vec<Stmt>, Expr)> {
        let (condition, rest) = first_condition(&branch.cond);
        let Expr::Let(test) = condition else { return None };
        let (before, parts) = self.scrutinee(&test.expr, &[&test.pat]);
        let Test { mut conditions, bindings } = test_parts(&test.pat, &parts)?;
        if rest.iter().any(|condition| matches!(condition, Expr::Let(_))) {
            return None;
        }
        conditions.extend(rest.iter().map(|condition| guarded(&bindings, condition)));
        let condition = all(&conditions).unwrap_or_else(|| parse_quote!(true));
        let then = &branch.then_branch.stmts;
        let then: syn::Block = parse_quote!({ #(#bindings)* #(#then)* });
        let mut value: syn::ExprIf = parse_quote!(if #condition #then);
        value.else_branch.clone_from(&branch.else_branch);
        Some((before, Expr::If(value)))
    }

    /// `let P = e else { .. };`
    fn let_else(&mut self, local: &syn::Local) -> Option<Vec<Stmt>> {
        let init = local.init.as_ref()?;
        let (_, otherwise) = init.diverge.as_ref()?;
        let (mut stmts, parts) = self.scrutinee(&init.expr, &[&local.pat]);
        let Test { conditions, bindings } = test_parts(&local.pat, &parts)?;
        if let Some(condition) = all(&conditions) {
            stmts.push(parse_quote!(if !(#condition) #otherwise));
        }
        stmts.extend(bindings);
        Some(stmts)
    }
}

/// One arm of a `match`.
struct Arm<'a> {
    pattern: Pat,
    guard: Option<&'a Expr>,
    body: &'a Expr,
}

/// The arms; where alternatives bind names, each is an arm of its own.
fn separate(choice: &syn::ExprMatch) -> Vec<Arm<'_>> {
    let mut arms = Vec::new();
    for arm in &choice.arms {
        let (pattern, guard) = match &arm.pat {
            Pat::Guard(guarded) => (&*guarded.pat, Some(&*guarded.guard)),
            pattern => (pattern, None),
        };
        let body = &*arm.body;
        match pattern {
            Pat::Or(or) if binds(pattern) => {
                let cases = or.cases.iter().cloned();
                arms.extend(cases.map(|pattern| Arm { pattern, guard, body }));
            }
            pattern => arms.push(Arm { pattern: pattern.clone(), guard, body }),
        }
    }
    arms
}

/// A pattern against the names of what is matched on.
fn test_parts(pattern: &Pat, parts: &[Expr]) -> Option<Test> {
    let mut found = Test::default();
    match (pattern, parts) {
        (pattern, [one]) => test(pattern, one, &mut found)?,
        (Pat::Wild(_), _) => {}
        (Pat::Paren(paren), _) => return test_parts(&paren.pat, parts),
        (Pat::Tuple(tuple), _) if tuple.elems.len() == parts.len() => {
            for (item, part) in tuple.elems.iter().zip(parts) {
                test(item, part, &mut found)?;
            }
        }
        (Pat::Or(or), _) if !binds(pattern) => {
            let cases: Option<Vec<Test>> =
                or.cases.iter().map(|case| test_parts(case, parts)).collect();
            let cases: Vec<Expr> = cases?
                .iter()
                .map(|case| all(&case.conditions).unwrap_or_else(|| parse_quote!(true)))
                .collect();
            found.conditions.push(parse_quote!(#(#cases)||*));
        }
        (Pat::Ident(ident), _) if is_binding(ident) && ident.subpat.is_none() => {
            let ident = &ident.ident;
            found.bindings.push(parse_quote!(let #ident = (#(#parts),*);));
        }
        _ => return None,
    }
    Some(found)
}

fn test(pattern: &Pat, value: &Expr, found: &mut Test) -> Option<()> {
    match pattern {
        Pat::Wild(_) => {}
        Pat::Paren(paren) => test(&paren.pat, value, found)?,
        Pat::Ident(ident) if is_binding(ident) && ident.by_ref.is_none() => {
            let (name, mutable) = (&ident.ident, &ident.mutability);
            found.bindings.push(parse_quote!(let #mutable #name = #value;));
            if let Some((_, inner)) = &ident.subpat {
                test(inner, value, found)?;
            }
        }
        Pat::Tuple(tuple) if binds(pattern) => {
            for (index, item) in tuple.elems.iter().enumerate() {
                let index = syn::Index::from(index);
                test(item, &parse_quote!(#value.#index), found)?;
            }
        }
        pattern if !binds(pattern) => {
            found.conditions.push(parse_quote!(::core::matches!(#value, #pattern)))
        }
        _ => return None,
    }
    Some(())
}

/// Whether a pattern names anything.
pub fn binds(pattern: &Pat) -> bool {
    struct Names(bool);
    impl<'ast> syn::visit::Visit<'ast> for Names {
        fn visit_pat_ident(&mut self, ident: &'ast syn::PatIdent) {
            self.0 |= is_binding(ident);
            syn::visit::visit_pat_ident(self, ident);
        }
    }
    let mut names = Names(false);
    syn::visit::Visit::visit_pat(&mut names, pattern);
    names.0
}

/// A lone identifier in capitals is a constant, as the language's lints have it.
fn is_binding(ident: &syn::PatIdent) -> bool {
    ident.subpat.is_some() || ident.ident.to_string().chars().any(char::is_lowercase)
}

/// All conditions, from first to last.
fn all(conditions: &[Expr]) -> Option<Expr> {
    let first = conditions.first()?.clone();
    Some(conditions[1..].iter().fold(first, |all, next| parse_quote!(#all && #next)))
}

/// A condition that reads what a pattern binds.
fn guarded(bindings: &[Stmt], guard: &Expr) -> Expr {
    if bindings.is_empty() { guard.clone() } else { parse_quote!({ #(#bindings)* #guard }) }
}

fn body(bindings: &[Stmt], body: &Expr) -> syn::Block {
    match body {
        Expr::Block(block) if block.label.is_none() => {
            let stmts = &block.block.stmts;
            parse_quote!({ #(#bindings)* #(#stmts)* })
        }
        body => parse_quote!({ #(#bindings)* #body }),
    }
}

fn with_else(condition: &Expr, then: &syn::Block, other: Expr) -> Expr {
    match other {
        other @ (Expr::If(_) | Expr::Block(_)) => parse_quote!(if #condition #then else #other),
        other => parse_quote!(if #condition #then else { #other }),
    }
}

/// The conditions of a chain, the first apart.
fn first_condition(condition: &Expr) -> (&Expr, Vec<&Expr>) {
    match condition {
        Expr::Binary(syn::ExprBinary { left, op: syn::BinOp::And(_), right, .. }) => {
            let (first, mut rest) = first_condition(left);
            rest.push(right);
            (first, rest)
        }
        condition => (condition, Vec::new()),
    }
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
        Pat::Ident(ident) => ident.ident.to_string().starts_with("scrutinee_"),
        Pat::Tuple(tuple) => tuple.elems.iter().all(names_scrutinee),
        _ => false,
    }
}
