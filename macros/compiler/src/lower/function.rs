//! Functions as values: those that are called where they are known, and those that calls are given (closure conversion).
//!
//! In: an expression that is a closure, a function's path, or a variable that is a function. Out: what can be called
//! here, or an operand that holds what the function captures, with the function's code and that of its derivatives. A
//! closure that is passed is lowered and transformed as a function of its own, whose first parameters are references to
//! what it captures. That is copied: the pullback of the call outlives the place. What is behind `&` and not
//! differentiated is lent.
//!
//! Invariant: what a passed closure captures, it only reads.

use super::conversion::{Outer, declared, typed};
use super::place::Operand;
use super::{ClosureValue, Code, Lower, Place, Role, Storage, Unit, lower_unit};
use crate::diag::{self, Extent};
use crate::emit::companion::fresh;
use crate::hir::{Closure, ExprId, ExprKind, Local, Stmt};
use crate::ir::{self, Callee, Capture, FloatKind, Function, Given, Op, Path, Type, Value};
use crate::lower::builtin::{self, Associated};
use crate::lower::overlay::overlaid;
use crate::syntax::signature::{self, Parameter};
use crate::syntax::walk::{Node, Tree};
use proc_macro2::{Ident, Span};
use quote::format_ident;
use std::rc::Rc;
use syn::parse_quote;
use syn::punctuated::Punctuated;

/// How many times the body of a closure may stand in the place of one call of the source.
const MOST_COPIES: usize = 64;

/// What can be called.
pub(super) enum Callable {
    Closure(Rc<ClosureValue>),
    Path(syn::ExprPath),
    /// A variable whose type is a function's.
    Variable(Place),
}

/// What a captured local is in the closure's own function.
#[derive(Clone)]
pub(super) enum Carried {
    /// What one of its parameters leads to.
    Param(usize),
    Closure(Box<Closure>, Vec<(Local, Carried)>),
    Function(syn::ExprPath),
    /// A part of a constant item.
    Item {
        path: syn::ExprPath,
        steps: Path,
        ty: Type,
        is_part: bool,
    },
}

/// How a captured local is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// A value of its own: it may be an index.
    Number,
    /// A place.
    Place,
    /// A reference, and whether it is `&mut`.
    Reference(bool),
}

impl<'a> Lower<'a> {
    // --- what can be called

    /// What an expression is, where it is known to be something that can be called.
    pub(super) fn callable(&mut self, expr: ExprId) -> Option<Callable> {
        let body = self.body;
        match &body.expr(expr).kind {
            ExprKind::Closure(closure) => Some(Callable::Closure(self.closure_value(closure))),
            ExprKind::Item(path) => names_function(path).then(|| Callable::Path(path.clone())),
            ExprKind::Local(local) => match self.storage.get(local)?.clone() {
                Storage::Closure(closure) => Some(Callable::Closure(closure)),
                Storage::Function(path) => Some(Callable::Path(path)),
                Storage::Pullback(_)
                | Storage::Part(_)
                | Storage::Parts(_)
                | Storage::Stream(_)
                | Storage::Range(_) => None,
                Storage::Variable(_) | Storage::Alias(_) => {
                    let place = self.local_place(*local)?;
                    matches!(place.ty, Type::Function(..)).then_some(Callable::Variable(place))
                }
            },
            ExprKind::Deref(inner) | ExprKind::Borrow { is_mutable: false, place: inner } => {
                self.callable(*inner)
            }
            ExprKind::Method { receiver, name, arguments, .. }
                if name == "clone" && arguments.is_empty() && self.is_named_callable(*receiver) =>
            {
                self.callable(*receiver)
            }
            ExprKind::Call(callee, arguments) if self.returns_closure(*callee) => {
                let Callable::Closure(closure) = self.callable(*callee)? else { return None };
                self.returned_closure(&closure, arguments)
            }
            ExprKind::Block { label: None, block } if self.ends_in_closure(expr) => {
                self.statements_before(&block.stmts);
                self.callable(block.value?)
            }
            _ => None,
        }
    }

    /// Whether an expression is the name of a closure or of a function that is known here.
    fn is_named_callable(&self, expr: ExprId) -> bool {
        let ExprKind::Local(local) = &self.body.expr(expr).kind else { return false };
        matches!(self.storage.get(local), Some(Storage::Closure(_) | Storage::Function(_)))
    }

    /// Returns the storage of a name that is bound to something that can be called. A name that is `mut` has a value of its
    /// own: its path may be a constant's, and a write to the name does not reach that.
    pub(super) fn named_callable(&mut self, init: ExprId, name: Option<Local>) -> Option<Storage> {
        let is_value = matches!(
            self.body.expr(init).kind,
            ExprKind::Closure(_)
                | ExprKind::Item(_)
                | ExprKind::Local(_)
                | ExprKind::Borrow { .. }
                | ExprKind::Method { .. }
                | ExprKind::Call(..)
                | ExprKind::Block { .. }
        );
        match is_value.then(|| self.callable(init)).flatten()? {
            Callable::Closure(closure) => Some(Storage::Closure(closure)),
            Callable::Path(_) if name.is_some_and(|name| self.body.local(name).is_mutable) => None,
            Callable::Path(path) => Some(Storage::Function(path)),
            Callable::Variable(place) => Some(Storage::Alias(place)),
        }
    }

    /// Whether an expression's value is a closure that is written at its end.
    fn ends_in_closure(&self, expr: ExprId) -> bool {
        match &self.body.expr(expr).kind {
            ExprKind::Closure(_) => true,
            ExprKind::Block { label: None, block } => {
                let stays = |stmt: &Stmt| match stmt {
                    Stmt::Let { value, otherwise, .. } => {
                        otherwise.is_none() && value.is_none_or(|value| !self.may_exit(value))
                    }
                    Stmt::Expr(expr) => !self.may_exit(*expr),
                    Stmt::Hold { .. } => true,
                };
                block.stmts.iter().all(stays)
                    && block.value.is_some_and(|value| self.ends_in_closure(value))
            }
            _ => false,
        }
    }

    /// Whether a callee is a closure whose value is a closure.
    fn returns_closure(&self, callee: ExprId) -> bool {
        let closure = match &self.body.expr(callee).kind {
            ExprKind::Local(local) => match self.storage.get(local) {
                Some(Storage::Closure(closure)) => &closure.closure,
                _ => return false,
            },
            ExprKind::Closure(closure) => closure,
            ExprKind::Call(inner, _) => return self.returns_closure(*inner),
            _ => return false,
        };
        self.ends_in_closure(closure.body)
    }

    fn returned_closure(
        &mut self,
        closure: &Rc<ClosureValue>,
        arguments: &'a [ExprId],
    ) -> Option<Callable> {
        let before = self.storage.clone();
        let is_bound = self.bind_arguments(closure, arguments);
        let returned = if is_bound { self.callable(closure.closure.body) } else { None };
        self.storage = before;
        returned
    }

    /// What a call of a closure leads to whose value is a reference, as its written type says, and whether that is `&mut`.
    pub(super) fn returned_reference(
        &mut self,
        call: ExprId,
        callee: ExprId,
    ) -> Option<(Place, bool)> {
        let body = self.body;
        let ExprKind::Call(_, arguments) = &body.expr(call).kind else { return None };
        let ExprKind::Closure(closure) = &body.expr(callee).kind else { return None };
        let is_reference = matches!(closure.output, Some(syn::Type::Reference(_)));
        if !is_reference || self.returns(closure.body, closure) {
            return None;
        }
        let closure = self.closure_value(closure);
        let before = self.storage.clone();
        let is_bound = self.bind_arguments(&closure, arguments);
        let returned = if is_bound { self.reference_at_end(closure.closure.body) } else { None };
        self.storage = before;
        returned
    }

    /// What the value of an expression leads to, behind the statements of its blocks.
    fn reference_at_end(&mut self, expr: ExprId) -> Option<(Place, bool)> {
        let body = self.body;
        match &body.expr(expr).kind {
            ExprKind::Block { label: None, block } => {
                self.statements_before(&block.stmts);
                self.reference_at_end(block.value?)
            }
            _ => self.reference(expr),
        }
    }

    fn statements_before(&mut self, stmts: &'a [Stmt]) {
        let unit = |lower: &mut Lower<'a>, _: Value| Some(lower.unit());
        let _ = self.statements(stmts, None, &unit);
    }

    // --- operands

    /// An argument that is a function.
    pub(super) fn function_operand(&mut self, expr: ExprId) -> Option<Operand> {
        let is_reference = matches!(self.body.expr(expr).kind, ExprKind::Borrow { .. });
        let (state, code, is_reference) = match self.callable(expr)? {
            Callable::Closure(closure) => match self.passed_closure(&closure) {
                Some((state, code)) => (state, code, is_reference),
                // It is reported, or noted that it is not lowered here.
                None => return Some(Operand::value(self.unit())),
            },
            Callable::Path(path) => {
                let (state, code) = self.passed_path(&overlaid(&path, &self.signature.overlays))?;
                (state, code, is_reference)
            }
            Callable::Variable(place) => {
                let Type::Function(_, arity, is_own) = place.ty else { return None };
                let (operands, span) = (self.operands(&place), self.span(expr));
                let op = Op::Clone(place.path.clone());
                let value = self.inst(op, operands, place.ty, "function", span);
                (value, ir::Code::Variable(arity), is_reference || is_own)
            }
        };
        let given = Given { code, is_reference };
        Some(Operand { function: Some(Rc::new(given)), ..Operand::value(state) })
    }

    fn passed_path(&mut self, path: &syn::ExprPath) -> Option<(Value, ir::Code)> {
        let name = path.path.segments.last()?.ident.to_string();
        if let Some(rule) = cotangent_rules::find(&name)
            && let Some(Associated::Rule(name, kind)) =
                builtin::associated(path, rule.params.len(), &self.signature.floats)
        {
            return self.passed_rule(name, kind, rule.params.len());
        }
        self.callee(path);
        Some((self.unit(), ir::Code::Item(path.clone())))
    }

    /// `f64::max` as a function of its operands.
    fn passed_rule(
        &mut self,
        name: &'static str,
        kind: Option<FloatKind>,
        count: usize,
    ) -> Option<(Value, ir::Code)> {
        let own: Vec<Parameter> = (0..count)
            .map(|index| {
                let name = format_ident!("operand_{index}");
                signature::parameter(
                    &parse_quote!(#name: _),
                    index,
                    &self.signature.floats,
                    self.reports,
                )
            })
            .collect();
        let own_params = declared(&own, vec![None; count]);
        let unit = Unit {
            code: Code::Rule(name, kind),
            target: crate::hir::Target::FUNCTION,
            roles: vec![Role::Operand; count],
            captures: Vec::new(),
        };
        let closure = self.converted(&unit, own, None)?;
        let code = ir::Closure { params: own_params, ..closure };
        let unit = Type::Tuple(Vec::new());
        let state = self.inst(Op::Tuple, Vec::new(), unit, "state", Span::call_site());
        Some((state, ir::Code::Closure(Box::new(code))))
    }

    /// The function that a rule is, of its operands.
    pub(super) fn rule_of_operands(
        &mut self,
        name: &str,
        kind: Option<FloatKind>,
        operands: &[Storage],
    ) {
        let span = Span::call_site();
        let mut args = Vec::new();
        for operand in operands {
            let Storage::Alias(place) = operand else { unreachable!("an operand is a place") };
            let value = self.read(place, span);
            args.push(self.contents(value, span));
        }
        if let Some(kind) = kind {
            self.refine_float(args[0], &Type::Float(kind));
        }
        let value = self.rule(name, args, span);
        self.set_result(value);
    }

    // --- closures that are passed

    /// A closure as a function of its own: what it captures, and its code.
    fn passed_closure(&mut self, closure: &Rc<ClosureValue>) -> Option<(Value, ir::Code)> {
        let syntax = &closure.closure.syntax;
        if self.uses_cells(closure.closure.body) {
            self.report_handle(Extent::of(&syntax.body));
            return None;
        }
        let mut storages = Vec::new();
        let captures = self.carries(&closure.captures, &mut storages);
        let mut taken = bound_names(&syntax.inputs);
        let Taken { values, mut params, mut roles, shown } = self.taken(storages, &mut taken)?;
        let mut types = Vec::new();
        let before = params.len();
        for (index, input) in syntax.inputs.iter().enumerate() {
            let (typed, ty) = typed(input);
            types.push(ty);
            let floats = &self.signature.floats;
            params.push(signature::parameter(&typed, index, floats, self.reports));
            let pattern = closure.closure.params[index];
            roles.push(match self.plain_binding(pattern) {
                Some(binding) => Role::Named(binding.local),
                None => Role::Parts(pattern),
            });
        }
        let own = declared(&params[before..], types);
        let (code, target) = (Code::Body(closure.closure.body), closure.closure.target);
        let unit = Unit { code, target, roles, captures };
        let output = closure.closure.output.clone();
        let converted = self.converted(&unit, params, output)?;
        let state = self.captured_state(values, syn::spanned::Spanned::span(syntax));
        let code = ir::Closure { captures: shown, params: own, ..converted };
        Some((state, ir::Code::Closure(Box::new(code))))
    }

    /// What a function captures, as parameters under names that are not taken.
    fn taken(&mut self, storages: Vec<(Local, Storage)>, names: &mut Vec<String>) -> Option<Taken> {
        let mut taken = Taken::default();
        for (local, storage) in storages {
            let captured = self.capture(local, &storage)?;
            let role = Role::Captured(local, captured.form);
            taken.add(captured, role, names);
        }
        Some(taken)
    }

    /// What a function captures, as one value.
    fn captured_state(&mut self, values: Vec<Value>, span: Span) -> Value {
        let types: Vec<Type> = values.iter().map(|value| self.ty(*value)).collect();
        let ty = match !types.is_empty() && types.iter().all(Type::is_constant) {
            true => Type::Unknown,
            false => Type::Tuple(types),
        };
        self.inst(Op::Tuple, values, ty, "state", span)
    }

    /// A function of the compiler's own as an operand: it captures what its code evaluates, and values.
    pub(super) fn passed_code(
        &mut self,
        within: Within,
        code: Code,
        inputs: &[syn::PatType],
        span: Span,
    ) -> Option<Operand> {
        let mut locals = Vec::new();
        for expr in &within.evaluated {
            self.body.occurrences(*expr, &mut locals);
        }
        // Those that the code binds itself are not there yet.
        let known = locals.into_iter().filter_map(|local| {
            let storage = self.storage.get(&local)?;
            Some((local, storage.clone()))
        });
        let known: Vec<(Local, Storage)> = known.collect();
        let mut storages = Vec::new();
        let captures = self.carries(&known, &mut storages);
        let floats = &self.signature.floats;
        let params = inputs.iter().enumerate();
        let own: Vec<Parameter> = params
            .map(|(index, input)| signature::parameter(input, index, floats, self.reports))
            .collect();
        let mut names = own.iter().map(|param| param.name.to_string()).collect();
        let mut taken = self.taken(storages, &mut names)?;
        for (_, value) in within.held {
            let param = captured_param(Ident::new("held", span), self.ty(value), false);
            let captured = Captured { param, value, form: Form::Number, is_held: false };
            taken.add(captured, Role::Operand, &mut names);
        }
        let Taken { values, mut params, mut roles, shown } = taken;
        let types = inputs.iter().map(|input| Some((*input.ty).clone())).collect();
        let declared = declared(&own, types);
        roles.extend(own.iter().map(|_| Role::Operand));
        params.extend(own);
        let unit = Unit { code, target: crate::hir::Target::FUNCTION, roles, captures };
        let converted = self.converted(&unit, params, None)?;
        let state = self.captured_state(values, span);
        let code = ir::Closure { captures: shown, params: declared, ..converted };
        let code = ir::Code::Closure(Box::new(code));
        let given = Given { code, is_reference: false };
        Some(Operand { function: Some(Rc::new(given)), ..Operand::value(state) })
    }

    /// Lowers and transforms a unit.
    fn converted(
        &mut self,
        unit: &Unit,
        params: Vec<Parameter>,
        output: Option<syn::Type>,
    ) -> Option<ir::Closure> {
        let outer = Outer {
            function: &self.builder.function,
            floats: &self.signature.floats,
            overlays: &self.signature.overlays,
            seen: self.signature.seen.as_ref(),
            types: &self.signature.types,
            orders: self.signature.orders,
        };
        let signature = outer.closure(params, output.clone());
        let lowered = match lower_unit(&signature, self.body, unit, self.reports) {
            Ok(lowered) => lowered,
            Err(what) => {
                self.unsupported(&what);
                return None;
            }
        };
        if let Some(local) = lowered.written {
            self.refuse_state(&unit.code, local);
        }
        let crate::pipeline::Closure { primal, jvp, vjp } =
            crate::pipeline::closure(&signature, lowered.function, self.reports)?;
        Some(ir::Closure { captures: vec![], params: vec![], output, primal, jvp, vjp })
    }

    /// What the locals are that a closure captures; those that need parameters are added to a list.
    fn carries(
        &mut self,
        captures: &[(Local, Storage)],
        params: &mut Vec<(Local, Storage)>,
    ) -> Vec<(Local, Carried)> {
        let mut carried = Vec::new();
        for (local, storage) in captures {
            let kind = match storage {
                Storage::Closure(inner) => {
                    let captures = self.carries(&inner.captures, params);
                    Carried::Closure(Box::new(inner.closure.clone()), captures)
                }
                Storage::Function(path) => Carried::Function(path.clone()),
                Storage::Pullback(_)
                | Storage::Parts(_)
                | Storage::Stream(_)
                | Storage::Range(_) => {
                    self.refuse_capture(*local, storage);
                    continue;
                }
                Storage::Variable(_) | Storage::Alias(_) | Storage::Part(_) => {
                    match self.carried_item(storage) {
                        Some(item) => item,
                        None => Carried::Param(param_of(params, *local, storage)),
                    }
                }
            };
            carried.push((*local, kind));
        }
        carried
    }

    /// A name for an item or for a part of one: a closure names the item itself.
    fn carried_item(&self, storage: &Storage) -> Option<Carried> {
        let (place, is_part) = match storage {
            Storage::Alias(place) => (place, false),
            Storage::Part(place) => (place, true),
            _ => return None,
        };
        let version = self.state[place.var.0]?;
        let mut items = self.borrowed_items.values();
        let (path, _) = items.find(|(_, item)| *item == version)?;
        let is_known = place.indices.is_empty();
        is_known.then(|| Carried::Item {
            path: path.clone(),
            steps: place.path.clone(),
            ty: place.ty.clone(),
            is_part,
        })
    }

    /// What a closure captures: a value, and a parameter that is a reference to it.
    fn capture(&mut self, local: Local, storage: &Storage) -> Option<Captured> {
        let name = self.body.local(local).name.clone();
        let (place, is_reference) = match storage {
            Storage::Alias(place) => (place.clone(), true),
            Storage::Part(place) => (place.clone(), false),
            Storage::Variable(var) => (self.variable_place(*var), false),
            Storage::Closure(_)
            | Storage::Function(_)
            | Storage::Pullback(_)
            | Storage::Parts(_)
            | Storage::Stream(_)
            | Storage::Range(_) => {
                unreachable!("what is known here is not captured")
            }
        };
        if self.is_cell(&place) {
            self.report_handle(name.span());
            return None;
        }
        let held = is_reference.then(|| self.held_reference(&place, &name)).flatten();
        let (is_held, ty) = (held.is_some(), place.ty.clone());
        let value = match held {
            Some(held) => held,
            None => self.copy_captured(&place, is_reference, &name)?,
        };
        let ty = if is_held { ty } else { self.ty(value) };
        let is_number = ty.is_float() || matches!(ty, Type::Int | Type::Bool);
        let form = match is_reference {
            true => Form::Reference(place.mutable),
            false if is_number => Form::Number,
            false => Form::Place,
        };
        let mut param = captured_param(name, ty, is_held);
        if self.body.holds_matrix(local) {
            param.ty = parse_quote!(&OMatrix<_, _, _>);
        }
        Some(Captured { param, value, form, is_held })
    }

    /// A parameter behind `&` that is not differentiated, as a value that has no tangent.
    fn held_reference(&mut self, place: &Place, name: &Ident) -> Option<Value> {
        let is_plain = matches!(
            place.ty,
            Type::Float(_) | Type::Int | Type::Bool | Type::Function(..) | Type::Cell(_)
        );
        if is_plain || !self.inert.contains(&place.var) || self.is_owned(place) {
            return None;
        }
        let (operands, span) = (self.operands(place), name.span());
        let method = crate::lower::reserved::Method::Held.ident(span);
        let op = Op::Measure(method, place.path.clone());
        Some(self.inst(op, operands, Type::Constant, &name.to_string(), span))
    }

    /// What a closure captures, as a value of its own.
    fn copy_captured(&mut self, place: &Place, is_reference: bool, name: &Ident) -> Option<Value> {
        let span = name.span();
        let operands = self.operands(place);
        match &place.ty {
            Type::Cell(_) => {
                self.report_handle(span);
                None
            }
            Type::Function(..) => {
                let (op, ty) = (Op::Clone(place.path.clone()), place.ty.clone());
                Some(self.inst(op, operands, ty, &name.to_string(), span))
            }
            Type::Constant if is_reference => {
                let value = self.read(place, span);
                let op = Op::Method(Ident::new("to_owned", span));
                Some(self.inst(op, vec![value], Type::Constant, &name.to_string(), span))
            }
            // A copy of what a place holds, as a value: `promote` says whether there is a place.
            Type::Unknown if place.path.is_empty() && self.is_owned(place) => {
                let name = name.to_string();
                Some(self.builder.inst(Op::Duplicate, operands, Type::Unknown, &name, span))
            }
            ty if ty.is_aggregate() || matches!(ty, Type::Unknown | Type::Tuple(_)) => {
                self.copy(place, "clone", span)
            }
            _ => {
                let value = self.read(place, span);
                Some(self.contents(value, span))
            }
        }
    }

    // --- inside a closure that is passed

    /// What a captured local stands for in the closure's function.
    pub(super) fn captured_storage(&mut self, local: Local, form: Form, place: Place) -> Storage {
        let version = self.state[place.var.0].expect("a parameter has a value");
        self.locals[place.var.0] = Some(local);
        match form {
            Form::Place => {
                self.captured.push((local, version));
                Storage::Variable(place.var)
            }
            Form::Reference(mutable) => {
                self.captured.push((local, version));
                Storage::Alias(Place { mutable, ..place })
            }
            Form::Number => {
                let name = self.body.local(local).name.clone();
                let value = self.read(&place, name.span());
                let own = self.held(value, &name.to_string(), name.span());
                let version = self.state[own.var.0].expect("it has a value");
                self.locals[own.var.0] = Some(local);
                self.captured.push((local, version));
                self.fixed.insert(own.var);
                Storage::Variable(own.var)
            }
        }
    }

    /// Reports what a closure that is passed returns by reference: its function would return what that leads to.
    pub(super) fn check_returned(&mut self, expr: ExprId) {
        match &self.body.expr(expr).kind {
            ExprKind::Block { label: None, block } => {
                if let Some(value) = block.value {
                    self.check_returned(value);
                }
            }
            ExprKind::If { then, other, .. } => {
                self.check_returned(*then);
                self.check_returned(*other);
            }
            ExprKind::Borrow { .. } => self.report_returned(expr),
            ExprKind::Local(local)
                if matches!(self.storage.get(local), Some(Storage::Alias(_))) =>
            {
                self.report_returned(expr);
            }
            _ => {}
        }
    }

    fn report_returned(&mut self, expr: ExprId) {
        self.refuse(expr, &diag::REFERENCE_VALUE, "");
    }

    pub(super) fn bind_captures(&mut self, captures: &[(Local, Carried)], params: &[Storage]) {
        let bound = self.uncarried(captures, params);
        self.storage.extend(bound);
    }

    fn uncarried(
        &mut self,
        captures: &[(Local, Carried)],
        params: &[Storage],
    ) -> Vec<(Local, Storage)> {
        let mut bound = Vec::new();
        for (local, carried) in captures {
            let storage = match carried {
                Carried::Param(index) => params[*index].clone(),
                Carried::Function(path) => Storage::Function(path.clone()),
                Carried::Closure(closure, inner) => {
                    let captures = self.uncarried(inner, params);
                    let closure = (**closure).clone();
                    Storage::Closure(Rc::new(ClosureValue { closure, captures }))
                }
                Carried::Item { path, steps, ty, is_part } => {
                    let span = self.body.local(*local).name.span();
                    let Some(mut place) = self.place_of_item(path, span) else { continue };
                    place.path.extend(steps.iter().cloned());
                    place.ty = ty.clone();
                    if *is_part { Storage::Part(place) } else { Storage::Alias(place) }
                }
            };
            bound.push((*local, storage));
        }
        bound
    }

    // --- calls

    /// A call of something that is no item's path.
    pub(super) fn call_of_value(
        &mut self,
        callee: ExprId,
        arguments: &'a [ExprId],
        span: Span,
    ) -> Value {
        if let ExprKind::Local(local) = &self.body.expr(callee).kind
            && let Some(Storage::Pullback(pullback)) = self.storage.get(local).cloned()
        {
            return self.pullback_call(&pullback, arguments, span);
        }
        match self.callable(callee) {
            Some(Callable::Closure(closure)) => {
                if !self.may_copy(callee) {
                    // Closures that call each other would grow without bounds.
                    return self.report_once(span, &diag::CLOSURE_CALL, "a closure");
                }
                self.enter_closure(&closure, arguments)
            }
            Some(Callable::Path(path)) => self.call_of_path(callee, &path, arguments, span),
            Some(Callable::Variable(place)) => {
                let function = self.passed(&place, false);
                self.call_of(Callee::Function, false, Some(function), arguments, span)
            }
            None => self.call_of_pointer(callee, arguments, span),
        }
    }

    /// Counts that a call is lowered. Closures that call each other several times would grow without bounds.
    fn may_copy(&mut self, callee: ExprId) -> bool {
        let count = self.call_copies.entry(callee).or_default();
        *count += 1;
        *count <= MOST_COPIES
    }

    fn call_of_pointer(&mut self, callee: ExprId, arguments: &'a [ExprId], span: Span) -> Value {
        let inner = self.behind_derefs(callee);
        let ExprKind::Local(local) = &self.body.expr(inner).kind else {
            return self.refuse_callee(callee, span);
        };
        match self.local_place(*local) {
            Some(place) if place.ty == Type::Constant => {
                let pointer = self.read(&place, span);
                let pointer = self.contents(pointer, span);
                let pointer = Some(Operand::value(pointer));
                self.call_of(Callee::Pointer, false, pointer, arguments, span)
            }
            _ => {
                let name = self.body.local(*local).name.to_string();
                match self.is_broken(inner) {
                    true => self.reported("a function"),
                    false => self.report(span, &diag::CLOSURE_CALL, &name),
                }
            }
        }
    }

    fn behind_derefs(&self, expr: ExprId) -> ExprId {
        match self.body.expr(expr).kind {
            ExprKind::Deref(inner) => self.behind_derefs(inner),
            _ => expr,
        }
    }
}

/// The names that parameters of a closure bind.
fn bound_names(inputs: &Punctuated<syn::Pat, syn::Token![,]>) -> Vec<String> {
    let mut names = Vec::new();
    for input in inputs {
        input.walk(&mut |node| {
            if let Node::Pat(pattern) = node {
                names.push(pattern.ident.to_string());
            }
            true
        });
    }
    names
}

/// The name of what a closure captures, in the pattern that takes its state apart: a pattern binds no `self`, and each
/// name once.
fn pattern_name(name: &Ident, taken: &mut Vec<String>) -> Ident {
    let text = name.to_string();
    if text == "self" {
        return fresh("this", name.span(), taken);
    }
    if taken.contains(&text) {
        return fresh(text.trim_start_matches("r#"), name.span(), taken);
    }
    taken.push(text);
    name.clone()
}

/// What code of the compiler's own is lowered from.
#[derive(Default)]
pub(super) struct Within {
    /// What it evaluates.
    pub evaluated: Vec<ExprId>,
    /// What was evaluated before, with the value.
    pub held: Vec<(ExprId, Value)>,
}

/// What a function captures: the values, and what they are in it.
#[derive(Default)]
struct Taken {
    values: Vec<Value>,
    params: Vec<Parameter>,
    roles: Vec<Role>,
    shown: Vec<Capture>,
}

impl Taken {
    fn add(&mut self, mut captured: Captured, role: Role, names: &mut Vec<String>) {
        captured.param.name = pattern_name(&captured.param.name, names);
        self.shown.push(Capture {
            name: captured.param.name.clone(),
            is_active: captured.param.active,
            is_held: captured.is_held,
        });
        self.roles.push(role);
        self.params.push(captured.param);
        self.values.push(captured.value);
    }
}

/// A parameter that is a reference to what a function captures.
fn captured_param(name: Ident, ty: Type, is_held: bool) -> Parameter {
    Parameter {
        name,
        ty: parse_quote!(&_),
        active: !ty.is_constant() && !is_held,
        kind: Type::Reference(Box::new(ty), false),
        pattern: None,
        is_mut: false,
        is_tangent: false,
        callable: None,
        advances: false,
        sequence: None,
    }
}

/// What a closure captures.
struct Captured {
    param: Parameter,
    value: Value,
    form: Form,
    is_held: bool,
}

/// The number of the parameter for a captured local, which is added to the list if it is not there.
fn param_of(params: &mut Vec<(Local, Storage)>, local: Local, storage: &Storage) -> usize {
    let is_same = |(other, own): &(Local, Storage)| *other == local && is_same(own, storage);
    params.iter().position(is_same).unwrap_or_else(|| {
        params.push((local, storage.clone()));
        params.len() - 1
    })
}

fn is_same(one: &Storage, other: &Storage) -> bool {
    match (one, other) {
        (Storage::Variable(one), Storage::Variable(other)) => one == other,
        (Storage::Alias(one), Storage::Alias(other))
        | (Storage::Part(one), Storage::Part(other)) => {
            one.var == other.var && one.path == other.path && one.indices == other.indices
        }
        _ => false,
    }
}

/// The first captured local of which a function writes the place.
pub(super) fn written(function: &Function, captured: &[(Local, Value)]) -> Option<Local> {
    let mut written = None;
    function.body.walk(&mut |inst, _| {
        if matches!(inst.op, Op::If(..) | Op::Loop(_)) {
            return;
        }
        for result in &inst.results {
            let is_next = |(_, first): &&(Local, Value)| {
                first != result
                    && function.slot_of(*result).is_some()
                    && function.slot_of(*first) == function.slot_of(*result)
            };
            let found = captured.iter().find(is_next).map(|(local, _)| *local);
            written = written.or(found);
        }
    });
    written
}

/// Whether a path that names no local is taken for a function's where it is a value: names of functions begin in lower
/// case, and those of constants, statics, structs and variants do not.
///
/// Only rustc knows. A constant that is taken for a function fails to compile, since it has no companion; a function that
/// is taken for a constant does too, since the derivative asks for a `cotangent::Function` there.
pub(super) fn names_function(path: &syn::ExprPath) -> bool {
    let name = path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    name.trim_start_matches("r#").starts_with(char::is_lowercase)
}
