//! Statements without loops.

use super::Generator;
use super::place::{holds_floats, length};
use super::scope::{Lock, Variable};
use crate::programs::print::is_typed;
use crate::programs::random::Random;
use crate::programs::syntax::{Access, Arm, Block, Choice, Expression, Pattern, Statement, Type};

/// The kinds of statements.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Float,
    Pair,
    Index,
    Flag,
    Whole,
    Late,
    Assign,
    AssignWhole,
    AssignTuple,
    Push,
    Effect,
    Command,
    Swap,
    SwapWholes,
    SwapElements,
    Fill,
    CopyFrom,
    Move,
    View,
    SharedView,
    Halves,
    If,
    Match,
    Block,
    Closure,
    Parts,
    ForEach,
    For,
    Elements,
    Chain,
    While,
    Loop,
    Accumulate,
    Exit,
}

const SIMPLE: &[(usize, Kind)] = &[
    (3, Kind::Float),
    (6, Kind::Assign),
    (1, Kind::AssignTuple),
    (1, Kind::Push),
    (1, Kind::Swap),
    (2, Kind::Effect),
];

/// The weights of a program.
pub(super) fn weights(random: &mut Random) -> Vec<(usize, Kind)> {
    let base = [
        (4, Kind::Float),
        (2, Kind::Pair),
        (1, Kind::Index),
        (1, Kind::Flag),
        (3, Kind::Whole),
        (1, Kind::Late),
        (8, Kind::Assign),
        (2, Kind::AssignWhole),
        (1, Kind::AssignTuple),
        (2, Kind::Push),
        (3, Kind::Effect),
        (1, Kind::Command),
        (1, Kind::Swap),
        (1, Kind::SwapWholes),
        (1, Kind::SwapElements),
        (1, Kind::Fill),
        (1, Kind::CopyFrom),
        (1, Kind::Move),
        (2, Kind::View),
        (1, Kind::SharedView),
        (1, Kind::Halves),
        (4, Kind::If),
        (2, Kind::Match),
        (1, Kind::Block),
        (4, Kind::For),
        (2, Kind::Elements),
        (3, Kind::Chain),
        (2, Kind::ForEach),
        (2, Kind::Closure),
        (2, Kind::Parts),
        (2, Kind::While),
        (2, Kind::Loop),
        (3, Kind::Accumulate),
        (3, Kind::Exit),
    ];
    let varied = base.map(|(weight, kind)| (weight * random.pick(&[0, 1, 1, 3]), kind));
    varied.into_iter().chain([(1, Kind::Float), (1, Kind::Assign)]).collect()
}

impl Generator {
    /// A statement, or a few that belong together.
    pub(super) fn statement(&mut self) -> Vec<Statement> {
        if !self.sketches.is_empty() && self.quiet == 0 && self.random.chance(0.2) {
            return vec![self.let_sketch()];
        }
        let weights = self.statements.clone();
        let kind = self.random.weighted(&weights);
        self.statement_of(kind).unwrap_or_else(|| self.simple_statement())
    }

    /// A statement without blocks.
    pub(super) fn simple_statement(&mut self) -> Vec<Statement> {
        let kind = self.random.weighted(SIMPLE);
        match self.statement_of(kind) {
            Some(statements) => statements,
            None => vec![self.let_float()],
        }
    }

    fn statement_of(&mut self, kind: Kind) -> Option<Vec<Statement>> {
        let one = |statement| Some(vec![statement]);
        match kind {
            Kind::Float => one(self.let_float()),
            Kind::Pair => one(self.let_pair()),
            Kind::Index => one(self.let_index()),
            Kind::Flag => one(self.let_flag()),
            Kind::Whole => one(self.let_whole()),
            Kind::Assign => one(self.assignment()?),
            Kind::AssignWhole => one(self.assign_whole()?),
            Kind::AssignTuple => one(self.assign_tuple()?),
            Kind::Push => one(self.push()?),
            Kind::Effect => one(self.let_effect()?),
            Kind::Command => one(Statement::Do(self.call_of(Type::Unit, true, 1)?)),
            Kind::Swap => one(Statement::Do(self.swap()?)),
            Kind::SwapWholes => one(Statement::Do(self.swap_wholes()?)),
            Kind::SwapElements => one(self.swap_elements()?),
            Kind::Fill => one(self.fill()?),
            Kind::CopyFrom => one(self.copy_from()?),
            Kind::Move => one(self.moved()?),
            Kind::Exit => one(self.exit_statement()),
            Kind::View => self.view(true),
            Kind::SharedView => self.view(false),
            Kind::Halves => self.halves(),
            _ if self.nesting > 3 || self.budget == 0 => None,
            Kind::Closure => self.let_closure(),
            Kind::Parts => one(self.parts_statement()?),
            Kind::ForEach => one(self.for_each()?),
            Kind::Late => Some(self.late()),
            Kind::If => one(self.branch()),
            Kind::Match => one(self.choice()),
            Kind::Block => one(Statement::Do(Expression::Block(self.block(3)))),
            _ => self.repetition(kind),
        }
    }

    fn let_float(&mut self) -> Statement {
        let value = self.storable(3);
        let mutable = self.random.chance(0.6);
        let ty = (!is_typed(&value) || self.random.chance(0.5)).then_some(Type::Float);
        let name = self.declare("f", Type::Float, mutable);
        Statement::Let { pattern: Pattern::Name { name, mutable }, ty, value: Some(value) }
    }

    fn let_pair(&mut self) -> Statement {
        let called = match self.random.below(4) {
            0 => self.call_for(Type::Pair, 1),
            1 => self.call_of(Type::Pair, true, 1),
            _ => None,
        };
        let value = called.unwrap_or_else(|| self.value(Type::Pair));
        let mutable = self.random.chance(0.5);
        let names = vec![self.fresh("f"), self.fresh("f")];
        for name in &names {
            self.add(name.clone(), Type::Float, Access::Owned, mutable);
        }
        Statement::Let {
            pattern: Pattern::Names { names, mutable },
            ty: Some(Type::Pair),
            value: Some(value),
        }
    }

    fn let_index(&mut self) -> Statement {
        let value = self.index().binary("%", Expression::Index(5));
        let name = self.declare("i", Type::Index, false);
        let range = Some((0, 5));
        self.add_index(name.clone(), range);
        let pattern = Pattern::Name { name, mutable: false };
        Statement::Let { pattern, ty: None, value: Some(value) }
    }

    fn let_flag(&mut self) -> Statement {
        let value = self.condition();
        let name = self.declare("c", Type::Flag, false);
        Statement::Let {
            pattern: Pattern::Name { name, mutable: false },
            ty: None,
            value: Some(value),
        }
    }

    fn let_whole(&mut self) -> Statement {
        let own = if self.fields.is_empty() { 0 } else { 4 };
        let ty = self.random.weighted(&[
            (4, Type::Array(3)),
            (1, Type::Array(2)),
            (2, Type::Matrix),
            (3, Type::Vector),
            (2, Type::Pair),
            (2, Type::State),
            (2, Type::Shape),
            (1, Type::Maybe),
            (own, Type::Own),
        ]);
        let called = if self.random.chance(0.15) { self.call_of(ty, true, 1) } else { None };
        let value = called.unwrap_or_else(|| self.value(ty));
        let mutable = self.random.chance(0.8);
        let name = self.declare("a", ty, mutable);
        Statement::Let {
            pattern: Pattern::Name { name, mutable },
            ty: Some(ty),
            value: Some(value),
        }
    }

    /// A variable that both arms of an `if` initialise.
    fn late(&mut self) -> Vec<Statement> {
        let (name, mutable) = (self.fresh("f"), self.random.chance(0.5));
        let condition = Box::new(self.condition());
        let target = Expression::variable(&name);
        let [then, otherwise] = [0, 1].map(|_| {
            self.scoped(|generator| {
                let mut statements = generator.simple_statement();
                let value = Box::new(generator.storable(2));
                let assign = Expression::Assign(Box::new(target.clone()), "=", value);
                statements.push(Statement::Do(assign));
                Block { statements, value: None }
            })
        });
        self.add(name.clone(), Type::Float, Access::Owned, mutable);
        let pattern = Pattern::Name { name, mutable };
        vec![
            Statement::Let { pattern, ty: Some(Type::Float), value: None },
            Statement::Do(Expression::If(condition, then, Some(otherwise))),
        ]
    }

    /// An assignment to some float.
    pub(super) fn assignment(&mut self) -> Option<Statement> {
        let place = Expression::Read(self.float_place(true)?);
        let operator = self.random.pick(&["=", "=", "+=", "-=", "*="]);
        Some(self.assigned(place, operator))
    }

    /// An assignment to a place, of something that keeps it small.
    pub(super) fn assigned(&mut self, place: Expression, operator: &'static str) -> Statement {
        let value = match operator {
            "=" => self.storable(3),
            "*=" => self.within(2, 1.0),
            _ => self.within(3, 2.0),
        };
        Statement::Do(Expression::Assign(Box::new(place), operator, Box::new(value)))
    }

    fn assign_whole(&mut self) -> Option<Statement> {
        let whole = |variable: &Variable| {
            let is_enum = matches!(variable.ty, Type::Shape | Type::Maybe);
            let has_parts =
                holds_floats(variable.ty) && !matches!(variable.ty, Type::Slice(_) | Type::Float);
            is_enum || has_parts
        };
        let variable = self.choose(true, whole)?;
        let value = Box::new(self.value(variable.ty));
        let place = Box::new(Expression::Read(variable.place()));
        Some(Statement::Do(Expression::Assign(place, "=", value)))
    }

    fn assign_tuple(&mut self) -> Option<Statement> {
        let places = [self.float_place(true)?, self.float_place(true)?];
        let places = places.map(Expression::Read).to_vec();
        let values = Expression::Tuple(vec![self.storable(2), self.storable(2)]);
        let target = Box::new(Expression::Tuple(places));
        Some(Statement::Do(Expression::Assign(target, "=", Box::new(values))))
    }

    fn push(&mut self) -> Option<Statement> {
        let vector = self.choose(true, |variable| variable.ty == Type::Vector)?;
        let value = self.locked(&vector.name, Lock::Frozen, |generator| generator.storable(2));
        Some(Statement::Do(Expression::Read(vector.base()).method("push", vec![value])))
    }

    fn let_effect(&mut self) -> Option<Statement> {
        let value = self.effect(2)?;
        if self.random.chance(0.3) {
            return Some(Statement::Do(value));
        }
        let mutable = self.random.chance(0.5);
        let name = self.declare("f", Type::Float, mutable);
        Some(Statement::Let {
            pattern: Pattern::Name { name, mutable },
            ty: None,
            value: Some(value),
        })
    }

    fn swap_elements(&mut self) -> Option<Statement> {
        let variable = self.choose(true, |variable| length(variable.ty).is_some_and(|l| l > 1))?;
        let length = length(variable.ty).expect("it has elements");
        let indices = vec![self.index_below(length), self.index_below(length)];
        Some(Statement::Do(Expression::Read(variable.base()).method("swap", indices)))
    }

    fn fill(&mut self) -> Option<Statement> {
        let variable = self.choose(true, |variable| length(variable.ty).is_some())?;
        let value = self.locked(&variable.name, Lock::Locked, |generator| generator.storable(2));
        Some(Statement::Do(Expression::Read(variable.base()).method("fill", vec![value])))
    }

    fn copy_from(&mut self) -> Option<Statement> {
        let fixed = |ty: Type| if ty == Type::Vector { None } else { length(ty) };
        let target = self.choose(true, |variable| fixed(variable.ty).is_some())?;
        let same = |variable: &Variable| {
            fixed(variable.ty) == fixed(target.ty) && variable.name != target.name
        };
        let source = super::place::lent(&self.choose(false, same)?, false);
        Some(Statement::Do(Expression::Read(target.base()).method("copy_from_slice", vec![source])))
    }

    /// Moves a vector, where it cannot be needed again.
    fn moved(&mut self) -> Option<Statement> {
        let owned =
            |variable: &Variable| variable.ty == Type::Vector && variable.access == Access::Owned;
        if self.nesting > 0 {
            return None;
        }
        let vector =
            self.choose(false, |variable| owned(variable) && variable.lock == Lock::Free)?;
        self.forget(&vector.name);
        let name = self.declare("v", Type::Vector, true);
        let pattern = Pattern::Name { name, mutable: true };
        let value = Some(Expression::Read(vector.base()));
        Some(Statement::Let { pattern, ty: None, value })
    }

    fn branch(&mut self) -> Statement {
        let condition = Box::new(self.condition());
        let then = self.block(3);
        let otherwise = match self.random.below(4) {
            0 | 1 => None,
            2 => Some(self.block(3)),
            _ => Some(Block { statements: vec![self.branch()], value: None }),
        };
        Statement::Do(Expression::If(condition, then, otherwise))
    }

    fn choice(&mut self) -> Statement {
        let subject = Box::new(self.index());
        let count = 1 + self.random.below(3);
        let mut arms: Vec<_> = (0..count).map(|_| self.match_arm(|g| g.block(2))).collect();
        let body = if self.random.chance(0.5) { self.block(2) } else { Block::default() };
        arms.push(Arm { pattern: Choice::Any, guard: None, body });
        Statement::Do(Expression::Match(subject, arms))
    }
}
