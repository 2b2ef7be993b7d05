//! Loops, and the pairs of them that go through the same iterations.

use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{Block, BlockId, Function, Inst, Loop, LoopKind, Op, Tape, Value};

/// A loop that counts, and the one that goes backwards through it, by their bodies.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Pair {
    pub(super) forward: BlockId,
    pub(super) backward: BlockId,
}

/// A loop, and the block it stands in.
pub(super) struct Place<'f> {
    pub(super) inst: &'f Inst,
    pub(super) repeat: &'f Loop,
    pub(super) parent: BlockId,
}

/// The loops of a function.
pub(super) struct Loops<'f> {
    pub(super) function: &'f Function,
    /// By their bodies.
    pub(super) loops: EntityMap<BlockId, Place<'f>>,
    /// The blocks around blocks.
    pub(super) parents: EntityMap<BlockId, BlockId>,
    /// Bodies of loops that go backwards, by those of the loops that they go through.
    pub(super) backward: EntityMap<BlockId, BlockId>,
    /// Pairs, outer ones first.
    pub(super) pairs: Vec<Pair>,
    /// Numbers that are written.
    pub(super) literals: EntityMap<Value, &'f Inst>,
    /// What is made at the top of the function.
    pub(super) top: EntitySet<Value>,
    pub(super) tapes: EntityMap<Tape, Uses<'f>>,
}

/// What is done with a tape, and in which blocks.
#[derive(Default)]
pub(super) struct Uses<'f> {
    pub(super) pushed: Vec<(BlockId, &'f Inst)>,
    pub(super) popped: Vec<(BlockId, &'f Inst)>,
    pub(super) others: usize,
}

impl Uses<'_> {
    /// Whether one loop uses it for another, and nobody else.
    pub(super) fn is_of(&self, pair: Pair) -> bool {
        let is_pushed = self.pushed.len() == 1 && self.pushed[0].0 == pair.forward;
        let is_popped = self.popped.len() == 1 && self.popped[0].0 == pair.backward;
        is_pushed && is_popped && self.others == 0
    }
}

impl<'f> Loops<'f> {
    pub(super) fn of(function: &'f Function) -> Self {
        let mut found = Loops {
            function,
            loops: EntityMap::default(),
            parents: EntityMap::default(),
            backward: EntityMap::default(),
            pairs: Vec::new(),
            literals: EntityMap::default(),
            top: function.body.params.iter().copied().collect(),
            tapes: EntityMap::default(),
        };
        let (mut order, mut twice) = (Vec::new(), EntitySet::default());
        function.body.walk(&mut |inst, block| found.note(inst, block, &mut order, &mut twice));
        found.top.extend(function.body.insts.iter().flat_map(|inst| &inst.results));
        found.loops.retain(|body, _| !twice.contains(body));
        found.pair(&order);
        found
    }

    fn note(
        &mut self,
        inst: &'f Inst,
        block: &'f Block,
        order: &mut Vec<BlockId>,
        twice: &mut EntitySet<BlockId>,
    ) {
        self.parents.extend(inst.op.blocks().map(|inner| (inner.id, block.id)));
        match &inst.op {
            Op::Loop(repeat) => {
                let (body, place) = (repeat.body.id, Place { inst, repeat, parent: block.id });
                order.push(body);
                if self.loops.insert(body, place).is_some() {
                    twice.insert(body);
                }
            }
            Op::Literal(_) => drop(self.literals.insert(inst.results[0], inst)),
            Op::TapePush(tape) => {
                self.tapes.entry(*tape).or_default().pushed.push((block.id, inst));
            }
            Op::TapePop(tape) => self.tapes.entry(*tape).or_default().popped.push((block.id, inst)),
            Op::TapeReserve(..) => {}
            op => {
                if let Some(tape) = op.tape() {
                    self.tapes.entry(tape).or_default().others += 1;
                }
            }
        }
    }

    /// Loops that other passes left as they were made: the one goes through the iterations of the other, last to first.
    fn pair(&mut self, order: &[BlockId]) {
        for (backward, forward) in &self.function.backwards {
            let (Some(back), Some(on)) = (self.loops.get(backward), self.loops.get(forward)) else {
                continue;
            };
            let are_ranges =
                [back, on].iter().all(|place| matches!(place.repeat.kind, LoopKind::Range { .. }));
            if !are_ranges || back.repeat.is_backward() != on.repeat.is_backward() {
                self.backward.insert(*forward, *backward);
            }
        }
        let pair = |forward: &BlockId| {
            let backward = self.backward.get(forward).copied()?;
            Some(Pair { forward: *forward, backward })
        };
        self.pairs = order.iter().filter_map(pair).collect();
    }

    /// A loop's body, and those of the loops that it stands in as it is.
    pub(super) fn enclosing(&self, body: BlockId) -> Vec<BlockId> {
        let outer = |body: &BlockId| Some(self.loops.get(body)?.parent);
        let bodies = std::iter::successors(Some(body), outer);
        bodies.filter(|body| self.loops.contains_key(body)).collect()
    }
}
