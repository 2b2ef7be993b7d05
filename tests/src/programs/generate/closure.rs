//! Closures: bound to a name, passed to functions, and called.

use std::collections::BTreeSet;

use super::Generator;
use super::scope::{Lock, Variable};
use crate::programs::syntax::{Access, Block, Expression, Pattern, Place, Statement, Type};
use crate::programs::walk;

impl Generator {
    /// A closure with a name, and statements that call it; then it is forgotten.
    pub(super) fn let_closure(&mut self) -> Option<Vec<Statement>> {
        let (parameters, changes) = (1 + self.random.below(2), self.random.chance(0.35));
        let written = if changes { Some(self.written_by_closure()?) } else { None };
        let (written, closure) = self.closure(parameters, written);
        let captured = self.captured(&closure);
        let moves = self.random.chance(0.25) && captured.iter().all(is_copied);
        let locks: Vec<(String, Lock)> = captured
            .iter()
            .filter(|_| !moves)
            .map(|variable| {
                let is_written = Some(&variable.name) == written.as_ref();
                (variable.name.clone(), if is_written { Lock::Locked } else { Lock::Frozen })
            })
            .collect();
        let before: Vec<(String, Lock)> =
            locks.iter().map(|(name, lock)| (name.clone(), self.lock(name, *lock))).collect();
        let name = self.fresh("g");
        let ty = Type::Function { parameters, changes };
        self.add(name.clone(), ty, Access::Owned, changes);
        let pattern = Pattern::Name { name: name.clone(), mutable: changes };
        let value = Some(moved(closure, moves));
        let mut statements = vec![Statement::Let { pattern, ty: None, value }];
        statements.extend(self.calls(&name, parameters));
        self.forget(&name);
        for (name, lock) in before {
            self.lock(&name, lock);
        }
        Some(statements)
    }

    /// A place of one float that a closure writes to, and the variable that it is in.
    fn written_by_closure(&mut self) -> Option<(String, Place)> {
        let fits = |variable: &Variable| super::place::holds_floats(variable.ty);
        let variable = self.choose(true, fits)?;
        let place = self.quietly(|generator| generator.float_in(&variable, true));
        Some((variable.name, place))
    }

    /// A closure of floats to a float, and what it writes to.
    fn closure(
        &mut self,
        parameters: usize,
        written: Option<(String, Place)>,
    ) -> (Option<String>, Expression) {
        let outside = self.scope.clone();
        let loops = std::mem::take(&mut self.loops);
        let names: Vec<String> = (0..parameters).map(|_| self.fresh("u")).collect();
        for name in &names {
            self.add(name.clone(), Type::Float, Access::Owned, false);
        }
        let body = self.quietly(|generator| match &written {
            Some((_, place)) => generator.changing_body(place),
            None => generator.storable(2),
        });
        self.scope = outside;
        self.loops = loops;
        let parameter = |name| (Pattern::Name { name, mutable: false }, Some(Type::Float));
        let parameters = names.into_iter().map(parameter).collect();
        let closure = Expression::Closure { moves: false, parameters, body: Box::new(body) };
        (written.map(|(name, _)| name), closure)
    }

    fn changing_body(&mut self, place: &Place) -> Expression {
        let operator = self.random.pick(&["=", "+=", "-="]);
        let change = self.assigned(Expression::Read(place.clone()), operator);
        let value = Some(Box::new(self.storable(1)));
        Expression::Block(Block { statements: vec![change], value })
    }

    /// Statements of which at least one calls the closure.
    fn calls(&mut self, name: &str, parameters: usize) -> Vec<Statement> {
        let mut statements = Vec::new();
        for _ in 0..self.random.below(2) {
            self.budget = self.budget.saturating_sub(1);
            statements.extend(self.statement());
        }
        let call = self.call_of_closure(name, parameters, 1);
        let target = self.fresh("f");
        let pattern = Pattern::Name { name: target.clone(), mutable: false };
        statements.push(Statement::Let { pattern, ty: Some(Type::Float), value: Some(call) });
        self.add(target, Type::Float, Access::Owned, false);
        statements
    }

    fn call_of_closure(&mut self, name: &str, parameters: usize, depth: usize) -> Expression {
        let arguments =
            self.quietly(|generator| (0..parameters).map(|_| generator.storable(depth)).collect());
        Expression::Apply(name.into(), arguments)
    }

    /// A call of some closure or parameter that is a function.
    pub(super) fn applied(&mut self, changing: bool, depth: usize) -> Option<Expression> {
        let function = self.choose(
            false,
            |variable| matches!(variable.ty, Type::Function { changes, .. } if changes == changing),
        )?;
        let Type::Function { parameters, .. } = function.ty else { return None };
        Some(self.call_of_closure(&function.name, parameters, depth))
    }

    /// A function as an argument: a closure, the name of one, or that of a function of the prelude.
    pub(super) fn function_value(&mut self, parameters: usize, borrowed: bool) -> Expression {
        let ty = Type::Function { parameters, changes: false };
        // A parameter that is a function would be moved.
        let known = self.choose(false, |variable| {
            variable.ty == ty && (borrowed || !variable.name.starts_with('h'))
        });
        let function = match (self.random.below(4), known) {
            (0, _) => Expression::variable(if parameters == 1 { "wave" } else { "mix" }),
            (1 | 2, Some(known)) if known.access == Access::Shared => {
                return Expression::Read(known.base());
            }
            (1 | 2, Some(known)) => Expression::Read(known.base()),
            _ => self.closure_value(parameters),
        };
        if borrowed { Expression::Reference(Box::new(function)) } else { function }
    }

    fn closure_value(&mut self, parameters: usize) -> Expression {
        let (_, closure) = self.closure(parameters, None);
        let moves = self.random.chance(0.3) && self.captured(&closure).iter().all(is_copied);
        moved(closure, moves)
    }

    /// The variables in scope that occur in an expression.
    pub(super) fn captured(&self, expression: &Expression) -> Vec<Variable> {
        let names = names(expression);
        self.scope.iter().filter(|variable| names.contains(&variable.name)).cloned().collect()
    }
}

fn is_copied(variable: &Variable) -> bool {
    variable.access != Access::Unique
        && !matches!(variable.ty, Type::Vector | Type::Function { .. })
        || variable.access == Access::Shared
}

fn moved(closure: Expression, moves: bool) -> Expression {
    match closure {
        Expression::Closure { parameters, body, .. } => {
            Expression::Closure { moves, parameters, body }
        }
        other => other,
    }
}

/// The names of all variables in an expression.
fn names(expression: &Expression) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    walk::names(expression, &mut |name| {
        found.insert(name.to_owned());
    });
    found
}
