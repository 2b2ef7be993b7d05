//! The camera, and the residuals of what it sees.

use cotangent::nalgebra::*;
use cotangent::{Differentiable, differentiate};
use nalgebra_0_35::{Isometry3, Point2, Point3, SVector, Translation3, UnitQuaternion, Vector3};

/// How many floats a step of a camera has: three of a rotation vector, three of a translation, and the focal length.
pub const FLOATS: usize = 7;

/// A camera that looks along its third axis.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Camera {
    /// Takes points of the world to the camera's own axes.
    pub pose: Isometry3<f64>,
    pub focal: f64,
}

/// Where a camera saw a point.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Sight {
    pub camera: usize,
    pub point: usize,
    pub pixel: Point2<f64>,
}

/// Where a camera sees a point.
#[differentiate]
pub fn projected(camera: &Camera, point: &Point3<f64>) -> Point2<f64> {
    let p = camera.pose * point;
    Point2::new(p.x / p.z, p.y / p.z) * camera.focal
}

/// Half the sum of squares of all residuals.
#[differentiate(constant(sights))]
pub fn reprojection(cameras: &[Camera], points: &[Point3<f64>], sights: &[Sight]) -> f64 {
    let mut sum = 0.0;
    for sight in sights {
        let pixel = projected(&cameras[sight.camera], &points[sight.point]);
        sum += (pixel - sight.pixel).norm_squared();
    }
    0.5 * sum
}

/// A camera after a step: turned from the left, so that its rotation stays one.
#[differentiate]
pub fn stepped(camera: &Camera, step: &SVector<f64, FLOATS>) -> Camera {
    let turn = UnitQuaternion::from_scaled_axis(Vector3::new(step[0], step[1], step[2]));
    let shift = Translation3::new(step[3], step[4], step[5]);
    let pose = Isometry3::from_parts(shift * camera.pose.translation, turn * camera.pose.rotation);
    Camera { pose, focal: camera.focal + step[6] }
}

/// The residuals of one camera after a step.
#[differentiate(wrt(step))]
pub fn residuals(
    step: &SVector<f64, FLOATS>,
    camera: &Camera,
    points: &[Point3<f64>],
    pixels: &[Point2<f64>],
) -> Vec<f64> {
    let moved = stepped(camera, step);
    let mut residuals = vec![0.0; 2 * points.len()];
    for i in 0..points.len() {
        let r = projected(&moved, &points[i]) - pixels[i];
        residuals[2 * i] = r.x;
        residuals[2 * i + 1] = r.y;
    }
    residuals
}

impl Camera {
    /// How far it is from another: the angle between both, and the distances of translations and focal lengths.
    pub fn distance(&self, other: &Camera) -> f64 {
        let angle = self.pose.rotation.angle_to(&other.pose.rotation);
        let shift = self.pose.translation.vector - other.pose.translation.vector;
        angle + shift.norm() + (self.focal - other.focal).abs()
    }
}
