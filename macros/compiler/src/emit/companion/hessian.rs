//! `hessian`, `hessian_into` and `value_gradient_and_hessian`.
//!
//! In: a head, and whether the gradient's tangent has a form for several directions. Out: functions that run it along
//! each coordinate. The loops are in `core/src/hessian.rs`.

use super::cells;
use super::formula;
use super::head::{Head, Named};
use super::second::{ALONG, ALONG_EACH, EACH};
use crate::binding::local;
use crate::emit::{MOST_ENTRIES, nested_position, nested_tuple};
use crate::ir::Type;
use crate::pipeline::Kind;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

pub fn hessian(head: &Head, is_accumulated: bool, is_batched: bool) -> TokenStream {
    let active: Vec<&Named> = head.params.iter().filter(|named| named.param.active).collect();
    let hessian = Hessian { head, active, is_accumulated, is_batched };
    let (all, into, alone) = (hessian.with_gradient(), hessian.filled(), hessian.alone());
    quote!(#all #into #alone)
}

struct Hessian<'h, 'a> {
    head: &'h Head<'a>,
    active: Vec<&'h Named<'a>>,
    is_accumulated: bool,
    is_batched: bool,
}

impl Hessian<'_, '_> {
    /// The Hessian's type, how it is made from a matrix, and what is asked for that.
    fn shape(&self) -> (TokenStream, TokenStream, TokenStream) {
        let (output, matrix) = (self.head.output(), local("matrix"));
        let none = TokenStream::new();
        match self.active[..] {
            [one] if one.param.kind.is_float() => (output, quote!(#matrix[(0, 0)]), none),
            [one] if one.param.kind == Type::Unknown => {
                let (ty, by) = (&one.param.ty, quote!(::cotangent::__private::HessianBy));
                let any = crate::binding::lifetime("by");
                (
                    quote!(<#ty as #by<'static>>::Hessian<#output>),
                    quote!(<#ty as #by<'static>>::hessian(#matrix)),
                    quote!(for<#any> #ty: #by<#any>,),
                )
            }
            _ => (quote!(::cotangent::Matrix<#output>), quote!(#matrix), none),
        }
    }

    /// What is asked of all of them.
    fn clause(&self) -> TokenStream {
        let (kept, float) = (self.head.kept_clause(|_| true), self.head.float_clause());
        quote!(#kept #float)
    }

    fn with_gradient(&self) -> TokenStream {
        let (head, (ty, made, asked)) = (self.head, self.shape());
        let (output, gradient, matrix) = (head.output(), head.gradient(), local("matrix"));
        let run = self.columns(&quote!(&mut #matrix));
        let [value, gradient_value] = ["value", "gradient"].map(local);
        let body = quote! {
            let mut #matrix =
                <::cotangent::Matrix<#output> as ::core::default::Default>::default();
            let (#value, #gradient_value) = #run;
            (#value, #gradient_value, #made)
        };
        let doc = formula::value_gradient_and_hessian(head);
        let clause = self.clause();
        head.function(
            "value_gradient_and_hessian",
            &doc,
            &head.plain_params(),
            &quote!((#output, #gradient, #ty)),
            &quote!(#clause #asked),
            &body,
        )
    }

    fn filled(&self) -> TokenStream {
        let (head, matrix) = (self.head, local("hessian"));
        let output = head.output();
        let body = match self.line() {
            Some(line) => self.lines(line, &matrix),
            None => {
                let run = self.columns(&quote!(#matrix));
                quote!(#run;)
            }
        };
        let mut params = head.plain_params();
        params.push((matrix, quote!(&mut ::cotangent::Matrix<#output>)));
        let doc = formula::hessian(head, true);
        head.function("hessian_into", &doc, &params, &quote!(()), &self.clause(), &body)
    }

    fn alone(&self) -> TokenStream {
        let (head, (ty, _, asked)) = (self.head, self.shape());
        let (all, turbofish) = (head.derivative("value_gradient_and_hessian"), head.turbofish());
        let (names, clause) = (head.plain_names(), self.clause());
        let doc = formula::hessian(head, false);
        let body = match self.line() {
            None => quote!(Self::#all #turbofish(#(#names),*).2),
            Some(_) => {
                let into = head.derivative("hessian_into");
                let matrix = local("matrix");
                quote! {
                    let mut #matrix = <#ty as ::core::default::Default>::default();
                    Self::#into #turbofish(#(#names,)* &mut #matrix);
                    #matrix
                }
            }
        };
        let clause = quote!(#clause #asked);
        head.function("hessian", &doc, &head.plain_params(), &ty, &clause, &body)
    }

    /// The one active parameter, where it is a slice or an array of the result's floats behind `&`.
    fn line(&self) -> Option<&Named<'_>> {
        let [one] = self.active[..] else { return None };
        let float = super::jacobian::line_of(one).filter(|_| !one.param.is_unique())?;
        let is_line = self.head.signature.output_kind == Type::Float(float.clone());
        (is_line && self.is_accumulated).then_some(one)
    }

    /// Directions and products in the matrix's memory.
    fn lines(&self, line: &Named, matrix: &Ident) -> TokenStream {
        let [direction, bar, product] = ["direction", "bar", "product"].map(local);
        let args = |of_line: &TokenStream| {
            let each = self.head.params.iter().map(|named| match named.param.active {
                true => of_line.clone(),
                false => super::wrappers::again(named),
            });
            quote!(#(#each),*)
        };
        let (name, private) = (&line.param.name, quote!(::cotangent::__private));
        let (of_line, of_lines) = match line.is_slice() {
            true => {
                let both = quote!(#name, #direction, #bar, #product);
                (both.clone(), both)
            }
            false => (
                quote!(
                    #name, #private::sized(#direction), #private::sized_mut(#bar),
                    #private::sized_mut(#product)
                ),
                quote!(
                    #name, #direction.map(#private::sized), #private::sized_mut(#bar),
                    #product.map(#private::sized_mut)
                ),
            ),
        };
        let (args, args_of_lanes) = (args(&of_line), args(&of_lines));
        let own = self.head.own_derivative(Kind::Accumulate, 2);
        let turbofish = self.head.turbofish();
        let one = quote!(|#direction, #bar, #product| { Self::#own #turbofish(#args); });
        if !self.is_batched {
            return quote!(::cotangent::__private::hessian_of_line(#matrix, #name.len(), #one););
        }
        let (own, names) = (self.head.derivative(EACH), self.head.generic_args());
        let is_batched = super::batch::is_batched(self.head);
        let [four, eight] = [4_usize, 8].map(|width| {
            quote!(|#direction, #bar, #product| { Self::#own::<#width, #(#names),*>(#args_of_lanes); })
        });
        quote! {
            if Self::#is_batched {
                ::cotangent::__private::hessian_lanes_of_line(
                    #matrix, #name.len(), #one, #four, #eight,
                );
            } else {
                ::cotangent::__private::hessian_of_line(#matrix, #name.len(), #one);
            }
        }
    }

    /// Columns one by one, or several at once; of value and gradient what the last one made.
    fn columns(&self, matrix: &TokenStream) -> TokenStream {
        let basis = local("basis");
        let shape_of = |named: &Named| local(&format!("{}_shape", named.bar));
        let shapes: Vec<Ident> = self.active.iter().map(|named| shape_of(named)).collect();
        let zeros = self.active.iter().map(|named| named.zero(&named.param.name));
        let joined = cells::made_one(self.head, |named| shape_of(named).to_token_stream());
        let shape: Vec<TokenStream> = shapes.iter().map(ToTokens::to_token_stream).collect();
        let (shape, one) = (nested_tuple(&shape), self.one());
        // Of closures beside each other, one at most may hold a place.
        let is_unique = self.head.params.iter().any(|named| named.param.is_unique());
        let columns = quote!(::cotangent::__private::hessian_columns(#matrix, &#basis, #one));
        let run = match self.is_batched && !is_unique {
            false => columns,
            true => {
                let [four, eight] = [4, 8].map(|width| self.several(width));
                let is_batched = super::batch::is_batched(self.head);
                quote! {
                    if Self::#is_batched {
                        ::cotangent::__private::hessian_lanes(#matrix, &#basis, #one, #four, #eight)
                    } else {
                        #columns
                    }
                }
            }
        };
        quote!({
            #(let mut #shapes = #zeros;)*
            #joined
            let #basis = ::cotangent::__private::Basis::new(#shape);
            #run
        })
    }

    /// A part of a direction.
    fn part(&self, direction: &TokenStream, index: usize) -> TokenStream {
        let position = nested_position(self.active.len(), index);
        quote!(#direction #(.#position)*)
    }

    /// The type of directions.
    fn direction_type(&self) -> TokenStream {
        let types: Vec<TokenStream> =
            self.active.iter().map(|named| named.owned_tangent()).collect();
        nested_tuple(&types)
    }

    /// Value and gradient with the product, or the products, in the form of directions.
    fn in_form(&self, run: &TokenStream, is_array: bool) -> TokenStream {
        if self.active.len() <= MOST_ENTRIES {
            return run.clone();
        }
        let [value, gradient, product] = ["value", "gradient", "product"].map(local);
        let parts: Vec<TokenStream> =
            self.active.iter().map(|named| named.bar.to_token_stream()).collect();
        let nested = nested_tuple(&parts);
        let product_in_form = match is_array {
            true => quote!(#product.map(|(#(#parts),*)| #nested)),
            false => quote!({ let (#(#parts),*) = #product; #nested }),
        };
        quote!({
            let (#value, #gradient, #product) = #run;
            (#value, #gradient, #product_in_form)
        })
    }

    fn one(&self) -> TokenStream {
        let (along, turbofish, direction) =
            (self.head.derivative(ALONG), self.head.turbofish(), local("direction"));
        let mut index = 0..;
        let args = self.head.params.iter().map(|named| {
            let argument = super::wrappers::again(named);
            if !named.param.active {
                return argument;
            }
            let part = self.part(&quote!(#direction), index.next().unwrap_or_default());
            let lent = named.lent(&part);
            quote!(#argument, #lent)
        });
        let (ty, run) = (self.direction_type(), quote!(Self::#along #turbofish(#(#args),*)));
        let run = self.in_form(&run, false);
        quote!(|mut #direction: #ty| #run)
    }

    fn several(&self, width: usize) -> TokenStream {
        let (along, directions) = (self.head.derivative(ALONG_EACH), local("directions"));
        let direction = local("direction");
        let names = self.head.generic_args();
        let mut index = 0..;
        let args = self.head.params.iter().map(|named| {
            let argument = super::wrappers::again(named);
            if !named.param.active {
                return argument;
            }
            let part = self.part(&quote!((*#direction)), index.next().unwrap_or_default());
            let lent = match named.param.reference() {
                Some(_) if named.is_slice() => quote!(&#part[..]),
                Some(_) => quote!(&#part),
                None => quote!(::core::clone::Clone::clone(&#part)),
            };
            quote!(#argument, #directions.each_ref().map(|#direction| #lent))
        });
        let (ty, run) =
            (self.direction_type(), quote!(Self::#along::<#width, #(#names),*>(#(#args),*)));
        let run = self.in_form(&run, true);
        quote!(|#directions: [#ty; #width]| #run)
    }
}
