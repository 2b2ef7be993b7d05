//! Preaccumulation: what has few inputs is differentiated forwards, where it stands, before the reverse transform.
//!
//! In: a primal function and its activity. Out: the same function, in which a branch of one active input, a loop of one
//! or two, and a long row of instructions of one or two yield their partial derivatives beside their values. To the
//! reverse transform these are numbers: it multiplies by them, and needs neither a tape nor a second branch.
//!
//! A part takes its inputs as constants (`Op::Detached`), and each of its results is a value with partial derivatives
//! by the inputs (`Op::Linear`). Both are their first operand, which [`joined`] makes them again when the reverse
//! transform has run, so that further orders see what the partial derivatives depend on.
//!
//! **Invariant:** a part has neither effects nor places of its own, and reads no place that has a tangent.

use super::forward::forward;
use super::rule::reads;
use crate::analysis::activity::{self, Activity};
use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::free::Free;
use crate::ir::{Block, Function, Inst, Loop, LoopKind, Op, Value};
use crate::simplify::{count_uses, cse, substitute};
use rustc_hash::FxHashSet as HashSet;

/// How many inputs a part may have that would need a tape otherwise, or more registers than there are.
const FEW: usize = 2;

/// How many products and the like of active values there are in a row that is long: each of them would keep its
/// operands until the reverse sweep comes back to it.
const LONG: usize = 64;

/// Runs the transform. Nothing is returned where there is no such part.
pub fn preaccumulate(primal: &Function, activity: &Activity) -> Option<Function> {
    if primal.is_watched {
        return None;
    }
    let mut function = cse(primal.clone());
    let (uses, mut body) = (count_uses(&function.body), function.body.clone());
    // The pass copies the function for each part.
    function.body.insts.clear();
    let mut pass = Preaccumulate { function, activity, uses, has_found: false };
    pass.block(&mut body);
    pass.function.body = body;
    pass.has_found.then_some(pass.function)
}

/// A derivative in which values with given partial derivatives are these values. How many values the primal had before
/// says what is derived.
pub fn joined(mut function: Function, primal_values: u32) -> Function {
    function.primal_values = primal_values;
    let mut same = EntityMap::default();
    let is_same = |inst: &Inst| matches!(inst.op, Op::Detached | Op::Linear);
    function.body.walk(&mut |inst, _| {
        if is_same(inst) {
            same.insert(inst.results[0], inst.args[0]);
        }
    });
    function.body.retain(&|inst| !is_same(inst));
    substitute(&mut function.body, &same);
    function
}

struct Preaccumulate<'a> {
    function: Function,
    activity: &'a Activity,
    /// How often the primal uses each value.
    uses: EntityMap<Value, usize>,
    has_found: bool,
}

/// Instructions, and what they have to do with the rest.
struct Part {
    insts: Vec<Inst>,
    /// How often it uses each value.
    uses: EntityMap<Value, usize>,
    inputs: Vec<Value>,
    outputs: Vec<Value>,
}

impl Preaccumulate<'_> {
    /// From the last instruction to the first, so that a part takes in what it alone makes use of.
    fn block(&mut self, block: &mut Block) {
        let mut rest = std::mem::take(&mut block.insts);
        let mut done: Vec<Inst> = Vec::new();
        while let Some(mut last) = rest.pop() {
            let part = match last.op {
                Op::If(..) | Op::Loop(_) => self.region(&last, &mut rest),
                _ => self.row(&last, &mut rest),
            };
            match part {
                Ok(part) => {
                    let (insts, names) = self.differentiated(part);
                    block.insts = done;
                    substitute(block, &names);
                    done = std::mem::take(&mut block.insts);
                    done.extend(insts.into_iter().rev());
                }
                Err(insts) if insts.len() > 1 => done.extend(insts.into_iter().rev()),
                Err(_) => {
                    last.op.blocks_mut().for_each(|inner| self.block(inner));
                    done.push(last);
                }
            }
        }
        done.reverse();
        block.insts = done;
    }

    /// A branch or a loop as a part, with what is made for it alone.
    fn region(&self, inst: &Inst, before: &mut Vec<Inst>) -> Result<Part, Vec<Inst>> {
        let refused = Err(Vec::new());
        if !self.is_plain(inst) {
            return refused;
        }
        let mut part = self.part(vec![inst.clone()]);
        let mut taken = Vec::new();
        for (position, earlier) in before.iter().enumerate().rev() {
            if self.is_value(earlier) && self.is_made_for(earlier, &part) {
                let insts = std::iter::once(earlier.clone()).chain(part.insts).collect();
                part = self.part(insts);
                taken.push(position);
            }
        }
        let few = if self.is_recurrence(inst) { FEW } else { 1 };
        let are_numbers = part.inputs.iter().all(|input| self.is_number(*input));
        if part.outputs.is_empty() || !(1..=few).contains(&part.inputs.len()) || !are_numbers {
            return refused;
        }
        taken.into_iter().for_each(|position| drop(before.remove(position)));
        Ok(part)
    }

    /// An instruction and those in a row before it, if they are a long part; else these instructions as they are.
    fn row(&self, last: &Inst, before: &mut Vec<Inst>) -> Result<Part, Vec<Inst>> {
        if !self.is_value(last) {
            return Err(Vec::new());
        }
        let others = before.iter().rev().take_while(|inst| self.is_value(inst)).count();
        let mut insts = before.split_off(before.len() - others);
        insts.push(last.clone());
        if insts.iter().filter(|inst| self.is_nonlinear(inst)).count() < LONG {
            return Err(insts);
        }
        let part = self.part(insts);
        let is_few = (1..=FEW).contains(&part.inputs.len()) && part.outputs.len() == 1;
        if is_few { Ok(part) } else { Err(part.insts) }
    }

    fn part(&self, insts: Vec<Inst>) -> Part {
        let free = Free::of(&insts, &[]).values;
        let inputs = free.into_iter().filter(|value| self.activity.is_varied(*value)).collect();
        let mut uses = EntityMap::default();
        for inst in &insts {
            inst.each_use(&mut |value| *uses.entry(value).or_default() += 1);
        }
        let is_used = |value: &Value| self.uses.get(value) > uses.get(value);
        let made = insts.iter().flat_map(|inst| &inst.results).copied();
        let is_active = |value: &Value| self.activity.is_active(&self.function, *value);
        let outputs = made.filter(is_used).filter(is_active).collect();
        Part { insts, uses, inputs, outputs }
    }

    /// Whether nothing but a part uses what an instruction makes, and the part has no more inputs with it.
    fn is_made_for(&self, inst: &Inst, part: &Part) -> bool {
        let [result] = inst.results[..] else { return false };
        let more = inst.args.iter().filter(|arg| self.activity.is_varied(**arg));
        let more: HashSet<&Value> = more.filter(|arg| !part.inputs.contains(arg)).collect();
        let is_input = part.inputs.contains(&result);
        part.uses.contains_key(&result)
            && self.uses.get(&result) == part.uses.get(&result)
            && more.len() <= usize::from(is_input)
    }

    /// An instruction that is a value alone, without blocks.
    fn is_value(&self, inst: &Inst) -> bool {
        let is_value = matches!(
            inst.op,
            Op::Literal(_)
                | Op::Item(_)
                | Op::Apply(_)
                | Op::Binary(_)
                | Op::Proved(_)
                | Op::Not
                | Op::Method(_)
                | Op::Cast(_)
                | Op::Convert(_)
                | Op::Undefined
        );
        is_value && self.has_no_place(inst)
    }

    /// No operand is a place, and what has a tangent is a float.
    fn has_no_place(&self, inst: &Inst) -> bool {
        let mut values = inst.args.iter().chain(&inst.results);
        values.all(|value| self.is_number(*value))
    }

    fn is_number(&self, value: Value) -> bool {
        let is_float = !self.activity.is_varied(value) || self.function.ty(value).is_float();
        is_float && self.function.slot_of(value).is_none()
    }

    /// Whether an instruction may be in a part, with all that is in its blocks.
    fn is_plain(&self, inst: &Inst) -> bool {
        let is_plain = match &inst.op {
            Op::If(..) => self.has_no_place(inst),
            Op::Loop(repeat) => {
                repeat.schedule.is_none()
                    && !matches!(repeat.kind, LoopKind::Once)
                    && self.has_no_place(inst)
            }
            Op::Load(_) | Op::Measure(..) => {
                let (place, rest) = inst.args.split_first().expect("a place");
                !self.activity.is_varied(*place)
                    && rest.iter().chain(&inst.results).all(|value| self.is_number(*value))
            }
            _ => self.is_value(inst),
        };
        is_plain
            && inst.op.blocks().all(|block| {
                block.params.iter().all(|param| self.is_number(*param))
                    && block.insts.iter().all(|inner| self.is_plain(inner))
            })
    }

    /// Whether a loop goes on from what it has made by more than sums: going back through it takes a tape.
    fn is_recurrence(&self, inst: &Inst) -> bool {
        let Op::Loop(repeat) = &inst.op else { return false };
        let carried = self.carried(repeat);
        let mut is_recurrence = false;
        repeat.body.walk(&mut |inner, _| {
            let depends = inner.args.iter().any(|arg| carried.contains(arg));
            is_recurrence |= depends && self.is_nonlinear(inner);
        });
        is_recurrence
    }

    /// Active values that follow from what a loop carries.
    fn carried(&self, repeat: &Loop) -> EntitySet<Value> {
        let is_varied = |value: &&Value| self.activity.is_varied(**value);
        let mut carried: EntitySet<Value> =
            repeat.carried().iter().filter(is_varied).copied().collect();
        loop {
            let before = carried.len();
            repeat.body.walk(&mut |inst, _| {
                let blocks = inst.op.blocks();
                let inner = blocks.flat_map(|block| &block.results);
                if inst.args.iter().chain(inner).any(|value| carried.contains(value)) {
                    let params = blocks.flat_map(|block| &block.params);
                    carried.extend(inst.results.iter().chain(params).filter(is_varied));
                }
            });
            if carried.len() == before {
                return carried;
            }
        }
    }

    /// Whether a derivative of an instruction depends on what is active.
    fn is_nonlinear(&self, inst: &Inst) -> bool {
        let Op::Apply(rule) = &inst.op else { return false };
        let named = rule.params.iter().map(|param| param.name).zip(&inst.args);
        let named = named.chain([(rule.result, &inst.results[0])]);
        let active: Vec<&str> = named
            .filter(|(_, value)| self.activity.is_varied(**value))
            .map(|(name, _)| name)
            .collect();
        let floats = rule.params.iter().zip(&inst.args).filter(|(param, _)| !param.integer);
        let mut partials =
            floats.enumerate().filter(|(_, (_, arg))| self.activity.is_varied(**arg));
        partials.any(|(partial, _)| active.iter().any(|name| reads(rule, partial, name)))
    }

    /// The part with its partial derivatives, and what stands for its results in what follows.
    fn differentiated(&mut self, part: Part) -> (Vec<Inst>, EntityMap<Value, Value>) {
        self.has_found = true;
        let (insts, partials) = self.with_partials(&part);
        let (mut names, mut before) = (EntityMap::default(), Vec::new());
        for input in &part.inputs {
            let detached = self.function.renewed(*input);
            let span = self.function.value(*input).span;
            names.insert(*input, detached);
            before.push(Inst {
                op: Op::Detached,
                args: vec![*input],
                results: vec![detached],
                span,
            });
        }
        let mut block = self.function.new_block();
        block.insts = insts;
        substitute(&mut block, &names);
        let mut names = EntityMap::default();
        for (output, partials) in part.outputs.iter().zip(partials) {
            let whole = self.function.renewed(*output);
            let span = self.function.value(*output).span;
            names.insert(*output, whole);
            let pairs = part.inputs.iter().zip(partials).flat_map(|(input, by)| [*input, by]);
            let args = std::iter::once(*output).chain(pairs).collect();
            block.insts.push(Inst { op: Op::Linear, args, results: vec![whole], span });
        }
        before.extend(block.insts);
        (before, names)
    }

    /// Runs the forward transform along each input. Returns the partial derivatives of each output.
    fn with_partials(&mut self, part: &Part) -> (Vec<Inst>, Vec<Vec<Value>>) {
        let mut insts = part.insts.clone();
        let mut partials = vec![Vec::new(); part.outputs.len()];
        for input in &part.inputs {
            let mut along = self.function.clone();
            along.body.params = vec![*input];
            along.body.insts = insts;
            along.body.results.clone_from(&part.outputs);
            (along.active, along.outputs) = (vec![*input], part.outputs.len());
            let along = forward(&along, &activity::analyse(&along));
            let one = along.body.params[1];
            let results = along.body.results.chunks(2).zip(&mut partials);
            results.for_each(|(pair, partials)| partials.push(pair[1]));
            let span = along.value(*input).span;
            insts = vec![Inst { op: Op::One, args: Vec::new(), results: vec![one], span }];
            insts.extend(along.body.insts);
            self.function.values = along.values;
            self.function.slots = along.slots;
            self.function.next_block = along.next_block;
        }
        (insts, partials)
    }
}
