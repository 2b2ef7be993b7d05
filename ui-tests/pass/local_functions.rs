//! Functions inside function bodies, also inside differentiated ones, with items beside them.
#![deny(warnings, unused, missing_docs)]

use cotangent::differentiate;

#[differentiate]
fn outer(x: f64) -> f64 {
    const SCALE: f64 = 3.0;
    #[differentiate]
    fn inner(x: f64) -> f64 {
        SCALE * x * x
    }
    inner(x) + SCALE * x
}

fn main() {
    #[differentiate]
    fn local(x: f64) -> f64 {
        outer(x) * 2.0
    }
    assert_eq!((outer::gradient(1.0), local::gradient(1.0)), (9.0, 18.0));
}
