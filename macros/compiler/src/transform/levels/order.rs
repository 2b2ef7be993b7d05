//! Whether calls are undone in the order of a stack.
//!
//! In: a derivative with the pullbacks that its own calls leave. Out: whether each is called once, after all that were
//! left later, and whether entries of tapes are taken likewise. Iterations of a loop are undone by those of another,
//! which runs the other way.

use crate::ir::entity::EntityMap;
use crate::ir::{Adaptor, Block, Inst, Loop, LoopKind, Op, Tape, Value};

/// What is to be undone, the last thing last.
#[derive(Clone, PartialEq)]
enum Left {
    /// A call, by its pullback.
    Call(Value),
    /// An entry on a tape, which the levels may share.
    Entry(Tape),
    /// What one of two arms left.
    Arms(Vec<Left>, Vec<Left>),
    /// What each iteration left.
    Times(Vec<Left>, Direction),
}

/// Which way a loop goes.
#[derive(Clone, Copy, Debug)]
enum Direction {
    Up,
    Down,
    /// Of a loop that only knows how often it runs: either.
    Any,
}

impl PartialEq for Direction {
    fn eq(&self, other: &Self) -> bool {
        !matches!((self, other), (Self::Up, Self::Down) | (Self::Down, Self::Up))
    }
}

impl Direction {
    fn of(repeat: &Loop) -> Self {
        let LoopKind::Range { adaptors, .. } = &repeat.kind else { return Self::Any };
        let turns = adaptors.iter().filter(|adaptor| **adaptor == Adaptor::Rev).count();
        if turns % 2 == 1 { Self::Down } else { Self::Up }
    }

    fn opposite(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Down => Self::Up,
            Self::Any => Self::Any,
        }
    }
}

/// What a block undoes of what it finds, the first thing first, and what it leaves.
#[derive(Default)]
struct Effect {
    undone: Vec<Left>,
    left: Vec<Left>,
}

/// Whether all that a derivative calls is undone so.
pub fn is_reverse(body: &Block, origins: &EntityMap<Value, Value>) -> bool {
    let effect = effect(&body.insts, origins);
    effect.is_some_and(|effect| effect.undone.is_empty() && effect.left.is_empty())
}

fn effect(insts: &[Inst], origins: &EntityMap<Value, Value>) -> Option<Effect> {
    let mut effect = Effect::default();
    for inst in insts {
        match &inst.op {
            Op::CallVjp(call) if super::leaves_a_level(call) => {
                effect.left.push(Left::Call(inst.results[call.times()]));
            }
            Op::Pull(..) => {
                let origin = origins.get(&inst.args[0]);
                origin.map_or(Some(()), |origin| effect.undo(Left::Call(*origin)))?;
            }
            Op::TapePush(tape) => effect.left.push(Left::Entry(*tape)),
            Op::TapePop(tape) => effect.undo(Left::Entry(*tape))?,
            // What is there of a state is not what the iteration before it left.
            Op::TapePlan(..) => return None,
            Op::If(then, other) => effect.branch(then, other, origins)?,
            Op::Loop(repeat) => effect.repeat(repeat, origins)?,
            // The pullback goes on where the forward sweep ends.
            Op::Closure(body) => {
                let inner = self::effect(&body.insts, origins)?;
                inner.undone.into_iter().try_for_each(|left| effect.undo(left))?;
                effect.left.extend(inner.left);
            }
            _ => {}
        }
    }
    Some(effect)
}

impl Effect {
    /// Nothing where something else was left later.
    fn undo(&mut self, wanted: Left) -> Option<()> {
        match self.left.pop() {
            Some(left) => (left == wanted).then_some(()),
            None => {
                self.undone.push(wanted);
                Some(())
            }
        }
    }

    fn branch(
        &mut self,
        then: &Block,
        other: &Block,
        origins: &EntityMap<Value, Value>,
    ) -> Option<()> {
        let [then, other] = [effect(&then.insts, origins)?, effect(&other.insts, origins)?];
        if !then.undone.is_empty() || !other.undone.is_empty() {
            self.undo(Left::Arms(reversed(then.undone), reversed(other.undone)))?;
        }
        if !then.left.is_empty() || !other.left.is_empty() {
            self.left.push(Left::Arms(then.left, other.left));
        }
        Some(())
    }

    fn repeat(&mut self, repeat: &Loop, origins: &EntityMap<Value, Value>) -> Option<()> {
        let Effect { undone, left } = effect(&repeat.body.insts, origins)?;
        let direction = Direction::of(repeat);
        match (undone.is_empty(), left.is_empty()) {
            (true, true) => Some(()),
            (true, false) => {
                self.left.push(Left::Times(left, direction));
                Some(())
            }
            (false, true) => self.undo(Left::Times(reversed(undone), direction.opposite())),
            (false, false) => None,
        }
    }
}

fn reversed(mut left: Vec<Left>) -> Vec<Left> {
    left.reverse();
    left
}
