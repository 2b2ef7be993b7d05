//! `match`, `if let` chains, `let else`, `while let`, `matches!` and `?` as `if` over tests, with bindings in
//! the arms.

use super::subject::Asked;
use super::test::{Subject, Test, against, bind, binds, is_binding, variant_names};
use super::{Desugar, Failure, branch, ended, plain_block, scrutinee};
use crate::lower::hoist::is_place;
use rustc_hash::FxHashSet as HashSet;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, Pat, PatSlice, Stmt, parse_quote, parse_quote_spanned};

/// What is bound before, and an `if` or a block.
type Choice = (Vec<Stmt>, Expr);

impl Desugar<'_> {
    /// An expression that chooses.
    pub(super) fn choice(&mut self, expr: &Expr) -> Option<Choice> {
        match expr {
            Expr::Match(choice) => self.arms(choice),
            Expr::If(branch) => {
                let conditions = conjuncts(&branch.cond);
                let other = branch.else_branch.as_ref().map(|(_, other)| (**other).clone());
                if !conditions.iter().any(|condition| matches!(condition, Expr::Let(_))) {
                    return None;
                }
                self.chain(&conditions, &branch.then_branch, other.as_ref())
            }
            Expr::Macro(call) if call.mac.path.is_ident("matches") => self.matches(&call.mac),
            Expr::Try(attempt) => self.attempt(attempt),
            _ => None,
        }
    }

    /// Subjects for what is matched on: one, or one for each item of a tuple of expressions, so that no
    /// tuple is made.
    fn subjects(
        &mut self,
        expr: &Expr,
        patterns: &[&Pat],
        is_guarded: bool,
    ) -> (Vec<Stmt>, Vec<Subject>) {
        let arity = patterns.iter().find_map(|pattern| match pattern {
            Pat::Tuple(tuple) => Some(tuple.elems.len()),
            _ => None,
        });
        let mut before = Vec::new();
        let asked = Asked::by(patterns, is_guarded);
        let mut subjects: Vec<Subject> = match (expr, arity) {
            (Expr::Tuple(tuple), Some(arity)) if tuple.elems.len() == arity => {
                let items = tuple.elems.iter();
                items.map(|item| self.subject(item, asked, &mut before)).collect()
            }
            (Expr::Call(_) | Expr::MethodCall(_) | Expr::Path(_), Some(arity)) if arity > 0 => {
                let names: Vec<_> = (0..arity).map(|_| self.scrutinee()).collect();
                before.push(parse_quote!(let (#(#names),*) = #expr;));
                names.iter().map(|name| Subject::value(parse_quote!(#name))).collect()
            }
            _ => vec![self.subject(expr, asked, &mut before)],
        };
        if let [subject] = &mut subjects[..] {
            let mut names = HashSet::default();
            patterns.iter().for_each(|pattern| variant_names(pattern, &mut names));
            subject.is_enum = names.len() > 1;
        }
        (before, subjects)
    }

    fn arms(&mut self, choice: &syn::ExprMatch) -> Option<Choice> {
        let arms = separate(choice);
        let patterns: Vec<&Pat> = arms.iter().map(|arm| &arm.pattern).collect();
        let is_guarded = arms.iter().any(|arm| arm.guard.is_some());
        let (before, subjects) = self.subjects(&choice.expr, &patterns, is_guarded);
        let mut chain: Option<Expr> = None;
        for arm in arms.iter().rev() {
            let Test { mut conditions, bindings } = parts(&arm.pattern, &subjects)?;
            let body = body(&bindings, arm.body);
            conditions.extend(arm.guard.map(|guard| guarded(&bindings, guard)));
            chain = Some(match (chain, all(&conditions)) {
                (None, _) if arm.guard.is_none() => Expr::Block(plain_block(body)),
                (Some(other), Some(condition)) => branch(condition, body, Some(other)),
                (Some(_), None) => Expr::Block(plain_block(body)),
                (None, _) => return None,
            });
        }
        Some((before, chain?))
    }

    /// `if a && let P = e && b { .. } else { .. }`: what stands behind the first `let` goes inside, and the
    /// `else` with it where another pattern may fail there.
    fn chain(
        &mut self,
        conditions: &[Expr],
        then: &syn::Block,
        other: Option<&Expr>,
    ) -> Option<Choice> {
        let is_let = |condition: &Expr| matches!(condition, Expr::Let(_));
        let first = conditions.iter().position(is_let)?;
        let (plain, rest) = conditions.split_at(first);
        if let Some(condition) = all(plain) {
            let inner = block(self.chain(rest, then, other)?);
            return Some((Vec::new(), branch(condition, inner, other.cloned())));
        }
        let Expr::Let(test) = &rest[0] else { return None };
        let (before, subjects) = self.subjects(&test.expr, &[&test.pat], false);
        let Test { mut conditions, bindings } = parts(&test.pat, &subjects)?;
        let rest = &rest[1..];
        let is_taken = subjects.iter().any(|subject| subject.taken.is_some());
        let then = if rest.iter().any(is_let) {
            let inner = block(self.chain(rest, then, other)?);
            let stmts = &inner.stmts;
            parse_quote!({ #(#bindings)* #(#stmts)* })
        } else if let (true, Some(condition)) = (is_taken, all(rest)) {
            let inner = branch(condition, then.clone(), other.cloned());
            parse_quote!({ #(#bindings)* #inner })
        } else {
            conditions.extend(rest.iter().map(|condition| guarded(&bindings, condition)));
            let stmts = &then.stmts;
            parse_quote!({ #(#bindings)* #(#stmts)* })
        };
        let condition = all(&conditions).unwrap_or_else(|| parse_quote!(true));
        Some((before, branch(condition, then, other.cloned())))
    }

    /// `let P = e else { .. };`, and `let P = e;` with a pattern that takes a place apart.
    pub(super) fn bound_parts(&mut self, local: &syn::Local) -> Option<Vec<Stmt>> {
        let init = local.init.as_ref()?;
        let otherwise = init.diverge.as_ref().map(|(_, otherwise)| otherwise);
        if otherwise.is_none() && is_plain(&local.pat) {
            return self.held_array(local, init);
        }
        let (mut stmts, subjects) = self.subjects(&init.expr, &[&local.pat], false);
        let Test { conditions, bindings } = parts(&local.pat, &subjects)?;
        if let (Some(condition), Some(otherwise)) = (all(&conditions), otherwise) {
            stmts.push(parse_quote!(if !(#condition) #otherwise));
        }
        stmts.extend(bindings);
        Some(stmts)
    }

    /// `let [a, b] = f(x);`, or of a field: the array is a variable first, whose type says how long it is.
    fn held_array(&mut self, local: &syn::Local, init: &syn::LocalInit) -> Option<Vec<Stmt>> {
        let Pat::Slice(slice) = &local.pat else { return None };
        let has_known_type = is_place(&init.expr) && !leads_through_field(&init.expr);
        if has_known_type || matches!(*init.expr, Expr::Array(_)) {
            return None;
        }
        let (name, ty, value) = (self.scrutinee(), array_type(&local.pat), &init.expr);
        Some(vec![parse_quote!(let #name: #ty = #value;), parse_quote!(let #slice = #name;)])
    }

    /// `matches!` with names, with a guard, or of an element that may not be there.
    fn matches(&mut self, call: &syn::Macro) -> Option<Choice> {
        let parser = |input: ParseStream| -> syn::Result<(Expr, Pat, Option<Expr>)> {
            let value = input.parse()?;
            input.parse::<syn::Token![,]>()?;
            let pattern = Pat::parse_multi_with_leading_vert(input)?;
            let guard =
                input.parse::<Option<syn::Token![if]>>()?.map(|_| input.parse()).transpose()?;
            input.parse::<Option<syn::Token![,]>>()?;
            Ok((value, pattern, guard))
        };
        let (value, pattern, guard) = parser.parse2(call.tokens.clone()).ok()?;
        if !binds(&pattern) && !matches!(value, Expr::MethodCall(_)) {
            return None;
        }
        let (before, subjects) = self.subjects(&value, &[&pattern], true);
        let Test { mut conditions, bindings } = parts(&pattern, &subjects)?;
        conditions.extend(guard.iter().map(|guard| guarded(&bindings, guard)));
        Some((before, all(&conditions).unwrap_or_else(|| parse_quote!(true))))
    }

    /// `e?`: in a function that returns an `Option` or a `Result`.
    fn attempt(&mut self, attempt: &syn::ExprTry) -> Option<Choice> {
        let (expr, span) = (scrutinee(&attempt.expr), attempt.question_token.span);
        let (value, error) = (self.fresh("value"), self.fresh("error"));
        let failure: Expr = parse_quote_spanned!(span=> ::core::result::Result::Err(#error));
        let choice: Expr = match self.failure {
            Failure::None => return None,
            Failure::Option => parse_quote!(match #expr {
                ::core::option::Option::Some(#value) => #value,
                ::core::option::Option::None => return ::core::option::Option::None,
            }),
            Failure::Result => parse_quote!(match #expr {
                ::core::result::Result::Ok(#value) => #value,
                ::core::result::Result::Err(#error) => return #failure,
            }),
        };
        self.choice(&choice)
    }

    /// `while let`: a loop that an `if let` leaves.
    pub(super) fn while_let(&mut self, repeat: &syn::ExprWhile) -> Option<Expr> {
        let conditions = conjuncts(&repeat.cond);
        if !conditions.iter().any(|condition| matches!(condition, Expr::Let(_))) {
            return None;
        }
        let other = parse_quote!({
            break;
        });
        let (before, value) = self.chain(&conditions, &repeat.body, Some(&other))?;
        let label = &repeat.label;
        Some(parse_quote!(#label loop { #(#before)* #value }))
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

/// A pattern against all subjects of a match.
fn parts(pattern: &Pat, subjects: &[Subject]) -> Option<Test> {
    let mut found = Test::default();
    match (pattern, subjects) {
        (pattern, [one]) => against(pattern, one, &mut found)?,
        (Pat::Wild(_), _) => {}
        (Pat::Paren(paren), _) => return parts(&paren.pat, subjects),
        (Pat::Tuple(tuple), _) if tuple.elems.len() == subjects.len() => {
            for (item, subject) in tuple.elems.iter().zip(subjects) {
                against(item, subject, &mut found)?;
            }
        }
        (Pat::Or(or), _) if !binds(pattern) => {
            let cases: Option<Vec<Test>> =
                or.cases.iter().map(|case| parts(case, subjects)).collect();
            let cases: Vec<Expr> = cases?
                .iter()
                .map(|case| all(&case.conditions).unwrap_or_else(|| parse_quote!(true)))
                .collect();
            found.conditions.push(parse_quote!(#(#cases)||*));
        }
        (Pat::Ident(ident), _) if is_binding(ident) && ident.subpat.is_none() => {
            let (ident, places) = (&ident.ident, subjects.iter().map(|subject| &subject.place));
            found.bindings.push(parse_quote!(let #ident = (#(#places),*);));
        }
        _ => return None,
    }
    Some(found)
}

/// Patterns that are bound as they stand: names, and tuples and arrays of them.
fn is_plain(pattern: &Pat) -> bool {
    let is_rest = |item: &Pat| matches!(item, Pat::Rest(_));
    match pattern {
        Pat::Wild(_) => true,
        Pat::Ident(ident) => ident.by_ref.is_none() && ident.subpat.is_none(),
        Pat::Paren(paren) => is_plain(&paren.pat),
        Pat::Type(typed) => is_plain(&typed.pat),
        Pat::Tuple(tuple) => tuple.elems.iter().all(|item| !is_rest(item) && is_plain(item)),
        Pat::Slice(slice) => slice.elems.iter().all(|item| !is_rest(item) && is_plain(item)),
        _ => false,
    }
}

/// The type of what a plain pattern fits, as far as it shows.
fn array_type(pattern: &Pat) -> syn::Type {
    match pattern {
        Pat::Slice(PatSlice { elems, .. }) if !elems.is_empty() => {
            let (item, count) = (array_type(&elems[0]), elems.len());
            parse_quote!([#item; #count])
        }
        _ => parse_quote!(_),
    }
}

/// The names of a parameter's pattern, bound to parts of the parameter.
pub fn parameter(pattern: &Pat, name: &syn::Ident) -> Option<Vec<Stmt>> {
    let place: Expr = parse_quote!(#name);
    let mut bindings = Vec::new();
    bind(pattern, &place, &super::test::Mode::Auto(place.clone()), &mut bindings)?;
    Some(bindings)
}

/// All conditions, from first to last.
fn all(conditions: &[Expr]) -> Option<Expr> {
    let first = conjunct(conditions.first()?);
    let rest = conditions[1..].iter().map(conjunct);
    Some(rest.fold(first, |all, next| parse_quote!(#all && #next)))
}

/// A condition as an operand of `&&`.
fn conjunct(condition: &Expr) -> Expr {
    match condition {
        Expr::Macro(_) | Expr::Path(_) | Expr::Paren(_) | Expr::Call(_) | Expr::MethodCall(_) => {
            condition.clone()
        }
        condition => parse_quote!((#condition)),
    }
}

/// A condition that reads what a pattern binds.
fn guarded(bindings: &[Stmt], guard: &Expr) -> Expr {
    match bindings.is_empty() {
        true => guard.clone(),
        false => Expr::Block(ended(bindings.to_vec(), guard.clone())),
    }
}

fn body(bindings: &[Stmt], body: &Expr) -> syn::Block {
    match body {
        Expr::Block(block) if block.label.is_none() => {
            let stmts = bindings.iter().chain(&block.block.stmts).cloned().collect();
            syn::Block { brace_token: Default::default(), stmts }
        }
        body => ended(bindings.to_vec(), body.clone()).block,
    }
}

fn block((before, value): Choice) -> syn::Block {
    ended(before, value).block
}

/// The conditions of a chain.
fn conjuncts(condition: &Expr) -> Vec<Expr> {
    match condition {
        Expr::Binary(syn::ExprBinary { left, op: syn::BinOp::And(_), right, .. }) => {
            let mut all = conjuncts(left);
            all.extend(conjuncts(right));
            all
        }
        condition => vec![condition.clone()],
    }
}

/// Whether a place is part of a field, whose type the macro does not see.
fn leads_through_field(place: &Expr) -> bool {
    match place {
        Expr::Field(_) => true,
        Expr::Index(index) => leads_through_field(&index.expr),
        Expr::Paren(paren) => leads_through_field(&paren.expr),
        Expr::Unary(unary) => leads_through_field(&unary.expr),
        _ => false,
    }
}
