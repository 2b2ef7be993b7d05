//! Values and tangents without their types: as lists of leaves.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::parameter::{Inspect, Slot};
use crate::differentiable::Differentiable;
use crate::visit::Leaf;

/// One leaf of a value. Equal means equal bit for bit, except that one NaN is as good as another:
/// the language does not promise the bits of a NaN from one run to the next.
#[derive(Clone)]
pub(super) enum Part {
    F32(f32),
    F64(f64),
    Integer(i128),
    Text(String),
    Shape(usize),
}

impl From<Leaf<'_>> for Part {
    fn from(leaf: Leaf<'_>) -> Part {
        match leaf {
            Leaf::F32(float) => Part::F32(float),
            Leaf::F64(float) => Part::F64(float),
            Leaf::Integer(integer) => Part::Integer(integer),
            Leaf::Text(text) => Part::Text(text.into()),
            Leaf::Shape(size) => Part::Shape(size),
        }
    }
}

impl PartialEq for Part {
    fn eq(&self, other: &Part) -> bool {
        match (self, other) {
            (Part::F32(a), Part::F32(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
            (Part::F64(a), Part::F64(b)) => same(*a, *b),
            (Part::Integer(a), Part::Integer(b)) => a == b,
            (Part::Text(a), Part::Text(b)) => a == b,
            (Part::Shape(a), Part::Shape(b)) => a == b,
            _ => false,
        }
    }
}

impl Part {
    /// The part as a float, if it is one.
    pub(super) fn float(&self) -> Option<f64> {
        match self {
            Part::F32(float) => Some(f64::from(*float)),
            Part::F64(float) => Some(*float),
            _ => None,
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::F32(float) => write!(f, "{float:?}"),
            Part::F64(float) => write!(f, "{float:?}"),
            Part::Integer(integer) => write!(f, "{integer}"),
            Part::Text(text) => write!(f, "{text:?}"),
            Part::Shape(size) => write!(f, "a length (or variant) of {size}"),
        }
    }
}

/// Equal bit for bit, or both NaN.
pub(super) fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

/// The leaves of a value.
pub(super) type Leaves = Vec<Part>;

/// The floats of the tangents of all parameters, or of their cotangents: a list for each parameter.
pub(super) type Floats = Vec<Vec<f64>>;

/// The leaves of a value.
pub(super) fn leaves(value: &(impl Differentiable + ?Sized)) -> Leaves {
    let mut leaves = Vec::new();
    value.visit(&mut |leaf: Leaf<'_>| leaves.push(leaf.into()));
    leaves
}

/// The leaves of each parameter.
pub(super) fn parameter_leaves(parameters: &[&dyn Inspect]) -> Vec<Leaves> {
    let of_one = |parameter: &&dyn Inspect| {
        let mut leaves = Vec::new();
        parameter.visit(&mut |leaf: Leaf<'_>| leaves.push(leaf.into()));
        leaves
    };
    parameters.iter().map(of_one).collect()
}

/// The floats among some leaves.
pub(super) fn floats(leaves: &[Part]) -> Vec<f64> {
    leaves.iter().filter_map(Part::float).collect()
}

/// The inputs that a direction moves: parameter, and number among its floats.
pub(super) fn moving(direction: &Floats) -> impl Iterator<Item = (usize, usize)> {
    direction.iter().enumerate().flat_map(|(parameter, floats)| {
        let moving = floats.iter().enumerate().filter(|(_, float)| **float != 0.0);
        moving.map(move |(index, _)| (parameter, index))
    })
}

/// Reads the floats of all slots.
pub(super) fn read(slots: &[&mut dyn Slot]) -> Floats {
    slots.iter().map(|slot| crate::visit::floats(|visitor| slot.visit(visitor))).collect()
}

/// Writes floats into slots; what has no counterpart stays.
pub(super) fn write(slots: Vec<&mut dyn Slot>, floats: &Floats) {
    for (slot, floats) in slots.into_iter().zip(floats) {
        let mut floats = floats.iter();
        slot.visit_mut(&mut |place| {
            if let Some(float) = floats.next() {
                *place = *float;
            }
        });
    }
}
