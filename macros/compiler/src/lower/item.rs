//! Constant items as data: what a path to a `const` or a `static` leads to is a place that is only read.
//!
//! In: paths that name no variable, and `let` of parts of what they name. Out: the item's place, which is
//! borrowed once for the whole function. Its type is not seen: an element may be a value, or a reference, as those of
//! `const ROWS: &[&[f64]]` are. A name bound to a part is hence another name of the part where it is used as a
//! place, and means the same in both cases: `row[0]`, `*y` and `for v in row` go to the item, and nothing is
//! copied.

use super::{Binding, Lower, Place, expr, reserved};
use crate::diag::{self, Extent};
use crate::emit;
use crate::ir::{Access, Op, Projection, Type, Value};
use proc_macro2::Ident;
use quote::ToTokens;
use syn::{Expr, Pat, Stmt, parse_quote};

impl Lower<'_> {
    /// A constant item as a place.
    pub(super) fn item_place(&mut self, expr: &Expr) -> Option<Place> {
        let path = match expr {
            Expr::Paren(paren) => return self.item_place(&paren.expr),
            Expr::Group(group) => return self.item_place(&group.expr),
            Expr::Path(path) if !emit::is_option(&path.path) && !self.names_variable(path) => path,
            _ => return None,
        };
        self.check_namesakes(path);
        let version = self.borrowed_item(path)?;
        let (var, ty) = (self.variable(Some(version)), self.ty(version));
        Some(Place { var, path: Vec::new(), indices: Vec::new(), ty, mutable: false })
    }

    fn borrowed_item(&mut self, path: &syn::ExprPath) -> Option<Value> {
        let key = quote::quote!(#path).to_string();
        if let Some((_, version)) = self.borrowed_items.get(&key) {
            return Some(*version);
        }
        let name = path.path.segments.last()?.ident.to_string().to_lowercase();
        let span = self.span(path);
        let slot = self.slot(&name, expr::item_type(path), Access::Shared, span);
        let version = self.builder.version(slot);
        self.builder.push_first(Op::BorrowItem(path.clone()), vec![version], span);
        self.borrowed_items.insert(key, (path.clone(), version));
        Some(version)
    }

    /// Reports items that are written, by a name that is bound to them. rustc refuses that, too.
    pub(super) fn refuse_written_items(&mut self) {
        let function = &self.builder.function;
        let is_written = |version: &Value| {
            let slot = function.slot_of(*version);
            function.values.iter().filter(|data| data.slot == slot).count() > 1
        };
        let items = self.borrowed_items.values().filter(|(_, version)| is_written(version));
        let written: Vec<syn::ExprPath> = items.map(|(path, _)| path.clone()).collect();
        for path in written {
            let name = path.to_token_stream().to_string();
            self.report(Extent::of(&path), &diag::STATIC_WRITE, &name);
        }
    }

    fn names_variable(&self, path: &syn::ExprPath) -> bool {
        let ident = path.path.get_ident().filter(|_| path.qself.is_none());
        ident.is_some_and(|ident| self.lookup(&self.key(ident)).is_some())
    }

    /// Whether a place is a part of an item.
    fn is_of_item(&self, place: &Place) -> bool {
        self.item_at_root(place).is_some()
    }

    fn item_at_root(&self, place: &Place) -> Option<&syn::ExprPath> {
        let version = self.state[place.var.0]?;
        let mut items = self.borrowed_items.values();
        items.find(|(_, item)| *item == version).map(|(path, _)| path)
    }

    /// A variable that is a name for an item or for a field of one, as it may be written again elsewhere.
    pub(super) fn name_of_item(&self, name: &Ident) -> Option<Stmt> {
        let (place, is_view) = match self.lookup(&self.key(name))? {
            Binding::View(place) => (place, true),
            Binding::Part(place) => (place, false),
            Binding::Variable(_) => return None,
        };
        let item = self.item_at_root(place)?;
        let field = |whole: Option<Expr>, step: &Projection| {
            let Projection::Field(name) = step else { return None };
            let (whole, member) = (whole?, emit::member(name));
            Some(parse_quote!(#whole.#member))
        };
        let part = place.path.iter().fold(Some(parse_quote!(#item)), field)?;
        Some(match is_view {
            true => parse_quote!(let #name = &#part;),
            false => parse_quote!(let #name = #part;),
        })
    }

    /// Whether a name is bound to a part of an item, which may be a reference.
    pub(super) fn names_part(&self, expr: &Expr) -> bool {
        let Expr::Path(path) = expr else { return false };
        let binding = path.path.get_ident().and_then(|ident| self.lookup(&self.key(ident)));
        matches!(binding, Some(Binding::Part(_)))
    }

    /// The part of an item that an expression names, where it does.
    pub(super) fn part_of_item(&mut self, expr: &Expr) -> Option<Place> {
        match reserved::as_binding(expr) {
            Some((_, part)) => self.part_of_item(&part),
            None if self.leads_to_item(expr) => self.base(expr),
            None => None,
        }
    }

    /// Whether an item stands at the root of a place.
    fn leads_to_item(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Path(path) => {
                let name = path.path.get_ident().filter(|_| path.qself.is_none());
                match name.and_then(|name| self.lookup(&self.key(name))) {
                    Some(Binding::View(place) | Binding::Part(place)) => self.is_of_item(place),
                    Some(Binding::Variable(_)) => false,
                    None => !emit::is_option(&path.path),
                }
            }
            Expr::Paren(paren) => self.leads_to_item(&paren.expr),
            Expr::Group(group) => self.leads_to_item(&group.expr),
            Expr::Field(field) => self.leads_to_item(&field.base),
            Expr::Index(index) => {
                !matches!(*index.index, Expr::Range(_)) && self.leads_to_item(&index.expr)
            }
            Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr, .. }) => {
                self.leads_to_item(expr)
            }
            _ => false,
        }
    }

    /// `let row = TABLE[i];`, `let (t, y) = DATA[i];`: the part of an item that names are to be bound to.
    pub(super) fn part_for(&mut self, pattern: &Pat, expr: &Expr) -> Option<Place> {
        let untyped = match pattern {
            Pat::Type(typed) => &*typed.pat,
            pattern => pattern,
        };
        let is_asked = match untyped {
            Pat::Ident(ident) => self.is_used_as_place(ident) && is_part(expr),
            pattern => takes_apart(pattern),
        };
        if is_asked { self.part_of_item(expr) } else { None }
    }

    fn is_used_as_place(&self, ident: &syn::PatIdent) -> bool {
        let is_plain =
            ident.by_ref.is_none() && ident.mutability.is_none() && ident.subpat.is_none();
        let key = self.key(&ident.ident);
        is_plain && (self.addressed.contains(&key) || self.taken_apart.contains(&key))
    }

    pub(super) fn bind_part(&mut self, pattern: &Pat, mut place: Place) {
        match pattern {
            Pat::Wild(_) => {}
            Pat::Type(typed) => match (self.floats.read(&typed.ty), &*typed.pat) {
                (Type::Unknown, pattern) => self.bind_part(pattern, place),
                (Type::Reference(ty, _), Pat::Ident(ident)) => {
                    place.ty = *ty;
                    let key = self.key(&ident.ident);
                    self.declare(&key, Binding::View(place));
                }
                (ty, pattern) => self.bind_part(pattern, Place { ty, ..place }),
            },
            Pat::Paren(paren) => self.bind_part(&paren.pat, place),
            Pat::Ident(ident) if self.is_used_as_place(ident) => {
                let key = self.key(&ident.ident);
                self.declare(&key, Binding::Part(place));
            }
            Pat::Tuple(tuple) => {
                for (index, item) in tuple.elems.iter().enumerate() {
                    self.bind_part(item, part(&place, Projection::Field(index.to_string())));
                }
            }
            Pat::Slice(slice) => {
                for (index, item) in slice.elems.iter().enumerate() {
                    let span = self.span(item);
                    let literal = syn::Lit::Int(syn::LitInt::new(&index.to_string(), span));
                    let at = self.inst(Op::Literal(literal), Vec::new(), Type::Int, "index", span);
                    let mut element = part(&place, Projection::Index);
                    element.indices.push(at);
                    self.bind_part(item, element);
                }
            }
            pattern => {
                let span = self.span(pattern);
                let value = self.read(&place, span);
                self.bind_pattern(pattern, value, false);
            }
        }
    }
}

fn part(whole: &Place, step: Projection) -> Place {
    let mut part = whole.clone();
    part.ty = part.ty.part(std::slice::from_ref(&step));
    part.path.push(step);
    part
}

/// A part, or an item that is named in capitals: other names may be those of functions and of variants.
fn is_part(expr: &Expr) -> bool {
    match expr {
        Expr::Paren(paren) => is_part(&paren.expr),
        Expr::Group(group) => is_part(&group.expr),
        Expr::Path(path) => path.path.segments.last().is_some_and(|last| {
            let name = last.ident.to_string();
            path.path.segments.len() == 1 && name.starts_with(char::is_lowercase)
                || !name.contains(char::is_lowercase)
        }),
        _ => true,
    }
}

/// Patterns of names, tuples and arrays, of more than one name.
fn takes_apart(pattern: &Pat) -> bool {
    fn is_plain(pattern: &Pat) -> bool {
        match pattern {
            Pat::Wild(_) | Pat::Ident(_) => true,
            pattern => takes_apart(pattern),
        }
    }
    match pattern {
        Pat::Paren(paren) => takes_apart(&paren.pat),
        Pat::Tuple(tuple) => tuple.elems.iter().all(is_plain),
        Pat::Slice(slice) => slice.elems.iter().all(is_plain),
        _ => false,
    }
}
