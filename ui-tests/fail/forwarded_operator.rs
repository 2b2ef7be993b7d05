use cotangent::{Differentiable, differentiate};
use std::ops::{Neg, Sub};

#[derive(Clone, Copy, Differentiable)]
struct Pair(f64, f64);

#[differentiate]
impl Sub for Pair {
    type Output = Pair;

    fn sub(self, other: Pair) -> Pair {
        Pair(self.0 - other.0, self.1 - other.1)
    }
}

#[differentiate]
impl Sub<&Pair> for &Pair {
    type Output = Pair;

    fn sub(self, rhs: &Pair) -> Pair {
        *self - *rhs
    }
}

#[differentiate]
impl Neg for &Pair {
    type Output = Pair;

    fn neg(self) -> Pair {
        (*self).neg()
    }
}

impl Neg for Pair {
    type Output = Pair;

    fn neg(self) -> Pair {
        Pair(-self.0, -self.1)
    }
}

fn main() {
    let a = Pair(1.0, 2.0);
    let _ = -&(&a - &a);
}
