//! Factorizations that overwrite their matrix: LU with row exchanges, Cholesky, QR by reflections and by
//! Gram and Schmidt.

use cotangent::differentiate;

use super::oracle::{self, ROUNDING, assert_jacobian, modes};

corpus! {
    /// Flat storage: rows change places element by element, and the exchanges are kept for the right-hand
    /// side, which becomes the solution. The result is log |det a|.
    fn lu_with_row_exchanges(a: &mut [f64], b: &mut [f64], n: usize) -> f64 {
        let mut pivots = vec![0; n];
        let mut log_determinant = 0.0;
        for c in 0..n {
            let mut p = c;
            for r in c + 1..n {
                if a[r * n + c].abs() > a[p * n + c].abs() {
                    p = r;
                }
            }
            pivots[c] = p;
            if p != c {
                for k in 0..n {
                    a.swap(c * n + k, p * n + k);
                }
            }
            log_determinant += a[c * n + c].abs().ln();
            for r in c + 1..n {
                a[r * n + c] /= a[c * n + c];
                for k in c + 1..n {
                    a[r * n + k] -= a[r * n + c] * a[c * n + k];
                }
            }
        }
        for c in 0..n {
            b.swap(c, pivots[c]);
        }
        for i in 0..n {
            for k in 0..i {
                b[i] -= a[i * n + k] * b[k];
            }
        }
        for i in (0..n).rev() {
            for k in i + 1..n {
                b[i] -= a[i * n + k] * b[k];
            }
            b[i] /= a[i * n + i];
        }
        log_determinant
    }
    at (&mut [0.3, 1.0, 0.5, 1.4, 3.0, 0.2, 0.5, -2.2, 2.0], &mut [1.0, 2.0, 3.0], 3),
       (&mut [2.0, 0.3, 0.1, 1.5], &mut [0.7, -0.2], 2),
       (&mut [0.1, 0.3, 0.9, 2.0, 0.4, 1.0, -0.3, 0.2, 1.1, 0.6, 0.2, 0.7, -3.0, 0.5, 0.8, 0.1], &mut [1.0, -0.5, 0.3, 2.0], 4),
       (&mut [-0.7], &mut [0.4], 1), (&mut [], &mut [], 0);

    /// The rows stay where they are; a list of indices says in which order they are used.
    fn lu_through_a_list_of_rows(a: &[f64], b: &[f64], n: usize) -> Vec<f64> {
        let mut lu = a.to_vec();
        let mut rows: Vec<usize> = Vec::with_capacity(n);
        for i in 0..n {
            rows.push(i);
        }
        for c in 0..n {
            let mut best = c;
            let mut r = c + 1;
            while r < n {
                if lu[rows[r] * n + c].abs() > lu[rows[best] * n + c].abs() {
                    best = r;
                }
                r += 1;
            }
            rows.swap(c, best);
            let p = rows[c];
            for r in c + 1..n {
                let i = rows[r];
                let factor = lu[i * n + c] / lu[p * n + c];
                lu[i * n + c] = factor;
                for k in c + 1..n {
                    lu[i * n + k] -= factor * lu[p * n + k];
                }
            }
        }
        let mut x = vec![0.0; n];
        for i in 0..n {
            let mut sum = b[rows[i]];
            for k in 0..i {
                sum -= lu[rows[i] * n + k] * x[k];
            }
            x[i] = sum;
        }
        for i in (0..n).rev() {
            let mut sum = x[i];
            for k in i + 1..n {
                sum -= lu[rows[i] * n + k] * x[k];
            }
            x[i] = sum / lu[rows[i] * n + i];
        }
        x
    }
    at (&[0.3, 1.0, 0.5, 1.4, 3.0, 0.2, 0.5, -2.2, 2.0], &[1.0, 2.0, 3.0], 3), (&[2.0, 0.3, 0.1, 1.5], &[0.7, -0.2], 2), (&[], &[], 0);

    /// By rows; an early return where the matrix is not positive definite, which leaves it half done.
    fn cholesky_by_rows(a: &mut [f64], n: usize) -> f64 {
        let mut log_determinant = 0.0;
        for i in 0..n {
            for j in 0..=i {
                let mut sum = a[i * n + j];
                for k in 0..j {
                    sum -= a[i * n + k] * a[j * n + k];
                }
                if i == j {
                    if sum <= 0.0 {
                        return -1e3 * sum;
                    }
                    a[i * n + i] = sum.sqrt();
                    log_determinant += sum.ln();
                } else {
                    a[i * n + j] = sum / a[j * n + j];
                }
            }
            for j in i + 1..n {
                a[i * n + j] = 0.0;
            }
        }
        log_determinant
    }
    at (&mut [4.0, 1.0, 0.5, 1.0, 3.0, 0.2, 0.5, 0.2, 2.0], 3), (&mut [4.0, 9.0, -1.0, 3.0], 2), (&mut [1.0, 0.0, 2.0, 3.0], 2), (&mut [], 0);

    /// The symmetric matrix in packed storage: only its lower triangle exists. The factor is unit lower
    /// triangular, and the diagonal holds the pivots.
    fn ldl_in_packed_storage(a: &mut Vec<f64>, n: usize) {
        let mut column = vec![0.0; n];
        for i in 0..n {
            let row = i * (i + 1) / 2;
            let mut d = a[row + i];
            for j in 0..i {
                let other = j * (j + 1) / 2;
                let mut sum = a[row + j];
                for k in 0..j {
                    sum -= column[k] * a[other + k];
                }
                column[j] = sum;
                a[row + j] = sum / a[other + j];
                d -= a[row + j] * sum;
            }
            a[row + i] = d;
        }
    }
    at (&mut vec![4.0, 1.0, 3.0, 0.5, 0.2, 2.0], 3), (&mut vec![2.0], 1);

    /// Modified Gram-Schmidt on the columns of `q`; `r` is overwritten.
    fn gram_schmidt(q: &mut [f64], r: &mut [f64], m: usize, n: usize) {
        r.fill(0.0);
        for j in 0..n {
            let mut square = 0.0;
            for i in 0..m {
                square += q[i * n + j] * q[i * n + j];
            }
            let norm = square.sqrt();
            r[j * n + j] = norm;
            for i in 0..m {
                q[i * n + j] /= norm;
            }
            for k in j + 1..n {
                let mut dot = 0.0;
                for i in 0..m {
                    dot += q[i * n + j] * q[i * n + k];
                }
                r[j * n + k] = dot;
                for i in 0..m {
                    q[i * n + k] -= dot * q[i * n + j];
                }
            }
        }
    }
    at (&mut [1.3, 0.6, -0.4, 2.0, 0.7, 0.2], &mut [9.0; 4], 3, 2), (&mut [1.3, 0.6, -0.4, 2.0, 0.7, 0.2, 0.1, -0.5, 0.8], &mut [9.0; 9], 3, 3);

    /// Classical Gram-Schmidt, vector by vector, each made orthogonal to those before it.
    fn gram_schmidt_on_vectors(vectors: &mut Vec<Vec<f64>>) -> f64 {
        let mut volume = 1.0;
        for i in 0..vectors.len() {
            let mut v = vectors[i].clone();
            for j in 0..i {
                let mut dot = 0.0;
                for k in 0..v.len() {
                    dot += vectors[i][k] * vectors[j][k];
                }
                for k in 0..v.len() {
                    v[k] -= dot * vectors[j][k];
                }
            }
            let mut norm = 0.0;
            for x in &v {
                norm += x * x;
            }
            norm = norm.sqrt();
            for x in &mut v {
                *x /= norm;
            }
            volume *= norm;
            vectors[i] = v;
        }
        volume
    }
    at (&mut vec![vec![1.3, 0.6, -0.4], vec![2.0, 0.7, 0.2]]), (&mut vec![vec![1.3, 0.6], vec![-0.4, 2.0]]);
}

/// Rows as arrays change places as wholes; a matrix without a pivot of some size is given up on.
#[differentiate]
#[differentiate]
fn lu_by_rows<const N: usize>(a: &mut [[f64; N]; N], b: &mut [f64; N]) -> f64 {
    let mut determinant = 1.0;
    for c in 0..N {
        let mut pivot = c;
        let mut largest = 0.0;
        for r in c..N {
            if a[r][c].abs() > largest {
                (pivot, largest) = (r, a[r][c].abs());
            }
        }
        if largest < 0.05 {
            *b = [largest; N];
            return 0.0;
        }
        a.swap(c, pivot);
        b.swap(c, pivot);
        determinant *= if pivot == c { a[c][c] } else { -a[c][c] };
        for r in c + 1..N {
            let factor = a[r][c] / a[c][c];
            a[r][c] = 0.0;
            for k in c + 1..N {
                a[r][k] -= factor * a[c][k];
            }
            b[r] -= factor * b[c];
        }
    }
    for i in (0..N).rev() {
        for k in i + 1..N {
            b[i] -= a[i][k] * b[k];
        }
        b[i] /= a[i][i];
    }
    determinant
}

/// The matrix in local arrays, made from a slice and left behind.
#[differentiate]
#[differentiate]
fn lu_three_by_three(a: &[f64], b: &mut [f64]) -> f64 {
    let mut rows = [[0.0; 3]; 3];
    for i in 0..3 {
        for j in 0..3 {
            rows[i][j] = a[3 * i + j];
        }
    }
    let mut right = [b[0], b[1], b[2]];
    let determinant = lu_by_rows(&mut rows, &mut right);
    b.copy_from_slice(&right);
    determinant
}

/// The pivots behind a `&mut [usize]`, and the matrix as rows on the heap that change places.
#[differentiate]
#[differentiate]
fn lu_factors(a: &mut [Vec<f64>], pivots: &mut [usize]) {
    let n = a.len();
    for c in 0..n {
        let mut p = c;
        for r in c + 1..n {
            if a[r][c].abs() > a[p][c].abs() {
                p = r;
            }
        }
        pivots[c] = p;
        a.swap(c, p);
        let (above, below) = a.split_at_mut(c + 1);
        let pivot_row = &above[c];
        for row in below.iter_mut() {
            row[c] /= pivot_row[c];
            for k in c + 1..n {
                row[k] -= row[c] * pivot_row[k];
            }
        }
    }
}

#[differentiate]
#[differentiate]
fn lu_substitution(a: &[Vec<f64>], pivots: &[usize], b: &mut [f64]) {
    for (c, &p) in pivots.iter().enumerate() {
        b.swap(c, p);
    }
    for i in 0..a.len() {
        for k in 0..i {
            b[i] -= a[i][k] * b[k];
        }
    }
    for i in (0..a.len()).rev() {
        for k in i + 1..a.len() {
            b[i] -= a[i][k] * b[k];
        }
        b[i] /= a[i][i];
    }
}

/// One factorization for two systems, of which the second has the first one's solution at its right.
#[differentiate]
#[differentiate]
fn lu_twice(matrix: &[f64], b: &mut [f64]) {
    let n = b.len();
    let mut a = vec![vec![0.0; n]; n];
    for (i, row) in a.iter_mut().enumerate() {
        row.copy_from_slice(&matrix[i * n..(i + 1) * n]);
    }
    let mut pivots = vec![0; n];
    lu_factors(&mut a, &mut pivots);
    lu_substitution(&a, &pivots, b);
    lu_substitution(&a, &pivots, b);
}

/// Reflections stay below the diagonal and on it; the diagonal of R is returned aside, as in LINPACK.
#[differentiate]
#[differentiate]
fn householder(a: &mut [f64], diagonal: &mut [f64], m: usize, n: usize) {
    for k in 0..n {
        let mut norm = 0.0;
        for i in k..m {
            norm += a[i * n + k] * a[i * n + k];
        }
        norm = norm.sqrt();
        if norm == 0.0 {
            diagonal[k] = 0.0;
            continue;
        }
        if a[k * n + k] > 0.0 {
            norm = -norm;
        }
        a[k * n + k] -= norm;
        diagonal[k] = norm;
        let half = -norm * a[k * n + k];
        for j in k + 1..n {
            let mut s = 0.0;
            for i in k..m {
                s += a[i * n + k] * a[i * n + j];
            }
            s /= half;
            for i in k..m {
                a[i * n + j] -= s * a[i * n + k];
            }
        }
    }
}

/// Reflects the right-hand side and solves in place; what is left below is the residual.
#[differentiate]
#[differentiate]
fn householder_solution(a: &[f64], diagonal: &[f64], b: &mut [f64], m: usize, n: usize) -> f64 {
    for k in 0..n {
        let mut s = 0.0;
        for i in k..m {
            s += a[i * n + k] * b[i];
        }
        s /= -diagonal[k] * a[k * n + k];
        for i in k..m {
            b[i] -= s * a[i * n + k];
        }
    }
    for k in (0..n).rev() {
        b[k] /= diagonal[k];
        for i in 0..k {
            b[i] -= b[k] * a[i * n + k];
        }
    }
    let mut square = 0.0;
    for i in n..m {
        square += b[i] * b[i];
    }
    square
}

#[differentiate]
#[differentiate]
fn least_squares(a: &[f64], b: &[f64], x: &mut [f64], m: usize) -> f64 {
    let n = x.len();
    let mut qr = a.to_vec();
    let mut diagonal = vec![0.0; n];
    householder(&mut qr, &mut diagonal, m, n);
    let mut right = b.to_vec();
    let square = householder_solution(&qr, &diagonal, &mut right, m, n);
    x.copy_from_slice(&right[..n]);
    square
}

#[differentiate]
#[differentiate]
fn log_determinant_by_reflections(a: &[f64], m: usize, n: usize) -> f64 {
    let mut a = a.to_vec();
    let mut diagonal = vec![0.0; n];
    householder(&mut a, &mut diagonal, m, n);
    let mut log = 0.0;
    for d in diagonal {
        log += d.abs().ln();
    }
    log
}

checks! {
    lu_by_rows at (&mut [[0.3, 1.0, 0.5], [1.4, 3.0, 0.2], [0.5, -2.2, 2.0]], &mut [1.0, 2.0, 3.0]),
        (&mut [[1.0, 2.0], [0.5, 1.01]], &mut [1.0, 2.0]), (&mut [[0.01]], &mut [1.0]);
    lu_three_by_three at (&[0.3, 1.0, 0.5, 1.4, 3.0, 0.2, 0.5, -2.2, 2.0], &mut [1.0, 2.0, 3.0]);
    lu_twice at (&[0.3, 1.0, 0.5, 1.4, 3.0, 0.2, 0.5, -2.2, 2.0], &mut [1.0, 2.0, 3.0]), (&[2.0], &mut [0.3]);
    householder at (&mut [1.3, 0.6, -0.4, 2.0, 0.7, 0.2], &mut [9.0, 8.0], 3, 2), (&mut [-1.3, 0.6, 0.4, 2.0], &mut [9.0, 8.0], 2, 2);
    least_squares at (&[1.3, 0.6, -0.4, 2.0, 0.7, 0.2], &[1.0, 2.0, 3.0], &mut [9.0, 8.0], 3), (&[-1.3, 0.6, 0.4, 2.0], &[1.0, 2.0], &mut [9.0, 8.0], 2);
    log_determinant_by_reflections at (&[1.3, 0.6, -0.4, 2.0], 2, 2), (&[1.3, 0.6, -0.4, 2.0, 0.7, 0.2], 3, 2);
}

mod closed_form {
    use super::*;

    /// Takes several exchanges of rows.
    const GENERAL: [f64; 16] =
        [0.1, 0.3, 0.9, 2.0, 0.4, 1.0, -0.3, 0.2, 1.1, 0.6, 0.2, 0.7, -3.0, 0.5, 0.8, 0.1];
    const SMALL: [f64; 9] = [0.3, 1.0, 0.5, 1.4, 3.0, 0.2, 0.5, -2.2, 2.0];
    const POSITIVE: [f64; 9] = [4.0, 1.0, 0.5, 1.0, 3.0, 0.2, 0.5, 0.2, 2.0];
    /// Four rows, three columns.
    const TALL: [f64; 12] = [1.3, 0.6, -0.4, 2.0, 0.7, 0.2, 0.1, -0.5, 0.8, -0.9, 0.3, 1.1];

    fn below(i: usize, j: usize) -> f64 {
        if j < i { 1.0 } else { 0.0 }
    }

    fn above(i: usize, j: usize) -> f64 {
        if i < j { 1.0 } else { 0.0 }
    }

    fn diagonal(i: usize, j: usize) -> f64 {
        if i == j { 1.0 } else { 0.0 }
    }

    /// `L` and `U` from the storage that both share.
    fn factors(lu: &[f64], n: usize) -> (Vec<f64>, Vec<f64>) {
        let one = oracle::weighed(&vec![1.0; n * n], n, diagonal);
        let lower = oracle::sum(&one, &oracle::weighed(lu, n, below));
        (lower, oracle::weighed(lu, n, |i, j| 1.0 - below(i, j)))
    }

    /// The rows of `a` in the order in which they are those of `lu`, which must be `P a`.
    fn order(lu: &[f64], a: &[f64], n: usize) -> Vec<usize> {
        let same = |x: &[f64], y: &[f64]| x.iter().zip(y).all(|(x, y)| (x - y).abs() < 1e-14);
        let find = |row: &[f64]| a.chunks(n).position(|other| same(row, other)).unwrap();
        lu.chunks(n).map(find).collect()
    }

    /// `P dA = dL U + L dU`, hence `L⁻¹ P dA U⁻¹` is strictly lower, `L⁻¹ dL`, and upper, `dU U⁻¹`.
    fn lu_moved(lu: &[f64], da: &[f64]) -> Vec<f64> {
        let (lower, upper) = factors(lu, 4);
        let rows = order(&oracle::product(&lower, &upper, 4), &GENERAL, 4);
        let moved: Vec<f64> = rows.iter().flat_map(|&r| da[4 * r..4 * r + 4].to_vec()).collect();
        let left = oracle::product(&oracle::inverse(&lower, 4), &moved, 4);
        let inner = oracle::product(&left, &oracle::inverse(&upper, 4), 4);
        let dl = oracle::product(&lower, &oracle::weighed(&inner, 4, below), 4);
        let du = oracle::product(&oracle::weighed(&inner, 4, |i, j| 1.0 - below(i, j)), &upper, 4);
        oracle::sum(&dl, &du)
    }

    #[test]
    fn lu_with_row_exchanges() {
        use super::lu_with_row_exchanges::lu_with_row_exchanges;
        let (a, b) = (GENERAL, [1.0, -0.5, 0.3, 2.0]);
        let (mut lu, mut x) = (a, b);
        lu_with_row_exchanges(&mut lu, &mut x, 4);
        assert_jacobian(20, ROUNDING, modes!(lu_with_row_exchanges(a, b; 4)), |d| {
            let (da, db) = d.split_at(16);
            let log = oracle::log_determinant_moved(&a, da, 4);
            let dx = oracle::solution_moved(&a, &b, da, db, 4);
            [vec![log], lu_moved(&lu, da), dx].concat()
        });
    }

    #[test]
    fn lu_by_rows() {
        let (a, b) = (SMALL, [1.0, 2.0, 3.0]);
        let whole = oracle::determinant(&a, 3);
        assert_jacobian(12, ROUNDING, modes!(lu_three_by_three(a, b)), |d| {
            let (da, db) = d.split_at(9);
            let determinant = whole * oracle::log_determinant_moved(&a, da, 3);
            let dx = oracle::solution_moved(&a, &b, da, db, 3);
            [&[determinant], da, &dx].concat()
        });
    }

    #[test]
    fn lu_twice() {
        use super::lu_twice;
        let (a, b) = (SMALL, [1.0, 2.0, 3.0]);
        let y = oracle::solution(&a, &b, 3);
        assert_jacobian(12, ROUNDING, modes!(lu_twice(a, b)), |d| {
            let (da, db) = d.split_at(9);
            let dy = oracle::solution_moved(&a, &b, da, db, 3);
            [da, &oracle::solution_moved(&a, &y, da, &dy, 3)].concat()
        });
    }

    #[test]
    fn lu_through_a_list_of_rows() {
        use super::lu_through_a_list_of_rows::lu_through_a_list_of_rows;
        let (a, b, weights) = (GENERAL, [1.0, -0.5, 0.3, 2.0], vec![0.3, -0.8, 1.1, 0.6]);
        let (x, pullback) = lu_through_a_list_of_rows::vjp(&a, &b, 4);
        let (mut a_bar, mut b_bar) = ([0.0; 16], [0.0; 4]);
        pullback(&a, &mut a_bar, &b, &mut b_bar, weights.clone());
        let lambda = oracle::solution(&oracle::transpose(&a, 4), &weights, 4);
        oracle::assert_near("right-hand side", ROUNDING, &b_bar, &lambda);
        let outer = oracle::scaled(-1.0, &oracle::product(&lambda, &x, 1));
        oracle::assert_near("matrix", ROUNDING, &a_bar, &outer);
    }

    /// `L⁻¹ dA L⁻ᵀ`, for the symmetric matrix whose lower triangle is given.
    fn inner(lower: &[f64], da: &[f64]) -> Vec<f64> {
        let half = oracle::weighed(da, 3, |i, j| below(i, j) + 0.5 * diagonal(i, j));
        let symmetric = oracle::sum(&half, &oracle::transpose(&half, 3));
        let inverse = oracle::inverse(lower, 3);
        oracle::product(
            &oracle::product(&inverse, &symmetric, 3),
            &oracle::transpose(&inverse, 3),
            3,
        )
    }

    /// The lower triangle, with half of the diagonal.
    fn lower_half(a: &[f64]) -> Vec<f64> {
        oracle::weighed(a, 3, |i, j| below(i, j) + 0.5 * diagonal(i, j))
    }

    /// `dL = L Φ(L⁻¹ dA L⁻ᵀ)`, and twice the trace of the same `Φ` is that of `log det`. What is left of
    /// the upper triangle is what `rest` says.
    fn cholesky_moved(lower: &[f64], da: &[f64], rest: f64) -> Vec<f64> {
        let phi = lower_half(&inner(lower, da));
        let log: f64 = (0..3).map(|i| 2.0 * phi[4 * i]).sum();
        let dl = oracle::product(lower, &phi, 3);
        let upper = oracle::weighed(da, 3, |i, j| rest * above(i, j));
        [vec![log], oracle::sum(&dl, &upper)].concat()
    }

    #[test]
    fn cholesky_by_rows() {
        use super::cholesky_by_rows::cholesky_by_rows;
        let a = POSITIVE;
        let mut lower = a;
        cholesky_by_rows(&mut lower, 3);
        let square = oracle::product(&lower, &oracle::transpose(&lower, 3), 3);
        oracle::assert_near("L Lᵀ", ROUNDING, &square, &a);
        let expected = |da: &[f64]| cholesky_moved(&lower, da, 0.0);
        assert_jacobian(9, ROUNDING, modes!(cholesky_by_rows(a; 3)), expected);
    }

    #[test]
    fn cholesky_by_columns() {
        use crate::linear_algebra::cholesky_in_place::cholesky_in_place;
        let a = POSITIVE;
        let mut lower = a;
        cholesky_in_place(&mut lower, 3);
        let lower = oracle::weighed(&lower, 3, |i, j| 1.0 - above(i, j));
        let expected = |da: &[f64]| cholesky_moved(&lower, da, 1.0);
        assert_jacobian(9, ROUNDING, modes!(cholesky_in_place(a; 3)), expected);
    }

    /// With unit `L`: `L⁻¹ dA L⁻ᵀ = F D + dD + D Fᵀ`, where `F = L⁻¹ dL` is strictly lower.
    #[test]
    fn ldl_in_packed_storage() {
        use super::ldl_in_packed_storage::ldl_in_packed_storage;
        let full = |packed: &[f64]| {
            let [a, b, c, d, e, f] = packed.try_into().unwrap();
            vec![a, 0.0, 0.0, b, c, 0.0, d, e, f]
        };
        let a = vec![4.0, 1.0, 3.0, 0.5, 0.2, 2.0];
        let mut done = a.clone();
        ldl_in_packed_storage(&mut done, 3);
        let pivots = [done[0], done[2], done[5]];
        let (lower, _) = factors(&full(&done), 3);
        assert_jacobian(6, ROUNDING, modes!(ldl_in_packed_storage(a; 3)), |da| {
            let inner = inner(&lower, &full(da));
            let f = oracle::weighed(&inner, 3, |i, j| below(i, j) / pivots[j]);
            let dl = oracle::product(&lower, &f, 3);
            vec![inner[0], dl[3], inner[4], dl[6], dl[7], inner[8]]
        });
    }

    /// With `C = Qᵀ dA R⁻¹`, of which `dR R⁻¹` is the upper half of `C + Cᵀ`: `dQ = dA R⁻¹ - Q dR R⁻¹`.
    #[test]
    fn gram_schmidt() {
        use super::gram_schmidt::gram_schmidt;
        let (a, r) = (TALL, [9.0; 9]);
        let (mut q, mut upper) = (a, r);
        gram_schmidt(&mut q, &mut upper, 4, 3);
        oracle::assert_near("Q R", ROUNDING, &oracle::product(&q, &upper, 3), &a);
        assert_jacobian(21, ROUNDING, modes!(gram_schmidt(a, r; 4, 3)), |d| {
            let scaled = oracle::product(&d[..12], &oracle::inverse(&upper, 3), 3);
            let c = oracle::product(&oracle::transpose(&q, 3), &scaled, 4);
            let both = oracle::sum(&c, &oracle::transpose(&c, 3));
            let part = oracle::weighed(&both, 3, |i, j| above(i, j) + 0.5 * diagonal(i, j));
            let dq = oracle::difference(&scaled, &oracle::product(&q, &part, 3));
            [dq, oracle::product(&part, &upper, 3)].concat()
        });
    }

    /// The volume of a parallelepiped is `sqrt det(V Vᵀ)`, of which the gradient is itself times `(V Vᵀ)⁻¹ V`.
    #[test]
    fn gram_schmidt_on_vectors() {
        use super::gram_schmidt_on_vectors::gram_schmidt_on_vectors;
        let vectors = oracle::transpose(&TALL, 3);
        let gram = oracle::product(&vectors, &TALL, 4);
        let volume = oracle::determinant(&gram, 3).sqrt();
        let expected =
            oracle::scaled(volume, &oracle::product(&oracle::inverse(&gram, 3), &vectors, 3));
        let mut rows: Vec<Vec<f64>> = vectors.chunks(4).map(<[f64]>::to_vec).collect();
        let gradient = gram_schmidt_on_vectors::gradient(&mut rows).concat();
        oracle::assert_near("volume", ROUNDING, &gradient, &expected);
    }

    /// `log |det R|` is half of `log det(Aᵀ A)`: its derivative is `tr((Aᵀ A)⁻¹ Aᵀ dA)`.
    #[test]
    fn determinant_by_reflections() {
        let a = TALL;
        let transposed = oracle::transpose(&a, 3);
        let normal = oracle::product(&transposed, &a, 4);
        let modes = modes!(log_determinant_by_reflections(a; 4, 3));
        assert_jacobian(12, ROUNDING, modes, |da| {
            let half = oracle::product(&transposed, da, 4);
            [&[oracle::log_determinant_moved(&normal, &half, 3)], da].concat()
        });
    }

    /// From the normal equations: `(Aᵀ A) dx = dAᵀ r + Aᵀ (db - dA x)` with the residual `r = b - A x`.
    #[test]
    fn least_squares() {
        use super::least_squares;
        let (a, b, x) = (TALL, [1.0, 2.0, 3.0, -1.0], [9.0; 3]);
        let transposed = oracle::transpose(&a, 3);
        let normal = oracle::product(&transposed, &a, 4);
        let best = oracle::solution(&normal, &oracle::product(&transposed, &b, 4), 3);
        let residual = oracle::difference(&b, &oracle::product(&a, &best, 3));
        assert_jacobian(19, ROUNDING, modes!(least_squares(a, b, x; 4)), |d| {
            let (da, db) = (&d[..12], &d[12..16]);
            let moved = oracle::difference(db, &oracle::product(da, &best, 3));
            let left = oracle::product(&oracle::transpose(da, 3), &residual, 4);
            let right = oracle::sum(&left, &oracle::product(&transposed, &moved, 4));
            let square = 2.0 * oracle::dot(&residual, &moved);
            [&[square], da, db, &oracle::solution(&normal, &right, 3)].concat()
        });
    }
}
