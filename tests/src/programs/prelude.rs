//! What generated programs call: a few differentiated functions and a struct.
//!
//! Invariant: results and what is written are bounded, whatever the arguments are, so that programs stay
//! finite however often they call.

#![allow(clippy::needless_range_loop, reason = "loops of all kinds are wanted here")]

use cotangent::{Differentiable, differentiate};

/// A struct with a float, a tuple, an array and an integer.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct State {
    /// A float.
    pub level: f64,
    /// A tuple.
    pub pair: (f64, f64),
    /// An array.
    pub slope: [f64; 3],
    /// An integer, which has no tangent.
    pub steps: usize,
}

/// An enum with named parts, one without a name, and none.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub enum Shape {
    /// Two named parts.
    Wide {
        /// A float.
        width: f64,
        /// A float.
        height: f64,
    },
    /// A part without a name.
    Round(f64),
    /// Nothing.
    Flat,
}

/// One float to one.
#[differentiate]
#[differentiate]
#[must_use]
pub fn wave(x: f64) -> f64 {
    (x * 1.5 + 0.2).sin()
}

/// Calls a function several times.
#[differentiate]
#[differentiate]
#[must_use]
pub fn integrate(f: impl Fn(f64) -> f64, from: f64, to: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..3 {
        sum += f(from + (to - from) * (i as f64 / 3.0));
    }
    sum.tanh()
}

/// Calls a function with what it returns.
#[differentiate]
#[differentiate]
#[must_use]
pub fn compose<F: Fn(f64, f64) -> f64>(f: &F, a: f64, b: f64) -> f64 {
    f(f(a, b).sin(), a).atan()
}

/// Changes a slice by a function.
#[differentiate]
#[differentiate]
pub fn apply(x: &mut [f64], f: impl Fn(f64) -> f64) -> f64 {
    let mut last = 0.3;
    for v in x.iter_mut() {
        *v = f(*v + last).sin();
        last = *v;
    }
    last
}

/// Two floats to one.
#[differentiate]
#[differentiate]
#[must_use]
pub fn mix(a: f64, b: f64) -> f64 {
    (a * b + a).tanh() + b.sin() * 0.5
}

/// Two floats to two.
#[differentiate]
#[differentiate]
#[must_use]
pub fn split(a: f64, b: f64) -> (f64, f64) {
    ((a * b).tanh(), (a - b).sin())
}

/// A tuple to a tuple.
#[differentiate]
#[differentiate]
#[must_use]
pub fn turn(p: (f64, f64), by: f64) -> (f64, f64) {
    ((p.0 * by - p.1).sin(), (p.1 * by + p.0).atan())
}

/// An array to an array.
#[differentiate]
#[differentiate]
#[must_use]
pub fn step(s: [f64; 3], h: f64) -> [f64; 3] {
    let t = s[0] * s[2];
    [(s[0] + h * s[1]).sin(), (s[1] - h * t).tanh(), (s[2] * h).cos()]
}

/// Reads a slice.
#[differentiate]
#[differentiate]
#[must_use]
pub fn norm(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += x[i] * x[i];
    }
    ((0.25 + s) / (1.0 + s)).sqrt() + s / (2.0 + s)
}

/// Reads two slices, which may be the same.
#[differentiate]
#[differentiate]
#[must_use]
pub fn dot(x: &[f64], y: &[f64]) -> f64 {
    let mut s = 0.0;
    for (i, v) in x.iter().enumerate() {
        s += v * y[i % y.len()];
    }
    s.tanh()
}

/// Reads two slices, of which one is constant.
#[differentiate(constant(w))]
#[differentiate]
#[must_use]
pub fn weighted(x: &[f64], w: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += x[i] * w[i % w.len()];
    }
    s.sin()
}

/// Changes a slice.
#[differentiate]
#[differentiate]
pub fn scale(x: &mut [f64], by: f64) -> f64 {
    let mut s = 0.0;
    for v in x.iter_mut() {
        *v = (*v * by).sin();
        s += *v;
    }
    s.atan()
}

/// Changes a slice with another.
#[differentiate]
#[differentiate]
pub fn blend(x: &mut [f64], y: &[f64], by: f64) {
    for i in 0..x.len() {
        x[i] = (x[i] * by + y[i % y.len()]).tanh();
    }
}

/// Changes a float.
#[differentiate]
#[differentiate]
pub fn bump(x: &mut f64, by: f64) -> f64 {
    let old = *x;
    *x = (*x * by + 0.1).cos();
    (old * *x).sin()
}

/// Changes two floats.
#[differentiate]
#[differentiate]
pub fn exchange(a: &mut f64, b: &mut f64) {
    let t = a.sin();
    *a = *b;
    *b = t;
}

/// Reads a struct.
#[differentiate]
#[differentiate]
#[must_use]
pub fn energy(s: &State) -> f64 {
    (s.level * s.slope[s.steps % 3] + s.pair.0).sin() + s.pair.1.tanh()
}

/// Changes a struct.
#[differentiate]
#[differentiate]
pub fn advance(s: &mut State, h: f64) -> f64 {
    let old = s.level;
    s.level = (s.level + h * s.slope[0]).sin();
    s.pair = ((s.pair.1 - old).sin(), s.pair.0);
    s.slope[s.steps % 3] = (s.slope[1] * s.level).cos();
    (old * s.pair.0).tanh()
}

/// Returns a vector.
#[differentiate]
#[differentiate]
#[must_use]
pub fn spread(x: &[f64], n: usize) -> Vec<f64> {
    let mut v = vec![0.5, x[0].sin()];
    for i in 0..n {
        v.push((x[i % x.len()] * v[i]).cos());
    }
    v
}
