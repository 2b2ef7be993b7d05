//! Points and translations: operators, coordinates, constructors and methods.

use cotangent::differentiate;
use cotangent::nalgebra::*;
use nalgebra::{
    Matrix2x3, Matrix3, Point1, Point2, Point3, Point4, Translation2, Translation3, Vector3,
};

use crate::data::{A, B, X, Y, matrix};

pub(crate) const P: Point3<f64> = Point3::new(0.4, -0.7, 1.2);
pub(crate) const Q: Point3<f64> = Point3::new(-0.2, 0.9, 0.5);

corpus! {
    fn difference(p: Point3<f64>, q: &Point3<f64>) -> f64 { (p - q).norm_squared() }
    at (P, &Q) => (Point3::from((p - q) * 2.0), Point3::from((q - p) * 2.0));

    fn differences(p: &Point3<f64>, q: &Point3<f64>, s: f64) -> Vector3<f64> { (p - q) * s + (q - p * s) }
    at (&P, &Q, 0.3);

    fn moved(p: Point3<f64>, v: &Vector3<f64>) -> Point3<f64> { p + v - v * 3.0 }
    at (P, &X);

    fn moved_by_reference(p: &Point3<f64>, v: Vector3<f64>) -> Point3<f64> { p - v + (p - Point3::origin()) }
    at (&P, X);

    fn scaled(p: &Point3<f64>, s: f64) -> Point3<f64> { p * s + (s * p - -p / s) }
    at (&P, 0.3);

    fn assigned(p: Point3<f64>, v: Vector3<f64>, s: f64) -> Point3<f64> {
        let mut q = p;
        q += v;
        q *= s;
        q -= v * p.x;
        q /= s + 2.0;
        q
    }
    at (P, X, 0.3);

    fn coordinates(p: &Point3<f64>, q: Point3<f64>) -> f64 { p.x * p.y.sin() + p[2] * q.coords.norm() + q.z }
    at (&P, Q);

    fn written(p: Point3<f64>, s: f64) -> Point3<f64> {
        let mut q = p;
        q.x = s * p.y;
        q[1] *= s;
        q.coords += p.coords * q.z;
        q
    }
    at (P, 0.3);

    fn of_matrices(a: &Matrix3<f64>, p: Point3<f64>) -> Point3<f64> { a * (a * p) }
    at (&A, P);

    fn of_other_sizes(a: Matrix2x3<f64>, p: &Point3<f64>) -> Point2<f64> { a * p }
    at (matrix(), &P);

    fn translated(t: Translation3<f64>, p: &Point3<f64>) -> Point3<f64> { t * (t * p) }
    at (Translation3::from(X), &P);

    fn translations(t: Translation3<f64>, u: &Translation3<f64>) -> Translation3<f64> { t * u / t * t }
    at (Translation3::from(X), &Translation3::from(Y));

    fn of_a_translation(t: &Translation3<f64>, s: f64) -> Vector3<f64> { t.vector * s * t.x }
    at (&Translation3::from(X), 0.3);

    fn single_precision(p: Point3<f32>, v: Vector3<f32>) -> f32 { (p + v - p * 0.5f32).norm() }
    at (P.cast(), X.cast());

    fn constructors(x: f64, y: f64) -> f64 {
        let (two, three) = (Point2::new(x, y), Point3::new(x, x * y, 1.0));
        let t = Translation3::new(y, x, x * x);
        let (one, four) = (Point1::new(x), Point4::new(x, y, x * y, 2.0));
        let moved = t * three;
        two.coords.norm() * moved.coords.norm() + Translation2::new(y, x).vector.norm() * one.x + four.coords.norm()
    }
    at (0.3, 0.8);

    fn conversions(v: Vector3<f64>, p: &Point3<f64>) -> Vector3<f64> {
        let q = Point3::from(v * 2.0);
        let t = Translation3::from(q - p);
        let r = Translation3::from(*p) * q;
        let s = Point3::from([v.x, p.y, v.z * p.x]);
        t.vector * r.x + s.coords + Vector3::from([p.x * v.y, 1.0, v.z])
    }
    at (X, &P);

    fn between(p: &Point3<f64>, q: &Point3<f64>, t: f64) -> Point3<f64> { p.lerp(q, t) }
    at (&P, &Q, 0.3);

    fn inverse_of_a_translation(t: &Translation3<f64>, p: Point3<f64>) -> Point3<f64> {
        t.inverse() * p + t.vector * p.x
    }
    at (&Translation3::from(X), P);

    fn centroid(points: &[Point3<f64>]) -> Point3<f64> {
        let mut sum = Vector3::zeros();
        for p in points {
            sum += p.coords;
        }
        Point3::origin() + sum / points.len() as f64
    }
    at (&[P, Q, P + X]);

    fn nearest(points: &[Point3<f64>], q: &Point3<f64>) -> f64 {
        points.iter().map(|p| (p - q).norm()).sum()
    }
    at (&[P, P + X], &Q);
}

/// A row for each coordinate.
#[test]
fn the_hessian_of_a_distance() {
    let hessian = nearest::nearest::hessian(&[P], &Q);
    let u = (P - Q).normalize();
    let expected = (Matrix3::identity() - u * u.transpose()) / (P - Q).norm();
    for (at, entry) in expected.iter().enumerate() {
        assert!((hessian[(at % 3, at / 3)] - entry).abs() < 1e-14);
        assert!((hessian[(at % 3, at / 3 + 3)] + entry).abs() < 1e-14);
    }
}
