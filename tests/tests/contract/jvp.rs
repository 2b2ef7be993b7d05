//! `jvp`: each active parameter is followed by its tangent, passed as the parameter is.

use super::{at, energy};
use cotangent::differentiate;

#[test]
fn a_tangent_follows_each_active_parameter() {
    type Jvp = fn(f64, f64, &[f64], &[f64], &mut [f64; 2], &mut [f64; 2], usize) -> (f64, f64);
    let jvp: Jvp = energy::jvp;
    let (mut s, mut s_dot) = (at::S, [1.0, 2.0]);
    let (value, tangent) = jvp(at::X, 1.0, &at::W, &[0.5, 0.0, 1.0], &mut s, &mut s_dot, at::N);
    assert_eq!((value, tangent), (at::VALUE, 116.0));
    assert_eq!((s, s_dot), (at::S_AFTER, [6.0, 8.0]));
}

#[differentiate(constant(w))]
fn mixed(v: Vec<f64>, w: &[f64], p: (f64, f64), name: &str) -> f64 {
    v[0] * w[0] + p.0 * p.1 * name.len() as f64
}

#[test]
fn constants_have_no_tangent() {
    let jvp: fn(Vec<f64>, Vec<f64>, &[f64], (f64, f64), (f64, f64), &str) -> (f64, f64) =
        mixed::jvp;
    let result = jvp(vec![2.0], vec![1.0], &[3.0], (4.0, 5.0), (0.5, 0.25), "ab");
    assert_eq!(result, (46.0, 3.0 + 2.0 * (0.5 * 5.0 + 4.0 * 0.25)));
}

#[differentiate]
fn counted(n: usize) -> f64 {
    n as f64
}

#[test]
fn without_active_parameters_the_tangent_is_zero() {
    let jvp: fn(usize) -> (f64, f64) = counted::jvp;
    assert_eq!(jvp(3), (3.0, 0.0));
}

#[differentiate]
fn single(x: f32, w: &[f32; 2]) -> f32 {
    x * w[1]
}

#[test]
fn single_precision_has_single_precision_tangents() {
    let jvp: fn(f32, f32, &[f32; 2], &[f32; 2]) -> (f32, f32) = single::jvp;
    assert_eq!(jvp(2.0, 1.0, &[3.0, 5.0], &[7.0, 11.0]), (10.0, 27.0));
}

#[test]
fn the_tangent_is_linear_in_the_directions() {
    for scale in [0.0, 1.0, -2.0, 0.25] {
        let (_, tangent) = single::jvp(2.0, scale, &[3.0, 5.0], &[7.0 * scale, 11.0 * scale]);
        assert_eq!(tangent, 27.0 * scale);
    }
}
