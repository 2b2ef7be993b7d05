//! Makes a program smaller while it fails in the same way.

use super::judge::{Failure, judge};
use super::program::{Program, Statement};

/// The smallest program that is found, and how it fails.
#[must_use]
pub fn shrink(mut program: Program, mut failure: Failure, seed: u64) -> (Program, Failure) {
    loop {
        let smaller = candidates(&program).into_iter().find_map(|candidate| {
            let fault = judge(&candidate, seed, &mut Default::default()).err()?;
            (fault.kind == failure.kind).then_some((candidate, fault))
        });
        match smaller {
            Some(found) => (program, failure) = found,
            None => return (program, failure),
        }
    }
}

/// Programs that are one step smaller.
fn candidates(program: &Program) -> Vec<Program> {
    let mut all = Vec::new();
    for index in 0..program.functions.len() {
        let mut at = 0;
        while let Some(smaller) = without(program, index, at) {
            all.extend(smaller);
            at += 1;
        }
    }
    all
}

/// The program without the statement of a number, and with what is inside of it in its place; nothing behind the last one.
fn without(program: &Program, function: usize, number: usize) -> Option<Vec<Program>> {
    let mut all = Vec::new();
    for keeps in [None, Some(0), Some(1)] {
        let mut smaller = program.clone();
        let mut left = number;
        match remove(&mut smaller.functions[function].body, &mut left, keeps) {
            Removed::Not => return None,
            Removed::Statement => all.push(smaller),
            Removed::Nothing => {}
        }
    }
    Some(all)
}

enum Removed {
    /// There is no such statement.
    Not,
    /// It has no such block.
    Nothing,
    Statement,
}

fn remove(block: &mut Vec<Statement>, left: &mut usize, keeps: Option<usize>) -> Removed {
    for index in 0..block.len() {
        if *left == 0 {
            let inside: Option<Vec<Statement>> = match keeps {
                None => Some(Vec::new()),
                Some(number) => block[index].blocks().get(number).map(|block| (*block).clone()),
            };
            let Some(inside) = inside else { return Removed::Nothing };
            block.splice(index..=index, inside);
            return Removed::Statement;
        }
        *left -= 1;
        for inner in block[index].blocks_mut() {
            match remove(inner, left, keeps) {
                Removed::Not => {}
                removed => return removed,
            }
        }
    }
    Removed::Not
}
