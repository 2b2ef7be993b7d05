//! Collections beside `Vec`, and `Result`.
//!
//! | type | tangent |
//! |---|---|
//! | `VecDeque<T>` | `VecDeque<T::Tangent>` |
//! | `BTreeMap<K, V>`, `HashMap<K, V, S>` | the same map of tangents, with equal keys |
//! | `Result<T, E>` | `Option<T::Tangent>` |
//!
//! The keys of maps are constants. They are leaves of the map's value nevertheless, without floats: a
//! float inside a key shows its bits. Entries are visited in the order of their keys, also in a
//! `HashMap`, whose own order differs between a value and its tangent; hence `K: Ord`.
//!
//! Invariant: tangents of different shapes (lengths, keys) do not add, but panic.

use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::vec::Vec;
use core::fmt;

use crate::differentiable::{Differentiable, perturb_entries};
use crate::floats::{FloatVisitor, FloatVisitorMut, InnerProduct, PairVisitor, assert_lengths};
use crate::sharing::Sharing;
use crate::tangent::{Tangent, accumulate_entries};
use crate::visit::{Leaf, Step, Visitor, visit_entries, visit_part};

impl<T: Tangent> Tangent for VecDeque<T> {
    const SHARES: bool = T::SHARES;

    #[inline]
    fn accumulate(&mut self, other: Self) {
        accumulate_entries(self.iter_mut(), other.into_iter());
    }

    fn visit_pairs(&mut self, other: &Self, visitor: &mut (impl PairVisitor + ?Sized)) {
        assert_lengths(self.len(), other.len());
        let pairs = self.iter_mut().zip(other);
        pairs.for_each(|(tangent, other)| tangent.visit_pairs(other, visitor));
    }

    fn add_products(&self, other: &Self, sum: &mut InnerProduct) {
        assert_lengths(self.len(), other.len());
        self.iter().zip(other).for_each(|(tangent, other)| tangent.add_products(other, sum));
    }
}

impl<T: Differentiable> Differentiable for VecDeque<T> {
    type Tangent = VecDeque<T::Tangent>;

    #[inline]
    fn zero_tangent(&self) -> Self::Tangent {
        self.iter().map(T::zero_tangent).collect()
    }

    #[inline]
    fn conform(&self, tangent: &mut Self::Tangent) {
        self.iter().zip(tangent).for_each(|(value, tangent)| value.conform(tangent));
    }

    #[inline]
    fn conforms(&self, tangent: &Self::Tangent, layers: usize) -> bool {
        let mut each = self.iter().zip(tangent);
        layers <= 1 || each.all(|(value, tangent)| value.conforms(tangent, layers - 1))
    }

    #[inline]
    fn share(&self, tangent: &mut Self::Tangent, sharing: &mut Sharing) {
        self.iter().zip(tangent).for_each(|(value, tangent)| value.share(tangent, sharing));
    }

    fn perturb(&mut self, direction: &Self::Tangent, step: f64) {
        perturb_entries(self.iter_mut(), direction.iter(), step);
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        visitor.leaf(Leaf::Shape(self.len()));
        visit_entries(self, visitor, T::visit);
    }

    #[inline]
    fn visit_floats(&self, visitor: &mut (impl FloatVisitor + ?Sized)) {
        let (front, back) = self.as_slices();
        T::visit_floats_in(front, visitor);
        T::visit_floats_in(back, visitor);
    }

    #[inline]
    fn visit_floats_mut(&mut self, visitor: &mut (impl FloatVisitorMut + ?Sized)) {
        let (front, back) = self.as_mut_slices();
        T::visit_floats_mut_in(front, visitor);
        T::visit_floats_mut_in(back, visitor);
    }
}

/// Errors are constants, of any type.
impl<T: Differentiable, E> Differentiable for Result<T, E> {
    type Tangent = Option<T::Tangent>;

    #[inline]
    fn zero_tangent(&self) -> Self::Tangent {
        self.as_ref().ok().zero_tangent()
    }

    #[inline]
    fn conform(&self, tangent: &mut Self::Tangent) {
        self.as_ref().ok().conform(tangent);
    }

    #[inline]
    fn conforms(&self, tangent: &Self::Tangent, layers: usize) -> bool {
        self.as_ref().ok().conforms(tangent, layers)
    }

    #[inline]
    fn share(&self, tangent: &mut Self::Tangent, sharing: &mut Sharing) {
        self.as_ref().ok().share(tangent, sharing);
    }

    fn perturb(&mut self, direction: &Self::Tangent, step: f64) {
        match (self, direction) {
            (Ok(value), Some(direction)) => value.perturb(direction, step),
            (Err(_), Some(_)) => panic!("a direction was given for a value of `Err`"),
            (_, None) => {}
        }
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        visitor.leaf(Leaf::Shape(usize::from(self.is_err())));
        if let Ok(value) = self {
            visit_part(Step::Variant("Ok"), visitor, |visitor| value.visit(visitor));
        }
    }

    fn visit_floats(&self, visitor: &mut (impl FloatVisitor + ?Sized)) {
        self.iter().for_each(|value| value.visit_floats(visitor));
    }

    fn visit_floats_mut(&mut self, visitor: &mut (impl FloatVisitorMut + ?Sized)) {
        self.iter_mut().for_each(|value| value.visit_floats_mut(visitor));
    }
}

impl<K: Differentiable + Clone + Ord, T: Tangent> Tangent for BTreeMap<K, T> {
    const SHARES: bool = T::SHARES;

    fn accumulate(&mut self, other: Self) {
        assert_same_keys(self.keys().eq(other.keys()));
        for (place, value) in self.values_mut().zip(other.into_values()) {
            place.accumulate(value);
        }
    }

    fn visit_pairs(&mut self, other: &Self, visitor: &mut (impl PairVisitor + ?Sized)) {
        assert_keys(self.keys(), other.keys());
        let pairs = self.values_mut().zip(other.values());
        pairs.for_each(|(tangent, other)| tangent.visit_pairs(other, visitor));
    }

    fn add_products(&self, other: &Self, sum: &mut InnerProduct) {
        assert_keys(self.keys(), other.keys());
        let pairs = self.values().zip(other.values());
        pairs.for_each(|(tangent, other)| tangent.add_products(other, sum));
    }
}

impl<K: Differentiable + Clone + Ord, V: Differentiable> Differentiable for BTreeMap<K, V> {
    type Tangent = BTreeMap<K, V::Tangent>;

    fn zero_tangent(&self) -> Self::Tangent {
        self.iter().map(|(key, value)| (key.clone(), value.zero_tangent())).collect()
    }

    fn conform(&self, tangent: &mut Self::Tangent) {
        self.values().zip(tangent.values_mut()).for_each(|(value, tangent)| value.conform(tangent));
    }

    fn conforms(&self, tangent: &Self::Tangent, layers: usize) -> bool {
        let mut each = self.values().zip(tangent.values());
        layers <= 1 || each.all(|(value, tangent)| value.conforms(tangent, layers - 1))
    }

    fn share(&self, tangent: &mut Self::Tangent, sharing: &mut Sharing) {
        let pairs = self.values().zip(tangent.values_mut());
        pairs.for_each(|(value, tangent)| value.share(tangent, sharing));
    }

    fn perturb(&mut self, direction: &Self::Tangent, step: f64) {
        assert_keys_of_direction(self.keys().eq(direction.keys()));
        for (value, direction) in self.values_mut().zip(direction.values()) {
            value.perturb(direction, step);
        }
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        visitor.leaf(Leaf::Shape(self.len()));
        self.iter().for_each(|(key, value)| visit_entry(key, value, visitor));
    }

    fn visit_floats(&self, visitor: &mut (impl FloatVisitor + ?Sized)) {
        self.values().for_each(|value| value.visit_floats(visitor));
    }

    fn visit_floats_mut(&mut self, visitor: &mut (impl FloatVisitorMut + ?Sized)) {
        self.values_mut().for_each(|value| value.visit_floats_mut(visitor));
    }
}

/// A map or a set, as loops over it need it.
pub trait Keyed {
    /// The type of its keys.
    type Key;

    /// Its keys, in its own order.
    fn keys_in_order(&self) -> Vec<Self::Key>;
}

impl<K: Clone, V> Keyed for BTreeMap<K, V> {
    type Key = K;

    fn keys_in_order(&self) -> Vec<K> {
        self.keys().cloned().collect()
    }
}

impl<K: Clone> Keyed for BTreeSet<K> {
    type Key = K;

    fn keys_in_order(&self) -> Vec<K> {
        self.iter().cloned().collect()
    }
}

/// The keys of a map or a set, in its own order.
pub fn keys<M: Keyed>(map: &M) -> Vec<M::Key> {
    map.keys_in_order()
}

/// Shows an entry: its key, then what is under it.
fn visit_entry(key: &impl Differentiable, value: &impl Differentiable, visitor: &mut dyn Visitor) {
    visit_key(key, &mut |leaf: Leaf<'_>| visitor.leaf(leaf));
    let step = Step::Key(format_args!("{}", Shown(key)));
    visit_part(step, visitor, |visitor| value.visit(visitor));
}

/// Shows a key as a constant: bits in place of floats.
fn visit_key(key: &impl Differentiable, visitor: &mut dyn Visitor) {
    key.visit(&mut |leaf: Leaf<'_>| match leaf {
        Leaf::F32(float) => visitor.leaf(Leaf::Integer(i128::from(float.to_bits()))),
        Leaf::F64(float) => visitor.leaf(Leaf::Integer(i128::from(float.to_bits()))),
        other => visitor.leaf(other),
    });
}

/// Prints a key by its leaves, of which `Differentiable` tells.
struct Shown<'k, K>(&'k K);

impl<K: Differentiable> fmt::Display for Shown<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut result, mut separator) = (Ok(()), "");
        self.0.visit(&mut |leaf: Leaf<'_>| {
            result = result.and_then(|()| f.write_str(separator)).and_then(|()| match leaf {
                Leaf::F32(float) => write!(f, "{float:?}"),
                Leaf::F64(float) => write!(f, "{float:?}"),
                Leaf::Integer(integer) => write!(f, "{integer}"),
                Leaf::Text(text) => write!(f, "{text:?}"),
                Leaf::Shape(size) => write!(f, "{size}"),
            });
            separator = ", ";
        });
        result
    }
}

#[track_caller]
fn assert_same_keys(are_same: bool) {
    assert!(are_same, "tangents of maps with different keys were added");
}

/// Panics where two tangents of a map have different keys.
#[track_caller]
fn assert_keys<'k, K: Ord + 'k>(
    own: impl ExactSizeIterator<Item = &'k K>,
    other: impl ExactSizeIterator<Item = &'k K>,
) {
    assert_lengths(own.len(), other.len());
    assert!(own.eq(other), "a tangent of a map with other keys was given");
}

#[track_caller]
fn assert_keys_of_direction(are_same: bool) {
    assert!(are_same, "a direction with other keys was given for a map");
}

/// Maps of the standard library. What is visited is sorted by key.
#[cfg(feature = "std")]
mod hashed {
    extern crate std;

    use alloc::vec::Vec;
    use core::hash::{BuildHasher, Hash};
    use std::collections::{HashMap, HashSet};

    use super::{Keyed, assert_keys, assert_keys_of_direction, assert_same_keys, visit_entry};
    use crate::differentiable::Differentiable;
    use crate::floats::{FloatVisitor, FloatVisitorMut, InnerProduct, PairVisitor};
    use crate::sharing::Sharing;
    use crate::tangent::Tangent;
    use crate::visit::{Leaf, Visitor};

    impl<K, T, S> Tangent for HashMap<K, T, S>
    where
        K: Differentiable + Clone + Ord + Hash,
        T: Tangent,
        S: BuildHasher + Clone,
    {
        const SHARES: bool = T::SHARES;

        fn accumulate(&mut self, other: Self) {
            assert_same_keys(self.len() == other.len());
            for (key, value) in other {
                let place = self.get_mut(&key);
                assert_same_keys(place.is_some());
                place
                    .into_iter()
                    .zip(Some(value))
                    .for_each(|(place, value)| place.accumulate(value));
            }
        }

        fn visit_pairs(&mut self, other: &Self, visitor: &mut (impl PairVisitor + ?Sized)) {
            let (tangents, others) = (sorted(self.iter_mut()), sorted(other.iter()));
            assert_keys(tangents.iter().map(|entry| entry.0), others.iter().map(|entry| entry.0));
            let pairs = tangents.into_iter().zip(others);
            pairs.for_each(|((_, tangent), (_, other))| tangent.visit_pairs(other, visitor));
        }

        fn add_products(&self, other: &Self, sum: &mut InnerProduct) {
            let (tangents, others) = (sorted(self.iter()), sorted(other.iter()));
            assert_keys(tangents.iter().map(|entry| entry.0), others.iter().map(|entry| entry.0));
            let pairs = tangents.into_iter().zip(others);
            pairs.for_each(|((_, tangent), (_, other))| tangent.add_products(other, sum));
        }
    }

    impl<K: Clone, V, S> Keyed for HashMap<K, V, S> {
        type Key = K;

        fn keys_in_order(&self) -> Vec<K> {
            self.keys().cloned().collect()
        }
    }

    impl<K: Clone, S> Keyed for HashSet<K, S> {
        type Key = K;

        fn keys_in_order(&self) -> Vec<K> {
            self.iter().cloned().collect()
        }
    }

    impl<K, V, S> Differentiable for HashMap<K, V, S>
    where
        K: Differentiable + Clone + Ord + Hash,
        V: Differentiable,
        S: BuildHasher + Clone,
    {
        type Tangent = HashMap<K, V::Tangent, S>;

        fn zero_tangent(&self) -> Self::Tangent {
            let mut zero = HashMap::with_capacity_and_hasher(self.len(), self.hasher().clone());
            zero.extend(self.iter().map(|(key, value)| (key.clone(), value.zero_tangent())));
            zero
        }

        fn conform(&self, tangent: &mut Self::Tangent) {
            for (key, tangent) in tangent {
                self.get(key).into_iter().for_each(|value| value.conform(tangent));
            }
        }

        fn share(&self, tangent: &mut Self::Tangent, sharing: &mut Sharing) {
            for (key, tangent) in tangent {
                self.get(key).into_iter().for_each(|value| value.share(tangent, sharing));
            }
        }

        fn perturb(&mut self, direction: &Self::Tangent, step: f64) {
            let has_direction = |key: &K| direction.contains_key(key);
            assert_keys_of_direction(
                self.len() == direction.len() && self.keys().all(has_direction),
            );
            for (key, value) in self {
                value.perturb(&direction[key], step);
            }
        }

        fn visit(&self, visitor: &mut dyn Visitor) {
            visitor.leaf(Leaf::Shape(self.len()));
            sorted(self.iter())
                .into_iter()
                .for_each(|(key, value)| visit_entry(key, value, visitor));
        }

        fn visit_floats(&self, visitor: &mut (impl FloatVisitor + ?Sized)) {
            sorted(self.iter()).into_iter().for_each(|(_, value)| value.visit_floats(visitor));
        }

        fn visit_floats_mut(&mut self, visitor: &mut (impl FloatVisitorMut + ?Sized)) {
            let entries = sorted(self.iter_mut());
            entries.into_iter().for_each(|(_, value)| value.visit_floats_mut(visitor));
        }
    }

    fn sorted<'a, K: Ord + 'a, V>(entries: impl Iterator<Item = (&'a K, V)>) -> Vec<(&'a K, V)> {
        let mut entries: Vec<_> = entries.collect();
        entries.sort_unstable_by_key(|(key, _)| *key);
        entries
    }
}

#[cfg(test)]
mod tests;
