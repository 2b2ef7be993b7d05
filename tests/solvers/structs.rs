//! Structs of parameters, which each solver and sampler is given by `Flat` or by `read_from`.

use approx::assert_abs_diff_eq;
use argmin::core::{Executor, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use cotangent::levenberg_marquardt::LeastSquares;
use cotangent::optimization_engine::{cost, gradient};
use cotangent::{Differentiable, Flat, differentiate};
use levenberg_marquardt::LevenbergMarquardt;
use nuts_rs::CpuLogpFunc;
use optimization_engine::constraints::NoConstraints;
use optimization_engine::panoc::{PANOCCache, PANOCOptimizer};

/// A plane `z = slopes · (x, y) + offset`.
#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Plane {
    slopes: Slopes,
    offset: f64,
    name: &'static str,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Slopes {
    x: f64,
    y: f64,
}

const START: Plane = Plane { slopes: Slopes { x: 0.0, y: 0.0 }, offset: 0.0, name: "plane" };

/// Points of the plane `z = 2 x - y + 3`.
const POINTS: [[f64; 3]; 4] = [[0.0, 0.0, 3.0], [1.0, 0.0, 5.0], [0.0, 1.0, 2.0], [1.0, 2.0, 3.0]];
const EXPECTED: [f64; 3] = [2.0, -1.0, 3.0];

#[differentiate(wrt(plane))]
fn residuals(plane: &Plane, points: &[[f64; 3]]) -> Vec<f64> {
    let slopes = &plane.slopes;
    points.iter().map(|p| slopes.x * p[0] + slopes.y * p[1] + plane.offset - p[2]).collect()
}

#[differentiate(wrt(plane))]
fn loss(plane: &Plane, points: &[[f64; 3]]) -> f64 {
    residuals(plane, points).iter().map(|r| 0.5 * r * r).sum()
}

type Gradient = (f64, PlaneTangent);

fn flat() -> Flat<Plane, impl Fn(&Plane) -> Gradient> {
    Flat::new(START, |plane: &Plane| loss::value_and_gradient(plane, &POINTS))
}

#[test]
fn argmin_finds_the_plane() {
    let flat = flat();
    let problem = cotangent::argmin::Problem::new(|x| flat.value_and_gradient(x));
    let solver = LBFGS::new(MoreThuenteLineSearch::new(), 7).with_tolerance_cost(1e-15).unwrap();
    let result = Executor::new(problem, solver)
        .configure(|state| state.param(vec![0.0; START.dim()]).max_iters(100))
        .run()
        .unwrap();
    let x = result.state.get_best_param().unwrap();
    assert_abs_diff_eq!(x[..], EXPECTED[..], epsilon = 1e-6);
    assert_eq!(flat.params(x).name, "plane");
}

#[test]
fn optimization_engine_finds_the_plane() {
    let (flat, everywhere) = (flat(), NoConstraints::new());
    let problem = optimization_engine::Problem::new(
        &everywhere,
        gradient(|x, x_bar| flat.accumulate_gradient(x, x_bar)),
        cost(|x| loss(&flat.params(x), &POINTS)),
    );
    let (mut cache, mut x) = (PANOCCache::new(3, 1e-10, 5), [0.0; 3]);
    PANOCOptimizer::new(problem, &mut cache).with_max_iter(1000).solve(&mut x).unwrap();
    assert_abs_diff_eq!(x[..], EXPECTED[..], epsilon = 1e-8);
}

#[test]
fn nuts_is_given_value_and_gradient() {
    let flat = flat();
    let mut density =
        cotangent::nuts_rs::Density::new(3, |x, x_bar| flat.accumulate_gradient(x, x_bar));
    let mut gradient = [f64::NAN; 3];
    let value = density.logp(&[2.0, -1.0, 4.0], &mut gradient).unwrap();
    // Each residual is one.
    assert_eq!((value, gradient), (2.0, [2.0, 3.0, 4.0]));
}

#[test]
fn levenberg_marquardt_finds_the_plane() {
    let params = |x: &[f64]| {
        let mut plane = START;
        plane.read_from(x);
        plane
    };
    let problem = LeastSquares::new(
        |x| residuals(&params(x), &POINTS),
        |x| residuals::jacobian(&params(x), &POINTS),
        [0.0; 3],
    );
    let (problem, report) = LevenbergMarquardt::new().minimize(problem);
    assert!(report.termination.was_successful());
    assert_abs_diff_eq!(problem.x()[..], EXPECTED[..], epsilon = 1e-10);
}
