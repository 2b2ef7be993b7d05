//! The arguments of `#[differentiate(..)]`, and what other attributes of ours on the same function add to them.
//!
//! In: the attributes' tokens. Out: [`Arguments`]; errors of form are reported with darling's spans.

use crate::diag::{self, Reports};
use crate::primitive::{self, Rule};
use crate::syntax::items::Seen;
use crate::syntax::signature::{Parameter, Signature};
use darling::ast::NestedMeta;
use darling::util::{Flag, PathList};
use darling::{Error, FromMeta};
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use std::rc::Rc;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;

/// How many orders of derivatives there can be. Each has twice the code of the one before it.
pub const MOST_ORDERS: usize = 6;

/// What a user may write in the attribute.
#[derive(Clone, Default, FromMeta)]
#[darling(default)]
pub struct Arguments {
    /// Parameters that are not differentiated by.
    constant: PathList,
    /// The only parameters that are.
    wrt: PathList,
    /// Constant parameters behind `&mut` that a gradient leaves as the function leaves them.
    advance: PathList,
    /// Only the forward mode.
    forward: Flag,
    /// Only the reverse mode.
    reverse: Flag,
    /// The function returns a float and something that is constant.
    aux: Flag,
    /// Functions that are called may write cells behind `&`.
    shared: Flag,
    /// The function calls itself by way of others.
    recursive: Flag,
    /// The trait's objects are differentiated through, too.
    #[darling(rename = "dyn")]
    object: Flag,
    /// Derivatives check themselves at run time.
    debug: Flag,
    /// A function of a block that gets no derivatives.
    skip: Flag,
    /// What is called in place of what the source says.
    overlay: Overlays,
    /// Another name for the companion.
    #[darling(default, with = name)]
    companion: Option<Ident>,
    /// Derivatives that are given.
    #[darling(skip)]
    rule: Option<Rule>,
    /// How often `#[differentiate]` is written, which derives what no rule gives.
    #[darling(skip)]
    orders: usize,
    /// The function is a `+` or `-` of a type of the user's.
    #[darling(skip)]
    is_sum: bool,
    /// Where the function stands, in a module with the attribute.
    #[darling(skip)]
    seen: Option<Seen>,
}

/// A name that is given, which no keyword can be.
pub fn name(meta: &syn::Meta) -> darling::Result<Option<Ident>> {
    let name = Ident::from_meta(meta)?;
    syn::parse2(name.into_token_stream()).map(Some).map_err(Into::into)
}

/// A function that is given, which no module can be.
pub fn function(meta: &syn::Meta) -> darling::Result<Option<syn::ExprPath>> {
    let function = syn::ExprPath::from_meta(meta)?;
    match function.path.segments.last().is_some_and(crate::syntax::is_module) {
        true => Err(Error::custom("this is a module, and no function").with_span(&function)),
        false => Ok(Some(function)),
    }
}

impl Arguments {
    /// Those of `#[differentiate]`.
    pub fn parse(tokens: TokenStream, reports: &mut Reports) -> Self {
        Arguments { orders: 1, ..parsed(tokens, &diag::ATTRIBUTE, reports) }
    }

    /// Those of `#[primitive]`, and the function that this one stands for.
    pub fn primitive(tokens: TokenStream, reports: &mut Reports) -> (Self, Option<syn::ExprPath>) {
        let given: primitive::Arguments = parsed(tokens, &diag::PRIMITIVE, reports);
        let rule = given.rule().map_err(|refusal| match refusal.at {
            Some(at) => reports.report(at, &diag::IMPLICIT, refusal.text),
            None if reports.is_empty() => {
                reports.report(given.span(), &diag::PRIMITIVE, refusal.text);
            }
            None => {}
        });
        let stands_for = given.stands_for().cloned();
        (Self::ruled(given.head, rule.ok()), stands_for)
    }

    /// Those of `#[zero_adjoint]`.
    pub fn zero_adjoint(tokens: TokenStream, reports: &mut Reports) -> Self {
        Self::ruled(parsed(tokens, &diag::PRIMITIVE, reports), Some(Rule::Zero))
    }

    fn ruled(head: primitive::Head, rule: Option<Rule>) -> Self {
        let primitive::Head { constant, wrt, shared, companion } = head;
        // What an equation gives is of the first order, and each `#[differentiate]` beside it adds one.
        let orders = usize::from(matches!(rule, Some(Rule::Implicit(_))));
        Arguments { constant, wrt, shared, companion, rule, orders, ..Self::default() }
    }

    /// Those of all attributes on the function, for `dump!` and for functions of a block. None of ours there is as
    /// good as `#[differentiate]`.
    pub fn of_item(item: &syn::ItemFn, reports: &mut Reports) -> Self {
        let mut all = Self::default();
        all.adopt(&item.attrs, reports);
        if all.rule.is_none() {
            all.orders = all.orders.max(1);
        }
        all
    }

    /// Takes in what the other attributes of a function or of a block say.
    pub fn adopt(&mut self, attributes: &[syn::Attribute], reports: &mut Reports) {
        for attribute in attributes.iter().filter(|attribute| kind(attribute).is_some()) {
            let tokens = match &attribute.meta {
                syn::Meta::List(list) => list.tokens.clone(),
                _ => TokenStream::new(),
            };
            let at = diag::Extent::of(attribute.path());
            let other = match kind(attribute) {
                Some(Kind::Differentiate) => Self::parse(tokens, reports),
                _ if self.rule.is_some() => {
                    let text = "there is a rule for this function already";
                    reports.report(at, &diag::PRIMITIVE, text);
                    continue;
                }
                Some(Kind::Primitive) => {
                    let (rule, stands_for) = Self::primitive(tokens, reports);
                    if let Some(path) = stands_for {
                        let text =
                            "`of` is for a function by itself, and stands above other attributes";
                        reports.report(diag::Extent::of(&path), &diag::PRIMITIVE, text);
                    }
                    rule
                }
                _ => Self::zero_adjoint(tokens, reports),
            };
            self.join(other);
        }
    }

    /// Both together.
    fn join(&mut self, other: Self) {
        let lists = |one: &PathList, other: &PathList| {
            PathList::new(one.iter().chain(other.iter()).cloned().collect::<Vec<_>>())
        };
        let either = |one: Flag, other: Flag| if one.is_present() { one } else { other };
        *self = Arguments {
            constant: lists(&self.constant, &other.constant),
            wrt: lists(&self.wrt, &other.wrt),
            advance: lists(&self.advance, &other.advance),
            forward: either(self.forward, other.forward),
            reverse: either(self.reverse, other.reverse),
            aux: either(self.aux, other.aux),
            shared: either(self.shared, other.shared),
            recursive: either(self.recursive, other.recursive),
            object: either(self.object, other.object),
            debug: either(self.debug, other.debug),
            skip: either(self.skip, other.skip),
            overlay: Overlays(self.overlay.0.iter().chain(&*other.overlay.0).cloned().collect()),
            companion: self.companion.take().or(other.companion),
            rule: self.rule.take().or(other.rule),
            orders: self.orders + other.orders,
            is_sum: false,
            seen: self.seen.take().or(other.seen),
        };
    }

    pub fn emits_forward(&self) -> bool {
        self.gives_forward() || self.derives_forward()
    }

    pub fn emits_reverse(&self) -> bool {
        self.gives_reverse() || self.derives_reverse()
    }

    /// How many orders of derivatives there are.
    pub fn orders(&self) -> usize {
        self.orders.clamp(1, MOST_ORDERS)
    }

    /// Whether more are asked for than there can be.
    pub fn has_too_many_orders(&self) -> bool {
        self.orders > MOST_ORDERS
    }

    /// Those of a function in a block, which has as many orders as this has. Where a rule gives both modes, so it is of
    /// the rule's; where it gives one, the other is derived only if the function itself says so.
    #[must_use]
    pub fn of_orders(self, block: &Self) -> Self {
        let is_given = self.gives_forward() && self.gives_reverse();
        let orders = if self.orders > 0 || is_given { self.orders.max(block.orders) } else { 0 };
        Arguments { orders, ..self }
    }

    /// The arguments of a derivative that is a function of its own, of an order of so many.
    #[must_use]
    pub fn lower(&self, orders: usize) -> Self {
        Arguments { orders: orders - 1, ..self.clone() }
    }

    /// Whether `jvp` is made from the body.
    pub fn derives_forward(&self) -> bool {
        let is_wanted = self.forward.is_present() || !self.reverse.is_present();
        self.orders > 0 && is_wanted && !self.gives_forward()
    }

    /// Whether `vjp` is.
    pub fn derives_reverse(&self) -> bool {
        let is_wanted = self.reverse.is_present() || !self.forward.is_present();
        self.orders > 0 && is_wanted && !self.gives_reverse()
    }

    fn gives_forward(&self) -> bool {
        self.rule.as_ref().is_some_and(Rule::gives_forward)
    }

    fn gives_reverse(&self) -> bool {
        self.rule.as_ref().is_some_and(Rule::gives_reverse)
    }

    /// What is called in place of what the source says.
    pub fn overlays(&self) -> Overlays {
        self.overlay.clone()
    }

    /// What is given, if anything is.
    pub fn rule(&self) -> Option<&Rule> {
        self.rule.as_ref()
    }

    /// Whether parameters hold cells that the function's text does not show.
    pub fn shares(&self) -> bool {
        self.shared.is_present()
    }

    /// Whether the gradient is that of the first part of the result.
    pub fn is_aux(&self) -> bool {
        self.aux.is_present()
    }

    /// Reports `aux` on a function without a float in front of something else.
    pub fn check_aux(&self, signature: &Signature, reports: &mut Reports) {
        if self.is_aux() && signature.auxiliary().is_none() {
            refuse_flag(
                self.aux,
                "`aux` is for functions that return a tuple of a float and something else",
                reports,
            );
        }
    }

    /// Whether derivatives check themselves at run time.
    pub fn is_watched(&self) -> bool {
        self.debug.is_present() || crate::debug::is_on()
    }

    /// The same for a `+` or `-` of a type of the user's, or for another operator.
    pub fn of_operator(&self, is_sum: bool) -> Self {
        Arguments { is_sum, ..self.clone() }
    }

    /// Whether the function is a `+` or `-` of a type of the user's.
    pub fn is_sum(&self) -> bool {
        self.is_sum
    }

    /// The same for a function of a module of which more is known than its text shows.
    #[must_use]
    pub fn of_known(mut self, seen: Seen, is_recursive: bool, shares: bool) -> Self {
        self.seen = Some(seen);
        let known = |flag: Flag, is_so: bool| if is_so { Flag::present() } else { flag };
        self.recursive = known(self.recursive, is_recursive);
        self.shared = known(self.shared, shares);
        self
    }

    /// The same for a function of which nothing is known but its text.
    #[must_use]
    pub fn unseen(self) -> Self {
        Arguments { seen: None, ..self }
    }

    /// Where the function stands, in a module with the attribute.
    pub fn seen(&self) -> Option<Seen> {
        self.seen.clone().filter(|_| self.overlay.is_empty())
    }

    /// Whether the function is said to be recursive.
    pub fn is_recursive(&self) -> bool {
        self.recursive.is_present()
    }

    /// Of a function outside of a block.
    pub fn check_function(&self, reports: &mut Reports) {
        self.check_member(reports);
        refuse_flag(
            self.skip,
            "`skip` is for what stands in a block or a module with the attribute",
            reports,
        );
    }

    /// Of a function in a block.
    pub fn check_member(&self, reports: &mut Reports) {
        refuse_flag(self.object, "`dyn` is for a trait", reports);
    }

    /// Of a block.
    pub fn check_block(&self, is_trait: bool, reports: &mut Reports) {
        refuse_flag(
            self.skip,
            "`skip` is for what stands in a block or a module with the attribute",
            reports,
        );
        if !is_trait {
            refuse_flag(self.object, "`dyn` is for a trait", reports);
        }
    }

    /// Of a module.
    pub fn check_module(&self, reports: &mut Reports) {
        self.check_block(false, reports);
        for path in self.constant.iter().chain(self.wrt.iter()).chain(self.advance.iter()) {
            let text = "lists of parameters are for functions, which have the parameters";
            reports.report(diag::Extent::of(path), &diag::ATTRIBUTE, text);
        }
    }

    /// Whether a parameter of a name is active as far as the attribute says.
    pub fn may_select(&self, name: &str) -> bool {
        let is_named = |list: &PathList| list.iter().any(|path| path.is_ident(name));
        let is_constant = is_named(&self.constant) || is_named(&self.advance);
        !is_constant && (self.wrt.is_empty() || is_named(&self.wrt))
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

    /// Whether they say which parameters are active, or which calls mean others.
    pub fn selects(&self) -> bool {
        let lists = [&self.constant, &self.wrt, &self.advance];
        !(lists.iter().all(|list| list.is_empty()) && self.overlay.is_empty())
    }

    /// Applies `constant(..)` and `wrt(..)`.
    pub fn select(&self, params: &mut [Parameter], reports: &mut Reports) {
        if let (Some(path), false) = (self.constant.first(), self.wrt.is_empty()) {
            let text = "`constant(..)` and `wrt(..)` exclude each other";
            reports.report(diag::Extent::of(path), &diag::ATTRIBUTE, text);
        }
        let chosen = names(&self.wrt, params, reports);
        let excluded = names(&self.constant, params, reports);
        let advancing = names(&self.advance, params, reports);
        for param in params {
            let is_chosen = self.wrt.is_empty() || chosen.contains(&param.name);
            param.advances = advancing.contains(&param.name);
            param.active &= is_chosen && !excluded.contains(&param.name) && !param.advances;
            if param.advances && !param.is_unique() {
                let text = "`advance(..)` is for parameters behind `&mut`";
                reports.report(diag::Extent::of(&param.ty), &diag::ATTRIBUTE, text);
            }
        }
    }
}

/// Reports a name that is not a parameter's, with the one that is meant, or all that there are.
fn report_unknown(path: &syn::Path, params: &[Parameter], reports: &mut Reports) {
    let name = path.to_token_stream().to_string();
    let known: Vec<String> = params.iter().map(|param| param.name.to_string()).collect();
    let advice = match closest(&name, known.iter().map(String::as_str)) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None if known.is_empty() => "this function has no parameters".to_owned(),
        None => format!("the parameters of this function are `{}`", known.join("`, `")),
    };
    reports.report_with(diag::Extent::of(path), &diag::UNKNOWN_PARAMETER, &name, &advice);
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
            report_unknown(path, params, reports);
        }
    }
    found
}

/// What an error of darling's says, and how to fix it, in the words of the attribute.
fn reworded(error: &Error, row: &diag::Diagnostic) -> (String, String) {
    let text = error.to_string();
    let Some(unknown) = text.strip_prefix("Unknown field: ") else {
        return (text, row.advice.to_owned());
    };
    let (name, advice) = match unknown.split_once(". Did you mean ") {
        Some((name, near)) => (name, format!("did you mean {}?", near.trim_end_matches('?'))),
        None => (unknown, row.advice.to_owned()),
    };
    let advice = match name.trim_matches('`') {
        "hessian" | "hvp" | "second" | "second_order" | "order" | "orders" => {
            "write `#[differentiate]` twice, one below the other: each adds an order of derivatives"
                .to_owned()
        }
        _ => advice,
    };
    (format!("there is no argument {name}"), advice)
}

/// A list of parameters that is not written as `wrt(x, y)`, and how it is written.
fn misspelt_list(meta: &NestedMeta) -> Option<(&syn::Meta, String)> {
    let NestedMeta::Meta(meta) = meta else { return None };
    let name = meta.path().get_ident().filter(|name| *name == "wrt" || *name == "constant")?;
    let given = match meta {
        syn::Meta::Path(_) => TokenStream::new(),
        syn::Meta::NameValue(pair) => pair.value.to_token_stream(),
        syn::Meta::List(list) => list.tokens.clone(),
    };
    let text = given.to_string();
    let is_list = matches!(meta, syn::Meta::List(_)) && !text.contains(['"', '[', '&']);
    let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let names = if words.is_empty() { "x, y".to_owned() } else { words.join(", ") };
    (!is_list).then(|| (meta, format!("write `{name}({names})`")))
}

/// The candidate that a misspelt name is most like, if one is like it.
fn closest<'c>(name: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    let near = candidates.map(|candidate| (strsim::levenshtein(name, candidate), candidate));
    let (edits, candidate) = near.min_by_key(|(edits, _)| *edits)?;
    // A name of one letter is like no other.
    (edits <= name.len().max(3) / 3 && edits < name.len()).then_some(candidate)
}

/// In derivative code `fast` is called where the source says `slow`.
#[derive(Clone)]
pub struct Overlay {
    pub slow: syn::ExprPath,
    pub fast: syn::ExprPath,
}

impl Parse for Overlay {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let slow = input.parse()?;
        input.parse::<syn::Token![=]>()?;
        Ok(Overlay { slow, fast: input.parse()? })
    }
}

/// `overlay(path::slow = fast, ..)`.
#[derive(Clone, Default)]
pub struct Overlays(Rc<[Overlay]>);

impl std::ops::Deref for Overlays {
    type Target = [Overlay];

    fn deref(&self) -> &[Overlay] {
        &self.0
    }
}

impl FromMeta for Overlays {
    fn from_meta(meta: &syn::Meta) -> darling::Result<Self> {
        let list = meta.require_list()?.tokens.clone();
        let overlays = Punctuated::<Overlay, syn::Token![,]>::parse_terminated.parse2(list)?;
        Ok(Overlays(overlays.into_iter().collect()))
    }
}

/// The arguments of one attribute, with its errors reported.
fn parsed<T: FromMeta + Default>(
    tokens: TokenStream,
    row: &diag::Diagnostic,
    reports: &mut Reports,
) -> T {
    let list = NestedMeta::parse_meta_list(tokens).unwrap_or_else(|error| {
        reports.report(error.span(), row, &error.to_string());
        Vec::new()
    });
    let (misspelt, list): (Vec<_>, Vec<_>) =
        list.into_iter().partition(|meta| misspelt_list(meta).is_some());
    for (meta, advice) in misspelt.iter().filter_map(misspelt_list) {
        let text = "a list of parameters is written in parentheses";
        reports.report_with(diag::Extent::of(meta), row, text, &advice);
    }
    T::from_list(&list).unwrap_or_else(|error| {
        for error in error.flatten() {
            let (message, advice) = reworded(&error, row);
            reports.report_with(error.span(), row, &message, &advice);
        }
        T::default()
    })
}

/// Which attribute of ours.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Differentiate,
    Primitive,
    ZeroAdjoint,
}

fn kind(attribute: &syn::Attribute) -> Option<Kind> {
    let last = attribute.path().segments.last()?;
    match last.ident.to_string().as_str() {
        "differentiate" => Some(Kind::Differentiate),
        "primitive" => Some(Kind::Primitive),
        "zero_adjoint" => Some(Kind::ZeroAdjoint),
        _ => None,
    }
}

/// Whether an attribute of ours stands on the item.
pub fn has_own(item: &syn::ItemFn) -> bool {
    is_among(&item.attrs)
}

/// Whether one of them is ours.
pub fn is_among(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| kind(attribute).is_some())
}

/// Whether one of them gives a rule.
pub fn has_rule(attributes: &[syn::Attribute]) -> bool {
    let is_rule = |attribute| kind(attribute).is_some_and(|kind| kind != Kind::Differentiate);
    attributes.iter().any(is_rule)
}

/// The item without attributes of ours, whose companions would clash with this one's.
pub fn without_own(mut item: syn::ItemFn) -> syn::ItemFn {
    remove_own(&mut item.attrs);
    item
}

/// What stands in the place of an attribute's arguments once another attribute has taken them in.
const ADOPTED: &str = "__adopted";

/// Whether an attribute has been taken in by another one, and has nothing left to do.
pub fn is_adopted(arguments: &TokenStream) -> bool {
    syn::parse2::<syn::Ident>(arguments.clone()).is_ok_and(|marker| marker == ADOPTED)
}

/// The item as it is emitted after its attributes have been taken in by one of ours, with a rule or without: one of each
/// other kind stays and does nothing, so that its name is used where it was imported.
pub fn with_adopted(mut item: syn::ItemFn, of_rule: bool) -> syn::ItemFn {
    let mut used = Vec::new();
    item.attrs.retain_mut(|attribute| {
        let Some(kind) = kind(attribute) else { return true };
        if of_rule != (kind == Kind::Differentiate) || used.contains(&kind) {
            return false;
        }
        used.push(kind);
        let (path, marker) = (attribute.path().clone(), Ident::new(ADOPTED, Span::call_site()));
        attribute.meta = syn::parse_quote!(#path(#marker));
        true
    });
    item
}

/// Takes attributes of ours away.
pub fn remove_own(attributes: &mut Vec<syn::Attribute>) {
    attributes.retain(|attribute| kind(attribute).is_none());
}
