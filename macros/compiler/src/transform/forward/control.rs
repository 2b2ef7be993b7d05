//! Control flow: the same structure, which carries tangents beside values.

use super::Forward;
use crate::ir::{Block, Inst, Loop, LoopKind, Op, Value};

impl Forward<'_> {
    pub(super) fn branch(&mut self, inst: &Inst, then: &Block, other: &Block) {
        let then = self.arm(then, &inst.results);
        let other = self.arm(other, &inst.results);
        let results = self.doubled(&inst.results);
        self.builder.push(
            Op::If(Box::new(then), Box::new(other)),
            inst.args.clone(),
            results,
            inst.span,
        );
    }

    fn arm(&mut self, block: &Block, results: &[Value]) -> Block {
        self.builder.open();
        self.insts(block);
        let mut yields = Vec::new();
        for (value, result) in block.results.iter().zip(results) {
            yields.push(*value);
            if self.is_varied(*result) {
                yields.push(self.place_dot(*value));
            }
        }
        self.builder.close(yields)
    }

    /// Values, each varied one followed by a fresh tangent.
    fn doubled(&mut self, values: &[Value]) -> Vec<Value> {
        let mut both = Vec::new();
        for value in values {
            both.push(*value);
            if self.is_varied(*value) {
                both.push(self.fresh(*value));
            }
        }
        both
    }

    pub(super) fn repeat(&mut self, inst: &Inst, repeat: &Loop) {
        let bounds = repeat.bounds();
        let mut args = inst.args[..repeat.kind.bounds()].to_vec();
        for (init, param) in inst.args[bounds..].iter().zip(repeat.carried()) {
            args.push(*init);
            if self.is_varied(*param) {
                args.push(self.place_dot(*init));
            }
        }
        let kind = self.loop_kind(repeat);
        self.builder.open();
        let params = self.doubled(repeat.carried());
        let index = repeat.body.params[..repeat.index_params()].to_vec();
        self.builder.block().params = index.into_iter().chain(params).collect();
        self.insts(&repeat.body);
        let mut yields: Vec<Value> = repeat.body.results[..usize::from(repeat.breaks)].to_vec();
        for (next, param) in repeat.next().iter().zip(repeat.carried()) {
            yields.push(*next);
            if self.is_varied(*param) {
                yields.push(self.place_dot(*next));
            }
        }
        let body = self.builder.close(yields);
        let mut results = Vec::new();
        for (result, param) in inst.results.iter().zip(repeat.carried()) {
            results.push(*result);
            if self.is_varied(*param) {
                results.push(self.fresh(*result));
            }
        }
        let op = Op::Loop(Box::new(Loop { kind, schedule: None, breaks: repeat.breaks, body }));
        self.builder.push(op, args, results, inst.span);
    }

    /// A condition reads values only, but its parameters follow the carried ones.
    fn loop_kind(&mut self, repeat: &Loop) -> LoopKind {
        let LoopKind::While { condition } = &repeat.kind else {
            return repeat.kind.clone();
        };
        self.builder.open();
        let mut params = Vec::new();
        for (value, param) in condition.params.iter().zip(repeat.carried()) {
            params.push(*value);
            if self.is_varied(*param) {
                params.push(self.fresh(*value));
            }
        }
        self.builder.block().params = params;
        for inst in &condition.insts {
            self.inst(inst);
        }
        LoopKind::While { condition: self.builder.close(condition.results.clone()) }
    }
}
