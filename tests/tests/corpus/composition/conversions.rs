//! Type parameters for which numbers stand that can be converted into floats.

use cotangent::{Differentiable, differentiate};

#[differentiate]
#[differentiate]
fn square<T: Into<f64>>(x: T) -> f64 {
    let x: f64 = x.into();
    x * x
}

#[differentiate]
#[differentiate]
fn of_any_number(x: impl Into<f64>) -> f64 {
    let x = x.into();
    x.sin() * x
}

#[differentiate]
#[differentiate]
fn converted_from<T: Copy>(x: T) -> f64
where
    f64: From<T>,
{
    f64::from(x) * f64::from(x)
}

#[differentiate]
#[differentiate]
fn elements<A: Into<f64> + Copy, B>(a: A, b: &[B]) -> f64
where
    B: Into<f64> + Copy,
{
    let mut sum = a.into();
    for i in 0..b.len() {
        sum += b[i].into() * a.into();
    }
    sum + b.iter().map(|b| (*b).into()).sum::<f64>()
}

#[derive(Clone, Copy, Differentiable)]
pub(crate) struct Measured<T> {
    x: T,
    k: f64,
}

#[differentiate]
#[differentiate]
impl<T: Into<f64> + Copy + Differentiable> Measured<T> {
    fn scaled(&self, y: impl Into<f64>) -> f64 {
        let x: f64 = self.x.into();
        let y: f64 = y.into();
        x * y * self.k
    }
}

#[differentiate]
#[differentiate]
fn calls(x: f64, y: f32) -> f64 {
    square(x) + of_any_number(y) + square(2_i32) * x
}

checks! {
    square at (0.3), (0.3_f32), (3_i32);
    of_any_number at (0.3), (0.3_f32), (3_u8);
    converted_from at (0.3), (0.3_f32), (3_i16);
    elements at (0.3, &[1.0_f32, 2.0]);
    calls at (0.3, 0.4);
}

#[test]
fn methods() {
    crate::rows::accept("floats", cotangent::check!(Measured { x: 0.3, k: 2.0 }.scaled(0.5)));
    crate::rows::accept("integers", cotangent::check!(Measured { x: 3_u8, k: 2.0 }.scaled(0.5)));
}
