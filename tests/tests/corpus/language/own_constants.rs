//! Constants that are passed by value: local variables, into which the body writes what is active.

use cotangent::{Differentiable, differentiate};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub(crate) struct Spot {
    pub x: f64,
    pub y: f64,
}

#[differentiate]
#[differentiate(constant(scratch))]
fn vector(w: f64, mut scratch: Vec<f64>) -> f64 {
    scratch[0] = w * w;
    scratch[0] * scratch[1]
}

#[differentiate]
#[differentiate(wrt(w))]
fn array(w: f64, mut p: [f64; 2]) -> f64 {
    p[1] += w;
    p[0] * p[1] * w
}

#[differentiate]
#[differentiate(wrt(w))]
fn structure(w: f64, mut p: Spot) -> f64 {
    p.x += w * w;
    p.x * p.y
}

#[differentiate]
#[differentiate(wrt(w))]
fn tuple(w: f64, mut p: (f64, f64)) -> f64 {
    p.1 *= w;
    p.0 * p.1 * p.1
}

#[differentiate]
#[differentiate(wrt(w))]
fn option(w: f64, mut p: Option<f64>) -> f64 {
    if let Some(q) = &mut p {
        *q *= w;
    }
    p.unwrap_or(0.0) * w
}

#[differentiate]
#[differentiate(wrt(w))]
fn scalar(w: f64, mut p: f64) -> f64 {
    p *= w;
    p * w
}

#[differentiate]
#[differentiate(wrt(w))]
fn bound_anew(w: f64, p: Vec<f64>) -> f64 {
    let mut q = p;
    q[0] *= w;
    q.push(w * w);
    q[0] * q[2] + q[1]
}

#[differentiate]
#[differentiate]
fn scale(w: f64, p: &mut [f64]) {
    for q in p.iter_mut() {
        *q *= w;
    }
}

#[differentiate]
#[differentiate(wrt(w))]
fn lent(w: f64, mut p: Vec<f64>) -> f64 {
    scale(w, &mut p);
    p[0] * p[1]
}

#[differentiate]
#[differentiate(wrt(w))]
fn in_a_loop(w: &[f64], mut p: [f64; 3]) -> f64 {
    for i in 0..2 {
        p[i + 1] += p[i] * w[i];
    }
    p[2]
}

checks! {
    vector at (2.0, vec![0.5, 3.0]);
    array at (2.0, [5.0, 7.0]);
    structure at (1.3, Spot { x: 1.0, y: 3.0 });
    tuple at (1.3, (0.4, 0.7));
    option at (1.3, Some(0.7)), (1.3, None);
    scalar at (1.3, 0.7);
    bound_anew at (1.3, vec![0.7, 0.2]);
    lent at (1.3, vec![0.7, 0.2]);
    in_a_loop at (&[1.3, -0.4], [0.7, 0.2, 0.1]);
}

#[test]
fn gradients() {
    assert_eq!(vector::gradient(2.0, vec![0.5, 3.0]), 12.0);
    assert_eq!(array::gradient(2.0, [5.0, 7.0]), 55.0);
    assert_eq!(structure::gradient(2.0, Spot { x: 1.0, y: 3.0 }), 12.0);
    assert_eq!(option::gradient(2.0, Some(3.0)), 12.0);
    assert_eq!(lent::gradient(2.0, vec![3.0, 5.0]), 60.0);
}
