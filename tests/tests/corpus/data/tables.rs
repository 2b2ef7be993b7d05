//! Constants as data: tables that loops and chains go through, names for parts of them, several views at once.

use cotangent::{Differentiable, Float, differentiate};

const DATA: [f64; 3] = [1.0, 2.0, 3.0];
const SLICE: &[f64] = &[0.1, 0.2, 0.4];
const ORDER: [usize; 3] = [2, 0, 1];
const TABLE: [[f64; 2]; 3] = [[1.0, 2.0], [0.5, -0.4], [3.0, 0.1]];
const ROWS: [&[f64]; 2] = [&[1.0, 2.0], &[3.0]];
const PAIRS: [(f64, f64); 2] = [(0.1, 1.2), (0.2, 0.7)];
static SAMPLES: &'static [(f64, f64)] = &[(0.1, 1.2), (0.2, 0.7), (0.4, 0.3)];
const POINTS: [Point; 2] = [Point { t: 0.5, y: 1.0 }, Point { t: 1.5, y: 2.0 }];
static LATER: &[Point] = &[Point { t: 0.5, y: 1.0 }, Point { t: 1.5, y: 2.0 }];
const CURVES: [Curve; 2] = [
    Curve { points: [(1.0, 2.0), (3.0, 4.0)], slope: 2.0, order: 1 },
    Curve { points: [(1.0, 2.5), (3.5, 4.0)], slope: 1.0, order: 2 },
];
const STEPS: [(Kind, f64); 2] = [(Kind::Linear, 2.0), (Kind::Square, 0.5)];
const GAPS: [Option<f64>; 3] = [Some(1.0), None, Some(0.5)];
const NAMED: [(&str, f64); 2] = [("a", 2.0), ("b", 0.5)];

/// Constants in a module.
mod measured {
    pub const DATA: [f64; 2] = [0.3, 0.4];
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub(crate) struct Point {
    pub t: f64,
    pub y: f64,
}

/// Not `Copy`.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Curve {
    pub points: [(f64, f64); 2],
    pub slope: f64,
    pub order: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Linear,
    Square,
}

#[differentiate]
#[differentiate]
impl Point {
    pub fn miss(&self, x: f64) -> f64 {
        self.y - x * self.t
    }
}

#[differentiate]
#[differentiate]
fn miss_of(p: &Point, x: f64) -> f64 {
    p.y - x * p.t * x
}

#[differentiate]
#[differentiate]
fn miss_by(p: Point, x: f64) -> f64 {
    p.y - x * p.t * x
}

#[differentiate]
#[differentiate]
fn mix(a: f64, b: f64) -> f64 {
    a * b.cos()
}

#[differentiate]
#[differentiate]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..a.len().min(b.len()) {
        sum += a[i] * b[i];
    }
    sum
}

#[differentiate]
#[differentiate]
fn integrate<F: Fn(f64) -> f64>(f: F, a: f64, b: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..4 {
        sum += f(a + (b - a) * i as f64 / 4.0);
    }
    sum
}

/// Associated constants.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Model {
    pub rate: f64,
    pub gain: f64,
}

#[differentiate]
#[differentiate]
impl Model {
    pub const TABLE: [(f64, f64); 2] = [(0.5, 1.0), (1.5, 0.3)];
    pub const ROWS: &'static [[f64; 2]] = &[[0.5, 1.0], [1.5, 0.3]];

    pub fn loss(&self) -> f64 {
        let mut sum = 0.0;
        for (t, y) in Self::TABLE {
            let r = y - self.gain * (self.rate * t).exp();
            sum += r * r;
        }
        for &(t, y) in &Self::TABLE {
            sum += t * y * self.gain;
        }
        for [t, y] in Self::ROWS {
            sum += *t * y * self.rate;
        }
        sum + Self::TABLE.iter().map(|(t, y)| t * y * self.rate).sum::<f64>()
    }

    pub fn of(x: f64) -> f64 {
        let rows = Self::ROWS;
        rows.iter().map(|row| row.iter().map(|v| v * x).sum::<f64>()).sum::<f64>() * x
    }
}

#[differentiate]
#[differentiate]
pub(crate) trait Fitted {
    const NODES: [f64; 3];
    const WEIGHTS: &'static [f64];

    fn scale(&self) -> f64;

    fn total(&self, x: f64) -> f64 {
        let mut sum = 0.0;
        for p in Self::NODES {
            sum += p * x * self.scale();
        }
        for p in Self::WEIGHTS {
            sum += p * x;
        }
        sum + Self::NODES.iter().map(|p| p * x).sum::<f64>()
    }
}

#[differentiate]
#[differentiate]
impl Fitted for Model {
    const NODES: [f64; 3] = [1.0, 2.0, 4.0];
    const WEIGHTS: &'static [f64] = &[0.1, 0.4];

    fn scale(&self) -> f64 {
        self.gain * self.rate + <Self as Fitted>::NODES[1] * self.gain
    }
}

#[differentiate]
#[differentiate]
fn by_bound<M: Fitted + Differentiable>(m: &M, x: f64) -> f64 {
    let mut sum = 0.0;
    for p in M::NODES {
        sum += p * m.total(x);
    }
    for (i, p) in M::WEIGHTS.iter().enumerate() {
        sum += p * x * i as f64;
    }
    let nodes = &M::NODES;
    sum + nodes[1] * x + <M as Fitted>::NODES[2] * x
}

#[differentiate]
#[differentiate]
fn in_generic_function<T: Float>(x: &[T]) -> T {
    let mut sum = T::zero();
    for y in DATA {
        sum += T::from(y).unwrap() * x[0] * x[0];
    }
    for y in &DATA {
        sum += T::from(*y).unwrap() * x[1];
    }
    let scaled = DATA.iter().zip(x).map(|(y, x)| T::from(*y).unwrap() * *x * *x);
    sum + scaled.fold(T::zero(), |a, b| a + b)
}

#[test]
fn associated_constants_pass_the_tester() {
    let m = Model { rate: 0.3, gain: 1.2 };
    let results = [
        cotangent::check!(m.loss()),
        cotangent::check!(Model::of(0.7)),
        cotangent::check!(m.total(0.4)),
        cotangent::check!(m.scale()),
        cotangent::check!(by_bound(&m, 0.6)),
        cotangent::check!(in_generic_function(&[0.3_f64, 0.4, 0.5])),
        cotangent::check!(in_generic_function(&[0.3_f32, 0.4, 0.5])),
    ];
    for result in results {
        result.unwrap();
    }
}

corpus! {
    fn loop_over_array(x: f64) -> f64 {
        let mut s = 0.0;
        for y in DATA {
            s += y * x.exp();
        }
        s
    }
    at (0.3) => 6.0 * x.exp();

    fn loop_over_reference(x: f64) -> f64 {
        let mut s = 0.0;
        for y in &DATA {
            s += *y * x.sin();
        }
        s
    }
    at (0.3) => 6.0 * x.cos();

    fn loop_over_iter(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for y in DATA.iter() {
            s += y * x[0];
        }
        s
    }
    at (&[0.3]) => vec![6.0];

    fn loop_over_enumerated(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for (i, y) in DATA.iter().enumerate() {
            s += y * x[i] * x[i];
        }
        s
    }
    at (&[0.3, 0.4, 0.5]) => vec![2.0 * x[0], 4.0 * x[1], 6.0 * x[2]];

    fn loop_over_slice(x: f64) -> f64 {
        let mut s = 0.0;
        for y in SLICE {
            s += *y * x * x + y;
        }
        for &y in SLICE {
            s += y * x;
        }
        s
    }
    at (0.3) => 0.7 * (2.0 * x + 1.0);

    fn loop_over_written_array(x: f64) -> f64 {
        let mut s = 0.0;
        for y in [1.0, 2.0] {
            s += y * x * x;
        }
        s
    }
    at (0.3) => 6.0 * x;

    fn loop_over_written_active_array(x: f64, z: f64) -> f64 {
        let mut s = 0.0;
        for y in [z, x * z, 2.0] {
            s += y * x;
        }
        s
    }
    at (0.3, 0.7) => (z + 2.0 * x * z + 2.0, x + x * x);

    fn loop_over_written_pairs(x: f64) -> f64 {
        let mut s = 1.0;
        for y in [0.5; 3] {
            s = s * y + x;
        }
        for [a, b] in [[1.0, 2.0], [0.5, 0.2]] {
            s += a * b * x * s;
        }
        for (a, b) in [(1.0, x), (0.5, 0.2)] {
            s += a * b * x * s;
        }
        s
    }
    at (0.3);

    fn loop_over_module_item(x: f64) -> f64 {
        let mut s = 0.0;
        for y in measured::DATA {
            s += y * x * x;
        }
        for y in measured::DATA.iter() {
            s += y * x;
        }
        for y in &measured::DATA {
            s += y * x;
        }
        s
    }
    at (0.3) => 1.4 * (x + 1.0);

    fn sum_of_chain(x: f64) -> f64 {
        DATA.iter().map(|y| y * x * x).sum()
    }
    at (0.3) => 12.0 * x;

    fn range_zipped(x: f64) -> f64 {
        let mut s = 0.0;
        for (i, y) in (1..=3).zip(DATA) {
            s += y * x * x * i as f64;
        }
        s
    }
    at (0.3) => 28.0 * x;

    fn parameter_zipped(x: &[f64]) -> f64 {
        x.iter().zip(DATA).zip(&SLICE[1..]).map(|((a, b), c)| a * b * a * c).sum()
    }
    at (&[0.3, 0.4, 0.5]) => vec![0.4 * x[0], 1.6 * x[1], 0.0];

    fn slice_zipped(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for ((x, y), z) in x.iter().zip(&DATA).zip(SLICE) {
            s += x * x * y * *z;
        }
        s
    }
    at (&[0.3, 0.4, 0.5]);

    fn items_zipped(x: f64) -> f64 {
        let mut s = 0.0;
        for (a, b) in SLICE.iter().zip(DATA.iter()) {
            s += (a * x - b).powi(2);
        }
        for (a, b) in std::iter::zip(SLICE, DATA) {
            s += (a * x - b).powi(2);
        }
        s
    }
    at (0.3);

    fn adaptors_on_items(x: f64) -> f64 {
        let a: f64 = DATA
            .iter()
            .skip(1)
            .rev()
            .filter(|y| **y > 1.5)
            .map(|y| (y * x).sin())
            .fold(0.0, |a, b| a + b * x);
        let b: f64 =
            SLICE.iter().copied().enumerate().step_by(2).map(|(i, y)| (y * x).sin() * i as f64).sum();
        a * b
            + DATA
                .into_iter()
                .take_while(|y| *y < 2.5)
                .chain(SLICE.iter().cloned())
                .map(|y| (y * x).sin())
                .sum::<f64>()
    }
    at (0.3);

    fn windows_and_chunks(x: f64) -> f64 {
        let a: f64 = DATA.windows(2).map(|w| (w[1] - w[0]) * x).sum();
        let mut s = a * x;
        for w in SAMPLES.windows(2) {
            s += (w[1].0 - w[0].0) * (w[0].1 + x * w[1].1);
        }
        for c in DATA.chunks(2) {
            s += c[0] * x * c.len() as f64;
        }
        s
    }
    at (0.3) => 4.0 * x + 0.1 * 0.7 + 0.2 * 0.3 + 5.0;

    fn polynomial(x: f64) -> f64 {
        let mut acc = 0.0;
        for c in DATA.iter().rev() {
            acc = acc * x + c;
        }
        acc * DATA.iter().rev().fold(0.0, |acc, c| acc * x + c)
    }
    at (0.3) => 2.0 * (1.0 + 2.0 * x + 3.0 * x * x) * (2.0 + 6.0 * x);

    fn searched(x: f64) -> f64 {
        let m = DATA.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b));
        let k = DATA.iter().position(|y| *y > 1.5).unwrap();
        m * x * x + DATA[k] * x + DATA.iter().sum::<f64>() * x
    }
    at (0.3) => 6.0 * x + 8.0;

    fn collected(x: f64) -> f64 {
        let v: Vec<f64> = DATA.iter().map(|y| y * x).collect();
        let w = DATA.to_vec();
        v[0] * v[1] + w[2] * x
    }
    at (0.3) => 4.0 * x + 3.0;

    fn vector_of_values(x: f64) -> Vec<f64> {
        DATA.iter().map(|t| (t * x).exp()).collect()
    }
    at (0.3);

    fn written_beside_items(x: f64, out: &mut [f64]) {
        for (o, y) in out.iter_mut().zip(DATA) {
            *o += y * x;
        }
        for (i, y) in DATA.iter().enumerate() {
            out[i] *= y * x;
        }
    }
    at (0.3, &mut [0.1, 0.2, 0.3]);

    fn pairs_of_slice(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for (t, y) in SAMPLES {
            let r = y - x[0] * (x[1] * t).exp();
            s += r * r;
        }
        for &(t, y) in SAMPLES {
            s += mix(t, x[0]) * y;
        }
        s
    }
    at (&[0.3, 0.6]);

    fn pairs_of_array(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for (t, y) in PAIRS {
            s += mix(t, x[0]) * y * x[1];
        }
        for p in PAIRS {
            s += p.0 * x[0] * p.1;
        }
        s + PAIRS.iter().map(|(t, y)| y - x[0] * (x[1] * t).exp()).map(|r| r * r).sum::<f64>()
    }
    at (&[0.3, 0.6]);

    fn pair_dereferenced(x: f64) -> f64 {
        let mut s = 0.0;
        for (t, y) in SAMPLES {
            s += mix(*t, x) + *y;
        }
        for p in SAMPLES {
            let (t, y) = p;
            s += *t * x * y;
        }
        s
    }
    at (0.3) => -0.7 * x.sin() + 0.12 + 0.14 + 0.12;

    fn pair_of_index(x: f64) -> f64 {
        let (t, y) = PAIRS[1];
        (t * x).sin() * y
    }
    at (0.3) => 0.14 * (0.2 * x).cos();

    fn arms_over_pairs(x: f64) -> f64 {
        let mut s = 0.0;
        for p in SAMPLES {
            match p {
                (t, y) if *t < 0.15 => s += t * x * *y,
                (t, _) => s += *t * x * x,
            }
        }
        s
    }
    at (0.3) => 0.12 + 1.2 * x;

    fn rows_taken_apart(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for [a, b] in TABLE {
            s += a * x[0] + b * x[0] * x[1];
        }
        s
    }
    at (&[0.3, 0.6]) => vec![4.5 + 1.7 * x[1], 1.7 * x[0]];

    fn nested_loops(x: f64) -> f64 {
        let mut s = 0.0;
        for row in TABLE {
            for v in row {
                s += v * x * x;
            }
        }
        for row in &TABLE {
            for v in row {
                s += v * x;
            }
        }
        for row in ROWS {
            for v in row {
                s += v * x;
            }
            for v in row.iter() {
                s += v * x * row.len() as f64;
            }
        }
        s
    }
    at (0.3) => 12.4 * x + 6.2 + 6.0 + 9.0;

    fn loops_over_rows(x: f64) -> f64 {
        let mut s = 0.0;
        for v in TABLE[1] {
            s += v * x * x;
        }
        for v in &TABLE[2] {
            s += v * x;
        }
        for v in TABLE[1].iter().rev() {
            s += v * x;
        }
        s + TABLE.iter().flatten().map(|v| v * x * x).sum::<f64>()
    }
    at (0.3) => 0.2 * x + 3.2 + 12.4 * x;

    fn labelled_over_rows(x: f64) -> f64 {
        let mut s = 0.0;
        'rows: for row in TABLE {
            for v in row {
                if v < 0.0 {
                    continue 'rows;
                }
                s += v * x * x;
            }
        }
        s
    }
    at (0.3) => 13.2 * x;

    fn rows_as_arguments(x: &[f64]) -> f64 {
        let mut s = dot(&DATA, x) + dot(&DATA[1..], x) + dot(&TABLE[1], x) + dot(&SLICE, x);
        for i in 0..3 {
            let (row, other) = (&TABLE[i], TABLE[2 - i]);
            s += row[0] * x[0] * x[0] + dot(row, x) + dot(&other, x);
        }
        s + TABLE.iter().map(|row| dot(row, x)).sum::<f64>()
    }
    at (&[0.3, 0.6, 0.5]);

    fn names_for_items(x: f64) -> f64 {
        let d = DATA;
        let e = &DATA;
        let mut s = 0.0;
        for y in d {
            s += y * x;
        }
        for y in d.iter() {
            s += y * x * x;
        }
        for y in e {
            s += y * x;
        }
        s + d[0] * x + e[2] * x
    }
    at (0.3) => 16.0 + 12.0 * x;

    fn names_for_rows(x: f64) -> f64 {
        let (row, r) = (&TABLE[1], TABLE[2]);
        let mut s = 0.0;
        for y in row {
            s += y * x * x;
        }
        for y in r {
            s += y * x;
        }
        s + row[0] * x + r[1] * x
    }
    at (0.3) => 0.2 * x + 3.7;

    fn names_with_types(x: f64) -> f64 {
        let d: [f64; 3] = DATA;
        let e: &[f64] = &DATA;
        let f: &[f64] = SLICE;
        let mut s = dot(f, e) * x;
        for y in d {
            s += y * x;
        }
        for y in e {
            s += *y * x * x;
        }
        for y in f {
            s += *y * x * x;
        }
        s + d[0] * x + f[1] * x
    }
    at (0.3) => 1.7 + 6.0 + 13.4 * x + 1.2;

    fn names_of_names(x: f64) -> f64 {
        let mut s = 0.0;
        for row in ROWS {
            let again = row;
            let v = again[0];
            s += v * x;
            let w = &again[0];
            s += *w * x;
            s += match again {
                [a] => a * x * x,
                [a, ..] => *a * x,
                _ => 0.0,
            };
        }
        s
    }
    at (0.3) => 9.0 + 6.0 * x;

    fn copy_that_changes(x: f64) -> f64 {
        let mut d = DATA;
        d[1] *= x;
        for y in d.iter_mut() {
            *y *= x;
        }
        d[0] + d[1]
    }
    at (0.3) => 1.0 + 4.0 * x;

    fn taken_apart_by_let(x: f64) -> f64 {
        let [a, b, c] = DATA;
        let [[d, _], _, [_, e]] = TABLE;
        a * x + b * x * x + c + d * e * x
    }
    at (0.3) => 1.1 + 4.0 * x;

    fn structs_by_value(x: f64) -> f64 {
        let mut s = 0.0;
        for p in POINTS {
            s += (p.y - x * p.t).powi(2) + miss_by(p, x) * x;
            let q = p;
            s += miss_of(&p, x) + q.t * x + miss_by(q, x);
        }
        s
    }
    at (0.3);

    fn structs_by_reference(x: f64) -> f64 {
        let mut s = 0.0;
        for p in &POINTS {
            s += p.miss(x).powi(2) + miss_of(p, x);
        }
        for p in LATER {
            s += p.miss(x) * x;
        }
        for p in LATER.iter() {
            s += miss_of(p, x);
        }
        s + POINTS[0].miss(x) * x
    }
    at (0.3);

    fn structs_taken_apart(x: f64) -> f64 {
        let mut s = 0.0;
        for Point { t, y } in POINTS {
            s += t * x * y * x;
        }
        for &Point { t, y } in LATER {
            s += t * x * y * x;
        }
        s + LATER.iter().map(|Point { t, y }| t * x * y * x).sum::<f64>()
    }
    at (0.3) => 21.0 * x;

    fn fields_of_items(x: f64) -> f64 {
        let mut s = 0.0;
        for (t, y) in CURVES[0].points {
            s += t * x * y * x;
        }
        for c in CURVES {
            for (t, y) in c.points {
                s += t * y * x * c.slope;
            }
            s += c.order as f64 * x;
        }
        for c in &CURVES {
            let slope = &c.slope;
            s += slope * x * x;
        }
        s + CURVES[1].points[1].0 * x
    }
    at (0.3) => 28.0 * x + 44.5 + 3.0 + 6.0 * x + 3.5;

    fn chains_over_fields(x: f64) -> f64 {
        CURVES.iter().map(|c| c.slope * x * c.points.iter().map(|(t, y)| t * x + y).sum::<f64>()).sum()
    }
    at (0.3) => 2.0 * (8.0 * x + 6.0) + 2.0 * 4.5 * x + 6.5;

    fn variants_in_items(x: f64) -> f64 {
        let mut s = x;
        for (kind, w) in STEPS {
            s = match kind {
                Kind::Linear => s * w + x,
                Kind::Square => s * s * w,
            };
        }
        for step in &STEPS {
            if step.0 == Kind::Square {
                s *= step.1;
            }
        }
        for (kind, w) in &STEPS {
            match kind {
                Kind::Linear => s += *w * x,
                Kind::Square => s += w * x * x,
            }
        }
        s
    }
    at (0.3) => 4.5 * x + 2.0 + x;

    fn options_in_items(x: f64) -> f64 {
        let mut s = x;
        for o in GAPS {
            if let Some(w) = o {
                s += w * x * s;
            }
        }
        for o in &GAPS {
            match o {
                Some(w) => s += *w * x,
                None => s += x,
            }
        }
        s + GAPS.iter().filter_map(|o| *o).map(|w| w * x).sum::<f64>()
    }
    at (0.3);

    fn strings_in_items(x: f64) -> f64 {
        let mut s = x;
        for (name, w) in NAMED {
            if name == "a" {
                s += w * x;
            } else {
                s += x * x * w;
            }
        }
        s
    }
    at (0.3) => 3.0 + x;

    fn lookups_in_items(x: f64) -> f64 {
        let mut s = 0.0;
        if let Some(y) = DATA.get(1) {
            s += y * x;
        }
        if let Some((a, rest)) = DATA.split_first() {
            s += a * x * rest[1];
        }
        s += DATA.last().unwrap() * x;
        s + DATA.first().copied().unwrap_or(0.0) * x
    }
    at (0.3) => 9.0;

    fn indices_in_items(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for k in ORDER {
            s += x[k] * x[k] * k as f64;
        }
        for &k in &ORDER {
            s += x[k];
        }
        for (i, &k) in ORDER.iter().enumerate() {
            s += x[i] * x[k];
        }
        for (k, y) in ORDER.iter().zip(DATA) {
            s += match k {
                0 => y * x[0],
                1 => y * x[1] * x[0],
                _ => x[2],
            };
        }
        s
    }
    at (&[0.3, 0.4, 0.5]);

    fn items_in_macros(x: f64) -> f64 {
        assert!(DATA.len() == 3);
        for y in DATA {
            debug_assert!(y > 0.0, "{y}");
        }
        assert_eq!(DATA[1], 2.0);
        x * DATA[2]
    }
    at (0.3) => 3.0;

    fn items_of_the_body(x: f64) -> f64 {
        const INNER: [(f64, f64); 2] = [(1.0, 0.5), (0.2, 0.4)];
        let mut s = 0.0;
        for (t, y) in INNER {
            s += t * x * y * x;
        }
        for (t, y) in &INNER {
            s += t * x * y * x;
        }
        s
    }
    at (0.3) => 2.32 * x;

    fn single_precision(x: f32) -> f32 {
        const A: [f32; 2] = [1.5, 0.5];
        let mut s = 0.0;
        for a in A {
            s += a * x * x;
        }
        s + A.iter().map(|a| a * x).sum::<f32>()
    }
    at (0.3) => 4.0 * x + 2.0;

    fn references_to_numbers(x: f64) -> f64 {
        use std::f64::consts::PI;
        let (p, e) = (&PI, &std::f64::consts::E);
        *p * x * x + e * x
    }
    at (0.3) => 2.0 * std::f64::consts::PI * x + std::f64::consts::E;

    fn early_exit_from_item(x: f64) -> f64 {
        for y in DATA {
            if y * x > 0.5 {
                return y * x;
            }
        }
        x * x
    }
    at (0.3), (0.1);

    fn item_in_condition(x: f64) -> f64 {
        let (mut i, mut s) = (0, x);
        while i < DATA.len() && DATA[i] < 2.5 {
            s = s * DATA[i] + x;
            i += 1;
        }
        s
    }
    at (0.3) => 5.0;

    fn states_beside_items(x: f64) -> f64 {
        let (mut u, mut v) = (x, 1.0);
        for (t, y) in PAIRS {
            let w = u;
            u = u * t + v;
            v = w * y;
        }
        u * v
    }
    at (0.3);

    fn item_in_closure(x: f64) -> f64 {
        let f = |t: f64| {
            let mut s = 0.0;
            for y in DATA {
                s += y * t * t;
            }
            s
        };
        f(x) + f(2.0 * x)
    }
    at (0.3) => 60.0 * x;

    fn views_in_a_tuple(x: &[f64]) -> f64 {
        let (d, s) = (x[0], &x[1..2]);
        d * s[0]
    }
    at (&[0.3, 0.4]) => vec![x[1], x[0]];

    fn views_in_nested_tuples(x: &[f64], y: f64) -> f64 {
        let (a, b): (f64, &[f64]) = (y, x);
        let ((c, d), e) = ((&x[1..], &DATA), y * y);
        let (x, y) = (y, x);
        a * b[0] * c[0] * d[1] * e * x * y[1]
    }
    at (&[0.3, 0.4, 0.5], 0.7) => (vec![2.0 * y.powi(4) * x[1] * x[1], 4.0 * y.powi(4) * x[0] * x[1], 0.0], 8.0 * y.powi(3) * x[0] * x[1] * x[1]);

    fn unique_views_in_a_tuple(x: &mut [f64], y: f64) -> f64 {
        let mut z = [y; 2];
        let (a, b) = (&mut x[0], &mut z[1]);
        *a *= y;
        *b *= *a;
        let (c, d) = (&z, &*x);
        c[0] * c[1] * d[0]
    }
    at (&mut [0.3, 0.4, 0.5], 0.7);

    fn halves_in_a_tuple(x: &[f64], m: &mut [f64]) -> f64 {
        let n = x.len() / 2;
        let (a, b) = (&x[..n], &x[n..]);
        let (p, q) = m.split_at_mut(1);
        p[0] *= a[0];
        q[0] *= b[0];
        let (v, (w, k)) = (&p[0], (&q, 2.0));
        *v * w[0] * k + a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>()
    }
    at (&[0.3, 0.4, 0.5, 0.6], &mut [0.2, 0.9]);
}

corpus! {
    fn item_in_passed_closure(x: f64) -> f64 {
        integrate(
            |t| {
                let mut s = 0.0;
                for y in DATA {
                    s += y * t * x;
                }
                s + DATA.iter().map(|y| y * t * x).sum::<f64>()
            },
            0.0,
            x,
        )
    }
    at (0.3);

    fn named_item_in_passed_closure(x: f64) -> f64 {
        let (data, points) = (DATA, &CURVES[1].points);
        let row = &TABLE[1];
        let all = &DATA;
        integrate(
            |t| {
                let mut s = 0.0;
                for y in all {
                    s += y * t * x;
                }
                for p in points.iter() {
                    s += p.0 * p.1 * t;
                }
                s + data[0] * t + all.iter().sum::<f64>() + row[0] * t + row.iter().sum::<f64>()
            },
            0.0,
            x,
        )
    }
    at (0.3);
}
