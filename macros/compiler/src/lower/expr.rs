//! Expressions.

use super::stmt::Tail;
use super::{Lower, reserved, types};
use crate::diag;
use crate::ir::{Op, Type, Value};
use proc_macro2::Span;
use quote::ToTokens;
use rustc_hash::FxHashMap as HashMap;

impl Lower<'_> {
    /// The value of an expression. After an exit or an error it stands for nothing.
    pub(super) fn expr(&mut self, expr: &syn::Expr) -> Value {
        match expr {
            syn::Expr::Lit(literal) => self.literal(&literal.lit),
            syn::Expr::Path(path) => self.path(path),
            syn::Expr::Paren(paren) => self.expr(&paren.expr),
            syn::Expr::Group(group) => self.expr(&group.expr),
            syn::Expr::Unary(unary) => self.unary(unary),
            syn::Expr::Binary(binary) => self.binary(binary),
            syn::Expr::Assign(assign) => self.assign(assign),
            syn::Expr::Cast(cast) => self.cast(cast),
            syn::Expr::Index(_) | syn::Expr::Field(_) => self.read_expr(expr),
            syn::Expr::Tuple(tuple) => self.tuple(tuple),
            syn::Expr::Array(array) => self.array(array),
            syn::Expr::Repeat(repeat) => self.repeat(repeat),
            syn::Expr::Struct(literal) if literal.qself.is_none() => self.struct_literal(literal),
            syn::Expr::MethodCall(call) => self.method_call(call),
            syn::Expr::Call(call) => self.call(call),
            syn::Expr::Macro(call) => match reserved::as_binding(expr) {
                Some((_, part)) => self.expr(&part),
                None => self.macro_call(&call.mac),
            },
            syn::Expr::Block(block) if block.label.is_none() => self.block_expr(&block.block),
            _ => self.control(expr),
        }
    }

    fn control(&mut self, expr: &syn::Expr) -> Value {
        match expr {
            syn::Expr::If(branch) if !matches!(*branch.cond, syn::Expr::Let(_)) => {
                self.if_expr(branch)
            }
            syn::Expr::ForLoop(repeat) => self.for_loop(repeat),
            syn::Expr::While(repeat) if !matches!(*repeat.cond, syn::Expr::Let(_)) => {
                self.while_loop(repeat)
            }
            syn::Expr::Loop(repeat) => self.endless_loop(repeat),
            syn::Expr::Return(exit) => self.return_expr(exit),
            syn::Expr::Break(exit) => self.break_expr(exit),
            syn::Expr::Continue(exit) => self.continue_expr(exit),
            _ => self.unsupported(expr),
        }
    }

    /// `Body { mass: m, ..body }`. What is made is kept in a place, since its type is not known.
    fn struct_literal(&mut self, literal: &syn::ExprStruct) -> Value {
        let span = self.span(&literal.path);
        let (mut fields, mut args) = (Vec::new(), Vec::new());
        for field in &literal.fields {
            fields.push(match &field.member {
                syn::Member::Named(name) => name.to_string(),
                syn::Member::Unnamed(index) => index.index.to_string(),
            });
            args.push(self.owned(&field.expr));
        }
        if let Some(rest) = &literal.rest {
            args.push(self.owned(rest));
        }
        self.construct(&literal.path, fields, args, literal.rest.is_some(), span)
    }

    /// A struct, or a variant of an enum, in a place of its own.
    fn construct(
        &mut self,
        path: &syn::Path,
        fields: Vec<String>,
        args: Vec<Value>,
        rest: bool,
        span: Span,
    ) -> Value {
        let name = path.segments.last().map_or_else(String::new, |last| last.ident.to_string());
        let made = self.builder.place(Type::Unknown, &name.to_lowercase(), span, false);
        let op = Op::Struct { path: Box::new(path.clone()), fields, rest };
        self.builder.push(op, args, vec![made], span);
        made
    }

    fn block_expr(&mut self, block: &syn::Block) -> Value {
        let value = self.scoped(&block.stmts, Tail::Nested);
        self.value_or_never(value)
    }

    fn literal(&mut self, literal: &syn::Lit) -> Value {
        let span = self.at.unwrap_or_else(|| literal.span());
        let ty = match (types::of_literal(literal), self.like.map(|like| self.ty(like))) {
            (Type::Float(_), Some(ty)) if is_parameter(&ty) => ty,
            (ty, _) => ty,
        };
        self.inst(Op::Literal(literal.clone()), Vec::new(), ty, "literal", span)
    }

    fn path(&mut self, path: &syn::ExprPath) -> Value {
        let span = self.span(path);
        if let Some(broken) = self.kept_handle(&syn::Expr::Path(path.clone())) {
            return broken;
        }
        if let Some(place) = self.place(&syn::Expr::Path(path.clone())) {
            if self.names_reference(path) && place.ty.is_aggregate() {
                if self.is_broken(&syn::Expr::Path(path.clone())) {
                    return self.broken();
                }
                return self.report(span, &diag::REFERENCE_VALUE, "");
            }
            return self.read(&place, span);
        }
        if crate::emit::is_option(&path.path) {
            return self.construct(&path.path, Vec::new(), Vec::new(), false, span);
        }
        self.check_namesakes(path);
        self.inst(Op::Item(path.clone()), Vec::new(), item_type(path), "item", span)
    }

    /// A name that is no variable here, but spelled like one of another macro context, could be taken for
    /// a constant.
    pub(super) fn check_namesakes(&mut self, path: &syn::ExprPath) {
        let Some(ident) = path.path.get_ident() else { return };
        let name = ident.to_string();
        let mut keys = self.scopes.iter().flat_map(HashMap::keys);
        if keys.any(|key| super::hygiene::name(key) == name) {
            self.report(ident.span(), &diag::NAMESAKE, &name);
        }
    }

    /// Whether a path is a name bound to a reference.
    pub(super) fn names_reference(&self, path: &syn::ExprPath) -> bool {
        let Some(ident) = path.path.get_ident() else {
            return false;
        };
        match self.lookup(&self.key(ident)) {
            Some(super::Binding::View(_)) => true,
            Some(super::Binding::Variable(var)) => self.slot_of(*var).is_some_and(|slot| {
                self.builder.function.slot(slot).access != crate::ir::Access::Owned
            }),
            Some(super::Binding::Part(_)) | None => false,
        }
    }

    fn read_expr(&mut self, expr: &syn::Expr) -> Value {
        let span = self.span(expr);
        match self.place(expr) {
            Some(place) => self.read(&place, span),
            None => self.unsupported(expr),
        }
    }

    fn unary(&mut self, unary: &syn::ExprUnary) -> Value {
        let span = self.span(unary);
        match unary.op {
            syn::UnOp::Neg(_) => {
                let value = self.expr(referent(&unary.expr));
                let ty = self.ty(value);
                let negated = self.apply("neg", vec![value], ty, span);
                self.lend(negated, 0, &unary.expr);
                negated
            }
            syn::UnOp::Not(_) => {
                let value = self.expr(&unary.expr);
                let ty = self.ty(value);
                self.inst(Op::Not, vec![value], ty, "not", span)
            }
            _ => match self.place(&syn::Expr::Unary(unary.clone())) {
                Some(place) => self.read(&place, span),
                None => self.unsupported(&syn::Expr::Unary(unary.clone())),
            },
        }
    }

    fn binary(&mut self, binary: &syn::ExprBinary) -> Value {
        let span = self.span(&binary.op);
        if let Some(op) = assigning(&binary.op) {
            return self.compound(binary, op, span);
        }
        match &binary.op {
            syn::BinOp::And(_) => return self.short_circuit(binary, true),
            syn::BinOp::Or(_) => return self.short_circuit(binary, false),
            _ => {}
        }
        let left = self.expr(referent(&binary.left));
        // Read now: the other operand may change the place.
        let left = self.contents(left, span);
        let right = self.expr(referent(&binary.right));
        let value = self.operator(&binary.op, left, right, span);
        self.lend(value, 0, &binary.left);
        self.lend(value, 1, &binary.right);
        value
    }

    /// Notes an operand that the user passes as a reference.
    fn lend(&mut self, result: Value, position: usize, operand: &syn::Expr) {
        let is_lent = types::is_reference(operand)
            || matches!(operand, syn::Expr::Path(path) if self.names_reference(path));
        if is_lent {
            self.builder.function.lent.insert((result, position));
        }
    }

    /// An operator on values.
    fn operator(&mut self, op: &syn::BinOp, left: Value, right: Value, span: Span) -> Value {
        self.infer_operands(op, left, right);
        let (a, b) = (self.ty(left), self.ty(right));
        if let Some(rule) = arithmetic(op) {
            return self.apply(rule, vec![left, right], combined(&a, &b), span);
        }
        let ty = if is_comparison(op) { Type::Bool } else { a };
        self.inst(Op::Binary(*op), vec![left, right], ty, "condition", span)
    }

    /// A constant item beside a float is that float; so is what is added to a float. (A factor may be
    /// a vector of the user's, and where types are named that are added to floats, so may either be.)
    fn infer_operands(&mut self, op: &syn::BinOp, left: Value, right: Value) {
        let is_sum = matches!(
            op,
            syn::BinOp::Add(_)
                | syn::BinOp::Sub(_)
                | syn::BinOp::AddAssign(_)
                | syn::BinOp::SubAssign(_)
        );
        if self.builder.function.adds_to_floats {
            return;
        }
        for (open, other) in [(left, right), (right, left)] {
            if is_sum && self.ty(open) == Type::Unknown {
                self.infer_float(open, other);
            }
        }
    }

    /// Gives a literal or a value of unknown type the type of another float.
    pub(super) fn infer_float(&mut self, value: Value, model: Value) {
        let ty = self.ty(model);
        self.refine_float(value, &ty);
    }

    /// Gives a literal or a value of unknown type a float type.
    pub(super) fn refine_float(&mut self, value: Value, ty: &Type) {
        let is_open =
            matches!(self.ty(value), Type::Unknown | Type::Float(crate::ir::FloatKind::Literal));
        if is_open && ty.is_float() {
            self.builder.function.values[value.0 as usize].ty = ty.clone();
        }
    }

    /// `a && b`: the second is evaluated only if the first asks for it.
    fn short_circuit(&mut self, binary: &syn::ExprBinary, and: bool) -> Value {
        let left = self.expr(&binary.left);
        let span = self.span(&binary.op);
        let mut right = |lower: &mut Self| Some(lower.expr(&binary.right));
        let mut known = |lower: &mut Self| Some(lower.boolean(!and));
        let value = match and {
            true => self.if_else(left, &mut right, &mut known, span),
            false => self.if_else(left, &mut known, &mut right, span),
        };
        self.value_or_never(value)
    }

    fn compound(&mut self, binary: &syn::ExprBinary, op: syn::BinOp, span: Span) -> Value {
        let right = self.expr(referent(&binary.right));
        let Some(place) = self.target_place(&binary.left) else {
            return self.unit();
        };
        let left = self.read(&place, span);
        self.infer_float(right, left);
        let value = self.operator(&op, left, right, span);
        self.lend(value, 1, &binary.right);
        let ty = self.ty(left);
        if ty != Type::Unknown {
            let joined = ty.join(&self.ty(value));
            self.builder.function.values[value.0 as usize].ty = joined;
        }
        if place.path.is_empty() {
            self.name_after(value, place.var);
        }
        self.write(&place, value, span);
        self.unit()
    }

    fn assign(&mut self, assign: &syn::ExprAssign) -> Value {
        if let syn::Expr::Path(path) = &*assign.left
            && self.names_reference(path)
        {
            self.assigned_place(&assign.left);
            return self.unit();
        }
        if let syn::Expr::Tuple(targets) = &*assign.left {
            return self.assign_tuple(targets, &assign.right);
        }
        let value = self.owned(&assign.right);
        if matches!(*assign.left, syn::Expr::Infer(_)) || self.diverged {
            return self.unit();
        }
        let span = self.span(assign);
        if let Some(place) = self.assigned_place(&assign.left) {
            self.assign_value(&place, &assign.left, value, span);
        }
        self.unit()
    }

    /// Destructuring assignment: `(a, b) = (b, a)`.
    fn assign_tuple(&mut self, targets: &syn::ExprTuple, right: &syn::Expr) -> Value {
        let span = self.span(targets);
        let fields = match right {
            syn::Expr::Tuple(tuple) if tuple.elems.len() == targets.elems.len() => {
                tuple.elems.iter().map(|item| self.owned(item)).collect()
            }
            _ => {
                let value = self.owned(right);
                let items = match self.ty(value) {
                    Type::Tuple(items) => items,
                    _ => vec![Type::Unknown; targets.elems.len()],
                };
                self.destructure(value, items, span)
            }
        };
        for (target, field) in targets.elems.iter().zip(fields) {
            if matches!(target, syn::Expr::Infer(_)) {
                continue;
            }
            if let Some(place) = self.assigned_place(target) {
                self.assign_value(&place, target, field, span);
            }
        }
        self.unit()
    }

    fn assign_value(&mut self, place: &super::Place, target: &syn::Expr, value: Value, span: Span) {
        if self.state[place.var.0].is_some() && self.slot_of(place.var).is_some() {
            return self.write(place, value, span);
        }
        if let (None, syn::Expr::Path(path)) = (self.state[place.var.0], target)
            && let Some(ident) = path.path.get_ident()
        {
            let key = self.key(ident);
            return self.initialise(place.var, &key, value, span);
        }
        if place.path.is_empty() && self.is_unnamed(value) {
            self.name_after(value, place.var);
        }
        self.write(place, value, span);
    }

    /// The first assignment to a variable declared without a value.
    fn initialise(&mut self, var: super::Var, key: &str, value: Value, span: Span) {
        let (ty, name) = (self.ty(value), super::hygiene::name(key));
        let value = if self.needs_slot(key, &ty) { self.in_slot(value, name, span) } else { value };
        self.state[var.0] = Some(value);
        if self.is_unnamed(value) {
            self.builder.function.values[value.0 as usize].name = name.to_owned();
        }
    }

    /// Whether a value is the latest instruction's: then no variable of the user's holds it yet.
    fn is_unnamed(&mut self, value: Value) -> bool {
        self.builder.block().insts.last().is_some_and(|inst| inst.results == [value])
    }

    /// The place that an assignment writes. A bare name of a reference would be given another one.
    fn assigned_place(&mut self, target: &syn::Expr) -> Option<super::Place> {
        if let syn::Expr::Path(path) = target
            && self.names_reference(path)
        {
            self.rebound(path);
            return None;
        }
        self.target_place(target)
    }

    /// A name of a reference that is to be given another one.
    pub(super) fn rebound(&mut self, path: &syn::ExprPath) -> Value {
        let name = path.path.get_ident().map(ToString::to_string).unwrap_or_default();
        self.report(self.span(path), &diag::REBOUND_REFERENCE, &name)
    }

    fn target_place(&mut self, target: &syn::Expr) -> Option<super::Place> {
        let span = self.span(target);
        if let Some(name) = super::scan::root(target).filter(|name| self.lookup(name).is_none()) {
            self.report(span, &diag::STATIC_WRITE, super::hygiene::name(&name));
            return None;
        }
        let place = self.place(target);
        if place.is_none() {
            self.report(diag::Extent::of(target), &diag::ASSIGNMENT_TARGET, "");
        }
        place
    }

    fn cast(&mut self, cast: &syn::ExprCast) -> Value {
        let value = self.expr(&cast.expr);
        let span = self.span(&cast.as_token);
        if cast.ty.to_token_stream().to_string() == "Float" && self.at.is_some() {
            return self.cast_like(value, span);
        }
        let ty = self.floats.read(&cast.ty);
        self.inst(Op::Cast(cast.ty.clone()), vec![value], ty, "cast", span)
    }

    /// In rule rows: an integer as the row's float type, which is that of the first parameter.
    fn cast_like(&mut self, value: Value, span: Span) -> Value {
        let like = self.like.expect("a row has an operand");
        let ty = self.ty(like);
        if let Some(float) = types::float_syntax(&ty).filter(|_| !is_parameter(&ty)) {
            return self.inst(Op::Cast(Box::new(float)), vec![value], ty, "factor", span);
        }
        self.inst(Op::CastLike, vec![value, like], ty, "factor", span)
    }

    fn tuple(&mut self, tuple: &syn::ExprTuple) -> Value {
        let items: Vec<Value> = tuple.elems.iter().map(|item| self.owned(item)).collect();
        let ty = Type::Tuple(items.iter().map(|item| self.ty(*item)).collect());
        let span = self.span(tuple);
        self.inst(Op::Tuple, items, ty, "tuple", span)
    }

    fn array(&mut self, array: &syn::ExprArray) -> Value {
        let items: Vec<Value> = array.elems.iter().map(|item| self.owned(item)).collect();
        let item = self.item_type(&items);
        let span = self.span(array);
        self.inst(
            Op::Array,
            items.clone(),
            Type::Array(Box::new(item), items.len().to_string()),
            "array",
            span,
        )
    }

    pub(super) fn item_type(&self, items: &[Value]) -> Type {
        items.iter().map(|item| self.ty(*item)).reduce(|a, b| a.join(&b)).unwrap_or(Type::Unknown)
    }

    fn repeat(&mut self, repeat: &syn::ExprRepeat) -> Value {
        let item = self.owned(&repeat.expr);
        let ty = Type::Array(Box::new(self.ty(item)), repeat.len.to_token_stream().to_string());
        let span = self.span(repeat);
        self.inst(Op::ArrayRepeat(repeat.len.clone()), vec![item], ty, "array", span)
    }

    /// A row of the rule table.
    pub(super) fn apply(&mut self, name: &str, args: Vec<Value>, ty: Type, span: Span) -> Value {
        let rule = cotangent_rules::find(name).unwrap_or_else(|| panic!("no rule `{name}`"));
        self.inst(Op::Apply(rule), args, ty, name, span)
    }
}

/// Whether a type is a type parameter that stands for a float.
fn is_parameter(ty: &Type) -> bool {
    matches!(ty, Type::Float(crate::ir::FloatKind::Parameter(_)))
}

/// An operand of an operator: one that is a reference counts as what it leads to.
fn referent(operand: &syn::Expr) -> &syn::Expr {
    match operand {
        syn::Expr::Paren(paren) => referent(&paren.expr),
        syn::Expr::Reference(reference) if reference.mutability.is_none() => {
            referent(&reference.expr)
        }
        operand => operand,
    }
}

/// The type of a path to an item: constants of the float types are floats.
pub(super) fn item_type(path: &syn::ExprPath) -> Type {
    let names: Vec<String> =
        path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let module = names.len().checked_sub(2).map(|index| names[index].as_str());
    let kind = if names.iter().any(|name| name == "f32") {
        crate::ir::FloatKind::F32
    } else {
        crate::ir::FloatKind::F64
    };
    match module {
        Some("consts") if names.iter().any(|name| name == "f64" || name == "f32") => {
            Type::Float(kind)
        }
        Some("f64" | "f32")
            if !matches!(
                names.last().map(String::as_str),
                Some(
                    "DIGITS"
                        | "RADIX"
                        | "MANTISSA_DIGITS"
                        | "MAX_EXP"
                        | "MIN_EXP"
                        | "MAX_10_EXP"
                        | "MIN_10_EXP"
                )
            ) =>
        {
            Type::Float(kind)
        }
        _ => Type::Unknown,
    }
}

/// Whether an operator is arithmetic, assigning or not.
pub(super) fn is_arithmetic(op: &syn::BinOp) -> bool {
    arithmetic(&assigning(op).unwrap_or(*op)).is_some()
}

/// The rule of an arithmetic operator.
pub(super) fn arithmetic(op: &syn::BinOp) -> Option<&'static str> {
    match op {
        syn::BinOp::Add(_) => Some("add"),
        syn::BinOp::Sub(_) => Some("sub"),
        syn::BinOp::Mul(_) => Some("mul"),
        syn::BinOp::Div(_) => Some("div"),
        syn::BinOp::Rem(_) => Some("rem"),
        _ => None,
    }
}

/// The operator inside a compound assignment.
pub(super) fn assigning(op: &syn::BinOp) -> Option<syn::BinOp> {
    use syn::{BinOp, Token};
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

pub(super) fn is_comparison(op: &syn::BinOp) -> bool {
    use syn::BinOp;
    matches!(
        op,
        BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) | BinOp::Eq(_) | BinOp::Ne(_)
    )
}

/// The type of arithmetic on two operands.
pub(super) fn combined(a: &Type, b: &Type) -> Type {
    match (a, b) {
        (Type::Float(_), Type::Float(_)) => a.join(b),
        (Type::Int, Type::Int) => Type::Int,
        (Type::Int, Type::Unknown) | (Type::Unknown, Type::Int) => Type::Unknown,
        _ => Type::Unknown,
    }
}
