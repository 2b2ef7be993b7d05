//! How a program is shown to the oracle: an implementation of [`Subject`](super::oracle::Subject), as text.
//!
//! Arguments are read from a flat list, lent or moved as the signature wants it, and results and
//! cotangents are put into flat lists again, in the order of the parameters.

use std::fmt::Write;

use super::print::{self, reference, type_name};
use super::syntax::{Access, Parameter, Program, Type};

/// A `struct` that stands for the program and implements `Subject`.
#[must_use]
pub fn subject(program: &Program) -> String {
    let harness =
        Harness { program, function: print::name(&program.names, &program.main.name).into() };
    let mut text = structure(program);
    let _ = writeln!(text, "pub struct {};", name(program));
    let _ = writeln!(text, "impl Subject for {} {{", name(program));
    let signature = "at: &[f64], n: usize";
    let _ = writeln!(text, "fn layout(&self) -> Vec<Access> {{ {} }}", harness.layout());
    let _ = writeln!(text, "fn primal(&self, {signature}) -> Vec<f64> {{\n{}}}", harness.primal());
    let _ = writeln!(
        text,
        "fn forward(&self, at: &[f64], direction: &[f64], n: usize) -> (Vec<f64>, Vec<f64>) {{\n{}}}",
        harness.forward()
    );
    let _ = writeln!(
        text,
        "fn reverse(&self, {signature}, shadows: &[f64], seeds: &[f64]) -> Reverse {{\n{}}}",
        harness.reverse()
    );
    let _ = writeln!(
        text,
        "fn gradient(&self, {signature}) -> Option<Reverse> {{\n{}}}",
        harness.gradient()
    );
    let _ = writeln!(
        text,
        "fn check(&self, {signature}) -> Result<(), Complaint> {{\n{}}}\n}}",
        harness.check()
    );
    text
}

/// The name of the `struct`.
#[must_use]
pub fn name(program: &Program) -> String {
    format!("Program{}", program.id)
}

/// How the program's own struct is made of floats.
fn structure(program: &Program) -> String {
    if program.fields.is_empty() {
        return String::new();
    }
    let names = &program.names;
    let own = print::name(names, "Own");
    let each = |make: fn(&str, String) -> String| {
        let fields = program.fields.iter();
        let made = fields.map(|(name, ty)| make(print::name(names, name), type_name(names, *ty)));
        made.collect::<String>()
    };
    let put = each(|name, _| format!("self.{name}.put(to); "));
    let read = each(|name, ty| format!("{name}: <{ty}>::read(from), "));
    let tangent = each(|name, _| format!("{name}: self.{name}.tangent(from), "));
    format!(
        "impl Floats for {own} {{ fn put(&self, to: &mut Vec<f64>) {{ {put} }} }}\n\
         impl Floats for {own}Tangent {{ fn put(&self, to: &mut Vec<f64>) {{ {put} }} }}\n\
         impl Flat for {own} {{\n\
         fn read(from: &mut Reader<'_>) -> {own} {{ {own} {{ {read} }} }}\n\
         fn tangent(&self, from: &mut Reader<'_>) -> {own}Tangent {{ {own}Tangent {{ {tangent} }} }}\n\
         }}\n"
    )
}

struct Harness<'p> {
    program: &'p Program,
    function: String,
}

impl Harness<'_> {
    fn active(&self) -> impl Iterator<Item = &Parameter> {
        self.program.main.parameters.iter().filter(|parameter| parameter.ty != Type::Index)
    }

    fn passed(&self, access: Access) -> impl Iterator<Item = &Parameter> {
        self.active().filter(move |parameter| parameter.access == access)
    }

    /// How many floats a parameter has at the beginning.
    fn size(&self, ty: Type) -> usize {
        match ty {
            Type::Float => 1,
            Type::Array(length) | Type::Slice(length) => length,
            Type::Matrix => 4,
            Type::Vector => super::flat::LENGTH,
            Type::Pair | Type::Shape => 2,
            Type::State => 6,
            Type::Own => self.program.fields.iter().map(|(_, ty)| self.size(*ty)).sum(),
            Type::Maybe => 1,
            Type::Index | Type::Flag | Type::Unit | Type::Function { .. } => 0,
        }
    }

    fn layout(&self) -> String {
        let entries = self.active().map(|Parameter { access, ty, .. }| {
            format!("std::iter::repeat_n(Access::{access:?}, {})", self.size(*ty))
        });
        let chained: Vec<String> = entries.map(|entry| format!(".chain({entry})")).collect();
        format!("std::iter::empty(){}.collect()", chained.concat())
    }

    /// Reads all arguments into variables of their names.
    fn arguments(&self) -> String {
        let mut text = String::from("let at = &mut Reader::new(at);\n");
        for Parameter { name, ty, .. } in self.active() {
            let held = match ty {
                Type::Slice(length) => Type::Array(*length),
                ty => *ty,
            };
            let _ = writeln!(
                text,
                "let mut {name} = <{}>::read(at);",
                type_name(&self.program.names, held)
            );
        }
        text
    }

    /// A call with, behind each active argument, what `follow` makes of its parameter.
    fn call(&self, suffix: &str, follow: impl Fn(&Parameter) -> Option<String>) -> String {
        let mut arguments = Vec::new();
        for parameter in &self.program.main.parameters {
            arguments.push(format!("{}{}", reference(parameter.access), parameter.name));
            if parameter.ty != Type::Index {
                arguments.extend(follow(parameter));
            }
        }
        format!("{}{suffix}({})", self.function, arguments.join(", "))
    }

    fn primal(&self) -> String {
        let call = self.call("", |_| None);
        format!("{}let value = {call};\n{}results\n", self.arguments(), self.results())
    }

    /// Collects the results in `results`.
    fn results(&self) -> String {
        let mut text = String::from("let mut results = Vec::new();\nvalue.put(&mut results);\n");
        for Parameter { name, .. } in self.passed(Access::Unique) {
            let _ = writeln!(text, "{name}.put(&mut results);");
        }
        text
    }

    fn forward(&self) -> String {
        let mut text = self.arguments();
        text.push_str("let along = &mut Reader::new(direction);\n");
        for Parameter { name, .. } in self.active() {
            let _ = writeln!(text, "let mut {name}_dot = {name}.tangent(along);");
        }
        let call = self.call("::jvp", |parameter| {
            Some(format!("{}{}_dot", reference(parameter.access), parameter.name))
        });
        let _ = writeln!(text, "let (value, tangent) = {call};\n{}", self.results());
        text.push_str("let mut tangents = Vec::new();\ntangent.put(&mut tangents);\n");
        for Parameter { name, ty, .. } in self.passed(Access::Unique) {
            if *ty == Type::Shape {
                let _ = writeln!(
                    text,
                    "::cotangent::Differentiable::conform(&{name}, &mut {name}_dot);"
                );
            }
            let _ = writeln!(text, "{name}_dot.put(&mut tangents);");
        }
        text.push_str("(results, tangents)\n");
        text
    }

    fn reverse(&self) -> String {
        let mut text = self.arguments();
        text.push_str(
            "let shadows = &mut Reader::new(shadows);\nlet seeds = &mut Reader::new(seeds);\n",
        );
        for Parameter { name, .. } in self.passed(Access::Shared) {
            let _ = writeln!(text, "let mut {name}_bar = {name}.tangent(shadows);");
        }
        let call = self.call("::vjp", |_| None);
        let _ = writeln!(text, "let (value, pullback) = {call};\n{}", self.results());
        text.push_str("let value_bar = value.tangent(seeds);\n");
        for Parameter { name, .. } in self.passed(Access::Unique) {
            let _ = writeln!(text, "let mut {name}_bar = {name}.tangent(seeds);");
        }
        let owned: Vec<String> = self.passed(Access::Owned).map(bound).collect();
        let _ = writeln!(text, "let {} = {};", tuple(&owned), self.pullback());
        text.push_str(&self.reversed());
        text.push_str("Reverse { results, restored, cotangents }\n");
        text
    }

    fn pullback(&self) -> String {
        let mut arguments = Vec::new();
        for parameter in self.active().filter(|parameter| parameter.access != Access::Owned) {
            arguments.push(format!("{}{}", reference(parameter.access), parameter.name));
            arguments.push(format!("&mut {}", bar(parameter)));
        }
        arguments.push("value_bar".into());
        format!("pullback({})", arguments.join(", "))
    }

    /// Collects what the pullback restored, and the cotangents.
    fn reversed(&self) -> String {
        let mut text =
            String::from("let (mut restored, mut cotangents) = (Vec::new(), Vec::new());\n");
        for Parameter { name, .. } in self.passed(Access::Unique) {
            let _ = writeln!(text, "{name}.put(&mut restored);");
        }
        for Parameter { name, ty, .. } in self.active() {
            if *ty == Type::Shape {
                let _ = writeln!(
                    text,
                    "::cotangent::Differentiable::conform(&{name}, &mut {name}_bar);"
                );
            }
            let _ = writeln!(text, "{name}_bar.put(&mut cotangents);");
        }
        text
    }

    fn gradient(&self) -> String {
        if self.program.main.result != Type::Float {
            return "None\n".into();
        }
        let call = self.call("::value_and_gradient", |_| None);
        let all: Vec<String> = self.active().map(bound).collect();
        let (arguments, reversed) = (self.arguments(), self.reversed());
        format!(
            "{arguments}let (value, {}) = {call};\n{reversed}\
             Some(Reverse {{ results: vec![value], restored, cotangents }})\n",
            tuple(&all)
        )
    }

    fn check(&self) -> String {
        let call = self.call("", |_| None);
        let arguments = self.arguments();
        format!("{arguments}complaint(cotangent::check!({call}))\n")
    }
}

fn bar(parameter: &Parameter) -> String {
    format!("{}_bar", parameter.name)
}

/// A parameter's cotangent as a pattern.
fn bound(parameter: &Parameter) -> String {
    format!("mut {}", bar(parameter))
}

/// Names as a pattern: a tuple, unless there is one.
fn tuple(names: &[String]) -> String {
    if let [name] = names { name.clone() } else { format!("({})", names.join(", ")) }
}
