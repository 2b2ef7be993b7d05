//! Calls of derivatives: what they make is bounded before anything else reads it.

use super::Generator;
use super::call::{Argument, Callee};
use super::own::FUNCTIONS;
use crate::programs::syntax::{Access, Block, Expression, Over, Pattern, Place, Statement, Type};

impl Generator {
    /// Statements at the end of the body that use a derivative of one of the program's functions.
    pub(super) fn derivative_at_last(&mut self) -> Vec<Statement> {
        if !self.random.chance(0.4) {
            return Vec::new();
        }
        let known: Vec<Callee> =
            self.callees.iter().filter(|callee| cotangents(callee).is_some()).cloned().collect();
        if known.is_empty() {
            return Vec::new();
        }
        let callee = self.random.pick(&known);
        let parts = cotangents(&callee).expect("those without are left out");
        let made = match self.random.below(4) {
            0 => self.pushed_forward(&callee),
            1 => self.gradient(&callee, &parts, true),
            _ => self.gradient(&callee, &parts, false),
        };
        made.unwrap_or_default()
    }

    fn gradient(
        &mut self,
        callee: &Callee,
        parts: &[Type],
        valued: bool,
    ) -> Option<Vec<Statement>> {
        let arguments = self.arguments(&callee.arguments, 1)?;
        let names: Vec<(String, Type)> = parts.iter().map(|ty| (self.fresh("d"), *ty)).collect();
        let bound = |(name, ty): &(String, Type)| Pattern::Name {
            name: name.clone(),
            mutable: *ty != Type::Float && *ty != Type::Pair,
        };
        let pattern = tuple(names.iter().map(bound).collect());
        if !valued {
            return Some(self.bounded(callee.name, "gradient", arguments, pattern, names));
        }
        let value = self.fresh("d");
        let name = Pattern::Name { name: value.clone(), mutable: false };
        let pattern = Pattern::Tuple(vec![name, pattern]);
        let names = [(value, Type::Float)].into_iter().chain(names).collect();
        Some(self.bounded(callee.name, "value_and_gradient", arguments, pattern, names))
    }

    /// `jvp`, whose tangents are arguments like those that they belong to.
    fn pushed_forward(&mut self, callee: &Callee) -> Option<Vec<Statement>> {
        let is_constant = |argument: &Argument| *argument == Argument::Value(Type::Index);
        let grows = |argument: &Argument| {
            matches!(
                argument,
                Argument::Value(Type::Vector) | Argument::Whole { ty: Type::Vector, .. }
            )
        };
        if callee.arguments.iter().any(grows) {
            return None;
        }
        let both = callee.arguments.iter().flat_map(|argument| {
            std::iter::repeat_n(*argument, if is_constant(argument) { 1 } else { 2 })
        });
        let arguments = self.arguments(&both.collect::<Vec<_>>(), 1)?;
        let names = [self.fresh("d"), self.fresh("d")];
        let bound = |name: &String| Pattern::Name { name: name.clone(), mutable: false };
        let pattern = tuple(names.iter().map(bound).collect());
        let names = names.map(|name| (name, Type::Float)).into();
        Some(self.bounded(callee.name, "jvp", arguments, pattern, names))
    }

    /// Binds what a derivative makes, and lets each part go through a bounded function.
    fn bounded(
        &mut self,
        function: &'static str,
        derivative: &'static str,
        arguments: Vec<Expression>,
        pattern: Pattern,
        names: Vec<(String, Type)>,
    ) -> Vec<Statement> {
        let value = Expression::Derivative(function, derivative, arguments);
        let mut statements = vec![Statement::Let { pattern, ty: None, value: Some(value) }];
        for (name, ty) in names {
            statements.push(self.made_small(&name, ty));
            self.add(name, ty, Access::Owned, false);
        }
        statements
    }

    fn made_small(&mut self, name: &str, ty: Type) -> Statement {
        let function = self.random.pick(&["sin", "tanh", "atan"]);
        let variable = Place::Variable(name.into());
        let small = |place: Place| Expression::Read(place).method(function, Vec::new());
        let value = match ty {
            Type::Float => small(variable),
            Type::Pair => Expression::Tuple(vec![
                small(variable.clone().field("0")),
                small(variable.field("1")),
            ]),
            _ => return self.each_made_small(variable, function),
        };
        let pattern = Pattern::Name { name: name.into(), mutable: false };
        Statement::Let { pattern, ty: None, value: Some(value) }
    }

    fn each_made_small(&mut self, place: Place, function: &'static str) -> Statement {
        let name = self.fresh("v");
        let element = Place::Referent(Box::new(Place::Variable(name.clone())));
        let value = Expression::Read(element.clone()).method(function, Vec::new());
        let target = Box::new(Expression::Read(element));
        let assignment = Expression::Assign(target, "=", Box::new(value));
        let body = Block { statements: vec![Statement::Do(assignment)], value: None };
        let over = Over::Elements {
            place,
            access: Access::Unique,
            by_method: true,
            reversed: false,
            enumerated: false,
        };
        let pattern = Pattern::Name { name, mutable: false };
        Statement::Do(Expression::For { label: None, pattern, over, body })
    }
}

/// The types of the parts of a function's gradient, where all of them are made of floats.
fn cotangents(callee: &Callee) -> Option<Vec<Type>> {
    let is_free = FUNCTIONS.contains(&callee.name) && callee.result == Type::Float;
    let parts: Vec<Option<Type>> =
        callee.arguments.iter().filter_map(|argument| cotangent(*argument)).collect();
    let parts: Option<Vec<Type>> = parts.into_iter().collect();
    parts.filter(|parts| is_free && !parts.is_empty())
}

/// The type of an argument's cotangent: nothing where it has none, `Some(None)` where it is not known here.
fn cotangent(argument: Argument) -> Option<Option<Type>> {
    match argument {
        Argument::Value(Type::Index) => None,
        Argument::Value(ty) | Argument::Whole { ty, unique: false } => Some(known(ty)),
        Argument::Float { unique: false } => Some(Some(Type::Float)),
        Argument::Exact { unique: false, .. } => Some(Some(Type::Vector)),
        _ => Some(None),
    }
}

fn known(ty: Type) -> Option<Type> {
    matches!(ty, Type::Float | Type::Pair | Type::Array(_) | Type::Vector).then_some(ty)
}

/// A tuple, unless there is one part.
fn tuple(mut patterns: Vec<Pattern>) -> Pattern {
    if patterns.len() == 1 { patterns.remove(0) } else { Pattern::Tuple(patterns) }
}
