//! Functions of dual numbers, for `#[primitive(of = path, dual)]`: arguments are made of dual numbers, and results are taken
//! apart again.
//!
//! **In:** arguments made of `f64`, with tangents or as variables; results made of dual numbers. **Out:** the same
//! with [`Dual`] in the place of `f64`; values, tangents, and products of a cotangent with the partial derivatives.
//!
//! **Invariant:** floats are met in one order, that of [`Differentiable::visit`](crate::Differentiable::visit).

use super::Dual;
use crate::rules::strong;
use crate::{Differentiable, NoTangent};
use alloc::vec::Vec;

/// How many partial derivatives one run gives, where it is not known how many there are.
pub const LANES: usize = 8;

/// Counts the floats of all arguments, and makes variables of as many as there are tangents.
pub struct Units {
    position: usize,
    first: usize,
}

impl Units {
    /// Begins a run whose first variable is the float at a position.
    #[inline]
    #[must_use]
    pub fn new(first: usize) -> Self {
        Units { position: 0, first }
    }

    /// The tangents of the next float.
    #[inline]
    fn advance<const N: usize>(&mut self) -> [f64; N] {
        let lane = self.position.wrapping_sub(self.first);
        self.position += 1;
        core::array::from_fn(|index| if index == lane { 1.0 } else { 0.0 })
    }
}

/// A parameter of which dual numbers can be made: `f64`, and arrays, slices and vectors of such.
#[diagnostic::on_unimplemented(
    message = "dual numbers cannot stand in the place of `{Self}`",
    note = "active parameters with `dual` are made of `f64`: `f64` itself, arrays, slices and `Vec`; name others in \
            `constant(..)`"
)]
pub trait Lift {
    /// The same, made of dual numbers.
    type Lifted<const N: usize>;
    /// The tangent, as it is behind a reference.
    type Dot: ?Sized;

    /// The number of floats.
    fn count(&self) -> usize;

    /// The value with its tangents.
    fn lift<const N: usize>(&self, dots: [&Self::Dot; N]) -> Self::Lifted<N>;

    /// The value, whose floats are variables.
    fn vary<const N: usize>(&self, units: &mut Units) -> Self::Lifted<N>;

    /// Adds to each float the next of some products.
    fn receive(dot: &mut Self::Dot, products: &mut impl Iterator<Item = f64>);
}

impl Lift for f64 {
    type Lifted<const N: usize> = Dual<N>;
    type Dot = f64;

    #[inline]
    fn count(&self) -> usize {
        1
    }

    #[inline]
    fn lift<const N: usize>(&self, dots: [&f64; N]) -> Dual<N> {
        Dual::new(*self, dots.map(|dot| *dot))
    }

    #[inline]
    fn vary<const N: usize>(&self, units: &mut Units) -> Dual<N> {
        Dual::new(*self, units.advance())
    }

    #[inline]
    fn receive(dot: &mut f64, products: &mut impl Iterator<Item = f64>) {
        if let Some(product) = products.next() {
            *dot += product;
        }
    }
}

impl<T: Lift<Dot: Sized>, const M: usize> Lift for [T; M] {
    type Lifted<const N: usize> = [T::Lifted<N>; M];
    type Dot = [T::Dot; M];

    #[inline]
    fn count(&self) -> usize {
        self.iter().map(T::count).sum()
    }

    #[inline]
    fn lift<const N: usize>(&self, dots: [&Self::Dot; N]) -> Self::Lifted<N> {
        core::array::from_fn(|index| self[index].lift(dots.map(|dot| &dot[index])))
    }

    #[inline]
    fn vary<const N: usize>(&self, units: &mut Units) -> Self::Lifted<N> {
        core::array::from_fn(|index| self[index].vary(units))
    }

    #[inline]
    fn receive(dot: &mut Self::Dot, products: &mut impl Iterator<Item = f64>) {
        dot.iter_mut().for_each(|dot| T::receive(dot, products));
    }
}

impl<T: Lift<Dot: Sized>> Lift for [T] {
    type Lifted<const N: usize> = Vec<T::Lifted<N>>;
    type Dot = [T::Dot];

    #[inline]
    fn count(&self) -> usize {
        self.iter().map(T::count).sum()
    }

    fn lift<const N: usize>(&self, dots: [&[T::Dot]; N]) -> Vec<T::Lifted<N>> {
        let entries = self.iter().enumerate();
        entries.map(|(index, entry)| entry.lift(dots.map(|dot| &dot[index]))).collect()
    }

    fn vary<const N: usize>(&self, units: &mut Units) -> Vec<T::Lifted<N>> {
        self.iter().map(|entry| entry.vary(units)).collect()
    }

    fn receive(dot: &mut [T::Dot], products: &mut impl Iterator<Item = f64>) {
        dot.iter_mut().for_each(|dot| T::receive(dot, products));
    }
}

impl<T: Lift<Dot: Sized>> Lift for Vec<T> {
    type Lifted<const N: usize> = Vec<T::Lifted<N>>;
    type Dot = Vec<T::Dot>;

    #[inline]
    fn count(&self) -> usize {
        self.as_slice().count()
    }

    fn lift<const N: usize>(&self, dots: [&Self::Dot; N]) -> Self::Lifted<N> {
        self.as_slice().lift(dots.map(Vec::as_slice))
    }

    fn vary<const N: usize>(&self, units: &mut Units) -> Self::Lifted<N> {
        self.as_slice().vary(units)
    }

    fn receive(dot: &mut Self::Dot, products: &mut impl Iterator<Item = f64>) {
        <[T]>::receive(dot, products);
    }
}

/// A constant parameter made of `f64`: it stays, or becomes dual numbers, as the function takes it.
pub trait ToConstant<D> {
    /// The same value.
    fn to_constant(&self) -> D;
}

impl ToConstant<f64> for f64 {
    #[inline]
    fn to_constant(&self) -> f64 {
        *self
    }
}

impl<const N: usize> ToConstant<Dual<N>> for f64 {
    #[inline]
    fn to_constant(&self) -> Dual<N> {
        Dual::constant(*self)
    }
}

impl<T: ToConstant<D>, D, const M: usize> ToConstant<[D; M]> for [T; M] {
    #[inline]
    fn to_constant(&self) -> [D; M] {
        core::array::from_fn(|index| self[index].to_constant())
    }
}

impl<T: ToConstant<D>, D> ToConstant<Vec<D>> for [T] {
    fn to_constant(&self) -> Vec<D> {
        self.iter().map(T::to_constant).collect()
    }
}

impl<T: ToConstant<D>, D> ToConstant<Vec<D>> for Vec<T> {
    fn to_constant(&self) -> Vec<D> {
        self.as_slice().to_constant()
    }
}

/// A result that is made of dual numbers where arguments are.
#[diagnostic::on_unimplemented(
    message = "a result with `dual` is not made of dual numbers: `{Self}`",
    note = "it may be `f64`, arrays, `Vec`, tuples, `Option` and `Result` of it, integers and `bool`"
)]
pub trait Lower: Differentiable + Sized {
    /// The result, made of dual numbers.
    type Lifted<const N: usize>;
    /// Its tangents without its value.
    type Dots<const N: usize>;

    /// The value, and its tangents.
    fn split<const N: usize>(lifted: Self::Lifted<N>) -> (Self, Self::Dots<N>);

    /// One of the tangents.
    fn tangent<const N: usize>(dots: &Self::Dots<N>, lane: usize) -> Self::Tangent;

    /// Adds the product of a cotangent with each of the tangents to that one's sum.
    fn weigh<const N: usize>(dots: &Self::Dots<N>, bar: &Self::Tangent, sums: &mut [f64; N]);
}

impl Lower for f64 {
    type Lifted<const N: usize> = Dual<N>;
    type Dots<const N: usize> = [f64; N];

    #[inline]
    fn split<const N: usize>(lifted: Dual<N>) -> (f64, [f64; N]) {
        (lifted.value, lifted.tangents)
    }

    #[inline]
    fn tangent<const N: usize>(dots: &[f64; N], lane: usize) -> f64 {
        dots[lane]
    }

    // A zero cotangent contributes nothing, and neither does a float on which the result does not depend.
    #[inline]
    fn weigh<const N: usize>(dots: &[f64; N], bar: &f64, sums: &mut [f64; N]) {
        for (sum, dot) in sums.iter_mut().zip(dots) {
            *sum += if *dot == 0.0 { 0.0 } else { strong(*bar, *dot) };
        }
    }
}

impl<T: Lower, const M: usize> Lower for [T; M] {
    type Lifted<const N: usize> = [T::Lifted<N>; M];
    type Dots<const N: usize> = Vec<T::Dots<N>>;

    fn split<const N: usize>(lifted: Self::Lifted<N>) -> (Self, Self::Dots<N>) {
        let mut dots = Vec::with_capacity(M);
        let values = lifted.map(|entry| {
            let (value, dot) = T::split(entry);
            dots.push(dot);
            value
        });
        (values, dots)
    }

    fn tangent<const N: usize>(dots: &Self::Dots<N>, lane: usize) -> Self::Tangent {
        core::array::from_fn(|index| T::tangent(&dots[index], lane))
    }

    fn weigh<const N: usize>(dots: &Self::Dots<N>, bar: &Self::Tangent, sums: &mut [f64; N]) {
        dots.iter().zip(bar).for_each(|(dots, bar)| T::weigh(dots, bar, sums));
    }
}

impl<T: Lower> Lower for Vec<T> {
    type Lifted<const N: usize> = Vec<T::Lifted<N>>;
    type Dots<const N: usize> = Vec<T::Dots<N>>;

    fn split<const N: usize>(lifted: Self::Lifted<N>) -> (Self, Self::Dots<N>) {
        lifted.into_iter().map(T::split).unzip()
    }

    fn tangent<const N: usize>(dots: &Self::Dots<N>, lane: usize) -> Self::Tangent {
        dots.iter().map(|dots| T::tangent(dots, lane)).collect()
    }

    fn weigh<const N: usize>(dots: &Self::Dots<N>, bar: &Self::Tangent, sums: &mut [f64; N]) {
        dots.iter().zip(bar).for_each(|(dots, bar)| T::weigh(dots, bar, sums));
    }
}

impl<T: Lower> Lower for Option<T> {
    type Lifted<const N: usize> = Option<T::Lifted<N>>;
    type Dots<const N: usize> = Option<T::Dots<N>>;

    fn split<const N: usize>(lifted: Self::Lifted<N>) -> (Self, Self::Dots<N>) {
        lifted.map(T::split).unzip()
    }

    fn tangent<const N: usize>(dots: &Self::Dots<N>, lane: usize) -> Self::Tangent {
        dots.as_ref().map(|dots| T::tangent(dots, lane))
    }

    fn weigh<const N: usize>(dots: &Self::Dots<N>, bar: &Self::Tangent, sums: &mut [f64; N]) {
        if let Some((dots, bar)) = dots.as_ref().zip(bar.as_ref()) {
            T::weigh(dots, bar, sums);
        }
    }
}

/// Errors are constants.
impl<T: Lower, E> Lower for Result<T, E> {
    type Lifted<const N: usize> = Result<T::Lifted<N>, E>;
    type Dots<const N: usize> = Option<T::Dots<N>>;

    fn split<const N: usize>(lifted: Self::Lifted<N>) -> (Self, Self::Dots<N>) {
        match lifted.map(T::split) {
            Ok((value, dots)) => (Ok(value), Some(dots)),
            Err(error) => (Err(error), None),
        }
    }

    fn tangent<const N: usize>(dots: &Self::Dots<N>, lane: usize) -> Self::Tangent {
        Option::<T>::tangent(dots, lane)
    }

    fn weigh<const N: usize>(dots: &Self::Dots<N>, bar: &Self::Tangent, sums: &mut [f64; N]) {
        Option::<T>::weigh(dots, bar, sums);
    }
}

macro_rules! constants {
    ($($ty:ty)*) => {$(
        impl Lower for $ty {
            type Lifted<const N: usize> = $ty;
            type Dots<const N: usize> = ();

            fn split<const N: usize>(lifted: $ty) -> ($ty, ()) {
                (lifted, ())
            }

            fn tangent<const N: usize>((): &(), _: usize) -> NoTangent {
                NoTangent
            }

            fn weigh<const N: usize>((): &(), _: &NoTangent, _: &mut [f64; N]) {}
        }
    )*};
}

constants!(bool i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

macro_rules! tuples {
    ($(($($part:ident $index:tt),+))*) => {$(
        impl<$($part: Lower),+> Lower for ($($part,)+) {
            type Lifted<const N: usize> = ($($part::Lifted<N>,)+);
            type Dots<const N: usize> = ($($part::Dots<N>,)+);

            fn split<const N: usize>(lifted: Self::Lifted<N>) -> (Self, Self::Dots<N>) {
                let parts = ($($part::split(lifted.$index),)+);
                (($(parts.$index.0,)+), ($(parts.$index.1,)+))
            }

            fn tangent<const N: usize>(dots: &Self::Dots<N>, lane: usize) -> Self::Tangent {
                ($($part::tangent(&dots.$index, lane),)+)
            }

            fn weigh<const N: usize>(dots: &Self::Dots<N>, bar: &Self::Tangent, sums: &mut [f64; N]) {
                $($part::weigh(&dots.$index, &bar.$index, sums);)+
            }
        }
    )*};
}

tuples! { (A 0) (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, D 3) (A 0, B 1, C 2, D 3, E 4) (A 0, B 1, C 2, D 3, E 4, F 5) }

/// The value and the tangent of a run with one tangent.
#[inline]
pub fn push_forward<Y: Lower>(lifted: Y::Lifted<1>) -> (Y, Y::Tangent) {
    let (value, dots) = Y::split(lifted);
    let tangent = Y::tangent(&dots, 0);
    (value, tangent)
}

/// The value and the tangents of a run with several.
#[inline]
pub fn push_lanes<Y: Lower, const N: usize>(lifted: Y::Lifted<N>) -> (Y, [Y::Tangent; N]) {
    let (value, dots) = Y::split(lifted);
    let tangents = core::array::from_fn(|lane| Y::tangent(&dots, lane));
    (value, tangents)
}

/// The products of a cotangent with the partial derivatives that one run gives.
#[inline]
pub fn pull_back<Y: Lower, const N: usize>(dots: &Y::Dots<N>, bar: &Y::Tangent) -> [f64; N] {
    let mut sums = [0.0; N];
    Y::weigh(dots, bar, &mut sums);
    sums
}

/// As many runs as so many floats need, each with the position of its first variable: the value of the first, and the
/// tangents of all.
pub fn runs<Y: Lower>(
    count: usize,
    run: impl Fn(Units) -> Y::Lifted<LANES>,
) -> (Y, Vec<Y::Dots<LANES>>) {
    let (value, first) = Y::split(run(Units::new(0)));
    let others = (LANES..count).step_by(LANES).map(|first| Y::split(run(Units::new(first))).1);
    (value, core::iter::once(first).chain(others).collect())
}

/// The products of a cotangent with the partial derivatives that several runs give, in order.
pub fn pull_back_runs<Y: Lower>(runs: &[Y::Dots<LANES>], bar: &Y::Tangent) -> Vec<f64> {
    runs.iter().flat_map(|dots| pull_back::<Y, LANES>(dots, bar)).collect()
}
