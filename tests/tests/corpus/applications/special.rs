//! The functions of `cotangent::special`: values by published tables, derivatives by closed forms and differences.

use super::rows;
use cotangent::special::{
    bessel_j0, bessel_j1, bessel_jn, beta, digamma, erf, erfc, gamma, lgamma, polygamma, trigamma,
};
use cotangent::{Float, differentiate, special};
use std::f64::consts::{LN_2, PI};

const EULER: f64 = 0.577_215_664_901_532_9;

// The points lie on both sides of what the functions tell apart: zero, poles, ten, and the intervals of `libm`.
checks! {
    erf at (0.3), (-0.3), (1.0), (-1.0), (1.9), (-1.9), (3.1), (-3.1), (0.3_f32), (-1.0_f32);
    erfc at (0.3), (-0.3), (1.0), (-1.0), (1.9), (-1.9), (3.1), (-3.1), (0.3_f32), (-1.0_f32);
    gamma at (0.3), (1.7), (4.2), (11.3), (-0.3), (-1.6), (-11.4), (0.3_f32), (-1.6_f32);
    lgamma at (0.3), (1.7), (2.9), (7.5), (11.3), (-0.3), (-1.6), (-11.4), (0.3_f32), (-1.6_f32);
    digamma at (0.3), (1.7), (9.5), (11.3), (-0.3), (-1.6), (-11.4), (0.3_f32), (-1.6_f32);
    trigamma at (0.3), (1.7), (9.5), (11.3), (-0.3), (-1.6), (-11.4), (0.3_f32), (-1.6_f32);
    beta at (0.3, 1.7), (4.2, 11.3), (-0.3, 1.6), (-1.6, -0.7), (120.0, 130.0), (0.3_f32, 1.7);
    bessel_j0 at (0.3), (-0.3), (1.7), (-1.7), (3.1), (5.5), (-9.1), (0.3_f32), (-1.7_f32);
    bessel_j1 at (0.3), (-0.3), (1.7), (-1.7), (3.1), (5.5), (-9.1), (0.3_f32), (-1.7_f32);
    polygamma at (0, 0.3), (1, -0.3), (2, 0.3), (2, 9.5), (2, 13.5), (2, -0.3), (2, -1.6), (2, -11.4), (3, 0.3), (3, -1.6),
        (5, 1.7), (5, 14.5), (5, 18.5), (6, -2.3), (8, -11.4), (3, 0.3_f32), (2, -1.6_f32);
    bessel_jn at (0, 0.3), (1, -0.3), (2, 0.3), (2, -1.7), (3, 3.1), (5, 5.5), (4, -9.1), (-1, 0.7), (-2, 0.7), (7, 0.3),
        (2, 0.3_f32), (3, -1.7_f32);
    of_any_float at (0.7, 1.2), (-0.4, 2.3), (0.7_f32, 1.2);
}

#[differentiate]
#[differentiate]
#[differentiate]
fn of_any_float<T: Float>(x: T, shape: T) -> T {
    special::erf(x) * special::lgamma(shape) + special::bessel_j0(x * shape)
}

corpus! {
    fn normal_distribution(x: f64) -> f64 {
        0.5 * special::erfc(-x / std::f64::consts::SQRT_2)
    }
    at (0.7), (-2.4) => (-0.5 * x * x).exp() / (2.0 * PI).sqrt();

    fn gamma_log_density(x: f64, shape: f64, rate: f64) -> f64 {
        shape * rate.ln() + (shape - 1.0) * x.ln() - rate * x - special::lgamma(shape)
    }
    at (0.7, 2.5, 1.2), (3.1, 0.4, 0.3)
    => ((shape - 1.0) / x - rate, rate.ln() + x.ln() - special::digamma(shape), shape / rate - x);

    fn reflection(x: f64) -> f64 {
        special::gamma(x) * special::gamma(1.0 - x)
    }
    at (0.3), (-1.6) => -PI * PI * (PI * x).cos() / (PI * x).sin().powi(2);

    fn recurrence(x: f64) -> f64 {
        special::digamma(x + 1.0) - special::digamma(x) + special::trigamma(x) * x * x
    }
    at (0.3), (-1.6), (9.4);

    fn ring(x: f64, y: f64) -> f64 {
        special::bessel_j0(x.hypot(y)) + special::bessel_j1(x * y) * special::beta(x, y)
    }
    at (0.7, 1.4), (2.1, 0.3);
}

rows! {
    [#[differentiate] #[differentiate] #[differentiate]]

    fn all_of_three_orders(x: f64, a: f64) -> f64 {
        let bounded = special::erf(x * a) * special::erfc(x);
        let gammas = special::gamma(a) + special::lgamma(x * a) * special::digamma(a) + special::trigamma(x);
        bounded + gammas * special::beta(x, a) + special::bessel_j0(a * x) * special::bessel_j1(x + a)
    }
    at (0.7, 1.4);

    fn of_given_order(x: f64, n: u32) -> f64 {
        special::polygamma(n, x) * special::bessel_jn(n as i32, x * x)
    }
    at (0.7, 2), (2.3, 4);
}

/// Fails unless the values are those of a table to its last digit, or to some rounding.
fn assert_table(name: &str, of: impl Fn(f64) -> f64, digits: f64, table: &[(f64, f64)]) {
    for &(x, expected) in table {
        let (found, allowed) = (of(x), digits.max(1e-15 * expected.abs()));
        assert!((found - expected).abs() <= allowed, "{name}({x}) is {found}, not {expected}");
    }
}

/// Abramowitz and Stegun, "Handbook of Mathematical Functions", table 7.1, ten digits.
#[test]
fn error_functions_are_those_of_the_table() {
    let table = [
        (0.0, 0.0),
        (0.5, 0.520_499_877_8),
        (1.0, 0.842_700_792_9),
        (1.5, 0.966_105_146_5),
        (2.0, 0.995_322_265_0),
    ];
    assert_table("erf", erf, 6e-11, &table);
    assert_table("erf", |x| -erf(-x), 6e-11, &table);
    assert_table("erfc", |x| 1.0 - erfc(x), 6e-11, &table);
    assert_table("erfc", |x| erfc(-x) - 1.0, 6e-11, &table);
}

/// Abramowitz and Stegun, table 6.1, ten digits, and the values in closed form of DLMF 5.4.
#[test]
fn gamma_functions_are_those_of_the_table() {
    let table = [(1.25, 0.906_402_477_1), (1.5, 0.886_226_925_5), (1.75, 0.919_062_526_8)];
    assert_table("gamma", gamma, 6e-11, &table);
    assert_table("lgamma", |x| lgamma(x).exp(), 6e-11, &table);
    let pi = PI.sqrt();
    let closed = [(0.5, pi), (-0.5, -2.0 * pi), (2.5, 0.75 * pi), (5.0, 24.0), (11.0, 3_628_800.0)];
    assert_table("gamma", gamma, 0.0, &closed.map(|(x, y)| (x, y)));
    assert_table("lgamma", lgamma, 1e-15, &closed.map(|(x, y)| (x, y.abs().ln())));
}

/// Abramowitz and Stegun, table 6.1, ten digits, and DLMF 5.4.14 to 5.4.19, 5.15.2 and 5.15.3.
#[test]
fn polygamma_functions_are_those_of_the_table() {
    let table = [(1.0, -0.577_215_664_9), (1.5, 0.036_489_974_0), (2.0, 0.422_784_335_1)];
    assert_table("digamma", digamma, 6e-11, &table);
    let closed = [
        (1.0, -EULER),
        (2.0, 1.0 - EULER),
        (0.5, -EULER - 2.0 * LN_2),
        (-0.5, 2.0 - EULER - 2.0 * LN_2),
        (0.25, -EULER - PI / 2.0 - 3.0 * LN_2),
        (12.0, 83711.0 / 27720.0 - EULER),
    ];
    assert_table("digamma", digamma, 1e-15, &closed);
    let closed = [
        (1.0, PI * PI / 6.0),
        (2.0, PI * PI / 6.0 - 1.0),
        (0.5, PI * PI / 2.0),
        (-0.5, PI * PI / 2.0 + 4.0),
    ];
    assert_table("trigamma", trigamma, 1e-15, &closed);
    let zeta_3 = 1.202_056_903_159_594_2;
    let closed = [(1.0, -2.0 * zeta_3), (0.5, -14.0 * zeta_3), (2.0, 2.0 - 2.0 * zeta_3)];
    assert_table("trigamma", trigamma::gradient, 1e-15, &closed);
}

/// Abramowitz and Stegun, table 9.1, to ten digits.
#[test]
fn bessel_functions_are_those_of_the_table() {
    let table = [
        (0.0, 1.0),
        (1.0, 0.765_197_686_6),
        (2.0, 0.223_890_779_1),
        (5.0, -0.177_596_771_3),
        (10.0, -0.245_935_764_5),
    ];
    assert_table("bessel_j0", bessel_j0, 6e-11, &table);
    assert_table("bessel_j0", |x| bessel_j0(-x), 6e-11, &table);
    let table = [
        (0.0, 0.0),
        (1.0, 0.440_050_585_7),
        (2.0, 0.576_724_807_8),
        (5.0, -0.327_579_137_6),
        (10.0, 0.043_472_746_2),
    ];
    assert_table("bessel_j1", bessel_j1, 6e-11, &table);
    assert_table("bessel_j1", |x| -bessel_j1(-x), 6e-11, &table);
}

/// DLMF 5.15.2 and 5.15.3 with 25.6.1, and the reflection; the derivatives are those of the functions before.
#[test]
fn polygamma_functions_of_any_order_are_those_of_closed_forms() {
    let zeta =
        [1.202_056_903_159_594_2, PI.powi(4) / 90.0, 1.036_927_755_143_37, PI.powi(6) / 945.0];
    let (mut factorial, mut power) = (1.0, 4.0);
    for (n, zeta) in (2..).zip(zeta) {
        (factorial, power) = (-factorial * f64::from(n), 2.0 * power);
        let close = [
            (1.0, factorial * zeta),
            (2.0, factorial * (zeta - 1.0)),
            (0.5, factorial * (power - 1.0) * zeta),
        ];
        // Sums of up to ten terms more than the order, each with a rounding.
        assert_table("polygamma", |x| polygamma(n, x), 2e-15 * factorial.abs() * power, &close);
    }
    let reflected = [(-0.5, 2.0 * 8.0 - 14.0 * 1.202_056_903_159_594_2)];
    assert_table("polygamma", |x| polygamma(2, x), 1e-14, &reflected);
    assert_eq!(polygamma(0, 1.7), digamma(1.7));
    assert_eq!(polygamma(1, -1.7), trigamma(-1.7));
    assert_eq!(lgamma::hessian(2.5), trigamma(2.5));
    assert_eq!(
        (digamma::hessian(2.5), trigamma::hessian(2.5)),
        (polygamma(2, 2.5), polygamma(3, 2.5))
    );
    let table = [(1.0, PI * PI / 6.0), (2.0, PI * PI / 6.0 - 1.0), (0.5, PI * PI / 2.0)];
    assert_table("lgamma", lgamma::hessian, 1e-15, &table);
}

/// The equations that the functions solve: `y' = -2x y` for the bell curve, and that of Bessel (DLMF 10.2.1).
#[test]
fn second_derivatives_are_those_of_the_equations() {
    for x in [0.3_f64, 1.0, -1.9, 3.1] {
        assert_eq!(erf::hessian(x), -2.0 * x * erf::gradient(x));
        assert_eq!(erfc::hessian(x), -erf::hessian(x));
        let equation = bessel_j0::hessian(x) + bessel_j0::gradient(x) / x + bessel_j0(x);
        assert!(equation.abs() < 1e-15, "of order 0 at {x}: {equation:e}");
        let equation = bessel_j1::hessian(x)
            + bessel_j1::gradient(x) / x
            + bessel_j1(x) * (1.0 - 1.0 / (x * x));
        assert!(equation.abs() < 5e-15, "of order 1 at {x}: {equation:e}");
        for n in [-2, 0, 2, 3, 5] {
            let ratio = f64::from(n) / x;
            let equation = bessel_jn::hessian(n, x)
                + bessel_jn::gradient(n, x) / x
                + bessel_jn(n, x) * (1.0 - ratio * ratio);
            assert!(
                equation.abs() < 5e-15 * ratio.powi(2).max(1.0),
                "of order {n} at {x}: {equation:e}"
            );
        }
    }
    assert_eq!((bessel_j1::hessian(0.0), bessel_j0::hessian(0.0)), (0.0, -0.5));
}

#[test]
fn beta_is_that_of_its_closed_forms() {
    let close = |found: f64, expected: f64, relative: f64| {
        assert!((found / expected - 1.0).abs() <= relative, "{found}, not {expected}");
    };
    close(beta(0.5, 0.5), PI, 1e-15);
    close(beta(2.0, 3.0), 1.0 / 12.0, 1e-15);
    close(beta(-0.5, 2.0), -4.0, 1e-15);
    close(beta(1.0, 500.0), 1.0 / 500.0, 1e-12);
    close(beta(2.0, 500.0), 1.0 / (500.0 * 501.0), 1e-12);
    close(beta::gradient(1.0, 500.0).1, -1.0 / 250_000.0, 1e-9);
}

#[test]
fn poles_and_limits_are_as_documented() {
    assert!(gamma(-1.0_f64).is_nan() && digamma(-1.0_f64).is_nan());
    assert_eq!((digamma(0.0), digamma(-0.0)), (f64::NEG_INFINITY, f64::INFINITY));
    assert_eq!((trigamma(0.0), trigamma(-3.0)), (f64::INFINITY, f64::INFINITY));
    assert_eq!((digamma(f64::INFINITY), trigamma(f64::INFINITY)), (f64::INFINITY, 0.0));
    assert!(digamma(f64::NEG_INFINITY).is_nan() && trigamma(f64::NAN).is_nan());
    assert_eq!((polygamma(2, 0.0), polygamma(2, -0.0)), (f64::NEG_INFINITY, f64::INFINITY));
    assert_eq!((polygamma(3, 0.0), polygamma(3, -2.0)), (f64::INFINITY, f64::INFINITY));
    assert!(polygamma(2, -2.0_f64).is_nan() && polygamma(2, f64::NAN).is_nan());
    assert_eq!(polygamma(2, f64::INFINITY), 0.0);
    assert_eq!((erf(f64::INFINITY), erf::gradient(f64::INFINITY)), (1.0, 0.0));
    assert_eq!((bessel_j1::gradient(1e-12), bessel_j1::gradient(0.0)), (0.5, 0.5));
    assert_eq!(gamma(0.5_f32), PI.sqrt() as f32);
}
