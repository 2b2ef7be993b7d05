//! The text form of a function, for snapshots, for file tests and for people.
//!
//! In: a function. Out: text from which `ir/parse.rs` makes the function again, spans left out. The text is made of
//! Rust's tokens, so that types, paths, patterns and expressions of the user's stand in it as they are; line breaks mean
//! nothing.
//!
//! **Invariant:** parsing the text and printing the result gives the same text.
//!
//! # Syntax
//!
//! ```text
//! #[derived(4), tapes(1), active(v0, v1)]
//! fn f::accumulate_gradient(v0 x: f64, v1 a: @0) {
//!     slot @0 a: [f64] shared
//!     v2 n: int = measure len v1
//!     v3 zero: int = 0
//!     v5 s: f64 = for v3, v2, v0 (v6 i: int, v7 s: f64) {
//!         v8 a: f64 = load[] v1, v6
//!         v9 s: f64 = mul v7, v8
//!         push tape0 v8
//!         yield v9
//!     }
//!     return v5
//! }
//! ```
//!
//! A function has attributes, parameters, the places of its versions, items, instructions, and what it returns; final
//! versions of places, which are results that are not returned, stand behind a semicolon: `return v5; v9`.
//!
//! | attribute | field of `Function` |
//! |---|---|
//! | `derived(n)` | `primal_values`; a primal has none |
//! | `tapes(n)` | `tapes`, where there are any |
//! | `active(v0, ..)` | `active` |
//! | `recursive`, `may_call_itself`, `watched`, `is_sum`, `adds_to_floats`, `copies_operands` | the flag |
//! | `lent(v3.0, ..)` | `lent`: value and operand |
//! | `backwards('b5 = 'b3, ..)` | `backwards`; these blocks have the label in front of them, others have none |
//!
//! **Values.** A definition is `v3 name: type`, or `v3 name: @2` for a version of place 2, whose type is the place's;
//! `v3 name: type @2` where it is another. A type that the user wrote stands behind it: `as (Vec < f64 >)`. A name that is
//! no identifier, or looks like a value, stands in quotes; one that is empty is left out.
//!
//! **Types.** `f32`, `f64`, `float` (a literal's), `float(T)` (of a type parameter), `int`, `bool`, `text`, `constant`,
//! `(a, b)`, `[T; 3]`, `[T]`, `Vec<T>`, `Cell<T>`, `&T`, `&mut T`, `fn(2) -> T` and `fn(2, ref) -> T` (a parameter that is
//! a function), `pullback`, `Option<T>` (a residual of one arm), `!`, `?` (unknown).
//!
//! **Places.** `slot @0 name: type`, then `shared` behind `&`, `unique` behind `&mut`, then `tangent` for a shadow.
//! A path of projections stands behind the operation's name, its indices among the arguments:
//! `[]`, `[_.._]` (a range, with what is written of its ends, `..=` where inclusive), `[&]` (a key), `.field`,
//! `(Variant::path).field`, `*`, `.borrow()`, `.unwrap()`. Where several paths stand, each begins with `_`.
//!
//! **Instructions.** `definitions = operation arguments blocks`.
//!
//! | operation | text |
//! |---|---|
//! | literal, item, `&` of an item | `1.0`, `item PI`, `borrow TABLE` |
//! | row of the rule table, its derivative by a trait | `mul`, `partial mul 0 forward` |
//! | operator, method without derivative | `<`, `not`, `.floor`, `measure len[]`, `matches (Some (_)) .x` |
//! | casts | `as f64`, `as_like`, `cast_partial reverse` |
//! | aggregates | `tuple`, `destructure`, `array`, `array_repeat(3)`, `vec`, `vec_repeat`, `vec_new Vec :: new`, `struct P { x, y, .. }`, `duplicate`, `box` |
//! | memory | `load`, `store`, `accumulate`, `accumulate_partial mul 0`, `replace`, `clone`, `exchange(_[], _.x)`, `insert last`, `remove at`, `rejoin`, `touch` |
//! | calls | `call f(value, &[], &mut, &cells)`, `vjp ..`, `jvp ..`, `pull .. shadows(_, _[])`; callees are `path`, `.method`, `fn` (the first operand), `*fn` (a pointer), `!path` (`stop_gradient`) |
//! | of a call | behind the operands: `own`, `may_own`, `watched`, `again`, `order 2`, `with [_, item g, var 2, closure ..]` |
//! | calls of itself | `own_sweep(..) returns 1`, `own_unwind ..`, and `or { vjp .. } [0, 1]` |
//! | tapes | `push tape0`, `pop`, `save`, `restore`, `reserve tape0 for`, `plan tape0 for`, `keeps`, `rewind` |
//! | loops as numbers | `trips for`, `nth for`, `stride root` |
//! | (co)tangents | `sum`, `total`, `zero`, `cleared`, `one`, `no_tangent`, `detached`, `linear`, `conform 2`, `enclose`, `unread 0 (_, _)` |
//! | residuals of an arm | `some`, `none`, `unwrap`, `unwrap_or`, `undefined`, `attest type0`, `stand_in type0` |
//! | proofs, checks, macros | `prove no_cells`, `proved <`, `watch "mul" 2 1`, `debug_assertions`, `macro assert 0 [..]` |
//! | control | `if v0 { .. } else { .. }`, `closure (..) { .. }`, and loops: `for`, `for=` (inclusive), `for.rev.step_by.strips`, `repeat`, `while v0 { condition } do { .. }`, `once`, each with `breaks` and `schedule root` |
//!
//! A block is `'b3 (parameters) { instructions yield values }`.

mod call;
mod op;

#[cfg(feature = "interpret")]
pub(super) use op::{PLAIN, end_name, mode_name, schedule_name};

#[cfg(feature = "interpret")]
use super::Op;
use super::{
    Access, Block, BlockId, FloatKind, Function, Inst, Path, Projection, Slot, Type, Value,
};
use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::BTreeSet;
use std::fmt::{self, Display};

impl Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&function(self, 0))
    }
}

/// Writes a function whose lines are indented this deep.
fn function(function: &Function, depth: usize) -> String {
    let labels = function.backwards.iter().flat_map(|(back, forward)| [*back, *forward]);
    let mut printer = Printer { function, labels: labels.collect(), text: String::new(), depth };
    printer.function();
    printer.text
}

/// An operation by itself, without its blocks.
#[cfg(feature = "interpret")]
pub fn operation(op: &Op) -> String {
    let function = super::parse::empty();
    let mut printer =
        Printer { function: &function, labels: BTreeSet::new(), text: String::new(), depth: 0 };
    printer.op(op);
    printer.text
}

struct Printer<'f> {
    function: &'f Function,
    /// The blocks that are referred to.
    labels: BTreeSet<BlockId>,
    text: String,
    depth: usize,
}

impl Printer<'_> {
    fn function(&mut self) {
        let attributes = attributes(self.function);
        if !attributes.is_empty() {
            self.text.push_str(&format!("#[{}]\n", attributes.join(", ")));
            self.indent();
        }
        let head = format!("fn {}(", function_name(&self.function.name));
        self.text.push_str(&head);
        self.text.push_str(&self.definitions(&self.function.body.params));
        self.text.push_str(") ");
        self.open();
        self.slots();
        if !self.function.items.is_empty() {
            let items = spelled(&Tokens(&self.function.items));
            self.line(&format!("items {{ {items} }}"));
        }
        let body = &self.function.body;
        body.insts.iter().for_each(|inst| self.inst(inst));
        let (returned, versions) =
            body.results.split_at(self.function.outputs.min(body.results.len()));
        let versions =
            if versions.is_empty() { String::new() } else { format!("; {}", list(versions)) };
        self.line(format!("return {}{versions}", list(returned)).trim_end());
        self.close();
    }

    /// The places of which there is a version.
    fn slots(&mut self) {
        let mut used = BTreeSet::new();
        let mut look = |values: &[Value]| {
            used.extend(values.iter().filter_map(|value| self.function.slot_of(*value)));
        };
        each_definition(&self.function.body, &mut look);
        for slot in used {
            self.line(&slot_text(self.function, slot));
        }
    }

    fn inst(&mut self, inst: &Inst) {
        self.indent();
        if !inst.results.is_empty() {
            let text = self.definitions(&inst.results);
            self.text.push_str(&text);
            self.text.push_str(" = ");
        }
        self.op(&inst.op);
        if !inst.args.is_empty() {
            self.text.push(' ');
            self.text.push_str(&list(&inst.args));
        }
        self.blocks(&inst.op);
        self.text.push('\n');
    }

    /// A block behind an operation.
    fn block(&mut self, block: &Block) {
        if self.labels.contains(&block.id) {
            self.text.push_str(&format!("'b{} ", block.id.0));
        }
        if !block.params.is_empty() {
            let text = format!("({}) ", self.definitions(&block.params));
            self.text.push_str(&text);
        }
        self.open();
        block.insts.iter().for_each(|inst| self.inst(inst));
        self.line(format!("yield {}", list(&block.results)).trim_end());
        self.close();
    }

    fn open(&mut self) {
        self.text.push_str("{\n");
        self.depth += 1;
    }

    fn close(&mut self) {
        self.depth -= 1;
        self.indent();
        self.text.push('}');
    }

    fn line(&mut self, text: &str) {
        self.indent();
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn indent(&mut self) {
        (0..self.depth).for_each(|_| self.text.push_str("    "));
    }

    fn definitions(&self, values: &[Value]) -> String {
        joined(values, |value| self.definition(*value))
    }

    fn definition(&self, value: Value) -> String {
        let data = self.function.value(value);
        let name = name(&data.name);
        let space = if name.is_empty() { "" } else { " " };
        let kind = match data.slot {
            Some(slot) if self.function.slot(slot).ty == data.ty => format!("@{}", slot.0),
            Some(slot) => format!("{} @{}", data.ty, slot.0),
            None => data.ty.to_string(),
        };
        let written = data.annotation.as_ref();
        let written = written.map_or_else(String::new, |ty| format!(" as ({})", spelled(ty)));
        format!("{value}{space}{name}: {kind}{written}")
    }
}

/// Calls `visit` on the values that each block and each instruction defines.
fn each_definition(block: &Block, visit: &mut dyn FnMut(&[Value])) {
    visit(&block.params);
    for inst in &block.insts {
        inst.op.blocks().for_each(|inner| each_definition(inner, visit));
        visit(&inst.results);
    }
}

fn attributes(function: &Function) -> Vec<String> {
    let mut all = Vec::new();
    if !function.is_primal() {
        all.push(format!("derived({})", function.primal_values));
    }
    if function.tapes > 0 {
        all.push(format!("tapes({})", function.tapes));
    }
    if !function.active.is_empty() {
        all.push(format!("active({})", list(&function.active)));
    }
    let flags = flags(function).into_iter().filter(|(_, holds)| *holds);
    all.extend(flags.map(|(name, _)| name.to_owned()));
    if !function.lent.is_empty() {
        let one = |(value, operand): &(Value, usize)| format!("{value}.{operand}");
        all.push(format!("lent({})", joined(&function.lent, one)));
    }
    if !function.held.is_empty() {
        let held: Vec<Value> = function.held.iter().copied().collect();
        all.push(format!("held({})", list(&held)));
    }
    if !function.backwards.is_empty() {
        let one = |(back, forward): (&BlockId, &BlockId)| format!("'b{} = 'b{}", back.0, forward.0);
        all.push(format!("backwards({})", joined(&function.backwards, one)));
    }
    all
}

fn flags(function: &Function) -> [(&'static str, bool); 6] {
    [
        ("recursive", function.is_recursive),
        ("may_call_itself", function.may_call_itself),
        ("watched", function.is_watched),
        ("is_sum", function.is_sum),
        ("adds_to_floats", function.adds_to_floats),
        ("copies_operands", function.copies_operands),
    ]
}

fn slot_text(function: &Function, slot: Slot) -> String {
    let data = function.slot(slot);
    let access = match data.access {
        Access::Owned => "",
        Access::Shared => " shared",
        Access::Unique => " unique",
    };
    let tangent = if data.is_tangent { " tangent" } else { "" };
    format!("slot @{} {}: {}{access}{tangent}", slot.0, quoted_if_empty(&data.name), data.ty)
}

fn quoted_if_empty(text: &str) -> String {
    if text.is_empty() { "\"\"".to_owned() } else { name(text) }
}

impl Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Float(FloatKind::F32) => f.write_str("f32"),
            Type::Float(FloatKind::F64) => f.write_str("f64"),
            Type::Float(FloatKind::Literal) => f.write_str("float"),
            Type::Float(FloatKind::Parameter(name)) => write!(f, "float({})", respelled(name)),
            Type::Int => f.write_str("int"),
            Type::Bool => f.write_str("bool"),
            Type::Text => f.write_str("text"),
            Type::Constant => f.write_str("constant"),
            Type::Tuple(items) => match &items[..] {
                [one] => write!(f, "({one},)"),
                items => write!(f, "({})", joined(items, Type::to_string)),
            },
            Type::Array(item, len) => write!(f, "[{item}; {}]", respelled(len)),
            Type::Slice(item) => write!(f, "[{item}]"),
            Type::Vec(item) => write!(f, "Vec<{item}>"),
            Type::Cell(item) => write!(f, "Cell<{item}>"),
            Type::Reference(item, false) => write!(f, "&{item}"),
            Type::Reference(item, true) => write!(f, "&mut {item}"),
            Type::Function(result, count, false) => write!(f, "fn({count}) -> {result}"),
            Type::Function(result, count, true) => write!(f, "fn({count}, ref) -> {result}"),
            Type::Pullback => f.write_str("pullback"),
            Type::Wrapped(item) => write!(f, "Option<{item}>"),
            Type::Never => f.write_str("!"),
            Type::Unknown => f.write_str("?"),
        }
    }
}

/// A path of projections.
fn steps(path: &Path) -> String {
    path.iter().map(step).collect()
}

/// The same where several stand.
fn rooted(path: &Path) -> String {
    format!("_{}", steps(path))
}

fn step(step: &Projection) -> String {
    match step {
        Projection::Index => "[]".to_owned(),
        Projection::Range(ends) => {
            let [start, end] = [ends.start, ends.end].map(|end| if end { "_" } else { "" });
            format!("[{start}..{}{end}]", if ends.inclusive { "=" } else { "" })
        }
        Projection::Key => "[&]".to_owned(),
        Projection::Field(field) => format!(".{field}"),
        Projection::Variant(path, field) => format!("({}).{field}", spelled(path)),
        Projection::Deref => "*".to_owned(),
        Projection::Borrowed => ".borrow()".to_owned(),
        Projection::Unwrap(method, message) => {
            let message = message.as_ref().map_or_else(String::new, spelled);
            format!(".{method}({message})")
        }
    }
}

fn joined<T>(items: impl IntoIterator<Item = T>, one: impl Fn(T) -> String) -> String {
    items.into_iter().map(one).collect::<Vec<_>>().join(", ")
}

fn list(values: &[Value]) -> String {
    joined(values, Value::to_string)
}

/// A name as an identifier, where it is one and none of a value's, or else in quotes.
fn name(name: &str) -> String {
    let bare = name.strip_prefix("r#").unwrap_or(name);
    let is_identifier = bare.chars().all(|c| c.is_alphanumeric() || c == '_')
        && !bare.starts_with(|first: char| first.is_numeric());
    let is_value = name.strip_prefix('v').is_some_and(|rest| rest.parse::<u32>().is_ok());
    let is_bare = is_identifier && !is_value;
    if is_bare || name.is_empty() { name.to_owned() } else { format!("{name:?}") }
}

fn function_name(text: &str) -> String {
    let is_path =
        !text.is_empty() && text.split("::").all(|part| !part.is_empty() && name(part) == part);
    if is_path { text.to_owned() } else { format!("{text:?}") }
}

struct Tokens<'a, T>(&'a [T]);

impl<T: ToTokens> ToTokens for Tokens<'_, T> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.0.iter().for_each(|one| one.to_tokens(tokens));
    }
}

/// Tokens as text on one line, in rustc as well, whose own text of them has several. Groups that do not show are written as
/// parentheses, since text has no others.
fn spelled(tokens: &impl ToTokens) -> String {
    let (mut text, mut is_joint) = (String::new(), true);
    for tree in tokens.to_token_stream() {
        text.push_str(if is_joint { "" } else { " " });
        is_joint = matches!(&tree, TokenTree::Punct(punct) if punct.spacing() == Spacing::Joint);
        match tree {
            TokenTree::Group(group) => text.push_str(&spelled_group(&group)),
            TokenTree::Ident(ident) => text.push_str(&ident.to_string()),
            TokenTree::Punct(punct) => text.push(punct.as_char()),
            TokenTree::Literal(literal) => text.push_str(&literal.to_string()),
        }
    }
    text
}

fn spelled_group(group: &Group) -> String {
    let (inner, count) = (spelled(&group.stream()), group.stream().into_iter().take(2).count());
    match group.delimiter() {
        Delimiter::None if count == 1 => inner,
        Delimiter::None | Delimiter::Parenthesis => format!("({inner})"),
        Delimiter::Bracket => format!("[{inner}]"),
        Delimiter::Brace if inner.is_empty() => "{}".to_owned(),
        Delimiter::Brace => format!("{{ {inner} }}"),
    }
}

/// Text of tokens as [`spelled`] writes them.
fn respelled(text: &str) -> String {
    if text.chars().all(char::is_alphanumeric) {
        return text.to_owned();
    }
    text.parse::<TokenStream>().map_or_else(|_| text.to_owned(), |tokens| spelled(&tokens))
}
