//! Messages between processes that MPI connects, with the feature `mpi`, which needs an MPI library on the machine.
//!
//! A function that all processes call is one function of what all of them hold. So are its derivatives: **what is
//! differentiated is the sum of what the processes return**, each with its own cotangent. Where all return the same
//! value, a cotangent of one on one process, and of zero on the others, gives the gradient of that value:
//!
//! ```standalone_crate
//! # extern crate mpi_0_8 as mpi;
//! use cotangent::differentiate;
//! use cotangent::mpi::{broadcast, sum};
//! use mpi::topology::SimpleCommunicator;
//! use mpi::traits::*;
//!
//! /// Each process has its own part of the data, and the slope of the first one counts.
//! #[differentiate(constant(world, x, y))]
//! fn misfit(world: &SimpleCommunicator, slope: &[f64], x: &[f64], y: &[f64]) -> f64 {
//!     let slope = broadcast(world, 0, slope)[0];
//!     let mut own = 0.0;
//!     for (x, y) in x.iter().zip(y) {
//!         own += (y - slope * x) * (y - slope * x);
//!     }
//!     sum(world, own)
//! }
//!
//! let universe = mpi::initialize().expect("no other use of MPI");
//! let world = universe.world();
//! let (x, y, mut slope_bar) = ([1.0, 2.0], [1.5, 2.5], [0.0]);
//! let (value, pullback) = misfit::vjp(&world, &[1.0], &x, &y);
//! let seed = if world.rank() == 0 { 1.0 } else { 0.0 };
//! pullback(&world, &[1.0], &mut slope_bar, &x, &y, seed);
//! # assert_eq!((value, slope_bar), (0.5, [-3.0]));
//! ```
//!
//! The first process now holds the derivative by its `slope`, and the others hold zero, since theirs do not count. With `gradient`
//! in the place of `vjp` each process would have a cotangent of one: that is the gradient of the value times their number.
//!
//! The pullback of a message is a message in the opposite direction (J. Utke, L. Hascoët, P. Heimbach, C. Hill, P. Hovland, U.
//! Naumann, "Toward Adjoinable MPI", IPDPS 2009): that of a sum over all processes is such a sum, that of a
//! broadcast adds up on the process that it came from, and `gather` and `scatter` are each other's. **Invariant:** all
//! processes run the same derivatives in the same order, as they run the function.
//!
//! The functions have derivatives of the first and the second order.

use alloc::vec;
use alloc::vec::Vec;
use mpi_0_8::collective::SystemOperation;
use mpi_0_8::topology::SimpleCommunicator;
use mpi_0_8::traits::{Communicator, CommunicatorCollectives, Equivalence, Root};

use crate::differentiable::without_tangent;
use crate::{Float, differentiate, primitive};

// Processes are not differentiated by.
without_tangent!([] SimpleCommunicator);

/// The sum of the processes' `x`, on each of them: `MPI_Allreduce`.
///
/// The adjoint is the sum of the processes' cotangents.
#[primitive(vjp = sum_vjp, jvp = sum_jvp, constant(world))]
#[differentiate(constant(world))]
#[differentiate]
pub fn sum<T: Float + Equivalence>(world: &SimpleCommunicator, x: T) -> T {
    let mut sum = T::zero();
    world.all_reduce_into(&x, &mut sum, SystemOperation::sum());
    sum
}

fn sum_vjp<T: Float + Equivalence>(
    world: &SimpleCommunicator,
    x: T,
) -> (T, impl FnOnce(&SimpleCommunicator, T) -> T + use<T>) {
    (sum(world, x), |world: &SimpleCommunicator, y_bar: T| sum(world, y_bar))
}

#[differentiate(constant(world))]
fn sum_jvp<T: Float + Equivalence>(world: &SimpleCommunicator, x: T, x_dot: T) -> (T, T) {
    (sum(world, x), sum(world, x_dot))
}

/// The sums of the processes' `x`, entry by entry, on each of them: `MPI_Allreduce`. All are of the same length.
///
/// The adjoint is the sum of the processes' cotangents.
#[primitive(vjp = sums_vjp, jvp = sums_jvp, constant(world))]
#[differentiate(constant(world))]
#[differentiate]
pub fn sums<T: Float + Equivalence>(world: &SimpleCommunicator, x: &[T]) -> Vec<T> {
    let mut sums = vec![T::zero(); x.len()];
    world.all_reduce_into(x, &mut sums[..], SystemOperation::sum());
    sums
}

fn sums_vjp<T: Float + Equivalence>(
    world: &SimpleCommunicator,
    x: &[T],
) -> (Vec<T>, impl FnOnce(&SimpleCommunicator, &[T], &mut [T], Vec<T>) + use<T>) {
    let pullback = |world: &SimpleCommunicator, _: &[T], x_bar: &mut [T], y_bar: Vec<T>| {
        add(x_bar, &sums(world, &y_bar));
    };
    (sums(world, x), pullback)
}

#[differentiate(constant(world))]
fn sums_jvp<T: Float + Equivalence>(
    world: &SimpleCommunicator,
    x: &[T],
    x_dot: &[T],
) -> (Vec<T>, Vec<T>) {
    (sums(world, x), sums(world, x_dot))
}

/// What the process `root` holds as `x`, on each of them: `MPI_Bcast`. All are of the same length, and only that of `root` counts.
///
/// The adjoint is the sum of the processes' cotangents on `root`, and zero on the others.
///
/// # Panics
///
/// When there is no process `root`.
#[primitive(vjp = broadcast_vjp, jvp = broadcast_jvp, constant(world))]
#[differentiate(constant(world))]
#[differentiate]
pub fn broadcast<T: Float + Equivalence>(world: &SimpleCommunicator, root: i32, x: &[T]) -> Vec<T> {
    let mut buffer = x.to_vec();
    world.process_at_rank(root).broadcast_into(&mut buffer[..]);
    buffer
}

fn broadcast_vjp<T: Float + Equivalence>(
    world: &SimpleCommunicator,
    root: i32,
    x: &[T],
) -> (Vec<T>, impl FnOnce(&SimpleCommunicator, &[T], &mut [T], Vec<T>) + use<T>) {
    let pullback = move |world: &SimpleCommunicator, _: &[T], x_bar: &mut [T], y_bar: Vec<T>| {
        let process = world.process_at_rank(root);
        if world.rank() != root {
            return process.reduce_into(&y_bar[..], SystemOperation::sum());
        }
        let mut sums = vec![T::zero(); y_bar.len()];
        process.reduce_into_root(&y_bar[..], &mut sums[..], SystemOperation::sum());
        add(x_bar, &sums);
    };
    (broadcast(world, root, x), pullback)
}

#[differentiate(constant(world))]
fn broadcast_jvp<T: Float + Equivalence>(
    world: &SimpleCommunicator,
    root: i32,
    x: &[T],
    x_dot: &[T],
) -> (Vec<T>, Vec<T>) {
    (broadcast(world, root, x), broadcast(world, root, x_dot))
}

/// One after the other what the processes hold as `x`, on the process `root`: `MPI_Gather`. All are of the same length. On the
/// other processes the result is empty.
///
/// The adjoint is `scatter` of the cotangent on `root`.
///
/// # Panics
///
/// When there is no process `root`.
#[primitive(vjp = gather_vjp, jvp = gather_jvp, constant(world))]
#[differentiate(constant(world))]
#[differentiate]
pub fn gather<T: Float + Equivalence>(world: &SimpleCommunicator, root: i32, x: &[T]) -> Vec<T> {
    let process = world.process_at_rank(root);
    if world.rank() != root {
        process.gather_into(x);
        return Vec::new();
    }
    let mut all = vec![T::zero(); x.len() * count(world)];
    process.gather_into_root(x, &mut all[..]);
    all
}

fn gather_vjp<T: Float + Equivalence>(
    world: &SimpleCommunicator,
    root: i32,
    x: &[T],
) -> (Vec<T>, impl FnOnce(&SimpleCommunicator, &[T], &mut [T], Vec<T>) + use<T>) {
    let pullback = move |world: &SimpleCommunicator, _: &[T], x_bar: &mut [T], y_bar: Vec<T>| {
        add(x_bar, &scatter(world, root, &y_bar, x_bar.len()));
    };
    (gather(world, root, x), pullback)
}

#[differentiate(constant(world))]
fn gather_jvp<T: Float + Equivalence>(
    world: &SimpleCommunicator,
    root: i32,
    x: &[T],
    x_dot: &[T],
) -> (Vec<T>, Vec<T>) {
    (gather(world, root, x), gather(world, root, x_dot))
}

/// The own part, `len` long, of what the process `root` holds as `x`: `MPI_Scatter`. What the others pass does not count.
///
/// The adjoint is `gather` of the cotangents on `root`, and zero on the others.
///
/// # Panics
///
/// When there is no process `root`, or when `x` on it is not `len` times as long as there are processes.
#[primitive(vjp = scatter_vjp, jvp = scatter_jvp, constant(world))]
#[differentiate(constant(world))]
#[differentiate]
pub fn scatter<T: Float + Equivalence>(
    world: &SimpleCommunicator,
    root: i32,
    x: &[T],
    len: usize,
) -> Vec<T> {
    let (process, mut own) = (world.process_at_rank(root), vec![T::zero(); len]);
    if world.rank() != root {
        process.scatter_into(&mut own[..]);
        return own;
    }
    assert_eq!(x.len(), len * count(world), "a part for each process");
    process.scatter_into_root(x, &mut own[..]);
    own
}

fn scatter_vjp<T: Float + Equivalence>(
    world: &SimpleCommunicator,
    root: i32,
    x: &[T],
    len: usize,
) -> (Vec<T>, impl FnOnce(&SimpleCommunicator, &[T], &mut [T], Vec<T>) + use<T>) {
    let pullback = move |world: &SimpleCommunicator, _: &[T], x_bar: &mut [T], y_bar: Vec<T>| {
        let all = gather(world, root, &y_bar);
        if world.rank() == root {
            add(x_bar, &all);
        }
    };
    (scatter(world, root, x, len), pullback)
}

#[differentiate(constant(world))]
fn scatter_jvp<T: Float + Equivalence>(
    world: &SimpleCommunicator,
    root: i32,
    x: &[T],
    x_dot: &[T],
    len: usize,
) -> (Vec<T>, Vec<T>) {
    (scatter(world, root, x, len), scatter(world, root, x_dot, len))
}

fn count(world: &SimpleCommunicator) -> usize {
    usize::try_from(world.size()).expect("a number of processes")
}

fn add<T: Float>(place: &mut [T], values: &[T]) {
    assert_eq!(place.len(), values.len(), "a shadow of the value's length");
    place.iter_mut().zip(values).for_each(|(place, value)| *place += *value);
}
