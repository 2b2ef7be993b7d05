//! Third order: each construct once more, with the derivatives of its second derivatives.

use cotangent::{Differentiable, Float, differentiate};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

macro_rules! third_order {
    ($($row:tt)*) => {
        $crate::rows::rows! {
            [#[cotangent::differentiate] #[cotangent::differentiate] #[cotangent::differentiate]] $($row)*
        }
    };
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Spring {
    stiffness: f64,
    rest: f64,
}

#[differentiate]
#[differentiate]
#[differentiate]
impl Spring {
    fn energy(&self, x: f64) -> f64 {
        let d = x - self.rest;
        self.stiffness * d * d * d
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) enum Shape {
    Disc(f64),
    Box { width: f64, height: f64 },
}

#[differentiate]
#[differentiate]
#[differentiate]
fn bent(x: f64, y: f64) -> f64 {
    (x * y).sin() + x * x * y
}

#[differentiate]
#[differentiate]
#[differentiate]
fn sheared(a: &mut [f64], k: f64) -> f64 {
    a[0] += k * a[1] * a[1];
    a[0] * k
}

#[differentiate]
#[differentiate]
#[differentiate]
fn generic_power<T: Float>(x: T) -> T {
    x * x * x * x.exp()
}

type Real = f64;

#[differentiate]
#[differentiate]
#[differentiate]
#[differentiate]
#[differentiate]
fn of_many_orders(x: f64, y: f64) -> f64 {
    (x * y).sin() * x
}

#[differentiate]
#[differentiate]
#[differentiate]
fn integrated<F: Fn(f64) -> f64>(f: F, a: f64, b: f64) -> f64 {
    let (mut sum, h) = (0.0, (b - a) / 2.0);
    for i in 0..2 {
        sum += h * f(a + (i as f64 + 0.5) * h);
    }
    sum
}

#[differentiate]
#[differentiate]
#[differentiate]
fn changed(f: &dyn Fn(&mut [f64], f64) -> f64, x: &mut [f64]) -> f64 {
    f(x, 0.5) * x[0]
}

third_order! {
    fn of_a_closure(x: f64, w: &[f64]) -> f64 { integrated(|t| (t * w[0]).sin() * x, w[1], x) }
    at (0.3, &[0.7, 0.2]);

    fn of_a_function(x: f64) -> f64 { integrated(generic_power, x, 1.0) * x }
    at (0.3);

    fn of_a_closure_that_changes(x: &mut [f64], k: f64) -> f64 {
        changed(
            &|x: &mut [f64], t| {
                x[0] *= t * k;
                x[0] * x[1].sin()
            },
            x,
        )
    }
    at (&mut [0.3, 0.7], 0.4);

    fn pulled_back(x: f64) -> f64 {
        let (value, pullback) = of_many_orders::vjp(x, x * x);
        let (x_bar, y_bar) = pullback(value);
        x_bar * y_bar
    }
    at (0.3);

    fn along(x: f64) -> f64 {
        let (x_bar, y_bar) = of_many_orders::hvp(x, x * x, 1.0, x);
        x_bar * y_bar
    }
    at (0.3);

    fn polynomial(x: f64) -> f64 { x * x * x * x - 2.0 * x * x }
    at (0.7) => 4.0 * x * x * x - 4.0 * x;

    fn quotient(x: f64, y: f64) -> f64 { x / y + y / (x * x + 1.0) }
    at (0.7, 1.3);

    fn elementary(x: f64, y: f64) -> f64 { x.sin() * y.exp() + (x * y).ln() + x.sqrt() * y.tanh() }
    at (0.7, 1.3);

    fn powers(x: f64, y: f64) -> f64 { x.powi(3) * y.powf(2.5) + x.powf(y) }
    at (0.7, 1.3);

    fn inverse_functions(x: f64) -> f64 { x.atan() + x.asin() * x.acos() + x.asinh() }
    at (0.4);

    fn two_arguments(x: f64, y: f64) -> f64 { x.hypot(y) * x.atan2(y) + x.mul_add(y, x * x) }
    at (0.7, 1.3);

    fn branch(x: f64, y: f64) -> f64 { if x > y { x * x * y } else { (x * y * y).sin() } }
    at (0.7, 0.4), (0.4, 0.7);

    fn largest(x: f64, y: f64) -> f64 { x.max(y).powi(3) + x.min(y).exp() + (x - y).abs().powi(3) }
    at (0.7, 0.4), (0.4, 0.7);

    fn sum_over_a_slice(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += x[i] * x[i] * x[i].sin();
        }
        sum
    }
    at (&[0.7, 0.4, -0.2]);

    fn loop_with_a_tape(x: f64, n: usize) -> f64 {
        let mut s = x;
        for _ in 0..n {
            s = (s * x).sin() + s * s;
        }
        s
    }
    at (0.4, 3);

    fn loop_until(x: f64) -> f64 {
        let mut s = x;
        while s < 2.0 {
            s = s * 1.5 + s * s * 0.1;
        }
        s
    }
    at (0.7);

    fn nested_loops(a: &[f64], n: usize) -> f64 {
        let mut total = 1.0;
        for i in 0..n {
            let mut row = 0.0;
            for j in 0..n {
                row += a[i * n + j] * a[j];
            }
            total *= row;
        }
        total
    }
    at (&[0.7, 0.4, -0.2, 1.3], 2);

    fn early_return(x: f64, y: f64) -> f64 {
        if x < y {
            return x * x * y;
        }
        let z = x.exp();
        z * y * y
    }
    at (0.7, 0.4), (0.4, 0.7);

    fn break_out(x: &[f64]) -> f64 {
        let mut product = 1.0;
        for i in 0..x.len() {
            product *= x[i];
            if product > 1.0 {
                break;
            }
        }
        product
    }
    at (&[0.7, 1.9, 1.3]);

    fn buffer(x: &[f64]) -> f64 {
        let mut buffer = vec![0.0; x.len()];
        for i in 0..x.len() {
            buffer[i] = x[i] * x[i];
        }
        for i in 1..x.len() {
            buffer[i] *= buffer[i - 1];
        }
        buffer[x.len() - 1]
    }
    at (&[0.7, 0.4, 1.3]);

    fn overwritten(x: &mut [f64], k: f64) -> f64 {
        x[0] = x[0] * x[1] * k;
        x[1] = x[0] * x[0];
        x[1] * k
    }
    at (&mut [0.7, 0.4], 1.3);

    fn swapped(x: &mut [f64], y: &mut [f64]) -> f64 {
        x.swap(0, 1);
        std::mem::swap(&mut x[0], &mut y[0]);
        x[0] * x[1] * y[0] * y[0]
    }
    at (&mut [0.7, 0.4], &mut [1.3]);

    fn fields(spring: &Spring, x: f64) -> f64 { spring.stiffness * x.powi(3) * spring.rest }
    at (&Spring { stiffness: 1.3, rest: 0.2 }, 0.7);

    fn literal(x: f64, y: f64) -> f64 {
        let spring = Spring { stiffness: x * y, rest: x };
        spring.stiffness * spring.stiffness * spring.rest
    }
    at (0.7, 0.4);

    fn method(spring: &Spring, x: f64) -> f64 { spring.energy(x * x) * x }
    at (&Spring { stiffness: 1.3, rest: 0.2 }, 0.7);

    fn call(x: f64, y: f64) -> f64 { bent(x * y, bent(y, x)) }
    at (0.7, 0.4);

    fn calls_in_a_loop(x: &[f64]) -> f64 {
        let mut s = 0.5;
        for i in 0..x.len() {
            s = bent(s, x[i]);
        }
        s
    }
    at (&[0.7, 0.4]);

    fn call_that_writes(x: f64, k: f64) -> f64 {
        let mut a = [x, x * k];
        sheared(&mut a, k) * a[0]
    }
    at (0.7, 0.4);

    fn call_of_a_generic(x: f64) -> f64 { generic_power(x * x) }
    at (0.7);

    fn closure(x: f64, y: f64) -> f64 {
        let scaled = |z: f64| z * y * x;
        scaled(x) * scaled(y)
    }
    at (0.7, 0.4);

    fn chain_of_iterators(x: &[f64], y: &[f64]) -> f64 {
        x.iter().zip(y).map(|(x, y)| x * x * y).sum::<f64>() * x.iter().product::<f64>()
    }
    at (&[0.7, 0.4], &[1.3, -0.2]);

    fn folded(x: &[f64]) -> f64 { x.iter().fold(1.0, |product, x| (product * x).sin()) }
    at (&[0.7, 0.4, 1.3]);

    fn collected(x: &[f64]) -> f64 {
        let squares: Vec<f64> = x.iter().map(|x| x * x * x).collect();
        squares[0] * squares[1]
    }
    at (&[0.7, 0.4]);

    fn variant(shape: &Shape, k: f64) -> f64 {
        match shape {
            Shape::Disc(r) => k * r * r * r,
            Shape::Box { width, height } => width * height * width * k,
        }
    }
    at (&Shape::Disc(0.7), 1.3), (&Shape::Box { width: 0.7, height: 0.4 }, 1.3);

    fn option(x: Option<f64>, y: f64) -> f64 {
        match x {
            Some(x) => x * x * y,
            None => y * y * y,
        }
    }
    at (Some(0.7), 0.4), (None, 0.4);

    fn recursive(x: f64, n: usize) -> f64 {
        if n == 0 { x * x } else { recursive(x * 0.9, n - 1) * x }
    }
    at (0.7, 3) => 5.0 * 0.9_f64.powi(9) * x.powi(4);

    fn alias(x: Real, y: Real) -> Real { (x * y).exp() / (x + 2.0) }
    at (0.7, 0.4);

    fn single_precision(x: f32) -> f32 { x * x * x.sin() }
    at (0.7);

    fn tuple(x: (f64, f64)) -> f64 { x.0 * x.0 * x.1 * x.1 }
    at ((0.7, 0.4)) => (2.0 * x.0 * x.1 * x.1, 2.0 * x.0 * x.0 * x.1);

    fn array(x: [f64; 3]) -> f64 { x[0] * x[1] * x[2] + x[0] * x[0] * x[1] }
    at ([0.7, 0.4, 1.3]);

    fn map_of_values(m: &BTreeMap<u8, f64>, x: f64) -> f64 { m[&1] * m[&2] * m[&1] * x }
    at (&BTreeMap::from([(1, 0.7), (2, 0.4)]), 1.3);

    fn of_a_vector(x: f64, n: usize) -> Vec<f64> {
        let mut powers = vec![x];
        for i in 0..n {
            powers.push(powers[i] * x);
        }
        powers
    }
    at (0.7, 3);

    fn cell(c: &RefCell<f64>, x: f64) -> f64 {
        *c.borrow_mut() *= x;
        let v = *c.borrow();
        *c.borrow_mut() = v.sin();
        let w = *c.borrow();
        v * w * x
    }
    at (&RefCell::new(1.3), 0.7);

    fn cell_by_methods(c: &Cell<f64>, x: f64) -> f64 {
        c.set(c.get() * x);
        let v = c.get();
        c.set(v.sin());
        c.get() * v * x
    }
    at (&Cell::new(1.3), 0.7);

    fn cells_in_a_slice(cells: &[Cell<f64>], x: f64) -> f64 {
        let mut product = x;
        for c in cells {
            product *= c.get();
            c.set(product);
        }
        cells[0].get() * product
    }
    at (&[Cell::new(1.3), Cell::new(0.2)][..], 0.7);
}
