//! Measures what the attribute costs when a crate is built.
//!
//! ```text
//! cargo run -p cotangent-tests --example builds
//! cargo run -p cotangent-tests --example builds -- --count 200 --runs 5
//! ```
//!
//! Three crates are written, with the same functions of 20 lines each ([`functions`]): one without the
//! attribute, and two with it, of which one says `opt-level = 1` for macros, in `[profile.dev.build-override]`. They are
//! checked, built and built with optimisation ([`crates`]), and the shortest times are printed beside the lines that
//! there are and those that the attribute adds.

mod crates;
mod functions;

use crates::{Crate, Profile};
use functions::{FORMS, Form};

fn main() {
    let number = |name: &str, default: usize| {
        let mut arguments = std::env::args().skip_while(|argument| argument != name);
        arguments.nth(1).and_then(|value| value.parse().ok()).unwrap_or(default)
    };
    let (count, runs) = (number("--count", 100), number("--runs", 3));
    print_lines(count);

    let plain = Crate::new("plain", &functions::plain(count), 1);
    let text = functions::differentiated(count);
    let differentiated = Crate::new("differentiated", &text, 1);
    let slowly = Crate::new("differentiated-slowly", &text, 0);
    println!("\nSeconds for the crate alone, the shortest of {runs}");
    println!(
        "                     without     with     with, macros as cargo builds them by default"
    );
    for profile in [Profile::Check, Profile::Dev, Profile::Release] {
        let crates = [&plain, &differentiated, &slowly];
        let [without, with, slow] = crates::shortest(crates, profile, runs);
        println!("{:<19} {without:>8.2} {with:>8.2} {slow:>8.2}", profile.command());
    }
}

/// The lines of each form, and of all functions together.
fn print_lines(count: usize) {
    println!("{count} functions in {} forms", FORMS.len());
    println!("form            lines  emitted");
    let mut emitted = 0;
    for (index, form) in FORMS.iter().enumerate() {
        let Form { name, text } = form;
        let lines = functions::emitted_lines(form);
        println!("{name:<14} {:>6} {lines:>8}", text.lines().count());
        emitted += lines * functions::of_form(index, count);
    }
    let lines = functions::plain(count).lines().count();
    println!("{:<14} {lines:>6} {emitted:>8}", "the crate");
}
