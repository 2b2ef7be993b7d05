//! Factorisations and what is solved by them, of sizes that are known at run time and of others.

use cotangent::differentiate;
use cotangent::nalgebra::*;
use nalgebra::{
    DMatrix, DVector, Matrix2x3, Matrix3, Matrix3x2, Matrix4, SMatrix, SymmetricEigen, Vector3,
};

fn a() -> DMatrix<f64> {
    DMatrix::from_row_slice(3, 3, &[0.3, 0.2, 0.5, 0.1, -0.4, 0.7, 0.9, 0.15, 0.6])
}

fn tall() -> DMatrix<f64> {
    DMatrix::from_row_slice(4, 2, &[0.3, 0.2, 0.5, 0.1, -0.4, 0.7, 0.9, 0.15])
}

/// Positive definite.
fn s() -> DMatrix<f64> {
    let a = a();
    a.tr_mul(&a) + DMatrix::identity(3, 3)
}

fn x() -> DVector<f64> {
    DVector::from_vec(vec![0.3, 0.5, -0.2])
}

const A: Matrix3<f64> = Matrix3::new(0.3, 0.2, 0.5, 0.1, -0.4, 0.7, 0.9, 0.15, 0.6);
const S: Matrix3<f64> = Matrix3::new(2.0, 0.2, 0.5, 0.2, 1.4, 0.7, 0.5, 0.7, 1.6);
const FOUR: Matrix4<f64> =
    Matrix4::new(1.0, 2.0, 3.0, 4.0, 1.0, 0.4, 3.0, 4.0, 0.5, 0.3, 0.2, 0.1, 0.9, 0.8, 0.3, 0.2);
const X: Vector3<f64> = Vector3::new(0.3, 0.5, -0.2);

corpus! {
    fn solved(a: DMatrix<f64>, x: &DVector<f64>) -> DVector<f64> { a.lu().solve(x).unwrap() }
    at (a(), &x());

    fn solved_twice(a: &DMatrix<f64>, x: &DVector<f64>) -> DVector<f64> {
        let lu = a.clone().lu();
        let y = lu.solve(x).unwrap();
        lu.solve(&y).unwrap() + y
    }
    at (&a(), &x());

    fn several_right_hand_sides(a: &DMatrix<f64>, b: &DMatrix<f64>) -> DMatrix<f64> { a.clone().lu().solve(b).unwrap() }
    at (&a(), &s());

    fn solved_of_known_size(a: Matrix3<f64>, x: &Vector3<f64>) -> f64 { a.lu().solve(x).unwrap().norm() }
    at (A, &X);

    fn solved_where_regular(a: Matrix3<f64>, x: Vector3<f64>) -> f64 {
        match a.lu().solve(&x) {
            Some(y) => y.dot(&x),
            None => x.norm(),
        }
    }
    at (A, X);

    fn by_cholesky(s: DMatrix<f64>, x: &DVector<f64>) -> DVector<f64> { s.cholesky().unwrap().solve(x) }
    at (s(), &x());

    fn by_cholesky_of_known_size(s: Matrix3<f64>, x: &Vector3<f64>) -> Vector3<f64> { s.cholesky().unwrap().solve(x) }
    at (S, &X);

    fn factor(s: &DMatrix<f64>) -> DMatrix<f64> { s.clone().cholesky().unwrap().l() }
    at (&s());

    fn inverse(s: &DMatrix<f64>) -> DMatrix<f64> { s.clone().cholesky().unwrap().inverse() }
    at (&s());

    fn determinants(s: Matrix3<f64>) -> f64 {
        let factor = s.cholesky().unwrap();
        factor.determinant() * factor.ln_determinant()
    }
    at (S);

    fn determinant_by_factors(a: &DMatrix<f64>, x: &DVector<f64>) -> f64 {
        let lu = a.clone().lu();
        lu.determinant() * lu.solve(x).unwrap().norm()
    }
    at (&a(), &x());

    fn determinant_of_known_size(a: Matrix4<f64>) -> f64 { a.lu().determinant() }
    at (FOUR), (Matrix4::from_columns(&[FOUR.column(0), FOUR.column(1), FOUR.column(1), FOUR.column(3)]));

    fn log_density(s: &DMatrix<f64>, x: &DVector<f64>) -> f64 {
        match s.clone().cholesky() {
            Some(factor) => -0.5 * x.dot(&factor.solve(x)) - 0.5 * factor.ln_determinant(),
            None => 0.0,
        }
    }
    at (&s(), &x());
}

// Factors of matrices with more rows than columns, as many, and fewer.
first_order! {
    fn orthogonal(a: DMatrix<f64>) -> DMatrix<f64> { a.qr().q() }
    at (a()), (tall()), (tall().transpose());

    fn triangle(a: &DMatrix<f64>) -> DMatrix<f64> { a.clone().qr().r() }
    at (&a()), (&tall()), (&tall().transpose());

    fn both_factors(a: &DMatrix<f64>, s: f64) -> DMatrix<f64> {
        let qr = a.clone().qr();
        let (q, r) = (qr.q(), qr.r());
        &q * &r * s + (&q * 2.0) * r
    }
    at (&a(), 0.3), (&tall(), 0.3), (&tall().transpose(), 0.3);

    fn unpacked(a: Matrix3x2<f64>, b: Matrix3x2<f64>) -> f64 {
        let (q, r) = (a * b.tr_mul(&a)).qr().unpack();
        q.dot(&b) * r[(0, 1)] * r[(1, 1)]
    }
    at ((Matrix3x2::new(0.3, 0.2, 0.5, 0.1, -0.4, 0.7)), (Matrix3x2::new(1.1, -0.3, 0.4, 0.8, 0.6, -0.2)));

    fn unpacked_of_fewer_rows(a: Matrix2x3<f64>) -> f64 {
        let (q, r) = a.qr().unpack();
        (q * r - a * 2.0).norm() + q[(0, 1)] * r[(1, 2)] + r[(0, 0)]
    }
    at (Matrix2x3::new(0.3, 0.2, 0.5, 0.1, -0.4, 0.7));

    fn least_squares(a: &DMatrix<f64>, b: &DVector<f64>) -> DVector<f64> {
        let qr = a.clone().qr();
        let (right, r) = (qr.q().tr_mul(b), qr.r());
        r.lu().solve(&right).unwrap()
    }
    at (&tall(), &DVector::from_vec(vec![0.4, -0.7, 0.2, 1.1]));
}

first_order! {
    fn eigenvalues(s: &DMatrix<f64>) -> DVector<f64> { s.symmetric_eigenvalues() }
    at (&s());

    fn eigenvalues_of_known_size(s: &Matrix3<f64>) -> Vector3<f64> { s.symmetric_eigenvalues() }
    at (&S), (&(S * S));

    fn eigenvectors(s: DMatrix<f64>) -> DMatrix<f64> { s.symmetric_eigen().eigenvectors }
    at (s());

    fn eigenvectors_of_known_size(s: &Matrix3<f64>, x: Vector3<f64>) -> Vector3<f64> {
        let eigen = s.symmetric_eigen();
        (eigen.eigenvectors * x).component_mul(&eigen.eigenvalues)
    }
    at (&S, X);

    fn taken_apart(s: Matrix3<f64>, x: &Vector3<f64>) -> f64 {
        let SymmetricEigen { eigenvectors, eigenvalues } = s.symmetric_eigen();
        (eigenvectors * x)[1] * eigenvalues[0].ln()
    }
    at (S, &X);

    fn smallest(s: &DMatrix<f64>) -> f64 {
        let values = s.symmetric_eigenvalues();
        let mut smallest = values[0];
        for i in 1..values.len() {
            if values[i] < smallest {
                smallest = values[i];
            }
        }
        smallest.sqrt()
    }
    at (&s());

    /// The root of a positive definite matrix.
    fn root(s: &DMatrix<f64>) -> DMatrix<f64> {
        let eigen = s.clone().symmetric_eigen();
        let mut scaled = eigen.eigenvectors.clone();
        for j in 0..s.ncols() {
            for i in 0..s.nrows() {
                scaled[(i, j)] *= eigen.eigenvalues[j].sqrt();
            }
        }
        scaled * eigen.eigenvectors.transpose()
    }
    at (&s());

    fn single_precision(s: &Matrix3<f32>) -> f32 { s.symmetric_eigen().eigenvectors[(0, 1)] * s.symmetric_eigenvalues().sum() }
    at (&S.cast());

    fn of_one_row(s: &DMatrix<f64>) -> f64 { s.symmetric_eigenvalues().sum() + s.clone().symmetric_eigen().eigenvectors[(0, 0)] }
    at (&DMatrix::from_element(1, 1, 0.7));
}

/// A closed form, and one for the lower triangle, which alone is read.
#[test]
fn the_sum_of_eigenvalues_has_the_gradient_of_the_trace() {
    #[differentiate]
    fn sum(s: &DMatrix<f64>) -> f64 {
        s.symmetric_eigenvalues().sum()
    }
    #[differentiate]
    fn squares(s: &DMatrix<f64>) -> f64 {
        s.symmetric_eigenvalues().norm_squared()
    }
    let by_sum = sum::gradient(&s());
    assert!((by_sum - DMatrix::identity(3, 3)).norm() < 1e-14);
    let by_squares = squares::gradient(&s());
    for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (i, j))) {
        let times = [0.0, 2.0, 4.0][usize::from(j < i) + usize::from(j <= i)];
        assert!((by_squares[(i, j)] - times * s()[(i, j)]).abs() < 1e-13, "{i}, {j}");
    }
}

#[differentiate]
fn sum_and_product(s: Matrix3<f64>) -> f64 {
    let values = s.symmetric_eigenvalues();
    values[0] * values[1] * values[2] + s.symmetric_eigen().eigenvalues.norm_squared()
}

#[differentiate]
fn direction(s: Matrix3<f64>) -> f64 {
    s.symmetric_eigen().eigenvectors[(0, 1)]
}

/// Of equal eigenvalues, functions in which they may be exchanged have a gradient, and eigenvectors have none.
#[test]
fn equal_eigenvalues() {
    let equal = Matrix3::identity() * 1.5;
    let gradient = sum_and_product::gradient(equal);
    assert!((gradient - Matrix3::identity() * (1.5 * 1.5 + 3.0)).norm() < 1e-14, "{gradient}");
    cotangent::check!(sum_and_product(equal)).unwrap();
    assert!(direction::gradient(equal).iter().any(|entry| !entry.is_finite()));
    assert!(!direction::jvp(equal, Matrix3::repeat(1.0)).1.is_finite());
}

#[differentiate]
fn of_columns(a: Matrix3x2<f64>) -> f64 {
    a.qr().q().sum()
}

/// Of columns that depend on each other there is no derivative.
#[test]
fn dependent_columns() {
    let dependent = Matrix3x2::new(1.0, 0.0, 2.0, 0.0, 3.0, 0.0);
    assert!(of_columns::gradient(dependent).iter().any(|entry| !entry.is_finite()));
    assert!(!of_columns::jvp(dependent, Matrix3x2::repeat(1.0)).1.is_finite());
}

#[differentiate]
fn definite(s: DMatrix<f64>, x: &DVector<f64>) -> f64 {
    match s.cholesky() {
        Some(factor) => factor.solve(x).norm(),
        None => x.norm_squared(),
    }
}

/// A matrix without factors has a cotangent of its sizes.
#[test]
fn the_branch_without_factors() {
    let (s_bar, x_bar) = definite::gradient(-s(), &x());
    assert_eq!((s_bar, x_bar), (DMatrix::zeros(3, 3), x() * 2.0));
    cotangent::check!(definite(-s(), &x())).unwrap();
}
