//! Rotations, poses and residuals, as users write them.

use cotangent::nalgebra::*;
use cotangent::{Differentiable, differentiate};
use nalgebra::{Matrix3, Vector2, Vector3, Vector6};

use crate::data::{A, B, X, Y};

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Camera {
    pub rotation: Vector3<f64>,
    pub centre: Vector3<f64>,
    pub focal: f64,
}

const CAMERA: Camera = Camera {
    rotation: Vector3::new(0.1, -0.2, 0.3),
    centre: Vector3::new(0.5, 0.2, -3.0),
    focal: 1.7,
};

corpus! {
    fn rotated(rotation: &Vector3<f64>, x: &Vector3<f64>) -> Vector3<f64> {
        let angle = rotation.norm();
        if angle < 1e-12 {
            return x + rotation.cross(x);
        }
        let axis = rotation / angle;
        let (sin, cos) = angle.sin_cos();
        x * cos + axis.cross(x) * sin + axis * (axis.dot(x) * (1.0 - cos))
    }
    at (&X, &Y);

    fn exponential(rotation: Vector3<f64>) -> Matrix3<f64> {
        let angle = rotation.norm();
        let k = rotation.cross_matrix() / angle;
        Matrix3::identity() + k * angle.sin() + k * k * (1.0 - angle.cos())
    }
    at (X), (Y);

    fn projected(camera: &Camera, point: &Vector3<f64>) -> Vector2<f64> {
        let p = rotated::rotated(&camera.rotation, &(point - camera.centre));
        p.xy() / p.z * camera.focal
    }
    at (&CAMERA, &X);

    fn reprojection(camera: &Camera, points: &[Vector3<f64>], seen: &[Vector2<f64>]) -> f64 {
        let mut sum = 0.0;
        for (point, seen) in points.iter().zip(seen) {
            sum += (projected::projected(camera, point) - seen).norm_squared();
        }
        0.5 * sum
    }
    at (&CAMERA, &[X, Y], &[Vector2::new(0.1, 0.2), Vector2::new(0.5, -0.3)]);

    fn pose_residual(pose: &Vector6<f64>, from: &[Vector3<f64>], to: &[Vector3<f64>]) -> Vec<f64> {
        let rotation = Vector3::new(pose[0], pose[1], pose[2]);
        let translation = Vector3::new(pose[3], pose[4], pose[5]);
        let mut residuals = vec![];
        for i in 0..from.len() {
            let r = rotated::rotated(&rotation, &from[i]) + translation - to[i];
            residuals.push(r.x);
            residuals.push(r.y);
            residuals.push(r.z);
        }
        residuals
    }
    at (&Vector6::new(0.1, -0.2, 0.3, 0.5, 0.2, -3.0), &[X, Y], &[Y, X]);

    fn gravity(positions: &[Vector3<f64>], masses: &[f64]) -> Vec<Vector3<f64>> {
        let mut forces = vec![Vector3::zeros(); positions.len()];
        for i in 0..positions.len() {
            for j in 0..i {
                let d = positions[j] - positions[i];
                let f = d * (masses[i] * masses[j] / d.norm().powi(3));
                forces[i] += f;
                forces[j] -= f;
            }
        }
        forces
    }
    at (&[X, Y, X.cross(&Y)], &[0.4, 0.7, 1.3]);

    fn covariance(points: &[Vector3<f64>]) -> Matrix3<f64> {
        let mut mean = Vector3::zeros();
        for p in points {
            mean += p;
        }
        mean /= points.len() as f64;
        let mut sum = Matrix3::zeros();
        for p in points {
            let d = p - mean;
            sum += d * d.transpose();
        }
        sum / points.len() as f64
    }
    at (&[X, Y, X.cross(&Y)]);
}

// The branch for small angles has the first derivative of the other, and not its second one.
first_order! {
    fn rotated_by_little(rotation: &Vector3<f64>, x: &Vector3<f64>) -> Vector3<f64> { rotated::rotated(rotation, x) }
    at (&(X * 1e-13), &Y);
}
