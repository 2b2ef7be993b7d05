//! Calls of the prelude's functions, and of functions that move values between places.

use std::borrow::Cow;

use super::Generator;
use super::place::{holds_floats, is_slice_like, length, lent};
use super::scope::{Lock, Variable};
use crate::programs::syntax::{Access, Expression, Place, Type};

/// A function of the prelude or of the program's own.
#[derive(Clone, Debug)]
pub(super) struct Callee {
    pub name: &'static str,
    pub arguments: Cow<'static, [Argument]>,
    pub result: Type,
}

/// What a function takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Argument {
    Value(Type),
    /// A slice of any length.
    Slice {
        unique: bool,
    },
    /// A slice of this length.
    Exact {
        length: usize,
        unique: bool,
    },
    /// A float behind a reference.
    Float {
        unique: bool,
    },
    /// A variable of this type behind a reference.
    Whole {
        ty: Type,
        unique: bool,
    },
    /// What a method is called on.
    Receiver {
        unique: bool,
    },
    /// A function of so many floats.
    Function {
        parameters: usize,
        borrowed: bool,
    },
    /// For a parameter that is declared constant, which nothing active may reach.
    Constants,
}

impl Argument {
    /// Whether what it is changes.
    pub(super) fn is_unique(self) -> bool {
        use Argument::{Exact, Float, Receiver, Slice, Whole};
        matches!(
            self,
            Slice { unique: true }
                | Exact { unique: true, .. }
                | Float { unique: true }
                | Whole { unique: true, .. }
                | Receiver { unique: true }
        )
    }
}

impl Callee {
    /// Whether a call changes something.
    fn changes(&self) -> bool {
        self.arguments.iter().any(|argument| argument.is_unique())
    }
}

const FLOAT: Argument = Argument::Value(Type::Float);
const SLICE: Argument = Argument::Slice { unique: false };
const UNIQUE_SLICE: Argument = Argument::Slice { unique: true };
const UNIQUE_FLOAT: Argument = Argument::Float { unique: true };

const fn state(unique: bool) -> Argument {
    Argument::Whole { ty: Type::State, unique }
}

macro_rules! functions {
    ($($name:ident($($argument:expr),*) -> $result:expr;)*) => {
        &[$(Callee {
            name: stringify!($name),
            arguments: Cow::Borrowed(&[$($argument),*]),
            result: $result,
        }),*]
    };
}

/// The functions of the prelude.
const PRELUDE: &[Callee] = functions! {
    wave(FLOAT) -> Type::Float;
    mix(FLOAT, FLOAT) -> Type::Float;
    norm(SLICE) -> Type::Float;
    dot(SLICE, SLICE) -> Type::Float;
    weighted(SLICE, Argument::Constants) -> Type::Float;
    energy(state(false)) -> Type::Float;
    integrate(Argument::Function { parameters: 1, borrowed: false }, FLOAT, FLOAT) -> Type::Float;
    compose(Argument::Function { parameters: 2, borrowed: true }, FLOAT, FLOAT) -> Type::Float;
    split(FLOAT, FLOAT) -> Type::Pair;
    turn(Argument::Value(Type::Pair), FLOAT) -> Type::Pair;
    step(Argument::Value(Type::Array(3)), FLOAT) -> Type::Array(3);
    spread(SLICE, Argument::Value(Type::Index)) -> Type::Vector;
    scale(UNIQUE_SLICE, FLOAT) -> Type::Float;
    bump(UNIQUE_FLOAT, FLOAT) -> Type::Float;
    advance(state(true), FLOAT) -> Type::Float;
    apply(UNIQUE_SLICE, Argument::Function { parameters: 1, borrowed: false }) -> Type::Float;
    blend(UNIQUE_SLICE, SLICE, FLOAT) -> Type::Unit;
    exchange(UNIQUE_FLOAT, UNIQUE_FLOAT) -> Type::Unit;
};

impl Generator {
    /// A call that changes nothing and has a float as its value.
    pub(super) fn float_call(&mut self, depth: usize) -> Option<Expression> {
        self.call_for(Type::Float, depth)
    }

    /// A call that changes nothing.
    pub(super) fn call_for(&mut self, result: Type, depth: usize) -> Option<Expression> {
        self.call_of(result, false, depth)
    }

    /// Something that changes a place and has a float as its value.
    pub(super) fn effect(&mut self, depth: usize) -> Option<Expression> {
        match self.random.below(10) {
            0..=2 => self.replace(depth),
            3..=4 => self.applied(true, depth),
            _ => self.call_of(Type::Float, true, depth),
        }
    }

    /// A call that changes places and has a value of this type, or none.
    pub(super) fn call_of(
        &mut self,
        result: Type,
        changes: bool,
        depth: usize,
    ) -> Option<Expression> {
        let fits = |callee: &&Callee| callee.result == result && callee.changes() == changes;
        let own: Vec<Callee> = self.callees.iter().filter(fits).cloned().collect();
        let prelude: Vec<Callee> = PRELUDE.iter().filter(fits).cloned().collect();
        let from = if own.is_empty() || !prelude.is_empty() && self.random.chance(0.3) {
            prelude
        } else {
            own
        };
        if from.is_empty() {
            return None;
        }
        let callee = self.random.pick(&from);
        self.call(&callee, depth)
    }

    fn call(&mut self, callee: &Callee, depth: usize) -> Option<Expression> {
        let mut arguments = self.arguments(&callee.arguments, depth)?;
        if matches!(callee.arguments.first(), Some(Argument::Receiver { .. })) {
            let receiver = arguments.remove(0);
            return Some(receiver.method(callee.name, arguments));
        }
        Some(Expression::Call(callee.name, arguments))
    }

    /// Arguments that borrow nothing twice.
    pub(super) fn arguments(
        &mut self,
        wanted: &[Argument],
        depth: usize,
    ) -> Option<Vec<Expression>> {
        let outside: Vec<(String, Lock)> =
            self.scope.iter().map(|variable| (variable.name.clone(), variable.lock)).collect();
        let borrowed: Option<Vec<Option<Expression>>> =
            wanted.iter().map(|argument| self.borrowed(*argument)).collect();
        let arguments = borrowed.map(|borrowed| {
            let arguments = wanted.iter().zip(borrowed);
            arguments
                .map(|(argument, made)| made.unwrap_or_else(|| self.argument(*argument, depth)))
                .collect()
        });
        for (name, lock) in outside {
            self.lock(&name, lock);
        }
        arguments
    }

    /// An argument behind a reference, whose variable is locked; the inner `None` for those by value.
    fn borrowed(&mut self, argument: Argument) -> Option<Option<Expression>> {
        let made = match argument {
            Argument::Value(_) | Argument::Constants => return Some(None),
            Argument::Function { parameters, borrowed } => {
                return Some(Some(self.lent_function(parameters, borrowed)));
            }
            Argument::Slice { unique } => self.slice(unique),
            Argument::Exact { length, unique } => self.exact_slice(length, unique),
            Argument::Float { unique } => self.float_reference(unique),
            Argument::Whole { ty, unique } => self.whole(ty, unique),
            Argument::Receiver { unique } => {
                let variable = self.choose(unique, |variable| variable.ty == Type::Own)?;
                Some((variable.name.clone(), Expression::Read(variable.base())))
            }
        };
        let Some((name, borrow)) = made else { return self.temporary(argument).map(Some) };
        self.lock(&name, if argument.is_unique() { Lock::Locked } else { Lock::Frozen });
        Some(Some(borrow))
    }

    /// A function as an argument, while which the variables that it reads are frozen.
    fn lent_function(&mut self, parameters: usize, borrowed: bool) -> Expression {
        let function = self.function_value(parameters, borrowed);
        for variable in self.captured(&function) {
            self.lock(&variable.name, Lock::Frozen);
        }
        function
    }

    fn whole(&mut self, ty: Type, unique: bool) -> Option<(String, Expression)> {
        let variable = self.choose(unique, |variable| variable.ty == ty)?;
        Some((variable.name.clone(), lent(&variable, unique)))
    }

    /// A reference to a value of its own, where nothing is there to be lent.
    fn temporary(&mut self, argument: Argument) -> Option<Expression> {
        let ty = match argument {
            Argument::Exact { length, unique: false } => Type::Array(length),
            Argument::Float { unique: false } => Type::Float,
            Argument::Whole { ty, unique: false } => ty,
            _ => return None,
        };
        let value = self.quietly(|generator| generator.value(ty));
        Some(Expression::Reference(Box::new(value)))
    }

    fn argument(&mut self, argument: Argument, depth: usize) -> Expression {
        match argument {
            Argument::Value(Type::Float) => self.storable(depth),
            Argument::Value(Type::Index) => self.index_below(3),
            Argument::Value(ty) => self.value(ty),
            Argument::Constants => self.constants(),
            _ => unreachable!("references are made first"),
        }
    }

    /// A slice of a known length, and the variable that it is in.
    fn exact_slice(&mut self, length: usize, unique: bool) -> Option<(String, Expression)> {
        let long_enough = |variable: &Variable| {
            super::place::length(variable.ty).is_some_and(|all| all >= length)
        };
        let variable = self.choose(unique, long_enough)?;
        let all = super::place::length(variable.ty).expect("it has elements");
        let slice = if all == length && variable.ty != Type::Vector {
            lent(&variable, unique)
        } else {
            let from = self.random.below(all - length + 1);
            Expression::Borrow { unique, place: variable.base(), part: Some((from, from + length)) }
        };
        Some((variable.name, slice))
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
