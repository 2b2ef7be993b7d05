//! Calls of functions by path, and of methods.

use super::desugar::{is_parallel, makes_iterator};
use super::place::Operand;
use super::reserved::Method;
use super::{Lower, Place, builtin, scan};
use crate::diag;
use crate::ir::{Call, Callee, FloatKind, Op, Passing, Type, Value};

impl Lower<'_> {
    pub(super) fn call(&mut self, call: &syn::ExprCall) -> Value {
        if let Some(value) = self.pullback_call(call).or_else(|| self.call_of_variable(call)) {
            return value;
        }
        let syn::Expr::Path(callee) = &*call.func else {
            let span = self.span(&*call.func);
            return self.report(
                span,
                &diag::UNSUPPORTED_EXPRESSION,
                "a call of a computed function",
            );
        };
        if let Some(name) =
            callee.path.get_ident().filter(|ident| self.lookup(&self.key(ident)).is_some())
        {
            let span = self.span(callee);
            return self.report(span, &diag::CLOSURE_CALL, &name.to_string());
        }
        let callee = &self.overlaid(callee);
        let args: Vec<&syn::Expr> = call.args.iter().collect();
        if let Some(path) = super::overlay::stopped(callee) {
            return self.call_of(Callee::Stopped(path), false, None, &args, self.span(callee));
        }
        if let Some(literal) = tuple_struct(call, callee).filter(|_| !self.is_constant(callee)) {
            return self.expr(&literal);
        }
        // A float's functions take floats by value: with a reference in front, it is one of the user's types.
        let is_own = matches!(args.first(), Some(syn::Expr::Reference(_)));
        let known = builtin::associated(callee, args.len(), &self.floats).filter(|_| !is_own);
        match known {
            Some(builtin::Associated::Rule(name, kind)) => {
                self.rule_call(name, kind, &args, syn::spanned::Spanned::span(callee))
            }
            Some(builtin::Associated::Zero(method)) => self.zero_call(&method, &args),
            Some(builtin::Associated::Convert(ty)) => self.convert(&ty, call),
            Some(builtin::Associated::Vector) => self.vector(callee, &args),
            Some(builtin::Associated::Boxed) => self.boxed(args[0], callee),
            None => match self.constant_call(callee, &args) {
                Some(value) => value,
                None => self.plain_call(callee, &args),
            },
        }
    }

    fn rule_call(
        &mut self,
        name: &str,
        kind: Option<FloatKind>,
        args: &[&syn::Expr],
        span: proc_macro2::Span,
    ) -> Value {
        let args: Vec<Value> = args.iter().map(|arg| self.expr(arg)).collect();
        if let Some(kind) = kind {
            self.refine_float(args[0], &Type::Float(kind));
        }
        self.rule(name, args, self.at.unwrap_or(span))
    }

    /// A rule on values: the result is as float as its operands.
    pub(super) fn rule(&mut self, name: &str, args: Vec<Value>, span: proc_macro2::Span) -> Value {
        if name == "sin_cos" {
            let ty = self.ty(args[0]);
            let sin = self.apply("sin", args.clone(), ty.clone(), span);
            let cos = self.apply("cos", args, ty.clone(), span);
            return self.inst(
                Op::Tuple,
                vec![sin, cos],
                Type::Tuple(vec![ty.clone(), ty]),
                "sin_cos",
                span,
            );
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

    fn zero_call(&mut self, method: &syn::Ident, args: &[&syn::Expr]) -> Value {
        let args: Vec<Value> = args.iter().map(|arg| self.expr(arg)).collect();
        let span = self.span(method);
        let ty = builtin::result_of(&method.to_string(), &self.ty(args[0]));
        self.inst(Op::Method(method.clone()), args, ty, "value", span)
    }

    /// `f64::from(x)`: a cast where `x` is a float; a call where it is an integer.
    fn convert(&mut self, ty: &syn::Type, call: &syn::ExprCall) -> Value {
        let value = self.expr(&call.args[0]);
        let span = self.span(&*call.func);
        self.inst(Op::Cast(Box::new(ty.clone())), vec![value], super::types::read(ty), "cast", span)
    }

    fn vector(&mut self, callee: &syn::ExprPath, args: &[&syn::Expr]) -> Value {
        let args = args.iter().map(|arg| self.expr(arg)).collect();
        let span = self.span(callee);
        self.inst(
            Op::VecNew(callee.clone()),
            args,
            Type::Vec(Box::new(Type::Unknown)),
            "vector",
            span,
        )
    }

    /// `Box::new(x)`: a place, whose contents are another.
    fn boxed(&mut self, content: &syn::Expr, callee: &syn::ExprPath) -> Value {
        let value = self.owned(content);
        let span = self.span(callee);
        let boxed = self.builder.place(Type::Unknown, "boxed", span, false);
        self.builder.push(Op::Boxed, vec![value], vec![boxed], span);
        boxed
    }

    pub(super) fn plain_call(&mut self, callee: &syn::ExprPath, args: &[&syn::Expr]) -> Value {
        let span = self.span(callee);
        if let Some(broken) = self.handle_value(callee) {
            return broken;
        }
        let is_own = self.is_own_call(callee);
        let (may_be_own, callee) = (self.may_be_own_call(callee), Callee::Path(callee.clone()));
        self.recurses(&callee, is_own, may_be_own);
        self.call_of(callee, is_own, None, args, span)
    }

    /// A method that only its type knows.
    fn own_method(&mut self, call: &syn::ExprMethodCall, place: &Place) -> Value {
        let (args, span) = (call.args.iter().collect::<Vec<_>>(), self.span(&call.method));
        if let Some(turbofish) = &call.turbofish {
            let span = self.span(turbofish);
            return self.report(span, &diag::UNSUPPORTED_EXPRESSION, "a method's own parameter");
        }
        let is_own = self.is_own_method(call);
        let (may_be_own, callee) =
            (self.may_be_own_method(&call.method), Callee::Method(call.method.clone()));
        self.recurses(&callee, is_own, may_be_own);
        let is_mutable = place.mutable && !self.fixed.contains(&place.var);
        let receiver = self.passed(place, is_mutable);
        self.call_of(callee, is_own, Some(receiver), &args, span)
    }

    /// A call, with its receiver if it is a method's.
    pub(super) fn call_of(
        &mut self,
        callee: Callee,
        is_own: bool,
        receiver: Option<Operand>,
        args: &[&syn::Expr],
        span: proc_macro2::Span,
    ) -> Value {
        let (operands, copied) = self.call_operands(receiver, args);
        let result = self.call_with(callee, is_own, operands, span);
        for (place, copy) in copied {
            self.write_back(place, &copy);
        }
        result
    }

    /// A call, with its operands.
    pub(super) fn call_with(
        &mut self,
        callee: Callee,
        is_own: bool,
        mut operands: Vec<Operand>,
        span: proc_macro2::Span,
    ) -> Value {
        share_twins(&mut operands);
        let is_cell = |operand: &Operand| matches!(operand.passing, Passing::Interior(_));
        if matches!(callee, Callee::Stopped(_)) && operands.iter().any(is_cell) {
            // Who is given the cell may write it.
            return self.report(span, &diag::SHARED_HANDLE, "");
        }
        let written = operands.iter().filter(|operand| operand.passing.writes());
        let written: Vec<super::Var> = written.filter_map(|operand| operand.var).collect();
        self.touch_beside(&written, span);
        for operand in &mut operands {
            let version = operand.var.and_then(|var| self.state[var.0]);
            operand.args[0] = version.unwrap_or(operand.args[0]);
        }
        let name = format!("{}_value", callee.name());
        let ty = if is_own { self.scalar_output() } else { self.output_of(&callee, &operands) };
        let result = self.builder.fresh(ty, &name, span, false);
        let mut results = vec![result];
        for operand in &operands {
            if let (true, Some(var)) = (operand.passing.writes(), operand.var) {
                let slot = self.slot_of(var).expect("a borrowed place has a slot");
                let version = self.builder.version(slot);
                self.state[var.0] = Some(version);
                results.push(version);
            }
        }
        let values = operands.iter().flat_map(|operand| operand.args.clone()).collect();
        let functions = operands.iter().map(|operand| operand.function.clone()).collect();
        let passing = operands.into_iter().map(|operand| operand.passing).collect();
        let is_watched = self.builder.function.is_watched;
        let may_be_own = !is_own && self.is_open_method(&callee);
        let call = Call {
            callee,
            passing,
            functions,
            is_own,
            may_be_own,
            is_watched,
            runs_again: false,
            order: 0,
        };
        self.builder.push(Op::Call(Box::new(call)), values, results, span);
        self.touch_beside(&written, span);
        result
    }

    /// The type of what a callee returns, as far as its operands show it.
    fn output_of(&self, callee: &Callee, operands: &[Operand]) -> Type {
        match (callee, operands.first().and_then(|operand| operand.args.first())) {
            (Callee::Stopped(_), Some(value)) if self.ty(*value).is_float() => {
                self.ty(*value).clone()
            }
            (Callee::Function, Some(function)) => match self.ty(*function) {
                Type::Function(output, ..) => *output,
                _ => Type::Unknown,
            },
            _ => Type::Unknown,
        }
    }

    /// The arguments of a call, in order, and what is to be written back after it.
    pub(super) fn call_operands(
        &mut self,
        receiver: Option<Operand>,
        args: &[&syn::Expr],
    ) -> (Vec<Operand>, Vec<(Place, syn::Expr)>) {
        let (is_copied, mut copied) = (self.crowded(args), Vec::new());
        let mut operands: Vec<Operand> = receiver.into_iter().collect();
        for (index, arg) in args.iter().enumerate() {
            let mut operand = match is_copied[index] {
                true => {
                    let copy = self.copy_apart(arg, &mut copied);
                    self.operand(&copy)
                }
                false => match self.function_operand(arg) {
                    Some(function) => function,
                    None => self.argument(arg),
                },
            };
            if operand.var.is_none() && scan::may_change(arg, &args[index + 1..]) {
                operand.args[0] = self.kept(operand.args[0], self.span(*arg));
            }
            operands.push(operand);
        }
        let borrowed: Vec<super::Var> = operands.iter().filter_map(|operand| operand.var).collect();
        for operand in &mut operands {
            match operand.var {
                // What is borrowed is seen as the last argument leaves it.
                Some(var) => {
                    operand.args[0] = self.state[var.0].expect("a borrowed place is initialised");
                }
                // What is borrowed too is a copy, and its tangent is not one by itself.
                None if borrowed.iter().any(|var| self.state[var.0] == Some(operand.args[0])) => {
                    operand.args[0] = self.kept(operand.args[0], proc_macro2::Span::call_site());
                }
                None => {}
            }
        }
        (operands, copied)
    }

    /// What a call left in a copy goes back into the place.
    pub(super) fn write_back(&mut self, place: Place, copy: &syn::Expr) {
        if let Type::Slice(_) = place.ty {
            let place = self.name_of(place);
            self.rewritten(syn::parse_quote!(#place.copy_from_slice(&#copy)));
            return;
        }
        let value = self.owned(copy);
        let span = self.span(copy);
        self.write(&place, value, span);
    }

    /// Which arguments are copies for the time of the call: several parts of one place where one is a `&mut`, as
    /// after `split_at_mut`, which cannot be borrowed from the place at once; and what is lent mutably of a
    /// tuple, which has no place.
    fn crowded(&mut self, args: &[&syn::Expr]) -> Vec<bool> {
        let roots: Vec<Option<super::Var>> =
            args.iter().map(|arg| self.borrowed_root(arg)).collect();
        let is_copied = |index: usize| {
            let Some(root) = roots[index] else { return false };
            let mut group = (0..args.len()).filter(|other| roots[*other] == Some(root));
            let is_lent_value = self.slot_of(root).is_none() && self.is_unique(args[index]);
            let is_crowded = group.clone().count() > 1;
            is_lent_value || is_crowded && group.any(|other| self.is_unique(args[other]))
        };
        (0..args.len()).map(is_copied).collect()
    }

    /// Whether an argument is a `&mut`: it is written so, or is the name of one.
    fn is_unique(&self, arg: &syn::Expr) -> bool {
        match arg {
            syn::Expr::Reference(reference) => reference.mutability.is_some(),
            syn::Expr::Path(path) => path.path.get_ident().is_some_and(|ident| {
                let binding = self.lookup(&self.key(ident));
                matches!(binding, Some(super::Binding::View(place)) if place.mutable)
            }),
            _ => false,
        }
    }

    /// An argument as a copy under a name of its own; what is lent mutably goes back afterwards.
    fn copy_apart(&mut self, arg: &syn::Expr, copied: &mut Vec<(Place, syn::Expr)>) -> syn::Expr {
        let (expr, mutability) = match arg {
            syn::Expr::Reference(reference) => (&*reference.expr, reference.mutability),
            arg => (arg, self.is_unique(arg).then(Default::default)),
        };
        let (name, span) = (super::desugar::name("apart", &mut self.made_names), self.span(expr));
        let place = self.place(expr).unwrap_or_else(|| self.temporary(expr));
        let value = match place.ty {
            Type::Slice(_) => self.copied(&place, span),
            _ => self.read(&place, span),
        };
        let value = self.kept(value, span);
        let value = self.in_slot(value, "apart", span);
        let key = self.key(&name);
        self.bind_value(&key, value);
        copied.extend(mutability.map(|_| (place, syn::parse_quote!(#name))));
        syn::parse_quote!(&#mutability #name)
    }

    /// The variable that a reference to a part leads to: one that is written here, or has a name.
    fn borrowed_root(&mut self, arg: &syn::Expr) -> Option<super::Var> {
        let (place, is_written) = match arg {
            syn::Expr::Reference(reference) => (&*reference.expr, true),
            arg => (arg, false),
        };
        if !super::hoist::is_place(place) {
            return None;
        }
        match self.lookup(&super::scan::root(place)?)? {
            super::Binding::View(view) => (is_written || is_name(arg)).then_some(view.var),
            super::Binding::Variable(var) => is_written.then_some(*var),
            // What is only read may be lent as often as one likes.
            super::Binding::Part(_) => None,
        }
    }

    /// A method. The receiver is lowered once, whatever the method turns out to be.
    pub(super) fn method_call(&mut self, call: &syn::ExprMethodCall) -> Value {
        if let Some(item) = self.written_item(call) {
            return self.report(item.span(), &diag::STATIC_WRITE, &item.to_string());
        }
        let name = call.method.to_string();
        if is_parallel(call) {
            return self.report(self.span(&call.method), &diag::PARALLEL, &name);
        }
        if let Some(method) = Method::named(&name) {
            return self.reserved_method(call, method);
        }
        let special = self.cell_method(call).or_else(|| self.inlined(call));
        if let Some(value) = special.or_else(|| self.converted(call)) {
            return value;
        }
        let span = self.span(&call.method);
        if let Some(place) = self.method_place(call) {
            return self.read(&place, span);
        }
        let receiver = match self.place(&call.receiver) {
            Some(place) if self.slot_of(place.var).is_some() => {
                match self.method_on_place(call, &name, &place) {
                    Some(value) => return value,
                    None if is_own(call, &place.ty) => return self.own_method(call, &place),
                    None => self.receiver_value(call, &name, &place),
                }
            }
            Some(place) => self.read(&place, span),
            None => self.expr(&call.receiver),
        };
        if is_own(call, &self.ty(receiver)) && !self.broken.contains(&receiver) {
            let place = self.temporary_value(receiver, span);
            return self.own_method(call, &place);
        }
        self.method_on_value(call, &name, receiver)
    }

    fn method_on_place(
        &mut self,
        call: &syn::ExprMethodCall,
        name: &str,
        place: &Place,
    ) -> Option<Value> {
        let value = self.place_method(call, name, place).or_else(|| self.copy(call, name, place));
        let value = value.or_else(|| self.option_method(call, place));
        value.or_else(|| self.insertion(call, name, place))
    }

    /// What a place holds, for a method that takes a value. No method of a collection does.
    fn receiver_value(&mut self, call: &syn::ExprMethodCall, name: &str, place: &Place) -> Value {
        let span = self.span(&call.method);
        if place.ty.is_aggregate() && !self.is_broken(&call.receiver) {
            if makes_iterator(call) {
                return self.report(span, &diag::KEPT_ITERATOR, "");
            }
            return self.report(span, &diag::COLLECTION_METHOD, name);
        }
        self.read(place, self.span(&*call.receiver))
    }

    fn method_on_value(
        &mut self,
        call: &syn::ExprMethodCall,
        name: &str,
        receiver: Value,
    ) -> Value {
        if self.broken.contains(&receiver) {
            return receiver;
        }
        if builtin::is_variant_test(name) {
            let place = self.temporary_value(receiver, call.method.span());
            return self.measure(&place, call.method.clone(), None, call.method.span());
        }
        let span = self.span(&call.method);
        // Read now: an argument may change the place.
        let mut args = vec![self.contents(receiver, span)];
        let compares = builtin::compares(name);
        args.extend(call.args.iter().map(|arg| match arg {
            syn::Expr::Reference(reference) if compares => self.expr(&reference.expr),
            arg => self.expr(arg),
        }));
        let float_like =
            !matches!(self.ty(receiver), Type::Bool | Type::Text | Type::Constant | Type::Tuple(_));
        if float_like && builtin::is_rule(name, args.len()) {
            return self.rule(name, args, span);
        }
        let ty = builtin::result_of(name, &self.ty(receiver));
        self.inst(Op::Method(call.method.clone()), args, ty, name, span)
    }

    /// Methods that look at a place and carry no derivative: `len`, `is_some`.
    fn place_method(
        &mut self,
        call: &syn::ExprMethodCall,
        name: &str,
        place: &Place,
    ) -> Option<Value> {
        if !builtin::is_variant_test(name)
            && !matches!(
                name,
                "len" | "is_empty" | "capacity" | "contains_key" | builtin::ZERO_TANGENT
            )
        {
            return None;
        }
        let span = self.span(&call.method);
        let key = match call.args.first() {
            Some(key) if name == "contains_key" => Some(self.map_key(key)),
            _ => None,
        };
        Some(self.measure(place, call.method.clone(), key, span))
    }

    /// What a place says of itself, without derivative.
    pub(super) fn measure(
        &mut self,
        place: &Place,
        method: syn::Ident,
        key: Option<Value>,
        span: proc_macro2::Span,
    ) -> Value {
        let (name, mut args) = (method.to_string(), self.operands(place));
        args.extend(key);
        let ty = builtin::result_of(&name, &place.ty);
        self.inst(Op::Measure(method, place.path.clone()), args, ty, &name, span)
    }

    /// `clone` and `to_vec`: what a place holds, in a place of its own.
    fn copy(&mut self, call: &syn::ExprMethodCall, name: &str, place: &Place) -> Option<Value> {
        if !matches!(name, "clone" | "to_vec" | "to_owned") || !call.args.is_empty() {
            return None;
        }
        let ty = match (&place.ty, name) {
            (Type::Slice(_) | Type::Vec(_), _) | (Type::Array(..), "to_vec") => {
                Type::Vec(Box::new(place.ty.element()))
            }
            (ty @ (Type::Float(_) | Type::Int | Type::Bool | Type::Array(..)), _) => ty.clone(),
            (Type::Unknown, "clone") => Type::Unknown,
            _ => return None,
        };
        let span = self.span(&call.method);
        let operands = self.operands(place);
        let op = match ty {
            Type::Unknown => Op::Clone(place.path.clone()),
            _ => Op::Load(place.path.clone()),
        };
        Some(self.inst(op, operands, ty, name, span))
    }
}

fn is_name(expr: &syn::Expr) -> bool {
    matches!(expr, syn::Expr::Path(_))
}

/// Whether a method is one of the receiver's type, of which nothing is known here.
fn is_own(call: &syn::ExprMethodCall, receiver: &Type) -> bool {
    *receiver == Type::Unknown && builtin::is_unknown(call)
}

/// Reference operands with a root in common: the language allows this for `&` only, even where a name
/// bound to `&mut` is passed. One of them stands for what the call does to cells.
fn share_twins(operands: &mut [Operand]) {
    let roots: Vec<super::Var> = operands.iter().filter_map(|operand| operand.var).collect();
    let mut seen = Vec::new();
    for operand in operands {
        let Some(var) = operand.var else { continue };
        let is_twin = roots.iter().filter(|other| **other == var).count() > 1;
        let is_first = matches!(operand.passing, Passing::Interior(_)) && !seen.contains(&var);
        seen.push(var);
        if is_twin && !is_first {
            operand.passing = operand.passing.clone().shared();
        }
    }
}

/// `Pair(a, b)` as `Pair { 0: a, 1: b }`: names of structs and variants are in upper camel case.
fn tuple_struct(call: &syn::ExprCall, callee: &syn::ExprPath) -> Option<syn::Expr> {
    let name = &callee.path.segments.last()?.ident;
    if !builtin::is_type_name(name) || callee.qself.is_some() {
        return None;
    }
    let (path, indices, args) =
        (&callee.path, (0..call.args.len()).map(syn::Index::from), call.args.iter());
    Some(syn::parse_quote!(#path { #(#indices: #args),* }))
}
