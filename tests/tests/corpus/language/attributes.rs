//! The attribute's arguments, visibility, and names of companions.

use cotangent::differentiate;

#[differentiate]
#[differentiate(constant(w))]
fn constant_slice(x: f64, w: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..w.len() {
        sum += (w[i] * x).sin();
    }
    sum
}

#[differentiate]
#[differentiate(constant(w, scale))]
fn several_constants(w: &[f64], x: &[f64], scale: f64) -> f64 {
    scale * x[0] * w[0] + x[1] * w[1]
}

#[differentiate]
#[differentiate(wrt(x))]
fn with_respect_to_one(w: &[f64], x: &[f64], scale: f64) -> f64 {
    scale * x[0] * w[0] + x[1] * x[1] * w[1]
}

#[differentiate]
#[differentiate(wrt(x, scale))]
fn with_respect_to_two(w: &[f64], x: &[f64], scale: f64) -> f64 {
    scale * x[0] * w[0] + x[1] * x[1] * w[1]
}

/// A constant that the function changes: it is restored all the same.
#[differentiate]
#[differentiate(constant(counts))]
fn constant_and_mutated(x: f64, counts: &mut [usize]) -> f64 {
    counts[0] += 1;
    x * counts[0] as f64
}

/// A constant float place that active code reads and writes constants to.
#[differentiate]
#[differentiate(constant(table))]
fn constant_float_place_mutated(x: f64, table: &mut [f64]) -> f64 {
    table[0] *= 2.0;
    let y = x * table[0];
    table[0] = 0.5;
    y * table[0]
}

/// A loop carries it beside what is active.
#[differentiate]
#[differentiate(constant(counts))]
fn constant_float_place_in_a_loop(x: f64, counts: &mut [f64]) -> f64 {
    let mut y = x;
    for i in 0..counts.len() {
        counts[i] += 1.0;
        y = (y * counts[i]).sin();
    }
    y
}

#[differentiate]
#[differentiate(constant(m))]
fn constant_array(m: [[f64; 2]; 2], x: [f64; 2]) -> [f64; 2] {
    [m[0][0] * x[0] + m[0][1] * x[1], m[1][0] * x[0] + m[1][1] * x[1]]
}

#[differentiate]
#[differentiate(constant(x))]
fn constant_by_value(x: f64, y: f64) -> f64 {
    let z = x.exp();
    z * y * y
}

#[differentiate]
#[differentiate(companion = squared)]
fn other_companion(x: f64) -> f64 {
    x * x
}

/// A module of the function's name in the same scope: only another companion can be used then.
#[differentiate]
#[differentiate(companion = area_derivative)]
fn area(x: f64, y: f64) -> f64 {
    x * y
}

/// Takes the name `area` in the type namespace.
mod area {
    pub const NAME: &str = "area";
}

#[differentiate]
#[differentiate(reverse)]
fn only_reverse(x: f64, y: &[f64]) -> f64 {
    x * y[0]
}

#[differentiate]
#[differentiate(forward)]
fn only_forward(x: f64, y: &[f64]) -> f64 {
    x * y[0]
}

#[differentiate]
#[differentiate(forward, reverse)]
fn both_modes(x: f64) -> f64 {
    x * x
}

#[differentiate]
#[differentiate(constant(y), reverse, companion = everything_derivative)]
fn everything_at_once(x: f64, y: f64) -> f64 {
    x * x * y
}

/// Functions of every visibility, used from outside of their module.
mod visible {
    use cotangent::differentiate;

    #[differentiate]
    #[differentiate]
    pub(crate) fn in_the_crate(x: f64) -> f64 {
        x * x
    }

    #[differentiate]
    #[differentiate]
    pub(super) fn in_the_parent(x: f64) -> f64 {
        x * x
    }

    #[differentiate]
    #[differentiate]
    pub(in crate::attributes) fn in_a_module(x: f64) -> f64 {
        x * x
    }

    #[differentiate]
    #[differentiate]
    pub fn everywhere(x: f64) -> f64 {
        x * x
    }
}

checks! {
    constant_slice at (1.3, &[0.6, -0.4]);
    several_constants at (&[1.3, 0.6], &[-0.4, 2.0], 0.7);
    with_respect_to_one at (&[1.3, 0.6], &[-0.4, 2.0], 0.7);
    with_respect_to_two at (&[1.3, 0.6], &[-0.4, 2.0], 0.7);
    constant_and_mutated at (1.3, &mut [2, 5]);
    constant_float_place_mutated at (1.3, &mut [2.0, 5.0]);
    constant_float_place_in_a_loop at (1.3, &mut [2.0, 5.0]);
    constant_array at ([[1.3, 0.6], [-0.4, 2.0]], [0.1, 0.2]);
    constant_by_value at (1.3, 0.6);
    both_modes at (1.3);
}

#[test]
fn constants_have_no_cotangent() {
    let x_bar: f64 = constant_slice::gradient(1.3, &[0.6, -0.4]);
    assert!((x_bar - (0.6 * 0.78_f64.cos() - 0.4 * 0.52_f64.cos())).abs() < 1e-14);
    let x_bar: Vec<f64> = several_constants::gradient(&[1.3, 0.6], &[-0.4, 2.0], 0.7);
    assert_eq!(x_bar, [0.7 * 1.3, 0.6]);
    let (x_bar, scale_bar): (Vec<f64>, f64) =
        with_respect_to_two::gradient(&[1.3, 0.6], &[-0.4, 2.0], 0.7);
    assert_eq!((x_bar[1], scale_bar), (2.0 * 2.0 * 0.6, -0.4 * 1.3));
}

#[test]
fn a_companion_can_have_another_name() {
    assert_eq!(squared::gradient(1.3), 2.6);
    assert_eq!(area_derivative::gradient(1.3, 0.6), (0.6, 1.3));
    assert_eq!((area(2.0, 3.0), area::NAME), (6.0, "area"));
    assert_eq!(everything_derivative::gradient(1.5, 2.0), 6.0);
}

#[test]
fn one_mode_is_enough() {
    assert_eq!(only_reverse::gradient(1.3, &[0.6]), (0.6, vec![1.3]));
    let (value, pullback) = only_reverse::vjp(2.0, &[3.0]);
    let mut y_bar = [1.0];
    assert_eq!((value, pullback(&[3.0], &mut y_bar, 1.0), y_bar), (6.0, 3.0, [3.0]));
    assert_eq!(only_forward::jvp(2.0, 1.0, &[3.0], &[0.5]), (6.0, 4.0));
}

#[test]
fn companions_are_as_visible_as_their_functions() {
    assert_eq!(visible::in_the_crate::gradient(1.5), 3.0);
    assert_eq!(visible::in_the_parent::gradient(1.5), 3.0);
    assert_eq!(visible::in_a_module::gradient(1.5), 3.0);
    assert_eq!(visible::everywhere::gradient(1.5), 3.0);
}

#[test]
fn companions_of_local_functions() {
    #[differentiate]
    #[differentiate]
    fn local(x: f64) -> f64 {
        x * x
    }
    assert_eq!(local(1.5), 2.25);
    assert_eq!(local::gradient(1.5), 3.0);
    if local(2.0) > 1.0 {
        #[differentiate]
        #[differentiate]
        fn local(x: f64) -> f64 {
            4.0 * x
        }
        assert_eq!(local::gradient(1.5), 4.0);
        cotangent::check!(local(1.5)).unwrap();
    }
}
