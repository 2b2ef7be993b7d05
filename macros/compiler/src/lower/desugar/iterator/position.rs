//! Chains whose elements have positions: how many there are, and what the element at an index is.
//!
//! In: a chain, and an index that is a name or a literal. Out: an [`Item`]. What does not change from
//! element to element is put in front of the loop.

use super::closure::is_quiet;
use super::drive::sum;
use super::item::{Item, Passing, Window};
use super::source::Source;
use super::{Adaptor, Chain};
use crate::lower::desugar::Desugar;
use syn::{Expr, Stmt, parse_quote};

/// How many elements a chain has.
pub enum Length {
    Known(Expr),
    Endless,
}

impl Length {
    fn map(self, change: impl FnOnce(Expr) -> Expr) -> Self {
        match self {
            Length::Known(len) => Length::Known(change(len)),
            Length::Endless => Length::Endless,
        }
    }
}

impl Chain {
    /// Whether each element can be had by its index, with all closures called as often as they should.
    pub(super) fn is_indexed(&self) -> bool {
        if matches!(self.source, Source::Successors { .. }) {
            return false;
        }
        let (is_unique, mut is_quiet_so_far) = (self.is_unique(), true);
        let mut counts = self.source.counts();
        self.adaptors.iter().all(|adaptor| match adaptor {
            Adaptor::Copied | Adaptor::Enumerate | Adaptor::Take(_) => true,
            Adaptor::Map(closure) | Adaptor::Inspect(closure) => {
                is_quiet_so_far &= is_quiet(closure, is_unique);
                true
            }
            Adaptor::Rev | Adaptor::Skip(_) | Adaptor::StepBy(_) => is_quiet_so_far && !counts,
            Adaptor::Zip(other) => {
                counts |= other.counts();
                is_quiet_so_far && other.is_indexed() && other.is_silent()
            }
            _ => false,
        })
    }

    /// Whether one element can be had without those before it.
    pub(super) fn is_random_access(&self) -> bool {
        self.is_indexed() && self.is_silent() && !self.counts()
    }

    /// Whether no closure that is called for each element by itself is seen to be called.
    pub(super) fn is_silent(&self) -> bool {
        let is_unique = self.is_unique();
        self.adaptors.iter().all(|adaptor| match adaptor {
            Adaptor::Map(closure) | Adaptor::Inspect(closure) => is_quiet(closure, is_unique),
            _ => true,
        })
    }

    /// Whether no closure at all is.
    pub(super) fn is_quiet(&self) -> bool {
        let is_unique = self.is_unique();
        self.adaptors.iter().all(|adaptor| match adaptor {
            Adaptor::Map(closure)
            | Adaptor::Inspect(closure)
            | Adaptor::Filter(closure)
            | Adaptor::FilterMap(closure)
            | Adaptor::FlatMap(closure)
            | Adaptor::TakeWhile(closure)
            | Adaptor::SkipWhile(closure)
            | Adaptor::MapWhile(closure)
            | Adaptor::Scan(_, closure) => is_quiet(closure, is_unique),
            Adaptor::Zip(other) | Adaptor::Chain(other) => other.is_quiet(),
            _ => true,
        })
    }

    /// Whether elements may be changed.
    pub(super) fn is_unique(&self) -> bool {
        let is_unique = |adaptor: &Adaptor| match adaptor {
            Adaptor::Zip(other) | Adaptor::Chain(other) => other.is_unique(),
            _ => false,
        };
        self.source.is_unique() || self.adaptors.iter().any(is_unique)
    }

    /// Whether an element is counted up from the one before it.
    fn counts(&self) -> bool {
        let counts = |adaptor: &Adaptor| match adaptor {
            Adaptor::Zip(other) => other.counts(),
            _ => false,
        };
        self.source.counts() || self.adaptors.iter().any(counts)
    }

    /// How many elements an indexed chain has.
    pub(super) fn length(&self) -> Option<Length> {
        let Some((inner, last)) = self.split_last() else { return Some(self.source.length()) };
        let len = inner.length()?;
        Some(match last {
            Adaptor::Skip(n) => len.map(|len| parse_quote!(#len.saturating_sub(#n))),
            Adaptor::StepBy(n) => len.map(|len| parse_quote!(#len.div_ceil(#n))),
            Adaptor::Take(n) => Length::Known(match len {
                Length::Known(len) => parse_quote!(#len.min(#n)),
                Length::Endless => n.clone(),
            }),
            Adaptor::Zip(other) => match (len, other.length()?) {
                (Length::Endless, len) | (len, Length::Endless) => len,
                (Length::Known(a), Length::Known(b)) => Length::Known(parse_quote!(#a.min(#b))),
            },
            Adaptor::Copied
            | Adaptor::Enumerate
            | Adaptor::Rev
            | Adaptor::Map(_)
            | Adaptor::Inspect(_) => len,
            _ => return None,
        })
    }
}

impl Source {
    fn is_unique(&self) -> bool {
        match self {
            Source::Elements { passing, .. } => *passing == Passing::Unique,
            Source::Chunks { mutable, .. } | Source::Values { mutable, .. } => *mutable,
            _ => false,
        }
    }

    pub(super) fn is_endless(&self) -> bool {
        matches!(self.length(), Length::Endless)
    }

    /// A range of numbers that are not known to be indices.
    fn counts(&self) -> bool {
        matches!(self, Source::Range { of_indices: false, .. })
    }

    fn length(&self) -> Length {
        Length::Known(match self {
            Source::Elements { base, .. } => parse_quote!(#base.len()),
            Source::Range { end: None, .. } | Source::Repeat(_) | Source::Successors { .. } => {
                return Length::Endless;
            }
            Source::Range { start, end: Some(end), inclusive, of_indices } => {
                let end: Expr = if *inclusive { parse_quote!((#end + 1)) } else { end.clone() };
                if !of_indices {
                    let len = quote::quote!(if #end > #start { (#end - #start) as ::core::primitive::usize } else { 0 });
                    return Length::Known(parse_quote!(({ #len })));
                }
                match is_zero(start) {
                    true => end,
                    false => parse_quote!(#end.saturating_sub(#start)),
                }
            }
            Source::Windows { base, len } => match one_less(len) {
                Some(less) => parse_quote!(#base.len().saturating_sub(#less)),
                None => parse_quote!(#base.len().saturating_sub(#len - 1)),
            },
            Source::Chunks { base, len, exact: true, .. } => parse_quote!((#base.len() / #len)),
            Source::Chunks { base, len, .. } => parse_quote!(#base.len().div_ceil(#len)),
            Source::Values { keys, .. } => parse_quote!(#keys.len()),
            Source::Parts { base, parts } => parts.count(base),
        })
    }
}

impl Desugar<'_> {
    /// The element of an indexed chain at an index.
    pub(super) fn item_at(
        &mut self,
        chain: &Chain,
        index: &Expr,
        before: &mut Vec<Stmt>,
        out: &mut Vec<Stmt>,
    ) -> Option<Item> {
        let Some((inner, last)) = chain.split_last() else {
            return self.source_at(&chain.source, index, before, out);
        };
        let index = &match last {
            Adaptor::Rev => {
                let Length::Known(len) = inner.length()? else { return None };
                let last = self.fresh("last");
                before.push(parse_quote!(let #last = #len;));
                self.operand("index", &parse_quote!(#last - 1 - #index), out)
            }
            Adaptor::Skip(n) => self.operand("index", &parse_quote!(#index + #n), out),
            Adaptor::StepBy(n) => self.operand("index", &parse_quote!(#index * #n), out),
            _ => index.clone(),
        };
        let item = self.item_at(&inner, index, before, out)?;
        Some(match last {
            Adaptor::Copied => item.copied(),
            Adaptor::Enumerate => Item::Tuple(vec![Item::Value(index.clone()), item]),
            Adaptor::Map(closure) => self.apply(closure, &[item], out)?,
            Adaptor::Inspect(closure) => self.inspected(closure, item, out)?,
            Adaptor::Zip(other) => {
                let other = self.item_at(other, index, before, out)?;
                Item::Tuple(vec![item, other])
            }
            _ => item,
        })
    }

    fn source_at(
        &mut self,
        source: &Source,
        index: &Expr,
        before: &mut Vec<Stmt>,
        out: &mut Vec<Stmt>,
    ) -> Option<Item> {
        Some(match source {
            Source::Elements { base, passing } => {
                Item::Place(parse_quote!(#base[#index]), *passing)
            }
            Source::Range { start, of_indices: false, .. } => {
                let (next, item) = (self.fresh("next"), self.fresh("item"));
                before.push(parse_quote!(let mut #next = #start;));
                out.push(parse_quote!(let #item = #next;));
                out.push(parse_quote!(#next += 1;));
                Item::Value(parse_quote!(#item))
            }
            Source::Range { start, .. } if is_zero(start) => Item::Value(index.clone()),
            Source::Range { start, .. } => {
                Item::Value(self.operand("item", &parse_quote!(#start + #index), out))
            }
            Source::Windows { base, len } => {
                let (base, start, len) = (base.clone(), index.clone(), len.clone());
                Item::Window(Box::new(Window { base, start, len }))
            }
            Source::Chunks { base, len, exact, mutable } => {
                let start = self.operand("start", &parse_quote!(#index * #len), out);
                let end = match exact {
                    true => sum(&start, len),
                    false => {
                        let all = self.fresh("len");
                        before.push(parse_quote!(let #all = #base.len();));
                        self.operand("end", &parse_quote!((#start + #len).min(#all)), out)
                    }
                };
                let passing = if *mutable { Passing::Unique } else { Passing::Shared };
                Item::Place(parse_quote!(#base[#start..#end]), passing)
            }
            Source::Values { map, keys, mutable } => {
                let passing = if *mutable { Passing::Unique } else { Passing::Shared };
                Item::Place(
                    parse_quote!(#map[&::core::clone::Clone::clone(&#keys[#index])]),
                    passing,
                )
            }
            Source::Parts { base, parts } => {
                Item::Value(self.operand("part", &parts.part(base, index), out))
            }
            Source::Repeat(value) => Item::Value(value.clone()),
            Source::Successors { .. } => return None,
        })
    }

    /// What `inspect` does with an element.
    pub(super) fn inspected(
        &mut self,
        closure: &syn::ExprClosure,
        item: Item,
        out: &mut Vec<Stmt>,
    ) -> Option<Item> {
        let item = self.settled(item, out);
        let seen = self.apply_to_reference(closure, &item, out)?.value();
        out.push(Stmt::Expr(seen, Some(Default::default())));
        Some(item)
    }
}

/// The number before a literal one.
fn one_less(len: &Expr) -> Option<syn::LitInt> {
    let Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(int), .. }) = len else { return None };
    let less = int.base10_parse::<usize>().ok()?.checked_sub(1)?;
    Some(syn::LitInt::new(&less.to_string(), int.span()))
}

pub fn is_zero(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(int), .. }) => int.base10_digits() == "0",
        _ => false,
    }
}
