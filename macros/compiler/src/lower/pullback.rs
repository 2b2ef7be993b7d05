//! Pullbacks by name: `let (y, pullback) = f::vjp(x, w);` and `pullback(w, &mut w_bar, y_bar)`.
//!
//! In: a `let` with such a call, and what follows it. Out: a call of `f`, and, where the pullback is called, one of
//! the function beside `f` that does both at once: that one has derivatives. A name of a pullback stands for no
//! value, so that it is only called.

use super::place::Operand;
use super::{Binding, Lower, hygiene};
use crate::diag;
use crate::ir::{Callee, Op, PULLED, Passing, Value};
use proc_macro2::{Ident, Span, TokenStream};
use syn::visit::Visit;
use syn::{Expr, ExprCall, ExprPath, Pat, Stmt};

/// What a name of a pullback stands for.
#[derive(Clone)]
pub(super) struct Pullback {
    /// The function that calls `vjp` and its pullback.
    callee: Callee,
    /// What `vjp` was given.
    operands: Vec<Operand>,
}

/// A call of a `vjp`.
struct Pair<'s> {
    value: &'s Pat,
    pullback: &'s Ident,
    init: &'s Expr,
    /// The function, and the one that does both.
    callees: [Callee; 2],
}

impl Lower<'_> {
    /// `let (y, pullback) = f::vjp(..)`, if the statement is one.
    pub(super) fn pullback_binding(&mut self, stmt: &Stmt, rest: &[Stmt]) -> bool {
        let Some(Pair { value, pullback, init, callees }) = pair(stmt) else { return false };
        let uses = uses(pullback, rest);
        let is_of_companion = matches!(&callees[1], Callee::Path(path) if is_pulled(path));
        if !uses.is_called && !is_of_companion {
            return false;
        }
        if let Some(span) = uses.other {
            self.report(span, &diag::PULLBACK, "it is used other than by a call");
        }
        let [function, pulled] = callees;
        let span = self.span(init);
        let operands = self.vjp_operands(init);
        if operands.iter().any(|operand| operand.passing.writes()) {
            let broken = self.report(span, &diag::PULLBACK, "it is given a place by `&mut`");
            self.bind_pattern(value, broken, false);
        }
        let kept: Vec<Operand> =
            operands.iter().map(|operand| self.kept_operand(operand, span)).collect();
        let result = self.call_with(function, false, operands, span);
        let result = self.unwrapped(result, span);
        self.bind_pattern(value, result, false);
        let none = self.unit();
        let var = self.variable(Some(none));
        self.pullbacks.insert(var, Pullback { callee: pulled, operands: kept });
        self.declare(&self.key(pullback), Binding::Variable(var));
        true
    }

    /// The call of such a name.
    pub(super) fn pullback_call(&mut self, call: &ExprCall) -> Option<Value> {
        let Expr::Path(path) = &*call.func else { return None };
        let Binding::Variable(var) = self.lookup(&self.key(path.path.get_ident()?))? else {
            return None;
        };
        let Pullback { callee, mut operands } = self.pullbacks.get(var)?.clone();
        let args: Vec<&Expr> = call.args.iter().collect();
        let (own, copied) = self.call_operands(None, &args);
        operands.extend(own);
        let span = self.span(path);
        let result = self.call_with(callee, false, operands, span);
        copied.into_iter().for_each(|(place, copy)| self.write_back(place, &copy));
        Some(result)
    }

    /// What `vjp` is given. A method's receiver is only read.
    fn vjp_operands(&mut self, init: &Expr) -> Vec<Operand> {
        let (receiver, args) = match init {
            Expr::MethodCall(call) => (Some(&call.receiver), &call.args),
            Expr::Call(call) => (None, &call.args),
            _ => unreachable!("a pair is a call"),
        };
        let receiver = receiver.map(|receiver| {
            let place = self.settled(receiver);
            self.passed(&place, false)
        });
        let args: Vec<&Expr> = args.iter().collect();
        self.call_operands(receiver, &args).0
    }

    /// An operand that is passed once more: what is moved out of a place is a copy.
    fn kept_operand(&mut self, operand: &Operand, span: Span) -> Operand {
        let value = operand.args[0];
        let is_moved =
            operand.passing == Passing::Value && self.builder.function.slot_of(value).is_some();
        if !is_moved {
            return operand.clone();
        }
        let copy = self.inst(Op::Clone(Vec::new()), vec![value], self.ty(value), "kept", span);
        Operand { args: vec![copy], ..operand.clone() }
    }
}

/// Whether a path is that of a companion's function.
pub(super) fn is_pulled(path: &ExprPath) -> bool {
    path.path.segments.last().is_some_and(|last| last.ident == PULLED)
}

/// `let (y, pullback) = f::vjp(..)`, `Type::f_vjp(..)` or `x.f_vjp(..)`.
fn pair(stmt: &Stmt) -> Option<Pair<'_>> {
    let Stmt::Local(local) = stmt else { return None };
    let Pat::Tuple(tuple) = &local.pat else { return None };
    let [value, Pat::Ident(pullback)] = [tuple.elems.first()?, tuple.elems.get(1)?] else {
        return None;
    };
    let init = &*local.init.as_ref().filter(|init| init.diverge.is_none())?.expr;
    let callees = match init {
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) => of_path(path)?.map(Callee::Path),
            _ => return None,
        },
        Expr::MethodCall(call) if call.turbofish.is_none() => {
            of_method(&call.method)?.map(Callee::Method)
        }
        _ => return None,
    };
    (tuple.elems.len() == 2).then_some(Pair { value, pullback: &pullback.ident, init, callees })
}

/// The function of which a path names the `vjp`, and the one that calls the pullback, too.
pub(super) fn of_path(path: &ExprPath) -> Option<[ExprPath; 2]> {
    let last = path.path.segments.last()?;
    let (mut function, mut pulled) = (path.clone(), path.clone());
    if last.ident == "vjp" {
        let (span, arguments) = (last.ident.span(), last.arguments.clone());
        function.path.segments.pop();
        function.path.segments.pop_punct();
        let own = function.path.segments.last_mut().filter(|own| !super::fence::is_module(own))?;
        if own.arguments.is_none() {
            own.arguments = arguments;
        }
        pulled.path.segments.last_mut()?.ident = Ident::new(PULLED, span);
        return Some([function, pulled]);
    }
    let names = of_method(&last.ident).filter(|_| crate::ir::is_associated(path))?;
    for (path, name) in [&mut function, &mut pulled].into_iter().zip(names) {
        path.path.segments.last_mut()?.ident = name;
    }
    Some([function, pulled])
}

/// The method of which this is the `vjp`, and the one that calls the pullback, too.
pub(super) fn of_method(name: &Ident) -> Option<[Ident; 2]> {
    let (text, span) = (name.to_string(), name.span());
    let method = Ident::new(text.strip_suffix("_vjp").filter(|method| !method.is_empty())?, span);
    let pulled = crate::emit::sibling(&method, PULLED.trim_start_matches('_'), false);
    Some([method, pulled])
}

/// How a name is used.
struct Uses<'n> {
    name: &'n Ident,
    is_called: bool,
    /// Where it is more than that.
    other: Option<Span>,
}

fn uses<'n>(name: &'n Ident, stmts: &[Stmt]) -> Uses<'n> {
    let mut uses = Uses { name, is_called: false, other: None };
    stmts.iter().for_each(|stmt| uses.visit_stmt(stmt));
    uses
}

impl Uses<'_> {
    fn is_name(&self, ident: &Ident) -> bool {
        hygiene::key(ident) == hygiene::key(self.name)
    }

    fn mentions(&self, tokens: TokenStream) -> bool {
        hygiene::mentions(tokens, &|ident| self.is_name(ident))
    }
}

impl<'ast> Visit<'ast> for Uses<'_> {
    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        match &*call.func {
            Expr::Path(path) if path.path.get_ident().is_some_and(|ident| self.is_name(ident)) => {
                self.is_called = true;
            }
            func => self.visit_expr(func),
        }
        call.args.iter().for_each(|arg| self.visit_expr(arg));
    }

    fn visit_expr_path(&mut self, path: &'ast ExprPath) {
        if let Some(ident) = path.path.get_ident().filter(|ident| self.is_name(ident)) {
            self.other = Some(ident.span());
        }
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.is_called |= self.mentions(call.tokens.clone());
    }
}
