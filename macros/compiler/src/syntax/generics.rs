//! What a function's head says of its type parameters, and what derivatives ask of them.
//!
//! In: the generics of a function, and of the `impl` around it. Out: which parameters stand for floats, and
//! the bounds that the companion's functions add. `impl Trait` in a parameter becomes a type parameter with
//! a name, so that derivatives can speak of it.

use crate::ir::{FloatKind, Type};
use crate::syntax::sequence::{Sequence, of_parameter};
use crate::syntax::signature::{plain, value_and_error};
use crate::syntax::types::{Floats, object_of, read};
use crate::syntax::walk::{Node, Tree};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{GenericParam, Generics, Ident, TypeParamBound, WherePredicate};

/// Traits whose types have arithmetic: a type parameter with one of them stands for a float. `Real` and
/// `Signed` are not among them, since their methods have the names of those of `Float`.
const ARITHMETIC: [&str; 19] = [
    "Float",
    "FloatConst",
    "Num",
    "NumAssign",
    "NumAssignOps",
    "NumAssignRef",
    "NumOps",
    "NumRef",
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Rem",
    "Neg",
    "AddAssign",
    "SubAssign",
    "MulAssign",
    "DivAssign",
    "RemAssign",
];

/// Traits of types that stand for sizes: of `nalgebra`, and for numbers of axes of `ndarray`. A type parameter with one of
/// them has no values that could be differentiated, though the type of a matrix names it.
const SIZES: [&str; 10] = [
    "Dim",
    "DimAdd",
    "DimMax",
    "DimMin",
    "DimMul",
    "DimName",
    "DimNameSub",
    "DimSub",
    "Dimension",
    "RemoveAxis",
];

/// Traits of comparisons. Whose operator a type parameter brings, only its instances say: derivatives ask of them that it
/// is the standard library's, so that one with effects of its own is refused where the derivative is called.
const COMPARISONS: [&str; 4] = ["Eq", "Ord", "PartialEq", "PartialOrd"];

/// The type parameters that stand for floats.
pub fn floats<'g>(all: impl IntoIterator<Item = &'g Generics>) -> Floats {
    let all: Vec<&Generics> = all.into_iter().collect();
    let names = all.iter().flat_map(|generics| generics.type_params()).map(|param| &param.ident);
    let is_float = |name: &&Ident| {
        all.iter().flat_map(|generics| bounds(generics, name)).any(|bound| is_arithmetic(&bound))
    };
    Floats(names.filter(is_float).map(ToString::to_string).collect())
}

/// The float into which a type parameter can be converted, as a bound `T: Into<f64>` or `f64: From<T>` says.
pub fn converted(all: &[&Generics], name: &Ident) -> Option<syn::Type> {
    let own = all.iter().flat_map(|generics| bounds(generics, name));
    let into = own.filter_map(|bound| argument_of(&bound, "Into"));
    let clauses = all.iter().filter_map(|generics| generics.where_clause.as_ref());
    let from = clauses.flat_map(|clause| &clause.predicates).filter_map(|predicate| {
        let WherePredicate::Type(predicate) = predicate else { return None };
        let mut sources = predicate.bounds.iter().filter_map(|bound| argument_of(bound, "From"));
        sources.any(|ty| is_name(&ty, name)).then(|| predicate.bounded_ty.clone())
    });
    into.chain(from).find(|ty| matches!(read(ty), Type::Float(FloatKind::F32 | FloatKind::F64)))
}

/// Traits that say nothing of numbers in a type, with the modules of `core` that they stand in.
const SILENT: [(&str, &str); 11] = [
    ("Clone", "clone"),
    ("Copy", "marker"),
    ("Debug", "fmt"),
    ("Display", "fmt"),
    ("Eq", "cmp"),
    ("Hash", "hash"),
    ("Ord", "cmp"),
    ("PartialEq", "cmp"),
    ("PartialOrd", "cmp"),
    ("Send", "marker"),
    ("Sync", "marker"),
];

/// Traits that give text where their argument is a type of texts, likewise.
const CONVERSIONS: [(&str, &str); 3] =
    [("AsRef", "convert"), ("Borrow", "borrow"), ("Into", "convert")];

/// Whether a type parameter stands for text alone, as its bounds say: `S: AsRef<str>`, `S: Into<String> + Clone`. That these
/// are the standard library's is a bound of derivatives.
pub fn is_text(all: &[&Generics], name: &Ident) -> bool {
    let own: Vec<_> = all.iter().flat_map(|generics| bounds(generics, name)).collect();
    let is_silent = |bound: &TypeParamBound| {
        !matches!(bound, TypeParamBound::Trait(_)) || standard(bound, &SILENT).is_some()
    };
    own.iter().any(gives_text) && own.iter().all(|bound| gives_text(bound) || is_silent(bound))
}

fn gives_text(bound: &TypeParamBound) -> bool {
    let is_text = |ty: syn::Type| match ty {
        syn::Type::Path(path) => {
            ["str", "String", "Path", "OsStr", "CStr"].iter().any(|text| path.path.is_ident(text))
        }
        _ => false,
    };
    CONVERSIONS.iter().any(|(of, _)| argument_of(bound, of).is_some_and(is_text))
}

/// A bound by one of some traits, with the path that means the standard library's.
fn standard(bound: &TypeParamBound, traits: &[(&str, &str)]) -> Option<TokenStream> {
    let TypeParamBound::Trait(bound) = bound else { return None };
    let last = bound.path.segments.last()?;
    let (_, module) = traits.iter().find(|(name, _)| last.ident == name)?;
    let module = Ident::new(module, last.ident.span());
    Some(quote!(::core::#module::#last))
}

/// What a constant parameter is taken for by the names in its bounds, as bounds that say so.
fn assumed(all: &[&Generics], name: &Ident) -> TokenStream {
    if let Some(Sequence { item, .. }) = of_parameter(name, all) {
        return quote!(#name: ::core::iter::IntoIterator<Item = #item>,);
    }
    if !is_text(all, name) {
        return TokenStream::new();
    }
    let own = all.iter().flat_map(|generics| bounds(generics, name));
    let proven = own
        .filter_map(|bound| standard(&bound, &CONVERSIONS).or_else(|| standard(&bound, &SILENT)));
    quote!(#(#name: #proven,)*)
}

/// The type argument of a trait with one.
fn argument_of(bound: &TypeParamBound, name: &str) -> Option<syn::Type> {
    let TypeParamBound::Trait(bound) = bound else { return None };
    let last = bound.path.segments.last().filter(|last| last.ident == name)?;
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first()? {
        syn::GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    }
}

/// The bounds of a type parameter, wherever they are written.
pub fn bounds(generics: &Generics, name: &Ident) -> Vec<TypeParamBound> {
    let own = generics.type_params().filter(|param| param.ident == *name);
    let own = own.flat_map(|param| param.bounds.iter().cloned());
    let clause = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let written = clause.filter_map(|predicate| match predicate {
        WherePredicate::Type(predicate) if is_name(&predicate.bounded_ty, name) => {
            Some(predicate.bounds.iter().cloned())
        }
        _ => None,
    });
    own.chain(written.flatten()).collect()
}

/// Whether a type is a parameter of this name.
pub fn is_name(ty: &syn::Type, name: &Ident) -> bool {
    matches!(plain(ty), syn::Type::Path(path) if path.path.is_ident(name))
}

/// Whether a parameter stands for a size: so do types that are named by way of it.
fn stands_for_size(generics: &[&Generics], name: &Ident) -> bool {
    generics.iter().flat_map(|generics| bounds(generics, name)).any(|bound| is_size(&bound))
}

fn is_arithmetic(bound: &TypeParamBound) -> bool {
    is_among(bound, &ARITHMETIC)
}

fn is_size(bound: &TypeParamBound) -> bool {
    is_among(bound, &SIZES)
}

/// Whether a bound is one of these traits, by its name.
fn is_among(bound: &TypeParamBound, traits: &[&str]) -> bool {
    let TypeParamBound::Trait(bound) = bound else { return false };
    let name = bound.path.segments.last().map(|last| last.ident.to_string());
    name.is_some_and(|name| traits.contains(&name.as_str()))
}

/// What derivatives ask: of a float all that a float has, of a size nothing, of other types that occur in what is
/// differentiated that they have a tangent.
pub fn clause<'t>(
    generics: &[&Generics],
    floats: &Floats,
    differentiated: impl IntoIterator<Item = &'t syn::Type>,
) -> TokenStream {
    let mut mentions = Mentions { generics, ..Mentions::default() };
    for ty in differentiated {
        match object_of(behind(ty)) {
            Some(object) => mentions.objects.push(object.clone()),
            None => mentions.add(ty),
        }
    }
    let Mentions { names, projections, objects, held, .. } = mentions;
    let objects = objects.iter().map(
        |object| quote_spanned!(object.span()=> #object: ::cotangent::__private::TraitObject,),
    );
    let held = held
        .iter()
        .map(|object| quote_spanned!(object.span()=> #object: ::cotangent::__private::HeldObject,));
    let params = generics.iter().flat_map(|generics| generics.type_params());
    let bounds = params.map(|param| {
        let name = &param.ident;
        if floats.0.iter().any(|float| name == float) {
            return quote!(#name: ::cotangent::Float,);
        }
        let is_asked = names.contains(name) && !stands_for_size(generics, name);
        let compares = || {
            let mut bounds = generics.iter().flat_map(|generics| bounds(generics, name));
            bounds.any(|bound| is_among(&bound, &COMPARISONS))
        };
        let comparable = compares().then(|| quote!(+ ::cotangent::__private::Comparable));
        // Numbers alone are converted into floats.
        let number = converted(generics, name).map(
            |float| quote!(+ ::core::marker::Copy + ::cotangent::__private::rules::cast<#float>),
        );
        let elements = of_parameter(name, generics).map(|sequence| {
            let item = sequence.item;
            quote!(+ ::cotangent::__private::Elements + ::core::iter::IntoIterator<Item = #item>)
        });
        match is_asked {
            true => quote!(#name: ::cotangent::Differentiable #comparable #number #elements,),
            false => assumed(generics, name),
        }
    });
    quote!(#(#objects)* #(#held)* #(#bounds)* #(#projections: ::cotangent::Differentiable,)*)
}

/// What a parameter refers to.
fn behind(ty: &syn::Type) -> &syn::Type {
    match plain(ty) {
        syn::Type::Reference(reference) => plain(&reference.elem),
        ty => ty,
    }
}

/// The type parameters in types, the types that are named by way of them, `T::Output`, the objects of traits, and
/// those of them that other types hold.
#[derive(Default)]
struct Mentions<'g> {
    generics: &'g [&'g Generics],
    names: Vec<Ident>,
    projections: Vec<syn::Type>,
    objects: Vec<syn::TypeTraitObject>,
    held: Vec<syn::TypeTraitObject>,
}

impl Mentions<'_> {
    fn is_parameter(&self, name: &Ident) -> bool {
        let mut params = self.generics.iter().flat_map(|generics| generics.type_params());
        params.any(|param| param.ident == *name)
    }

    fn add(&mut self, ty: &syn::Type) {
        ty.walk(&mut |node| match node {
            Node::Type(ty) => self.enters(ty),
            _ => true,
        });
    }

    // The head states the bounds of a trait object once, so that the first error names the trait without derivatives.
    fn enters(&mut self, ty: &syn::Type) -> bool {
        self.held.extend(object_of(ty).cloned());
        let syn::Type::Path(path) = ty else { return true };
        // Nothing is asked of errors, which are constants.
        if let Some((value, _)) = value_and_error(path) {
            self.add(value);
            return false;
        }
        let first = path.path.segments.first().map(|first| &first.ident);
        let first = first.filter(|_| path.qself.is_none() && path.path.leading_colon.is_none());
        match first.filter(|first| self.is_parameter(first)) {
            Some(name) if path.path.segments.len() == 1 => self.names.push(name.clone()),
            Some(name) if stands_for_size(self.generics, name) => {}
            Some(_) => self.projections.push(ty.clone()),
            None if path.qself.is_some() => self.projections.push(ty.clone()),
            None => return true,
        }
        false
    }
}

/// Gives each `impl Trait` in the parameters a name, and each lifetime that is left out between angle brackets: what
/// bounds and types of derivatives say of a type has to name them. Returned are the names of the types.
pub fn name_anonymous(signature: &mut syn::Signature) -> Vec<Ident> {
    let mut namer = Namer::default();
    signature.inputs.iter_mut().for_each(|input| namer.visit_fn_arg_mut(input));
    let names = namer.types.iter().map(|param| param.ident.clone()).collect();
    let params = &mut signature.generics.params;
    let lifetimes = namer.lifetimes.into_iter().map(GenericParam::Lifetime);
    *params = lifetimes.chain(std::mem::take(params)).collect();
    params.extend(namer.types.into_iter().map(GenericParam::Type));
    names
}

#[derive(Default)]
struct Namer {
    types: Vec<syn::TypeParam>,
    lifetimes: Vec<syn::LifetimeParam>,
    is_in_brackets: bool,
}

impl Namer {
    fn lifetime(&mut self) -> syn::Lifetime {
        let name = crate::binding::lifetime(&format!("inner{}", self.lifetimes.len()));
        self.lifetimes.push(syn::LifetimeParam::new(name.clone()));
        name
    }

    fn within(&mut self, is_in_brackets: bool, visit: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.is_in_brackets, is_in_brackets);
        visit(self);
        self.is_in_brackets = outer;
    }
}

impl VisitMut for Namer {
    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        visit_mut::visit_type_mut(self, ty);
        let syn::Type::ImplTrait(anonymous) = ty else { return };
        let name = crate::binding::local(&format!("Impl{}", self.types.len()));
        // What a type in this place captures, rustc refuses where it stands.
        let is_bound =
            |bound: &&syn::TypeParamBound| !matches!(bound, syn::TypeParamBound::PreciseCapture(_));
        let bounds = anonymous.bounds.iter().filter(is_bound);
        self.types.push(syn::parse_quote!(#name: #(#bounds)+*));
        *ty = syn::parse_quote!(#name);
    }

    fn visit_angle_bracketed_generic_arguments_mut(
        &mut self,
        arguments: &mut syn::AngleBracketedGenericArguments,
    ) {
        self.within(true, |namer| {
            visit_mut::visit_angle_bracketed_generic_arguments_mut(namer, arguments);
        });
    }

    // A lifetime that is left out there is any lifetime.
    fn visit_parenthesized_generic_arguments_mut(
        &mut self,
        _: &mut syn::ParenthesizedGenericArguments,
    ) {
    }

    fn visit_type_fn_ptr_mut(&mut self, _: &mut syn::TypeFnPtr) {}

    fn visit_type_param_bound_mut(&mut self, bound: &mut syn::TypeParamBound) {
        self.within(false, |namer| visit_mut::visit_type_param_bound_mut(namer, bound));
    }

    fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
        visit_mut::visit_type_reference_mut(self, reference);
        if self.is_in_brackets && reference.lifetime.is_none() {
            reference.lifetime = Some(self.lifetime());
        }
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
        if self.is_in_brackets && lifetime.ident == "_" {
            *lifetime = self.lifetime();
        }
    }
}
