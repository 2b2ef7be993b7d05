//! The gradient by hand, by steps of the cameras and by the points.
//!
//! A step by the rotation vector `d` turns what a rotation has turned, `R x`, by `d × R x` (J. Solà, Quaternion
//! kinematics for the error-state Kalman filter, 2017, section 4.3). That of a quaternion is `d q / 2`, by which the
//! gradient by quaternions becomes one by steps.

use nalgebra_0_35::{Point2, Point3, Quaternion, Vector3};

use super::model::{Camera, CameraTangent, Sight};

/// The gradient by a step of a camera.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ByStep {
    pub rotation: Vector3<f64>,
    pub translation: Vector3<f64>,
    pub focal: f64,
}

impl ByStep {
    /// From a gradient by the coordinates of a camera: `⟨q̄, d q / 2⟩ = ⟨q̄ q* / 2, d⟩`.
    pub fn of(camera: &Camera, bar: &CameraTangent) -> Self {
        let by_turn: Quaternion<f64> =
            bar.pose.rotation * camera.pose.rotation.conjugate().into_inner();
        Self {
            rotation: by_turn.imag() * 0.5,
            translation: bar.pose.translation.vector,
            focal: bar.focal,
        }
    }
}

/// The gradient by cameras and points.
pub fn gradient(
    cameras: &[Camera],
    points: &[Point3<f64>],
    sights: &[Sight],
) -> (Vec<ByStep>, Vec<Vector3<f64>>) {
    let mut by_camera = vec![ByStep::default(); cameras.len()];
    let mut by_point = vec![Vector3::zeros(); points.len()];
    for sight in sights {
        let (camera, point) = (&cameras[sight.camera], &points[sight.point]);
        add_sight(
            camera,
            point,
            &sight.pixel,
            &mut by_camera[sight.camera],
            &mut by_point[sight.point],
        );
    }
    (by_camera, by_point)
}

fn add_sight(
    camera: &Camera,
    point: &Point3<f64>,
    pixel: &Point2<f64>,
    by_camera: &mut ByStep,
    by_point: &mut Vector3<f64>,
) {
    let turned = camera.pose.rotation * point.coords;
    let seen = turned + camera.pose.translation.vector;
    let plane = seen.xy() / seen.z;
    let residual = plane * camera.focal - pixel.coords;
    let by_plane = residual * (camera.focal / seen.z);
    let by_seen = Vector3::new(by_plane.x, by_plane.y, -by_plane.dot(&plane));
    by_camera.focal += residual.dot(&plane);
    by_camera.rotation += turned.cross(&by_seen);
    by_camera.translation += by_seen;
    *by_point += camera.pose.rotation.inverse_transform_vector(&by_seen);
}
