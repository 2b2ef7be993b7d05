//! Operators of types of the user's own compile without warnings, where nothing is imported and names are taken.

#![deny(warnings, missing_docs)]
#![no_implicit_prelude]

/// Takes the names of what operators are differentiated by.
#[allow(dead_code)]
mod core {}

/// A vector.
#[derive(
    ::std::clone::Clone, ::std::marker::Copy, ::std::fmt::Debug, ::cotangent::Differentiable,
)]
pub struct Vector<T> {
    /// The first part.
    pub x: T,
    /// The second.
    pub y: T,
}

#[::cotangent::differentiate]
impl<T: ::cotangent::Float> ::std::ops::Add for Vector<T> {
    type Output = Self;

    #[inline]
    fn add(self, Self { x, y }: Self) -> Self::Output {
        Self { x: self.x + x, y: self.y + y }
    }
}

#[::cotangent::differentiate]
impl<'a, T: ::cotangent::Float> ::std::ops::Sub<&'a Vector<T>> for Vector<T> {
    type Output = Vector<T>;

    fn sub(self, rhs: &'a Vector<T>) -> Vector<T> {
        Vector::<T> { x: self.x - rhs.x, y: self.y - rhs.y }
    }
}

#[::cotangent::differentiate]
impl<T> ::std::ops::Mul<T> for Vector<T>
where
    T: ::cotangent::Float,
{
    type Output = Vector<T>;

    fn mul(self, mut add: T) -> Vector<T> {
        add = add + add;
        Vector { x: self.x * add, y: self.y * add }
    }
}

#[::cotangent::differentiate]
impl ::std::ops::Neg for Vector<f64> {
    type Output = Vector<f64>;

    fn neg(self) -> Vector<f64> {
        Vector { x: -self.x, y: -self.y }
    }
}

/// Uses all of them.
#[::cotangent::differentiate]
pub fn used(a: Vector<f64>, b: &Vector<f64>, by: f64) -> f64 {
    let c = -(a * by + *b - &a);
    c.x * c.y
}

fn main() {
    let (a, b) = (Vector { x: 0.3, y: 0.4 }, Vector { x: 0.5, y: 0.6 });
    let _ = used::gradient(a, &b, 0.5);
}
