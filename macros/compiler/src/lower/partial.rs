//! Partial derivatives of the rule table, as operations.
//!
//! In: a row, which of its partials, and the values of its parameters and of its result. Out: the partial's value, as if
//! the user had written it where the function is called.
//!
//! Invariants: a partial is made of what `cotangent_rules` says; a test there goes through all of them. A literal is of the
//! type of the first operand where that is a type parameter.

use super::operator;
use crate::ir::build::Builder;
use crate::ir::{FloatKind, Op, Type, Value};
use crate::syntax::operator::{arithmetic, is_comparison};
use crate::syntax::types;
use cotangent_rules::Rule;
use proc_macro2::Span;
use syn::Expr;

/// Lowers one partial derivative of a rule row at `span`.
pub fn partial(
    builder: &mut Builder,
    rule: &Rule,
    index: usize,
    args: &[Value],
    result: Value,
    span: Span,
) -> Value {
    let expr = builder.formula(rule.partials[index]);
    let params = rule.params.iter().map(|param| param.name).zip(args.iter().copied());
    let names = params.chain([(rule.result, result)]).collect();
    Row { builder, rule, names, like: args[0], span }.expr(&expr)
}

struct Row<'r> {
    builder: &'r mut Builder,
    rule: &'r Rule,
    names: Vec<(&'static str, Value)>,
    /// The first operand, whose float type is the row's.
    like: Value,
    span: Span,
}

impl Row<'_> {
    fn expr(&mut self, expr: &Expr) -> Value {
        match expr {
            Expr::Paren(paren) => self.expr(&paren.expr),
            Expr::Path(path) => self.operand(path),
            Expr::Lit(literal) => self.literal(&literal.lit),
            Expr::Unary(negation) => {
                let value = self.expr(&negation.expr);
                let ty = self.ty(value);
                self.apply("neg", vec![value], ty)
            }
            Expr::Binary(binary) => self.binary(binary),
            Expr::MethodCall(call) => self.method(call),
            Expr::Cast(cast) => self.cast(&cast.expr),
            Expr::If(choice) => self.choice(choice),
            Expr::Block(block) => self.block(&block.block),
            _ => unreachable!("rule `{}`: no expression of a row", self.rule.name),
        }
    }

    fn ty(&self, value: Value) -> Type {
        self.builder.function.ty(value).clone()
    }

    fn apply(&mut self, name: &str, args: Vec<Value>, ty: Type) -> Value {
        let rule = cotangent_rules::find(name).unwrap_or_else(|| panic!("no rule `{name}`"));
        self.builder.inst(Op::Apply(rule), args, ty, name, self.span)
    }

    /// A parameter or the result. Of a type that is not known, a place may hold a number.
    fn operand(&mut self, path: &syn::ExprPath) -> Value {
        let is_named = |(name, _): &&(&str, Value)| path.path.is_ident(name);
        let value = self.names.iter().find(is_named).expect("a name of the row's").1;
        let data = self.builder.function.value(value).clone();
        if data.slot.is_none() {
            return value;
        }
        // An array here is for an operator of the user's.
        let ty = if data.ty.is_aggregate() { Type::Unknown } else { data.ty };
        self.builder.inst(Op::Load(Vec::new()), vec![value], ty, &data.name, self.span)
    }

    fn literal(&mut self, literal: &syn::Lit) -> Value {
        let ty = match (types::of_literal(literal), self.ty(self.like)) {
            (Type::Float(_), ty @ Type::Float(FloatKind::Parameter(_))) => ty,
            (ty, _) => ty,
        };
        self.builder.inst(Op::Literal(literal.clone()), Vec::new(), ty, "literal", self.span)
    }

    fn binary(&mut self, binary: &syn::ExprBinary) -> Value {
        let (left, right) = (self.expr(&binary.left), self.expr(&binary.right));
        operator::infer_operands(&mut self.builder.function, &binary.op, left, right);
        let (a, b) = (self.ty(left), self.ty(right));
        if let Some(name) = arithmetic(&binary.op) {
            return self.apply(name, vec![left, right], operator::combined(&a, &b));
        }
        let ty = if is_comparison(&binary.op) { Type::Bool } else { a };
        self.builder.inst(Op::Binary(binary.op), vec![left, right], ty, "condition", self.span)
    }

    fn method(&mut self, call: &syn::ExprMethodCall) -> Value {
        let operands = std::iter::once(&*call.receiver).chain(&call.args);
        let args: Vec<Value> = operands.map(|operand| self.expr(operand)).collect();
        let name = call.method.to_string();
        if cotangent_rules::ZERO.contains(&&*name) {
            let ty = super::builtin::result_of(&name, &self.ty(args[0]));
            let mut method = call.method.clone();
            method.set_span(self.span);
            return self.builder.inst(Op::Method(method), args, ty, "value", self.span);
        }
        let like = self.ty(args[0]);
        let function = &mut self.builder.function;
        args[1..].iter().for_each(|arg| operator::refine_float(function, *arg, &like));
        let ty = operator::of_rule(function, &args);
        self.apply(&name, args, ty)
    }

    /// An integer as the row's float type.
    fn cast(&mut self, operand: &Expr) -> Value {
        let value = self.expr(operand);
        let ty = self.ty(self.like);
        let is_parameter = matches!(ty, Type::Float(FloatKind::Parameter(_)));
        match types::float_syntax(&ty).filter(|_| !is_parameter) {
            Some(float) => {
                self.builder.inst(Op::Cast(Box::new(float)), vec![value], ty, "factor", self.span)
            }
            None => {
                self.builder.inst(Op::CastLike, vec![value, self.like], ty, "factor", self.span)
            }
        }
    }

    fn choice(&mut self, choice: &syn::ExprIf) -> Value {
        let condition = self.expr(&choice.cond);
        self.builder.open();
        let then = self.block(&choice.then_branch);
        let first = self.builder.close(vec![then]);
        self.builder.open();
        let (_, other) = choice.else_branch.as_ref().expect("an `else` in a row");
        let other = self.expr(other);
        let second = self.builder.close(vec![other]);
        let ty = self.ty(then).join(&self.ty(other));
        let op = Op::If(Box::new(first), Box::new(second));
        self.builder.inst(op, vec![condition], ty, "value", self.span)
    }

    fn block(&mut self, block: &syn::Block) -> Value {
        match &block.stmts[..] {
            [syn::Stmt::Expr(expr, None)] => self.expr(expr),
            _ => unreachable!("rule `{}`: a block in a row is one expression", self.rule.name),
        }
    }
}
