//! Conversions: `From` and `Into` between types of the user's, and vectors of slices and arrays.

use cotangent::{Differentiable, Float, differentiate};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Polar {
    radius: f64,
    angle: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Point {
    x: f64,
    y: f64,
}

#[differentiate]
#[differentiate]
impl From<Polar> for Point {
    fn from(polar: Polar) -> Self {
        Self { x: polar.radius * polar.angle.cos(), y: polar.radius * polar.angle.sin() }
    }
}

#[differentiate]
#[differentiate]
impl From<[f64; 2]> for Polar {
    fn from([radius, angle]: [f64; 2]) -> Polar {
        Polar { radius, angle: angle * radius }
    }
}

#[differentiate]
#[differentiate]
impl From<f64> for Point {
    fn from(x: f64) -> Point {
        let both = Point::from(Polar::from([x, x * x]));
        Point { x: both.x, ..both }
    }
}

#[differentiate]
impl From<Point> for f64 {
    fn from(point: Point) -> f64 {
        point.x * point.y
    }
}

#[differentiate]
impl<'a> From<&'a [f64]> for Point {
    fn from(items: &'a [f64]) -> Self {
        Point { x: items[0] * items[1], y: items[1] }
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Signal<T> {
    samples: Vec<T>,
}

#[differentiate]
impl<T: Float> From<Vec<T>> for Signal<T> {
    fn from(samples: Vec<T>) -> Self {
        Signal { samples }
    }
}

#[differentiate]
fn by_path(polar: Polar) -> f64 {
    let point = Point::from(polar);
    point.x * point.y * polar.radius
}

#[differentiate]
fn into_a_declared_type(polar: Polar) -> f64 {
    let point: Point = polar.into();
    point.x * point.x * point.y
}

#[differentiate]
fn distance(point: Point) -> f64 {
    point.x.hypot(point.y) + point.x
}

#[differentiate]
fn into_what_a_call_takes(x: f64) -> f64 {
    distance(x.into()) * distance(Point::from(2.0 * x))
}

#[differentiate]
fn into_the_result(x: f64) -> Point {
    (x * x).into()
}

#[differentiate]
fn one_after_the_other(x: f64) -> f64 {
    let polar: Polar = [x.sin(), 2.0 * x].into();
    let point = Point::from(polar);
    point.into()
}

#[differentiate]
fn from_slices(x: &[f64]) -> f64 {
    let (whole, rest) = (Point::from(x), Point::from(&x[1..]));
    whole.x * rest.y + rest.x
}

#[differentiate]
fn in_chains(x: &[f64]) -> f64 {
    let far: f64 = x.iter().map(|a| Point::from(*a)).map(|point| point.x * point.y).sum();
    far * x.iter().copied().map(Point::from).map(|point| point.y).sum::<f64>()
}

#[differentiate]
fn in_a_loop(x: f64, n: usize) -> f64 {
    let mut point = Point::from(x);
    for _ in 0..n {
        let polar: Polar = [point.x * 0.5, point.y].into();
        point = polar.into();
    }
    point.x + point.y
}

#[differentiate]
fn of_a_generic_type(x: f64) -> f64 {
    let signal = Signal::from(vec![x, x * x]);
    signal.samples[0] * signal.samples[1]
}

#[differentiate]
fn constants_stay_as_they_are(x: f64, n: i32, s: f32) -> f64 {
    x * f64::from(n) + x * x * f64::from(s)
}

// A function of the type's own by that name has its own derivatives.

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Own {
    x: f64,
}

#[differentiate]
impl Own {
    fn from(x: f64) -> Own {
        Own { x: x * x }
    }

    fn into(self) -> f64 {
        self.x * self.x
    }
}

#[differentiate]
fn functions_of_its_own(x: f64) -> f64 {
    let own = Own::from(x.sin());
    own.x * own.into()
}

#[differentiate]
mod seen {
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Pair {
        pub a: f64,
        pub b: f64,
    }

    #[derive(Debug, PartialEq)]
    pub enum Fault {
        Negative,
    }

    impl From<(f64, f64)> for Pair {
        fn from((a, b): (f64, f64)) -> Self {
            Pair { a: a * b, b }
        }
    }

    impl From<std::fmt::Error> for Fault {
        fn from(_: std::fmt::Error) -> Self {
            Fault::Negative
        }
    }

    pub fn paired(x: f64) -> f64 {
        let pair: Pair = (x, x * x).into();
        pair.a * pair.b
    }

    pub fn checked_pair(x: f64) -> Result<f64, Fault> {
        if x < 0.0 {
            Err(std::fmt::Error)?
        }
        Ok(paired(x))
    }
}
use seen::{checked_pair, paired};

checks! {
    by_path at (Polar { radius: 1.3, angle: 0.4 });
    into_a_declared_type at (Polar { radius: 1.3, angle: 0.4 });
    into_what_a_call_takes at (0.7);
    into_the_result at (0.7);
    one_after_the_other at (0.7);
    from_slices at (&[0.7, 1.2, 0.4]);
    in_chains at (&[0.7, 1.2, 0.4]), (&[]);
    in_a_loop at (0.7, 3), (0.7, 0);
    of_a_generic_type at (0.7);
    constants_stay_as_they_are at (0.7, 3, 1.5);
    functions_of_its_own at (0.7);
    paired at (0.7);
    checked_pair at (0.7), (-0.7);
}

corpus! {
    fn of_a_slice(x: &[f64]) -> f64 {
        let mut all = Vec::from(x);
        all[0] *= 2.0;
        all.push(x[1]);
        let rest = Vec::from(&x[1..]);
        all[0] * all[1] * all[all.len() - 1] * rest[0]
    }
    at (&[0.7, 1.2, 0.4]);

    fn of_an_array(x: f64) -> f64 {
        let pair = [x, 2.0];
        let mut copy = Vec::from(pair);
        copy[0] += 1.0;
        let powers = Vec::from([x, x * x]);
        copy[0] * pair[0] * powers[1]
    }
    at (0.7);

    fn concatenated(x: &[f64], y: &[f64]) -> f64 {
        let all = [x, y, &x[1..]].concat();
        all.iter().enumerate().map(|(i, a)| a * a * i as f64).sum()
    }
    at (&[0.7, 1.2, 0.4], &[0.5]), (&[0.7], &[]);

    fn concatenated_rows(rows: &[Vec<f64>]) -> f64 {
        let all = rows.concat();
        all[0] * all[all.len() - 1]
    }
    at (&[vec![0.7], vec![], vec![1.2, 0.4]]);

    fn filled_by_a_closure(x: f64) -> f64 {
        let (mut powers, mut power) = ([0.0; 3], 1.0);
        powers.fill_with(|| {
            power *= x;
            power
        });
        powers[0] + powers[1] * powers[2] * power
    }
    at (0.7);

    fn question_mark_in_a_closure(x: &[f64]) -> f64 {
        let product = |i: usize| {
            let a = x.get(i)?;
            let b = x.get(i + 1)?;
            Some(a * b)
        };
        product(0).unwrap_or(2.0) + product(1).unwrap_or(x[0])
    }
    at (&[0.7, 1.2, 0.4]), (&[0.7, 1.2]), (&[0.7]);

    fn question_mark_before_a_condition(x: &[f64]) -> f64 {
        let signed = |a: f64| if a > 0.0 { Some(a) } else { None };
        x.iter().filter_map(|a| { let a = signed(*a)?; if a > 1.0 { None } else { Some(a * a) } }).sum()
    }
    at (&[0.7, 1.2, -0.4]);
}
