//! Patterns of `let`, loops and parameters: names, `_` and tuples of them.

use super::{Binding, Lower, hygiene};
use crate::diag;
use crate::ir::{FloatKind, Op, Type, Value};
use proc_macro2::Span;
use syn::spanned::Spanned;

impl Lower<'_> {
    /// Binds the names of a pattern to the parts of a value.
    pub(super) fn bind_pattern(&mut self, pattern: &syn::Pat, value: Value, parameter: bool) {
        match pattern {
            syn::Pat::Wild(_) => {}
            syn::Pat::Paren(paren) => self.bind_pattern(&paren.pat, value, parameter),
            syn::Pat::Type(typed) => {
                self.annotate(value, &typed.ty);
                self.bind_pattern(&typed.pat, value, parameter);
            }
            syn::Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => {
                self.bind_name(ident, value);
            }
            syn::Pat::Tuple(tuple)
                if !tuple.elems.iter().any(|item| matches!(item, syn::Pat::Rest(_))) =>
            {
                self.bind_tuple(tuple, value, parameter);
            }
            syn::Pat::Slice(slice) if self.is_array(slice, value) => {
                self.bind_array(slice, value, parameter);
            }
            other => {
                let broken = self.report(diag::Extent::of(other), &diag::PATTERN, "");
                self.bind_names(other, broken);
            }
        }
    }

    /// Whether a pattern names all elements of an array.
    fn is_array(&self, slice: &syn::PatSlice, value: Value) -> bool {
        let is_place = self.builder.function.slot_of(value).is_some();
        let is_array = matches!(self.ty(value), Type::Array(..));
        is_place && is_array && !slice.elems.iter().any(|item| matches!(item, syn::Pat::Rest(_)))
    }

    fn bind_array(&mut self, slice: &syn::PatSlice, value: Value, parameter: bool) {
        let (item, span) = (self.ty(value).element(), slice.span());
        let name = self.builder.function.value(value).name.clone();
        for (index, pattern) in slice.elems.iter().enumerate() {
            let literal = syn::Lit::Int(syn::LitInt::new(&index.to_string(), span));
            let index = self.inst(Op::Literal(literal), Vec::new(), Type::Int, "index", span);
            let load = Op::Load(vec![crate::ir::Projection::Index]);
            let element = self.inst(load, vec![value, index], item.clone(), &name, span);
            self.bind_pattern(pattern, element, parameter);
        }
    }

    fn bind_tuple(&mut self, tuple: &syn::PatTuple, value: Value, parameter: bool) {
        let items = match self.ty(value) {
            Type::Tuple(items) if items.len() == tuple.elems.len() => items,
            _ => vec![Type::Unknown; tuple.elems.len()],
        };
        let fields = self.destructure(value, items, tuple.span());
        for (pattern, field) in tuple.elems.iter().zip(fields) {
            self.bind_pattern(pattern, field, parameter);
        }
    }

    fn bind_name(&mut self, pattern: &syn::PatIdent, value: Value) {
        let ident = &pattern.ident;
        let key = self.key(ident);
        let ty = self.ty(value);
        let value = match self.needs_slot(&key, &ty) {
            true => self.in_slot(value, hygiene::name(&key), ident.span()),
            false => value,
        };
        self.rename(value, ident);
        let var = self.variable(Some(value));
        if pattern.mutability.is_none() {
            self.fixed.insert(var);
        }
        self.declare(&key, Binding::Variable(var));
    }

    /// A value that has no name of the user's yet takes the variable's.
    fn rename(&mut self, value: Value, ident: &syn::Ident) {
        let function = &mut self.builder.function;
        let slot = function.slot_of(value);
        let is_param = self.builder.is_function_param(value);
        let function = &mut self.builder.function;
        if is_param {
            return;
        }
        function.values[value.0 as usize].name = ident.to_string();
        if let Some(slot) = slot {
            function.slots[slot.0 as usize].name = ident.to_string();
        }
    }

    /// After an error: every name of the pattern exists, so that one mistake gives one error.
    pub(super) fn bind_names(&mut self, pattern: &syn::Pat, value: Value) {
        struct Names(Vec<syn::Ident>);
        impl<'ast> syn::visit::Visit<'ast> for Names {
            fn visit_pat_ident(&mut self, ident: &'ast syn::PatIdent) {
                self.0.push(ident.ident.clone());
            }
        }
        let mut names = Names(Vec::new());
        syn::visit::Visit::visit_pat(&mut names, pattern);
        for name in names.0 {
            let var = self.variable(Some(value));
            let key = self.key(&name);
            self.declare(&key, Binding::Variable(var));
        }
    }

    /// Takes in a type that the user wrote.
    fn annotate(&mut self, value: Value, ty: &syn::Type) {
        let read = self.floats.read(ty);
        self.annotate_items(value, &read);
        let data = &mut self.builder.function.values[value.0 as usize];
        if is_open(&data.ty) {
            data.ty = read.clone();
        }
        if let (Type::Vec(item), Type::Vec(_)) = (&data.ty, &read)
            && **item == Type::Unknown
        {
            data.ty = read;
        }
        data.annotation = Some(Box::new(ty.clone()));
        if let (Some(slot), ty) = (data.slot, data.ty.clone()) {
            self.builder.function.slots[slot.0 as usize].ty = ty;
        }
    }

    /// The items of a tuple that was just made have the types that are written for them.
    pub(super) fn annotate_items(&mut self, value: Value, ty: &Type) {
        let made = self.builder.block().insts.iter().rev().find(|inst| inst.results == [value]);
        let (Type::Tuple(types), Some(inst)) = (ty, made) else { return };
        if !matches!(inst.op, Op::Tuple) || inst.args.len() != types.len() {
            return;
        }
        for (item, ty) in inst.args.clone().into_iter().zip(types) {
            let is_open = self.ty(item) == Type::Float(FloatKind::Literal);
            self.refine_float(item, ty);
            if let Some(float) = super::types::float_syntax(ty).filter(|_| is_open) {
                let data = &mut self.builder.function.values[item.0 as usize];
                data.annotation = Some(Box::new(float));
            }
            self.annotate_items(item, ty);
        }
    }

    /// `let x;` and `let x: T;`.
    pub(super) fn declare_uninitialised(&mut self, pattern: &syn::Pat) {
        match pattern {
            syn::Pat::Type(typed) => self.declare_uninitialised(&typed.pat),
            syn::Pat::Paren(paren) => self.declare_uninitialised(&paren.pat),
            syn::Pat::Wild(_) => {}
            syn::Pat::Tuple(tuple) => {
                tuple.elems.iter().for_each(|item| self.declare_uninitialised(item))
            }
            syn::Pat::Ident(ident) => {
                let var = self.variable(None);
                let key = self.key(&ident.ident);
                self.declare(&key, Binding::Variable(var));
            }
            other => {
                let broken = self.report(diag::Extent::of(other), &diag::PATTERN, "");
                self.bind_names(other, broken);
            }
        }
    }

    /// An expression's value to be bound to a name: what a variable's place holds is duplicated.
    pub(super) fn owned(&mut self, expr: &syn::Expr) -> Value {
        let value = self.expr(expr);
        match self.diverged {
            true => value,
            false => self.kept(value, self.span(expr)),
        }
    }

    /// What a variable's place holds now, whatever becomes of the place.
    pub(super) fn kept(&mut self, value: Value, span: Span) -> Value {
        if !self.state.contains(&Some(value)) || self.builder.function.slot_of(value).is_none() {
            return value;
        }
        let data = self.builder.function.value(value).clone();
        let copy = self.builder.place(data.ty, &data.name, span, false);
        self.builder.push(Op::Duplicate, vec![value], vec![copy], span);
        copy
    }
}

/// Whether a written type says more than what is known.
fn is_open(ty: &Type) -> bool {
    match ty {
        Type::Unknown | Type::Float(FloatKind::Literal) => true,
        Type::Tuple(items) => items.iter().any(is_open),
        _ => false,
    }
}
