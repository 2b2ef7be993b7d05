//! Bounds that no companion meets: those of the functions that stand in for derivatives which a function does not have.
//!
//! A companion states `where for<'a> Self: SecondOrder<'a>` about itself. A bound with a lifetime of its own is not
//! checked at the definition, only where the function is called, and rustc reports it there in these words.

/// Second derivatives.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no second derivatives: it is differentiated once",
    label = "this needs derivatives of second order",
    note = "write `#[differentiate]` twice on `{Self}`, one below the other"
)]
pub trait SecondOrder<'a> {}

/// A Jacobian.
#[diagnostic::on_unimplemented(
    message = "`jacobian` needs exactly one active parameter, and `{Self}` has another number of them",
    label = "not one active parameter",
    note = "name the others in `#[differentiate(constant(..))]` on `{Self}`, or take all of them as one slice or array; `jvp` and `vjp` take any number"
)]
pub trait OneActive<'a> {}
