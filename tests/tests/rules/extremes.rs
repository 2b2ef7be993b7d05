//! Partials at extreme arguments, and second derivatives at corners.
//!
//! In: the table. Single precision is compared with double precision, which has room for what overflows or underflows
//! in between; double precision with single precision's arguments, scaled by exact powers of two where the function is
//! homogeneous, and with numbers that were computed to 30 digits.

use super::check::Row;
use super::table;

/// Magnitudes from the smallest subnormal number of single precision to the greatest number.
const MAGNITUDES: &[f64] = &[
    1e-44, 1e-40, 2e-38, 1e-30, 1e-20, 1e-10, 1e-4, 0.3, 0.999, 1.0, 1.5, 9.0, 20.0, 60.0, 1e4,
    1e10, 1e18, 2e19, 1e30, 3e38,
];

/// All points of a row whose coordinates are of these magnitudes.
fn points(row: &Row) -> Vec<Vec<f64>> {
    let mut points = vec![Vec::new()];
    for axis in &row.axes {
        let floats = MAGNITUDES.iter().flat_map(|magnitude| [*magnitude, -magnitude]);
        let numbers: Vec<f64> = match axis.integer {
            true => vec![-40.0, -3.0, -1.0, 0.0, 1.0, 2.0, 5.0, 31.0],
            false => floats.map(|number| f64::from(number as f32)).collect(),
        };
        let longer = |point: &Vec<f64>| -> Vec<Vec<f64>> {
            numbers.iter().map(|number| [&point[..], &[*number]].concat()).collect()
        };
        points = points.iter().flat_map(longer).collect();
    }
    points
}

/// Whether a value in single precision is the one in double precision.
fn is_accurate(single: f64, double: f64, tolerance: f64) -> bool {
    (single - double).abs() <= tolerance * double.abs()
}

/// Whether a number has all digits in single precision, and is not at the end of its range.
fn is_normal(number: f64) -> bool {
    (number as f32).is_normal() && number.abs() < 1e38
}

#[test]
fn partials_in_single_precision_are_accurate_where_the_value_is() {
    let (mut compared, mut wrong) = (0, Vec::new());
    for row in table::all() {
        // The bounds of `clamp` must be in order. The reciprocal of a subnormal number overflows,
        // and of a great exponent minus one it is not known whether it is odd.
        let is_meant = |point: &Vec<f64>| match row.name {
            "clamp" => point[1] <= point[2],
            "div" | "log" => is_normal(point[1]),
            "tanh" => point[0].abs() < 5.0,
            "powf" => is_normal(point[0]) && (point[0] > 0.0 || point[1].abs() < 1e7),
            _ => true,
        };
        for point in points(&row).into_iter().filter(is_meant) {
            let (single, double) = ((row.single.primal)(&point), (row.double.primal)(&point));
            let is_zero = single == 0.0 && double == 0.0;
            if !is_zero && (!is_normal(double) || !is_accurate(single, double, 1e-5)) {
                continue;
            }
            let partials = (row.double.partials)(&point);
            for (single, double) in (row.single.partials)(&point).into_iter().zip(partials) {
                if is_normal(double) {
                    compared += 1;
                    if !is_accurate(single, double, 2e-5) {
                        wrong.push(format!(
                            "`{}` at {point:?}: {single:e}, not {double:e}",
                            row.name
                        ));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {compared}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared > 5_000, "{compared}");
}

/// Points in double precision, and the partials there.
const DOUBLE: &[(&str, &[f64], &[f64])] = &[
    ("atan2", &[1e200, 1e200], &[5e-201, -5e-201]),
    ("atan2", &[1e-200, 1e-200], &[5e199, -5e199]),
    ("atan2", &[3e300, -4e300], &[-1.6e-301, -1.2e-301]),
    ("atan2", &[1e-310, 1.0], &[1.0, -1e-310]),
    ("atan2", &[0.0, -1e-300], &[-1e300, 0.0]),
    ("atan", &[1e160], &[1e-320]),
    ("atan", &[-1e12], &[1e-24]),
    ("asinh", &[1e200], &[1e-200]),
    ("asinh", &[-1e308], &[1e-308]),
    ("acosh", &[1e200], &[1e-200]),
    ("acosh", &[1.0 + f64::EPSILON], &[4.745_313_281_212_578e7]),
    ("exp_m1", &[-40.0], &[4.248_354_255_291_589e-18]),
    ("hypot", &[3e300, 4e300], &[0.6, 0.8]),
    ("hypot", &[3e-310, -4e-310], &[0.6, -0.8]),
    ("recip", &[1e-150], &[-1e300]),
    ("powf", &[1e-200, 0.5], &[5e99, -4.605_170_185_988_092e-98]),
    ("ln_1p", &[-1.0 + f64::EPSILON], &[4_503_599_627_370_496.0]),
];

#[test]
fn partials_in_double_precision_are_accurate() {
    let rows = table::all();
    for (name, point, expected) in DOUBLE {
        let row = rows.iter().find(|row| row.name == *name).expect(name);
        let partials = (row.double.partials)(point);
        // Of a subnormal number a unit in the last place is more.
        let agree = |(a, b): (&f64, &f64)| (a - b).abs() <= 4e-15 * b.abs() + 5e-324;
        assert!(
            partials.iter().zip(*expected).all(agree),
            "`{name}` at {point:?}: {partials:?} instead of {expected:?}"
        );
    }
}

/// The derivative of each partial of a row of two floats by the other operand, from dual numbers.
macro_rules! mixed {
    ($name:ident, $a:expr, $b:expr) => {{
        use cotangent::__private::rules::$name as rule;
        let (a, b): (f64, f64) = ($a, $b);
        let partials = table::$name().double.partials;
        let [by_a, by_b] = partials(&[a, b])[..] else { panic!("two partials") };
        let value = (table::$name().double.primal)(&[a, b]);
        let first = rule::dot_vjp_0(&a, [&0.0], (&b, [&1.0]), (&value, [&by_b]), (&1.0, [&0.0]));
        let second = rule::dot_vjp_1(&a, [&1.0], (&b, [&0.0]), (&value, [&by_a]), (&1.0, [&0.0]));
        (stringify!($name), [a, b], first, second)
    }};
}

#[test]
fn second_derivatives_are_symmetric() {
    let coordinates = [-2.5, -1.0, -0.0, 0.0, 0.5, 1.0, 2.0, 3.0];
    let mut compared = 0;
    for (a, b) in coordinates.iter().flat_map(|a| coordinates.map(|b| (*a, b))) {
        let rows = [
            mixed!(add, a, b),
            mixed!(sub, a, b),
            mixed!(mul, a, b),
            mixed!(div, a, b),
            mixed!(rem, a, b),
            mixed!(rem_euclid, a, b),
            mixed!(hypot, a, b),
            mixed!(powf, a, b),
            mixed!(log, a, b),
            mixed!(atan2, a, b),
            mixed!(copysign, a, b),
            mixed!(max, a, b),
            mixed!(min, a, b),
            mixed!(abs_sub, a, b),
            mixed!(midpoint, a, b),
        ];
        for (name, point, first, second) in rows {
            // Beside a pole there is no second derivative.
            if first.is_finite() && second.is_finite() {
                compared += 1;
                let tolerance = 1e-14 * (1.0 + first.abs());
                assert!(
                    (first - second).abs() <= tolerance,
                    "`{name}` at {point:?}: {first}, {second}"
                );
            }
        }
    }
    assert!(compared > 800, "{compared}");
}

#[test]
fn the_power_zero_has_the_mixed_derivative_of_its_neighbours() {
    for x in [0.25, 1.0, 2.0, 1e10] {
        let (_, _, first, second) = mixed!(powf, x, 0.0);
        assert_eq!((first, second), (1.0 / x, 1.0 / x));
    }
}

#[test]
fn a_direction_that_is_zero_or_an_operand_that_loses_gives_zero() {
    let rows = table::all();
    let product = |name: &str, point: &[f64], direction: f64| -> Vec<[f64; 2]> {
        let row = rows.iter().find(|row| row.name == name).expect(name);
        (row.double.products)(point, direction)
    };
    let singular: &[(&str, &[f64])] = &[
        ("sqrt", &[0.0]),
        ("cbrt", &[0.0]),
        ("ln", &[0.0]),
        ("recip", &[0.0]),
        ("div", &[1.0, 0.0]),
        ("powf", &[0.0, 0.5]),
        ("powi", &[0.0, -2.0]),
        ("acosh", &[1.0]),
        ("asin", &[1.0]),
        ("atanh", &[-1.0]),
        ("exp", &[1e4]),
        ("sinh", &[-1e4]),
    ];
    for (name, point) in singular {
        let products = product(name, point, 0.0);
        assert!(products.iter().flatten().all(|product| *product == 0.0), "`{name}`: {products:?}");
    }
    for direction in [f64::INFINITY, f64::NAN] {
        assert_eq!(product("max", &[1.0, 2.0], direction)[0], [0.0; 2]);
        assert_eq!(product("min", &[1.0, 2.0], direction)[1], [0.0; 2]);
        assert_eq!(product("clamp", &[5.0, 1.0, 2.0], direction)[..2], [[0.0; 2]; 2]);
        assert_eq!(product("abs_sub", &[1.0, 2.0], direction), [[0.0; 2]; 2]);
    }
}

#[test]
fn a_quotient_is_differentiated_without_overflow() {
    use cotangent::__private::rules::div;
    let (a, b) = (1.0, 1e-292);
    let value: f64 = a / b;
    assert_eq!(div::jvp_1(&a, &b, &value, &1e-292), -1e292);
    assert_eq!(div::vjp_1(&a, &b, &value, &1e-292), -1e292);
}
