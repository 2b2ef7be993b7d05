//! Random programs of the IR as a tree of statements over variables, places and functions, and their text.
//!
//! A tree is always a valid program, also when statements are left out: variables exist from the start, and each region
//! carries what it assigns.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A program: each function calls those in front of it, and the last one is run.
#[derive(Clone, Debug)]
pub struct Program {
    /// How many elements each array has.
    pub length: usize,
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
    /// Places of its own.
    pub own: Vec<Own>,
    /// Places that blocks of it make.
    pub temporaries: Vec<Temporary>,
    /// Whether literals have the type that the context asks for.
    pub is_loose: bool,
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
    /// `Vec<[f64; 3]>`, whose elements are read and written at one place.
    Rows,
    /// A vector of a type that the compiler does not see.
    Opaque,
    /// A float of a type that the compiler does not see.
    Number,
}

/// A place that a block makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Temporary {
    /// `(f64, f64)`
    Tuple,
    /// `[f64; 3]`
    Array,
    /// A struct of two floats, which is written like a call.
    Struct,
}

impl Temporary {
    /// How many floats it consists of.
    #[must_use]
    pub fn parts(self) -> usize {
        if self == Temporary::Array { 3 } else { 2 }
    }
}

/// What a temporary is made of.
#[derive(Clone, Debug)]
pub enum Make {
    /// Operands, as many as it has parts.
    Parts(Vec<Operand>),
    /// An element of a vector of arrays.
    Row(usize, Index),
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
    /// An index of a loop, and how far from it.
    Near(usize, i64),
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
    /// The method `dot` of two vectors of an unseen type.
    Dot(usize, usize, usize),
    /// A vector goes over into another one, and is made anew: of one operand or, where it is greater than another one, of
    /// that.
    Shift(usize, usize, Operand, Option<Operand>),
    /// A float of an unseen type is read as a whole.
    ReadWhole(usize, usize),
    /// Likewise, and written.
    WriteWhole(usize, Operand),
    /// A temporary is made, and is there for these statements.
    Let(usize, Make, Vec<Statement>),
    /// A part of a temporary is read.
    ReadPart(usize, usize, usize),
    /// Likewise, and written.
    WritePart(usize, usize, Operand),
    /// A temporary is written as a whole.
    Assign(usize, Vec<Operand>),
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
    /// To the length of a place, which is asked for.
    Over(usize),
    /// From a number to a length without another number, which never falls below zero where it saturates.
    Short {
        /// The place whose length it is.
        place: usize,
        /// The first index.
        start: usize,
        /// How many indices less there are at the end.
        less: usize,
        /// Whether the difference saturates.
        saturates: bool,
    },
    /// From zero to the length, where derivatives keep only some states: one for so many iterations, or by the root.
    Segments(Option<usize>),
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
            | Statement::Stack(_, _, body, _)
            | Statement::Let(_, _, body) => vec![body],
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
            | Statement::Stack(_, _, body, _)
            | Statement::Let(_, _, body) => vec![body],
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

    /// Whether a place is one of its own of a kind.
    #[must_use]
    pub fn is(&self, place: usize, own: Own) -> bool {
        place >= self.arrays.len() && self.own[place - self.arrays.len()] == own
    }

    /// Whether a temporary is made somewhere.
    fn makes(&self, temporary: usize) -> bool {
        fn any(block: &[Statement], temporary: usize) -> bool {
            block.iter().any(|statement| {
                matches!(statement, Statement::Let(made, ..) if *made == temporary)
                    || statement.blocks().into_iter().any(|block| any(block, temporary))
            })
        }
        any(&self.body, temporary)
    }

    /// Whether a place has elements.
    #[must_use]
    pub fn has_elements(&self, place: usize) -> bool {
        !self.is(place, Own::Number)
    }

    /// Whether a place has elements that are floats and can be written.
    #[must_use]
    pub fn is_written(&self, place: usize) -> bool {
        self.arrays.get(place) != Some(&Access::Shared) && self.has_elements(place)
    }

    /// Whether a place can be handed on as a slice of floats.
    #[must_use]
    pub fn is_slice(&self, place: usize) -> bool {
        self.has_elements(place) && !self.is(place, Own::Rows) && !self.is(place, Own::Opaque)
    }
}

impl Program {
    /// The text form.
    #[must_use]
    pub fn text(&self) -> String {
        let functions = self.functions.iter().enumerate();
        let functions: String = functions
            .map(|(index, function)| Writer::new(self, function).function(index))
            .collect();
        let helpers = [("struct P", STRUCT), (".dot(", DOT)];
        let used = helpers.iter().filter(|(word, _)| functions.contains(word));
        used.map(|(_, text)| *text).chain([functions.as_str()]).collect()
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
    temporaries: BTreeSet<usize>,
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
                Statement::Dot(variable, ..)
                | Statement::ReadWhole(variable, _)
                | Statement::ReadPart(variable, ..) => drop(self.variables.insert(*variable)),
                Statement::WriteWhole(place, _) => drop(self.places.insert(*place)),
                Statement::WritePart(temporary, ..) | Statement::Assign(temporary, _) => {
                    self.temporaries.insert(*temporary);
                }
                Statement::Exchange(a, b) | Statement::Shift(a, b, ..) => {
                    self.places.extend([*a, *b]);
                }
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
                | Statement::While(..)
                | Statement::Let(..) => {}
            }
            let mut inner = Assigned::default();
            statement.blocks().into_iter().for_each(|block| inner.add(program, block));
            if let Statement::Let(temporary, ..) = statement {
                inner.temporaries.remove(temporary);
            }
            self.variables.extend(inner.variables);
            self.places.extend(inner.places);
            self.temporaries.extend(inner.temporaries);
        }
    }
}

/// A function whose name is that of a struct.
const STRUCT: &str = "#[active(v0, v1)]
fn P(v0 x: f64, v1 y: f64) {
    slot @0 p: ?
    v2 p: @0 = struct P { 0, 1 } v0, v1
    v3: ? = load v2
    return v3
}

";

/// What `a.dot(&b)` does.
const DOT: &str = "#[active(v0, v1)]
fn dot(v0 a: @0, v1 b: @1) {
    slot @0 a: [f64] shared
    slot @1 b: [f64] shared
    v2: f64 = 0.0
    v3: int = 0
    v4: int = measure len v0
    v5: f64 = for v3, v4, v2 (v6: int, v7: f64) {
        v8: f64 = load[] v0, v6
        v9: f64 = load[] v1, v6
        v10: f64 = mul v8, v9
        v11: f64 = add v7, v10
        yield v11
    }
    return v5
}

";

/// Values as operands.
fn values(values: &[usize]) -> String {
    values.iter().map(|value| format!("v{value}")).collect::<Vec<_>>().join(", ")
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
    /// The versions of those that are there.
    temporaries: Vec<Option<usize>>,
    /// Values whose type the compiler does not see.
    unseen: BTreeSet<usize>,
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
            temporaries: vec![None; function.temporaries.len()],
            unseen: BTreeSet::new(),
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
        let has_unseen =
            self.function.own.iter().any(|own| matches!(own, Own::Opaque | Own::Number));
        let flag = if has_unseen { ", copies_operands" } else { "" };
        let active = format!("active({}){flag}", active.join(", "));
        self.text = format!("#[{active}]\nfn f{index}({}) {{\n", params.join(", "));
        self.slots();
        self.start();
        let function = self.function;
        self.statements(&function.body);
        let mut returned = self.variables[0];
        if self.unseen.contains(&returned) {
            let zero = self.make("f64", "0.0");
            returned = self.make("f64", &format!("add v{returned}, v{zero}"));
        }
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
                Own::Pair => {
                    self.line(&format!("slot @{place} p: (f64, [f64; {}])", self.program.length));
                }
                Own::Rows => self.line(&format!("slot @{place} r: Vec<[f64; 3]>")),
                Own::Opaque | Own::Number => self.line(&format!("slot @{place} o: ?")),
            }
        }
        for (number, temporary) in self.function.temporaries.iter().enumerate() {
            let ty = match temporary {
                Temporary::Tuple => "(f64, f64)",
                Temporary::Array => "[f64; 3]",
                Temporary::Struct => "?",
            };
            if self.function.makes(number) {
                self.line(&format!("slot @{} t: {ty}", self.function.places() + number));
            }
        }
    }

    /// Gives variables that are no parameters, and places of its own, what they hold first.
    fn start(&mut self) {
        let length = self.program.length;
        for number in self.variables.len()..self.function.variables {
            let value = self.make("f64", &format!("{}.5", number % 3));
            self.variables.push(value);
        }
        for (number, own) in self.function.own.iter().enumerate() {
            let place = self.function.arrays.len() + number;
            let float = self.variables[number % self.variables.len()];
            let operation = match own {
                Own::Pair => {
                    let array = self.make(
                        &format!("[f64; {length}]"),
                        &format!("array_repeat({length}) v{float}"),
                    );
                    format!("tuple v{float}, v{array}")
                }
                Own::Rows => {
                    let row = self.make("[f64; 3]", &format!("array_repeat(3) v{float}"));
                    let len = self.make("int", &length.to_string());
                    format!("vec_repeat v{row}, v{len}")
                }
                // One of two holds constants, as long as nothing is written into it.
                Own::Vector | Own::Opaque => {
                    let literal = self.make("f64", "1.5");
                    let item = if number % 2 == 0 { float } else { literal };
                    let len = self.make("int", &length.to_string());
                    format!("vec_repeat v{item}, v{len}")
                }
                Own::Number => {
                    let opaque = (0..place).find(|place| self.function.is(*place, Own::Opaque));
                    let value = opaque.map(|opaque| {
                        let index = self.make("int", "0");
                        self.make("?", &format!("load[] v{}, v{index}", self.places[opaque]))
                    });
                    format!("duplicate v{}", value.unwrap_or(float))
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
            Operand::Literal(number) => {
                let ty = if self.function.is_loose { "float" } else { "f64" };
                self.make(ty, &format!("{number:?}").replace('-', "- "))
            }
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
                    let last = self.make("int", &(self.program.length - 1).to_string());
                    self.make("int", &format!("sub v{last}, v{index}"))
                }
                None => self.make("int", "1"),
            },
            Index::Near(of, distance) => match around(of, &self.indices) {
                Some(index) => {
                    let far = self.make("int", &distance.abs().to_string());
                    let row = if distance < 0 { "sub" } else { "add" };
                    self.make("int", &format!("{row} v{index}, v{far}"))
                }
                None => self.make("int", "1"),
            },
        }
    }

    /// The indices of an element of a place, with the places in front of the last one.
    fn element(&mut self, place: usize, index: Index) -> String {
        let index = self.index(index);
        match self.function.is(place, Own::Rows) {
            true => {
                let column = self.make("int", "1");
                format!("v{index}, v{column}")
            }
            false => format!("v{index}"),
        }
    }

    /// Makes a value of an element of a place.
    fn made_of(&mut self, place: usize, operation: &str) -> usize {
        let is_unseen =
            self.function.is(place, Own::Opaque) || self.function.is(place, Own::Number);
        let value = self.make(if is_unseen { "?" } else { "f64" }, operation);
        self.unseen.extend(is_unseen.then_some(value));
        value
    }

    fn step(&self, place: usize) -> &'static str {
        match () {
            () if self.function.is(place, Own::Pair) => ".1[]",
            () if self.function.is(place, Own::Rows) => "[][]",
            () => "[]",
        }
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
                let operands: Vec<usize> =
                    operands.iter().map(|operand| self.operand(*operand)).collect();
                let is_unseen = operands.iter().all(|operand| self.unseen.contains(operand));
                let ty = if is_unseen { "?" } else { "f64" };
                let value = self.make(ty, &format!("{row} {}", values(&operands)));
                self.unseen.extend(is_unseen.then_some(value));
                self.variables[*variable] = value;
            }
            Statement::Read(variable, place, index) => {
                let element = self.element(*place, *index);
                let load = format!("load{} v{}, {element}", self.step(*place), self.places[*place]);
                self.variables[*variable] = self.made_of(*place, &load);
            }
            Statement::ReadWhole(variable, place) => {
                let load = format!("load v{}", self.places[*place]);
                self.variables[*variable] = self.made_of(*place, &load);
            }
            Statement::WriteWhole(place, operand) => {
                let (operand, old) = (self.operand(*operand), self.places[*place]);
                let next = self.version(*place);
                self.line(&format!("{next} = store v{old}, v{operand}"));
            }
            Statement::Dot(variable, a, b) => {
                let (a, b) = (self.places[*a], self.places[*b]);
                self.variables[*variable] =
                    self.make("f64", &format!("call .dot(&, &) v{a}, v{b}"));
            }
            Statement::Shift(a, b, ..) if a == b => {}
            Statement::Shift(a, b, operand, other) => self.shift(*a, *b, *operand, *other),
            Statement::Let(temporary, make, body) => self.temporary(*temporary, make, body),
            Statement::ReadPart(variable, temporary, part) => {
                self.variables[*variable] = self.part(*temporary, *part);
            }
            Statement::WritePart(temporary, part, operand) => {
                let Some(old) = self.temporaries[*temporary] else { return };
                let operand = self.operand(*operand);
                let store = match self.function.temporaries[*temporary] {
                    Temporary::Array => {
                        let index = self.make("int", &part.to_string());
                        format!("store[] v{old}, v{index}, v{operand}")
                    }
                    Temporary::Tuple | Temporary::Struct => {
                        format!("store.{part} v{old}, v{operand}")
                    }
                };
                let next = self.renewed(*temporary);
                self.line(&format!("{next} = {store}"));
            }
            Statement::Assign(temporary, operands) => {
                let Some(old) = self.temporaries[*temporary] else { return };
                // The contents of a struct are made in a place.
                if self.function.temporaries[*temporary] == Temporary::Struct {
                    return;
                }
                let (ty, made) = self.whole(*temporary, operands);
                let made = self.make(ty, &made);
                let next = self.renewed(*temporary);
                self.line(&format!("{next} = store v{old}, v{made}"));
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
                let (element, operand, old) =
                    (self.element(*place, *index), self.operand(*operand), self.places[*place]);
                let (next, step) = (self.version(*place), self.step(*place));
                self.line(&format!("{next} = store{step} v{old}, {element}, v{operand}"));
            }
            Statement::Replace(variable, place, index, operand) => {
                let (element, operand, old) =
                    (self.element(*place, *index), self.operand(*operand), self.places[*place]);
                let (next, step, taken) = (self.version(*place), self.step(*place), self.value());
                let is_unseen = self.function.is(*place, Own::Opaque);
                self.unseen.extend(is_unseen.then_some(taken));
                let ty = if is_unseen { "?" } else { "f64" };
                self.line(&format!(
                    "{next}, v{taken}: {ty} = replace{step} v{old}, {element}, v{operand}"
                ));
                self.variables[*variable] = taken;
            }
            Statement::Swap(place, a, b) => {
                let (a, b) = (self.element(*place, *a), self.element(*place, *b));
                let old = self.places[*place];
                let (next, step) = (self.version(*place), self.step(*place));
                self.line(&format!("{next} = exchange(_{step}, _{step}) v{old}, {a}, v{old}, {b}"));
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

    /// A vector is moved, and made anew.
    fn shift(&mut self, a: usize, b: usize, operand: Operand, other: Option<Operand>) {
        let operands = [Some(operand), other].map(|operand| operand.map(|of| self.operand(of)));
        let (old, target) = (self.places[a], self.places[b]);
        // Where arms refill it, its type does not show, as that of a struct does not.
        let ty = if other.is_some() { "?" } else { "Vec<f64>" };
        let moved = self.make(ty, &format!("load v{old}"));
        let next = self.version(b);
        self.line(&format!("{next} = store v{target}, v{moved}"));
        let len = self.make("int", &self.program.length.to_string());
        let [Some(first), Some(second)] = operands else {
            let operand = operands[0].expect("an operand");
            let made = self.make("Vec<f64>", &format!("vec_repeat v{operand}, v{len}"));
            let next = self.version(a);
            return self.line(&format!("{next} = store v{old}, v{made}"));
        };
        let less = self.make("bool", &format!("< v{first}, v{second}"));
        let (at, depth) = (self.text.len(), self.depth);
        let arms = [first, second].map(|operand| {
            self.depth = depth + 1;
            let made = self.make("Vec<f64>", &format!("vec_repeat v{operand}, v{len}"));
            let next = self.version(a);
            self.line(&format!("{next} = store v{old}, v{made}"));
            let yielded = self.places[a];
            self.line(&format!("yield v{yielded}"));
            self.depth = depth;
            self.text.split_off(at)
        });
        let (next, indent) = (self.version(a), "    ".repeat(depth));
        self.line(&format!("{next} = if v{less} {{"));
        let _ = write!(self.text, "{}{indent}}} else {{\n{}{indent}}}\n", arms[0], arms[1]);
    }

    /// A temporary, and what it is there for.
    fn temporary(&mut self, temporary: usize, make: &Make, body: &[Statement]) {
        let made = match make {
            Make::Parts(operands) => self.whole(temporary, operands).1,
            Make::Row(place, index) => {
                let index = self.index(*index);
                format!("load[] v{}, v{index}", self.places[*place])
            }
        };
        let version = self.renewed(temporary);
        self.line(&format!("{version} = {made}"));
        self.statements(body);
        self.temporaries[temporary] = None;
    }

    /// The next version of a temporary.
    fn renewed(&mut self, temporary: usize) -> String {
        let version = self.value();
        self.temporaries[temporary] = Some(version);
        format!("v{version} t: @{}", self.function.places() + temporary)
    }

    /// What makes all of a temporary, with its type.
    fn whole(&mut self, temporary: usize, operands: &[Operand]) -> (&'static str, String) {
        let temporary = self.function.temporaries[temporary];
        let parts = operands.iter().take(temporary.parts());
        let parts: Vec<usize> = parts.map(|operand| self.operand(*operand)).collect();
        let (ty, operation) = match temporary {
            Temporary::Tuple => ("(f64, f64)", "tuple"),
            Temporary::Array => ("[f64; 3]", "array"),
            Temporary::Struct => ("?", "struct P { 0, 1 }"),
        };
        (ty, format!("{operation} {}", values(&parts)))
    }

    /// A part of a temporary; a number where it is not there.
    fn part(&mut self, temporary: usize, part: usize) -> usize {
        let Some(version) = self.temporaries[temporary] else { return self.make("f64", "0.5") };
        match self.function.temporaries[temporary] {
            Temporary::Array => {
                let index = self.make("int", &part.to_string());
                self.make("f64", &format!("load[] v{version}, v{index}"))
            }
            Temporary::Tuple => self.make("f64", &format!("load.{part} v{version}")),
            Temporary::Struct => {
                let value = self.make("?", &format!("load.{part} v{version}"));
                self.unseen.insert(value);
                value
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
        assigned.temporaries.retain(|temporary| self.temporaries[*temporary].is_some());
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
        for temporary in &assigned.temporaries {
            definitions.push(self.renewed(*temporary));
        }
        definitions
    }

    fn current(&self, assigned: &Assigned) -> Vec<String> {
        let variables = assigned.variables.iter().map(|variable| self.variables[*variable]);
        let places = assigned.places.iter().map(|place| self.places[*place]);
        let temporaries = assigned.temporaries.iter().filter_map(|own| self.temporaries[*own]);
        variables.chain(places).chain(temporaries).map(|value| format!("v{value}")).collect()
    }

    fn branch(&mut self, a: Operand, b: Operand, then: &[Statement], other: &[Statement]) {
        let condition = self.condition(a, b);
        let assigned = self.assigned(&[then, other]);
        let (variables, places) = (self.variables.clone(), self.places.clone());
        let temporaries = self.temporaries.clone();
        let (at, depth) = (self.text.len(), self.depth);
        let mut arms = Vec::new();
        for arm in [then, other] {
            (self.variables, self.places) = (variables.clone(), places.clone());
            self.temporaries.clone_from(&temporaries);
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
        let first = if let Walk::Short { start, .. } = walk { start } else { 0 };
        let start = self.make("int", &first.to_string());
        let length = self.program.length;
        let end = match walk {
            Walk::Inclusive => self.make("int", &(length - 2).to_string()),
            Walk::Over(place) => self.length(place),
            Walk::Short { place, less, saturates, .. } => {
                let (length, less) = (self.length(place), self.make("int", &less.to_string()));
                let row = if saturates { ".saturating_sub" } else { "sub" };
                self.make("int", &format!("{row} v{length}, v{less}"))
            }
            Walk::Up | Walk::Down | Walk::Steps | Walk::Segments(_) => {
                self.make("int", &length.to_string())
            }
        };
        let (kind, step) = match walk {
            Walk::Up | Walk::Over(_) | Walk::Short { .. } => ("for", None),
            Walk::Down => ("for.rev", None),
            Walk::Steps => ("for.step_by", Some(self.make("int", "2"))),
            Walk::Inclusive => ("for=", None),
            Walk::Segments(None) => ("for schedule root", None),
            Walk::Segments(Some(every)) => {
                ("for schedule every", Some(self.make("int", &every.to_string())))
            }
        };
        let step = step.map_or_else(String::new, |step| format!(", v{step}"));
        self.region(&format!("{kind} v{start}, v{end}{step}"), body, Some(()), None);
    }

    /// The number of a place's elements.
    fn length(&mut self, place: usize) -> usize {
        let path = if self.function.is(place, Own::Pair) { ".1" } else { "" };
        self.make("int", &format!("measure len{path} v{}", self.places[place]))
    }

    fn until(&mut self, a: Operand, b: Operand, body: &[Statement]) {
        let length = self.program.length.to_string();
        let (start, end) = (self.make("int", "0"), self.make("int", &length));
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
                self.indices.push(counter);
                self.statements(body);
                self.indices.pop();
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
            let path = if self.function.is(*place, Own::Pair) { ".1" } else { "" };
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
