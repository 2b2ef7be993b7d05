//! Macros whose arguments are lowered: assertions, output, panics and `vec!`.
#![deny(warnings, unused, missing_docs)]

use cotangent::differentiate;

#[differentiate]
fn checked(x: f64, w: &[f64], n: usize) -> f64 {
    assert!(n < w.len());
    assert!(x > 0.0, "x is {x}, n is {}", n + 1);
    assert_eq!(w.len(), 2, "{:?} and {:.*}", w, n, w[0]);
    assert_ne!(n, 7);
    debug_assert!(x.is_finite(), "{x:?}");
    if n > 5 {
        panic!("{name} of {n:>width$}", name = n + 1, width = 3);
    } else if n > 4 {
        unreachable!();
    }
    if n == 4 {
        println!("{x} {{{}}}", w[n]);
        eprint!("");
    }
    let v = vec![x, 1.0];
    v[0] * w[n]
}

fn main() {
    assert_eq!(checked::gradient(3.0, &[2.0, 5.0], 1), (5.0, vec![0.0, 3.0]));
}
