//! The type that is derived for, and its tangent type, as all impls see them.

use crate::binding::local_at;
use crate::derive::bounds::{bounded_types, path, with_bound};
use crate::derive::check::is_constant;
use crate::derive::checked;
use crate::derive::spell::{
    bound_type, constant_tangent, mentions, name_self, no_tangent, tangent_type,
};
use crate::derive::standard::leaf_types;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

/// A struct or an enum.
pub struct Subject {
    pub visibility: syn::Visibility,
    pub name: Ident,
    pub tangent: Ident,
    /// The type's generics, with `Differentiable` on what its fields need.
    pub generics: syn::Generics,
    /// The generic types that have that bound.
    pub bounded: Vec<syn::Type>,
    /// One without a name for a struct.
    pub variants: Vec<Variant>,
    /// The additional variant of an enum's tangent type.
    pub zero: Option<Ident>,
    /// The names by which impls know types of fields, with these.
    pub aliases: Vec<(Ident, syn::Type)>,
}

/// Whose impl it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Primal,
    Tangent,
}

/// A variant, or all of a struct.
pub struct Variant {
    pub name: Option<Ident>,
    pub form: Form,
    pub fields: Vec<Field>,
}

/// How the fields of a variant are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Named,
    Tuple,
    Unit,
}

/// A field, and the place it has among the fields of its variant.
pub struct Field {
    pub number: usize,
    pub visibility: syn::Visibility,
    pub member: syn::Member,
    pub ty: syn::Type,
    /// The tangent's type, as it is written in the definition.
    pub tangent: syn::Type,
    /// The tangent's type, as it is written in bounds.
    pub bound: syn::Type,
    /// The name by which impls know its type, where a missing derive is told by way of one.
    pub alias: Option<Ident>,
    /// Whether `#[differentiable(constant)]` stands on it: nothing is asked of its type.
    pub is_constant: bool,
}

impl Subject {
    /// Reads an item that [`check`](super::check) found nothing wrong with.
    pub fn read(mut input: syn::DeriveInput) -> Self {
        name_self(&mut input);
        let mut variants = read_variants(&input.data, &input.generics);
        let aliases = checked::name(&mut variants, &input.ident, &input.generics);
        let fields = variants.iter().flat_map(|variant| &variant.fields);
        let active = fields.filter(|field| !field.is_constant).map(|field| &field.ty);
        let bounded = bounded_types(active, &input.generics);
        let differentiable = path(quote!(::cotangent::Differentiable));
        Subject {
            visibility: input.vis,
            tangent: format_ident!("{}Tangent", input.ident, span = input.ident.span()),
            name: input.ident,
            generics: with_bound(&input.generics, bounded.iter().cloned(), &differentiable),
            bounded,
            zero: matches!(input.data, syn::Data::Enum(_)).then(|| zero_name(&variants)),
            variants,
            aliases,
        }
    }

    /// The fields of all variants.
    pub fn fields(&self) -> impl Iterator<Item = &Field> {
        self.variants.iter().flat_map(|variant| &variant.fields)
    }

    /// An impl of a trait for the type itself.
    pub fn impl_for_primal(
        &self,
        generics: &syn::Generics,
        trait_path: &TokenStream,
        body: &TokenStream,
    ) -> TokenStream {
        implement(generics, trait_path, &self.name, body)
    }

    /// An impl of a trait for the tangent type, which holds under further bounds.
    pub fn impl_for_tangent(
        &self,
        generics: &syn::Generics,
        trait_path: &TokenStream,
        body: &TokenStream,
    ) -> TokenStream {
        implement(generics, trait_path, &self.tangent, body)
    }

    /// The generics with a bound on the tangent of each generic type.
    pub fn bounded_by(&self, bound: &TokenStream) -> syn::Generics {
        let tangent = |ty: &syn::Type| -> syn::Type {
            syn::parse_quote!(<#ty as ::cotangent::Differentiable>::Tangent)
        };
        with_bound(&self.generics, self.bounded.iter().map(tangent), &path(bound))
    }

    /// The variant that only an enum's tangents have, as an expression.
    pub fn zero_value(&self) -> TokenStream {
        let zero = self.zero.as_ref();
        zero.map(|zero| quote!(Self::#zero)).into_token_stream()
    }

    /// The arm for the variant that only tangents have.
    pub fn zero_arm(
        &self,
        pattern: impl Fn(&Ident) -> TokenStream,
        body: &TokenStream,
    ) -> TokenStream {
        let arm = self.zero.as_ref().map(|zero| {
            let pattern = pattern(zero);
            quote!(#pattern => #body,)
        });
        arm.into_token_stream()
    }

    /// The arm for two values of different variants, where there can be such.
    pub fn other_arm(&self, body: &TokenStream) -> TokenStream {
        if self.variants.len() > 1 { quote!(_ => #body,) } else { TokenStream::new() }
    }
}

impl Variant {
    /// The head of a pattern or an expression: the type, and the variant's name if it has one.
    fn head(&self, ty: &TokenStream) -> TokenStream {
        self.name.as_ref().map_or_else(|| ty.clone(), |name| quote!(#ty::#name))
    }

    /// A pattern that binds each field to its variable with this prefix.
    pub fn pattern(&self, ty: &TokenStream, prefix: &str) -> TokenStream {
        self.build(ty, |field| field.variable(prefix).into_token_stream())
    }

    /// A pattern of a reference to the variant. It says that it borrows, for a type that may stand for an error.
    pub fn borrowed(&self, ty: &TokenStream, prefix: &str, is_mutable: bool) -> TokenStream {
        let mutable = is_mutable.then(|| quote!(mut));
        let parts = self.build(ty, |field| {
            let variable = field.variable(prefix);
            quote!(ref #mutable #variable)
        });
        quote!(& #mutable #parts)
    }

    /// An expression, or a pattern, with what `content` makes of each field. Braces and members serve
    /// for variants of all forms.
    pub fn build(&self, ty: &TokenStream, content: impl Fn(&Field) -> TokenStream) -> TokenStream {
        let head = self.head(ty);
        let fields = self.fields.iter().map(|field| {
            let (member, content) = (&field.member, content(field));
            quote!(#member: #content)
        });
        quote!(#head { #(#fields),* })
    }

    /// Emits `content` for each field.
    pub fn each(&self, content: impl Fn(&Field) -> TokenStream) -> TokenStream {
        self.fields.iter().map(content).collect()
    }

    /// The fields that are not constant.
    pub fn active_fields(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| !field.is_constant)
    }

    /// Emits `content` for each field that is not constant.
    pub fn each_active(&self, content: impl Fn(&Field) -> TokenStream) -> TokenStream {
        self.active_fields().map(content).collect()
    }
}

impl Field {
    /// Where an error about this field belongs: at its type.
    pub fn span(&self) -> Span {
        self.ty.span().resolved_at(Span::mixed_site())
    }

    /// The trait as it is called on the field: by way of its alias, which may stand for an error.
    pub fn differentiable(&self, side: Side) -> TokenStream {
        match (&self.alias, side) {
            (Some(alias), Side::Primal) => {
                quote_spanned!(self.span()=> <#alias as ::cotangent::Differentiable>)
            }
            _ => quote_spanned!(self.span()=> ::cotangent::Differentiable),
        }
    }

    /// Whether it makes its struct one without a size, as far as syntax shows it.
    pub fn may_be_unsized(&self) -> bool {
        let is_text = matches!(&self.ty, syn::Type::Path(path) if path.path.is_ident("str"));
        is_text || matches!(self.ty, syn::Type::Slice(_) | syn::Type::TraitObject(_))
    }

    /// Whether a name occurs in the field's type.
    pub fn mentions(&self, name: &Ident) -> bool {
        mentions(&self.ty.to_token_stream(), name)
    }

    /// Whether there may be cells in the field that are not in another one: a type that holds itself does so in
    /// a box, or behind a cell.
    pub fn may_hold_cells(&self, owner: &Ident) -> bool {
        !leaf_types(&self.bound).is_empty()
            && (!self.mentions(owner) || crate::syntax::types::shared(&self.ty).is_some())
    }

    /// The variable of this field in a pattern.
    pub fn variable(&self, prefix: &str) -> Ident {
        local_at(&format!("{prefix}_{}", self.number), self.span())
    }
}

fn implement(
    generics: &syn::Generics,
    trait_path: &TokenStream,
    name: &Ident,
    body: &TokenStream,
) -> TokenStream {
    let (parameters, arguments, clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        #[allow(deprecated, unused_variables, unused_lifetimes, unused_qualifications, clippy::all)]
        impl #parameters #trait_path for #name #arguments #clause {
            #body
        }
    }
}

fn read_variants(data: &syn::Data, generics: &syn::Generics) -> Vec<Variant> {
    match data {
        syn::Data::Struct(data) => vec![read_variant(None, &data.fields, generics)],
        syn::Data::Enum(data) => {
            let read = |variant: &syn::Variant| {
                read_variant(Some(variant.ident.clone()), &variant.fields, generics)
            };
            data.variants.iter().map(read).collect()
        }
        syn::Data::Union(_) => Vec::new(),
    }
}

fn read_variant(name: Option<Ident>, fields: &syn::Fields, generics: &syn::Generics) -> Variant {
    let form = match fields {
        syn::Fields::Named(_) => Form::Named,
        syn::Fields::Unnamed(_) => Form::Tuple,
        syn::Fields::Unit => Form::Unit,
    };
    let members = fields.iter().zip(fields.members()).enumerate();
    let read = |(number, (field, member))| read_field(number, field, member, generics);
    Variant { name, form, fields: members.map(read).collect() }
}

fn read_field(
    number: usize,
    field: &syn::Field,
    member: syn::Member,
    generics: &syn::Generics,
) -> Field {
    let is_constant = is_constant(field);
    let (tangent, bound) = match is_constant {
        true => (constant_tangent(&field.ty, generics), no_tangent()),
        false => {
            let tangent = tangent_type(&field.ty, generics);
            let bound = bound_type(&field.ty, &tangent);
            (tangent, bound)
        }
    };
    let (visibility, ty) = (field.vis.clone(), field.ty.clone());
    Field { number, visibility, member, ty, tangent, bound, alias: None, is_constant }
}

/// `Zero`, or what no variant is called yet.
fn zero_name(variants: &[Variant]) -> Ident {
    let mut name = String::from("Zero");
    while variants.iter().any(|variant| variant.name.as_ref().is_some_and(|taken| *taken == name)) {
        name.push_str("Tangent");
    }
    Ident::new(&name, Span::call_site())
}
