//! Random programs, the generator that makes them and the oracle that judges them.
//!
//! `COTANGENT_PROGRAMS=N` sets how many programs are tested here; the binary `programs` tests thousands.

use std::cell::Cell;
use std::collections::BTreeSet;

use cotangent_tests::programs::batch::Package;
use cotangent_tests::programs::generate::feature;
use cotangent_tests::programs::oracle::{
    Complaint, Judgement, Point, Property, Reverse, Subject, judge,
};
use cotangent_tests::programs::syntax::{Access, Program};
use cotangent_tests::programs::{construct, generate, names, print};

/// The first seed of the programs that are tested.
const SEED: u64 = 1;

/// Programs that are known to fail, with the property. A program that passes again has to leave this list.
const KNOWN: [(u64, &str); 0] = [];

#[test]
fn programs() {
    let count = std::env::var("COTANGENT_PROGRAMS").map_or(300, |count| count.parse().unwrap());
    println!("seeds {SEED} to {}", SEED + count - 1);
    let programs: Vec<Program> = (SEED..SEED + count).map(generate::program).collect();
    let verdicts = Package::new("test").test(&programs);
    let mut failures = Vec::new();
    for (program, verdict) in programs.iter().zip(&verdicts) {
        let failure = verdict.failures.first();
        if let Some((_, known)) = KNOWN.iter().find(|(seed, _)| *seed == program.seed) {
            let property = failure.map(|(property, _)| property.as_str());
            assert_eq!(property, Some(*known), "seed {} is known to fail", program.seed);
        } else if let Some((property, message)) = failure {
            failures.push(format!("seed {}: {property}: {message}", program.seed));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let points: usize = verdicts.iter().map(|verdict| verdict.points).sum();
    let skipped: usize = verdicts.iter().map(|verdict| verdict.skipped).sum();
    let infinite: usize = verdicts.iter().map(|verdict| verdict.infinite).sum();
    println!("{points} points, {skipped} with skipped differences, {infinite} not finite");
    assert!(
        20 * skipped <= points,
        "differences are believed at {skipped} of {points} points only"
    );
    assert_eq!(infinite, 0, "programs stay finite");
}

#[test]
fn a_seed_is_one_program() {
    for seed in [0, 1, 77, u64::MAX] {
        let text = print::program(&generate::program(seed));
        assert_eq!(text, print::program(&generate::program(seed)));
        assert_ne!(text, print::program(&generate::program(seed.wrapping_add(1))));
    }
}

#[test]
fn every_construct_appears() {
    let found: BTreeSet<&str> =
        (0..2000).flat_map(|seed| construct::of(&generate::program(seed))).collect();
    let known: BTreeSet<&str> = construct::ALL.iter().copied().collect();
    assert_eq!(
        known.difference(&found).collect::<Vec<_>>(),
        Vec::<&&str>::new(),
        "never generated"
    );
    assert_eq!(found.difference(&known).collect::<Vec<_>>(), Vec::<&&str>::new(), "without a name");
}

#[test]
fn every_feature_and_every_word_appears() {
    let words: BTreeSet<&str> = names::words().iter().map(String::as_str).collect();
    let mut features = BTreeSet::from([feature::NAMES, feature::CAPITALS]);
    let mut used = BTreeSet::new();
    // Each program takes the next words, and some find no name that they fit.
    for seed in 0..12 * words.len().div_ceil(names::SHARE) as u64 {
        let program = generate::program_without(seed, &[]);
        features.extend(program.features());
        used.extend(program.names.into_values());
    }
    let known: BTreeSet<&str> = feature::ALL.iter().copied().collect();
    assert_eq!(known, features);
    let unused: Vec<&&str> = words.iter().filter(|word| !used.contains(**word)).collect();
    assert!(100 * unused.len() <= words.len(), "never a name: {unused:?}");
    let unknown = feature::LEFT_OUT.iter().filter(|name| !known.contains(*name));
    assert_eq!(unknown.collect::<Vec<_>>(), Vec::<&&str>::new(), "left out, but not known");
}

#[test]
fn printed_programs_parse() {
    for seed in 0..200 {
        let text = print::program(&generate::program(seed));
        assert!(syn::parse_file(&text).is_ok(), "{text}");
    }
}

/// What is wrong with a derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    PrimalValueChanges,
    ForwardValue,
    ForwardTangent,
    ForwardTangentOfPlace,
    ForwardChanges,
    ReverseValue,
    ReverseCotangent,
    ReverseCotangentOfPlace,
    ReverseOverwrites,
    ReverseDoesNotRestore,
    ReverseChanges,
    GradientValue,
    GradientCotangent,
    GradientDoesNotRestore,
    TesterComplains,
}

/// `fn f(a: f64, x: &f64, p: &mut f64) -> f64 { *p = a * *p; p.sin() * x }`, differentiated by hand.
struct ByHand {
    fault: Fault,
    calls: Cell<f64>,
}

impl ByHand {
    fn new(fault: Fault) -> ByHand {
        ByHand { fault, calls: Cell::new(0.0) }
    }

    /// An error, where this fault is the one.
    fn off(&self, fault: Fault) -> f64 {
        if self.fault == fault { 1e-3 } else { 0.0 }
    }

    /// An error that differs from call to call.
    fn drift(&self, fault: Fault) -> f64 {
        self.calls.set(self.calls.get() + 1.0);
        self.off(fault) * self.calls.get()
    }

    fn results(at: &[f64]) -> Vec<f64> {
        let p = at[0] * at[2];
        vec![p.sin() * at[1], p]
    }
}

impl Subject for ByHand {
    fn layout(&self) -> Vec<Access> {
        vec![Access::Owned, Access::Shared, Access::Unique]
    }

    fn primal(&self, at: &[f64], _: usize) -> Vec<f64> {
        let mut results = ByHand::results(at);
        results[0] += self.drift(Fault::PrimalValueChanges);
        results
    }

    fn forward(&self, at: &[f64], direction: &[f64], _: usize) -> (Vec<f64>, Vec<f64>) {
        let mut results = ByHand::results(at);
        results[1] += self.off(Fault::ForwardValue) * 1e-12;
        let p = results[1];
        let p_dot =
            direction[0] * at[2] + at[0] * direction[2] + self.off(Fault::ForwardTangentOfPlace);
        let y_dot = p.cos() * (direction[0] * at[2] + at[0] * direction[2]) * at[1]
            + p.sin() * direction[1];
        let wrong = self.off(Fault::ForwardTangent) + self.drift(Fault::ForwardChanges) * 1e-12;
        (results, vec![y_dot + wrong, p_dot])
    }

    fn reverse(&self, at: &[f64], _: usize, shadows: &[f64], seeds: &[f64]) -> Reverse {
        let mut results = ByHand::results(at);
        results[0] += self.off(Fault::ReverseValue);
        let p = at[0] * at[2];
        let p_bar = seeds[1] + seeds[0] * p.cos() * at[1];
        let kept = if self.fault == Fault::ReverseOverwrites { 0.0 } else { shadows[0] };
        let drift = self.drift(Fault::ReverseChanges) * 1e-12;
        Reverse {
            results,
            restored: vec![at[2] + self.off(Fault::ReverseDoesNotRestore)],
            cotangents: vec![
                p_bar * at[2] + self.off(Fault::ReverseCotangent) + drift,
                kept + seeds[0] * p.sin(),
                p_bar * at[0] + self.off(Fault::ReverseCotangentOfPlace),
            ],
        }
    }

    fn gradient(&self, at: &[f64], n: usize) -> Option<Reverse> {
        let mut made = ByHand::new(Fault::None).reverse(at, n, &[0.0], &[1.0, 0.0]);
        made.results = vec![made.results[0] + self.off(Fault::GradientValue)];
        made.cotangents[1] += self.off(Fault::GradientCotangent);
        made.restored[0] += self.off(Fault::GradientDoesNotRestore);
        Some(made)
    }

    fn check(&self, _: &[f64], _: usize) -> Result<(), Complaint> {
        match self.fault {
            Fault::TesterComplains => {
                Err(Complaint { about_differences: false, message: "no".into() })
            }
            _ => Ok(()),
        }
    }
}

fn judged(fault: Fault) -> Judgement {
    judge(&ByHand::new(fault), &Point { at: vec![1.3, 0.7, -0.4], n: 0, seed: 5 })
}

#[test]
fn right_derivatives_pass() {
    let judgement = judged(Fault::None);
    assert_eq!(judgement.failures, vec![]);
    assert!(!judgement.skipped && !judgement.infinite);
}

#[test]
fn wrong_derivatives_are_found() {
    use Property::{Check, Difference, Gradient, Repeat, Restored, Shadow, Transpose, Value};
    let faults = [
        (Fault::PrimalValueChanges, Repeat),
        (Fault::ForwardValue, Value),
        (Fault::ForwardTangent, Difference),
        (Fault::ForwardTangent, Transpose),
        (Fault::ForwardTangentOfPlace, Difference),
        (Fault::ForwardTangentOfPlace, Transpose),
        (Fault::ForwardChanges, Repeat),
        (Fault::ReverseValue, Value),
        (Fault::ReverseCotangent, Transpose),
        (Fault::ReverseCotangentOfPlace, Transpose),
        (Fault::ReverseOverwrites, Shadow),
        (Fault::ReverseDoesNotRestore, Restored),
        (Fault::ReverseChanges, Repeat),
        (Fault::GradientValue, Value),
        (Fault::GradientCotangent, Gradient),
        (Fault::GradientDoesNotRestore, Restored),
        (Fault::TesterComplains, Check),
    ];
    for (fault, property) in faults {
        let failures = judged(fault).failures;
        assert!(failures.iter().any(|(found, _)| *found == property), "{fault:?}: {failures:?}");
    }
}

/// `|x|` by value, whose derivative by hand is that of the right side.
struct Corner;

impl Subject for Corner {
    fn layout(&self) -> Vec<Access> {
        vec![Access::Owned]
    }

    fn primal(&self, at: &[f64], _: usize) -> Vec<f64> {
        vec![at[0].abs()]
    }

    fn forward(&self, at: &[f64], direction: &[f64], _: usize) -> (Vec<f64>, Vec<f64>) {
        (vec![at[0].abs()], vec![direction[0]])
    }

    fn reverse(&self, at: &[f64], _: usize, _: &[f64], seeds: &[f64]) -> Reverse {
        Reverse { results: vec![at[0].abs()], restored: vec![], cotangents: seeds.to_vec() }
    }

    fn gradient(&self, _: &[f64], _: usize) -> Option<Reverse> {
        None
    }

    fn check(&self, _: &[f64], _: usize) -> Result<(), Complaint> {
        Err(Complaint { about_differences: true, message: "the point is a corner".into() })
    }
}

#[test]
fn differences_are_skipped_at_corners_only() {
    for (at, skipped) in [(0.0, true), (3e-7, true), (2e-5, true), (0.5, false)] {
        let judgement = judge(&Corner, &Point { at: vec![at], n: 0, seed: 5 });
        assert_eq!(judgement.skipped, skipped, "at {at}");
        // Away from the corner nothing excuses what `check!` says.
        assert_eq!(judgement.failures.len(), usize::from(!skipped), "{:?}", judgement.failures);
    }
}
