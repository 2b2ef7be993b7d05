//! Which names stand for types in a function, so that calls of them are constructors'.
//!
//! In: a function, and the `impl` around it. Out: the names of types, of structs in braces and of patterns with parts. A
//! call of any other name may be a function's. Invariant: a call that is taken for a constructor's though it is a
//! function's does not compile, as it is emitted in braces.

use super::items::Seen;
use super::signature::Owner;
use super::types::{FACTOR_OF_FAER, is_of_faer};
use super::walk::{Node, Tree};
use std::collections::HashSet;
use std::rc::Rc;

/// The names, without what stands in front of them.
pub fn types_named(item: &syn::ItemFn, owner: Option<&Owner>) -> Rc<HashSet<syn::Ident>> {
    let mut names = HashSet::new();
    let mut look = |node: Node| {
        match node {
            Node::Path(path) => {
                names.extend(path.segments.last().map(|last| last.ident.clone()));
            }
            Node::PathSegment(segment) if is_of_faer(segment) => {
                names.insert(syn::Ident::new(FACTOR_OF_FAER, segment.ident.span()));
            }
            _ => {}
        }
        !matches!(node, Node::Item | Node::ExprPath(_) | Node::Attribute(_) | Node::Macro(_))
    };
    owner.and_then(|owner| owner.ty.as_ref()).into_iter().for_each(|ty| ty.walk(&mut look));
    item.sig.walk(&mut look);
    item.block.walk(&mut look);
    Rc::new(names)
}

impl Seen {
    /// Whether a path leads to a struct in the module that is seen.
    pub fn constructs(&self, path: &syn::Path) -> bool {
        let found = self.items.type_at(self.scope, path);
        found.is_some_and(|(_, item)| matches!(item, syn::Item::Struct(_)))
    }
}
