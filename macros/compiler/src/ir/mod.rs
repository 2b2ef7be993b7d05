//! The intermediate representation: structured, typed SSA.
//!
//! A [`Function`] holds one [`Block`] of instructions. Control flow is nested: an `if` holds two
//! blocks, a loop holds its body, and each block ends by yielding values. Early exits (`return`,
//! `break`, `continue`) do not exist here: lowering turns them into the arms of conditionals and a
//! loop's `again` flag, so that both transforms see two control constructs and nothing else.
//!
//! Invariants, checked by [`verify`](mod@verify):
//!
//! 1. Every value is defined once, by an instruction or as a block parameter, and dominates its uses.
//! 2. A value with a [`Slot`] is one version of the contents of a place. Versions of one slot form a
//!    line: at each point of the program exactly one version is current, only that one is used, and a
//!    store, push or `&mut` argument makes the next one. Emission therefore writes in place.
//! 3. Both arms of an `if` yield as many values as the `if` has results. A loop's body yields its
//!    carried values in the order of its parameters, after the `again` flag when the loop has one.
//! 4. Loop parameters, the values yielded to them, their initial values and the loop's results agree
//!    on the slot.

pub mod blocks;
pub mod build;
pub mod copy;
pub mod entity;
#[cfg(feature = "interpret")]
pub mod fingerprint;
pub mod free;
#[cfg(feature = "interpret")]
pub mod parse;
pub mod print;
pub mod types;
pub mod verify;

use crate::ir::entity::EntitySet;
use cotangent_rules::{Cost, Param, Rule, Slopes};
use proc_macro2::{Ident, Span, TokenStream};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

pub use types::{FloatKind, Type};

/// An SSA value. Prints as `v3`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub u32);

/// A place that lives at one address: a reference parameter's referent, or a local with projections.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot(pub u32);

/// The identity of a block, kept by copies, so that plans can be looked up by it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BlockId(pub u32);

/// A residual tape. Pushes and pops are effects, ordered as they stand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Tape(pub u32);

/// What knows the type of a value, and nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Witness(pub u32);

/// What is known of a value.
#[derive(Clone)]
pub struct ValueData {
    pub ty: Type,
    /// The user's name for it, or a derived one; made unique by emission.
    pub name: String,
    pub span: Span,
    pub slot: Option<Slot>,
    /// A type that the user wrote on the binding, kept because inference may hang on it. Copies of the data that a transform
    /// makes have it too: [`Function::annotation`] leaves those out.
    pub annotation: Option<Box<syn::Type>>,
}

impl ValueData {
    /// Of a value that is no version of a place.
    pub fn named(ty: Type, name: &str, span: Span) -> Self {
        ValueData { ty, name: name.to_owned(), span, slot: None, annotation: None }
    }
}

/// What is known of a slot.
#[derive(Clone)]
pub struct SlotData {
    pub name: String,
    pub ty: Type,
    pub span: Span,
    pub access: Access,
    /// Whether it holds a tangent or a shadow. The variants of their types are reached differently.
    pub is_tangent: bool,
    /// The slot whose tangent it holds, in a derivative in which both are at hand.
    pub tangent_of: Option<Slot>,
}

/// How the place of a slot is reached in emitted code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// A local variable that owns its contents.
    Owned,
    /// A variable of type `&T`.
    Shared,
    /// A variable of type `&mut T`.
    Unique,
}

/// A function in one of the compiler's stages.
#[derive(Clone)]
pub struct Function {
    pub name: String,
    /// Its parameters are the emitted function's. Its results are the returned values, then the final
    /// versions of the places that the caller sees.
    pub body: Block,
    /// How many of the body's results are returned.
    pub outputs: usize,
    pub values: Vec<ValueData>,
    pub slots: Vec<SlotData>,
    /// How many tapes there are.
    pub tapes: u32,
    pub next_block: u32,
    /// Values below this number are the primal's.
    pub primal_values: u32,
    /// Items declared in the user's body; every emitted body needs them in scope.
    pub items: Vec<syn::Item>,
    /// Whether it calls itself: its pullback holds pullbacks of its own kind, which only a box can.
    pub is_recursive: bool,
    /// Whether it may do so by calls of which not even types say that.
    pub may_call_itself: bool,
    /// Whether derivatives watch what rules make.
    pub is_watched: bool,
    /// Whether its pullback must keep nothing of the operands.
    pub is_sum: bool,
    /// Whether what is added to a float may be something else.
    pub adds_to_floats: bool,
    /// Whether operands may own memory: what is read from a place is a copy of it.
    pub copies_operands: bool,
    /// The operands of operators that are written as references, by the results.
    pub lent: BTreeSet<(Value, usize)>,
    /// Results of calls that are bound by `let`: what they end when they are dropped, they end where the name does.
    pub held: BTreeSet<Value>,
    /// Of loops that go backwards through the iterations of others: their bodies, and those of the others.
    pub backwards: BTreeMap<BlockId, BlockId>,
    /// Parameters with a tangent, those of the pullback included.
    pub active: Vec<Value>,
    /// Places of parameters that stay as the function leaves them.
    pub advancing: Vec<Slot>,
}

/// A sequence of instructions with parameters and results.
#[derive(Clone)]
pub struct Block {
    pub id: BlockId,
    pub params: Vec<Value>,
    pub insts: Vec<Inst>,
    pub results: Vec<Value>,
}

/// One instruction.
#[derive(Clone)]
pub struct Inst {
    pub op: Op,
    pub args: Vec<Value>,
    pub results: Vec<Value>,
    pub span: Span,
}

/// One step from a place to a part of it. The index is an argument of the instruction.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Projection {
    Index,
    /// A part of a slice; its ends are arguments.
    Range(Ends),
    Field(String),
    /// The entry of a map. The key is an argument.
    Key,
    /// A field of an enum's variant, by the variant's path and the field's name or number. The enum holds
    /// that variant wherever the step is taken.
    Variant(Box<syn::Path>, String),
    /// What a `Box` holds.
    Deref,
    /// What a `RefCell` holds, borrowed for this access. Of a place behind `&` this part can be written.
    Borrowed,
    /// What an `Option` or a `Result` holds, by this method, with the message of `expect`.
    Unwrap(Box<Ident>, Option<Box<syn::Expr>>),
}

/// Where an element enters or leaves a collection.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum End {
    /// `push` and `pop` of a vector.
    Last,
    /// `push_back` and `pop_back` of a queue.
    Back,
    /// `push_front` and `pop_front` of a queue.
    Front,
    /// `insert` and `remove` of a vector: the position is an argument.
    At,
    /// `insert` and `remove` of a map which has the key afterwards, or before: the key is an argument.
    Key,
}

impl End {
    /// How many arguments say where.
    pub fn positions(self) -> usize {
        usize::from(matches!(self, End::At | End::Key))
    }
}

/// Which ends of a range are written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ends {
    pub start: bool,
    pub end: bool,
    pub inclusive: bool,
}

impl Projection {
    /// Whether the step leads to a field or an element without asking anything at run time but for bounds.
    pub fn is_plain(&self) -> bool {
        match self {
            Projection::Index | Projection::Field(_) => true,
            Projection::Range(_)
            | Projection::Key
            | Projection::Variant(..)
            | Projection::Deref
            | Projection::Borrowed
            | Projection::Unwrap(..) => false,
        }
    }

    /// The number of arguments that the step takes.
    pub fn indices(&self) -> usize {
        match self {
            Projection::Index | Projection::Key => 1,
            Projection::Range(ends) => usize::from(ends.start) + usize::from(ends.end),
            Projection::Field(_)
            | Projection::Variant(..)
            | Projection::Deref
            | Projection::Borrowed
            | Projection::Unwrap(..) => 0,
        }
    }
}

/// The steps from a slot's root to the part that an instruction touches.
pub type Path = Vec<Projection>;

/// How an argument is handed to a call.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Passing {
    /// By value: one argument.
    Value,
    /// By `&`: the place's version, then the indices of the path.
    Shared(Path),
    /// By `&mut`: likewise. The call's results after the first are the new versions, in order.
    Unique(Path),
    /// By `&`, where the callee may write cells: likewise.
    Interior(Path),
}

impl Passing {
    /// The same operand by `&`.
    #[must_use]
    pub fn shared(self) -> Self {
        match self {
            Passing::Unique(path) | Passing::Interior(path) => Passing::Shared(path),
            other => other,
        }
    }

    /// The path of a reference operand.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Passing::Value => None,
            Passing::Shared(path) | Passing::Unique(path) | Passing::Interior(path) => Some(path),
        }
    }

    /// How many arguments of the instruction belong to this operand.
    pub fn width(&self) -> usize {
        match self {
            Passing::Value => 1,
            Passing::Shared(path) | Passing::Unique(path) | Passing::Interior(path) => {
                1 + index_count(path)
            }
        }
    }

    /// Whether the call leaves a new version of the operand.
    pub fn writes(&self) -> bool {
        matches!(self, Passing::Unique(_) | Passing::Interior(_))
    }
}

/// A row of the rule table that the compiler itself applies.
pub fn row(name: &str) -> &'static Rule {
    cotangent_rules::find(name).unwrap_or_else(|| panic!("the row `{name}`"))
}

/// The strong product, which only derivative code contains: zero where the direction is zero, even if the factor is
/// infinite or NaN. So a partial derivative that is infinite where nothing depends on it contributes nothing. Its own
/// derivatives are strong products.
pub static STRONG: Rule = Rule {
    name: "strong",
    params: &[
        Param { name: "direction", integer: false },
        Param { name: "factor", integer: false },
    ],
    result: "product",
    cost: Cost::Cheap,
    slopes: Slopes::Singular,
    partials: &["factor", "direction"],
};

/// How many of the arguments of [`Op::Partial`] each operand of its row has.
pub fn times(rule: &Rule, args: usize) -> usize {
    let integers = rule.params.iter().filter(|param| param.integer).count();
    (args - integers) / (rule.params.len() + 2 - integers)
}

/// Whether two parts of one place, each a path with the numbers in it, can be borrowed side by side: the same steps lead
/// to a struct or a tuple, and from there each goes to a field of its own.
pub fn are_disjoint(first: (&Path, &[Value]), second: (&Path, &[Value])) -> bool {
    let common = common_steps(first, second);
    let fields = (first.0.get(common), second.0.get(common));
    matches!(fields, (Some(Projection::Field(a)), Some(Projection::Field(b))) if a != b)
        && first.0[..common].iter().all(Projection::is_plain)
}

/// Returns how many steps two parts of one place have in common.
pub fn common_steps(first: (&Path, &[Value]), second: (&Path, &[Value])) -> usize {
    let (mut position, mut common) = (0, 0);
    for (left, right) in first.0.iter().zip(second.0) {
        let numbers = position..position + left.indices();
        if left != right || first.1.get(numbers.clone()) != second.1.get(numbers.clone()) {
            break;
        }
        (position, common) = (numbers.end, common + 1);
    }
    common
}

/// The number of index arguments that a path takes.
pub fn index_count(path: &Path) -> usize {
    path.iter().map(Projection::indices).sum()
}

/// A call. A method's first operand is its receiver, by reference: which of `self`, `&self` and `&mut self`
/// it takes, rustc knows.
#[derive(Clone)]
pub struct Call {
    pub callee: Callee,
    pub passing: Vec<Passing>,
    /// For each operand that is a function, what it does: the operand is what it captures.
    pub functions: Vec<Option<Rc<Given>>>,
    /// Whether the function calls itself here.
    pub is_own: bool,
    /// Whether it may, by a method of which only types say whose it is.
    pub may_be_own: bool,
    /// Whether debug mode looks at what its derivatives make.
    pub is_watched: bool,
    /// In a derivative: whether the call has a derivative, which is called where the reverse sweep runs this part
    /// again.
    pub runs_again: bool,
    /// How often the forward transform went over it. Each time, every operand and
    /// every result came to be followed by its tangent.
    pub order: usize,
}

impl Call {
    /// How often each operand is given.
    pub fn times(&self) -> usize {
        1 << self.order
    }

    /// The same, once more under the forward transform.
    #[must_use]
    pub fn raised(&self) -> Self {
        Call { order: self.order + 1, ..self.clone() }
    }

    /// The operands of the instruction that calls, in order.
    pub fn operands<'a>(&'a self, inst: &'a Inst) -> impl Iterator<Item = Passed<'a>> {
        let (mut rest, mut versions) = (&inst.args[..], inst.results[1..].iter());
        self.passing.iter().map(move |passing| {
            let (args, tail) = rest.split_at(passing.width());
            rest = tail;
            let left =
                passing.writes().then(|| *versions.next().expect("a version of what is written"));
            Passed { passing, args, left }
        })
    }
}

/// A call of the function by itself, in a derivative whose levels share one tape: what `vjp` and its pullback do.
#[derive(Clone)]
pub struct OwnCall {
    pub half: Half,
    /// The operands, tangents and shadows among them, in the order in which the half takes them.
    pub passed: Vec<Passing>,
    /// How many of the results are returned. The others are new versions of places.
    pub returned: usize,
    /// What runs instead where types say that it is another function's.
    pub open: Option<OpenCall>,
}

/// A call that may be one of another function, whose arguments and results the instruction has.
#[derive(Clone)]
pub struct OpenCall {
    /// A `vjp`, or a pullback.
    pub op: Op,
    /// Which of its operands the function itself is passed.
    pub operands: Vec<usize>,
}

/// A half of a pullback's life.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Half {
    /// The forward sweep, which leaves an entry on the tape.
    Sweep,
    /// The reverse sweep, which takes it.
    Unwind,
}

impl Half {
    /// The name of the function that does it, for derivatives of an order.
    pub fn name(self, order: usize) -> String {
        let first = match self {
            Half::Sweep => "sweep",
            Half::Unwind => "unwind",
        };
        format!("__{}", of_order(first, order))
    }
}

/// The name of a derivative of an order, from that of the innermost one.
pub fn of_order(first: &str, order: usize) -> String {
    format!("{}{first}", "jvp_over_".repeat(order - 1))
}

/// An operand of a call.
pub struct Passed<'a> {
    pub passing: &'a Passing,
    /// A value; or the version of a place, and indices.
    pub args: &'a [Value],
    /// The version that the call leaves, where it may write the place.
    pub left: Option<Value>,
}

/// A function that a call is given.
pub struct Given {
    pub code: Code,
    /// Whether the user's function takes a reference to it.
    pub is_reference: bool,
}

/// What a function does.
pub enum Code {
    /// A function with derivatives, by path.
    Item(syn::ExprPath),
    /// A variable of the type [`Type::Function`], with the number of its arguments.
    Variable(usize),
    Closure(Box<Closure>),
}

/// A closure as a function of what it captures: places that it only reads.
pub struct Closure {
    pub captures: Vec<Capture>,
    pub params: Vec<ClosureParam>,
    /// The type of its result, where it is written.
    pub output: Option<syn::Type>,
    pub primal: Function,
    /// Of each order.
    pub jvp: Vec<Function>,
    /// Likewise.
    pub vjp: Vec<Function>,
}

/// What a closure captures.
pub struct Capture {
    pub name: Ident,
    /// Whether it has a tangent.
    pub is_active: bool,
    /// Whether it is wrapped, so that it has none.
    pub is_held: bool,
}

/// A parameter of a closure.
pub struct ClosureParam {
    pub name: Ident,
    /// The type, where it is written.
    pub ty: Option<syn::Type>,
    pub is_active: bool,
}

/// A rule's use, as debug mode looks at it.
#[derive(Clone)]
pub struct Watch {
    pub rule: String,
    /// How many of the arguments are primal values.
    pub primals: usize,
    /// How many of the others the rule was given.
    pub given: usize,
}

/// A statement about operands that only rustc can prove, so that derivative code compiles where it holds.
#[derive(Clone)]
pub enum Proof {
    /// A place holds no cells: a call that is given it by `&` has no derivative, and could change them.
    NoCells(Path),
    /// The callee has derivatives, though the one of this call reaches no result: what it does with an active operand is
    /// known. The arguments are those of the call.
    Derivative(Box<Call>, Mode),
    /// A value, or the part of a place at a path, is compared by the standard library alone.
    Comparable(Option<Path>),
    /// The operands' types have this row, and no method or operator of that name is their own.
    Row(&'static Rule),
    /// The part of a place at a path is not of a constant field, or what has been written there is constant.
    Writable(Path),
    /// The type of a value has a tangent: no destructor of it, and nothing else that the macro does not see, reads the
    /// active values that it is made of.
    Tangent,
}

impl Proof {
    /// Returns the property, for people.
    pub fn name(&self) -> &'static str {
        match self {
            Proof::NoCells(_) => "no cells",
            Proof::Derivative(..) => "derivatives",
            Proof::Comparable(_) => "comparison by the standard library",
            Proof::Row(_) => "a row",
            Proof::Writable(_) => "a place for active values",
            Proof::Tangent => "a tangent",
        }
    }
}

/// What is called.
#[derive(Clone)]
pub enum Callee {
    /// A function by path.
    Path(syn::ExprPath),
    Method(syn::Ident),
    /// The function that the first operand is.
    Function,
    /// A function pointer in a variable, which has no derivatives: the first operand.
    Pointer,
    /// `stop_gradient`: nothing that depends on the value goes back through it.
    Stopped(syn::ExprPath),
}

impl Callee {
    /// The name of the function.
    pub fn name(&self) -> String {
        match self {
            Callee::Path(path) | Callee::Stopped(path) => {
                path.path.segments.last().map_or_else(String::new, |last| last.ident.to_string())
            }
            Callee::Method(name) => name.to_string(),
            Callee::Function | Callee::Pointer => "function".to_owned(),
        }
    }
}

/// Whether a function belongs to a type, whose name stands in front of it: then its derivatives stand beside it. A
/// companion's name is that of a function.
pub fn is_associated(path: &syn::ExprPath) -> bool {
    let owner = path.path.segments.iter().rev().nth(1);
    path.qself.is_some()
        || owner.is_some_and(|owner| owner.ident.to_string().starts_with(char::is_uppercase))
        || owner.is_some() && is_derivative(path)
}

/// Whether a function is named like one of the contract's derivatives.
pub fn is_derivative(path: &syn::ExprPath) -> bool {
    path.path.segments.last().is_some_and(|last| is_derivative_name(&last.ident.to_string()))
}

/// Whether this is the name of one of the contract's derivatives, or of a pullback with its `vjp`.
pub fn is_derivative_name(name: &str) -> bool {
    name == PULLED || DERIVATIVES.contains(&name)
}

/// The function that calls `vjp` and the pullback that this gives.
pub const PULLED: &str = "__pulled";

/// The derivatives of the contract.
pub const DERIVATIVES: [&str; 9] = [
    "gradient",
    "value_and_gradient",
    "accumulate_gradient",
    "vjp",
    "jvp",
    "jacobian",
    "hessian",
    "hvp",
    "value_gradient_and_hessian",
];

/// How a struct is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// By its fields.
    Fields,
    /// By fields and a struct for the others, which is the last argument.
    Update,
}

/// Which derivative of a rule a trait call computes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    Forward,
    Reverse,
}

/// A macro of the standard library in the user's body.
#[derive(Clone)]
pub struct MacroCall {
    pub path: syn::Path,
    /// How many of the first operands it compares with each other.
    pub compared: usize,
    /// Tokens before the first argument, for instance the text of an assertion.
    pub arguments: Vec<MacroArgument>,
}

impl MacroCall {
    /// Returns the operands with their arguments, in order.
    pub fn operands<'a>(
        &'a self,
        mut args: &'a [Value],
    ) -> impl Iterator<Item = (&'a Passing, &'a [Value])> {
        self.arguments.iter().filter_map(move |argument| match argument {
            MacroArgument::Tokens(_) => None,
            MacroArgument::Operand(_, passing) => {
                let (operand, rest) = args.split_at(passing.width());
                args = rest;
                Some((passing, operand))
            }
        })
    }
}

/// One comma-separated argument of a [`MacroCall`].
#[derive(Clone)]
pub enum MacroArgument {
    /// Kept as written.
    Tokens(TokenStream),
    /// An operand, with the name under which a format string knows it.
    Operand(Option<Ident>, Passing),
}

/// How a loop runs.
#[derive(Clone)]
pub enum LoopKind {
    /// Over a range. Arguments: start, end, then the step when there is one; the body's
    /// first parameter is the index.
    Range { inclusive: bool, adaptors: Vec<Adaptor> },
    /// A given number of times: one argument.
    Repeat,
    /// While a condition holds, which reads the carried values.
    While { condition: Block },
    /// Once: a part of a primal that the reverse sweep runs again instead of reading what it left. Only
    /// `transform/segment.rs` makes such loops, and only the reverse transform is given them.
    Once,
}

/// Which states of a loop are kept, where a user asks for it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Schedule {
    /// As many as the loop has iterations between one and the next: about the root of their number.
    Root,
    /// One for so many iterations as an argument says.
    Every,
    /// As many as an argument says, where the states between them are computed again and again.
    Snapshots,
}

impl Schedule {
    /// Whether the loop has an argument for it.
    pub fn is_given(self) -> bool {
        self != Schedule::Root
    }
}

/// What stands behind a range.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Adaptor {
    Rev,
    StepBy,
    /// Likewise; the places that the loop writes are told to have nothing in common with others.
    Strips,
}

impl Adaptor {
    /// Whether it takes a step.
    pub fn is_step(self) -> bool {
        self != Adaptor::Rev
    }
}

/// A loop.
#[derive(Clone)]
pub struct Loop {
    pub kind: LoopKind,
    /// How the reverse sweep gets at the states in between; what it is given stands behind the bounds.
    pub schedule: Option<Schedule>,
    /// The body's first result says whether to go on.
    pub breaks: bool,
    pub body: Block,
}

impl LoopKind {
    /// How many arguments say how often the loop runs.
    pub fn bounds(&self) -> usize {
        match self {
            LoopKind::Range { adaptors, .. } => {
                2 + usize::from(adaptors.iter().any(|adaptor| adaptor.is_step()))
            }
            LoopKind::Repeat => 1,
            LoopKind::While { .. } | LoopKind::Once => 0,
        }
    }
}

impl Loop {
    /// How many leading arguments are bounds rather than initial values of carried ones.
    pub fn bounds(&self) -> usize {
        self.kind.bounds() + usize::from(self.schedule.is_some_and(Schedule::is_given))
    }

    /// The number of body parameters before the carried ones.
    pub fn index_params(&self) -> usize {
        usize::from(matches!(self.kind, LoopKind::Range { .. }))
    }

    /// The carried parameters of the body.
    pub fn carried(&self) -> &[Value] {
        &self.body.params[self.index_params()..]
    }

    /// The values that the body yields to its carried parameters.
    pub fn next(&self) -> &[Value] {
        &self.body.results[usize::from(self.breaks)..]
    }

    /// Whether it goes through numbers one by one, and through all of them.
    pub fn is_plain(&self) -> bool {
        matches!(self.kind, LoopKind::Range { inclusive: false, .. })
            && !self.breaks
            && self.bounds() == 2
    }

    /// Whether it goes from the last number to the first.
    pub fn is_backward(&self) -> bool {
        let LoopKind::Range { adaptors, .. } = &self.kind else { return false };
        adaptors.iter().filter(|adaptor| **adaptor == Adaptor::Rev).count() % 2 == 1
    }

    /// Whether each iteration is a strip of others.
    pub fn is_of_strips(&self) -> bool {
        matches!(&self.kind, LoopKind::Range { adaptors, .. } if adaptors[..] == [Adaptor::Strips])
    }

    /// Lets a loop that goes backwards go forwards.
    pub fn turn(&mut self) {
        if let LoopKind::Range { adaptors, .. } = &mut self.kind {
            adaptors.pop_if(|adaptor| *adaptor == Adaptor::Rev);
        }
    }

    /// Whether an instruction does nothing but read, write or add to the element of this loop's index.
    pub fn is_own_element(&self, inst: &Inst) -> bool {
        let index = self.body.params.first().filter(|_| self.index_params() == 1);
        let (Op::Load(path) | Op::Store(path) | Op::Accumulate(path)) = &inst.op else {
            return false;
        };
        path[..] == [Projection::Index] && inst.args.get(1) == index
    }
}

impl Inst {
    /// Calls `visit` on every use of a value, those inside of its blocks included.
    pub fn each_use(&self, visit: &mut dyn FnMut(Value)) {
        self.args.iter().for_each(|arg| visit(*arg));
        self.op.blocks().for_each(|block| block.each_use(visit));
    }

    /// All values that it uses, also inside of its blocks.
    pub fn uses(&self) -> EntitySet<Value> {
        let mut uses = EntitySet::default();
        self.each_use(&mut |value| {
            uses.insert(value);
        });
        uses
    }

    /// Returns what makes room on a tape for one entry of each iteration of this loop, where all iterations happen. A
    /// loop that can end early makes no room: it costs what happens, and not its bound.
    pub fn reserve(&self, tape: Tape) -> Option<Inst> {
        let Op::Loop(repeat) = &self.op else { return None };
        let happen = matches!(repeat.kind, LoopKind::Range { .. }) && !repeat.breaks;
        happen.then(|| {
            let args = self.args[..repeat.kind.bounds()].to_vec();
            let op = Op::TapeReserve(tape, Box::new(repeat.kind.clone()));
            Inst { op, args, results: Vec::new(), span: self.span }
        })
    }

    /// The parts of places that it reads or writes: each path with the place and the numbers in the path.
    pub fn accesses(&self) -> Vec<(&Path, &[Value])> {
        match &self.op {
            Op::Load(path)
            | Op::Clone(path)
            | Op::Store(path)
            | Op::Replace(path)
            | Op::Insert(_, path)
            | Op::Remove(_, path)
            | Op::Measure(_, path) => vec![(path, &self.args)],
            Op::Exchange(first, second) => {
                let (left, right) = self.args.split_at(1 + index_count(first));
                vec![(first, left), (second, right)]
            }
            Op::Call(call) => {
                let passed = call.operands(self);
                passed.filter_map(|passed| Some((passed.passing.path()?, passed.args))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The values that it moves as they are, with where they go.
    pub fn moves(&self) -> Vec<(Value, Value)> {
        let pairs = |from: &[Value], to: &[Value]| -> Vec<(Value, Value)> {
            from.iter().copied().zip(to.iter().copied()).collect()
        };
        match &self.op {
            Op::Duplicate => vec![(self.args[0], self.results[0])],
            Op::Store(path) if path.is_empty() => vec![(self.args[1], self.results[0])],
            Op::If(then, other) => {
                [pairs(&then.results, &self.results), pairs(&other.results, &self.results)].concat()
            }
            Op::Loop(repeat) => [
                pairs(repeat.next(), repeat.carried()),
                pairs(repeat.next(), &self.results),
                pairs(&self.args[repeat.bounds()..], repeat.carried()),
            ]
            .concat(),
            _ => Vec::new(),
        }
    }

    /// Arguments whose place it takes over.
    pub fn consumed(&self) -> Vec<Value> {
        match &self.op {
            Op::Tuple
            | Op::Struct { .. }
            | Op::Array
            | Op::ArrayRepeat(_)
            | Op::VecList
            | Op::VecRepeat
            | Op::Wrap(_)
            | Op::Boxed
            | Op::SplitError
            | Op::Duplicate => self.args.clone(),
            Op::Store(_) | Op::Insert(..) | Op::Replace(_) => {
                self.args.last().copied().into_iter().collect()
            }
            Op::Call(call) => {
                let is_value = |passed: &Passed| matches!(passed.passing, Passing::Value);
                call.operands(self).filter(is_value).map(|passed| passed.args[0]).collect()
            }
            _ => Vec::new(),
        }
    }

    /// What counts: the numbers in paths, and where loops begin and end.
    pub fn numbers(&self) -> Vec<Value> {
        let bounds = if let Op::Loop(repeat) = &self.op { repeat.bounds() } else { 0 };
        let indices =
            self.accesses().into_iter().flat_map(|(path, args)| &args[1..=index_count(path)]);
        indices.chain(&self.args[..bounds]).copied().collect()
    }

    /// Whether it uses or makes a version of a place, its blocks not counted.
    pub fn touches(&self, function: &Function, slot: Slot) -> bool {
        let mut values = self.args.iter().chain(&self.results);
        values.any(|value| function.slot_of(*value) == Some(slot))
    }
}

/// What an instruction does.
#[derive(Clone)]
pub enum Op {
    Literal(syn::Lit),
    /// An item: a constant.
    Item(syn::ExprPath),
    /// `&` of an item: a place that is only read.
    BorrowItem(syn::ExprPath),
    /// A row of the rule table; arguments in the row's order.
    Apply(&'static Rule),
    /// A derivative of a row, for operands whose type the macro cannot see: dispatched by a trait.
    /// Arguments: the row's, its result, then the tangent or cotangent; for the n-th operand. Under the forward
    /// transform each of them that is no integer is followed by its tangent, and the result is the last tangent
    /// that there is.
    Partial(&'static Rule, usize, Mode),
    /// An operator without derivative: comparison, logic, bits.
    Binary(syn::BinOp),
    Not,
    /// A method without derivative, or on values that are not active.
    Method(Ident),
    Cast(Box<syn::Type>),
    /// A conversion by `Into`, of a value whose type is a type parameter. Its derivative is that of a cast.
    Convert(Box<syn::Type>),
    /// Derivative of a cast of operands of unknown type. Arguments: operand, result, (co)tangent.
    CastPartial(Mode),
    /// An integer as a float of the second argument's type.
    CastLike,
    Tuple,
    /// All fields of a tuple, as results.
    Destructure,
    /// Whether debug assertions are compiled in.
    DebugAssertions,
    Array,
    ArrayRepeat(Box<syn::Expr>),
    VecList,
    /// A struct, or a variant of an enum.
    Struct {
        path: Box<syn::Path>,
        fields: Vec<String>,
        form: Form,
    },
    VecRepeat,
    /// `Vec::new` or `Vec::with_capacity`, as called.
    VecNew(syn::ExprPath),
    /// A value as the contents of a new place: a move, or a copy where the type is `Copy`.
    Duplicate,
    /// A value as the contents of a new box.
    Boxed,
    /// A result without its error, and the error if there is one.
    SplitError,
    Load(Path),
    Store(Path),
    /// `place += value`.
    Accumulate(Path),
    /// The same of what [`Op::Partial`] makes backwards, whose arguments stand behind the version. Only passes behind all
    /// transforms make it.
    AccumulatePartial(&'static Rule, usize),
    /// The shadow of an `Option` or a `Result` of which nothing but what it holds was used. Likewise.
    Enclose,
    /// The shadow that nobody reads of one of the two operands, by `&`, of a method `dot`, by its number. Arguments: both
    /// operands. Likewise.
    Unread(usize, Path, Path),
    /// `place += value` of a shadow that stood for the place in a call.
    Rejoin(Path),
    /// Cells of one place may be those of another, which is written. Arguments: the version, and that of the
    /// other place; result: the next version.
    Touch,
    /// Rustc is asked to prove something of the arguments. Nothing runs.
    Proof(Box<Proof>),
    /// An operator with an active operand of unknown type, which may be one of the user's: rustc is asked to prove that it
    /// is the standard library's. The operation is a [`Op::Binary`] or a [`Op::Not`].
    Proved(Box<Op>),
    /// In debug mode: panics where a rule makes what is not finite of what is. Arguments: primal values, the
    /// (co)tangents that the rule was given, those that it made.
    Watch(Box<Watch>),
    /// Puts an element into the collection at a path: version and indices, the position, the element.
    Insert(End, Path),
    /// Takes an element out: version and indices, the position. Results: the next version, the element.
    Remove(End, Path),
    /// `mem::replace`. Arguments as for a store; results: the next version, and what was there.
    Replace(Path),
    /// `mem::swap` of two places: the operands of both. Results: the next version of each slot.
    Exchange(Path, Path),
    /// Whether a value or a place fits a pattern without names.
    Matches(Box<syn::Pat>, Path),
    /// A method without derivative on a place, such as `len`; behind the path's indices stands a key, for
    /// `contains_key`.
    Measure(Ident, Path),
    /// Gives a zero of the caller's the shape of the place, if it differs in this many of the outermost layers, or
    /// else anywhere. Arguments: the tangent, then the place.
    Conform(Option<usize>),
    Call(Box<Call>),
    /// Results: value, new versions, pullback.
    CallVjp(Box<Call>),
    /// Arguments: pullback, then for each reference operand of the call the place's and the shadow's
    /// operands, then the cotangent. A shadow has a path of its own, since it may be a temporary. Results, for each operand in order: by value, its cotangent; by
    /// `&`, the shadow's next version; by `&mut`, the restored place's next version and the shadow's.
    Pull(Box<Call>, Vec<Path>),
    /// Each operand followed by its tangent. Results: value, tangent, then new versions in order.
    CallJvp(Box<Call>),
    /// A call of one half of the function's own pullback, whose levels share one tape. Arguments and results are those
    /// of the half, or those of the call that it may be instead.
    Own(Box<OwnCall>),
    Macro(Box<MacroCall>),
    /// A value through which no derivative goes, since it is known otherwise.
    Detached,
    /// A value whose derivatives are known: the first argument, of which there is none. Behind it stand pairs of a value
    /// and the partial derivative by it.
    Linear,
    /// Sum of two (co)tangents.
    Sum,
    /// The sum of the elements of an array or vector of (co)tangents; a second argument is the zero to
    /// start from, where the type alone does not tell its shape.
    Total,
    /// The zero tangent of a value, or of a place; floats need no argument.
    Zero(Path),
    /// The zero in the shape of a part of a shadow.
    Cleared(Path),
    /// The cotangent one of the function's result.
    One,
    NoTangent,
    /// A copy of what a part of a place holds, which outlives it.
    Clone(Path),
    /// A value that is never read; the type says what stands for it.
    Undefined,
    /// Tells a witness what type a value has.
    Attest(Witness),
    /// A value of that type that is never read, wherever it stands.
    StandIn(Witness),
    Wrap(bool),
    Unwrap,
    /// Likewise, or the second argument where there is nothing.
    UnwrapOr,
    TapePush(Tape),
    TapePop(Tape),
    /// Puts the elements of a place on a tape, in order. Arguments: the version, the first index, and the one behind the
    /// last.
    TapeSave(Tape),
    /// Takes them back from there; result: the next version.
    TapeRestore(Tape),
    /// Room for as many entries as the loop with these bounds has iterations.
    TapeReserve(Tape, Box<LoopKind>),
    /// A tape that keeps only some states of a loop, as many as the last argument says: for a loop with these bounds.
    TapePlan(Tape, Box<LoopKind>),
    /// Whether the iteration that begins pushes its state on such a tape.
    TapeKeeps(Tape),
    /// Goes back by one iteration: the number of the one whose state is there, which the next pop gives, and that of
    /// the one gone back to.
    TapeRewind(Tape),
    /// How often a loop with these bounds runs.
    Trips(Box<LoopKind>),
    /// How many iterations make one segment of a loop: of how often the loop runs, or of what is given.
    Stride(Schedule),
    /// The index that a loop with these bounds has in the iteration of a number, which is the last argument.
    Nth(Box<LoopKind>),
    If(Box<Block>, Box<Block>),
    Loop(Box<Loop>),
    /// The pullback: a closure over the residuals.
    Closure(Box<Block>),
}

impl Op {
    /// Whether the instruction must stay even if nothing uses its results.
    pub fn has_effect(&self) -> bool {
        matches!(
            self,
            Op::Macro(_)
                | Op::Call(_)
                | Op::CallVjp(_)
                | Op::CallJvp(_)
                | Op::Pull(..)
                | Op::Own(_)
                | Op::TapePush(_)
                | Op::TapePop(_)
                | Op::TapeSave(_)
                | Op::TapeRestore(_)
                | Op::TapeReserve(..)
                | Op::TapePlan(..)
                | Op::TapeKeeps(_)
                | Op::TapeRewind(_)
                | Op::Proof(_)
                | Op::Watch(_)
                | Op::Attest(_)
        )
    }

    /// The tape that the instruction is about.
    pub fn tape(&self) -> Option<Tape> {
        match self {
            Op::TapePush(tape)
            | Op::TapePop(tape)
            | Op::TapeSave(tape)
            | Op::TapeRestore(tape)
            | Op::TapeReserve(tape, _)
            | Op::TapePlan(tape, _)
            | Op::TapeKeeps(tape)
            | Op::TapeRewind(tape) => Some(*tape),
            _ => None,
        }
    }

    /// The paths of the places that the instruction reads or writes.
    pub fn paths(&self) -> Vec<&Path> {
        match self {
            Op::Load(path)
            | Op::Clone(path)
            | Op::Store(path)
            | Op::Accumulate(path)
            | Op::Insert(_, path)
            | Op::Remove(_, path)
            | Op::Replace(path)
            | Op::Matches(_, path)
            | Op::Measure(_, path)
            | Op::Zero(path)
            | Op::Cleared(path) => vec![path],
            Op::Exchange(a, b) | Op::Unread(_, a, b) => vec![a, b],
            Op::Call(call) => call.passing.iter().filter_map(Passing::path).collect(),
            _ => Vec::new(),
        }
    }

    /// The operation whose arguments and results the instruction has.
    pub fn written(&self) -> &Op {
        match self {
            Op::Own(call) => call.open.as_ref().map_or(self, |open| &open.op),
            op => op,
        }
    }
}

impl Block {
    /// Calls `visit` on every instruction, outer before inner.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Inst, &'a Block)) {
        for inst in &self.insts {
            visit(inst, self);
            for block in inst.op.blocks() {
                block.walk(visit);
            }
        }
    }

    /// Calls `visit` on every use of a value, results of blocks included.
    pub fn each_use(&self, visit: &mut dyn FnMut(Value)) {
        self.insts.iter().for_each(|inst| inst.each_use(visit));
        self.results.iter().for_each(|result| visit(*result));
    }

    /// Calls `change` on every use of a value, results of blocks included.
    pub fn map_uses(&mut self, change: &mut dyn FnMut(&mut Value)) {
        for inst in &mut self.insts {
            inst.args.iter_mut().for_each(&mut *change);
            for block in inst.op.blocks_mut() {
                block.map_uses(change);
            }
        }
        self.results.iter_mut().for_each(change);
    }

    /// All values that are made in it, its parameters and what is made in blocks inside of it included.
    pub fn made(&self) -> EntitySet<Value> {
        let mut made: EntitySet<Value> = self.params.iter().copied().collect();
        self.walk(&mut |inst, _| {
            made.extend(&inst.results);
            made.extend(inst.op.blocks().flat_map(|block| &block.params));
        });
        made
    }

    /// Leaves out instructions, also in blocks inside of it. Says whether there were any.
    pub fn retain(&mut self, is_kept: &dyn Fn(&Inst) -> bool) -> bool {
        let before = self.insts.len();
        self.insts.retain(is_kept);
        let mut has_changed = self.insts.len() < before;
        for inner in self.insts.iter_mut().flat_map(|inst| inst.op.blocks_mut()) {
            has_changed |= inner.retain(is_kept);
        }
        has_changed
    }
}

impl Function {
    /// Returns the type that the user wrote for a value, if it is one of the user's own.
    pub fn annotation(&self, value: Value) -> Option<&syn::Type> {
        let annotation = self.value(value).annotation.as_deref();
        annotation.filter(|_| value.0 < self.primal_values)
    }

    /// Whether it is the user's, and not a derivative.
    pub fn is_primal(&self) -> bool {
        self.primal_values == u32::MAX
    }

    pub fn value(&self, value: Value) -> &ValueData {
        &self.values[value.0 as usize]
    }

    pub fn ty(&self, value: Value) -> &Type {
        &self.value(value).ty
    }

    pub fn slot_of(&self, value: Value) -> Option<Slot> {
        self.value(value).slot
    }

    pub fn slot(&self, slot: Slot) -> &SlotData {
        &self.slots[slot.0 as usize]
    }

    pub fn new_value(&mut self, data: ValueData) -> Value {
        self.values.push(data);
        Value(self.values.len() as u32 - 1)
    }

    /// Writes the operands of a copy as those of what it is a copy of.
    pub fn lend_alike(&mut self, result: Value, copy: Value) {
        let lent = self.lent.range((result, 0)..=(result, usize::MAX));
        let positions: Vec<usize> = lent.map(|(_, position)| *position).collect();
        self.lent.extend(positions.into_iter().map(|position| (copy, position)));
    }

    /// Another version of a place, or another value like it.
    pub fn renewed(&mut self, value: Value) -> Value {
        let data = self.value(value).clone();
        self.new_value(data)
    }

    pub fn new_slot(&mut self, data: SlotData) -> Slot {
        self.slots.push(data);
        Slot(self.slots.len() as u32 - 1)
    }

    /// The body, to be worked on beside the values and put back: until then there is an empty one in its place.
    pub fn take_body(&mut self) -> Block {
        let nothing = Block {
            id: BlockId(u32::MAX),
            params: Vec::new(),
            insts: Vec::new(),
            results: Vec::new(),
        };
        std::mem::replace(&mut self.body, nothing)
    }

    /// An empty block with an identity of its own.
    pub fn new_block(&mut self) -> Block {
        self.next_block += 1;
        Block {
            id: BlockId(self.next_block - 1),
            params: Vec::new(),
            insts: Vec::new(),
            results: Vec::new(),
        }
    }
}
