//! Blocks, branches, loops and tapes.
//!
//! A place is one piece of memory, in which each version takes the place of the one before it, as in emitted code.
//! **Invariant:** only the version that a place holds now is used; another one is a fault.

use super::data::{Datum, Entry};
use super::fault::{Costs, Fault, Run};
use crate::ir::{Block, Function, Inst, Loop, LoopKind, Op, Slot, Tape, Value};
use std::rc::Rc;

/// What runs functions.
pub(super) struct Machine<'p> {
    pub functions: &'p [Rc<Function>],
    pub costs: Costs,
    /// The largest magnitude of what rows gave.
    pub largest: f64,
    /// How many steps may be taken.
    pub limit: u64,
    pub depth: usize,
}

/// A call of a function under way, or of a pullback.
pub(super) struct Frame {
    pub function: Rc<Function>,
    values: Vec<Option<Datum>>,
    /// The current version of each place, and what it holds.
    places: Vec<Option<(Value, Datum)>>,
    pub tapes: Vec<Vec<Entry>>,
}

impl Frame {
    pub fn new(function: Rc<Function>) -> Self {
        let values = function.values.iter().map(|_| None).collect();
        let places = function.slots.iter().map(|_| None).collect();
        let tapes = (0..function.tapes).map(|_| Vec::new()).collect();
        Frame { function, values, places, tapes }
    }

    pub fn slot(&self, value: Value) -> Option<Slot> {
        self.function.slot_of(value)
    }

    /// A value as the source calls it.
    pub fn named(&self, value: Value) -> String {
        format!("`{}` ({value})", self.function.value(value).name)
    }

    /// Makes a value, or a version of a place.
    pub fn define(&mut self, value: Value, datum: Datum) {
        match self.slot(value) {
            Some(slot) => self.places[slot.0 as usize] = Some((value, datum)),
            None => self.values[value.0 as usize] = Some(datum),
        }
    }

    pub fn look(&self, value: Value) -> Run<&Datum> {
        let found = match self.slot(value) {
            Some(slot) => match &self.places[slot.0 as usize] {
                Some((current, datum)) if *current == value => Some(datum),
                Some((current, _)) => {
                    let text =
                        format!("{} is used where its place holds {current}", self.named(value));
                    return Err(Fault::Broken(text));
                }
                None => None,
            },
            None => self.values[value.0 as usize].as_ref(),
        };
        found.ok_or_else(|| Fault::Broken(format!("{} is not defined", self.named(value))))
    }

    pub fn read(&self, value: Value) -> Run<Datum> {
        self.look(value).cloned()
    }

    pub fn read_all(&self, values: &[Value]) -> Run<Vec<Datum>> {
        values.iter().map(|value| self.read(*value)).collect()
    }

    /// What a version holds, to be put back by [`define`](Self::define) under the next one.
    pub fn take(&mut self, value: Value, next: Value) -> Run<Datum> {
        self.look(value)?;
        match self.slot(value) {
            Some(slot) if self.slot(next) == Some(slot) => {
                let taken = self.places[slot.0 as usize].take();
                taken.map(|(_, datum)| datum).ok_or_else(|| Fault::Broken(self.named(value)))
            }
            _ => self.read(value),
        }
    }

    /// What a place holds in the end.
    pub fn contents(&self, slot: Slot) -> Run<Datum> {
        let held = self.places[slot.0 as usize].as_ref();
        held.map(|(_, datum)| datum.clone()).ok_or_else(|| {
            Fault::Broken(format!("the place `{}` holds nothing", self.function.slot(slot).name))
        })
    }

    /// Hands values over, all at once. Where both are versions of one place, nothing is moved.
    pub fn hand_over(&mut self, from: &[Value], to: &[Value]) -> Run<()> {
        let mut moved = Vec::new();
        for (from, to) in from.iter().zip(to) {
            match self.slot(*from).filter(|slot| self.slot(*to) == Some(*slot)) {
                Some(slot) => {
                    self.look(*from)?;
                    if let Some((current, _)) = &mut self.places[slot.0 as usize] {
                        *current = *to;
                    }
                }
                None => moved.push((*to, self.read(*from)?)),
            }
        }
        moved.into_iter().for_each(|(to, datum)| self.define(to, datum));
        Ok(())
    }
}

impl<'p> Machine<'p> {
    /// The function of a name.
    pub fn function(&self, name: &str) -> Option<&'p Rc<Function>> {
        self.functions.iter().find(|function| function.name == name)
    }
}

impl Machine<'_> {
    pub fn insts(&mut self, frame: &mut Frame, block: &Block) -> Run<()> {
        block.insts.iter().try_for_each(|inst| self.inst(frame, inst))
    }

    fn inst(&mut self, frame: &mut Frame, inst: &Inst) -> Run<()> {
        self.step()?;
        match &inst.op {
            Op::If(then, other) => {
                let holds = frame.look(inst.args[0])?.bool()?;
                let arm = if holds { then } else { other };
                self.insts(frame, arm)?;
                frame.hand_over(&arm.results, &inst.results)
            }
            Op::Loop(repeat) => self.repeat(frame, inst, repeat),
            _ => self.operation(frame, inst),
        }
    }

    pub fn step(&mut self) -> Run<()> {
        self.costs.steps += 1;
        if self.costs.steps > self.limit { Err(Fault::Endless) } else { Ok(()) }
    }

    fn repeat(&mut self, frame: &mut Frame, inst: &Inst, repeat: &Loop) -> Run<()> {
        let (bounds, start) = inst.args.split_at(repeat.bounds());
        let bounds = frame.read_all(&bounds[..repeat.kind.bounds()])?;
        let mut indices = indices(&repeat.kind, &bounds)?;
        let carried = repeat.carried();
        frame.hand_over(start, carried)?;
        loop {
            match &repeat.kind {
                LoopKind::While { condition } => {
                    frame.hand_over(carried, &condition.params)?;
                    self.insts(frame, condition)?;
                    let goes_on = frame.look(condition.results[0])?.bool()?;
                    frame.hand_over(&condition.params, carried)?;
                    if !goes_on {
                        break;
                    }
                }
                LoopKind::Range { .. } | LoopKind::Repeat | LoopKind::Once => {
                    let Some(index) = indices.next() else { break };
                    if repeat.index_params() == 1 {
                        frame.define(repeat.body.params[0], Datum::Integer(index));
                    }
                }
            }
            self.step()?;
            self.insts(frame, &repeat.body)?;
            let goes_on = !repeat.breaks || frame.look(repeat.body.results[0])?.bool()?;
            frame.hand_over(repeat.next(), carried)?;
            if !goes_on {
                break;
            }
        }
        frame.hand_over(carried, &inst.results)
    }

    pub fn push(&mut self, frame: &mut Frame, tape: Tape, entry: Vec<Datum>) {
        self.costs.tape_bytes += entry.iter().map(Datum::bytes).sum::<u64>();
        frame.tapes[tape.0 as usize].push(Entry(entry));
    }
}

impl Frame {
    /// Takes the entry that was pushed last, which has as many parts as are expected.
    pub fn pop(&mut self, tape: Tape, parts: usize) -> Run<Vec<Datum>> {
        let entry = self.tapes[tape.0 as usize].pop();
        let Some(Entry(entry)) = entry else {
            return Err(Fault::Broken(format!("tape {} is empty", tape.0)));
        };
        match entry.len() == parts {
            true => Ok(entry),
            false => {
                let text = format!("{parts} parts are popped of an entry of {}", entry.len());
                Err(Fault::Broken(format!("tape {}: {text}", tape.0)))
            }
        }
    }
}

/// The indices of a loop's iterations.
pub(super) fn indices(kind: &LoopKind, bounds: &[Datum]) -> Run<Box<dyn Iterator<Item = i64>>> {
    use crate::ir::Adaptor;
    Ok(match kind {
        LoopKind::While { .. } => Box::new(std::iter::empty()),
        LoopKind::Once => Box::new(std::iter::once(0)),
        LoopKind::Repeat => Box::new(0..bounds[0].integer()?),
        LoopKind::Range { inclusive, adaptors } => {
            let (start, end) = (bounds[0].integer()?, bounds[1].integer()?);
            let end = if *inclusive { end + 1 } else { end };
            if adaptors.is_empty() {
                return Ok(Box::new(start..end));
            }
            let mut all: Vec<i64> = (start..end).collect();
            for adaptor in adaptors {
                match adaptor {
                    Adaptor::Rev => all.reverse(),
                    Adaptor::StepBy | Adaptor::Strips => {
                        let step = usize::try_from(bounds[2].integer()?).unwrap_or(0);
                        if step == 0 {
                            return Err(Fault::Panic("a step of zero".to_owned()));
                        }
                        all = all.into_iter().step_by(step).collect();
                    }
                }
            }
            Box::new(all.into_iter())
        }
    })
}
