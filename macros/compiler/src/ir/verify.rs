//! The invariants of the IR, checked between passes.
//!
//! In: a function. Out: nothing; a violation panics with the function's text, for it is a bug of the
//! compiler's. Behind lowering it is an answer: a body that rustc does not accept may come to this.

use super::{
    Access, Block, Function, Inst, Op, Passed, Passing, Path, Projection, Slot, Type, Value,
};

/// The rules of operators whose operands are of one type.
const OPERATORS: [&str; 5] = ["add", "sub", "mul", "div", "rem"];

/// Panics if an invariant does not hold.
pub fn verify(function: &Function) {
    if let Err(message) = check(function) {
        panic!("invalid IR: {message}\n{function}");
    }
}

/// Which invariant does not hold, if one does not.
pub fn check(function: &Function) -> Checked {
    let mut verifier = Verifier {
        function,
        defined: vec![false; function.values.len()],
        ever: vec![false; function.values.len()],
        scope: Vec::new(),
        current: vec![None; function.slots.len()],
        replaced: Vec::new(),
    };
    verifier.block(&function.body)
}

struct Verifier<'f> {
    function: &'f Function,
    /// Whether each value is in scope.
    defined: Vec<bool>,
    /// Whether it is defined anywhere.
    ever: Vec<bool>,
    /// The values in scope, in the order of their definitions.
    scope: Vec<Value>,
    /// The current version of each slot in scope.
    current: Vec<Option<Value>>,
    /// The versions before, in the order of the definitions.
    replaced: Vec<(Slot, Option<Value>)>,
}

/// What does not hold, in the IR's words.
pub type Checked = Result<(), String>;

impl Verifier<'_> {
    fn block(&mut self, block: &Block) -> Checked {
        let outer = self.scope.len();
        self.define(&block.params)?;
        for inst in &block.insts {
            self.inst(inst)?;
        }
        self.uses(&block.results)?;
        for value in self.scope.drain(outer..) {
            self.defined[value.0 as usize] = false;
        }
        Ok(())
    }

    fn inst(&mut self, inst: &Inst) -> Checked {
        self.uses(&inst.args)?;
        let before = self.replaced.len();
        for block in inst.op.blocks() {
            self.block(block)?;
            for (slot, version) in self.replaced.drain(before..).rev() {
                self.current[slot.0 as usize] = version;
            }
        }
        self.shape(inst)?;
        if self.function.is_primal() {
            self.accepted(inst)?;
        }
        self.define(&inst.results)
    }

    /// The operands of an operator are numbers of one kind, where their types are known.
    fn agree(&self, operands: &[Value]) -> Checked {
        let [one, other] = *operands else { return Ok(()) };
        match self.function.ty(one).is_other_primitive(self.function.ty(other)) {
            true => Err(format!("{} and {} differ in type", self.named(one), self.named(other))),
            false => Ok(()),
        }
    }

    /// As the source calls it, and the IR.
    fn named(&self, value: Value) -> String {
        format!("`{}` ({value})", self.function.value(value).name)
    }

    /// What rustc would not accept: in a primal nothing is written behind `&`, but for what is in a cell; what is
    /// cast is a number; and what counts is an integer.
    fn accepted(&self, inst: &Inst) -> Checked {
        let is_whole = |value: &Value| self.function.ty(*value).is_aggregate();
        self.indexed(inst)?;
        match &inst.op {
            Op::Cast(_) | Op::Convert(_) => {
                match inst.args.iter().chain(&inst.results).find(|value| is_whole(value)) {
                    Some(value) => {
                        Err(format!("{} is no number and in a cast", self.named(*value)))
                    }
                    None => Ok(()),
                }
            }
            Op::Loop(repeat) => {
                inst.args[..repeat.bounds()].iter().try_for_each(|end| self.counts(*end))
            }
            Op::Apply(rule) if OPERATORS.contains(&rule.name) => self.agree(&inst.args),
            Op::Store(path) => {
                self.writable(inst.args[0], path)?;
                self.holds(inst.args[0], path, *inst.args.last().expect("what is stored"))
            }
            Op::Replace(path) | Op::Insert(_, path) | Op::Remove(_, path) => {
                self.writable(inst.args[0], path)
            }
            Op::Call(call) => {
                let mut operands = call.operands(inst);
                operands.try_for_each(|Passed { passing, args, .. }| match passing {
                    Passing::Unique(path) => self.writable(args[0], path),
                    _ => Ok(()),
                })
            }
            _ => Ok(()),
        }
    }

    /// The numbers in the paths of accesses to places.
    fn indexed(&self, inst: &Inst) -> Checked {
        inst.accesses().into_iter().try_for_each(|(path, args)| self.steps(path, args))
    }

    /// The place of an access and the numbers in its path. What a type of the user's may be indexed by is not known.
    fn steps(&self, path: &Path, args: &[Value]) -> Checked {
        let mut ty = self.function.ty(args[0]).clone();
        let mut numbers = &args[1..];
        let place = self.function.slot_of(args[0]);
        if place.is_none() {
            return Err(format!("{} is no place and is used as one", self.named(args[0])));
        }
        for step in path {
            let (own, rest) = numbers.split_at(step.indices());
            if let Some(itself) = own.iter().find(|own| place == self.function.slot_of(**own)) {
                return Err(format!("{} is a part of itself", self.named(*itself)));
            }
            if ty.is_aggregate() {
                own.iter().try_for_each(|number| self.counts(*number))?;
            }
            (ty, numbers) = (ty.part(std::slice::from_ref(step)), rest);
        }
        Ok(())
    }

    /// Whether a value can be in a part of a place.
    fn holds(&self, place: Value, path: &Path, value: Value) -> Checked {
        let is_float = self.function.ty(place).part(path).is_float();
        let ty = self.function.ty(value);
        match is_float && matches!(ty, Type::Int | Type::Bool | Type::Text | Type::Constant) {
            true => Err(format!("{} is no float and in a place for one", self.named(value))),
            false => Ok(()),
        }
    }

    fn counts(&self, number: Value) -> Checked {
        let ty = self.function.ty(number);
        match ty.is_aggregate() || matches!(ty, Type::Float(_)) {
            true => Err(format!("{} is no integer and counts", self.named(number))),
            false => Ok(()),
        }
    }

    fn writable(&self, place: Value, path: &Path) -> Checked {
        let slot = self.function.slot_of(place);
        let is_shared = slot.is_some_and(|slot| self.function.slot(slot).access == Access::Shared);
        match is_shared && !path.contains(&Projection::Borrowed) {
            true => Err(format!("{} is written and behind `&`", self.named(place))),
            false => Ok(()),
        }
    }

    fn define(&mut self, values: &[Value]) -> Checked {
        for value in values {
            let index = value.0 as usize;
            if std::mem::replace(&mut self.ever[index], true) {
                return Err(format!("{value} is defined twice"));
            }
            self.defined[index] = true;
            self.scope.push(*value);
            if let Some(slot) = self.function.slot_of(*value) {
                let before = self.current[slot.0 as usize].replace(*value);
                self.replaced.push((slot, before));
            }
        }
        Ok(())
    }

    fn uses(&self, values: &[Value]) -> Checked {
        for value in values {
            if !self.defined[value.0 as usize] {
                return Err(format!("{} is used where it is not defined", self.named(*value)));
            }
            let slot = self.function.slot_of(*value);
            if slot.is_some_and(|slot| self.current[slot.0 as usize] != Some(*value)) {
                return Err(format!(
                    "{} is not the current version of its place",
                    self.named(*value)
                ));
            }
        }
        Ok(())
    }

    fn shape(&self, inst: &Inst) -> Checked {
        let fits = match &inst.op {
            Op::If(then, other) => {
                then.results.len() == inst.results.len()
                    && other.results.len() == inst.results.len()
            }
            Op::Loop(repeat) => {
                let carried = repeat.carried().len();
                carried == inst.results.len()
                    && carried == repeat.next().len()
                    && carried + repeat.bounds() == inst.args.len()
            }
            _ => true,
        };
        if !fits {
            return Err(format!("`{:?}` does not fit its blocks", inst.results));
        }
        match self.lost_place(inst) {
            Some(value) => Err(format!("{} is a place that becomes a value", self.named(value))),
            None => Ok(()),
        }
    }

    /// A region's result that is a place inside and a value outside: in a function that is to be transformed,
    /// its derivative would be lost.
    fn lost_place(&self, inst: &Inst) -> Option<Value> {
        if !self.function.is_primal() {
            return None;
        }
        let is_place = |value: Value| self.function.slot_of(value).is_some();
        let lost = |inner: &[Value]| {
            let mut pairs = inner.iter().zip(&inst.results);
            pairs.find(|(inner, outer)| is_place(**inner) && !is_place(**outer)).map(|(v, _)| *v)
        };
        match &inst.op {
            Op::If(then, other) => lost(&then.results).or_else(|| lost(&other.results)),
            Op::Loop(repeat) => lost(repeat.next()),
            _ => None,
        }
    }
}
