//! From a seed to a program.
//!
//! **Invariants** of what is generated: it is accepted by rustc; every loop ends, after a few iterations;
//! no index is out of bounds and no integer overflows; floats stay within some hundreds, because
//! whatever could grow faster than by addition goes through a bounded function, in `bound.rs`. What derivatives make
//! does so at once, in `derivative.rs`, and so do results of the program's own functions, in `own.rs`.
//!
//! Each seed draws its own weights for the kinds of statements and expressions, many of them 0, so that
//! programs differ in kind and not only in order.

mod bound;
mod call;
mod chain;
mod closure;
mod control;
mod derivative;
mod effect;
mod escape;
pub mod feature;
mod float;
mod meaning;
mod own;
mod part;
mod place;
mod scope;
mod shape;
mod signature;
mod sketch;
mod slope;
mod statement;
mod value;
mod view;

use self::call::Callee;
use self::scope::{Lock, Variable};
use super::names::{self, Role};
use super::random::Random;
use super::syntax::{Block, Expression, Function, Names, Program, Statement, Type};

/// The program of a seed, without the features that the test leaves out.
#[must_use]
pub fn program(seed: u64) -> Program {
    program_without(seed, feature::LEFT_OUT)
}

/// The program of a seed without some features.
#[must_use]
pub fn program_without(seed: u64, without: &[&str]) -> Program {
    let mut random = Random::new(seed);
    let mut generator = Generator {
        scope: Vec::new(),
        loops: Vec::new(),
        names: Vec::new(),
        features: feature::ALL.iter().copied().filter(|name| !without.contains(name)).collect(),
        sketches: Vec::new(),
        is_small: false,
        nesting: 0,
        depth: 0,
        quiet: 0,
        in_macro: false,
        budget: 0,
        result: Type::Unit,
        fields: own::fields(&mut random),
        callees: Vec::new(),
        statements: statement::weights(&mut random),
        floats: float::weights(&mut random),
        random,
    };
    generator.share_sketches();
    let functions = if generator.is_small { Vec::new() } else { generator.functions() };
    let main = generator.main(seed);
    let (fields, names) = (generator.fields, Names::new());
    let has_free_spelling = false;
    let program = Program { seed, id: seed, fields, functions, main, names, has_free_spelling };
    if without.contains(&feature::NAMES) {
        return program;
    }
    let capitals = !without.contains(&feature::CAPITALS);
    let (names, has_free_spelling) = names::choose(&program, &generator.names, capitals);
    Program { names, has_free_spelling, ..program }
}

/// A loop or a block with a label, which control may leave.
#[derive(Clone)]
struct Frame {
    label: Option<String>,
    /// The type of its value, if it has one.
    value: Option<Type>,
    /// Whether it is a block.
    is_block: bool,
}

struct Generator {
    random: Random,
    scope: Vec<Variable>,
    loops: Vec<Frame>,
    /// The names that were made.
    names: Vec<(String, Role)>,
    /// The features that sketches may have.
    features: Vec<&'static str>,
    /// The sketches that are left.
    sketches: Vec<sketch::Family>,
    /// Whether the program is little more than its sketches, which makes many in the same time.
    is_small: bool,
    /// How deep blocks of statements are nested.
    nesting: usize,
    /// How deep values of several parts are nested.
    depth: usize,
    /// Above 0 where an expression must neither exit nor change anything.
    quiet: usize,
    /// Whether what is made stands in a macro's arguments, where neither exits nor `match` are supported.
    in_macro: bool,
    /// How many statements may still be made.
    budget: usize,
    result: Type,
    /// The fields of the program's own struct.
    fields: Vec<(&'static str, Type)>,
    /// The program's own functions that there are already.
    callees: Vec<Callee>,
    statements: Vec<(usize, statement::Kind)>,
    floats: Vec<(usize, float::Kind)>,
}

impl Generator {
    /// The function that is tested.
    fn main(&mut self, seed: u64) -> Function {
        // A float shows what all sketches make.
        let drawn = signature::result(&mut self.random);
        let result = if self.is_small { Type::Float } else { drawn };
        let budget = if self.is_small { 1 } else { 4 + self.random.below(22) };
        self.enter(result, budget);
        let parameters = self.parameters();
        let mut statements = self.statements();
        if !self.is_small {
            statements.extend(self.derivative_at_last());
        }
        let value = (result != Type::Unit).then(|| {
            let (before, value) = self.ending();
            statements.extend(before);
            Box::new(self.with_sketches(value))
        });
        let body = Block { statements, value };
        let name = format!("program_{seed}");
        self.names.push((name.clone(), Role::Item));
        self.names.push(("n".into(), Role::Variable));
        Function { name: name.into(), parameters, result, body }
    }

    /// A result with the sketches that are left.
    fn with_sketches(&mut self, value: Expression) -> Expression {
        let is_float = self.result == Type::Float;
        let left = if is_float { std::mem::take(&mut self.sketches) } else { Vec::new() };
        left.into_iter().fold(value, |sum, family| {
            let sketch = self.sketch(family).method("sin", Vec::new());
            sum.binary("+", sketch.binary("*", self.literal()))
        })
    }

    /// Begins a function.
    fn enter(&mut self, result: Type, budget: usize) {
        self.scope.clear();
        self.loops.clear();
        (self.nesting, self.quiet, self.in_macro) = (0, 0, false);
        (self.result, self.budget) = (result, budget);
    }

    /// Runs `make` in a scope of its own.
    fn scoped<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let outside = self.scope.clone();
        self.nesting += 1;
        let made = make(self);
        self.nesting -= 1;
        self.scope = outside;
        made
    }

    /// Whether values are nested so deep that what is made next has no parts.
    fn is_deep(&self) -> bool {
        self.depth > 2
    }

    /// Runs `make` where nothing may change or exit.
    fn quietly<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        self.quiet += 1;
        let made = make(self);
        self.quiet -= 1;
        made
    }

    /// Runs `make` for the arguments of a macro.
    fn in_macro<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.in_macro, true);
        let made = self.quietly(make);
        self.in_macro = before;
        made
    }

    /// Runs `make` while a variable is locked.
    fn locked<T>(&mut self, name: &str, lock: Lock, make: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.lock(name, lock);
        let made = make(self);
        self.lock(name, before);
        made
    }

    /// The statements of a body, as many as the budget gives.
    fn statements(&mut self) -> Vec<Statement> {
        let mut statements = Vec::new();
        while self.budget > 0 {
            self.budget -= 1;
            statements.extend(self.statement());
        }
        statements
    }

    /// A block of up to `most` statements.
    fn block(&mut self, most: usize) -> Block {
        self.scoped(|generator| {
            let mut statements = Vec::new();
            for _ in 0..1 + generator.random.below(most) {
                generator.budget = generator.budget.saturating_sub(1);
                statements.extend(generator.statement());
            }
            Block { statements, value: None }
        })
    }

    /// The result: some expression and what several variables hold, so that little is in vain.
    fn last_value(&mut self) -> Expression {
        if self.result != Type::Float {
            return self.value(self.result);
        }
        let mut sum = self.float(2);
        for factor in [0.5, -0.25, 0.75, 1.0] {
            if let Some(place) = self.float_place(false) {
                let term = Expression::Read(place).binary("*", Expression::Float(factor));
                sum = sum.binary("+", term);
            }
        }
        sum
    }
}
