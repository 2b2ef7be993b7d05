//! Whether two functions are the same.
//!
//! In: a function before and after a pass. Out: whether they have the same text, without writing it. What has no cheaper
//! comparison is compared by its text.

use super::{Block, Function, Inst, Loop, LoopKind, Op, Value, print};

/// Whether two functions are the same, spans and names left out.
pub fn is_same(a: &Function, b: &Function) -> bool {
    let same = Same(a, b);
    a.outputs == b.outputs
        && a.tapes == b.tapes
        && a.active == b.active
        && a.lent == b.lent
        && a.backwards == b.backwards
        && same.blocks(&a.body, &b.body)
}

/// The functions that are compared.
struct Same<'f>(&'f Function, &'f Function);

impl Same<'_> {
    fn blocks(&self, a: &Block, b: &Block) -> bool {
        a.insts.len() == b.insts.len()
            && a.results == b.results
            && self.definitions(&a.params, &b.params)
            && a.insts.iter().zip(&b.insts).all(|(a, b)| self.insts(a, b))
    }

    fn insts(&self, a: &Inst, b: &Inst) -> bool {
        let inner = a.op.blocks().into_iter().zip(b.op.blocks());
        a.args == b.args
            && self.definitions(&a.results, &b.results)
            && operations(&a.op, &b.op)
            && inner.into_iter().all(|(a, b)| self.blocks(a, b))
    }

    fn definitions(&self, a: &[Value], b: &[Value]) -> bool {
        let is_same = |value: &Value| {
            let (a, b) = (self.0.value(*value), self.1.value(*value));
            a.slot == b.slot && a.ty == b.ty
        };
        a == b && a.iter().all(is_same)
    }
}

/// Whether two operations are the same but for their blocks.
fn operations(a: &Op, b: &Op) -> bool {
    match (a, b) {
        (Op::Literal(a), Op::Literal(b)) => a == b,
        (Op::Apply(a), Op::Apply(b)) => std::ptr::eq(*a, *b),
        (Op::Binary(a), Op::Binary(b)) => a == b,
        (Op::Load(a), Op::Load(b))
        | (Op::Store(a), Op::Store(b))
        | (Op::Accumulate(a), Op::Accumulate(b))
        | (Op::Replace(a), Op::Replace(b))
        | (Op::Clone(a), Op::Clone(b))
        | (Op::Zero(a), Op::Zero(b)) => a == b,
        (Op::Insert(a, path), Op::Insert(b, other))
        | (Op::Remove(a, path), Op::Remove(b, other)) => a == b && path == other,
        (Op::Exchange(a, b), Op::Exchange(c, d)) => a == c && b == d,
        (Op::Measure(a, path), Op::Measure(b, other)) => a == b && path == other,
        (Op::Method(a), Op::Method(b)) => a == b,
        (Op::ArrayRepeat(a), Op::ArrayRepeat(b)) => a == b,
        (Op::TapePush(a), Op::TapePush(b)) | (Op::TapePop(a), Op::TapePop(b)) => a == b,
        (Op::Loop(a), Op::Loop(b)) => loops(a, b),
        _ if std::mem::discriminant(a) != std::mem::discriminant(b) => false,
        (
            Op::If(..)
            | Op::Closure(_)
            | Op::Sum
            | Op::Total
            | Op::One
            | Op::Undefined
            | Op::Tuple
            | Op::Array
            | Op::VecRepeat
            | Op::Duplicate
            | Op::Destructure,
            _,
        ) => true,
        _ => print::operation(a) == print::operation(b),
    }
}

fn loops(a: &Loop, b: &Loop) -> bool {
    let is_same_kind = match (&a.kind, &b.kind) {
        (
            LoopKind::Range { inclusive: a, adaptors },
            LoopKind::Range { inclusive: b, adaptors: others },
        ) => a == b && adaptors == others,
        (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
    };
    is_same_kind && a.schedule == b.schedule && a.breaks == b.breaks
}
