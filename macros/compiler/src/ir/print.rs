//! The text form of a function, for snapshots and for people.
//!
//! Block parameters stand in parentheses, results before `=`, what a block yields behind `yield`.

use super::{
    Adaptor, Block, Call, Callee, Function, Inst, LoopKind, Op, Passing, Path, Projection, Proof,
    Value,
};
use quote::ToTokens;
use std::fmt::{self, Display, Write};

impl Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        let printer = Printer { function: self };
        write!(text, "fn {}({}) ", self.name, printer.typed(&self.body.params))?;
        printer.block(&mut text, &self.body, 1, "return")?;
        f.write_str(&text)
    }
}

struct Printer<'f> {
    function: &'f Function,
}

impl Printer<'_> {
    /// Values with their names and slots, for definitions.
    fn typed(&self, values: &[Value]) -> String {
        let one = |value: &Value| {
            let data = self.function.value(*value);
            match data.slot {
                Some(slot) => format!("{value}: {} @{}", data.name, slot.0),
                None => format!("{value}: {}", data.name),
            }
        };
        values.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    fn block(&self, text: &mut String, block: &Block, depth: usize, exit: &str) -> fmt::Result {
        writeln!(text, "{{")?;
        for inst in &block.insts {
            indent(text, depth);
            self.inst(text, inst, depth)?;
        }
        indent(text, depth);
        writeln!(text, "{exit} {}", list(&block.results))?;
        indent(text, depth - 1);
        text.push('}');
        Ok(())
    }

    fn inst(&self, text: &mut String, inst: &Inst, depth: usize) -> fmt::Result {
        if !inst.results.is_empty() {
            write!(text, "{} = ", self.typed(&inst.results))?;
        }
        write!(text, "{}", mnemonic(&inst.op))?;
        if !inst.args.is_empty() {
            write!(text, " {}", list(&inst.args))?;
        }
        for (index, block) in inst.op.blocks().into_iter().enumerate() {
            text.push_str(if index == 0 { " " } else { " else " });
            if !block.params.is_empty() {
                write!(text, "({}) ", self.typed(&block.params))?;
            }
            self.block(text, block, depth + 1, "yield")?;
        }
        text.push('\n');
        Ok(())
    }
}

fn indent(text: &mut String, depth: usize) {
    (0..depth).for_each(|_| text.push_str("    "));
}

fn list(values: &[Value]) -> String {
    values.iter().map(Value::to_string).collect::<Vec<_>>().join(", ")
}

fn steps(path: &Path) -> String {
    let step = |step: &Projection| match step {
        Projection::Index => "[]".to_owned(),
        Projection::Range(_) => "[..]".to_owned(),
        Projection::Key => "[&]".to_owned(),
        Projection::Field(name) => format!(".{name}"),
        Projection::Variant(path, field) => format!(".{}.{field}", path.to_token_stream()),
        Projection::Deref => ".*".to_owned(),
        Projection::Borrowed => ".borrow()".to_owned(),
        Projection::Unwrap(method, _) => format!(".{method}()"),
    };
    path.iter().map(step).collect()
}

fn passed(passing: &[Passing]) -> String {
    let one = |passing: &Passing| match passing {
        Passing::Value => "value".to_owned(),
        Passing::Shared(path) => format!("&{}", steps(path)),
        Passing::Unique(path) => format!("&mut{}", steps(path)),
        Passing::Interior(path) => format!("&cells{}", steps(path)),
    };
    passing.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn mnemonic(op: &Op) -> String {
    match op {
        Op::Literal(literal) => literal.to_token_stream().to_string(),
        Op::Item(path) => format!("item {}", path.to_token_stream()),
        Op::BorrowItem(path) => format!("&{}", path.to_token_stream()),
        Op::Matches(pattern, path) => {
            format!("{} matches {}", steps(path), pattern.to_token_stream())
        }
        Op::Cleared(path) => format!("cleared{}", steps(path)),
        Op::Struct { path, fields, .. } => {
            format!("{} {{ {} }}", path.to_token_stream(), fields.join(", "))
        }
        Op::Apply(rule) => rule.name.to_owned(),
        Op::Partial(rule, index, mode) => format!("{}.{mode:?}.{index}", rule.name),
        Op::Binary(op) => op.to_token_stream().to_string(),
        Op::Method(name) => format!(".{name}"),
        Op::Measure(name, path) => format!("{}.{name}", steps(path)),
        Op::Cast(ty) => format!("as {}", ty.to_token_stream()),
        Op::CastPartial(mode) => format!("as.{mode:?}"),
        Op::ArrayRepeat(len) => format!("array; {}", len.to_token_stream()),
        Op::VecNew(path) => path.to_token_stream().to_string(),
        Op::Load(path) => format!("load{}", steps(path)),
        Op::Clone(path) => format!("clone{}", steps(path)),
        Op::Store(path) => format!("store{}", steps(path)),
        Op::Accumulate(path) => format!("accumulate{}", steps(path)),
        Op::AccumulatePartial(rule, index) => format!("accumulate {}.Reverse.{index}", rule.name),
        Op::Unread(operand, ..) => format!("unread.{operand}"),
        Op::Rejoin(path) => format!("rejoin{}", steps(path)),
        Op::Watch(watch) => format!("watch {}", watch.rule),
        Op::Proof(proof) => format!("prove {}", proved(proof)),
        Op::Proved(op) => format!("proved {}", mnemonic(op)),
        Op::Insert(end, path) => format!("insert {end:?}{}", steps(path)),
        Op::Remove(end, path) => format!("remove {end:?}{}", steps(path)),
        Op::Replace(path) => format!("replace{}", steps(path)),
        Op::Exchange(a, b) => format!("exchange{},{}", steps(a), steps(b)),
        Op::Call(call) => format!("call {}", called(call)),
        Op::CallVjp(call) => format!("vjp {}", called(call)),
        Op::CallJvp(call) => format!("jvp {}", called(call)),
        Op::Own(call) => {
            format!("{}({})", call.half.name(1).trim_start_matches('_'), passed(&call.passed))
        }
        Op::Macro(call) => format!("{}!", call.path.to_token_stream()),
        Op::TapePush(tape) => format!("push tape{}", tape.0),
        Op::TapePop(tape) => format!("pop tape{}", tape.0),
        Op::TapeSave(tape) => format!("save tape{}", tape.0),
        Op::TapeRestore(tape) => format!("restore tape{}", tape.0),
        Op::TapePlan(tape, _) => format!("plan tape{}", tape.0),
        Op::TapeKeeps(tape) => format!("keeps tape{}", tape.0),
        Op::TapeRewind(tape) => format!("rewind tape{}", tape.0),
        Op::TapeReserve(tape, _) => format!("reserve tape{}", tape.0),
        Op::Attest(witness) => format!("attest type{}", witness.0),
        Op::StandIn(witness) => format!("of type{}", witness.0),
        Op::Loop(repeat) => loop_mnemonic(&repeat.kind, repeat.breaks),
        op => plain_mnemonic(op).to_owned(),
    }
}

fn called(call: &Call) -> String {
    format!("{}({})", named(&call.callee), passed(&call.passing))
}

fn proved(proof: &Proof) -> String {
    match proof {
        Proof::NoCells(path) => format!("{}{}", proof.name(), steps(path)),
        Proof::Derivative(call, _) => format!("{} of {}", proof.name(), named(&call.callee)),
        Proof::Row(rule) => format!("{} `{}`", proof.name(), rule.name),
        Proof::Comparable(_) | Proof::Tangent => proof.name().to_owned(),
    }
}

fn named(callee: &Callee) -> String {
    match callee {
        Callee::Path(path) | Callee::Stopped(path) => path.to_token_stream().to_string(),
        Callee::Method(name) => format!(".{name}"),
        Callee::Function | Callee::Pointer => "function".to_owned(),
    }
}

fn loop_mnemonic(kind: &LoopKind, breaks: bool) -> String {
    let base = match kind {
        LoopKind::Range { inclusive, adaptors } => {
            let adaptors: String = adaptors
                .iter()
                .map(|adaptor| match adaptor {
                    Adaptor::Rev => ".rev",
                    Adaptor::StepBy => ".step_by",
                    Adaptor::Strips => ".strips",
                })
                .collect();
            format!("for{}{adaptors}", if *inclusive { "=" } else { "" })
        }
        LoopKind::Repeat => "repeat".to_owned(),
        LoopKind::While { .. } => "while".to_owned(),
        LoopKind::Once => "once".to_owned(),
    };
    if breaks { format!("{base} breaks") } else { base }
}

fn plain_mnemonic(op: &Op) -> &'static str {
    match op {
        Op::Not => "not",
        Op::Detached => "detached",
        Op::Linear => "linear",
        Op::CastLike => "as like",
        Op::Tuple => "tuple",
        Op::Destructure => "destructure",
        Op::DebugAssertions => "debug_assertions",
        Op::Array => "array",
        Op::VecList => "vec",
        Op::VecRepeat => "vec;",
        Op::Duplicate => "duplicate",
        Op::Boxed => "box",
        Op::Enclose => "enclose",
        Op::Conform(_) => "conform",
        Op::Touch => "touch",
        Op::Pull(..) => "pull",
        Op::Sum => "sum",
        Op::Zero(_) => "zero",
        Op::Total => "total",
        Op::One => "one",
        Op::NoTangent => "no_tangent",
        Op::Trips(_) => "trips",
        Op::Stride(_) => "stride",
        Op::Nth(_) => "nth",
        Op::Undefined => "undefined",
        Op::Wrap(true) => "some",
        Op::Wrap(false) => "none",
        Op::Unwrap => "unwrap",
        Op::UnwrapOr => "unwrap or",
        Op::If(..) => "if",
        Op::Closure(_) => "closure",
        _ => "?",
    }
}
