//! Compiles tests with a mutant, and runs them.
//!
//! In: the text of a crate and a mutant. Out: whether rustc takes what is emitted, and whether the tests pass.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use super::process::{limited, output};
use super::workspace::Workspace;

/// How long rustc may take, and how long the tests.
const LIMITS: [Duration; 2] = [Duration::from_secs(240), Duration::from_secs(60)];

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// All tests pass.
    Passed,
    /// rustc does not take the code; with its first error.
    Rejected(String),
    /// A test fails, or does not end; with what it says.
    Failed(String),
}

/// A place where tests are compiled, one crate after the other.
pub struct Bench<'w> {
    workspace: &'w Workspace,
    folder: PathBuf,
}

impl Bench<'_> {
    /// A place of a number.
    ///
    /// # Panics
    ///
    /// When there can be no folder.
    #[must_use]
    pub fn new(workspace: &Workspace, number: usize) -> Bench<'_> {
        let folder = workspace.root.join(format!("bench_{number}"));
        fs::create_dir_all(&folder).expect("a folder can be made");
        Bench { workspace, folder }
    }

    /// Compiles and runs a crate of tests with a mutant; with none for 0.
    ///
    /// # Panics
    ///
    /// When the crate cannot be written.
    #[must_use]
    pub fn run(&self, mutant: usize, text: &str) -> Outcome {
        let (source, program) = (self.folder.join("trial.rs"), self.folder.join("trial"));
        fs::write(&source, text).expect("the crate can be written");
        let _ = fs::remove_file(&program);
        let fixed = [
            "--test",
            "--edition=2024",
            "--crate-name=trial",
            "--cap-lints=allow",
            "-Copt-level=0",
        ];
        let mut arguments: Vec<String> = fixed.iter().map(ToString::to_string).collect();
        arguments.extend(self.workspace.externs.iter().cloned());
        arguments.extend([
            "-o".into(),
            program.display().to_string(),
            source.display().to_string(),
        ]);
        let mut rustc = limited("rustc", &arguments);
        rustc.env("COTANGENT_MUTANT", mutant.to_string()).env("CARGO_MANIFEST_DIR", &self.folder);
        rustc.current_dir(&self.workspace.root);
        match output(&mut rustc, "", LIMITS[0]) {
            Some(done) if done.status.success() => self.tested(&program.display().to_string()),
            Some(done) => Outcome::Rejected(first_error(&String::from_utf8_lossy(&done.stderr))),
            None => Outcome::Rejected("rustc does not end".into()),
        }
    }

    fn tested(&self, program: &str) -> Outcome {
        let mut command = limited(program, &["--test-threads=1".into()]);
        match output(&mut command, "", LIMITS[1]) {
            Some(done) if done.status.success() => Outcome::Passed,
            Some(done) => Outcome::Failed(failure(&String::from_utf8_lossy(&done.stdout))),
            None => Outcome::Failed("the tests do not end".into()),
        }
    }
}

fn first_error(messages: &str) -> String {
    let line = messages.lines().find(|line| line.starts_with("error"));
    line.unwrap_or("rustc ends").to_owned()
}

/// The first test that fails.
fn failure(text: &str) -> String {
    let line = text.lines().find(|line| line.ends_with("FAILED") && line.starts_with("test "));
    let Some(line) = line else { return "the tests end the process".into() };
    line.trim_start_matches("test ").trim_end_matches(" ... FAILED").to_owned()
}
