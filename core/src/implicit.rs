//! Implicit differentiation: derivatives of a solution by those of the equation that it solves.
//!
//! **In:** the solution `y`, and closures that emitted code makes of the derivatives of `g`, where `g(y, p) = 0`
//! ([`Kind::Root`]), `g(y, p) = y` ([`Kind::FixedPoint`]), or `g` is the gradient of an objective by `y` and zero
//! ([`Kind::Argmin`]). **Out:** the tangents of `y`, or the cotangents of `g` whose pullback gives those of the
//! parameters.
//!
//! By the implicit function theorem `A ẏ = ∓ (∂g/∂p) ṗ` with `A = ∂g/∂y`, or `A = 1 - ∂g/∂y` for a fixed point, and
//! adjoint to it `Aᵀ ḡ = ∓ ȳ` and `p̄ += (∂g/∂p)ᵀ ḡ`; the sign is `+` for a fixed point. Derivatives of any order solve
//! systems with the same `A` (A. Griewank and A. Walther, "Evaluating Derivatives", 2008, chapter 15): the component of
//! `g` along several directions is linear in that of `y` along all of them, with `A` as its matrix, and everything else
//! in it is of fewer directions. So components are found by the number of their directions, one direction first.
//!
//! **Invariants:** nothing is solved for where the unknown has no entries or the right-hand side is zero. A system whose entries are not all finite has
//! solutions that are NaN; one that is singular to working precision is a panic that names the function, the norm of
//! the residual and the condition.

mod dense;
mod krylov;
mod system;
#[cfg(test)]
mod tests;
mod unknown;

pub use system::{Implicit, Kind};
pub use unknown::{Unknown, first, shaped};

use crate::float::Float;
use system::{Deferred, Point};

/// Returns a solution with its tangents: `TIMES` components, of which the first is the value. The bits of a component's
/// index say along which directions it is a derivative.
///
/// `product` takes the solution and a direction, and returns `g` and its derivative along that direction with the
/// parameters held. `equation` takes components of the unknown, and returns those of `g` along the directions of the
/// parameters.
///
/// # Panics
///
/// When `g` has not as many floats as the unknown, or the system is singular.
#[track_caller]
pub fn tangents<Y, R, const TIMES: usize>(
    implicit: &Implicit,
    value: Y,
    mut product: impl FnMut(&Y, &Y) -> (R, R),
    mut equation: impl FnMut(&[Y; TIMES]) -> [R; TIMES],
) -> [Y; TIMES]
where
    Y: Unknown,
    R: Unknown<Float = Y::Float>,
{
    let mut unknown: [Y; TIMES] = core::array::from_fn(|_| value.zero());
    unknown[0] = value.clone();
    if value.entries().is_empty() {
        return unknown;
    }
    let mut point = Point::new(implicit, &value, &mut product);
    let mut system = Deferred::new(&mut point);
    for directions in 1..=TIMES.ilog2() {
        let components = equation(&unknown);
        for index in indices::<TIMES>(directions) {
            let side = unknown[index].entries_mut();
            side.copy_from_slice(point.sized(components[index].entries()));
            implicit.turn(side);
            if !is_zero(side) {
                system.get(&mut point).solve(side, &mut point);
            }
        }
    }
    unknown
}

/// Returns the cotangents of `g`, and their tangents: `TIMES` components, as of [`tangents`].
///
/// `pull` takes such components, and returns those of the cotangent of the unknown that the pullback of `g` makes of
/// them.
///
/// # Panics
///
/// Like [`tangents`], and when a seed has not as many floats as the unknown.
#[track_caller]
pub fn cotangents<Y, R, const TIMES: usize>(
    implicit: &Implicit,
    unknown: &[Y; TIMES],
    seeds: [Y; TIMES],
    mut product: impl FnMut(&Y, &Y) -> (R, R),
    mut pull: impl FnMut(&[Y; TIMES]) -> [Y; TIMES],
) -> [Y; TIMES]
where
    Y: Unknown,
    R: Unknown<Float = Y::Float>,
{
    let value = &unknown[0];
    let mut cotangents: [Y; TIMES] = core::array::from_fn(|_| value.zero());
    if value.entries().is_empty() {
        return cotangents;
    }
    let mut point = Point::new(implicit, value, &mut product);
    let mut system = Deferred::new(&mut point);
    for directions in 0..=TIMES.ilog2() {
        let pulled = (directions > 0).then(|| pull(&cotangents));
        for index in indices::<TIMES>(directions) {
            let side = cotangents[index].entries_mut();
            side.copy_from_slice(point.sized(seeds[index].entries()));
            for pulled in pulled.iter().map(|pulled| pulled[index].entries()) {
                side.iter_mut().zip(pulled).for_each(|(side, pulled)| *side += *pulled);
            }
            implicit.turn(side);
            if is_zero(side) {
                continue;
            }
            system.get(&mut point).solve_transposed(side, &mut point, |cotangent| {
                let mut components: [Y; TIMES] = core::array::from_fn(|_| value.zero());
                components[0] = cotangent.clone();
                let mut pulled =
                    pull(&components).into_iter().next().expect("a component for no direction");
                implicit.complete(cotangent.entries(), pulled.entries_mut());
                pulled
            });
        }
    }
    cotangents
}

/// Whether there is nothing to solve for: what did not happen contributes nothing, whatever the system is.
fn is_zero<T: Float>(side: &[T]) -> bool {
    side.iter().all(|side| *side == T::zero())
}

/// The indices of components along so many directions.
fn indices<const TIMES: usize>(directions: u32) -> impl Iterator<Item = usize> {
    (0..TIMES).filter(move |index| index.count_ones() == directions)
}
