//! Rules of methods that take a matrix entry by entry, whatever its sizes are: norms, sums, and products of entries.
//!
//! Bars are cotangents and dots are tangents, as in the formulas of the crate's documentation.

use nalgebra_0_35::allocator::Allocator;
use nalgebra_0_35::{DefaultAllocator, Dim, OMatrix, RealField};

use super::entries::Entries;
use crate::norm::by_norm;
use crate::{Float, differentiate, primitive};

/// What is computed from the entries of a matrix, or of two of the same sizes.
#[differentiate]
#[differentiate]
pub trait Components<T: Float>: Entries<T> {
    /// The sum of products, `s = Σ x[i] y[i]`: `x̄ += s̄ y`, `ȳ += s̄ x`.
    fn dot(&self, y: &Self) -> T;

    /// The root of the sum of squares, `n = √Σ x[i]²`: `x̄ += n̄ x / n`, and nothing where `n` is zero, where it has a corner.
    fn norm(&self) -> T;

    /// The sum of squares, `s = Σ x[i]²`: `x̄ += 2 s̄ x`.
    fn norm_squared(&self) -> T;

    /// Divided by its norm, `y = x / |x|`: `x̄ += (ȳ - y (y·ȳ)) / |x|`.
    fn normalize(&self) -> Self;

    /// The norm of the difference, `n = |x - y|`: `x̄ += n̄ (x - y) / n`, `ȳ -=` the same, and nothing where `n` is zero.
    fn metric_distance(&self, y: &Self) -> T;

    /// The sum of the entries, `s = Σ x[i]`: `x̄[i] += s̄`.
    fn sum(&self) -> T;

    /// Their mean, `m = Σ x[i] / n`: `x̄[i] += m̄ / n`, and nothing of a matrix without entries.
    fn mean(&self) -> T;

    /// The products of entries, `z[i] = x[i] y[i]`: `x̄[i] += y[i] z̄[i]`, `ȳ[i] += x[i] z̄[i]`.
    fn component_mul(&self, y: &Self) -> Self;

    /// The quotients of entries, `z[i] = x[i] / y[i]`: `x̄[i] += z̄[i] / y[i]`, `ȳ[i] -= z[i] z̄[i] / y[i]`.
    fn component_div(&self, y: &Self) -> Self;

    /// The product with a float, `y = s x`: `x̄ += s ȳ`, `s̄ = x·ȳ`.
    fn scale(&self, s: T) -> Self;

    /// The quotient by a float, `y = x / s`: `x̄ += ȳ / s`, `s̄ = -y·ȳ / s`.
    fn unscale(&self, s: T) -> Self;

    /// A float added to each entry, `y[i] = x[i] + s`: `x̄ += ȳ`, `s̄ = Σ ȳ[i]`.
    fn add_scalar(&self, s: T) -> Self;
}

#[differentiate]
#[differentiate]
impl<T, R, C> Components<T> for OMatrix<T, R, C>
where
    T: Float + RealField,
    R: Dim,
    C: Dim,
    DefaultAllocator: Allocator<R, C>,
{
    #[primitive(vjp = dot_vjp, jvp = dot_jvp)]
    fn dot(&self, y: &Self) -> T {
        self.dot(y)
    }

    #[primitive(vjp = norm_vjp, jvp = norm_jvp)]
    fn norm(&self) -> T {
        self.norm()
    }

    #[primitive(vjp = norm_squared_vjp, jvp = norm_squared_jvp)]
    fn norm_squared(&self) -> T {
        self.norm_squared()
    }

    #[primitive(vjp = normalize_vjp, jvp = normalize_jvp)]
    fn normalize(&self) -> Self {
        self.normalize()
    }

    #[primitive(vjp = metric_distance_vjp, jvp = metric_distance_jvp)]
    fn metric_distance(&self, y: &Self) -> T {
        self.metric_distance(y)
    }

    #[primitive(vjp = sum_vjp, jvp = sum_jvp)]
    fn sum(&self) -> T {
        self.sum()
    }

    #[primitive(vjp = mean_vjp, jvp = mean_jvp)]
    fn mean(&self) -> T {
        self.mean()
    }

    #[primitive(vjp = component_mul_vjp, jvp = component_mul_jvp)]
    fn component_mul(&self, y: &Self) -> Self {
        self.component_mul(y)
    }

    #[primitive(vjp = component_div_vjp, jvp = component_div_jvp)]
    fn component_div(&self, y: &Self) -> Self {
        self.component_div(y)
    }

    #[primitive(vjp = scale_vjp, jvp = scale_jvp)]
    fn scale(&self, s: T) -> Self {
        self.scale(s)
    }

    #[primitive(vjp = unscale_vjp, jvp = unscale_jvp)]
    fn unscale(&self, s: T) -> Self {
        self.unscale(s)
    }

    #[primitive(vjp = add_scalar_vjp, jvp = add_scalar_jvp)]
    fn add_scalar(&self, s: T) -> Self {
        self.add_scalar(s)
    }
}

fn dot_vjp<T: Float, M: Components<T>>(
    x: &M,
    y: &M,
) -> (T, impl FnOnce(&M, &mut M, &M, &mut M, T) + use<T, M>) {
    (x.dot(y), |x: &M, x_bar: &mut M, y: &M, y_bar: &mut M, bar: T| {
        x_bar.add_scaled(bar, y);
        y_bar.add_scaled(bar, x);
    })
}

fn norm_vjp<T: Float, M: Components<T>>(x: &M) -> (T, impl FnOnce(&M, &mut M, T) + use<T, M>) {
    let norm = x.norm();
    (norm, move |x: &M, x_bar: &mut M, bar: T| x_bar.add_scaled(by_norm(bar, norm), x))
}

fn norm_squared_vjp<T: Float, M: Components<T>>(
    x: &M,
) -> (T, impl FnOnce(&M, &mut M, T) + use<T, M>) {
    (x.norm_squared(), |x: &M, x_bar: &mut M, bar: T| x_bar.add_scaled(bar + bar, x))
}

fn normalize_vjp<T: Float, M: Components<T>>(x: &M) -> (M, impl FnOnce(&M, &mut M, M) + use<T, M>) {
    let (norm, y) = (x.norm(), x.normalize());
    let value = y.clone();
    (value, move |_: &M, x_bar: &mut M, y_bar: M| {
        x_bar.add_scaled(norm.recip(), &y_bar);
        x_bar.add_scaled(-y.dot(&y_bar) / norm, &y);
    })
}

fn metric_distance_vjp<T: Float, M: Components<T>>(
    x: &M,
    y: &M,
) -> (T, impl FnOnce(&M, &mut M, &M, &mut M, T) + use<T, M>) {
    let norm = x.metric_distance(y);
    (norm, move |x: &M, x_bar: &mut M, y: &M, y_bar: &mut M, bar: T| {
        let scale = by_norm(bar, norm);
        x_bar.add_with(x, y, |x, y| scale * (x - y));
        y_bar.add_with(x, y, |x, y| scale * (y - x));
    })
}

fn sum_vjp<T: Float, M: Components<T>>(x: &M) -> (T, impl FnOnce(&M, &mut M, T) + use<T, M>) {
    (x.sum(), |_: &M, x_bar: &mut M, bar: T| x_bar.add_to_each(bar))
}

fn mean_vjp<T: Float, M: Components<T>>(x: &M) -> (T, impl FnOnce(&M, &mut M, T) + use<T, M>) {
    (x.mean(), |_: &M, x_bar: &mut M, bar: T| {
        // The mean of as many ones is one: each has this share in it.
        let count = x_bar.entries().iter().fold(T::zero(), |count, _| count + T::one());
        x_bar.add_to_each(bar / count);
    })
}

fn component_mul_vjp<T: Float, M: Components<T>>(
    x: &M,
    y: &M,
) -> (M, impl FnOnce(&M, &mut M, &M, &mut M, M) + use<T, M>) {
    (x.component_mul(y), |x: &M, x_bar: &mut M, y: &M, y_bar: &mut M, bar: M| {
        x_bar.add_with(y, &bar, |y, bar| y * bar);
        y_bar.add_with(x, &bar, |x, bar| x * bar);
    })
}

fn component_div_vjp<T: Float, M: Components<T>>(
    x: &M,
    y: &M,
) -> (M, impl FnOnce(&M, &mut M, &M, &mut M, M) + use<T, M>) {
    let z = x.component_div(y);
    let value = z.clone();
    (value, move |_: &M, x_bar: &mut M, y: &M, y_bar: &mut M, bar: M| {
        let by_x = bar.component_div(y);
        x_bar.add_scaled(T::one(), &by_x);
        y_bar.add_with(&z, &by_x, |z, by_x| -z * by_x);
    })
}

fn scale_vjp<T: Float, M: Components<T>>(
    x: &M,
    s: T,
) -> (M, impl FnOnce(&M, &mut M, M) -> T + use<T, M>) {
    (x.scale(s), move |x: &M, x_bar: &mut M, bar: M| {
        x_bar.add_scaled(s, &bar);
        x.dot(&bar)
    })
}

fn unscale_vjp<T: Float, M: Components<T>>(
    x: &M,
    s: T,
) -> (M, impl FnOnce(&M, &mut M, M) -> T + use<T, M>) {
    let y = x.unscale(s);
    let value = y.clone();
    (value, move |_: &M, x_bar: &mut M, bar: M| {
        x_bar.add_scaled(s.recip(), &bar);
        -y.dot(&bar) / s
    })
}

fn add_scalar_vjp<T: Float, M: Components<T>>(
    x: &M,
    s: T,
) -> (M, impl FnOnce(&M, &mut M, M) -> T + use<T, M>) {
    (x.add_scalar(s), |_: &M, x_bar: &mut M, bar: M| {
        x_bar.add_scaled(T::one(), &bar);
        bar.sum()
    })
}

/// The derivatives in forward mode. They are differentiated again, and so they are made of what has rules.
macro_rules! forward {
    ($(fn $name:ident($($operand:ident: $ty:ty),*) -> $output:ty { $($body:tt)* })*) => {$(
        #[differentiate]
        fn $name<T, R, C>($($operand: $ty),*) -> ($output, $output)
        where
            T: Float + RealField,
            R: Dim,
            C: Dim,
            DefaultAllocator: Allocator<R, C>,
        {
            $($body)*
        }
    )*};
}

forward! {
    fn dot_jvp(x: &OMatrix<T, R, C>, x_dot: &OMatrix<T, R, C>, y: &OMatrix<T, R, C>, y_dot: &OMatrix<T, R, C>) -> T {
        (x.dot(y), x_dot.dot(y) + x.dot(y_dot))
    }

    fn norm_jvp(x: &OMatrix<T, R, C>, x_dot: &OMatrix<T, R, C>) -> T {
        let norm = x.norm();
        (norm, by_norm(x.dot(x_dot), norm))
    }

    fn norm_squared_jvp(x: &OMatrix<T, R, C>, x_dot: &OMatrix<T, R, C>) -> T {
        let half = x.dot(x_dot);
        (x.norm_squared(), half + half)
    }

    fn normalize_jvp(x: &OMatrix<T, R, C>, x_dot: &OMatrix<T, R, C>) -> OMatrix<T, R, C> {
        let (norm, y) = (x.norm(), x.normalize());
        let scaled = x_dot.unscale(norm);
        let along = y.dot(&scaled);
        let y_dot = scaled - y.scale(along);
        (y, y_dot)
    }

    fn metric_distance_jvp(
        x: &OMatrix<T, R, C>, x_dot: &OMatrix<T, R, C>, y: &OMatrix<T, R, C>, y_dot: &OMatrix<T, R, C>
    ) -> T {
        let norm = x.metric_distance(y);
        let along = (x - y).dot(&(x_dot - y_dot));
        (norm, by_norm(along, norm))
    }

    fn sum_jvp(x: &OMatrix<T, R, C>, x_dot: &OMatrix<T, R, C>) -> T {
        (x.sum(), x_dot.sum())
    }

    fn mean_jvp(x: &OMatrix<T, R, C>, x_dot: &OMatrix<T, R, C>) -> T {
        (x.mean(), x_dot.mean())
    }

    fn component_mul_jvp(
        x: &OMatrix<T, R, C>, x_dot: &OMatrix<T, R, C>, y: &OMatrix<T, R, C>, y_dot: &OMatrix<T, R, C>
    ) -> OMatrix<T, R, C> {
        (x.component_mul(y), x_dot.component_mul(y) + x.component_mul(y_dot))
    }

    fn component_div_jvp(
        x: &OMatrix<T, R, C>, x_dot: &OMatrix<T, R, C>, y: &OMatrix<T, R, C>, y_dot: &OMatrix<T, R, C>
    ) -> OMatrix<T, R, C> {
        let z = x.component_div(y);
        let z_dot = (x_dot - z.component_mul(y_dot)).component_div(y);
        (z, z_dot)
    }

    fn scale_jvp(x: &OMatrix<T, R, C>, x_dot: &OMatrix<T, R, C>, s: T, s_dot: T) -> OMatrix<T, R, C> {
        (x.scale(s), x_dot.scale(s) + x.scale(s_dot))
    }

    fn unscale_jvp(x: &OMatrix<T, R, C>, x_dot: &OMatrix<T, R, C>, s: T, s_dot: T) -> OMatrix<T, R, C> {
        let y = x.unscale(s);
        let y_dot = (x_dot - y.scale(s_dot)).unscale(s);
        (y, y_dot)
    }

    fn add_scalar_jvp(x: &OMatrix<T, R, C>, x_dot: &OMatrix<T, R, C>, s: T, s_dot: T) -> OMatrix<T, R, C> {
        (x.add_scalar(s), x_dot.add_scalar(s_dot))
    }
}
