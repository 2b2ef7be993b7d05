//! Exits in the middle of an expression: `x * if c { return y } else { z }`.
//!
//! In: a statement. Out: the same as several statements, in which an exit stands in an initialiser of its
//! own, so that what is evaluated after it can be left out. Operands that are evaluated before the exit
//! are bound to names first, in order.

use super::desugar::{Known, with_copies};
use super::scan::{assigned_by, exits, may_change};
use rustc_hash::FxHashSet as HashSet;
use syn::{Expr, Stmt};

/// Takes a statement apart, if control may leave it from inside of an expression.
pub fn expand(stmt: &Stmt, known: &Known, count: &mut usize) -> Option<Vec<Stmt>> {
    let mut hoist = Hoist { stmts: Vec::new(), known, count };
    let mut stmt = stmt.clone();
    match &mut stmt {
        Stmt::Local(local) => hoist.whole(&mut local.init.as_mut()?.expr),
        Stmt::Expr(expr, _) => hoist.whole(expr),
        _ => {}
    }
    let mut stmts = hoist.stmts;
    (!stmts.is_empty()).then(|| {
        stmts.push(stmt);
        stmts
    })
}

struct Hoist<'c> {
    stmts: Vec<Stmt>,
    known: &'c Known,
    count: &'c mut usize,
}

impl Hoist<'_> {
    /// An expression that is a statement or an initialiser: its own exits are handled there.
    fn whole(&mut self, expr: &mut Expr) {
        if exits(expr).any && !is_statement_like(expr) {
            self.children(expr);
        }
        match expr {
            Expr::If(branch) if exits(&branch.cond).any => self.bind(&mut branch.cond),
            Expr::Return(exit) => self.exit_value(exit.expr.as_deref_mut()),
            Expr::Break(exit) => self.exit_value(exit.expr.as_deref_mut()),
            Expr::ForLoop(repeat) if exits(&repeat.expr).any => self.children(&mut repeat.expr),
            _ => {}
        }
    }

    fn exit_value(&mut self, value: Option<&mut Expr>) {
        if let Some(value) = value.filter(|value| exits(value).any) {
            self.bind(value);
        }
    }

    /// Binds operands up to the last that may exit.
    fn children(&mut self, expr: &mut Expr) {
        lazy_operator(expr);
        if is_statement_like(expr) {
            return self.bind(expr);
        }
        let mut operands = operands(expr);
        let last = operands.iter().rposition(|(_, operand)| exits(operand).any);
        for at in 0..last.map_or(0, |last| last + 1) {
            let behind = operands[at + 1..].iter().flat_map(|(_, later)| assigned_by(later));
            let behind = behind.collect();
            let (role, operand) = &mut operands[at];
            match role {
                _ if self.closure(operand, behind) => {}
                Role::Place if is_place(operand) => self.place(operand),
                _ => self.bind(operand),
            }
        }
    }

    /// A closure is made behind the operands that follow: what it borrows they cannot change, and of what it takes with it
    /// and they change there are copies.
    fn closure(&mut self, operand: &mut Expr, behind: HashSet<String>) -> bool {
        let Expr::Closure(closure) = operand else { return false };
        let count = &mut *self.count;
        let copied = with_copies(closure, behind, self.known, |_| operand_name(count));
        let is_copied = copied.is_some();
        if let Some((copies, changed)) = copied {
            self.stmts.extend(copies);
            *closure = changed;
        }
        is_copied
    }

    /// `let operand = expr;`, and the name in its place.
    fn bind(&mut self, expr: &mut Expr) {
        if matches!(expr, Expr::Lit(_)) || self.known.is_function(expr) {
            return;
        }
        if exits(expr).any && !is_statement_like(expr) {
            self.children(expr);
        } else {
            self.whole(expr);
        }
        if matches!(expr, Expr::Reference(_)) {
            return;
        }
        let name = operand_name(self.count);
        let value = std::mem::replace(expr, syn::parse_quote!(#name));
        self.stmts.push(syn::parse_quote!(let #name = #value;));
    }

    /// A place stays where it is, but not the indices in it.
    fn place(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Index(index) => {
                self.place(&mut index.expr);
                self.bind(&mut index.index);
            }
            Expr::Field(field) => self.place(&mut field.base),
            Expr::Paren(paren) => self.place(&mut paren.expr),
            Expr::Unary(unary) => self.place(&mut unary.expr),
            _ => {}
        }
    }
}

fn operand_name(count: &mut usize) -> syn::Ident {
    *count += 1;
    quote::format_ident!("operand_of_exit_{}", *count - 1)
}

/// Expressions whose exits the lowering of statements and initialisers takes care of.
fn is_statement_like(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::If(_)
            | Expr::Block(_)
            | Expr::Loop(_)
            | Expr::While(_)
            | Expr::ForLoop(_)
            | Expr::Match(_)
            | Expr::Return(_)
            | Expr::Break(_)
            | Expr::Continue(_)
    )
}

pub(super) fn is_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) => true,
        Expr::Index(index) => is_place(&index.expr),
        Expr::Field(field) => is_place(&field.base),
        Expr::Paren(paren) => is_place(&paren.expr),
        Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr, .. }) => is_place(expr),
        Expr::MethodCall(call) => is_borrow(call) && is_place(&call.receiver),
        _ => false,
    }
}

/// Whether a place may be written several times: its indices are arithmetic on names.
pub(super) fn is_repeatable(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) => true,
        Expr::Index(index) => is_repeatable(&index.expr) && is_arithmetic(&index.index),
        Expr::Field(field) => is_repeatable(&field.base),
        Expr::Paren(paren) => is_repeatable(&paren.expr),
        Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr, .. }) => is_repeatable(expr),
        Expr::MethodCall(call) => is_borrow(call) && is_repeatable(&call.receiver),
        _ => false,
    }
}

/// The contents of a `RefCell` are a place.
fn is_borrow(call: &syn::ExprMethodCall) -> bool {
    call.args.is_empty() && (call.method == "borrow" || call.method == "borrow_mut")
}

fn is_arithmetic(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) | Expr::Macro(_) => true,
        Expr::Binary(binary) => {
            super::expr::assigning(&binary.op).is_none()
                && is_arithmetic(&binary.left)
                && is_arithmetic(&binary.right)
        }
        Expr::Unary(unary) => is_arithmetic(&unary.expr),
        Expr::Reference(reference) => is_arithmetic(&reference.expr),
        Expr::Paren(paren) => is_arithmetic(&paren.expr),
        Expr::Cast(cast) => is_arithmetic(&cast.expr),
        Expr::Range(range) => {
            [&range.start, &range.end].into_iter().flatten().all(|end| is_arithmetic(end))
        }
        Expr::MethodCall(call) => {
            let is_known =
                matches!(call.method.to_string().as_str(), "len" | "clone" | "min" | "max");
            is_known && is_arithmetic(&call.receiver) && call.args.iter().all(is_arithmetic)
        }
        expr => is_repeatable(expr),
    }
}

/// Whether it does not matter when an expression is evaluated, as long as the names in it stay.
pub(super) fn is_pure(expr: &Expr) -> bool {
    struct Effects(bool);
    impl<'ast> syn::visit::Visit<'ast> for Effects {
        fn visit_expr(&mut self, expr: &'ast Expr) {
            self.0 |= match expr {
                Expr::Binary(binary) => super::expr::assigning(&binary.op).is_some(),
                Expr::Reference(reference) => reference.mutability.is_some(),
                Expr::Assign(_) | Expr::Block(_) | Expr::Closure(_) | Expr::Macro(_) => true,
                expr => is_statement_like(expr),
            };
            syn::visit::visit_expr(self, expr);
        }
    }
    let mut effects = Effects(false);
    syn::visit::Visit::visit_expr(&mut effects, expr);
    !effects.0
}

/// `a && b` as `if a { b } else { false }` where the second operand may exit.
fn lazy_operator(expr: &mut Expr) {
    let Expr::Binary(binary) = &*expr else { return };
    let right = (*binary.right).clone();
    let (then, other) = match binary.op {
        syn::BinOp::And(_) => (right, syn::parse_quote!(false)),
        syn::BinOp::Or(_) => (syn::parse_quote!(true), right),
        _ => return,
    };
    // Not from tokens: what begins with a block would end there as a statement.
    let block = |value| syn::Block {
        brace_token: Default::default(),
        stmts: vec![syn::Stmt::Expr(value, None)],
    };
    let other = super::desugar::plain_block(block(other));
    *expr = Expr::If(syn::ExprIf {
        attrs: Vec::new(),
        if_token: Default::default(),
        cond: binary.left.clone(),
        then_branch: block(then),
        else_branch: Some((Default::default(), Box::new(Expr::Block(other)))),
    });
}

/// What an operand is to its expression.
#[derive(Clone, Copy)]
enum Role {
    /// It is read at once.
    Value,
    /// It names a place, which is read or written when the expression runs.
    Place,
}

/// Operands in the order in which they are evaluated.
fn operands(expr: &mut Expr) -> Vec<(Role, &mut Expr)> {
    use Role::{Place, Value};
    match expr {
        Expr::Assign(assign) => vec![(Value, &mut assign.right), (Place, &mut assign.left)],
        Expr::Binary(binary) => match super::expr::assigning(&binary.op).is_some() {
            true => vec![(Value, &mut binary.right), (Place, &mut binary.left)],
            false => vec![(Value, &mut binary.left), (Value, &mut binary.right)],
        },
        Expr::Unary(unary) => vec![(Value, &mut unary.expr)],
        Expr::Paren(paren) => vec![(Value, &mut paren.expr)],
        Expr::Group(group) => vec![(Value, &mut group.expr)],
        Expr::Cast(cast) => vec![(Value, &mut cast.expr)],
        Expr::Field(field) => vec![(Place, &mut field.base)],
        Expr::Reference(reference) => vec![(Place, &mut reference.expr)],
        Expr::Index(index) => vec![(Place, &mut index.expr), (Value, &mut index.index)],
        Expr::Call(call) => call.args.iter_mut().map(|arg| (Value, arg)).collect(),
        Expr::MethodCall(call) => {
            // A number that an argument changes is read before.
            let later: Vec<&Expr> = call.args.iter().collect();
            let is_number = !super::builtin::is_unknown(call);
            let role = match is_number && may_change(&call.receiver, &later) {
                true => Value,
                false => Place,
            };
            let args = call.args.iter_mut().map(|arg| (Value, arg));
            std::iter::once((role, &mut *call.receiver)).chain(args).collect()
        }
        Expr::Tuple(tuple) => tuple.elems.iter_mut().map(|item| (Value, item)).collect(),
        Expr::Array(array) => array.elems.iter_mut().map(|item| (Value, item)).collect(),
        Expr::Repeat(repeat) => vec![(Value, &mut repeat.expr)],
        Expr::Struct(literal) => {
            let fields = literal.fields.iter_mut().map(|field| &mut field.expr);
            fields.chain(literal.rest.as_deref_mut()).map(|field| (Value, field)).collect()
        }
        Expr::Range(range) => {
            let ends = [range.start.as_deref_mut(), range.end.as_deref_mut()];
            ends.into_iter().flatten().map(|end| (Value, end)).collect()
        }
        _ => Vec::new(),
    }
}
