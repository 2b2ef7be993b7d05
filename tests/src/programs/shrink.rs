//! Makes a failing program smaller while it fails in the same way.
//!
//! A round makes all programs that one step leads to, tests them many at a time, and then tries to take
//! all steps at once after which the program still fails.

use std::collections::BTreeSet;

use super::batch::{Package, Trouble, Verdict};
use super::print;
use super::syntax::{
    Access, Block, Choice, Expression, Names, Over, Pattern, Place, Program, Statement, Type,
};
use super::walk::{self, Node, Role};

/// How much text is compiled at once, in bytes.
const TOGETHER: usize = 30_000;

/// What fails, without names and numbers.
type Symptom = (String, String);

/// The smallest program that was found, with a failure of it; nothing if the program does not fail.
pub fn shrink(
    package: &Package,
    program: &Program,
    told: &mut dyn FnMut(&Program),
) -> Option<(Program, String)> {
    let (symptom, message) = symptom(&package.test(std::slice::from_ref(program))[0])?;
    let mut shrinker = Shrinker { package, symptom, best: program.clone(), message };
    while shrinker.round() {
        told(&shrinker.best);
    }
    Some((Program { id: program.id, ..shrinker.best }, shrinker.message))
}

/// One step: the number of a node, and which of the steps that are possible there.
#[derive(Clone, Copy, Debug)]
struct Step {
    target: usize,
    choice: usize,
}

struct Shrinker<'p> {
    package: &'p Package,
    symptom: Symptom,
    best: Program,
    message: String,
}

impl Shrinker<'_> {
    /// Whether the program has become smaller.
    fn round(&mut self) -> bool {
        let mut candidates: Vec<(Option<Step>, Program)> =
            signatures(&self.best).into_iter().map(|one| (None, one)).collect();
        let reductions = reductions(&self.best).into_iter();
        candidates.extend(reductions.map(|(step, one)| (Some(step), one)));
        candidates.retain(|(_, one)| size(one) < size(&self.best) && is_closed(one));
        candidates.sort_by_cached_key(|(_, one)| print::program(one));
        candidates.dedup_by_key(|(_, one)| print::program(one));
        candidates.sort_by_cached_key(|(_, one)| size(one));
        let mut left = candidates.as_slice();
        while !left.is_empty() {
            let (chunk, rest) = left.split_at(left.len().min(10 + TOGETHER / size(&self.best)));
            let programs: Vec<Program> = chunk.iter().map(|(_, one)| one.clone()).collect();
            let failing = self.failing(&programs);
            if let Some((at, message)) = failing.first() {
                let steps: Vec<Step> = failing.iter().filter_map(|(at, _)| chunk[*at].0).collect();
                self.take_all(steps, (programs[*at].clone(), message.clone()));
                return true;
            }
            left = rest;
        }
        false
    }

    /// Takes as many of the steps as possible, or else goes on with what one of them leads to.
    fn take_all(&mut self, mut steps: Vec<Step>, single: (Program, String)) {
        // From the last node to the first, so that the numbers of those that are left stay the same.
        steps.sort_by_key(|step| std::cmp::Reverse(step.target));
        steps.dedup_by_key(|step| step.target);
        let mut chain = vec![self.best.clone()];
        for step in steps {
            let last = chain.last().expect("it begins with the program");
            chain.extend(reduced(last, step).filter(|one| size(one) < size(last)));
        }
        chain.retain(|one| size(one) < size(&single.0) && is_closed(one));
        let combined = self.failing(&chain);
        (self.best, self.message) = match combined.into_iter().next_back() {
            Some((at, message)) => (chain[at].clone(), message),
            None => single,
        };
    }

    /// Which of the programs fail in the same way, with their messages.
    fn failing(&self, programs: &[Program]) -> Vec<(usize, String)> {
        let numbered = programs.iter().zip(0..).map(|(one, id)| Program { id, ..one.clone() });
        let numbered: Vec<Program> = numbered.collect();
        let compiled_only = self.symptom.0 == format!("{:?}", Trouble::Compile);
        let verdicts = if compiled_only {
            self.package.check(&numbered)
        } else {
            self.package.test(&numbered)
        };
        let found = verdicts.iter().enumerate().filter_map(|(at, verdict)| {
            let (found, message) = symptom(verdict)?;
            (found == self.symptom).then_some((at, message))
        });
        found.collect()
    }
}

/// The length of the text. Every name that is not the generator's counts, however short it is.
fn size(program: &Program) -> usize {
    let unnamed = Program { names: Names::new(), ..program.clone() };
    print::program(&unnamed).len() + 8 * program.names.len()
}

/// The first thing that fails, and its message. What rustc says is the same if it is the same sentence,
/// whatever it names.
fn symptom(verdict: &Verdict) -> Option<(Symptom, String)> {
    let (property, message) = verdict.failures.first()?;
    let said = [format!("{:?}", Trouble::Compile), format!("{:?}", Trouble::Invalid)];
    let plain = if said.contains(property) { plain(message) } else { String::new() };
    Some(((property.clone(), plain), message.clone()))
}

/// What rustc says in the first line and next to the code that it marks, without what it quotes.
fn plain(message: &str) -> String {
    let marked = message.lines().find(|line| line.contains("^")).unwrap_or_default();
    let sentence = format!("{}{marked}", message.lines().next().unwrap_or_default());
    let unquoted: Vec<&str> = sentence.split('`').step_by(2).collect();
    let words = |character: &char| character.is_alphabetic();
    unquoted.concat().chars().filter(words).collect()
}

/// Everything that one step leads to.
fn reductions(program: &Program) -> Vec<(Step, Program)> {
    let mut found = Vec::new();
    let mut count = 0;
    walk::program(&mut program.clone(), &mut |_| count += 1);
    for target in 0..count {
        let steps = (0..).map(|choice| Step { target, choice });
        found.extend(steps.map_while(|step| Some((step, reduced(program, step)?))));
    }
    found
}

/// The program after a step, if there is one.
fn reduced(program: &Program, step: Step) -> Option<Program> {
    let (mut smaller, mut at, mut done) = (program.clone(), 0, false);
    walk::program(&mut smaller, &mut |node| {
        // Once it is taken, the nodes that follow have other numbers.
        if at == step.target && !done {
            done = take(node, step.choice);
        }
        at += 1;
    });
    done.then_some(smaller)
}

fn take(node: Node<'_>, choice: usize) -> bool {
    match node {
        Node::Block(block) => {
            let found = smaller_blocks(block).into_iter().nth(choice);
            found.map(|found| *block = found).is_some()
        }
        Node::Expression(it, role) => {
            let found = smaller_expressions(it, role).into_iter().nth(choice);
            found.map(|found| *it = found).is_some()
        }
    }
}

/// The program without a function, a field or a parameter, or without its result.
fn signatures(program: &Program) -> Vec<Program> {
    let mut found = Vec::new();
    for at in 0..program.functions.len() {
        let mut smaller = program.clone();
        smaller.functions.remove(at);
        found.push(smaller);
    }
    found.extend(plainer(program));
    for at in 0..program.fields.len() {
        let mut smaller = program.clone();
        smaller.fields.remove(at);
        found.push(smaller);
    }
    for at in 0..program.main.parameters.len() {
        if program.main.parameters[at].ty != Type::Index {
            let mut smaller = program.clone();
            smaller.main.parameters.remove(at);
            found.push(smaller);
        }
    }
    if program.main.result == Type::Float && program.main.body.value.is_some() {
        let mut smaller = program.clone();
        smaller.main.result = Type::Unit;
        smaller.main.body.value = None;
        found.push(smaller);
    }
    found.extend((0..program.functions.len()).flat_map(|at| narrower(program, at)));
    found
}

/// The program with fewer names that are not the generator's: none, half of them, all but one.
fn plainer(program: &Program) -> Vec<Program> {
    let all: Vec<&String> = program.names.keys().collect();
    let sizes = std::iter::successors(Some(all.len()), |size| Some(size / 2));
    let sizes = sizes.take_while(|size| *size > 0);
    let without = |removed: &[&String]| {
        let mut smaller = program.clone();
        smaller.names.retain(|name, _| !removed.contains(&name));
        smaller
    };
    sizes.flat_map(|size| all.chunks(size).map(without).collect::<Vec<_>>()).collect()
}

/// The program with one of its functions, and all calls of it, without one of its parameters.
fn narrower(program: &Program, at: usize) -> Vec<Program> {
    let function = &program.functions[at];
    let first = usize::from(function.is_method());
    let without = |parameter: usize| {
        let mut smaller = program.clone();
        smaller.functions[at].parameters.remove(parameter);
        walk::program(&mut smaller, &mut |node| {
            if let Node::Expression(Expression::Call(name, arguments), _) = node {
                if *name == function.name {
                    arguments.remove(parameter);
                }
            } else if let Node::Expression(Expression::Method(_, name, arguments), _) = node
                && *name == function.name
            {
                arguments.remove(parameter - first);
            }
        });
        smaller
    };
    (first..function.parameters.len()).map(without).collect()
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
            | Expression::Labelled(_, body)
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
        Role::Fixed | Role::Chain => Vec::new(),
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
        Expression::Call(_, arguments)
        | Expression::Apply(_, arguments)
        | Expression::Variant(_, arguments) => arguments.clone(),
        Expression::If(_, then, otherwise) => {
            [value(then), otherwise.as_ref().and_then(value)].into_iter().flatten().collect()
        }
        Expression::Match(_, arms) => arms.iter().filter_map(|arm| value(&arm.body)).collect(),
        Expression::Block(body) | Expression::Labelled(_, body) => {
            value(body).into_iter().collect()
        }
        Expression::Return(Some(value)) => vec![(**value).clone()],
        Expression::Sketch(sketch) => sketch.parts.clone(),
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
        Expression::Sketch(sketch) => {
            let mut found = Vec::new();
            // The first two are its parts.
            for at in 2..sketch.statements.len() {
                let mut smaller = sketch.clone();
                smaller.statements.remove(at);
                found.push(Expression::Sketch(smaller));
            }
            for at in 0..sketch.items.len() {
                let mut smaller = sketch.clone();
                smaller.items.remove(at);
                found.push(Expression::Sketch(smaller));
            }
            found
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
    let mut names = Bindings::default();
    for function in program.functions.iter().chain([&program.main]) {
        names.bound.extend(function.parameters.iter().map(|parameter| parameter.name.clone()));
    }
    walk::program(&mut program.clone(), &mut |node| match node {
        Node::Block(block) => block.statements.iter().for_each(|one| names.statement(one)),
        Node::Expression(it, _) => names.expression(it),
    });
    let unique = program.main.parameters.iter().any(|one| one.access == Access::Unique);
    names.used.is_subset(&names.bound) && (unique || program.main.result != Type::Unit)
}

#[derive(Default)]
struct Bindings {
    bound: BTreeSet<String>,
    used: BTreeSet<String>,
}

impl Bindings {
    fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Name { name, .. } => drop(self.bound.insert(name.clone())),
            Pattern::Names { names, .. } => self.bound.extend(names.iter().cloned()),
            Pattern::Tuple(parts) | Pattern::Variant(_, parts) => {
                parts.iter().for_each(|part| self.pattern(part));
            }
            Pattern::Reference(inner) => self.pattern(inner),
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
            Expression::Struct { rest: Some(rest), .. } => self.place(rest),
            Expression::Apply(name, _) => drop(self.used.insert(name.clone())),
            Expression::Closure { parameters, .. } => {
                parameters.iter().for_each(|(pattern, _)| self.pattern(pattern));
            }
            Expression::Let(pattern, _) => self.pattern(pattern),
            Expression::Break(Some(label), _) | Expression::Continue(Some(label)) => {
                self.used.insert(format!("'{label}"));
            }
            Expression::While(Some(label), ..)
            | Expression::Loop(Some(label), _)
            | Expression::Labelled(label, _) => {
                self.bound.insert(format!("'{label}"));
            }
            Expression::Match(_, arms) => {
                for arm in arms {
                    match &arm.pattern {
                        Choice::Name(name) => drop(self.bound.insert(name.clone())),
                        Choice::Parts(pattern) => self.pattern(pattern),
                        _ => {}
                    }
                }
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
