//! Random programs of the IR as a tree of statements over variables, places and functions, and their text.
//!
//! A tree is always a valid program, also when statements are left out: variables exist from the start, and each region
//! carries what it assigns.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// How many elements each array has.
pub const LENGTH: usize = 4;

/// A program: each function calls those in front of it, and the last one is run.
#[derive(Clone, Debug)]
pub struct Program {
    /// The functions, the last of which is run.
    pub functions: Vec<Function>,
}

/// A function of floats and of arrays.
#[derive(Clone, Debug)]
pub struct Function {
    /// Parameters that are floats: the first variables.
    pub floats: usize,
    /// Parameters that are arrays: the first places.
    pub arrays: Vec<Access>,
    /// How many float variables there are.
    pub variables: usize,
    /// Places of its own: vectors, and pairs of a float and an array.
    pub own: Vec<Own>,
    /// What it does. It returns its first variable.
    pub body: Vec<Statement>,
}

/// How a parameter that is an array is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// `&[f64]`
    Shared,
    /// `&mut [f64]`
    Unique,
}

/// A place of a function's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Own {
    /// A vector.
    Vector,
    /// `(f64, [f64; 4])`
    Pair,
}

/// An index of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    /// A number.
    At(usize),
    /// The index of a loop around, counted from the innermost one.
    Of(usize),
    /// The same from the end of an array.
    Back(usize),
}

/// An operand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operand {
    /// A float variable.
    Variable(usize),
    /// A literal.
    Literal(f64),
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Statement {
    /// A row of the rule table.
    Set(usize, &'static str, Vec<Operand>),
    /// A variable becomes an element.
    Read(usize, usize, Index),
    /// An element becomes an operand.
    Write(usize, Index, Operand),
    /// The float of a pair, which is read.
    ReadFirst(usize, usize),
    /// Likewise, which is written.
    WriteFirst(usize, Operand),
    /// What was there comes into a variable.
    Replace(usize, usize, Index, Operand),
    /// Two elements of an array are exchanged.
    Swap(usize, Index, Index),
    /// Two vectors of the function's own are exchanged.
    Exchange(usize, usize),
    /// An element is put behind a vector of the function's own, and after these statements it is taken into a variable.
    Stack(usize, Operand, Vec<Statement>, usize),
    /// Where the first operand is less than the second.
    If(Operand, Operand, Vec<Statement>, Vec<Statement>),
    /// Through indices.
    For(Walk, Vec<Statement>),
    /// Through indices while the first operand is less than the second at an iteration's end.
    Until(Operand, Operand, Vec<Statement>),
    /// A number of times.
    Repeat(usize, Vec<Statement>),
    /// While a counter is below a number and an operand below another one.
    While(usize, Operand, Operand, Vec<Statement>),
    /// A function with operands and places: of these as many as it takes.
    Call(usize, usize, Vec<Operand>, Vec<usize>),
}

/// How a loop goes through indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    /// From zero to the length.
    Up,
    /// The other way.
    Down,
    /// Every second one.
    Steps,
    /// With the last one of a range that is one shorter.
    Inclusive,
}

impl Statement {
    /// The statements inside.
    #[must_use]
    pub fn blocks(&self) -> Vec<&Vec<Statement>> {
        match self {
            Statement::If(_, _, then, other) => vec![then, other],
            Statement::For(_, body)
            | Statement::Until(_, _, body)
            | Statement::Repeat(_, body)
            | Statement::While(_, _, _, body)
            | Statement::Stack(_, _, body, _) => vec![body],
            _ => Vec::new(),
        }
    }

    /// The same, to change.
    pub fn blocks_mut(&mut self) -> Vec<&mut Vec<Statement>> {
        match self {
            Statement::If(_, _, then, other) => vec![then, other],
            Statement::For(_, body)
            | Statement::Until(_, _, body)
            | Statement::Repeat(_, body)
            | Statement::While(_, _, _, body)
            | Statement::Stack(_, _, body, _) => vec![body],
            _ => Vec::new(),
        }
    }
}

impl Function {
    /// The number of its places.
    #[must_use]
    pub fn places(&self) -> usize {
        self.arrays.len() + self.own.len()
    }

    /// Whether a place is a pair.
    #[must_use]
    pub fn is_pair(&self, place: usize) -> bool {
        place >= self.arrays.len() && self.own[place - self.arrays.len()] == Own::Pair
    }

    /// Whether a place is a vector of its own.
    #[must_use]
    pub fn is_vector(&self, place: usize) -> bool {
        place >= self.arrays.len() && self.own[place - self.arrays.len()] == Own::Vector
    }

    /// Whether a place can be written.
    #[must_use]
    pub fn is_written(&self, place: usize) -> bool {
        self.arrays.get(place) != Some(&Access::Shared)
    }
}

impl Program {
    /// The text form.
    #[must_use]
    pub fn text(&self) -> String {
        let functions = self.functions.iter().enumerate();
        functions.map(|(index, function)| Writer::new(self, function).function(index)).collect()
    }

    /// The name of the function that is run.
    #[must_use]
    pub fn main(&self) -> String {
        format!("f{}", self.functions.len() - 1)
    }
}

/// What regions assign.
#[derive(Default, Clone, PartialEq, Eq)]
struct Assigned {
    variables: BTreeSet<usize>,
    places: BTreeSet<usize>,
}

impl Assigned {
    fn add(&mut self, program: &Program, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Set(variable, ..)
                | Statement::Read(variable, ..)
                | Statement::ReadFirst(variable, _) => drop(self.variables.insert(*variable)),
                Statement::Write(place, ..)
                | Statement::WriteFirst(place, _)
                | Statement::Swap(place, ..) => {
                    self.places.insert(*place);
                }
                Statement::Replace(variable, place, ..) => {
                    self.variables.insert(*variable);
                    self.places.insert(*place);
                }
                Statement::Exchange(a, b) => self.places.extend([*a, *b]),
                Statement::Stack(place, _, _, variable) => {
                    self.variables.insert(*variable);
                    self.places.insert(*place);
                }
                Statement::Call(function, variable, _, places) => {
                    self.variables.insert(*variable);
                    let accesses = program.functions[*function].arrays.iter().zip(places);
                    let written = accesses.filter(|(access, _)| **access == Access::Unique);
                    self.places.extend(written.map(|(_, place)| *place));
                }
                Statement::If(..)
                | Statement::For(..)
                | Statement::Until(..)
                | Statement::Repeat(..)
                | Statement::While(..) => {}
            }
            statement.blocks().into_iter().for_each(|block| self.add(program, block));
        }
    }
}

/// Writes one function, with the current value of each variable and the current version of each place.
struct Writer<'p> {
    program: &'p Program,
    function: &'p Function,
    text: String,
    depth: usize,
    next: usize,
    variables: Vec<usize>,
    places: Vec<usize>,
    /// Of the loops around.
    indices: Vec<usize>,
}

impl<'p> Writer<'p> {
    fn new(program: &'p Program, function: &'p Function) -> Self {
        Writer {
            program,
            function,
            text: String::new(),
            depth: 1,
            next: 0,
            variables: Vec::new(),
            places: Vec::new(),
            indices: Vec::new(),
        }
    }

    fn value(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    fn line(&mut self, line: &str) {
        (0..self.depth).for_each(|_| self.text.push_str("    "));
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A value of a type, made by an operation.
    fn make(&mut self, ty: &str, operation: &str) -> usize {
        let value = self.value();
        self.line(&format!("v{value}: {ty} = {operation}"));
        value
    }

    fn function(mut self, index: usize) -> String {
        let mut params = Vec::new();
        for _ in 0..self.function.floats {
            let value = self.value();
            self.variables.push(value);
            params.push(format!("v{value} x: f64"));
        }
        for place in 0..self.function.arrays.len() {
            let value = self.value();
            self.places.push(value);
            params.push(format!("v{value} a: @{place}"));
        }
        let active: Vec<String> = (0..self.next).map(|value| format!("v{value}")).collect();
        self.text =
            format!("#[active({})]\nfn f{index}({}) {{\n", active.join(", "), params.join(", "));
        self.slots();
        self.start();
        let function = self.function;
        self.statements(&function.body);
        let returned = self.variables[0];
        let unique =
            (0..function.arrays.len()).filter(|place| function.arrays[*place] == Access::Unique);
        let versions: Vec<String> =
            unique.map(|place| format!("v{}", self.places[place])).collect();
        let versions =
            if versions.is_empty() { String::new() } else { format!("; {}", versions.join(", ")) };
        self.line(&format!("return v{returned}{versions}"));
        self.text.push_str("}\n\n");
        self.text
    }

    fn slots(&mut self) {
        for (place, access) in self.function.arrays.iter().enumerate() {
            let access = if *access == Access::Shared { "shared" } else { "unique" };
            self.line(&format!("slot @{place} a: [f64] {access}"));
        }
        for (number, own) in self.function.own.iter().enumerate() {
            let place = self.function.arrays.len() + number;
            match own {
                Own::Vector => self.line(&format!("slot @{place} a: Vec<f64>")),
                Own::Pair => self.line(&format!("slot @{place} p: (f64, [f64; {LENGTH}])")),
            }
        }
    }

    /// Gives variables that are no parameters, and places of its own, what they hold first.
    fn start(&mut self) {
        for number in self.variables.len()..self.function.variables {
            let value = self.make("f64", &format!("{}.5", number % 3));
            self.variables.push(value);
        }
        for (number, own) in self.function.own.iter().enumerate() {
            let place = self.function.arrays.len() + number;
            let float = self.variables[number % self.variables.len()];
            let operation = match own {
                Own::Vector => {
                    let len = self.make("int", &LENGTH.to_string());
                    format!("vec_repeat v{float}, v{len}")
                }
                Own::Pair => {
                    let array = self.make(
                        &format!("[f64; {LENGTH}]"),
                        &format!("array_repeat({LENGTH}) v{float}"),
                    );
                    format!("tuple v{float}, v{array}")
                }
            };
            let version = self.value();
            self.line(&format!("v{version} a: @{place} = {operation}"));
            self.places.push(version);
        }
    }

    fn operand(&mut self, operand: Operand) -> usize {
        match operand {
            Operand::Variable(variable) => self.variables[variable],
            // As tokens are written.
            Operand::Literal(number) => self.make("f64", &format!("{number:?}").replace('-', "- ")),
        }
    }

    fn index(&mut self, index: Index) -> usize {
        let around = |of: usize, indices: &[usize]| {
            let count = indices.len();
            (count > 0).then(|| indices[count - 1 - of % count])
        };
        match index {
            Index::At(number) => self.make("int", &number.to_string()),
            Index::Of(of) => match around(of, &self.indices) {
                Some(index) => index,
                None => self.make("int", "0"),
            },
            Index::Back(of) => match around(of, &self.indices) {
                Some(index) => {
                    let last = self.make("int", &(LENGTH - 1).to_string());
                    self.make("int", &format!("sub v{last}, v{index}"))
                }
                None => self.make("int", "1"),
            },
        }
    }

    fn step(&self, place: usize) -> &'static str {
        if self.function.is_pair(place) { ".1[]" } else { "[]" }
    }

    /// The next version of a place.
    fn version(&mut self, place: usize) -> String {
        let version = self.value();
        self.places[place] = version;
        format!("v{version} a: @{place}")
    }

    fn statements(&mut self, statements: &[Statement]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Set(variable, row, operands) => {
                let operands: Vec<String> =
                    operands.iter().map(|operand| format!("v{}", self.operand(*operand))).collect();
                self.variables[*variable] =
                    self.make("f64", &format!("{row} {}", operands.join(", ")));
            }
            Statement::Read(variable, place, index) => {
                let index = self.index(*index);
                let load = format!("load{} v{}, v{index}", self.step(*place), self.places[*place]);
                self.variables[*variable] = self.make("f64", &load);
            }
            Statement::ReadFirst(variable, place) => {
                let load = format!("load.0 v{}", self.places[*place]);
                self.variables[*variable] = self.make("f64", &load);
            }
            Statement::WriteFirst(place, operand) => {
                let (operand, old) = (self.operand(*operand), self.places[*place]);
                let next = self.version(*place);
                self.line(&format!("{next} = store.0 v{old}, v{operand}"));
            }
            Statement::Write(place, index, operand) => {
                let (index, operand, old) =
                    (self.index(*index), self.operand(*operand), self.places[*place]);
                let (next, step) = (self.version(*place), self.step(*place));
                self.line(&format!("{next} = store{step} v{old}, v{index}, v{operand}"));
            }
            Statement::Replace(variable, place, index, operand) => {
                let (index, operand, old) =
                    (self.index(*index), self.operand(*operand), self.places[*place]);
                let (next, step, taken) = (self.version(*place), self.step(*place), self.value());
                self.line(&format!(
                    "{next}, v{taken}: f64 = replace{step} v{old}, v{index}, v{operand}"
                ));
                self.variables[*variable] = taken;
            }
            Statement::Swap(place, a, b) => {
                let (a, b, old) = (self.index(*a), self.index(*b), self.places[*place]);
                let (next, step) = (self.version(*place), self.step(*place));
                self.line(&format!(
                    "{next} = exchange(_{step}, _{step}) v{old}, v{a}, v{old}, v{b}"
                ));
            }
            Statement::Exchange(a, b) if a == b => {}
            Statement::Exchange(a, b) => {
                let (old, other) = (self.places[*a], self.places[*b]);
                let (next, last) = (self.version(*a), self.version(*b));
                self.line(&format!("{next}, {last} = exchange(_, _) v{old}, v{other}"));
            }
            Statement::Stack(place, operand, body, variable) => {
                let (operand, old) = (self.operand(*operand), self.places[*place]);
                let next = self.version(*place);
                self.line(&format!("{next} = insert last v{old}, v{operand}"));
                self.statements(body);
                let old = self.places[*place];
                let (next, taken) = (self.version(*place), self.value());
                self.line(&format!("{next}, v{taken}: f64 = remove last v{old}"));
                self.variables[*variable] = taken;
            }
            Statement::If(a, b, then, other) => self.branch(*a, *b, then, other),
            Statement::For(walk, body) => self.walk(*walk, body),
            Statement::Until(a, b, body) => self.until(*a, *b, body),
            Statement::Repeat(count, body) => {
                let count = self.make("int", &count.to_string());
                self.region(&format!("repeat v{count}"), body, None, None);
            }
            Statement::While(most, a, b, body) => self.repeat_while(*most, *a, *b, body),
            Statement::Call(function, variable, operands, places) => {
                self.call(*function, *variable, operands, places);
            }
        }
    }

    fn condition(&mut self, a: Operand, b: Operand) -> usize {
        let (a, b) = (self.operand(a), self.operand(b));
        self.make("bool", &format!("< v{a}, v{b}"))
    }

    fn assigned(&self, blocks: &[&[Statement]]) -> Assigned {
        let mut assigned = Assigned::default();
        blocks.iter().for_each(|block| assigned.add(self.program, block));
        assigned
    }

    /// New values for what a region assigns: their definitions.
    fn renew(&mut self, assigned: &Assigned) -> Vec<String> {
        let mut definitions = Vec::new();
        for variable in &assigned.variables {
            let value = self.value();
            self.variables[*variable] = value;
            definitions.push(format!("v{value}: f64"));
        }
        for place in &assigned.places {
            definitions.push(self.version(*place));
        }
        definitions
    }

    fn current(&self, assigned: &Assigned) -> Vec<String> {
        let variables = assigned.variables.iter().map(|variable| self.variables[*variable]);
        let places = assigned.places.iter().map(|place| self.places[*place]);
        variables.chain(places).map(|value| format!("v{value}")).collect()
    }

    fn branch(&mut self, a: Operand, b: Operand, then: &[Statement], other: &[Statement]) {
        let condition = self.condition(a, b);
        let assigned = self.assigned(&[then, other]);
        let (variables, places) = (self.variables.clone(), self.places.clone());
        let (at, depth) = (self.text.len(), self.depth);
        let mut arms = Vec::new();
        for arm in [then, other] {
            (self.variables, self.places) = (variables.clone(), places.clone());
            self.depth += 1;
            self.statements(arm);
            let yielded = self.current(&assigned).join(", ");
            self.line(format!("yield {yielded}").trim_end());
            self.depth = depth;
            arms.push(self.text.split_off(at));
        }
        let results = self.renew(&assigned);
        let results =
            if results.is_empty() { String::new() } else { format!("{} = ", results.join(", ")) };
        self.line(&format!("{results}if v{condition} {{"));
        let indent = "    ".repeat(depth);
        let _ = write!(self.text, "{}{indent}}} else {{\n{}{indent}}}\n", arms[0], arms[1]);
    }

    /// A loop: its head with the bounds, and what stands before what it yields.
    fn region(
        &mut self,
        head: &str,
        body: &[Statement],
        index: Option<()>,
        again: Option<(Operand, Operand)>,
    ) {
        let assigned = self.assigned(&[body]);
        let start = self.current(&assigned);
        let (at, depth) = (self.text.len(), self.depth);
        let mut params = Vec::new();
        if index.is_some() {
            let index = self.value();
            self.indices.push(index);
            params.push(format!("v{index} i: int"));
        }
        params.extend(self.renew(&assigned));
        self.depth += 1;
        self.statements(body);
        let mut yielded = self.current(&assigned);
        if let Some((a, b)) = again {
            let condition = self.condition(a, b);
            yielded.insert(0, format!("v{condition}"));
        }
        self.line(format!("yield {}", yielded.join(", ")).trim_end());
        self.depth = depth;
        index.and_then(|()| self.indices.pop());
        let inner = self.text.split_off(at);
        let results = self.renew(&assigned);
        let results =
            if results.is_empty() { String::new() } else { format!("{} = ", results.join(", ")) };
        let comma = if start.is_empty() || !head.contains('v') { "" } else { ", " };
        let params =
            if params.is_empty() { String::new() } else { format!(" ({})", params.join(", ")) };
        self.line(&format!("{results}{head}{comma}{}{params} {{", start.join(", ")));
        let _ = writeln!(self.text, "{inner}{}}}", "    ".repeat(depth));
    }

    fn walk(&mut self, walk: Walk, body: &[Statement]) {
        let start = self.make("int", "0");
        let end = if walk == Walk::Inclusive { LENGTH - 2 } else { LENGTH };
        let end = self.make("int", &end.to_string());
        let (kind, step) = match walk {
            Walk::Up => ("for", None),
            Walk::Down => ("for.rev", None),
            Walk::Steps => ("for.step_by", Some(self.make("int", "2"))),
            Walk::Inclusive => ("for=", None),
        };
        let step = step.map_or_else(String::new, |step| format!(", v{step}"));
        self.region(&format!("{kind} v{start}, v{end}{step}"), body, Some(()), None);
    }

    fn until(&mut self, a: Operand, b: Operand, body: &[Statement]) {
        let (start, end) = (self.make("int", "0"), self.make("int", &LENGTH.to_string()));
        self.region(&format!("for breaks v{start}, v{end}"), body, Some(()), Some((a, b)));
    }

    fn repeat_while(&mut self, most: usize, a: Operand, b: Operand, body: &[Statement]) {
        let assigned = self.assigned(&[body]);
        let zero = self.make("int", "0");
        let start = self.current(&assigned);
        let (at, depth) = (self.text.len(), self.depth);
        let mut parts = Vec::new();
        for is_condition in [true, false] {
            let counter = self.value();
            let params: Vec<String> =
                std::iter::once(format!("v{counter}: int")).chain(self.renew(&assigned)).collect();
            self.depth = depth + 1;
            if is_condition {
                let limit = self.make("int", &most.to_string());
                let counts = self.make("bool", &format!("< v{counter}, v{limit}"));
                let holds = self.condition(a, b);
                let both = self.make("bool", &format!("& v{counts}, v{holds}"));
                self.line(&format!("yield v{both}"));
            } else {
                self.statements(body);
                let one = self.make("int", "1");
                let next = self.make("int", &format!("add v{counter}, v{one}"));
                let yielded = std::iter::once(format!("v{next}")).chain(self.current(&assigned));
                let yielded: Vec<String> = yielded.collect();
                self.line(&format!("yield {}", yielded.join(", ")));
            }
            self.depth = depth;
            parts.push(format!("({}) {{\n{}", params.join(", "), self.text.split_off(at)));
        }
        let counter = self.value();
        let results: Vec<String> =
            std::iter::once(format!("v{counter}: int")).chain(self.renew(&assigned)).collect();
        let start: Vec<String> = std::iter::once(format!("v{zero}")).chain(start).collect();
        let indent = "    ".repeat(depth);
        self.line(&format!(
            "{} = while {} {}{indent}}} do {}{indent}}}",
            results.join(", "),
            start.join(", "),
            parts[0],
            parts[1]
        ));
    }

    fn call(&mut self, function: usize, variable: usize, operands: &[Operand], places: &[usize]) {
        let callee = &self.program.functions[function];
        let mut args: Vec<String> = operands[..callee.floats]
            .iter()
            .map(|operand| format!("v{}", self.operand(*operand)))
            .collect();
        let mut passing = vec!["value".to_owned(); callee.floats];
        let mut results = Vec::new();
        for (access, place) in callee.arrays.iter().zip(places) {
            args.push(format!("v{}", self.places[*place]));
            let path = if self.function.is_pair(*place) { ".1" } else { "" };
            match access {
                Access::Shared => passing.push(format!("&{path}")),
                Access::Unique => {
                    passing.push(format!("&mut{path}"));
                    results.push(self.version(*place));
                }
            }
        }
        let value = self.value();
        results.insert(0, format!("v{value}: f64"));
        let call = format!("call f{function}({})", passing.join(", "));
        self.line(&format!("{} = {call} {}", results.join(", "), args.join(", ")));
        self.variables[variable] = value;
    }
}
