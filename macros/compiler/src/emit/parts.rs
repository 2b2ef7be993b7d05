//! What a level of a recursion does between its calls of the next.
//!
//! In: instructions of a function that calls itself. Out: those that do not call it, in functions of their own, so that
//! the frame that each level keeps holds the function's parameters, what is needed behind a call, and nothing of how
//! that was computed. In an unoptimised build each variable and each part of an expression has a place in the frame of
//! the function that it is in. An optimised one puts these parts back where they were.
//!
//! What a part makes and others need is in one variable, `kept`. Parts are given it, and the parameters, by reference,
//! which takes no place, and have names for what is in it.

use super::Emit;
use super::apart::{Given, Inline, set_apart};
use super::control::Counted;
use super::expression::{Binding, Expression};
use super::levels::calls_itself;
use crate::ir::entity::EntitySet;
use crate::ir::free::Free;
use crate::ir::{Access, Adaptor, Block, Half, Inst, Loop, LoopKind, Op, Passing, Slot, Value};
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};

impl Emit<'_> {
    /// The first instructions of a list, up to `end`: those between calls of the next level are apart. What makes a
    /// place of its own is so alone, since the place has a variable of its own.
    pub(super) fn parts(&mut self, insts: &[Inst], end: usize, results: &[Value], block: &Block) {
        let mut at = 0;
        while at < end {
            let is_border = |inst: &Inst| calls_itself(inst) || self.makes_place(inst);
            let border =
                insts[at..end].iter().position(is_border).map_or(end, |border| at + border);
            self.part(&insts[at..border], &Free::of(&insts[border..], results), block);
            match insts[..end].get(border) {
                Some(inst) if calls_itself(inst) => self.inst(inst, block),
                Some(inst) => {
                    let later = Free::of(&insts[border + 1..], results);
                    self.part(std::slice::from_ref(inst), &later, block);
                }
                None => {}
            }
            at = border + 1;
        }
    }

    /// Whether a place that is a local variable begins here.
    fn makes_place(&self, inst: &Inst) -> bool {
        let slot_of = |value: &Value| self.function.slot_of(*value);
        let is_new = |value: &Value| {
            slot_of(value).is_some_and(|slot| {
                self.function.slot(slot).access == Access::Owned
                    && !inst.args.iter().any(|arg| slot_of(arg) == Some(slot))
            })
        };
        !inst.op.has_blocks() && inst.results.iter().any(is_new)
    }

    /// Instructions in a frame of their own, of which later ones use some values.
    fn part(&mut self, insts: &[Inst], later: &Free, block: &Block) {
        if insts.iter().all(|inst| self.is_slight(inst, block)) {
            return insts.iter().for_each(|inst| self.inst(inst, block));
        }
        self.settle(true);
        let used = Free::of(insts, &[]);
        let mut kept = Vec::new();
        let made = self.in_a_frame(&used, |emit| {
            insts.iter().for_each(|inst| emit.inst(inst, block));
            kept = emit.kept_of(insts, &used, later);
            emit.handed_over(&kept)
        });
        self.keep(&kept, &made);
    }

    /// The end of a block, from behind its last call of the next level, with what it yields.
    pub(super) fn last_part(
        &mut self,
        block: &Block,
        values: &[Value],
        tail: impl FnOnce(&mut Self) -> TokenStream,
    ) -> TokenStream {
        let last = block.insts.iter().rposition(calls_itself).map_or(0, |last| last + 1);
        self.parts(&block.insts, last, values, block);
        let insts = &block.insts[last..];
        if insts.iter().all(|inst| self.is_slight(inst, block)) {
            insts.iter().for_each(|inst| self.inst(inst, block));
            return tail(self);
        }
        self.settle(true);
        self.in_a_frame(&Free::of(insts, values), |emit| {
            insts.iter().for_each(|inst| emit.inst(inst, block));
            tail(emit)
        })
    }

    /// What is emitted in a frame of its own.
    fn in_a_frame(
        &mut self,
        used: &Free,
        emit: impl FnOnce(&mut Self) -> TokenStream,
    ) -> TokenStream {
        let given = self.given(used, Inline::Optimised);
        let body = self.within_part(&given, |inner| {
            let tail = emit(inner);
            inner.settle(true);
            tail
        });
        set_apart(&body, &given, Inline::Optimised)
    }

    /// What instructions make and later ones use.
    fn kept_of(&self, insts: &[Inst], used: &Free, later: &Free) -> Vec<Value> {
        let slot_of = |value: &Value| self.function.slot_of(*value);
        let mut places: EntitySet<Slot> = used.values.iter().filter_map(slot_of).collect();
        let is_kept = |value: &Value| {
            later.values.contains(value)
                && !self.constants.contains_key(value)
                && slot_of(value).is_none_or(|slot| places.insert(slot))
        };
        insts.iter().flat_map(|inst| &inst.results).copied().filter(is_kept).collect()
    }

    /// The values that a part hands over: those in a tuple, if there are several, then places.
    fn handed_over(&mut self, kept: &[Value]) -> TokenStream {
        self.read_before(kept);
        kept.iter().for_each(|value| self.read_before_handing_on(*value));
        let (plain, places) = self.divided(kept);
        let [plain, places] = [plain, places].map(|values| {
            values.iter().map(|value| self.expression(*value).tokens).collect::<Vec<_>>()
        });
        let plain = (!plain.is_empty()).then(|| super::bare_or_tuple(&plain));
        let all: Vec<TokenStream> = plain.into_iter().chain(places).collect();
        if all.is_empty() { TokenStream::new() } else { super::bare_or_tuple(&all) }
    }

    /// What is in no place, and what is.
    fn divided(&self, values: &[Value]) -> (Vec<Value>, Vec<Value>) {
        values.iter().partition(|value| self.function.slot_of(**value).is_none())
    }

    fn is_copied(&self, value: Value) -> bool {
        self.function.slot_of(value).is_none() && self.function.ty(value).is_copy()
    }

    /// Binds what a part hands over.
    fn keep(&mut self, kept: &[Value], made: &TokenStream) {
        let (plain, places) = self.divided(kept);
        let plain = match plain[..] {
            [] => None,
            [one] => Some(self.bound_again(one)),
            _ => Some(self.holder("kept", &plain)),
        };
        let places = places.into_iter().map(|value| self.bound_again(value));
        let all: Vec<TokenStream> = plain.into_iter().chain(places).collect();
        self.statements.push(if all.is_empty() {
            quote!(#made;)
        } else {
            let pattern = super::bare_or_tuple(&all);
            quote!(let #pattern = #made;)
        });
    }

    /// A variable whose name a block inside gave it.
    fn bound_again(&mut self, value: Value) -> TokenStream {
        let ident = self.names.again(self.function, value);
        let mutable = self.function.slot_of(value).map(|_| quote!(mut));
        quote!(#mutable #ident)
    }

    /// A loop that runs the next level counts by itself: in an unoptimised build a range, the iterator of it and what
    /// that gives have places of their own. The end is an expression that may be read again.
    pub(super) fn counted(&mut self, repeat: &Loop, inst: &Inst) -> Option<Counted> {
        let LoopKind::Range { inclusive: false, adaptors } = &repeat.kind else { return None };
        let index = repeat.body.params[0];
        let is_down = match adaptors[..] {
            [] => false,
            [Adaptor::Rev] => true,
            _ => return None,
        };
        if !self.has_parts || !calls_itself(inst) || self.function.slot_of(index).is_some() {
            return None;
        }
        let bounds = [inst.args[0], inst.args[1]];
        let (from, to) = if is_down { (bounds[1], bounds[0]) } else { (bounds[0], bounds[1]) };
        let is_named =
            |value| self.kept.contains_key(&value) || self.constants.contains_key(&value);
        if !is_named(to) {
            self.bind_waiting(to, |_| true);
        }
        let [from, to] = [from, to].map(|value| self.expression(value).at(Binding::Sum));
        self.settle(false);
        let index = self.names.value(self.function, index);
        self.statements.push(quote!(let mut #index = #from;));
        Some(match is_down {
            true => Counted {
                head: quote!(while #index > #to),
                first: quote!(#index -= 1;),
                last: TokenStream::new(),
            },
            false => Counted {
                head: quote!(while #index < #to),
                first: TokenStream::new(),
                last: quote!(#index += 1;),
            },
        })
    }

    /// One variable for several results of a call or a branch, if none is a place.
    pub(super) fn held_results(&mut self, name: &str, results: &[Value]) -> Option<TokenStream> {
        let is_plain = |value: &Value| self.function.slot_of(*value).is_none();
        let is_held = self.has_parts && results.len() > 1 && results.iter().all(is_plain);
        is_held.then(|| self.holder(name, results))
    }

    /// A variable that holds several values.
    pub(super) fn holder(&mut self, name: &str, values: &[Value]) -> TokenStream {
        let ident = self.names.holder(name);
        for (index, value) in values.iter().enumerate() {
            let index = syn::Index::from(index);
            self.names.again(self.function, *value);
            self.kept.insert(*value, ident.clone());
            self.constants.insert(*value, Expression::new(quote!(#ident.#index), Binding::Postfix));
        }
        ident.to_token_stream()
    }

    /// What a part is given. The rest it captures: `self`, which cannot be a parameter's name, and what may be moved,
    /// of which rustc sees whether it is.
    pub(super) fn given(&mut self, free: &Free, inline: Inline) -> Given {
        let mut given = Given::default();
        for value in &free.values {
            let is_held = self.kept.contains_key(value);
            if is_held || !self.constants.contains_key(value) {
                self.give(*value, inline, &mut given);
            }
        }
        given
    }

    fn give(&mut self, value: Value, inline: Inline, given: &mut Given) {
        let ident = self.names.value(self.function, value);
        if ident == "self" {
            return;
        }
        let held = self.constants.get(&value).map(|held| held.tokens.clone());
        let place = held.clone().unwrap_or_else(|| ident.to_token_stream());
        let access = self.function.slot_of(value).map(|slot| self.function.slot(slot).access);
        let is_copied = self.is_copied(value) || access == Some(Access::Shared);
        let (arg, pattern) = match (inline, access) {
            (Inline::Optimised, _) if is_copied => (quote!(&#place), quote!(&#ident)),
            (Inline::Copied, _) if is_copied => (place, quote!(#ident)),
            (Inline::Optimised | Inline::Copied, Some(Access::Unique)) => {
                (quote!(&mut *#place), quote!(#ident))
            }
            (Inline::Optimised | Inline::Copied, _) => return,
            (Inline::Never | Inline::Seldom, Some(Access::Owned)) => (place, quote!(mut #ident)),
            (Inline::Never | Inline::Seldom, _) => (place, quote!(#ident)),
        };
        if held.is_some() {
            given.held.push(value);
        }
        given.push(ident, arg, pattern);
    }

    /// A block in which values have names that are elsewhere parts of a tuple.
    pub(super) fn within_part(
        &mut self,
        given: &Given,
        emit: impl FnOnce(&mut Self) -> TokenStream,
    ) -> TokenStream {
        let outer: Vec<(Value, Expression)> = given
            .held
            .iter()
            .filter_map(|value| Some((*value, self.constants.remove(value)?)))
            .collect();
        let has_parts = std::mem::replace(&mut self.has_parts, false);
        let (statements, tail) = self.nested(emit);
        self.has_parts = has_parts;
        self.constants.extend(outer);
        quote!({ #(#statements)* #tail })
    }

    /// The types of the operands of a call of the next level, which are those of the parameters of this one.
    pub(super) fn types_below(&self, is_direct: bool) -> Vec<TokenStream> {
        if is_direct && self.has_parts { self.context.types.clone() } else { Vec::new() }
    }

    pub(super) fn types_of_half(&self, half: Half) -> Vec<TokenStream> {
        match half {
            Half::Sweep => self.context.types.clone(),
            Half::Unwind => self.context.pullback.iter().map(|(_, ty)| ty.clone()).collect(),
        }
    }

    /// Whether the way to an operand is nothing, or must be written in the call itself, since another part of its place is
    /// borrowed there.
    pub(super) fn is_lent_at_once(&self, passing: &Passing, args: &[Value]) -> bool {
        passing.path().is_none_or(Vec::is_empty) || self.neighbours.has(args[0])
    }

    /// An operand of a call of the next level. The way to a part of a place is apart, and so is what makes a
    /// reference of a box of it, if the type that is wanted can be said.
    pub(super) fn operand_below(
        &mut self,
        passing: &Passing,
        args: &[Value],
        ty: Option<&TokenStream>,
    ) -> TokenStream {
        if !self.has_parts || self.is_lent_at_once(passing, args) {
            return self.operand(passing, args);
        }
        args[1..].iter().for_each(|index| self.bind_waiting(*index, |_| true));
        let free = Free { values: args.iter().copied().collect(), ..Free::default() };
        let mut given = self.given(&free, Inline::Optimised);
        given.made = ty.filter(|ty| !is_opaque(ty)).cloned();
        let body = self.within_part(&given, |emit| emit.operand(passing, args));
        set_apart(&body, &given, Inline::Optimised)
    }

    /// Whether an instruction takes no place in a frame: an operation on floats in the expression that uses it.
    pub(super) fn is_slight(&self, inst: &Inst, block: &Block) -> bool {
        let is_float = |value: &Value| self.function.ty(*value).is_float();
        match &inst.op {
            Op::Literal(_)
            | Op::Item(_)
            | Op::Zero(_)
            | Op::One
            | Op::NoTangent
            | Op::Undefined => inst.args.is_empty(),
            Op::Apply(rule) => {
                ["add", "sub", "mul", "div", "neg"].contains(&rule.name)
                    && inst.args.iter().chain(&inst.results).all(is_float)
                    && self.is_inlinable(inst, block)
            }
            _ => false,
        }
    }
}

/// Whether a type stands for one that has no name.
pub(super) fn is_opaque(ty: &TokenStream) -> bool {
    ty.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == "impl",
        TokenTree::Group(group) => is_opaque(&group.stream()),
        _ => false,
    })
}
