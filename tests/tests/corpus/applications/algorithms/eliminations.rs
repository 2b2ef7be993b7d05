//! Triangular and banded systems, inverses and Toeplitz systems, each overwriting what it is given.

use cotangent::differentiate;

use super::oracle::{self, ROUNDING, assert_jacobian, assert_near, modes};

corpus! {
    /// By columns: what is solved is subtracted from all that is above.
    fn backward_by_columns(u: &[f64], x: &mut [f64]) {
        let n = x.len();
        for j in (0..n).rev() {
            x[j] /= u[j * n + j];
            let (above, solved) = x.split_at_mut(j);
            for (i, value) in above.iter_mut().enumerate() {
                *value -= u[i * n + j] * solved[0];
            }
        }
    }
    at (&[1.3, 0.6, -0.4, 0.0, 2.0, 0.3, 0.0, 0.0, 1.5], &mut [1.0, 2.0, 3.0]), (&[2.0], &mut [0.3]), (&[], &mut []);

    /// A unit diagonal that is not stored; a leading zero costs nothing.
    fn forward_with_a_unit_diagonal(l: &[f64], x: &mut [f64]) {
        let n = x.len();
        let mut first = 0;
        while first < n && x[first] == 0.0 {
            first += 1;
        }
        for i in first..n {
            let mut sum = x[i];
            for k in first..i {
                sum -= l[i * n + k] * x[k];
            }
            x[i] = sum;
        }
    }
    at (&[7.0, 0.0, 0.0, 0.6, 7.0, 0.0, -0.4, 0.3, 7.0], &mut [1.0, 2.0, 3.0]), (&[], &mut []);

    /// The transposed system, from the triangle that is stored.
    fn backward_with_the_transpose(l: &[f64], x: &mut [f64], n: usize) {
        let mut i = n;
        while i > 0 {
            i -= 1;
            for k in i + 1..n {
                x[i] -= l[k * n + i] * x[k];
            }
            x[i] /= l[i * n + i];
        }
    }
    at (&[1.3, 0.0, 0.0, 0.6, 2.0, 0.0, -0.4, 0.3, 1.5], &mut [1.0, 2.0, 3.0], 3), (&[], &mut [], 0);

    /// Several right-hand sides in the rows of a matrix: each row is a slice of it.
    fn forward_for_many_columns(l: &[f64], b: &mut [f64], n: usize) {
        let columns = b.len() / n;
        for i in 0..n {
            let (solved, rest) = b.split_at_mut(i * columns);
            let row = &mut rest[..columns];
            for k in 0..i {
                let factor = l[i * n + k];
                let other = &solved[k * columns..(k + 1) * columns];
                for c in 0..columns {
                    row[c] -= factor * other[c];
                }
            }
            for value in row {
                *value /= l[i * n + i];
            }
        }
    }
    at (&[1.3, 0.0, 0.0, 0.6, 2.0, 0.0, -0.4, 0.3, 1.5], &mut [1.0, 2.0, 3.0, -0.5, 0.2, 0.9], 3), (&[2.0], &mut [0.3], 1);

    /// Thomas: the diagonal becomes the pivots, the right-hand side the solution.
    fn thomas(lower: &[f64], diagonal: &mut [f64], upper: &[f64], x: &mut [f64]) {
        let n = diagonal.len();
        for i in 1..n {
            let w = lower[i - 1] / diagonal[i - 1];
            diagonal[i] -= w * upper[i - 1];
            x[i] -= w * x[i - 1];
        }
        x[n - 1] /= diagonal[n - 1];
        for i in (0..n - 1).rev() {
            x[i] = (x[i] - upper[i] * x[i + 1]) / diagonal[i];
        }
    }
    at (&[0.5, -0.3, 0.2], &mut [2.0, 1.7, 2.2, 1.9], &[0.4, 0.6, -0.7], &mut [1.0, 2.0, -1.0, 0.5]), (&[], &mut [2.0], &[], &mut [0.3]);

    /// The same with the upper diagonal in a buffer, and neither matrix nor right-hand side touched.
    fn thomas_with_a_buffer(lower: &[f64], diagonal: &[f64], upper: &[f64], right: &[f64]) -> Vec<f64> {
        let n = right.len();
        let mut x = vec![0.0; n];
        let mut buffer = vec![0.0; n];
        let mut pivot = diagonal[0];
        x[0] = right[0] / pivot;
        for i in 1..n {
            buffer[i] = upper[i - 1] / pivot;
            pivot = diagonal[i] - lower[i - 1] * buffer[i];
            x[i] = (right[i] - lower[i - 1] * x[i - 1]) / pivot;
        }
        for i in (1..n).rev() {
            x[i - 1] -= buffer[i] * x[i];
        }
        x
    }
    at (&[0.5, -0.3, 0.2], &[2.0, 1.7, 2.2, 1.9], &[0.4, 0.6, -0.7], &[1.0, 2.0, -1.0, 0.5]), (&[], &[2.0], &[], &[0.3]);

    /// Gauss and Jordan with full pivoting, in the matrix's own storage: columns of the inverse take the
    /// place of columns that are done with. The result is the determinant.
    fn inverse_in_place(a: &mut [f64], n: usize) -> f64 {
        let mut exchanges: Vec<(usize, usize)> = Vec::new();
        let mut used = vec![false; n];
        let mut determinant = 1.0;
        for _ in 0..n {
            let (mut row, mut column, mut largest) = (0, 0, 0.0);
            for i in 0..n {
                if used[i] {
                    continue;
                }
                for j in 0..n {
                    if !used[j] && a[i * n + j].abs() >= largest {
                        largest = a[i * n + j].abs();
                        row = i;
                        column = j;
                    }
                }
            }
            used[column] = true;
            if row != column {
                for k in 0..n {
                    a.swap(row * n + k, column * n + k);
                }
                determinant = -determinant;
            }
            exchanges.push((row, column));
            let pivot = a[column * n + column];
            if pivot == 0.0 {
                return 0.0;
            }
            determinant *= pivot;
            a[column * n + column] = 1.0;
            for k in 0..n {
                a[column * n + k] /= pivot;
            }
            for i in 0..n {
                if i == column {
                    continue;
                }
                let factor = a[i * n + column];
                a[i * n + column] = 0.0;
                for k in 0..n {
                    a[i * n + k] -= a[column * n + k] * factor;
                }
            }
        }
        for step in (0..n).rev() {
            let (row, column) = exchanges[step];
            if row != column {
                for k in 0..n {
                    a.swap(k * n + row, k * n + column);
                }
            }
        }
        determinant
    }
    at (&mut [0.3, 1.0, 0.5, 1.4, 3.0, 0.2, 0.5, -2.2, 2.0], 3), (&mut [2.0, 0.3, 0.1, 1.5], 2), (&mut [], 0);

    /// The identity is appended to each row, and both sides are reduced together.
    fn inverse_beside_the_identity(a: &mut [f64], n: usize) {
        let mut rows = Vec::new();
        for i in 0..n {
            let mut row = Vec::with_capacity(2 * n);
            for j in 0..n {
                row.push(a[i * n + j]);
            }
            for j in 0..n {
                row.push(if i == j { 1.0 } else { 0.0 });
            }
            rows.push(row);
        }
        for c in 0..n {
            let mut p = c;
            for r in c + 1..n {
                if rows[r][c].abs() > rows[p][c].abs() {
                    p = r;
                }
            }
            rows.swap(c, p);
            let pivot = rows[c][c];
            for k in c..2 * n {
                rows[c][k] /= pivot;
            }
            let chosen = rows[c].clone();
            for r in 0..n {
                if r != c {
                    let factor = rows[r][c];
                    for k in c..2 * n {
                        rows[r][k] -= factor * chosen[k];
                    }
                }
            }
        }
        for i in 0..n {
            a[i * n..(i + 1) * n].copy_from_slice(&rows[i][n..]);
        }
    }
    at (&mut [0.3, 1.0, 0.5, 1.4, 3.0, 0.2, 0.5, -2.2, 2.0], 3), (&mut [], 0);

    /// Gaussian elimination that gives up, half done, on a pivot that is too small.
    fn eliminated_unless_singular(a: &mut [f64], x: &mut [f64], smallest: f64) -> f64 {
        let n = x.len();
        let mut determinant = 1.0;
        for c in 0..n {
            if a[c * n + c].abs() < smallest {
                x.fill(determinant);
                return 0.0;
            }
            determinant *= a[c * n + c];
            for r in c + 1..n {
                let factor = a[r * n + c] / a[c * n + c];
                for k in c..n {
                    a[r * n + k] -= factor * a[c * n + k];
                }
                x[r] -= factor * x[c];
            }
        }
        for i in (0..n).rev() {
            for k in i + 1..n {
                x[i] -= a[i * n + k] * x[k];
            }
            x[i] /= a[i * n + i];
        }
        determinant
    }
    at (&mut [2.0, 0.3, 0.1, 1.5], &mut [0.7, -0.2], 0.1), (&mut [2.0, 4.0, 0.1, 0.21], &mut [0.7, -0.2], 0.1), (&mut [0.02, 4.0, 0.1, 0.21], &mut [0.7, -0.2], 0.1);

    /// Levinson: the solution for a symmetric Toeplitz matrix, given by its first row. Both vectors grow
    /// by one in each round, and the first is updated from both ends at once.
    fn levinson(t: &[f64], right: &[f64], out: &mut [f64]) {
        let mut first = vec![1.0 / t[0]];
        let mut x = vec![right[0] / t[0]];
        for k in 1..right.len() {
            let mut excess = 0.0;
            let mut residual = right[k];
            for i in 0..k {
                excess += t[k - i] * first[i];
                residual -= t[k - i] * x[i];
            }
            let scale = 1.0 / (1.0 - excess * excess);
            first.push(0.0);
            let (mut i, mut j) = (0, k);
            while i <= j {
                let (front, back) = (first[i], first[j]);
                first[i] = (front - excess * back) * scale;
                first[j] = (back - excess * front) * scale;
                i += 1;
                j -= 1;
            }
            x.push(0.0);
            for i in 0..=k {
                x[i] += residual * first[k - i];
            }
        }
        out.copy_from_slice(&x);
    }
    at (&[2.0, 0.7, -0.3, 0.4], &[1.0, 2.0, -1.0, 0.5], &mut [9.0; 4]), (&[2.0], &[0.3], &mut [9.0]);

    /// Levinson and Durbin: reflection coefficients of a series from its autocorrelations, in place.
    fn durbin(r: &mut [f64]) -> f64 {
        let n = r.len();
        let mut a = vec![0.0; n];
        let mut old = vec![0.0; n];
        let mut error = r[0];
        for k in 1..n {
            let mut sum = r[k];
            for j in 1..k {
                sum -= a[j] * r[k - j];
            }
            let reflection = sum / error;
            old.copy_from_slice(&a);
            a[k] = reflection;
            for j in 1..k {
                a[j] = old[j] - reflection * old[k - j];
            }
            error *= 1.0 - reflection * reflection;
        }
        r.copy_from_slice(&a);
        error
    }
    at (&mut [2.0, 0.7, -0.3, 0.4]), (&mut [1.3]);
}

/// A tridiagonal matrix with two more corners, by Sherman and Morrison: two systems with one matrix, of
/// which each needs the diagonal as it was.
#[differentiate]
#[differentiate]
fn periodic_thomas(lower: &[f64], diagonal: &[f64], upper: &[f64], corners: &[f64], x: &mut [f64]) {
    let n = x.len();
    let gamma = -diagonal[0];
    let mut d = diagonal.to_vec();
    d[0] -= gamma;
    d[n - 1] -= corners[0] * corners[1] / gamma;
    let mut again = d.clone();
    let mut z = vec![0.0; n];
    z[0] = gamma;
    z[n - 1] = corners[1];
    thomas::thomas(lower, &mut d, upper, x);
    thomas::thomas(lower, &mut again, upper, &mut z);
    let ratio = corners[0] / gamma;
    let factor = (x[0] + ratio * x[n - 1]) / (1.0 + z[0] + ratio * z[n - 1]);
    for i in 0..n {
        x[i] -= factor * z[i];
    }
}

checks! {
    periodic_thomas at (&[0.5, -0.3, 0.2], &[2.0, 1.7, 2.2, 1.9], &[0.4, 0.6, -0.7], &[0.3, -0.2], &mut [1.0, 2.0, -1.0, 0.5]);
}

mod closed_form {
    use super::*;

    const TRIANGLE: [f64; 9] = [1.3, 0.8, -0.7, 0.6, 2.0, 0.5, -0.4, 0.3, 1.5];
    const RIGHT: [f64; 3] = [1.0, 2.0, 3.0];

    /// The Jacobian of a solver `f(l, b)` of `l' x = b`, where `l'` is what it reads of its matrix.
    fn assert_solves(
        modes: (impl Fn(&[f64]) -> Vec<f64>, impl Fn(&[f64]) -> Vec<f64>),
        read: impl Fn(&[f64]) -> Vec<f64>,
    ) {
        let origin = read(&[0.0; 9]);
        assert_jacobian(12, ROUNDING, modes, |d| {
            let (dl, db) = d.split_at(9);
            let moved = oracle::difference(&read(dl), &origin);
            let dx = oracle::solution_moved(&read(&TRIANGLE), &RIGHT, &moved, db, 3);
            [dl, &dx].concat()
        });
    }

    fn triangle(a: &[f64], keep: impl Fn(usize, usize) -> bool) -> Vec<f64> {
        oracle::weighed(a, 3, |i, j| if keep(i, j) { 1.0 } else { 0.0 })
    }

    #[test]
    fn forward_substitution() {
        use crate::linear_algebra::forward_substitution::forward_substitution;
        let (l, b) = (TRIANGLE, RIGHT);
        assert_solves(modes!(forward_substitution(l, b; 3)), |a| triangle(a, |i, j| j <= i));
    }

    #[test]
    fn forward_with_a_unit_diagonal() {
        use super::forward_with_a_unit_diagonal::forward_with_a_unit_diagonal;
        let (l, b) = (TRIANGLE, RIGHT);
        let one = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
        let read = |a: &[f64]| oracle::sum(&one, &triangle(a, |i, j| j < i));
        assert_solves(modes!(forward_with_a_unit_diagonal(l, b)), read);
    }

    #[test]
    fn backward_by_columns() {
        use super::backward_by_columns::backward_by_columns;
        let (u, b) = (TRIANGLE, RIGHT);
        assert_solves(modes!(backward_by_columns(u, b)), |a| triangle(a, |i, j| i <= j));
    }

    #[test]
    fn backward_with_the_transpose() {
        use super::backward_with_the_transpose::backward_with_the_transpose;
        let (l, b) = (TRIANGLE, RIGHT);
        let read = |a: &[f64]| oracle::transpose(&triangle(a, |i, j| j <= i), 3);
        assert_solves(modes!(backward_with_the_transpose(l, b; 3)), read);
    }

    #[test]
    fn forward_for_many_columns() {
        use super::forward_for_many_columns::forward_for_many_columns;
        let (l, b) = (TRIANGLE, [1.0, 2.0, 3.0, -0.5, 0.2, 0.9]);
        let lower = |a: &[f64]| triangle(a, |i, j| j <= i);
        assert_jacobian(15, ROUNDING, modes!(forward_for_many_columns(l, b; 3)), |d| {
            let (dl, db) = d.split_at(9);
            let dx = oracle::solution_moved(&lower(&l), &b, &lower(dl), db, 3);
            [dl, &dx].concat()
        });
    }

    const LOWER: [f64; 3] = [0.5, -0.3, 0.2];
    const DIAGONAL: [f64; 4] = [2.0, 1.7, 2.2, 1.9];
    const UPPER: [f64; 3] = [0.4, 0.6, -0.7];
    const SIDE: [f64; 4] = [1.0, 2.0, -1.0, 0.5];

    /// The matrix of three diagonals.
    fn banded(lower: &[f64], diagonal: &[f64], upper: &[f64]) -> Vec<f64> {
        let entry = |i: usize, j: usize| match (i, j) {
            _ if i == j => diagonal[i],
            _ if i == j + 1 => lower[j],
            _ if j == i + 1 => upper[i],
            _ => 0.0,
        };
        (0..16).map(|at| entry(at / 4, at % 4)).collect()
    }

    /// The first rows and columns.
    fn leading(a: &[f64], k: usize) -> Vec<f64> {
        (0..k * k).map(|at| a[at / k * 4 + at % k]).collect()
    }

    /// The pivots are quotients of leading minors.
    fn pivots_moved(a: &[f64], da: &[f64]) -> Vec<f64> {
        let minor = |k: usize| oracle::determinant(&leading(a, k), k);
        let log = |k: usize| oracle::log_determinant_moved(&leading(a, k), &leading(da, k), k);
        (0..4).map(|k| minor(k + 1) / minor(k) * (log(k + 1) - log(k))).collect()
    }

    #[test]
    fn thomas() {
        use super::thomas::thomas;
        let (lower, diagonal, upper, x) = (LOWER, DIAGONAL, UPPER, SIDE);
        let a = banded(&lower, &diagonal, &upper);
        assert_jacobian(14, ROUNDING, modes!(thomas(lower, diagonal, upper, x)), |d| {
            let da = banded(&d[..3], &d[3..7], &d[7..10]);
            let dx = oracle::solution_moved(&a, &x, &da, &d[10..], 4);
            [&d[..3], &pivots_moved(&a, &da), &d[7..10], &dx].concat()
        });
    }

    /// The gradient of `w · x` is `λ = a⁻ᵀ w` by the right-hand side and `-λ xᵀ` by the matrix.
    #[test]
    fn thomas_with_a_buffer() {
        use super::thomas_with_a_buffer::thomas_with_a_buffer;
        let weights = [0.3, -0.8, 1.1, 0.6];
        let (x, pullback) = thomas_with_a_buffer::vjp(&LOWER, &DIAGONAL, &UPPER, &SIDE);
        let (mut lower, mut diagonal, mut upper, mut right) =
            ([0.0; 3], [0.0; 4], [0.0; 3], [0.0; 4]);
        pullback(
            &LOWER,
            &mut lower,
            &DIAGONAL,
            &mut diagonal,
            &UPPER,
            &mut upper,
            &SIDE,
            &mut right,
            weights.to_vec(),
        );
        let transposed = oracle::transpose(&banded(&LOWER, &DIAGONAL, &UPPER), 4);
        let lambda = oracle::solution(&transposed, &weights, 4);
        assert_near("right", ROUNDING, &right, &lambda);
        let entry = |i: usize, j: usize| -lambda[i] * x[j];
        assert_near("lower", ROUNDING, &lower, &[entry(1, 0), entry(2, 1), entry(3, 2)]);
        assert_near("diagonal", ROUNDING, &diagonal, &[0, 1, 2, 3].map(|i| entry(i, i)));
        assert_near("upper", ROUNDING, &upper, &[entry(0, 1), entry(1, 2), entry(2, 3)]);
    }

    #[test]
    fn periodic_thomas() {
        use super::periodic_thomas;
        let (lower, diagonal, upper, corners, x) = (LOWER, DIAGONAL, UPPER, [0.3, -0.2], SIDE);
        let matrix = |d: &[f64]| {
            let mut a = banded(&d[..3], &d[3..7], &d[7..10]);
            (a[3], a[12]) = (d[10], d[11]);
            a
        };
        let a = matrix(&[&lower[..], &diagonal, &upper, &corners].concat());
        assert_jacobian(
            16,
            ROUNDING,
            modes!(periodic_thomas(lower, diagonal, upper, corners, x)),
            |d| {
                let dx = oracle::solution_moved(&a, &x, &matrix(&d[..12]), &d[12..], 4);
                [&d[..12], &dx].concat()
            },
        );
    }

    const MATRIX: [f64; 9] = [0.3, 1.0, 0.5, 1.4, 3.0, 0.2, 0.5, -2.2, 2.0];

    /// `d a⁻¹ = -a⁻¹ da a⁻¹`.
    fn inverse_moved(da: &[f64]) -> Vec<f64> {
        let inverse = oracle::inverse(&MATRIX, 3);
        let moved = oracle::product(&oracle::product(&inverse, da, 3), &inverse, 3);
        oracle::scaled(-1.0, &moved)
    }

    #[test]
    fn inverse_in_place() {
        use super::inverse_in_place::inverse_in_place;
        let a = MATRIX;
        let whole = oracle::determinant(&a, 3);
        assert_jacobian(9, ROUNDING, modes!(inverse_in_place(a; 3)), |da| {
            let determinant = whole * oracle::log_determinant_moved(&a, da, 3);
            [vec![determinant], inverse_moved(da)].concat()
        });
    }

    #[test]
    fn inverse_beside_the_identity() {
        use super::inverse_beside_the_identity::inverse_beside_the_identity;
        let a = MATRIX;
        assert_jacobian(9, ROUNDING, modes!(inverse_beside_the_identity(a; 3)), inverse_moved);
    }

    fn toeplitz(t: &[f64]) -> Vec<f64> {
        (0..16_usize).map(|at| t[(at / 4).abs_diff(at % 4)]).collect()
    }

    #[test]
    fn levinson() {
        use super::levinson::levinson;
        let (t, right, out) = ([2.0, 0.7, -0.3, 0.4], SIDE, [9.0; 4]);
        assert_jacobian(12, ROUNDING, modes!(levinson(t, right, out)), |d| {
            let (dt, db) = (&d[..4], &d[4..8]);
            let dx = oracle::solution_moved(&toeplitz(&t), &right, &toeplitz(dt), db, 4);
            [dt, db, &dx].concat()
        });
    }

    /// The coefficients solve the system of Yule and Walker; the error is a quotient of determinants.
    #[test]
    fn durbin() {
        use super::durbin::durbin;
        let r = [2.0, 0.7, -0.3, 0.4];
        let size = oracle::determinant(&toeplitz(&r), 4)
            / oracle::determinant(&leading(&toeplitz(&r), 3), 3);
        assert_jacobian(4, ROUNDING, modes!(durbin(r)), |dr| {
            let (a, da) = (toeplitz(&r), toeplitz(dr));
            let (b, db) = (leading(&a, 3), leading(&da, 3));
            let logs = oracle::log_determinant_moved(&a, &da, 4)
                - oracle::log_determinant_moved(&b, &db, 3);
            let dx = oracle::solution_moved(&b, &r[1..], &db, &dr[1..], 3);
            [vec![size * logs, 0.0], dx].concat()
        });
    }
}
