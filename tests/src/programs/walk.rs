//! Visits every block and every expression of a program, from the outside to the inside.

use super::syntax::{Block, Expression, Function, Over, Place, Program, Sketch, Statement};

/// What is visited.
pub enum Node<'p> {
    /// A block.
    Block(&'p mut Block),
    /// An expression, and what it is used as.
    Expression(&'p mut Expression, Role),
}

/// What an expression is used as, as far as syntax alone tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A value of any type.
    Value,
    /// A place, a function's name or something else that is no value.
    Fixed,
    /// A `usize`.
    Index,
    /// A `bool`.
    Condition,
    /// A chain of iterators.
    Chain,
}

/// Methods of iterators, of which the receiver is a chain.
const CHAINED: &[&str] = &[
    "all",
    "any",
    "chain",
    "collect::<Vec<f64>>",
    "copied",
    "count",
    "enumerate",
    "filter",
    "fold",
    "for_each",
    "map",
    "product::<f64>",
    "rev",
    "skip",
    "step_by",
    "sum::<f64>",
    "take",
    "take_while",
    "zip",
];

/// Calls `visit` with all blocks and expressions.
pub fn program(program: &mut Program, visit: &mut dyn FnMut(Node<'_>)) {
    for one in program.functions.iter_mut().chain([&mut program.main]) {
        function(one, visit);
    }
}

/// Calls `visit` with the blocks and expressions of one function.
pub fn function(function: &mut Function, visit: &mut dyn FnMut(Node<'_>)) {
    block(&mut function.body, visit);
}

/// Calls `visit` with an expression and all that are in it.
pub fn expressions(of: &Expression, visit: &mut dyn FnMut(&Expression)) {
    expression(&mut of.clone(), Role::Value, &mut |node| {
        if let Node::Expression(it, _) = node {
            visit(it);
        }
    });
}

/// Calls `visit` with all sketches of a program.
pub fn sketches(program: &Program, visit: &mut dyn FnMut(&Sketch)) {
    self::program(&mut program.clone(), &mut |node| {
        if let Node::Expression(Expression::Sketch(sketch), _) = node {
            visit(sketch);
        }
    });
}

/// Calls `visit` with the name of each variable that occurs in an expression.
pub fn names(of: &Expression, visit: &mut dyn FnMut(&str)) {
    expressions(of, &mut |it| match it {
        Expression::Read(place) | Expression::Borrow { place, .. } => visit(root(place)),
        Expression::Struct { rest: Some(rest), .. } => visit(root(rest)),
        Expression::For { over: Over::Elements { place, .. }, .. } => visit(root(place)),
        Expression::Apply(name, _) => visit(name),
        _ => {}
    });
}

/// The variable that a place is in.
fn root(place: &Place) -> &str {
    match place {
        Place::Variable(name) => name,
        Place::Referent(inner) | Place::Element(inner, _) | Place::Field(inner, _) => root(inner),
    }
}

fn block(block: &mut Block, visit: &mut dyn FnMut(Node<'_>)) {
    visit(Node::Block(block));
    for statement in &mut block.statements {
        match statement {
            Statement::Let { value: Some(value), .. } => expression(value, Role::Value, visit),
            Statement::Let { value: None, .. } => {}
            Statement::Do(inner) => expression(inner, Role::Fixed, visit),
        }
    }
    if let Some(value) = &mut block.value {
        expression(value, Role::Value, visit);
    }
}

fn expression(it: &mut Expression, role: Role, visit: &mut dyn FnMut(Node<'_>)) {
    visit(Node::Expression(it, role));
    match it {
        Expression::Read(inner) | Expression::Borrow { place: inner, .. } => place(inner, visit),
        Expression::Unary(operator, inner) => {
            let role = if *operator == "!" { Role::Condition } else { role };
            expression(inner, role, visit);
        }
        Expression::Binary(operator, left, right) => {
            let role = operand_role(operator, role);
            expression(left, role, visit);
            expression(right, role, visit);
        }
        Expression::Cast(inner) => expression(inner, Role::Index, visit),
        Expression::Method(receiver, name, arguments) => {
            let kept =
                is_place(receiver) && !matches!(*name, "sin" | "cos" | "tanh" | "atan" | "abs");
            let role = if CHAINED.contains(name) { Role::Chain } else { role };
            expression(receiver, if kept { Role::Fixed } else { role }, visit);
            arguments.iter_mut().for_each(|argument| {
                expression(argument, argument_role(argument), visit);
            });
        }
        Expression::Call(_, items)
        | Expression::Apply(_, items)
        | Expression::Derivative(_, _, items)
        | Expression::Variant(_, items)
        | Expression::Array(items)
        | Expression::Vector(items)
        | Expression::Tuple(items) => each(items, visit),
        Expression::Sketch(sketch) => each(&mut sketch.parts, visit),
        Expression::Reference(inner) => expression(inner, Role::Fixed, visit),
        Expression::Repeat(value, _) => expression(value, Role::Value, visit),
        Expression::Fill(value, length) => {
            expression(value, Role::Value, visit);
            expression(length, Role::Index, visit);
        }
        Expression::Closure { body, .. } => expression(body, Role::Value, visit),
        Expression::Range(from, to) => {
            expression(from, Role::Index, visit);
            expression(to, Role::Index, visit);
        }
        Expression::Struct { fields, .. } => {
            fields.iter_mut().for_each(|(_, value)| expression(value, Role::Value, visit));
        }
        _ => control(it, visit),
    }
}

fn control(it: &mut Expression, visit: &mut dyn FnMut(Node<'_>)) {
    match it {
        Expression::Let(_, subject) => expression(subject, Role::Fixed, visit),
        Expression::If(condition, then, otherwise) => {
            expression(condition, Role::Condition, visit);
            block(then, visit);
            otherwise.iter_mut().for_each(|otherwise| block(otherwise, visit));
        }
        Expression::Match(subject, arms) => {
            expression(subject, Role::Fixed, visit);
            for arm in arms {
                arm.guard.iter_mut().for_each(|guard| expression(guard, Role::Condition, visit));
                block(&mut arm.body, visit);
            }
        }
        Expression::Block(body) | Expression::Labelled(_, body) | Expression::Loop(_, body) => {
            block(body, visit);
        }
        Expression::While(_, condition, body) => {
            expression(condition, Role::Condition, visit);
            block(body, visit);
        }
        Expression::For { over, body, .. } => {
            match over {
                Over::Range { from, to, .. } => {
                    expression(from, Role::Index, visit);
                    expression(to, Role::Index, visit);
                }
                Over::Chain(chain) => expression(chain, Role::Chain, visit),
                Over::Elements { .. } => {}
            }
            block(body, visit);
        }
        Expression::Break(_, value) | Expression::Return(value) => {
            value.iter_mut().for_each(|value| expression(value, Role::Value, visit));
        }
        Expression::Assign(target, _, value) => {
            expression(target, Role::Fixed, visit);
            expression(value, Role::Value, visit);
        }
        _ => {}
    }
}

fn place(it: &mut Place, visit: &mut dyn FnMut(Node<'_>)) {
    match it {
        Place::Variable(_) => {}
        Place::Referent(inner) | Place::Field(inner, _) => place(inner, visit),
        Place::Element(inner, index) => {
            place(inner, visit);
            expression(index, Role::Index, visit);
        }
    }
}

fn each(items: &mut [Expression], visit: &mut dyn FnMut(Node<'_>)) {
    items.iter_mut().for_each(|item| expression(item, argument_role(item), visit));
}

/// Neither a closure nor a chain nor a reference is a value that a number may stand for.
fn argument_role(argument: &Expression) -> Role {
    match argument {
        Expression::Method(_, name, _) if CHAINED.contains(name) || name.starts_with("iter") => {
            Role::Chain
        }
        Expression::Closure { .. } | Expression::Reference(_) | Expression::Range(..) => {
            Role::Fixed
        }
        _ => Role::Value,
    }
}

fn is_place(expression: &Expression) -> bool {
    matches!(expression, Expression::Read(_))
}

fn operand_role(operator: &str, role: Role) -> Role {
    match operator {
        "&&" | "||" => Role::Condition,
        "<" | ">" | "<=" | ">=" | "==" | "!=" => Role::Value,
        "%" => Role::Index,
        _ => role,
    }
}
