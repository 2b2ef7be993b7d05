//! Parameters of derivatives of a higher order.
//!
//! In: the parameters of a derivative, each with its tangent if it has one. Out: those of what the forward transform
//! makes of it, in that transform's order: each time, every parameter that has a tangent is followed by it. A
//! tangent's own tangent is of the same type.

use super::head::{Head, Named, Param, fresh};
use crate::binding::local_at;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

/// A parameter of a derivative.
#[derive(Clone)]
pub struct Component {
    pub name: Ident,
    pub ty: TokenStream,
    /// The name and the type of its tangent.
    pub tangent: Option<(Ident, TokenStream)>,
    /// Of a slice behind a reference: the place that it belongs to, and whether the reference is `&mut`.
    slice: Option<(Ident, bool)>,
}

impl Component {
    /// A parameter that is no slice.
    fn plain(name: &Ident, ty: TokenStream, tangent: Option<(Ident, TokenStream)>) -> Self {
        Component { name: name.clone(), ty, tangent, slice: None }
    }

    /// The parameter as it stands in a signature.
    pub fn param(&self) -> Param {
        (self.name.clone(), self.ty.clone())
    }

    fn dot(&self, taken: &mut Vec<String>) -> Option<Self> {
        let (wanted, ty) = self.tangent.clone()?;
        let name = fresh(&wanted.to_string(), wanted.span(), taken);
        let next = local_at(&format!("{}_dot", bare(&name)), name.span());
        let tangent = Some((next, ty.clone()));
        Some(Component { name, ty, tangent, slice: self.slice.clone() })
    }
}

pub fn bare(name: &Ident) -> String {
    name.to_string().trim_start_matches("r#").to_owned()
}

/// As many times the forward transform.
pub fn raised(components: Vec<Component>, times: usize) -> Vec<Component> {
    let mut taken: Vec<String> = components.iter().map(|one| one.name.to_string()).collect();
    (0..times).fold(components, |components, _| {
        let mut both = Vec::new();
        for component in components {
            let dot = component.dot(&mut taken);
            both.push(component);
            both.extend(dot);
        }
        both
    })
}

/// A parameter of a derivative that carries several tangents at once.
pub struct Laned {
    pub component: Component,
    /// Whether it is an array of tangents.
    pub is_array: bool,
    /// Whether it is one of references.
    is_lent: bool,
}

/// What one forward transform makes of parameters that carries several tangents.
pub fn laned(components: Vec<Component>, count: &Ident) -> Vec<Laned> {
    let is_followed: Vec<bool> =
        components.iter().map(|component| component.tangent.is_some()).collect();
    let mut all = raised(components, 1).into_iter();
    let mut laned = Vec::new();
    for is_followed in is_followed {
        laned.extend(all.next().map(|component| Laned {
            component,
            is_array: false,
            is_lent: false,
        }));
        laned.extend(is_followed.then(|| all.next()).flatten().map(|component| {
            let ty = &component.ty;
            let is_lent = syn::parse2::<syn::TypeReference>(ty.clone()).is_ok();
            let ty = quote!([#ty; #count]);
            Laned { component: Component { ty, ..component }, is_array: true, is_lent }
        }));
    }
    laned
}

/// Such parameters as they stand in a signature.
pub fn laned_params(laned: &[Laned]) -> Vec<Param> {
    laned.iter().map(|one| one.component.param()).collect()
}

/// What a function with such parameters begins with: tangents of slices are as long as these, and references in
/// arrays can be passed on.
pub fn opened(laned: &[Laned]) -> TokenStream {
    let arrays = laned.iter().filter(|one| one.is_lent).map(|one| {
        let name = &one.component.name;
        match &one.component.slice {
            Some((place, is_mutable)) => {
                let mutable = is_mutable.then(|| quote!(mut));
                quote!(let mut #name = #name.map(|#name| &#mutable #name[..#place.len()]);)
            }
            None => quote!(let mut #name = #name;),
        }
    });
    let plain = laned.iter().filter(|one| !one.is_array).map(|one| &one.component);
    let (plain, arrays) = (alignment(plain), arrays.collect::<TokenStream>());
    quote!(#plain #arrays)
}

/// What shows rustc that tangents and shadows of slices are as long as these.
pub fn alignment<'c>(components: impl IntoIterator<Item = &'c Component>) -> TokenStream {
    let aligned = components.into_iter().filter_map(|component| {
        let (name, value) = (&component.name, component.aligned()?);
        Some(quote!(let #name = #value;))
    });
    aligned.collect()
}

impl Component {
    /// As much of it as the slice has that it is the tangent or the shadow of.
    fn aligned(&self) -> Option<TokenStream> {
        let (place, is_mutable) = self.slice.as_ref()?;
        let (name, mutable) = (&self.name, is_mutable.then(|| quote!(mut)));
        (self.name != *place).then(|| quote!(&#mutable #name[..#place.len()]))
    }
}

impl Named<'_> {
    /// The parameter and its tangent, under the names of a function or of a pullback.
    fn component(&self, name: &Ident, ty: TokenStream, is_active: bool) -> Component {
        let tangent = is_active.then(|| (self.dot.clone(), self.tangent_type()));
        let is_mutable = self.param.is_unique();
        let slice = (self.is_slice() && is_active).then(|| (name.clone(), is_mutable));
        Component { slice, ..Component::plain(name, ty, tangent) }
    }

    /// The shadow of a reference, and its tangent.
    fn shadow(&self, place: &Ident) -> Option<Component> {
        let ty = self.shadow_type()?;
        let dot = local_at(&format!("{}_dot", self.bar), self.bar.span());
        let slice = self.is_slice().then(|| (place.clone(), true));
        Some(Component { slice, ..Component::plain(&self.bar, ty.clone(), Some((dot, ty))) })
    }
}

impl Head<'_> {
    /// The user's parameters; those wanted have tangents.
    pub fn plain_components(&self, is_active: fn(&Named) -> bool) -> Vec<Component> {
        let each = self.params.iter().map(|named| {
            let ty = named.param.ty.to_token_stream();
            named.component(&named.param.name, ty, is_active(named))
        });
        each.collect()
    }

    /// A shadow follows each active reference.
    pub fn accumulate_components(&self) -> Vec<Component> {
        let mut components = Vec::new();
        for named in &self.params {
            let (name, ty) = (&named.param.name, named.param.ty.to_token_stream());
            components.push(named.component(name, ty, named.param.active));
            components.extend(named.shadow(name).filter(|_| named.param.active));
        }
        components
    }

    /// References, those wanted with their shadows and tangents, then the result's cotangent.
    pub fn pullback_components(&self, is_active: fn(&Named) -> bool) -> Vec<Component> {
        let mut components = Vec::new();
        for named in &self.params {
            let Some(shadow) = named.shadow(&named.again) else { continue };
            let ty = super::head::unbound(&named.param.ty);
            components.push(named.component(&named.again, ty, is_active(named)));
            components.extend(Some(shadow).filter(|_| is_active(named)));
        }
        let (seed, ty) = (&self.seed_name, self.output_tangent());
        let dot = local_at(&format!("{seed}_dot"), seed.span());
        components.push(Component::plain(seed, ty.clone(), Some((dot, ty))));
        components
    }

    /// A consumed `self` as a pullback is given it: by reference, with a shadow.
    pub fn consumed_components(&self, named: &Named) -> Vec<Component> {
        let (tangent, span) = (named.owned_tangent(), named.bar.span());
        let dotted = |name: &Ident| local_at(&format!("{name}_dot"), span);
        let place = Some((dotted(&named.again), quote!(&#tangent)));
        let shadow = Some((dotted(&named.bar), quote!(&mut #tangent)));
        vec![
            Component::plain(&named.again, quote!(&Self), place),
            Component::plain(&named.bar, quote!(&mut #tangent), shadow),
        ]
    }

    /// The result and its tangents: as many types as there are components.
    pub fn outputs(&self, times: usize) -> Vec<TokenStream> {
        let tangents = (1..times).map(|_| self.output_tangent());
        std::iter::once(self.output()).chain(tangents).collect()
    }
}

/// Types or names of a signature.
pub fn params(components: &[Component]) -> Vec<Param> {
    components.iter().map(Component::param).collect()
}
