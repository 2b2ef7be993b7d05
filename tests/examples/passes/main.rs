//! Runs tests without each of the compiler's passes in turn: what derivatives are must not hang on any.
//!
//! ```text
//! cargo run -p cotangent-tests --example passes
//! cargo run -p cotangent-tests --example passes -- --test language --pass fuse
//! ```
//!
//! Without arguments it goes over all passes and over the corpus, which takes about an hour on two cores. `dce` is not
//! among the passes: values that nothing uses may have types that rustc cannot find. The exit status is failure where a
//! test fails. Each pass is compiled for in the same folder of its own, `target/passes`.

use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::Instant;

const CORPUS: [&str; 4] = ["language", "data", "composition", "applications"];

/// What stands behind each mention of a flag.
fn given(flag: &str) -> Vec<String> {
    let arguments: Vec<String> = std::env::args().collect();
    let pairs = arguments.windows(2).filter(|pair| pair[0] == flag);
    pairs.map(|pair| pair[1].clone()).collect()
}

fn or_all(given: Vec<String>, all: impl Iterator<Item = &'static str>) -> Vec<String> {
    if given.is_empty() { all.map(str::to_owned).collect() } else { given }
}

fn main() -> ExitCode {
    let passes = cotangent_compiler::passes().into_iter().filter(|pass| *pass != "dce");
    let passes = or_all(given("--pass"), passes);
    let tests = or_all(given("--test"), CORPUS.into_iter());
    let mut held = true;
    for pass in passes {
        for test in &tests {
            let start = Instant::now();
            let passed = run(&pass, test);
            held &= passed;
            let verdict = if passed { "passed" } else { "FAILED" };
            println!(
                "without {pass:13} {test:13} {verdict} in {:.0} s",
                start.elapsed().as_secs_f64()
            );
        }
    }
    if held { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// One test binary, with derivatives made without a pass. Rustc does not know what the macro reads of its
/// environment, so what the macro is used in is compiled anew.
fn run(pass: &str, test: &str) -> bool {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let cargo = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO"));
        command.args(arguments).current_dir(&root);
        command.env("CARGO_TARGET_DIR", root.join("target/passes")).env("COTANGENT_WITHOUT", pass);
        command.status().is_ok_and(|status| status.success())
    };
    let cleaned =
        ["cotangent", "cotangent-tests"].map(|package| cargo(&["clean", "-q", "-p", package]));
    cleaned == [true; 2] && cargo(&["test", "-q", "-p", "cotangent-tests", "--test", test])
}
