//! File tests: IR in, and what passes, transforms or the interpreter make of it.
//!
//! A file of `passes/` or `interpreter/` has cases: a title behind `===`, commands, and between lines of `---` the input and
//! what is expected. Commands are run in order:
//!
//! | command | |
//! |---|---|
//! | `pass fold` | runs a pass on each function |
//! | `derive 1` | adds the derivatives of so many orders, as the transforms make them |
//! | `analyse activity` | asks an analysis; expected is what it says, in the place of IR |
//! | `run f(1.0, [2.0])` | calls a function; expected is what it gives |
//! | `run f::vjp(1.0) then (1.0)` | and the pullback |
//!
//! `UPDATE_EXPECT=1` writes what is there now.

use cotangent_compiler::interpret::{Datum, Outcome, Program};
use std::path::Path;

struct Case {
    title: String,
    commands: Vec<String>,
    input: String,
    expected: String,
}

impl Case {
    fn parse(text: &str) -> Self {
        let mut parts = text.split("\n---\n");
        let mut head = parts.next().unwrap_or_default().lines().map(str::to_owned);
        Case {
            title: head.next().unwrap_or_default(),
            commands: head.collect(),
            input: parts.next().unwrap_or_default().to_owned(),
            expected: parts.next().unwrap_or_default().trim_end().to_owned(),
        }
    }

    /// What the commands make of the input.
    fn result(&self) -> Result<String, String> {
        let mut program = Program::parse(&self.input)?;
        let mut outcomes = Vec::new();
        for command in &self.commands {
            match command.split_once(' ') {
                Some(("pass", name)) => program = program.apply(name)?,
                Some(("derive", orders)) => {
                    let orders = orders.parse().map_err(|_| format!("`{orders}` is no number"))?;
                    program = program.derive(orders)?;
                }
                Some(("analyse", name)) => outcomes.push(program.analyse(name)?),
                Some(("run", call)) => outcomes.push(run(&program, call)?),
                _ => return Err(format!("`{command}` is no command")),
            }
        }
        let text = if outcomes.is_empty() { program.to_string() } else { outcomes.join("\n") };
        Ok(text.trim_end().to_owned())
    }

    fn text(&self, expected: &str) -> String {
        let commands: String = self.commands.iter().map(|command| format!("{command}\n")).collect();
        format!("=== {}\n{commands}---\n{}\n---\n{expected}\n", self.title, self.input)
    }
}

/// What a call gives, as text.
fn run(program: &Program, call: &str) -> Result<String, String> {
    let (call, then) =
        call.split_once(" then ").map_or((call, None), |(call, then)| (call, Some(then)));
    let (name, args) = call.split_once('(').ok_or("a call has arguments")?;
    let args = Datum::parse_all(args.trim_end_matches(')'))?;
    let outcome = match program.run(name, args) {
        Ok(outcome) => outcome,
        Err(fault) => return Ok(fault.to_string()),
    };
    let mut text = shown(&outcome);
    if let Some(then) = then {
        let args = Datum::parse_all(&then[1..then.len() - 1])?;
        let pullbacks = outcome.returned.iter();
        let pullback = pullbacks.rev().find_map(|datum| match datum {
            Datum::Pullback(pullback) => Some(pullback),
            _ => None,
        });
        let pulled = program.pull(pullback.ok_or("no pullback")?, args);
        text.push_str(
            &pulled.map_or_else(|fault| format!("\n{fault}"), |out| format!("\n{}", shown(&out))),
        );
    }
    Ok(text)
}

fn shown(outcome: &Outcome) -> String {
    let costs = outcome.costs;
    let figures = [
        ("sums", costs.sums),
        ("cheap", costs.cheap),
        ("divisions", costs.divisions),
        ("calls", costs.calls),
        ("bytes on tapes", costs.tape_bytes),
        ("allocations", costs.allocations),
    ];
    let figures = figures.iter().filter(|(_, count)| *count > 0);
    let figures: String = figures.map(|(name, count)| format!(", {name} {count}")).collect();
    let places = match &outcome.places[..] {
        [] => String::new(),
        places => format!(", places {places:?}"),
    };
    format!("{:?}{places}, steps {}{figures}", outcome.returned, costs.steps)
}

/// All cases of a folder.
fn check(folder: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(&folder).expect("a folder of file tests");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a file");
        let cases: Vec<Case> = text.split("=== ").skip(1).map(Case::parse).collect();
        let mut blessed = String::new();
        for case in &cases {
            count += 1;
            let result = case.result().unwrap_or_else(|error| format!("error: {error}"));
            if result != case.expected {
                let at = format!("{}: {}", file.display(), case.title);
                wrong.push(format!("{at}\nexpected:\n{}\nis:\n{result}\n", case.expected));
            }
            blessed.push_str(&case.text(&result));
            blessed.push('\n');
        }
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&file, blessed.trim_end().to_owned() + "\n").expect("a file to write");
        }
    }
    let is_updating = std::env::var_os("UPDATE_EXPECT").is_some();
    assert!(is_updating || wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 0, "there are no cases");
}

#[test]
fn passes() {
    check("passes");
}

#[test]
fn interpreter() {
    check("interpreter");
}
