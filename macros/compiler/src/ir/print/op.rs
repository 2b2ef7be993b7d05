//! Operations as text: the name, and what belongs to it beside its arguments.

use super::call::{called, passed};
use super::{Printer, joined, name, rooted, spelled, steps};
use crate::ir::{
    Adaptor, End, Form, Loop, LoopKind, MacroArgument, MacroCall, Mode, Op, OwnCall, Proof,
    Schedule,
};

impl Printer<'_> {
    pub(super) fn op(&mut self, op: &Op) {
        match op {
            Op::Proof(proof) => self.proof(proof),
            Op::Proved(op) => {
                self.text.push_str("proved ");
                self.op(op);
            }
            Op::Call(call) => self.call("call", call),
            Op::CallVjp(call) => self.call("vjp", call),
            Op::CallJvp(call) => self.call("jvp", call),
            Op::Pull(call, shadows) => {
                self.call("pull", call);
                self.text.push_str(&format!(" shadows({})", joined(shadows, rooted)));
            }
            Op::Own(call) => self.own(call),
            Op::TapeReserve(tape, kind) => self.of_loop(&format!("reserve tape{} ", tape.0), kind),
            Op::TapePlan(tape, kind) => self.of_loop(&format!("plan tape{} ", tape.0), kind),
            Op::Trips(kind) => self.of_loop("trips ", kind),
            Op::Nth(kind) => self.of_loop("nth ", kind),
            Op::Loop(repeat) => self.repeat(repeat),
            other => {
                let text = of_place(other).or_else(|| of_tape(other));
                self.text.push_str(&text.unwrap_or_else(|| of_value(other)));
            }
        }
    }

    /// The blocks that stand behind the arguments.
    pub(super) fn blocks(&mut self, op: &Op) {
        let between = if matches!(op, Op::Loop(_)) { " do " } else { " else " };
        for (index, block) in op.blocks().enumerate() {
            self.text.push_str(if index == 0 { " " } else { between });
            self.block(block);
        }
    }

    fn repeat(&mut self, repeat: &Loop) {
        self.of_loop("", &repeat.kind);
        if repeat.breaks {
            self.text.push_str(" breaks");
        }
        if let Some(schedule) = repeat.schedule {
            self.text.push_str(&format!(" schedule {}", schedule_name(schedule)));
        }
    }

    /// Something about a kind of loops.
    fn of_loop(&mut self, before: &str, kind: &LoopKind) {
        self.text.push_str(before);
        match kind {
            LoopKind::Range { inclusive, adaptors } => {
                self.text.push_str(if *inclusive { "for=" } else { "for" });
                adaptors.iter().for_each(|adaptor| self.text.push_str(adaptor_name(*adaptor)));
            }
            LoopKind::Repeat => self.text.push_str("repeat"),
            // The condition stands behind the arguments.
            LoopKind::While { .. } => self.text.push_str("while"),
            LoopKind::Once => self.text.push_str("once"),
        }
    }

    fn proof(&mut self, proof: &Proof) {
        let text = match proof {
            Proof::NoCells(path) => format!("prove no_cells{}", steps(path)),
            Proof::Derivative(call, mode) => {
                return self.call(&format!("prove derivative {}", mode_name(*mode)), call);
            }
            Proof::Comparable(Some(path)) => format!("prove comparable {}", rooted(path)),
            Proof::Comparable(None) => "prove comparable".to_owned(),
            Proof::Row(rule) => format!("prove row {}", rule.name),
            Proof::Writable(path) => format!("prove writable{}", steps(path)),
            Proof::Tangent => "prove tangent".to_owned(),
        };
        self.text.push_str(&text);
    }

    fn own(&mut self, call: &OwnCall) {
        let half = call.half.name(1);
        let text = format!("own{}({}) returns {}", &half[1..], passed(&call.passed), call.returned);
        self.text.push_str(&text);
        if let Some(open) = &call.open {
            self.text.push_str(" or { ");
            self.op(&open.op);
            let operands = joined(&open.operands, usize::to_string);
            self.text.push_str(&format!(" }} [{operands}]"));
        }
    }
}

/// An operation on a place.
fn of_place(op: &Op) -> Option<String> {
    Some(match op {
        Op::Load(path) => format!("load{}", steps(path)),
        Op::Store(path) => format!("store{}", steps(path)),
        Op::Accumulate(path) => format!("accumulate{}", steps(path)),
        Op::AccumulatePartial(rule, index) => format!("accumulate_partial {} {index}", rule.name),
        Op::Unread(operand, a, b) => format!("unread {operand} ({}, {})", rooted(a), rooted(b)),
        Op::Rejoin(path) => format!("rejoin{}", steps(path)),
        Op::Insert(end, path) => format!("insert {}{}", end_name(*end), steps(path)),
        Op::Remove(end, path) => format!("remove {}{}", end_name(*end), steps(path)),
        Op::Replace(path) => format!("replace{}", steps(path)),
        Op::Exchange(a, b) => format!("exchange({}, {})", rooted(a), rooted(b)),
        Op::Matches(pattern, path) => format!("matches ({}) {}", spelled(pattern), steps(path)),
        Op::Measure(method, path) => format!("measure {method}{}", steps(path)),
        Op::Conform(Some(layers)) => format!("conform {layers}"),
        Op::Zero(path) => format!("zero{}", steps(path)),
        Op::Cleared(path) => format!("cleared{}", steps(path)),
        Op::Clone(path) => format!("clone{}", steps(path)),
        _ => return None,
    })
}

/// An operation on a tape or a witness.
fn of_tape(op: &Op) -> Option<String> {
    Some(match op {
        Op::Attest(witness) => format!("attest type{}", witness.0),
        Op::StandIn(witness) => format!("stand_in type{}", witness.0),
        Op::TapePush(tape) => format!("push tape{}", tape.0),
        Op::TapePop(tape) => format!("pop tape{}", tape.0),
        Op::TapeSave(tape) => format!("save tape{}", tape.0),
        Op::TapeRestore(tape) => format!("restore tape{}", tape.0),
        Op::TapeKeeps(tape) => format!("keeps tape{}", tape.0),
        Op::TapeRewind(tape) => format!("rewind tape{}", tape.0),
        _ => return None,
    })
}

/// An operation that makes a value of others.
fn of_value(op: &Op) -> String {
    match op {
        Op::Literal(literal) => spelled(literal),
        Op::Item(path) => format!("item {}", spelled(path)),
        Op::BorrowItem(path) => format!("borrow {}", spelled(path)),
        Op::Apply(rule) => rule.name.to_owned(),
        Op::Partial(rule, index, mode) => {
            format!("partial {} {index} {}", rule.name, mode_name(*mode))
        }
        Op::Binary(op) => spelled(op),
        Op::Method(method) => format!(".{method}"),
        Op::Cast(ty) => format!("as {}", spelled(ty)),
        Op::Convert(ty) => format!("into {}", spelled(ty)),
        Op::CastPartial(mode) => format!("cast_partial {}", mode_name(*mode)),
        Op::ArrayRepeat(len) => format!("array_repeat({})", spelled(len)),
        Op::Struct { path, fields, form } => {
            let rest = (*form == Form::Update).then(|| "..".to_owned());
            let fields = joined(fields.iter().cloned().chain(rest), |field| field);
            format!("struct {} {{ {fields} }}", spelled(path))
        }
        Op::VecNew(path) => format!("vec_new {}", spelled(path)),
        Op::Watch(watch) => format!("watch {:?} {} {}", watch.rule, watch.primals, watch.given),
        Op::Macro(call) => macro_text(call),
        Op::Stride(schedule) => format!("stride {}", schedule_name(*schedule)),
        other => plain(other).to_owned(),
    }
}

/// The operations of which nothing but the name is to be written.
fn plain(op: &Op) -> &'static str {
    let found = PLAIN
        .iter()
        .find(|(_, make)| std::mem::discriminant(&make()) == std::mem::discriminant(op));
    match (op, found) {
        (Op::Wrap(true), _) => "some",
        (Op::If(..), _) => "if",
        (Op::Closure(_), _) => "closure",
        (_, Some((name, _))) => name,
        (_, None) => unreachable!("an operation that has a name only"),
    }
}

/// Makes an operation that has nothing but a name.
pub(in crate::ir) type Make = fn() -> Op;

/// The operations that have nothing but a name.
pub(in crate::ir) const PLAIN: [(&str, Make); 25] = [
    ("not", || Op::Not),
    ("as_like", || Op::CastLike),
    ("tuple", || Op::Tuple),
    ("destructure", || Op::Destructure),
    ("debug_assertions", || Op::DebugAssertions),
    ("array", || Op::Array),
    ("vec", || Op::VecList),
    ("vec_repeat", || Op::VecRepeat),
    ("duplicate", || Op::Duplicate),
    ("box", || Op::Boxed),
    ("split_error", || Op::SplitError),
    ("enclose", || Op::Enclose),
    ("touch", || Op::Touch),
    ("conform", || Op::Conform(None)),
    ("detached", || Op::Detached),
    ("linear", || Op::Linear),
    ("sum", || Op::Sum),
    ("total", || Op::Total),
    ("one", || Op::One),
    ("no_tangent", || Op::NoTangent),
    ("undefined", || Op::Undefined),
    ("none", || Op::Wrap(false)),
    ("some", || Op::Wrap(true)),
    ("unwrap", || Op::Unwrap),
    ("unwrap_or", || Op::UnwrapOr),
];

pub(in crate::ir) fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Forward => "forward",
        Mode::Reverse => "reverse",
    }
}

pub(in crate::ir) fn end_name(end: End) -> &'static str {
    match end {
        End::Last => "last",
        End::Back => "back",
        End::Front => "front",
        End::At => "at",
        End::Key => "key",
    }
}

pub(in crate::ir) fn schedule_name(schedule: Schedule) -> &'static str {
    match schedule {
        Schedule::Root => "root",
        Schedule::Every => "every",
        Schedule::Snapshots => "snapshots",
    }
}

fn adaptor_name(adaptor: Adaptor) -> &'static str {
    match adaptor {
        Adaptor::Rev => ".rev",
        Adaptor::StepBy => ".step_by",
        Adaptor::Strips => ".strips",
    }
}

fn macro_text(call: &MacroCall) -> String {
    let arguments = joined(&call.arguments, |argument| match argument {
        MacroArgument::Tokens(tokens) => format!("{{ {} }}", spelled(tokens)),
        MacroArgument::Operand(None, passing) => passed(std::slice::from_ref(passing)),
        MacroArgument::Operand(Some(known), passing) => {
            format!("{} = {}", name(&known.to_string()), passed(std::slice::from_ref(passing)))
        }
    });
    format!("macro {} {} [{arguments}]", spelled(&call.path), call.compared)
}

/// The callee and the operands of a call, without what it is given.
pub(super) fn head(word: &str, call: &crate::ir::Call) -> String {
    format!("{word} {}", called(call))
}
