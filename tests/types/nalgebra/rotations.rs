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

    fn of_a_vector(v: Vector3<f64>) -> UnitQuaternion<f64> { UnitQuaternion::from_scaled_axis(v) }
    at (X), (X * 5.0), (X * 1e-3), (X * 1e-7), (Vector3::zeros());

    fn of_a_vector_and_back(v: Vector3<f64>, p: Point3<f64>) -> Point3<f64> {
        let q = UnitQuaternion::new(v * 2.0);
        q.inverse() * (q * q * p)
    }
    at (X, P), (Vector3::zeros(), P);

    fn matrix_of_a_vector(v: Vector3<f64>) -> Rotation3<f64> { Rotation3::from_scaled_axis(v) }
    at (X), (X * 5.0), (X * 1e-7), (Vector3::zeros());

    fn turned_by_a_vector(v: Vector3<f64>, p: &Point3<f64>) -> Point3<f64> { Rotation3::new(v) * p }
    at (X, &P), (Vector3::zeros(), &P);

    fn about_an_axis(u: &Unit<Vector3<f64>>, angle: f64) -> UnitQuaternion<f64> {
        UnitQuaternion::from_axis_angle(u, angle)
    }
    at (&Unit::new_normalize(X), 0.7), (&Unit::new_normalize(X), 0.0);

    fn matrix_about_an_axis(u: &Unit<Vector3<f64>>, angle: f64, v: Vector3<f64>) -> Vector3<f64> {
        Rotation3::from_axis_angle(u, angle) * v
    }
    at (&Unit::new_normalize(X), 0.7, Y);

    fn about_an_axis_of_a_vector(v: Vector3<f64>, angle: f64) -> Vector3<f64> {
        let axis = Unit::new_normalize(v);
        UnitQuaternion::from_axis_angle(&axis, angle) * Y + Rotation3::from_axis_angle(&axis, angle) * Y
    }
    at (X, 0.7);

    fn euler_angles(roll: f64, pitch: f64, yaw: f64) -> UnitQuaternion<f64> {
        UnitQuaternion::from_euler_angles(roll, pitch, yaw)
    }
    at (0.3, -0.4, 1.2), (0.0, 0.0, 0.0);

    fn matrix_of_euler_angles(roll: f64, pitch: f64, yaw: f64) -> Rotation3<f64> {
        Rotation3::from_euler_angles(roll, pitch, yaw)
    }
    at (0.3, -0.4, 1.2);

    fn to_a_matrix(q: &UnitQuaternion<f64>, v: Vector3<f64>) -> Vector3<f64> {
        q.to_rotation_matrix() * v + q.to_rotation_matrix().matrix() * v * 2.0
    }
    at (&quaternion(X), Y);

    fn inverses(q: &UnitQuaternion<f64>, r: Rotation3<f64>, v: Vector3<f64>) -> Vector3<f64> {
        q.inverse() * v + q.conjugate() * (r.inverse() * v) + r.transpose() * v
    }
    at (&quaternion(X), rotation(Y), Y);

    fn methods(q: UnitQuaternion<f64>, p: &Point3<f64>, v: Vector3<f64>) -> f64 {
        let there = q.transform_point(p) + q.transform_vector(&v);
        let back = q.inverse_transform_point(&there) - q.inverse_transform_vector(&v);
        (there - back).norm()
    }
    at (quaternion(X), &P, Y);

    fn methods_of_a_matrix(r: Rotation3<f64>, p: &Point3<f64>, v: Vector3<f64>) -> f64 {
        let there = r.transform_point(p) + r.transform_vector(&v);
        let back = r.inverse_transform_point(&there) - r.inverse_transform_vector(&v);
        (there - back).norm()
    }
    at (rotation(X), &P, Y);

    fn matrix_of_a_rotation(r: &Rotation3<f64>, s: Rotation3<f64>) -> f64 {
        r.matrix().norm() * r.matrix().trace() + (s.into_inner() * A)[(0, 1)]
    }
    at (&rotation(X), rotation(Y));

    fn unchecked(a: &Matrix3<f64>, v: Vector3<f64>) -> f64 {
        let r = Rotation3::from_matrix_unchecked(a * a);
        (r * Unit::new_unchecked(v)).into_inner().norm()
    }
    at (&A, X);

    fn normalized(w: f64, v: Vector3<f64>) -> Vector3<f64> {
        let q = Quaternion::new(w, v.x, v.y, v.z * w);
        UnitQuaternion::from_quaternion(q) * v + UnitQuaternion::new_normalize(q).quaternion().coords.xyz()
    }
    at (0.8, X);

    fn conjugated(q: Quaternion<f64>) -> Quaternion<f64> { q.conjugate() * q + q }
    at (Quaternion::new(0.7, 0.4, -0.2, 0.9));

    fn axes(u: Unit<Vector3<f64>>, v: &Vector3<f64>) -> f64 { u.x * u.dot(v) + u[1] + u.into_inner().norm() }
    at (Unit::new_normalize(X), &Y);

    fn turn_of_the_plane(angle: f64, p: &Point2<f64>) -> Point2<f64> { Rotation2::new(angle) * p }
    at (0.4, &Point2::new(0.4, 0.9));

    fn increments(q: &UnitQuaternion<f64>, delta: Vector3<f64>, p: &Point3<f64>) -> Point3<f64> {
        UnitQuaternion::from_scaled_axis(delta) * q * p
    }
    at (&quaternion(X), Vector3::zeros(), &P);

    fn vector_in_single_precision(v: Vector3<f32>, p: Point3<f32>) -> f32 {
        (UnitQuaternion::from_scaled_axis(v) * p).x + (Rotation3::new(v) * p).y
    }
    at (X.cast(), P.cast());

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

// Read from rotations, with first derivatives.
first_order! {
    fn logarithm(q: &UnitQuaternion<f64>) -> Vector3<f64> { q.scaled_axis() }
    at (&quaternion(X)), (&quaternion(X * 5.0)), (&quaternion(X * 1e-4)), (&UnitQuaternion::identity()),
        (&UnitQuaternion::new_unchecked(Quaternion::new(-0.7, 0.4, -0.2, 0.9)));

    fn there_and_back(v: Vector3<f64>) -> f64 { UnitQuaternion::from_scaled_axis(v).scaled_axis().dot(&Y) }
    at (X) => Y;

    fn angle(q: &UnitQuaternion<f64>, r: UnitQuaternion<f64>) -> f64 { q.angle() * q.angle_to(&r) }
    at (&quaternion(X), quaternion(Y)),
        (&UnitQuaternion::new_unchecked(Quaternion::new(-0.7, 0.4, -0.2, 0.9)), quaternion(Y));
}

/// Here differences would say nothing, since `nalgebra` has no rotation of the angle zero.
#[test]
fn matrices_about_axes_turn_from_zero_on() {
    let axis = Unit::new_normalize(X);
    let (by_axis, by_angle, _) = {
        let (_, pullback) = matrix_about_an_axis::matrix_about_an_axis::vjp(&axis, 0.0, Y);
        let mut axis_bar = Vector3::zeros();
        let (angle_bar, v_bar) = pullback(&axis, &mut axis_bar, X.cross(&Y));
        (axis_bar, angle_bar, v_bar)
    };
    assert_eq!(by_axis, Vector3::zeros());
    assert!((by_angle - axis.cross(&Y).dot(&X.cross(&Y))).abs() < 1e-15);
}

/// The right Jacobian of the group (J. Solà, Quaternion kinematics for the error-state Kalman filter, 2017, equation
/// 143), by which a vector that moves turns what it turns.
fn right_jacobian(v: Vector3<f64>) -> Matrix3<f64> {
    let (angle, k) = (v.norm(), v.cross_matrix());
    let cosine = k * ((1.0 - angle.cos()) / angle.powi(2));
    Matrix3::identity() - cosine + k * k * ((angle - angle.sin()) / angle.powi(3))
}

#[test]
fn a_vector_turns_by_the_right_jacobian() {
    for v in [X, Y, X * 4.0] {
        let r = rotation(v);
        for direction in [X, Y, Vector3::z()] {
            let expected = r.matrix() * -Y.cross_matrix() * right_jacobian(v) * direction;
            let (_, by_quaternion) = turned_by::turned_by::jvp(v, direction);
            let (_, by_matrix) = turned_by_matrix_of::turned_by_matrix_of::jvp(v, direction);
            assert!((by_quaternion - expected).norm() < 1e-14);
            assert!((by_matrix - expected).norm() < 1e-14);
        }
    }
}

corpus! {
    fn turned_by(v: Vector3<f64>) -> Vector3<f64> { UnitQuaternion::from_scaled_axis(v) * Y }
    at (X);

    fn turned_by_matrix_of(v: Vector3<f64>) -> Vector3<f64> { Rotation3::from_scaled_axis(v) * Y }
    at (X);
}

/// The quaternion's real part is `1 - v·v / 8 + ..`, and its imaginary one `v / 2 - ..`.
#[test]
fn nothing_turned_has_known_derivatives() {
    let (q, dot) = of_a_vector::of_a_vector::jvp(Vector3::zeros(), X);
    assert_eq!((q, dot), (UnitQuaternion::identity(), Quaternion::from_imag(X * 0.5)));
    let hessian = real_part::real_part::hessian(Vector3::zeros());
    for (at, entry) in (Matrix3::identity() * -0.25).iter().enumerate() {
        assert_eq!(hessian[(at % 3, at / 3)], *entry);
    }
}

corpus! {
    fn real_part(v: Vector3<f64>) -> f64 { UnitQuaternion::from_scaled_axis(v).w }
    at (X);
}
