//! Cells that several handles lead to: one shadow for one cell, however it is reached, at any order.
//!
//! The oracle is central differences of the function, and of its gradient, on cells that are shared in the same shape.

use cotangent::{Differentiable, Matrix, Sharing, Tangent, differentiate};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

type Handle = Rc<RefCell<f64>>;

fn handle(value: f64) -> Handle {
    Rc::new(RefCell::new(value))
}

#[track_caller]
fn assert_slope(found: f64, f: impl Fn(f64) -> f64, at: f64) {
    let step = 1e-5;
    let expected = (f(at + step) - f(at - step)) / (2.0 * step);
    let allowed = 1e-7 * (1.0 + expected.abs());
    assert!((found - expected).abs() < allowed, "{found} is not {expected}");
}

/// Written through one handle, read through the other.
#[differentiate]
#[differentiate]
fn exchange(a: &Rc<RefCell<f64>>, b: &Rc<RefCell<f64>>) -> f64 {
    let x = *b.borrow();
    *a.borrow_mut() *= 2.0 * x;
    let y = *b.borrow();
    *a.borrow_mut() += y.sin();
    let z = *b.borrow();
    z * y + x
}

#[test]
fn two_handles_to_one_cell() {
    let (a, at) = (handle(0.7), 0.7);
    let b = Rc::clone(&a);
    let shared = |x| {
        let a = handle(x);
        exchange(&a, &Rc::clone(&a))
    };
    let (a_bar, b_bar) = exchange::gradient(&a, &b);
    assert!(Rc::ptr_eq(&a_bar, &b_bar), "one cell, one shadow");
    assert_slope(*a_bar.borrow(), shared, at);
    assert_eq!(*a.borrow(), at, "what was written is undone");
}

#[test]
fn handles_to_different_cells() {
    let (a_bar, b_bar) = exchange::gradient(&handle(0.7), &handle(0.4));
    assert!(!Rc::ptr_eq(&a_bar, &b_bar));
    assert_slope(*a_bar.borrow(), |x| exchange(&handle(x), &handle(0.4)), 0.7);
    assert_slope(*b_bar.borrow(), |y| exchange(&handle(0.7), &handle(y)), 0.4);
}

#[test]
fn shadows_that_are_given_apart_become_one() {
    let a = handle(0.7);
    let b = Rc::clone(&a);
    let (mut a_bar, mut b_bar) = (handle(0.0), handle(0.0));
    let (_, pullback) = exchange::vjp(&a, &b);
    let () = pullback(&a, &mut a_bar, &b, &mut b_bar, 1.0);
    assert!(Rc::ptr_eq(&a_bar, &b_bar));
    assert_eq!(a_bar, exchange::gradient(&a, &b).0);
}

#[test]
fn gradients_are_added_to_shadows() {
    let a = handle(0.7);
    let b = Rc::clone(&a);
    let (mut a_bar, mut b_bar) = (handle(10.0), handle(20.0));
    let (_, ()) = exchange::accumulate_gradient(&a, &mut a_bar, &b, &mut b_bar);
    let gradient = *exchange::gradient(&a, &b).0.borrow();
    assert_eq!(*a_bar.borrow(), 30.0 + gradient);
    assert!(Rc::ptr_eq(&a_bar, &b_bar));
}

#[test]
fn tangents_of_one_cell() {
    let a = handle(0.7);
    let b = Rc::clone(&a);
    let (mut a_dot, mut b_dot) = (a.zero_tangent(), b.zero_tangent());
    let _ = Sharing::new().join(&a, &mut a_dot).join(&b, &mut b_dot);
    *a_dot.borrow_mut() = 1.0;
    let (_, slope) = exchange::jvp(&a, &a_dot, &b, &b_dot);
    let shared = |x| {
        let a = handle(x);
        exchange(&a, &Rc::clone(&a))
    };
    assert_slope(slope, shared, 0.7);
}

#[test]
#[should_panic(expected = "two tangents were given for one cell")]
fn two_tangents_of_one_cell() {
    let a = handle(0.7);
    let _ = exchange::jvp(&a, &handle(1.0), &Rc::clone(&a), &handle(1.0));
}

#[differentiate]
#[differentiate]
fn bump(cell: &RefCell<f64>, k: f64) {
    *cell.borrow_mut() += k * k;
}

/// Calls and branches between writes by either handle.
#[differentiate]
#[differentiate]
fn driven(a: &Rc<RefCell<f64>>, b: &Rc<RefCell<f64>>, k: f64) -> f64 {
    let mut sum = 0.0;
    for _ in 0..3 {
        bump(a, k);
        let v = *b.borrow();
        *a.borrow_mut() = v * v * 0.1;
        if v > 1.0 {
            bump(b, v);
        }
        sum += *a.borrow();
    }
    sum
}

#[test]
fn calls_write_through_handles() {
    let shared = |x, k| {
        let a = handle(x);
        driven(&a, &Rc::clone(&a), k)
    };
    let a = handle(1.3);
    let (a_bar, _, k_bar) = driven::gradient(&a, &Rc::clone(&a), 0.8);
    assert_slope(*a_bar.borrow(), |x| shared(x, 0.8), 1.3);
    assert_slope(k_bar, |k| shared(1.3, k), 0.8);
    assert_eq!(*a.borrow(), 1.3);
}

#[differentiate]
#[differentiate]
fn both(a: &RefCell<f64>, b: &RefCell<f64>) -> f64 {
    *a.borrow_mut() *= 3.0;
    let v = *b.borrow();
    v * v
}

#[differentiate]
#[differentiate]
fn twice(a: &Rc<RefCell<f64>>) -> f64 {
    both(a, a) + *a.borrow()
}

#[test]
fn one_handle_is_passed_twice() {
    let a_bar = twice::gradient(&handle(0.5));
    assert_eq!(*a_bar.borrow(), 2.0 * 9.0 * 0.5 + 3.0);
}

#[differentiate]
#[differentiate]
fn names(a: &Rc<RefCell<f64>>, x: f64) -> f64 {
    let first = Rc::clone(a);
    let second = a.clone();
    *first.borrow_mut() = x * x;
    let v = *second.borrow();
    *second.borrow_mut() += v.sin();
    let w = *a.borrow();
    v * w
}

#[test]
fn handles_with_names() {
    let (a_bar, x_bar) = names::gradient(&handle(0.5), 1.2);
    assert_eq!(*a_bar.borrow(), 0.0);
    assert_slope(x_bar, |x| names(&handle(0.5), x), 1.2);
}

#[differentiate]
#[differentiate]
fn squares(cells: &[Rc<RefCell<f64>>]) -> f64 {
    let mut sum = 0.0;
    for cell in cells {
        let v = *cell.borrow();
        *cell.borrow_mut() = v * v;
        sum += v;
    }
    for i in 0..cells.len() {
        sum += *cells[i].borrow();
    }
    sum
}

#[test]
fn a_cell_twice_in_a_slice() {
    let cells = |x: f64, y: f64| {
        let first = handle(x);
        [Rc::clone(&first), handle(y), first]
    };
    let bars = squares::gradient(&cells(0.6, 0.5));
    assert!(Rc::ptr_eq(&bars[0], &bars[2]));
    assert_slope(*bars[0].borrow(), |x| squares(&cells(x, 0.5)), 0.6);
    assert_slope(*bars[1].borrow(), |y| squares(&cells(0.6, y)), 0.5);
}

#[differentiate]
#[differentiate]
fn same(a: &Cell<f64>, b: &Cell<f64>) -> f64 {
    a.set(a.get() * b.get());
    let v = b.get();
    b.set(v.sin());
    a.get() * v
}

#[test]
fn one_cell_behind_two_references() {
    let cell = Cell::new(0.3);
    let (a_bar, b_bar) = same::gradient(&cell, &cell);
    assert!(Rc::ptr_eq(&a_bar, &b_bar));
    let shared = |x| {
        let cell = Cell::new(x);
        same(&cell, &cell)
    };
    assert_slope(a_bar.get(), shared, 0.3);
    assert_eq!(cell.get(), 0.3);
}

/// Two bodies that a spring holds together: its force is a cell of both.
#[derive(Debug, Differentiable)]
struct Body {
    position: Cell<f64>,
    force: Rc<RefCell<f64>>,
    mass: f64,
}

#[derive(Debug, Differentiable)]
struct Pair {
    left: Body,
    right: Body,
    stiffness: f64,
}

#[differentiate]
#[differentiate]
impl Body {
    fn step(&self, direction: f64, dt: f64) {
        let force = *self.force.borrow();
        self.position.set(self.position.get() + direction * dt * force / self.mass);
    }
}

#[differentiate]
#[differentiate]
fn pull(pair: &Pair, dt: f64) {
    let distance = pair.right.position.get() - pair.left.position.get();
    *pair.left.force.borrow_mut() = pair.stiffness * distance;
    pair.left.step(1.0, dt);
    pair.right.step(-1.0, dt);
}

#[differentiate(shared)]
#[differentiate]
fn distance_after(pair: &Pair, steps: usize, dt: f64) -> f64 {
    for _ in 0..steps {
        pull(pair, dt);
    }
    distance(pair)
}

#[differentiate]
#[differentiate]
fn distance(pair: &Pair) -> f64 {
    pair.right.position.get() - pair.left.position.get()
}

fn pair(left: f64, mass: f64, stiffness: f64) -> Pair {
    let force = handle(0.0);
    Pair {
        left: Body { position: Cell::new(left), force: Rc::clone(&force), mass },
        right: Body { position: Cell::new(2.0), force, mass: 3.0 },
        stiffness,
    }
}

#[test]
fn handles_in_structs() {
    let of = |left, mass, stiffness| distance_after(&pair(left, mass, stiffness), 4, 0.1);
    let (bar, _) = distance_after::gradient(&pair(0.5, 1.5, 2.0), 4, 0.1);
    assert!(Rc::ptr_eq(&bar.left.force, &bar.right.force));
    assert_slope(bar.left.position.get(), |left| of(left, 1.5, 2.0), 0.5);
    assert_slope(bar.left.mass, |mass| of(0.5, mass, 2.0), 1.5);
    assert_slope(bar.stiffness, |stiffness| of(0.5, 1.5, stiffness), 2.0);
    assert_eq!(*bar.left.force.borrow(), 0.0, "it is overwritten before it is read");
}

#[test]
fn tangents_of_handles_add_once() {
    let (mut sum, other) = (handle(1.0), handle(2.0));
    sum.accumulate(Rc::clone(&other));
    assert_eq!(*sum.borrow(), 3.0);
    let itself = Rc::clone(&sum);
    sum.accumulate(itself);
    assert_eq!(*sum.borrow(), 3.0);
}

/// Asserts that a matrix is the one whose columns are the slopes of a gradient along each coordinate.
#[track_caller]
fn assert_hessian(
    found: impl Fn(usize, usize) -> f64,
    gradient: impl Fn(&[f64]) -> Vec<f64>,
    at: &[f64],
) {
    for column in 0..at.len() {
        for row in 0..at.len() {
            let along = |x| {
                let mut moved = at.to_vec();
                moved[column] = x;
                gradient(&moved)[row]
            };
            assert_slope(found(row, column), along, at[column]);
        }
    }
}

#[test]
fn hessians_of_handles_to_different_cells() {
    let gradient = |x: &[f64]| {
        let (a_bar, b_bar) = exchange::gradient(&handle(x[0]), &handle(x[1]));
        vec![*a_bar.borrow(), *b_bar.borrow()]
    };
    let hessian = exchange::hessian(&handle(0.7), &handle(0.4));
    assert_hessian(|row, column| hessian[(row, column)], gradient, &[0.7, 0.4]);
}

/// Each handle has a row and a column, and those of one cell are the same.
#[test]
fn hessians_of_handles_to_one_cell() {
    let a = handle(0.7);
    let hessian = exchange::hessian(&a, &Rc::clone(&a));
    let slope = |x| {
        let a = handle(x);
        *exchange::gradient(&a, &Rc::clone(&a)).0.borrow()
    };
    assert_slope(hessian[(0, 0)], slope, 0.7);
    assert_eq!([hessian[(0, 1)], hessian[(1, 0)], hessian[(1, 1)]], [hessian[(0, 0)]; 3]);
    assert_eq!(*a.borrow(), 0.7, "what was written is undone");
}

#[test]
fn hessians_by_way_of_calls_and_branches() {
    let a = handle(1.3);
    let (_, (a_bar, _, _), hessian) = driven::value_gradient_and_hessian(&a, &Rc::clone(&a), 0.8);
    let gradient = |x: &[f64]| {
        let a = handle(x[0]);
        let (a_bar, _, k_bar) = driven::gradient(&a, &Rc::clone(&a), x[1]);
        vec![*a_bar.borrow(), k_bar]
    };
    assert_eq!(*a_bar.borrow(), gradient(&[1.3, 0.8])[0]);
    assert_hessian(|row, column| hessian[(2 * row, 2 * column)], gradient, &[1.3, 0.8]);
}

#[test]
fn a_cell_twice_in_a_slice_has_two_rows() {
    let cells = |x: f64, y: f64| {
        let first = handle(x);
        [Rc::clone(&first), handle(y), first]
    };
    let hessian = squares::hessian(&cells(0.6, 0.5));
    let gradient = |x: &[f64]| {
        let bars = squares::gradient(&cells(x[0], x[1]));
        vec![*bars[0].borrow(), *bars[1].borrow()]
    };
    assert_hessian(|row, column| hessian[(row, column)], gradient, &[0.6, 0.5]);
    assert_eq!(hessian[(2, 0)], hessian[(0, 0)]);
    assert_eq!(hessian[(1, 2)], hessian[(1, 0)]);
}

#[test]
fn products_along_tangents_that_share() {
    let a = handle(0.7);
    let b = Rc::clone(&a);
    let (mut a_dot, mut b_dot) = (a.zero_tangent(), b.zero_tangent());
    let _ = Sharing::new().join(&a, &mut a_dot).join(&b, &mut b_dot);
    *a_dot.borrow_mut() = 2.0;
    let (product, again) = exchange::hvp(&a, &a_dot, &b, &b_dot);
    assert!(Rc::ptr_eq(&product, &again));
    assert_eq!(*product.borrow(), 2.0 * exchange::hessian(&a, &b)[(0, 0)]);
    assert_eq!(*a_dot.borrow(), 2.0, "the direction is what it was");
}

#[test]
#[should_panic(expected = "two tangents were given for one cell")]
fn products_along_two_tangents_of_one_cell() {
    let a = handle(0.7);
    let _ = exchange::hvp(&a, &handle(1.0), &Rc::clone(&a), &handle(1.0));
}

#[test]
fn hessians_of_one_cell_behind_two_references() {
    let cell = Cell::new(0.3);
    let hessian = same::hessian(&cell, &cell);
    let slope = |x| {
        let cell = Cell::new(x);
        same::gradient(&cell, &cell).0.get()
    };
    assert_slope(hessian[(0, 1)], slope, 0.3);
}

#[test]
fn products_of_handles_in_structs() {
    let at = pair(0.5, 1.5, 2.0);
    let mut along = at.zero_tangent();
    let _ = Sharing::new().join(&at, &mut along);
    along.left.mass = 1.0;
    let (product, _) = distance_after::hvp(&at, &along, 4, 0.1, 0.0);
    let gradient = |mass| distance_after::gradient(&pair(0.5, mass, 2.0), 4, 0.1).0;
    assert_slope(product.stiffness, |mass| gradient(mass).stiffness, 1.5);
    assert_slope(product.left.mass, |mass| gradient(mass).left.mass, 1.5);
    assert_slope(product.left.position.get(), |mass| gradient(mass).left.position.get(), 1.5);
}

#[differentiate]
fn scaled(cells: &RefCell<[f64; 2]>) -> [f64; 2] {
    cells.borrow_mut()[0] *= 2.0;
    cells.borrow_mut()[1] *= 3.0;
    let (a, b) = (cells.borrow()[0], cells.borrow()[1]);
    [a * b, a + b]
}

/// Between the columns of a Jacobian, what the function wrote is put back.
#[test]
fn jacobians_begin_afresh() {
    let cells = RefCell::new([1.0, 2.0]);
    let jacobian = scaled::jacobian(&cells);
    assert_eq!(jacobian, Matrix::from_vec(2, 2, vec![12.0, 6.0, 2.0, 3.0]));
    assert_eq!(*cells.borrow(), [1.0, 2.0]);
}
