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
        "a length with a closure over what has that length",
        Entry::Differentiate,
        "fn cubes(x: [f64; { x.map(|v| v * v * v); 3 }]) -> f64 { let [a, b, c] = x.map(|v| v * v * v); a + b + c }",
    ),
    (
        "a pullback by a name without a value",
        Entry::Differentiate,
        "fn f() { let list; let (value, pullback) = list.scale_vjp(); pullback() }",
    ),
    (
        "a text of C in a place for floats",
        Entry::Differentiate,
        "fn f(a: &mut [[f64; N]; N]) -> f64 { for c in 0.. { for r in c + 1.. { let k = a[r][c]; a[r][c] = c\"c\" } } .. }",
    ),
    (
        "an operator of what is no type",
        Entry::Differentiate,
        "impl Neg for Self { type Output = Self; fn neg() -> ::Output { } }",
    ),
    (
        "a comparison by what is no closure",
        Entry::Differentiate,
        "fn f() -> f64 { a = x.iter().copied().max_by(self).unwrap_or }",
    ),
    (
        "a comparison of conditions",
        Entry::Differentiate,
        "fn f(x: &[f64]) -> f64 { *x.iter().max_by(|a, b| f64::cmp(a < b, b > a)).unwrap() }",
    ),
    (
        "what a cell holds beside another reference",
        Entry::Differentiate,
        "fn f(a: &RefCell<>, b: &RefCell<>) -> f64 { let v = mixed(&a.iter().map.borrow(), &()); v * w }",
    ),
    (
        "a method that is zero without a receiver",
        Entry::Differentiate,
        "fn f<T: Float>(x: T) -> T { () + T::floor() * x }",
    ),
    (
        "a loop between floats",
        Entry::Differentiate,
        "fn f(from: f64) -> f64 { for i in from + 1..width { sum + x } }",
    ),
    (
        "a length that leaves",
        Entry::Differentiate,
        "fn f(x: f64) -> f64 { let a = [x; break]; let r = &a[1..]; r[r.len() - n] = 0.5; a[1] }",
    ),
    (
        "a function named like a derivative in the crate's root",
        Entry::Differentiate,
        "fn f(a: [f64; 3]) -> [f64; 3] { let (y, pullback) = crate::vjp(a); pullback(y) }",
    ),
    (
        "an index that an element is added to",
        Entry::Differentiate,
        "fn f(x: &[f64]) -> f64 { x[N + x[1] - 1] }",
    ),
    (
        "an attribute of ours in an invisible group that ends within an expression",
        Entry::Differentiate,
        "fn f(x: f64) -> f64 { __invisible(#[checkpoint] for _ in) .. { } }",
    ),
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
    (
        "a write through `&`",
        Entry::Differentiate,
        "fn f(x: &f64) -> f64 { for i in 1..x.len() { x[i] = [] } }",
    ),
    (
        "the same by a method",
        Entry::Differentiate,
        "fn f(x: &f64) -> f64 { let z = if norm > 1.0 { while let Some = x.pop() {} } else {}; for _ in 0.. {} }",
    ),
    (
        "the same by `mem::take`",
        Entry::Differentiate,
        "fn f(x: &[f64], a: &[usize]) -> f64 { x[std::mem::take(&mut a[0])] }",
    ),
    (
        "code behind a panic in an operand",
        Entry::Differentiate,
        "fn f(one: &mut Spring) -> f64 { one.relax(); panic!() + values }",
    ),
    (
        "a panic for a position",
        Entry::Differentiate,
        "fn f(x: &mut Vec<f64>) -> f64 { let y = x.remove(todo!()); y * y }",
    ),
    ("a type that ends in `+`", Entry::Differentiate, "fn f(x: f64 +) -> f64 {}"),
    ("a field of such a type", Entry::Derive, "struct Point { x: f64, y: f64 + }"),
    ("a field that is called `_`", Entry::Derive, "struct Point { _: f64 }"),
    (
        "an assignment with an operator as a value",
        Entry::Differentiate,
        "fn f(x: f64, y: &f64) -> f64 { let sum = 0.0; for v in x.iter().chain(y) { if v { break } sum = v -= v } }",
    ),
    (
        "a fold over a range without end, in a loop",
        Entry::Differentiate,
        "fn f(x: f64) -> f64 { let value = x; 'outer: for i in 0..3 { 'inner: loop { value += 0.1; if value { break } } (0..).fold(end, |next, _ | Tree) } value }",
    ),
    (
        "neighbours that are further away than numbers go",
        Entry::Differentiate,
        "fn f(x: &[f64]) -> f64 { let mut sum = 0.0; for i in 0..9 { sum += x[i - 0x7fff_ffff_ffff_ffff] * x[i + 2]; } sum }",
    ),
    (
        "a place in itself",
        Entry::Differentiate,
        "fn f(u: &mut [f64]) { for i in 0..2 { u[u] += u[i]; } }",
    ),
    (
        "a place lent in itself",
        Entry::Differentiate,
        "fn f(u: &mut [f64], w: &mut [f64]) { std::mem::swap(&mut u[u], &mut w[0]) }",
    ),
    (
        "a range up to an array",
        Entry::Differentiate,
        "fn f(x: [f64; 3]) -> f64 { let mut x = x; #[checkpoint] for _ in 0..x { x = [x[1], x[0], x[2]]; } x[0] }",
    ),
    (
        "an index that is a float",
        Entry::Differentiate,
        "fn f(x: f64) -> f64 { if x > 0.0 { x } else { -x / [3.0; 3][-x] } }",
    ),
    (
        "a comparison in a place for a float",
        Entry::Differentiate,
        "fn f(x: &[f64], y: &mut f64) -> f64 { let mut sum = 0.0; for v in x { *y = *y <= v.tanh(); sum += *y * *v; } sum }",
    ),
    (
        "an integer in a cell for a float",
        Entry::Differentiate,
        "#[differentiate] fn f(cells: &[Rc<RefCell<f64>>]) -> f64 { let mut sum = 0.0; for cell in cells { let v = *cell.borrow(); *cell.borrow_mut() = 8; sum += v; } for i in 0..cells.len() { sum += *cells[i].borrow(); } sum }",
    ),
    (
        "an argument that captures",
        Entry::Differentiate,
        "fn f(x: impl Fn(f64) -> f64 + use<>) -> f64 { x(1.0) }",
    ),
    (
        "a type of a sum with arguments",
        Entry::Differentiate,
        "fn f(x: &[f64]) -> f64 { x.iter().map(|x| x * x).sum::<f64<f64>>() }",
    ),
    (
        "an array as long as an expression says",
        Entry::Differentiate,
        "fn f(x: f64) -> [f64; return 2] { std::array::from_fn(|i| x * i as f64) }",
    ),
    (
        "an arm that begins like a visibility",
        Entry::Differentiate,
        "fn f(s: &str) -> f64 { match s { \"a\" => 1.0, _ => crate(Difficulty::Average) } }",
    ),
    (
        "a length that assigns",
        Entry::Differentiate,
        "fn f(x: [f64; 3 = n]) -> [f64; 3] { x.map(|v| {}) }",
    ),
    (
        "an array of a type that ends in `+`, in a field",
        Entry::Derive,
        "struct Grid { cells: [f64 +; N] }",
    ),
    (
        "a field of a type that may end so",
        Entry::Derive,
        "struct Grid { x: f64, y: dyn Display + }",
    ),
    (
        "a result that is an array of such a type",
        Entry::Differentiate,
        "fn f(x: f64) -> [impl Copy +; 2] { [x, x] }",
    ),
    (
        "a slice in a tuple",
        Entry::Differentiate,
        "fn f(x: [f64]) -> f64 { let t = (x, 2.0 * x); bump(&mut t.0) }",
    ),
    (
        "a tuple that is asked whether it holds something",
        Entry::Differentiate,
        "fn f(x: Option<>, y: Result<>) -> Option<> { let value = x?; ::std::option::Option::Some(value * ::mem::swap(y, value).unwrap_or(2.0)) }",
    ),
    (
        "a place that is lent and then the result",
        Entry::Differentiate,
        "fn f(b: [f64; 3]) -> f64 { { exchange(&mut b) } b }",
    ),
    (
        "an index that a function makes",
        Entry::Differentiate,
        "fn f(g: impl FnOnce() -> Vec<f64>) -> Run { let before = g = [][g()]; Run { bytes: g } }",
    ),
    ("a call of a module", Entry::Differentiate, "fn main() { _ = crate() }"),
    (
        "a `#[checkpoint]` that a macro passes on by itself",
        Entry::Differentiate,
        "fn f() -> f64 { __invisible(#[checkpoint]) for _ in .. { for _ in .. {} } }",
    ),
    (
        "second derivatives of a recursion whose result has no tangent",
        Entry::Differentiate,
        "#[differentiate] fn f(x: &mut f64, n: usize) -> usize { *x *= 2.0; if n > 0 { f(x, n - 1); } n }",
    ),
    (
        "a quotient of a known type in an arm of one that is not known",
        Entry::Differentiate,
        "fn wave(x: Real, y: Real) -> Real { let z = x * y + 1.0; if z > x { z * 2.0 } else { z.sin() / z } }",
    ),
    (
        "a closure that begins with a block, over an array",
        Entry::Differentiate,
        "fn f(x: &[f64; 3], k: f64) -> [f64; 3] { x.map(|v| { if v > 0.35 { v.sin() } else { v * k } } + v.sin()) }",
    ),
    (
        "a name that begins a statement in a closure",
        Entry::Differentiate,
        "fn f(x: f64) -> f64 { let g = |y: f64| crate { value: y }; g(x) + g(x) }",
    ),
    (
        "what was a place to add to and is another one by now",
        Entry::Differentiate,
        "fn f(x: &[f64], n: usize) -> f64 { let mut prev = x[0]; let mut cur = x[1]; let mut out = 0.0; for i in 0..n { let next = (prev)[out > 10.0] * x[2] + cur; out += if next > 1.5 { prev } else { loop { cur * next } }; prev = cur; cur = next; if out > 10.0 { out = prev; continue; } out *= 0.9; if i == 3 { break; } } out + prev * cur }",
    ),
    (
        "a part of what has no value yet",
        Entry::Differentiate,
        "fn f(n: usize) -> f64 { let x; let b = scale_part(&mut x[n - 1..], 1.0); x = 1.0; b * x[0] }",
    ),
    (
        "a sum of a number of steps and a float",
        Entry::Differentiate,
        "#[differentiate] fn stepped(x: f64, list: &[f64], at: usize) -> f64 { let next: Step = at + Some(2).unwrap_or(x); if next > list.len() { return x; } let mut y = x; for k in at..next { y += stepped(x * list[k], list, next); } y * list[next - 1] }",
    ),
    (
        "maps of arrays in one another",
        Entry::Differentiate,
        "fn f(x: [f64; 2]) -> [f64; 2] { x.map(|v| x.map(|v| x.map(|v| x.map(|v| x.map(|v| x.map(|v| x.map(|v| x.map(|v| x.map(|v| x.map(|v| x.map(|v| x.map(|v| x.map(|v| x.map(|v| x[0] * v)[0])[0])[0])[0])[0])[0])[0])[0])[0])[0])[0])[0])[0]) }",
    ),
];

/// Those of attributes with arguments, which stand before the input.
const OF_ARGUMENTS: &[(&str, Entry, &str, &str)] = &[
    (
        "a companion named by a keyword",
        Entry::Differentiate,
        "companion = super",
        "fn f(x: f64) -> f64 { x }",
    ),
    (
        "a module as a derivative",
        Entry::Primitive,
        "jvp = crate",
        "fn of_one_mode(x: f64) -> f64 { x }",
    ),
    (
        "a value named by a keyword",
        Entry::Primitive,
        "partials(3.0 * x * x), value = self",
        "fn cube(x: f64) -> f64 { x * x * x }",
    ),
    (
        "a parameter of a rule for another function that is `mut`",
        Entry::Primitive,
        "of = elsewhere::cube, partials(3.0 * x * x)",
        "fn cube(mut x: f64) -> f64;",
    ),
    (
        "one that is taken by `ref`",
        Entry::Primitive,
        "of = elsewhere::cube, partials(3.0 * x * x)",
        "fn cube(ref x: f64) -> f64;",
    ),
];

#[test]
fn regressions() {
    let bare = REGRESSIONS.iter().map(|(name, entry, input)| (name, entry, "", input));
    let given =
        OF_ARGUMENTS.iter().map(|(name, entry, arguments, input)| (name, entry, *arguments, input));
    for (name, entry, arguments, input) in bare.chain(given) {
        let outcome = judge(&Case::new(*entry, arguments, input), LIMIT);
        assert!(outcome.is_ok(), "{name}: {}", outcome.unwrap_err());
    }
}
