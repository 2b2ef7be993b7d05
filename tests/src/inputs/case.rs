//! What a macro is given, as text: tokens of one thread mean nothing in another.

use std::fmt;
use std::str::FromStr;

use proc_macro2::TokenStream;

/// The macro that is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry {
    /// `#[differentiate]`.
    Differentiate,
    /// `#[primitive]`.
    Primitive,
    /// `#[zero_adjoint]`.
    ZeroAdjoint,
    /// `#[derive(Differentiable)]`.
    Derive,
    /// `check!`.
    Check,
    /// `function!`.
    Function,
    /// `dump!`.
    Dump,
}

impl Entry {
    /// All of them.
    pub const ALL: [Entry; 7] = [
        Entry::Differentiate,
        Entry::Primitive,
        Entry::ZeroAdjoint,
        Entry::Derive,
        Entry::Check,
        Entry::Function,
        Entry::Dump,
    ];

    /// The name of the macro.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Entry::Differentiate => "differentiate",
            Entry::Primitive => "primitive",
            Entry::ZeroAdjoint => "zero_adjoint",
            Entry::Derive => "derive",
            Entry::Check => "check",
            Entry::Function => "function",
            Entry::Dump => "dump",
        }
    }

    /// The macro of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Entry> {
        Self::ALL.into_iter().find(|entry| entry.name() == name)
    }

    /// Whether the macro is called where an item stands, and not where an expression does.
    #[must_use]
    pub fn is_on_item(self) -> bool {
        !matches!(self, Entry::Check | Entry::Function | Entry::Dump)
    }

    /// Runs the macro.
    #[must_use]
    pub fn expand(self, arguments: TokenStream, input: TokenStream) -> TokenStream {
        match self {
            Entry::Differentiate => cotangent_compiler::differentiate(arguments, input),
            Entry::Primitive => cotangent_compiler::primitive(arguments, input),
            Entry::ZeroAdjoint => cotangent_compiler::zero_adjoint(arguments, input),
            Entry::Derive => cotangent_compiler::derive(input),
            Entry::Check => cotangent_compiler::check(input),
            Entry::Function => cotangent_compiler::function(input),
            Entry::Dump => cotangent_compiler::dump(input),
        }
    }
}

/// One call of a macro. Printed, the first line is the macro with its arguments, and the rest is the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// The macro.
    pub entry: Entry,
    /// What stands in the attribute's parentheses.
    pub arguments: String,
    /// The item below the attribute, or what stands in a macro's parentheses.
    pub input: String,
}

impl Case {
    /// A call of a macro.
    #[must_use]
    pub fn new(entry: Entry, arguments: &str, input: &str) -> Case {
        Case { entry, arguments: arguments.into(), input: input.into() }
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arguments = self.arguments.replace('\n', " ");
        writeln!(f, "{}({arguments})\n{}", self.entry.name(), self.input)
    }
}

impl FromStr for Case {
    type Err = String;

    fn from_str(text: &str) -> Result<Case, String> {
        let (head, input) = text.split_once('\n').ok_or("a case has two lines")?;
        let (name, arguments) = head.split_once('(').ok_or("a case begins with a macro")?;
        let arguments = arguments.trim_end().strip_suffix(')').ok_or("a `)` is missing")?;
        let entry = Entry::named(name).ok_or_else(|| format!("there is no macro `{name}`"))?;
        Ok(Case::new(entry, arguments, input))
    }
}
