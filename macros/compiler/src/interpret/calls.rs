//! Calls of functions that the program has, of their derivatives, and of pullbacks.
//!
//! A call passes a shadow or a tangent for each operand, since a caller does not know which parameters of the callee are
//! active. The callee has those of active ones: what is passed for others comes back as it was.

use super::data::{Datum, Pullback};
use super::fault::{Fault, Run};
use super::machine::{Frame, Machine};
use super::operation::{broken, read_part, text};
use crate::ir::free::Free;
use crate::ir::{Access, Block, Call, Callee, Function, Inst, Passing, Path, Value, index_count};
use crate::pipeline::Kind;
use std::rc::Rc;

/// So many calls may be under way at once.
const DEEPEST: usize = 64;

/// An operand that is passed: what it is, and where it goes back to.
struct Passed<'i> {
    args: &'i [Value],
    path: Path,
    datum: Datum,
    /// The version that the call leaves.
    next: Option<Value>,
}

/// A parameter of a derivative with its tangents.
struct Group {
    params: Vec<Value>,
    is_active: bool,
    is_reference: bool,
}

impl Machine<'_> {
    pub fn call(&mut self, frame: &mut Frame, inst: &Inst, call: &Call) -> Run<()> {
        if let Callee::Stopped(_) = call.callee {
            let value = frame.read(inst.args[0])?;
            frame.define(inst.results[0], value);
            return Ok(());
        }
        let callee = self.callee(call, None)?;
        let mut versions = inst.results[1..].iter().copied();
        let mut passed = passed(frame, &call.passing, 1, &inst.args, &mut versions)?;
        let params = callee.body.params.clone();
        let args = passed.iter().map(|operand| operand.datum.clone()).collect();
        let (returned, inner) = self.run(&callee, args)?;
        for (operand, param) in passed.iter_mut().zip(&params) {
            take_back(operand, &inner, *param)?;
        }
        give_back(frame, &passed)?;
        match &returned[..] {
            [one] => frame.define(inst.results[0], one.clone()),
            _ => return Err(broken("a function has one result")),
        }
        Ok(())
    }

    pub fn call_jvp(&mut self, frame: &mut Frame, inst: &Inst, call: &Call) -> Run<()> {
        let times = call.times();
        let callee = self.callee(call, Some(Kind::Jvp.name(call.order)))?;
        let (returned, rest) = inst.results.split_at(times);
        let mut versions = rest.iter().copied();
        let mut passed = passed(frame, &call.passing, times, &inst.args, &mut versions)?;
        let values = self.derivative(&callee, &mut passed, times)?;
        give_back(frame, &passed)?;
        if values.len() != times {
            return Err(broken("a `jvp` returns a value with its tangents"));
        }
        returned.iter().zip(values).for_each(|(result, value)| frame.define(*result, value));
        Ok(())
    }

    pub fn call_vjp(&mut self, frame: &mut Frame, inst: &Inst, call: &Call) -> Run<()> {
        let times = call.times();
        let callee = self.callee(call, Some(Kind::Vjp.name(call.order + 1)))?;
        let (returned, rest) = inst.results.split_at(times + 1);
        let mut versions = rest.iter().copied();
        let mut passed = passed(frame, &call.passing, times, &inst.args, &mut versions)?;
        let values = self.derivative(&callee, &mut passed, times)?;
        give_back(frame, &passed)?;
        if values.len() != times + 1 {
            return Err(broken("a `vjp` returns a value with its tangents and a pullback"));
        }
        returned.iter().zip(values).for_each(|(result, value)| frame.define(*result, value));
        Ok(())
    }

    /// Runs a derivative that takes tangents of its active parameters.
    fn derivative(
        &mut self,
        callee: &Rc<Function>,
        passed: &mut [Passed],
        times: usize,
    ) -> Run<Vec<Datum>> {
        let groups = groups(callee, times)?;
        let mut args = Vec::new();
        for (group, operands) in groups.iter().zip(passed.chunks(times)) {
            args.extend(
                operands.iter().take(group.params.len()).map(|operand| operand.datum.clone()),
            );
        }
        let (returned, inner) = self.run(callee, args)?;
        for (group, operands) in groups.iter().zip(passed.chunks_mut(times)) {
            for (operand, param) in operands.iter_mut().zip(&group.params) {
                take_back(operand, &inner, *param)?;
            }
        }
        Ok(returned)
    }

    /// The pullback of a block, which takes with it what the block reads.
    pub fn closure(&mut self, frame: &mut Frame, body: &Block) -> Run<Datum> {
        let free = Free::in_block(body);
        let captured = free.values.iter().map(|value| Ok((*value, frame.read(*value)?)));
        let captured = captured.collect::<Run<_>>()?;
        let mut tapes: Vec<Vec<_>> = frame.tapes.iter().map(|_| Vec::new()).collect();
        for tape in free.tapes {
            tapes[tape.0 as usize] = std::mem::take(&mut frame.tapes[tape.0 as usize]);
        }
        let function = Rc::clone(&frame.function);
        Ok(Datum::Pullback(Rc::new(Pullback { function, body, captured, tapes })))
    }

    pub fn pull(
        &mut self,
        frame: &mut Frame,
        inst: &Inst,
        call: &Call,
        shadows: &[Path],
    ) -> Run<()> {
        let times = call.times();
        let Datum::Pullback(pullback) = frame.read(inst.args[0])? else {
            return Err(broken("something else is called as a pullback"));
        };
        let groups = groups(&pullback.function, times)?;
        let Pulled { mut operands, cotangents, rest } =
            pulled(frame, inst, call, shadows, &groups)?;
        let mut args: Vec<Datum> =
            taken(&mut operands, &groups).map(|operand| operand.datum.clone()).collect();
        args.extend(frame.read_all(rest)?);
        let (returned, inner) = self.run_pullback(&pullback, args)?;
        let mut params = pullback.body().params.iter();
        for operand in taken(&mut operands, &groups) {
            let param = params.next().ok_or_else(|| broken("a parameter is missing"))?;
            take_back(operand, &inner, *param)?;
        }
        operands.iter().try_for_each(|operands| give_back(frame, operands))?;
        let mut returned = returned.into_iter();
        for (is_active, results) in cotangents {
            for result in results {
                let cotangent = if is_active { returned.next() } else { Some(Datum::NoTangent) };
                let cotangent = cotangent.ok_or_else(|| broken("a cotangent is missing"))?;
                frame.define(result, cotangent);
            }
        }
        Ok(())
    }

    /// Runs a pullback. Returns the cotangents of what was passed by value, and the places as they are then.
    pub fn run_pullback(
        &mut self,
        pullback: &Pullback,
        args: Vec<Datum>,
    ) -> Run<(Vec<Datum>, Frame)> {
        let mut frame = Frame::new(Rc::clone(&pullback.function));
        for (value, datum) in &pullback.captured {
            frame.define(*value, datum.clone());
        }
        frame.tapes.clone_from(&pullback.tapes);
        let body = pullback.body();
        self.enter(&mut frame, body, args)?;
        let is_place = |value: &&Value| {
            let slot = pullback.function.slot_of(**value);
            slot.is_some_and(|slot| pullback.function.slot(slot).access != Access::Owned)
        };
        let count = body.results.iter().position(|value| is_place(&value));
        let returned = &body.results[..count.unwrap_or(body.results.len())];
        check_tapes(&frame)?;
        Ok((frame.read_all(returned)?, frame))
    }

    /// Runs a function.
    pub fn run(&mut self, function: &Rc<Function>, args: Vec<Datum>) -> Run<(Vec<Datum>, Frame)> {
        let mut frame = Frame::new(Rc::clone(function));
        self.enter(&mut frame, &function.body, args)?;
        frame.read_all(&function.body.results)?;
        check_tapes(&frame)?;
        Ok((frame.read_all(&function.body.results[..function.outputs])?, frame))
    }

    fn enter(&mut self, frame: &mut Frame, body: &Block, args: Vec<Datum>) -> Run<()> {
        if args.len() != body.params.len() {
            let text = format!("{} arguments for {} parameters", args.len(), body.params.len());
            return Err(Fault::Broken(format!("`{}`: {text}", frame.function.name)));
        }
        if self.depth == DEEPEST {
            return Err(Fault::Endless);
        }
        body.params.iter().zip(args).for_each(|(param, arg)| frame.define(*param, arg));
        self.depth += 1;
        let result = self.insts(frame, body);
        self.depth -= 1;
        result
    }

    /// The function that a call calls, or its derivative of a name.
    fn callee(&self, call: &Call, derivative: Option<String>) -> Run<Rc<Function>> {
        // A method is the function of its name: there is one type that has it.
        let name = match &call.callee {
            Callee::Path(path) => text(path),
            Callee::Method(name) => name.to_string(),
            _ => return Err(Fault::Unsupported(format!("a call of `{}`", call.callee.name()))),
        };
        if call.functions.iter().any(Option::is_some) {
            return Err(Fault::Unsupported("a call that is given a function".to_owned()));
        }
        let name = derivative.map_or(name.clone(), |derivative| format!("{name}::{derivative}"));
        let found = self.function(&name);
        found.cloned().ok_or_else(|| Fault::Unsupported(format!("a call of `{name}`")))
    }
}

/// Checks that a sweep popped all that it pushed: tapes that no pullback takes are empty.
fn check_tapes(frame: &Frame) -> Run<()> {
    match frame.tapes.iter().position(|tape| !tape.is_empty()) {
        Some(tape) => Err(Fault::Broken(format!("entries are left on tape {tape}"))),
        None => Ok(()),
    }
}

/// The parameters of the function that a derivative is one of, each with its tangents.
fn groups(derivative: &Function, times: usize) -> Run<Vec<Group>> {
    let (mut rest, mut groups) = (&derivative.body.params[..], Vec::new());
    while let [param, ..] = rest {
        let is_active = derivative.active.contains(param);
        let count = if is_active { times } else { 1 };
        if rest.len() < count {
            return Err(broken("a tangent is missing"));
        }
        let slot = derivative.slot_of(*param);
        let is_reference = slot.is_some_and(|slot| derivative.slot(slot).access != Access::Owned);
        let params;
        (params, rest) = rest.split_at(count);
        groups.push(Group { params: params.to_vec(), is_active, is_reference });
    }
    Ok(groups)
}

/// Returns the data that are passed for operands, each as often as it is given.
fn passed<'i>(
    frame: &Frame,
    passing: &[Passing],
    times: usize,
    mut args: &'i [Value],
    versions: &mut dyn Iterator<Item = Value>,
) -> Run<Vec<Passed<'i>>> {
    let mut all = Vec::new();
    for passing in passing {
        for _ in 0..times {
            let own;
            (own, args) = args.split_at(passing.width());
            let path = passing.path().cloned().unwrap_or_default();
            let datum = read_part(frame, own, &path)?;
            let next = passing.writes().then(|| versions.next()).flatten();
            all.push(Passed { args: own, path, datum, next });
        }
    }
    Ok(all)
}

/// What a call of a pullback passes and gets.
struct Pulled<'i> {
    /// Places and shadows, in turn.
    operands: Vec<Vec<Passed<'i>>>,
    /// Of what was passed by value: whether it is active, and where its cotangents go.
    cotangents: Vec<(bool, Vec<Value>)>,
    /// The cotangents of the result.
    rest: &'i [Value],
}

/// Reads what a call of a pullback passes.
fn pulled<'i>(
    frame: &Frame,
    inst: &'i Inst,
    call: &Call,
    shadows: &[Path],
    groups: &[Group],
) -> Run<Pulled<'i>> {
    let times = call.times();
    let (mut rest, mut results) = (&inst.args[1..], inst.results.iter().copied());
    let (mut operands, mut cotangents, mut paths) = (Vec::new(), Vec::new(), shadows.iter());
    for (passing, group) in call.passing.iter().zip(groups) {
        if *passing == Passing::Value {
            cotangents.push((group.is_active, results.by_ref().take(times).collect()));
            continue;
        }
        let path = paths.next().ok_or_else(|| broken("a shadow is missing"))?;
        for passing in [passing, &Passing::Unique(path.clone())] {
            let (own, tail) = rest.split_at(passing.width() * times);
            rest = tail;
            let passing = std::slice::from_ref(passing);
            operands.push(passed(frame, passing, times, own, &mut results.by_ref())?);
        }
    }
    Ok(Pulled { operands, cotangents, rest })
}

/// The operands that a pullback takes: places, each with its shadow where it is active.
fn taken<'o, 'i>(
    operands: &'o mut [Vec<Passed<'i>>],
    groups: &'o [Group],
) -> impl Iterator<Item = &'o mut Passed<'i>> {
    let references = groups.iter().filter(|group| group.is_reference);
    references.zip(operands.chunks_mut(2)).flat_map(|(group, pair)| {
        let is_taken = [true, group.is_active].into_iter();
        let taken = pair.iter_mut().zip(is_taken).filter(|(_, is_taken)| *is_taken);
        taken.flat_map(|(operands, _)| operands.iter_mut().take(group.params.len()))
    })
}

/// Takes back the contents that a callee left in a place that it was given.
fn take_back(operand: &mut Passed, inner: &Frame, param: Value) -> Run<()> {
    let slot = inner.function.slot_of(param);
    let slot = slot.filter(|slot| inner.function.slot(*slot).access != Access::Owned);
    match slot {
        Some(slot) => {
            let left = inner.contents(slot)?;
            if operand.next.is_none() && !left.is_identical(&operand.datum) {
                return Err(broken("a callee writes what it is given by `&`"));
            }
            operand.datum = left;
        }
        None if operand.next.is_some() => return Err(broken("a place is passed for a value")),
        None => {}
    }
    Ok(())
}

/// Puts back what a call wrote. Parts of one place have one next version each, in order.
fn give_back(frame: &mut Frame, passed: &[Passed]) -> Run<()> {
    for operand in passed {
        let Some(next) = operand.next else { continue };
        let indices = frame.read_all(&operand.args[1..=index_count(&operand.path)])?;
        let mut whole = match frame.look(operand.args[0]) {
            Ok(_) => frame.take(operand.args[0], next)?,
            Err(fault) => {
                let slot = frame.slot(operand.args[0]).ok_or(fault)?;
                frame.contents(slot)?
            }
        };
        whole.at(&operand.path, &indices, &mut |part| {
            part.clone_from(&operand.datum);
            Ok(())
        })?;
        frame.define(next, whole);
    }
    Ok(())
}
