//! `Cell`, `RefCell` and `Rc`: names for one place, and memory that several parameters may lead to.
//!
//! - What a cell of the function's own holds is a place like any other, and every handle to it is a name for that place.
//!   So a handle must not leave the function's sight: kept in a struct or passed on, it is an error.
//! - What a cell behind a reference holds is a part of the place that leads to it, and can be written through `&`. The
//!   same cell may be reached by another parameter: a write through one is followed by a new version of all others
//!   ([`Op::Touch`]), so that order stays data dependence. A call may write the cells behind each `&` that it is given,
//!   where the function shows that there are any. The methods of a `Cell` are calls there.
//!
//! Invariant: a handle is never a value here.

use super::closure::Bound;
use super::function::Callable;
use super::{Lower, Place, Storage, Var};
use crate::diag::{self, Extent};
use crate::hir::{ExprId, ExprKind, Local, PatId};
use crate::ir::{Access, Op, Passing, Projection, Type, Value};
use crate::syntax::signature::Parameter;
use crate::syntax::standard::Standard;
use crate::syntax::types;
use proc_macro2::{Ident, Span};

impl<'a> Lower<'a> {
    // --- cells of the function's own

    /// `let c = Rc::new(RefCell::new(x));` and `let d = Rc::clone(&c);`.
    pub(super) fn bind_cell(&mut self, pattern: PatId, init: ExprId) -> bool {
        let Some(binding) = self.plain_binding(pattern) else { return false };
        let local = binding.local;
        if let Some(place) = self.named_handle(local, init) {
            self.storage.insert(local, Storage::Alias(place));
            return true;
        }
        let Some(content) = self.contents_of_cell(init) else { return false };
        let value = self.owned(content);
        if self.diverged {
            return true;
        }
        self.bind_name(binding, value);
        if let Some(Storage::Variable(var)) = self.storage.get(&local) {
            let var = *var;
            self.fixed.remove(&var);
            self.cells.insert(var);
            let place = self.variable_place(var);
            self.storage.insert(local, Storage::Alias(place));
        }
        true
    }

    /// The place that a new name for a handle is another name of: of a cell of the function's own, or of one behind a
    /// reference that is borrowed by the name.
    fn named_handle(&mut self, local: Local, init: ExprId) -> Option<Place> {
        let handle = self.handle(init);
        if let Some(place) = self.cell(handle.unwrap_or(init)) {
            return Some(place);
        }
        let is_call = matches!(self.body.expr(init).kind, ExprKind::Call(..));
        if !self.signature.shares || !is_call && !self.is_borrowed_by_name(local) {
            return None;
        }
        let place = self.place(handle?)?;
        Some(Place { mutable: false, ..place })
    }

    /// Whether a method of cells is called on a local.
    fn is_borrowed_by_name(&self, local: Local) -> bool {
        self.body.exprs().any(|expr| match &expr.kind {
            ExprKind::Method { receiver, name, arguments, .. } => {
                is_access(name, arguments) && self.body.root(*receiver) == Some(local)
            }
            _ => false,
        })
    }

    /// Whether code borrows cells, or calls methods as those of a `Cell` are called. Cells that are made in a variable are
    /// variables like any other, and do not count.
    pub(super) fn uses_cells(&self, code: ExprId) -> bool {
        let kind = &self.body.expr(code).kind;
        let is_found = match kind {
            ExprKind::Method { receiver, name, arguments, .. } => {
                is_access(name, arguments) && !self.is_made_cell(*receiver)
            }
            _ => false,
        };
        is_found || kind.children().into_iter().any(|child| self.uses_cells(child))
    }

    /// Whether a name is bound to a cell that is made there, or to another handle to one.
    fn is_made_cell(&self, expr: ExprId) -> bool {
        let ExprKind::Local(local) = &self.body.expr(expr).kind else { return false };
        self.initials.get(local).is_some_and(|initial| {
            let is_handle = self.handle(*initial).is_some_and(|handle| self.is_made_cell(handle));
            is_handle || self.contents_of_cell(*initial).is_some()
        })
    }

    /// The place of what a cell of the function's own holds, by a handle's name.
    fn cell(&self, expr: ExprId) -> Option<Place> {
        let ExprKind::Local(local) = &self.body.expr(expr).kind else { return None };
        let Some(Storage::Alias(place)) = self.storage.get(local) else { return None };
        self.is_cell(place).then(|| place.clone())
    }

    /// Whether a place is all that a cell of the function's own holds.
    pub(super) fn is_cell(&self, place: &Place) -> bool {
        place.path.is_empty() && self.cells.contains(&place.var)
    }

    /// What a cell is made of, through all constructors.
    fn contents_of_cell(&self, expr: ExprId) -> Option<ExprId> {
        let content = self.function_of_cell(expr, Standard::NewCell)?;
        Some(self.contents_of_cell(content).unwrap_or(content))
    }

    /// What `Rc::clone(&a)` and `a.clone()` are another handle of.
    fn handle(&self, expr: ExprId) -> Option<ExprId> {
        if let ExprKind::Method { receiver, name, arguments, .. } = &self.body.expr(expr).kind {
            return (name == "clone" && arguments.is_empty()).then_some(*receiver);
        }
        let handle = self.function_of_cell(expr, Standard::CloneHandle)?;
        Some(match self.body.expr(handle).kind {
            ExprKind::Borrow { place, .. } => place,
            _ => handle,
        })
    }

    /// The argument of a call of this function.
    fn function_of_cell(&self, expr: ExprId, wanted: Standard) -> Option<ExprId> {
        let ExprKind::Call(callee, arguments) = &self.body.expr(expr).kind else { return None };
        let ExprKind::Item(path) = &self.body.expr(*callee).kind else { return None };
        let [argument] = arguments[..] else { return None };
        (Standard::named(&path.path) == Some(wanted)).then_some(argument)
    }

    /// Methods of cells that read or write the contents as a whole.
    pub(super) fn cell_method(
        &mut self,
        receiver: ExprId,
        name: &str,
        arguments: &'a [ExprId],
        span: Span,
    ) -> Option<Value> {
        let place = self.cell(receiver)?;
        match (name, arguments) {
            ("get" | "into_inner", []) => Some(self.read_contents(&place, span)),
            ("set", [value]) => {
                let value = self.owned(*value);
                self.write_contents(&place, value, span)
            }
            ("replace", [value]) => {
                let value = self.owned(*value);
                Some(if self.diverged { value } else { self.replace(&place, value, span) })
            }
            ("take", []) => {
                let value = self.default_of(&place.ty.clone(), span);
                Some(self.replace(&place, value, span))
            }
            ("swap", [other]) => self.swap_cells(&place, *other, span),
            ("update", [function]) => {
                let Callable::Closure(closure) = self.callable(*function)? else { return None };
                let held = self.read_contents(&place, span);
                let value = self.enter_with(&closure, vec![Bound::Value(held)]);
                self.write_contents(&place, value, span)
            }
            ("clone", []) => {
                let at = self.body.expr(receiver).extent;
                Some(self.report_handle(at))
            }
            _ => None,
        }
    }

    fn write_contents(&mut self, place: &Place, value: Value, span: Span) -> Option<Value> {
        if !self.diverged {
            self.write(place, value, span);
        }
        Some(if self.diverged { value } else { self.unit() })
    }

    fn read_contents(&mut self, place: &Place, span: Span) -> Value {
        if matches!(place.ty, Type::Float(_) | Type::Int | Type::Bool) {
            return self.read(place, span);
        }
        let operands = self.operands(place);
        self.inst(Op::Clone(Vec::new()), operands, place.ty.clone(), "contents", span)
    }

    /// A temporary takes what was there, and is dropped.
    fn swap_cells(&mut self, place: &Place, other: ExprId, span: Span) -> Option<Value> {
        let other = match self.body.expr(other).kind {
            ExprKind::Borrow { place, .. } => place,
            _ => other,
        };
        match self.contents_of_cell(other) {
            Some(content) => {
                let value = self.owned(content);
                self.write_contents(place, value, span)
            }
            None => {
                let other = self.place(other)?;
                Some(self.exchange(place, &other, span))
            }
        }
    }

    /// Reports a handle where a value or a reference is wanted: it would be out of sight.
    pub(super) fn kept_handle(&mut self, expr: ExprId) -> Option<Value> {
        let bare = match self.body.expr(expr).kind {
            ExprKind::Borrow { place, .. } => place,
            _ => self.handle(expr).unwrap_or(expr),
        };
        self.cell(bare)?;
        let at = self.body.expr(expr).extent;
        Some(self.report_handle(at))
    }

    pub(super) fn report_handle(&mut self, at: impl Into<Extent>) -> Value {
        self.reports.report(at, &diag::SHARED_HANDLE, "");
        self.undefined(Type::Unknown)
    }

    // --- cells behind references

    /// `c.borrow()`, `c.borrow_mut()`: what a cell holds, and whether it is borrowed to be written.
    pub(super) fn borrowed(
        &mut self,
        receiver: ExprId,
        name: &str,
        arguments: &[ExprId],
    ) -> Option<(Place, bool)> {
        if !arguments.is_empty() {
            return None;
        }
        let mutable = matches!(name, "borrow_mut" | "get_mut");
        if let Some(place) = self.cell(receiver) {
            let is_borrow = mutable || matches!(name, "borrow" | "as_ref");
            return is_borrow.then_some((Place { mutable, ..place }, mutable));
        }
        if !is_borrow(name, arguments) {
            return None;
        }
        let mut place = self.base(receiver);
        place.ty = place.ty.part(&[Projection::Borrowed]);
        place.path.push(Projection::Borrowed);
        (place.mutable, place.depth) = (mutable, 0);
        Some((place, mutable))
    }

    /// Notes a parameter by which cells may be reached. A constant is noted where its type shows cells: they may be those
    /// of others, and nothing that varies may be written to them.
    pub(super) fn note_sharing(&mut self, parameter: &Parameter, var: Var) {
        if let Type::Reference(inner, _) = &parameter.kind
            && inner.may_hold_cells()
            && self.signature.shares
            && (parameter.active || types::shared(&parameter.ty).is_some())
        {
            self.sharing.push(var);
        }
    }

    /// How a place is passed by `&`. What a cell holds holds no cells.
    pub(super) fn lent(&self, place: &Place) -> Passing {
        let is_known = self.fixed.contains(&place.var) || self.is_constant_parameter(place.var);
        let is_content = place.path.contains(&Projection::Borrowed);
        let may_write = self.signature.shares && place.ty.may_hold_cells();
        match may_write && !is_known && !is_content && !self.is_cell(place) {
            true => Passing::Interior(place.path.clone()),
            false => Passing::Shared(place.path.clone()),
        }
    }

    /// Whether a place is behind a reference by which nothing that varies is reached.
    fn is_constant_parameter(&self, var: Var) -> bool {
        let slot = self.slot_of(var);
        let is_behind =
            slot.is_some_and(|slot| self.builder.function.slot(slot).access != Access::Owned);
        is_behind && !self.sharing.contains(&var)
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
        let is_content = |place: &&&Place| place.path.contains(&Projection::Borrowed);
        let written: Vec<Var> = places.iter().filter(is_content).map(|place| place.var).collect();
        self.touch_beside(&written, span);
        let result = write(self);
        self.touch_beside(&written, span);
        result
    }
}

/// Whether a method is called as those of cells are called.
fn is_access(name: &Ident, arguments: &[ExprId]) -> bool {
    match name.to_string().as_str() {
        "borrow" | "borrow_mut" | "get" => arguments.is_empty(),
        "set" => arguments.len() == 1,
        _ => false,
    }
}

/// Whether a method borrows what a cell holds.
pub(super) fn is_borrow(name: &str, arguments: &[ExprId]) -> bool {
    matches!(name, "borrow" | "borrow_mut") && arguments.is_empty()
}
