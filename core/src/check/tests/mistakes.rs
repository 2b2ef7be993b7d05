//! Derivatives with one deliberate mistake each.

use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::Cell;

use crate::check::{
    Bare, Case, Kind, Mismatch, Report, Shadow, Shared, Unique, Value, shared, unique, value,
};

type Point = (Value<f64>, Shared<[f64]>, Unique<Vec<f64>>, Value<f64>);
type Slots = (Bare<f64>, Shadow<Vec<f64>>, Shadow<Vec<f64>>, Bare<f64>);

/// `x² Σ w c + s₀ x`, after which `s₀` is `s₀ x`. `c` is constant.
fn f(x: f64, w: &[f64], s: &mut [f64], c: f64) -> f64 {
    let y = x * x * w.iter().sum::<f64>() * c + s[0] * x;
    s[0] *= x;
    y
}

fn jvp(p: &mut Point, d: &mut Slots) -> (f64, f64) {
    let (x, x_dot, w, s, c) = (p.0.get(), d.0.get(), p.1.get(), p.2.get(), p.3.get());
    let (sum, sum_dot) = (w.iter().sum::<f64>(), d.1.get().iter().sum::<f64>());
    let s_dot = d.2.get();
    let y_dot = 2.0 * x * x_dot * sum * c + x * x * sum_dot * c + s_dot[0] * x + s[0] * x_dot;
    s_dot[0] = s_dot[0] * x + s[0] * x_dot;
    (f(x, w, s, c), y_dot)
}

fn forward(p: &mut Point) -> (f64, f64) {
    let s_0 = p.2.get()[0];
    (f(p.0.get(), p.1.get(), p.2.get(), p.3.get()), s_0)
}

fn pullback(p: &mut Point, d: &mut Slots, s_0: f64, y_bar: f64) {
    let (x, sum, c) = (p.0.get(), p.1.get().iter().sum::<f64>(), p.3.get());
    p.2.get()[0] = s_0;
    let s_bar = d.2.get();
    let x_bar = 2.0 * x * sum * c * y_bar + s_0 * y_bar + s_0 * s_bar[0];
    s_bar[0] = s_bar[0] * x + x * y_bar;
    d.1.get().iter_mut().for_each(|w_bar| *w_bar += x * x * c * y_bar);
    d.0.put(x_bar);
}

/// The state of a broken derivative between its runs.
type Broken<'b> = &'b dyn Fn(&mut Point, &mut Slots);

/// Where a mistake is slipped in.
#[derive(Clone, Copy, Default)]
struct Mistakes<'b> {
    after_jvp: Option<Broken<'b>>,
    y_error: f64,
    y_dot_error: f64,
    after_forward: Option<Broken<'b>>,
    after_pullback: Option<Broken<'b>>,
    after_accumulate: Option<Broken<'b>>,
    without_jvp: bool,
}

fn run(broken: Option<Broken<'_>>, p: &mut Point, d: &mut Slots) {
    if let Some(broken) = broken {
        broken(p, d);
    }
}

fn verify(mistakes: Mistakes<'_>) -> Result<Report, Mismatch> {
    let point =
        (value(1.5), shared(&[2.0, -0.5, 3.0][..]), unique(&mut vec![0.7]), value(1.1).constant());
    let case = Case::new("f", &["x", "w", "s", "c"], point, |p| forward(p).0);
    let case = if mistakes.without_jvp {
        case
    } else {
        case.jvp(move |p, d| {
            let (y, y_dot) = jvp(p, d);
            run(mistakes.after_jvp, p, d);
            (y + mistakes.y_error, y_dot * (1.0 + mistakes.y_dot_error))
        })
    };
    case.vjp(move |p, d, seed| {
        let (y, s_0) = forward(p);
        run(mistakes.after_forward, p, d);
        let y_bar = seed(&y, p, d);
        pullback(p, d, s_0, y_bar);
        run(mistakes.after_pullback, p, d);
    })
    .accumulate(move |p, d| {
        let (y, s_0) = forward(p);
        pullback(p, d, s_0, 1.0);
        run(mistakes.after_accumulate, p, d);
        y
    })
    .verify()
}

/// Expects one kind of mismatch with some words in its message.
#[track_caller]
fn expect(mistakes: Mistakes<'_>, kind: Kind, words: &str) {
    let mismatch = verify(mistakes).unwrap_err();
    assert_eq!(mismatch.kind(), kind, "{mismatch}");
    assert!(mismatch.to_string().contains(words), "{mismatch}");
    assert!(mismatch.to_string().starts_with("`f`: "), "{mismatch}");
}

#[test]
fn without_mistakes_all_is_tested() {
    let report = verify(Mistakes::default()).unwrap();
    assert!(report.forward() && report.reverse() && report.accumulate());
    assert!(report.largest_disagreement() < 1e-14, "{report}");
    let report = verify(Mistakes { without_jvp: true, ..Mistakes::default() }).unwrap();
    assert!(!report.forward() && report.reverse());
    assert!(report.largest_disagreement() < 1e-9, "{report}");
    assert!(report.to_string().contains("of differences"), "{report}");
}

#[test]
fn a_value_that_is_off_by_one_bit() {
    let mistakes = Mistakes { y_error: 8.0 * f64::EPSILON, ..Mistakes::default() };
    expect(mistakes, Kind::Value, "in jvp the output is ");
}

#[test]
fn an_argument_that_jvp_leaves_otherwise() {
    let broken = |p: &mut Point, _: &mut Slots| p.2.get()[0] = 0.7;
    expect(
        Mistakes { after_jvp: Some(&broken), ..Mistakes::default() },
        Kind::Value,
        "in jvp `s[0]` is ",
    );
}

#[test]
fn an_argument_that_the_forward_pass_of_vjp_leaves_otherwise() {
    let broken = |p: &mut Point, _: &mut Slots| p.2.get()[0] += 1.0;
    let mistakes = Mistakes { after_forward: Some(&broken), ..Mistakes::default() };
    expect(mistakes, Kind::Value, "in vjp `s[0]` is 2.05, expected 1.0499999999999998");
}

#[test]
fn a_wrong_tangent_of_the_output() {
    let mistakes = Mistakes { y_dot_error: 1e-5, ..Mistakes::default() };
    expect(mistakes, Kind::Tangent, "jvp's tangent of the output along `x` is ");
    expect(Mistakes { y_dot_error: f64::NAN, ..mistakes }, Kind::Tangent, "is NaN, expected");
}

#[test]
fn a_wrong_tangent_of_a_place() {
    let broken = |_: &mut Point, d: &mut Slots| d.2.get()[0] *= 1.0001;
    let mistakes = Mistakes { after_jvp: Some(&broken), ..Mistakes::default() };
    expect(mistakes, Kind::Tangent, "jvp's tangent of `s[0]` along `x` is ");
}

#[test]
fn a_wrong_cotangent_is_named() {
    let broken = |_: &mut Point, d: &mut Slots| d.1.get()[1] *= 1.0 + 1e-8;
    let mistakes = Mistakes { after_pullback: Some(&broken), ..Mistakes::default() };
    expect(
        mistakes,
        Kind::Cotangent,
        "vjp's cotangent of `w[1]` with a seed of 1 at the output is ",
    );
    expect(mistakes, Kind::Cotangent, " by jvp");
}

#[test]
fn a_wrong_cotangent_by_value_is_found_without_jvp() {
    let broken = |_: &mut Point, d: &mut Slots| {
        let x_bar = d.0.get();
        d.0.put(1.0001 * x_bar);
    };
    let mistakes =
        Mistakes { after_pullback: Some(&broken), without_jvp: true, ..Mistakes::default() };
    expect(mistakes, Kind::Cotangent, "vjp's cotangent of `x` with a seed of 1 at the output is ");
    expect(mistakes, Kind::Cotangent, " by differences");
}

#[test]
fn a_stale_shadow_of_an_overwritten_place() {
    let broken = |p: &mut Point, d: &mut Slots| d.2.get()[0] += p.0.get();
    let mistakes = Mistakes { after_pullback: Some(&broken), ..Mistakes::default() };
    expect(mistakes, Kind::Cotangent, "vjp's cotangent of `s[0]` with a seed of ");
}

#[test]
fn an_overwritten_shadow() {
    let (before, inside) = (Cell::new(None), Cell::new(false));
    let overwrite = |_: &mut Point, d: &mut Slots| {
        let w_bar = d.1.get();
        w_bar.fill(1.5 * 1.5 * 1.1 * before.get().unwrap_or(0.0));
        inside.set(true);
    };
    let point =
        (value(1.5), shared(&[2.0, -0.5, 3.0][..]), unique(&mut vec![0.7]), value(1.1).constant());
    let mismatch = Case::new("f", &["x", "w", "s", "c"], point, |p| forward(p).0)
        .vjp(|p, d, seed| {
            let (y, s_0) = forward(p);
            let y_bar = seed(&y, p, d);
            before.set(Some(y_bar));
            pullback(p, d, s_0, y_bar);
            overwrite(p, d);
        })
        .verify()
        .unwrap_err();
    assert!(inside.get());
    assert_eq!(mismatch.kind(), Kind::Shadow, "{mismatch}");
    assert!(mismatch.message().contains("vjp's cotangent of `w[0]`"), "{mismatch}");
}

#[test]
fn an_argument_that_is_not_restored() {
    let broken = |p: &mut Point, _: &mut Slots| p.2.get()[0] += 1e-16;
    let mistakes = Mistakes { after_pullback: Some(&broken), ..Mistakes::default() };
    expect(mistakes, Kind::Restored, "vjp does not restore its arguments: `s[0]` is");
    let broken = |p: &mut Point, _: &mut Slots| p.2.get().push(0.0);
    let mistakes = Mistakes { after_accumulate: Some(&broken), ..Mistakes::default() };
    expect(mistakes, Kind::Restored, "accumulate_gradient does not restore its arguments");
}

#[test]
fn a_run_that_remembers_the_one_before() {
    let runs = Cell::new(0.0);
    let broken = |_: &mut Point, d: &mut Slots| {
        runs.set(runs.get() + 1e-15);
        d.1.get()[0] *= 1.0 + runs.get();
    };
    let mistakes = Mistakes { after_pullback: Some(&broken), ..Mistakes::default() };
    expect(mistakes, Kind::Repeat, "vjp's cotangent of `w[0]` is ");
    let broken = |_: &mut Point, d: &mut Slots| {
        runs.set(runs.get() + 1e-15);
        d.2.get()[0] *= 1.0 + runs.get();
    };
    let mistakes = Mistakes { after_jvp: Some(&broken), ..Mistakes::default() };
    expect(mistakes, Kind::Repeat, "jvp's tangent of `s[0]` is ");
}

#[test]
fn a_function_that_is_not_one() {
    let calls = Cell::new(0.0);
    let mismatch = Case::new("f", &["x"], (value(1.0),), |p| {
        calls.set(calls.get() + 1.0);
        p.0.get() + calls.get()
    })
    .verify()
    .unwrap_err();
    assert_eq!(mismatch.kind(), Kind::Repeat, "{mismatch}");
    assert_eq!(mismatch.message(), "in a second run the output is 3.0, expected 2.0");
}

#[test]
fn shapes_that_do_not_fit() {
    let longer = |_: &mut Point, d: &mut Slots| d.2.get().push(0.0);
    let mistakes = Mistakes { after_jvp: Some(&longer), ..Mistakes::default() };
    expect(mistakes, Kind::Shape, "jvp's tangent of `s` has 2 floats, but the value has 1");
    let shorter = |_: &mut Point, d: &mut Slots| d.1.get().truncate(1);
    let mistakes = Mistakes { after_pullback: Some(&shorter), ..Mistakes::default() };
    expect(mistakes, Kind::Shape, "vjp's cotangent of `w` has 1 floats, but the value has 3");
}

#[test]
fn a_cotangent_for_a_constant() {
    let broken = |_: &mut Point, d: &mut Slots| d.3.put(1.0);
    let mistakes = Mistakes { after_pullback: Some(&broken), ..Mistakes::default() };
    expect(mistakes, Kind::Constant, "the cotangent of `c`, which is constant, is 1.0");
}

#[test]
fn an_accumulate_of_its_own() {
    let broken = |_: &mut Point, d: &mut Slots| d.1.get()[2] = 7.0;
    let mistakes = Mistakes { after_accumulate: Some(&broken), ..Mistakes::default() };
    expect(mistakes, Kind::Accumulate, "accumulate_gradient's cotangent of `w[2]` is 7.0");
}
