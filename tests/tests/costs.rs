//! What derivatives cost, in figures: how many operations they have, by how many loops are around them, and how much they
//! keep for the way back. `check!` does not see a plan that stores too much, or a pass that does nothing.
//!
//! In: functions, one for each analysis or pass that saves something. Out: a line for each derivative, as it is before
//! emission: `12 + 5n keeps 1n` has twelve operations outside of loops and five in one, which pushes one value.
//! A pullback holds what it captures.
//!
//! `UPDATE_EXPECT=1 cargo test -p cotangent-tests costs` writes what the compiler says now.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use cotangent::dump;
use expect_test::{Expect, expect};

/// The figures of all derivatives in a stage's text.
fn figures(text: &str) -> String {
    let mut all = String::new();
    for function in text.split("fn f::").skip(1) {
        let (name, body) = function.split_once('(').expect("a function has parameters");
        let mut cost = Cost::default();
        body.lines().skip(1).for_each(|line| cost.line(line.trim()));
        let _ = writeln!(all, "{name}: {}", cost.text());
    }
    all
}

#[derive(Default)]
struct Cost {
    operations: Vec<usize>,
    kept: Vec<usize>,
    /// For each block around, whether it is a loop's.
    blocks: Vec<bool>,
    defined: BTreeSet<String>,
    /// In a pullback: what is defined before it, and what it uses of that.
    before: Option<BTreeSet<String>>,
    held: BTreeSet<String>,
}

impl Cost {
    fn line(&mut self, line: &str) {
        if ["#[", "slot ", "items "].iter().any(|head| line.starts_with(head)) {
            return;
        }
        if line.starts_with('}') {
            let block = self.blocks.pop().unwrap_or_default();
            self.blocks.extend(line.ends_with('{').then_some(block));
            return;
        }
        let (results, rest) = line.split_once(" = ").unwrap_or(("", line));
        if let Some(before) = &self.before {
            self.held.extend(names(rest).filter(|name| before.contains(name)));
        }
        let depth = self.blocks.iter().filter(|is_loop| **is_loop).count();
        if line.starts_with("push ") {
            add(&mut self.kept, depth, names(rest).count());
        }
        if !rest.starts_with("yield") && !rest.starts_with("return") {
            add(&mut self.operations, depth, 1);
        }
        if rest.starts_with("closure") {
            self.before = Some(std::mem::take(&mut self.defined));
        }
        self.defined.extend(names(results));
        if rest.ends_with('{') {
            let is_loop =
                ["for", "while", "loop", "repeat"].iter().any(|head| rest.starts_with(head));
            self.blocks.push(is_loop);
        }
    }

    fn text(&self) -> String {
        let (operations, kept) = (polynomial(&self.operations), polynomial(&self.kept));
        let kept = if self.kept.is_empty() { kept } else { format!(" keeps {kept}") };
        let held = if self.before.is_some() {
            format!(" holds {}", self.held.len())
        } else {
            String::new()
        };
        format!("{operations}{kept}{held}")
    }
}

fn add(counts: &mut Vec<usize>, depth: usize, count: usize) {
    counts.resize(counts.len().max(depth + 1), 0);
    counts[depth] += count;
}

fn polynomial(counts: &[usize]) -> String {
    let terms = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    let terms: Vec<String> =
        terms.map(|(depth, count)| format!("{count}{}", "n".repeat(depth))).collect();
    terms.join(" + ")
}

/// The values that a line names.
fn names(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let is_value = |word: &&str| {
        word.strip_prefix('v')
            .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
    };
    words.filter(is_value).map(str::to_owned)
}

fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&figures(text));
}

#[test]
fn partial_derivatives_of_one_operation() {
    let text = dump!(
        optimized,
        fn f(x: f64) -> f64 {
            (x * x).sin()
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 6
        accumulate_gradient: 5
        vjp: 8 holds 1
    "#]],
    );
}

#[test]
fn literals_that_are_written_twice() {
    let text = dump!(
        optimized,
        fn f(x: f64) -> f64 {
            (x * 2.0).sin() * (x * 2.0).cos() + x / 1.0
        }
    );
    check(
        text,
        &expect![[r#"
            jvp: 16
            accumulate_gradient: 17
            vjp: 21 holds 3
        "#]],
    );
}

#[test]
fn conditions_that_are_asked_twice() {
    let text = dump!(
        optimized,
        fn f(x: f64, low: f64) -> f64 {
            x.clamp(low, 1.0) * x.max(low)
        }
    );
    check(
        text,
        &expect![[r#"
            jvp: 24
            accumulate_gradient: 21
            vjp: 25 holds 3
        "#]],
    );
}

#[test]
fn a_branch_of_one_input() {
    let text = dump!(
        optimized,
        fn f(x: f64) -> f64 {
            if x == 0.0 { 1.0 } else { x.sin() / x }
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 16
        accumulate_gradient: 14
        vjp: 16 holds 2
    "#]],
    );
}

#[test]
fn a_branch_of_one_input_and_what_follows() {
    let text = dump!(
        optimized,
        fn f(x: f64) -> f64 {
            let root = if x > 0.0 { x.sqrt() } else { 0.0 };
            3.0 * root
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 12
        accumulate_gradient: 11
        vjp: 14 holds 2
    "#]],
    );
}

#[test]
fn a_long_row_of_few_inputs() {
    let text = dump!(
        optimized,
        fn f(x: f64, y: f64) -> f64 {
            let z = x * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y;
            let z = z * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y;
            let z = z * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y;
            let z = z * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y * y;
            z.sin() + x
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 309
        accumulate_gradient: 307
        vjp: 310 holds 3
    "#]],
    );
}

#[test]
fn a_sum_with_a_constant_table() {
    let text = dump!(
        optimized,
        fn f(x: &[f64], w: &[f64]) -> f64 {
            let mut s = 0.0;
            for i in 0..x.len() {
                s += (x[i] * w[0]).sin();
            }
            s
        }
    );
    check(
        text,
        &expect![[r#"
            jvp: 5 + 14n
            accumulate_gradient: 9 + 11n
            vjp: 11 + 16n holds 3
        "#]],
    );
}

#[test]
fn a_recurrence() {
    let text = dump!(
        optimized,
        fn f(x: f64, rate: f64, shift: f64, n: usize) -> f64 {
            let mut y = x;
            for _ in 0..n {
                y = (y * rate + shift).sin();
            }
            y
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 2 + 9n
        accumulate_gradient: 7 + 13n keeps 1n
        vjp: 7 + 13n keeps 1n holds 2
    "#]],
    );
}

#[test]
fn a_recurrence_until_a_condition() {
    let text = dump!(
        optimized,
        fn f(x: f64, rate: f64) -> f64 {
            let mut y = x;
            while y < 10.0 {
                y = y * rate + x.cos();
            }
            y * rate
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 5 + 12n
        accumulate_gradient: 7 + 10n
        vjp: 10 + 10n holds 4
    "#]],
    );
}

#[test]
fn a_vector_of_its_own() {
    let text = dump!(
        optimized,
        fn f(v: Vec<f64>) -> Vec<f64> {
            let mut v = v;
            for i in 0..v.len() {
                v[i] = v[i] * v[0];
            }
            v
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 5 + 11n
        vjp: 9 + 15n keeps 2n holds 3
    "#]],
    );
}

#[test]
fn an_array_of_its_own() {
    let text = dump!(
        optimized,
        fn f(x: f64) -> f64 {
            let mut a = [x; 4];
            for i in 1..4 {
                a[i] = a[i - 1] * a[i].sin();
            }
            a[3]
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 8 + 15n
        accumulate_gradient: 17 + 24n
        vjp: 17 + 24n holds 7
    "#]],
    );
}

#[test]
fn a_place_that_is_scaled() {
    let text = dump!(
        optimized,
        fn f(x: &mut [f64], w: f64) {
            for i in 0..x.len() {
                x[i] *= w;
            }
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 4 + 8n
        vjp: 16 + 14n + 6nn holds 4
    "#]],
    );
}

#[test]
fn a_place_that_is_overwritten() {
    let text = dump!(
        optimized,
        fn f(x: &mut [f64], w: f64) {
            for i in 0..x.len() {
                x[i] = (x[i] * w).sin();
            }
            for i in 0..x.len() {
                x[i] *= x[i];
            }
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 7 + 18n
        vjp: 15 + 21n holds 6
    "#]],
    );
}

#[test]
fn a_place_that_is_only_read_for_numbers() {
    let text = dump!(
        optimized,
        fn f(x: f64, n: usize) -> f64 {
            let mut counts = [0.0; 3];
            for i in 0..n {
                counts[i % 3] += 1.0;
            }
            x * counts[0] + x.sin() * counts[1]
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 17 + 6n
        accumulate_gradient: 15 + 6n
        vjp: 18 + 6n holds 3
    "#]],
    );
}

#[test]
fn elements_in_both_arms() {
    let text = dump!(
        optimized,
        fn f(x: &[f64]) -> f64 {
            let mut s = 0.0;
            for i in 0..x.len() {
                if x[i] > 0.0 {
                    s += x[i].ln();
                } else {
                    s -= x[i] * x[i];
                }
            }
            s
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 5 + 16n
        accumulate_gradient: 5 + 18n
        vjp: 6 + 20n holds 3
    "#]],
    );
}

#[test]
fn neighbours() {
    let text = dump!(
        optimized,
        fn f(x: &[f64]) -> f64 {
            let mut s = 0.0;
            for i in 1..x.len() {
                let d = x[i] - x[i - 1];
                s += d * d;
            }
            s
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 5 + 13n
        accumulate_gradient: 18 + 28n + 12nn
        vjp: 19 + 26n + 8nn holds 3
    "#]],
    );
}

#[test]
fn loops_in_loops() {
    let text = dump!(
        optimized,
        fn f(a: &[f64], x: &[f64]) -> f64 {
            let n = x.len();
            let mut s = 0.0;
            for i in 0..n {
                let mut row = 0.0;
                for j in 0..n {
                    row += a[i * n + j] * x[j];
                }
                s += row * row;
            }
            s
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 5 + 9n + 12nn
        accumulate_gradient: 4 + 8n + 14nn
        vjp: 7 + 11n + 14nn keeps 1n holds 3
    "#]],
    );
}

#[test]
fn calls_in_a_loop() {
    let text = dump!(
        optimized,
        fn f(x: &[f64], w: f64) -> f64 {
            let mut s = w;
            for i in 0..x.len() {
                s = step(s, x[i]);
            }
            s
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 3 + 3n
        accumulate_gradient: 6 + 6n keeps 1n
        vjp: 6 + 6n keeps 1n holds 3
    "#]],
    );
}

#[test]
fn calls_of_itself() {
    let text = dump!(
        optimized,
        fn f(x: f64, n: usize) -> f64 {
            if n == 0 {
                return x;
            }
            let y = f(x.sin(), n - 1);
            y * x
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 14
        accumulate_gradient: 18
        vjp: 20 holds 4
    "#]],
    );
}

#[test]
fn calls_of_itself_in_a_loop() {
    let text = dump!(
        optimized,
        fn f(twig: &Twig, x: f64) -> f64 {
            let mut sum = twig.weight.sin() * x;
            for inner in &twig.twigs {
                sum += f(inner, sum) * twig.weight;
            }
            sum
        }
    );
    check(
        text,
        &expect![[r#"
            jvp: 12 + 7n
            accumulate_gradient: 14 + 10n keeps 2n
            vjp: 14 + 11n keeps 2n holds 5
        "#]],
    );
}

#[test]
fn segments() {
    let text = dump!(
        optimized,
        fn f(x: f64) -> f64 {
            let mut state = x;
            #[checkpoint]
            for i in 0..100 {
                state = state * 1.2 + 0.1 * x.sin();
            }
            state * x
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 13 + 5n
        accumulate_gradient: 18 + 10n + 6nn
        vjp: 22 + 10n + 6nn holds 6
    "#]],
    );
}

#[test]
fn counters() {
    let text = dump!(
        optimized,
        fn f(x: &[f64]) -> f64 {
            let mut s = 1.0;
            let mut i = 0;
            while i < x.len() {
                s *= x[i];
                i += 2;
            }
            s
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 4 + 10n
        accumulate_gradient: 6 + 16n keeps 1n
        vjp: 6 + 16n keeps 1n holds 3
    "#]],
    );
}

#[test]
fn second_order() {
    let text = dump!(
        optimized,
        #[differentiate]
        fn f(x: f64, y: f64) -> f64 {
            (x * y).sin() * x
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 11
        accumulate_gradient: 8
        vjp: 12 holds 2
    "#]],
    );
}

#[test]
fn second_order_of_a_loop() {
    let text = dump!(
        optimized,
        #[differentiate]
        fn f(x: &[f64]) -> f64 {
            let mut s = 1.0;
            for i in 0..x.len() {
                s += s * x[i];
            }
            s
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 5 + 8n
        accumulate_gradient: 7 + 10n keeps 1n
        vjp: 7 + 10n keeps 1n holds 3
    "#]],
    );
}

#[test]
fn a_constant_table() {
    let text = dump!(
        optimized,
        fn f(x: &[f64]) -> f64 {
            let mut s = 0.0;
            for y in DATA.iter() {
                s += y * x[0];
            }
            s
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 6 + 8n
        accumulate_gradient: 11 + 7n
        vjp: 12 + 8n holds 4
    "#]],
    );
}

#[test]
fn a_call_with_a_constant_table() {
    let text = dump!(
        optimized,
        fn f(x: &[f64]) -> f64 {
            g(x, x) + g(x, &[3.0])
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 7
        accumulate_gradient: 12
        vjp: 11 holds 4
    "#]],
    );
}

#[test]
fn what_nothing_is_read_of() {
    let text = dump!(
        optimized,
        fn f(x: f64) -> f64 {
            let mut lost = Vec::new();
            for i in 0..3 {
                lost.push(x * i as f64);
            }
            x.sin()
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 3
        accumulate_gradient: 2
        vjp: 4 holds 1
    "#]],
    );
}

#[test]
fn a_call_of_a_value_of_its_own() {
    let text = dump!(
        optimized,
        fn f(v: Vector, angle: f64) -> f64 {
            v.turned(angle).dot(v.stretched(2.0))
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 7
        accumulate_gradient: 12
        vjp: 12 holds 5
    "#]],
    );
}

#[test]
fn products_with_windows() {
    let text = dump!(
        optimized,
        fn f(x: &[f64], y: &[f64]) -> f64 {
            x.windows(3).zip(y.windows(2)).map(|(x, y)| (x[0] - x[2]).tanh() * y[1]).sum()
        }
    );
    check(
        text,
        &expect![[r#"
            jvp: 16 + 23n
            accumulate_gradient: 15 + 19n
            vjp: 35 + 30n holds 7
        "#]],
    );
}

#[test]
fn elements_in_place() {
    let text = dump!(
        optimized,
        fn f(x: &mut [f64], w: f64) {
            for (i, v) in x.iter_mut().enumerate().skip(1) {
                *v *= w * i as f64;
            }
            x.iter_mut().rev().take(2).for_each(|v| *v += w);
        }
    );
    check(
        text,
        &expect![[r#"
            jvp: 10 + 17n
            vjp: 38 + 29n + 12nn holds 6
        "#]],
    );
}

#[test]
fn exits() {
    let text = dump!(
        optimized,
        fn f(x: &[f64]) -> f64 {
            x.iter().take_while(|v| **v > 0.0).map(|v| v * v).sum()
        }
    );
    check(
        text,
        &expect![[r#"
            jvp: 6 + 10n
            accumulate_gradient: 7 + 18n keeps 3n
            vjp: 8 + 20n keeps 3n holds 2
        "#]],
    );
}

#[test]
fn an_option() {
    let text = dump!(
        optimized,
        fn f(x: f64) -> Option<f64> {
            Some(2.0 * root(x)? + root(x + 1.0)?.sin())
        }
    );
    check(
        text,
        &expect![[r#"
            jvp: 37
            vjp: 78 holds 9
        "#]],
    );
}

#[test]
fn a_segment_without_an_end() {
    let text = dump!(
        optimized,
        fn f(x: f64) -> f64 {
            let mut state = x;
            #[checkpoint]
            let last = loop {
                state = state * 1.2 + 0.1 * x.sin();
                if state > 5.0 {
                    break state * x;
                }
            };
            last + state
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 5 + 22n
        accumulate_gradient: 10 + 18n + 52nn keeps 1n + 1nn
        vjp: 9 + 18n + 52nn keeps 1n + 1nn holds 3
    "#]],
    );
}

#[test]
fn a_tree() {
    let text = dump!(
        optimized,
        fn f(&self) -> f64 {
            let mut mass = self.mass;
            for part in &self.parts {
                mass += part.f() * part.f();
            }
            mass
        }
    );
    check(
        text,
        &expect![[r#"
            jvp: 5 + 10n
            accumulate_gradient: 8 + 14n keeps 5n
            vjp: 8 + 14n keeps 5n holds 3
        "#]],
    );
}

#[test]
fn a_quotient_by_one() {
    let text = dump!(
        optimized,
        fn f(x: f64) -> f64 {
            x / 1.0
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 2
        accumulate_gradient: 3
        vjp: 3 holds 1
    "#]],
    );
}

#[test]
fn an_index_behind_a_number() {
    let text = dump!(
        optimized,
        fn f(x: &[f64]) -> f64 {
            let mut sum = 0.0;
            for i in 0..x.len() - 1 {
                sum += x[1 + i] * x[i];
            }
            sum
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 7 + 12n
        accumulate_gradient: 24 + 24n + 8nn
        vjp: 17 + 23n + 6nn holds 3
    "#]],
    );
}

#[test]
fn a_sum_beside_a_place_that_is_written() {
    let text = dump!(
        optimized,
        fn f(x: &[f64]) -> f64 {
            let mut seen = vec![0.0; x.len()];
            let mut sum = 0.0;
            for i in 0..x.len() {
                sum += x[i] * x[i];
                seen[i] = 1.0;
            }
            sum + seen[0]
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 10 + 9n
        accumulate_gradient: 10 + 8n
        vjp: 11 + 9n holds 3
    "#]],
    );
}

#[test]
fn a_sum_beside_an_integer() {
    let text = dump!(
        optimized,
        fn f(x: &[f64]) -> f64 {
            let (mut key, mut sum) = (0, 0.0);
            for i in 0..x.len() {
                sum += x[i] * x[i];
                key = 3 * key + i;
            }
            sum + (key % 7) as f64
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 10 + 10n
        accumulate_gradient: 10 + 9n
        vjp: 11 + 10n holds 3
    "#]],
    );
}

#[test]
fn a_sum_of_a_row() {
    let text = dump!(
        optimized,
        fn f(x: &[Vec<f64>], k: usize) -> f64 {
            let mut sum = 0.0;
            for i in 0..x[k].len() {
                sum += x[k][i] * x[k][i];
            }
            sum
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 5 + 7n
        accumulate_gradient: 5 + 6n
        vjp: 6 + 7n holds 3
    "#]],
    );
}

#[test]
fn steps() {
    let text = dump!(
        optimized,
        fn f(x: &[f64], n: usize) -> f64 {
            x.iter().step_by(n).map(|v| v.exp()).sum()
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 10 + 6n
        accumulate_gradient: 10 + 6n
        vjp: 11 + 7n holds 3
    "#]],
    );
}

#[test]
fn a_choice_by_an_element() {
    let text = dump!(
        optimized,
        fn f(x: f64, weights: &[Option<f64>], n: usize) -> f64 {
            let mut y = x;
            for i in 0..n {
                y = match weights[i] {
                    Some(weight) => (y * weight).sin(),
                    None => y * y,
                };
            }
            y
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 4 + 13n
        accumulate_gradient: 6 + 22n keeps 2n
        vjp: 6 + 22n keeps 2n holds 2
    "#]],
    );
}

#[test]
fn a_vector_that_grows() {
    let text = dump!(
        optimized,
        fn f(x: &mut Vec<f64>, n: usize) -> f64 {
            let mut s = 1.0;
            for _ in 0..n {
                s *= x[0].sin();
                x.push(s);
                s += x[1] * x[2];
            }
            s
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 4 + 24n
        accumulate_gradient: 8 + 31n keeps 2n
        vjp: 6 + 31n keeps 2n holds 3
    "#]],
    );
}

#[test]
fn a_table_that_is_filled_row_by_row() {
    let text = dump!(
        optimized,
        fn f(x: &[f64], n: usize) -> f64 {
            let columns = n / 2;
            let mut y = vec![0.0; n * columns];
            for r in 0..n {
                for c in 0..columns {
                    y[r * columns + c] = x[r] * x[c];
                }
            }
            let mut sum = 0.0;
            for i in 0..y.len() {
                sum += y[i];
            }
            sum
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 14 + 6n + 12nn
        accumulate_gradient: 12 + 17n + 15nn + 4nnn
        vjp: 13 + 17n + 17nn + 6nnn holds 3
    "#]],
    );
}

/// Iterations of different loops may meet at an element, whose cotangent is the same number the first time alone.
#[test]
fn a_table_whose_rows_overlap() {
    let text = dump!(
        optimized,
        fn f(x: &[f64], n: usize) -> f64 {
            let columns = n / 2;
            let mut y = vec![0.0; n * n];
            for r in 0..n {
                for c in 0..columns {
                    y[r * columns + c + c] = x[r] * x[c];
                }
            }
            let mut sum = 0.0;
            for i in 0..y.len() {
                sum += y[i];
            }
            sum
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 14 + 6n + 13nn
        accumulate_gradient: 20 + 19n + 22nn
        vjp: 15 + 11n + 19nn holds 6
    "#]],
    );
}

/// Elements are read, and something else than zero is written to them.
#[test]
fn a_vector_that_is_scaled_and_summed() {
    let text = dump!(
        optimized,
        fn f(k: f64, n: usize) -> f64 {
            let mut v = vec![1.0; n];
            for i in 0..n {
                v[i] *= k;
            }
            let mut sum = 0.0;
            for i in 0..v.len() {
                sum += v[i];
            }
            sum
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 11 + 12n
        accumulate_gradient: 19 + 21n + 3nn keeps 1n
        vjp: 14 + 13n keeps 1n holds 5
    "#]],
    );
}

/// What a counter rises by is computed once, and there on the way back.
#[test]
fn a_counter_with_a_computed_step() {
    let text = dump!(
        optimized,
        fn f(x: &[f64], n: usize) -> f64 {
            let step = n / 3;
            let mut k = 0;
            let mut s = 1.0;
            for _ in 0..n {
                s *= x[k].sin();
                k += step;
            }
            s
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 7 + 10n
        accumulate_gradient: 9 + 13n keeps 2n
        vjp: 9 + 13n keeps 2n holds 4
    "#]],
    );
}

/// A product is carried from iteration to iteration: they keep their order, and the way back its own loop.
#[test]
fn a_product_beside_a_sum() {
    let text = dump!(
        optimized,
        #[differentiate(constant(k))]
        fn f(x: &[f64], k: &[f64], a: f64) -> f64 {
            let mut s = a;
            let mut t = 0.0;
            for i in 0..x.len() {
                s = s * k[i];
                t += x[i].sin();
            }
            s + t
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 7 + 10n
        accumulate_gradient: 7 + 10n
        vjp: 7 + 11n holds 3
    "#]],
    );
}

#[test]
fn an_array_that_is_swept_twice_a_step() {
    let text = dump!(
        optimized,
        fn f(u: [f64; 4], k: f64, steps: usize) -> f64 {
            let mut u = u;
            for _ in 0..steps {
                for i in 0..4 {
                    u[i] = u[i] * u[i] * k + 0.1;
                }
                for i in 1..4 {
                    u[i] -= k * u[i - 1];
                }
            }
            u[0] * u[3] + u[2]
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 19 + 6n + 27nn
        accumulate_gradient: 19 + 16n + 33nn keeps 2nn
        vjp: 21 + 16n + 33nn keeps 2nn holds 7
    "#]],
    );
}

#[test]
fn a_length_in_a_loop() {
    let text = dump!(
        optimized,
        fn f(x: &mut [f64], n: usize) -> f64 {
            let mut s = 1.0;
            for _ in 0..n {
                for i in 1..x.len() {
                    x[i] = x[i - 1] * x[i];
                }
                s *= x[0];
            }
            s
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 4 + 10n + 12nn
        accumulate_gradient: 8 + 17n + 17nn keeps 1n + 1nn
        vjp: 6 + 17n + 17nn keeps 1n + 1nn holds 3
    "#]],
    );
}

#[test]
fn ends_of_a_vector() {
    let text = dump!(
        optimized,
        fn f(x: &mut Vec<f64>) -> f64 {
            *x.last_mut().unwrap() *= 2.0;
            let first = x.first().unwrap();
            first * x.last().unwrap() + x.get(1).copied().unwrap_or(0.5)
        }
    );
    check(
        text,
        &expect![[r#"
            jvp: 41
            accumulate_gradient: 41
            vjp: 42 holds 10
        "#]],
    );
}

#[test]
fn neighbours_that_are_swapped() {
    let text = dump!(
        optimized,
        fn f(x: &[f64]) -> f64 {
            let mut y = x.to_vec();
            for i in 1..y.len() {
                y.swap(i - 1, i);
            }
            let mut s = 1.0;
            for j in 0..y.len() {
                s = (s * y[j]).sin();
            }
            s
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 10 + 13n
        accumulate_gradient: 14 + 17n keeps 2n
        vjp: 14 + 17n keeps 2n holds 6
    "#]],
    );
}

#[test]
fn parts_that_are_filled_and_copied() {
    let text = dump!(
        optimized,
        fn f(x: &mut [f64], y: &[f64]) {
            x[..2].fill(y[0]);
            x[2..].copy_from_slice(&y[..2]);
            x[0] *= x[3];
        }
    );
    check(
        text,
        &expect![[r#"
            jvp: 29 + 6n
            vjp: 35 + 19n keeps 2n holds 14
        "#]],
    );
}

#[test]
fn an_array_that_is_folded() {
    let text = dump!(
        optimized,
        fn f(x: &[f64]) -> f64 {
            let sums = x.iter().fold([0.0; 2], |mut sums, v| {
                sums[0] += v;
                sums[1] += v * v;
                sums
            });
            sums[0] * sums[1]
        }
    );
    check(
        text,
        &expect![[r#"
            jvp: 17 + 19n
            accumulate_gradient: 14 + 19n
            vjp: 17 + 19n holds 7
        "#]],
    );
}

#[test]
fn a_vector_that_is_stopped() {
    let text = dump!(
        optimized,
        fn f(x: f64) -> f64 {
            let squares = stop_gradient(vec![x, x * x]);
            squares[1] * x
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 8
        accumulate_gradient: 7
        vjp: 9 holds 2
    "#]],
    );
}

#[test]
fn a_value_that_is_returned_twice() {
    let text = dump!(
        optimized,
        fn f(x: Pair) -> (Pair, f64) {
            let y = x;
            (y, y.a)
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 9
        vjp: 12 holds 2
    "#]],
    );
}

/// Whether the levels of a recursion share a tape, and nothing of it is in boxes.
fn shares_a_tape(text: &str) -> bool {
    text.contains("__sweep(") && text.contains("__unwind(") && !text.contains("Box<dyn")
}

#[test]
fn levels_of_calls_in_loops_share_a_tape() {
    assert!(shares_a_tape(dump!(
        rust,
        fn f(twig: &Twig, x: f64) -> f64 {
            let mut sum = twig.weight.sin() * x;
            for inner in &twig.twigs {
                sum += f(inner, sum) * twig.weight;
            }
            sum
        }
    )));
    assert!(shares_a_tape(dump!(
        rust,
        fn f(links: &[Link], at: usize, x: f64) -> f64 {
            if at >= links.len() {
                return x;
            }
            let link = &links[at];
            let y = link.weight * x.sin();
            f(links, link.next, y) * y
        }
    )));
    assert!(shares_a_tape(dump!(
        rust,
        fn f(x: f64, w: &[f64], depth: u32) -> f64 {
            let mut sum = x.sin();
            for k in (0..w.len()).rev() {
                if depth > 0 {
                    sum += f(x * w[k], w, depth - 1) * sum;
                }
            }
            sum
        }
    )));
}

/// The types of what each level of a recursion leaves, where these are written.
fn entries(text: &str) -> BTreeSet<String> {
    let types = text.split("levels: &mut (").skip(1).filter_map(|rest| rest.split_once(") ->"));
    types.map(|(types, _)| types.split_whitespace().collect()).collect()
}

#[test]
fn what_a_level_leaves() {
    let text = dump!(
        rust,
        fn f(x: f64, n: usize) -> f64 {
            if n == 0 {
                return x;
            }
            let k = if n % 2 == 0 { 2 } else { 3 };
            let y = f(x * 0.5, n - 1);
            (x + y).powi(k) * y
        }
    );
    expect![[r#"
        {
            "::cotangent::__private::Tape<(f64,bool,f64,f64,i32)>,),",
        }
    "#]]
    .assert_debug_eq(&entries(text));
    let text = dump!(
        rust,
        fn f(x: f64, depth: usize) -> f64 {
            let mut sum = x.sin();
            for k in 0..depth {
                sum += f(x, k);
            }
            sum
        }
    );
    expect![[r#"
        {
            "::cotangent::__private::Tape<(f64,usize)>,),",
        }
    "#]]
    .assert_debug_eq(&entries(text));
    let text = dump!(
        rust,
        fn f(twig: &Twig, x: f64) -> f64 {
            let mut sum = twig.weight.sin() * x;
            for inner in &twig.twigs {
                sum += f(inner, sum) * twig.weight;
            }
            sum
        }
    );
    expect![[r#"
        {
            "::cotangent::__private::Tape<(f64,f64,usize)>,::cotangent::__private::Tape<f64>,),",
        }
    "#]]
    .assert_debug_eq(&entries(text));
    // What is shifted is of another type than by how much.
    let text = dump!(
        rust,
        fn f(x: f64, n: u32) -> f64 {
            if n == 0 {
                return x;
            }
            let k = if n % 2 == 0 { 1_i32 << n } else { 3 };
            let y = f(x * 0.5, n - 1);
            (x + y).powi(k) * y
        }
    );
    expect![[r#"
        {
            "::cotangent::__private::Tape<(f64,bool,f64,f64,i32)>,),",
        }
    "#]]
    .assert_debug_eq(&entries(text));
    // What a loop counts is of the type of what it is taken from behind the loop.
    let text = dump!(
        rust,
        fn f(x: f64, w: &[f64], n: usize) -> f64 {
            let (mut k, mut y) = (0, x);
            while y < 2.0 {
                y += w[k] * y.sin() * x;
                k += if y > 1.0 { 2 } else { 1 };
            }
            if n > k { y + f(y * 0.5, w, n - k) * x } else { y }
        }
    );
    expect![[r#"
        {
            "::cotangent::__private::Tape<(f64,bool,usize,f64)>,::cotangent::__private::Tape<(f64,f64,usize)>,),",
        }
    "#]]
    .assert_debug_eq(&entries(text));
    // Pairs of floats are spelled, too.
    let text = dump!(
        rust,
        #[differentiate]
        fn f(p: (f64, f64), a: [f64; 2], n: usize) -> (f64, f64) {
            if n == 0 {
                return (p.0 * a[0], p.1);
            }
            let q = f((p.1 * a[1], p.0), a, n - 1);
            (q.0 * p.0 + q.1, q.1 * p.0.sin())
        }
    );
    expect![[r#"
        {
            "::cotangent::__private::Tape<((f64,f64),[f64;2],bool,f64,f64,f64)>,),",
        }
    "#]]
    .assert_debug_eq(&entries(text));
    // What is behind a reference is there on the way back.
    let text = dump!(
        rust,
        fn f(s: &Settings, x: f64, depth: usize) -> f64 {
            let rate = s.rate;
            let y = x.sin() * rate;
            let z = if depth > 0 { f(s, y, depth - 1) } else { y };
            z * rate + y * x
        }
    );
    expect![[r#"
        {
            "::cotangent::__private::Tape<(f64,f64,f64,bool,f64)>,),",
        }
    "#]]
    .assert_debug_eq(&entries(text));
    let text = dump!(
        rust,
        fn f(a: f64, b: f64, k: f64, depth: usize) -> f64 {
            let g = |x: f64| (k * x).exp() * x;
            let middle = 0.5 * (a + b);
            let whole = (b - a) / 6.0 * (g(a) + 4.0 * g(middle) + g(b));
            if depth == 0 {
                return whole;
            }
            f(a, middle, k, depth - 1) + f(middle, b, k, depth - 1) - 0.1 * whole
        }
    );
    expect![[r#"
        {
            "::cotangent::__private::Tape<(f64,f64,f64,f64,f64,f64,f64,f64,bool)>,),",
        }
    "#]]
    .assert_debug_eq(&entries(text));
}

/// What reaches cells, and what is checked at run time, keeps a pullback for each call of its own.
#[test]
fn levels_with_cells_or_checks_share_no_tape() {
    assert!(!shares_a_tape(dump!(
        rust,
        fn f(x: &RefCell<f64>, n: usize) -> f64 {
            let y = *x.borrow();
            if n == 0 {
                return y;
            }
            *x.borrow_mut() *= y.sin();
            f(x, n - 1) * y
        }
    )));
    assert!(!shares_a_tape(dump!(
        rust,
        #[differentiate(debug)]
        fn f(x: f64, n: usize) -> f64 {
            if n == 0 {
                return x;
            }
            f(x.sin(), n - 1) * x
        }
    )));
}

#[test]
fn levels_take_no_pullback_out_of_an_option() {
    let text = dump!(
        rust,
        fn f(&self, x: f64) -> f64 {
            let mut sum = self.w.sin() * x;
            if let Some(left) = &self.left {
                sum += left.f(sum) * self.w;
            }
            sum
        }
    );
    let (_, vjp) = text.split_once("fn f_vjp").expect("a `vjp`");
    let (vjp, _) = vjp.split_once("fn f_jvp").unwrap_or((vjp, ""));
    assert!(!vjp.contains("Option::"), "{vjp}");
}

/// Of a call by the name of a type, not even types say whose it is. Where there is one, all calls leave boxes.
#[test]
fn levels_with_a_call_by_the_name_of_the_type_leave_boxes() {
    let text = dump!(
        rust,
        fn f(&self, x: f64) -> f64 {
            let mut sum = self.w.sin() * x;
            if let Some(left) = &self.left {
                sum += left.f(sum);
            }
            if let Some(right) = &self.right {
                sum *= Node::f(right, x);
            }
            sum
        }
    );
    assert!(!text.contains("levels"), "{text}");
}

/// What a derivative in the body is given may hold cells, which rustc sees to in further orders, too.
#[test]
fn what_is_lent_to_a_derivative_is_looked_at() {
    let text = dump!(
        rust,
        fn f(spring: &Spring, x: f64) -> f64 {
            let (_, pullback) = Spring::energy_vjp(spring, x);
            let mut spring_bar = SpringTangent { stiffness: x, rest: 0.0 };
            pullback(spring, &mut spring_bar, x)
        }
    );
    let (_, jvp) = text.split_once("fn jvp(").expect("a `jvp`");
    assert!(jvp.contains("separate(&*spring)"), "{text}");
}

/// A walk looks for shapes in the layers only that each level itself opens.
#[test]
fn layers_of_a_tree() {
    let text = dump!(
        rust,
        fn f(tree: &Tree, x: f64) -> f64 {
            match tree {
                Tree::Leaf(weight) => weight * x,
                Tree::Node(left, right) => f(left, 0.5 * x) * f(right, x),
            }
        }
    );
    assert!(text.contains("conform_within(&*tree, &mut *tree_bar, 1usize)"), "{text}");
    // What is opened in another parameter is not opened in this.
    let text = dump!(
        rust,
        fn f(list: &List, factors: &[Option<f64>], at: usize) -> f64 {
            let factor = match &factors[at] {
                Some(factor) => *factor,
                None => 1.0,
            };
            let own = list.weight.sin() * factor;
            match &list.next {
                Some(next) => own + f(next, factors, at + 1),
                None => own,
            }
        }
    );
    assert!(text.contains("conform_within(&*list, &mut *list_bar, 1usize)"), "{text}");
}

/// A vector times a type parameter is a vector: operators of numbers do not do for it.
#[test]
fn products_of_a_vector_with_a_type_parameter() {
    let text = dump!(
        rust,
        fn f<T: Float>(v: Pair<T>, s: T, t: T) -> Pair<T> {
            v * s * t
        }
    );
    assert!(text.contains("rules::mul::vjp_0(&v, &s"), "{text}");
}

#[test]
fn two_cells() {
    let text = dump!(
        optimized,
        fn f(a: &RefCell<f64>, b: &RefCell<f64>) -> f64 {
            let x = *a.borrow();
            *b.borrow_mut() *= x;
            let y = *b.borrow();
            *a.borrow_mut() = y.sin();
            let z = *a.borrow();
            z * y
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 27
        vjp: 41 holds 7
    "#]],
    );
}

/// How often what a function is emitted as copies something.
fn copies(text: &str) -> usize {
    text.matches("Clone::clone(").count()
}

#[test]
fn what_is_only_looked_at_is_not_copied() {
    let option = dump!(
        rust,
        fn f(o: Option<f64>, x: f64) -> f64 {
            if let Some(v) = o { v * x } else { x }
        }
    );
    let operators = dump!(
        rust,
        fn f(a: &Vector, b: &Vector, k: f64) -> f64 {
            let d = a - b;
            let e = &d - a;
            d.dot(&e) * (*a / k).length()
        }
    );
    let part = dump!(
        rust,
        fn f(springs: &[Spring], i: usize, x: f64) -> f64 {
            let spring = springs[i];
            spring.law.energy(x) * spring.law.rest
        }
    );
    let mapped = dump!(
        rust,
        fn f(o: Option<f64>, x: f64) -> f64 {
            o.map(|v| v * x).unwrap_or(x)
        }
    );
    let collected = dump!(
        rust,
        fn f(x: f64) -> Vec<f64> {
            DATA.iter().map(|t| (t * x).exp()).collect()
        }
    );
    let perceptron = dump!(
        rust,
        fn f(w: &Array2<f64>, bias: &Array1<f64>, v: &Array1<f64>, z: &Array1<f64>) -> f64 {
            let hidden = (w.dot(z) + bias).tanh();
            hidden.dot(v)
        }
    );
    let matrices = dump!(
        rust,
        fn f(a: &Mat<f64>, b: &Mat<f64>, x: &Mat<f64>, y: &Mat<f64>) -> f64 {
            let hidden = a * x;
            (b * &hidden - y).squared_norm_l2()
        }
    );
    expect![[r#"
        [
            0,
            20,
            1,
            9,
            6,
            1,
            5,
        ]
    "#]]
    .assert_debug_eq(
        &[option, operators, part, matrices, mapped, collected, perceptron].map(copies),
    );
    // What holds nothing has a tangent that holds nothing, and is not asked for it.
    assert_eq!(mapped.matches("zero_tangent(").count(), 4, "{mapped}");
}

#[test]
fn operators_of_references() {
    let text = dump!(
        optimized,
        fn f(a: &Vector, b: &Vector, k: f64) -> f64 {
            let d = a - b;
            let e = &d - a;
            d.dot(&e) * (*a / k).length()
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 30
        accumulate_gradient: 35
        vjp: 36 holds 12
    "#]],
    );
}

#[test]
fn an_option_that_is_mapped() {
    let text = dump!(
        optimized,
        fn f(o: Option<f64>, x: f64) -> f64 {
            o.map(|v| v * x).unwrap_or(x) * o.map_or(1.0, |v| v.sin())
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 28
        accumulate_gradient: 37
        vjp: 40 holds 6
    "#]],
    );
}

#[test]
fn two_buffers() {
    let text = dump!(
        optimized,
        fn f(u: &[f64], kappa: f64, steps: usize) -> f64 {
            let mut now = u.to_vec();
            let mut next = now.clone();
            for _ in 0..steps {
                for i in 1..now.len() - 1 {
                    next[i] = now[i] + kappa * (now[i - 1] - 2.0 * now[i] + now[i + 1]);
                }
                std::mem::swap(&mut now, &mut next);
            }
            now[1] * now[2]
        }
    );
    check(
        text,
        &expect![[r#"
            jvp: 16 + 7n + 25nn
            accumulate_gradient: 18 + 21n + 31nn keeps 1n + 1nn
            vjp: 21 + 21n + 31nn keeps 1n + 1nn holds 8
        "#]],
    );
}

#[test]
fn loops_without_an_end_stay() {
    let text = dump!(
        rust,
        fn f(x: f64) -> f64 {
            let y = if x > 0.0 { x.sin() } else { loop {} };
            y * x
        }
    );
    assert_eq!(text.matches("loop {}").count(), 3, "{text}");
}

/// What is put where a float is needs no trait to be added.
#[test]
fn fields_that_are_put_into_floats_are_floats() {
    let text = dump!(
        rust,
        fn f(params: &Params, y: &mut [f64]) {
            y[0] = params.a + params.b;
        }
    );
    assert!(!text.contains("rules::"), "{text}");
}

/// What goes back to factors alone is what their method makes, in a `Some`, and not added to zeros.
#[test]
fn what_goes_back_to_an_option_is_enclosed() {
    let text = dump!(
        rust,
        fn f(covariance: &Mat<f64>, x: &Col<f64>) -> f64 {
            let factor = covariance.llt(Side::Lower).unwrap();
            factor.solve(x).squared_norm_l2()
        }
    );
    assert_eq!(text.matches("enclosed(").count(), 2, "{text}");
}

/// What a loop keeps is in arrays where it is written that it is short, and on a tape otherwise.
#[test]
fn loops_of_few_iterations_keep_arrays() {
    let written = [
        dump!(
            rust,
            fn f(x: f64, k: f64, u: &[f64]) -> f64 {
                let (mut a, mut b, mut c) = (x, u[1], u[0]);
                for _ in 0..64 {
                    (a, b, c) = (a * b.sin() - c * k, b * c - a * u[2], a * c + x * u[3]);
                }
                a * b
            }
        ),
        dump!(
            rust,
            fn f(x: f64, k: f64, u: &[f64]) -> f64 {
                let (mut a, mut b, mut c) = (x, u[1], u[0]);
                for _ in 0..65 {
                    (a, b, c) = (a * b.sin() - c * k, b * c - a * u[2], a * c + x * u[3]);
                }
                a * b
            }
        ),
        dump!(
            rust,
            fn f(x: f64, k: f64, u: &[f64]) -> f64 {
                let (mut a, mut b, mut c) = (x, u[1], u[0]);
                for _ in (0..64).step_by(2) {
                    (a, b, c) = (a * b.sin() - c * k, b * c - a * u[2], a * c + x * u[3]);
                }
                a * b
            }
        ),
        dump!(
            rust,
            fn f(x: f64, k: f64, u: &[f64]) -> f64 {
                let (mut a, mut b, mut c) = (x, u[1], u[0]);
                for _ in 0..=63 {
                    (a, b, c) = (a * b.sin() - c * k, b * c - a * u[2], a * c + x * u[3]);
                }
                a * b
            }
        ),
    ];
    let is_in_arrays = |text: &str| (text.contains("; 64]"), text.contains("Tape::new"));
    assert_eq!(
        written.map(is_in_arrays),
        [(true, false), (false, true), (false, true), (false, true)]
    );
}

#[test]
fn a_product_that_is_added_to_itself() {
    let text = dump!(
        optimized,
        fn f(x: f64) -> f64 {
            x.asinh() + (x * x + 1.5).acosh() + (x / 2.0).atanh()
        }
    );
    check(
        text,
        &expect![[r#"
            jvp: 40
            accumulate_gradient: 37
            vjp: 45 holds 2
        "#]],
    );
}

#[test]
fn an_element_by_reference() {
    let text = dump!(
        optimized,
        fn f(x: &mut [f64], i: usize) {
            let r = &mut x[i];
            *r = *r * 2.0;
            *r += 1.0;
            x[0] *= 3.0;
        }
    );
    check(
        text,
        &expect![[r#"
            jvp: 18
            vjp: 23 holds 5
        "#]],
    );
}

#[test]
fn a_vector_that_an_exit_leaves_as_it_was() {
    let text = dump!(
        optimized,
        fn f(p: f64, mut v: Vec<f64>) -> f64 {
            v.push(if 0.5 < f64::tanh(v[0]) { return 0.5 } else { p });
            dot(&v, &v)
        }
    );
    check(
        text,
        &expect![[r#"
            jvp: 11
            accumulate_gradient: 20
            vjp: 20 holds 4
        "#]],
    );
}

#[test]
fn an_index_of_many_sums() {
    let text = dump!(
        optimized,
        fn f(x: &mut [f64], n: usize) {
            for i in 0..n {
                for j in 0..n {
                    let a = i + j;
                    let b = a + a;
                    let c = b + b;
                    let d = c + c;
                    let e = d + d;
                    let f = e + e;
                    let g = f + f;
                    let h = g + g;
                    let k = h + h;
                    let l = k + k;
                    let m = l + l;
                    let n = m + m;
                    let o = n + n;
                    let p = o + o;
                    let q = p + p;
                    let r = q + q;
                    let s = r + r;
                    let t = s + s;
                    let u = t + t;
                    let v = u + u;
                    let w = v + v;
                    let y = w + w;
                    let z = y + y;
                    x[z] = x[z].sin() * x[i * n + j];
                }
            }
        }
    );
    check(
        text,
        &expect![[r#"
            jvp: 3 + 2n + 38nn
            vjp: 5 + 5n + 68nn keeps 2nn holds 3
        "#]],
    );
}

/// What goes back to an operand of a product that nobody asks for is not computed.
#[test]
fn products_with_constants() {
    let text = dump!(
        rust,
        #[differentiate(constant(x))]
        fn f(a: &Array2<f64>, x: &Array1<f64>) -> f64 {
            a.dot(x).tanh().sum()
        }
    );
    assert_eq!(text.matches("__dot_unread_1(").count(), 2, "{text}");
}

/// Rows add to the shadows of values of types that are not known, and to these alone.
#[test]
fn factors_of_a_norm() {
    let text = dump!(
        rust,
        fn f(a: &Mat<f64>, k: &f64) -> f64 {
            (a * a).norm_l2() * *k
        }
    );
    assert_eq!(text.matches("add_vjp_").count(), 4, "{text}");
    let text = dump!(
        rust,
        fn f(x: &Col<f64>, length: f64) -> f64 {
            let made = Col::from_fn(2, |i| {
                let distance = (x[i] - x[0]) / length;
                (-0.5 * distance * distance).exp()
            });
            made.squared_norm_l2()
        }
    );
    assert_eq!(text.matches("add_vjp_").count(), 0, "{text}");
}

#[test]
fn parts_of_elements_are_read_again() {
    let text = dump!(
        optimized,
        fn f(points: &[[f64; 3]]) -> f64 {
            let mut energy = 0.0;
            for i in 0..points.len() {
                for j in 0..i {
                    let (p, q) = (points[i], points[j]);
                    let d = [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
                    energy += 1.0 / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
                }
            }
            energy
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 5 + 2n + 50nn
        accumulate_gradient: 5 + 17n + 69nn
        vjp: 6 + 17n + 70nn holds 3
    "#]],
    );
}

#[test]
fn state_in_a_tuple_is_carried_as_numbers() {
    let text = dump!(
        optimized,
        fn f(x: f64, y: f64, z: f64, n: usize) -> f64 {
            let mut s = (x, y);
            for _ in 0..n {
                s = (s.0 * s.1, s.0.sin() + z);
            }
            s.0
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 2 + 9n
        accumulate_gradient: 7 + 11n keeps 2n
        vjp: 7 + 11n keeps 2n holds 2
    "#]],
    );
}

#[test]
fn what_an_iteration_makes_is_kept_once() {
    let text = dump!(
        optimized,
        fn f(x: &[f64], n: usize) -> f64 {
            let mut sum = 0.0;
            for i in 0..x.len() {
                let row: Vec<f64> = made(x[i], n);
                for j in 1..n {
                    sum += row[j] * row[j - 1] * x[i];
                }
            }
            sum
        }
    );
    check(
        text,
        &expect![[r#"
        jvp: 5 + 8n + 16nn
        accumulate_gradient: 4 + 31n + 26nn + 8nnn
        vjp: 7 + 32n + 29nn + 11nnn keeps 2n holds 3
    "#]],
    );
}
