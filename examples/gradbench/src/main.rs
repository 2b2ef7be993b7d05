//! A tool for GradBench, the benchmark suite of automatic differentiation.
#![forbid(unsafe_code)]

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

use std::io::{self, BufRead, Write};

fn main() -> io::Result<()> {
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let message = serde_json::from_str(&line?)?;
        serde_json::to_writer(&mut output, &protocol::answer(message))?;
        writeln!(output)?;
        output.flush()?;
    }
    Ok(())
}
