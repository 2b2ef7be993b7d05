//! A tool for GradBench, the benchmark suite of automatic differentiation.
//!
//! In: messages of the suite's protocol on standard input, one line of JSON each. Out: answers on standard output. With the argument
//! `table`: the times of all functions, beside those of other tools.
//!
//! The functions are written from their definitions, and all derivatives come from `#[differentiate]`.
//!
//! | module | derivative |
//! |---|---|
//! | `hello`, `lse`, `llsq`, `lstm`, `det`, `ode` | `gradient` |
//! | `gmm` | `accumulate_gradient` of likelihood and prior, which add to the same shadows, and `vjp` of what both share |
//! | `kmeans` | `jvp` of a function that returns the `gradient`, along ones: the diagonal of the Hessian |
//! | `ht` | `jvp_batch`, finger by finger; all vertices are moved, also those that no point refers to |
//! | `ba` | `vjp`, twice for each observation, into arrays that stay from run to run |
//! | `particle`, `saddle` | `gradient` or `jvp` of a function that calls `gradient` or `jvp` of another one |
//!
//! To run the suite with it, one thread, for the processor of this machine:
//!
//! ```sh
//! RUSTFLAGS="-C target-cpu=native" cargo build --release -p cotangent-gradbench
//! gradbench run --eval "<an eval of the suite>" --tool target/release/cotangent-gradbench
//! ```
//!
//! Kernels were written so that a derivative is cheap where that costs the primal nothing: an index of the nearest centroid, fresh
//! vectors for the stages of a solver, slices of rows in inner loops. `det` ends its recursion with a formula for two rows.
//!
//! Each harness that starts a tool as a child and speaks the protocol can do the same: `tests/protocol.rs` is a small one.
#![forbid(unsafe_code)]

mod anchors;
mod ba;
mod descent;
mod det;
mod gmm;
mod hello;
mod ht;
mod input;
mod kmeans;
mod llsq;
mod lse;
mod lstm;
mod mode;
mod modules;
mod ode;
mod particle;
mod protocol;
mod saddle;
mod samples;
mod table;

use std::io::{self, BufRead, Write};

/// Answers all messages, or prints the table.
fn main() -> io::Result<()> {
    if std::env::args().any(|argument| argument == "table") {
        table::print();
        return Ok(());
    }
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let message = serde_json::from_str(&line?)?;
        serde_json::to_writer(&mut output, &protocol::answer(message))?;
        writeln!(output)?;
        output.flush()?;
    }
    Ok(())
}
