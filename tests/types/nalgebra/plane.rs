//! Rotations and poses in the plane, by complex numbers and by matrices.

use cotangent::differentiate;
use cotangent::nalgebra::*;
use nalgebra::{
    Isometry2, IsometryMatrix2, Point2, Rotation2, Translation2, Unit, UnitComplex, Vector2,
};

const P: Point2<f64> = Point2::new(0.4, -0.7);
const V: Vector2<f64> = Vector2::new(0.9, 0.3);

fn pose() -> Isometry2<f64> {
    Isometry2::new(V, 0.7)
}

corpus! {
    fn turned(z: UnitComplex<f64>, p: &Point2<f64>, v: Vector2<f64>) -> Point2<f64> { z * (z * p + z * v) }
    at (UnitComplex::new(0.7), &P, V);

    fn turned_axis(z: &UnitComplex<f64>, u: Unit<Vector2<f64>>) -> f64 { (z * u).y + u.x }
    at (&UnitComplex::new(0.7), Unit::new_normalize(V));

    fn composed(z: UnitComplex<f64>, w: &UnitComplex<f64>) -> UnitComplex<f64> { z * w / z * w }
    at (UnitComplex::new(0.7), &UnitComplex::new(-0.3));

    fn coordinates(z: &UnitComplex<f64>) -> f64 { z.re * z.im.sin() }
    at (&UnitComplex::new(0.7));

    fn constructors(angle: f64, v: Vector2<f64>, p: &Point2<f64>) -> Point2<f64> {
        let (a, b) = (Isometry2::new(v, angle), IsometryMatrix2::new(v, angle * 2.0));
        let c = Isometry2::from_parts(Translation2::from(v), UnitComplex::from_angle(angle));
        a * (b * p) + c * v + UnitComplex::new(angle) * v
    }
    at (0.7, V, &P), (0.0, V, &P);

    fn methods(z: UnitComplex<f64>, p: &Point2<f64>, v: Vector2<f64>) -> f64 {
        let there = z.transform_point(p) + z.transform_vector(&v);
        let back = z.inverse_transform_point(&there) - z.inverse_transform_vector(&v);
        (there - back).norm() + (z.inverse() * v).x + (z.conjugate() * v).y + (z.to_rotation_matrix() * p).x
    }
    at (UnitComplex::new(0.7), &P, V);

    fn angles(z: &UnitComplex<f64>, w: UnitComplex<f64>) -> f64 { z.angle() * z.angle_to(&w) }
    at (&UnitComplex::new(0.7), UnitComplex::new(-0.3)), (&UnitComplex::new(2.9), UnitComplex::new(0.0));

    fn poses(a: &Isometry2<f64>, b: Isometry2<f64>, p: Point2<f64>, v: &Vector2<f64>) -> f64 {
        let there = a * (b * p) + a * v;
        let back = a.inverse_transform_point(&there) - b.inverse_transform_vector(v);
        (a.inverse() * (b * back) - a.inv_mul(&b) * p).norm() + a.transform_point(&p).x
    }
    at (&pose(), Isometry2::new(-V, 0.2), P, &V);

    fn with_parts(a: Isometry2<f64>, z: UnitComplex<f64>, t: &Translation2<f64>) -> Isometry2<f64> {
        z * (a * z) * t * (t * a) * (z * t) * (t * z)
    }
    at (pose(), UnitComplex::new(-0.3), &Translation2::from(V));

    fn by_matrices(a: &IsometryMatrix2<f64>, r: Rotation2<f64>, p: Point2<f64>) -> Point2<f64> {
        a.inverse() * (r * (a * r * p))
    }
    at (&IsometryMatrix2::new(V, 0.7), Rotation2::new(0.2), P);

    fn single_precision(z: UnitComplex<f32>, p: Point2<f32>) -> Point2<f32> { z * p }
    at (UnitComplex::new(0.7), P.cast());
}

/// A complex number of length one turns by its angle.
#[test]
fn the_derivative_by_an_angle_is_known() {
    let (_, dot) = by_angle::by_angle::jvp(0.7, 1.0);
    let turned = UnitComplex::new(0.7) * P;
    assert!((dot - Point2::new(-turned.y, turned.x)).norm() < 1e-15);
}

corpus! {
    fn by_angle(angle: f64) -> Point2<f64> { UnitComplex::new(angle) * P }
    at (0.7);
}
