//! `jacobian`: several floats as output, one active parameter; rows are outputs.

use cotangent::{Matrix, differentiate};

#[differentiate]
fn polynomials(x: &[f64], n: usize) -> Vec<f64> {
    let mut out = vec![0.0; n];
    for i in 0..n {
        out[i] = x[i] * x[i + 1];
    }
    out
}

#[test]
fn rows_are_outputs_and_columns_are_inputs() {
    let jacobian: fn(&[f64], usize) -> Matrix<f64> = polynomials::jacobian;
    let m = jacobian(&[2.0, 3.0, 5.0], 2);
    assert_eq!((m.rows(), m.columns()), (2, 3));
    assert_eq!((m[(0, 0)], m[(0, 1)], m[(0, 2)]), (3.0, 2.0, 0.0));
    assert_eq!((m[(1, 0)], m[(1, 1)], m[(1, 2)]), (0.0, 5.0, 3.0));
    assert_eq!(m.as_slice(), [3.0, 2.0, 0.0, 0.0, 5.0, 3.0], "row after row");
}

#[test]
fn sides_without_floats() {
    let m = polynomials::jacobian(&[2.0, 3.0], 0);
    assert_eq!((m.rows(), m.columns()), (0, 2));
    let m = polynomials::jacobian(&[], 0);
    assert_eq!((m.rows(), m.columns()), (0, 0));
}

#[differentiate]
fn curve(t: f64) -> (f64, f64, f64) {
    (t, t * t, 7.0)
}

#[differentiate]
fn rotated(p: [f64; 2]) -> [f64; 2] {
    [p[0] - p[1], p[0] * p[1]]
}

#[differentiate]
fn swapped(p: (f64, f64)) -> (f64, f64) {
    (p.1, 2.0 * p.0)
}

#[differentiate]
fn consumed(v: Vec<f64>) -> [f64; 1] {
    [v[0] * v[1]]
}

#[test]
fn inputs_and_outputs_of_every_shape() {
    let of_a_float: fn(f64) -> Matrix<f64> = curve::jacobian;
    let of_an_array: fn([f64; 2]) -> Matrix<f64> = rotated::jacobian;
    let of_a_tuple: fn((f64, f64)) -> Matrix<f64> = swapped::jacobian;
    let of_a_vector: fn(Vec<f64>) -> Matrix<f64> = consumed::jacobian;
    assert_eq!(of_a_float(3.0), Matrix::from_vec(3, 1, vec![1.0, 6.0, 0.0]));
    assert_eq!(of_an_array([3.0, 5.0]), Matrix::from_vec(2, 2, vec![1.0, -1.0, 5.0, 3.0]));
    assert_eq!(of_a_tuple((3.0, 5.0)), Matrix::from_vec(2, 2, vec![0.0, 1.0, 2.0, 0.0]));
    assert_eq!(of_a_vector(vec![3.0, 5.0]), Matrix::from_vec(1, 2, vec![5.0, 3.0]));
}

#[differentiate(wrt(x))]
fn scaled(scale: f64, x: &[f64; 2], table: &[f64], v: Vec<f64>) -> [f64; 2] {
    [scale * x[0], table[0] * x[1] * v[0]]
}

#[test]
fn constants_are_kept_from_column_to_column() {
    let jacobian: fn(f64, &[f64; 2], &[f64], Vec<f64>) -> Matrix<f64> = scaled::jacobian;
    let m = jacobian(2.0, &[1.0, 1.0], &[3.0], vec![5.0]);
    assert_eq!(m, Matrix::from_vec(2, 2, vec![2.0, 0.0, 0.0, 15.0]));
}

#[differentiate]
fn single(x: &[f32]) -> (f32, f32) {
    (x[0] * x[1], x[1])
}

#[test]
fn single_precision_stays_single() {
    let jacobian: fn(&[f32]) -> Matrix<f32> = single::jacobian;
    assert_eq!(jacobian(&[2.0, 3.0]), Matrix::from_vec(2, 2, vec![3.0, 2.0, 0.0, 1.0]));
}

#[differentiate(reverse)]
fn by_rows(x: &[f64], n: usize) -> Vec<f64> {
    vec![x[0] * x[1], x[n] * x[n]]
}

#[differentiate(forward)]
fn by_columns(x: &[f64], n: usize) -> Vec<f64> {
    vec![x[0] * x[1], x[n] * x[n]]
}

#[test]
fn either_mode_is_enough() {
    let expected = Matrix::from_vec(2, 3, vec![3.0, 2.0, 0.0, 0.0, 0.0, 10.0]);
    assert_eq!(by_rows::jacobian(&[2.0, 3.0, 5.0], 2), expected);
    assert_eq!(by_columns::jacobian(&[2.0, 3.0, 5.0], 2), expected);
}

#[differentiate]
fn changed(x: &mut [f64]) -> [f64; 2] {
    x[0] *= x[1];
    x[1] += 1.0;
    [x[0], x[0] * x[1]]
}

#[test]
fn a_place_is_as_before() {
    let mut x = [2.0, 3.0];
    let m: Matrix<f64> = changed::jacobian(&mut x);
    assert_eq!(x, [2.0, 3.0]);
    assert_eq!(m, Matrix::from_vec(2, 2, vec![3.0, 2.0, 12.0, 14.0]));
}

type Point = [f64; 2];

#[differentiate]
fn aliased(p: Point) -> Point {
    [p[1], p[0] * p[0]]
}

#[test]
fn the_output_may_be_an_alias() {
    assert_eq!(aliased::jacobian([3.0, 5.0]), Matrix::from_vec(2, 2, vec![0.0, 1.0, 6.0, 0.0]));
}
