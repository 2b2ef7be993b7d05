//! Rules of products by `dot`, of vectors and matrices.

use ndarray_0_17::linalg::{general_mat_mul, general_mat_vec_mul};
use ndarray_0_17::{Array, Array1, Array2, Axis, Ix1, Ix2, LinalgScalar};

use crate::{Differentiable, Float, differentiate, primitive};

/// Products by `dot`.
#[doc(hidden)]
#[differentiate]
#[differentiate]
pub trait Products<B> {
    type Product: Differentiable;

    /// `dot`, `y = x b`: `x̄ += ȳ bᵀ`, `b̄ += xᵀ ȳ`.
    #[differentiate(companion = dot)]
    fn __dot(&self, b: &B) -> Self::Product;
}

/// Shadows of operands that nobody reads: what goes back to them need not be computed.
#[doc(hidden)]
pub trait UnreadProducts<B>: Sized {
    /// One of the receiver.
    fn __dot_unread_0(&self, b: &B) -> Self;

    /// One of `b`, likewise.
    fn __dot_unread_1(&self, b: &B) -> B;
}

/// A shadow that nobody reads, and whether a place is one.
trait Unread: Differentiable<Tangent = Self> + Sized {
    fn unread(&self) -> Self {
        self.zero_tangent()
    }

    fn is_read(&self) -> bool {
        true
    }
}

impl<F: Float> Unread for Array1<F> {}

impl<F: Float> Unread for Array2<F> {
    /// Without entries, in a shape that no other array has.
    fn unread(&self) -> Self {
        Array2::from_shape_fn(UNREAD, |_| F::zero())
    }

    fn is_read(&self) -> bool {
        self.dim() != UNREAD
    }
}

const UNREAD: (usize, usize) = (0, isize::MAX as usize);

/// Adds the product of a column with a row.
fn add_outer<F: Float + LinalgScalar>(to: &mut Array2<F>, column: &Array1<F>, row: &Array1<F>) {
    let (column, row) = (column.view().insert_axis(Axis(1)), row.view().insert_axis(Axis(0)));
    general_mat_mul(F::one(), &column, &row, F::one(), to);
}

/// Adds to a shadow. Where the trait of tangents is in scope, its `dot` goes before that of arrays.
fn accumulate<T: crate::Tangent>(shadow: &mut T, cotangent: T) {
    shadow.accumulate(cotangent);
}

macro_rules! products {
    ($(
        $a:ident $b:ident $product:ty: $vjp:ident $jvp:ident
        |$x:ident, $x_bar:ident, $y:ident, $y_bar:ident, $bar:ident| $by_x:expr, $by_y:expr;
    )*) => {$(
        #[differentiate]
        #[differentiate]
        impl<F: Float + LinalgScalar> Products<Array<F, $b>> for Array<F, $a> {
            type Product = $product;

            #[primitive(vjp = $vjp, jvp = $jvp, companion = dot)]
            fn __dot(&self, b: &Array<F, $b>) -> Self::Product {
                self.dot(b)
            }
        }

        fn $vjp<F: Float + LinalgScalar>(
            x: &Array<F, $a>,
            b: &Array<F, $b>,
        ) -> (
            $product,
            impl FnOnce(
                &Array<F, $a>,
                &mut Array<F, $a>,
                &Array<F, $b>,
                &mut Array<F, $b>,
                $product,
            ) + use<F>,
        ) {
            let back = |$x: &Array<F, $a>,
                        $x_bar: &mut Array<F, $a>,
                        $y: &Array<F, $b>,
                        $y_bar: &mut Array<F, $b>,
                        $bar: $product| {
                if $x_bar.is_read() {
                    $by_x
                }
                if $y_bar.is_read() {
                    $by_y
                }
            };
            (x.dot(b), back)
        }

        #[differentiate]
        fn $jvp<F: Float + LinalgScalar>(
            x: &Array<F, $a>,
            x_dot: &Array<F, $a>,
            b: &Array<F, $b>,
            b_dot: &Array<F, $b>,
        ) -> ($product, $product) {
            (x.dot(b), x_dot.dot(b) + x.dot(b_dot))
        }

        impl<F: Float + LinalgScalar> UnreadProducts<Array<F, $b>> for Array<F, $a> {
            fn __dot_unread_0(&self, _: &Array<F, $b>) -> Self {
                self.unread()
            }

            fn __dot_unread_1(&self, b: &Array<F, $b>) -> Array<F, $b> {
                b.unread()
            }
        }
    )*};
}

products! {
    Ix1 Ix1 F: inner_vjp inner_jvp |x, x_bar, y, y_bar, bar|
        accumulate(x_bar, y.mapv(|y| y * bar)),
        accumulate(y_bar, x.mapv(|x| x * bar));
    Ix2 Ix1 Array1<F>: from_left_vjp from_left_jvp |x, x_bar, y, y_bar, bar|
        add_outer(x_bar, &bar, y),
        general_mat_vec_mul(F::one(), &x.t(), &bar, F::one(), y_bar);
    Ix1 Ix2 Array1<F>: from_right_vjp from_right_jvp |x, x_bar, y, y_bar, bar|
        general_mat_vec_mul(F::one(), y, &bar, F::one(), x_bar),
        add_outer(y_bar, x, &bar);
    Ix2 Ix2 Array2<F>: matrices_vjp matrices_jvp |x, x_bar, y, y_bar, bar|
        general_mat_mul(F::one(), &bar, &y.t(), F::one(), x_bar),
        general_mat_mul(F::one(), &x.t(), &bar, F::one(), y_bar);
}
