//! Rotations by unit quaternions and by matrices: operators, constructors and methods.

use cotangent::differentiate;
use cotangent::nalgebra::*;
use nalgebra::{
    Matrix3, Point2, Point3, Quaternion, Rotation2, Rotation3, Unit, UnitQuaternion, Vector2,
    Vector3,
};

use crate::data::{A, B, X, Y};
use crate::points::{P, Q};

pub(crate) fn quaternion(of: Vector3<f64>) -> UnitQuaternion<f64> {
    UnitQuaternion::from_scaled_axis(of)
}

pub(crate) fn rotation(of: Vector3<f64>) -> Rotation3<f64> {
    Rotation3::from_scaled_axis(of)
}

corpus! {
    fn turned(q: UnitQuaternion<f64>, v: Vector3<f64>) -> Vector3<f64> { q * v }
    at (quaternion(X), Y), (UnitQuaternion::new_unchecked(Quaternion::new(0.7, 0.4, -0.2, 0.9)), Y);

    fn turned_by_reference(q: &UnitQuaternion<f64>, v: &Vector3<f64>) -> Vector3<f64> { q * (q * v - v) }
    at (&quaternion(X), &Y);

    fn turned_point(q: &UnitQuaternion<f64>, p: Point3<f64>) -> Point3<f64> { q * (q * p) }
    at (&quaternion(X), P);

    fn turned_axis(q: &UnitQuaternion<f64>, u: Unit<Vector3<f64>>) -> f64 { (q * u).z + u.y }
    at (&quaternion(X), Unit::new_normalize(Y));

    fn composed(q: UnitQuaternion<f64>, r: &UnitQuaternion<f64>) -> UnitQuaternion<f64> { q * r * q }
    at (quaternion(X), &quaternion(Y));

    fn divided(q: UnitQuaternion<f64>, r: &UnitQuaternion<f64>) -> UnitQuaternion<f64> { q / r * q }
    at (quaternion(X), &quaternion(Y));

    fn assigned(q: UnitQuaternion<f64>, r: UnitQuaternion<f64>) -> UnitQuaternion<f64> {
        let mut p = q;
        p *= r;
        p *= q;
        p
    }
    at (quaternion(X), quaternion(Y));

    fn coordinates(q: &UnitQuaternion<f64>) -> f64 { q.w * q.i + q.j.sin() * q.k }
    at (&quaternion(X));

    fn quaternions(q: Quaternion<f64>, r: &Quaternion<f64>, s: f64) -> Quaternion<f64> {
        (q * r - r * s) + -q / s + s * r * 2.0
    }
    at (Quaternion::new(0.7, 0.4, -0.2, 0.9), &Quaternion::new(-0.3, 0.1, 0.8, 0.2), 0.3);

    fn turned_by_matrix(r: Rotation3<f64>, v: &Vector3<f64>) -> Vector3<f64> { r * (r * v + v) }
    at (rotation(X), &Y), (Rotation3::from_matrix_unchecked(A), &Y);

    fn turned_point_by_matrix(r: &Rotation3<f64>, p: &Point3<f64>) -> Point3<f64> { r * (r * p) }
    at (&rotation(X), &P);

    fn turned_axis_by_matrix(r: &Rotation3<f64>, u: Unit<Vector3<f64>>) -> f64 { (r * u).z + u.x }
    at (&rotation(X), Unit::new_normalize(Y));

    fn composed_matrices(r: &Rotation3<f64>, s: Rotation3<f64>) -> Rotation3<f64> { r * s / r * s }
    at (&rotation(X), rotation(Y));

    fn with_matrices(r: &Rotation3<f64>, a: &Matrix3<f64>) -> Matrix3<f64> { r * a * r }
    at (&rotation(X), &A);

    fn entries(r: &Rotation3<f64>) -> f64 { r[(0, 1)] * r[(2, 2)] }
    at (&rotation(X));

    fn in_the_plane(r: Rotation2<f64>, p: &Point2<f64>, v: Vector2<f64>) -> Point2<f64> { r * p + r * r * v }
    at (Rotation2::new(0.3), &Point2::new(0.4, 0.9), Vector2::new(-0.2, 0.5));

    fn single_precision(q: UnitQuaternion<f32>, p: Point3<f32>) -> Point3<f32> { q * p }
    at (quaternion(X).cast(), P.cast());

    fn of_elements(q: &UnitQuaternion<f64>, points: &[Point3<f64>], seen: &[Point3<f64>]) -> f64 {
        points.iter().zip(seen).map(|(p, s)| (q * p - s).norm_squared()).sum()
    }
    at (&quaternion(X), &[P, Q], &[Q, P]);

    fn many_times(q: UnitQuaternion<f64>, v: Vector3<f64>) -> Vector3<f64> {
        let mut w = v;
        for _ in 0..4 {
            w = q * w + v * w.x;
        }
        w
    }
    at (quaternion(X), Y);
}
