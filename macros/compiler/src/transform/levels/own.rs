//! A function's calls of its own halves.
//!
//! In: the call of a `vjp` or of a pullback, with an operand for everything that a function's callers might
//! differentiate by. Out: that of `sweep` or `unwind`, which take what the function's own derivatives do. Nothing where
//! the operands are not those of the function as it stands.

use crate::ir::{
    Call, Callee, FloatKind, Function, Half, Inst, Op, OwnCall, Passing, Path, Type, Value,
};
use crate::syntax::signature::{Parameter, Signature};
use quote::ToTokens;

/// The forward sweep of the level below.
pub fn sweep(function: &Function, signature: &Signature, call: &Call, inst: &Inst) -> Option<Inst> {
    if !is_direct(call, signature) {
        return None;
    }
    let (mut passed, mut args, mut rest) = (Vec::new(), Vec::new(), &inst.args[..]);
    for (passing, param) in call.passing.iter().zip(&signature.params) {
        for turn in 0..call.times() {
            let operand;
            (operand, rest) = rest.split_at(passing.width());
            if turn == 0 && !is_of_type(function, operand[0], &param.kind) {
                return None;
            }
            if turn == 0 || param.active {
                passed.push(passing.clone());
                args.extend(operand);
            }
        }
    }
    let mut results = inst.results.clone();
    results.remove(call.times());
    let own = OwnCall { half: Half::Sweep, passed, returned: call.times(), open: None };
    Some(Inst { op: Op::Own(Box::new(own)), args, results, span: inst.span })
}

/// The reverse sweep of the level below, behind what it does not return: the cotangents of constants.
pub fn unwind(
    signature: &Signature,
    (call, shadows): (&Call, &[Path]),
    inst: &Inst,
) -> Option<Vec<Inst>> {
    if !is_direct(call, signature) {
        return None;
    }
    let mut unwinding =
        Unwinding { args: &inst.args[1..], results: &inst.results, ..<_>::default() };
    let mut shadows = shadows.iter();
    for (passing, param) in call.passing.iter().zip(&signature.params) {
        match passing {
            Passing::Value => unwinding.value(call.times(), param),
            place => unwinding.reference(place, shadows.next()?, call.times(), param.active),
        }
    }
    Some(unwinding.finish(inst))
}

/// The call of a pullback, taken apart.
#[derive(Default)]
struct Unwinding<'i> {
    /// What is left of the arguments.
    args: &'i [Value],
    /// What is left of the results.
    results: &'i [Value],
    passed: Vec<Passing>,
    given: Vec<Value>,
    cotangents: Vec<Value>,
    versions: Vec<Value>,
    /// Cotangents of constants.
    nothing: Vec<Value>,
}

impl Unwinding<'_> {
    fn take(&mut self, count: usize) -> Vec<Value> {
        let (taken, rest) = self.results.split_at(count);
        self.results = rest;
        taken.to_vec()
    }

    /// A constant whose type does not say so leaves its cotangent undefined, which is well if nothing uses it.
    fn value(&mut self, times: usize, param: &Parameter) {
        let cotangents = self.take(times);
        match param.active {
            true => self.cotangents.extend(cotangents),
            false if param.kind.is_constant() => self.nothing.extend(cotangents),
            false => {}
        }
    }

    /// A place, then its shadow, each with its tangents.
    fn reference(&mut self, place: &Passing, shadow: &Path, times: usize, is_active: bool) {
        let shadow = Passing::Unique(shadow.clone());
        for (index, passing) in [place, &shadow].into_iter().enumerate() {
            for turn in 0..times {
                let (operand, rest) = self.args.split_at(passing.width());
                self.args = rest;
                let version = if passing.writes() { self.take(1) } else { Vec::new() };
                if is_active || index == 0 && turn == 0 {
                    self.passed.push(passing.clone());
                    self.given.extend(operand);
                    self.versions.extend(version);
                }
            }
        }
    }

    /// Behind the references stand the cotangents of the result.
    fn finish(mut self, inst: &Inst) -> Vec<Inst> {
        self.passed.extend(self.args.iter().map(|_| Passing::Value));
        self.given.extend(self.args);
        let returned = self.cotangents.len();
        let (half, open) = (Half::Unwind, None);
        let op = Op::Own(Box::new(OwnCall { half, passed: self.passed, returned, open }));
        let results = [self.cotangents, self.versions].concat();
        let made = |op, args, results| Inst { op, args, results, span: inst.span };
        let nothing = self.nothing.into_iter();
        let mut insts: Vec<Inst> =
            nothing.map(|value| made(Op::NoTangent, Vec::new(), vec![value])).collect();
        insts.push(made(op, self.given, results));
        insts
    }
}

/// Whether the operands of a call are passed as the function takes them, under its own parameters.
pub(super) fn is_direct(call: &Call, signature: &Signature) -> bool {
    let is_so = |(passing, param): (&Passing, &Parameter)| match passing {
        Passing::Value => param.reference().is_none(),
        Passing::Shared(_) | Passing::Unique(_) => param.reference().is_some(),
        Passing::Interior(_) => false,
    };
    call.passing.len() == signature.params.len()
        && call.passing.iter().zip(&signature.params).all(is_so)
        && call.functions.iter().all(Option::is_none)
        && has_own_arguments(&call.callee, signature)
}

/// Whether the generic arguments, if there are any, are the function's own parameters.
fn has_own_arguments(callee: &Callee, signature: &Signature) -> bool {
    let Callee::Path(path) = callee else { return true };
    let Some(last) = path.path.segments.last() else { return true };
    let syn::PathArguments::AngleBracketed(given) = &last.arguments else { return true };
    let own = signature.generics.params.iter().filter_map(|param| match param {
        syn::GenericParam::Type(param) => Some(&param.ident),
        syn::GenericParam::Const(param) => Some(&param.ident),
        syn::GenericParam::Lifetime(_) => None,
    });
    let given = given.args.iter().map(|argument| argument.to_token_stream().to_string());
    own.map(ToString::to_string).eq(given)
}

/// Whether a float is of the type of the parameter that it is passed for, whose instance the function may not be.
pub(super) fn is_of_type(function: &Function, value: Value, kind: &Type) -> bool {
    match (function.ty(value).float(), kind.float()) {
        (Some(FloatKind::Literal), _) | (None, _) | (_, None) => true,
        (Some(given), Some(wanted)) => given == wanted,
    }
}
