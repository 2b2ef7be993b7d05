//! Values of all types.

use super::Generator;
use super::place::length;
use super::scope::Variable;
use crate::programs::syntax::{Block, Expression, Type};

impl Generator {
    /// A value of a type, small enough to be stored.
    pub(super) fn value(&mut self, ty: Type) -> Expression {
        self.depth += 1;
        let value = self.value_of(ty);
        self.depth -= 1;
        value
    }

    fn value_of(&mut self, ty: Type) -> Expression {
        match ty {
            Type::Float => self.storable(2),
            Type::Index => self.index(),
            Type::Flag => self.condition(),
            Type::Unit => Expression::Tuple(Vec::new()),
            Type::Vector => self.vector(),
            Type::Function { .. } => unreachable!("functions are only passed"),
            Type::Slice(_) => unreachable!("slices are only borrowed"),
            _ => self.copyable(ty),
        }
    }

    fn copyable(&mut self, ty: Type) -> Expression {
        let made = match self.random.below(8) {
            0 | 1 => self.read_whole(ty),
            _ if self.is_deep() => None,
            2 => self.call_for(ty, 1),
            3 if self.nesting < 4 => {
                let condition = Box::new(self.condition());
                let (then, otherwise) = (self.composed(ty), self.composed(ty));
                Some(Expression::If(condition, Block::of(then), Some(Block::of(otherwise))))
            }
            _ => None,
        };
        made.unwrap_or_else(|| self.composed(ty))
    }

    /// A value made of its parts.
    fn composed(&mut self, ty: Type) -> Expression {
        match ty {
            Type::Array(length) if self.random.chance(0.2) => {
                Expression::Repeat(Box::new(self.storable(1)), length)
            }
            Type::Array(length) => Expression::Array(self.storables(length)),
            Type::Matrix => {
                let rows = [self.value(Type::Array(2)), self.value(Type::Array(2))];
                Expression::Array(rows.into())
            }
            Type::Pair => Expression::Tuple(self.storables(2)),
            Type::State => self.state(),
            Type::Own => self.own(),
            Type::Shape | Type::Maybe => self.variant(ty),
            _ => unreachable!("other types have no parts"),
        }
    }

    fn storables(&mut self, count: usize) -> Vec<Expression> {
        (0..count).map(|_| self.storable(1)).collect()
    }

    fn state(&mut self) -> Expression {
        let rest = self.choose(false, |variable| variable.ty == Type::State);
        let rest = rest.filter(|_| self.random.chance(0.5)).map(|variable| variable.place());
        let mut fields = vec![("level", self.storable(1))];
        if rest.is_none() || self.random.chance(0.3) {
            fields.push(("pair", self.value(Type::Pair)));
        }
        if rest.is_none() || self.random.chance(0.3) {
            fields.push(("slope", self.value(Type::Array(3))));
        }
        if rest.is_none() {
            fields.push(("steps", self.index_below(3)));
        }
        Expression::Struct { name: "State", fields, rest }
    }

    fn own(&mut self) -> Expression {
        let rest = self.choose(false, |variable| variable.ty == Type::Own);
        let rest = rest.filter(|_| self.random.chance(0.5)).map(|variable| variable.place());
        let known = self.fields.clone();
        let mut fields = Vec::new();
        for (name, ty) in known {
            if rest.is_none() || self.random.chance(0.4) {
                let value = if ty == Type::Float { self.storable(1) } else { self.value(ty) };
                fields.push((name, value));
            }
        }
        Expression::Struct { name: "Own", fields, rest }
    }

    fn vector(&mut self) -> Expression {
        let made = match self.random.below(10) {
            _ if self.is_deep() => None,
            8 | 9 if !self.in_macro => self.collected(1),
            0 | 1 => self.cloned(),
            2 => self.call_for(Type::Vector, 1),
            3 => {
                let length = self.index_below(3).binary("+", Expression::Index(2));
                let value = self.in_macro(|generator| generator.storable(1));
                Some(Expression::Fill(Box::new(value), Box::new(length)))
            }
            _ => None,
        };
        let length = 2 + self.random.below(2);
        made.unwrap_or_else(|| {
            self.in_macro(|generator| Expression::Vector(generator.storables(length)))
        })
    }

    fn cloned(&mut self) -> Option<Expression> {
        let fits = |variable: &Variable| {
            matches!(variable.ty, Type::Vector | Type::Slice(_)) && length(variable.ty) > Some(1)
        };
        let variable = self.choose(false, fits)?;
        let method = if variable.ty == Type::Vector { "clone" } else { "to_vec" };
        Some(Expression::Read(variable.base()).method(method, Vec::new()))
    }
}
