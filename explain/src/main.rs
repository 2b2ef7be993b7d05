//! `cotangent-explain`: what `cotangent` makes of a source file, without building it.
//!
//! ```text
//! cotangent-explain FILE [FUNCTION] [--stage STAGE] [--svg OUT]
//! ```
//!
//! In: a Rust file. Out: its differentiated functions, or of one of them the stages of the very compiler that the macros
//! run, the report on its tapes, and its picture. Errors are those of the macros, with the place in the file.

mod options;
mod report;

use cotangent_compiler::Stage;
use cotangent_compiler::inspect::{self, Message, Subject};
use options::Options;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let options = match options::parse(lexopt::Parser::from_env()) {
        Ok(Some(options)) => options,
        Ok(None) => {
            print(options::HELP);
            return ExitCode::SUCCESS;
        }
        Err(error) => return fail(&format!("{error}\n\n{}", options::USAGE)),
    };
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => fail(&text),
    }
}

/// Ends with a message.
fn fail(text: &str) -> ExitCode {
    eprintln!("{}", text.trim_end());
    ExitCode::FAILURE
}

/// Prints, to a reader that may have gone.
fn print(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}

fn run(options: &Options) -> Result<(), String> {
    let path = options.file.display().to_string();
    let text =
        std::fs::read_to_string(&options.file).map_err(|error| format!("{path}: {error}"))?;
    let file = syn::parse_file(&text).map_err(|error| {
        let start = error.span().start();
        let (line, column) = (start.line, start.column + 1);
        report::error(&path, &Message { line, column, text: error.to_string() })
    })?;
    let subjects = inspect::subjects(&file);
    match &options.function {
        Some(name) => one(&path, &chosen(&path, &subjects, name)?, options),
        None if options.asks() => one(&path, &only(&path, &subjects)?, options),
        None => list(&path, &subjects),
    }
}

/// A path without generic arguments.
fn bare(name: &str) -> String {
    let mut depth = 0_usize;
    let is_outside = |letter: &char| {
        let before = depth;
        match letter {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        before == 0 && depth == 0
    };
    name.chars().filter(is_outside).collect()
}

/// The functions of a name, or of the end of a path, with generic arguments or without.
fn chosen<'s>(path: &str, subjects: &'s [Subject], name: &str) -> Result<Vec<&'s Subject>, String> {
    let ends = |path: &str| {
        path.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with("::"))
    };
    let is_meant = |subject: &&Subject| ends(&subject.name) || ends(&bare(&subject.name));
    let chosen: Vec<&Subject> = subjects.iter().filter(is_meant).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = subjects.iter().map(|subject| &*subject.name).collect();
        let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        return Err(format!(
            "{path}: there is no differentiated function `{name}`; there are: {known}"
        ));
    }
    Ok(chosen)
}

/// All of a file's functions, where a stage is asked for and no function.
fn only<'s>(path: &str, subjects: &'s [Subject]) -> Result<Vec<&'s Subject>, String> {
    match subjects.is_empty() {
        true => Err(format!("{path}: no function has derivatives")),
        false => Ok(subjects.iter().collect()),
    }
}

/// The functions with a line each.
fn list(path: &str, subjects: &[Subject]) -> Result<(), String> {
    if subjects.is_empty() {
        print(&format!("{path}: no function has derivatives\n"));
        return Ok(());
    }
    let width = subjects.iter().map(|subject| subject.name.chars().count()).max().unwrap_or(0);
    let mut errors = String::new();
    for subject in subjects {
        let (text, notes) = match subject.summary() {
            Ok(summary) => (report::summary(&summary), summary.notes),
            Err(messages) => {
                errors.push_str(&report::errors(path, subject, &messages));
                ("does not compile".to_owned(), Vec::new())
            }
        };
        print(&format!("{path}:{}: {:width$}  {text}\n", subject.line, subject.name));
        notes.iter().for_each(|note| print(&report::note(note)));
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// What is asked of some functions.
fn one(path: &str, subjects: &[&Subject], options: &Options) -> Result<(), String> {
    if options.svg.is_some() && subjects.len() > 1 {
        let names: Vec<&str> = subjects.iter().map(|subject| &*subject.name).collect();
        return Err(format!("one picture is of one function: name one of {}", names.join(", ")));
    }
    let mut errors = String::new();
    for subject in subjects {
        let shown = options.stages().into_iter().try_for_each(|stage| {
            let text = subject.text(stage)?;
            print(&report::stage(subject, stage, &text));
            Ok(())
        });
        let drawn = shown.and_then(|()| picture(subject, options));
        match drawn {
            Ok(Some((out, svg))) => write(&out, &svg)?,
            Ok(None) => {}
            Err(messages) => errors.push_str(&report::errors(path, subject, &messages)),
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// The picture and where it goes, if it is asked for.
fn picture(
    subject: &Subject,
    options: &Options,
) -> Result<Option<(std::path::PathBuf, String)>, Vec<Message>> {
    let Some(out) = &options.svg else { return Ok(None) };
    Ok(Some((out.clone(), subject.text(Stage::Graph)?)))
}

fn write(out: &std::path::Path, svg: &str) -> Result<(), String> {
    if out.as_os_str() == "-" {
        print(svg);
        return Ok(());
    }
    std::fs::write(out, svg).map_err(|error| format!("{}: {error}", out.display()))
}
