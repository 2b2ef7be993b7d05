//! What becomes of mutants.
//!
//! In: the mutated copy, the tests, and a mutant. Out: a [`Verdict`]. The compiler is run on the inputs that reach the
//! mutant; of those for which other code comes out, the tests with the least code are compiled and run. **Invariant:** a
//! test kills only if it passes when it is compiled in the same way without a mutant.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Mutex;

use super::compiler::{Compiler, Effect};
use super::site::{Mutation, Site};
use super::suite::{Place, Suite, Unit};
use super::table;
use super::trial::{Bench, Outcome};
use super::workspace::Workspace;
use crate::inputs::case::Case;

/// How many tests are compiled at once, first and later.
const BATCHES: [usize; 3] = [5, 12, 23];

/// How many tests of stages are compiled at once, behind the first others: they are compiled soon.
const STAGES: usize = 40;

/// Of how many inputs with other code it is known that they have it.
const DIFFERING: usize = 100;

/// What became of a mutant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Noticed: how, and by what.
    Killed(Killer, String),
    /// No input of the tests reaches it.
    Unreached,
    /// This many inputs reach it, and the code of none is another.
    Same(usize),
    /// The code of so many inputs is another, such as that of this one, and so many tests of them pass.
    Survived(usize, usize, String),
}

/// How a mutant was noticed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Killer {
    /// The compiler panics, or its IR does not hold.
    Panic,
    /// The compiler does not end.
    Hang,
    /// The compiler has other errors, or has some where it has none.
    Diagnostic,
    /// rustc does not take the code.
    Rustc,
    /// A test fails.
    Test,
    /// The test of the rule table fails.
    Row,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Killed(killer, by) => write!(f, "killed ({killer:?}): {by}"),
            Verdict::Unreached => write!(f, "SURVIVED: no input reaches it"),
            Verdict::Same(reached) => write!(f, "SURVIVED: same code for all {reached} inputs"),
            Verdict::Survived(differing, tried, example) => {
                write!(
                    f,
                    "SURVIVED: other code for {differing} inputs, {tried} tests pass ({example})"
                )
            }
        }
    }
}

/// All that verdicts are found with.
pub struct Campaign<'w> {
    workspace: &'w Workspace,
    suite: Suite,
    compiler: Compiler,
    /// The tests in which a node is compiled.
    units: BTreeMap<usize, Vec<usize>>,
    /// Which tests pass by themselves without a mutant, as far as that is known.
    passing: Mutex<BTreeMap<usize, bool>>,
}

impl Campaign<'_> {
    /// Reads the tests, and runs the compiler on their inputs without a mutant.
    #[must_use]
    pub fn new(workspace: &Workspace) -> Campaign<'_> {
        let suite = Suite::read();
        let units = suite.units_by_node();
        let shortest = |node: &usize| units.get(node).map(|units| &suite.units[units[0]]);
        // What tests of stages show comes first, since it is little.
        let size = |place: &Place| match place {
            Place::Node(node) => {
                shortest(node).map(|unit| (!suite.looks_at_stages(unit), unit.size))
            }
            Place::Mistake(_) => Some((true, usize::MAX)),
        };
        let mut order: Vec<((bool, usize), usize)> = suite
            .cases
            .iter()
            .enumerate()
            .filter_map(|(index, (_, place))| Some((size(place)?, index)))
            .collect();
        order.sort_unstable();
        let order: Vec<usize> = order.into_iter().map(|(_, index)| index).collect();
        let cases: Vec<&Case> = suite.cases.iter().map(|(case, _)| case).collect();
        let compiler = Compiler::new(workspace, &cases, &order);
        Campaign { workspace, suite, compiler, units, passing: Mutex::default() }
    }

    /// How many inputs and how many tests there are.
    #[must_use]
    pub fn sizes(&self) -> (usize, usize) {
        (self.suite.cases.len(), self.suite.units.len())
    }

    /// What becomes of a mutant, with tests compiled in a place of a number.
    #[must_use]
    pub fn verdict(&self, site: &Site, bench: usize) -> Verdict {
        let verdict = self.by_the_suite(site.id, bench);
        match (&verdict, &site.mutation) {
            (Verdict::Killed(..), _) => verdict,
            (_, Mutation::Partial { row, index, from, to }) => {
                let bench = Bench::new(self.workspace, bench);
                let passes = |partial: &str| {
                    bench.run(0, &table::test(row, *index, partial)) == Outcome::Passed
                };
                let is_killed = !passes(to) && passes(from);
                if is_killed { Verdict::Killed(Killer::Row, row.clone()) } else { verdict }
            }
            _ => verdict,
        }
    }

    /// What the tests of derivatives say.
    fn by_the_suite(&self, mutant: usize, bench: usize) -> Verdict {
        let reached = self.compiler.reached.get(&mutant).map_or(0, Vec::len);
        if reached == 0 {
            return Verdict::Unreached;
        }
        match self.compiler.effect(mutant, DIFFERING) {
            Effect::Broken(case, "no end") => Verdict::Killed(Killer::Hang, self.place(case)),
            Effect::Broken(case, _) => Verdict::Killed(Killer::Panic, self.place(case)),
            Effect::Errors(case) => Verdict::Killed(Killer::Diagnostic, self.place(case)),
            Effect::Code(cases) => {
                let nodes: Vec<usize> = cases.iter().filter_map(|case| self.node(*case)).collect();
                match nodes.len() {
                    0 => Verdict::Same(reached),
                    count => {
                        let verdict = self.tried(mutant, self.candidates(&nodes), bench);
                        verdict.unwrap_or_else(|tried| {
                            Verdict::Survived(count, tried, self.place(cases[0]))
                        })
                    }
                }
            }
        }
    }

    fn node(&self, case: usize) -> Option<usize> {
        match self.suite.cases[case].1 {
            Place::Node(node) => Some(node),
            Place::Mistake(_) => None,
        }
    }

    /// Where an input stands.
    fn place(&self, case: usize) -> String {
        match &self.suite.cases[case].1 {
            Place::Node(node) => {
                let unit = self.units.get(node).map(|units| &self.suite.units[units[0]]);
                unit.map(|unit| self.suite.name(unit)).unwrap_or_default()
            }
            Place::Mistake(path) => path.file_name().unwrap_or_default().display().to_string(),
        }
    }

    /// The tests of some nodes, of each node its shortest first.
    fn candidates(&self, nodes: &[usize]) -> Vec<usize> {
        let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
        for rank in 0..3 {
            for node in nodes {
                let units = self.units.get(node).map_or(&[][..], |units| units);
                found.extend(units.get(rank).copied().filter(|unit| seen.insert(*unit)));
            }
        }
        found
    }

    /// Compiles and runs tests until one does not pass. Else, how many there were.
    fn tried(&self, mutant: usize, candidates: Vec<usize>, bench: usize) -> Result<Verdict, usize> {
        let bench = Bench::new(self.workspace, bench);
        let looks = |unit: &usize| self.suite.looks_at_stages(&self.suite.units[*unit]);
        let (mut stages, mut left): (Vec<usize>, Vec<usize>) =
            candidates.into_iter().partition(looks);
        stages.truncate(STAGES);
        let mut tried = 0;
        for size in BATCHES {
            left.retain(|unit| self.is_passing(*unit) != Some(false));
            let batches = [self.spread(&mut left, size), std::mem::take(&mut stages)];
            for batch in batches {
                if let Some(killed) = self.killed(mutant, &batch, &bench) {
                    return Ok(killed);
                }
                tried += batch.iter().filter(|unit| self.is_passing(**unit) != Some(false)).count();
            }
        }
        Err(tried)
    }

    /// Takes the first tests, and of each file only one before those of others.
    fn spread(&self, left: &mut Vec<usize>, size: usize) -> Vec<usize> {
        let mut files = BTreeSet::new();
        let (mut first, rest): (Vec<usize>, Vec<usize>) = left
            .iter()
            .partition(|unit| files.insert(self.suite.file_of(&self.suite.units[**unit])));
        first.extend(rest);
        *left = first.split_off(size.min(first.len()));
        first
    }

    /// Whether tests notice a mutant. If they do not pass without one either, each is looked at alone.
    fn killed(&self, mutant: usize, batch: &[usize], bench: &Bench) -> Option<Verdict> {
        let outcome = |batch: &[usize]| match batch {
            [] => Outcome::Passed,
            _ => self.outcome(mutant, batch, bench),
        };
        let first = outcome(batch);
        if first == Outcome::Passed || self.validate(batch, &first, bench) {
            return self.verdict_of(first, batch);
        }
        let is_valid = |unit: &usize| self.is_passing(*unit) == Some(true);
        let valid: Vec<usize> = batch.iter().copied().filter(is_valid).collect();
        let second = outcome(&valid);
        if second == Outcome::Passed || self.validate(&valid, &second, bench) {
            return self.verdict_of(second, &valid);
        }
        None
    }

    fn verdict_of(&self, outcome: Outcome, batch: &[usize]) -> Option<Verdict> {
        match outcome {
            Outcome::Passed => None,
            Outcome::Rejected(error) => {
                Some(Verdict::Killed(Killer::Rustc, format!("{error} ({})", self.names(batch))))
            }
            Outcome::Failed(test) => Some(Verdict::Killed(Killer::Test, test)),
        }
    }

    fn names(&self, units: &[usize]) -> String {
        let names: Vec<String> =
            units.iter().map(|unit| self.suite.name(&self.suite.units[*unit])).collect();
        names.join(", ")
    }

    fn outcome(&self, mutant: usize, units: &[usize], bench: &Bench) -> Outcome {
        let units: Vec<&Unit> = units.iter().map(|unit| &self.suite.units[*unit]).collect();
        bench.run(mutant, &self.suite.text(&units))
    }

    /// Whether tests that a mutant does not pass do pass without one. If they do not, that is found out of each alone. Code
    /// that rustc does not take is compiled once more in the very same crate.
    fn validate(&self, units: &[usize], found: &Outcome, bench: &Bench) -> bool {
        let is_known = units.iter().all(|unit| self.is_passing(*unit) == Some(true));
        if is_known && !matches!(found, Outcome::Rejected(_)) {
            return true;
        }
        let all = self.outcome(0, units, bench) == Outcome::Passed;
        for unit in units {
            let passes = all || self.outcome(0, &[*unit], bench) == Outcome::Passed;
            self.passing.lock().expect("nothing panics in between").insert(*unit, passes);
        }
        all
    }

    fn is_passing(&self, unit: usize) -> Option<bool> {
        self.passing.lock().expect("nothing panics in between").get(&unit).copied()
    }

    /// The tests that do not pass without a mutant when they are compiled alone, by name: they need more than they mention.
    #[must_use]
    pub fn unusable(&self) -> Vec<String> {
        let passing = self.passing.lock().expect("nothing panics in between");
        let failing = passing.iter().filter(|(_, passes)| !**passes);
        failing.map(|(unit, _)| self.suite.name(&self.suite.units[*unit])).collect()
    }
}
