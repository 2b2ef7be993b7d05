//! Fields of structs, with and without a tangent type, and struct literals.
#![deny(warnings, missing_docs, clippy::all)]

use cotangent::{differentiate, Differentiable};

#[derive(Clone, Copy)]
struct Settings {
    scale: f64,
    steps: usize,
}

/// A point in the plane.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Upwards.
    pub y: f64,
}

#[differentiate(wrt(x))]
fn scaled(settings: Settings, x: f64) -> f64 {
    let mut y = x;
    for _ in 0..settings.steps {
        y *= settings.scale;
    }
    y
}

/// The square of a point's distance from the origin.
#[differentiate]
pub fn square(p: &Point) -> f64 {
    p.x * p.x + p.y * p.y
}

/// A point on a circle.
#[differentiate]
pub fn on_circle(angle: f64, radius: f64) -> Point {
    Point { x: radius * angle.cos(), y: radius * angle.sin() }
}

fn main() {
    assert_eq!(scaled::gradient(Settings { scale: 3.0, steps: 2 }, 1.0), 9.0);
    let gradient = square::gradient(&Point { x: 1.0, y: -2.0 });
    assert_eq!((gradient.x, gradient.y), (2.0, -4.0));
    let (value, tangent) = on_circle::jvp(0.0, 1.0, 2.0, 0.0);
    assert_eq!((value, tangent.y), (Point { x: 2.0, y: 0.0 }, 2.0));
}
