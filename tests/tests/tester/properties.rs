//! `check!` inside of a property test: the strategy draws the point, and makes a failing one smaller.

use cotangent::{check, differentiate};
use proptest::collection::vec;
use proptest::prelude::*;

#[differentiate]
fn logistic(x: &[f64], w: &[f64], b: f64) -> f64 {
    let mut z = b;
    for i in 0..x.len() {
        z += w[i] * x[i];
    }
    1.0 / (1.0 + (-z).exp())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..Default::default() })]

    #[test]
    fn at_any_point((x, w) in (0..5_usize).prop_flat_map(|n| (vec(-2.0..2.0, n), vec(-2.0..2.0, n))), b in -1.0..1.0) {
        check!(logistic(&x, &w, b))?;
    }
}
