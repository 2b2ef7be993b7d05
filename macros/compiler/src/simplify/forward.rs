//! Forwarding of stored parts: copy propagation for places (Muchnick 1997, section 12.5).
//!
//! In: a primal function in which small aggregates have places: `let p = points[i]; let d = [p[0] - x, p[1] - y];`, and
//! parts of them are read. Out: the same, in which a part of a place that nothing writes is read where it came from:
//! `p[0]` is `points[i][0]`, and `d[0]` is the difference. So neither place needs a shadow, and the reverse sweep computes
//! the parts again, where it could not have read a place that is gone.
//!
//! Invariants: a read stays where it stands, and is moved to another place only while that place holds the same. A value
//! stands for a part only if it has the part's type by itself.

use super::prune::{resolve, substitute};
use super::ranges::Literals;
use crate::analysis::residuals::may_move_out;
use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{
    Access, Block, FloatKind, Form, Function, Inst, Op, Path, Projection, Slot, Type, Value,
};

/// Runs the pass.
pub fn forward(mut function: Function) -> Function {
    let facts = Facts::new(&function);
    let mut body = function.take_body();
    let (sources, current, renamed) = Default::default();
    let mut pass = Forward { function: &mut function, facts, sources, current, renamed };
    pass.note_params(&body.params);
    pass.block(&mut body);
    substitute(&mut body, &pass.renamed);
    function.body = body;
    function
}

/// What holds everywhere in a function.
struct Facts {
    /// Places that nothing writes.
    fixed: EntitySet<Slot>,
    /// Places whose contents may be taken away.
    moved: EntitySet<Slot>,
    /// Places that are used in no other way than that parts are read, by a field or an index that is written.
    dissolved: EntitySet<Slot>,
    literals: Literals,
    /// Values that have their types by themselves.
    typed: EntitySet<Value>,
}

impl Facts {
    fn new(function: &Function) -> Self {
        let literals = Literals::of(function);
        let fixed = fixed(function);
        let (mut whole, mut moved) = (EntitySet::default(), EntitySet::default());
        let slots = |values: &[Value]| -> Vec<Slot> {
            values.iter().filter_map(|value| function.slot_of(*value)).collect()
        };
        moved.extend(slots(&function.body.results));
        function.body.walk(&mut |inst, _| {
            let is_part = reads_part(inst, &literals);
            whole.extend(slots(&inst.args[usize::from(is_part)..]));
            moved.extend(slots(&inst.consumed()));
            let to_others =
                inst.moves().into_iter().filter(|(from, to)| slots(&[*from]) != slots(&[*to]));
            moved.extend(to_others.flat_map(|(from, _)| slots(&[from])));
            if may_move_out(function, inst) {
                moved.extend(slots(&inst.args[..1]));
            }
            let yielded = inst.op.blocks().flat_map(|block| slots(&block.results));
            whole.extend(yielded);
            // What is made by braces stays, and takes its fields over.
            if matches!(inst.op, Op::Struct { .. }) {
                whole.extend(slots(&inst.results));
            }
        });
        whole.extend(slots(&function.body.results));
        let is_dissolved = |slot: &&Slot| !whole.contains(*slot);
        let dissolved = fixed.iter().filter(is_dissolved).copied().collect();
        let typed = function.body.params.iter().copied().collect();
        let mut facts = Facts { fixed, moved, dissolved, literals, typed };
        function.body.walk(&mut |inst, _| facts.note_type(inst));
        facts
    }

    fn note_type(&mut self, inst: &Inst) {
        match &inst.op {
            Op::Load(_) | Op::Measure(..) | Op::Cast(_) | Op::Convert(_) => {
                self.typed.extend(&inst.results)
            }
            Op::Apply(_) if inst.args.iter().any(|arg| self.typed.contains(arg)) => {
                self.typed.extend(&inst.results);
            }
            Op::Loop(repeat) => self.typed.extend(&repeat.body.params[..repeat.index_params()]),
            _ => {}
        }
    }
}

/// The places that have one version.
fn fixed(function: &Function) -> EntitySet<Slot> {
    let (mut fixed, mut written) = (EntitySet::default(), EntitySet::default());
    let mut note = |value: &Value| {
        if let Some(slot) = function.slot_of(*value)
            && !fixed.insert(slot)
        {
            written.insert(slot);
        }
    };
    function.body.params.iter().for_each(&mut note);
    function.body.walk(&mut |inst, _| {
        let blocks = inst.op.blocks();
        let params = blocks.flat_map(|block| &block.params);
        params.chain(&inst.results).for_each(&mut note);
    });
    fixed.retain(|slot| !written.contains(slot));
    fixed
}

/// Whether an instruction does nothing but read a part of a place, whose step is written.
fn reads_part(inst: &Inst, literals: &Literals) -> bool {
    let Op::Load(path) = &inst.op else { return false };
    match path[..] {
        [Projection::Field(_)] => true,
        [Projection::Index] => literals.get(inst.args[1]).is_some(),
        _ => false,
    }
}

/// Where the parts of a place came from.
#[derive(Clone)]
enum Source {
    /// Values, by the steps to them, and whether their types do not hang on one another.
    Values(Vec<(Step, Value)>, bool),
    /// A part of another place: its version, the path, and the indices in that.
    Place(Value, Path, Vec<Value>),
}

/// A step to a part, whose index is a number that is written.
#[derive(Clone, PartialEq, Eq)]
enum Step {
    Field(String),
    Index(u128),
}

struct Forward<'f> {
    function: &'f mut Function,
    facts: Facts,
    /// By the versions of places that nothing writes.
    sources: EntityMap<Value, Source>,
    /// The version that each place has at this point.
    current: EntityMap<Slot, Value>,
    renamed: EntityMap<Value, Value>,
}

impl Forward<'_> {
    fn note_params(&mut self, params: &[Value]) {
        for param in params {
            self.current.extend(self.function.slot_of(*param).map(|slot| (slot, *param)));
        }
    }

    fn block(&mut self, block: &mut Block) {
        for mut inst in std::mem::take(&mut block.insts) {
            inst.args.iter_mut().for_each(|arg| *arg = resolve(*arg, &self.renamed));
            while self.redirect(&mut inst) {}
            if let Some(made) = self.replacement(&inst) {
                block.insts.extend(made);
                continue;
            }
            self.inner(&mut inst);
            self.note_params(&inst.results);
            self.note_source(&inst);
            block.insts.push(inst);
        }
    }

    fn inner(&mut self, inst: &mut Inst) {
        for inner in inst.op.blocks_mut() {
            let before = self.current.clone();
            self.note_params(&inner.params);
            self.block(inner);
            self.current = before;
        }
    }

    /// Lets a read of a part go to the place that the part came from. Says whether it does.
    fn redirect(&mut self, inst: &mut Inst) -> bool {
        let Op::Load(path) = &inst.op else { return false };
        let Some(source) = self.sources.get(&inst.args[0]).filter(|_| !path.is_empty()) else {
            return false;
        };
        let (version, start, args, rest, used) = match source {
            Source::Place(version, start, args) => (*version, &start[..], &args[..], &path[..], 1),
            Source::Values(parts, _) if path.len() > 1 => {
                let Some(value) = self.part(parts, inst) else { return false };
                (value, &[][..], &[][..], &path[1..], 1 + path[0].indices())
            }
            Source::Values(..) => return false,
        };
        if !self.holds(version) {
            return false;
        }
        inst.args = [&[version], args, &inst.args[used..]].concat();
        inst.op = Op::Load([start, rest].concat());
        true
    }

    /// Whether a version of a place is there at this point.
    fn holds(&self, version: Value) -> bool {
        let Some(slot) = self.function.slot_of(version) else { return false };
        let data = self.function.slot(slot);
        let stays =
            data.access != Access::Owned || data.ty.is_copy() || !self.facts.moved.contains(&slot);
        stays && self.current.get(&slot) == Some(&version)
    }

    /// The value to which the first step of a read leads.
    fn part(&self, parts: &[(Step, Value)], inst: &Inst) -> Option<Value> {
        let Op::Load(path) = &inst.op else { return None };
        let step = match path.first()? {
            Projection::Field(name) => Step::Field(name.clone()),
            Projection::Index => Step::Index(self.facts.literals.get(*inst.args.get(1)?)?),
            _ => return None,
        };
        parts.iter().find(|(other, _)| *other == step).map(|(_, value)| *value)
    }

    /// Instead of a read: the value that the part is, which may be a literal.
    fn replacement(&mut self, inst: &Inst) -> Option<Option<Inst>> {
        let Op::Load(path) = &inst.op else { return None };
        let Some(Source::Values(parts, is_free)) = self.sources.get(&inst.args[0]) else {
            return None;
        };
        let [result] = inst.results[..] else { return None };
        let value = self.part(parts, inst).filter(|_| path.len() == 1)?;
        if self.function.slot_of(value).is_some() || self.function.slot_of(result).is_some() {
            return None;
        }
        if let Some(literal) = self.facts.literals.typed(value, self.function.ty(result)) {
            let op = Op::Literal(syn::Lit::Float(literal));
            return Some(Some(Inst { op, args: Vec::new(), ..inst.clone() }));
        }
        let slot = self.function.slot_of(inst.args[0])?;
        self.stands(slot, value, *is_free).then(|| {
            self.renamed.insert(result, value);
            None
        })
    }

    /// Whether a value may stand for the part of a place: it has its type by itself, and can be read more than once.
    fn stands(&self, slot: Slot, value: Value, is_free: bool) -> bool {
        let is_typed = is_free || self.facts.typed.contains(&value);
        match self.function.ty(value) {
            Type::Float(FloatKind::Literal) => is_free,
            Type::Float(_) | Type::Bool => true,
            Type::Int => is_typed,
            // A value of a type that is not seen is moved at most once, into the place or out of it.
            Type::Unknown => is_typed && self.facts.dissolved.contains(&slot),
            _ => false,
        }
    }

    /// Notes where the parts of a place came from.
    fn note_source(&mut self, inst: &Inst) {
        let [made] = inst.results[..] else { return };
        let source = match &inst.op {
            Op::Duplicate => self.sources.get(&inst.args[0]).cloned().or_else(|| {
                let is_copy = self.function.ty(made).is_copy();
                is_copy.then(|| Source::Place(inst.args[0], Vec::new(), Vec::new()))
            }),
            Op::Load(path) if self.copies(path, made) => {
                Some(Source::Place(inst.args[0], path.clone(), inst.args[1..].to_vec()))
            }
            _ => self.parts(inst),
        };
        let is_written = self.function.slot_of(made).is_some_and(|slot| {
            !self.facts.fixed.contains(&slot) || self.function.slot(slot).access != Access::Owned
        });
        let has_own_type = self.function.annotation(made).is_none();
        if let Some(source) = source.filter(|_| !is_written) {
            let source = match source {
                Source::Values(parts, is_free) => Source::Values(parts, is_free && has_own_type),
                place @ Source::Place(..) => place,
            };
            self.sources.insert(made, source);
        }
    }

    /// Whether what is read into a place is a copy: out of an element the language allows no move.
    fn copies(&self, path: &Path, made: Value) -> bool {
        let is_element = path.contains(&Projection::Index);
        path.iter().all(Projection::is_plain) && (is_element || self.function.ty(made).is_copy())
    }

    /// The parts of which an instruction makes a value.
    fn parts(&self, inst: &Inst) -> Option<Source> {
        let args = inst.args.iter().copied();
        let numbered = || args.clone().enumerate();
        match &inst.op {
            Op::Tuple => {
                let parts = numbered().map(|(at, arg)| (Step::Field(at.to_string()), arg));
                Some(Source::Values(parts.collect(), true))
            }
            Op::Array => {
                let parts = numbered().map(|(at, arg)| (Step::Index(at as u128), arg));
                Some(Source::Values(parts.collect(), false))
            }
            Op::Struct { fields, form: Form::Fields, .. } => {
                let parts = fields.iter().cloned().map(Step::Field).zip(args);
                Some(Source::Values(parts.collect(), false))
            }
            _ => None,
        }
    }
}
