//! Operators of types of the user's own: what their derivatives ask of the types, and of pullbacks.

/// What is copied: operands of an operator of a type of the user's, which derivatives read again.
#[diagnostic::on_unimplemented(
    message = "an operator of `{Self}`, which is not `Copy`, cannot be differentiated",
    note = "write a function with `#[differentiate]` that takes references, and call that in place of the operator"
)]
pub trait Copied: Sized {
    /// The value once more.
    fn copied(&self) -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: Copy> Copied for T {
    #[inline(always)]
    fn copied(&self) -> T {
        *self
    }
}

/// A pullback of a sum, which must read nothing that depends on the operands: they are not kept for it.
#[inline(always)]
pub fn without_operands<P>(pullback: P) -> P {
    const {
        assert!(
            size_of::<P>() == 0,
            "the derivative of this `+` or `-` reads its operands: write a function in place of the operator"
        );
    }
    pullback
}
