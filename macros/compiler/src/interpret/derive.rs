//! Passes and derivatives of programs.

use super::Program;
use crate::diag::Reports;
use crate::ir::{Function, fingerprint::fingerprint, parse, verify};
use crate::pipeline::{self, Kind, Stage};
use crate::simplify;
use crate::syntax::attr::Arguments;
use crate::syntax::signature;
use std::rc::Rc;

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
        let run = named(pass)?;
        let each = self.functions.iter().map(|function| run((**function).clone()));
        checked(guarded(|| Ok(each.collect()))?)
    }

    /// The names of the passes over primals, of those over derivatives that are repeated, of those behind them, and of those
    /// at the end.
    #[must_use]
    pub fn schedule() -> [Vec<&'static str>; 4] {
        simplify::rows()
    }

    /// Lets a pass change the function at a position, of which the fingerprint is given. Says whether it does.
    ///
    /// # Errors
    ///
    /// As of [`apply`](Self::apply). The function is lost then.
    pub fn change(&mut self, pass: &str, position: usize, print: &mut u64) -> Result<bool, String> {
        let (run, place) = (named(pass)?, &mut self.functions[position]);
        let before = std::mem::replace(place, Rc::new(parse::empty()));
        let after = guarded(|| Ok(run(Rc::unwrap_or_clone(before))))?;
        let was = std::mem::replace(print, fingerprint(&after));
        if was != *print {
            guarded(|| verify::check(&after))?;
        }
        *place = Rc::new(after);
        Ok(was != *print)
    }

    /// Returns a number which another function at this position has only if it is the same.
    #[must_use]
    pub fn fingerprint(&self, position: usize) -> u64 {
        fingerprint(&self.functions[position])
    }

    /// The functions and their derivatives of this many orders, each as its transform makes it: those of a higher order
    /// are made of simplified ones of the order below.
    ///
    /// # Errors
    ///
    /// What the transforms report.
    pub fn derive(&self, orders: usize) -> Result<Self, String> {
        self.derived(orders, &|_| true)
    }

    /// The functions and their first derivatives, gradients of one function only. Values have no names in them.
    ///
    /// # Errors
    ///
    /// What the transforms report.
    pub fn derive_main(&self, main: &str) -> Result<Self, String> {
        Ok(self.derived(1, &|name| name == main)?.nameless())
    }

    /// The same without the names of values, which cost more than all else when functions are copied.
    fn nameless(mut self) -> Self {
        for function in &mut self.functions {
            let values = &mut Rc::make_mut(function).values;
            values.iter_mut().for_each(|value| value.name = String::new());
        }
        self
    }

    fn derived(&self, orders: usize, has_gradient: &dyn Fn(&str) -> bool) -> Result<Self, String> {
        let functions = guarded(|| {
            let mut functions: Vec<Function> = Vec::new();
            for primal in &self.functions {
                let name = &primal.name;
                let is_wanted = |kind| kind != Kind::Accumulate || has_gradient(name);
                let mut reports = Reports::default();
                let first = pipeline::transforms((**primal).clone(), &is_wanted, &mut reports);
                if let Some(message) = reports.messages().first() {
                    return Err(message.clone());
                }
                for (kind, function) in first {
                    functions.extend(tower(function, &|order| kind.name(order), orders));
                }
            }
            Ok(functions)
        });
        self.with(functions?)
    }

    /// The functions and the derivatives of the next order of derivatives that are wanted, likewise without names.
    ///
    /// # Errors
    ///
    /// What the transform makes breaks an invariant of the IR.
    pub fn raised(&self, is_wanted: &dyn Fn(&str) -> bool) -> Result<Self, String> {
        let functions = guarded(|| {
            let mut functions = Vec::new();
            for function in &self.functions {
                let wanted = Some(&function.name).filter(|name| is_wanted(name));
                if let Some((owner, kind)) = wanted.and_then(|name| name.split_once("::")) {
                    let mut next = pipeline::raised((**function).clone());
                    next.name = format!("{owner}::jvp_over_{kind}");
                    functions.push(next);
                }
            }
            Ok(functions)
        });
        Ok(self.with(functions?)?.nameless())
    }

    /// The same functions and others.
    fn with(&self, others: Vec<Function>) -> Result<Self, String> {
        let others = checked(others)?.functions;
        Ok(Program { functions: self.functions.iter().cloned().chain(others).collect() })
    }
}

/// The pass of a name.
fn named(pass: &str) -> Result<fn(Function) -> Function, String> {
    let found = simplify::named().find(|(name, _)| *name == pass);
    found.map(|(_, run)| run).ok_or_else(|| format!("there is no pass `{pass}`"))
}

/// A derivative and those of higher orders.
fn tower(first: Function, name: &dyn Fn(usize) -> String, orders: usize) -> Vec<Function> {
    let (owner, mut functions) = (first.name.clone(), Vec::new());
    let mut next = first;
    for order in 1..=orders {
        next.name = format!("{owner}::{}", name(order));
        functions.push(next.clone());
        if order < orders {
            next = pipeline::raised(simplify::optimize(next));
        }
    }
    functions
}

/// Functions that keep the invariants of the IR.
pub(super) fn checked(functions: Vec<Function>) -> Result<Program, String> {
    guarded(|| functions.iter().try_for_each(verify::check))?;
    Ok(Program { functions: functions.into_iter().map(Rc::new).collect() })
}

/// Runs the compiler; a broken invariant of its own is an error.
pub(super) fn guarded<T>(run: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
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
            seen.push((stage, Program { functions: vec![Rc::new(function.clone())] }));
        }
        Stage::Hir | Stage::Tape | Stage::Graph | Stage::Rust => {}
    };
    crate::derived(&signature, item, &arguments, &mut reports, &mut observe);
    if reports.is_empty() { Ok(seen) } else { Err(reports.messages()) }
}
