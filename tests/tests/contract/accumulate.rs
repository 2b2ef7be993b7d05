//! `accumulate_gradient`: shadows behind references are added to; cotangents of values are returned.

use super::{at, energy};
use cotangent::{Differentiable, differentiate};
use std::cell::RefCell;
use std::rc::Rc;

#[test]
fn a_shadow_follows_each_active_reference() {
    type Accumulate =
        fn(f64, &[f64], &mut [f64], &mut [f64; 2], &mut [f64; 2], usize) -> (f64, f64);
    let accumulate: Accumulate = energy::accumulate_gradient;
    let (mut s, mut w_bar, mut s_bar) = (at::S, [0.0; 3], [0.0; 2]);
    let (value, x_bar) = accumulate(at::X, &at::W, &mut w_bar, &mut s, &mut s_bar, at::N);
    assert_eq!(value, at::VALUE);
    assert_eq!((x_bar, w_bar, s_bar), at::GRADIENT);
    assert_eq!(s, at::S, "the arguments are as they were");
}

#[differentiate]
fn product(x: &f64, y: &[f64; 2], z: &[f64]) -> f64 {
    *x * y[0] * z[1]
}

#[test]
fn shadows_are_added_to() {
    let (mut x_bar, mut y_bar, mut z_bar) = (100.0, [200.0, 300.0], [400.0, 500.0]);
    for _ in 0..2 {
        let (value, ()): (f64, ()) = product::accumulate_gradient(
            &2.0,
            &mut x_bar,
            &[3.0, 1.0],
            &mut y_bar,
            &[1.0, 5.0],
            &mut z_bar,
        );
        assert_eq!(value, 30.0);
    }
    assert_eq!((x_bar, y_bar, z_bar), (130.0, [220.0, 300.0], [400.0, 512.0]));
}

/// The shadow of a `&mut` place is added to like any other, although the function changes the place: the
/// cotangent of what it leaves there is the pullback's business, and here it is zero.
#[test]
fn the_shadow_of_a_changed_place_is_added_to() {
    let (mut s, mut w_bar, mut s_bar) = (at::S, [1.0; 3], [10.0, 20.0]);
    let (value, x_bar) =
        energy::accumulate_gradient(at::X, &at::W, &mut w_bar, &mut s, &mut s_bar, at::N);
    assert_eq!((value, x_bar), (at::VALUE, 66.0));
    assert_eq!((w_bar, s_bar), ([17.0, 17.0, 1.0], [18.0, 37.0]));
}

#[differentiate]
fn overwritten(x: f64, place: &mut f64) -> f64 {
    let before = *place;
    *place = 3.0 * x;
    before * x
}

#[test]
fn the_shadow_of_an_overwritten_place_is_added_to() {
    let (mut place, mut place_bar) = (5.0, 7.0);
    let (value, x_bar) = overwritten::accumulate_gradient(2.0, &mut place, &mut place_bar);
    assert_eq!((value, x_bar), (10.0, 5.0));
    assert_eq!((place, place_bar), (5.0, 2.0 + 7.0));
}

#[differentiate]
fn several(x: f64, a: [f64; 2], y: f64) -> f64 {
    x * a[0] + y * a[1]
}

#[differentiate]
fn none(w: &[f64], n: usize) -> f64 {
    w[n] * w[n]
}

#[test]
fn cotangents_by_value_are_bare_a_tuple_or_the_unit() {
    let one: fn(f64, &[f64], &mut [f64], &mut [f64; 2], &mut [f64; 2], usize) -> (f64, f64) =
        energy::accumulate_gradient;
    let three: fn(f64, [f64; 2], f64) -> (f64, (f64, [f64; 2], f64)) = several::accumulate_gradient;
    let zero: fn(&[f64], &mut [f64], usize) -> (f64, ()) = none::accumulate_gradient;
    assert_eq!(one(1.0, &[], &mut [], &mut [1.0, 1.0], &mut [0.0; 2], 0), (1.0, 1.0));
    assert_eq!(three(2.0, [3.0, 4.0], 5.0), (26.0, (3.0, [2.0, 5.0], 4.0)));
    let mut w_bar = [0.0; 2];
    assert_eq!((zero(&[1.0, 3.0], &mut w_bar, 1), w_bar), ((9.0, ()), [0.0, 6.0]));
}

#[differentiate]
fn from_a_vector(v: &Vec<f64>, w: &mut Vec<f64>) -> f64 {
    w[0] *= v[1];
    w[0] * v[0]
}

#[test]
fn the_shadow_of_a_vector_is_a_vector() {
    let accumulate: fn(&Vec<f64>, &mut Vec<f64>, &mut Vec<f64>, &mut Vec<f64>) -> (f64, ()) =
        from_a_vector::accumulate_gradient;
    let (v, mut w) = (vec![2.0, 3.0], vec![5.0]);
    let (mut v_bar, mut w_bar) = (vec![1.0, 1.0], vec![0.0]);
    assert_eq!(accumulate(&v, &mut v_bar, &mut w, &mut w_bar), (30.0, ()));
    assert_eq!((v_bar, w_bar, w), (vec![16.0, 11.0], vec![6.0], vec![5.0]));
}

#[differentiate]
trait Relaxing {
    fn rest(&self) -> f64;

    fn relax(&mut self, rate: f64);

    /// A parameter has the name that derivative code might give to something of its own.
    fn relaxed(&mut self, value: &f64, rate: f64) -> f64 {
        self.relax(rate);
        self.rest() * rate * *value
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Spring {
    rest: f64,
}

#[differentiate]
impl Relaxing for Spring {
    fn rest(&self) -> f64 {
        self.rest
    }

    fn relax(&mut self, rate: f64) {
        self.rest *= rate;
    }
}

/// What a shadow holds of a place that is written is no cotangent of what is left there.
#[test]
fn bodies_of_traits_add_to_shadows_of_places_that_they_write() {
    let mut spring = Spring { rest: 2.0 };
    let mut spring_bar = SpringTangent { rest: 100.0 };
    let mut value_bar = 10.0;
    let (value, rate_bar) =
        spring.relaxed_accumulate_gradient(&mut spring_bar, &3.0, &mut value_bar, 0.5);
    assert_eq!((value, rate_bar), (1.5, 6.0));
    assert_eq!((spring_bar.rest, value_bar), (100.75, 10.5));
    assert_eq!(spring.rest, 2.0);
}

#[differentiate]
fn beside_a_cell(value: &RefCell<f64>, pullback: &Option<f64>, x: f64) -> f64 {
    *value.borrow_mut() *= x;
    let v = *value.borrow();
    match pullback {
        Some(w) => v * w,
        None => v,
    }
}

#[test]
fn zeros_without_shape_take_one_beside_cells() {
    let (cell, mut cell_bar) = (RefCell::new(2.0), Rc::new(RefCell::new(5.0)));
    let mut option_bar = None;
    let (value, x_bar) =
        beside_a_cell::accumulate_gradient(&cell, &mut cell_bar, &Some(3.0), &mut option_bar, 0.5);
    assert_eq!((value, x_bar), (3.0, 6.0));
    assert_eq!((*cell_bar.borrow(), option_bar), (6.5, Some(1.0)));
}

#[differentiate]
fn applied<F: Fn(f64) -> f64>(f: F, cell: &RefCell<f64>, x: f64) -> f64 {
    let v = *cell.borrow();
    *cell.borrow_mut() = f(v) * x;
    let w = *cell.borrow();
    w * w
}

#[differentiate]
fn functions_beside_cells(cell: &RefCell<f64>, x: f64) -> f64 {
    applied(|v: f64| v.sin() * x, cell, x)
}

#[test]
fn functions_are_taken_beside_cells() {
    cotangent::check!(functions_beside_cells(&RefCell::new(0.3), 0.9)).unwrap();
    let sine = cotangent::function!(|v: f64| v.sin());
    let (cell_bar, x_bar) = applied::gradient(sine, &RefCell::new(0.3), 0.9);
    let (sin, cos) = 0.3_f64.sin_cos();
    assert!((*cell_bar.borrow() - 2.0 * sin * cos * 0.81).abs() < 1e-15);
    assert!((x_bar - 2.0 * sin * sin * 0.9).abs() < 1e-15);
}
