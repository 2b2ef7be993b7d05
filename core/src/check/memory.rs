//! Where values and shadows are: whether a derivative leaves a shadow in the memory in which it found it.

use alloc::vec::Vec;

use super::parameter::{Inspect, Slot};
use crate::visit::{Leaf, Visitor};

/// The buffers of a value in order, each with its capacity.
pub(super) type Memory = Vec<(usize, usize)>;

#[derive(Default)]
struct Buffers(Memory);

impl Visitor for Buffers {
    fn leaf(&mut self, _: Leaf<'_>) {}

    fn memory(&mut self, address: usize, capacity: usize) {
        self.0.push((address, capacity));
    }
}

/// Where each parameter is.
pub(super) fn of_parameters(parameters: &[&dyn Inspect]) -> Vec<Memory> {
    parameters.iter().map(|parameter| buffers(|visitor| parameter.visit(visitor))).collect()
}

/// Where each slot is.
pub(super) fn of_slots(slots: &[&mut dyn Slot]) -> Vec<Memory> {
    slots.iter().map(|slot| buffers(|visitor| slot.visit(visitor))).collect()
}

fn buffers(show: impl FnOnce(&mut dyn Visitor)) -> Memory {
    let mut buffers = Buffers::default();
    show(&mut buffers);
    buffers.0
}

/// For each slot, whether its buffers are where they were.
pub(super) fn stay(before: &[Memory], after: &[Memory]) -> Vec<bool> {
    let addresses =
        |memory: &Memory| memory.iter().map(|(address, _)| *address).collect::<Vec<_>>();
    before.iter().zip(after).map(|(before, after)| addresses(before) == addresses(after)).collect()
}
