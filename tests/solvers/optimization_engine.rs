//! Minima that are known, and what is written where.

use approx::assert_abs_diff_eq;
use cotangent::differentiate;
use cotangent::optimization_engine::{cost, gradient, mapping, transpose};
use optimization_engine::alm::{
    AlmCache, AlmFactory, AlmOptimizer, AlmProblem, NO_JACOBIAN_MAPPING, NO_MAPPING,
};
use optimization_engine::constraints::{Ball2, NoConstraints, Zero};
use optimization_engine::panoc::{PANOCCache, PANOCOptimizer};
use optimization_engine::{Problem, SolverError};

/// Half the square of a distance.
#[differentiate(constant(to))]
fn distance(x: &[f64], to: &[f64]) -> f64 {
    x.iter().zip(to).map(|(x, to)| 0.5 * (x - to) * (x - to)).sum()
}

/// Where `x₀ + 2 x₁ = 5`.
#[differentiate]
fn plane(x: &[f64]) -> [f64; 1] {
    [x[0] + 2.0 * x[1] - 5.0]
}

/// Products of neighbours.
#[differentiate]
fn neighbours(x: &[f64]) -> Vec<f64> {
    x.windows(2).map(|x| x[0] * x[0] * x[1]).collect()
}

#[test]
fn a_point_is_projected_to_a_ball() {
    let (to, ball) = ([2.0, -1.0, 2.0], Ball2::new(None, 1.5));
    let problem = Problem::new(
        &ball,
        gradient(|x, x_bar| distance::accumulate_gradient(x, x_bar, &to)),
        cost(|x| distance(x, &to)),
    );
    let (mut cache, mut x) = (PANOCCache::new(3, 1e-12, 5), [0.1, 0.2, 0.3]);
    let status = PANOCOptimizer::new(problem, &mut cache).solve(&mut x).unwrap();
    assert!(status.has_converged());
    assert_abs_diff_eq!(x[..], [1.0, -0.5, 1.0][..], epsilon = 1e-10);
}

/// The nearest point to zero on a plane with the normal `a` and the offset `b` is `b a / |a|²`, with the multiplier
/// `-b / |a|²`.
#[test]
fn the_nearest_point_on_a_plane_is_found() {
    let product = || transpose(|x, x_bar, seed| plane::vjp(x).1(x, x_bar, seed));
    let to = [0.0, 0.0];
    let factory = AlmFactory::new(
        cost(|x| distance(x, &to)),
        gradient(|x, x_bar| distance::accumulate_gradient(x, x_bar, &to)),
        Some(mapping(plane)),
        Some(product()),
        NO_MAPPING,
        NO_JACOBIAN_MAPPING,
        Some(Zero::new()),
        0,
    );
    let problem = AlmProblem::new(
        NoConstraints::new(),
        Some(Zero::new()),
        Some(Ball2::new(None, 1e6)),
        |x: &[f64], xi: &[f64], value: &mut f64| factory.psi(x, xi, value),
        |x: &[f64], xi: &[f64], x_bar: &mut [f64]| factory.d_psi(x, xi, x_bar),
        Some(mapping(plane)),
        NO_MAPPING,
        1,
        0,
    );
    let mut cache = AlmCache::new(PANOCCache::new(2, 1e-10, 5), 1, 0);
    let mut x = [3.0, -3.0];
    let status = AlmOptimizer::new(&mut cache, problem)
        .with_delta_tolerance(1e-9)
        .with_epsilon_tolerance(1e-10)
        .with_initial_inner_tolerance(1e-4)
        .with_max_outer_iterations(60)
        .solve(&mut x)
        .unwrap();
    assert_abs_diff_eq!(x[..], [1.0, 2.0][..], epsilon = 1e-8);
    let multipliers = status.lagrange_multipliers().clone().unwrap();
    assert_abs_diff_eq!(multipliers[..], [-1.0][..], epsilon = 1e-6);
}

#[test]
fn what_was_in_memory_is_gone() {
    let to = [1.0, 1.0];
    let (mut value, mut x_bar) = (f64::NAN, [f64::NAN, 7.0]);
    cost(|x| distance(x, &to))(&[2.0, 4.0], &mut value).unwrap();
    let by_gradient = gradient(|x, x_bar| distance::accumulate_gradient(x, x_bar, &to));
    by_gradient(&[2.0, 4.0], &mut x_bar).unwrap();
    assert_eq!((value, x_bar), (5.0, [1.0, 3.0]));
    let mut y = [f64::NAN; 2];
    mapping(neighbours)(&[1.0, 2.0, 3.0], &mut y).unwrap();
    assert_eq!(y, [2.0, 12.0]);
}

/// Of a function that returns a vector, and by rows of the closed Jacobian.
#[test]
fn products_are_those_of_the_transposed_jacobian() {
    let product = transpose(|x, x_bar, seed| neighbours::vjp(x).1(x, x_bar, seed));
    let x = [1.0, 2.0, 3.0];
    let rows = [[2.0 * x[0] * x[1], x[0] * x[0], 0.0], [0.0, 2.0 * x[1] * x[2], x[1] * x[1]]];
    for seed in [[1.0, 0.0], [0.0, 1.0], [-2.0, 0.5]] {
        let mut x_bar = [9.0; 3];
        product(&x, &seed, &mut x_bar).unwrap();
        let expected = [0, 1, 2].map(|i| seed[0] * rows[0][i] + seed[1] * rows[1][i]);
        assert_eq!(x_bar, expected);
    }
}

#[test]
fn another_number_of_outputs_is_an_error() {
    let expected = "the mapping has another number of outputs than the solver";
    let expected = Err(SolverError::InvalidProblemState(expected));
    assert_eq!(mapping(plane)(&[1.0, 2.0], &mut [0.0; 2]), expected);
    assert_eq!(mapping(neighbours)(&[1.0, 2.0], &mut [0.0; 2]), expected);
    let product = transpose(|x, x_bar, seed| plane::vjp(x).1(x, x_bar, seed));
    assert_eq!(product(&[1.0, 2.0], &[1.0; 2], &mut [0.0; 2]), expected);
}
