//! Dense systems: LU factors of the equilibrated matrix, and an estimate of its condition.
//!
//! **In:** a square matrix, row after row. **Out:** solutions with it and with its transpose. **Invariant:** rows and
//! columns are scaled by powers of two, so that units of unknowns and of residuals change neither the pivots nor the
//! condition, and no entry is rounded (N. J. Higham, "Accuracy and Stability of Numerical Algorithms", 2002, sections
//! 7.3, 9.8 and 15.3).

use alloc::vec::Vec;

use super::system::wide;
use crate::float::Float;
use crate::kernels::Factors;

/// Products with the inverse, at most, that estimate its norm.
const STEPS: usize = 5;

/// The factors.
pub struct Dense<T> {
    /// None where a pivot is zero.
    factors: Option<Factors<T>>,
    rows: Vec<T>,
    columns: Vec<T>,
    /// The largest sum of the entries of a column, without their signs, after scaling.
    norm: T,
}

impl<T: Float> Dense<T> {
    /// The factors of a matrix, or `None` where an entry is not finite.
    pub fn of(mut matrix: Vec<T>, n: usize) -> Option<Self> {
        if !matrix.iter().all(|entry| entry.is_finite()) {
            return None;
        }
        let rows: Vec<T> = matrix.chunks_exact(n).map(|row| scale(row.iter())).collect();
        for (row, factor) in matrix.chunks_exact_mut(n).zip(&rows) {
            row.iter_mut().for_each(|entry| *entry *= *factor);
        }
        let columns: Vec<T> =
            (0..n).map(|column| scale(matrix[column..].iter().step_by(n))).collect();
        matrix.chunks_exact_mut(n).for_each(|row| scale_by(row, &columns));
        let sums = (0..n).map(|column| magnitude(matrix[column..].iter().step_by(n)));
        let norm = sums.fold(T::zero(), T::max);
        Some(Dense { factors: Factors::of(&matrix, n), rows, columns, norm })
    }

    /// The condition of the scaled matrix in the norm of sums of columns, at least: infinite where it is singular.
    pub fn condition(&self) -> f64 {
        match &self.factors {
            Some(factors) => wide(self.norm) * wide(inverse_norm(factors, self.rows.len())),
            None => f64::INFINITY,
        }
    }

    /// Puts the solution in the place of the right-hand side.
    pub fn solve(&self, side: &mut [T]) {
        scale_by(side, &self.rows);
        self.factors().solve(side);
        scale_by(side, &self.columns);
    }

    /// Puts the solution of the system with the transposed matrix in the place of the right-hand side.
    pub fn solve_transposed(&self, side: &mut [T]) {
        scale_by(side, &self.columns);
        self.factors().solve_transposed(side);
        scale_by(side, &self.rows);
    }

    fn factors(&self) -> &Factors<T> {
        self.factors.as_ref().expect("a matrix whose condition is finite")
    }
}

/// The sum of some entries without their signs.
fn magnitude<'e, T: Float>(entries: impl Iterator<Item = &'e T>) -> T {
    entries.fold(T::zero(), |sum, entry| sum + entry.abs())
}

fn scale_by<T: Float>(entries: &mut [T], factors: &[T]) {
    entries.iter_mut().zip(factors).for_each(|(entry, factor)| *entry *= *factor);
}

/// The power of two that brings the largest of some entries to between one and two, as far as it is a float.
fn scale<'e, T: Float>(entries: impl Iterator<Item = &'e T>) -> T {
    let largest = entries.fold(T::zero(), |largest, entry| largest.max(entry.abs()));
    if largest == T::zero() {
        return T::one();
    }
    let (mantissa, exponent, _) = largest.integer_decode();
    let leading = i32::from(exponent) + 63 - mantissa.leading_zeros() as i32;
    let limit = T::max_value().log2().to_i32().unwrap_or(0) - 2;
    T::literal(2.0).powi(-leading.clamp(-limit, limit))
}

/// A lower bound of the norm of an inverse, and mostly close to it (W. W. Hager, "Condition estimates", 1984).
fn inverse_norm<T: Float>(factors: &Factors<T>, n: usize) -> T {
    let mut x = alloc::vec![T::one() / T::literal(n as f64); n];
    let mut estimate = T::zero();
    for _ in 0..STEPS {
        factors.solve(&mut x);
        let next = magnitude(x.iter());
        let is_larger = next > estimate;
        if !is_larger {
            break;
        }
        estimate = next;
        let mut signs: Vec<T> = x.iter().map(|entry| entry.signum()).collect();
        factors.solve_transposed(&mut signs);
        let largest =
            (0..n).fold(0, |best, i| if signs[i].abs() > signs[best].abs() { i } else { best });
        x.fill(T::zero());
        x[largest] = T::one();
    }
    if x.iter().any(|entry| entry.is_nan()) { T::infinity() } else { estimate }
}
