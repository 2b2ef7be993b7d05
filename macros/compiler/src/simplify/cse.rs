//! Common subexpressions: a value that is already at hand is not computed again.
//!
//! Versions of places are values, so equal loads of equal versions are equal, with no question of order; and what
//! was stored is what a load of that version finds.

use super::prune::{resolve, substitute};
use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{Block, Function, Inst, Mode, Op, Path, Value};
use quote::ToTokens;
use rustc_hash::FxHashMap as HashMap;

/// Runs the pass.
pub fn cse(mut function: Function) -> Function {
    let mut body = function.take_body();
    let (mut constants, mut literals) = (EntitySet::default(), Literals::default());
    body.walk(&mut |inst, _| {
        if matches!(inst.op, Op::Literal(_) | Op::Zero(_) | Op::One | Op::Item(_)) {
            constants.extend(&inst.results);
        }
        literals.note(inst);
    });
    let mut pass = Cse { function: &function, constants, literals, renamed: EntityMap::default() };
    pass.block(&mut body, &mut Known::default());
    substitute(&mut body, &pass.renamed);
    function.body = body;
    function
}

/// What is computed from which values.
type Key = (Computed, Vec<Value>);

/// What an instruction computes, with all that matters in it but its arguments.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Computed {
    Apply(&'static str),
    Partial(&'static str, usize, Mode),
    Load(Path),
    Measure(String, Path),
    Matches(String, Path),
    Binary(String),
    Cast(String),
    Not,
    Like,
    Destructure,
    Sum,
}

/// What is at hand, and what a block changed in that, to be forgotten behind the block: a copy for each block would
/// make the time quadratic in the length of functions.
#[derive(Default)]
struct Known {
    values: HashMap<Key, Vec<Value>>,
    changes: Vec<(Key, Option<Vec<Value>>)>,
}

impl Known {
    fn insert(&mut self, key: Key, values: Vec<Value>) {
        let before = self.values.insert(key.clone(), values);
        self.changes.push((key, before));
    }

    fn forget(&mut self, changes: usize) {
        for (key, before) in self.changes.drain(changes..).rev() {
            match before {
                Some(values) => drop(self.values.insert(key, values)),
                None => drop(self.values.remove(&key)),
            }
        }
    }
}

/// Of literals that are written alike, the first one.
#[derive(Default)]
struct Literals {
    first: HashMap<String, Value>,
    alike: EntityMap<Value, Value>,
}

impl Literals {
    fn note(&mut self, inst: &Inst) {
        let Op::Literal(literal) = &inst.op else { return };
        let first = *self.first.entry(text(literal)).or_insert(inst.results[0]);
        self.alike.insert(inst.results[0], first);
    }

    fn alike(&self, value: Value) -> Value {
        self.alike.get(&value).copied().unwrap_or(value)
    }
}

struct Cse<'f> {
    function: &'f Function,
    /// Values whose type is that of their use.
    constants: EntitySet<Value>,
    literals: Literals,
    renamed: EntityMap<Value, Value>,
}

impl Cse<'_> {
    fn block(&mut self, body: &mut Block, known: &mut Known) {
        let mut kept = Vec::with_capacity(body.insts.len());
        for mut inst in std::mem::take(&mut body.insts) {
            inst.args.iter_mut().for_each(|arg| *arg = resolve(*arg, &self.renamed));
            if self.is_repeated(&inst, known) {
                continue;
            }
            for inner in inst.op.blocks_mut() {
                let changes = known.changes.len();
                self.block(inner, known);
                known.forget(changes);
            }
            if let Some((key, values)) = self.stored(&inst) {
                known.insert(key, values);
            }
            kept.push(inst);
        }
        body.insts = kept;
    }

    fn is_repeated(&mut self, inst: &Inst, known: &mut Known) -> bool {
        let Some(key) = key(inst) else { return false };
        if inst.results.iter().any(|result| self.function.slot_of(*result).is_some()) {
            return false;
        }
        let key = (key, self.operands(inst));
        match known.values.get(&key) {
            Some(values) => {
                self.renamed.extend(inst.results.iter().copied().zip(values.iter().copied()));
                true
            }
            None => {
                known.insert(key, inst.results.clone());
                false
            }
        }
    }

    /// The arguments, in one order where that does not matter. What is not written has a type, and literals beside it
    /// have the same; so have all indices.
    fn operands(&self, inst: &Inst) -> Vec<Value> {
        let mut args = inst.args.clone();
        let is_index = matches!(inst.op, Op::Load(_));
        if is_index || !args.iter().all(|arg| self.constants.contains(arg)) {
            args.iter_mut().for_each(|arg| *arg = self.literals.alike(*arg));
        }
        let Op::Apply(rule) = &inst.op else { return args };
        if matches!(rule.name, "add" | "mul") && self.function.ty(inst.results[0]).is_float() {
            args.sort_unstable();
        }
        args
    }

    /// The load that would find what was just stored. What a place holds may change before then.
    fn stored(&self, inst: &Inst) -> Option<(Key, Vec<Value>)> {
        let Op::Store(path) = &inst.op else { return None };
        let (value, operands) = inst.args.split_last()?;
        let is_value = self.function.ty(*value).is_float()
            && self.function.slot_of(*value).is_none()
            && !self.constants.contains(value);
        let indices = operands[1..].iter().map(|index| self.literals.alike(*index));
        let args = inst.results.iter().copied().chain(indices).collect();
        is_value.then(|| ((Computed::Load(path.clone()), args), vec![*value]))
    }
}

/// What an instruction computes, for those whose result depends on their arguments alone.
fn key(inst: &Inst) -> Option<Computed> {
    Some(match &inst.op {
        Op::Apply(rule) => Computed::Apply(rule.name),
        Op::Partial(rule, index, mode) => Computed::Partial(rule.name, *index, *mode),
        Op::Load(path) => Computed::Load(path.clone()),
        // Each zero is a place to add to.
        Op::Measure(name, path) if name != crate::lower::ZERO_TANGENT => {
            Computed::Measure(name.to_string(), path.clone())
        }
        Op::Matches(pattern, path) => Computed::Matches(text(pattern), path.clone()),
        Op::Binary(op) => Computed::Binary(text(op)),
        Op::Cast(ty) | Op::Convert(ty) => Computed::Cast(text(ty)),
        Op::Not => Computed::Not,
        Op::CastLike => Computed::Like,
        Op::Destructure => Computed::Destructure,
        Op::Sum => Computed::Sum,
        _ => return None,
    })
}

fn text(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string()
}
