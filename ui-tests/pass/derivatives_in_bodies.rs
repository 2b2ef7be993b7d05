#![deny(warnings)]

use cotangent::{Differentiable, differentiate};

#[derive(Clone, Debug, Differentiable)]
pub struct Spring {
    stiffness: f64,
    rest: f64,
}

#[differentiate]
#[differentiate]
#[differentiate]
impl Spring {
    /// Its energy.
    pub fn energy(&self, x: f64) -> f64 {
        self.stiffness * (x - self.rest) * (x - self.rest)
    }
}

#[differentiate]
#[differentiate]
#[differentiate]
fn form(x: &[f64], k: f64) -> f64 {
    x[0] * x[1] * k
}

#[differentiate]
#[differentiate]
fn map(x: [f64; 2]) -> [f64; 2] {
    [x[0] * x[1], x[0]]
}

#[differentiate]
fn all(spring: &Spring, x: &[f64], y: f64) -> f64 {
    let mut spring_bar = spring.zero_tangent();
    let (energy, pullback) = spring.energy_vjp(y);
    let y_bar = pullback(spring, &mut spring_bar, energy);
    let mut x_bar = x.zero_tangent();
    let (value, k_bar) = form::accumulate_gradient(x, &mut x_bar, y_bar);
    let (along, _) = form::hvp(x, &x_bar, y, k_bar);
    let (by_x, by_y) = (form::hessian(x, y), map::jacobian([y, value]));
    let (_, _, m) = form::value_gradient_and_hessian(&along, y);
    by_x[(0, 1)] * by_y[(0, 0)] * m[(0, 2)] * spring_bar.rest
}

#[differentiate]
#[differentiate]
fn twice<F: Fn(f64) -> f64>(f: F, x: f64) -> f64 {
    f(f(x))
}

#[differentiate]
#[differentiate]
fn of_a_closure(x: f64, w: &[f64]) -> f64 {
    twice(|t| t * w[0] * x, x) + twice(f64::sin, x)
}

fn main() {
    let spring = Spring { stiffness: 2.0, rest: 0.5 };
    cotangent::check!(all(&spring, &[0.3, 0.7], 0.4)).unwrap();
    cotangent::check!(of_a_closure(0.3, &[0.7])).unwrap();
}
