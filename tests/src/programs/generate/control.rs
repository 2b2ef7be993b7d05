//! Loops, and the ways out of them.

use super::place::{is_slice_like, length};
use super::scope::{Lock, Variable};
use super::statement::Kind;
use super::{Frame, Generator};
use crate::programs::print::is_typed;
use crate::programs::syntax::{Access, Block, Expression, Over, Pattern, Statement, Type};

impl Generator {
    /// Some loop.
    pub(super) fn repetition(&mut self, kind: Kind) -> Option<Vec<Statement>> {
        if self.loops.len() > 2 {
            return None;
        }
        match kind {
            Kind::For => Some(vec![self.counted()]),
            Kind::Elements => Some(vec![self.elements()?]),
            Kind::Chain => Some(vec![self.chained_loop()?]),
            Kind::While => Some(self.conditional()),
            Kind::Loop => Some(self.endless()),
            Kind::Accumulate => Some(self.accumulated()),
            _ => None,
        }
    }

    pub(super) fn frame(&mut self, value: Option<Type>) -> Option<String> {
        let label = self.random.chance(0.35).then(|| self.fresh("l"));
        self.loops.push(Frame { label: label.clone(), value, is_block: false });
        label
    }

    /// `'l: { .. break 'l value; .. }`
    pub(super) fn labelled_value(&mut self, ty: Type) -> Expression {
        let label = self.fresh("l");
        self.loops.push(Frame { label: Some(label.clone()), value: Some(ty), is_block: true });
        let body = self.scoped(|generator| {
            let mut statements = Vec::new();
            if generator.random.chance(0.5) {
                statements.extend(generator.simple_statement());
            }
            let value = Some(Box::new(generator.quietly(|generator| generator.outcome(ty))));
            let condition = generator.condition();
            statements.push(when(condition, Expression::Break(Some(label.clone()), value)));
            if generator.random.chance(0.6) {
                statements.push(generator.exit_statement());
            }
            let value = Some(Box::new(generator.outcome(ty)));
            Block { statements, value }
        });
        self.loops.pop();
        Expression::Labelled(label, body)
    }

    /// The last expression of a function, from which control may leave by `return` as well, and what stands before it.
    pub(super) fn ending(&mut self) -> (Vec<Statement>, Expression) {
        match (self.result, self.random.below(10)) {
            (Type::Unit, _) => unreachable!("a function without a result has no last expression"),
            (ty, 0) => (Vec::new(), self.labelled_value(ty)),
            (ty, 1) => self.last_loop(ty),
            (_, 2 | 3) => (Vec::new(), self.last_block(1)),
            _ => (Vec::new(), self.last_value()),
        }
    }

    /// `{ ..; { if c { return v; } value } }`
    fn last_block(&mut self, depth: usize) -> Expression {
        Expression::Block(self.scoped(|generator| {
            let mut statements = Vec::new();
            if generator.random.chance(0.5) {
                statements.extend(generator.simple_statement());
            }
            if depth == 0 || generator.random.chance(0.5) {
                statements.push(generator.exit_statement());
            }
            let value = match depth {
                0 => generator.last_value(),
                _ => generator.last_block(depth - 1),
            };
            Block { statements, value: Some(Box::new(value)) }
        }))
    }

    /// A `loop` that ends by `break value`, and perhaps by `return`.
    fn last_loop(&mut self, ty: Type) -> (Vec<Statement>, Expression) {
        let (counter, start) = self.counter();
        let limit = Expression::Index(1 + self.random.below(3));
        let condition = Expression::variable(&counter).binary(">", limit);
        let label = self.frame(Some(ty));
        let value = Some(Box::new(self.quietly(|generator| generator.outcome(ty))));
        let mut head = vec![when(condition, Expression::Break(None, value))];
        if self.random.chance(0.7) {
            let condition = self.condition();
            let value = Some(Box::new(self.quietly(|generator| generator.outcome(ty))));
            head.push(when(condition, Expression::Return(value)));
        }
        let body = self.counting(&counter, head);
        self.loops.pop();
        (vec![start], Expression::Loop(label, body))
    }

    /// A value that a loop or a block hands out.
    fn outcome(&mut self, ty: Type) -> Expression {
        if ty == Type::Float { self.storable(1) } else { self.value(ty) }
    }

    /// A range of a few numbers, with the least and the end of them.
    fn range(&mut self) -> (Over, Option<(usize, usize)>) {
        let number = Expression::Index;
        let n = self.index_below(4);
        let slices = self.choose(false, is_slice_like);
        let (from, to, bounds) = match (self.random.below(6), slices) {
            (0 | 1, Some(slice)) => {
                let to = Expression::Read(slice.base()).method("len", Vec::new());
                let known = length(slice.ty).filter(|_| slice.ty != Type::Vector);
                (number(0), to, known.map(|length| (0, length)))
            }
            (2, _) => (number(1), number(3), Some((1, 3))),
            (3, _) => (number(0), n, None),
            (_, _) => {
                let to = 1 + self.random.below(3);
                (number(0), number(to), Some((0, to)))
            }
        };
        let inclusive = self.random.chance(0.1);
        let bounds = bounds.map(|(low, high)| (low, high + usize::from(inclusive)));
        let step = self.random.chance(0.15).then_some(2);
        let reversed = self.random.chance(0.25);
        let (from, to) = (Box::new(from), Box::new(to));
        (Over::Range { from, to, inclusive, reversed, step }, bounds)
    }

    fn counted(&mut self) -> Statement {
        let (over, bounds) = self.range();
        let label = self.frame(None);
        let name = self.fresh("i");
        let body = self.scoped(|generator| {
            generator.add_index(name.clone(), bounds);
            generator.block(4)
        });
        self.loops.pop();
        let pattern = Pattern::Name { name, mutable: false };
        Statement::Do(Expression::For { label, pattern, over, body })
    }

    fn elements(&mut self) -> Option<Statement> {
        let unique = self.random.chance(0.5);
        let source = self.choose(unique, is_slice_like)?;
        let (by_method, enumerated) = self.style(&source, unique);
        let reversed = by_method && !enumerated && self.random.chance(0.25);
        let label = self.frame(None);
        let names = [self.fresh("i"), self.fresh("v")];
        let access = if unique { Access::Unique } else { Access::Shared };
        let lock = if unique { Lock::Locked } else { Lock::Frozen };
        let body = self.scoped(|generator| {
            generator.lock(&source.name, lock);
            if enumerated {
                let known = length(source.ty).filter(|_| source.ty != Type::Vector);
                generator.add_index(names[0].clone(), known.map(|length| (0, length)));
            }
            generator.add(names[1].clone(), Type::Float, access, unique);
            generator.block(3)
        });
        self.loops.pop();
        let [index, name] = names;
        let pattern = if enumerated {
            Pattern::Names { names: vec![index, name], mutable: false }
        } else {
            Pattern::Name { name, mutable: false }
        };
        let bare = source.access != Access::Owned && !by_method;
        let written = if bare { Access::Owned } else { access };
        let over = Over::Elements {
            place: source.base(),
            access: written,
            by_method,
            reversed,
            enumerated,
        };
        Some(Statement::Do(Expression::For { label, pattern, over, body }))
    }

    /// Whether elements come from a method, and with their numbers.
    fn style(&mut self, source: &Variable, unique: bool) -> (bool, bool) {
        // `for v in r` would move a `&mut`.
        let moves = source.access == Access::Unique || (source.access == Access::Shared && unique);
        let by_method = moves || self.random.chance(0.5);
        (by_method, by_method && self.random.chance(0.4))
    }

    /// `while`, whose condition may depend on data; a counter ends it at last.
    fn conditional(&mut self) -> Vec<Statement> {
        let (counter, start) = self.counter();
        let limit = Expression::Index(1 + self.random.below(4));
        let mut condition = Expression::variable(&counter).binary("<", limit);
        if self.random.chance(0.7) {
            // What is called for each element may not stand in the condition of a `while`.
            let more = self.in_macro(Generator::condition);
            condition = condition.binary("&&", more);
        }
        let label = self.frame(None);
        let body = self.counting(&counter, Vec::new());
        self.loops.pop();
        vec![start, Statement::Do(Expression::While(label, Box::new(condition), body))]
    }

    fn endless(&mut self) -> Vec<Statement> {
        let (counter, start) = self.counter();
        let limit = Expression::Index(1 + self.random.below(3));
        let mut condition = Expression::variable(&counter).binary(">", limit);
        if self.random.chance(0.5) {
            condition = condition.binary("||", self.condition());
        }
        let label = self.frame(None);
        let exit = vec![when(condition, Expression::Break(None, None))];
        let body = self.counting(&counter, exit);
        self.loops.pop();
        vec![start, Statement::Do(Expression::Loop(label, body))]
    }

    /// A `loop` with a float as its value, in a block with its counter.
    pub(super) fn loop_value(&mut self) -> Expression {
        let outside = self.scope.clone();
        let (counter, start) = self.counter();
        let limit = Expression::Index(1 + self.random.below(3));
        let condition = Expression::variable(&counter).binary(">", limit);
        let condition = condition.binary("||", self.condition());
        let label = self.frame(Some(Type::Float));
        // A `continue` in the value would never come to an end.
        let value = Some(Box::new(self.quietly(|generator| generator.storable(1))));
        let body = self.counting(&counter, vec![when(condition, Expression::Break(None, value))]);
        self.loops.pop();
        self.scope = outside;
        let value = Some(Box::new(Expression::Loop(label, body)));
        Expression::Block(Block { statements: vec![start], value })
    }

    fn counter(&mut self) -> (String, Statement) {
        let name = self.fresh("i");
        self.add_index(name.clone(), None);
        let pattern = Pattern::Name { name: name.clone(), mutable: true };
        let (ty, value) = (Some(Type::Index), Some(Expression::Index(0)));
        (name, Statement::Let { pattern, ty, value })
    }

    /// A body that counts first, so that no `continue` misses it.
    fn counting(&mut self, counter: &str, head: Vec<Statement>) -> Block {
        let place = Box::new(Expression::variable(counter));
        let count = Expression::Assign(place, "+=", Box::new(Expression::Index(1)));
        let mut body = self.block(3);
        body.statements.splice(0..0, [Statement::Do(count)].into_iter().chain(head));
        body
    }

    /// A loop that does little but add to variables, which it reads for what it adds to others alone.
    fn accumulated(&mut self) -> Vec<Statement> {
        let count = 1 + self.random.below(3);
        let (over, bounds) = self.range();
        let sums: Vec<String> = (0..count).map(|_| self.fresh("s")).collect();
        let name = self.fresh("i");
        let label = self.frame(None);
        let mut typed = true;
        let body = self.scoped(|generator| {
            generator.add_index(name.clone(), bounds);
            let mut statements = Vec::new();
            if generator.random.chance(0.5) {
                statements.extend(generator.simple_statement());
            }
            for sum in &sums {
                let other = generator.random.pick(&sums);
                let is_running = other != *sum && generator.random.chance(0.5);
                let value = match is_running {
                    true => generator.running(&other),
                    false => generator.within(3, 2.0),
                };
                typed &= is_typed(&value) && !is_running;
                statements.push(generator.addition(sum, value));
            }
            if generator.random.chance(0.2) {
                statements.push(generator.exit_statement());
            }
            Block { statements, value: None }
        });
        self.loops.pop();
        // The type follows from what is added, where that has one.
        let mut statements: Vec<Statement> = sums.iter().map(|sum| zero(sum, typed)).collect();
        for sum in sums {
            self.add(sum, Type::Float, Access::Owned, true);
        }
        let pattern = Pattern::Name { name, mutable: false };
        statements.push(Statement::Do(Expression::For { label, pattern, over, body }));
        statements
    }

    /// What another sum of the same loop holds so far, so that its sum is one of sums.
    fn running(&mut self, other: &str) -> Expression {
        let other = Expression::variable(other);
        match self.random.below(3) {
            0 => self.within(2, 2.0).binary("+", other.binary("*", Expression::Float(0.5))),
            _ => other,
        }
    }

    fn addition(&mut self, sum: &str, value: Expression) -> Statement {
        let value = Box::new(value);
        let operator = self.random.pick(&["+=", "+=", "-="]);
        let addition = Expression::Assign(Box::new(Expression::variable(sum)), operator, value);
        if self.random.chance(0.2) {
            let condition = self.condition();
            return when(condition, addition);
        }
        Statement::Do(addition)
    }

    /// A way out of a loop or of the function.
    pub(super) fn exit(&mut self) -> Expression {
        let innermost = self.loops.len().checked_sub(1);
        // Without a label only the innermost loop can be left.
        let frames =
            self.loops.iter().enumerate().map(|(at, frame)| (Some(at) == innermost, frame));
        let reachable = frames.filter(|(inner, frame)| *inner || frame.label.is_some());
        let reachable: Vec<(bool, Frame)> =
            reachable.map(|(inner, frame)| (inner, frame.clone())).collect();
        if reachable.is_empty() || self.random.chance(0.15) {
            return self.returned();
        }
        let (inner, Frame { label, value, is_block }) = self.random.pick(&reachable);
        let label = label.filter(|_| !inner || is_block || self.random.chance(0.2));
        if !is_block && self.random.chance(0.5) {
            return Expression::Continue(label);
        }
        Expression::Break(label, value.map(|ty| Box::new(self.outcome(ty))))
    }

    fn returned(&mut self) -> Expression {
        let result = self.result;
        let value = (result != Type::Unit).then(|| Box::new(self.value(result)));
        Expression::Return(value)
    }

    /// An exit on a condition.
    pub(super) fn exit_statement(&mut self) -> Statement {
        let condition = self.condition();
        let exit = self.exit();
        when(condition, exit)
    }
}

fn when(condition: Expression, then: Expression) -> Statement {
    let body = Block { statements: vec![Statement::Do(then)], value: None };
    Statement::Do(Expression::If(Box::new(condition), body, None))
}

fn zero(name: &str, typed: bool) -> Statement {
    let pattern = Pattern::Name { name: name.into(), mutable: true };
    let ty = (!typed).then_some(Type::Float);
    Statement::Let { pattern, ty, value: Some(Expression::Float(0.0)) }
}
