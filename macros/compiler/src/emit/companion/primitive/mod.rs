//! Bodies of `vjp` and `jvp` that a rule gives.
//!
//! In: a head and a rule. Out: a call of the function that the rule names, or the few lines that zeros, partial
//! derivatives or an equation come to; nothing in a mode that the rule does not give. Invariant: they are what the contract says
//! of a derived body, so that nobody sees from outside which it is.

mod dual;
mod implicit;
mod linear;
mod raised;
mod zero;

use super::component::Component;
use super::head::Head;
use crate::primitive::Rule;
use crate::syntax::attr::Arguments;
use dual::Run;
use linear::Linear;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// That of an order.
pub fn vjp(head: &Head, rule: &Rule, order: usize) -> Option<TokenStream> {
    match (rule, order) {
        (Rule::Zero, _) => Some(zero::vjp(head, order)),
        (Rule::Implicit(equation), _) => Some(implicit::vjp(head, equation, order)),
        (Rule::Functions { vjp, .. }, 1) => vjp.as_ref().map(|path| {
            let names = head.plain_names();
            quote!(#path(#(#names),*))
        }),
        (Rule::Partials { value, partials }, 1) => {
            Some(Linear::new(head, value.as_ref(), partials).vjp(head))
        }
        (Rule::Dual { of }, 1) => Some(Run::new(head, of).vjp()),
        _ => Some(raised::vjp(head, &differentiated(head, rule)?, order)),
    }
}

/// Likewise.
pub fn jvp(head: &Head, rule: &Rule, order: usize) -> Option<TokenStream> {
    match (rule, order) {
        (Rule::Zero, _) => Some(zero::jvp(head, order)),
        (Rule::Implicit(equation), _) => Some(implicit::jvp(head, equation, order)),
        (Rule::Functions { jvp, .. }, 1) => jvp.as_ref().map(|path| {
            let names = head.jvp_params().into_iter().map(|(name, _)| name);
            quote!(#path(#(#names),*))
        }),
        (Rule::Partials { value, partials }, 1) => {
            Some(Linear::new(head, value.as_ref(), partials).jvp(head))
        }
        (Rule::Dual { of }, 1) => Some(Run::new(head, of).jvp()),
        _ => Some(raised::jvp(head, &differentiated(head, rule)?, order)),
    }
}

/// That of several tangents, where it is not one `jvp` for each.
pub fn jvp_batch(head: &Head, rule: &Rule, count: &Ident) -> Option<TokenStream> {
    match rule {
        Rule::Dual { of } => Some(Run::new(head, of).jvp_batch(count)),
        Rule::Zero | Rule::Functions { .. } | Rule::Partials { .. } | Rule::Implicit(_) => None,
    }
}

/// The function that is `jvp`, and has derivatives itself.
fn differentiated(head: &Head, rule: &Rule) -> Option<syn::ExprPath> {
    match rule {
        Rule::Zero | Rule::Dual { .. } | Rule::Implicit(_) => None,
        Rule::Functions { jvp, .. } => jvp.clone(),
        Rule::Partials { .. } => {
            let name = linear::hidden(head);
            Some(match head.signature.owner {
                Some(_) => syn::parse_quote!(Self::#name),
                None => syn::parse_quote!(#name),
            })
        }
    }
}

/// What stands beside the companion: for partial derivatives the function that is `jvp`, if there are several orders; the
/// function that is run with dual numbers.
pub fn beside(head: &Head, arguments: &Arguments, cfg: &TokenStream) -> TokenStream {
    match arguments.rule() {
        Some(Rule::Dual { of }) => {
            let function = Run::new(head, of).function();
            quote!(#cfg #function)
        }
        Some(Rule::Partials { value, partials }) if *head.orders(arguments).end() > 1 => {
            let linear = Linear::new(head, value.as_ref(), partials);
            linear.function(head, *head.orders(arguments).end() - 1)
        }
        _ => TokenStream::new(),
    }
}

/// A call of the function with its own arguments.
fn call(head: &Head) -> TokenStream {
    let (primal, names) = (head.primal(), head.plain_names());
    quote!(#primal(#(#names),*))
}

fn pullback(components: &[Component], body: &TokenStream) -> TokenStream {
    let params = components.iter().map(|Component { name, ty, .. }| quote!(#name: #ty));
    quote!(move |#(#params),*| { #body })
}
