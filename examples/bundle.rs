//! Bundle adjustment with vectors of nalgebra: cameras and points from where the points were seen.
//!
//! ```text
//! cargo run --release --example bundle
//! ```
//!
//! A camera is a pose and a focal length; it sees a point where the line from its centre goes through the image. The
//! residuals are written as users of nalgebra write them ([`bundle::model`]), with `Isometry3`, `Point3` and the
//! operators. The gradient of half their squares by all cameras and points is by the coordinates of the quaternions; as
//! one by steps of the cameras it is compared with one by hand ([`bundle::by_hand`]), and both are timed. Then each
//! camera is found again from a wrong guess: Gauss and Newton's method with the Jacobian of its residuals by a step, at
//! no step, where a rotation vector is zero.
//!
//! The exit status is failure unless the gradients agree to 1e-11 of the largest part, and each camera is found to
//! 1e-9.

mod bundle {
    pub mod by_hand;
    pub mod model;
    pub mod scene;
}

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use bundle::by_hand::ByStep;
use bundle::model::{Camera, CameraTangent, FLOATS, projected, reprojection, residuals, stepped};
use bundle::{by_hand, scene};
use nalgebra_0_35::{Point3, SMatrix, SVector, Vector3};

fn main() -> ExitCode {
    let is_equal = compare();
    let is_found = scene::cameras().iter().all(recover);
    if is_equal && is_found { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A gradient as derivatives have it.
type ByCoordinates = (Vec<CameraTangent>, Vec<Point3<f64>>);

/// A gradient by steps of the cameras, and by the points.
type BySteps = (Vec<ByStep>, Vec<Vector3<f64>>);

/// Compares the gradients, and prints what they cost.
fn compare() -> bool {
    let (cameras, points, sights) = (scene::guesses(), scene::points(), scene::sights());
    let written = || by_hand::gradient(&cameras, &points, &sights);
    let made = || reprojection::gradient(&cameras, &points, &sights);
    let (largest, difference) =
        largest_difference(&floats(&written()), &floats(&by_steps(&cameras, &made())));
    println!("{} cameras, {} points, {} sights", cameras.len(), points.len(), sights.len());
    println!(
        "largest part of the gradient {largest:.3e}, difference from the one by hand {difference:.1e}"
    );
    let primal = median(|| {
        black_box(reprojection(black_box(&cameras), &points, &sights));
    });
    let by_hand = median(|| {
        black_box(written());
    });
    let by_macro = median(|| {
        black_box(made());
    });
    println!("value {primal:.1} µs, gradient {by_macro:.1} µs, by hand {by_hand:.1} µs\n");
    difference <= 1e-11 * largest
}

/// A gradient by coordinates as one by steps.
fn by_steps(cameras: &[Camera], (by_camera, by_point): &ByCoordinates) -> BySteps {
    let cameras = cameras.iter().zip(by_camera);
    (
        cameras.map(|(camera, bar)| ByStep::of(camera, bar)).collect(),
        by_point.iter().map(|bar| bar.coords).collect(),
    )
}

/// The floats of a gradient.
fn floats((by_camera, by_point): &BySteps) -> Vec<f64> {
    let of_camera = |by: &ByStep| {
        let vectors = [by.rotation, by.translation];
        vectors.iter().flatten().copied().chain([by.focal]).collect::<Vec<_>>()
    };
    by_camera.iter().flat_map(of_camera).chain(by_point.iter().flatten().copied()).collect()
}

/// The largest part by magnitude, and the largest difference.
fn largest_difference(a: &[f64], b: &[f64]) -> (f64, f64) {
    assert_eq!(a.len(), b.len());
    let pairs = || a.iter().zip(b);
    (
        pairs().fold(0.0, |largest: f64, (a, _)| largest.max(a.abs())),
        pairs().fold(0.0, |largest: f64, (a, b)| largest.max((a - b).abs())),
    )
}

/// Microseconds of one run, the median of many.
fn median(run: impl Fn()) -> f64 {
    let mut times: Vec<f64> = (0..201)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Finds a camera again, and prints the lengths of its residuals on the way.
fn recover(camera: &Camera) -> bool {
    let points = scene::points();
    let pixels: Vec<_> = points.iter().map(|point| projected(camera, point)).collect();
    let (mut guess, still) = (scene::moved(camera), SVector::zeros());
    for _ in 0..12 {
        let residuals_now = residuals(&still, &guess, &points, &pixels);
        let length = residuals_now.iter().map(|r| r * r).sum::<f64>().sqrt();
        print!("{length:.1e} ");
        if length < 1e-13 {
            break;
        }
        let jacobian = residuals::jacobian(&still, &guess, &points, &pixels);
        let mut normal = SMatrix::<f64, FLOATS, FLOATS>::zeros();
        let mut right = SVector::<f64, FLOATS>::zeros();
        for (row, residual) in residuals_now.iter().enumerate() {
            let row = SVector::<f64, FLOATS>::from_column_slice(jacobian.row(row));
            normal += row * row.transpose();
            right += row * *residual;
        }
        let Some(factors) = normal.cholesky() else { break };
        guess = stepped(&guess, &-factors.solve(&right));
    }
    let error = guess.distance(camera);
    println!("\n  found to {error:.1e}");
    error <= 1e-9
}

#[cfg(test)]
mod tests {
    use super::bundle::model::Sight;
    use super::*;

    #[test]
    fn derivatives_pass_the_check() {
        let (cameras, points, sights) = (scene::guesses(), scene::points(), scene::sights());
        cotangent::check!(reprojection(&cameras[..2], &points[..3], &sights_of(&sights, 2, 3)))
            .unwrap();
        let pixels: Vec<_> = points.iter().map(|point| projected(&cameras[0], point)).collect();
        let still = SVector::zeros();
        cotangent::check!(residuals(&still, &cameras[1], &points[..4], &pixels[..4])).unwrap();
        let step = SVector::from([0.05, -0.08, 0.06, 0.3, -0.2, 0.25, 0.15]);
        cotangent::check!(stepped(&cameras[1], &step)).unwrap();
    }

    fn sights_of(sights: &[Sight], cameras: usize, points: usize) -> Vec<Sight> {
        let among = |sight: &&Sight| sight.camera < cameras && sight.point < points;
        sights.iter().filter(among).cloned().collect()
    }

    #[test]
    fn the_gradient_is_the_one_by_hand() {
        assert!(compare());
    }

    #[test]
    fn cameras_are_found_again() {
        assert!(scene::cameras().iter().all(recover));
    }
}
