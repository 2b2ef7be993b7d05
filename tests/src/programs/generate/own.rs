//! The program's own struct and functions, which are made before those that call them.

use super::Generator;
use super::bound::is_storable;
use super::call::{Argument, Callee};
use crate::programs::names::Role;
use crate::programs::random::Random;
use crate::programs::syntax::{Access, Block, Expression, Function, Parameter, Statement, Type};

/// The names of functions.
pub(super) const FUNCTIONS: &[&str] = &["first", "second", "third"];
/// The names of methods.
pub(super) const METHODS: &[&str] = &["gain", "shift", "drift"];
const FIELDS: &[&str] = &["a", "b", "c", "d"];

/// The fields of a struct, or none.
pub(super) fn fields(random: &mut Random) -> Vec<(&'static str, Type)> {
    if random.chance(0.5) {
        return Vec::new();
    }
    let count = 1 + random.below(FIELDS.len());
    let mut field = |name: &&'static str| {
        let ty = random.weighted(&[
            (4, Type::Float),
            (2, Type::Array(3)),
            (2, Type::Pair),
            (1, Type::Array(2)),
            (1, Type::Matrix),
            (2, Type::State),
        ]);
        (*name, ty)
    };
    FIELDS[..count].iter().map(&mut field).collect()
}

impl Generator {
    /// Up to three functions, of which some are methods where there is a struct.
    pub(super) fn functions(&mut self) -> Vec<Function> {
        if !self.fields.is_empty() {
            self.names.push(("Own".into(), Role::Item));
            self.names.extend(self.fields.iter().map(|(name, _)| (name.to_string(), Role::Field)));
        }
        let count = self.random.weighted(&[(3, 0), (3, 1), (3, 2), (1, 3)]);
        let mut functions = Vec::new();
        for at in 0..count {
            let is_method = !self.fields.is_empty() && self.random.chance(0.5);
            let name = if is_method { METHODS[at] } else { FUNCTIONS[at] };
            let function = self.own_function(name, is_method);
            self.names.push((name.into(), Role::Item));
            self.callees.push(callee(name, &function));
            functions.push(function);
        }
        functions
    }

    fn own_function(&mut self, name: &'static str, is_method: bool) -> Function {
        let (result, budget) = (self.own_result(), 1 + self.random.below(6));
        self.enter(result, budget);
        let parameters = self.own_parameters(is_method);
        let mut statements = self.statements();
        let value = (result != Type::Unit).then(|| {
            let (before, value) = self.storable_result();
            statements.extend(before);
            Box::new(value)
        });
        Function { name: name.into(), parameters, result, body: Block { statements, value } }
    }

    fn own_result(&mut self) -> Type {
        let own = if self.fields.is_empty() { 0 } else { 1 };
        self.random.weighted(&[
            (8, Type::Float),
            (2, Type::Pair),
            (1, Type::Array(3)),
            (1, Type::Vector),
            (1, Type::State),
            (own, Type::Own),
            (1, Type::Maybe),
            (1, Type::Shape),
            (3, Type::Unit),
        ])
    }

    fn own_parameters(&mut self, is_method: bool) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        if is_method {
            let access = self.random.pick(&[Access::Shared, Access::Unique]);
            let name = String::from("self");
            parameters.push(Parameter { name, ty: Type::Own, access, mutable: false });
        }
        for _ in 0..1 + self.random.below(3) {
            let parameter = self.parameter();
            parameters.push(self.function_parameter().unwrap_or(parameter));
        }
        if self.result == Type::Unit && parameters.iter().all(|one| one.access != Access::Unique) {
            let last = parameters.last_mut().expect("there is one at least");
            *last = Parameter {
                name: last.name.clone(),
                ty: Type::Array(3),
                access: Access::Unique,
                mutable: false,
            };
        }
        if self.random.chance(0.3) {
            parameters.push(self.index_parameter());
        }
        self.add_parameters(&parameters);
        parameters
    }

    fn function_parameter(&mut self) -> Option<Parameter> {
        if !self.random.chance(0.12) {
            return None;
        }
        let (parameters, changes) = (1 + self.random.below(2), false);
        let ty = Type::Function { parameters, changes };
        let access = self.random.pick(&[Access::Owned, Access::Shared]);
        Some(Parameter { name: self.fresh("h"), ty, access, mutable: false })
    }

    /// The result of a function that is called by others: what they store must not grow by it.
    fn storable_result(&mut self) -> (Vec<Statement>, Expression) {
        let (before, value) = self.ending();
        let is_small = self.result != Type::Float || is_storable(&value);
        (before, if is_small { value } else { value.method("sin", Vec::new()) })
    }
}

fn callee(name: &'static str, function: &Function) -> Callee {
    let arguments = function.parameters.iter().map(argument).collect();
    Callee { name, arguments, result: function.result }
}

fn argument(parameter: &Parameter) -> Argument {
    let Parameter { name, ty, access, .. } = parameter;
    let unique = *access == Access::Unique;
    match (*ty, access) {
        _ if name == "self" => Argument::Receiver { unique },
        (Type::Function { parameters, .. }, _) => {
            Argument::Function { parameters, borrowed: *access == Access::Shared }
        }
        (ty, Access::Owned) => Argument::Value(ty),
        (Type::Slice(length), _) => Argument::Exact { length, unique },
        (Type::Float, _) => Argument::Float { unique },
        (ty, _) => Argument::Whole { ty, unique },
    }
}
