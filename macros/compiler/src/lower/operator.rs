//! What operators say of types.
//!
//! In: an operator and its operands. Out: the result's type. Operands of types that are not known get those of floats
//! beside them.

use crate::ir::{FloatKind, Function, Type, Value};
use syn::BinOp;

/// The type of arithmetic on two operands.
pub fn combined(a: &Type, b: &Type) -> Type {
    match (a, b) {
        (Type::Float(_), Type::Float(_)) => a.join(b),
        (Type::Int, Type::Int) => Type::Int,
        _ => Type::Unknown,
    }
}

/// The type of a method of floats: as float as its operands.
pub fn of_rule(function: &Function, args: &[Value]) -> Type {
    let types = args.iter().map(|arg| function.ty(*arg));
    match function.ty(args[0]) {
        ty @ Type::Float(_) => types.filter(|ty| ty.is_float()).fold(ty.clone(), |a, b| a.join(b)),
        ty => ty.clone(),
    }
}

/// A constant item beside a float is that float; so is what is added to a float. (A factor may be a vector of the user's,
/// and where types are named that are added to floats, so may either be.)
pub fn infer_operands(function: &mut Function, operator: &BinOp, left: Value, right: Value) {
    let is_sum = matches!(operator, BinOp::Add(_) | BinOp::Sub(_));
    if function.adds_to_floats || !is_sum {
        return;
    }
    for (open, other) in [(left, right), (right, left)] {
        if *function.ty(open) == Type::Unknown {
            let ty = function.ty(other).clone();
            refine_float(function, open, &ty);
        }
    }
}

/// Gives a literal or a value of unknown type a float type.
pub fn refine_float(function: &mut Function, value: Value, ty: &Type) {
    let is_open = matches!(function.ty(value), Type::Unknown | Type::Float(FloatKind::Literal));
    if is_open && ty.is_float() {
        function.values[value.0 as usize].ty = ty.clone();
    }
}
