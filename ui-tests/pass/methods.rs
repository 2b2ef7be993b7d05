//! Methods with derivatives beside them, one by one and by the block, and calls of them.
#![deny(warnings, missing_docs, clippy::all)]

use cotangent::{differentiate, Differentiable};

/// A point in the plane.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Upwards.
    pub y: f64,
}

#[differentiate]
impl Point {
    /// A point by its coordinates.
    #[must_use]
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// The scalar product.
    #[must_use]
    pub fn dot(self, other: Point) -> f64 {
        self.x * other.x + self.y * other.y
    }

    /// Moves the point.
    #[differentiate(constant(by))]
    pub fn shift(&mut self, by: f64) {
        self.x += by;
        self.y += by;
    }

    fn square(&self) -> f64 {
        self.dot(*self)
    }
}

/// The hidden part of a scale.
pub struct Scale<const N: usize>;

impl<const N: usize> Scale<N> {
    /// How many marks it has.
    pub const MARKS: usize = N;
}

/// A path through points.
#[differentiate]
pub fn path(points: &mut [Point], k: f64) -> f64 {
    let mut sum = 0.0;
    for point in points {
        point.shift(2.0);
        sum += k * point.square();
    }
    sum
}

fn main() {
    let (value, gradient) = Point::new(1.0, 2.0).dot_value_and_gradient(Point::new(3.0, 4.0));
    assert_eq!((value, gradient.0.x, gradient.1.y), (11.0, 3.0, 2.0));
    let mut points = [Point::new(1.0, -2.0)];
    let (points_bar, k_bar) = path::gradient(&mut points, 1.0);
    assert_eq!((points_bar[0].x, points_bar[0].y, k_bar), (6.0, 0.0, 9.0));
    assert_eq!(Scale::<3>::MARKS, 3);
}
