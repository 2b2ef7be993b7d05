//! `fixed_point`: iterations that settle.

use super::assert_close;
use cotangent::{check, differentiate, primitive};

#[differentiate]
fn step(x: f64, p: f64) -> f64 {
    (x * p).cos()
}

#[primitive(fixed_point = step)]
fn settled(p: f64) -> f64 {
    (0..400).fold(0.5, |x, _| step(x, p))
}

#[test]
fn a_cosine_settles_where_its_closed_derivative_says() {
    let p = 0.7;
    let x = settled(p);
    let sine = (x * p).sin();
    assert_close(settled::gradient(p), -x * sine / (1.0 + p * sine), 1e-14);
    check!(settled(p)).unwrap();
}

/// One step of Jacobi's iteration.
#[differentiate]
fn jacobi(x: &[f64], a: &[f64], b: &[f64]) -> Vec<f64> {
    let n = b.len();
    let mut next = vec![0.0; n];
    for i in 0..n {
        let mut rest = b[i];
        for j in 0..n {
            if j != i {
                rest -= a[i * n + j] * x[j];
            }
        }
        next[i] = rest / a[i * n + i];
    }
    next
}

#[primitive(fixed_point = jacobi)]
fn by_jacobi(a: &[f64], b: &[f64]) -> Vec<f64> {
    (0..200).fold(vec![0.0; b.len()], |x, _| jacobi(&x, a, b))
}

#[test]
fn an_iteration_of_vectors_settles() {
    check!(by_jacobi(&[4.0, 1.0, -1.0, 3.0], &[1.0, 2.0])).unwrap();
}
