//! Closures that are called where they are known: their bodies stand in the place of the calls.

use super::{ClosureValue, Lower, Place, Storage};
use crate::hir::{Closure, ExprId, ExprKind};
use crate::ir::Value;
use std::rc::Rc;

/// The argument that a closure's parameter is bound to.
#[derive(Clone)]
pub(super) enum Bound {
    Value(Value),
    Part(super::pattern::Subject),
    Reference(Place, bool),
}

impl<'a> Lower<'a> {
    /// A closure as a value: what it captures means what it means here. One with `move` has copies of what is changed.
    pub(super) fn closure_value(&mut self, closure: &Closure) -> Rc<ClosureValue> {
        let mut captures = Vec::new();
        for local in self.body.captures(closure) {
            let Some(mut storage) = self.storage.get(&local).cloned() else { continue };
            if let Storage::Variable(var) = storage
                && closure.is_move
                && !self.fixed.contains(&var)
                && self.state[var.0].is_some()
            {
                let place = self.variable_place(var);
                let name = self.body.local(local).name.clone();
                let value = self.read(&place, name.span());
                let held = self.held(value, &name.to_string(), name.span());
                storage = Storage::Variable(held.var);
            }
            captures.push((local, storage));
        }
        Rc::new(ClosureValue { closure: closure.clone(), captures })
    }

    /// A call: parameters are bound to the arguments, and the body follows.
    pub(super) fn enter_closure(
        &mut self,
        value: &Rc<ClosureValue>,
        arguments: &'a [ExprId],
    ) -> Value {
        let before = self.storage.clone();
        let result = match self.bind_arguments(value, arguments) {
            true => self.closure_body(&value.closure),
            false => Value(0),
        };
        self.storage = before;
        result
    }

    /// Binds the parameters of a closure to the arguments of a call. Control may not come back from these.
    pub(super) fn bind_arguments(
        &mut self,
        value: &Rc<ClosureValue>,
        arguments: &'a [ExprId],
    ) -> bool {
        let closure = &value.closure;
        if closure.params.len() != arguments.len() {
            // rustc has its own error for the number of arguments.
            self.reports.give_up();
            return false;
        }
        let mut values = Vec::new();
        for (argument, pattern) in arguments.iter().zip(&closure.params) {
            let name = self.plain_binding(*pattern).map(|binding| binding.local);
            if let Some(storage) = self.named_callable(*argument, name) {
                values.push(Err(storage));
                continue;
            }
            values.push(Ok(match self.reference(*argument) {
                Some((place, mutable)) => Bound::Reference(place, mutable),
                None => Bound::Value(self.owned(*argument)),
            }));
            if self.diverged {
                return false;
            }
        }
        self.storage.extend(value.captures.iter().cloned());
        for (pattern, value) in closure.params.iter().zip(values) {
            match (value, self.plain_binding(*pattern)) {
                (Ok(bound), _) => self.bind_bound(*pattern, bound),
                (Err(storage), Some(binding)) => {
                    self.storage.insert(binding.local, storage);
                }
                // rustc has its own error for a pattern that takes a function apart.
                (Err(_), None) => self.reports.give_up(),
            }
        }
        true
    }

    fn bind_bound(&mut self, pattern: crate::hir::PatId, bound: Bound) {
        match bound {
            Bound::Value(value) => self.bind_value(pattern, value),
            Bound::Part(subject) => self.bind_subject(pattern, &subject),
            Bound::Reference(place, mutable) => self.bind_borrowed(pattern, &place, mutable),
        }
    }

    /// The body of a closure with its parameters bound.
    pub(super) fn enter_with(&mut self, value: &Rc<ClosureValue>, bound: Vec<Bound>) -> Value {
        if value.closure.params.len() != bound.len() {
            self.reports.give_up();
            return self.undefined(crate::ir::Type::Unknown);
        }
        let before = self.storage.clone();
        self.storage.extend(value.captures.iter().cloned());
        for (pattern, bound) in value.closure.params.iter().zip(bound) {
            self.bind_bound(*pattern, bound);
        }
        let result = self.closure_body(&value.closure);
        self.storage = before;
        result
    }

    fn closure_body(&mut self, closure: &Closure) -> Value {
        let body = closure.body;
        let value = match self.returns(body, closure) {
            true => self
                .labelled(closure.target, &|lower| lower.followed(body, &|_, value| Some(value))),
            false => self.owned(body),
        };
        if let Some(output) =
            closure.output.as_ref().filter(|_| self.builder.function.slot_of(value).is_none())
        {
            self.refine_float(value, &crate::syntax::types::read(output));
        }
        value
    }

    pub(super) fn returns(&self, body: ExprId, closure: &Closure) -> bool {
        let data = self.body.expr(body);
        debug_assert!(!matches!(data.kind, ExprKind::Unsupported) || data.exits.is_empty());
        data.exits.contains(&closure.target)
    }
}
