//! Every diagnostic as one table, and the collector that gathers all of a function's errors.
//!
//! In: reports with a span. Out: one `compile_error!` for each, all at once. A row's name is the name
//! of its ui test.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

/// One kind of error: what is wrong, and what to write instead.
pub struct Diagnostic {
    pub name: &'static str,
    /// `{}` stands for the particular.
    pub message: &'static str,
    pub advice: &'static str,
}

macro_rules! diagnostics {
    ($($constant:ident = $name:literal: $message:literal, $advice:literal;)*) => {
        $(pub static $constant: Diagnostic =
            Diagnostic { name: $name, message: $message, advice: $advice };)*
        /// All rows.
        pub static TABLE: &[&Diagnostic] = &[$(&$constant),*];
    };
}

diagnostics! {
    NOT_A_FUNCTION = "not_a_function":
        "`#[differentiate]` works on functions, `impl` blocks and traits only", "move it to a `fn` with a body, to an `impl` or to the trait around this";
    ATTRIBUTE = "attribute":
        "{}", "the arguments are `constant(..)`, `wrt(..)`, `forward`, `reverse`, `shared`, `recursive`, `overlay(path = fast)`, `debug`, `companion = name`, on a trait `dyn`, and in blocks `skip`";
    ORDER = "order":
        "there are no derivatives of a higher order here: {}", "write one `#[differentiate]`, and functions that need more of them without this";
    PRIMITIVE = "primitive":
        "{}", "write `#[primitive(vjp = path, jvp = path)]` with both or one of them, or `#[primitive(partials(..))]` with an expression for each active parameter; and `constant(..)`, `wrt(..)`, `shared`, `companion = name` as in `#[differentiate]`";
    UNKNOWN_PARAMETER = "unknown_parameter":
        "there is no parameter `{}`", "name a parameter of this function";
    UNSAFE_FUNCTION = "unsafe_function":
        "an `unsafe fn` cannot be differentiated", "wrap the unsafe part in a safe function with a rule of its own";
    TOO_DEEP = "too_deep":
        "this is nested more deeply than {} levels", "move inner parts into functions of their own";
    CONDITIONAL = "conditional":
        "a macro does not see whether `#[cfg]` leaves this out", "write two functions, each with its `#[cfg]` in front of `#[differentiate]`, and call one or the other by their common name";
    ASYNC_FUNCTION = "async_function":
        "an `async fn` cannot be differentiated", "differentiate the computation without `async`";
    SELF_PARAMETER = "self_parameter":
        "a receiver of this type is not supported", "take `self`, `&self` or `&mut self`";
    OBJECT_TRAIT = "object_trait":
        "a trait with parameters, associated types or constants has no objects of one type", "leave `dyn` out, or write the trait with functions alone";
    PARAMETER_PATTERN = "parameter_pattern":
        "this pattern is not supported for a parameter", "take the parameter by a name and destructure it with `let`";
    FUNCTION_PARAMETER = "function_parameter":
        "a function cannot be taken as a parameter of this type", "write `f: impl Fn(..) -> ..`, `f: &dyn Fn(..) -> ..`, or a type parameter with the bound `Fn`, `FnMut` or `FnOnce`";
    PARAMETER_TYPE = "parameter_type":
        "a parameter of this type cannot be differentiated", "use floats, arrays, slices, `Vec` and single references to them, or name it in `constant(..)`";
    RESULT_TYPE = "result_type":
        "a result of this type cannot be differentiated", "return values, not references or `impl Trait`; write into a `&mut` parameter instead";
    PATTERN = "pattern":
        "this pattern is not supported", "bind names, and tuples and arrays of names";
    UNSUPPORTED_EXPRESSION = "unsupported_expression":
        "{} cannot be differentiated yet", "write it with what the README's table lists, or move it into a plain function if no active parameter reaches it";
    UNSUPPORTED_STATEMENT = "unsupported_statement":
        "{} cannot be differentiated yet", "see the README's table of what is supported";
    INNER_STATIC = "inner_static":
        "a `static` in the body would exist once more in each derivative", "move it out of the function";
    INNER_ITEM = "inner_item":
        "an item in an inner block is not supported", "move it to the top of the function's body";
    UNSUPPORTED_MACRO = "unsupported_macro":
        "the macro `{}!` is not known here, so its derivative is not either", "write out what it expands to, or move it into a plain function if no active parameter reaches it";
    UNSUPPORTED_ITERATOR = "unsupported_iterator":
        "a loop over this is not supported yet",
        "write it over a range, or over `a.iter()` with the adaptors that the README's table lists";
    KEPT_ITERATOR = "kept_iterator":
        "an iterator cannot be kept as a value", "use it up in one chain or in one `for` loop; where it is advanced by `next` or looked at by `peek`, go by an index";
    UNKNOWN_METHOD = "unknown_method":
        "the method `{}` has no derivative rule, and its receiver or an argument depends on an active parameter", "use a method of the rule table, or call a function with `#[differentiate]`";
    CLOSURE_CALL = "closure_call":
        "`{}` is a local variable: calls of it are not supported yet", "take a function as `f: impl Fn(..) -> ..`, bind a closure without `return` or `?` by `let` in this function, or write a function with `#[differentiate]`";
    CLOSURE_STATE = "closure_state":
        "`{}` is changed by a closure that is passed to a function", "let the closure only read what it captures, and pass what changes by `&mut`";
    PULLBACK = "pullback":
        "the pullback of this `vjp` cannot be differentiated: {}", "bind it by `let (y, pullback) = f::vjp(..)`, call it by this name in the same function, and take places by `&`; `jvp`, `value_and_gradient` and `accumulate_gradient` of functions with `&mut` can be differentiated";
    FUNCTION_VALUE = "function_value":
        "`function!` takes the path of a function, or a closure whose parameters have types", "write `function!(f)` or `function!(|x: f64| x.sin())`";
    FUNCTION_POINTER = "function_pointer":
        "a function pointer has no derivative, and an argument of this call depends on an active parameter", "take the function as `f: impl Fn(..) -> ..`, or as a type parameter with that bound";
    STATIC_WRITE = "assignment_to_item":
        "`{}` is not a variable of this function: a write to an item cannot be differentiated", "pass the state as a `&mut` parameter";
    ASSIGNMENT_TARGET = "assignment_target":
        "this cannot be assigned to", "assign to a variable, or to an element such as `a[i]` or `a[i][j]`";
    REFERENCE_VALUE = "reference_value":
        "a reference cannot be kept as a value here", "give it a name of its own, `let r = &a[i];`, or choose by an index: `let i = ..;`, then `a[i]`";
    REBOUND_REFERENCE = "rebound_reference":
        "`{}` is bound to a reference, and another one cannot take its place here", "keep what changes in an index: `best = i;`, then `a[best]`";
    COLLECTION_METHOD = "unsupported_method":
        "the method `{}` of a slice, an array or a collection is not supported yet", "write it as a loop; the README's table lists what is supported";
    NAMESAKE = "namesake":
        "there is a variable `{}`, but macro hygiene keeps it apart from this name", "give one of the two another name";
    EXIT_IN_MACRO = "exit_in_macro":
        "control leaves from inside of a macro's arguments", "evaluate the argument in a `let` before";
    CHECKPOINT = "checkpoint":
        "this is no `#[checkpoint]` of a loop{}", "write `#[checkpoint]`, `#[checkpoint(every = 100)]` or `#[checkpoint(snapshots = 10)]` on a `for`, `while` or `loop`";
    UNCOUNTED_SNAPSHOTS = "uncounted_snapshots":
        "`snapshots` needs a loop whose number of iterations is known before it begins", "write `#[checkpoint]` or `#[checkpoint(every = 100)]`, or a `for` over a range";
    CONDITION_EFFECT = "condition_effect":
        "a condition of `while` may not assign or leave", "move the assignment into the loop: `loop { if !condition { break; } .. }`";
    CONSTANT_WRITE = "constant_write":
        "an active value is written into a parameter declared constant", "remove the parameter from `constant(..)`, so that its derivative is not lost";
    OPAQUE_WRITE = "opaque_write":
        "a call without active arguments changes a place that the pullback must restore", "call it on a local copy, or give the function `#[differentiate]`";
    SHARED_HANDLE = "shared_handle":
        "a handle to shared contents leaves the function's sight here, and with it the shadow that all handles share", "use the handle in this function only, pass on its contents (`&mut *a.borrow_mut()`), or take it as a parameter by `&`";
    SHARED_STATE = "shared_state":
        "`{}` is not supported here: what it holds may be reached by another way at the same time", "`Rc`, `RefCell` and `Cell` are taken by `&`; pass the contents of others by `&mut`, or name the parameter in `constant(..)`";
    STAGE = "unknown_stage":
        "there is no stage `{}`", "the stages are `primal`, `forward`, `reverse`, `tape`, `graph`, `optimized`, `rust`";
    NOTHING_TO_DRAW = "nothing_to_draw":
        "there is no picture of `{}`: a rule gives its derivatives, and nothing is made from its body", "draw a function with `#[differentiate]` and without a rule; the stage `rust` shows what the rule becomes";
    CHECK_CALL = "check_call":
        "`check!` takes one call of a differentiated function", "write `check!(f(1.0, &x))` or `check!(x.method(1.0))`";
    CHECK_ITEM = "check_item":
        "after the call `check!` takes domains and options, each once", "write `x in 0.0..1.0` with or without `points = 50`, and `allocations = counter` with or without `tape`";
    DERIVE_UNION = "derive_union":
        "a union has no tangent type: which of its fields holds is not known", "use an enum";
    DERIVE_REFERENCE = "derive_reference":
        "a reference in a field is not supported: a tangent owns what it holds", "hold the value itself, or a `Vec` in place of a slice; or pass the reference as a parameter of its own";
}

/// From which token to which an error reaches: stable Rust cannot join spans.
#[derive(Clone, Copy)]
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
#[derive(Default)]
pub struct Reports {
    errors: Vec<(Extent, String)>,
    /// rustc itself reports an error.
    failed: bool,
}

impl Reports {
    /// Records an error at its tokens.
    pub fn report(&mut self, at: impl Into<Extent>, row: &Diagnostic, particular: &str) {
        let message = row.message.replace("{}", particular);
        self.errors.push((at.into(), format!("{message}\n = help: {}", row.advice)));
    }

    /// Records a syntax error of syn or darling.
    pub fn push(&mut self, span: Span, message: String) {
        self.errors.push((span.into(), message));
    }

    /// Gives the function up without a word of its own, where rustc has one.
    pub fn give_up(&mut self) {
        self.failed = true;
    }

    pub fn is_empty(&self) -> bool {
        self.errors.is_empty() && !self.failed
    }

    /// One `compile_error!` for each error, from its first token to its last.
    pub fn to_tokens(&self) -> TokenStream {
        let errors = self.errors.iter().map(|(extent, message)| {
            let head = quote_spanned!(extent.first=> ::core::compile_error!);
            let tail = quote_spanned!(extent.last=> { #message });
            quote!(#head #tail)
        });
        errors.collect()
    }

    /// Where each error begins, and its message.
    pub fn located(&self) -> impl Iterator<Item = (Span, &str)> {
        self.errors.iter().map(|(extent, message)| (extent.first, message.as_str()))
    }

    /// The messages, for tools and tests.
    pub fn messages(&self) -> Vec<String> {
        self.errors.iter().map(|(_, message)| message.clone()).collect()
    }
}
