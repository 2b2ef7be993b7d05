//! How large a float can be, from the text of its expression.
//!
//! What programs read is bounded by some unknown M. A [`Bound`] says that a value is at most
//! `scale * M + shift`. Values whose scale is at most 1 may be stored: M then grows by addition only.

use super::own::{FUNCTIONS, METHODS};
use crate::programs::syntax::{Block, Expression};

/// At most `scale * M + shift`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bound {
    pub scale: f64,
    pub shift: f64,
}

const UNKNOWN: Bound = Bound { scale: f64::INFINITY, shift: f64::INFINITY };

fn constant(shift: f64) -> Bound {
    Bound { scale: 0.0, shift }
}

impl Bound {
    fn plus(self, other: Bound) -> Bound {
        Bound { scale: self.scale + other.scale, shift: self.shift + other.shift }
    }

    fn times(self, other: Bound) -> Bound {
        let scaled = |by: f64, of: Bound| Bound { scale: by * of.scale, shift: by * of.shift };
        match (self.scale == 0.0, other.scale == 0.0) {
            (true, _) => scaled(self.shift, other),
            (_, true) => scaled(other.shift, self),
            _ => UNKNOWN,
        }
    }

    fn either(self, other: Bound) -> Bound {
        Bound { scale: self.scale.max(other.scale), shift: self.shift.max(other.shift) }
    }
}

/// The bound of an expression of one float.
pub(super) fn bound(expression: &Expression) -> Bound {
    match expression {
        Expression::Float(value) => constant(value.abs()),
        Expression::Read(_) => Bound { scale: 1.0, shift: 0.0 },
        Expression::Unary(_, inner) => bound(inner),
        Expression::Cast(_) => constant(8.0),
        Expression::Binary(operator, left, right) => binary(operator, bound(left), bound(right)),
        Expression::Method(receiver, name, arguments) => method(receiver, name, arguments),
        Expression::Call(function, arguments) => call(function, arguments),
        Expression::Apply(..) => STORABLE,
        Expression::If(_, then, otherwise) => {
            otherwise.iter().fold(of_block(then), |sum, arm| sum.either(of_block(arm)))
        }
        Expression::Match(_, arms) => {
            arms.iter().fold(constant(0.0), |sum, arm| sum.either(of_block(&arm.body)))
        }
        Expression::Block(body) => of_block(body),
        // What breaks hand out is made small enough to be stored.
        Expression::Loop(..) | Expression::Labelled(..) => STORABLE,
        Expression::Return(_) | Expression::Break(..) | Expression::Continue(_) => constant(0.0),
        _ => UNKNOWN,
    }
}

/// The most that may be stored.
const STORABLE: Bound = Bound { scale: 1.0, shift: 2.0 };

fn binary(operator: &str, left: Bound, right: Bound) -> Bound {
    match operator {
        "+" | "-" => left.plus(right),
        "*" => left.times(right),
        // Divisors are at least 1.
        "/" => left,
        _ => UNKNOWN,
    }
}

fn method(receiver: &Expression, name: &str, arguments: &[Expression]) -> Bound {
    let argument = || bound(&arguments[0]);
    match name {
        "sin" | "cos" | "tanh" | "clamp" => constant(1.0),
        "atan" => constant(1.6),
        // Of what is bounded by 1.
        "exp" => constant(3.0),
        "abs" | "ln" => bound(receiver),
        "sqrt" => bound(receiver).plus(constant(1.0)),
        "max" | "min" => bound(receiver).either(argument()),
        "hypot" => bound(receiver).plus(argument()),
        "powi" => bound(receiver).times(bound(receiver)),
        _ if METHODS.contains(&name) => STORABLE,
        "unwrap_or" => bound(receiver).either(argument()),
        "mul_add" => bound(receiver).times(argument()).plus(bound(&arguments[1])),
        _ => UNKNOWN,
    }
}

fn call(function: &str, arguments: &[Expression]) -> Bound {
    match function {
        "f64::sin" | "f64::cos" | "f64::tanh" => constant(1.0),
        "f64::atan" => constant(1.6),
        "f64::abs" => bound(&arguments[0]),
        _ if FUNCTIONS.contains(&function) => STORABLE,
        "std::mem::replace" => Bound { scale: 1.0, shift: 0.0 },
        // The functions of the prelude.
        _ => constant(2.0),
    }
}

fn of_block(block: &Block) -> Bound {
    block.value.as_deref().map_or(constant(0.0), bound)
}

/// Whether a value may be stored or returned.
pub(super) fn is_storable(expression: &Expression) -> bool {
    let Bound { scale, shift } = bound(expression);
    scale <= STORABLE.scale && shift <= STORABLE.shift
}

/// Whether a value may be added to something, or multiplied with it where `most` is 1.
pub(super) fn is_within(expression: &Expression, most: f64) -> bool {
    let Bound { scale, shift } = bound(expression);
    scale == 0.0 && shift <= most
}
