//! The gradient by hand.
//!
//! A rotation's derivative by its vector is that of the left Jacobian of the rotation group, in closed form (T. D. Barfoot,
//! "State Estimation for Robotics", 2017, section 7.1): moving the vector by `d` turns `R x` by `J d`.

use nalgebra_0_35::{Vector2, Vector3};

use super::model::{Camera, CameraTangent, Sight, rotated};

/// The gradient by cameras and points.
pub fn gradient(
    cameras: &[Camera],
    points: &[Vector3<f64>],
    sights: &[Sight],
) -> (Vec<CameraTangent>, Vec<Vector3<f64>>) {
    let nothing =
        CameraTangent { rotation: Vector3::zeros(), centre: Vector3::zeros(), focal: 0.0 };
    let mut by_camera = vec![nothing; cameras.len()];
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
    point: &Vector3<f64>,
    pixel: &Vector2<f64>,
    by_camera: &mut CameraTangent,
    by_point: &mut Vector3<f64>,
) {
    let seen = rotated(&camera.rotation, &(point - camera.centre));
    let plane = seen.xy() / seen.z;
    let residual = plane * camera.focal - pixel;
    let by_plane = residual * (camera.focal / seen.z);
    let by_seen = Vector3::new(by_plane.x, by_plane.y, -by_plane.dot(&plane));
    let by_place = rotated(&-camera.rotation, &by_seen);
    by_camera.focal += residual.dot(&plane);
    by_camera.rotation += left_jacobian_transposed(&camera.rotation, &seen.cross(&by_seen));
    by_camera.centre -= by_place;
    *by_point += by_place;
}

/// The transpose of the left Jacobian times a vector.
fn left_jacobian_transposed(rotation: &Vector3<f64>, v: &Vector3<f64>) -> Vector3<f64> {
    let angle = rotation.norm();
    let axis = rotation / angle;
    let (sin, cos) = angle.sin_cos();
    let ratio = sin / angle;
    v * ratio + axis * ((1.0 - ratio) * axis.dot(v)) - axis.cross(v) * ((1.0 - cos) / angle)
}
