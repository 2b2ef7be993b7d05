//! Names that mean something else than they seem to: constants in patterns, the user's own methods and
//! macros with names of the standard library's, functions with capital letters, constants by value.

use super::Generator;
use super::sketch::Draft;

/// A row: the feature, whether it may be refused, items, statements and the value. `%m` is a name of a
/// method of floats, slices or iterators, and `%k` a small number.
type Row = (&'static str, bool, &'static [&'static str], &'static [&'static str], &'static str);

/// Names of methods that mean something on types of the standard library.
const METHODS: &[&str] = &[
    "sum",
    "max",
    "min",
    "len",
    "map",
    "sqrt",
    "push",
    "abs",
    "powi",
    "powf",
    "sin",
    "exp",
    "ln",
    "fold",
    "iter",
    "dot",
    "get",
    "first",
    "last",
    "swap",
    "fill",
    "clamp",
    "product",
    "zip",
    "norm",
    "take",
    "replace",
    "pop",
    "insert",
    "clear",
    "rev",
    "any",
    "filter",
    "count",
    "is_nan",
    "recip",
    "signum",
    "floor",
    "to_vec",
    "as_ref",
    "as_mut",
    "unwrap",
    "expect",
    "get_mut",
    "set",
    "update",
    "borrow",
    "borrow_mut",
    "lock",
    "with",
    "iter_mut",
    "next",
    "chunks",
    "sort",
    "contains",
    "into_iter",
    "scale",
    "axpy",
    "gradient",
    "jvp",
    "vjp",
    "add",
    "mul",
    "neg",
    "index",
    "to_bits",
    "eq",
    "cmp",
    "concat",
    "skip",
    "step_by",
    "enumerate",
    "hypot",
    "atan2",
    "mul_add",
    "copied",
    "cloned",
    "collect",
    "extend",
    "drain",
];

const MACROS: &str = "own macro with a known name";
const OWN: &str = "#[derive(Clone, Debug, Differentiable)]\npub struct #S { #a: f64, #b: f64 }";
const OWN_COPY: &str =
    "#[derive(Clone, Copy, Debug, Differentiable)]\npub struct #S { #a: f64, #b: f64 }";
const TUPLE: &str =
    "#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]\npub struct #T(f64, f64);";

#[rustfmt::skip]
const ROWS: &[Row] = &[
    ("constant in a pattern", false, &["const #limit: i32 = %k;"], &["let #k = if #x > 0.2 { 1 } else { 2 };"], "match #k { #limit => #x, _ => #x * #y }"),
    ("constant in a pattern", false, &["const #limit: usize = %k;"], &["let mut #s = 0.0;", "for #k in 0..4 { #s += match #k { #limit => #x * #x, 0 => #y, _ => 0.3 * #x }; }"], "#s"),
    ("constant in a pattern", false, &["const #low: usize = 1;", "const #high: usize = %k + 1;"], &["let mut #s = 0.0;", "for #k in 0..5 { match #k { #low..=#high => #s += #x, _ => #s -= #y * #y } }"], "#s"),
    ("constant in a pattern", true, &["const #low: usize = 1;", "const #high: usize = 3;"], &["let mut #s = 0.0;", "for #k in 0..5 { if let #low | #high = #k { #s += #x * #y; } else { #s += #y; } }"], "#s"),
    ("constant in a pattern", false, &["const #limit: i32 = %k;"], &["let #k = (if #x > 0.1 { 1 } else { 2 }, #y);"], "match #k { (#limit, #q) => #q * #x, (_, #q) => #q }"),
    ("constant in a pattern", false, &["const #limit: i32 = %k;"], &["let mut #s = #x;", "for #k in 0..3 { let #limit = #k else { #s *= #y; continue; }; #s += #x; }"], "#s"),
    ("constant in a pattern", false, &["const #limit: i32 = %k;"], &["let #k = if #x > 0.2 { 1 } else { 2 };"], "if matches!(#k, #limit) { #x * #x } else { #y }"),
    ("constant in a pattern", false, &["mod #m { pub const #limit: i32 = %k; }"], &["let #k = if #x > 0.2 { 1 } else { 2 };"], "match #k { #m::#limit => #x, _ => #x * #y }"),
    ("constant in a pattern", false, &["pub struct #S;", "impl #S { const #limit: i32 = %k; }"], &["let #k = if #x > 0.2 { 1 } else { 2 };"], "match #k { #S::#limit => #x, _ => #x * #y }"),
    ("constant in a pattern", false, &["const #limit: Option<i32> = Some(%k);"], &["let #k = if #x > 0.2 { Some(1) } else { None };"], "match #k { #limit => #x, _ => #x * #y }"),
    ("constant in a pattern", false, &["const #limit: &str = \"b\";"], &["let #k = if #x > 0.2 { \"a\" } else { \"b\" };"], "match #k { #limit => #x, _ => #x * #y }"),
    ("constant in a pattern", false, &["const #yes: bool = true;"], &["let #k = #x > 0.2;"], "match (#k, #y > 0.0) { (#yes, _) => #x, (_, #yes) => #y, _ => #x * #y }"),
    ("constant in a pattern", false, &["#[derive(Clone, Copy, PartialEq, Eq)]\npub enum #E { #A, #B }", "use #E::*;"], &["let #k = if #x > 0.2 { #A } else { #B };"], "match #k { #A => #x, #B => #x * #y }"),
    ("constant in a pattern", false, &["#[derive(Clone, Copy, PartialEq, Eq)]\npub struct #S;"], &["let #k = if #x > 0.2 { Some(#S) } else { None };"], "match #k { Some(#S) => #x, None => #x * #y }"),
    ("constant by name", false, &["const #factor: f64 = 0.25;"], &[], "#x * #factor + #factor.sin() * #y"),
    ("constant by name", false, &["static #table: [f64; 3] = [0.5, 1.5, -0.5];"], &["let mut #s = 0.0;", "for #k in 0..3 { #s += #table[#k] * #x; }"], "#s * #y"),
    ("constant by name", false, &["const #table: [f64; 3] = [0.5, 1.5, -0.5];"], &[], "#table.iter().zip([#x, #y, #x]).map(|(#p, #q)| #p * #q * #q).sum::<f64>()"),
    ("constant by name", false, &["const #table: &[f64] = &[0.5, 1.5, -0.5];"], &["let mut #s = #y;", "for (#k, #p) in #table.iter().enumerate() { #s = #s * #p + #x * #k as f64; }"], "#s"),
    ("constant by name", false, &["mod #m { pub const #factor: f64 = 0.75; }"], &["let #v = [#x; 2];"], "(#v[0] * #m::#factor).sin() * #v[1]"),
    ("constant by name", false, &["pub struct #S;", "impl #S { const #f: f64 = 1.25; }"], &["let mut #v = #S::#f;", "#v *= #x;"], "#v * #y"),
    ("constant written to", false, &["const #start: [f64; 2] = [0.5, 1.5];"], &["let mut #v = #start;", "#v[0] *= #x;", "#v[1] += #y;"], "#v[0] * #v[1] + #start[0]"),
    ("constant written to", false, &["#[differentiate(constant(#w))]\nfn #f(#a: f64, mut #w: [f64; 2]) -> f64 { #w[0] = #a * #a; #w[0] * #w[1] }"], &[], "#f(#x, [0.5, 1.25]) * #y"),
    ("constant written to", false, &["#[differentiate(constant(#w))]\nfn #f(#a: f64, mut #w: Vec<f64>) -> f64 { #w[1] += #a; #w.push(#a * #w[0]); #w.iter().sum::<f64>() }"], &[], "#f(#x, vec![0.5, 1.25]) * #y"),
    ("constant written to", false, &["#[differentiate(wrt(#a))]\nfn #f(#a: f64, mut #w: (f64, f64)) -> f64 { #w.0 *= #a; let (ref mut #q, _) = #w; *#q += 0.5; #w.0 * #w.1 }"], &[], "#f(#x, (0.5, 1.25)) * #y"),
    ("constant written to", false, &["#[differentiate(constant(#w))]\nfn #f(#a: f64, mut #w: f64) -> f64 { for _ in 0..2 { #w = #w * #a + 0.5; } #w }"], &[], "#f(#x, 0.75) * #y"),
    ("constant written to", false, &["#[differentiate(constant(#w))]\nfn #f(#a: f64, #w: Option<f64>) -> f64 { let mut #w = #w; if let Some(#q) = &mut #w { *#q *= #a; } #w.unwrap() }"], &[], "#f(#x, Some(0.75)) * #y"),

    ("own method with a known name", false, &[OWN, "#[differentiate]\nimpl #S { fn %m(&self) -> f64 { #sq(self.#a) + 3.0 * self.#b } }", "#[differentiate]\nfn #sq(#a: f64) -> f64 { #a * #a }"], &["let #s = #S { #a: #x, #b: #x * #y };"], "#s.%m() * #y"),
    ("own method with a known name", false, &[OWN_COPY, "#[differentiate]\nimpl #S { fn %m(self) -> f64 { self.#a - 3.0 * self.#b } }"], &["let #s = #S { #a: #x, #b: #x * #y };"], "#s.%m() + #s.%m()"),
    ("own method with a known name", false, &[OWN, "#[differentiate]\nimpl #S { fn %m(&self, #w: f64) -> f64 { self.#a * #w + 3.0 * self.#b } }"], &["let #s = #S { #a: #x, #b: #x * #y };"], "#s.%m(#y)"),
    ("own method with a known name", false, &[OWN, "#[differentiate]\nimpl #S { fn %m(&mut self, #w: f64) { self.#a += #w; self.#b *= self.#a; } }"], &["let mut #s = #S { #a: #x, #b: #x * #y };", "#s.%m(#y);"], "#s.#a * #s.#b"),
    ("own method with a known name", false, &[OWN_COPY, "#[differentiate]\nimpl #S { fn %m(&mut self, #w: f64) { self.#a += #w; self.#b *= self.#a; } }"], &["let mut #s = (#x, #S { #a: #x, #b: #x * #y });", "#s.1.%m(#y);"], "#s.1.#a * #s.1.#b + #s.0"),
    ("own method with a known name", true, &[OWN_COPY, "#[differentiate]\nimpl #S { fn %m(self, #w: #S) -> #S { #S { #a: self.#a * #w.#b, #b: #w.#a - self.#b } } }"], &["let #s = #S { #a: #x, #b: #y };", "let #q = #s.%m(#S { #a: #y, #b: 0.5 });"], "#q.#a * #q.#b"),
    ("own method with a known name", true, &["pub struct #S { #a: f64 }", "#[differentiate(constant(self))]\nimpl #S { fn %m(&self, #w: f64) -> f64 { self.#a * #w * #w } }"], &["let #s = #S { #a: 0.5 };"], "#s.%m(#x) * #y"),
    ("own method with a known name", true, &["pub struct #S { #a: f64 }", "impl #S { fn %m(&self, #w: f64) -> f64 { self.#a * #w * #w } }"], &["let #s = #S { #a: 0.5 };"], "#s.%m(#x) * #y"),
    ("own method with a known name", true, &["#[derive(Clone, Debug, Differentiable)]\npub struct #S { #a: f64 }", "pub trait #Tr { fn %m(&self, #w: f64) -> f64; }", "impl #Tr for #S { fn %m(&self, #w: f64) -> f64 { self.#a * #w - #w } }"], &["let #s = #S { #a: #x };"], "#Tr::%m(&#s, #x) * #s.%m(#y)"),
    ("own function with a known name", false, &["mod #m { use super::*; #[differentiate]\npub fn %m(#a: f64, #b: f64) -> f64 { #a * #b - #b * #b } }"], &[], "#m::%m(#x, #y) * #x"),
    ("own function with a known name", false, &["pub struct #S;", "#[differentiate]\nimpl #S { fn %m(#a: f64, #b: f64) -> f64 { #a * #b - #b * #b } }"], &[], "#S::%m(#x, #y) * #x"),
    ("closure with a known name", false, &[], &["let %m = |#a: f64, #b: f64| #a * #b - #x;"], "%m(#x, #y) * #y"),
    ("variable with a known name", false, &[], &["let %m = [#x, #y, 0.5];", "let mut f64 = 0.0;", "for vec in %m.iter() { f64 += vec * vec; }"], "f64.sin() * f64::cos(#x)"),

    ("capitalised function", false, &["#[differentiate]\nfn #FF(#a: f64) -> (f64, f64) { (#a.sin() * 5.0, #a.cos()) }"], &["let (#p, #q) = #FF(#x);"], "#p * #q"),
    ("capitalised function", false, &["#[differentiate]\nfn #FOO(#a: f64, #b: f64) -> f64 { #a * #a * #b }"], &[], "#FOO(#x, #y) * #FOO(#y, 0.5)"),
    ("capitalised function", false, &["#[differentiate]\nfn #FF(#a: f64) -> [f64; 2] { [#a.sin() * 5.0, #a.cos()] }"], &["let #p = #FF(#x);"], "#p[0] * #p[1]"),
    ("capitalised function", false, &["#[differentiate]\nfn #FF(#a: f64) -> Option<f64> { if #a > 0.0 { Some(#a * #a) } else { None } }"], &[], "#FF(#x).unwrap_or(#y) * #y"),
    ("capitalised function", false, &["#[differentiate]\nfn #FF(#a: &mut f64, #b: f64) { *#a = *#a * #b + 1.0; }"], &["let mut #p = #x;", "#FF(&mut #p, #y);"], "#p * #p"),
    ("capitalised function", false, &["mod #m { use super::*; #[differentiate]\npub fn #FF(#a: f64) -> (f64, f64) { (#a.sin() * 5.0, #a.cos()) } }"], &["let (#p, #q) = #m::#FF(#x);"], "#p * #q"),
    ("capitalised function", false, &[TUPLE, "#[differentiate]\nfn #FF(#a: f64, #b: f64) -> #T { #T(#a * #b, #b) }"], &["let #T(#p, #q) = #FF(#x, #y);"], "#p * #q"),
    ("capitalised function", false, &[OWN_COPY, "#[differentiate]\nimpl #S { fn #NEW(#a: f64) -> #S { #S { #a: #a * #a, #b: #a } } }"], &["let #p = #S::#NEW(#x);"], "#p.#a * #p.#b"),
    ("tuple struct", false, &[TUPLE], &["let mut #p = #T(#x, #y);", "#p.0 *= #p.1;"], "#p.0 * #p.1"),
    ("tuple struct", false, &["#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]\npub struct #Duo(f64, [f64; 2]);"], &["let mut #p = #Duo(#x, [#y, #x * #y]);", "#p.1[0] *= #p.0;"], "#p.0 * #p.1[0] + #p.1[1]"),
    ("tuple struct", false, &[TUPLE], &["let #p = [#x, #y].map(|#q| #T(#q, #q * #q));"], "#p[0].1 * #p[1].0"),
    ("tuple struct", false, &["#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]\npub struct #low(f64, f64);"], &["let #p = #low(#x, #y * #x);"], "#p.0 * #p.1"),
    ("tuple struct", false, &["#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]\npub struct #low(f64, f64);"], &["let #p = #low(#x, #y * #x);", "let #low(#q, #r) = #p;"], "#q * #r"),
    ("own enum", false, &["#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]\npub enum #E { #A(f64), #B { #f: f64 }, #C }"], &["let mut #p = if #x > 0.0 { #E::#A(#x * #y) } else { #E::#B { #f: #y } };", "if let #E::#A(#q) = &mut #p { *#q *= #x; }"], "match #p { #E::#A(#q) => #q, #E::#B { #f } => #f * #f, #E::#C => #x }"),
    ("own enum", true, &["#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]\npub enum #E { #A(f64), #B(f64, f64) }", "use #E::*;"], &["let mut #p = if #x > 0.0 { #A(#x * #y) } else { #B(#y, #x) };", "match &mut #p { #A(#q) => *#q *= #x, #B(_, #q) => *#q += #y }"], "match #p { #A(#q) => #q, #B(#q, #r) => #q * #r }"),

    (MACROS, true, &["macro_rules! matches { ($x:expr, $limit:pat) => { $x > 0.5 }; }"], &[], "if matches!(#x, 0.0) { #x * #x } else { #y }"),
    (MACROS, true, &["macro_rules! assert { ($x:expr) => { if $x { 1.5 } else { 0.5 } }; }"], &[], "assert!(#x > 0.0) * #x * #y"),
    (MACROS, true, &["macro_rules! vec { ($($x:expr),*) => { [$($x * $x),*] }; }"], &["let #v = vec![#x, #y];"], "#v[0] * #v[1]"),
    (MACROS, true, &["macro_rules! debug_assert { ($x:expr) => { let _ = $x; }; }"], &["let mut #v = #x;", "debug_assert!({ #v *= #y; true });"], "#v * #v"),
    (MACROS, true, &["macro_rules! println { ($($x:expr),*) => { $($x += 0.5 * #cc();)* }; }", "fn #cc() -> f64 { 1.0 }"], &["let mut #v = #x;", "println!(#v);"], "#v * #v"),
    (MACROS, true, &["macro_rules! format { ($x:expr) => { $x * $x }; }"], &[], "format!(#x) * #y"),
    (MACROS, true, &["macro_rules! dbg { ($x:expr) => { $x * 2.0 }; }"], &[], "dbg!(#x) * dbg!(#y)"),
    (MACROS, true, &["macro_rules! panic { () => { 0.5 }; }"], &[], "if #x > 0.0 { #x } else { panic!() * #y }"),
    (MACROS, true, &["macro_rules! unreachable { () => { 0.5 }; }"], &[], "match #x > 0.0 { true => #x * #y, false => unreachable!() * #y }"),
    (MACROS, true, &["macro_rules! assert_eq { ($a:expr, $b:expr) => { $a = $b * $b; }; }"], &["let mut #v = #x;", "assert_eq!(#v, #y);"], "#v * #x"),
    ("hygiene", true, &["macro_rules! #twice { ($x:expr) => {{ let #t = $x * 2.0; #t + 1.0 }}; }"], &["let #t = #y;"], "#twice!(#t * #x) * #t"),
    ("hygiene", true, &["macro_rules! #bind { ($n:ident, $x:expr) => { let $n = $x; let #t = 7.0; }; }"], &["let #t = #y;", "#bind!(#q, #t * #x);"], "#q * #t"),
    ("item in a body", true, &[], &["fn #f(#a: f64) -> f64 { #a * #a }"], "#f(#x) * #y"),
    ("item in a body", true, &[], &["const #factor: f64 = 0.5;", "const #limit: i32 = %k;", "let #k = if #x > 0.0 { 1 } else { 2 };"], "match #k { #limit => #factor * #x, _ => #y }"),
    ("item in a body", true, &["const #factor: f64 = 0.25;"], &["let #q = #factor * #x;", "const #factor: f64 = 0.5;"], "#q * #factor"),
    ("shadowing", false, &[], &["let #t = #x * 2.0;", "let #s = { let #t = #y; { let #t = #t * #x; if #t > 0.0 { #t } else { -#t } } };"], "#s * #t"),
    ("shadowing", false, &[], &["let mut #s = 0.0;", "let #t = 10.0;", "{ let #t = #x * 2.0; if #x > 0.0 { #s += #t; } }", "for #t in [#t, #y] { #s += #t; }"], "(#s + #t * #x) * 0.05"),
    ("shadowing", false, &[], &["let #t = #x;", "let #g = |#t: f64| { let #t = #t * #y; #t + 1.0 };", "let #s = match Some(#y) { Some(#t) if #t > 0.0 => #t * #t, Some(#t) => -#t, None => #t };"], "#g(#t) * #s * #t"),
    ("shadowing", false, &[], &["let #t = #x;", "let #t = (#t, #t * #y);", "let (#t, #s) = (#t.1, #t.0);", "let #t = if let Some(#t) = Some(#t * #s) { #t } else { #s };"], "#t * #s"),
    ("shadowing", false, &[], &["let mut #t = #x;", "'#t: for #s in 0..3 { let #tt = #t; let mut #t = #tt * #y; while #t > 0.1 { #t *= 0.5; if #s == 1 { continue '#t; } } }", "#t += #y;"], "#t * #x"),
];

/// Methods that are taken for those of comparisons and numbers, whatever they are called on: others of these names do not
/// compile.
const ASSUMED: &[&str] = &["eq", "cmp", "floor", "signum"];

/// The features of the rows.
pub(super) fn beginnings() -> Vec<&'static str> {
    ROWS.iter().map(|row| row.0).collect()
}

impl Generator {
    pub(super) fn meaning(&mut self, draft: &mut Draft) {
        let rows: Vec<_> = ROWS.iter().map(|row| (row.0, *row)).collect();
        let Some((feature, (_, is_refusable, items, statements, value))) = self.allowed(&rows)
        else {
            draft.value = "#x * #y".into();
            return;
        };
        draft.features.push(feature);
        let method = self.random.pick(METHODS);
        let has_method = items.iter().any(|item| item.contains("%m"));
        draft.is_refusable = is_refusable || has_method && ASSUMED.contains(&method);
        let number = (1 + self.random.below(2)).to_string();
        let filled = |text: &&str| text.replace("%m", method).replace("%k", &number);
        let (items, statements) = (items.iter().map(filled), statements.iter().map(filled));
        if feature != MACROS {
            draft.items.extend(items);
            draft.statements.extend(statements);
            draft.value = filled(&value);
            return;
        }
        // A macro is there for all that comes behind it, so that it gets a module of its own.
        let (items, body) = (items.collect::<String>(), statements.collect::<String>());
        let value = filled(&value);
        let function = format!("pub fn #f(#x: f64, #y: f64) -> f64 {{ {body} {value} }}");
        draft.item(format!("mod #m {{ use super::*; {items} #[differentiate]\n{function} }}"));
        draft.value = "#m::#f(#x, #y)".into();
    }
}
