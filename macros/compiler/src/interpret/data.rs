//! Data: the contents of values and places.

use super::fault::{Fault, Run};
use crate::ir::entity::EntityMap;
use crate::ir::{Block, Function, Projection, Type, Value};
use std::fmt;
use std::rc::Rc;

/// The contents of a value or a place. A box holds what is in it; an array, a slice and a vector are all lists.
#[derive(Clone, PartialEq)]
pub enum Datum {
    /// An `f64`, or a float of a type parameter.
    Double(f64),
    /// An `f32`.
    Single(f32),
    /// An integer of any type, as its number.
    Integer(i64),
    /// A `bool`.
    Bool(bool),
    /// A `&str`.
    Text(String),
    /// A tuple.
    Tuple(Vec<Datum>),
    /// An array, a slice or a vector.
    List(Vec<Datum>),
    /// A struct: its path, and its fields by name.
    Struct(String, Vec<(String, Datum)>),
    /// An `Option`.
    Option(Option<Box<Datum>>),
    /// The tangent of what has none.
    NoTangent,
    /// A pullback.
    Pullback(Rc<Pullback>),
    /// What nothing may look at.
    Undefined,
}

/// A closure over residuals.
pub struct Pullback {
    pub(super) function: Rc<Function>,
    /// The closure's block, which is one of the function's: what finds it there.
    pub(super) body: *const Block,
    pub(super) captured: EntityMap<Value, Datum>,
    pub(super) tapes: Vec<Vec<Entry>>,
}

/// Two pullbacks are the same if they are one.
impl PartialEq for Pullback {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

/// An entry of a tape.
#[derive(Clone, PartialEq)]
pub(super) struct Entry(pub Vec<Datum>);

impl fmt::Debug for Datum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Datum::Double(number) => write!(f, "{number:?}"),
            Datum::Single(number) => write!(f, "{number:?}f32"),
            Datum::Integer(number) => write!(f, "{number}"),
            Datum::Bool(holds) => write!(f, "{holds}"),
            Datum::Text(text) => write!(f, "{text:?}"),
            Datum::Tuple(items) => {
                let mut tuple = f.debug_tuple("");
                for item in items {
                    tuple.field(item);
                }
                tuple.finish()
            }
            Datum::List(items) => f.debug_list().entries(items).finish(),
            Datum::Struct(path, fields) => {
                let mut text = f.debug_struct(path);
                for (name, field) in fields {
                    text.field(name, field);
                }
                text.finish()
            }
            Datum::Option(held) => write!(f, "{held:?}"),
            Datum::NoTangent => f.write_str("no tangent"),
            Datum::Pullback(_) => f.write_str("pullback"),
            Datum::Undefined => f.write_str("undefined"),
        }
    }
}

impl Datum {
    /// A list of `f64`.
    #[must_use]
    pub fn doubles(items: &[f64]) -> Self {
        Datum::List(items.iter().map(|item| Datum::Double(*item)).collect())
    }

    /// Whether two are the same bit for bit, where every NaN is the same.
    #[must_use]
    pub fn is_identical(&self, other: &Self) -> bool {
        let each = |a: &[Datum], b: &[Datum]| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_identical(b))
        };
        match (self, other) {
            (Datum::Double(a), Datum::Double(b)) => {
                a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
            }
            (Datum::Single(a), Datum::Single(b)) => {
                a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
            }
            (Datum::Tuple(a), Datum::Tuple(b)) | (Datum::List(a), Datum::List(b)) => each(a, b),
            (Datum::Struct(path, a), Datum::Struct(other, b)) => {
                let mut pairs = a.iter().zip(b);
                path == other
                    && a.len() == b.len()
                    && pairs.all(|((x, a), (y, b))| x == y && a.is_identical(b))
            }
            (Datum::Option(Some(a)), Datum::Option(Some(b))) => a.is_identical(b),
            (Datum::Pullback(_), Datum::Pullback(_)) => true,
            (a, b) => a == b,
        }
    }

    /// All floats in it, in order.
    #[must_use]
    pub fn floats(&self) -> Vec<f64> {
        match self {
            Datum::Double(number) => vec![*number],
            Datum::Single(number) => vec![f64::from(*number)],
            Datum::Tuple(items) | Datum::List(items) => {
                items.iter().flat_map(Datum::floats).collect()
            }
            Datum::Struct(_, fields) => {
                fields.iter().flat_map(|(_, field)| field.floats()).collect()
            }
            Datum::Option(held) => held.iter().flat_map(|held| held.floats()).collect(),
            Datum::Integer(_)
            | Datum::Bool(_)
            | Datum::Text(_)
            | Datum::NoTangent
            | Datum::Pullback(_)
            | Datum::Undefined => Vec::new(),
        }
    }

    /// The same with each float replaced, in order.
    #[must_use]
    pub fn with_floats(&self, next: &mut dyn FnMut(f64) -> f64) -> Self {
        match self {
            Datum::Double(number) => Datum::Double(next(*number)),
            Datum::Single(number) => Datum::Single(next(f64::from(*number)) as f32),
            Datum::Tuple(items) => {
                Datum::Tuple(items.iter().map(|item| item.with_floats(next)).collect())
            }
            Datum::List(items) => {
                Datum::List(items.iter().map(|item| item.with_floats(next)).collect())
            }
            Datum::Struct(path, fields) => {
                let each =
                    fields.iter().map(|(name, field)| (name.clone(), field.with_floats(next)));
                Datum::Struct(path.clone(), each.collect())
            }
            Datum::Option(held) => {
                Datum::Option(held.as_ref().map(|held| Box::new(held.with_floats(next))))
            }
            other => other.clone(),
        }
    }

    /// The zero tangent. That of a tangent is a zero of the same shape.
    #[must_use]
    pub fn zero(&self) -> Self {
        match self {
            Datum::Integer(_) | Datum::Bool(_) | Datum::Text(_) => Datum::NoTangent,
            Datum::Tuple(items) => Datum::Tuple(items.iter().map(Datum::zero).collect()),
            Datum::List(items) => Datum::List(items.iter().map(Datum::zero).collect()),
            Datum::Struct(path, fields) => {
                let each = fields.iter().map(|(name, field)| (name.clone(), field.zero()));
                Datum::Struct(path.clone(), each.collect())
            }
            Datum::Option(held) => Datum::Option(held.as_ref().map(|held| Box::new(held.zero()))),
            other => other.with_floats(&mut |_| 0.0),
        }
    }

    /// The zero of a type, where the type alone tells it.
    pub(super) fn zero_of(ty: &Type) -> Run<Self> {
        use crate::ir::FloatKind;
        Ok(match ty {
            Type::Float(FloatKind::F32) => Datum::Single(0.0),
            Type::Tuple(items) => {
                Datum::Tuple(items.iter().map(Datum::zero_of).collect::<Run<_>>()?)
            }
            Type::Array(item, len) => Datum::List(vec![Datum::zero_of(item)?; length(len)?]),
            Type::Wrapped(_) => Datum::Option(None),
            Type::Float(_) | Type::Unknown => Datum::Double(0.0),
            _ => return Err(Fault::Broken(format!("there is no zero of the type `{ty}`"))),
        })
    }

    /// Tangents of constants of a type.
    pub(super) fn no_tangent_of(ty: &Type) -> Run<Self> {
        Ok(match ty {
            Type::Tuple(items) => {
                Datum::Tuple(items.iter().map(Datum::no_tangent_of).collect::<Run<_>>()?)
            }
            Type::Array(item, len) => Datum::List(vec![Datum::no_tangent_of(item)?; length(len)?]),
            _ => Datum::NoTangent,
        })
    }

    /// Adds a tangent to one of the same shape.
    pub(super) fn add(&mut self, other: &Self) -> Run<()> {
        let each = |a: &mut [Datum], b: &[Datum]| {
            if a.len() != b.len() {
                return Err(Fault::Broken(format!(
                    "a tangent of {} parts is added to one of {}",
                    b.len(),
                    a.len()
                )));
            }
            a.iter_mut().zip(b).try_for_each(|(a, b)| a.add(b))
        };
        match (self, other) {
            (Datum::Double(a), Datum::Double(b)) => *a += b,
            (Datum::Single(a), Datum::Single(b)) => *a += b,
            (Datum::Single(a), Datum::Double(b)) => *a += *b as f32,
            (place @ Datum::Double(_), Datum::Single(b)) => {
                // The zero of an unsuffixed literal takes its type from what it meets.
                let Datum::Double(a) = *place else { return Ok(()) };
                *place = Datum::Single(a as f32 + b);
            }
            (Datum::Tuple(a), Datum::Tuple(b)) | (Datum::List(a), Datum::List(b)) => each(a, b)?,
            (Datum::Struct(_, a), Datum::Struct(_, b)) if a.len() == b.len() => {
                a.iter_mut().zip(b).try_for_each(|((_, a), (_, b))| a.add(b))?;
            }
            (Datum::Option(Some(a)), Datum::Option(Some(b))) => a.add(b)?,
            (Datum::Option(_), Datum::Option(None)) | (Datum::NoTangent, Datum::NoTangent) => {}
            (Datum::Option(place), Datum::Option(b)) => place.clone_from(b),
            (a, b) => return Err(Fault::Broken(format!("{b:?} is added to {a:?}"))),
        }
        Ok(())
    }

    /// Calls a function on the part that a path leads to. The indices are those that the path takes.
    pub(super) fn at<R>(
        &mut self,
        path: &[Projection],
        indices: &[Datum],
        run: &mut dyn FnMut(&mut Datum) -> Run<R>,
    ) -> Run<R> {
        let Some((step, rest)) = path.split_first() else { return run(self) };
        let (own, indices) = indices.split_at(step.indices());
        match step {
            Projection::Index => self.element(&own[0])?.at(rest, indices, run),
            Projection::Field(name) => self.field(name)?.at(rest, indices, run),
            Projection::Deref => self.at(rest, indices, run),
            Projection::Unwrap(..) => match self {
                Datum::Option(Some(held)) => held.at(rest, indices, run),
                Datum::Option(None) => Err(Fault::Panic("`unwrap` on nothing".to_owned())),
                other => Err(Fault::Broken(format!("{other:?} is unwrapped"))),
            },
            Projection::Range(ends) => {
                let items = self.items()?;
                let range = range(*ends, own, items.len())?;
                let mut part = Datum::List(items[range.clone()].to_vec());
                let result = part.at(rest, indices, run)?;
                match part {
                    Datum::List(part) if part.len() == range.len() => {
                        items[range].clone_from_slice(&part);
                    }
                    _ => return Err(Fault::Panic("slices of different lengths".to_owned())),
                }
                Ok(result)
            }
            Projection::Key | Projection::Variant(..) | Projection::Borrowed => {
                Err(Fault::Unsupported(format!("the projection `{step:?}`")))
            }
        }
    }

    /// A copy of the part that a path leads to.
    pub(super) fn part(&self, path: &[Projection], indices: &[Datum]) -> Run<Self> {
        let Some((step, rest)) = path.split_first() else { return Ok(self.clone()) };
        let (own, indices) = indices.split_at(step.indices());
        match (step, self) {
            (Projection::Index, Datum::List(items)) => {
                items[position(&own[0], items.len())?].part(rest, indices)
            }
            (Projection::Field(name), Datum::Tuple(items)) => {
                let item = name.parse::<usize>().ok().and_then(|index| items.get(index));
                let item = item.ok_or_else(|| Fault::Broken(format!("no field `{name}`")))?;
                item.part(rest, indices)
            }
            // Reading goes the way of writing, which needs a place of its own.
            _ => self.clone().at(path, &[own, indices].concat(), &mut |part| Ok(part.clone())),
        }
    }

    pub(super) fn items(&mut self) -> Run<&mut Vec<Datum>> {
        match self {
            Datum::List(items) => Ok(items),
            other => Err(Fault::Broken(format!("{other:?} has no elements"))),
        }
    }

    fn element(&mut self, index: &Datum) -> Run<&mut Datum> {
        let items = self.items()?;
        let position = position(index, items.len())?;
        Ok(&mut items[position])
    }

    fn field(&mut self, name: &str) -> Run<&mut Datum> {
        let found = match self {
            Datum::Tuple(items) => {
                name.parse::<usize>().ok().and_then(|index| items.get_mut(index))
            }
            Datum::Struct(_, fields) => {
                fields.iter_mut().find(|(known, _)| known == name).map(|(_, field)| field)
            }
            _ => None,
        };
        found.ok_or_else(|| Fault::Broken(format!("there is no field `{name}`")))
    }

    pub(super) fn integer(&self) -> Run<i64> {
        match self {
            Datum::Integer(number) => Ok(*number),
            other => Err(Fault::Broken(format!("{other:?} is no integer"))),
        }
    }

    pub(super) fn bool(&self) -> Run<bool> {
        match self {
            Datum::Bool(holds) => Ok(*holds),
            other => Err(Fault::Broken(format!("{other:?} is no `bool`"))),
        }
    }

    /// How many bytes it takes on a tape of a 64-bit machine, the headers of vectors left out.
    pub(super) fn bytes(&self) -> u64 {
        match self {
            Datum::Double(_) | Datum::Integer(_) => 8,
            Datum::Single(_) => 4,
            Datum::Bool(_) => 1,
            Datum::Text(_) => 16,
            Datum::Tuple(items) | Datum::List(items) => items.iter().map(Datum::bytes).sum(),
            Datum::Struct(_, fields) => fields.iter().map(|(_, field)| field.bytes()).sum(),
            Datum::Option(held) => 1 + held.as_ref().map_or(0, |held| held.bytes()),
            Datum::NoTangent | Datum::Undefined => 0,
            Datum::Pullback(pullback) => pullback.bytes(),
        }
    }
}

impl Pullback {
    /// The closure's block.
    pub(super) fn body(&self) -> &Block {
        let mut found = None;
        self.function.body.walk(&mut |inst, _| {
            let mut inner = inst.op.blocks();
            found = found.or_else(|| inner.find(|block| std::ptr::eq(*block, self.body)));
        });
        found.expect("a block of the function")
    }

    fn bytes(&self) -> u64 {
        let captured: u64 = self.captured.values().map(Datum::bytes).sum();
        let entries = self.tapes.iter().flatten().flat_map(|entry| &entry.0);
        captured + entries.map(Datum::bytes).sum::<u64>()
    }
}

/// Where an index leads in so many elements.
fn position(index: &Datum, len: usize) -> Run<usize> {
    let number = index.integer()?;
    usize::try_from(number).ok().filter(|position| *position < len).ok_or_else(|| {
        Fault::Panic(format!("the index {number} is out of bounds of {len} elements"))
    })
}

/// The length of an array, where it is a number.
pub(super) fn length(tokens: &str) -> Run<usize> {
    let digits = tokens.trim_end_matches("usize").trim_end_matches('_');
    digits.parse().map_err(|_| Fault::Unsupported(format!("the length `{tokens}`")))
}

fn range(ends: crate::ir::Ends, own: &[Datum], len: usize) -> Run<std::ops::Range<usize>> {
    let mut given = own.iter();
    let mut next = |is_written: bool, default: usize| match given.next().filter(|_| is_written) {
        Some(end) => end.integer(),
        None => Ok(default as i64),
    };
    let start = if ends.start { next(true, 0)? } else { 0 };
    let end = if ends.end { next(true, 0)? + i64::from(ends.inclusive) } else { len as i64 };
    let fits = 0 <= start && start <= end && end <= len as i64;
    match fits {
        true => Ok(start as usize..end as usize),
        false => Err(Fault::Panic(format!(
            "the range {start}..{end} is out of bounds of {len} elements"
        ))),
    }
}
