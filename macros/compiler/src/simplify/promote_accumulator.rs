//! Scalar promotion: keeping a loop's accumulator in a register (Lu and Cooper 1997).
//!
//! In: a primal function with loops that read and write one element or field again and again:
//! `for l in 0..m { c[i * k + j] += a[l] * b[l]; }`, where the index does not change. Out: the same with a carried value in
//! its stead, which is read before the loop and written behind it. So an adjoint has one element to put back, and not one
//! for each iteration.
//!
//! Invariants: nothing else in the loop reads or writes that element, by whatever index. Before the loop it is read only
//! where that cannot panic, or where the first iteration would have panicked there: it was read or written before, or its
//! index is written and the place is as long, or the first iteration does nothing before but compute.

use super::prune::substitute;
use super::ranges::{Literals, Range};
use crate::analysis::numbering::{Element, Numbering};
use crate::analysis::residuals::{is_pure, resized};
use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{
    Block, Function, Inst, Loop, LoopKind, Op, Path, Projection, Slot, Type, Value, ValueData,
};
use proc_macro2::Span;

/// Runs the pass.
pub fn promote_accumulator(mut function: Function) -> Function {
    let (numbering, literals) = (Numbering::of(&function), Literals::of(&function));
    let mut lengths = EntitySet::default();
    function.body.walk(&mut |inst, _| lengths.extend(resized(&function, inst)));
    let mut body = function.take_body();
    let (resized, reached, renamed) = (lengths, Vec::new(), EntityMap::default());
    let mut pass =
        Promotion { function: &mut function, numbering, literals, resized, reached, renamed };
    pass.block(&mut body);
    substitute(&mut body, &pass.renamed);
    function.body = body;
    function
}

/// An element that a loop keeps in a register.
struct Accumulator {
    element: Element,
    /// The indices of its path, which the loop may make in each iteration.
    indices: Vec<Value>,
    before: Before,
}

/// What is known of an element before a loop that accumulates in it.
enum Before {
    /// It is there.
    Exists,
    /// It is where the loop has an iteration.
    Tested(Range),
}

struct Promotion<'f> {
    function: &'f mut Function,
    numbering: Numbering,
    literals: Literals,
    resized: EntitySet<Slot>,
    /// The elements that were read or written on every way to this point.
    reached: Vec<Element>,
    renamed: EntityMap<Value, Value>,
}

impl Promotion<'_> {
    fn block(&mut self, block: &mut Block) {
        for mut inst in std::mem::take(&mut block.insts) {
            let mut behind = Vec::new();
            while let Some(accumulator) = self.accumulator(&inst) {
                let (first, last) = self.promote(&mut inst, accumulator);
                block.insts.extend(first);
                behind.splice(0..0, last);
            }
            for inner in inst.op.blocks_mut() {
                let outside = self.reached.len();
                self.block(inner);
                self.reached.truncate(outside);
            }
            self.reached.extend(self.element(&inst));
            block.insts.push(inst);
            block.insts.extend(behind);
        }
    }

    fn element(&self, inst: &Inst) -> Option<Element> {
        self.numbering.element(self.function, inst)
    }

    /// An element that a loop can keep in a register.
    fn accumulator(&self, inst: &Inst) -> Option<Accumulator> {
        let Op::Loop(repeat) = &inst.op else { return None };
        if repeat.schedule.is_some() || matches!(repeat.kind, LoopKind::Once) {
            return None;
        }
        let inside = repeat.body.made();
        let mut found = None;
        repeat.body.walk(&mut |store, _| {
            if found.is_some() || !matches!(store.op, Op::Store(_)) {
                return;
            }
            let indices = &store.args[1..store.args.len() - 1];
            let is_still = |index: &Value| !self.numbering.depends(*index, &inside);
            let element = self.element(store).filter(|element| {
                indices.iter().all(is_still)
                    && self.ty(element).is_float()
                    && self.is_carried(inst, element.slot)
                    && self.is_alone(repeat, element)
            });
            found = element.and_then(|element| {
                let before = self.before(inst, repeat, &element)?;
                Some(Accumulator { element, indices: indices.to_vec(), before })
            });
        });
        found
    }

    /// The type of an element, where its place tells.
    fn ty(&self, element: &Element) -> Type {
        self.function.slot(element.slot).ty.part(&element.path)
    }

    fn is_carried(&self, inst: &Inst, slot: Slot) -> bool {
        inst.results.iter().any(|result| self.function.slot_of(*result) == Some(slot))
    }

    /// Whether nothing in a loop reads or writes an element but loads and stores of that element.
    fn is_alone(&self, repeat: &Loop, element: &Element) -> bool {
        let mut is_alone = true;
        let mut look = |inst: &Inst, _: &Block| {
            is_alone &= inst.op.has_blocks() || self.leaves(inst, element);
        };
        repeat.body.walk(&mut look);
        if let LoopKind::While { condition } = &repeat.kind {
            condition.walk(&mut look);
        }
        is_alone
    }

    /// Whether an instruction is no access to an element but a load or a store of it.
    fn leaves(&self, inst: &Inst, element: &Element) -> bool {
        let is_of_slot = |value: &&Value| self.function.slot_of(**value) == Some(element.slot);
        let accesses = inst.accesses();
        let of_slot: Vec<_> = accesses.iter().filter(|(_, args)| is_of_slot(&&args[0])).collect();
        let is_same = || self.element(inst).as_ref() == Some(element);
        inst.args.iter().filter(is_of_slot).count() == of_slot.len()
            && (matches!(inst.op, Op::Measure(..))
                || is_same()
                || of_slot.iter().all(|(path, args)| self.is_apart(path, args, element)))
    }

    /// Whether a part of the same place has nothing in common with an element: there are two fields of it, or two
    /// numbers that are written.
    fn is_apart(&self, path: &Path, args: &[Value], element: &Element) -> bool {
        let number = |value: Value| self.literals.get(value);
        let (mut others, mut own) = (args[1..].iter(), element.indices.iter());
        path.iter().zip(&element.path).any(|steps| match steps {
            (Projection::Field(one), Projection::Field(other)) => one != other,
            (Projection::Index, Projection::Index) => {
                let pair = others.next().zip(own.next());
                let numbers = pair.and_then(|(one, other)| number(*one).zip(number(*other)));
                numbers.is_some_and(|(one, other)| one != other)
            }
            _ => false,
        })
    }

    /// What allows it to read an element before a loop.
    fn before(&self, inst: &Inst, repeat: &Loop, element: &Element) -> Option<Before> {
        let is_reached = !self.resized.contains(&element.slot) && self.reached.contains(element);
        if is_reached || self.is_within(element) {
            return Some(Before::Exists);
        }
        let is_counted = matches!(repeat.kind, LoopKind::Range { .. } | LoopKind::Repeat);
        let is_first = is_counted && self.comes_first(&repeat.body, element);
        is_first.then(|| Before::Tested(Range::of(repeat, &inst.args)))
    }

    /// Whether the type of a place has the element: there are fields, and numbers that are written.
    fn is_within(&self, element: &Element) -> bool {
        let (mut ty, mut indices) =
            (self.function.slot(element.slot).ty.clone(), element.indices.iter());
        element.path.iter().all(|step| {
            let is_there = match (step, &ty) {
                (Projection::Index, Type::Array(_, len)) => {
                    let index = indices.next().and_then(|index| self.literals.get(*index));
                    index.zip(length(len)).is_some_and(|(index, len)| index < len)
                }
                (Projection::Field(_), _) => true,
                _ => false,
            };
            ty = ty.part(std::slice::from_ref(step));
            is_there
        })
    }

    /// Whether an iteration reads or writes an element before it does anything that may be seen.
    fn comes_first(&self, body: &Block, element: &Element) -> bool {
        let is_other = |inst: &&Inst| self.element(inst).as_ref() != Some(element);
        let mut before = body.insts.iter().take_while(is_other);
        body.insts.iter().any(|inst| !is_other(&inst))
            && before
                .all(|inst| is_pure(&inst.op) || matches!(inst.op, Op::Load(_) | Op::Measure(..)))
    }

    /// Keeps an element in a register. Returns what comes before the loop, and behind it.
    fn promote(&mut self, inst: &mut Inst, accumulator: Accumulator) -> (Vec<Inst>, Vec<Inst>) {
        let Op::Loop(repeat) = &inst.op else { unreachable!("an accumulator is of a loop") };
        let (inside, slot) = (repeat.body.made(), accumulator.element.slot);
        let is_place = |function: &Function, value: &Value| function.slot_of(*value) == Some(slot);
        let found = inst.args.iter().copied().find(|arg| is_place(self.function, arg));
        let found = found.expect("a carried place");
        let (first, start) = self.read(&accumulator, found, &inside, inst.span);
        let end = self.carry(inst, &accumulator.element, start);
        let result = inst.results.iter_mut().find(|result| is_place(self.function, result));
        let result = result.expect("a carried place");
        let left = self.function.renewed(*result);
        let result = std::mem::replace(result, left);
        (first, self.write(&accumulator, (left, result), end, &inside, inst.span))
    }

    /// Reads an element before the loop.
    fn read(
        &mut self,
        accumulator: &Accumulator,
        version: Value,
        inside: &EntitySet<Value>,
        span: Span,
    ) -> (Vec<Inst>, Value) {
        let Accumulator { element, indices, before } = accumulator;
        let (mut insts, indices) = self.numbering.again(self.function, indices, inside);
        let value = self.value(element, span);
        let args = [&[version], &indices[..]].concat();
        insts.push(Inst { op: Op::Load(element.path.clone()), args, results: vec![value], span });
        let Before::Tested(range) = before else { return (insts, value) };
        if self.literals.has_any(*range) {
            return (insts, value);
        }
        (range.made_where_any(self.function, insts, vec![value], span), value)
    }

    /// Writes an element behind the loop.
    fn write(
        &mut self,
        accumulator: &Accumulator,
        (left, result): (Value, Value),
        end: Value,
        inside: &EntitySet<Value>,
        span: Span,
    ) -> Vec<Inst> {
        let Accumulator { element, indices, before } = accumulator;
        let (mut insts, indices) = self.numbering.again(self.function, indices, inside);
        let args = [&[left], &indices[..], &[end]].concat();
        let op = Op::Store(element.path.clone());
        match before {
            Before::Exists => {
                insts.push(Inst { op, args, results: vec![result], span });
                insts
            }
            Before::Tested(range) => {
                let next = self.function.renewed(result);
                insts.push(Inst { op, args, results: vec![next], span });
                range.where_any(self.function, &self.literals, insts, (left, result))
            }
        }
    }

    /// A value that holds an element.
    fn value(&mut self, element: &Element, span: Span) -> Value {
        let name = self.function.slot(element.slot).name.clone();
        self.function.new_value(ValueData::named(self.ty(element), &name, span))
    }

    /// Lets a loop carry an element's value from a start. Returns the value that it ends with.
    fn carry(&mut self, inst: &mut Inst, element: &Element, start: Value) -> Value {
        let [param, end] = [(); 2].map(|()| self.value(element, inst.span));
        let Op::Loop(repeat) = &mut inst.op else { unreachable!("a place is carried by loops") };
        repeat.body.params.push(param);
        let next = self.through(&mut repeat.body, element, param);
        repeat.body.results.push(next);
        if let LoopKind::While { condition } = &mut repeat.kind {
            let param = self.function.renewed(param);
            condition.params.push(param);
            self.through(condition, element, param);
        }
        inst.args.push(start);
        inst.results.push(end);
        end
    }

    /// Puts values in the place of an element in a block. Returns the one at its end.
    fn through(&mut self, block: &mut Block, element: &Element, mut current: Value) -> Value {
        for mut inst in std::mem::take(&mut block.insts) {
            let is_access = self.element(&inst).as_ref() == Some(element);
            match &inst.op {
                Op::Load(_) if is_access => _ = self.renamed.insert(inst.results[0], current),
                Op::Store(_) if is_access => {
                    self.renamed.insert(inst.results[0], inst.args[0]);
                    current = inst.args[inst.args.len() - 1];
                }
                Op::If(..) => {
                    current = self.through_arms(&mut inst, element, current);
                    block.insts.push(inst);
                }
                Op::Loop(_) if self.is_written(&inst, element) => {
                    current = self.carry(&mut inst, element, current);
                    block.insts.push(inst);
                }
                _ => {
                    for inner in inst.op.blocks_mut() {
                        self.through(inner, element, current);
                    }
                    block.insts.push(inst);
                }
            }
        }
        current
    }

    /// Likewise in the arms of a condition.
    fn through_arms(&mut self, inst: &mut Inst, element: &Element, current: Value) -> Value {
        let Op::If(then, other) = &mut inst.op else { unreachable!("arms are of conditions") };
        let ends = [then, other].map(|arm| {
            let end = self.through(arm, element, current);
            arm.results.push(end);
            end
        });
        if ends == [current; 2] {
            let Op::If(then, other) = &mut inst.op else { unreachable!("arms are of conditions") };
            [then, other].into_iter().for_each(|arm| _ = arm.results.pop());
            return current;
        }
        let result = self.value(element, inst.span);
        inst.results.push(result);
        result
    }

    /// Whether a loop writes an element.
    fn is_written(&self, inst: &Inst, element: &Element) -> bool {
        let mut is_written = false;
        for block in inst.op.blocks() {
            block.walk(&mut |inst, _| {
                is_written |=
                    matches!(inst.op, Op::Store(_)) && self.element(inst).as_ref() == Some(element);
            });
        }
        is_written
    }
}

/// The number of elements in an array's type, where it is written.
fn length(len: &str) -> Option<u128> {
    len.trim_end_matches("usize").trim_end_matches('_').parse().ok()
}
