//! What is in a program, by name: to see that everything is generated, and how often.

use std::collections::BTreeSet;

use super::syntax::{Access, Choice, Expression, Over, Place, Program, Statement, Type};
use super::walk::{self, Node};

/// All names that [`of`] gives.
pub const ALL: &[&str] = &[
    "addition",
    "all",
    "any",
    "array",
    "assignment",
    "assignment through a view",
    "block as a value",
    "block with a label",
    "break",
    "break with a label",
    "break with a value",
    "call",
    "call of a closure",
    "call of the program's own function",
    "call with `&mut`",
    "cast",
    "chain",
    "choice by `if` as a value",
    "choice by `match` as a value",
    "choice by numbers",
    "choice by range",
    "choice with a guard",
    "chunks",
    "chunks_exact",
    "chunks_exact_mut",
    "chunks_mut",
    "clone",
    "closure",
    "closure by `move`",
    "collect",
    "compound assignment",
    "continue",
    "continue with a label",
    "copied",
    "copy_from_slice",
    "count",
    "destructuring",
    "division",
    "elements by `&`",
    "elements by `&mut`",
    "elements by `.iter()`",
    "elements by `.iter_mut()`",
    "elements with numbers",
    "else",
    "else if",
    "enumerate",
    "field of a struct",
    "field of a tuple",
    "fill",
    "filter",
    "fold",
    "for",
    "for over a chain",
    "for_each",
    "if",
    "if let",
    "into_iter",
    "late initialisation",
    "len",
    "loop",
    "loop as a value",
    "map",
    "match",
    "match on an enum",
    "matrix",
    "mem::replace",
    "mem::swap",
    "method by path",
    "method of a struct",
    "multiplication",
    "nested gradient",
    "nested jvp",
    "nested loops",
    "nested value and gradient",
    "own struct",
    "parameter by `&`",
    "parameter by `&mut`",
    "parameter by value",
    "part of a slice",
    "product",
    "push",
    "range by steps",
    "range inclusive",
    "range reversed",
    "result `()`",
    "result of several floats",
    "return",
    "rev",
    "shadowing",
    "skip",
    "split_at_mut",
    "step_by",
    "struct literal",
    "struct with the rest of another",
    "subtraction",
    "sum",
    "swap",
    "take",
    "take_while",
    "to_vec",
    "tuple assignment",
    "unwrap_or",
    "variant of an enum",
    "vec! of a length",
    "vector",
    "view by `&`",
    "view by `&mut`",
    "while",
    "windows",
    "zip",
];

/// The constructs of a program.
#[must_use]
pub fn of(program: &Program) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    signature(program, &mut found);
    let mut program = program.clone();
    let mut names: BTreeSet<String> = BTreeSet::new();
    walk::program(&mut program, &mut |node| match node {
        Node::Block(block) => {
            for item in &block.statements {
                statement(item, &mut names, &mut found);
            }
        }
        Node::Expression(it, _) => expression(it, &mut found),
    });
    found
}

type Found = BTreeSet<&'static str>;

fn signature(program: &Program, found: &mut Found) {
    if !program.fields.is_empty() {
        found.insert("own struct");
    }
    for parameter in &program.main.parameters {
        found.insert(match parameter.access {
            Access::Owned => "parameter by value",
            Access::Shared => "parameter by `&`",
            Access::Unique => "parameter by `&mut`",
        });
    }
    match program.main.result {
        Type::Float => {}
        Type::Unit => {
            found.insert("result `()`");
        }
        _ => {
            found.insert("result of several floats");
        }
    }
}

fn statement(statement: &Statement, names: &mut BTreeSet<String>, found: &mut Found) {
    use super::syntax::Pattern;
    match statement {
        Statement::Let { pattern, ty, value } => {
            match pattern {
                Pattern::Names { .. } => {
                    found.insert("destructuring");
                }
                Pattern::Name { name, .. } if !names.insert(name.clone()) => {
                    found.insert("shadowing");
                }
                _ => {}
            }
            if *ty == Some(Type::Matrix) {
                found.insert("matrix");
            }
            match value {
                None => drop(found.insert("late initialisation")),
                Some(Expression::Borrow { unique: true, .. }) => {
                    found.insert("view by `&mut`");
                }
                Some(Expression::Borrow { .. }) => drop(found.insert("view by `&`")),
                Some(Expression::If(..)) => drop(found.insert("choice by `if` as a value")),
                Some(Expression::Match(..)) => drop(found.insert("choice by `match` as a value")),
                Some(_) => {}
            }
        }
        Statement::Do(Expression::If(_, _, otherwise)) => {
            found.insert("if");
            if let Some(otherwise) = otherwise {
                let chained =
                    matches!(otherwise.statements[..], [Statement::Do(Expression::If(..))]);
                found.insert(if chained { "else if" } else { "else" });
            }
        }
        Statement::Do(Expression::Match(..)) => drop(found.insert("match")),
        Statement::Do(_) => {}
    }
}

fn expression(it: &Expression, found: &mut Found) {
    let name = match it {
        Expression::Binary("+", ..) => "addition",
        Expression::Binary("-", ..) => "subtraction",
        Expression::Binary("*", ..) => "multiplication",
        Expression::Binary("/", ..) => "division",
        Expression::Cast(_) => "cast",
        Expression::Read(place) => return field(place, found),
        Expression::Method(_, name, _) => return method(name, found),
        Expression::Call(name, arguments) => call(name, arguments),
        Expression::Apply(..) => "call of a closure",
        Expression::Derivative(_, name, _) => derivative(name),
        Expression::Closure { moves: true, .. } => "closure by `move`",
        Expression::Closure { .. } => "closure",
        Expression::Let(..) => "if let",
        Expression::Variant(..) => "variant of an enum",
        Expression::Borrow { part: Some(_), .. } => "part of a slice",
        Expression::Array(_) | Expression::Repeat(..) => "array",
        Expression::Vector(_) => "vector",
        Expression::Fill(..) => "vec! of a length",
        Expression::Struct { rest: Some(_), .. } => "struct with the rest of another",
        Expression::Struct { .. } => "struct literal",
        Expression::Match(_, arms) => return arms.iter().for_each(|arm| choice(arm, found)),
        _ => return control(it, found),
    };
    found.insert(name);
}

fn control(it: &Expression, found: &mut Found) {
    let name = match it {
        Expression::Block(block) => match block.value.as_deref() {
            Some(Expression::Loop(..)) => "loop as a value",
            Some(_) => "block as a value",
            None => return,
        },
        Expression::Labelled(..) => "block with a label",
        Expression::For { over, body, .. } => {
            range(over, found);
            nested(body, found);
            "for"
        }
        Expression::While(_, _, body) => {
            nested(body, found);
            "while"
        }
        Expression::Loop(_, body) => {
            nested(body, found);
            "loop"
        }
        Expression::Break(_, Some(_)) => "break with a value",
        Expression::Break(Some(_), _) => "break with a label",
        Expression::Break(..) => "break",
        Expression::Continue(Some(_)) => "continue with a label",
        Expression::Continue(_) => "continue",
        Expression::Return(_) => "return",
        Expression::Assign(place, operator, _) => assignment(place, operator),
        _ => return,
    };
    found.insert(name);
}

fn assignment(place: &Expression, operator: &str) -> &'static str {
    match place {
        Expression::Tuple(_) => "tuple assignment",
        Expression::Read(Place::Referent(_)) => "assignment through a view",
        _ if operator == "=" => "assignment",
        _ => "compound assignment",
    }
}

fn nested(body: &super::syntax::Block, found: &mut Found) {
    use Expression::{For, Loop, While};
    let is_loop = |statement: &Statement| {
        matches!(statement, Statement::Do(For { .. } | While(..) | Loop(..)))
    };
    if body.statements.iter().any(is_loop) {
        found.insert("nested loops");
    }
}

fn field(place: &Place, found: &mut Found) {
    match place {
        Place::Field(inner, name) => {
            found.insert(if matches!(*name, "0" | "1") {
                "field of a tuple"
            } else {
                "field of a struct"
            });
            field(inner, found);
        }
        Place::Element(inner, _) | Place::Referent(inner) => field(inner, found),
        Place::Variable(_) => {}
    }
}

/// Methods that are constructs by their names.
const NAMED: &[&str] = &[
    "all",
    "any",
    "chain",
    "chunks",
    "chunks_exact",
    "chunks_exact_mut",
    "chunks_mut",
    "clone",
    "copied",
    "copy_from_slice",
    "count",
    "enumerate",
    "fill",
    "filter",
    "fold",
    "for_each",
    "into_iter",
    "len",
    "map",
    "push",
    "rev",
    "skip",
    "split_at_mut",
    "step_by",
    "swap",
    "take",
    "take_while",
    "to_vec",
    "unwrap_or",
    "windows",
    "zip",
];

fn method(name: &str, found: &mut Found) {
    found.extend(NAMED.iter().find(|known| **known == name));
    match name {
        "sum::<f64>" => drop(found.insert("sum")),
        "product::<f64>" => drop(found.insert("product")),
        "collect::<Vec<f64>>" => drop(found.insert("collect")),
        "gain" | "shift" | "drift" => drop(found.insert("method of a struct")),
        _ => {}
    }
}

fn derivative(name: &str) -> &'static str {
    match name {
        "gradient" => "nested gradient",
        "jvp" => "nested jvp",
        _ => "nested value and gradient",
    }
}

fn call(name: &str, arguments: &[Expression]) -> &'static str {
    let unique =
        |argument: &Expression| matches!(argument, Expression::Borrow { unique: true, .. });
    match name {
        "std::mem::replace" => "mem::replace",
        "std::mem::swap" => "mem::swap",
        "first" | "second" | "third" => "call of the program's own function",
        _ if name.starts_with("f64::") => "method by path",
        _ if arguments.iter().any(unique) => "call with `&mut`",
        _ => "call",
    }
}

fn choice(arm: &super::syntax::Arm, found: &mut Found) {
    if arm.guard.is_some() {
        found.insert("choice with a guard");
    }
    match arm.pattern {
        Choice::Numbers(_) => drop(found.insert("choice by numbers")),
        Choice::Range(..) => drop(found.insert("choice by range")),
        Choice::Parts(_) => drop(found.insert("match on an enum")),
        Choice::Name(_) | Choice::Any => {}
    }
}

fn range(over: &Over, found: &mut Found) {
    match over {
        Over::Range { inclusive, reversed, step, .. } => {
            let kinds = [
                (*inclusive, "range inclusive"),
                (*reversed, "range reversed"),
                (step.is_some(), "range by steps"),
            ];
            found.extend(kinds.into_iter().filter(|(is, _)| *is).map(|(_, name)| name));
        }
        Over::Elements { access, by_method, enumerated, .. } => {
            found.insert(match (by_method, access) {
                (true, Access::Unique) => "elements by `.iter_mut()`",
                (true, _) => "elements by `.iter()`",
                (false, Access::Unique) => "elements by `&mut`",
                (false, _) => "elements by `&`",
            });
            if *enumerated {
                found.insert("elements with numbers");
            }
        }
        Over::Chain(_) => drop(found.insert("for over a chain")),
    }
}
