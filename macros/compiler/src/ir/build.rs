//! Building blocks: a cursor into a function under construction.
//!
//! In: operations and arguments. Out: instructions at the end of the innermost open block. Every
//! instruction takes a span from the user's tokens.

use super::{Access, Block, Function, Inst, Op, Slot, SlotData, Type, Value, ValueData, Watch};
use proc_macro2::Span;
use rustc_hash::FxHashMap as HashMap;
use std::rc::Rc;

/// A function under construction, with a stack of open blocks.
pub struct Builder {
    pub function: Function,
    open: Vec<Block>,
    /// The formulas of rules that were read before: without optimisation a parser is slow.
    formulas: HashMap<&'static str, Rc<syn::Expr>>,
}

impl Builder {
    /// In debug mode, looks at what a rule made of a (co)tangent.
    pub fn watch(
        &mut self,
        rule: &str,
        primals: Vec<Value>,
        given: &[Value],
        made: Value,
        span: Span,
    ) {
        let watch = Watch { rule: rule.to_owned(), primals: primals.len(), given: given.len() };
        let args = [&primals[..], given, &[made]].concat();
        self.push(Op::Watch(Box::new(watch)), args, Vec::new(), span);
    }

    /// Starts with the function's body open.
    pub fn new(mut function: Function) -> Self {
        let body = function.take_body();
        Builder { function, open: vec![body], formulas: HashMap::default() }
    }

    /// Reads a formula of a rule.
    pub fn formula(&mut self, text: &'static str) -> Rc<syn::Expr> {
        let read = || syn::parse_str(text).unwrap_or_else(|error| panic!("`{text}`: {error}"));
        Rc::clone(self.formulas.entry(text).or_insert_with(|| Rc::new(read())))
    }

    /// Closes the body and hands the function over.
    pub fn finish(mut self) -> Function {
        self.function.body = self.open.pop().expect("the body is open until the end");
        assert!(self.open.is_empty(), "a block was left open");
        self.function
    }

    /// Opens a block: instructions go there until it is closed.
    pub fn open(&mut self) {
        let block = self.function.new_block();
        self.open.push(block);
    }

    /// Closes the innermost block.
    pub fn close(&mut self, results: Vec<Value>) -> Block {
        let mut block = self.open.pop().expect("an open block to close");
        block.results = results;
        block
    }

    /// The innermost open block.
    pub fn block(&mut self) -> &mut Block {
        self.open.last_mut().expect("an open block")
    }

    /// Whether a value is a parameter of the function.
    pub fn is_function_param(&self, value: Value) -> bool {
        self.open.first().is_some_and(|body| body.params.contains(&value))
    }

    /// Makes a value without defining it.
    pub fn value(&mut self, ty: Type, name: &str, span: Span) -> Value {
        self.function.new_value(ValueData {
            ty,
            name: name.to_owned(),
            span,
            slot: None,
            annotation: None,
        })
    }

    /// Makes a version of a slot without defining it.
    pub fn version(&mut self, slot: Slot) -> Value {
        let data = self.function.slot(slot).clone();
        self.function.new_value(ValueData {
            ty: data.ty,
            name: data.name,
            span: data.span,
            slot: Some(slot),
            annotation: None,
        })
    }

    /// The first version of a new place that this function owns, not defined yet.
    pub fn place(&mut self, ty: Type, name: &str, span: Span, is_tangent: bool) -> Value {
        let access = Access::Owned;
        let (name, tangent_of) = (name.to_owned(), None);
        let data = SlotData { name, ty, span, access, is_tangent, tangent_of };
        let slot = self.function.new_slot(data);
        self.version(slot)
    }

    /// A value without definition yet: a place for what is kept in one.
    pub fn fresh(&mut self, ty: Type, name: &str, span: Span, is_tangent: bool) -> Value {
        match ty.is_aggregate() {
            true => self.place(ty, name, span, is_tangent),
            false => self.value(ty, name, span),
        }
    }

    /// Adds a parameter to the innermost open block.
    pub fn param(&mut self, value: Value) -> Value {
        self.block().params.push(value);
        value
    }

    /// Appends an instruction with given results.
    pub fn push(&mut self, op: Op, args: Vec<Value>, results: Vec<Value>, span: Span) {
        self.block().insts.push(Inst { op, args, results, span });
    }

    /// Puts an instruction with given results at the start of the function.
    pub fn push_first(&mut self, op: Op, results: Vec<Value>, span: Span) {
        let body = self.open.first_mut().expect("the body is open");
        body.insts.insert(0, Inst { op, args: Vec::new(), results, span });
    }

    /// Appends an instruction with one new result.
    pub fn inst(&mut self, op: Op, args: Vec<Value>, ty: Type, name: &str, span: Span) -> Value {
        let result = self.value(ty, name, span);
        self.push(op, args, vec![result], span);
        result
    }

    /// Appends a number of iterations.
    pub fn count(&mut self, number: usize, span: Span) -> Value {
        let literal = syn::Lit::Int(syn::LitInt::new(&format!("{number}usize"), span));
        self.inst(Op::Literal(literal), Vec::new(), Type::Int, "count", span)
    }

    /// Appends that a loop goes on.
    pub fn goes_on(&mut self, span: Span) -> Value {
        let holds = syn::Lit::Bool(syn::LitBool::new(true, span));
        self.inst(Op::Literal(holds), Vec::new(), Type::Bool, "goes_on", span)
    }

    /// Appends an instruction that makes the next version of a slot.
    pub fn update(&mut self, op: Op, args: Vec<Value>, slot: Slot, span: Span) -> Value {
        let result = self.version(slot);
        self.push(op, args, vec![result], span);
        result
    }
}
