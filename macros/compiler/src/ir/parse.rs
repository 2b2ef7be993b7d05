//! Functions from their text form.
//!
//! In: text as `ir/print.rs` writes it, which has the syntax. Out: the functions, or where the text is none. All spans are
//! the call site's. Numbers of values, places, tapes and labelled blocks are those of the text.
//!
//! **Invariant:** what is printed of the result is the text, but for white space and comments.

mod call;
mod op;

use super::{
    Access, Block, BlockId, FloatKind, Function, Inst, Op, Path, Projection, Slot, SlotData, Type,
    Value, ValueData,
};
use crate::ir::Ends;
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser as _};
use syn::{Result, Token, bracketed, parenthesized};

/// The functions of a text, in order.
pub fn functions(text: &str) -> Result<Vec<Function>> {
    let all = |input: ParseStream| {
        let mut found = Vec::new();
        while !input.is_empty() {
            found.push(function(input)?);
        }
        Ok(found)
    };
    all.parse_str(text)
}

/// One function.
fn function(input: ParseStream) -> Result<Function> {
    let mut reader = Reader { function: empty() };
    reader.attributes(input)?;
    input.parse::<Token![fn]>()?;
    reader.function.name = function_name(input)?;
    let params;
    parenthesized!(params in input);
    let params = reader.definitions(&params)?;
    let content;
    syn::braced!(content in input);
    reader.declarations(&content)?;
    let mut body = reader.block_of(params);
    body.insts = reader.insts(&content)?;
    word(&content, "return")?;
    body.results = reader.values(&content)?;
    reader.function.outputs = body.results.len();
    if content.parse::<Option<Token![;]>>()?.is_some() {
        body.results.extend(reader.values(&content)?);
    }
    end(&content)?;
    reader.function.body = body;
    reader.place_types();
    Ok(reader.function)
}

/// A function without anything in it.
pub fn empty() -> Function {
    let body = Block { id: BlockId(0), params: Vec::new(), insts: Vec::new(), results: Vec::new() };
    Function {
        name: String::new(),
        body,
        outputs: 0,
        values: Vec::new(),
        slots: Vec::new(),
        tapes: 0,
        next_block: 0,
        primal_values: u32::MAX,
        items: Vec::new(),
        is_recursive: false,
        may_call_itself: false,
        is_watched: false,
        is_sum: false,
        adds_to_floats: false,
        copies_operands: false,
        lent: BTreeSet::new(),
        held: BTreeSet::new(),
        backwards: BTreeMap::new(),
        active: Vec::new(),
        advancing: Vec::new(),
    }
}

/// Reads one function.
struct Reader {
    function: Function,
}

/// The type of a version whose place is declared behind it, until it is.
const OF_PLACE: Type = Type::Never;

impl Reader {
    fn attributes(&mut self, input: ParseStream) -> Result<()> {
        if input.parse::<Option<Token![#]>>()?.is_none() {
            return Ok(());
        }
        let content;
        bracketed!(content in input);
        while !content.is_empty() {
            self.attribute(&content)?;
            comma(&content)?;
        }
        Ok(())
    }

    fn attribute(&mut self, input: ParseStream) -> Result<()> {
        let name = any_word(input)?;
        let inner;
        let function = &mut self.function;
        match name.to_string().as_str() {
            "recursive" => function.is_recursive = true,
            "may_call_itself" => function.may_call_itself = true,
            "watched" => function.is_watched = true,
            "is_sum" => function.is_sum = true,
            "adds_to_floats" => function.adds_to_floats = true,
            "copies_operands" => function.copies_operands = true,
            "derived" => {
                parenthesized!(inner in input);
                function.primal_values = number(&inner)?;
            }
            "tapes" => {
                parenthesized!(inner in input);
                function.tapes = number(&inner)?;
            }
            "active" => {
                parenthesized!(inner in input);
                self.function.active = self.values(&inner)?;
            }
            "held" => {
                parenthesized!(inner in input);
                self.function.held = self.values(&inner)?.into_iter().collect();
            }
            "lent" => {
                parenthesized!(inner in input);
                self.lent(&inner)?;
            }
            "backwards" => {
                parenthesized!(inner in input);
                self.backwards(&inner)?;
            }
            _ => return Err(syn::Error::new(name.span(), "an attribute of a function")),
        }
        Ok(())
    }

    fn lent(&mut self, input: ParseStream) -> Result<()> {
        while !input.is_empty() {
            let value = self.value(input)?;
            input.parse::<Token![.]>()?;
            self.function.lent.insert((value, number(input)?));
            comma(input)?;
        }
        Ok(())
    }

    fn backwards(&mut self, input: ParseStream) -> Result<()> {
        while !input.is_empty() {
            let back = label(input)?;
            input.parse::<Token![=]>()?;
            let forward = label(input)?;
            self.function.backwards.insert(back, forward);
            self.function.next_block = self.function.next_block.max(back.0 + 1).max(forward.0 + 1);
            comma(input)?;
        }
        Ok(())
    }

    /// Places and items.
    fn declarations(&mut self, input: ParseStream) -> Result<()> {
        while peek_word(input, "slot") {
            self.slot(input)?;
        }
        if peek_word(input, "items") {
            self.function.items = items(input)?;
        }
        Ok(())
    }

    fn slot(&mut self, input: ParseStream) -> Result<()> {
        word(input, "slot")?;
        let slot = slot_number(input)?;
        let name = name(input)?;
        input.parse::<Token![:]>()?;
        let ty = ty(input)?;
        let access = match () {
            () if eat(input, "shared") => Access::Shared,
            () if eat(input, "unique") => Access::Unique,
            () => Access::Owned,
        };
        let is_tangent = eat(input, "tangent");
        self.reserve_slot(slot);
        self.function.slots[slot.0 as usize] =
            SlotData { name, ty, span: Span::call_site(), access, is_tangent, tangent_of: None };
        Ok(())
    }

    fn reserve_slot(&mut self, slot: Slot) {
        while self.function.slots.len() <= slot.0 as usize {
            self.function.slots.push(SlotData {
                name: String::new(),
                ty: OF_PLACE,
                span: Span::call_site(),
                access: Access::Owned,
                is_tangent: false,
                tangent_of: None,
            });
        }
    }

    /// Gives versions the types of their places, which stand behind the parameters.
    fn place_types(&mut self) {
        let Function { values, slots, .. } = &mut self.function;
        for data in values.iter_mut().filter(|data| data.ty == OF_PLACE) {
            if let Some(slot) = data.slot {
                data.ty = slots[slot.0 as usize].ty.clone();
            }
        }
    }

    fn definitions(&mut self, input: ParseStream) -> Result<Vec<Value>> {
        let mut all = Vec::new();
        while peek_definition(input) {
            all.push(self.definition(input)?);
            if input.parse::<Option<Token![,]>>()?.is_none() {
                break;
            }
        }
        Ok(all)
    }

    fn definition(&mut self, input: ParseStream) -> Result<Value> {
        let value = self.value(input)?;
        let name = if input.peek(Token![:]) { String::new() } else { name(input)? };
        input.parse::<Token![:]>()?;
        let ty = if input.peek(Token![@]) { OF_PLACE } else { ty(input)? };
        let slot = input.peek(Token![@]).then(|| slot_number(input)).transpose()?;
        slot.into_iter().for_each(|slot| self.reserve_slot(slot));
        let written = input.parse::<Option<Token![as]>>()?;
        let annotation = written.map(|_| parenthesised(input)).transpose()?.map(Box::new);
        self.function.values[value.0 as usize] =
            ValueData { ty, name, span: Span::call_site(), slot, annotation };
        Ok(value)
    }

    fn values(&mut self, input: ParseStream) -> Result<Vec<Value>> {
        let mut all = Vec::new();
        while peek_value(input) && !peek_definition(input) {
            all.push(self.value(input)?);
            if input.parse::<Option<Token![,]>>()?.is_none() {
                break;
            }
        }
        Ok(all)
    }

    fn value(&mut self, input: ParseStream) -> Result<Value> {
        let word = any_word(input)?;
        let number = numbered(&word.to_string(), "v");
        let number = number.ok_or_else(|| syn::Error::new(word.span(), "a value"))?;
        while self.function.values.len() <= number as usize {
            let data = ValueData::named(Type::Unknown, "", Span::call_site());
            self.function.values.push(data);
        }
        Ok(Value(number))
    }

    fn insts(&mut self, input: ParseStream) -> Result<Vec<Inst>> {
        let mut insts = Vec::new();
        while !peek_word(input, "return") && !peek_word(input, "yield") {
            insts.push(self.inst(input)?);
        }
        Ok(insts)
    }

    fn inst(&mut self, input: ParseStream) -> Result<Inst> {
        let results = self.definitions(input)?;
        if !results.is_empty() {
            input.parse::<Token![=]>()?;
        }
        let mut op = self.op(input)?;
        let args = self.values(input)?;
        self.blocks(input, &mut op)?;
        Ok(Inst { op, args, results, span: Span::call_site() })
    }

    /// The blocks of an operation, which stand behind its arguments.
    fn blocks(&mut self, input: ParseStream, op: &mut Op) -> Result<()> {
        let between = if matches!(op, Op::Loop(_)) { "do" } else { "else" };
        for (index, block) in op.blocks_mut().enumerate() {
            if index > 0 {
                word(input, between)?;
            }
            *block = self.block(input)?;
        }
        Ok(())
    }

    fn block(&mut self, input: ParseStream) -> Result<Block> {
        let id = input.peek(syn::Lifetime).then(|| label(input)).transpose()?;
        let mut params = Vec::new();
        if input.peek(syn::token::Paren) {
            let inner;
            parenthesized!(inner in input);
            params = self.definitions(&inner)?;
            end(&inner)?;
        }
        let mut block = self.block_of(params);
        block.id = id.unwrap_or(block.id);
        let content;
        syn::braced!(content in input);
        block.insts = self.insts(&content)?;
        word(&content, "yield")?;
        block.results = self.values(&content)?;
        end(&content)?;
        Ok(block)
    }

    fn block_of(&mut self, params: Vec<Value>) -> Block {
        Block { params, ..self.function.new_block() }
    }
}

/// A type.
fn ty(input: ParseStream) -> Result<Type> {
    if input.peek(syn::token::Paren) {
        let inner;
        parenthesized!(inner in input);
        return Ok(Type::Tuple(all(&inner, ty)?));
    }
    if input.peek(syn::token::Bracket) {
        let inner;
        bracketed!(inner in input);
        let item = Box::new(ty(&inner)?);
        return Ok(match inner.parse::<Option<Token![;]>>()? {
            Some(_) => Type::Array(item, inner.parse::<TokenStream>()?.to_string()),
            None => Type::Slice(item),
        });
    }
    if input.parse::<Option<Token![&]>>()?.is_some() {
        let is_mut = input.parse::<Option<Token![mut]>>()?.is_some();
        return Ok(Type::Reference(Box::new(ty(input)?), is_mut));
    }
    if input.parse::<Option<Token![?]>>()?.is_some() {
        return Ok(Type::Unknown);
    }
    if input.parse::<Option<Token![!]>>()?.is_some() {
        return Ok(Type::Never);
    }
    if input.parse::<Option<Token![fn]>>()?.is_some() {
        return function_type(input);
    }
    named_type(input)
}

fn function_type(input: ParseStream) -> Result<Type> {
    let inner;
    parenthesized!(inner in input);
    let count = number(&inner)?;
    let is_reference = inner.parse::<Option<Token![,]>>()?.is_some();
    if is_reference {
        inner.parse::<Token![ref]>()?;
    }
    input.parse::<Token![->]>()?;
    Ok(Type::Function(Box::new(ty(input)?), count, is_reference))
}

fn named_type(input: ParseStream) -> Result<Type> {
    let word = any_word(input)?;
    let of = |make: fn(Box<Type>) -> Type| {
        input.parse::<Token![<]>()?;
        let item = ty(input)?;
        input.parse::<Token![>]>()?;
        Ok(make(Box::new(item)))
    };
    match word.to_string().as_str() {
        "f32" => Ok(Type::Float(FloatKind::F32)),
        "f64" => Ok(Type::Float(FloatKind::F64)),
        "float" if input.peek(syn::token::Paren) => {
            let inner;
            parenthesized!(inner in input);
            Ok(Type::Float(FloatKind::Parameter(inner.parse::<TokenStream>()?.to_string())))
        }
        "float" => Ok(Type::Float(FloatKind::Literal)),
        "int" => Ok(Type::Int),
        "bool" => Ok(Type::Bool),
        "text" => Ok(Type::Text),
        "constant" => Ok(Type::Constant),
        "pullback" => Ok(Type::Pullback),
        "Vec" => of(Type::Vec),
        "Cell" => of(Type::Cell),
        "Option" => of(Type::Wrapped),
        _ => Err(syn::Error::new(word.span(), "a type of the IR")),
    }
}

/// A path of projections.
fn path(input: ParseStream) -> Result<Path> {
    let mut path = Path::new();
    loop {
        if input.peek(syn::token::Bracket) {
            path.push(bracket(input)?);
        } else if input.parse::<Option<Token![*]>>()?.is_some() {
            path.push(Projection::Deref);
        } else if input.peek(syn::token::Paren) {
            let inner;
            parenthesized!(inner in input);
            let variant =
                Box::new(inner.call(syn::Path::parse_mod_style).or_else(|_| inner.parse())?);
            let mut fields = fields(input)?.into_iter();
            path.push(Projection::Variant(variant, fields.next().unwrap_or_default()));
            path.extend(fields.map(Projection::Field));
        } else if input.peek(Token![.]) && !input.peek(Token![..]) {
            dotted(input, &mut path)?;
        } else {
            return Ok(path);
        }
    }
}

/// A path behind `_`.
fn rooted(input: ParseStream) -> Result<Path> {
    input.parse::<Token![_]>()?;
    path(input)
}

fn bracket(input: ParseStream) -> Result<Projection> {
    let inner;
    bracketed!(inner in input);
    if inner.is_empty() {
        return Ok(Projection::Index);
    }
    if inner.parse::<Option<Token![&]>>()?.is_some() {
        return Ok(Projection::Key);
    }
    let start = inner.parse::<Option<Token![_]>>()?.is_some();
    let inclusive = inner.peek(Token![..=]);
    match inclusive {
        true => inner.parse::<Token![..=]>().map(|_| ())?,
        false => inner.parse::<Token![..]>().map(|_| ())?,
    }
    let end = inner.parse::<Option<Token![_]>>()?.is_some();
    Ok(Projection::Range(Ends { start, end, inclusive }))
}

/// A field, or a method that leads to what is inside.
fn dotted(input: ParseStream, path: &mut Path) -> Result<()> {
    let fields = fields(input)?;
    let is_method = input.peek(syn::token::Paren)
        && fields.last().is_some_and(|field| matches!(&**field, "borrow" | "unwrap" | "expect"));
    if !is_method {
        path.extend(fields.into_iter().map(Projection::Field));
        return Ok(());
    }
    let inner;
    parenthesized!(inner in input);
    path.push(match &*fields[0] {
        "borrow" => Projection::Borrowed,
        method => {
            let message = (!inner.is_empty()).then(|| inner.parse()).transpose()?;
            Projection::Unwrap(
                Box::new(Ident::new(method, Span::call_site())),
                message.map(Box::new),
            )
        }
    });
    Ok(())
}

/// `.x`, or `.0.1`, which is the token of a float behind a dot.
fn fields(input: ParseStream) -> Result<Vec<String>> {
    input.parse::<Token![.]>()?;
    if input.peek(syn::LitInt) || input.peek(syn::LitFloat) {
        let text = input.parse::<syn::Lit>()?.to_token_stream().to_string();
        return Ok(text.split('.').map(str::to_owned).collect());
    }
    Ok(vec![any_word(input)?.to_string()])
}

fn items(input: ParseStream) -> Result<Vec<syn::Item>> {
    any_word(input)?;
    let inner;
    syn::braced!(inner in input);
    let mut items = Vec::new();
    while !inner.is_empty() {
        items.push(inner.parse()?);
    }
    Ok(items)
}

fn slot_number(input: ParseStream) -> Result<Slot> {
    input.parse::<Token![@]>()?;
    Ok(Slot(number(input)?))
}

fn label(input: ParseStream) -> Result<BlockId> {
    let label: syn::Lifetime = input.parse()?;
    let number = numbered(&label.ident.to_string(), "b");
    number.map(BlockId).ok_or_else(|| syn::Error::new(label.span(), "a label of a block"))
}

/// A name as `ir/print.rs` writes it.
fn name(input: ParseStream) -> Result<String> {
    match input.peek(syn::LitStr) {
        true => Ok(input.parse::<syn::LitStr>()?.value()),
        false => Ok(any_word(input)?.to_string()),
    }
}

fn function_name(input: ParseStream) -> Result<String> {
    let mut text = name(input)?;
    while input.parse::<Option<Token![::]>>()?.is_some() {
        text = format!("{text}::{}", any_word(input)?);
    }
    Ok(text)
}

fn any_word(input: ParseStream) -> Result<Ident> {
    input.call(Ident::parse_any)
}

fn peek_word(input: ParseStream, wanted: &str) -> bool {
    input.fork().call(Ident::parse_any).is_ok_and(|word| word == wanted)
}

/// Takes a word, if it is there.
fn eat(input: ParseStream, wanted: &str) -> bool {
    peek_word(input, wanted) && input.call(Ident::parse_any).is_ok()
}

fn word(input: ParseStream, wanted: &str) -> Result<()> {
    match eat(input, wanted) {
        true => Ok(()),
        false => Err(input.error(format!("expected `{wanted}`"))),
    }
}

fn peek_value(input: ParseStream) -> bool {
    let word = input.fork().call(Ident::parse_any);
    word.is_ok_and(|word| numbered(&word.to_string(), "v").is_some())
}

/// Whether a value is defined here, and not used: behind it stand its name, which is none of a value's, and a colon.
fn peek_definition(input: ParseStream) -> bool {
    let ahead = input.fork();
    if !peek_value(&ahead) || any_word(&ahead).is_err() {
        return false;
    }
    let is_named = ahead.peek(syn::LitStr) || ahead.peek(Ident::peek_any) && !peek_value(&ahead);
    if is_named && name(&ahead).is_err() {
        return false;
    }
    ahead.peek(Token![:]) && !ahead.peek(Token![::])
}

fn numbered(text: &str, prefix: &str) -> Option<u32> {
    text.strip_prefix(prefix)?.parse().ok()
}

fn number<N: std::str::FromStr>(input: ParseStream) -> Result<N>
where
    N::Err: std::fmt::Display,
{
    input.parse::<syn::LitInt>()?.base10_parse()
}

fn comma(input: ParseStream) -> Result<()> {
    if input.is_empty() { Ok(()) } else { input.parse::<Token![,]>().map(|_| ()) }
}

/// Items between commas, until nothing is left.
fn all<T>(input: ParseStream, one: impl Fn(ParseStream) -> Result<T>) -> Result<Vec<T>> {
    let mut items = Vec::new();
    while !input.is_empty() {
        items.push(one(input)?);
        comma(input)?;
    }
    Ok(items)
}

fn parenthesised<T: syn::parse::Parse>(input: ParseStream) -> Result<T> {
    let inner;
    parenthesized!(inner in input);
    let parsed = inner.parse()?;
    end(&inner)?;
    Ok(parsed)
}

fn end(input: ParseStream) -> Result<()> {
    if input.is_empty() { Ok(()) } else { Err(input.error("nothing can stand here")) }
}
