//! Rules of the operators of rotations: `r * v`, `r * p`, `r * u`, `r * r`, `r / r`, for vectors, points and vectors of
//! length one, where `r` is a unit quaternion, a complex number or a rotation matrix; and of this with matrices.

use nalgebra_0_35::{
    Const, OPoint, RealField, Rotation, SMatrix, SVector, Unit, UnitComplex, UnitQuaternion,
};

use super::jets::{Jet, row};
use super::turning::Turning;
use crate::Float;
use crate::rules::{div, mul};

/// What points and vectors have in common with the tangents of both.
macro_rules! turned {
    (@ [$($dim:tt)*] $rotation:ty, $d:tt: $of:ty, |$x:ident| $vector:expr, |$v:ident| $back:expr) => {
        impl<T: Float + RealField, $($dim)*> mul<$of> for $rotation {
            type Output = $of;

            row! {
                $of: |r, x, direction| (
                    <$rotation as Turning<T, $d>>::to_rotation(
                        r,
                        &x.map(|$x| $vector),
                        &direction.map(|$x| $vector),
                    ),
                    <$rotation as Turning<T, $d>>::to_vector(r, &direction.map(|$x| $vector))
                        .map(|$v| $back)
                ), (
                    <$rotation as Turning<T, $d>>::from_rotation(r, &x.map(|$x| $vector), direction)
                        .map(|$v| $back),
                    <$rotation as Turning<T, $d>>::from_vector(r, &direction.map(|$x| $vector))
                        .map(|$v| $back)
                )
            }
        }
    };
    ($dims:tt $rotation:ty, $d:tt: $($of:ty, |$x:ident| $vector:expr, |$v:ident| $back:expr;)*) => {$(
        turned! { @ $dims $rotation, $d: $of, |$x| $vector, |$v| $back }
    )*};
}

turned! {
    [] UnitQuaternion<T>, 3:
    SVector<T, 3>, |x| *x, |v| *v;
    Unit<SVector<T, 3>>, |x| *x, |v| *v;
    OPoint<T, Const<3>>, |x| x.coords, |v| OPoint::from(*v);
}

turned! {
    [] UnitComplex<T>, 2:
    SVector<T, 2>, |x| *x, |v| *v;
    Unit<SVector<T, 2>>, |x| *x, |v| *v;
    OPoint<T, Const<2>>, |x| x.coords, |v| OPoint::from(*v);
}

turned! {
    [const D: usize] Rotation<T, D>, D:
    Unit<SVector<T, D>>, |x| *x, |v| *v;
    OPoint<T, Const<D>>, |x| x.coords, |v| OPoint::from(*v);
}

/// Products and quotients of rotations of one kind.
macro_rules! composed {
    ($([$($dim:tt)*] $rotation:ty, $d:tt;)*) => {$(
        impl<T: Float + RealField, $($dim)*> mul<$rotation> for $rotation {
            type Output = Self;

            row! {
                $rotation: |a, b, direction| (
                    direction.with(b, <Self as Turning<T, $d>>::to_left),
                    a.with(direction, <Self as Turning<T, $d>>::to_right)
                ), (
                    direction.with(b, <Self as Turning<T, $d>>::product),
                    a.with(direction, <Self as Turning<T, $d>>::product)
                )
            }
        }

        /// A product with the inverse.
        impl<T: Float + RealField, $($dim)*> div<$rotation> for $rotation {
            type Output = Self;

            row! {
                $rotation: |a, b, direction| (
                    direction.with(
                        &b.map(<Self as Turning<T, $d>>::inverted),
                        <Self as Turning<T, $d>>::to_left,
                    ),
                    a.with(direction, <Self as Turning<T, $d>>::to_right)
                        .map(<Self as Turning<T, $d>>::inverted)
                ), (
                    direction.with(
                        &b.map(<Self as Turning<T, $d>>::inverted),
                        <Self as Turning<T, $d>>::product,
                    ),
                    a.with(
                        &direction.map(<Self as Turning<T, $d>>::inverted),
                        <Self as Turning<T, $d>>::product,
                    )
                )
            }
        }
    )*};
}

composed! {
    [] UnitQuaternion<T>, 3;
    [] UnitComplex<T>, 2;
    [const D: usize] Rotation<T, D>, D;
}

impl<T, const D: usize, const C: usize> mul<SMatrix<T, D, C>> for Rotation<T, D>
where
    T: Float + RealField,
{
    type Output = SMatrix<T, D, C>;

    row! {
        SMatrix<T, D, C>: |r, m, direction| (
            direction.with(m, |bar, m| bar * m.transpose()),
            r.with(direction, |r, bar| r.tr_mul(bar))
        ), (
            direction.with(m, |dot, m| dot * m),
            r.with(direction, |r, dot| r * dot)
        )
    }
}

impl<T, const R: usize, const D: usize> mul<Rotation<T, D>> for SMatrix<T, R, D>
where
    T: Float + RealField,
{
    type Output = Self;

    row! {
        Rotation<T, D>: |m, r, direction| (
            direction.with(r, |bar, r| bar * r.transpose()),
            m.with(direction, |m, bar| m.tr_mul(bar))
        ), (
            direction.with(r, |dot, r| dot * r),
            m.with(direction, |m, dot| m * dot)
        )
    }
}
