//! Steps that change syntax: expressions, statements, types and patterns of one function in another, and around each what
//! Rust has to put around it.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::visit_mut::{self, VisitMut};

use crate::programs::random::Random;

/// The kinds of syntax that are exchanged.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Expression,
    Statement,
    Type,
    Pattern,
}

/// A text after one change, or nothing where it is no syntax, or has nothing of the kind.
pub fn spliced(text: &str, donor: &str, random: &mut Random) -> Option<String> {
    let mut syntax = parse(text)?;
    let kind = random.weighted(&[
        (8, Kind::Expression),
        (6, Kind::Statement),
        (2, Kind::Type),
        (2, Kind::Pattern),
    ]);
    let found = parts(&mut syntax, kind);
    if found.is_empty() {
        return None;
    }
    let number = random.below(found.len());
    let old = &found[number];
    let new = match random.chance(0.5) {
        true => {
            let given = parts(&mut parse(donor)?, kind);
            let given = if given.is_empty() { found.clone() } else { given };
            given[random.below(given.len())].clone()
        }
        false => around(kind, old, &found[random.below(found.len())], random),
    };
    let mut exchange = Parts { kind, number, new: Some(new), found: Vec::new() };
    syntax.visit(&mut exchange);
    Some(syntax.into_text())
}

/// What is parsed.
enum Syntax {
    Item(syn::Item),
    Expression(syn::Expr),
}

impl Syntax {
    fn visit(&mut self, visitor: &mut impl VisitMut) {
        match self {
            Syntax::Item(item) => visitor.visit_item_mut(item),
            Syntax::Expression(expression) => visitor.visit_expr_mut(expression),
        }
    }

    fn into_text(self) -> String {
        match self {
            Syntax::Item(item) => item.to_token_stream().to_string(),
            Syntax::Expression(expression) => expression.to_token_stream().to_string(),
        }
    }
}

fn parse(text: &str) -> Option<Syntax> {
    let item = syn::parse_str(text).map(Syntax::Item);
    item.or_else(|_| syn::parse_str(text).map(Syntax::Expression)).ok()
}

fn parts(syntax: &mut Syntax, kind: Kind) -> Vec<TokenStream> {
    let mut parts = Parts { kind, number: usize::MAX, new: None, found: Vec::new() };
    syntax.visit(&mut parts);
    parts.found
}

/// Finds all parts of a kind, and puts another in the place of one of them.
struct Parts {
    kind: Kind,
    number: usize,
    new: Option<TokenStream>,
    found: Vec<TokenStream>,
}

impl Parts {
    /// What stands in the place of a part.
    fn next(&mut self, kind: Kind, part: &impl ToTokens) -> Option<TokenStream> {
        if self.kind != kind {
            return None;
        }
        self.found.push(part.to_token_stream());
        let is_chosen = self.found.len() == self.number.saturating_add(1);
        if is_chosen { self.new.take() } else { None }
    }
}

impl VisitMut for Parts {
    fn visit_expr_mut(&mut self, part: &mut syn::Expr) {
        match self.next(Kind::Expression, part) {
            Some(new) => *part = syn::Expr::Verbatim(new),
            None => visit_mut::visit_expr_mut(self, part),
        }
    }

    fn visit_stmt_mut(&mut self, part: &mut syn::Stmt) {
        match self.next(Kind::Statement, part) {
            Some(new) => *part = syn::Stmt::Expr(syn::Expr::Verbatim(new), None),
            None => visit_mut::visit_stmt_mut(self, part),
        }
    }

    fn visit_type_mut(&mut self, part: &mut syn::Type) {
        match self.next(Kind::Type, part) {
            Some(new) => *part = syn::Type::Verbatim(new),
            None => visit_mut::visit_type_mut(self, part),
        }
    }

    fn visit_pat_mut(&mut self, part: &mut syn::Pat) {
        match self.next(Kind::Pattern, part) {
            Some(new) => *part = syn::Pat::Verbatim(new),
            None => visit_mut::visit_pat_mut(self, part),
        }
    }
}

/// A part with something around it. `$a` is the part, `$b` another of its kind.
fn around(kind: Kind, part: &TokenStream, other: &TokenStream, random: &mut Random) -> TokenStream {
    let template = random.pick(match kind {
        Kind::Expression => EXPRESSIONS,
        Kind::Statement => STATEMENTS,
        Kind::Type => TYPES,
        Kind::Pattern => PATTERNS,
    });
    filled(template, part, other)
}

/// A template with both parts.
fn filled(template: &str, part: &TokenStream, other: &TokenStream) -> TokenStream {
    let text = template.replace("$a", &part.to_string()).replace("$b", &other.to_string());
    text.parse().unwrap_or_else(|_| quote!(()))
}

const EXPRESSIONS: &[&str] = &[
    "($a)",
    "{ $a }",
    "{ $b; $a }",
    "loop { break $a; }",
    "'l: { break 'l $a; }",
    "(|| $a)()",
    "(move |v| $a)($b)",
    "{ let g = |v: f64| $a; g($b) }",
    "&$a",
    "&mut $a",
    "*$a",
    "-$a",
    "!$a",
    "($a)?",
    "return $a",
    "break $a",
    "unsafe { $a }",
    "if $b { $a } else { $b }",
    "if let Some(v) = $a { v } else { $b }",
    "match $a { v => v }",
    "match $a { Some(v) if v > $b => v, _ => $b }",
    "match $a { 0 => $b, 1..=3 => $a, _ => $b }",
    "$a as f64",
    "($a, $b)",
    "($a, $b).0",
    "[$a, $b]",
    "[$a; 3]",
    "[$a; 3][$b]",
    "vec![$a; 2]",
    "Some($a)",
    "Some($a).unwrap_or($b)",
    "$a + $b",
    "($a) * ($b)",
    "($a).max($b)",
    "($a)[$b]",
    "($a).x",
    "($a).0",
    "($a).sin()",
    "($a).iter().sum::<f64>()",
    "($a).iter().map(|v| v * $b).fold(0.0, |s, v| s + v)",
    "f64::powi($a, 3)",
    "f($a)",
    "f($a, $b)",
    "$a..$b",
    "std::mem::swap(&mut $a, &mut $b)",
    "std::mem::take(&mut $a)",
    "Box::new($a)",
    "Rc::new(RefCell::new($a))",
    "S { x: $a, ..$b }",
    "$a = $b",
    "$a += $b",
    "async { $a }",
    "const { $a }",
    "m!($a)",
    "assert!($a > 0.0)",
    "format!(\"{}\", $a)",
    "println!(\"{}\", $a)",
    "dbg!($a)",
    "$a && $b",
    "$a < $b",
    "{ fn f() {} $a }",
    "while $a {}",
    "for v in $a { $b; }",
    "|v| $a",
    "|&v| $a + v",
    "($a).borrow_mut()",
    "($a).clone()",
    "($a).await",
    "_",
    "f::vjp($a)",
    "f::gradient($a)",
    "{ let (y, pullback) = f::vjp($a); pullback($b) }",
    "matches!($a, Some(_))",
    "($a).chunks(2).map(|c| c[0]).sum::<f64>()",
    "($a).zip($b)",
    "core::hint::black_box($a)",
    "todo!()",
];

const STATEMENTS: &[&str] = &[
    "$a $b",
    "{ $a }",
    "{ $a };",
    "loop { $a break; }",
    "loop { $a }",
    "while true { $a }",
    "while let Some(v) = x.pop() { $a }",
    "for i in 0..3 { $a }",
    "for i in 0..3 { $a $b }",
    "for v in x.iter_mut() { $a }",
    "#[checkpoint] for i in 0..9 { $a }",
    "#[checkpoint(snapshots = 2)] for i in 0..9 { $a }",
    "#[checkpoint(every = 2)] while y < 3.0 { $a }",
    "if x > 0.0 { $a }",
    "if x > 0.0 { $a } else { $b }",
    "if let Some(v) = x { $a }",
    "let Some(v) = x else { $a return; };",
    "match x { 0 => { $a } _ => { $b } }",
    "let g = || { $a };",
    "let g = |v: f64| { $a v }; g(x);",
    "let y = { $a };",
    "unsafe { $a }",
    "'l: for i in 0..3 { for j in 0..3 { $a continue 'l; } }",
    "'l: { $a break 'l; }",
    "return;",
    "break;",
    "continue;",
    "return { $a };",
    "let x = x; $a",
    "let mut x = x; $a $b",
    "let x; $a x = 1.0;",
    "const C: f64 = { $a 1.0 };",
    "static S: f64 = 1.0; $a",
    "fn inner(x: f64) -> f64 { $a x }",
    "struct S { x: f64 } $a",
    "use std::f64; $a",
    "macro_rules! m { () => { } } $a",
    "let (a, b) = (x, x); $a",
    "let [a, .., b] = x; $a",
    "let r = &mut x; $a",
    "let v = &x[1..]; $a",
    "x = x + x; $a",
    "x += 1.0; $a",
    "*x = 1.0; $a",
    "x[0] = x[1]; $a",
    "x.push(1.0); $a",
    "x.swap(0, 1); $a",
    "x.iter_mut().for_each(|v| { $a });",
    "drop(x); $a",
    "assert!(x > 0.0); $a",
    "x; $a",
    ";",
    "$a;",
    "let c = std::cell::Cell::new(x); $a c.set(c.get());",
    "let (y, pullback) = f::vjp(x); $a let b = pullback(y);",
];

const TYPES: &[&str] = &[
    "&$a",
    "&mut $a",
    "[$a; 3]",
    "[$a]",
    "&[$a]",
    "&mut [$a]",
    "Vec<$a>",
    "Option<$a>",
    "($a, $b)",
    "Box<$a>",
    "Rc<RefCell<$a>>",
    "&RefCell<$a>",
    "impl Fn($a) -> $b",
    "&dyn Fn($a) -> $b",
    "fn($a) -> $b",
    "f64",
    "f32",
    "usize",
    "bool",
    "T",
    "Self",
    "()",
    "_",
    "!",
    "HashMap<$a, $b>",
    "&'static $a",
    "Result<$a, $b>",
    "impl Iterator<Item = $a>",
    "dyn Trait",
    "*const $a",
    "($a)",
    "<$a as Trait>::Type",
    "[$a; N]",
    "[f64; 3 * 2]",
    "String",
    "&str",
    "m!($a)",
    "std::ops::Range<$a>",
    "Cell<$a>",
    "Cow<$a>",
];

const PATTERNS: &[&str] = &[
    "($a, $b)",
    "&$a",
    "&mut $a",
    "mut x",
    "ref x",
    "ref mut x",
    "_",
    "x @ $a",
    "Some($a)",
    "[$a, ..]",
    "[$a, rest @ ..]",
    "S { x: $a, .. }",
    "S($a)",
    "1.0",
    "0..=3",
    "$a | $b",
    "..",
    "(.., $a)",
    "None",
    "C",
    "x",
    "($a)",
    "box x",
    "m!()",
    "-1",
    "\"text\"",
    "x: f64",
    "Enum::Variant { x, y: $a }",
    "true",
];
