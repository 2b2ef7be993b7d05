//! Places that operators of types of the user's own lead to: `v[i]` and `*v`, in their tangents.
//!
//! `#[differentiate]` on an `impl` of `Index` or `Deref` implements these traits for the type. By them its tangent, which
//! `#[derive(Differentiable)]` makes, has the operator, too.

use crate::Differentiable;

/// The part of a tangent that an index leads to.
#[diagnostic::on_unimplemented(
    message = "the derivative of `[..]` on `{Self}` is not known",
    note = "put `#[differentiate]` on `impl Index<{I}> for {Self}`, or read by a method with `#[differentiate]`; if it is \
            what `{Self}` dereferences to that has the index, write `(*value)[..]`"
)]
pub trait IndexShadow<I>: Differentiable {
    /// The tangent of what the index leads to.
    type Output: ?Sized;

    /// The part.
    fn part(shadow: &Self::Tangent, index: I) -> &Self::Output;

    /// The part, to be written.
    fn part_mut(shadow: &mut Self::Tangent, index: I) -> &mut Self::Output;
}

/// The part of a tangent that a dereference leads to. The lifetime means nothing: it lets emitted code state the bound for
/// any type.
#[diagnostic::on_unimplemented(
    message = "the derivative of `*` on `{Self}` is not known",
    note = "put `#[differentiate]` on `impl Deref for {Self}`, or read by a method with `#[differentiate]`"
)]
pub trait DerefShadow<'a>: Differentiable {
    /// The tangent of what the dereference leads to.
    type Target: ?Sized;

    /// The part.
    fn part(shadow: &Self::Tangent) -> &Self::Target;

    /// The part, to be written.
    fn part_mut(shadow: &mut Self::Tangent) -> &mut Self::Target;
}

/// Indices that nobody has. By two of them rustc takes it for possible that a type has the trait, and reports that it has
/// not in the words above, instead of that the tangent has no `[]`.
macro_rules! nothing {
    ($($name:ident)*) => {$(
        #[doc(hidden)]
        pub enum $name {}

        impl<T: Differentiable> IndexShadow<$name> for T {
            type Output = ();

            fn part(_: &T::Tangent, index: $name) -> &() {
                match index {}
            }

            fn part_mut(_: &mut T::Tangent, index: $name) -> &mut () {
                match index {}
            }
        }
    )*};
}

nothing!(First Second);
