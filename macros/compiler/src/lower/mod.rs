//! Lowering of the HIR to SSA, memory first.
//!
//! In: a [`Body`]. Out: a [`Function`] whose body yields the result, then the final versions of the places that the
//! caller sees. Every variable of the source is a slot, and is read and written by loads and stores; [`promote`]
//! makes SSA values of what nobody borrows.
//!
//! - `statement`, `control`: blocks, branches, loops and exits. What follows an exit moves into the arm that goes on.
//! - `place`: variables and parts of them, to read, write and borrow. `item`: constant items as places.
//! - `pattern`: what a pattern asks of a place, and what it names in it.
//! - `function`, `closure`, `pullback`: functions as values, which are known here or passed to calls.
//! - `cell`: what cells hold, and handles to it. `length`: vectors that grow and shrink, parts of slices.
//! - `map`: entries under keys, and loops over them. `range`: ranges by their ends.
//! - `expr`, `call`, `method`, `option`, `macros`: the other forms. `fence` reports what is none of them.
//!
//! Invariant: a reference is never a value here: a local of reference type is another name for a place.
//!
//! [`promote`]: mod@promote

pub mod builtin;
mod call;
mod cell;
mod closure;
mod constant;
mod control;
mod conversion;
mod element;
mod expr;
mod fence;
mod function;
mod into;
mod item;
mod length;
mod macros;
mod map;
mod method;
mod operator;
mod option;
mod overlay;
mod partial;
mod pattern;
mod place;
mod promote;
mod proofs;
pub use proofs::{Field, Proofs};
mod pullback;
mod pulled;
mod range;
mod rearrange;
mod reserved;
mod slice_methods;
mod statement;
mod stream;
mod vector;

pub use builtin::{ZERO_TANGENT, compares, is_step};
pub use conversion::function;
pub use partial::partial;

use crate::diag::{self, Reports};
use crate::hir::{Body, Closure, ExprId, Local, PatId, Target};
use crate::ir::build::Builder;
use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{Access, Block, BlockId, Function, Op, Path, Projection, SlotData, Type, Value};
use crate::syntax::signature::{OwnerKind, Signature};
use proc_macro2::Span;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::rc::Rc;

/// Something that changes: a variable's slot, or a flag of control flow.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Var(usize);

/// A part of a variable: where a load or a store goes.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub var: Var,
    pub path: Path,
    pub indices: Vec<Value>,
    pub ty: Type,
    /// Whether it may be written.
    pub mutable: bool,
    /// How many more references than one lead there.
    pub depth: u32,
}

/// The meaning of a local.
#[derive(Clone)]
enum Storage {
    /// A place of its own.
    Variable(Var),
    /// A reference: another name for a place.
    Alias(Place),
    /// A part of a constant item: a value or a reference, of which the macro sees neither.
    Part(Place),
    /// A closure, which is lowered where it is called.
    Closure(Rc<ClosureValue>),
    /// A function by its path.
    Function(syn::ExprPath),
    /// A tuple that is not made: its parts.
    Parts(Vec<stream::Item>),
    /// A chain of an iterator that is gone through later.
    Stream(Rc<stream::Stream>),
    /// A range, by its ends.
    Range(range::Bounds),
    /// The pullback of a call, which is called by its name only.
    Pullback(Rc<pullback::Pullback>),
}

/// A closure as a value, with what the locals that it captures stand for.
#[derive(Clone)]
struct ClosureValue {
    closure: Closure,
    captures: Vec<(Local, Storage)>,
}

/// A block, loop or function that control can leave early.
struct Frame {
    target: Target,
    /// False once control has left it.
    live: Var,
    /// Loops: false once the loop is to stop.
    again: Option<Var>,
    /// The value of `break value`.
    outcome: Var,
}

/// Code that is lowered as a function.
#[derive(Clone)]
struct Unit {
    code: Code,
    /// The target that `return` leaves.
    target: Target,
    /// What the parameters of the signature are in the body.
    roles: Vec<Role>,
    /// What captured locals stand for that are known here.
    captures: Vec<(Local, function::Carried)>,
}

impl Unit {
    /// Whether it is the function whose body is read, and no closure of it.
    fn is_whole(&self) -> bool {
        self.target == Target::FUNCTION && matches!(self.code, Code::Body(_))
    }
}

/// What a function does.
#[derive(Clone)]
enum Code {
    Body(ExprId),
    /// A rule of its parameters, with the type in front of its name.
    Rule(&'static str, Option<crate::ir::FloatKind>),
    /// A parallel chain over a piece of its elements.
    Piece(Rc<stream::Piece>),
}

/// What a parameter is in the body.
#[derive(Clone)]
enum Role {
    Named(Local),
    /// It is taken apart.
    Parts(PatId),
    /// A reference to what a closure captures.
    Captured(Local, function::Form),
    /// An operand of a rule.
    Operand,
}

/// Lowering of one function.
struct Lower<'a> {
    body: &'a Body,
    signature: &'a Signature,
    unit: &'a Unit,
    builder: Builder,
    reports: &'a mut Reports,
    storage: HashMap<Local, Storage>,
    /// Where the errors of results are, by the variable that holds the rest.
    errors: HashMap<Var, Place>,
    /// The current value of each variable; `None` before initialisation.
    state: Vec<Option<Value>>,
    /// The slot that a variable is declared with.
    slots: Vec<Option<crate::ir::Slot>>,
    /// The local of a variable, for names.
    locals: Vec<Option<Local>>,
    frames: Vec<Frame>,
    /// The function's result.
    result: Var,
    /// How many targets the compiler has made for its own loops.
    targets: u32,
    /// Control cannot reach the current point.
    diverged: bool,
    /// That is because of a panic, and not because it went elsewhere.
    panicked: bool,
    /// Whether the result is kept in an `Option` until the end.
    wraps_result: bool,
    /// Whether `into` converts values, and no references.
    converts: bool,
    /// The iterator under a `mut` name of which a chain by `by_ref` takes a part to its end.
    lent: Option<Local>,
    /// Constant items that are used as places.
    borrowed_items: HashMap<String, (syn::ExprPath, Value)>,
    /// The slots of what is captured, each with its first version.
    captured: Vec<(Local, Value)>,
    /// Variables that keep the value that they are declared with.
    fixed: HashSet<Var>,
    /// Those of constant parameters, by which nothing is written.
    inert: HashSet<Var>,
    /// The types that the values of some expressions are to have.
    expected: HashMap<ExprId, syn::Type>,
    /// The ends of windows, with where these start and how long they are.
    windows: EntityMap<Value, (Value, usize)>,
    /// Iterators under `mut` names, which methods advance.
    cursors: HashMap<Local, stream::Cursor>,
    /// What `continue` leaves, of loops whose bodies are not last in the loop.
    continues: HashMap<Target, Target>,
    /// How many copies of the current code are made.
    copies: usize,
    /// How many times calls of closures are lowered.
    call_copies: HashMap<ExprId, usize>,
    /// Variables that are what cells hold, by names of handles.
    cells: HashSet<Var>,
    /// Parameters by which the same cells may be reached.
    sharing: Vec<Var>,
    /// What names are bound to.
    initials: HashMap<Local, ExprId>,
    /// What syntax shows to be a `Result`.
    results: crate::hir::results::Results,
    /// Variables that syntax shows to be a `usize`.
    indices: HashSet<Local>,
    /// An element that was looked for, where its value is asked for next.
    stashed: Option<(ExprId, element::Lookup)>,
    /// The receivers of methods with their versions before the arguments were evaluated.
    holds: HashMap<ExprId, (Var, Option<Value>)>,
    /// What stands for values that could not be lowered.
    broken: HashSet<crate::ir::Slot>,
    /// Whether something was met that is not lowered here.
    unsupported: Option<String>,
}

/// Lowers a whole function. Beside it stand the proofs of what names in it are taken for.
pub fn lower(
    signature: &Signature,
    block: &syn::Block,
    reports: &mut Reports,
) -> (Function, Proofs) {
    let body = crate::hir::build::build(signature, block, reports);
    let mut roles: Vec<Role> = body.params.iter().map(|local| Role::Named(*local)).collect();
    for (index, pattern) in &body.param_patterns {
        roles[*index] = Role::Parts(*pattern);
    }
    let code = Code::Body(body.root.expect("a body has a root"));
    let unit = Unit { code, target: Target::FUNCTION, roles, captures: Vec::new() };
    match lower_unit(signature, &body, &unit, reports) {
        Ok(lowered) => (lowered.function, proofs::proofs(&body, signature)),
        Err(form) => {
            if reports.is_empty() {
                reports.report(signature.name.span(), &diag::UNSUPPORTED_EXPRESSION, &form);
            }
            (empty(""), Proofs::default())
        }
    }
}

/// A lowered unit.
struct Lowered {
    function: Function,
    /// What it captures and writes.
    written: Option<Local>,
}

/// Lowers a function's body, or a closure of it as a function of its own.
fn lower_unit(
    signature: &Signature,
    body: &Body,
    unit: &Unit,
    reports: &mut Reports,
) -> Result<Lowered, String> {
    let mut attempt = |wraps_result| {
        let mut lower = Lower::new(signature, body, unit, reports);
        lower.wraps_result = wraps_result;
        lower.function();
        let unsupported = lower.unsupported.take();
        let captured = std::mem::take(&mut lower.captured);
        (lower.wraps_result, lower.builder.finish(), captured, unsupported)
    };
    let (wraps, mut function, mut captured, mut unsupported) = attempt(false);
    if wraps {
        (_, function, captured, unsupported) = attempt(true);
    }
    match unsupported {
        Some(what) => Err(what),
        None => {
            let written = function::written(&function, &captured);
            // After an error the body need not hold together.
            let function = match reports.is_empty() {
                true => promote::promote(function),
                false => function,
            };
            Ok(Lowered { function, written })
        }
    }
}

impl<'a> Lower<'a> {
    fn new(
        signature: &'a Signature,
        body: &'a Body,
        unit: &'a Unit,
        reports: &'a mut Reports,
    ) -> Self {
        let mut function = empty(&signature.name.to_string());
        function.is_watched = signature.is_watched;
        function.is_sum = signature.is_sum;
        function.adds_to_floats = signature.adds_to_floats;
        function.copies_operands = signature.copies_operands;
        if unit.is_whole() {
            function.items.clone_from(&body.items);
        }
        let converts = into::import(body, &mut function);
        slice_methods::import(body, &mut function);
        let mut lower = Lower {
            body,
            signature,
            unit,
            builder: Builder::new(function),
            reports,
            storage: HashMap::default(),
            errors: HashMap::default(),
            state: Vec::new(),
            slots: Vec::new(),
            locals: Vec::new(),
            frames: Vec::new(),
            result: Var(0),
            targets: 1 << 24,
            diverged: false,
            panicked: false,
            wraps_result: false,
            converts,
            lent: None,
            borrowed_items: HashMap::default(),
            captured: Vec::new(),
            fixed: HashSet::default(),
            inert: HashSet::default(),
            expected: HashMap::default(),
            windows: EntityMap::default(),
            cursors: HashMap::default(),
            continues: HashMap::default(),
            copies: 1,
            call_copies: HashMap::default(),
            cells: HashSet::default(),
            sharing: Vec::new(),
            initials: map::initials(body),
            results: crate::hir::results::Results::of(body, signature.output.as_ref()),
            indices: HashSet::default(),
            stashed: None,
            holds: HashMap::default(),
            broken: HashSet::default(),
            unsupported: None,
        };
        lower.result = lower.flag(None);
        lower
    }

    fn function(&mut self) {
        let (signature, unit) = (self.signature, self.unit);
        let params = signature.params.iter().zip(&unit.roles);
        let places: Vec<Place> = params.map(|(param, role)| self.parameter(param, role)).collect();
        self.open_frame(unit.target, false);
        let mut taken = Vec::new();
        for (role, place) in unit.roles.iter().zip(places) {
            match role {
                Role::Named(_) => {}
                Role::Parts(pattern) => self.bind_place(*pattern, &place),
                Role::Captured(local, form) => {
                    taken.push(self.captured_storage(*local, *form, place));
                }
                Role::Operand => taken.push(Storage::Alias(place)),
            }
        }
        self.bind_captures(&unit.captures, &taken);
        match &unit.code {
            Code::Body(root) => {
                if let Some(output) = &signature.output {
                    self.expect(*root, output);
                }
                self.followed(*root, &|lower, value| {
                    lower.set_result(value);
                    Some(lower.unit())
                });
                if !unit.is_whole() {
                    self.check_returned(*root);
                }
            }
            Code::Rule(name, kind) => self.rule_of_operands(name, kind.clone(), &taken),
            Code::Piece(piece) => {
                let captured = |role: &&Role| matches!(role, Role::Captured(..));
                let count = unit.roles.iter().filter(captured).count();
                self.piece(piece, &taken[count..]);
            }
        }
        self.finish();
    }

    /// Closes the body: the result, and what the caller sees of places.
    fn finish(&mut self) {
        let result = match self.state[self.result.0] {
            Some(value) => self.unwrapped(value, self.builder.function.value(value).span),
            None => self.undefined(self.signature.output_kind.clone()),
        };
        let mut results = vec![result];
        for value in self.builder.block().params.clone() {
            if let Some(slot) = self.builder.function.slot_of(value)
                && self.is_left(slot)
            {
                let mut values = self.state.iter().flatten();
                let current =
                    values.find(|value| self.builder.function.slot_of(**value) == Some(slot));
                results.push(*current.expect("a parameter has a variable"));
            }
        }
        self.builder.block().results = results;
        self.drop_unused_ends();
    }

    /// Ends of windows of which only elements are read. Their addition cannot overflow, which nobody else knows.
    fn drop_unused_ends(&mut self) {
        let mut ends: EntitySet<Value> = self.windows.keys().copied().collect();
        self.builder.block().each_use(&mut |value| {
            ends.remove(&value);
        });
        self.builder
            .block()
            .retain(&|inst| !inst.results.first().is_some_and(|result| ends.contains(result)));
    }

    /// Whether the caller sees what the function leaves in a place.
    fn is_left(&self, slot: crate::ir::Slot) -> bool {
        let is_shared = |var: &Var| self.slot_of(*var) == Some(slot);
        self.builder.function.slot(slot).access == Access::Unique
            || self.sharing.iter().any(is_shared)
    }

    /// A parameter: a place behind a reference, or a place of the function's own.
    fn parameter(&mut self, param: &crate::syntax::signature::Parameter, role: &Role) -> Place {
        let name = param.name.to_string();
        let span = param.name.span();
        let (ty, access) = match &param.kind {
            Type::Reference(inner, false) => ((**inner).clone(), Access::Shared),
            Type::Reference(inner, true) => ((**inner).clone(), Access::Unique),
            ty => (ty.clone(), Access::Owned),
        };
        let slot = self.slot(&name, ty.clone(), access, span);
        self.builder.function.advancing.extend(param.advances.then_some(slot));
        let version = self.builder.version(slot);
        self.builder.param(version);
        let var = self.flag(Some(version));
        self.slots[var.0] = Some(slot);
        let place = self.whole(var, ty, access == Access::Unique);
        if let Role::Named(local) = role {
            self.locals[var.0] = Some(*local);
            let storage = match access {
                Access::Owned => Storage::Variable(var),
                Access::Shared | Access::Unique => Storage::Alias(place.clone()),
            };
            self.storage.insert(*local, storage);
        }
        self.note_sharing(param, var);
        if !param.is_mut && access == Access::Owned {
            self.fixed.insert(var);
        }
        if !param.active && (access == Access::Shared || self.fixed.contains(&var)) {
            self.inert.insert(var);
        }
        if let Role::Named(local) = role
            && param.kind == Type::Int
            && self.body.local(*local).ty.is_none()
        {
            self.indices.extend(is_usize(&param.ty).then_some(*local));
        }
        place
    }

    fn whole(&self, var: Var, ty: Type, mutable: bool) -> Place {
        Place { var, path: Vec::new(), indices: Vec::new(), ty, mutable, depth: 0 }
    }

    /// Sets the function's result. What syntax says of its type is worth more than what the body shows.
    fn set_result(&mut self, value: Value) {
        let output = self.signature.output_kind.clone();
        let data = &mut self.builder.function.values[value.0 as usize];
        let is_open =
            data.ty == Type::Unknown || data.ty == Type::Float(crate::ir::FloatKind::Literal);
        if data.slot.is_none() && is_open && !output.is_aggregate() {
            data.ty = output;
        }
        let span = data.span;
        let value = if self.wraps_result { self.wrapped(value, span) } else { value };
        self.state[self.result.0] = Some(value);
    }

    /// Notes that something is not lowered here.
    fn unsupported(&mut self, what: &str) {
        self.unsupported.get_or_insert_with(|| what.to_owned());
    }

    /// Likewise, with a value that stands for it.
    fn unknown(&mut self, what: &str) -> Value {
        self.unsupported(what);
        self.undefined(Type::Unknown)
    }

    // --- slots, variables and values

    fn slot(&mut self, name: &str, ty: Type, access: Access, span: Span) -> crate::ir::Slot {
        self.builder.function.new_slot(SlotData {
            name: name.to_owned(),
            ty,
            span,
            access,
            is_tangent: false,
            tangent_of: None,
        })
    }

    /// A variable of the source, in a slot.
    fn variable(&mut self, local: Local, slot: crate::ir::Slot, value: Option<Value>) -> Var {
        let var = self.flag(value);
        self.slots[var.0] = Some(slot);
        self.locals[var.0] = Some(local);
        var
    }

    /// A variable of control flow, which has no slot.
    fn flag(&mut self, value: Option<Value>) -> Var {
        self.state.push(value);
        self.slots.push(None);
        self.locals.push(None);
        let var = Var(self.state.len() - 1);
        // Numbers are used again once a variable is out of scope.
        self.fixed.remove(&var);
        self.inert.remove(&var);
        self.cells.remove(&var);
        var
    }

    /// The slot of a variable: where it is kept at this point, or what it is declared with.
    fn slot_at(&self, var: Var) -> Option<crate::ir::Slot> {
        self.slot_of(var).or(self.slots[var.0])
    }

    fn slot_of(&self, var: Var) -> Option<crate::ir::Slot> {
        self.builder.function.slot_of(self.state[var.0]?)
    }

    fn ty(&self, value: Value) -> Type {
        self.builder.function.ty(value).clone()
    }

    fn span(&self, expr: ExprId) -> Span {
        self.body.expr(expr).span
    }

    /// Appends an instruction; an aggregate result gets a place of its own.
    fn inst(
        &mut self,
        op: Op,
        mut args: Vec<Value>,
        mut ty: Type,
        name: &str,
        span: Span,
    ) -> Value {
        match op {
            Op::Apply(_) => {
                args.iter_mut().for_each(|arg| *arg = self.operand_value(*arg, span));
                // What an operator of the user's makes of an array may be anything.
                ty = if ty.is_aggregate() { Type::Unknown } else { ty };
            }
            Op::Binary(_) | Op::Not | Op::Method(_) | Op::Cast(_) | Op::Convert(_) => {
                args.iter_mut().for_each(|arg| *arg = self.contents(*arg, span));
            }
            _ => {}
        }
        if ty.is_aggregate() {
            let slot = self.slot(name, ty, Access::Owned, span);
            return self.builder.update(op, args, slot, span);
        }
        self.builder.inst(op, args, ty, name, span)
    }

    /// An operand that is a place: what it holds now. Of a type that is not known, a place may hold a number.
    fn contents(&mut self, value: Value, span: Span) -> Value {
        let data = self.builder.function.value(value).clone();
        if data.slot.is_none() || data.ty.is_aggregate() {
            return value;
        }
        self.builder.inst(Op::Load(Vec::new()), vec![value], data.ty, &data.name, span)
    }

    /// An operand of what numbers have rules for, or an index. An array there is for an operator of the user's.
    fn operand_value(&mut self, value: Value, span: Span) -> Value {
        let data = self.builder.function.value(value).clone();
        match data.slot.is_some() && data.ty.is_aggregate() {
            true => self.builder.inst(
                Op::Load(Vec::new()),
                vec![value],
                Type::Unknown,
                &data.name,
                span,
            ),
            false => self.contents(value, span),
        }
    }

    fn undefined(&mut self, ty: Type) -> Value {
        self.inst(Op::Undefined, Vec::new(), ty, "undefined", Span::call_site())
    }

    fn unit(&mut self) -> Value {
        self.inst(Op::Tuple, Vec::new(), Type::UNIT, "unit", Span::call_site())
    }

    fn boolean(&mut self, value: bool) -> Value {
        let literal = syn::Lit::Bool(syn::LitBool::new(value, Span::call_site()));
        self.inst(Op::Literal(literal), Vec::new(), Type::Bool, "flag", Span::call_site())
    }

    fn number(&mut self, number: usize, span: Span) -> Value {
        let literal = syn::Lit::Int(syn::LitInt::new(&number.to_string(), span));
        self.inst(Op::Literal(literal), Vec::new(), Type::Int, "index", span)
    }

    /// Whether the function stands in an `impl` or a trait.
    fn owner(&self) -> Option<OwnerKind> {
        self.signature.owner.as_ref().map(|owner| owner.kind)
    }
}

fn is_usize(ty: &syn::Type) -> bool {
    matches!(crate::syntax::signature::plain(ty), syn::Type::Path(path) if path.path.is_ident("usize"))
}

/// The step from a struct, or from an enum of a variant, to a field.
pub fn field_step(path: &syn::Path, field: &str) -> Projection {
    match builtin::is_variant(path) {
        true => Projection::Variant(Box::new(path.clone()), field.to_owned()),
        false => Projection::Field(field.to_owned()),
    }
}

/// The measure that a method of the compiler's own stands for, as a function.
pub fn measure_function(name: &syn::Ident) -> Option<&'static str> {
    match reserved::Method::named(&name.to_string())? {
        reserved::Method::Holds => Some("holds"),
        reserved::Method::Keys => Some("keys"),
        reserved::Method::Held => Some("held"),
    }
}

fn empty(name: &str) -> Function {
    let body = Block { id: BlockId(0), params: Vec::new(), insts: Vec::new(), results: Vec::new() };
    Function {
        name: name.to_owned(),
        body,
        outputs: 1,
        values: Vec::new(),
        slots: Vec::new(),
        tapes: 0,
        next_block: 1,
        primal_values: u32::MAX,
        items: Vec::new(),
        is_recursive: false,
        may_call_itself: false,
        backwards: Default::default(),
        is_watched: false,
        is_sum: false,
        adds_to_floats: false,
        copies_operands: false,
        lent: Default::default(),
        held: Default::default(),
        active: Vec::new(),
        advancing: Vec::new(),
    }
}
