//! `#[primitive]`, `#[zero_adjoint]`, `stop_gradient` and `overlay(..)`: what is given is taken, and the body is not
//! looked at.
//!
//! The derivatives given here are wrong on purpose, so that nothing else can be mistaken for them.

use cotangent::{differentiate, primitive, stop_gradient, zero_adjoint};

#[primitive(partials(100.0, 10.0 * b))]
fn partials(a: f64, b: f64) -> f64 {
    a + b
}

#[test]
fn partials_are_those_of_both_modes() {
    assert_eq!(partials::value_and_gradient(1.0, 2.0), (3.0, (100.0, 20.0)));
    assert_eq!(partials::gradient(1.0, 2.0), (100.0, 20.0));
    assert_eq!(partials::accumulate_gradient(1.0, 2.0), (3.0, (100.0, 20.0)));
    assert_eq!(partials::jvp(1.0, 1.0, 2.0, 3.0), (3.0, 160.0));
    let (value, pullback) = partials::vjp(1.0, 2.0);
    assert_eq!((value, pullback(2.0)), (3.0, (200.0, 40.0)));
}

fn pulled(x: f64, w: &[f64]) -> (f64, impl FnOnce(&[f64], &mut [f64], f64) -> f64 + use<>) {
    (x * w[0], |_: &[f64], w_bar: &mut [f64], y_bar: f64| {
        w_bar[0] += 5.0 * y_bar;
        7.0 * y_bar
    })
}

fn pushed(x: f64, x_dot: f64, w: &[f64], w_dot: &[f64]) -> (f64, f64) {
    (x * w[0], 7.0 * x_dot + 5.0 * w_dot[0])
}

#[primitive(vjp = pulled, jvp = pushed)]
fn functions(x: f64, w: &[f64]) -> f64 {
    x * w[0]
}

#[test]
fn functions_have_the_signatures_of_the_contract() {
    assert_eq!(functions::value_and_gradient(2.0, &[3.0, 1.0]), (6.0, (7.0, vec![5.0, 0.0])));
    assert_eq!(functions::jvp(2.0, 1.0, &[3.0], &[10.0]), (6.0, 57.0));
    let mut w_bar = [100.0];
    assert_eq!(functions::accumulate_gradient(2.0, &[3.0], &mut w_bar), (6.0, 7.0));
    assert_eq!(w_bar, [105.0]);
}

#[differentiate]
#[primitive(vjp = pulled)]
fn reverse_given(x: f64, w: &[f64]) -> f64 {
    x * w[0]
}

#[primitive(jvp = pushed)]
#[differentiate]
fn forward_given(x: f64, w: &[f64]) -> f64 {
    x * w[0]
}

#[test]
fn what_is_given_is_preferred_to_what_is_derived() {
    assert_eq!(reverse_given::gradient(2.0, &[3.0]), (7.0, vec![5.0]));
    assert_eq!(reverse_given::jvp(2.0, 1.0, &[3.0], &[10.0]), (6.0, 23.0));
    assert_eq!(forward_given::gradient(2.0, &[3.0]), (3.0, vec![2.0]));
    assert_eq!(forward_given::jvp(2.0, 1.0, &[3.0], &[10.0]), (6.0, 57.0));
}

#[differentiate(reverse)]
fn caller(x: f64, w: &[f64]) -> f64 {
    functions(x, w) + reverse_given(x, w)
}

#[test]
fn callers_take_what_is_given() {
    assert_eq!(caller::value_and_gradient(2.0, &[3.0]), (12.0, (14.0, vec![10.0])));
}

#[zero_adjoint]
fn replaced(x: f64, w: &[f64], s: &mut [f64], kept: &mut Vec<f64>) -> f64 {
    s[0] = x * w[0];
    kept.push(x);
    x * w[0]
}

#[test]
fn zero_adjoints_restore_and_clear() {
    let (mut s, mut kept) = ([1.0, 2.0], vec![3.0]);
    let (value, pullback) = replaced::vjp(2.0, &[3.0], &mut s, &mut kept);
    assert_eq!((value, s, kept.as_slice()), (6.0, [6.0, 2.0], &[3.0, 2.0][..]));
    let (mut w_bar, mut s_bar, mut kept_bar) = ([5.0], [7.0, 8.0], vec![9.0, 10.0]);
    let x_bar = pullback(&[3.0], &mut w_bar, &mut s, &mut s_bar, &mut kept, &mut kept_bar, 1.0);
    assert_eq!((x_bar, w_bar, s_bar, kept_bar.as_slice()), (0.0, [5.0], [0.0, 0.0], &[0.0][..]));
    assert_eq!((s, kept.as_slice()), ([1.0, 2.0], &[3.0][..]));

    let (mut s_dot, mut kept_dot) = ([1.0, 1.0], vec![1.0]);
    let (value, dot) =
        replaced::jvp(2.0, 1.0, &[3.0], &[1.0], &mut s, &mut s_dot, &mut kept, &mut kept_dot);
    assert_eq!((value, dot, s_dot, kept_dot.as_slice()), (6.0, 0.0, [0.0, 0.0], &[0.0, 0.0][..]));
}

#[differentiate]
fn stopped(x: f64, w: &[f64]) -> f64 {
    let mut s = 0.0;
    for w in w {
        s += stop_gradient(w * x) * x;
    }
    let squares = stop_gradient(vec![x, x * x]);
    s + squares[1] * x + w.iter().map(|w| *w).map(stop_gradient).sum::<f64>()
}

#[test]
fn a_stopped_value_is_a_constant() {
    assert_eq!(stopped::value_and_gradient(3.0, &[1.0, 2.0]), (57.0, (18.0, vec![0.0, 0.0])));
    assert_eq!(stopped::jvp(3.0, 1.0, &[1.0, 2.0], &[1.0, 0.0]), (57.0, 18.0));
    assert_eq!(stop_gradient::gradient(3.0), 0.0);
    assert_eq!(stop_gradient::jvp(vec![1.0, 2.0], vec![1.0, 1.0]), (vec![1.0, 2.0], vec![0.0; 2]));
}

fn slow(x: f64) -> f64 {
    x
}

mod inner {
    pub(super) fn slow(x: f64) -> f64 {
        x
    }
}

#[primitive(partials(10.0))]
fn fast(x: f64) -> f64 {
    x + 0.5
}

#[primitive(partials(1.0))]
fn faster(x: f64) -> f64 {
    x + 0.25
}

#[differentiate(overlay(slow = fast, inner::slow = faster))]
fn overlaid(x: f64) -> f64 {
    let other = |slow: f64| slow;
    slow(x) + inner::slow(x) + other(x)
}

#[test]
fn derivative_code_calls_the_overlay() {
    assert_eq!(overlaid(1.0), 3.0);
    assert_eq!(overlaid::value_and_gradient(1.0), (3.75, 12.0));
    assert_eq!(overlaid::jvp(1.0, 1.0), (3.75, 12.0));
}
