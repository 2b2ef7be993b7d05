//! Chains whose elements are kept: `collect`, `unzip`, `extend`, `std::array::from_fn`, `array.map`.
//!
//! In: a chain. Out: a loop that pushes the elements in order, or stores them in an array.

use super::super::pattern::By;
use super::super::place::Operand;
use super::super::{Lower, Place};
use super::position::Length;
use super::{Function, Item, Source, Stage, Stream};
use crate::diag;
use crate::hir::{ExprId, ExprKind};
use crate::ir::{Callee, End, Op, Type, Value};
use crate::syntax::standard::Standard;
use proc_macro2::Span;
use quote::ToTokens;
use syn::spanned::Spanned;

/// Whether a chain has an end for certain, so that all its items can be computed.
fn ends(stream: &Stream) -> bool {
    let source_ends = match &stream.source {
        Source::Range(numbers) => numbers.end.is_some(),
        Source::Repeat(_) | Source::Successors { .. } => false,
        Source::Elements { .. }
        | Source::Entries { .. }
        | Source::Along { .. }
        | Source::Windows { .. }
        | Source::Chunks { .. } => true,
    };
    let is_cut = |stage: &Stage| {
        if let Stage::Zip(other) = stage { ends(other) } else { matches!(stage, Stage::Take(_)) }
    };
    source_ends || stream.stages.iter().any(is_cut)
}

impl<'a> Lower<'a> {
    /// `collect` into a vector, which is what a collection is taken for where nothing around says more.
    pub(super) fn collect(
        &mut self,
        stream: &Stream,
        ty: Option<&syn::Type>,
        span: Span,
    ) -> Option<Value> {
        let (collection, end) = self.collection_of(ty)?;
        let room = match end {
            End::Last => self.room(stream),
            _ => None,
        };
        let place = self.typed_collection(&collection, ty, room, span);
        self.push_all(stream, &place, end, span);
        Some(self.take_state(&place, span))
    }

    /// The path of the collection that is asked for, and where an element enters it.
    fn collection_of(&self, ty: Option<&syn::Type>) -> Option<(syn::Path, End)> {
        match ty {
            Some(ty) => collection(ty),
            None => Some((syn::parse_quote!(::cotangent::__private::Vec), End::Last)),
        }
    }

    /// An empty collection whose elements are of the type that is written, if one is.
    fn typed_collection(
        &mut self,
        path: &syn::Path,
        ty: Option<&syn::Type>,
        room: Option<Value>,
        span: Span,
    ) -> Place {
        let place = self.new_collection(path, room, span);
        if let Some(element) = ty.and_then(element_type) {
            let version = self.state[place.var.0].expect("a new collection");
            self.annotate(version, &syn::parse_quote!(#path<#element>));
        }
        self.variable_place(place.var)
    }

    /// Two collections: the elements that a closure says yes to, and the others.
    pub(super) fn partition(
        &mut self,
        stream: &Stream,
        test: &Function,
        ty: Option<&syn::Type>,
        span: Span,
    ) -> Option<Value> {
        let ty = ty.map(|ty| match crate::syntax::signature::plain(ty) {
            syn::Type::Tuple(both) => both.elems.first().unwrap_or(ty),
            ty => ty,
        });
        let (path, end) = self.collection_of(ty)?;
        let [fit, rest] = [(); 2].map(|()| self.typed_collection(&path, ty, None, span));
        let are_values = ty
            .and_then(element_type)
            .is_some_and(|element| !matches!(element, syn::Type::Reference(_)));
        let run = self.run(span);
        self.drive(stream, run, &|lower, item| {
            let Some(fits) = lower.tested(test, &item, span) else { return };
            // A collection of numbers takes references to numbers, too.
            let kept = if are_values { item.copied() } else { item };
            lower.either(
                fits,
                &|lower| lower.push_item(&fit, end, &kept, span),
                &|lower| lower.push_item(&rest, end, &kept, span),
                span,
            );
        });
        let items = [&fit, &rest].map(|place| self.take_state(place, span));
        Some(self.tuple(items.to_vec(), span))
    }

    /// A chain as the argument of a call: its items are computed before the call, which goes through them.
    pub(in crate::lower) fn iterator_operand(&mut self, expr: ExprId) -> Value {
        let span = self.span(expr);
        let stream = self.read_stream(expr).filter(ends);
        let items = stream.and_then(|stream| self.collect(&stream, None, span));
        let Some(items) = items else { return self.refuse_chain(expr) };
        let function = syn::parse_quote_spanned!(span=> ::cotangent::__private::iterator);
        self.call_with(Callee::Path(function), false, vec![Operand::value(items)], span)
    }

    /// An empty collection in a place of its own.
    fn new_collection(&mut self, path: &syn::Path, room: Option<Value>, span: Span) -> Place {
        let function: syn::ExprPath = match room {
            Some(_) => syn::parse_quote_spanned!(span=> #path::with_capacity),
            None => syn::parse_quote_spanned!(span=> #path::new),
        };
        let ty = Type::Vec(Box::new(Type::Unknown));
        let args = room.into_iter().collect();
        let value = self.inst(Op::VecNew(function), args, ty, "collected", span);
        self.held(value, "collected", span)
    }

    fn push_all(&mut self, stream: &Stream, place: &Place, end: End, span: Span) {
        let run = self.run(span);
        self.drive(stream, run, &|lower, item| {
            lower.push_item(place, end, &item, span);
        });
    }

    /// How many elements there will be, where that is known.
    fn room(&mut self, stream: &Stream) -> Option<Value> {
        match self.is_indexed(stream).then(|| self.length(stream))?? {
            Length::Known(len) => Some(len),
            Length::Endless => None,
        }
    }

    fn push_item(&mut self, place: &Place, end: End, item: &Item, span: Span) {
        if !item.is_value() {
            self.report(span, &diag::REFERENCE_VALUE, "");
            return;
        }
        let value = self.item_to_keep(item, span);
        let value = self.contents(value, span);
        self.insert(place, end, None, value, span);
    }

    /// Two vectors.
    pub(super) fn unzip(&mut self, stream: &Stream, span: Span) -> Option<Value> {
        let vector: syn::Path = syn::parse_quote!(::cotangent::__private::Vec);
        let first = self.new_collection(&vector, None, span);
        let second = self.new_collection(&vector, None, span);
        let run = self.run(span);
        self.drive(stream, run, &|lower, item| {
            if !item.is_value() {
                lower.report(span, &diag::REFERENCE_VALUE, "");
                return;
            }
            let pair: Vec<Value> = match &item {
                Item::Tuple(items) => {
                    items.iter().map(|item| lower.item_value(item, span)).collect()
                }
                item => {
                    let pair = lower.item_value(item, span);
                    let types = match lower.ty(pair) {
                        Type::Tuple(types) if types.len() == 2 => types,
                        _ => vec![Type::Unknown; 2],
                    };
                    lower.destructure(pair, types, span)
                }
            };
            for (place, value) in [&first, &second].into_iter().zip(pair) {
                let value = lower.contents(value, span);
                lower.insert(place, End::Last, None, value, span);
            }
        });
        let items = vec![self.take_state(&first, span), self.take_state(&second, span)];
        Some(self.tuple(items, span))
    }

    /// `v.extend(chain)`.
    pub(in crate::lower) fn extended(
        &mut self,
        place: &Place,
        chain: ExprId,
        span: Span,
    ) -> Option<Value> {
        let mut stream = self.read_iterable(chain)?;
        stream.stages.push(super::Stage::Copied);
        self.push_all(&stream, place, End::Last, span);
        Some(self.unit())
    }

    /// Adds the elements of a vector that is used up.
    pub(in crate::lower) fn extend_by(&mut self, place: &Place, taken: &Place, span: Span) {
        let stream = Stream::of_elements(taken.clone(), By::Value, span);
        self.push_all(&stream, place, End::Last, span);
    }

    /// `std::array::from_fn(|i| ..)`.
    pub(in crate::lower) fn array_from_function(
        &mut self,
        expr: ExprId,
        path: &syn::ExprPath,
        arguments: &[ExprId],
        span: Span,
    ) -> Option<Value> {
        let is_from_fn = Standard::named(&path.path) == Some(Standard::ArrayFromFn);
        let function = path.path.segments.last().filter(|_| is_from_fn && arguments.len() == 1)?;
        let expected = self.expected.get(&expr).cloned();
        // Of a length that is not written, it is a call as any other.
        let len = array_length(&function.arguments, expected.as_ref())?;
        if let (Some(syn::Type::Array(array)), ExprKind::Closure(closure)) = (
            expected.as_ref().map(crate::syntax::signature::plain),
            &self.body.expr(arguments[0]).kind,
        ) {
            self.expect(closure.body, &array.elem);
        }
        let function = self.function_of(arguments[0], 1)?;
        let call = |lower: &mut Self, index: Value| {
            let item = lower.apply_to(&function, &[Item::Value(index)], span);
            if lower.diverged { Value(0) } else { lower.item_value(&item, span) }
        };
        let zero = self.number(0, span);
        let first = call(self, zero);
        if self.diverged {
            return Some(Value(0));
        }
        let array = self.repeated_array(first, &len, span);
        let (one, end) = (self.number(1, span), self.length_of(&len, span));
        self.over_indices(one, end, span, &|lower, index| {
            let value = call(lower, index);
            if !lower.diverged {
                let element = lower.element(&array, index);
                lower.write(&element, value, span);
            }
        });
        Some(self.take_state(&array, span))
    }

    /// `[first; len]` in a place of its own.
    fn repeated_array(&mut self, first: Value, len: &syn::Expr, span: Span) -> Place {
        let ty = Type::Array(Box::new(self.ty(first)), len.to_token_stream().to_string());
        let op = Op::ArrayRepeat(Box::new(len.clone()));
        let array = self.inst(op, vec![first], ty, "array", span);
        self.held(array, "array", span)
    }

    /// The length of an array type as a number.
    fn length_of(&mut self, len: &syn::Expr, span: Span) -> Value {
        match len {
            syn::Expr::Lit(syn::ExprLit { lit, .. }) => {
                self.inst(Op::Literal(lit.clone()), Vec::new(), Type::Int, "len", span)
            }
            syn::Expr::Path(path) => {
                self.inst(Op::Item(path.clone()), Vec::new(), Type::Int, "len", span)
            }
            _ => self.report(len.span(), &diag::UNSUPPORTED_EXPRESSION, "an array of this length"),
        }
    }

    /// `array.map(|x| ..)`.
    pub(in crate::lower) fn mapped_array(
        &mut self,
        place: &Place,
        function: ExprId,
        span: Span,
    ) -> Option<Value> {
        let Type::Array(_, len) = &place.ty else { return None };
        let len: syn::Expr = syn::parse_str(len).ok()?;
        let function: Function = self.function_of(function, 1)?;
        // The first element is made on its own.
        if !self.may_double() {
            return None;
        }
        let array = self.mapped_by(place, &function, &len, span);
        self.copies /= 2;
        Some(array)
    }

    fn mapped_by(
        &mut self,
        place: &Place,
        function: &Function,
        len: &syn::Expr,
        span: Span,
    ) -> Value {
        let call = |lower: &mut Self, index: Value| {
            let element = lower.element(place, index);
            let item = Item::Value(lower.read(&element, span));
            let item = lower.apply_to(function, &[item], span);
            if lower.diverged { Value(0) } else { lower.item_value(&item, span) }
        };
        let zero = self.number(0, span);
        let first = call(self, zero);
        if self.diverged {
            return Value(0);
        }
        let array = self.repeated_array(first, len, span);
        let (one, end) = (self.number(1, span), self.measured("len", place, span));
        self.over_indices(one, end, span, &|lower, index| {
            let value = call(lower, index);
            if !lower.diverged {
                let element = lower.element(&array, index);
                lower.write(&element, value, span);
            }
        });
        self.take_state(&array, span)
    }
}

/// The length in `from_fn::<T, N, _>`, or in the type `[T; N]`.
fn array_length(arguments: &syn::PathArguments, expected: Option<&syn::Type>) -> Option<syn::Expr> {
    if let syn::PathArguments::AngleBracketed(arguments) = arguments {
        return match arguments.args.iter().nth(1)? {
            syn::GenericArgument::Const(len) => Some(len.clone()),
            syn::GenericArgument::Type(syn::Type::Path(path)) => Some(syn::parse_quote!(#path)),
            _ => None,
        };
    }
    match crate::syntax::signature::plain(expected?) {
        syn::Type::Array(array) => Some(array.len.clone()),
        // An alias, of which only rustc knows the length.
        alias @ syn::Type::Path(_) => {
            Some(syn::parse_quote!(<#alias as ::cotangent::__private::HasLength>::LENGTH))
        }
        _ => None,
    }
}

/// The path of the collection that a type is, and where an element enters it.
fn collection(ty: &syn::Type) -> Option<(syn::Path, End)> {
    let syn::Type::Path(path) = crate::syntax::signature::plain(ty) else { return None };
    let mut path = path.path.clone();
    let last = path.segments.last_mut()?;
    last.arguments = syn::PathArguments::None;
    match last.ident.to_string().as_str() {
        "Vec" => Some((path, End::Last)),
        "VecDeque" => Some((path, End::Back)),
        _ => None,
    }
}

/// The type of the elements, where it is written.
fn element_type(ty: &syn::Type) -> Option<&syn::Type> {
    super::sink::content(ty).filter(|ty| !matches!(ty, syn::Type::Infer(_)))
}
