//! Expressions.

use super::{Build, Jumps};
use crate::diag::Extent;
use crate::hir::{Closure, ExprId, ExprKind, LocalData, PatId};
use crate::syntax::standard;
use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::{BinOp, Token, UnOp};

impl Build<'_> {
    /// Reads an expression.
    pub(super) fn expr(&mut self, expr: &syn::Expr) -> ExprId {
        match expr {
            syn::Expr::Paren(paren) => return self.expr(&paren.expr),
            syn::Expr::Group(group) => return self.expr(&group.expr),
            _ if !super::control::is_loop(expr) => self.check_attributes(attributes(expr)),
            _ => {}
        }
        let (kind, span) = self.kind(expr);
        self.add(kind, Extent::of(expr), span)
    }

    fn exprs<'e>(&mut self, exprs: impl IntoIterator<Item = &'e syn::Expr>) -> Vec<ExprId> {
        exprs.into_iter().map(|expr| self.expr(expr)).collect()
    }

    fn kind(&mut self, expr: &syn::Expr) -> (ExprKind, Span) {
        let span = expr.span();
        let kind = match expr {
            syn::Expr::Lit(literal) => ExprKind::Literal(literal.lit.clone()),
            syn::Expr::Path(path) => self.path(path),
            syn::Expr::Unary(unary) => self.unary(expr, unary),
            syn::Expr::Binary(binary) => return (self.binary(binary), binary.op.span()),
            syn::Expr::Assign(assign) => self.assign(assign),
            syn::Expr::Cast(cast) => {
                let kind = ExprKind::Cast(self.expr(&cast.expr), cast.ty.clone());
                return (kind, cast.as_token.span());
            }
            syn::Expr::Reference(reference) => {
                let is_mutable = reference.mutability.is_some();
                ExprKind::Borrow { is_mutable, place: self.expr(&reference.expr) }
            }
            syn::Expr::Field(field) => {
                ExprKind::Field(self.expr(&field.base), field.member.clone())
            }
            syn::Expr::Index(index) => {
                let base = self.expr(&index.expr);
                match self.indexed_place(base, index) {
                    Some(place) => return self.kind(&place),
                    None => ExprKind::Index(base, self.expr(&index.index)),
                }
            }
            syn::Expr::Range(range) => ExprKind::Range {
                start: range.start.as_ref().map(|start| self.expr(start)),
                end: range.end.as_ref().map(|end| self.expr(end)),
                is_inclusive: matches!(range.limits, syn::RangeLimits::Closed(_)),
            },
            syn::Expr::Tuple(tuple) => ExprKind::Tuple(self.exprs(&tuple.elems)),
            syn::Expr::Array(array) => ExprKind::Array(self.exprs(&array.elems)),
            syn::Expr::Repeat(repeat) => {
                ExprKind::Repeat(self.expr(&repeat.expr), repeat.len.clone())
            }
            syn::Expr::Struct(literal) if literal.qself.is_none() => {
                return (self.literal(literal), literal.path.span());
            }
            syn::Expr::Call(call) => {
                let callee = self.inlined_function(call).unwrap_or_else(|| self.expr(&call.func));
                let head = self.head_of(&call.func);
                let arguments = self.passed(call.args.iter(), head.as_ref());
                return (ExprKind::Call(callee, arguments), call.func.span());
            }
            syn::Expr::MethodCall(call) => return (self.method(call), call.method.span()),
            syn::Expr::Macro(call) => return (self.macro_call(&call.mac), call.mac.path.span()),
            syn::Expr::Closure(closure) => self.closure(closure),
            syn::Expr::Infer(_) => ExprKind::Ignored,
            other => return self.control(other),
        };
        (kind, span)
    }

    fn path(&mut self, path: &syn::ExprPath) -> ExprKind {
        match self.resolve(path) {
            Some(local) => ExprKind::Local(local),
            None => {
                self.check_namesakes(path);
                self.note_function(path);
                ExprKind::Item(path.clone())
            }
        }
    }

    /// Notes a path that may be taken for a function of the standard library, and a trait in front of a function that is
    /// taken for that of `num_traits`.
    fn note_function(&mut self, path: &syn::ExprPath) {
        if standard::known(path).is_some() && !self.body.functions.contains(path) {
            self.body.functions.push(path.clone());
        }
        let mut owner = path.path.clone();
        owner.segments.pop();
        owner.segments.pop_punct();
        let is_trait = owner.segments.last().is_some_and(|last| last.ident == "Float");
        if is_trait && !self.body.traits.contains(&owner) {
            self.body.traits.push(owner);
        }
    }

    fn unary(&mut self, whole: &syn::Expr, unary: &syn::ExprUnary) -> ExprKind {
        let operand = self.expr(&unary.expr);
        match unary.op {
            UnOp::Neg(_) => ExprKind::Negate(operand),
            UnOp::Not(_) => ExprKind::Not(operand),
            UnOp::Deref(_) => ExprKind::Deref(operand),
            _ => self.unsupported(whole),
        }
    }

    fn binary(&mut self, binary: &syn::ExprBinary) -> ExprKind {
        let is_and = matches!(binary.op, BinOp::And(_));
        if is_and || matches!(binary.op, BinOp::Or(_)) {
            let (left, right) = (self.expr(&binary.left), self.expr(&binary.right));
            return ExprKind::Lazy { is_and, left, right };
        }
        match assigning(&binary.op) {
            Some(operator) => {
                let value = self.expr(&binary.right);
                ExprKind::Compound { operator, target: self.expr(&binary.left), value }
            }
            None => {
                let left = self.expr(&binary.left);
                ExprKind::Binary(binary.op, left, self.expr(&binary.right))
            }
        }
    }

    fn assign(&mut self, assign: &syn::ExprAssign) -> ExprKind {
        let value = self.expr(&assign.right);
        ExprKind::Assign { target: self.expr(&assign.left), value }
    }

    fn literal(&mut self, literal: &syn::ExprStruct) -> ExprKind {
        let fields = literal.fields.iter();
        let fields = fields.map(|field| (field.member.clone(), self.expr(&field.expr))).collect();
        let rest = literal.rest.as_ref().map(|rest| self.expr(rest));
        ExprKind::Struct { path: Box::new(literal.path.clone()), fields, rest }
    }

    fn method(&mut self, call: &syn::ExprMethodCall) -> ExprKind {
        if let Some(callee) = self.inlined_method(call) {
            return ExprKind::Call(callee, self.exprs(&call.args));
        }
        let receiver = self.expr(&call.receiver);
        self.body.results.extend(self.is_result(receiver).then_some(receiver));
        if let Some((callee, given)) = self.inlined_method_of(receiver, call) {
            let mut arguments = vec![given];
            arguments.extend(self.exprs(&call.args));
            return ExprKind::Call(callee, arguments);
        }
        let arguments = match self.slice(call) {
            Some(slice) => vec![slice],
            None => {
                let head = self.head_of_method(receiver, &call.method);
                self.passed(call.args.iter(), head.as_ref())
            }
        };
        self.note_order(receiver, &call.method, &arguments);
        ExprKind::Method {
            receiver,
            name: call.method.clone(),
            turbofish: call.turbofish.clone(),
            arguments,
        }
    }

    /// Notes the constant of `a.partial_cmp(&b).unwrap_or(Ordering::Equal)`.
    fn note_order(&mut self, receiver: ExprId, name: &Ident, arguments: &[ExprId]) {
        let is_comparison = match &self.body.expr(receiver).kind {
            ExprKind::Method { name, .. } => name == "partial_cmp",
            ExprKind::Call(callee, _) => {
                let callee = &self.body.expr(*callee).kind;
                matches!(callee, ExprKind::Item(path) if standard::comparison(&path.path).is_some())
            }
            _ => false,
        };
        if let [order] = arguments
            && let ExprKind::Item(path) = &self.body.expr(*order).kind
            && is_comparison
            && name == "unwrap_or"
            && !self.body.orders.contains(path)
        {
            let path = path.clone();
            self.body.orders.push(path);
        }
    }

    pub(super) fn closure(&mut self, closure: &syn::ExprClosure) -> ExprKind {
        self.closure_on(None, closure)
    }

    /// A closure with a receiver as its first parameter, under the name by which its body calls that.
    pub(super) fn closure_on(
        &mut self,
        receiver: Option<(Ident, LocalData)>,
        closure: &syn::ExprClosure,
    ) -> ExprKind {
        let target = self.new_target();
        let output = match &closure.output {
            syn::ReturnType::Default => None,
            syn::ReturnType::Type(_, ty) => Some((**ty).clone()),
        };
        self.functions.push((target, super::Failure::of_closure(closure)));
        self.labels.push((None, target, Jumps::Function));
        self.scopes.open();
        let first = self.body.locals() as u32;
        let receiver = receiver.map(|(name, data)| self.bound(&name, data));
        let mut params: Vec<PatId> = receiver.into_iter().collect();
        params.extend(closure.inputs.iter().map(|input| self.irrefutable(input)));
        let body = self.body_expr(&closure.body);
        self.scopes.close();
        self.labels.pop();
        self.functions.pop();
        ExprKind::Closure(Box::new(Closure {
            params,
            output,
            body,
            is_move: closure.capture.is_some(),
            target,
            locals: first..self.body.locals() as u32,
            syntax: closure.clone(),
        }))
    }
}

/// The operator inside a compound assignment.
fn assigning(op: &BinOp) -> Option<BinOp> {
    macro_rules! plain {
        ($token:expr, $variant:ident, $plain:tt) => {
            Some(BinOp::$variant(Token![$plain]($token.spans[0])))
        };
    }
    match op {
        BinOp::AddAssign(token) => plain!(token, Add, +),
        BinOp::SubAssign(token) => plain!(token, Sub, -),
        BinOp::MulAssign(token) => plain!(token, Mul, *),
        BinOp::DivAssign(token) => plain!(token, Div, /),
        BinOp::RemAssign(token) => plain!(token, Rem, %),
        BinOp::BitXorAssign(token) => plain!(token, BitXor, ^),
        BinOp::BitAndAssign(token) => plain!(token, BitAnd, &),
        BinOp::BitOrAssign(token) => plain!(token, BitOr, |),
        BinOp::ShlAssign(token) => Some(BinOp::Shl(Token![<<](token.spans[0]))),
        BinOp::ShrAssign(token) => Some(BinOp::Shr(Token![>>](token.spans[0]))),
        _ => None,
    }
}

/// The attributes of the forms on which one of ours may stand by mistake.
fn attributes(expr: &syn::Expr) -> &[syn::Attribute] {
    match expr {
        syn::Expr::Block(block) => &block.attrs,
        syn::Expr::If(branch) => &branch.attrs,
        syn::Expr::Match(choice) => &choice.attrs,
        syn::Expr::Call(call) => &call.attrs,
        syn::Expr::MethodCall(call) => &call.attrs,
        syn::Expr::Macro(call) => &call.attrs,
        syn::Expr::Assign(assign) => &assign.attrs,
        syn::Expr::Closure(closure) => &closure.attrs,
        _ => &[],
    }
}
