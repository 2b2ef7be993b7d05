//! Statements, and what becomes of the rest of a block after an early exit.
//!
//! `if c { return a; } rest` becomes `if c { a } else { rest }`: the rest of the block moves into the
//! arm that goes on. Where no single arm goes on, the rest runs under the frame's `live` flag.

use super::reserved::as_checkpoint;
use super::{Lower, hoist, scan, types};
use crate::diag;
use crate::ir::{Type, Value};

/// What stands behind a block.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tail {
    /// More code of an enclosing block.
    Nested,
    /// The end of the function: the block's value is the result.
    Function,
}

impl Lower<'_> {
    /// Lowers statements in order; the value is that of the last expression, if control gets there.
    pub(super) fn statements(&mut self, stmts: &[syn::Stmt], tail: Tail) -> Option<Value> {
        let mut value = None;
        for (index, stmt) in stmts.iter().enumerate() {
            let rest = &stmts[index + 1..];
            if let Some(mut expanded) = hoist::expand(stmt, &self.known, &mut self.made_names) {
                expanded.extend_from_slice(rest);
                return self.statements(&expanded, tail);
            }
            if let Some(branch) = exiting_if(stmt)
                && (!rest.is_empty() || tail == Tail::Function)
            {
                return self.exiting_if(branch, rest, tail);
            }
            if let Some((branch, rest)) = exiting_local(stmt, rest) {
                return self.exiting_if(&branch, &rest, tail);
            }
            if self.pullback_binding(stmt, rest) {
                continue;
            }
            if let Some(inner) = last_block(stmt).filter(|_| rest.is_empty()) {
                return self.scoped(inner, tail);
            }
            let may_exit = statement_exits(stmt);
            if let (syn::Stmt::Local(local), true) = (stmt, may_exit && !rest.is_empty())
                && let Some(init) = &local.init
            {
                return self.guarded_local(local, &init.expr, rest, tail);
            }
            value = self.statement(stmt);
            if self.diverged {
                return None;
            }
            if may_exit && !rest.is_empty() {
                return self.guarded(rest, tail);
            }
            if let Some(value) = value.filter(|value| !self.ty(*value).is_unit())
                && may_exit
                && tail == Tail::Function
            {
                return self.guarded_value(value, stmt);
            }
        }
        self.end_of_block(value, tail)
    }

    /// At the function's end, the block's value is the result.
    fn end_of_block(&mut self, value: Option<Value>, tail: Tail) -> Option<Value> {
        let value = value.unwrap_or_else(|| self.unit());
        if tail == Tail::Function {
            self.set_result(value);
        }
        Some(value)
    }

    /// The rest of a block after a statement that may have left it.
    fn guarded(&mut self, rest: &[syn::Stmt], tail: Tail) -> Option<Value> {
        let live = self.frames.last().expect("a frame").live;
        let live = self.state[live.0].expect("the flag is always set");
        self.if_else(
            live,
            &mut |lower| lower.statements(rest, tail),
            &mut |_| None,
            proc_macro2::Span::call_site(),
        )
    }

    /// Likewise where that statement binds names: they are bound where control goes on.
    fn guarded_local(
        &mut self,
        local: &syn::Local,
        init: &syn::Expr,
        rest: &[syn::Stmt],
        tail: Tail,
    ) -> Option<Value> {
        let value = self.owned(init);
        if self.diverged {
            return None;
        }
        let live = self.frames.last().expect("a frame").live;
        let live = self.state[live.0].expect("the flag is always set");
        self.if_else(
            live,
            &mut |lower| {
                lower.bind_value_of(local, init, value);
                lower.statements(rest, tail)
            },
            &mut |_| None,
            proc_macro2::Span::call_site(),
        )
    }

    /// Where the last statement may have left the function with another result, its value is the result if it has not.
    fn guarded_value(&mut self, value: Value, stmt: &syn::Stmt) -> Option<Value> {
        let live = self.frames.last().expect("a frame").live;
        let live = self.state[live.0].expect("the flag is always set");
        let span = self.span(stmt);
        self.if_else(
            live,
            &mut |lower| {
                let value = lower.unwrapped(value, span);
                lower.end_of_block(Some(value), Tail::Function)
            },
            &mut |_| None,
            span,
        )
    }

    fn bind_value_of(&mut self, local: &syn::Local, init: &syn::Expr, value: Value) {
        let span = self.span(init);
        let value = self.unwrapped(value, span);
        self.bind_pattern(&local.pat, value, false);
    }

    fn exiting_if(
        &mut self,
        branch: &syn::ExprIf,
        rest: &[syn::Stmt],
        tail: Tail,
    ) -> Option<Value> {
        let condition = self.expr(&branch.cond);
        let span = self.span(&branch.if_token);
        let then_leaves = scan::always_exits(&branch.then_branch);
        let else_leaves =
            branch.else_branch.as_ref().is_some_and(|(_, other)| expression_leaves(other));
        if rest.is_empty() || (then_leaves != else_leaves && !mixed(branch, then_leaves)) {
            return self.if_else(
                condition,
                &mut |lower| {
                    lower.arm_then(&branch.then_branch, if then_leaves { &[] } else { rest }, tail)
                },
                &mut |lower| lower.arm_else(branch, if else_leaves { &[] } else { rest }, tail),
                span,
            );
        }
        self.if_else(
            condition,
            &mut |lower| lower.arm_then(&branch.then_branch, &[], Tail::Nested),
            &mut |lower| lower.arm_else(branch, &[], Tail::Nested),
            span,
        );
        if self.diverged {
            return None;
        }
        self.guarded(rest, tail)
    }

    /// The first arm, with what follows the `if` behind it.
    fn arm_then(&mut self, block: &syn::Block, rest: &[syn::Stmt], tail: Tail) -> Option<Value> {
        if rest.is_empty() {
            return self.scoped(&block.stmts, tail);
        }
        let exits = scan::block_exits(block).any;
        self.scoped(&block.stmts, Tail::Nested);
        self.continued(exits, rest, tail)
    }

    /// The second arm, likewise; `else if` goes on in the same way.
    fn arm_else(&mut self, branch: &syn::ExprIf, rest: &[syn::Stmt], tail: Tail) -> Option<Value> {
        match branch.else_branch.as_ref().map(|(_, other)| &**other) {
            None => self.statements(rest, tail),
            Some(syn::Expr::If(other)) if scan::exits(&syn::Expr::If(other.clone())).any => {
                self.exiting_if(other, rest, tail)
            }
            Some(syn::Expr::Block(block)) => self.arm_then(&block.block, rest, tail),
            Some(other) => {
                let value = self.expr(other);
                if rest.is_empty() {
                    self.end_of_block(Some(value), tail)
                } else {
                    self.statements(rest, tail)
                }
            }
        }
    }

    fn continued(&mut self, exits: bool, rest: &[syn::Stmt], tail: Tail) -> Option<Value> {
        match (self.diverged, exits) {
            (true, _) => None,
            (false, true) => self.guarded(rest, tail),
            (false, false) => self.statements(rest, tail),
        }
    }

    /// Lowers statements in a scope of their own.
    pub(super) fn scoped(&mut self, stmts: &[syn::Stmt], tail: Tail) -> Option<Value> {
        self.scopes.push(Default::default());
        let value = self.statements(stmts, tail);
        self.scopes.pop();
        value
    }

    /// One statement; an expression without semicolon has a value.
    fn statement(&mut self, stmt: &syn::Stmt) -> Option<Value> {
        match stmt {
            syn::Stmt::Local(local) => self.local(local),
            syn::Stmt::Item(item) => self.item(item),
            syn::Stmt::Expr(syn::Expr::Verbatim(tokens), _) if tokens.is_empty() => {}
            syn::Stmt::Expr(syn::Expr::Call(call), _) if as_checkpoint(call).is_some() => {}
            syn::Stmt::Expr(expr, semicolon) => {
                let value = self.expr(expr);
                return semicolon.is_none().then_some(value);
            }
            syn::Stmt::Macro(call) => {
                let value = self.macro_call(&call.mac);
                return call.semi_token.is_none().then_some(value);
            }
        }
        None
    }

    /// Items go to the top of emitted bodies, which is where only those of the outermost block may go:
    /// an inner one would be visible where it is not.
    fn item(&mut self, item: &syn::Item) {
        if self.scopes.len() > super::OUTERMOST {
            let span = crate::emit::first_span(item);
            self.report(span, &diag::INNER_ITEM, "");
        }
        if let syn::Item::Static(item) = item
            && !is_plain_data(&item.ty)
        {
            let span = self.span(&item.static_token);
            self.report(span, &diag::INNER_STATIC, "");
        }
        self.builder.function.items.push(item.clone());
    }

    fn local(&mut self, local: &syn::Local) {
        let Some(init) = &local.init else {
            return self.declare_uninitialised(&local.pat);
        };
        if let Some((token, _)) = &init.diverge {
            let span = self.span(token);
            let broken = self.report(span, &diag::PATTERN, "");
            return self.bind_names(&local.pat, broken);
        }
        let is_name = self.cell_binding(&local.pat, &init.expr)
            || self.view_binding(&local.pat, &init.expr)
            || self.parts_binding(&local.pat, &init.expr);
        if is_name {
            return;
        }
        let value = self.owned(&init.expr);
        if !self.diverged {
            self.bind_value_of(local, &init.expr, value);
        }
    }
}

/// A statement that is an `if` from which control may leave.
fn exiting_if(stmt: &syn::Stmt) -> Option<&syn::ExprIf> {
    match stmt {
        syn::Stmt::Expr(expr @ syn::Expr::If(branch), _) if scan::exits(expr).any => Some(branch),
        _ => None,
    }
}

/// `let v = if c { a } else { return b };` as an `if` whose arm that goes on binds the name.
fn exiting_local(stmt: &syn::Stmt, rest: &[syn::Stmt]) -> Option<(syn::ExprIf, Vec<syn::Stmt>)> {
    let syn::Stmt::Local(local) = stmt else { return None };
    let init = local.init.as_ref()?;
    let syn::Expr::If(branch) = &*init.expr else { return None };
    let (else_token, other) = branch.else_branch.as_ref()?;
    let (then_leaves, else_leaves) =
        (scan::always_exits(&branch.then_branch), expression_leaves(other));
    if then_leaves == else_leaves || matches!(**other, syn::Expr::If(_)) {
        return None;
    }
    let (mut branch, mut local) = (branch.clone(), local.clone());
    let empty: syn::Expr = syn::parse_quote!({});
    let value: syn::Expr = match then_leaves {
        true => {
            branch.else_branch = Some((*else_token, Box::new(empty)));
            (**other).clone()
        }
        false => {
            let block = std::mem::replace(&mut branch.then_branch, syn::parse_quote!({}));
            syn::parse_quote!(#block)
        }
    };
    *local.init.as_mut()?.expr = sole_value(value);
    let rest = std::iter::once(syn::Stmt::Local(local)).chain(rest.iter().cloned()).collect();
    Some((branch, rest))
}

/// A block that is one expression, as that expression.
fn sole_value(expr: syn::Expr) -> syn::Expr {
    match &expr {
        syn::Expr::Block(block) => match &block.block.stmts[..] {
            [syn::Stmt::Expr(value, None)] if block.label.is_none() => value.clone(),
            _ => expr,
        },
        _ => expr,
    }
}

/// A block that is the value of the block it stands in.
fn last_block(stmt: &syn::Stmt) -> Option<&[syn::Stmt]> {
    match stmt {
        syn::Stmt::Expr(syn::Expr::Block(block), None)
            if block.label.is_none() && block.attrs.is_empty() =>
        {
            Some(&block.block.stmts)
        }
        _ => None,
    }
}

fn statement_exits(stmt: &syn::Stmt) -> bool {
    match stmt {
        syn::Stmt::Local(local) => {
            local.init.as_ref().is_some_and(|init| scan::exits(&init.expr).any)
        }
        syn::Stmt::Expr(expr, _) => scan::exits(expr).any,
        _ => false,
    }
}

fn expression_leaves(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Block(block) => scan::always_exits(&block.block),
        syn::Expr::If(branch) => {
            let other =
                branch.else_branch.as_ref().is_some_and(|(_, other)| expression_leaves(other));
            other && scan::always_exits(&branch.then_branch)
        }
        _ => false,
    }
}

/// Whether an `else if` chain goes on in more than one arm, so that the rest cannot move into one.
fn mixed(branch: &syn::ExprIf, then_leaves: bool) -> bool {
    then_leaves
        && branch.else_branch.as_ref().is_some_and(
            |(_, other)| matches!(&**other, syn::Expr::If(inner) if continuing(inner) > 1),
        )
}

/// How many arms of a chain may reach its end.
fn continuing(branch: &syn::ExprIf) -> usize {
    let then = usize::from(!scan::always_exits(&branch.then_branch));
    then + match branch.else_branch.as_ref().map(|(_, other)| &**other) {
        None => 1,
        Some(syn::Expr::If(inner)) => continuing(inner),
        Some(other) => usize::from(!expression_leaves(other)),
    }
}

/// Types whose copies cannot be told apart: no interior mutability.
fn is_plain_data(ty: &syn::Type) -> bool {
    fn is_plain(ty: &Type) -> bool {
        match ty {
            Type::Float(_) | Type::Int | Type::Bool => true,
            Type::Tuple(items) => items.iter().all(is_plain),
            Type::Array(item, _) | Type::Slice(item) | Type::Reference(item, false) => {
                is_plain(item)
            }
            _ => false,
        }
    }
    is_plain(&types::read(ty))
}
