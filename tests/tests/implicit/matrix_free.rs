//! Unknowns of more than 200 entries, which GMRES and the method of conjugate gradients solve for.

use super::assert_close;
use cotangent::{differentiate, primitive};

/// A rod with heat sources and a drift, by differences: tridiagonal and not symmetric.
#[differentiate]
fn balance(t: &[f64], drift: f64, source: &[f64]) -> Vec<f64> {
    let n = source.len();
    let mut residual = vec![0.0; n];
    for i in 0..n {
        let left = if i > 0 { t[i - 1] } else { 0.0 };
        let right = if i + 1 < n { t[i + 1] } else { 0.0 };
        residual[i] = 3.0 * t[i] - (1.0 + drift) * left - (1.0 - drift) * right - source[i];
    }
    residual
}

#[primitive(root = balance)]
fn temperatures(drift: f64, source: &[f64]) -> Vec<f64> {
    tridiagonal([-1.0 - drift, 3.0, -1.0 + drift], 3.0, source)
}

/// The solution of a system whose matrix has the same entries below, on and above the diagonal in each row, but for the
/// first entry on the diagonal, by elimination.
fn tridiagonal([below, diagonal, above]: [f64; 3], first: f64, side: &[f64]) -> Vec<f64> {
    let (mut pivots, mut x) = (vec![first], vec![side[0]]);
    for i in 1..side.len() {
        let factor = below / pivots[i - 1];
        pivots.push(diagonal - factor * above);
        x.push(side[i] - factor * x[i - 1]);
    }
    for i in (0..side.len()).rev() {
        let next = x.get(i + 1).copied().unwrap_or(0.0);
        x[i] = (x[i] - above * next) / pivots[i];
    }
    x
}

const N: usize = 300;

fn sources() -> Vec<f64> {
    (0..N).map(|i| (i as f64 * 0.1).sin() + 0.2).collect()
}

#[test]
fn gmres_agrees_with_elimination() {
    let (drift, source) = (0.3, sources());
    let seed: Vec<f64> = (0..N).map(|i| (i as f64 * 0.37).cos()).collect();
    let (t, pullback) = temperatures::vjp(drift, &source);
    let mut source_bar = vec![0.0; N];
    let drift_bar = pullback(&source, &mut source_bar, seed.clone());
    let s = tridiagonal([-1.0 + drift, 3.0, -1.0 - drift], 3.0, &seed);
    // ∂residual/∂drift = -left + right
    let by_drift = |i: usize| {
        let left = if i > 0 { t[i - 1] } else { 0.0 };
        right_of(&t, i) - left
    };
    let expected: f64 = (0..N).map(|i| -s[i] * by_drift(i)).sum();
    assert_close(drift_bar, expected, 1e-11);
    (0..N).for_each(|i| assert_close(source_bar[i], s[i], 1e-12));
    let side: Vec<f64> = (0..N).map(|i| -by_drift(i)).collect();
    let along = tridiagonal([-1.0 - drift, 3.0, -1.0 + drift], 3.0, &side);
    let (_, t_dot) = temperatures::jvp(drift, 1.0, &source, &vec![0.0; N]);
    (0..N).for_each(|i| assert_close(t_dot[i], along[i], 1e-12));
}

fn right_of(t: &[f64], i: usize) -> f64 {
    t.get(i + 1).copied().unwrap_or(0.0)
}

/// The energy of a chain of springs that hold its masses, stiffened by a parameter.
#[differentiate]
#[differentiate]
fn energy(u: &[f64], stiffness: f64, force: &[f64]) -> f64 {
    let n = force.len();
    let mut sum = 0.0;
    for i in 0..n {
        let next = if i + 1 < n { u[i + 1] } else { 0.0 };
        sum +=
            0.5 * stiffness * (next - u[i]) * (next - u[i]) + 0.5 * u[i] * u[i] - force[i] * u[i];
    }
    sum
}

/// The displacements that a chain of this stiffness has under forces.
fn displacements(stiffness: f64, force: &[f64]) -> Vec<f64> {
    tridiagonal([-stiffness, 1.0 + 2.0 * stiffness, -stiffness], 1.0 + stiffness, force)
}

#[primitive(argmin = energy)]
fn at_rest(stiffness: f64, force: &[f64]) -> Vec<f64> {
    displacements(stiffness, force)
}

#[test]
fn conjugate_gradients_agree_with_elimination() {
    let (stiffness, force) = (2.5, sources());
    let u = at_rest(stiffness, &force);
    // The matrix is K = 1 + stiffness L, and so K du = -L u dstiffness, where stiffness L u = f - u.
    let side: Vec<f64> = force.iter().zip(&u).map(|(f, u)| (u - f) / stiffness).collect();
    let expected = displacements(stiffness, &side);
    let (_, along) = at_rest::jvp(stiffness, 1.0, &force, &vec![0.0; N]);
    (0..N).for_each(|i| assert_close(along[i], expected[i], 1e-12));
    let (_, pullback) = at_rest::vjp(stiffness, &force);
    let mut force_bar = vec![0.0; N];
    let stiffness_bar = pullback(&force, &mut force_bar, vec![1.0; N]);
    assert_close(stiffness_bar, expected.iter().sum(), 1e-11);
}
