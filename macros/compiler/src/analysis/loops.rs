//! Loops, and the pairs of them that go through the same iterations.
//!
//! In: a derived function. Out: where its loops stand, which of them goes backwards through the iterations of which, and
//! what pushes on tapes and pops from them.
//!
//! **Invariant:** the loops of a pair go opposite ways. One that a pass has turned around is in no pair.

use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{Block, BlockId, Function, Inst, Loop, LoopKind, Op, Tape, Value};

/// A loop, and the one that goes backwards through its iterations, by their bodies.
#[derive(Clone, Copy, PartialEq)]
pub struct Pair {
    pub forward: BlockId,
    pub backward: BlockId,
}

/// A loop, and the block it stands in.
pub struct Place<'f> {
    pub inst: &'f Inst,
    pub repeat: &'f Loop,
    pub parent: BlockId,
}

/// The loops of a function.
pub struct Loops<'f> {
    pub function: &'f Function,
    /// By their bodies.
    pub loops: EntityMap<BlockId, Place<'f>>,
    /// The blocks around blocks.
    pub parents: EntityMap<BlockId, BlockId>,
    /// Bodies of loops that go backwards, by those of the loops that they go through.
    pub backward: EntityMap<BlockId, BlockId>,
    /// Pairs, outer ones first.
    pub pairs: Vec<Pair>,
    /// Numbers that are written.
    pub literals: EntityMap<Value, &'f Inst>,
    /// What is made at the top of the function.
    pub top: EntitySet<Value>,
    pub tapes: EntityMap<Tape, Uses<'f>>,
}

/// What is done with a tape, and in which blocks.
#[derive(Default)]
pub struct Uses<'f> {
    pub pushed: Vec<(BlockId, &'f Inst)>,
    pub popped: Vec<(BlockId, &'f Inst)>,
    pub others: usize,
}

impl Uses<'_> {
    /// Whether one loop uses it for another, and nobody else.
    pub fn is_of(&self, pair: Pair) -> bool {
        let is_pushed = self.pushed.len() == 1 && self.pushed[0].0 == pair.forward;
        let is_popped = self.popped.len() == 1 && self.popped[0].0 == pair.backward;
        is_pushed && is_popped && self.others == 0
    }
}

impl<'f> Loops<'f> {
    pub fn of(function: &'f Function) -> Self {
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
    pub fn enclosing(&self, body: BlockId) -> Vec<BlockId> {
        let outer = |body: &BlockId| Some(self.loops.get(body)?.parent);
        let bodies = std::iter::successors(Some(body), outer);
        bodies.filter(|body| self.loops.contains_key(body)).collect()
    }
}

/// The loop with a body: the block that it stands in, and where.
pub fn place(block: &mut Block, body: BlockId) -> Option<(&mut Block, usize)> {
    let is_it = |inst: &Inst| matches!(&inst.op, Op::Loop(repeat) if repeat.body.id == body);
    if let Some(at) = block.insts.iter().position(is_it) {
        return Some((block, at));
    }
    let inner = block.insts.iter_mut().flat_map(|inst| inst.op.blocks_mut());
    inner.into_iter().find_map(|inner| place(inner, body))
}
