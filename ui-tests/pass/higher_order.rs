//! Functions that take functions, and what is given to them.
#![deny(warnings, unused, missing_docs, missing_debug_implementations)]

use cotangent::{differentiate, function, Differentiable, Float};

/// Takes a function of any kind.
#[differentiate]
pub fn integrate<F: Fn(f64) -> f64>(f: F, a: f64, b: f64) -> f64 {
    let (n, mut sum) = (10, 0.0);
    let h = (b - a) / n as f64;
    for i in 0..n {
        sum += f(a + (i as f64 + 0.5) * h) * h;
    }
    sum
}

/// By reference, of slices, generic.
#[differentiate]
pub fn combined<'a, T, G>(f: &impl Fn(&[T], T) -> T, g: &G, h: &dyn Fn(T), x: &'a [T]) -> T
where
    T: Float,
    G: Fn(T) -> (T, T) + Copy + 'static,
{
    h(x[0]);
    let (a, b) = g(x[0]);
    f(x, a) * f(&x[..1], b)
}

/// A function to be given.
#[differentiate]
pub const fn square(x: f64) -> f64 {
    x * x
}

/// A type whose methods take functions.
#[derive(Clone, Debug, Differentiable)]
pub struct Grid {
    /// The width.
    pub width: f64,
}

#[differentiate]
impl Grid {
    /// The integral from zero.
    pub fn integral(&self, f: impl Fn(f64) -> f64) -> f64 {
        integrate(|t| f(t) * self.width, 0.0, self.width)
    }
}

/// Gives closures and functions.
#[differentiate]
pub fn callers(x: f64, w: &[f64], grid: &Grid) -> f64 {
    let line = |t: f64| t * w[0] + x;
    let a = integrate(square, 0.0, x) + integrate(line, 0.0, x) + line(1.0);
    let b = grid.integral(|t| t * x) + grid.integral(square);
    a * b + combined(&|x: &[f64], y| x[0] * y, &|t| (t, t * t), &|_| (), w)
}

/// The same for constants.
#[differentiate]
pub fn constants(x: f64, n: usize) -> f64 {
    x * integrate(|t| t * n as f64, 0.0, 1.0) * integrate(square, 0.0, 1.0)
}

/// A function pointer is constant.
#[differentiate]
pub fn pointed(f: fn(f64) -> f64, x: f64) -> f64 {
    f(2.0) * x
}

fn main() {
    let _ = callers::gradient(0.5, &[1.0, 2.0], &Grid { width: 2.0 });
    let _ = integrate::gradient(function!(square), 0.0, 1.0);
    let _ = integrate::jvp(function!(|x: f64| -> f64 { x.sin() }), 0.0, 1.0, 1.0, 0.0);
    assert_eq!(constants::gradient(1.0, 0), 0.0);
    assert_eq!(pointed::gradient(|x| x * x, 1.0), 4.0);
}
