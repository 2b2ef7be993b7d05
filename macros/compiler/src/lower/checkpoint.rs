//! `#[checkpoint]` on loops: which states of a loop are kept.
//!
//! In: a function's block as written. Out: the same without the attributes, which become the first statement of
//! their loop's body, since bodies are what stays of loops when these are rewritten. Lowering a loop reads it
//! back as the loop's [`Schedule`].

use super::{Lower, reserved};
use crate::diag::{self, Extent, Reports};
use crate::ir::{Schedule, Value};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Expr};

const NAME: &str = "checkpoint";

/// What stands in the attribute.
struct Arguments {
    schedule: Schedule,
    given: Option<Expr>,
}

impl Parse for Arguments {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        if input.is_empty() {
            return Ok(Arguments { schedule: Schedule::Root, given: None });
        }
        let name: Ident = input.parse()?;
        let schedule = match name.to_string().as_str() {
            "every" => Schedule::Every,
            "snapshots" => Schedule::Snapshots,
            _ => return Err(syn::Error::new(name.span(), "no such argument")),
        };
        input.parse::<syn::Token![=]>()?;
        let given = Some(input.parse()?);
        input.parse::<Option<syn::Token![,]>>()?;
        Ok(Arguments { schedule, given })
    }
}

fn is_checkpoint(attribute: &Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|last| last.ident == NAME)
}

/// Moves all attributes of a block into the bodies of their loops.
pub fn mark(block: &mut syn::Block, reports: &mut Reports) {
    Marking { reports }.visit_block_mut(block);
}

struct Marking<'r> {
    reports: &'r mut Reports,
}

impl Marking<'_> {
    fn take(&mut self, attributes: &mut Vec<Attribute>, body: &mut syn::Block) {
        for attribute in attributes.extract_if(.., |attribute| is_checkpoint(attribute)) {
            let arguments = match &attribute.meta {
                syn::Meta::Path(_) => syn::parse2(TokenStream::new()),
                _ => attribute.parse_args::<Arguments>(),
            };
            match arguments {
                Ok(Arguments { schedule, given }) => {
                    let span = attribute.path().span();
                    body.stmts.insert(0, reserved::checkpoint(schedule, given.as_ref(), span));
                }
                Err(error) => self.reports.report(error.span(), &diag::CHECKPOINT, ""),
            }
        }
    }
}

impl VisitMut for Marking<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Some((attributes, body)) = loop_parts(expr) {
            self.take(attributes, body);
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    /// On a `let`, it is that of the loop whose value is bound.
    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        if let Some(init) = &mut local.init
            && let Some((_, body)) = loop_parts(&mut init.expr)
        {
            self.take(&mut local.attrs, body);
        }
        visit_mut::visit_local_mut(self, local);
    }

    /// What is left stands on something else.
    fn visit_attribute_mut(&mut self, attribute: &mut Attribute) {
        if is_checkpoint(attribute) {
            self.reports.report(Extent::of(attribute.path()), &diag::CHECKPOINT, "");
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// The attributes and the body of a loop.
fn loop_parts(expr: &mut Expr) -> Option<(&mut Vec<Attribute>, &mut syn::Block)> {
    match expr {
        Expr::ForLoop(repeat) => Some((&mut repeat.attrs, &mut repeat.body)),
        Expr::While(repeat) => Some((&mut repeat.attrs, &mut repeat.body)),
        Expr::Loop(repeat) => Some((&mut repeat.attrs, &mut repeat.body)),
        _ => None,
    }
}

/// An item without the attribute, which only the derivatives know.
pub fn plain(item: TokenStream) -> TokenStream {
    let mut found = false;
    let plain = without(item.clone(), &mut found);
    if found { plain } else { item }
}

fn without(tokens: TokenStream, found: &mut bool) -> TokenStream {
    let mut kept: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let TokenTree::Group(group) = &token else {
            kept.push(token);
            continue;
        };
        let is_behind_hash =
            matches!(kept.last(), Some(TokenTree::Punct(punct)) if punct.as_char() == '#');
        if is_behind_hash && group.delimiter() == Delimiter::Bracket && names_it(group) {
            kept.pop();
            *found = true;
            continue;
        }
        let inner = without(group.stream(), found);
        let is_left = !inner.is_empty() || group.stream().is_empty();
        if group.delimiter() == Delimiter::None && !is_left {
            // Around nothing, an invisible group would be read as an expression that is missing.
            continue;
        }
        let mut again = Group::new(group.delimiter(), inner);
        again.set_span(group.span());
        kept.push(TokenTree::Group(again));
    }
    kept.into_iter().collect()
}

fn names_it(group: &Group) -> bool {
    let path = syn::parse::Parser::parse2(
        |input: ParseStream| {
            let meta: syn::Path = input.call(syn::Path::parse_mod_style)?;
            input.parse::<TokenStream>()?;
            Ok(meta)
        },
        group.stream(),
    );
    path.is_ok_and(|path| path.segments.last().is_some_and(|last| last.ident == NAME))
}

/// What stands in a loop's body, and where the attribute stood.
struct Mark {
    schedule: Schedule,
    given: Option<Expr>,
    span: Span,
}

/// What a loop's body says about its schedule, wherever rewriting has left it.
fn mark_of(body: &syn::Block) -> Option<Mark> {
    struct Marks(Option<Mark>);
    impl<'ast> Visit<'ast> for Marks {
        fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
            if let Some((schedule, given)) = reserved::as_checkpoint(call) {
                self.0.get_or_insert(Mark { schedule, given, span: call.func.span() });
            }
            visit::visit_expr_call(self, call);
        }

        fn visit_expr_for_loop(&mut self, _: &'ast syn::ExprForLoop) {}

        fn visit_expr_while(&mut self, _: &'ast syn::ExprWhile) {}

        fn visit_expr_loop(&mut self, _: &'ast syn::ExprLoop) {}

        fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}

        fn visit_item(&mut self, _: &'ast syn::Item) {}
    }
    let mut marks = Marks(None);
    marks.visit_block(body);
    marks.0
}

impl Lower<'_> {
    /// The schedule of a loop with the place of its attribute, and what it is given, which is evaluated before the loop.
    pub(super) fn schedule(&mut self, body: &syn::Block) -> (Option<(Schedule, Span)>, Vec<Value>) {
        let Some(mark) = mark_of(body) else {
            return (None, Vec::new());
        };
        let given = mark.given.map(|given| self.expr(&given));
        (Some((mark.schedule, mark.span)), given.into_iter().collect())
    }
}
