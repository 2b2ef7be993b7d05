//! Programs: regressions, networks, iterations, kernels.

use cotangent::Differentiable;
use cotangent::ndarray::*;
use ndarray::{Array1, Array2, array};

use crate::{a, b, x, y, z};

corpus! {
    fn least_squares(a: &Array2<f64>, z: &Array1<f64>, y: &Array1<f64>) -> f64 {
        let residual = a.dot(z) - y;
        residual.dot(&residual) / residual.len() as f64
    }
    at (&a(), &z(), &y());

    fn perceptron(w: &Array2<f64>, bias: &Array1<f64>, v: &Array1<f64>, z: &Array1<f64>) -> f64 {
        let hidden = (w.dot(z) + bias).tanh();
        let out = hidden.dot(v);
        1.0 / (1.0 + (-out).exp())
    }
    at (&a(), &x(), &y(), &z());

    fn batch(w: &Array2<f64>, inputs: &Array2<f64>, bias: &Array2<f64>) -> f64 {
        let hidden = (inputs.dot(&w.t()) + bias).tanh();
        (&hidden * &hidden).sum() / 2.0
    }
    at (&a(), &b(), &array![[0.1, -0.3]]);

    fn softmax(x: &Array1<f64>) -> Array1<f64> {
        let weights = x.exp();
        let total = weights.sum();
        weights / total
    }
    at (&z());

    fn of_a_struct(layer: &super::Layer, z: &Array1<f64>) -> Array1<f64> { (layer.weights.dot(z) + &layer.bias).sin() }
    at (&super::Layer { weights: a(), bias: y() }, &z());

    fn heat(u: &Array1<f64>, rate: f64, steps: usize) -> f64 {
        let mut u = u.clone();
        for _ in 0..steps {
            let mut next = u.clone();
            for i in 1..u.len() - 1 {
                next[i] = u[i] + rate * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
            }
            u = next;
        }
        u.dot(&u)
    }
    at (&array![0.3, 0.5, -0.2, 0.7], 0.2, 3);

    fn power_iteration(a: &Array2<f64>, x: &Array1<f64>) -> f64 {
        let mut v = x.clone();
        for _ in 0..3 {
            let w = a.dot(&v);
            let n = w.dot(&w).sqrt();
            v = w / n;
        }
        v.dot(&a.dot(&v))
    }
    at (&array![[2.0, 0.3], [0.3, 1.0]], &x());
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Layer {
    weights: Array2<f64>,
    bias: Array1<f64>,
}
