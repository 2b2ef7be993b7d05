//! Which mutant is on: the whole of the package `mutation`, which the mutated copy of the compiler asks.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// What the environment says: no mutant, one by its number, or `record`, to note which are reached.
static SELECTED: LazyLock<usize> = LazyLock::new(|| match std::env::var("COTANGENT_MUTANT").as_deref() {
    Ok("record") => RECORD,
    Ok(number) => number.parse().expect("a mutant is a number"),
    Err(_) => 0,
});

const RECORD: usize = usize::MAX;

static REACHED: [AtomicU64; 1024] = [const { AtomicU64::new(0) }; 1024];

/// Whether a mutant is on.
pub fn is(id: usize) -> bool {
    let selected = *SELECTED;
    if selected == RECORD {
        REACHED[id / 64].fetch_or(1 << (id % 64), Ordering::Relaxed);
        return false;
    }
    selected == id
}

/// A condition, or its opposite.
pub fn not(id: usize, condition: bool) -> bool {
    condition ^ is(id)
}

/// A guard, or a constant in its place.
pub fn guard(always: usize, never: usize, condition: bool) -> bool {
    (is(always) | condition) & !is(never)
}

/// The mutants that were reached since the last call.
pub fn reached() -> Vec<usize> {
    let mut all = Vec::new();
    for (index, word) in REACHED.iter().enumerate() {
        let bits = word.swap(0, Ordering::Relaxed);
        all.extend((0..64).filter(|bit| bits >> bit & 1 == 1).map(|bit| index * 64 + bit));
    }
    all
}
