//! Partial derivatives of rows as functions.
//!
//! In: a row, one of its operands, and the data that it is given. Out: a function of the row's operands, its result and a
//! direction, lowered from the row's text; or what the forward transform makes of it, as often as the operation was raised.

use super::data::Datum;
use crate::ir::build::Builder;
use crate::ir::{FloatKind, Function, Op, STRONG, Type, Value, ValueData, parse, row};
use crate::pipeline::raised;
use cotangent_rules::{Rule, Slopes};
use proc_macro2::Span;
use rustc_hash::FxHashMap as HashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// Which partial derivative: the row, the operand, the types of what the row is given, and how often each operand is.
type Key = (&'static str, usize, Vec<Kind>, usize);

thread_local! {
    static FUNCTIONS: RefCell<HashMap<Key, Rc<Function>>> = RefCell::default();
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Single,
    Integer,
    Double,
}

impl Kind {
    fn of(datum: &Datum) -> Self {
        match datum {
            Datum::Single(_) => Kind::Single,
            Datum::Integer(_) => Kind::Integer,
            _ => Kind::Double,
        }
    }

    fn ty(self) -> Type {
        match self {
            Kind::Single => Type::Float(FloatKind::F32),
            Kind::Integer => Type::Int,
            Kind::Double => Type::Float(FloatKind::F64),
        }
    }
}

/// Returns the function for these arguments, in which each that is no integer is there so many times.
pub(super) fn function(
    rule: &'static Rule,
    index: usize,
    args: &[Datum],
    times: usize,
) -> Rc<Function> {
    let (mut kinds, mut rest) = (Vec::new(), args);
    while let Some(first) = rest.first() {
        kinds.push(Kind::of(first));
        let count = if matches!(first, Datum::Integer(_)) { 1 } else { times };
        rest = &rest[count.min(rest.len())..];
    }
    let key = (rule.name, index, kinds, times);
    let known = FUNCTIONS.with_borrow(|functions| functions.get(&key).cloned());
    known.unwrap_or_else(|| {
        let function = Rc::new(lowered(rule, &key));
        FUNCTIONS.with_borrow_mut(|functions| functions.insert(key, Rc::clone(&function)));
        function
    })
}

fn lowered(rule: &'static Rule, (_, index, kinds, times): &Key) -> Function {
    let (mut builder, span) = (Builder::new(parse::empty()), Span::call_site());
    let params = kinds.iter().map(|kind| {
        let value = builder.function.new_value(ValueData::named(kind.ty(), "x", span));
        builder.param(value)
    });
    let params: Vec<Value> = params.collect();
    let [args @ .., result, direction] = &params[..] else { unreachable!("a row has a result") };
    let factor = crate::lower::partial(&mut builder, rule, *index, args, *result, span);
    // Backwards as forwards it is the product with a direction.
    let (by, pair) = match rule.slopes {
        Slopes::Choice => (&STRONG, [factor, *direction]),
        Slopes::Constant | Slopes::Finite => (row("mul"), [*direction, factor]),
        Slopes::Pole | Slopes::Singular => (&STRONG, [*direction, factor]),
    };
    let ty = kinds[kinds.len() - 1].ty();
    let product = builder.inst(Op::Apply(by), pair.to_vec(), ty, "product", span);
    builder.block().results = vec![product];
    builder.function.outputs = 1;
    let is_active = |(_, kind): &(&Value, &Kind)| **kind != Kind::Integer;
    builder.function.active =
        params.iter().zip(kinds).filter(is_active).map(|(param, _)| *param).collect();
    let function = builder.finish();
    (0..times.ilog2()).fold(function, |function, _| raised(function))
}
