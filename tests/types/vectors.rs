//! Types of other crates as vectors: the methods do what they do to a slice of as many floats.

use cotangent::{Differentiable, Leaf, Tangent};

fn numbers(count: usize, step: f64) -> Vec<f64> {
    (1..=count).map(|number| step * number as f64).collect()
}

fn floats_of(value: &impl Differentiable) -> Vec<f64> {
    let mut flat = vec![0.0; Differentiable::dim(value)];
    value.write_to(&mut flat);
    flat
}

/// The floats that `visit` shows, in whose order all others are.
fn leaves_of(value: &impl Differentiable) -> Vec<f64> {
    let mut floats = vec![];
    value.visit(&mut |leaf: Leaf<'_>| floats.extend(leaf.float()));
    floats
}

/// Expects a tangent type to be a vector of so many floats.
#[track_caller]
fn assert_vector<T: Tangent + PartialEq + std::fmt::Debug>(zero: T, dimension: usize) {
    let (a, b) = (numbers(dimension, 1.0), numbers(dimension, 0.5));
    let [mut x, mut y] = [zero.clone(), zero.clone()];
    x.read_from(&a);
    y.read_from(&b);
    assert_eq!((floats_of(&x), leaves_of(&x)), (a.clone(), a.clone()));
    let squares: f64 = a.iter().map(|a| a * a).sum();
    assert_eq!((Tangent::dot(&x, &y), Tangent::dot(&x, &x)), (0.5 * squares, squares));
    assert!((Tangent::norm(&x) - squares.sqrt()).abs() <= 1e-15 * squares);
    Tangent::axpy(&mut x, 2.0, &y);
    assert_eq!(floats_of(&x), numbers(dimension, 2.0));
    Tangent::scale(&mut x, 0.25);
    assert_eq!(x, y);
    x.zip_floats(&y, |x, y| 4.0 * x - y);
    x.perturb(&y, -2.0);
    assert_eq!(floats_of(&x), numbers(dimension, 0.5));
    x.map_floats(|x| x + 1.0);
    x.set_zero();
    assert_eq!(x, zero);
}

#[test]
fn matrices_of_nalgebra_are_vectors() {
    use nalgebra::{
        DMatrix, DVector, Isometry2, Isometry3, Matrix2x3, Point2, Quaternion, Vector4,
    };
    use nalgebra::{Rotation2, Translation3, UnitQuaternion};

    assert_vector(Vector4::<f64>::zeros(), 4);
    assert_vector(Vector4::<f32>::zeros(), 4);
    assert_vector(Matrix2x3::<f64>::zeros(), 6);
    assert_vector(DVector::<f64>::zeros(19), 19);
    assert_vector(DMatrix::<f64>::zeros(3, 5), 15);
    assert_vector(vec![Matrix2x3::<f64>::zeros(); 3], 18);
    assert_vector(Point2::<f64>::origin(), 2);
    assert_vector(Translation3::<f64>::new(0.0, 0.0, 0.0), 3);
    assert_vector(Quaternion::<f64>::new(0.0, 0.0, 0.0, 0.0), 4);
    assert_vector(Isometry3::<f64>::identity().zero_tangent(), 7);
    assert_vector(Isometry2::<f64>::identity().zero_tangent(), 4);

    // Rotations are moved without being normalised again.
    let mut turn = UnitQuaternion::<f64>::identity();
    turn.read_from(&[0.0, 0.6, 0.0, 0.8]);
    assert_eq!((Differentiable::dim(&turn), turn.j, turn.w), (4, 0.6, 0.8));
    let mut flat = [0.0; 4];
    Rotation2::<f64>::identity().write_to(&mut flat);
    assert_eq!(flat, [1.0, 0.0, 0.0, 1.0]);
}

#[test]
#[should_panic(expected = "a tangent of sizes (3, 2) was given for one of sizes (2, 3)")]
fn sizes_of_nalgebra_agree() {
    let mut m = nalgebra::DMatrix::<f64>::zeros(2, 3);
    Tangent::axpy(&mut m, 1.0, &nalgebra::DMatrix::zeros(3, 2));
}

#[test]
fn matrices_of_faer_are_vectors() {
    use faer::diag::Diag;
    use faer::{Col, Mat, Row};

    assert_vector(Mat::<f64>::zeros(5, 3), 15);
    assert_vector(Mat::<f32>::zeros(2, 3), 6);
    assert_vector(Col::<f64>::zeros(5), 5);
    assert_vector(Row::<f64>::zeros(5), 5);
    let mut diagonal = Diag::<f64>::zeros(3);
    diagonal.read_from(&[3.0, 4.0, 12.0]);
    assert_eq!((Tangent::norm(&diagonal), diagonal[2]), (13.0, 12.0));
    let copy = diagonal.clone();
    Tangent::axpy(&mut diagonal, 1.0, &copy);
    assert_eq!(floats_of(&diagonal), [6.0, 8.0, 24.0]);
}

#[test]
#[should_panic(expected = "was given for one of sizes")]
fn sizes_of_faer_agree() {
    let _ = Tangent::dot(&faer::Mat::<f64>::zeros(2, 3), &faer::Mat::zeros(3, 2));
}

#[test]
fn arrays_are_vectors() {
    use ndarray::{Array1, Array2, Array3};

    assert_vector(Array1::<f64>::zeros(9), 9);
    assert_vector(Array2::<f64>::zeros((2, 3)), 6);
    assert_vector(Array3::<f32>::zeros((2, 3, 2)), 12);
    // By columns, where floats are visited by rows.
    assert_vector(Array2::<f64>::zeros((2, 3)).reversed_axes(), 6);
    let (mut rows, columns) = (Array2::<f64>::zeros((3, 2)), Array2::zeros((2, 3)).reversed_axes());
    let mut columns: Array2<f64> = columns;
    columns.read_from(&numbers(6, 1.0));
    rows.axpy(2.0, &columns);
    assert_eq!((floats_of(&rows), Tangent::dot(&rows, &columns)), (numbers(6, 2.0), 182.0));
}

#[test]
#[should_panic(expected = "a tangent of sizes [3] was given for one of sizes [2]")]
fn sizes_of_arrays_agree() {
    ndarray::Array1::<f64>::zeros(2).axpy(1.0, &ndarray::Array1::zeros(3));
}

#[test]
fn complex_numbers_are_vectors() {
    use num_complex::Complex;

    assert_vector(Complex::new(0.0, 0.0), 2);
    assert_vector(vec![Complex::new(0.0_f32, 0.0); 5], 10);
}
