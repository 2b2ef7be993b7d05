//! Rules of the operators of poses and translations: with points, vectors, rotations and each other.
//!
//! A pose with the rotation `r` and the translation `t` takes a point `p` to `t + r p`, and a vector `v` to `r v`.

use nalgebra_0_35::{
    Const, Isometry, OPoint, RealField, Rotation, SVector, Translation, Unit, UnitComplex,
    UnitQuaternion,
};

use super::jets::{Jet, row};
use super::turning::Turning;
use super::types::IsometryTangent;
use crate::bilinear::linear;
use crate::rules::{div, mul};
use crate::{Differentiable, Float, Tangent};

/// The jet of a pose's or a cotangent's rotation.
#[inline]
fn rotation<R: Tangent, V: Tangent, const N: usize>(
    pose: &Jet<IsometryTangent<R, V>, N>,
) -> Jet<R, N> {
    pose.map(|pose| pose.rotation.clone())
}

/// That of its translation, as a vector.
#[inline]
fn shift<R: Tangent, T: Float + RealField, const D: usize, const N: usize>(
    pose: &Jet<IsometryTangent<R, Translation<T, D>>, N>,
) -> Jet<SVector<T, D>, N> {
    pose.map(|pose| pose.translation.vector)
}

/// Both as one.
#[inline]
fn pose<R: Tangent, T: Float + RealField, const D: usize, const N: usize>(
    rotation: &Jet<R, N>,
    shift: &Jet<SVector<T, D>, N>,
) -> Jet<IsometryTangent<R, Translation<T, D>>, N> {
    rotation.beside(shift, |rotation, shift| {
        let translation = Translation::from(*shift);
        IsometryTangent { rotation: rotation.clone(), translation }
    })
}

/// A translation of nothing, for each direction.
#[inline]
fn still<T: Float + RealField, U: Tangent, const D: usize, const N: usize>(
    like: &Jet<U, N>,
) -> Jet<SVector<T, D>, N> {
    like.map(|_| SVector::zeros())
}

#[inline]
fn translation<T: Float + RealField, const D: usize>(v: &SVector<T, D>) -> Translation<T, D> {
    Translation::from(*v)
}

#[inline]
fn vector<T: Float + RealField, const D: usize>(translation: &Translation<T, D>) -> SVector<T, D> {
    translation.vector
}

impl<T, R, const D: usize> mul<OPoint<T, Const<D>>> for Isometry<T, R, D>
where
    T: Float + RealField,
    R: Turning<T, D>,
{
    type Output = OPoint<T, Const<D>>;

    row! {
        OPoint<T, Const<D>>: |a, p, direction| (
            {
                let (p, bar) = (p.map(|p| p.coords), direction.map(|bar| bar.coords));
                pose(&R::to_rotation(&rotation(a), &p, &bar), &bar)
            },
            R::to_vector(&rotation(a), &direction.map(|bar| bar.coords)).map(|v| OPoint::from(*v))
        ), (
            R::from_rotation(&rotation(a), &p.map(|p| p.coords), &rotation(direction))
                .plus(shift(direction))
                .map(|v| OPoint::from(*v)),
            R::from_vector(&rotation(a), &direction.map(|dot| dot.coords)).map(|v| OPoint::from(*v))
        )
    }
}

/// Vectors, which translations leave as they are.
macro_rules! vectors {
    ($($of:ty;)*) => {$(
        impl<T, R, const D: usize> mul<$of> for Isometry<T, R, D>
        where
            T: Float + RealField,
            R: Turning<T, D>,
        {
            type Output = $of;

            row! {
                $of: |a, v, direction| (
                    pose(&R::to_rotation(&rotation(a), v, direction), &still(direction)),
                    R::to_vector(&rotation(a), direction)
                ), (
                    R::from_rotation(&rotation(a), v, &rotation(direction)),
                    R::from_vector(&rotation(a), direction)
                )
            }
        }
    )*};
}

vectors! {
    SVector<T, D>;
    Unit<SVector<T, D>>;
}

impl<T, R, const D: usize> mul<Isometry<T, R, D>> for Isometry<T, R, D>
where
    T: Float + RealField,
    R: Turning<T, D>,
{
    type Output = Self;

    row! {
        Isometry<T, R, D>: |a, b, direction| (
            {
                let turned = R::to_rotation(&rotation(a), &shift(b), &shift(direction));
                let composed = rotation(direction).with(&rotation(b), R::to_left);
                pose(&turned.plus(composed), &shift(direction))
            },
            pose(
                &rotation(a).with(&rotation(direction), R::to_right),
                &R::to_vector(&rotation(a), &shift(direction)),
            )
        ), (
            {
                let turned = R::from_rotation(&rotation(a), &shift(b), &rotation(direction));
                let composed = rotation(direction).with(&rotation(b), R::product);
                pose(&composed, &shift(direction).plus(turned))
            },
            pose(
                &rotation(a).with(&rotation(direction), R::product),
                &R::from_vector(&rotation(a), &shift(direction)),
            )
        )
    }
}

impl<T, R, const D: usize> mul<Translation<T, D>> for Isometry<T, R, D>
where
    T: Float + RealField,
    R: Turning<T, D>,
{
    type Output = Self;

    row! {
        Translation<T, D>: |a, b, direction| (
            {
                let turned = R::to_rotation(&rotation(a), &b.map(vector), &shift(direction));
                pose(&turned.plus(rotation(direction)), &shift(direction))
            },
            R::to_vector(&rotation(a), &shift(direction)).map(translation)
        ), (
            {
                let turned = R::from_rotation(&rotation(a), &b.map(vector), &rotation(direction));
                pose(&rotation(direction), &shift(direction).plus(turned))
            },
            pose(
                &rotation(a).map(zero_of),
                &R::from_vector(&rotation(a), &direction.map(vector)),
            )
        )
    }
}

/// The zero beside a tangent.
#[inline]
fn zero_of<R: Differentiable<Tangent = R>>(like: &R) -> R {
    like.zero_tangent()
}

impl<T, R, const D: usize> mul<Isometry<T, R, D>> for Translation<T, D>
where
    T: Float + RealField,
    R: Turning<T, D>,
{
    type Output = Isometry<T, R, D>;

    row! {
        Isometry<T, R, D>: |a, b, direction| (
            shift(direction).map(translation),
            direction.map(Clone::clone)
        ), (
            pose(&rotation(b).map(zero_of), &direction.map(vector)),
            direction.map(Clone::clone)
        )
    }
}

/// What poses and translations are with rotations of one kind.
macro_rules! mixed {
    ($([$($dim:tt)*] $rotation:ty, $d:tt;)*) => {$(
        impl<T: Float + RealField, $($dim)*> mul<$rotation> for Isometry<T, $rotation, $d> {
            type Output = Self;

            row! {
                $rotation: |a, r, direction| (
                    pose(
                        &rotation(direction).with(r, <$rotation as Turning<T, $d>>::to_left),
                        &shift(direction),
                    ),
                    rotation(a).with(&rotation(direction), <$rotation as Turning<T, $d>>::to_right)
                ), (
                    pose(
                        &rotation(direction).with(r, <$rotation as Turning<T, $d>>::product),
                        &shift(direction),
                    ),
                    pose(
                        &rotation(a).with(direction, <$rotation as Turning<T, $d>>::product),
                        &still(direction),
                    )
                )
            }
        }

        impl<T: Float + RealField, $($dim)*> mul<Isometry<T, $rotation, $d>> for $rotation {
            type Output = Isometry<T, $rotation, $d>;

            row! {
                Isometry<T, $rotation, $d>: |r, b, direction| (
                    <$rotation as Turning<T, $d>>::to_rotation(r, &shift(b), &shift(direction)).plus(
                        rotation(direction)
                            .with(&rotation(b), <$rotation as Turning<T, $d>>::to_left),
                    ),
                    pose(
                        &r.with(&rotation(direction), <$rotation as Turning<T, $d>>::to_right),
                        &<$rotation as Turning<T, $d>>::to_vector(r, &shift(direction)),
                    )
                ), (
                    pose(
                        &direction.with(&rotation(b), <$rotation as Turning<T, $d>>::product),
                        &<$rotation as Turning<T, $d>>::from_rotation(r, &shift(b), direction),
                    ),
                    pose(
                        &r.with(&rotation(direction), <$rotation as Turning<T, $d>>::product),
                        &<$rotation as Turning<T, $d>>::from_vector(r, &shift(direction)),
                    )
                )
            }
        }

        impl<T: Float + RealField, $($dim)*> mul<Translation<T, $d>> for $rotation {
            type Output = Isometry<T, $rotation, $d>;

            row! {
                Translation<T, $d>: |r, b, direction| (
                    <$rotation as Turning<T, $d>>::to_rotation(
                        r,
                        &b.map(vector),
                        &shift(direction),
                    )
                    .plus(rotation(direction)),
                    <$rotation as Turning<T, $d>>::to_vector(r, &shift(direction)).map(translation)
                ), (
                    pose(
                        direction,
                        &<$rotation as Turning<T, $d>>::from_rotation(
                            r,
                            &b.map(vector),
                            direction,
                        ),
                    ),
                    pose(
                        &r.map(zero_of),
                        &<$rotation as Turning<T, $d>>::from_vector(r, &direction.map(vector)),
                    )
                )
            }
        }

        impl<T: Float + RealField, $($dim)*> mul<$rotation> for Translation<T, $d> {
            type Output = Isometry<T, $rotation, $d>;

            row! {
                $rotation: |a, r, direction| (
                    shift(direction).map(translation),
                    rotation(direction)
                ), (
                    pose(&r.map(zero_of), &direction.map(vector)),
                    pose(direction, &still(direction))
                )
            }
        }
    )*};
}

mixed! {
    [] UnitQuaternion<T>, 3;
    [] UnitComplex<T>, 2;
    [const D: usize] Rotation<T, D>, D;
}

impl<T: Float + RealField, const D: usize> mul<Translation<T, D>> for Translation<T, D> {
    type Output = Self;

    linear! { vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 (Self) Self, |bar| *bar, |dot| *dot }
    linear! { vjp_1 jvp_1 dot_vjp_1 dot_jvp_1 (Self) Self, |bar| *bar, |dot| *dot }
}

impl<T: Float + RealField, const D: usize> div<Translation<T, D>> for Translation<T, D> {
    type Output = Self;

    linear! { vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 (Self) Self, |bar| *bar, |dot| *dot }
    linear! { vjp_1 jvp_1 dot_vjp_1 dot_jvp_1 (Self) Self, |bar| bar.inverse(), |dot| dot.inverse() }
}

impl<T: Float + RealField, const D: usize> mul<OPoint<T, Const<D>>> for Translation<T, D> {
    type Output = OPoint<T, Const<D>>;

    linear! {
        vjp_0 jvp_0 dot_vjp_0 dot_jvp_0 (OPoint<T, Const<D>>) Self,
        |bar| Translation::from(bar.coords), |dot| OPoint::from(dot.vector)
    }
    linear! {
        vjp_1 jvp_1 dot_vjp_1 dot_jvp_1 (OPoint<T, Const<D>>) OPoint<T, Const<D>>,
        |bar| *bar, |dot| *dot
    }
}
