//! Functions in every place where they can have derivatives.

use cotangent::{Differentiable, differentiate, primitive, zero_adjoint};

#[differentiate]
#[differentiate]
fn logistic(r: &[f64], n: usize) -> f64 {
    let mut x = 0.5;
    for i in 0..n {
        x = r[i] * x * (1.0 - x);
    }
    x
}

fn plain(x: f64) -> f64 {
    x
}

pub mod physics {
    #[derive(Clone, Differentiable)]
    pub struct Spring<T> {
        pub stiffness: T,
        pub rest: T,
    }

    #[differentiate]
    impl<T: cotangent::Float> Spring<T> {
        pub fn energy(&self, x: T) -> T {
            let d = x - self.rest;
            T::from(0.5).unwrap() * self.stiffness * d * d
        }

        #[differentiate(skip)]
        pub fn name(&self) -> &str {
            "spring"
        }

        #[differentiate(constant(rate))]
        pub fn relax(&mut self, rate: T) {
            self.rest += rate * self.stiffness;
        }
    }

    #[differentiate]
    pub trait Potential {
        fn energy(&self, x: f64) -> f64;

        fn twice(&self, x: f64) -> f64 {
            2.0 * self.energy(x)
        }
    }

    #[differentiate]
    impl Potential for Spring<f64> {
        fn energy(&self, x: f64) -> f64 {
            self.stiffness * x
        }
    }
}

struct Well;

impl Well {
    #[differentiate]
    fn depth(&self, x: f64) -> f64 {
        x * x
    }

    fn width(&self) -> f64 {
        1.0
    }
}

#[primitive(of = special::sinc, value = y, partials((x.cos() - y) / x))]
fn sinc(x: f64) -> f64;

#[zero_adjoint(constant(seed))]
fn noise(seed: &mut u64) -> f64 {
    *seed as f64
}

fn outer(x: f64) -> f64 {
    #[differentiate(wrt(x), forward)]
    fn inner(x: f64, y: f64) -> f64 {
        let mut sum = 0.0;
        while sum < y {
            for _ in 0..3 {
                sum += x;
            }
        }
        sum
    }
    inner(x, 1.0)
}
