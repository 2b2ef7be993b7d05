//! Signatures: the parameters and results of each associated function.
//!
//! Types are spelled as the user spelled them; tangents as a reader would, where their shape is known.

use crate::binding::{lifetime, local, local_at};
use crate::ir::Type;
use crate::pipeline::Kind;
use crate::primitive::Rule;
use crate::syntax::attr::Arguments;
use crate::syntax::signature::{OwnerKind, Parameter, Signature};
use crate::syntax::types::{Floats, is_own};
use crate::syntax::walk::{NodeMut, TreeMut};
use crate::syntax::{generics, hygiene};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;

/// A parameter of an emitted function.
pub type Param = (Ident, TokenStream);

/// A parameter of the user's with what is derived from it.
pub struct Named<'a> {
    pub param: &'a Parameter,
    /// Its cotangent or shadow.
    pub bar: Ident,
    /// Its tangent.
    pub dot: Ident,
    /// Its name in a pullback, where there is no `self`.
    pub again: Ident,
    floats: &'a Floats,
}

/// The head of the user's function, ready for emission.
pub struct Head<'a> {
    pub vis: &'a syn::Visibility,
    pub signature: &'a Signature,
    pub params: Vec<Named<'a>>,
    /// The name of the result's cotangent.
    pub seed_name: Ident,
    /// What stands in front of each function, beside its documentation.
    pub attributes: TokenStream,
    /// What each derivative asks rustc to prove first.
    pub proofs: TokenStream,
    /// The proofs that names of the body mean what they were taken for, and the derivative that has them for all.
    pub names: Option<(Kind, TokenStream)>,
    /// What is asked of `Self`.
    pub bounds: TokenStream,
    /// What is asked of type parameters.
    pub asked: TokenStream,
    /// What messages call the function.
    pub title: String,
    /// Whether it is a derivative itself.
    pub is_nested: bool,
}

impl<'a> Head<'a> {
    pub fn new(vis: &'a syn::Visibility, signature: &'a Signature) -> Self {
        let mut taken: Vec<String> =
            signature.params.iter().map(|param| param.name.to_string()).collect();
        let mut fresh = |base: String, span: Span| fresh(&base, span, &mut taken);
        let params = signature.params.iter().map(|param| {
            let (text, span) = (param.name.to_string(), param.name.span());
            let bare = text.trim_start_matches("r#");
            let again = match bare {
                "self" => fresh("this".to_owned(), span),
                _ => param.name.clone(),
            };
            Named {
                param,
                bar: fresh(format!("{bare}_bar"), span),
                dot: fresh(format!("{bare}_dot"), span),
                again,
                floats: &signature.floats,
            }
        });
        let params = params.collect();
        let seed_name = fresh("seed".to_owned(), Span::call_site());
        let (attributes, proofs) = (TokenStream::new(), TokenStream::new());
        let bounds = bounds(signature);
        let asked = asked(signature);
        let (title, is_nested) = (signature.name.to_string(), false);
        Head {
            vis,
            signature,
            params,
            seed_name,
            attributes,
            proofs,
            names: None,
            bounds,
            asked,
            title,
            is_nested,
        }
    }

    /// The same for derivatives with another signature.
    #[must_use]
    pub fn with<'o>(&self, signature: &'o Signature) -> Head<'o>
    where
        'a: 'o,
    {
        Head {
            attributes: self.attributes.clone(),
            proofs: self.proofs.clone(),
            names: self.names.clone(),
            bounds: self.bounds.clone(),
            asked: self.asked.clone(),
            title: self.title.clone(),
            is_nested: self.is_nested,
            ..Head::new(self.vis, signature)
        }
    }

    /// One associated function.
    pub fn function(
        &self,
        name: &str,
        doc: &str,
        params: &[Param],
        output: &TokenStream,
        clause: &TokenStream,
        body: &TokenStream,
    ) -> TokenStream {
        let clause = self.where_clause(&self.bounds, clause);
        let head = self.declared(name, (doc, true), params, output);
        let imports = self.imports(params, body);
        let body = quote_spanned!(self.span()=> { #imports #body });
        quote!(#head #clause #body)
    }

    /// What the bodies of functions beside a method import; those of a companion have it around them.
    fn imports(&self, params: &[Param], body: &TokenStream) -> Option<TokenStream> {
        let names: Vec<&Ident> = params.iter().map(|(name, _)| name).collect();
        self.signature.owner.as_ref().map(|_| crate::binding::imports(body, &names))
    }

    /// Where rustc is to say that something is wrong with a derivative's head: at the function itself where a
    /// trait may not know it.
    fn span(&self) -> Span {
        let owner = self.signature.owner.as_ref();
        let is_known = owner.is_none_or(|owner| owner.kind != OwnerKind::Implementation);
        if is_known { Span::call_site() } else { self.signature.name.span() }
    }

    /// A function without a body.
    pub fn declaration(
        &self,
        name: &str,
        doc: &str,
        params: &[Param],
        output: &TokenStream,
        clause: &TokenStream,
    ) -> TokenStream {
        let clause = self.where_clause(&self.bounds, clause);
        let head = self.declared(name, (doc, false), params, output);
        quote!(#head #clause;)
    }

    /// A function beside the companion.
    pub fn beside(
        &self,
        name: &Ident,
        params: &[Param],
        output: &TokenStream,
        clause: &TokenStream,
        body: &TokenStream,
    ) -> TokenStream {
        let (names, types) = (params.iter().map(|(name, _)| name), params.iter().map(|(_, ty)| ty));
        let clause = self.where_clause(&self.bounds, clause);
        let (vis, generics, attributes) = (self.vis, self.generics(), &self.attributes);
        quote! {
            #attributes
            #[inline]
            #vis fn #name #generics(#(#names: #types),*) -> #output #clause { #body }
        }
    }

    /// A function that trait objects have, too.
    pub fn unbounded(
        &self,
        name: &str,
        params: &[Param],
        output: &TokenStream,
        clause: &TokenStream,
        body: &TokenStream,
    ) -> TokenStream {
        let clause = self.where_clause(&TokenStream::new(), clause);
        let (head, imports) =
            (self.declared(name, ("", true), params, output), self.imports(params, body));
        quote!(#head #clause { #imports #body })
    }

    fn declared(
        &self,
        name: &str,
        (doc, has_body): (&str, bool),
        params: &[Param],
        output: &TokenStream,
    ) -> TokenStream {
        let name = self.derivative(name);
        let names = params.iter().map(|(name, _)| name);
        let types = params.iter().map(|(_, ty)| ty);
        let (generics, inline) = (self.generics(), has_body.then(|| quote!(#[inline])));
        let (vis, attributes) = (self.vis, &self.attributes);
        let function = quote_spanned!(self.span()=> fn);
        let doc = (!doc.is_empty()).then(|| quote!(#[doc = #doc]));
        quote! {
            #attributes
            #doc
            #inline
            #vis #function #name #generics(#(#names: #types),*) -> #output
        }
    }

    /// The name of a derivative: in the companion, or beside a method.
    pub fn derivative(&self, name: &str) -> Ident {
        let method = &self.signature.siblings;
        match (&self.signature.owner, name.strip_prefix("__")) {
            (None, _) => Ident::new(name, Span::call_site()),
            (Some(_), None) => crate::emit::sibling(method, name, true),
            (Some(_), Some(hidden)) => crate::emit::sibling(method, hidden, false),
        }
    }

    /// The user's function.
    pub fn primal(&self) -> TokenStream {
        let (name, spelled) = (&self.signature.name, &self.signature.spelled);
        let turbofish = (!spelled.is_empty()).then(|| quote!(::<#(#spelled),*>));
        match self.signature.owner {
            Some(_) => quote!(Self::#name #turbofish),
            None => quote!(#name #turbofish),
        }
    }

    /// An argument of the user's function, from a variable: a function with derivatives as a closure.
    pub fn plain_argument(&self, named: &Named, argument: &TokenStream) -> TokenStream {
        let Some(callable) = &named.param.callable else { return argument.clone() };
        let (function, inputs) = (local("function"), &callable.inputs);
        let names: Vec<Ident> = (0..inputs.len()).map(|at| local(&format!("input_{at}"))).collect();
        let reference = callable.is_reference.then(|| quote!(&));
        let borrow = callable.is_borrowed().then(|| quote!(&));
        quote!(#reference {
            let #function = #borrow #argument;
            move |#(#names: #inputs),*| (#function.primal)(&#function, #(#names),*)
        })
    }

    /// The user's parameters under names that hide neither the function nor one another.
    pub fn distinct_params(&self) -> Vec<Param> {
        let params = self.params.iter().enumerate();
        let named = params.map(|(index, named)| {
            (local(&format!("argument_{index}")), named.param.ty.to_token_stream())
        });
        named.collect()
    }

    /// The name under which a derivative has a body. Where parameters are functions, whose tangents are
    /// those of what they capture, the derivatives of the contract are called by way of it.
    pub fn body_name(&self, derivative: &str) -> String {
        match self.has_functions() {
            true => format!("__active_{derivative}"),
            false => derivative.to_owned(),
        }
    }

    /// The orders of derivatives that there are. Rules that cannot be differentiated have one.
    pub fn orders(&self, arguments: &Arguments) -> std::ops::RangeInclusive<usize> {
        let is_open = arguments.rule().is_none_or(Rule::is_open);
        1..=if is_open { arguments.orders() } else { 1 }
    }

    /// The name under which a derivative of an order has a body.
    pub fn own_name(&self, kind: Kind, order: usize) -> String {
        match order {
            1 => self.body_name(&kind.name(1)),
            _ if self.has_constant_functions() => format!("__constant_{}", kind.name(order)),
            _ => format!("__own_{}", kind.name(order)),
        }
    }

    /// Likewise, as it is called.
    pub fn own_derivative(&self, kind: Kind, order: usize) -> Ident {
        self.derivative(&self.own_name(kind, order))
    }

    /// Whether a parameter is a function.
    pub fn has_functions(&self) -> bool {
        self.params.iter().any(|named| named.param.callable.is_some())
    }

    /// Whether they are constant, as they are for who calls a derivative of the contract.
    fn has_constant_functions(&self) -> bool {
        self.params.iter().any(|named| named.param.callable.is_some() && !named.param.active)
    }

    /// Parameters as calls pass them: a function is what it captures, and what it does.
    pub fn passed(&self, named: &Named) -> Vec<Param> {
        let (name, ty) = (&named.param.name, &named.param.ty);
        let (Some(_), syn::Type::Path(path)) = (&named.param.callable, ty) else {
            return vec![(name.clone(), ty.to_token_stream())];
        };
        let types = match &path.path.segments.last().expect("a path").arguments {
            syn::PathArguments::AngleBracketed(arguments) => arguments.args.iter(),
            _ => unreachable!("a function's type has arguments"),
        };
        let parts = named.parts().into_iter().zip(types);
        parts.map(|(name, ty)| (name, ty.to_token_stream())).collect()
    }

    /// Statements that put the parts of functions together again.
    pub fn joined(&self) -> TokenStream {
        let functions = self.params.iter().filter(|named| named.param.callable.is_some());
        let joined = functions.map(|named| {
            let (name, [state, primal, vjp, jvp]) = (&named.param.name, named.parts());
            quote! {
                let #name = ::cotangent::Function {
                    state: #state, primal: #primal, vjp: #vjp, jvp: #jvp
                };
            }
        });
        joined.collect()
    }

    fn generics(&self) -> TokenStream {
        self.signature.generics.to_token_stream()
    }

    /// `self` as it is written, of a method.
    pub fn receiver(&self) -> Option<TokenStream> {
        let named = self.params.first().filter(|named| named.param.name == "self")?;
        Some(named.lent(&named.param.name))
    }

    /// What every derivative asks.
    pub fn clause(&self) -> TokenStream {
        self.where_clause(&self.bounds, &TokenStream::new())
    }

    fn where_clause(&self, bounds: &TokenStream, clause: &TokenStream) -> TokenStream {
        let own = self.signature.generics.where_clause.as_ref().map(|clause| &clause.predicates);
        let own = own.into_iter().flatten();
        let asked = &self.asked;
        quote!(where #(#own,)* #asked #bounds #clause)
    }

    /// Type and constant parameters, for a call of a sibling or a `use<..>` bound.
    pub fn generic_names(&self) -> Vec<&Ident> {
        let names = self.signature.generics.params.iter().filter_map(|param| match param {
            syn::GenericParam::Const(param) => Some(&param.ident),
            syn::GenericParam::Type(param) => Some(&param.ident),
            syn::GenericParam::Lifetime(_) => None,
        });
        names.collect()
    }

    /// What types in the head may name that its items cannot: all parameters, and `Self`.
    pub fn generic_idents(&self) -> Vec<String> {
        let generics = self.signature.all_generics().into_iter();
        let names =
            generics.flat_map(|generics| &generics.params).filter_map(|param| match param {
                syn::GenericParam::Const(param) => Some(param.ident.to_string()),
                syn::GenericParam::Type(param) => Some(param.ident.to_string()),
                syn::GenericParam::Lifetime(_) => None,
            });
        names.chain(["Self".to_owned()]).collect()
    }

    /// Returns the names that a pullback's type captures: the type and constant parameters, those of the `impl` around a
    /// method with its lifetimes, which are in the method's type, and the lifetimes that some tokens name.
    fn captured_names(&self, tokens: &TokenStream) -> Vec<TokenStream> {
        let lifetimes = self.signature.generics.lifetimes().map(|param| &param.lifetime);
        let named = lifetimes.filter(|lifetime| names_lifetime(tokens, &lifetime.ident));
        let owner = self.signature.owner.as_ref();
        let own_type = owner.filter(|owner| owner.is_trait()).map(|_| quote!(Self));
        let outer = owner.iter().flat_map(|owner| &owner.generics.params);
        let outer = outer.map(|param| match param {
            syn::GenericParam::Const(param) => param.ident.to_token_stream(),
            syn::GenericParam::Type(param) => param.ident.to_token_stream(),
            syn::GenericParam::Lifetime(param) => param.lifetime.to_token_stream(),
        });
        let (mut names, types): (Vec<_>, Vec<_>) =
            outer.partition(|name| name.to_string().starts_with('\''));
        names.extend(named.map(ToTokens::to_token_stream));
        names.extend(own_type);
        names.extend(types);
        names
            .into_iter()
            .chain(self.generic_names().iter().map(ToTokens::to_token_stream))
            .collect()
    }

    /// `::<N>` for calls of siblings.
    pub fn turbofish(&self) -> TokenStream {
        turbofish(&self.generic_args())
    }

    /// The same as arguments, where the name of a constant alone could be a type's.
    pub fn generic_args(&self) -> Vec<TokenStream> {
        let args = self.signature.generics.params.iter().filter_map(|param| match param {
            syn::GenericParam::Const(syn::ConstParam { ident, .. }) => Some(quote!({ #ident })),
            syn::GenericParam::Type(param) => Some(param.ident.to_token_stream()),
            syn::GenericParam::Lifetime(_) => None,
        });
        args.collect()
    }

    pub fn output(&self) -> TokenStream {
        self.signature.output.as_ref().map_or_else(|| quote!(()), ToTokens::to_token_stream)
    }

    pub fn output_tangent(&self) -> TokenStream {
        self.signature
            .output
            .as_ref()
            .map_or_else(|| quote!(()), |ty| self.signature.floats.tangent(ty))
    }

    /// The seed of gradients. An alias's one comes from a trait.
    pub fn seed(&self) -> TokenStream {
        seed_of(&self.output())
    }

    /// Where the result's type is not known to be a float, gradients exist if it is.
    pub fn float_clause(&self) -> TokenStream {
        match self.signature.output_kind {
            Type::Unknown => self.output_clause("FloatOutput"),
            _ => TokenStream::new(),
        }
    }

    /// The result has a trait: this is asked where a function is called.
    pub fn output_clause(&self, name: &str) -> TokenStream {
        let (output, name) = (self.output(), Ident::new(name, Span::call_site()));
        let any = lifetime("output");
        quote!(for<#any> #output: ::cotangent::__private::#name<#any>,)
    }

    /// Likewise for several floats and Jacobians.
    pub fn vector_clause(&self) -> TokenStream {
        match self.signature.output_kind {
            Type::Unknown => self.output_clause("VectorOutput"),
            _ => TokenStream::new(),
        }
    }

    /// What is asked of by-value parameters that are needed again after a call.
    pub fn kept_clause(&self, is_wanted: fn(&Named) -> bool) -> TokenStream {
        let is_open = |named: &&Named| {
            named.param.reference().is_none()
                && named.param.kind == Type::Unknown
                && !named.param.is_tangent
                && is_wanted(named)
        };
        let types = self.params.iter().filter(is_open).map(|named| &named.param.ty);
        let any = lifetime("kept");
        quote!(#(for<#any> #types: ::cotangent::__private::Kept<#any>,)*)
    }

    /// The user's parameters.
    pub fn plain_params(&self) -> Vec<Param> {
        self.params
            .iter()
            .map(|named| (named.param.name.clone(), named.param.ty.to_token_stream()))
            .collect()
    }

    pub fn plain_names(&self) -> Vec<&Ident> {
        self.params.iter().map(|named| &named.param.name).collect()
    }

    /// A shadow follows each active reference.
    pub fn accumulate_params(&self) -> Vec<Param> {
        let mut params = Vec::new();
        for named in &self.params {
            params.push((named.param.name.clone(), named.param.ty.to_token_stream()));
            if let Some(ty) = named.shadow_type().filter(|_| named.param.active) {
                params.push((named.bar.clone(), ty));
            }
        }
        params
    }

    /// Each active parameter is followed by its tangent.
    pub fn jvp_params(&self) -> Vec<Param> {
        let mut params = Vec::new();
        for named in &self.params {
            params.push((named.param.name.clone(), named.param.ty.to_token_stream()));
            if named.param.active {
                params.push((named.dot.clone(), named.tangent_type()));
            }
        }
        params
    }

    /// References, active ones with their shadows, then the result's cotangent.
    pub fn pullback_params(&self) -> Vec<Param> {
        self.reference_params(|named| named.param.active)
    }

    /// References, those wanted with their shadows, then the result's cotangent.
    pub fn reference_params(&self, shadowed: impl Fn(&Named) -> bool) -> Vec<Param> {
        let mut params = Vec::new();
        for named in &self.params {
            let Some(shadow) = named.shadow_type() else {
                continue;
            };
            params.push((named.again.clone(), unbound(&named.param.ty)));
            if shadowed(named) {
                params.push((named.bar.clone(), shadow));
            }
        }
        params.push((self.seed_name.clone(), self.output_tangent()));
        params
    }

    /// In debug mode, checks that tangents or shadows fit what they belong to, each by its names: place and tangent.
    pub fn fitting(&self, names: impl Fn(&Named) -> Option<[Ident; 2]>) -> TokenStream {
        let active = self.params.iter().filter(|named| named.param.active);
        let function = self.signature.name.to_string();
        let checks = active.filter(|_| self.signature.is_watched).filter_map(|named| {
            let ([place, tangent], span) = (names(named)?, named.param.name.span());
            let name = named.param.name.to_string();
            let check = Ident::new(if named.is_slice() { "fits_each" } else { "fits" }, span);
            let borrow = match named.param.reference() {
                Some(_) => quote!(&*),
                None => quote!(&),
            };
            Some(quote_spanned! {span=>
                ::cotangent::__private::#check(#function, #name, #borrow #place, #borrow #tangent);
            })
        });
        checks.collect()
    }

    /// `impl FnOnce(..) -> ..`, which borrows nothing. What is passed by value may hold references, and may be kept.
    pub fn pullback_type(&self, params: &[Param], output: &TokenStream) -> TokenStream {
        let types: Vec<&TokenStream> = params.iter().map(|(_, ty)| ty).collect();
        let values = self.params.iter().filter(|named| named.param.reference().is_none());
        let (values, arrow) = (values.map(|named| &named.param.ty), arrow(output));
        let captured = self.captured_names(&quote!(#(#types)* #arrow #(#values)*));
        // An error of the type without end, of functions that call each other, is to name them.
        let span = Span::call_site().located_at(self.signature.name.span());
        quote_spanned!(span=> impl ::core::ops::FnOnce(#(#types),*) #arrow + use<#(#captured),*>)
    }

    /// Asks that nothing which a box holds is borrowed.
    pub fn ask_for_static(&mut self) {
        let owner = self.signature.owner.as_ref();
        let own_type = owner.filter(|owner| owner.is_trait()).map(|_| quote!(Self));
        let generics = self.signature.all_generics().into_iter();
        let params = generics.flat_map(|generics| generics.type_params()).map(|param| &param.ident);
        let params = params.map(ToTokens::to_token_stream).chain(own_type);
        self.bounds.extend(quote!(#(#params: 'static,)*));
    }

    /// Which parameters are active, where calls between derivatives may be direct: what is constant has
    /// no tangent by its type, and no reference to what has one.
    pub fn own(&self) -> Option<Vec<bool>> {
        let is_direct = |named: &Named| match named.param.active {
            true => !named.is_consumed_self(),
            false => named.param.kind.is_constant() && named.param.reference().is_none(),
        };
        let active = self.params.iter().map(|named| named.param.active).collect();
        (!self.has_functions() && self.params.iter().all(is_direct)).then_some(active)
    }

    /// What holds the pullback of a recursive function, whose type would have no end.
    pub fn boxed_pullback(&self, params: &[Param], output: &TokenStream) -> TokenStream {
        let types = params.iter().map(|(_, ty)| ty);
        let arrow = arrow(output);
        quote!(::cotangent::__private::Box<dyn ::core::ops::FnOnce(#(#types),*) #arrow + '_>)
    }

    /// What holds the pullback that a trait object gives.
    pub fn object_pullback(&self, params: &[Param], output: &TokenStream) -> TokenStream {
        let types = params.iter().map(|(_, ty)| ty);
        let arrow = arrow(output);
        quote!(::cotangent::__private::Box<dyn ::core::ops::FnOnce(#(#types),*) #arrow>)
    }

    /// A body of the right type, after an error.
    pub fn missing_pullback(
        &self,
        times: usize,
        params: &[Param],
        output: &TokenStream,
    ) -> TokenStream {
        let types = params.iter().map(|(_, ty)| ty);
        let missing = super::missing();
        let values = vec![&missing; times];
        quote!((#(#values,)* move |#(_: #types),*| -> #output { #missing }))
    }

    /// The by-value active parameters.
    pub fn by_value(&self) -> impl Iterator<Item = &Named<'a>> {
        self.params.iter().filter(|named| named.param.active && named.param.reference().is_none())
    }

    /// Their cotangents: bare, a tuple, or `()`.
    pub fn by_value_cotangents(&self) -> TokenStream {
        self.cotangents(1)
    }

    /// Likewise, each followed by its tangents.
    pub fn cotangents(&self, times: usize) -> TokenStream {
        let each = self.by_value().map(|named| named.floats.tangent(&named.param.ty));
        let types: Vec<TokenStream> = each.flat_map(|ty| vec![ty; times]).collect();
        crate::emit::bare_or_tuple(&types)
    }

    /// Owned cotangents of all active parameters: bare, or a tuple.
    pub fn gradient(&self) -> TokenStream {
        let active = self.params.iter().filter(|named| named.param.active);
        let types: Vec<TokenStream> = active.map(Named::owned_tangent).collect();
        crate::emit::bare_or_tuple(&types)
    }
}

/// Whether a lifetime is named in some tokens.
fn names_lifetime(tokens: &TokenStream, name: &Ident) -> bool {
    let mut is_behind_quote = false;
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Group(group) => names_lifetime(&group.stream(), name),
        TokenTree::Ident(ident) => std::mem::take(&mut is_behind_quote) && ident == *name,
        TokenTree::Punct(punct) => {
            is_behind_quote = punct.as_char() == '\'';
            false
        }
        TokenTree::Literal(_) => false,
    })
}

/// The seed of a gradient with one float of this type as output.
pub fn seed_of(float: &impl ToTokens) -> TokenStream {
    quote!(<#float as ::cotangent::__private::FloatOutput<'_>>::seed())
}

impl Named<'_> {
    /// The names of a function's parts.
    pub fn parts(&self) -> [Ident; 4] {
        let name = self.param.name.to_string();
        crate::syntax::callable::PARTS
            .map(|part| local(&format!("{}_{part}", name.trim_start_matches("r#"))))
    }

    /// Whether this is `self` by value. A caller cannot see that, so that derivatives for callers take it as
    /// they take `&self`: by reference, with a shadow.
    pub fn is_consumed_self(&self) -> bool {
        self.param.name == "self" && self.param.reference().is_none()
    }

    /// Whether this is a slice behind a reference.
    pub fn is_slice(&self) -> bool {
        matches!(&self.param.kind, Type::Reference(inner, _) if matches!(**inner, Type::Slice(_)))
    }

    /// The shadow's type, for a parameter behind a reference.
    pub fn shadow_type(&self) -> Option<TokenStream> {
        let (inner, _) = self.param.reference()?;
        let tangent = self.floats.tangent(inner);
        Some(quote!(&mut #tangent))
    }

    /// The tangent, passed as the parameter is.
    pub fn tangent_type(&self) -> TokenStream {
        match self.param.reference() {
            Some((inner, true)) => {
                let tangent = self.floats.tangent(inner);
                quote!(&mut #tangent)
            }
            Some((inner, false)) => {
                let tangent = self.floats.tangent(inner);
                quote!(&#tangent)
            }
            None => self.floats.tangent(&self.param.ty),
        }
    }

    /// What is owned, passed as the parameter is.
    pub fn lent(&self, owned: &impl ToTokens) -> TokenStream {
        match self.param.reference() {
            Some((_, true)) => quote!(&mut #owned),
            Some((_, false)) => quote!(&#owned),
            None => owned.to_token_stream(),
        }
    }

    /// A reference to the parameter's place, where it is at hand under a name.
    pub fn place(&self, name: &Ident) -> TokenStream {
        if self.param.reference().is_some() { quote!(&*#name) } else { quote!(&#name) }
    }

    /// A zero in the shape of the parameter, where it is at hand under a name.
    pub fn zero(&self, name: &Ident) -> TokenStream {
        let (place, ty) = (self.place(name), self.owned());
        if let Some(own) = is_own(ty).then(crate::binding::own_type).flatten() {
            return quote!(<#own as ::cotangent::Differentiable>::zero_tangent(#place));
        }
        quote_spanned!(ty.span()=> <#ty as ::cotangent::Differentiable>::zero_tangent(#place))
    }

    /// The type without the reference.
    pub fn owned(&self) -> &syn::Type {
        self.param.reference().map_or(&self.param.ty, |(inner, _)| inner)
    }

    /// The tangent on its own.
    pub fn owned_tangent(&self) -> TokenStream {
        self.floats.owned_tangent(self.owned())
    }
}

/// What derivatives ask of the type parameters.
fn asked(signature: &Signature) -> TokenStream {
    let is_data = |param: &&Parameter| param.active && param.callable.is_none();
    let active = signature.params.iter().filter(is_data);
    let (generics, floats) = (signature.all_generics(), &signature.floats);
    // The bounds of the `impl` ask for all that `Self` consists of, but for this.
    let owner = signature.owner.iter().filter(|owner| owner.kind == OwnerKind::Type);
    let params = owner.flat_map(|owner| owner.generics.type_params()).map(|param| &param.ident);
    let converted = params.filter(|name| generics::converted(&generics, name).is_some());
    let numbers: Vec<syn::Type> = converted.map(|name| syn::parse_quote!(#name)).collect();
    let differentiated = active.map(|param| &param.ty).chain(&signature.output).chain(&numbers);
    generics::clause(&generics, floats, differentiated)
}

/// What derivatives ask of the type that has a trait. Trait objects are out of their reach, so that a trait
/// may have them.
fn bounds(signature: &Signature) -> TokenStream {
    let Some(owner) = signature.owner.as_ref().filter(|owner| owner.is_trait()) else {
        return TokenStream::new();
    };
    let active = signature.params.iter().filter(|param| param.active);
    let types = active.map(|param| &param.ty).chain(&signature.output);
    let is_named = types.map(ToTokens::to_token_stream).any(mentions_self);
    if is_named || owner.kind == OwnerKind::Trait {
        quote!(Self: ::core::marker::Sized + ::cotangent::Differentiable,)
    } else {
        quote!(Self: ::core::marker::Sized,)
    }
}

pub fn mentions_self(tokens: TokenStream) -> bool {
    hygiene::mentions(tokens, &|ident| ident == "Self")
}

/// The result of a closure's type.
fn arrow(output: &TokenStream) -> Option<TokenStream> {
    (!output.to_string().starts_with("()")).then(|| quote!(-> #output))
}

/// As many such names.
pub fn numbered(name: &str, times: usize) -> Vec<Ident> {
    (0..times).map(|index| local(&format!("{name}_{index}"))).collect()
}

/// A name like the one that is wanted, and like none that is taken.
pub fn fresh(wanted: &str, span: Span, taken: &mut Vec<String>) -> Ident {
    let name = untaken(wanted, taken);
    local_at(&name, span)
}

/// The same for a parameter of generics: an import in the body would hide it.
pub fn parameter(wanted: &str, span: Span, taken: &mut Vec<String>) -> Ident {
    let name = untaken(wanted, taken);
    crate::syntax::hygiene::identifier(&name, span)
}

fn untaken(wanted: &str, taken: &mut Vec<String>) -> String {
    let mut name = wanted.to_owned();
    while taken.contains(&name) || crate::binding::is_spelled(&name) {
        name.push('_');
    }
    taken.push(name.clone());
    name
}

fn turbofish(names: &[TokenStream]) -> TokenStream {
    if names.is_empty() { TokenStream::new() } else { quote!(::<#(#names),*>) }
}

/// A type without the names of the function's lifetimes: the pullback takes any.
pub fn unbound(ty: &syn::Type) -> TokenStream {
    let mut ty = ty.clone();
    ty.change(&mut |node| {
        match node {
            NodeMut::Type(syn::Type::Reference(reference)) => {
                reference.lifetime.take_if(|lifetime| lifetime.ident != "static");
            }
            NodeMut::Lifetime(lifetime) if lifetime.ident != "static" => {
                *lifetime = syn::Lifetime::new("'_", lifetime.span());
            }
            _ => {}
        }
        true
    });
    ty.to_token_stream()
}
