//! Cells and handles: memory that several ways lead to.
//!
//! | type | tangent |
//! |---|---|
//! | `RefCell<T>` | `Rc<RefCell<T::Tangent>>` |
//! | `Cell<T>` | `Rc<Cell<T::Tangent>>` |
//! | `Rc<T>` | that of `T`: another handle leads to the same shadow |
//!
//! Invariant: the same cell has the same shadow, however it is reached. A zero tangent is made without a look at
//! what else there is, so derivative code begins with [`Sharing`], which finds the cells that its parameters
//! have in common by their addresses and lets their shadows be one.
//!
//! What a cell holds must not hold cells in its turn.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::any::{Any, TypeId};
use core::cell::{Cell, RefCell};

use crate::differentiable::{Differentiable, share_each};
use crate::floats::{FloatVisitor, FloatVisitorMut, InnerProduct, PairVisitor};
use crate::tangent::Tangent;
use crate::visit::Visitor;

/// Lets the tangents of several values have one shadow for each cell that the values share.
///
/// Derivatives of functions with cells in their parameters do it with the shadows that they are given. Tangents
/// for `jvp` are only read, so that it is up to the caller.
///
/// ```
/// use core::cell::RefCell;
/// use cotangent::{Differentiable, Sharing};
/// use std::rc::Rc;
///
/// let a = Rc::new(RefCell::new(1.0));
/// let b = Rc::clone(&a);
/// let (mut a_dot, mut b_dot) = (a.zero_tangent(), b.zero_tangent());
/// Sharing::new().join(&a, &mut a_dot).join(&b, &mut b_dot);
/// *a_dot.borrow_mut() = 2.0;
/// assert_eq!(*b_dot.borrow(), 2.0);
/// ```
#[derive(Default)]
pub struct Sharing {
    shadows: BTreeMap<(usize, TypeId), Box<dyn Any>>,
    /// Whether a second shadow of a cell is a mistake rather than something to mend.
    is_strict: bool,
    /// Whether a cell was met a second time with another shadow.
    has_joined: bool,
}

impl Sharing {
    /// Nothing is known of any cell yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Shows a value with its tangent. A cell that was met before gives the tangent the shadow that it has
    /// already; what the tangent's own held is added to it.
    ///
    /// # Panics
    ///
    /// When a cell is mutably borrowed, or two tangents of one cell differ in shape.
    #[inline]
    #[must_use = "the values to come share with this one"]
    pub fn join<T: Differentiable + ?Sized>(mut self, value: &T, tangent: &mut T::Tangent) -> Self {
        if T::Tangent::SHARES {
            value.share(tangent, &mut self);
        }
        self
    }

    /// Likewise for a slice and its tangents.
    #[inline]
    #[must_use = "the values to come share with these"]
    pub fn join_each<T: Differentiable>(
        mut self,
        values: &[T],
        tangents: &mut [T::Tangent],
    ) -> Self {
        if T::Tangent::SHARES {
            share_each(values, tangents, &mut self);
        }
        self
    }

    /// Looks whether a tangent has the shadows that were met before, where it can only be read.
    ///
    /// # Panics
    ///
    /// When it has others: what is written by one handle could not be read by the other.
    #[inline]
    #[must_use = "the values to come share with this one"]
    pub fn expect<T: Differentiable + ?Sized>(mut self, value: &T, tangent: &T::Tangent) -> Self {
        self.is_strict = true;
        if T::Tangent::SHARES {
            value.share(&mut tangent.clone(), &mut self);
        }
        self
    }

    /// Likewise for a slice and its tangents.
    #[inline]
    #[must_use = "the values to come share with these"]
    pub fn expect_each<T: Differentiable>(mut self, values: &[T], tangents: &[T::Tangent]) -> Self {
        self.is_strict = true;
        if T::Tangent::SHARES {
            share_each(values, &mut tangents.to_vec(), &mut self);
        }
        self
    }

    fn meet<S: Shadow>(&mut self, address: usize, shadow: &mut S) {
        let known = self.shadows.entry((address, TypeId::of::<S>()));
        let first = known.or_insert_with(|| Box::new(shadow.clone()));
        let first = first.downcast_ref::<S>().expect("the key holds the type");
        if first.is(shadow) {
            return;
        }
        assert!(
            !self.is_strict,
            "two tangents were given for one cell: let them share by `cotangent::Sharing`"
        );
        self.has_joined = true;
        first.clone().accumulate(shadow.clone());
        *shadow = first.clone();
    }
}

/// Whether a copy has cells of its own.
pub(crate) fn are_apart<T, C>(original: &T, copy: &C) -> bool
where
    T: Differentiable + ?Sized,
    C: Differentiable<Tangent = T::Tangent>,
{
    let (mut first, mut second) = (original.zero_tangent(), copy.zero_tangent());
    let mut sharing = Sharing::new().join(original, &mut first);
    sharing.has_joined = false;
    !sharing.join(copy, &mut second).has_joined
}

/// A handle to the shadow of a cell.
trait Shadow: Tangent + 'static {
    /// Whether two handles lead to one shadow.
    fn is(&self, other: &Self) -> bool;
}

impl<T: Tangent + 'static> Shadow for Rc<RefCell<T>> {
    fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(self, other)
    }
}

impl<T: Tangent + Copy + 'static> Shadow for Rc<Cell<T>> {
    fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(self, other)
    }
}

fn address<T>(place: &T) -> usize {
    core::ptr::from_ref(place).addr()
}

/// A handle that is added to itself stays as it is: it leads to one shadow.
impl<T: Tangent + 'static> Tangent for Rc<RefCell<T>> {
    const SHARES: bool = true;

    fn accumulate(&mut self, other: Self) {
        if !Rc::ptr_eq(self, &other) {
            self.borrow_mut().accumulate(other.borrow().clone());
        }
    }

    fn visit_pairs(&mut self, other: &Self, visitor: &mut (impl PairVisitor + ?Sized)) {
        if !visitor.needs_cell(address(&**self)) {
            return;
        }
        if Rc::ptr_eq(self, other) {
            let copy = other.borrow().clone();
            self.borrow_mut().visit_pairs(&copy, visitor);
        } else {
            self.borrow_mut().visit_pairs(&other.borrow(), visitor);
        }
    }

    fn add_products(&self, other: &Self, sum: &mut InnerProduct) {
        if sum.needs_cell(address(&**self)) {
            self.borrow().add_products(&other.borrow(), sum);
        }
    }
}

/// A handle that is added to itself stays as it is: it leads to one shadow.
impl<T: Tangent + Copy + 'static> Tangent for Rc<Cell<T>> {
    const SHARES: bool = true;

    fn accumulate(&mut self, other: Self) {
        if !Rc::ptr_eq(self, &other) {
            self.set(self.get().plus(other.get()));
        }
    }

    fn visit_pairs(&mut self, other: &Self, visitor: &mut (impl PairVisitor + ?Sized)) {
        if visitor.needs_cell(address(&**self)) {
            let mut content = self.get();
            content.visit_pairs(&other.get(), visitor);
            self.set(content);
        }
    }

    fn add_products(&self, other: &Self, sum: &mut InnerProduct) {
        if sum.needs_cell(address(&**self)) {
            self.get().add_products(&other.get(), sum);
        }
    }
}

impl<T: Differentiable> Differentiable for RefCell<T>
where
    T::Tangent: 'static,
{
    type Tangent = Rc<RefCell<T::Tangent>>;

    fn zero_tangent(&self) -> Self::Tangent {
        Rc::new(RefCell::new(self.borrow().zero_tangent()))
    }

    fn conform(&self, tangent: &mut Self::Tangent) {
        self.borrow().conform(&mut tangent.borrow_mut());
    }

    fn share(&self, tangent: &mut Self::Tangent, sharing: &mut Sharing) {
        const { assert!(!T::Tangent::SHARES, "a cell inside of a cell is not supported") };
        sharing.meet(address(self), tangent);
    }

    fn perturb(&mut self, direction: &Self::Tangent, step: f64) {
        self.get_mut().perturb(&direction.borrow(), step);
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        self.borrow().visit(visitor);
    }

    fn visit_floats(&self, visitor: &mut (impl FloatVisitor + ?Sized)) {
        if visitor.needs_cell(address(self)) {
            self.borrow().visit_floats(visitor);
        }
    }

    fn visit_floats_mut(&mut self, visitor: &mut (impl FloatVisitorMut + ?Sized)) {
        Self::visit_floats_behind_handle(self, visitor);
    }

    fn visit_floats_behind_handle(&self, visitor: &mut (impl FloatVisitorMut + ?Sized)) {
        if visitor.needs_cell(address(self)) {
            self.borrow_mut().visit_floats_mut(visitor);
        }
    }
}

impl<T: Differentiable + Copy> Differentiable for Cell<T>
where
    T::Tangent: Copy + 'static,
{
    type Tangent = Rc<Cell<T::Tangent>>;

    fn zero_tangent(&self) -> Self::Tangent {
        Rc::new(Cell::new(self.get().zero_tangent()))
    }

    fn share(&self, tangent: &mut Self::Tangent, sharing: &mut Sharing) {
        sharing.meet(address(self), tangent);
    }

    fn perturb(&mut self, direction: &Self::Tangent, step: f64) {
        self.get_mut().perturb(&direction.get(), step);
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        self.get().visit(visitor);
    }

    fn visit_floats(&self, visitor: &mut (impl FloatVisitor + ?Sized)) {
        if visitor.needs_cell(address(self)) {
            self.get().visit_floats(visitor);
        }
    }

    fn visit_floats_mut(&mut self, visitor: &mut (impl FloatVisitorMut + ?Sized)) {
        Self::visit_floats_behind_handle(self, visitor);
    }

    fn visit_floats_behind_handle(&self, visitor: &mut (impl FloatVisitorMut + ?Sized)) {
        if visitor.needs_cell(address(self)) {
            let mut content = self.get();
            content.visit_floats_mut(visitor);
            self.set(content);
        }
    }
}

impl<T: Differentiable + ?Sized> Differentiable for Rc<T> {
    type Tangent = T::Tangent;

    fn zero_tangent(&self) -> Self::Tangent {
        (**self).zero_tangent()
    }

    fn conform(&self, tangent: &mut Self::Tangent) {
        (**self).conform(tangent);
    }

    fn share(&self, tangent: &mut Self::Tangent, sharing: &mut Sharing) {
        (**self).share(tangent, sharing);
    }

    fn perturb(&mut self, direction: &Self::Tangent, step: f64) {
        let content = Self::get_mut(self).expect("what several handles lead to cannot be moved");
        content.perturb(direction, step);
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        (**self).visit(visitor);
    }

    fn visit_floats(&self, visitor: &mut (impl FloatVisitor + ?Sized)) {
        (**self).visit_floats(visitor);
    }

    fn visit_floats_mut(&mut self, visitor: &mut (impl FloatVisitorMut + ?Sized)) {
        match Self::get_mut(self) {
            Some(content) => content.visit_floats_mut(visitor),
            None => (**self).visit_floats_behind_handle(visitor),
        }
    }

    fn visit_floats_behind_handle(&self, visitor: &mut (impl FloatVisitorMut + ?Sized)) {
        (**self).visit_floats_behind_handle(visitor);
    }
}

/// Floats on their way from one set of shadows to another of the same shape.
///
/// A gradient needs shadows of its own: what the caller's hold of a cell beforehand would be taken for the cotangent
/// of what the cell holds in the end.
#[derive(Default)]
pub struct Transfer {
    floats: Vec<f64>,
}

impl Transfer {
    /// Nothing is on its way yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes what a shadow holds: it is zero afterwards. A cell that two handles lead to is met twice, and is zero
    /// at the second time.
    pub fn take(&mut self, shadow: &mut (impl Tangents + ?Sized)) {
        shadow.each_float(&mut |float| self.floats.push(core::mem::take(float)));
    }

    /// Adds it to another shadow, in the order in which it was taken. A cell that is met twice is added to once.
    ///
    /// # Panics
    ///
    /// When the shadows differ in shape.
    pub fn give(&mut self, shadow: &mut (impl Tangents + ?Sized)) {
        let mut floats = core::mem::take(&mut self.floats).into_iter();
        shadow
            .each_float(&mut |float| *float += floats.next().expect("a shadow of the same shape"));
        self.floats = floats.collect();
    }
}

/// A shadow, or those of a slice.
pub trait Tangents {
    /// Calls a visitor on every float.
    fn each_float(&mut self, visitor: &mut dyn FnMut(&mut f64));
}

impl<T: Tangent> Tangents for T {
    fn each_float(&mut self, visitor: &mut dyn FnMut(&mut f64)) {
        self.visit_mut(visitor);
    }
}

impl<T: Tangent> Tangents for [T] {
    fn each_float(&mut self, visitor: &mut dyn FnMut(&mut f64)) {
        self.iter_mut().for_each(|tangent| tangent.visit_mut(visitor));
    }
}

/// The tangent of a `Cell`.
type CellShadow<T> = Rc<Cell<<T as Differentiable>::Tangent>>;

/// Writes [`CellDerivatives`]: the names of the derivatives of `get` and of `set`, then for each tangent that the
/// forward transform puts behind a parameter, at this order, names for it, for its shadow, and for a value. The components of
/// the cell and of what is written to it correspond one to one.
macro_rules! cell_derivatives {
    (
        vjp { $($get_vjp:ident $set_vjp:ident [$($dot:ident $bar:ident $value:ident)*];)* }
        jvp { $($get_jvp:ident $set_jvp:ident [$($along:ident $tangent:ident)*];)* }
    ) => {
        /// Derivatives of the methods of `Cell`, as those of methods with `#[differentiate]` look.
        #[allow(clippy::type_complexity, reason = "a pullback's type has no name")]
        #[allow(clippy::too_many_arguments, reason = "as many as a parameter has components")]
        pub trait CellDerivatives<T: Differentiable + Copy>
        where
            T::Tangent: Copy + 'static,
        {$(
            /// `get`, and its pullback.
            fn $get_vjp(&self, $($dot: &CellShadow<T>),*) -> (T, $(cell_derivatives!(@ $dot T::Tangent),)*
                impl FnOnce(
                    &Cell<T>, $(cell_derivatives!(@ $dot &CellShadow<T>),)*
                    &mut CellShadow<T>, $(cell_derivatives!(@ $bar &mut CellShadow<T>),)*
                    T::Tangent, $(cell_derivatives!(@ $bar T::Tangent)),*
                ) + use<T, Self>
            );

            /// `set`, and its pullback.
            fn $set_vjp(
                &self, $($dot: &CellShadow<T>,)* value: T, $($value: T::Tangent),*
            ) -> ((), $(cell_derivatives!(@ $dot ()),)*
                impl FnOnce(
                    &Cell<T>, $(cell_derivatives!(@ $dot &CellShadow<T>),)*
                    &mut CellShadow<T>, $(cell_derivatives!(@ $bar &mut CellShadow<T>),)*
                    (), $(cell_derivatives!(@ $bar ())),*
                ) -> (T::Tangent, $(cell_derivatives!(@ $bar T::Tangent)),*) + use<T, Self>
            );
        )*$(
            /// `get` along tangents.
            fn $get_jvp(
                &self, $($along: &CellShadow<T>),*
            ) -> (T, $(cell_derivatives!(@ $along T::Tangent)),*);

            /// `set` along tangents.
            fn $set_jvp(
                &self, $($along: &CellShadow<T>,)* value: T, $($tangent: T::Tangent),*
            ) -> ((), $(cell_derivatives!(@ $along ())),*);
        )*}

        impl<T: Differentiable + Copy> CellDerivatives<T> for Cell<T>
        where
            T::Tangent: Copy + 'static,
        {$(
            #[inline]
            fn $get_vjp(&self, $($dot: &CellShadow<T>),*) -> (T, $(cell_derivatives!(@ $dot T::Tangent),)*
                impl FnOnce(
                    &Cell<T>, $(cell_derivatives!(@ $dot &CellShadow<T>),)*
                    &mut CellShadow<T>, $(cell_derivatives!(@ $bar &mut CellShadow<T>),)*
                    T::Tangent, $(cell_derivatives!(@ $bar T::Tangent)),*
                ) + use<T>
            ) {
                let pullback = |
                    _: &Cell<T>, $(_: cell_derivatives!(@ $dot &CellShadow<T>),)*
                    bar: &mut CellShadow<T>, $($bar: &mut CellShadow<T>,)*
                    value_bar: T::Tangent, $($value: T::Tangent),*
                | {
                    bar.set(bar.get().plus(value_bar));
                    $($bar.set($bar.get().plus($value));)*
                };
                (self.get(), $($dot.get(),)* pullback)
            }

            #[inline]
            fn $set_vjp(
                &self, $($dot: &CellShadow<T>,)* value: T, $($value: T::Tangent),*
            ) -> ((), $(cell_derivatives!(@ $dot ()),)*
                impl FnOnce(
                    &Cell<T>, $(cell_derivatives!(@ $dot &CellShadow<T>),)*
                    &mut CellShadow<T>, $(cell_derivatives!(@ $bar &mut CellShadow<T>),)*
                    (), $(cell_derivatives!(@ $bar ())),*
                ) -> (T::Tangent, $(cell_derivatives!(@ $bar T::Tangent)),*) + use<T>
            ) {
                let old = self.replace(value);
                $(let $value = $dot.replace($value);)*
                let pullback = move |
                    cell: &Cell<T>, $($dot: &CellShadow<T>,)*
                    bar: &mut CellShadow<T>, $($bar: &mut CellShadow<T>,)*
                    (), $(_: cell_derivatives!(@ $bar ())),*
                | {
                    let zero = cell.replace(old).zero_tangent();
                    $($dot.set($value);)*
                    (bar.replace(zero), $($bar.replace(zero)),*)
                };
                ((), $(cell_derivatives!(@ $dot ()),)* pullback)
            }
        )*$(
            #[inline]
            fn $get_jvp(
                &self, $($along: &CellShadow<T>),*
            ) -> (T, $(cell_derivatives!(@ $along T::Tangent)),*) {
                (self.get(), $($along.get()),*)
            }

            #[inline]
            fn $set_jvp(
                &self, $($along: &CellShadow<T>,)* value: T, $($tangent: T::Tangent),*
            ) -> ((), $(cell_derivatives!(@ $along ())),*) {
                (self.set(value), $($along.set($tangent)),*)
            }
        )*}
    };
    (@ $name:ident ()) => { () };
    (@ $name:ident $ty:ty) => { $ty };
}

cell_derivatives! {
    vjp {
        __get_vjp_needs_differentiate_or_primitive_or_zero_adjoint
            __set_vjp_needs_differentiate_or_primitive_or_zero_adjoint [];
        __get_jvp_over_vjp_needs_another_differentiate
            __set_jvp_over_vjp_needs_another_differentiate [dot bar_dot value_dot];
        __get_jvp_over_jvp_over_vjp_needs_another_differentiate
            __set_jvp_over_jvp_over_vjp_needs_another_differentiate
            [dot_a bar_a value_a dot_b bar_b value_b dot_ab bar_ab value_ab];
    }
    jvp {
        __get_jvp_needs_differentiate_or_primitive_or_zero_adjoint
            __set_jvp_needs_differentiate_or_primitive_or_zero_adjoint [dot value_dot];
        __get_jvp_over_jvp_needs_another_differentiate
            __set_jvp_over_jvp_needs_another_differentiate
            [dot_a value_a dot_b value_b dot_ab value_ab];
        __get_jvp_over_jvp_over_jvp_needs_another_differentiate
            __set_jvp_over_jvp_over_jvp_needs_another_differentiate
            [dot_a value_a dot_b value_b dot_c value_c dot_ab value_ab dot_ac value_ac dot_bc value_bc
             dot_abc value_abc];
    }
}
