//! Emission: IR to tokens.
//!
//! In: a function of the IR and the types of its signature. Out: plain Rust. Values used once go back
//! into the expressions that use them; places are written where they are; loops carry variables.

pub mod companion;
mod control;
mod conversion;
mod effect;
mod expression;
mod fitted;
mod function;
mod instruction;
pub mod lanes;
mod left;
mod levels;
mod names;
mod neighbours;
mod open;
mod place;
mod proof;
mod reading;
mod untyped;

use crate::analysis::lanes::Lanes;
use crate::analysis::liveness::{Behind, behind};
use crate::analysis::loans::{Loans, loans};
use crate::ir::entity::{EntityMap, EntitySet};
use crate::ir::{
    Access, Block, BlockId, Call, Callee, Function, Inst, Op, Projection, Tape, Type, Value,
};
use crate::pipeline::Kind;
use expression::{Binding, Expression, Touch};
pub use function::value as function_value;
use lanes::Turn;
pub use levels::{Halves, halves, tape};
use names::Names;
use neighbours::Neighbours;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
pub use reading::{check_companion, companion_type, pretty, pretty_file};
use std::collections::BTreeMap;

/// What a body's emission is told by the signature.
pub struct Context {
    /// Parameters of the emitted function, in the order of the body's parameters.
    pub params: Vec<Ident>,
    /// Their types, in which no lifetime has a name.
    pub types: Vec<TokenStream>,
    /// Parameters of the pullback, with their types.
    pub pullback: Vec<(Ident, TokenStream)>,
    /// The type of the box that the pullback of a recursive function is kept in.
    pub boxed: Option<TokenStream>,
    /// The functions that run the levels of a recursion which share a tape.
    pub halves: Option<Halves>,
    /// Which parameters are active.
    pub active: Vec<bool>,
    /// The same, where the function's calls of itself are calls of its derivatives as they stand.
    pub own: Option<Vec<bool>>,
    /// Likewise, where types say whether a call is one of the function by itself.
    pub open: Option<Vec<bool>>,
    /// The path of a `jvp`, for a call of it with the parameters that it has.
    pub again: Option<TokenStream>,
    /// What shows rustc that shadows and tangents of slices are as long as their slices, so that bounds
    /// are checked once: at the start of the function, or of the pullback where there is one.
    pub alignment: TokenStream,
    /// The cotangent one of the result.
    pub seed: TokenStream,
    /// How the pullback of a closure is written, which its callee knows by its shape.
    pub frame: Option<Frame>,
    /// What there are several of, where a `jvp` carries several directions, and the name of their number.
    pub lanes: Option<(Lanes, Ident)>,
    /// How many by-value cotangents are returned, and whether bare, for gradients and pullbacks.
    pub returns: Returns,
}

impl Context {
    /// Which parameters of the callee are active, for a call of the function by itself.
    fn own_activity(&self, call: &Call) -> Option<&[bool]> {
        let own = self.own.as_deref().filter(|_| call.is_own)?;
        // rustc refuses a call with another number of arguments.
        (own.len() == call.passing.len()).then_some(own)
    }
}

/// A pullback's parameters as its callee passes them, the names of the cotangents that its body makes, and
/// all that it returns.
pub struct Frame {
    pub params: TokenStream,
    pub made: TokenStream,
    pub returned: TokenStream,
}

/// The shape of what a body returns.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Returns {
    /// Value, then cotangents: bare, tuple or unit.
    ValueAndCotangents,
    /// All outputs in one tuple.
    Tuple,
}

struct Emit<'f> {
    function: &'f Function,
    context: &'f Context,
    names: Names,
    /// Floats whose type rustc cannot tell by itself.
    untyped: EntitySet<Value>,
    /// How often each value is used, and the block of its last use.
    uses: EntityMap<Value, (usize, BlockId)>,
    /// Values that rows alone are given, which say their types.
    directions: EntitySet<Value>,
    /// Values that are used again behind a use that takes them over.
    left: EntitySet<Value>,
    /// Places that are used again behind a block or a read.
    behind: Behind,
    /// Results that hold a value for certain. What their errors are, only rustc knows.
    succeeded: EntitySet<Value>,
    /// The block at hand.
    home: BlockId,
    /// Reads that need no copy.
    loans: Loans,
    /// Values that are in a place, with a reference to it.
    lent: EntityMap<Value, TokenStream>,
    /// Values that wait to be written into the expression that uses them.
    pending: Vec<(Value, Expression)>,
    /// Literals and the like, which are written again at each use.
    constants: EntityMap<Value, Expression>,
    /// Whether the call at hand is lent parts of tangents.
    lends_parts: bool,
    /// What stands for variables with lanes in the instruction at hand.
    turn: Turn,
    /// What the instruction at hand borrows of one place several times.
    neighbours: Neighbours,
    /// What the expression under construction reads.
    reads: Reads,
    /// Tapes that all levels of a recursion share.
    shared: Vec<Tape>,
    statements: Vec<TokenStream>,
}

/// The variables that an expression reads, and whether it must stay in order.
#[derive(Default)]
struct Reads {
    leaves: Vec<Value>,
    touched: Vec<Touch>,
    is_ordered: bool,
}

/// The tokens of a function's body.
pub fn body(function: &Function, context: &Context) -> TokenStream {
    let fitted = context.again.as_ref().and_then(|again| fitted::fitted(function, again));
    let function = fitted.as_ref().map_or(function, |fitted| &fitted.function);
    let mut emit = Emit::new(function, context);
    emit.tapes();
    emit.witnesses();
    fitted.iter().for_each(|fitted| emit.fit(fitted));
    let (items, levels) = (items(function), levels::own_tape(function));
    emit.insts(&function.body);
    let returned = emit.returned(&function.body);
    let statements = emit.statements;
    quote!(#items #levels #(#statements)* #returned)
}

/// The items of the user's that a body has in scope, and traits.
fn items(function: &Function) -> TokenStream {
    let items = &function.items;
    let cells = calls_cells(&function.body).then(|| {
        quote!(
            use ::cotangent::__private::CellDerivatives as _;
        )
    });
    quote!(#(#items)* #cells)
}

/// Whether a method may be one of a `Cell`, whose derivatives are those of a trait.
fn calls_cells(body: &Block) -> bool {
    let mut found = false;
    body.walk(&mut |inst, _| {
        if let Op::CallVjp(call) | Op::CallJvp(call) = &inst.op {
            found |= matches!(&call.callee, Callee::Method(name) if name == "get" || name == "set");
        }
    });
    found
}

/// The values that are operands of partial derivatives and of nothing else.
fn directions(function: &Function) -> EntitySet<Value> {
    let (mut of_rows, mut others): (EntitySet<Value>, EntitySet<Value>) = Default::default();
    function.body.walk(&mut |inst, block| {
        match inst.op {
            Op::Partial(..) | Op::CastPartial(_) => of_rows.extend(&inst.args),
            _ => others.extend(&inst.args),
        }
        others.extend(&block.results);
        inst.op.blocks().for_each(|inner| others.extend(&inner.results));
    });
    of_rows.retain(|value| !others.contains(value));
    of_rows
}

impl<'f> Emit<'f> {
    /// Ready for a function's first instruction.
    fn new(function: &'f Function, context: &'f Context) -> Self {
        let mut emit = Emit {
            function,
            context,
            names: Names::new(),
            untyped: untyped::untyped(function),
            uses: EntityMap::default(),
            directions: directions(function),
            left: left::left(function, context.lanes.as_ref().map(|(lanes, _)| lanes)),
            behind: behind(function),
            succeeded: succeeded(function),
            home: function.body.id,
            loans: loans(function),
            lent: EntityMap::default(),
            pending: Vec::new(),
            constants: EntityMap::default(),
            lends_parts: false,
            turn: Turn::Whole,
            neighbours: Neighbours::default(),
            reads: Reads::default(),
            shared: Vec::new(),
            statements: Vec::new(),
        };
        emit.count_uses(&function.body);
        emit.parameters();
        emit
    }
}

/// Returns the results that are made as an `Ok(..)`.
fn succeeded(function: &Function) -> EntitySet<Value> {
    let mut succeeded = EntitySet::default();
    function.body.walk(&mut |inst, _| {
        if let Op::Struct { path, .. } = &inst.op
            && crate::syntax::is_variant_of_std(path, &["Ok"])
        {
            succeeded.insert(inst.results[0]);
        }
    });
    succeeded
}

impl Emit<'_> {
    fn count_uses(&mut self, block: &Block) {
        for inst in &block.insts {
            for arg in &inst.args {
                self.count(*arg, block.id);
            }
            for inner in inst.op.blocks() {
                self.count_uses(inner);
            }
        }
        for result in &block.results {
            self.count(*result, block.id);
        }
    }

    fn count(&mut self, value: Value, block: BlockId) {
        let entry = self.uses.entry(value).or_insert((0, block));
        entry.0 += 1;
        entry.1 = block;
    }

    fn use_count(&self, value: Value) -> usize {
        self.uses.get(&value).map_or(0, |(count, _)| *count)
    }

    /// The parameters' names are those of the signature; owned places are made mutable.
    fn parameters(&mut self) {
        for (param, ident) in self.function.body.params.iter().zip(&self.context.params) {
            let slot = self.function.slot_of(*param);
            let is_owned =
                slot.is_some_and(|slot| self.function.slot(slot).access == Access::Owned);
            let own = self.names.value(self.function, *param);
            if is_owned {
                self.statements.push(quote!(let mut #own = #ident;));
            } else {
                self.rename(*param, ident);
            }
        }
        if self.context.pullback.is_empty() {
            self.statements.push(self.context.alignment.clone());
        }
    }

    /// Gives a parameter the name that it has in the signature.
    fn rename(&mut self, param: Value, ident: &Ident) {
        match self.function.slot_of(param) {
            Some(slot) => self.names.alias_slot(slot, ident.clone()),
            None => self.names.alias(param, ident.clone()),
        }
    }

    fn tapes(&mut self) {
        let mut used = Vec::new();
        let (mut planned, mut kept) = (EntitySet::default(), EntityMap::default());
        self.function.body.walk(&mut |inst, _| match &inst.op {
            Op::TapePush(tape) | Op::TapeSave(tape) => {
                if !used.contains(tape) {
                    used.push(*tape);
                }
                let is_static = inst.args.iter().all(|arg| self.function.ty(*arg).is_static());
                *kept.entry(*tape).or_insert(true) &= is_static;
            }
            Op::TapePlan(tape, _) => drop(planned.insert(*tape)),
            _ => {}
        });
        for tape in used {
            let ident = self.names.tape(tape);
            let kind = match (planned.contains(&tape), kept[&tape]) {
                (true, _) => quote!(Snapshots),
                (false, true) => quote!(KeptTape),
                (false, false) => quote!(Tape),
            };
            self.statements.push(quote!(let mut #ident = ::cotangent::__private::#kind::new();));
        }
    }

    /// What knows types is there before all else, since it knows nothing of the values.
    fn witnesses(&mut self) {
        let mut told = BTreeMap::new();
        self.function.body.walk(&mut |inst, _| {
            if let Op::Attest(witness) = inst.op {
                told.entry(witness).or_insert(inst.args[0]);
            }
        });
        for (witness, value) in told {
            let ident = self.names.witness(witness, &self.function.value(value).name);
            self.statements.push(quote!(let #ident = ::cotangent::__private::Witness::new();));
        }
    }

    /// Where a tape is.
    fn tape_place(&mut self, tape: Tape) -> TokenStream {
        match self.shared.iter().position(|shared| *shared == tape) {
            Some(position) => {
                let (levels, index) = (levels::tape(), syn::Index::from(position + 1));
                quote!(#levels.#index)
            }
            None => self.names.tape(tape).to_token_stream(),
        }
    }

    /// The tail of a function or pullback.
    fn returned(&mut self, block: &Block) -> TokenStream {
        let values = &block.results[..self.function.outputs];
        if let Some(tokens) = self.returned_by_frame(block, values) {
            return tokens;
        }
        self.read_before(values);
        let has_lanes = |position| self.context.lanes.is_some() && position % 2 == 1;
        let each = values.iter().enumerate();
        let parts: Vec<TokenStream> =
            each.map(|(position, value)| self.moved_to(*value, has_lanes(position))).collect();
        match self.context.returns {
            Returns::Tuple => quote!((#(#parts),*)),
            Returns::ValueAndCotangents => {
                let (value, cotangents) = parts.split_first().expect("a value");
                let cotangents = bare_or_tuple(cotangents);
                quote!((#value, #cotangents))
            }
        }
    }

    /// What is read from a place must be read before the place is handed out.
    fn read_before(&mut self, values: &[Value]) {
        if values.len() > 1 && values.iter().any(|value| self.function.slot_of(*value).is_some()) {
            self.settle(false);
        }
    }

    fn insts(&mut self, block: &Block) {
        for inst in &block.insts {
            self.inst(inst, block);
        }
    }

    /// Statements of a block, in a list of their own; its names are free again afterwards.
    fn nested(
        &mut self,
        emit: impl FnOnce(&mut Self) -> TokenStream,
    ) -> (Vec<TokenStream>, TokenStream) {
        let outer = std::mem::take(&mut self.statements);
        let pending = std::mem::take(&mut self.pending);
        let (taken, home) = (self.names.open(), self.home);
        let tail = emit(self);
        self.names.close(taken);
        self.home = home;
        self.pending = pending;
        (std::mem::replace(&mut self.statements, outer), tail)
    }

    /// A value as an expression; waiting ones are written here.
    fn expression(&mut self, value: Value) -> Expression {
        if let Some(constant) = self.constants.get(&value) {
            return constant.clone();
        }
        self.take_out(value);
        let expression = match self.pending.iter().position(|(waiting, _)| *waiting == value) {
            Some(position) => {
                let expression = self.pending.remove(position).1;
                expression.touched.iter().for_each(|touch| self.read_before_taking(touch));
                self.gathered(value, expression)
            }
            None => self.variable(value),
        };
        self.reads.leaves.extend(&expression.leaves);
        self.reads.touched.extend(expression.touched.iter().cloned());
        self.reads.is_ordered |= expression.is_ordered;
        expression
    }

    /// A reference to a value, which rustc says to be at a place where it does not fit.
    fn reference(&mut self, value: Value, span: Span) -> TokenStream {
        if let Some(lent) = self.lent.get(&value) {
            return lent.clone();
        }
        let tokens = self.expression(value).at(Binding::Postfix);
        quote_spanned!(span=> &#tokens)
    }

    fn variable(&mut self, value: Value) -> Expression {
        let mut expression = Expression::new(self.variable_of(value), Binding::Postfix);
        expression.leaves.push(value);
        expression
    }

    fn variable_of(&mut self, value: Value) -> TokenStream {
        let ident = self.names.value(self.function, value);
        match self.has_lanes(value) {
            true => self.lane_of(value, &ident),
            false => quote!(#ident),
        }
    }

    /// A value in a position that takes it over: a copy where more uses follow and it may not be `Copy`.
    fn moved(&mut self, value: Value) -> TokenStream {
        self.moved_expression(value).tokens
    }

    fn moved_expression(&mut self, value: Value) -> Expression {
        let ty = self.function.ty(value);
        let is_place = self.function.slot_of(value).is_some();
        let is_repeated = self.turn != Turn::Whole && (is_place || !self.has_lanes(value));
        let is_left = *ty != Type::Pullback
            && (self.left.contains(&value) || self.behind.is_used(value, self.home));
        let copy = !ty.is_copy() && (is_left || is_repeated);
        match copy {
            true => self.touch(value, &[]),
            false => {
                self.read_before_handing_on(value);
                self.take(value, &[]);
            }
        }
        let expression = self.expression(value);
        if !copy {
            return expression;
        }
        let tokens = &expression.tokens;
        Expression {
            tokens: quote!(::core::clone::Clone::clone(&#tokens)),
            binding: Binding::Postfix,
            compound: None,
            opposite: None,
            ..expression
        }
    }

    /// Notes that the expression under construction reads a part of a place.
    fn touch(&mut self, version: Value, path: &[Projection]) {
        let slot = self.function.slot_of(version);
        let touch = slot.map(|slot| Touch { slot, path: path.to_vec(), takes: false });
        self.reads.touched.extend(touch);
    }

    /// Likewise that it may move the part out: not of an element or from behind a reference, where the language
    /// allows no move, nor of what is `Copy`.
    fn take(&mut self, version: Value, path: &[Projection]) {
        let may_leave = !self.function.ty(version).is_copy()
            && !self.is_behind_reference(version)
            && path.iter().all(|step| step.indices() == 0);
        let slot = self.function.slot_of(version).filter(|_| may_leave);
        if let Some(slot) = slot {
            let touch = Touch { slot, path: path.to_vec(), takes: true };
            self.read_before_taking(&touch);
            self.reads.touched.push(touch);
        }
    }

    /// Binds the waiting values that read what is taken: behind that it is gone.
    fn read_before_taking(&mut self, taken: &Touch) {
        let reads = |expression: &Expression| {
            expression.touched.iter().any(|touch| !touch.takes && touch.overlaps(taken))
        };
        self.bind_each_waiting(|_, waiting| taken.takes && reads(waiting));
    }

    /// Likewise those that read a value, which is in no place, before it is handed on.
    fn read_before_handing_on(&mut self, value: Value) {
        if self.function.slot_of(value).is_none() && !self.function.ty(value).is_copy() {
            self.bind_each_waiting(|_, waiting| waiting.leaves.contains(&value));
        }
    }

    /// Binds the waiting values that must not move over what comes next, or all.
    fn settle(&mut self, all: bool) {
        let waiting = std::mem::take(&mut self.pending);
        for (value, expression) in waiting {
            if all || expression.is_ordered {
                self.bind(value, expression.tokens);
            } else {
                self.pending.push((value, expression));
            }
        }
    }

    /// Binds a value, if it waits and its expression is wanted so.
    fn bind_waiting(&mut self, value: Value, is_wanted: impl Fn(&Expression) -> bool) {
        self.bind_each_waiting(|waiting, expression| waiting == value && is_wanted(expression));
    }

    /// Binds the waiting values that are wanted.
    fn bind_each_waiting(&mut self, is_wanted: impl Fn(Value, &Expression) -> bool) {
        let is_it = |(waiting, expression): &(Value, Expression)| is_wanted(*waiting, expression);
        while let Some(position) = self.pending.iter().position(is_it) {
            let (value, expression) = self.pending.remove(position);
            self.bind(value, expression.tokens);
        }
    }

    /// `let v = ..;`, of what has lanes by its expression for one.
    fn bind(&mut self, value: Value, tokens: TokenStream) {
        match self.has_lanes(value) {
            true => self.bind_whole(value, self.each(&tokens)),
            false => self.bind_whole(value, tokens),
        }
    }

    fn bind_whole(&mut self, value: Value, tokens: TokenStream) {
        let data = self.function.value(value);
        let span = data.span;
        if self.use_count(value) == 0 {
            let unused = self.held_name(value).unwrap_or_else(|| quote!(_));
            self.statements.push(quote_spanned!(span=> let #unused = #tokens;));
            return;
        }
        let ident = self.names.value(self.function, value);
        let mutable = data.slot.map(|_| quote!(mut));
        let statement = match self.function.annotation(value) {
            Some(ty) => quote_spanned!(span=> let #mutable #ident: #ty = #tokens;),
            None => quote_spanned!(span=> let #mutable #ident = #tokens;),
        };
        self.statements.push(statement);
    }

    /// A name for what is not used, and must live as long as the user's name for it.
    fn held_name(&self, value: Value) -> Option<TokenStream> {
        let name = crate::binding::local("_held");
        self.function.held.contains(&value).then(|| quote!(#name))
    }

    /// Whether a value can be written into the one expression that uses it.
    fn is_inlinable(&self, inst: &Inst, block: &Block) -> bool {
        let [value] = inst.results[..] else {
            return false;
        };
        let data = self.function.value(value);
        if matches!(data.ty, Type::Function(..)) {
            return false;
        }
        let is_held = self.function.held.contains(&value);
        if is_held || data.slot.is_some() || self.function.annotation(value).is_some() {
            return false;
        }
        // A borrow of a cell lasts to the end of its statement.
        let is_borrow = |path: &&crate::ir::Path| path.contains(&crate::ir::Projection::Borrowed);
        if inst.op.paths().iter().any(is_borrow) {
            return false;
        }
        let is_shown =
            |name: &str| ["literal", "item", "index", "flag", "count", "one"].contains(&name);
        match (&inst.op, self.uses.get(&value)) {
            (Op::Literal(_) | Op::Item(_), _) => is_shown(&data.name) || self.use_count(value) <= 1,
            (Op::DebugAssertions, _) => true,
            (Op::Zero(_) | Op::One | Op::NoTangent | Op::Undefined, Some(_))
                if inst.args.is_empty() =>
            {
                true
            }
            (_, Some((1, home))) => *home == block.id,
            _ => false,
        }
    }
}

/// None, one or several values as `()`, bare, or a tuple.
pub fn bare_or_tuple(parts: &[TokenStream]) -> TokenStream {
    match parts {
        [one] => one.clone(),
        _ => quote!((#(#parts),*)),
    }
}

/// The most entries of a tuple that has traits.
pub const MOST_ENTRIES: usize = 12;

/// The same for a tuple that needs traits: of many parts it is one of tuples.
pub fn nested_tuple(parts: &[TokenStream]) -> TokenStream {
    if parts.len() <= MOST_ENTRIES {
        return bare_or_tuple(parts);
    }
    nested_tuple(&parts.chunks(MOST_ENTRIES).map(bare_or_tuple).collect::<Vec<_>>())
}

/// Where a part is in such a tuple of so many.
pub fn nested_position(count: usize, index: usize) -> Vec<syn::Index> {
    if count <= MOST_ENTRIES {
        return (count > 1).then(|| syn::Index::from(index)).into_iter().collect();
    }
    let (group, size) = (index / MOST_ENTRIES, count - index / MOST_ENTRIES * MOST_ENTRIES);
    let mut position = nested_position(count.div_ceil(MOST_ENTRIES), group);
    position.extend(nested_position(size.min(MOST_ENTRIES), index % MOST_ENTRIES));
    position
}

/// The name of a derivative beside a method: a public one, or the hidden one of a uniform shape. What calls look
/// for says by its name what to do where there is none.
pub fn sibling(method: &Ident, derivative: &str, is_public: bool) -> Ident {
    let (bare, prefix) = (method.to_string(), if is_public { "" } else { "__" });
    let bare = bare.trim_start_matches("r#");
    let is_called = !is_public && matches!(derivative, "vjp" | "jvp" | "is");
    let suffix = match (is_called, bare) {
        (false, _) => "",
        (true, "vjp") => reading::NEEDS_PULLBACK,
        (true, name) if crate::ir::is_derivative_name(name) => reading::NEEDS_ANOTHER,
        (true, _) => reading::NEEDS,
    };
    Ident::new(&format!("{prefix}{bare}_{derivative}{suffix}"), method.span())
}

/// The name under which calls find a derivative of an order, which says what to do where there is none.
pub fn hidden_name(kind: Kind, order: usize) -> String {
    let needs = if order > 1 { reading::NEEDS_ANOTHER } else { "" };
    format!("{}{needs}", kind.name(order))
}

/// The path of a derivative that is called with that many arguments.
fn called_path(
    function: &syn::ExprPath,
    derivative: &str,
    is_public: bool,
    arguments: usize,
) -> TokenStream {
    let mut called = function.clone();
    if let (true, Some(last)) =
        (crate::ir::is_associated(function), called.path.segments.last_mut())
    {
        let name = sibling(&last.ident, derivative, is_public);
        let callee = function.to_token_stream().to_string();
        last.ident = crate::binding::at_first_call(&name, &callee, arguments);
        return called.to_token_stream();
    }
    companion_path(function, derivative, is_public)
}

/// The path of a derivative, public or hidden: in the companion, to whose end generic arguments move, or
/// beside a function that belongs to a type.
pub fn companion_path(function: &syn::ExprPath, derivative: &str, is_public: bool) -> TokenStream {
    let mut path = function.clone();
    if let (true, Some(last)) = (crate::ir::is_associated(function), path.path.segments.last_mut())
    {
        last.ident = sibling(&last.ident, derivative, is_public);
        return path.to_token_stream();
    }
    let arguments = match path.path.segments.last_mut() {
        Some(last) => std::mem::replace(&mut last.arguments, syn::PathArguments::None),
        None => syn::PathArguments::None,
    };
    let span = path.path.segments.last().map_or_else(Span::call_site, |last| last.ident.span());
    let prefix = if is_public { "" } else { "__" };
    let name = Ident::new(&format!("{prefix}{derivative}"), span);
    let companion = reading::companion(&path);
    match arguments {
        syn::PathArguments::AngleBracketed(mut arguments) => {
            arguments.colon2_token = Some(syn::Token![::](span));
            quote!(#companion::#name #arguments)
        }
        _ => quote!(#companion::#name),
    }
}
