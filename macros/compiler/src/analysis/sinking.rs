//! Partially dead code: instructions whose results one of several ways needs, and another does not.
//!
//! In: the instructions of a block, in order, and what it yields. Out: for each branch among them, the instructions
//! before it that only its arms use and that not all of them need ([`Sinking`]). Their adjoints run in the arms: on a way
//! that does not use a value there is no cotangent, and neither an infinite slope nor any cost.
//!
//! Invariants: a row that chooses an operand is a branch, with an arm for each operand. An instruction sinks only where its
//! adjoint may run at the branch: it writes no place, and nothing between it and the branch writes what it reads. One with
//! blocks sinks into one arm only, so that code does not double with each branch. What is linear with constant factors
//! sinks only together with an instruction before it that is not; into a row that chooses, only with calls and loops:
//! arithmetic costs less than a jump, and strong products keep infinite slopes out of it.
//!
//! Knoop, Rüthing, Steffen, *Partial dead code elimination*, PLDI 1994.

use super::activity::Activity;
use super::residuals::Plan;
use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{Block, Function, Inst, LoopKind, Op, Passing, Value};
use cotangent_rules::{Cost, Slopes};
use rustc_hash::FxHashSet as HashSet;

/// The arms of a branch, by position.
type Arms = u8;

/// The branch that an instruction sinks into.
#[derive(Clone, Copy)]
struct Target {
    branch: usize,
    /// The arms that use a result on some way.
    using: Arms,
    /// The arms that use a result on every way.
    needing: Arms,
}

/// The instructions of a block that sink.
pub struct Sinking {
    targets: Vec<Option<Target>>,
}

impl Sinking {
    /// Analyses the instructions of a block, of which `results` are used behind them.
    pub fn new(
        function: &Function,
        activity: &Activity,
        plan: &Plan,
        insts: &[&Inst],
        results: &[Value],
    ) -> Self {
        let none = Sinking { targets: vec![None; insts.len()] };
        if !insts.iter().any(|inst| arms(function, inst) > 0) {
            return none;
        }
        let mut users: EntityMap<Value, Vec<usize>> = EntityMap::default();
        for (position, inst) in insts.iter().enumerate() {
            inst.uses()
                .into_iter()
                .for_each(|value| users.entry(value).or_default().push(position));
        }
        let escaping = results.iter().copied().collect();
        let mut pass = Pass { function, activity, plan, insts, users, escaping, sinking: none };
        for position in (0..insts.len()).rev() {
            pass.sinking.targets[position] = pass.target(position);
        }
        pass.keep_light();
        pass.sinking
    }

    /// Whether the instruction at a position sinks.
    pub fn sinks(&self, position: usize) -> bool {
        self.targets[position].is_some()
    }

    /// The positions of what sinks into an arm of a branch.
    pub fn sunk_into(&self, branch: usize, arm: usize) -> impl Iterator<Item = usize> {
        let targets = self.targets.iter().enumerate();
        targets
            .filter(move |(_, target)| {
                target.is_some_and(|to| to.branch == branch && to.using & (1 << arm) != 0)
            })
            .map(|(position, _)| position)
    }
}

struct Pass<'a> {
    function: &'a Function,
    activity: &'a Activity,
    plan: &'a Plan,
    insts: &'a [&'a Inst],
    users: EntityMap<Value, Vec<usize>>,
    escaping: EntitySet<Value>,
    sinking: Sinking,
}

impl Pass<'_> {
    /// The branch that an instruction sinks into, if all that uses its results actively is in arms of this branch, or
    /// sinks into it, and an arm does without.
    fn target(&self, position: usize) -> Option<Target> {
        let inst = self.insts[position];
        let mut results = inst.results.iter().filter(|result| self.is_active(**result)).peekable();
        results.peek()?;
        if !self.can_sink(inst) {
            return None;
        }
        let mut found: Option<Target> = None;
        for result in results {
            if self.escaping.contains(result) {
                return None;
            }
            for user in self.users.get(result).into_iter().flatten() {
                let Some(next) = self.route(*result, *user)? else { continue };
                let before = found.unwrap_or(next);
                if before.branch != next.branch {
                    return None;
                }
                let (using, needing) = (before.using | next.using, before.needing | next.needing);
                found = Some(Target { using, needing, ..next });
            }
        }
        found.filter(|to| {
            let all = (1 << arms(self.function, self.insts[to.branch])) - 1;
            let is_copied = to.using.count_ones() > 1 && inst.op.has_blocks();
            to.needing != all && !is_copied && self.is_unwritten(position, to.branch)
        })
    }

    /// Where a user takes a value: nowhere if the use has no cotangent; nothing is returned where it is used directly.
    fn route(&self, value: Value, user: usize) -> Option<Option<Target>> {
        let inst = self.insts[user];
        if !self.is_active_inst(inst) {
            return Some(None);
        }
        if let Some(target) = self.sinking.targets[user] {
            return Some(Some(target));
        }
        let (using, needing) = self.arms_with(inst, value)?;
        Some((using != 0).then_some(Target { branch: user, using, needing }))
    }

    /// The arms of a branch that use a value, and those that do on every way.
    fn arms_with(&self, inst: &Inst, value: Value) -> Option<(Arms, Arms)> {
        if is_choice(self.function, inst) {
            let at = inst.args.iter().enumerate().filter(|(_, arg)| **arg == value);
            let arms = at.fold(0, |arms, (position, _)| arms | 1 << position);
            return Some((arms, arms));
        }
        let Op::If(then, other) = &inst.op else { return None };
        let (mut using, mut needing) = (0, 0);
        for (position, arm) in [then, other].into_iter().enumerate() {
            let (is_used, is_needed) = self.use_in(arm, &inst.results, value);
            using |= Arms::from(is_used) << position;
            needing |= Arms::from(is_needed) << position;
        }
        Some((using, needing))
    }

    /// Whether a block uses a value actively on some way, and whether on every way.
    fn use_in(&self, block: &Block, yielded: &[Value], value: Value) -> (bool, bool) {
        let yields = block.results.iter().zip(yielded);
        let is_yielded = yields.into_iter().any(|(from, to)| *from == value && self.is_active(*to));
        let mut found = (is_yielded, is_yielded);
        for inst in &block.insts {
            if found.1 || !self.is_active_inst(inst) || !inst.uses().contains(&value) {
                continue;
            }
            let (using, needing) = self.arms_with(inst, value).unwrap_or((Arms::MAX, Arms::MAX));
            let all = match arms(self.function, inst) {
                0 => Arms::MAX,
                arms => (1 << arms) - 1,
            };
            found = (found.0 | (using != 0), needing == all);
        }
        found
    }

    /// Whether the adjoint of an instruction may run elsewhere.
    fn can_sink(&self, inst: &Inst) -> bool {
        if inst.results.iter().any(|result| self.function.slot_of(*result).is_some()) {
            return false;
        }
        let is_inner = |block: &Block| block.insts.iter().all(|inst| self.can_sink(inst));
        match &inst.op {
            Op::If(..) => inst.op.blocks().all(is_inner),
            Op::Loop(repeat) => {
                let is_plain = !matches!(repeat.kind, LoopKind::Once);
                let has_tape = !self.plan.stored(repeat.body.id).is_empty();
                is_plain && !has_tape && inst.op.blocks().all(is_inner)
            }
            Op::Call(call) => {
                let is_read = |passing| matches!(passing, &Passing::Value | &Passing::Shared(_));
                call.passing.iter().all(is_read)
            }
            Op::Closure(_) | Op::CallVjp(_) | Op::CallJvp(_) | Op::Pull(..) => false,
            _ => true,
        }
    }

    /// Whether nothing between an instruction and a branch writes a place that the instruction reads.
    fn is_unwritten(&self, position: usize, branch: usize) -> bool {
        let read: HashSet<_> = self.insts[position]
            .uses()
            .into_iter()
            .filter_map(|value| self.function.slot_of(value))
            .collect();
        let between = self.insts[position + 1..branch].iter().flat_map(|inst| &inst.results);
        read.is_empty()
            || !between
                .filter_map(|value| self.function.slot_of(*value))
                .any(|slot| read.contains(&slot))
    }

    /// Takes out what is light and comes first: a zero cotangent passes through it as a zero.
    fn keep_light(&mut self) {
        let mut sunk: EntitySet<Value> = EntitySet::default();
        for (position, inst) in self.insts.iter().enumerate() {
            let Some(target) = self.sinking.targets[position] else { continue };
            let is_light = match is_choice(self.function, self.insts[target.branch]) {
                true => is_arithmetic(inst),
                false => self.is_linear(inst),
            };
            let follows = inst.args.iter().any(|arg| sunk.contains(arg));
            match follows || !is_light {
                true => sunk.extend(&inst.results),
                false => self.sinking.targets[position] = None,
            }
        }
    }

    /// Whether an instruction multiplies cotangents with nothing but constants.
    fn is_linear(&self, inst: &Inst) -> bool {
        match &inst.op {
            Op::Apply(rule) if rule.name == "mul" => {
                let is_literal = |arg: &Value| self.literals().any(|literal| literal == *arg);
                inst.args.iter().any(is_literal)
            }
            Op::Apply(rule) => {
                let is_float = inst.results.iter().all(|value| self.function.ty(*value).is_float());
                rule.slopes == Slopes::Constant && is_float
            }
            Op::If(..) | Op::Loop(_) | Op::Call(_) | Op::Linear => false,
            _ => true,
        }
    }

    fn literals(&self) -> impl Iterator<Item = Value> {
        let literals = self.insts.iter().filter(|inst| matches!(inst.op, Op::Literal(_)));
        literals.flat_map(|inst| inst.results.iter().copied())
    }

    fn is_active(&self, value: Value) -> bool {
        self.activity.is_active(self.function, value)
    }

    fn is_active_inst(&self, inst: &Inst) -> bool {
        inst.results.iter().any(|result| self.is_active(*result))
    }
}

/// Whether the adjoint of an instruction calls no function and runs no loop.
fn is_arithmetic(inst: &Inst) -> bool {
    match &inst.op {
        Op::Apply(rule) => rule.cost < Cost::Call,
        Op::If(..) | Op::Loop(_) | Op::Call(_) => false,
        _ => true,
    }
}

/// How many arms an instruction has, none if it is not a branch.
fn arms(function: &Function, inst: &Inst) -> usize {
    match &inst.op {
        Op::If(..) => 2,
        Op::Apply(_) if is_choice(function, inst) => inst.args.len(),
        _ => 0,
    }
}

/// Whether an instruction is a row that chooses one of its operands, which are floats.
pub fn is_choice(function: &Function, inst: &Inst) -> bool {
    let mut values = inst.args.iter().chain(&inst.results);
    matches!(&inst.op, Op::Apply(rule) if rule.slopes == Slopes::Choice)
        && values.all(|value| function.ty(*value).is_float())
}
