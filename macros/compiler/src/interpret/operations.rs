//! How often each operation stands in functions.

use super::{Program, shown};
use crate::ir::{LoopKind, Op};
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeMap;
use std::mem::{Discriminant, discriminant};

/// Counts of operations. A row of the rule table is an operation of its own, and so is a kind of loops.
#[derive(Default, Clone, Debug)]
pub struct Operations(HashMap<(Discriminant<Op>, &'static str), (String, u64)>);

impl Operations {
    /// Counts those of a program.
    pub fn count(&mut self, program: &Program) {
        for function in &program.functions {
            function.body.walk(&mut |inst, _| {
                let key = (discriminant(&inst.op), kind(&inst.op));
                self.0.entry(key).or_insert_with(|| (name(&inst.op), 0)).1 += 1;
            });
        }
    }

    /// Adds those of others.
    pub fn add(&mut self, others: Operations) {
        for (key, (name, count)) in others.0 {
            self.0.entry(key).or_insert((name, 0)).1 += count;
        }
    }

    /// Returns the counts by name.
    #[must_use]
    pub fn by_name(&self) -> BTreeMap<&str, u64> {
        self.0.values().map(|(name, count)| (name.as_str(), *count)).collect()
    }
}

/// What tells operations apart that are one of the IR's.
fn kind(op: &Op) -> &'static str {
    match op {
        Op::Apply(rule) => rule.name,
        Op::Loop(repeat) => match &repeat.kind {
            LoopKind::Range { inclusive: true, .. } => "inclusive",
            LoopKind::Range { adaptors, .. } if !adaptors.is_empty() => "adapted",
            LoopKind::Range { .. } => "range",
            LoopKind::Repeat => "repeat",
            LoopKind::While { .. } => "while",
            LoopKind::Once => "once",
        },
        _ => "",
    }
}

/// The first word of the operation's text, and of loops all of it.
fn name(op: &Op) -> String {
    let text = shown(op);
    let end = |text: &str| text.find(|c: char| !c.is_alphanumeric() && c != '_');
    match op {
        Op::Literal(_) => "literal".to_owned(),
        Op::Loop(_) | Op::Binary(_) => text,
        _ => text[..end(&text).filter(|end| *end > 0).unwrap_or(text.len())].to_owned(),
    }
}
