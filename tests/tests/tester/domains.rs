//! Points that are drawn from domains.

use cotangent::check::{Domain, Random};
use cotangent::{Differentiable, check, differentiate, primitive};

#[derive(Clone, Debug, Differentiable)]
struct State {
    level: f64,
    slope: [f64; 3],
    steps: usize,
}

#[differentiate]
fn energy(state: &State, x: f64, w: &[f64]) -> f64 {
    let mut sum = state.level.ln() * x;
    for i in 0..w.len() {
        sum += w[i] * state.slope[i % 3] * state.steps as f64;
    }
    sum
}

#[differentiate]
fn step(u: &mut Vec<f64>, h: f64, n: usize) {
    for i in 1..n {
        u[i] += h * u[i - 1];
    }
}

#[differentiate]
fn single(x: f32, pair: (f32, f32)) -> f32 {
    x * pair.0 / pair.1
}

#[test]
fn every_form_of_a_domain() {
    let states = |random: &mut Random| {
        let (level, slope, steps) = (0.5..2.0, [0.1..1.0, 0.1..1.0, 2.0..3.0], 1..4).draw(random);
        State { level, slope, steps }
    };
    let report = check!(energy(&state, x, &w), state in states, x in -1.0..2.0, w in [0.5..1.5; 4]);
    assert_eq!(report.unwrap().points(), 16);
    // A domain may depend on what was drawn before, and an argument on several names.
    let report = check!(
        step(&mut u, h * 0.1, n),
        n in 1..=5,
        mut u in vec![-1.0..1.0; n],
        h in 0.1..0.2,
        points = 9,
    );
    let report = report.unwrap();
    assert_eq!((report.points(), report.directions()), (9, 36));
    assert!(report.to_string().starts_with("`step`: 9 points, 36 directions"), "{report}");
    check!(single(x, (a, b)), x in 0.5..1.5, (a, b) in (0.5..1.0, 1.0..2.0)).unwrap();
}

/// `|x|³`, with a derivative that is right for positive `x` alone.
#[primitive(partials(3.0 * x * x))]
fn cube(x: f64) -> f64 {
    x.abs().powi(3)
}

#[differentiate]
fn uses_the_cube(x: f64, w: &[f64; 2]) -> f64 {
    w[0] * cube(x) + w[1]
}

#[test]
fn a_derivative_that_is_right_for_positive_inputs_alone() {
    check!(uses_the_cube(x, &[1.0, 2.0]), x in 0.1..2.0).unwrap();
    let mismatch = check!(uses_the_cube(x, &[1.0, 2.0]), x in -2.0..2.0).unwrap_err();
    assert!(mismatch.point().starts_with("x = -"), "{mismatch}");
    assert!(mismatch.point().ends_with(", w[0] = 1.0, w[1] = 2.0"), "{mismatch}");
    assert_eq!((mismatch.place(), mismatch.direction()), ("output", Some("x")));
    // The point is the same in every run, and printed such that it can be tested by itself.
    let again = check!(uses_the_cube(x, &[1.0, 2.0]), x in -2.0..2.0).unwrap_err();
    assert_eq!(mismatch, again);
    let point = mismatch.point().split([' ', ',']).nth(2).unwrap();
    let alone = check!(uses_the_cube(point.parse().unwrap(), &[1.0, 2.0])).unwrap_err();
    assert_eq!(mismatch.to_string(), alone.to_string());
}
