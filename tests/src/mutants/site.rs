//! One change of the compiler, and how it is said.

use std::fmt;

/// What is changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mutation {
    /// A condition is its opposite.
    Negated(String),
    /// A comparison takes in its bound, or leaves it out.
    Bound(&'static str, &'static str),
    /// An operator is another one.
    Operator(&'static str, &'static str),
    /// A function does nothing but return this.
    Body(&'static str),
    /// The guard of a match's arm is this.
    Guard(bool),
    /// An arm is not there; what it matched goes to the arm for the rest.
    Arm(String),
    /// A statement is not there.
    Statement(String),
    /// The partial derivative of a row of the rule table is another.
    Partial {
        /// The row.
        row: String,
        /// Which of its partial derivatives.
        index: usize,
        /// What it is.
        from: String,
        /// What it becomes.
        to: String,
    },
}

impl fmt::Display for Mutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mutation::Negated(condition) => write!(f, "negate `{condition}`"),
            Mutation::Bound(from, to) | Mutation::Operator(from, to) => {
                write!(f, "`{from}` to `{to}`")
            }
            Mutation::Body(value) => write!(f, "return {value} at once"),
            Mutation::Guard(value) => write!(f, "guard to {value}"),
            Mutation::Arm(pattern) => write!(f, "no arm `{pattern}`"),
            Mutation::Statement(statement) => write!(f, "no `{statement}`"),
            Mutation::Partial { row, index, from, to } => {
                let [from, to] =
                    [from, to].map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
                write!(f, "partial {index} of `{row}`: `{from}` to `{to}`")
            }
        }
    }
}

/// A change and its place. Printed, it is a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// Its number, from one, by which it is switched on.
    pub id: usize,
    /// The file, from the root of the repository.
    pub file: String,
    /// The line in it.
    pub line: usize,
    /// The function around it, or the table.
    pub function: String,
    /// The change.
    pub mutation: Mutation,
}

impl Site {
    /// The part of the compiler that the file belongs to: a folder of its sources, or `rules`.
    #[must_use]
    pub fn folder(&self) -> &str {
        let inner = self.file.strip_prefix("macros/compiler/src/").unwrap_or(&self.file);
        inner.split('/').next().unwrap_or_default()
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Site { id, file, line, function, mutation } = self;
        write!(f, "#{id} {file}:{line} in `{function}`: {mutation}")
    }
}
