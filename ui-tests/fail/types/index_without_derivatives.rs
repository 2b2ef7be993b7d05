use cotangent::{Differentiable, differentiate};
use std::ops::{Deref, Index};

#[derive(Clone, Differentiable)]
struct Vector([f64; 3]);

impl Index<usize> for Vector {
    type Output = f64;

    fn index(&self, i: usize) -> &f64 {
        &self.0[i]
    }
}

#[derive(Clone, Differentiable)]
struct Angle(f64);

impl Deref for Angle {
    type Target = f64;

    fn deref(&self) -> &f64 {
        &self.0
    }
}

#[differentiate(reverse)]
fn second(v: &Vector, i: usize) -> f64 {
    v[i] * 2.0
}

#[differentiate(reverse)]
fn squared(a: Angle) -> f64 {
    let x = *a;
    x * x
}

fn main() {
    let _ = second(&Vector([1.0, 2.0, 3.0]), 1) + squared(Angle(2.0));
}
