//! Input that nobody would write: the macros must neither panic nor run on, and what they emit must be Rust.
//!
//! `COTANGENT_INPUTS=N` sets how many random inputs are tested here; the binary `inputs` tests hundreds of thousands.

use std::time::Duration;

use cotangent_tests::inputs::case::{Case, Entry};
use cotangent_tests::inputs::families;
use cotangent_tests::inputs::judge::judge;
use cotangent_tests::inputs::mutate::Corpus;

/// The first seed of the inputs that are tested.
const SEED: u64 = 1;

/// After how long a run is said to have no end, in a build that is not optimised.
const LIMIT: Duration = Duration::from_secs(120);

#[test]
fn random_inputs() {
    let count = std::env::var("COTANGENT_INPUTS").map_or(300, |count| count.parse().unwrap());
    println!("seeds {SEED} to {}", SEED + count - 1);
    let corpus = Corpus::new();
    assert!(corpus.len() > 2000, "the scan found only {} inputs", corpus.len());
    let mut failures = Vec::new();
    let mut derived = 0;
    for seed in SEED..SEED + count {
        let case = corpus.case(&corpus.recipe(seed));
        match judge(&case, LIMIT) {
            Ok(run) => derived += usize::from(!run.failed),
            Err(finding) => failures.push(format!("seed {seed}: {finding}\n{case}")),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(10 * derived > count as usize, "only {derived} of {count} inputs have derivatives");
}

#[test]
fn a_seed_is_one_input() {
    let corpus = Corpus::new();
    for seed in [0, 1, 77, u64::MAX] {
        let case = corpus.case(&corpus.recipe(seed));
        assert_eq!(case, corpus.case(&corpus.recipe(seed)));
        assert_eq!(Ok(case.clone()), case.to_string().parse().map(trimmed));
    }
}

/// A case is printed with a line break behind it.
fn trimmed(case: Case) -> Case {
    Case { input: case.input.trim_end().to_owned(), ..case }
}

/// What a construct adds to the code does not grow with how many of it there are.
#[test]
fn code_grows_like_its_input() {
    for family in families::ALL {
        let size = |count: usize| {
            let run = judge(&family.case(count), LIMIT);
            run.unwrap_or_else(|finding| panic!("{}: {finding}", family.name)).emitted as f64
        };
        let (once, twice) = (size(8), size(16));
        assert!(twice < 4.5 * once, "{}: {once} tokens become {twice}", family.name);
    }
}

/// The smallest inputs in which random ones failed, by what was wrong.
const REGRESSIONS: &[(&str, Entry, &str)] = &[
    (
        "a unit of unknown type in one arm",
        Entry::Differentiate,
        "fn f(x: f64) -> f64 { let mut y = x; if x > 0.0 { g(&mut y) } y }",
    ),
    (
        "the same within a loop",
        Entry::Differentiate,
        "fn f(x: f64) -> f64 { let mut y = x; for i in 0..3 { if i > 0 { g(&mut y) } } y }",
    ),
    (
        "the same behind a pattern",
        Entry::Differentiate,
        "fn f(x: f64, o: Option<f64>) -> f64 { if let Some(v) = o { a * v } x }",
    ),
    (
        "a closure with a typed parameter",
        Entry::Differentiate,
        "fn f(o: Option<f64>, x: f64) -> Option<f64> { o.map(|v: f64| v * x) }",
    ),
    (
        "a result that is restored",
        Entry::Differentiate,
        "fn f(start: System, x: f64) -> System { let mut system = start; system.velocity = V[0]; system }",
    ),
    ("an array beside an operator", Entry::Differentiate, "fn f(x: f64) -> f64 { t * [x] }"),
    (
        "an array parameter beside an operator",
        Entry::Differentiate,
        "fn f(x: [f64; 3]) -> f64 { let a = x * x; a + y }",
    ),
    (
        "a vector's method",
        Entry::Differentiate,
        "fn f(l: Link) -> f64 { let y = vec![l].sin() * x; match b.next { Some => y } }",
    ),
    (
        "an array as an index",
        Entry::Differentiate,
        "fn f(x: [f64; 4]) -> f64 { for i in 1.. { x[x] = x } }",
    ),
    ("an index of a number", Entry::Differentiate, "fn f(w: f64) -> f64 { vec![w[0] * w] }"),
    (
        "a pattern of a closure's parameter",
        Entry::Differentiate,
        "fn f() -> Case { Case.by_hand(|[x]| x) }",
    ),
    (
        "a place lent twice",
        Entry::Differentiate,
        "fn f(x: f64) -> f64 { let mut z = [x, x]; g(&mut z, &z); z[0] }",
    ),
    ("a tuple that is lent", Entry::Differentiate, "fn f() -> f64 { swap(&mut (0.5,)) }"),
    (
        "an item that is written",
        Entry::Differentiate,
        "fn f(a: f64) -> usize { for q in p { let (a, b) = (x, x); if off == 0.0 { continue } for k in 0.. { a[first] = x } } }",
    ),
    (
        "a part of what has no value",
        Entry::Differentiate,
        "fn f(x: f64) { for k in 0.. { let x; x[indices] = x } }",
    ),
    (
        "a field with a keyword's name",
        Entry::Differentiate,
        "fn f(x: f64) -> Point { Point { x, r#type: 0.0 } }",
    ),
    ("a path that begins with a keyword", Entry::Differentiate, "fn f() { try::jvp() }"),
    (
        "a pattern with alternatives in a loop",
        Entry::Differentiate,
        "#[differentiate] fn f() -> f64 { for _ | pair in x { } }",
    ),
    ("second derivatives without a parameter", Entry::Differentiate, "#[differentiate] fn f() { }"),
    (
        "a name that is bound again behind a return",
        Entry::Differentiate,
        "fn f(x: f64, o: Option<f64>) -> f64 { let v = x * x; let v = match o { Some(w) => w * x, None => return v }; v }",
    ),
    (
        "a tuple that is lent and not changed",
        Entry::Differentiate,
        "fn f(x: f64) -> f64 { g(&(x, x)) }",
    ),
    (
        "a closure that begins with a block",
        Entry::Differentiate,
        "fn f(n: usize) -> [Case; 2] { f(|| {} | []) }",
    ),
    (
        "an array with a method of numbers",
        Entry::Differentiate,
        "fn f(y: [f64; 2]) -> [f64; 2] { [y].sin() }",
    ),
    (
        "many orders",
        Entry::Differentiate,
        "#[differentiate] #[differentiate] #[differentiate] #[differentiate] #[differentiate] #[differentiate] #[differentiate] #[differentiate] #[differentiate] #[differentiate] #[differentiate] #[differentiate] #[differentiate] #[differentiate] #[differentiate] #[differentiate] fn f(x: f64) -> f64 { x.sin() * x }",
    ),
    ("many orders of a value", Entry::Function, "|x: f64| x.sin() * x, order = 40"),
    (
        "a call of itself with other arguments",
        Entry::Differentiate,
        "fn run(&self) -> f64 { let value = self.run(&self.shadows); value }",
    ),
    (
        "a lazy operand that leaves",
        Entry::Differentiate,
        "#[differentiate] fn f(x: f64) -> Result<f64, E> { let y = x > 0.0 && checked(x)? + x > 1.0; Ok(x) }",
    ),
    (
        "a comparison of comparisons",
        Entry::Differentiate,
        "fn f(x: f64, y: bool) -> f64 { assert_eq!(x < 1.0, y, \"text\"); x }",
    ),
    (
        "an assignment in a macro",
        Entry::Differentiate,
        "fn f(x: f64) -> f64 { let mut w = x; for i in 0..3 { println!(\"{}\", { w *= x; w }); } w }",
    ),
    (
        "an assignment that a macro asserts",
        Entry::Differentiate,
        "fn f() -> f64 { let w = []; for _ in 0.. { for i in 1.. { assert!(w = u > 0.0) } ::swap(w) } }",
    ),
];

#[test]
fn regressions() {
    for (name, entry, input) in REGRESSIONS {
        let outcome = judge(&Case::new(*entry, "", input), LIMIT);
        assert!(outcome.is_ok(), "{name}: {}", outcome.unwrap_err());
    }
}

/// What is not mended, with the reason: none of them is a program that rustc takes.
const LEFT: &[(&str, &str)] = &[
    (
        "a write through `&` makes a version of a place that derivatives take as it was",
        "fn f(x: &f64) -> f64 { for i in 1..x.len() { x[i] = [] } }",
    ),
    (
        "the same by a method",
        "fn f(x: &f64) -> f64 { let z = if norm > 1.0 { while let Some = x.pop() {} } else {}; for _ in 0.. {} }",
    ),
    (
        "code behind a panic in an operand is lowered with a value that stands for none",
        "fn f(one: &mut Spring) -> f64 { one.relax(); panic!() + values }",
    ),
    ("a type that ends in `+` is written in front of `as`", "fn f(x: f64 +) -> f64 {}"),
    (
        "an assignment with an operator as a value",
        "fn f(x: f64, y: &f64) -> f64 { let sum = 0.0; for v in x.iter().chain(y) { if v { break } sum = v -= v } }",
    ),
    (
        "a fold over a range without end, in a loop",
        "fn f(x: f64) -> f64 { let value = x; 'outer: for i in 0..3 { 'inner: loop { value += 0.1; if value { break } } (0..).fold(end, |next, _ | Tree) } value }",
    ),
];

#[test]
#[ignore = "these are left: each has its reason beside it"]
fn left() {
    for (reason, input) in LEFT {
        let outcome = judge(&Case::new(Entry::Differentiate, "", input), LIMIT);
        assert!(outcome.is_ok(), "{reason}: {}", outcome.unwrap_err());
    }
}
