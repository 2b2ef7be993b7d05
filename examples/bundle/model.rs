//! The camera, and the residuals of what it sees.

use cotangent::nalgebra::*;
use cotangent::{Differentiable, differentiate};
use nalgebra_0_35::{SVector, Vector2, Vector3};

/// A camera that looks along its third axis.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Camera {
    /// The axis of its rotation times the angle.
    pub rotation: Vector3<f64>,
    pub centre: Vector3<f64>,
    pub focal: f64,
}

/// Where a camera saw a point.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Sight {
    pub camera: usize,
    pub point: usize,
    pub pixel: Vector2<f64>,
}

/// A point rotated, by the formula of O. Rodrigues.
#[differentiate]
pub fn rotated(rotation: &Vector3<f64>, x: &Vector3<f64>) -> Vector3<f64> {
    let angle = rotation.norm();
    let axis = rotation / angle;
    let (sin, cos) = angle.sin_cos();
    x * cos + axis.cross(x) * sin + axis * (axis.dot(x) * (1.0 - cos))
}

/// Where a camera sees a point.
#[differentiate]
pub fn projected(camera: &Camera, point: &Vector3<f64>) -> Vector2<f64> {
    let p = rotated(&camera.rotation, &(point - camera.centre));
    p.xy() / p.z * camera.focal
}

/// Half the sum of squares of all residuals.
#[differentiate(constant(sights))]
pub fn reprojection(cameras: &[Camera], points: &[Vector3<f64>], sights: &[Sight]) -> f64 {
    let mut sum = 0.0;
    for sight in sights {
        let pixel = projected(&cameras[sight.camera], &points[sight.point]);
        sum += (pixel - sight.pixel).norm_squared();
    }
    0.5 * sum
}

/// The residuals of one camera.
#[differentiate(wrt(camera))]
pub fn residuals(camera: &Camera, points: &[Vector3<f64>], pixels: &[Vector2<f64>]) -> Vec<f64> {
    let mut residuals = vec![0.0; 2 * points.len()];
    for i in 0..points.len() {
        let r = projected(camera, &points[i]) - pixels[i];
        residuals[2 * i] = r.x;
        residuals[2 * i + 1] = r.y;
    }
    residuals
}

impl Camera {
    /// Where it sees a point.
    pub fn project(&self, point: &Vector3<f64>) -> Vector2<f64> {
        projected(self, point)
    }

    /// Moves it, in the order of its floats.
    pub fn step(&mut self, by: &SVector<f64, 7>) {
        self.rotation += by.fixed_rows::<3>(0);
        self.centre += by.fixed_rows::<3>(3);
        self.focal += by[6];
    }

    /// How far it is from another, over all floats.
    pub fn distance(&self, other: &Camera) -> f64 {
        let rotation = (self.rotation - other.rotation).norm_squared();
        let centre = (self.centre - other.centre).norm_squared();
        (rotation + centre + (self.focal - other.focal).powi(2)).sqrt()
    }
}
