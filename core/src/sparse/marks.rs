//! A set of small numbers that is emptied at once.

use alloc::vec;
use alloc::vec::Vec;

/// Numbers below a bound. A number is in the set where its stamp is the current one.
pub(super) struct Marks {
    stamps: Vec<usize>,
    current: usize,
}

impl Marks {
    /// The empty set of numbers below `bound`.
    pub(super) fn new(bound: usize) -> Self {
        Marks { stamps: vec![0; bound], current: 1 }
    }

    pub(super) fn clear(&mut self) {
        self.current += 1;
    }

    /// Adds a number; `false` when it was there.
    pub(super) fn insert(&mut self, number: usize) -> bool {
        core::mem::replace(&mut self.stamps[number], self.current) != self.current
    }

    /// The least number that is not in the set; the bound where all are.
    pub(super) fn least_absent(&self) -> usize {
        let mut stamps = self.stamps.iter();
        stamps.position(|stamp| *stamp != self.current).unwrap_or(self.stamps.len())
    }
}
