//! Expressions of one float.

use super::Generator;
use super::bound::{is_storable, is_within};
use crate::programs::random::Random;
use crate::programs::syntax::{Arm, Block, Choice, Expression, Type};

/// The kinds of expressions, beside leaves.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Operator,
    Scaled,
    Negated,
    Function,
    Extremum,
    Guarded,
    Division,
    If,
    Match,
    Block,
    Labelled,
    Loop,
    Exit,
    Call,
    Apply,
    Effect,
    Chain,
    Parts,
}

/// The weights of a program.
pub(super) fn weights(random: &mut Random) -> Vec<(usize, Kind)> {
    let base = [
        (9, Kind::Operator),
        (3, Kind::Scaled),
        (2, Kind::Negated),
        (7, Kind::Function),
        (2, Kind::Extremum),
        (2, Kind::Guarded),
        (2, Kind::Division),
        (2, Kind::If),
        (1, Kind::Match),
        (1, Kind::Block),
        (1, Kind::Labelled),
        (1, Kind::Loop),
        (1, Kind::Exit),
        (3, Kind::Call),
        (2, Kind::Apply),
        (3, Kind::Chain),
        (2, Kind::Parts),
        (1, Kind::Effect),
    ];
    let varied = base.map(|(weight, kind)| (weight * random.pick(&[0, 1, 1, 2]), kind));
    varied.into_iter().chain([(1, Kind::Operator)]).collect()
}

impl Generator {
    /// A float, of any size.
    pub(super) fn float(&mut self, depth: usize) -> Expression {
        if depth == 0 || self.is_deep() || self.random.chance(0.2) {
            return self.leaf();
        }
        let weights = self.floats.clone();
        let kind = self.random.weighted(&weights);
        self.float_of(kind, depth - 1).unwrap_or_else(|| self.leaf())
    }

    /// A float that may be stored.
    pub(super) fn storable(&mut self, depth: usize) -> Expression {
        let value = self.float(depth);
        if is_storable(&value) { value } else { self.squashed(value) }
    }

    /// A float that is small whatever is read.
    pub(super) fn within(&mut self, depth: usize, most: f64) -> Expression {
        let value = self.float(depth);
        if is_within(&value, most) {
            return value;
        }
        let value = self.squashed(value);
        if is_within(&value, most) { value } else { value.method("sin", Vec::new()) }
    }

    fn squashed(&mut self, value: Expression) -> Expression {
        let function = self.random.pick(&["sin", "cos", "tanh", "atan"]);
        value.method(function, Vec::new())
    }

    pub(super) fn literal(&mut self) -> Expression {
        Expression::Float(self.random.between(0.1, 1.9))
    }

    fn leaf(&mut self) -> Expression {
        match self.random.below(12) {
            0 => self.literal(),
            1 => match self.choose(false, |variable| variable.ty == Type::Index) {
                Some(index) => {
                    let rest = Expression::Read(index.place()).binary("%", Expression::Index(4));
                    Expression::Cast(Box::new(rest))
                }
                None => self.literal(),
            },
            _ => match self.float_place(false) {
                Some(place) => Expression::Read(place),
                None => self.literal(),
            },
        }
    }

    fn float_of(&mut self, kind: Kind, depth: usize) -> Option<Expression> {
        Some(match kind {
            Kind::Operator => {
                let left = self.float(depth);
                left.binary(self.random.pick(&["+", "-", "*"]), self.float(depth))
            }
            Kind::Scaled => {
                let value = self.float(depth);
                value.binary(self.random.pick(&["*", "+", "-"]), self.literal())
            }
            Kind::Negated => Expression::Unary("-", Box::new(self.float(depth))),
            Kind::Function => self.function(depth),
            Kind::Extremum => self.extremum(depth),
            Kind::Guarded => self.guarded(depth),
            Kind::Division => {
                let (value, divisor) =
                    (self.float(depth), self.float(depth).method("abs", Vec::new()));
                value.binary("/", Expression::Float(1.5).binary("+", divisor))
            }
            Kind::Call => self.float_call(depth)?,
            Kind::Apply => self.applied(false, depth)?,
            Kind::Chain if self.in_macro => return None,
            Kind::Chain => self.chained_float(depth)?,
            Kind::Parts if self.in_macro => return None,
            Kind::Parts => self.parts_value(depth)?,
            Kind::Effect if self.quiet == 0 => self.effect(depth)?,
            Kind::Effect => return None,
            _ => return self.float_of_blocks(kind, depth),
        })
    }

    fn float_of_blocks(&mut self, kind: Kind, depth: usize) -> Option<Expression> {
        let statements_allowed = self.quiet == 0 && self.nesting < 4;
        Some(match kind {
            Kind::If => {
                let condition = Box::new(self.condition());
                Expression::If(condition, self.arm(depth), Some(self.arm(depth)))
            }
            Kind::Match if !self.in_macro => self.match_value(depth),
            Kind::Block => Expression::Block(self.arm(depth)),
            Kind::Exit if statements_allowed => {
                let condition = Box::new(self.condition());
                let exit = Block::of(self.exit());
                Expression::If(condition, exit, Some(self.arm(depth)))
            }
            Kind::Labelled if statements_allowed && self.loops.len() < 2 => {
                self.labelled_value(Type::Float)
            }
            Kind::Loop if statements_allowed && self.loops.len() < 2 => self.loop_value(),
            _ => return None,
        })
    }

    fn function(&mut self, depth: usize) -> Expression {
        let argument = self.float(depth);
        if self.random.chance(0.2) {
            let path =
                self.random.pick(&["f64::sin", "f64::cos", "f64::tanh", "f64::atan", "f64::abs"]);
            return Expression::Call(path, vec![argument]);
        }
        argument.method(self.random.pick(&["sin", "cos", "tanh", "atan", "abs"]), Vec::new())
    }

    fn extremum(&mut self, depth: usize) -> Expression {
        let value = self.float(depth);
        if self.random.chance(0.2) {
            return value.method("clamp", vec![Expression::Float(-0.8), Expression::Float(0.9)]);
        }
        let other = self.float(depth);
        value.method(self.random.pick(&["max", "min", "hypot"]), vec![other])
    }

    /// Functions that are not defined, or not bounded, everywhere.
    fn guarded(&mut self, depth: usize) -> Expression {
        let value = self.float(depth);
        let away_from_zero = |value: Expression, by: f64| {
            value.method("abs", Vec::new()).binary("+", Expression::Float(by))
        };
        match self.random.below(5) {
            0 => away_from_zero(value, 0.5).method("sqrt", Vec::new()),
            1 => away_from_zero(value, 1.5).method("ln", Vec::new()),
            2 => value.method("tanh", Vec::new()).method("exp", Vec::new()),
            3 => value.method("powi", vec![Expression::Index(2)]),
            _ => {
                let (factor, term) = (self.float(depth), self.float(depth));
                value.method("mul_add", vec![factor, term])
            }
        }
    }

    /// A block with a float as its value and perhaps a statement in front of it.
    pub(super) fn arm(&mut self, depth: usize) -> Block {
        self.scoped(|generator| {
            let mut statements = Vec::new();
            if generator.quiet == 0 && generator.nesting < 4 && generator.random.chance(0.25) {
                statements.extend(generator.simple_statement());
            }
            Block { statements, value: Some(Box::new(generator.arm_value(depth))) }
        })
    }

    /// Now and then a block that control may leave.
    fn arm_value(&mut self, depth: usize) -> Expression {
        let may_exit = self.quiet == 0 && self.nesting < 4 && self.random.chance(0.08);
        if !may_exit {
            return self.float(depth);
        }
        let exit = self.exit_statement();
        let value = Some(Box::new(self.float(depth)));
        Expression::Block(Block { statements: vec![exit], value })
    }

    fn match_value(&mut self, depth: usize) -> Expression {
        let subject = Box::new(self.index());
        let count = 1 + self.random.below(3);
        let mut arms: Vec<Arm> = (0..count).map(|_| self.match_arm(|g| g.arm(depth))).collect();
        let body = self.arm(depth);
        arms.push(Arm { pattern: Choice::Any, guard: None, body });
        Expression::Match(subject, arms)
    }

    /// An arm that need not be taken.
    pub(super) fn match_arm(&mut self, body: impl FnOnce(&mut Self) -> Block) -> Arm {
        let outside = self.scope.clone();
        let (pattern, guard) = match self.random.below(4) {
            0 => (Choice::Numbers(vec![self.random.below(3)]), None),
            1 => (Choice::Numbers(vec![0, 2 + self.random.below(2)]), None),
            2 => (Choice::Range(1, 1 + self.random.below(3)), None),
            _ => {
                let name = self.fresh("k");
                self.add_index(name.clone(), None);
                (Choice::Name(name), Some(self.condition()))
            }
        };
        let guarded = guard.is_none() && self.random.chance(0.2);
        let guard = if guarded { Some(self.condition()) } else { guard };
        let body = body(self);
        self.scope = outside;
        Arm { pattern, guard, body }
    }
}
