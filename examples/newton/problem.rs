//! The problems, with what the paper says of each.
//!
//! In: the functions of [`few`], [`fits`] and [`many`]. Out: [`PROBLEMS`], in the order of the paper: J. J. Moré,
//! B. S. Garbow, K. E. Hillstrom, "Testing Unconstrained Optimization Software", ACM Transactions on Mathematical
//! Software 7, 1981, pp. 17-41. Their numbers, starting points and minima are those of its section 3. Of minima
//! it gives six digits and cuts off the rest. Numbers of variables and residuals that it leaves open are those for which
//! it gives a minimum, or with which others have used the problem.
//!
//! The trigonometric function has minima that are not in the paper. From the start of 10 variables the way leads to
//! 2.79506e-5, and of most other numbers it is alike; so it is solved for 5 and 9.

use cotangent::Matrix;
#[cfg(test)]
use cotangent::check::{Mismatch, Report};

use super::few::{
    beale, brown_badly_scaled, freudenstein_roth, helical_valley, powell_badly_scaled,
    powell_singular, rosenbrock, wood,
};
use super::fits::{
    bard, biggs, box_three_dimensional, brown_dennis, gaussian, gulf, jennrich_sampson,
    kowalik_osborne, meyer, osborne_of_exponentials, osborne_of_peaks,
};
use super::many::{
    boundary_value, brown_almost_linear, broyden_banded, broyden_tridiagonal, chebyquad,
    extended_rosenbrock, first_penalty, integral_equation, linear_of_full_rank, linear_of_rank_one,
    second_penalty, trigonometric, variably_dimensioned, watson,
};

/// Value, gradient and Hessian.
pub type Derivatives = (f64, Vec<f64>, Matrix);

/// A function to minimise.
pub struct Problem {
    /// Its number in the paper.
    pub number: usize,
    /// Its name there.
    pub name: &'static str,
    /// The function.
    pub value: fn(&[f64]) -> f64,
    /// Its derivatives.
    pub derivatives: fn(&[f64]) -> Derivatives,
    /// What the rule tester finds.
    #[cfg(test)]
    pub check: fn(&[f64]) -> Result<Report, Mismatch>,
    /// The standard starting point for a number of variables.
    pub start: fn(usize) -> Vec<f64>,
    /// Numbers of variables, and the minima that the paper knows for each.
    pub minima: &'static [(usize, &'static [f64])],
}

/// One row of [`PROBLEMS`].
macro_rules! problem {
    (
        $number:literal, $name:literal, $function:ident(x $(, $constant:literal)*),
        $start:expr, $minima:expr
    ) => {
        Problem {
            number: $number,
            name: $name,
            value: |x| $function(x $(, $constant)*),
            derivatives: |x| $function::value_gradient_and_hessian(x $(, $constant)*),
            #[cfg(test)]
            check: |x| cotangent::check!($function(x $(, $constant)*)),
            start: $start,
            minima: $minima,
        }
    };
}

/// All problems.
pub static PROBLEMS: [Problem; 35] = [
    problem!(1, "Rosenbrock", rosenbrock(x), |_| vec![-1.2, 1.0], &[(2, &[0.0])]),
    problem!(
        2,
        "Freudenstein and Roth",
        freudenstein_roth(x),
        |_| vec![0.5, -2.0],
        &[(2, &[0.0, 48.9842])]
    ),
    problem!(3, "Powell badly scaled", powell_badly_scaled(x), |_| vec![0.0, 1.0], &[(2, &[0.0])]),
    problem!(4, "Brown badly scaled", brown_badly_scaled(x), |_| vec![1.0, 1.0], &[(2, &[0.0])]),
    problem!(5, "Beale", beale(x), |_| vec![1.0, 1.0], &[(2, &[0.0])]),
    problem!(
        6,
        "Jennrich and Sampson",
        jennrich_sampson(x),
        |_| vec![0.3, 0.4],
        &[(2, &[124.362])]
    ),
    problem!(7, "Helical valley", helical_valley(x), |_| vec![-1.0, 0.0, 0.0], &[(3, &[0.0])]),
    problem!(8, "Bard", bard(x), |_| vec![1.0; 3], &[(3, &[8.21487e-3, 17.4286])]),
    problem!(9, "Gaussian", gaussian(x), |_| vec![0.4, 1.0, 0.0], &[(3, &[1.12793e-8])]),
    problem!(10, "Meyer", meyer(x), |_| vec![0.02, 4000.0, 250.0], &[(3, &[87.9458])]),
    problem!(11, "Gulf research", gulf(x), |_| vec![5.0, 2.5, 0.15], &[(3, &[0.0])]),
    problem!(
        12,
        "Box three-dimensional",
        box_three_dimensional(x),
        |_| vec![0.0, 10.0, 20.0],
        &[(3, &[0.0])]
    ),
    problem!(
        13,
        "Powell singular",
        powell_singular(x),
        |_| vec![3.0, -1.0, 0.0, 1.0],
        &[(4, &[0.0])]
    ),
    problem!(14, "Wood", wood(x), |_| vec![-3.0, -1.0, -3.0, -1.0], &[(4, &[0.0])]),
    problem!(
        15,
        "Kowalik and Osborne",
        kowalik_osborne(x),
        |_| vec![0.25, 0.39, 0.415, 0.39],
        &[(4, &[3.07505e-4, 1.02734e-3])]
    ),
    problem!(
        16,
        "Brown and Dennis",
        brown_dennis(x),
        |_| vec![25.0, 5.0, -5.0, -1.0],
        &[(4, &[85822.2])]
    ),
    problem!(
        17,
        "Osborne 1",
        osborne_of_exponentials(x),
        |_| vec![0.5, 1.5, -1.0, 0.01, 0.02],
        &[(5, &[5.46489e-5])]
    ),
    problem!(
        18,
        "Biggs EXP6",
        biggs(x),
        |_| vec![1.0, 2.0, 1.0, 1.0, 1.0, 1.0],
        &[(6, &[5.65565e-3, 0.0])]
    ),
    problem!(
        19,
        "Osborne 2",
        osborne_of_peaks(x),
        |_| vec![1.3, 0.65, 0.65, 0.7, 0.6, 3.0, 5.0, 7.0, 2.0, 4.5, 5.5],
        &[(11, &[4.01377e-2])]
    ),
    problem!(
        20,
        "Watson",
        watson(x),
        |n| vec![0.0; n],
        &[(6, &[2.28767e-3]), (9, &[1.39976e-6]), (12, &[4.72238e-10])]
    ),
    problem!(
        21,
        "Extended Rosenbrock",
        extended_rosenbrock(x),
        |n| [-1.2, 1.0].repeat(n / 2),
        &[(40, &[0.0])]
    ),
    problem!(
        22,
        "Extended Powell singular",
        powell_singular(x),
        |n| [3.0, -1.0, 0.0, 1.0].repeat(n / 4),
        &[(60, &[0.0])]
    ),
    problem!(
        23,
        "Penalty I",
        first_penalty(x),
        |n| ramp(n, |i| i),
        &[(4, &[2.24997e-5]), (10, &[7.08765e-5])]
    ),
    problem!(
        24,
        "Penalty II",
        second_penalty(x),
        |n| vec![0.5; n],
        &[(4, &[9.37629e-6]), (10, &[2.93660e-4])]
    ),
    problem!(
        25,
        "Variably dimensioned",
        variably_dimensioned(x),
        |n| ramp(n, |i| 1.0 - i / n as f64),
        &[(10, &[0.0]), (40, &[0.0])]
    ),
    problem!(
        26,
        "Trigonometric",
        trigonometric(x),
        |n| vec![1.0 / n as f64; n],
        &[(5, &[0.0]), (9, &[0.0])]
    ),
    problem!(
        27,
        "Brown almost linear",
        brown_almost_linear(x),
        |n| vec![0.5; n],
        &[(10, &[0.0, 1.0]), (40, &[0.0, 1.0])]
    ),
    problem!(
        28,
        "Discrete boundary value",
        boundary_value(x),
        parabola,
        &[(10, &[0.0]), (40, &[0.0])]
    ),
    problem!(
        29,
        "Discrete integral equation",
        integral_equation(x),
        parabola,
        &[(10, &[0.0]), (40, &[0.0])]
    ),
    problem!(
        30,
        "Broyden tridiagonal",
        broyden_tridiagonal(x),
        |n| vec![-1.0; n],
        &[(10, &[0.0]), (40, &[0.0])]
    ),
    problem!(
        31,
        "Broyden banded",
        broyden_banded(x),
        |n| vec![-1.0; n],
        &[(10, &[0.0]), (40, &[0.0])]
    ),
    problem!(32, "Linear, full rank", linear_of_full_rank(x, 10), |n| vec![1.0; n], &[(5, &[5.0])]),
    problem!(
        33,
        "Linear, rank 1",
        linear_of_rank_one(x, 10, 0),
        |n| vec![1.0; n],
        &[(5, &[90.0 / 42.0])]
    ),
    problem!(
        34,
        "Linear, rank 1, zeros",
        linear_of_rank_one(x, 10, 1),
        |n| vec![1.0; n],
        &[(5, &[124.0 / 34.0])]
    ),
    problem!(
        35,
        "Chebyquad",
        chebyquad(x),
        |n| ramp(n, |i| i / (n + 1) as f64),
        &[(8, &[3.51687e-3]), (9, &[0.0]), (10, &[6.50395e-3])]
    ),
];

/// A start of which each entry is a function of its place, counted from one.
fn ramp(n: usize, entry: impl Fn(f64) -> f64) -> Vec<f64> {
    (1..=n).map(|i| entry(i as f64)).collect()
}

/// `t (t - 1)` at equal distances between the zeros.
fn parabola(n: usize) -> Vec<f64> {
    ramp(n, |i| i / (n + 1) as f64 * (i / (n + 1) as f64 - 1.0))
}

#[cfg(test)]
mod tests {
    use super::super::method::minimise;
    use super::*;

    /// Every problem at each of its starts.
    fn cases() -> impl Iterator<Item = (&'static Problem, Vec<f64>)> {
        PROBLEMS.iter().flat_map(|problem| {
            problem.minima.iter().map(move |(variables, _)| (problem, (problem.start)(*variables)))
        })
    }

    /// The derivative of a gradient by one variable, by central differences.
    fn difference(x: &[f64], i: usize, gradient: impl Fn(&[f64]) -> Vec<f64>) -> Vec<f64> {
        let step = f64::EPSILON.cbrt() * x[i].abs().max(0.1);
        let beside = |step: f64| {
            let mut there = x.to_vec();
            there[i] += step;
            gradient(&there)
        };
        beside(step).iter().zip(beside(-step)).map(|(a, b)| (a - b) / (2.0 * step)).collect()
    }

    #[test]
    fn derivatives_pass_the_tester() {
        for (problem, x) in cases() {
            let found = (problem.check)(&x);
            assert!(found.is_ok(), "{} of {}: {found:?}", problem.name, x.len());
        }
    }

    #[test]
    fn hessians_are_those_of_differences() {
        for (problem, x) in cases() {
            let (_, _, hessian) = (problem.derivatives)(&x);
            let largest =
                hessian.as_slice().iter().fold(0.0_f64, |largest, h| largest.max(h.abs()));
            for i in 0..x.len() {
                let expected = difference(&x, i, |x| (problem.derivatives)(x).1);
                for (found, expected) in hessian.row(i).iter().zip(expected) {
                    let error = (found - expected).abs() / largest;
                    assert!(error < 1e-6, "{}, {i}: {found:e}, {expected:e}", problem.name);
                }
            }
        }
    }

    #[test]
    fn hessians_are_symmetric() {
        for (problem, x) in cases() {
            let (_, _, hessian) = (problem.derivatives)(&x);
            for i in 0..x.len() {
                for j in 0..i {
                    let (below, above) = (hessian[(i, j)], hessian[(j, i)]);
                    let scale = below.abs().max((hessian[(i, i)] * hessian[(j, j)]).abs().sqrt());
                    let error = (below - above).abs();
                    assert!(error <= 1e-13 * scale, "{}: {below:e}, {above:e}", problem.name);
                }
            }
        }
    }

    #[test]
    fn the_trigonometric_function_has_another_minimum() {
        let problem = PROBLEMS.iter().find(|problem| problem.name == "Trigonometric").unwrap();
        let outcome = minimise(problem, &(problem.start)(10));
        assert!((outcome.value - 2.79506e-5).abs() < 1e-10, "{outcome:?}");
    }
}
