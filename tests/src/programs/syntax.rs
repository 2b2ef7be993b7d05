//! The language of the generated programs: a small, typed part of Rust, as a tree.
//!
//! A tree knows no scopes: names are bound by whoever makes it. Everything that has a value, loops and
//! exits too, is an [`Expression`], as in Rust.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::walk;

/// The types of variables, parameters and results. A number is a length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// `f64`
    Float,
    /// `usize`
    Index,
    /// `bool`
    Flag,
    /// `[f64; n]`
    Array(usize),
    /// `[f64]` behind a reference, of a length known to the generator.
    Slice(usize),
    /// `[[f64; 2]; 2]`
    Matrix,
    /// `Vec<f64>`, of two elements at least.
    Vector,
    /// `(f64, f64)`
    Pair,
    /// The prelude's struct.
    State,
    /// The prelude's enum.
    Shape,
    /// `Option<f64>`
    Maybe,
    /// The program's own struct.
    Own,
    /// A closure, or a parameter that is a function.
    Function {
        /// How many floats it takes.
        parameters: usize,
        /// Whether it changes what it captures.
        changes: bool,
    },
    /// `()`
    Unit,
}

/// How a variable holds its value, and how a parameter is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// By value.
    Owned,
    /// Behind `&`.
    Shared,
    /// Behind `&mut`.
    Unique,
}

/// A function to be differentiated, with what it calls.
#[derive(Clone, Debug)]
pub struct Program {
    /// What it was made from, and where the points come from at which it is tested.
    pub seed: u64,
    /// What it is called: no two programs that are tested together have the same.
    pub id: u64,
    /// The fields of the program's own struct, if it has one.
    pub fields: Vec<(&'static str, Type)>,
    /// What is called, each before those that call it.
    pub functions: Vec<Function>,
    /// The function that is tested. One of its parameters is the `usize` called `n`.
    pub main: Function,
    /// The texts that names in it are printed as. A name that is not here is printed as it is.
    pub names: Names,
    /// Whether an item may be spelled unlike what it is: a function like a type, a type like a module.
    pub has_free_spelling: bool,
}

impl Program {
    /// Whether a compile error is a fair answer.
    #[must_use]
    pub fn is_refusable(&self) -> bool {
        let mut is_refusable = self.has_free_spelling;
        walk::sketches(self, &mut |sketch| is_refusable |= sketch.is_refusable);
        is_refusable
    }

    /// What its sketches try.
    #[must_use]
    pub fn features(&self) -> BTreeSet<&'static str> {
        let mut features = BTreeSet::new();
        walk::sketches(self, &mut |sketch| features.extend(&sketch.features));
        features
    }
}

/// What names of the generator's are printed as.
pub type Names = BTreeMap<String, String>;

/// A function. One whose first parameter is called `self` is a method of the program's own struct.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Cow<'static, str>,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The type of the result.
    pub result: Type,
    /// The body.
    pub body: Block,
}

impl Function {
    /// Whether it is a method of the program's own struct.
    #[must_use]
    pub fn is_method(&self) -> bool {
        self.parameters.first().is_some_and(|first| first.name == "self")
    }
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// The type of the value, without a reference.
    pub ty: Type,
    /// How it is passed.
    pub access: Access,
    /// Whether its binding is `mut`.
    pub mutable: bool,
}

/// Statements and perhaps a value.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The statements.
    pub statements: Vec<Statement>,
    /// The expression at the end.
    pub value: Option<Box<Expression>>,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Statement {
    /// `let pattern: ty = value;`
    Let {
        /// What is bound.
        pattern: Pattern,
        /// The type, where it is written.
        ty: Option<Type>,
        /// The value, unless the variable is initialised later.
        value: Option<Expression>,
    },
    /// An expression for its effect.
    Do(Expression),
}

/// What a `let` or a `for` binds.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// One name.
    Name {
        /// The name.
        name: String,
        /// Whether the binding is `mut`.
        mutable: bool,
    },
    /// `(a, b)`, all `mut` or none.
    Names {
        /// The names.
        names: Vec<String>,
        /// Whether the bindings are `mut`.
        mutable: bool,
    },
    /// `(a, (b, c))`
    Tuple(Vec<Pattern>),
    /// `&a`
    Reference(Box<Pattern>),
    /// `Shape::Wide { width: a, height: b }`, `Some(a)`, `None`
    Variant(&'static Variant, Vec<Pattern>),
}

/// A variant of an enum.
#[derive(Debug, PartialEq, Eq)]
pub struct Variant {
    /// Its path.
    pub path: &'static str,
    /// The names of its parts, which are floats; numbers where they have no names.
    pub parts: &'static [&'static str],
}

/// The variants of the prelude's enum.
pub const SHAPES: &[Variant] = &[
    Variant { path: "Shape::Wide", parts: &["width", "height"] },
    Variant { path: "Shape::Round", parts: &["0"] },
    Variant { path: "Shape::Flat", parts: &[] },
];

/// The variants of `Option`.
pub const MAYBES: &[Variant] =
    &[Variant { path: "Some", parts: &["0"] }, Variant { path: "None", parts: &[] }];

impl Variant {
    /// Whether its parts stand in braces.
    #[must_use]
    pub fn is_named(&self) -> bool {
        self.parts.first().is_some_and(|part| *part != "0")
    }
}

/// Something that can be read, written or borrowed.
#[derive(Clone, Debug)]
pub enum Place {
    /// A variable.
    Variable(String),
    /// `*r`
    Referent(Box<Place>),
    /// `a[i]`
    Element(Box<Place>, Box<Expression>),
    /// `s.x`, `t.0`
    Field(Box<Place>, &'static str),
}

/// An expression.
#[derive(Clone, Debug)]
pub enum Expression {
    /// A float.
    Float(f64),
    /// A `usize`.
    Index(usize),
    /// `true`, `false`.
    Flag(bool),
    /// What a place holds.
    Read(Place),
    /// `-x`, `!c`
    Unary(&'static str, Box<Expression>),
    /// `a + b`, `a < b`, `a && b`
    Binary(&'static str, Box<Expression>, Box<Expression>),
    /// `x as f64`
    Cast(Box<Expression>),
    /// `receiver.name(arguments)`
    Method(Box<Expression>, &'static str, Vec<Expression>),
    /// `function(arguments)`, where the function may be a path.
    Call(&'static str, Vec<Expression>),
    /// `closure(arguments)`
    Apply(String, Vec<Expression>),
    /// `function::gradient(arguments)`: the function and which of its derivatives.
    Derivative(&'static str, &'static str, Vec<Expression>),
    /// `move |a: f64, b| body`
    Closure {
        /// Whether it is `move`.
        moves: bool,
        /// What it takes, and the type where it is written.
        parameters: Vec<(Pattern, Option<Type>)>,
        /// What it does.
        body: Box<Expression>,
    },
    /// `from..to`
    Range(Box<Expression>, Box<Expression>),
    /// A variant of an enum and its parts.
    Variant(&'static Variant, Vec<Expression>),
    /// `let pattern = subject`, as the condition of an `if`.
    Let(Pattern, Box<Expression>),
    /// `&place`, `&mut place`, `&mut place[from..to]`
    Borrow {
        /// Whether it is `&mut`.
        unique: bool,
        /// The place.
        place: Place,
        /// The part of it.
        part: Option<(usize, usize)>,
    },
    /// `&[a, b]`
    Reference(Box<Expression>),
    /// `[a, b]`
    Array(Vec<Expression>),
    /// `[x; n]`
    Repeat(Box<Expression>, usize),
    /// `vec![a, b]`
    Vector(Vec<Expression>),
    /// `vec![x; n]`
    Fill(Box<Expression>, Box<Expression>),
    /// `(a, b)`
    Tuple(Vec<Expression>),
    /// `State { level: a, pair: b, slope: c, ..rest }`
    Struct {
        /// The name of the struct.
        name: &'static str,
        /// Fields and their values.
        fields: Vec<(&'static str, Expression)>,
        /// Where the other fields come from.
        rest: Option<Place>,
    },
    /// `if c { .. } else { .. }`
    If(Box<Expression>, Block, Option<Block>),
    /// `match subject { .. }`
    Match(Box<Expression>, Vec<Arm>),
    /// `{ .. }`
    Block(Block),
    /// `'label: { .. }`
    Labelled(String, Block),
    /// `'label: for pattern in over { .. }`
    For {
        /// The label.
        label: Option<String>,
        /// What is bound in each iteration.
        pattern: Pattern,
        /// What is iterated over.
        over: Over,
        /// The body.
        body: Block,
    },
    /// `'label: while condition { .. }`
    While(Option<String>, Box<Expression>, Block),
    /// `'label: loop { .. }`
    Loop(Option<String>, Block),
    /// `break 'label value`
    Break(Option<String>, Option<Box<Expression>>),
    /// `continue 'label`
    Continue(Option<String>),
    /// `return value`
    Return(Option<Box<Expression>>),
    /// `place += value`
    Assign(Box<Expression>, &'static str, Box<Expression>),
    /// A block of one float that is known as text.
    Sketch(Box<Sketch>),
}

/// A block with a float as its value, as text. In the text `#0` and `#1` are the parts, and `#name` is a
/// name of the generator's.
#[derive(Clone, Debug)]
pub struct Sketch {
    /// What is tried, by the names that tests may leave out.
    pub features: Vec<&'static str>,
    /// Whether a compile error is an answer as good as a right derivative.
    pub is_refusable: bool,
    /// The items that it needs: each a whole text.
    pub items: Vec<String>,
    /// The statements, each a whole text.
    pub statements: Vec<String>,
    /// The value.
    pub value: String,
    /// Floats.
    pub parts: Vec<Expression>,
}

/// An arm of a `match`.
#[derive(Clone, Debug)]
pub struct Arm {
    /// The pattern.
    pub pattern: Choice,
    /// The guard.
    pub guard: Option<Expression>,
    /// What is done.
    pub body: Block,
}

/// The pattern of an arm.
#[derive(Clone, Debug)]
pub enum Choice {
    /// `0 | 1`
    Numbers(Vec<usize>),
    /// `1..=3`
    Range(usize, usize),
    /// A name for the subject.
    Name(String),
    /// What an enum holds.
    Parts(Pattern),
    /// `_`
    Any,
}

/// What a `for` iterates over.
#[derive(Clone, Debug)]
pub enum Over {
    /// `(from..to).rev().step_by(step)`
    Range {
        /// The first number.
        from: Box<Expression>,
        /// Where it ends.
        to: Box<Expression>,
        /// `..=`
        inclusive: bool,
        /// `.rev()`
        reversed: bool,
        /// `.step_by(n)`
        step: Option<usize>,
    },
    /// The elements of an array, a slice or a vector.
    Elements {
        /// What holds them, as it is written before `.iter()` or behind `&`.
        place: Place,
        /// How they are reached.
        access: Access,
        /// `.iter()` instead of `&`.
        by_method: bool,
        /// `.rev()`
        reversed: bool,
        /// `.enumerate()`
        enumerated: bool,
    },
    /// A chain of iterators.
    Chain(Box<Expression>),
}

impl Expression {
    /// What a variable holds.
    #[must_use]
    pub fn variable(name: &str) -> Expression {
        Expression::Read(Place::Variable(name.into()))
    }

    /// An operator between two expressions.
    #[must_use]
    pub fn binary(self, operator: &'static str, right: Expression) -> Expression {
        Expression::Binary(operator, Box::new(self), Box::new(right))
    }

    /// A method of this.
    #[must_use]
    pub fn method(self, name: &'static str, arguments: Vec<Expression>) -> Expression {
        Expression::Method(Box::new(self), name, arguments)
    }

    /// Whether it ends in a block, so that no semicolon follows it as a statement.
    #[must_use]
    pub fn is_block_like(&self) -> bool {
        use Expression::{Block, For, If, Labelled, Loop, Match, While};
        matches!(
            self,
            Block(..) | Labelled(..) | For { .. } | If(..) | Loop(..) | Match(..) | While(..)
        )
    }
}

impl Place {
    /// An element.
    #[must_use]
    pub fn element(self, index: Expression) -> Place {
        Place::Element(Box::new(self), Box::new(index))
    }

    /// A field.
    #[must_use]
    pub fn field(self, name: &'static str) -> Place {
        Place::Field(Box::new(self), name)
    }
}

impl Block {
    /// A block of one expression.
    #[must_use]
    pub fn of(value: Expression) -> Block {
        Block { statements: Vec::new(), value: Some(Box::new(value)) }
    }
}
