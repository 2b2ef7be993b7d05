//! Entries of tapes that are there already: a value that is stored twice in an iteration is stored once.
//!
//! In: `tape.push((a, b, a))` and `let (x, y, z) = tape.pop()`. Out: `tape.push((a, b))`, and `x` in the place of `z`.
//! The sweeps ask for residuals by what they are to the adjoint, and only other passes show that two are one value.

use super::prune::substitute;
use crate::ir::{Block, Function, Op, Tape, Value};
use std::collections::HashMap;

/// Runs the pass.
pub fn entries(mut function: Function) -> Function {
    let mut pushed: HashMap<Tape, Vec<Vec<Value>>> = HashMap::new();
    function.body.walk(&mut |inst, _| {
        if let Op::TapePush(tape) = inst.op {
            pushed.entry(tape).or_default().push(inst.args.clone());
        }
    });
    let repeated: Repeated =
        pushed.iter().map(|(tape, pushes)| (*tape, repeated(pushes))).collect();
    let mut renamed = HashMap::new();
    block(&mut function.body, &repeated, &mut renamed);
    substitute(&mut function.body, &renamed);
    function
}

/// For each tape the positions that hold what an earlier one does, each with that one, last first.
type Repeated = HashMap<Tape, Vec<(usize, usize)>>;

fn repeated(pushes: &[Vec<Value>]) -> Vec<(usize, usize)> {
    let is_same = |a: usize, b: usize| pushes.iter().all(|push| push[a] == push[b]);
    let positions = (1..pushes[0].len()).rev();
    positions
        .filter_map(|later| Some((later, (0..later).find(|first| is_same(*first, later))?)))
        .collect()
}

fn block(body: &mut Block, repeated: &Repeated, renamed: &mut HashMap<Value, Value>) {
    for inst in &mut body.insts {
        inst.op.blocks_mut().into_iter().for_each(|inner| block(inner, repeated, renamed));
        let (values, tape) = match inst.op {
            Op::TapePush(tape) => (&mut inst.args, tape),
            Op::TapePop(tape) => (&mut inst.results, tape),
            _ => continue,
        };
        for (later, first) in repeated.get(&tape).into_iter().flatten() {
            let (removed, kept) = (values.remove(*later), values[*first]);
            if matches!(inst.op, Op::TapePop(_)) {
                renamed.insert(removed, kept);
            }
        }
    }
}
