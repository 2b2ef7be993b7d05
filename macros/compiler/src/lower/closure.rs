//! Functions that a call is given, and calls of variables that are functions.
//!
//! In: an argument that is a closure, a function's path, or a parameter that is a function itself. Out: an
//! operand that holds what the function captures, with the function's code and that of its derivatives. A
//! closure is lowered and transformed as a function of its own, whose first parameters are references to what
//! it captures. What it captures is copied: the pullback of the call outlives the place. Where nothing outlives it, what is
//! not differentiated is lent (`Method::Held`).

mod read;

use super::desugar::ended;
use super::place::Operand;
use super::reserved::Method;
use super::{Lower, hygiene, scan, scope};
use crate::diag::{self, Reports};
use crate::ir::build::Builder;
use crate::ir::{Callee, Capture, Closure, ClosureParam, Code, Given, Op, Type, Value};
use crate::signature::{self, Parameter, Signature};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::format_ident;
use std::rc::Rc;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprClosure, Stmt, parse_quote};

impl Lower<'_> {
    /// `f(x)`, where `f` is a variable that is a function or a function pointer.
    pub(super) fn call_of_variable(&mut self, call: &syn::ExprCall) -> Option<Value> {
        let callee = called(&call.func)?;
        let place = self.place(&Expr::Path(callee.clone()))?;
        let args: Vec<&Expr> = call.args.iter().collect();
        let span = self.span(callee);
        match place.ty {
            Type::Function(..) => {
                let function = self.passed(&place, false);
                Some(self.call_of(Callee::Function, false, Some(function), &args, span))
            }
            Type::Constant => {
                let pointer = self.read(&place, span);
                Some(self.call_of(
                    Callee::Pointer,
                    false,
                    Some(Operand::value(pointer)),
                    &args,
                    span,
                ))
            }
            _ => None,
        }
    }

    /// An argument that is a function.
    pub(super) fn function_operand(&mut self, arg: &Expr) -> Option<Operand> {
        match arg {
            Expr::Paren(paren) => self.function_operand(&paren.expr),
            Expr::Group(group) => self.function_operand(&group.expr),
            Expr::Reference(reference) if reference.mutability.is_none() => {
                let operand = self.function_operand(&reference.expr)?;
                let given = Rc::into_inner(operand.function?)?;
                let given = Given { is_reference: true, ..given };
                Some(Operand { function: Some(Rc::new(given)), ..Operand::value(operand.args[0]) })
            }
            Expr::Closure(closure) => Some(self.closure(closure)),
            Expr::Path(path) => match self.place(arg) {
                Some(place) => self.function_variable(&place, arg),
                None => self.function_item(&self.overlaid(path)),
            },
            _ => None,
        }
    }

    fn function_variable(&mut self, place: &super::Place, arg: &Expr) -> Option<Operand> {
        let Type::Function(_, arity, is_reference) = place.ty else { return None };
        let (operands, span) = (self.operands(place), self.span(arg));
        let op = Op::Clone(place.path.clone());
        let value = self.inst(op, operands, place.ty.clone(), "function", span);
        let given = Given { code: Code::Variable(arity), is_reference };
        Some(Operand { function: Some(Rc::new(given)), ..Operand::value(value) })
    }

    /// Functions are named in lower case, and constants are not.
    fn function_item(&mut self, path: &syn::ExprPath) -> Option<Operand> {
        let name = path.path.segments.last()?.ident.to_string();
        if !name.trim_start_matches("r#").starts_with(|letter: char| letter.is_lowercase()) {
            return None;
        }
        self.check_namesakes(path);
        if let Some(closure) = self.method_of_floats(path, &name) {
            return Some(self.closure(&closure));
        }
        let state = self.unit();
        Some(Operand::function(state, Code::Item(path.clone())))
    }

    /// `f64::max` as a closure.
    fn method_of_floats(&self, path: &syn::ExprPath, name: &str) -> Option<ExprClosure> {
        let rule = cotangent_rules::find(name)?;
        super::builtin::associated(path, rule.params.len(), &self.floats)?;
        let names = (0..rule.params.len()).map(|index| format_ident!("operand_{index}"));
        let names: Vec<Ident> = names.collect();
        Some(parse_quote!(|#(#names),*| #path(#(#names),*)))
    }

    fn closure(&mut self, closure: &ExprClosure) -> Operand {
        let closure = &without_self(closure);
        let names = spelled(closure, self.captured(closure));
        let changes = scan::Changes::of(&closure.body);
        let (mut params, mut values) = (Vec::new(), Vec::new());
        let (mut items, mut wholes, mut held) = (Vec::new(), Vec::new(), Vec::new());
        for name in names {
            if let Some(named) = self.name_of_item(&name) {
                items.push(named);
                continue;
            }
            let original = match self.outside(&hygiene::key(&name)) {
                "self" => Ident::new("self", name.span()),
                _ => name.clone(),
            };
            if changes
                .contains(&hygiene::key(&name), self.is_passed_uniquely(&parse_quote!(#original)))
            {
                let broken = self.report(name.span(), &diag::CLOSURE_STATE, &original.to_string());
                return Operand::value(broken);
            }
            let constant = self.held(&original);
            let is_held = constant.is_some();
            held.push(is_held);
            let (value, ty) = constant.unwrap_or_else(|| {
                let value = self.copy_captured(&original);
                (value, self.ty(value))
            });
            let is_number = ty.is_float()
                || matches!(ty, Type::Int | Type::Bool)
                || ty.is_constant() && self.known.is_index(&parse_quote!(#original));
            if !self.is_named_reference(&original) {
                // In the body it is no reference: it may be an index, and another name for it is another variable.
                match is_number {
                    true => items.push(parse_quote!(let #name = *#name;)),
                    false if matches!(ty, Type::Function(..)) => {}
                    false => wholes.push(name.clone()),
                }
            }
            values.push(value);
            params.push(Parameter {
                active: !ty.is_constant() && !is_held,
                kind: Type::Reference(Box::new(ty), false),
                ty: match self.known.maps.contains(&original.to_string()) {
                    true => parse_quote!(&BTreeMap<_, _>),
                    false if self.known.is_matrix(&parse_quote!(#original)) => {
                        parse_quote!(&OMatrix<_, _, _>)
                    }
                    false => parse_quote!(&_),
                },
                name,
                pattern: None,
                is_mut: false,
                is_tangent: false,
                callable: None,
            });
        }
        let span = self.span(closure);
        let closure = &read::behind_references(closure, &wholes);
        let Some(code) = derived(&with_names(closure, items), (params, held), self) else {
            return Operand::value(self.broken());
        };
        let types: Vec<Type> = values.iter().map(|value| self.ty(*value)).collect();
        let ty = match !types.is_empty() && types.iter().all(Type::is_constant) {
            true => Type::Unknown,
            false => Type::Tuple(types),
        };
        let state = self.inst(Op::Tuple, values, ty, "state", span);
        Operand::function(state, Code::Closure(Box::new(code)))
    }

    /// The variables that a closure takes from outside.
    fn captured(&self, closure: &ExprClosure) -> Vec<String> {
        let is_variable = |key: &String| self.lookup(self.outside(key)).is_some();
        scope::free(closure).into_iter().filter(is_variable).collect()
    }

    /// What a variable of a closure is called outside of it. In a closure within a closure `self` has its other name already.
    fn outside<'k>(&self, key: &'k str) -> &'k str {
        let is_self = hygiene::name(key) == RECEIVER && self.lookup(key).is_none();
        if is_self { "self" } else { key }
    }

    /// A parameter behind `&` that is not differentiated, as a value that has no tangent; and the type of what it holds.
    fn held(&mut self, name: &Ident) -> Option<(Value, Type)> {
        let place = self.place(&parse_quote!(#name))?;
        let is_plain = matches!(
            place.ty,
            Type::Float(_) | Type::Int | Type::Bool | Type::Function(..) | Type::Cell(_)
        );
        if is_plain || !self.constants.contains(&place.var) || !self.is_named_reference(name) {
            return None;
        }
        let (operands, span) = (self.operands(&place), name.span());
        let op = Op::Measure(Method::Held.ident(span), place.path);
        let value = self.inst(op, operands, Type::Constant, &name.to_string(), span);
        Some((value, place.ty))
    }

    /// What a closure captures, as a value of its own.
    fn copy_captured(&mut self, name: &Ident) -> Value {
        let whole: Expr = parse_quote!(#name);
        let span = name.span();
        if let Some(broken) = self.kept_handle(&whole) {
            return broken;
        }
        match self.place(&whole) {
            Some(place) if matches!(place.ty, Type::Cell(_)) => {
                self.report(span, &diag::SHARED_HANDLE, "")
            }
            Some(place) if matches!(place.ty, Type::Function(..)) => {
                let operands = self.operands(&place);
                self.inst(Op::Clone(place.path), operands, place.ty, &name.to_string(), span)
            }
            Some(place) if place.ty == Type::Constant && self.slot_of(place.var).is_some() => {
                self.expr(&parse_quote!(#name.to_owned()))
            }
            Some(place) if self.slot_of(place.var).is_some() && is_moved(&place.ty) => {
                self.expr(&parse_quote!(#name.clone()))
            }
            _ => self.expr(&whole),
        }
    }
}

/// A function that captures nothing, outside of any differentiated body.
pub fn function(expr: &Expr, order: usize, reports: &mut Reports) -> Option<Code> {
    match expr {
        Expr::Paren(paren) => function(&paren.expr, order, reports),
        Expr::Group(group) => function(&group.expr, order, reports),
        Expr::Path(path) => Some(Code::Item(path.clone())),
        Expr::Closure(closure) if closure.inputs.iter().any(|input| !is_typed(input)) => {
            reports.report(diag::Extent::of(expr), &diag::FUNCTION_VALUE, "");
            None
        }
        Expr::Closure(closure) => {
            let mut lower = Lower::new(Builder::new(super::empty("")), reports);
            lower.orders = order;
            derived(closure, Default::default(), &mut lower)
                .map(|closure| Code::Closure(Box::new(closure)))
        }
        _ => {
            reports.report(diag::Extent::of(expr), &diag::FUNCTION_VALUE, "");
            None
        }
    }
}

/// Whether reading a place of this type moves what it holds.
fn is_moved(ty: &Type) -> bool {
    ty.is_aggregate() || *ty == Type::Unknown
}

/// The derivatives of a closure as a function of what it captures, of which some may be held.
fn derived(
    closure: &ExprClosure,
    (captured, held): (Vec<Parameter>, Vec<bool>),
    lower: &mut Lower,
) -> Option<Closure> {
    let captures = captured.iter().zip(held).map(|(param, is_held)| Capture {
        name: param.name.clone(),
        is_active: param.active,
        is_held,
    });
    let captures = captures.collect();
    let reports: &mut Reports = lower.reports;
    let before = captured.len();
    let mut params = captured;
    let mut types = Vec::new();
    for (index, input) in closure.inputs.iter().enumerate() {
        let (typed, ty) = typed(input);
        types.push(ty);
        params.push(signature::parameter(&typed, index, &lower.floats, reports));
    }
    let (mut own, types) = (Vec::new(), types.into_iter());
    for (param, ty) in params[before..].iter().zip(types) {
        own.push(ClosureParam { name: param.name.clone(), ty, is_active: param.active });
    }
    let output = match &closure.output {
        syn::ReturnType::Default => None,
        syn::ReturnType::Type(_, ty) => Some((**ty).clone()),
    };
    let output_kind = output.as_ref().map_or(Type::Unknown, |ty| lower.floats.read(ty));
    let name = match lower.builder.function.name.as_str() {
        "" => "closure",
        name => name,
    };
    let name = syn::parse_str(name).unwrap_or_else(|_| Ident::new("closure", Span::call_site()));
    let signature = Signature {
        siblings: name.clone(),
        name,
        params,
        output: output.clone(),
        output_kind,
        generics: syn::Generics::default(),
        spelled: Vec::new(),
        is_inferred: false,
        owner: None,
        shares: false,
        floats: lower.floats.clone(),
        overlays: lower.overlays.clone(),
        is_watched: lower.builder.function.is_watched,
        is_sum: false,
        adds_to_floats: lower.builder.function.adds_to_floats,
        copies_operands: lower.builder.function.copies_operands,
        orders: lower.orders,
    };
    let block = match &*closure.body {
        Expr::Block(block) if block.label.is_none() => block.block.clone(),
        body => syn::Block {
            brace_token: Default::default(),
            stmts: vec![Stmt::Expr(body.clone(), None)],
        },
    };
    if super::uses_cells(&block) {
        reports.report(diag::Extent::of(&closure.body), &diag::SHARED_HANDLE, "");
        return None;
    }
    let crate::pipeline::Closure { primal, jvp, vjp } =
        crate::pipeline::closure(&signature, &block, reports)?;
    Some(Closure { captures, params: own, output, primal, jvp, vjp })
}

/// A closure's parameter with its type, and that type if it is written. `&x` shows that it is a reference.
fn typed(input: &syn::Pat) -> (syn::PatType, Option<syn::Type>) {
    match input {
        syn::Pat::Type(typed) => (typed.clone(), Some((*typed.ty).clone())),
        syn::Pat::Reference(reference) => {
            let mutable = reference.mutability;
            let ty: syn::Type = parse_quote!(& #mutable _);
            (pattern_of(input, ty.clone()), Some(ty))
        }
        pattern => (pattern_of(pattern, parse_quote!(_)), None),
    }
}

/// What `self` is called in a closure, where nothing else can be of that name.
const RECEIVER: &str = "receiver_of_method";

/// A closure in which `self` has a name that a pattern can bind.
fn without_self(closure: &ExprClosure) -> ExprClosure {
    struct Renamer;
    impl VisitMut for Renamer {
        fn visit_ident_mut(&mut self, ident: &mut Ident) {
            if ident == "self" {
                *ident = Ident::new(RECEIVER, ident.span());
            }
        }

        fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
            call.tokens = renamed(std::mem::take(&mut call.tokens));
        }

        fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    }
    let mut closure = closure.clone();
    Renamer.visit_expr_closure_mut(&mut closure);
    closure
}

fn renamed(tokens: TokenStream) -> TokenStream {
    let each = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(ident) if ident == "self" => {
            TokenTree::Ident(Ident::new(RECEIVER, ident.span()))
        }
        TokenTree::Group(group) => {
            TokenTree::Group(Group::new(group.delimiter(), renamed(group.stream())))
        }
        token => token,
    });
    each.collect()
}

/// A closure that names constant items by itself.
fn with_names(closure: &ExprClosure, items: Vec<Stmt>) -> ExprClosure {
    let mut closure = closure.clone();
    if !items.is_empty() {
        *closure.body = Expr::Block(ended(items, (*closure.body).clone()));
    }
    closure
}

fn is_typed(input: &syn::Pat) -> bool {
    matches!(input, syn::Pat::Type(_))
}

fn pattern_of(pattern: &syn::Pat, ty: syn::Type) -> syn::PatType {
    syn::PatType {
        attrs: Vec::new(),
        pat: Box::new(pattern.clone()),
        colon_token: Default::default(),
        ty: Box::new(ty),
    }
}

/// The name in front of a call's parentheses: `f`, `(f)`, `(*f)`.
fn called(func: &Expr) -> Option<&syn::ExprPath> {
    match func {
        Expr::Path(path) if path.path.get_ident().is_some() => Some(path),
        Expr::Paren(paren) => called(&paren.expr),
        Expr::Group(group) => called(&group.expr),
        Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr, .. }) => called(expr),
        _ => None,
    }
}

/// Variables as a closure spells them, in the order in which they occur.
pub(super) fn spelled(closure: &ExprClosure, keys: Vec<String>) -> Vec<Ident> {
    let mut names = Names { keys, found: Vec::new() };
    names.visit_expr(&closure.body);
    names.found
}

struct Names {
    keys: Vec<String>,
    found: Vec<Ident>,
}

impl<'ast> Visit<'ast> for Names {
    fn visit_ident(&mut self, ident: &'ast Ident) {
        let key = hygiene::key(ident);
        let is_new = self.found.iter().all(|found| hygiene::key(found) != key);
        if is_new && self.keys.contains(&key) {
            self.found.push(ident.clone());
        }
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.tokens(call.tokens.clone());
    }
}

impl Names {
    fn tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => self.visit_ident(&ident),
                TokenTree::Group(group) => self.tokens(group.stream()),
                _ => {}
            }
        }
    }
}
