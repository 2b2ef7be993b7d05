//! The solvers of linear systems, against systems whose solutions and conditions are known.

use alloc::vec::Vec;

use super::dense::Dense;
use super::krylov::{conjugate_gradients, gmres, norm};

/// A matrix by its entries.
fn matrix(n: usize, entry: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    (0..n * n).map(|at| entry(at / n, at % n)).collect()
}

fn product(a: &[f64], x: &[f64]) -> Vec<f64> {
    a.chunks_exact(x.len()).map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum()).collect()
}

#[track_caller]
fn assert_near(x: &[f64], expected: impl Fn(usize) -> f64, tolerance: f64) {
    for (i, x) in x.iter().enumerate() {
        assert!((x - expected(i)).abs() <= tolerance, "entry {i}: {x} and {}", expected(i));
    }
}

#[test]
fn factors_solve_with_both_forms_whatever_the_units() {
    let units = [1e-100, 1.0, 1e80];
    let plain = [[2.0, 1.0, -1.0], [0.5, 3.0, 1.0], [-1.0, 0.25, 4.0]];
    let a = matrix(3, |i, j| plain[i][j] * units[i] * units[2 - j]);
    let dense = Dense::of(a, 3).unwrap();
    assert!(dense.condition() < 100.0, "{}", dense.condition());
    // The solutions are 1, 2, 3 in units.
    let mut side: Vec<f64> = (0..3)
        .map(|i| units[i] * (0..3).map(|j| plain[i][j] * (j + 1) as f64).sum::<f64>())
        .collect();
    dense.solve(&mut side);
    (0..3).for_each(|j| assert!((side[j] * units[2 - j] - (j + 1) as f64).abs() < 1e-14));
    let mut side: Vec<f64> = (0..3)
        .map(|j| units[2 - j] * (0..3).map(|i| plain[i][j] * (i + 1) as f64).sum::<f64>())
        .collect();
    dense.solve_transposed(&mut side);
    (0..3).for_each(|i| assert!((side[i] * units[i] - (i + 1) as f64).abs() < 1e-14));
}

#[test]
fn the_condition_is_near_that_of_known_matrices() {
    // The norms of the matrix and of its inverse are 2 + d and (2 + d) / d.
    let d = 1e-8;
    let near = Dense::of(alloc::vec![1.0, 1.0, 1.0, 1.0 + d], 2).unwrap().condition();
    assert!((near / (4.0 / d) - 1.0).abs() < 1e-6, "{near}");
    let singular = Dense::of(alloc::vec![1.0, 2.0, 2.0, 4.0], 2).unwrap().condition();
    assert!(singular.is_infinite());
    let zero = Dense::of(alloc::vec![0.0; 4], 2).unwrap().condition();
    assert!(zero.is_infinite());
    // Hilbert's matrix of order six has the condition 2.9e7 in the norm of sums of columns, before scaling.
    let hilbert = Dense::of(matrix(6, |i, j| 1.0 / (i + j + 1) as f64), 6).unwrap().condition();
    assert!((1e6..1e8).contains(&hilbert), "{hilbert}");
}

#[test]
fn what_is_not_finite_has_no_factors() {
    assert!(Dense::of(alloc::vec![f64::NAN], 1).is_none());
    assert!(Dense::of(alloc::vec![1.0, f64::INFINITY, 0.0, 1.0], 2).is_none());
}

/// A convection and diffusion matrix.
fn convection(n: usize, diagonal: f64, drift: f64) -> impl Fn(&[f64]) -> Vec<f64> {
    move |x| {
        let at = |i: usize| x.get(i).copied().unwrap_or(0.0);
        let left = |i: usize| if i > 0 { x[i - 1] } else { 0.0 };
        (0..n)
            .map(|i| diagonal * x[i] - (1.0 + drift) * left(i) - (1.0 - drift) * at(i + 1))
            .collect()
    }
}

#[test]
fn gmres_solves_with_and_without_restarts() {
    for (n, diagonal, drift) in [(210, 2.5, 0.2), (420, 2.001, 0.01)] {
        let mut apply = convection(n, diagonal, drift);
        let solution = |i: usize| (i as f64 * 0.05).sin();
        let side = apply(&(0..n).map(solution).collect::<Vec<_>>());
        let x = gmres(&mut apply, &side).unwrap();
        assert_near(&x, solution, 1e-9);
    }
}

#[test]
fn gmres_stops_where_the_space_ends() {
    // Three eigenvalues: three products span the space.
    let mut apply = |x: &[f64]| -> Vec<f64> {
        x.iter().enumerate().map(|(i, x)| x * [1.0, -2.0, 5.0][i % 3]).collect()
    };
    let x = gmres(&mut apply, &[1.0; 210]).unwrap();
    assert_near(&x, |i| [1.0, -0.5, 0.2][i % 3], 1e-14);
}

#[test]
fn gmres_does_not_solve_a_singular_system() {
    let mut apply = |x: &[f64]| -> Vec<f64> { x.iter().skip(1).chain([&0.0]).copied().collect() };
    assert!(gmres(&mut apply, &[1.0; 210]).is_err());
}

#[test]
fn conjugate_gradients_need_a_positive_matrix() {
    let n = 210;
    let a = matrix(n, |i, j| match i.abs_diff(j) {
        0 => 2.5,
        1 => -1.0,
        _ => 0.0,
    });
    let solution = |i: usize| (i as f64 * 0.1).cos();
    let side = product(&a, &(0..n).map(solution).collect::<Vec<_>>());
    let x = conjugate_gradients(&mut |x: &[f64]| product(&a, x), &side).unwrap();
    assert_near(&x, solution, 1e-13);
    let mut indefinite = |x: &[f64]| -> Vec<f64> { x.iter().map(|x| -x).collect() };
    assert!(conjugate_gradients(&mut indefinite, &side).is_none());
}

#[test]
fn norms_do_not_overflow() {
    assert!((norm(&[3e200, 4e200]) / 5e200 - 1.0).abs() < 1e-15);
    assert_eq!(norm::<f64>(&[]), 0.0);
    assert!(norm(&[f64::NAN, 1.0]).is_nan());
}
