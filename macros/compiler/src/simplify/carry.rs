//! What neighbouring iterations add to the same element is carried from one to the next, and added once.
//!
//! In: the adjoint of a stencil, `for i in .. { x_bar[i - 1] += a; x_bar[i] += b; x_bar[i + 1] += c; }`. Out: a loop
//! that adds to `x_bar[i - 1]` only, when its last contribution is there, and carries what has come together of the next
//! two elements in registers; behind the loop these are added to their elements. In memory each iteration would wait
//! for what the one before it has stored, and rustc could not compute iterations side by side.
//!
//! A row may be one of several, or stand in a field. Each is a row by itself.
//!
//! This comes after all passes that know loops: what is carried here is no sum of one value.

use super::order::{is_derived, is_free};
use super::prune::substitute;
use super::ranges::{Literals, Range};
use crate::ir::entity::EntityMap;
use crate::ir::{
    Block, Function, Inst, Loop, Op, Path, Projection, Type, Value, ValueData, are_disjoint, row,
};
use proc_macro2::Span;
use std::collections::BTreeMap;

/// At most so many elements are under way at a time.
const WIDEST: u64 = 4;

/// Runs the pass.
pub fn carry(mut function: Function) -> Function {
    let literals = Literals::of(&function);
    let mut body = function.take_body();
    let mut pass = Carry { function: &mut function, literals: &literals, has_changed: false };
    pass.block(&mut body);
    let has_changed = pass.has_changed;
    function.body = body;
    // Indices of additions that are gone.
    if has_changed { super::dce(function) } else { function }
}

struct Carry<'f> {
    function: &'f mut Function,
    literals: &'f Literals,
    has_changed: bool,
}

/// What a loop adds to a row of a place, by the distance of the element from the loop's index.
struct Window {
    /// The position of the place among what the loop carries.
    carried: usize,
    /// The way to an element. But for the last number in it, it is the same in all iterations.
    path: Path,
    row: Vec<Value>,
    /// For each distance an index of it, and what is added there.
    terms: BTreeMap<i64, (Value, Vec<Value>)>,
}

impl Window {
    /// Whether an instruction adds to an element of the row.
    fn has(&self, inst: &Inst) -> bool {
        matches!(&inst.op, Op::Accumulate(path) if *path == self.path)
            && inst.args[1..].starts_with(&self.row)
    }

    fn add(&self, version: Value, index: Value, value: Value) -> (Op, Vec<Value>) {
        let args = [&[version], &self.row[..], &[index, value]].concat();
        (Op::Accumulate(self.path.clone()), args)
    }

    fn width(&self) -> u64 {
        let ends = self.terms.first_key_value().zip(self.terms.last_key_value());
        ends.map_or(0, |((first, _), (last, _))| last.abs_diff(*first))
    }

    /// Distances in the order in which a loop leaves the elements behind.
    fn distances(&self, is_forward: bool) -> Vec<i64> {
        let end = |end: Option<(&i64, _)>| end.map_or(0, |(distance, _)| *distance);
        let ascending = end(self.terms.first_key_value())..=end(self.terms.last_key_value());
        if is_forward { ascending.collect() } else { ascending.rev().collect() }
    }
}

impl Carry<'_> {
    fn block(&mut self, block: &mut Block) {
        for mut inst in std::mem::take(&mut block.insts) {
            inst.op.blocks_mut().for_each(|inner| self.block(inner));
            let windows = self.windows(&inst);
            if windows.is_empty() {
                block.insts.push(inst);
                continue;
            }
            self.has_changed = true;
            self.turn(&mut inst);
            let mut behind = Vec::new();
            for window in windows {
                let (zeros, added) = self.narrow(&mut inst, &window);
                block.insts.extend(zeros);
                // What the loop leaves goes to the additions of the last window first.
                behind.splice(..0, added);
            }
            block.insts.push(inst);
            block.insts.extend(behind);
        }
    }

    /// Rows of which a loop adds to neighbours.
    fn windows(&self, inst: &Inst) -> Vec<Window> {
        let Op::Loop(repeat) = &inst.op else { return Vec::new() };
        if !repeat.is_plain() || !is_derived(self.function, inst) {
            return Vec::new();
        }
        let places = 0..repeat.carried().len();
        let windows = places.flat_map(|carried| self.rows(repeat, carried));
        let windows = windows.filter(|window| window.terms.len() > 1 && window.width() <= WIDEST);
        windows.filter(|window| self.is_only_added_to(repeat, window)).collect()
    }

    /// The rows of a place to which the body adds.
    fn rows(&self, repeat: &Loop, carried: usize) -> Vec<Window> {
        let Some(slot) = self.function.slot_of(repeat.carried()[carried]) else {
            return Vec::new();
        };
        let (mut windows, made) = (Vec::<Window>::new(), repeat.body.made());
        for inst in repeat.body.insts.iter().filter(|inst| inst.touches(self.function, slot)) {
            let Some((path, row, index, value)) = self.element(inst) else { continue };
            let Some(distance) = self.distance(repeat, index) else { continue };
            if row.iter().any(|number| made.contains(number)) {
                continue;
            }
            let known = windows.iter().position(|window| window.has(inst));
            let known = known.unwrap_or_else(|| {
                let (path, row) = (path.clone(), row.to_vec());
                windows.push(Window { carried, path, row, terms: BTreeMap::new() });
                windows.len() - 1
            });
            windows[known].terms.entry(distance).or_insert((index, Vec::new())).1.push(value);
        }
        windows
    }

    /// What adds to an element: the way there, the numbers in it but for the last, this, and what is added.
    fn element<'i>(&self, inst: &'i Inst) -> Option<(&'i Path, &'i [Value], Value, Value)> {
        let Op::Accumulate(path) = &inst.op else { return None };
        let [_, row @ .., index, value] = &inst.args[..] else { return None };
        let is_element = path.last() == Some(&Projection::Index)
            && path.iter().all(Projection::is_plain)
            && self.function.ty(*value).is_float();
        is_element.then_some((path, row, *index, *value))
    }

    /// Whether a loop does nothing with a row but to add to its elements at known distances. In which order floats are
    /// added, to these or others, does not matter.
    fn is_only_added_to(&self, repeat: &Loop, window: &Window) -> bool {
        let slot = self.function.slot_of(repeat.carried()[window.carried]);
        let (mut is_only, body) = (true, repeat.body.id);
        repeat.body.walk(&mut |inst, block| {
            if !slot.is_some_and(|slot| inst.touches(self.function, slot)) {
                return;
            }
            is_only &= match (&inst.op, self.element(inst)) {
                (_, Some((.., index, _))) if window.has(inst) => {
                    block.id == body && self.distance(repeat, index).is_some()
                }
                (_, Some(_)) => true,
                (Op::Load(path) | Op::Store(path) | Op::Accumulate(path), None) => {
                    let row = (&window.path, &window.row[..]);
                    are_disjoint((path, &inst.args[1..]), row)
                }
                _ => false,
            };
        });
        is_only
    }

    /// How far a number is from the loop's index, where that is the same in all iterations.
    fn distance(&self, repeat: &Loop, number: Value) -> Option<i64> {
        let index = repeat.body.params[0];
        if number == index {
            return Some(0);
        }
        let inst = repeat.body.insts.iter().find(|inst| inst.results == [number])?;
        let [a, b] = inst.args[..] else { return None };
        let literal =
            |value: Value| self.literals.get(value).and_then(|number| number.try_into().ok());
        match &inst.op {
            Op::Apply(rule) if rule.name == "add" && a == index => literal(b),
            Op::Apply(rule) if rule.name == "add" && b == index => literal(a),
            Op::Apply(rule) if rule.name == "sub" && a == index => literal(b).map(|far: i64| -far),
            _ => None,
        }
    }

    /// Iterations in any order go forwards.
    fn turn(&self, inst: &mut Inst) {
        let Op::Loop(repeat) = &mut inst.op else { return };
        if is_free(self.function, repeat, false) {
            repeat.turn();
        }
    }

    /// Carries what is under way. Returns the zeros to start from, and the additions behind the loop.
    fn narrow(&mut self, inst: &mut Inst, window: &Window) -> (Vec<Inst>, Vec<Inst>) {
        let (span, range) = (inst.span, Range::of(looped(inst), &inst.args));
        let distances = window.distances(!looped(inst).is_backward());
        let under_way: Vec<Value> =
            distances[1..].iter().map(|_| self.under_way(inst, window)).collect();
        let Op::Loop(repeat) = &mut inst.op else { unreachable!("a window is in a loop") };
        let next = self.rewrite(&mut repeat.body, window, &distances, &under_way);
        repeat.body.params.extend(&under_way);
        repeat.body.results.extend(next);
        let zeros: Vec<Inst> = under_way.iter().map(|value| self.zero(*value, span)).collect();
        let sums: Vec<Value> =
            under_way.iter().map(|value| self.function.renewed(*value)).collect();
        inst.args.extend(zeros.iter().map(|zero| zero.results[0]));
        inst.results.extend(&sums);
        let result = inst.results[window.carried];
        let version = self.function.renewed(result);
        inst.results[window.carried] = version;
        let added = self.added(inst, window, version, &sums);
        (zeros, range.where_any(self.function, self.literals, added, (version, result)))
    }

    /// What an element that is not left behind yet has got so far.
    fn under_way(&mut self, inst: &Inst, window: &Window) -> Value {
        let place = self.function.value(inst.results[window.carried]);
        let name = format!("{}_next", place.name);
        let value = window.terms.values().find_map(|(_, values)| values.first());
        let ty = value.map_or(Type::Unknown, |value| self.function.ty(*value).clone());
        self.function.new_value(ValueData::named(ty, &name, inst.span))
    }

    fn zero(&mut self, like: Value, span: Span) -> Inst {
        let zero = self.function.renewed(like);
        Inst { op: Op::Zero(Vec::new()), args: Vec::new(), results: vec![zero], span }
    }

    /// One addition in the place of all. Returns what has come together of each element that is under way.
    fn rewrite(
        &mut self,
        body: &mut Block,
        window: &Window,
        distances: &[i64],
        under_way: &[Value],
    ) -> Vec<Value> {
        let slot = self.function.slot_of(body.results[window.carried]);
        let is_added =
            |inst: &Inst| window.has(inst) && self.function.slot_of(inst.args[0]) == slot;
        let last = body.insts.iter().rposition(is_added).expect("an addition");
        let mut rest = body.insts.split_off(last + 1);
        let added: Vec<Inst> = body.insts.extract_if(.., |inst| is_added(inst)).collect();
        let span = added[0].span;
        let sums = (0..distances.len()).map(|position| {
            let terms = window.terms.get(&distances[position]).map_or(&[][..], |(_, terms)| terms);
            let parts: Vec<Value> =
                under_way.get(position).into_iter().chain(terms).copied().collect();
            self.sum(&mut body.insts, &parts, span)
        });
        let sums: Vec<Value> = sums.collect();
        let (index, _) = window.terms[&distances[0]];
        let (left, earlier) = added.split_last().expect("an addition");
        let (op, args) = window.add(left.args[0], index, sums[0]);
        body.insts.push(Inst { op, args, results: left.results.clone(), span });
        body.insts.append(&mut rest);
        let versions = earlier.iter().map(|inst| (inst.results[0], inst.args[0]));
        substitute(body, &versions.collect::<EntityMap<_, _>>());
        sums[1..].to_vec()
    }

    fn sum(&mut self, insts: &mut Vec<Inst>, parts: &[Value], span: Span) -> Value {
        let (first, rest) = parts.split_first().expect("something to add");
        rest.iter().fold(*first, |sum, part| {
            let result = self.function.renewed(sum);
            insts.push(Inst { op: Op::Sum, args: vec![sum, *part], results: vec![result], span });
            result
        })
    }

    /// What was under way when the loop ended, added to its elements.
    fn added(&mut self, inst: &Inst, window: &Window, version: Value, sums: &[Value]) -> Vec<Inst> {
        let is_forward = !looped(inst).is_backward();
        let distances = window.distances(is_forward);
        let (mut insts, mut version) = (Vec::new(), version);
        for (position, sum) in sums.iter().enumerate() {
            // The last index is the one before the end, or the start.
            let (from, distance) = match is_forward {
                true => (inst.args[1], distances[position]),
                false => (inst.args[0], distances[position + 1]),
            };
            let index = self.offset(&mut insts, from, distance, inst.span);
            let (op, args) = window.add(version, index, *sum);
            version = self.function.renewed(version);
            insts.push(Inst { op, args, results: vec![version], span: inst.span });
        }
        insts
    }

    /// A number and a distance from it.
    fn offset(&mut self, insts: &mut Vec<Inst>, from: Value, distance: i64, span: Span) -> Value {
        if distance == 0 {
            return from;
        }
        let mut made = |op: Op, args: Vec<Value>| {
            let result = self.function.new_value(ValueData::named(Type::Int, "index", span));
            insts.push(Inst { op, args, results: vec![result], span });
            result
        };
        let literal = |number: String| Op::Literal(syn::Lit::Int(syn::LitInt::new(&number, span)));
        let sum = self.literals.get(from).and_then(|from| from.checked_add_signed(distance.into()));
        if let Some(sum) = sum {
            return made(literal(sum.to_string()), Vec::new());
        }
        let far = made(literal(distance.unsigned_abs().to_string()), Vec::new());
        let rule = row(if distance > 0 { "add" } else { "sub" });
        made(Op::Apply(rule), vec![from, far])
    }
}

fn looped(inst: &Inst) -> &Loop {
    match &inst.op {
        Op::Loop(repeat) => repeat,
        _ => unreachable!("a window is in a loop"),
    }
}
