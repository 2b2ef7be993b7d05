//! What may not be there: methods of options, places that may be missing, keys and entries of maps, arms to be written.
#![deny(warnings, unused, missing_docs)]

use cotangent::differentiate;
use std::collections::BTreeMap;

#[differentiate]
fn unwrapped(x: Option<f64>, y: Option<f64>) -> f64 {
    if x.is_none() || x.is_some_and(|value| value > 10.0) {
        return y.unwrap_or_default();
    }
    x.expect("a value") * y.as_ref().map_or(1.0, |value| value * value)
}

#[differentiate]
fn changed(x: &mut [f64], factor: f64) -> f64 {
    if let Some(first) = x.first_mut() {
        *first *= factor;
    }
    x[0] * x[0]
}

#[differentiate]
fn counted(weights: &mut BTreeMap<usize, f64>, x: f64) -> f64 {
    *weights.entry(1).or_insert(0.5) *= x;
    let mut sum = 0.0;
    for key in weights.keys() {
        sum += *key as f64 * x;
    }
    sum + weights[&1]
}

#[differentiate]
fn begun(x: f64) -> f64 {
    if x < 0.0 {
        todo!("negative numbers")
    }
    x * x
}

fn main() {
    assert_eq!(unwrapped::gradient(Some(2.0), Some(3.0)), (Some(9.0), Some(12.0)));
    assert_eq!(unwrapped::gradient(Some(11.0), Some(3.0)), (Some(0.0), Some(1.0)));
    assert_eq!(unwrapped::gradient(None, None), (None, None));
    assert_eq!(changed::gradient(&mut [2.0, 1.0], 3.0), (vec![36.0, 0.0], 24.0));
    assert_eq!(counted::gradient(&mut BTreeMap::from([(1, 2.0), (2, 1.0)]), 3.0).1, 5.0);
    assert_eq!(counted::gradient(&mut BTreeMap::new(), 3.0).1, 1.5);
    assert_eq!(begun::gradient(2.0), 4.0);
}
