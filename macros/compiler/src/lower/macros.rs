//! Macros of the standard library: `vec!`, `matches!`, output, assertions, panics.

use super::Lower;
use super::element::Message;
use crate::hir::{Argument, Condition, Effect, ExprId, Macro};
use crate::ir::{MacroArgument, MacroCall, Op, Passing, Type, Value};
use proc_macro2::{Ident, Span};
use quote::quote;

impl<'a> Lower<'a> {
    pub(super) fn macro_call(&mut self, call: &'a Macro, span: Span) -> Value {
        match call {
            Macro::Vector(items) => {
                let values: Vec<Value> = items.iter().map(|item| self.owned(*item)).collect();
                let ty = Type::Vec(Box::new(self.item_type(&values)));
                self.inst(Op::VecList, values, ty, "vector", span)
            }
            Macro::Filled(item, len) => {
                let item = self.owned(*item);
                let ty = Type::Vec(Box::new(self.item_type(&[item])));
                let len = self.expr(*len);
                let len = self.operand_value(len, span);
                self.inst(Op::VecRepeat, vec![item, len], ty, "vector", span)
            }
            Macro::Matches(value, pattern, guard) => {
                let subject = self.subject(*value, &[*pattern]);
                let test = self.test(*pattern, &subject);
                let test = test.unwrap_or_else(|| self.boolean(true));
                let Some(guard) = guard else { return test };
                let value = self.if_else(
                    test,
                    &|lower| {
                        lower.bind_subject(*pattern, &subject);
                        Some(lower.expr(*guard))
                    },
                    &|lower| Some(lower.boolean(false)),
                    span,
                );
                self.value_or_never(value)
            }
            Macro::Effect(effect) if effect.makes_text => {
                let text = self.builder.fresh(Type::Constant, "text", span, false);
                self.effect(effect, vec![text], span);
                text
            }
            Macro::Effect(effect) if effect.is_debug => {
                let condition =
                    self.inst(Op::DebugAssertions, Vec::new(), Type::Bool, "debug", span);
                self.if_else(
                    condition,
                    &|lower| {
                        lower.asserted(effect, span);
                        Some(lower.unit())
                    },
                    &|lower| Some(lower.unit()),
                    span,
                );
                self.unit()
            }
            Macro::Effect(effect) => self.asserted(effect, span),
        }
    }

    /// An assertion looks at its message only where it fails: the message is evaluated there.
    fn asserted(&mut self, effect: &'a Effect, span: Span) -> Value {
        if effect.diverges {
            self.effect(effect, Vec::new(), span);
            (self.diverged, self.panicked) = (true, true);
            return self.undefined(Type::Never);
        }
        let condition = match &effect.condition {
            _ if effect.arguments.is_empty() => None,
            Condition::None => None,
            Condition::Holds(holds, _) => Some(self.expr(*holds)),
            Condition::Compares { left, right, operator } => {
                let left = self.expr(*left);
                let left = self.contents(left, span);
                let right = self.expr(*right);
                Some(self.operator(operator, left, right, span))
            }
        };
        let Some(condition) = condition else {
            self.effect(effect, Vec::new(), span);
            return self.unit();
        };
        self.if_else(
            condition,
            &|lower| Some(lower.unit()),
            &|lower| {
                lower.effect(effect, Vec::new(), span);
                Some(lower.unit())
            },
            span,
        );
        self.unit()
    }

    fn effect(&mut self, effect: &'a Effect, results: Vec<Value>, span: Span) {
        let (mut arguments, mut values, mut compared) = (Vec::new(), Vec::new(), 0);
        match &effect.condition {
            Condition::None => {}
            Condition::Holds(holds, source) => {
                self.macro_operand(*holds, None, &mut arguments, &mut values);
                if effect.arguments.is_empty() {
                    arguments.push(MacroArgument::Tokens(quote!("assertion failed: {}")));
                    arguments.push(MacroArgument::Tokens(quote!(::core::stringify!(#source))));
                }
            }
            Condition::Compares { left, right, .. } => {
                self.macro_operand(*left, None, &mut arguments, &mut values);
                self.macro_operand(*right, None, &mut arguments, &mut values);
                compared = 2;
            }
        }
        for argument in &effect.arguments {
            match argument {
                Argument::Text(text) => arguments.push(MacroArgument::Tokens(quote!(#text))),
                Argument::Operand(name, expr) => {
                    self.macro_operand(*expr, name.clone(), &mut arguments, &mut values);
                }
            }
        }
        let call = MacroCall { path: effect.path.clone(), compared, arguments };
        self.builder.push(Op::Macro(Box::new(call)), values, results, span);
    }

    fn macro_operand(
        &mut self,
        expr: ExprId,
        name: Option<Ident>,
        arguments: &mut Vec<MacroArgument>,
        values: &mut Vec<Value>,
    ) {
        let (passing, operands) = match self.place(expr) {
            Some(place) => (Passing::Shared(place.path.clone()), self.operands(&place)),
            None => {
                let operand = self.operand(expr);
                (operand.passing, operand.args)
            }
        };
        arguments.push(MacroArgument::Operand(name, passing));
        values.extend(operands);
    }

    /// `panic!` with a message of the compiler's.
    pub(super) fn panic(&mut self, message: &Message, span: Span) {
        let mut values = Vec::new();
        let arguments = match message {
            Message::Text(text) => {
                vec![MacroArgument::Tokens(quote!("{}")), MacroArgument::Tokens(quote!(#text))]
            }
            Message::Numbers(text, numbers) => {
                values.extend(numbers);
                vec![
                    MacroArgument::Tokens(quote!(#text)),
                    MacroArgument::Operand(None, Passing::Value),
                    MacroArgument::Operand(None, Passing::Value),
                ]
            }
            Message::Given(value) => {
                values.push(*value);
                vec![
                    MacroArgument::Tokens(quote!("{}")),
                    MacroArgument::Operand(None, Passing::Value),
                ]
            }
        };
        let path = syn::parse_quote_spanned!(span=> ::core::panic);
        let call = MacroCall { path, compared: 0, arguments };
        self.builder.push(Op::Macro(Box::new(call)), values, Vec::new(), span);
        (self.diverged, self.panicked) = (true, true);
    }
}
