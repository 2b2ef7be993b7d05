//! The corpus of chains of parallel iterators: each under the rule tester, in pools of several sizes, so that pieces are
//! whole chains, single elements, and what is between.

// The corpus writes what users write, and not only what clippy would have them write.
#![allow(clippy::needless_range_loop)]

/// Runs a test in pools of one thread, of two, and of more than there are elements.
pub(crate) fn in_pools(test: impl Fn() + Send + Sync) {
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("a pool of threads").install(&test);
    }
}

/// Tests by their names, each with a call of a differentiated function and what is behind it in `check!`.
macro_rules! checked {
    ($($name:ident: [$($input:tt)*];)*) => {
        mod checked {
            use super::*;
            $(#[test]
            fn $name() {
                crate::in_pools(|| {
                    cotangent::check!($($input)*).expect("derivatives");
                });
            })*
        }
    };
}

mod chains;
mod programs;
mod threads;
