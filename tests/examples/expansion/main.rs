//! Measures what one, two and three attributes expand to, for functions of growing length.
//!
//! ```text
//! cargo run --release -p cotangent-tests --example expansion
//! ```
//!
//! The functions ([`functions`]) are of four forms. Printed are the tokens that the compiler gives for each, those of
//! the function included, and the shortest time that it takes, as a library.

mod functions;

use std::time::{Duration, Instant};

use functions::Form;

const LENGTHS: [usize; 4] = [10, 20, 40, 80];
/// Long functions, of one order: what users wait for.
const LONG: [usize; 3] = [100, 300, 1000];
const RUNS: usize = 5;

fn main() {
    for form in Form::ALL {
        println!("{form:?}");
        println!("  statements  written    one                 two                 three");
        for length in LENGTHS {
            print_row(form, length, 3);
        }
        for length in LONG {
            print_row(form, length, 1);
        }
    }
}

fn print_row(form: Form, length: usize, orders: usize) {
    let function = form.function(length);
    let written = functions::size(function.parse().expect("a function is tokens"));
    print!("  {length:>10} {written:>8}");
    for order in 1..=orders {
        let tokens = functions::size(functions::expanded(&function, order));
        let shortest = (0..RUNS).map(|_| time(&function, order)).min();
        let millis = shortest.unwrap_or_default().as_secs_f64() * 1e3;
        print!(" {tokens:>8} {millis:>7.2} ms");
    }
    println!();
}

/// For an expansion, and for reading the function.
fn time(function: &str, order: usize) -> Duration {
    let start = Instant::now();
    std::hint::black_box(functions::expanded(function, order));
    start.elapsed()
}
