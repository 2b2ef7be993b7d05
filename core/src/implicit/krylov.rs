//! Krylov methods: systems that are solved by products with their matrix.
//!
//! **In:** a function that multiplies a vector with the matrix, and a right-hand side. **Out:** the solution, or how far
//! it got. GMRES with restarts is for any matrix (Y. Saad and M. H. Schultz, "GMRES: a generalized minimal residual
//! algorithm for solving nonsymmetric linear systems", 1986), and the method of conjugate gradients for one that is
//! symmetric and positive definite (M. R. Hestenes and E. Stiefel, 1952). **Invariant:** a solution is returned only
//! if its residual, which is computed anew from the matrix, is a few roundings of the terms that it is made of.

use alloc::vec::Vec;

use super::system::{is_singular, wide};
use crate::float::Float;
use crate::kernels::{axpy, dot};

/// The directions that GMRES keeps before it starts again: fewer where they would have more entries than [`ENTRIES`].
const DIRECTIONS: usize = 200;

/// The entries of directions, as long as there are no fewer than [`FEWEST`].
const ENTRIES: usize = 1 << 23;

/// The fewest directions.
const FEWEST: usize = 30;

/// How often it starts.
const STARTS: usize = 20;

/// Why there is no solution.
#[derive(Debug)]
pub struct Stalled {
    pub is_singular: bool,
    /// The condition of the matrix, at least.
    pub condition: f64,
}

/// The Euclidean norm, without overflow.
pub fn norm<T: Float>(x: &[T]) -> f64 {
    let largest = x.iter().fold(0.0_f64, |largest, entry| largest.max(wide(entry.abs())));
    if largest == 0.0 || !largest.is_finite() {
        return if x.iter().any(|entry| entry.is_nan()) { f64::NAN } else { largest };
    }
    let squares: f64 =
        x.iter().map(|&entry| (wide(entry) / largest) * (wide(entry) / largest)).sum();
    largest * num_traits::Float::sqrt(squares)
}

/// How small a residual is beside the norm of what it is the difference of.
fn tolerance<T: Float>(n: usize) -> f64 {
    4.0 * wide(T::epsilon()) * num_traits::Float::sqrt(n as f64)
}

/// `b - A x`.
fn residual<T: Float>(apply: &mut dyn FnMut(&[T]) -> Vec<T>, b: &[T], x: &[T]) -> Vec<T> {
    let product = apply(x);
    b.iter().zip(&product).map(|(b, product)| *b - *product).collect()
}

/// Solves `A x = b` for any matrix that is not singular.
pub fn gmres<T: Float>(apply: &mut dyn FnMut(&[T]) -> Vec<T>, b: &[T]) -> Result<Vec<T>, Stalled> {
    let (n, mut x) = (b.len(), alloc::vec![T::zero(); b.len()]);
    let (mut r, mut size) = (b.to_vec(), 0.0_f64);
    let (mut before, mut condition) = (f64::INFINITY, 1.0_f64);
    let most = DIRECTIONS.min((ENTRIES / n).max(FEWEST)).min(n);
    for _ in 0..STARTS {
        let reached = norm(&r);
        let goes_on = reached < 0.5 * before;
        if reached <= tolerance::<T>(n) * (norm(b) + size * norm(&x)) || !goes_on {
            break;
        }
        before = reached;
        let mut space = Arnoldi::new(&r, reached);
        let small = 0.1 * tolerance::<T>(n) * norm(b);
        while space.columns.len() < most && space.remaining() > small {
            if !space.extend(apply) {
                break;
            }
        }
        (size, condition) = (size.max(space.size), condition.max(space.condition()));
        space.add_correction(&mut x);
        r = residual(apply, b, &x);
    }
    let condition = condition.max(magnification(size, &x, b));
    let is_singular = is_singular::<T>(condition, n);
    match norm(&r) <= tolerance::<T>(n) * (norm(b) + size * norm(&x)) && !is_singular {
        true => Ok(x),
        false => Err(Stalled { is_singular, condition }),
    }
}

/// How much larger a solution is than its right-hand side, where the matrix has at least this size: the condition, at
/// least.
fn magnification<T: Float>(size: f64, x: &[T], b: &[T]) -> f64 {
    if norm(b) == 0.0 { 1.0 } else { size * norm(x) / norm(b) }
}

/// An orthonormal basis of the space that the matrix spans with a vector, and the matrix in it, made triangular by
/// rotations.
struct Arnoldi<T> {
    basis: Vec<Vec<T>>,
    /// The columns of the triangle.
    columns: Vec<Vec<T>>,
    rotations: Vec<(T, T)>,
    /// The right-hand side in the basis, rotated.
    side: Vec<T>,
    /// The norm of the matrix, at least.
    size: f64,
}

impl<T: Float> Arnoldi<T> {
    fn new(r: &[T], length: f64) -> Self {
        let length = T::literal(length);
        let first = r.iter().map(|entry| *entry / length).collect();
        Arnoldi {
            basis: alloc::vec![first],
            columns: Vec::new(),
            rotations: Vec::new(),
            side: alloc::vec![length],
            size: 0.0,
        }
    }

    /// The norm of the residual that the space leaves.
    fn remaining(&self) -> f64 {
        wide(self.side[self.columns.len()].abs())
    }

    /// Takes one more product in. Returns whether there is a direction to go on with.
    fn extend(&mut self, apply: &mut dyn FnMut(&[T]) -> Vec<T>) -> bool {
        let last = self.columns.len();
        let mut next = apply(&self.basis[last]);
        let before = norm(&next);
        self.size = self.size.max(before);
        let mut column = self.orthogonalise(&mut next);
        let length = norm(&next);
        let is_new = length > wide(T::epsilon()) * before;
        let length = if is_new { T::literal(length) } else { T::zero() };
        for (i, &(c, s)) in self.rotations.iter().enumerate() {
            (column[i], column[i + 1]) =
                (c * column[i] + s * column[i + 1], c * column[i + 1] - s * column[i]);
        }
        let diagonal = column[last].hypot(length);
        let (c, s) = match diagonal == T::zero() {
            true => (T::one(), T::zero()),
            false => (column[last] / diagonal, length / diagonal),
        };
        column[last] = diagonal;
        self.rotations.push((c, s));
        let rest = self.side[last];
        self.side[last] = c * rest;
        self.side.push(-s * rest);
        self.columns.push(column);
        if is_new {
            self.basis.push(next.iter().map(|entry| *entry / length).collect());
        }
        is_new
    }

    /// Takes what lies in the space out of a vector, twice, since once leaves rounding. Returns the components.
    fn orthogonalise(&self, next: &mut [T]) -> Vec<T> {
        let mut components = alloc::vec![T::zero(); self.basis.len()];
        for _ in 0..2 {
            for (component, direction) in components.iter_mut().zip(&self.basis) {
                let part = dot(direction, next);
                *component += part;
                axpy(-part, direction, next);
            }
        }
        components
    }

    /// The ratio of the largest to the smallest entry on the diagonal: the condition, at least.
    fn condition(&self) -> f64 {
        let diagonal = self.columns.iter().enumerate().map(|(i, column)| wide(column[i].abs()));
        let (least, most) =
            diagonal.fold((f64::INFINITY, 0.0_f64), |(least, most), d| (least.min(d), most.max(d)));
        if most == 0.0 { f64::INFINITY } else { most / least }
    }

    /// Adds what reduces the residual most.
    fn add_correction(&self, x: &mut [T]) {
        let n = self
            .columns
            .iter()
            .enumerate()
            .take_while(|(i, column)| column[*i] != T::zero())
            .count();
        let mut weights = self.side[..n].to_vec();
        for i in (0..n).rev() {
            weights[i] /= self.columns[i][i];
            let weight = weights[i];
            for (above, entry) in weights[..i].iter_mut().zip(&self.columns[i]) {
                *above -= weight * *entry;
            }
        }
        for (weight, direction) in weights.iter().zip(&self.basis) {
            axpy(*weight, direction, x);
        }
    }
}

/// Solves `A x = b` for a matrix that is symmetric and positive definite. Returns nothing where it is not, or where
/// rounding keeps the method from its end.
pub fn conjugate_gradients<T: Float>(
    apply: &mut dyn FnMut(&[T]) -> Vec<T>,
    b: &[T],
) -> Option<Vec<T>> {
    let (n, mut x) = (b.len(), alloc::vec![T::zero(); b.len()]);
    let (mut r, mut direction, mut size) = (b.to_vec(), b.to_vec(), 0.0_f64);
    let mut square = dot(&r, &r);
    for _ in 0..2 * n {
        if norm(&r) <= 0.1 * tolerance::<T>(n) * norm(b) {
            break;
        }
        let product = apply(&direction);
        size = size.max(norm(&product) / norm(&direction));
        let curvature = dot(&direction, &product);
        let is_convex = curvature > T::zero();
        if !is_convex {
            return None;
        }
        axpy(square / curvature, &direction, &mut x);
        axpy(-square / curvature, &product, &mut r);
        let next = dot(&r, &r);
        let ratio = next / square;
        direction
            .iter_mut()
            .zip(&r)
            .for_each(|(direction, r)| *direction = *r + ratio * *direction);
        square = next;
    }
    let reached = norm(&residual(apply, b, &x));
    let is_small = reached <= tolerance::<T>(n) * (norm(b) + size * norm(&x));
    (is_small && !is_singular::<T>(magnification(size, &x, b), n)).then_some(x)
}
