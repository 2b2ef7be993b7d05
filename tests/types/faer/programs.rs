//! Programs: regressions, networks, densities, iterations.

use cotangent::faer::*;
use faer::Side;
use faer::prelude::*;

use crate::{a, b, definite, square, x, y, z};

corpus! {
    fn least_squares(a: &Mat<f64>, z: &Col<f64>, y: &Col<f64>) -> f64 { (a * z - y).squared_norm_l2() }
    at (&a(), &z(), &y()) => {
        let residual = a * z - y;
        (&residual * z.transpose() * 2.0, a.transpose() * &residual * 2.0, residual * -2.0)
    };

    fn ridge(a: &Mat<f64>, y: &Col<f64>, weight: f64) -> Col<f64> {
        let normal = a.transpose() * a + Mat::<f64>::identity(3, 3) * weight;
        normal.llt(Side::Lower).unwrap().solve(&(a.transpose() * y))
    }
    at (&a(), &y(), 0.4);

    fn log_density(s: &Mat<f64>, mean: &Col<f64>, z: &Col<f64>) -> f64 {
        let factor = s.llt(Side::Lower).unwrap();
        let (residual, l) = (z - mean, factor.L());
        let mut log_determinant = 0.0;
        for i in 0..residual.nrows() {
            log_determinant += l[(i, i)].ln();
        }
        -0.5 * (residual.transpose() * factor.solve(&residual)) - log_determinant
    }
    at (&definite(), &col![0.1, -0.3, 0.2], &z());

    fn power_iteration(s: &Mat<f64>, z: &Col<f64>) -> f64 {
        let mut v = z.clone();
        for _ in 0..3 {
            let w = s * &v;
            let n = w.norm_l2();
            v = w / n;
        }
        v.transpose() * (s * &v)
    }
    at (&definite(), &z());

    fn newton(s: &Mat<f64>, z: &Col<f64>, steps: usize) -> Col<f64> {
        let mut x = z.clone();
        for _ in 0..steps {
            let gradient = s * &x - z * x.squared_norm_l2();
            x -= s.partial_piv_lu().solve(&gradient) * 0.5;
        }
        x
    }
    at (&definite(), &z(), 2);
}

// With functions of places, which have first derivatives.
first_order! {
    fn perceptron(w: &Mat<f64>, v: &Mat<f64>, inputs: &Mat<f64>) -> f64 {
        let hidden = w * inputs;
        let active = Mat::from_fn(hidden.nrows(), hidden.ncols(), |i, j| hidden[(i, j)].tanh());
        (v * &active).squared_norm_l2()
    }
    at (&b(), &a(), &a());

    fn gaussian_process(x: &Col<f64>, y: &Col<f64>, length: f64, noise: f64) -> f64 {
        let kernel = Mat::from_fn(2, 2, |i, j| {
            let distance = (x[i] - x[j]) / length;
            let diagonal = if i == j { noise } else { 0.0 };
            (-0.5 * distance * distance).exp() + diagonal
        });
        y.transpose() * kernel.llt(Side::Lower).unwrap().solve(y)
    }
    at (&x(), &y(), 0.8, 0.3);
}
