//! A few random programs of the IR, before and after each pass; the binary `validate` runs as many as it is told.

use cotangent_tests::validate::generate::program;
use cotangent_tests::validate::judge::{Counts, judge};

#[test]
fn passes_and_derivatives_of_random_programs() {
    let mut counts = Counts::default();
    for seed in 1..=60 {
        let program = program(seed);
        if let Err(failure) = judge(&program, seed, &mut counts) {
            panic!("seed {seed}: {failure}\n{}", program.text());
        }
    }
    assert!(counts.smooth > 30, "{counts:?}");
    assert!(counts.passes.len() > 8, "{counts:?}");
}
