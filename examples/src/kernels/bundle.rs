//! Bundle adjustment: the second of the objectives of ADBench. Small vectors, and indices that are data.
//!
//! F. Šrajer, Z. Kukelova, A. Fitzgibbon, "A benchmark of selected algorithmic differentiation tools on some problems in
//! computer vision and machine learning", Optimization Methods and Software 33, 2018, section 3.2.

use cotangent::differentiate;

/// Numbers that describe a camera: rotation, centre, focal length, principal point, radial distortion.
pub const CAMERA: usize = 11;

/// Half the sum of squares of all residuals: of what is seen, by its weight, and of the weights.
///
/// Observation `i` has the camera and the point `seen[i]`, and the place in the image `features[2 * i..]`. Cameras are
/// rows of [`CAMERA`] numbers, points of three.
///
/// # Panics
///
/// If there are fewer weights or features than observations, or fewer cameras or points than they name.
#[differentiate(constant(features, seen))]
pub fn bundle(
    cameras: &[f64],
    points: &[f64],
    weights: &[f64],
    features: &[f64],
    seen: &[[usize; 2]],
) -> f64 {
    let mut sum = 0.0;
    for i in 0..seen.len() {
        let camera = &cameras[CAMERA * seen[i][0]..CAMERA * (seen[i][0] + 1)];
        let point = &points[3 * seen[i][1]..3 * (seen[i][1] + 1)];
        let [x, y] = project(camera, [point[0], point[1], point[2]]);
        let weight = weights[i];
        let (dx, dy) = (weight * (x - features[2 * i]), weight * (y - features[2 * i + 1]));
        let slack = 1.0 - weight * weight;
        sum += 0.5 * (dx * dx + dy * dy + slack * slack);
    }
    sum
}

/// Where a camera sees a point.
#[differentiate]
fn project(camera: &[f64], point: [f64; 3]) -> [f64; 2] {
    let rotation = [camera[0], camera[1], camera[2]];
    let from_centre = [point[0] - camera[3], point[1] - camera[4], point[2] - camera[5]];
    let [x, y, z] = rotate(rotation, from_centre);
    let (u, v) = (x / z, y / z);
    let square = u * u + v * v;
    let distortion = 1.0 + camera[9] * square + camera[10] * square * square;
    [u * distortion * camera[6] + camera[7], v * distortion * camera[6] + camera[8]]
}

/// Rodrigues' formula: the direction of `rotation` is the axis, its length the angle.
#[differentiate]
fn rotate(rotation: [f64; 3], point: [f64; 3]) -> [f64; 3] {
    let square = dot(rotation, rotation);
    if square == 0.0 {
        let across = cross(rotation, point);
        return [point[0] + across[0], point[1] + across[1], point[2] + across[2]];
    }
    let angle = square.sqrt();
    let (sin, cos) = angle.sin_cos();
    let axis = [rotation[0] / angle, rotation[1] / angle, rotation[2] / angle];
    let across = cross(axis, point);
    let along = dot(axis, point) * (1.0 - cos);
    let mut rotated = [0.0; 3];
    for i in 0..3 {
        rotated[i] = point[i] * cos + across[i] * sin + axis[i] * along;
    }
    rotated
}

#[differentiate]
fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[differentiate]
fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::sequence;

    const SEEN: [[usize; 2]; 5] = [[0, 0], [1, 2], [0, 1], [1, 0], [1, 1]];

    #[test]
    fn the_rule_tester_agrees() {
        let (mut cameras, points) = (sequence(2 * CAMERA, 0.1..0.4), sequence(9, 1.0..3.0));
        let (weights, features) = (sequence(5, 0.4..0.9), sequence(10, -1.0..1.0));
        cotangent::check!(bundle(&cameras, &points, &weights, &features, &SEEN)).unwrap();
        // A camera that is not turned.
        cameras[..3].fill(0.0);
        let value = bundle(&cameras, &points, &weights, &features, &SEEN);
        assert_eq!(
            bundle::value_and_gradient(&cameras, &points, &weights, &features, &SEEN).0,
            value
        );
    }

    #[test]
    fn a_quarter_turn_exchanges_axes() {
        let [x, y, z] = rotate([0.0, 0.0, std::f64::consts::FRAC_PI_2], [1.0, 2.0, 3.0]);
        assert!((x + 2.0).abs() < 1e-15 && (y - 1.0).abs() < 1e-15 && (z - 3.0).abs() < 1e-15);
    }
}
