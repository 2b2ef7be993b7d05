//! The blocks inside of an instruction.
//!
//! In: an operation. Out: its blocks, at most two, in the order in which they stand. Invariant: nothing is allocated,
//! because every pass asks every instruction.

use super::{Block, LoopKind, Op};

/// The blocks of an operation.
#[derive(Clone, Copy)]
pub struct Blocks<'a>(Option<&'a Block>, Option<&'a Block>);

/// The blocks of an operation, to change.
pub struct BlocksMut<'a>(Option<&'a mut Block>, Option<&'a mut Block>);

impl Op {
    /// The blocks inside.
    pub fn blocks(&self) -> Blocks<'_> {
        match self {
            Op::If(then, other) => Blocks(Some(then), Some(other)),
            Op::Loop(repeat) => match &repeat.kind {
                LoopKind::While { condition } => Blocks(Some(condition), Some(&repeat.body)),
                _ => Blocks(Some(&repeat.body), None),
            },
            Op::Closure(body) => Blocks(Some(body), None),
            _ => Blocks(None, None),
        }
    }

    /// The blocks inside, to change.
    pub fn blocks_mut(&mut self) -> BlocksMut<'_> {
        match self {
            Op::If(then, other) => BlocksMut(Some(then), Some(other)),
            Op::Loop(repeat) => match &mut repeat.kind {
                LoopKind::While { condition } => BlocksMut(Some(condition), Some(&mut repeat.body)),
                _ => BlocksMut(Some(&mut repeat.body), None),
            },
            Op::Closure(body) => BlocksMut(Some(body), None),
            _ => BlocksMut(None, None),
        }
    }

    /// Whether there are blocks inside.
    pub fn has_blocks(&self) -> bool {
        self.blocks().0.is_some()
    }
}

impl<'a> Iterator for Blocks<'a> {
    type Item = &'a Block;

    fn next(&mut self) -> Option<&'a Block> {
        let first = self.0.take();
        if first.is_some() {
            self.0 = self.1.take();
        }
        first
    }
}

impl<'a> Iterator for BlocksMut<'a> {
    type Item = &'a mut Block;

    fn next(&mut self) -> Option<&'a mut Block> {
        let first = self.0.take();
        if first.is_some() {
            self.0 = self.1.take();
        }
        first
    }
}
