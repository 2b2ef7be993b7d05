//! What is printed, as text.

use cotangent_compiler::Stage;
use cotangent_compiler::inspect::{Message, Subject, Summary};

/// A function on one line.
pub fn summary(summary: &Summary) -> String {
    let mut parts = vec![match summary.active.is_empty() {
        true => "by nothing".to_owned(),
        false => format!("by {}", summary.active.join(", ")),
    }];
    if !summary.constant.is_empty() {
        parts.push(format!("constant {}", summary.constant.join(", ")));
    }
    if summary.orders > 1 {
        parts.push(format!("{} orders", summary.orders));
    }
    match (&summary.loops, summary.has_rule) {
        (None, _) | (Some(_), true) => parts.push("by a rule".to_owned()),
        (Some(loops), false) => parts.push(of_loops(loops, summary.has_reverse)),
    }
    parts.join("; ")
}

fn of_loops(loops: &[String], has_reverse: bool) -> String {
    match loops {
        [] => "no loops".to_owned(),
        all if !has_reverse => format!("{} loops, forward mode alone", all.len()),
        [one] => format!("1 loop, tape {one} an iteration"),
        more => format!("{} loops, tapes {} an iteration", more.len(), more.join(", ")),
    }
}

/// A note below the line of its function.
pub fn note(note: &str) -> String {
    note.lines()
        .map(|line| format!("    {}\n", line.trim_start().replace("= help: ", "  help: ")))
        .collect()
}

/// A stage under its name, but for what other programs read.
pub fn stage(subject: &Subject, stage: Stage, text: &str) -> String {
    match stage {
        Stage::Graph => text.to_owned(),
        _ => format!("// {}: {}\n{}\n\n", subject.name, stage.name(), text.trim_end()),
    }
}

/// The errors of a function.
pub fn errors(path: &str, subject: &Subject, messages: &[Message]) -> String {
    if messages.is_empty() {
        return format!("{path}:{}: error: `{}` does not compile\n", subject.line, subject.name);
    }
    messages.iter().map(|message| error(path, message)).collect()
}

/// An error with its place.
pub fn error(path: &str, message: &Message) -> String {
    let text = message.text.replace("\n = help: ", "\n  help: ");
    format!("{path}:{}:{}: error: {text}\n", message.line, message.column)
}
