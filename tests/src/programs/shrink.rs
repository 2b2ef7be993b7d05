//! Makes a failing program smaller while it fails in the same way.
//!
//! In each round all programs that one step leads to are made, those that are smallest are tested first,
//! many at a time, and the smallest that still fails is gone on with.

use std::collections::BTreeSet;

use super::batch::{Package, Trouble, Verdict};
use super::print;
use super::syntax::{
    Access, Block, Choice, Expression, Over, Pattern, Place, Program, Statement, Type,
};
use super::walk::{self, Node, Role};

/// How many programs are tested at once.
const TOGETHER: usize = 60;

/// What fails, without names and numbers.
type Symptom = (String, String);

/// The smallest program that was found, with a failure of it; nothing if the program does not fail.
pub fn shrink(
    package: &Package,
    program: &Program,
    told: &mut dyn FnMut(&Program),
) -> Option<(Program, String)> {
    let (symptom, mut message) = symptom(&package.test(std::slice::from_ref(program))[0])?;
    let mut best = program.clone();
    while let Some((smaller, found)) = step(package, &best, &symptom) {
        told(&smaller);
        (best, message) = (smaller, found);
    }
    Some((best, message))
}

fn step(package: &Package, program: &Program, symptom: &Symptom) -> Option<(Program, String)> {
    let size = print::program(program).len();
    let mut candidates: Vec<(usize, Program)> =
        reductions(program).into_iter().map(|one| (print::program(&one).len(), one)).collect();
    candidates.retain(|(length, one)| *length < size && is_closed(one));
    candidates.sort_by_key(|(length, _)| *length);
    candidates.dedup_by_key(|(_, one)| print::program(one));
    for chunk in candidates.chunks_mut(TOGETHER) {
        let programs = chunk.iter_mut().enumerate().map(|(id, (_, one))| {
            one.id = id as u64;
            one.clone()
        });
        let programs: Vec<Program> = programs.collect();
        let verdicts = package.test(&programs);
        let found = programs.into_iter().zip(verdicts).find_map(|(one, verdict)| {
            let (found, message) = self::symptom(&verdict)?;
            (found == *symptom).then_some((one, message))
        });
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The first thing that fails, and its message. What rustc says is the same if it is the same sentence,
/// whatever it names.
fn symptom(verdict: &Verdict) -> Option<(Symptom, String)> {
    let (property, message) = verdict.failures.first()?;
    let said = [format!("{:?}", Trouble::Compile), format!("{:?}", Trouble::Invalid)];
    let sentence = if said.contains(property) { message.lines().next()? } else { "" };
    let unquoted: Vec<&str> = sentence.split('`').step_by(2).collect();
    let plain = unquoted.concat().chars().filter(|character| !character.is_ascii_digit()).collect();
    Some(((property.clone(), plain), message.clone()))
}

/// Everything that one step leads to.
fn reductions(program: &Program) -> Vec<Program> {
    let mut found = signatures(program);
    let mut count = 0;
    walk::program(&mut program.clone(), &mut |_| count += 1);
    for target in 0..count {
        let mut choice = 0;
        // Applies the first, the second, .. step at this node, until there is none.
        while let Some(smaller) = reduced(program, target, choice) {
            found.push(smaller);
            choice += 1;
        }
    }
    found
}

/// The program with one of the steps applied to the node of this number.
fn reduced(program: &Program, target: usize, choice: usize) -> Option<Program> {
    let (mut smaller, mut at, mut done) = (program.clone(), 0, false);
    walk::program(&mut smaller, &mut |node| {
        if at == target && !done {
            done = true;
            match node {
                Node::Block(block) => match smaller_blocks(block).into_iter().nth(choice) {
                    Some(found) => *block = found,
                    None => done = false,
                },
                Node::Expression(it, role) => {
                    match smaller_expressions(it, role).into_iter().nth(choice) {
                        Some(found) => *it = found,
                        None => done = false,
                    }
                }
            }
        }
        at += 1;
    });
    done.then_some(smaller)
}

fn signatures(program: &Program) -> Vec<Program> {
    let mut found = Vec::new();
    for at in 0..program.parameters.len() {
        if program.parameters[at].ty != Type::Index {
            let mut smaller = program.clone();
            smaller.parameters.remove(at);
            found.push(smaller);
        }
    }
    if program.result == Type::Float && program.body.value.is_some() {
        let mut smaller = program.clone();
        smaller.result = Type::Unit;
        smaller.body.value = None;
        found.push(smaller);
    }
    found
}

fn smaller_blocks(block: &Block) -> Vec<Block> {
    let count = block.statements.len();
    let mut found = Vec::new();
    let mut size = count;
    while size > 0 {
        for from in (0..count).step_by(size) {
            let mut smaller = block.clone();
            smaller.statements.drain(from..(from + size).min(count));
            found.push(smaller);
        }
        size /= 2;
    }
    for (at, statement) in block.statements.iter().enumerate() {
        for inner in inner_blocks(statement) {
            let mut smaller = block.clone();
            smaller.statements.splice(at..=at, inner.statements.clone());
            found.push(smaller);
        }
        if let Statement::Let { value: Some(value), .. } = statement {
            let mut smaller = block.clone();
            smaller.statements[at] = Statement::Do(value.clone());
            found.push(smaller);
        }
    }
    found
}

fn inner_blocks(statement: &Statement) -> Vec<&Block> {
    match statement {
        Statement::Do(Expression::If(_, then, otherwise)) => {
            [Some(then), otherwise.as_ref()].into_iter().flatten().collect()
        }
        Statement::Do(Expression::Match(_, arms)) => arms.iter().map(|arm| &arm.body).collect(),
        Statement::Do(
            Expression::Block(body)
            | Expression::Loop(_, body)
            | Expression::While(_, _, body)
            | Expression::For { body, .. },
        ) => vec![body],
        _ => Vec::new(),
    }
}

fn smaller_expressions(it: &Expression, role: Role) -> Vec<Expression> {
    let mut found = match role {
        Role::Value => vec![Expression::Float(0.5)],
        Role::Index => vec![Expression::Index(0), Expression::Index(1)],
        Role::Condition => vec![Expression::Flag(true), Expression::Flag(false)],
        Role::Fixed => Vec::new(),
    };
    if role != Role::Fixed {
        found.extend(parts(it));
    }
    found.extend(simpler(it));
    found
}

/// What an expression is made of.
fn parts(it: &Expression) -> Vec<Expression> {
    let value = |block: &Block| block.value.as_deref().cloned();
    match it {
        Expression::Unary(_, inner) | Expression::Cast(inner) => vec![(**inner).clone()],
        Expression::Binary(_, left, right) => vec![(**left).clone(), (**right).clone()],
        Expression::Method(receiver, _, arguments) => {
            std::iter::once(&**receiver).chain(arguments).cloned().collect()
        }
        Expression::Call(_, arguments) => arguments.clone(),
        Expression::If(_, then, otherwise) => {
            [value(then), otherwise.as_ref().and_then(value)].into_iter().flatten().collect()
        }
        Expression::Match(_, arms) => arms.iter().filter_map(|arm| value(&arm.body)).collect(),
        Expression::Block(body) => value(body).into_iter().collect(),
        Expression::Return(Some(value)) => vec![(**value).clone()],
        _ => Vec::new(),
    }
}

/// The same kind of expression with less in it.
fn simpler(it: &Expression) -> Vec<Expression> {
    match it {
        Expression::If(condition, then, Some(_)) => {
            vec![Expression::If(condition.clone(), then.clone(), None)]
        }
        Expression::Match(subject, arms) => {
            let without = |at: usize| {
                let mut arms = arms.clone();
                arms.remove(at);
                Expression::Match(subject.clone(), arms)
            };
            (0..arms.len() - 1).map(without).collect()
        }
        Expression::Assign(place, operator, value) if *operator != "=" => {
            vec![Expression::Assign(place.clone(), "=", value.clone())]
        }
        Expression::For { label, pattern, over: Over::Range { from, to, .. }, body } => {
            let (from, to) = (from.clone(), to.clone());
            let over = Over::Range { from, to, inclusive: false, reversed: false, step: None };
            let (pattern, body) = (pattern.clone(), body.clone());
            vec![Expression::For { label: label.clone(), pattern, over, body }]
        }
        _ => Vec::new(),
    }
}

/// Whether every name and label that is used is also bound, somewhere.
fn is_closed(program: &Program) -> bool {
    let mut names = Names::default();
    names.bound.extend(program.parameters.iter().map(|parameter| parameter.name.clone()));
    walk::program(&mut program.clone(), &mut |node| match node {
        Node::Block(block) => block.statements.iter().for_each(|one| names.statement(one)),
        Node::Expression(it, _) => names.expression(it),
    });
    let unique = program.parameters.iter().any(|one| one.access == Access::Unique);
    names.used.is_subset(&names.bound) && (unique || program.result != Type::Unit)
}

#[derive(Default)]
struct Names {
    bound: BTreeSet<String>,
    used: BTreeSet<String>,
}

impl Names {
    fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Name { name, .. } => drop(self.bound.insert(name.clone())),
            Pattern::Names { names, .. } => self.bound.extend(names.iter().cloned()),
        }
    }

    fn statement(&mut self, statement: &Statement) {
        if let Statement::Let { pattern, .. } = statement {
            self.pattern(pattern);
        }
    }

    fn place(&mut self, place: &Place) {
        match place {
            Place::Variable(name) => drop(self.used.insert(name.clone())),
            Place::Referent(inner) | Place::Element(inner, _) | Place::Field(inner, _) => {
                self.place(inner)
            }
        }
    }

    fn expression(&mut self, it: &Expression) {
        match it {
            Expression::Read(place) | Expression::Borrow { place, .. } => self.place(place),
            Expression::State { rest: Some(rest), .. } => self.place(rest),
            Expression::Break(Some(label), _) | Expression::Continue(Some(label)) => {
                self.used.insert(format!("'{label}"));
            }
            Expression::While(Some(label), ..) | Expression::Loop(Some(label), _) => {
                self.bound.insert(format!("'{label}"));
            }
            Expression::Match(_, arms) => {
                let bound = arms.iter().filter_map(|arm| match &arm.pattern {
                    Choice::Name(name) => Some(name.clone()),
                    _ => None,
                });
                self.bound.extend(bound);
            }
            Expression::For { label, pattern, over, .. } => {
                self.bound.extend(label.iter().map(|label| format!("'{label}")));
                self.pattern(pattern);
                if let Over::Elements { place, .. } = over {
                    self.place(place);
                }
            }
            _ => {}
        }
    }
}
