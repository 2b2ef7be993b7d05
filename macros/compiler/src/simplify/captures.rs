//! What a pullback holds: no float that follows by a few sums and products from the others, or from what is behind a
//! reference that it is given again and that the function only reads.
//!
//! A pullback that a loop calls for is kept on a tape, where each float of its costs more than such a sum. Where it is
//! called at once, rustc sees that the value is there already.

use crate::analysis::residuals::is_slight;
use crate::ir::copy::Copied;
use crate::ir::entity::EntityMap;
use crate::ir::free::Free;
use crate::ir::{Access, Block, Function, Inst, Op, Projection, Value};
use std::collections::BTreeSet;

/// How many sums and products a float may follow by.
const FEW: usize = 4;

/// How many instructions it may follow by, with those that read or are literals.
const MOST: usize = 16;

/// Runs the pass.
pub fn captures(mut function: Function) -> Function {
    let mut body = function.take_body();
    let is_pullback = |inst: &Inst| matches!(inst.op, Op::Closure(_));
    if let Some(position) = body.insts.iter().position(is_pullback) {
        let (before, rest) = body.insts.split_at_mut(position);
        if let Op::Closure(pullback) = &mut rest[0].op {
            let places = passed_again(&function, &body.params, &pullback.params);
            narrow(&mut function, before, pullback, &places);
        }
    }
    function.body = body;
    function
}

/// Computes in a pullback again what follows from what it holds besides.
fn narrow(
    function: &mut Function,
    before: &[Inst],
    pullback: &mut Block,
    places: &EntityMap<Value, Value>,
) {
    let made = super::made(before);
    let mut held = Free::in_block(pullback).values;
    let is_float =
        |value: &Value| function.ty(*value).is_float() && function.slot_of(*value).is_none();
    let mut from_others: Vec<(usize, Value)> = held
        .iter()
        .filter(|value| is_float(value))
        .filter_map(|value| made.get(value).map(|position| (*position, *value)))
        .collect();
    from_others.sort();
    let mut again = BTreeSet::new();
    for (_, value) in from_others {
        held.remove(&value);
        let mut follow = Follow { before, made: &made, held: &held, places, needed: Vec::new() };
        let follows = follow.follows(value);
        let is_computed = |position: &&usize| is_slight(&before[**position].op);
        if follows && follow.needed.iter().filter(is_computed).count() <= FEW {
            again.extend(follow.needed);
        } else {
            held.insert(value);
        }
    }
    let (mut copied, mut insts) = (Copied::default(), function.new_block());
    insts.insts.extend(again.into_iter().map(|position| before[position].clone()));
    let mut insts = copied.block(function, &insts).insts;
    for inst in insts.iter_mut().filter(|inst| matches!(inst.op, Op::Load(_))) {
        inst.args[0] = places[&inst.args[0]];
    }
    pullback.map_uses(&mut |value| *value = copied.value(*value));
    pullback.insts.splice(0..0, insts);
}

/// The places behind references that a function only reads, with those that its pullback is given. There are none in
/// derivatives of higher order, where tangents stand between them.
fn passed_again(function: &Function, params: &[Value], given: &[Value]) -> EntityMap<Value, Value> {
    let mut places = EntityMap::default();
    if function.is_recursive || function.may_call_itself {
        // What is read first would stay in the frames of all levels.
        return places;
    }
    let mut given = given.iter().copied();
    for param in params {
        let data = function.slot_of(*param).map(|slot| function.slot(slot));
        let Some(data) = data.filter(|data| data.access != Access::Owned) else { continue };
        let Some(again) = given.next().filter(|_| !data.is_tangent) else {
            return EntityMap::default();
        };
        if data.access == Access::Shared {
            places.insert(*param, again);
        }
        if function.active.contains(&again) {
            given.next();
        }
    }
    places
}

struct Follow<'a> {
    before: &'a [Inst],
    /// Which instruction makes a value.
    made: &'a EntityMap<Value, usize>,
    held: &'a BTreeSet<Value>,
    /// Places that can be read again.
    places: &'a EntityMap<Value, Value>,
    /// The instructions by which it follows.
    needed: Vec<usize>,
}

impl Follow<'_> {
    fn follows(&mut self, value: Value) -> bool {
        let Some(position) = self.made.get(&value).copied() else { return false };
        let inst = &self.before[position];
        let (is_known, places) = match &inst.op {
            Op::Load(path) => (
                path.iter().all(Projection::is_plain) && self.places.contains_key(&inst.args[0]),
                1,
            ),
            op => (is_literal(inst) || is_slight(op), 0),
        };
        if self.needed.len() > MOST || !is_known {
            return false;
        }
        let args = inst.args[places..].iter();
        let follows = args.into_iter().all(|arg| self.held.contains(arg) || self.follows(*arg));
        self.needed.push(position);
        follows
    }
}

fn is_literal(inst: &Inst) -> bool {
    matches!(inst.op, Op::Literal(_))
}
