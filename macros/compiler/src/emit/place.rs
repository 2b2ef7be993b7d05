//! Places: variables, and the steps from them to their parts.
//!
//! In: a version of a place, the indices of a path, and what is to be done with the part. Out: tokens that
//! denote the part. A field of an enum's variant has no expression of its own in Rust: it is reached by a
//! `match`, and in a tangent, whose type has another name, by a method that the derive made.

use super::Emit;
use super::lanes::Turn;
use crate::analysis::activity::is_error;
use crate::binding::local;
use crate::ir::{Access, Passing, Path, Projection, Type, Value};
use crate::syntax::hygiene::identifier;
use crate::syntax::{is_option, is_standard};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};

/// What is done with a place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Its value is copied, or moved out.
    Value,
    /// It is read where it is.
    Shared,
    /// It is written.
    Unique,
}

/// Where the way to a part of a place begins.
pub(super) struct Start {
    pub tokens: TokenStream,
    /// How many steps of the path lead there.
    pub steps: usize,
    /// How many numbers these have.
    pub numbers: usize,
}

impl Start {
    /// The way from a variable.
    pub fn variable(tokens: TokenStream) -> Self {
        Start { tokens, steps: 0, numbers: 0 }
    }
}

impl Emit<'_> {
    /// The part of a place that a path leads to.
    pub(super) fn place(&mut self, args: &[Value], path: &Path, reach: Reach) -> TokenStream {
        let tokens = self.receiver_place(args, path, reach);
        let is_reference = path.is_empty() && self.is_behind_reference(args[0]);
        match path.last() {
            None if is_reference && !self.is_text(args[0]) => quote!(*#tokens),
            Some(step) if is_star(step) => bare(tokens),
            _ => tokens,
        }
    }

    /// The receiver of a method, as it is passed.
    pub(super) fn passed_receiver(&mut self, passing: &Passing, args: &[Value]) -> TokenStream {
        let path = passing.path().cloned().unwrap_or_default();
        let is_unique = matches!(passing, Passing::Unique(_));
        self.receiver_place(args, &path, if is_unique { Reach::Unique } else { Reach::Shared })
    }

    /// Likewise in front of a method's dot, where references need no star.
    pub(super) fn receiver_place(
        &mut self,
        args: &[Value],
        path: &Path,
        reach: Reach,
    ) -> TokenStream {
        let is_tangent = self.is_tangent(args[0]);
        self.touch(args[0], path);
        let start = self.start(args, path);
        let is_reference = self.is_behind_reference(args[0]);
        self.part_of((start, is_reference, is_tangent), args, path, reach)
    }

    /// The part of a variable that a path leads to. Whether it is a reference and whether it is a tangent say how.
    pub(super) fn part_of(
        &mut self,
        (start, is_reference, is_tangent): (Start, bool, bool),
        args: &[Value],
        path: &Path,
        reach: Reach,
    ) -> TokenStream {
        let span = self.function.value(args[0]).span;
        let Start { mut tokens, steps, numbers } = start;
        let mut indices = args[1 + numbers..].iter();
        let mut rest = &path[steps..];
        while let [step, tail @ ..] = rest {
            let is_root = rest.len() == path.len();
            let needs_star = matches!(step, Projection::Variant(..) | Projection::Deref);
            if is_root && is_reference && needs_star {
                tokens = quote!((*#tokens));
            }
            if let Projection::Variant(..) = step {
                let run = if is_tangent { 1 } else { variants(rest) };
                let reach = if run == rest.len() { reach } else { reach.inner() };
                tokens = match is_tangent {
                    true => in_tangent(&tokens, step, reach),
                    false => matched(&tokens, &rest[..run], reach),
                };
                rest = &rest[run..];
                continue;
            }
            let is_last = tail.is_empty();
            let reach = if is_last { reach } else { reach.inner() };
            tokens = self.step(tokens, step, &mut indices, (reach, is_last && is_tangent, span));
            rest = tail;
        }
        tokens
    }

    /// Returns where the way to a part begins: at an element that is borrowed already, or at the variable.
    fn start(&mut self, args: &[Value], path: &Path) -> Start {
        let element = self.neighbours.element(args[0], (path, &args[1..]));
        element.unwrap_or_else(|| {
            Start::variable(self.expression(args[0]).at(super::Binding::Postfix))
        })
    }

    fn step(
        &mut self,
        place: TokenStream,
        step: &Projection,
        indices: &mut std::slice::Iter<Value>,
        (reach, is_end_of_tangent, span): (Reach, bool, Span),
    ) -> TokenStream {
        match step {
            Projection::Index => {
                let index = self.expression(*indices.next().expect("an index")).tokens;
                quote!(#place[#index])
            }
            Projection::Key => {
                let key = self.key(*indices.next().expect("a key"));
                match reach {
                    Reach::Unique => {
                        quote!((*#place.get_mut(#key).expect("a key that is there")))
                    }
                    _ => quote!(#place[#key]),
                }
            }
            Projection::Range(ends) => {
                let mut end = |is_there: bool| {
                    let value = if is_there { indices.next() } else { None };
                    value.map(|value| self.expression(*value).at(super::Binding::Sum))
                };
                let (start, end) = (end(ends.start), end(ends.end));
                let dots = if ends.inclusive { quote!(..=) } else { quote!(..) };
                quote!(#place[#start #dots #end])
            }
            Projection::Field(name) => {
                let member = member(name);
                quote!(#place.#member)
            }
            Projection::Deref if is_end_of_tangent && reach != Reach::Value => {
                dereferenced(place, reach, span)
            }
            Projection::Deref => quote!((*#place)),
            Projection::Borrowed => match reach {
                Reach::Unique => quote!((*#place.borrow_mut())),
                _ => quote!((*#place.borrow())),
            },
            Projection::Unwrap(method, message) => match reach {
                Reach::Value => quote!(#place.#method(#message)),
                Reach::Shared => quote!((*#place.as_ref().#method(#message))),
                Reach::Unique => quote!((*#place.as_mut().#method(#message))),
            },
            Projection::Variant(..) => unreachable!("variants are taken in runs"),
        }
    }

    /// A key by reference.
    pub(super) fn key(&mut self, key: Value) -> TokenStream {
        let is_reference = self.is_behind_reference(key);
        let is_text = *self.function.ty(key) == Type::Text;
        let tokens = self.expression(key).at(super::Binding::Unary);
        if is_reference || is_text { tokens } else { quote!(&#tokens) }
    }

    /// A part of a tangent that a callee is lent. Where it is that of a constant field, what is lent is the zero of the value
    /// behind a reference, if that can be read, and else a default.
    pub(super) fn lent_part(
        &mut self,
        value: Option<&TokenStream>,
        (args, path, reach): (&[Value], &Path, Reach),
    ) -> TokenStream {
        let part = self.place(args, path, reach);
        match (value, reach) {
            (Some(value), Reach::Unique) => {
                quote!(#part.__lent_mut(|| ::cotangent::__zero_of!(#value)))
            }
            (Some(value), Reach::Shared | Reach::Value) => {
                quote!(#part.__lent(|| ::cotangent::__zero_of!(#value)))
            }
            (None, _) => quote!(#part.__lent_default()),
        }
    }

    /// A shared reference to a place.
    pub(super) fn borrowed(&mut self, args: &[Value], path: &Path) -> TokenStream {
        let place = self.place(args, path, Reach::Shared);
        let is_text = path.is_empty() && self.is_text(args[0]);
        if is_text { place } else { quote!(&#place) }
    }

    /// Whether a place is a text, which has no value but a reference to it.
    fn is_text(&self, version: Value) -> bool {
        *self.function.ty(version) == Type::Text && self.function.slot_of(version).is_some()
    }

    /// Whether a part of a tangent may be that of a constant field: the definition of the struct or the enum that has the
    /// field is not seen.
    pub(super) fn may_be_constant(&self, version: Value, path: &Path) -> bool {
        self.is_tangent(version) && self.function.ty(version).hides_field(path)
    }

    /// Whether a place holds a tangent.
    pub(super) fn is_tangent(&self, version: Value) -> bool {
        let slot = self.function.slot_of(version);
        slot.is_some_and(|slot| self.function.slot(slot).is_tangent)
    }

    pub(super) fn is_behind_reference(&self, version: Value) -> bool {
        if self.turn == Turn::Inner && self.has_lanes(version) {
            return true;
        }
        let slot = self.function.slot_of(version);
        slot.is_some_and(|slot| self.function.slot(slot).access != Access::Owned)
    }
}

impl Reach {
    /// How an outer part is reached when an inner one is wanted.
    fn inner(self) -> Self {
        if self == Reach::Value { Reach::Shared } else { self }
    }

    fn borrow(self) -> TokenStream {
        match self {
            Reach::Value => TokenStream::new(),
            Reach::Shared => quote!(&),
            Reach::Unique => quote!(&mut),
        }
    }

    /// What a `match` on a borrowed place gives is a reference.
    fn dereferenced(self, tokens: &TokenStream) -> TokenStream {
        if self == Reach::Value { quote!((#tokens)) } else { quote!((*#tokens)) }
    }
}

/// Returns the place that a tangent leads to, by the trait's method: then rustc says of a type of the user's that it lacks
/// the derivative, at the user's token. In front of more steps it may be a box, of which two parts are borrowed at once.
fn dereferenced(place: TokenStream, reach: Reach, span: Span) -> TokenStream {
    let (function, borrow) = match reach {
        Reach::Unique => (quote!(DerefMut::deref_mut), quote!(&mut)),
        Reach::Value | Reach::Shared => (quote!(Deref::deref), quote!(&)),
    };
    let tokens = quote!((*::core::ops::#function(#borrow #place)));
    located(tokens, span)
}

/// Tokens that mean what they mean, at the place of another.
fn located(tokens: TokenStream, span: Span) -> TokenStream {
    let each = tokens.into_iter().map(|token| match token {
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), located(group.stream(), span));
            inner.set_span(group.span().located_at(span));
            TokenTree::Group(inner)
        }
        mut token => {
            token.set_span(token.span().located_at(span));
            token
        }
    });
    each.collect()
}

/// Whether a step is written with a star in front.
pub(super) fn is_star(step: &Projection) -> bool {
    matches!(step, Projection::Deref | Projection::Borrowed)
}

/// Tokens without the parentheses that a method behind them would need.
fn bare(tokens: TokenStream) -> TokenStream {
    let mut trees = tokens.clone().into_iter();
    match (trees.next(), trees.next()) {
        (Some(TokenTree::Group(group)), None) => group.stream(),
        _ => tokens,
    }
}

/// How many variants are taken one after the other.
fn variants(path: &[Projection]) -> usize {
    path.iter().take_while(|step| matches!(step, Projection::Variant(..))).count()
}

/// A part of a value, by one pattern for all variants on the way.
fn matched(place: &TokenStream, run: &[Projection], reach: Reach) -> TokenStream {
    let part = local("part");
    let pattern = run.iter().rev().fold(quote!(#part), |inner, step| pattern(step, &inner));
    let borrow = reach.borrow();
    reach.dereferenced(&quote! {
        match #borrow #place { #pattern => #part, _ => ::core::unreachable!() }
    })
}

fn pattern(step: &Projection, inner: &TokenStream) -> TokenStream {
    let Projection::Variant(path, field) = step else {
        unreachable!("a run of variants");
    };
    if is_standard(path) {
        return quote!(#path(#inner));
    }
    let member = member(field);
    quote!(#path { #member: #inner, .. })
}

/// Likewise in a tangent: those of `Option` and `Result` are options, others have a method.
fn in_tangent(place: &TokenStream, step: &Projection, reach: Reach) -> TokenStream {
    let Projection::Variant(path, field) = step else {
        unreachable!("a variant");
    };
    if is_standard(path) {
        debug_assert!(!is_error(path), "errors are constants");
        let (borrow, part) = (reach.borrow(), local("part"));
        let some =
            if is_option(path) { quote!(#path) } else { quote!(::core::option::Option::Some) };
        return reach.dereferenced(&quote! {
            match #borrow #place {
                #some(#part) => #part,
                _ => ::cotangent::__private::mismatch(),
            }
        });
    }
    let function = accessor(path, field, reach == Reach::Unique);
    quote!((*#place.#function()))
}

/// The method of a tangent type that gives a field of a variant.
fn accessor(path: &syn::Path, field: &str, is_mutable: bool) -> Ident {
    let variant = &path.segments.last().expect("a path has a segment").ident;
    let name = crate::derive::accessor_name(variant, field, is_mutable);
    format_ident!("{name}", span = Span::mixed_site().located_at(variant.span()))
}

/// A field's name or number.
pub fn member(name: &str) -> syn::Member {
    match name.parse::<u32>() {
        Ok(index) => syn::Member::Unnamed(syn::Index { index, span: Span::call_site() }),
        Err(_) => syn::Member::Named(identifier(name, Span::call_site())),
    }
}

/// A struct's or a variant's literal. Only the standard library's variants are written as calls: in braces, a path that is
/// a function's after all does not compile.
pub(super) fn literal(
    path: &syn::Path,
    fields: &[String],
    values: &[TokenStream],
    base: Option<&TokenStream>,
) -> TokenStream {
    let numbered = fields.iter().enumerate().all(|(index, name)| *name == index.to_string());
    if numbered && base.is_none() && !fields.is_empty() && is_standard(path) {
        return quote!(#path(#(#values),*));
    }
    if fields.is_empty() && base.is_none() && is_option(path) {
        return quote!(#path);
    }
    let members = fields.iter().map(|name| member(name).into_token_stream());
    let base = base.map(|base| quote!(..#base));
    quote!(#path { #(#members: #values,)* #base })
}
