//! The arguments of the attribute, and other attributes beside it.
#![deny(warnings, unused, missing_docs)]

use cotangent::differentiate;

#[differentiate(constant(w, scale))]
fn constant(x: f64, w: &[f64], scale: f64) -> f64 {
    x * w[0] * scale
}

#[differentiate(wrt(x,))]
fn active(x: f64, w: &[f64], scale: f64) -> f64 {
    x * w[0] * scale
}

#[differentiate(forward)]
fn tangents(x: f64) -> f64 {
    x * x
}

#[differentiate(reverse, companion = cotangents)]
fn pulled(x: f64) -> f64 {
    x * x
}

#[differentiate()]
fn both(x: f64) -> f64 {
    x * x
}

#[cotangent::differentiate]
#[inline(never)]
#[must_use = "it is only a number"]
#[track_caller]
#[cfg(not(any()))]
/// Documented behind the attribute.
fn decorated(#[allow(unused)] x: f64, #[warn(unused)] y: f64) -> f64 {
    #![allow(clippy::let_and_return)]
    #[allow(unused)]
    let unused = 1.0;
    let z = y * y;
    z
}

#[cfg(any())]
#[differentiate]
fn absent(x: f64) -> Missing {
    x
}

fn main() {
    assert_eq!(constant::gradient(1.0, &[2.0], 3.0), active::gradient(1.0, &[2.0], 3.0));
    assert_eq!((tangents::jvp(3.0, 1.0), cotangents::gradient(3.0), both::gradient(3.0)), ((9.0, 6.0), 6.0, 6.0));
    assert_eq!((pulled(3.0), decorated::gradient(1.0, 2.0)), (9.0, (0.0, 4.0)));
}
