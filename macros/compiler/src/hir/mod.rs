//! The high-level intermediate representation (HIR): a body in which every name is resolved.
//!
//! In: the syntax of a function's body, read once by [`build`](mod@build). Out: an arena of expressions and patterns
//! with few forms. What the compiler makes itself is a variant of these enums, never an identifier.
//!
//! Invariants:
//!
//! 1. A [`Local`] is one binding of the source: names that shadow each other, and equal names of different macro
//!    contexts, are different locals. A path that names no local is an item, of which only rustc knows what it is.
//! 2. Parentheses, invisible groups and attributes are gone. `?`, `while let`, `let else` and `if let` are
//!    [`ExprKind::Match`] and [`ExprKind::Let`] with patterns of [`Constructor::Standard`].
//! 3. `break` and `continue` name their [`Target`], and `return` is a break of the function's.

pub mod build;
pub mod free;
mod matrix;
mod print;
pub mod references;
pub mod results;

use crate::diag::Extent;
use crate::ir::Schedule;
use proc_macro2::{Ident, Span};

/// An expression of a [`Body`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ExprId(u32);

/// A pattern of a [`Body`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PatId(u32);

/// A binding: a parameter, or a variable of the source or of the compiler.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Local(pub u32);

/// What control may leave early: the function, a loop, or a block with a label.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Target(pub u32);

impl Target {
    /// The function or the closure that the code is the body of.
    pub const FUNCTION: Target = Target(0);
}

/// A body with its parameters.
#[derive(Default)]
pub struct Body {
    exprs: Vec<Expr>,
    pats: Vec<Pat>,
    locals: Vec<LocalData>,
    /// The locals of the parameters' names, in order.
    pub params: Vec<Local>,
    /// The patterns of parameters that take them apart, with the parameter's number.
    pub param_patterns: Vec<(usize, PatId)>,
    /// The body's block.
    pub root: Option<ExprId>,
    /// Items that the outermost block declares.
    pub items: Vec<syn::Item>,
    /// Names of patterns that are taken for bindings, since the code behind them uses them: a constant of that name
    /// must not be in scope, of which emitted code has a proof.
    pub assumed: Vec<Ident>,
    /// Paths of macros that are taken for those of the standard library, of which emitted code has a proof, too.
    pub macros: Vec<syn::Path>,
    /// Traits in front of functions that are taken for that of `num_traits`, with a proof, too.
    pub traits: Vec<syn::Path>,
    /// Paths that may be taken for functions of the standard library, with a proof, too.
    pub functions: Vec<syn::ExprPath>,
    /// Constants that stand for a comparison of numbers without an order, of which there is a proof that they are not
    /// `Greater`.
    pub orders: Vec<syn::ExprPath>,
    /// Receivers of methods that are a `Result`, as the items of a module show.
    pub results: Vec<ExprId>,
}

/// What is known of a binding.
#[derive(Clone)]
pub struct LocalData {
    /// The user's spelling; of a variable that the compiler makes, what it holds.
    pub name: Ident,
    /// Whether it is declared `mut`.
    pub is_mutable: bool,
    /// The type that is written at its declaration.
    pub ty: Option<syn::Type>,
    /// The value that it is declared with.
    pub init: Option<ExprId>,
}

/// An expression.
#[derive(Clone)]
pub struct Expr {
    pub kind: ExprKind,
    /// Its tokens, for errors.
    pub extent: Extent,
    /// The token that stands for it in emitted code.
    pub span: Span,
    /// Where control may go from inside of it, other than to its end.
    pub exits: Vec<Target>,
    /// Its type, if that is an array or a vector, and a module shows it: of fields and of results of calls.
    pub ty: Option<Box<syn::Type>>,
}

/// A binary operator that is evaluated strictly: arithmetic, comparison, bits.
pub type Operator = syn::BinOp;

/// The forms of expressions.
#[derive(Clone)]
pub enum ExprKind {
    Literal(syn::Lit),
    Local(Local),
    /// A path that names no local.
    Item(syn::ExprPath),
    Negate(ExprId),
    Not(ExprId),
    Binary(Operator, ExprId, ExprId),
    /// `a && b` and `a || b`.
    Lazy {
        is_and: bool,
        left: ExprId,
        right: ExprId,
    },
    Assign {
        target: ExprId,
        value: ExprId,
    },
    /// `a += b`, with the operator `+`.
    Compound {
        operator: Operator,
        target: ExprId,
        value: ExprId,
    },
    /// A place that `_` stands for in an assignment.
    Ignored,
    Borrow {
        is_mutable: bool,
        place: ExprId,
    },
    Deref(ExprId),
    Field(ExprId, syn::Member),
    Index(ExprId, ExprId),
    Range {
        start: Option<ExprId>,
        end: Option<ExprId>,
        is_inclusive: bool,
    },
    Tuple(Vec<ExprId>),
    Array(Vec<ExprId>),
    /// `[value; len]`.
    Repeat(ExprId, Box<syn::Expr>),
    Struct {
        path: Box<syn::Path>,
        fields: Vec<(syn::Member, ExprId)>,
        rest: Option<ExprId>,
    },
    Cast(ExprId, Box<syn::Type>),
    Call(ExprId, Vec<ExprId>),
    Method {
        receiver: ExprId,
        name: Ident,
        turbofish: Option<syn::AngleBracketedGenericArguments>,
        arguments: Vec<ExprId>,
    },
    Macro(Box<Macro>),
    Block {
        label: Option<Target>,
        block: Block,
    },
    If {
        condition: ExprId,
        then: ExprId,
        /// `()` where there is no `else`.
        other: ExprId,
    },
    /// `let pattern = value` as a condition.
    Let(PatId, ExprId),
    Match(ExprId, Vec<Arm>),
    Loop(Box<Loop>),
    Break(Target, Option<ExprId>),
    Continue(Target),
    Closure(Box<Closure>),
    /// What is not read here; the old form is kept for what can still be made of it.
    Unsupported,
}

/// Statements and a value.
#[derive(Clone, Default)]
pub struct Block {
    pub stmts: Vec<Stmt>,
    pub value: Option<ExprId>,
}

/// A statement.
#[derive(Clone)]
pub enum Stmt {
    Let {
        pattern: PatId,
        value: Option<ExprId>,
        /// The block behind `else`.
        otherwise: Option<ExprId>,
    },
    Expr(ExprId),
    /// From here to a method call, nothing may change the local of whose place it is called.
    Hold {
        method: ExprId,
        local: Local,
    },
}

/// An arm of a `match`.
#[derive(Clone)]
pub struct Arm {
    pub pattern: PatId,
    pub guard: Option<ExprId>,
    pub body: ExprId,
}

/// A loop.
#[derive(Clone)]
pub struct Loop {
    pub target: Target,
    pub kind: LoopKind,
    pub body: ExprId,
    /// Whether a `break` ends it.
    pub is_left: bool,
    /// What `#[checkpoint]` says, and where.
    pub schedule: Option<(Schedule, Option<ExprId>, Span)>,
    /// The keyword.
    pub span: Span,
}

/// How a loop runs.
#[derive(Clone)]
pub enum LoopKind {
    Endless,
    While(ExprId),
    For(PatId, ExprId),
}

/// A closure.
#[derive(Clone)]
pub struct Closure {
    pub params: Vec<PatId>,
    pub output: Option<syn::Type>,
    pub body: ExprId,
    pub is_move: bool,
    /// What its `return`s leave.
    pub target: Target,
    /// The locals that it binds: they are numbered as they are read.
    pub locals: std::ops::Range<u32>,
    pub syntax: syn::ExprClosure,
}

/// A macro of the standard library.
#[derive(Clone)]
pub enum Macro {
    /// `vec![a, b]`.
    Vector(Vec<ExprId>),
    /// `vec![value; len]`.
    Filled(ExprId, ExprId),
    /// `matches!(value, pattern if guard)`.
    Matches(ExprId, PatId, Option<ExprId>),
    /// What prints, asserts or panics.
    Effect(Effect),
}

/// A macro that does something with text.
#[derive(Clone)]
pub struct Effect {
    pub path: syn::Path,
    /// Whether it stands under `cfg!(debug_assertions)`.
    pub is_debug: bool,
    /// Whether control ends there.
    pub diverges: bool,
    /// Whether its value is the text.
    pub makes_text: bool,
    /// The condition of an assertion.
    pub condition: Condition,
    pub arguments: Vec<Argument>,
}

/// What an assertion asks.
#[derive(Clone)]
pub enum Condition {
    None,
    /// `assert!`, with the condition as written.
    Holds(ExprId, proc_macro2::TokenStream),
    /// `assert_eq!` and `assert_ne!`.
    Compares {
        left: ExprId,
        right: ExprId,
        operator: Operator,
    },
}

/// An argument behind the condition.
#[derive(Clone)]
pub enum Argument {
    /// The format string.
    Text(syn::LitStr),
    /// An operand, with the name under which the format string knows it.
    Operand(Option<Ident>, ExprId),
}

/// A pattern.
#[derive(Clone)]
pub struct Pat {
    pub kind: PatKind,
    /// Its tokens, for errors.
    pub extent: Extent,
    pub span: Span,
}

/// What stands in front of the items or the fields of a pattern.
#[derive(Clone)]
pub enum Constructor {
    /// A struct or a variant, by path.
    Path(syn::Path),
    /// A variant of the standard library's that the compiler means.
    Standard(Variant, Span),
}

/// The variants of `Option` and `Result`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    Some,
    None,
    Ok,
    Err,
}

/// The forms of patterns.
#[derive(Clone)]
pub enum PatKind {
    /// `_`.
    Wild,
    /// `..`.
    Rest,
    Bind(Binding),
    Typed(PatId, syn::Type),
    Tuple(Vec<PatId>),
    /// `&pattern`.
    Reference(PatId),
    TupleStruct(Constructor, Vec<PatId>),
    Struct {
        path: syn::Path,
        fields: Vec<(syn::Member, PatId)>,
        /// Whether other patterns beside it show that the path is that of a variant.
        is_variant: bool,
    },
    Slice(Vec<PatId>),
    Or(Vec<PatId>),
    /// Literals, ranges and paths: what binds nothing, as written.
    Test(syn::Pat),
}

/// A name in a pattern.
#[derive(Clone)]
pub struct Binding {
    pub local: Local,
    pub mode: Mode,
    pub inner: Option<PatId>,
    /// Whether it may name a constant or a unit variant instead: it stands alone where a pattern may not fit.
    pub may_be_item: bool,
}

/// How a name is bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// As what is matched on says.
    Default,
    /// `ref`.
    Shared,
    /// `ref mut`.
    Unique,
}

impl Body {
    /// Returns an expression.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize]
    }

    /// Returns all expressions.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        self.exprs.iter()
    }

    /// Returns the names of all expressions.
    pub fn ids(&self) -> impl Iterator<Item = ExprId> + use<> {
        (0..self.exprs.len() as u32).map(ExprId)
    }

    /// Returns a pattern.
    pub fn pat(&self, id: PatId) -> &Pat {
        &self.pats[id.0 as usize]
    }

    /// Returns what is known of a binding.
    pub fn local(&self, local: Local) -> &LocalData {
        &self.locals[local.0 as usize]
    }

    /// Returns how many bindings there are.
    pub fn locals(&self) -> usize {
        self.locals.len()
    }

    /// Adds an expression.
    pub fn add_expr(&mut self, expr: Expr) -> ExprId {
        self.exprs.push(expr);
        ExprId(self.exprs.len() as u32 - 1)
    }

    /// Adds a pattern.
    pub fn add_pat(&mut self, pat: Pat) -> PatId {
        self.pats.push(pat);
        PatId(self.pats.len() as u32 - 1)
    }

    /// Adds a binding.
    pub fn add_local(&mut self, data: LocalData) -> Local {
        self.locals.push(data);
        Local(self.locals.len() as u32 - 1)
    }
}

impl Variant {
    /// The variant as a path that no name of the user's hides.
    pub fn path(self, span: Span) -> syn::Path {
        match self {
            Variant::Some => syn::parse_quote_spanned!(span=> ::core::option::Option::Some),
            Variant::None => syn::parse_quote_spanned!(span=> ::core::option::Option::None),
            Variant::Ok => syn::parse_quote_spanned!(span=> ::core::result::Result::Ok),
            Variant::Err => syn::parse_quote_spanned!(span=> ::core::result::Result::Err),
        }
    }
}

impl Constructor {
    /// The constructor as a path.
    pub fn path(&self) -> syn::Path {
        match self {
            Constructor::Path(path) => path.clone(),
            Constructor::Standard(variant, span) => variant.path(*span),
        }
    }
}

impl ExprKind {
    /// Returns the expressions inside, in the order in which they are evaluated.
    pub fn children(&self) -> Vec<ExprId> {
        use ExprKind as E;
        match self {
            E::Literal(_)
            | E::Local(_)
            | E::Item(_)
            | E::Ignored
            | E::Continue(_)
            | E::Break(_, None)
            | E::Unsupported => Vec::new(),
            E::Negate(a)
            | E::Not(a)
            | E::Deref(a)
            | E::Field(a, _)
            | E::Repeat(a, _)
            | E::Cast(a, _)
            | E::Borrow { place: a, .. }
            | E::Let(_, a)
            | E::Break(_, Some(a)) => vec![*a],
            E::Binary(_, a, b) | E::Index(a, b) | E::Lazy { left: a, right: b, .. } => vec![*a, *b],
            E::Assign { target, value } | E::Compound { target, value, .. } => {
                vec![*value, *target]
            }
            E::Range { start, end, .. } => start.iter().chain(end).copied().collect(),
            E::Tuple(items) | E::Array(items) => items.clone(),
            E::Struct { fields, rest, .. } => {
                fields.iter().map(|(_, value)| *value).chain(*rest).collect()
            }
            E::Call(callee, arguments) => {
                std::iter::once(callee).chain(arguments).copied().collect()
            }
            E::Method { receiver, arguments, .. } => {
                std::iter::once(receiver).chain(arguments).copied().collect()
            }
            E::Macro(call) => call.operands(),
            E::Block { block, .. } => block.exprs(),
            E::If { condition, then, other } => vec![*condition, *then, *other],
            E::Match(value, arms) => {
                let inside = arms.iter().flat_map(|arm| arm.guard.into_iter().chain([arm.body]));
                std::iter::once(*value).chain(inside).collect()
            }
            E::Loop(repeat) => {
                let head = match repeat.kind {
                    LoopKind::Endless => None,
                    LoopKind::While(head) | LoopKind::For(_, head) => Some(head),
                };
                let given = repeat.schedule.iter().filter_map(|(_, given, _)| *given);
                head.into_iter().chain(given).chain([repeat.body]).collect()
            }
            E::Closure(closure) => vec![closure.body],
        }
    }
}

impl Block {
    /// Returns the expressions of its statements and its value, in order.
    pub fn exprs(&self) -> Vec<ExprId> {
        let stmts = self.stmts.iter().flat_map(|stmt| match stmt {
            Stmt::Let { value, otherwise, .. } => value.iter().chain(otherwise).copied().collect(),
            Stmt::Expr(expr) => vec![*expr],
            Stmt::Hold { .. } => Vec::new(),
        });
        stmts.chain(self.value).collect()
    }
}

impl Macro {
    /// Returns what a call computes.
    pub fn operands(&self) -> Vec<ExprId> {
        match self {
            Macro::Vector(items) => items.clone(),
            Macro::Filled(item, len) => vec![*item, *len],
            Macro::Matches(value, _, guard) => std::iter::once(*value).chain(*guard).collect(),
            Macro::Effect(effect) => {
                let asked = match &effect.condition {
                    Condition::None => Vec::new(),
                    Condition::Holds(holds, _) => vec![*holds],
                    Condition::Compares { left, right, .. } => vec![*left, *right],
                };
                let operands = effect.arguments.iter().filter_map(|argument| match argument {
                    Argument::Text(_) => None,
                    Argument::Operand(_, expr) => Some(*expr),
                });
                asked.into_iter().chain(operands).collect()
            }
        }
    }
}
