//! Places of one float, indices and conditions.

use super::Generator;
use super::scope::Variable;
use crate::programs::syntax::{Access, Expression, Place, Type};

/// How many elements a variable surely has.
pub(super) fn length(ty: Type) -> Option<usize> {
    match ty {
        Type::Array(length) | Type::Slice(length) => Some(length),
        Type::Vector => Some(2),
        _ => None,
    }
}

impl Generator {
    /// Some place of one float that may be read, or written.
    pub(super) fn float_place(&mut self, write: bool) -> Option<Place> {
        let variable = self.choose(write, |variable| holds_floats(variable.ty))?;
        Some(self.float_in(&variable, write))
    }

    /// Some place of one float in a variable.
    pub(super) fn float_in(&mut self, variable: &Variable, write: bool) -> Place {
        if variable.ty == Type::Float {
            return variable.place();
        }
        self.float_at(variable.base(), variable.ty, write)
    }

    /// Some place of one float in a place.
    fn float_at(&mut self, place: Place, ty: Type, write: bool) -> Place {
        match ty {
            Type::Float => place,
            Type::Array(_) | Type::Slice(_) | Type::Vector => {
                let index = self.index_into(&place, ty, write);
                place.element(index)
            }
            Type::Matrix => {
                let (row, column) = (self.index_below(2), self.index_below(2));
                place.element(row).element(column)
            }
            Type::Pair => {
                let field = self.random.pick(&["0", "1"]);
                place.field(field)
            }
            Type::State | Type::Own => {
                let fields = self.fields_of(ty);
                let (name, ty) = self.random.pick(&fields);
                self.float_at(place.field(name), ty, write)
            }
            _ => unreachable!("it holds no floats"),
        }
    }

    /// The fields of a struct that hold floats.
    pub(super) fn fields_of(&self, ty: Type) -> Vec<(&'static str, Type)> {
        match ty {
            Type::Own => self.fields.clone(),
            _ => vec![("level", Type::Float), ("pair", Type::Pair), ("slope", Type::Array(3))],
        }
    }

    /// An index into a place with elements.
    fn index_into(&mut self, place: &Place, ty: Type, write: bool) -> Expression {
        // `v[i % v.len()] = x` borrows a vector twice.
        let by_length = !(write && ty == Type::Vector) && self.random.chance(0.25);
        let length = length(ty).expect("it has elements");
        match self.some_index() {
            Some(index) if by_length => {
                let length = Expression::Read(place.clone()).method("len", Vec::new());
                Expression::Read(index.place()).binary("%", length)
            }
            _ => self.index_below(length),
        }
    }

    fn some_index(&mut self) -> Option<Variable> {
        self.choose(false, |variable| variable.ty == Type::Index)
    }

    /// An index below a number.
    pub(super) fn index_below(&mut self, end: usize) -> Expression {
        let literal = Expression::Index(self.random.below(end));
        if self.random.chance(0.4) {
            return literal;
        }
        let Some(variable) = self.some_index() else { return literal };
        let index = Expression::Read(variable.place());
        match variable.range {
            Some((low, high)) if self.random.chance(0.8) => {
                self.ranged(index, low, high, end).unwrap_or(literal)
            }
            _ if self.random.chance(0.3) => {
                let sum = index.binary("+", Expression::Index(1));
                sum.binary("%", Expression::Index(end))
            }
            _ => index.binary("%", Expression::Index(end)),
        }
    }

    /// A loop's variable and its neighbours, where they are in bounds.
    fn ranged(
        &mut self,
        index: Expression,
        low: usize,
        high: usize,
        end: usize,
    ) -> Option<Expression> {
        let mut choices = Vec::new();
        if high <= end {
            choices.push(index.clone());
            choices.push(index.clone());
            choices.push(Expression::Index(end - 1).binary("-", index.clone()));
        }
        if high < end {
            choices.push(index.clone().binary("+", Expression::Index(1)));
        }
        if low > 0 && high - 1 <= end {
            choices.push(index.binary("-", Expression::Index(1)));
        }
        if choices.is_empty() { None } else { Some(self.random.pick(&choices)) }
    }

    /// A small `usize` of any kind.
    pub(super) fn index(&mut self) -> Expression {
        match (self.random.below(4), self.some_index()) {
            (0, _) | (_, None) => Expression::Index(self.random.below(4)),
            (1, Some(index)) => {
                Expression::Read(index.place()).binary("+", Expression::Index(self.random.below(3)))
            }
            (2, Some(index)) => Expression::Read(index.place()),
            (_, Some(index)) => {
                let by = Expression::Index(2 + self.random.below(3));
                Expression::Read(index.place()).binary("%", by)
            }
        }
    }

    /// A condition, without effects.
    pub(super) fn condition(&mut self) -> Expression {
        self.quietly(|generator| generator.condition_of_depth(2))
    }

    fn condition_of_depth(&mut self, depth: usize) -> Expression {
        match self.random.below(if depth == 0 { 6 } else { 9 }) {
            0..=2 => {
                let (left, right) = (self.float(1), self.float(1));
                left.binary(self.random.pick(&["<", ">", "<=", ">="]), right)
            }
            3 | 4 => {
                let (modulus, index) = (2 + self.random.below(2), self.index());
                let rest = index.binary("%", Expression::Index(modulus));
                let right = Expression::Index(self.random.below(2));
                rest.binary(self.random.pick(&["==", "!=", ">"]), right)
            }
            5 => match self.read_whole(Type::Flag) {
                Some(flag) => flag,
                None => self.condition_of_depth(0),
            },
            6 if self.random.chance(0.4) && !self.in_macro => match self.chained_condition() {
                Some(condition) => condition,
                None => self.condition_of_depth(0),
            },
            6 | 7 => {
                let operator = self.random.pick(&["&&", "||"]);
                let left = self.condition_of_depth(depth - 1);
                left.binary(operator, self.condition_of_depth(depth - 1))
            }
            _ => Expression::Unary("!", Box::new(self.condition_of_depth(depth - 1))),
        }
    }
}

/// Whether there are places of floats in a value; those in enums are only there while they are matched on.
pub(super) fn holds_floats(ty: Type) -> bool {
    use Type::{Flag, Function, Index, Maybe, Shape, Unit};
    !matches!(ty, Index | Flag | Unit | Shape | Maybe | Function { .. })
}

/// Whether a variable can be lent as a slice.
pub(super) fn is_slice_like(variable: &Variable) -> bool {
    length(variable.ty).is_some()
}

/// A variable as an argument where a reference is expected. A unique reference is only named where
/// something may change: whoever does not know the function must think so.
pub(super) fn lent(variable: &Variable, unique: bool) -> Expression {
    let borrow = |place| Expression::Borrow { unique, place, part: None };
    match variable.access {
        Access::Owned => borrow(variable.base()),
        Access::Unique if !unique => borrow(Place::Referent(Box::new(variable.base()))),
        Access::Shared | Access::Unique => Expression::Read(variable.base()),
    }
}
