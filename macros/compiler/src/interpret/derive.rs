//! Passes and derivatives of programs.

use super::Program;
use crate::diag::Reports;
use crate::ir::{Function, verify};
use crate::pipeline::{self, Stage};
use crate::simplify;
use crate::syntax::attr::Arguments;
use crate::syntax::signature;

impl Program {
    /// The names of all passes that [`apply`](Self::apply) knows.
    #[must_use]
    pub fn passes() -> Vec<&'static str> {
        simplify::named().map(|(name, _)| name).collect()
    }

    /// What a pass makes of each function.
    ///
    /// # Errors
    ///
    /// No pass has this name, or what it makes breaks an invariant of the IR.
    pub fn apply(&self, pass: &str) -> Result<Self, String> {
        let found = simplify::named().find(|(name, _)| *name == pass);
        let (_, run) = found.ok_or_else(|| format!("there is no pass `{pass}`"))?;
        checked(guarded(|| Ok(self.functions.iter().cloned().map(run).collect()))?)
    }

    /// The functions and their derivatives of this many orders, each as its transform makes it: those of a higher order
    /// are made of simplified ones of the order below.
    ///
    /// # Errors
    ///
    /// What the transforms report.
    pub fn derive(&self, orders: usize) -> Result<Self, String> {
        let functions = guarded(|| {
            let mut functions = self.functions.clone();
            for primal in &self.functions {
                let mut observe = |stage: Stage, _: &str, function: &Function| match stage {
                    Stage::Forward | Stage::Reverse => functions.push(function.clone()),
                    _ => {}
                };
                let mut reports = Reports::default();
                pipeline::derivatives(primal.clone(), orders, &mut reports, &mut observe);
                if let Some(message) = reports.messages().first() {
                    return Err(message.clone());
                }
            }
            Ok(functions)
        });
        checked(functions?)
    }
}

/// Functions that keep the invariants of the IR.
pub(super) fn checked(functions: Vec<Function>) -> Result<Program, String> {
    guarded(|| functions.iter().try_for_each(verify::check))?;
    Ok(Program { functions })
}

/// Runs the compiler; a broken invariant of its own is an error.
fn guarded<T>(run: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
    caught.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        Err(format!("the compiler panics: {}", text.unwrap_or_default()))
    })
}

/// All functions of all stages that are IR, as the run that users get makes them.
///
/// # Errors
///
/// The errors that the macro would report on the function.
pub fn stages(item: &syn::ItemFn) -> Result<Vec<(Stage, Program)>, Vec<String>> {
    let mut reports = Reports::default();
    let arguments = Arguments::of_item(item, &mut reports);
    let signature = signature::read(item, crate::outer(item), &arguments, &mut reports);
    if !reports.is_empty() {
        return Err(reports.messages());
    }
    let mut seen = Vec::new();
    let mut observe = |stage: Stage, _: &str, function: &Function| match stage {
        Stage::Primal | Stage::Forward | Stage::Reverse | Stage::Optimized => {
            seen.push((stage, Program { functions: vec![function.clone()] }));
        }
        Stage::Hir | Stage::Tape | Stage::Graph | Stage::Rust => {}
    };
    crate::derived(&signature, item, &arguments, &mut reports, &mut observe);
    if reports.is_empty() { Ok(seen) } else { Err(reports.messages()) }
}
