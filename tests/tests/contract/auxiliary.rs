//! Functions that return a float and something constant: `#[differentiate(aux)]`.

use cotangent::{Differentiable, differentiate};

#[differentiate(aux)]
fn loss(w: &[f64], x: &[f64], n: usize) -> (f64, Vec<f64>) {
    let mut residuals = Vec::new();
    let mut sum = 0.0;
    for i in 0..n {
        let residual = w[i] * x[i] - 1.0;
        sum += residual * residual;
        residuals.push(residual);
    }
    (sum, residuals)
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Trace {
    steps: usize,
    last: f64,
    name: String,
}

#[differentiate(aux)]
fn root(x: f64) -> (f64, Trace) {
    let mut y = x;
    let mut steps = 0;
    while (y * y - x).abs() > 1e-14 {
        y = 0.5 * (y + x / y);
        steps += 1;
        if steps > 50 {
            return (y, Trace { steps, last: y, name: String::from("late") });
        }
    }
    (y, Trace { steps, last: y, name: String::from("early") })
}

struct Scale(f64);

#[differentiate(constant(self), aux)]
impl Scale {
    fn scaled(&self, x: f64) -> (f64, usize) {
        (self.0 * x * x, 3)
    }
}

#[test]
fn what_is_constant_comes_with_the_value() {
    let (w, x) = ([2.0, 3.0], [4.0, 5.0]);
    let (value, (w_bar, x_bar)) = loss::value_and_gradient(&w, &x, 2);
    assert_eq!(value, (49.0 + 196.0, vec![7.0, 14.0]));
    assert_eq!((w_bar, x_bar), (vec![56.0, 140.0], vec![28.0, 84.0]));
    assert_eq!(loss::gradient(&w, &x, 2), loss::value_and_gradient(&w, &x, 2).1);
}

#[test]
fn it_is_of_a_type_with_a_tangent() {
    let ((value, trace), gradient) = root::value_and_gradient(2.0);
    assert_eq!((value, trace.steps > 3, &*trace.name), (trace.last, true, "early"));
    assert!((gradient - 0.5 / 2.0_f64.sqrt()).abs() < 1e-12);
}

#[test]
fn methods_have_it_too() {
    assert_eq!(Scale(2.0).scaled_value_and_gradient(3.0), ((18.0, 3), 12.0));
    assert_eq!(Scale(2.0).scaled_gradient(3.0), 12.0);
}
