//! Chains of parallel iterators, as functions of `cotangent::rayon` that are given the same chain for a piece.
//!
//! In: an expression such as `x.par_iter().zip(&y).map(|(x, y)| x * y).sum::<f64>()`. Out: a call whose closure is that
//! chain over the elements from `start` to `end`, by the methods of the standard library, and what makes one value of
//! the pieces' values. `iterator/` makes a loop of each, as of any other chain.
//!
//! **Invariant:** a chain is rewritten as a whole or not at all. What is not understood stays, and is reported where it is
//! lowered. At most one source is written to: its pieces are handed to the closure.

use super::Desugar;
use super::elements::indexable;
use super::iterator::type_argument;
use super::known::vector_element;
use super::subject::view;
use crate::lower::hoist::is_place;
use proc_macro2::{Ident, Span};
use quote::quote_spanned;
use syn::{Expr, ExprMethodCall, Stmt, Type, parse_quote};

/// A chain over a piece.
struct Piece {
    /// The chain of the standard library.
    chain: Expr,
    /// How many elements there are, where their number is known before filters.
    len: Expr,
    /// What is written to.
    place: Option<Unique>,
}

/// A place whose pieces are written to by different threads.
struct Unique {
    base: Expr,
    /// How many floats, say, belong together.
    unit: Expr,
    /// The type of elements, as far as it is written.
    element: Type,
}

/// The names of a piece's bounds, and of a piece that is written to.
struct Names {
    start: Ident,
    end: Ident,
    piece: Ident,
    before: Vec<Stmt>,
}

impl Desugar<'_> {
    /// A parallel chain with what ends it. `expected` is the type of its value, where syntax shows it.
    pub(super) fn parallel(
        &mut self,
        call: &ExprMethodCall,
        expected: Option<&Type>,
    ) -> Option<Expr> {
        let source = source_of(&call.receiver)?;
        let mut names = Names {
            start: self.fresh("start"),
            end: self.fresh("end"),
            piece: self.fresh("piece"),
            before: Vec::new(),
        };
        let ty = call.turbofish.as_ref().and_then(type_argument).or(expected.cloned());
        let value = self.ended_in_pieces(call, ty, source.method.span(), &mut names)?;
        let before = names.before;
        Some(parse_quote!({ #(#before)* #value }))
    }

    fn ended_in_pieces(
        &mut self,
        call: &ExprMethodCall,
        ty: Option<Type>,
        span: Span,
        names: &mut Names,
    ) -> Option<Expr> {
        let args: Vec<&Expr> = call.args.iter().collect();
        let (name, parts) = (&call.method, self.fresh("parts"));
        let value_type = |otherwise: Type| ty.clone().unwrap_or(otherwise);
        let piece = self.piece(&call.receiver, names)?;
        let chain = &piece.chain;
        Some(match (name.to_string().as_str(), &args[..]) {
            ("sum" | "product", []) => {
                let float = value_type(parse_quote!(f64));
                let called =
                    piece.called("pieces", &parse_quote!(#chain.#name::<#float>()), names, span);
                parse_quote!({ let #parts: Vec<#float> = #called; #parts.iter().#name::<#float>() })
            }
            ("count", []) => {
                let called = piece.called("pieces", &parse_quote!(#chain.count()), names, span);
                parse_quote!({ let #parts: Vec<usize> = #called; #parts.iter().sum::<usize>() })
            }
            ("reduce", [identity, combine]) => {
                let (start, ty) = (constant(identity)?, value_type(parse_quote!(_)));
                let called = piece.called(
                    "pieces",
                    &parse_quote!(#chain.fold(#start, #combine)),
                    names,
                    span,
                );
                parse_quote!({ let #parts: Vec<#ty> = #called; #parts.into_iter().fold(#start, #combine) })
            }
            ("collect", []) if piece.place.is_none() => {
                let whole = ty.as_ref()?;
                let element = vector_element(whole)?;
                let value = parse_quote!(#chain.collect::<Vec<#element>>());
                let called = piece.called("collected", &value, names, span);
                parse_quote!({ let #parts: #whole = #called; #parts })
            }
            ("for_each", [each]) if piece.place.is_some() => {
                let value = parse_quote!(#chain.for_each(#each));
                let called = piece.called("pieces_mut", &value, names, span);
                parse_quote!({ #called; })
            }
            _ => return None,
        })
    }

    /// A chain over the piece of an expression that is a parallel iterator.
    fn piece(&mut self, expr: &Expr, names: &mut Names) -> Option<Piece> {
        match expr {
            Expr::Paren(paren) => self.piece(&paren.expr, names),
            Expr::Group(group) => self.piece(&group.expr, names),
            Expr::MethodCall(call) if is_source(call) => self.source_piece(call, names),
            Expr::MethodCall(call) => self.adapted_piece(call, names),
            _ => None,
        }
    }

    fn adapted_piece(&mut self, call: &ExprMethodCall, names: &mut Names) -> Option<Piece> {
        let piece = self.piece(&call.receiver, names)?;
        let Piece { chain, len, place } = piece;
        let args: Vec<&Expr> = call.args.iter().collect();
        let (start, name) = (&names.start, &call.method);
        let chain = match (name.to_string().as_str(), &args[..]) {
            ("with_min_len" | "with_max_len", [_]) => chain,
            ("map" | "filter" | "filter_map" | "inspect", [each]) => {
                parse_quote!(#chain.#name(#each))
            }
            ("flat_map_iter", [each]) => parse_quote!(#chain.flat_map(#each)),
            ("copied" | "cloned", []) => parse_quote!(#chain.#name()),
            ("fold", [identity, combine]) => {
                let first = constant(identity)?;
                parse_quote!(::core::iter::once(#chain.fold(#first, #combine)))
            }
            ("enumerate", []) => parse_quote!((#start..).zip(#chain)),
            ("zip", [other]) => {
                let Piece { chain: second, len: length, place: None } =
                    self.iterable_piece(other, names)?
                else {
                    return None;
                };
                let len = parse_quote!(::core::cmp::Ord::min(#len, #length));
                return Some(Piece { chain: parse_quote!(#chain.zip(#second)), len, place });
            }
            _ => return None,
        };
        Some(Piece { chain, len, place })
    }

    /// What is zipped with: a parallel iterator, or what becomes one.
    fn iterable_piece(&mut self, expr: &Expr, names: &mut Names) -> Option<Piece> {
        match expr {
            Expr::Paren(paren) => self.iterable_piece(&paren.expr, names),
            Expr::MethodCall(_) => self.piece(expr, names),
            expr => self.consumed_piece(expr, names),
        }
    }

    fn source_piece(&mut self, call: &ExprMethodCall, names: &mut Names) -> Option<Piece> {
        let (receiver, name) = (&*call.receiver, call.method.to_string());
        match (name.as_str(), call.args.first()) {
            ("par_iter", None) => Some(self.elements_piece(receiver, names)),
            ("par_iter_mut", None) => self.unique_piece(receiver, None, names),
            ("par_chunks_mut" | "par_chunks_exact_mut", Some(size)) => {
                let size = self.size(size, "chunk_size must not be zero", &mut names.before);
                let whole = name == "par_chunks_exact_mut";
                self.unique_piece(receiver, Some((size, whole)), names)
            }
            ("par_chunks" | "par_chunks_exact", Some(size)) => {
                let size = self.size(size, "chunk_size must not be zero", &mut names.before);
                Some(self.chunks_piece(receiver, &size, name == "par_chunks_exact", names))
            }
            ("par_windows", Some(size)) => {
                let size = self.size(size, "window_size must not be zero", &mut names.before);
                Some(self.windows_piece(receiver, &size, names))
            }
            ("into_par_iter", None) => self.consumed_piece(receiver, names),
            _ => None,
        }
    }

    /// `into_par_iter` of a range or of a reference.
    fn consumed_piece(&mut self, expr: &Expr, names: &mut Names) -> Option<Piece> {
        let Names { start, end, .. } = &*names;
        match expr {
            Expr::Paren(paren) => self.consumed_piece(&paren.expr, names),
            Expr::Range(range) => {
                let (start, end) = (start.clone(), end.clone());
                let first = self.operand("first", range.start.as_ref()?, &mut names.before);
                let last = self.operand("last", range.end.as_ref()?, &mut names.before);
                let behind: Expr = match range.limits {
                    syn::RangeLimits::HalfOpen(_) => last,
                    syn::RangeLimits::Closed(_) => parse_quote!((#last + 1)),
                };
                let (chain, len) = match is_zero(&first) {
                    true => (parse_quote!((#start..#end)), behind),
                    false => (
                        parse_quote!((#first + #start..#first + #end)),
                        parse_quote!((::core::cmp::Ord::max(#first, #behind) - #first)),
                    ),
                };
                Some(Piece { chain, len, place: None })
            }
            Expr::Reference(reference) if reference.mutability.is_some() => {
                self.unique_piece(&reference.expr, None, names)
            }
            Expr::Reference(reference) => Some(self.elements_piece(&reference.expr, names)),
            Expr::Path(path) => {
                let name = path.path.get_ident()?.to_string();
                match self.known.references.get(&name) {
                    Some(false) => Some(self.elements_piece(expr, names)),
                    Some(true) => self.unique_piece(expr, None, names),
                    None => {
                        let Piece { chain, len, place } = self.elements_piece(expr, names);
                        Some(Piece { chain: parse_quote!(#chain.cloned()), len, place })
                    }
                }
            }
            _ => None,
        }
    }

    fn elements_piece(&mut self, base: &Expr, names: &mut Names) -> Piece {
        let base = self.shared(base, names);
        let Names { start, end, .. } = &*names;
        Piece {
            chain: parse_quote!(#base[#start..#end].iter()),
            len: parse_quote!(#base.len()),
            place: None,
        }
    }

    fn chunks_piece(&mut self, base: &Expr, size: &Expr, exact: bool, names: &mut Names) -> Piece {
        let base = self.shared(base, names);
        let Names { start, end, .. } = &*names;
        let part: Expr =
            parse_quote!(#base[#start * #size..::core::cmp::Ord::min(#end * #size, #base.len())]);
        let (chain, len) = match exact {
            true => (parse_quote!(#part.chunks_exact(#size)), parse_quote!((#base.len() / #size))),
            false => (parse_quote!(#part.chunks(#size)), parse_quote!(#base.len().div_ceil(#size))),
        };
        Piece { chain, len, place: None }
    }

    fn windows_piece(&mut self, base: &Expr, size: &Expr, names: &mut Names) -> Piece {
        let base = self.shared(base, names);
        let Names { start, end, .. } = &*names;
        Piece {
            chain: parse_quote!(#base[#start..#end + #size - 1].windows(#size)),
            len: parse_quote!((::core::cmp::Ord::max(#base.len() + 1, #size) - #size)),
            place: None,
        }
    }

    /// What is written to, in single elements or in chunks.
    fn unique_piece(
        &mut self,
        base: &Expr,
        chunks: Option<(Expr, bool)>,
        names: &Names,
    ) -> Option<Piece> {
        if !is_place(base) {
            return None;
        }
        let element = match base {
            Expr::Path(path) => path.path.get_ident().and_then(|name| self.known.element(name)),
            _ => None,
        };
        let element = element.cloned().unwrap_or_else(|| parse_quote!(_));
        let base = indexable(base);
        let piece = &names.piece;
        let (chain, len, unit): (Expr, Expr, Expr) = match chunks {
            None => (parse_quote!(#piece.iter_mut()), parse_quote!(#base.len()), parse_quote!(1)),
            Some((size, true)) => (
                parse_quote!(#piece.chunks_exact_mut(#size)),
                parse_quote!((#base.len() / #size)),
                size,
            ),
            Some((size, false)) => (
                parse_quote!(#piece.chunks_mut(#size)),
                parse_quote!(#base.len().div_ceil(#size)),
                size,
            ),
        };
        Some(Piece { chain, len, place: Some(Unique { base, unit, element }) })
    }

    /// A place that closures read: a view of it, or a value under a name.
    fn shared(&mut self, base: &Expr, names: &mut Names) -> Expr {
        match base {
            Expr::Paren(paren) => self.shared(&paren.expr, names),
            Expr::Path(path) if path.path.get_ident().is_some() => base.clone(),
            base if is_place(base) => {
                view(&indexable(base), false, &mut self.count, &mut names.before)
            }
            base => {
                let held = self.fresh("held");
                names.before.push(parse_quote!(let #held = #base;));
                parse_quote!(#held)
            }
        }
    }
}

impl Piece {
    /// The call of a function that is given `value` of each piece.
    fn called(&self, function: &str, value: &Expr, names: &Names, span: Span) -> Expr {
        let (Piece { len, place, .. }, Names { start, end, piece, .. }) = (self, names);
        let function = Ident::new(if place.is_some() { "pieces_mut" } else { function }, span);
        let function = quote_spanned!(span=> ::cotangent::rayon::#function);
        let Some(Unique { base, unit, element }) = place else {
            return parse_quote!(#function(#len, |#start: usize, #end: usize| #value));
        };
        parse_quote!(#function(
            &mut #base[..::core::cmp::Ord::min(#len * #unit, #base.len())],
            #unit,
            |#start: usize, #piece: &mut [#element]| {
                let #end = #start + #piece.len().div_ceil(#unit);
                #value
            }
        ))
    }
}

/// What a chain starts with, if that is parallel.
fn source_of(expr: &Expr) -> Option<&ExprMethodCall> {
    match expr {
        Expr::Paren(paren) => source_of(&paren.expr),
        Expr::Group(group) => source_of(&group.expr),
        Expr::MethodCall(call) if is_source(call) => Some(call),
        Expr::MethodCall(call) => source_of(&call.receiver),
        _ => None,
    }
}

/// Whether a method makes a parallel iterator.
pub fn is_source(call: &ExprMethodCall) -> bool {
    const NAMES: [&str; 10] = [
        "par_iter",
        "par_iter_mut",
        "into_par_iter",
        "par_chunks",
        "par_chunks_exact",
        "par_chunks_mut",
        "par_chunks_exact_mut",
        "par_windows",
        "par_bridge",
        "par_split",
    ];
    NAMES.iter().any(|name| call.method == name)
}

/// `|| x`: the value, which may be made several times.
fn constant(identity: &Expr) -> Option<Expr> {
    match identity {
        Expr::Closure(closure) if closure.inputs.is_empty() => Some((*closure.body).clone()),
        Expr::Path(_) => Some(parse_quote!(#identity())),
        _ => None,
    }
}

fn is_zero(expr: &Expr) -> bool {
    matches!(expr, Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(int), .. }) if int.base10_digits() == "0")
}
