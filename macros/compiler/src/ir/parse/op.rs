//! Operations from their names, and what belongs to them beside their arguments.

use super::{
    Reader, all, any_word, eat, name, number, numbered, parenthesised, path, peek_word, rooted,
    word,
};
use crate::ir::print::{PLAIN, end_name, mode_name, schedule_name};
use crate::ir::{
    Adaptor, Block, BlockId, End, Form, Half, Loop, LoopKind, Mode, Op, OpenCall, OwnCall, Proof,
    STRONG, Schedule, Tape, Watch, Witness,
};
use cotangent_rules::Rule;
use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, discouraged::Speculative};
use syn::{Result, Token, braced, bracketed, parenthesized};

impl Reader {
    pub(super) fn op(&mut self, input: ParseStream) -> Result<Op> {
        if input.parse::<Option<Token![.]>>()?.is_some() {
            return Ok(Op::Method(any_word(input)?));
        }
        let literal = input.fork();
        if let Ok(lit) = literal.parse::<syn::Lit>() {
            input.advance_to(&literal);
            return Ok(Op::Literal(lit));
        }
        if !input.peek(Ident::peek_any) {
            return Ok(Op::Binary(input.parse()?));
        }
        let word = any_word(input)?;
        let text = word.to_string();
        if let Some((_, make)) = PLAIN.iter().find(|(name, _)| text == *name) {
            // `conform` may have a number behind it.
            return Ok(match make() {
                Op::Conform(_) if input.peek(syn::LitInt) => Op::Conform(Some(number(input)?)),
                op => op,
            });
        }
        let op = match Self::control(&text, input)? {
            Some(op) => Some(op),
            None => match self.composed(&text, input)? {
                Some(op) => Some(op),
                None => simple(&text, input)?,
            },
        };
        op.or_else(|| find_rule(&text).map(Op::Apply))
            .ok_or_else(|| syn::Error::new(word.span(), format!("no operation is named `{text}`")))
    }

    /// What has blocks, which are read behind the arguments.
    fn control(text: &str, input: ParseStream) -> Result<Option<Op>> {
        Ok(Some(match text {
            "if" => Op::If(Box::new(nothing()), Box::new(nothing())),
            "closure" => Op::Closure(Box::new(nothing())),
            "for" | "repeat" | "while" | "once" => {
                let kind = loop_kind(text, input)?;
                let breaks = eat(input, "breaks");
                let schedule = eat(input, "schedule").then(|| schedule(input)).transpose()?;
                Op::Loop(Box::new(Loop { kind, schedule, breaks, body: nothing() }))
            }
            _ => return Ok(None),
        }))
    }

    /// What other operations, calls or kinds of loops are parts of.
    fn composed(&mut self, text: &str, input: ParseStream) -> Result<Option<Op>> {
        Ok(Some(match text {
            "proved" => Op::Proved(Box::new(self.op(input)?)),
            "prove" => Op::Proof(Box::new(self.proof(input)?)),
            "call" => Op::Call(Box::new(self.call(input)?)),
            "vjp" => Op::CallVjp(Box::new(self.call(input)?)),
            "jvp" => Op::CallJvp(Box::new(self.call(input)?)),
            "pull" => {
                let call = Box::new(self.call(input)?);
                word(input, "shadows")?;
                let inner;
                parenthesized!(inner in input);
                Op::Pull(call, all(&inner, rooted)?)
            }
            "own_sweep" => Op::Own(Box::new(self.own(Half::Sweep, input)?)),
            "own_unwind" => Op::Own(Box::new(self.own(Half::Unwind, input)?)),
            "reserve" => Op::TapeReserve(tape(input)?, of_loop(input)?),
            "plan" => Op::TapePlan(tape(input)?, of_loop(input)?),
            "trips" => Op::Trips(of_loop(input)?),
            "nth" => Op::Nth(of_loop(input)?),
            _ => return Ok(None),
        }))
    }

    fn proof(&mut self, input: ParseStream) -> Result<Proof> {
        let word = any_word(input)?;
        Ok(match word.to_string().as_str() {
            "no_cells" => Proof::NoCells(path(input)?),
            "derivative" => {
                let mode = mode(input)?;
                Proof::Derivative(Box::new(self.call(input)?), mode)
            }
            "comparable" => {
                Proof::Comparable(input.peek(Token![_]).then(|| rooted(input)).transpose()?)
            }
            "row" => Proof::Row(rule(input)?),
            "writable" => Proof::Writable(path(input)?),
            "tangent" => Proof::Tangent,
            _ => return Err(syn::Error::new(word.span(), "something to prove")),
        })
    }

    fn own(&mut self, half: Half, input: ParseStream) -> Result<OwnCall> {
        let passed = self.passed(input)?;
        word(input, "returns")?;
        let returned = number(input)?;
        let open = eat(input, "or").then(|| self.open(input)).transpose()?;
        Ok(OwnCall { half, passed, returned, open })
    }

    fn open(&mut self, input: ParseStream) -> Result<OpenCall> {
        let inner;
        braced!(inner in input);
        let op = self.op(&inner)?;
        let operands;
        bracketed!(operands in input);
        Ok(OpenCall { op, operands: all(&operands, number)? })
    }
}

fn of_loop(input: ParseStream) -> Result<Box<LoopKind>> {
    let text = any_word(input)?.to_string();
    loop_kind(&text, input).map(Box::new)
}

fn loop_kind(text: &str, input: ParseStream) -> Result<LoopKind> {
    Ok(match text {
        "for" => {
            let inclusive = input.parse::<Option<Token![=]>>()?.is_some();
            let mut adaptors = Vec::new();
            while input.parse::<Option<Token![.]>>()?.is_some() {
                adaptors.push(adaptor(input)?);
            }
            LoopKind::Range { inclusive, adaptors }
        }
        "repeat" => LoopKind::Repeat,
        "once" => LoopKind::Once,
        "while" => LoopKind::While { condition: nothing() },
        _ => return Err(input.error("a kind of loops")),
    })
}

/// What is made of its own words alone.
fn simple(text: &str, input: ParseStream) -> Result<Option<Op>> {
    Ok(Some(match text {
        "item" => Op::Item(input.parse()?),
        "borrow" => Op::BorrowItem(input.parse()?),
        "partial" => {
            let rule = rule(input)?;
            Op::Partial(rule, number(input)?, mode(input)?)
        }
        "as" => Op::Cast(input.parse()?),
        "into" => Op::Convert(input.parse()?),
        "cast_partial" => Op::CastPartial(mode(input)?),
        "array_repeat" => Op::ArrayRepeat(parenthesised(input)?),
        "struct" => structure(input)?,
        "vec_new" => Op::VecNew(input.parse()?),
        "load" => Op::Load(path(input)?),
        "store" => Op::Store(path(input)?),
        "accumulate" => Op::Accumulate(path(input)?),
        "accumulate_partial" => Op::AccumulatePartial(rule(input)?, number(input)?),
        "rejoin" => Op::Rejoin(path(input)?),
        "replace" => Op::Replace(path(input)?),
        "zero" => Op::Zero(path(input)?),
        "cleared" => Op::Cleared(path(input)?),
        "clone" => Op::Clone(path(input)?),
        "insert" => Op::Insert(collection_end(input)?, path(input)?),
        "remove" => Op::Remove(collection_end(input)?, path(input)?),
        "measure" => Op::Measure(any_word(input)?, path(input)?),
        "matches" => {
            let inner;
            parenthesized!(inner in input);
            Op::Matches(Box::new(syn::Pat::parse_multi(&inner)?), path(input)?)
        }
        "unread" => {
            let operand = number(input)?;
            let [a, b] = pair(input)?;
            Op::Unread(operand, a, b)
        }
        "exchange" => {
            let [a, b] = pair(input)?;
            Op::Exchange(a, b)
        }
        "watch" => {
            let rule = name(input)?;
            let (primals, given) = (number(input)?, number(input)?);
            Op::Watch(Box::new(Watch { rule, primals, given }))
        }
        "macro" => Op::Macro(Box::new(super::call::macro_call(input)?)),
        "attest" => Op::Attest(Witness(of_name(input, "type")?)),
        "stand_in" => Op::StandIn(Witness(of_name(input, "type")?)),
        "push" => Op::TapePush(tape(input)?),
        "pop" => Op::TapePop(tape(input)?),
        "save" => Op::TapeSave(tape(input)?),
        "restore" => Op::TapeRestore(tape(input)?),
        "keeps" => Op::TapeKeeps(tape(input)?),
        "rewind" => Op::TapeRewind(tape(input)?),
        "stride" => Op::Stride(schedule(input)?),
        _ => return Ok(None),
    }))
}

/// A block that is read later.
fn nothing() -> Block {
    Block { id: BlockId(0), params: Vec::new(), insts: Vec::new(), results: Vec::new() }
}

fn structure(input: ParseStream) -> Result<Op> {
    let mut form = Form::Fields;
    let path = Box::new(input.parse()?);
    let inner;
    braced!(inner in input);
    let mut fields = Vec::new();
    while !inner.is_empty() {
        if inner.parse::<Option<Token![..]>>()?.is_some() {
            form = Form::Update;
        } else if inner.peek(syn::LitInt) {
            fields.push(number::<usize>(&inner)?.to_string());
        } else {
            fields.push(any_word(&inner)?.to_string());
        }
        super::comma(&inner)?;
    }
    Ok(Op::Struct { path, fields, form })
}

fn pair(input: ParseStream) -> Result<[super::Path; 2]> {
    let inner;
    parenthesized!(inner in input);
    let paths = all(&inner, rooted)?;
    paths.try_into().map_err(|_| input.error("two paths"))
}

/// A row of the table, or the strong product.
pub(super) fn find_rule(name: &str) -> Option<&'static Rule> {
    if name == STRONG.name { Some(&STRONG) } else { cotangent_rules::find(name) }
}

fn rule(input: ParseStream) -> Result<&'static Rule> {
    let word = any_word(input)?;
    find_rule(&word.to_string()).ok_or_else(|| syn::Error::new(word.span(), "a row of the table"))
}

/// One of several words.
fn choice<T: Copy>(input: ParseStream, all: &[T], name: fn(T) -> &'static str) -> Result<T> {
    let found = all.iter().find(|one| peek_word(input, name(**one)));
    let found = found.ok_or_else(|| input.error("another word"))?;
    any_word(input)?;
    Ok(*found)
}

fn mode(input: ParseStream) -> Result<Mode> {
    choice(input, &[Mode::Forward, Mode::Reverse], mode_name)
}

fn schedule(input: ParseStream) -> Result<Schedule> {
    choice(input, &[Schedule::Root, Schedule::Every, Schedule::Snapshots], schedule_name)
}

fn collection_end(input: ParseStream) -> Result<End> {
    choice(input, &[End::Last, End::Back, End::Front, End::At, End::Key], end_name)
}

fn adaptor(input: ParseStream) -> Result<Adaptor> {
    let word = any_word(input)?;
    match word.to_string().as_str() {
        "rev" => Ok(Adaptor::Rev),
        "step_by" => Ok(Adaptor::StepBy),
        "strips" => Ok(Adaptor::Strips),
        _ => Err(syn::Error::new(word.span(), "what may stand behind a range")),
    }
}

fn tape(input: ParseStream) -> Result<Tape> {
    of_name(input, "tape").map(Tape)
}

/// A word that is a prefix and a number.
fn of_name(input: ParseStream, prefix: &str) -> Result<u32> {
    let word = any_word(input)?;
    numbered(&word.to_string(), prefix)
        .ok_or_else(|| syn::Error::new(word.span(), format!("`{prefix}` and a number")))
}
