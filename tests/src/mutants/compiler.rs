//! What the mutated compiler does with the inputs of the tests.
//!
//! In: inputs and a mutant. Out: how it ends, and the inputs of which it makes something else than the compiler that has
//! no mutant on. Only inputs that reach the mutant are run, which a run that records them has found.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use super::process::{limited, output};
use super::workspace::{Workspace, save};
use crate::inputs::case::Case;

/// How long one mutant's inputs may take. Each by itself has a limit in `expand`.
const LIMIT: Duration = Duration::from_secs(300);

/// What was emitted of an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Emitted {
    code: u64,
    errors: u64,
    count: usize,
    broken: usize,
}

/// What a mutant makes of inputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// It does not come through one of them: it panics, breaks an invariant of the IR, or has no end.
    Broken(usize, &'static str),
    /// It has other errors for one of them.
    Errors(usize),
    /// It emits other code for these, or for none.
    Code(Vec<usize>),
}

/// The compiler, and what it does without a mutant.
pub struct Compiler {
    program: String,
    file: PathBuf,
    emitted: BTreeMap<usize, Emitted>,
    /// The inputs that reach each mutant, in the order in which they are run.
    pub reached: BTreeMap<usize, Vec<usize>>,
}

impl Compiler {
    /// Runs all inputs, in an order, without a mutant.
    ///
    /// # Panics
    ///
    /// When the compiler fails.
    #[must_use]
    pub fn new(workspace: &Workspace, cases: &[&Case], order: &[usize]) -> Compiler {
        let file = workspace.root.join("cases.txt");
        let texts: Vec<String> = cases.iter().map(|case| case.to_string()).collect();
        save(&file, &texts.join("\n===\n"));
        let program = workspace.expand.display().to_string();
        let mut compiler =
            Compiler { program, file, emitted: BTreeMap::new(), reached: BTreeMap::new() };
        let lines = compiler.lines("record", order, LIMIT * 10);
        for line in lines.iter().filter_map(|line| line.strip_prefix("end ")) {
            let numbers: Vec<u64> =
                line.split(' ').filter_map(|number| number.parse().ok()).collect();
            let (index, emitted) = read(&numbers).expect("a line has its numbers");
            compiler.emitted.insert(index, emitted);
            for id in &numbers[6..] {
                compiler.reached.entry(*id as usize).or_default().push(index);
            }
        }
        assert_eq!(compiler.emitted.len(), order.len(), "the compiler fails: {:?}", lines.last());
        compiler
    }

    /// What a mutant makes of the inputs that reach it. Of inputs with other code no more than `most` are looked for.
    #[must_use]
    pub fn effect(&self, mutant: usize, most: usize) -> Effect {
        let mut differing = Vec::new();
        let reached = self.reached.get(&mutant).map_or(&[][..], |reached| reached);
        for part in reached.chunks(200) {
            let lines = self.lines(&mutant.to_string(), part, LIMIT);
            if let Some(effect) = self.compare(part, &lines, &mut differing) {
                return effect;
            }
            if differing.len() >= most {
                break;
            }
        }
        Effect::Code(differing)
    }

    fn compare(
        &self,
        part: &[usize],
        lines: &[String],
        differing: &mut Vec<usize>,
    ) -> Option<Effect> {
        let mut ends = lines.iter().filter_map(|line| line.strip_prefix("end "));
        for index in part {
            let numbers = ends.next().map(|line| {
                line.split(' ').filter_map(|number| number.parse().ok()).collect::<Vec<_>>()
            });
            let Some((_, found)) = numbers.and_then(|numbers| read(&numbers)) else {
                let is_endless = lines.last().is_none_or(|line| line == "hang");
                return Some(Effect::Broken(*index, if is_endless { "no end" } else { "panic" }));
            };
            let before = self.emitted[index];
            if found.broken != before.broken {
                return Some(Effect::Broken(*index, "invariant"));
            }
            if found.errors != before.errors {
                return Some(Effect::Errors(*index));
            }
            if found.code != before.code {
                differing.push(*index);
            }
        }
        None
    }

    fn lines(&self, mutant: &str, indices: &[usize], limit: Duration) -> Vec<String> {
        let mut command = limited(&self.program, &[self.file.display().to_string()]);
        let wanted: Vec<String> = indices.iter().map(ToString::to_string).collect();
        let output = output(command.env("COTANGENT_MUTANT", mutant), &wanted.join(" "), limit);
        let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        text.unwrap_or_default().lines().map(str::to_owned).collect()
    }
}

fn read(numbers: &[u64]) -> Option<(usize, Emitted)> {
    let [index, code, errors, count, broken, _, ..] = *numbers else { return None };
    Some((index as usize, Emitted { code, errors, count: count as usize, broken: broken as usize }))
}
