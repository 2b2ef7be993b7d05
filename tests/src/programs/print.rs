//! A tree of [`syntax`](super::syntax) as Rust.
//!
//! Invariant: the text parses as the tree that it was made from; whatever is not atomic is in
//! parentheses as an operand. Floats get a suffix only where a method is called on something that has no
//! other hint of its type.

use std::fmt::Write;

use super::syntax::{
    Access, Arm, Block, Choice, Expression, Function, Names, Over, Parameter, Pattern, Place,
    Program, Sketch, Statement, Type, Variant,
};
use super::{order, walk};

/// The program's items, with their attributes.
#[must_use]
pub fn program(program: &Program) -> String {
    items(program, 1)
}

/// The items with no derivatives but those that are called.
#[must_use]
pub fn plain(program: &Program) -> String {
    items(program, 0)
}

fn items(program: &Program, orders: usize) -> String {
    let names = &program.names;
    let mut text = structure(program);
    sketched(program, orders, &mut text);
    let orders = order::of(program, orders);
    for (function, orders) in program.functions.iter().chain([&program.main]).zip(orders) {
        let attributes = ATTRIBUTE.repeat(orders);
        let item = self::function(names, function);
        let own = name(names, "Own");
        text.push_str(&match function.is_method() {
            true => format!("{attributes}impl {own} {{\n{item}}}\n"),
            false => format!("{attributes}{item}"),
        });
    }
    text
}

const ATTRIBUTE: &str = "#[differentiate]\n";

/// The items of sketches: their functions have as many orders as they could need.
fn sketched(program: &Program, orders: usize, text: &mut String) {
    let needed = order::of(program, orders).into_iter().max().unwrap_or(orders);
    walk::sketches(program, &mut |sketch| {
        for item in &sketch.items {
            let mut printer = Printer::new(&program.names);
            printer.template(item, &[]);
            // Attributes with arguments are stacked like those without.
            let (attribute, rest) = match printer.text.find("#[differentiate") {
                Some(at) => {
                    let end =
                        at + printer.text[at..].find('\n').expect("an item comes behind it") + 1;
                    (at..end, &printer.text[end..])
                }
                None => (0..0, &printer.text[..]),
            };
            text.push_str(&printer.text[..attribute.start]);
            text.push_str(&printer.text[attribute].repeat(needed));
            text.push_str(rest);
            text.push('\n');
        }
    });
}

/// The text that a name of the generator's is printed as.
#[must_use]
pub fn name<'p>(names: &'p Names, name: &'p str) -> &'p str {
    names.get(name).map_or(name, String::as_str)
}

/// The struct of the program's own.
fn structure(program: &Program) -> String {
    if program.fields.is_empty() {
        return String::new();
    }
    let names = &program.names;
    let fields = program
        .fields
        .iter()
        .map(|(field, ty)| format!("    {}: {},\n", name(names, field), type_name(names, *ty)));
    let (own, fields): (&str, String) = (name(names, "Own"), fields.collect());
    format!(
        "#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]\npub struct {own} {{\n{fields}}}\n"
    )
}

fn function(names: &Names, function: &Function) -> String {
    let parameters: Vec<String> =
        function.parameters.iter().map(|one| parameter(names, one)).collect();
    let result = match function.result {
        Type::Unit => String::new(),
        ty => format!(" -> {}", type_name(names, ty)),
    };
    let mut printer = Printer::new(names);
    printer.block(&function.body);
    let (parameters, body) = (parameters.join(", "), printer.text);
    format!("fn {}({parameters}){result} {body}\n", name(names, &function.name))
}

fn parameter(names: &Names, parameter: &Parameter) -> String {
    let reference = reference(parameter.access);
    let mutable = if parameter.mutable { "mut " } else { "" };
    if parameter.name == "self" {
        return format!("{reference}{mutable}self");
    }
    let (name, ty) = (name(names, &parameter.name), type_name(names, parameter.ty));
    format!("{mutable}{name}: {reference}{ty}")
}

/// What stands in front of a type or a place that is reached in this way.
#[must_use]
pub fn reference(access: Access) -> &'static str {
    match access {
        Access::Owned => "",
        Access::Shared => "&",
        Access::Unique => "&mut ",
    }
}

/// A type as it is written.
#[must_use]
pub fn type_name(names: &Names, ty: Type) -> String {
    match ty {
        Type::Float => "f64".into(),
        Type::Index => "usize".into(),
        Type::Flag => "bool".into(),
        Type::Array(length) => format!("[f64; {length}]"),
        Type::Slice(_) => "[f64]".into(),
        Type::Matrix => "[[f64; 2]; 2]".into(),
        Type::Vector => "Vec<f64>".into(),
        Type::Pair => "(f64, f64)".into(),
        Type::State => "State".into(),
        Type::Shape => "Shape".into(),
        Type::Maybe => "Option<f64>".into(),
        Type::Own => name(names, "Own").into(),
        Type::Function { parameters, .. } => {
            format!("impl Fn({}) -> f64", vec!["f64"; parameters].join(", "))
        }
        Type::Unit => "()".into(),
    }
}

struct Printer<'p> {
    names: &'p Names,
    text: String,
    depth: usize,
    /// Whether floats get a suffix.
    suffix: bool,
}

impl<'p> Printer<'p> {
    fn new(names: &'p Names) -> Self {
        Printer { names, text: String::new(), depth: 0, suffix: false }
    }

    /// A name of the generator's.
    fn name(&mut self, name: &str) {
        self.text.push_str(self::name(self.names, name));
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn line(&mut self) {
        self.text.push('\n');
        self.text.push_str(&"    ".repeat(self.depth));
    }

    fn block(&mut self, block: &Block) {
        let suffix = std::mem::take(&mut self.suffix);
        self.push("{");
        self.depth += 1;
        for statement in &block.statements {
            self.line();
            self.statement(statement);
        }
        if let Some(value) = &block.value {
            self.line();
            self.suffix = suffix;
            self.expression(value);
        }
        self.depth -= 1;
        self.line();
        self.push("}");
        self.suffix = suffix;
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Let { pattern, ty, value } => {
                self.push("let ");
                self.pattern(pattern);
                if let Some(ty) = ty {
                    let _ = write!(self.text, ": {}", type_name(self.names, *ty));
                }
                if let Some(value) = value {
                    self.push(" = ");
                    self.expression(value);
                }
                self.push(";");
            }
            Statement::Do(expression) => {
                self.expression(expression);
                if !expression.is_block_like() {
                    self.push(";");
                }
            }
        }
    }

    fn pattern(&mut self, pattern: &Pattern) {
        let keyword = |mutable: &bool| if *mutable { "mut " } else { "" };
        match pattern {
            Pattern::Name { name, mutable } => {
                self.push(keyword(mutable));
                self.name(name);
            }
            Pattern::Names { names, mutable } => {
                let name =
                    |name: &String| format!("{}{}", keyword(mutable), self::name(self.names, name));
                let names: Vec<String> = names.iter().map(name).collect();
                self.push(&format!("({})", names.join(", ")));
            }
            Pattern::Tuple(patterns) => self.patterns("(", patterns, ")"),
            Pattern::Reference(inner) => {
                self.push("&");
                self.pattern(inner);
            }
            Pattern::Variant(variant, parts) => self.variant_pattern(variant, parts),
        }
    }

    fn patterns(&mut self, open: &str, patterns: &[Pattern], close: &str) {
        self.push(open);
        for (index, pattern) in patterns.iter().enumerate() {
            self.push(if index == 0 { "" } else { ", " });
            self.pattern(pattern);
        }
        self.push(close);
    }

    fn variant_pattern(&mut self, variant: &Variant, parts: &[Pattern]) {
        self.push(variant.path);
        if !variant.is_named() {
            if !parts.is_empty() {
                self.patterns("(", parts, ")");
            }
            return;
        }
        self.push(" { ");
        for (name, part) in variant.parts.iter().zip(parts) {
            self.name(name);
            self.push(": ");
            self.pattern(part);
            self.push(", ");
        }
        self.push("}");
    }

    fn variant(&mut self, variant: &Variant, parts: &[Expression]) {
        self.push(variant.path);
        if variant.is_named() {
            self.fields(variant.parts.iter().copied().zip(parts), None);
        } else if !parts.is_empty() {
            self.list("(", parts, ")");
        }
    }

    /// `move |a: f64, b| body`
    fn closure(&mut self, moves: bool, parameters: &[(Pattern, Option<Type>)], body: &Expression) {
        let suffix = std::mem::take(&mut self.suffix);
        self.push(if moves { "move |" } else { "|" });
        for (index, (pattern, ty)) in parameters.iter().enumerate() {
            self.push(if index == 0 { "" } else { ", " });
            self.pattern(pattern);
            if let Some(ty) = ty {
                let _ = write!(self.text, ": {}", type_name(self.names, *ty));
            }
        }
        self.push("| ");
        // Nothing says what such a closure yields where it is called.
        let is_written = parameters.iter().all(|(_, ty)| ty.is_some());
        self.suffix = is_written && !is_typed(body);
        self.expression(body);
        self.suffix = suffix;
    }

    fn place(&mut self, place: &Place) {
        match place {
            Place::Variable(name) => self.name(name),
            Place::Referent(inner) => {
                self.push("*");
                self.place(inner);
            }
            Place::Element(inner, index) => {
                self.base(inner);
                self.push("[");
                self.expression(index);
                self.push("]");
            }
            Place::Field(inner, field) => {
                self.base(inner);
                self.push(".");
                self.name(field);
            }
        }
    }

    /// A place in front of a postfix.
    fn base(&mut self, place: &Place) {
        if matches!(place, Place::Referent(_)) {
            self.push("(");
            self.place(place);
            self.push(")");
        } else {
            self.place(place);
        }
    }

    /// An expression next to an operator or in front of a method.
    fn operand(&mut self, expression: &Expression) {
        if is_atomic(expression) {
            self.expression(expression);
        } else {
            self.push("(");
            self.expression(expression);
            self.push(")");
        }
    }

    fn list(&mut self, open: &str, items: &[Expression], close: &str) {
        let suffix = std::mem::take(&mut self.suffix);
        self.push(open);
        for (index, item) in items.iter().enumerate() {
            self.push(if index == 0 { "" } else { ", " });
            self.expression(item);
        }
        self.push(close);
        self.suffix = suffix;
    }

    fn expression(&mut self, expression: &Expression) {
        match expression {
            Expression::Float(value) => {
                let suffix = if self.suffix { "_f64" } else { "" };
                let _ = write!(self.text, "{value:?}{suffix}");
            }
            Expression::Index(value) => self.push(&value.to_string()),
            Expression::Flag(value) => self.push(&value.to_string()),
            Expression::Read(place) => self.place(place),
            Expression::Unary(operator, inner) => {
                self.push(operator);
                self.operand(inner);
            }
            Expression::Reference(inner) => {
                self.push("&");
                self.operand(inner);
            }
            Expression::Binary(operator, left, right) => {
                self.operand(left);
                let _ = write!(self.text, " {operator} ");
                self.operand(right);
            }
            Expression::Cast(inner) => {
                self.operand(inner);
                self.push(" as f64");
            }
            Expression::Method(receiver, name, arguments) => self.method(receiver, name, arguments),
            Expression::Call(function, arguments) => {
                self.name(function);
                self.list("(", arguments, ")");
            }
            Expression::Borrow { unique, place, part } => self.borrow(*unique, place, *part),
            _ => self.function_like(expression),
        }
    }

    /// What has to do with functions and enums.
    fn function_like(&mut self, expression: &Expression) {
        match expression {
            Expression::Apply(function, arguments) => {
                self.name(function);
                self.list("(", arguments, ")");
            }
            Expression::Derivative(function, derivative, arguments) => {
                self.name(function);
                let _ = write!(self.text, "::{derivative}");
                self.list("(", arguments, ")");
            }
            Expression::Closure { moves, parameters, body } => {
                self.closure(*moves, parameters, body)
            }
            Expression::Range(from, to) => {
                self.operand(from);
                self.push("..");
                self.operand(to);
            }
            Expression::Variant(variant, parts) => self.variant(variant, parts),
            Expression::Let(pattern, subject) => {
                self.push("let ");
                self.pattern(pattern);
                self.push(" = ");
                self.expression(subject);
            }
            _ => self.compound(expression),
        }
    }

    /// Literals of several values, and whatever holds blocks.
    fn compound(&mut self, expression: &Expression) {
        match expression {
            Expression::Array(items) => self.list("[", items, "]"),
            Expression::Vector(items) => self.list("vec![", items, "]"),
            Expression::Tuple(items) => self.list("(", items, ")"),
            Expression::Repeat(value, length) => {
                self.repeat("[", value, &Expression::Index(*length))
            }
            Expression::Fill(value, length) => self.repeat("vec![", value, length),
            Expression::Struct { name, fields, rest } => {
                self.name(name);
                self.fields(fields.iter().map(|(name, value)| (*name, value)), rest.as_ref());
            }
            Expression::If(condition, then, otherwise) => {
                self.branch(condition, then, otherwise.as_ref());
            }
            Expression::Match(subject, arms) => self.arms(subject, arms),
            _ => self.control(expression),
        }
    }

    /// Loops, exits and assignments.
    fn control(&mut self, expression: &Expression) {
        match expression {
            Expression::Block(body) => self.block(body),
            Expression::Labelled(label, body) => {
                self.label(Some(label));
                self.block(body);
            }
            Expression::Loop(label, body) => {
                self.label(label.as_deref());
                self.push("loop ");
                self.block(body);
            }
            Expression::While(label, condition, body) => {
                self.label(label.as_deref());
                self.push("while ");
                self.expression(condition);
                self.push(" ");
                self.block(body);
            }
            Expression::For { label, pattern, over, body } => {
                self.label(label.as_deref());
                self.push("for ");
                self.pattern(pattern);
                self.push(" in ");
                self.over(over);
                self.push(" ");
                self.block(body);
            }
            Expression::Break(label, value) => {
                self.exit("break", label.as_deref(), value.as_deref())
            }
            Expression::Continue(label) => self.exit("continue", label.as_deref(), None),
            Expression::Return(value) => self.exit("return", None, value.as_deref()),
            Expression::Assign(place, operator, value) => {
                self.expression(place);
                let _ = write!(self.text, " {operator} ");
                self.expression(value);
            }
            Expression::Sketch(sketch) => self.sketch(sketch),
            _ => unreachable!("the other expressions were printed before"),
        }
    }

    fn method(&mut self, receiver: &Expression, name: &str, arguments: &[Expression]) {
        let suffix = std::mem::replace(&mut self.suffix, !is_typed(receiver));
        self.operand(receiver);
        self.suffix = suffix;
        self.push(".");
        self.name(name);
        self.list("(", arguments, ")");
    }

    fn sketch(&mut self, sketch: &Sketch) {
        let suffix = std::mem::take(&mut self.suffix);
        self.push("{");
        self.depth += 1;
        for text in sketch.statements.iter().chain([&sketch.value]) {
            self.line();
            self.template(text, &sketch.parts);
        }
        self.depth -= 1;
        self.line();
        self.push("}");
        self.suffix = suffix;
    }

    /// Text with `#0` for a part and `#name` for a name.
    fn template(&mut self, text: &str, parts: &[Expression]) {
        let mut pieces = text.split('#');
        self.push(pieces.next().expect("there is one at least"));
        for piece in pieces {
            let is_part_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let end = piece.find(|c| !is_part_of_name(c)).unwrap_or(piece.len());
            match (piece[..end].parse::<usize>(), end) {
                (_, 0) => self.push("#"),
                (Ok(part), _) => self.expression(&parts[part]),
                (Err(_), _) => self.name(&piece[..end]),
            }
            self.push(&piece[end..]);
        }
    }

    fn borrow(&mut self, unique: bool, place: &Place, part: Option<(usize, usize)>) {
        self.push(if unique { "&mut " } else { "&" });
        self.place(place);
        if let Some((from, to)) = part {
            let _ = write!(self.text, "[{from}..{to}]");
        }
    }

    fn repeat(&mut self, open: &str, value: &Expression, length: &Expression) {
        let suffix = std::mem::take(&mut self.suffix);
        self.push(open);
        self.expression(value);
        self.push("; ");
        self.expression(length);
        self.push("]");
        self.suffix = suffix;
    }

    fn fields<'e>(
        &mut self,
        fields: impl Iterator<Item = (&'static str, &'e Expression)>,
        rest: Option<&Place>,
    ) {
        let suffix = std::mem::take(&mut self.suffix);
        self.push(" { ");
        for (name, value) in fields {
            self.name(name);
            self.push(": ");
            self.expression(value);
            self.push(", ");
        }
        if let Some(rest) = rest {
            self.push("..");
            self.place(rest);
        }
        self.push(" }");
        self.suffix = suffix;
    }

    fn branch(&mut self, condition: &Expression, then: &Block, otherwise: Option<&Block>) {
        self.push("if ");
        let suffix = std::mem::take(&mut self.suffix);
        self.expression(condition);
        self.suffix = suffix;
        self.push(" ");
        self.block(then);
        let Some(otherwise) = otherwise else { return };
        self.push(" else ");
        match (&otherwise.statements[..], otherwise.value.as_deref()) {
            ([Statement::Do(next @ Expression::If(..))], None)
            | ([], Some(next @ Expression::If(..))) => self.expression(next),
            _ => self.block(otherwise),
        }
    }

    fn arms(&mut self, subject: &Expression, arms: &[Arm]) {
        let suffix = std::mem::take(&mut self.suffix);
        self.push("match ");
        self.expression(subject);
        self.push(" {");
        self.depth += 1;
        for arm in arms {
            self.line();
            self.choice(&arm.pattern);
            if let Some(guard) = &arm.guard {
                self.push(" if ");
                self.expression(guard);
            }
            self.push(" => ");
            self.suffix = suffix;
            self.block(&arm.body);
            self.suffix = false;
        }
        self.depth -= 1;
        self.line();
        self.push("}");
        self.suffix = suffix;
    }

    fn choice(&mut self, pattern: &Choice) {
        match pattern {
            Choice::Numbers(numbers) => {
                let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
                self.push(&numbers.join(" | "));
            }
            Choice::Range(from, to) => self.push(&format!("{from}..={to}")),
            Choice::Name(name) => self.name(name),
            Choice::Parts(pattern) => self.pattern(pattern),
            Choice::Any => self.push("_"),
        }
    }

    fn label(&mut self, label: Option<&str>) {
        if let Some(label) = label {
            self.push("'");
            self.name(label);
            self.push(": ");
        }
    }

    fn exit(&mut self, keyword: &str, label: Option<&str>, value: Option<&Expression>) {
        self.push(keyword);
        if let Some(label) = label {
            self.push(" '");
            self.name(label);
        }
        if let Some(value) = value {
            self.push(" ");
            // The type of a loop's value is only known when its breaks are.
            let suffix = std::mem::replace(&mut self.suffix, keyword == "break");
            match value {
                // A label behind `break` would be that of the `break`.
                Expression::Labelled(..) => self.operand(value),
                _ => self.expression(value),
            }
            self.suffix = suffix;
        }
    }

    fn over(&mut self, over: &Over) {
        match over {
            Over::Range { from, to, inclusive, reversed, step } => {
                let plain = !reversed && step.is_none();
                self.push(if plain { "" } else { "(" });
                self.operand(from);
                self.push(if *inclusive { "..=" } else { ".." });
                self.operand(to);
                self.push(if plain { "" } else { ")" });
                self.adapters(*reversed, false);
                if let Some(step) = step {
                    let _ = write!(self.text, ".step_by({step})");
                }
            }
            Over::Elements { place, access, by_method, reversed, enumerated } => {
                self.push(if *by_method { "" } else { reference(*access) });
                self.place(place);
                if *by_method {
                    self.push(if *access == Access::Unique { ".iter_mut()" } else { ".iter()" });
                }
                self.adapters(*reversed, *enumerated);
            }
            Over::Chain(chain) => self.expression(chain),
        }
    }

    fn adapters(&mut self, reversed: bool, enumerated: bool) {
        self.push(if enumerated { ".enumerate()" } else { "" });
        self.push(if reversed { ".rev()" } else { "" });
    }
}

fn is_atomic(expression: &Expression) -> bool {
    match expression {
        Expression::Float(value) => *value >= 0.0,
        Expression::Read(place) => !matches!(place, Place::Referent(_)),
        Expression::Index(_)
        | Expression::Flag(_)
        | Expression::Method(..)
        | Expression::Call(..)
        | Expression::Apply(..)
        | Expression::Derivative(..)
        | Expression::Array(_)
        | Expression::Tuple(_)
        | Expression::Vector(_) => true,
        _ => false,
    }
}

/// Whether rustc knows that this is an `f64` without looking at what is around it.
pub(super) fn is_typed(expression: &Expression) -> bool {
    match expression {
        Expression::Float(_) => false,
        Expression::Unary(_, inner) => is_typed(inner),
        Expression::Binary(_, left, right) => is_typed(left) || is_typed(right),
        Expression::Method(receiver, ..) => is_typed(receiver),
        Expression::If(_, then, otherwise) => {
            is_typed_block(then) || otherwise.as_ref().is_some_and(is_typed_block)
        }
        Expression::Match(_, arms) => arms.iter().any(|arm| is_typed_block(&arm.body)),
        Expression::Block(body) => is_typed_block(body),
        // A closure's result may be a literal.
        Expression::Apply(..)
        | Expression::Loop(..)
        | Expression::Labelled(..)
        | Expression::Break(..)
        | Expression::Continue(_)
        | Expression::Return(_) => false,
        _ => true,
    }
}

fn is_typed_block(block: &Block) -> bool {
    block.value.as_deref().is_some_and(is_typed)
}
