//! Derivatives of Jacobians and Hessians, so that `jacobian`, `hessian` and `value_gradient_and_hessian` are called in
//! functions that are differentiated themselves.
//!
//! In: the head of a function of several orders. Out: for each of them, as a function of its own, `vjp` and `jvp` and
//! all that calls use. A column is a product with a direction, `jvp` or `hvp`, whose derivatives `nested.rs` makes.
//! The tangent of a matrix has their tangents as columns, and its pullback runs theirs, one after the other.

use super::component::{Component, params, raised};
use super::head::{Head, Named, numbered};
use super::nested::{self, Of};
use super::{glue, is_active, own};
use crate::binding::local;
use crate::emit::bare_or_tuple;
use crate::ir::Type;
use crate::pipeline::Kind;
use crate::syntax::attr::Arguments;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

/// All that there is. A function with `&mut` has its Jacobian by rows, and none of these.
pub fn columns(head: &Head, arguments: &Arguments) -> TokenStream {
    let (forward, reverse) = (arguments.emits_forward(), arguments.emits_reverse());
    let orders = *head.orders(arguments).end();
    let lower = arguments.lower(orders);
    let active = head.params.iter().filter(|named| is_active(named)).count();
    let is_unique = head.params.iter().any(|named| named.param.is_unique());
    let mut functions = TokenStream::new();
    if forward && active == 1 && !is_unique {
        functions.extend(jacobian(head, &lower));
    }
    if orders > 2 && reverse && head.signature.may_be_float() {
        functions.extend(hessian(head, &lower.lower(orders - 1)));
    }
    functions
}

/// Where only a trait knows which floats the result has, there are none.
fn jacobian(head: &Head, arguments: &Arguments) -> Option<TokenStream> {
    let float = super::jacobian::entries(head)?;
    if head.signature.output_kind == Type::Unknown {
        return None;
    }
    let output = quote!(::cotangent::Matrix<#float>);
    Some(functions(head, ("jacobian", Of::Jvp), &output, arguments))
}

/// Where the Hessian's type is only known to a trait, there are none.
fn hessian(head: &Head, arguments: &Arguments) -> Option<TokenStream> {
    let active: Vec<&Named> = head.params.iter().filter(|named| is_active(named)).collect();
    let float = head.output();
    let output = match active[..] {
        [one] if one.param.kind.is_float() => float,
        [one] if one.param.kind == Type::Unknown => return None,
        _ => quote!(::cotangent::Matrix<#float>),
    };
    let hessian = functions(head, ("hessian", Of::Hvp), &output, arguments);
    let all = super::all::all(head, &output, arguments);
    Some(quote!(#hessian #all))
}

fn functions(
    head: &Head,
    (name, product): (&str, Of),
    output: &TokenStream,
    arguments: &Arguments,
) -> TokenStream {
    let signature = nested::derivative(head, name, output.clone());
    let product_signature = nested::signature(head, product);
    let (Some(signature), Some((product_signature, _))) = (signature, product_signature) else {
        return TokenStream::new();
    };
    let mut inner = nested::inner(head, &signature, name);
    let (kept, float) =
        (head.kept_clause(|_| true), (product == Of::Hvp).then(|| head.float_clause()));
    inner.bounds.extend(quote!(#kept #float));
    let product_head = Head::new(head.vis, &product_signature);
    let columns = Columns { outer: head, inner: &inner, product: &product_head, of: product };
    let mut functions = TokenStream::new();
    for order in inner.orders(arguments) {
        functions.extend(columns.jvp(order));
        if arguments.emits_reverse() {
            functions.extend(columns.vjp(order));
        }
    }
    functions.extend(glue::of_derivative(&inner, arguments, false));
    functions
}

/// The derivatives of one of them.
struct Columns<'c, 'a> {
    /// The function.
    outer: &'c Head<'a>,
    /// Its matrix.
    inner: &'c Head<'c>,
    /// A column.
    product: &'c Head<'c>,
    of: Of,
}

impl Columns<'_, '_> {
    /// Whether the matrix is one float.
    fn is_float(&self) -> bool {
        self.inner.signature.output_kind.is_float()
    }

    fn jvp(&self, order: usize) -> TokenStream {
        let times = 1 << order;
        let components = raised(self.inner.plain_components(is_active), order);
        let (zero, direction) = (local("zero"), local("direction"));
        let given = self.given(&components, order);
        let zero_made = self.zero(&given);
        let args = self.arguments(&given, times);
        let product = self.product.own_derivative(Kind::Jvp, order);
        let (turbofish, gradient) = (self.outer.turbofish(), self.outer.gradient());
        let (columns, matrices) = (numbered("column", times), numbered("matrix", times));
        let column = self.column();
        let entry = self.is_float().then(|| quote!([(0, 0)]));
        let body = quote! {
            #zero_made
            let [#(#matrices),*] = ::cotangent::__private::columns(&#zero, |#direction: &mut #gradient| {
                let (#(#columns),*) = Self::#product #turbofish(#(#args),*);
                [#(#columns #column),*]
            });
            (#(#matrices #entry),*)
        };
        let outputs = self.inner.outputs(times);
        own(self.inner, (Kind::Jvp, order), &params(&components), &quote!((#(#outputs),*)), &body)
    }

    /// Where in what the product returns the column is.
    fn column(&self) -> Option<TokenStream> {
        (self.of == Of::Jvp).then(|| quote!(.1))
    }

    /// The names of each parameter's components.
    fn given(&self, components: &[Component], order: usize) -> Vec<Vec<Ident>> {
        let mut rest = components.iter().map(|component| component.name.clone());
        let counts =
            self.outer.params.iter().map(|named| if is_active(named) { 1 << order } else { 1 });
        counts.map(|count| rest.by_ref().take(count).collect()).collect()
    }

    /// The direction that is none: bare, or a tuple.
    fn zero(&self, given: &[Vec<Ident>]) -> TokenStream {
        let active = self.outer.params.iter().zip(given).filter(|(named, _)| is_active(named));
        let parts = active.map(|(named, names)| named.zero(&names[0]));
        let (zero, parts) = (local("zero"), bare_or_tuple(&parts.collect::<Vec<_>>()));
        quote!(let #zero = #parts;)
    }

    /// The arguments of the product: each parameter's components, and the direction with zeros as its tangents.
    fn arguments(&self, given: &[Vec<Ident>], times: usize) -> Vec<TokenStream> {
        let mut args = Vec::new();
        for (named, names) in self.outer.params.iter().zip(given) {
            args.extend(names.iter().map(|name| match named.param.reference() {
                Some(_) => quote!(#name),
                None => quote!(::cotangent::__private::Kept::kept(&#name)),
            }));
            if is_active(named) {
                args.extend((0..times).map(|component| self.part(named, component)));
            }
        }
        args
    }

    /// A parameter's part of the direction, or of the zero that its tangents are.
    fn part(&self, named: &Named, component: usize) -> TokenStream {
        let mut active = self.outer.params.iter().filter(|one| is_active(one));
        let is_sole = active.clone().count() == 1;
        let index = active.position(|one| one.param.name == named.param.name).unwrap_or_default();
        let index = syn::Index::from(index);
        let whole = local(if component == 0 { "direction" } else { "zero" });
        let part = match (is_sole, component) {
            (true, 0) => quote!((*#whole)),
            (true, _) => quote!(#whole),
            (false, _) => quote!(#whole.#index),
        };
        match (named.param.reference(), component) {
            (Some((_, true)), 0) => quote!(&mut #part),
            (Some((_, true)), _) => quote!(&mut ::core::clone::Clone::clone(&#part)),
            (Some((_, false)), _) => quote!(&#part),
            (None, _) => quote!(::core::clone::Clone::clone(&#part)),
        }
    }

    fn vjp(&self, order: usize) -> TokenStream {
        let times = 1 << (order - 1);
        let components = raised(self.inner.plain_components(is_active), order - 1);
        let pullback = raised(self.inner.pullback_components(is_active), order - 1);
        let cotangents = self.inner.cotangents(times);
        let ty = self.inner.pullback_type(&params(&pullback), &cotangents);
        let closed = pullback.iter().map(|component| {
            let (name, ty) = component.param();
            quote!(#name: #ty)
        });
        let closed: TokenStream = quote!(move |#(#closed),*|);
        let saved = self.saved(&components, order - 1);
        let forward = nested::again(self.inner, order, &components);
        let (outputs, pulled) = (numbered("output", times), self.pulled(&pullback, order));
        let body = quote! {
            #saved
            let (#(#outputs),*) = #forward;
            (#(#outputs,)* #closed { #pulled })
        };
        let (types, params) = (self.inner.outputs(times), params(&components));
        own(self.inner, (Kind::Vjp, order), &params, &quote!((#(#types,)* #ty)), &body)
    }

    /// Copies of what was passed by value.
    fn saved(&self, components: &[Component], order: usize) -> TokenStream {
        let given = self.given(components, order);
        let by_value = self.outer.params.iter().zip(&given);
        let by_value = by_value.filter(|(named, _)| named.param.reference().is_none());
        let saved = by_value.map(|(named, names)| {
            let kept = kept(named, names.len());
            quote!(#(let #kept = ::cotangent::__private::Kept::kept(&#names);)*)
        });
        saved.collect()
    }

    /// The body of the pullback: what those of all columns add.
    fn pulled(&self, pullback: &[Component], order: usize) -> TokenStream {
        let times = 1 << (order - 1);
        let Pulling { given, passed, opened, sums, bound, added, returned, seeds } =
            self.pulling(pullback, times);
        let [zero, direction, fill, inner] = ["zero", "direction", "fill", "pullback"].map(local);
        let (zero_made, args) = (self.zero(&given), self.arguments(&given, times));
        let product = self.product.own_derivative(Kind::Vjp, order);
        let (turbofish, gradient) = (self.outer.turbofish(), self.outer.gradient());
        let [columns, filled] = ["column", "filled"].map(|name| numbered(name, times));
        let fills = columns.iter().enumerate().map(|(index, column)| self.filled(index, column));
        let matrices = seeds.iter().map(|seed| match self.is_float() {
            true => {
                quote!(::cotangent::Matrix::from_vec(1, 1, ::cotangent::__private::vec![#seed]))
            }
            false => quote!(#seed),
        });
        let (bound, returned) = (bare_or_tuple(&bound), bare_or_tuple(&returned));
        quote! {
            #zero_made
            #sums
            ::cotangent::__private::pulled_columns(
                &#zero,
                &[#(#matrices),*],
                |#direction: &mut #gradient, #fill| {
                    let (#(#columns,)* #inner) = Self::#product #turbofish(#(#args),*);
                    #(let #filled = #fills;)*
                    #opened
                    let #bound = #inner(#(#passed,)* #(#filled),*);
                    #added
                },
            );
            #returned
        }
    }

    /// The cotangent of what the product returns.
    fn filled(&self, index: usize, column: &Ident) -> TokenStream {
        let (fill, zero) = (local("fill"), local("zero"));
        match self.of {
            Of::Jvp => quote!((
                ::cotangent::Differentiable::zero_tangent(&#column.0),
                #fill(#index, ::cotangent::Differentiable::zero_tangent(&#column.1)),
            )),
            _ => quote!(#fill(#index, ::core::clone::Clone::clone(&#zero))),
        }
    }

    /// How the pullback of a column is called, and where its results go.
    fn pulling(&self, pullback: &[Component], times: usize) -> Pulling {
        let mut pulling = Pulling::default();
        let mut rest = pullback.iter().map(|component| component.name.clone());
        for named in &self.outer.params {
            let count = if is_active(named) { times } else { 1 };
            match named.param.reference() {
                Some(_) => {
                    let places: Vec<Ident> = rest.by_ref().take(count).collect();
                    pulling.passed.extend(places.iter().map(ToTokens::to_token_stream));
                    if is_active(named) {
                        let shadows = rest.by_ref().take(times).map(|shadow| quote!(#shadow));
                        pulling.passed.extend(shadows);
                        let directions = (0..times).map(|component| self.part(named, component));
                        pulling.passed.extend(directions);
                        pulling.shadows(named, &places[0], times);
                    }
                    pulling.given.push(places);
                }
                None => {
                    let kept = kept(named, count);
                    if is_active(named) {
                        pulling.sums(named, &kept[0], times);
                    }
                    pulling.given.push(kept);
                }
            }
        }
        pulling.seeds = rest.collect();
        pulling
    }
}

/// The pullback of a column, under construction.
#[derive(Default)]
struct Pulling {
    /// The names of each parameter's components.
    given: Vec<Vec<Ident>>,
    /// What is passed for references.
    passed: Vec<TokenStream>,
    /// Statements before it.
    opened: TokenStream,
    /// Statements before all of them, behind it, and what is returned in the end: the cotangents of by-value
    /// parameters.
    sums: TokenStream,
    bound: Vec<TokenStream>,
    added: TokenStream,
    returned: Vec<TokenStream>,
    /// The matrix's cotangents.
    seeds: Vec<Ident>,
}

impl Pulling {
    /// The direction has shadows that nobody looks at.
    fn shadows(&mut self, named: &Named, place: &Ident, times: usize) {
        let bars = numbered(&format!("ignored_{}", named.bar), times);
        self.opened.extend(
            quote!(#(let mut #bars = ::cotangent::Differentiable::zero_tangent(&*#place);)*),
        );
        self.passed.extend(bars.iter().map(|bar| quote!(&mut #bar)));
    }

    fn sums(&mut self, named: &Named, kept: &Ident, times: usize) {
        let [sums, own] =
            ["sum", "own"].map(|role| numbered(&format!("{role}_{}", named.bar), times));
        self.sums
            .extend(quote!(#(let mut #sums = ::cotangent::Differentiable::zero_tangent(&#kept);)*));
        self.bound.extend(own.iter().map(|own| quote!(#own)));
        self.bound.extend(vec![quote!(_); times]);
        self.added.extend(quote!(#(::cotangent::__private::accumulate(&mut #sums, #own);)*));
        self.returned.extend(sums.iter().map(|sum| quote!(#sum)));
    }
}

/// The names of copies of a by-value parameter.
fn kept(named: &Named, count: usize) -> Vec<Ident> {
    numbered(&format!("kept_{}", named.bar), count)
}
