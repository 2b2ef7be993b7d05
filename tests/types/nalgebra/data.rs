//! Operands: regular matrices, and vectors of which no two are parallel.

use nalgebra::{Matrix3, SMatrix, Vector3};

pub(crate) const A: Matrix3<f64> = Matrix3::new(0.3, 0.2, 0.5, 0.1, -0.4, 0.7, 0.9, 0.15, 0.6);
pub(crate) const B: Matrix3<f64> = Matrix3::new(1.1, -0.3, 0.4, 0.8, 0.6, -0.2, 0.25, 0.5, -0.9);
pub(crate) const X: Vector3<f64> = Vector3::new(0.3, 0.5, -0.2);
pub(crate) const Y: Vector3<f64> = Vector3::new(1.3, -0.5, 0.8);

/// Of any size, with a diagonal that makes it regular.
pub(crate) fn matrix<const R: usize, const C: usize>() -> SMatrix<f64, R, C> {
    let diagonal = SMatrix::<f64, R, C>::identity();
    SMatrix::from_fn(|row, column| ((3 * row + 5 * column) as f64).sin()) + diagonal
}
