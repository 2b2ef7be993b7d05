//! Cameras on an arc around a cloud of points, and what they see.

use nalgebra_0_35::{Isometry3, Point3, SVector, Vector3};

use super::model::{Camera, Sight, projected, stepped};

const CAMERAS: usize = 8;
const POINTS: usize = 100;

/// Five units from the middle, turned towards it.
pub fn cameras() -> Vec<Camera> {
    let angles = (0..CAMERAS).map(|at| 0.4 + 1.9 * at as f64 / CAMERAS as f64);
    angles.map(|angle| looking(&Point3::new(angle.sin(), 0.3, -angle.cos()))).collect()
}

/// A camera that looks at the middle from this direction.
fn looking(from: &Point3<f64>) -> Camera {
    let pose = Isometry3::look_at_lh(&(from * 5.0), &Point3::origin(), &Vector3::y());
    Camera { pose, focal: 1.2 }
}

/// In a ball, by the fractional parts of multiples.
pub fn points() -> Vec<Point3<f64>> {
    let part = |at: usize, of: f64| 2.0 * (at as f64 * of).fract() - 1.0;
    let point = |at| Point3::new(part(at, 0.754_877), part(at, 0.569_840), part(at, 0.430_159));
    (1..=POINTS).map(point).collect()
}

/// All points as all cameras see them.
pub fn sights() -> Vec<Sight> {
    let points = points();
    let of_camera = |(camera, place): (usize, Camera)| -> Vec<Sight> {
        let places = points.iter().enumerate();
        places.map(|(point, x)| Sight { camera, point, pixel: projected(&place, x) }).collect()
    };
    cameras().into_iter().enumerate().flat_map(of_camera).collect()
}

/// The cameras as they are taken for at first.
pub fn guesses() -> Vec<Camera> {
    cameras().iter().map(moved).collect()
}

/// A camera that is not where it was.
pub fn moved(camera: &Camera) -> Camera {
    stepped(camera, &SVector::from([0.05, -0.08, 0.06, 0.3, -0.2, 0.25, 0.15]))
}
