//! What code changes of the variables around it.
//!
//! Invariant: all answers over-approximate.

use super::super::pattern::By;
use super::super::{Lower, Storage};
use super::{Function, Source, Stage, Stream};
use crate::hir::{Body, ExprId, ExprKind, Local, Macro};
use std::collections::BTreeSet;

/// What code may change, and whether it does something that is seen.
#[derive(Default)]
struct Effects {
    changed: BTreeSet<Local>,
    speaks: bool,
}

impl Effects {
    fn of(body: &Body, expr: ExprId) -> Self {
        let mut effects = Effects::default();
        effects.visit(body, expr);
        effects
    }

    fn visit(&mut self, body: &Body, expr: ExprId) {
        let kind = &body.expr(expr).kind;
        match kind {
            ExprKind::Assign { target, .. } | ExprKind::Compound { target, .. } => {
                self.target(body, *target);
            }
            ExprKind::Borrow { is_mutable: true, place } => self.root(body, *place),
            ExprKind::Method { receiver, name, arguments, .. } => {
                let name = name.to_string();
                if name.ends_with("_mut") || may_change(&name, arguments.len()) {
                    self.root(body, *receiver);
                }
                arguments.iter().for_each(|argument| self.passed(body, *argument));
            }
            ExprKind::Call(_, arguments) => {
                arguments.iter().for_each(|argument| self.passed(body, *argument));
            }
            ExprKind::Macro(call) => self.speaks |= matches!(**call, Macro::Effect(_)),
            _ => {}
        }
        kind.children().into_iter().for_each(|child| self.visit(body, child));
    }

    /// What is passed as it is may be a `&mut`.
    fn passed(&mut self, body: &Body, argument: ExprId) {
        if let ExprKind::Local(local) = body.expr(argument).kind {
            self.changed.insert(local);
        }
    }

    fn target(&mut self, body: &Body, target: ExprId) {
        match &body.expr(target).kind {
            ExprKind::Tuple(items) | ExprKind::Array(items) => {
                items.iter().for_each(|item| self.target(body, *item));
            }
            _ => self.root(body, target),
        }
    }

    fn root(&mut self, body: &Body, expr: ExprId) {
        match &body.expr(expr).kind {
            ExprKind::Local(local) => _ = self.changed.insert(*local),
            ExprKind::Index(base, _)
            | ExprKind::Field(base, _)
            | ExprKind::Deref(base)
            | ExprKind::Borrow { place: base, .. }
            | ExprKind::Method { receiver: base, .. } => self.root(body, *base),
            _ => {}
        }
    }
}

/// Whether a method may change its receiver, by its name.
fn may_change(name: &str, arguments: usize) -> bool {
    const READING: [&str; 13] = [
        "iter",
        "windows",
        "chunks",
        "chunks_exact",
        "as_slice",
        "keys",
        "values",
        "contains",
        "get",
        "first",
        "last",
        "len",
        "is_empty",
    ];
    !READING.contains(&name) && super::super::method::is_unknown(name, arguments)
}

impl<'a> Lower<'a> {
    /// The locals that code may change.
    pub(in crate::lower) fn changed_by(&self, expr: ExprId) -> BTreeSet<Local> {
        Effects::of(self.body, expr).changed
    }

    /// A chain over copies of the arrays that are consumed by value, where their variables are among those that change.
    pub(in crate::lower) fn apart_from(
        &mut self,
        stream: &mut Stream,
        is_changed: &dyn Fn(&Self, Local) -> bool,
    ) {
        if let Source::Elements { base, by: By::Value } = &mut stream.source
            && let Some(local) = self.locals[base.var.0]
            && !self.fixed.contains(&base.var)
            && is_changed(self, local)
        {
            let span = stream.span;
            let value = self.read(base, span);
            *base = self.held(value, "held", span);
        }
        for stage in &mut stream.stages {
            if let Stage::Zip(other) | Stage::Chain(other) = stage {
                self.apart_from(other, is_changed);
            }
        }
    }

    /// Whether a function changes nothing that is seen outside of it. Its parameters may be `&mut`.
    pub(super) fn is_quiet(&self, function: &Function, takes_unique: bool) -> bool {
        let Function::Closure(value) = function else { return true };
        let effects = Effects::of(self.body, value.closure.body);
        let is_inner = |local: &Local| value.closure.locals.contains(&local.0);
        let is_seen = effects
            .changed
            .iter()
            .any(|local| (takes_unique || !is_inner(local)) && !self.is_fixed(*local));
        !is_seen && !effects.speaks
    }

    /// Whether nothing can change what a local stands for.
    fn is_fixed(&self, local: Local) -> bool {
        match self.storage.get(&local) {
            Some(Storage::Variable(var)) => self.fixed.contains(var),
            Some(Storage::Alias(place)) => !place.mutable && !self.signature.shares,
            Some(
                Storage::Part(_)
                | Storage::Closure(_)
                | Storage::Function(_)
                | Storage::Pullback(_)
                | Storage::Range(_),
            ) => true,
            Some(Storage::Parts(_) | Storage::Stream(_)) | None => false,
        }
    }
}
