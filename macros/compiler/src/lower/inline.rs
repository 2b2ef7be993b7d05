//! Closures that are called where they are written: `array.map(|x| ..)`, `option.map(|x| ..)` and kin.
//!
//! The closure's body takes the place of the call, with the parameter bound to the element. Bodies that
//! leave early keep the closure, which is then reported.

use super::desugar::{branch, desugar_expr, end, ended, is_iterator, matched, name, scrutinee};
use super::{Lower, scan};
use crate::ir::{Type, Value};
use proc_macro2::Span;
use syn::{Expr, Pat, parse_quote, parse_quote_spanned};

/// How many `map`s of arrays may be in one another.
const MOST_MAPS: u32 = 5;

impl Lower<'_> {
    /// A method that is given a closure.
    pub(super) fn inlined(&mut self, call: &syn::ExprMethodCall) -> Option<Value> {
        let (parameter, body) = self.untyped(closure(call.args.last()?)?);
        let (parameter, body) = (parameter.as_ref(), &body);
        let is_array = matches!(self.receiver_type(&call.receiver), Some(Type::Array(..)));
        let receiver = &scrutinee(&call.receiver);
        let choose =
            |held: &Pat, some, none| choose(receiver, call.method.span(), held, some, none);
        let expr = match (call.method.to_string().as_str(), call.args.len(), parameter) {
            ("map", 1, Some(parameter)) if is_array => {
                return self.mapped_array(&call.receiver, parameter, body);
            }
            ("map", 1, Some(_)) if self.known.is_matrix(&call.receiver) => return None,
            ("map", 1, Some(parameter)) => {
                choose(parameter, parse_quote!(Some(#body)), parse_quote!(None))
            }
            ("and_then", 1, Some(parameter)) => choose(parameter, body.clone(), parse_quote!(None)),
            ("map_or", 2, Some(parameter)) => {
                let (default, held) = (&call.args[0], name("default", &mut self.made_names));
                let chosen = choose(parameter, body.clone(), parse_quote!(#held));
                Expr::Block(ended(vec![parse_quote!(let #held = #default;)], chosen))
            }
            ("is_some_and", 1, Some(parameter)) => {
                choose(parameter, body.clone(), parse_quote!(false))
            }
            ("map_or_else", 2, Some(parameter)) => {
                let (None, default) = closure(&call.args[0])? else { return None };
                choose(parameter, body.clone(), default.clone())
            }
            ("filter", 1, Some(parameter)) if !is_iterator(receiver) => {
                let held = name("held", &mut self.made_names);
                let stays = matched(parse_quote!(&#held), [(parameter.clone(), body.clone())]);
                let kept = some_where(stays, parse_quote!(#held));
                choose(&parse_quote!(#held), kept, parse_quote!(None))
            }
            ("or_else", 1, None) => {
                let held = name("held", &mut self.made_names);
                choose(&parse_quote!(#held), parse_quote!(Some(#held)), body.clone())
            }
            ("then", 1, None) => some_where(receiver.clone(), body.clone()),
            ("unwrap_or_else", 1, None) => {
                let held = name("held", &mut self.made_names);
                choose(&parse_quote!(#held), parse_quote!(#held), body.clone())
            }
            _ => return None,
        };
        Some(self.rewritten(expr))
    }

    /// A parameter as a pattern of a `match`: where its type is written, that is stated in the body.
    fn untyped(&mut self, (parameter, body): (Option<&Pat>, &Expr)) -> (Option<Pat>, Expr) {
        let Some(parameter @ Pat::Type(_)) = parameter else {
            return (parameter.cloned(), body.clone());
        };
        let held = name("held", &mut self.made_names);
        let typed = parse_quote!(let #parameter = #held;);
        (Some(parse_quote!(#held)), syn::Expr::Block(ended(vec![typed], body.clone())))
    }

    pub(super) fn rewritten(&mut self, expr: Expr) -> Value {
        let expr = desugar_expr(expr, &self.known, &mut self.made_names);
        self.expr(&expr)
    }

    fn receiver_type(&mut self, receiver: &Expr) -> Option<Type> {
        match receiver {
            Expr::Path(_) | Expr::Field(_) => self.place(receiver).map(|place| place.ty),
            _ => None,
        }
    }

    /// Element by element. The first one gives the array its type, so that the body is there twice, and `map`s in one
    /// another make more code than any limit allows.
    fn mapped_array(&mut self, array: &Expr, parameter: &Pat, body: &Expr) -> Option<Value> {
        let Some(Type::Array(_, len)) = self.receiver_type(array) else { return None };
        if self.array_maps >= MOST_MAPS {
            return None;
        }
        let len = end(&syn::parse_str(&len).ok()?);
        let (first, mapped) =
            (name("first", &mut self.made_names), name("mapped", &mut self.made_names));
        let index = name("index", &mut self.made_names);
        // Built and not parsed: a body may begin with a block.
        let of = |element: syn::Stmt| ended(vec![element], body.clone());
        let (at_first, at_index) = (
            of(parse_quote!(let #parameter = #array[0];)),
            of(parse_quote!(let #parameter = #array[#index];)),
        );
        self.array_maps += 1;
        let value = self.rewritten(parse_quote!({
            let #first = #at_first;
            let mut #mapped = [#first; #len];
            for #index in 1..#len {
                #mapped[#index] = #at_index;
            }
            #mapped
        }));
        self.array_maps -= 1;
        Some(value)
    }
}

/// A value, on a condition.
fn some_where(condition: Expr, value: Expr) -> Expr {
    branch(condition, ended(Vec::new(), parse_quote!(Some(#value))).block, Some(parse_quote!(None)))
}

/// What an `Option` gives, by whether something is in it. Where it is none, rustc says so at the method's name.
fn choose(option: &Expr, method: Span, held: &Pat, some: Expr, none: Expr) -> Expr {
    let (is_some, is_none) =
        (parse_quote_spanned!(method=> Some(#held)), parse_quote_spanned!(method=> None));
    matched(option.clone(), [(is_some, some), (is_none, none)])
}

/// A closure's parameter and body, where its body stays inside.
fn closure(expr: &Expr) -> Option<(Option<&Pat>, &Expr)> {
    let Expr::Closure(closure) = expr else { return None };
    let is_inside = !scan::exits(&closure.body).any && !scan::attempts(&closure.body);
    let parameter = closure.inputs.first();
    (closure.inputs.len() < 2 && is_inside).then_some((parameter, &closure.body))
}
