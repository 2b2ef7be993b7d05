//! What analyses say of a program, as text.
//!
//! In: functions and the name of an analysis. Out: lines for each function. Where an analysis says nothing of a function,
//! its lines are empty.

use super::Program;
use super::derive::guarded;
use crate::analysis::loans::loans;
use crate::analysis::numbering::Numbering;
use crate::analysis::refills::refills;
use crate::analysis::sections::Nest;
use crate::analysis::{activity, audit::audit, liveness, shapes, sums, tapes};
use crate::diag::Reports;
use crate::ir::entity::EntitySet;
use crate::ir::{Access, Block, Function, Inst, Op, Slot, Value, index_count};

impl Program {
    /// What an analysis says of each function:
    ///
    /// | analysis | |
    /// |---|---|
    /// | `activity` | which values vary with parameters, and on which of these the result depends |
    /// | `audit` | what an active value may not end in |
    /// | `liveness` | reads of places that are used later, and versions that are used behind blocks |
    /// | `loans` | reads that are lent or moved, and versions of places that were emptied |
    /// | `numbering` | integers that are computed like others |
    /// | `refills` | reads of parts that are written next |
    /// | `sections` | what is known of the indices of writes in nests of loops |
    /// | `shapes` | into how many layers of a parameter the function looks |
    /// | `sums` | whether a pullback keeps something of the operands |
    /// | `tape` | what is kept for the way back |
    ///
    /// # Errors
    ///
    /// There is no such analysis.
    pub fn analyse(&self, analysis: &str) -> Result<String, String> {
        let of: fn(&Function) -> String = match analysis {
            "activity" => active,
            "audit" => audited,
            "liveness" => live,
            "loans" => lent,
            "numbering" => numbered,
            "refills" => refilled,
            "sections" => sections,
            "shapes" => layered,
            "sums" => kept,
            "tape" => tapes::report,
            _ => return Err(format!("there is no analysis `{analysis}`")),
        };
        guarded(|| Ok(self.functions.iter().map(|function| of(function)).collect()))
    }
}

/// All values, in the order of their definitions.
fn defined(function: &Function) -> Vec<Value> {
    let mut defined = function.body.params.clone();
    function.body.walk(&mut |inst, _| {
        defined.extend(inst.op.blocks().flat_map(|block| &block.params));
        defined.extend(&inst.results);
    });
    defined
}

/// A line with the values that satisfy a condition.
fn row(function: &Function, title: &str, holds: &dyn Fn(Value) -> bool) -> String {
    let found = defined(function).into_iter().filter(|value| holds(*value));
    let found: Vec<String> = found.map(|value| value.to_string()).collect();
    format!("{title}: {}\n", found.join(", "))
}

/// The values that vary, and those that are active.
fn active(function: &Function) -> String {
    let activity = activity::analyse(function);
    let varied = row(function, "varied", &|value| activity.is_varied(value));
    varied + &row(function, "active", &|value| activity.is_active(function, value))
}

/// What is wrong, or the function with what rustc is asked to prove.
fn audited(function: &Function) -> String {
    let (mut function, mut reports) = (function.clone(), Reports::default());
    let activity = activity::analyse(&function);
    audit(&mut function, &activity, &EntitySet::default(), &mut reports);
    match reports.messages() {
        messages if messages.is_empty() => format!("{function}\n"),
        messages => messages.join("\n"),
    }
}

fn live(function: &Function) -> String {
    let behind = liveness::behind(function);
    let mut text = row(function, "read early", &|value| behind.is_early(value));
    function.body.walk(&mut |inst, _| {
        for (position, block) in inst.op.blocks().enumerate() {
            let title = format!("used behind block {position} of {}", results(inst));
            let used = row(function, &title, &|value| behind.is_used(value, block.id));
            text.push_str(&used);
        }
    });
    text
}

/// The results of an instruction with blocks.
fn results(inst: &Inst) -> String {
    let results: Vec<String> = inst.results.iter().map(Value::to_string).collect();
    results.join(", ")
}

fn lent(function: &Function) -> String {
    let loans = loans(function);
    row(function, "lent", &|value| loans.is_lent(value))
        + &row(function, "moved", &|value| loans.is_moved(value))
        + &row(function, "refilled", &|value| loans.is_refilled(value))
}

fn numbered(function: &Function) -> String {
    let numbering = Numbering::of(function);
    let each = defined(function).into_iter().map(|value| (value, numbering.number(value)));
    let alike = each.filter(|(value, first)| value != first);
    alike.map(|(value, first)| format!("{value} is {first}\n")).collect()
}

fn refilled(function: &Function) -> String {
    let refills = refills(function);
    let read = |version: Value| Some((version, refills.read_before(version)?));
    let found = defined(function).into_iter().filter_map(read);
    let lines = found.map(|(version, read)| {
        let may_move = if refills.may_move(read) { ", and may be moved out" } else { "" };
        format!("{read} is read before {version}{may_move}\n")
    });
    lines.collect()
}

/// What is known of each index of a write, of the whole nest of loops around it.
fn sections(function: &Function) -> String {
    let mut text = String::new();
    in_nest(&Numbering::of(function), &function.body, &mut Vec::new(), &mut text);
    text
}

fn in_nest<'f>(
    numbering: &Numbering,
    block: &'f Block,
    loops: &mut Vec<&'f Inst>,
    text: &mut String,
) {
    for inst in &block.insts {
        if let (Op::Store(path), false) = (&inst.op, loops.is_empty()) {
            let nest = Nest::new(numbering, loops);
            for index in &inst.args[1..=index_count(path)] {
                let known = [
                    ("its ends are known", nest.has_ends(*index)),
                    ("it is dense", nest.is_dense(*index)),
                    ("each is of one iteration", nest.is_of_one_iteration(*index)),
                ];
                let known = known.iter().filter(|(_, holds)| *holds).map(|(title, _)| *title);
                let known: Vec<&str> = known.collect();
                text.push_str(&format!("{index}: {}\n", known.join(", ")));
            }
        }
        let is_loop = matches!(inst.op, Op::Loop(_));
        loops.extend(is_loop.then_some(inst));
        for inner in inst.op.blocks() {
            in_nest(numbering, inner, loops, text);
        }
        loops.truncate(loops.len() - usize::from(is_loop));
    }
}

fn layered(function: &Function) -> String {
    let slots = function.body.params.iter().filter_map(|param| function.slot_of(*param));
    let behind = |slot: &Slot| function.slot(*slot).access != Access::Owned;
    let lines = slots.filter(behind).map(|slot| match shapes::layers(function, slot) {
        Some(layers) => format!("@{}: {layers}\n", slot.0),
        None => format!("@{}: all\n", slot.0),
    });
    lines.collect()
}

fn kept(function: &Function) -> String {
    let keeps = if sums::kept(function).is_some() { "something" } else { "nothing" };
    format!("{}: keeps {keeps}\n", function.name)
}
