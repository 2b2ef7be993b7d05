//! Chains of iterators as loops (stream fusion: Coutts, Leshchinskiy, Stewart 2007).
//!
//! In: an expression or a `for` loop that goes through a chain, such as
//! `x.iter().zip(y).map(|(a, b)| a * b).sum::<f64>()`. Out: the loop that a person would write with indices, in which
//! elements are places and closures stand where they are called.
//!
//! - `source` reads what a chain starts with, `stage` the methods behind; both evaluate their operands once, in order,
//!   before the loop.
//! - `position` is for chains whose elements have a position: how many there are, and the element at an index.
//! - `drive` makes the loop, and calls a sink with each element. `item` is what an element is, `apply` lowers a closure
//!   where it is called, `quiet` says what one changes.
//! - `sink`, `collect` and `choose` are the methods that end a chain; `neutral` is what a sum starts with. `order` puts
//!   slices in order, and `parallel` hands pieces of chains to threads.
//!
//! Invariant: closures are called in the order of the standard library, and as often; only one that changes nothing is
//! not called for an element that nobody takes.

mod apply;
mod axis;
mod choose;
mod collect;
mod cursor;
mod drive;
mod item;
mod neutral;
mod order;
mod parallel;
mod position;
mod quiet;
mod retain;
mod sink;
mod source;
mod stage;
mod tried;

use super::control::Given;
use super::pattern::By;
use super::{ClosureValue, Lower, Place};
use crate::hir::{Target, Variant};
use crate::ir::Value;
pub(super) use cursor::Cursor;
pub(super) use item::Item;
pub(super) use parallel::Piece;
use proc_macro2::Span;
pub(super) use source::needs_state;
use std::rc::Rc;

/// A chain without what ends it.
#[derive(Clone)]
pub(super) struct Stream {
    source: Source,
    /// From the source on.
    stages: Vec<Stage>,
    span: Span,
}

/// What a chain starts with.
#[derive(Clone)]
pub(super) enum Source {
    Elements {
        base: Place,
        by: By,
    },
    Range(Numbers),
    /// The entries of a map, by its keys.
    Entries {
        map: Place,
        keys: Place,
        part: super::map::Part,
        by: By,
    },
    /// Parts of an array of `ndarray` along an axis.
    Along {
        base: Place,
        axis: axis::Axis,
    },
    Windows {
        base: Place,
        size: Size,
    },
    Chunks {
        base: Place,
        size: Size,
        exact: bool,
        mutable: bool,
        all: Option<Value>,
    },
    Repeat(Item),
    Successors {
        first: Value,
        next: Function,
    },
}

/// A range of numbers.
#[derive(Clone)]
pub(super) struct Numbers {
    start: Value,
    end: Option<Value>,
    inclusive: bool,
    /// Whether its numbers are `usize`.
    of_indices: bool,
    is_from_zero: bool,
    /// The next number, of a range that is counted up.
    next: Option<Place>,
}

/// A length, and the literal that it is.
#[derive(Clone, Copy)]
pub(super) struct Size {
    value: Value,
    literal: Option<usize>,
}

/// A method that makes an iterator of an iterator.
#[derive(Clone)]
enum Stage {
    Copied,
    Map(Function),
    Inspect(Function),
    Filter(Function),
    FilterMap(Function),
    FlatMap(Function),
    Flatten,
    TakeWhile(Function),
    SkipWhile(Function),
    MapWhile(Function),
    Scan(Place, Function),
    Zip(Box<Stream>),
    Chain(Box<Stream>),
    Enumerate,
    /// From the end, with the number of elements.
    Rev(Option<Value>),
    Skip(Value),
    Take(Value),
    StepBy(Value),
    /// From the start again, with the number of elements.
    Cycle(Value),
    /// The insides of options or results, up to the first failure, which goes to a place.
    Shunt(Variant, Place),
}

/// What a stage calls.
#[derive(Clone)]
pub(super) enum Function {
    Closure(Rc<ClosureValue>),
    Path(syn::ExprPath),
    /// A variable whose type is a function's.
    Variable(Place),
}

/// What is done with an element.
type Sink<'s, 'a> = &'s dyn Fn(&mut Lower<'a>, Item);

/// The loop that a chain becomes.
#[derive(Clone, Copy)]
struct Run {
    /// Leaving it ends the chain.
    target: Target,
    schedule: Option<Given>,
    span: Span,
}

impl<'a> Lower<'a> {
    fn run(&mut self, span: Span) -> Run {
        Run { target: self.own_target(), schedule: None, span }
    }
}

impl Stream {
    pub(super) fn of(source: Source, span: Span) -> Self {
        Stream { source, stages: Vec::new(), span }
    }

    /// The elements of a place.
    pub(super) fn of_elements(base: Place, by: By, span: Span) -> Self {
        Stream::of(Source::Elements { base, by }, span)
    }

    /// The chain without the last of its stages, and that.
    fn split_last(&self) -> Option<(Stream, &Stage)> {
        let (last, rest) = self.stages.split_last()?;
        let (source, stages, span) = (self.source.clone(), rest.to_vec(), self.span);
        Some((Stream { source, stages, span }, last))
    }
}
