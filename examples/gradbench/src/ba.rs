//! Bundle adjustment: the errors of cameras that look at points.
//!
//! In: a camera, a point, a weight and a feature, to be repeated. Out: all errors, or their Jacobian in compressed rows.
//!
//! The rows of an observation have entries for its camera, its point and its weight. Each row is a pullback.

use cotangent::differentiate;
use serde_json::{Value, json};

use crate::input::{self, Failure, unknown};
use crate::protocol::{Answer, Runs};

/// Rotation, centre, focal length, principal point, and two coefficients of distortion.
pub type Camera = [f64; 11];

/// The entries of a row of a reprojection error.
const WIDTH: usize = 15;
/// The entries of all rows of one observation.
const ENTRIES: usize = 31;

/// Cameras and points, and observations of both.
#[derive(Debug)]
pub struct Scene {
    pub cameras: Vec<Camera>,
    pub points: Vec<[f64; 3]>,
    pub weights: Vec<f64>,
    pub features: Vec<[f64; 2]>,
}

/// The errors of all observations.
#[derive(Debug, Default)]
pub struct Errors {
    reprojection: Vec<[f64; 2]>,
    weight: Vec<f64>,
}

/// A matrix in compressed rows.
#[derive(Debug, Default)]
pub struct Sparse {
    rows: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

#[differentiate]
fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Rotates `v` about the axis `r` by the norm of `r`, by the formula of Rodrigues.
#[differentiate]
fn rotate(r: &[f64; 3], v: &[f64; 3]) -> [f64; 3] {
    let square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    if square == 0.0 {
        let c = cross(r, v);
        return [v[0] + c[0], v[1] + c[1], v[2] + c[2]];
    }
    let angle = square.sqrt();
    let (sin, cos) = angle.sin_cos();
    let u = [r[0] / angle, r[1] / angle, r[2] / angle];
    let c = cross(&u, v);
    let along = (u[0] * v[0] + u[1] * v[1] + u[2] * v[2]) * (1.0 - cos);
    [
        v[0] * cos + c[0] * sin + u[0] * along,
        v[1] * cos + c[1] * sin + u[1] * along,
        v[2] * cos + c[2] * sin + u[2] * along,
    ]
}

/// The weighted distance between the image of `point` and `feature`.
#[differentiate(constant(feature))]
fn reprojection(camera: &[f64; 11], point: &[f64; 3], weight: f64, feature: &[f64; 2]) -> [f64; 2] {
    let v = [point[0] - camera[3], point[1] - camera[4], point[2] - camera[5]];
    let y = rotate(&[camera[0], camera[1], camera[2]], &v);
    let a = [y[0] / y[2], y[1] / y[2]];
    let square = a[0] * a[0] + a[1] * a[1];
    let distortion = 1.0 + camera[9] * square + camera[10] * square * square;
    [
        weight * (camera[6] * a[0] * distortion + camera[7] - feature[0]),
        weight * (camera[6] * a[1] * distortion + camera[8] - feature[1]),
    ]
}

#[differentiate]
fn weight_error(weight: f64) -> f64 {
    1.0 - weight * weight
}

impl Scene {
    fn read(input: &Value) -> Result<Scene, Failure> {
        let p = input::count(input, "p")?;
        Ok(Scene {
            cameras: vec![input::array(input, "cam")?; input::count(input, "n")?],
            points: vec![input::array(input, "x")?; input::count(input, "m")?],
            weights: vec![input::float(input, "w")?; p],
            features: vec![input::array(input, "feat")?; p],
        })
    }

    /// Computes all errors.
    pub fn objective(&self, errors: &mut Errors) {
        let (n, m) = (self.cameras.len(), self.points.len());
        let observations = self.weights.iter().zip(&self.features).enumerate();
        let error = |(i, (&weight, feature))| {
            reprojection(&self.cameras[i % n], &self.points[i % m], weight, feature)
        };
        errors.reprojection.clear();
        errors.reprojection.extend(observations.map(error));
        errors.weight.clear();
        errors.weight.extend(self.weights.iter().map(|&weight| weight_error(weight)));
    }

    /// Computes the Jacobian of all errors.
    pub fn jacobian(&self, matrix: &mut Sparse) {
        let p = self.weights.len();
        matrix.columns.resize(ENTRIES * p, 0);
        matrix.values.resize(ENTRIES * p, 0.0);
        let starts =
            (0..=2 * p).map(|row| WIDTH * row).chain((1..=p).map(|row| 2 * WIDTH * p + row));
        matrix.rows.clear();
        matrix.rows.extend(starts.map(|start| start as u32));
        self.write_columns(&mut matrix.columns);
        self.write_values(&mut matrix.values);
    }

    fn write_columns(&self, columns: &mut [u32]) {
        let (n, m, p) = (self.cameras.len(), self.points.len(), self.weights.len());
        let (errors, weights) = columns.split_at_mut(2 * WIDTH * p);
        let first = (11 * n + 3 * m) as u32;
        for (i, pair) in errors.chunks_exact_mut(2 * WIDTH).enumerate() {
            let (camera, point) = ((11 * (i % n)) as u32, (11 * n + 3 * (i % m)) as u32);
            for row in pair.chunks_exact_mut(WIDTH) {
                row[..11].iter_mut().zip(camera..).for_each(|(entry, column)| *entry = column);
                row[11..14].iter_mut().zip(point..).for_each(|(entry, column)| *entry = column);
                row[14] = first + i as u32;
            }
        }
        weights.iter_mut().zip(first..).for_each(|(entry, column)| *entry = column);
    }

    fn write_values(&self, values: &mut [f64]) {
        let p = self.weights.len();
        let (errors, weights) = values.split_at_mut(2 * WIDTH * p);
        for (i, pair) in errors.chunks_exact_mut(2 * WIDTH).enumerate() {
            let (first, second) = pair.split_at_mut(WIDTH);
            self.row(i, [1.0, 0.0], first);
            self.row(i, [0.0, 1.0], second);
        }
        for (entry, &weight) in weights.iter_mut().zip(&self.weights) {
            *entry = weight_error::gradient(weight);
        }
    }

    /// Writes the row of observation `i` that belongs to the cotangent `seed` of its error.
    fn row(&self, i: usize, seed: [f64; 2], row: &mut [f64]) {
        let (camera, point) =
            (&self.cameras[i % self.cameras.len()], &self.points[i % self.points.len()]);
        let (mut camera_bar, mut point_bar) = ([0.0; 11], [0.0; 3]);
        let (_, pullback) = reprojection::vjp(camera, point, self.weights[i], &self.features[i]);
        row[14] = pullback(camera, &mut camera_bar, point, &mut point_bar, &self.features[i], seed);
        row[..11].copy_from_slice(&camera_bar);
        row[11..14].copy_from_slice(&point_bar);
    }
}

/// The first entries of an array, and the last one.
fn excerpt<T: Copy + Into<Value>>(array: &[T]) -> Value {
    array.iter().take(30).chain(array.last()).map(|&entry| entry.into()).collect()
}

/// Runs a function of this module.
pub fn evaluate(function: &str, input: Value) -> Result<Answer, Failure> {
    let (runs, scene) = (Runs::of(&input), Scene::read(&input)?);
    if scene.weights.is_empty() || scene.points.is_empty() || scene.cameras.is_empty() {
        return Err("nothing to be seen".to_string());
    }
    let errors = |errors: &Errors| {
        json!({
            "reproj_error": { "elements": errors.reprojection[0], "repeated": errors.reprojection.len() },
            "w_err": { "element": errors.weight[0], "repeated": errors.weight.len() },
        })
    };
    let sparse = |sparse: &Sparse| {
        json!({
            "rows": excerpt(&sparse.rows),
            "cols": excerpt(&sparse.columns),
            "vals": excerpt(&sparse.values),
        })
    };
    match function {
        "objective" => {
            Ok(runs.measure_into(Errors::default(), |result| scene.objective(result), errors))
        }
        "jacobian" => {
            Ok(runs.measure_into(Sparse::default(), |result| scene.jacobian(result), sparse))
        }
        _ => Err(unknown(function)),
    }
}
