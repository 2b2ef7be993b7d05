//! Notes: what compiles and is right, and probably not what was meant.
//!
//! In: a function's primal and its reverse derivative. Out: a line for each thing that its author should look at. Stable
//! macros cannot warn, and what is said here may be as it should be, so notes stand where somebody looks: at the head of
//! `dump!(tape, ..)` and `dump!(rust, ..)`, and in what `cotangent-explain` says. **Invariant:** nothing is noted that is
//! not so: each note states a fact of the derivative, and what to write where it is not wanted.

use crate::analysis::{activity, tapes};
use crate::ir::entity::EntityMap;
use crate::ir::{Block, FloatKind, Function, Inst, Loop, LoopKind, Op, Type, Value};
use crate::syntax::signature::Signature;
use rustc_hash::FxHashMap as HashMap;

/// One kind of note.
pub struct Note {
    /// That of its test.
    pub name: &'static str,
    /// What is so. `{}` stands for the particular.
    pub message: &'static str,
    /// What to write where that is not meant.
    pub advice: &'static str,
}

macro_rules! notes {
    ($($constant:ident = $name:literal: $message:literal, $advice:literal;)*) => {
        $(static $constant: Note = Note { name: $name, message: $message, advice: $advice };)*
        /// All rows.
        pub static NOTES: &[&Note] = &[$(&$constant),*];
    };
}

notes! {
    PARAMETER_WITHOUT_EFFECT = "parameter_without_effect":
        "no derivative of the result reaches the parameter `{}`: its cotangent is zero",
        "name it in `constant(..)` if that is meant; it gets lost where it is not used, and in comparisons, casts to integers, `floor` and the like";
    NESTED_TAPE = "nested_tape":
        "{}: this tape grows with the product of their trip counts",
        "write `#[checkpoint]` on the outer loop where that is too much memory: it keeps a state now and then, and runs the iterations between once more";
    NARROW_SUM = "narrow_sum":
        "`{}` is a sum in `f32` of what was computed in `f64`: each addition rounds to seven digits",
        "sum up in `f64`, and cast the sum";
}

impl Note {
    fn about(&self, particular: &str) -> String {
        let message = self.message.replace("{}", particular);
        format!("note ({}): {message}\n = help: {}", self.name, self.advice)
    }
}

/// The notes on a function.
pub fn notes(
    signature: &Signature,
    primal: &Function,
    derivative: Option<&Function>,
) -> Vec<String> {
    let mut notes = without_effect(signature, primal);
    notes.extend(derivative.iter().flat_map(|derivative| nested_tapes(primal, derivative)));
    notes.extend(narrow_sums(primal));
    notes
}

/// Active parameters that no derivative reaches. A name that begins with `_` says that this is meant.
fn without_effect(signature: &Signature, primal: &Function) -> Vec<String> {
    let activity = activity::analyse(primal);
    let params = signature.params.iter().zip(&primal.body.params);
    let lost = params.filter(|(param, value)| {
        param.active
            && param.callable.is_none()
            && !param.name.to_string().starts_with('_')
            && !primal.ty(**value).is_constant()
            && !activity.is_active(primal, **value)
    });
    lost.map(|(param, _)| PARAMETER_WITHOUT_EFFECT.about(&param.name.to_string())).collect()
}

/// Loops inside of loops, with tapes that no schedule makes shorter and no number of iterations that is written there.
fn nested_tapes(primal: &Function, derivative: &Function) -> Vec<String> {
    let mut loops = HashMap::default();
    let mut order = Vec::new();
    let literals = literals(primal);
    primal.body.walk(&mut |inst, _| {
        if let Op::Loop(repeat) = &inst.op {
            let is_short = repeat.bounds() > 0
                && inst.args[..repeat.bounds()].iter().all(|bound| literals.contains_key(bound));
            loops.insert(repeat.body.id, (&**repeat, is_short));
            order.push(repeat.body.id);
        }
    });
    let mut kept: HashMap<_, (Vec<String>, Vec<&Loop>)> = HashMap::default();
    for part in tapes::kept(derivative) {
        let around: Vec<_> = part.loops.iter().filter_map(|id| loops.get(id)).collect();
        let long: Vec<&Loop> =
            around.iter().filter(|(_, is_short)| !is_short).map(|(repeat, _)| *repeat).collect();
        let has_schedule = around.iter().any(|(repeat, _)| repeat.schedule.is_some());
        if let (Some(id), true, false) = (part.loops.last(), long.len() > 1, has_schedule) {
            let (names, around) = kept.entry(*id).or_default();
            names.push(format!("`{}` ({})", part.name, part.size));
            *around = long;
        }
    }
    let each = order.iter().filter_map(|id| kept.get(id));
    each.map(|(names, around)| {
        let around: Vec<String> = around.iter().map(|repeat| called(primal, repeat)).collect();
        let (inner, outer) = around.split_last().expect("two loops at least");
        let (names, outer) = (names.join(", "), outer.join(" and "));
        NESTED_TAPE.about(&format!("{names} kept by each iteration of {inner} inside of {outer}"))
    })
    .collect()
}

fn literals(primal: &Function) -> EntityMap<Value, &Inst> {
    let mut literals = EntityMap::default();
    primal.body.walk(&mut |inst, _| {
        if matches!(inst.op, Op::Literal(_)) {
            literals.extend(inst.results.iter().map(|result| (*result, inst)));
        }
    });
    literals
}

/// How a person calls a loop.
fn called(primal: &Function, repeat: &Loop) -> String {
    match &repeat.kind {
        LoopKind::Range { .. } => {
            format!("the loop over `{}`", primal.value(repeat.body.params[0]).name)
        }
        LoopKind::Repeat => "a loop".to_owned(),
        LoopKind::While { .. } | LoopKind::Once => "a loop with a condition".to_owned(),
    }
}

/// Variables of `f32` that loops add to what was cast from `f64`.
fn narrow_sums(primal: &Function) -> Vec<String> {
    let mut found = Vec::new();
    primal.body.walk(&mut |inst, _| {
        let Op::Loop(repeat) = &inst.op else { return };
        let defs = definitions(&repeat.body);
        for (param, next) in repeat.carried().iter().zip(repeat.next()) {
            let sum = defs.get(next).filter(|inst| is_sum(inst));
            if sum.is_some_and(|sum| {
                let others = || sum.args.iter().filter(|arg| *arg != param);
                others().count() == 1 && others().all(|other| is_narrowed(primal, &defs, *other))
            }) {
                found.push(NARROW_SUM.about(&primal.value(*param).name));
            }
        }
    });
    found
}

fn is_sum(inst: &Inst) -> bool {
    matches!(&inst.op, Op::Apply(rule) if matches!(rule.name, "add" | "sub"))
}

fn definitions(block: &Block) -> EntityMap<Value, &Inst> {
    let mut defs = EntityMap::default();
    block.walk(&mut |inst, _| defs.extend(inst.results.iter().map(|result| (*result, inst))));
    defs
}

/// Whether a value is made of casts from `f64` to `f32`.
fn is_narrowed(primal: &Function, defs: &EntityMap<Value, &Inst>, value: Value) -> bool {
    let Some(inst) = defs.get(&value) else { return false };
    let is = |value: Value, kind: FloatKind| *primal.ty(value) == Type::Float(kind);
    match &inst.op {
        Op::Cast(_) | Op::Convert(_) => {
            is(value, FloatKind::F32) && is(inst.args[0], FloatKind::F64)
        }
        Op::Apply(_) => inst.args.iter().any(|arg| is_narrowed(primal, defs, *arg)),
        _ => false,
    }
}
