//! Hessians, column by column: the derivative of the gradient along each coordinate.
//!
//! In comes a closure that runs a function's gradient and the tangent of that along a direction; out goes a
//! [`Matrix`] whose rows and columns are the floats of the active parameters, in the order of
//! [`Tangent::visit`](crate::Tangent::visit).

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::jacobian::{append, count, point, transposed};
use crate::matrix::Matrix;
use crate::output::FloatOutput;
use crate::tangent::Tangent;

/// Value, gradient and Hessian. `product` gives the first two and the Hessian's product with a direction; `zero` is
/// the direction that is none.
pub fn hessian<D: Tangent, Y: FloatOutput<'static>, G>(
    zero: &D,
    mut product: impl FnMut(&mut D) -> (Y, G, D),
) -> (Y, G, Matrix<Y>) {
    let columns = count(zero);
    let mut direction = zero.clone();
    let mut run = |column: usize, entries: &mut Vec<Y>| {
        point(&mut direction, column);
        let (value, gradient, product) = product(&mut direction);
        append(entries, &product);
        (value, gradient)
    };
    let mut entries = Vec::with_capacity(columns * columns);
    let (value, gradient) = run(0, &mut entries);
    for column in 1..columns {
        run(column, &mut entries);
    }
    let hessian = match columns {
        0 => Matrix::from_vec(0, 0, entries),
        _ => transposed(columns, &entries),
    };
    (value, gradient, hessian)
}

/// What the Hessian by one parameter is: a float for a float, else a matrix.
///
/// The lifetime means nothing: see [`FloatOutput`](crate::output::FloatOutput).
pub trait HessianBy<'a>: Sized {
    /// The Hessian of a function whose result is of the type `Y`.
    type Hessian<Y>;

    /// The Hessian from the matrix that it is in any case.
    fn hessian<Y: FloatOutput<'static>>(matrix: Matrix<Y>) -> Self::Hessian<Y>;
}

macro_rules! floats {
    ($($float:ident),*) => {$(
        impl HessianBy<'_> for $float {
            type Hessian<Y> = Y;

            #[inline]
            fn hessian<Y: FloatOutput<'static>>(matrix: Matrix<Y>) -> Y {
                matrix[(0, 0)]
            }
        }
    )*};
}

floats!(f32, f64);

macro_rules! matrices {
    ($([$($generics:tt)*] $type:ty),* $(,)?) => {$(
        impl<$($generics)*> HessianBy<'_> for $type {
            type Hessian<Y> = Matrix<Y>;

            #[inline]
            fn hessian<Y: FloatOutput<'static>>(matrix: Matrix<Y>) -> Matrix<Y> {
                matrix
            }
        }
    )*};
}

matrices!(
    [T] Vec<T>,
    [T, const N: usize] [T; N],
    [T] Option<T>,
    [T] Box<T>,
    [A] (A,),
    [A, B] (A, B),
    [A, B, C] (A, B, C),
    [A, B, C, D] (A, B, C, D),
    [A, B, C, D, E] (A, B, C, D, E),
    [A, B, C, D, E, F] (A, B, C, D, E, F),
);

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    /// `x²y + y³` at a point, along a direction.
    fn product(x: f64, y: f64, (x_dot, y_dot): (f64, f64)) -> (f64, (f64, f64), (f64, f64)) {
        let gradient = (2.0 * x * y, x * x + 3.0 * y * y);
        let dot = (2.0 * (x_dot * y + x * y_dot), 2.0 * x * x_dot + 6.0 * y * y_dot);
        (x * x * y + y * y * y, gradient, dot)
    }

    #[test]
    fn columns_are_products_with_the_coordinates() {
        let (value, gradient, hessian) =
            hessian(&(0.0, 0.0), |direction| product(2.0, 3.0, *direction));
        assert_eq!((value, gradient), (39.0, (12.0, 31.0)));
        assert_eq!(hessian, Matrix::from_vec(2, 2, vec![6.0, 4.0, 4.0, 18.0]));
    }

    #[test]
    fn no_floats_give_an_empty_matrix() {
        let (value, (), hessian) =
            hessian(&Vec::<f64>::new(), |direction| (1.5, (), direction.clone()));
        assert_eq!((value, hessian.rows(), hessian.columns()), (1.5, 0, 0));
    }

    #[test]
    fn a_float_has_a_float() {
        let (_, _, by_float) = hessian(&0.0, |x_dot: &mut f64| (1.0, 2.0, 3.0 * *x_dot));
        assert_eq!(<f64 as HessianBy>::hessian(by_float), 3.0);
    }
}
