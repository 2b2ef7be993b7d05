//! What a reverse derivative keeps between its sweeps, for people.
//!
//! In: a simplified derivative. Out: text that lists the loops of the forward sweep as they are nested, with what an
//! iteration of each pushes on its tape: name, type, bytes, where it comes from and what reads it.
//!
//! For pictures, [`kept`] says of each value of the primal's what it costs.
//!
//! Bytes are those of a 64-bit machine. Integers count as eight, since their type is not known; of what has no known
//! size, such as the pullback of a call, the text says so.

use crate::ir::entity::EntityMap;
use crate::ir::free::Free;
use crate::ir::{Block, BlockId, FloatKind, Function, Inst, Loop, LoopKind, Op, Tape, Type, Value};
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The text for one derivative.
pub fn report(function: &Function) -> String {
    let mut report = Report {
        function,
        defs: EntityMap::default(),
        readers: EntityMap::default(),
        popped: HashMap::default(),
        planned: BTreeSet::new(),
        text: format!("{}\n", function.name),
    };
    report.look(&function.body);
    report.block(&function.body, 1);
    report.text
}

/// Something on a tape.
pub struct Kept {
    /// The value of the primal's that it is, or that it comes from; of what the derivative made itself, there is none.
    pub value: Option<Value>,
    pub name: String,
    /// Its bytes, where they are known.
    pub bytes: Option<usize>,
    /// The same for people.
    pub size: String,
    /// Whether it is what a call leaves for its way back.
    pub is_pullback: bool,
    /// The bodies of the loops that it stands in, the innermost last.
    pub loops: Vec<BlockId>,
}

/// All that a derivative puts on tapes.
pub fn kept(function: &Function) -> Vec<Kept> {
    let mut search =
        Search { function, defs: EntityMap::default(), loops: Vec::new(), found: Vec::new() };
    function.body.walk(&mut |inst, _| {
        search.defs.extend(inst.results.iter().map(|result| (*result, inst)));
    });
    search.block(&function.body);
    search.found
}

struct Search<'f> {
    function: &'f Function,
    defs: EntityMap<Value, &'f Inst>,
    loops: Vec<BlockId>,
    found: Vec<Kept>,
}

impl Search<'_> {
    fn block(&mut self, block: &Block) {
        for inst in &block.insts {
            match &inst.op {
                Op::TapePush(_) => inst.args.iter().for_each(|arg| self.push(*arg)),
                Op::Loop(repeat) => {
                    self.loops.push(repeat.body.id);
                    self.block(&repeat.body);
                    self.loops.pop();
                }
                op => op.blocks().for_each(|inner| self.block(inner)),
            }
        }
    }

    fn push(&mut self, value: Value) {
        let data = self.function.value(value);
        self.found.push(Kept {
            value: self.origin(value),
            name: data.name.clone(),
            bytes: size(&data.ty),
            size: label(&data.ty),
            is_pullback: data.ty.is_pullback(),
            loops: self.loops.clone(),
        });
    }

    /// What a person would say is kept: not the option around it, and the call, not its pullback.
    fn origin(&self, value: Value) -> Option<Value> {
        if value.0 < self.function.primal_values {
            return Some(value);
        }
        let inst = self.defs.get(&value)?;
        match &inst.op {
            Op::CallVjp(_) => Some(inst.results[0]),
            Op::Wrap(true) | Op::Duplicate | Op::Clone(_) | Op::Load(_) => {
                self.origin(inst.args[0])
            }
            Op::If(then, other) => {
                let position = inst.results.iter().position(|result| *result == value)?;
                let arms = [then, other].into_iter();
                arms.map(|arm| arm.results[position]).find_map(|result| self.origin(result))
            }
            _ => None,
        }
    }
}

/// Bytes in short.
fn label(ty: &Type) -> String {
    match (size(ty), ty) {
        (Some(bytes), _) => format!("{bytes} B"),
        (None, Type::Vec(item)) => format!("24 B + {} each", label(item)),
        (None, Type::Wrapped(inner)) => label(inner),
        (None, Type::Pullback) => "pullback".to_owned(),
        (None, Type::Float(FloatKind::Parameter(name))) => name.clone(),
        (None, _) => "? B".to_owned(),
    }
}

struct Report<'f> {
    function: &'f Function,
    defs: EntityMap<Value, &'f Inst>,
    /// What the instructions are that read a value.
    readers: EntityMap<Value, BTreeSet<String>>,
    /// What tapes give, by their position in an entry.
    popped: HashMap<(Tape, usize), Vec<Value>>,
    /// Tapes of which a schedule says what is on them.
    planned: BTreeSet<Tape>,
    text: String,
}

impl<'f> Report<'f> {
    /// Notes definitions and uses.
    fn look(&mut self, body: &'f Block) {
        body.walk(&mut |inst, _| {
            self.defs.extend(inst.results.iter().map(|result| (*result, inst)));
            for (position, arg) in inst.args.iter().enumerate() {
                let reader = self.reader(inst, position);
                self.readers.entry(*arg).or_default().extend(reader);
            }
            match &inst.op {
                Op::TapePop(tape) => {
                    for (position, result) in inst.results.iter().enumerate() {
                        self.popped.entry((*tape, position)).or_default().push(*result);
                    }
                }
                Op::TapePlan(tape, _) => drop(self.planned.insert(*tape)),
                _ => {}
            }
        });
    }

    /// How a person calls what an instruction does with an argument.
    fn reader(&self, inst: &Inst, position: usize) -> Option<String> {
        let is_last = position + 1 == inst.args.len();
        Some(match &inst.op {
            Op::Apply(rule) => format!("`{}`", rule.name),
            Op::Partial(rule, ..) => format!("`{}`", rule.name),
            Op::Pull(call, _) => format!("the way back through `{}`", call.callee.name()),
            Op::If(..) => "a branch".to_owned(),
            Op::Loop(repeat) if position < repeat.bounds() => "a loop's bounds".to_owned(),
            Op::Store(_) if is_last => {
                let name = &self.function.value(inst.results[0]).name;
                format!("`{name}`, which gets it back")
            }
            Op::Load(_) | Op::Store(_) | Op::Accumulate(_) if position > 0 => "an index".to_owned(),
            Op::Call(call) | Op::CallVjp(call) | Op::CallJvp(call) => {
                format!("`{}`", call.callee.name())
            }
            _ => return None,
        })
    }

    fn block(&mut self, block: &'f Block, depth: usize) {
        for inst in &block.insts {
            match &inst.op {
                Op::Loop(repeat) => self.repeat(inst, repeat, depth),
                Op::Closure(body) => self.closure(body, depth),
                op => op.blocks().for_each(|inner| self.block(inner, depth)),
            }
        }
    }

    /// A loop that keeps something, or one of the user's.
    fn repeat(&mut self, inst: &'f Inst, repeat: &'f Loop, depth: usize) {
        let mut pushes = Vec::new();
        pushed(&repeat.body, &mut pushes);
        let is_primal = repeat
            .body
            .params
            .iter()
            .chain(&inst.results)
            .all(|value| value.0 < self.function.primal_values);
        if pushes.is_empty() && !is_primal {
            return self.block(&repeat.body, depth);
        }
        let head = self.head(inst, repeat);
        self.line(depth, &head);
        for push in pushes {
            self.entry(push, depth + 1);
        }
        self.block(&repeat.body, depth + 1);
    }

    fn head(&self, inst: &Inst, repeat: &Loop) -> String {
        let name = |value: Value| self.expression(value);
        match &repeat.kind {
            LoopKind::Range { inclusive, adaptors } => {
                let index = &self.function.value(repeat.body.params[0]).name;
                let dots = if *inclusive { "..=" } else { ".." };
                let mut text =
                    format!("for {index} in {}{dots}{}", name(inst.args[0]), name(inst.args[1]));
                for adaptor in adaptors {
                    match adaptor {
                        crate::ir::Adaptor::Rev => text.push_str(", last first"),
                        crate::ir::Adaptor::StepBy | crate::ir::Adaptor::Strips => {
                            let _ = write!(text, ", by steps of {}", name(inst.args[2]));
                        }
                    }
                }
                text
            }
            LoopKind::Repeat => format!("{} times", name(inst.args[0])),
            LoopKind::While { .. } | LoopKind::Once => "while a condition holds".to_owned(),
        }
    }

    /// A value as it is written, as far as that is short.
    fn expression(&self, value: Value) -> String {
        let name = self.function.value(value).name.clone();
        match self.defs.get(&value).map(|inst| (&inst.op, &inst.args[..])) {
            Some((Op::Literal(literal), _)) => {
                quote::ToTokens::to_token_stream(literal).to_string()
            }
            Some((Op::Measure(method, path), [place])) if path.is_empty() => {
                format!("{}.{method}()", self.function.value(*place).name)
            }
            _ => name,
        }
    }

    /// What an iteration pushes.
    fn entry(&mut self, push: &'f Inst, depth: usize) {
        let Op::TapePush(tape) = push.op else { return };
        let sizes: Vec<Option<usize>> =
            push.args.iter().map(|arg| size(self.function.ty(*arg))).collect();
        let known: usize = sizes.iter().flatten().sum();
        let known = if known > 8 { known.next_multiple_of(8) } else { known };
        let amount = match (known, sizes.contains(&None)) {
            (0, true) => String::new(),
            (_, false) => format!("{known} bytes "),
            (_, true) => format!("{known} bytes and more "),
        };
        let each = match self.planned.contains(&tape) {
            true => "for each state that the schedule keeps",
            false => "an iteration",
        };
        self.line(depth, &format!("keeps {amount}{each}:"));
        for (position, arg) in push.args.iter().enumerate() {
            let line = self.part(tape, position, *arg);
            self.line(depth + 1, &line);
        }
    }

    fn part(&self, tape: Tape, position: usize, value: Value) -> String {
        let data = self.function.value(value);
        let bytes = match (size(&data.ty), &data.ty) {
            (Some(1), _) => ", 1 byte".to_owned(),
            (Some(size), _) => format!(", {size} bytes"),
            (None, Type::Vec(item)) => {
                let each =
                    size(item).map_or_else(String::new, |size| format!(" and {size} an element"));
                format!(", 24 bytes{each}")
            }
            (None, _) => String::new(),
        };
        let mut readers = BTreeSet::new();
        for popped in self.popped.get(&(tape, position)).into_iter().flatten() {
            readers.extend(self.readers.get(popped).into_iter().flatten().cloned());
        }
        let readers: Vec<String> = readers.into_iter().collect();
        let readers = match readers.is_empty() {
            true => String::new(),
            false => format!("; for {}", readers.join(", ")),
        };
        format!("{}: {}{bytes}; {}{readers}", data.name, spelled(&data.ty), self.origin(value))
    }

    /// Where a value comes from, which is why it is not there any more.
    fn origin(&self, value: Value) -> String {
        let Some(inst) = self.defs.get(&value) else {
            return "as the iteration begins".to_owned();
        };
        let place = |position: usize| self.function.value(inst.args[position]).name.clone();
        match &inst.op {
            Op::Load(_) => format!("read from `{}`, which changes", place(0)),
            Op::Clone(_) => format!("a copy of `{}`, which changes", place(0)),
            Op::Apply(rule) => format!("the result of `{}`", rule.name),
            Op::CallVjp(call) if *self.function.ty(value) == Type::Pullback => {
                format!("the pullback of `{}`", call.callee.name())
            }
            Op::Call(call) | Op::CallVjp(call) | Op::CallJvp(call) => {
                format!("the result of `{}`", call.callee.name())
            }
            Op::If(..) => "the result of a branch".to_owned(),
            Op::Loop(_) => "the result of a loop".to_owned(),
            Op::Binary(_) | Op::Proved(_) | Op::Not | Op::Matches(..) => "a condition".to_owned(),
            _ => "computed".to_owned(),
        }
    }

    /// What a pullback holds besides its tapes, and what its own sweep keeps.
    fn closure(&mut self, body: &'f Block, depth: usize) {
        let is_literal = |value: &Value| {
            self.defs.get(value).is_some_and(|inst| matches!(inst.op, Op::Literal(_)))
        };
        let held: Vec<Value> =
            Free::in_block(body).values.into_iter().filter(|value| !is_literal(value)).collect();
        if !held.is_empty() {
            self.line(depth, "the pullback holds:");
        }
        for value in held {
            let data = self.function.value(value);
            let line = format!("{}: {}; {}", data.name, spelled(&data.ty), self.origin(value));
            let line = line.replace("as the iteration begins", "an argument");
            self.line(depth + 1, &line);
        }
        let (length, head) = (self.text.len(), "on the way back:");
        self.line(depth, head);
        let begun = self.text.len();
        self.block(body, depth + 1);
        if self.text.len() == begun {
            self.text.truncate(length);
        }
    }

    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "    ".repeat(depth));
    }
}

/// What a body pushes itself, and not by loops inside.
fn pushed<'f>(body: &'f Block, pushes: &mut Vec<&'f Inst>) {
    for inst in &body.insts {
        match &inst.op {
            Op::TapePush(_) => pushes.push(inst),
            Op::If(then, other) => [then, other].into_iter().for_each(|arm| pushed(arm, pushes)),
            _ => {}
        }
    }
}

/// The bytes of a type, as far as they are known.
fn size(ty: &Type) -> Option<usize> {
    Some(match ty {
        Type::Float(FloatKind::F32) => 4,
        Type::Float(FloatKind::F64 | FloatKind::Literal) | Type::Int => 8,
        Type::Bool => 1,
        Type::Tuple(items) => items.iter().map(size).sum::<Option<usize>>()?,
        Type::Array(item, length) => size(item)? * length.parse::<usize>().ok()?,
        _ => return None,
    })
}

fn spelled(ty: &Type) -> String {
    match ty {
        Type::Float(FloatKind::F32) => "f32".to_owned(),
        Type::Float(FloatKind::F64) => "f64".to_owned(),
        Type::Float(FloatKind::Literal) => "a float".to_owned(),
        Type::Float(FloatKind::Parameter(name)) => name.clone(),
        Type::Int => "an integer".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Tuple(items) => {
            format!("({})", items.iter().map(spelled).collect::<Vec<_>>().join(", "))
        }
        Type::Array(item, length) => format!("[{}; {length}]", spelled(item)),
        Type::Slice(item) => format!("[{}]", spelled(item)),
        Type::Vec(item) => format!("Vec<{}>", spelled(item)),
        Type::Wrapped(inner) => format!("Option<{}>", spelled(inner)),
        Type::Pullback => "a pullback".to_owned(),
        _ => "a type of the program's".to_owned(),
    }
}
