//! Poses: operators, parts, constructors and methods.

use cotangent::nalgebra::*;
use cotangent::{Differentiable, differentiate};
use nalgebra::{
    Isometry2, Isometry3, IsometryMatrix3, Matrix3, Point3, Rotation3, Translation3, Unit,
    UnitQuaternion, Vector3,
};

use crate::data::{A, X, Y};
use crate::points::{P, Q};
use crate::rotations::{quaternion, rotation};

fn pose() -> Isometry3<f64> {
    Isometry3::new(Y, X)
}

fn other() -> Isometry3<f64> {
    Isometry3::new(X * 2.0, X - Y)
}

fn matrix_pose() -> IsometryMatrix3<f64> {
    IsometryMatrix3::new(Y, X)
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Camera {
    pub pose: Isometry3<f64>,
    pub focal: f64,
}

corpus! {
    fn moved(a: Isometry3<f64>, p: Point3<f64>) -> Point3<f64> { a * p }
    at (pose(), P);

    fn moved_by_reference(a: &Isometry3<f64>, p: &Point3<f64>) -> f64 { (a * (a * p) - p).norm() }
    at (&pose(), &P);

    fn turned(a: &Isometry3<f64>, v: Vector3<f64>, u: &Unit<Vector3<f64>>) -> f64 { (a * (a * v)).y + (a * u).x }
    at (&pose(), X, &Unit::new_normalize(Y));

    fn composed(a: Isometry3<f64>, b: &Isometry3<f64>) -> Isometry3<f64> { a * b * a }
    at (pose(), &other());

    fn with_parts(a: &Isometry3<f64>, q: UnitQuaternion<f64>, t: &Translation3<f64>) -> Isometry3<f64> {
        q * (a * q) * t * (t * a)
    }
    at (&pose(), quaternion(Y), &Translation3::from(X));

    fn of_parts(q: UnitQuaternion<f64>, t: Translation3<f64>) -> Isometry3<f64> { (t * q) * (q * t) }
    at (quaternion(Y), Translation3::from(X));

    fn parts(a: &Isometry3<f64>, v: &Vector3<f64>) -> Vector3<f64> {
        a.rotation * v + a.translation.vector * a.translation.x * a.rotation.w
    }
    at (&pose(), &X);

    fn by_matrices(a: &IsometryMatrix3<f64>, p: Point3<f64>, v: Vector3<f64>) -> Vector3<f64> {
        (a * (a * p)).coords + a * v
    }
    at (&matrix_pose(), P, X);

    fn composed_by_matrices(a: &IsometryMatrix3<f64>, r: Rotation3<f64>, t: Translation3<f64>) -> IsometryMatrix3<f64> {
        a * a * r * t * (r * (t * a)) * (t * r) * (r * t)
    }
    at (&matrix_pose(), rotation(Y), Translation3::from(X));

    fn single_precision(a: Isometry3<f32>, p: Point3<f32>) -> Point3<f32> { a * p }
    at (pose().cast(), P.cast());

    fn of_a_field(camera: &Camera, p: &Point3<f64>) -> f64 {
        let seen = camera.pose * p;
        camera.focal * seen.x / seen.z
    }
    at (&Camera { pose: pose(), focal: 1.3 }, &P);

    fn written(a: &mut Isometry3<f64>, b: &Isometry3<f64>) { *a = b * *a; }
    at (&mut pose(), &other());
}
