//! A tree of [`syntax`](super::syntax) as the text of a Rust function.
//!
//! Invariant: the text parses as the tree that it was made from; whatever is not atomic is in
//! parentheses as an operand. Floats get a suffix only where a method is called on something that has no
//! other hint of its type.

use std::fmt::Write;

use super::syntax::{
    Access, Arm, Block, Choice, Expression, Over, Parameter, Pattern, Place, Program, Statement,
    Type,
};

/// The function, with its attribute.
#[must_use]
pub fn program(program: &Program) -> String {
    format!("#[differentiate]\n{}", plain(program))
}

/// The function alone.
#[must_use]
pub fn plain(program: &Program) -> String {
    let parameters: Vec<String> = program.parameters.iter().map(parameter).collect();
    let result = match program.result {
        Type::Unit => String::new(),
        ty => format!(" -> {}", type_name(ty)),
    };
    let mut printer = Printer::default();
    printer.block(&program.body);
    let (name, parameters, body) = (name(program), parameters.join(", "), printer.text);
    format!("fn {name}({parameters}){result} {body}\n")
}

/// The name of a program's function.
#[must_use]
pub fn name(program: &Program) -> String {
    format!("program_{}", program.id)
}

fn parameter(parameter: &Parameter) -> String {
    let reference = reference(parameter.access);
    let mutable = if parameter.mutable { "mut " } else { "" };
    format!("{mutable}{}: {reference}{}", parameter.name, type_name(parameter.ty))
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
pub fn type_name(ty: Type) -> String {
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
        Type::Unit => "()".into(),
    }
}

#[derive(Default)]
struct Printer {
    text: String,
    depth: usize,
    /// Whether floats get a suffix.
    suffix: bool,
}

impl Printer {
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
                    let _ = write!(self.text, ": {}", type_name(*ty));
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
            Pattern::Name { name, mutable } => self.push(&format!("{}{name}", keyword(mutable))),
            Pattern::Names { names, mutable } => {
                let names: Vec<String> =
                    names.iter().map(|name| format!("{}{name}", keyword(mutable))).collect();
                self.push(&format!("({})", names.join(", ")));
            }
        }
    }

    fn place(&mut self, place: &Place) {
        match place {
            Place::Variable(name) => self.push(name),
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
                let _ = write!(self.text, ".{field}");
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
                self.push(function);
                self.list("(", arguments, ")");
            }
            Expression::Borrow { unique, place, part } => self.borrow(*unique, place, *part),
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
            Expression::State { fields, rest } => self.state(fields, rest.as_ref()),
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
            _ => unreachable!("the other expressions were printed before"),
        }
    }

    fn method(&mut self, receiver: &Expression, name: &str, arguments: &[Expression]) {
        let suffix = std::mem::replace(&mut self.suffix, !is_typed(receiver));
        self.operand(receiver);
        self.suffix = suffix;
        let _ = write!(self.text, ".{name}");
        self.list("(", arguments, ")");
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

    fn state(&mut self, fields: &[(&'static str, Expression)], rest: Option<&Place>) {
        let suffix = std::mem::take(&mut self.suffix);
        self.push("State { ");
        for (name, value) in fields {
            let _ = write!(self.text, "{name}: ");
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
            self.push(&choice(&arm.pattern));
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

    fn label(&mut self, label: Option<&str>) {
        if let Some(label) = label {
            let _ = write!(self.text, "'{label}: ");
        }
    }

    fn exit(&mut self, keyword: &str, label: Option<&str>, value: Option<&Expression>) {
        self.push(keyword);
        if let Some(label) = label {
            let _ = write!(self.text, " '{label}");
        }
        if let Some(value) = value {
            self.push(" ");
            // The type of a loop's value is only known when its breaks are.
            let suffix = std::mem::replace(&mut self.suffix, keyword == "break");
            self.expression(value);
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
        }
    }

    fn adapters(&mut self, reversed: bool, enumerated: bool) {
        self.push(if enumerated { ".enumerate()" } else { "" });
        self.push(if reversed { ".rev()" } else { "" });
    }
}

fn choice(pattern: &Choice) -> String {
    match pattern {
        Choice::Numbers(numbers) => {
            numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(" | ")
        }
        Choice::Range(from, to) => format!("{from}..={to}"),
        Choice::Name(name) => name.clone(),
        Choice::Any => "_".into(),
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
        Expression::Loop(..) | Expression::Break(..) | Expression::Continue(_) => false,
        Expression::Return(_) => false,
        _ => true,
    }
}

fn is_typed_block(block: &Block) -> bool {
    block.value.as_deref().is_some_and(is_typed)
}
