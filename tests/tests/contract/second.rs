//! Second derivatives: `hvp`, `hessian`, `value_gradient_and_hessian`, and derivatives of derivatives in bodies.

use super::at;
use cotangent::{Differentiable, Float, Matrix, check, differentiate, function};

#[differentiate]
#[differentiate]
fn cubic(x: f64) -> f64 {
    x * x * x
}

#[differentiate]
#[differentiate]
fn form(x: f64, y: f64) -> f64 {
    x * x * y + 3.0 * x * y * y
}

/// `Σ x[i]² x[i + 1]`.
#[differentiate]
#[differentiate]
fn chain(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        sum += x[i - 1] * x[i - 1] * x[i];
    }
    sum
}

#[test]
fn one_float_has_a_float() {
    let hessian: fn(f64) -> f64 = cubic::hessian;
    let hvp: fn(f64, f64) -> f64 = cubic::hvp;
    let all: fn(f64) -> (f64, f64, f64) = cubic::value_gradient_and_hessian;
    assert_eq!((hessian(2.0), hvp(2.0, 3.0), all(2.0)), (12.0, 36.0, (8.0, 12.0, 12.0)));
}

#[test]
fn several_floats_have_a_matrix() {
    let hessian: fn(f64, f64) -> Matrix = form::hessian;
    let hvp: fn(f64, f64, f64, f64) -> (f64, f64) = form::hvp;
    let all: fn(f64, f64) -> (f64, (f64, f64), Matrix) = form::value_gradient_and_hessian;
    let matrix = Matrix::from_vec(2, 2, vec![4.0, 14.0, 14.0, 6.0]);
    assert_eq!(hessian(1.0, 2.0), matrix);
    assert_eq!(hvp(1.0, 1.0, 2.0, 10.0), (144.0, 74.0));
    assert_eq!(all(1.0, 2.0), (14.0, (16.0, 13.0), matrix));
}

#[test]
fn a_slice_has_a_matrix_by_its_elements() {
    let hessian: fn(&[f64]) -> Matrix = chain::hessian;
    let hvp: fn(&[f64], &[f64]) -> Vec<f64> = chain::hvp;
    let x = [1.0, 2.0, 3.0];
    let matrix = Matrix::from_vec(3, 3, vec![4.0, 2.0, 0.0, 2.0, 6.0, 4.0, 0.0, 4.0, 0.0]);
    assert_eq!(hessian(&x), matrix);
    assert_eq!(hvp(&x, &[1.0, 0.0, 10.0]), [4.0, 42.0, 0.0]);
}

#[test]
fn directions_follow_active_parameters_and_places_are_restored() {
    type Hvp = fn(
        f64,
        f64,
        &[f64],
        &[f64],
        &mut [f64; 2],
        &mut [f64; 2],
        usize,
    ) -> (f64, Vec<f64>, [f64; 2]);
    let hvp: Hvp = self::directed::hvp;
    let (mut s, mut s_dot) = (at::S, [0.0, 1.0]);
    // s[0] s[1] = (s0 + x Σw) x s1 along s1: ∂x is s0 + 2 x Σw, ∂w is x², ∂s0 is x.
    let (x, w, s_bar) = hvp(at::X, 0.0, &at::W, &[0.0; 3], &mut s, &mut s_dot, at::N);
    assert_eq!((x, w, s_bar), (16.5, vec![4.0, 4.0, 0.0], [2.0, 0.0]));
    assert_eq!((s, s_dot), (at::S, [0.0, 1.0]));
}

/// The function of the contract, with two orders.
#[differentiate]
#[differentiate]
fn directed(x: f64, w: &[f64], s: &mut [f64; 2], n: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..n {
        sum += w[i];
    }
    s[0] += sum * x;
    s[1] *= x;
    s[0] * s[1]
}

#[test]
fn a_hessian_has_the_floats_of_all_active_parameters_in_order() {
    let mut s = at::S;
    let (value, gradient, hessian) =
        directed::value_gradient_and_hessian(at::X, &at::W, &mut s, at::N);
    let (x_bar, w_bar, s_bar) = at::GRADIENT;
    assert_eq!((value, gradient), (at::VALUE, (x_bar, w_bar.to_vec(), s_bar)));
    assert_eq!((hessian.rows(), hessian.columns()), (6, 6));
    // By x and by s[1]; by x twice: 2 Σw s1.
    assert_eq!((hessian[(0, 5)], hessian[(5, 0)], hessian[(0, 0)]), (16.5, 16.5, 32.0));
    assert_eq!(s, at::S);
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Spring<T> {
    stiffness: T,
    rest: T,
}

#[differentiate]
#[differentiate]
impl<T: Float> Spring<T> {
    fn energy(&self, x: T) -> T {
        let d = x - self.rest;
        self.stiffness * d * d
    }
}

#[test]
fn methods_have_them_under_their_names() {
    let spring = Spring { stiffness: 3.0, rest: 1.0 };
    let direction = SpringTangent { stiffness: 1.0, rest: 0.0 };
    let (spring_bar, x_bar) = spring.energy_hvp(&direction, 3.0, 0.0);
    assert_eq!((spring_bar, x_bar), (SpringTangent { stiffness: 0.0, rest: -4.0 }, 4.0));
    let expected = vec![0.0, -4.0, 4.0, -4.0, 6.0, -6.0, 4.0, -6.0, 6.0];
    assert_eq!(spring.energy_hessian(3.0), Matrix::from_vec(3, 3, expected));
    let single = Spring { stiffness: 3.0_f32, rest: 1.0 };
    assert_eq!(single.energy_hessian(3.0_f32)[(2, 2)], 6.0_f32);
}

type Real = f64;

#[differentiate]
#[differentiate(constant(k))]
fn of_an_alias(x: Real, k: Real) -> Real {
    k * x * x.sin()
}

#[test]
fn an_alias_is_what_it_stands_for() {
    let hessian: fn(f64, f64) -> f64 = of_an_alias::hessian;
    let expected = 2.0 * (2.0 * 0.5_f64.cos() - 0.5 * 0.5_f64.sin());
    assert!((hessian(0.5, 2.0) - expected).abs() < 1e-15);
    check!(of_an_alias(0.5, 2.0)).unwrap();
}

/// `|∇ form|²`, whose gradient is `2 H ∇ form`.
#[differentiate]
#[differentiate]
fn square_of_gradient(x: f64, y: f64) -> f64 {
    let (by_x, by_y) = third::gradient(x, y);
    by_x * by_x + by_y * by_y
}

#[differentiate]
#[differentiate]
#[differentiate]
fn third(x: f64, y: f64) -> f64 {
    x * x * y + 3.0 * x * y * y
}

#[test]
fn a_gradient_in_a_body_is_differentiated() {
    // H (16, 13) = (246, 302).
    assert_eq!(square_of_gradient::gradient(1.0, 2.0), (492.0, 604.0));
    // 2 (H H + Σ ∂H g), with third derivatives xxy: 2, xyy: 6.
    let hessian = square_of_gradient::hessian(1.0, 2.0);
    assert_eq!(
        hessian.as_slice(),
        [2.0 * (212.0 + 26.0), 2.0 * (140.0 + 110.0), 500.0, 2.0 * (232.0 + 96.0)]
    );
    check!(square_of_gradient(0.7, 0.4)).unwrap();
}

/// The value and the derivative along a direction that depends on the point.
#[differentiate]
fn of_a_jvp(x: f64, y: f64) -> f64 {
    let (value, along) = form::jvp(x, y, y, 2.0 * x);
    value * along
}

#[test]
fn a_jvp_in_a_body_is_differentiated() {
    check!(of_a_jvp(0.7, 0.4)).unwrap();
    assert_eq!(of_a_jvp(1.0, 2.0), 14.0 * (16.0 * 2.0 + 13.0 * 2.0));
}

/// With data behind references and the value beside the gradient.
#[differentiate]
fn of_both(x: &[f64], k: f64) -> f64 {
    let (value, x_bar) = chain::value_and_gradient(x);
    let mut sum = value * k;
    for i in 0..x.len() {
        sum += x_bar[i] * x[i] * k;
    }
    sum
}

#[test]
fn value_and_gradient_in_a_body_are_differentiated() {
    check!(of_both(&[0.7, 0.4, -0.2], 1.3)).unwrap();
    // The function is of degree 3: x · ∇ is three times the value.
    let (by_x, by_k) = of_both::gradient(&[1.0, 2.0, 3.0], 2.0);
    assert_eq!(by_x, chain::gradient(&[1.0, 2.0, 3.0]).map_each(|bar| 8.0 * bar));
    assert_eq!(by_k, 4.0 * chain(&[1.0, 2.0, 3.0]));
}

/// What tests do to each element.
trait MapEach {
    fn map_each(self, change: impl Fn(f64) -> f64) -> Vec<f64>;
}

impl MapEach for Vec<f64> {
    fn map_each(self, change: impl Fn(f64) -> f64) -> Vec<f64> {
        self.into_iter().map(change).collect()
    }
}

#[test]
fn derivatives_are_functions_that_are_tested_like_others() {
    check!(form::gradient(0.7, 0.4)).unwrap();
    check!(form::jvp(0.7, 0.3, 0.4, -0.2)).unwrap();
    assert_eq!(check!(form(0.7, 0.4)).unwrap().orders(), 2);
    assert_eq!(check!(third(0.7, 0.4)).unwrap().orders(), 3);
    assert_eq!(check!(energy_of_one(2.0)).unwrap().orders(), 1);
}

#[differentiate]
fn energy_of_one(x: f64) -> f64 {
    x * x
}

#[test]
fn what_is_called_gradient_in_a_module_has_derivatives_there() {
    check!(of_a_module(0.7, 0.4)).unwrap();
}

mod module {
    /// A function of that name, and no derivative.
    #[cotangent::differentiate]
    pub(super) fn gradient(x: f64, y: f64) -> f64 {
        (x - y) * x
    }
}

#[differentiate]
fn of_a_module(x: f64, y: f64) -> f64 {
    module::gradient(x * y, y)
}

#[differentiate]
#[differentiate]
#[differentiate]
fn quartic(x: f64, y: f64) -> f64 {
    x * x * x * y
}

/// `hvp` along the point itself: the function is of degree 4, so that it is three times the gradient.
#[differentiate]
fn of_an_hvp(x: f64, y: f64) -> f64 {
    let (x_bar, _) = quartic::hvp(x, x, y, y);
    x_bar
}

/// The Hessian's trace and its other entries, `6 x y` and `3 x²`.
#[differentiate]
fn of_a_hessian(x: f64, y: f64) -> f64 {
    let m = quartic::hessian(x, y);
    m[(0, 0)] + m[(1, 1)] + 10.0 * m[(0, 1)] * m[(1, 0)]
}

#[differentiate]
fn of_all_three(x: f64, y: f64) -> f64 {
    let (value, (_, y_bar), m) = quartic::value_gradient_and_hessian(x, y);
    value + 10.0 * y_bar + 100.0 * m[(0, 0)]
}

#[test]
fn second_derivatives_in_a_body_are_differentiated() {
    // 9 x² y
    assert_eq!(of_an_hvp::gradient(2.0, 5.0), (18.0 * 2.0 * 5.0, 9.0 * 4.0));
    assert_eq!(of_an_hvp::jvp(2.0, 1.0, 5.0, 0.0), (180.0, 180.0));
    // 6 x y + 90 x⁴
    assert_eq!(of_a_hessian::gradient(2.0, 5.0), (30.0 + 360.0 * 8.0, 12.0));
    assert_eq!(of_a_hessian::jvp(2.0, 0.0, 5.0, 1.0).1, 12.0);
    // x³ y + 10 x³ + 600 x y
    let by_x = 3.0 * 4.0 * 5.0 + 30.0 * 4.0 + 3000.0;
    assert_eq!(of_all_three::gradient(2.0, 5.0), (by_x, 8.0 + 1200.0));
    assert_eq!(of_all_three::jvp(2.0, 1.0, 5.0, 0.0).1, by_x);
}

#[differentiate]
#[differentiate]
fn polar(r: &[f64]) -> [f64; 2] {
    [r[0] * r[1], r[1] * r[1]]
}

/// The determinant of `[[r1, r0], [0, 2 r1]]`, and `r1` more.
#[differentiate]
fn of_a_jacobian(r: &[f64]) -> f64 {
    let m = polar::jacobian(r);
    m[(0, 0)] * m[(1, 1)] - m[(0, 1)] * m[(1, 0)] + m[(0, 0)]
}

#[test]
fn a_jacobian_in_a_body_is_differentiated() {
    // 2 r1² + r1
    assert_eq!(of_a_jacobian::gradient(&[3.0, 5.0]), [0.0, 21.0]);
    assert_eq!(of_a_jacobian::jvp(&[3.0, 5.0], &[1.0, 2.0]), (55.0, 42.0));
}

/// `x̄ = seed · y`, `ȳ = seed · x` and what was there.
#[differentiate]
fn of_a_pullback(x: f64, y: &[f64], seed: f64) -> f64 {
    let mut y_bar = vec![10.0 * x];
    let (value, pullback) = scaled::vjp(x, y);
    let x_bar = pullback(y, &mut y_bar, seed);
    value * x_bar + y_bar[0]
}

#[differentiate]
#[differentiate]
fn scaled(x: f64, y: &[f64]) -> f64 {
    x * y[0]
}

#[test]
fn a_pullback_in_a_body_is_differentiated() {
    assert_eq!(of_a_pullback(2.0, &[3.0], 5.0), 6.0 * 15.0 + 30.0);
    // x y² s + 10 x + s x
    let expected = (9.0 * 5.0 + 10.0 + 5.0, vec![2.0 * 2.0 * 3.0 * 5.0], 2.0 * 9.0 + 2.0);
    assert_eq!(of_a_pullback::gradient(2.0, &[3.0], 5.0), expected);
    assert_eq!(of_a_pullback::jvp(2.0, 0.0, &[3.0], &[0.0], 5.0, 1.0).1, expected.2);
}

/// The same by `accumulate_gradient`, whose seed is one.
#[differentiate]
fn of_an_accumulated_gradient(x: f64, y: &[f64], y_bar: &mut [f64]) -> f64 {
    y_bar[0] *= x;
    let (value, x_bar) = scaled::accumulate_gradient(x, y, y_bar);
    value * x_bar * y_bar[0]
}

#[test]
fn an_accumulated_gradient_in_a_body_is_differentiated() {
    let mut y_bar = [7.0];
    assert_eq!(of_an_accumulated_gradient(2.0, &[3.0], &mut y_bar), 18.0 * 16.0);
    // x y² (x b + x), and the shadow is as it was.
    y_bar = [7.0];
    let gradient = of_an_accumulated_gradient::gradient(2.0, &[3.0], &mut y_bar);
    assert_eq!(gradient, (2.0 * 2.0 * 9.0 * 8.0, vec![4.0 * 6.0 * 8.0], vec![36.0]));
    assert_eq!(y_bar, [7.0]);
}

#[test]
#[should_panic(expected = "tangents of 2 by 2 and of 2 by 1 cannot be added")]
fn matrices_of_different_shapes_are_not_added() {
    let _ = cotangent::Tangent::plus(Matrix::<f64>::zeros(2, 2), Matrix::zeros(2, 1));
}

#[differentiate]
#[differentiate]
fn squared(x: f64) -> f64 {
    x * x
}

/// With `squared`: `x² y³`.
#[differentiate]
#[differentiate]
fn of_a_function<F: Fn(f64) -> f64>(f: F, x: f64, y: f64) -> f64 {
    f(x * y) * y
}

#[differentiate]
#[differentiate]
fn of_a_function_and_a_slice(f: &dyn Fn(f64) -> f64, x: &[f64]) -> f64 {
    f(x[0]) * x[1]
}

#[test]
fn functions_are_constant_and_have_derivatives_of_the_order() {
    let matrix = Matrix::from_vec(2, 2, vec![54.0, 108.0, 108.0, 72.0]);
    assert_eq!(of_a_function::gradient(function!(squared), 2.0, 3.0), (108.0, 108.0));
    assert_eq!(of_a_function::hessian(function!(squared, order = 2), 2.0, 3.0), matrix);
    let closure = function!(|x: f64| x * x, order = 2);
    assert_eq!(of_a_function::hessian(closure, 2.0, 3.0), matrix);
    let typed = function!(|x: f64| -> f64 { x * x }, order = 2);
    assert_eq!(of_a_function::hvp(typed, 2.0, 1.0, 3.0, 0.0), (54.0, 108.0));
    let all = of_a_function_and_a_slice::value_gradient_and_hessian(
        function!(squared, order = 2),
        &[2.0, 3.0],
    );
    let matrix = Matrix::from_vec(2, 2, vec![6.0, 4.0, 4.0, 0.0]);
    assert_eq!(all, (12.0, vec![12.0, 4.0], matrix));
}

/// Has more active parameters than tuples with traits have entries.
#[differentiate]
#[differentiate]
#[allow(clippy::too_many_arguments, clippy::many_single_char_names)]
fn of_many(
    a: f64,
    b: &[f64],
    c: f64,
    d: f64,
    e: f64,
    f: f64,
    g: f64,
    h: f64,
    i: f64,
    j: f64,
    k: f64,
    l: f64,
    m: f64,
) -> f64 {
    a * b[1] + c * d + e * f + g * h + i * j + k * l * m
}

#[test]
fn more_than_twelve_parameters_have_second_derivatives() {
    let b = [2.0, 2.5];
    let hessian =
        of_many::hessian(1.0, &b, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0);
    assert_eq!((hessian.rows(), hessian.columns()), (14, 14));
    assert_eq!((hessian[(0, 2)], hessian[(3, 4)], hessian[(12, 13)]), (1.0, 1.0, 11.0));
    let zero = [0.0; 2];
    let product = of_many::hvp(
        1.0, 1.0, &b, &zero, 3.0, 0.0, 4.0, 0.0, 5.0, 0.0, 6.0, 0.0, 7.0, 0.0, 8.0, 0.0, 9.0, 0.0,
        10.0, 0.0, 11.0, 2.0, 12.0, 0.0, 13.0, 0.0,
    );
    assert_eq!((&product.1, product.11, product.12), (&vec![0.0, 1.0], 26.0, 24.0));
    check!(of_many(1.0, &b, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0)).unwrap();
}
