//! `#[primitive(..)]` and `#[zero_adjoint]`: functions whose derivatives are given, and not made from their bodies.
//!
//! In: the attribute's tokens. Out: the function's [`Rule`], and with it the arguments that it shares with
//! `#[differentiate]`. What a rule does not give is derived from the body only where `#[differentiate]` stands
//! beside it.

pub mod dual;

use crate::diag::{self, Extent, Reports};
use crate::ir::Type;
use crate::syntax::signature::Signature;
use darling::util::{Flag, PathList};
use darling::{Error, FromMeta};
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::parse::Parser;
use syn::punctuated::Punctuated;

/// How derivatives are given.
#[derive(Clone)]
pub enum Rule {
    /// They are zero.
    Zero,
    /// Functions with the signatures of the contract.
    Functions { vjp: Option<syn::ExprPath>, jvp: Option<syn::ExprPath> },
    /// The partial derivatives by the active parameters, in which parameters and value stand under their names.
    Partials { value: Option<Ident>, partials: Vec<syn::Expr> },
    /// The function of another crate is run with dual numbers.
    Dual { of: syn::ExprPath },
    /// The function solves an equation.
    Implicit(Equation),
}

/// The equation that a function solves, of the unknown and of the function's parameters.
#[derive(Clone)]
pub struct Equation {
    pub kind: EquationKind,
    /// The function that the equation is about.
    pub path: syn::ExprPath,
    /// Whether derivatives check that it is solved.
    pub is_watched: bool,
}

/// The statement of an equation about that function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EquationKind {
    /// It is zero.
    Root,
    /// It is the unknown.
    FixedPoint,
    /// Its gradient by the unknown is zero.
    Argmin,
}

impl Rule {
    pub fn gives_reverse(&self) -> bool {
        !matches!(self, Rule::Functions { vjp: None, .. })
    }

    pub fn gives_forward(&self) -> bool {
        !matches!(self, Rule::Functions { jvp: None, .. })
    }

    /// Whether there are derivatives of a higher order: those of a given `jvp`.
    pub fn is_open(&self) -> bool {
        self.why_closed().is_none()
    }

    /// Why there are none.
    pub fn why_closed(&self) -> Option<&'static str> {
        match self {
            Rule::Functions { jvp: None, .. } => Some(
                "they are those of a `jvp` that has `#[differentiate]` itself, and none is given",
            ),
            Rule::Dual { .. } => Some("dual numbers give first derivatives"),
            Rule::Zero | Rule::Functions { .. } | Rule::Partials { .. } | Rule::Implicit(_) => None,
        }
    }

    /// Reports what the rule cannot be for: partials are numbers, and no rule says what a function captures.
    pub fn check(&self, signature: &Signature, reports: &mut Reports) {
        let active = || signature.params.iter().filter(|param| param.active);
        for param in active().filter(|param| param.callable.is_some()) {
            let text = "a rule says nothing of what a function captures: name it in `constant(..)`";
            reports.report(param.name.span(), &diag::PRIMITIVE, text);
        }
        match self {
            Rule::Zero | Rule::Functions { .. } => {}
            Rule::Partials { partials, .. } => Self::check_partials(partials, signature, reports),
            Rule::Dual { of } => dual::check(of, signature, reports),
            Rule::Implicit(_) => Self::check_implicit(signature, reports),
        }
    }

    fn check_partials(partials: &[syn::Expr], signature: &Signature, reports: &mut Reports) {
        let active = || signature.params.iter().filter(|param| param.active);
        for param in active().filter(|param| param.reference().is_some()) {
            let text = "a partial derivative is by a float that is passed by value";
            reports.report(Extent::of(&param.ty), &diag::PRIMITIVE, text);
        }
        if partials.len() != active().count() {
            let (given, wanted) = (partials.len(), active().count());
            let text = format!("{given} partial derivatives for {wanted} active parameters");
            reports.report(signature.name.span(), &diag::PRIMITIVE, &text);
        }
    }

    /// Parameters are read again where the equation is differentiated, and unknowns are floats in a line.
    fn check_implicit(signature: &Signature, reports: &mut Reports) {
        for param in signature.params.iter().filter(|param| param.is_unique()) {
            let text = "the solution of an equation does not change its parameters";
            reports.report(Extent::of(&param.ty), &diag::IMPLICIT, text);
        }
        let is_unknown = match &signature.output_kind {
            Type::Array(entry, _) | Type::Vec(entry) => entry.is_float(),
            kind => kind.is_float(),
        };
        if !is_unknown {
            let text =
                "the solution of an equation is a float, an array of floats or a vector of floats";
            let at = match &signature.output {
                Some(ty) => Extent::of(ty),
                None => signature.name.span().into(),
            };
            reports.report(at, &diag::IMPLICIT, text);
        }
    }
}

/// What a user may write in `#[primitive(..)]`.
#[derive(Default, FromMeta)]
#[darling(default)]
pub struct Arguments {
    /// The function that is `vjp`.
    #[darling(default, with = crate::syntax::attr::function)]
    vjp: Option<syn::ExprPath>,
    /// The function that is `jvp`.
    #[darling(default, with = crate::syntax::attr::function)]
    jvp: Option<syn::ExprPath>,
    /// The partial derivatives.
    partials: Option<Expressions>,
    /// The value's name in them.
    #[darling(default, with = crate::syntax::attr::name)]
    value: Option<Ident>,
    /// Whether the function that this one stands for is run with dual numbers.
    dual: Flag,
    /// The function that this one stands for: there is no body.
    #[darling(default, with = crate::syntax::attr::function)]
    of: Option<syn::ExprPath>,
    /// The function that is zero at the value.
    #[darling(default, with = crate::syntax::attr::function)]
    root: Option<syn::ExprPath>,
    /// The function that maps the value to itself.
    #[darling(default, with = crate::syntax::attr::function)]
    fixed_point: Option<syn::ExprPath>,
    /// The function whose gradient is zero at the value.
    #[darling(default, with = crate::syntax::attr::function)]
    argmin: Option<syn::ExprPath>,
    /// Derivatives check that the value solves the equation.
    debug: Flag,
    /// What every rule may say.
    #[darling(flatten)]
    pub head: Head,
}

/// What a rule may say of the function's head, as `#[differentiate]` does; and all that `#[zero_adjoint(..)]` takes.
#[derive(Default, FromMeta)]
#[darling(default)]
pub struct Head {
    pub constant: PathList,
    pub wrt: PathList,
    pub shared: Flag,
    #[darling(default, with = crate::syntax::attr::name)]
    pub companion: Option<Ident>,
}

impl Arguments {
    /// The rule that they give. Without one the function has no derivative.
    pub fn rule(&self) -> Result<Rule, Refusal> {
        let is_explicit = self.dual.is_present()
            || self.partials.is_some()
            || self.vjp.is_some()
            || self.jvp.is_some();
        match &*self.equations() {
            [] if self.debug.is_present() => Err(Refusal::of(
                self.debug.span().into(),
                "`debug` is for `root`, `fixed_point` and `argmin`",
            )),
            [] => self.explicit().map_err(|text| Refusal { at: None, text }),
            [equation] if is_explicit || self.value.is_some() => Err(Refusal::of(
                Extent::of(&equation.path),
                "an equation says what `vjp`, `jvp`, `partials` and `dual` would",
            )),
            [equation] => Ok(Rule::Implicit(equation.clone())),
            [_, second, ..] => Err(Refusal::of(
                Extent::of(&second.path),
                "there is one equation: `root`, `fixed_point` and `argmin` exclude each other",
            )),
        }
    }

    /// The equations that are given.
    fn equations(&self) -> Vec<Equation> {
        let kinds = [EquationKind::Root, EquationKind::FixedPoint, EquationKind::Argmin];
        let paths = [&self.root, &self.fixed_point, &self.argmin];
        let given = kinds.into_iter().zip(paths);
        let is_watched = self.debug.is_present();
        given
            .filter_map(|(kind, path)| Some(Equation { kind, path: path.clone()?, is_watched }))
            .collect()
    }

    /// The rule of derivatives that are given.
    fn explicit(&self) -> Result<Rule, &'static str> {
        if self.dual.is_present() {
            return self.dual_rule();
        }
        match (&self.partials, &self.vjp, &self.jvp) {
            (None, None, None) => Err("there is no derivative in `#[primitive]`"),
            (None, _, _) if self.value.is_some() => Err("`value` names the value in `partials`"),
            (None, vjp, jvp) => Ok(Rule::Functions { vjp: vjp.clone(), jvp: jvp.clone() }),
            (Some(Expressions(partials)), None, None) => {
                Ok(Rule::Partials { value: self.value.clone(), partials: partials.clone() })
            }
            (Some(_), _, _) => Err("`partials` says what `vjp` and `jvp` would"),
        }
    }

    /// Where what is wrong with the rule is reported.
    pub fn span(&self) -> Span {
        if self.dual.is_present() { self.dual.span() } else { Span::call_site() }
    }

    fn dual_rule(&self) -> Result<Rule, &'static str> {
        match (&self.of, &self.partials, &self.vjp, &self.jvp) {
            (Some(of), None, None, None) if self.value.is_none() => {
                Ok(Rule::Dual { of: of.clone() })
            }
            (None, ..) => Err("`dual` runs the function that is named in `of = path`"),
            _ => Err("`dual` says what `partials`, `vjp` and `jvp` would"),
        }
    }

    /// The function that this one stands for.
    pub fn stands_for(&self) -> Option<&syn::ExprPath> {
        self.of.as_ref()
    }
}

/// Why arguments give no rule.
pub struct Refusal {
    /// The tokens that are wrong, unless something is missing.
    pub at: Option<Extent>,
    pub text: &'static str,
}

impl Refusal {
    fn of(at: Extent, text: &'static str) -> Self {
        Refusal { at: Some(at), text }
    }
}

/// A list of expressions.
struct Expressions(Vec<syn::Expr>);

impl FromMeta for Expressions {
    fn from_meta(meta: &syn::Meta) -> Result<Self, Error> {
        let parser = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        let list = meta.require_list()?;
        Ok(Expressions(parser.parse2(list.tokens.clone())?.into_iter().collect()))
    }
}

/// An item as a function: one without a body has that of the function that it stands for.
pub fn item(
    tokens: proc_macro2::TokenStream,
    of: Option<&syn::ExprPath>,
) -> syn::Result<syn::ItemFn> {
    let Some(of) = of else { return syn::parse2(tokens) };
    let item: syn::ForeignItemFn = syn::parse2(tokens).map_err(|error| {
        let text = "what stands for another function has no body: write `;` in its place";
        syn::Error::new(error.span(), text)
    })?;
    let arguments = item.sig.inputs.iter().filter_map(argument);
    let arguments: Vec<syn::Expr> = arguments.collect::<syn::Result<_>>()?;
    let block = syn::parse_quote!({ #of(#(#arguments),*) });
    Ok(syn::ItemFn {
        attrs: item.attrs,
        vis: item.vis,
        modifiers: item.modifiers,
        sig: item.sig,
        block,
    })
}

/// What takes a parameter on: its name, or what its pattern is made of.
fn argument(input: &syn::FnArg) -> Option<syn::Result<syn::Expr>> {
    let syn::FnArg::Typed(typed) = input else { return None };
    let name = match &*typed.pat {
        syn::Pat::Ident(ident) if ident.by_ref.is_none() => ident.ident.to_token_stream(),
        pattern => pattern.to_token_stream(),
    };
    let text = "what stands for another function takes its parameters by names";
    Some(syn::parse2(name).map_err(|_| syn::Error::new_spanned(&typed.pat, text)))
}
