//! The arguments of `#[differentiate(..)]`.
//!
//! In: the attribute's tokens. Out: [`Arguments`]; errors of form are reported with darling's spans.

use crate::diag::{self, Reports};
use crate::signature::Parameter;
use darling::ast::NestedMeta;
use darling::util::{Flag, PathList};
use darling::{Error, FromMeta};
use proc_macro2::{Ident, Span, TokenStream};

/// What a user may write in the attribute.
#[derive(Clone, Default, FromMeta)]
#[darling(default)]
pub struct Arguments {
    /// Parameters that are not differentiated by.
    constant: PathList,
    /// The only parameters that are.
    wrt: PathList,
    /// Only the forward mode.
    forward: Flag,
    /// Only the reverse mode.
    reverse: Flag,
    /// Functions that are called may write cells behind `&`.
    shared: Flag,
    /// The function calls itself by way of others.
    recursive: Flag,
    /// The trait's objects are differentiated through, too.
    #[darling(rename = "dyn")]
    object: Flag,
    /// A function of a block that gets no derivatives.
    skip: Flag,
    /// Another name for the companion.
    companion: Option<Ident>,
}

impl Arguments {
    /// Parses and reports.
    pub fn parse(tokens: TokenStream, reports: &mut Reports) -> Self {
        let parsed = NestedMeta::parse_meta_list(tokens)
            .map_err(Error::from)
            .and_then(|list| Self::from_list(&list));
        parsed.unwrap_or_else(|error| {
            for error in error.flatten() {
                reports.report(error.span(), &diag::ATTRIBUTE, &bare_message(&error));
            }
            Self::default()
        })
    }

    pub fn emits_forward(&self) -> bool {
        self.forward.is_present() || !self.reverse.is_present()
    }

    pub fn emits_reverse(&self) -> bool {
        self.reverse.is_present() || !self.forward.is_present()
    }

    /// Whether parameters hold cells that the function's text does not show.
    pub fn shares(&self) -> bool {
        self.shared.is_present()
    }

    /// Whether the function is said to be recursive.
    pub fn is_recursive(&self) -> bool {
        self.recursive.is_present()
    }

    /// Of a function outside of a block.
    pub fn check_function(&self, reports: &mut Reports) {
        self.check_member(reports);
        refuse_flag(self.skip, "`skip` is for functions of a block with the attribute", reports);
    }

    /// Of a function in a block.
    pub fn check_member(&self, reports: &mut Reports) {
        refuse_flag(self.object, "`dyn` is for a trait", reports);
    }

    /// Of a block.
    pub fn check_block(&self, is_trait: bool, reports: &mut Reports) {
        refuse_flag(self.skip, "`skip` is for functions of a block with the attribute", reports);
        if !is_trait {
            refuse_flag(self.object, "`dyn` is for a trait", reports);
        }
    }

    /// Whether derivatives of the trait's methods are called through `dyn`.
    pub fn is_object(&self) -> bool {
        self.object.is_present()
    }

    /// Whether a function of a block gets no derivatives.
    pub fn is_skipped(&self) -> bool {
        self.skip.is_present()
    }

    /// The companion's name.
    pub fn companion(&self, function: &Ident) -> Ident {
        self.companion.clone().unwrap_or_else(|| function.clone())
    }

    /// Applies `constant(..)` and `wrt(..)`.
    pub fn select(&self, params: &mut [Parameter], reports: &mut Reports) {
        if let (Some(path), false) = (self.constant.first(), self.wrt.is_empty()) {
            let text = "`constant(..)` and `wrt(..)` exclude each other";
            reports.report(diag::Extent::of(path), &diag::ATTRIBUTE, text);
        }
        let chosen = names(&self.wrt, params, reports);
        let excluded = names(&self.constant, params, reports);
        for param in params {
            let is_chosen = self.wrt.is_empty() || chosen.contains(&param.name);
            param.active &= is_chosen && !excluded.contains(&param.name);
        }
    }
}

fn refuse_flag(flag: Flag, text: &str, reports: &mut Reports) {
    if flag.is_present() {
        reports.report(flag.span(), &diag::ATTRIBUTE, text);
    }
}

fn names(list: &PathList, params: &[Parameter], reports: &mut Reports) -> Vec<Ident> {
    let mut found = Vec::new();
    for path in list.iter() {
        let ident = path.get_ident().cloned().unwrap_or_else(|| Ident::new("_", Span::call_site()));
        if params.iter().any(|param| param.name == ident) {
            found.push(ident);
        } else {
            reports.report(
                diag::Extent::of(path),
                &diag::UNKNOWN_PARAMETER,
                &quote::quote!(#path).to_string(),
            );
        }
    }
    found
}

/// darling appends its own position to a message; the span says it better.
fn bare_message(error: &Error) -> String {
    error.to_string()
}

/// The arguments of an attribute on the item itself, for `dump!`.
pub fn of_item(item: &syn::ItemFn, reports: &mut Reports) -> Arguments {
    let attribute = item.attrs.iter().find(|attribute| is_differentiate(attribute));
    match attribute.map(|attribute| &attribute.meta) {
        Some(syn::Meta::List(list)) => Arguments::parse(list.tokens.clone(), reports),
        _ => Arguments::default(),
    }
}

/// A second attribute would ask for second derivatives.
pub fn check_stacking(item: &syn::ItemFn, reports: &mut Reports) {
    refuse(item.attrs.iter().filter(|attribute| is_differentiate(attribute)), reports);
}

/// Likewise for a function in a block, which has all its attributes.
pub fn check_single(item: &syn::ItemFn, reports: &mut Reports) {
    refuse(item.attrs.iter().filter(|attribute| is_differentiate(attribute)).skip(1), reports);
}

fn refuse<'a>(attributes: impl Iterator<Item = &'a syn::Attribute>, reports: &mut Reports) {
    attributes.for_each(|attribute| {
        reports.report(diag::Extent::of(attribute.path()), &diag::STACKED, "");
    });
}

pub fn is_differentiate(attribute: &syn::Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|last| last.ident == "differentiate")
}

/// Whether another attribute of this kind stands on the item.
pub fn is_stacked(item: &syn::ItemFn) -> bool {
    item.attrs.iter().any(is_differentiate)
}

/// The item without the other attributes, whose companions would clash with this one's.
pub fn without_stack(mut item: syn::ItemFn) -> syn::ItemFn {
    item.attrs.retain(|attribute| !is_differentiate(attribute));
    item
}
