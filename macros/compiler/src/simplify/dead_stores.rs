//! Dead store elimination (Muchnick 1997, section 18.10).
//!
//! In: a primal function that writes an element twice, with nothing but reads of that element in between:
//! `c[i] = 0.0; c[i] = c[i] + x;`. Out: the same without the first write, whose value is what is read. So one element less
//! is kept and put back.
//!
//! Invariants: what is read is not taken from a write that stays: the place holds it, and can be read again. Nothing in
//! between can be seen from outside, since a write may panic.

use super::prune::substitute;
use super::ranges::Literals;
use crate::analysis::numbering::Numbering;
use crate::ir::entity::EntityMap;
use crate::ir::{Block, Function, Inst, Op, Value};

/// Runs the pass.
pub fn dead_stores(mut function: Function) -> Function {
    let (numbering, literals) = (Numbering::of(&function), Literals::of(&function));
    let mut body = function.take_body();
    let uses = super::count_uses(&body);
    let mut pass = DeadStores {
        function: &function,
        numbering,
        literals,
        uses,
        renamed: EntityMap::default(),
    };
    pass.block(&mut body);
    substitute(&mut body, &pass.renamed);
    function.body = body;
    function
}

struct DeadStores<'f> {
    function: &'f Function,
    numbering: Numbering,
    literals: Literals,
    uses: EntityMap<Value, usize>,
    renamed: EntityMap<Value, Value>,
}

impl DeadStores<'_> {
    fn block(&mut self, block: &mut Block) {
        for position in 0..block.insts.len() {
            if let Some(reads) = self.reads_until_overwritten(&block.insts, position) {
                self.drop_store(&mut block.insts, position, &reads);
            }
            block.insts[position].op.blocks_mut().for_each(|inner| self.block(inner));
        }
        block.insts.retain(|inst| !inst.results.iter().any(|result| self.is_dropped(*result)));
    }

    /// Returns the positions of what reads an element between a write of it and the next one, if nothing else uses what
    /// the first one leaves.
    fn reads_until_overwritten(&self, insts: &[Inst], position: usize) -> Option<Vec<usize>> {
        let store = insts.get(position).filter(|inst| matches!(inst.op, Op::Store(_)))?;
        let (element, version) = (self.numbering.element(self.function, store)?, store.results[0]);
        let (value, mut reads) = (*store.args.last()?, Vec::new());
        for (at, inst) in insts.iter().enumerate().skip(position + 1) {
            if is_seen(inst) {
                return None;
            }
            if inst.args.first() != Some(&version) {
                continue;
            }
            if self.numbering.element(self.function, inst).as_ref() != Some(&element) {
                return None;
            }
            if let Op::Store(_) = inst.op {
                let is_only = self.uses.get(&version) == Some(&(reads.len() + 1));
                let stands = |at: &usize| self.stands(value, insts[*at].results[0]);
                return (is_only && reads.iter().all(stands)).then_some(reads);
            }
            reads.push(at);
        }
        None
    }

    /// Whether a value that was stored has the type of what is read.
    fn stands(&self, value: Value, read: Value) -> bool {
        let (function, ty) = (self.function, self.function.ty(read));
        let is_alike = function.ty(value) == ty || self.literals.typed(value, ty).is_some();
        ty.is_float() && is_alike && function.slot_of(value).is_none()
    }

    fn drop_store(&mut self, insts: &mut [Inst], position: usize, reads: &[usize]) {
        let store = &insts[position];
        let (value, version) = (store.args[store.args.len() - 1], store.results[0]);
        self.renamed.insert(version, store.args[0]);
        for read in reads {
            let (result, literals) = (insts[*read].results[0], &self.literals);
            match literals.typed(value, self.function.ty(result)) {
                Some(literal) => {
                    insts[*read].op = Op::Literal(syn::Lit::Float(literal));
                    insts[*read].args.clear();
                }
                None => _ = self.renamed.insert(result, value),
            }
        }
    }

    fn is_dropped(&self, result: Value) -> bool {
        self.renamed.contains_key(&result)
    }
}

/// Whether what an instruction does can be seen from outside.
fn is_seen(inst: &Inst) -> bool {
    let inner = || inst.op.blocks().flat_map(|block| &block.insts);
    inst.op.has_effect() || inner().any(is_seen)
}
