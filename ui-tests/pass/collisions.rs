//! Names of the user's that are those of emitted code, of the standard library or of `cotangent`, and traits whose methods
//! are named like those of floats, integers and derivatives.
#![deny(warnings, unused, missing_docs)]
#![allow(non_snake_case, non_camel_case_types, dead_code)]

use cotangent::{Differentiable, check, differentiate};

/// All that emitted code calls on floats and on lengths.
trait Shadow: Sized {
    fn sin(self) -> i32 { 0 }
    fn cos(self) -> i32 { 0 }
    fn exp(&self) -> u8 { 0 }
    fn abs(self) -> i32 { 0 }
    fn sqrt(self) -> i32 { 0 }
    fn max(self, _: Self) -> i32 { 0 }
    fn min(self, _: Self) -> i32 { 0 }
    fn clone(&self) -> i32 { 0 }
    fn add(self, _: Self) -> i32 { 0 }
    fn add_assign(&self) {}
    fn into_iter(self) -> i32 { 0 }
    fn zero_tangent(&self) -> i32 { 0 }
    fn vjp(&self) -> i32 { 0 }
    fn seed(&self) {}
    fn saturating_sub(self, _: Self) -> i32 { 0 }
    fn div_ceil(self, _: Self) -> i32 { 0 }
}

impl Shadow for f64 {}
impl Shadow for f32 {}
impl Shadow for usize {}

#[differentiate]
fn shadowed(x: f64, y: f64) -> f64 {
    x.sin() * y.exp().max(x) + x.abs().sqrt()
}

#[differentiate]
fn chained(x: &[f64], y: &[f64]) -> f64 {
    let products = x.iter().zip(y).skip(1).step_by(2).take(3).map(|(a, b)| a * b);
    let neighbours = x.windows(2).rev().map(|pair| pair[0] * pair[1]);
    products.sum::<f64>() + neighbours.sum::<f64>() + x.chunks(2).map(|pair| pair[0].cos()).sum::<f64>()
}

/// Names of parameters and variables that emitted code makes, too.
#[differentiate]
fn tape(tape: f64, pullback: f64, seed: f64, value: f64, x: f64, x_bar: f64, x_dot: f64, core: f64, std: f64) -> f64 {
    let (shadow, state, item) = (tape * pullback, seed * value, core * std);
    let mut sum = 0.0;
    for index in 0..3 {
        sum += shadow * x * index as f64;
        sum = sum * x_bar + x_dot;
    }
    let (alloc, cotangent, tangent, result, lane, carry) = (sum, sum, item, state, sum, sum);
    alloc * cotangent + tangent * result * lane * carry
}

/// Parameters that are called like the derivatives.
#[differentiate]
fn vjp(jvp: &[f64], accumulate_gradient: &mut [f64], shadow: Option<f64>) -> f64 {
    accumulate_gradient[0] *= jvp[0];
    accumulate_gradient[0] * shadow.unwrap_or(1.0)
}

/// Functions that are called like types, whose companions stand where the types did.
mod types {
    use core::primitive::f64 as float;
    use cotangent::differentiate;

    #[differentiate]
    pub(super) fn f64(x: float) -> float {
        x * x
    }

    #[differentiate]
    pub(super) fn usize(x: &[float]) -> float {
        let mut y = x[0];
        for i in (0..x.len()).rev().step_by(2) {
            y = y.sin() * x[i];
        }
        x.iter().skip(1).zip(x).map(|(a, b)| a * b).sum::<float>() + y
    }

    #[differentiate]
    pub(super) fn bool(x: float, w: [float; 2]) -> float {
        if x > 1.0 { x * w[0] } else { 2.0 * x * w[1] }
    }

    #[differentiate]
    pub(super) fn Vec(x: &[float]) -> std::vec::Vec<float> {
        x.iter().map(|value| value * value).collect()
    }

    #[differentiate]
    pub(super) fn Option(x: std::option::Option<float>) -> std::option::Option<float> {
        let value = x?;
        Some(value * value)
    }

    #[derive(Clone, cotangent::Differentiable)]
    pub(super) struct Kept {
        pub(super) value: float,
    }

    #[differentiate]
    pub(super) fn Box(kept: &Kept) -> float {
        kept.value * kept.value
    }
}

/// Modules and types that hide those that emitted code names.
mod hidden {
    mod core {}
    mod std {}
    mod alloc {}
    mod cotangent {}
    struct Vec;
    struct Some;
    struct None;
    struct Ok;
    struct Err;
    struct Default;
    struct Iterator;
    struct Ord;

    #[::cotangent::differentiate]
    pub(super) fn stored(x: &[f64], n: usize) -> f64 {
        let squares: ::std::vec::Vec<f64> = x.iter().map(|value| value * value).collect();
        let largest = x.iter().copied().reduce(|a, b| a.max(b)).unwrap_or_default();
        let mut y = largest;
        for i in 0..n {
            y = y.sin() * squares[i];
            if y > 3.0 {
                break;
            }
        }
        let cotangent = y * y;
        let mut doubled = vec![cotangent; 2];
        doubled[0] *= 2.0;
        doubled.iter().sum()
    }

    #[::cotangent::differentiate]
    pub(super) fn tried(x: Option<f64>, y: Result<f64, u8>) -> Option<f64> {
        let value = x?;
        ::std::option::Option::Some(value * y.unwrap_or(2.0))
    }

    #[::cotangent::differentiate]
    pub(super) fn converted(x: Result<f64, u8>) -> Result<f64, u8> {
        let value = x?;
        ::std::result::Result::Ok(value * value)
    }
}

#[derive(Clone, Differentiable)]
struct r#struct {
    r#type: f64,
    größe: Vec<f64>,
}

#[derive(Clone, Differentiable)]
enum r#enum {
    r#fn(f64),
    Ä { r#type: f64 },
    Zero,
}

#[differentiate]
impl r#struct {
    fn r#fn(&self, r#mut: f64) -> f64 {
        self.r#type * r#mut
    }

    fn wächst(&mut self) {
        self.größe[0] *= self.r#type;
    }
}

#[differentiate]
fn r#type(r#in: &mut r#struct, r#match: &r#enum, λ: f64) -> f64 {
    r#in.wächst();
    let ψ = r#in.r#fn(λ) * r#in.größe[0];
    let r#let = match r#match {
        r#enum::r#fn(r#in) => r#in * ψ,
        r#enum::Ä { r#type } => *r#type + ψ,
        r#enum::Zero => ψ,
    };
    assert!(r#let < 1e3, "{} {let}", ψ);
    let r#struct { r#type, größe } = &*r#in;
    let held = r#struct { r#type: *r#type * r#let, größe: größe.clone() };
    held.r#type * held.größe[0]
}

#[differentiate]
fn 関数<r#gen: cotangent::Float>(r#static: &[r#gen], r#move: r#gen) -> r#gen {
    let r#dyn = |r#ref: r#gen| r#ref * r#move + r#gen::from(2.0).unwrap();
    let mut Σ = r#gen::zero();
    for r#ref in r#static {
        Σ += r#dyn(*r#ref);
    }
    Σ
}

fn main() {
    assert_eq!(types::f64::gradient(3.0), 6.0);
    let data = [0.3, 1.1, 0.4, 0.7, 0.9];
    check!(shadowed(0.3, 0.4)).unwrap();
    check!(chained(&data, &data)).unwrap();
    check!(tape(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)).unwrap();
    check!(vjp(&[0.3, 1.0], &mut [0.2], Some(2.0))).unwrap();
    check!(types::usize(&data)).unwrap();
    check!(types::bool(0.3, [1.0, 2.0])).unwrap();
    check!(types::Vec(&data)).unwrap();
    check!(types::Option(Some(2.0))).unwrap();
    check!(types::Box(&types::Kept { value: 2.0 })).unwrap();
    check!(hidden::stored(&data, 3)).unwrap();
    check!(hidden::tried(Some(2.0), Err(3))).unwrap();
    check!(hidden::converted(Ok(2.0))).unwrap();
    for variant in [r#enum::r#fn(0.3), r#enum::Ä { r#type: 0.4 }, r#enum::Zero] {
        let mut value = r#struct { r#type: 1.5, größe: vec![0.5] };
        check!(r#type(&mut value, &variant, 0.7)).unwrap();
    }
    check!(関数(&data, 0.7)).unwrap();
}
