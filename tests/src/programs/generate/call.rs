//! Calls of the prelude's functions, and of functions that move values between places.

use super::Generator;
use super::place::{holds_floats, is_slice_like, length, lent};
use super::scope::{Lock, Variable};
use crate::programs::syntax::{Access, Expression, Place, Type};

/// A function of the prelude.
#[derive(Clone, Copy)]
pub(super) struct Function {
    name: &'static str,
    arguments: &'static [Argument],
    result: Type,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Argument {
    Value(Type),
    Slice {
        unique: bool,
    },
    Float,
    State {
        unique: bool,
    },
    /// For a parameter that is declared constant, which nothing active may reach.
    Constants,
}

const FLOAT: Argument = Argument::Value(Type::Float);
const SLICE: Argument = Argument::Slice { unique: false };
const UNIQUE_SLICE: Argument = Argument::Slice { unique: true };

macro_rules! functions {
    ($($name:ident($($argument:expr),*) -> $result:expr;)*) => {
        &[$(Function { name: stringify!($name), arguments: &[$($argument),*], result: $result }),*]
    };
}

/// Functions that change nothing.
const PURE: &[Function] = functions! {
    mix(FLOAT, FLOAT) -> Type::Float;
    norm(SLICE) -> Type::Float;
    dot(SLICE, SLICE) -> Type::Float;
    weighted(SLICE, Argument::Constants) -> Type::Float;
    energy(Argument::State { unique: false }) -> Type::Float;
    split(FLOAT, FLOAT) -> Type::Pair;
    turn(Argument::Value(Type::Pair), FLOAT) -> Type::Pair;
    step(Argument::Value(Type::Array(3)), FLOAT) -> Type::Array(3);
    spread(SLICE, Argument::Value(Type::Index)) -> Type::Vector;
};

/// Functions that change their arguments.
const EFFECTS: &[Function] = functions! {
    scale(UNIQUE_SLICE, FLOAT) -> Type::Float;
    bump(Argument::Float, FLOAT) -> Type::Float;
    advance(Argument::State { unique: true }, FLOAT) -> Type::Float;
};

/// The same without a value.
const COMMANDS: &[Function] = functions! {
    blend(UNIQUE_SLICE, SLICE, FLOAT) -> Type::Unit;
    exchange(Argument::Float, Argument::Float) -> Type::Unit;
};

impl Generator {
    /// A call that changes nothing and has a float as its value.
    pub(super) fn float_call(&mut self, depth: usize) -> Option<Expression> {
        self.call_for(Type::Float, depth)
    }

    /// A call that changes nothing.
    pub(super) fn call_for(&mut self, result: Type, depth: usize) -> Option<Expression> {
        let fitting = PURE.iter().filter(|function| function.result == result);
        let fitting: Vec<Function> = fitting.copied().collect();
        if fitting.is_empty() {
            return None;
        }
        let function = self.random.pick(&fitting);
        self.call(function, depth)
    }

    /// Something that changes a place and has a float as its value.
    pub(super) fn effect(&mut self, depth: usize) -> Option<Expression> {
        if self.random.chance(0.3) {
            return self.replace(depth);
        }
        let function = self.random.pick(EFFECTS);
        self.call(function, depth)
    }

    /// Something that changes places and has no value.
    pub(super) fn command(&mut self, depth: usize) -> Option<Expression> {
        let function = self.random.pick(COMMANDS);
        self.call(function, depth)
    }

    fn call(&mut self, function: Function, depth: usize) -> Option<Expression> {
        let outside: Vec<(String, Lock)> =
            self.scope.iter().map(|variable| (variable.name.clone(), variable.lock)).collect();
        let borrowed: Option<Vec<Option<Expression>>> =
            function.arguments.iter().map(|argument| self.borrowed(*argument)).collect();
        let arguments = borrowed.map(|borrowed| {
            let arguments = function.arguments.iter().zip(borrowed);
            arguments
                .map(|(argument, made)| made.unwrap_or_else(|| self.argument(*argument, depth)))
                .collect()
        });
        for (name, lock) in outside {
            self.lock(&name, lock);
        }
        Some(Expression::Call(function.name, arguments?))
    }

    /// An argument behind a reference, whose variable is locked; the inner `None` for those by value.
    fn borrowed(&mut self, argument: Argument) -> Option<Option<Expression>> {
        let (name, borrow) = match argument {
            Argument::Value(_) | Argument::Constants => return Some(None),
            Argument::Slice { unique } => self.slice(unique)?,
            Argument::Float => self.float_reference(true)?,
            Argument::State { unique } => {
                let variable = self.choose(unique, |variable| variable.ty == Type::State)?;
                (variable.name.clone(), lent(&variable, unique))
            }
        };
        let unique = !matches!(
            argument,
            Argument::Slice { unique: false } | Argument::State { unique: false }
        );
        self.lock(&name, if unique { Lock::Locked } else { Lock::Frozen });
        Some(Some(borrow))
    }

    fn argument(&mut self, argument: Argument, depth: usize) -> Expression {
        match argument {
            Argument::Value(Type::Float) => self.float(depth),
            Argument::Value(Type::Index) => self.index_below(3),
            Argument::Value(ty) => self.value(ty),
            Argument::Constants => self.constants(),
            _ => unreachable!("references are made first"),
        }
    }

    fn constants(&mut self) -> Expression {
        let values = (0..3).map(|_| self.literal()).collect();
        Expression::Reference(Box::new(Expression::Array(values)))
    }

    /// `&mut` of some float, and the variable that it is in.
    pub(super) fn float_reference(&mut self, unique: bool) -> Option<(String, Expression)> {
        let variable = self.choose(unique, |variable| holds_floats(variable.ty))?;
        let reference = variable.access == Access::Unique && variable.ty == Type::Float;
        if reference && self.random.chance(0.5) {
            return Some((variable.name.clone(), Expression::Read(variable.base())));
        }
        let place = self.float_in(&variable, unique);
        Some((variable.name, Expression::Borrow { unique, place, part: None }))
    }

    /// A slice of some variable, and the variable.
    pub(super) fn slice(&mut self, unique: bool) -> Option<(String, Expression)> {
        let sliceable = |variable: &Variable| {
            is_slice_like(variable) || matches!(variable.ty, Type::State | Type::Matrix)
        };
        let variable = self.choose(unique, sliceable)?;
        let borrow = |place: Place, part| Expression::Borrow { unique, place, part };
        let slice = match variable.ty {
            Type::State => borrow(variable.base().field("slope"), None),
            Type::Matrix => {
                let row = self.index_below(2);
                borrow(variable.base().element(row), None)
            }
            ty => {
                let length = length(ty).expect("it is like a slice");
                if length > 1 && self.random.chance(0.3) {
                    let from = self.random.below(length - 1);
                    let to = from + 1 + self.random.below(length - from);
                    borrow(variable.base(), Some((from, to)))
                } else {
                    lent(&variable, unique)
                }
            }
        };
        Some((variable.name, slice))
    }

    /// `mem::replace` of a float.
    fn replace(&mut self, depth: usize) -> Option<Expression> {
        let (name, place) = self.float_reference(true)?;
        let value = self.locked(&name, Lock::Locked, |generator| generator.storable(depth));
        Some(Expression::Call("std::mem::replace", vec![place, value]))
    }

    /// `mem::swap` of two variables of one type, or of floats in two variables.
    pub(super) fn swap(&mut self) -> Option<Expression> {
        let (first, left) = self.float_reference(true)?;
        let before = self.lock(&first, Lock::Locked);
        let other = self.float_reference(true);
        self.lock(&first, before);
        let (_, right) = other?;
        Some(Expression::Call("std::mem::swap", vec![left, right]))
    }

    /// `mem::swap` of two variables with all they hold.
    pub(super) fn swap_wholes(&mut self) -> Option<Expression> {
        let swappable = |variable: &Variable| {
            matches!(
                variable.ty,
                Type::Array(_) | Type::Vector | Type::Pair | Type::State | Type::Matrix
            )
        };
        let left = self.choose(true, swappable)?;
        let right =
            self.choose(true, |variable| variable.ty == left.ty && variable.name != left.name)?;
        Some(Expression::Call("std::mem::swap", vec![lent(&left, true), lent(&right, true)]))
    }
}
