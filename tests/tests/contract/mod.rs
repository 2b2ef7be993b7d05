//! The public contract: what each function of a companion takes, returns and does.
//!
//! Signatures are checked as function pointers, so that a type that merely converts is an error.
//! Numbers are chosen so that all arithmetic is exact: results are compared with `==`.

// Signatures in full are the point.
#![allow(clippy::complexity, clippy::style, clippy::perf)]

mod accumulate;
mod activity;
mod advance;
mod auxiliary;
mod batch;
mod debug;
mod gradient;
mod jacobian;
mod jvp;
mod names;
mod outputs;
mod primitive;
mod second;
mod tangents;
mod vjp;

use cotangent::differentiate;

/// Every kind of parameter: by value, behind `&`, behind `&mut`, and an integer, which is constant.
#[differentiate]
pub(crate) fn energy(x: f64, w: &[f64], s: &mut [f64; 2], n: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..n {
        sum += w[i];
    }
    s[0] += sum * x;
    s[1] *= x;
    s[0] * s[1]
}

/// The arguments at which the children test [`energy`], and what it makes of them.
pub(crate) mod at {
    pub(crate) const X: f64 = 2.0;
    pub(crate) const W: [f64; 3] = [1.0, 3.0, 5.0];
    pub(crate) const S: [f64; 2] = [0.5, 4.0];
    pub(crate) const N: usize = 2;

    pub(crate) const VALUE: f64 = 68.0;
    pub(crate) const S_AFTER: [f64; 2] = [8.5, 8.0];
    pub(crate) const GRADIENT: (f64, [f64; 3], [f64; 2]) = (66.0, [16.0, 16.0, 0.0], [8.0, 17.0]);
}

#[test]
fn the_function_itself_is_left_as_it_is() {
    let function: fn(f64, &[f64], &mut [f64; 2], usize) -> f64 = energy;
    let mut s = at::S;
    assert_eq!(function(at::X, &at::W, &mut s, at::N), at::VALUE);
    assert_eq!(s, at::S_AFTER);
}
