//! `Cell`, `RefCell` and `Rc` as local variables: names for one place.
//!
//! What a cell holds is a place of this function's like any other, and every handle to it is a name for that
//! place: written through one and read through the other, there is one version after another, and one
//! shadow. So a handle must not leave the function's sight: kept in a struct or passed on, it is an error. Cells
//! that come from outside are another matter, in `sharing.rs`.

use super::desugar::ended;
use super::reserved::Method;
use super::{Binding, Lower, Place, scan};
use crate::diag;
use crate::ir::{Type, Value};
use syn::Expr;

impl Lower<'_> {
    /// `let c = Rc::new(RefCell::new(x));`, and `let d = Rc::clone(&c);`.
    pub(super) fn cell_binding(&mut self, pattern: &syn::Pat, expr: &Expr) -> bool {
        let name = match pattern {
            syn::Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => ident,
            syn::Pat::Type(typed) => return self.cell_binding(&typed.pat, expr),
            _ => return false,
        };
        let key = self.key(&name.ident);
        if let Some(place) = self.cell(handle(expr).unwrap_or(expr)) {
            self.declare(&key, Binding::View(place));
            return true;
        }
        if self.handle_binding(&name.ident, expr) {
            return true;
        }
        let Some(content) = contents(expr) else { return false };
        let value = self.owned(content);
        let content = self.in_slot(value, super::hygiene::name(&key), name.ident.span());
        let var = self.variable(Some(content));
        self.cells.insert(var);
        self.declare(&key, Binding::Variable(var));
        true
    }

    /// The place behind a handle.
    pub(super) fn cell(&mut self, expr: &Expr) -> Option<Place> {
        let Expr::Path(path) = expr else { return None };
        let place = self.place(&Expr::Path(path.clone()))?;
        let is_cell = place.path.is_empty() && self.cells.contains(&place.var);
        is_cell.then_some(place)
    }

    /// `c.borrow()`, `c.borrow_mut()`, `c.get_mut()`: the contents.
    pub(super) fn borrowed_cell(&mut self, call: &syn::ExprMethodCall) -> Option<Place> {
        let is_borrow = matches!(
            call.method.to_string().as_str(),
            "borrow" | "borrow_mut" | "get_mut" | "as_ref"
        );
        let place = self.cell(&call.receiver).filter(|_| is_borrow && call.args.is_empty())?;
        Some(Place { mutable: call.method != "borrow" && call.method != "as_ref", ..place })
    }

    /// Methods of cells that read or write the contents as a whole.
    pub(super) fn cell_method(&mut self, call: &syn::ExprMethodCall) -> Option<Value> {
        let place = self.cell(&call.receiver)?;
        let span = self.span(&call.method);
        match (call.method.to_string().as_str(), call.args.first()) {
            ("get" | "into_inner", None) => Some(self.read_contents(&place, span)),
            ("set", Some(value)) => {
                let value = self.owned(value);
                self.write(&place, value, span);
                Some(self.unit())
            }
            ("replace", Some(value)) => {
                let value = self.owned(value);
                Some(self.replace(&place, value, span))
            }
            ("take", None) => {
                let value = self.default_of(&place.ty.clone(), span);
                Some(self.replace(&place, value, span))
            }
            ("swap", Some(other)) => {
                let other = match other {
                    Expr::Reference(reference) => &*reference.expr,
                    other => other,
                };
                Some(self.exchange(&place, other, span))
            }
            ("update", Some(Expr::Closure(closure))) if closure.inputs.len() == 1 => {
                let (receiver, parameter, body) =
                    (&call.receiver, &closure.inputs[0], &closure.body);
                let is_inside = !scan::exits(body).any && !scan::attempts(body);
                let held = syn::parse_quote!(let #parameter = #receiver.get(););
                let updated = ended(vec![held], (**body).clone());
                let set: Expr = syn::parse_quote!(#receiver.set(#updated));
                is_inside.then(|| self.rewritten(set))
            }
            _ => None,
        }
    }

    fn read_contents(&mut self, place: &Place, span: proc_macro2::Span) -> Value {
        let operands = self.operands(place);
        match place.ty {
            Type::Float(_) | Type::Int | Type::Bool => self.read(place, span),
            _ => self.inst(
                crate::ir::Op::Clone(Vec::new()),
                operands,
                place.ty.clone(),
                "contents",
                span,
            ),
        }
    }

    /// A handle where a value or a reference is wanted: it would be out of sight.
    pub(super) fn kept_handle(&mut self, expr: &Expr) -> Option<Value> {
        let bare = match expr {
            Expr::Reference(reference) => &*reference.expr,
            expr => handle(expr).unwrap_or(expr),
        };
        self.cell(bare)?;
        Some(self.report(diag::Extent::of(expr), &diag::SHARED_HANDLE, ""))
    }
}

/// What a cell is made of, through all constructors.
pub(super) fn contents(expr: &Expr) -> Option<&Expr> {
    let Expr::Call(call) = expr else { return None };
    let Expr::Path(path) = &*call.func else { return None };
    let mut segments = path.path.segments.iter().rev();
    let (function, owner) = (segments.next()?, segments.next()?);
    let is_cell = super::types::is_shared_name(&owner.ident) && function.ident == "new";
    let content = call.args.first().filter(|_| is_cell && call.args.len() == 1)?;
    Some(contents(content).unwrap_or(content))
}

/// What `Rc::clone(&a)` and `a.clone()` are another handle of.
pub(super) fn handle(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::MethodCall(call) if call.method == "clone" && call.args.is_empty() => {
            Some(&call.receiver)
        }
        Expr::Call(call) => {
            let Expr::Path(path) = &*call.func else { return None };
            let mut segments = path.path.segments.iter().rev();
            let (function, owner) = (segments.next()?, segments.next()?);
            let is_clone = function.ident == "clone" && super::types::is_shared_name(&owner.ident);
            match call.args.first().filter(|_| is_clone)? {
                Expr::Reference(reference) => Some(&reference.expr),
                other => Some(other),
            }
        }
        _ => None,
    }
}

/// The names that methods of cells change their receiver under.
pub fn changes(method: &syn::Ident) -> bool {
    const NAMES: [&str; 6] = ["set", "borrow_mut", "update", "replace", "take", "swap"];
    NAMES.iter().any(|name| method == name) || Method::named(&method.to_string()).is_some()
}
