//! Values that the taken path does not use, with infinite or undefined slopes: they contribute nothing.
//!
//! The rows are checked at points where all is smooth. The tests below are at the singular points, where differences say
//! nothing: gradient, pullback, tangents along each axis and all at once, and the Hessian are compared with what the
//! taken path gives by hand.

corpus! {
    fn norm_before_a_branch(x: f64, y: f64) -> f64 {
        let n = (x * x + y * y).sqrt();
        if n > 0.0 { x * x / n } else { x * x + 3.0 * x * y }
    }
    at (1.3, 0.4), (-0.7, 2.0);

    fn norm_with_a_lower_bound(x: f64, y: f64) -> f64 { x * y / (x * x + y * y).sqrt().max(1e-6) }
    at (1.3, 0.4), (-0.7, 2.0);

    fn overflow_with_an_upper_bound(x: f64, w: f64) -> f64 { (w * (1.0 / x).exp()).min(1e6) + w * w }
    at (1.3, 0.4), (1e-3, 2.0);

    fn clamped_quotient(x: f64, y: f64) -> f64 { (x / y).clamp(-2.0, 2.0) * x + x * y }
    at (1.3, 1.0), (-7.0, 2.0);

    fn bounds_that_are_used(x: f64, y: f64) -> f64 { (x * y).clamp(x.ln() - 9.0, y.sqrt()) }
    at (1.3, 1.0), (0.3, 0.5);

    fn branch_before_a_branch(x: f64, y: f64) -> f64 {
        let r = if y > 0.0 { x.sqrt() } else { x.ln() };
        let q = r * y;
        if x > 0.0 { if y > 1.0 { q * 2.0 } else { r } } else { y * y + x * y }
    }
    at (1.3, 0.4), (0.7, 2.0);

    fn one_way_of_four(x: f64, y: f64) -> f64 {
        let inverse = 1.0 / x;
        let root = x.sqrt() * y;
        match (y * 2.0) as usize { 0 => inverse, 1 => inverse * root, 2 => root, _ => x * y * y }
    }
    at (1.3, 0.1), (1.3, 0.6), (1.3, 1.2), (1.3, 1.8);

    fn loop_before_a_branch(x: &[f64], y: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            s += x[i].ln() * y;
        }
        if s.is_finite() { s * s } else { y * x[1] }
    }
    at (&[1.3, 0.4], 0.7);

    fn logarithms_with_continue(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for v in x {
            let l = v.ln();
            if l < -1e3 {
                continue;
            }
            s += l * v;
        }
        s
    }
    at (&[1.3, 0.4]);

    fn roots_in_a_filter(x: &[f64]) -> f64 {
        x.iter().map(|v| v.sqrt()).filter(|r| *r > 0.0).map(|r| r * r * r).sum()
    }
    at (&[1.3, 0.4]);

    fn roots_of_which_some_are_read(x: &[f64]) -> f64 {
        let r: Vec<f64> = x.iter().map(|v| v.sqrt()).collect();
        let mut s = 0.0;
        for i in 0..r.len() {
            if r[i] > 0.0 { s += r[i] * r[i] * r[i]; } else { s += x[i] * x[i]; }
        }
        s
    }
    at (&[1.3, 0.4]);

    fn root_of_state(x: f64, n: usize) -> f64 {
        let mut v = x;
        let mut k = 0;
        while k < n {
            let r = (v * v * v).sqrt();
            if r > 0.0 { v = r } else { v = v * v + v + 1.0 }
            k += 1;
        }
        v
    }
    at (1.3, 3);

    fn root_in_two_branches(x: f64, y: f64) -> f64 {
        let r = x.sqrt() * y;
        let mut s = y;
        if x > 0.0 { s += r }
        s *= 2.0;
        if x > 0.0 { s *= r }
        s
    }
    at (1.3, 0.4), (0.7, 2.0);

    fn quotient_of_no_iteration(x: f64, y: f64) -> f64 {
        let q = y / x;
        let mut s = y;
        for i in 0..4 {
            if x > i as f64 { s += q * q * i as f64 }
        }
        s
    }
    at (1.3, 0.4), (2.7, 2.0);

    fn last_state_is_not_used(x: f64, y: f64) -> f64 {
        let (mut s, mut a) = (0.0, y);
        for i in 0..3 {
            s += a * a;
            a = if i == 2 { a / x } else { a * x };
        }
        s
    }
    at (1.3, 0.4), (-0.7, 2.0);

    fn places_that_a_branch_writes(x: f64, y: f64) -> f64 {
        let mut v = [x, y];
        let r = (v[0] * v[1]).sqrt() * v[1];
        if x > 0.0 { v[1] = r * v[0]; v[0] = r; } else { v[1] = v[1] * v[1]; v[0] = y; }
        v[0] * v[1]
    }
    at (1.3, 0.4), (0.7, 2.0);

    fn product_that_loses(x: f64, y: f64) -> f64 { (3.0 * x * y.ln()).max(x + y) }
    at (3.0, 4.0), (0.7, 2.0);
}

first_order! {
    fn single_precision(x: f32, y: f32) -> f32 {
        let n = (x * x + y * y).sqrt();
        (if n > 0.0 { x / n } else { x + 2.0 * y }) + (x - 1.0).sqrt().max(y * 3.0)
    }
    at (1.3, 2.0);

    fn reads_missing_data(x: &[f64], data: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            let r = x[i] * data[i];
            if !r.is_nan() { s += r * r }
        }
        s
    }
    at (&[1.3, 0.4], &[0.5, 2.0]);

    fn pair_of_parts(x: f64, y: f64) -> (f64, f64) { (x.sqrt() + y, y * y) }
    at (1.3, 2.0);

    /// The macro does not know the type.
    fn power_before_a_branch_of_one_input(x: f64) -> f64 {
        let scaled = x * 2.0;
        let root = scaled.powf(0.5);
        if root > 1e-9 && root < 1e9 { root } else { 0.5 }
    }
    at (1.3), (0.2);

    fn infinite_elements_of_an_array(x: f64, y: f64) -> f64 {
        let parts = [x * (1.0 / y), y * y, x + y];
        parts[1] * parts[2]
    }
    at (1.3, 0.4);

    fn infinite_part_of_a_tuple(x: f64, y: f64) -> f64 {
        let pair = (x * (1.0 / y), x * y);
        let copy = pair;
        copy.1 + y
    }
    at (1.3, 0.4);

    fn alias(x: Number, y: Number) -> Number {
        let r = x.sqrt().max(y);
        if r > 0.5 { r * y } else { y }
    }
    at (0.01, 2.0);

    fn fields(x: f64, y: f64) -> f64 {
        let parts = Parts { root: x.sqrt(), log: x.ln() * y };
        if x > 0.0 { parts.root * parts.log } else { y }
    }
    at (0.3, 2.0);

    fn callee_is_not_used(x: f64, y: f64) -> f64 {
        let r = inner::root(x);
        if r.is_finite() { r * y } else { y + 2.0 * x }
    }
    at (0.3, 2.0);
}

type Number = f64;

#[derive(Clone, Copy, cotangent::Differentiable)]
struct Parts {
    root: f64,
    log: f64,
}

mod inner {
    #[cotangent::differentiate]
    pub(super) fn root(x: f64) -> f64 {
        (x.sqrt() + x).ln()
    }
}

/// All derivatives of a function of two numbers at a point, against its gradient there.
macro_rules! agrees {
    ($name:ident($x:expr, $y:expr) => $expected:expr) => {
        let (expected, seed) = ($expected, 2.0);
        assert_eq!($name::$name::gradient($x, $y), expected);
        let (_, pullback) = $name::$name::vjp($x, $y);
        assert_eq!(pullback(seed), (expected.0 * seed, expected.1 * seed));
        assert_eq!($name::$name::jvp($x, 1.0, $y, 0.0).1, expected.0);
        assert_eq!($name::$name::jvp($x, 0.0, $y, 1.0).1, expected.1);
        assert_eq!(
            $name::$name::jvp_batch($x, [1.0, 0.0], $y, [0.0, 1.0]).1,
            [expected.0, expected.1]
        );
    };
}

/// The Hessian of a function of two numbers.
macro_rules! curvature {
    ($name:ident($x:expr, $y:expr) => $expected:expr) => {
        let h = $name::$name::hessian($x, $y);
        assert_eq!([h[(0, 0)], h[(0, 1)], h[(1, 0)], h[(1, 1)]], $expected);
    };
}

#[test]
fn what_the_taken_path_does_not_use_contributes_nothing() {
    agrees!(norm_before_a_branch(0.0, 0.0) => (0.0, 0.0));
    agrees!(norm_with_a_lower_bound(0.0, 0.0) => (0.0, 0.0));
    agrees!(overflow_with_an_upper_bound(1e-4, 3.0) => (0.0, 6.0));
    agrees!(clamped_quotient(3.0, 0.0) => (2.0, 3.0));
    agrees!(branch_before_a_branch(0.0, 2.0) => (2.0, 4.0));
    agrees!(branch_before_a_branch(-1.0, 0.5) => (0.5, 0.0));
    agrees!(one_way_of_four(0.0, 1.5) => (2.25, 0.0));
    agrees!(single_precision(0.0, 0.0) => (1.0, 5.0));
    agrees!(alias(0.0, 0.25) => (0.0, 1.0));
    agrees!(callee_is_not_used(0.0, 3.0) => (2.0, 1.0));
    agrees!(root_in_two_branches(0.0, 3.0) => (0.0, 2.0));
    agrees!(quotient_of_no_iteration(0.0, 3.0) => (0.0, 1.0));
    agrees!(last_state_is_not_used(0.0, 3.0) => (0.0, 6.0));
    agrees!(places_that_a_branch_writes(0.0, 3.0) => (0.0, 27.0));
    agrees!(product_that_loses(2.0, 0.0) => (1.0, 1.0));
    agrees!(fields(0.0, 3.0) => (0.0, 1.0));
    agrees!(infinite_elements_of_an_array(2.0, 0.0) => (0.0, 0.0));
    agrees!(infinite_part_of_a_tuple(2.0, 0.0) => (0.0, 3.0));
    let power = power_before_a_branch_of_one_input::power_before_a_branch_of_one_input::gradient;
    assert_eq!(power(0.0), 0.0);
    assert_eq!(root_of_state::root_of_state::gradient(0.0, 1), 1.0);
}

#[test]
fn second_derivatives_are_those_of_the_taken_path() {
    curvature!(norm_before_a_branch(0.0, 0.0) => [2.0, 3.0, 3.0, 0.0]);
    curvature!(norm_with_a_lower_bound(0.0, 0.0) => [0.0, 1e6, 1e6, 0.0]);
    curvature!(overflow_with_an_upper_bound(1e-4, 3.0) => [0.0, 0.0, 0.0, 2.0]);
    curvature!(clamped_quotient(3.0, 0.0) => [0.0, 1.0, 1.0, 0.0]);
    curvature!(branch_before_a_branch(0.0, 2.0) => [0.0, 1.0, 1.0, 2.0]);
    curvature!(root_in_two_branches(0.0, 3.0) => [0.0; 4]);
    curvature!(places_that_a_branch_writes(0.0, 3.0) => [0.0, 0.0, 0.0, 18.0]);
    curvature!(product_that_loses(2.0, 0.0) => [0.0; 4]);
    curvature!(one_way_of_four(0.0, 1.5) => [0.0, 3.0, 3.0, 0.0]);
}

#[test]
fn elements_that_are_not_used_contribute_nothing() {
    let x = [0.0, 4.0];
    assert_eq!(
        roots_of_which_some_are_read::roots_of_which_some_are_read::gradient(&x),
        [0.0, 3.0]
    );
    assert_eq!(roots_in_a_filter::roots_in_a_filter::gradient(&x), [0.0, 3.0]);
    assert_eq!(roots_in_a_filter::roots_in_a_filter::hessian(&x)[(0, 0)], 0.0);
    assert_eq!(
        logarithms_with_continue::logarithms_with_continue::gradient(&[0.0, 1.0]),
        [0.0, 1.0]
    );
    let gradient = loop_before_a_branch::loop_before_a_branch::gradient(&[0.0, 3.0], 2.0);
    assert_eq!(gradient, (vec![0.0, 2.0], 3.0));
    let data = [3.0, f64::NAN];
    let (x_bar, _) = reads_missing_data::reads_missing_data::gradient(&[1.0, 2.0], &data);
    assert_eq!(x_bar, [18.0, 0.0]);
    assert_eq!(
        reads_missing_data::reads_missing_data::jvp(&[1.0, 2.0], &[0.0, 1.0], &data, &[0.0; 2]).1,
        0.0
    );
}

#[test]
fn a_cotangent_of_zero_passes_no_infinite_slope() {
    let (_, pullback) = pair_of_parts::pair_of_parts::vjp(0.0, 3.0);
    assert_eq!(pullback((0.0, 1.0)), (0.0, 6.0));
    assert_eq!(pair_of_parts::pair_of_parts::jvp(0.0, 0.0, 3.0, 1.0).1, (1.0, 6.0));
}
