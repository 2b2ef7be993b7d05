//! Points of any float: what rustc optimises while it is still generic.
//!
//! This crate is optimised when it is tested, since rustc looks into pullbacks only then. Constants here have types
//! of which something active, or the result, is made as well.

use cotangent::{Differentiable, Float, differentiate};

/// A point of the plane.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct Point<T> {
    /// To the right.
    pub x: T,
    /// Up.
    pub y: T,
}

/// What can be seen from somewhere.
#[differentiate]
#[differentiate]
pub trait Seen<T: Float>: Sized {
    /// How it lies beside another one, for an eye.
    #[differentiate(wrt(self))]
    fn beside(&self, other: &Self, eye: &Point<T>) -> T;
}

#[differentiate]
#[differentiate]
impl<T: Float> Seen<T> for Point<T> {
    #[differentiate(wrt(self))]
    fn beside(&self, other: &Self, eye: &Point<T>) -> T {
        self.x * other.y * eye.x - self.y * eye.y
    }
}

#[differentiate]
#[differentiate]
impl<T: Float> Point<T> {
    /// The scalar product, by the other point.
    #[differentiate(wrt(other))]
    pub fn dot(&self, other: &Point<T>) -> T {
        self.x * other.x + self.y * other.y
    }

    /// Twice the area of the triangle with the origin, by this point.
    #[differentiate(wrt(self))]
    pub fn cross(&self, other: &Self) -> T {
        self.x * other.y - self.y * other.x
    }
}

/// A scaled point, with nothing constant.
#[differentiate]
#[differentiate]
pub fn scaled<T: Float>(point: &Point<T>, factor: T) -> Point<T> {
    Point { x: point.x * factor, y: point.y * factor.sin() }
}

/// A constant of the result's type.
#[differentiate(wrt(along))]
#[differentiate]
pub fn moved<T: Float>(from: &Point<T>, along: T) -> Point<T> {
    Point { x: from.x + along, y: from.y * along }
}

/// A constant of the type of elements.
#[differentiate(wrt(points))]
#[differentiate]
pub fn total<T: Float>(from: &Point<T>, points: &[Point<T>]) -> T {
    let mut sum = from.x;
    for point in points {
        sum += point.x * point.y * from.y;
    }
    sum
}

/// A constant of the type in an option.
#[differentiate(wrt(point))]
#[differentiate]
pub fn present<T: Float>(from: &Point<T>, point: Option<Point<T>>) -> T {
    match point {
        Some(point) => point.x * point.y * from.y,
        None => from.x,
    }
}

/// Constant elements of the type in a tuple.
#[differentiate(wrt(pair))]
#[differentiate]
pub fn first<T: Float>(points: &[Point<T>], pair: &(Point<T>, T)) -> T {
    pair.0.x * points[0].x * pair.1
}

/// A constant of a type of which nothing else is.
#[differentiate(wrt(x))]
#[differentiate]
pub fn weighted<T: Float>(by: &Point<T>, x: T) -> T {
    by.x * x * by.y * x
}

/// All of them, from one function.
#[differentiate]
#[differentiate]
pub fn everything<T: Float>(from: &Point<T>, along: T, list: &[Point<T>]) -> T {
    let point = moved(from, along);
    let sums = total(from, list) + present(from, Some(point)) + first(list, &(point, along));
    let products = from.dot(&point) + point.cross(from) + point.beside(&list[0], from);
    sums + products + weighted(from, along) + scaled(&point, along).y
}
