//! `vjp` and `jvp` for outputs of every type: tuples, arrays, vectors and the unit.

use cotangent::{NoTangent, differentiate};

#[differentiate]
fn polar(r: f64, turns: f64) -> (f64, f64) {
    (r * turns, r * r)
}

#[test]
fn a_tuple() {
    let (value, pullback) = polar::vjp(2.0, 3.0);
    assert_eq!(value, (6.0, 4.0));
    let bars: (f64, f64) = pullback((10.0, 100.0));
    assert_eq!(bars, (430.0, 20.0));
    let jvp: fn(f64, f64, f64, f64) -> ((f64, f64), (f64, f64)) = polar::jvp;
    assert_eq!(jvp(2.0, 1.0, 3.0, 10.0), ((6.0, 4.0), (23.0, 4.0)));
}

#[differentiate]
fn powers(x: f64) -> [f64; 3] {
    [x, x * x, x * x * x]
}

#[test]
fn an_array() {
    let (value, pullback) = powers::vjp(2.0);
    assert_eq!(value, [2.0, 4.0, 8.0]);
    let x_bar: f64 = pullback([100.0, 10.0, 1.0]);
    assert_eq!(x_bar, 152.0);
    let jvp: fn(f64, f64) -> ([f64; 3], [f64; 3]) = powers::jvp;
    assert_eq!(jvp(2.0, 1.0), ([2.0, 4.0, 8.0], [1.0, 4.0, 12.0]));
}

#[differentiate]
fn squares(x: &[f64]) -> Vec<f64> {
    let mut out = Vec::new();
    for i in 0..x.len() {
        out.push(x[i] * x[i]);
    }
    out
}

#[test]
fn a_vector() {
    let (value, pullback) = squares::vjp(&[2.0, 3.0]);
    assert_eq!(value, [4.0, 9.0]);
    let mut x_bar = [1.0, 1.0];
    let () = pullback(&[2.0, 3.0], &mut x_bar, vec![10.0, 100.0]);
    assert_eq!(x_bar, [41.0, 601.0]);
    let jvp: fn(&[f64], &[f64]) -> (Vec<f64>, Vec<f64>) = squares::jvp;
    assert_eq!(jvp(&[2.0, 3.0], &[1.0, 10.0]), (vec![4.0, 9.0], vec![4.0, 60.0]));
}

#[differentiate]
fn step(x: &mut [f64], h: f64) {
    x[0] += h * x[1];
    x[1] *= h;
}

#[test]
fn the_unit_has_the_unit_as_cotangent_and_tangent() {
    let (mut x, mut x_bar) = ([2.0, 3.0], [1.0, 10.0]);
    let (value, pullback): ((), _) = step::vjp(&mut x, 0.5);
    assert_eq!((value, x), ((), [3.5, 1.5]));
    let h_bar: f64 = pullback(&mut x, &mut x_bar, ());
    assert_eq!((h_bar, x_bar, x), (33.0, [1.0, 5.5], [2.0, 3.0]));

    let jvp: fn(&mut [f64], &mut [f64], f64, f64) -> ((), ()) = step::jvp;
    let mut x_dot = [1.0, 2.0];
    let ((), ()) = jvp(&mut x, &mut x_dot, 0.5, 1.0);
    assert_eq!((x, x_dot), ([3.5, 1.5], [5.0, 4.0]));
}

#[differentiate]
fn nested(x: f64, n: usize) -> ([f64; 2], (f64, usize), bool) {
    ([x, x * x], (3.0 * x, n), x > 1.0)
}

#[test]
fn what_is_constant_in_an_output_has_no_tangent() {
    type Tangent = ([f64; 2], (f64, NoTangent), NoTangent);
    let (value, pullback) = nested::vjp(2.0, 7);
    assert_eq!(value, ([2.0, 4.0], (6.0, 7), true));
    let seed: Tangent = ([1.0, 10.0], (100.0, NoTangent), NoTangent);
    assert_eq!(pullback(seed), 341.0);
    let jvp: fn(f64, f64, usize) -> (([f64; 2], (f64, usize), bool), Tangent) = nested::jvp;
    assert_eq!(jvp(2.0, 1.0, 7).1, ([1.0, 4.0], (3.0, NoTangent), NoTangent));
}

#[differentiate]
fn steps(x: f64) -> usize {
    let mut count = 0;
    let mut rest = x;
    while rest > 1.0 {
        rest *= 0.5;
        count += 1;
    }
    count
}

#[test]
fn an_output_without_floats_has_zero_derivative() {
    let (value, pullback) = steps::vjp(5.0);
    assert_eq!((value, pullback(NoTangent)), (3, 0.0));
    assert_eq!(steps::jvp(5.0, 1.0), (3, NoTangent));
}
