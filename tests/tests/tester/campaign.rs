//! A campaign against false alarms, and for sharpness: functions at exact minima, where the terms of their gradients
//! cancel, at ordinary points and at extreme ones, with right derivatives and with planted faults.
//!
//! In each function one term goes through [`planted`], the identity, whose derivatives are off by factors that a test
//! sets. A fault is planted only where its term is not zero: the derivative of a square is right at zero with any factor.

use cotangent::check::{Mismatch, Random, Report};
use cotangent::{Differentiable, check, differentiate, primitive};
use std::cell::Cell;

thread_local! {
    /// By how much `jvp` and `vjp` of the planted term are off.
    static FACTORS: Cell<(f64, f64)> = const { Cell::new((1.0, 1.0)) };
}

fn planted_jvp(u: f64, u_dot: f64) -> (f64, f64) {
    (u, u_dot * FACTORS.get().0)
}

fn planted_vjp(u: f64) -> (f64, impl FnOnce(f64) -> f64 + use<>) {
    (u, |bar: f64| bar * FACTORS.get().1)
}

#[primitive(jvp = planted_jvp, vjp = planted_vjp)]
fn planted(u: f64) -> f64 {
    u
}

fn planted_single_jvp(u: f32, u_dot: f32) -> (f32, f32) {
    (u, u_dot * FACTORS.get().0 as f32)
}

fn planted_single_vjp(u: f32) -> (f32, impl FnOnce(f32) -> f32 + use<>) {
    (u, |bar: f32| bar * FACTORS.get().1 as f32)
}

#[primitive(jvp = planted_single_jvp, vjp = planted_single_vjp)]
fn planted_single(u: f32) -> f32 {
    u
}

/// Both modes, reverse mode alone, forward mode alone: off by a thousandth, without the term, with the wrong sign.
const FAULTS: [(f64, f64); 9] = [
    (1.001, 1.001),
    (0.0, 0.0),
    (-1.0, -1.0),
    (1.0, 1.001),
    (1.0, 0.0),
    (1.0, -1.0),
    (1.001, 1.0),
    (0.0, 1.0),
    (-1.0, 1.0),
];

/// A function at points that a generator draws.
type Test = fn(&mut Random) -> Result<Report, Mismatch>;

fn between(random: &mut Random, low: f64, high: f64) -> f64 {
    low + (high - low) * random.uniform()
}

fn several(random: &mut Random, count: usize) -> Vec<f64> {
    (0..count).map(|_| between(random, -1.0, 1.0)).collect()
}

// Functions at their minima.

#[differentiate(wrt(p))]
fn misfit(p: &[f64], x: &[f64], y: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        let residual = p[0] + p[1] * x[i] - y[i];
        sum += if i == 3 { planted(residual * residual) } else { residual * residual };
    }
    sum
}

fn fitted(x: &[f64], y: &[f64]) -> [f64; 2] {
    let m = x.len() as f64;
    let (sx, sy) = (x.iter().sum::<f64>(), y.iter().sum::<f64>());
    let (sxx, sxy) =
        (x.iter().map(|x| x * x).sum::<f64>(), x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>());
    let slope = (m * sxy - sx * sy) / (m * sxx - sx * sx);
    [(sy - slope * sx) / m, slope]
}

fn least_squares(random: &mut Random) -> Result<Report, Mismatch> {
    let (x, y) = (several(random, 30), several(random, 30));
    check!(misfit(&fitted(&x, &y), &x, &y))
}

fn exact_fit(random: &mut Random) -> Result<Report, Mismatch> {
    let (x, p) = (several(random, 30), several(random, 2));
    let y: Vec<f64> = x.iter().map(|x| p[0] + p[1] * x).collect();
    check!(misfit(&fitted(&x, &y), &x, &y))
}

#[differentiate(reverse, wrt(p))]
fn misfit_in_reverse(p: &[f64], x: &[f64], y: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        let residual = p[0] + p[1] * x[i] - y[i];
        sum += if i == 3 { planted(residual * residual) } else { residual * residual };
    }
    sum
}

fn least_squares_in_reverse(random: &mut Random) -> Result<Report, Mismatch> {
    let (x, y) = (several(random, 30), several(random, 30));
    check!(misfit_in_reverse(&fitted(&x, &y), &x, &y))
}

#[differentiate]
fn rosenbrock(x: f64, y: f64) -> f64 {
    (1.0 - x).powi(2) + 100.0 * (y - x * x).powi(2)
}

fn valley(random: &mut Random) -> Result<Report, Mismatch> {
    let x = between(random, 0.5, 1.5);
    check!(rosenbrock(1.0, 1.0)).and(check!(rosenbrock(x, x * x)))
}

/// `¼ x⁴ k₀ + ½ x² k₁ - F x`, at a force in equilibrium.
#[differentiate]
fn spring(x: f64, k: [f64; 2], force: f64) -> f64 {
    planted(0.25 * k[0] * x.powi(4)) + 0.5 * k[1] * x * x - force * x
}

fn equilibrium(random: &mut Random) -> Result<Report, Mismatch> {
    let (x, k) = (between(random, 0.5, 2.0), [1.0 + random.uniform(), 2.0]);
    check!(spring(x, k, k[0] * x.powi(3) + k[1] * x))
}

#[differentiate]
fn pair(r: f64) -> f64 {
    let s = 1.0 / r.powi(6);
    4.0 * (planted(s * s) - s)
}

fn pair_at_rest(random: &mut Random) -> Result<Report, Mismatch> {
    let _ = random;
    check!(pair(2.0_f64.powf(1.0 / 6.0)))
}

/// The sum of distances to the corners of a triangle.
#[differentiate(wrt(p))]
fn distances(p: [f64; 2], corners: &[[f64; 2]]) -> f64 {
    let mut sum = 0.0;
    for i in 0..corners.len() {
        let (u, v) = (p[0] - corners[i][0], p[1] - corners[i][1]);
        let distance = (u * u + v * v).sqrt();
        sum += if i == 0 { planted(distance) } else { distance };
    }
    sum
}

fn fermat_point(random: &mut Random) -> Result<Report, Mismatch> {
    let corner = |angle: f64, radius: f64| [radius * angle.cos() + 0.3, radius * angle.sin() - 0.2];
    let third = 2.0 * std::f64::consts::PI / 3.0;
    let corners = [0.1, 0.1 + third, 0.1 + 2.0 * third].map(|a| corner(a, 1.0 + random.uniform()));
    check!(distances([0.3, -0.2], &corners))
}

#[differentiate]
#[differentiate]
fn two_orders(x: f64, y: f64) -> f64 {
    (x - y).exp() - (x - y) + (x - y).powi(2) * y
}

fn minimum_of_two_orders(random: &mut Random) -> Result<Report, Mismatch> {
    let x = between(random, 0.5, 1.5);
    check!(two_orders(x, x))
}

#[differentiate]
fn entropy(p: &[f64]) -> f64 {
    let total: f64 = p.iter().sum();
    let mut sum = 0.0;
    for i in 0..p.len() {
        let q = p[i] / total;
        sum += if i == 1 { planted(q * q.ln()) } else { q * q.ln() };
    }
    sum
}

fn uniform_entropy(random: &mut Random) -> Result<Report, Mismatch> {
    let p = between(random, 0.1, 3.0);
    check!(entropy(&[p; 7]))
}

// Sums that cancel, and results that are zero but for rounding.

#[differentiate(wrt(x))]
fn cancelling(x: f64, c: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..c.len() {
        sum += if i == 2 { planted(c[i] * x) } else { c[i] * x };
    }
    sum
}

fn ill_conditioned_sum(random: &mut Random) -> Result<Report, Mismatch> {
    let mut c: Vec<f64> = several(random, 20).iter().map(|c| c * 1e8).collect();
    c.push(-c.iter().sum::<f64>());
    check!(cancelling(between(random, 0.5, 2.0), &c))
}

#[differentiate]
fn eliminate(m: &mut [[f64; 3]; 3]) -> f64 {
    for k in 0..2 {
        for i in k + 1..3 {
            let factor = m[i][k] / m[k][k];
            for j in k..3 {
                m[i][j] -= factor * m[k][j];
            }
        }
    }
    planted(m[2][2])
}

fn elimination(random: &mut Random) -> Result<Report, Mismatch> {
    let mut entry = || between(random, 0.5, 2.0);
    let mut m = [[entry(), entry(), entry()], [entry(), 7.0, entry()], [entry(), entry(), 5.0]];
    check!(eliminate(&mut m))
}

#[differentiate]
fn split(u: f64, v: f64) -> (f64, f64) {
    let s = u + v;
    let t = (s - v) - u;
    (planted(s), -t)
}

fn split_sum(random: &mut Random) -> Result<Report, Mismatch> {
    check!(split(between(random, -90.0, 90.0), between(random, -90.0, 90.0)))
}

#[allow(clippy::eq_op, reason = "a result that is zero")]
#[differentiate]
fn with_constants(x: f64) -> (f64, f64, [f64; 2]) {
    (x - x, 3.0, [planted(x * x), 0.0])
}

fn constant_results(random: &mut Random) -> Result<Report, Mismatch> {
    check!(with_constants(between(random, -2.0, 2.0)))
}

#[differentiate]
fn rotate(q: &mut [f64; 2], angle: f64) -> f64 {
    let (s, c) = angle.sin_cos();
    let moved = [c * q[0] - s * q[1], s * q[0] + c * q[1]];
    *q = moved;
    planted(q[0] * q[0]) + q[1] * q[1]
}

/// The norm does not change with the angle.
fn invariant(random: &mut Random) -> Result<Report, Mismatch> {
    let q = several(random, 2);
    check!(rotate(&mut [q[0], q[1]], between(random, -3.0, 3.0)))
}

// Single precision, and both precisions in one function.

#[differentiate(wrt(p))]
fn misfit_single(p: &[f32], x: &[f32], y: &[f32]) -> f32 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        let residual = p[0] + p[1] * x[i] - y[i];
        sum += if i == 3 { planted_single(residual * residual) } else { residual * residual };
    }
    sum
}

fn single(floats: &[f64]) -> Vec<f32> {
    floats.iter().map(|float| *float as f32).collect()
}

fn single_least_squares(random: &mut Random) -> Result<Report, Mismatch> {
    let x = several(random, 12);
    // A residual that is not small carries the fault.
    let y: Vec<f64> = several(random, 12)
        .iter()
        .enumerate()
        .map(|(i, y)| if i == 3 { 2.0 } else { *y })
        .collect();
    let p = fitted(&x, &y);
    check!(misfit_single(&single(&p), &single(&x), &single(&y)))
}

#[differentiate]
fn eliminate_single(m: &mut [f32]) -> f32 {
    let factor = m[2] / m[0];
    for k in 0..2 {
        m[2 + k] -= factor * m[k];
    }
    planted_single(m[3])
}

fn single_elimination(random: &mut Random) -> Result<Report, Mismatch> {
    let mut entry = || between(random, 0.5, 2.0) as f32;
    let mut m = [entry(), entry(), entry(), 5.0 + entry()];
    check!(eliminate_single(&mut m))
}

#[differentiate]
fn mixed(x: f64, w: &[f32]) -> f64 {
    let mut sum = 0.0_f32;
    for i in 0..w.len() {
        sum += w[i].sin() * w[i];
    }
    planted(f64::from(sum) * x) + x * x
}

fn mixed_precision(random: &mut Random) -> Result<Report, Mismatch> {
    let w = single(&several(random, 5));
    check!(mixed(between(random, 0.5, 2.0), &[&w[..], &[2.0; 3]].concat()))
}

/// Single precision that no argument and no result shows.
#[differentiate]
fn narrowed(x: f64, y: f64) -> f64 {
    let (a, b) = (x as f32, y as f32);
    planted(f64::from(a.sin() * b + a * b.exp())) + x * y
}

fn hidden_single_precision(random: &mut Random) -> Result<Report, Mismatch> {
    check!(narrowed(between(random, 0.5, 2.0), between(random, -1.0, 1.0)))
}

// Extreme arguments, and what varies quickly.

#[differentiate]
fn ratios(x: f64, y: f64) -> (f64, f64, f64) {
    (planted(x / y), 1.0 / x, (x / y).ln() + y)
}

fn extreme_ratios(random: &mut Random) -> Result<Report, Mismatch> {
    let mut at = |size: f64| size * between(random, 0.5, 2.0);
    check!(ratios(at(1e150), at(1e150)))
        .and(check!(ratios(at(1e-150), at(1e-150))))
        .and(check!(ratios(at(1e-150), at(1e-140))))
        .and(check!(ratios(at(1e100), at(1e-100))))
}

#[differentiate]
fn squares(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += if i == 0 { planted(x[i] * x[i]) } else { x[i] * x[i] };
    }
    sum.sqrt()
}

fn extreme_norm(random: &mut Random) -> Result<Report, Mismatch> {
    let at: Vec<f64> = (0..4).map(|_| between(random, 0.5, 2.0)).collect();
    let by = |size: f64| at.iter().map(|x| x * size).collect::<Vec<_>>();
    check!(squares(&by(1e150))).and(check!(squares(&by(1e-150)))).and(check!(squares(&by(1e-20))))
}

#[differentiate]
fn steep(x: f64, rate: f64) -> f64 {
    planted((rate * x).tanh()) + x
}

fn steep_slope(random: &mut Random) -> Result<Report, Mismatch> {
    let rate = 10.0_f64.powf(between(random, 0.0, 8.0));
    check!(steep(0.0, rate)).and(check!(steep(between(random, 0.5, 1.5) / rate, rate)))
}

#[differentiate]
fn waves(x: f64, n: f64) -> f64 {
    planted((n * x).sin()) + (x * 30.0).cos()
}

fn fast_waves(random: &mut Random) -> Result<Report, Mismatch> {
    let n = 10.0_f64.powf(between(random, 0.0, 6.0));
    // Away from crests, where the derivative of the sine is zero.
    let x = ((between(random, 1.0, 50.0) as i32 as f64) * std::f64::consts::PI + 0.4) / n;
    check!(waves(x, n))
}

#[differentiate]
fn logistic_map(x: f64, rate: f64) -> f64 {
    let mut y = planted(x);
    for _ in 0..20 {
        y = rate * y * (1.0 - y);
    }
    y
}

fn chaos(random: &mut Random) -> Result<Report, Mismatch> {
    check!(logistic_map(between(random, 0.1, 0.4), 3.9))
}

// Ordinary points.

#[derive(Clone, Differentiable)]
struct Layer {
    weights: Vec<f64>,
    bias: f64,
}

#[differentiate]
fn layer(layer: &Layer, x: &mut [f64], scale: f64) -> f64 {
    let mut sum = layer.bias;
    for i in 0..x.len() {
        x[i] = planted(x[i] * scale).tanh();
        sum += layer.weights[i] * x[i];
    }
    1.0 / (1.0 + (-sum).exp())
}

fn neuron(random: &mut Random) -> Result<Report, Mismatch> {
    let (weights, bias) = (several(random, 6), between(random, -1.0, 1.0));
    let mut x = several(random, 6);
    check!(layer(&Layer { weights, bias }, &mut x, between(random, 0.5, 2.0)))
}

#[differentiate]
fn log_sum_exp(x: &[f64]) -> f64 {
    let mut largest = x[0];
    for i in 1..x.len() {
        largest = largest.max(x[i]);
    }
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += planted(x[i] - largest).exp();
    }
    largest + sum.ln()
}

fn soft_maximum(random: &mut Random) -> Result<Report, Mismatch> {
    check!(log_sum_exp(&several(random, 5)))
}

/// How small a fault of a term a test has to find.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sharpness {
    Thousandth,
    /// That of single precision, and of what differences see of chaos: a fiftieth.
    Single,
    /// There is no forward mode.
    ReverseAlone,
    /// The derivative of the planted term is zero, or there is none.
    Nothing,
}

use Sharpness::*;

/// The tests, and what they have to find.
const TESTS: [(&str, Test, Sharpness); 27] = [
    ("least_squares", least_squares, Thousandth),
    ("exact_fit", exact_fit, Nothing),
    ("least_squares_in_reverse", least_squares_in_reverse, ReverseAlone),
    ("valley", valley, Nothing),
    ("equilibrium", equilibrium, Thousandth),
    ("pair_at_rest", pair_at_rest, Thousandth),
    ("fermat_point", fermat_point, Thousandth),
    ("minimum_of_two_orders", minimum_of_two_orders, Nothing),
    ("uniform_entropy", uniform_entropy, Thousandth),
    ("ill_conditioned_sum", ill_conditioned_sum, Thousandth),
    ("elimination", elimination, Thousandth),
    ("split_sum", split_sum, Thousandth),
    ("constant_results", constant_results, Thousandth),
    ("invariant", invariant, Thousandth),
    ("single_least_squares", single_least_squares, Single),
    ("single_elimination", single_elimination, Single),
    ("mixed_precision", mixed_precision, Single),
    ("hidden_single_precision", hidden_single_precision, Single),
    ("extreme_ratios", extreme_ratios, Thousandth),
    ("extreme_norm", extreme_norm, Thousandth),
    ("steep_slope", steep_slope, Thousandth),
    ("fast_waves", fast_waves, Thousandth),
    ("chaos", chaos, Single),
    ("neuron", neuron, Thousandth),
    ("soft_maximum", soft_maximum, Thousandth),
    ("single_shadow", single_shadow, Single),
    ("tiny_entries", tiny_entries, Thousandth),
];

#[differentiate]
fn weighted_single(x: &[f32], w: f32) -> f32 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += if i == 0 { planted_single(w * x[i]) } else { w * x[i] };
    }
    sum
}

fn single_shadow(random: &mut Random) -> Result<Report, Mismatch> {
    check!(weighted_single(
        &single(&several(random, 3)).map_first(2.0),
        0.5 + random.uniform() as f32
    ))
}

/// Puts a number that is not small first.
trait MapFirst {
    fn map_first(self, first: f32) -> Self;
}

impl MapFirst for Vec<f32> {
    fn map_first(mut self, first: f32) -> Self {
        self[0] = first;
        self
    }
}

/// A very small entry, which only a step that is not in proportion to it sees.
#[differentiate]
fn tiny(x: &[f64]) -> f64 {
    x[0] * x[0] + planted(x[1] * (1.0 + x[0]))
}

fn tiny_entries(random: &mut Random) -> Result<Report, Mismatch> {
    check!(tiny(&[between(random, 0.5, 2.0), 1e-17 * random.uniform()]))
}

/// How many points each function is tested at.
const POINTS: u64 = 40;

/// How many points a test fails at, and what it says at the first of them.
fn failures(test: Test) -> (u64, String) {
    let outcomes = (0..POINTS).map(|seed| test(&mut Random::new(seed)));
    let failures: Vec<Mismatch> = outcomes.filter_map(Result::err).collect();
    let first = failures.first().map(ToString::to_string).unwrap_or_default();
    (failures.len() as u64, first)
}

#[test]
fn right_derivatives_cause_no_alarm() {
    let alarms = TESTS.iter().map(|(name, test, _)| (name, failures(*test)));
    let alarms: Vec<_> = alarms.filter(|(_, (count, _))| *count > 0).collect();
    assert!(alarms.is_empty(), "{alarms:#?}");
}

/// Whether a test is to find a fault, and with which factors.
fn planted_factors(sharpness: Sharpness, (jvp, vjp): (f64, f64)) -> Option<(f64, f64)> {
    let single = |factor: f64| if factor == 1.001 { 1.02 } else { factor };
    match sharpness {
        Thousandth => Some((jvp, vjp)),
        Single => Some((single(jvp), single(vjp))),
        ReverseAlone => (vjp != 1.0).then_some((jvp, vjp)),
        Nothing => None,
    }
}

#[test]
fn planted_faults_are_found() {
    let mut missed = Vec::new();
    for (name, test, sharpness) in TESTS {
        for factors in FAULTS.into_iter().filter_map(|fault| planted_factors(sharpness, fault)) {
            FACTORS.set(factors);
            let (found, _) = failures(test);
            if found < POINTS {
                missed.push((name, factors, POINTS - found));
            }
        }
    }
    FACTORS.set((1.0, 1.0));
    assert!(missed.is_empty(), "{missed:#?}");
}
