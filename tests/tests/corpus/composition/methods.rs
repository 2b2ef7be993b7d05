//! The methods of floats, in method form and in path form, in their whole domain.

corpus! {
    fn trigonometric(x: f64) -> f64 { x.sin() + 2.0 * x.cos() + 3.0 * x.tan() }
    at (1.3), (-0.4) => x.cos() - 2.0 * x.sin() + 3.0 / (x.cos() * x.cos());

    fn inverse_trigonometric(x: f64) -> f64 { x.asin() + 2.0 * x.acos() + 3.0 * x.atan() }
    at (0.3), (-0.4) => -1.0 / (1.0 - x * x).sqrt() + 3.0 / (1.0 + x * x);

    fn hyperbolic(x: f64) -> f64 { x.sinh() + 2.0 * x.cosh() + 3.0 * x.tanh() }
    at (1.3), (-0.4) => x.cosh() + 2.0 * x.sinh() + 3.0 * (1.0 - x.tanh() * x.tanh());

    fn inverse_hyperbolic(x: f64) -> f64 { x.asinh() + (x * x + 1.5).acosh() + (x / 2.0).atanh() }
    at (1.3), (-0.4);

    fn both_of_sine_and_cosine(x: f64) -> f64 {
        let (s, c) = x.sin_cos();
        s * c + s
    }
    at (1.3), (-0.4) => (2.0 * x).cos() + x.cos();

    fn one_of_sine_and_cosine(x: f64) -> f64 {
        let (_, c) = (2.0 * x).sin_cos();
        c
    }
    at (1.3), (-0.4) => -2.0 * (2.0 * x).sin();

    fn exponentials(x: f64) -> f64 { x.exp() + x.exp2() + x.exp_m1() }
    at (1.3), (-0.4) => 2.0 * x.exp() + x.exp2() * std::f64::consts::LN_2;

    fn logarithms(x: f64) -> f64 { x.ln() + x.log2() + x.log10() + x.ln_1p() + x.log(3.0) }
    at (1.3), (0.4);

    fn logarithm_to_an_active_base(x: f64, base: f64) -> f64 { x.log(base) }
    at (1.3, 2.0), (0.4, 0.5) => (1.0 / (x * base.ln()), -x.ln() / (base * base.ln() * base.ln()));

    fn roots(x: f64) -> f64 { x.sqrt() + x.cbrt() + x.recip() }
    at (1.3), (0.04);

    fn cube_root_of_a_negative_number(x: f64) -> f64 { x.cbrt() }
    at (-1.3) => 1.0 / (3.0 * x.cbrt() * x.cbrt());

    fn integer_powers(x: f64) -> f64 { x.powi(3) + x.powi(-2) + x.powi(1) + x.powi(0) }
    at (1.3), (-0.4) => 3.0 * x * x - 2.0 / (x * x * x) + 1.0;

    fn integer_power_from_a_parameter(x: f64, n: i32) -> f64 { x.powi(n) }
    at (1.3, 3), (-0.4, 2), (0.7, -1), (2.0, 0), (0.0, 0) => if n == 0 { 0.0 } else { f64::from(n) * x.powi(n - 1) };

    fn float_power(x: f64, y: f64) -> f64 { x.powf(y) }
    at (1.3, 2.5), (0.4, -1.0) => (y * x.powf(y - 1.0), x.ln() * x.powf(y));

    fn float_power_with_a_constant_exponent(x: f64) -> f64 { x.powf(2.0) }
    at (1.3), (-0.4) => 2.0 * x;

    fn angle_and_length(y: f64, x: f64) -> f64 { y.atan2(x) + y.hypot(x) }
    at (1.3, 0.6), (-1.3, 0.6), (1.3, -0.6), (-1.3, -0.6)
    => (x / (x * x + y * y) + y / y.hypot(x), -y / (x * x + y * y) + x / y.hypot(x));

    fn fused_multiply_add(x: f64, y: f64, z: f64) -> f64 { x.mul_add(y, z) }
    at (1.3, -0.4, 2.0) => (y, x, 1.0);

    fn absolute_value(x: f64) -> f64 { x.abs() + (x - 1.0).abs() }
    at (1.3), (0.4), (-0.4) => x.signum() + (x - 1.0).signum();

    fn larger_and_smaller(x: f64, y: f64) -> f64 { x.max(y) * 2.0 + x.min(y) * 3.0 }
    at (1.3, 0.4), (0.4, 1.3) => if x > y { (2.0, 3.0) } else { (3.0, 2.0) };

    fn rectifier(x: f64) -> f64 { x.max(0.0) }
    at (1.3), (-0.4) => if x > 0.0 { 1.0 } else { 0.0 };

    fn clamped(x: f64) -> f64 { x.clamp(-1.0, 1.0) * x }
    at (1.3), (0.4), (-1.3) => if x.abs() < 1.0 { 2.0 * x } else { x.signum() };

    fn clamped_to_active_bounds(x: f64, low: f64, high: f64) -> f64 { x.clamp(low, high) }
    at (1.3, 0.0, 1.0), (0.4, 0.0, 1.0), (-0.4, 0.0, 1.0)
    => if x < low { (0.0, 1.0, 0.0) } else if x > high { (0.0, 0.0, 1.0) } else { (1.0, 0.0, 0.0) };

    fn sign_of_another(x: f64, y: f64) -> f64 { x.copysign(y) }
    at (1.3, 0.6), (-1.3, 0.6), (1.3, -0.6), (-1.3, -0.6) => (x.signum() * y.signum(), 0.0);

    fn piecewise_constant(x: f64) -> f64 { x * x.floor() + x.ceil() + x.round() + x.trunc() + x.signum() }
    at (1.3), (-0.4) => x.floor();

    fn fractional_part(x: f64) -> f64 { x.fract() * x }
    at (1.3), (-0.4) => x.fract() + x;

    fn angles(x: f64) -> f64 { x.to_degrees() + x.to_radians() }
    at (1.3) => 180.0 / std::f64::consts::PI + std::f64::consts::PI / 180.0;

    fn euclidean_remainder(x: f64, y: f64) -> f64 { x.rem_euclid(y) }
    at (7.3, 2.0), (-7.3, 2.0) => (1.0, -x.div_euclid(y));

    fn euclidean_quotient(x: f64) -> f64 { x.div_euclid(0.7) * x }
    at (1.3), (-0.4) => x.div_euclid(0.7);

    fn path_form(x: f64, y: f64) -> f64 { f64::max(x, y) + f64::sin(x) * f64::powi(y, 3) + f64::exp(-x) }
    at (1.3, 0.4), (0.4, 1.3);

    fn path_form_of_many_operands(x: f64, y: f64) -> f64 {
        f64::atan2(x, y) + f64::hypot(x, y) + f64::mul_add(x, y, x) + f64::min(x, y) + f64::abs(y)
    }
    at (1.3, 0.4), (0.4, -1.3);

    fn path_form_of_a_pair(x: f64) -> f64 {
        let (s, c) = f64::sin_cos(x);
        s - c
    }
    at (1.3) => x.cos() + x.sin();

    fn method_of_a_parenthesis(x: f64, y: f64) -> f64 { (x * y + 1.0).tanh().mul_add(x, y).abs() }
    at (1.3, 0.4), (-0.4, 1.3);

    fn logistic(x: f64) -> f64 { 1.0 / (1.0 + (-x).exp()) }
    at (1.3), (-0.4) => (-x).exp() / ((1.0 + (-x).exp()) * (1.0 + (-x).exp()));

    fn single_precision_methods(x: f32, y: f32) -> f32 { x.sin() * y.exp() + x.powi(2) + f32::max(x, y) + y.sqrt() }
    at (1.3, 0.4), (0.4, 1.3);
}
