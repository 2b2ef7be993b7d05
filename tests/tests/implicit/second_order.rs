//! Second derivatives, for which `#[differentiate]` stands beside the rule.

use super::assert_close;
use cotangent::{check, differentiate, linalg, primitive};

#[differentiate]
#[differentiate]
fn equation(anomaly: f64, mean: f64, eccentricity: f64) -> f64 {
    anomaly - eccentricity * anomaly.sin() - mean
}

#[differentiate]
#[primitive(root = equation)]
fn kepler(mean: f64, eccentricity: f64) -> f64 {
    let mut anomaly = mean;
    for _ in 0..50 {
        anomaly -= equation(anomaly, mean, eccentricity) / (1.0 - eccentricity * anomaly.cos());
    }
    anomaly
}

#[test]
fn the_second_derivative_of_keplers_equation_is_the_closed_one() {
    let (mean, eccentricity) = (0.7, 0.3);
    let (sine, cosine) = kepler(mean, eccentricity).sin_cos();
    let slope = 1.0 / (1.0 - eccentricity * cosine);
    let hessian = kepler::hessian(mean, eccentricity);
    assert_close(hessian[(0, 0)], -eccentricity * sine * slope.powi(3), 1e-13);
    assert_close(hessian[(0, 1)], hessian[(1, 0)], 1e-14);
    assert_eq!(check!(kepler(mean, eccentricity)).unwrap().orders(), 2);
}

#[differentiate]
#[differentiate]
fn residual(x: &[f64], a: &[f64], p: f64) -> Vec<f64> {
    let n = x.len();
    (0..n).map(|i| linalg::dot(&a[i * n..][..n], x) + p * x[i] * x[i] * x[i] - 1.0).collect()
}

#[primitive(root = residual)]
#[differentiate]
fn cubic(a: &[f64], p: f64) -> Vec<f64> {
    let mut x = vec![0.3, 0.2];
    for _ in 0..60 {
        let mut slope = a.to_vec();
        (0..2).for_each(|i| slope[i * 3] += 3.0 * p * x[i] * x[i]);
        let step = linalg::lu_solve(&slope, &residual(&x, a, p), 2).unwrap();
        x.iter_mut().zip(step).for_each(|(x, step)| *x -= step);
    }
    x
}

#[differentiate]
#[differentiate]
fn norm(a: &[f64], p: f64) -> f64 {
    cubic(a, p).iter().map(|x| x * x).sum()
}

#[test]
fn a_root_of_vectors_has_two_orders() {
    let a = [2.0, 0.3, -0.4, 1.5];
    assert_eq!(check!(cubic(&a, 0.8)).unwrap().orders(), 2);
    assert_eq!(check!(norm(&a, 0.8)).unwrap().orders(), 2);
}

#[differentiate]
#[differentiate]
fn step(x: f64, p: f64) -> f64 {
    (x * p).cos()
}

#[differentiate]
#[primitive(fixed_point = step)]
fn settled(p: f64) -> f64 {
    (0..400).fold(0.5, |x, _| step(x, p))
}

#[test]
fn a_fixed_point_has_two_orders() {
    assert_eq!(check!(settled(0.7)).unwrap().orders(), 2);
}

#[differentiate]
#[differentiate]
#[differentiate]
fn objective(u: f64, p: f64, q: f64) -> f64 {
    0.25 * u * u * u * u + 0.5 * p * u * u - q * u
}

/// The root of `u³ + p u = q`.
#[differentiate]
#[primitive(argmin = objective)]
fn lowest(p: f64, q: f64) -> f64 {
    let mut u = 1.0;
    for _ in 0..60 {
        u -= (u * u * u + p * u - q) / (3.0 * u * u + p);
    }
    u
}

#[test]
fn a_minimum_has_two_orders_where_its_objective_has_three() {
    let (p, q) = (0.7, 1.3);
    let u = lowest(p, q);
    let slope = 1.0 / (3.0 * u * u + p);
    let hessian = lowest::hessian(p, q);
    assert_close(hessian[(1, 1)], -6.0 * u * slope.powi(3), 1e-13);
    assert_eq!(check!(lowest(p, q)).unwrap().orders(), 2);
}

#[differentiate]
#[differentiate]
#[differentiate]
fn excess(y: f64, p: f64) -> f64 {
    y * y - p
}

#[differentiate]
#[differentiate]
#[primitive(root = excess)]
fn square_root(p: f64) -> f64 {
    p.sqrt()
}

#[differentiate]
#[differentiate]
fn slope(p: f64) -> f64 {
    square_root::gradient(p)
}

#[test]
fn a_root_has_as_many_orders_as_its_equation() {
    assert_close(slope::hessian(4.0), 0.375 / 32.0, 1e-15);
}
