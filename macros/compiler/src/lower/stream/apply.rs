//! Closures in the place of their calls.
//!
//! In: a function and the elements that it is called with. Out: its body, lowered here, and its value as an element.

use super::super::pattern::By;
use super::super::place::Operand;
use super::super::{Lower, Storage};
use super::{Function, Item};
use crate::diag;
use crate::hir::{ExprId, ExprKind, Stmt};
use crate::ir::{Callee, Type, Value};
use crate::lower::builtin::{self, Associated};
use proc_macro2::Span;

impl<'a> Lower<'a> {
    /// A closure, or a path of a function.
    pub(super) fn function_of(&mut self, expr: ExprId, arity: usize) -> Option<Function> {
        let function = match &self.body.expr(expr).kind {
            ExprKind::Borrow { place, .. } => return self.function_of(*place, arity),
            ExprKind::Closure(closure) => Storage::Closure(self.closure_value(closure)),
            ExprKind::Local(local) => match self.storage.get(local)?.clone() {
                Storage::Variable(_) | Storage::Alias(_) => {
                    let place = self.local_place(*local)?;
                    let is_function = matches!(place.ty, Type::Function(..));
                    return is_function.then_some(Function::Variable(place));
                }
                storage => storage,
            },
            ExprKind::Item(path) => Storage::Function(path.clone()),
            _ => return None,
        };
        match function {
            Storage::Closure(value) if value.closure.params.len() == arity => {
                Some(Function::Closure(value))
            }
            Storage::Function(path) => Some(Function::Path(path)),
            _ => None,
        }
    }

    /// Calls a function: its value as an element. Behind a panic it stands for nothing.
    pub(super) fn apply_to(&mut self, function: &Function, items: &[Item], span: Span) -> Item {
        match function {
            Function::Path(path) => Item::Value(self.call_with_items(path, items, span)),
            Function::Variable(place) => {
                let mut operands = vec![self.passed(place, false)];
                operands.extend(items.iter().map(|item| self.item_operand(item, span)));
                Item::Value(self.call_of_operands(Callee::Function, operands, span))
            }
            Function::Closure(value) => {
                let before = self.storage.clone();
                self.bind_items(value, items);
                let closure = &value.closure;
                let item = match self.body.expr(closure.body).exits.contains(&closure.target) {
                    true => Item::Value(self.labelled(closure.target, &|lower| {
                        lower.followed(closure.body, &|_, value| Some(value))
                    })),
                    false => self.body_item(closure.body),
                };
                self.storage = before;
                item
            }
        }
    }

    /// Likewise with references to the elements.
    pub(super) fn apply_to_references(
        &mut self,
        function: &Function,
        items: &[Item],
        span: Span,
    ) -> Item {
        let items: Vec<Item> = items.iter().map(|item| self.referenced(item, span)).collect();
        self.apply_to(function, &items, span)
    }

    /// Binds a closure's parameters.
    pub(super) fn bind_items(&mut self, value: &super::super::ClosureValue, items: &[Item]) {
        self.storage.extend(value.captures.iter().cloned());
        for (pattern, item) in value.closure.params.iter().zip(items) {
            self.bind_item(*pattern, item);
        }
    }

    /// The value of a body, which is evaluated here.
    pub(super) fn body_item(&mut self, body: ExprId) -> Item {
        let span = self.span(body);
        match &self.body.expr(body).kind {
            ExprKind::Block { label: None, block } if has_plain_end(block) => {
                self.statements(&block.stmts, None, &|_, unit| Some(unit));
                match block.value {
                    Some(value) if !self.diverged => self.body_item(value),
                    _ if self.diverged => Item::Value(Value(0)),
                    _ => Item::Value(self.unit()),
                }
            }
            ExprKind::Tuple(items) if !items.is_empty() => {
                Item::Tuple(items.iter().map(|item| self.body_item(*item)).collect())
            }
            ExprKind::Local(local) => match self.storage.get(local).cloned() {
                Some(Storage::Parts(items)) => Item::Tuple(items),
                Some(Storage::Alias(place)) => {
                    let by = By::reference(place.mutable);
                    Item::Place(place, by)
                }
                Some(Storage::Part(place)) => Item::Place(place, By::Value),
                _ => Item::Value(self.owned(body)),
            },
            ExprKind::Borrow { .. } => match self.reference(body) {
                Some((place, mutable)) => Item::Place(place, By::reference(mutable)),
                None => Item::Value(self.owned(body)),
            },
            _ => {
                let value = self.owned(body);
                if self.diverged {
                    return Item::Value(value);
                }
                // Read now: what follows may change the place.
                Item::Value(self.contents(value, span))
            }
        }
    }

    /// A call of a function by its path.
    pub(in crate::lower) fn call_with_items(
        &mut self,
        path: &syn::ExprPath,
        items: &[Item],
        span: Span,
    ) -> Value {
        let known = builtin::associated(path, items.len(), &self.signature.floats);
        let values = |lower: &mut Self| -> Vec<Value> {
            items.iter().map(|item| lower.item_value(item, span)).collect()
        };
        match known {
            Some(Associated::Rule(name, kind)) => {
                let args = values(self);
                if let Some(kind) = kind {
                    self.refine_float(args[0], &Type::Float(kind));
                }
                self.rule(name, args, span)
            }
            Some(Associated::Convert(ty)) => {
                let args = values(self);
                self.as_float(args[0], ty, span)
            }
            Some(Associated::Zero(method)) => {
                let args = values(self);
                let ty = builtin::result_of(&method.to_string(), &self.ty(args[0]));
                self.inst(crate::ir::Op::Method(method), args, ty, "value", span)
            }
            Some(Associated::Vector | Associated::Boxed) => {
                let what = "a function that makes a collection, as a value,";
                self.report(span, &diag::UNSUPPORTED_EXPRESSION, what)
            }
            None if self.names_type(path) => {
                let args = values(self);
                self.tuple_struct(path, args, span)
            }
            None => {
                let operands = items.iter().map(|item| self.item_operand(item, span)).collect();
                self.call_on_operands(path, operands, span)
            }
        }
    }

    fn item_operand(&mut self, item: &Item, span: Span) -> Operand {
        match item {
            Item::Place(place, By::Shared) => self.passed(place, false),
            Item::Place(place, By::Unique) => self.passed(place, true),
            item => Operand::value(self.item_value(item, span)),
        }
    }
}

/// Whether the value of a block stands behind its statements, and not in an arm of one.
fn has_plain_end(block: &crate::hir::Block) -> bool {
    !block.stmts.iter().any(|stmt| matches!(stmt, Stmt::Let { otherwise: Some(_), .. }))
}
