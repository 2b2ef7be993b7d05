//! Reasons for which an active value ends: `stop_gradient`, `#[zero_adjoint]`, texts that are only shown, numbers that are
//! compared, errors.

use cotangent::{Differentiable, differentiate, stop_gradient, zero_adjoint};
use std::cell::Cell;

fn opaque(x: f64) -> bool {
    x > 0.0
}

fn opaque_reference(x: &f64) -> bool {
    *x > 0.0
}

fn opaque_slice(x: &[f64]) -> f64 {
    x[0]
}

#[zero_adjoint]
#[differentiate]
fn count(x: f64, y: &[f64]) -> usize {
    x as usize + y.len()
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Limits {
    pub low: f64,
    pub steps: usize,
    pub high: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Differentiable)]
pub(crate) enum Kind {
    Square,
    Linear,
    Named(char),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Differentiable)]
pub(crate) struct Id(u32);

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Term {
    pub kind: Kind,
    pub id: Id,
    pub next: Option<Id>,
    pub name: String,
    pub factor: f64,
}

fn term(kind: Kind, id: u32) -> Term {
    Term { kind, id: Id(id), next: Some(Id(3)), name: "a".to_owned(), factor: 1.3 }
}

#[differentiate]
#[differentiate]
fn least<K: PartialOrd + Copy>(keys: &[K], key: K, x: f64) -> f64 {
    if keys[0] < key && keys[1] == keys[0] { x * x } else { x }
}

corpus! {
    fn kinds_beside_numbers(term: &Term, x: f64) -> f64 {
        let y = if term.kind == Kind::Square { x * x } else { x * term.factor };
        if term.kind > Kind::Linear { y * term.factor } else { y }
    }
    at (&term(Kind::Square, 1), 0.7), (&term(Kind::Linear, 1), 0.7), (&term(Kind::Named('a'), 1), 0.7);

    fn numbers_of_terms(terms: &[Term], x: f64) -> f64 {
        let mut sum = 0.0;
        for (i, term) in terms.iter().enumerate() {
            if term.id == terms[0].id || term.id < Id(1) {
                sum += term.factor * x;
            }
            if term.next == Some(term.id) && term.name != "b" && i != 3 {
                sum += x * x;
            }
        }
        sum
    }
    at (&[term(Kind::Square, 1), term(Kind::Linear, 3), term(Kind::Linear, 0)], 0.7);

    fn stopped_before_unknown_calls(x: f64) -> f64 {
        opaque(stop_gradient(x));
        if opaque(stop_gradient(x * x)) { x * x } else { x }
    }
    at (1.3) => 2.0 * x;

    fn stopped_contents_of_a_cell(x: f64) -> f64 {
        let cell = Cell::new(x);
        opaque(stop_gradient(cell.get()));
        cell.get() * x
    }
    at (1.3) => 2.0 * x;

    fn zero_adjoint_without_result(x: f64) -> f64 {
        let v = [x, x];
        count(x, &v);
        if count(x, &v[1..]) & 1 == 1 { x } else { x * x }
    }
    at (1.3), (2.3);

    fn texts_that_are_shown(x: f64, n: usize) -> f64 {
        assert!(x > 0.0, "not positive: {x}");
        debug_assert!(x.is_finite(), "{}", x * 2.0);
        assert_ne!(x, 7.0);
        let label = format!("{n}");
        if label.len() > 3 { panic!("{label} {x}") } else { x * x }
    }
    at (1.3, 2) => (2.0 * x);

    fn numbers_of_unknown_types(x: f64, limits: &Limits) -> f64 {
        let is_high = limits.high == None || Some(x) > limits.high;
        if limits.low < x && is_high && limits.steps != 3 { x * x } else { x * limits.low }
    }
    at (1.3, &Limits { low: 0.5, steps: 2, high: Some(1.0) }), (1.3, &Limits { low: 2.5, steps: 2, high: None });

    fn swapped_with_a_temporary(x: f64) -> f64 {
        let cell = Cell::new(0.0);
        cell.swap(&Cell::new(x));
        cell.get() * x
    }
    at (1.3) => 2.0 * x;
}

#[differentiate]
fn stopped_references(x: f64) -> f64 {
    let v = vec![x, 2.0 * x];
    opaque_reference(stop_gradient(&x));
    opaque_slice(stop_gradient(&v)) * x + opaque_slice(stop_gradient(&v[1..]))
}

#[differentiate]
fn stopped_bits(x: f64) -> f64 {
    f64::from_bits(stop_gradient(x).to_bits()) * x
}

/// `check!` would find their values' derivatives.
#[test]
fn what_is_stopped_is_constant() {
    assert_eq!(
        (stopped_references::gradient(1.3), stopped_references::jvp(1.3, 1.0).1),
        (1.3, 1.3)
    );
    assert_eq!((stopped_bits::gradient(1.3), stopped_bits::jvp(1.3, 1.0).1), (1.3, 1.3));
}

#[differentiate]
fn root(x: f64) -> Result<f64, String> {
    if x < 0.0 {
        return Err(format!("negative: {x}"));
    }
    if x > 100.0 {
        return Err(x.to_string());
    }
    Ok(x * x)
}

#[differentiate]
fn root_or_number(x: f64) -> Result<f64, f64> {
    if x < 0.0 {
        return Err(stop_gradient(x));
    }
    Ok(x * x)
}

#[differentiate]
fn errors_handed_on(x: f64) -> Result<f64, f64> {
    let y = root_or_number(x)?;
    match root_or_number(y) {
        Ok(z) => Ok(z * x),
        Err(error) => Err(error),
    }
}

checks! {
    least at (&[1, 1], 2, 0.7), (&['a', 'b'], 'c', 0.7), (&[0.3, 0.35], 0.4, 0.7), (&[0.5, 0.35], 0.4, 0.7),
        (&[Kind::Square, Kind::Square], Kind::Linear, 0.7);
    root at (1.3);
    root_or_number at (1.3);
    errors_handed_on at (1.3);
}

#[test]
fn errors_are_those_of_the_function() {
    assert_eq!(root::jvp(-1.0, 1.0).0, Err("negative: -1".to_owned()));
    assert_eq!(root::jvp(101.0, 1.0).0, Err("101".to_owned()));
    assert_eq!(errors_handed_on::jvp(-1.0, 1.0).0, Err(-1.0));
}
