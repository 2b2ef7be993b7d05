//! Lowering: syntax to IR.
//!
//! In: a function's syntax. Out: a [`Function`] whose body yields the result, then the final versions
//! of the `&mut` parameters, in order. What is not supported is reported on its token (`fence.rs` lists
//! it), and lowering goes on, so that all errors come at once.
//!
//! Variables are renamed into SSA values here. A variable has a *current* value at each point; `if` and
//! loops merge what their blocks changed.

pub mod builtin;
mod call;
mod cell;
mod checkpoint;
mod closure;
mod constant;
mod control;
mod desugar;
mod expr;
mod fence;
mod from_hir;
mod hoist;
pub mod hygiene;
mod inline;
mod item;
mod macros;
mod overlay;
mod pattern;
mod place;
mod promote;
mod pullback;
mod recursion;
mod repeat;
mod replace;
mod reserved;
mod scan;
mod scope;
mod sharing;
mod stmt;
pub mod types;

pub use builtin::{ZERO_TANGENT, compares, is_step, is_variant_of_std};
pub use checkpoint::plain;
pub use closure::function;
pub use desugar::parameter;
pub use fence::{conditional, is_module, nonsense};
pub use sharing::uses_cells;

use crate::attr::Overlays;
use crate::diag::{Diagnostic, Extent, Reports};
use crate::ir::build::Builder;
use crate::ir::{
    Access, Block, BlockId, Function, Op, Path, Projection, Slot, SlotData, Type, Value,
};
use crate::signature::{OwnerKind, Parameter, Signature};
use cotangent_rules::Rule;
use desugar::Known;
use proc_macro2::Span;
use quote::ToTokens;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// How many scopes are open in the function's outermost block: the parameters' and its own.
const OUTERMOST: usize = 2;

/// A variable of the user's, or one of lowering's own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Var(usize);

/// What a name stands for.
#[derive(Clone)]
enum Binding {
    Variable(Var),
    /// A reference to a part of a place.
    View(Place),
    /// A part of a constant item: a value or a reference, of which the macro sees neither.
    Part(Place),
}

/// A part of a variable: where a load or a store goes.
#[derive(Clone)]
pub(crate) struct Place {
    var: Var,
    path: Path,
    indices: Vec<Value>,
    ty: Type,
    mutable: bool,
}

/// A construct that control can leave early: the function, or a loop's body.
struct Frame {
    label: Option<String>,
    /// False once control has left the body.
    live: Var,
    /// Loops: false once the loop is to stop.
    again: Option<Var>,
    /// Loops: the value of `break value`.
    outcome: Option<Var>,
}

/// Lowering of one function.
pub(crate) struct Lower<'a> {
    builder: Builder,
    reports: &'a mut Reports,
    scopes: Vec<HashMap<String, Binding>>,
    /// The current value of each variable; `None` before initialisation.
    state: Vec<Option<Value>>,
    frames: Vec<Frame>,
    /// The function's result, set by `return`.
    result: Var,
    /// The result's type, as far as syntax shows it.
    output: Type,
    /// Names that are used as places: indexed, borrowed mutably, pushed to.
    addressed: HashSet<String>,
    /// Names that are taken apart, gone through or given another name.
    taken_apart: HashSet<String>,
    /// How many names were made for operands, scrutinees and indices.
    made_names: usize,
    /// How many `map`s of arrays are around.
    array_maps: u32,
    /// What the user calls a variable.
    names: HashMap<Var, String>,
    /// Constant items that are used as places.
    borrowed_items: HashMap<String, (syn::ExprPath, Value)>,
    /// Variables that are pullbacks.
    pullbacks: HashMap<Var, pullback::Pullback>,
    /// Values that stand for what could not be lowered.
    broken: HashSet<Value>,
    /// Variables that are the contents of cells: their names are handles.
    cells: HashSet<Var>,
    /// Whether calls may write cells behind `&`.
    shares: bool,
    /// Parameters by which the same cells may be reached.
    sharing: Vec<Var>,
    /// Names of which cells are borrowed.
    borrowed_names: HashSet<String>,
    /// Parameters behind `&` that are not differentiated.
    constants: HashSet<Var>,
    /// Variables that keep the value that they are declared with.
    fixed: HashSet<Var>,
    /// What syntax shows of variables.
    known: Known,
    /// Control cannot reach the current point.
    diverged: bool,
    /// That is because of a panic, and not because it went elsewhere.
    panicked: bool,
    /// Whether the result is kept in an `Option` until the end: on some way it is not there yet, and its type
    /// has no value that could stand for it.
    wraps_result: bool,
    /// How many orders of derivatives closures have that are passed.
    orders: usize,
    /// Stands for every span, when rule rows are lowered at a user's token.
    at: Option<Span>,
    /// In a rule row: the first operand, whose float type is the row's.
    like: Option<Value>,
    /// What the function stands in, which says how it calls itself.
    owner: Option<OwnerKind>,
    /// The type parameters that stand for floats.
    floats: types::Floats,
    /// What is called in place of what the source says.
    overlays: Overlays,
}

/// Lowers a whole function: from the HIR, where that is possible by now. What is reported then is final.
pub fn lower(signature: &Signature, block: &syn::Block, reports: &mut Reports) -> Function {
    if std::env::var("COTANGENT_OLD").is_ok() {
        return lower_syntax(signature, block, reports);
    }
    let mut own = Reports::default();
    let body = crate::hir::build::build(signature, block, &mut own);
    let lowered = match mentions_maps_or_cells(signature, block) {
        false => from_hir::lower(signature, &body, &mut own),
        true => Err("maps or cells".to_owned()),
    };
    if std::env::var("COTANGENT_TRACE").is_ok() {
        match &lowered {
            Ok(_) if own.is_empty() => eprintln!("HIR ok {}", signature.name),
            other => eprintln!(
                "HIR no {}: {:?} {:?}",
                signature.name,
                other.as_ref().err(),
                own.messages()
            ),
        }
    }
    match lowered {
        Ok(function) => {
            reports.extend(own);
            function
        }
        Err(_) if std::env::var("COTANGENT_NEW").is_ok() => {
            reports.extend(own);
            empty("")
        }
        Err(_) => lower_syntax(signature, block, reports),
    }
}

/// Whether types and macros are named that the HIR's lowering leaves to that of syntax.
fn mentions_maps_or_cells(signature: &Signature, block: &syn::Block) -> bool {
    const NAMES: [&str; 10] = [
        "HashMap", "BTreeMap", "Rc", "Arc", "Cell", "RefCell", "Mutex", "RwLock", "BTreeSet",
        "format",
    ];
    let is_wanted = |ident: &proc_macro2::Ident| NAMES.iter().any(|name| ident == name);
    let types = signature.params.iter().map(|param| param.ty.to_token_stream());
    signature.shares
        || types.into_iter().any(|tokens| hygiene::mentions(tokens, &is_wanted))
        || hygiene::mentions(block.to_token_stream(), &is_wanted)
}

/// Lowers a whole function from its syntax.
fn lower_syntax(signature: &Signature, block: &syn::Block, reports: &mut Reports) -> Function {
    let mut block = block.clone();
    block.stmts.splice(..0, signature.params.iter().flat_map(parameter_parts));
    checkpoint::mark(&mut block, reports);
    let known = Known::of(signature, &block);
    let (block, made_names) = desugar::desugar(&block, signature.output.as_ref(), &known);
    let mut attempt = |wraps_result| {
        let mut lower = Lower::new(Builder::new(empty(&signature.name.to_string())), reports);
        lower.made_names = made_names;
        lower.wraps_result = wraps_result;
        lower.known.clone_from(&known);
        lower.addressed = scan::addressed(&block);
        lower.taken_apart = scan::taken_apart(&block);
        lower.shares = signature.shares;
        lower.borrowed_names = sharing::borrowed_names(&block);
        lower.output = signature.output_kind.clone();
        lower.owner = signature.owner.as_ref().map(|owner| owner.kind);
        lower.floats = signature.floats.clone();
        lower.overlays = signature.overlays.clone();
        lower.orders = signature.orders;
        lower.builder.function.is_watched = signature.is_watched;
        lower.builder.function.is_sum = signature.is_sum;
        lower.builder.function.adds_to_floats = signature.adds_to_floats;
        lower.builder.function.copies_operands = signature.copies_operands;
        for parameter in &signature.params {
            lower.parameter(parameter);
        }
        lower.function_body(&block, signature);
        lower.refuse_written_items();
        (lower.wraps_result, lower.builder.finish())
    };
    match attempt(false) {
        (true, _) => attempt(true).1,
        (false, function) => function,
    }
}

/// The step from a struct, or from an enum of a variant, to a field.
pub fn field_step(path: &syn::Path, field: &str) -> Projection {
    match desugar::is_variant(path) {
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
        _ => None,
    }
}

/// The names in a parameter's pattern.
fn parameter_parts(param: &Parameter) -> Vec<syn::Stmt> {
    let pattern = param.pattern.as_ref().filter(|pattern| !matches!(pattern, syn::Pat::Tuple(_)));
    pattern.and_then(|pattern| parameter(pattern, &param.name)).unwrap_or_default()
}

/// Lowers one partial derivative of a rule row, as if the user had written it at `span`.
pub(crate) fn partial(
    builder: &mut Builder,
    rule: &Rule,
    index: usize,
    args: &[Value],
    result: Value,
    span: Span,
) -> Value {
    let text = rule.partials[index];
    let expr: syn::Expr =
        syn::parse_str(text).unwrap_or_else(|error| panic!("rule `{}`: {error}", rule.name));
    let mut reports = Reports::default();
    let taken = std::mem::replace(builder, Builder::new(empty("")));
    let mut lower = Lower::new(taken, &mut reports);
    lower.at = Some(span);
    lower.like = args.first().copied();
    for (param, value) in rule.params.iter().zip(args) {
        lower.bind_value(param.name, *value);
    }
    lower.bind_value(rule.result, result);
    let value = lower.expr(&expr);
    *builder = lower.builder;
    assert!(reports.is_empty(), "rule `{}`: {:?}", rule.name, reports.messages());
    value
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
        proofs: Vec::new(),
        is_recursive: false,
        may_call_itself: false,
        backwards: Default::default(),
        is_watched: false,
        is_sum: false,
        adds_to_floats: false,
        copies_operands: false,
        lent: Default::default(),
        active: Vec::new(),
    }
}

impl<'a> Lower<'a> {
    fn new(builder: Builder, reports: &'a mut Reports) -> Self {
        let mut lower = Lower {
            builder,
            reports,
            scopes: vec![HashMap::default()],
            state: Vec::new(),
            frames: Vec::new(),
            result: Var(0),
            output: Type::Unknown,
            addressed: HashSet::default(),
            taken_apart: HashSet::default(),
            made_names: 0,
            array_maps: 0,
            names: HashMap::default(),
            borrowed_items: HashMap::default(),
            pullbacks: HashMap::default(),
            broken: HashSet::default(),
            cells: HashSet::default(),
            shares: false,
            sharing: Vec::new(),
            borrowed_names: HashSet::default(),
            constants: HashSet::default(),
            fixed: HashSet::default(),
            known: Known::default(),
            diverged: false,
            panicked: false,
            wraps_result: false,
            orders: 1,
            at: None,
            like: None,
            owner: None,
            floats: types::Floats::default(),
            overlays: Overlays::default(),
        };
        lower.result = lower.hidden(None);
        lower
    }

    /// A parameter: a value, a place behind a reference, or an owned place.
    fn parameter(&mut self, parameter: &Parameter) {
        let key = self.key(&parameter.name);
        let name = hygiene::name(&key).to_owned();
        let span = parameter.name.span();
        let (ty, access) = match &parameter.kind {
            Type::Reference(inner, false) => ((**inner).clone(), Some(Access::Shared)),
            Type::Reference(inner, true) => ((**inner).clone(), Some(Access::Unique)),
            ty => (ty.clone(), self.needs_slot(&key, ty).then_some(Access::Owned)),
        };
        let value = match access {
            Some(access) => {
                let slot = self.slot(&name, ty, access, span);
                self.builder.version(slot)
            }
            None => self.builder.value(ty, &name, span),
        };
        self.builder.param(value);
        let var = self.variable(Some(value));
        self.declare(&key, Binding::Variable(var));
        self.note_sharing(parameter, var);
        if !parameter.active && access == Some(Access::Shared) {
            self.constants.insert(var);
        }
        if !parameter.is_mut && access == Some(Access::Owned) {
            self.fixed.insert(var);
        }
        if let Some(pattern @ syn::Pat::Tuple(_)) = &parameter.pattern {
            self.bind_pattern(pattern, value, true);
        }
    }

    fn function_body(&mut self, block: &syn::Block, signature: &Signature) {
        let live = self.truth();
        let live = self.hidden(Some(live));
        self.frames.push(Frame { label: None, live, again: None, outcome: None });
        self.scopes.push(HashMap::default());
        self.statements(&block.stmts, stmt::Tail::Function);
        self.scopes.pop();
        let result = match self.state[self.result.0] {
            Some(value) => self.unwrapped(value, self.builder.function.value(value).span),
            None => self.undefined(signature.output_kind.clone()),
        };
        let mut results = vec![result];
        for value in self.builder.block().params.clone() {
            if let Some(slot) = self.builder.function.slot_of(value)
                && self.is_left(slot)
            {
                results.push(self.current(slot));
            }
        }
        self.builder.block().results = results;
    }

    /// Whether the caller sees what the function leaves in a place.
    fn is_left(&self, slot: Slot) -> bool {
        let is_shared = |var: &Var| self.slot_of(*var) == Some(slot);
        self.builder.function.slot(slot).access == Access::Unique
            || self.sharing.iter().any(is_shared)
    }

    /// Sets the function's result. What syntax says of its type is worth more than what the body shows.
    fn set_result(&mut self, value: Value) {
        let data = &mut self.builder.function.values[value.0 as usize];
        let is_open =
            data.ty == Type::Unknown || data.ty == Type::Float(crate::ir::FloatKind::Literal);
        if data.slot.is_none() && is_open && !self.output.is_aggregate() {
            data.ty = self.output.clone();
        }
        let span = data.span;
        let value = if self.wraps_result { self.wrapped(value, span) } else { value };
        self.state[self.result.0] = Some(value);
    }

    /// A value that may be absent on another way, as an `Option`.
    fn wrapped(&mut self, value: Value, span: Span) -> Value {
        let ty = match self.ty(value) {
            Type::Wrapped(_) => return value,
            ty => Type::Wrapped(Box::new(ty)),
        };
        let name = self.builder.function.value(value).name.clone();
        self.builder.inst(Op::Wrap(true), vec![value], ty, &name, span)
    }

    /// The value again, where it must be there.
    fn unwrapped(&mut self, value: Value, span: Span) -> Value {
        let Type::Wrapped(ty) = self.ty(value) else { return value };
        let name = self.builder.function.value(value).name.clone();
        self.inst(Op::Unwrap, vec![value], *ty, &name, span)
    }

    /// The current version of a slot.
    fn current(&self, slot: Slot) -> Value {
        let mut values = self.state.iter().flatten();
        let found = values.find(|value| self.builder.function.slot_of(**value) == Some(slot));
        *found.expect("a variable for each slot")
    }

    /// The slot that a variable is kept in at this point, if it is.
    fn slot_of(&self, var: Var) -> Option<Slot> {
        self.builder.function.slot_of(self.state[var.0]?)
    }

    fn slot(&mut self, name: &str, ty: Type, access: Access, span: Span) -> Slot {
        self.builder.function.new_slot(SlotData {
            name: name.to_owned(),
            ty,
            span,
            access,
            is_tangent: false,
        })
    }

    fn variable(&mut self, value: Option<Value>) -> Var {
        self.state.push(value);
        let var = Var(self.state.len() - 1);
        self.cells.remove(&var);
        self.fixed.remove(&var);
        self.names.remove(&var);
        var
    }

    fn hidden(&mut self, value: Option<Value>) -> Var {
        self.variable(value)
    }

    fn declare(&mut self, name: &str, binding: Binding) {
        if let Binding::Variable(var) = &binding {
            self.names.insert(*var, hygiene::name(name).to_owned());
        }
        self.scopes.last_mut().expect("a scope").insert(name.to_owned(), binding);
    }

    fn bind_value(&mut self, name: &str, value: Value) {
        let var = self.variable(Some(value));
        self.declare(name, Binding::Variable(var));
    }

    /// Names a value after the variable that it is the next value of.
    fn name_after(&mut self, value: Value, var: Var) {
        let Some(name) = self.names.get(&var) else {
            return;
        };
        let function = &mut self.builder.function;
        function.values[value.0 as usize].name.clone_from(name);
        if let Some(slot) = function.slot_of(value) {
            function.slots[slot.0 as usize].name.clone_from(name);
        }
    }

    /// What stands for an identifier. A rule row's names are its own.
    fn key(&self, ident: &proc_macro2::Ident) -> String {
        if self.at.is_some() { ident.to_string() } else { hygiene::key(ident) }
    }

    fn lookup(&self, name: &str) -> Option<&Binding> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    fn ty(&self, value: Value) -> Type {
        self.builder.function.ty(value).clone()
    }

    /// Whether a variable is kept in a place: aggregates are, and what is used as one.
    fn needs_slot(&self, name: &str, ty: &Type) -> bool {
        let is_place = ty.is_aggregate() || matches!(ty, Type::Function(..));
        is_place || (self.addressed.contains(name) && !matches!(ty, Type::Tuple(_)))
    }

    fn span(&self, tokens: &impl syn::spanned::Spanned) -> Span {
        self.at.unwrap_or_else(|| tokens.span())
    }

    fn report(&mut self, at: impl Into<Extent>, row: &Diagnostic, particular: &str) -> Value {
        self.reports.report(at, row, particular);
        self.broken()
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
            Op::Binary(_) | Op::Not | Op::Method(_) | Op::Cast(_) => {
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

    /// An operand that is a place: what it holds now. Of a type that is not known, a place may hold a
    /// number.
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

    /// Stands for a value after an error: nothing more is said of what is made from it.
    fn broken(&mut self) -> Value {
        let value = self.undefined(Type::Unknown);
        self.broken.insert(value);
        value
    }

    /// Whether an error was already reported about what an expression names.
    fn is_broken(&self, expr: &syn::Expr) -> bool {
        let binding = scan::root(expr).and_then(|key| self.lookup(&key).cloned());
        let var = match binding {
            Some(Binding::Variable(var)) => var,
            Some(Binding::View(place) | Binding::Part(place)) => place.var,
            None => return false,
        };
        self.state[var.0].is_some_and(|value| self.broken.contains(&value))
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

    fn truth(&mut self) -> Value {
        self.boolean(true)
    }
}
