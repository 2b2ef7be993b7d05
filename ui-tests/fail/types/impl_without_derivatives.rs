use cotangent::{Differentiable, differentiate};

#[differentiate]
trait Potential {
    fn energy(&self, x: f64) -> f64;

    fn twice(&self, x: f64) -> f64 {
        2.0 * self.energy(x)
    }
}

#[derive(Clone, Differentiable)]
struct Spring(f64);

impl Potential for Spring {
    fn energy(&self, x: f64) -> f64 {
        self.0 * x * x
    }
}

/// Only what has derivatives in the trait is overridden.
#[differentiate]
trait Named {
    fn length(&self, x: f64) -> f64 {
        x
    }
}

impl Named for Spring {
    fn length(&self, x: f64) -> f64 {
        self.0 * x
    }
}

/// The two do not agree on what is skipped.
struct Wave(f64);

#[differentiate]
impl Named for Wave {
    #[differentiate(skip)]
    fn length(&self, x: f64) -> f64 {
        self.0 * x
    }
}

fn main() {
    let _ = Spring(1.0).twice(2.0);
}
