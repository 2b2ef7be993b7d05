//! What an element of a chain is, and how a pattern names it.

use crate::lower::desugar::Desugar;
use crate::lower::desugar::test::{Mode, bind};
use syn::{Expr, Pat, Stmt, parse_quote};

/// How an element is given.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Passing {
    Shared,
    Unique,
    Owned,
}

/// `base[start..start + len]`.
#[derive(Clone)]
pub struct Window {
    pub base: Expr,
    pub start: Expr,
    pub len: Expr,
}

impl Window {
    fn place(&self) -> Expr {
        let Window { base, start, len } = self;
        parse_quote!(#base[#start..#start + #len])
    }
}

/// An element.
#[derive(Clone)]
pub enum Item {
    /// A part of a place.
    Place(Expr, Passing),
    /// A part of a slice.
    Window(Box<Window>),
    /// A value that is a name or a literal: it may be written several times.
    Value(Expr),
    Tuple(Vec<Item>),
}

impl Item {
    /// What `copied` makes of it.
    pub fn copied(self) -> Item {
        match self {
            Item::Place(place, _) => Item::Place(place, Passing::Owned),
            item => item,
        }
    }

    /// The element as a value.
    pub fn value(&self) -> Expr {
        match self {
            Item::Place(place, _) => place.clone(),
            Item::Window(window) => window.place(),
            Item::Value(value) => value.clone(),
            Item::Tuple(items) => {
                let items = items.iter().map(Item::value);
                parse_quote!((#(#items,)*))
            }
        }
    }

    /// Likewise, where a reference to a place is one.
    pub fn reference(&self) -> Expr {
        match self {
            Item::Place(place, Passing::Shared) => parse_quote!(&#place),
            Item::Place(place, Passing::Unique) => parse_quote!(&mut #place),
            Item::Window(window) => {
                let place = window.place();
                parse_quote!(&#place)
            }
            item => item.value(),
        }
    }

    /// Whether it may be kept as a value: no part of it is a reference.
    pub fn is_value(&self) -> bool {
        match self {
            Item::Place(_, passing) => *passing == Passing::Owned,
            Item::Window(_) => false,
            Item::Value(_) => true,
            Item::Tuple(items) => items.iter().all(Item::is_value),
        }
    }
}

impl Desugar<'_> {
    /// Binds the names of a pattern to an element.
    pub(super) fn bind_item(
        &mut self,
        pattern: &Pat,
        item: &Item,
        out: &mut Vec<Stmt>,
    ) -> Option<()> {
        match (pattern, item) {
            (Pat::Wild(_), _) => {}
            (Pat::Paren(paren), item) => self.bind_item(&paren.pat, item, out)?,
            (Pat::Type(typed), Item::Place(..) | Item::Window(_) | Item::Tuple(_)) => {
                self.bind_item(&typed.pat, item, out)?;
            }
            (Pat::Tuple(tuple), Item::Tuple(items)) => {
                if tuple.elems.len() != items.len() {
                    return None;
                }
                for (pattern, item) in tuple.elems.iter().zip(items) {
                    self.bind_item(pattern, item, out)?;
                }
            }
            (pattern, Item::Place(place, passing)) => {
                let mode = match passing {
                    Passing::Owned => Mode::Move,
                    passing => Mode::Borrow(*passing == Passing::Unique),
                };
                bind(pattern, place, &mode, out)?;
            }
            (pattern, Item::Window(window)) => {
                bind(pattern, &window.place(), &Mode::Borrow(false), out)?;
            }
            (Pat::Reference(reference), item) => self.bind_item(&reference.pat, item, out)?,
            // In a `let`, alternatives stand in parentheses.
            (Pat::Or(pattern), Item::Value(value)) => {
                out.push(parse_quote!(let (#pattern) = #value;))
            }
            (pattern, Item::Value(value)) => out.push(parse_quote!(let #pattern = #value;)),
            (Pat::Ident(_), item) if item.is_value() => {
                let value = item.value();
                out.push(parse_quote!(let #pattern = #value;));
            }
            _ => return None,
        }
        Some(())
    }

    /// An element that may be used several times, and is evaluated here.
    pub(super) fn settled(&mut self, item: Item, out: &mut Vec<Stmt>) -> Item {
        match item {
            Item::Value(value) if is_name(&value) => Item::Value(value),
            Item::Value(value) => Item::Value(self.operand("item", &value, out)),
            Item::Tuple(items) => {
                Item::Tuple(items.into_iter().map(|item| self.settled(item, out)).collect())
            }
            item => item,
        }
    }
}

pub fn is_name(expr: &Expr) -> bool {
    matches!(expr, Expr::Path(path) if path.path.get_ident().is_some())
}
