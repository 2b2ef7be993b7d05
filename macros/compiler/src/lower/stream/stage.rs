//! The methods of a chain: `map`, `zip`, `rev` and kin.
//!
//! In: a chain and a call on it. Out: the chain with that method behind. `rev` moves to the source, in front of what is
//! done to each element by itself.

use super::super::Lower;
use super::position::Length;
use super::{Function, Stage, Stream};
use crate::hir::{ExprId, ExprKind};
use proc_macro2::Span;

impl<'a> Lower<'a> {
    /// The chain with one more method.
    pub(super) fn staged(
        &mut self,
        mut inner: Stream,
        name: &str,
        arguments: &[ExprId],
        span: Span,
    ) -> Option<Stream> {
        let stage = match (name, arguments) {
            ("into_iter" | "fuse" | "peekable" | "clone", []) => return Some(inner),
            ("rev", []) => return self.reversed(inner),
            ("copied" | "cloned", []) => Stage::Copied,
            ("cycle", []) => self.cycled(&inner)?,
            ("enumerate", []) => Stage::Enumerate,
            ("flatten", []) => Stage::Flatten,
            ("scan", [first, step]) => {
                let first = self.owned(*first);
                let state = self.held(first, "state", span);
                Stage::Scan(state, self.function_of(*step, 2)?)
            }
            ("zip", [second]) => {
                let second = self.read_iterable(*second)?;
                self.zipped(&inner, second)?
            }
            ("chain", [second]) => Stage::Chain(Box::new(self.read_iterable(*second)?)),
            ("skip", [count]) => Stage::Skip(self.count_operand(*count)),
            ("take", [count]) => Stage::Take(self.count_operand(*count)),
            ("step_by", [step]) => {
                Stage::StepBy(self.size(*step, "assertion failed: step != 0", span).value)
            }
            ("map", [function]) => Stage::Map(self.function_of(*function, 1)?),
            ("inspect", [function]) => Stage::Inspect(self.function_of(*function, 1)?),
            ("filter", [function]) => Stage::Filter(self.function_of(*function, 1)?),
            ("filter_map", [function]) => Stage::FilterMap(self.function_of(*function, 1)?),
            ("flat_map", [function]) => match self.function_of(*function, 1)? {
                function if self.gives_option(&function) => Stage::FilterMap(function),
                function => Stage::FlatMap(function),
            },
            ("take_while", [function]) => Stage::TakeWhile(self.function_of(*function, 1)?),
            ("skip_while", [function]) => Stage::SkipWhile(self.function_of(*function, 1)?),
            ("map_while", [function]) => Stage::MapWhile(self.function_of(*function, 1)?),
            _ => return None,
        };
        inner.stages.push(stage);
        Some(inner)
    }

    /// Whether a function shows that it makes an option.
    fn gives_option(&self, function: &Function) -> bool {
        match function {
            Function::Closure(value) => self.is_option(value.closure.body),
            Function::Path(_) | Function::Variable(_) => false,
        }
    }

    fn is_option(&self, expr: ExprId) -> bool {
        let names =
            |path: &syn::ExprPath, name| crate::syntax::is_variant_of_std(&path.path, &[name]);
        match &self.body.expr(expr).kind {
            ExprKind::Block { block, .. } => block.value.is_some_and(|value| self.is_option(value)),
            ExprKind::If { then, other, .. } => self.is_option(*then) || self.is_option(*other),
            ExprKind::Match(_, arms) => arms.iter().any(|arm| self.is_option(arm.body)),
            ExprKind::Item(path) => names(path, "None"),
            ExprKind::Call(callee, _) => match &self.body.expr(*callee).kind {
                ExprKind::Item(path) => names(path, "Some"),
                _ => false,
            },
            _ => false,
        }
    }

    /// All elements again and again, of a chain whose elements have positions.
    fn cycled(&mut self, inner: &Stream) -> Option<Stage> {
        if inner.is_unique() || !self.is_random_access(inner) {
            return None;
        }
        match self.length(inner)? {
            Length::Known(len) => Some(Stage::Cycle(len)),
            Length::Endless => None,
        }
    }

    fn count_operand(&mut self, count: ExprId) -> crate::ir::Value {
        let (value, span) = (self.expr(count), self.span(count));
        self.contents(value, span)
    }

    /// The chain from its end.
    fn reversed(&mut self, mut inner: Stream) -> Option<Stream> {
        let Some(last) = inner.stages.pop() else {
            inner.stages.push(Stage::Rev(None));
            return Some(inner);
        };
        Some(match last {
            Stage::Rev(_) => inner,
            Stage::Copied
            | Stage::Map(_)
            | Stage::Inspect(_)
            | Stage::Filter(_)
            | Stage::FilterMap(_) => {
                let mut inner = self.reversed(inner)?;
                inner.stages.push(last);
                inner
            }
            Stage::Chain(second) => {
                let mut second = self.reversed(*second)?;
                second.stages.push(Stage::Chain(Box::new(self.reversed(inner)?)));
                second
            }
            Stage::Zip(_)
            | Stage::Enumerate
            | Stage::Skip(_)
            | Stage::Take(_)
            | Stage::StepBy(_) => {
                inner.stages.extend([last, Stage::Rev(None)]);
                self.is_indexed(&inner).then_some(inner)?
            }
            Stage::Cycle(_)
            | Stage::FlatMap(_)
            | Stage::Flatten
            | Stage::TakeWhile(_)
            | Stage::SkipWhile(_)
            | Stage::MapWhile(_)
            | Stage::Scan(..)
            | Stage::Shunt(..) => return None,
        })
    }

    /// Another chain beside it. How often the standard library calls the closures of the first where the second is
    /// shorter depends on what it knows of both: they must not be seen.
    pub(super) fn zipped(&mut self, first: &Stream, second: Stream) -> Option<Stage> {
        self.is_quiet_stream(first).then(|| Stage::Zip(Box::new(second)))
    }
}
