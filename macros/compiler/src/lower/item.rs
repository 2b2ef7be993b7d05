//! Constant items as data: what a path to a `const` or a `static` leads to is a place that is only read.
//!
//! In: paths that name no local, and names for parts of what they lead to. Out: the item's place, which is borrowed once
//! for the whole function. Its type is not seen: an element may be a value, or a reference, as those of
//! `const ROWS: &[&[f64]]` are. A name bound to a part is hence another name of the part where it is used as a place,
//! and means the same in both cases: `row[0]`, `*y` and `for v in row` go to the item, and nothing is copied.
//!
//! Invariant: no place of an item is written.

use super::{Lower, Place, Storage};
use crate::hir::{ExprId, ExprKind, PatId};
use crate::ir::{Access, Op, Value};
use proc_macro2::Span;

impl<'a> Lower<'a> {
    /// A constant item as a place.
    pub(super) fn item_place(&mut self, expr: ExprId) -> Option<Place> {
        let ExprKind::Item(path) = self.body.expr(expr).kind.clone() else { return None };
        if crate::syntax::is_option(&path.path) {
            return None;
        }
        let span = self.span(expr);
        self.place_of_item(&path, span)
    }

    pub(super) fn place_of_item(&mut self, path: &syn::ExprPath, span: Span) -> Option<Place> {
        let key = quote::quote!(#path).to_string();
        let version = match self.borrowed_items.get(&key) {
            Some((_, version)) => *version,
            None => self.borrow_item(path, key, span),
        };
        let slot = self.builder.function.slot_of(version)?;
        let var = self.flag(Some(version));
        self.slots[var.0] = Some(slot);
        let ty = self.ty(version);
        Some(self.whole(var, ty, false))
    }

    fn borrow_item(&mut self, path: &syn::ExprPath, key: String, span: Span) -> Value {
        let last = path.path.segments.last();
        let name = last.map_or_else(String::new, |last| last.ident.to_string().to_lowercase());
        let ty = crate::syntax::types::item_type(path);
        let slot = self.slot(&name, ty, Access::Shared, span);
        let version = self.builder.version(slot);
        self.builder.push_first(Op::BorrowItem(path.clone()), vec![version], span);
        self.borrowed_items.insert(key, (path.clone(), version));
        version
    }

    /// Whether a place is a part of a constant item.
    pub(super) fn is_of_item(&self, place: &Place) -> bool {
        let version = self.state[place.var.0];
        version
            .is_some_and(|version| self.borrowed_items.values().any(|(_, item)| *item == version))
    }

    /// The place of an expression that is gone through: what a constant item leads to is one, too.
    pub(super) fn place_or_item(&mut self, expr: ExprId) -> Option<Place> {
        self.place(expr).or_else(|| self.item_place(expr))
    }

    /// The part of a constant item that names are to be bound to by `let pattern = init;`.
    pub(super) fn part_for(&mut self, pattern: PatId, init: ExprId) -> Option<Place> {
        let is_asked = match self.plain_binding(pattern) {
            Some(binding) => self.body.is_used_as_place(binding.local),
            None => self.takes_apart(pattern),
        };
        if !is_asked || !self.leads_to_item(init) {
            return None;
        }
        self.place_or_item(init)
    }

    /// Whether a constant item stands at the root of a place.
    fn leads_to_item(&self, expr: ExprId) -> bool {
        match &self.body.expr(expr).kind {
            ExprKind::Item(path) => !crate::syntax::is_option(&path.path),
            ExprKind::Local(local) => {
                matches!(self.storage.get(local), Some(Storage::Part(_)))
            }
            ExprKind::Index(base, index) => {
                !matches!(self.body.expr(*index).kind, ExprKind::Range { .. })
                    && self.leads_to_item(*base)
            }
            ExprKind::Field(base, _) | ExprKind::Deref(base) => {
                self.is_name_of_item(*base) || self.leads_to_item(*base)
            }
            _ => false,
        }
    }

    /// Whether an expression is the name of a reference to a part of an item.
    fn is_name_of_item(&self, expr: ExprId) -> bool {
        let ExprKind::Local(local) = &self.body.expr(expr).kind else { return false };
        matches!(self.storage.get(local), Some(Storage::Alias(place)) if self.is_of_item(place))
    }
}
