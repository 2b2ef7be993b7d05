//! Half the squared distances of eight points from where they should be: turned by a quaternion, turned by a rotation
//! vector, and seen by a camera with a pose.
//!
//! By hand, a quaternion's coordinates have the gradient of the formula that `nalgebra` evaluates, as ours have, and a
//! rotation vector that by the left Jacobian of the rotation group (T. D. Barfoot, "State Estimation for Robotics",
//! 2017, section 7.1).

use cotangent::differentiate;
use cotangent::nalgebra::*;
use nalgebra::{
    Isometry3, Point2, Point3, Quaternion, Translation3, UnitQuaternion, Vector2, Vector3,
};

use super::{CASES, Kernel};

const POINTS: usize = 8;

type Points = [Point3<f64>; POINTS];
type Pixels = [Point2<f64>; POINTS];
type PoseTangent = IsometryTangent<Quaternion<f64>, Translation3<f64>>;

#[differentiate(constant(seen))]
fn turned(q: &UnitQuaternion<f64>, points: &Points, seen: &Points) -> f64 {
    let mut sum = 0.0;
    for i in 0..POINTS {
        sum += (q * points[i] - seen[i]).norm_squared();
    }
    0.5 * sum
}

#[differentiate(constant(seen))]
fn turned_by_vector(v: &Vector3<f64>, points: &Points, seen: &Points) -> f64 {
    let q = UnitQuaternion::from_scaled_axis(*v);
    let mut sum = 0.0;
    for i in 0..POINTS {
        sum += (q * points[i] - seen[i]).norm_squared();
    }
    0.5 * sum
}

#[differentiate(constant(seen))]
fn reprojected(pose: &Isometry3<f64>, points: &Points, seen: &Pixels) -> f64 {
    let mut sum = 0.0;
    for i in 0..POINTS {
        let p = pose * points[i];
        sum += (Point2::new(p.x / p.z, p.y / p.z) - seen[i]).norm_squared();
    }
    0.5 * sum
}

/// Adds what one turned point gives to the quaternion.
fn add_turned(
    q: &UnitQuaternion<f64>,
    p: &Vector3<f64>,
    bar: &Vector3<f64>,
    by_q: &mut Quaternion<f64>,
) {
    let (u, w) = (q.imag(), q.w);
    let t = 2.0 * u.cross(p);
    let by_u = t.cross(bar) + 2.0 * p.cross(&(w * bar + bar.cross(&u)));
    *by_q += Quaternion::from_parts(t.dot(bar), by_u);
}

fn turned_by_hand(
    q: &UnitQuaternion<f64>,
    points: &Points,
    seen: &Points,
) -> (f64, (Quaternion<f64>, Points)) {
    let (mut sum, mut by_q) = (0.0, Quaternion::new(0.0, 0.0, 0.0, 0.0));
    let mut by_points = [Point3::origin(); POINTS];
    for i in 0..POINTS {
        let residual = q * points[i] - seen[i];
        sum += residual.norm_squared();
        add_turned(q, &points[i].coords, &residual, &mut by_q);
        by_points[i] += q.inverse_transform_vector(&residual);
    }
    (0.5 * sum, (by_q, by_points))
}

fn turned_by_vector_by_hand(
    v: &Vector3<f64>,
    points: &Points,
    seen: &Points,
) -> (f64, (Vector3<f64>, Points)) {
    let q = UnitQuaternion::from_scaled_axis(*v);
    let (mut sum, mut by_turn) = (0.0, Vector3::zeros());
    let mut by_points = [Point3::origin(); POINTS];
    for i in 0..POINTS {
        let turned = q * points[i];
        let residual = turned - seen[i];
        sum += residual.norm_squared();
        by_turn += turned.coords.cross(&residual);
        by_points[i] += q.inverse_transform_vector(&residual);
    }
    (0.5 * sum, (left_jacobian_transposed(v, &by_turn), by_points))
}

/// The transpose of the left Jacobian times a vector.
fn left_jacobian_transposed(rotation: &Vector3<f64>, v: &Vector3<f64>) -> Vector3<f64> {
    let angle = rotation.norm();
    let axis = rotation / angle;
    let (sin, cos) = angle.sin_cos();
    let ratio = sin / angle;
    v * ratio + axis * ((1.0 - ratio) * axis.dot(v)) - axis.cross(v) * ((1.0 - cos) / angle)
}

fn reprojected_by_hand(
    pose: &Isometry3<f64>,
    points: &Points,
    seen: &Pixels,
) -> (f64, (PoseTangent, Points)) {
    let (mut sum, mut by_q) = (0.0, Quaternion::new(0.0, 0.0, 0.0, 0.0));
    let (mut by_shift, mut by_points) = (Vector3::zeros(), [Point3::origin(); POINTS]);
    for i in 0..POINTS {
        let p = pose * points[i];
        let plane = Vector2::new(p.x / p.z, p.y / p.z);
        let residual = plane - seen[i].coords;
        sum += residual.norm_squared();
        let by_seen = Vector3::new(residual.x, residual.y, -residual.dot(&plane)) / p.z;
        by_shift += by_seen;
        add_turned(&pose.rotation, &points[i].coords, &by_seen, &mut by_q);
        by_points[i] += pose.rotation.inverse_transform_vector(&by_seen);
    }
    let by_pose = IsometryTangent { rotation: by_q, translation: Translation3::from(by_shift) };
    (0.5 * sum, (by_pose, by_points))
}

/// The same floats each time, between minus one and one.
fn vector(seed: usize) -> Vector3<f64> {
    let float = |at: usize| ((seed + 17 * at) as f64 * 0.618).sin();
    Vector3::new(float(1), float(2), float(3))
}

fn points(seed: usize) -> Points {
    std::array::from_fn(|at| Point3::from(vector(seed + 31 * at)))
}

/// The three functions of a kernel, each with cases of its own in memory.
macro_rules! kernel {
    ($name:literal $function:ident $by_hand:ident $case:expr, $distance:expr) => {{
        let cases = || (0..CASES).map($case).collect::<Vec<_>>();
        let (first, second, third) = (cases(), cases(), cases());
        for (x, points, seen) in &first {
            let ours = $function::value_and_gradient(x, points, seen);
            let by_hand = $by_hand(x, points, seen);
            assert!($distance(&ours.1.0, &by_hand.1.0) < 1e-12);
            assert!(ours.1.1.iter().zip(&by_hand.1.1).all(|(a, b)| (a - b).norm() < 1e-12));
        }
        Kernel {
            name: $name,
            runs: [
                Box::new(move || {
                    first.iter().map(|(x, points, seen)| $function(x, points, seen)).sum()
                }),
                Box::new(move || {
                    let each = second.iter().map(|(x, points, seen)| {
                        let (value, (by_x, by_points)) =
                            $function::value_and_gradient(x, points, seen);
                        value + std::hint::black_box(&(by_x, by_points)).1[0].x
                    });
                    each.sum()
                }),
                Box::new(move || {
                    let each = third.iter().map(|(x, points, seen)| {
                        let (value, (by_x, by_points)) = $by_hand(x, points, seen);
                        value + std::hint::black_box(&(by_x, by_points)).1[0].x
                    });
                    each.sum()
                }),
            ],
        }
    }};
}

pub fn kernels() -> Vec<Kernel> {
    let quaternion =
        |at| (UnitQuaternion::from_scaled_axis(vector(at)), points(at), points(at + 7));
    let pose = |at| {
        let shift = Vector3::new(0.0, 0.0, 5.0);
        let seen = points(at + 7).map(|p| Point2::new(p.x, p.y) * 0.2);
        (Isometry3::new(shift, vector(at)), points(at), seen)
    };
    vec![
        kernel!("turned by a quaternion" turned turned_by_hand
            quaternion, |a: &Quaternion<f64>, b: &Quaternion<f64>| (a - b).norm()),
        kernel!("turned by a vector" turned_by_vector turned_by_vector_by_hand
            |at| (vector(at), points(at), points(at + 7)),
            |a: &Vector3<f64>, b: &Vector3<f64>| (a - b).norm()),
        kernel!("seen with a pose" reprojected reprojected_by_hand
        pose, |a: &PoseTangent, b: &PoseTangent| {
            let turned: Quaternion<f64> = a.rotation - b.rotation;
            turned.norm() + (a.translation.vector - b.translation.vector).norm()
        }),
    ]
}
