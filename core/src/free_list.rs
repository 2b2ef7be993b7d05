//! A free list: memory of large vectors that a thread keeps between calls of derivatives.
//!
//! **In:** a vector that is not used any more. **Out:** an empty vector with its memory, for the next that asks for one
//! of the same type. An allocator gives large blocks back to the system as soon as they are free, so a tape that is
//! allocated for each call would touch new pages in each call.
//!
//! **Invariants:** a thread keeps at most [`MOST`] bytes. Beyond that, those go first that came first, so what a
//! program has ceased to use makes room for what it uses. Blocks below [`LARGE`] bytes stay with the allocator, which
//! is as fast. A block belongs to the thread that gives it back, wherever it was allocated. Without `std` there are no
//! threads to keep anything, and all goes to the allocator.

use alloc::vec::Vec;

#[cfg(feature = "std")]
use with_threads::{give, take};
#[cfg(not(feature = "std"))]
use without_threads::{give, take};

/// The bytes of the smallest block that is kept.
const LARGE: usize = 1 << 14;

/// The bytes that a thread keeps at most, in all its blocks.
const MOST: usize = 1 << 26;

/// Makes room for `additional` elements, of a large vector by memory that the thread has kept.
///
/// # Panics
///
/// When the memory would be larger than an allocator may be asked for.
#[inline]
pub(crate) fn reserve<T: 'static>(elements: &mut Vec<T>, additional: usize) {
    if elements.capacity() - elements.len() < additional {
        let doubled = elements.capacity().saturating_mul(2);
        let count = elements.len().saturating_add(additional).max(doubled);
        if is_kept::<T>(count) {
            exchange(elements, count);
        }
        elements.reserve(additional);
    }
}

/// Makes room for one element more in a vector that is full.
#[cold]
#[inline(never)]
pub(crate) fn grow<T: 'static>(elements: &mut Vec<T>) {
    reserve(elements, 1);
}

/// Moves elements into memory that the thread has kept, where that is larger than theirs.
#[cold]
#[inline(never)]
fn exchange<T: 'static>(elements: &mut Vec<T>, count: usize) {
    let mut larger = take::<T>(count);
    if larger.capacity() > elements.capacity() {
        larger.append(elements);
        core::mem::swap(elements, &mut larger);
    }
    keep(larger);
}

/// Keeps the memory of a vector if it is large.
#[inline]
pub(crate) fn keep<T: 'static>(elements: Vec<T>) {
    if is_kept::<T>(elements.capacity()) {
        give(elements);
    }
}

/// Whether a block of so many elements is kept.
#[inline]
fn is_kept<T>(count: usize) -> bool {
    (LARGE..=MOST).contains(&count.saturating_mul(size_of::<T>()))
}

#[cfg(not(feature = "std"))]
mod without_threads {
    use alloc::vec::Vec;

    pub(super) fn take<T>(_: usize) -> Vec<T> {
        Vec::new()
    }

    pub(super) fn give<T>(_: Vec<T>) {}
}

#[cfg(feature = "std")]
mod with_threads {
    extern crate std;

    use super::MOST;
    use alloc::boxed::Box;
    use alloc::vec::Vec;
    use core::any::Any;
    use core::cell::Cell;

    /// The memory of an empty vector, and how many bytes it has. One that is taken has none, and stays as a place for
    /// the next of its type.
    struct Block {
        memory: Box<dyn Any>,
        bytes: usize,
    }

    impl Block {
        /// Whether it belongs to vectors of this type, and has memory or has none.
        fn is_of<T: 'static>(&self, has_memory: bool) -> bool {
            (self.bytes > 0) == has_memory && self.memory.is::<Vec<T>>()
        }

        /// Exchanges its memory for that of another vector, which is empty.
        fn exchange<T: 'static>(&mut self, elements: Vec<T>) -> Vec<T> {
            self.bytes = elements.capacity() * size_of::<T>();
            let memory = self.memory.downcast_mut().expect("a block of this type");
            core::mem::replace(memory, elements)
        }
    }

    std::thread_local! {
        /// Blocks in the order in which they were given back.
        static BLOCKS: Cell<Vec<Block>> = const { Cell::new(Vec::new()) };
    }

    /// Lets `change` see the blocks. A thread that ends has none.
    fn with_blocks<R: Default>(change: impl FnOnce(&mut Vec<Block>) -> R) -> R {
        let in_place = |cell: &Cell<Vec<Block>>| {
            let mut blocks = cell.take();
            let result = change(&mut blocks);
            cell.set(blocks);
            result
        };
        BLOCKS.try_with(in_place).unwrap_or_default()
    }

    /// Takes the smallest memory that has room for so many elements. If there is none, the largest that there is.
    pub(super) fn take<T: 'static>(count: usize) -> Vec<T> {
        let least = count.saturating_mul(size_of::<T>());
        with_blocks(|blocks| {
            let fit = |block: &&mut Block| match block.bytes >= least {
                true => (false, block.bytes),
                false => (true, usize::MAX - block.bytes),
            };
            let best = blocks.iter_mut().filter(|block| block.is_of::<T>(true)).min_by_key(fit);
            best.map(|block| block.exchange(Vec::new())).unwrap_or_default()
        })
    }

    /// Keeps the memory of a vector, and lets go of the oldest blocks until all are within the limit.
    pub(super) fn give<T: 'static>(mut elements: Vec<T>) {
        elements.clear();
        with_blocks(|blocks| {
            let place = blocks.iter().position(|block| block.is_of::<T>(false));
            let mut block = match place {
                Some(at) => blocks.remove(at),
                None => Block { memory: Box::new(Vec::<T>::new()), bytes: 0 },
            };
            block.exchange(elements);
            blocks.push(block);
            let mut bytes: usize = blocks.iter().map(|block| block.bytes).sum();
            blocks.retain(|block| {
                let is_kept = bytes <= MOST;
                bytes -= if is_kept { 0 } else { block.bytes };
                is_kept
            });
        });
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    extern crate std;

    use super::*;
    use std::thread;

    const ENTRIES: usize = LARGE / size_of::<f64>();

    fn block<T: 'static>(count: usize) -> Vec<T> {
        let mut elements = Vec::new();
        reserve(&mut elements, count);
        elements
    }

    /// On a thread of its own, which has kept nothing.
    fn on_a_thread(test: impl FnOnce() + Send) {
        thread::scope(|scope| scope.spawn(test).join().expect("the test passes"));
    }

    #[test]
    fn a_large_block_comes_back_to_vectors_of_its_type() {
        on_a_thread(|| {
            let first = block::<f64>(ENTRIES);
            let address = first.as_ptr();
            keep(first);
            assert_eq!(take::<u64>(ENTRIES).capacity(), 0);
            let small = block::<f64>(ENTRIES / 2);
            let second = block::<f64>(ENTRIES);
            assert_ne!(small.as_ptr(), address);
            assert_eq!(second.as_ptr(), address);
        });
    }

    #[test]
    fn the_smallest_block_that_fits_is_taken() {
        on_a_thread(|| {
            [4, 1, 2]
                .into_iter()
                .for_each(|times| keep(Vec::<f64>::with_capacity(times * ENTRIES)));
            let capacities =
                [2, 2, 2, 1].map(|times| take::<f64>(times * ENTRIES).capacity() / ENTRIES);
            assert_eq!(capacities, [2, 4, 1, 0]);
        });
    }

    #[test]
    fn elements_move_into_a_larger_block() {
        on_a_thread(|| {
            let larger = Vec::<f64>::with_capacity(4 * ENTRIES);
            let address = larger.as_ptr();
            keep(larger);
            let mut elements = Vec::new();
            for entry in 0..2 * ENTRIES {
                if elements.len() == elements.capacity() {
                    grow(&mut elements);
                }
                elements.push(entry as f64);
            }
            assert_eq!(elements.as_ptr(), address);
            assert!(elements.iter().enumerate().all(|(at, entry)| *entry == at as f64));
        });
    }

    #[test]
    fn the_oldest_blocks_go_when_there_is_too_much() {
        on_a_thread(|| {
            let quarter = MOST / 4;
            keep(Vec::<u8>::with_capacity(MOST + 1));
            keep(Vec::<u16>::with_capacity(quarter / 2));
            (0..4).for_each(|_| keep(Vec::<u8>::with_capacity(quarter)));
            assert_eq!(take::<u16>(1).capacity(), 0);
            let kept: Vec<Vec<u8>> = (0..5).map(|_| take(1)).collect();
            assert!(kept.iter().take(4).all(|block| block.capacity() == quarter));
            assert_eq!(kept[4].capacity(), 0);
        });
    }

    #[test]
    fn blocks_stay_with_the_thread_that_gives_them_back() {
        on_a_thread(|| {
            let made = block::<f64>(ENTRIES);
            let address = made.as_ptr().addr();
            on_a_thread(move || {
                keep(made);
                let again = take::<f64>(ENTRIES);
                assert_eq!(again.as_ptr().addr(), address);
            });
            assert_eq!(take::<f64>(ENTRIES).capacity(), 0);
        });
    }
}
