//! Clusters by the squared distance to the nearest centroid.
//!
//! In: points and centroids. Out: the cost, or the gradient divided by the diagonal of the Hessian.
//!
//! The Hessian is diagonal, so its product with ones is its diagonal. One `jvp` of the gradient gives both.

use cotangent::differentiate;
use serde_json::Value;

use crate::input::{self, Failure, unknown};
use crate::protocol::{Answer, Runs};

/// Points and centroids, each of `d` numbers.
#[derive(Debug)]
pub struct Clusters {
    pub points: Vec<f64>,
    pub centroids: Vec<f64>,
    pub d: usize,
}

#[differentiate(constant(b))]
#[differentiate]
fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (a, b) in a.iter().zip(b) {
        sum += (a - b) * (a - b);
    }
    sum
}

#[differentiate(wrt(centroids))]
#[differentiate]
fn cost(centroids: &[f64], points: &[f64], d: usize) -> f64 {
    let mut sum = 0.0;
    for point in points.chunks_exact(d) {
        let (mut nearest, mut least) = (0, f64::INFINITY);
        for j in 0..centroids.len() / d {
            let distance = squared_distance(&centroids[j * d..(j + 1) * d], point);
            if distance < least {
                nearest = j;
                least = distance;
            }
        }
        sum += squared_distance(&centroids[nearest * d..(nearest + 1) * d], point);
    }
    sum
}

#[differentiate(forward, wrt(centroids))]
fn slope(centroids: &[f64], points: &[f64], d: usize) -> Vec<f64> {
    cost::gradient(centroids, points, d)
}

impl Clusters {
    fn read(input: &Value) -> Result<Clusters, Failure> {
        let (points, centroids) =
            (input::floats(input, "points")?, input::floats(input, "centroids")?);
        let d = centroids.len() / input::rows(input, "centroids")?.max(1);
        Ok(Clusters { points, centroids, d })
    }

    /// The sum of the squared distances.
    pub fn cost(&self) -> f64 {
        cost(&self.centroids, &self.points, self.d)
    }

    /// The step of Newton's method, apart from its sign.
    pub fn direction(&self) -> Vec<f64> {
        let ones = vec![1.0; self.centroids.len()];
        let (mut direction, diagonal) = slope::jvp(&self.centroids, &ones, &self.points, self.d);
        for (step, diagonal) in direction.iter_mut().zip(&diagonal) {
            *step /= diagonal;
        }
        direction
    }
}

/// Runs a function of this module.
pub fn evaluate(function: &str, input: Value) -> Result<Answer, Failure> {
    let (runs, clusters) = (Runs::of(&input), Clusters::read(&input)?);
    let rows = |flat: &Vec<f64>| input::nested(flat, flat.len() / clusters.d, clusters.d);
    match function {
        "cost" => Ok(runs.measure(|| clusters.cost(), |&y| Value::from(y))),
        "dir" => Ok(runs.measure(|| clusters.direction(), rows)),
        _ => Err(unknown(function)),
    }
}
