//! Arguments that fit the parameters of a function, by their types alone.
//!
//! In: a function or a pullback, and where floats come from. Out: data for its parameters. All lists have one length, so
//! that a shadow has the shape of its place.

use super::data::{Datum, Pullback, length};
use super::fault::{Fault, Run};
use super::{Program, operation::broken};
use crate::ir::{Access, FloatKind, Function, Type, Value};

/// How many elements a slice or a vector has.
const LENGTH: usize = 4;

/// The number that each integer is: a short length, and an index of all lists.
const NUMBER: i64 = 2;

impl Program {
    /// Returns arguments for the function at a position.
    ///
    /// # Errors
    ///
    /// A type does not say what fits it.
    pub fn arguments(&self, position: usize, next: &mut dyn FnMut() -> f64) -> Run<Vec<Datum>> {
        let function = &self.functions[position];
        let params = function.body.params.iter();
        params.map(|param| of_type(type_of(function, *param), next)).collect()
    }
}

impl Pullback {
    /// Returns arguments, of which the places are what the run before has left.
    ///
    /// # Errors
    ///
    /// A type does not say what fits it.
    pub fn arguments(&self, left: &[Datum], next: &mut dyn FnMut() -> f64) -> Run<Vec<Datum>> {
        let (function, mut left) = (&self.function, left.iter().cloned());
        let mut argument = |param: &Value| {
            let slot = function.slot_of(*param).map(|slot| function.slot(slot));
            match slot.filter(|slot| slot.access != Access::Owned && !slot.is_tangent) {
                Some(_) => left.next().ok_or_else(|| broken("a place is missing")),
                None => of_type(type_of(function, *param), next),
            }
        };
        self.body().params.iter().map(&mut argument).collect()
    }
}

fn type_of(function: &Function, param: Value) -> &Type {
    function.slot_of(param).map_or(function.ty(param), |slot| &function.slot(slot).ty)
}

fn of_type(ty: &Type, next: &mut dyn FnMut() -> f64) -> Run<Datum> {
    Ok(match ty {
        Type::Float(FloatKind::F32) => Datum::Single(next() as f32),
        Type::Float(_) => Datum::Double(next()),
        Type::Int => Datum::Integer(NUMBER),
        Type::Bool => Datum::Bool(true),
        Type::Text => Datum::Text("text".to_owned()),
        Type::Tuple(items) => {
            Datum::Tuple(items.iter().map(|item| of_type(item, next)).collect::<Run<_>>()?)
        }
        Type::Array(item, len) => list(item, length(len)?, next)?,
        Type::Slice(item) | Type::Vec(item) => list(item, LENGTH, next)?,
        Type::Reference(inner, _) => of_type(inner, next)?,
        Type::Constant
        | Type::Cell(_)
        | Type::Function(..)
        | Type::Pullback
        | Type::Wrapped(_)
        | Type::Never
        | Type::Unknown => {
            return Err(Fault::Unsupported(format!("a parameter of the type `{ty}`")));
        }
    })
}

fn list(item: &Type, len: usize, next: &mut dyn FnMut() -> f64) -> Run<Datum> {
    Ok(Datum::List((0..len).map(|_| of_type(item, next)).collect::<Run<_>>()?))
}
