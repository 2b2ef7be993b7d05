//! Problems of W. Hock and K. Schittkowski, "Test Examples for Nonlinear Programming Codes", Lecture Notes in
//! Economics and Mathematical Systems 187, Springer 1981, with the starts, minima and values that they give.

use cotangent::{Matrix, differentiate};

/// A function to minimise within bounds, where others stay within theirs.
pub struct Problem {
    /// The number in the collection.
    pub number: usize,
    pub value: fn(&[f64]) -> f64,
    /// Adds the gradient to what is passed.
    pub gradient: fn(&[f64], &mut [f64]),
    pub constraints: fn(&[f64]) -> Vec<f64>,
    /// Adds the product of a vector and the Jacobian of the constraints to what is passed.
    pub product: fn(&[f64], &mut [f64], Vec<f64>),
    pub jacobian: fn(&[f64]) -> Matrix,
    /// Least and largest values of the variables.
    pub bounds: (f64, f64),
    /// Largest values of the constraints, of which the least is zero.
    pub largest: &'static [f64],
    pub start: &'static [f64],
    pub minimum: f64,
    pub minimiser: &'static [f64],
}

/// One problem: its functions, and how their derivatives are called.
macro_rules! problem {
    ($number:literal, $value:ident, $constraints:ident, $($field:ident: $given:expr),* $(,)?) => {
        Problem {
            number: $number,
            value: $value,
            gradient: |x, x_bar| {
                $value::accumulate_gradient(x, x_bar);
            },
            constraints: |x| $constraints(x).to_vec(),
            product: |x, x_bar, seed| {
                let seed = seed.try_into().expect("a number for each constraint");
                $constraints::vjp(x).1(x, x_bar, seed);
            },
            jacobian: |x| $constraints::jacobian(x),
            $($field: $given),*
        }
    };
}

/// No upper bound.
const FREE: f64 = f64::INFINITY;

/// All problems.
pub static PROBLEMS: [Problem; 4] = [
    problem!(
        43, rosen_suzuki, rosen_suzuki_constraints,
        bounds: (-FREE, FREE),
        largest: &[FREE; 3],
        start: &[0.0; 4],
        minimum: -44.0,
        minimiser: &[0.0, 1.0, 2.0, -1.0],
    ),
    problem!(
        71, product_and_sphere, product_and_sphere_constraints,
        bounds: (1.0, 5.0),
        largest: &[FREE, 0.0],
        start: &[1.0, 5.0, 5.0, 1.0],
        minimum: 17.0140173,
        minimiser: &[1.0, 4.7429994, 3.8211503, 1.3794082],
    ),
    problem!(
        100, wong, wong_constraints,
        bounds: (-FREE, FREE),
        largest: &[FREE; 4],
        start: &[1.0, 2.0, 0.0, 4.0, 0.0, 1.0, 1.0],
        minimum: 680.6300573,
        minimiser: &[2.330499, 1.951372, -0.4775414, 4.365726, -0.6244870, 1.038131, 1.594227],
    ),
    problem!(
        113, wong_of_ten, wong_of_ten_constraints,
        bounds: (-FREE, FREE),
        largest: &[FREE; 8],
        start: &[2.0, 3.0, 5.0, 5.0, 1.0, 2.0, 7.0, 3.0, 6.0, 10.0],
        minimum: 24.3062091,
        minimiser: &[
            2.171996, 2.363683, 8.773926, 5.095984, 0.9906548, 1.430574, 1.321644, 9.828726, 8.280092, 8.375927,
        ],
    ),
];

#[differentiate]
fn rosen_suzuki(x: &[f64]) -> f64 {
    let squares = x[0].powi(2) + x[1].powi(2) + 2.0 * x[2].powi(2) + x[3].powi(2);
    squares - 5.0 * x[0] - 5.0 * x[1] - 21.0 * x[2] + 7.0 * x[3]
}

#[differentiate]
fn rosen_suzuki_constraints(x: &[f64]) -> [f64; 3] {
    let squares: f64 = x.iter().map(|x| x * x).sum();
    [
        8.0 - squares - x[0] + x[1] - x[2] + x[3],
        10.0 - squares - x[1].powi(2) - x[3].powi(2) + x[0] + x[3],
        5.0 - squares - x[0].powi(2) + x[3].powi(2) - 2.0 * x[0] + x[1] + x[3],
    ]
}

#[differentiate]
fn product_and_sphere(x: &[f64]) -> f64 {
    x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2]
}

#[differentiate]
fn product_and_sphere_constraints(x: &[f64]) -> [f64; 2] {
    let product: f64 = x.iter().product();
    let squares: f64 = x.iter().map(|x| x * x).sum();
    [product - 25.0, squares - 40.0]
}

#[differentiate]
fn wong(x: &[f64]) -> f64 {
    let [a, b, c, d, e, f, g] = [x[0], x[1], x[2], x[3], x[4], x[5], x[6]];
    let squares = (a - 10.0).powi(2) + 5.0 * (b - 12.0).powi(2) + 3.0 * (d - 11.0).powi(2);
    let powers = c.powi(4) + 10.0 * e.powi(6) + g.powi(4);
    squares + powers + 7.0 * f * f - 4.0 * f * g - 10.0 * f - 8.0 * g
}

#[differentiate]
fn wong_constraints(x: &[f64]) -> [f64; 4] {
    let [a, b, c, d, e, f, g] = [x[0], x[1], x[2], x[3], x[4], x[5], x[6]];
    [
        127.0 - 2.0 * a * a - 3.0 * b.powi(4) - c - 4.0 * d * d - 5.0 * e,
        282.0 - 7.0 * a - 3.0 * b - 10.0 * c * c - d + e,
        196.0 - 23.0 * a - b * b - 6.0 * f * f + 8.0 * g,
        -4.0 * a * a - b * b + 3.0 * a * b - 2.0 * c * c - 5.0 * f + 11.0 * g,
    ]
}

#[differentiate]
fn wong_of_ten(x: &[f64]) -> f64 {
    let centres = [10.0, 5.0, 3.0, 1.0, 0.0, 11.0, 10.0, 7.0];
    let weights = [1.0, 4.0, 1.0, 2.0, 5.0, 7.0, 2.0, 1.0];
    let mut sum = 45.0 + x[0] * x[0] + x[1] * x[1] + x[0] * x[1] - 14.0 * x[0] - 16.0 * x[1];
    for i in 0..centres.len() {
        sum += weights[i] * (x[i + 2] - centres[i]).powi(2);
    }
    sum
}

#[differentiate]
fn wong_of_ten_constraints(x: &[f64]) -> [f64; 8] {
    let (a, b) = (x[0], x[1]);
    [
        105.0 - 4.0 * a - 5.0 * b + 3.0 * x[6] - 9.0 * x[7],
        -10.0 * a + 8.0 * b + 17.0 * x[6] - 2.0 * x[7],
        12.0 + 8.0 * a - 2.0 * b - 5.0 * x[8] + 2.0 * x[9],
        120.0 - 3.0 * (a - 2.0).powi(2) - 4.0 * (b - 3.0).powi(2) - 2.0 * x[2].powi(2) + 7.0 * x[3],
        40.0 - 5.0 * a * a - 8.0 * b - (x[2] - 6.0).powi(2) + 2.0 * x[3],
        30.0 - 0.5 * (a - 8.0).powi(2) - 2.0 * (b - 4.0).powi(2) - 3.0 * x[4].powi(2) + x[5],
        -a * a - 2.0 * (b - 2.0).powi(2) + 2.0 * a * b - 14.0 * x[4] + 6.0 * x[5],
        3.0 * a - 6.0 * b - 12.0 * (x[8] - 8.0).powi(2) + 7.0 * x[9],
    ]
}
