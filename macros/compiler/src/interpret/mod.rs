//! The IR as something that runs: the definition of each operation.
//!
//! In: functions in the text form (`ir/print.rs`), and arguments. Out: what a function returns, what it leaves in the
//! places that it was given, and what that cost; or a [`Fault`].
//!
//! The interpreter does what emitted code does, in the order of the instructions, and checks what rustc and the emitted
//! code check (bounds, `unwrap`, empty ranges), and what they cannot: a version that its place does not hold any more, an
//! entry of a tape that is popped and was not pushed, or pushed and not popped, a shadow of another shape, a value that is
//! undefined. `data.rs` has what there is, `machine.rs` blocks and places, `operation.rs` what has no block, `calls.rs`
//! calls and pullbacks, `rows.rs` numbers. Partial derivatives of rows are lowered from the table.
//!
//! What it does not know ends in [`Fault::Unsupported`]: items of the user's, methods and macros of unknown meaning, cells,
//! maps and enums, functions as arguments, tapes of states, and calls of recursive functions whose levels share a tape.
//! Integers are numbers of 64 bits whatever their type: a subtraction below zero is none of theirs.
//!
//! Nothing of this is in what users build: it needs the feature `interpret`, which the macros do not ask for.

mod analyses;
mod arguments;
mod calls;
mod data;
mod derive;
mod fault;
mod literal;
mod machine;
mod operation;
mod operations;
mod partials;
mod rows;

pub use data::{Datum, Pullback};
pub use derive::stages;
pub use fault::{Costs, Fault, Run};
pub use operations::Operations;

use crate::ir::{Access, Function, Op, parse};
use machine::{Frame, Machine};
use std::fmt;
use std::rc::Rc;

/// So many steps a run may take.
const LIMIT: u64 = 1_000_000;

/// Functions of the IR.
#[derive(Clone)]
pub struct Program {
    functions: Vec<Rc<Function>>,
}

/// What a run gives.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What is returned.
    pub returned: Vec<Datum>,
    /// What the places behind the parameters that are references hold in the end, in order.
    pub places: Vec<Datum>,
    /// What it cost.
    pub costs: Costs,
    /// The largest magnitude of what rows gave.
    pub largest: f64,
}

impl Program {
    /// The functions of a text.
    ///
    /// # Errors
    ///
    /// What is not of the text form, and where it stands; or which invariant of the IR does not hold.
    pub fn parse(text: &str) -> Result<Self, String> {
        let functions = parse::functions(text).map_err(|error| {
            let start = error.span().start();
            format!("{}:{}: {error}", start.line, start.column + 1)
        })?;
        derive::checked(functions)
    }

    /// The names of the functions, in order.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        self.functions.iter().map(|function| function.name.as_str()).collect()
    }

    /// The functions, and behind them those of others with other names.
    #[must_use]
    pub fn with_others(&self, others: &[Program]) -> Self {
        let others = others.iter().flat_map(|program| &program.functions);
        let is_new = |other: &&Rc<Function>| !self.names().contains(&other.name.as_str());
        let functions = self.functions.iter().chain(others.filter(is_new));
        Program { functions: functions.cloned().collect() }
    }

    /// The name of the function at a position.
    #[must_use]
    pub fn name(&self, position: usize) -> &str {
        &self.functions[position].name
    }

    /// Calls a function.
    ///
    /// # Errors
    ///
    /// Why there is no result.
    pub fn run(&self, name: &str, args: Vec<Datum>) -> Run<Outcome> {
        let mut machine = self.machine();
        let function = machine.function(name);
        let function =
            function.ok_or_else(|| Fault::Unsupported(format!("no function `{name}`")))?;
        let (returned, frame) = machine.run(function, args)?;
        Ok(Outcome {
            returned,
            places: places(&frame, &function.body.params)?,
            costs: machine.costs,
            largest: machine.largest,
        })
    }

    /// Calls a pullback that a run returned: with the references and their shadows, then the cotangents.
    ///
    /// # Errors
    ///
    /// Why there is no result.
    pub fn pull(&self, pullback: &Pullback, args: Vec<Datum>) -> Run<Outcome> {
        let mut machine = self.machine();
        let (returned, frame) = machine.run_pullback(pullback, args)?;
        let places = places(&frame, &pullback.body().params)?;
        Ok(Outcome { returned, places, costs: machine.costs, largest: machine.largest })
    }

    fn machine(&self) -> Machine<'_> {
        let (functions, costs) = (&self.functions, Costs::default());
        Machine { functions, costs, largest: 0.0, limit: LIMIT, depth: 0 }
    }
}

/// What is in the places of parameters that are references.
fn places(frame: &Frame, params: &[crate::ir::Value]) -> Run<Vec<Datum>> {
    let function = &frame.function;
    let slots = params.iter().filter_map(|param| function.slot_of(*param));
    let references = slots.filter(|slot| function.slot(*slot).access != Access::Owned);
    references.map(|slot| frame.contents(slot)).collect()
}

/// Lets go of what is remembered of all texts that this thread has parsed, which is their lines and columns. Programs that
/// were parsed must not be used any more.
pub fn forget_texts() {
    proc_macro2::extra::invalidate_current_thread_spans();
}

/// An operation as the text form has it.
fn shown(op: &Op) -> String {
    crate::ir::print::operation(op)
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.functions.iter().try_for_each(|function| writeln!(f, "{function}"))
    }
}
