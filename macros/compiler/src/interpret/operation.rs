//! What each operation does that has no block.

use super::data::{Datum, length};
use super::fault::{Fault, Run};
use super::machine::{Frame, Machine, indices};
use super::partials;
use super::rows;
use crate::ir::{End, FloatKind, Form, Inst, Op, Path, Type, Value, index_count, times};
use cotangent_rules::{Cost, Rule};
use quote::ToTokens;
use std::rc::Rc;

/// Tokens without white space.
pub(super) fn text(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string().replace(' ', "")
}

impl Machine<'_> {
    pub fn operation(&mut self, frame: &mut Frame, inst: &Inst) -> Run<()> {
        match &inst.op {
            Op::If(..) | Op::Loop(_) => Err(Fault::Broken("a block by itself".to_owned())),
            Op::Store(_)
            | Op::Accumulate(_)
            | Op::Rejoin(_)
            | Op::AccumulatePartial(..)
            | Op::Insert(..)
            | Op::Remove(..)
            | Op::Replace(_)
            | Op::Exchange(..)
            | Op::Touch
            | Op::Conform(_) => self.write(frame, inst),
            Op::TapePush(_)
            | Op::TapePop(_)
            | Op::TapeSave(_)
            | Op::TapeRestore(_)
            | Op::TapeReserve(..)
            | Op::TapePlan(..)
            | Op::TapeKeeps(_)
            | Op::TapeRewind(_) => self.tape(frame, inst),
            Op::Call(call) => self.call(frame, inst, call),
            Op::CallVjp(call) => self.call_vjp(frame, inst, call),
            Op::CallJvp(call) => self.call_jvp(frame, inst, call),
            Op::Pull(call, shadows) => self.pull(frame, inst, call, shadows),
            Op::Destructure => {
                let whole = frame.read(inst.args[0])?;
                let Datum::Tuple(parts) = whole else {
                    return Err(Fault::Broken(format!("{whole:?} is no tuple")));
                };
                inst.results
                    .iter()
                    .zip(parts)
                    .for_each(|(result, part)| frame.define(*result, part));
                Ok(())
            }
            Op::Macro(_) => Err(Fault::Unsupported(super::shown(&inst.op))),
            // Statements for rustc, and checks of debug mode.
            Op::Proof(_) | Op::Watch(_) | Op::Attest(_) => Ok(()),
            _ => {
                let datum = self.value(frame, inst)?;
                if let (Datum::List(_), Type::Vec(_)) = (&datum, frame.function.ty(inst.results[0]))
                {
                    self.costs.allocations += 1;
                }
                frame.define(inst.results[0], datum);
                Ok(())
            }
        }
    }

    /// What an operation with one result makes.
    fn value(&mut self, frame: &mut Frame, inst: &Inst) -> Run<Datum> {
        let function = Rc::clone(&frame.function);
        let ty = function.ty(inst.results[0]);
        match &inst.op {
            Op::Literal(literal) => of_literal(literal, ty),
            Op::Item(path) => rows::item(&text(path)),
            Op::Apply(rule) => {
                let args = frame.read_all(&inst.args)?;
                self.row(rule, &args)
            }
            // Backwards as forwards it is the product with a direction.
            Op::Partial(rule, index, _) => {
                let args = frame.read_all(&inst.args)?;
                self.partial(rule, *index, &args)
            }
            Op::Binary(op) => {
                rows::binary(operator(op), frame.look(inst.args[0])?, frame.look(inst.args[1])?)
            }
            Op::Proved(op) => {
                let inner = Inst { op: (**op).clone(), ..inst.clone() };
                self.value(frame, &inner)
            }
            Op::Not => not(frame.look(inst.args[0])?),
            Op::Method(name) => rows::method(&name.to_string(), &frame.read_all(&inst.args)?),
            Op::Cast(_) | Op::Convert(_) | Op::CastLike | Op::CastPartial(_) => cast(frame, inst),
            Op::Load(path) | Op::Clone(path) => read_part(frame, &inst.args, path),
            Op::Zero(_) if inst.args.is_empty() => Datum::zero_of(ty),
            Op::Zero(path) | Op::Cleared(path) => Ok(read_part(frame, &inst.args, path)?.zero()),
            // Nobody reads it: a zero in the shape of one of the two operands.
            Op::Unread(position, a, b) => {
                let (first, second) = inst.args.split_at(1 + index_count(a));
                let (args, path) = if *position == 0 { (first, a) } else { (second, b) };
                Ok(read_part(frame, args, path)?.zero())
            }
            Op::Measure(name, path) => {
                measure(&name.to_string(), &read_part(frame, &inst.args, path)?)
            }
            Op::Matches(pattern, path) => matches(pattern, &read_part(frame, &inst.args, path)?),
            Op::Sum => {
                let mut sum = frame.read(inst.args[0])?;
                sum.add(frame.look(inst.args[1])?)?;
                self.costs.sums += 1;
                Ok(sum)
            }
            Op::Total => self.total(frame, inst, ty),
            Op::One => Ok(match ty {
                Type::Float(FloatKind::F32) => Datum::Single(1.0),
                _ => Datum::Double(1.0),
            }),
            Op::NoTangent => Datum::no_tangent_of(ty),
            Op::DebugAssertions => Ok(Datum::Bool(true)),
            Op::Undefined | Op::StandIn(_) => Ok(Datum::Undefined),
            Op::Linear | Op::Detached | Op::Duplicate | Op::Boxed => frame.read(inst.args[0]),
            Op::Trips(_) | Op::Nth(_) | Op::Stride(_) => count(frame, inst),
            Op::Closure(body) => self.closure(frame, body),
            _ => construct(frame, inst),
        }
    }

    pub fn row(&mut self, rule: &Rule, args: &[Datum]) -> Run<Datum> {
        if args.iter().all(|arg| matches!(arg, Datum::Double(_) | Datum::Single(_))) {
            *match rule.cost {
                Cost::Sum => &mut self.costs.sums,
                Cost::Cheap => &mut self.costs.cheap,
                Cost::Division => &mut self.costs.divisions,
                Cost::Call => &mut self.costs.calls,
            } += 1;
        }
        let result = rows::row(rule.name, args)?;
        if let Datum::Double(number) = result {
            self.largest = self.largest.max(number.abs());
        }
        Ok(result)
    }

    fn total(&mut self, frame: &Frame, inst: &Inst, ty: &Type) -> Run<Datum> {
        let mut total = match inst.args.get(1) {
            Some(zero) => frame.read(*zero)?,
            None => Datum::zero_of(ty)?,
        };
        let mut items = frame.read(inst.args[0])?;
        let items = items.items()?;
        self.costs.sums += items.len() as u64;
        items.iter().try_for_each(|item| total.add(item))?;
        Ok(total)
    }

    /// A partial derivative times a direction, by the row's text, or what the forward transform makes of that.
    fn partial(&mut self, rule: &'static Rule, index: usize, args: &[Datum]) -> Run<Datum> {
        let times = times(rule, args.len());
        if matches!(args[args.len() - times], Datum::NoTangent) {
            return Ok(Datum::NoTangent);
        }
        let function = partials::function(rule, index, args, times);
        let mut frame = Frame::new(Rc::clone(&function));
        let params = function.body.params.iter().zip(args);
        params.for_each(|(param, arg)| frame.define(*param, arg.clone()));
        self.insts(&mut frame, &function.body)?;
        frame.read(function.body.results[times - 1])
    }

    fn write(&mut self, frame: &mut Frame, inst: &Inst) -> Run<()> {
        match &inst.op {
            Op::Store(path) => {
                let value = frame.read(inst.args[1 + index_count(path)])?;
                self.update(frame, inst, path, &mut |part| {
                    part.clone_from(&value);
                    Ok(())
                })
            }
            Op::Accumulate(path) | Op::Rejoin(path) => {
                let value = frame.read(inst.args[1 + index_count(path)])?;
                self.costs.sums += 1;
                self.update(frame, inst, path, &mut |part| part.add(&value))
            }
            Op::AccumulatePartial(rule, index) => {
                let args = frame.read_all(&inst.args[1..])?;
                let added = self.partial(rule, *index, &args)?;
                self.update(frame, inst, &Vec::new(), &mut |part| part.add(&added))
            }
            Op::Insert(end, path) => self.insert(frame, inst, *end, path),
            Op::Remove(end, path) => self.remove(frame, inst, *end, path),
            Op::Replace(path) => {
                let value = frame.read(inst.args[1 + index_count(path)])?;
                let old = self.update(frame, inst, path, &mut |part| {
                    Ok(std::mem::replace(part, value.clone()))
                })?;
                frame.define(inst.results[1], old);
                Ok(())
            }
            Op::Exchange(a, b) => self.exchange(frame, inst, a, b),
            Op::Touch => self.update(frame, inst, &Vec::new(), &mut |_| Ok(())),
            Op::Conform(_) => {
                let zero = frame.look(inst.args[1])?.zero();
                self.update(frame, inst, &Vec::new(), &mut |part| {
                    if !same_shape(part, &zero) {
                        part.clone_from(&zero);
                    }
                    Ok(())
                })
            }
            _ => Err(broken("no write")),
        }
    }

    /// Changes a part of a place: its version is the first argument, the next one the first result.
    pub fn update<R>(
        &mut self,
        frame: &mut Frame,
        inst: &Inst,
        path: &Path,
        run: &mut dyn FnMut(&mut Datum) -> Run<R>,
    ) -> Run<R> {
        let (old, next) = (inst.args[0], inst.results[0]);
        let indices = frame.read_all(&inst.args[1..=index_count(path)])?;
        let mut datum = frame.take(old, next)?;
        let result = datum.at(path, &indices, run)?;
        frame.define(next, datum);
        Ok(result)
    }

    fn insert(&mut self, frame: &mut Frame, inst: &Inst, end: End, path: &Path) -> Run<()> {
        let rest = frame.read_all(&inst.args[1 + index_count(path)..])?;
        self.update(frame, inst, path, &mut |part| {
            let items = part.items()?;
            match end {
                End::Last | End::Back => items.push(rest[0].clone()),
                End::Front => items.insert(0, rest[0].clone()),
                End::At => {
                    let at = rest[0].integer()?;
                    if !(0..=items.len() as i64).contains(&at) {
                        return Err(Fault::Panic(format!("an insertion at {at}")));
                    }
                    items.insert(at as usize, rest[1].clone());
                }
                End::Key => return Err(Fault::Unsupported("maps".to_owned())),
            }
            Ok(())
        })
    }

    fn remove(&mut self, frame: &mut Frame, inst: &Inst, end: End, path: &Path) -> Run<()> {
        let rest = frame.read_all(&inst.args[1 + index_count(path)..])?;
        let taken = self.update(frame, inst, path, &mut |part| {
            let items = part.items()?;
            let at = match end {
                End::Last | End::Back => items.len() as i64 - 1,
                End::Front => 0,
                End::At => rest[0].integer()?,
                End::Key => return Err(Fault::Unsupported("maps".to_owned())),
            };
            match (0..items.len() as i64).contains(&at) {
                true => Ok(items.remove(at as usize)),
                false => Err(Fault::Panic("an element to take out".to_owned())),
            }
        })?;
        frame.define(inst.results[1], taken);
        Ok(())
    }

    fn exchange(&mut self, frame: &mut Frame, inst: &Inst, a: &Path, b: &Path) -> Run<()> {
        let (first, second) = inst.args.split_at(1 + index_count(a));
        let (left, right) = (read_part(frame, first, a)?, read_part(frame, second, b)?);
        for (args, path, datum) in [(first, a, right), (second, b, left)] {
            let slot = frame.slot(args[0]);
            let indices = frame.read_all(&args[1..])?;
            let next = inst.results.iter().copied().find(|result| frame.slot(*result) == slot);
            let next = next.ok_or_else(|| broken("an exchange without a next version"))?;
            // Of one place with two parts, the second is written into what the first write left.
            let old = if frame.look(args[0]).is_ok() { args[0] } else { next };
            let mut whole = frame.take(old, next)?;
            whole.at(path, &indices, &mut |part| {
                part.clone_from(&datum);
                Ok(())
            })?;
            frame.define(next, whole);
        }
        Ok(())
    }

    fn tape(&mut self, frame: &mut Frame, inst: &Inst) -> Run<()> {
        match &inst.op {
            Op::TapePush(tape) => {
                let entry = frame.read_all(&inst.args)?;
                self.push(frame, *tape, entry);
            }
            Op::TapePop(tape) => {
                let entry = frame.pop(*tape, inst.results.len())?;
                inst.results
                    .iter()
                    .zip(entry)
                    .for_each(|(result, part)| frame.define(*result, part));
            }
            Op::TapeSave(tape) => {
                let mut place = frame.read(inst.args[0])?;
                let items = place.items()?;
                let part = saved(frame, inst, items.len())?;
                for item in &items[part] {
                    self.push(frame, *tape, vec![item.clone()]);
                }
            }
            Op::TapeRestore(tape) => {
                let len = frame.read(inst.args[0])?.items()?.len();
                let part = saved(frame, inst, len)?;
                let entries: Vec<Datum> =
                    part.clone().map(|_| Ok(frame.pop(*tape, 1)?.remove(0))).collect::<Run<_>>()?;
                self.update(frame, inst, &Vec::new(), &mut |place| {
                    let items = place.items()?;
                    part.clone()
                        .rev()
                        .zip(&entries)
                        .for_each(|(at, entry)| items[at].clone_from(entry));
                    Ok(())
                })?;
            }
            Op::TapeReserve(..) => {}
            other => return Err(Fault::Unsupported(format!("{:?}", super::shown(other)))),
        }
        Ok(())
    }
}

/// The elements that are put on a tape: none where the end is not behind the start.
fn saved(frame: &Frame, inst: &Inst, len: usize) -> Run<std::ops::Range<usize>> {
    let (start, end) = (frame.look(inst.args[1])?.integer()?, frame.look(inst.args[2])?.integer()?);
    match (usize::try_from(start), usize::try_from(end)) {
        _ if end <= start => Ok(0..0),
        (Ok(start), Ok(end)) => Ok(start.min(len)..end.min(len)),
        _ => Err(broken("a part of a place that begins before it")),
    }
}

pub(super) fn broken(text: &str) -> Fault {
    Fault::Broken(text.to_owned())
}

fn not(value: &Datum) -> Run<Datum> {
    match value {
        Datum::Bool(holds) => Ok(Datum::Bool(!holds)),
        Datum::Integer(number) => Ok(Datum::Integer(!number)),
        other => Err(Fault::Broken(format!("`!` of {other:?}"))),
    }
}

fn same_shape(a: &Datum, b: &Datum) -> bool {
    let (mut a, mut b) = (a.clone(), b.clone());
    a = a.zero();
    b = b.zero();
    a.is_identical(&b)
}

/// Converts a number.
fn cast(frame: &mut Frame, inst: &Inst) -> Run<Datum> {
    let given = frame.look(inst.args[0])?;
    match &inst.op {
        Op::Cast(ty) | Op::Convert(ty) => rows::cast(&text(ty), given),
        Op::CastPartial(_) => match given {
            Datum::Integer(_) | Datum::Bool(_) => Ok(Datum::NoTangent),
            _ => frame.read(inst.args[2]),
        },
        _ => match frame.look(inst.args[1])? {
            Datum::Single(_) => rows::cast("f32", frame.look(inst.args[0])?),
            _ => rows::cast("f64", frame.look(inst.args[0])?),
        },
    }
}

/// Counts iterations: all of them, the index of one, or those between two states that are kept.
fn count(frame: &mut Frame, inst: &Inst) -> Run<Datum> {
    let given = frame.read_all(&inst.args)?;
    let number = match &inst.op {
        Op::Trips(kind) => indices(kind, &given)?.count() as i64,
        Op::Nth(kind) => {
            let (number, bounds) = given.split_last().ok_or_else(|| broken("`nth` of nothing"))?;
            let number = usize::try_from(number.integer()?).unwrap_or(usize::MAX);
            let index = indices(kind, bounds)?.nth(number);
            index.ok_or_else(|| Fault::Panic("no such iteration".to_owned()))?
        }
        Op::Stride(schedule) => {
            let given = given[0].integer()?;
            let stride = if schedule.is_given() { given } else { given.max(0).isqrt() };
            stride.max(1)
        }
        _ => return Err(broken("something else is counted")),
    };
    Ok(Datum::Integer(number))
}

/// A copy of a part of a place or of a value: the operand is followed by the indices.
pub(super) fn read_part(frame: &Frame, args: &[Value], path: &Path) -> Run<Datum> {
    let indices = frame.read_all(&args[1..=index_count(path)])?;
    frame.look(args[0])?.part(path, &indices)
}

fn construct(frame: &mut Frame, inst: &Inst) -> Run<Datum> {
    let args = frame.read_all(&inst.args)?;
    Ok(match &inst.op {
        Op::Tuple => Datum::Tuple(args),
        Op::Array | Op::VecList => Datum::List(args),
        Op::ArrayRepeat(len) => Datum::List(vec![args[0].clone(); length(&text(len))?]),
        Op::VecRepeat => match usize::try_from(args[1].integer()?) {
            Ok(len) if len < 1 << 20 => Datum::List(vec![args[0].clone(); len]),
            _ => return Err(Fault::Panic("capacity overflow".to_owned())),
        },
        Op::VecNew(_) => Datum::List(Vec::new()),
        Op::Struct { path, fields, form } => {
            let mut whole: Vec<(String, Datum)> =
                fields.iter().cloned().zip(args.iter().cloned()).collect();
            if let (Form::Update, Some(Datum::Struct(_, base))) = (form, args.last()) {
                let others = base.iter().filter(|(name, _)| !fields.contains(name));
                whole.extend(others.cloned());
            }
            Datum::Struct(text(path), whole)
        }
        Op::Wrap(true) => Datum::Option(Some(Box::new(args[0].clone()))),
        Op::Wrap(false) => Datum::Option(None),
        Op::Unwrap => match &args[0] {
            Datum::Option(Some(held)) => (**held).clone(),
            Datum::Option(None) => return Err(broken("a residual is unwrapped that is not there")),
            other => return Err(Fault::Broken(format!("{other:?} is unwrapped"))),
        },
        Op::UnwrapOr => match &args[0] {
            Datum::Option(Some(held)) => (**held).clone(),
            _ => args[1].clone(),
        },
        other => return Err(Fault::Unsupported(super::shown(other))),
    })
}

fn of_literal(literal: &syn::Lit, ty: &Type) -> Run<Datum> {
    let unsupported = || Fault::Unsupported(format!("the literal `{}`", text(literal)));
    Ok(match literal {
        syn::Lit::Bool(holds) => Datum::Bool(holds.value),
        syn::Lit::Str(text) => Datum::Text(text.value()),
        syn::Lit::Int(number) if ty.is_float() => {
            of_float(number.base10_digits(), number.suffix(), ty).ok_or_else(unsupported)?
        }
        syn::Lit::Int(number) if matches!(number.suffix(), "f32" | "f64") => {
            of_float(number.base10_digits(), number.suffix(), ty).ok_or_else(unsupported)?
        }
        syn::Lit::Int(number) => Datum::Integer(number.base10_parse().map_err(|_| unsupported())?),
        syn::Lit::Float(number) => {
            of_float(number.base10_digits(), number.suffix(), ty).ok_or_else(unsupported)?
        }
        _ => return Err(unsupported()),
    })
}

fn of_float(digits: &str, suffix: &str, ty: &Type) -> Option<Datum> {
    let is_single = suffix == "f32" || (suffix.is_empty() && *ty == Type::Float(FloatKind::F32));
    match is_single {
        true => digits.parse().ok().map(Datum::Single),
        false => digits.parse().ok().map(Datum::Double),
    }
}

fn measure(name: &str, place: &Datum) -> Run<Datum> {
    match (name, place) {
        ("len", Datum::List(items)) => Ok(Datum::Integer(items.len() as i64)),
        ("is_empty", Datum::List(items)) => Ok(Datum::Bool(items.is_empty())),
        ("is_some", Datum::Option(held)) => Ok(Datum::Bool(held.is_some())),
        ("is_none", Datum::Option(held)) => Ok(Datum::Bool(held.is_none())),
        (crate::lower::ZERO_TANGENT, place) => Ok(place.zero()),
        (name, place) => rows::method(name, std::slice::from_ref(place)),
    }
}

/// An operator as it is spelled.
fn operator(op: &syn::BinOp) -> &'static str {
    match op {
        syn::BinOp::Lt(_) => "<",
        syn::BinOp::Le(_) => "<=",
        syn::BinOp::Gt(_) => ">",
        syn::BinOp::Ge(_) => ">=",
        syn::BinOp::Eq(_) => "==",
        syn::BinOp::Ne(_) => "!=",
        syn::BinOp::And(_) => "&&",
        syn::BinOp::Or(_) => "||",
        syn::BinOp::BitAnd(_) => "&",
        syn::BinOp::BitOr(_) => "|",
        syn::BinOp::BitXor(_) => "^",
        syn::BinOp::Shl(_) => "<<",
        syn::BinOp::Shr(_) => ">>",
        syn::BinOp::Add(_) => "+",
        syn::BinOp::Sub(_) => "-",
        syn::BinOp::Mul(_) => "*",
        syn::BinOp::Div(_) => "/",
        syn::BinOp::Rem(_) => "%",
        _ => "an operator that assigns",
    }
}

/// Whether a value fits a pattern without names.
fn matches(pattern: &syn::Pat, value: &Datum) -> Run<Datum> {
    let unsupported = || Fault::Unsupported(format!("the pattern `{}`", text(pattern)));
    let fits = match (pattern, value) {
        (syn::Pat::Wild(_), _) => true,
        (syn::Pat::Or(or), value) => {
            let mut any = false;
            for case in &or.cases {
                any |= matches(case, value)?.bool()?;
            }
            any
        }
        (syn::Pat::TupleStruct(variant), Datum::Option(held)) if variant.path.is_ident("Some") => {
            match (held, variant.elems.first()) {
                (Some(held), Some(inner)) => return matches(inner, held),
                _ => false,
            }
        }
        (syn::Pat::Ident(name), Datum::Option(held)) if name.ident == "None" => held.is_none(),
        (syn::Pat::Lit(literal), value) => {
            let other = of_literal(&literal.lit, &Type::Unknown)?;
            return rows::binary("==", value, &other);
        }
        _ => return Err(unsupported()),
    };
    Ok(Datum::Bool(fits))
}
