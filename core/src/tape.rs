//! The tape: what the forward pass leaves for the pullback, last in, first out.

use crate::free_list;
use alloc::vec::Vec;
use core::ops::{Deref, DerefMut, Range};

/// Residuals in the order in which the forward pass pushed them; the pullback pops them in reverse.
///
/// Invariant of emitted code: there are as many pops as pushes, in mirrored order.
#[derive(Clone, Debug)]
pub struct Tape<T> {
    entries: Vec<T>,
}

impl<T> Tape<T> {
    /// An empty tape, which has allocated nothing.
    #[inline(always)]
    #[must_use]
    pub const fn new() -> Self {
        Tape { entries: Vec::new() }
    }

    /// Makes room for `additional` entries, so that as many pushes do not allocate.
    #[inline]
    pub fn reserve(&mut self, additional: usize) {
        self.entries.reserve(additional);
    }

    /// Records one entry.
    #[inline]
    pub fn push(&mut self, entry: T) {
        self.entries.push(entry);
    }

    /// Records elements of a place in order. A part that ends before it starts has none, and none is behind the place's
    /// end.
    #[inline]
    pub fn save(&mut self, place: &[T], part: Range<usize>)
    where
        T: Copy,
    {
        self.entries.extend_from_slice(&place[within(part, place.len())]);
    }

    /// Takes as many entries as the part has elements in the place, and puts them back there. The part comes first, since
    /// the place's length may be in it.
    ///
    /// # Panics
    ///
    /// When the tape holds fewer entries, as for [`pop`](Self::pop).
    #[inline]
    pub fn restore(&mut self, part: Range<usize>, place: &mut [T])
    where
        T: Copy,
    {
        let part = within(part, place.len());
        let Some(rest) = self.entries.len().checked_sub(part.len()) else { exhausted() };
        place[part].copy_from_slice(&self.entries[rest..]);
        self.entries.truncate(rest);
    }

    /// Takes the entry that was recorded last.
    ///
    /// # Panics
    ///
    /// When the tape is empty, which means that emitted code popped more often than it pushed.
    #[inline]
    pub fn pop(&mut self) -> T {
        match self.entries.pop() {
            Some(entry) => entry,
            None => exhausted(),
        }
    }
}

impl<T> Default for Tape<T> {
    fn default() -> Self {
        Tape::new()
    }
}

/// The part of a range that lies within a length.
fn within(part: Range<usize>, len: usize) -> Range<usize> {
    let end = part.end.min(len);
    part.start.min(end)..end
}

/// A [`Tape`] whose memory comes from what the thread has kept, and goes back there.
///
/// A type of its own, since `Drop` asks that entries borrow nothing.
#[derive(Clone, Debug)]
pub struct KeptTape<T: 'static> {
    tape: Tape<T>,
}

impl<T> KeptTape<T> {
    /// An empty tape, which has allocated nothing.
    #[inline(always)]
    #[must_use]
    pub const fn new() -> Self {
        KeptTape { tape: Tape::new() }
    }

    /// Makes room for `additional` entries, so that as many pushes do not allocate.
    #[inline]
    pub fn reserve(&mut self, additional: usize) {
        free_list::reserve(&mut self.tape.entries, additional);
    }

    /// Records one entry.
    #[inline]
    pub fn push(&mut self, entry: T) {
        let entries = &mut self.tape.entries;
        if entries.len() == entries.capacity() {
            free_list::grow(entries);
            // By this, rustc knows that the push below does not ask for memory once more.
            assert!(entries.len() < entries.capacity());
        }
        entries.push(entry);
    }

    /// As [`Tape::save`].
    #[inline]
    pub fn save(&mut self, place: &[T], part: Range<usize>)
    where
        T: Copy,
    {
        self.reserve(within(part.clone(), place.len()).len());
        self.tape.save(place, part);
    }
}

impl<T> Default for KeptTape<T> {
    fn default() -> Self {
        KeptTape::new()
    }
}

impl<T> Deref for KeptTape<T> {
    type Target = Tape<T>;

    #[inline(always)]
    fn deref(&self) -> &Tape<T> {
        &self.tape
    }
}

impl<T> DerefMut for KeptTape<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Tape<T> {
        &mut self.tape
    }
}

impl<T> Drop for KeptTape<T> {
    #[inline]
    fn drop(&mut self) {
        free_list::keep(core::mem::take(&mut self.tape.entries));
    }
}

/// Out of line, so that `pop` stays small.
#[cold]
#[inline(never)]
fn exhausted() -> ! {
    panic!("the tape is exhausted: the pullback popped more entries than the forward pass pushed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_come_back_to_where_they_were() {
        let (mut tape, mut place) = (Tape::new(), [1.0, 2.0, 3.0, 4.0]);
        let none = Range { start: 3, end: 1 };
        tape.push(0.5);
        tape.save(&place, 1..3);
        tape.save(&place, none.clone());
        tape.save(&place, 4..9);
        tape.save(&place, 2..4);
        place = [5.0; 4];
        tape.restore(2..4, &mut place);
        assert_eq!(place, [5.0, 5.0, 3.0, 4.0]);
        tape.restore(4..9, &mut place);
        tape.restore(none, &mut place);
        tape.restore(1..3, &mut place);
        assert_eq!(place, [5.0, 2.0, 3.0, 4.0]);
        assert_eq!(tape.pop(), 0.5);
    }

    #[test]
    #[should_panic(expected = "the tape is exhausted")]
    fn a_tape_has_no_more_elements_than_it_was_given() {
        let mut tape = Tape::new();
        tape.save(&[1.0, 2.0], 0..2);
        tape.restore(0..5, &mut [0.0; 3]);
    }

    #[test]
    fn the_last_entry_leaves_first() {
        let mut tape = Tape::new();
        tape.reserve(2);
        tape.push((1, 1.0));
        tape.push((2, 2.0));
        assert_eq!(tape.pop(), (2, 2.0));
        tape.push((3, 3.0));
        assert_eq!(tape.pop(), (3, 3.0));
        assert_eq!(tape.pop(), (1, 1.0));
    }

    #[test]
    #[should_panic(expected = "the tape is exhausted")]
    fn an_empty_tape_does_not_pop() {
        Tape::<f64>::new().pop();
    }

    #[cfg(feature = "std")]
    #[test]
    fn memory_outlives_a_panic() {
        extern crate std;
        let fill = |first: f64| {
            let mut tape = KeptTape::new();
            (0..10_000).for_each(|entry| tape.push((first, entry)));
            tape.save(&[], 0..0);
            tape
        };
        let address = core::cell::Cell::new(core::ptr::null());
        let panics = std::panic::AssertUnwindSafe(|| {
            let tape = fill(0.5);
            address.set(tape.entries.as_ptr());
            panic!("a pullback that is never called");
        });
        assert!(std::panic::catch_unwind(panics).is_err());
        let mut tape = fill(1.5);
        assert_eq!(tape.entries.as_ptr(), address.get());
        assert_eq!((0..10_000).map(|_| tape.pop().0).sum::<f64>(), 15_000.0);
    }
}
