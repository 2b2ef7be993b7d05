//! How many evaluations of a function its gradient costs: ours, those by hand, by other crates, and what is published.
//!
//! ```text
//! cargo run --release --example table
//! cargo run --release --example table -- heat
//! ```
//!
//! Of each kernel, the primal, our gradient, the gradient by hand and our `jvp` are timed in turns, and medians of
//! their ratios are printed as a table in Markdown, with geometric means. An argument is a part of the names of those
//! kernels that are measured. All gradients return the value, too.

use std::time::Instant;

use cotangent_examples::cases::{self, Case};
use cotangent_examples::published::{self, Published};
use cotangent_examples::ratios::{self, Ratios};

mod table {
    pub mod means;
    pub mod peers;
}

use table::means::Means;
use table::peers;

fn main() {
    let start = Instant::now();
    let chosen = std::env::args().nth(1).unwrap_or_default();
    let groups = [
        ("Mooncake's thirteen", cases::mooncake()),
        ("Loops with state, branches and calls", cases::state()),
        ("ADBench", cases::adbench().into()),
        ("With functions of linalg", cases::rules().into()),
    ];
    let mut all = Means::default();
    print_head();
    for (title, cases) in groups {
        let mut means = Means::default();
        for case in cases.into_iter().filter(|case| case.name.contains(&chosen)) {
            let mut case = peers::join(case);
            let ratios = ratios::measure(&mut case);
            let published = published::of(case.name);
            print_row(&case, &ratios, published);
            means.take(&ratios, published);
        }
        means.print(title);
        all.join(&means);
    }
    all.print("all");
    println!("\n{:.0} s", start.elapsed().as_secs_f64());
}

fn print_head() {
    println!(
        "| kernel | primal | ours | by hand | ours / by hand | jvp | Enzyme | Mooncake | others |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|---|");
}

fn print_row(case: &Case, ratios: &Ratios, published: Published) {
    let peers = case.peers.iter().zip(&ratios.peers_to_primal);
    let peers: Vec<_> = peers.map(|((name, _), ratio)| format!("{name} {ratio:.1}")).collect();
    println!(
        "| {} | {:.0} ns | {:.2} | {} | {} | {:.2} | {} | {} | {} |",
        case.name,
        ratios.primal * 1e9,
        ratios.ours_to_primal,
        number(ratios.by_hand.map(|hand| hand.to_primal)),
        number(ratios.by_hand.map(|hand| hand.ours_to)),
        ratios.jvp_to_primal,
        number(published.enzyme),
        number(published.mooncake),
        peers.join(", "),
    );
}

/// Two decimals, or nothing.
fn number(number: Option<f64>) -> String {
    number.map(|number| format!("{number:.2}")).unwrap_or_default()
}
