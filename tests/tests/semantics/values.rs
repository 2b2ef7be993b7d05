//! The value is the function's value, bit for bit, in every mode.

use super::assert_same_value;
use cotangent::differentiate;

/// Ordinary numbers, and those with which algebra that holds for reals does not hold.
const POINTS: [f64; 12] = [
    0.0,
    -0.0,
    1.0,
    -1.5,
    0.1,
    1.0 / 3.0,
    1e-310,
    1e16,
    1e300,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

#[differentiate]
fn zeros(x: f64) -> f64 {
    1.0 / (x + 0.0) - 1.0 / (0.0 - x) + 1.0 / (-x + 0.0) + 1.0 / -x
}

#[differentiate]
fn times_zero(x: f64) -> f64 {
    1.0 / (x * 0.0)
}

#[differentiate]
fn cancelled(x: f64) -> f64 {
    (x - x) + x / x + (x + 1.0 - 1.0)
}

#[differentiate]
fn divided_twice(x: f64) -> f64 {
    x / 3.0 / 3.0 + x * (1.0 / 3.0) + x / 9.0
}

#[differentiate]
fn squared_in_three_ways(x: f64) -> f64 {
    x * x + x.powi(2) - x.powf(2.0)
}

#[differentiate]
fn functions(x: f64) -> f64 {
    x.sin() * x.cos() + x.tan() - x.exp() / x.abs().sqrt() + x.ln_1p() + x.cbrt().tanh()
}

#[test]
fn of_one_number() {
    for x in POINTS {
        assert_same_value!(zeros(x));
        assert_same_value!(times_zero(x));
        assert_same_value!(cancelled(x));
        assert_same_value!(divided_twice(x));
        assert_same_value!(squared_in_three_ways(x));
        assert_same_value!(functions(x));
    }
}

#[differentiate]
fn grouped(x: f64, y: f64) -> f64 {
    x + (y + (x + (0.1 + y))) - (x - (y - 0.3))
}

#[differentiate]
fn not_fused(x: f64, y: f64) -> f64 {
    x * y + 0.1 * x - y * 0.3
}

#[differentiate]
fn fused(x: f64, y: f64) -> f64 {
    x.mul_add(y, 0.1).mul_add(0.3, -y)
}

#[differentiate]
fn extremes(x: f64, y: f64) -> f64 {
    1.0 / x.max(y) + 1.0 / x.min(y) + x.clamp(-1.0, 1.0).copysign(y)
}

#[differentiate]
fn remainders(x: f64, y: f64) -> f64 {
    x % y + x.rem_euclid(y) + x.hypot(y) - y.atan2(x)
}

#[differentiate]
fn branched(x: f64, y: f64) -> f64 {
    if x < y {
        x / y
    } else if x > y || x == 0.0 {
        y - x
    } else {
        x * y
    }
}

#[differentiate]
fn summed(x: f64, y: f64) -> f64 {
    let mut sum = 0.0;
    let mut i = 0;
    while i < 10 {
        sum += x / (y + i as f64);
        i += 1;
    }
    sum
}

#[test]
fn of_two_numbers() {
    for x in POINTS {
        for y in POINTS {
            assert_same_value!(grouped(x, y));
            assert_same_value!(not_fused(x, y));
            assert_same_value!(fused(x, y));
            assert_same_value!(extremes(x, y));
            assert_same_value!(remainders(x, y));
            assert_same_value!(branched(x, y));
            assert_same_value!(summed(x, y));
        }
    }
}

#[differentiate]
fn reductions(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    let mut product = 1.0;
    for i in 0..x.len() {
        sum += x[i].sin();
        product *= x[i] + 0.1;
    }
    sum - product
}

#[test]
fn sums_keep_their_order() {
    let x: Vec<f64> = (0..1000).map(|i| f64::from(i * i % 97) * 0.01).collect();
    let expected = reductions(&x).to_bits();
    assert_eq!(reductions::value_and_gradient(&x).0.to_bits(), expected);
    assert_eq!(reductions::accumulate_gradient(&x, &mut vec![0.0; 1000]).0.to_bits(), expected);
    assert_eq!(reductions::vjp(&x).0.to_bits(), expected);
    assert_eq!(reductions::jvp(&x, &x).0.to_bits(), expected);
}

#[differentiate]
fn written(x: &mut [f64; 3], n: i32) -> (f64, i64, bool) {
    x[0] /= 3.0;
    x[2] = x[0] * x[1] - 0.1;
    (x[2], (n as i64) << 40, n % -3 == -1 || x[2].is_nan())
}

#[test]
fn everything_that_leaves_the_function() {
    for n in [-4, 0, 7] {
        let mut places = [[0.1, 0.7, f64::NAN]; 3];
        let expected = written(&mut places[0], n);
        assert_eq!(written::vjp(&mut places[1], n).0, expected);
        assert_eq!(written::jvp(&mut places[2], &mut [0.0; 3], n).0, expected);
        assert_eq!(places[0].map(f64::to_bits), places[1].map(f64::to_bits));
        assert_eq!(places[0].map(f64::to_bits), places[2].map(f64::to_bits));
    }
}
