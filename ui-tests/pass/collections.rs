//! Collections that grow and shrink, elements that may not be there, maps, buffers that are exchanged.
#![deny(warnings, unused, missing_docs, clippy::all)]

use cotangent::differentiate;
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

#[differentiate]
fn reduced(x: &[f64]) -> f64 {
    let mut stack = x.to_vec();
    let mut product = 1.0;
    while let Some(v) = stack.pop() {
        product *= v;
        if stack.len() == 2 {
            stack.truncate(1);
        }
    }
    product
}

#[differentiate]
fn at(x: &[f64], i: usize) -> f64 {
    x.get(i).copied().unwrap_or(0.0) * x.first().unwrap()
}

#[differentiate]
fn weighted(weights: &BTreeMap<usize, f64>, x: f64) -> f64 {
    let mut sum = weights.get(&0).copied().unwrap_or(x);
    for (power, weight) in weights {
        sum += weight * x.powi(*power as i32);
    }
    sum
}

#[differentiate]
fn smoothed(x: &[f64], steps: usize) -> Vec<f64> {
    let mut now = x.to_vec();
    let mut next = vec![0.0; x.len()];
    for _ in 0..steps {
        for i in 1..now.len() {
            next[i] = 0.5 * (now[i - 1] + now[i]);
        }
        std::mem::swap(&mut now, &mut next);
    }
    now
}

#[differentiate]
fn queued(x: f64, n: usize) -> f64 {
    let mut queue = VecDeque::new();
    queue.push_back(x);
    for _ in 0..n {
        if let Some(front) = queue.pop_front() {
            queue.push_back(front * x);
            queue.push_front(x);
        }
    }
    queue.pop_back().unwrap_or(0.0)
}

#[differentiate]
fn shared(x: f64) -> f64 {
    let a = Rc::new(RefCell::new(x));
    let b = Rc::clone(&a);
    *a.borrow_mut() *= x;
    let y = *b.borrow();
    y * x
}

#[differentiate]
fn cubes(x: [f64; 3]) -> f64 {
    let [a, b, c] = x.map(|v| v * v * v);
    a + b + c
}

fn main() {
    assert_eq!(reduced::gradient(&[2.0, 3.0, 5.0]), [5.0, 0.0, 2.0]);
    assert_eq!(at::gradient(&[2.0, 3.0], 1), [3.0, 2.0]);
    let weights = BTreeMap::from([(0, 1.0), (2, 3.0)]);
    assert_eq!(weighted::gradient(&weights, 2.0).1, 12.0);
    assert_eq!(smoothed::jvp(&[1.0, 3.0], &[1.0, 0.0], 1).1, [0.0, 0.5]);
    assert_eq!(queued::gradient(2.0, 1), 4.0);
    assert_eq!(shared::gradient(2.0), 12.0);
    assert_eq!(cubes::gradient([1.0, 2.0, 3.0]), [3.0, 12.0, 27.0]);
}
