//! Lints that are allowed by default, denied: emitted code gives no reason for them.
#![deny(warnings)]
#![deny(
    missing_copy_implementations,
    missing_debug_implementations,
    missing_docs,
    ambiguous_negative_literals,
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    impl_trait_redundant_captures,
    keyword_idents,
    let_underscore_drop,
    macro_use_extern_crate,
    meta_variable_misuse,
    non_ascii_idents,
    redundant_imports,
    redundant_lifetimes,
    single_use_lifetimes,
    tail_expr_drop_order,
    trivial_casts,
    trivial_numeric_casts,
    unit_bindings,
    unreachable_pub,
    unsafe_code,
    unused_crate_dependencies,
    unused_extern_crates,
    unused_import_braces,
    unused_lifetimes,
    unused_qualifications,
    unused_results,
    variant_size_differences
)]
#![allow(unused_crate_dependencies, reason = "the test harness depends on more than this file uses")]

use cotangent::differentiate;

/// Public in a private module.
mod inner {
    use cotangent::differentiate;

    /// Twice.
    #[differentiate]
    pub(crate) fn twice(x: f64) -> f64 {
        2.0 * x
    }
}

/// Every construct that leaves something behind in emitted code.
#[differentiate]
fn everything<const N: usize>(x: &[f64; N], state: &mut [f64], h: f64, _unused: f64, count: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..N {
        state[i] += h * x[i].sin();
        if state[i] > 10.0 {
            return sum;
        }
        sum += inner::twice(state[i]);
    }
    let mut rest = count;
    while rest > 0 {
        rest -= 1;
        sum *= h;
    }
    sum
}

/// A result without floats.
#[differentiate(constant(y))]
fn constants(x: f64, y: f64) -> (usize, f64) {
    (if x > y { 1 } else { 2 }, x)
}

fn main() {
    let (x_bar, state_bar, h_bar, unused_bar) = everything::gradient(&[0.0, 0.0], &mut [1.0, 2.0], 0.5, 1.0, 2);
    assert_eq!((x_bar, state_bar), ([0.25, 0.25], vec![0.5, 0.5]));
    assert!(h_bar > 0.0 && unused_bar == 0.0);
    assert!(constants(1.0, 2.0).0 == 2 && constants::jvp(1.0, 3.0, 2.0).1.1 > 2.0);
}
