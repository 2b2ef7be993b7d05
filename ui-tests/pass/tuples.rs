//! Tuples as parameters, locals and results; patterns of them.
#![deny(warnings, unused, missing_docs)]

use cotangent::differentiate;

#[differentiate]
fn rotated((x, y): (f64, f64), angle: f64) -> (f64, f64) {
    let (sin, cos) = angle.sin_cos();
    (x * cos - y * sin, x * sin + y * cos)
}

#[differentiate]
fn fields(p: (f64, (f64, usize)), _: f64) -> (f64,) {
    let mut q = (p.0, 1.0);
    q.1 = (p.1).0 * q.0;
    let (a, (b, _)) = (q.0, (q.1, 2));
    let n = p.1.1;
    (a * b + n as f64,)
}

fn main() {
    assert_eq!(rotated::jvp((1.0, 2.0), (1.0, 0.0), 0.0, 0.0), ((1.0, 2.0), (1.0, 0.0)));
    let (value, pullback) = fields::vjp((3.0, (5.0, 1)), 0.0);
    let ((p_bar, (q_bar, _)), unused_bar) = pullback((1.0,));
    assert_eq!((value, p_bar, q_bar, unused_bar), ((46.0,), 30.0, 9.0, 0.0));
}
