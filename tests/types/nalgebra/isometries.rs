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

    fn constructors(t: Vector3<f64>, v: Vector3<f64>, p: &Point3<f64>) -> f64 {
        let there = Isometry3::new(t, v) * p;
        let back = Isometry3::from_parts(Translation3::from(v), UnitQuaternion::new(t)) * there;
        (back - p).norm() + (IsometryMatrix3::new(t, v) * p).x
    }
    at (X, Y, &P), (X, Vector3::zeros(), &P);

    fn inverses(a: &Isometry3<f64>, b: IsometryMatrix3<f64>, p: Point3<f64>) -> Point3<f64> {
        a.inverse() * (b.inverse() * p)
    }
    at (&pose(), matrix_pose(), P);

    fn relative(a: &Isometry3<f64>, b: &Isometry3<f64>) -> f64 {
        let c = a.inv_mul(b);
        c.translation.vector.norm() + c.rotation.i
    }
    at (&pose(), &other());

    fn methods(a: &Isometry3<f64>, p: &Point3<f64>, v: Vector3<f64>) -> f64 {
        let there = a.transform_point(p) + a.transform_vector(&v);
        let back = a.inverse_transform_point(&there) - a.inverse_transform_vector(&v);
        (there - back).norm()
    }
    at (&pose(), &P, X);

    fn methods_by_matrices(a: &IsometryMatrix3<f64>, p: &Point3<f64>, v: Vector3<f64>) -> f64 {
        let there = a.transform_point(p) + a.transform_vector(&v);
        let back = a.inverse_transform_point(&there) - a.inverse_transform_vector(&v);
        (there - back).norm()
    }
    at (&matrix_pose(), &P, X);

    fn literal(q: UnitQuaternion<f64>, t: Translation3<f64>, p: &Point3<f64>) -> Point3<f64> {
        let a = Isometry3 { rotation: q, translation: t };
        a * p
    }
    at (quaternion(X), Translation3::from(Y), &P);

    fn pattern(a: Isometry3<f64>, v: &Vector3<f64>) -> Vector3<f64> {
        let Isometry3 { rotation, translation } = a;
        rotation * v + translation.vector
    }
    at (pose(), &X);

    fn parts_written(a: Isometry3<f64>, v: &Vector3<f64>, s: f64) -> Isometry3<f64> {
        let mut b = a;
        b.translation.vector += v * s;
        b.rotation = b.rotation * a.rotation;
        b.translation.x *= s;
        b
    }
    at (pose(), &X, 0.4);

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

// The residual of a graph of poses, with the first derivative that logarithms have.
first_order! {
    fn between(a: &Isometry3<f64>, b: &Isometry3<f64>, seen: &Isometry3<f64>) -> f64 {
        let error = seen.inverse() * (a.inverse() * b);
        error.translation.vector.norm_squared() + error.rotation.scaled_axis().norm_squared()
    }
    at (&pose(), &other(), &Isometry3::new(X, Y));
}
