//! Whether passes keep what the derivatives of a function of Rust mean.
//!
//! In: a function with `#[differentiate]`. Out: nothing, or what is wrong. Each derivative is run with arguments that fit
//! its parameters, and run again after each pass that changes it. What the interpreter does not know is counted by its
//! cause. Only what passes do is looked at: that the derivatives are right is for the tests of the corpus.

use super::judge::{Counts, Failure, derived_passes, is_near};
use crate::programs::random::Random;
use cotangent_compiler::Stage;
use cotangent_compiler::interpret::{Datum, Fault, Outcome, Program, stages};
use std::collections::BTreeMap;
use syn::parse::{Parse, ParseStream};
use syn::visit::Visit;

/// What was judged.
#[derive(Default)]
pub struct Judged {
    /// Derivatives that were run.
    pub run: u64,
    /// Derivatives that were not, by what the interpreter does not know or does not take.
    pub unsupported: BTreeMap<String, u64>,
}

/// Judges the derivatives of functions that stand in one file, and may call one another. A function that the macro refuses
/// has none. Returns what is wrong, with the name of the derivative.
pub fn judge_functions(
    items: &[syn::ItemFn],
    counts: &mut Counts,
    judged: &mut Judged,
) -> Vec<(String, Failure)> {
    let is_run = |stage: Stage| matches!(stage.name(), "primal" | "forward" | "reverse");
    let all = items.iter().flat_map(|item| stages(item).unwrap_or_default());
    let all: Vec<Program> =
        all.filter(|(stage, _)| is_run(*stage)).map(|(_, program)| program).collect();
    let derived = all.iter().filter(|program| program.name(0).contains("::"));
    let mut failures = Vec::new();
    for program in derived {
        let (program, name) = (program.with_others(&all), program.name(0).to_owned());
        let before = match run(&program) {
            Err(Fault::Unsupported(cause) | Fault::Broken(cause)) => {
                *judged.unsupported.entry(kind(&cause)).or_default() += 1;
                continue;
            }
            before => before,
        };
        judged.run += 1;
        let mut compare = |next: &Program, _: &str| same(&before, &run(next));
        let result = derived_passes(program, &|other| other == name, &mut compare, counts);
        failures.extend(result.err().map(|failure| (name, failure)));
    }
    failures
}

/// What a run gives, and what the pullback that it returns gives.
type Ran = Result<Vec<Outcome>, Fault>;

fn run(program: &Program) -> Ran {
    let mut random = Random::new(1);
    let mut next = || random.between(0.5, 1.5);
    let args = program.arguments(0, &mut next)?;
    let outcome = program.run(program.name(0), args)?;
    let pullbacks = outcome.returned.iter();
    let pullback = pullbacks.rev().find_map(|datum| match datum {
        Datum::Pullback(pullback) => Some(pullback),
        _ => None,
    });
    let Some(pullback) = pullback else { return Ok(vec![outcome]) };
    let args = pullback.arguments(&outcome.places, &mut next)?;
    let pulled = program.pull(pullback, args)?;
    Ok(vec![outcome, pulled])
}

/// Results are the same up to the rounding of sums; the value, which is returned first, is bit for bit.
fn same(before: &Ran, after: &Ran) -> Result<(), String> {
    let (before, after) = match (before, after) {
        (Ok(before), Ok(after)) => (before, after),
        (Err(Fault::Panic(_)), Err(Fault::Panic(_))) => return Ok(()),
        (Err(a), Err(b)) if a == b => return Ok(()),
        (_, Err(fault)) => return Err(fault.to_string()),
        (Err(fault), Ok(_)) => return Err(format!("a result in the place of {fault}")),
    };
    let value = |ran: &[Outcome]| ran[0].returned.first().cloned();
    let is_value = match (value(before), value(after)) {
        (Some(a), Some(b)) => a.is_identical(&b),
        (a, b) => a.is_none() && b.is_none(),
    };
    let floats = |ran: &[Outcome]| -> Vec<f64> {
        let data = ran.iter().flat_map(|outcome| outcome.returned.iter().chain(&outcome.places));
        data.flat_map(Datum::floats).collect()
    };
    let (a, b) = (floats(before), floats(after));
    // What is single is what it was as a single.
    let is_near = |a: f64, b: f64| {
        let is_single = f64::from(a as f32) == a && f64::from(b as f32) == b;
        is_near(a, b) || is_single && (a - b).abs() <= 1e-5 * (1.0 + a.abs())
    };
    let is_same = a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| is_near(*a, *b));
    if is_value && is_same { Ok(()) } else { Err(format!("{b:?} in the place of {a:?}")) }
}

/// A cause without names and numbers.
fn kind(cause: &str) -> String {
    let quoted = cause.split('`').enumerate();
    let words = quoted.map(|(position, part)| if position % 2 == 1 { ".." } else { part });
    words.collect::<String>().split([' ', '[']).take(6).collect::<Vec<_>>().join(" ")
}

/// All functions with derivatives of a source file: those with the attribute, and those of macros of rows.
///
/// # Errors
///
/// The file is not Rust.
pub fn functions(text: &str) -> syn::Result<Vec<syn::ItemFn>> {
    let mut found = Found::default();
    found.visit_file(&syn::parse_file(text)?);
    Ok(found.0)
}

#[derive(Default)]
struct Found(Vec<syn::ItemFn>);

impl<'s> Visit<'s> for Found {
    fn visit_item_fn(&mut self, function: &'s syn::ItemFn) {
        let mut paths = function.attrs.iter().map(syn::Attribute::path);
        if paths.any(|path| path.segments.last().is_some_and(|last| last.ident == "differentiate"))
        {
            self.0.push(function.clone());
        }
        syn::visit::visit_item_fn(self, function);
    }

    fn visit_macro(&mut self, rows: &'s syn::Macro) {
        let Ok(Rows(functions)) = syn::parse2(rows.tokens.clone()) else { return };
        self.0.extend(functions.into_iter().map(|mut function| {
            function.attrs.push(syn::parse_quote!(#[differentiate]));
            function
        }));
    }
}

/// The functions of a macro of rows: what stands behind each, up to a semicolon, is of no interest here.
pub struct Rows(pub Vec<syn::ItemFn>);

impl Parse for Rows {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let mut functions = Vec::new();
        while !input.is_empty() {
            functions.push(input.parse()?);
            while !input.peek(syn::Token![;]) {
                input.parse::<proc_macro2::TokenTree>()?;
            }
            input.parse::<syn::Token![;]>()?;
        }
        Ok(Rows(functions))
    }
}
