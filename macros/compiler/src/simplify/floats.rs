//! The types of values that a function which calls itself reads from structs.
//!
//! In: a primal and its activity. Out: the same with the type of each value that an operation with a derivative joins
//! with a float of known type. The rules of the table are there for operands that are floats of one type, so what is
//! differentiated is one. Where a type is known, a level of the recursion can leave the value on a tape whose type has
//! a name, and rules are expressions and not calls, which take a place in its frame.

use crate::analysis::activity::Activity;
use crate::ir::{FloatKind, Function, Inst, Op, Type, Value};

/// Runs the pass.
pub fn floats(mut function: Function, activity: &Activity) -> Function {
    let mut classes =
        Classes { function: &function, activity, joined: (0..function.values.len()).collect() };
    function.body.walk(&mut |inst, _| classes.inst(inst));
    let found = classes.found();
    for (data, ty) in function.values.iter_mut().zip(found) {
        if data.ty == Type::Unknown && data.slot.is_none() {
            data.ty = ty.unwrap_or(Type::Unknown);
        }
    }
    function
}

/// Values of one type, as a forest.
struct Classes<'f> {
    function: &'f Function,
    activity: &'f Activity,
    joined: Vec<usize>,
}

impl Classes<'_> {
    fn root(&self, mut value: usize) -> usize {
        while self.joined[value] != value {
            value = self.joined[value];
        }
        value
    }

    fn join(&mut self, a: Value, b: Value) {
        let (a, b) = (self.root(a.0 as usize), self.root(b.0 as usize));
        self.joined[a] = b;
    }

    fn join_each(&mut self, a: &[Value], b: &[Value]) {
        a.iter().zip(b).for_each(|(a, b)| self.join(*a, *b));
    }

    fn inst(&mut self, inst: &Inst) {
        match &inst.op {
            Op::Apply(rule) if self.is_active(inst.results[0]) => {
                let operands = inst.args.iter().zip(rule.params);
                let floats =
                    operands.filter(|(arg, param)| !param.integer && self.is_active(**arg));
                let floats: Vec<Value> = floats.map(|(arg, _)| *arg).collect();
                floats.into_iter().for_each(|arg| self.join(arg, inst.results[0]));
            }
            Op::If(then, other) => {
                self.join_each(&inst.results, &then.results);
                self.join_each(&inst.results, &other.results);
            }
            Op::Loop(repeat) => {
                self.join_each(&inst.args[repeat.bounds()..], repeat.carried());
                self.join_each(repeat.next(), repeat.carried());
                self.join_each(&inst.results, repeat.carried());
            }
            _ => {}
        }
    }

    fn is_active(&self, value: Value) -> bool {
        self.activity.is_active(self.function, value)
    }

    /// For each value the float type of a value that is in its class.
    fn found(&self) -> Vec<Option<Type>> {
        let mut of_root = vec![None; self.joined.len()];
        for (value, data) in self.function.values.iter().enumerate() {
            let is_known = matches!(&data.ty, Type::Float(kind) if *kind != FloatKind::Literal);
            if is_known && data.slot.is_none() {
                of_root[self.root(value)].get_or_insert(data.ty.clone());
            }
        }
        // What counts is no float, whatever it is joined with: rustc says so.
        self.function.body.walk(&mut |inst, _| {
            inst.numbers().iter().for_each(|number| of_root[self.root(number.0 as usize)] = None);
        });
        (0..self.joined.len()).map(|value| of_root[self.root(value)].clone()).collect()
    }
}
