//! Rule rows in derivative code: a partial derivative times a (co)tangent.
//!
//! For floats the row's expression is lowered in place, simplified and printed like user code. For
//! operands of unknown type a trait call stands for it.

use crate::ir::build::Builder;
use crate::ir::{FloatKind, Mode, Op, Type, Value, row};
use crate::lower;
use cotangent_rules::Rule;
use proc_macro2::Span;

/// One use of a row.
pub struct Site<'a> {
    pub rule: &'static Rule,
    pub args: &'a [Value],
    pub result: Value,
    pub span: Span,
}

impl Site<'_> {
    /// The parameters that have a partial, with that partial's index.
    pub fn differentiable(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let positions = self.rule.params.iter().enumerate().filter(|(_, param)| !param.integer);
        positions
            .map(|(position, _)| position)
            .enumerate()
            .map(|(partial, position)| (position, partial))
            .collect::<Vec<_>>()
            .into_iter()
    }

    /// `partial * direction`, where the direction is a tangent of the operand or a cotangent of the result.
    pub fn scale(
        &self,
        builder: &mut Builder,
        partial: usize,
        direction: Value,
        mode: Mode,
        name: &str,
    ) -> Value {
        let floats = self.rule.params.iter().zip(self.args).filter(|(param, _)| !param.integer);
        let known = floats
            .map(|(_, arg)| *arg)
            .chain([self.result])
            .all(|value| builder.function.ty(value).is_float());
        if !known {
            let mut args = self.args.to_vec();
            args.extend([self.result, direction]);
            return builder.inst(
                Op::Partial(self.rule, partial, mode),
                args,
                Type::Unknown,
                name,
                self.span,
            );
        }
        let factor = lower::partial(builder, self.rule, partial, self.args, self.result, self.span);
        multiply(builder, factor, direction, name, self.span)
    }
}

/// A product of floats.
pub fn multiply(
    builder: &mut Builder,
    factor: Value,
    direction: Value,
    name: &str,
    span: Span,
) -> Value {
    let ty = builder.function.ty(direction).join(builder.function.ty(factor));
    let ty = if ty.is_float() { ty } else { Type::Float(FloatKind::Literal) };
    builder.inst(Op::Apply(row("mul")), vec![direction, factor], ty, name, span)
}

/// Whether each partial may read all operands where these are of the user's types: what a quaternion does to a vector
/// is no linear function of it. A sum is one of its operands.
pub fn is_product(rule: &Rule) -> bool {
    matches!(rule.name, "mul" | "div" | "neg")
}

/// Whether a partial's text mentions a name. A cast to `Float` looks at the first operand.
pub fn reads(rule: &Rule, partial: usize, name: &str) -> bool {
    let text = rule.partials[partial];
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mentioned = text.split(|c| !is_word(c)).any(|word| word == name);
    let like =
        text.split(|c| !is_word(c)).any(|word| word == "Float") && rule.params[0].name == name;
    mentioned || like
}
