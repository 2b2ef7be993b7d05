//! Rules of the operators of points: `-p`, `p - q`, `p + v`, `p - v`, `p * s`, `s * p`, `p / s`, and a matrix's `m *
//! p`, for vectors `v` and floats `s`; of quaternions that are not of length one, the same and `q * r`.

use nalgebra_0_35::allocator::Allocator;
use nalgebra_0_35::{
    Const, DefaultAllocator, DimName, OPoint, OVector, Quaternion, RealField, SMatrix,
};

use super::jets::{Jet, row};
use crate::Float;
use crate::bilinear::{linear, product, quotient};
use crate::rules::{add, div, mul, neg, sub};

impl<T, D> neg for OPoint<T, D>
where
    T: Float + RealField,
    D: DimName,
    DefaultAllocator: Allocator<D>,
{
    type Output = Self;

    linear! { vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 () Self, |bar| -bar, |dot| -dot }
}

impl<T, D> add<OVector<T, D>> for OPoint<T, D>
where
    T: Float + RealField,
    D: DimName,
    DefaultAllocator: Allocator<D>,
{
    type Output = Self;

    linear! { vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 (OVector<T, D>) Self, |bar| bar.clone(), |dot| dot.clone() }
    linear! {
        vjp_1 jvp_1 dot_vjp_1 dot_jvp_1 (OVector<T, D>) OVector<T, D>,
        |bar| bar.coords.clone(), |dot| OPoint::from(dot.clone())
    }
}

impl<T, D> sub<OVector<T, D>> for OPoint<T, D>
where
    T: Float + RealField,
    D: DimName,
    DefaultAllocator: Allocator<D>,
{
    type Output = Self;

    linear! { vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 (OVector<T, D>) Self, |bar| bar.clone(), |dot| dot.clone() }
    linear! {
        vjp_1 jvp_1 dot_vjp_1 dot_jvp_1 (OVector<T, D>) OVector<T, D>,
        |bar| -&bar.coords, |dot| OPoint::from(-dot)
    }
}

impl<T, D> sub<OPoint<T, D>> for OPoint<T, D>
where
    T: Float + RealField,
    D: DimName,
    DefaultAllocator: Allocator<D>,
{
    type Output = OVector<T, D>;

    linear! {
        vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 (Self) Self,
        |bar| OPoint::from(bar.clone()), |dot| dot.coords.clone()
    }
    linear! {
        vjp_1 jvp_1 dot_vjp_1 dot_jvp_1 (Self) Self,
        |bar| OPoint::from(-bar), |dot| -&dot.coords
    }
}

impl<T, const R: usize, const C: usize> mul<OPoint<T, Const<C>>> for SMatrix<T, R, C>
where
    T: Float + RealField,
{
    type Output = OPoint<T, Const<R>>;

    row! {
        OPoint<T, Const<C>>: |a, p, direction| (
            direction.with(p, |bar, p| bar.coords * p.coords.transpose()),
            a.with(direction, |a, bar| OPoint::from(a.tr_mul(&bar.coords)))
        ), (
            direction.with(p, |dot, p| dot * p),
            a.with(direction, |a, dot| a * dot)
        )
    }
}

impl<T: Float + RealField> neg for Quaternion<T> {
    type Output = Self;

    linear! { vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 () Self, |bar| -bar, |dot| -dot }
}

impl<T: Float + RealField> add<Quaternion<T>> for Quaternion<T> {
    type Output = Self;

    linear! { vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 (Self) Self, |bar| *bar, |dot| *dot }
    linear! { vjp_1 jvp_1 dot_vjp_1 dot_jvp_1 (Self) Self, |bar| *bar, |dot| *dot }
}

impl<T: Float + RealField> sub<Quaternion<T>> for Quaternion<T> {
    type Output = Self;

    linear! { vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 (Self) Self, |bar| *bar, |dot| *dot }
    linear! { vjp_1 jvp_1 dot_vjp_1 dot_jvp_1 (Self) Self, |bar| -bar, |dot| -dot }
}

impl<T: Float + RealField> mul<Quaternion<T>> for Quaternion<T> {
    type Output = Self;

    product! {
        Quaternion<T>,
        |a, b| a * b,
        |bar, b| bar * b.conjugate(),
        |a, bar| a.conjugate() * bar
    }
}

/// Products and quotients with a float, for each kind of float.
macro_rules! scaled {
    ($([$($generics:tt)*] [$($bounds:tt)*] $of:ty, $float:ident;)*) => {$(
        impl<$($generics)*> mul<$float> for $of
        where
            $($bounds)*
        {
            type Output = Self;

            product! { $float, |a, s| a * *s, |bar, s| bar * *s, |a, bar| a.coords.dot(&bar.coords) }
        }

        impl<$($generics)*> mul<$of> for $float
        where
            $($bounds)*
        {
            type Output = $of;

            product! { $of, |s, a| a * *s, |bar, a| bar.coords.dot(&a.coords), |s, bar| bar * *s }
        }

        impl<$($generics)*> div<$float> for $of
        where
            $($bounds)*
        {
            type Output = Self;

            quotient! { $float, |x, s| x * *s, |bar, output| bar.coords.dot(&output.coords) }
        }
    )*};
}

scaled! {
    [D: DimName] [DefaultAllocator: Allocator<D>] OPoint<f32, D>, f32;
    [D: DimName] [DefaultAllocator: Allocator<D>] OPoint<f64, D>, f64;
    [] [] Quaternion<f32>, f32;
    [] [] Quaternion<f64>, f64;
}
