//! One place that reaches a function several times: all its contributions meet in one shadow.

use cotangent::differentiate;

#[differentiate]
fn dot(x: &[f64], y: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i] * y[i];
    }
    sum
}

#[differentiate]
fn norm(x: &[f64]) -> f64 {
    dot(x, x)
}

#[differentiate]
fn norm_of_a_local(a: f64, b: f64) -> f64 {
    let x = [a, b, a];
    dot(&x, &x)
}

#[test]
fn the_same_slice_twice() {
    let x = [2.0, 3.0];
    assert_eq!(norm::gradient(&x), [4.0, 6.0]);
    assert_eq!(norm::jvp(&x, &[1.0, 10.0]), (13.0, 64.0));
    let mut x_bar = [100.0, 200.0];
    let (_, pullback) = norm::vjp(&x);
    let () = pullback(&x, &mut x_bar, 1.0);
    assert_eq!(x_bar, [104.0, 206.0], "shadows are added to");
    assert_eq!(norm_of_a_local::gradient(2.0, 3.0), (8.0, 6.0));
    assert_eq!(norm_of_a_local::jvp(2.0, 1.0, 3.0, 0.0), (17.0, 8.0));
}

#[test]
fn the_same_slice_twice_from_outside() {
    let x = [2.0, 3.0];
    assert_eq!(dot::gradient(&x, &x), (vec![2.0, 3.0], vec![2.0, 3.0]));
}

#[differentiate]
fn scale_by(factor: &f64, x: &[f64], y: f64) -> f64 {
    *factor * x[0] * y
}

#[differentiate]
fn whole_and_element(x: &[f64]) -> f64 {
    scale_by(&x[0], x, x[1]) + scale_by(&x[1], x, 1.0)
}

#[test]
fn a_slice_and_its_element() {
    assert_eq!(whole_and_element::gradient(&[2.0, 3.0]), [2.0 * 2.0 * 3.0 + 3.0, 4.0 + 2.0]);
    assert_eq!(whole_and_element::jvp(&[2.0, 3.0], &[1.0, 0.0]).1, 15.0);
    assert_eq!(whole_and_element::jvp(&[2.0, 3.0], &[0.0, 1.0]).1, 6.0);
}

#[differentiate]
fn three_times(a: &f64, b: &f64, c: &f64) -> f64 {
    *a * *b * *c
}

#[differentiate]
fn cubed(x: &f64) -> f64 {
    three_times(x, x, x)
}

#[differentiate]
fn cubed_by_value(x: f64) -> f64 {
    three_times(&x, &x, &x)
}

#[test]
fn a_number_three_times() {
    assert_eq!(cubed::gradient(&2.0), 12.0);
    assert_eq!(cubed::jvp(&2.0, &1.0), (8.0, 12.0));
    assert_eq!(cubed_by_value::gradient(2.0), 12.0);
}

#[differentiate(constant(y))]
fn half_constant(x: &[f64], y: &[f64]) -> f64 {
    x[0] * y[0]
}

#[differentiate]
fn once_active_once_constant(x: &[f64]) -> f64 {
    half_constant(x, x) + half_constant(x, &[3.0])
}

#[test]
fn a_constant_parameter_receives_the_place_too() {
    assert_eq!(once_active_once_constant::gradient(&[2.0]), [2.0 + 3.0]);
    assert_eq!(once_active_once_constant::jvp(&[2.0], &[1.0]), (10.0, 5.0));
}

#[differentiate]
fn shift(x: &mut [f64], by: &f64) {
    for i in 0..x.len() {
        x[i] *= *by;
    }
}

#[differentiate]
fn shifted_twice(x: &mut [f64], by: f64) -> f64 {
    shift(x, &by);
    let last = x[x.len() - 1];
    shift(x, &last);
    x[0]
}

#[test]
fn a_place_that_calls_change_in_turn() {
    let mut x = [2.0, 3.0];
    let (value, (x_bar, by_bar)) = shifted_twice::value_and_gradient(&mut x, 5.0);
    assert_eq!((value, x), (150.0, [2.0, 3.0]));
    assert_eq!((x_bar, by_bar), (vec![75.0, 50.0], 60.0));
}
