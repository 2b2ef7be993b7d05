//! What the algorithms are compared with: closed forms of their derivatives, and the plain dense algebra
//! that closed forms are written in.
//!
//! In: both modes of a differentiated function as maps of flat lists (see [`modes!`]), and the derivative
//! that the theory gives. Out: a failed test with the entry of the Jacobian that differs. Nothing here is
//! differentiated, and no step of an algorithm is repeated: systems are solved by Cramer's rule.

/// Both modes of a function of slices, as maps from a direction to tangents and from weights to
/// cotangents.
///
/// `modes!(f(a, b; n))` is for `fn f(a: &mut [f64], b: &[f64], n: usize) -> f64` and its like. A direction
/// lists the tangents of all slices, in order; a list of tangents that come out has those of the result,
/// then those of all slices. A slice that is only read comes out as it went in: its row of the Jacobian
/// is the identity, since shadows are added to.
macro_rules! modes {
    ($function:ident($($slice:ident),+ $(; $($constant:expr),+)?)) => {(
        |direction: &[f64]| -> Vec<f64> {
            let mut rest = direction.iter().copied();
            $(let mut $slice = ($slice.to_vec(), rest.by_ref().take($slice.len()).collect::<Vec<f64>>());)+
            let (_, tangent) = $function::jvp($(&mut $slice.0, &mut $slice.1),+ $(, $($constant),+)?);
            let mut tangents = $crate::algorithms::oracle::Output::floats(&tangent);
            $(tangents.extend(&$slice.1);)+
            tangents
        },
        |weights: &[f64]| -> Vec<f64> {
            let mut rest = weights.iter().copied();
            let seed = $crate::algorithms::oracle::Output::from_floats(&mut rest);
            $(let mut $slice = ($slice.to_vec(), rest.by_ref().take($slice.len()).collect::<Vec<f64>>());)+
            let (_, pullback) = $function::vjp($(&mut $slice.0),+ $(, $($constant),+)?);
            pullback($(&mut $slice.0, &mut $slice.1),+, seed);
            let mut cotangents = Vec::new();
            $(cotangents.extend($slice.1);)+
            cotangents
        },
    )};
}

pub(super) use modes;

/// A result as a list of floats.
pub(super) trait Output: Sized {
    /// All floats, in order.
    fn floats(&self) -> Vec<f64>;
    /// The value with the next floats of a list.
    fn from_floats(floats: &mut impl Iterator<Item = f64>) -> Self;
}

impl Output for () {
    fn floats(&self) -> Vec<f64> {
        Vec::new()
    }
    fn from_floats(_: &mut impl Iterator<Item = f64>) {}
}

impl Output for cotangent::NoTangent {
    fn floats(&self) -> Vec<f64> {
        Vec::new()
    }
    fn from_floats(_: &mut impl Iterator<Item = f64>) -> cotangent::NoTangent {
        cotangent::NoTangent
    }
}

impl Output for f64 {
    fn floats(&self) -> Vec<f64> {
        vec![*self]
    }
    fn from_floats(floats: &mut impl Iterator<Item = f64>) -> f64 {
        floats.next().unwrap()
    }
}

impl<const N: usize> Output for [f64; N] {
    fn floats(&self) -> Vec<f64> {
        self.to_vec()
    }
    fn from_floats(floats: &mut impl Iterator<Item = f64>) -> [f64; N] {
        std::array::from_fn(|_| floats.next().unwrap())
    }
}

/// How far results of elimination may be off, relative to the largest entry of the Jacobian's column:
/// rounding, times the condition of the small matrices in these tests.
pub(super) const ROUNDING: f64 = 1e-12;

/// Compares the whole Jacobian in both modes with its closed form: forward by columns, reverse by rows.
pub(super) fn assert_jacobian(
    inputs: usize,
    within: f64,
    (jvp, vjp): (impl Fn(&[f64]) -> Vec<f64>, impl Fn(&[f64]) -> Vec<f64>),
    expected: impl Fn(&[f64]) -> Vec<f64>,
) {
    let columns: Vec<Vec<f64>> = (0..inputs).map(|k| expected(&unit(inputs, k))).collect();
    for (k, column) in columns.iter().enumerate() {
        assert_near(&format!("jvp, input {k}"), within, &jvp(&unit(inputs, k)), column);
    }
    let outputs = columns[0].len();
    for i in 0..outputs {
        let row: Vec<f64> = columns.iter().map(|column| column[i]).collect();
        assert_near(&format!("vjp, output {i}"), within, &vjp(&unit(outputs, i)), &row);
    }
}

/// Compares two lists; errors are relative to the largest number in the one that is wanted, or to one.
pub(super) fn assert_near(case: &str, within: f64, found: &[f64], wanted: &[f64]) {
    assert_eq!(found.len(), wanted.len(), "{case}: {found:?} against {wanted:?}");
    let size = wanted.iter().fold(1.0, |size: f64, w| size.max(w.abs()));
    for (f, w) in found.iter().zip(wanted) {
        assert!((f - w).abs() <= within * size, "{case}: {found:?} against {wanted:?}");
    }
}

/// A list of zeros with one one.
pub(super) fn unit(n: usize, k: usize) -> Vec<f64> {
    (0..n).map(|i| if i == k { 1.0 } else { 0.0 }).collect()
}

/// The product of two matrices in rows, of which the first has `inner` columns.
pub(super) fn product(a: &[f64], b: &[f64], inner: usize) -> Vec<f64> {
    let (rows, columns) = (a.len() / inner, b.len() / inner);
    let entry =
        |i: usize, j: usize| (0..inner).map(|k| a[i * inner + k] * b[k * columns + j]).sum();
    (0..rows * columns).map(|at| entry(at / columns, at % columns)).collect()
}

/// The transpose of a matrix with so many columns.
pub(super) fn transpose(a: &[f64], columns: usize) -> Vec<f64> {
    let rows = a.len() / columns;
    (0..a.len()).map(|at| a[(at % rows) * columns + at / rows]).collect()
}

/// `a - b`.
pub(super) fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

/// `a + b`.
pub(super) fn sum(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

/// `s a`.
pub(super) fn scaled(s: f64, a: &[f64]) -> Vec<f64> {
    a.iter().map(|a| s * a).collect()
}

/// `a · b`.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The entries of a square matrix that `keep(row, column)` weighs.
pub(super) fn weighed(a: &[f64], n: usize, keep: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    (0..n * n).map(|at| a[at] * keep(at / n, at % n)).collect()
}

/// The determinant, expanded by minors.
pub(super) fn determinant(a: &[f64], n: usize) -> f64 {
    if n == 0 {
        return 1.0;
    }
    let sign = |j: usize| if j % 2 == 0 { 1.0 } else { -1.0 };
    (0..n).map(|j| sign(j) * a[j] * determinant(&minor(a, n, 0, j), n - 1)).sum()
}

/// The matrix without a row and a column.
fn minor(a: &[f64], n: usize, row: usize, column: usize) -> Vec<f64> {
    let kept = |at: &usize| at / n != row && at % n != column;
    (0..n * n).filter(kept).map(|at| a[at]).collect()
}

/// The inverse by Cramer's rule.
pub(super) fn inverse(a: &[f64], n: usize) -> Vec<f64> {
    let whole = determinant(a, n);
    let sign = |i: usize, j: usize| if (i + j) % 2 == 0 { 1.0 } else { -1.0 };
    let cofactor = |i: usize, j: usize| sign(i, j) * determinant(&minor(a, n, i, j), n - 1);
    (0..n * n).map(|at| cofactor(at % n, at / n) / whole).collect()
}

/// The solution of `a x = b`.
pub(super) fn solution(a: &[f64], b: &[f64], n: usize) -> Vec<f64> {
    product(&inverse(a, n), b, n)
}

/// The derivative of the solution of `a x = b`: `a⁻¹ (db - da x)`.
pub(super) fn solution_moved(a: &[f64], b: &[f64], da: &[f64], db: &[f64], n: usize) -> Vec<f64> {
    let x = solution(a, b, n);
    solution(a, &difference(db, &product(da, &x, n)), n)
}

/// The derivative of `log |det a|`: `tr(a⁻¹ da)`.
pub(super) fn log_determinant_moved(a: &[f64], da: &[f64], n: usize) -> f64 {
    dot(&inverse(a, n), &transpose(da, n.max(1)))
}
