//! Loops over what calls return.

// Of an option, too.
#![allow(for_loops_over_fallibles)]

use cotangent::{Differentiable, differentiate};

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Springs {
    pub stiffness: Vec<f64>,
}

#[differentiate]
#[differentiate]
impl Springs {
    fn forces(&self, x: f64) -> Vec<f64> {
        self.stiffness.iter().map(|k| k * x).collect()
    }

    fn ends(&self) -> [f64; 2] {
        [self.stiffness[0], self.stiffness[1] * self.stiffness[0]]
    }

    fn total(&self, x: f64) -> f64 {
        let mut sum = 0.0;
        for force in self.forces(x) {
            sum += force * force;
        }
        sum
    }
}

#[differentiate]
#[differentiate]
fn positive(x: f64) -> Option<f64> {
    if x > 0.0 { Some(x * x) } else { None }
}

#[differentiate]
#[differentiate]
fn pairs(x: f64, y: f64) -> Vec<(f64, f64)> {
    vec![(x, y), (x * y, y * y)]
}

corpus! {
    fn of_methods(springs: &Springs, x: f64) -> f64 {
        let mut sum = springs.total(x);
        for end in springs.ends() {
            sum += end * end * x;
        }
        for (i, force) in springs.forces(x).into_iter().enumerate() {
            sum += force * i as f64;
        }
        sum
    }
    at (&Springs { stiffness: vec![0.3, 0.7] }, 1.3);

    fn of_an_option(x: f64, y: f64) -> f64 {
        let mut sum = x;
        for square in positive(y) {
            sum += square * sum;
        }
        let other = positive(x * y);
        for square in other {
            sum *= square;
        }
        sum
    }
    at (0.7, 1.3), (0.7, -1.3), (-0.7, -1.3);

    fn of_pairs(x: f64, y: f64) -> f64 {
        let made = pairs(x, y);
        let mut sum = 0.0;
        for (a, b) in made {
            if a > 0.8 {
                break;
            }
            sum += a * b;
        }
        for (a, b) in pairs(y, x) {
            sum += a / b;
        }
        sum
    }
    at (0.7, 1.3), (0.9, 0.6);
}
