//! Loops that go straight through elements.
//!
//! In: a loop. Out: what it does with elements and what it carries, if there is nothing else in it: numbers, and elements
//! of slices at its index, at a fixed distance from it, or at places that stay.

use crate::analysis::residuals::is_pure;
use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{Function, Inst, Loop, Op, Path, Projection, Type, Value};
use crate::simplify::order::adds_to;
use crate::simplify::ranges::Literals;
use cotangent_rules::Cost;

/// Longer bodies are not worth a second copy.
const LONGEST: usize = 64;

/// A loop with nothing but numbers and elements in its body.
pub struct Kernel<'l> {
    pub inst: &'l Inst,
    pub repeat: &'l Loop,
    pub accesses: Vec<Access>,
    pub carried: Vec<Carried>,
    /// Which instruction of the body makes a value.
    made: EntityMap<Value, usize>,
}

/// An instruction that reads or writes an element at a distance from the loop's index.
pub struct Access {
    /// Where it stands in the body.
    pub position: usize,
    /// The step of its path that moves with the loop.
    pub step: usize,
    /// The argument that is the index there.
    pub arg: usize,
}

/// What goes from one iteration to the next.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Carried {
    Place,
    /// A cotangent to which each iteration adds: the order does not matter.
    Sum,
    /// Another float.
    Number,
}

impl<'l> Kernel<'l> {
    pub fn of(function: &Function, inst: &'l Inst) -> Option<Self> {
        let Op::Loop(repeat) = &inst.op else { return None };
        let is_long = repeat.body.insts.len() > LONGEST;
        if is_long || !repeat.is_plain() || repeat.is_backward() || repeat.schedule.is_some() {
            return None;
        }
        let made = super::super::made(&repeat.body.insts);
        let mut kernel = Kernel { inst, repeat, accesses: Vec::new(), carried: Vec::new(), made };
        for (position, inst) in repeat.body.insts.iter().enumerate() {
            let access = kernel.looked_at(function, position, inst)?;
            kernel.accesses.extend(access);
        }
        kernel.carried = kernel.all_carried(function)?;
        (!kernel.accesses.is_empty()).then_some(kernel)
    }

    pub fn count(&self, kind: Carried) -> usize {
        self.carried.iter().filter(|carried| **carried == kind).count()
    }

    /// The instruction of the body that makes a value.
    pub fn maker(&self, value: Value) -> Option<&'l Inst> {
        self.made.get(&value).map(|position| &self.repeat.body.insts[*position])
    }

    pub fn is_index(&self, value: Value) -> bool {
        self.repeat.body.params[0] == value
    }

    /// How far an index is from the loop's own, where that is a number that is written.
    pub fn distance(&self, index: Value, literals: &Literals) -> Option<i64> {
        if self.is_index(index) {
            return Some(0);
        }
        let maker = self.maker(index)?;
        let literal =
            |value: Value| literals.get(value).and_then(|number| i64::try_from(number).ok());
        match (&maker.op, &maker.args[..]) {
            (Op::Apply(rule), [a, b]) if rule.name == "add" && self.is_index(*a) => literal(*b),
            (Op::Apply(rule), [a, b]) if rule.name == "add" && self.is_index(*b) => literal(*a),
            (Op::Apply(rule), [a, b]) if rule.name == "sub" && self.is_index(*a) => {
                literal(*b).map(|far| -far)
            }
            _ => None,
        }
    }

    /// The least of its distances.
    pub fn nearest(&self, literals: &Literals) -> i64 {
        let indices = self.accesses.iter().map(|access| self.index(access));
        indices.filter_map(|index| self.distance(index, literals)).min().unwrap_or(0)
    }

    /// The path to what an access takes an element of.
    pub fn place(&self, access: &Access) -> &'l [Projection] {
        match &self.repeat.body.insts[access.position].op {
            Op::Load(path) | Op::Store(path) | Op::Accumulate(path) => &path[..access.step],
            _ => unreachable!("elements are read or written"),
        }
    }

    /// The version of the place that it goes to.
    pub fn version(&self, access: &Access) -> Value {
        self.repeat.body.insts[access.position].args[0]
    }

    /// The index of an access that moves.
    pub fn index(&self, access: &Access) -> Value {
        self.repeat.body.insts[access.position].args[access.arg]
    }

    /// Nothing where the loop does something else here.
    fn looked_at(
        &self,
        function: &Function,
        position: usize,
        inst: &Inst,
    ) -> Option<Option<Access>> {
        if let Op::Load(path) | Op::Store(path) | Op::Accumulate(path) = &inst.op {
            let moving = self.moving(function, inst, path)?;
            return Some(moving.map(|(step, arg)| Access { position, step, arg }));
        }
        let is_number =
            |value: &Value| function.slot_of(*value).is_none() && function.ty(*value).is_copy();
        let is_simple = match &inst.op {
            Op::Apply(rule) => rule.cost < Cost::Call,
            Op::Zero(path) => path.is_empty() && inst.args.is_empty(),
            Op::Matches(..) | Op::Trips(_) | Op::Stride(_) | Op::Nth(_) => false,
            op => is_pure(op),
        };
        let values = inst.args.iter().chain(&inst.results);
        (is_simple && values.into_iter().all(is_number)).then_some(None)
    }

    /// The step of a path that moves, and its argument. Nothing where the place is no element at a fixed distance.
    fn moving(
        &self,
        function: &Function,
        inst: &Inst,
        path: &Path,
    ) -> Option<Option<(usize, usize)>> {
        let (mut arg, mut moving, version) = (1, None, inst.args[0]);
        for (step, projection) in path.iter().enumerate() {
            match projection {
                Projection::Index | Projection::Range(_) | Projection::Field(_) => {}
                _ => return None,
            }
            for arg in arg..arg + projection.indices() {
                let is_element = *projection == Projection::Index
                    && is_row(&function.ty(version).part(&path[..step]));
                match self.stride(inst.args[arg])? {
                    0 => {}
                    _ if is_element && moving.is_none() => moving = Some((step, arg)),
                    _ => return None,
                }
            }
            arg += projection.indices();
        }
        let element = function.ty(version).part(path);
        element.is_copy().then_some(moving)
    }

    /// By how much a number grows from one iteration to the next, if it is none or one.
    fn stride(&self, value: Value) -> Option<usize> {
        if self.is_index(value) {
            return Some(1);
        }
        let Some(inst) = self.maker(value) else {
            let is_carried = self.repeat.body.params.contains(&value);
            return (!is_carried).then_some(0);
        };
        let strides: Vec<usize> =
            inst.args.iter().map(|arg| self.stride(*arg)).collect::<Option<_>>()?;
        match (&inst.op, &strides[..]) {
            (Op::Literal(_), []) => Some(0),
            (Op::Apply(rule), [a, b]) if rule.name == "add" && a + b < 2 => Some(a + b),
            (Op::Apply(rule), [a, 0]) if rule.name == "sub" => Some(*a),
            (Op::Apply(rule), [0, 0]) if rule.name == "mul" => Some(0),
            _ => None,
        }
    }

    fn all_carried(&self, function: &Function) -> Option<Vec<Carried>> {
        let uses = super::super::count_uses(&self.repeat.body);
        let once = |value: Value| uses.get(&value) == Some(&1);
        let pairs = self.repeat.carried().iter().zip(self.repeat.next());
        pairs
            .map(|(param, next)| {
                let is_added = || {
                    self.maker(*next).is_some_and(|inst| matches!(inst.op, Op::Sum))
                        && once(*param)
                        && once(*next)
                        && adds_to(&self.repeat.body, *next, *param)
                };
                match function.slot_of(*param) {
                    Some(_) => Some(Carried::Place),
                    None if !function.ty(*param).is_float() => None,
                    None if is_added() => Some(Carried::Sum),
                    None => Some(Carried::Number),
                }
            })
            .collect()
    }

    /// Whether a number that is carried depends on what it was: then iterations wait for each other.
    pub fn is_serial(&self) -> bool {
        let numbers = || {
            let all = self.repeat.carried().iter().zip(self.repeat.next()).zip(&self.carried);
            all.filter(|(_, carried)| **carried == Carried::Number).map(|(pair, _)| pair)
        };
        let next: EntityMap<Value, Value> =
            numbers().map(|(param, next)| (*param, *next)).collect();
        numbers().any(|(param, _)| {
            let (mut seen, mut open) = (EntitySet::default(), vec![next[param]]);
            while let Some(value) = open.pop() {
                if value == *param {
                    return true;
                }
                if seen.insert(value) {
                    open.extend(next.get(&value));
                    open.extend(self.maker(value).into_iter().flat_map(|inst| &inst.args));
                }
            }
            false
        })
    }
}

/// What a range of elements can be taken of.
fn is_row(ty: &Type) -> bool {
    match ty {
        Type::Array(..) | Type::Slice(_) | Type::Vec(_) => true,
        Type::Reference(inner, _) => is_row(inner),
        _ => false,
    }
}
