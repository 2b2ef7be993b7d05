//! The linear system of an implicit function: which solver, and what is wrong with it.
//!
//! **In:** the solution, and products of the derivative of `g` with directions. **Out:** solutions of `A x = b` and
//! `Aᵀ x = b`. **Invariant:** up to [`LARGEST`] unknowns there is one factorisation for all right-hand sides of a
//! derivative; beyond, no matrix is stored while a Krylov method converges.

use alloc::vec::Vec;

use super::dense::Dense;
use super::krylov::{self, Stalled, norm};
use super::unknown::Unknown;
use crate::float::Float;

/// The most unknowns of a system that is factored at once.
pub const LARGEST: usize = 200;

/// The most unknowns of one that is factored where a Krylov method does not converge.
const LARGEST_IN_NEED: usize = 2000;

/// Which equation the solution `y` solves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `g(y) = 0`.
    Root,
    /// `g(y) = y`.
    FixedPoint,
    /// `g(y) = 0`, where `g` is the gradient of an objective, so that its derivative is symmetric.
    Argmin,
}

/// An implicit function, as messages name it.
#[derive(Clone, Copy, Debug)]
pub struct Implicit {
    /// The function that solves.
    pub function: &'static str,
    /// The function whose derivatives are used.
    pub equation: &'static str,
    /// Which equation.
    pub kind: Kind,
    /// Whether derivatives check that the solution is one.
    pub is_watched: bool,
}

impl Implicit {
    /// Gives a right-hand side its sign.
    pub(super) fn turn<T: Float>(&self, side: &mut [T]) {
        match self.kind {
            Kind::FixedPoint => {}
            Kind::Root | Kind::Argmin => side.iter_mut().for_each(|side| *side = -*side),
        }
    }

    /// Makes the product with the matrix of the system of that with the derivative of `g`.
    pub(super) fn complete<T: Float>(&self, along: &[T], product: &mut [T]) {
        match self.kind {
            Kind::FixedPoint => {
                along.iter().zip(product).for_each(|(along, product)| *product = *along - *product);
            }
            Kind::Root | Kind::Argmin => {}
        }
    }

    /// Names the matrix in the user's words.
    fn subject(&self) -> &'static str {
        match self.kind {
            Kind::Root => "the derivative of",
            Kind::FixedPoint => "one minus the derivative of",
            Kind::Argmin => "the second derivative of",
        }
    }
}

/// The equation near its solution.
pub(super) struct Point<'p, Y, R> {
    implicit: &'p Implicit,
    value: &'p Y,
    product: &'p mut dyn FnMut(&Y, &Y) -> (R, R),
    /// The value of `g`.
    image: Option<R>,
}

impl<'p, Y: Unknown, R: Unknown<Float = Y::Float>> Point<'p, Y, R> {
    pub(super) fn new(
        implicit: &'p Implicit,
        value: &'p Y,
        product: &'p mut dyn FnMut(&Y, &Y) -> (R, R),
    ) -> Self {
        Point { implicit, value, product, image: None }
    }

    /// The number of unknowns.
    fn len(&self) -> usize {
        self.value.entries().len()
    }

    /// As many floats as there are unknowns.
    #[track_caller]
    pub(super) fn sized<'e, T>(&self, entries: &'e [T]) -> &'e [T] {
        let Implicit { function, equation, .. } = self.implicit;
        let (floats, unknowns) = (entries.len(), self.len());
        assert!(
            floats == unknowns,
            "`{function}`: `{equation}` has {floats} floats for {unknowns} unknowns, so that there is no one solution"
        );
        entries
    }

    /// The product of the system's matrix with a direction.
    #[track_caller]
    fn apply(&mut self, along: &Y) -> R {
        let (image, mut product) = (self.product)(self.value, along);
        self.sized(product.entries());
        self.image.get_or_insert(image);
        self.implicit.complete(along.entries(), product.entries_mut());
        product
    }

    /// Returns the residual, which is zero at a solution.
    #[track_caller]
    fn residual(&mut self) -> Y {
        if self.image.is_none() {
            self.apply(&self.value.zero());
        }
        let mut residual = self.value.zero();
        let image = self.image.iter().flat_map(|image| image.entries());
        for ((residual, &image), &value) in
            residual.entries_mut().iter_mut().zip(image).zip(self.value.entries())
        {
            *residual = match self.implicit.kind {
                Kind::FixedPoint => image - value,
                Kind::Root | Kind::Argmin => image,
            };
        }
        residual
    }

    /// Panics, since there is no derivative.
    #[track_caller]
    fn refuse(&mut self, trouble: &str, condition: f64) -> ! {
        let (residual, implicit) = (norm(self.residual().entries()), self.implicit);
        panic!(
            "`{}` has no derivative here: {} `{}` by its first parameter {trouble} at the solution \
             (norm of the residual {residual:.1e}, condition {condition:.1e})",
            implicit.function,
            implicit.subject(),
            implicit.equation,
        )
    }
}

/// A system that is looked at when there is something to solve for, or derivatives check the solution.
pub(super) struct Deferred<T>(Option<System<T>>);

impl<T: Float> Deferred<T> {
    #[track_caller]
    pub(super) fn new<Y, R>(point: &mut Point<Y, R>) -> Self
    where
        Y: Unknown<Float = T>,
        R: Unknown<Float = T>,
    {
        let mut deferred = Deferred(None);
        if point.implicit.is_watched {
            deferred.get(point).check_solution(point);
        }
        deferred
    }

    #[track_caller]
    pub(super) fn get<Y, R>(&mut self, point: &mut Point<Y, R>) -> &System<T>
    where
        Y: Unknown<Float = T>,
        R: Unknown<Float = T>,
    {
        if self.0.is_none() {
            self.0 = Some(System::new(point));
        }
        self.0.as_ref().expect("the system that was just made")
    }
}

/// How systems with the matrix are solved.
pub(super) enum System<T> {
    /// By division.
    Scalar(T),
    /// By its factors.
    Dense(Dense<T>),
    /// By products with it.
    MatrixFree,
    /// Not all of its entries are finite.
    Undefined,
}

impl<T: Float> System<T> {
    #[track_caller]
    fn new<Y, R>(point: &mut Point<Y, R>) -> Self
    where
        Y: Unknown<Float = T>,
        R: Unknown<Float = T>,
    {
        match point.len() {
            1 => Self::scalar(point),
            0..=LARGEST => Self::factored(point),
            _ => {
                // Sizes are compared here, where it is known who asks.
                point.apply(&point.value.zero());
                System::MatrixFree
            }
        }
    }

    #[track_caller]
    fn scalar<Y, R>(point: &mut Point<Y, R>) -> Self
    where
        Y: Unknown<Float = T>,
        R: Unknown<Float = T>,
    {
        let mut unit = point.value.zero();
        unit.entries_mut()[0] = T::one();
        let slope = point.apply(&unit).entries()[0];
        match slope.is_finite() {
            true if slope == T::zero() => point.refuse("is singular", f64::INFINITY),
            true => System::Scalar(slope),
            false => System::Undefined,
        }
    }

    #[track_caller]
    fn factored<Y, R>(point: &mut Point<Y, R>) -> Self
    where
        Y: Unknown<Float = T>,
        R: Unknown<Float = T>,
    {
        let (n, mut unit) = (point.len(), point.value.zero());
        let mut matrix = alloc::vec![T::zero(); n * n];
        for column in 0..n {
            unit.entries_mut()[column] = T::one();
            put(&mut matrix, column, point.apply(&unit).entries());
            unit.entries_mut()[column] = T::zero();
        }
        let Some(dense) = Dense::of(matrix, n) else { return System::Undefined };
        let condition = dense.condition();
        if is_singular::<T>(condition, n) {
            point.refuse("is singular", condition);
        }
        System::Dense(dense)
    }

    /// Puts the solution of a system with the matrix in the place of its right-hand side.
    #[track_caller]
    pub(super) fn solve<Y, R>(&self, side: &mut [T], point: &mut Point<Y, R>)
    where
        Y: Unknown<Float = T>,
        R: Unknown<Float = T>,
    {
        match self {
            System::Scalar(slope) => side[0] /= *slope,
            System::Dense(dense) => dense.solve(side),
            System::MatrixFree => {
                solve_by_products(side, point, |point, along| {
                    point.apply(along).entries().to_vec()
                });
            }
            System::Undefined => side.fill(T::nan()),
        }
    }

    /// Puts the solution of a system with the transposed matrix in the place of its right-hand side. `transposed` makes
    /// products with that matrix.
    #[track_caller]
    pub(super) fn solve_transposed<Y, R>(
        &self,
        side: &mut [T],
        point: &mut Point<Y, R>,
        mut transposed: impl FnMut(&Y) -> Y,
    ) where
        Y: Unknown<Float = T>,
        R: Unknown<Float = T>,
    {
        match self {
            System::Scalar(slope) => side[0] /= *slope,
            System::Dense(dense) => dense.solve_transposed(side),
            System::MatrixFree => {
                solve_by_products(side, point, |_, along| transposed(along).entries().to_vec());
            }
            System::Undefined => side.fill(T::nan()),
        }
    }

    /// Panics where a step of Newton's method leads away from the solution, by more than the cube root of the rounding
    /// of one, relative to one and to the solution.
    #[track_caller]
    fn check_solution<Y, R>(&self, point: &mut Point<Y, R>)
    where
        Y: Unknown<Float = T>,
        R: Unknown<Float = T>,
    {
        let mut step = point.residual();
        let residual = norm(step.entries());
        self.solve(step.entries_mut(), point);
        let step = norm(step.entries());
        let most =
            num_traits::Float::cbrt(wide(T::epsilon())) * (1.0 + norm(point.value.entries()));
        let Implicit { function, equation, .. } = point.implicit;
        assert!(
            step <= most || step.is_nan(),
            "`{function}` returns what does not solve the equation of `{equation}`: the norm of the residual is \
             {residual:.1e}, and a solution is {step:.1e} away"
        );
    }
}

/// Puts the solution in the place of the right-hand side, by products with the matrix. Panics where there is none.
#[track_caller]
fn solve_by_products<Y, R>(
    side: &mut [Y::Float],
    point: &mut Point<Y, R>,
    mut apply: impl FnMut(&mut Point<Y, R>, &Y) -> Vec<Y::Float>,
) where
    Y: Unknown,
    R: Unknown<Float = Y::Float>,
{
    let (kind, mut direction) = (point.implicit.kind, point.value.zero());
    let found = iterated(kind, side, &mut |along| {
        direction.entries_mut().copy_from_slice(along);
        apply(point, &direction)
    });
    if let Err(Stalled { is_singular, condition }) = found {
        let trouble = match is_singular {
            true => "is singular",
            false => "has a system that GMRES does not solve",
        };
        point.refuse(trouble, condition);
    }
}

/// Puts the solution in the place of the right-hand side, by products alone; where they do not lead to it and the matrix
/// is not too large, by its factors.
fn iterated<T: Float>(
    kind: Kind,
    side: &mut [T],
    apply: &mut dyn FnMut(&[T]) -> Vec<T>,
) -> Result<(), Stalled> {
    if !side.iter().all(|side| side.is_finite()) {
        side.fill(T::nan());
        return Ok(());
    }
    let symmetric =
        (kind == Kind::Argmin).then(|| krylov::conjugate_gradients(apply, side)).flatten();
    match symmetric.map_or_else(|| krylov::gmres(apply, side), Ok) {
        Ok(solution) => side.copy_from_slice(&solution),
        Err(_) if side.len() <= LARGEST_IN_NEED => return in_need(side, apply),
        Err(stalled) => return Err(stalled),
    }
    Ok(())
}

/// Puts the solution in the place of the right-hand side, by the factors of a matrix that is made column by column.
fn in_need<T: Float>(side: &mut [T], apply: &mut dyn FnMut(&[T]) -> Vec<T>) -> Result<(), Stalled> {
    let n = side.len();
    let (mut matrix, mut unit) = (alloc::vec![T::zero(); n * n], alloc::vec![T::zero(); n]);
    for column in 0..n {
        unit[column] = T::one();
        put(&mut matrix, column, &apply(&unit));
        unit[column] = T::zero();
    }
    let Some(dense) = Dense::of(matrix, n) else {
        side.fill(T::nan());
        return Ok(());
    };
    let condition = dense.condition();
    if is_singular::<T>(condition, n) {
        return Err(Stalled { is_singular: true, condition });
    }
    dense.solve(side);
    Ok(())
}

/// Whether a matrix with so many rows and such a condition is singular, as far as floats of this type tell: the rounding of
/// a sum for each row, magnified by the condition, is as large as the solution.
pub(super) fn is_singular<T: Float>(condition: f64, n: usize) -> bool {
    let is_regular = condition * n as f64 * wide(T::epsilon()) < 1.0;
    !is_regular
}

/// Puts the entries of a column into a matrix.
fn put<T: Float>(matrix: &mut [T], column: usize, entries: &[T]) {
    for (row, entry) in matrix.chunks_exact_mut(entries.len()).zip(entries) {
        row[column] = *entry;
    }
}

/// A float as a double, for messages and bounds.
pub(super) fn wide<T: Float>(float: T) -> f64 {
    float.to_f64().unwrap_or(f64::NAN)
}
