//! Variables that refer to others for a while.

use super::Generator;
use super::place::{is_slice_like, length};
use super::scope::{Lock, Variable};
use crate::programs::syntax::{Access, Block, Expression, Pattern, Place, Statement, Type};

impl Generator {
    /// A reference into a variable, and statements that use it; then it is forgotten.
    pub(super) fn view(&mut self, unique: bool) -> Option<Vec<Statement>> {
        let access = if unique { Access::Unique } else { Access::Shared };
        let (root, ty, value) = self.viewed(unique)?;
        let name = self.fresh("r");
        let lock = if unique { Lock::Locked } else { Lock::Frozen };
        self.enclosed(&root, lock, |generator| {
            generator.add(name.clone(), ty, access, unique);
            let mut statements = vec![binding(&name, value)];
            statements.extend(generator.uses(&name, unique));
            generator.forget(&name);
            statements
        })
    }

    /// Statements while a variable is borrowed, in a block or not.
    fn enclosed(
        &mut self,
        root: &str,
        lock: Lock,
        make: impl FnOnce(&mut Self) -> Vec<Statement>,
    ) -> Option<Vec<Statement>> {
        let borrowed = |generator: &mut Self| generator.locked(root, lock, make);
        if self.random.chance(0.6) {
            return Some(borrowed(self));
        }
        let body = Block { statements: self.scoped(borrowed), value: None };
        Some(vec![Statement::Do(Expression::Block(body))])
    }

    /// Statements while a view is there, of which at least one uses it.
    fn uses(&mut self, name: &str, unique: bool) -> Vec<Statement> {
        let mut statements = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            self.budget = self.budget.saturating_sub(1);
            statements.extend(self.statement());
        }
        let view = self.scope.iter().find(|variable| variable.name == name).cloned();
        if let Some(view) = view.filter(|_| unique) {
            let place = Expression::Read(self.float_in(&view, true));
            let operator = self.random.pick(&["=", "+=", "-="]);
            statements.push(self.assigned(place, operator));
        }
        statements
    }

    fn viewed(&mut self, unique: bool) -> Option<(String, Type, Expression)> {
        match self.random.below(3) {
            0 => self.viewed_slice(unique),
            _ => {
                let (root, value) = self.float_reference(unique)?;
                // A bare name would move the reference; a part of a tuple cannot be referred to yet.
                let borrows = |place: &Place| !matches!(place, Place::Field(_, "0" | "1"));
                matches!(&value, Expression::Borrow { place, .. } if borrows(place)).then_some((
                    root,
                    Type::Float,
                    value,
                ))
            }
        }
    }

    fn viewed_slice(&mut self, unique: bool) -> Option<(String, Type, Expression)> {
        let sliceable = |variable: &Variable| {
            is_slice_like(variable) || matches!(variable.ty, Type::State | Type::Matrix)
        };
        let variable = self.choose(unique, sliceable)?;
        let (place, ty, part) = match variable.ty {
            Type::State => (variable.base().field("slope"), Type::Array(3), None),
            Type::Matrix => {
                let row = self.index_below(2);
                (variable.base().element(row), Type::Array(2), None)
            }
            ty => {
                let length = length(ty).expect("it has elements");
                let from = self.random.below(length);
                (variable.base(), Type::Slice(length - from), Some((from, length)))
            }
        };
        Some((variable.name, ty, Expression::Borrow { unique, place, part }))
    }

    /// Both halves of an array at once.
    pub(super) fn halves(&mut self) -> Option<Vec<Statement>> {
        let splittable = |variable: &Variable| {
            variable.ty != Type::Vector && length(variable.ty).is_some_and(|length| length > 1)
        };
        let root = self.choose(true, splittable)?;
        let length = length(root.ty).expect("it has elements");
        let at = 1 + self.random.below(length - 1);
        let names = [self.fresh("l"), self.fresh("r")];
        let value =
            Expression::Read(root.base()).method("split_at_mut", vec![Expression::Index(at)]);
        let pattern = Pattern::Names { names: names.to_vec(), mutable: false };
        self.enclosed(&root.name, Lock::Locked, |generator| {
            generator.add(names[0].clone(), Type::Slice(at), Access::Unique, true);
            generator.add(names[1].clone(), Type::Slice(length - at), Access::Unique, true);
            let mut statements = vec![Statement::Let { pattern, ty: None, value: Some(value) }];
            statements.extend(generator.uses(&names[0], true));
            names.iter().for_each(|name| generator.forget(name));
            statements
        })
    }
}

fn binding(name: &str, value: Expression) -> Statement {
    let pattern = Pattern::Name { name: name.into(), mutable: false };
    Statement::Let { pattern, ty: None, value: Some(value) }
}
