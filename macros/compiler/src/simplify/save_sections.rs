//! What a nest of loops overwrites is saved in one copy.
//!
//! In: a nest whose iterations keep the elements that they overwrite, `tape.push(c[i * n + j]); c[i * n + j] = ..`, and one
//! that goes backwards and puts them back, `c[i * n + j] = tape.pop()`. Out: `tape.save(&c, 0..n * n)` before the one nest,
//! `tape.restore(0..n * n, &mut c)` before the other, and nothing of `c` inside of that. An element that is written in
//! each of many iterations is kept once, and without a tape rustc can compute iterations side by side.
//!
//! Invariants: the nest that goes backwards does nothing with the place but to put elements back. If one loop writes each
//! of them once, it may use them besides: what it puts back, it then finds there. And it may read the place, if all that it
//! reads is put back by then, or nothing of it: then all is put back behind the loop. What is saved is no more than a small multiple of what the
//! nest writes ([`crate::analysis::sections`]).

use super::prune::substitute;
use super::{dce, entries, forwards, prune};
use crate::analysis::numbering::{Element, Numbering};
use crate::analysis::sections::Nest;
use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{Block, BlockId, Function, Inst, Loop, Op, Projection, Slot, Tape, Type, Value};

/// Runs the pass.
pub fn save_sections(mut function: Function) -> Function {
    // The levels of a recursion share tapes, and what is on them is looked at once more.
    if function.is_recursive || function.tapes == 0 {
        return function;
    }
    let numbering = Numbering::of(&function);
    let plans = Sites::of(&function).plans(&function, &numbering);
    if plans.is_empty() {
        return function;
    }
    let mut body = function.take_body();
    let (mut copies, mut renamed) = (EntityMap::default(), EntityMap::default());
    let mut reads = EntitySet::default();
    for plan in plans {
        plan.copies(&mut function, &mut copies);
        renamed.extend(plan.puts);
        reads.extend(plan.reads);
    }
    insert(&mut function, &mut body, &mut copies);
    read(&mut function, &mut body, &reads, &mut renamed);
    let is_put =
        |inst: &Inst| matches!(inst.op, Op::Store(_)) && renamed.contains_key(&inst.results[0]);
    body.retain(&|inst| !is_put(inst));
    substitute(&mut body, &renamed);
    function.body = body;
    // Without a tape, iterations may have no order any more.
    forwards(dce(prune(entries(function))))
}

/// An instruction, with the loops around it, the outermost first.
#[derive(Clone)]
struct Site<'f> {
    inst: &'f Inst,
    loops: Vec<&'f Inst>,
}

/// An element that is kept where it is overwritten, and what puts it back.
struct Log<'f> {
    element: Element,
    write: Site<'f>,
    put: Site<'f>,
    /// Whether it is used besides.
    is_used: bool,
}

/// Where things happen in a function.
#[derive(Default)]
struct Sites<'f> {
    made: EntityMap<Value, Site<'f>>,
    stores: EntityMap<Value, Vec<Site<'f>>>,
    pushes: EntityMap<Tape, Vec<Site<'f>>>,
    pops: EntityMap<Tape, Vec<Site<'f>>>,
    /// What puts a value into a place.
    put: EntityMap<Value, Site<'f>>,
    uses: EntityMap<Value, usize>,
}

impl<'f> Sites<'f> {
    fn of(function: &'f Function) -> Self {
        let mut sites = Sites { uses: super::count_uses(&function.body), ..Sites::default() };
        sites.block(&function.body, &mut Vec::new());
        sites
    }

    fn block(&mut self, block: &'f Block, loops: &mut Vec<&'f Inst>) {
        for inst in &block.insts {
            let site = Site { inst, loops: loops.clone() };
            match &inst.op {
                Op::TapePush(tape) => self.pushes.entry(*tape).or_default().push(site),
                Op::TapePop(tape) => self.pops.entry(*tape).or_default().push(site),
                Op::Store(_) => {
                    self.put.insert(inst.args[inst.args.len() - 1], site.clone());
                    self.stores.entry(inst.args[0]).or_default().push(site);
                }
                Op::Load(_) => _ = self.made.insert(inst.results[0], site),
                _ => {}
            }
            let is_loop = matches!(inst.op, Op::Loop(_));
            loops.extend(is_loop.then_some(inst));
            inst.op.blocks().for_each(|inner| self.block(inner, loops));
            loops.truncate(loops.len() - usize::from(is_loop));
        }
    }

    /// What is kept of elements that are overwritten, and does nothing but to be put back.
    fn logs(&self, function: &Function, numbering: &Numbering) -> Vec<Log<'f>> {
        let mut logs = Vec::new();
        let mut tapes: Vec<(&Tape, &Vec<Site>)> = self.pushes.iter().collect();
        tapes.sort_by_key(|(tape, _)| **tape);
        for (tape, pushes) in tapes {
            let ([push], Some([pop])) = (&pushes[..], self.pops.get(tape).map(Vec::as_slice))
            else {
                continue;
            };
            let pairs = push.inst.args.iter().zip(&pop.inst.results);
            logs.extend(pairs.filter_map(|(kept, back)| {
                self.log(function, numbering, (*kept, *back), (push, pop))
            }));
        }
        logs
    }

    fn log(
        &self,
        function: &Function,
        numbering: &Numbering,
        (kept, back): (Value, Value),
        (push, pop): (&Site<'f>, &Site<'f>),
    ) -> Option<Log<'f>> {
        let (load, put) = (self.made.get(&kept)?, self.put.get(&back)?);
        let element = numbering.element(function, load.inst)?;
        let is_same =
            |site: &&Site| numbering.element(function, site.inst).as_ref() == Some(&element);
        let write = self.stores.get(&load.inst.args[0])?.iter().find(is_same)?;
        let is_here = load.is_beside(push) && write.is_beside(push) && put.is_beside(pop);
        let is_used = self.uses.get(&back) != Some(&1);
        let is_row = element.path.iter().all(|step| *step == Projection::Index)
            && is_number(&function.slot(element.slot).ty.element());
        (is_here && is_row).then(|| Log {
            is_used,
            element,
            write: write.clone(),
            put: put.clone(),
        })
    }

    /// Which nests save what they overwrite: of each place the outermost ones that can.
    fn plans<'n>(&self, function: &Function, numbering: &'n Numbering) -> Vec<Plan<'n>> {
        let (mut logs, mut plans) = (self.logs(function, numbering), Vec::new());
        while let Some(first) = logs.first() {
            let (slot, loops) = (first.element.slot, first.write.loops.clone());
            let plan = loops.iter().enumerate().find_map(|(depth, nest)| {
                let inner: Vec<&Log> = logs
                    .iter()
                    .filter(|log| log.element.slot == slot && log.write.is_inside(depth, nest))
                    .collect();
                Plan::of(function, numbering, &inner, depth)
            });
            match plan {
                Some(plan) => {
                    logs.retain(|log| !plan.puts.contains_key(&log.put.inst.results[0]));
                    plans.push(plan);
                }
                None => _ = logs.remove(0),
            }
        }
        plans
    }
}

impl<'f> Site<'f> {
    /// Whether both are in the same iteration of the same loop.
    fn is_beside(&self, other: &Site) -> bool {
        self.loops.len() == other.loops.len()
            && self.loops.iter().zip(&other.loops).all(|(one, two)| std::ptr::eq(*one, *two))
    }

    fn is_inside(&self, depth: usize, nest: &Inst) -> bool {
        self.loops.get(depth).is_some_and(|inst| std::ptr::eq(*inst, nest))
    }
}

impl Log<'_> {
    /// Whether all that the loop which goes backwards reads of the place is what was stored there: elements that it has not
    /// put back when it reads them. Nothing where some are, and others hold their old contents again.
    fn reads_stored(&self, function: &Function, numbering: &Numbering) -> Option<bool> {
        let Op::Loop(repeat) = &self.put.loops.last()?.op else { return None };
        let (mut reads, mut is_put) = (Vec::new(), false);
        for inst in &repeat.body.insts {
            let mut note = |inst: &Inst| {
                let slot = inst.args.first().and_then(|place| function.slot_of(*place));
                if matches!(inst.op, Op::Load(_)) && slot == function.slot_of(self.put.inst.args[0])
                {
                    reads.push(self.is_left(function, numbering, (repeat, inst), is_put));
                }
            };
            note(inst);
            let blocks = inst.op.blocks();
            blocks.for_each(|block| block.walk(&mut |inst, _| note(inst)));
            is_put |= std::ptr::eq(inst, self.put.inst);
        }
        let reads: Vec<bool> = reads.into_iter().collect::<Option<_>>()?;
        let is_any = reads.contains(&true);
        (!is_any || reads.iter().all(|is_left| *is_left)).then_some(is_any)
    }

    /// Whether an element that is read is not put back yet.
    fn is_left(
        &self,
        function: &Function,
        numbering: &Numbering,
        (repeat, read): (&Loop, &Inst),
        is_put: bool,
    ) -> Option<bool> {
        if numbering.element(function, read) == numbering.element(function, self.put.inst) {
            return Some(!is_put);
        }
        if !repeat.is_plain() {
            return None;
        }
        let far = |inst: &Inst| distance(numbering, *inst.args.get(1)?, repeat.body.params[0]);
        let (read, put) = (far(read)?, far(self.put.inst)?);
        (read != put).then_some((read < put) == repeat.is_backward())
    }

    /// Whether the innermost loop writes the element in one iteration alone, and no sooner than the element is put back
    /// does the one that goes backwards use it.
    fn is_of_one_iteration(&self, depth: usize, plan: &Plan) -> bool {
        let is_innermost = depth + 1 == self.write.loops.len();
        let value = self.put.inst.args[self.put.inst.args.len() - 1];
        let Some(Op::Loop(repeat)) = self.put.loops.last().map(|inst| &inst.op) else {
            return false;
        };
        let mut before =
            repeat.body.insts.iter().take_while(|inst| !std::ptr::eq(*inst, self.put.inst));
        is_innermost
            && plan.sections.iter().all(|[(nest, index), _]| nest.is_of_one_iteration(*index))
            && before.all(|inst| !inst.uses().contains(&value))
    }
}

/// The nests of which one saves what the other puts back.
struct Plan<'n> {
    nests: [BlockId; 2],
    slots: [Slot; 2],
    /// What is copied: for both nests an index, seen from where it is used.
    sections: Vec<[(Nest<'n>, Value); 2]>,
    /// What is dropped: the version that each of them makes, and the one before.
    puts: EntityMap<Value, Value>,
    /// Of these, those whose element is read in the place of what was put back.
    reads: EntitySet<Value>,
    /// Whether elements are read before they are put back.
    is_behind: bool,
}

impl<'n> Plan<'n> {
    /// A plan for the nest at a depth around some logs, if it writes nothing else of their place.
    fn of(
        function: &Function,
        numbering: &'n Numbering,
        logs: &[&Log],
        depth: usize,
    ) -> Option<Self> {
        let first = logs.first()?;
        let nest = first.write.loops[depth];
        let back = first.put.loops.iter().find(|back| is_back(function, back, nest))?;
        let slots = [first.element.slot, function.slot_of(first.put.inst.args[0])?];
        let reads = logs.iter().filter(|log| log.is_used);
        let mut plan = Plan {
            nests: [body(nest)?, body(back)?],
            slots,
            sections: sections(numbering, logs, [nest, back])?,
            puts: logs.iter().map(|log| (log.put.inst.results[0], log.put.inst.args[0])).collect(),
            reads: reads.map(|log| log.put.inst.results[0]).collect(),
            is_behind: false,
        };
        let is_once = logs.len() == 1 && first.is_of_one_iteration(depth, &plan);
        let is_used = !plan.reads.is_empty();
        plan.is_behind = is_once && first.reads_stored(function, numbering)?;
        if is_used && (!is_once || plan.is_behind) {
            return None;
        }
        let writes: EntitySet<Value> = logs.iter().map(|log| log.write.inst.results[0]).collect();
        let is_only = |inst: &Inst| {
            let mut results = inst.results.iter();
            !results.any(|result| function.slot_of(*result) == Some(slots[0]))
                || writes.contains(&inst.results[0])
        };
        let is_put = |inst: &Inst| {
            !inst.touches(function, slots[1])
                || matches!(inst.op, Op::Measure(..))
                || is_once && matches!(inst.op, Op::Load(_))
                || inst.results.first().is_some_and(|left| plan.puts.contains_key(left))
        };
        (all_inside(nest, &is_only) && all_inside(back, &is_put)).then_some(plan)
    }

    /// What is done before or behind both nests.
    fn copies(&self, function: &mut Function, copies: &mut EntityMap<BlockId, Vec<Copy>>) {
        for pair in &self.sections {
            let tape = Tape(function.tapes);
            function.tapes += 1;
            for (side, (nest, index)) in pair.iter().enumerate() {
                let mut insts = Vec::new();
                let ends = nest.ends(function, *index, &mut insts).expect("looked at before");
                let (slot, is_save) = (self.slots[side], side == 0);
                let is_behind = self.is_behind && !is_save;
                let copy = Copy { tape, slot, insts, ends, is_save, is_behind };
                copies.entry(self.nests[side]).or_default().push(copy);
            }
        }
    }
}

/// The sections that logs are of, if both nests know them and each is dense.
fn sections<'n>(
    numbering: &'n Numbering,
    logs: &[&Log],
    nests: [&Inst; 2],
) -> Option<Vec<[(Nest<'n>, Value); 2]>> {
    let (mut sections, mut seen) = (Vec::new(), Vec::new());
    for log in logs {
        let sides = [(&log.write, nests[0]), (&log.put, nests[1])].map(|(site, nest)| {
            let from = site.loops.iter().position(|inst| std::ptr::eq(*inst, nest))?;
            let seen = Nest::new(numbering, &site.loops[from..]);
            Some((seen, site.inst.args[1]))
        });
        let [Some(write), Some(put)] = sides else { return None };
        let is_known = write.0.has_ends(write.1) && put.0.has_ends(put.1);
        if !is_known || !write.0.is_dense(write.1) || !write.0.is_alike(write.1, &put.0, put.1) {
            return None;
        }
        if !seen.contains(&log.element.indices[0]) {
            seen.push(log.element.indices[0]);
            sections.push([write, put]);
        }
    }
    Some(sections)
}

/// How far a number is from the index of a loop, by a number that is written.
fn distance(numbering: &Numbering, number: Value, index: Value) -> Option<i64> {
    if number == index {
        return Some(0);
    }
    let inst = numbering.inst(number)?;
    let literal = |value: Value| match &numbering.inst(value)?.op {
        Op::Literal(syn::Lit::Int(literal)) => literal.base10_parse().ok(),
        _ => None,
    };
    match (&inst.op, &inst.args[..]) {
        (Op::Apply(rule), [a, b]) if rule.name == "add" && *a == index => literal(*b),
        (Op::Apply(rule), [a, b]) if rule.name == "add" && *b == index => literal(*a),
        (Op::Apply(rule), [a, b]) if rule.name == "sub" && *a == index => {
            literal(*b).map(|far: i64| -far)
        }
        _ => None,
    }
}

fn is_back(function: &Function, back: &Inst, nest: &Inst) -> bool {
    let pair = body(back).zip(body(nest));
    pair.is_some_and(|(back, nest)| function.backwards.get(&back) == Some(&nest))
}

fn body(inst: &Inst) -> Option<BlockId> {
    match &inst.op {
        Op::Loop(repeat) => Some(repeat.body.id),
        _ => None,
    }
}

/// Whether all instructions inside of a loop are of a kind, but for those that only pass places on.
fn all_inside(inst: &Inst, is_fine: &dyn Fn(&Inst) -> bool) -> bool {
    let mut all = true;
    for block in inst.op.blocks() {
        block.walk(&mut |inst, _| all &= inst.op.has_blocks() || is_fine(inst));
    }
    all
}

/// A number, or a row of numbers that is copied as a whole.
fn is_number(ty: &Type) -> bool {
    match ty {
        Type::Array(item, _) => is_number(item),
        ty => ty.is_float(),
    }
}

/// Reads elements where they were put back: they are there already.
fn read(
    function: &mut Function,
    block: &mut Block,
    reads: &EntitySet<Value>,
    renamed: &mut EntityMap<Value, Value>,
) {
    for inst in &mut block.insts {
        inst.op.blocks_mut().for_each(|inner| read(function, inner, reads, renamed));
        if let Op::Store(path) = &inst.op
            && reads.contains(&inst.results[0])
            && let Some(value) = inst.args.pop()
        {
            inst.op = Op::Load(path.clone());
            inst.results = vec![function.renewed(value)];
            renamed.insert(value, inst.results[0]);
        }
    }
}

/// What is done before a nest, or behind it.
struct Copy {
    tape: Tape,
    slot: Slot,
    insts: Vec<Inst>,
    ends: [Value; 2],
    is_save: bool,
    is_behind: bool,
}

impl Copy {
    /// The copy, with what computes its ends, beside a nest that takes and leaves versions of the place.
    fn beside(self, function: &mut Function, nest: &mut Inst) -> Vec<Inst> {
        let is_here = |value: &&mut Value| function.slot_of(**value) == Some(self.slot);
        let versions = if self.is_behind { &mut nest.results } else { &mut nest.args };
        let version = versions.iter_mut().find(is_here).expect("a nest carries what it writes");
        let taken = if self.is_save { *version } else { function.renewed(*version) };
        let (op, results, from) = match (self.is_save, self.is_behind) {
            (true, _) => (Op::TapeSave(self.tape), Vec::new(), taken),
            (false, true) => {
                let left = std::mem::replace(version, taken);
                (Op::TapeRestore(self.tape), vec![left], taken)
            }
            (false, false) => {
                let found = std::mem::replace(version, taken);
                (Op::TapeRestore(self.tape), vec![taken], found)
            }
        };
        let args = vec![from, self.ends[0], self.ends[1]];
        let copy = Inst { op, args, results, span: nest.span };
        self.insts.into_iter().chain([copy]).collect()
    }
}

/// Puts copies before nests and behind them.
fn insert(function: &mut Function, block: &mut Block, copies: &mut EntityMap<BlockId, Vec<Copy>>) {
    for mut inst in std::mem::take(&mut block.insts) {
        let here = body(&inst).and_then(|body| copies.remove(&body)).unwrap_or_default();
        let (behind, before): (Vec<Copy>, Vec<Copy>) =
            here.into_iter().partition(|copy| copy.is_behind);
        for copy in before {
            block.insts.extend(copy.beside(function, &mut inst));
        }
        let behind: Vec<Vec<Inst>> =
            behind.into_iter().map(|copy| copy.beside(function, &mut inst)).collect();
        inst.op.blocks_mut().for_each(|inner| insert(function, inner, copies));
        block.insts.push(inst);
        block.insts.extend(behind.into_iter().flatten());
    }
}
