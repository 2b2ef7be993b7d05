//! Points, translations, rotations and poses as values, and their tangents.
//!
//! A tangent has a value's coordinates under the value's names, each free of the others: a unit quaternion's is any
//! quaternion, and a rotation's any matrix. Invariant: parts are visited in the order of the fields.

use nalgebra_0_35::allocator::Allocator;
use nalgebra_0_35::{
    Const, DefaultAllocator, Dim, DimName, Isometry, OMatrix, OPoint, OVector, Quaternion,
    Rotation, SMatrix, SVector, Scalar, Translation, Unit, Vector4,
};

use crate::floats::{FloatVisitor, FloatVisitorMut, floats_of_fields, pairs_of_fields};
use crate::guard::{Comparable, comparable};
use crate::hessian::HessianBy;
use crate::output::FloatOutput;
use crate::visit::{Step, Visitor, visit_part};
use crate::{Differentiable, Matrix, Tangent};

comparable! {
    [T: Comparable + Scalar, const D: usize] OPoint<T, Const<D>> => T::Owner;
    [T: Comparable, const D: usize] Translation<T, D> => T::Owner;
    [T: Comparable, const D: usize] Rotation<T, D> => T::Owner;
    [T: Comparable] Quaternion<T> => T::Owner;
    [V: Comparable] Unit<V> => V::Owner;
    [T: Comparable, R: Comparable, const D: usize] Isometry<T, R, D> => (T::Owner, R::Owner);
}

/// The tangent of an [`Isometry`], in the shape of it.
///
/// ```
/// # use nalgebra_0_35 as nalgebra;
/// use cotangent::differentiate;
/// use cotangent::nalgebra::*;
/// use nalgebra::{Isometry3, Point3, Vector3};
///
/// #[differentiate]
/// fn height(pose: &Isometry3<f64>, x: Point3<f64>) -> f64 {
///     (pose * x).z
/// }
///
/// let (by_pose, _) = height::gradient(&Isometry3::identity(), Point3::new(0.0, 1.0, 0.0));
/// assert_eq!(by_pose.translation.vector, Vector3::z());
/// // Of the quaternion's coordinates, the first turns the point's second into the third.
/// assert_eq!(by_pose.rotation.i, 2.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct IsometryTangent<R, V> {
    /// That of the rotation.
    pub rotation: R,
    /// That of the translation.
    pub translation: V,
}

/// What is made of vectors under one name, and is its own kind of tangent.
macro_rules! of_coordinates {
    ($([$($generics:tt)*] [$($bounds:tt)*] $of:ident<$($rest:ident)?> $coordinates:ident $vector:ty;)*) => {$(
        impl<T, $($generics)*> Tangent for $of<T $(, $rest)?>
        where
            T: Tangent + Scalar,
            $($bounds)*
        {
            #[inline]
            fn accumulate(&mut self, other: Self) {
                self.$coordinates.accumulate(other.$coordinates);
            }

            pairs_of_fields!($coordinates);
        }

        impl<T, $($generics)*> Differentiable for $of<T $(, $rest)?>
        where
            T: Differentiable + Scalar,
            T::Tangent: Scalar,
            $($bounds)*
        {
            type Tangent = $of<T::Tangent $(, $rest)?>;

            #[inline]
            fn zero_tangent(&self) -> Self::Tangent {
                $of::from(self.$coordinates.zero_tangent())
            }

            fn perturb(&mut self, direction: &Self::Tangent, step: f64) {
                self.$coordinates.perturb(&direction.$coordinates, step);
            }

            fn visit(&self, visitor: &mut dyn Visitor) {
                Differentiable::visit(&self.$coordinates, visitor);
            }

            floats_of_fields!($coordinates);

            fn stand_in() -> Self {
                $of::from(<$vector>::stand_in())
            }
        }
    )*};
}

of_coordinates! {
    [D] [D: DimName, DefaultAllocator: Allocator<D>,] OPoint<D> coords OVector<T, D>;
    [const D: usize] [] Translation<D> vector SVector<T, D>;
    [] [] Quaternion<> coords Vector4<T>;
}

/// Moved without being normalised again, since its tangents leave the vectors of length one.
impl<V: Differentiable> Differentiable for Unit<V> {
    type Tangent = V::Tangent;

    #[inline]
    fn zero_tangent(&self) -> Self::Tangent {
        self.as_ref().zero_tangent()
    }

    fn perturb(&mut self, direction: &Self::Tangent, step: f64) {
        self.as_mut_unchecked().perturb(direction, step);
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        self.as_ref().visit(visitor);
    }

    #[inline]
    fn visit_floats(&self, visitor: &mut (impl FloatVisitor + ?Sized)) {
        self.as_ref().visit_floats(visitor);
    }

    #[inline]
    fn visit_floats_mut(&mut self, visitor: &mut (impl FloatVisitorMut + ?Sized)) {
        self.as_mut_unchecked().visit_floats_mut(visitor);
    }

    fn stand_in() -> Self {
        Self::new_unchecked(V::stand_in())
    }
}

/// Moved entry by entry.
impl<T, const D: usize> Differentiable for Rotation<T, D>
where
    T: Differentiable + Scalar,
    T::Tangent: Scalar,
{
    type Tangent = SMatrix<T::Tangent, D, D>;

    #[inline]
    fn zero_tangent(&self) -> Self::Tangent {
        self.matrix().zero_tangent()
    }

    fn perturb(&mut self, direction: &Self::Tangent, step: f64) {
        self.matrix_mut_unchecked().perturb(direction, step);
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        Differentiable::visit(self.matrix(), visitor);
    }

    #[inline]
    fn visit_floats(&self, visitor: &mut (impl FloatVisitor + ?Sized)) {
        self.matrix().visit_floats(visitor);
    }

    #[inline]
    fn visit_floats_mut(&mut self, visitor: &mut (impl FloatVisitorMut + ?Sized)) {
        self.matrix_mut_unchecked().visit_floats_mut(visitor);
    }

    fn stand_in() -> Self {
        Self::from_matrix_unchecked(SMatrix::stand_in())
    }
}

/// Parts in the order of the fields.
fn visit_parts<R, V>(
    (rotation, translation): (&R, &V),
    visitor: &mut dyn Visitor,
    visit_rotation: impl FnOnce(&R, &mut dyn Visitor),
    visit_translation: impl FnOnce(&V, &mut dyn Visitor),
) {
    visit_part(Step::Field("rotation"), visitor, |visitor| visit_rotation(rotation, visitor));
    let translate = |visitor: &mut dyn Visitor| visit_translation(translation, visitor);
    visit_part(Step::Field("translation"), visitor, translate);
}

impl<R: Tangent, V: Tangent> Tangent for IsometryTangent<R, V> {
    const SHARES: bool = R::SHARES || V::SHARES;

    #[inline]
    fn accumulate(&mut self, other: Self) {
        self.rotation.accumulate(other.rotation);
        self.translation.accumulate(other.translation);
    }

    pairs_of_fields!(rotation, translation);
}

/// The differentiable types of two parts.
macro_rules! of_parts {
    ([$($generics:tt)*] [$($bounds:tt)*] $of:ident<$($argument:ident),*>, $rotation:ty, $translation:ty) => {
        impl<$($generics)*> Differentiable for $of<$($argument),*>
        where
            $($bounds)*
        {
            type Tangent = IsometryTangent<
                <$rotation as Differentiable>::Tangent,
                <$translation as Differentiable>::Tangent,
            >;

            #[inline]
            fn zero_tangent(&self) -> Self::Tangent {
                IsometryTangent {
                    rotation: self.rotation.zero_tangent(),
                    translation: self.translation.zero_tangent(),
                }
            }

            fn perturb(&mut self, direction: &Self::Tangent, step: f64) {
                self.rotation.perturb(&direction.rotation, step);
                self.translation.perturb(&direction.translation, step);
            }

            fn visit(&self, visitor: &mut dyn Visitor) {
                let parts = (&self.rotation, &self.translation);
                let of_rotation = <$rotation as Differentiable>::visit;
                visit_parts(parts, visitor, of_rotation, <$translation as Differentiable>::visit);
            }

            floats_of_fields!(rotation, translation);

            fn stand_in() -> Self {
                $of { rotation: <$rotation>::stand_in(), translation: <$translation>::stand_in() }
            }
        }
    };
}

of_parts!(
    [T, R, const D: usize] [T: Differentiable + Scalar, T::Tangent: Scalar, R: Differentiable]
    Isometry<T, R, D>, R, Translation<T, D>
);

of_parts!(
    [R, V] [R: Tangent + Differentiable<Tangent = R>, V: Tangent + Differentiable<Tangent = V>]
    IsometryTangent<R, V>, R, V
);

/// As many rows and columns of a Hessian as there are coordinates.
macro_rules! matrices {
    ($([$($generics:tt)*] [$($bounds:tt)*] $of:ty;)*) => {$(
        impl<$($generics)*> HessianBy<'_> for $of
        where
            $($bounds)*
        {
            type Hessian<Y> = Matrix<Y>;

            #[inline]
            fn hessian<Y: FloatOutput<'static>>(matrix: Matrix<Y>) -> Matrix<Y> {
                matrix
            }
        }
    )*};
}

matrices! {
    [T, D] [T: Scalar, D: DimName, DefaultAllocator: Allocator<D>] OPoint<T, D>;
    [T, const D: usize] [] Translation<T, D>;
    [T] [] Quaternion<T>;
    [V] [] Unit<V>;
    [T, const D: usize] [] Rotation<T, D>;
    [T, R, const D: usize] [] Isometry<T, R, D>;
    [R, V] [] IsometryTangent<R, V>;
}

/// A value of which all coordinates may vary in derivative code, also where its type says that they do not.
pub trait Ambient: Differentiable {
    /// Its coordinates, as a tangent has them.
    fn ambient(&self) -> Self::Tangent;
}

impl<T, D> Ambient for OPoint<T, D>
where
    T: Differentiable<Tangent = T> + Tangent + Scalar,
    D: DimName,
    DefaultAllocator: Allocator<D>,
{
    #[inline]
    fn ambient(&self) -> Self {
        self.clone()
    }
}

impl<T, R, C> Ambient for OMatrix<T, R, C>
where
    T: Differentiable<Tangent = T> + Tangent + Scalar,
    R: Dim,
    C: Dim,
    DefaultAllocator: Allocator<R, C>,
{
    #[inline]
    fn ambient(&self) -> Self {
        self.clone()
    }
}

impl<T, const D: usize> Ambient for Translation<T, D>
where
    T: Differentiable<Tangent = T> + Tangent + Scalar,
{
    #[inline]
    fn ambient(&self) -> Self {
        self.clone()
    }
}

impl<T: Differentiable<Tangent = T> + Tangent + Scalar> Ambient for Quaternion<T> {
    #[inline]
    fn ambient(&self) -> Self {
        self.clone()
    }
}

impl<V: Differentiable<Tangent = V> + Tangent> Ambient for Unit<V> {
    #[inline]
    fn ambient(&self) -> V {
        self.as_ref().clone()
    }
}

impl<T, const D: usize> Ambient for Rotation<T, D>
where
    T: Differentiable<Tangent = T> + Tangent + Scalar,
{
    #[inline]
    fn ambient(&self) -> SMatrix<T, D, D> {
        self.matrix().clone()
    }
}

impl<T, R, const D: usize> Ambient for Isometry<T, R, D>
where
    T: Differentiable<Tangent = T> + Tangent + Scalar,
    R: Ambient,
{
    #[inline]
    fn ambient(&self) -> Self::Tangent {
        IsometryTangent { rotation: self.rotation.ambient(), translation: self.translation.clone() }
    }
}
