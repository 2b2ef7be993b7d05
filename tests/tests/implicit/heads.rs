//! How a function that solves and its equation may be declared: generics, parameters of all kinds, methods, other shapes and
//! names.

use cotangent::{Differentiable, Float, check, differentiate, primitive};

#[differentiate]
fn excess_of_cubes<const N: usize>(y: [f64; N], p: [f64; N]) -> [f64; N] {
    let mut excess = y;
    for i in 0..N {
        excess[i] = y[i] * y[i] * y[i] - p[i] + 0.1 * y[(i + 1) % N];
    }
    excess
}

#[primitive(root = excess_of_cubes)]
fn cube_roots<const N: usize>(p: [f64; N]) -> [f64; N] {
    let mut y = [1.0; N];
    for _ in 0..100 {
        let excess = excess_of_cubes(y, p);
        for i in 0..N {
            y[i] -= excess[i] / (3.0 * y[i] * y[i]);
        }
    }
    y
}

#[differentiate]
fn excess_of_squares<T: Float>(y: &[T], p: &[T], scale: T) -> Vec<T> {
    let mut excess = Vec::new();
    for i in 0..y.len() {
        excess.push(y[i] * y[i] - p[i] * scale);
    }
    excess
}

#[primitive(root = excess_of_squares)]
fn square_roots<T: Float>(p: &[T], scale: T) -> Vec<T> {
    p.iter().map(|p| (*p * scale).sqrt()).collect()
}

#[test]
fn numbers_and_types_may_be_generic() {
    check!(cube_roots([1.0, 2.0, 3.0])).unwrap();
    check!(square_roots(&[1.0, 2.0, 3.0], 0.5)).unwrap();
    let (value, tangent) = square_roots::jvp(&[1.0_f32, 4.0], &[1.0, 1.0], 1.0, 0.0);
    assert_eq!((value, tangent), (vec![1.0, 2.0], vec![0.5, 0.25]));
}

/// A parameter that owns memory and an integer.
#[derive(Clone, Differentiable)]
struct Ratio {
    below: f64,
    above: Vec<f64>,
    chosen: usize,
}

#[differentiate]
fn imbalance(y: f64, ratio: Ratio, scale: fn(usize) -> f64) -> f64 {
    y * ratio.below - ratio.above[ratio.chosen] * scale(2)
}

#[primitive(root = imbalance, constant(scale))]
fn balance(ratio: Ratio, scale: fn(usize) -> f64) -> f64 {
    ratio.above[ratio.chosen] * scale(2) / ratio.below
}

fn double(n: usize) -> f64 {
    2.0 * n as f64
}

#[differentiate]
fn choice(y: f64, p: Option<f64>) -> f64 {
    match p {
        Some(p) => y * y - p,
        None => y - 1.0,
    }
}

#[primitive(root = choice)]
fn chosen(p: Option<f64>) -> f64 {
    p.map_or(1.0, f64::sqrt)
}

#[test]
fn parameters_by_value_are_read_again() {
    check!(balance(Ratio { below: 2.0, above: vec![1.0, 3.0], chosen: 1 }, double)).unwrap();
    check!(chosen(Some(0.7))).unwrap();
    check!(chosen(None)).unwrap();
}

/// A type whose functions are an equation and its solution.
struct Model;

#[differentiate]
#[differentiate]
impl Model {
    fn residual(y: f64, p: f64) -> f64 {
        y * y - p
    }

    #[primitive(root = Self::residual)]
    fn solve(p: f64) -> f64 {
        p.sqrt()
    }

    fn product(p: f64) -> f64 {
        Self::solve(p) * p
    }
}

#[test]
fn functions_of_a_type_have_the_orders_of_their_block() {
    assert_eq!(Model::solve_gradient(4.0), 0.25);
    assert_eq!(Model::product_hessian(4.0), 0.375);
    check!(Model::product(2.0)).unwrap();
}

#[differentiate]
fn of_another_shape(y: &[f64], p: f64) -> [f64; 2] {
    [y[0] - p, y[1] - p * p * y[0]]
}

#[primitive(root = of_another_shape)]
fn powers(p: f64) -> Vec<f64> {
    vec![p, p * p * p]
}

#[differentiate]
fn remainder(y: f64, (a, b): (f64, f64)) -> f64 {
    y * a - b
}

#[primitive(root = remainder, companion = quotient_rule)]
fn quotient((a, b): (f64, f64)) -> f64 {
    b / a
}

#[test]
fn shapes_patterns_and_names_may_be_others() {
    check!(powers(0.7)).unwrap();
    assert_eq!(quotient_rule::gradient((2.0, 3.0)), (-0.75, 0.5));
}
