//! Simplification: free functions from function to function, run to a fixed point.
//!
//! In and out: valid IR with the same meaning, bit for bit. Zeros and ones are only removed where they
//! stand for an absent or a unit (co)tangent.

mod captures;
mod carry;
mod combine;
mod constant;
mod counters;
mod cse;
mod dce;
mod dead_stores;
mod entries;
mod fixed;
mod floats;
mod fold;
mod forward;
mod fuse;
mod guard;
mod hand_over;
mod hold;
mod invariant;
mod kinds;
mod lift;
mod moves;
mod once;
mod order;
mod promote_accumulator;
mod prune;
mod ranges;
mod rematerialize;
mod reside;
mod save_sections;
mod shadows;
mod split;
mod strips;
mod uniform;
mod unread;

use crate::ir::entity::EntityMap;
use crate::ir::{Block, Function, Inst, Value};

pub use captures::captures;
pub use carry::carry;
pub use combine::combine;
pub use constant::constant;
pub use counters::counters;
pub use cse::cse;
pub use dce::dce;
pub use dead_stores::dead_stores;
pub use entries::entries;
pub use fixed::fixed;
pub use floats::floats;
pub use fold::fold;
pub use forward::forward;
pub use fuse::fuse;
pub use guard::guard;
pub use hand_over::hand_over;
pub use hold::hold;
pub use invariant::invariant;
pub use kinds::kinds;
pub use lift::lift;
pub use moves::moves;
pub use once::once;
pub use order::forwards;
pub use promote_accumulator::promote_accumulator;
pub use prune::{prune, substitute};
pub use rematerialize::rematerialize;
pub use reside::reside;
pub use save_sections::save_sections;
pub use shadows::shadows;
pub use split::split;
pub use strips::strips;
pub use uniform::uniform;
pub use unread::unread;

/// For the primal: only what cannot change what the user sees.
pub fn primal(function: Function) -> Function {
    let without = without();
    let passes = PRIMAL.iter().filter(|(name, _)| *name != INVARIANT || !without.contains(name));
    passes.fold(function, |function, (_, pass)| pass(function))
}

/// A pass with its name.
pub type Pass = (&'static str, fn(Function) -> Function);

/// The passes over the primal, in order.
const PRIMAL: [Pass; 9] = [
    ("kinds", kinds),
    ("forward", forward),
    ("split", split),
    ("promote_accumulator", promote_accumulator),
    ("prune", prune),
    ("dead_stores", dead_stores),
    ("dce", dce),
    (INVARIANT, invariant),
    ("moves", moves),
];

/// The passes over derived functions, in order. What a derivative means does not hang on any of them but `dce`: values
/// that nothing uses may have types that rustc cannot find.
pub const PASSES: [Pass; 13] = [
    ("prune", prune),
    ("constant", constant),
    ("fold", fold),
    ("cse", cse),
    (INVARIANT, invariant),
    ("entries", entries),
    ("uniform", uniform),
    ("dce", dce),
    ("lift", lift),
    ("combine", combine),
    ("hold", hold),
    ("order", forwards),
    ("fuse", fuse),
];

/// For derived functions: all passes, until nothing changes in size. The forward transform can go on from here.
///
/// `COTANGENT_WITHOUT=fuse,hold` leaves passes out, for tests of the others and for people who look at what one does.
pub fn optimize(function: Function) -> Function {
    let without = without();
    let is_used = |name| !without.contains(&name);
    let mut function = repeated(once(function), &without);
    for (_, pass) in BEHIND.iter().filter(|(name, _)| is_used(name)) {
        let before = size(&function);
        function = pass(function);
        function = if size(&function) == before { function } else { repeated(function, &without) };
    }
    if is_used(CAPTURES) { captures(function) } else { function }
}

/// Runs all passes until nothing changes in size.
fn repeated(mut function: Function, without: &[&str]) -> Function {
    loop {
        let before = size(&function);
        for (_, pass) in PASSES.iter().filter(|(name, _)| !without.contains(name)) {
            function = pass(function);
        }
        if size(&function) == before {
            return function;
        }
    }
}

/// What is done once, before emission: to loops, which the passes above would not know any more, and to what owns memory.
pub const LAST: [Pass; 9] = [
    ("hand_over", hand_over),
    ("fixed", fixed),
    ("save_sections", save_sections),
    ("carry", carry),
    ("strips", strips),
    ("guard", guard),
    ("shadows", shadows),
    ("unread", unread),
    ("reside", reside),
];

/// Runs these.
pub fn settle(function: Function) -> Function {
    let without = without();
    let passes = LAST.iter().filter(|(name, _)| !without.contains(name));
    passes.fold(kinds(function), |function, (_, pass)| pass(function))
}

/// A transform that can be left out as well.
pub const PREACCUMULATE: &str = "preaccumulate";

/// What is done to the primal, too.
const INVARIANT: &str = "invariant";

/// The passes for when the others are through, since loops that carry something are not fused. Each is followed by the
/// others where it changes something.
const BEHIND: [Pass; 2] = [("rematerialize", rematerialize), ("counters", counters)];

/// Likewise, since `cse` undoes it.
const CAPTURES: &str = "captures";

/// The names of all that can be left out.
pub fn passes() -> impl Iterator<Item = &'static str> {
    let tables = PASSES.iter().chain(&BEHIND).chain(&LAST);
    tables.map(|(name, _)| *name).chain([CAPTURES, PREACCUMULATE])
}

/// All passes by name, for tests of single ones: those that are always run among them, and the rows of them as wholes.
#[cfg(feature = "interpret")]
pub fn named() -> impl Iterator<Item = Pass> {
    use crate::analysis::activity::analyse;
    let others: [Pass; 6] = [
        ("floats", |function| {
            let activity = analyse(&function);
            floats(function, &activity)
        }),
        ("once", once),
        (CAPTURES, captures),
        ("primal", primal),
        ("optimize", optimize),
        ("settle", settle),
    ];
    PRIMAL.into_iter().chain(PASSES).chain(BEHIND).chain(LAST).chain(others)
}

/// The names of the passes over the primal, of those that are repeated, of those behind them, and of those at the end, each
/// in order.
#[cfg(feature = "interpret")]
pub fn rows() -> [Vec<&'static str>; 4] {
    let names = |passes: &[Pass]| passes.iter().map(|(name, _)| *name).collect();
    let last = [&[("kinds", kinds as fn(Function) -> Function)][..], &LAST].concat();
    [names(&PRIMAL), names(&PASSES), names(&BEHIND), names(&last)]
}

/// What is left out.
pub fn without() -> Vec<&'static str> {
    let names = std::env::var("COTANGENT_WITHOUT").unwrap_or_default();
    passes().filter(|pass| names.split(',').any(|name| name == *pass)).collect()
}

/// How often each value is used in a block and the blocks inside.
pub fn count_uses(body: &Block) -> EntityMap<Value, usize> {
    let mut uses = EntityMap::default();
    body.each_use(&mut |value| *uses.entry(value).or_default() += 1);
    uses
}

/// Which of a row of instructions makes a value.
fn made(insts: &[Inst]) -> EntityMap<Value, usize> {
    let each = insts.iter().enumerate();
    each.flat_map(|(position, inst)| inst.results.iter().map(move |result| (*result, position)))
        .collect()
}

fn size(function: &Function) -> (usize, usize) {
    let (mut insts, mut values) = (0, 0);
    function.body.walk(&mut |inst, _| {
        insts += 1;
        values += inst.args.len() + inst.results.len();
    });
    (insts, values)
}
