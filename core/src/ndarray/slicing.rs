//! Rules of slices, `x.slice(s![.., 1..n])`.
//!
//! Derivative code makes what the macro `s!` makes by the functions of this module: an index or a range for each axis, and
//! of these the whole.

use ndarray_0_17::{
    Array, DimAdd, Dimension, Ix0, Ix1, Ix2, Ix3, SliceArg, SliceInfo, SliceInfoElem,
};

use super::methods::Moves as _;
use crate::differentiable::without_tangent;
use crate::{Differentiable, Float, differentiate, primitive, zero_adjoint};

/// What a slice takes along all axes.
type Taken<const N: usize, In, Out> = SliceInfo<[SliceInfoElem; N], In, Out>;

without_tangent!(
    [] At,
    [] Between,
    [const N: usize, In: Dimension, Out: Dimension] SliceInfo<[SliceInfoElem; N], In, Out>
);

/// Integers that say where something is along an axis, from the end where they are negative.
pub trait Position: Differentiable + Copy {
    /// As ndarray has it.
    fn position(self) -> isize;
}

macro_rules! positions {
    ($($integer:ident)*) => {$(
        impl Position for $integer {
            fn position(self) -> isize {
                self as isize
            }
        }
    )*};
}

positions!(usize isize i32);

/// An index, whose axis is gone.
#[derive(Clone, Copy, Debug)]
pub struct At(isize);

/// A range with a step.
#[derive(Clone, Copy, Debug)]
pub struct Between(isize, Option<isize>, isize);

/// What is taken along one axis.
pub trait Piece: Differentiable + Copy {
    /// The axes that are left.
    type Left: Dimension;

    /// As ndarray has it.
    fn element(self) -> SliceInfoElem;
}

impl Piece for At {
    type Left = Ix0;

    fn element(self) -> SliceInfoElem {
        SliceInfoElem::Index(self.0)
    }
}

impl Piece for Between {
    type Left = Ix1;

    fn element(self) -> SliceInfoElem {
        let Between(start, end, step) = self;
        SliceInfoElem::Slice { start, end, step }
    }
}

/// `i`.
#[differentiate]
#[differentiate]
#[zero_adjoint]
pub fn at<I: Position>(index: I) -> At {
    At(index.position())
}

/// `..`.
#[differentiate]
#[differentiate]
#[zero_adjoint]
pub fn all() -> Between {
    Between(0, None, 1)
}

/// `a..`.
#[differentiate]
#[differentiate]
#[zero_adjoint]
pub fn from<I: Position>(start: I) -> Between {
    Between(start.position(), None, 1)
}

/// `..b`.
#[differentiate]
#[differentiate]
#[zero_adjoint]
pub fn until<I: Position>(end: I) -> Between {
    Between(0, Some(end.position()), 1)
}

/// `a..b`.
#[differentiate]
#[differentiate]
#[zero_adjoint]
pub fn between<I: Position, J: Position>(start: I, end: J) -> Between {
    Between(start.position(), Some(end.position()), 1)
}

/// `a..=b`.
#[differentiate]
#[differentiate]
#[zero_adjoint]
pub fn through<I: Position, J: Position>(start: I, end: J) -> Between {
    // What ends at the last one has no end.
    let end = Some(end.position()).filter(|end| *end != -1).map(|end| end + 1);
    Between(start.position(), end, 1)
}

/// `a..b; step`.
#[differentiate]
#[differentiate]
#[zero_adjoint]
pub fn stepped<I: Position>(range: Between, step: I) -> Between {
    Between(range.0, range.1, step.position())
}

/// What is taken along all axes, as a tuple.
pub trait Pieces: Differentiable {
    /// As ndarray has it.
    type Taken: Differentiable;

    /// It.
    fn taken(self) -> Self::Taken;
}

impl<A: Piece> Pieces for (A,) {
    type Taken = Taken<1, Ix1, A::Left>;

    fn taken(self) -> Self::Taken {
        SliceInfo::try_from([self.0.element()]).expect("a piece for each axis")
    }
}

/// The axes that two pieces leave.
type Both<A, B> = <<A as Piece>::Left as DimAdd<<B as Piece>::Left>>::Output;

impl<A: Piece, B: Piece> Pieces for (A, B)
where
    A::Left: DimAdd<B::Left>,
{
    type Taken = Taken<2, Ix2, Both<A, B>>;

    fn taken(self) -> Self::Taken {
        SliceInfo::try_from([self.0.element(), self.1.element()]).expect("a piece for each axis")
    }
}

impl<A: Piece, B: Piece, C: Piece> Pieces for (A, B, C)
where
    A::Left: DimAdd<B::Left>,
    Both<A, B>: DimAdd<C::Left>,
{
    type Taken = Taken<3, Ix3, <Both<A, B> as DimAdd<C::Left>>::Output>;

    fn taken(self) -> Self::Taken {
        let elements = [self.0.element(), self.1.element(), self.2.element()];
        SliceInfo::try_from(elements).expect("a piece for each axis")
    }
}

/// `s![..]`, of its pieces.
#[differentiate]
#[differentiate]
#[zero_adjoint]
pub fn taken<P: Pieces>(pieces: P) -> P::Taken {
    pieces.taken()
}

/// Arrays of which parts are taken.
#[doc(hidden)]
#[differentiate]
#[differentiate]
pub trait Sliced<I> {
    type Part: Differentiable;

    /// `slice`, `y = x[..]`: `x̄[..] += ȳ`.
    #[differentiate(companion = slice, constant(taken))]
    fn __slice(&self, taken: I) -> Self::Part;
}

#[differentiate]
#[differentiate]
impl<F, const N: usize, In, Out> Sliced<Taken<N, In, Out>> for Array<F, In>
where
    F: Float,
    In: Dimension,
    Out: Dimension,
    Taken<N, In, Out>: SliceArg<In, OutDim = Out>,
{
    type Part = Array<F, Out>;

    #[primitive(vjp = slice_vjp, jvp = slice_jvp, companion = slice, constant(taken))]
    fn __slice(&self, taken: Taken<N, In, Out>) -> Self::Part {
        self.slice(taken).to_owned()
    }
}

fn slice_vjp<F, const N: usize, In, Out>(
    x: &Array<F, In>,
    taken: Taken<N, In, Out>,
) -> (
    Array<F, Out>,
    impl FnOnce(&Array<F, In>, &mut Array<F, In>, Array<F, Out>) + use<F, N, In, Out>,
)
where
    F: Float,
    In: Dimension,
    Out: Dimension,
    Taken<N, In, Out>: SliceArg<In, OutDim = Out>,
{
    let back = move |_: &Array<F, In>, x_bar: &mut Array<F, In>, bar: Array<F, Out>| {
        x_bar.slice_mut(taken).zip_mut_with(&bar, |entry, bar| *entry += *bar);
    };
    (x.slice(taken).to_owned(), back)
}

#[differentiate(constant(taken))]
fn slice_jvp<F, const N: usize, In, Out>(
    x: &Array<F, In>,
    x_dot: &Array<F, In>,
    taken: Taken<N, In, Out>,
) -> (Array<F, Out>, Array<F, Out>)
where
    F: Float,
    In: Dimension,
    Out: Dimension,
    Taken<N, In, Out>: SliceArg<In, OutDim = Out>,
{
    (x.slice(taken).to_owned(), x_dot.slice(taken).to_owned())
}
