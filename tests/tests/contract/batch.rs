//! `jvp_batch`: several tangents at once; and the Jacobians and Hessians that come of it, in matrices that are kept.

use crate::tester::counter::allocations;
use cotangent::{Differentiable, Float, Matrix, differentiate, primitive, zero_adjoint};

use super::{at, energy};

#[test]
fn each_active_parameter_is_followed_by_an_array_of_tangents() {
    let batch: fn(
        f64,
        [f64; 2],
        &[f64],
        [&[f64]; 2],
        &mut [f64; 2],
        [&mut [f64; 2]; 2],
        usize,
    ) -> (f64, [f64; 2]) = energy::jvp_batch::<2>;
    let (w_dot, other) = ([1.0, -1.0, 2.0], [0.0, 2.0, 1.0]);
    let (mut s, mut s_dot, mut s_other) = (at::S, [1.0, 2.0], [3.0, -1.0]);
    let batched = batch(
        at::X,
        [1.0, 2.0],
        &at::W,
        [&w_dot, &other],
        &mut s,
        [&mut s_dot, &mut s_other],
        at::N,
    );
    for (lane, (x_dot, w_dot, mut along)) in
        [(1.0, w_dot, [1.0, 2.0]), (2.0, other, [3.0, -1.0])].into_iter().enumerate()
    {
        let mut alone = at::S;
        let (y, y_dot) = energy::jvp(at::X, x_dot, &at::W, &w_dot, &mut alone, &mut along, at::N);
        assert_eq!((batched.0, batched.1[lane]), (y, y_dot));
        assert_eq!((s, [s_dot, s_other][lane]), (alone, along));
    }
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

    fn moved(mut self, by: T) -> T {
        self.rest += by;
        self.rest * self.stiffness
    }

    #[differentiate(constant(self))]
    #[differentiate(constant(self))]
    fn forces(&self, x: &[T]) -> Vec<T> {
        let mut forces = x.to_vec();
        for i in 0..x.len() {
            forces[i] = self.stiffness * (x[i] - self.rest);
        }
        forces
    }
}

#[test]
fn methods_have_it_under_their_name() {
    let spring = Spring { stiffness: 3.0, rest: 1.0 };
    let [one, two] = [1.0, -2.0].map(|stiffness| SpringTangent { stiffness, rest: 0.5 });
    let (value, tangents) = spring.energy_jvp_batch([&one, &two], 3.0, [1.0, 0.0]);
    assert_eq!((value, tangents), (12.0, [10.0, -14.0]));
    assert_eq!(spring.energy_hessian(3.0)[(1, 2)], -6.0);
    assert_eq!(
        spring.forces_jacobian(&[1.0, 2.0]),
        Matrix::from_vec(2, 2, vec![3.0, 0.0, 0.0, 3.0])
    );
    let moved = spring.clone().moved_jvp_batch([one, two], 3.0, [1.0, 0.0]);
    assert_eq!(moved, (12.0, [8.5, -6.5]));
    assert_eq!(spring.clone().moved_gradient(3.0).1, 3.0, "`self` is left, and a part of it read");
}

#[primitive(partials(2.0 * x))]
fn square(x: f64) -> f64 {
    x * x
}

#[zero_adjoint]
fn bin(x: f64) -> usize {
    x as usize
}

/// Calls: a rule, what has no derivative, itself, a method, and a function that is given one.
#[differentiate]
fn calls(x: f64, w: &mut [f64]) -> f64 {
    let spring = Spring { stiffness: x, rest: w[bin(x)] };
    scale(w, square(x));
    power(x, 3) + spring.energy(x) + w[0] * w[1]
}

#[differentiate]
fn scale(w: &mut [f64], by: f64) {
    w.iter_mut().for_each(|w| *w *= by);
}

#[differentiate]
fn power(x: f64, n: usize) -> f64 {
    if n == 0 { 1.0 } else { x * power(x, n - 1) }
}

#[test]
fn what_has_no_form_for_several_runs_one_by_one() {
    let (mut w, mut w_dot, mut other) = ([2.0, 3.0], [1.0, 0.0], [0.0, 2.0]);
    let batched = calls::jvp_batch(1.5, [1.0, 0.0], &mut w, [&mut w_dot, &mut other]);
    for (lane, (x_dot, mut along)) in [(1.0, [1.0, 0.0]), (0.0, [0.0, 2.0])].into_iter().enumerate()
    {
        let mut alone = [2.0, 3.0];
        let (y, y_dot) = calls::jvp(1.5, x_dot, &mut alone, &mut along);
        assert_eq!((batched.0, batched.1[lane]), (y, y_dot));
        assert_eq!((w, [w_dot, other][lane]), (alone, along));
    }
}

/// As many outputs as inputs, without an allocation.
#[differentiate]
fn chain(x: &[f64; 6]) -> [f64; 6] {
    let mut y = *x;
    for i in 1..6 {
        y[i] = y[i - 1] * x[i] + 1.0;
    }
    y
}

/// Likewise of a slice.
#[differentiate]
fn sums(x: &[f64]) -> [f64; 3] {
    let mut y = [0.0; 3];
    for i in 0..x.len() {
        y[i % 3] += x[i] * x[i];
    }
    y
}

#[differentiate]
#[differentiate]
fn cubes(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i] * x[i] * x[(i + 1) % x.len()];
    }
    sum
}

#[test]
fn matrices_are_filled_in_their_memory() {
    let into: fn(&[f64; 6], &mut Matrix<f64>) = chain::jacobian_into;
    let (x, mut matrix) = ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], Matrix::default());
    into(&x, &mut matrix);
    assert_eq!(matrix, chain::jacobian(&x));
    let long: Vec<f64> = (0..30).map(f64::from).collect();
    for length in [30, 2, 7, 29] {
        // By rows, and by columns.
        sums::jacobian_into(&long[..length], &mut matrix);
        assert_eq!((matrix.rows(), matrix.columns()), (3, length));
        for column in 0..length {
            let expected = |row| if column % 3 == row { 2.0 * long[column] } else { 0.0 };
            (0..3).for_each(|row| assert_eq!(matrix[(row, column)], expected(row)));
        }
    }
    let hessian_into: fn(&[f64], &mut Matrix<f64>) = cubes::hessian_into;
    hessian_into(&long, &mut matrix);
    assert_eq!(matrix, cubes::hessian(&long));
    let before = allocations();
    chain::jacobian_into(&x, &mut matrix);
    sums::jacobian_into(&long, &mut matrix);
    sums::jacobian_into(&long[..7], &mut matrix);
    hessian_into(&long, &mut matrix);
    hessian_into(&long[..3], &mut matrix);
    assert_eq!(allocations(), before, "nothing is allocated");
}

fn wide_jvp(_: &[f64], _: &[f64]) -> (Vec<f64>, Vec<f64>) {
    unreachable!("rows are few")
}

fn wide_vjp(x: &[f64]) -> (Vec<f64>, impl FnOnce(&[f64], &mut [f64], Vec<f64>) + use<>) {
    (vec![x.iter().sum()], |_: &[f64], x_bar: &mut [f64], y_bar: Vec<f64>| {
        x_bar.iter_mut().for_each(|x_bar| *x_bar += y_bar[0]);
    })
}

#[primitive(jvp = wide_jvp, vjp = wide_vjp)]
fn wide(x: &[f64]) -> Vec<f64> {
    vec![x.iter().sum()]
}

fn tall_jvp(x: &[f64], x_dot: &[f64]) -> (Vec<f64>, Vec<f64>) {
    (tall(x), tall(x_dot))
}

fn tall_vjp(x: &[f64]) -> (Vec<f64>, impl FnOnce(&[f64], &mut [f64], Vec<f64>) + use<>) {
    (tall(x), |_: &[f64], _: &mut [f64], _: Vec<f64>| unreachable!("rows are many"))
}

#[primitive(jvp = tall_jvp, vjp = tall_vjp)]
fn tall(x: &[f64]) -> Vec<f64> {
    [x, x, x].concat()
}

#[test]
fn the_shape_chooses_the_mode() {
    assert_eq!(wide::jacobian(&[0.0; 9]), Matrix::from_vec(1, 9, vec![1.0; 9]));
    let tall = tall::jacobian(&[0.0; 9]);
    assert_eq!((tall.rows(), tall.columns(), tall[(10, 1)], tall[(10, 2)]), (27, 9, 1.0, 0.0));
}
