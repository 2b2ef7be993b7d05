//! `if`, loops and pullbacks.

use super::expression::{Binding, Expression};
use super::{Emit, Frame};
use crate::ir::{Access, Adaptor, Block, Inst, Loop, LoopKind, Op, Slot, Type, Value};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use std::collections::BTreeSet;

/// As many vectors as `apart` takes.
const MOST_APART: usize = 8;

impl Emit<'_> {
    pub(super) fn control(&mut self, inst: &Inst, block: &Block) {
        match &inst.op {
            Op::If(then, other) => self.branch(inst, then, other, block),
            Op::Loop(repeat) => self.repeat(inst, repeat),
            _ => unreachable!("only control flow comes here"),
        }
    }

    fn branch(&mut self, inst: &Inst, then: &Block, other: &Block, block: &Block) {
        let outer = std::mem::take(&mut self.reads);
        let condition = self.expression(inst.args[0]);
        self.settle(false);
        let visible: Vec<usize> = (0..inst.results.len())
            .filter(|index| !self.is_in_place(inst, then, other, *index))
            .collect();
        let (then_statements, then_tail) = self.arm(then, &visible, inst);
        let (other_statements, other_tail) = self.arm(other, &visible, inst);
        let reads = std::mem::replace(&mut self.reads, outer);
        if then_statements.is_empty() && other_statements.is_empty() && visible.len() == 1 {
            let mut expression = self.choice(inst, &condition, &then_tail, &other_tail, visible[0]);
            (expression.leaves, expression.touched) = (reads.leaves, reads.touched);
            return self.bind_choice(inst.results[visible[0]], expression, block);
        }
        let condition = &condition.tokens;
        let span = inst.span;
        let bound = self.bound_branch(inst, &visible);
        let other = match other_statements.is_empty() && other_tail.is_empty() {
            true => TokenStream::new(),
            false => otherwise(&other_statements, &other_tail),
        };
        let end = (!visible.is_empty()).then(|| quote!(;));
        self.statements.push(quote_spanned!(span=> #bound if #condition { #(#then_statements)* #then_tail } #other #end));
    }

    /// Both arms yield the next version of one place: they wrote it where it is.
    fn is_in_place(&self, inst: &Inst, then: &Block, other: &Block, index: usize) -> bool {
        let slot = self.function.slot_of(inst.results[index]);
        slot.is_some()
            && [then, other].iter().all(|block| self.function.slot_of(block.results[index]) == slot)
    }

    /// A block, and those of the branch's results that it yields.
    fn arm(
        &mut self,
        block: &Block,
        visible: &[usize],
        inst: &Inst,
    ) -> (Vec<TokenStream>, TokenStream) {
        let values: Vec<Value> = visible.iter().map(|index| block.results[*index]).collect();
        let yielded = |emit: &mut Self| {
            emit.home = block.id;
            emit.read_before(&values);
            let results = visible.iter().map(|index| inst.results[*index]);
            let parts = values.iter().zip(results);
            let parts: Vec<TokenStream> = parts
                .map(|(value, result)| emit.moved_to(*value, emit.has_lanes(result)))
                .collect();
            emit.settle(true);
            if parts.is_empty() { TokenStream::new() } else { super::bare_or_tuple(&parts) }
        };
        self.nested(|emit| {
            emit.insts(block);
            yielded(emit)
        })
    }

    /// `a && b`, `a || b`, `if c { x } else { y }` as an expression.
    fn choice(
        &mut self,
        inst: &Inst,
        condition: &Expression,
        then: &TokenStream,
        other: &TokenStream,
        index: usize,
    ) -> Expression {
        let value = inst.results[index];
        let (left, span) = (condition, inst.span);
        if other.to_string() == "false" && *self.function.ty(value) == Type::Bool {
            let left = left.at(Binding::And);
            Expression::new(quote!(#left && (#then)), Binding::And)
        } else if then.to_string() == "true" && *self.function.ty(value) == Type::Bool {
            let left = left.at(Binding::Or);
            Expression::new(quote!(#left || (#other)), Binding::Or)
        } else {
            let condition = &condition.tokens;
            let other = otherwise(&[], other);
            Expression::new(
                quote_spanned!(span=> if #condition { #then } #other),
                Binding::Statement,
            )
        }
    }

    fn bind_choice(&mut self, value: Value, mut expression: Expression, block: &Block) {
        expression.is_ordered = true;
        let once =
            self.uses.get(&value).is_some_and(|(count, home)| *count == 1 && *home == block.id);
        if once && self.function.slot_of(value).is_none() && !self.has_lanes(value) {
            self.pending.push((value, expression));
        } else {
            self.bind_whole(value, expression.tokens);
        }
    }

    fn bound_branch(&mut self, inst: &Inst, visible: &[usize]) -> TokenStream {
        let results: Vec<Value> = visible.iter().map(|index| inst.results[*index]).collect();
        let parts: Vec<TokenStream> =
            results.into_iter().map(|result| self.bound(result)).collect();
        if parts.is_empty() {
            return TokenStream::new();
        }
        let pattern = super::bare_or_tuple(&parts);
        quote!(let #pattern =)
    }

    fn bound(&mut self, value: Value) -> TokenStream {
        if self.use_count(value) == 0 {
            return quote!(_);
        }
        let ident = self.names.value(self.function, value);
        let mutable = self.function.slot_of(value).map(|_| quote!(mut));
        quote!(#mutable #ident)
    }

    fn repeat(&mut self, inst: &Inst, repeat: &Loop) {
        self.settle(false);
        let head = self.bounds_before(repeat, inst);
        self.carried_variables(inst, repeat);
        let span = inst.span;
        let (statements, tokens) = match &repeat.kind {
            LoopKind::While { condition } => self.while_head(condition, repeat),
            _ => (Vec::new(), head),
        };
        let (body, _) = self.nested(|emit| {
            emit.insts(&repeat.body);
            emit.next_iteration(repeat);
            TokenStream::new()
        });
        let statement = quote_spanned!(span=> #tokens { #(#statements)* #(#body)* });
        let statement = self.set_apart(repeat, statement);
        self.statements.push(statement);
        repeat.body.params[..repeat.index_params()]
            .iter()
            .for_each(|index| self.names.release(*index));
    }

    /// A loop over strips in a closure that is given its vectors: of parameters rustc knows that what is written has
    /// nothing in common with the others, and where they are; of vectors it does not.
    fn set_apart(&mut self, repeat: &Loop, statement: TokenStream) -> TokenStream {
        let mut places = BTreeSet::new();
        repeat.body.each_use(&mut |value| places.extend(self.function.slot_of(value)));
        let written = repeat.carried().iter().filter_map(|value| self.function.slot_of(*value));
        let written: BTreeSet<Slot> = written.collect();
        let is_vector = |slot: &&Slot| {
            let data = self.function.slot(**slot);
            data.access == Access::Owned && matches!(data.ty, Type::Vec(_))
        };
        let vectors: Vec<Slot> = places.iter().filter(is_vector).copied().collect();
        let is_clear = places.len() == 1
            || !vectors.iter().any(|slot| written.contains(slot))
            || vectors.iter().any(|slot| self.place_has_lanes(*slot));
        if !repeat.is_of_strips() || is_clear || vectors.len() > MOST_APART {
            return statement;
        }
        let mut params = Vec::new();
        let lent = vectors.into_iter().map(|slot| {
            let place = self.names.slot(self.function, slot);
            let mutable = written.contains(&slot).then(|| quote!(mut));
            params.push(place.clone());
            quote!(&#mutable #place[..])
        });
        let lent: Vec<TokenStream> = lent.collect();
        quote!(::cotangent::__private::apart((#(#lent,)*), |#(#params),*| { #statement });)
    }

    /// The head of a counted loop. Its bounds are read before the carried variables are declared.
    fn bounds_before(&mut self, repeat: &Loop, inst: &Inst) -> TokenStream {
        match &repeat.kind {
            LoopKind::Range { .. } => {
                let is_unused = self.use_count(repeat.body.params[0]) == 0;
                let range = self.range(&repeat.kind, &inst.args, is_unused);
                let index = self.bound(repeat.body.params[0]);
                quote!(for #index in #range)
            }
            LoopKind::Repeat => {
                let count = self.expression(inst.args[0]).at(Binding::Sum);
                quote!(for _ in 0..#count)
            }
            LoopKind::While { .. } | LoopKind::Once => TokenStream::new(),
        }
    }

    /// One variable for each carried value: parameter, condition's parameter and result share it.
    fn carried_variables(&mut self, inst: &Inst, repeat: &Loop) {
        let inits = &inst.args[repeat.bounds()..];
        for (position, (param, result)) in repeat.carried().iter().zip(&inst.results).enumerate() {
            if self.function.slot_of(*param).is_some() {
                continue;
            }
            let ident = self.carried_variable(inits[position], *param);
            self.names.alias(*param, ident.clone());
            self.names.alias(*result, ident.clone());
            if let LoopKind::While { condition } = &repeat.kind {
                self.names.alias(condition.params[position], ident);
            }
        }
    }

    fn carried_variable(&mut self, init: Value, param: Value) -> Ident {
        let ident = self.names.value(self.function, param);
        let start = self.moved_to(init, self.has_lanes(param));
        let annotation = self.function.annotation(init).map(|ty| quote!(: #ty));
        self.statements.push(quote!(let mut #ident #annotation = #start;));
        ident
    }

    /// `while c`, or `loop` with a break where the condition needs statements.
    fn while_head(&mut self, condition: &Block, _: &Loop) -> (Vec<TokenStream>, TokenStream) {
        let (statements, tail) = self.nested(|emit| {
            emit.insts(condition);
            let tail = emit.expression(condition.results[0]);
            emit.settle(true);
            tail.tokens
        });
        match (statements.is_empty(), tail.to_string().as_str()) {
            (true, "true") => (Vec::new(), quote!(loop)),
            (true, _) => (Vec::new(), quote!(while #tail)),
            (false, _) => {
                let mut statements = statements;
                statements.push(quote!(if !(#tail) { break; }));
                (statements, quote!(loop))
            }
        }
    }

    /// The end of a loop's body: carried variables take their next values, all at once.
    fn next_iteration(&mut self, repeat: &Loop) {
        let mut targets = Vec::new();
        let mut values: Vec<Expression> = Vec::new();
        for (param, next) in repeat.carried().iter().zip(repeat.next()) {
            if self.function.slot_of(*param).is_some() || param == next {
                continue;
            }
            let ident = self.names.value(self.function, *param);
            let expression = match self.has_lanes(*param) && !self.has_lanes(*next) {
                true => self.spread(*next),
                false => self.expression(*next),
            };
            if ident == expression.tokens.to_string() {
                continue;
            }
            let copy = self.use_count(*next) > 1
                && !self.function.ty(*next).is_copy()
                && self.function.slot_of(*next).is_none();
            let tokens = &expression.tokens;
            let expression = if copy {
                Expression { tokens: quote!(::core::clone::Clone::clone(&#tokens)), ..expression }
            } else {
                expression
            };
            targets.push((*param, ident));
            values.push(expression);
        }
        let again = repeat.breaks.then(|| self.expression(repeat.body.results[0]));
        let again = again.map(|again| self.kept(again, repeat.body.results[0], &targets));
        self.settle(true);
        self.assign(&targets, &values);
        if let Some(again) = again {
            self.statements.push(quote!(if #again { break; }));
        }
    }

    /// The condition of the break: read after the carried variables have changed, it must not depend on
    /// them then.
    fn kept(&mut self, again: Expression, value: Value, targets: &[(Value, Ident)]) -> TokenStream {
        let reads = again.is_ordered
            || again.leaves.iter().any(|leaf| targets.iter().any(|(target, _)| target == leaf));
        if !reads {
            let flag = again.at(Binding::Unary);
            return again.opposite.unwrap_or_else(|| quote!(!#flag));
        }
        // A carried variable itself keeps its name for what comes next.
        let ident = match targets.iter().any(|(target, _)| *target == value) {
            true => self.names.holder("again"),
            false => self.names.value(self.function, value),
        };
        let tokens = &again.tokens;
        self.statements.push(quote!(let #ident = #tokens;));
        quote!(!#ident)
    }

    fn assign(&mut self, targets: &[(Value, Ident)], values: &[Expression]) {
        let conflict = (0..targets.len()).any(|index| {
            values[index + 1..].iter().any(|value| value.leaves.contains(&targets[index].0))
        });
        if conflict {
            let idents = targets.iter().map(|(_, ident)| ident);
            let tokens = values.iter().map(|value| &value.tokens);
            self.statements.push(quote!((#(#idents),*) = (#(#tokens),*);));
            return;
        }
        for ((_, ident), value) in targets.iter().zip(values) {
            self.statements.push(value.assigned_to(&quote!(#ident), ident.span()));
        }
    }

    /// `a..b` with what stands behind it.
    /// Backwards and forwards are the same to a loop that does not look at its index.
    pub(super) fn range(
        &mut self,
        kind: &LoopKind,
        args: &[Value],
        is_unused: bool,
    ) -> TokenStream {
        let LoopKind::Range { inclusive, adaptors } = kind else {
            return TokenStream::new();
        };
        let (start, end) =
            (self.expression(args[0]).at(Binding::Sum), self.expression(args[1]).at(Binding::Sum));
        let range = if *inclusive { quote!(#start..=#end) } else { quote!(#start..#end) };
        if adaptors.is_empty() {
            return range;
        }
        let mut tokens = range.clone();
        if *adaptors == [Adaptor::Rev] && is_unused {
            return range;
        }
        let (backwards, adaptors) = match adaptors.split_last() {
            Some((Adaptor::Rev, forward)) if forward.contains(&Adaptor::StepBy) => (true, forward),
            _ => (false, &adaptors[..]),
        };
        for adaptor in adaptors {
            tokens = match adaptor {
                Adaptor::Rev => quote!(::core::iter::Iterator::rev(#tokens)),
                Adaptor::StepBy | Adaptor::Strips => {
                    let step = self.expression(args[2]).tokens;
                    quote!(::core::iter::Iterator::step_by(#tokens, #step))
                }
            };
        }
        // The standard library has no `rev` behind `step_by` for all integers.
        if backwards { quote!(::cotangent::__private::backwards(#tokens)) } else { tokens }
    }

    /// The pullback.
    pub(super) fn closure(&mut self, body: &Block) -> TokenStream {
        let (statements, tail) = self.unwound(body);
        let params = self.context.pullback.iter().map(|(ident, ty)| quote!(#ident: #ty));
        let alignment = &self.context.alignment;
        let closure = match &self.context.frame {
            None => quote!(move |#(#params),*| { #alignment #(#statements)* #tail }),
            Some(Frame { params, made, returned }) => quote!(move |#params| {
                #alignment
                let #made = { #(#statements)* #tail };
                #returned
            }),
        };
        match &self.context.boxed {
            Some(ty) => quote!(::cotangent::__private::Box::new(#closure) as #ty),
            None => closure,
        }
    }

    /// What a pullback does, and what it returns.
    pub(super) fn unwound(&mut self, body: &Block) -> (Vec<TokenStream>, TokenStream) {
        self.settle(false);
        for (param, (ident, _)) in body.params.iter().zip(&self.context.pullback) {
            self.rename(*param, ident);
        }
        let count = body.results.iter().position(|value| {
            self.function
                .slot_of(*value)
                .is_some_and(|slot| self.function.slot(slot).access != crate::ir::Access::Owned)
        });
        let returned = body.results[..count.unwrap_or(body.results.len())].to_vec();
        self.nested(|emit| {
            emit.insts(body);
            emit.read_before(&returned);
            let parts: Vec<TokenStream> = returned.iter().map(|value| emit.moved(*value)).collect();
            emit.settle(true);
            if parts.is_empty() { TokenStream::new() } else { super::bare_or_tuple(&parts) }
        })
    }
}

/// `else { .. }`, or `else if ..` where that is all there is.
fn otherwise(statements: &[TokenStream], tail: &TokenStream) -> TokenStream {
    let is_if =
        matches!(tail.clone().into_iter().next(), Some(TokenTree::Ident(ident)) if ident == "if");
    if statements.is_empty() && is_if {
        quote!(else #tail)
    } else {
        quote!(else { #(#statements)* #tail })
    }
}
