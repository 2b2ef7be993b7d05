//! The types that can be differentiated, and how the rule tester looks into their values.
//!
//! In comes a value; out goes a zero of its tangent space, the value moved along a tangent, its leaves one by one, or its
//! floats. Invariant: [`perturb`](Differentiable::perturb), [`visit`](Differentiable::visit) and
//! [`visit_floats`](Differentiable::visit_floats) meet the floats of a value in the order in which those of its tangent
//! are met.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::convert::Infallible;
use core::marker::PhantomData;
use core::ops::{Range, RangeInclusive};
use core::slice;
use core::time::Duration;

use crate::floats::{
    CopyFrom, CopyTo, Count, DistinctCells, FloatVisitor, FloatVisitorMut, ReadOnly,
    floats_of_fields,
};
use crate::sharing::Sharing;
use crate::tangent::{NoTangent, Tangent};
use crate::visit::{Leaf, Step, Visitor, visit_entries, visit_memory, visit_part};

/// A type with a tangent space. Each type has one tangent type:
///
/// | type | tangent |
/// |---|---|
/// | `f64`, `f32` | itself |
/// | `[T; N]`, `Option<T>`, `Box<T>`, tuples up to 12 | the same container of tangents |
/// | `Vec<T>`, `[T]` | `Vec<T::Tangent>` |
/// | `&T`, `&mut T`, `Rc<T>` | `T::Tangent` |
/// | `RefCell<T>`, `Cell<T>` | `Rc<RefCell<T::Tangent>>`, `Rc<Cell<T::Tangent>>` |
/// | integers, also `NonZero`, `bool`, `char`, `String`, `str`, [`Ordering`], [`Duration`], `Instant`, `PathBuf`, ranges of integers, sets, function pointers | [`NoTangent`] |
/// | `dyn Trait`, by `#[differentiate(dyn)]` on the trait | [`DynTangent`](crate::DynTangent) |
/// | your own, by `#[derive(Differentiable)]` on `Foo` | `FooTangent` |
///
/// ```
/// use cotangent::{Differentiable, NoTangent};
///
/// let value = (1.5, vec![2.5, 3.5], 4_usize);
/// assert_eq!(value.zero_tangent(), (0.0, vec![0.0, 0.0], NoTangent));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no tangent type, so nothing can be differentiated through it",
    note = "put `#[derive(Differentiable)]` on the type, or name the parameter in \
            `#[differentiate(constant(..))]` when it is not to be differentiated; a `dyn Trait` has one with \
            `#[differentiate(dyn)]` on the trait"
)]
pub trait Differentiable {
    /// The type of the tangents, cotangents and shadows of a value of this type. It is its own tangent type.
    type Tangent: Tangent;

    /// The zero tangent in the shape of this value.
    ///
    /// ```
    /// use cotangent::Differentiable;
    ///
    /// assert_eq!([1.0, 2.0][..].zero_tangent(), vec![0.0, 0.0]);
    /// ```
    fn zero_tangent(&self) -> Self::Tangent;

    /// Gives a zero without shape, such as `None` or the `Zero` of an enum's tangent, the shape of this
    /// value. What has its shape stays as it is.
    ///
    /// Types without such tangents need not implement it.
    ///
    /// ```
    /// use cotangent::Differentiable;
    ///
    /// let mut tangent = (None, Some(2.0));
    /// (Some(1.0), Some(1.0)).conform(&mut tangent);
    /// assert_eq!(tangent, (Some(0.0), Some(2.0)));
    /// ```
    #[inline]
    fn conform(&self, tangent: &mut Self::Tangent) {
        let _ = tangent;
    }

    /// Whether [`conform`](Self::conform) has nothing to do in the outermost `layers` of this value: where an option, an
    /// enum or a collection is in another, each is one.
    #[doc(hidden)]
    fn conforms(&self, tangent: &Self::Tangent, layers: usize) -> bool {
        let _ = layers;
        let mut conformed = tangent.clone();
        self.conform(&mut conformed);
        shape(tangent) == shape(&conformed)
    }

    /// Shows the cells in this value to `sharing`, each with the handle to its shadow that the tangent has.
    ///
    /// Types without cells need not implement it.
    #[inline]
    fn share(&self, tangent: &mut Self::Tangent, sharing: &mut Sharing) {
        let _ = (tangent, sharing);
    }

    /// Moves the value by `step` along `direction`; what has no tangent stays.
    ///
    /// ```
    /// use cotangent::Differentiable;
    ///
    /// let mut x = [1.0, 2.0];
    /// x.perturb(&[1.0, -1.0], 0.5);
    /// assert_eq!(x, [1.5, 1.5]);
    /// ```
    ///
    /// # Panics
    ///
    /// When `direction` has another shape than the value, and when it would move something behind a
    /// shared reference.
    fn perturb(&mut self, direction: &Self::Tangent, step: f64);

    /// Shows every leaf in order. Two values with equal leaves are equal bit for bit.
    ///
    /// ```
    /// use cotangent::{Differentiable, Leaf};
    ///
    /// let mut leaves = vec![];
    /// vec![1.5].visit(&mut |leaf: Leaf<'_>| leaves.push(format!("{leaf:?}")));
    /// assert_eq!(leaves, ["Shape(1)", "F64(1.5)"]);
    /// ```
    fn visit(&self, visitor: &mut dyn Visitor);

    /// Shows the floats to a visitor, in the order of [`visit`](Self::visit), without what is around them.
    fn visit_floats(&self, visitor: &mut (impl FloatVisitor + ?Sized));

    /// Shows the floats to a visitor that may change them, in the same order.
    ///
    /// # Panics
    ///
    /// When the visitor changes something behind a shared reference.
    fn visit_floats_mut(&mut self, visitor: &mut (impl FloatVisitorMut + ?Sized));

    /// Shows those of a slice, as one run where the floats of its values lie one after the other.
    #[doc(hidden)]
    #[inline]
    fn visit_floats_in(values: &[Self], visitor: &mut (impl FloatVisitor + ?Sized))
    where
        Self: Sized,
    {
        values.iter().for_each(|value| value.visit_floats(visitor));
    }

    /// Shows those of a slice to a visitor that may change them.
    #[doc(hidden)]
    #[inline]
    fn visit_floats_mut_in(values: &mut [Self], visitor: &mut (impl FloatVisitorMut + ?Sized))
    where
        Self: Sized,
    {
        values.iter_mut().for_each(|value| value.visit_floats_mut(visitor));
    }

    /// Shows the floats of what several handles lead to, to a visitor that may change those in a cell.
    #[doc(hidden)]
    fn visit_floats_behind_handle(&self, visitor: &mut (impl FloatVisitorMut + ?Sized)) {
        self.visit_floats(&mut ReadOnly::new(
            visitor,
            "what several handles lead to cannot be moved",
        ));
    }

    /// The number of floats. A cell that several handles lead to counts once, and a tangent that is a zero without
    /// shape, such as `None`, counts nothing: [`conform`](Self::conform) gives it the shape of its value.
    ///
    /// ```
    /// use cotangent::Differentiable;
    ///
    /// assert_eq!((1.5, vec![2.5, 3.5], 4_usize).dim(), 3);
    /// ```
    #[inline]
    #[must_use]
    fn dim(&self) -> usize {
        let mut count = DistinctCells::new(Count::default());
        self.visit_floats(&mut count);
        count.visitor.0
    }

    /// Copies the floats into a slice, in order. An `f32` is widened.
    ///
    /// ```
    /// use cotangent::Differentiable;
    ///
    /// let mut flat = [0.0; 3];
    /// (1.0, vec![2.0_f32, 3.0]).write_to(&mut flat);
    /// assert_eq!(flat, [1.0, 2.0, 3.0]);
    /// ```
    ///
    /// # Panics
    ///
    /// When the length of the slice is not [`dim`](Self::dim).
    #[inline]
    fn write_to(&self, flat: &mut [f64]) {
        self.visit_floats(&mut DistinctCells::new(CopyTo::new(flat, self.dim())));
    }

    /// Copies floats from a slice into this value, in order. An `f32` is rounded.
    ///
    /// ```
    /// use cotangent::Differentiable;
    ///
    /// let mut value = (0.0, vec![0.0_f32, 0.0], "constant");
    /// value.read_from(&[1.0, 2.0, 3.0]);
    /// assert_eq!(value, (1.0, vec![2.0, 3.0], "constant"));
    /// ```
    ///
    /// # Panics
    ///
    /// When the length of the slice is not [`dim`](Self::dim), and when something behind a shared reference would change.
    #[inline]
    fn read_from(&mut self, flat: &[f64]) {
        let floats = self.dim();
        self.visit_floats_mut(&mut DistinctCells::new(CopyFrom::new(flat, floats)));
    }

    /// Some value, for emitted code that needs one of the type and reads none. Numbers have it, types of them, and
    /// references: these are what there are operators of.
    #[doc(hidden)]
    fn stand_in() -> Self
    where
        Self: Sized,
    {
        no_stand_in()
    }

    /// A reference to one.
    #[doc(hidden)]
    fn stand_in_reference<'r>() -> &'r Self
    where
        Self: 'r,
    {
        no_stand_in()
    }

    /// A reference to that.
    #[doc(hidden)]
    fn stand_in_nested<'r>() -> &'r &'r Self
    where
        Self: 'r,
    {
        no_stand_in()
    }
}

/// Unreachable, since a type of this kind has no operator with derivatives.
#[cold]
fn no_stand_in() -> ! {
    panic!("there is a stand-in of what is copied, of references to it, and of references to these")
}

/// The stand-ins of a type by one of its values. Of what nobody reads, no allocation is left in optimised code.
#[doc(hidden)]
#[macro_export]
macro_rules! __stand_ins {
    ($value:expr) => {
        #[inline(always)]
        fn stand_in() -> Self {
            $value
        }

        #[inline(always)]
        fn stand_in_reference<'r>() -> &'r Self
        where
            Self: 'r,
        {
            $crate::__private::Box::leak($crate::__private::Box::new(
                <Self as $crate::Differentiable>::stand_in(),
            ))
        }

        #[inline(always)]
        fn stand_in_nested<'r>() -> &'r &'r Self
        where
            Self: 'r,
        {
            $crate::__private::Box::leak($crate::__private::Box::new(
                <Self as $crate::Differentiable>::stand_in_reference(),
            ))
        }
    };
}

/// The zero of what is behind a reference, of which only rustc knows whether it has a tangent.
#[doc(hidden)]
#[macro_export]
macro_rules! __zero_of {
    ($value:expr) => {{
        use $crate::__private::WithoutTangent as _;
        $crate::__private::Zeros($value).zero()
    }};
}

/// The stand-in of a constant field.
#[doc(hidden)]
#[macro_export]
macro_rules! __stand_in_of_constant {
    ($type:ty) => {{
        use $crate::__private::{StandByDefault as _, StandByNothing as _, StandByTangent as _};
        (&&&$crate::__private::Stand::<$type>::new()).stand_in()
    }};
}

/// The stand-ins of a number.
macro_rules! stand_ins {
    ($number:literal) => {
        #[inline(always)]
        fn stand_in() -> Self {
            $number
        }

        #[inline(always)]
        fn stand_in_reference<'r>() -> &'r Self {
            &$number
        }

        #[inline(always)]
        fn stand_in_nested<'r>() -> &'r &'r Self {
            &&$number
        }
    };
}

macro_rules! floats {
    ($($float:ident $leaf:ident $run:ident),*) => {$(
        impl Differentiable for $float {
            type Tangent = $float;

            stand_ins!(0.0);

            #[inline(always)]
            fn zero_tangent(&self) -> $float {
                0.0
            }

            #[inline(always)]
            fn conforms(&self, _: &$float, _: usize) -> bool {
                true
            }

            // In double precision, so that an `f32` is rounded once.
            #[inline]
            fn perturb(&mut self, direction: &$float, step: f64) {
                *self = (f64::from(*self) + step * f64::from(*direction)) as $float;
            }

            fn visit(&self, visitor: &mut dyn Visitor) {
                visitor.leaf(Leaf::$leaf(*self));
            }

            #[inline]
            fn visit_floats(&self, visitor: &mut (impl FloatVisitor + ?Sized)) {
                visitor.$run(slice::from_ref(self));
            }

            #[inline]
            fn visit_floats_mut(&mut self, visitor: &mut (impl FloatVisitorMut + ?Sized)) {
                visitor.$run(slice::from_mut(self));
            }

            #[inline]
            fn visit_floats_in(values: &[Self], visitor: &mut (impl FloatVisitor + ?Sized)) {
                visitor.$run(values);
            }

            #[inline]
            fn visit_floats_mut_in(
                values: &mut [Self],
                visitor: &mut (impl FloatVisitorMut + ?Sized),
            ) {
                visitor.$run(values);
            }
        }
    )*};
}

floats!(f32 F32 f32s, f64 F64 f64s);

macro_rules! constants {
    ($($type:ty $(= $number:literal)?: $value:ident => $leaf:expr),* $(,)?) => {$(
        impl Differentiable for $type {
            type Tangent = NoTangent;

            $(stand_ins!($number);)?

            #[inline(always)]
            fn zero_tangent(&self) -> NoTangent {
                NoTangent
            }

            #[inline(always)]
            fn conforms(&self, _: &NoTangent, _: usize) -> bool {
                true
            }

            fn perturb(&mut self, _: &NoTangent, _: f64) {}

            fn visit(&self, visitor: &mut dyn Visitor) {
                let $value = self;
                visitor.leaf($leaf);
            }

            floats_of_fields!();
        }
    )*};
}

constants! {
    i8 = 0: value => Leaf::Integer(i128::from(*value)),
    i16 = 0: value => Leaf::Integer(i128::from(*value)),
    i32 = 0: value => Leaf::Integer(i128::from(*value)),
    i64 = 0: value => Leaf::Integer(i128::from(*value)),
    i128 = 0: value => Leaf::Integer(*value),
    isize = 0: value => Leaf::Integer(*value as i128),
    u8 = 0: value => Leaf::Integer(i128::from(*value)),
    u16 = 0: value => Leaf::Integer(i128::from(*value)),
    u32 = 0: value => Leaf::Integer(i128::from(*value)),
    u64 = 0: value => Leaf::Integer(i128::from(*value)),
    u128 = 0: value => Leaf::Integer(value.cast_signed()),
    usize = 0: value => Leaf::Integer(*value as i128),
    bool = false: value => Leaf::Integer(i128::from(*value)),
    char = '\0': value => Leaf::Integer(i128::from(u32::from(*value))),
    str: value => Leaf::Text(value),
    String: value => Leaf::Text(value),
    Ordering: value => Leaf::Integer(*value as i128),
    Duration: value => Leaf::Integer(value.as_nanos().cast_signed()),
}

/// Types that hold nothing that is differentiated, with the value that stands for one, and what a visitor is shown.
macro_rules! without_tangent {
    ($(
        [$($generics:tt)*] $type:ty $(= $value:expr)? $(=> |$shown:ident, $visitor:ident| $show:expr)?
    ),* $(,)?) => {$(
        impl<$($generics)*> $crate::Differentiable for $type {
            type Tangent = $crate::NoTangent;

            $($crate::__stand_ins!($value);)?

            #[inline(always)]
            fn zero_tangent(&self) -> $crate::NoTangent {
                $crate::NoTangent
            }

            #[inline(always)]
            fn conforms(&self, _: &$crate::NoTangent, _: usize) -> bool {
                true
            }

            fn perturb(&mut self, _: &$crate::NoTangent, _: f64) {}

            fn visit(&self, _visitor: &mut dyn $crate::Visitor) {
                $(
                    let ($shown, $visitor) = (self, _visitor);
                    $show;
                )?
            }

            $crate::floats::floats_of_fields!();
        }
    )*};
}

pub(crate) use without_tangent;

without_tangent! {
    [] NoTangent = NoTangent,
    [T: ?Sized] PhantomData<T> = PhantomData,
    [] Infallible => |never, _visitor| match *never {},
    [T: Differentiable<Tangent = NoTangent>] Range<T> => |range, visitor| {
        visit_ends([&range.start, &range.end], visitor)
    },
    [T: Differentiable<Tangent = NoTangent>] RangeInclusive<T> => |range, visitor| {
        visit_ends([range.start(), range.end()], visitor)
    },
}

/// Shows where a range starts and ends.
fn visit_ends(ends: [&impl Differentiable; 2], visitor: &mut dyn Visitor) {
    for (name, end) in ["start", "end"].into_iter().zip(ends) {
        visit_part(Step::Field(name), visitor, |visitor| end.visit(visitor));
    }
}

impl<T: Differentiable, const N: usize> Differentiable for [T; N] {
    type Tangent = [T::Tangent; N];

    crate::__stand_ins!(core::array::from_fn(|_| T::stand_in()));

    #[inline]
    fn zero_tangent(&self) -> Self::Tangent {
        self.each_ref().map(T::zero_tangent)
    }

    #[inline]
    fn conform(&self, tangent: &mut Self::Tangent) {
        conform_each(self, tangent);
    }

    #[inline]
    fn conforms(&self, tangent: &Self::Tangent, layers: usize) -> bool {
        conforms_each(self, tangent, layers)
    }

    #[inline]
    fn share(&self, tangent: &mut Self::Tangent, sharing: &mut Sharing) {
        share_each(self, tangent, sharing);
    }

    fn perturb(&mut self, direction: &Self::Tangent, step: f64) {
        for (value, direction) in self.iter_mut().zip(direction) {
            value.perturb(direction, step);
        }
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        visit_entries(self, visitor, T::visit);
    }

    #[inline]
    fn visit_floats(&self, visitor: &mut (impl FloatVisitor + ?Sized)) {
        T::visit_floats_in(self, visitor);
    }

    #[inline]
    fn visit_floats_mut(&mut self, visitor: &mut (impl FloatVisitorMut + ?Sized)) {
        T::visit_floats_mut_in(self, visitor);
    }

    #[inline]
    fn visit_floats_in(values: &[Self], visitor: &mut (impl FloatVisitor + ?Sized)) {
        T::visit_floats_in(values.as_flattened(), visitor);
    }

    #[inline]
    fn visit_floats_mut_in(values: &mut [Self], visitor: &mut (impl FloatVisitorMut + ?Sized)) {
        T::visit_floats_mut_in(values.as_flattened_mut(), visitor);
    }
}

impl<T: Differentiable> Differentiable for [T] {
    type Tangent = Vec<T::Tangent>;

    #[inline]
    fn zero_tangent(&self) -> Self::Tangent {
        self.iter().map(T::zero_tangent).collect()
    }

    #[inline]
    fn conform(&self, tangent: &mut Self::Tangent) {
        conform_each(self, tangent);
    }

    #[inline]
    fn conforms(&self, tangent: &Self::Tangent, layers: usize) -> bool {
        conforms_each(self, tangent, layers)
    }

    #[inline]
    fn share(&self, tangent: &mut Self::Tangent, sharing: &mut Sharing) {
        share_each(self, tangent, sharing);
    }

    fn perturb(&mut self, direction: &Self::Tangent, step: f64) {
        perturb_entries(self.iter_mut(), direction.iter(), step);
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        visitor.leaf(Leaf::Shape(self.len()));
        visit_entries(self, visitor, T::visit);
    }

    #[inline]
    fn visit_floats(&self, visitor: &mut (impl FloatVisitor + ?Sized)) {
        T::visit_floats_in(self, visitor);
    }

    #[inline]
    fn visit_floats_mut(&mut self, visitor: &mut (impl FloatVisitorMut + ?Sized)) {
        T::visit_floats_mut_in(self, visitor);
    }
}

/// Apart from what goes down a value by itself, since an assignment takes a place in the frame.
#[inline]
fn give_zero<T: Differentiable>(value: &T, tangent: &mut Option<T::Tangent>) {
    *tangent = Some(value.zero_tangent());
}

/// Gives the tangents of a slice the shapes of its values.
#[inline]
pub fn conform_each<T: Differentiable>(values: &[T], tangents: &mut [T::Tangent]) {
    for (value, tangent) in values.iter().zip(tangents) {
        value.conform(tangent);
    }
}

/// Whether the tangents of a slice have the shapes of its values, which are one layer, and their layers below.
#[inline]
fn conforms_each<T: Differentiable>(values: &[T], tangents: &[T::Tangent], layers: usize) -> bool {
    let each = || values.iter().zip(tangents);
    layers <= 1 || each().all(|(value, tangent)| value.conforms(tangent, layers - 1))
}

/// [`Differentiable::conform`], where the outermost layers have not the value's shape. In a recursion that looks into
/// no more of them at a level, what is conformed at one stays as it is at those below.
#[inline]
pub fn conform_within<T: Differentiable + ?Sized>(
    value: &T,
    tangent: &mut T::Tangent,
    layers: usize,
) {
    if !value.conforms(tangent, layers) {
        conform_below(value, tangent);
    }
}

/// In a frame of its own, since it goes down the whole value.
#[cold]
#[inline(never)]
fn conform_below<T: Differentiable + ?Sized>(value: &T, tangent: &mut T::Tangent) {
    value.conform(tangent);
}

/// A copy of a tangent, in the shape of its value.
pub fn conformed<T: Differentiable + ?Sized>(value: &T, tangent: &T::Tangent) -> T::Tangent {
    let mut copy = crate::accumulate::copy(tangent);
    value.conform(&mut copy);
    copy
}

/// Of each leaf of a tangent the length or the variant that it stands for.
fn shape<T: Tangent>(tangent: &T) -> Vec<Option<usize>> {
    let mut shape = Vec::new();
    tangent.visit(&mut |leaf: Leaf<'_>| {
        shape.push(match leaf {
            Leaf::Shape(number) => Some(number),
            _ => None,
        });
    });
    shape
}

/// Makes the tangents of a slice zero, in the shapes of its values.
#[inline]
pub fn clear_each<T: Differentiable>(values: &[T], tangents: &mut [T::Tangent]) {
    values.iter().zip(tangents).for_each(|(value, tangent)| *tangent = value.zero_tangent());
}

/// Shows the cells in the values of a slice.
#[inline]
pub(crate) fn share_each<T: Differentiable>(
    values: &[T],
    tangents: &mut [T::Tangent],
    sharing: &mut Sharing,
) {
    values.iter().zip(tangents).for_each(|(value, tangent)| value.share(tangent, sharing));
}

/// Moves entry by entry; panics when the lengths differ.
#[track_caller]
pub(crate) fn perturb_entries<'v, T: Differentiable + 'v>(
    values: impl ExactSizeIterator<Item = &'v mut T>,
    directions: impl ExactSizeIterator<Item = &'v T::Tangent>,
    step: f64,
) where
    T::Tangent: 'v,
{
    let (value, direction) = (values.len(), directions.len());
    assert!(
        value == direction,
        "a direction of length {direction} was given for a value of length {value}"
    );
    values.zip(directions).for_each(|(value, direction)| value.perturb(direction, step));
}

impl<T: Differentiable> Differentiable for Vec<T> {
    type Tangent = Vec<T::Tangent>;

    #[inline]
    fn zero_tangent(&self) -> Self::Tangent {
        self.as_slice().zero_tangent()
    }

    #[inline]
    fn conform(&self, tangent: &mut Self::Tangent) {
        self.as_slice().conform(tangent);
    }

    #[inline]
    fn conforms(&self, tangent: &Self::Tangent, layers: usize) -> bool {
        conforms_each(self, tangent, layers)
    }

    #[inline]
    fn share(&self, tangent: &mut Self::Tangent, sharing: &mut Sharing) {
        self.as_slice().share(tangent, sharing);
    }

    fn perturb(&mut self, direction: &Self::Tangent, step: f64) {
        self.as_mut_slice().perturb(direction, step);
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        visit_memory(self.as_slice(), self.capacity(), visitor);
        self.as_slice().visit(visitor);
    }

    #[inline]
    fn visit_floats(&self, visitor: &mut (impl FloatVisitor + ?Sized)) {
        T::visit_floats_in(self, visitor);
    }

    #[inline]
    fn visit_floats_mut(&mut self, visitor: &mut (impl FloatVisitorMut + ?Sized)) {
        T::visit_floats_mut_in(self, visitor);
    }
}

impl<T: Differentiable> Differentiable for Option<T> {
    type Tangent = Option<T::Tangent>;

    crate::__stand_ins!(None);

    #[inline]
    #[allow(clippy::manual_map, reason = "in an unoptimised build the closure would take a frame")]
    fn zero_tangent(&self) -> Self::Tangent {
        match self {
            Some(value) => Some(value.zero_tangent()),
            None => None,
        }
    }

    #[inline]
    fn conform(&self, tangent: &mut Self::Tangent) {
        match (self, &mut *tangent) {
            (Some(value), Some(tangent)) => value.conform(tangent),
            (Some(value), None) => give_zero(value, tangent),
            (None, _) => {}
        }
    }

    #[inline]
    fn conforms(&self, tangent: &Self::Tangent, layers: usize) -> bool {
        match (self, tangent) {
            (Some(value), Some(tangent)) => layers <= 1 || value.conforms(tangent, layers - 1),
            (value, _) => value.is_none(),
        }
    }

    #[inline]
    fn share(&self, tangent: &mut Self::Tangent, sharing: &mut Sharing) {
        if let (Some(value), Some(tangent)) = (self, tangent) {
            value.share(tangent, sharing);
        }
    }

    fn perturb(&mut self, direction: &Self::Tangent, step: f64) {
        match (self, direction) {
            (Some(value), Some(direction)) => value.perturb(direction, step),
            (None, Some(_)) => panic!("a direction was given for a value of `None`"),
            (_, None) => {}
        }
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        visitor.leaf(Leaf::Shape(usize::from(self.is_some())));
        if let Some(value) = self {
            visit_part(Step::Variant("Some"), visitor, |visitor| value.visit(visitor));
        }
    }

    #[inline]
    fn visit_floats(&self, visitor: &mut (impl FloatVisitor + ?Sized)) {
        if let Some(value) = self {
            value.visit_floats(visitor);
        }
    }

    #[inline]
    fn visit_floats_mut(&mut self, visitor: &mut (impl FloatVisitorMut + ?Sized)) {
        if let Some(value) = self {
            value.visit_floats_mut(visitor);
        }
    }
}

impl<T: Differentiable + ?Sized> Differentiable for Box<T> {
    type Tangent = Box<T::Tangent>;

    #[inline]
    fn zero_tangent(&self) -> Self::Tangent {
        Box::new((**self).zero_tangent())
    }

    #[inline]
    fn conform(&self, tangent: &mut Self::Tangent) {
        (**self).conform(tangent);
    }

    #[inline]
    fn conforms(&self, tangent: &Self::Tangent, layers: usize) -> bool {
        (**self).conforms(tangent, layers)
    }

    #[inline]
    fn share(&self, tangent: &mut Self::Tangent, sharing: &mut Sharing) {
        (**self).share(tangent, sharing);
    }

    fn perturb(&mut self, direction: &Self::Tangent, step: f64) {
        (**self).perturb(direction, step);
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        visit_memory(&**self, 1, visitor);
        (**self).visit(visitor);
    }

    #[inline]
    fn visit_floats(&self, visitor: &mut (impl FloatVisitor + ?Sized)) {
        (**self).visit_floats(visitor);
    }

    #[inline]
    fn visit_floats_mut(&mut self, visitor: &mut (impl FloatVisitorMut + ?Sized)) {
        (**self).visit_floats_mut(visitor);
    }
}

impl<T: Differentiable + ?Sized> Differentiable for &T {
    type Tangent = T::Tangent;

    #[inline]
    fn zero_tangent(&self) -> Self::Tangent {
        (**self).zero_tangent()
    }

    #[inline]
    fn conform(&self, tangent: &mut Self::Tangent) {
        (**self).conform(tangent);
    }

    #[inline]
    fn conforms(&self, tangent: &Self::Tangent, layers: usize) -> bool {
        (**self).conforms(tangent, layers)
    }

    #[inline]
    fn share(&self, tangent: &mut Self::Tangent, sharing: &mut Sharing) {
        (**self).share(tangent, sharing);
    }

    fn perturb(&mut self, direction: &Self::Tangent, step: f64) {
        direction.visit(&mut |leaf: Leaf<'_>| {
            let is_still = leaf.float().is_none_or(|float| step * float == 0.0);
            assert!(is_still, "what is behind a shared reference cannot be moved");
        });
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        (**self).visit(visitor);
    }

    #[inline]
    fn visit_floats(&self, visitor: &mut (impl FloatVisitor + ?Sized)) {
        (**self).visit_floats(visitor);
    }

    fn visit_floats_mut(&mut self, visitor: &mut (impl FloatVisitorMut + ?Sized)) {
        (**self).visit_floats(&mut ReadOnly::new(
            visitor,
            "what is behind a shared reference cannot be moved",
        ));
    }

    #[inline(always)]
    fn stand_in() -> Self {
        T::stand_in_reference()
    }

    #[inline(always)]
    fn stand_in_reference<'r>() -> &'r Self
    where
        Self: 'r,
    {
        T::stand_in_nested()
    }

    // No constant can be so deep for any type. Of what nobody reads, no allocation is left in optimised code.
    #[inline(always)]
    fn stand_in_nested<'r>() -> &'r &'r Self
    where
        Self: 'r,
    {
        Box::leak(Box::new(T::stand_in_nested()))
    }
}

impl<T: Differentiable + ?Sized> Differentiable for &mut T {
    type Tangent = T::Tangent;

    #[inline]
    fn zero_tangent(&self) -> Self::Tangent {
        (**self).zero_tangent()
    }

    #[inline]
    fn conform(&self, tangent: &mut Self::Tangent) {
        (**self).conform(tangent);
    }

    #[inline]
    fn conforms(&self, tangent: &Self::Tangent, layers: usize) -> bool {
        (**self).conforms(tangent, layers)
    }

    #[inline]
    fn share(&self, tangent: &mut Self::Tangent, sharing: &mut Sharing) {
        (**self).share(tangent, sharing);
    }

    fn perturb(&mut self, direction: &Self::Tangent, step: f64) {
        (**self).perturb(direction, step);
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        (**self).visit(visitor);
    }

    #[inline]
    fn visit_floats(&self, visitor: &mut (impl FloatVisitor + ?Sized)) {
        (**self).visit_floats(visitor);
    }

    #[inline]
    fn visit_floats_mut(&mut self, visitor: &mut (impl FloatVisitorMut + ?Sized)) {
        (**self).visit_floats_mut(visitor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{format, vec};

    fn leaves(value: &(impl Differentiable + ?Sized)) -> Vec<String> {
        let mut leaves = vec![];
        value.visit(&mut |leaf: Leaf<'_>| leaves.push(format!("{leaf:?}")));
        leaves
    }

    #[test]
    fn zero_tangents_have_the_shape_of_the_value() {
        assert_eq!(vec![vec![1.0_f32], vec![]].zero_tangent(), [vec![0.0], vec![]]);
        assert_eq!((Some(2.0), None::<f64>).zero_tangent(), (Some(0.0), None));
        assert_eq!(("text", 'c', true).zero_tangent(), (NoTangent, NoTangent, NoTangent));
        assert_eq!([Box::new(1.0)].zero_tangent(), [Box::new(0.0)]);
        let () = ().zero_tangent();
    }

    #[test]
    fn values_move_along_tangents() {
        let mut value = (1.0, vec![2.0_f32], Some(3.0), 4);
        value.perturb(&(1.0, vec![2.0], Some(-1.0), NoTangent), 0.5);
        assert_eq!(value, (1.5, vec![3.0], Some(2.5), 4));
    }

    #[test]
    fn leaves_tell_values_apart() {
        let value = (true, 'a', -1_i8, u128::MAX, String::from("s"), None::<f64>);
        let expected =
            ["Integer(1)", "Integer(97)", "Integer(-1)", "Integer(-1)", "Text(\"s\")", "Shape(0)"];
        assert_eq!(leaves(&value), expected);
        assert_eq!(leaves(&[1.0_f32][..]), ["Shape(1)", "F32(1.0)"]);
        assert_eq!(leaves(&&mut [1.0]), ["F64(1.0)"]);
    }

    #[test]
    #[should_panic(expected = "behind a shared reference")]
    fn shared_references_do_not_move() {
        (&1.0).perturb(&1.0, 0.5);
    }

    #[test]
    #[should_panic(expected = "a direction of length 1 was given for a value of length 2")]
    fn directions_have_the_length_of_the_value() {
        vec![1.0, 2.0].perturb(&vec![1.0], 0.5);
    }
}
