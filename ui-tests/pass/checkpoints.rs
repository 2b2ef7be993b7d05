//! Attributes on loops are taken away, also in methods, traits and nested functions.
#![deny(warnings)]

use cotangent::differentiate;

#[derive(Clone, cotangent::Differentiable)]
pub struct Decay {
    rate: f64,
}

#[differentiate]
impl Decay {
    pub fn after(&self, x: f64, steps: usize) -> f64 {
        let mut x = x;
        #[checkpoint(every = 10)]
        for _ in 0..steps {
            x -= self.rate * x.sin();
        }
        x
    }
}

#[differentiate]
pub trait Relax {
    fn rate(&self, x: f64) -> f64;

    fn rest(&self, x: f64) -> f64 {
        let mut x = x;
        #[checkpoint]
        while x > 1.0 {
            x -= self.rate(x) * x;
        }
        x
    }
}

#[differentiate]
impl Relax for Decay {
    fn rate(&self, x: f64) -> f64 {
        self.rate * x.sin().abs()
    }
}

fn main() {
    #[differentiate]
    fn inner(x: f64, steps: usize) -> f64 {
        let mut x = x;
        #[cotangent::checkpoint(snapshots = 3)]
        for _ in 0..steps {
            x = x.sin();
        }
        x
    }
    let decay = Decay { rate: 0.1 };
    let _ = (decay.after_gradient(2.0, 35), decay.rest_gradient(2.5), inner::gradient(1.0, 20));
    assert_eq!(decay.after(2.0, 35), decay.after_value_and_gradient(2.0, 35).0);
}
