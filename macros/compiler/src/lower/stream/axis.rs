//! Arrays of `ndarray` by their parts: `a.outer_iter()`, `a.axis_iter(axis)`, `a.rows()` and `a.columns()`.
//!
//! In: a call of one of these. Out: a [`Source`] whose elements are arrays of their own: a view of a constant would have
//! no rules. With an axis of `ndarray`, a part is none of another type's.

use super::super::place::Operand;
use super::super::{Lower, Place};
use super::Source;
use crate::hir::{ExprId, ExprKind};
use crate::ir::{Callee, Form, Type, Value};
use proc_macro2::{Ident, Span};

/// The axis along which parts of an array are counted.
#[derive(Clone)]
pub(in crate::lower) enum Axis {
    /// The first, of an array with any number of them.
    Outer,
    Rows,
    Columns,
    /// The one that is given.
    Given(Place),
}

impl<'a> Lower<'a> {
    /// `a.rows()` and `a.columns()`, which are gone through but are no iterators, where arrays are named: types of the
    /// user's own have such methods, too.
    pub(in crate::lower) fn is_lines(&self, expr: ExprId) -> bool {
        self.lines_of(expr).is_some()
    }

    fn lines_of(&self, expr: ExprId) -> Option<(ExprId, Axis)> {
        let ExprKind::Method { receiver, name, arguments, .. } = &self.body.expr(expr).kind else {
            return None;
        };
        if !self.signature.adds_to_floats || !arguments.is_empty() {
            return None;
        }
        match name.to_string().as_str() {
            "rows" => Some((*receiver, Axis::Rows)),
            "columns" => Some((*receiver, Axis::Columns)),
            _ => None,
        }
    }

    /// The parts that such a call is gone through by.
    pub(super) fn lines(&mut self, expr: ExprId) -> Option<Option<Source>> {
        let (receiver, axis) = self.lines_of(expr)?;
        Some(self.along(receiver, axis))
    }

    pub(super) fn along(&mut self, receiver: ExprId, axis: Axis) -> Option<Source> {
        let base = self.elements_of(receiver)?;
        Some(Source::Along { base, axis })
    }

    pub(super) fn along_axis(
        &mut self,
        receiver: ExprId,
        axis: ExprId,
        span: Span,
    ) -> Option<Source> {
        let base = self.elements_of(receiver)?;
        let axis = self.owned(axis);
        let axis = self.held(axis, "axis", span);
        Some(Source::Along { base, axis: Axis::Given(axis) })
    }

    /// How many parts there are. Only matrices have numbers of rows and columns.
    pub(super) fn count_along(&mut self, base: &Place, axis: &Axis, span: Span) -> Value {
        let mut operands = vec![self.passed(base, false)];
        let method = match axis {
            Axis::Rows => "nrows",
            Axis::Columns => "ncols",
            Axis::Outer | Axis::Given(_) => {
                operands.push(self.axis(axis, span));
                "len_of"
            }
        };
        let count = self.method_with(method, operands, span);
        self.builder.function.values[count.0 as usize].ty = Type::Int;
        count
    }

    /// The part of an index.
    pub(super) fn part_along(
        &mut self,
        base: &Place,
        axis: &Axis,
        index: Value,
        span: Span,
    ) -> Value {
        let operands = vec![self.passed(base, false), self.axis(axis, span), Operand::value(index)];
        let view = self.method_with("index_axis", operands, span);
        let view = self.held(view, "part", span);
        let view = self.passed(&view, false);
        self.method_with("to_owned", vec![view], span)
    }

    fn axis(&mut self, axis: &Axis, span: Span) -> Operand {
        let number = match axis {
            Axis::Given(place) => {
                let value = self.read(place, span);
                return Operand::value(self.kept(value, span));
            }
            Axis::Outer | Axis::Rows => self.number(0, span),
            Axis::Columns => self.number(1, span),
        };
        let path = syn::parse_quote!(::cotangent::ndarray::made::Axis);
        Operand::value(self.construct(
            &path,
            vec!["0".to_owned()],
            vec![number],
            Form::Fields,
            span,
        ))
    }

    fn method_with(&mut self, name: &str, operands: Vec<Operand>, span: Span) -> Value {
        self.call_of_operands(Callee::Method(Ident::new(name, span)), operands, span)
    }
}
