//! The compiler behind `#[differentiate]`, as a library over `proc-macro2`: what the macros call, and
//! what tests and tools look into. The map of its parts is in the crate docs of `cotangent-macros`.

mod analysis;
mod binding;
mod block;
mod check;
mod conversions;
pub mod debug;
mod depth;
mod derive;
mod diag;
mod emit;
mod graph;
mod hir;
pub mod inspect;
#[cfg(feature = "interpret")]
pub mod interpret;
mod ir;
mod lower;
mod module;
mod operators;
mod pipeline;
mod places;
mod primitive;
mod rows;
mod simplify;
mod source;
mod syntax;
mod transform;

pub use check::check;
pub use diag::Diagnostic;
use diag::Reports;
pub use inspect::{dump, text};
pub use pipeline::Stage;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syntax::attr::Arguments;
use syntax::signature::{Owner, OwnerKind};
use syntax::walk::{Node, Tree};

/// `#[differentiate(..)]`: the item as it stands, and its companion.
///
/// After an error the item is still emitted, with a companion whose functions have no bodies, so that
/// one mistake does not cause errors at every use.
pub fn differentiate(arguments: TokenStream, item: TokenStream) -> TokenStream {
    if syntax::attr::is_adopted(&arguments) {
        return item;
    }
    if let Some(errors) = nesting(&item) {
        return quote!(#item #errors);
    }
    binding::scope([&arguments.clone(), &item.clone()], || {
        let mut reports = Reports::default();
        let arguments = Arguments::parse(arguments, &mut reports);
        match syn::parse2::<syn::ItemFn>(item.clone()) {
            Ok(function) => beside(&item, function, arguments, reports),
            Err(error) => not_a_function(item, &error, &arguments, reports),
        }
    })
}

/// `#[primitive(..)]`: the function as it stands, and a companion with the derivatives that are given.
pub fn primitive(arguments: TokenStream, item: TokenStream) -> TokenStream {
    if syntax::attr::is_adopted(&arguments) {
        return item;
    }
    if let Some(errors) = nesting(&item) {
        return quote!(#item #errors);
    }
    binding::scope([&arguments.clone(), &item.clone()], || ruled(arguments, item))
}

/// `#[primitive]` on an item that is not too deeply nested.
fn ruled(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut reports = Reports::default();
    let (arguments, stands_for) = Arguments::primitive(arguments, &mut reports);
    match primitive::item(item.clone(), stands_for.as_ref()) {
        Ok(function) if stands_for.is_some() => {
            beside(&function.to_token_stream(), function, arguments, reports)
        }
        Ok(function) => beside(&item, function, arguments, reports),
        Err(error) if stands_for.is_some() => unruled(&item, &error, &error.to_string(), reports),
        Err(error) => not_a_primitive(&item, &error, reports),
    }
}

/// `#[zero_adjoint]`: likewise, with derivatives that are zero.
pub fn zero_adjoint(arguments: TokenStream, item: TokenStream) -> TokenStream {
    if syntax::attr::is_adopted(&arguments) {
        return item;
    }
    if let Some(errors) = nesting(&item) {
        return quote!(#item #errors);
    }
    binding::scope([&arguments.clone(), &item], || {
        let mut reports = Reports::default();
        let arguments = Arguments::zero_adjoint(arguments, &mut reports);
        match syn::parse2::<syn::ItemFn>(item.clone()) {
            Ok(function) => beside(&item, function, arguments, reports),
            Err(error) => not_a_primitive(&item, &error, reports),
        }
    })
}

/// The error of code that is nested more deeply than the stack allows.
fn nesting(tokens: &TokenStream) -> Option<TokenStream> {
    let place = depth::too_deep(tokens)?;
    let mut reports = Reports::default();
    reports.report(place, &diag::TOO_DEEP, &depth::MOST.to_string());
    Some(reports.to_tokens())
}

/// A function and its companion.
fn beside(
    item: &TokenStream,
    function: syn::ItemFn,
    mut arguments: Arguments,
    mut reports: Reports,
) -> TokenStream {
    let of_rule = arguments.rule().is_some();
    arguments.adopt(&function.attrs, &mut reports);
    arguments.check_function(&mut reports);
    let outer = outer(&function);
    let compiled = compiled(&function, &arguments, outer.clone(), reports);
    let (companion, errors) = compiled.parts(&function, &arguments, outer.is_some());
    let companion = match outer.is_none() && may_stand_in_block(&function) {
        true => emit::companion::doubtful::call(companion),
        false => companion,
    };
    if syntax::attr::has_own(&function) {
        let function = syntax::attr::with_adopted(function, of_rule);
        let function = syntax::plain(function.to_token_stream());
        return quote!(#function #errors #companion);
    }
    // The item's own tokens, not the parsed ones: invisible groups around what a macro passed on hold
    // only in them.
    let item = syntax::plain(item.clone());
    quote!(#item #errors #companion)
}

/// A function's derivatives.
#[derive(Clone, Default)]
struct Compiled {
    tokens: TokenStream,
    reports: Reports,
    /// The functions that it calls with active arguments.
    calls: Vec<syn::ExprPath>,
}

impl Compiled {
    /// The companion, and the errors that stand beside it.
    fn parts(
        self,
        function: &syn::ItemFn,
        arguments: &Arguments,
        is_member: bool,
    ) -> (TokenStream, TokenStream) {
        match self.reports.split() {
            // In an `impl` no type can stand.
            Some((last, others)) if !is_member => {
                let name = arguments.companion(&function.sig.ident);
                (emit::companion::erroneous(function, &name, &last), others)
            }
            _ => (self.tokens, self.reports.to_tokens()),
        }
    }
}

/// The companion. A body with conditions has one for each set of them that may hold.
fn compiled(
    function: &syn::ItemFn,
    arguments: &Arguments,
    outer: Option<Owner>,
    reports: Reports,
) -> Compiled {
    let Some(variants) = syntax::conditions::variants(function) else {
        return compiled_variant(function, arguments, outer, reports);
    };
    let mut whole = Compiled::default();
    let (mut refused, mut is_left) = (None, false);
    for variant in variants {
        let reports = reports.clone();
        let own = compiled_variant(&variant.function, arguments, outer.clone(), reports);
        if own.reports.is_empty() {
            is_left = true;
        } else if refused.is_none() {
            refused = Some(own.clone());
        }
        whole.calls.extend(own.calls.clone());
        if !own.reports.is_empty() && arguments.seen().is_some() {
            continue;
        }
        let (companion, errors) = own.parts(function, arguments, outer.is_some());
        let tokens = quote!(#companion #errors);
        whole.tokens.extend(syntax::conditions::under(&variant.predicate, tokens, outer.is_some()));
    }
    match refused {
        Some(refused) if !is_left => refused,
        _ => whole,
    }
}

/// The companion of a function without conditions. A broken invariant of the compiler's is an error at the function, like
/// any other: the item stays, and so do the errors of other functions.
fn compiled_variant(
    function: &syn::ItemFn,
    arguments: &Arguments,
    outer: Option<Owner>,
    mut reports: Reports,
) -> Compiled {
    let name = &function.sig.ident;
    let owner = outer.as_ref().map(|owner| owner.kind);
    let run = |reports: &mut Reports| companion_of(function, arguments, outer, reports);
    let (companion, calls) = caught(name.span(), &mut reports, run).unwrap_or_default();
    if owner == Some(OwnerKind::Implementation) {
        // No function can be added to a trait's `impl`.
        reports.confirm(name.span());
    }
    let doubt = reports.doubt(name).map(|doubt| late(doubt, name, owner.is_some()));
    Compiled { tokens: quote!(#companion #doubt), reports, calls }
}

/// Statements as an item that no name of the user's meets.
fn late(statements: TokenStream, name: &proc_macro2::Ident, is_member: bool) -> TokenStream {
    if !is_member {
        return quote!(const _: fn() = || { #statements };);
    }
    let bare = name.to_string();
    let hidden = quote::format_ident!("__{}_holds_together", bare.trim_start_matches("r#"));
    quote! {
        #[doc(hidden)]
        #[allow(dead_code)]
        fn #hidden() where Self: ::core::marker::Sized {
            #statements
        }
    }
}

/// The derivatives of a function of a module. Where a function that stands in the place of its call is not supported, what is
/// wrong is the call.
fn compiled_in_module(
    function: &syn::ItemFn,
    arguments: &Arguments,
    outer: Option<Owner>,
    reports: Reports,
) -> Compiled {
    let is_sound = reports.is_empty();
    let compiled = compiled(function, arguments, outer.clone(), reports);
    if !is_sound || compiled.reports.is_empty() || arguments.seen().is_none() {
        return compiled;
    }
    let alone = self::compiled(function, &arguments.clone().unseen(), outer, Reports::default());
    if alone.reports.is_empty() { alone } else { compiled }
}

/// Runs the compiler on a function of a name.
fn caught<T>(
    name: proc_macro2::Span,
    reports: &mut Reports,
    run: impl FnOnce(&mut Reports) -> T,
) -> Option<T> {
    let run = std::panic::AssertUnwindSafe(|| run(reports));
    std::panic::catch_unwind(run)
        .map_err(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or_default();
            let first = text.lines().next().unwrap_or_default();
            let message = format!(
                "this function breaks an invariant of cotangent: {first}\n = help: that is a bug; please report the function"
            );
            reports.push(name, message);
        })
        .ok()
}

/// The `impl` that a function stands in, as far as it shows.
fn outer(function: &syn::ItemFn) -> Option<Owner> {
    let generics = syn::Generics::default();
    let (kind, short) = (OwnerKind::Type, Default::default());
    is_method(function).then_some(Owner { generics, kind, object: None, ty: None, short })
}

/// Whether a function may stand in an `impl` or a trait, which does not show: what stands there is indented.
fn may_stand_in_block(function: &syn::ItemFn) -> bool {
    source::start(syn::spanned::Spanned::span(function)).is_some_and(|(_, column)| column > 1)
}

/// Whether other items may stand beside this one, as far as it shows.
fn stands_among_items(item: &TokenStream) -> bool {
    match syn::parse2::<syn::Item>(item.clone()) {
        Ok(syn::Item::Fn(function)) => !is_method(&function),
        Ok(item) => matches!(item, syn::Item::Impl(_) | syn::Item::Trait(_) | syn::Item::Mod(_)),
        Err(_) => false,
    }
}

/// Whether a function stands in an `impl`, as far as it shows.
fn is_method(function: &syn::ItemFn) -> bool {
    let is_self = |node: Node| match node {
        Node::Path(path) => path.segments.first().is_some_and(|first| first.ident == "Self"),
        _ => false,
    };
    let mut has_self = function.sig.receiver().is_some();
    let mut look = |node: Node| {
        has_self |= is_self(node);
        !matches!(node, Node::Item)
    };
    function.sig.walk(&mut look);
    function.block.walk(&mut look);
    has_self
}

fn not_a_function(
    item: TokenStream,
    error: &syn::Error,
    arguments: &Arguments,
    mut reports: Reports,
) -> TokenStream {
    match syn::parse2::<syn::Item>(item.clone()) {
        Ok(syn::Item::Impl(mut block)) => {
            let arguments = of_block(arguments, &mut block.attrs, &mut reports);
            return block::differentiate(block, &arguments, &mut reports);
        }
        Ok(syn::Item::Trait(mut item)) => {
            let arguments = of_block(arguments, &mut item.attrs, &mut reports);
            return block::differentiate_trait(item, &arguments, &mut reports);
        }
        Ok(syn::Item::Mod(mut module)) => {
            let arguments = of_block(arguments, &mut module.attrs, &mut reports);
            return module::differentiate(module, &arguments, &mut reports);
        }
        Ok(other) => reports.report(syn::spanned::Spanned::span(&other), &diag::NOT_A_FUNCTION, ""),
        Err(_) => match syn::parse2::<syn::TraitItemFn>(item.clone()) {
            Ok(member) => {
                reports.report(member.sig.ident.span(), &diag::NOT_A_FUNCTION, "");
            }
            Err(_) if syn::parse2::<syn::Expr>(item.clone()).is_ok() => {
                reports.report(diag::Extent::of(&item), &diag::NOT_A_FUNCTION, "");
                return reports.to_tokens();
            }
            Err(_) => reports.push(error.span(), error.to_string()),
        },
    }
    let errors = reports.to_tokens();
    quote!(#item #errors)
}

/// What all attributes of ours on a block say together.
fn of_block(
    arguments: &Arguments,
    attributes: &mut Vec<syn::Attribute>,
    reports: &mut Reports,
) -> Arguments {
    let mut all = arguments.clone();
    all.adopt(attributes, reports);
    syntax::attr::remove_own(attributes);
    all
}

fn not_a_primitive(item: &TokenStream, error: &syn::Error, reports: Reports) -> TokenStream {
    unruled(item, error, &format!("a rule is for a function: {error}"), reports)
}

/// What gets no rule: it stays, with what is wrong.
fn unruled(
    item: &TokenStream,
    error: &syn::Error,
    text: &str,
    mut reports: Reports,
) -> TokenStream {
    reports.report(error.span(), &diag::PRIMITIVE, text);
    let errors = reports.to_tokens();
    quote!(#item #errors)
}

fn companion_of(
    function: &syn::ItemFn,
    arguments: &Arguments,
    outer: Option<Owner>,
    reports: &mut Reports,
) -> (TokenStream, Vec<syn::ExprPath>) {
    binding::enter(function);
    let signature = syntax::signature::read(function, outer, arguments, reports);
    if !reports.is_empty() {
        return Default::default();
    }
    let name = signature.name.to_string();
    let is_dumped = std::env::var("COTANGENT_DUMP")
        .is_ok_and(|names| names.split(',').any(|wanted| wanted == name));
    if is_dumped {
        binding::keep_places();
    }
    if signature.owner.as_ref().is_some_and(|owner| owner.kind == OwnerKind::Declaration) {
        let declared = emit::companion::companion(function, &signature, arguments, None);
        return (declared, Vec::new());
    }
    let mut observe = |stage: Stage, label: &str, ir: &ir::Function| {
        if is_dumped {
            eprintln!("// {name}: {}, {label}\n{}", stage.name(), stage.text(ir));
        }
    };
    let derived = derived(&signature, function, arguments, reports, &mut observe);
    let tokens = emit::companion::companion(function, &signature, arguments, derived.as_ref());
    if is_dumped {
        let code = inspect::comments::pretty(&tokens, source::Source::of(function).as_ref());
        eprintln!("// {name}: rust\n{code}");
    }
    (tokens, derived.map(|derived| derived.calls).unwrap_or_default())
}

/// What is made from the body, if anything is.
fn derived(
    signature: &syntax::signature::Signature,
    function: &syn::ItemFn,
    arguments: &Arguments,
    reports: &mut Reports,
    observe: pipeline::Observer,
) -> Option<pipeline::Derived> {
    let is_derived = arguments.derives_forward() || arguments.derives_reverse();
    let derive = || pipeline::derive(signature, &function.block, arguments, reports, observe);
    is_derived.then(derive).flatten()
}

/// `#[derive(Differentiable)]`: the tangent type of a struct or an enum, and the impls of both.
pub fn derive(input: TokenStream) -> TokenStream {
    nesting(&input).unwrap_or_else(|| {
        binding::scope([&input.clone(), &TokenStream::new()], || derive::derive(input))
    })
}

/// What `function!` is given: a function, and of which order its derivatives are.
struct GivenFunction {
    function: syn::Expr,
    order: usize,
}

impl syn::parse::Parse for GivenFunction {
    fn parse(input: syn::parse::ParseStream) -> syn::Result<Self> {
        let function = input.parse()?;
        let mut order = 1;
        if input.parse::<Option<syn::Token![,]>>()?.is_some() && !input.is_empty() {
            let name: proc_macro2::Ident = input.parse()?;
            input.parse::<syn::Token![=]>()?;
            let number: syn::LitInt = input.parse()?;
            order = number.base10_parse()?;
            if name != "order" || !(1..=syntax::attr::MOST_ORDERS).contains(&order) {
                return Err(syn::Error::new(name.span(), "write `order = 2` behind the function"));
            }
        }
        Ok(GivenFunction { function, order })
    }
}

/// `function!(f)` and `function!(|x: f64| x.sin())`: a function with its derivatives as a value; with `order = 2`
/// those of that order.
pub fn function(input: TokenStream) -> TokenStream {
    if let Some(errors) = nesting(&input) {
        return quote!({ #errors });
    }
    let mut reports = Reports::default();
    let tokens = match syn::parse2::<GivenFunction>(input.clone()) {
        Ok(GivenFunction { function, order }) => {
            match lower::function(&function, order, &mut reports) {
                Some((code, proofs)) => {
                    let value = emit::function_value(&code, order);
                    if proofs.is_empty() { value } else { quote!({ #(#proofs)* #value }) }
                }
                None => TokenStream::new(),
            }
        }
        Err(error) => {
            reports.push(error.span(), error.to_string());
            TokenStream::new()
        }
    };
    reports.confirm(proc_macro2::Span::call_site());
    if reports.is_empty() {
        return tokens;
    }
    let errors = reports.to_tokens();
    quote!({ #errors })
}

/// The path of a companion, as the only thing in the macro by whose name rustc says what a function needs that has none.
pub fn companion(path: TokenStream) -> TokenStream {
    emit::companion_type(path)
}

/// A companion that may stand where none can, from the macro whose name tells rustc's reader what to do there.
pub fn companion_in_doubt(items: TokenStream) -> TokenStream {
    emit::companion::doubtful::item(items)
}

/// All diagnostics: each has a test of its name, and a row in the book's table of what is not supported.
pub fn diagnostics() -> &'static [&'static Diagnostic] {
    diag::TABLE
}

/// All notes: each has a test of its name.
pub fn notes() -> &'static [&'static inspect::notes::Note] {
    inspect::notes::NOTES
}

/// The names of the passes over derivatives, each of which the environment variable `COTANGENT_WITHOUT` can leave out.
pub fn passes() -> Vec<&'static str> {
    simplify::passes().collect()
}
