//! The mutants of the table of scalar rules: other partial derivatives in the place of a row's.
//!
//! In: the table as text. Out: for each partial derivative the texts that it may become. The row itself stays what it
//! is; the compiler reads another text where the mutant is on. And for the test of the table: a crate with that test for
//! one row, which has the other partial derivative.

use std::fs;

use cotangent_rules::RULES;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, UnOp, parse_quote};

use super::pieces::{split, uncommented};
use super::site::{Mutation, Site};
use super::workspace::repository;

/// The file of the table, from the root of the repository.
pub const FILE: &str = "rules/src/lib.rs";

/// All mutants of all rows.
///
/// # Panics
///
/// When a partial derivative is not an expression.
#[must_use]
pub fn sites(text: &str, first: usize) -> Vec<Site> {
    let mut sites = Vec::new();
    for rule in RULES {
        let head = format!("            {}(", rule.name);
        let line = text.lines().position(|line| line.starts_with(&head)).map_or(0, |line| line + 1);
        for (index, from) in rule.partials.iter().enumerate() {
            for to in others(from) {
                let (row, from) = (rule.name.to_owned(), (*from).to_owned());
                let mutation = Mutation::Partial { row, index, from, to };
                let (id, file) = (first + sites.len(), FILE.to_owned());
                sites.push(Site { id, file, line, function: "RULES".into(), mutation });
            }
        }
    }
    sites
}

/// What an expression may become by one change.
fn others(text: &str) -> Vec<String> {
    let expr: Expr = syn::parse_str(text).expect("a partial derivative is an expression");
    let mut found = vec![parse_quote!(-(#expr))];
    let mut wanted = 0;
    loop {
        let mut change = Change { wanted, seen: 0 };
        let mut changed = expr.clone();
        change.visit_expr_mut(&mut changed);
        if change.seen <= wanted {
            break;
        }
        found.push(changed);
        wanted += 1;
    }
    let mut texts: Vec<String> =
        found.iter().map(|expr: &Expr| expr.to_token_stream().to_string()).collect();
    texts.retain(|changed| *changed != expr.to_token_stream().to_string());
    texts.dedup();
    texts
}

/// Makes one of the changes that an expression has room for, by its number.
struct Change {
    wanted: usize,
    seen: usize,
}

impl Change {
    /// What an expression itself may become.
    fn of(expr: &Expr) -> Vec<Expr> {
        match expr {
            Expr::Binary(binary) => of_binary(&binary.left, &binary.op, &binary.right),
            Expr::Unary(syn::ExprUnary { op: UnOp::Neg(_), expr, .. }) => vec![(**expr).clone()],
            Expr::MethodCall(call) => vec![(*call.receiver).clone()],
            Expr::If(branch) => {
                let (then, other) = (&branch.then_branch, branch.else_branch.as_ref());
                let other = other.map(|(_, other)| (**other).clone());
                other.into_iter().chain([parse_quote!(#then)]).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl VisitMut for Change {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let others = Change::of(expr);
        let index = self.wanted.checked_sub(self.seen);
        self.seen += others.len();
        if let Some(other) = index.and_then(|index| others.into_iter().nth(index)) {
            *expr = other;
            return;
        }
        visit_mut::visit_expr_mut(self, expr);
    }
}

/// Another operator, operands swapped, and one operand alone.
fn of_binary(left: &Expr, op: &BinOp, right: &Expr) -> Vec<Expr> {
    let alone = || vec![left.clone(), right.clone()];
    let with = |text: &str| -> Expr {
        let op: BinOp = syn::parse_str(text).expect("an operator");
        parse_quote!(#left #op #right)
    };
    match op {
        BinOp::Add(_) => [vec![with("-")], alone()].concat(),
        BinOp::Sub(_) => [vec![with("+"), parse_quote!(#right - #left)], alone()].concat(),
        BinOp::Mul(_) => [vec![with("/")], alone()].concat(),
        BinOp::Div(_) => [vec![with("*"), parse_quote!(#right / #left)], alone()].concat(),
        BinOp::Lt(_) => vec![with("<="), with(">")],
        BinOp::Le(_) => vec![with("<"), with(">")],
        BinOp::Gt(_) => vec![with(">="), with("<")],
        BinOp::Ge(_) => vec![with(">"), with("<")],
        BinOp::Eq(_) => vec![with("!=")],
        BinOp::BitAnd(_) => vec![with("|")],
        BinOp::BitOr(_) => vec![with("&")],
        _ => Vec::new(),
    }
}

/// The table, whose partial derivatives are those of the mutant that is on.
#[must_use]
pub fn switched(text: &str, sites: &[Site]) -> String {
    let arms: String = sites
        .iter()
        .filter_map(|site| match &site.mutation {
            Mutation::Partial { row, index, to, .. } => {
                Some(format!("    ({}, {row:?}, {index}, {to:?}),\n", site.id))
            }
            _ => None,
        })
        .collect();
    let text = text.replace("partials: &'static [&'static str]", "partials: Partials").replace(
        "partials: &[$(stringify!($partial)),+]",
        "partials: Partials(stringify!($name), &[$(stringify!($partial)),+])",
    );
    format!("{text}\n{PARTIALS}\nstatic OTHERS: &[(usize, &str, usize, &str)] = &[\n{arms}];\n")
}

/// What stands for a list of partial derivatives in the copy.
const PARTIALS: &str = "
/// The partial derivatives of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partials(&'static str, &'static [&'static str]);

impl core::ops::Index<usize> for Partials {
    type Output = &'static str;

    fn index(&self, index: usize) -> &&'static str {
        let mut others = OTHERS.iter().filter(|(_, row, at, _)| *row == self.0 && *at == index);
        others.find(|(id, ..)| ::mutation::is(*id)).map_or(&self.1[index], |(.., other)| other)
    }
}
";

/// The test of a row of the table, as `tests/rules.rs` has it: with a partial derivative in the place of its own.
///
/// # Panics
///
/// When the table or its test is not what it was.
#[must_use]
pub fn test(row: &str, index: usize, partial: &str) -> String {
    let root = repository();
    let read = |file: &str| fs::read_to_string(root.join(file)).expect("a test can be read");
    let inner = |module: &str| {
        let text = uncommented(&root.join(format!("tests/tests/rules/{module}.rs")));
        format!("mod {module} {{\n{text}\n}}\n")
    };
    let text = read("tests/tests/rules.rs");
    let (head, _) = text.split_once("\ntable! {").expect("the table is tested");
    let is_ours = |line: &&str| !line.starts_with("mod ") && !line.starts_with("//!");
    let head: Vec<&str> = head.lines().filter(is_ours).collect();
    let with_other = row_of(&read(FILE), row, index, partial);
    format!(
        "#![allow(warnings)]\n{}\n{}{}\ntable! {{ mod table {{ rows! {{ {with_other} ; }} }} }}\n\
         #[test]\nfn row() {{\n    check_derivatives(&table::{row}()).unwrap();\n    check_single_precision(&table::{row}()).unwrap();\n}}\n",
        head.join("\n"),
        inner("check"),
        inner("differences"),
    )
}

/// A row of the table, with another partial derivative.
fn row_of(text: &str, row: &str, index: usize, partial: &str) -> String {
    let (_, rows) = text.split_once("$($callback)+! {").expect("the table is a macro's");
    let (rows, _) = rows.split_once("\n        }\n").expect("it has an end");
    let rows = split(rows.parse().expect("the table is made of tokens"));
    let is_wanted = |tokens: &TokenStream| {
        tokens.clone().into_iter().next().is_some_and(|first| first.to_string() == row)
    };
    let tokens = rows.into_iter().find(is_wanted).expect("the row is there");
    let mut is_replaced = false;
    let replaced = tokens.into_iter().map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket && !is_replaced => {
            is_replaced = true;
            let list = with_other(group.stream(), index, partial);
            TokenTree::Group(Group::new(Delimiter::Bracket, list))
        }
        other => other,
    });
    replaced.collect::<TokenStream>().to_string()
}

/// A list in which one element is another.
fn with_other(list: TokenStream, index: usize, other: &str) -> TokenStream {
    let tokens: Vec<TokenTree> = list.into_iter().collect();
    let is_comma =
        |token: &TokenTree| matches!(token, TokenTree::Punct(mark) if mark.as_char() == ',');
    let elements = tokens.split(is_comma).enumerate().map(|(at, element)| match at == index {
        true => other.to_owned(),
        false => element.iter().cloned().collect::<TokenStream>().to_string(),
    });
    let text = elements.collect::<Vec<_>>().join(", ");
    text.parse().expect("tokens are printed as tokens")
}
