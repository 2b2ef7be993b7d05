//! Several directions at once: what has lanes is an array with an element for each direction.
//!
//! In: which values have lanes. Out: an instruction that reads or makes some is written for one lane, within
//! `from_fn` where it makes a value, within a loop where it writes a place. What has no lanes stands outside, and is
//! computed once. Control flow and calls take arrays as they are.

use super::Emit;
use super::expression::{Binding, Expression};
use super::place::Reach;
use crate::analysis::lanes::{self, Lanes};
use crate::binding::{item, local};
use crate::ir::{Access, Call, Callee, Inst, Op, Passing, Slot, Tape, Value};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// What a variable with lanes stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// The array.
    Whole,
    /// Its element for the lane at hand.
    Lane,
    /// A reference to that element, under the variable's own name.
    Inner,
}

fn index() -> Ident {
    local("lane")
}

/// The name under which bodies import the function that makes an array.
pub fn each_lane() -> Ident {
    item("__each_lane")
}

/// A path whose generic arguments, where they are written, have the number of lanes in front.
fn with_count(path: &syn::ExprPath, count: &Ident) -> syn::ExprPath {
    let mut path = path.clone();
    let last = path.path.segments.last_mut().map(|segment| &mut segment.arguments);
    if let Some(syn::PathArguments::AngleBracketed(arguments)) = last {
        let is_lifetime =
            |one: &syn::GenericArgument| matches!(one, syn::GenericArgument::Lifetime(_));
        let position = arguments.args.iter().take_while(|one| is_lifetime(one)).count();
        arguments.args.insert(position, syn::parse_quote!({ #count }));
    }
    path
}

impl Emit<'_> {
    fn lanes(&self) -> Option<&Lanes> {
        self.context.lanes.as_ref().map(|(lanes, _)| lanes)
    }

    /// The constant parameter that says how many lanes there are.
    fn lane_count(&self) -> &Ident {
        let lanes = self.context.lanes.as_ref();
        lanes.map(|(_, count)| count).expect("a function with lanes")
    }

    /// An array from what is written for one lane.
    pub(super) fn each(&self, tokens: &TokenStream) -> TokenStream {
        let (lane, count, each) = (index(), self.lane_count(), each_lane());
        quote!(#each::<_, { #count }, _>(|#lane| #tokens))
    }

    pub(super) fn has_lanes(&self, value: Value) -> bool {
        self.lanes().is_some_and(|lanes| lanes.has(self.function, value))
    }

    pub(super) fn place_has_lanes(&self, slot: Slot) -> bool {
        self.lanes().is_some_and(|lanes| lanes.has_place(slot))
    }

    /// Whether an instruction is written for one lane.
    pub(super) fn turn_of(&self, inst: &Inst) -> Turn {
        let touches = self.lanes().is_some_and(|lanes| lanes.touch(self.function, inst));
        let is_whole = matches!(
            inst.op,
            Op::If(..)
                | Op::Loop(_)
                | Op::CallJvp(_)
                | Op::Destructure
                | Op::SplitError
                | Op::TapePush(_)
                | Op::TapePop(_)
        );
        if touches && !is_whole { Turn::Lane } else { Turn::Whole }
    }

    pub(super) fn within<T>(&mut self, turn: Turn, emit: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.turn, turn);
        let emitted = emit(self);
        self.turn = outer;
        emitted
    }

    /// A statement, once for each lane where it is written for one.
    pub(super) fn state(&mut self, statement: TokenStream) {
        self.statements.push(match self.turn {
            Turn::Whole => statement,
            _ => {
                let (lane, count) = (index(), self.lane_count());
                quote!(for #lane in 0..#count { #statement })
            }
        });
    }

    /// A variable with lanes.
    pub(super) fn lane_of(&self, value: Value, ident: &Ident) -> TokenStream {
        let lane = index();
        let is_place = self.function.slot_of(value).is_some();
        match self.turn {
            Turn::Whole | Turn::Inner => quote!(#ident),
            Turn::Lane if is_place || self.function.ty(value).is_copy() => quote!(#ident[#lane]),
            Turn::Lane => quote!(::core::clone::Clone::clone(&#ident[#lane])),
        }
    }

    /// Binds a waiting value without lanes, so that it is computed once and not in each.
    pub(super) fn take_out(&mut self, value: Value) {
        if self.turn != Turn::Whole && !self.has_lanes(value) {
            self.bind_waiting(value, |_| true);
        }
    }

    /// A waiting value as the array of what it is in each lane.
    pub(super) fn gathered(&self, value: Value, expression: Expression) -> Expression {
        if self.turn != Turn::Whole || !self.has_lanes(value) {
            return expression;
        }
        Expression {
            leaves: expression.leaves,
            is_ordered: expression.is_ordered,
            ..Expression::new(self.each(&expression.tokens), Binding::Postfix)
        }
    }

    /// A value without lanes as the next of a variable that has some.
    pub(super) fn spread(&mut self, value: Value) -> Expression {
        let mut expression = Expression::new(self.moved_to(value, true), Binding::Postfix);
        expression.leaves.push(value);
        expression
    }

    /// A value in a position that has lanes, or has none.
    pub(super) fn moved_to(&mut self, value: Value, has_lanes: bool) -> TokenStream {
        if !has_lanes || self.has_lanes(value) {
            return self.moved(value);
        }
        let tokens = self.within(Turn::Lane, |emit| emit.moved(value));
        self.each(&tokens)
    }

    pub(super) fn is_given_lanes(&self, inst: &Inst) -> bool {
        self.lanes().is_some_and(|lanes| lanes::has_lanes(lanes, self.function, inst))
    }

    /// A call of the callee's form for several directions.
    pub(super) fn call_lanes(&mut self, call: &Call, inst: &Inst) -> TokenStream {
        let mut args = Vec::new();
        for (passing, primal, tangent) in lanes::operands(call, inst) {
            let value = self.operand(passing, primal);
            args.push(match self.lent_lanes(&value, passing, tangent) {
                Some(lent) => quote!(#value, #lent),
                None => {
                    let tangents = self.lane_operand(passing, tangent);
                    quote!(#value, #tangents)
                }
            });
        }
        let (Callee::Path(path) | Callee::Stopped(path)) = &call.callee else {
            unreachable!("a callee with lanes has a path");
        };
        let callee =
            super::companion_path(&with_count(path, self.lane_count()), "jvp_batch", false);
        quote!(#callee(#(#args),*))
    }

    /// The tangents of an operand behind `&` that may be those of a constant field: what lends them stays in a variable.
    fn lent_lanes(
        &mut self,
        value: &TokenStream,
        passing: &Passing,
        args: &[Value],
    ) -> Option<TokenStream> {
        let (Passing::Shared(path) | Passing::Interior(path)) = passing else { return None };
        if !self.may_be_constant(args[0], path) {
            return None;
        }
        let part = self
            .within(Turn::Lane, |emit| emit.lent_part(Some(value), (args, path, Reach::Shared)));
        let (lent, parts) = (self.names.holder("lent"), self.each(&part));
        self.statements.push(quote!(
            let #lent = { use ::cotangent::__private::Part as _; #parts };
        ));
        Some(quote!(#lent.each_ref().map(|#lent| ::cotangent::__private::passed(&**#lent))))
    }

    /// The tangents of an operand.
    fn lane_operand(&mut self, passing: &Passing, args: &[Value]) -> TokenStream {
        match passing {
            Passing::Value => self.moved_to(args[0], true),
            Passing::Unique(_) => {
                let slot = self.function.slot_of(args[0]).expect("a place");
                let ident = self.names.slot(self.function, slot);
                let operand = self.within(Turn::Inner, |emit| emit.operand(passing, args));
                let inner = match self.function.slot(slot).access {
                    Access::Owned => quote!(),
                    _ => quote!(.map(|#ident| &mut **#ident)),
                };
                quote!(#ident.each_mut() #inner .map(|#ident| ::cotangent::__private::passed(#operand)))
            }
            _ => {
                let operand = self.within(Turn::Lane, |emit| emit.operand(passing, args));
                self.each(&quote!(::cotangent::__private::passed(#operand)))
            }
        }
    }

    /// The parts of a tape's entry.
    pub(super) fn entry(&mut self, tape: Tape, values: &[Value]) -> Vec<TokenStream> {
        let each = values.iter().enumerate();
        each.map(|(part, value)| {
            let has_lanes = self.lanes().is_some_and(|lanes| lanes.has_entry(tape, part));
            self.moved_to(*value, has_lanes)
        })
        .collect()
    }

    /// The parts of a tuple.
    pub(super) fn destructure_lanes(&mut self, inst: &Inst) {
        self.bind_waiting(inst.args[0], |_| true);
        for (position, result) in inst.results.iter().enumerate() {
            if self.use_count(*result) == 0 {
                continue;
            }
            let index = syn::Index::from(position);
            let whole = self.within(Turn::Lane, |emit| emit.variable_of(inst.args[0]));
            self.bind(*result, quote!(::core::clone::Clone::clone(&#whole.#index)));
        }
    }
}
