//! Entries of tapes that are there already, or that nobody reads: a value that is stored twice in an iteration is
//! stored once.
//!
//! In: `tape.push((a, b, a, c))` and `let (x, y, z, _) = tape.pop()`. Out: `tape.push((a, b))`, and `x` in the place
//! of `z`. The sweeps ask for residuals by what they are to the adjoint, and only other passes show that two are one
//! value, or that nothing depends on what one was asked for.

use super::count_uses;
use super::prune::substitute;
use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{Block, Function, Op, Tape, Value};
use rustc_hash::FxHashSet as HashSet;

/// Runs the pass.
pub fn entries(mut function: Function) -> Function {
    if function.tapes == 0 {
        return function;
    }
    let spare = spare(&function.body);
    let mut renamed = EntityMap::default();
    block(&mut function.body, &spare, &mut renamed);
    substitute(&mut function.body, &renamed);
    function
}

/// What need not be on the tapes.
struct Spare {
    /// For each tape the positions, last first; and for those that hold what an earlier one does, that one.
    positions: EntityMap<Tape, Vec<(usize, Option<usize>)>>,
    /// Tapes of which nothing is left.
    tapes: EntitySet<Tape>,
}

fn spare(body: &Block) -> Spare {
    let (mut pushed, mut read, mut planned) =
        (EntityMap::default(), EntityMap::default(), HashSet::default());
    let uses = count_uses(body);
    body.walk(&mut |inst, _| match inst.op {
        Op::TapePush(tape) => {
            pushed.entry(tape).or_insert_with(Vec::new).push(inst.args.clone());
        }
        Op::TapePop(tape) => {
            let is_read = |position: &usize| uses.contains_key(&inst.results[*position]);
            let positions = (0..inst.results.len()).filter(is_read);
            read.entry(tape).or_insert_with(HashSet::default).extend(positions);
        }
        // What goes on from a state may be told where that is by the tape alone.
        Op::TapePlan(tape, _) => drop(planned.insert(tape)),
        _ => {}
    });
    let nothing = HashSet::default();
    let mut spare = Spare { positions: EntityMap::default(), tapes: EntitySet::default() };
    for (tape, pushes) in &pushed {
        let (read, width) = (read.get(tape).unwrap_or(&nothing), pushes[0].len());
        let positions = (0..width).rev().filter_map(|position| repeated(pushes, position, read));
        let positions: Vec<_> = positions.collect();
        spare.tapes.extend((positions.len() == width && !planned.contains(tape)).then_some(*tape));
        spare.positions.insert(*tape, positions);
    }
    spare
}

/// Whether a position need not be there, and where else its value is.
fn repeated(
    pushes: &[Vec<Value>],
    position: usize,
    read: &HashSet<usize>,
) -> Option<(usize, Option<usize>)> {
    let is_same = |other: &usize| pushes.iter().all(|push| push[*other] == push[position]);
    let first = (0..position).find(is_same);
    let is_read = (0..pushes[0].len()).any(|other| read.contains(&other) && is_same(&other));
    (first.is_some() || !is_read).then_some((position, first))
}

fn block(body: &mut Block, spare: &Spare, renamed: &mut EntityMap<Value, Value>) {
    for inst in &mut body.insts {
        inst.op.blocks_mut().for_each(|inner| block(inner, spare, renamed));
        let (values, tape) = match inst.op {
            Op::TapePush(tape) => (&mut inst.args, tape),
            Op::TapePop(tape) => (&mut inst.results, tape),
            _ => continue,
        };
        for (position, first) in spare.positions.get(&tape).into_iter().flatten() {
            let removed = values.remove(*position);
            if let (Op::TapePop(_), Some(first)) = (&inst.op, first) {
                renamed.insert(removed, values[*first]);
            }
        }
    }
    body.insts.retain(|inst| match &inst.op {
        Op::TapePush(tape) | Op::TapePop(tape) | Op::TapeReserve(tape, _) => {
            !spare.tapes.contains(tape)
        }
        _ => true,
    });
}
