//! Closures that are called where they are known: their bodies stand in the place of the calls.

use super::{ClosureValue, Lower, Storage};
use crate::hir::{Closure, ExprId, ExprKind};
use crate::ir::Value;
use std::rc::Rc;

impl<'a> Lower<'a> {
    /// A closure as a value: one with `move` has copies of what is changed.
    pub(super) fn closure_value(&mut self, closure: &Closure) -> Storage {
        let mut captures = Vec::new();
        if closure.is_move {
            for local in self.body.captures(closure) {
                let Some(Storage::Variable(var)) = self.storage.get(&local).cloned() else { continue };
                if self.fixed.contains(&var) {
                    continue;
                }
                let place = self.variable_place(var);
                let span = self.body.local(local).name.span();
                let value = self.read(&place, span);
                let held = self.held(value, &self.body.local(local).name.to_string(), span);
                captures.push((local, Storage::Variable(held.var)));
            }
        }
        Storage::Closure(Rc::new(ClosureValue { closure: closure.clone(), captures }))
    }

    /// A call: parameters are bound to the arguments, and the body follows.
    pub(super) fn enter_closure(
        &mut self,
        value: &Rc<ClosureValue>,
        arguments: &'a [ExprId],
    ) -> Value {
        let closure = &value.closure;
        if closure.params.len() != arguments.len() {
            return self.unknown("a closure with another number of arguments");
        }
        let (mut values, before) = (Vec::new(), self.storage.clone());
        for argument in arguments {
            let reference = self.reference(*argument);
            values.push(match reference {
                Some((place, mutable)) => Err((place, mutable)),
                None => Ok(self.owned(*argument)),
            });
            if self.diverged {
                return Value(0);
            }
        }
        self.storage.extend(value.captures.iter().cloned());
        for ((pattern, value), argument) in closure.params.iter().zip(values).zip(arguments) {
            match value {
                Ok(value) => self.bind_value(*pattern, value, *argument),
                Err((place, mutable)) => self.bind_borrowed(*pattern, &place, mutable),
            }
        }
        let body = closure.body;
        let result = match self.returns(body, closure) {
            true => self.labelled(closure.target, &|lower| {
                lower.followed(body, &|_, value| Some(value))
            }),
            false => self.owned(body),
        };
        self.storage = before;
        result
    }

    pub(super) fn returns(&self, body: ExprId, closure: &Closure) -> bool {
        let data = self.body.expr(body);
        debug_assert!(!matches!(data.kind, ExprKind::Unsupported) || data.exits.is_empty());
        data.exits.contains(&closure.target)
    }
}
