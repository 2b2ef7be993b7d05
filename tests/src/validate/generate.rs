//! Random programs.

use super::program::{
    Access, Function, Index, Make, Operand, Own, Program, Statement, Temporary, Walk,
};
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

/// Arrays of most programs, and of those whose loops are long enough for strips.
const SHORT: usize = 4;
const LONG: usize = 19;

/// The program of a seed.
#[must_use]
pub fn program(seed: u64) -> Program {
    let mut random = Random::new(seed);
    let count = 1 + random.below(3);
    let length = if random.chance(0.1) { LONG } else { SHORT };
    let mut functions = Vec::new();
    for index in 0..count {
        let is_last = index + 1 == count;
        let function = Maker::new(&mut random, &functions, is_last, length).function();
        functions.push(function);
    }
    Program { length, functions }
}

struct Maker<'r> {
    random: &'r mut Random,
    callees: &'r [Function],
    function: Function,
    length: usize,
    /// How many statements may still be made.
    left: usize,
    /// How deep loops may stand in one another.
    deepest: usize,
    /// Of the loops around: how far below and above its index an element is.
    loops: Vec<(i64, i64)>,
    /// Vectors that are longer for now.
    stacked: Vec<usize>,
    /// Temporaries that are there.
    scope: Vec<usize>,
    /// What stands behind the statement that is made.
    behind: Vec<Statement>,
    is_kernel: bool,
}

impl<'r> Maker<'r> {
    fn new(random: &'r mut Random, callees: &'r [Function], is_last: bool, length: usize) -> Self {
        let floats = 1 + random.below(3);
        let access = [Access::Shared, Access::Unique];
        let arrays = (0..random.below(3)).map(|_| random.pick(&access)).collect();
        let kinds = [Own::Vector, Own::Vector, Own::Pair, Own::Rows, Own::Opaque, Own::Number];
        let own = (0..random.below(4)).map(|_| random.pick(&kinds)).collect();
        let function = Function {
            floats,
            arrays,
            variables: floats + 1 + random.below(3),
            own,
            temporaries: Vec::new(),
            is_loose: random.chance(0.3),
            body: Vec::new(),
        };
        // Some functions are one loop with little around it.
        let is_kernel = random.chance(0.25);
        let left = match is_last && random.chance(0.7) {
            _ if is_kernel => random.below(3),
            true => 4 + random.below(14),
            false => 2 + random.below(5),
        };
        let deepest = if length == SHORT { 3 } else { 1 };
        let (loops, stacked, scope, behind) = Default::default();
        Maker {
            random,
            callees,
            function,
            length,
            left,
            deepest,
            loops,
            stacked,
            scope,
            behind,
            is_kernel,
        }
    }

    fn function(mut self) -> Function {
        let mut body = Vec::new();
        if self.is_kernel {
            let kind = self.random.pick(&[22, 24, 24, 24, 31, 32]);
            body.extend(self.of_kind(kind, 0));
            body.append(&mut self.behind);
        }
        while self.left > 0 {
            body.push(self.statement(0));
            body.append(&mut self.behind);
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

    fn operands(&mut self, count: usize) -> Vec<Operand> {
        (0..count).map(|_| self.operand()).collect()
    }

    fn index(&mut self) -> Index {
        if self.loops.is_empty() {
            return Index::At(self.random.below(self.length));
        }
        let of = self.random.below(self.loops.len());
        match self.random.below(7) {
            0 => Index::At(self.random.below(self.length)),
            1 => Index::Back(of),
            2..=4 => Index::Of(of),
            _ => {
                let (below, above) = self.loops[self.loops.len() - 1 - of];
                let all = usize::try_from(below + above + 1).expect("not negative");
                let distance = self.random.below(all) as i64 - below;
                if distance == 0 { Index::Of(of) } else { Index::Near(of, distance) }
            }
        }
    }

    /// A place that satisfies a condition, if there is one.
    fn place(&mut self, fits: impl Fn(&Function, usize) -> bool) -> Option<usize> {
        let fitting: Vec<usize> =
            (0..self.function.places()).filter(|place| fits(&self.function, *place)).collect();
        (!fitting.is_empty()).then(|| self.random.pick(&fitting))
    }

    fn own(&mut self, own: Own) -> Option<usize> {
        self.place(|function, place| function.is(place, own))
    }

    fn block(&mut self, depth: usize) -> Vec<Statement> {
        let (count, mut block) = (1 + self.random.below(3), Vec::new());
        for _ in 0..count {
            block.push(self.statement(depth + 1));
            block.append(&mut self.behind);
        }
        block
    }

    fn looped(&mut self, depth: usize, around: (i64, i64)) -> Vec<Statement> {
        self.loops.push(around);
        let body = self.block(depth);
        self.loops.pop();
        body
    }

    fn statement(&mut self, depth: usize) -> Statement {
        self.left = self.left.saturating_sub(1);
        let is_nested = depth < 3 && self.loops.len() < self.deepest;
        let kind = self.random.below(if is_nested { 35 } else { 20 });
        self.of_kind(kind, depth).unwrap_or_else(|| self.set())
    }

    fn set(&mut self) -> Statement {
        let (row, count) = self.random.weighted(&ROWS);
        Statement::Set(self.variable(), row, self.operands(count))
    }

    fn of_kind(&mut self, kind: usize, depth: usize) -> Option<Statement> {
        match kind {
            5..=13 => self.access(kind),
            14 | 15 => self.of_temporary(),
            16 => self.of_unseen(),
            17 => self.dot(),
            18 => self.temporary(depth),
            19..=34 => self.nested(kind, depth),
            _ => None,
        }
    }

    /// Reads and writes of elements.
    fn access(&mut self, kind: usize) -> Option<Statement> {
        let variable = self.variable();
        Some(match kind {
            5..=7 => Statement::Read(variable, self.place(Function::has_elements)?, self.index()),
            8 | 9 => {
                let (place, index) = (self.place(Function::is_written)?, self.index());
                if self.random.chance(0.2) {
                    self.overwrite(place, index);
                }
                Statement::Write(place, index, self.operand())
            }
            10 => match self.random.chance(0.5) {
                true => Statement::ReadFirst(variable, self.own(Own::Pair)?),
                false => Statement::WriteFirst(self.own(Own::Pair)?, self.operand()),
            },
            11 => {
                let place = self.place(Function::is_written)?;
                Statement::Replace(variable, place, self.index(), self.operand())
            }
            12 => {
                let place = self.place(Function::is_written)?;
                Statement::Swap(place, self.index(), self.index())
            }
            _ => {
                let (a, b) = (self.own(Own::Vector)?, self.own(Own::Vector)?);
                match self.random.chance(0.5) {
                    true => Statement::Exchange(a, b),
                    false => {
                        let other = self.random.chance(0.5).then(|| self.variable_operand());
                        Statement::Shift(a, b, self.operand(), other)
                    }
                }
            }
        })
    }

    /// Behind a write of an element, one arm reads a place, and the element is written again.
    fn overwrite(&mut self, place: usize, index: Index) {
        let (a, b) = (self.variable_operand(), self.operand());
        let read = if self.random.chance(0.5) { index } else { self.index() };
        let read = Statement::Read(self.variable(), place, read);
        let again = Statement::Write(place, index, self.operand());
        self.behind.extend([Statement::If(a, b, vec![read], Vec::new()), again]);
    }

    /// Reads and writes of parts of a temporary, and of all of it.
    fn of_temporary(&mut self) -> Option<Statement> {
        if self.scope.is_empty() {
            return None;
        }
        let temporary = self.random.pick(&self.scope);
        let parts = self.function.temporaries[temporary].parts();
        let part = self.random.below(parts);
        Some(match self.random.below(6) {
            0..=2 => Statement::ReadPart(self.variable(), temporary, part),
            3 | 4 => Statement::WritePart(temporary, part, self.operand()),
            _ => Statement::Assign(temporary, self.operands(parts)),
        })
    }

    fn of_unseen(&mut self) -> Option<Statement> {
        let place = self.own(Own::Number)?;
        Some(match self.random.chance(0.6) {
            true => Statement::ReadWhole(self.variable(), place),
            false => Statement::WriteWhole(place, self.operand()),
        })
    }

    fn dot(&mut self) -> Option<Statement> {
        let (a, b) = (self.own(Own::Opaque)?, self.own(Own::Opaque)?);
        Some(Statement::Dot(self.variable(), a, b))
    }

    fn temporary(&mut self, depth: usize) -> Option<Statement> {
        let kind = self.random.pick(&[Temporary::Tuple, Temporary::Array, Temporary::Struct]);
        let rows = self.own(Own::Rows).filter(|_| kind == Temporary::Array);
        let make = match rows {
            Some(rows) => Make::Row(rows, self.index()),
            // What is made of literals may be a call.
            None if kind == Temporary::Struct && self.random.chance(0.5) => {
                Make::Parts(vec![Operand::Literal(2.0), Operand::Literal(0.5)])
            }
            None => Make::Parts(self.operands(kind.parts())),
        };
        let temporary = self.function.temporaries.len();
        self.function.temporaries.push(kind);
        self.scope.push(temporary);
        // It is read once at least.
        let read = Statement::ReadPart(self.variable(), temporary, self.random.below(kind.parts()));
        let mut body = if depth < 3 { self.block(depth) } else { Vec::new() };
        body.insert(self.random.below(body.len() + 1), read);
        self.scope.pop();
        Some(Statement::Let(temporary, make, body))
    }

    fn nested(&mut self, kind: usize, depth: usize) -> Option<Statement> {
        Some(match kind {
            19..=21 => {
                let (a, b) = (self.variable_operand(), self.operand());
                let then = self.block(depth);
                let other = if self.random.chance(0.6) { self.block(depth) } else { Vec::new() };
                Statement::If(a, b, then, other)
            }
            22 | 23 => {
                let (walk, around) = self.walk();
                Statement::For(walk, self.looped(depth, around))
            }
            24 => self.over_elements(depth)?,
            25 => {
                let (a, b) = (self.variable_operand(), self.operand());
                Statement::Until(a, b, self.looped(depth, (0, 0)))
            }
            26 => match self.random.chance(0.5) {
                true => Statement::Repeat(self.random.below(4), self.block(depth)),
                false => {
                    let most = 1 + self.random.below(3);
                    let (a, b) = (self.variable_operand(), self.operand());
                    Statement::While(most, a, b, self.looped(depth, (0, 1)))
                }
            },
            27 => {
                let (place, operand) = (self.own(Own::Vector)?, self.operand());
                self.stacked.push(place);
                let body = self.block(depth);
                self.stacked.pop();
                Statement::Stack(place, operand, body, self.variable())
            }
            28 => self.temporary(depth)?,
            31 => self.stencil()?,
            32 => self.buffer()?,
            33 => self.rotation(depth)?,
            34 => self.weights()?,
            _ => self.call()?,
        })
    }

    /// How a loop goes through indices, and how far below and above these there are elements.
    fn walk(&mut self) -> (Walk, (i64, i64)) {
        let place = self.counted();
        match (self.random.below(8), place) {
            (0 | 1, _) => (Walk::Up, (0, 0)),
            (2, _) => (Walk::Down, (0, 0)),
            (3, _) => (Walk::Steps, (0, 0)),
            (4, _) => (Walk::Inclusive, (0, 1)),
            (5, _) => {
                let every = self.random.chance(0.5).then(|| 1 + self.random.below(3));
                (Walk::Segments(every), (0, 0))
            }
            (6, Some(place)) => (Walk::Over(place), (0, 0)),
            (_, Some(place)) => {
                let (start, less) = (self.random.below(2), self.random.below(3));
                let saturates = self.random.chance(0.5);
                let around = (start as i64, less as i64);
                (Walk::Short { place, start, less, saturates }, around)
            }
            (_, None) => (Walk::Up, (0, 0)),
        }
    }

    /// A place whose length is that of all arrays.
    fn counted(&mut self) -> Option<usize> {
        let stacked = self.stacked.clone();
        self.place(|function, place| function.has_elements(place) && !stacked.contains(&place))
    }

    /// A loop that joins all elements of a place, or writes each of them.
    fn over_elements(&mut self, depth: usize) -> Option<Statement> {
        let (place, index) = (self.counted()?, Index::Of(0));
        let (element, result) = (self.variable(), self.variable());
        let read = Statement::Read(element, place, index);
        let (row, count) = self.random.weighted(&ROWS);
        let operands = self.operands(count);
        let mut body = match self.random.below(3) {
            0 => {
                let sum = vec![Operand::Variable(result), Operand::Variable(element)];
                vec![
                    read,
                    Statement::Set(element, row, operands),
                    Statement::Set(result, "add", sum),
                ]
            }
            1 => {
                let sum = vec![Operand::Variable(result), Operand::Variable(element)];
                vec![read, Statement::Set(result, "add", sum)]
            }
            _ => {
                let target = self.place(Function::is_written)?;
                let write = Statement::Write(target, index, Operand::Variable(element));
                vec![read, Statement::Set(element, row, operands), write]
            }
        };
        // Something else may stand between what is read and what becomes of it.
        if depth < 3 && self.random.chance(0.3) {
            let between = self.looped(depth, (0, 0));
            body.splice(1..1, between);
        }
        Some(Statement::For(Walk::Over(place), body))
    }

    /// A loop that joins neighbours of a place: their sum, or elements of another place.
    fn stencil(&mut self) -> Option<Statement> {
        let (place, variable) = (self.counted()?, self.variable());
        let [a, b, sum] = [0, 1, 2].map(|next| (variable + next) % self.function.variables);
        let (start, less) = (self.random.below(2), 1 + self.random.below(2));
        let saturates = self.random.chance(0.5);
        let first = self.random.below(start + less) as i64 - start as i64;
        let mut body = vec![
            Statement::Read(a, place, neighbour(first)),
            Statement::Read(b, place, neighbour(first + 1)),
        ];
        let row = self.random.pick(&["mul", "add", "sub", "max"]);
        body.push(Statement::Set(a, row, vec![Operand::Variable(a), Operand::Variable(b)]));
        let target = self.place(Function::is_written).filter(|_| self.random.chance(0.3));
        body.push(match target {
            Some(target) => Statement::Write(target, Index::Of(0), Operand::Variable(a)),
            None => Statement::Set(sum, "add", vec![Operand::Variable(sum), Operand::Variable(a)]),
        });
        Some(Statement::For(Walk::Short { place, start, less, saturates }, body))
    }

    /// A loop that fills a vector, and behind it one that sums it up.
    fn buffer(&mut self) -> Option<Statement> {
        let (buffer, source, variable) = (self.own(Own::Vector)?, self.counted()?, self.variable());
        if self.stacked.contains(&buffer) {
            return None;
        }
        let sum = (variable + 1) % self.function.variables;
        let element = Statement::Read(variable, source, Index::Of(0));
        let (row, count) = self.random.weighted(&ROWS);
        let made = Statement::Set(variable, row, self.operands(count));
        let write = Statement::Write(buffer, Index::Of(0), Operand::Variable(variable));
        let read = Statement::Read(variable, buffer, Index::Of(0));
        let added = vec![Operand::Variable(sum), Operand::Variable(variable)];
        let total = vec![read, Statement::Set(sum, "add", added)];
        self.behind.push(Statement::For(Walk::Over(buffer), total));
        Some(Statement::For(Walk::Over(source), vec![element, made, write]))
    }

    /// A number without derivatives, and behind it a loop that changes it and sums elements times that number up.
    fn weights(&mut self) -> Option<Statement> {
        let (place, weight) = (self.counted()?, self.variable());
        let [element, sum] = [1, 2].map(|next| (weight + next) % self.function.variables);
        let of = |a: usize, b: usize| vec![Operand::Variable(a), Operand::Variable(b)];
        let (row, number) = (self.random.pick(&["mul", "add", "sub"]), Operand::Literal(0.5));
        let body = vec![
            Statement::Read(element, place, Index::Of(0)),
            Statement::Set(element, "mul", of(element, weight)),
            Statement::Set(sum, "add", of(sum, element)),
            Statement::Set(weight, row, vec![Operand::Variable(weight), number]),
        ];
        let walk = self.random.pick(&[Walk::Up, Walk::Down, Walk::Steps, Walk::Over(place)]);
        self.behind.push(Statement::For(walk, body));
        Some(Statement::Set(weight, "neg", vec![Operand::Literal(1.5)]))
    }

    /// A loop at the end of which a vector becomes another one.
    fn rotation(&mut self, depth: usize) -> Option<Statement> {
        let (a, b) = (self.own(Own::Vector)?, self.own(Own::Vector)?);
        let mut body = self.looped(depth, (0, 0));
        let other = self.variable_operand();
        body.push(Statement::Shift(a, b, self.operand(), Some(other)));
        (a != b).then_some(Statement::For(Walk::Up, body))
    }

    fn call(&mut self) -> Option<Statement> {
        if self.callees.is_empty() {
            return None;
        }
        let index = self.random.below(self.callees.len());
        let callee = self.callees[index].clone();
        let operands = self.operands(callee.floats);
        let mut places: Vec<usize> = Vec::new();
        for access in &callee.arrays {
            let taken = places.clone();
            let is_unique = *access == Access::Unique;
            // No place is passed twice: one of the two could be written.
            let fits = |function: &Function, place: usize| {
                let is_writable = !is_unique || function.is_written(place);
                !taken.contains(&place) && function.is_slice(place) && is_writable
            };
            places.push(self.place(fits)?);
        }
        Some(Statement::Call(index, self.variable(), operands, places))
    }
}

/// The index of the innermost loop, or one at a distance.
fn neighbour(distance: i64) -> Index {
    if distance == 0 { Index::Of(0) } else { Index::Near(0, distance) }
}
