//! The one list of passes.
//!
//! In: a function's head and body. Out: its derivatives as IR, ready for emission. The IR is verified
//! after each pass, and an observer sees each stage: dumps and snapshots look at the very run that
//! users get.

use crate::analysis::activity::{self, Activity};
use crate::attr::Arguments;
use crate::diag::Reports;
use crate::ir::{Access, Function, Slot, Value, verify::verify};
use crate::signature::Signature;
use crate::transform::forward::forward;
use crate::transform::reverse::{Boundary, reverse};
use crate::{lower, simplify};
use std::collections::HashSet;

/// What an observer is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// The function, lowered.
    Primal,
    /// The forward transform's output.
    Forward,
    /// The reverse transform's outputs.
    Reverse,
    /// Both, simplified.
    Optimized,
    /// The emitted code.
    Rust,
}

impl Stage {
    /// All stages, in order.
    pub const ALL: [Stage; 5] =
        [Stage::Primal, Stage::Forward, Stage::Reverse, Stage::Optimized, Stage::Rust];

    /// The name in `dump!(name, ..)`.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Primal => "primal",
            Stage::Forward => "forward",
            Stage::Reverse => "reverse",
            Stage::Optimized => "optimized",
            Stage::Rust => "rust",
        }
    }

    /// The stage of a name.
    pub fn named(name: &str) -> Option<Stage> {
        Self::ALL.into_iter().find(|stage| stage.name() == name)
    }
}

/// Sees a stage's functions: which derivative it is, and its IR.
pub type Observer<'o> = &'o mut dyn FnMut(Stage, &str, &Function);

/// The derivatives of a function, simplified.
pub struct Derived {
    /// Value and tangent.
    pub jvp: Option<Function>,
    /// Value and gradient with the seed one, for results that are or may be one float.
    pub accumulate: Option<Function>,
    /// Value and pullback.
    pub vjp: Option<Function>,
    /// Whether the pullback is kept in a box.
    pub is_recursive: bool,
}

/// Runs all passes. Nothing is returned where errors were reported.
pub fn derive(
    signature: &Signature,
    block: &syn::Block,
    arguments: &Arguments,
    reports: &mut Reports,
    observe: Observer,
) -> Option<Derived> {
    let Analysed { primal, active, activity } = analyse(signature, block, reports)?;
    observe(Stage::Primal, &primal.name, &primal);
    let mut derived = Derived {
        jvp: None,
        accumulate: None,
        vjp: None,
        is_recursive: primal.is_recursive || arguments.is_recursive(),
    };
    if arguments.derives_forward() {
        let function = forward(&primal, &activity, &active);
        derived.jvp = Some(finish(function, Stage::Forward, "jvp", observe));
    }
    if arguments.derives_reverse() {
        let mut run = |boundary, name| {
            let function = reverse(&primal, &activity, &active, boundary, reports);
            reports.is_empty().then(|| finish(function, Stage::Reverse, name, observe))
        };
        if signature.may_be_float() && !signature.shares {
            derived.accumulate = run(Boundary::Accumulate, "accumulate_gradient");
        }
        derived.vjp = run(Boundary::Pullback, "vjp");
    }
    reports.is_empty().then_some(derived)
}

/// The derivatives of a closure, which nobody observes by themselves: primal, `jvp`, `vjp`.
pub fn closure(
    signature: &Signature,
    block: &syn::Block,
    reports: &mut Reports,
) -> Option<[Function; 3]> {
    let Analysed { primal, active, activity } = analyse(signature, block, reports)?;
    let ignore = &mut |_: Stage, _: &str, _: &Function| {};
    let jvp = finish(forward(&primal, &activity, &active), Stage::Forward, "jvp", ignore);
    let vjp = reverse(&primal, &activity, &active, Boundary::Pullback, reports);
    reports.is_empty().then(|| [primal, jvp, finish(vjp, Stage::Reverse, "vjp", ignore)])
}

/// What both transforms are given.
struct Analysed {
    primal: Function,
    active: Vec<Value>,
    activity: Activity,
}

/// Lowers, simplifies and analyses. There is nothing to go on with where lowering reported errors.
fn analyse(signature: &Signature, block: &syn::Block, reports: &mut Reports) -> Option<Analysed> {
    let lowered = lower::lower(signature, block, reports);
    if !reports.is_empty() {
        return None;
    }
    verify(&lowered);
    let primal = simplify::primal(lowered);
    verify(&primal);
    let active: Vec<Value> = parameters(signature, &primal, |active| active).collect();
    let activity = activity::analyse(&primal, &active);
    activity::check(&primal, &activity, &frozen(signature, &primal), reports);
    Some(Analysed { primal, active, activity })
}

/// Verifies, simplifies, verifies, and shows both forms.
fn finish(mut function: Function, stage: Stage, name: &str, observe: Observer) -> Function {
    function.name = format!("{}::{name}", function.name);
    verify(&function);
    observe(stage, name, &function);
    let function = simplify::optimize(function);
    verify(&function);
    observe(Stage::Optimized, name, &function);
    function
}

/// The body's parameters whose activity satisfies a condition.
fn parameters(
    signature: &Signature,
    primal: &Function,
    wanted: fn(bool) -> bool,
) -> impl Iterator<Item = Value> {
    let pairs = signature.params.iter().zip(&primal.body.params);
    pairs.filter(move |(param, _)| wanted(param.active)).map(|(_, value)| *value)
}

/// Places behind references that were declared constant.
fn frozen(signature: &Signature, primal: &Function) -> HashSet<Slot> {
    let constant = parameters(signature, primal, |active| !active);
    constant
        .filter(|value| !primal.ty(*value).is_constant())
        .filter_map(|value| primal.slot_of(value))
        .filter(|slot| primal.slot(*slot).access != Access::Owned)
        .collect()
}
