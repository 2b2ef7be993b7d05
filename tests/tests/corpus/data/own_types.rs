//! Types of the user's that behave like those of the language: indexed, dereferenced, with operators of references and
//! methods that are named like a float's, and floats with methods of a trait of the user's.

use cotangent::{Differentiable, Float, differentiate};
use std::ops::{Deref, DerefMut, Index, IndexMut, Mul, Sub};

// --- methods that are named like a float's

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Lanes(f64, f64);

#[differentiate]
impl Lanes {
    fn sqrt(self) -> Lanes {
        Lanes(self.0.sqrt(), self.1.sqrt())
    }

    fn exp(&self) -> f64 {
        self.0.exp() * self.1
    }

    fn max(self, other: Lanes) -> Lanes {
        Lanes(self.0 * other.1, self.1.max(other.0))
    }

    fn powi(self, n: i32) -> f64 {
        self.0.powi(n) + self.1
    }

    fn mul_add(self, a: f64, b: Lanes) -> Lanes {
        Lanes(self.0 * a + b.0, self.1 * b.1)
    }
}

#[differentiate]
fn roots(x: f64) -> f64 {
    let lanes = Lanes(x, 2.0 * x).sqrt();
    lanes.0 * lanes.1 * lanes.sqrt().0
}

#[differentiate]
fn methods_of_lanes(a: Lanes, b: &Lanes, x: f64) -> f64 {
    let c = a.max(*b).mul_add(x, a);
    c.exp() * b.exp() + b.powi(3) * c.1
}

#[differentiate]
fn roots_in_a_loop(lanes: &[Lanes]) -> f64 {
    let mut all = Lanes(1.0, 1.0);
    for i in 0..lanes.len() {
        all = lanes[i].sqrt().max(all);
    }
    all.0 * all.1
}

// Not `Copy`, so that these methods take references.
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct List(Vec<f64>);

#[differentiate]
impl List {
    fn hypot(&self, other: &List) -> f64 {
        self.0[0] * other.0[1] + self.0[1]
    }
}

#[differentiate]
fn methods_of_a_list(a: &List, b: &List) -> f64 {
    a.hypot(b) * b.hypot(a) + a.hypot(a)
}

#[differentiate]
fn methods_of_own_lists(x: f64) -> f64 {
    let (a, b) = (List(vec![x, 2.0 * x]), List(vec![x * x, 3.0]));
    a.hypot(&b) * b.hypot(&a)
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Pair<T> {
    a: T,
    b: T,
}

#[differentiate]
impl<T: Float> Pair<T> {
    fn sin(self) -> T {
        self.a.sin() * self.b
    }

    fn atan2(self, other: Self) -> Self {
        Pair { a: self.a * other.b, b: self.b }
    }
}

#[differentiate]
fn methods_of_a_generic_pair(p: Pair<f64>, q: Pair<f64>) -> f64 {
    p.atan2(q).sin() * q.sin()
}

// --- indices

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Vector([f64; 3]);

#[differentiate]
impl Index<usize> for Vector {
    type Output = f64;

    fn index(&self, i: usize) -> &f64 {
        assert!(i < self.0.len(), "an index within");
        &self.0[i]
    }
}

#[differentiate]
impl IndexMut<usize> for Vector {
    fn index_mut(&mut self, i: usize) -> &mut f64 {
        &mut self.0[i]
    }
}

#[differentiate]
#[differentiate]
fn dot(a: &Vector, b: &Vector) -> f64 {
    let mut sum = 0.0;
    for i in 0..3 {
        sum += a[i] * b[i] * a[0];
    }
    sum
}

#[differentiate]
#[differentiate]
fn filled(a: &Vector, x: f64) -> f64 {
    let mut v = Vector([0.0; 3]);
    for i in 0..3 {
        v[i] = a[i] * x;
        v[i] += x * x;
    }
    v[0] * v[1] + v[2]
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Point {
    x: f64,
    y: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Axis {
    X,
    Y,
}

#[differentiate]
impl Index<Axis> for Point {
    type Output = f64;

    fn index(&self, axis: Axis) -> &f64 {
        match axis {
            Axis::X => &self.x,
            Axis::Y => &self.y,
        }
    }
}

#[differentiate]
impl Index<bool> for Point {
    type Output = f64;

    fn index(&self, is_first: bool) -> &f64 {
        if is_first {
            return &self.x;
        }
        &self.y
    }
}

#[differentiate]
fn axes(p: Point) -> f64 {
    p[Axis::X] * p[Axis::Y] * p[Axis::X] + p[false] * p[true]
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Table<T> {
    rows: Vec<Vec<T>>,
}

#[differentiate]
impl<T: Float> Index<(usize, usize)> for Table<T> {
    type Output = T;

    fn index(&self, (i, j): (usize, usize)) -> &Self::Output {
        &self.rows[i][j]
    }
}

#[differentiate]
fn determinant(m: &Table<f64>) -> f64 {
    m[(0, 0)] * m[(1, 1)] - m[(0, 1)] * m[(1, 0)]
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Path {
    points: Vec<Point>,
}

#[differentiate]
impl Index<usize> for Path {
    type Output = Point;

    fn index(&self, i: usize) -> &Point {
        let last = 7;
        &self.points[i.min(last)]
    }
}

#[differentiate]
fn along(path: &Path) -> f64 {
    let p = path[1];
    p.x * path[0].y + p[Axis::Y]
}

// --- dereferences

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Probability(f64);

#[differentiate]
impl Deref for Probability {
    type Target = f64;

    fn deref(&self) -> &f64 {
        &self.0
    }
}

#[differentiate]
impl DerefMut for Probability {
    fn deref_mut(&mut self) -> &mut f64 {
        &mut self.0
    }
}

#[differentiate]
#[differentiate]
fn odds(p: Probability) -> f64 {
    *p / (1.0 - *p)
}

#[differentiate]
fn scaled(p: Probability) -> f64 {
    let mut q = p;
    *q = *q * 3.0;
    *q * *p
}

#[differentiate]
fn behind_a_reference(p: &Probability) -> f64 {
    let x = **p;
    x * x
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Outer {
    inner: Inner,
    k: f64,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Inner {
    a: f64,
    b: Vec<f64>,
}

#[differentiate]
impl Deref for Outer {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.inner
    }
}

#[differentiate]
impl DerefMut for Outer {
    fn deref_mut(&mut self) -> &mut Inner {
        &mut self.inner
    }
}

#[differentiate]
fn fields_behind_it(o: &Outer) -> f64 {
    o.a * o.b[1] * o.k
}

#[differentiate]
fn fields_written_behind_it(o: &mut Outer, x: f64) -> f64 {
    o.a = x * o.k;
    o.b[0] += x;
    o.a * o.b[0]
}

#[differentiate]
fn boxes(b: Box<f64>, c: &mut Box<f64>) -> f64 {
    **c += *b;
    *b * **c
}

// --- operators of references alone

#[differentiate]
impl Sub for &Point {
    type Output = Point;

    fn sub(self, other: Self) -> Point {
        Point { x: self.x - other.x, y: self.y - other.y }
    }
}

#[differentiate]
impl<'a> Mul<&'a Point> for &'a Point {
    type Output = f64;

    fn mul(self, other: &Point) -> f64 {
        self.x * other.x + self.y * other.y
    }
}

#[differentiate]
impl Mul<f64> for &Point {
    type Output = Point;

    fn mul(self, by: f64) -> Point {
        Point { x: self.x * by, y: self.y * by * by }
    }
}

#[differentiate]
fn of_references(a: &Point, b: &Point) -> f64 {
    let d = a - b;
    d.x * d.x + a * b + (a * 2.0).y
}

#[differentiate]
fn of_borrowed_values(a: Point, b: Point, x: f64) -> f64 {
    let d = &(&a - &b) * x;
    &d * &a
}

// --- floats with methods of a trait of the user's

#[differentiate]
trait Bump: Sized {
    fn bump(self, p: Self) -> Self;
    fn twice(&self) -> Self;
    fn grow(&mut self, by: f64);
}

#[differentiate]
impl Bump for f64 {
    fn bump(self, p: f64) -> f64 {
        (self * p).tanh()
    }

    fn twice(&self) -> f64 {
        *self * 2.0 * *self
    }

    fn grow(&mut self, by: f64) {
        *self *= by;
    }
}

#[differentiate]
trait Softplus {
    fn softplus(self, k: usize) -> Self;
}

#[differentiate]
impl<T: Float> Softplus for T {
    fn softplus(self, k: usize) -> T {
        (self.exp() + self).ln() * self
    }
}

#[differentiate]
fn bumped(x: f64, p: &[f64]) -> f64 {
    let mut sum = x.bump(p[0]);
    for i in 0..p.len() {
        sum += p[i].bump(x).twice();
    }
    sum + (x * x).bump(p[0])
}

#[differentiate]
fn grown(x: f64, p: f64) -> f64 {
    let mut y = x * p;
    y.grow(x);
    y
}

#[differentiate]
fn softplus_of_any_float<T: Float>(x: T) -> T {
    x.softplus(2) * x
}

// --- elements that are not `Copy`

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Mass {
    m: f64,
}

#[differentiate]
fn pair(x: f64) -> Vec<Mass> {
    vec![Mass { m: x }, Mass { m: x * x }]
}

#[differentiate]
fn extended_by_calls(x: f64) -> Vec<Mass> {
    let mut all = pair(x);
    all.pop();
    all.extend(pair(2.0 * x));
    all
}

#[differentiate]
fn extended_by_all_kinds(p: &[Mass], x: f64) -> Vec<Mass> {
    let mut all: Vec<Mass> = Vec::new();
    let more: Vec<Mass> = pair(x);
    all.extend(p.iter().cloned());
    all.extend(more);
    all.extend(vec![Mass { m: x * p[0].m }]);
    all.extend(pair(x * x).into_iter().rev());
    all
}

#[differentiate]
fn collected_by_value(x: f64) -> Vec<Mass> {
    pair(x).into_iter().map(|p| Mass { m: p.m * x }).collect()
}

#[differentiate]
fn extended_by_vectors(x: f64) -> Vec<Vec<f64>> {
    let mut all: Vec<Vec<f64>> = Vec::new();
    let more: Vec<Vec<f64>> = vec![vec![x, x * x], vec![x]];
    all.extend(more);
    all.extend(vec![vec![2.0 * x]]);
    all
}

fn outer() -> Outer {
    Outer { inner: Inner { a: 1.0, b: vec![2.0, 3.0] }, k: 0.5 }
}

checks! {
    roots at (1.5);
    methods_of_lanes at (Lanes(1.2, 0.4), &Lanes(0.3, 0.8), 0.7);
    roots_in_a_loop at (&[Lanes(1.2, 0.4), Lanes(0.3, 0.8)]);
    methods_of_a_list at (&List(vec![2.0, 3.0]), &List(vec![0.4, 0.3]));
    methods_of_own_lists at (1.5);
    methods_of_a_generic_pair at (Pair { a: 0.4, b: 1.2 }, Pair { a: 0.3, b: 0.9 });
    dot at (&Vector([1.0, 2.0, 3.0]), &Vector([0.3, 0.2, 0.1]));
    filled at (&Vector([1.0, 2.0, 3.0]), 0.7);
    axes at (Point { x: 1.5, y: 0.3 });
    determinant at (&Table { rows: vec![vec![1.0, 2.0], vec![0.3, 1.2]] });
    along at (&Path { points: vec![Point { x: 1.5, y: 0.3 }, Point { x: 0.5, y: 0.7 }] });
    odds at (Probability(0.3));
    scaled at (Probability(0.3));
    behind_a_reference at (&Probability(0.3));
    fields_behind_it at (&outer());
    fields_written_behind_it at (&mut outer(), 0.3);
    boxes at (Box::new(1.5), &mut Box::new(2.0));
    of_references at (&Point { x: 1.0, y: 0.2 }, &Point { x: 2.5, y: -0.4 });
    of_borrowed_values at (Point { x: 1.0, y: 0.2 }, Point { x: 2.5, y: -0.4 }, 0.7);
    bumped at (0.3, &[1.4, 0.2]);
    grown at (0.3, 1.4);
    softplus_of_any_float at (0.7_f64), (0.7_f32);
    extended_by_calls at (1.5);
    extended_by_all_kinds at (&[Mass { m: 1.5 }, Mass { m: -2.0 }], 0.7);
    collected_by_value at (1.5);
    extended_by_vectors at (1.5);
}
