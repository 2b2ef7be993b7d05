use cotangent::{Differentiable, differentiate};
use std::ops::{Add, Sub};

/// Numbers by their logarithms.
#[derive(Clone, Copy, Differentiable)]
struct Log(f64);

#[differentiate]
impl Add for Log {
    type Output = Log;

    fn add(self, rhs: Log) -> Log {
        Log((self.0.exp() + rhs.0.exp()).ln())
    }
}

#[differentiate]
impl Sub<f64> for Log {
    type Output = Log;

    fn sub(self, rhs: f64) -> Log {
        let mut sum = 0.0;
        for k in 0..3 {
            sum += (self.0 * k as f64).sin() * rhs;
        }
        Log(sum)
    }
}

fn main() {
    let _ = (Log(1.0) + Log(2.0)) - 3.0;
}
