//! Stages of the compiler for people and tools.
//!
//! In: a function, and which stage is wanted. Out: its text, or what is wrong with the function. The run is the one that
//! users get (`pipeline.rs`), with an observer. `comments.rs` puts source lines above emitted
//! code; `file.rs` finds the functions of a source file; `notes.rs` says what is right and probably not meant.

pub(crate) mod comments;
mod file;
pub mod notes;

use crate::diag::{self, Reports};
use crate::ir::Function;
use crate::pipeline::Stage;
use crate::source::Source;
use crate::syntax::attr::Arguments;
use crate::syntax::conditions;
use crate::syntax::signature;
use crate::syntax::signature::Owner;
use crate::{derived, emit, graph, hir, outer};
pub use file::{Message, Subject, Summary, subjects};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

/// `dump!(stage, fn ..)`: a string literal with the text of one stage.
pub fn dump(input: TokenStream) -> TokenStream {
    if let Some(errors) = crate::nesting(&input) {
        return quote!({ #errors "" });
    }
    let mut reports = Reports::default();
    match syn::parse2::<DumpInput>(input) {
        Ok(input) => match Stage::named(&input.stage.to_string()) {
            Some(stage) => {
                if let Some(text) = stage_text(stage, &input.function, &mut reports) {
                    return text.to_token_stream();
                }
            }
            None => reports.report(input.stage.span(), &diag::STAGE, &input.stage.to_string()),
        },
        Err(error) => reports.push(error.span(), error.to_string()),
    }
    reports.confirm(proc_macro2::Span::call_site());
    let errors = reports.to_tokens();
    quote!({ #errors "" })
}

struct DumpInput {
    stage: syn::Ident,
    function: syn::ItemFn,
}

impl syn::parse::Parse for DumpInput {
    fn parse(input: syn::parse::ParseStream) -> syn::Result<Self> {
        let stage = input.parse()?;
        input.parse::<syn::Token![,]>()?;
        Ok(DumpInput { stage, function: input.parse()? })
    }
}

/// The text of one stage of a function, for tools and tests; or the messages of its errors.
pub fn text(stage: Stage, function: &syn::ItemFn) -> Result<String, Vec<String>> {
    let mut reports = Reports::default();
    stage_text(stage, function, &mut reports).ok_or_else(|| reports.messages())
}

fn stage_text(stage: Stage, function: &syn::ItemFn, reports: &mut Reports) -> Option<String> {
    let arguments = Arguments::of_item(function, reports);
    let asked = Asked { function, arguments: &arguments, owner: outer(function) };
    let seen = asked.run(stage, reports)?;
    Some(seen.text)
}

/// A function with what its attributes and its block say.
struct Asked<'a> {
    function: &'a syn::ItemFn,
    arguments: &'a Arguments,
    owner: Option<Owner>,
}

/// What an observer saw of a run.
#[derive(Default)]
struct Seen {
    /// The text of the stage that was asked for.
    text: String,
    primal: Option<Function>,
    /// The reverse derivatives, as the report on tapes has them.
    reverse: Vec<Function>,
    /// What the function's author should look at.
    notes: Vec<String>,
}

impl Asked<'_> {
    /// Runs the compiler, on a body with conditions as it is where none holds. Nothing is returned where errors were
    /// reported.
    fn run(&self, stage: Stage, reports: &mut Reports) -> Option<Seen> {
        let Asked { arguments, owner, .. } = self;
        let bare = conditions::bare(self.function);
        let function = bare.as_ref().unwrap_or(self.function);
        let signature = signature::read(function, owner.clone(), arguments, reports);
        if !reports.is_empty() {
            return None;
        }
        let mut seen = Seen::default();
        let mut observe = |at: Stage, _: &str, ir: &Function| {
            if at == stage {
                seen.text.push_str(&at.text(ir));
            }
            match at {
                Stage::Primal => seen.primal = Some(ir.clone()),
                Stage::Tape => seen.reverse.push(ir.clone()),
                _ => {}
            }
        };
        let derived = derived(&signature, function, arguments, reports, &mut observe);
        match stage {
            Stage::Hir => {
                seen.text = hir::build::build(&signature, &function.block, reports).to_string()
            }
            Stage::Rust => {
                let tokens =
                    emit::companion::derivatives(function, &signature, arguments, derived.as_ref());
                seen.text = comments::pretty(&tokens, Source::of(function).as_ref());
            }
            Stage::Graph => match seen.picture(function) {
                Some(picture) => seen.text = picture,
                None if reports.is_empty() => {
                    let name = &signature.name;
                    reports.report(name.span(), &diag::NOTHING_TO_DRAW, &name.to_string());
                }
                None => {}
            },
            _ => {}
        }
        if let Some(primal) = &seen.primal {
            seen.notes = notes::notes(&signature, primal, seen.reverse.first());
        }
        if matches!(stage, Stage::Tape | Stage::Rust) {
            let head = seen.notes.iter().map(|note| stage.note(note));
            seen.text = head.chain([std::mem::take(&mut seen.text)]).collect();
        }
        reports.is_empty().then_some(seen)
    }
}

impl Seen {
    /// The picture of what there is. Tapes are those of the gradient, or of `vjp` where there is none.
    fn picture(&self, item: &syn::ItemFn) -> Option<String> {
        let (primal, derivative) = (self.primal.as_ref()?, self.reverse.first());
        Some(graph::draw(&graph::Subject { item, primal, derivative }))
    }
}
