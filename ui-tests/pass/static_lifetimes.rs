//! References that live forever, as parameters.
#![deny(warnings, unused, missing_docs)]

use cotangent::differentiate;

#[differentiate]
fn of_statics(x: f64, table: &'static [f64], name: &'static str) -> f64 {
    x * table[name.len()]
}

static TABLE: [f64; 2] = [3.0, 5.0];

fn main() {
    assert_eq!(of_statics::gradient(2.0, &TABLE, "a"), (5.0, vec![0.0, 2.0]));
    let (_, pullback) = of_statics::vjp(2.0, &TABLE, "");
    let mut table_bar = [0.0; 2];
    assert_eq!((pullback(&TABLE, &mut table_bar, "", 1.0), table_bar), (3.0, [2.0, 0.0]));
}
