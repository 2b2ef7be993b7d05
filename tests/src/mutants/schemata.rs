//! A source file with all of its mutants in it, each behind a switch.
//!
//! In: the text of a file. Out: the same with `::mutation::is(id)` and its like wherever something can be changed, and a
//! [`Site`] for each. So the compiler is built once for all mutants. **Invariant:** with no mutant on, the file means what
//! it meant, and nothing of it is written twice but what has no sites inside.

use std::collections::BTreeSet;

use proc_macro2::Span;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Block, Expr, ReturnType, Stmt, Type, UnOp, parse_quote};

use super::site::{Mutation, Site};

/// A file with switches, and what they switch. Sites are numbered from `first`; those that are left out have no switch,
/// and their numbers are not given to others.
///
/// # Errors
///
/// What the parser says.
pub fn schemata(
    file: &str,
    text: &str,
    first: usize,
    left_out: &BTreeSet<usize>,
) -> syn::Result<(String, Vec<Site>)> {
    let mut syntax = syn::parse_file(text)?;
    let mut switches = Switches { file, first, left_out, sites: Vec::new(), functions: Vec::new() };
    switches.visit_file_mut(&mut syntax);
    Ok((prettyplease::unparse(&syntax), switches.sites))
}

struct Switches<'f> {
    file: &'f str,
    first: usize,
    left_out: &'f BTreeSet<usize>,
    sites: Vec<Site>,
    functions: Vec<String>,
}

impl Switches<'_> {
    /// The number of the next site, unless it is left out.
    fn site(&mut self, span: Span, mutation: Mutation) -> Option<usize> {
        let id = self.first + self.sites.len();
        let function = self.functions.join("::");
        let (file, line) = (self.file.to_owned(), span.start().line);
        self.sites.push(Site { id, file, line, function, mutation });
        (!self.left_out.contains(&id)).then_some(id)
    }

    /// A condition that may be its opposite; in the text of the site it is what it was before there
    /// were switches in it.
    fn negate(&mut self, condition: &mut Expr, before: &impl ToTokens) {
        if let Some(id) = self.site(before.span(), Mutation::Negated(said(before))) {
            *condition = parse_quote!(::mutation::not(#id, #condition));
        }
    }

    /// A function whose body may be replaced, and what is in it.
    fn function(&mut self, signature: &syn::Signature, block: &mut Block) {
        if signature.constness.is_some() {
            return;
        }
        self.functions.push(signature.ident.to_string());
        let mut early: Vec<Stmt> = Vec::new();
        for (value, text) in substitutes(&signature.output, block) {
            if let Some(id) = self.site(signature.ident.span(), Mutation::Body(text)) {
                early.push(parse_quote!(if ::mutation::is(#id) { return #value; }));
            }
        }
        self.visit_block_mut(block);
        block.stmts.splice(0..0, early);
        self.functions.pop();
    }

    fn condition(&mut self, condition: &mut Expr) {
        let is_plain = !has_let(condition) && !is_mutated(condition);
        let before = is_plain.then(|| condition.clone());
        self.visit_expr_mut(condition);
        if let Some(before) = before {
            self.negate(condition, &before);
        }
    }

    fn binary(&mut self, binary: &syn::ExprBinary, before: &Expr) -> Option<Expr> {
        let (left, op, right) = (&binary.left, &binary.op, &binary.right);
        let span = op.span();
        match op {
            BinOp::Eq(_) | BinOp::Ne(_) => {
                let id = self.site(span, Mutation::Negated(said(before)))?;
                Some(parse_quote!(::mutation::not(#id, #binary)))
            }
            BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) => {
                self.comparison(binary, before)
            }
            BinOp::And(_) | BinOp::Or(_) if !has_let(left) && !has_let(right) => {
                let is_and = matches!(op, BinOp::And(_));
                let (from, to) = if is_and { ("&&", "||") } else { ("||", "&&") };
                let id = self.site(span, Mutation::Operator(from, to))?;
                Some(parse_quote!(({
                    let __left: bool = #left;
                    if __left == (::mutation::is(#id) ^ #is_and) { #right } else { __left }
                })))
            }
            BinOp::Add(_) | BinOp::Sub(_) if is_number(left) && is_number(right) => {
                let (from, to) = if matches!(op, BinOp::Add(_)) { ("+", "-") } else { ("-", "+") };
                let id = self.site(span, Mutation::Operator(from, to))?;
                let other: BinOp = syn::parse_str(to).expect("an operator");
                Some(parse_quote!((match (#left, #right) {
                    (__left, __right) => if ::mutation::is(#id) { __left #other __right } else { __left #op __right }
                })))
            }
            _ => None,
        }
    }

    /// A comparison that may be its opposite, or take in its bound.
    fn comparison(&mut self, binary: &syn::ExprBinary, before: &Expr) -> Option<Expr> {
        let (left, op, right) = (&binary.left, &binary.op, &binary.right);
        let (from, to) = bounds(op);
        let negated = self.site(op.span(), Mutation::Negated(said(before)));
        let moved = self.site(op.span(), Mutation::Bound(from, to));
        let (negated, moved) = negated.zip(moved)?;
        let other: BinOp = syn::parse_str(to).expect("an operator");
        Some(parse_quote!(::mutation::not(#negated, match (&(#left), &(#right)) {
            (__left, __right) => if ::mutation::is(#moved) { __left #other __right } else { __left #op __right }
        })))
    }

    /// Operands of `&&` and `||` are conditions.
    fn operands(&mut self, binary: &mut syn::ExprBinary) {
        if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) {
            self.condition(&mut binary.left);
            self.condition(&mut binary.right);
        } else {
            visit_mut::visit_expr_binary_mut(self, binary);
        }
    }

    fn arms(&mut self, arms: &mut [syn::Arm]) {
        let has_rest = arms.last().is_some_and(|arm| is_rest(&arm.pat));
        let last = arms.len().saturating_sub(1);
        for (index, arm) in arms.iter_mut().enumerate() {
            match &mut arm.pat {
                syn::Pat::Guard(guarded) if !has_let(&guarded.guard) => {
                    self.guard(&mut guarded.guard)
                }
                pattern if has_rest && index < last && !matches!(pattern, syn::Pat::Guard(_)) => {
                    if let Some(id) = self.site(pattern.span(), Mutation::Arm(said(pattern))) {
                        *pattern = syn::Pat::Guard(syn::PatGuard {
                            attrs: Vec::new(),
                            pat: Box::new(pattern.clone()),
                            if_token: Default::default(),
                            guard: parse_quote!(!::mutation::is(#id)),
                        });
                    }
                }
                _ => {}
            }
            self.visit_expr_mut(&mut arm.body);
        }
    }

    fn guard(&mut self, guard: &mut Box<Expr>) {
        let span = guard.span();
        let always = self.site(span, Mutation::Guard(true));
        let never = self.site(span, Mutation::Guard(false));
        self.visit_expr_mut(guard);
        if let Some((always, never)) = always.zip(never) {
            **guard = parse_quote!(::mutation::guard(#always, #never, #guard));
        }
    }
}

impl VisitMut for Switches<'_> {
    fn visit_item_mut(&mut self, item: &mut syn::Item) {
        match item {
            syn::Item::Fn(function) => self.visit_item_fn_mut(function),
            syn::Item::Impl(block) => {
                self.functions.push(said(&block.self_ty));
                visit_mut::visit_item_impl_mut(self, block);
                self.functions.pop();
            }
            syn::Item::Trait(item) => visit_mut::visit_item_trait_mut(self, item),
            syn::Item::Mod(module) => visit_mut::visit_item_mod_mut(self, module),
            // What constants are made of runs before any switch is read.
            _ => {}
        }
    }

    fn visit_item_fn_mut(&mut self, function: &mut syn::ItemFn) {
        self.function(&function.sig, &mut function.block);
    }

    fn visit_impl_item_mut(&mut self, item: &mut syn::ImplItem) {
        if let syn::ImplItem::Fn(function) = item {
            self.function(&function.sig, &mut function.block);
        }
    }

    fn visit_trait_item_mut(&mut self, item: &mut syn::TraitItem) {
        if let syn::TraitItem::Fn(function) = item
            && let Some(block) = &mut function.default
        {
            self.function(&function.sig, block);
        }
    }

    fn visit_type_mut(&mut self, _: &mut Type) {}

    fn visit_pat_mut(&mut self, _: &mut syn::Pat) {}

    fn visit_attribute_mut(&mut self, _: &mut syn::Attribute) {}

    fn visit_expr_if_mut(&mut self, branch: &mut syn::ExprIf) {
        self.condition(&mut branch.cond);
        self.visit_block_mut(&mut branch.then_branch);
        if let Some((_, other)) = &mut branch.else_branch {
            self.visit_expr_mut(other);
        }
    }

    fn visit_expr_while_mut(&mut self, repeated: &mut syn::ExprWhile) {
        self.condition(&mut repeated.cond);
        self.visit_block_mut(&mut repeated.body);
    }

    fn visit_expr_match_mut(&mut self, choice: &mut syn::ExprMatch) {
        self.visit_expr_mut(&mut choice.expr);
        self.arms(&mut choice.arms);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if is_condition(expr) {
            let before = expr.clone();
            visit_mut::visit_expr_mut(self, expr);
            self.negate(expr, &before);
            return;
        }
        match expr {
            Expr::Binary(_) => {
                let before = expr.clone();
                let Expr::Binary(binary) = expr else { unreachable!("it was one") };
                self.operands(binary);
                let binary = binary.clone();
                if let Some(switched) = self.binary(&binary, &before) {
                    *expr = switched;
                }
            }
            Expr::Unary(syn::ExprUnary { op: UnOp::Not(_), expr: inner, .. })
                if !is_mutated(inner) =>
            {
                let before = inner.clone();
                self.visit_expr_mut(inner);
                self.negate(expr, &before);
            }
            _ => visit_mut::visit_expr_mut(self, expr),
        }
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        for stmt in &mut block.stmts {
            let mutation = is_removable(stmt).then(|| Mutation::Statement(said(stmt)));
            let removed = mutation.map(|mutation| self.site(stmt.span(), mutation));
            self.visit_stmt_mut(stmt);
            if let Some(Some(id)) = removed {
                *stmt = parse_quote!(if !::mutation::is(#id) { #stmt });
            }
        }
    }
}

/// Code on one line, and not all of it.
fn said(code: &impl ToTokens) -> String {
    let text = code.to_token_stream().to_string();
    let tight = [
        (" . ", "."),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        (" ,", ","),
        (" :: ", "::"),
        ("& ", "&"),
        (" ;", ""),
    ];
    let text = tight.iter().fold(text, |text, (from, to)| text.replace(from, to));
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// What a function may return in the place of what it does.
fn substitutes(output: &ReturnType, block: &Block) -> Vec<(Expr, &'static str)> {
    if block.stmts.is_empty() {
        return Vec::new();
    }
    let ty = match output {
        ReturnType::Default => return vec![(parse_quote!(()), "()")],
        ReturnType::Type(_, ty) => said(ty),
    };
    let only = match &block.stmts[..] {
        [Stmt::Expr(expr, None)] => said(expr),
        _ => String::new(),
    };
    let head = ty.split(['<', ' ']).next().unwrap_or_default();
    let mut values: Vec<(Expr, &str)> = match head {
        "bool" => vec![(parse_quote!(true), "true"), (parse_quote!(false), "false")],
        "Option" => vec![(parse_quote!(None), "None")],
        "Vec" => vec![(parse_quote!(Vec::new()), "Vec::new()")],
        "HashSet" | "HashMap" | "BTreeMap" | "BTreeSet" => {
            vec![(parse_quote!(Default::default()), "Default::default()")]
        }
        _ => Vec::new(),
    };
    values.retain(|(_, text)| *text != only);
    values
}

/// Whether a condition binds names, which only `if` and `while` may.
fn has_let(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        Expr::Paren(inner) => has_let(&inner.expr),
        _ => false,
    }
}

/// Whether an expression is a condition by what it says.
fn is_condition(expr: &Expr) -> bool {
    let by_name = |name: &str| {
        let begins = ["is_", "has_", "can_", "contains", "starts_with", "ends_with"];
        begins.iter().any(|begin| name.starts_with(begin))
    };
    match expr {
        Expr::MethodCall(call) if matches!(&*call.method.to_string(), "any" | "all") => {
            matches!(call.args.first(), Some(Expr::Closure(_) | Expr::Path(_)))
                && call.args.len() == 1
        }
        Expr::MethodCall(call) => by_name(&call.method.to_string()),
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) => {
                path.path.segments.last().is_some_and(|last| by_name(&last.ident.to_string()))
            }
            _ => false,
        },
        Expr::Macro(call) => call.mac.path.is_ident("matches"),
        _ => false,
    }
}

/// Whether a condition's opposite is a mutant anyway.
fn is_mutated(expr: &Expr) -> bool {
    match expr {
        Expr::Binary(binary) => {
            !matches!(binary.op, BinOp::BitAnd(_) | BinOp::BitOr(_) | BinOp::BitXor(_))
        }
        Expr::Unary(unary) => matches!(unary.op, UnOp::Not(_)),
        Expr::Paren(inner) => is_mutated(&inner.expr),
        Expr::Lit(_) | Expr::Let(_) => true,
        _ => is_condition(expr),
    }
}

fn bounds(op: &BinOp) -> (&'static str, &'static str) {
    match op {
        BinOp::Lt(_) => ("<", "<="),
        BinOp::Le(_) => ("<=", "<"),
        BinOp::Gt(_) => (">", ">="),
        _ => (">=", ">"),
    }
}

/// Whether an operand of `+` may be a number, and is no text.
fn is_number(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(literal) => matches!(literal.lit, syn::Lit::Int(_)),
        Expr::Reference(_) | Expr::Macro(_) => false,
        _ => true,
    }
}

/// Whether a pattern takes whatever comes.
fn is_rest(pattern: &syn::Pat) -> bool {
    match pattern {
        syn::Pat::Wild(_) => true,
        syn::Pat::Ident(name) => {
            let text = name.ident.to_string();
            name.subpat.is_none() && text.starts_with(|first: char| first.is_lowercase())
        }
        _ => false,
    }
}

/// Whether a statement can be left out: a call, or a change of what has a value already.
fn is_removable(stmt: &Stmt) -> bool {
    let Stmt::Expr(expr, Some(_)) = stmt else { return false };
    match expr {
        Expr::Call(_) | Expr::MethodCall(_) => true,
        Expr::Try(inner) => matches!(*inner.expr, Expr::Call(_) | Expr::MethodCall(_)),
        Expr::Assign(assign) => {
            !matches!(*assign.left, Expr::Path(_) | Expr::Infer(_) | Expr::Tuple(_))
        }
        Expr::Binary(_) => true,
        _ => false,
    }
}
