//! Fits that are known, and what closures return.

use approx::assert_abs_diff_eq;
use cotangent::levenberg_marquardt::LeastSquares;
use cotangent::{Matrix, differentiate};
use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt, TerminationReason};
use nalgebra::DVector;

const TIMES: [f64; 5] = [0.0, 1.0, 2.0, 3.0, 5.0];

/// A straight line above what was measured.
#[differentiate(wrt(b))]
fn line(b: &[f64], times: &[f64], measured: &[f64]) -> Vec<f64> {
    times.iter().zip(measured).map(|(t, y)| b[0] + b[1] * t - y).collect()
}

/// A decay above a background, likewise.
#[differentiate(wrt(b))]
fn decay(b: &[f64], times: &[f64], measured: &[f64]) -> Vec<f64> {
    times.iter().zip(measured).map(|(t, y)| b[0] * (-b[1] * t).exp() + b[2] - y).collect()
}

#[test]
fn a_line_is_that_of_the_normal_equations() {
    let measured = [1.2, 2.9, 5.3, 6.8, 11.1];
    let problem = LeastSquares::new(
        |b| line(b, &TIMES, &measured),
        |b| line::jacobian(b, &TIMES, &measured),
        vec![0.0; 2],
    );
    assert_eq!(problem.x(), [0.0, 0.0]);
    let (problem, report) = LevenbergMarquardt::new().minimize(problem);
    assert!(report.termination.was_successful());
    let n = TIMES.len() as f64;
    let (t, y) = (TIMES.iter().sum::<f64>() / n, measured.iter().sum::<f64>() / n);
    let pairs = || TIMES.iter().zip(measured).map(|(a, b)| (a - t, b - y));
    let slope = pairs().map(|(t, y)| t * y).sum::<f64>() / pairs().map(|(t, _)| t * t).sum::<f64>();
    assert_abs_diff_eq!(problem.x()[..], [y - slope * t, slope][..], epsilon = 1e-12);
    let squares: f64 = line(problem.x(), &TIMES, &measured).iter().map(|r| r * r).sum();
    assert_abs_diff_eq!(report.objective_function, 0.5 * squares, epsilon = 1e-14);
}

#[test]
fn a_decay_is_the_one_that_was_measured() {
    let known = [3.0, 0.8, 0.5];
    let measured = decay(&known, &TIMES, &[0.0; 5]);
    let problem = LeastSquares::new(
        |b| decay(b, &TIMES, &measured),
        |b| decay::jacobian(b, &TIMES, &measured),
        [1.0, 1.5, 0.0],
    );
    let (problem, report) = LevenbergMarquardt::new().minimize(problem);
    assert!(report.termination.was_successful());
    assert_abs_diff_eq!(problem.x()[..], known[..], epsilon = 1e-10);
    assert!((1..=report.number_of_evaluations).contains(&problem.jacobians()));
}

#[test]
fn matrices_are_those_of_the_closures() {
    let problem = |start| {
        LeastSquares::new(
            |b| decay(b, &TIMES, &[0.0; 5]),
            |b| decay::jacobian(b, &TIMES, &[0.0; 5]),
            start,
        )
    };
    let mut moved = problem([0.0; 3]);
    moved.set_params(&DVector::from_vec(vec![2.0, 0.5, 1.0]));
    assert_eq!(moved.params().as_slice(), [2.0, 0.5, 1.0]);
    for problem in [problem([2.0, 0.5, 1.0]), moved] {
        let (residuals, jacobian) = (problem.residuals().unwrap(), problem.jacobian().unwrap());
        assert_eq!((jacobian.nrows(), jacobian.ncols(), residuals.len()), (5, 3, 5));
        for (i, t) in TIMES.into_iter().enumerate() {
            let by_amount = (-0.5 * t).exp();
            assert_abs_diff_eq!(residuals[i], 2.0 * by_amount + 1.0, epsilon = 1e-14);
            assert_abs_diff_eq!(jacobian[(i, 0)], by_amount, epsilon = 1e-14);
            assert_abs_diff_eq!(jacobian[(i, 1)], -2.0 * t * by_amount, epsilon = 1e-14);
            assert_eq!(jacobian[(i, 2)], 1.0);
        }
    }
}

#[test]
fn a_closure_that_fails_ends_the_solver() {
    let residuals = |b: &[f64]| (b[0] < 1.5).then(|| vec![b[0] - 2.0]);
    let jacobian = |_: &[f64]| Matrix::from_vec(1, 1, vec![1.0]);
    let solver = LevenbergMarquardt::new();
    let (_, report) = solver.minimize(LeastSquares::new(residuals, jacobian, [0.0]));
    assert_eq!(report.termination, TerminationReason::User("residuals"));
    let nothing = |_: &[f64]| None::<Matrix>;
    let (problem, report) = solver.minimize(LeastSquares::new(residuals, nothing, [0.0]));
    assert_eq!(report.termination, TerminationReason::User("jacobian"));
    assert_eq!((problem.x(), problem.jacobians()), (&[0.0][..], 1));
}

#[test]
fn a_jacobian_of_another_shape_is_refused() {
    let jacobian = |_: &[f64]| Matrix::from_vec(1, 2, vec![1.0, 0.0]);
    let problem = LeastSquares::new(|b: &[f64]| vec![b[0], b[1]], jacobian, [1.0, 1.0]);
    let (_, report) = LevenbergMarquardt::new().minimize(problem);
    assert_eq!(report.termination, TerminationReason::WrongDimensions("jacobian"));
}
