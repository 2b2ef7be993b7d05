//! Errors of types that are neither `Clone` nor differentiable: they are handed on, shown and counted, and never kept.

use cotangent::{Differentiable, differentiate};

/// Without `Clone`, as errors of libraries are.
#[derive(Debug)]
pub(crate) enum Failure {
    Range(String),
    Steps { count: usize },
}

impl Failure {
    fn weight(self) -> f64 {
        match self {
            Failure::Range(text) => text.len() as f64,
            Failure::Steps { count } => count as f64,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Path {
    points: Vec<f64>,
    factor: f64,
}

#[differentiate]
#[differentiate]
impl Path {
    fn walk(&mut self, start: f64, steps: usize) -> Result<f64, Failure> {
        let mut x = start;
        for i in 0..steps {
            x *= self.factor;
            if x > 10.0 {
                return Err(Failure::Steps { count: i });
            }
            self.points.push(x);
        }
        Ok(x)
    }
}

#[differentiate]
#[differentiate]
fn root(x: f64) -> Result<f64, Failure> {
    if x < 0.0 {
        return Err(Failure::Range(String::from("negative")));
    }
    Ok(x.sqrt())
}

#[differentiate]
#[differentiate]
fn both(x: f64, y: f64) -> Result<(f64, f64), Failure> {
    let a = root(x)?;
    let b = root(y * a)?;
    Ok((a, b))
}

fn path(factor: f64) -> Path {
    Path { points: vec![], factor }
}

corpus! {
    fn error_is_handed_on(x: f64) -> Result<f64, Failure> {
        let a = root(x)?;
        Ok(a * a * x)
    }
    at (1.3), (0.4);

    fn error_is_handed_on_out_of_a_loop(x: &[f64]) -> Result<f64, Failure> {
        let mut sum = 0.0;
        for xi in x {
            sum += root(*xi)? * xi;
        }
        Ok(sum * sum)
    }
    at (&[1.3, 0.4, 2.0]), (&[1.3, -0.4, 2.0]);

    fn error_is_shown(x: f64, y: f64) -> f64 {
        match both(x, y) {
            Ok((a, b)) => a * b,
            Err(failure) => {
                if x > 100.0 {
                    println!("{failure:?}");
                }
                x * y
            }
        }
    }
    at (1.3, 0.4), (1.3, -0.4);

    fn error_is_looked_into(x: f64) -> f64 {
        match root(x) {
            Ok(a) => a * x,
            Err(Failure::Range(text)) => text.len() as f64 * x,
            Err(Failure::Steps { count }) => count as f64,
        }
    }
    at (1.3), (-0.4);

    fn error_is_consumed(x: f64) -> f64 {
        match root(x) {
            Err(failure) => failure.weight() * x,
            Ok(a) => a * x,
        }
    }
    at (1.3), (-0.4);

    fn error_in_a_variable(x: f64) -> f64 {
        let result = root(x);
        let scale = x * 2.0;
        match result {
            Ok(a) => a * scale,
            Err(failure) => failure.weight() + scale,
        }
    }
    at (1.3), (-0.4);

    fn error_in_a_loop(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for xi in x {
            let result = root(*xi);
            sum += match result {
                Ok(a) => a * xi,
                Err(failure) => failure.weight() * sum,
            };
        }
        sum
    }
    at (&[1.3, -0.4, 2.0]);

    fn error_is_asked_for(x: f64, n: usize) -> f64 {
        let mut path = path(1.5);
        if path.walk(x, n).is_err() {
            return path.points.len() as f64 * x;
        }
        path.points[0] * path.points[n - 1]
    }
    at (1.3, 3), (1.3, 20);

    fn error_of_a_method_is_left(x: f64) -> f64 {
        let mut path = path(1.5);
        let _ = path.walk(x, 20);
        path.points[0] * path.points[2] + path.walk(x, 1).unwrap_or(x)
    }
    at (1.3);

    fn error_behind_a_let_else(x: f64) -> f64 {
        let Ok(a) = root(x) else { return x * x };
        let Err(failure) = root(-x) else { return x };
        a * failure.weight()
    }
    at (1.3), (-0.4);
}
