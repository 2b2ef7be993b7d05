//! Rules of products that have methods of their own.

use nalgebra_0_35::allocator::Allocator;
use nalgebra_0_35::{DefaultAllocator, Dim, OMatrix, RealField};

use crate::{Differentiable, Float, differentiate, primitive};

/// Products of a transpose with a matrix of `K` columns.
#[differentiate]
#[differentiate]
pub trait TransposedProduct<K> {
    /// The type of that matrix.
    type Factor: Differentiable;
    /// The type of the product.
    type Product: Differentiable;

    /// The transpose times another matrix, `y = xᵀ b`: `x̄ += b ȳᵀ`, `b̄ += x ȳ`.
    fn tr_mul(&self, b: &Self::Factor) -> Self::Product;
}

#[differentiate]
#[differentiate]
impl<T, R, C, K> TransposedProduct<K> for OMatrix<T, R, C>
where
    T: Float + RealField,
    R: Dim,
    C: Dim,
    K: Dim,
    DefaultAllocator: Allocator<R, C> + Allocator<R, K> + Allocator<C, K> + Allocator<K, C>,
{
    type Factor = OMatrix<T, R, K>;
    type Product = OMatrix<T, C, K>;

    #[primitive(vjp = tr_mul_vjp, jvp = tr_mul_jvp)]
    fn tr_mul(&self, b: &Self::Factor) -> Self::Product {
        self.tr_mul(b)
    }
}

fn tr_mul_vjp<T, R, C, K>(
    x: &OMatrix<T, R, C>,
    b: &OMatrix<T, R, K>,
) -> (
    OMatrix<T, C, K>,
    impl FnOnce(
        &OMatrix<T, R, C>,
        &mut OMatrix<T, R, C>,
        &OMatrix<T, R, K>,
        &mut OMatrix<T, R, K>,
        OMatrix<T, C, K>,
    ) + use<T, R, C, K>,
)
where
    T: Float + RealField,
    R: Dim,
    C: Dim,
    K: Dim,
    DefaultAllocator: Allocator<R, C> + Allocator<R, K> + Allocator<C, K> + Allocator<K, C>,
{
    let back = |x: &OMatrix<T, R, C>,
                x_bar: &mut OMatrix<T, R, C>,
                b: &OMatrix<T, R, K>,
                b_bar: &mut OMatrix<T, R, K>,
                bar: OMatrix<T, C, K>| {
        *x_bar += b * bar.transpose();
        *b_bar += x * bar;
    };
    (x.tr_mul(b), back)
}

#[differentiate]
fn tr_mul_jvp<T, R, C, K>(
    x: &OMatrix<T, R, C>,
    x_dot: &OMatrix<T, R, C>,
    b: &OMatrix<T, R, K>,
    b_dot: &OMatrix<T, R, K>,
) -> (OMatrix<T, C, K>, OMatrix<T, C, K>)
where
    T: Float + RealField,
    R: Dim,
    C: Dim,
    K: Dim,
    DefaultAllocator: Allocator<R, C> + Allocator<R, K> + Allocator<C, K> + Allocator<K, C>,
{
    (x.tr_mul(b), x_dot.tr_mul(b) + x.tr_mul(b_dot))
}
