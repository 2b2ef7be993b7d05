//! Operations as a person would write them in Rust.
//!
//! In: an instruction, and what its operands are called. Out: one line of text. Operands that have no node of their own
//! are written into it.

use crate::ir::{Adaptor, MacroArgument, Projection, Value, index_count};
use crate::ir::{Block, Call, Callee, End, Ends, Inst, Loop, LoopKind, Op, Passing, Path};
use quote::ToTokens;

/// What operands are called.
pub trait Names {
    /// The name of a value's node.
    fn name(&mut self, value: Value) -> String;

    /// The instruction that is written where its result is used.
    fn inlined(&self, value: Value) -> Option<Inst>;
}

/// Writes with such names.
pub struct Spelling<'n>(pub &'n mut dyn Names);

impl Spelling<'_> {
    /// A value by its name, or what stands in its place.
    pub fn value(&mut self, value: Value) -> String {
        match self.0.inlined(value) {
            Some(inst) => self.operation(&inst),
            None => self.0.name(value),
        }
    }

    fn values(&mut self, values: &[Value]) -> String {
        let each: Vec<String> = values.iter().map(|value| self.value(*value)).collect();
        each.join(", ")
    }

    /// As an operand of an operator or a receiver.
    fn operand(&mut self, value: Value) -> String {
        let text = self.value(value);
        let is_compound = self.0.inlined(value).is_some_and(|inst| is_compound(&inst.op));
        if is_compound { format!("({text})") } else { text }
    }

    /// What an instruction does.
    pub fn operation(&mut self, inst: &Inst) -> String {
        let args = &inst.args[..];
        match &inst.op {
            Op::Literal(literal) => tokens(literal),
            Op::Item(path) => tokens(path),
            Op::BorrowItem(path) => format!("&{}", tokens(path)),
            Op::Apply(rule) => self.rule(rule.name, args),
            Op::Binary(op) => self.infix(&tokens(op), args),
            Op::Not => format!("!{}", self.operand(args[0])),
            Op::Method(name) => self.method(&name.to_string(), args),
            Op::Cast(ty) | Op::Convert(ty) => {
                format!("{} as {}", self.operand(args[0]), tokens(&**ty))
            }
            Op::CastLike => format!("{} as float", self.operand(args[0])),
            Op::DebugAssertions => "cfg!(debug_assertions)".to_owned(),
            Op::Load(path) => self.place(args, path),
            Op::Clone(path) => format!("{}.clone()", self.place(args, path)),
            Op::Measure(name, path) => {
                let behind = &args[1 + index_count(path)..];
                let rest = self.values(behind);
                format!("{}.{name}({rest})", self.place(args, path))
            }
            Op::Matches(pattern, path) => {
                format!("matches!({}, {})", self.place(args, path), tokens(&**pattern))
            }
            Op::Call(call) => self.call(call, args),
            Op::Macro(call) => self.macro_call(&tokens(&call.path), &call.arguments, args),
            _ => self.write(inst),
        }
    }

    /// What makes places, or changes them.
    fn write(&mut self, inst: &Inst) -> String {
        let args = &inst.args[..];
        match &inst.op {
            Op::Store(path) => {
                let (value, place) = (self.last(args), self.place(args, path));
                format!("{place} = {value}")
            }
            Op::Accumulate(path) => {
                let (value, place) = (self.last(args), self.place(args, path));
                format!("{place} += {value}")
            }
            Op::Insert(end, path) => {
                let place = self.place(args, path);
                let given = self.values(&args[1 + index_count(path)..]);
                format!("{place}.{}({given})", insertion(*end))
            }
            Op::Remove(end, path) => {
                let place = self.place(args, path);
                let at = self.values(&args[1 + index_count(path)..]);
                format!("{place}.{}({at})", removal(*end))
            }
            Op::Replace(path) => {
                let (value, place) = (self.last(args), self.place(args, path));
                format!("mem::replace(&mut {place}, {value})")
            }
            Op::Exchange(a, b) => {
                let rest = &args[1 + index_count(a)..];
                let (a, b) = (self.place(args, a), self.place(rest, b));
                format!("mem::swap(&mut {a}, &mut {b})")
            }
            _ => self.aggregate(inst),
        }
    }

    /// What is put together.
    fn aggregate(&mut self, inst: &Inst) -> String {
        let list = self.values(&inst.args);
        match &inst.op {
            Op::Tuple if inst.args.len() == 1 => format!("({list},)"),
            Op::Tuple => format!("({list})"),
            Op::Array => format!("[{list}]"),
            Op::ArrayRepeat(length) => format!("[{list}; {}]", tokens(&**length)),
            Op::VecList => format!("vec![{list}]"),
            Op::VecRepeat => format!("vec![{}]", list.replace(", ", "; ")),
            Op::VecNew(path) => format!("{}({list})", tokens(path)),
            Op::Struct { path, .. } => format!("{} {{ {list} }}", tokens(&**path)),
            Op::Boxed => format!("Box::new({list})"),
            Op::SplitError => list,
            Op::Wrap(true) => format!("Some({list})"),
            Op::Wrap(false) => "None".to_owned(),
            Op::Unwrap => format!("{list}.unwrap()"),
            Op::Undefined => "not set".to_owned(),
            Op::Destructure | Op::Duplicate => list,
            Op::Touch => "another handle may have written".to_owned(),
            Op::Proof(proof) => format!("{list}: {}", proof.name()),
            Op::Proved(op) => self.operation(&Inst { op: (**op).clone(), ..inst.clone() }),
            _ => list,
        }
    }

    fn last(&mut self, args: &[Value]) -> String {
        self.value(*args.last().expect("a value that is written"))
    }

    fn rule(&mut self, name: &str, args: &[Value]) -> String {
        let operator = match name {
            "add" => "+",
            "sub" => "-",
            "mul" => "*",
            "div" => "/",
            "rem" => "%",
            "neg" => return format!("-{}", self.operand(args[0])),
            _ => return self.method(name, args),
        };
        self.infix(operator, args)
    }

    fn infix(&mut self, operator: &str, args: &[Value]) -> String {
        format!("{} {operator} {}", self.operand(args[0]), self.operand(args[1]))
    }

    fn method(&mut self, name: &str, args: &[Value]) -> String {
        let (receiver, rest) = (self.operand(args[0]), self.values(&args[1..]));
        format!("{receiver}.{name}({rest})")
    }

    /// The part of a place that a path leads to.
    fn place(&mut self, args: &[Value], path: &Path) -> String {
        let mut text = self.value(args[0]);
        let mut indices = args[1..].iter().copied();
        for step in path {
            let at: Vec<Value> = indices.by_ref().take(step.indices()).collect();
            text = self.step(text, step, &at);
        }
        text
    }

    fn step(&mut self, inner: String, step: &Projection, at: &[Value]) -> String {
        match step {
            Projection::Index => format!("{inner}[{}]", self.value(at[0])),
            Projection::Key => format!("{inner}[&{}]", self.value(at[0])),
            Projection::Range(ends) => format!("{inner}[{}]", self.range(*ends, at)),
            Projection::Field(name) | Projection::Variant(_, name) => format!("{inner}.{name}"),
            Projection::Deref => format!("*{inner}"),
            Projection::Borrowed => format!("{inner}.borrow()"),
            Projection::Unwrap(method, _) => format!("{inner}.{method}()"),
        }
    }

    fn range(&mut self, ends: Ends, at: &[Value]) -> String {
        let mut at = at.iter();
        let mut end = |is_written: bool| {
            let value = if is_written { at.next() } else { None };
            value.map_or_else(String::new, |value| self.value(*value))
        };
        let (start, stop) = (end(ends.start), end(ends.end));
        format!("{start}{}{stop}", if ends.inclusive { "..=" } else { ".." })
    }

    fn call(&mut self, call: &Call, args: &[Value]) -> String {
        let mut operands = Vec::new();
        let mut rest = args;
        for passing in &call.passing {
            let (own, others) = rest.split_at(passing.width());
            operands.push(self.passed(passing, own));
            rest = others;
        }
        let first = operands.first().map_or("", |first| first.trim_start_matches("&mut "));
        let first = first.trim_start_matches('&').to_owned();
        match &call.callee {
            Callee::Path(path) | Callee::Stopped(path) => {
                format!("{}({})", tokens(path), operands.join(", "))
            }
            Callee::Method(name) => format!("{first}.{name}({})", operands[1..].join(", ")),
            Callee::Function | Callee::Pointer => format!("{first}({})", operands[1..].join(", ")),
        }
    }

    fn passed(&mut self, passing: &Passing, args: &[Value]) -> String {
        match passing {
            Passing::Value => self.value(args[0]),
            Passing::Shared(path) | Passing::Interior(path) => {
                format!("&{}", self.place(args, path))
            }
            Passing::Unique(path) => format!("&mut {}", self.place(args, path)),
        }
    }

    fn macro_call(&mut self, name: &str, arguments: &[MacroArgument], args: &[Value]) -> String {
        let mut rest = args;
        let mut texts = Vec::new();
        for argument in arguments {
            texts.push(match argument {
                MacroArgument::Tokens(text) => tokens(text),
                MacroArgument::Operand(_, passing) => {
                    let (own, others) = rest.split_at(passing.width());
                    rest = others;
                    self.passed(passing, own)
                }
            });
        }
        format!("{name}!({})", texts.join(", "))
    }

    /// The head of a loop.
    pub fn head(&mut self, repeat: &Loop, args: &[Value]) -> String {
        match &repeat.kind {
            LoopKind::Range { inclusive, adaptors } => {
                let index = self.0.name(repeat.body.params[0]);
                let dots = if *inclusive { "..=" } else { ".." };
                let (start, end) = (self.operand(args[0]), self.operand(args[1]));
                let bare = format!("{start}{dots}{end}");
                let range = if adaptors.is_empty() { bare } else { format!("({bare})") };
                let behind: String = adaptors.iter().map(|one| self.adaptor(*one, args)).collect();
                format!("for {index} in {range}{behind}")
            }
            LoopKind::Repeat => format!("{} times", self.value(args[0])),
            LoopKind::While { condition } => self.condition(condition),
            LoopKind::Once => "once more on the way back".to_owned(),
        }
    }

    fn adaptor(&mut self, adaptor: Adaptor, args: &[Value]) -> String {
        match adaptor {
            Adaptor::Rev => ".rev()".to_owned(),
            Adaptor::StepBy | Adaptor::Strips => format!(".step_by({})", self.value(args[2])),
        }
    }

    /// The condition of a `while`, whose instructions have no nodes.
    fn condition(&mut self, condition: &Block) -> String {
        match condition.results.first() {
            Some(result) => match self.value(*result).as_str() {
                "true" => "loop".to_owned(),
                text => format!("while {text}"),
            },
            None => "loop".to_owned(),
        }
    }
}

/// Whether an operation needs parentheses as an operand.
fn is_compound(op: &Op) -> bool {
    match op {
        Op::Apply(rule) => matches!(rule.name, "add" | "sub" | "mul" | "div" | "rem" | "neg"),
        Op::Binary(_) | Op::Cast(_) | Op::Convert(_) | Op::CastLike | Op::Not => true,
        _ => false,
    }
}

fn insertion(end: End) -> &'static str {
    match end {
        End::Last => "push",
        End::Back => "push_back",
        End::Front => "push_front",
        End::At | End::Key => "insert",
    }
}

fn removal(end: End) -> &'static str {
    match end {
        End::Last => "pop",
        End::Back => "pop_back",
        End::Front => "pop_front",
        End::At | End::Key => "remove",
    }
}

/// Tokens as they would be written.
fn tokens(of: &impl ToTokens) -> String {
    let text = of.to_token_stream().to_string();
    [(" :: ", "::"), (":: ", "::"), (" <", "<"), ("< ", "<"), (" >", ">"), (" (", "("), (" ,", ",")]
        .iter()
        .fold(text, |text, (long, short)| text.replace(long, short))
}
