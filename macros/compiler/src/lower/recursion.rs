//! How a function shows that it calls itself.
//!
//! What does not show, such as a way through other functions, the attribute says: `recursive`.

use super::Lower;
use crate::ir::Type;
use crate::signature::OwnerKind;

impl Lower<'_> {
    /// Whether a path, which no local variable hides, is the function's own: `f`, `self::f`, or behind a
    /// type's name.
    pub(super) fn is_own_call(&self, callee: &syn::ExprPath) -> bool {
        let mut segments = callee.path.segments.iter().rev();
        let is_named = segments.next().is_some_and(|last| self.is_own_name(&last.ident));
        let prefix = segments.next().map(|prefix| prefix.ident.to_string());
        let is_here = match (self.owner, prefix.as_deref()) {
            (None, None | Some("self")) => true,
            (Some(OwnerKind::Type), Some(_)) => crate::ir::is_associated(callee),
            (Some(_), prefix) => prefix == Some("Self"),
            (None, Some(_)) => false,
        };
        is_named && is_here
    }

    /// Whether a method is the function's own.
    pub(super) fn is_own_method(&self, call: &syn::ExprMethodCall) -> bool {
        let is_self =
            matches!(&*call.receiver, syn::Expr::Path(path) if path.path.is_ident("self"));
        self.owner.is_some() && is_self && self.is_own_name(&call.method)
    }

    /// Whether a method of another receiver may be, as in the walk of a tree. In a trait and its impls, it is
    /// rather that of another type.
    pub(super) fn may_be_own_method(&self, call: &syn::ExprMethodCall) -> bool {
        self.owner == Some(OwnerKind::Type) && self.is_own_name(&call.method)
    }

    /// The type of what the function returns to itself, where it is one of scalars.
    pub(super) fn scalar_output(&self) -> Type {
        match self.output.has_stand_in() && !self.output.is_aggregate() {
            true => self.output.clone(),
            false => Type::Unknown,
        }
    }

    fn is_own_name(&self, name: &syn::Ident) -> bool {
        *name == self.builder.function.name
    }
}
