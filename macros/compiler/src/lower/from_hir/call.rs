//! Calls of functions by path, and of methods that only their types know.

use super::place::Operand;
use super::{Lower, Place, Storage, Var};
use crate::hir::{ExprId, ExprKind};
use crate::ir::{Call, Callee, FloatKind, Op, Passing, Type, Value};
use crate::lower::builtin::{self, Associated};
use proc_macro2::Span;

impl<'a> Lower<'a> {
    pub(super) fn call(&mut self, expr: ExprId, callee: ExprId, arguments: &'a [ExprId]) -> Value {
        let span = self.span(expr);
        match &self.body.expr(callee).kind {
            ExprKind::Item(path) => self.call_of_path(expr, path, arguments, span),
            ExprKind::Local(local) => match self.storage.get(local).cloned() {
                Some(Storage::Closure(closure)) => self.enter_closure(&closure, arguments),
                Some(Storage::Function(path)) => self.plain_call(&path, arguments, span),
                _ => self.unknown("a call of a variable"),
            },
            ExprKind::Closure(closure) => {
                let Storage::Closure(closure) = self.closure_value(closure) else {
                    return self.unknown("a closure");
                };
                self.enter_closure(&closure, arguments)
            }
            _ => self.unknown("a call of a computed function"),
        }
    }

    fn call_of_path(
        &mut self,
        expr: ExprId,
        path: &'a syn::ExprPath,
        arguments: &'a [ExprId],
        span: Span,
    ) -> Value {
        if !self.signature.overlays.is_empty() {
            return self.unknown("an overlay");
        }
        if let Some(value) = self.moving_function(path, arguments, span) {
            return value;
        }
        if let Some(value) = self.array_from_function(expr, path, arguments, span) {
            return value;
        }
        if let Some(stopped) = super::super::overlay::stopped(path) {
            return self.call_of(Callee::Stopped(stopped), None, arguments, span);
        }
        if self.names_type(path) {
            return self.tuple_struct(path, arguments, span);
        }
        // A float's functions take floats by value: with a reference in front, it is one of the user's types.
        let is_own = arguments.first().is_some_and(|first| {
            matches!(self.body.expr(*first).kind, ExprKind::Borrow { .. })
        });
        let known = builtin::associated(path, arguments.len(), &self.signature.floats);
        match known.filter(|_| !is_own) {
            Some(Associated::Rule(name, kind)) => self.rule_call(name, kind, arguments, span),
            Some(Associated::Zero(method)) => {
                let args: Vec<Value> = arguments.iter().map(|arg| self.expr(*arg)).collect();
                let ty = builtin::result_of(&method.to_string(), &self.ty(args[0]));
                self.inst(Op::Method(method), args, ty, "value", span)
            }
            Some(Associated::Convert(ty)) => {
                let value = self.expr(arguments[0]);
                let read = super::super::types::read(&ty);
                self.inst(Op::Cast(ty), vec![value], read, "cast", span)
            }
            Some(Associated::Vector) => {
                let args = arguments.iter().map(|arg| self.expr(*arg)).collect();
                let ty = Type::Vec(Box::new(Type::Unknown));
                self.inst(Op::VecNew(path.clone()), args, ty, "vector", span)
            }
            Some(Associated::Boxed) => {
                let value = self.owned(arguments[0]);
                let boxed = self.builder.place(Type::Unknown, "boxed", span, false);
                self.builder.push(Op::Boxed, vec![value], vec![boxed], span);
                boxed
            }
            None if self.names_float_parameter(path) => self.unknown("a constant of a type parameter"),
            None => self.plain_call(path, arguments, span),
        }
    }

    /// Whether a path is spelled like one of a struct or of a variant.
    pub(super) fn names_type(&self, path: &syn::ExprPath) -> bool {
        let last = path.path.segments.last();
        path.qself.is_none()
            && last.is_some_and(|last| {
                last.ident.to_string().starts_with(char::is_uppercase)
            })
            && !self.names_float_parameter(path)
    }

    fn tuple_struct(&mut self, path: &syn::ExprPath, arguments: &[ExprId], span: Span) -> Value {
        let args: Vec<Value> = arguments.iter().map(|arg| self.owned(*arg)).collect();
        let fields = (0..args.len()).map(|index| index.to_string()).collect();
        self.construct(&path.path, fields, args, false, span)
    }

    /// Whether a function of a type parameter that stands for a float is meant.
    fn names_float_parameter(&self, path: &syn::ExprPath) -> bool {
        let is_float = |ty: &Type| matches!(ty, Type::Float(FloatKind::Parameter(_)));
        match &path.qself {
            Some(qself) => is_float(&self.signature.floats.read(&qself.ty)),
            None => {
                let first = path.path.segments.first();
                path.path.segments.len() == 2
                    && first.is_some_and(|first| {
                        self.signature.floats.0.iter().any(|float| first.ident == float)
                    })
            }
        }
    }

    fn rule_call(
        &mut self,
        name: &str,
        kind: Option<FloatKind>,
        arguments: &[ExprId],
        span: Span,
    ) -> Value {
        let args = self.values(arguments, span);
        if let Some(kind) = kind {
            self.refine_float(args[0], &Type::Float(kind));
        }
        self.rule(name, args, span)
    }

    /// Values of operands, each read before the next is evaluated.
    pub(super) fn values(&mut self, arguments: &[ExprId], span: Span) -> Vec<Value> {
        let mut values = Vec::new();
        for argument in arguments {
            let value = self.expr(*argument);
            values.push(self.contents(value, span));
        }
        values
    }

    /// A rule on values: the result is as float as its operands.
    pub(super) fn rule(&mut self, name: &str, args: Vec<Value>, span: Span) -> Value {
        if name == "sin_cos" {
            let ty = self.ty(args[0]);
            let sin = self.apply("sin", args.clone(), ty.clone(), span);
            let cos = self.apply("cos", args, ty.clone(), span);
            let pair = Type::Tuple(vec![ty.clone(), ty]);
            return self.inst(Op::Tuple, vec![sin, cos], pair, "sin_cos", span);
        }
        // A float's methods take floats of its type.
        args[1..].iter().for_each(|arg| self.infer_float(*arg, args[0]));
        let ty = match self.ty(args[0]) {
            ty @ Type::Float(_) => args
                .iter()
                .map(|arg| self.ty(*arg))
                .filter(Type::is_float)
                .fold(ty, |a, b| a.join(&b)),
            ty => ty,
        };
        self.apply(name, args, ty, span)
    }

    pub(super) fn plain_call(
        &mut self,
        path: &syn::ExprPath,
        arguments: &[ExprId],
        span: Span,
    ) -> Value {
        let callee = Callee::Path(path.clone());
        if self.may_be_own(&callee) {
            return self.unknown("a call of the function by itself");
        }
        self.call_of(callee, None, arguments, span)
    }

    /// A method that only its type knows.
    pub(super) fn own_method(
        &mut self,
        place: &Place,
        name: &syn::Ident,
        arguments: &[ExprId],
        span: Span,
    ) -> Value {
        let callee = Callee::Method(name.clone());
        if self.may_be_own(&callee) {
            return self.unknown("a method that may be the function itself");
        }
        let receiver = self.passed(place, place.mutable);
        self.call_of(callee, Some(receiver), arguments, span)
    }

    /// Whether a call may be one of the function by itself.
    fn may_be_own(&self, callee: &Callee) -> bool {
        *callee.name() == self.signature.name.to_string() && self.owner().is_none()
            || *callee.name() == self.signature.name.to_string()
    }

    /// A call, with its receiver if it is a method's.
    fn call_of(
        &mut self,
        callee: Callee,
        receiver: Option<Operand>,
        arguments: &[ExprId],
        span: Span,
    ) -> Value {
        if self.signature.shares {
            return self.unknown("cells");
        }
        let mut operands: Vec<Operand> = receiver.into_iter().collect();
        for argument in arguments {
            if self.is_function(*argument) {
                return self.unknown("a function as an argument");
            }
            let mut operand = self.operand(*argument);
            if self.diverged {
                return Value(0);
            }
            if operand.passing == Passing::Value {
                operand.args[0] = self.read_now(operand.args[0], span);
            }
            operands.push(operand);
        }
        let Some(operands) = self.current(operands) else {
            return self.unknown("two parts of one place, of which one is written");
        };
        self.call_with(callee, operands, span)
    }

    /// A call of a function by path, with operands that are no expressions.
    pub(super) fn call_of_operands(
        &mut self,
        callee: Callee,
        operands: Vec<Operand>,
        span: Span,
    ) -> Value {
        if self.signature.shares || !self.signature.overlays.is_empty() || self.may_be_own(&callee) {
            return self.unknown("a function that a chain calls");
        }
        match self.current(operands) {
            Some(operands) => self.call_with(callee, operands, span),
            None => self.unknown("two parts of one place, of which one is written"),
        }
    }

    /// A by-value operand as it is now: a scalar is read, an aggregate moves.
    fn read_now(&mut self, value: Value, span: Span) -> Value {
        match self.builder.function.slot_of(value) {
            Some(_) if self.state.contains(&Some(value)) && !self.ty(value).is_aggregate() => {
                self.contents(value, span)
            }
            _ => value,
        }
    }

    fn is_function(&self, argument: ExprId) -> bool {
        match &self.body.expr(argument).kind {
            ExprKind::Closure(_) => true,
            ExprKind::Local(local) => {
                matches!(self.storage.get(local), Some(Storage::Closure(_) | Storage::Function(_)))
            }
            ExprKind::Borrow { place, .. } => self.is_function(*place),
            ExprKind::Item(path) => {
                let last = path.path.segments.last();
                last.is_some_and(|last| {
                    last.ident.to_string().starts_with(char::is_lowercase)
                })
            }
            _ => false,
        }
    }

    /// What is borrowed is seen as the last argument leaves it.
    fn current(&mut self, mut operands: Vec<Operand>) -> Option<Vec<Operand>> {
        let borrowed: Vec<Var> = operands.iter().filter_map(|operand| operand.var).collect();
        let written: Vec<Var> = operands
            .iter()
            .filter(|operand| operand.passing.writes())
            .filter_map(|operand| operand.var)
            .collect();
        let is_crowded =
            |var: &Var| borrowed.iter().filter(|other| *other == var).count() > 1;
        if written.iter().any(is_crowded) {
            return None;
        }
        for operand in &mut operands {
            match operand.var {
                Some(var) => operand.args[0] = self.state[var.0]?,
                // What is borrowed too is a copy, and its tangent is not one by itself.
                None if borrowed.iter().any(|var| self.state[var.0] == Some(operand.args[0])) => {
                    operand.args[0] = self.kept(operand.args[0], Span::call_site());
                }
                None => {}
            }
        }
        Some(operands)
    }

    /// A call, with its operands.
    fn call_with(&mut self, callee: Callee, operands: Vec<Operand>, span: Span) -> Value {
        let name = format!("{}_value", callee.name());
        let ty = match (&callee, operands.first().and_then(|operand| operand.args.first())) {
            (Callee::Stopped(_), Some(value)) if self.ty(*value).is_float() => self.ty(*value),
            _ => Type::Unknown,
        };
        let result = self.builder.fresh(ty, &name, span, false);
        let mut results = vec![result];
        for operand in &operands {
            if let (true, Some(var)) = (operand.passing.writes(), operand.var) {
                let slot = self.slots[var.0].expect("a borrowed place has a slot");
                let version = self.builder.version(slot);
                self.state[var.0] = Some(version);
                results.push(version);
            }
        }
        let values = operands.iter().flat_map(|operand| operand.args.clone()).collect();
        let functions = operands.iter().map(|operand| operand.function.clone()).collect();
        let passing = operands.into_iter().map(|operand| operand.passing).collect();
        let call = Call {
            callee,
            passing,
            functions,
            is_own: false,
            may_be_own: false,
            is_watched: self.builder.function.is_watched,
            runs_again: false,
            order: 0,
        };
        self.builder.push(Op::Call(Box::new(call)), values, results, span);
        result
    }

    /// `mem::swap` and kin.
    fn moving_function(
        &mut self,
        path: &syn::ExprPath,
        arguments: &[ExprId],
        span: Span,
    ) -> Option<Value> {
        let mut segments = path.path.segments.iter().rev();
        let (function, module) = (segments.next()?, segments.next()?);
        if module.ident != "mem" {
            return None;
        }
        match (function.ident.to_string().as_str(), arguments) {
            ("swap", [first, second]) => {
                let (first, _) = self.reference(*first)?;
                let (second, _) = self.reference(*second)?;
                Some(self.exchange(&first, &second, span))
            }
            ("replace", [first, value]) => {
                let (first, _) = self.reference(*first)?;
                let value = self.owned(*value);
                Some(self.replace(&first, value, span))
            }
            ("take", [first]) => {
                let (first, _) = self.reference(*first)?;
                let value = self.default_of(&first.ty.clone(), span);
                Some(self.replace(&first, value, span))
            }
            _ => None,
        }
    }
}
