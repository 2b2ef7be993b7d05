//! Bindings of emitted code: hygiene that holds against items, too.
//!
//! Rust's hygiene tells local variables apart, but not items: an identifier in a pattern means the constant, the static
//! or the unit struct of its name, wherever the name comes from. Over a function a pattern may bind its name anew. So
//! the names that emitted code binds are imported as names of a function, around that code.
//!
//! In: the tokens of what is expanded. Out: identifiers to bind, and the import.
//!
//! **Invariant:** a name of the compiler's own is none that the user's tokens may look up, so that the import hides
//! nothing from them. Names of the user's variables need no import, since the user's own code binds them.

use crate::syntax::walk::{Node, Tree};
use crate::syntax::{hygiene, types};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use rustc_hash::FxHashSet as HashSet;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use syn::spanned::Spanned;

/// The names of one expansion.
#[derive(Default)]
struct Names {
    /// Those that the user's tokens may look up.
    spelled: HashSet<String>,
    /// Those of the user's variables in the function at hand.
    bound: HashSet<String>,
    /// Those that emitted code binds.
    own: BTreeSet<String>,
    /// Whether there will be an import around what is emitted now.
    is_surrounded: bool,
    /// Whether the body of the function at hand declares items, which paths may mean.
    has_items: bool,
    /// The companions that the items under way call.
    companions: Companions,
    /// The type of the `impl` that the function at hand stands in, where it has an alias.
    own_type: Option<syn::Type>,
    /// Where the function at hand calls something first, by what it calls, unless people are shown the code.
    first_calls: Option<BTreeMap<String, Span>>,
}

thread_local! {
    static NAMES: RefCell<Names> = RefCell::default();
}

/// Runs an expansion of these tokens.
pub fn scope<T>(tokens: [&TokenStream; 2], expand: impl FnOnce() -> T) -> T {
    let mut names = Names::default();
    tokens.into_iter().for_each(|tokens| names.spell(tokens));
    let outer = NAMES.replace(names);
    let expanded = expand();
    NAMES.set(outer);
    expanded
}

/// Says which function's variables keep their names from now on.
pub fn enter(function: &syn::ItemFn) {
    let (mut bound, mut has_items) = (HashSet::default(), false);
    function.walk(&mut |node| {
        match node {
            Node::Pat(pattern) => drop(bound.insert(bare(&pattern.ident.to_string()).to_owned())),
            Node::Receiver => drop(bound.insert("self".to_owned())),
            Node::Item => has_items = true,
            _ => {}
        }
        true
    });
    NAMES.with_borrow_mut(|names| {
        names.bound = bound;
        names.has_items = has_items;
        names.first_calls = Some(BTreeMap::new());
    });
}

/// Leaves names of derivatives at the places of their calls, for code that people are shown.
pub fn keep_places() {
    NAMES.with_borrow_mut(|names| names.first_calls = None);
}

/// Returns the alias of a companion, which the block around the items under way declares: rustc resolves its path once,
/// and so reports once that there is no companion. There is no alias where the function's own items may be meant.
pub fn companion(path: &TokenStream, named: impl FnOnce() -> TokenStream) -> Option<TokenStream> {
    let text = path.to_string();
    if NAMES.with_borrow(|names| names.has_items) || text.starts_with('$') {
        return None;
    }
    let name = text.rsplit(':').next().unwrap_or_default().trim().to_owned();
    let alias = alias(text, |number| format!("__companion_{number}_{}", bare(&name)), named)?;
    Some(alias.into_token_stream())
}

/// Returns an alias that the block around the items under way declares, if there is one.
fn alias(
    key: String,
    name: impl FnOnce(usize) -> String,
    meaning: impl FnOnce() -> TokenStream,
) -> Option<Ident> {
    NAMES.with_borrow_mut(|names| {
        let number = names.companions.len();
        let fresh = || (Ident::new(&name(number), Span::mixed_site()), meaning());
        names.is_surrounded.then(|| names.companions.entry(key).or_insert_with(fresh).0.clone())
    })
}

/// Makes the derivatives of a function of an `impl` of a type. Where they say what has no tangent type unless the type has
/// one, they say so by way of aliases, so that a missing derive is one error.
pub fn with_own_type<T>(ty: Option<syn::Type>, make: impl FnOnce() -> T) -> T {
    let outer = NAMES.with_borrow_mut(|names| std::mem::replace(&mut names.own_type, ty));
    let made = make();
    NAMES.with_borrow_mut(|names| names.own_type = outer);
    made
}

/// The keys of what is no companion, which no path is written as.
const OWN_TYPE: &str = "the type";
const OWN_TANGENT: &str = "the type's tangent";

/// Returns the alias of `Self`.
pub fn own_type() -> Option<Ident> {
    let ty = NAMES.with_borrow(|names| names.own_type.clone())?;
    let name = unspelled("__own_type");
    let meaning = || types::checked(&quote!(fn(#ty)), &TokenStream::new(), ty.span());
    alias(OWN_TYPE.to_owned(), |_| name, meaning)
}

/// Returns the alias of the tangent type of `Self`, which documentation shows.
pub fn own_tangent() -> Option<Ident> {
    let ty = NAMES.with_borrow(|names| names.own_type.clone())?;
    let syn::Type::Path(path) = &ty else { return None };
    let last = path.path.segments.last()?.ident.to_string();
    let name = unspelled(&format!("{}Tangent", bare(&last)));
    let meaning = || {
        let checked = types::checked(&quote!(fn(#ty)), &TokenStream::new(), ty.span());
        quote!(<#checked as ::cotangent::Differentiable>::Tangent)
    };
    alias(OWN_TANGENT.to_owned(), |_| name, meaning)
}

/// Returns the name of a derivative at the place of the first call that looks it up: rustc reports the same error at the
/// same place once, however often a function calls what has no derivatives.
pub fn at_first_call(derivative: &Ident, callee: &str, arguments: usize) -> Ident {
    let (mut derivative, span) = (derivative.clone(), derivative.span());
    NAMES.with_borrow_mut(|names| {
        let Some(first_calls) = &mut names.first_calls else { return };
        let key = format!("{callee} {derivative} {arguments}");
        derivative.set_span(span.located_at(*first_calls.entry(key).or_insert(span)));
    });
    derivative
}

/// An identifier that emitted code binds: the name, or one like it that the user's tokens do not contain.
pub fn local(name: &str) -> Ident {
    local_at(name, Span::mixed_site())
}

/// The same, with the hygiene of a span: names of parameters and those of a body's values stay apart.
pub fn local_at(name: &str, span: Span) -> Ident {
    let name = unspelled(name);
    declare(&name);
    hygiene::identifier(&name, span)
}

/// The name of an item that emitted code declares around code of the user's.
pub fn item(name: &str) -> Ident {
    Ident::new(&unspelled(name), Span::call_site())
}

/// A lifetime that emitted code declares.
pub fn lifetime(name: &str) -> syn::Lifetime {
    syn::Lifetime::new(&format!("'{}", unspelled(name)), Span::mixed_site())
}

/// The name, or one like it that the user's tokens do not contain.
fn unspelled(name: &str) -> String {
    let mut name = name.to_owned();
    while is_spelled(&name) {
        name.push('_');
    }
    name
}

/// Whether the user's tokens may look a name up.
pub fn is_spelled(name: &str) -> bool {
    NAMES.with_borrow(|names| names.spelled.contains(bare(name)))
}

/// Takes a name for a value, if it is a variable's of the user's, or none of the user's at all.
pub fn take(name: &str) -> bool {
    let is_bound = NAMES.with_borrow(|names| names.bound.contains(bare(name)));
    let is_free = is_bound || !is_spelled(name);
    if is_free && !is_bound {
        declare(name);
    }
    is_free
}

fn declare(name: &str) {
    NAMES.with_borrow_mut(|names| names.own.insert(bare(name).to_owned()));
}

/// The companions that items under way call, by the text of their paths, each with its alias.
pub type Companions = BTreeMap<String, (Ident, TokenStream)>;

/// Makes what will stand in such a block as [`surrounded`] makes, and says which companions it calls besides some.
pub fn within_surroundings<T>(companions: Companions, make: impl FnOnce() -> T) -> (T, Companions) {
    let (outer, others) = NAMES.with_borrow_mut(|names| {
        let outer = std::mem::replace(&mut names.is_surrounded, true);
        (outer, std::mem::replace(&mut names.companions, companions))
    });
    let made = make();
    let companions = NAMES.with_borrow_mut(|names| {
        names.is_surrounded = outer;
        std::mem::replace(&mut names.companions, others)
    });
    (made, companions)
}

/// A block around emitted items, in which patterns mean no item of the user's, and companions have aliases.
pub fn surrounded(items: impl FnOnce() -> TokenStream) -> TokenStream {
    surrounded_with(Companions::default(), items)
}

/// The same where parts of the items are made before.
pub fn surrounded_with(companions: Companions, items: impl FnOnce() -> TokenStream) -> TokenStream {
    let (items, companions) = within_surroundings(companions, items);
    let names: BTreeSet<String> = companions.values().map(|(alias, _)| alias.to_string()).collect();
    let (used, bound): (BTreeSet<String>, _) =
        mentioned(&items, &names).into_iter().partition(|name| names.contains(name));
    let imports = import(&bound);
    let used = companions.into_values().filter(|(alias, _)| used.contains(&alias.to_string()));
    let aliases = used.map(|(alias, companion)| {
        quote!(#[allow(dead_code, deprecated, non_camel_case_types)] type #alias = #companion;)
    });
    quote! {
        #[allow(unused_imports, non_local_definitions)]
        const _: () = {
            #imports
            #(#aliases)*
            #items
        };
    }
}

/// The import for the tokens of a block, without those names that are bound around it: a block's items are looked up
/// before.
pub fn imports(tokens: &TokenStream, outer: &[&Ident]) -> TokenStream {
    let mut bound = mentioned(tokens, &BTreeSet::new());
    for name in outer {
        bound.remove(bare(&name.to_string()));
    }
    import(&bound)
}

fn import(bound: &BTreeSet<String>) -> TokenStream {
    if NAMES.with_borrow(|names| names.is_surrounded) {
        return TokenStream::new();
    }
    let names = bound.iter().map(|name| match hygiene::is_identifier(name) {
        true => Ident::new(name, Span::mixed_site()),
        false => Ident::new_raw(name, Span::mixed_site()),
    });
    quote!(use ::cotangent::__private::{#(binding as #names),*};)
}

/// The names in some tokens that emitted code binds where an import is around it, and those of some aliases.
fn mentioned(tokens: &TokenStream, aliases: &BTreeSet<String>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    NAMES.with_borrow(|names| {
        let mut wanted = aliases.clone();
        if !names.is_surrounded {
            wanted.extend(names.own.iter().cloned());
        }
        if !wanted.is_empty() {
            find(tokens, &wanted, &mut found);
        }
    });
    found
}

fn find(tokens: &TokenStream, wanted: &BTreeSet<String>, found: &mut BTreeSet<String>) {
    for token in tokens.clone() {
        match token {
            TokenTree::Ident(ident) => {
                let text = ident.to_string();
                found.extend(wanted.get(bare(&text)).cloned());
            }
            TokenTree::Group(group) => find(&group.stream(), wanted, found),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

fn bare(name: &str) -> &str {
    name.trim_start_matches("r#")
}

impl Names {
    /// Collects the identifiers that are not behind a dot or a path's colons, those in texts with braces included.
    fn spell(&mut self, tokens: &TokenStream) {
        let mut before = [' '; 2];
        for token in tokens.clone() {
            let next = match token {
                TokenTree::Ident(ident) => {
                    let is_member = before[1] == '.' && before[0] != '.' || before == [':'; 2];
                    if !is_member {
                        self.spelled.insert(bare(&ident.to_string()).to_owned());
                    }
                    ' '
                }
                TokenTree::Group(group) => {
                    self.spell(&group.stream());
                    ' '
                }
                TokenTree::Punct(punct) => punct.as_char(),
                TokenTree::Literal(literal) => {
                    let text = literal.to_string();
                    if text.contains('{') {
                        let words =
                            text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
                        self.spelled.extend(words.map(str::to_owned));
                    }
                    ' '
                }
            };
            before = [before[1], next];
        }
    }
}

#[cfg(test)]
mod tests {
    use proc_macro2::TokenStream;
    use quote::quote;

    // Otherwise a module's code would grow with the square of its functions.
    #[test]
    fn a_companion_imports_the_names_that_it_binds() {
        let module = quote! {
            mod waves {
                // The derivative of a cosine has a value `neg`, and that of a sine has none.
                pub fn first(x: f64) -> f64 { let y = x.cos(); y * y.exp() }
                pub fn second(x: f64) -> f64 { let y = x.sin(); y * y.exp() }
            }
        };
        let emitted = crate::differentiate(TokenStream::new(), module).to_string();
        let lists = emitted.split("use ::").filter_map(|text| text.split('}').next());
        let naming = |name: &str| lists.clone().filter(|list| list.contains(name)).count();
        assert_eq!([naming("binding as neg "), naming("binding as exp ")], [1, 2]);
    }
}
