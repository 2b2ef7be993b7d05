//! `root`: Kepler's equation, square roots, linear systems, the intersection of a circle and a line, and how functions that
//! solve them are called.

use super::assert_close;
use cotangent::{Differentiable, Float, check, differentiate, linalg, primitive};

#[differentiate]
#[differentiate]
fn kepler_equation(anomaly: f64, mean: f64, eccentricity: f64) -> f64 {
    anomaly - eccentricity * anomaly.sin() - mean
}

#[primitive(root = kepler_equation)]
fn kepler(mean: f64, eccentricity: f64) -> f64 {
    let mut anomaly = mean;
    for _ in 0..50 {
        anomaly -=
            kepler_equation(anomaly, mean, eccentricity) / (1.0 - eccentricity * anomaly.cos());
    }
    anomaly
}

#[test]
fn derivatives_of_keplers_equation_are_the_closed_ones() {
    for (mean, eccentricity) in [(0.7, 0.3), (-2.0, 0.9), (3.0, 0.0167)] {
        let anomaly = kepler(mean, eccentricity);
        let slope = 1.0 / (1.0 - eccentricity * anomaly.cos());
        let (by_mean, by_shape) = kepler::gradient(mean, eccentricity);
        assert_close(by_mean, slope, 1e-14);
        assert_close(by_shape, anomaly.sin() * slope, 1e-14);
        let (value, tangent) = kepler::jvp(mean, 2.0, eccentricity, -1.0);
        assert_eq!(value.to_bits(), anomaly.to_bits());
        assert_close(tangent, (2.0 - anomaly.sin()) * slope, 1e-14);
        check!(kepler(mean, eccentricity)).unwrap();
    }
}

/// The mean distance from the focus.
#[differentiate]
fn distance(means: &[f64], eccentricity: f64) -> f64 {
    let mut sum = 0.0;
    for mean in means {
        sum += 1.0 - eccentricity * kepler(*mean, eccentricity).cos();
    }
    sum / means.len() as f64
}

#[test]
fn a_solution_in_a_loop_has_derivatives() {
    check!(distance(&[0.1, 0.9, 2.5, -1.0], 0.4)).unwrap();
}

mod square {
    use cotangent::differentiate;

    #[differentiate]
    pub fn excess<T: cotangent::Float>(y: T, p: T) -> T {
        y * y - p
    }
}

#[primitive(root = square::excess)]
fn square_root<T: Float>(p: T) -> T {
    p.sqrt()
}

#[test]
fn a_generic_solution_of_another_modules_equation_stays_in_its_precision() {
    assert_eq!(square_root::gradient(4.0), 0.25);
    let single: f32 = square_root::gradient(9.0_f32);
    assert_eq!(single, 1.0 / 6.0);
    check!(square_root(2.0)).unwrap();
}

#[differentiate]
fn linear(x: &[f64], a: &[f64], b: &[f64], n: usize) -> Vec<f64> {
    (0..n).map(|i| linalg::dot(&a[i * n..][..n], x) - b[i]).collect()
}

#[primitive(root = linear)]
fn solution(a: &[f64], b: &[f64], n: usize) -> Vec<f64> {
    linalg::lu_solve(a, b, n).unwrap()
}

const MATRIX: [f64; 9] = [3.0, 1.0, -1.0, 2.0, 4.0, 1.0, 0.5, 0.25, 5.0];

#[test]
fn a_linear_system_has_the_transposed_one_as_its_adjoint() {
    let (b, seed) = ([1.0, 2.0, 3.0], vec![1.0, -2.0, 0.5]);
    let (x, pullback) = solution::vjp(&MATRIX, &b, 3);
    let (mut a_bar, mut b_bar) = ([0.0; 9], [10.0; 3]);
    pullback(&MATRIX, &mut a_bar, &b, &mut b_bar, seed.clone());
    let transposed: Vec<f64> = (0..9).map(|i| MATRIX[i % 3 * 3 + i / 3]).collect();
    let s = linalg::lu_solve(&transposed, &seed, 3).unwrap();
    for i in 0..3 {
        assert_close(b_bar[i] - 10.0, s[i], 1e-14);
        for j in 0..3 {
            assert_close(a_bar[i * 3 + j], -s[i] * x[j], 1e-14);
        }
    }
    check!(solution(&MATRIX, &b, 3)).unwrap();
    let jacobian = inverse::jacobian(&b);
    for i in 0..3 {
        let column: Vec<f64> = (0..3).map(|j| f64::from(i == j)).collect();
        let column = linalg::lu_solve(&MATRIX, &column, 3).unwrap();
        (0..3).for_each(|j| assert_close(jacobian[(j, i)], column[j], 1e-14));
    }
}

#[differentiate]
fn inverse(b: &[f64]) -> Vec<f64> {
    solution(&MATRIX, b, 3)
}

#[test]
fn units_do_not_make_a_system_singular() {
    let a = [3e-30, 1e-10, 2e-10, 4e10];
    let (x, x_dot) = solution::jvp(&a, &[0.0; 4], &[1.0, 2.0], &[1.0, 2.0], 2);
    x.iter().zip(&x_dot).for_each(|(x, x_dot)| assert!((x_dot / x - 1.0).abs() < 1e-14));
}

/// A line through points at two distances from the origin, and where it meets a circle.
#[derive(Differentiable, Clone)]
struct Line {
    slope: f64,
    height: f64,
}

#[differentiate]
fn meeting(point: [f64; 2], line: &Line, radius: f64) -> [f64; 2] {
    let [x, y] = point;
    [x * x + y * y - radius * radius, y - line.slope * x - line.height]
}

#[primitive(root = meeting)]
fn intersection(line: &Line, radius: f64) -> [f64; 2] {
    let Line { slope, height } = line;
    let a = 1.0 + slope * slope;
    let x = (-slope * height + (a * radius * radius - height * height).sqrt()) / a;
    [x, slope * x + height]
}

/// The closed form, differentiated by itself.
#[differentiate]
fn closed_intersection(line: &Line, radius: f64) -> [f64; 2] {
    let a = 1.0 + line.slope * line.slope;
    let root = (a * radius * radius - line.height * line.height).sqrt();
    let x = (-line.slope * line.height + root) / a;
    [x, line.slope * x + line.height]
}

#[test]
fn a_struct_is_a_parameter_and_an_array_the_unknown() {
    let line = Line { slope: 0.5, height: 0.3 };
    let tangent = LineTangent { slope: 1.0, height: -2.0 };
    let (value, along) = intersection::jvp(&line, &tangent, 2.0, 0.7);
    let (closed, closed_along) = closed_intersection::jvp(&line, &tangent, 2.0, 0.7);
    for i in 0..2 {
        assert_close(value[i], closed[i], 1e-15);
        assert_close(along[i], closed_along[i], 1e-14);
    }
    check!(intersection(&line, 2.0)).unwrap();
}

/// Of another precision, and a parameter that is passed by value.
#[differentiate]
fn meeting_in_single(point: [f32; 2], line: [f32; 2]) -> [f32; 2] {
    [point[0] * point[0] + point[1] * point[1] - 4.0, point[1] - line[0] * point[0] - line[1]]
}

#[primitive(root = meeting_in_single)]
fn intersection_in_single(line: [f32; 2]) -> [f32; 2] {
    let line = Line { slope: f64::from(line[0]), height: f64::from(line[1]) };
    intersection(&line, 2.0).map(|coordinate| coordinate as f32)
}

#[test]
fn single_precision_stays() {
    check!(intersection_in_single([0.5, 0.3])).unwrap();
}

#[differentiate]
fn excess_with_constants(y: f64, scale: f64, table: &[f64], at: usize, name: &str) -> f64 {
    assert!(!name.is_empty());
    y * y * y - scale * table[at]
}

#[primitive(root = excess_with_constants, constant(table))]
fn cube_root(scale: f64, table: &[f64], at: usize, name: &str) -> f64 {
    assert!(!name.is_empty());
    (scale * table[at]).cbrt()
}

#[primitive(root = excess_with_constants, wrt(table))]
fn cube_root_by_table(scale: f64, table: &[f64], at: usize, name: &str) -> f64 {
    cube_root(scale, table, at, name)
}

#[test]
fn constants_have_no_derivative() {
    let (scale, table) = (2.0_f64, [1.0, 4.0]);
    let slope = 2.0 / 3.0;
    assert_close(cube_root::gradient(scale, &table, 1, "cube"), slope / scale, 1e-14);
    let by_table = cube_root_by_table::gradient(scale, &table, 1, "cube");
    assert_eq!(by_table[0], 0.0);
    assert_close(by_table[1], slope / table[1], 1e-14);
    check!(cube_root(scale, &table, 1, "cube")).unwrap();
    check!(cube_root_by_table(scale, &table, 1, "cube")).unwrap();
}

/// A planet, whose method solves for the place at a time.
#[derive(Differentiable, Clone)]
struct Planet {
    eccentricity: f64,
    period: f64,
}

#[differentiate]
fn equation_of_planet(anomaly: f64, planet: &Planet, time: f64) -> f64 {
    kepler_equation(anomaly, time / planet.period, planet.eccentricity)
}

#[differentiate]
impl Planet {
    #[primitive(root = equation_of_planet)]
    fn anomaly(&self, time: f64) -> f64 {
        kepler(time / self.period, self.eccentricity)
    }

    fn distance(&self, time: f64) -> f64 {
        1.0 - self.eccentricity * self.anomaly(time).cos()
    }
}

#[test]
fn a_method_may_solve() {
    let planet = Planet { eccentricity: 0.3, period: 1.7 };
    check!(planet.anomaly(0.4)).unwrap();
    check!(planet.distance(0.4)).unwrap();
}

#[differentiate]
mod within {
    use cotangent::primitive;

    fn equation(y: f64, p: f64) -> f64 {
        y.exp() * y - p
    }

    #[primitive(root = equation)]
    pub fn lambert(p: f64) -> f64 {
        let mut y = 0.5;
        for _ in 0..50 {
            y -= equation(y, p) / (y.exp() * (1.0 + y));
        }
        y
    }

    pub fn sum(p: f64) -> f64 {
        lambert(p) + lambert(2.0 * p)
    }
}

#[test]
fn a_module_may_hold_both() {
    let w = within::lambert(1.5);
    assert_close(within::lambert::gradient(1.5), w / (1.5 * (1.0 + w)), 1e-14);
    check!(within::sum(1.5)).unwrap();
}

#[differentiate]
fn nothing(_: &[f64], p: f64) -> Vec<f64> {
    let _ = p;
    Vec::new()
}

#[primitive(root = nothing)]
fn no_unknowns(p: f64) -> Vec<f64> {
    let _ = p;
    Vec::new()
}

#[test]
fn no_unknowns_have_no_derivatives() {
    assert_eq!(no_unknowns::jvp(1.0, 1.0), (vec![], vec![]));
    let (_, pullback) = no_unknowns::vjp(1.0);
    assert_eq!(pullback(vec![]), 0.0);
}
