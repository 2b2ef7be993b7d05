//! Several parts of one place borrowed for one call.

use cotangent::{Differentiable, differentiate};

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Body {
    pub at: [f64; 2],
    pub mass: f64,
}

fn bodies() -> Vec<Body> {
    let body = |x, y, mass| Body { at: [x, y], mass };
    vec![body(0.1, 0.2, 1.0), body(0.5, 0.9, 2.0), body(1.5, 0.3, 3.0)]
}

#[differentiate]
#[differentiate]
fn bump(a: &mut f64, b: &mut f64) {
    *a += 2.0 * *b;
    *b *= *a;
}

#[differentiate]
#[differentiate]
fn mix(a: &mut f64, b: &f64) -> f64 {
    *a *= *b;
    *a + b
}

#[differentiate]
#[differentiate]
fn distance(a: &[f64; 2], b: &[f64; 2]) -> f64 {
    let (x, y) = (a[0] - b[0], a[1] - b[1]);
    (x * x + y * y).sqrt()
}

corpus! {
    fn halves(v: &mut [f64]) {
        let (a, b) = v.split_at_mut(1);
        bump(&mut a[0], &mut b[0]);
        bump(&mut b[1], &mut a[0]);
    }
    at (&mut [0.3, 0.4, 0.5]);

    fn halves_mixed(v: &mut [f64]) -> f64 {
        let (a, b) = v.split_at_mut(1);
        mix(&mut a[0], &b[0]) * mix(&mut b[0], &a[0])
    }
    at (&mut [0.3, 0.4, 0.5]);

    fn distances(b: &[Body]) -> f64 {
        let mut s = 0.0;
        for i in 0..b.len() {
            for j in 0..i {
                s += b[i].mass * b[j].mass / distance(&b[i].at, &b[j].at);
            }
        }
        s
    }
    at (&bodies());
}
