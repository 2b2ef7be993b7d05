//! What derivatives promise beyond their numbers: the function's value bit for bit, its panics and its
//! effects, places undone, branches not taken that do not exist, and agreed values at corners.

// These functions do on purpose what clippy advises against.
#![allow(clippy::complexity, clippy::style, clippy::perf, clippy::eq_op)]

mod aliasing;
mod branches;
mod cells;
mod corners;
mod effects;
mod items;
mod long_loops;
mod order;
mod perturbation;
mod precision;
mod programs;
mod restoration;
mod values;

/// Checks a function of floats in every mode: the primal's value, bit for bit.
macro_rules! assert_same_value {
    ($name:ident($($x:expr),*)) => {{
        let expected = $name($($x),*);
        let bits = |value| $crate::semantics::bits(value);
        let case = (stringify!($name), $($x),*);
        assert_eq!(bits($name::value_and_gradient($($x),*).0), bits(expected), "value_and_gradient of {case:?}");
        assert_eq!(bits($name::accumulate_gradient($($x),*).0), bits(expected), "accumulate_gradient of {case:?}");
        assert_eq!(bits($name::vjp($($x),*).0), bits(expected), "vjp of {case:?}");
        assert_eq!(bits($name::jvp($($x, 1.0),*).0), bits(expected), "jvp of {case:?}");
    }};
}
pub(crate) use assert_same_value;

/// The bits of a float. Which NaN an operation gives is not Rust's promise: all are one.
pub(crate) fn bits(value: f64) -> u64 {
    if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() }
}
