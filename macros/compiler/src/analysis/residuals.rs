//! Residuals: what the reverse sweep needs of the primal, and how it gets it.
//!
//! In: a primal function. Out: a [`Plan`], filled by running the reverse transform until it asks for
//! nothing new. Whenever the sweep needs a value of a block that it cannot have for free, the plan
//! decides: read it again (the place still holds it), recompute it (its operands are at hand), or store
//! it. Requests only grow, so the runs end; two or three are usual.
//!
//! # The cost model
//!
//! For each primal value that the adjoint reads, the first of these that is possible:
//!
//! 1. *At hand*, for nothing: values of the function's own block, which the pullback captures; indices of loops; and
//!    in a part that runs again ([`LoopKind::Once`]) all that the part defines.
//! 2. *Read again*, for a load: the place holds the same contents at this point of the way back, because nothing wrote
//!    it since or because what was written is undone by then.
//!    So is a value that was put into an element, where it is still there: until the old contents are back, or in a place
//!    that nothing writes behind the loop; and what an iteration kept as a whole.
//! 3. *Computed again*, for its operations, by a chain of operations without effect from values of the first two kinds.
//!    In a loop without tape any chain, however expensive: a tape costs a store, a load and memory for each iteration,
//!    and a loop with one is not vectorised. In a loop that has a tape anyway, cheap operations only
//!    ([`is_expensive`] has the list): a load costs less than a call of the mathematical library, a division or a root.
//! 4. *Stored*, for what it takes on the tape: 8 bytes and two accesses for a float. Old contents of places that come
//!    back are stored at each store. In the end what follows by cheap operations from the rest of an entry, or is in it
//!    twice, or that nobody reads, leaves the entry ([`Plan::shrink`], `simplify/entries.rs`).
//! 5. *Counted back*, for one operation: an integer that a loop counts by what is written or made at the top of the
//!    function is carried by the loop that goes back, when all else is settled (`simplify/counters`).
//! 6. *Computed again on the way on*, for a few cheap operations: what a loop carries of numbers that have no derivative,
//!    where the loop that goes back may as well go on (`simplify/rematerialize`).
//! 7. *Known by its type*, for nothing: an operand that a partial derivative does not read, but whose type chooses the
//!    rule. A [`Witness`] is told the type on the way on and stands in for the value on the way back.
//! 8. *Known in advance*: in gradients the seed is one, so a loop that only adds up has its adjoint in the same
//!    iteration (`simplify/fuse.rs`). That is done where the adjoint would need a tape or calls the mathematical
//!    library again, and not where it is arithmetic alone, which by itself is vectorised.
//!
//! Whether a place is brought back is first asked for what must come back, such as `&mut` parameters. Then, where values
//! on tapes come from places that are written less often than they are read ([`Plan::overread`]), the transform is run
//! with a plan that brings the place back, store by store, and the cheaper plan stays ([`Plan::cost`]).
//!
//! Loops with `#[checkpoint]` are taken apart before (`transform/segment.rs`): one state for each segment is stored,
//! and the above holds within a segment.

use super::refills::{Refills, refills};
use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{
    Access, Block, BlockId, Function, Inst, LoopKind, Op, Projection, Slot, Type, Value, Witness,
};
use cotangent_rules::Cost;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// Something of the forward sweep that the reverse sweep uses.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Residual {
    /// A primal value.
    Primal(Value),
    /// The pullback of the call with this result.
    Pullback(Value),
    /// What a store that made this version overwrote.
    Old(Value),
    /// How often the loop with this body ran.
    Count(BlockId),
    /// The length of a vector at this version.
    Length(Value),
    /// A copy of a place's contents at this version.
    Contents(Value),
    /// A residual of an arm, carried out of its `if`.
    Carried(BlockId, Carry),
}

/// What is carried out of an arm: it may itself be carried out of an arm there, and so on. All that tells one from
/// another is at the bottom, so that a body with as many conditions in one another as it has exits is compiled in time.
#[derive(Clone, Debug)]
pub struct Carry {
    inner: Rc<Residual>,
    /// What was not carried yet. The arms between are those around it.
    bottom: Rc<Residual>,
}

impl PartialEq for Carry {
    fn eq(&self, other: &Self) -> bool {
        self.bottom == other.bottom
    }
}

impl Eq for Carry {}

impl Hash for Carry {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bottom.hash(state);
    }
}

impl Residual {
    /// The residual outside of the arm in which it is this one.
    pub fn carried(self, arm: BlockId) -> Self {
        let inner = Rc::new(self);
        let bottom = match &*inner {
            Residual::Carried(_, carry) => carry.bottom.clone(),
            _ => inner.clone(),
        };
        Residual::Carried(arm, Carry { inner, bottom })
    }

    fn primal(&self) -> Option<Value> {
        match self {
            Residual::Primal(value) => Some(*value),
            _ => None,
        }
    }
}

/// Whether values follow cheaply from stored ones, whatever the point of the reverse sweep.
struct Derivable<'a> {
    function: &'a Function,
    layout: &'a Layout<'a>,
    stored: &'a EntitySet<Value>,
    /// Places of which iterations keep the contents.
    kept: &'a EntitySet<Value>,
}

impl Derivable<'_> {
    /// Whether a value's instruction is cheap and its operands are known.
    fn computes(&self, value: Value) -> bool {
        let Some(inst) = self.layout.def(value) else {
            return false;
        };
        match &inst.op {
            Op::Load(_) => {
                self.is_steady(inst.args[0]) && inst.args[1..].iter().all(|arg| self.knows(*arg))
            }
            op => is_pure(op) && !is_expensive(op) && inst.args.iter().all(|arg| self.knows(*arg)),
        }
    }

    fn knows(&self, value: Value) -> bool {
        if self.function.slot_of(value).is_some() {
            return false;
        }
        self.stored.contains(&value) || self.layout.is_at_hand(value) || self.computes(value)
    }

    /// A place that nothing writes, made at the top of the function, or contents that an iteration keeps.
    fn is_steady(&self, version: Value) -> bool {
        let slot = self.function.slot_of(version).expect("a load reads a place");
        let (is_written, is_lent) = (self.layout.is_written(slot), self.layout.is_lent(slot));
        self.kept.contains(&version) && (!is_written || !is_lent)
            || !is_written && self.layout.slot_home(slot) == self.layout.root
    }
}

/// Decisions, by block and slot.
#[derive(Clone, Default)]
pub struct Plan {
    /// Residuals that a block's forward sweep keeps for its reverse sweep: on the tape of a loop's body,
    /// as results of an arm's `if`.
    stored: BTreeMap<BlockId, Vec<Residual>>,
    /// Slots whose old contents come back on the way back.
    restored: BTreeSet<Slot>,
    /// Places that iterations make and keep a copy of.
    kept: Vec<Slot>,
    /// Slots of which moves leave a copy behind.
    cloned: BTreeSet<Slot>,
    /// Operands of which the sweep reads the value.
    read: EntitySet<Value>,
    /// Operands of which it needs to know the type.
    witnesses: BTreeMap<Value, Witness>,
    /// Carried values whose cotangent is zero after some iteration, where a way does not use them.
    doubtful: EntitySet<Value>,
    grown: bool,
    shrunk: bool,
}

impl Plan {
    pub fn is_doubtful(&self, value: Value) -> bool {
        self.doubtful.contains(&value)
    }

    /// The cotangent of a carried value may be zero after an iteration.
    pub fn doubt(&mut self, value: Value) {
        self.grown |= self.doubtful.insert(value);
    }

    pub fn stored(&self, block: BlockId) -> &[Residual] {
        self.stored.get(&block).map_or(&[], Vec::as_slice)
    }

    pub fn store(&mut self, block: BlockId, residual: Residual) {
        let list = self.stored.entry(block).or_default();
        if !list.contains(&residual) {
            list.push(residual);
            self.grown = true;
        }
    }

    pub fn is_restored(&self, slot: Slot) -> bool {
        self.restored.contains(&slot)
    }

    pub fn restore(&mut self, slot: Slot) {
        self.grown |= self.restored.insert(slot);
    }

    pub fn is_cloned(&self, slot: Slot) -> bool {
        self.cloned.contains(&slot)
    }

    pub fn clone_moves(&mut self, slot: Slot) {
        self.grown |= self.cloned.insert(slot);
    }

    /// The sweep reads a value.
    pub fn read(&mut self, value: Value) {
        self.grown |= self.read.insert(value) && self.witnesses.contains_key(&value);
    }

    pub fn is_read(&self, value: Value) -> bool {
        self.read.contains(&value)
    }

    /// What will know the type of a value that the sweep does not read.
    pub fn witness(&mut self, value: Value) -> Witness {
        let next = Witness(self.witnesses.len() as u32);
        let Plan { witnesses, grown, .. } = self;
        *witnesses.entry(value).or_insert_with(|| {
            *grown = true;
            next
        })
    }

    /// Likewise, if it has been asked for.
    pub fn witness_of(&self, value: Value) -> Option<Witness> {
        self.witnesses.get(&value).copied().filter(|_| !self.is_read(value))
    }

    /// Once: drops what can be computed from what else is stored. Returns whether anything was.
    pub fn shrink(&mut self, function: &Function, layout: &Layout) -> bool {
        if std::mem::replace(&mut self.shrunk, true) {
            return false;
        }
        let mut any = false;
        let kept = self.kept_contents(layout);
        for list in self.stored.values_mut() {
            let mut values: Vec<Value> = list.iter().filter_map(Residual::primal).collect();
            values.sort();
            let mut stored: EntitySet<Value> = values.iter().copied().collect();
            for value in values.iter().rev() {
                stored.remove(value);
                if !(Derivable { function, layout, stored: &stored, kept: &kept }).computes(*value)
                {
                    stored.insert(*value);
                }
            }
            any |= stored.len() < values.len();
            list.retain(|residual| residual.primal().is_none_or(|value| stored.contains(&value)));
        }
        self.drop_stale();
        any
    }

    /// The places of which iterations keep the contents.
    fn kept_contents(&self, layout: &Layout) -> EntitySet<Value> {
        let bodies = self.stored.iter().filter(|(block, _)| layout.bodies.contains(block));
        let contents = |residual: &Residual| match residual {
            Residual::Contents(version) => Some(*version),
            _ => None,
        };
        bodies.flat_map(|(_, list)| list.iter().filter_map(contents)).collect()
    }

    /// What an arm no longer keeps is not carried out of it.
    fn drop_stale(&mut self) {
        loop {
            let before: usize = self.stored.values().map(Vec::len).sum();
            let kept = self.stored.clone();
            let is_kept = |residual: &Residual| match residual {
                Residual::Carried(arm, carry) => {
                    kept.get(arm).is_some_and(|list| list.contains(&carry.inner))
                }
                _ => true,
            };
            self.stored.values_mut().for_each(|list| list.retain(is_kept));
            if self.stored.values().map(Vec::len).sum::<usize>() == before {
                return;
            }
        }
    }

    /// A plan that has made no decision yet but which places come back.
    pub fn restart(&self, layout: &Layout) -> Plan {
        let mut plan = Plan { restored: self.restored.clone(), ..Plan::default() };
        self.kept.iter().for_each(|slot| plan.bring_back(layout, *slot));
        plan
    }

    /// Lets a place come back: by what its writes overwrite, or as a copy of what an iteration makes.
    pub fn bring_back(&mut self, layout: &Layout, slot: Slot) {
        let (home, version) = layout.slots[&slot];
        if home == layout.root {
            return self.restore(slot);
        }
        self.kept.push(slot);
        self.store(home, Residual::Contents(version));
    }

    /// Places of which more may be stored than what would bring them back: loops read them that are inside of those
    /// that write or make them, or the same loops, if they are inside of others. An outermost loop may be fused with its
    /// adjoint, and then stores nothing.
    pub fn overread(&self, function: &Function, layout: &Layout) -> Vec<Slot> {
        let mut read: BTreeMap<Slot, u32> = BTreeMap::new();
        for (block, list) in &self.stored {
            for slot in layout.sources(function, list.iter().filter_map(Residual::primal)) {
                let depth = read.entry(slot).or_default();
                *depth = layout.depth(*block).max(*depth);
            }
        }
        let is_kept = |slot: Slot| {
            let home = layout.slot_home(slot);
            let is_made = layout.bodies.contains(&home) && !layout.is_written(slot);
            function.slot(slot).access == Access::Owned
                && (home == layout.root || is_made)
                && !self.is_restored(slot)
        };
        let is_overread = |(slot, depth): &(Slot, u32)| {
            let home = layout.slot_home(*slot);
            let written = layout.written_depth(*slot).max(layout.depth(home));
            *depth > written || *depth == written && written > 1 && home == layout.root
        };
        let slots = read.into_iter().filter(|(slot, _)| is_kept(*slot));
        slots.filter(is_overread).map(|(slot, _)| slot).collect()
    }

    /// What the plan costs: each loop around counts as many iterations. What is stored is written and read, and old
    /// contents are put back as well.
    pub fn cost(&self, layout: &Layout) -> u64 {
        const ITERATIONS: u64 = 100;
        let weight = |residual: &Residual| match residual {
            Residual::Old(_) => 3,
            // A place holds several values.
            Residual::Contents(_) => 8,
            _ => 2,
        };
        let block = |(block, list): (&BlockId, &Vec<Residual>)| {
            let times = ITERATIONS.saturating_pow(layout.depth(*block));
            list.iter().map(weight).sum::<u64>().saturating_mul(times)
        };
        self.stored.iter().map(block).fold(0, u64::saturating_add)
    }

    /// Whether the last run asked for something new; forgets it.
    pub fn take_grown(&mut self) -> bool {
        std::mem::take(&mut self.grown)
    }
}

/// Where things are defined in a primal function.
pub struct Layout<'f> {
    /// The instruction and block that define a value. Parameters have no instruction.
    defs: EntityMap<Value, (Option<&'f Inst>, BlockId)>,
    /// The block around a block.
    parents: EntityMap<BlockId, BlockId>,
    /// The first version of each slot, and the last at the end of its block.
    slots: EntityMap<Slot, (BlockId, Value)>,
    /// Slots that have further versions, with how many loops are around the innermost instruction that makes one.
    written: EntityMap<Slot, u32>,
    /// Slots that calls may write.
    lent: EntitySet<Slot>,
    /// Vectors whose length may change.
    resized: EntitySet<Slot>,
    /// Bodies of loops.
    bodies: EntitySet<BlockId>,
    /// Arms of conditions.
    arms: EntitySet<BlockId>,
    /// Indices of loops that run backwards over the same range.
    indices: EntitySet<Value>,
    /// Bodies that run again before the sweep goes backwards through them.
    rerun: EntitySet<BlockId>,
    /// Values loaded from places whose type may not be `Copy`, and then handed on.
    moved_out: EntitySet<Value>,
    refills: Refills,
    /// Values that are used by something that takes them over.
    taken: EntitySet<Value>,
    pub root: BlockId,
}

impl<'f> Layout<'f> {
    pub fn new(function: &'f Function) -> Self {
        let root = function.body.id;
        let mut layout = Layout {
            defs: EntityMap::default(),
            parents: EntityMap::default(),
            slots: EntityMap::default(),
            written: EntityMap::default(),
            lent: EntitySet::default(),
            resized: EntitySet::default(),
            bodies: EntitySet::default(),
            arms: EntitySet::default(),
            indices: EntitySet::default(),
            rerun: EntitySet::default(),
            moved_out: EntitySet::default(),
            refills: refills(function),
            taken: super::loans::taken(function),
            root,
        };
        layout.find_moves(function);
        layout.block(function, &function.body);
        layout
    }

    fn block(&mut self, function: &Function, block: &'f Block) {
        for param in &block.params {
            self.define(function, *param, None, block.id);
        }
        for inst in &block.insts {
            match &inst.op {
                Op::Loop(repeat) => drop(self.bodies.insert(repeat.body.id)),
                Op::If(then, other) => self.arms.extend([then.id, other.id]),
                _ => {}
            }
            for inner in inst.op.blocks() {
                self.parents.insert(inner.id, block.id);
                self.block(function, inner);
            }
            if let Op::Call(call) = &inst.op {
                let written = call.operands(inst).filter(|passed| passed.passing.writes());
                self.lent.extend(written.filter_map(|passed| function.slot_of(passed.args[0])));
            }
            self.resized.extend(resized(function, inst));
            if let Op::Loop(repeat) = &inst.op {
                let index = repeat
                    .body
                    .params
                    .first()
                    .filter(|_| repeat.index_params() == 1 && !repeat.breaks);
                self.indices.extend(index);
                if matches!(repeat.kind, LoopKind::Once) {
                    self.rerun.insert(repeat.body.id);
                }
            }
            for result in &inst.results {
                self.define(function, *result, Some(inst), block.id);
            }
        }
    }

    fn find_moves(&mut self, function: &Function) {
        let handed_on = handed_on(function);
        function.body.walk(&mut |inst, _| {
            let read = inst.results.first().filter(|_| may_move_out(function, inst));
            let is_moved =
                |read: &&Value| handed_on.contains(*read) && !self.refills.may_move(**read);
            self.moved_out.extend(read.filter(is_moved));
        });
    }

    /// Returns the parts that are written again before anything else touches their places.
    pub fn refills(&self) -> &Refills {
        &self.refills
    }

    /// Whether a load may move what it reads out of its place.
    pub fn is_moved_out(&self, value: Value) -> bool {
        self.moved_out.contains(&value)
    }

    /// Whether something takes a value over.
    pub fn is_taken(&self, value: Value) -> bool {
        self.taken.contains(&value)
    }

    fn define(
        &mut self,
        function: &Function,
        value: Value,
        inst: Option<&'f Inst>,
        block: BlockId,
    ) {
        self.defs.insert(value, (inst, block));
        let Some(slot) = function.slot_of(value) else {
            return;
        };
        let root = inst.is_none_or(|inst| is_root(function, inst, slot));
        if root && !self.slots.contains_key(&slot) {
            self.slots.insert(slot, (block, value));
            return;
        }
        let depth = self.depth(block);
        let written = self.written.entry(slot).or_default();
        *written = depth.max(*written);
        if let Some(entry) = self.slots.get_mut(&slot)
            && entry.0 == block
        {
            entry.1 = value;
        }
    }

    pub fn def(&self, value: Value) -> Option<&'f Inst> {
        self.defs.get(&value).and_then(|(inst, _)| *inst)
    }

    /// The block in which a value is defined.
    pub fn home(&self, value: Value) -> BlockId {
        self.defs[&value].1
    }

    /// Whether the reverse sweep has a value whatever is stored.
    pub fn is_at_hand(&self, value: Value) -> bool {
        let home = self.home(value);
        self.indices.contains(&value) || home == self.root || self.rerun.contains(&home)
    }

    pub fn parent(&self, block: BlockId) -> Option<BlockId> {
        self.parents.get(&block).copied()
    }

    /// A block and those around it.
    pub fn around(&self, block: BlockId) -> impl Iterator<Item = BlockId> {
        std::iter::successors(Some(block), |block| self.parent(*block))
    }

    /// The block around an arm of a condition.
    pub fn around_arm(&self, block: BlockId) -> Option<BlockId> {
        self.parent(block).filter(|_| self.arms.contains(&block))
    }

    /// The block in which a slot's place is made.
    pub fn slot_home(&self, slot: Slot) -> BlockId {
        self.slots[&slot].0
    }

    /// The version of a slot at the end of the block that makes it.
    pub fn last_version(&self, slot: Slot) -> Value {
        self.slots[&slot].1
    }

    /// Whether anything writes the slot after it is made.
    pub fn is_written(&self, slot: Slot) -> bool {
        self.written.contains_key(&slot)
    }

    /// The places that values are computed from.
    fn sources(&self, function: &Function, values: impl Iterator<Item = Value>) -> BTreeSet<Slot> {
        let (mut sources, mut seen) = (BTreeSet::new(), EntitySet::default());
        let mut rest: Vec<Value> = values.collect();
        while let Some(value) = rest.pop() {
            if self.is_at_hand(value) || !seen.insert(value) {
                continue;
            }
            match self.def(value) {
                Some(inst) if matches!(inst.op, Op::Load(_)) => {
                    sources.extend(function.slot_of(inst.args[0]));
                }
                Some(inst) if is_pure(&inst.op) => rest.extend(&inst.args),
                _ => {}
            }
        }
        sources
    }

    /// How many loops are around the innermost instruction that writes the slot.
    fn written_depth(&self, slot: Slot) -> u32 {
        self.written.get(&slot).copied().unwrap_or(0)
    }

    /// How many loops are around the instructions of a block.
    pub fn depth(&self, block: BlockId) -> u32 {
        let outer = self.around(block);
        outer.filter(|block| self.bodies.contains(block) && !self.rerun.contains(block)).count()
            as u32
    }

    /// Whether calls may write the slot.
    pub fn is_lent(&self, slot: Slot) -> bool {
        self.lent.contains(&slot)
    }

    /// Whether the slot's length may change.
    pub fn is_resized(&self, slot: Slot) -> bool {
        self.resized.contains(&slot)
    }

    pub fn all_slots(&self) -> impl Iterator<Item = Slot> {
        let mut slots: Vec<Slot> = self.slots.keys().copied().collect();
        slots.sort();
        slots.into_iter()
    }

    /// Whether `inner` is `outer` or lies inside it.
    pub fn is_inside(&self, inner: BlockId, outer: BlockId) -> bool {
        let mut block = Some(inner);
        while let Some(current) = block {
            if current == outer {
                return true;
            }
            block = self.parent(current);
        }
        false
    }
}

/// Whether an instruction loads a value that may not be `Copy`. Out of an element, or from behind a
/// reference, the language allows no move.
pub fn may_move_out(function: &Function, inst: &Inst) -> bool {
    let Op::Load(path) = &inst.op else { return false };
    let slot = function.slot_of(inst.args[0]);
    let is_owned = slot.is_some_and(|slot| function.slot(slot).access == Access::Owned);
    let is_element = |step: &Projection| step.indices() > 0 || matches!(step, Projection::Range(_));
    is_owned && *function.ty(inst.results[0]) == Type::Unknown && !path.iter().any(is_element)
}

/// Values that are used by something that keeps them, or may.
pub fn handed_on(function: &Function) -> EntitySet<Value> {
    let mut handed_on: EntitySet<Value> = function.body.results.iter().copied().collect();
    function.body.walk(&mut |inst, _| {
        if !reads_only(&inst.op) {
            handed_on.extend(&inst.args);
        }
        handed_on.extend(inst.op.blocks().flat_map(|block| &block.results));
    });
    handed_on
}

/// Operations that look at their operands and do not keep them.
fn reads_only(op: &Op) -> bool {
    matches!(
        op,
        Op::Apply(_)
            | Op::Binary(_)
            | Op::Proved(_)
            | Op::Not
            | Op::Method(_)
            | Op::Cast(_)
            | Op::Convert(_)
            | Op::Macro(_)
            | Op::Proof(_)
    )
}

/// The slots of which an instruction may change the length.
pub fn resized(function: &Function, inst: &Inst) -> Vec<Slot> {
    let all =
        |values: &[Value]| values.iter().filter_map(|value| function.slot_of(*value)).collect();
    match &inst.op {
        Op::Insert(..) | Op::Remove(..) => all(&inst.results),
        Op::Store(path) | Op::Replace(path) | Op::Exchange(path, _)
            if !path.ends_with(&[Projection::Index]) =>
        {
            all(&inst.results)
        }
        Op::Store(_) | Op::Replace(_)
            if !function.ty(*inst.args.last().expect("a stored value")).is_float() =>
        {
            all(&inst.results)
        }
        Op::Exchange(..) if !function.ty(inst.args[0]).element().is_float() => all(&inst.results),
        Op::Call(_) => all(&inst.results[1..]),
        Op::Touch => all(&inst.results),
        _ => Vec::new(),
    }
}

/// Whether an instruction makes a slot's place rather than a further version of it.
fn is_root(function: &Function, inst: &Inst, slot: Slot) -> bool {
    !inst.args.iter().any(|arg| function.slot_of(*arg) == Some(slot))
        && !inst
            .op
            .blocks()
            .any(|block| block.results.iter().any(|value| function.slot_of(*value) == Some(slot)))
}

/// Whether an operation's result is worth a place on a tape that exists anyway.
pub fn is_expensive(op: &Op) -> bool {
    match op {
        Op::Apply(rule) => rule.cost > Cost::Cheap,
        Op::If(..) => true,
        _ => false,
    }
}

/// Sums and products: to compute one again costs less than to keep it.
pub fn is_slight(op: &Op) -> bool {
    matches!(op, Op::Apply(rule) if rule.cost == Cost::Sum)
}

/// Operations on values that give the same result whenever they run.
pub fn is_pure(op: &Op) -> bool {
    matches!(
        op,
        Op::Literal(_)
            | Op::Item(_)
            | Op::Matches(..)
            | Op::Apply(_)
            | Op::Binary(_)
            | Op::Proved(_)
            | Op::Not
            | Op::Cast(_)
            | Op::Convert(_)
            | Op::Tuple
            | Op::Destructure
            | Op::Undefined
            | Op::Method(_)
            | Op::Trips(_)
            | Op::Stride(_)
            | Op::Nth(_)
            | Op::Detached
            | Op::Linear
            | Op::One
            | Op::Sum
    )
}
