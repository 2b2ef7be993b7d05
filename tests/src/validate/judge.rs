//! Whether passes and transforms mean what they should, on one program.
//!
//! In: a program. Out: nothing, or what is wrong. The interpreter runs the program and its derivatives before and after
//! each pass: results are the same, values bit for bit; derivatives up to the rounding of sums, which some passes order
//! anew. Forward and reverse agree, and both agree with differences where the function is smooth; places are brought back,
//! and shadows added to; second derivatives agree with those of gradients along a direction.

use super::program::{Access, Program};
use crate::programs::random::Random;
use cotangent_compiler::interpret::{self, Datum, Fault, Operations, Outcome};
use std::collections::BTreeMap;
use std::fmt;

/// What is wrong.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Which check fails, by which failures are told apart.
    pub kind: String,
    /// What there is in the place of what.
    pub text: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.text)
    }
}

fn failure(kind: impl Into<String>, text: impl Into<String>) -> Failure {
    Failure { kind: kind.into(), text: text.into() }
}

/// What was exercised.
#[derive(Default, Clone, Debug)]
pub struct Counts {
    /// Programs that were compared with differences.
    pub smooth: u64,
    /// Programs with a panic, or with numbers that are not finite.
    pub without_result: u64,
    /// How often a pass changed a function.
    pub passes: BTreeMap<&'static str, u64>,
    /// How often a pass changed a function that another one had changed before.
    pub pairs: BTreeMap<(&'static str, &'static str), u64>,
    /// How often an operation stands in programs and derivatives.
    pub operations: Operations,
}

impl Counts {
    /// Adds those of other programs.
    pub fn add(&mut self, other: Counts) {
        self.smooth += other.smooth;
        self.without_result += other.without_result;
        for (name, count) in other.passes {
            *self.passes.entry(name).or_default() += count;
        }
        for (pair, count) in other.pairs {
            *self.pairs.entry(pair).or_default() += count;
        }
        self.operations.add(other.operations);
    }

    /// The passes that never changed anything.
    #[must_use]
    pub fn idle(&self) -> Vec<&'static str> {
        let all = interpret::Program::schedule().into_iter().flatten().chain(SINGLE);
        all.filter(|pass| !self.passes.contains_key(pass)).collect()
    }
}

/// The passes that run once, beside those of the schedule: before and behind those over primals, and before and behind
/// those that are repeated.
const SINGLE: [&str; 3] = ["floats", "once", "captures"];

/// More rounds than are needed until nothing changes.
const ROUNDS: usize = 8;

/// A program under the passes: its functions, which of the passes have changed each of them so far, and which would change
/// nothing now.
struct Passed<'c> {
    program: interpret::Program,
    changed: Vec<Vec<&'static str>>,
    idle: Vec<Vec<&'static str>>,
    prints: Vec<u64>,
    counts: &'c mut Counts,
}

/// Compares a program with what it was. Is told the name of the function that a pass has changed.
pub(super) type Compare<'c> = &'c mut dyn FnMut(&interpret::Program, &str) -> Result<(), String>;

impl<'c> Passed<'c> {
    fn new(program: interpret::Program, counts: &'c mut Counts) -> Self {
        let none = vec![Vec::new(); program.names().len()];
        let prints = (0..none.len()).map(|position| program.fingerprint(position)).collect();
        Passed { program, changed: none.clone(), idle: none, prints, counts }
    }

    /// Runs a pass on each function that is one of the wanted, and compares where that changes something. Says whether any
    /// was changed.
    fn run(
        &mut self,
        pass: &'static str,
        is_wanted: &dyn Fn(&str) -> bool,
        compare: Compare,
    ) -> Result<bool, Failure> {
        let of_pass = |text: String| failure(format!("pass {pass}"), text);
        let mut has_changed = false;
        for position in 0..self.changed.len() {
            let is_wanted = is_wanted(self.program.name(position));
            if !is_wanted || self.idle[position].contains(&pass) {
                continue;
            }
            let print = &mut self.prints[position];
            if !self.program.change(pass, position, print).map_err(of_pass)? {
                self.idle[position].push(pass);
                continue;
            }
            self.note(pass, position);
            compare(&self.program, self.program.name(position)).map_err(of_pass)?;
            has_changed = true;
        }
        Ok(has_changed)
    }

    fn note(&mut self, pass: &'static str, position: usize) {
        *self.counts.passes.entry(pass).or_default() += 1;
        self.idle[position].clear();
        for before in &self.changed[position] {
            *self.counts.pairs.entry((before, pass)).or_default() += 1;
        }
        if !self.changed[position].contains(&pass) {
            self.changed[position].push(pass);
        }
    }

    /// Runs passes until none of them changes anything.
    fn repeat(
        &mut self,
        passes: &[&'static str],
        is_wanted: &dyn Fn(&str) -> bool,
        compare: Compare,
    ) -> Result<(), Failure> {
        for _ in 0..ROUNDS {
            let mut has_changed = false;
            for pass in passes {
                has_changed |= self.run(pass, is_wanted, compare)?;
            }
            if !has_changed {
                break;
            }
        }
        Ok(())
    }
}

fn is_primal(name: &str) -> bool {
    !name.contains("::")
}

fn is_derivative(name: &str) -> bool {
    !is_primal(name)
}

/// The arguments of a program: points, a direction, and shadows that are not empty.
struct Subject {
    main: String,
    floats: Vec<f64>,
    arrays: Vec<(Access, Vec<f64>)>,
    dots: Vec<f64>,
    array_dots: Vec<Vec<f64>>,
    shadows: Vec<Vec<f64>>,
    seed: f64,
}

impl Subject {
    fn new(program: &Program, seed: u64) -> Self {
        let mut random = Random::new(seed ^ 0x5eed);
        let main = program.functions.last().expect("a function");
        let mut row =
            |count: usize| (0..count).map(|_| random.between(-1.5, 1.5)).collect::<Vec<f64>>();
        Subject {
            main: program.main(),
            floats: row(main.floats),
            arrays: main.arrays.iter().map(|access| (*access, row(program.length))).collect(),
            dots: row(main.floats),
            array_dots: main.arrays.iter().map(|_| row(program.length)).collect(),
            shadows: main.arrays.iter().map(|_| row(program.length)).collect(),
            seed: 0.75,
        }
    }

    /// The arguments, moved along the direction.
    fn args(&self, step: f64) -> Vec<Datum> {
        let moved = |x: &f64, dot: &f64| x + step * dot;
        let floats =
            self.floats.iter().zip(&self.dots).map(|(x, dot)| Datum::Double(moved(x, dot)));
        let arrays = self.arrays.iter().zip(&self.array_dots).map(|((_, array), dots)| {
            let each = array.iter().zip(dots).map(|(x, dot)| moved(x, dot));
            Datum::doubles(&each.collect::<Vec<f64>>())
        });
        floats.chain(arrays).collect()
    }

    /// The direction as one row.
    fn directions(&self) -> Vec<f64> {
        self.dots.iter().chain(self.array_dots.iter().flatten()).copied().collect()
    }

    /// Each followed by its tangent.
    fn dual_args(&self) -> Vec<Datum> {
        let args = self.args(0.0);
        let floats = self.dots.iter().map(|dot| Datum::Double(*dot));
        let dots = floats.chain(self.array_dots.iter().map(|dots| Datum::doubles(dots)));
        args.into_iter().zip(dots).flat_map(|(arg, dot)| [arg, dot]).collect()
    }

    fn shadow(&self, place: usize, is_empty: bool) -> Datum {
        let shadow = Datum::doubles(&self.shadows[place]);
        if is_empty { shadow.zero() } else { shadow }
    }

    fn shadowed_args(&self) -> Vec<Datum> {
        let mut all = Vec::new();
        for (index, arg) in self.args(0.0).into_iter().enumerate() {
            all.push(arg);
            if let Some(place) = index.checked_sub(self.floats.len()) {
                all.push(self.shadow(place, false));
            }
        }
        all
    }
}

/// What a run of a derivative gives.
#[derive(Clone)]
struct Results {
    /// The value with the places behind it, bit for bit what they are.
    value: Vec<Datum>,
    /// The derivatives: what is returned, and what is left in places.
    derivatives: [Vec<f64>; 2],
    /// The largest number on the way.
    largest: f64,
}

impl Results {
    /// Returns the error that rounding leaves where terms cancel.
    fn rounding(&self) -> f64 {
        16.0 * f64::EPSILON * self.largest
    }
}

/// A derivative's results, or that it panics.
type Ran = Result<Results, Fault>;

/// The first derivatives of the function that is run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum First {
    Jvp,
    Gradient,
    Pullback,
}

impl First {
    const ALL: [First; 3] = [First::Jvp, First::Gradient, First::Pullback];

    /// Those that call a function.
    fn that_call(function: &str, main: &str) -> &'static [First] {
        match function.split_once("::") {
            Some((_, "jvp")) => &[First::Jvp],
            Some((_, "accumulate_gradient")) => &[First::Gradient],
            Some((owner, _)) if owner == main => &[First::Pullback],
            _ => &[First::Gradient, First::Pullback],
        }
    }

    fn name(self) -> &'static str {
        match self {
            First::Jvp => "forward",
            First::Gradient => "gradient",
            First::Pullback => "pullback",
        }
    }

    fn run(self, program: &interpret::Program, subject: &Subject) -> Ran {
        match self {
            First::Jvp => {
                let name = format!("{}::jvp", subject.main);
                let jvp = program.run(&name, subject.dual_args())?;
                Ok(results(jvp, None))
            }
            First::Gradient => {
                let name = format!("{}::accumulate_gradient", subject.main);
                let gradient = program.run(&name, subject.shadowed_args())?;
                Ok(results(gradient, None))
            }
            First::Pullback => pulled(program, subject),
        }
    }
}

/// Runs a `vjp` and its pullback, which brings places back.
fn pulled(program: &interpret::Program, subject: &Subject) -> Ran {
    let vjp = program.run(&format!("{}::vjp", subject.main), subject.args(0.0))?;
    let Some(Datum::Pullback(pullback)) = vjp.returned.get(1) else {
        return Err(Fault::Broken("a `vjp` without a pullback".to_owned()));
    };
    let mut args = Vec::new();
    for (place, left) in vjp.places.iter().enumerate() {
        args.extend([left.clone(), subject.shadow(place, true)]);
    }
    args.push(Datum::Double(subject.seed));
    let pulled = program.pull(pullback, args)?;
    let returned = vjp.returned.iter().take(1).cloned().chain(pulled.returned).collect();
    Ok(results(Outcome { returned, ..pulled }, Some(vjp)))
}

/// The value, which is returned first, and derivatives; places, each of which is followed by its tangent; and the places
/// that a run before it left.
fn results(outcome: Outcome, before: Option<Outcome>) -> Results {
    let Outcome { returned, places, largest, .. } = outcome;
    let (others, other) = before.map_or((Vec::new(), 0.0), |run| (run.places, run.largest));
    let floats = |data: &mut dyn Iterator<Item = &Datum>| data.flat_map(Datum::floats).collect();
    let derivatives =
        [floats(&mut returned[1..].iter()), floats(&mut places.iter().skip(1).step_by(2))];
    let contents = places.iter().step_by(2).chain(&others).cloned();
    let value = returned.into_iter().take(1).chain(contents).collect();
    Results { value, derivatives, largest: f64::max(largest, other) }
}

/// How far apart two floats may be: they are sums of the same terms.
pub(super) fn is_near(a: f64, b: f64) -> bool {
    let size = a.abs().max(b.abs());
    a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-9 * size.max(1.0)
}

fn same(before: &Ran, after: &Ran) -> Result<(), String> {
    match (before, after) {
        (Ok(before), Ok(after)) => {
            identical(&before.value, &after.value)?;
            let rounding = before.rounding().max(after.rounding());
            let is_same = |(a, b): (&f64, &f64)| is_near(*a, *b) || (a - b).abs() <= rounding;
            for (a, b) in before.derivatives.iter().zip(&after.derivatives) {
                if a.len() != b.len() || !a.iter().zip(b).all(is_same) {
                    return Err(format!("{b:?} and before {a:?}"));
                }
            }
            Ok(())
        }
        (Err(Fault::Panic(_)), Err(Fault::Panic(_))) => Ok(()),
        (Err(a), Err(b)) if a == b => Ok(()),
        (Ok(_), Err(fault)) => Err(fault.to_string()),
        (Err(fault), after) => Err(format!(
            "{fault} before, and after {:?}",
            after.as_ref().err().map(ToString::to_string)
        )),
    }
}

fn identical<'d>(
    before: impl IntoIterator<Item = &'d Datum>,
    after: impl IntoIterator<Item = &'d Datum>,
) -> Result<(), String> {
    let mut pairs = before.into_iter().zip(after);
    match pairs.find(|(a, b)| !a.is_identical(b)) {
        Some((a, b)) => Err(format!("{b:?} in the place of {a:?}")),
        None => Ok(()),
    }
}

/// Judges a program with the arguments of a seed.
///
/// # Errors
///
/// What is wrong.
pub fn judge(program: &Program, seed: u64, counts: &mut Counts) -> Result<(), Failure> {
    let text = program.text();
    let parsed = interpret::Program::parse(&text).map_err(|error| failure("parse", error))?;
    let printed = parsed.to_string();
    let lines = |text: &'_ str| {
        text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect::<Vec<_>>()
    };
    if lines(&printed) != lines(&text) {
        return Err(failure("round trip", printed));
    }
    let subject = Subject::new(program, seed);
    let value = match parsed.run(&subject.main, subject.args(0.0)) {
        Ok(value) => value,
        Err(Fault::Panic(_) | Fault::Endless) => {
            counts.without_result += 1;
            return Ok(());
        }
        Err(fault) => return Err(failure("run", fault.to_string())),
    };
    let simplified = primal_passes(&parsed, &subject, &value, counts)?;
    // What users get is derived of simplified functions; transforms know others as well.
    let primal = if seed.is_multiple_of(2) { &parsed } else { &simplified };
    let derived = primal.derive_main(&subject.main).map_err(|error| failure("derive", error))?;
    counts.operations.count(&derived);
    let results = First::ALL.map(|first| first.run(&derived, &subject));
    let [Ok(jvp), Ok(gradient), Ok(pulled)] = &results else {
        let fault = results.iter().find_map(|result| result.as_ref().err());
        return Err(failure("derivative", fault.map(ToString::to_string).unwrap_or_default()));
    };
    let found = [jvp, gradient, pulled];
    is_value(found, &value, &subject)?;
    derivatives_agree(found, &parsed, &subject, counts)?;
    let mut compare = |next: &interpret::Program, function: &str| {
        for first in First::that_call(function, &subject.main) {
            same(&results[*first as usize], &first.run(next, &subject))
                .map_err(|text| format!("{}: {text}", first.name()))?;
        }
        Ok(())
    };
    let optimized = derived_passes(derived, &is_derivative, &mut compare, counts)?;
    second_order(&optimized, &subject, found)
}

/// Runs all passes over primals, and compares after each that changes something. Returns what they make.
fn primal_passes(
    program: &interpret::Program,
    subject: &Subject,
    value: &Outcome,
    counts: &mut Counts,
) -> Result<interpret::Program, Failure> {
    let [passes, ..] = interpret::Program::schedule();
    let mut passed = Passed::new(program.clone(), counts);
    let mut compare = |next: &interpret::Program, _: &str| {
        let again =
            next.run(&subject.main, subject.args(0.0)).map_err(|fault| fault.to_string())?;
        identical(
            value.returned.iter().chain(&value.places),
            again.returned.iter().chain(&again.places),
        )
    };
    for pass in passes.into_iter().chain(["floats"]) {
        passed.run(pass, &is_primal, &mut compare)?;
    }
    Ok(passed.program)
}

/// The value that derivatives return is the function's, and places come back.
fn is_value(found: [&Results; 3], value: &Outcome, subject: &Subject) -> Result<(), Failure> {
    let of_value = |text| failure("value", text);
    let start: Vec<Datum> = subject.args(0.0).split_off(subject.floats.len());
    let (returned, left) = (&value.returned[..1], &value.places);
    let [jvp, gradient, pulled] = found;
    identical(returned.iter().chain(left), &jvp.value).map_err(of_value)?;
    // A gradient leaves places as they were, and so does a pullback what its `vjp` has left.
    identical(returned.iter().chain(&start), &gradient.value).map_err(of_value)?;
    identical(returned.iter().chain(&start).chain(left), &pulled.value).map_err(of_value)
}

fn dot(a: &[f64], b: &[f64]) -> (f64, f64) {
    let products = a.iter().zip(b).map(|(a, b)| a * b);
    (products.clone().sum(), products.map(f64::abs).sum())
}

/// Forward, reverse and differences agree.
fn derivatives_agree(
    found: [&Results; 3],
    program: &interpret::Program,
    subject: &Subject,
    counts: &mut Counts,
) -> Result<(), Failure> {
    let [jvp, gradient, pulled] = found.map(|results| &results.derivatives);
    let rounding = found.map(Results::rounding).into_iter().fold(0.0, f64::max);
    let tangent = jvp[0][0];
    if !are_small(found) {
        counts.without_result += 1;
        return Ok(());
    }
    let bars = pulled.concat();
    let (back, size) = dot(&bars, &subject.directions());
    if (back - subject.seed * tangent).abs() > 1e-9 * (1.0 + size + tangent.abs()) + rounding {
        let text =
            format!("the tangent {} and the cotangents' product {back}", subject.seed * tangent);
        return Err(failure("forward and reverse", text));
    }
    let start = std::iter::repeat_n(0.0, subject.floats.len())
        .chain(subject.shadows.iter().flatten().copied());
    for ((added, start), bar) in gradient.concat().iter().zip(start).zip(&bars) {
        let off = (added - start - bar / subject.seed).abs();
        if off > 1e-9 * (1.0 + added.abs() + bar.abs()) + rounding {
            let text = format!("the gradient {added} from {start}, and the cotangent {bar}");
            return Err(failure("gradient and pullback", text));
        }
    }
    differences(tangent, program, subject, counts)
}

/// Central differences of several steps agree where the function is smooth, and so do those of both sides, which alone see
/// a bend at the very point: `min(x, x)`. Only there they judge.
fn differences(
    tangent: f64,
    program: &interpret::Program,
    subject: &Subject,
    counts: &mut Counts,
) -> Result<(), Failure> {
    // A large number hides what is added to it.
    let at = |step: f64| match program.run(&subject.main, subject.args(step)) {
        Ok(outcome) if outcome.largest < 1e6 => outcome.returned[0].floats()[0],
        _ => f64::NAN,
    };
    let slope = |step: f64| (at(step) - at(-step)) / (2.0 * step);
    let slopes = [1e-4, 5e-5, 1e-5, 5e-6].map(slope);
    let middle = (slopes[2] + slopes[3]) / 2.0;
    let spread = slopes.iter().map(|slope| (slope - middle).abs()).fold(0.0, f64::max);
    let size = 1.0 + middle.abs();
    let step = 1e-5;
    let bend = (at(step) - 2.0 * at(0.0) + at(-step)) / step;
    if !(spread < 1e-5 * size && bend.abs() < 1e-3 * size && at(0.0).abs() < 1e3) {
        return Ok(());
    }
    counts.smooth += 1;
    if (tangent - middle).abs() > 1e-3 * size {
        return Err(failure(
            "differences",
            format!("the tangent {tangent} and the difference {middle}"),
        ));
    }
    Ok(())
}

/// Whether all derivatives are finite and none is so large that its rounding hides everything.
fn are_small(found: [&Results; 3]) -> bool {
    let mut all = found.into_iter().flat_map(|results| results.derivatives.iter().flatten());
    all.all(|float| float.is_finite() && float.abs() <= 1e8)
}

/// Runs all passes over derivatives, and compares after each that changes something. Returns what goes on to the next
/// order.
pub(super) fn derived_passes(
    derived: interpret::Program,
    is_wanted: &dyn Fn(&str) -> bool,
    compare: Compare,
    counts: &mut Counts,
) -> Result<interpret::Program, Failure> {
    let [_, repeated, behind, last] = interpret::Program::schedule();
    let mut passed = Passed::new(derived, counts);
    passed.run("once", is_wanted, compare)?;
    passed.repeat(&repeated, is_wanted, compare)?;
    for pass in behind {
        if passed.run(pass, is_wanted, compare)? {
            passed.repeat(&repeated, is_wanted, compare)?;
        }
    }
    passed.run("captures", is_wanted, compare)?;
    let optimized = passed.program.clone();
    for pass in last {
        passed.run(pass, is_wanted, compare)?;
    }
    Ok(optimized)
}

/// Second derivatives along a direction: forward over forward, and forward over reverse, simplified and not.
fn second_order(
    program: &interpret::Program,
    subject: &Subject,
    first: [&Results; 3],
) -> Result<(), Failure> {
    // Nothing calls the pullback of the function that is run.
    let pullback = format!("{}::vjp", subject.main);
    let is_wanted = |name: &str| name != pullback;
    let mut derived = program.raised(&is_wanted).map_err(|error| failure("derive twice", error))?;
    let mut seen: Option<Second> = None;
    for kind in ["second order", "second order, simplified"] {
        if seen.is_some() {
            simplify(&mut derived).map_err(|error| failure(kind, error))?;
        }
        let Second { curvature, floats, largest } =
            second(&derived, subject).map_err(|fault| failure(kind, fault.to_string()))?;
        let is_large = |float: &f64| !float.is_finite() || float.abs() > 1e8;
        if is_large(&curvature) || floats.iter().any(is_large) || !are_small(first) {
            return Ok(());
        }
        let (product, size) = dot(&floats, &subject.directions());
        let off = (product - curvature).abs();
        // Of terms that cancel, rounding is left.
        if off > 1e-8 * (1.0 + size + curvature.abs()) + 16.0 * f64::EPSILON * largest {
            return Err(failure(kind, format!("forward {curvature}, and over reverse {product}")));
        }
        if let Some(before) = &seen {
            let rows = &before.floats;
            let is_same = is_near(before.curvature, curvature)
                && rows.iter().zip(&floats).all(|(a, b)| is_near(*a, *b));
            if !is_same {
                return Err(failure(kind, format!("{floats:?} and before {rows:?}")));
            }
        }
        seen = Some(Second { curvature, floats, largest });
    }
    Ok(())
}

/// Lets all passes change the derivatives of the second order.
fn simplify(derived: &mut interpret::Program) -> Result<(), String> {
    for position in 0..derived.names().len() {
        if derived.name(position).contains("::jvp_over_") {
            let mut print = derived.fingerprint(position);
            for pass in ["optimize", "settle"] {
                derived.change(pass, position, &mut print)?;
            }
        }
    }
    Ok(())
}

/// Second derivatives.
struct Second {
    /// Along the direction twice.
    curvature: f64,
    /// The gradient's derivative along it.
    floats: Vec<f64>,
    /// The largest number on the way.
    largest: f64,
}

fn second(program: &interpret::Program, subject: &Subject) -> Result<Second, Fault> {
    let name = |kind: &str| format!("{}::{kind}", subject.main);
    let zero = |datum: &Datum| datum.zero();
    // Value, tangent, tangent of the value along the second direction, which is the same, and that of the tangent.
    let pairs = subject.dual_args();
    let quads: Vec<Datum> = pairs
        .chunks(2)
        .flat_map(|pair| [pair[0].clone(), pair[1].clone(), pair[1].clone(), zero(&pair[1])])
        .collect();
    let twice = program.run(&name("jvp_over_jvp"), quads)?;
    let curvature = twice.returned[3].floats()[0];
    let mut args = Vec::new();
    for (index, pair) in pairs.chunks(2).enumerate() {
        args.extend(pair.to_vec());
        if index >= subject.floats.len() {
            args.extend([zero(&pair[0]), zero(&pair[0])]);
        }
    }
    let over = program.run(&name("jvp_over_accumulate_gradient"), args)?;
    let mut floats: Vec<f64> =
        over.returned[2..].iter().skip(1).step_by(2).flat_map(Datum::floats).collect();
    floats.extend(over.places.iter().skip(3).step_by(4).flat_map(Datum::floats));
    Ok(Second { curvature, floats, largest: twice.largest.max(over.largest) })
}
