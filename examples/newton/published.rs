//! What others have computed at the starting points, to test the functions and their derivatives.
//!
//! The norms of the residuals are what the tests of Minpack print before they begin, by subroutines of the paper's
//! authors: `lmddrv.fortran.ref` and `hyjdrv.fortran.ref` among the reference outputs of the repository
//! `devernay/cminpack`. Values, lengths of gradients and condition numbers of Hessians are those of the authors'
//! Algorithm 566 and of its supplement by V. Averbukh, S. Figueroa, T. Schlick (ACM Transactions on Mathematical
//! Software 20, 1994), as the readme of the repository `mpf/Toms566.jl` lists them. From four variables on, the list has
//! conditions of matrices whose entries have changed places (that of Brown and Dennis is 128, and is 693 if two do),
//! which does not matter for Wood's; the others are left out.

use cotangent::Matrix;
use cotangent::linalg::norm2;

use super::problem::{PROBLEMS, Problem};

/// Number of the problem, number of variables, norm of the residuals.
const NORMS: [(usize, usize, f64); 27] = [
    (1, 2, 4.9193496),
    (2, 2, 20.012496),
    (3, 2, 1.0654866),
    (6, 2, 64.585650),
    (7, 3, 50.0),
    (8, 3, 6.4561363),
    (10, 3, 41153.467),
    (12, 3, 32.111584),
    (13, 4, 14.662878),
    (15, 4, 0.072891510),
    (16, 4, 2815.4384),
    (17, 5, 0.93756402),
    (19, 11, 1.4468654),
    (20, 6, 5.4772256),
    (20, 12, 5.4772256),
    (26, 10, 0.084117534),
    (27, 10, 16.530216),
    (27, 40, 128.02636),
    (28, 10, 0.028080582),
    (29, 10, 0.25182701),
    (30, 10, 4.5825757),
    (31, 10, 18.973666),
    (32, 5, 5.0),
    (33, 5, 291.52187),
    (34, 5, 126.03968),
    (35, 8, 0.19651386),
    (35, 10, 0.18374783),
];

/// Number of the problem, number of variables, value, length of the gradient.
const GRADIENTS: [(usize, usize, f64, f64); 18] = [
    (3, 2, 1.14, 2.00e4),
    (4, 2, 1.00e12, 2.00e6),
    (5, 2, 14.2, 27.8),
    (7, 3, 2.50e3, 1.88e3),
    (9, 3, 3.89e-6, 7.45e-3),
    (11, 3, 12.1, 39.7),
    (12, 3, 1.03e3, 149.0),
    (14, 4, 1.92e4, 1.64e4),
    (16, 4, 7.93e6, 2.14e6),
    (18, 6, 0.779, 2.55),
    (20, 9, 30.0, 178.0),
    (21, 40, 484.0, 1.04e3),
    (22, 60, 3.23e3, 1.78e3),
    (23, 60, 5.45e9, 8.02e7),
    (24, 65, 2.87e5, 3.28e5),
    (25, 40, 9.39e10, 1.01e11),
    (26, 40, 2.01e-3, 5.30e-2),
    (35, 50, 1.39e-2, 2.65),
];

/// Number of the problem, number of variables, condition of the Hessian.
const CONDITIONS: [(usize, usize, f64); 8] = [
    (3, 2, 1.37e8),
    (4, 2, 1.00),
    (5, 2, 7.97),
    (7, 3, 9.82),
    (9, 3, 51.0),
    (11, 3, 4.65e4),
    (12, 3, 119.0),
    (14, 4, 169.0),
];

fn problem(number: usize) -> &'static Problem {
    PROBLEMS.iter().find(|problem| problem.number == number).expect("a known number")
}

/// Whether a number rounds to what is published with some digits.
fn rounds_to(found: f64, published: f64, digits: i32) -> bool {
    let unit = 10_f64.powi(published.log10().floor() as i32 + 1 - digits);
    (found - published).abs() <= 0.501 * unit
}

/// The eigenvalues of a symmetric matrix, by Jacobi's rotations.
fn eigenvalues(mut matrix: Matrix) -> Vec<f64> {
    let n = matrix.rows();
    for _ in 0..20 {
        for q in 1..n {
            for p in 0..q {
                rotate(&mut matrix, p, q);
            }
        }
    }
    (0..n).map(|i| matrix[(i, i)]).collect()
}

/// Turns two coordinates so that the entry between them is zero.
fn rotate(matrix: &mut Matrix, p: usize, q: usize) {
    let across = matrix[(p, q)];
    if across == 0.0 {
        return;
    }
    let twice_cotangent = (matrix[(q, q)] - matrix[(p, p)]) / across;
    let tangent =
        2.0_f64.copysign(twice_cotangent) / (twice_cotangent.abs() + twice_cotangent.hypot(2.0));
    let cosine = 1.0 / tangent.hypot(1.0);
    let sine = tangent * cosine;
    let turned = |a: f64, b: f64| (cosine * a - sine * b, sine * a + cosine * b);
    for k in 0..matrix.rows() {
        (matrix[(k, p)], matrix[(k, q)]) = turned(matrix[(k, p)], matrix[(k, q)]);
    }
    for k in 0..matrix.rows() {
        (matrix[(p, k)], matrix[(q, k)]) = turned(matrix[(p, k)], matrix[(q, k)]);
    }
}

fn condition(hessian: Matrix) -> f64 {
    let magnitudes = eigenvalues(hessian).into_iter().map(f64::abs);
    let (least, most) =
        magnitudes.fold((f64::INFINITY, 0.0_f64), |(least, most), v| (least.min(v), most.max(v)));
    most / least
}

#[test]
fn residuals_have_the_norms_of_minpack() {
    for (number, variables, norm) in NORMS {
        let problem = problem(number);
        let found = (problem.value)(&(problem.start)(variables)).sqrt();
        assert!(rounds_to(found, norm, 8), "{} of {variables}: {found}, {norm}", problem.name);
    }
}

#[test]
fn gradients_are_those_of_algorithm_566() {
    for (number, variables, value, gradient) in GRADIENTS {
        let problem = problem(number);
        let (found, slope, _) = (problem.derivatives)(&(problem.start)(variables));
        let agree = rounds_to(found, value, 3) && rounds_to(norm2(&slope), gradient, 3);
        assert!(agree, "{} of {variables}: {found:e}, {:e}", problem.name, norm2(&slope));
    }
}

#[test]
fn hessians_are_conditioned_as_those_of_the_supplement() {
    for (number, variables, published) in CONDITIONS {
        let problem = problem(number);
        let (_, _, hessian) = (problem.derivatives)(&(problem.start)(variables));
        let found = condition(hessian);
        assert!(rounds_to(found, published, 3), "{} of {variables}: {found:e}", problem.name);
    }
}

#[test]
fn every_problem_has_a_published_value() {
    for Problem { number, name, .. } in &PROBLEMS {
        let known = NORMS.iter().any(|row| row.0 == *number)
            || GRADIENTS.iter().any(|row| row.0 == *number);
        assert!(known, "{name}");
    }
}
