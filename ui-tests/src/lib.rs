//! A library as users write them: without the standard library, every item documented, lints denied.
//!
//! What comes in: nothing. What goes out: functions with companions, which `tests/ui.rs` calls from
//! outside. That the crate compiles is the better half of the test.

#![no_std]
#![deny(
    warnings,
    missing_docs,
    unreachable_pub,
    missing_debug_implementations,
    unused_qualifications
)]
#![deny(clippy::all, clippy::pedantic, clippy::nursery)]
#![expect(clippy::needless_range_loop, reason = "loops over indices are what is supported")]
#![forbid(unsafe_code)]

extern crate alloc;

use alloc::vec::Vec;
use cotangent::differentiate;

/// The running sums of `x`, squared.
#[differentiate]
#[must_use]
pub fn running(x: &[f64]) -> Vec<f64> {
    let mut sums = Vec::new();
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i];
        sums.push(sum * sum);
    }
    sums
}

/// The largest absolute value in `x`, or zero.
#[differentiate]
#[must_use]
pub fn largest<const N: usize>(x: &[f64; N]) -> f64 {
    let mut largest = 0.0_f64;
    for i in 0..N {
        largest = largest.max(x[i].abs());
    }
    largest
}

/// Functions of a private module under public paths.
pub mod shapes {
    pub use crate::private::area;
    pub use crate::private::area as surface;
}

mod private {
    use cotangent::differentiate;

    /// The area of a rectangle.
    #[differentiate]
    #[must_use]
    pub fn area(width: f64, height: f64) -> f64 {
        width * height
    }
}
