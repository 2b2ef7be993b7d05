//! Functions and methods that call themselves, and each other.
#![deny(warnings, missing_docs, clippy::all)]

use cotangent::{differentiate, Differentiable};

/// A list.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Link {
    /// What it holds.
    pub value: f64,
    /// The rest.
    pub next: Option<Box<Link>>,
}

#[differentiate]
impl Link {
    /// Adds up.
    pub fn sum(&self, weight: f64) -> f64 {
        match &self.next {
            Some(next) => self.value + weight * next.sum(weight),
            None => self.value,
        }
    }

    /// Multiplies.
    pub fn scale(&mut self, by: f64) {
        self.value *= by;
        if let Some(next) = &mut self.next {
            next.scale(by);
        }
    }

    fn power(x: f64, n: u32) -> f64 {
        if n == 0 {
            1.0
        } else {
            Self::power(x, n - 1) * x
        }
    }
}

/// By halves.
#[differentiate]
pub fn sum<const N: usize>(x: &[f64], scale: [f64; N]) -> f64 {
    match x.len() {
        0 => 0.0,
        1 => x[0] * scale[N - 1],
        length => {
            let (left, right) = x.split_at(length / 2);
            sum(left, scale) + sum::<N>(right, scale)
        }
    }
}

/// What is private is on the tape.
type Step = usize;

/// In steps.
#[differentiate]
#[differentiate]
#[must_use]
pub fn stepped(x: f64, list: &[f64], at: usize) -> f64 {
    let next: Step = at + 2;
    if next > list.len() {
        return x;
    }
    let mut y = x;
    for k in at..next {
        y += stepped(x * list[k], list, next);
    }
    y * list[next - 1]
}

/// Along the list, by types that are not known.
#[differentiate]
#[differentiate]
#[must_use]
pub fn along(link: &Link, x: f64) -> f64 {
    let y = link.value.sin() * x;
    match &link.next {
        Some(next) => along(next, y) * y,
        None => y,
    }
}

/// By way of another.
#[differentiate(recursive)]
#[must_use]
pub fn even(x: f64, n: usize) -> f64 {
    if n == 0 {
        x
    } else {
        odd(x.sin(), n - 1)
    }
}

/// By way of another.
#[differentiate(recursive)]
#[must_use]
pub fn odd(x: f64, n: usize) -> f64 {
    if n == 0 {
        Link::power(x, 2)
    } else {
        even(x * x, n - 1)
    }
}

fn main() {
    let mut list = Link { value: 1.0, next: Some(Box::new(Link { value: 2.0, next: None })) };
    let (list_bar, weight_bar) = list.sum_gradient(3.0);
    assert_eq!((list_bar.next.unwrap().value, weight_bar), (3.0, 2.0));
    let (value, pullback) = list.scale_vjp(2.0);
    let () = value;
    let mut list_bar = list.zero_tangent();
    list_bar.value = 1.0;
    assert_eq!(pullback(&mut list, &mut list_bar, ()), 1.0);
    assert_eq!(sum::gradient(&[1.0, 2.0, 3.0], [4.0]), (vec![4.0; 3], [6.0]));
}
