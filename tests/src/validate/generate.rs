//! Random programs.

use super::program::{Access, Function, Index, Operand, Own, Program, Statement, Walk};
use crate::programs::random::Random;

/// Rows that are smooth everywhere and do not grow, with the number of their operands; and a few with corners and poles.
const ROWS: [(usize, (&str, usize)); 14] = [
    (6, ("add", 2)),
    (4, ("sub", 2)),
    (6, ("mul", 2)),
    (2, ("neg", 1)),
    (3, ("sin", 1)),
    (2, ("cos", 1)),
    (3, ("tanh", 1)),
    (1, ("atan", 1)),
    (1, ("exp", 1)),
    (1, ("div", 2)),
    (1, ("max", 2)),
    (1, ("min", 2)),
    (1, ("abs", 1)),
    (1, ("mul_add", 3)),
];

/// The program of a seed.
#[must_use]
pub fn program(seed: u64) -> Program {
    let mut random = Random::new(seed);
    let count = 1 + random.below(3);
    let mut functions = Vec::new();
    for index in 0..count {
        let is_last = index + 1 == count;
        let function = Maker::new(&mut random, &functions, is_last).function();
        functions.push(function);
    }
    Program { functions }
}

struct Maker<'r> {
    random: &'r mut Random,
    callees: &'r [Function],
    function: Function,
    /// How many statements may still be made.
    left: usize,
    loops: usize,
}

impl<'r> Maker<'r> {
    fn new(random: &'r mut Random, callees: &'r [Function], is_last: bool) -> Self {
        let floats = 1 + random.below(3);
        let access = [Access::Shared, Access::Unique];
        let arrays = (0..random.below(3)).map(|_| random.pick(&access)).collect();
        let own = (0..random.below(3)).map(|_| random.pick(&[Own::Vector, Own::Pair])).collect();
        let variables = floats + 1 + random.below(3);
        let function = Function { floats, arrays, variables, own, body: Vec::new() };
        let left = if is_last { 4 + random.below(14) } else { 2 + random.below(5) };
        Maker { random, callees, function, left, loops: 0 }
    }

    fn function(mut self) -> Function {
        let mut body = Vec::new();
        while self.left > 0 {
            body.push(self.statement(0));
        }
        // What is returned depends on more than what was assigned last.
        let operands = vec![Operand::Variable(0), self.variable_operand()];
        body.push(Statement::Set(0, "add", operands));
        self.function.body = body;
        self.function
    }

    fn variable(&mut self) -> usize {
        self.random.below(self.function.variables)
    }

    fn variable_operand(&mut self) -> Operand {
        Operand::Variable(self.variable())
    }

    fn operand(&mut self) -> Operand {
        match self.random.chance(0.85) {
            true => self.variable_operand(),
            false => Operand::Literal(self.random.pick(&[0.0, 1.0, 0.5, 2.0, -1.5])),
        }
    }

    fn index(&mut self) -> Index {
        match self.random.below(if self.loops > 0 { 5 } else { 1 }) {
            0 => Index::At(self.random.below(super::program::LENGTH)),
            1 => Index::Back(self.random.below(self.loops)),
            _ => Index::Of(self.random.below(self.loops)),
        }
    }

    /// A place that satisfies a condition, if there is one.
    fn place(&mut self, fits: impl Fn(&Function, usize) -> bool) -> Option<usize> {
        let fitting: Vec<usize> =
            (0..self.function.places()).filter(|place| fits(&self.function, *place)).collect();
        (!fitting.is_empty()).then(|| self.random.pick(&fitting))
    }

    fn block(&mut self, depth: usize) -> Vec<Statement> {
        let count = 1 + self.random.below(3);
        (0..count).map(|_| self.statement(depth + 1)).collect()
    }

    fn looped(&mut self, depth: usize) -> Vec<Statement> {
        self.loops += 1;
        let body = self.block(depth);
        self.loops -= 1;
        body
    }

    fn statement(&mut self, depth: usize) -> Statement {
        self.left = self.left.saturating_sub(1);
        let is_nested = depth < 3;
        let kind = self.random.below(if is_nested { 24 } else { 14 });
        self.of_kind(kind, depth).unwrap_or_else(|| self.set())
    }

    fn set(&mut self) -> Statement {
        let (row, count) = self.random.weighted(&ROWS);
        let variable = self.variable();
        Statement::Set(variable, row, (0..count).map(|_| self.operand()).collect())
    }

    fn of_kind(&mut self, kind: usize, depth: usize) -> Option<Statement> {
        let variable = self.variable();
        Some(match kind {
            5..=7 => Statement::Read(variable, self.place(|_, _| true)?, self.index()),
            8..=9 => {
                Statement::Write(self.place(Function::is_written)?, self.index(), self.operand())
            }
            10 => Statement::ReadFirst(variable, self.place(Function::is_pair)?),
            11 => Statement::WriteFirst(self.place(Function::is_pair)?, self.operand()),
            12 => Statement::Replace(
                variable,
                self.place(Function::is_written)?,
                self.index(),
                self.operand(),
            ),
            13 => match self.random.chance(0.5) {
                true => {
                    Statement::Swap(self.place(Function::is_written)?, self.index(), self.index())
                }
                false => Statement::Exchange(
                    self.place(Function::is_vector)?,
                    self.place(Function::is_vector)?,
                ),
            },
            14..=16 => {
                let (a, b) = (self.variable_operand(), self.operand());
                let then = self.block(depth);
                let other = if self.random.chance(0.6) { self.block(depth) } else { Vec::new() };
                Statement::If(a, b, then, other)
            }
            17..=19 => {
                let walk = self.random.pick(&[
                    Walk::Up,
                    Walk::Up,
                    Walk::Down,
                    Walk::Steps,
                    Walk::Inclusive,
                ]);
                Statement::For(walk, self.looped(depth))
            }
            20 => {
                let (a, b) = (self.variable_operand(), self.operand());
                Statement::Until(a, b, self.looped(depth))
            }
            21 => match self.random.chance(0.5) {
                true => Statement::Repeat(self.random.below(4), self.block(depth)),
                false => {
                    let (a, b) = (self.variable_operand(), self.operand());
                    Statement::While(1 + self.random.below(3), a, b, self.block(depth))
                }
            },
            22 => {
                let (place, operand) = (self.place(Function::is_vector)?, self.operand());
                Statement::Stack(place, operand, self.block(depth), variable)
            }
            23 => self.call(variable)?,
            _ => return None,
        })
    }

    fn call(&mut self, variable: usize) -> Option<Statement> {
        if self.callees.is_empty() {
            return None;
        }
        let index = self.random.below(self.callees.len());
        let callee = self.callees[index].clone();
        let operands = (0..callee.floats).map(|_| self.operand()).collect();
        let mut places: Vec<usize> = Vec::new();
        for access in &callee.arrays {
            let taken = places.clone();
            let is_unique = *access == Access::Unique;
            // No place is passed twice: one of the two could be written.
            let fits = |function: &Function, place: usize| {
                !taken.contains(&place) && (!is_unique || function.is_written(place))
            };
            places.push(self.place(fits)?);
        }
        Some(Statement::Call(index, variable, operands, places))
    }
}
