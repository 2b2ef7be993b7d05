//! Rules of what is between two vectors or points, and of the largest and the smallest entry.

use nalgebra_0_35::allocator::Allocator;
use nalgebra_0_35::{Const, DefaultAllocator, Dim, OMatrix, OPoint, RealField, SVector};

use super::components::Components as _;
use super::entries::Entries;
use crate::{Float, differentiate, primitive, zero_adjoint};

/// What is between two vectors or points.
#[differentiate]
#[differentiate]
pub trait Between<T: Float> {
    /// A part of the way, `y = (1 - t) a + t b`: `ā += (1 - t) ȳ`, `b̄ += t ȳ`, `t̄ = (b - a)·ȳ`.
    fn lerp(&self, rhs: &Self, t: T) -> Self;
}

#[differentiate]
#[differentiate]
impl<T: Float + RealField, const D: usize> Between<T> for SVector<T, D> {
    fn lerp(&self, rhs: &Self, t: T) -> Self {
        rhs.scale(t) + self.scale(T::literal(1.0) - t)
    }
}

#[differentiate]
#[differentiate]
impl<T: Float + RealField, const D: usize> Between<T> for OPoint<T, Const<D>> {
    fn lerp(&self, rhs: &Self, t: T) -> Self {
        let coords = rhs.coords.scale(t) + self.coords.scale(T::literal(1.0) - t);
        OPoint::<T, Const<D>>::from(coords)
    }
}

/// Matrices of which each entry takes one value.
#[differentiate]
#[differentiate]
pub trait Flooded<T: Float>: Entries<T> {
    /// `x[i] = v`: `v̄ = Σ x̄[i]`, and of what was there before nothing is left.
    fn fill(&mut self, value: T);
}

#[differentiate]
#[differentiate]
impl<T, R, C> Flooded<T> for OMatrix<T, R, C>
where
    T: Float + RealField,
    R: Dim,
    C: Dim,
    DefaultAllocator: Allocator<R, C>,
{
    #[primitive(vjp = fill_vjp, jvp = fill_jvp)]
    fn fill(&mut self, value: T) {
        self.fill(value);
    }
}

fn fill_vjp<T, R, C>(
    x: &mut OMatrix<T, R, C>,
    value: T,
) -> ((), impl FnOnce(&mut OMatrix<T, R, C>, &mut OMatrix<T, R, C>, ()) -> T + use<T, R, C>)
where
    T: Float + RealField,
    R: Dim,
    C: Dim,
    DefaultAllocator: Allocator<R, C>,
{
    let before = x.clone();
    x.fill(value);
    let back = move |x: &mut OMatrix<T, R, C>, x_bar: &mut OMatrix<T, R, C>, (): ()| {
        x.copy_from(&before);
        let bar = x_bar.sum();
        x_bar.fill(T::literal(0.0));
        bar
    };
    ((), back)
}

#[differentiate]
fn fill_jvp<T, R, C>(
    x: &mut OMatrix<T, R, C>,
    x_dot: &mut OMatrix<T, R, C>,
    value: T,
    value_dot: T,
) -> ((), ())
where
    T: Float + RealField,
    R: Dim,
    C: Dim,
    DefaultAllocator: Allocator<R, C>,
{
    x.fill(value);
    x_dot.fill(value_dot);
    ((), ())
}

/// The largest and the smallest entry.
#[differentiate]
#[differentiate]
pub trait Extremes<T: Float>: Entries<T> {
    /// The largest entry, `m = x[i]`: `x̄[i] += m̄`, of equal ones the first.
    fn max(&self) -> T;

    /// The smallest one, likewise.
    fn min(&self) -> T;
}

#[differentiate]
#[differentiate]
impl<T, R, C> Extremes<T> for OMatrix<T, R, C>
where
    T: Float + RealField,
    R: Dim,
    C: Dim,
    DefaultAllocator: Allocator<R, C>,
{
    #[primitive(vjp = max_vjp, jvp = max_jvp)]
    fn max(&self) -> T {
        self.max()
    }

    #[primitive(vjp = min_vjp, jvp = min_jvp)]
    fn min(&self) -> T {
        self.min()
    }
}

/// Where an entry is first.
fn place_of<T: Float, M: Entries<T>>(x: &M, value: T) -> Option<usize> {
    x.entries().iter().position(|entry| *entry == value)
}

macro_rules! extreme {
    ($method:ident $vjp:ident $jvp:ident $place:ident) => {
        /// Where it is. Of a matrix without entries it is nowhere.
        #[zero_adjoint]
        fn $place<T, R, C>(x: &OMatrix<T, R, C>) -> usize
        where
            T: Float + RealField,
            R: Dim,
            C: Dim,
            DefaultAllocator: Allocator<R, C>,
        {
            place_of(x, x.$method()).unwrap_or(0)
        }

        fn $vjp<T, R, C>(
            x: &OMatrix<T, R, C>,
        ) -> (T, impl FnOnce(&OMatrix<T, R, C>, &mut OMatrix<T, R, C>, T) + use<T, R, C>)
        where
            T: Float + RealField,
            R: Dim,
            C: Dim,
            DefaultAllocator: Allocator<R, C>,
        {
            let value = x.$method();
            (value, move |x: &OMatrix<T, R, C>, x_bar: &mut OMatrix<T, R, C>, bar: T| {
                if let Some(at) = place_of(x, value) {
                    x_bar[at] += bar;
                }
            })
        }

        #[differentiate]
        fn $jvp<T, R, C>(x: &OMatrix<T, R, C>, x_dot: &OMatrix<T, R, C>) -> (T, T)
        where
            T: Float + RealField,
            R: Dim,
            C: Dim,
            DefaultAllocator: Allocator<R, C>,
        {
            if x.is_empty() {
                return (x.$method(), T::literal(0.0));
            }
            let at = $place(x);
            (x.$method(), x_dot[at])
        }
    };
}

extreme!(max max_vjp max_jvp place_of_max);
extreme!(min min_vjp min_jvp place_of_min);
