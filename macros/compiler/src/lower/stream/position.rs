//! Chains whose elements have positions: how many there are, and what the element at an index is.
//!
//! In: a chain, and an index. Out: an [`Item`]. What does not change from element to element is made by `prepared`, in
//! front of the loop.

use super::super::pattern::By;
use super::super::{Lower, Place};
use super::{Item, Numbers, Source, Stage, Stream};
use crate::ir::{Op, Type, Value};
use proc_macro2::{Ident, Span};

/// How many elements a chain has.
#[derive(Clone, Copy)]
pub(super) enum Length {
    Known(Value),
    Endless,
}

impl Source {
    pub(super) fn is_unique(&self) -> bool {
        match self {
            Source::Elements { by, .. } | Source::Entries { by, .. } => *by == By::Unique,
            Source::Chunks { mutable, .. } => *mutable,
            Source::Along { .. }
            | Source::Range(_)
            | Source::Windows { .. }
            | Source::Repeat(_)
            | Source::Successors { .. } => false,
        }
    }

    pub(super) fn is_endless(&self) -> bool {
        match self {
            Source::Range(numbers) => numbers.end.is_none(),
            Source::Repeat(_) | Source::Successors { .. } => true,
            Source::Elements { .. }
            | Source::Entries { .. }
            | Source::Along { .. }
            | Source::Windows { .. }
            | Source::Chunks { .. } => false,
        }
    }

    /// A range of numbers that are not known to be indices.
    fn counts(&self) -> bool {
        matches!(self, Source::Range(Numbers { of_indices: false, .. }))
    }
}

impl Stream {
    /// Whether elements may be changed.
    pub(super) fn is_unique(&self) -> bool {
        let is_unique = |stage: &Stage| match stage {
            Stage::Zip(other) | Stage::Chain(other) => other.is_unique(),
            _ => false,
        };
        self.source.is_unique() || self.stages.iter().any(is_unique)
    }

    /// Whether an element is counted up from the one before it.
    fn counts(&self) -> bool {
        let counts = |stage: &Stage| match stage {
            Stage::Zip(other) => other.counts(),
            _ => false,
        };
        self.source.counts() || self.stages.iter().any(counts)
    }
}

impl<'a> Lower<'a> {
    /// Whether each element can be had by its index, with all closures called as often as they should.
    pub(super) fn is_indexed(&self, stream: &Stream) -> bool {
        if matches!(stream.source, Source::Successors { .. }) {
            return false;
        }
        let (is_unique, mut is_quiet_so_far) = (stream.is_unique(), true);
        let mut counts = stream.source.counts();
        stream.stages.iter().all(|stage| match stage {
            Stage::Copied | Stage::Enumerate | Stage::Take(_) => true,
            Stage::Map(function) | Stage::Inspect(function) => {
                is_quiet_so_far &= self.is_quiet(function, is_unique);
                true
            }
            Stage::Rev(_) | Stage::Skip(_) | Stage::StepBy(_) | Stage::Cycle(_) => {
                is_quiet_so_far && !counts
            }
            Stage::Zip(other) => {
                counts |= other.counts();
                is_quiet_so_far && self.is_indexed(other) && self.is_silent(other)
            }
            _ => false,
        })
    }

    /// Whether one element can be had without those before it.
    pub(super) fn is_random_access(&self, stream: &Stream) -> bool {
        self.is_indexed(stream) && self.is_silent(stream) && !stream.counts()
    }

    /// Whether no closure that is called for each element by itself is seen to be called.
    pub(super) fn is_silent(&self, stream: &Stream) -> bool {
        let is_unique = stream.is_unique();
        stream.stages.iter().all(|stage| match stage {
            Stage::Map(function) | Stage::Inspect(function) => self.is_quiet(function, is_unique),
            _ => true,
        })
    }

    /// Whether no closure at all is.
    pub(super) fn is_quiet_stream(&self, stream: &Stream) -> bool {
        let is_unique = stream.is_unique();
        stream.stages.iter().all(|stage| match stage {
            Stage::Map(function)
            | Stage::Inspect(function)
            | Stage::Filter(function)
            | Stage::FilterMap(function)
            | Stage::FlatMap(function)
            | Stage::TakeWhile(function)
            | Stage::SkipWhile(function)
            | Stage::MapWhile(function)
            | Stage::Scan(_, function) => self.is_quiet(function, is_unique),
            Stage::Zip(other) | Stage::Chain(other) => self.is_quiet_stream(other),
            Stage::Copied
            | Stage::Flatten
            | Stage::Enumerate
            | Stage::Rev(_)
            | Stage::Skip(_)
            | Stage::Take(_)
            | Stage::StepBy(_)
            | Stage::Cycle(_)
            | Stage::Shunt(..) => true,
        })
    }

    /// How many elements an indexed chain has.
    pub(super) fn length(&mut self, stream: &Stream) -> Option<Length> {
        let span = stream.span;
        let Some((inner, last)) = stream.split_last() else {
            return Some(self.source_length(&stream.source, span));
        };
        let len = self.length(&inner)?;
        Some(match (last, len) {
            (Stage::Skip(n), Length::Known(len)) => {
                Length::Known(self.integer("saturating_sub", vec![len, *n], span))
            }
            (Stage::StepBy(n), Length::Known(len)) => {
                Length::Known(self.integer("div_ceil", vec![len, *n], span))
            }
            (Stage::Skip(_) | Stage::StepBy(_), Length::Endless) => len,
            (Stage::Take(n), Length::Known(len)) => {
                Length::Known(self.integer("min", vec![len, *n], span))
            }
            (Stage::Take(n), Length::Endless) => Length::Known(*n),
            // More than any loop goes through, but of nothing, which stays nothing.
            (Stage::Cycle(len), _) => {
                let path = syn::parse_quote_spanned!(span=> ::core::primitive::usize::MAX);
                let most = self.inst(Op::Item(path), Vec::new(), Type::Int, "most", span);
                Length::Known(self.integer("saturating_mul", vec![*len, most], span))
            }
            (Stage::Zip(other), len) => match (len, self.length(other)?) {
                (Length::Endless, len) | (len, Length::Endless) => len,
                (Length::Known(a), Length::Known(b)) => {
                    Length::Known(self.integer("min", vec![a, b], span))
                }
            },
            (
                Stage::Copied
                | Stage::Enumerate
                | Stage::Rev(_)
                | Stage::Map(_)
                | Stage::Inspect(_),
                len,
            ) => len,
            _ => return None,
        })
    }

    /// A method of integers.
    pub(in crate::lower) fn integer(&mut self, name: &str, args: Vec<Value>, span: Span) -> Value {
        if crate::lower::builtin::is_rule(name, args.len()) {
            return self.rule(name, args, span);
        }
        let method = Op::Method(Ident::new(name, span));
        self.inst(method, args, Type::Int, name, span)
    }

    fn source_length(&mut self, source: &Source, span: Span) -> Length {
        Length::Known(match source {
            Source::Entries { keys: base, .. } | Source::Elements { base, .. } => {
                self.measured("len", base, span)
            }
            Source::Along { base, axis } => self.count_along(base, axis, span),
            Source::Range(numbers) => match self.count_of_range(numbers, span) {
                Some(len) => len,
                None => return Length::Endless,
            },
            Source::Repeat(_) | Source::Successors { .. } => return Length::Endless,
            Source::Windows { base, size } => {
                let len = self.measured("len", base, span);
                let less = match size.literal.filter(|len| *len > 0) {
                    Some(len) => self.number(len - 1, span),
                    None => {
                        let one = self.number(1, span);
                        self.apply("sub", vec![size.value, one], Type::Int, span)
                    }
                };
                self.integer("saturating_sub", vec![len, less], span)
            }
            Source::Chunks { base, size, exact, .. } => {
                let len = self.measured("len", base, span);
                match exact {
                    true => self.apply("div", vec![len, size.value], Type::Int, span),
                    false => self.integer("div_ceil", vec![len, size.value], span),
                }
            }
        })
    }

    fn count_of_range(&mut self, numbers: &Numbers, span: Span) -> Option<Value> {
        let mut end = numbers.end?;
        if numbers.inclusive {
            let one = self.number(1, span);
            end = self.apply("add", vec![end, one], Type::Int, span);
        }
        if numbers.of_indices {
            return Some(match numbers.is_from_zero {
                true => end,
                false => self.integer("saturating_sub", vec![end, numbers.start], span),
            });
        }
        let greater = syn::BinOp::Gt(syn::Token![>](span));
        let args = vec![end, numbers.start];
        let is_some = self.inst(Op::Binary(greater), args.clone(), Type::Bool, "condition", span);
        self.if_else(
            is_some,
            &|lower| {
                let len = lower.apply("sub", args.clone(), Type::Int, span);
                let ty = Box::new(syn::parse_quote!(::core::primitive::usize));
                Some(lower.inst(Op::Cast(ty), vec![len], Type::Int, "cast", span))
            },
            &|lower| Some(lower.number(0, span)),
            span,
        )
    }

    /// The chain with what its elements share.
    pub(super) fn prepared(&mut self, stream: &Stream) -> Option<Stream> {
        let span = stream.span;
        let mut made = Stream::of(stream.source.clone(), span);
        match &mut made.source {
            Source::Range(numbers) if !numbers.of_indices => {
                numbers.next = Some(self.held(numbers.start, "next", span));
            }
            Source::Chunks { base, exact: false, all, .. } => {
                *all = Some(self.measured("len", base, span));
            }
            _ => {}
        }
        for stage in &stream.stages {
            let stage = match stage {
                Stage::Rev(_) => match self.length(&made)? {
                    Length::Known(len) => Stage::Rev(Some(len)),
                    Length::Endless => return None,
                },
                Stage::Zip(other) => Stage::Zip(Box::new(self.prepared(other)?)),
                stage => stage.clone(),
            };
            made.stages.push(stage);
        }
        Some(made)
    }

    /// The element of an indexed chain at an index.
    pub(super) fn item_at(&mut self, stream: &Stream, index: Value) -> Item {
        let span = stream.span;
        let Some((inner, last)) = stream.split_last() else {
            return self.source_at(&stream.source, index, span);
        };
        let index = match last {
            Stage::Rev(len) => {
                let len = len.expect("a prepared chain");
                let one = self.number(1, span);
                let last = self.apply("sub", vec![len, one], Type::Int, span);
                self.apply("sub", vec![last, index], Type::Int, span)
            }
            Stage::Skip(n) => self.apply("add", vec![index, *n], Type::Int, span),
            Stage::StepBy(n) => self.apply("mul", vec![index, *n], Type::Int, span),
            Stage::Cycle(len) => self.apply("rem", vec![index, *len], Type::Int, span),
            _ => index,
        };
        let item = self.item_at(&inner, index);
        if self.diverged {
            return item;
        }
        match last {
            Stage::Copied => item.copied(),
            Stage::Enumerate => Item::Tuple(vec![Item::Value(index), item]),
            Stage::Map(function) => self.apply_to(function, &[item], span),
            Stage::Inspect(function) => {
                self.apply_to_references(function, std::slice::from_ref(&item), span);
                item
            }
            Stage::Zip(other) => {
                let other = self.item_at(other, index);
                Item::Tuple(vec![item, other])
            }
            _ => item,
        }
    }

    fn source_at(&mut self, source: &Source, index: Value, span: Span) -> Item {
        match source {
            Source::Elements { base, by } => {
                let place = self.element(base, index);
                Item::Place(place, *by)
            }
            Source::Entries { map, keys, part, by } => {
                self.entry_item((map, keys), (*part, *by), index, span)
            }
            Source::Along { base, axis } => Item::Value(self.part_along(base, axis, index, span)),
            Source::Range(Numbers { next: Some(next), .. }) => {
                let item = self.counted_up(next, span);
                Item::Value(item)
            }
            Source::Range(numbers) if numbers.is_from_zero => Item::Value(index),
            Source::Range(numbers) => {
                Item::Value(self.apply("add", vec![numbers.start, index], Type::Int, span))
            }
            Source::Windows { base, size } => {
                let window = self.window(base, index, *size, span);
                Item::Place(window, By::Shared)
            }
            Source::Chunks { base, size, mutable, all, .. } => {
                let start = self.apply("mul", vec![index, size.value], Type::Int, span);
                let mut end = self.apply("add", vec![start, size.value], Type::Int, span);
                if let Some(all) = all {
                    end = self.integer("min", vec![end, *all], span);
                }
                let chunk = self.between(base, start, end);
                Item::Place(chunk, By::reference(*mutable))
            }
            Source::Repeat(item) => item.clone(),
            Source::Successors { .. } => unreachable!("they have no positions"),
        }
    }

    /// A place with the number zero, to count in.
    pub(super) fn counter(&mut self, name: &str, span: Span) -> Place {
        let literal = syn::Lit::Int(syn::LitInt::new("0usize", span));
        let start = self.inst(Op::Literal(literal), Vec::new(), Type::Int, name, span);
        self.held(start, name, span)
    }

    /// The number in a place, which is the next one then.
    pub(super) fn counted_up(&mut self, next: &Place, span: Span) -> Value {
        let value = self.read(next, span);
        let value = self.contents(value, span);
        let one = self.number(1, span);
        let after = self.apply("add", vec![value, one], Type::Int, span);
        self.write(next, after, span);
        value
    }
}
