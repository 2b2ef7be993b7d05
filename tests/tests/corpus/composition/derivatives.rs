//! Derivatives of the contract that are called in bodies: `vjp` with its pullback, `accumulate_gradient`, `hvp`,
//! `jacobian`, `hessian` and `value_gradient_and_hessian`. What is called has as many orders more as it is a
//! derivative of.

use cotangent::{Differentiable, Float, differentiate};

#[differentiate]
#[differentiate]
#[differentiate]
#[differentiate]
fn chain(k: f64, x: &[f64], n: usize) -> f64 {
    let mut sum = 0.0;
    for i in 1..n {
        sum += (x[i - 1] * x[i - 1] * x[i] * k).sin();
    }
    sum
}

#[differentiate]
#[differentiate]
#[differentiate]
#[differentiate]
fn form(x: f64, y: f64) -> f64 {
    x * x * y + 3.0 * x * y * y
}

#[differentiate]
#[differentiate]
#[differentiate]
#[differentiate]
fn changing(x: Vec<f64>, s: &mut [f64; 2]) -> f64 {
    s[0] *= x[0];
    s[1] += x[1].exp();
    s[0] * s[1] * x[0] * x[1]
}

#[differentiate]
#[differentiate]
#[differentiate]
fn several(k: f64, x: &[f64], names: &[&str], v: Vec<f64>) -> [f64; 2] {
    let mut sum = 0.0;
    for i in 0..names.len() {
        sum += (x[i] * x[i] * k).sin();
    }
    [sum * v[0], sum * v[1] * k * k]
}

#[differentiate]
#[differentiate]
#[differentiate]
fn of_a_slice(x: &[f64], n: usize) -> [f64; 2] {
    let mut sum = 0.0;
    for i in 1..n {
        sum += (x[i - 1] * x[i - 1] * x[i]).sin();
    }
    [sum * x[0], sum * x[1]]
}

#[differentiate]
#[differentiate]
#[differentiate]
fn of_an_array(x: [f64; 2]) -> Vec<f64> {
    vec![x[0].sin() * x[1], x[1] * x[1], x[0] * x[1]]
}

#[differentiate]
#[differentiate]
#[differentiate]
#[differentiate]
fn of_one(x: f64) -> f64 {
    x.sin() * x
}

#[differentiate]
#[differentiate]
#[differentiate]
#[differentiate]
fn generic<T: Float>(x: &[T], y: T) -> T {
    x[0] * x[1].sin() * y * y
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Spring {
    stiffness: f64,
    rest: f64,
}

#[differentiate]
#[differentiate]
#[differentiate]
#[differentiate]
impl Spring {
    fn energy(&self, x: f64) -> f64 {
        self.stiffness * (x - self.rest).sin() * x
    }

    fn forces(&self) -> [f64; 2] {
        [self.stiffness * self.rest, self.stiffness.sin()]
    }
}

#[differentiate]
#[differentiate]
#[differentiate]
#[differentiate]
trait Area {
    fn area(&self, x: f64) -> f64;
}

#[differentiate]
#[differentiate]
#[differentiate]
#[differentiate]
impl Area for Spring {
    fn area(&self, x: f64) -> f64 {
        self.stiffness * self.rest * x.sin()
    }
}

type Real = f64;

#[differentiate]
#[differentiate]
#[differentiate]
#[differentiate]
fn of_an_alias(x: Real) -> Real {
    x.sin() * x
}

corpus! {
    fn pulled_back(k: f64, x: &[f64]) -> f64 {
        let v = vec![k, x[0]];
        let mut x_bar = vec![k, x[1], x[0]];
        let (y, pullback) = several::vjp(k * k, x, &["a", "b", "c"], v);
        let (k_bar, v_bar) = pullback(x, &mut x_bar, &["a", "b", "c"], [y[1], y[0] * x[2]]);
        k_bar * v_bar[0] + v_bar[1] * x_bar[0] + x_bar[1] * x_bar[2]
    }
    at (0.3, &[0.7, 0.4, 1.1]);

    fn pulled_back_by_value(x: f64, y: f64) -> f64 {
        let (value, pullback) = form::vjp(x, y);
        let (x_bar, y_bar) = pullback(value * x);
        x_bar * y_bar
    }
    at (0.3, 0.7), (-0.4, 1.1);

    fn pulled_back_in_a_loop(k: f64, x: &[f64], x_bar: &mut [f64]) -> f64 {
        let mut sum = k;
        for i in 0..2 {
            let (y, pullback) = chain::vjp(sum, x, 3);
            if y > 0.05 {
                sum += pullback(x, x_bar, y * x[i]);
            }
        }
        sum
    }
    at (0.3, &[0.7, 0.4, 1.1], &mut [0.1, 0.2, 0.3]), (0.01, &[0.7, 0.4, 1.1], &mut [0.1, 0.2, 0.3]);

    fn pulled_back_twice(x: f64) -> f64 {
        let (y, pullback) = form::vjp(x, x * x);
        let (x_bar, _) = pullback(y);
        let (z, pullback) = of_one::vjp(x_bar);
        z * pullback(y)
    }
    at (0.3);

    fn pulled_back_by_a_method(spring: &Spring, x: f64) -> f64 {
        let (y, pullback) = spring.energy_vjp(x);
        let mut spring_bar = spring.zero_tangent();
        let x_bar = pullback(spring, &mut spring_bar, y * x);
        x_bar * spring_bar.stiffness + spring_bar.rest
    }
    at (&Spring { stiffness: 0.4, rest: 0.3 }, 0.7);

    fn pulled_back_by_path(spring: &Spring, x: f64) -> f64 {
        let (_, pullback) = Spring::energy_vjp(spring, x);
        let mut spring_bar = SpringTangent { stiffness: x, rest: 0.0 };
        let x_bar = pullback(spring, &mut spring_bar, x);
        x_bar * spring_bar.stiffness + spring_bar.rest
    }
    at (&Spring { stiffness: 0.4, rest: 0.3 }, 0.7);

    fn only_the_value(x: f64) -> f64 {
        let (y, pullback) = of_one::vjp(x);
        y * x
    }
    at (0.3);

    fn accumulated(k: f64, x: &[f64]) -> f64 {
        let mut x_bar = vec![k, x[0], x[1]];
        let (value, k_bar) = chain::accumulate_gradient(k, x, &mut x_bar, 3);
        value * k_bar * x_bar[0] * x_bar[1] + x_bar[2]
    }
    at (0.3, &[0.7, 0.4, 1.1]);

    fn accumulated_twice(k: f64, x: &[f64], x_bar: &mut [f64]) -> f64 {
        x_bar[0] *= k;
        let (value, k_bar) = chain::accumulate_gradient(k, x, x_bar, 3);
        let (again, other_bar) = chain::accumulate_gradient(k * k_bar, x, x_bar, 2);
        value * k_bar * x_bar[0] * x_bar[1] + x_bar[2] * again * other_bar
    }
    at (0.3, &[0.7, 0.4, 1.1], &mut [0.2, 0.3, 0.4]);

    fn accumulated_with_a_place(x: f64, s: &mut [f64; 2]) -> f64 {
        let mut s_bar = [x, x * x];
        let (value, x_bar) = changing::accumulate_gradient(vec![x, x.sin()], s, &mut s_bar);
        value * x_bar[0] * x_bar[1] + s_bar[0] * s_bar[1] + s[0]
    }
    at (0.3, &mut [0.7, 0.4]);

    fn along(x: f64, y: f64) -> f64 {
        let (x_bar, y_bar) = form::hvp(x, y, y, x * x);
        x_bar * y_bar
    }
    at (0.3, 0.7);

    fn along_a_slice(k: f64, x: &[f64]) -> f64 {
        let direction = vec![k * x[0], x[1], x[0] * x[2]];
        let (k_bar, x_bar) = chain::hvp(k, k * k, x, &direction, 3);
        k_bar * x_bar[0] + x_bar[1] * x_bar[2]
    }
    at (0.3, &[0.7, 0.4, 1.1]);

    fn along_a_place(x: f64, s: &mut [f64; 2]) -> f64 {
        let mut direction = [x, x * x];
        let (x_bar, s_bar) = changing::hvp(vec![x, x.sin()], vec![x * x, 1.0], s, &mut direction);
        x_bar[0] * s_bar[0] + x_bar[1] * s_bar[1] + s[0]
    }
    at (0.3, &mut [0.7, 0.4]);

    fn columns(x: &[f64], k: f64) -> f64 {
        let m = of_a_slice::jacobian(x, 3);
        let mut sum = k;
        for i in 0..2 {
            for j in 0..3 {
                sum += m[(i, j)] * m[(i, 1)] * k;
            }
        }
        sum
    }
    at (&[0.7, 0.4, 1.1], 0.3);

    fn columns_of_an_array(x: f64) -> f64 {
        let mut m = of_an_array::jacobian([x, x * x]);
        m[(0, 0)] += x;
        m[(0, 0)] * m[(0, 1)] + m[(1, 1)] * m[(2, 0)] * m[(2, 1)]
    }
    at (0.3);

    fn second_derivatives(x: &[f64], k: f64) -> f64 {
        let m = chain::hessian(k, x, 3);
        let mut sum = k;
        for i in 0..4 {
            for j in 0..4 {
                sum += m[(i, j)] * m[(i, 1)] * k;
            }
        }
        sum
    }
    at (&[0.7, 0.4, 1.1], 0.3);

    fn second_derivative(x: f64) -> f64 {
        of_one::hessian(x * x) * x
    }
    at (0.3), (-1.2);

    fn second_derivatives_by_a_place(s: &mut [f64; 2], x: f64) -> f64 {
        let m = changing::hessian(vec![x * x, x], s);
        m[(0, 1)] * m[(0, 2)] * m[(2, 3)] + s[0]
    }
    at (&mut [0.3, 0.4], 0.7);

    fn all_three(x: &[f64], k: f64) -> f64 {
        let (value, (k_bar, x_bar), m) = chain::value_gradient_and_hessian(k, x, 3);
        let mut sum = value * k_bar;
        for i in 0..3 {
            sum += m[(i, 3)] * x_bar[i];
        }
        sum
    }
    at (&[0.7, 0.4, 1.1], 0.3);

    fn of_methods(spring: &Spring, x: f64) -> f64 {
        let (value, (spring_bar, x_bar), m) = spring.energy_value_gradient_and_hessian(x);
        let direction = SpringTangent { stiffness: x, rest: value };
        let (along, by_x) = spring.energy_hvp(&direction, x, value);
        let forces = spring.forces_jacobian();
        value * spring_bar.rest * x_bar * m[(0, 1)] * along.stiffness * along.rest
            + by_x * forces[(0, 1)]
    }
    at (&Spring { stiffness: 0.7, rest: 0.3 }, 0.4);

    fn of_a_trait(spring: &Spring, x: f64) -> f64 {
        let mut bar = spring.zero_tangent();
        let (y, x_bar) = spring.area_accumulate_gradient(&mut bar, x);
        let (_, pullback) = spring.area_vjp(x);
        let (value, _, m) = spring.area_value_gradient_and_hessian(x);
        y * x_bar * bar.rest * pullback(spring, &mut bar, y) * value * m[(0, 1)]
    }
    at (&Spring { stiffness: 0.7, rest: 0.3 }, 0.4);

    fn of_generic(x: &[f64], y: f64) -> f64 {
        let m = generic::hessian(x, y);
        let mut x_bar = x.zero_tangent();
        let (_, pullback) = generic::vjp(x, y);
        let y_bar = pullback(x, &mut x_bar, m[(0, 1)]);
        m[(1, 2)] * m[(2, 2)] * y_bar * x_bar[0]
    }
    at (&[0.7, 0.4], 0.3);

    fn of_alias(x: f64) -> f64 {
        let (y, pullback) = of_an_alias::vjp(x);
        of_an_alias::hvp(x, x) * pullback(y)
    }
    at (0.3);
}
