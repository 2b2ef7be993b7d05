//! Proofs: what rustc has to accept so that derivative code compiles.
//!
//! In: [`Op::Proof`] and [`Op::Proved`], which the audit writes. Out: code that is type-checked and never runs, and operators
//! behind a bound that the types of the standard library satisfy. Errors stand at the callee or the operator.

use super::Emit;
use super::effect::split;
use super::expression::{Binding, Expression, operator};
use super::place::{Reach, Start};
use super::{companion_path, conversion, function, sibling};
use crate::binding::local;
use crate::ir::{Call, Callee, Inst, Mode, Op, Passing, Path, Proof, Value};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};

impl Emit<'_> {
    /// Asks for a proof.
    pub(super) fn proof(&mut self, inst: &Inst, proof: &Proof) {
        let span = inst.span;
        let statement = match proof {
            Proof::NoCells(path) => {
                let place = self.borrowed(&inst.args, path);
                quote_spanned!(span=> ::cotangent::__private::separate(#place);)
            }
            Proof::Derivative(call, mode) => {
                let call = self.derivative_that_never_runs(call, *mode, &inst.args);
                quote_spanned!(span=> if false { let _ = #call; })
            }
            Proof::Comparable(path) => {
                let value = match path {
                    Some(path) => self.place(&inst.args, path, Reach::Shared),
                    None => self.expression(inst.args[0]).at(Binding::Unary),
                };
                of_type(&Ident::new("is_comparable", span), value, span)
            }
            Proof::Row(rule) => {
                let name = Ident::new(rule.name, Span::call_site());
                let args: Vec<TokenStream> =
                    inst.args.iter().map(|arg| self.reference(*arg, span)).collect();
                let never = quote!(&::cotangent::__private::never());
                quote_spanned! {span=>
                    if false {
                        let _ = ::cotangent::__private::rules::#name::vjp_0(#(#args,)* #never, #never);
                    }
                }
            }
            Proof::Writable(path) => self.writable(inst, path),
            Proof::Tangent => {
                let value = self.expression(inst.args[0]).at(Binding::Unary);
                of_type(&Ident::new("has_tangent", span), value, span)
            }
        };
        self.statements.push(statement);
    }

    /// A question to the part of a tangent that belongs to what has been written. It never runs.
    fn writable(&mut self, inst: &Inst, path: &Path) -> TokenStream {
        let span = located(inst.span);
        let written = self.borrowed(&inst.args, path);
        let (whole, tangent) = (self.borrowed(&inst.args[..1], &Path::new()), local("tangent"));
        let root = (Start::variable(tangent.to_token_stream()), false, true);
        let part = self.part_of(root, &inst.args, path, Reach::Shared);
        let [whole, written] = [whole, written].map(|tokens| -> TokenStream {
            tokens.into_iter().map(|token| located_at(token, span)).collect()
        });
        quote_spanned! {span=>
            if false {
                use ::cotangent::__private::Writable as _;
                let #tangent = ::cotangent::Differentiable::zero_tangent(#whole);
                #part.__takes(#written);
            }
        }
    }

    /// A call of a derivative for its type alone. It takes nothing over: the call itself stands behind it.
    fn derivative_that_never_runs(
        &mut self,
        call: &Call,
        mode: Mode,
        args: &[Value],
    ) -> TokenStream {
        let derivative = match mode {
            Mode::Forward => "jvp",
            Mode::Reverse => "vjp",
        };
        let mut operands = split(call, args);
        let called = match &call.callee {
            Callee::Method(method) => {
                let (passing, receiver, _) = operands.remove(0);
                let receiver = self.passed_receiver(passing, receiver);
                let name = sibling(method, derivative, false);
                quote!(#receiver.#name)
            }
            Callee::Path(path) | Callee::Stopped(path) => {
                let callee = companion_path(path, derivative, false);
                match conversion::may_be(path) {
                    true => conversion::callee(operands[0].0, &callee),
                    false => callee,
                }
            }
            Callee::Function | Callee::Pointer => {
                unreachable!("they have derivatives, or an error")
            }
        };
        let is_method = matches!(call.callee, Callee::Method(_));
        let some = || (mode == Mode::Forward).then(|| quote!(::cotangent::__private::never()));
        let mut tokens: Vec<TokenStream> = some().filter(|_| is_method).into_iter().collect();
        for (passing, args, given) in operands {
            let operand = self.operand_that_stays(passing, args);
            match given {
                None => tokens.push(operand),
                Some(given) => tokens.extend(function::parts(&given.code, &operand, 1)),
            }
            tokens.extend(some());
        }
        quote!(#called(#(#tokens),*))
    }

    /// An operand of which nothing is moved away.
    fn operand_that_stays(&mut self, passing: &Passing, args: &[Value]) -> TokenStream {
        match passing {
            Passing::Value => {
                let value = self.expression(args[0]).at(Binding::Unary);
                quote!(::cotangent::__private::like(&#value))
            }
            Passing::Shared(_) | Passing::Interior(_) | Passing::Unique(_) => {
                self.operand(passing, args)
            }
        }
    }

    /// An operator of the standard library, which rustc proves it to be.
    pub(super) fn proved(&mut self, op: &Op, inst: &Inst) -> Expression {
        let [a, b] = ["a", "b"].map(local);
        let args: Vec<TokenStream> =
            inst.args.iter().map(|arg| self.expression(*arg).at(Binding::Unary)).collect();
        let tokens = match op {
            Op::Binary(op) => {
                let span = located(syn::spanned::Spanned::span(op));
                let (left, right) = (&args[0], &args[1]);
                match operator(op) {
                    Binding::Comparison => quote_spanned!(span=>
                        ::cotangent::__private::compare(&#left, &#right, |#a, #b| *#a #op *#b)
                    ),
                    _ => quote_spanned!(span=>
                        ::cotangent::__private::combine(#left, #right, |#a, #b| #a #op #b)
                    ),
                }
            }
            Op::Method(name) => {
                let (span, left, right) = (located(name.span()), &args[0], &args[1]);
                quote_spanned!(span=>
                    ::cotangent::__private::compare(&#left, &#right, |#a, #b| (*#a).#name(#b))
                )
            }
            _ => {
                let (span, operand) = (located(inst.span), &args[0]);
                quote_spanned!(span=> ::cotangent::__private::invert(#operand, |#a| !#a))
            }
        };
        Expression { is_ordered: true, ..Expression::new(tokens, Binding::Postfix) }
    }
}

/// A proof about the type of a value. Where tokens are of several origins, rustc reports errors at the attribute.
fn of_type(property: &Ident, value: TokenStream, span: Span) -> TokenStream {
    let span = located(span);
    let value: TokenStream = value.into_iter().map(|token| located_at(token, span)).collect();
    quote_spanned!(span=> if false { ::cotangent::__private::#property(&#value); })
}

/// The place of a token of the user's in code of the macro's.
fn located(span: Span) -> Span {
    Span::call_site().located_at(span)
}

/// The token, at which rustc reports an error as at another.
fn located_at(mut token: TokenTree, span: Span) -> TokenTree {
    token.set_span(token.span().located_at(span));
    token
}
