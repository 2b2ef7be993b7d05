//! Every diagnostic as one table, and the collector that gathers all of a function's errors.
//!
//! In: reports with a span. Out: one `compile_error!` for each, all at once. A row's name is the name
//! of its ui test. The book's table of what is not supported (`core/docs/supported.md`) is written from the rows.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

/// One kind of error: what is wrong, and what to write instead.
pub struct Diagnostic {
    /// That of its ui test.
    pub name: &'static str,
    /// Of which part of the language it is.
    pub topic: &'static str,
    /// What is not supported, as the book's table has it.
    pub refused: &'static str,
    /// What is wrong. `{}` stands for the particular.
    pub message: &'static str,
    /// What to write instead.
    pub advice: &'static str,
}

macro_rules! diagnostics {
    ($($topic:literal {
        $($constant:ident = $name:literal: $refused:literal, $message:literal, $advice:literal;)*
    })*) => {
        $($(pub static $constant: Diagnostic = Diagnostic {
            name: $name,
            topic: $topic,
            refused: $refused,
            message: $message,
            advice: $advice,
        };)*)*
        /// All rows.
        pub static TABLE: &[&Diagnostic] = &[$($(&$constant),*),*];
    };
}

diagnostics! {
    "attributes" {
        NOT_A_FUNCTION = "not_a_function": "the attribute on anything but functions, blocks, traits and modules",
            "`#[differentiate]` works on functions, `impl` blocks, traits and modules only",
            "move it to a `fn` with a body, to an `impl`, to a trait or to a module around this";
        MODULE_ELSEWHERE = "module_elsewhere": "the attribute on a module that stands in another file",
            "the functions of a module in another file are not seen here",
            "write `#[differentiate]` on its functions and blocks, or the module with its contents, `mod name { .. }`";
        WITHOUT_TANGENT = "without_tangent": "in a module with the attribute, parameters and results of types that have no tangent",
            "`{}` has no tangent type",
            "write `#[derive(Differentiable)]` on it, or name the parameter in `#[differentiate(constant(..))]`";
        COMPANION_TAKEN = "companion_taken": "in a module with the attribute, a function with the name of a type or of a module beside it",
            "there is a type or a module `{}` beside this function, which has the name of its companion",
            "write `#[differentiate(companion = name)]` with another name";
        WITHOUT_DERIVATIVES = "without_derivatives": "calls with active values of what cannot be differentiated, in a module with the attribute",
            "{}",
            "change what is wrong in it, or call it with `stop_gradient(..)` if its result shall have no derivative";
        ATTRIBUTE = "attribute": "unknown or conflicting arguments",
            "{}",
            "the arguments are `constant(..)`, `wrt(..)`, `advance(..)`, `aux`, `forward`, `reverse`, `shared`, `recursive`, `overlay(path = fast)`, `debug`, `companion = name`, on a trait `dyn`, and in blocks `skip`";
        ORDER = "order": "a second `#[differentiate]` where something has first derivatives only",
            "there are no derivatives of a higher order here: {}",
            "write one `#[differentiate]`, and functions that need more of them without this";
        PRIMITIVE = "primitive": "a rule that lacks something, or on what cannot have one",
            "{}",
            "write `#[primitive(vjp = path, jvp = path)]` with both or one of them, `#[primitive(partials(..))]` with an expression for each active parameter, `#[primitive(of = path, dual)]`, or one of `#[primitive(root = path)]`, `fixed_point = path` and `argmin = path`; and `constant(..)`, `wrt(..)`, `shared`, `companion = name` as in `#[differentiate]`";
        IMPLICIT = "implicit": "functions by `root`, `fixed_point` or `argmin` with `&mut`, with a result that is not a float, an array or a vector of floats, or with another rule beside these",
            "{}",
            "write `#[primitive(root = residual)] fn solve(..) -> f64` (or `[f64; N]`, or `Vec<f64>`), where `residual` has `#[differentiate]`, and takes the unknown and then the parameters of `solve`, by value or by `&`; likewise `fixed_point = step` and `argmin = objective`";
        UNKNOWN_PARAMETER = "unknown_parameter": "names in `constant(..)` and `wrt(..)` that are no parameters",
            "there is no parameter `{}`",
            "name a parameter of this function";
        CONDITIONAL = "conditional": "`#[cfg(..)]` on parameters, `#[cfg_attr(..)]`, and more than three conditions inside of a body",
            "a macro does not see whether `#[cfg]` leaves this out",
            "write two functions of one name, each with its `#[cfg]` in front of `#[differentiate]`";
        CHECKPOINT = "checkpoint": "`#[checkpoint]` on what is no loop, or with other arguments",
            "this is no `#[checkpoint]` of a loop{}",
            "write `#[checkpoint]`, `#[checkpoint(every = 100)]` or `#[checkpoint(snapshots = 10)]` on a `for`, `while` or `loop`";
        UNCOUNTED_SNAPSHOTS = "uncounted_snapshots": "`snapshots` on a loop whose length is not known when it begins",
            "`snapshots` needs a loop whose number of iterations is known before it begins",
            "write `#[checkpoint]` or `#[checkpoint(every = 100)]`, or a `for` over a range";
    }
    "functions, parameters and results" {
        TOO_DEEP = "too_deep": "code nested more deeply than 128 levels",
            "this is nested more deeply than {} levels",
            "move inner parts into functions of their own";
        INCOHERENT_BODY = "incoherent_body": "bodies that rustc does not accept either, such as writes behind `&`",
            "this body does not hold together: {}",
            "mend what else rustc says of it; if it accepts the function without the attribute, please report the function as a fault of cotangent's";
        UNSAFE_FUNCTION = "unsafe_function": "`unsafe fn`",
            "an `unsafe fn` cannot be differentiated",
            "take `unsafe` away, or move what needs it into a safe function with a rule of its own, `#[primitive(..)]`";
        ASYNC_FUNCTION = "async_function": "`async fn`",
            "an `async fn` cannot be differentiated",
            "differentiate the computation without `async`";
        SELF_PARAMETER = "self_parameter": "`self: Box<Self>` and other receivers with a type",
            "a receiver of this type is not supported",
            "take `self`, `&self` or `&mut self`";
        OBJECT_TRAIT = "object_trait": "`dyn` on a trait with parameters, associated types or constants",
            "a trait with parameters, associated types or constants has no objects of one type",
            "leave `dyn` out, or write the trait with functions alone";
        PARAMETER_PATTERN = "parameter_pattern": "alternatives in a parameter's pattern",
            "this pattern is not supported for a parameter",
            "take the parameter by a name and destructure it with `let`";
        FUNCTION_PARAMETER = "function_parameter": "functions in a `Box`, behind `&mut` and in other types, as parameters",
            "a function cannot be taken as a parameter of this type",
            "write `f: impl Fn(..) -> ..`, `f: &dyn Fn(..) -> ..`, or a type parameter with the bound `Fn`, `FnMut` or `FnOnce`";
        PARAMETER_TYPE = "parameter_type": "references in references, in options and in arrays, as parameters",
            "a parameter of this type cannot be differentiated",
            "use floats, arrays, slices, `Vec` and single references to them, or name it in `constant(..)`";
        RESULT_TYPE = "result_type": "references and `impl` of a trait as results",
            "a result of this type cannot be differentiated",
            "return values, not references or `impl Trait`; write into a `&mut` parameter instead";
        FORWARDED_OPERATOR = "forwarded_operator": "operators on references that call the one on values",
            "this operator calls the one on values, which has the derivatives of both",
            "put `#[differentiate]` on the `impl` for values alone";
        BORROWED_RESULT = "borrowed_result": "results that borrow from a parameter",
            "a result that borrows from a parameter cannot be differentiated",
            "return values; an error may own what it says, as a `String` does, or be a `&'static str`";
        SHARED_STATE = "shared_state": "cells by value and as results, `Arc`, `Mutex` and the like",
            "`{}` is not supported here: what it holds may be reached by another way at the same time",
            "`Rc`, `RefCell` and `Cell` are taken by `&`; pass the contents of others by `&mut`, or name the parameter in `constant(..)`";
    }
    "statements and expressions" {
        PATTERN = "pattern": "alternatives that bind names, in `let` and inside of other patterns",
            "this pattern is not supported",
            "bind names, and tuples and arrays of names; write an arm of a `match` for each alternative";
        UNSUPPORTED_EXPRESSION = "unsupported_expression": "`const` blocks, raw pointers and ranges of floats as values; sums of a number and a value of a type of your own",
            "{} cannot be differentiated yet",
            "write it with what `cotangent::guide::supported` lists, or move it into a plain function if no active parameter reaches it";
        INNER_STATIC = "inner_static": "a `static` in the body",
            "a `static` in the body would exist once more in each derivative",
            "move it out of the function";
        INNER_ITEM = "inner_item": "items in inner blocks whose name stands elsewhere in the body, and `use`",
            "an item in an inner block is supported only if its name stands nowhere else in the function",
            "give it another name, or move it to the top of the function's body";
        UNSAFE_CODE = "unsafe_code": "`unsafe` blocks",
            "`unsafe` code cannot be differentiated",
            "move it into a function with a rule of its own, `#[primitive(..)]`, or, where no active parameter reaches it, into a plain function";
        UNSUPPORTED_MACRO = "unsupported_macro": "macros but those listed above, your own included",
            "the macro `{}!` is not known here, so its derivative is not either",
            "write in its place what it expands to, or a call of a function with `#[differentiate]`; what no active parameter reaches may be computed in a plain function";
        EXIT_IN_MACRO = "exit_in_macro": "`return`, `break` and `continue` in the arguments of macros that print, assert or panic",
            "control leaves from inside of a macro's arguments",
            "evaluate the argument in a `let` before";
        NAMESAKE = "namesake": "a name that a macro's hygiene keeps apart from the variable",
            "there is a variable `{}`, but macro hygiene keeps it apart from this name",
            "give one of the two another name";
    }
    "places and references" {
        STATIC_WRITE = "assignment_to_item": "writes to a `static`, an atomic, a lock, a cell of the thread or a constant",
            "`{}` is not a variable of this function: a write to an item cannot be differentiated",
            "take the state as a parameter, such as `state: &mut f64`, and write `*state = ..`; the caller keeps it";
        ASSIGNMENT_TARGET = "assignment_target": "assignments to structs that are taken apart, to arrays by a value that is not written as one, and through what a call returns",
            "this cannot be assigned to",
            "assign to a variable, or to an element such as `a[i]` or `a[i][j]`";
        CONSTANT_WRITE = "constant_write": "active values in parameters that are declared constant",
            "an active value is written into a parameter declared constant",
            "remove the parameter from `constant(..)`, so that its derivative is not lost";
        OPAQUE_WRITE = "opaque_write": "calls without active arguments that change what the pullback restores",
            "a call without active arguments changes a place that the pullback must restore",
            "call it on a local copy, or give the function `#[differentiate]`";
        REFERENCE_VALUE = "reference_value": "references that are chosen by `if`, and in arrays and options",
            "a reference cannot be kept as a value here",
            "give it a name of its own, `let r = &a[i];`, or choose by an index: `let i = ..;`, then `a[i]`";
        REBOUND_REFERENCE = "rebound_reference": "a reference that another one takes the place of, such as in a walk along a list",
            "`{}` is bound to a reference, and another one cannot take its place here",
            "keep what changes in an index: `best = i;`, then `a[best]`";
        SHARED_HANDLE = "shared_handle": "an `Rc` that is made in the body, and passed on or kept in a struct",
            "a handle to shared contents leaves the function's sight here, and with it the shadow that all handles share",
            "use the handle in this function only, pass on its contents (`&mut *a.borrow_mut()`), or take it as a parameter by `&`";
    }
    "iterators, methods and calls" {
        UNSUPPORTED_ITERATOR = "unsupported_iterator": "other sources and adaptors, such as `rchunks`; `chain` within five others",
            "a loop over this is not supported yet",
            "write it over a range, or over `a.iter()` with the adaptors that `cotangent::guide::supported` lists";
        KEPT_ITERATOR = "kept_iterator": "iterators under a `mut` name whose elements have no positions, as behind `flat_map`, and `nth` and `peek` behind `filter`; other methods that borrow one, such as `find`, and `by_ref` but for a counted part that is gone through to its end; `cycle` of such",
            "an iterator cannot be kept as a value",
            "use it up in one chain or in one `for` loop, advance it by `next`, `nth` and `peek` alone, or go by an index";
        PARALLEL = "parallel": "chains of parallel iterators with other methods, that write to two slices, or that are kept under a name",
            "the chain that begins with `{}` cannot be taken apart into pieces",
            "write it in one expression by the methods that `cotangent::guide::threads` lists; what is written to comes first, and the rest by `zip`";
        OPERATOR_ORDERS = "operator_orders": "second derivatives of operators of types of your own",
            "an operator has first derivatives only",
            "write `#[differentiate]` once, and a function in place of the operator where further derivatives are needed";
        CONVERSION = "conversion": "third derivatives of `impl From`, and those of one mode alone",
            "a conversion has first and second derivatives, in both modes",
            "write `#[differentiate]` once or twice, without `forward` and `reverse`, or call a function with `#[differentiate]`";
        SUM_OF_PRODUCTS = "sum_of_products": "`#[differentiate]` on a `+` or `-` that is not one of all parts of its operands",
            "the derivative of this operator reads an operand here, and operands of `+` and `-` are not kept for it",
            "add and subtract the parts of the operands and nothing else, or write a function in place of the operator";
        ASSIGNING_OPERATOR = "assigning_operator": "`#[differentiate]` on operators that assign",
            "an operator that assigns has the derivatives of `{}`",
            "put `#[differentiate]` on the `impl` of that trait: `a += b` is differentiated as `a = a + b`";
        PLACE = "place": "`#[differentiate]` on `Index`, and on dereferences, where the place depends on more of the value than the index",
            "the tangent has no `self` to ask here: it holds the floats of the value alone",
            "return references to parts of `self` that the index alone chooses, such as `&self.0[i]`; else write a method with `#[differentiate]`, such as `fn at(&self, i: usize) -> f64`, and call that in place of the operator";
        COLLECTION_METHOD = "unsupported_method": "other methods of slices, vectors and iterators, such as `select_nth_unstable_by` and `sort_unstable_by_key`; `map` of an array within five others",
            "the method `{}` of a slice, an array, a collection or an iterator is not supported yet",
            "write it as a loop; `cotangent::guide::supported` lists what is supported";
        UNKNOWN_METHOD = "unknown_method": "methods of floats without a rule, with an active argument, such as those that make bits, bytes or a text",
            "the method `{}` has no derivative rule, and its receiver or an argument depends on an active parameter",
            "use a method of the rule table, call a function with `#[differentiate]`, or write `stop_gradient(..)` around the receiver and the arguments if the derivative should be zero";
        CLOSURE_CALL = "closure_call": "calls of functions behind `&mut`",
            "`{}` is a local variable: calls of it are not supported yet",
            "take a function as `f: impl Fn(..) -> ..`, bind a closure by `let` in this function, or write a function with `#[differentiate]`";
        CLOSURE_STATE = "closure_state": "closures that change what they capture, passed to functions",
            "`{}` is changed by a closure that is passed to a function",
            "let the closure only read what it captures, and pass what changes by `&mut`";
        ACTIVE_TEXT = "active_text": "texts of active values, but where they are shown: in macros that print or panic, and in errors",
            "`{}` makes a text of a value that depends on an active parameter, and the text is used",
            "write `stop_gradient(..)` around the value if what is done with the text has no derivative";
        ERROR_VALUE = "error_value": "active values in the error of a `Result`",
            "errors are constants, and this one is made of a value that depends on an active parameter",
            "write `stop_gradient(..)` around the value, or return it by `Ok`";
        FUNCTION_POINTER = "function_pointer": "function pointers that are called with active arguments",
            "a function pointer has no derivative, and an argument of this call depends on an active parameter",
            "take the function as `f: impl Fn(..) -> ..`, or as a type parameter with that bound";
        PULLBACK = "pullback": "a pullback that is passed on, kept in a pair, or undoes a call with `&mut`",
            "the pullback of this `vjp` cannot be differentiated: {}",
            "bind it by `let (y, pullback) = f::vjp(..)`, call it by this name in the same function, and take places by `&`; `jvp`, `value_and_gradient` and `accumulate_gradient` of functions with `&mut` can be differentiated";
        FUNCTION_VALUE = "function_value": "`function!` of closures whose parameters have no types",
            "`function!` takes the path of a function, or a closure whose parameters have types",
            "write `function!(f)` or `function!(|x: f64| x.sin())`";
    }
    "`derive`, `check!` and `dump!`" {
        DERIVE_UNION = "derive_union": "a `union`",
            "a union has no tangent type: which of its fields holds is not known",
            "use an enum";
        DERIVE_REFERENCE = "derive_reference": "references in fields",
            "a reference in a field is not supported: a tangent owns what it holds",
            "hold the value itself, or a `Vec` in place of a slice; or pass the reference as a parameter of its own";
        DERIVE_ATTRIBUTE = "derive_attribute": "`#[differentiable(..)]` on what is not a field, twice, or with other arguments",
            "this is no `#[differentiable(constant)]` of a field: {}",
            "write `#[differentiable(constant)]` once in front of the field that has no derivative";
        CHECK_CALL = "check_call": "`check!` of anything but a call",
            "`check!` takes one call of a differentiated function",
            "write `check!(f(1.0, &x))` or `check!(x.method(1.0))`";
        CHECK_ITEM = "check_item": "other items behind the call in `check!`",
            "after the call `check!` takes domains and options, each once",
            "write `x in 0.0..1.0` with or without `points = 50`, `allocations = counter` with or without `tape`, `against = exact`, `within = 1e-6`, `step = 1e-4`, and `rounded`";
        STAGE = "unknown_stage": "other stages of `dump!`",
            "there is no stage `{}`",
            "the stages are `hir`, `primal`, `forward`, `reverse`, `tape`, `graph`, `optimized`, `rust`";
        NOTHING_TO_DRAW = "nothing_to_draw": "a picture of a function whose rule is given",
            "there is no picture of `{}`: a rule gives its derivatives, and nothing is made from its body",
            "draw a function with `#[differentiate]` and without a rule; the stage `rust` shows what the rule becomes";
    }
}

/// From which token to which an error reaches: stable Rust cannot join spans.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    first: Span,
    last: Span,
}

impl Extent {
    /// All of an expression, pattern or type.
    pub fn of(tokens: &impl ToTokens) -> Self {
        let mut spans = tokens.to_token_stream().into_iter().map(|token| token.span());
        let first = spans.next().unwrap_or_else(Span::call_site);
        Extent { first, last: spans.last().unwrap_or(first) }
    }
}

impl From<Span> for Extent {
    fn from(span: Span) -> Self {
        Extent { first: span, last: span }
    }
}

/// Collects the errors of one function.
#[derive(Clone, Default)]
pub struct Reports {
    errors: Vec<(Extent, String)>,
    /// The error of a body that rustc should refuse by itself.
    doubt: Option<String>,
}

impl Reports {
    /// Records an error at its tokens, once: code that is lowered several times has each of its mistakes once.
    pub fn report(&mut self, at: impl Into<Extent>, row: &Diagnostic, particular: &str) {
        self.report_with(at, row, particular, row.advice);
    }

    /// The same with advice of its own.
    pub fn report_with(
        &mut self,
        at: impl Into<Extent>,
        row: &Diagnostic,
        particular: &str,
        advice: &str,
    ) {
        let error = (at.into(), worded(row, particular, advice));
        if !self.errors.iter().any(|known| is_same(known, &error)) {
            self.errors.push(error);
        }
    }

    /// Records a syntax error of syn or darling.
    pub fn push(&mut self, span: Span, message: String) {
        self.errors.push((span.into(), message));
    }

    /// Gives the function up, where rustc has an error of its own.
    pub fn give_up(&mut self) {
        self.suspect("rustc accepts it, and the compiler of derivatives does not");
    }

    /// Gives a body up that does not hold together. rustc says so itself, and better; [`Reports::doubt`] is for where it
    /// does not.
    pub fn suspect(&mut self, particular: &str) {
        let message = || worded(&INCOHERENT_BODY, particular, INCOHERENT_BODY.advice);
        self.doubt.get_or_insert_with(message);
    }

    /// Takes in what is wrong elsewhere.
    pub fn append(&mut self, other: &Reports) {
        self.errors.extend(other.errors.iter().cloned());
    }

    /// The first error without its advice.
    pub fn first(&self) -> Option<String> {
        let (_, message) = self.errors.first()?;
        message.lines().next().map(str::to_owned)
    }

    pub fn is_empty(&self) -> bool {
        self.errors.is_empty() && self.doubt.is_none()
    }

    /// Makes an error of a doubt, where no other error of rustc's is waited for.
    pub fn confirm(&mut self, at: Span) {
        self.errors.extend(self.doubt.take().map(|message| (at.into(), message)));
    }

    /// One `compile_error!` for each error, from its first token to its last.
    pub fn to_tokens(&self) -> TokenStream {
        self.errors.iter().map(compile_error).collect()
    }

    /// The last error as an expression, which rustc expands behind the others, and these as items.
    pub fn split(&self) -> Option<(TokenStream, TokenStream)> {
        let (last, others) = self.errors.split_last()?;
        Some((compile_error(last), others.iter().map(compile_error).collect()))
    }

    /// Takes the doubt about the function at hand, as code that rustc refuses when it has found no other error: a value
    /// that must be used is looked for last.
    pub fn doubt(&mut self, name: &Ident) -> Option<TokenStream> {
        let message = self.doubt.take().filter(|_| self.errors.is_empty())?;
        let call = quote_spanned!(name.span()=> incoherent_body(););
        Some(quote! {
            #[must_use = #message]
            fn incoherent_body() -> ::core::primitive::bool {
                false
            }
            #[deny(unused_must_use)]
            #call
        })
    }

    /// Where each error begins, and its message.
    pub fn located(&self) -> impl Iterator<Item = (Span, &str)> {
        self.errors.iter().map(|(extent, message)| (extent.first, message.as_str()))
    }

    /// The messages, for tools and tests.
    pub fn messages(&self) -> Vec<String> {
        self.errors.iter().map(|(_, message)| message.clone()).chain(self.doubt.clone()).collect()
    }
}

/// A message with its advice.
fn worded(row: &Diagnostic, particular: &str, advice: &str) -> String {
    format!("{}\n = help: {advice}", row.message.replace("{}", particular))
}

fn compile_error((extent, message): &(Extent, String)) -> TokenStream {
    let head = quote_spanned!(extent.first=> ::core::compile_error!);
    let tail = quote_spanned!(extent.last=> { #message });
    quote!(#head #tail)
}

/// Whether two errors say the same of the same tokens. Spans cannot be compared on stable Rust, but their `Debug` forms
/// can be.
fn is_same(one: &(Extent, String), other: &(Extent, String)) -> bool {
    one.1 == other.1 && format!("{:?}", one.0) == format!("{:?}", other.0)
}
