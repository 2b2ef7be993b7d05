//! Sets and maps whose keys are the numbers of things in the IR.
//!
//! In: [`Entity`] keys, which are small numbers. Out: [`EntitySet`] and [`EntityMap`], with the methods of the standard
//! library's sets and maps. Invariants: entries are visited in the order in which they came (a removal puts the last one
//! in its place), so that what is emitted does not hang on hashes; a lookup is two steps in memory, because macros run
//! without optimisation.

use std::iter::Map;
use std::ops::Index;
use std::{slice, vec};

/// A key that is a number.
pub trait Entity: Copy {
    /// The number.
    fn index(self) -> usize;
}

macro_rules! entities {
    ($($name:ty),*) => {
        $(impl Entity for $name {
            fn index(self) -> usize {
                self.0 as usize
            }
        })*
    };
}
entities!(super::Value, super::Slot, super::Tape, super::BlockId);

/// A map from entities.
#[derive(Clone, Debug)]
pub struct EntityMap<K, V> {
    entries: Vec<(K, V)>,
    /// By a key's number, one more than the place of its entry; zero where there is none.
    places: Vec<u32>,
}

/// A set of entities.
#[derive(Clone, Debug)]
pub struct EntitySet<K>(EntityMap<K, ()>);

/// The entries of a map.
pub type Entries<'m, K, V> = Map<slice::Iter<'m, (K, V)>, fn(&(K, V)) -> (&K, &V)>;

/// The entries of a map, with values to change.
pub type EntriesMut<'m, K, V> = Map<slice::IterMut<'m, (K, V)>, fn(&mut (K, V)) -> (&K, &mut V)>;

/// The keys of a set.
pub type Keys<'s, K> = Map<slice::Iter<'s, (K, ())>, fn(&(K, ())) -> &K>;

/// The place of a key in a map, which may be vacant.
pub struct Entry<'m, K, V> {
    map: &'m mut EntityMap<K, V>,
    key: K,
}

impl<K, V> Default for EntityMap<K, V> {
    fn default() -> Self {
        EntityMap { entries: Vec::new(), places: Vec::new() }
    }
}

impl<K: Entity, V> EntityMap<K, V> {
    fn place(&self, key: K) -> Option<usize> {
        match self.places.get(key.index()) {
            None | Some(0) => None,
            Some(place) => Some(*place as usize - 1),
        }
    }

    fn push(&mut self, key: K, value: V) {
        let index = key.index();
        if index >= self.places.len() {
            self.grow(index + 1);
        }
        self.entries.push((key, value));
        self.places[index] = self.entries.len() as u32;
    }

    /// Makes room for as many numbers, by copies of whole regions: one by one they would be slow without optimisation.
    fn grow(&mut self, count: usize) {
        let mut places = vec![0; count.max(2 * self.places.len())];
        places[..self.places.len()].copy_from_slice(&self.places);
        self.places = places;
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn contains_key(&self, key: &K) -> bool {
        self.place(*key).is_some()
    }

    pub fn get(&self, key: &K) -> Option<&V> {
        self.place(*key).map(|place| &self.entries[place].1)
    }

    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.place(*key).map(|place| &mut self.entries[place].1)
    }

    /// Puts a value, and returns the one that was there.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.get_mut(&key) {
            Some(old) => Some(std::mem::replace(old, value)),
            None => {
                self.push(key, value);
                None
            }
        }
    }

    pub fn remove(&mut self, key: &K) -> Option<V> {
        let place = self.place(*key)?;
        self.places[key.index()] = 0;
        let (_, value) = self.entries.swap_remove(place);
        if let Some((moved, _)) = self.entries.get(place) {
            self.places[moved.index()] = place as u32 + 1;
        }
        Some(value)
    }

    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        Entry { map: self, key }
    }

    pub fn retain(&mut self, mut is_kept: impl FnMut(&K, &mut V) -> bool) {
        self.entries.retain_mut(|(key, value)| is_kept(key, value));
        self.places = vec![0; self.places.len()];
        for (place, (key, _)) in self.entries.iter().enumerate() {
            self.places[key.index()] = place as u32 + 1;
        }
    }

    pub fn clear(&mut self) {
        self.entries.clear();
        self.places.clear();
    }

    pub fn drain(&mut self) -> vec::Drain<'_, (K, V)> {
        self.places.clear();
        self.entries.drain(..)
    }

    pub fn iter(&self) -> Entries<'_, K, V> {
        self.entries.iter().map(|(key, value)| (key, value))
    }

    pub fn iter_mut(&mut self) -> EntriesMut<'_, K, V> {
        self.entries.iter_mut().map(|(key, value)| (&*key, value))
    }

    pub fn keys(&self) -> impl Iterator<Item = &K> + Clone {
        self.entries.iter().map(|(key, _)| key)
    }

    pub fn values(&self) -> impl Iterator<Item = &V> + Clone {
        self.entries.iter().map(|(_, value)| value)
    }

    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.entries.iter_mut().map(|(_, value)| value)
    }

    pub fn into_keys(self) -> impl Iterator<Item = K> {
        self.entries.into_iter().map(|(key, _)| key)
    }

    pub fn into_values(self) -> impl Iterator<Item = V> {
        self.entries.into_iter().map(|(_, value)| value)
    }
}

impl<'m, K: Entity, V> Entry<'m, K, V> {
    pub fn or_insert_with(self, make: impl FnOnce() -> V) -> &'m mut V {
        let place = self.map.place(self.key).unwrap_or_else(|| {
            self.map.push(self.key, make());
            self.map.entries.len() - 1
        });
        &mut self.map.entries[place].1
    }

    pub fn or_insert(self, value: V) -> &'m mut V {
        self.or_insert_with(|| value)
    }

    pub fn or_default(self) -> &'m mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }

    pub fn and_modify(self, change: impl FnOnce(&mut V)) -> Self {
        if let Some(value) = self.map.get_mut(&self.key) {
            change(value);
        }
        self
    }
}

impl<K: Entity, V> Index<&K> for EntityMap<K, V> {
    type Output = V;

    fn index(&self, key: &K) -> &V {
        self.get(key).expect("there is an entry with this key")
    }
}

impl<K: Entity, V: PartialEq> PartialEq for EntityMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && self.iter().all(|(key, value)| other.get(key).is_some_and(|found| found == value))
    }
}

impl<K: Entity, V> Extend<(K, V)> for EntityMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K: Entity, V> FromIterator<(K, V)> for EntityMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = EntityMap::default();
        map.extend(entries);
        map
    }
}

impl<K, V> IntoIterator for EntityMap<K, V> {
    type Item = (K, V);
    type IntoIter = vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

impl<'m, K: Entity, V> IntoIterator for &'m EntityMap<K, V> {
    type Item = (&'m K, &'m V);
    type IntoIter = Entries<'m, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<K> Default for EntitySet<K> {
    fn default() -> Self {
        EntitySet(EntityMap::default())
    }
}

impl<K: Entity> EntitySet<K> {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn contains(&self, key: &K) -> bool {
        self.0.contains_key(key)
    }

    /// Puts a key, and says whether it is new.
    pub fn insert(&mut self, key: K) -> bool {
        let is_new = self.0.place(key).is_none();
        if is_new {
            self.0.push(key, ());
        }
        is_new
    }

    /// Takes a key away, and says whether it was there.
    pub fn remove(&mut self, key: &K) -> bool {
        self.0.remove(key).is_some()
    }

    pub fn retain(&mut self, mut is_kept: impl FnMut(&K) -> bool) {
        self.0.retain(|key, ()| is_kept(key));
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn iter(&self) -> Keys<'_, K> {
        self.0.entries.iter().map(|(key, ())| key)
    }

    pub fn difference<'s>(&'s self, other: &'s Self) -> impl Iterator<Item = &'s K> {
        self.iter().filter(|key| !other.contains(key))
    }

    pub fn is_disjoint(&self, other: &Self) -> bool {
        !self.iter().any(|key| other.contains(key))
    }
}

impl<K: Entity> PartialEq for EntitySet<K> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<K: Entity> Extend<K> for EntitySet<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        for key in keys {
            self.insert(key);
        }
    }
}

impl<'k, K: Entity + 'k> Extend<&'k K> for EntitySet<K> {
    fn extend<I: IntoIterator<Item = &'k K>>(&mut self, keys: I) {
        for key in keys {
            self.insert(*key);
        }
    }
}

impl<K: Entity> FromIterator<K> for EntitySet<K> {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> Self {
        let mut set = EntitySet::default();
        set.extend(keys);
        set
    }
}

impl<K> IntoIterator for EntitySet<K> {
    type Item = K;
    type IntoIter = Map<vec::IntoIter<(K, ())>, fn((K, ())) -> K>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.entries.into_iter().map(|(key, ())| key)
    }
}

impl<'s, K: Entity> IntoIterator for &'s EntitySet<K> {
    type Item = &'s K;
    type IntoIter = Keys<'s, K>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
