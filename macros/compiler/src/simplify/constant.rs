//! Constant folding in derived code: what a rule row asks of a literal exponent is known here.
//!
//! Only instructions of the transforms are folded; the user's arithmetic stays as written.

use super::prune::substitute;
use crate::ir::entity::EntityMap;
use crate::ir::{Block, Function, Inst, Op, Type, Value};

/// A literal's value.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Number {
    Integer(i64),
    Float(f64),
}

/// Runs the pass.
pub fn constant(mut function: Function) -> Function {
    let mut body = function.take_body();
    let mut pass = Constants {
        function: &function,
        known: EntityMap::default(),
        renamed: EntityMap::default(),
    };
    pass.block(&mut body);
    let renamed = pass.renamed;
    substitute(&mut body, &renamed);
    function.body = body;
    function
}

struct Constants<'f> {
    function: &'f Function,
    known: EntityMap<Value, Number>,
    renamed: EntityMap<Value, Value>,
}

impl Constants<'_> {
    fn block(&mut self, block: &mut Block) {
        for inst in &mut block.insts {
            if inst.results.first().is_some_and(|result| result.0 >= self.function.primal_values) {
                self.fold(inst);
            }
            self.record(inst);
            for inner in inst.op.blocks_mut() {
                self.block(inner);
            }
        }
    }

    fn record(&mut self, inst: &Inst) {
        let Op::Literal(literal) = &inst.op else {
            return;
        };
        let number = match literal {
            syn::Lit::Int(literal) => literal.base10_parse().ok().map(Number::Integer),
            syn::Lit::Float(literal) => literal.base10_parse().ok().map(Number::Float),
            _ => None,
        };
        self.known.extend(number.map(|number| (inst.results[0], number)));
    }

    fn fold(&mut self, inst: &mut Inst) {
        // What a number is to be like says nothing of its value.
        let args = if matches!(inst.op, Op::CastLike) { &inst.args[..1] } else { &inst.args[..] };
        let numbers: Option<Vec<Number>> =
            args.iter().map(|arg| self.known.get(arg).copied()).collect();
        if let Some(numbers) = numbers {
            if let Some(literal) = self.evaluated(inst, &numbers) {
                inst.op = Op::Literal(literal);
                inst.args.clear();
            }
            return;
        }
        let is_first_power = matches!(&inst.op, Op::Apply(rule) if rule.name == "powi");
        if is_first_power && self.known.get(&inst.args[1]) == Some(&Number::Integer(1)) {
            self.renamed.insert(inst.results[0], inst.args[0]);
        }
    }

    fn evaluated(&self, inst: &Inst, numbers: &[Number]) -> Option<syn::Lit> {
        match (&inst.op, numbers) {
            (Op::Binary(op), [a, b]) => {
                let value = compare(op, *a, *b)?;
                Some(syn::Lit::Bool(syn::LitBool::new(value, inst.span)))
            }
            (Op::Apply(rule), [Number::Integer(a), Number::Integer(b)]) => {
                let value = match rule.name {
                    "add" => a.checked_add(*b)?,
                    "sub" => a.checked_sub(*b)?,
                    _ => return None,
                };
                (value >= 0).then(|| syn::Lit::Int(syn::LitInt::new(&value.to_string(), inst.span)))
            }
            (Op::Cast(_) | Op::Convert(_) | Op::CastLike, [Number::Integer(a)])
                if *a >= 0 && matches!(self.function.ty(inst.results[0]), Type::Float(_)) =>
            {
                Some(syn::Lit::Float(syn::LitFloat::new(&format!("{a}.0"), inst.span)))
            }
            _ => None,
        }
    }
}

fn compare(op: &syn::BinOp, a: Number, b: Number) -> Option<bool> {
    Some(match op {
        syn::BinOp::Lt(_) => a < b,
        syn::BinOp::Le(_) => a <= b,
        syn::BinOp::Gt(_) => a > b,
        syn::BinOp::Ge(_) => a >= b,
        syn::BinOp::Eq(_) => a == b,
        syn::BinOp::Ne(_) => a != b,
        _ => return None,
    })
}
