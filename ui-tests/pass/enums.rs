//! Enums, `Option` and `Result`: by pattern, in place, left by `?`.
#![deny(warnings, unused, missing_docs, clippy::all)]

use cotangent::{differentiate, Differentiable};

/// A figure.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub enum Shape {
    /// By its radius.
    Circle(f64),
    /// By its sides.
    Rect {
        /// From left to right.
        width: f64,
        /// From bottom to top.
        height: f64,
    },
    /// Nothing.
    Empty,
}

/// Its area, with three for the circle's number.
#[differentiate]
pub fn area(shape: &Shape) -> f64 {
    match shape {
        Shape::Circle(r) => 3.0 * r * r,
        Shape::Rect { width, height } => width * height,
        Shape::Empty => 0.0,
    }
}

/// Makes it larger.
#[differentiate]
pub fn grow(shape: &mut Shape, k: f64) {
    match shape {
        Shape::Circle(r) => *r *= k,
        Shape::Rect { width, .. } => *width *= k,
        Shape::Empty => {}
    }
}

/// The square root, where there is one.
#[differentiate]
pub fn root(x: f64) -> Option<f64> {
    if x < 0.0 {
        None
    } else {
        Some(x.sqrt())
    }
}

/// The product of two roots.
#[differentiate]
pub fn product(x: f64, y: f64) -> Option<f64> {
    let (a, b) = (root(x)?, root(y)?);
    Some(a * b)
}

#[differentiate]
fn checked(x: &[f64], limit: f64) -> Result<f64, String> {
    let mut sum = 0.0;
    for v in x {
        if v.abs() > limit {
            return Err(String::from("too large"));
        }
        sum += v * v;
    }
    Ok(sum)
}

fn main() {
    let shape = Shape::Rect { width: 2.0, height: 3.0 };
    let gradient = area::gradient(&shape);
    assert_eq!(gradient, ShapeTangent::Rect { width: 3.0, height: 2.0 });
    let mut circle = Shape::Circle(2.0);
    let mut circle_dot = ShapeTangent::Zero;
    grow::jvp(&mut circle, &mut circle_dot, 3.0, 1.0);
    assert_eq!((circle, circle_dot), (Shape::Circle(6.0), ShapeTangent::Circle(2.0)));
    let (value, pullback) = product::vjp(4.0, 9.0);
    assert_eq!((value, pullback(Some(1.0))), (Some(6.0), (0.75, 1.0 / 3.0)));
    assert_eq!(product::jvp(-1.0, 1.0, 1.0, 1.0), (None, None));
    assert_eq!(checked::jvp(&[3.0], &[1.0], 5.0, 0.0), (Ok(9.0), Some(6.0)));
}
