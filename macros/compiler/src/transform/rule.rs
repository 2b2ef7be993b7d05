//! Rule rows in derivative code: a partial derivative times a (co)tangent.
//!
//! For floats the row's expression is lowered in place, simplified and printed like user code. For
//! operands of unknown type a trait call stands for it.

use crate::ir::build::Builder;
use crate::ir::{FloatKind, Inst, Mode, Op, STRONG, Type, Value, row};
use crate::lower;
use cotangent_rules::{Rule, Slopes};
use proc_macro2::Span;

/// One use of a row.
pub struct Site<'a> {
    pub rule: &'static Rule,
    pub args: &'a [Value],
    pub result: Value,
    pub span: Span,
    /// The slopes, from which on the product is strong: the direction may be zero since nothing depends on it.
    pub guarded: Option<Slopes>,
}

/// The parameters of a row that have a partial, with that partial's index.
pub fn differentiable(rule: &'static Rule) -> impl Iterator<Item = (usize, usize)> {
    let positions = rule.params.iter().enumerate().filter(|(_, param)| !param.integer);
    positions.enumerate().map(|(partial, (position, _))| (position, partial))
}

impl Site<'_> {
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
        // Derivative code makes strong products of floats only.
        if !known && self.rule.name != STRONG.name {
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
        if self.rule.slopes == Slopes::Choice {
            let choice = choose(builder, factor, direction, name);
            let result = choice.results[0];
            builder.block().insts.push(choice);
            return result;
        }
        let is_strong = self.guarded.is_some_and(|least| self.rule.slopes >= least);
        let by = if is_strong { &STRONG } else { row("mul") };
        // A strong product's factor has the direction as its slope, which may be zero where the factor is infinite.
        match self.rule.name == STRONG.name && partial == 1 {
            true => self.product(builder, by, direction, factor, name),
            false => self.product(builder, by, factor, direction, name),
        }
    }

    /// The choice between zero and a direction in the place of a product, for a row of floats that chooses.
    pub fn choice(
        &self,
        builder: &mut Builder,
        partial: usize,
        direction: Value,
        name: &str,
    ) -> Inst {
        let factor = lower::partial(builder, self.rule, partial, self.args, self.result, self.span);
        choose(builder, factor, direction, name)
    }

    /// The product with a partial, from the right where that is `-p * (q / r)`: the product may be finite where the
    /// partial alone overflows.
    fn product(
        &self,
        builder: &mut Builder,
        by: &'static Rule,
        factor: Value,
        direction: Value,
        name: &str,
    ) -> Value {
        let [outer, inner] = negated_quotient(builder, factor).unwrap_or([factor; 2]);
        let part = product(builder, by, inner, direction, name, self.span);
        if outer == factor { part } else { product(builder, by, outer, part, name, self.span) }
    }
}

/// The factors of a product `-p * (q / r)` that was made last.
fn negated_quotient(builder: &mut Builder, factor: Value) -> Option<[Value; 2]> {
    let insts = &builder.block().insts;
    let rule_of = |value: Value| {
        let made = insts.iter().rev().take(5).find(|inst| inst.results == [value]);
        made.and_then(
            |inst| if let Op::Apply(rule) = &inst.op { Some((rule.name, inst)) } else { None },
        )
    };
    let (_, whole) = rule_of(factor).filter(|(name, _)| *name == "mul")?;
    let [outer, inner] = [whole.args[0], whole.args[1]];
    let is_one = rule_of(outer)?.0 == "neg" && rule_of(inner)?.0 == "div";
    is_one.then_some([outer, inner])
}

/// Makes of a partial that is one of two literals a direction or zero: the operand that loses is not multiplied.
fn choose(builder: &mut Builder, factor: Value, direction: Value, name: &str) -> Inst {
    let mut choice = builder.block().insts.pop().expect("a partial");
    assert_eq!(choice.results, [factor], "the partials of a choice are conditions");
    for arm in choice.op.blocks_mut() {
        let insts = std::mem::take(&mut arm.insts);
        builder.open();
        let is_zero = is_zero(&insts, arm.results[0]);
        builder.block().insts = insts;
        let product = match is_zero {
            true => builder.inst(
                Op::Zero(Vec::new()),
                Vec::new(),
                builder.function.ty(direction).clone(),
                name,
                choice.span,
            ),
            false => multiply(builder, arm.results[0], direction, name, choice.span),
        };
        arm.insts = builder.close(Vec::new()).insts;
        arm.results = vec![product];
    }
    let result = builder.value(builder.function.ty(direction).clone(), name, choice.span);
    choice.results = vec![result];
    choice
}

/// Whether a value is the literal zero, or an absent cotangent.
pub fn is_zero(insts: &[Inst], value: Value) -> bool {
    let made = insts.iter().find(|inst| inst.results == [value]);
    made.is_some_and(|inst| match &inst.op {
        Op::Literal(syn::Lit::Float(text)) => text.base10_digits() == "0.0",
        Op::Zero(_) => true,
        _ => false,
    })
}

/// A product of floats.
pub fn multiply(
    builder: &mut Builder,
    factor: Value,
    direction: Value,
    name: &str,
    span: Span,
) -> Value {
    product(builder, row("mul"), factor, direction, name, span)
}

/// A product of floats, plain or strong.
pub fn product(
    builder: &mut Builder,
    rule: &'static Rule,
    factor: Value,
    direction: Value,
    name: &str,
    span: Span,
) -> Value {
    let ty = builder.function.ty(direction).join(builder.function.ty(factor));
    let ty = if ty.is_float() { ty } else { Type::Float(FloatKind::Literal) };
    builder.inst(Op::Apply(rule), vec![direction, factor], ty, name, span)
}

/// Whether the row is a sum of its operands. Of others each partial may read all operands where these are of the user's
/// types: what a quaternion does to a vector is no linear function of it.
pub fn is_sum(rule: &Rule) -> bool {
    matches!(rule.name, "add" | "sub")
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
