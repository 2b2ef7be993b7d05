//! Operands of a row of operators with their tangents, as one value.
//!
//! In come a value and its tangents along the sets of directions that a row is given, none for a first derivative; out
//! goes the last tangent of what is computed from them. A formula that is written once with jets has so derivatives of
//! any order.

use core::array::from_fn;

use super::types::Ambient;
use crate::Tangent;
use crate::bilinear::all;

/// A tangent and the tangents of that.
pub struct Jet<T, const N: usize> {
    value: T,
    dots: [T; N],
}

impl<T: Tangent, const N: usize> Jet<T, N> {
    /// Of a value.
    #[inline]
    pub(super) fn of<V: Ambient<Tangent = T>>(value: &V, dots: [&T; N]) -> Self {
        Self { value: value.ambient(), dots: dots.map(T::clone) }
    }

    /// Of a tangent or a cotangent.
    #[inline]
    pub(super) fn along(value: &T, dots: [&T; N]) -> Self {
        Self { value: value.clone(), dots: dots.map(T::clone) }
    }

    /// The tangent along all directions.
    #[inline]
    pub(super) fn last(self) -> T {
        self.dots.into_iter().next_back().unwrap_or(self.value)
    }

    /// What is linear in it.
    #[inline]
    pub(super) fn map<U>(&self, linear: impl Fn(&T) -> U) -> Jet<U, N> {
        Jet { value: linear(&self.value), dots: from_fn(|at| linear(&self.dots[at])) }
    }

    /// What is linear in the two together, such as a pair of them.
    #[inline]
    pub(super) fn beside<B, U>(
        &self,
        other: &Jet<B, N>,
        linear: impl Fn(&T, &B) -> U,
    ) -> Jet<U, N> {
        let dots = from_fn(|at| linear(&self.dots[at], &other.dots[at]));
        Jet { value: linear(&self.value, &other.value), dots }
    }

    /// What is linear in each of them.
    #[inline]
    pub(super) fn with<B, U: Tangent>(
        &self,
        other: &Jet<B, N>,
        product: impl Fn(&T, &B) -> U,
    ) -> Jet<U, N> {
        let operands = ((&self.value, self.dots.each_ref()), (&other.value, other.dots.each_ref()));
        let (value, dots) = all(operands.0, operands.1, product);
        Jet { value, dots }
    }

    /// The sum.
    #[inline]
    pub(super) fn plus(self, other: Self) -> Self {
        let mut dots = self.dots;
        dots.iter_mut().zip(other.dots).for_each(|(dot, other)| dot.accumulate(other));
        Self { value: self.value.plus(other.value), dots }
    }
}

/// The functions of a row of two operands: in jets of these and of the direction, what goes back to each of them of the
/// result's cotangent, and what goes on of their tangents.
macro_rules! row {
    ($b:ty: |$x:ident, $y:ident, $direction:ident| ($by_x:expr, $by_y:expr), ($on_x:expr, $on_y:expr)) => {
        row! { @ vjp_0 dot_vjp_0 ($b) (Self::Output) (Self) |$x, $y, $direction| $by_x }
        row! { @ vjp_1 dot_vjp_1 ($b) (Self::Output) ($b) |$x, $y, $direction| $by_y }
        row! { @ jvp_0 dot_jvp_0 ($b) (Self) (Self::Output) |$x, $y, $direction| $on_x }
        row! { @ jvp_1 dot_jvp_1 ($b) ($b) (Self::Output) |$x, $y, $direction| $on_y }
    };
    (@ $first:ident $dot:ident ($b:ty) ($from:ty) ($to:ty) |$x:ident, $y:ident, $direction:ident| $result:expr) => {
        #[inline]
        #[allow(unused_variables, reason = "a partial reads only some of the operands")]
        fn $first(
            &self,
            b: &$b,
            _: &Self::Output,
            direction: &$crate::rules::TangentOf<$from>,
        ) -> $crate::rules::TangentOf<$to> {
            let ($x, $y) = (&Jet::of(self, []), &Jet::of(b, []));
            let $direction = &Jet::along(direction, []);
            Jet::last($result)
        }

        #[inline]
        #[allow(unused_variables, reason = "a partial reads only some of the operands")]
        fn $dot<const N: usize>(
            &self,
            dots: [&$crate::rules::TangentOf<Self>; N],
            b: (&$b, [&$crate::rules::TangentOf<$b>; N]),
            _: (&Self::Output, [&$crate::rules::TangentOf<Self::Output>; N]),
            direction: (&$crate::rules::TangentOf<$from>, [&$crate::rules::TangentOf<$from>; N]),
        ) -> $crate::rules::TangentOf<$to> {
            let ($x, $y) = (&Jet::of(self, dots), &Jet::of(b.0, b.1));
            let $direction = &Jet::along(direction.0, direction.1);
            Jet::last($result)
        }
    };
}

pub(super) use row;
