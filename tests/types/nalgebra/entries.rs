//! Entries, by index and by name, read and written.

use cotangent::nalgebra::*;
use cotangent::{Differentiable, differentiate};
use nalgebra::{Matrix2, Matrix3, Vector3};

use crate::data::{A, B, X, Y};

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Body {
    pub position: Vector3<f64>,
    pub inertia: Matrix3<f64>,
    pub mass: f64,
}

fn body() -> Body {
    Body { position: X, inertia: B, mass: 2.5 }
}

corpus! {
    fn read(m: &Matrix3<f64>, v: Vector3<f64>) -> f64 { m[(0, 1)] * v[2] + v[0] * m[3] }
    at (&A, X) => {
        (Matrix3::new(0.0, v[2], 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
            + Matrix3::new(0.0, v[0], 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
            Vector3::new(m[(0, 1)], 0.0, m[(0, 1)]))
    };

    fn names(v: &Vector3<f64>, m: Matrix3<f64>) -> f64 { v.x * v.y + v.z * m.m11 * m.m23 }
    at (&X, A);

    fn written(m: &mut Matrix3<f64>, s: f64) { m[(0, 1)] = s * m[(1, 0)]; m[(2, 2)] *= s; }
    at (&mut A.clone(), 0.4);

    fn written_by_name(v: Vector3<f64>, s: f64) -> Vector3<f64> {
        let mut w = v;
        w.x = s * v.y;
        w.z += w.x * s;
        w
    }
    at (X, 0.4);

    fn filled(x: f64) -> Matrix2<f64> {
        let mut m = Matrix2::zeros();
        for i in 0..2 {
            for j in 0..2 {
                m[(i, j)] = x.powi((1 + i + 2 * j) as i32);
            }
        }
        m
    }
    at (0.4);

    fn loops(m: &Matrix3<f64>) -> f64 {
        let mut sum = 0.0;
        for i in 0..3 {
            for j in 0..i {
                sum += m[(i, j)] * m[(j, i)].sin();
            }
        }
        sum
    }
    at (&A);

    fn iterated(v: &Vector3<f64>, w: Vector3<f64>) -> f64 {
        let squares: f64 = v.iter().map(|x| x * x).sum();
        let mixed: f64 = v.iter().zip(w.iter()).map(|(x, y)| x * y.sin()).sum();
        squares * mixed * v.len() as f64
    }
    at (&X, Y);

    fn iterated_and_written(v: Vector3<f64>, s: f64) -> Vector3<f64> {
        let mut w = v;
        for entry in w.iter_mut() {
            *entry *= s;
        }
        w[1] += v[0];
        w
    }
    at (X, 0.4);

    fn overwritten(v: Vector3<f64>, s: f64) -> Vector3<f64> {
        let mut w = v * s;
        w.fill(s * s);
        w.x = v.y;
        w
    }
    at (X, 0.4);

    fn fields(body: &Body, force: Vector3<f64>) -> f64 {
        let moved = body.position + force / body.mass;
        moved[0] * (body.inertia * moved)[2]
    }
    at (&body(), Y);

    fn fields_written(body: &mut Body, h: f64) {
        body.position += body.inertia * body.position * h;
        body.inertia[(1, 1)] = h * body.mass;
        body.mass *= body.position.y;
    }
    at (&mut body(), 0.3);
}
