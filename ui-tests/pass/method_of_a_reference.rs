//! A trait of the user's for references to floats, which does not reach methods that are called on floats.
#![deny(warnings)]

use cotangent::differentiate;

trait Activation {
    fn tanh(self) -> f64;
    fn relu(&self) -> f64;
}

#[differentiate]
fn relu(x: f64) -> f64 {
    x.max(0.0)
}

impl Activation for &f64 {
    fn tanh(self) -> f64 {
        2.0 * *self
    }

    fn relu(&self) -> f64 {
        relu(**self)
    }
}

#[differentiate]
fn activated(values: &[f64], k: f64) -> f64 {
    let mut sum = 0.0;
    for &value in values {
        let scaled = k * value;
        sum += scaled.tanh() + value.tanh() + values[0].tanh() + relu(value);
    }
    for value in values {
        sum += f64::tanh(*value) * value.sqrt();
    }
    sum
}

fn main() {
    assert!(activated::gradient(&[1.0, 2.0], 0.5).1 > 0.0);
    assert!((&1.5_f64).tanh() + (&1.0).relu() > 3.0);
}
