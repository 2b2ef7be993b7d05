//! Functions with type parameters: one function for `f32` and `f64`, types with parameters, and parameters
//! that are no floats. Each that stands for a float is checked as both.

use cotangent::{Differentiable, differentiate};
use num_traits::{Float, FloatConst};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, MulAssign};

#[differentiate]
#[differentiate]
fn sines<T: Float>(x: &[T], w: T) -> T {
    let mut sum = T::zero();
    for i in 0..x.len() {
        sum = sum + (w * x[i]).sin();
    }
    sum * w
}

#[differentiate]
#[differentiate]
fn constants<T: Float>(x: T, y: T) -> T {
    let half = T::from(0.5).unwrap();
    let third = T::one() / T::from(3).expect("a float");
    half * x * x + third * y.max(T::epsilon()) - T::from(2.5e-1).unwrap()
}

#[differentiate]
#[differentiate]
fn converted<T: Float>(x: &[T], n: usize) -> T {
    let mean = x.iter().fold(T::zero(), |sum, x| sum + *x) / T::from(x.len()).unwrap();
    mean * T::from(n).unwrap() * T::from(0.1_f32).unwrap()
}

#[differentiate]
#[differentiate]
fn methods<T: Float>(x: T, y: T) -> T {
    let angle = Float::atan2(x, y) + T::exp(-x) + <T as Float>::ln(y);
    let powers = x.powi(3) + y.powf(x) + x.hypot(y) + (x * y).abs().sqrt();
    angle * powers.tanh() + x.mul_add(y, x).recip() + T::floor(y) * x
}

#[differentiate]
#[differentiate]
fn clause<T>(x: T, y: T) -> T
where
    T: Float + FloatConst,
{
    (x * T::PI()).cos() * y + T::E().powf(x)
}

#[differentiate]
#[differentiate]
fn assigned<T: Float + AddAssign + MulAssign>(x: &mut [T], h: T) -> T {
    for x in x.iter_mut() {
        *x += h;
        *x *= h;
    }
    x[0] * x[1]
}

#[differentiate]
#[differentiate]
fn summed<T: Float + Sum>(x: &[T]) -> T {
    let sum: T = x.iter().copied().sum();
    sum * x.iter().map(|x| *x * *x).sum::<T>()
}

#[differentiate]
#[differentiate]
fn ring<T: Add<Output = T> + Mul<Output = T> + Copy>(x: T, y: T) -> T {
    x * y + x * x
}

#[differentiate]
#[differentiate]
fn branched<T: Float>(x: T) -> T {
    if x > T::one() {
        return x.ln();
    }
    match x < T::zero() {
        true => -x,
        false => x * x,
    }
}

#[differentiate]
#[differentiate]
fn halved<T: Float>(x: T) -> T {
    let (mut y, mut steps) = (x, 0);
    while y > T::from(0.1).unwrap() && steps < 20 {
        y = y / (T::one() + x);
        steps += 1;
    }
    y * T::from(steps).unwrap()
}

#[differentiate]
#[differentiate]
fn rotated<T: Float>(x: T, y: T, angle: T) -> (T, T) {
    let (sin, cos) = angle.sin_cos();
    (cos * x - sin * y, sin * x + cos * y)
}

#[differentiate]
#[differentiate]
fn reversed<T: Float, const N: usize>(x: [T; N]) -> [T; N] {
    let mut y = [T::zero(); N];
    for i in 0..N {
        y[i] = x[i] * x[N - 1 - i];
    }
    y
}

#[differentiate]
#[differentiate]
fn scaled<T: Float>(x: &[T], y: T) -> Vec<T> {
    x.iter().map(|x| *x * y).collect()
}

#[differentiate]
#[differentiate]
fn stacked<T: Float>(x: &[T]) -> T {
    let mut stack = Vec::new();
    for x in x {
        stack.push(*x * *x);
        stack.push(T::one());
    }
    let mut product = T::one();
    while let Some(top) = stack.pop() {
        product = product * (top + T::one());
    }
    product
}

#[differentiate]
#[differentiate]
fn norm<T: Float>(x: &[T]) -> T {
    let mut sum = T::zero();
    for x in x {
        sum = sum + *x * *x;
    }
    sum.sqrt()
}

#[differentiate]
#[differentiate]
fn calls<T: Float>(x: &mut [T], y: T) -> T {
    let before = norm::<T>(x);
    let (a, b) = rotated(x[0], x[1], y);
    x[0] = a * b;
    before * norm(&x[..2]) + scaled(x, y)[1]
}

#[differentiate]
#[differentiate]
fn of_one_type(x: &[f32], y: f64) -> f64 {
    norm(x) as f64 * norm::<f64>(&[y, y * y])
}

#[differentiate]
#[differentiate]
fn in_the_body<T: Float>(x: T) -> T {
    #[differentiate]
    #[differentiate]
    fn inner<U: Float>(x: U) -> U {
        x.sin() * x
    }
    inner(x) + inner::<T>(x * x)
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub(crate) struct Vector<T> {
    pub x: T,
    pub y: T,
}

#[differentiate]
#[differentiate]
fn cross<T: Float>(a: &Vector<T>, b: Vector<T>) -> T {
    a.x * b.y - a.y * b.x
}

#[differentiate]
#[differentiate]
fn turned<T: Float>(a: Vector<T>, angle: T) -> Vector<T> {
    let (x, y) = rotated(a.x, a.y, angle);
    Vector { x, y }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Spring<T> {
    pub stiffness: T,
    pub rest: T,
    pub history: Vec<T>,
}

#[differentiate]
#[differentiate]
impl<T: Float + Sum> Spring<T> {
    pub fn new(stiffness: T, rest: T) -> Self {
        Spring { stiffness, rest: rest * rest, history: vec![T::one(), stiffness] }
    }

    pub fn energy(&self, x: T) -> T {
        let d = x - self.rest;
        T::from(0.5).unwrap() * self.stiffness * d * d
    }

    pub fn relax(&mut self, rate: T) {
        self.history.push(self.rest);
        self.rest = self.rest + rate * self.stiffness;
    }

    pub fn total(self, x: T) -> T {
        let past: T = self.history.iter().map(|past| past.sin()).sum();
        past * self.energy(x)
    }
}

#[differentiate]
#[differentiate]
fn relaxed<T: Float + Sum>(spring: &mut Spring<T>, x: T) -> T {
    spring.relax(x);
    let made = Spring::new(spring.energy(x), x);
    made.energy(x) + spring.history.iter().copied().sum::<T>()
}

#[differentiate]
#[differentiate]
fn of_a_map<K: Ord + Clone>(weights: &BTreeMap<K, f64>, key: &K, x: f64) -> f64 {
    weights[key] * x
}

#[differentiate]
#[differentiate(constant(key))]
fn constant_key<K: Ord + Copy + Debug>(weights: &BTreeMap<K, f64>, key: K, x: f64) -> f64 {
    assert!(weights.contains_key(&key), "{key:?}");
    weights[&key] * x * x
}

#[differentiate]
#[differentiate]
fn carried<P: Clone>(points: &[P], first: P, x: f64) -> (Vec<P>, f64) {
    let mut all = points.to_vec();
    all.push(first);
    (all, x * x)
}

#[differentiate]
#[differentiate]
fn exchanged<P>(a: &mut P, b: &mut P, x: f64) -> f64 {
    std::mem::swap(a, b);
    x * x
}

#[differentiate]
#[differentiate]
fn anonymous(x: impl Float, scale: &(impl Float + Into<f64>), y: f64) -> f64 {
    let _ = (x * x, *scale);
    y.sin()
}

#[differentiate]
#[differentiate]
fn half_anonymous<T: Float>(x: &[T], tag: impl Copy + PartialEq) -> T {
    if tag == tag { x[0] * x[1] } else { x[0] }
}

#[differentiate]
#[differentiate]
fn calls_anonymous<T: Float>(x: &[T]) -> T {
    half_anonymous(x, 'a') * half_anonymous(x, 1)
}

checks! {
    sines at (&[0.3, -0.4, 1.2], 0.7), (&[0.3_f32, -0.4, 1.2], 0.7);
    constants at (0.3, 0.7), (0.3_f32, 0.7);
    converted at (&[0.3, 0.7], 3), (&[0.3_f32, 0.7], 3);
    methods at (0.4, 1.7), (0.4_f32, 1.7);
    clause at (0.3, 0.7), (0.3_f32, 0.7);
    assigned at (&mut [0.3, 0.7], 0.4), (&mut [0.3_f32, 0.7], 0.4);
    summed at (&[0.3, 0.7]), (&[0.3_f32, 0.7]);
    ring at (0.3, 0.7), (0.3_f32, 0.7);
    branched at (1.7), (0.4), (-0.3), (1.7_f32), (0.4_f32), (-0.3_f32);
    halved at (0.8), (0.8_f32);
    rotated at (0.3, 0.7, 1.1), (0.3_f32, 0.7, 1.1);
    reversed at ([0.3, 0.7, 1.1]), ([0.3_f32, 0.7]);
    scaled at (&[0.3, 0.7], 1.1), (&[0.3_f32], 1.1);
    stacked at (&[0.3, 0.7]), (&[0.3_f32, 0.7, 0.9]);
    norm at (&[0.3, 0.7]), (&[0.3_f32, 0.7, 0.9]);
    calls at (&mut [0.3, 0.7, 0.9], 0.4), (&mut [0.3_f32, 0.7], 0.4);
    of_one_type at (&[0.3, 0.7], 0.4);
    in_the_body at (0.3), (0.3_f32);
    cross at (&Vector { x: 0.3, y: 0.4 }, Vector { x: 0.5, y: -0.6 }),
        (&Vector { x: 0.3_f32, y: 0.4 }, Vector { x: 0.5, y: -0.6 });
    turned at (Vector { x: 0.3, y: 0.4 }, 0.7), (Vector { x: 0.3_f32, y: 0.4 }, 0.7);
    relaxed at (&mut Spring { stiffness: 0.3, rest: 0.4, history: vec![] }, 0.7),
        (&mut Spring { stiffness: 0.3_f32, rest: 0.4, history: vec![0.1] }, 0.7);
    of_a_map at (&BTreeMap::from([(1, 0.3)]), &1, 0.7), (&BTreeMap::from([('a', 0.3)]), &'a', 0.7);
    constant_key at (&BTreeMap::from([(1, 0.3)]), 1, 0.7);
    carried at (&[0.3], 0.4, 0.7), (&[Vector { x: 0.3_f32, y: 1.0 }], Vector { x: 0.4, y: 0.5 }, 0.7);
    exchanged at (&mut 0.3, &mut 0.4, 0.7), (&mut vec![0.3], &mut vec![], 0.7);
    anonymous at (0.3, &0.4, 0.7), (0.3_f32, &0.4_f32, 0.7);
    half_anonymous at (&[0.3, 0.4], 1), (&[0.3_f32, 0.4], 'a');
    calls_anonymous at (&[0.3, 0.4]), (&[0.3_f32, 0.4]);
}

#[test]
fn methods_of_generic_types() {
    let wide = Spring { stiffness: 2.0, rest: 1.0, history: vec![] };
    let (spring_bar, x_bar) = wide.energy_gradient(4.0);
    assert_eq!((spring_bar.stiffness, spring_bar.rest, x_bar), (4.5, -6.0, 6.0));
    let narrow = Spring { stiffness: 2.0_f32, rest: 1.0, history: vec![] };
    let (spring_bar, x_bar) = narrow.energy_gradient(4.0);
    assert_eq!((spring_bar.stiffness, spring_bar.rest, x_bar), (4.5_f32, -6.0, 6.0));
    crate::rows::accept("total", cotangent::check!(Spring::total(wide, 0.3)));
    crate::rows::accept("total", cotangent::check!(Spring::total(narrow, 0.3)));
}

#[test]
fn drivers_of_generic_functions() {
    fn slope<T: cotangent::Float>(x: T) -> T {
        branched::gradient(x)
    }
    assert_eq!((slope(0.5), slope(0.5_f32)), (1.0, 1.0));
    assert_eq!(reversed::jacobian([2.0, 3.0])[(0, 1)], 2.0);
    assert_eq!(scaled::jvp(&[2.0_f32], &[1.0], 3.0, 0.0), (vec![6.0], vec![3.0]));
    assert_eq!(rotated::<f32>(1.0, 2.0, 0.0), (1.0, 2.0));
}
