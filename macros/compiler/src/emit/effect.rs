//! Instructions that are statements: writes to places, calls, macros, tapes.

use super::expression::Binding;
use super::neighbours::Neighbours;
use super::place::Reach;
use super::{Emit, function};
use crate::binding::{at_first_call, local_at};
use crate::ir::{
    Access, Call, Callee, Code, End, Given, Inst, LoopKind, MacroArgument, MacroCall, Op, OwnCall,
    Passing, Path, Projection, Type, Value, Watch, index_count,
};
use crate::pipeline::Kind;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

impl Emit<'_> {
    /// Writes to places.
    pub(super) fn write(&mut self, inst: &Inst) {
        let span = inst.span;
        if borrows_place(&inst.op) {
            // What is read from the place must be read before a part of it is borrowed.
            self.settle(false);
        }
        match &inst.op {
            Op::Store(path) => {
                let value = self.moved_expression(inst.args[1 + index_count(path)]);
                self.settle_indices(inst, path);
                let is_slice = matches!(self.function.ty(inst.args[0]).part(path), Type::Slice(_));
                let place = match is_slice {
                    true => self.receiver_place(&inst.args, path, Reach::Unique),
                    false => self.place(&inst.args, path, Reach::Unique),
                };
                self.settle(false);
                let tokens = &value.tokens;
                let is_refilled = self.loans.is_refilled(inst.results[0]);
                let is_open = !is_refilled && self.may_be_constant(inst.args[0], path);
                self.state(match (is_slice, is_open) {
                    (true, _) => quote_spanned!(span=> #place.clone_from_slice(&#tokens);),
                    (false, true) => value.assigned_by(&place, span),
                    (false, false) => value.assigned_to(&place, span),
                });
            }
            Op::Accumulate(path) => self.accumulate(inst, path, "accumulate"),
            Op::AccumulatePartial(rule, index) => self.accumulate_partial(inst, rule.name, *index),
            Op::Rejoin(path) => self.accumulate(inst, path, "rejoin"),
            Op::Insert(end, path) => self.insert(inst, *end, path),
            Op::Remove(end, path) => self.remove(inst, *end, path),
            Op::Replace(path) => {
                let value = self.moved(inst.args[1 + index_count(path)]);
                let place = self.place(&inst.args, path, Reach::Unique);
                self.settle(false);
                self.taken(inst.results[1], quote!(::core::mem::replace(&mut #place, #value)));
            }
            Op::Exchange(a, b) => self.exchange(inst, a, b),
            Op::Conform(layers) => {
                let tangent = self.place(&inst.args, &Vec::new(), Reach::Unique);
                let primal = self.borrowed(&inst.args[1..], &Vec::new());
                self.settle(false);
                let is_slice = matches!(self.function.ty(inst.args[1]), Type::Slice(_));
                self.state(match (is_slice, layers) {
                    (true, _) => {
                        quote!(::cotangent::__private::conform_each(#primal, &mut #tangent);)
                    }
                    (false, Some(layers)) => {
                        quote!(::cotangent::__private::conform_within(#primal, &mut #tangent, #layers);)
                    }
                    (false, None) => {
                        quote!(::cotangent::Differentiable::conform(#primal, &mut #tangent);)
                    }
                });
            }
            _ => unreachable!("only writes come here"),
        }
    }

    /// Looks at what a rule made.
    pub(super) fn watch(&mut self, inst: &Inst, watch: &Watch) {
        let (primals, rest) = inst.args.split_at(watch.primals);
        let (given, made) = rest.split_at(watch.given);
        let primals = self.watched(&quote!(Primal), primals);
        let [given, made] = [given, made].map(|values| self.watched(&quote!(Differential), values));
        self.settle(false);
        let (function, rule, span) = (&self.function.name, &watch.rule, inst.span);
        self.statements.push(quote_spanned!(span=>
            ::cotangent::__private::watch(#function, #rule, &[#primals], &[#given], &[#made]);
        ));
    }

    /// Values to be looked at, as primals or as (co)tangents.
    fn watched(&mut self, kind: &TokenStream, values: &[Value]) -> TokenStream {
        let each = values.iter().map(|value| {
            let looked_at = match self.function.slot_of(*value) {
                Some(_) => self.borrowed(&[*value], &Vec::new()),
                None => {
                    let value = self.expression(*value).tokens;
                    quote!(&(#value))
                }
            };
            quote!(&::cotangent::__private::#kind(#looked_at),)
        });
        each.collect()
    }

    fn accumulate(&mut self, inst: &Inst, path: &Path, function: &str) {
        let span = inst.span;
        let value = inst.args[1 + index_count(path)];
        let is_float = self.function.ty(value).is_float();
        if !is_float && (!path.is_empty() || self.is_read_by(value, inst.args[0])) {
            self.settle(false);
        }
        self.settle_indices(inst, path);
        let value = self.moved_expression(value);
        let place = self.place(&inst.args, path, Reach::Unique);
        self.settle(false);
        let tokens = &value.tokens;
        self.state(match (is_float, &value.opposite) {
            (true, Some(opposite)) => quote_spanned!(span=> #place -= #opposite;),
            (true, None) => quote_spanned!(span=> #place += #tokens;),
            (false, _) => {
                let function = Ident::new(function, span);
                quote_spanned!(span=> ::cotangent::__private::#function(&mut #place, #tokens);)
            }
        });
    }

    /// Lets a row add to a place.
    fn accumulate_partial(&mut self, inst: &Inst, rule: &str, index: usize) {
        let (rule, span) = (Ident::new(rule, Span::call_site()), inst.span);
        let function = Ident::new(&format!("add_vjp_{index}"), span);
        let args: Vec<TokenStream> =
            inst.args[1..].iter().map(|arg| self.reference(*arg, span)).collect();
        let place = self.place(&inst.args[..1], &Vec::new(), Reach::Unique);
        self.settle(false);
        self.state(quote_spanned!(span=>
            ::cotangent::__private::rules::#rule::#function(#(#args,)* &mut #place);
        ));
    }

    /// Behind a borrowed part, an index cannot read the place any more.
    fn settle_indices(&mut self, inst: &Inst, path: &Path) {
        if path.len() < 2 {
            return;
        }
        for index in &inst.args[1..1 + index_count(path)] {
            self.bind_waiting(*index, |expression| expression.is_ordered);
        }
    }

    /// Whether a waiting value reads the place of a version.
    fn is_read_by(&self, value: Value, version: Value) -> bool {
        let slot = self.function.slot_of(version);
        let waiting = self.pending.iter().find(|(waiting, _)| *waiting == value);
        waiting.is_some_and(|(_, expression)| {
            expression.leaves.iter().any(|leaf| self.function.slot_of(*leaf) == slot)
        })
    }

    fn insert(&mut self, inst: &Inst, end: End, path: &Path) {
        let (method, span) = (insertion(end), inst.span);
        let rest = &inst.args[1 + index_count(path)..];
        let (at, value) = rest.split_at(end.positions());
        let value = self.moved(value[0]);
        let at = at.iter().map(|at| self.moved(*at)).collect::<Vec<_>>();
        let place = self.receiver_place(&inst.args, path, Reach::Unique);
        self.settle(false);
        self.state(quote_spanned!(span=> #place.#method(#(#at,)* #value);));
    }

    fn remove(&mut self, inst: &Inst, end: End, path: &Path) {
        let method = removal(end);
        let at = inst.args[1 + index_count(path)..].iter();
        let at: Vec<TokenStream> = match end {
            End::Key => at.map(|key| self.key(*key)).collect(),
            _ => at.map(|at| self.expression(*at).tokens).collect(),
        };
        let place = self.receiver_place(&inst.args, path, Reach::Unique);
        self.settle(false);
        let element = inst.results[1];
        if self.use_count(element) == 0 {
            self.state(quote!(#place.#method(#(#at),*);));
        } else if end == End::At {
            self.bind(element, quote!(#place.#method(#(#at),*)));
        } else {
            self.bind(element, quote!(#place.#method(#(#at),*).expect("an element to take out")));
        }
    }

    /// What an instruction takes out of a place.
    fn taken(&mut self, value: Value, tokens: TokenStream) {
        if self.use_count(value) == 0 {
            self.state(quote!(let _ = #tokens;));
        } else {
            self.bind(value, tokens);
        }
    }

    /// Two elements of one slice are exchanged by the slice.
    fn exchange(&mut self, inst: &Inst, a: &Path, b: &Path) {
        let (first, second) = inst.args.split_at(1 + index_count(a));
        let is_one = self.function.slot_of(first[0]) == self.function.slot_of(second[0]);
        let is_element = |path: &Path| path.last() == Some(&Projection::Index);
        let last = first.len() - 1;
        if is_one && a == b && is_element(a) && first[..last] == second[..last] {
            let (i, prefix) = first.split_last().expect("an index");
            let (i, j) = (self.expression(*i).tokens, self.expression(second[last]).tokens);
            let path = a[..a.len() - 1].to_vec();
            let place = self.receiver_place(prefix, &path, Reach::Unique);
            self.settle(false);
            return self.state(quote!(#place.swap(#i, #j);));
        }
        let (first, second) =
            (self.place(first, a, Reach::Unique), self.place(second, b, Reach::Unique));
        self.settle(false);
        self.state(quote!(::core::mem::swap(&mut #first, &mut #second);));
    }

    /// Instructions that must stay in order.
    pub(super) fn effect(&mut self, inst: &Inst) {
        if borrows_mutably(&inst.op) {
            // What is read from a place must be read before the place is borrowed.
            self.settle(false);
            self.borrow_elements(inst);
        }
        let tokens = match &inst.op {
            Op::Call(call) => self.call(call, None, &inst.args),
            Op::CallVjp(call) => self.call(call, Some(Kind::Vjp), &inst.args),
            Op::CallJvp(call) if self.is_given_lanes(inst) => self.call_lanes(call, inst),
            Op::CallJvp(call) if self.is_open(call) => self.open_jvp(call, inst),
            Op::CallJvp(call) => {
                let tokens = self.call(call, Some(Kind::Jvp), &inst.args);
                if call.is_watched && call.order == 1 {
                    self.watched_jvp(call, &tokens, inst.span)
                } else {
                    tokens
                }
            }
            Op::Pull(call, shadows) => self.pull(call, shadows, inst),
            Op::Own(call) => match &call.open {
                Some(open) => self.open_half(open, inst),
                None => self.own_half(call, inst),
            },
            Op::Macro(call) => self.macro_call(call, inst),
            _ => unreachable!("only effects come here"),
        };
        self.neighbours = Neighbours::default();
        let tokens = match std::mem::take(&mut self.lends_parts) {
            true => quote!({ use ::cotangent::__private::Part as _; #tokens }),
            false => tokens,
        };
        self.settle(false);
        let bound = self.bound_results(inst);
        self.statements.push(quote!(#bound #tokens;));
    }

    /// A call of a function or of one of its derivatives, in which each operand may be followed by tangents.
    pub(super) fn call(
        &mut self,
        call: &Call,
        derivative: Option<Kind>,
        args: &[Value],
    ) -> TokenStream {
        let mut operands = split(call, args);
        let is_direct = self.leave_inactive_out(call, &mut operands);
        let name = derivative.map(|kind| derivative_name(kind, call, is_direct));
        let order = derivative.map(|kind| order_of(kind, call));
        match &call.callee {
            Callee::Path(path) | Callee::Stopped(path) => {
                let args = self.operands(None, &operands, order);
                let Some((name, is_public)) = name else { return quote!(#path(#(#args),*)) };
                let callee = super::called_path(path, &name, is_public, args.len());
                match super::conversion::may_be(path) {
                    true => super::conversion::call(path, operands[0].0, &callee, &args),
                    false => quote!(#callee(#(#args),*)),
                }
            }
            Callee::Method(method) => {
                let (receiver, rest) = operands.split_first().expect("a method has a receiver");
                let (passing, parts, _) = *receiver;
                let receiver = self.passed_receiver(passing, parts);
                self.take(parts[0], passing.path().map_or(&[], Vec::as_slice));
                let value = (!passing.writes()).then(|| quote!(&#receiver));
                let args = self.operands(value, rest, order);
                let method = match name {
                    None => method.clone(),
                    Some((name, is_public)) => {
                        let name = super::sibling(method, &name, is_public);
                        at_first_call(&name, &receiver.to_string(), args.len())
                    }
                };
                quote!(#receiver.#method(#(#args),*))
            }
            Callee::Function => {
                let (passing, function, _) = operands[0];
                let path = passing.path().cloned().unwrap_or_default();
                let function = self.receiver_place(function, &path, Reach::Shared);
                let args = self.operands(None, &operands, order);
                let part = derivative.map_or_else(|| "primal".to_owned(), |kind| kind.name(1));
                let part = Ident::new(&part, Span::call_site());
                quote!((#function.#part)(#(#args),*))
            }
            Callee::Pointer => {
                let args = self.operands(None, &operands, order);
                let (pointer, args) = args.split_first().expect("a pointer to call");
                quote!((#pointer)(#(#args),*))
            }
        }
    }

    /// A function knows which of its own parameters are active, and so needs no uniform derivatives of itself:
    /// tangents of constant operands leave.
    fn leave_inactive_out(&self, call: &Call, operands: &mut Vec<Operand>) -> bool {
        let Some(active) = self.context.own_activity(call) else { return false };
        let (times, mut index) = (call.times(), 0..);
        operands.retain(|_| {
            index.next().is_some_and(|index| index % times == 0 || active[index / times])
        });
        true
    }

    /// `let y =`, `let (y, pullback) =`, or nothing.
    fn bound_results(&mut self, inst: &Inst) -> TokenStream {
        let op = inst.op.written();
        let returned: &[Value] = match op {
            Op::Call(_) => &inst.results[..1],
            Op::Macro(_) => &inst.results,
            Op::CallVjp(call) => &inst.results[..call.times() + 1],
            Op::CallJvp(call) => &inst.results[..call.times()],
            Op::Own(call) => &inst.results[..call.returned],
            _ => &[],
        };
        match (op, returned) {
            (Op::Pull(call, _), _) => self.bound_cotangents(call, inst),
            (_, []) => TokenStream::new(),
            (Op::Call(_), [one]) if self.use_count(*one) == 0 => {
                self.held_name(*one).map_or_else(TokenStream::new, |name| quote!(let #name =))
            }
            (_, [one]) if self.use_count(*one) == 0 => TokenStream::new(),
            (_, [one]) => {
                let ident = self.names.value(self.function, *one);
                let mutable = self.function.slot_of(*one).map(|_| quote!(mut));
                let annotation =
                    self.function.value(*one).annotation.as_ref().map(|ty| quote!(: #ty));
                quote!(let #mutable #ident #annotation =)
            }
            (_, several) => {
                let parts: Vec<TokenStream> =
                    several.to_vec().iter().map(|value| self.bound_part(*value)).collect();
                let annotation = self.converted_type(op, several);
                quote!(let (#(#parts),*) #annotation =)
            }
        }
    }

    /// The type that is written for what `into` gives, which nothing else may say.
    fn converted_type(&self, op: &Op, returned: &[Value]) -> Option<TokenStream> {
        let (Op::CallVjp(call) | Op::CallJvp(call)) = op else { return None };
        let name = match &call.callee {
            Callee::Method(name) => name,
            Callee::Path(path) => &path.path.segments.last()?.ident,
            _ => return None,
        };
        let (value, others) = returned.split_first()?;
        let ty = self.function.annotation(*value).filter(|_| name == "into")?;
        let others = others.iter().map(|_| quote!(_));
        Some(quote!(: (#ty, #(#others),*)))
    }

    fn bound_part(&mut self, value: Value) -> TokenStream {
        if self.use_count(value) == 0 {
            return quote!(_);
        }
        let ident = self.names.value(self.function, value);
        let mutable = self.function.slot_of(value).map(|_| quote!(mut));
        quote!(#mutable #ident)
    }

    fn bound_cotangents(&mut self, call: &Call, inst: &Inst) -> TokenStream {
        let own = self.context.own_activity(call).map(<[bool]>::to_vec);
        let mut results = inst.results.iter();
        let mut parts = Vec::new();
        for (index, passing) in call.passing.iter().enumerate() {
            match passing {
                Passing::Value => {
                    for value in results.by_ref().take(call.times()) {
                        match own.as_ref().is_none_or(|active| active[index]) {
                            true => parts.push(self.bound_part(*value)),
                            false => self.bound_nothing(*value),
                        }
                    }
                }
                Passing::Shared(_) => results.by_ref().take(call.times()).for_each(drop),
                Passing::Unique(_) | Passing::Interior(_) => {
                    results.by_ref().take(2 * call.times()).for_each(drop);
                }
            }
        }
        match (&parts[..], own) {
            ([], _) => TokenStream::new(),
            (_, None) => quote!(let (#(#parts,)*) =),
            (_, Some(_)) => {
                let parts = super::bare_or_tuple(&parts);
                quote!(let #parts =)
            }
        }
    }

    /// The cotangent of what the function itself takes as a constant, and the macro cannot see is one.
    fn bound_nothing(&mut self, value: Value) {
        if self.use_count(value) > 0 {
            let ident = self.names.value(self.function, value);
            self.statements.push(quote!(let #ident = ::core::default::Default::default();));
        }
    }

    fn pull(&mut self, call: &Call, shadows: &[Path], inst: &Inst) -> TokenStream {
        let pullback = self.expression(inst.args[0]).tokens;
        let pullback = match self.function.is_sum {
            true => quote_spanned!(inst.span=> ::cotangent::__private::without_operands(#pullback)),
            false => pullback,
        };
        let Pulled { args, seeds, shadows_after } = self.pulled(call, shadows, inst);
        if let ([seed], true) = (&seeds[..], call.is_watched) {
            return self.watched_pull(call, (&pullback, &args), seed, &shadows_after, inst.span);
        }
        quote!(#pullback(#(#args,)* #(#seeds),*))
    }

    /// What a pullback is given.
    pub(super) fn pulled(&mut self, call: &Call, shadows: &[Path], inst: &Inst) -> Pulled {
        let mut rest = &inst.args[1..];
        let (mut args, mut shadows_after) = (Vec::new(), Vec::new());
        let references = call.passing.iter().filter(|passing| **passing != Passing::Value);
        for (passing, path) in references.zip(shadows) {
            let shadow = Passing::Unique(path.clone());
            let mut value = None;
            for (index, passing) in [passing, &shadow].into_iter().enumerate() {
                for _ in 0..call.times() {
                    let operand;
                    (operand, rest) = rest.split_at(passing.width());
                    let tokens = self.operand_beside(value.as_ref(), passing, operand);
                    if index == 0 && !passing.writes() && !self.is_tangent(operand[0]) {
                        value = Some(tokens.clone());
                    }
                    args.push(tokens);
                    if call.is_watched && index == 1 {
                        shadows_after.push(self.place(operand, path, Reach::Shared));
                    }
                }
            }
        }
        let seeds = rest.iter().map(|seed| self.moved(*seed)).collect();
        Pulled { args, seeds, shadows_after }
    }

    /// A call of one half of the function's own pullback, which is given the tape.
    fn own_half(&mut self, call: &OwnCall, inst: &Inst) -> TokenStream {
        let (mut args, mut rest) = (Vec::new(), &inst.args[..]);
        for passing in &call.passed {
            let operand;
            (operand, rest) = rest.split_at(passing.width());
            args.push(self.operand(passing, operand));
        }
        let half = self.context.halves.as_ref().map(|halves| halves.path(call.half));
        let levels = super::levels::tape();
        quote!(#half(#(#args,)* #levels))
    }

    /// In debug mode, looks at the cotangents that a pullback returns, and at the shadows that it adds to.
    fn watched_pull(
        &self,
        call: &Call,
        (pullback, args): (&TokenStream, &[TokenStream]),
        seed: &TokenStream,
        shadows: &[TokenStream],
        span: Span,
    ) -> TokenStream {
        let (function, rule) = (&self.function.name, call.callee.name());
        let [given, made] =
            ["given", "made"].map(|name| local_at(name, Span::mixed_site().located_at(span)));
        quote_spanned! {span=> {
            let #given = ::cotangent::__private::seed(#seed);
            let #made = #pullback(#(#args,)* #given.0);
            ::cotangent::__private::watch_call(
                #function, #rule, #given.1,
                &[&::cotangent::__private::Differential(&#made) #(, &::cotangent::__private::Differential(&#shadows))*],
            );
            #made
        }}
    }

    /// Likewise, at the tangent that `jvp` does.
    fn watched_jvp(&self, call: &Call, tokens: &TokenStream, span: Span) -> TokenStream {
        let (function, rule) = (&self.function.name, call.callee.name());
        quote_spanned!(span=> ::cotangent::__private::watch_jvp(#function, #rule, #tokens))
    }

    /// The arguments of a call, or of a derivative of an order, behind that of the receiver. There a function is several:
    /// what it captures, and what it does.
    fn operands(
        &mut self,
        mut value: Option<TokenStream>,
        operands: &[Operand],
        order: Option<usize>,
    ) -> Vec<TokenStream> {
        let mut tokens = Vec::new();
        for (passing, args, function) in operands {
            let operand = self.operand_beside(value.as_ref(), passing, args);
            if !self.is_tangent(args[0]) {
                value = (!passing.writes()).then(|| operand.clone());
            }
            match function {
                None => tokens.push(operand),
                Some(given) if order.is_none() => {
                    let reference = given.is_reference.then(|| quote!(&));
                    let state = match given.code {
                        Code::Item(_) => operand,
                        Code::Closure(_) | Code::Variable(_) => {
                            let state = self.names.holder("state");
                            self.statements.push(quote!(let #state = #operand;));
                            state.into_token_stream()
                        }
                    };
                    let function = function::called(&given.code, &state);
                    tokens.push(quote!(#reference #function));
                }
                Some(given) => {
                    let order = order.unwrap_or(1);
                    tokens.extend(function::parts(&given.code, &operand, order));
                }
            }
        }
        tokens
    }

    /// An operand of a call: a value, or a tangent, which stands behind a reference to its value where there is one.
    fn operand_beside(
        &mut self,
        value: Option<&TokenStream>,
        passing: &Passing,
        args: &[Value],
    ) -> TokenStream {
        let (path, reach, borrow) = match passing {
            Passing::Shared(path) => (path, Reach::Shared, quote!(&)),
            Passing::Unique(path) => (path, Reach::Unique, quote!(&mut)),
            // A tangent with cells is none of a constant field's.
            Passing::Interior(_) | Passing::Value => return self.operand(passing, args),
        };
        let is_read = value.is_none() && reach == Reach::Shared;
        if is_read || !self.may_be_constant(args[0], path) {
            return self.operand(passing, args);
        }
        self.lends_parts = true;
        let part = self.lent_part(value, (args, path, reach));
        quote!(#borrow *#part)
    }

    pub(super) fn operand(&mut self, passing: &Passing, args: &[Value]) -> TokenStream {
        match passing {
            Passing::Value => self.moved(args[0]),
            Passing::Shared(path) | Passing::Interior(path) => {
                let access =
                    self.function.slot_of(args[0]).map(|slot| self.function.slot(slot).access);
                if path.is_empty() && access == Some(Access::Shared) {
                    return self.expression(args[0]).tokens;
                }
                self.borrowed(args, path)
            }
            Passing::Unique(path) => {
                let place = self.place(args, path, Reach::Unique);
                quote!(&mut #place)
            }
        }
    }

    fn macro_call(&mut self, call: &MacroCall, inst: &Inst) -> TokenStream {
        let path = &call.path;
        let mut rest = &inst.args[..];
        let mut arguments = Vec::new();
        for argument in &call.arguments {
            match argument {
                MacroArgument::Tokens(tokens) => arguments.push(tokens.clone()),
                MacroArgument::Operand(name, passing) => {
                    let (operand, tail) = rest.split_at(passing.width());
                    rest = tail;
                    let value = match passing {
                        Passing::Value => self.expression(operand[0]).tokens,
                        Passing::Shared(path) | Passing::Unique(path) | Passing::Interior(path) => {
                            self.receiver_place(operand, path, Reach::Shared)
                        }
                    };
                    arguments.push(
                        name.as_ref().map_or_else(|| value.clone(), |name| quote!(#name = #value)),
                    );
                }
            }
        }
        let span = inst.span;
        quote_spanned!(span=> #path!(#(#arguments),*))
    }

    /// Numbers of iterations, and what belongs to one of them.
    pub(super) fn iteration(&mut self, inst: &Inst) -> TokenStream {
        match &inst.op {
            Op::Trips(kind) => self.trips(kind, &inst.args),
            Op::Nth(kind) => {
                let range = self.range(kind, &inst.args, false);
                let number = self.expression(*inst.args.last().expect("a number")).tokens;
                quote!(::cotangent::__private::nth(#range, #number))
            }
            Op::Stride(schedule) => {
                let of = self.expression(inst.args[0]).tokens;
                match schedule.is_given() {
                    true => quote!(::cotangent::__private::stride(#of)),
                    false => quote!(::cotangent::__private::root_stride(#of)),
                }
            }
            _ => unreachable!("only numbers of iterations come here"),
        }
    }

    /// How often a counted loop runs.
    fn trips(&mut self, kind: &LoopKind, args: &[Value]) -> TokenStream {
        let range = self.range(kind, args, true);
        quote!(::core::iter::Iterator::size_hint(&(#range)).0)
    }

    /// A tape that keeps only some states.
    pub(super) fn snapshots(&mut self, inst: &Inst) {
        let parts: Vec<TokenStream> =
            inst.results.iter().map(|value| self.bound_part(*value)).collect();
        let bound = super::bare_or_tuple(&parts);
        let statement = match &inst.op {
            Op::TapePlan(tape, kind) => {
                let trips = self.trips(kind, &inst.args);
                let count = self.expression(*inst.args.last().expect("a number")).tokens;
                let tape = self.tape_place(*tape);
                quote!(#tape.plan(#trips, #count);)
            }
            Op::TapeKeeps(tape) => {
                let tape = self.tape_place(*tape);
                quote!(let #bound = #tape.keeps();)
            }
            Op::TapeRewind(tape) => {
                let tape = self.tape_place(*tape);
                quote!(let #bound = #tape.rewind();)
            }
            _ => unreachable!("only tapes of states come here"),
        };
        self.statements.push(statement);
    }

    pub(super) fn tape(&mut self, inst: &Inst) {
        match &inst.op {
            Op::TapePush(tape) => {
                let entry = super::bare_or_tuple(&self.entry(*tape, &inst.args));
                let tape = self.tape_place(*tape);
                self.statements.push(quote!(#tape.push(#entry);));
            }
            Op::TapePop(tape) => {
                let parts: Vec<TokenStream> =
                    inst.results.iter().map(|value| self.bound_part(*value)).collect();
                let entry = super::bare_or_tuple(&parts);
                let tape = self.tape_place(*tape);
                self.statements.push(quote!(let #entry = #tape.pop();));
            }
            Op::TapeSave(tape) => {
                let place = self.borrowed(&inst.args, &Vec::new());
                let part = self.row(inst);
                let tape = self.tape_place(*tape);
                self.statements.push(quote!(#tape.save(#place, #part);));
            }
            Op::TapeRestore(tape) => {
                let place = self.place(&inst.args, &Vec::new(), Reach::Unique);
                let part = self.row(inst);
                let tape = self.tape_place(*tape);
                self.statements.push(quote!(#tape.restore(#part, &mut #place);));
            }
            Op::TapeReserve(tape, kind) => {
                let trips = self.trips(kind, &inst.args);
                let tape = self.tape_place(*tape);
                self.statements.push(quote!(#tape.reserve(#trips);));
            }
            _ => unreachable!("only tapes come here"),
        }
    }

    /// The indices of the elements that are put on a tape.
    fn row(&mut self, inst: &Inst) -> TokenStream {
        let [start, end] = [1, 2].map(|arg| self.expression(inst.args[arg]).at(Binding::Sum));
        quote!(#start..#end)
    }

    pub(super) fn destructure(&mut self, inst: &Inst) {
        if self.has_lanes(inst.args[0]) {
            return self.destructure_lanes(inst);
        }
        let whole = self.moved(inst.args[0]);
        let parts: Vec<TokenStream> =
            inst.results.iter().map(|value| self.bound_part(*value)).collect();
        self.statements.push(match parts.len() {
            1 => quote!(let (#(#parts,)*) = #whole;),
            _ => quote!(let (#(#parts),*) = #whole;),
        });
    }

    /// Takes the error out of a result. Tangents have none.
    pub(super) fn split_error(&mut self, inst: &Inst) {
        if self.has_lanes(inst.args[0]) {
            self.bind_waiting(inst.args[0], |_| true);
            let whole =
                self.within(super::lanes::Turn::Lane, |emit| emit.variable_of(inst.args[0]));
            return self.bind(inst.results[0], quote!(::core::clone::Clone::clone(&#whole)));
        }
        let whole = self.moved(inst.args[0]);
        let parts: Vec<TokenStream> =
            inst.results.iter().map(|value| self.bound_part(*value)).collect();
        self.statements.push(quote! {
            let (#(#parts),*) = ::cotangent::__private::split_error(#whole);
        });
    }
}

/// What a pullback is given.
pub(super) struct Pulled {
    /// Places and shadows.
    pub args: Vec<TokenStream>,
    /// The cotangents of what was returned.
    pub seeds: Vec<TokenStream>,
    /// In debug mode, the shadows as they are afterwards.
    shadows_after: Vec<TokenStream>,
}

/// An operand of a call, its arguments, and what it does if it is a function.
type Operand<'c> = (&'c Passing, &'c [Value], Option<&'c Given>);

/// The operands of a call, each as often as it is given.
pub(super) fn split<'c>(call: &'c Call, mut args: &'c [Value]) -> Vec<Operand<'c>> {
    let mut operands = Vec::new();
    for (passing, function) in call.passing.iter().zip(&call.functions) {
        for turn in 0..call.times() {
            let (operand, rest) = args.split_at(passing.width());
            args = rest;
            operands.push((passing, operand, function.as_deref().filter(|_| turn == 0)));
        }
    }
    operands
}

/// Those of a pullback: places, each before its shadow, then the cotangents of what was returned.
pub(super) fn pulled_operands<'c>(
    call: &Call,
    shadows: &[Path],
    inst: &'c Inst,
) -> Vec<(Passing, &'c [Value])> {
    let (mut operands, mut rest) = (Vec::new(), &inst.args[1..]);
    let references = call.passing.iter().filter(|passing| **passing != Passing::Value);
    for (place, path) in references.zip(shadows) {
        for passing in [place.clone(), Passing::Unique(path.clone())] {
            for _ in 0..call.times() {
                let operand;
                (operand, rest) = rest.split_at(passing.width());
                operands.push((passing.clone(), operand));
            }
        }
    }
    operands.extend(rest.chunks(1).map(|seed| (Passing::Value, seed)));
    operands
}

/// The order of the derivative that a call needs.
fn order_of(kind: Kind, call: &Call) -> usize {
    match kind {
        Kind::Vjp => call.order + 1,
        _ => call.order,
    }
}

/// The name of a derivative that a call needs, and whether it is one of the contract's.
fn derivative_name(kind: Kind, call: &Call, is_direct: bool) -> (String, bool) {
    let order = order_of(kind, call);
    match (is_direct, order) {
        (false, _) => (super::hidden_name(kind, order), false),
        (true, 1) => (kind.name(1), true),
        (true, _) => (format!("own_{}", kind.name(order)), false),
    }
}

/// The method that puts an element in.
fn insertion(end: End) -> Ident {
    let name = match end {
        End::Last => "push",
        End::Back => "push_back",
        End::Front => "push_front",
        End::At | End::Key => "insert",
    };
    Ident::new(name, Span::call_site())
}

/// The method that takes it out again.
fn removal(end: End) -> Ident {
    let name = match end {
        End::Last => "pop",
        End::Back => "pop_back",
        End::Front => "pop_front",
        End::At | End::Key => "remove",
    };
    Ident::new(name, Span::call_site())
}

/// Whether a write is a call that is given a part of its place by `&mut`.
fn borrows_place(op: &Op) -> bool {
    match op {
        Op::Insert(_, path) | Op::Remove(_, path) => !path.is_empty(),
        Op::Replace(_) | Op::Exchange(..) => true,
        _ => false,
    }
}

/// Whether an instruction hands out a `&mut`.
fn borrows_mutably(op: &Op) -> bool {
    match op.written() {
        Op::Call(call) | Op::CallVjp(call) | Op::CallJvp(call) => {
            call.passing.iter().any(Passing::writes)
        }
        Op::Pull(call, _) => call.passing.iter().any(|passing| *passing != Passing::Value),
        Op::Own(call) => call.passed.iter().any(Passing::writes),
        _ => false,
    }
}
