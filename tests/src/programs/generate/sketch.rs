//! Sketches: blocks of text with a float as their value, for what the tree has no syntax for.
//!
//! A sketch declares whatever it needs. From around it come two floats, `x` and `y`, and its names are
//! given numbers, so that no two sketches share one.

use std::collections::BTreeSet;

use super::{Generator, meaning};
use crate::programs::names::Role;
use crate::programs::syntax::{Access, Expression, Pattern, Sketch, Statement, Type};

/// The subject of a sketch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// Writes to parts of nested data.
    Part,
    /// Infinite slopes of values that are not used.
    Slope,
    /// Names that mean something else than they seem to.
    Meaning,
    /// Values that leave by effects and come back.
    Escape,
    /// Effects on constants.
    Effect,
}

/// A sketch that is being made.
#[derive(Default)]
pub(super) struct Draft {
    pub features: Vec<&'static str>,
    pub is_refusable: bool,
    pub items: Vec<String>,
    pub statements: Vec<String>,
    pub value: String,
}

impl Draft {
    pub(super) fn item(&mut self, text: impl Into<String>) {
        self.items.push(text.into());
    }

    pub(super) fn push(&mut self, text: impl Into<String>) {
        self.statements.push(text.into());
    }
}

impl Generator {
    /// Draws the sketches of a program. What may be refused stands alone, since one refusal is the program's.
    pub(super) fn share_sketches(&mut self) {
        let is_left = |beginnings: &[&str]| {
            let begins = |feature: &&str| beginnings.iter().any(|text| feature.starts_with(text));
            self.features.iter().any(begins)
        };
        let escapes = is_left(&["escape: "]) && is_left(&["escape in "]);
        let weights = [
            (3 * usize::from(is_left(&["part: ", "pattern: "])), Family::Part),
            (2 * usize::from(is_left(&["slope: "])), Family::Slope),
            (2 * usize::from(is_left(&meaning::beginnings())), Family::Meaning),
            (usize::from(is_left(&["effect: "]) && is_left(&["escape in "])), Family::Effect),
        ];
        let (is_escape, count) =
            (self.random.chance(0.2), self.random.weighted(&[(2, 0), (4, 1), (3, 2), (1, 3)]));
        if is_escape && escapes {
            self.sketches = vec![Family::Escape];
        } else if weights.iter().any(|(weight, _)| *weight > 0) {
            self.sketches = (0..count).map(|_| self.random.weighted(&weights)).collect();
        }
        self.is_small = !self.sketches.is_empty() && self.random.chance(0.7);
    }

    /// A float, of any size.
    pub(super) fn sketch(&mut self, family: Family) -> Expression {
        let parts = vec![self.storable(1), self.storable(1)];
        let mut draft = Draft::default();
        match family {
            Family::Part => self.part(&mut draft),
            Family::Slope => self.slope(&mut draft),
            Family::Meaning => self.meaning(&mut draft),
            Family::Escape => self.escape(&mut draft),
            Family::Effect => self.constant_effect(&mut draft),
        }
        let arguments = ["let #x: f64 = #0;", "let #y: f64 = #1;"].map(String::from);
        draft.statements.splice(0..0, arguments);
        Expression::Sketch(Box::new(self.numbered(draft, parts)))
    }

    /// A variable that holds a sketch.
    pub(super) fn let_sketch(&mut self) -> Statement {
        let family = self.sketches.pop().expect("there is one");
        let value = self.sketch(family).method("sin", Vec::new());
        let name = self.fresh("f");
        self.add(name.clone(), Type::Float, Access::Owned, true);
        let pattern = Pattern::Name { name, mutable: true };
        Statement::Let { pattern, ty: None, value: Some(value) }
    }

    /// Gives the names of a draft a number, and says what they are.
    fn numbered(&mut self, draft: Draft, parts: Vec<Expression>) -> Sketch {
        let number = format!("_{}", self.names.len());
        let mut number_all = |texts: Vec<String>, role| {
            texts.iter().map(|text| self.number(text, &number, role)).collect()
        };
        let items: Vec<String> = number_all(draft.items, Role::Item);
        let statements: Vec<String> = number_all(draft.statements, Role::Variable);
        let value = self.number(&draft.value, &number, Role::Variable);
        let Draft { features, is_refusable, .. } = draft;
        Sketch { features, is_refusable, items, statements, value, parts }
    }

    fn number(&mut self, text: &str, number: &str, role: Role) -> String {
        let is_type = |name: &str| {
            name.starts_with(|c: char| c.is_ascii_uppercase())
                && name.ends_with(|c: char| c.is_ascii_lowercase())
        };
        let mut pieces = text.split('#');
        let mut numbered = String::from(pieces.next().unwrap_or_default());
        for piece in pieces {
            let end = piece.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let (name, rest) = piece.split_at(end.unwrap_or(piece.len()));
            numbered.push('#');
            numbered.push_str(name);
            if name.starts_with(|c: char| c.is_ascii_alphabetic()) {
                // An underscore would make it a function's.
                let number = if is_type(name) { &number[1..] } else { number };
                numbered.push_str(number);
                let name = format!("{name}{number}");
                if self.names.iter().all(|(known, _)| *known != name) {
                    self.names.push((name, role));
                }
            }
            numbered.push_str(rest);
        }
        numbered
    }

    /// One of the alternatives that no test leaves out: each has its feature's name.
    pub(super) fn allowed<T: Clone>(
        &mut self,
        all: &[(&'static str, T)],
    ) -> Option<(&'static str, T)> {
        // Features first: one with few alternatives is as likely as one with many.
        let is_allowed = |feature: &&'static str| self.features.contains(feature);
        let features: BTreeSet<&'static str> =
            all.iter().map(|(feature, _)| *feature).filter(is_allowed).collect();
        if features.is_empty() {
            return None;
        }
        let feature = self.random.pick(&features.into_iter().collect::<Vec<_>>());
        let of_feature: Vec<_> = all.iter().filter(|(of, _)| *of == feature).cloned().collect();
        Some(self.random.pick(&of_feature))
    }
}
