//! Cells behind references: memory that several parameters may lead to.
//!
//! What a `RefCell` holds is a part of the place that leads to it, and can be written through `&`. The same cell may
//! be reached by another parameter: a write through one is followed by a new version of all others
//! ([`Op::Touch`](crate::ir::Op::Touch)), so that order stays data dependence. A call may write the cells behind
//! each `&` that it is given, where the function shows that there are any. The methods of a `Cell` are calls.
//!
//! Invariant: a handle is never a value here. `Rc::clone(&s.cell)` is another name for the place of the handle.

use super::{Binding, Lower, Place, Var, cell, scan};
use crate::diag;
use crate::ir::{Op, Passing, Projection, Type, Value};
use crate::signature::Parameter;
use proc_macro2::Span;
use rustc_hash::FxHashSet as HashSet;
use syn::visit::{self, Visit};

/// Whether a body borrows cells, or calls methods as those of a `Cell` are called. Cells that are made in the
/// body are variables like any other, and do not count.
pub fn uses_cells(block: &syn::Block) -> bool {
    #[derive(Default)]
    struct Uses {
        own: HashSet<String>,
        found: bool,
    }
    impl<'ast> Visit<'ast> for Uses {
        fn visit_local(&mut self, local: &'ast syn::Local) {
            if let (Some(init), syn::Pat::Ident(ident)) = (&local.init, scan::pattern_of(local))
                && (cell::contents(&init.expr).is_some() || self.is_own(&init.expr))
            {
                self.own.insert(super::hygiene::key(&ident.ident));
            }
            visit::visit_local(self, local);
        }

        fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
            self.found |= is_access(call) && !self.is_named_own(&call.receiver);
            visit::visit_expr_method_call(self, call);
        }
    }
    impl Uses {
        /// Another handle to a cell of the body's own.
        fn is_own(&self, expr: &syn::Expr) -> bool {
            cell::handle(expr).is_some_and(|handle| self.is_named_own(handle))
        }

        fn is_named_own(&self, expr: &syn::Expr) -> bool {
            matches!(expr, syn::Expr::Path(_))
                && scan::root(expr).is_some_and(|name| self.own.contains(&name))
        }
    }
    let mut uses = Uses::default();
    uses.visit_block(block);
    uses.found
}

/// `borrow()`, `borrow_mut()`, `get()`, `set(x)`.
fn is_access(call: &syn::ExprMethodCall) -> bool {
    match call.method.to_string().as_str() {
        "borrow" | "borrow_mut" | "get" => call.args.is_empty(),
        "set" => call.args.len() == 1,
        _ => false,
    }
}

impl Lower<'_> {
    /// Notes a parameter by which cells may be reached. A constant is noted where its type shows cells: they may be
    /// those of others, and nothing that varies may be written to them.
    pub(super) fn note_sharing(&mut self, parameter: &Parameter, var: Var) {
        let shows = || super::types::shared(&parameter.ty).is_some();
        if let Type::Reference(inner, _) = &parameter.kind
            && inner.may_hold_cells()
            && self.shares
            && (parameter.active || shows())
        {
            self.sharing.push(var);
        }
    }

    /// What a `RefCell` holds.
    pub(super) fn borrowed_content(&mut self, call: &syn::ExprMethodCall) -> Option<Place> {
        let mutable = call.method == "borrow_mut";
        if !mutable && call.method != "borrow" || !call.args.is_empty() {
            return None;
        }
        let mut place = self.settled(&call.receiver);
        place.ty = place.ty.part(&[Projection::Borrowed]);
        place.path.push(Projection::Borrowed);
        place.mutable = mutable;
        Some(place)
    }

    /// How a place is passed by `&`. What a cell holds holds no cells.
    pub(super) fn lent(&self, place: &Place) -> Passing {
        let is_known = self.fixed.contains(&place.var) || self.is_constant_parameter(place.var);
        let is_content = place.path.contains(&Projection::Borrowed);
        match self.shares && place.ty.may_hold_cells() && !is_known && !is_content {
            true => Passing::Interior(place.path.clone()),
            false => Passing::Shared(place.path.clone()),
        }
    }

    /// Whether a place is behind a reference by which nothing that varies is reached.
    fn is_constant_parameter(&self, var: Var) -> bool {
        self.is_behind_reference(var) && !self.sharing.contains(&var)
    }

    /// Before and after cells are written that some parameters lead to: they may be those of the others.
    pub(super) fn touch_beside(&mut self, written: &[Var], span: Span) {
        let Some(one) = written.iter().find(|var| self.sharing.contains(var)).copied() else {
            return;
        };
        for other in self.sharing.clone() {
            if written.contains(&other) {
                continue;
            }
            let versions = [other, one].map(|var| self.state[var.0].expect("a parameter"));
            let slot = self.slot_of(other).expect("a place behind a reference");
            let next = self.builder.update(Op::Touch, versions.to_vec(), slot, span);
            self.state[other.0] = Some(next);
        }
    }

    /// Runs a write of parts of places.
    pub(super) fn writing<R>(
        &mut self,
        places: &[&Place],
        span: Span,
        write: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let is_cell = |place: &&&Place| place.path.contains(&Projection::Borrowed);
        let written: Vec<Var> = places.iter().filter(is_cell).map(|place| place.var).collect();
        self.touch_beside(&written, span);
        let result = write(self);
        self.touch_beside(&written, span);
        result
    }

    /// `let c = Rc::clone(&s.cell);` and `let c = s.cell.clone();` where `c` is borrowed: another name.
    pub(super) fn handle_binding(&mut self, ident: &syn::Ident, expr: &syn::Expr) -> bool {
        let Some(handle) = cell::handle(expr) else { return false };
        let key = self.key(ident);
        let is_method = matches!(expr, syn::Expr::MethodCall(_));
        if !self.shares || is_method && !self.borrowed_names.contains(&key) {
            return false;
        }
        let Some(place) = self.place(handle) else { return false };
        if self.slot_of(place.var).is_none() {
            return false;
        }
        self.declare(&key, Binding::View(Place { mutable: false, ..place }));
        true
    }

    /// `Rc::clone` and `RefCell::new` where their value is wanted: it would be out of sight.
    pub(super) fn handle_value(&mut self, callee: &syn::ExprPath) -> Option<Value> {
        let owner = &callee.path.segments.iter().rev().nth(1)?.ident;
        let is_handle = super::types::is_shared_name(owner);
        is_handle.then(|| self.report(diag::Extent::of(callee), &diag::SHARED_HANDLE, ""))
    }
}

/// Whether code may write cells behind references: it borrows one to write it, or calls a function.
pub fn may_write(block: &syn::Block) -> bool {
    struct Writes(bool);
    impl<'ast> Visit<'ast> for Writes {
        fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
            self.0 = true;
            visit::visit_expr_call(self, call);
        }

        fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
            let is_borrow = call.method == "borrow_mut";
            self.0 |= is_borrow || super::builtin::is_unknown(call);
            visit::visit_expr_method_call(self, call);
        }
    }
    let mut writes = Writes(false);
    writes.visit_block(block);
    writes.0
}

/// Names on which `borrow`, `borrow_mut`, `get` or `set` is called.
pub fn borrowed_names(block: &syn::Block) -> HashSet<String> {
    struct Names(HashSet<String>);
    impl<'ast> Visit<'ast> for Names {
        fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
            if is_access(call) {
                self.0.extend(scan::root(&call.receiver));
            }
            visit::visit_expr_method_call(self, call);
        }
    }
    let mut names = Names(HashSet::default());
    names.visit_block(block);
    names.0
}
