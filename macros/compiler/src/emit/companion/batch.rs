//! Vector forward mode: `jvp_batch`, which carries as many tangents as its constant parameter says.
//!
//! In: a head, and the `jvp` as IR. Out: `jvp_batch`, and the hidden functions and the constant that calls use. A body
//! of its own computes the primal once for all tangents (`emit/lanes.rs`). Where there is none, because of a rule or
//! of an instruction without such a form, one `jvp` runs for each.
//!
//! **Invariant:** `__IS_BATCHED` is true only where the hidden function does what `jvp` does for arguments of any type.

use super::component::Component;
use super::head::{self, Head, Named, Param};
use super::{Source, component, context, is_active, primitive};
use crate::analysis::lanes::{self, Lanes};
use crate::binding::local;
use crate::ir::{Callee, Function, Op, Type, Value};
use crate::pipeline::Kind;
use crate::syntax::attr::Arguments;
use crate::syntax::signature::{OwnerKind, Signature};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// All that there is for several directions. `native` is the `jvp`, where it has a form for them.
pub fn batch(head: &Head, arguments: &Arguments, native: Option<Native>) -> TokenStream {
    let vis = head.vis;
    if !has_forms(head, arguments) {
        let is_free = head.signature.owner.is_none();
        return match is_free {
            true => {
                quote!(#[doc(hidden)] #vis const __IS_BATCHED: ::core::primitive::bool = false;)
            }
            false => TokenStream::new(),
        };
    }
    let width = Width::new(head);
    let given = arguments.rule().and_then(|rule| primitive::jvp_batch(head, rule, &width.count));
    let batch = Batch { inner: head, outer: &width.head(head), count: &width.count, given };
    let mut functions = TokenStream::new();
    if !batch.writes_object() {
        functions.extend(batch.public(native.is_some()));
    }
    if head.signature.owner.is_none() {
        functions.extend(batch.uniform(native.is_some()));
    }
    if has_constant(head) {
        functions.extend(batch.own(native));
    }
    functions
}

/// Whether there is a place for what says that it has a body of its own.
fn has_constant(head: &Head) -> bool {
    head.signature.owner.as_ref().is_none_or(|owner| owner.kind == OwnerKind::Type)
}

/// The constant that says so.
pub fn is_batched(head: &Head) -> Ident {
    match head.signature.owner {
        None => Ident::new("__IS_BATCHED", Span::call_site()),
        Some(_) => head.derivative("__is_batched"),
    }
}

/// Whether there are functions for several directions. What was written to a cell cannot be put back between them.
fn has_forms(head: &Head, arguments: &Arguments) -> bool {
    arguments.emits_forward() && !head.has_functions() && !head.signature.reaches_cells()
}

/// A derivative with what has lanes in it.
pub type Native<'s> = (&'s Function, Lanes);

/// The `jvp`, where it has a form for several directions.
pub fn native<'s>(head: &Head, arguments: &Arguments, source: Source<'s>) -> Option<Native<'s>> {
    let function = source.derived(Kind::Jvp, 1).filter(|_| has_forms(head, arguments))?;
    carried(head, source, function, head.plain_components(is_active))
}

/// What the forward transform made of a derivative with these parameters, where it has a form for several directions.
pub fn carried<'s>(
    head: &Head,
    source: Source<'s>,
    function: &'s Function,
    components: Vec<Component>,
) -> Option<Native<'s>> {
    // A constant beside the function would not see the items of its body.
    let is_plain = has_constant(head)
        && !head.signature.shares
        && !head.signature.is_watched
        && source.rule.is_none()
        && source.derived.is_some_and(|derived| !derived.is_recursive)
        && function.items.is_empty();
    let laned = component::laned(components, &Ident::new("_", Span::call_site()));
    let params = function.body.params.iter().zip(&laned);
    let tangents: Vec<Value> =
        params.filter(|(_, one)| one.is_array).map(|(value, _)| *value).collect();
    is_plain.then(|| lanes::lanes(function, &tangents)).flatten().map(|lanes| (function, lanes))
}

/// The parameters and the body of such a derivative.
pub fn body(
    head: &Head,
    (function, lanes): Native,
    components: Vec<Component>,
    count: &Ident,
) -> (Vec<Param>, TokenStream) {
    let laned = component::laned(components, count);
    let params = component::laned_params(&laned);
    let context = super::Context {
        alignment: component::opened(&laned),
        lanes: Some((lanes, count.clone())),
        ..context(head, &params, 1)
    };
    let (body, each) = (crate::emit::body(function, &context), crate::emit::lanes::each_lane());
    (params, quote!(use ::core::array::from_fn as #each; #body))
}

/// The signature with the number of lanes as its first constant.
pub struct Width {
    pub count: Ident,
    signature: Signature,
}

impl Width {
    pub fn new(head: &Head) -> Self {
        let count = count(head.signature);
        Width { signature: counted(head.signature, &count), count }
    }

    pub fn head<'h>(&'h self, head: &'h Head) -> Head<'h> {
        head.with(&self.signature)
    }
}

/// A name for the number of lanes that no parameter of the user's has.
fn count(signature: &Signature) -> Ident {
    let names = signature.all_generics().into_iter().flat_map(|generics| {
        let types = generics.type_params().map(|param| &param.ident);
        types.chain(generics.const_params().map(|param| &param.ident))
    });
    let mut taken = names.map(Ident::to_string).collect();
    head::parameter("LANES", Span::call_site(), &mut taken)
}

/// The signature with the number of lanes as its first constant.
fn counted(signature: &Signature, count: &Ident) -> Signature {
    let mut signature = signature.clone();
    let params = &mut signature.generics.params;
    let lifetimes =
        params.iter().take_while(|one| matches!(one, syn::GenericParam::Lifetime(_))).count();
    params.insert(lifetimes, syn::parse_quote!(const #count: ::core::primitive::usize));
    signature
}

struct Batch<'b, 'a> {
    /// The function.
    inner: &'b Head<'a>,
    /// Likewise, with the number of lanes.
    outer: &'b Head<'b>,
    count: &'b Ident,
    /// The body that a rule gives.
    given: Option<TokenStream>,
}

impl Batch<'_, '_> {
    /// The function of the contract.
    fn public(&self, is_native: bool) -> TokenStream {
        let params = self.params(is_active);
        let each = self.given.clone().unwrap_or_else(|| self.each());
        let clause = self.clause();
        let body = match is_native {
            false => each,
            true => {
                let own = self.outer.derivative("__own_jvp_batch");
                let (names, turbofish) =
                    (params.iter().map(|(name, _)| name), self.outer.turbofish());
                let is_batched = is_batched(self.inner);
                quote! {
                    if Self::#is_batched {
                        return Self::#own #turbofish(#(#names),*);
                    }
                    #each
                }
            }
        };
        let doc = super::formula::jvp_batch(self.outer);
        self.outer.function("jvp_batch", &doc, &params, &self.output(), &clause, &body)
    }

    /// The body, and whether it is to be used.
    fn own(&self, native: Option<Native>) -> TokenStream {
        let (vis, name, is_there) =
            (self.inner.vis, is_batched(self.inner), self.is_there(&native));
        let own = native.map(|native| {
            let components = self.inner.plain_components(is_active);
            let (params, body) = body(self.inner, native, components, self.count);
            let (output, none) = (self.output(), TokenStream::new());
            let own = self.outer.function("__own_jvp_batch", "", &params, &output, &none, &body);
            super::glue::hidden(&own)
        });
        let attributes = &self.inner.attributes;
        quote! {
            #own
            #attributes
            #[doc(hidden)]
            #[allow(non_upper_case_globals)]
            #vis const #name: ::core::primitive::bool = #is_there;
        }
    }

    /// What calls use: with a tangent for each parameter.
    fn uniform(&self, is_native: bool) -> TokenStream {
        let (names, turbofish) = (self.params(is_active), self.outer.turbofish());
        let names = names.iter().map(|(name, _)| name);
        let body = match (is_native, self.is_open()) {
            (true, _) => quote!(Self::__own_jvp_batch #turbofish(#(#names),*)),
            (false, true) => quote!(Self::jvp_batch #turbofish(#(#names),*)),
            (false, false) => quote!(::core::unreachable!("it is not batched")),
        };
        let (params, constants) = (self.params(|_| true), self.outer.constant_clause(|_| true));
        let uniform =
            self.outer.function("__jvp_batch", "", &params, &self.output(), &constants, &body);
        super::glue::hidden(&uniform)
    }

    /// Whether a trait object may be changed, of which no copy can be made.
    fn writes_object(&self) -> bool {
        let is_object =
            |named: &Named| named.param.is_unique() && super::glue::has_object(&named.param.ty);
        self.inner.params.iter().any(is_object)
    }

    /// Whether one `jvp` can run for each lane, whatever the types of the arguments.
    fn is_open(&self) -> bool {
        self.clause().is_empty() && !self.writes_object()
    }

    /// Whether it is there for arguments of any type: where it has a body, all callees' must be.
    fn is_there(&self, native: &Option<Native>) -> TokenStream {
        let Some((function, lanes)) = native else {
            let is_open = self.is_open();
            return quote!(#is_open);
        };
        let mut callees = TokenStream::new();
        function.body.walk(&mut |inst, _| {
            if let Op::CallJvp(call) = &inst.op
                && lanes::has_lanes(lanes, function, inst)
                && let Callee::Path(path) | Callee::Stopped(path) = &call.callee
            {
                let callee = crate::emit::companion_path(&bare(path), "__IS_BATCHED", true);
                callees.extend(quote!(&& #callee));
            }
        });
        quote!(true #callees)
    }

    /// Each parameter wanted is followed by an array of tangents.
    fn params(&self, is_wanted: fn(&Named) -> bool) -> Vec<Param> {
        component::laned_params(&component::laned(
            self.inner.plain_components(is_wanted),
            self.count,
        ))
    }

    fn output(&self) -> TokenStream {
        let (output, tangent, count) =
            (self.inner.output(), self.inner.output_tangent(), &self.count);
        quote!((#output, [#tangent; #count]))
    }

    /// What is asked of parameters that one `jvp` for each lane needs again.
    fn clause(&self) -> TokenStream {
        let kept = self.inner.kept_clause(|_| true);
        let places = self.inner.params.iter().filter_map(|named| match &named.param.kind {
            Type::Reference(inner, true) if **inner == Type::Unknown => {
                named.param.reference().map(|(ty, _)| ty)
            }
            Type::Reference(inner, true) => match (&**inner, named.param.reference()?.0) {
                (Type::Slice(item), syn::Type::Slice(slice)) if **item == Type::Unknown => {
                    Some(&*slice.elem)
                }
                _ => None,
            },
            _ => None,
        });
        let any = crate::binding::lifetime("kept");
        quote!(#kept #(for<#any> #places: ::cotangent::__private::Kept<#any>,)*)
    }

    /// One `jvp` for each lane. What one changes is as it was for the next.
    fn each(&self) -> TokenStream {
        let (jvp, turbofish, lane) =
            (self.inner.derivative("jvp"), self.inner.turbofish(), local("lane"));
        let (mut kept, mut restored, mut args) =
            (TokenStream::new(), TokenStream::new(), Vec::new());
        for named in &self.inner.params {
            args.push(super::wrappers::again(named));
            if named.param.is_unique() {
                let own = local(&format!("{}_kept", named.bar));
                let (copy, back) = copied(named, &own);
                kept.extend(quote!(let #own = #copy;));
                restored.extend(back);
            }
            let dot = &named.dot;
            args.extend(is_active(named).then(|| match named.param.reference() {
                Some((_, true)) => quote!(&mut *#dot[#lane]),
                Some((_, false)) => quote!(#dot[#lane]),
                None => quote!(::core::clone::Clone::clone(&#dot[#lane])),
            }));
        }
        quote! {
            #kept
            ::cotangent::__private::one_by_one(|#lane| {
                #restored
                Self::#jvp #turbofish(#(#args),*)
            })
        }
    }
}

/// A copy of a place behind `&mut`, and what puts it back.
fn copied(named: &Named, own: &Ident) -> (TokenStream, TokenStream) {
    let (name, kept) = (&named.param.name, quote!(::cotangent::__private::Kept::kept));
    let [place, copy] = ["place", "kept"].map(local);
    match named.is_slice() {
        true => (
            quote!(::core::iter::Iterator::collect::<::cotangent::__private::Vec<_>>(
                ::core::iter::Iterator::map(#name.iter(), #kept)
            )),
            quote!(for (#place, #copy) in ::core::iter::Iterator::zip(#name.iter_mut(), &#own) { *#place = #kept(#copy); }),
        ),
        false => (quote!(#kept(&*#name)), quote!(*#name = #kept(&#own);)),
    }
}

/// A path without generic arguments.
fn bare(path: &syn::ExprPath) -> syn::ExprPath {
    let mut path = path.clone();
    if let Some(last) = path.path.segments.last_mut() {
        last.arguments = syn::PathArguments::None;
    }
    path
}
