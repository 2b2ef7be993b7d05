//! Calls: the callee's derivatives, each operand followed by its tangent.

use super::Forward;
use crate::ir::{Call, Inst, Op, Passing, Path, Value};

/// A call under construction.
#[derive(Default)]
struct Calling {
    args: Vec<Value>,
    results: Vec<Value>,
}

impl Forward<'_> {
    /// A call of the function or of one of its derivatives.
    pub(super) fn call(&mut self, inst: &Inst, call: &Call, op: Op) {
        let returned = match &inst.op {
            Op::CallVjp(_) => call.times() + 1,
            _ => call.times(),
        };
        let (returned, versions) = inst.results.split_at(returned);
        let (mut calling, mut versions) = (Calling::default(), versions.iter());
        returned.iter().for_each(|result| self.result(*result, &mut calling));
        let mut rest = &inst.args[..];
        for passing in &call.passing {
            for _ in 0..call.times() {
                let operand;
                (operand, rest) = rest.split_at(passing.width());
                let version = passing.writes().then(|| versions.next()).flatten();
                self.operand(passing, operand, version, &mut calling);
            }
        }
        self.builder.push(op, calling.args, calling.results, inst.span);
    }

    /// The call of a pullback, which takes and returns tangents behind all that it did.
    pub(super) fn pull(&mut self, inst: &Inst, call: &Call, shadows: &[Path]) {
        let (mut calling, mut results) = (Calling::default(), inst.results.iter());
        let (pullback, mut rest) = inst.args.split_first().expect("a pullback");
        calling.args.push(*pullback);
        let mut paths = shadows.iter();
        for passing in &call.passing {
            if *passing == Passing::Value {
                let cotangents = results.by_ref().take(call.times());
                cotangents.for_each(|result| self.result(*result, &mut calling));
                continue;
            }
            let shadow = Passing::Unique(paths.next().expect("a shadow").clone());
            for passing in [passing, &shadow] {
                for _ in 0..call.times() {
                    let operand;
                    (operand, rest) = rest.split_at(passing.width());
                    let version = passing.writes().then(|| results.next()).flatten();
                    self.operand(passing, operand, version, &mut calling);
                }
            }
        }
        for seed in rest {
            self.operand(&Passing::Value, &[*seed], None, &mut calling);
        }
        let op = Op::Pull(Box::new(call.raised()), shadows.to_vec());
        self.builder.push(op, calling.args, calling.results, inst.span);
    }

    /// What a call returns, followed by its tangent.
    fn result(&mut self, result: Value, calling: &mut Calling) {
        calling.results.push(result);
        if !self.primal.ty(result).is_pullback() {
            calling.results.push(self.fresh(result));
        }
    }

    /// An operand followed by its tangent; and the versions that the call leaves of both, where it writes them.
    fn operand(
        &mut self,
        passing: &Passing,
        operand: &[Value],
        version: Option<&Value>,
        calling: &mut Calling,
    ) {
        let tangent = self.operand_tangent(passing, operand);
        if let Some(version) = version {
            let next = self.next_tangent(*version, tangent[0]);
            calling.results.extend([*version, next]);
        }
        calling.args.extend(operand);
        calling.args.extend(tangent);
    }

    fn operand_tangent(&mut self, passing: &Passing, operand: &[Value]) -> Vec<Value> {
        if matches!(passing, Passing::Value) {
            return vec![self.tangent_or_zero(operand[0])];
        }
        let root = match self.tangent.get(&operand[0]) {
            Some(dot) => *dot,
            None => self.zero_of_root(operand[0]),
        };
        std::iter::once(root).chain(operand[1..].iter().copied()).collect()
    }

    fn zero_of_root(&mut self, version: Value) -> Value {
        let data = self.primal.value(version).clone();
        let slot = self.zero_slot(&format!("{}_dot", data.name), &data.ty, data.span);
        self.builder.update(Op::Zero(Vec::new()), vec![version], slot, data.span)
    }

    /// The tangent's version after a call that writes: of the variable's own tangent, or of a temporary.
    fn next_tangent(&mut self, version: Value, passed: Value) -> Value {
        if self.is_varied(version) {
            return self.fresh(version);
        }
        let slot = self.builder.function.slot_of(passed).expect("a place's tangent is a place");
        self.builder.version(slot)
    }
}
