//! Calls of functions by path, and of methods that only their types know.

use super::place::Operand;
use super::stream::Item;
use super::{Lower, Place, Var};
use crate::diag::Extent;
use crate::hir::{ExprId, ExprKind};
use crate::ir::{Access, Call, Callee, FloatKind, Form, Op, Passing, Type, Value, are_disjoint};
use crate::lower::builtin::{self, Associated};
use crate::lower::constant::{number_of, of_parameter};
use crate::lower::overlay::{overlaid, stopped};
use crate::syntax::signature::OwnerKind;
use crate::syntax::standard::Standard;
use crate::syntax::{generics, is_prelude_variant, types};
use proc_macro2::Span;

/// A part of a place that a call is given as a copy.
pub(super) struct Apart {
    place: Place,
    copy: Place,
}

impl<'a> Lower<'a> {
    pub(super) fn call(&mut self, expr: ExprId, callee: ExprId, arguments: &'a [ExprId]) -> Value {
        let span = self.span(expr);
        match &self.body.expr(callee).kind {
            ExprKind::Item(path) => self.call_of_path(expr, path, arguments, span),
            _ => self.call_of_value(callee, arguments, span),
        }
    }

    pub(super) fn call_of_path(
        &mut self,
        expr: ExprId,
        path: &syn::ExprPath,
        arguments: &'a [ExprId],
        span: Span,
    ) -> Value {
        let path = &overlaid(path, &self.signature.overlays);
        if let Some(value) = self.moving_function(path, arguments, span) {
            return value;
        }
        if let Some(value) = self.array_from_function(expr, path, arguments, span) {
            return value;
        }
        if let Some(stopped) = stopped(path) {
            return self.call_of(Callee::Stopped(stopped), false, None, arguments, span);
        }
        let is_borrow =
            |argument: &ExprId| matches!(self.body.expr(*argument).kind, ExprKind::Borrow { .. });
        // Structs of references have no tangents: with a reference among its arguments it is a function's.
        if self.names_type(path) && !arguments.iter().any(is_borrow) {
            let args = arguments.iter().map(|arg| self.owned(*arg)).collect();
            return self.tuple_struct(path, args, span);
        }
        // A float's functions take floats by value: with a reference in front, it is one of the user's types.
        let is_own = arguments.first().is_some_and(is_borrow);
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
                self.as_float(value, ty, span)
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
            None => match of_parameter(path, &self.signature.floats) {
                Some((ty, name)) => self.constant_call(path, ty, &name, arguments, span),
                None => self.plain_call(path, arguments, span),
            },
        }
    }

    /// Whether a call of a path is taken for a constructor's, by what the function shows. That is emitted as a literal in
    /// braces: one that is a function's does not compile then. A call of a function has its derivatives under the names
    /// that the derive gives those of constructors, so that the other assumption holds for structs, too.
    pub(super) fn names_type(&self, path: &syn::ExprPath) -> bool {
        let Some(last) = path.path.segments.last() else { return false };
        let is_named = || {
            last.ident == "Self"
                || self.signature.types.contains(&last.ident)
                || self.signature.seen.as_ref().is_some_and(|seen| seen.constructs(&path.path))
        };
        let is_known = is_prelude_variant(&path.path)
            || super::builtin::calls_variant(&path.path)
            || is_named();
        path.qself.is_none() && is_known && !self.names_float_parameter(path)
    }

    pub(super) fn tuple_struct(
        &mut self,
        path: &syn::ExprPath,
        args: Vec<Value>,
        span: Span,
    ) -> Value {
        let fields = (0..args.len()).map(|index| index.to_string()).collect();
        self.construct(&path.path, fields, args, Form::Fields, span)
    }

    /// Whether a function of a type parameter that stands for a float is meant: `T::PI` is no struct.
    fn names_float_parameter(&self, path: &syn::ExprPath) -> bool {
        of_parameter(path, &self.signature.floats).is_some()
    }

    /// `T::epsilon()`. What starts with `from` may return an `Option`.
    fn constant_call(
        &mut self,
        path: &syn::ExprPath,
        ty: Type,
        name: &str,
        arguments: &'a [ExprId],
        span: Span,
    ) -> Value {
        match name {
            "zero" => return self.float_literal("0.0", ty, span),
            "one" => return self.float_literal("1.0", ty, span),
            _ => {}
        }
        let value = self.plain_call(path, arguments, span);
        if !name.starts_with("from") {
            self.refine_float(value, &ty);
        }
        value
    }

    /// `T::from(0.5).unwrap()`.
    pub(super) fn converted_constant(
        &mut self,
        receiver: ExprId,
        name: &syn::Ident,
        arguments: &[ExprId],
    ) -> Option<Value> {
        let body = self.body;
        let ExprKind::Call(callee, given) = &body.expr(receiver).kind else { return None };
        let ExprKind::Item(path) = &body.expr(*callee).kind else { return None };
        if name != "unwrap" && name != "expect" {
            return None;
        }
        let (ty, function) = of_parameter(path, &self.signature.floats)?;
        let span = self.span(receiver);
        if let (Some(first), "from") = (given.first(), function.as_str())
            && let ExprKind::Literal(literal) = &body.expr(*first).kind
            && let Some(number) = number_of(literal)
        {
            return Some(self.float_literal(&number, ty, span));
        }
        let mut args = vec![self.expr(receiver)];
        args.extend(self.values(arguments, span));
        Some(self.inst(Op::Method(name.clone()), args, ty, "constant", span))
    }

    fn float_literal(&mut self, number: &str, ty: Type, span: Span) -> Value {
        let literal = syn::Lit::Float(syn::LitFloat::new(number, span));
        self.inst(Op::Literal(literal), Vec::new(), ty, "literal", span)
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

    /// A number as a float.
    pub(super) fn as_float(&mut self, mut value: Value, to: Box<syn::Type>, span: Span) -> Value {
        let from = self.ty(value);
        if from == Type::Bool {
            // There is no cast from `bool` to a float.
            let number = syn::parse_quote_spanned!(span=> u8);
            value = self.inst(Op::Cast(number), vec![value], Type::Int, "cast", span);
        }
        let is_open = from == Type::Unknown && self.conversion().is_some();
        let (op, read) = (if is_open { Op::Convert } else { Op::Cast }, types::read(&to));
        self.inst(op(to), vec![value], read, "cast", span)
    }

    /// The float into which the bounds of a type parameter say that it can be converted.
    pub(super) fn conversion(&self) -> Option<Box<syn::Type>> {
        let generics = self.signature.all_generics();
        let mut params = generics.iter().flat_map(|generics| generics.type_params());
        params.find_map(|param| generics::converted(&generics, &param.ident)).map(Box::new)
    }

    pub(super) fn plain_call(
        &mut self,
        path: &syn::ExprPath,
        arguments: &'a [ExprId],
        span: Span,
    ) -> Value {
        if let Some(Standard::NewCell | Standard::CloneHandle) = Standard::named(&path.path) {
            return self.report_handle(Extent::of(path));
        }
        let (callee, is_own) = self.callee(path);
        self.call_of(callee, is_own, None, arguments, span)
    }

    /// A path as what is called, and whether it is the function's own.
    pub(super) fn callee(&mut self, path: &syn::ExprPath) -> (Callee, bool) {
        let (is_own, may_be_own) = (self.is_own_call(path), self.may_be_own_call(path));
        let callee = Callee::Path(path.clone());
        self.recurses(&callee, is_own, may_be_own);
        (callee, is_own)
    }

    /// A call of a function by path whose arguments are values already.
    pub(super) fn call_on_values(
        &mut self,
        path: &syn::ExprPath,
        values: Vec<Value>,
        span: Span,
    ) -> Value {
        let path = overlaid(path, &self.signature.overlays);
        match builtin::associated(&path, values.len(), &self.signature.floats) {
            Some(Associated::Rule(name, kind)) => {
                if let Some(kind) = kind {
                    self.refine_float(values[0], &Type::Float(kind));
                }
                self.rule(name, values, span)
            }
            Some(_) => {
                let items: Vec<Item> = values.into_iter().map(Item::Value).collect();
                self.call_with_items(&path, &items, span)
            }
            None => {
                let (callee, is_own) = self.callee(&path);
                let operands = values.into_iter().map(Operand::value).collect();
                self.call_with(callee, is_own, operands, span)
            }
        }
    }

    /// A method that only its type knows.
    pub(super) fn own_method(
        &mut self,
        (receiver, place): (ExprId, &Place),
        name: &syn::Ident,
        arguments: &'a [ExprId],
        span: Span,
    ) -> Value {
        let callee = Callee::Method(name.clone());
        let is_own = self.is_own_method(receiver, name);
        let may_be_own = self.may_be_own_method(name);
        self.recurses(&callee, is_own, may_be_own);
        // What a closure captures, it only reads: its slot is shared, even behind a `&mut`.
        let slot = self.slots[place.var.0].expect("a receiver has a place");
        let is_shared = self.builder.function.slot(slot).access == Access::Shared;
        let receiver = self.passed(place, place.mutable && !is_shared);
        self.call_of(callee, is_own, Some(receiver), arguments, span)
    }

    // --- how a function shows that it calls itself; what does not show, the attribute says: `recursive`

    /// Whether a path, which no local hides, is the function's own: `f`, `self::f`, `Self::f`.
    fn is_own_call(&self, path: &syn::ExprPath) -> bool {
        let mut segments = path.path.segments.iter().rev();
        let is_named = segments.next().is_some_and(|last| self.is_own_name(&last.ident));
        let prefix = segments.next().map(|prefix| prefix.ident.to_string());
        let is_here = match (self.owner(), prefix.as_deref()) {
            (None, None) => !self.is_inner_item(),
            (None, prefix) => prefix == Some("self"),
            (Some(_), prefix) => prefix == Some("Self"),
        };
        is_named && is_here
    }

    /// Whether the path of a type's function may be, behind the type's name.
    fn may_be_own_call(&self, path: &syn::ExprPath) -> bool {
        let last = path.path.segments.last();
        self.owner() == Some(OwnerKind::Type)
            && crate::ir::is_associated(path)
            && last.is_some_and(|last| self.is_own_name(&last.ident))
    }

    /// Whether the function's name is that of an item in its body.
    fn is_inner_item(&self) -> bool {
        let is_own = |item: &syn::Item| matches!(item, syn::Item::Fn(inner) if self.is_own_name(&inner.sig.ident));
        self.body.items.iter().any(is_own)
    }

    /// Whether a method is the function's own: that of `self`.
    fn is_own_method(&self, receiver: ExprId, name: &syn::Ident) -> bool {
        let is_self = |local: &crate::hir::Local| self.body.local(*local).name == "self";
        let is_self =
            matches!(&self.body.expr(receiver).kind, ExprKind::Local(local) if is_self(local));
        self.owner().is_some() && is_self && self.is_own_name(name)
    }

    /// Whether a method of another receiver may be, as in the walk of a tree. In a trait and its impls, it is rather that
    /// of another type.
    fn may_be_own_method(&self, name: &syn::Ident) -> bool {
        self.owner() == Some(OwnerKind::Type) && self.is_own_name(name)
    }

    /// Whether types say whose a method is that may be the function's own. Those of cells say nothing.
    fn is_open_method(&self, callee: &Callee) -> bool {
        let Callee::Method(name) = callee else { return false };
        self.may_be_own_method(name) && !["get", "set"].iter().any(|own| name == own)
    }

    /// Says of a call whether it is the function's own for certain, and whether it may be.
    fn recurses(&mut self, callee: &Callee, is_own: bool, may_be_own: bool) {
        let is_open = self.is_open_method(callee);
        let function = &mut self.builder.function;
        function.is_recursive |= is_own || may_be_own;
        function.may_call_itself |= may_be_own && !is_own && !is_open;
    }

    fn is_own_name(&self, name: &syn::Ident) -> bool {
        *name == self.builder.function.name
    }

    // --- operands

    /// A call, with its receiver if it is a method's.
    pub(super) fn call_of(
        &mut self,
        callee: Callee,
        is_own: bool,
        receiver: Option<Operand>,
        arguments: &'a [ExprId],
        span: Span,
    ) -> Value {
        let Some((operands, apart)) = self.call_operands(receiver, arguments, span) else {
            return Value(0);
        };
        let result = self.call_with(callee, is_own, operands, span);
        self.write_back(apart, span);
        result
    }

    /// The operands of a call, and what is to be written back after it. Control may not come back from them.
    pub(super) fn call_operands(
        &mut self,
        receiver: Option<Operand>,
        arguments: &'a [ExprId],
        span: Span,
    ) -> Option<(Vec<Operand>, Vec<Apart>)> {
        let has_receiver = usize::from(receiver.is_some());
        let mut operands: Vec<Operand> = receiver.into_iter().collect();
        for (index, argument) in arguments.iter().enumerate() {
            let mut operand = match self.function_operand(*argument) {
                Some(function) => function,
                None => self.operand(*argument),
            };
            if self.diverged {
                return None;
            }
            if operand.passing == Passing::Value && operand.function.is_none() {
                operand.args[0] = self.read_now(operand.args[0], span);
                let root = self.body.root(*argument);
                let is_changed =
                    |later: &ExprId| root.is_some_and(|local| self.body.changes(*later, local));
                if arguments[index + 1..].iter().any(is_changed) {
                    operand.args[0] = self.kept(operand.args[0], span);
                }
            }
            operands.push(operand);
        }
        share_twins(&mut operands, has_receiver);
        let apart = self.copied_apart(&mut operands[has_receiver..], span);
        self.current(&mut operands);
        Some((operands, apart))
    }

    /// Several parts of one place where one is a `&mut`, as after `split_at_mut`, cannot be borrowed from the place at
    /// once unless they are fields: they are copies for the time of the call.
    fn copied_apart(&mut self, operands: &mut [Operand], span: Span) -> Vec<Apart> {
        let is_unique = |operand: &Operand| matches!(operand.passing, Passing::Unique(_));
        let is_crowded = |(position, own): (usize, &Operand)| {
            operands.iter().enumerate().any(|(index, other)| {
                let is_written = is_unique(own) || is_unique(other);
                index != position && is_written && is_in_the_way(own, other)
            })
        };
        let crowded: Vec<bool> = operands.iter().enumerate().map(is_crowded).collect();
        let mut apart = Vec::new();
        for (operand, is_crowded) in operands.iter_mut().zip(crowded) {
            let Some(var) = operand.var.filter(|_| is_crowded) else { continue };
            let slot = self.slot_at(var).expect("a borrowed place has a slot");
            let path = operand.passing.path().expect("it is borrowed").clone();
            let ty = self.builder.function.slot(slot).ty.part(&path);
            let (indices, mutable) = (operand.args[1..].to_vec(), operand.passing.writes());
            let place = Place { var, path, indices, ty, mutable, depth: 0 };
            let copy = self.copied(&place, span);
            let copy = self.held(copy, "apart", span);
            *operand = self.passed(&copy, mutable);
            if mutable {
                apart.push(Apart { place, copy });
            }
        }
        apart
    }

    /// What a call left in copies goes back into the places.
    pub(super) fn write_back(&mut self, apart: Vec<Apart>, span: Span) {
        for Apart { place, copy } in apart {
            if !matches!(place.ty, Type::Slice(_)) {
                let value = self.read(&copy, span);
                self.write(&place, value, span);
                continue;
            }
            let (start, len) = (self.number(0, span), self.measured("len", &place, span));
            self.over_indices(start, len, span, &|lower, index| {
                let from = lower.element(&copy, index);
                let value = lower.copied(&from, span);
                let to = lower.element(&place, index);
                lower.write(&to, value, span);
            });
        }
    }

    /// A call of a function by path, with operands that are no expressions.
    pub(super) fn call_of_operands(
        &mut self,
        callee: Callee,
        operands: Vec<Operand>,
        span: Span,
    ) -> Value {
        let mut operands = operands;
        self.current(&mut operands);
        self.call_with(callee, false, operands, span)
    }

    /// A call of a function by path whose operands are there already.
    pub(super) fn call_on_operands(
        &mut self,
        path: &syn::ExprPath,
        mut operands: Vec<Operand>,
        span: Span,
    ) -> Value {
        self.current(&mut operands);
        let (callee, is_own) = self.callee(path);
        self.call_with(callee, is_own, operands, span)
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

    /// What is borrowed is seen as the last argument leaves it.
    fn current(&mut self, operands: &mut [Operand]) {
        let borrowed: Vec<Var> = operands.iter().filter_map(|operand| operand.var).collect();
        for operand in operands {
            match operand.var {
                Some(var) => operand.args[0] = self.state[var.0].unwrap_or(operand.args[0]),
                // What is borrowed too is a copy, and its tangent is not one by itself.
                None if borrowed.iter().any(|var| self.state[var.0] == Some(operand.args[0])) => {
                    operand.args[0] = self.kept(operand.args[0], Span::call_site());
                }
                None => {}
            }
        }
    }

    /// A call, with its operands.
    pub(super) fn call_with(
        &mut self,
        callee: Callee,
        is_own: bool,
        mut operands: Vec<Operand>,
        span: Span,
    ) -> Value {
        let is_cell = |operand: &Operand| matches!(operand.passing, Passing::Interior(_));
        if matches!(callee, Callee::Stopped(_)) && operands.iter().any(is_cell) {
            // Who is given the cell may write it.
            return self.report_handle(span);
        }
        let written = operands.iter().filter(|operand| operand.passing.writes());
        let written: Vec<Var> = written.filter_map(|operand| operand.var).collect();
        self.touch_beside(&written, span);
        for operand in &mut operands {
            let version = operand.var.and_then(|var| self.state[var.0]);
            operand.args[0] = version.unwrap_or(operand.args[0]);
        }
        let name = format!("{}_value", callee.name());
        let ty = match (&callee, operands.first().and_then(|operand| operand.args.first())) {
            _ if is_own => self.scalar_output(),
            (Callee::Stopped(_), Some(value)) if self.ty(*value).is_float() => self.ty(*value),
            (Callee::Function, Some(function)) => match self.ty(*function) {
                Type::Function(output, ..) => *output,
                _ => Type::Unknown,
            },
            _ => Type::Unknown,
        };
        let result = self.builder.fresh(ty, &name, span, false);
        let mut results = vec![result];
        for operand in &operands {
            if let (true, Some(var)) = (operand.passing.writes(), operand.var) {
                let slot = self.slot_at(var).expect("a borrowed place has a slot");
                let version = self.builder.version(slot);
                self.state[var.0] = Some(version);
                results.push(version);
            }
        }
        let values = operands.iter().flat_map(|operand| operand.args.clone()).collect();
        let functions = operands.iter().map(|operand| operand.function.clone()).collect();
        let passing = operands.into_iter().map(|operand| operand.passing).collect();
        let may_be_own = !is_own && self.is_open_method(&callee);
        let call = Call {
            callee,
            passing,
            functions,
            is_own,
            may_be_own,
            is_watched: self.builder.function.is_watched,
            runs_again: false,
            order: 0,
        };
        self.builder.push(Op::Call(Box::new(call)), values, results, span);
        self.touch_beside(&written, span);
        result
    }

    /// `mem::swap` and kin.
    fn moving_function(
        &mut self,
        path: &syn::ExprPath,
        arguments: &[ExprId],
        span: Span,
    ) -> Option<Value> {
        match (Standard::named(&path.path)?, arguments) {
            (Standard::Swap, [first, second]) => {
                let (first, _) = self.reference(*first)?;
                let (second, _) = self.reference(*second)?;
                Some(self.exchange(&first, &second, span))
            }
            (Standard::Replace, [first, value]) => {
                let (first, _) = self.reference(*first)?;
                let value = self.owned(*value);
                Some(self.replace(&first, value, span))
            }
            (Standard::VecFrom, [source]) => self.vector_from(*source, span),
            (Standard::Take, [first]) => {
                let (first, _) = self.reference(*first)?;
                let value = self.default_of(&first.ty.clone(), span);
                Some(self.replace(&first, value, span))
            }
            _ => None,
        }
    }
}

/// A receiver with a root in common with an argument is read only: the language allows this for `&` alone, even where a
/// name bound to `&mut` is passed.
fn share_twins(operands: &mut [Operand], receivers: usize) {
    share_cells(operands);
    let (own, arguments) = operands.split_at_mut(receivers);
    for receiver in own {
        for argument in arguments.iter_mut() {
            if is_in_the_way(receiver, argument) {
                share(receiver);
                share(argument);
            }
        }
    }
}

fn share(operand: &mut Operand) {
    if !matches!(operand.passing, Passing::Interior(_)) {
        operand.passing = operand.passing.clone().shared();
    }
}

/// Whether two operands are parts of one place that cannot be borrowed side by side.
fn is_in_the_way(first: &Operand, second: &Operand) -> bool {
    let parts = (first.passing.path(), second.passing.path());
    let (Some(path), Some(other)) = parts else { return false };
    first.var == second.var && !are_disjoint((path, &first.args[1..]), (other, &second.args[1..]))
}

/// Of several operands by which the cells of one place may be written, one stands for what the call does to them.
fn share_cells(operands: &mut [Operand]) {
    let mut seen = Vec::new();
    for operand in operands {
        let (Some(var), Passing::Interior(_)) = (operand.var, &operand.passing) else { continue };
        if seen.contains(&var) {
            operand.passing = operand.passing.clone().shared();
        }
        seen.push(var);
    }
}
