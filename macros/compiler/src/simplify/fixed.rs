//! Tapes of loops whose number of iterations is written are arrays on the stack.
//!
//! In: `for i in 0..10 { .. tape.push((a, b)); .. }`, and behind it a loop over the same numbers that pops. Out: an array
//! for each part of an entry, whose element of the iteration the one loop writes and the other reads, in any order. A
//! tape would be a vector: an allocation, which costs more than a short loop. Entries must be floats, and the loop that
//! pushes may not be in another one.

use super::ranges::Literals;
use crate::ir::entity::EntityMap;
use crate::ir::{
    Access, Block, Function, Inst, Loop, Op, Projection, SlotData, Tape, Type, Value, ValueData,
    index_count, row,
};

/// Longer tapes are vectors.
const LONGEST: u128 = 64;

/// Runs the pass.
pub fn fixed(mut function: Function) -> Function {
    if function.is_recursive {
        return function;
    }
    let literals = Literals::of(&function);
    for tape in tapes(&function, &literals) {
        let mut body = function.take_body();
        Fixed { function: &mut function, literals: &literals, tape, kept: Vec::new() }
            .block(&mut body);
        body.retain(&|inst| inst.op.tape() != Some(tape));
        function.body = body;
    }
    function
}

/// Where a tape is used.
#[derive(Default)]
struct Uses {
    pushed: Vec<(u128, u128)>,
    popped: Vec<(u128, u128)>,
    others: usize,
}

/// Tapes that are pushed on in one loop and popped from in one other, over the same numbers.
fn tapes(function: &Function, literals: &Literals) -> Vec<Tape> {
    let mut uses: EntityMap<Tape, Uses> = EntityMap::default();
    let mut pushes = Vec::new();
    for inst in &function.body.insts {
        if let Op::Loop(repeat) = &inst.op {
            pushes.extend(repeat.body.insts.iter().filter_map(|inst| match inst.op {
                Op::TapePush(tape) => Some(tape),
                _ => None,
            }));
        }
    }
    note(function, &function.body, None, literals, &mut uses);
    let is_pair =
        |uses: &Uses| uses.others == 0 && uses.pushed.len() == 1 && uses.pushed == uses.popped;
    let mut tapes: Vec<Tape> = uses
        .iter()
        .filter(|(tape, uses)| is_pair(uses) && pushes.contains(tape))
        .map(|(tape, _)| *tape)
        .collect();
    tapes.sort();
    tapes
}

fn note(
    function: &Function,
    block: &Block,
    range: Option<(u128, u128)>,
    literals: &Literals,
    uses: &mut EntityMap<Tape, Uses>,
) {
    for inst in &block.insts {
        let within = match &inst.op {
            Op::Loop(repeat) => written(repeat, inst, literals),
            Op::If(..) => None,
            _ => range,
        };
        inst.op.blocks().for_each(|inner| note(function, inner, within, literals, uses));
        let Some(tape) = inst.op.tape() else { continue };
        let uses = uses.entry(tape).or_default();
        let is_float =
            |value: &Value| function.slot_of(*value).is_none() && function.ty(*value).is_float();
        match (&inst.op, range) {
            (Op::TapePush(_), Some(range)) if inst.args.iter().all(is_float) => {
                uses.pushed.push(range)
            }
            (Op::TapePop(_), Some(range)) if inst.results.iter().all(is_float) => {
                uses.popped.push(range)
            }
            (Op::TapeReserve(..), _) => {}
            _ => uses.others += 1,
        }
    }
}

/// The numbers that a loop goes over, where they are written and few.
fn written(repeat: &Loop, inst: &Inst, literals: &Literals) -> Option<(u128, u128)> {
    let is_plain = repeat.is_plain() && repeat.schedule.is_none();
    let [start, end] = [0, 1].map(|at| inst.args.get(at).and_then(|value| literals.get(*value)));
    let (start, end) = (start?, end?);
    (is_plain && start < end && end - start <= LONGEST).then_some((start, end))
}

struct Fixed<'f> {
    function: &'f mut Function,
    literals: &'f Literals,
    tape: Tape,
    /// What the arrays hold when the loop that fills them is through.
    kept: Vec<Value>,
}

impl Fixed<'_> {
    fn block(&mut self, block: &mut Block) {
        for mut inst in std::mem::take(&mut block.insts) {
            inst.op.blocks_mut().for_each(|inner| self.block(inner));
            if let Op::Loop(repeat) = &mut inst.op {
                let is_of_tape = |inst: &Inst| inst.op.tape() == Some(self.tape);
                let at = repeat.body.insts.iter().position(is_of_tape);
                match at.map(|at| (at, &repeat.body.insts[at].op)) {
                    Some((at, Op::TapePush(_))) => {
                        let arrays = self.fill(&mut inst, at);
                        block.insts.extend(arrays);
                    }
                    Some((at, Op::TapePop(_))) => self.read(&mut inst, at),
                    _ => {}
                }
            }
            block.insts.push(inst);
        }
    }

    /// Stores in the place of a push. Returns what makes the arrays.
    fn fill(&mut self, inst: &mut Inst, at: usize) -> Vec<Inst> {
        let (range, count, mut arrays) =
            ([inst.args[0], inst.args[1]], self.count(inst), Vec::new());
        let Op::Loop(repeat) = &mut inst.op else { return arrays };
        let rest = repeat.body.insts.split_off(at + 1);
        let push = repeat.body.insts.pop().expect("a push");
        let position = self.position(repeat, range);
        for value in push.args {
            let (array, made) = self.array(value, count);
            arrays.extend(made);
            let [param, next, left] = [(); 3].map(|()| self.function.renewed(array));
            let args = vec![param, position, value];
            let op = Op::Store(vec![Projection::Index]);
            repeat.body.insts.push(Inst { op, args, results: vec![next], span: push.span });
            repeat.body.params.push(param);
            repeat.body.results.push(next);
            inst.args.push(array);
            inst.results.push(left);
            self.kept.push(left);
        }
        repeat.body.insts.extend(rest);
        arrays
    }

    /// Loads in the place of a pop.
    fn read(&mut self, inst: &mut Inst, at: usize) {
        let range = [inst.args[0], inst.args[1]];
        let Op::Loop(repeat) = &mut inst.op else { return };
        let rest = repeat.body.insts.split_off(at + 1);
        let pop = repeat.body.insts.pop().expect("a pop");
        let position = self.position(repeat, range);
        for (array, result) in self.kept.iter().zip(pop.results) {
            let (op, args) = (Op::Load(vec![Projection::Index]), vec![*array, position]);
            repeat.body.insts.push(Inst { op, args, results: vec![result], span: pop.span });
        }
        repeat.body.insts.extend(rest);
    }

    /// How many iterations a loop has.
    fn count(&self, inst: &Inst) -> u128 {
        let [start, end] = [0, 1].map(|bound| self.literals.get(inst.args[bound]).unwrap_or(0));
        end - start
    }

    /// The number of an iteration.
    fn position(&mut self, repeat: &mut Loop, range: [Value; 2]) -> Value {
        let (mut position, [start, _]) = (repeat.body.params[0], range);
        let has_type = range.iter().any(|bound| self.literals.has_type(*bound));
        let is_cast = !is_index(&repeat.body, position, has_type);
        if self.literals.get(start) != Some(0) {
            position = self.computed(repeat, Op::Apply(row("sub")), vec![position, start]);
        }
        if is_cast {
            let cast = Op::Cast(Box::new(syn::parse_quote!(usize)));
            position = self.computed(repeat, cast, vec![position]);
        }
        position
    }

    fn computed(&mut self, repeat: &mut Loop, op: Op, args: Vec<Value>) -> Value {
        let span = self.function.value(args[0]).span;
        let data = ValueData::named(Type::Int, "position", span);
        let position = self.function.new_value(data);
        repeat.body.insts.push(Inst { op, args, results: vec![position], span });
        position
    }

    /// An array for a part of the entries, all zero.
    fn array(&mut self, part: Value, count: u128) -> (Value, [Inst; 2]) {
        let ValueData { ty, name, span, .. } = self.function.value(part).clone();
        let zero = self.function.new_value(ValueData::named(ty.clone(), "zero", span));
        let (name, ty) = (format!("{name}_kept"), Type::Array(Box::new(ty), count.to_string()));
        let access = Access::Owned;
        let data = SlotData {
            name: name.clone(),
            ty: ty.clone(),
            span,
            access,
            is_tangent: false,
            tangent_of: None,
        };
        let slot = self.function.new_slot(data);
        let data = ValueData { slot: Some(slot), ..ValueData::named(ty, &name, span) };
        let array = self.function.new_value(data);
        let length = syn::LitInt::new(&count.to_string(), span);
        let repeat = Op::ArrayRepeat(Box::new(syn::parse_quote!(#length)));
        let inst = |op, args, result| Inst { op, args, results: vec![result], span };
        let made = [inst(Op::Zero(Vec::new()), Vec::new(), zero), inst(repeat, vec![zero], array)];
        (array, made)
    }
}

/// Whether a loop's number is a `usize` for certain: it is an index, or rustc may choose its type.
fn is_index(body: &Block, number: Value, has_type: bool) -> bool {
    let (mut is_used, mut is_index) = (has_type, false);
    body.each_use(&mut |value| is_used |= value == number);
    body.walk(&mut |inst, _| {
        let indices = match &inst.op {
            Op::Load(path) | Op::Store(path) => index_count(path),
            _ => 0,
        };
        is_index |= inst.args.iter().skip(1).take(indices).any(|arg| *arg == number);
    });
    is_index || !is_used
}
