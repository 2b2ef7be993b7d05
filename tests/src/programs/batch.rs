//! Compiles and runs many programs at once, in a package of their own.
//!
//! In come programs, out comes a [`Verdict`] for each, whatever the others do: those that rustc rejects
//! are found by the lines of its messages and left out of the next attempt, and those at which the run
//! stands still or dies are left behind.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use super::syntax::Program;
use super::{harness, print};
use crate::target;

/// What was found about one program.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// What does not hold, with a message each: a property of the oracle's, or one of [`Trouble`].
    pub failures: Vec<(String, String)>,
    /// At how many points it was tested.
    pub points: usize,
    /// At how many of them some differences could not be believed.
    pub skipped: usize,
    /// At how many of them a result was not finite.
    pub infinite: usize,
    /// The compile error of a program that may be refused.
    pub refusal: Option<String>,
}

/// What else may go wrong with a program.
#[derive(Clone, Copy, Debug)]
pub enum Trouble {
    /// rustc accepts the function, but not with its attribute.
    Compile,
    /// rustc does not accept the function itself: the generator is wrong.
    Invalid,
    /// It did not end in time, or ended the process.
    Crash,
}

/// How many binaries each core compiles.
const PARTS: usize = 3;

/// How long nothing may be heard of a run.
const PATIENCE: Duration = Duration::from_secs(20);

/// The package that programs are written into.
pub struct Package {
    name: String,
    root: PathBuf,
    target: PathBuf,
    parts: usize,
}

/// A file of programs, and where each stands in it.
struct File {
    name: String,
    /// The name and the first line of each program, in their order.
    lines: Vec<(u64, usize)>,
}

type Verdicts = BTreeMap<u64, Verdict>;

impl Package {
    /// A package of this name, in the folder that cargo builds the running program in.
    ///
    /// # Panics
    ///
    /// When it cannot be written.
    #[must_use]
    pub fn new(name: &str) -> Package {
        let target = target::folder();
        let root = target.join("programs").join(name);
        fs::create_dir_all(root.join("src/bin")).expect("the package can be written");
        let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
        let manifest = manifest(name, tests);
        write(&root.join("Cargo.toml"), &manifest);
        // The versions that the workspace uses are there already: nothing is fetched.
        if let Ok(lock) = fs::read_to_string(tests.join("../Cargo.lock")) {
            write(&root.join("Cargo.lock"), &lock);
        }
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        // A part with an error is compiled again, and so parts are small.
        let parts = PARTS * cores;
        Package { name: name.into(), root, target, parts }
    }

    /// Tests programs of different seeds; the verdicts are in their order.
    ///
    /// # Panics
    ///
    /// When cargo fails for a reason that is no program's.
    #[must_use]
    pub fn test(&self, programs: &[Program]) -> Vec<Verdict> {
        let mut verdicts = Verdicts::new();
        let refused = self.refuse(programs);
        let accepted = programs.iter().filter(|program| !refused.contains_key(&program.id));
        let accepted: Vec<Program> = accepted.cloned().collect();
        let rejected = self.compile(&accepted, Form::Differentiated);
        for part in 0..self.parts {
            self.run(&self.part(part), &mut verdicts);
        }
        for (id, (trouble, message)) in self.classify(programs, rejected) {
            verdicts.entry(id).or_default().failures.push((format!("{trouble:?}"), message));
        }
        for (id, (trouble, message)) in self.classify(programs, refused) {
            let verdict = verdicts.entry(id).or_default();
            match trouble {
                Trouble::Compile => verdict.refusal = Some(message),
                _ => verdict.failures.push((format!("{trouble:?}"), message)),
            }
        }
        let take = |program: &Program| verdicts.remove(&program.id).unwrap_or_default();
        programs.iter().map(take).collect()
    }

    /// Finds the programs that are refused and may be: most of those that may be are.
    fn refuse(&self, programs: &[Program]) -> BTreeMap<u64, String> {
        let refusable = programs.iter().filter(|program| program.is_refusable());
        let refusable: Vec<Program> = refusable.cloned().collect();
        match refusable.is_empty() {
            true => BTreeMap::new(),
            false => self.compile(&refusable, Form::Function),
        }
    }

    /// Compiles the functions alone, which is faster, and finds nothing but [`Trouble`] with that.
    ///
    /// # Panics
    ///
    /// When cargo fails for a reason that is no program's.
    #[must_use]
    pub fn check(&self, programs: &[Program]) -> Vec<Verdict> {
        let rejected = self.compile(programs, Form::Function);
        let mut classified = self.classify(programs, rejected);
        let verdict = |program: &Program| {
            let trouble = classified.remove(&program.id).into_iter();
            let failures = trouble.map(|(trouble, message)| (format!("{trouble:?}"), message));
            Verdict { failures: failures.collect(), ..Verdict::default() }
        };
        programs.iter().map(verdict).collect()
    }

    /// Says of programs that were rejected whether rustc rejects the function itself.
    fn classify(
        &self,
        programs: &[Program],
        rejected: BTreeMap<u64, String>,
    ) -> BTreeMap<u64, (Trouble, String)> {
        let suspects = programs.iter().filter(|program| rejected.contains_key(&program.id));
        let suspects: Vec<Program> = suspects.cloned().collect();
        if suspects.is_empty() {
            return BTreeMap::new();
        }
        let invalid = self.compile(&suspects, Form::Plain);
        let classified = rejected.into_iter().map(|(id, message)| match invalid.get(&id) {
            Some(message) => (id, (Trouble::Invalid, message.clone())),
            None => (id, (Trouble::Compile, message)),
        });
        classified.collect()
    }

    /// Compiles what compiles, and returns rustc's messages about the rest.
    fn compile(&self, programs: &[Program], form: Form) -> BTreeMap<u64, String> {
        let mut rejected = BTreeMap::new();
        loop {
            let files = self.write(programs, &rejected, form);
            let Err(messages) = self.build(form) else { return rejected };
            let found = attribute(&messages, &files);
            assert!(!found.is_empty(), "cargo fails, but not because of a program:\n{messages}");
            rejected.extend(found);
        }
    }

    /// The name of one of the binaries. Packages share a folder of binaries.
    fn part(&self, part: usize) -> String {
        format!("programs_{}_{part}", self.name)
    }

    /// Writes what is left. No program moves to another part, so that parts without errors are compiled once.
    fn write(
        &self,
        programs: &[Program],
        rejected: &BTreeMap<u64, String>,
        form: Form,
    ) -> Vec<File> {
        let share = programs.len().div_ceil(self.parts).max(1);
        let mut shares = programs.chunks(share);
        let parts = (0..self.parts).map(|part| {
            let share = shares.next().unwrap_or_default().iter();
            let left: Vec<&Program> =
                share.filter(|program| !rejected.contains_key(&program.id)).collect();
            let (text, lines) = file(&left, form);
            let name = format!("src/bin/{}.rs", self.part(part));
            write(&self.root.join(&name), &text);
            File { name, lines }
        });
        parts.collect()
    }

    fn build(&self, form: Form) -> Result<(), String> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let command = if form == Form::Differentiated { "build" } else { "check" };
        let outcome = Command::new(cargo)
            .current_dir(&self.root)
            .args([
                command,
                "--offline",
                "--keep-going",
                "--quiet",
                "--color=never",
                "--target-dir",
            ])
            .arg(&self.target)
            .env("CARGO_INCREMENTAL", "0")
            .output()
            .expect("cargo can be run");
        let messages = String::from_utf8_lossy(&outcome.stderr).into_owned();
        if outcome.status.success() { Ok(()) } else { Err(messages) }
    }

    fn run(&self, name: &str, verdicts: &mut Verdicts) {
        let mut after = None;
        while let Some(stuck) = self.run_after(name, after, verdicts) {
            let verdict = verdicts.entry(stuck).or_default();
            let message = "it stands still, or ended the process".into();
            verdict.failures.push((format!("{:?}", Trouble::Crash), message));
            after = Some(stuck);
        }
    }

    /// Runs what comes after a program, and returns the program that the run did not survive.
    fn run_after(&self, name: &str, after: Option<u64>, verdicts: &mut Verdicts) -> Option<u64> {
        let mut child = Command::new(self.target.join("debug").join(name))
            .args(after.map(|id| id.to_string()))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("what was built can be run");
        let lines = lines_of(&mut child);
        let mut running = None;
        loop {
            match lines.recv_timeout(PATIENCE) {
                Ok(line) => running = record(&line, verdicts).or(running),
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        // It has ended, unless it stands still.
        let _ = child.kill();
        let _ = child.wait();
        running.filter(|id| verdicts.get(id).is_none_or(|verdict| verdict.points == 0))
    }
}

/// What is made of a program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// With its attribute and what the oracle needs.
    Differentiated,
    /// With its attribute.
    Function,
    /// Without.
    Plain,
}

fn manifest(name: &str, tests: &Path) -> String {
    let tests = tests.display();
    format!(
        "[package]\nname = \"cotangent-programs-{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n\
         [dependencies]\ncotangent = {{ path = '{tests}/../core' }}\ncotangent-tests = {{ path = '{tests}', default-features = false }}\n\n\
         [workspace]\n\n[profile.dev.package.cotangent-programs-{name}]\ndebug = false\ncodegen-units = 1\n\n[profile.dev.build-override]\nopt-level = 1\n"
    )
}

/// Writes a file unless it is the same already, since cargo goes by its time.
fn write(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return;
    }
    fs::write(path, text).expect("the package can be written");
}

const HEAD: &str = "\
#![allow(warnings)]
use cotangent::{Differentiable, differentiate};
use cotangent_tests::programs::flat::{Flat, Floats, Reader};
use cotangent_tests::programs::oracle::{Complaint, Reverse, Subject};
use cotangent_tests::programs::prelude::*;
use cotangent_tests::programs::run::complaint;
use cotangent_tests::programs::syntax::Access;
";

/// The module that a program's items are in, since others have the same names.
fn module(program: &Program) -> String {
    format!("module_{}", program.id)
}

/// The text of a file, and the line at which each program begins.
fn file(programs: &[&Program], form: Form) -> (String, Vec<(u64, usize)>) {
    let mut text = String::from(HEAD);
    let mut lines = Vec::new();
    for program in programs {
        lines.push((program.id, text.lines().count() + 1));
        let _ = writeln!(text, "mod {} {{ use super::*;", module(program));
        match form {
            Form::Plain => text.push_str(&print::plain(program)),
            Form::Function => text.push_str(&print::program(program)),
            Form::Differentiated => {
                text.push_str(&print::program(program));
                text.push_str(&harness::subject(program));
            }
        }
        text.push_str("}\n");
    }
    let entry = |program: &&Program| {
        let (module, subject) = (module(program), harness::name(program));
        format!("({}, {}, &{module}::{subject}), ", program.id, program.seed)
    };
    let entries: String = match form {
        Form::Plain | Form::Function => String::new(),
        Form::Differentiated => programs.iter().map(entry).collect(),
    };
    let _ = writeln!(text, "fn main() {{ cotangent_tests::programs::run::all(&[{entries}]); }}");
    (text, lines)
}

/// An error that follows from others.
const FOLLOWS: &str = "a gradient needs one float as output";

/// The program that each of rustc's errors is about, with the first error.
fn attribute(messages: &str, files: &[File]) -> BTreeMap<u64, String> {
    let mut found = BTreeMap::new();
    for message in messages
        .split("\nerror")
        .map(|message| format!("error{}", message.trim_start_matches("error")))
    {
        let Some((_, place)) = message.split_once("--> ") else { continue };
        let mut place = place.lines().next().unwrap_or_default().split(':');
        let (Some(name), Some(line)) =
            (place.next(), place.next().and_then(|line| line.parse().ok()))
        else {
            continue;
        };
        let file = files.iter().find(|file| file.name == name);
        let before = |(_, first): &&(u64, usize)| *first <= line;
        let program = file.and_then(|file| file.lines.iter().rev().find(before));
        if let Some((id, _)) = program {
            // It is said of every function that fails for another reason.
            let said = found.entry(*id).or_insert_with(|| message.clone());
            if said.contains(FOLLOWS) {
                *said = message;
            }
        }
    }
    found
}

fn lines_of(child: &mut Child) -> Receiver<String> {
    let (sender, receiver) = channel();
    let output = BufReader::new(child.stdout.take().expect("it is piped"));
    std::thread::spawn(move || {
        for line in output.lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    receiver
}

/// Takes in one line of [`run`](super::run), and returns the program that begins with it.
fn record(line: &str, verdicts: &mut Verdicts) -> Option<u64> {
    let mut words = line.splitn(4, ' ');
    let (word, id) = (words.next()?, words.next()?.parse().ok()?);
    let verdict: &mut Verdict = verdicts.entry(id).or_default();
    match word {
        "begin" => return Some(id),
        "fail" => verdict.failures.push((words.next()?.into(), words.next()?.into())),
        "end" => {
            let rest = format!("{} {}", words.next()?, words.next()?);
            let mut counts = rest.split(' ').filter_map(|count| count.parse().ok());
            verdict.points = counts.next()?;
            verdict.skipped = counts.next()?;
            verdict.infinite = counts.next()?;
        }
        _ => {}
    }
    None
}
