//! Operators of types of the user's own: what their derivatives ask of the types, and of pullbacks.

use crate::guard::Kept;

/// A type whose values are copied: operands that an operator or a method of the user's takes by value, which derivatives read
/// again. The lifetime means nothing: it lets emitted code state the bound for any type.
#[diagnostic::on_unimplemented(
    message = "an operator of `{Self}`, which is not `Copy`, cannot be differentiated, nor a method named like a float's",
    note = "write a function with `#[differentiate]` that takes references, and call that in its place"
)]
pub trait CopiedOperand<'a>: Kept<'a> + Sized {
    /// The value once more.
    fn copied(&self) -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: Copy> CopiedOperand<'_> for T {
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
