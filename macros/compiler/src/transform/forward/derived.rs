//! What only derivatives contain: pullbacks, tapes, shadows, partial derivatives of what the macro cannot see.

use super::Forward;
use crate::ir::{Access, Block, Inst, Op, Value, times};
use cotangent_rules::Rule;

impl Forward<'_> {
    /// A pullback: each parameter and each result is followed by its tangent.
    pub(super) fn closure(&mut self, inst: &Inst, body: &Block) {
        self.builder.open();
        self.params(body);
        self.insts(body);
        let is_place = |value: &Value| {
            let slot = self.primal.slot_of(*value);
            slot.is_some_and(|slot| self.primal.slot(slot).access != Access::Owned)
        };
        let returned = body.results.iter().take_while(|value| !is_place(value)).count();
        let (cotangents, places) = body.results.split_at(returned);
        let mut results = Vec::new();
        for cotangent in cotangents {
            results.extend([*cotangent, self.tangent_or_zero(*cotangent)]);
        }
        self.with_places(&mut results, places);
        let body = self.builder.close(results);
        let op = Op::Closure(Box::new(body));
        self.builder.push(op, Vec::new(), inst.results.clone(), inst.span);
    }

    /// An entry of a tape holds tangents, too.
    pub(super) fn tape(&mut self, inst: &Inst) {
        let mut args = inst.args.clone();
        for arg in &inst.args {
            if self.is_varied(*arg) {
                args.push(self.tangent_or_zero(*arg));
            }
        }
        let mut results = inst.results.clone();
        for result in &inst.results {
            if self.is_varied(*result) {
                results.push(self.fresh(*result));
            }
        }
        self.builder.push(inst.op.clone(), args, results, inst.span);
    }

    /// What is added has no tangent: that of the place stays as it is.
    pub(super) fn unmoved(&mut self, inst: &Inst) {
        self.builder.block().insts.push(inst.clone());
        if let Some(dot) = self.tangent.get(&inst.args[0]).copied() {
            self.tangent.insert(inst.results[0], dot);
        }
    }

    /// A partial derivative of operands whose type the macro cannot see: a trait has its tangent, too.
    pub(super) fn partial(&mut self, inst: &Inst, rule: &Rule) {
        self.builder.block().insts.push(inst.clone());
        let times = times(rule, inst.args.len());
        let (mut args, mut rest) = (Vec::new(), &inst.args[..]);
        for operand in 0..rule.params.len() + 2 {
            let is_integer = rule.params.get(operand).is_some_and(|param| param.integer);
            let given;
            (given, rest) = rest.split_at(if is_integer { 1 } else { times });
            for arg in given {
                args.push(*arg);
                if !is_integer {
                    args.push(self.tangent_or_zero(*arg));
                }
            }
        }
        let dot = self.fresh(inst.results[0]);
        self.builder.push(inst.op.clone(), args, vec![dot], inst.span);
    }
}
