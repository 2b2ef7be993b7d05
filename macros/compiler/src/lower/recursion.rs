//! How a function shows that it calls itself.
//!
//! What does not show, such as a way through other functions, the attribute says: `recursive`.

use super::Lower;
use crate::ir::{Callee, Type};
use crate::signature::OwnerKind;

impl Lower<'_> {
    /// Whether a path, which no local variable hides, is the function's own: `f`, `self::f`, `Self::f`.
    pub(super) fn is_own_call(&self, callee: &syn::ExprPath) -> bool {
        let mut segments = callee.path.segments.iter().rev();
        let is_named = segments.next().is_some_and(|last| self.is_own_name(&last.ident));
        let prefix = segments.next().map(|prefix| prefix.ident.to_string());
        let is_here = match (self.owner, prefix.as_deref()) {
            (None, None) => !self.is_inner_item(),
            (None, prefix) => prefix == Some("self"),
            (Some(_), prefix) => prefix == Some("Self"),
        };
        is_named && is_here
    }

    /// Whether the path of a type's function may be, behind the type's name.
    pub(super) fn may_be_own_call(&self, callee: &syn::ExprPath) -> bool {
        let last = callee.path.segments.last();
        self.owner == Some(OwnerKind::Type)
            && crate::ir::is_associated(callee)
            && last.is_some_and(|last| self.is_own_name(&last.ident))
    }

    /// Whether the function's name is that of an item in its body.
    fn is_inner_item(&self) -> bool {
        self.builder
            .function
            .items
            .iter()
            .any(|item| matches!(item, syn::Item::Fn(inner) if self.is_own_name(&inner.sig.ident)))
    }

    /// Whether a method is the function's own.
    pub(super) fn is_own_method(&self, call: &syn::ExprMethodCall) -> bool {
        let is_self =
            matches!(&*call.receiver, syn::Expr::Path(path) if path.path.is_ident("self"));
        self.owner.is_some() && is_self && self.is_own_name(&call.method)
    }

    /// Whether a method of another receiver may be, as in the walk of a tree. In a trait and its impls, it is
    /// rather that of another type.
    pub(super) fn may_be_own_method(&self, method: &syn::Ident) -> bool {
        self.owner == Some(OwnerKind::Type) && self.is_own_name(method)
    }

    /// Whether types say whose a method is that may be the function's own. Those of cells say nothing.
    pub(super) fn is_open_method(&self, callee: &Callee) -> bool {
        let Callee::Method(method) = callee else { return false };
        self.may_be_own_method(method) && !["get", "set"].iter().any(|name| method == name)
    }

    /// Says of a call whether it is the function's own for certain, and whether it may be.
    pub(super) fn recurses(&mut self, callee: &Callee, is_own: bool, may_be_own: bool) {
        let is_open = self.is_open_method(callee);
        let function = &mut self.builder.function;
        function.is_recursive |= is_own || may_be_own;
        function.may_call_itself |= may_be_own && !is_own && !is_open;
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
