//! Names: raw ones, shadowed ones, and ones that emitted code might want.
#![deny(warnings, unused, missing_docs)]

use cotangent::differentiate;

#[differentiate]
fn r#match(r#type: f64, x_bar: f64, x: f64, x_dot: f64) -> f64 {
    let seed = r#type * x;
    let value = seed * x_bar;
    let value = value + x_dot;
    let pullback = {
        let value = value * 2.0;
        value
    };
    pullback
}

#[differentiate]
fn gradient(gradient: f64, mut vjp: f64) -> f64 {
    vjp += 1.0;
    gradient * vjp
}

/// What the prelude offers, under other meanings.
mod hidden {
    #![allow(dead_code, non_upper_case_globals)]

    use cotangent::differentiate;

    struct Vec;
    struct Box;
    enum Option {}
    mod core {}
    mod std {}
    trait FnOnce {}
    trait Clone {}
    fn drop() {}

    #[differentiate]
    pub(super) fn square(x: f64, w: &[f64]) -> f64 {
        let mut y = x * x;
        for i in 0..w.len() {
            y = (y * w[i]).sin();
        }
        y
    }
}

fn main() {
    assert_eq!(r#match::gradient(2.0, 3.0, 5.0, 7.0), (30.0, 20.0, 12.0, 2.0));
    assert_eq!(gradient::gradient(2.0, 3.0), (4.0, 2.0));
    assert_eq!(hidden::square::gradient(2.0, &[]), (4.0, vec![]));
}
