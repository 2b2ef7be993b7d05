//! Rules of methods.

use nalgebra_0_35::allocator::Allocator;
use nalgebra_0_35::{DefaultAllocator, Dim, OMatrix, RealField};

use crate::{Float, differentiate, primitive};

/// What a matrix is asked for.
#[differentiate]
pub trait Norms<T: Float> {
    /// The root of the sum of squares.
    fn norm(&self) -> T;
}

#[differentiate]
impl<T, R, C> Norms<T> for OMatrix<T, R, C>
where
    T: Float + RealField,
    R: Dim,
    C: Dim,
    DefaultAllocator: Allocator<R, C>,
{
    #[primitive(vjp = norm_vjp, jvp = norm_jvp)]
    fn norm(&self) -> T {
        self.norm()
    }
}

fn norm_vjp<T, R, C>(
    x: &OMatrix<T, R, C>,
) -> (T, impl FnOnce(&OMatrix<T, R, C>, &mut OMatrix<T, R, C>, T) + use<T, R, C>)
where
    T: Float + RealField,
    R: Dim,
    C: Dim,
    DefaultAllocator: Allocator<R, C>,
{
    let norm = x.norm();
    (norm, move |x: &OMatrix<T, R, C>, x_bar: &mut OMatrix<T, R, C>, bar: T| {
        let scale = bar / norm;
        x_bar.zip_apply(x, |x_bar, x| *x_bar += scale * x);
    })
}

fn norm_jvp<T, R, C>(x: &OMatrix<T, R, C>, x_dot: &OMatrix<T, R, C>) -> (T, T)
where
    T: Float + RealField,
    R: Dim,
    C: Dim,
    DefaultAllocator: Allocator<R, C>,
{
    let norm = x.norm();
    (norm, x.dot(x_dot) / norm)
}
