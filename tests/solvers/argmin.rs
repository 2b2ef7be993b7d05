//! Minima that are known, and when closures are called.

use std::panic::{AssertUnwindSafe, catch_unwind};

use approx::assert_abs_diff_eq;
use argmin::core::{CostFunction, Error, Executor, Gradient, Hessian, IterState, Solver, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use argmin::solver::trustregion::{Steihaug, TrustRegion};
use argmin_math::ArgminDot;
use cotangent::argmin::Problem;
use cotangent::{Matrix, differentiate};

/// `xᵀ A x / 2 - bᵀ x`, whose Hessian is `A`, and whose minimum is where `A x = b`.
#[differentiate(constant(b))]
#[differentiate]
fn quadratic(x: &[f64], b: &[f64]) -> f64 {
    let squares = 2.0 * x[0] * x[0] + 1.5 * x[1] * x[1] + 2.5 * x[2] * x[2];
    squares + x[0] * x[1] - x[1] * x[2] - b[0] * x[0] - b[1] * x[1] - b[2] * x[2]
}

const MATRIX: [[f64; 3]; 3] = [[4.0, 1.0, 0.0], [1.0, 3.0, -1.0], [0.0, -1.0, 5.0]];
const MINIMISER: [f64; 3] = [0.5, -1.0, 2.0];

/// What has its minimum at [`MINIMISER`].
fn right_hand_side() -> [f64; 3] {
    MATRIX.map(|row| row.iter().zip(MINIMISER).map(|(a, x)| a * x).sum())
}

/// H. H. Rosenbrock's function of any even number of variables, with its minimum where all are one.
#[differentiate]
#[differentiate]
fn rosenbrock(x: &[f64]) -> f64 {
    x.chunks_exact(2).map(|x| (1.0 - x[0]).powi(2) + 100.0 * (x[1] - x[0] * x[0]).powi(2)).sum()
}

/// An angle, which jumps at the negative axis: it differs for zeros of different signs.
#[differentiate]
fn angle(x: &[f64]) -> f64 {
    x[0].atan2(x[1])
}

/// Where a solver ends, from a start.
fn minimum<F, K, H, S>(problem: Problem<F, K>, solver: S, start: &[f64], most: u64) -> Vec<f64>
where
    S: Solver<Problem<F, K>, IterState<Vec<f64>, Vec<f64>, (), H, (), f64>>,
{
    let result = Executor::new(problem, solver)
        .configure(|state| state.param(start.to_vec()).max_iters(most))
        .run()
        .expect("a minimum");
    result.state.get_best_param().expect("a point").clone()
}

#[test]
fn lbfgs_finds_the_minimum_of_rosenbrock() {
    let solver = LBFGS::new(MoreThuenteLineSearch::new(), 7).with_tolerance_cost(1e-14).unwrap();
    let problem = Problem::new(rosenbrock::value_and_gradient);
    let x = minimum(problem, solver, &[-1.2, 1.0, 0.3, -0.4], 200);
    assert_abs_diff_eq!(x[..], [1.0; 4][..], epsilon = 1e-6);
}

#[test]
fn trust_regions_find_the_minimum_of_rosenbrock() {
    let solver = || TrustRegion::new(Steihaug::new().with_max_iters(4));
    let start = [-1.2, 1.0, 0.3, -0.4];
    let problem = || Problem::new(rosenbrock::value_and_gradient);
    let by_matrix = minimum(problem().with_hessian(rosenbrock::hessian), solver(), &start, 60);
    let by_products = minimum(problem().with_products(rosenbrock::hvp), solver(), &start, 60);
    assert_abs_diff_eq!(by_matrix[..], [1.0; 4][..], epsilon = 1e-10);
    assert_abs_diff_eq!(by_products[..], [1.0; 4][..], epsilon = 1e-10);
}

#[test]
fn a_trust_region_solves_a_linear_system_in_a_step() {
    let b = right_hand_side();
    let problem = Problem::new(|x| quadratic::value_and_gradient(x, &b))
        .with_hessian(|x| quadratic::hessian(x, &b));
    let region = TrustRegion::new(Steihaug::new().with_max_iters(3)).with_radius(10.0).unwrap();
    let region = region.with_max_radius(20.0).unwrap();
    let x = minimum(problem, region, &[0.0; 3], 1);
    assert_abs_diff_eq!(x[..], MINIMISER[..], epsilon = 1e-12);
}

#[test]
fn values_gradients_and_hessians_are_those_of_closed_forms() {
    let b = right_hand_side();
    let problem = Problem::new(|x| quadratic::value_and_gradient(x, &b));
    let x = vec![1.0, 2.0, -1.0];
    let product = |row: [f64; 3]| row.iter().zip(&x).map(|(a, x)| a * x).sum::<f64>();
    let (by_matrix, linear) = (MATRIX.map(product), product(b));
    let value: f64 = 0.5 * product(by_matrix) - linear;
    let gradient: Vec<f64> = by_matrix.iter().zip(b).map(|(a, b)| a - b).collect();
    assert_abs_diff_eq!(problem.cost(&x).unwrap(), value, epsilon = 1e-14);
    assert_abs_diff_eq!(problem.gradient(&x).unwrap()[..], gradient[..], epsilon = 1e-14);

    let by_rows = problem.with_hessian(|x| quadratic::hessian(x, &b));
    assert_eq!(by_rows.hessian(&x).unwrap(), MATRIX.map(|row| row.to_vec()));
    let problem = Problem::new(|x| quadratic::value_and_gradient(x, &b));
    let by_products = problem.with_products(|x, direction| quadratic::hvp(x, direction, &b));
    let hessian = by_products.hessian(&x).unwrap();
    assert_eq!(hessian.clone().dot(&vec![0.0, 1.0, 0.0]), MATRIX[1]);
    assert_eq!(hessian.dot(&vec![1.0, 0.0, 2.0]), [4.0, -1.0, 10.0]);
}

#[test]
fn a_point_is_evaluated_once() {
    let problem = Problem::new(rosenbrock::value_and_gradient).with_hessian(rosenbrock::hessian);
    let (a, b) = (vec![0.5, 0.5], vec![0.5, -0.5]);
    let value = problem.cost(&a).unwrap();
    assert_eq!(problem.gradient(&a).unwrap(), rosenbrock::gradient(&a));
    assert_eq!(problem.cost(&a).unwrap(), value);
    let _ = problem.hessian(&b).unwrap();
    assert_eq!(problem.evaluations(), 1);
    assert_eq!(problem.gradient(&b).unwrap(), rosenbrock::gradient(&b));
    assert_eq!(problem.cost(&b).unwrap(), rosenbrock(&b));
    assert_eq!(problem.evaluations(), 2);
    assert_eq!(problem.cost(&a).unwrap(), value);
    assert_eq!(problem.evaluations(), 3);
}

#[test]
fn zeros_of_two_signs_are_two_points() {
    let problem = Problem::new(angle::value_and_gradient);
    assert_eq!(problem.cost(&vec![0.0, -1.0]).unwrap(), std::f64::consts::PI);
    assert_eq!(problem.cost(&vec![-0.0, -1.0]).unwrap(), -std::f64::consts::PI);
    assert_eq!(problem.evaluations(), 2);
}

#[test]
fn errors_reach_the_caller_and_are_not_kept() {
    let problem = Problem::new(|x| match x[0] {
        x if x < 0.0 => Err(Error::msg("negative")),
        _ => Ok(rosenbrock::value_and_gradient(x)),
    });
    assert_eq!(problem.cost(&vec![1.0, 1.0]).unwrap(), 0.0);
    assert_eq!(problem.cost(&vec![-1.0, 1.0]).unwrap_err().to_string(), "negative");
    assert_eq!(problem.gradient(&vec![-1.0, 1.0]).unwrap_err().to_string(), "negative");
    assert_eq!(problem.gradient(&vec![1.0, 1.0]).unwrap(), [0.0, 0.0]);
    assert_eq!(problem.evaluations(), 3);

    let hessian = |_: &[f64]| Err::<Matrix, _>(Error::msg("none"));
    let error = problem.with_hessian(hessian).hessian(&vec![1.0, 1.0]).unwrap_err();
    assert_eq!(error.to_string(), "none");
}

#[test]
fn a_panic_in_a_closure_leaves_the_problem_as_it_was() {
    let problem = Problem::new(|x| {
        assert!(x[0] >= 0.0, "a closure that panics");
        rosenbrock::value_and_gradient(x)
    });
    assert_eq!(problem.cost(&vec![1.0, 1.0]).unwrap(), 0.0);
    assert!(catch_unwind(AssertUnwindSafe(|| problem.cost(&vec![-1.0, 1.0]))).is_err());
    assert_eq!(problem.gradient(&vec![1.0, 1.0]).unwrap(), [0.0, 0.0]);
    assert_eq!(problem.evaluations(), 2);
}

#[test]
fn threads_share_a_problem() {
    let problem = &Problem::new(rosenbrock::value_and_gradient);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || {
                for step in 0..100 {
                    let x = vec![f64::from(thread), f64::from(step % 3)];
                    assert_eq!(problem.cost(&x).unwrap(), rosenbrock(&x));
                    assert_eq!(problem.gradient(&x).unwrap(), rosenbrock::gradient(&x));
                }
            });
        }
    });
    assert!(problem.evaluations() >= 12);
}
