//! `jacobian` and `jacobian_into`.
//!
//! In: the head of a function with one active parameter, and which derivatives there are. Out: a function that
//! fills a matrix, by columns along unit vectors, as many at once as `jvp_batch` takes where that has a body of its
//! own, or by rows where these are few; and one that makes the matrix. The loops are in `core/src/jacobian.rs`.

use super::formula;
use super::head::{Head, Named, Param};
use super::wrappers::{absent, again, needs};
use crate::binding::local;
use crate::ir::{FloatKind, Type};
use crate::syntax::callable::Callable;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

/// Which derivatives a Jacobian is made from.
#[derive(Clone, Copy)]
pub struct Ways {
    pub forward: bool,
    pub reverse: bool,
    /// Whether several columns at once cost less than one by one.
    pub is_batched: bool,
}

pub fn jacobian(head: &Head, ways: Ways) -> TokenStream {
    let active: Vec<&Named> = head.params.iter().filter(|named| named.param.active).collect();
    let (active, float) = match (&active[..], entries(head)) {
        (&[active], Some(float)) => (active, float),
        (_, Some(_)) => return missing(head, &needs("OneActive")),
        (_, None) => return missing(head, &head.output_clause("VectorOutput")),
    };
    let jacobian = Jacobian { head, active, form: Form::of(head, active), ways };
    let Some(body) = jacobian.body() else { return TokenStream::new() };
    let (entries, kept) = (head.vector_clause(), head.kept_clause(|_| true));
    let (clause, matrix) = (quote!(#kept #entries), local("jacobian"));
    let mut params = head.plain_params();
    let made = made(head, &params, &float);
    let made = head.function(
        "jacobian",
        &formula::jacobian(head, active, false),
        &params,
        &quote!(::cotangent::Matrix<#float>),
        &clause,
        &made,
    );
    params.push((matrix, quote!(&mut ::cotangent::Matrix<#float>)));
    let doc = formula::jacobian(head, active, true);
    let filled = head.function("jacobian_into", &doc, &params, &quote!(()), &clause, &body);
    quote!(#made #filled)
}

/// A function in the place of `jacobian` where there is none.
fn missing(head: &Head, needs: &TokenStream) -> TokenStream {
    let matrix = quote!(::cotangent::Matrix<::core::primitive::f64>);
    absent(head, "jacobian", &head.plain_params(), &matrix, needs).unwrap_or_default()
}

/// The body of the function that makes the matrix.
fn made(head: &Head, params: &[Param], float: &TokenStream) -> TokenStream {
    let (into, turbofish, matrix) =
        (head.derivative("jacobian_into"), head.turbofish(), local("jacobian"));
    let names = params.iter().map(|(name, _)| name);
    quote! {
        let mut #matrix = <::cotangent::Matrix<#float> as ::core::default::Default>::default();
        Self::#into #turbofish(#(#names,)* &mut #matrix);
        #matrix
    }
}

/// The matrix's element type, for results that are or may be several floats.
pub fn entries(head: &Head) -> Option<TokenStream> {
    let output = head.output();
    let is_open = head.signature.output_kind == Type::Unknown;
    (is_open || float_of(&head.signature.output_kind).is_some())
        .then(|| quote!(<#output as ::cotangent::__private::VectorOutput<'static>>::Float))
}

/// The float of which a result is several.
fn float_of(output: &Type) -> Option<&FloatKind> {
    match output {
        Type::Array(item, _) | Type::Vec(item) => item.float(),
        Type::Tuple(items) if items.iter().all(|item| *item == items[0]) => items.first()?.float(),
        _ => None,
    }
}

/// The float of which a parameter is a slice or an array, behind a reference.
pub fn line_of<'n>(named: &'n Named) -> Option<&'n FloatKind> {
    let Type::Reference(inner, _) = &named.param.kind else { return None };
    match &**inner {
        Type::Slice(item) | Type::Array(item, _) => item.float(),
        _ => None,
    }
}

/// What the tangents and cotangents of the active parameter are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Passed by value.
    Value,
    /// Owned, and lent.
    Owned,
    /// Lines of floats of the matrix's own type, which lie in its memory.
    Slice,
    /// Likewise, seen as arrays.
    Array,
}

impl Form {
    fn of(head: &Head, active: &Named) -> Self {
        let float = float_of(&head.signature.output_kind);
        match line_of(active) {
            _ if active.param.reference().is_none() => Form::Value,
            Some(own) if Some(own) != float => Form::Owned,
            None => Form::Owned,
            Some(_) if active.is_slice() => Form::Slice,
            Some(_) => Form::Array,
        }
    }

    fn is_line(self) -> bool {
        matches!(self, Form::Slice | Form::Array)
    }
}

struct Jacobian<'j, 'a> {
    head: &'j Head<'a>,
    active: &'j Named<'a>,
    form: Form,
    ways: Ways,
}

impl Jacobian<'_, '_> {
    /// Where a parameter is `&mut` only the pullback will do, because it undoes the call.
    fn body(&self) -> Option<TokenStream> {
        // What is written is put back by pullbacks only.
        let is_unique = self.head.params.iter().any(|named| named.param.is_unique());
        let may_write = is_unique || self.head.signature.reaches_cells();
        match (may_write, self.ways.forward, self.ways.reverse) {
            (true, _, true) | (_, false, true) => {
                let (counted, rows) = (self.counted(), self.by_rows());
                Some(quote!(#counted #rows))
            }
            (false, true, _) => Some(self.by_columns()),
            _ => None,
        }
    }

    /// How many columns there are; and the tangents along them, where these are not made from a line.
    fn counted(&self) -> TokenStream {
        let (units, count, name) = (local("units"), local("count"), &self.active.param.name);
        let zero = self.active.zero(name);
        match self.form.is_line() {
            true => quote!(let #count = #name.len();),
            false => quote! {
                let #units = ::cotangent::__private::Basis::new(#zero);
                let #count = #units.count();
            },
        }
    }

    fn by_columns(&self) -> TokenStream {
        let [matrix, units, line, count] = ["jacobian", "units", "line", "count"].map(local);
        let (counted, filled) = (self.counted(), self.columns());
        let wide = self.ways.reverse.then(|| self.rows_where_few());
        let (taken, kept) = match self.form.is_line() {
            false => (TokenStream::new(), TokenStream::new()),
            true => (
                quote! {
                    let mut #line = ::cotangent::__private::take_line(#matrix);
                    let #units = ::cotangent::__private::Units::new(#count, &mut #line);
                },
                quote!(::cotangent::__private::keep_line(#matrix, #line);),
            ),
        };
        quote!(#counted #wide #taken #filled #kept)
    }

    /// Rows instead, where they are few.
    fn rows_where_few(&self) -> TokenStream {
        let (head, count, output) = (self.head, local("count"), self.head.output());
        let (primal, rows) = (head.primal(), self.by_rows());
        let args = head.params.iter().map(|named| {
            let is_lent = named.param.callable.as_ref().is_some_and(Callable::is_borrowed);
            let argument = if is_lent { named.param.name.to_token_stream() } else { again(named) };
            head.plain_argument(named, &argument)
        });
        quote! {
            if ::cotangent::__private::is_wide::<#output>(#count, || #primal(#(#args),*)) {
                #rows
                return;
            }
        }
    }

    fn columns(&self) -> TokenStream {
        let (count, matrix, output) = (local("count"), local("jacobian"), self.head.output());
        let one = self.one();
        if !self.ways.is_batched {
            return quote! {
                ::cotangent::__private::jacobian_columns::<#output>(#matrix, #count, #one);
            };
        }
        let (four, eight) = (self.batch(4), self.batch(8));
        let is_batched = super::batch::is_batched(self.head);
        quote! {
            if Self::#is_batched {
                ::cotangent::__private::jacobian_lanes::<#output>(
                    #matrix, #count, #one, #four, #eight,
                );
            } else {
                ::cotangent::__private::jacobian_columns::<#output>(#matrix, #count, #one);
            }
        }
    }

    /// One column.
    fn one(&self) -> TokenStream {
        let (units, column, dot) = (local("units"), local("column"), local("unit"));
        let (jvp, turbofish) = (self.head.derivative("jvp"), self.head.turbofish());
        let args = self.args(&match self.form {
            Form::Owned => quote!(&#dot),
            Form::Array => quote!(::cotangent::__private::sized(#dot)),
            Form::Value | Form::Slice => quote!(#dot),
        });
        quote! {
            |#column| {
                let #dot = #units.along(#column);
                Self::#jvp #turbofish(#(#args),*)
            }
        }
    }

    /// Several.
    fn batch(&self, width: usize) -> TokenStream {
        let (units, columns, dots) = (local("units"), local("columns"), local("each"));
        let batch = self.head.derivative("jvp_batch");
        let args = self.args(&match self.form {
            Form::Owned => quote!(#dots.each_ref().map(::cotangent::__private::passed)),
            Form::Array => quote!(#dots.map(::cotangent::__private::sized)),
            Form::Value | Form::Slice => quote!(#dots),
        });
        let names = self.head.generic_args();
        quote! {
            |#columns: [::core::primitive::usize; #width]| {
                let #dots = #units.each(#columns);
                Self::#batch::<#width, #(#names),*>(#(#args),*)
            }
        }
    }

    /// The arguments, the active one followed by its tangent.
    fn args(&self, dot: &TokenStream) -> Vec<TokenStream> {
        let each = self.head.params.iter().flat_map(|named| {
            let dot = named.param.active.then(|| dot.clone());
            std::iter::once(again(named)).chain(dot)
        });
        each.collect()
    }

    fn by_rows(&self) -> TokenStream {
        let (head, active) = (self.head, self.active);
        let zero = active.zero(&active.param.name);
        let (bar, output) = (&active.bar, head.output());
        let [matrix, count] = ["jacobian", "count"].map(local);
        let [value, pullback, seed, row] = ["value", "pullback", "seed", "row"].map(local);
        let args = head.params.iter().map(again);
        let references = head.params.iter().filter(|named| named.param.reference().is_some());
        let shadow = match self.form {
            Form::Slice => quote!(#row),
            Form::Array => quote!(::cotangent::__private::sized_mut(#row)),
            Form::Value | Form::Owned => quote!(&mut #bar),
        };
        let passed = references.map(|named| {
            let name = &named.param.name;
            if named.param.active { quote!(#name, #shadow) } else { quote!(#name) }
        });
        let pull = quote!(#pullback(#(#passed,)* #seed(&#value)));
        let run = match self.form {
            Form::Slice | Form::Array => quote!(#pull;),
            Form::Owned => quote! {
                let mut #bar = #zero;
                #pull;
                ::cotangent::__private::put(#row, &#bar);
            },
            Form::Value => quote!(::cotangent::__private::put(#row, &#pull);),
        };
        let (vjp, turbofish) = (head.derivative("vjp"), head.turbofish());
        quote! {
            ::cotangent::__private::jacobian_rows::<#output>(
                #matrix,
                #count,
                |#seed, #row| {
                    let (#value, #pullback) = Self::#vjp #turbofish(#(#args),*);
                    #run
                },
            );
        }
    }
}
