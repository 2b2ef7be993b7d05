//! Algebra on what is known at compile time: absent cotangents, the seed one, constant conditions,
//! fields of tuples just made.

use super::prune::{resolve, substitute};
use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{Block, Function, Inst, Op, Path, STRONG, Value, row};

/// Runs the pass.
pub fn fold(mut function: Function) -> Function {
    let mut body = function.take_body();
    let mut pass = Fold {
        function: &function,
        made: EntityMap::default(),
        renamed: EntityMap::default(),
        uses: super::count_uses(&body),
        overwritten: EntitySet::default(),
    };
    pass.block(&mut body);
    let (renamed, overwritten) = (pass.renamed, pass.overwritten);
    body.retain(&|inst| !inst.results.first().is_some_and(|result| overwritten.contains(result)));
    substitute(&mut body, &renamed);
    function.body = body;
    function
}

/// What an earlier instruction made of a value.
#[derive(Clone)]
enum Made {
    Zero,
    One,
    MinusOne,
    Flag(bool),
    Negated(Value),
    Tuple(Vec<Value>),
    Negation(Value),
    /// What a place holds: loaded with these arguments.
    Loaded(Path, Vec<Value>),
    /// A version in which a part of a place is zero: the version before, and the indices.
    Cleared(Path, Vec<Value>),
}

struct Fold<'f> {
    function: &'f Function,
    made: EntityMap<Value, Made>,
    renamed: EntityMap<Value, Value>,
    uses: EntityMap<Value, usize>,
    /// Versions that are stored for what is stored into the same part behind them.
    overwritten: EntitySet<Value>,
}

impl Fold<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut kept = Vec::with_capacity(block.insts.len());
        for mut inst in std::mem::take(&mut block.insts) {
            inst.args.iter_mut().for_each(|arg| *arg = resolve(*arg, &self.renamed));
            if self.replace(&mut inst) {
                continue;
            }
            for inner in inst.op.blocks_mut() {
                self.block(inner);
            }
            if let Some(inlined) = self.decided(&inst) {
                kept.extend(inlined);
                continue;
            }
            kept.extend(self.flags(&mut inst));
            self.record(&inst);
            kept.push(inst);
        }
        block.insts = kept;
        block.results.iter_mut().for_each(|value| *value = resolve(*value, &self.renamed));
    }

    fn record(&mut self, inst: &Inst) {
        let Some(result) = inst.results.first() else {
            return;
        };
        let made = match &inst.op {
            Op::Zero(_) if self.function.ty(*result).is_float() => Made::Zero,
            Op::One => Made::One,
            Op::Literal(syn::Lit::Float(literal)) if literal.base10_digits() == "1.0" => Made::One,
            Op::Literal(syn::Lit::Bool(literal)) => Made::Flag(literal.value),
            Op::Apply(rule)
                if rule.name == "neg"
                    && matches!(self.made.get(&inst.args[0]), Some(Made::One)) =>
            {
                Made::MinusOne
            }
            Op::Apply(rule) if rule.name == "neg" => Made::Negated(inst.args[0]),
            Op::Not => Made::Negation(inst.args[0]),
            Op::Tuple => Made::Tuple(inst.args.clone()),
            Op::Load(path) => Made::Loaded(path.clone(), inst.args.clone()),
            Op::Store(path)
                if inst
                    .args
                    .last()
                    .is_some_and(|value| self.is(*value, |made| matches!(made, Made::Zero))) =>
            {
                Made::Cleared(path.clone(), inst.args[..inst.args.len() - 1].to_vec())
            }
            _ => return,
        };
        self.made.insert(*result, made);
    }

    /// Replaces an instruction's result by a value at hand, or the instruction by a simpler one.
    fn replace(&mut self, inst: &mut Inst) -> bool {
        match &inst.op {
            Op::Sum => self.sum(inst),
            Op::Apply(rule) if rule.name == "mul" || rule.name == STRONG.name => self.product(inst),
            Op::Apply(rule) if rule.name == "div" => self.quotient(inst),
            Op::Destructure => self.fields(inst),
            Op::Accumulate(_) => self.accumulation(inst),
            Op::Store(_) => self.store(inst),
            Op::Not => match self.made.get(&inst.args[0]) {
                Some(Made::Negation(value)) => self.rename(inst.results[0], *value),
                _ => false,
            },
            _ => false,
        }
    }

    fn rename_each(&mut self, from: &[Value], to: &[Value]) {
        from.iter().zip(to).for_each(|(from, to)| _ = self.rename(*from, *to));
    }

    /// What used the one now uses the other as well.
    fn rename(&mut self, from: Value, to: Value) -> bool {
        self.renamed.insert(from, to);
        let uses = self.uses.get(&from).copied().unwrap_or(0);
        *self.uses.entry(to).or_default() += uses;
        true
    }

    fn is(&self, value: Value, wanted: fn(&Made) -> bool) -> bool {
        self.made.get(&value).is_some_and(wanted)
    }

    /// An absent cotangent adds nothing; adding a negation is a subtraction.
    fn sum(&mut self, inst: &mut Inst) -> bool {
        let (a, b) = (inst.args[0], inst.args[1]);
        if self.is(a, |made| matches!(made, Made::Zero)) {
            return self.rename(inst.results[0], b);
        }
        if self.is(b, |made| matches!(made, Made::Zero)) {
            return self.rename(inst.results[0], a);
        }
        if let Some(Made::Negated(positive)) = self.made.get(&b).cloned() {
            inst.op = Op::Apply(row("sub"));
            inst.args[1] = positive;
        }
        false
    }

    /// `1 * x` and `x * 1` are `x`, `-1 * x` is `-x`, exactly. Only derived code has such products.
    fn product(&mut self, inst: &mut Inst) -> bool {
        if !self.is_derived_float(inst) {
            return false;
        }
        for (unit, other) in [(inst.args[0], inst.args[1]), (inst.args[1], inst.args[0])] {
            if self.is(unit, |made| matches!(made, Made::One)) {
                return self.rename(inst.results[0], other);
            }
            if self.is(unit, |made| matches!(made, Made::MinusOne)) {
                inst.op = Op::Apply(row("neg"));
                inst.args = vec![other];
                return false;
            }
        }
        false
    }

    fn quotient(&mut self, inst: &mut Inst) -> bool {
        let unit =
            self.is_derived_float(inst) && self.is(inst.args[1], |made| matches!(made, Made::One));
        unit && self.rename(inst.results[0], inst.args[0])
    }

    fn is_derived_float(&self, inst: &Inst) -> bool {
        let result = inst.results[0];
        result.0 >= self.function.primal_values && self.function.ty(result).is_float()
    }

    /// Added to a zero just stored: stored. The store of the zero goes, since the version before it is used again.
    fn accumulation(&mut self, inst: &mut Inst) -> bool {
        let Op::Accumulate(path) = &inst.op else {
            return false;
        };
        let Some(Made::Cleared(cleared, operands)) = self.made.get(&inst.args[0]).cloned() else {
            return false;
        };
        let indices = 1..inst.args.len() - 1;
        if cleared != *path
            || operands[1..] != inst.args[indices]
            || self.uses.get(&inst.args[0]) != Some(&1)
        {
            return false;
        }
        self.overwritten.insert(inst.args[0]);
        inst.op = Op::Store(cleared);
        inst.args[0] = operands[0];
        self.store(inst)
    }

    /// A derived store of what is there already does nothing.
    fn store(&mut self, inst: &mut Inst) -> bool {
        let Op::Store(path) = &inst.op else {
            return false;
        };
        let (operands, value) = inst.args.split_at(inst.args.len() - 1);
        let same = matches!(self.made.get(&value[0]), Some(Made::Loaded(loaded, from)) if loaded == path && from[..] == *operands);
        let is_derived = inst.results[0].0 >= self.function.primal_values;
        same && is_derived && self.rename(inst.results[0], inst.args[0])
    }

    fn fields(&mut self, inst: &Inst) -> bool {
        let Some(Made::Tuple(items)) = self.made.get(&inst.args[0]).cloned() else {
            return false;
        };
        let slots = items.iter().zip(&inst.results).any(|(a, b)| {
            self.function.slot_of(*a).is_some() || self.function.slot_of(*b).is_some()
        });
        if slots || items.len() != inst.results.len() {
            return false;
        }
        self.rename_each(&inst.results, &items);
        true
    }

    /// An `if` whose condition is known is the arm that is taken.
    fn decided(&mut self, inst: &Inst) -> Option<Vec<Inst>> {
        let Op::If(then, other) = &inst.op else {
            return None;
        };
        let Some(Made::Flag(condition)) = self.made.get(&inst.args[0]) else {
            return None;
        };
        let taken = if *condition { then } else { other };
        let moved = inst
            .results
            .iter()
            .zip(&taken.results)
            .any(|(a, b)| self.function.slot_of(*a) != self.function.slot_of(*b));
        if moved {
            return None;
        }
        self.rename_each(&inst.results, &taken.results);
        Some(taken.insts.clone())
    }

    /// A result of an `if` that is true in one arm and false in the other is the condition or its
    /// negation, which stands before the `if`.
    fn flags(&mut self, inst: &mut Inst) -> Vec<Inst> {
        let Op::If(then, other) = &mut inst.op else {
            return Vec::new();
        };
        let mut negations = Vec::new();
        for position in (0..inst.results.len()).rev() {
            match (self.made.get(&then.results[position]), self.made.get(&other.results[position]))
            {
                (Some(Made::Flag(true)), Some(Made::Flag(false))) => {
                    self.rename(inst.results[position], inst.args[0]);
                }
                (Some(Made::Flag(false)), Some(Made::Flag(true))) => {
                    let result = inst.results.remove(position);
                    then.results.remove(position);
                    other.results.remove(position);
                    self.made.insert(result, Made::Negation(inst.args[0]));
                    negations.push(Inst {
                        op: Op::Not,
                        args: inst.args.clone(),
                        results: vec![result],
                        span: inst.span,
                    });
                }
                _ => {}
            }
        }
        negations
    }
}
