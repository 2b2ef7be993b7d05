//! The audit: no active value ends without a reason.
//!
//! **In**: a primal function, its activity, and the places behind references that were declared constant. **Out**: an error
//! for each operation that takes an active value, has no derivative, and has no reason for that in the one table
//! ([`reason`]). Some reasons hold only where rustc can prove a statement: the audit puts these into the function, as
//! [`Op::Proof`] and [`Op::Proved`], and derivative code does not compile where one is false.
//!
//! **Invariants**: nothing else decides whether an active value may end. The table is closed: an operation that stands
//! nowhere in it is refused. A proof costs nothing at run time.

use super::activity::{self, Activity};
use crate::diag::{self, Diagnostic, Reports};
use crate::ir::entity::EntitySet;
use crate::ir::{
    Block, Call, Callee, Function, Inst, Mode, Op, Passing, Path, Proof, Slot, Type, Value,
    index_count,
};
use crate::lower::{compares, field_step};
use crate::syntax::is_variant_of_std;
use crate::syntax::types::is_primitive;
use proc_macro2::Span;

/// Why an operation without derivative may be given an active value.
enum Reason {
    /// The operation has a derivative, or its blocks are audited.
    Derivative,
    /// The result is piecewise constant, or says nothing of the numbers: a row of [`cotangent_rules::ZERO`], a comparison, a
    /// cast to an integer, a pattern, the variant or the length of something.
    Zero,
    /// The user stops the derivative.
    Stopped,
    /// The text is only shown.
    Shown,
    /// The operator is the standard library's, which rustc proves.
    Operator,
    /// The callee has derivatives, which rustc proves where they are not called ([`proofs`]).
    Callee,
    /// There is none.
    Missing(&'static Diagnostic, String),
}

/// Reports each active value that ends without a reason, and writes the proofs that others need into the function.
pub fn audit(
    function: &mut Function,
    activity: &Activity,
    constant: &EntitySet<Slot>,
    reports: &mut Reports,
) {
    let mut body = function.take_body();
    let audit = Audit { function, activity, constant, shown: shown(&body) };
    audit.block(&mut body, reports);
    function.body = body;
}

/// Returns what rustc has to prove of a call whose derivative is not called: that the callee has derivatives, and that
/// what it is lent holds no cells. Each proof has its arguments.
pub fn proofs(
    function: &Function,
    activity: &Activity,
    inst: &Inst,
    mode: Mode,
) -> Vec<(Proof, Vec<Value>)> {
    let Op::Call(call) = &inst.op else { return Vec::new() };
    let is_varied = inst.args.iter().any(|arg| activity.is_varied(*arg));
    let is_open = matches!(call.callee, Callee::Path(_) | Callee::Method(_)) && !call.is_own;
    let derivative = (is_varied && is_open && function.is_primal())
        .then(|| (Proof::Derivative(call.clone(), mode), inst.args.clone()));
    let is_stopped = matches!(call.callee, Callee::Stopped(_));
    let lent = call.operands(inst).filter_map(|operand| match operand.passing {
        Passing::Shared(path)
            if !is_stopped
                && activity.is_varied(operand.args[0])
                && function.ty(operand.args[0]).may_hold_cells() =>
        {
            Some((Proof::NoCells(path.clone()), operand.args.to_vec()))
        }
        _ => None,
    });
    derivative.into_iter().chain(lent).collect()
}

struct Audit<'a> {
    function: &'a Function,
    activity: &'a Activity,
    constant: &'a EntitySet<Slot>,
    /// Texts that only reach messages of errors and macros that show them.
    shown: EntitySet<Value>,
}

impl Audit<'_> {
    fn block(&self, block: &mut Block, reports: &mut Reports) {
        let mut insts = Vec::with_capacity(block.insts.len());
        for mut inst in std::mem::take(&mut block.insts) {
            inst.op.blocks_mut().for_each(|inner| self.block(inner, reports));
            if inst.args.iter().any(|arg| self.activity.is_varied(*arg)) {
                self.check(&mut inst, reports);
            }
            insts.extend(self.proofs_of_assertion(&inst));
            insts.extend(self.proof_of_row(&inst));
            let proofs =
                self.proofs_of_writes(&inst).into_iter().chain(self.proof_of_tangent(&inst));
            let proofs: Vec<Inst> = proofs.collect();
            insts.push(inst);
            insts.extend(proofs);
        }
        block.insts = insts;
    }

    /// Looks up the reason of an operation that is given an active value.
    fn check(&self, inst: &mut Inst, reports: &mut Reports) {
        match self.reason(inst) {
            Reason::Missing(row, particular) => reports.report(inst.span, row, &particular),
            Reason::Operator if !inst.args.iter().all(|arg| is_known(self.function.ty(*arg))) => {
                inst.op = Op::Proved(Box::new(inst.op.clone()));
            }
            Reason::Operator
            | Reason::Derivative
            | Reason::Zero
            | Reason::Stopped
            | Reason::Shown
            | Reason::Callee => {}
        }
        let written = inst.results.iter().filter_map(|result| self.function.slot_of(*result));
        if writes(&inst.op) && written.into_iter().any(|slot| self.constant.contains(&slot)) {
            reports.report(inst.span, &diag::CONSTANT_WRITE, "");
        }
    }

    /// The closed table of reasons.
    fn reason(&self, inst: &Inst) -> Reason {
        match &inst.op {
            Op::Binary(syn::BinOp::And(_) | syn::BinOp::Or(_)) => Reason::Zero,
            Op::Binary(_) | Op::Not => Reason::Operator,
            Op::Method(name) => self.reason_of_method(&name.to_string(), inst),
            Op::Cast(_) | Op::Convert(_) | Op::CastLike | Op::Matches(..) | Op::Measure(..) => {
                Reason::Zero
            }
            Op::Call(call) => reason_of_call(call),
            Op::Macro(_) => match inst.results.first() {
                Some(text) if !self.shown.contains(text) => {
                    Reason::Missing(&diag::ACTIVE_TEXT, "format!".to_owned())
                }
                _ => Reason::Shown,
            },
            Op::Struct { path, .. } if activity::is_error(path) => {
                Reason::Missing(&diag::ERROR_VALUE, String::new())
            }
            // Errors are constants, so what is read of one ends nothing.
            Op::Load(_) | Op::Clone(_) => Reason::Zero,
            Op::Watch(_) | Op::Attest(_) | Op::Proof(_) => Reason::Shown,
            Op::VecNew(_) | Op::Detached | Op::Zero(_) | Op::Cleared(_) | Op::Conform(_) => {
                Reason::Zero
            }
            // These have derivatives, or blocks that are audited.
            Op::Literal(_) | Op::Item(_) | Op::BorrowItem(_) | Op::Apply(_) => Reason::Derivative,
            Op::Proved(_) | Op::Tuple | Op::Destructure | Op::DebugAssertions => Reason::Derivative,
            Op::Array | Op::ArrayRepeat(_) | Op::VecList | Op::Struct { .. } => Reason::Derivative,
            Op::VecRepeat | Op::Duplicate | Op::Boxed | Op::Store(_) => Reason::Derivative,
            Op::SplitError => Reason::Derivative,
            Op::Touch | Op::Insert(..) | Op::Remove(..) | Op::Replace(_) => Reason::Derivative,
            Op::Exchange(..) | Op::Undefined | Op::If(..) | Op::Loop(_) => Reason::Derivative,
            Op::Closure(_) | Op::Nth(_) | Op::Trips(_) | Op::Stride(_) => Reason::Derivative,
            // And derivatives are made of these.
            Op::Partial(..) | Op::CastPartial(_) | Op::Accumulate(_) => Reason::Derivative,
            Op::AccumulatePartial(..) | Op::Enclose | Op::Unread(..) => Reason::Derivative,
            Op::Rejoin(_) | Op::CallVjp(_) | Op::Pull(..) | Op::CallJvp(_) => Reason::Derivative,
            Op::Own(_) | Op::Linear | Op::Sum | Op::Total | Op::One => Reason::Derivative,
            Op::NoTangent | Op::StandIn(_) | Op::Wrap(_) | Op::Unwrap => Reason::Derivative,
            Op::UnwrapOr | Op::TapePush(_) | Op::TapePop(_) | Op::TapeSave(_) => Reason::Derivative,
            Op::TapeRestore(_) | Op::TapeReserve(..) | Op::TapePlan(..) => Reason::Derivative,
            Op::TapeKeeps(_) | Op::TapeRewind(_) => Reason::Derivative,
        }
    }

    fn reason_of_method(&self, name: &str, inst: &Inst) -> Reason {
        match name {
            _ if compares(name) && inst.args.len() == 2 => Reason::Operator,
            _ if cotangent_rules::is_zero(name) => Reason::Zero,
            "to_string" if self.shown.contains(&inst.results[0]) => Reason::Shown,
            _ => Reason::Missing(&diag::UNKNOWN_METHOD, name.to_owned()),
        }
    }

    /// A value of a type of the user's is made of active values, and reaches no result: only its type says what becomes of
    /// them.
    fn proof_of_tangent(&self, inst: &Inst) -> Option<Inst> {
        let Op::Struct { path, .. } = &inst.op else { return None };
        let result = inst.results[0];
        let ends = self.activity.is_varied(result)
            && !self.activity.is_active(self.function, result)
            && !is_variant_of_std(path, &["Some", "None", "Ok"]);
        ends.then(|| proof(Proof::Tangent, vec![result], inst.span))
    }

    /// A row on an operand that is not seen may be a method or an operator of the user's own. Where its result is active,
    /// the row's trait is asked; where nothing asks, what that does to the operand would be lost.
    fn proof_of_row(&self, inst: &Inst) -> Option<Inst> {
        let Op::Apply(rule) = inst.op else { return None };
        let is_open =
            |arg: &Value| self.activity.is_varied(*arg) && !is_known(self.function.ty(*arg));
        let ends = inst.args.iter().any(is_open)
            && !self.activity.is_active(self.function, inst.results[0]);
        ends.then(|| proof(Proof::Row(rule), inst.args.clone(), inst.span))
    }

    /// An active value that is written into a field goes on only where the field is not constant.
    fn proofs_of_writes(&self, inst: &Inst) -> Vec<Inst> {
        let is_open = |(path, args): &(Path, Vec<Value>)| {
            !path.is_empty() && self.function.ty(args[0]).hides_field(path)
        };
        let written = self.written_by(inst).into_iter().filter(is_open);
        written
            .map(|(path, mut args)| {
                let slot = self.function.slot_of(args[0]);
                let is_next = |next: &&Value| self.function.slot_of(**next) == slot;
                args[0] = inst.results.iter().rev().find(is_next).copied().unwrap_or(args[0]);
                proof(Proof::Writable(path), args, inst.span)
            })
            .collect()
    }

    /// The parts of places into which an instruction writes active values, each with its place and its indices.
    fn written_by(&self, inst: &Inst) -> Vec<(Path, Vec<Value>)> {
        match &inst.op {
            Op::Struct { path, fields, .. } => {
                let written = fields.iter().zip(&inst.args);
                let varied = written.filter(|(_, value)| self.activity.is_varied(**value));
                let part = |(field, _): (&String, _)| {
                    (vec![field_step(path, field)], vec![inst.results[0]])
                };
                varied.map(part).collect()
            }
            Op::Store(path) | Op::Insert(_, path) | Op::Replace(path) => {
                let (place, values) = inst.args.split_at(1 + index_count(path));
                let is_varied = values.iter().any(|value| self.activity.is_varied(*value));
                is_varied.then(|| (path.clone(), place.to_vec())).into_iter().collect()
            }
            Op::Exchange(first, second) => {
                let (left, right) = inst.args.split_at(1 + index_count(first));
                vec![(first.clone(), left.to_vec()), (second.clone(), right.to_vec())]
            }
            Op::Call(call) => {
                let written = call.operands(inst).filter_map(|operand| match operand.passing {
                    Passing::Unique(path) if self.activity.is_varied(operand.args[0]) => {
                        Some((path.clone(), operand.args.to_vec()))
                    }
                    _ => None,
                });
                written.collect()
            }
            _ => Vec::new(),
        }
    }

    /// `assert_eq!` compares its first two operands by their own operator.
    fn proofs_of_assertion(&self, inst: &Inst) -> Vec<Inst> {
        let Op::Macro(call) = &inst.op else { return Vec::new() };
        let is_varied = |args: &[Value]| args.iter().any(|arg| self.activity.is_varied(*arg));
        let operands: Vec<_> = call.operands(&inst.args).take(call.compared).collect();
        if !operands.iter().any(|(_, args)| is_varied(args)) {
            return Vec::new();
        }
        let is_open = |(passing, args): &(&Passing, &[Value])| {
            let ty = self.function.ty(args[0]);
            !is_known(&passing.path().map_or_else(|| ty.clone(), |path| ty.part(path)))
        };
        let open = operands.into_iter().filter(is_open);
        open.map(|(passing, args)| {
            let path = passing.path().cloned();
            proof(Proof::Comparable(path), args.to_vec(), inst.span)
        })
        .collect()
    }
}

fn proof(statement: Proof, args: Vec<Value>, span: Span) -> Inst {
    Inst { op: Op::Proof(Box::new(statement)), args, results: Vec::new(), span }
}

fn reason_of_call(call: &Call) -> Reason {
    match &call.callee {
        Callee::Stopped(_) => Reason::Stopped,
        Callee::Pointer => Reason::Missing(&diag::FUNCTION_POINTER, String::new()),
        Callee::Path(path) if is_primitive_function(path) => {
            Reason::Missing(&diag::UNKNOWN_METHOD, call.callee.name())
        }
        Callee::Path(_) | Callee::Method(_) | Callee::Function => Reason::Callee,
    }
}

/// Whether a function belongs to a primitive type, where nobody can put derivatives beside it.
fn is_primitive_function(path: &syn::ExprPath) -> bool {
    let owner = path.path.segments.iter().rev().nth(1);
    path.qself.is_none() && owner.is_some_and(|owner| is_primitive(&owner.ident))
}

/// Whether a type is the standard library's, with all that is in it.
fn is_known(ty: &Type) -> bool {
    match ty {
        Type::Float(_) | Type::Int | Type::Bool | Type::Text | Type::Never => true,
        Type::Tuple(items) => items.iter().all(is_known),
        Type::Array(item, _)
        | Type::Slice(item)
        | Type::Vec(item)
        | Type::Cell(item)
        | Type::Reference(item, _)
        | Type::Wrapped(item) => is_known(item),
        Type::Constant | Type::Function(..) | Type::Pullback | Type::Unknown => false,
    }
}

/// Finds the texts that only reach what shows them: the value of an `Err`, a message of a macro.
fn shown(body: &Block) -> EntitySet<Value> {
    let mut shown = EntitySet::default();
    loop {
        let before = shown.len();
        let (mut made, mut escaping): (EntitySet<Value>, EntitySet<Value>) = Default::default();
        body.walk(&mut |inst, block| {
            made.extend(&inst.results);
            escaping.extend(&block.results);
            if !shows(&inst.op) && !passes_on_shown(inst, &shown) {
                escaping.extend(&inst.args);
            }
            inst.op.blocks().for_each(|inner| escaping.extend(&inner.results));
        });
        escaping.extend(&body.results);
        shown.extend(made.difference(&escaping));
        if shown.len() == before {
            return shown;
        }
    }
}

/// Whether an operation shows what it is given.
fn shows(op: &Op) -> bool {
    match op {
        Op::Struct { path, .. } => activity::is_error(path),
        Op::Macro(_) => true,
        _ => false,
    }
}

/// Whether an operation makes of its arguments nothing but what is only shown.
fn passes_on_shown(inst: &Inst, shown: &EntitySet<Value>) -> bool {
    let hands_on = match &inst.op {
        Op::Struct { .. } | Op::Tuple | Op::Duplicate | Op::Boxed | Op::Load(_) | Op::Clone(_) => {
            true
        }
        Op::Call(call) => call.passing.iter().all(|passing| *passing == Passing::Value),
        _ => false,
    };
    hands_on && inst.results.iter().all(|result| shown.contains(result))
}

/// Whether an operation may put a value into a place from outside.
fn writes(op: &Op) -> bool {
    matches!(
        op,
        Op::Store(_) | Op::Insert(..) | Op::Replace(_) | Op::Exchange(..) | Op::Touch | Op::Call(_)
    )
}
