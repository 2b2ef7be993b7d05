//! Discretised equations: their sparse derivatives are equal to the dense ones.

use super::{arrow, mesh};
use cotangent::differentiate;
use cotangent::sparse::{
    ColumnPlan, HessianPlan, JacobianPlan, Pattern, RowPlan, Triplets, Workspace,
};

/// Bratu's equation, `Δu + λ exp u = 0`, on a square with zeros around it: five points for each equation.
#[differentiate(constant(lambda))]
fn bratu(u: &[f64], side: usize, lambda: f64) -> Vec<f64> {
    let h = 1.0 / (side as f64 + 1.0);
    let mut r = vec![0.0; u.len()];
    for y in 0..side {
        for x in 0..side {
            let at = y * side + x;
            let mut laplacian = -4.0 * u[at];
            if x > 0 {
                laplacian += u[at - 1];
            }
            if x + 1 < side {
                laplacian += u[at + 1];
            }
            if y > 0 {
                laplacian += u[at - side];
            }
            if y + 1 < side {
                laplacian += u[at + side];
            }
            r[at] = laplacian / (h * h) + lambda * u[at].exp();
        }
    }
    r
}

/// An upwind step of Burgers' equation on a ring: where the wind comes from is a branch.
#[differentiate(constant(c))]
fn burgers(u: &[f64], next: &mut [f64], c: f64) {
    let n = u.len();
    for i in 0..n {
        let (left, right) = (u[(i + n - 1) % n], u[(i + 1) % n]);
        let slope = if u[i] > 0.0 { u[i] - left } else { right - u[i] };
        next[i] = u[i] - c * u[i] * slope;
    }
}

/// The gradient of the extended Rosenbrock function.
#[differentiate]
fn rosenbrock_slope(x: &[f64]) -> Vec<f64> {
    let mut slope = vec![0.0; x.len()];
    for i in 0..x.len() - 1 {
        let rest = x[i + 1] - x[i] * x[i];
        slope[i] += -400.0 * rest * x[i] - 2.0 * (1.0 - x[i]);
        slope[i + 1] += 200.0 * rest;
    }
    slope
}

/// The energy of a chain whose ends are held, with a load at each mass.
#[differentiate]
#[differentiate]
fn chain(x: &[f64]) -> f64 {
    let mut energy = 0.0;
    let mut last = 0.0;
    for x in x {
        let stretch = (1.0 + (*x - last) * (*x - last)).sqrt() - 1.0;
        energy += 0.5 * stretch * stretch + x.cos();
        last = *x;
    }
    energy
}

/// Numbers that have no pattern.
fn point(length: usize) -> Vec<f64> {
    (1..=length).map(|i| (i as f64 * 1.7).sin()).collect()
}

#[test]
fn the_jacobian_of_bratu_is_that_by_columns_and_by_rows() {
    let (side, lambda) = (7, 3.0);
    let u = point(side * side);
    let mut dense = Triplets::zeros(mesh::<2>(side, false)).to_dense();
    for column in 0..u.len() {
        let mut u_dot = vec![0.0; u.len()];
        u_dot[column] = 1.0;
        let (_, r_dot) = bratu::jvp(&u, &u_dot, side, lambda);
        (0..u.len()).for_each(|row| dense[(row, column)] = r_dot[row]);
    }
    let jvp = |u_dot: &[f64]| bratu::jvp(&u, u_dot, side, lambda).1;
    let vjp = |r_bar: &[f64]| {
        let (_, pullback) = bratu::vjp(&u, side, lambda);
        let mut u_bar = vec![0.0; u.len()];
        pullback(&u, &mut u_bar, r_bar.to_vec());
        u_bar
    };
    let pattern = mesh::<2>(side, false);
    let plan = ColumnPlan::new(&pattern);
    assert!(plan.colours() <= 7);
    assert_eq!(plan.evaluate(jvp).to_dense(), dense);
    assert_eq!(RowPlan::new(&pattern).evaluate(vjp).to_dense(), dense);
    assert_eq!(JacobianPlan::new(&pattern).evaluate(jvp, vjp).to_dense(), dense);
    // The equation is that of a minimum: its Jacobian is symmetric.
    assert_eq!(HessianPlan::new(&pattern).evaluate(jvp).to_dense(), dense);
}

#[test]
fn the_whole_of_the_dense_driver_is_found() {
    let x = point(30);
    let dense = rosenbrock_slope::jacobian(&x);
    let hvp = |v: &[f64]| rosenbrock_slope::jvp(&x, v).1;
    let pattern = Pattern::banded(30, 30, 1, 1);
    let star = HessianPlan::new(&pattern);
    assert_eq!((star.colours(), star.evaluate(hvp).to_dense()), (3, dense.clone()));
    assert_eq!(ColumnPlan::new(&pattern).evaluate(hvp).to_dense(), dense);

    let tree = HessianPlan::by_substitution(&pattern);
    let hessian = tree.evaluate(hvp).to_dense();
    assert_eq!(tree.colours(), 2);
    let scale = dense.as_slice().iter().fold(0.0, |scale: f64, entry| scale.max(entry.abs()));
    for (found, expected) in hessian.as_slice().iter().zip(dense.as_slice()) {
        // As many roundings as there are edges in the longest tree.
        assert!((found - expected).abs() <= 30.0 * f64::EPSILON * scale, "{found} {expected}");
    }
}

#[test]
fn the_hessian_of_an_energy_takes_as_many_products_as_colours() {
    let x = point(20);
    let mut products = 0;
    let mut hvp = |v: &[f64]| {
        products += 1;
        chain::hvp(&x, v)
    };
    let pattern = Pattern::detect(20, &mut hvp);
    assert_eq!(pattern, Pattern::banded(20, 20, 1, 1));
    let star = HessianPlan::new(&pattern).evaluate(&mut hvp).to_dense();
    let tree = HessianPlan::by_substitution(&pattern).evaluate(&mut hvp).to_dense();
    assert_eq!(products, 18 + 3 + 2);
    let dense = chain::hessian(&x);
    for (expected, found) in dense.as_slice().iter().zip(star.as_slice()) {
        assert!((expected - found).abs() < 1e-14, "{expected} {found}");
    }
    for (expected, found) in dense.as_slice().iter().zip(tree.as_slice()) {
        assert!((expected - found).abs() < 1e-13, "{expected} {found}");
    }
}

#[test]
fn shadows_behind_references_are_products() {
    let (n, c) = (12, 0.4);
    let ring = Pattern::from_rows(n, (0..n).map(|i| [(i + n - 1) % n, i, (i + 1) % n]));
    let plan = ColumnPlan::new(&ring);
    let mut jacobian = Triplets::zeros(ring);
    let (mut workspace, mut next) = (Workspace::new(), vec![0.0; n]);
    let mut u = point(n);
    for _ in 0..3 {
        plan.evaluate_into(jacobian.values_mut(), &mut workspace, |u_dot, next_dot| {
            burgers::jvp(&u, u_dot, &mut next, next_dot, c);
        });
        let v = point(n);
        let (found, mut expected) = (jacobian.times(&v), vec![0.0; n]);
        burgers::jvp(&u, &v, &mut next, &mut expected, c);
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-14, "{found} {expected}");
        }
        u.copy_from_slice(&next);
    }
    assert!(plan.colours() <= 4);
}

#[test]
fn patterns_are_found_on_the_branches_that_are_taken() {
    let (side, lambda) = (5, 3.0);
    let u = vec![0.0; side * side];
    let found = Pattern::detect(u.len(), |u_dot| bratu::jvp(&u, u_dot, side, lambda).1);
    assert_eq!(found, mesh::<2>(side, false));

    let vjp = |r_bar: &[f64]| {
        let (_, pullback) = bratu::vjp(&u, side, lambda);
        let mut u_bar = vec![0.0; u.len()];
        pullback(&u, &mut u_bar, r_bar.to_vec());
        u_bar
    };
    assert_eq!(Pattern::detect(u.len(), vjp).transposed(), mesh::<2>(side, false));

    let upwind = |wind: f64| {
        let u = [wind; 4];
        Pattern::detect(4, |u_dot| {
            let mut next_dot = [0.0; 4];
            burgers::jvp(&u, u_dot, &mut [0.0; 4], &mut next_dot, 0.4);
            next_dot
        })
    };
    let left = Pattern::from_rows(4, (0..4).map(|i| [i, (i + 3) % 4]));
    assert_eq!((upwind(1.0), upwind(-1.0)), (left.clone(), left.transposed()));
}

#[test]
fn hessians_are_found_at_a_point_where_they_vanish() {
    #[differentiate]
    fn slope(x: &[f64; 5]) -> [f64; 5] {
        // Of `x₀ Σ xᵢ³`.
        let mut slope = [0.0; 5];
        for i in 0..5 {
            slope[0] += x[i] * x[i] * x[i];
            slope[i] += 3.0 * x[0] * x[i] * x[i];
        }
        slope
    }
    let found = Pattern::detect(5, |v: &[f64]| slope::jvp(&[0.0; 5], v.try_into().unwrap()).1);
    assert_eq!(found, arrow(5));
}
