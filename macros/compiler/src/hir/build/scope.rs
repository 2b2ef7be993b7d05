//! Name resolution: which binding an identifier means.
//!
//! In: identifiers, in the order of the source. Out: locals. A scope is a rib in rustc's sense: a block, an arm, a
//! closure. Invariant: an identifier of one macro context never means a binding of another.

use crate::hir::Local;
use crate::syntax::hygiene;
use proc_macro2::{Ident, Span};
use rustc_hash::FxHashMap as HashMap;

/// What a name means.
#[derive(Clone, Copy)]
enum Meaning {
    Local(Local),
    /// An item of a block hides locals outside of the block.
    Item,
}

/// The names in scope, from the outermost rib to the innermost.
pub struct Scopes(Vec<HashMap<String, Meaning>>);

impl Default for Scopes {
    fn default() -> Self {
        Scopes(vec![HashMap::default()])
    }
}

impl Scopes {
    /// Opens a rib.
    pub fn open(&mut self) {
        self.0.push(HashMap::default());
    }

    /// Closes the innermost rib.
    pub fn close(&mut self) {
        self.0.pop();
    }

    /// Binds a name in the innermost rib.
    pub fn bind(&mut self, name: &Ident, local: Local) {
        self.declare(hygiene::key(name), Meaning::Local(local));
    }

    /// Declares an item of the innermost block.
    pub fn declare_item(&mut self, name: &Ident) {
        self.declare(hygiene::key(name), Meaning::Item);
    }

    fn declare(&mut self, key: String, meaning: Meaning) {
        self.0.last_mut().expect("a rib is open").insert(key, meaning);
    }

    /// Returns the local that an identifier means, if it means one.
    pub fn resolve(&self, name: &Ident) -> Option<Local> {
        self.resolve_key(&hygiene::key(name))
    }

    /// Whether an identifier means a local, or an item of a block.
    pub fn names(&self, name: &Ident) -> bool {
        let key = hygiene::key(name);
        self.0.iter().any(|rib| rib.contains_key(&key))
    }

    /// Returns the local that a name inside of a string literal means.
    pub fn resolve_text(&self, name: &str, at: Span) -> Option<Local> {
        self.resolve_key(&hygiene::key_at(name, at))
    }

    fn resolve_key(&self, key: &str) -> Option<Local> {
        match self.0.iter().rev().find_map(|rib| rib.get(key))? {
            Meaning::Local(local) => Some(*local),
            Meaning::Item => None,
        }
    }

    /// Whether a local of this spelling is in scope, of whatever macro context.
    pub fn has_namesake(&self, name: &Ident) -> bool {
        let name = name.to_string();
        let mut names = self.0.iter().flatten();
        names.any(|(key, meaning)| {
            matches!(meaning, Meaning::Local(_)) && hygiene::name(key) == name
        })
    }
}
