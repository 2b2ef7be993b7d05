//! Whether passes and transforms mean what they should, on one program.
//!
//! In: a program. Out: nothing, or what is wrong. The interpreter runs the program and its derivatives before and after
//! each pass: results are the same, values bit for bit; derivatives up to the rounding of sums, which some passes order
//! anew. Forward and reverse agree, and both agree with differences where the function is smooth; places are brought back,
//! and shadows added to; second derivatives agree with those of gradients along a direction.

use super::program::{Access, LENGTH, Program};
use crate::programs::random::Random;
use cotangent_compiler::interpret::{self, Datum, Fault, Outcome};
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
    /// How often a pass changed a program.
    pub passes: BTreeMap<String, u64>,
    /// How often an operation stands in programs and derivatives.
    pub operations: BTreeMap<String, u64>,
}

impl Counts {
    /// Adds those of other programs.
    pub fn add(&mut self, other: Counts) {
        self.smooth += other.smooth;
        self.without_result += other.without_result;
        other
            .passes
            .into_iter()
            .for_each(|(name, count)| *self.passes.entry(name).or_default() += count);
        let operations = other.operations.into_iter();
        operations.for_each(|(name, count)| *self.operations.entry(name).or_default() += count);
    }

    fn look(&mut self, text: &str) {
        for line in text.lines().map(str::trim) {
            let operation = line.split_once(" = ").map_or(line, |(_, operation)| operation);
            let word: String =
                operation.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            let is_word = word.starts_with(char::is_alphabetic);
            if is_word && !matches!(&*word, "fn" | "slot" | "yield" | "return" | "v0") {
                *self.operations.entry(word).or_default() += 1;
            }
        }
    }
}

/// The passes over primals.
const OF_PRIMALS: [&str; 5] = ["kinds", "prune", "dce", "invariant", "moves"];

/// The passes over derivatives, in the order in which they run: those of the fixed point, and those behind it.
const REPEATED: [&str; 13] = [
    "prune",
    "constant",
    "fold",
    "cse",
    "invariant",
    "entries",
    "uniform",
    "dce",
    "lift",
    "combine",
    "hold",
    "order",
    "fuse",
];
const LAST: [&str; 11] = [
    "counters",
    "captures",
    "kinds",
    "fixed",
    "save_sections",
    "carry",
    "strips",
    "guard",
    "shadows",
    "unread",
    "reside",
];

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
            arrays: main.arrays.iter().map(|access| (*access, row(LENGTH))).collect(),
            dots: row(main.floats),
            array_dots: main.arrays.iter().map(|_| row(LENGTH)).collect(),
            shadows: main.arrays.iter().map(|_| row(LENGTH)).collect(),
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

    /// Each followed by its tangent.
    fn dual_args(&self) -> Vec<Datum> {
        let args = self.args(0.0);
        let floats = self.dots.iter().map(|dot| Datum::Double(*dot));
        let dots = floats.chain(self.array_dots.iter().map(|dots| Datum::doubles(dots)));
        args.into_iter().zip(dots).flat_map(|(arg, dot)| [arg, dot]).collect()
    }

    fn shadow(&self, place: usize, is_empty: bool) -> Datum {
        if is_empty { Datum::doubles(&[0.0; LENGTH]) } else { Datum::doubles(&self.shadows[place]) }
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

/// All that runs of a program and of its derivatives give.
#[derive(Clone)]
struct Results {
    /// The value with the places behind it, bit for bit what they are.
    value: Vec<Datum>,
    /// The derivatives: what forward, gradient and pullback return and leave.
    derivatives: Vec<(&'static str, Vec<f64>)>,
}

/// A run of one of several functions, or that it panics.
type Ran = Result<Results, Fault>;

/// Runs a program's first derivatives.
fn first_order(program: &interpret::Program, subject: &Subject) -> Ran {
    let name = |kind: &str| format!("{}::{kind}", subject.main);
    let jvp = program.run(&name("jvp"), subject.dual_args())?;
    let accumulate = program.run(&name("accumulate_gradient"), subject.shadowed_args())?;
    let vjp = program.run(&name("vjp"), subject.args(0.0))?;
    let Some(Datum::Pullback(pullback)) = vjp.returned.get(1) else {
        return Err(Fault::Broken("a `vjp` without a pullback".to_owned()));
    };
    let mut args = Vec::new();
    for (place, left) in vjp.places.iter().enumerate() {
        args.extend([left.clone(), subject.shadow(place, true)]);
    }
    args.push(Datum::Double(subject.seed));
    let pulled = program.pull(pullback, args)?;
    let floats = |data: &[Datum]| data.iter().flat_map(Datum::floats).collect::<Vec<f64>>();
    let mut value =
        vec![jvp.returned[0].clone(), accumulate.returned[0].clone(), vjp.returned[0].clone()];
    value.extend(vjp.places.clone());
    value.extend(jvp.places.iter().step_by(2).cloned());
    // A gradient and a pullback leave the places as they were.
    let restored = pulled.places.iter().step_by(2).chain(accumulate.places.iter().step_by(2));
    value.extend(restored.cloned());
    let dots = jvp.places.iter().skip(1).step_by(2).cloned().collect::<Vec<_>>();
    let shadows = pulled.places.iter().skip(1).step_by(2).cloned().collect::<Vec<_>>();
    let totals = accumulate.places.iter().skip(1).step_by(2).cloned().collect::<Vec<_>>();
    let derivatives = vec![
        ("tangent", floats(&jvp.returned[1..])),
        ("tangents of places", floats(&dots)),
        ("cotangents", floats(&pulled.returned)),
        ("shadows", floats(&shadows)),
        ("gradient", floats(&accumulate.returned[1..])),
        ("shadows of the gradient", floats(&totals)),
    ];
    Ok(Results { value, derivatives })
}

/// How far apart two floats may be: they are sums of the same terms.
fn is_near(a: f64, b: f64) -> bool {
    let size = a.abs().max(b.abs());
    a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-9 * size.max(1.0)
}

fn same(before: &Ran, after: &Ran) -> Result<(), String> {
    match (before, after) {
        (Ok(before), Ok(after)) => {
            let mut pairs = before.value.iter().zip(&after.value);
            if let Some((a, b)) = pairs.find(|(a, b)| !a.is_identical(b)) {
                return Err(format!("the value is {b:?} and was {a:?}"));
            }
            for ((name, a), (_, b)) in before.derivatives.iter().zip(&after.derivatives) {
                if a.len() != b.len() || a.iter().zip(b).any(|(a, b)| !is_near(*a, *b)) {
                    return Err(format!("{name}: {b:?} and before {a:?}"));
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

/// Judges a program with the arguments of a seed.
///
/// # Errors
///
/// What is wrong.
pub fn judge(program: &Program, seed: u64, counts: &mut Counts) -> Result<(), Failure> {
    let text = program.text();
    let parsed = interpret::Program::parse(&text).map_err(|error| failure("parse", error))?;
    if parsed
        .to_string()
        .lines()
        .filter(|line| !line.is_empty())
        .ne(text.lines().filter(|line| !line.is_empty()))
    {
        return Err(failure("round trip", parsed.to_string()));
    }
    let subject = Subject::new(program, seed);
    counts.look(&text);
    let value = match parsed.run(&subject.main, subject.args(0.0)) {
        Ok(value) => value,
        Err(Fault::Panic(_) | Fault::Endless) => {
            counts.without_result += 1;
            return Ok(());
        }
        Err(fault) => return Err(failure("run", fault.to_string())),
    };
    primal_passes(&parsed, &subject, &value, counts)?;
    let derived = parsed.derive(1).map_err(|error| failure("derive", error))?;
    counts.look(&derived.to_string());
    let results = first_order(&derived, &subject);
    let found = match &results {
        Ok(found) => found,
        Err(fault) => return Err(failure("derivative", fault.to_string())),
    };
    is_value(found, &value, &subject)?;
    derivatives_agree(found, &parsed, &subject, counts)?;
    derived_passes(derived, &subject, &results, counts)?;
    second_order(&parsed, &subject, found)
}

fn primal_passes(
    program: &interpret::Program,
    subject: &Subject,
    value: &Outcome,
    counts: &mut Counts,
) -> Result<(), Failure> {
    let mut program = program.clone();
    for pass in OF_PRIMALS {
        let next = applied(&program, pass, counts)?;
        let Some(next) = next else { continue };
        let again = next.run(&subject.main, subject.args(0.0));
        let again = again.map_err(|fault| failure(format!("pass {pass}"), fault.to_string()))?;
        let pairs = value
            .returned
            .iter()
            .chain(&value.places)
            .zip(again.returned.iter().chain(&again.places));
        for (a, b) in pairs {
            if !a.is_identical(b) {
                return Err(failure(
                    format!("pass {pass}"),
                    format!("{b:?} in the place of {a:?}"),
                ));
            }
        }
        program = next;
    }
    Ok(())
}

/// What a pass makes of a program, if it changes it.
fn applied(
    program: &interpret::Program,
    pass: &str,
    counts: &mut Counts,
) -> Result<Option<interpret::Program>, Failure> {
    let next = program.apply(pass).map_err(|error| failure(format!("pass {pass}"), error))?;
    let has_changed = next.to_string() != program.to_string();
    if has_changed {
        *counts.passes.entry(pass.to_owned()).or_default() += 1;
    }
    Ok(has_changed.then_some(next))
}

/// The value that derivatives return is the function's, and places come back.
fn is_value(found: &Results, value: &Outcome, subject: &Subject) -> Result<(), Failure> {
    let returned = std::iter::repeat_n(&value.returned[0], 3);
    let places = value.places.iter().chain(&value.places);
    let start: Vec<Datum> = subject.args(0.0).split_off(subject.floats.len());
    let expected = returned.chain(places).chain(&start).chain(&value.places);
    // A gradient leaves places as the function does, as far as it writes them.
    let count = 3 + 3 * value.places.len();
    for (index, (a, b)) in expected.zip(&found.value).take(count).enumerate() {
        if !a.is_identical(b) {
            return Err(failure("value", format!("{b:?} in the place of {a:?} at {index}")));
        }
    }
    Ok(())
}

fn dot(a: &[f64], b: &[f64]) -> (f64, f64) {
    let products = a.iter().zip(b).map(|(a, b)| a * b);
    (products.clone().sum(), products.map(f64::abs).sum())
}

/// Forward, reverse and differences agree.
fn derivatives_agree(
    found: &Results,
    program: &interpret::Program,
    subject: &Subject,
    counts: &mut Counts,
) -> Result<(), Failure> {
    let of = |name: &str| {
        let found = found.derivatives.iter().find(|(known, _)| *known == name);
        found.map_or_else(Vec::new, |(_, floats)| floats.clone())
    };
    let (tangent, cotangents, shadows) = (of("tangent")[0], of("cotangents"), of("shadows"));
    let all = found.derivatives.iter().flat_map(|(_, floats)| floats);
    if all.clone().any(|float| !float.is_finite() || float.abs() > 1e8) {
        counts.without_result += 1;
        return Ok(());
    }
    let directions: Vec<f64> =
        subject.dots.iter().copied().chain(subject.array_dots.iter().flatten().copied()).collect();
    let bars: Vec<f64> = cotangents.iter().chain(&shadows).copied().collect();
    let (back, size) = dot(&bars, &directions);
    if (back - subject.seed * tangent).abs() > 1e-9 * (1.0 + size + tangent.abs()) {
        let text =
            format!("the tangent {} and the cotangents' product {back}", subject.seed * tangent);
        return Err(failure("forward and reverse", text));
    }
    let gradient: Vec<f64> =
        of("gradient").into_iter().chain(of("shadows of the gradient")).collect();
    let start = std::iter::repeat_n(0.0, subject.floats.len())
        .chain(subject.shadows.iter().flatten().copied());
    for ((added, start), bar) in gradient.iter().zip(start).zip(&bars) {
        if (added - start - bar / subject.seed).abs() > 1e-9 * (1.0 + added.abs() + bar.abs()) {
            let text = format!("the gradient {added} from {start}, and the cotangent {bar}");
            return Err(failure("gradient and pullback", text));
        }
    }
    differences(tangent, program, subject, counts)
}

/// Central differences of two steps agree where the function is smooth; only there they judge.
fn differences(
    tangent: f64,
    program: &interpret::Program,
    subject: &Subject,
    counts: &mut Counts,
) -> Result<(), Failure> {
    let at = |step: f64| match program.run(&subject.main, subject.args(step)) {
        Ok(outcome) => outcome.returned[0].floats()[0],
        Err(_) => f64::NAN,
    };
    let slope = |step: f64| (at(step) - at(-step)) / (2.0 * step);
    let slopes = [1e-4, 5e-5, 1e-5, 5e-6].map(slope);
    let middle = (slopes[2] + slopes[3]) / 2.0;
    let spread = slopes.iter().map(|slope| (slope - middle).abs()).fold(0.0, f64::max);
    let size = 1.0 + middle.abs();
    if !(spread < 1e-5 * size && at(0.0).abs() < 1e3) {
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

/// Runs all passes over derivatives, and compares after each that changes something.
fn derived_passes(
    derived: interpret::Program,
    subject: &Subject,
    before: &Ran,
    counts: &mut Counts,
) -> Result<(), Failure> {
    let mut program = derived;
    let rounds =
        std::iter::once("once").chain(REPEATED).chain(REPEATED).chain(REPEATED).chain(LAST);
    for pass in rounds {
        if let Some(next) = applied(&program, pass, counts)? {
            let after = first_order(&next, subject);
            same(before, &after).map_err(|text| failure(format!("pass {pass}"), text))?;
            program = next;
        }
    }
    Ok(())
}

/// Second derivatives along a direction: forward over forward, and forward over reverse, simplified and not.
fn second_order(
    program: &interpret::Program,
    subject: &Subject,
    first: &Results,
) -> Result<(), Failure> {
    let derived = program.derive(2).map_err(|error| failure("derive twice", error))?;
    let simplified = derived
        .apply("optimize")
        .and_then(|program| program.apply("settle"))
        .map_err(|error| failure("second order, simplified", error))?;
    let mut seen: Option<(f64, Vec<f64>)> = None;
    for (kind, program) in [("second order", &derived), ("second order, simplified", &simplified)] {
        let (curvature, floats) =
            second(program, subject).map_err(|fault| failure(kind, fault.to_string()))?;
        let is_large = |float: &f64| !float.is_finite() || float.abs() > 1e8;
        let mut of_first = first.derivatives.iter().flat_map(|(_, floats)| floats);
        if is_large(&curvature) || floats.iter().any(is_large) || of_first.any(is_large) {
            return Ok(());
        }
        let directions: Vec<f64> = subject
            .dots
            .iter()
            .copied()
            .chain(subject.array_dots.iter().flatten().copied())
            .collect();
        let (product, size) = dot(&floats, &directions);
        if (product - curvature).abs() > 1e-8 * (1.0 + size + curvature.abs()) {
            return Err(failure(kind, format!("forward {curvature}, and over reverse {product}")));
        }
        if let Some((before, rows)) = &seen {
            let is_same = is_near(*before, curvature)
                && rows.iter().zip(&floats).all(|(a, b)| is_near(*a, *b));
            if !is_same {
                return Err(failure(kind, format!("{floats:?} and before {rows:?}")));
            }
        }
        seen = Some((curvature, floats));
    }
    Ok(())
}

/// The second derivative along the direction twice, and the gradient's derivative along it.
fn second(program: &interpret::Program, subject: &Subject) -> Result<(f64, Vec<f64>), Fault> {
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
    Ok((curvature, floats))
}
