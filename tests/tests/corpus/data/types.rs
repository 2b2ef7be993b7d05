//! Types: both floats, casts, integers, aliases, tuples and patterns as parameters.

use cotangent::differentiate;

type Real = f64;
type Point = [f64; 2];
type Weights<'a> = &'a [f64];

#[differentiate]
#[differentiate]
fn turned(p: &mut [f64; 2]) {
    *p = [p[0] * p[1], p[0] - p[1]];
}

corpus! {
    fn single_precision(x: f32, y: f32) -> f32 { x * y + x.sin() / y - 2.0 * x }
    at (1.3, 0.6) => (y + x.cos() / y - 2.0, x - x.sin() / (y * y));

    fn single_precision_branch(x: f32) -> f32 { if x > 0.5 { x.sqrt() * 3.0 } else { x * x } }
    at (1.3), (0.2) => if x > 0.5 { 1.5 / x.sqrt() } else { 2.0 * x };

    fn single_precision_loop(x: f32, n: u32) -> f32 {
        let mut value = 1.0;
        for i in 0..n {
            value = value * x + i as f32;
        }
        value
    }
    at (0.7, 4), (0.7, 0);

    fn widened(x: f32) -> f64 {
        let y = x as f64;
        y * y
    }
    at (1.3) => 2.0 * x;

    fn narrowed(x: f64) -> f32 {
        let y = x as f32;
        y * y * 0.5
    }
    at (1.3) => x as f32 as f64;

    fn both_precisions(x: f32, y: f64) -> f64 { (x * x) as f64 * y + f64::from(x) * (y as f32).sin() as f64 }
    at (1.3, 0.6);

    fn casts_that_change_nothing(x: f64) -> f64 { (x as f64 * 2.0) as f64 }
    at (1.3) => 2.0;

    fn integer_parameters(x: f64, a: i32, b: u8, c: i64, d: usize) -> f64 {
        x.powi(a) * b as f64 + x * c as f64 / (d as f64 + f64::from(a))
    }
    at (1.3, 3, 7, -4, 2);

    fn integer_arithmetic(x: f64, n: usize, k: i32) -> f64 {
        let half = n / 2 + n % 3 - 1;
        let mut m = (k - 4).abs() * -k;
        m <<= 1;
        m |= 1;
        m -= 2 * m.pow(2) % 7;
        x * half as f64 + x * x * m as f64 + x * n.max(3).min(9) as f64
    }
    at (1.3, 7, 2);

    fn rounding_to_an_integer(x: f64, y: f64) -> f64 {
        let i = x as i32;
        let j = (y * 10.0) as usize;
        x * i as f64 + y * j as f64
    }
    at (2.3, 0.64), (-2.3, 0.64) => (f64::from(x as i32), ((y * 10.0) as usize) as f64);

    fn conversion_functions(x: f64, n: i32, m: f32) -> f64 { f64::from(n) * x + f64::from(m) * f64::from(n + 1) }
    at (1.3, 3, 0.6);

    fn literal_suffixes(x: f64) -> f64 { x * 2f64 + 1e-3_f64 * x + 1_000.5 * x + 3. * x + 2.5E2 * x }
    at (1.3) => 2.0 + 1e-3 + 1_000.5 + 3.0 + 250.0;

    fn alias_of_a_float(x: Real, y: Real) -> Real { x * y + x.sin() - 2.0 * y }
    at (1.3, 0.6) => (y + x.cos(), x - 2.0);

    fn alias_in_a_body(x: Real, n: usize) -> Real {
        let mut sum: Real = 0.0;
        for i in 0..n {
            sum += x * i as Real + sum * x;
        }
        if sum > 1.0 { sum.sqrt() } else { sum }
    }
    at (0.7, 4), (0.1, 2);

    fn alias_and_quotients_in_arms(x: Real, y: Real) -> Real {
        let z = x * y + 1.0;
        if z > x { z.sin() / z } else { -3.0 / z }
    }
    at (0.7, 0.4), (2.5, 0.3);

    fn alias_of_an_element(x: &[Real], w: Real) -> Real {
        let mut sum = w;
        for i in 0..x.len() {
            sum += x[i] * x[i] * w;
        }
        sum
    }
    at (&[1.3, 0.6], 0.7);

    fn alias_of_an_array(p: Point, q: &Point) -> f64 { p[0] * q[1] - p[1] * q[0] }
    at ([1.3, 0.6], &[-0.4, 2.0]) => ([q[1], -q[0]], [-p[1], p[0]]);

    fn alias_as_the_result(x: f64) -> Point { [x * x, x] }
    at (1.3);

    fn alias_as_the_result_of_a_place_that_is_lent(mut p: [f64; 2]) -> Point { turned(&mut p); p }
    at ([1.3, 0.6]);

    fn vector_of_an_alias(n: usize, x: Real) -> Vec<Real> {
        let mut v: Vec<Real> = Vec::new();
        for i in 0..n {
            v.push(x * i as Real);
        }
        v
    }
    at (3, 1.3);

    fn bool_and_text(x: f64, positive: bool, name: &str, letter: char) -> f64 {
        let scale = name.len() as f64;
        if positive && letter == 'a' { x * scale } else { -x * x }
    }
    at (1.3, true, "four", 'a'), (1.3, false, "four", 'a'), (1.3, true, "", 'b');

    fn integer_slices(x: &[f64], a: &[usize], b: &[i32], c: [usize; 2]) -> f64 {
        let mut sum = 0.0;
        for k in 0..a.len() {
            sum += x[a[k]].powi(b[k]) * x[c[k % 2]];
        }
        sum
    }
    at (&[1.3, 0.6, 0.4], &[2, 0, 1], &[2, 3, -1], [0, 2]);

    fn integer_vectors_and_tuples(x: &[f64], a: Vec<usize>, b: (usize, i32), c: &(usize, usize)) -> f64 {
        let (i, k) = b;
        x[a[0]] * x[i].powi(k) + x[c.0] * c.1 as f64
    }
    at (&[1.3, 0.6, 0.4], vec![2, 0], (1, 3), &(0, 5));

    fn constant_scalars_behind_references(x: f64, n: &usize, k: &i32, up: &bool) -> f64 {
        if *up { x.powi(*k) * *n as f64 } else { x }
    }
    at (1.3, &4, &3, &true), (1.3, &4, &3, &false);

    fn tuple_parameter(p: (f64, f64), w: f64) -> f64 { p.0 * p.1 + w * p.0 }
    at ((1.3, 0.6), 0.7) => ((p.1 + w, p.0), p.0);

    fn tuple_with_an_integer_as_parameter(p: (f64, usize)) -> f64 { p.0.powi(p.1 as i32) }
    at ((1.3, 3));

    fn pattern_as_a_parameter((a, b): (f64, f64), _: f64) -> f64 { a * b }
    at ((1.3, 0.6), 2.0) => ((b, a), 0.0);

    fn parenthesised_types(x: (f64), y: &([f64])) -> (f64) { x * y[0] }
    at (1.3, &[0.6]) => (y[0], vec![x]);

    fn no_active_value_on_the_way(x: f64, n: usize) -> f64 {
        let k = x as usize + n;
        k as f64 * 0.5
    }
    at (1.3, 4) => 0.0;

    fn special_constants(x: f64) -> f64 {
        let limit = f64::MAX.min(f64::INFINITY);
        if x < limit && x > f64::NEG_INFINITY && !f64::NAN.is_finite() { x * f64::EPSILON.sqrt() + x / f64::MIN_POSITIVE.max(2.0) } else { 0.0 }
    }
    at (1.3) => f64::EPSILON.sqrt() + 0.5;

    fn units_on_the_way(x: f64) -> f64 {
        let u = ();
        let _v: () = { u };
        x * x
    }
    at (1.3) => 2.0 * x;

    fn absolute_paths(x: f64) -> f64 {
        let v: ::std::vec::Vec<f64> = ::std::vec![x, 2.0];
        core::primitive::f64::sin(x) + v[0] * std::primitive::f64::max(v[1], x)
    }
    at (1.3), (2.3);
}

#[differentiate]
#[differentiate]
fn array_of_any_length<const N: usize>(x: &[f64; N], w: [f64; N]) -> f64 {
    let mut sum = 0.0;
    for i in 0..N {
        sum += x[i] * x[i] * w[N - 1 - i];
    }
    sum
}

#[differentiate]
#[differentiate]
fn array_result_of_any_length<const N: usize>(x: [f64; N]) -> [f64; N] {
    let mut y = [0.0; N];
    for i in 0..N {
        y[i] = x[i].sin() * x[0];
    }
    y
}

#[differentiate]
#[differentiate]
fn explicit_lifetime<'a>(x: &'a [f64], w: &'a f64) -> f64 {
    x[0] * *w + x[1]
}

#[differentiate]
#[differentiate]
fn alias_with_a_lifetime(x: &[f64], w: f64) -> f64 {
    let y: Weights = x;
    y[0] * w
}

checks! {
    array_of_any_length at (&[1.3, 0.6, -0.4], [0.1, 0.2, 0.3]), (&[1.3], [0.5]);
    array_result_of_any_length at ([1.3, 0.6, -0.4]), ([1.3]);
    explicit_lifetime at (&[1.3, 0.6], &0.7);
    alias_with_a_lifetime at (&[1.3, 0.6], 0.7);
}
