//! Simplification: free functions from function to function, run to a fixed point.
//!
//! In and out: valid IR with the same meaning, bit for bit. Zeros and ones are only removed where they
//! stand for an absent or a unit (co)tangent.

mod combine;
mod constant;
mod cse;
mod dce;
mod entries;
mod fold;
mod fuse;
mod guard;
mod hold;
mod kinds;
mod lift;
mod moves;
mod order;
mod prune;

use crate::ir::{Block, Function, Value};
use std::collections::HashMap;

pub use combine::combine;
pub use constant::constant;
pub use cse::cse;
pub use dce::dce;
pub use entries::entries;
pub use fold::fold;
pub use fuse::fuse;
pub use guard::guard;
pub use hold::hold;
pub use kinds::kinds;
pub use lift::lift;
pub use moves::moves;
pub use order::forwards;
pub use prune::prune;

/// For the primal: only what cannot change what the user sees.
pub fn primal(function: Function) -> Function {
    moves(dce(prune(kinds(function))))
}

/// For derived functions: all passes, until nothing changes in size. The forward transform can go on from here.
pub fn optimize(mut function: Function) -> Function {
    loop {
        let before = size(&function);
        function = dce(entries(cse(fold(constant(prune(function))))));
        function = fuse(forwards(hold(combine(lift(function)))));
        if size(&function) == before {
            return function;
        }
    }
}

/// What is done once, before emission.
pub fn settle(function: Function) -> Function {
    guard(kinds(function))
}

/// How often each value is used in a block and the blocks inside.
pub fn count_uses(body: &Block) -> HashMap<Value, usize> {
    let mut uses = HashMap::new();
    body.clone().map_uses(&mut |value| *uses.entry(*value).or_default() += 1);
    uses
}

fn size(function: &Function) -> (usize, usize) {
    let (mut insts, mut values) = (0, 0);
    function.body.walk(&mut |inst, _| {
        insts += 1;
        values += inst.args.len() + inst.results.len();
    });
    (insts, values)
}
