//! Which names may be bound to references, as far as syntax shows.
//!
//! In: a body. Out: for an expression, whether its value may be a reference. Invariant: what may be one is never said to be none.

use super::{Body, ExprId, ExprKind, Local, LoopKind, Mode, PatId, PatKind, Stmt};
use crate::syntax::signature::plain;
use crate::syntax::walk::{Node, Tree};
use rustc_hash::FxHashMap as HashMap;
use syn::Type;

/// The origin of the value that a name is bound to.
#[derive(Clone, Copy)]
enum Source {
    Value,
    Reference,
    Whole(ExprId),
    /// A part of what an expression is, or of what it leads to.
    Part(ExprId),
    /// An item of what a loop goes through.
    Item(ExprId),
}

/// The sources of all names that are bound by a `let`, a `match` or a loop.
pub struct References<'b> {
    body: &'b Body,
    sources: HashMap<Local, Source>,
}

impl<'b> References<'b> {
    pub fn of(body: &'b Body) -> Self {
        let mut references = References { body, sources: HashMap::default() };
        for expr in body.exprs() {
            references.enter(&expr.kind);
        }
        references
    }

    fn enter(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::Block { block, .. } => {
                for stmt in &block.stmts {
                    if let Stmt::Let { pattern, value: Some(value), .. } = stmt {
                        self.bind(*pattern, Source::Whole(*value));
                    }
                }
            }
            ExprKind::Let(pattern, value) => self.bind(*pattern, Source::Part(*value)),
            ExprKind::Match(value, arms) => {
                arms.iter().for_each(|arm| self.bind(arm.pattern, Source::Part(*value)));
            }
            ExprKind::Loop(repeat) => {
                if let LoopKind::For(pattern, iterated) = &repeat.kind {
                    self.bind(*pattern, Source::Item(*iterated));
                }
            }
            ExprKind::Closure(closure) => {
                closure.params.iter().for_each(|param| self.bind(*param, Source::Reference));
            }
            _ => {}
        }
    }

    fn bind(&mut self, pattern: PatId, source: Source) {
        let body = self.body;
        match &body.pat(pattern).kind {
            PatKind::Bind(binding) => {
                let is_lent = !matches!(binding.mode, Mode::Default);
                self.sources
                    .insert(binding.local, if is_lent { Source::Reference } else { source });
                binding.inner.into_iter().for_each(|inner| self.bind(inner, source));
            }
            PatKind::Typed(inner, ty) => {
                let has_reference = ty.has(&|node| matches!(node, Node::Type(Type::Reference(_))));
                self.bind(*inner, if has_reference { source } else { Source::Value });
            }
            PatKind::Reference(inner) => self.bind(*inner, Source::Value),
            PatKind::Tuple(items) => self.bind_tuple(items, source),
            PatKind::TupleStruct(_, items) | PatKind::Slice(items) => {
                items.iter().for_each(|item| self.bind(*item, part(source)));
            }
            PatKind::Struct { fields, .. } => {
                fields.iter().for_each(|(_, field)| self.bind(*field, part(source)));
            }
            PatKind::Or(patterns) => {
                patterns.iter().for_each(|pattern| self.bind(*pattern, source));
            }
            PatKind::Wild | PatKind::Rest | PatKind::Test(_) => {}
        }
    }

    /// `(a, b) = (x, y)` binds each name to its own part.
    fn bind_tuple(&mut self, items: &[PatId], source: Source) {
        let written = match source {
            Source::Whole(value) => match &self.body.expr(value).kind {
                ExprKind::Tuple(values) if values.len() == items.len() => Some(values),
                _ => None,
            },
            _ => None,
        };
        for (index, item) in items.iter().enumerate() {
            let source = written.map_or(part(source), |values| Source::Whole(values[index]));
            self.bind(*item, source);
        }
    }

    /// Whether a value may be a reference.
    pub fn may_be_reference(&self, expr: ExprId) -> bool {
        match &self.body.expr(expr).kind {
            ExprKind::Local(local) => {
                let ty = self.body.local(*local).ty.as_ref();
                match (ty, self.sources.get(local)) {
                    (Some(ty), _) => matches!(plain(ty), Type::Reference(_)),
                    (None, Some(source)) => self.is_reference(*source),
                    (None, None) => true,
                }
            }
            ExprKind::Borrow { .. } => true,
            // The part of a tuple. Fields that are references have no tangents.
            ExprKind::Field(base, syn::Member::Unnamed(_)) => self.may_be_reference(*base),
            // An option may hold a reference to an element. Other methods that give references are not lowered.
            ExprKind::Method { name, .. } => name == "unwrap" || name == "expect",
            ExprKind::If { then, other, .. } => {
                self.may_be_reference(*then) || self.may_be_reference(*other)
            }
            ExprKind::Block { block, .. } => {
                block.value.is_some_and(|value| self.may_be_reference(value))
            }
            ExprKind::Match(_, arms) => arms.iter().any(|arm| self.may_be_reference(arm.body)),
            _ => false,
        }
    }

    fn is_reference(&self, source: Source) -> bool {
        match source {
            Source::Value => false,
            Source::Reference => true,
            Source::Whole(value) => self.may_be_reference(value),
            Source::Part(value) => match &self.body.expr(value).kind {
                ExprKind::Tuple(_) | ExprKind::Method { .. } => true,
                _ => self.may_be_reference(value),
            },
            Source::Item(iterated) => {
                !matches!(self.body.expr(iterated).kind, ExprKind::Range { .. })
            }
        }
    }
}

/// The source of what a pattern takes apart.
fn part(source: Source) -> Source {
    match source {
        Source::Whole(value) => Source::Part(value),
        Source::Value | Source::Reference | Source::Part(_) | Source::Item(_) => source,
    }
}
