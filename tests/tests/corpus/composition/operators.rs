//! Operators of types of the user's own.

use cotangent::{Differentiable, Float, differentiate};
use std::iter::{Product, Sum};
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

#[derive(Clone, Copy, Debug, Default, PartialEq, Differentiable)]
pub(crate) struct Vector {
    pub x: f64,
    pub y: f64,
    pub z: f64,
}

impl Vector {
    const ZERO: Vector = Vector { x: 0.0, y: 0.0, z: 0.0 };
}

const GRAVITY: Vector = Vector { x: 0.0, y: 0.3, z: -9.81 };

#[differentiate]
impl Vector {
    pub fn new(x: f64, y: f64, z: f64) -> Self {
        Self { x, y, z }
    }

    pub fn dot(&self, other: &Self) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    pub fn cross(self, other: Vector) -> Vector {
        Vector::new(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )
    }

    pub fn length(self) -> f64 {
        self.dot(&self).sqrt()
    }
}

/// By way of a function.
#[differentiate]
impl Add for Vector {
    type Output = Vector;

    fn add(self, rhs: Vector) -> Vector {
        Vector::new(self.x + rhs.x, self.y + rhs.y, self.z + rhs.z)
    }
}

/// Of references: that by value has the same derivatives.
#[differentiate]
impl Sub<&Vector> for &Vector {
    type Output = Vector;

    fn sub(self, rhs: &Vector) -> Vector {
        Vector { x: self.x - rhs.x, y: self.y - rhs.y, z: self.z - rhs.z }
    }
}

impl Sub for Vector {
    type Output = Vector;

    fn sub(self, rhs: Vector) -> Vector {
        &self - &rhs
    }
}

#[differentiate]
impl Mul<f64> for Vector {
    type Output = Vector;

    fn mul(mut self, by: f64) -> Self::Output {
        self.x *= by;
        self.y *= by;
        self.z *= by;
        self
    }
}

/// By way of another operator.
#[differentiate]
impl Mul<Vector> for f64 {
    type Output = Vector;

    fn mul(self, vector: Vector) -> Vector {
        vector * self
    }
}

/// Two vectors make a number.
#[differentiate]
impl Mul for Vector {
    type Output = f64;

    fn mul(self, rhs: Vector) -> f64 {
        self.dot(&rhs)
    }
}

#[differentiate(debug)]
impl Div<f64> for Vector {
    type Output = Self;

    fn div(self, by: f64) -> Self {
        let Vector { x, y, z } = self;
        Self::new(x / by, y / by, z / by)
    }
}

#[differentiate]
impl Neg for Vector {
    type Output = Self;

    fn neg(self) -> Self::Output {
        self * -1.0
    }
}

impl AddAssign for Vector {
    fn add_assign(&mut self, rhs: Vector) {
        *self = *self + rhs;
    }
}

impl SubAssign for Vector {
    fn sub_assign(&mut self, rhs: Vector) {
        *self = *self - rhs;
    }
}

impl MulAssign<f64> for Vector {
    fn mul_assign(&mut self, by: f64) {
        *self = *self * by;
    }
}

impl DivAssign<f64> for Vector {
    fn div_assign(&mut self, by: f64) {
        *self = *self / by;
    }
}

impl Sum for Vector {
    fn sum<I: Iterator<Item = Vector>>(vectors: I) -> Vector {
        vectors.fold(Vector::ZERO, |sum, vector| sum + vector)
    }
}

/// A product that is no linear function of its first operand.
#[derive(Clone, Copy, Debug, Differentiable)]
pub(crate) struct Quaternion {
    pub w: f64,
    pub v: Vector,
}

#[differentiate]
impl Mul for Quaternion {
    type Output = Quaternion;

    fn mul(self, rhs: Quaternion) -> Quaternion {
        Quaternion {
            w: self.w * rhs.w - self.v.dot(&rhs.v),
            v: self.w * rhs.v + rhs.w * self.v + self.v.cross(rhs.v),
        }
    }
}

#[differentiate]
impl Mul<Vector> for Quaternion {
    type Output = Vector;

    fn mul(self, point: Vector) -> Vector {
        let twice = 2.0 * self.v.cross(point);
        point + self.w * twice + self.v.cross(twice)
    }
}

impl Product for Quaternion {
    fn product<I: Iterator<Item = Quaternion>>(all: I) -> Quaternion {
        all.fold(Quaternion { w: 1.0, v: Vector::ZERO }, |product, q| product * q)
    }
}

/// With loops, and of any size.
#[derive(Clone, Copy, Debug, Differentiable)]
pub(crate) struct Square<const N: usize> {
    pub rows: [[f64; N]; N],
}

#[differentiate]
impl<const N: usize> Mul for Square<N> {
    type Output = Square<N>;

    fn mul(self, rhs: Square<N>) -> Square<N> {
        let mut rows = [[0.0; N]; N];
        for i in 0..N {
            for j in 0..N {
                for k in 0..N {
                    rows[i][j] += self.rows[i][k] * rhs.rows[k][j];
                }
            }
        }
        Square { rows }
    }
}

#[differentiate]
impl<const N: usize> Add for Square<N> {
    type Output = Square<N>;

    fn add(self, rhs: Square<N>) -> Square<N> {
        let mut rows = self.rows;
        for i in 0..N {
            for j in 0..N {
                rows[i][j] += rhs.rows[i][j];
            }
        }
        Square { rows }
    }
}

/// Of an integer, which has no derivative, and of parts that have operators themselves.
#[derive(Clone, Copy, Debug, Differentiable)]
pub(crate) struct State {
    pub place: Vector,
    pub velocity: Vector,
    pub steps: usize,
    pub bound: Option<f64>,
}

#[differentiate]
impl Add for State {
    type Output = State;

    fn add(self, rhs: State) -> State {
        State {
            place: self.place + rhs.place,
            velocity: self.velocity + rhs.velocity,
            steps: self.steps + rhs.steps,
            bound: None,
        }
    }
}

#[differentiate]
impl Mul<f64> for State {
    type Output = State;

    fn mul(self, by: f64) -> State {
        State { place: self.place * by, velocity: self.velocity * by, ..self }
    }
}

#[differentiate]
impl Mul<usize> for State {
    type Output = State;

    fn mul(self, by: usize) -> State {
        self * by as f64
    }
}

/// Of either float.
#[derive(Clone, Copy, Debug, Differentiable)]
pub(crate) struct Pair<T>(pub T, pub T);

#[differentiate]
impl<T: Float> Add for Pair<T> {
    type Output = Self;

    fn add(self, rhs: Self) -> Self {
        Pair(self.0 + rhs.0, self.1 + rhs.1)
    }
}

#[differentiate]
impl<T: Float> Mul<T> for Pair<T> {
    type Output = Pair<T>;

    fn mul(self, by: T) -> Pair<T> {
        Pair(self.0 * by, self.1 * by)
    }
}

#[derive(Clone, Debug, Differentiable)]
pub(crate) struct Body {
    pub mass: f64,
    pub place: Vector,
    pub velocity: Vector,
    pub attitude: Quaternion,
}

fn vector(seed: f64) -> Vector {
    Vector { x: seed.sin() + 0.1, y: seed.cos(), z: 0.3 * seed }
}

fn quaternion(seed: f64) -> Quaternion {
    Quaternion { w: seed, v: vector(2.0 * seed) }
}

fn state(seed: f64) -> State {
    State { place: vector(seed), velocity: vector(0.5 - seed), steps: 2, bound: Some(seed) }
}

fn bodies() -> Vec<Body> {
    let body = |seed: f64| Body {
        mass: seed,
        place: vector(seed),
        velocity: vector(2.0 * seed),
        attitude: quaternion(seed),
    };
    [0.5, 0.8, 1.5].map(body).to_vec()
}

fn square(seed: f64) -> Square<2> {
    Square { rows: [[seed, 0.3], [seed * seed, 0.8]] }
}

first_order! {
    fn of_references(a: &Vector, b: &Vector, k: f64) -> f64 {
        let d = a - b;
        let e = &d - a;
        d.dot(&e) * (*a / k).length()
    }
    at (&vector(1.0), &vector(2.0), 1.3);

    fn of_values(a: Vector, b: Vector, k: f64) -> Vector {
        -(a - b * k) * k + 2.0 * a / (k - 3.0)
    }
    at (vector(1.0), vector(2.0), 1.3);

    fn to_numbers(bodies: &[Body], a: Vector, k: f64) -> f64 {
        let mut sum = 0.0;
        for body in bodies {
            let energy = 0.5 * body.mass * (body.velocity * body.velocity);
            let turned = k * body.place - body.velocity * body.attitude.w;
            sum += energy + a * turned * k;
        }
        sum + bodies[0].place * bodies[0].velocity
    }
    at (&bodies(), vector(0.7), 0.8);

    fn assigning(a: Vector, b: Vector, k: f64) -> f64 {
        let mut sum = a;
        for _ in 0..3 {
            sum += b;
            sum *= k;
            sum -= a * sum.x;
            sum /= 1.0 + k;
        }
        sum.length()
    }
    at (vector(0.7), vector(1.1), 0.8);

    fn with_a_constant(place: Vector, velocity: Vector, mass: f64, dt: f64) -> f64 {
        let (mut p, mut v) = (place, velocity);
        for _ in 0..4 {
            let force = GRAVITY * mass - v * 0.1 * v.length();
            v += force / mass * dt;
            p += v * dt;
        }
        p.length() + v.x
    }
    at (vector(1.0), vector(2.0), 1.5, 0.05);

    fn turned(q: Quaternion, r: Quaternion, p: Vector) -> f64 {
        let both = q * r;
        (both * (q * p) - p).length()
    }
    at (quaternion(0.4), quaternion(0.7), vector(1.2));

    fn of_matrices(m: Square<2>, n: &Square<2>) -> f64 {
        let p = m * *n + m;
        let q = p * p;
        q.rows[0][1] + q.rows[1][1]
    }
    at (square(0.3), &square(0.6));

    fn of_either_float(a: Pair<f32>, b: Pair<f64>, k: f64) -> (f64, f32) {
        let (c, d) = (a * 1.5 + a, b * k + b);
        (d.0 * d.1, c.0 * c.1)
    }
    at (Pair(0.4, 0.7), Pair(0.3, 0.8), 1.2);

    fn with_parts_that_have_none(s: State, k: f64) -> State {
        (s + s * k) * 3 + s
    }
    at (state(0.4), 1.2);

    fn rk4(s: State, k: f64, dt: f64, n: usize) -> f64 {
        #[differentiate]
        fn derivative(s: State, k: f64) -> State {
            State { place: s.velocity, velocity: -(s.place * k), ..s }
        }
        let mut s = s;
        for _ in 0..n {
            let first = derivative(s, k);
            let second = derivative(s + first * (dt / 2.0), k);
            let third = derivative(s + second * (dt / 2.0), k);
            let fourth = derivative(s + third * dt, k);
            s = s + (first + second * 2.0 + third * 2.0 + fourth) * (dt / 6.0);
        }
        s.place.length() + s.velocity.x
    }
    at (state(0.2), 1.2, 0.1, 5), (state(0.2), 1.2, 0.1, 0);

    fn of_fields(bodies: &mut [Body], dt: f64) -> f64 {
        for body in bodies.iter_mut() {
            body.place = body.attitude * body.place;
            body.velocity -= body.place * dt;
            body.attitude = body.attitude * body.attitude;
        }
        let centre = bodies.iter().map(|b| b.place * b.mass).fold(Vector::ZERO, |a, b| a + b);
        let far = bodies.iter().map(|b| (b.place - centre).length()).fold(0.0, f64::max);
        far + bodies[0].velocity.length() + bodies[1].attitude.w
    }
    at (&mut bodies(), 0.1);

    fn summed(bodies: &[Body], k: f64) -> f64 {
        let centre: Vector = bodies.iter().map(|b| b.place * b.mass * k).sum();
        let momentum = bodies.iter().map(|b| b.velocity * b.mass).sum::<Vector>() * k;
        let turn = bodies.iter().map(|b| b.attitude).product::<Quaternion>();
        centre.dot(&momentum) + (turn * centre).x
    }
    at (&bodies(), 1.2), (&bodies()[..1], 1.2);

    fn in_a_closure(a: Vector, x: &[f64]) -> f64 {
        let curve = |t: f64| a * t + GRAVITY * (0.5 * t * t);
        x.iter().map(|t| curve(*t).length()).sum::<f64>()
    }
    at (vector(0.9), &[0.1, 0.4, 0.8]);

    fn chosen(a: Vector, b: Vector, k: f64) -> f64 {
        let ahead = if k > 1.0 { Some(a - b) } else { None };
        match ahead {
            Some(d) if d.x > 0.0 => (d * k).length(),
            Some(d) => (d / k).length(),
            None => (a + b).dot(&(b * k)),
        }
    }
    at (vector(0.9), vector(0.2), 1.5), (vector(0.2), vector(0.9), 1.5), (vector(0.9), vector(0.2), 0.5);
}

/// A field beside a float may be a vector: what comes of it has fields.
first_order! {
    fn a_field_of_a_product(body: &Body, dt: f64) -> f64 {
        let moved = body.place + body.velocity * dt;
        moved.x * moved.y
    }
    at (&bodies()[0], 0.3);
}

/// With a method of its own that is named like the operator's, and is what the operator calls.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Doubled(f64);

#[differentiate]
impl Doubled {
    fn mul(self, other: Doubled) -> Doubled {
        Doubled(2.0 * self.0 * other.0)
    }
}

#[differentiate]
impl Mul for Doubled {
    type Output = Doubled;

    fn mul(self, other: Doubled) -> Doubled {
        self.mul(other)
    }
}

#[test]
fn an_operator_may_call_a_method_of_its_name() {
    #[differentiate]
    fn square(x: f64) -> f64 {
        (Doubled(x) * Doubled(x)).0
    }
    cotangent::check!(square(1.5)).unwrap();
    assert_eq!(square::gradient(1.5), 6.0);
}
