//! Which parameters are active: by type, by `constant(..)` and by `wrt(..)`; and which modes there are.

use cotangent::differentiate;

#[differentiate]
fn integers(
    a: u8,
    b: i8,
    c: u16,
    d: i16,
    e: u32,
    f: i32,
    g: u64,
    h: i64,
    i: u128,
    j: i128,
    k: usize,
    l: isize,
    x: f64,
) -> f64 {
    let small = a as f64 + b as f64 + c as f64 + d as f64 + e as f64 + f as f64;
    let large = g as f64 + h as f64 + i as f64 + j as f64 + k as f64 + l as f64;
    x * (small + large)
}

#[test]
fn integers_are_constant() {
    let x_bar: f64 = integers::gradient(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0.5);
    assert_eq!(x_bar, 78.0);
}

#[differentiate]
fn texts(up: bool, mark: char, name: &str, title: String, op: fn(usize) -> usize, x: f64) -> f64 {
    let _ = op;
    let sign = if up { 1.0 } else { -1.0 };
    let length = name.len() + title.len();
    if mark == '+' { sign * x * length as f64 } else { 0.0 }
}

fn same(n: usize) -> usize {
    n
}

#[test]
fn flags_texts_and_functions_are_constant() {
    let gradient: fn(bool, char, &str, String, fn(usize) -> usize, f64) -> f64 = texts::gradient;
    assert_eq!(gradient(true, '+', "ab", "cde".to_owned(), same, 2.0), 5.0);
    let (value, pullback) = texts::vjp(false, '+', "ab", "cde".to_owned(), same, 2.0);
    assert_eq!((value, pullback("ab", 1.0)), (-10.0, -5.0));
    assert_eq!(texts::jvp(true, '-', "ab", String::new(), same, 2.0, 1.0), (0.0, 0.0));
}

#[differentiate(constant(w, scale))]
fn without(x: f64, w: &[f64], scale: f64, p: (f64, f64)) -> f64 {
    x * w[0] * scale * p.0
}

#[differentiate(wrt(x, p))]
fn with(x: f64, w: &[f64], scale: f64, p: (f64, f64)) -> f64 {
    x * w[0] * scale * p.0
}

/// `constant(..)` and `wrt(..)` say the same thing from either end.
macro_rules! assert_selection {
    ($($name:ident)*) => {$(
        let gradient: fn(f64, &[f64], f64, (f64, f64)) -> (f64, (f64, f64)) = $name::gradient;
        assert_eq!(gradient(2.0, &[3.0], 5.0, (7.0, 0.0)), (105.0, (30.0, 0.0)));
        let accumulate: fn(f64, &[f64], f64, (f64, f64)) -> (f64, (f64, (f64, f64))) = $name::accumulate_gradient;
        assert_eq!(accumulate(2.0, &[3.0], 5.0, (7.0, 0.0)).0, 210.0);
        let jvp: fn(f64, f64, &[f64], f64, (f64, f64), (f64, f64)) -> (f64, f64) = $name::jvp;
        assert_eq!(jvp(2.0, 1.0, &[3.0], 5.0, (7.0, 0.0), (1.0, 9.0)), (210.0, 135.0));
        let (_, pullback) = $name::vjp(2.0, &[3.0], 5.0, (7.0, 0.0));
        let bars: (f64, (f64, f64)) = pullback(&[3.0], 1.0);
        assert_eq!(bars, (105.0, (30.0, 0.0)));
    )*};
}

#[test]
fn constants_are_named_or_active_ones_are() {
    assert_selection!(without with);
}

#[differentiate(constant(x))]
fn all_constant(x: f64) -> f64 {
    x * x
}

#[test]
fn nothing_may_be_active() {
    let gradient: fn(f64) -> () = all_constant::gradient;
    gradient(2.0);
    let jvp: fn(f64) -> (f64, f64) = all_constant::jvp;
    assert_eq!(jvp(3.0), (9.0, 0.0));
    let (value, pullback) = all_constant::vjp(3.0);
    let () = pullback(1.0);
    assert_eq!(value, 9.0);
}

#[differentiate(reverse)]
fn only_reverse(x: f64) -> f64 {
    x * x
}

#[differentiate(forward)]
fn only_forward(x: f64) -> f64 {
    x * x
}

#[differentiate(reverse, forward)]
fn both(x: f64) -> f64 {
    x * x
}

/// Methods that are found only where a companion has no function of the name.
trait Absent {
    fn gradient(_: f64) -> &'static str {
        "absent"
    }
    fn value_and_gradient(_: f64) -> &'static str {
        "absent"
    }
    fn accumulate_gradient(_: f64) -> &'static str {
        "absent"
    }
    fn vjp(_: f64) -> &'static str {
        "absent"
    }
    fn jvp(_: f64, _: f64) -> &'static str {
        "absent"
    }
}

impl Absent for only_reverse {}
impl Absent for only_forward {}

#[test]
fn one_mode_may_be_enough() {
    assert_eq!(only_reverse::gradient(3.0), 6.0);
    assert_eq!(only_reverse::value_and_gradient(3.0), (9.0, 6.0));
    assert_eq!(only_reverse::accumulate_gradient(3.0), (9.0, 6.0));
    assert_eq!(only_reverse::vjp(3.0).1(1.0), 6.0);
    assert_eq!(only_reverse::jvp(3.0, 1.0), "absent");
    assert_eq!(only_forward::jvp(3.0, 1.0), (9.0, 6.0));
    assert_eq!(only_forward::gradient(3.0), "absent");
    assert_eq!(only_forward::value_and_gradient(3.0), "absent");
    assert_eq!(only_forward::accumulate_gradient(3.0), "absent");
    assert_eq!(only_forward::vjp(3.0), "absent");
    assert_eq!((both::gradient(3.0), both::jvp(3.0, 1.0)), (6.0, (9.0, 6.0)));
}
