//! The adjoint of each instruction, in reverse order.

use super::region::Sunk;
use super::{Reverse, Vacancy};
use crate::analysis::residuals::Residual;
use crate::analysis::sinking::{self, Sinking};
use crate::ir::{Inst, LoopKind, Mode, Op, Path, STRONG, Type, Value, index_count, row};
use crate::transform::rule::{Site, differentiable, is_sum, product, reads};
use cotangent_rules::Rule;
use rustc_hash::FxHashSet as HashSet;

impl<'a> Reverse<'a> {
    /// The instructions of a block backwards; it yields `results`. What only some ways need goes backwards on these.
    pub(super) fn reverse_insts(&mut self, insts: Vec<&'a Inst>, results: &[Value]) {
        let sinking = Sinking::new(self.primal, self.activity, self.plan, &insts, results);
        let sunk = insts.iter().enumerate().filter(|(index, _)| sinking.sinks(*index));
        self.sunk.extend(sunk.flat_map(|(_, inst)| inst.results.iter().copied()));
        for (index, inst) in
            insts.iter().enumerate().rev().filter(|(index, _)| !sinking.sinks(*index))
        {
            let sunk =
                |arm| sinking.sunk_into(index, arm).map(|position| insts[position]).collect();
            self.reverse_inst(inst, &insts[..index], &sunk);
        }
    }

    /// One instruction backwards. Afterwards the places are as before it: as an operand says, or where a region
    /// took no notice of what it found, as what stands before it says.
    fn reverse_inst(&mut self, inst: &'a Inst, earlier: &[&'a Inst], sunk: &Sunk<'_, 'a>) {
        self.dispatch(inst, sunk);
        self.fill(inst);
        for version in &inst.results {
            let Some(slot) = self.primal.slot_of(*version) else {
                continue;
            };
            let made = earlier.iter().rev().flat_map(|inst| &inst.results);
            let mut found = inst.args.iter().chain(made).chain(&self.primal.body.params);
            let before = found.find(|value| self.primal.slot_of(**value) == Some(slot)).copied();
            self.now.extend(before.map(|before| (slot, before)));
        }
    }

    fn dispatch(&mut self, inst: &'a Inst, sunk: &Sunk<'_, 'a>) {
        match &inst.op {
            Op::If(then, other) => self.reverse_if(inst, [then, other], sunk),
            Op::Apply(rule) if sinking::is_choice(self.primal, inst) => {
                self.reverse_choice(inst, rule, sunk);
            }
            Op::Loop(once) if matches!(once.kind, LoopKind::Once) => self.reverse_once(inst, once),
            Op::Loop(repeat) => self.reverse_loop(inst, repeat),
            Op::Call(call) => self.reverse_call(inst, call),
            Op::Store(path) => self.reverse_store(inst, path),
            Op::Insert(end, path) => self.reverse_insert(inst, *end, path),
            Op::Remove(end, path) => self.reverse_remove(inst, *end, path),
            Op::Replace(path) => self.reverse_replace(inst, path),
            Op::Exchange(a, b) => self.reverse_exchange(inst, a, b),
            Op::Touch => self.reverse_touch(inst),
            Op::Load(path) | Op::Clone(path) => self.reverse_load(inst, path),
            _ => self.reverse_plain(inst),
        }
    }

    /// What is written by another way stands between earlier and later uses of a place: so it does backwards, in
    /// the shadows and in what comes back.
    fn reverse_touch(&mut self, inst: &Inst) {
        let slots = [inst.args[0], inst.args[1]]
            .map(|version| self.primal.slot_of(version).expect("a place"));
        if let [Some(shadow), Some(other)] = slots.map(|slot| self.shadows.get(&slot).copied()) {
            self.update_shadow(slots[0], Op::Touch, vec![shadow, other], inst.span);
        }
        if let [Some(place), Some(other)] = slots.map(|slot| self.memory.get(&slot).copied()) {
            self.update_memory(slots[0], Op::Touch, vec![place, other], inst.args[0], inst.span);
        }
    }

    /// Instructions that define values or new places.
    fn reverse_plain(&mut self, inst: &Inst) {
        if let Op::Destructure = inst.op {
            return self.reverse_destructure(inst);
        }
        if let Op::SplitError = inst.op {
            if let Some(bar) = self.take(inst.results[0]).filter(|_| self.is_active(inst.args[0])) {
                self.reverse_duplicate(inst, bar);
            }
            return;
        }
        let [result] = inst.results[..] else { return };
        if !self.is_active(result) {
            return;
        }
        let Some(bar) = self.take(result) else { return };
        match &inst.op {
            Op::Apply(rule) => self.reverse_apply(inst, rule, bar),
            Op::Cast(_) | Op::Convert(_) => self.reverse_cast(inst, bar),
            Op::Linear => self.reverse_linear(inst, bar),
            Op::Tuple => self.reverse_tuple(inst, bar),
            Op::Struct { path, fields, .. } => self.reverse_struct(inst, path, fields, bar),
            Op::Array | Op::VecList => self.reverse_list(inst, bar),
            Op::ArrayRepeat(_) | Op::VecRepeat => self.reverse_repeat(inst, bar),
            Op::Duplicate => self.reverse_duplicate(inst, bar),
            Op::Boxed => self.reverse_boxed(inst, bar),
            Op::Wrap(true) => self.reverse_wrap(inst, bar),
            Op::Unwrap => self.reverse_unwrap(inst, bar),
            _ => {}
        }
    }

    fn bar_name(&self, value: Value) -> String {
        format!("{}_bar", self.primal.value(value).name)
    }

    fn reverse_apply(&mut self, inst: &Inst, rule: &'static cotangent_rules::Rule, bar: Value) {
        let guarded = self.guarded(bar);
        for (position, partial) in differentiable(rule) {
            let arg = inst.args[position];
            if !self.is_active(arg) {
                continue;
            }
            let args = self.operands_for(inst, rule, partial);
            let result = self.operand_for((inst, rule), partial, rule.result, inst.results[0]);
            let name = self.bar_name(arg);
            let site = Site { rule, args: &args, result, span: inst.span, guarded };
            let term = site.scale(&mut self.builder, partial, bar, Mode::Reverse, &name);
            self.inherit(&[bar], term);
            self.watch_apply(inst, rule, bar, term);
            self.contribute(arg, term);
        }
    }

    /// A row that chooses one of its operands: this one alone has a cotangent, and what only it needs goes backwards
    /// where it is chosen.
    fn reverse_choice(&mut self, inst: &'a Inst, rule: &'static Rule, sunk: &Sunk<'_, 'a>) {
        let result = inst.results[0];
        let Some(bar) = self.is_active(result).then(|| self.take(result)).flatten() else { return };
        for (position, partial) in differentiable(rule) {
            let arg = inst.args[position];
            if !self.is_active(arg) {
                continue;
            }
            let args = self.operands_for(inst, rule, partial);
            let result = self.operand_for((inst, rule), partial, rule.result, result);
            let site = Site { rule, args: &args, result, span: inst.span, guarded: None };
            let name = self.bar_name(arg);
            let choice = site.choice(&mut self.builder, partial, bar, &name);
            let term = choice.results[0];
            let insts: Vec<&Inst> = sunk(position);
            if insts.is_empty() {
                self.builder.block().insts.push(choice);
                self.merged.insert(term);
                self.watch_apply(inst, rule, bar, term);
                self.contribute(arg, term);
            } else {
                self.reverse_chosen(choice, (arg, bar), &insts);
            }
        }
    }

    /// In debug mode, looks at the cotangent that a row made.
    fn watch_apply(&mut self, inst: &Inst, rule: &cotangent_rules::Rule, bar: Value, made: Value) {
        if !self.primal.is_watched {
            return;
        }
        let primals = inst.args.iter().chain(&inst.results);
        let primals = primals.map(|value| self.primal_value(*value)).collect();
        self.builder.watch(rule.name, primals, &[bar], made, inst.span);
    }

    /// The operands of a partial. Those that it does not read are there for their types, where these choose the rule.
    fn operands_for(
        &mut self,
        inst: &Inst,
        rule: &cotangent_rules::Rule,
        partial: usize,
    ) -> Vec<Value> {
        let operands = rule.params.iter().zip(&inst.args);
        operands
            .map(|(param, arg)| self.operand_for((inst, rule), partial, param.name, *arg))
            .collect()
    }

    fn operand_for(
        &mut self,
        (inst, rule): (&Inst, &cotangent_rules::Rule),
        partial: usize,
        name: &str,
        value: Value,
    ) -> Value {
        match reads(rule, partial, name) {
            true => self.primal_value(value),
            false if self.all_floats(inst, rule) => value,
            false if !is_sum(rule) && name != rule.result => self.primal_value(value),
            false if self.is_gone(value) && name == rule.result => self.witnessed(value),
            false => self.stand_in(value),
        }
    }

    fn all_floats(&self, inst: &Inst, rule: &cotangent_rules::Rule) -> bool {
        let floats = rule
            .params
            .iter()
            .zip(&inst.args)
            .filter(|(param, _)| !param.integer)
            .map(|(_, arg)| arg);
        let mut floats = floats.chain(&inst.results);
        rule.name == STRONG.name || floats.all(|value| self.primal.ty(*value).is_float())
    }

    fn reverse_linear(&mut self, inst: &Inst, bar: Value) {
        for pair in inst.args[1..].chunks(2) {
            if !self.is_active(pair[0]) {
                continue;
            }
            let partial = self.primal_value(pair[1]);
            let name = self.bar_name(pair[0]);
            let by = if self.guarded(bar).is_some() { &STRONG } else { row("mul") };
            let term = product(&mut self.builder, by, partial, bar, &name, inst.span);
            match self.is_conditional(pair[1]) {
                true => _ = self.merged.insert(term),
                false => self.inherit(&[bar], term),
            }
            self.contribute(pair[0], term);
        }
    }

    /// Whether a partial derivative of a part may be zero since another way was taken there.
    fn is_conditional(&self, partial: Value) -> bool {
        let (mut rest, mut seen) = (vec![partial], HashSet::default());
        while let Some(value) = rest.pop() {
            let Some(inst) = self.layout.def(value).filter(|_| seen.insert(value)) else {
                continue;
            };
            if inst.op.has_blocks() {
                return true;
            }
            if !matches!(inst.op, Op::Detached) {
                rest.extend(&inst.args);
            }
        }
        false
    }

    fn reverse_cast(&mut self, inst: &Inst, bar: Value) {
        let (arg, result) = (inst.args[0], inst.results[0]);
        let (from, to) = (self.primal.ty(arg).clone(), self.primal.ty(result).clone());
        let name = self.bar_name(arg);
        let op = match (&from, &to) {
            (Type::Float(_), Type::Float(_)) if from == to => return self.contribute(arg, bar),
            (Type::Float(_), Type::Float(_)) => match crate::syntax::types::float_syntax(&from) {
                Some(ty) => Op::Cast(Box::new(ty)),
                None => Op::CastPartial(Mode::Reverse),
            },
            _ => Op::CastPartial(Mode::Reverse),
        };
        let args = match op {
            Op::Cast(_) => vec![bar],
            _ => vec![self.primal_value(arg), self.primal_value(result), bar],
        };
        let term = self.builder.inst(op, args, from.tangent(), &name, inst.span);
        self.contribute(arg, term);
    }

    /// Each field takes its part of the shadow; the rest goes to what the other fields came from.
    fn reverse_struct(&mut self, inst: &Inst, whole: &syn::Path, fields: &[String], bar: Value) {
        let slot = self.builder.function.slot_of(bar).expect("the shadow of a struct is a place");
        let mut rest = bar;
        for (arg, field) in inst.args.iter().zip(fields) {
            let path = vec![crate::lower::field_step(whole, field)];
            let (ty, name) = (self.primal.ty(*arg).tangent(), self.bar_name(*arg));
            let part = self.piece(ty.clone(), &name, inst.span);
            self.builder.push(Op::Load(path.clone()), vec![rest], vec![part], inst.span);
            if inst.args.len() > fields.len() {
                let zero = self.piece(ty, &name, inst.span);
                self.builder.push(Op::Cleared(path.clone()), vec![rest], vec![zero], inst.span);
                rest = self.builder.update(Op::Store(path), vec![rest, zero], slot, inst.span);
            }
            self.merged.insert(part);
            self.contribute(*arg, part);
        }
        if let Some(base) = inst.args.get(fields.len()) {
            self.contribute(*base, rest);
        }
    }

    fn reverse_tuple(&mut self, inst: &Inst, bar: Value) {
        let items: Vec<Type> = inst.args.iter().map(|arg| self.primal.ty(*arg).tangent()).collect();
        let mut fields = Vec::new();
        for (arg, ty) in inst.args.iter().zip(items) {
            let name = self.bar_name(*arg);
            fields.push(self.piece(ty, &name, inst.span));
        }
        self.builder.push(Op::Destructure, vec![bar], fields.clone(), inst.span);
        for (arg, field) in inst.args.iter().zip(fields) {
            self.contribute(*arg, field);
        }
    }

    /// A value not defined yet; an aggregate gets a place.
    pub(super) fn piece(&mut self, ty: Type, name: &str, span: proc_macro2::Span) -> Value {
        self.builder.fresh(ty, name, span, true)
    }

    fn reverse_destructure(&mut self, inst: &Inst) {
        let whole = inst.args[0];
        if !self.is_active(whole) {
            return;
        }
        let bars: Vec<Option<Value>> =
            inst.results.iter().map(|result| self.take(*result)).collect();
        if bars.iter().all(Option::is_none) {
            return;
        }
        let mut fields = Vec::new();
        for (result, bar) in inst.results.iter().zip(bars) {
            fields.push(match bar {
                Some(bar) => bar,
                None => self.zero_field(*result),
            });
        }
        let name = self.bar_name(whole);
        let ty = Type::Tuple(
            fields.iter().map(|field| self.builder.function.ty(*field).clone()).collect(),
        );
        let tuple = self.builder.inst(Op::Tuple, fields, ty, &name, inst.span);
        self.contribute(whole, tuple);
    }

    fn zero_field(&mut self, field: Value) -> Value {
        match self.primal.slot_of(field).filter(|_| !self.primal.ty(field).is_constant()) {
            Some(slot) => {
                let shadow = self.shadow_slot(slot);
                let ty = self.primal.slot(slot).ty.clone();
                let span = self.primal.slot(slot).span;
                let (op, args) = self.zero_shape(slot, &ty, span);
                self.shadow_slots.remove(&slot);
                self.builder.update(op, args, shadow, span)
            }
            None => self.zero_of(field),
        }
    }

    /// Each item of an array takes its element of the shadow.
    fn reverse_list(&mut self, inst: &Inst, bar: Value) {
        for (position, arg) in inst.args.iter().enumerate() {
            if !self.is_active(*arg) {
                continue;
            }
            let index = self.index(position, inst);
            let name = self.bar_name(*arg);
            let ty = self.primal.ty(*arg).tangent();
            let item = self.piece(ty, &name, inst.span);
            self.builder.push(
                Op::Load(vec![crate::ir::Projection::Index]),
                vec![bar, index],
                vec![item],
                inst.span,
            );
            self.contribute(*arg, item);
        }
    }

    fn index(&mut self, position: usize, inst: &Inst) -> Value {
        let literal = syn::Lit::Int(syn::LitInt::new(&position.to_string(), inst.span));
        self.builder.inst(Op::Literal(literal), Vec::new(), Type::Int, "index", inst.span)
    }

    fn reverse_repeat(&mut self, inst: &Inst, bar: Value) {
        let arg = inst.args[0];
        if !self.is_active(arg) {
            return;
        }
        let name = self.bar_name(arg);
        let ty = self.primal.ty(arg).tangent();
        let mut args = vec![bar];
        if let Some(slot) =
            self.primal.slot_of(arg).filter(|_| !super::shadow::has_known_shape(&ty))
        {
            // The sum of none has the shape of the repeated item.
            self.now.insert(slot, arg);
            let (op, operands) = self.zero_shape(slot, &self.primal.ty(arg).clone(), inst.span);
            let zero = self.piece(ty.clone(), &name, inst.span);
            self.builder.push(op, operands, vec![zero], inst.span);
            args.push(zero);
        }
        let total = self.piece(ty, &name, inst.span);
        self.builder.push(Op::Total, args, vec![total], inst.span);
        self.contribute(arg, total);
    }

    fn reverse_duplicate(&mut self, inst: &Inst, bar: Value) {
        let arg = inst.args[0];
        let scalar =
            self.primal.slot_of(arg).is_none() && self.builder.function.slot_of(bar).is_some();
        let bar = match scalar {
            true => {
                let (ty, name) = (self.primal.ty(arg).tangent(), self.bar_name(arg));
                self.builder.inst(Op::Load(Vec::new()), vec![bar], ty, &name, inst.span)
            }
            false => bar,
        };
        self.contribute(arg, bar);
    }

    /// What the shadow's box holds.
    fn reverse_boxed(&mut self, inst: &Inst, bar: Value) {
        let arg = inst.args[0];
        let (ty, name) = (self.primal.ty(arg).tangent(), self.bar_name(arg));
        let content = self.piece(ty, &name, inst.span);
        let op = Op::Load(vec![crate::ir::Projection::Deref]);
        self.builder.push(op, vec![bar], vec![content], inst.span);
        self.contribute(arg, content);
    }

    /// The cotangent of what was wrapped: none where the way on did not unwrap it.
    fn reverse_wrap(&mut self, inst: &Inst, bar: Value) {
        let arg = inst.args[0];
        if let Some(inner) = self.wrapped.get(&bar) {
            return self.contribute(arg, *inner);
        }
        let (ty, name) = (self.primal.ty(arg).clone(), self.bar_name(arg));
        let shape = match (super::shadow::has_known_shape(&ty), self.primal.slot_of(arg)) {
            (true, _) => Vec::new(),
            (false, None) => vec![self.primal_value(arg)],
            (false, Some(_)) => vec![self.obtain(Residual::Contents(arg))],
        };
        let zero = self.piece(ty.tangent(), &name, inst.span);
        self.builder.push(Op::Zero(Vec::new()), shape, vec![zero], inst.span);
        let inner = self.piece(ty.tangent(), &name, inst.span);
        self.builder.push(Op::UnwrapOr, vec![bar, zero], vec![inner], inst.span);
        self.contribute(arg, inner);
    }

    fn reverse_unwrap(&mut self, inst: &Inst, bar: Value) {
        let arg = inst.args[0];
        let (ty, name) = (self.primal.ty(arg).tangent(), self.bar_name(arg));
        let wrapped = self.builder.inst(Op::Wrap(true), vec![bar], ty, &name, inst.span);
        self.wrapped.insert(wrapped, bar);
        self.contribute(arg, wrapped);
    }

    fn reverse_load(&mut self, inst: &Inst, path: &Path) {
        let result = inst.results[0];
        if !self.is_active(result) {
            return;
        }
        let Some(bar) = self.take(result) else { return };
        let slot = self.primal.slot_of(inst.args[0]).expect("a load reads a place");
        if !self.activity.is_active_slot(slot) {
            return;
        }
        self.ensure_shadow(slot);
        let mut args = vec![self.shadows[&slot]];
        args.extend(self.primal_values(&inst.args[1..]));
        args[0] = self.shadows[&slot];
        args.push(bar);
        let op = match self.vacant.remove(&slot) {
            Some(_) => Op::Store(path.clone()),
            None => Op::Accumulate(path.clone()),
        };
        self.update_shadow(slot, op, args, inst.span);
    }

    pub(super) fn update_shadow(
        &mut self,
        slot: crate::ir::Slot,
        op: Op,
        args: Vec<Value>,
        span: proc_macro2::Span,
    ) {
        let shadow = self.shadow_slot(slot);
        let next = self.builder.update(op, args, shadow, span);
        self.shadows.insert(slot, next);
    }

    /// `a[i] = v`: the cotangent of `v` is taken out of the shadow, and the old contents come back.
    fn reverse_store(&mut self, inst: &'a Inst, path: &Path) {
        let slot = self.primal.slot_of(inst.results[0]).expect("a store makes a version");
        let indices = self.primal_values(&inst.args[1..1 + index_count(path)]);
        self.find_stored(inst, path, &indices);
        self.put_back(path, &indices, (inst.args[0], inst.results[0]), inst.span);
        if !self.activity.is_active_slot(slot) || !self.shadows.contains_key(&slot) {
            return;
        }
        let value = *inst.args.last().expect("a stored value");
        let mut args = vec![self.shadows[&slot]];
        args.extend(&indices);
        if self.is_active(value) {
            let (ty, name) = (self.primal.ty(value).tangent(), self.bar_name(value));
            let bar = self.piece(ty, &name, inst.span);
            self.builder.push(Op::Load(path.clone()), args.clone(), vec![bar], inst.span);
            let read = self.layout.refills().read_before(inst.results[0]);
            match read.filter(|read| !self.sunk.contains(read)) {
                Some(read) => drop(self.vacant.insert(slot, Vacancy { store: inst, read })),
                None => self.clear(slot, path, args, value, inst),
            }
            // Fields are values like others; elements stand in loops over arrays, where each instruction counts.
            if index_count(path) == 0 {
                self.merged.insert(bar);
            }
            self.contribute(value, bar);
        } else {
            self.clear(slot, path, args, value, inst);
        }
    }

    /// Until the old contents of a place are back, what was stored is there.
    fn find_stored(&mut self, inst: &Inst, path: &Path, indices: &[Value]) {
        let (version, value) = (inst.results[0], *inst.args.last().expect("a stored value"));
        let slot = self.primal.slot_of(version).expect("a store makes a version");
        let residual = Residual::Primal(value);
        let is_there = self.comes_back(slot) && self.can_reread(version);
        if is_there && self.is_kept_as_is(inst, path) && self.at_hand(&residual).is_none() {
            let args = [&[self.memory[&slot]], indices].concat();
            let data = self.primal.value(value).clone();
            let found =
                self.builder.inst(Op::Load(path.clone()), args, data.ty, &data.name, inst.span);
            self.scope().env.insert(residual, found);
        }
    }

    /// Whether a place is known to hold what an instruction puts there: a float in an element.
    pub(super) fn is_kept_as_is(&self, inst: &Inst, path: &Path) -> bool {
        let value = *inst.args.last().expect("a stored value");
        let place = self.primal.ty(inst.results[0]).part(path);
        index_count(path) > 0 && place.is_float() && place == *self.primal.ty(value)
    }

    /// A part that is still vacant behind the read that was to fill it, whose value nothing used, is zero.
    fn fill(&mut self, inst: &Inst) {
        let Some(slot) = inst.args.first().and_then(|place| self.primal.slot_of(*place)) else {
            return;
        };
        let is_here = |vacancy: &Vacancy| inst.results.contains(&vacancy.read);
        let Some(Vacancy { store, .. }) = self.vacant.get(&slot).copied().filter(is_here) else {
            return;
        };
        let Op::Store(path) = &store.op else { unreachable!("a store left the part vacant") };
        let indices = self.primal_values(&store.args[1..=index_count(path)]);
        let args = [&[self.shadows[&slot]], &indices[..]].concat();
        self.vacant.remove(&slot);
        self.clear(slot, path, args, store.args[1 + index_count(path)], store);
    }

    /// The place was overwritten: what it held before has no cotangent from later reads.
    fn clear(
        &mut self,
        slot: crate::ir::Slot,
        path: &Path,
        mut args: Vec<Value>,
        value: Value,
        inst: &Inst,
    ) {
        let place = self.primal.slot(slot).ty.part(path);
        let ty = if place == Type::Unknown { self.primal.ty(value).clone() } else { place };
        let (op, operands) = if super::shadow::has_known_shape(&ty) {
            (Op::Zero(Vec::new()), Vec::new())
        } else if path.is_empty() {
            self.now.insert(slot, inst.args[0]);
            self.zero_shape(slot, &ty, inst.span)
        } else if self.is_number(value) {
            (Op::Cleared(path.clone()), args.clone())
        } else {
            self.plan.restore(slot);
            (Op::Zero(Vec::new()), vec![self.obtain(Residual::Old(inst.results[0]))])
        };
        let name = self.bar_name(value);
        let zero = self.piece(ty.tangent(), &name, inst.span);
        self.builder.push(op, operands, vec![zero], inst.span);
        args.push(zero);
        self.update_shadow(slot, Op::Store(path.clone()), args, inst.span);
    }

    /// Whether a value of unknown type comes from arithmetic: then it has the shape of what it replaces.
    fn is_number(&self, value: Value) -> bool {
        let op = self.layout.def(value).map(|inst| &inst.op);
        matches!(op, Some(Op::Apply(_) | Op::Cast(_) | Op::Convert(_) | Op::Method(_)))
    }

    /// A restoring write: the place holds the contents of an earlier version again.
    pub(super) fn update_memory(
        &mut self,
        slot: crate::ir::Slot,
        op: Op,
        args: Vec<Value>,
        version: Value,
        span: proc_macro2::Span,
    ) {
        let reached = self.builder.function.slot_of(self.memory[&slot]).expect("a place");
        let next = self.builder.update(op, args, reached, span);
        self.returns_to(slot, next, version);
    }

    /// From here on a reachable place holds the contents of an earlier version.
    pub(super) fn returns_to(&mut self, slot: crate::ir::Slot, next: Value, version: Value) {
        self.memory.insert(slot, next);
        self.point.insert(slot, version);
        if self.primal.slot_of(self.primal.body.results[0]) == Some(slot) {
            // The result is what the place held before.
            self.plan.clone_moves(slot);
        }
    }
}
