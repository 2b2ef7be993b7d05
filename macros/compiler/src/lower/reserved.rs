//! Names of what the compiler asks of a place, where the standard library has no method for it.

use proc_macro2::{Ident, Span};

/// A method of the compiler's own on a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// The keys of a map, in its order.
    Keys,
    /// Whether an `Option` or a `Result` holds a value.
    Holds,
    /// What is not differentiated, as a closure captures it.
    Held,
}

impl Method {
    const ALL: [Method; 3] = [Method::Keys, Method::Holds, Method::Held];

    fn text(self) -> &'static str {
        match self {
            Method::Keys => "__cotangent_keys",
            Method::Holds => "__cotangent_holds",
            Method::Held => "__cotangent_held",
        }
    }

    /// The method's name.
    pub fn ident(self, span: Span) -> Ident {
        Ident::new(self.text(), span)
    }

    /// The method of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.text() == name)
    }
}
