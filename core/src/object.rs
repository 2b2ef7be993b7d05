//! Trait objects: what is known of a value, and of its tangent, when its type is not.
//!
//! In: values behind `dyn` of a trait with `#[differentiate(dyn)]`. Out: their tangents, as [`DynTangent`], and
//! the way back to the types that derivatives of the trait's methods were made for.
//!
//! Invariant: the tangent of a trait object is of the tangent type of the value behind it, or it is the zero
//! without shape.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use core::any::{Any, type_name};
use core::fmt::{self, Debug, Formatter};

use crate::differentiable::Differentiable;
use crate::floats::{FloatVisitor, FloatVisitorMut, InnerProduct, PairVisitor, WithZeros};
use crate::tangent::Tangent;
use crate::visit::{Visitor, floats};

/// The tangent of a trait object: a tangent of the value behind it.
///
/// Gradients with respect to a `dyn` are read by the tangent type of the value that is behind it:
///
/// ```
/// use cotangent::{Differentiable, DynTangent, differentiate};
///
/// #[differentiate(dyn)]
/// trait Potential {
///     fn energy(&self, x: f64) -> f64;
/// }
///
/// #[derive(Clone, Differentiable)]
/// struct Spring {
///     stiffness: f64,
/// }
///
/// #[differentiate]
/// impl Potential for Spring {
///     fn energy(&self, x: f64) -> f64 {
///         0.5 * self.stiffness * x * x
///     }
/// }
///
/// #[differentiate]
/// fn twice(potential: &dyn Potential, x: f64) -> f64 {
///     2.0 * potential.energy(x)
/// }
///
/// let (potential_bar, x_bar) = twice::gradient(&Spring { stiffness: 3.0 }, 2.0);
/// let spring_bar: &SpringTangent = potential_bar.downcast_ref().unwrap();
/// assert_eq!((spring_bar.stiffness, x_bar), (4.0, 12.0));
///
/// // Tangents to start from are made in the same way.
/// let direction = DynTangent::new(SpringTangent { stiffness: 1.0 });
/// assert_eq!(twice::jvp(&Spring { stiffness: 3.0 }, &direction, 2.0, 0.0), (12.0, 4.0));
/// ```
///
/// Its [`Default`] is the zero of every value, without shape, as `None` is that of an `Option`. Two are equal
/// that are of one type and have the same floats.
#[derive(Default)]
pub struct DynTangent(Option<Box<dyn Shadow>>);

impl DynTangent {
    /// The tangent of a value behind a trait object.
    #[must_use]
    pub fn new<T: Tangent + 'static>(tangent: T) -> Self {
        DynTangent(Some(Box::new(tangent)))
    }

    /// The tangent in its own type; nothing where it is of another, or the zero without shape.
    #[must_use]
    pub fn downcast_ref<T: Tangent + 'static>(&self) -> Option<&T> {
        let shadow: &dyn Any = self.0.as_deref()?;
        shadow.downcast_ref()
    }

    /// The tangent in its own type, to change.
    #[must_use]
    pub fn downcast_mut<T: Tangent + 'static>(&mut self) -> Option<&mut T> {
        let shadow: &mut dyn Any = self.0.as_deref_mut()?;
        shadow.downcast_mut()
    }
}

impl Clone for DynTangent {
    fn clone(&self) -> Self {
        DynTangent(self.0.as_ref().map(|shadow| (**shadow).duplicate()))
    }
}

impl Debug for DynTangent {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(shadow) => {
                let floats = floats(|visitor| (**shadow).show_tangent(visitor));
                let ty = format_args!("{}", (**shadow).type_name());
                formatter.debug_tuple("DynTangent").field(&ty).field(&floats).finish()
            }
            None => formatter.write_str("DynTangent(Zero)"),
        }
    }
}

impl PartialEq for DynTangent {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => (**a).equals(&**b),
            (a, b) => a.is_none() && b.is_none(),
        }
    }
}

impl Differentiable for DynTangent {
    type Tangent = DynTangent;

    fn zero_tangent(&self) -> DynTangent {
        let mut zero = self.clone();
        zero.set_zero();
        zero
    }

    fn conform(&self, tangent: &mut DynTangent) {
        if tangent.0.is_none() {
            *tangent = self.zero_tangent();
        }
    }

    fn perturb(&mut self, direction: &DynTangent, step: f64) {
        let floats = floats(|visitor| direction.visit(visitor));
        let mut floats = floats.into_iter();
        self.visit_mut(&mut |float| *float += step * floats.next().unwrap_or_default());
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        self.0.iter().for_each(|shadow| (**shadow).show_tangent(visitor));
    }

    fn visit_floats(&self, mut visitor: &mut (impl FloatVisitor + ?Sized)) {
        self.0.iter().for_each(|shadow| (**shadow).show_floats(&mut visitor));
    }

    fn visit_floats_mut(&mut self, mut visitor: &mut (impl FloatVisitorMut + ?Sized)) {
        self.0.iter_mut().for_each(|shadow| (**shadow).change_floats(&mut visitor));
    }
}

impl Tangent for DynTangent {
    fn accumulate(&mut self, other: Self) {
        match (&mut self.0, other.0) {
            (Some(place), Some(value)) => (**place).add(value),
            (place @ None, value) => *place = value,
            (Some(_), None) => {}
        }
    }

    fn visit_pairs(&mut self, other: &Self, mut visitor: &mut (impl PairVisitor + ?Sized)) {
        match (&mut self.0, &other.0) {
            (Some(tangent), Some(other)) => (**tangent).change_by_pairs(&**other, &mut visitor),
            (Some(tangent), None) => (**tangent).change_floats(&mut WithZeros(visitor)),
            (None, Some(_)) => {
                *self = other.zero_tangent();
                self.visit_pairs(other, visitor);
            }
            (None, None) => {}
        }
    }

    fn add_products(&self, other: &Self, sum: &mut InnerProduct) {
        if let (Some(tangent), Some(other)) = (&self.0, &other.0) {
            (**tangent).sum_products(&**other, sum);
        }
    }
}

/// A tangent whose type is not known.
pub trait Shadow: Any {
    /// A copy.
    fn duplicate(&self) -> Box<dyn Shadow>;
    /// Adds a tangent of the same type; panics when it is of another.
    fn add(&mut self, other: Box<dyn Shadow>);
    /// Whether the other is of the same type and has the same floats.
    fn equals(&self, other: &dyn Shadow) -> bool;
    /// The name of its type.
    fn type_name(&self) -> &'static str;
    /// [`Differentiable::visit`].
    fn show_tangent(&self, visitor: &mut dyn Visitor);
    /// [`Differentiable::visit_floats`].
    fn show_floats(&self, visitor: &mut dyn FloatVisitor);
    /// [`Differentiable::visit_floats_mut`].
    fn change_floats(&mut self, visitor: &mut dyn FloatVisitorMut);
    /// [`Tangent::visit_pairs`]; panics when the other is of another type.
    fn change_by_pairs(&mut self, other: &dyn Shadow, visitor: &mut dyn PairVisitor);
    /// [`Tangent::add_products`]; panics when the other is of another type.
    fn sum_products(&self, other: &dyn Shadow, sum: &mut InnerProduct);
}

impl<T: Tangent + 'static> Shadow for T {
    fn duplicate(&self) -> Box<dyn Shadow> {
        Box::new(self.clone())
    }

    fn add(&mut self, other: Box<dyn Shadow>) {
        let other: Box<dyn Any> = other;
        match other.downcast::<T>() {
            Ok(other) => self.accumulate(*other),
            Err(_) => foreign::<T>(),
        }
    }

    fn equals(&self, other: &dyn Shadow) -> bool {
        let own = floats(|visitor| self.visit(visitor));
        (other as &dyn Any).is::<T>() && own == floats(|visitor| other.show_tangent(visitor))
    }

    fn type_name(&self) -> &'static str {
        type_name::<T>()
    }

    fn show_tangent(&self, visitor: &mut dyn Visitor) {
        self.visit(visitor);
    }

    fn show_floats(&self, visitor: &mut dyn FloatVisitor) {
        self.visit_floats(visitor);
    }

    fn change_floats(&mut self, visitor: &mut dyn FloatVisitorMut) {
        self.visit_floats_mut(visitor);
    }

    fn change_by_pairs(&mut self, other: &dyn Shadow, visitor: &mut dyn PairVisitor) {
        self.visit_pairs(of_same_type(other), visitor);
    }

    fn sum_products(&self, other: &dyn Shadow, sum: &mut InnerProduct) {
        self.add_products(of_same_type(other), sum);
    }
}

/// The tangent as a `T`; panics when it is not one.
fn of_same_type<T: 'static>(tangent: &dyn Shadow) -> &T {
    (tangent as &dyn Any).downcast_ref().unwrap_or_else(|| foreign::<T>())
}

/// A value whose type is not known: [`Differentiable`] with the type of the tangent left out.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no tangent type for a trait object",
    note = "an implementor of a trait with `#[differentiate(dyn)]` has `#[derive(Differentiable)]` and \
            borrows nothing"
)]
pub trait Object: Any {
    /// [`Differentiable::zero_tangent`].
    fn zero_shadow(&self) -> DynTangent;
    /// [`Differentiable::conform`].
    fn conform_shadow(&self, tangent: &mut DynTangent);
    /// [`Differentiable::perturb`].
    fn move_along(&mut self, direction: &DynTangent, step: f64);
    /// [`Differentiable::visit`].
    fn show_leaves(&self, visitor: &mut dyn Visitor);
    /// [`Differentiable::visit_floats`].
    fn show_floats_of_value(&self, visitor: &mut dyn FloatVisitor);
    /// [`Differentiable::visit_floats_mut`].
    fn change_floats_of_value(&mut self, visitor: &mut dyn FloatVisitorMut);
}

impl<T: Differentiable + 'static> Object for T {
    fn zero_shadow(&self) -> DynTangent {
        const { assert!(!T::Tangent::SHARES, "an object that holds cells is not supported") };
        DynTangent::new(self.zero_tangent())
    }

    fn conform_shadow(&self, tangent: &mut DynTangent) {
        self.conform(shadow(self, tangent));
    }

    fn move_along(&mut self, direction: &DynTangent, step: f64) {
        let direction = tangent(self, direction).into_owned();
        self.perturb(&direction, step);
    }

    fn show_leaves(&self, visitor: &mut dyn Visitor) {
        self.visit(visitor);
    }

    fn show_floats_of_value(&self, visitor: &mut dyn FloatVisitor) {
        self.visit_floats(visitor);
    }

    fn change_floats_of_value(&mut self, visitor: &mut dyn FloatVisitorMut) {
        self.visit_floats_mut(visitor);
    }
}

/// Shows the floats behind a trait object, by a visitor that its vtable can take.
pub fn show_floats<D: TraitObject + ?Sized>(
    object: &D,
    mut visitor: &mut (impl FloatVisitor + ?Sized),
) {
    object.object().show_floats_of_value(&mut visitor);
}

/// Likewise, to change.
pub fn change_floats<D: TraitObject + ?Sized>(
    object: &mut D,
    mut visitor: &mut (impl FloatVisitorMut + ?Sized),
) {
    object.object_mut().change_floats_of_value(&mut visitor);
}

/// A `dyn` of a differentiable trait.
#[diagnostic::on_unimplemented(
    message = "objects of this trait have no derivatives, and `{Self}` is differentiated through here",
    label = "the trait is without `#[differentiate(dyn)]`",
    note = "write `#[differentiate(dyn)]` on the trait, and `#[differentiate]` on each `impl` of it; or name the parameter in `#[differentiate(constant(..))]` where it is not to be differentiated"
)]
pub trait TraitObject {
    /// The value behind it.
    fn object(&self) -> &dyn Object;
    /// Likewise, to change.
    fn object_mut(&mut self) -> &mut dyn Object;
}

/// Likewise, where it is inside another type, whose tangent asks for its tangent.
#[diagnostic::on_unimplemented(
    message = "objects of this trait have no derivatives, and `{Self}` is differentiated through here",
    label = "the trait is without `#[differentiate(dyn)]`",
    note = "write `#[differentiate(dyn)]` on the trait, and `#[differentiate]` on each `impl` of it; or name the parameter in `#[differentiate(constant(..))]` where it is not to be differentiated"
)]
pub trait HeldObject: TraitObject + Differentiable<Tangent = DynTangent> {}

/// The value as what it is: a `T`, by itself or in a box, or in a box of the trait's objects.
///
/// # Panics
///
/// When it is another value than the one that the pullback belongs to.
pub fn concrete<T: 'static, D: TraitObject + ?Sized + 'static>(object: &dyn Object) -> &T {
    let any: &dyn Any = object;
    if let Some(value) = any.downcast_ref::<T>() {
        value
    } else if let Some(value) = any.downcast_ref::<Box<T>>() {
        value
    } else if let Some(inner) = any.downcast_ref::<Box<D>>() {
        concrete::<T, D>((**inner).object())
    } else {
        foreign::<T>()
    }
}

/// Likewise, to change.
///
/// # Panics
///
/// When it is another value than the one that the pullback belongs to.
pub fn concrete_mut<T: 'static, D: TraitObject + ?Sized + 'static>(
    object: &mut dyn Object,
) -> &mut T {
    let any: &mut dyn Any = object;
    if any.is::<T>() {
        any.downcast_mut().expect("it is one")
    } else if any.is::<Box<T>>() {
        any.downcast_mut::<Box<T>>().expect("it is one")
    } else if let Some(inner) = any.downcast_mut::<Box<D>>() {
        concrete_mut::<T, D>((**inner).object_mut())
    } else {
        foreign::<T>()
    }
}

/// The tangent of a value as what it is; that of a trait object takes the shape of the value if it has none.
///
/// # Panics
///
/// When it is the tangent of another type.
pub fn shadow<'s, T: Differentiable + 'static>(
    value: &T,
    shadow: &'s mut dyn Shadow,
) -> &'s mut T::Tangent {
    let any: &mut dyn Any = shadow;
    if any.is::<T::Tangent>() {
        any.downcast_mut().expect("it is one")
    } else if any.is::<Box<T::Tangent>>() {
        any.downcast_mut::<Box<T::Tangent>>().expect("it is one")
    } else if any.is::<Box<DynTangent>>() {
        let inner = any.downcast_mut::<Box<DynTangent>>().expect("it is one");
        inner.of(value)
    } else if let Some(inner) = any.downcast_mut::<DynTangent>() {
        inner.of(value)
    } else {
        foreign::<T::Tangent>()
    }
}

/// Likewise, to read.
///
/// # Panics
///
/// When it is the tangent of another type.
pub fn tangent<'s, T: Differentiable + 'static>(
    value: &T,
    shadow: &'s dyn Shadow,
) -> Cow<'s, T::Tangent> {
    let any: &dyn Any = shadow;
    let dynamic = any.downcast_ref::<DynTangent>();
    let dynamic = dynamic.or_else(|| any.downcast_ref::<Box<DynTangent>>().map(|inner| &**inner));
    let found = match dynamic {
        Some(DynTangent(None)) => return Cow::Owned(value.zero_tangent()),
        Some(DynTangent(Some(shadow))) => (&**shadow as &dyn Any).downcast_ref(),
        None => any
            .downcast_ref()
            .or_else(|| any.downcast_ref::<Box<T::Tangent>>().map(|inner| &**inner)),
    };
    found.map_or_else(|| foreign::<T::Tangent>(), Cow::Borrowed)
}

impl DynTangent {
    /// The tangent of this value.
    fn of<T: Differentiable + 'static>(&mut self, value: &T) -> &mut T::Tangent {
        let shadow = self.0.get_or_insert_with(|| Box::new(value.zero_tangent()));
        let any: &mut dyn Any = &mut **shadow;
        any.downcast_mut().unwrap_or_else(|| foreign::<T::Tangent>())
    }
}

#[cold]
#[track_caller]
fn foreign<T>() -> ! {
    panic!(
        "a trait object, or its tangent, is not of the type `{}` that it was before",
        type_name::<T>()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use alloc::{format, vec};

    #[test]
    fn tangents_of_trait_objects_are_tangents() {
        let mut sum = DynTangent::new(vec![1.0, 2.0]);
        sum.accumulate(DynTangent::new(vec![10.0, 20.0]));
        assert_eq!(sum.downcast_ref::<Vec<f64>>(), Some(&vec![11.0, 22.0]));
        assert_eq!(sum.downcast_ref::<f64>(), None);
        assert_eq!(sum.clone(), sum);
        assert_ne!(sum, DynTangent::new(11.0));
        assert_eq!(
            format!("{sum:?} {:?}", DynTangent::default()),
            "DynTangent(alloc::vec::Vec<f64>, [11.0, 22.0]) DynTangent(Zero)"
        );
        sum.visit_mut(&mut |float| *float += 1.0);
        assert_eq!(floats(|visitor| sum.visit(visitor)), [12.0, 23.0]);
    }

    #[test]
    fn the_default_is_the_zero_of_every_value() {
        let mut sum = DynTangent::default();
        sum.accumulate(DynTangent::default());
        assert_eq!(sum, DynTangent::default());
        sum.accumulate(DynTangent::new(2.0));
        sum.accumulate(DynTangent::default());
        assert_eq!(sum, DynTangent::new(2.0));
        assert_eq!(*DynTangent::default().of(&[3.0_f32]), [0.0]);
        assert_eq!(*tangent(&1.5, &DynTangent::default()), 0.0);
    }

    #[test]
    #[should_panic(expected = "is not of the type `f64`")]
    fn tangents_of_two_types_do_not_add() {
        let _ = DynTangent::new(1.0).plus(DynTangent::new([1.0]));
    }

    #[test]
    fn values_move_along_tangents_of_trait_objects() {
        let mut value: Box<dyn Object> = Box::new((1.0, 2));
        (*value).move_along(&DynTangent::new((2.0, crate::NoTangent)), 0.5);
        let any: &dyn Any = &*value;
        assert_eq!(any.downcast_ref(), Some(&(2.0, 2)));
        assert_eq!((*value).zero_shadow(), DynTangent::new((0.0, crate::NoTangent)));
    }
}
