//! Bundle adjustment with vectors of nalgebra: cameras and points from where the points were seen.
//!
//! ```text
//! cargo run --release --example bundle
//! ```
//!
//! A camera is a rotation vector, a centre and a focal length; it sees a point where the line from its centre goes through the
//! image. The residuals are written as users of nalgebra write them ([`bundle::model`]), with `norm`, `dot`, `cross` and the
//! operators. The gradient of half their squares by all cameras and points is compared with one by hand
//! ([`bundle::by_hand`]), which knows the derivative of a rotation in closed form, and both are timed. Then each camera is
//! found again from a wrong guess: Gauss and Newton's method with the Jacobian of its residuals.
//!
//! The exit status is failure unless the gradients agree to 1e-11 of the largest part, and each camera is found to 1e-9.

mod bundle {
    pub mod by_hand;
    pub mod model;
    pub mod scene;
}

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use bundle::model::{Camera, CameraTangent, reprojection, residuals};
use bundle::{by_hand, scene};
use cotangent::{Leaf, Tangent};
use nalgebra_0_35::{SMatrix, SVector, Vector3};

/// How many floats a camera has.
const FLOATS: usize = 7;

fn main() -> ExitCode {
    let is_equal = compare();
    let is_found = scene::cameras().iter().all(recover);
    if is_equal && is_found { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Compares the gradients, and prints what they cost.
fn compare() -> bool {
    let (cameras, points, sights) = (scene::guesses(), scene::points(), scene::sights());
    let written = || by_hand::gradient(&cameras, &points, &sights);
    let made = || reprojection::gradient(&cameras, &points, &sights);
    let (largest, difference) = largest_difference(&leaves(&written()), &leaves(&made()));
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

/// The floats of a gradient.
fn leaves(gradient: &(Vec<CameraTangent>, Vec<Vector3<f64>>)) -> Vec<f64> {
    let mut floats = vec![];
    gradient.visit(&mut |leaf: Leaf<'_>| floats.extend(leaf.float()));
    floats
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
    let pixels: Vec<_> = points.iter().map(|point| camera.project(point)).collect();
    let mut guess = scene::moved(camera);
    for _ in 0..12 {
        let residuals_now = residuals(&guess, &points, &pixels);
        let length = residuals_now.iter().map(|r| r * r).sum::<f64>().sqrt();
        print!("{length:.1e} ");
        if length < 1e-13 {
            break;
        }
        let jacobian = residuals::jacobian(&guess, &points, &pixels);
        let mut normal = SMatrix::<f64, FLOATS, FLOATS>::zeros();
        let mut right = SVector::<f64, FLOATS>::zeros();
        for (row, residual) in residuals_now.iter().enumerate() {
            let row = SVector::<f64, FLOATS>::from_column_slice(jacobian.row(row));
            normal += row * row.transpose();
            right += row * *residual;
        }
        let Some(factors) = normal.cholesky() else { break };
        guess.step(&-factors.solve(&right));
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
        let pixels: Vec<_> = points.iter().map(|point| cameras[0].project(point)).collect();
        cotangent::check!(residuals(&cameras[1], &points[..4], &pixels[..4])).unwrap();
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
