//! The one list of passes.
//!
//! In: a function's head and body. Out: its derivatives as IR, ready for emission. The IR is verified
//! after each pass, and an observer sees each stage: dumps and snapshots look at the very run that
//! users get.

use crate::analysis::activity::{self, Activity};
use crate::analysis::{audit::audit, sums, tapes};
use crate::diag::{self, Reports};
use crate::ir::entity::EntitySet;
use crate::ir::{
    Access, Callee, Function, Op, Slot, Value, of_order,
    verify::{check, verify},
};
use crate::syntax::attr::Arguments;
use crate::syntax::signature::Signature;
use crate::transform::forward::forward;
use crate::transform::levels::{self, Entry};
use crate::transform::preaccumulate::{joined, preaccumulate};
use crate::transform::reverse::{Boundary, reverse};
use crate::transform::segment::segment;
use crate::{lower, simplify};

/// What an observer is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// The function's body with resolved names.
    Hir,
    /// The function, lowered.
    Primal,
    /// The forward transform's output.
    Forward,
    /// The reverse transform's outputs.
    Reverse,
    /// What reverse derivatives keep between their sweeps.
    Tape,
    /// Primal and tapes as a picture.
    Graph,
    /// Both, simplified.
    Optimized,
    /// The emitted code.
    Rust,
}

impl Stage {
    /// All stages, in order.
    pub const ALL: [Stage; 8] = [
        Stage::Hir,
        Stage::Primal,
        Stage::Forward,
        Stage::Reverse,
        Stage::Tape,
        Stage::Graph,
        Stage::Optimized,
        Stage::Rust,
    ];

    /// The name in `dump!(name, ..)`.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Hir => "hir",
            Stage::Primal => "primal",
            Stage::Forward => "forward",
            Stage::Reverse => "reverse",
            Stage::Tape => "tape",
            Stage::Graph => "graph",
            Stage::Optimized => "optimized",
            Stage::Rust => "rust",
        }
    }

    /// What a person is shown of a function.
    pub fn text(self, function: &Function) -> String {
        match self {
            Stage::Tape => tapes::report(function),
            _ => format!("{function}\n"),
        }
    }

    /// A note as it stands at the head of the text.
    pub fn note(self, note: &str) -> String {
        let mark = if self == Stage::Rust { "// " } else { "" };
        note.lines().map(|line| format!("{mark}{line}\n")).collect()
    }

    /// The stage of a name.
    pub fn named(name: &str) -> Option<Stage> {
        Self::ALL.into_iter().find(|stage| stage.name() == name)
    }
}

/// Which derivative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Jvp,
    Accumulate,
    Vjp,
}

impl Kind {
    /// The name of such a derivative of an order.
    pub fn name(self, order: usize) -> String {
        let first = match self {
            Kind::Jvp => "jvp",
            Kind::Accumulate => "accumulate_gradient",
            Kind::Vjp => "vjp",
        };
        of_order(first, order)
    }
}

/// Sees a stage's functions: which derivative it is, and its IR.
pub type Observer<'o> = &'o mut dyn FnMut(Stage, &str, &Function);

/// The derivatives of a function, simplified: of each kind as many as there are orders. Each is what the forward
/// transform makes of the one before it.
pub struct Derived {
    /// Value and tangent.
    pub jvp: Vec<Function>,
    /// Value and gradient with the seed one, for results that are seen to be one float. Where only rustc knows, gradients
    /// come from the pullback: rustc evaluates no constant of a body whose bounds cannot hold.
    pub accumulate: Vec<Function>,
    /// Value and pullback.
    pub vjp: Vec<Function>,
    /// Whether the function calls itself.
    pub is_recursive: bool,
    /// The functions that are called by path with active arguments.
    pub calls: Vec<syn::ExprPath>,
    /// Of each order what a level of the recursion leaves on a tape, where all levels share one.
    pub levels: Vec<Option<Entry>>,
    /// The facts that rustc has to prove of the body.
    pub proofs: lower::Proofs,
}

impl Derived {
    /// Whether the pullback of an order is kept in a box, since its type would have no end.
    pub fn is_boxed(&self, order: usize) -> bool {
        let entry = self.levels.get(order - 1).and_then(Option::as_ref);
        self.is_recursive && entry.is_none_or(|entry| entry.is_open)
    }

    /// Makes the levels of the recursion share a tape, where they can.
    fn level(&mut self, signature: &Signature) {
        for (index, function) in self.vjp.iter_mut().enumerate() {
            let Some((levelled, entry)) = levels::pullback(function, signature) else {
                self.levels.push(None);
                continue;
            };
            *function = levelled;
            let has_siblings = entry.types.is_some();
            self.levels.push(Some(entry));
            if let Some(function) = self.accumulate.get_mut(index).filter(|_| has_siblings)
                && let Some(levelled) = levels::gradient(function, signature)
            {
                *function = levelled;
            }
        }
    }
}

/// Runs all passes. Nothing is returned where errors were reported.
pub fn derive(
    signature: &Signature,
    block: &syn::Block,
    arguments: &Arguments,
    reports: &mut Reports,
    observe: Observer,
) -> Option<Derived> {
    let (lowered, proofs) = lower::lower(signature, block, reports);
    let Analysed { primal, activity } = analyse(signature, lowered, reports)?;
    observe(Stage::Primal, &primal.name, &primal);
    let mut derived = Derived {
        jvp: Vec::new(),
        accumulate: Vec::new(),
        vjp: Vec::new(),
        is_recursive: primal.is_recursive || arguments.is_recursive(),
        calls: calls(&primal, &activity),
        levels: Vec::new(),
        proofs,
    };
    let orders = arguments.orders();
    if arguments.derives_forward() {
        let function = forward(&primal, &activity);
        derived.jvp = tower(function, (Stage::Forward, Kind::Jvp), orders, observe);
    }
    if arguments.derives_reverse() {
        let prepared = prepared(primal, activity);
        let mut run = |boundary, kind| {
            let function = prepared.reverse(boundary, reports);
            match reports.is_empty() {
                true => tower(function, (Stage::Reverse, kind), orders, observe),
                false => Vec::new(),
            }
        };
        if signature.output_kind.is_float() && !signature.shares {
            derived.accumulate = run(Boundary::Accumulate, Kind::Accumulate);
        }
        derived.vjp = run(Boundary::Pullback, Kind::Vjp);
        if let Some(span) = derived.vjp.first().filter(|_| signature.is_sum).and_then(sums::kept) {
            reports.report(span, &diag::SUM_OF_PRODUCTS, "");
        }
    }
    if derived.is_recursive && !arguments.is_recursive() && reports.is_empty() {
        derived.level(signature);
    }
    reports.is_empty().then_some(derived)
}

/// The functions that are called by path with active arguments.
fn calls(primal: &Function, activity: &Activity) -> Vec<syn::ExprPath> {
    let mut calls = Vec::new();
    primal.body.walk(&mut |inst, _| {
        if let Op::Call(call) = &inst.op
            && let Callee::Path(path) = &call.callee
            && inst.args.iter().any(|arg| activity.is_varied(*arg))
        {
            calls.push(path.clone());
        }
    });
    calls
}

/// Returns the first derivatives of IR that nothing was lowered to, as the transforms make them: those of a kind that is
/// wanted, and gradients only of a result that is a float.
#[cfg(feature = "interpret")]
pub fn transforms(
    primal: Function,
    is_wanted: &dyn Fn(Kind) -> bool,
    reports: &mut Reports,
) -> Vec<(Kind, Function)> {
    let activity = activity::analyse(&primal);
    let mut functions = vec![(Kind::Jvp, forward(&primal, &activity))];
    let is_float = primal.body.results.first().is_some_and(|result| primal.ty(*result).is_float());
    let prepared = prepared(primal, activity);
    for (boundary, kind) in
        [(Boundary::Accumulate, Kind::Accumulate), (Boundary::Pullback, Kind::Vjp)]
    {
        if is_wanted(kind) && (is_float || kind == Kind::Vjp) && reports.is_empty() {
            functions.push((kind, prepared.reverse(boundary, reports)));
        }
    }
    functions
}

/// Returns the derivative of the next order, of one that is simplified.
pub fn raised(mut simplified: Function) -> Function {
    // The first order's functions, which are emitted as well, prove what all rest on.
    simplified.body.retain(&|inst| !matches!(inst.op, Op::Proof(_)));
    forward(&simplified, &activity::analyse(&simplified))
}

/// A derivative and what the forward transform makes of it, again and again.
fn tower(
    first: Function,
    (stage, kind): (Stage, Kind),
    orders: usize,
    observe: Observer,
) -> Vec<Function> {
    let (mut functions, name) = (Vec::new(), first.name.clone());
    let mut next = first;
    for order in 1..=orders {
        next.name = format!("{name}::{}", kind.name(order));
        let simplified = simplified(next, stage, observe);
        if (stage, order) == (Stage::Reverse, 1) {
            observe(Stage::Tape, &simplified.name, &simplified);
        }
        functions.push(ready(simplified.clone(), observe));
        if order == orders {
            break;
        }
        next = raised(simplified);
    }
    functions
}

/// A closure and its derivatives, of each kind as many as there are orders.
pub struct Closure {
    pub primal: Function,
    pub jvp: Vec<Function>,
    pub vjp: Vec<Function>,
}

/// The derivatives of a lowered closure, which nobody observes by themselves.
pub fn closure(signature: &Signature, lowered: Function, reports: &mut Reports) -> Option<Closure> {
    let Analysed { primal, activity } = analyse(signature, lowered, reports)?;
    let (orders, ignore) = (signature.orders, &mut |_: Stage, _: &str, _: &Function| {});
    let jvp = tower(forward(&primal, &activity), (Stage::Forward, Kind::Jvp), orders, ignore);
    let back = prepared(primal.clone(), activity);
    let vjp = back.reverse(Boundary::Pullback, reports);
    let vjp =
        reports.is_empty().then(|| tower(vjp, (Stage::Reverse, Kind::Vjp), orders, ignore))?;
    Some(Closure { primal, jvp, vjp })
}

/// What both transforms are given.
struct Analysed {
    primal: Function,
    activity: Activity,
}

/// Simplifies and analyses what is lowered. There is nothing to go on with where lowering reported errors.
fn analyse(signature: &Signature, lowered: Function, reports: &mut Reports) -> Option<Analysed> {
    if !reports.is_empty() {
        return None;
    }
    if let Err(message) = check(&lowered) {
        reports.suspect(&message);
        return None;
    }
    let result = lowered.body.results.first().map(|result| lowered.ty(*result));
    if result.is_some_and(|ty| ty.is_other_primitive(&signature.output_kind)) {
        reports.suspect("its result is not of the type that the function returns");
        return None;
    }
    let mut primal = lowered;
    primal.active = parameters(signature, &primal, |active| active).collect();
    let activity = activity::analyse(&primal);
    let constant = frozen(signature, &primal);
    audit(&mut primal, &activity, &constant, reports);
    let mut primal = simplify::primal(primal);
    // Types that follow from others may not fit either.
    if let Err(message) = check(&primal) {
        reports.suspect(&message);
        return None;
    }
    let activity = activity::analyse(&primal);
    if primal.is_recursive && !primal.adds_to_floats {
        primal = simplify::floats(primal, &activity);
    }
    Some(Analysed { primal, activity })
}

/// What the reverse transform is given.
struct Prepared {
    analysed: Analysed,
    /// How many values are the primal's.
    primal_values: u32,
}

impl Prepared {
    fn reverse(&self, boundary: Boundary, reports: &mut Reports) -> Function {
        let Analysed { primal, activity } = &self.analysed;
        joined(reverse(primal, activity, boundary, reports), self.primal_values)
    }
}

/// For the reverse transform: loops with a schedule are loops over segments, and what has few inputs brings its partial
/// derivatives.
fn prepared(primal: Function, activity: Activity) -> Prepared {
    let analysed = renewed(segment(&primal), Analysed { primal, activity });
    let primal_values = analysed.primal.values.len() as u32;
    let is_used = !simplify::without().contains(&simplify::PREACCUMULATE);
    let next = is_used.then(|| preaccumulate(&analysed.primal, &analysed.activity)).flatten();
    Prepared { analysed: renewed(next, analysed), primal_values }
}

/// The next form of a primal, if there is one.
fn renewed(next: Option<Function>, before: Analysed) -> Analysed {
    let Some(primal) = next else { return before };
    verify(&primal);
    let activity = activity::analyse(&primal);
    Analysed { primal, activity }
}

/// Verifies, shows, simplifies and verifies.
fn simplified(function: Function, stage: Stage, observe: Observer) -> Function {
    verify(&function);
    observe(stage, &function.name, &function);
    let function = simplify::optimize(function);
    verify(&function);
    function
}

/// What is emitted.
fn ready(function: Function, observe: Observer) -> Function {
    let function = simplify::settle(function);
    verify(&function);
    observe(Stage::Optimized, &function.name, &function);
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
fn frozen(signature: &Signature, primal: &Function) -> EntitySet<Slot> {
    let constant = parameters(signature, primal, |active| !active);
    constant
        .filter(|value| !primal.ty(*value).is_constant())
        .filter_map(|value| primal.slot_of(value))
        .filter(|slot| primal.slot(*slot).access != Access::Owned)
        .collect()
}
