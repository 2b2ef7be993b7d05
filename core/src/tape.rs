//! The tape: what the forward pass leaves for the pullback, last in, first out.

use alloc::vec::Vec;

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
}
